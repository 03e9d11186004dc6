"""CoNLL columns: a token a line, a BIO tag in the last column; a file is an annotator's."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from accord.errors import FileError
from accord.readers.source import Found, Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "conll"
TAG = re.compile(r"(?:[BIESLUM]-.+|O)")


def sniff(source: Source) -> Found | None:
    """A first line -DOCSTART-, which nothing else has; columns alone could be anything."""
    files = source.ending(".txt", ".conll", ".bio", ".iob", ".tsv")
    if not files or len(files) != len(source.names):
        return None
    if all(source.glance(name).first_line.startswith("-DOCSTART-") for name in files):
        return Found(NAME, f"{len(files)} {'file' if len(files) == 1 else 'files'} beginning with -DOCSTART-")
    return None


def read(source: Source, options: ReadOptions) -> Rows:
    """Spans of tokens within sentences: an item is a sentence, offsets count tokens."""
    rows = Rows("set of CoNLL columns", options)
    rows.note("offsets count tokens within the sentence, which is the item; the annotator is the file")
    lengths: dict[str, list[int]] = {}
    for name in source.names:
        with rows.guarding():
            text = source.text(name, options.encoding)
            lengths[name] = _file(text, source.where(name), PurePosixPath(name).stem, rows)
    if len({tuple(held) for held in lengths.values()}) > 1:
        counts = ", ".join(f"{name} {len(held)}" for name, held in lengths.items())
        raise FileError(
            source.path, f"The files do not hold the same sentences with the same tokens (sentences: {counts})."
        )
    return rows


def _file(text: str, where: str, who: str, rows: Rows) -> list[int]:
    sentences: list[list[tuple[int, str, str]]] = [[]]
    for number, line in enumerate(text.splitlines(), start=1):
        columns = line.split()
        if not columns or columns[0] == "-DOCSTART-" or line.startswith("# "):
            if sentences[-1]:
                sentences.append([])
            continue
        if len(columns) < 2 or not TAG.fullmatch(columns[-1]):
            raise FileError(
                where,
                f"The last column should be a tag such as B-PER or O, and the line is {line[:60]!r}.",
                line=number,
            )
        sentences[-1].append((number, columns[0], columns[-1]))
    sentences = [sentence for sentence in sentences if sentence]
    for place, sentence in enumerate(sentences, start=1):
        _sentence(sentence, {"item": place, "annotator": who}, rows)
    return [len(sentence) for sentence in sentences]


def _sentence(sentence: list[tuple[int, str, str]], cells: dict[str, Any], rows: Rows) -> None:
    """B- begins a span, I- goes on with one of the same label (or begins, as in IOB1); E- S- L- U- as in BILOU."""
    spans: list[tuple[int, int, str]] = []
    begun: tuple[int, str] | None = None
    for place, (_, _, tag) in enumerate([*sentence, (0, "", "O")]):
        mark, _, label = tag.partition("-")
        goes_on = begun is not None and mark in ("I", "E", "L", "M") and label == begun[1]
        if begun is not None and not goes_on:
            spans.append((begun[0], place, begun[1]))
            begun = None
        if mark != "O" and not goes_on:
            begun = (place, label)
        if begun is not None and mark in ("E", "L", "S", "U"):
            spans.append((begun[0], place + 1, begun[1]))
            begun = None
    words = [word for _, word, _ in sentence]
    for start, end, label in spans:
        rows.add("spans", start=start, end=end, label=label, covered=" ".join(words[start:end]), **cells)
    if not spans:
        rows.add("spans", **cells)

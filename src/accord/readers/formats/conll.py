"""CoNLL columns: a token a line, a BIO tag in the last column; a file is an annotator's."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise
from typing import Any, TypeAlias

from accord.annotations.bio_tags import TAG, units_of
from accord.errors import FileError, MayBeNames, quoted
from accord.readers import annotator_paths
from accord.readers.annotator_paths import Owner
from accord.readers.file_heads import lines_of
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "conll"
BLANKS = " \t"  # between columns; others, such as U+00A0 in 1 000, are part of a token
BETWEEN = re.compile(f"[{BLANKS}]+")
Sentence: TypeAlias = list[tuple[int, str, str]]  # the line, the token and the tag of each


def sniff(source: Source) -> Found | None:
    """A first line -DOCSTART-, which nothing else has; columns alone could be anything."""
    files = source.ending(".txt", ".conll", ".bio", ".iob", ".tsv")
    if not files or len(files) != len(source.names):
        return None
    if all(source.glance(name).first_line.startswith("-DOCSTART-") for name in files):
        return Found(NAME, f"{len(files)} {'file' if len(files) == 1 else 'files'} beginning with -DOCSTART-")
    return None


def read(source: Source, options: ReadOptions) -> Rows:
    """Spans of tokens within sentences: an item is a sentence, places count the characters of its tokens."""
    rows = Rows("set of CoNLL columns", options)
    rows.note("an item is a sentence: its tokens with a blank between them")
    files: dict[str, list[Sentence]] = {}
    for name in source.names:
        with rows.guarding():
            files[name] = _sentences(source.text(name, options.encoding), source.where(name))
    if not files:
        return rows
    texts = {name: _words(sentences) for name, sentences in files.items()}
    owners = annotator_paths.owners(list(files), texts.__getitem__, rows, called=source.name, usual="file")
    _check_tokens(source, owners, files)
    several = len({owner.item for owner in owners.values()}) > 1
    for name, owner in owners.items():
        for place, sentence in enumerate(files[name], start=1):
            item = f"{owner.item}/{place}" if several else place
            _sentence(sentence, {**owner.cells, "item": item}, rows)
    return rows


def _words(sentences: list[Sentence]) -> str | None:
    return annotator_paths.fingerprint("\n".join(word for sentence in sentences for _, word, _ in sentence))


def _check_tokens(source: Source, owners: dict[str, Owner], files: dict[str, list[Sentence]]) -> None:
    """Whoever annotated a document has the same tokens before them, and one document would be nobody's to compare."""
    lengths: dict[str, set[tuple[int, ...]]] = {}
    for name, owner in owners.items():
        lengths.setdefault(owner.item, set()).add(tuple(len(sentence) for sentence in files[name]))
    alone = len(owners) > 1 and len({owner.annotator for owner in owners.values()}) == 1
    if alone or any(len(found) > 1 for found in lengths.values()):
        counts = ", ".join(f"{name} {len(held)}" for name, held in files.items())
        raise FileError(
            source.path,
            "The files do not hold the same sentences with the same tokens (sentences: ",
            MayBeNames(counts),
            ").",
        )


def _sentences(text: str, where: str) -> list[Sentence]:
    sentences: list[Sentence] = [[]]
    for number, line in enumerate(lines_of(text), start=1):
        columns = BETWEEN.split(line.strip(BLANKS))
        if columns == [""] or columns[0] == "-DOCSTART-" or line.startswith("# "):
            if sentences[-1]:
                sentences.append([])
            continue
        if len(columns) < 2 or not TAG.fullmatch(columns[-1]):
            raise FileError(
                where,
                "The last column should be a tag such as B-PER or O, and the line is ",
                quoted(line[:60]),
                ".",
                line=number,
            )
        sentences[-1].append((number, columns[0], columns[-1]))
    return [sentence for sentence in sentences if sentence]


def _sentence(sentence: Sentence, cells: dict[str, Any], rows: Rows) -> None:
    """The sentence is its tokens with blanks between them; places count its characters."""
    spans = units_of([tag for _, _, tag in sentence]).spans
    ends = list(accumulate((len(word) + 1 for _, word, _ in sentence), initial=0))
    tokens = [(begin, stop - 1) for begin, stop in pairwise(ends)]
    rows.document(cells["item"], " ".join(word for _, word, _ in sentence), tokens)
    for first, last, label in spans:
        covered = " ".join(word for _, word, _ in sentence[first:last])
        start, end = tokens[first][0], tokens[last - 1][1]
        rows.add("spans", label=label, start=start, end=end, covered=covered, **cells)
    if not spans:
        rows.add("spans", **cells)

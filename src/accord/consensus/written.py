"""Labels in a file, item by item: a reference to score against, or known labels. Cells are text, whatever they mean."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.errors import InputError, listing

ITEM_WORDS = ("item", "item_id", "task", "task_id", "question", "example", "example_id", "object", "unit", "id",
              "orig_id", "document", "instance")  # fmt: skip
LABEL_WORDS = ("label", "truth", "gold", "reference", "answer", "true_label", "gold_label", "expert", "category",
               "class", "target", "decision", "score")  # fmt: skip
DELIMITERS = ("\t", ",", ";", "|", " ")
TWO = 2


class Written(dict[str, Any]):
    """Item ─▶ label as a file has them: names are compared as text, so that 1 and "1" are the same item."""


def labels_in(path: str | Path, item: str | None = None, label: str | None = None) -> Written:
    """The labels in a file: .csv, .tsv or text with two columns (with or without their names), .json, .jsonl, .parquet.

    `item` and `label` name the columns where their names do not tell.
    """
    file = Path(path)
    if not file.exists():
        raise InputError(f"There is no file {str(path)!r} here ({Path.cwd()}). Check the name and the folder.")
    names, rows = _table(file)
    if names is None:
        first, second = 0, 1
    else:
        first = _place(names, item, ITEM_WORDS, "item", file, 0)
        second = _place(names, label, LABEL_WORDS, "label", file, 1)
    found = Written()
    for row in rows:
        if len(row) <= max(first, second) or not as_text(row[first]) or not as_text(row[second]):
            continue
        name, value = as_text(row[first]), as_text(row[second])
        if found.get(name, value) != value:
            raise InputError(f"{file.name} says two things of item {name!r}: {found[name]!r} and {value!r}. Keep one.")
        found[name] = value
    if not found:
        raise InputError(f"{file.name} says nothing of any item.")
    return found


def as_text(cell: Any) -> str:
    """A cell as it would be written; whole floats without their point."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell == int(cell):
        return str(int(cell))
    text = str(cell).strip()
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def _table(file: Path) -> tuple[list[str] | None, Sequence[Sequence[Any]]]:
    """The names of the columns (None where the file has none) and the rows."""
    ending = file.suffix.lower()
    if ending == ".parquet":
        from accord.engine import Frame
        from accord.readers.sheet import polars

        frame = Frame.open(polars().read_parquet(file))
        return frame.columns, list(zip(*(frame.cells(name) for name in frame.columns), strict=True))
    text = file.read_text(encoding="utf-8-sig")
    if ending in (".json", ".jsonl", ".ndjson"):
        return _records(text, ending, file)
    return _delimited(text, file)


def _records(text: str, ending: str, file: Path) -> tuple[list[str], list[list[Any]]]:
    try:
        whole = json.loads(text) if ending == ".json" else [json.loads(line) for line in text.splitlines() if line]
    except json.JSONDecodeError as problem:
        raise InputError(f"{file.name} is no JSON: {problem}.") from None
    if isinstance(whole, dict):
        return ["item", "label"], [[key, value] for key, value in whole.items()]
    if not isinstance(whole, list) or not all(isinstance(row, dict) for row in whole):
        raise InputError(f"{file.name} should be one object, item ─▶ label, or a list of records.")
    names = list(dict.fromkeys(name for row in whole for name in row))
    return names, [[row.get(name) for name in names] for row in whole]


def _delimited(text: str, file: Path) -> tuple[list[str] | None, list[list[str]]]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(f"{file.name} is empty.")
    delimiter = next((mark for mark in DELIMITERS if all(mark in line.strip() for line in lines[:20])), None)
    if delimiter is None:
        raise InputError(f"{file.name}: a reference has an item and a label in each row; the first is {lines[0]!r}.")
    rows = [line.split() for line in lines] if delimiter == " " else list(csv.reader(lines, delimiter=delimiter))
    header = rows[0]
    # without names the first row is like the others: a number, or a label that is one of theirs
    labels = {as_text(row[1]) for row in rows[1:] if len(row) == TWO}
    nameless = len(header) == TWO and (any(map(is_number, header)) or as_text(header[1]) in labels)
    return (None, rows) if nameless else (header, rows[1:])


def is_number(cell: str) -> bool:
    """Is the text a number?"""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _place(names: Sequence[str], wanted: str | None, words: Sequence[str], role: str, file: Path, default: int) -> int:
    """The column that plays a role: by the name given, by a word that tells, or, of two columns, by its place."""
    if wanted is not None and wanted in names:
        return list(names).index(wanted)
    lower = [str(name).strip().strip("!").lower() for name in names]
    found = next((lower.index(word) for word in words if word in lower), None)
    if len(names) == TWO and found is None:
        return default
    if found is None:
        raise InputError(
            f"{file.name}: which column holds the {role}? It has {listing(names)}. Name it {words[0]!r}, or say "
            f"{role}=… (on the command line --reference-{role} …)."
        )
    return found

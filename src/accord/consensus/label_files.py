"""Labels in a file, item by item: a reference to score against, or known labels. Cells are text, whatever they mean."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from accord.annotations.answers import Label, holds_several
from accord.errors import ColumnMissing, FileError, InputError, Keyword, listing, remedy

ITEM_WORDS = ("item", "item_id", "task", "task_id", "question", "example", "example_id", "object", "unit", "id",
              "orig_id", "document", "instance")  # fmt: skip
LABEL_WORDS = ("label", "truth", "gold", "reference", "answer", "true_label", "gold_label", "expert", "category",
               "class", "target", "decision", "score")  # fmt: skip
DELIMITERS = ("\t", ",", ";", "|", " ")
TWO = 2


class Written(dict[str, Any]):
    """Item ─▶ label as a file has them: names are compared as text, so that 1 and "1" are the same item."""


class Names:
    """Names of the study, found by what a file says: text as it stands, then without blanks around it, then numbers."""

    def __init__(self, names: Sequence[Label]) -> None:
        self.names = names
        self._exact = {str(name): place for place, name in enumerate(names)}

    def place(self, cell: Any) -> int | None:
        """The position of the name that a cell means, None if it means none."""
        text = unicodedata.normalize("NFC", str(cell))
        found = self._exact.get(text)
        if found is None:
            found = self._close.get(as_text(text if isinstance(cell, str) else cell))
        return self._numbers.get(float(text)) if found is None and self._numbers and is_number(text) else found

    @cached_property
    def _close(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for place, name in enumerate(self.names):
            found.setdefault(as_text(name), place)
        return found

    @cached_property
    def _numbers(self) -> dict[Label, int]:
        return {name: place for place, name in enumerate(self.names) if not isinstance(name, str | bool)}


def labels_in(path: str | Path, item: str | None = None, label: str | None = None) -> Written:
    """The labels in a file: .csv, .tsv or text with two columns (with or without their names), .json, .jsonl, .parquet.

    `item` and `label` name the columns where their names do not tell; None where the caller cannot name them.
    """
    file = Path(path)
    names, rows = table_in(file)
    first = _place(names, item, ITEM_WORDS, "item", file, 0)
    second = _place(names, label, LABEL_WORDS, "label", file, 1)
    pairs = [(row[first], row[second]) for row in rows if len(row) > max(first, second)]
    pairs = [pair for pair in pairs if not any(map(is_silent, pair))]
    found = Written()
    for name, (_, value) in zip(_item_names([name for name, _ in pairs]), pairs, strict=True):
        if found.get(name, value) != value:
            raise InputError(f"{file.name} says two things of item {name!r}: {found[name]!r} and {value!r}. Keep one.")
        found[name] = value
    if not found:
        raise InputError(f"{file.name} says nothing of any item.")
    return found


def _item_names(cells: Sequence[Any]) -> list[str]:
    """Names as they stand; a column of numbers as whole ones, which an engine with numbers for names needs."""
    plain = [as_text(cell) for cell in cells]
    names = [cell if isinstance(cell, str) else text for cell, text in zip(cells, plain, strict=True)]
    return plain if all(map(is_number, plain)) and len(set(plain)) == len(set(names)) else names


def as_text(cell: Any) -> str:
    """A cell as it would be written; whole floats without their point."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and math.isfinite(cell) and cell == int(cell):
        return str(int(cell))
    text = str(cell).strip()
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def is_silent(cell: Any) -> bool:
    """Does a cell say nothing? An empty list says that no label fits."""
    return not holds_several(cell) and (
        cell is None or (isinstance(cell, float) and math.isnan(cell)) or not str(cell).strip()
    )


def table_in(file: Path) -> tuple[list[str] | None, Sequence[Sequence[Any]]]:
    """The names of the columns (None where the file has none) and the rows."""
    if not file.exists():
        raise InputError(f"There is no file {str(file)!r} here ({Path.cwd()}). Check the name and the folder.")
    ending = file.suffix.lower()
    if ending == ".parquet":
        from accord.readers.rows import Asked
        from accord.readers.source import Source
        from accord.readers.table_file import load

        sheet = load(Source(file), file.name, Asked())
        return sheet.columns, list(zip(*sheet.lists().values(), strict=True))
    text = _text(file)
    if ending in (".json", ".jsonl", ".ndjson"):
        return _records(text, ending, file)
    return _delimited(text, file)


def _text(file: Path) -> str:
    """The text of a file, in the encodings in which tables are read."""
    from accord.readers.rows import Asked
    from accord.readers.table_file import text_in

    try:
        return text_in(file.read_bytes(), file.name, Asked(), [])
    except FileError:  # its way out is an option that only tables have
        raise FileError(file, "It is neither UTF-8 nor Western Windows (cp1252). Save it as UTF-8.") from None
    except OSError as problem:
        raise FileError(file, f"It cannot be opened: {problem.strerror or problem}.") from None


def _records(text: str, ending: str, file: Path) -> tuple[list[str], list[list[Any]]]:
    lines = (line for line in text.split("\n") if line.strip())  # others break lines within text too
    try:
        whole = json.loads(text) if ending == ".json" else [json.loads(line) for line in lines]
    except json.JSONDecodeError as problem:
        raise InputError(f"{file.name} is no JSON: {problem}.") from None
    if isinstance(whole, dict):
        return ["item", "label"], [[key, value] for key, value in whole.items()]
    if not isinstance(whole, list) or not all(isinstance(row, dict) for row in whole):
        raise InputError(f"{file.name} should be one object, item ─▶ label, or a list of records.")
    names = list(dict.fromkeys(name for row in whole for name in row))
    return names, [[row.get(name) for name in names] for row in whole]


def _delimited(text: str, file: Path) -> tuple[list[str] | None, list[list[str]]]:
    if not text.strip():
        raise InputError(f"{file.name} is empty.")
    delimiter = next((mark for mark in DELIMITERS if _divides(mark, text)), None)
    if delimiter is None:
        first = text.strip().split("\n", 1)[0]
        raise InputError(f"{file.name}: there must be an item and a label in each row; the first is {first!r}.")
    rows = [row for row in _rows(text, delimiter, file) if any(cell.strip() for cell in row)]
    header = rows[0]
    # without names the first row is like the others: a number, or a label that is one of theirs
    labels = {as_text(row[1]) for row in rows[1:] if len(row) == TWO}
    nameless = len(header) == TWO and (any(map(is_number, header)) or as_text(header[1]) in labels)
    return (None, rows) if nameless else (header, rows[1:])


def _divides(mark: str, text: str) -> bool:
    """Does a mark stand between the cells of every row at the beginning?"""
    if mark == " ":
        return all(len(line.split()) >= TWO for line in text.split("\n")[:20] if line.strip())
    rows = islice(csv.reader(io.StringIO(text, newline=""), delimiter=mark), 20)
    return all(len(row) >= TWO for row in rows if any(cell.strip() for cell in row))


def _rows(text: str, delimiter: str, file: Path) -> list[list[str]]:
    if delimiter == " ":
        return [line.split() for line in text.split("\n")]
    from accord.readers.table_file import csv_rows

    return [row for _, row in csv_rows(text, delimiter, file.name)]


def is_number(cell: str) -> bool:
    """Is the text a number?"""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _place(
    names: Sequence[str] | None, wanted: str | None, words: Sequence[str], role: str, file: Path, default: int
) -> int:
    """The column that plays a role: by the name given, by a word that tells, or, of two columns, by its place."""
    said = wanted not in (None, role)  # the role's own name is what callers say when nobody named a column
    if names is None:
        if said:
            raise InputError(
                f"{file.name} does not name its columns, so none is {wanted!r}. Leave ", Keyword(role, ...), " out."
            )
        return default
    if wanted is not None and wanted in names:
        return list(names).index(wanted)
    if said:
        raise ColumnMissing(role, wanted, names)
    lower = [str(name).strip().strip("!").lower() for name in names]
    found = next((lower.index(word) for word in words if word in lower), None)
    if found is not None:
        return found
    if len(names) == TWO:
        return default
    otherwise = () if wanted is None else (", or say ", remedy(**{role: ...}))
    raise InputError(
        f"{file.name}: which column holds the {role}? It has {listing(names)}. Name it {words[0]!r}",
        *otherwise,
        ".",
        available=names,
    )

"""Labels in a file, item by item: a reference to score against, or known labels. Cells are text, whatever they mean."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.annotations.answers import holds_several
from accord.consensus.label_names import Written, compared_as, is_number
from accord.errors import (
    ColumnMissing,
    FileError,
    InputError,
    Keyword,
    MayBeNames,
    all_quoted,
    quoted,
    remedy,
    two_things,
)
from accord.readers import json_files
from accord.readers.source import Source
from accord.study.csv_writer import bare
from accord.study.roles import ROLES
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows

# The words that say a column's role: accord's own first, then those of a reference, then those of any table.
TRUTH = ("truth", "gold", "reference", "true_label", "gold_label", "expert", "target")
WORDS = {
    "item": ("item", *ROLES["item"].words, *column_names.WEAK_ITEM),
    "label": ("label", *TRUTH, *ROLES["label"].words, "score"),
}
SCORE = "score"
TWO = 2


def labels_in(path: str | Path, item: str | None = None, label: str | None = None, *, numbers: bool = False) -> Written:
    """The labels in a file: any that `accord.read` opens as a table, text with two columns without names, or JSON.

    `item` and `label` name the columns where their names do not tell; None where the caller cannot name them. Where
    `numbers` are wanted and nobody named a column, one called score comes first.
    """
    file = Path(path)
    names, rows = table_in(file)
    if numbers and label in (None, "label") and names is not None and SCORE in names:
        label = SCORE
    first, second = _place(names, item, "item", file, 0), _place(names, label, "label", file, 1)
    pairs = [(row[first], row[second]) for row in rows if len(row) > max(first, second)]
    pairs = [pair for pair in pairs if not any(map(is_missing, pair))]
    found = Written()
    for name, (_, value) in zip(_item_names([name for name, _ in pairs]), pairs, strict=True):
        if found.get(name, value) != value:
            raise two_things(name, found[name], value, quoted(file.name), " says two things of")
        found[name] = value
    if not found:
        raise InputError(quoted(file.name), " says nothing of any item. Fill in its labels.")
    return found


def _item_names(cells: Sequence[Any]) -> list[str]:
    """Names as they stand; a column of numbers as whole ones, which an engine with numbers for names needs."""
    plain = [compared_as(cell) for cell in cells]
    names = [cell if isinstance(cell, str) else text for cell, text in zip(cells, plain, strict=True)]
    return plain if all(map(is_number, plain)) and len(set(plain)) == len(set(names)) else names


def is_missing(cell: Any) -> bool:
    """Does a cell say nothing? An empty list says that no label fits."""
    return not holds_several(cell) and (
        cell is None or (isinstance(cell, float) and math.isnan(cell)) or not str(cell).strip()
    )


def table_in(file: Path) -> tuple[list[str] | None, Sequence[Sequence[Any]]]:
    """The names of the columns (None where the file has none) and the rows; opened as any other table is."""
    from accord.readers import table_file  # which loads an engine

    if not file.exists():
        raise InputError(
            "There is no file ",
            quoted(str(file)),
            " here (",
            MayBeNames(str(Path.cwd())),
            "). Check the name and the folder.",
            option=Keyword("path", str(file)),
        )
    if file.is_dir():
        raise FileError(file, "It cannot be opened: it is a folder. Name a file.")
    source, options = Source(file), ReadOptions()
    if source.glance(file.name).form.startswith("json"):
        return _records(source, file, options)
    if not table_file.is_delimited(source, file.name):
        sheet = table_file.load(source, file.name, options)
        return sheet.columns, list(zip(*sheet.lists().values(), strict=True))
    return _delimited(source, file, options)


def _records(source: Source, file: Path, options: ReadOptions) -> tuple[list[str], list[Any]]:
    """One object, item ─▶ label, or records; in JSON "1" is text and stays so."""
    if file.suffix.lower() == ".json":
        whole = json_files.load(source, file.name, options)
        if isinstance(whole, dict):
            return ["item", "label"], list(whole.items())
    rows = [record.data for record in json_files.records(source, file.name, options, Rows("JSON", options))]
    names = list(dict.fromkeys(name for row in rows for name in row))
    return names, [[row.get(name) for name in names] for row in rows]


def _delimited(source: Source, file: Path, options: ReadOptions) -> tuple[list[str] | None, list[list[str]]]:
    """The rows of a file of text, whose first may name the columns; cells stay as they are written."""
    from accord.readers import delimited

    try:
        text = delimited.text_in(source.content(file.name), file.name, options, [])
    except FileError:  # its way out is an option that only tables have
        raise FileError(file, "It is neither UTF-8 nor Western Windows (cp1252). Save it as UTF-8.") from None
    layout = delimited.Layout(delimited.separator_in(text, file.suffix.lower()))
    if any(between in text for between in delimited.SEPARATORS):
        layout.settle_quotes(file.name, options, lambda: io.StringIO(text, newline=""), has_quotes='"' in text)
        found = delimited.csv_rows(text, layout.separator, file.name, quote=layout.quote)
        rows = [row for _, row in found if any(cell.strip() for cell in row)]
    else:
        rows = [line.split() for line in text.split("\n") if line.strip()]
    rows = [list(map(bare, row)) for row in rows]
    header = rows[0]
    if len(header) < TWO:
        raise InputError(
            quoted(file.name), " must have an item and a label in each row; the first is ", quoted(header[0]), "."
        )
    # without names the first row is like the others: a number, or a label that is one of theirs
    labels = {compared_as(row[1]) for row in rows[1:] if len(row) == TWO}
    nameless = len(header) == TWO and (any(map(is_number, header)) or compared_as(header[1]) in labels)
    return (None, rows) if nameless else (header, rows[1:])


def _place(names: Sequence[str] | None, wanted: str | None, role: str, file: Path, default: int) -> int:
    """The column that plays a role: by the name given, by a word that tells, or, of two columns, by its place."""
    given = wanted not in (None, role)  # the role's own name is what callers give when nobody named a column
    if names is None:
        if given:
            raise InputError(
                quoted(file.name),
                " does not name its columns, so none is ",
                quoted(wanted),
                ". Leave ",
                Keyword(role, ...),
                " out.",
            )
        return default
    if wanted is not None and wanted in names:
        return list(names).index(wanted)
    if given:
        raise ColumnMissing(role, wanted, names)
    plain = [column_names.plain(str(name)) for name in names]
    found = next((plain.index(word) for word in WORDS[role] if word in plain), None)
    if found is not None:
        return found
    if len(names) == TWO:
        return default
    otherwise = () if wanted is None else (", or say ", remedy(**{role: ...}))
    raise InputError(
        "Which column of ",
        quoted(file.name),
        f" holds the {role}? It has ",
        all_quoted(names),
        ". Name it ",
        quoted(role),
        *otherwise,
        ".",
        available=names,
    )

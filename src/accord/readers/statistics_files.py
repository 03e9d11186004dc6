"""Files of SPSS (.sav, .zsav, .por) and Stata (.dta), through the package pyreadstat.

Numbers with labels are read as their labels, in the order of the numbers: a scale that the file declares, with labels
that nobody used. What the file declares to be missing is missing.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from accord.errors import ExtraMissing, FileError, MayBeNames, Message
from accord.readers.read_options import OF_TABLES, refuse_unused
from accord.readers.source import Source
from accord.study.declared_scales import Scale
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet

READERS = {".sav": "read_sav", ".zsav": "read_sav", ".por": "read_por", ".dta": "read_dta"}
MARKS = {b"$FL2": ".sav", b"$FL3": ".zsav", b"<sta": ".dta"}  # how files begin that are called otherwise
CALLED = {"read_sav": "SPSS", "read_por": "SPSS", "read_dta": "Stata"}


def is_one(source: Source, name: str) -> bool:
    """Is it a file of SPSS or Stata, by its ending or its first bytes?"""
    return _function(source, name) is not None


def _function(source: Source, name: str) -> str | None:
    by_name = READERS.get(PurePosixPath(name).suffix.lower())
    return by_name or READERS.get(MARKS.get(source.head(name, 4), ""))


def load(source: Source, name: str, options: ReadOptions) -> Sheet:
    """The table, with what it declares of its columns."""
    function, where = _function(source, name) or "", source.where(name)
    refuse_unused(
        options, (*OF_TABLES, "encoding"), Message(MayBeNames(where), f" is a file of {CALLED[function]}"), table=True
    )
    contents = _contents(function, source.content(name), where, options.encoding)
    columns: dict[str, list[Any]] = contents["columns"]
    if not columns:
        raise FileError(where, "The file holds no columns.")
    ranges: dict[str, list[Any]] = contents["missing"]
    missing = _without_missing(columns, ranges)
    labelled = {key: dict(codes) for key, codes in contents["labels"].items() if key in columns and codes}
    declared = _declared(labelled, columns, ranges)
    scales = {key: labels for key, labels in declared.items() if labels}
    cells = {key: _typed(held, scales.get(key)) for key, held in columns.items()}
    sheet = Sheet(where, ShapeOfFile(f"file of {CALLED[function]}"), _framed(cells, scales))
    sheet.notes.extend(_notes(missing, declared))
    sheet.scales = _levels(contents["measures"], scales, list(columns), options)
    return sheet


def _contents(function: str, data: bytes, where: str, encoding: str | None) -> dict[str, Any]:
    """What a process of its own reads out of the file: it may end with a damaged one, and this one goes on."""
    import subprocess

    if find_spec("pyreadstat") is None:
        raise ExtraMissing("Reading files of SPSS and Stata", "spss")
    script = str(Path(__file__).with_name("statistics_process.py"))
    paths = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, script, function, encoding or ""],
        input=data, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    found: Any = json.loads(done.stdout.decode("utf-8", "surrogatepass")) if done.returncode == 0 else {}
    if "columns" in found:
        contents: dict[str, Any] = found
        return contents
    what = str(found.get("problem", "it ends the reading of it, as damaged files do")).split("\n", 1)[0].rstrip(".")
    raise FileError(where, f"It cannot be read as a file of {CALLED[function]}: ", MayBeNames(what), ".")


def _notes(missing: Mapping[str, int], declared: Mapping[str, Mapping[Any, str]]) -> Iterator[str]:
    if missing:
        listed = [f"{number} in {key!r}" for key, number in missing.items()]
        cells = f": {', '.join(listed[:6])}{' …' if len(listed) > 6 else ''}"
        yield Message("declared in the file to be missing", MayBeNames(cells, f": {sum(missing.values()):,}"))
    labelled, others = ([key for key, labels in declared.items() if bool(labels) is whole] for whole in (True, False))
    if labelled:
        yield Message(
            "numbers read as their labels, in the order of the numbers: ", column_names.columns(labelled, most=6)
        )
    if others:
        yield Message(
            "labels for some of the numbers only, so numbers are kept: ", column_names.columns(others, most=6)
        )


def _without_missing(columns: dict[str, list[Any]], ranges: Mapping[str, Sequence[tuple[Any, Any]]]) -> dict[str, int]:
    """Take out what is declared to be missing; how many cells it was, by column."""
    found = {}
    for key, held in columns.items():
        declared = ranges.get(key, ())
        gone = [place for place, cell in enumerate(held) if any(_lies_in(cell, *ends) for ends in declared)]
        for place in gone:
            held[place] = None
        if gone:
            found[key] = len(gone)
    return found


def _lies_in(cell: Any, low: Any, high: Any) -> bool:
    if isinstance(cell, str) or isinstance(low, str) or isinstance(high, str):
        return isinstance(cell, str) and cell.rstrip() == str(low).rstrip()
    return cell is not None and low <= cell <= high


def _declared(
    labelled: Mapping[str, dict[Any, str]], columns: Mapping[str, list[Any]], ranges: Mapping[str, list[Any]]
) -> dict[str, dict[Any, str]]:
    """The labels of each column; columns with the same labels are of one kind, and are read in one way."""
    alike: dict[str, list[str]] = {}
    for key, codes in labelled.items():
        alike.setdefault(repr(sorted(codes.items(), key=repr)), []).append(key)
    found: dict[str, dict[Any, str]] = {}
    for keys in alike.values():
        each = {key: _labels(labelled[key], columns[key], ranges.get(key, ())) for key in keys}
        found |= each if all(each.values()) else {key: {} for key in keys}
    return {key: found[key] for key in labelled}


def _labels(codes: Mapping[Any, str], cells: Sequence[Any], missing: Sequence[tuple[Any, Any]]) -> dict[Any, str]:
    """The label of each number, in the order of the numbers; none where a number has none, or two have one."""
    labels = {
        code: str(label).strip() for code, label in codes.items() if not any(_lies_in(code, *ends) for ends in missing)
    }
    used = {cell for cell in cells if cell is not None and cell != ""}
    if not used <= set(labels) or len(set(labels.values())) < len(labels) or not all(labels.values()):
        return {}
    return {code: labels[code] for code in sorted(labels, key=lambda code: (isinstance(code, str), code))}


def _typed(cells: Sequence[Any], labels: Mapping[Any, str] | None) -> list[Any]:
    """Labels for numbers; whole numbers as such; text without the blanks that fill it up; days as they are written."""
    if labels:
        return [labels.get(cell) for cell in cells]
    whole = all(cell is None or (isinstance(cell, float) and cell.is_integer()) for cell in cells)
    return [_cell(cell, whole=whole) for cell in cells]


def _cell(cell: Any, *, whole: bool) -> Any:
    if isinstance(cell, str):
        return cell.rstrip() or None
    if isinstance(cell, float):
        return None if cell != cell else int(cell) if whole else cell  # noqa: PLR0124 - NaN differs from itself
    return cell if cell is None or isinstance(cell, int) else str(cell)


def _framed(cells: dict[str, list[Any]], scales: Mapping[str, Mapping[Any, str]]) -> Any:
    """Columns with labels declare them: as enumerations of Polars, where it is there."""
    if not scales:
        return cells
    try:
        import polars as pl
    except ImportError:
        return cells
    declared = {key: pl.Enum(list(labels.values())) for key, labels in scales.items()}
    return pl.DataFrame([pl.Series(key, held, dtype=declared.get(key), strict=False) for key, held in cells.items()])


def _levels(
    measures: Mapping[str, str], scales: Mapping[str, Any], columns: Sequence[str], options: ReadOptions
) -> dict[str, Scale]:
    """The ordinal level where somebody chose it in SPSS; its others are what it gives to columns by itself."""
    ordinal = {key for key, measure in measures.items() if measure == "ordinal"}
    found = {key: Scale((), "", "ordinal") for key in columns if key in ordinal}
    label_column = options.roles.get("label")
    answers = (
        [label_column] if isinstance(label_column, str) else column_names.candidates("label", columns) or list(scales)
    )
    if answers and set(answers) <= ordinal:
        found[""] = Scale((), "", "ordinal")
    return found

"""A study as a long table in a file: CSV, TSV, JSON Lines or Parquet. Read again, it is the same study."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import IN_ORDER, LOCATED, PREFERENCE, Kind, Tie, tidy_label
from accord.annotations.left_out import Reason
from accord.engine.whole_file import check_target, is_free, path_of, whole
from accord.errors import ExtraMissing, InputError, OptionError, json_value, quoted
from accord.options import ESCAPED, storable, too_long, within
from accord.study import declared_scales
from accord.study.csv_writer import csv_cell, write_csv
from accord.study.description import kind_as_read
from accord.study.roles import ROLES
from accord.study.shapes.long import PLACES

if TYPE_CHECKING:
    from accord.annotations.source_table import SourceTable
    from accord.study.study import Study

ONE_EACH: tuple[Kind, ...] = ("single", "score", PREFERENCE)  # kinds of which an answer is a row
STORED = (str, int, float, bytes, date, time, timedelta, Decimal, tuple, list, dict, type(None))  # a datetime is a date
DECIMAL_DIGITS = 38
MARKS = ("status", "task", "rank")  # a column of these names says which rows count, and of what


def write(study: Study, path: str | Path, *, keep_formulas: bool = False) -> Path:
    """Write the long table, one row per label; the ending of the name tells the format."""
    target = path_of(path)
    writers: dict[str, Callable[[dict[str, list[Any]], Path], None]] = {
        ".csv": partial(_delimited, keep_formulas=keep_formulas),
        ".tsv": partial(_delimited, delimiter="\t", keep_formulas=keep_formulas),
        ".jsonl": _json_lines,
        ".ndjson": _json_lines,
    }
    ending = target.suffix.lower()
    if ending not in (*writers, ".parquet"):
        raise OptionError.ending(target.name, (*writers, ".parquet"))
    check_target(target)
    beside = declared_scales.path_beside(target)
    if ending != ".parquet" and not is_free(beside) and not declared_scales.is_ours(beside):
        raise InputError(
            quoted(beside.name),
            " is where the scales of this table are kept, and holds something else. Move it away, or name another.",
        )
    columns, declared = long_columns(study), declared_scales.of_study(study)
    with whole(target) as half:
        if ending == ".parquet":
            _parquet(columns, half, declared)
        else:
            writers[ending](columns, half)
    _write_scales(target, declared if ending != ".parquet" else {})
    return target


def _write_scales(target: Path, declared: dict[str, declared_scales.Scale]) -> None:
    """The declared scales in a file beside the table; one that is left of an older table goes."""
    file = declared_scales.path_beside(target)
    if declared:
        with whole(file) as half:
            half.write_text(declared_scales.as_json(declared) + "\n", encoding="utf-8")
    elif declared_scales.is_ours(file):
        file.unlink()


def long_columns(study: Study) -> dict[str, list[Any]]:
    """The long table of a study, in accord's words: what counts and what was set aside."""
    frame, roles = study._frame, study.roles
    first = next(iter(study.tasks.values()), study)
    if not first._annotations.named:
        return _from_counts(study)
    complete = {"item", "annotator"} <= set(roles) and bool({"label", "score"} & set(roles))
    if frame is None or not complete or _has_lists(frame, roles):
        columns = _from_answers(study)
    else:
        columns = _from_table(study, frame)
    known = [name for name in ROLES if name in columns]
    return {name: columns[name] for name in [*known, *(name for name in columns if name not in known)]}


def _from_counts(study: Study) -> dict[str, list[Any]]:
    """Nobody is named: a row per item and label (and variable), with how many gave it."""
    columns: dict[str, list[Any]] = {"item": [], "label": [], "count": []}
    for task, part in study.tasks.items() or [(None, study)]:
        item, _, answer, count = (column.tolist() for column in part._annotations.rows)
        columns["item"] += [part.items[place] for place in item]
        columns["label"] += [part.answers.value(position) for position in answer]
        columns["count"] += count
        if task is not None:
            columns.setdefault("task", []).extend([task] * len(item))
    return columns


def _has_lists(frame: SourceTable, roles: dict[str, str]) -> bool:
    return "label" in roles and frame.lists(roles["label"])


def _from_table(study: Study, frame: SourceTable) -> dict[str, list[Any]]:
    """The rows of the table that the study was made from."""
    called = {name: role for role, name in study.roles.items()}
    columns: dict[str, list[Any]] = {}
    for name in frame.columns:
        new = called.get(name, name)
        if name not in called and (name in study.roles or name in MARKS):
            new = f"{name} (column)"  # it does not play the role of this name
        columns[new] = frame.cells(name)
    for role in {"item", "label", "score"} & set(columns):
        columns[role] = [tidy_label(cell) if isinstance(cell, Decimal) else cell for cell in columns[role]]
    columns["annotator"] = [_name(who) for who in columns["annotator"]]
    kinds: dict[Any, Kind] = {name: kind_as_read(part) for name, part in study.tasks.items()}
    length = len(columns["item"])
    if "answers" not in columns or not kinds:
        names = columns.get("task", [None] * length)
        columns["answers"] = [kinds.get(name, "single") for name in names] if kinds else [kind_as_read(study)] * length
    if not kinds and study.kind in LOCATED:
        for name in PLACES[study.kind]:
            if name not in columns:  # where nobody marked anything, no column has places
                columns[name] = frame.cells(name) if name in frame.columns else [None] * length
    _mark_repeats(study, columns)
    _number_repeats(study, columns)
    return columns


def _name(who: Any) -> Any:
    """What an annotator is called in a study: somebody who is the number 2.0 is called 2, and True is no word."""
    if isinstance(who, bool):
        return str(who)
    name = tidy_label(who) if isinstance(who, float | Decimal) else who
    return str(name) if isinstance(name, float) else name  # beside whole numbers, which a column makes 2.0 again


def _mark_repeats(study: Study, columns: dict[str, list[Any]]) -> None:
    """Answers and labels that were left out because the same annotator gave another, or the same again, say so."""
    again = {Reason.REPEATED: "repeated", Reason.REPEATED_LABEL: "repeated label"}
    if not any(study.left_out.of(reason) for reason in again):
        return
    used = {row for part in _parts(study) for row in part._rows_behind.tolist()}
    status = columns.setdefault("status", [None] * len(columns["item"]))
    seen: set[tuple[Any, ...]] = set()
    answers = list(_keys(columns, "run"))
    kept = {answers[row] for row in used}
    for row, cells in enumerate(_keys(columns, "run", "answers", "label", "score")):
        *_, kind, label, score = cells
        if status[row] not in (None, "submitted"):
            continue
        if (kind == "set" or (kind in IN_ORDER and label is not None)) and answers[row] not in kept:
            status[row] = again[Reason.REPEATED]
        elif kind == "set" and cells in seen:
            status[row] = again[Reason.REPEATED_LABEL]
        elif kind in ONE_EACH and row not in used and (score if kind == "score" else label) is not None:
            status[row] = again[Reason.REPEATED]
        seen.add(cells)


def _number_repeats(study: Study, columns: dict[str, list[Any]]) -> None:
    """Answers of one annotator to one item that all count are several runs, so that they count when they are read."""
    if "run" in columns or not any(part._annotations.repeated for part in _parts(study)):
        return
    runs: dict[tuple[Any, ...], int] = {}
    columns["run"] = []
    for cells in _keys(columns):
        runs[cells] = runs.get(cells, 0) + 1
        columns["run"].append(runs[cells])


def _keys(columns: dict[str, list[Any]], *more: str) -> Iterator[tuple[Any, ...]]:
    """Of each row whose answer it is and to what, with some cells more."""
    nothing = [None] * len(columns["item"])
    return zip(*(columns.get(name, nothing) for name in ("item", "annotator", "task", *more)), strict=True)


def _parts(study: Study) -> list[Study]:
    return list(study.tasks.values()) or [study]


def _from_answers(study: Study) -> dict[str, list[Any]]:
    """A row per label, from the answers themselves: wide tables, arrays, lists in cells."""
    names = ["item", "annotator", "label", "rank", "score", "answers"]
    rows: dict[str, list[Any]] = {name: [] for name in ([*names, "task"] if study.tasks else names)}
    parts: list[tuple[Any, Study]] = list(study.tasks.items()) or [(None, study)]
    runs: Counter[tuple[Any, ...]] = Counter()
    if any(part._annotations.repeated for _, part in parts):
        rows["run"] = []
    if any(part._item_weights is not None for _, part in parts):
        rows["item_weight"] = []
    for task, part in parts:
        items, people, kind, weights = part.items, part.annotators, part.kind, part.item_weights
        for item, who, answer, count in zip(*(column.tolist() for column in part._annotations.rows), strict=True):
            value = part.answers.value(answer)
            labels = list(value) if isinstance(value, tuple) else [value]
            tied = [(rank, held) for rank, held in enumerate(labels or [None], start=1)]
            ranked = [(rank, label) for rank, held in tied for label in (held if isinstance(held, Tie) else (held,))]
            for _ in range(count):
                runs[item, who, task] += 1
                for rank, label in ranked:
                    cells = {
                        "item": items[item], "annotator": people[who], "answers": kind, "task": task,
                        "run": runs[item, who, task],
                        "label": None if kind == "score" else label, "score": label if kind == "score" else None,
                        "rank": rank if kind in IN_ORDER else None, "item_weight": weights.get(items[item]),
                    }  # fmt: skip
                    for name, column in rows.items():
                        column.append(cells[name])
    return {
        name: column
        for name, column in rows.items()
        if name in ("item", "annotator", "label") or any(c is not None for c in column)
    }


def _delimited(columns: dict[str, list[Any]], path: Path, delimiter: str = ",", *, keep_formulas: bool) -> None:
    with path.open("w", encoding="utf-8", errors=ESCAPED, newline="") as stream:
        write_csv(stream, columns, delimiter, keep_formulas=keep_formulas)


def _json_lines(columns: dict[str, list[Any]], path: Path) -> None:
    held = {name: [json_value(cell) for cell in cells] for name, cells in columns.items()}
    named = {name for name, cells in held.items() if all(cell is None for cell in cells)}  # once, or it is not there
    with path.open("w", encoding="utf-8", errors=ESCAPED, newline="") as stream:
        for row in zip(*held.values(), strict=True):
            record = {name: cell for name, cell in zip(held, row, strict=True) if cell is not None or name in named}
            named = set()
            stream.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")


def _parquet(columns: dict[str, list[Any]], path: Path, declared: dict[str, declared_scales.Scale]) -> None:
    try:
        import polars as pl
    except ImportError:
        raise ExtraMissing("Writing Parquet", "report") from None
    named = {name.encode("utf-8", ESCAPED).decode("utf-8"): cells for name, cells in columns.items()}
    written = {name: storable(_one_type(cells)) for name, cells in named.items()}
    frame = pl.DataFrame(written, strict=False)
    for name, kind in frame.schema.items():
        if _is_unknown(pl, kind):
            frame = frame.with_columns(pl.Series(name, [_as_in_csv(cell) for cell in written[name]], dtype=pl.String))
    frame.write_parquet(path, metadata={declared_scales.KEY: declared_scales.as_json(declared)} if declared else None)


def _is_unknown(pl: Any, kind: Any) -> bool:
    """Does a type hold what Parquet does not know: records without a field, or lists beside what is none?"""
    fields = getattr(kind, "fields", None)
    if fields is not None:
        return not fields or any(_is_unknown(pl, field.dtype) for field in fields)
    return kind == pl.Object or (hasattr(kind, "inner") and _is_unknown(pl, kind.inner))


def _as_in_csv(cell: Any) -> str | None:
    """A cell as the CSV file of the same study has it: of a list or a record its JSON, of a set its labels."""
    return None if cell is None else str(csv_cell(cell))


def _one_type(cells: list[Any]) -> list[Any]:
    """A column of a Parquet file has one type: where they mix, text, as where lists and records hold what it cannot."""
    kinds = {type(cell) for cell in cells if cell is not None}
    mixed = len(kinds) > 1 and kinds != {int, float}
    held = list(within(cells)) if kinds & {list, dict} else cells
    odd = (held is not cells and too_long(held)) or not _can_be_stored(held)
    return [_as_in_csv(cell) for cell in cells] if mixed or odd else cells


def _can_be_stored(cells: list[Any]) -> bool:
    """Does Parquet have a type for these cells, which loses nothing of them?"""
    if not all(issubclass(kind, STORED) for kind in {type(cell) for cell in cells}):
        return False
    moments = {cell.tzinfo is None for cell in cells if isinstance(cell, datetime)}
    return len(moments) < 2 and _fit([cell for cell in cells if isinstance(cell, Decimal)])


def _fit(decimals: list[Decimal]) -> bool:
    """Have they, written below each other, no more digits than a column of decimals?"""
    if not all(one.is_finite() for one in decimals):
        return False
    exponents = [one.as_tuple().exponent for one in decimals]
    after = max([-exponent for exponent in exponents if isinstance(exponent, int)], default=0)
    return max([one.adjusted() + 1 for one in decimals], default=0) + max(after, 0) <= DECIMAL_DIGITS

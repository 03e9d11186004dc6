"""A study as a long table in a file: CSV, TSV, JSON Lines or Parquet. Read again, it is the same study."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import LOCATED, Kind
from accord.annotations.left_out import Reason
from accord.errors import ExtraMissing, InputError, OptionError
from accord.study import declared_scales
from accord.study.csv_writer import csv_cell, write_csv
from accord.study.shapes.long import PLACES

if TYPE_CHECKING:
    from accord.annotations.source_table import SourceTable
    from accord.study.study import Study

ORDER = (
    "item",
    "annotator",
    "task",
    "label",
    "rank",
    "score",
    "start",
    "end",
    "text",
    "suggested",
    "kind",
    "status",
    "time",
)


def write(study: Study, path: str | Path) -> Path:
    """Write the long table, one row per label; the ending of the name tells the format."""
    target = Path(path)
    writers: dict[str, Callable[[dict[str, list[Any]], Path], None]] = {
        ".csv": _delimited,
        ".tsv": partial(_delimited, delimiter="\t"),
        ".jsonl": _json_lines,
        ".ndjson": _json_lines,
    }
    ending = target.suffix.lower()
    if ending not in (*writers, ".parquet"):
        raise OptionError.choice("the ending of the file", target.suffix, [*writers, ".parquet"])
    columns, declared = long_columns(study), declared_scales.of_study(study)
    with whole(target) as half:
        if ending == ".parquet":
            _parquet(columns, half, declared)
        else:
            writers[ending](columns, half)
    _beside(target, declared if ending != ".parquet" else {})
    return target


def _beside(target: Path, declared: dict[str, declared_scales.Scale]) -> None:
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
        return _from_counts(first)
    rows_say_it = {"item", "annotator"} <= set(roles) and bool({"label", "score"} & set(roles))
    if frame is None or not rows_say_it or _has_lists(frame, roles):
        columns = _from_answers(study)
    else:
        columns = _from_table(study, frame)
    known = [name for name in ORDER if name in columns]
    return {name: columns[name] for name in [*known, *(name for name in columns if name not in known)]}


def _from_counts(study: Study) -> dict[str, list[Any]]:
    """Nobody is named: a row per item and label, with how many gave it."""
    item, _, answer, count = (column.tolist() for column in study._annotations.rows)
    labels = [study.answers.value(position) for position in answer]
    return {"item": [study.items[place] for place in item], "label": labels, "count": count}


def _has_lists(frame: SourceTable, roles: dict[str, str]) -> bool:
    return "label" in roles and frame.lists(roles["label"])


def _from_table(study: Study, frame: SourceTable) -> dict[str, list[Any]]:
    """The rows of the table that the study was made from."""
    called = {name: role for role, name in study.roles.items()}
    columns: dict[str, list[Any]] = {}
    for name in frame.columns:
        new = called.get(name, name)
        if name not in called and name in study.roles:
            new = f"{name} (column)"  # another column plays the role of this name
        columns[new] = frame.cells(name)
    kinds: dict[Any, Kind] = {name: part.kind for name, part in study.tasks.items()}
    length = len(columns["item"])
    if "answers" not in columns or not kinds:
        names = columns.get("task", [None] * length)
        columns["answers"] = [kinds.get(name, "single") for name in names] if kinds else [study.kind] * length
    if not kinds and study.kind in LOCATED:
        for name in PLACES[study.kind]:
            columns.setdefault(name, frame.cells(name))
    _mark_repeats(study, columns)
    return columns


def _mark_repeats(study: Study, columns: dict[str, list[Any]]) -> None:
    """Answers that were left out because another of the same annotator was kept say so."""
    if study.tasks or study.kind not in ("single", "score") or not study.left_out.of(Reason.REPEATED):
        return
    used = set(study._rows_behind.tolist())
    answered = columns["score" if study.kind == "score" else "label"]
    status = columns.setdefault("status", [None] * len(answered))
    for row, (cell, said) in enumerate(zip(answered, status, strict=True)):
        if row not in used and cell is not None and said in (None, "submitted"):
            status[row] = "repeated"


def _from_answers(study: Study) -> dict[str, list[Any]]:
    """A row per label, from the answers themselves: wide tables, arrays, lists in cells."""
    names = ["item", "annotator", "label", "rank", "score", "answers"]
    rows: dict[str, list[Any]] = {name: [] for name in ([*names, "task"] if study.tasks else names)}
    parts: list[tuple[Any, Study]] = list(study.tasks.items()) or [(None, study)]
    for task, part in parts:
        items, people, kind = part.items, part.annotators, part.kind
        for item, who, answer, count in zip(*(column.tolist() for column in part._annotations.rows), strict=True):
            value = part.answers.value(answer)
            labels = list(value) if isinstance(value, tuple) else [value]
            for _ in range(count):
                for rank, label in enumerate(labels or [None], start=1):
                    cells = {
                        "item": items[item], "annotator": people[who], "answers": kind, "task": task,
                        "label": None if kind == "score" else label, "score": label if kind == "score" else None,
                        "rank": rank if kind == "ranked" else None,
                    }  # fmt: skip
                    for name, column in rows.items():
                        column.append(cells[name])
    return {
        name: column
        for name, column in rows.items()
        if name in ("item", "annotator", "label") or any(c is not None for c in column)
    }


def check_target(target: Path) -> None:
    """Refuse, before any work is done, a place where no file can be written; folders on the way may still be made."""
    folder = next(place for place in target.absolute().parents if place.exists())
    if target.is_dir():
        problem = "it is a folder"
    elif not folder.is_dir():
        problem = f"{folder.name} is no folder"
    elif not os.access(folder, os.W_OK | os.X_OK):
        problem = f"nothing may be written into {folder.name or folder}"
    else:
        return
    raise InputError(f"{target.name} cannot be written: {problem}.")


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """A file beside the target that takes its place when it is whole: an interrupt leaves no half file."""
    half = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield half
        half.replace(target)
    except OSError as problem:
        raise InputError(f"{target.name} cannot be written: {problem.strerror or problem}.") from None
    finally:
        half.unlink(missing_ok=True)


def _delimited(columns: dict[str, list[Any]], path: Path, delimiter: str = ",") -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        write_csv(stream, list(columns), zip(*columns.values(), strict=True), delimiter)


def _json_lines(columns: dict[str, list[Any]], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        for row in zip(*columns.values(), strict=True):
            record = {name: cell for name, cell in zip(columns, row, strict=True) if cell is not None}
            stream.write(json.dumps(record, ensure_ascii=False, default=str) + "\n")


def _parquet(columns: dict[str, list[Any]], path: Path, declared: dict[str, declared_scales.Scale]) -> None:
    try:
        import polars as pl
    except ImportError:
        raise ExtraMissing("Writing Parquet", "report") from None
    frame = pl.DataFrame({name: _one_type(cells) for name, cells in columns.items()}, strict=False)
    frame.write_parquet(path, metadata={declared_scales.KEY: declared_scales.as_json(declared)} if declared else None)


def _one_type(cells: list[Any]) -> list[Any]:
    """A column of a Parquet file has one type: where they mix, text."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if len(kinds) <= 1 or kinds == {int, float}:
        return cells
    return [None if cell is None else str(csv_cell(cell)) for cell in cells]

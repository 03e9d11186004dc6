"""A study's tally in a file: a small Parquet table, a row for each kind of items, with all the rest in its metadata.

`n_items` items of a kind have the `answers` at these places of the list of answers, each given by `counts` people, or
by the `annotators` at these places of the list of names. Further columns say what else tells the kinds apart.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.annotations.answers import Answers, TiedMembers
from accord.annotations.arrays import IntArray
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded, code
from accord.annotations.item_sketch import ItemSketch
from accord.annotations.kinds_of_items import TalliedAnnotations
from accord.annotations.left_out import LeftOut, Reason
from accord.annotations.unnamed_items import UnnamedItems
from accord.engine.whole_file import check_target, path_of, whole
from accord.errors import ExtraMissing, FileError, MayBeNames, OptionError, quoted
from accord.options import head, storable
from accord.study.tally_facts import GIVEN, MOST, check_facts
from accord.study.tallying import StudyTally

ENDING = ".tally"
KEY = "accord.tally"
FORMAT = 1
NUMBER, ANSWERS, COUNTS, ANNOTATORS = "n_items", "answers", "counts", "annotators"


@dataclass(frozen=True, eq=False)
class TallyFile:
    """A tally as it is kept: with the name of the shard it is of, and whether people have their own names."""

    tally: StudyTally
    shard: str | None = None  # None: it is called as the file is
    names: str = GIVEN  # or by codes, A1, A2 …, drawn for this tally alone, or kept in a key


def write_tally_file(kept: TallyFile, path: str | Path) -> Path:
    """Write a tally; the file appears whole or not at all."""
    target = path_of(path)
    if target.suffix.lower() != ENDING:
        raise OptionError.ending(target.name, (ENDING,))
    check_target(target)
    pl = _polars("Writing a tally")
    annotations = kept.tally.annotations
    item, annotator, answer, count = annotations.kinds.rows
    order = np.lexsort((annotator, answer, item))
    ends = np.cumsum(np.bincount(item, minlength=len(annotations.number)))
    data: dict[str, Any] = {NUMBER: annotations.number}
    entries = {ANSWERS: answer, COUNTS: count, **({ANNOTATORS: annotator} if annotations.named else {})}
    for name, values in entries.items():
        data[name] = [part.tolist() for part in np.split(values[order], ends)[:-1]]  # a list for each kind, if any
    for place, column in enumerate(annotations.of_items.values()):
        cells = [*storable(column.values), None]
        data[_kept_as(place)] = [cells[at] for at in column.codes.tolist()]
    schema = {name: pl.List(pl.Int32) for name in entries}
    with whole(target) as half:
        frame = pl.DataFrame(data, schema_overrides=schema, strict=False)
        frame.write_parquet(half, compression="zstd", metadata={KEY: json.dumps(_facts(kept), ensure_ascii=True)})
    return target


def _polars(what: str) -> Any:
    try:
        import polars as pl
    except ImportError:
        raise ExtraMissing(what, "report") from None
    return pl


def _kept_as(place: int) -> str:
    """What the column at a place is called in the file: names of a table might be ours."""
    return f"column_{place + 1}"


def _facts(kept: TallyFile) -> dict[str, Any]:
    """What the table does not hold."""
    tally, annotations = kept.tally, kept.tally.annotations
    roles = {name: role for role, name in tally.roles.items()}
    return {
        **head("tally"),
        "format": FORMAT,
        "answers": _as_json(annotations.answers),
        "level": tally.level,
        "annotators": list(annotations.annotators),
        "names": kept.names,
        "kinds": None if tally.kinds is None else dict(tally.kinds),
        "columns": [{"name": name, "role": roles.get(name)} for name in annotations.of_items],
        "shard": kept.shard,
        "n_items": annotations.n_items,
        "n_annotations": annotations.n_annotations,
        "n_annotators": tally.n_annotators,
        "n_rows": tally.rows,
        "left_out": [
            {"reason": reason.key, "what": what, "number": number}
            for (reason, what), number in tally.left_out.counts.items()
        ],
        "item_sketch": None
        if tally.sketch is None
        else {"numbers": list(map(str, tally.sketch.numbers)), "n_items": tally.sketch.n_items},
    }


def _as_json(answers: Answers) -> dict[str, Any]:
    return {
        "kind": answers.kind,
        "labels": list(answers.labels),
        "members": [list(held) for held in answers.members],
        "ranks": [list(held.ranks) if isinstance(held, TiedMembers) else None for held in answers.members],
        "scores": answers.scores.tolist(),
        "declared": answers.declared,
        "order": answers.order,
    }


def read_tally_file(path: str | Path) -> TallyFile:
    """Read a tally; an error where the file is none, or is damaged."""
    place = Path(path)
    pl = _polars("Reading a tally")
    if place.exists() and not place.is_file() and not place.is_dir():  # a pipe would be waited for, maybe for ever
        raise FileError(place, "It is a pipe or a device, and tallies are read out of files only.")
    try:
        metadata = pl.read_parquet_metadata(place).get(KEY)
        frame = None if metadata is None else pl.read_parquet(place)
    except OSError as problem:
        if not place.exists():
            raise FileError(place, "There is no such file.") from None
        raise FileError(place, f"It cannot be read: {problem.strerror or type(problem).__name__}.") from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        metadata = frame = None
    if metadata is None or frame is None:
        raise FileError(place, "It is no tally that accord wrote. Write it anew, with `accord tally`.")
    try:
        facts = json.loads(metadata)
        found, version = facts["format"], facts["version"]
        if found == FORMAT:
            check_facts(facts)
            return _of_file(frame, facts)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError, pl.exceptions.PolarsError):
        raise FileError(place, "The tally is damaged: its sums do not fit together. Write it anew.") from None
    raise FileError(
        place,
        "It is a tally of format ",
        quoted(found),
        ", written by accord ",
        MayBeNames(str(version)),
        f"; this one reads format {FORMAT}. Write it anew, or use that accord.",
    )


def _of_file(frame: Any, facts: Mapping[str, Any]) -> TallyFile:
    number = _integers(frame[NUMBER])
    sizes = _integers(frame[ANSWERS].list.len())
    answers, names = _answers(facts["answers"]), tuple(facts["annotators"])
    answer, count = (_entries(frame, name, sizes) for name in (ANSWERS, COUNTS))
    annotator = _entries(frame, ANNOTATORS, sizes) if names else None
    for values, low, end in ((number, 1, MOST), (count, 1, MOST), (answer, 0, len(answers))):
        _check_range(values, low, end)
    if np.repeat(number.astype(np.float64), sizes) @ count.astype(np.float64) > MOST:
        raise ValueError
    if annotator is not None:
        _check_range(annotator, 0, len(names))
    kinds = CodedAnnotations(
        answers, len(number), names, item=np.repeat(np.arange(len(number)), sizes), annotator=annotator, answer=answer,
        count=count,
    )  # fmt: skip
    columns = {one["name"]: _column(frame[_kept_as(at)]) for at, one in enumerate(facts["columns"])}
    sketch = _sketch(facts["item_sketch"])
    annotations = TalliedAnnotations(kinds, number, columns, UnnamedItems(int(number.sum()), sketch))
    if (annotations.n_items, annotations.n_annotations) != (facts["n_items"], facts["n_annotations"]):
        raise ValueError
    roles = {one["role"]: one["name"] for one in facts["columns"] if one["role"] is not None}
    left_out = LeftOut({(Reason.called(one["reason"]), one["what"]): one["number"] for one in facts["left_out"]})
    tally = StudyTally(
        annotations, roles, facts["level"], facts["kinds"], left_out, facts["n_rows"], facts["n_annotators"], sketch
    )
    return TallyFile(tally, facts["shard"], facts["names"])


def _entries(frame: Any, name: str, sizes: IntArray) -> IntArray:
    """The cells of a column of lists one after the other, as many as the answers are."""
    if not np.array_equal(frame[name].list.len().to_numpy(), sizes):
        raise ValueError
    return _integers(frame[name].filter(frame[name].list.len() > 0).explode())


def _integers(series: Any) -> IntArray:
    if series.null_count() or not series.dtype.is_integer():
        raise ValueError
    return np.asarray(series.to_numpy(), dtype=np.int64)


def _column(series: Any) -> Coded:
    return code(series.to_list(), what="value")


def _check_range(values: IntArray, low: int, end: int) -> None:
    if len(values) and (values.min() < low or values.max() >= end):
        raise ValueError


def _answers(held: Mapping[str, Any]) -> Answers:
    ranks: Sequence[Any] = held["ranks"]
    members = tuple(
        tuple(one) if rank is None else TiedMembers(one, tuple(rank))
        for one, rank in zip(held["members"], ranks, strict=True)
    )
    return Answers(
        held["kind"], tuple(held["labels"]), members, np.array(held["scores"], dtype=np.float64),
        declared=held["declared"], order=held["order"],
    )  # fmt: skip


def _sketch(held: Mapping[str, Any] | None) -> ItemSketch | None:
    return None if held is None else ItemSketch(tuple(map(int, held["numbers"])), held["n_items"])

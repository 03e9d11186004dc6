"""Answers that could not be read, and rows that were set aside: what the table behind a study tells besides answers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from accord.annotations.answers import FAILED, Answers, answers_called
from accord.annotations.arrays import BoolArray, IntArray, used
from accord.annotations.coded import CodedAnnotations
from accord.errors import Keyword, OptionError
from accord.options import Shown
from accord.study.kinds import annotators_of_rows
from accord.study.study import Study

UNPARSABLE = "unparsable"  # the label that failed answers become, where they count


@dataclass(frozen=True, repr=False)
class Failed(Shown):
    """Of the answers requested from an annotator, how many could not be read, by what became of them."""

    requested: int  # answers and failures
    by_status: dict[str, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """All of them."""
        return sum(self.by_status.values())

    @property
    def share(self) -> float:
        """Of the answers that were requested."""
        return self.number / self.requested if self.requested else float("nan")

    def __str__(self) -> str:
        parts = ", ".join(f"{number:,} {status}" for status, number in self.by_status.items())
        return f"{self.share:.1%} of {self.requested:,} answers ({parts})" if self.number else "none"


@dataclass(frozen=True, eq=False)
class FailedRows:
    """The failed answers: rows of the table, with their item, annotator and status."""

    row: IntArray
    item: IntArray
    annotator: IntArray
    status: tuple[str, ...]


def failed_rows(study: Study) -> FailedRows:
    """The rows whose status says that there is no answer to be read."""
    rows, status = _rows_with(study, FAILED)
    if not len(rows):
        nothing = np.empty(0, dtype=np.int64)
        return FailedRows(nothing, nothing, nothing, ())
    item, who = _items_of_rows(study)[rows], annotators_of_rows(study)[rows]
    keep = np.nonzero((who >= 0) & (item >= 0))[0]
    return FailedRows(rows[keep], item[keep], who[keep], tuple(status[place] for place in keep.tolist()))


def _rows_with(study: Study, wanted: Collection[str]) -> tuple[IntArray, list[str]]:
    """The rows of the table about this variable that have one of these statuses, and which one each has."""
    column, frame = study.roles.get("status"), study._frame
    if column is None or frame is None or column not in frame.columns:
        return np.empty(0, dtype=np.int64), []
    status = frame.code(column, what="status")
    found = np.isin(status.codes, [place for place, value in enumerate(status.values) if value in wanted])
    rows = np.nonzero(found & _of_this_variable(study) & _of_this_part(study))[0]
    return rows, [str(status.values[place]) for place in status.codes[rows].tolist()]


def _items_of_rows(study: Study) -> IntArray:
    """(rows of the table,) the position of the row's item in the study, −1 for none."""
    assert study._frame is not None
    coded = study._frame.code(study.roles.get("item", "item"), what="item")
    return coded.onto(tuple(study.items)).astype(np.int64)


def _of_this_variable(study: Study) -> BoolArray:
    """(rows,) is the row about this variable, where the table holds several?"""
    frame, column = study._frame, study.roles.get("task")
    assert frame is not None
    if column is None or not len(study._rows_behind):
        return np.ones(len(frame), dtype=np.bool_)
    task = frame.code(column, what="task").codes
    return np.asarray(task == task[study._rows_behind[0]])


def _of_this_part(study: Study) -> BoolArray:
    """(rows,) has the row the values that rows were chosen by?"""
    frame = study._frame
    assert frame is not None
    chosen = np.ones(len(frame), dtype=np.bool_)
    for column, wanted in study._part.rows:
        coded = frame.code(column, what="where")
        chosen &= np.isin(coded.codes, [place for place, value in enumerate(coded.values) if str(value) in wanted])
    return chosen


def adjudicated_aside(study: Study) -> tuple[IntArray, IntArray]:
    """Item and answer of the rows that a reader set aside as adjudicated: they are gold, not one more opinion."""
    rows = _rows_with(study, ("adjudicated",))[0] if study.kind == "single" else np.empty(0, dtype=np.int64)
    if not len(rows):
        return rows, rows
    assert study._frame is not None
    rows = rows[~np.isin(rows, study._rows_behind)]  # those that count are among the answers
    item = _items_of_rows(study)[rows]
    answer = study._frame.code(study.roles.get("label", "label")).onto(study.labels)[rows].astype(np.int64)
    known = (item >= 0) & (answer >= 0)
    return item[known], answer[known]


def with_failed_as_label(study: Study, failed_answers: FailedRows) -> Study:
    """The study with its failed answers counted as one more label."""
    if study.kind != "single":
        raise OptionError(
            Keyword("unparsable", "label"), f" is for single labels; these are {answers_called(study.kind)}."
        )
    name = UNPARSABLE if UNPARSABLE not in study.labels else f"({UNPARSABLE})"
    old = study._annotations
    scale: Answers = replace(old.answers, labels=(*old.answers.labels, name), order="")
    item, annotator, answer, count = old.rows
    size = len(failed_answers.row)
    coded = CodedAnnotations(
        scale, old.n_items, old.annotators, None,
        np.concatenate((item, failed_answers.item)), np.concatenate((annotator, failed_answers.annotator)),
        np.concatenate((answer, np.full(size, len(old.answers)))), np.concatenate((count, np.ones(size, np.int64))),
        items=old.items, table=old.table, row=np.concatenate((old.table_rows, failed_answers.row)),
    )  # fmt: skip
    return study._with_annotations(coded)


def with_annotators_never_read(study: Study) -> Study:
    """The study with those annotators, too, none of whose answers could be read."""
    rows, _ = _rows_with(study, FAILED)
    if not len(rows) or "annotator" not in study.roles:
        return study
    assert study._frame is not None
    coded = study._frame.code(study.roles["annotator"], what="annotator")
    names = [str(name) for name in coded.values]
    known = {name: place for place, name in enumerate(study.annotators)}
    place = np.array([known.get(name, -1) for name in names], dtype=np.int64)
    if not np.array_equal(place[coded.codes[study._rows_behind]], study._annotations.rows[1]):
        return study  # names are hidden, and whose are missing is not known
    failed = coded.codes[rows]
    present = used(failed[failed >= 0], len(names))
    part = study._part
    never_read = [names[code] for code in present if names[code] not in known and part.has(names[code])]
    if not never_read:
        return study
    everyone = (*study.annotators, *never_read)
    return study._with_annotations(replace(study._annotations.to_memory(), annotators=everyone))

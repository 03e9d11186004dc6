"""Answers that could not be read, and rows that were set aside: what the table behind a study tells besides answers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from accord.answers import FAILED, Answers
from accord.arrays import BoolArray, IntArray, used
from accord.assembly import Assembled, Names
from accord.errors import OptionError
from accord.study import Study
from accord.triples import Triples

UNPARSABLE = "unparsable"  # the label that failed answers become, where they count


@dataclass(frozen=True)
class Failed:
    """Of the answers that an annotator was asked for, how many could not be read, by what became of them."""

    asked: int  # answers and failures
    by_status: dict[str, int] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """All of them."""
        return sum(self.by_status.values())

    @property
    def share(self) -> float:
        """Of the answers that were asked for."""
        return self.number / self.asked if self.asked else float("nan")

    def __str__(self) -> str:
        parts = ", ".join(f"{number:,} {status}" for status, number in self.by_status.items())
        return f"{self.share:.1%} of {self.asked:,} answers ({parts})" if self.number else "none"


@dataclass(frozen=True, eq=False)
class FailedRows:
    """The failed answers: rows of the table, with their item, annotator and status."""

    row: IntArray
    item: IntArray
    annotator: IntArray
    status: tuple[str, ...]


def annotators_of_rows(study: Study) -> IntArray:
    """(rows of the table,) the position of the row's annotator in the study, −1 for none.

    By the annotations where those tell, since names may be hidden; by name for who never gave an answer that counts.
    """
    frame = study.table
    assert frame is not None
    coded = frame.code(study.roles.get("annotator", "annotator"), what="annotator")
    named = {name: place for place, name in enumerate(study.annotators)}
    place = np.array([*(named.get(str(value), -1) for value in coded.values), -1], dtype=np.int64)
    rows = study.rows_behind
    if len(rows):
        place[coded.codes[rows]] = study.triples.rows[1]
    return place[coded.codes]


def failed_rows(study: Study) -> FailedRows:
    """The rows whose status says that there is no answer to be read."""
    nothing = np.empty(0, dtype=np.int64)
    column, frame = study.roles.get("status"), study.table
    if column is None or frame is None or column not in frame.columns:
        return FailedRows(nothing, nothing, nothing, ())
    status = frame.code(column, what="status")
    failed = np.isin(status.codes, [place for place, said in enumerate(status.values) if said in FAILED])
    failed &= _of_this_variable(study)
    rows = np.nonzero(failed)[0]
    item = frame.code(study.roles.get("item", "item"), what="item")
    at = {name: place for place, name in enumerate(study.items)} if item.values != tuple(study.items) else None
    codes = item.codes.astype(np.int64)
    if at is not None:
        codes = np.array([*(at.get(name, -1) for name in item.values), -1], dtype=np.int64)[item.codes]
    who = annotators_of_rows(study)[rows]
    keep = (who >= 0) & (codes[rows] >= 0)
    rows, who = rows[keep], who[keep]
    return FailedRows(rows, codes[rows], who, tuple(str(status.values[place]) for place in status.codes[rows]))


def _of_this_variable(study: Study) -> BoolArray:
    """(rows,) is the row about this variable, where the table holds several?"""
    frame, column = study.table, study.roles.get("task")
    assert frame is not None
    if column is None or not len(study.rows_behind):
        return np.ones(len(frame), dtype=np.bool_)
    task = frame.code(column, what="task").codes
    return np.asarray(task == task[study.rows_behind[0]])


def adjudicated_aside(study: Study) -> tuple[IntArray, IntArray]:
    """Item and answer of the rows that a reader set aside as adjudicated: they are gold, not one more opinion."""
    nothing = np.empty(0, dtype=np.int64)
    column, frame = study.roles.get("status"), study.table
    if column is None or frame is None or study.kind != "single" or column not in frame.columns:
        return nothing, nothing
    status = frame.code(column, what="status")
    aside = np.isin(status.codes, [place for place, said in enumerate(status.values) if said == "adjudicated"])
    aside[study.rows_behind] = False  # those that count are among the answers
    rows = np.nonzero(aside & _of_this_variable(study))[0]
    item = frame.code(study.roles.get("item", "item"), what="item").onto(tuple(study.items))
    answer = frame.code(study.roles.get("label", "label")).onto(study.labels)
    rows = rows[(item[rows] >= 0) & (answer[rows] >= 0)]
    return item[rows].astype(np.int64), answer[rows].astype(np.int64)


def with_failed_as_label(study: Study, failed_answers: FailedRows) -> Study:
    """The study with its failed answers counted as one more label."""
    if study.kind != "single":
        raise OptionError(f"unparsable='label' is for single labels; these are {study.kind} answers.")
    name = UNPARSABLE if UNPARSABLE not in study.labels else f"({UNPARSABLE})"
    old = study.triples
    scale: Answers = replace(old.answers, labels=(*old.answers.labels, name), ordered=False)
    item, annotator, answer, count = old.rows
    size = len(failed_answers.row)
    triples = Triples(
        scale, old.n_items, old.annotators, None,
        np.concatenate((item, failed_answers.item)), np.concatenate((annotator, failed_answers.annotator)),
        np.concatenate((answer, np.full(size, len(old.answers)))), np.concatenate((count, np.ones(size, np.int64))),
    )  # fmt: skip
    return study.with_assembled(
        Assembled(triples, study.assembled.names, np.concatenate((study.rows_behind, failed_answers.row)))
    )


def with_the_silent(study: Study) -> Study:
    """The study with those annotators, too, none of whose answers could be read."""
    column, frame = study.roles.get("status"), study.table
    if column is None or frame is None or column not in frame.columns or "annotator" not in study.roles:
        return study
    coded = frame.code(study.roles["annotator"], what="annotator")
    names = [str(name) for name in coded.values]
    known = {name: place for place, name in enumerate(study.annotators)}
    place = np.array([known.get(name, -1) for name in names], dtype=np.int64)
    if not np.array_equal(place[coded.codes[study.rows_behind]], study.triples.rows[1]):
        return study  # names are hidden, and whose are missing cannot be told
    status = frame.code(column, what="status")
    failed = np.isin(status.codes, [place for place, said in enumerate(status.values) if said in FAILED])
    there = used(coded.codes[failed & (coded.codes >= 0) & _of_this_variable(study)], len(names))
    silent = [names[code] for code in there if names[code] not in known]
    if not silent:
        return study
    everyone = (*study.annotators, *silent)
    triples = replace(study.triples, annotators=everyone)
    return study.with_assembled(Assembled(triples, Names(study.items, everyone), study.assembled.row))

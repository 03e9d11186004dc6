"""Drift: does agreement change as annotators go on, for all of them or for one?

Disagreement that falls with practice asks for training before the start; one that rises, for breaks and calibration
on the way. Practice is the part of their answers that somebody has given, in order of time, by its root: one learns
most at the beginning. Each annotator is compared with their own mean only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.wald import interval_around
from accord.agreement.table import Table
from accord.coefficients.standard_errors import NORMAL, limits
from accord.errors import MeasureError, counted
from accord.findings.distances import need_distances
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from accord.findings.time_course import Slope, TimeCourse, time_course_of
from accord.study.study_of_input import Roles

PARTS = ("first quarter", "second quarter", "third quarter", "last quarter")
EASIER = "All annotators met the items in one order: later items may just be easier or harder ones."
REMEDY = {
    True: "Train on sample items before the start, and have the first answers of each annotator given again.",
    False: "Plan breaks and calibration sessions on the way; answer a few items of the beginning again at the end.",
}


def look(view: View) -> Iterator[Clue]:
    """The course of all annotators together, and of each."""
    course = view.time_course
    if isinstance(course, str):
        yield NotLookedAt("change over time or with practice", course)
        return
    slopes = course.slopes
    yield TestFamily(1 + len(slopes), "agreement over time")
    if course.slope.p < CANDIDATE:
        yield _overall(course)
    for person, slope in slopes.items():
        if slope.p < CANDIDATE:
            yield _of_one(course, person, slope)


def _overall(course: TimeCourse) -> Finding:
    slope, (mean, _, _) = course.slope, course.by_part()
    falls = slope.value < 0
    return Finding(
        "disagreement-falls" if falls else "disagreement-rises",
        "warning",
        f"Disagreement {'falls' if falls else 'rises'} as annotators go on: {mean[0]:z.2f} in the first quarter of "
        f"their answers, {mean[3]:z.2f} in the last.",
        REMEDY[falls],
        evidence=(_change(slope), *_quarters(mean)),
        speaks_for=("Each annotator is compared with their own mean, so this is no difference between people.",),
        speaks_against=(EASIER,) if course.same_order else (),
        sources=("zhao2025",),
        p=slope.p,
        weight=share_of_beginning(course),
        table=_table(course),
    )


def _of_one(course: TimeCourse, person: int, slope: Slope) -> Finding:
    name, (mean, _, number) = course.distances.study.annotators[person], course.by_part(person)
    falls = slope.value < 0
    return Finding(
        "annotator-drifts",
        "warning",
        f"Annotator {name} moves {'towards' if falls else 'away from'} the others while going on: distance "
        f"{mean[0]:z.2f} in the first quarter of {counted(int(number.sum()), 'answers')}, {mean[3]:z.2f} in the last.",
        REMEDY[falls],
        evidence=(_change(slope), *_quarters(mean)),
        speaks_against=(EASIER,) if course.same_order else (),
        sources=("zhao2025",),
        annotators=(name,),
        p=slope.p,
        weight=share_of_beginning(course, person) / max(course.distances.study.n_annotators, 1),
    )


def _change(slope: Slope) -> Evidence:
    span = interval_around(slope.value, slope.se, df=NORMAL, method="by item")
    return Evidence("change of the distance from the first answer to the last", slope.value, span)


def _quarters(mean: Any) -> tuple[Evidence, Evidence]:
    return Evidence("distance in the first quarter", float(mean[0])), Evidence("in the last quarter", float(mean[3]))


def share_of_beginning(course: TimeCourse, person: int | None = None) -> float:
    """The share of the disagreement that would not be there if all answers were like those of the last quarter."""
    mean, _, number = course.by_part(person)
    total = float(np.nansum(mean * number) / max(number.sum(), 1))
    return float(np.clip(1 - mean[3] / total, 0, 1)) if total > 0 and np.isfinite(mean[3]) else 0.0


def agreement_over_time(data: Any, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """How far answers are from the others', in each quarter of the annotators' answers in order of time.

    `distance` is 0 where an answer is the same as all others on its item; `agreement` is 1 less the distance in parts
    of what chance would give, as a coefficient is. The notes say how it changes with practice and whether that may be
    chance. The study must know when answers were given: time='…'.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), or a 2-D array of items × annotators.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per quarter.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the study does not know when answers were given, or items stay in an engine.
        OptionError: If an option has a value that it cannot take.

    >>> rows = {"item": [], "who": [], "tag": [], "when": []}
    >>> for item in range(40):
    ...     for who in "ab":
    ...         for name, cell in zip(rows, (item, who, "xy"[item % 2 if who == "a" or item > 9 else 0], item)):
    ...             rows[name].append(cell)
    >>> table = agreement_over_time(rows, item="item", annotator="who", label="tag", time="when")
    >>> [round(row["distance"], 2) for row in table]
    [0.5, 0.0, 0.0, 0.0]
    """
    distances = need_distances(data, labels, roles)
    course = time_course_of(distances)
    if isinstance(course, str):
        raise MeasureError(course)
    return _table(course)


def _table(course: TimeCourse) -> Table:
    mean, se, number = course.by_part()
    low, high = limits(mean, se, df=NORMAL, ends=(0.0, math.inf))
    room, slope = course.distances.room, course.slope
    notes = [
        f"The distance changes by {slope.value:+z.3f} from the first answer to the last (p = {slope.p:.3g}).",
        *([EASIER] if course.same_order else []),
    ]
    return Table(
        "Distance from the others, by quarter of each annotator's answers in order of time",
        {
            "answers": list(PARTS),
            "number": number,
            "distance": mean,
            "low": low,
            "high": high,
            "agreement": 1 - mean / room,
        },
        tuple(notes),
    )

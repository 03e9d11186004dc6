"""TimeCourse: each annotator's answers in the order they were given, with their distance from the others' answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.coefficients.standard_errors import p_value
from accord.errors import Message, quoted, remedy
from accord.findings.distances import Distances
from accord.study.study import Study

FEWEST_ANSWERS = 40  # of somebody, below which their own course is not looked at
SAME_ORDER = 0.9  # share of pairs of neighbouring items that the annotators met in one order


@dataclass(frozen=True)
class Slope:
    """How the distance from the others changes from the first answer to the last."""

    value: float
    se: float
    answers: int

    @property
    def p(self) -> float:
        """Two-sided, of no change."""
        return p_value(self.value, self.se, max(self.answers - 2, 1))

    @property
    def falls(self) -> float:
        """One-sided, of no fall; 1 where that cannot be told."""
        if not math.isfinite(self.p):
            return 1.0
        return self.p / 2 if self.value < 0 else 1 - self.p / 2


@dataclass(frozen=True, eq=False)
class TimeCourse:
    """One row per answer that others answered too; practice counts an annotator's answers in order of time, from 1."""

    distances: Distances
    item: IntArray
    annotator: IntArray
    own: FloatArray  # distance from the others' answers on the item
    usual: FloatArray  # what it would be for these people at any time
    practice: FloatArray
    onward: FloatArray  # the root of the part of the annotator's answers given so far, 0 to 1
    part: IntArray  # the quarter of the annotator's answers that it belongs to, 0 to 3

    @cached_property
    def _pull(self) -> FloatArray:
        """How far on somebody is, less the annotator's mean: good annotators who answer much are no trend.

        The root of the part of the answers given: one learns most at the beginning, and no single answer decides.
        """
        people = self.distances.people
        mean = divide(add_up(self.annotator, self.onward, people), np.bincount(self.annotator, minlength=people))
        return np.asarray(self.onward - mean[self.annotator])

    @cached_property
    def _residual(self) -> FloatArray:
        """The distance beyond the usual one of these people: a random responder who leaves is no trend."""
        people, beyond = self.distances.people, self.own - self.usual
        mean = divide(add_up(self.annotator, beyond, people), np.bincount(self.annotator, minlength=people))
        return np.asarray(beyond - mean[self.annotator])

    @cached_property
    def slope(self) -> Slope:
        """Over all annotators, each against their own mean; items, which several answered, count as one draw."""
        squares = float(self._pull @ self._pull)
        if not squares > 0:
            return Slope(math.nan, math.nan, len(self.own))
        value = float(self._pull @ self._residual) / squares
        left = self._pull * self._residual  # as if there were no trend: steadier where clashes are few
        by_item = add_up(self.item, left, int(self.item.max(initial=0)) + 1)
        items = int(np.count_nonzero(np.bincount(self.item)))
        variance = self.distances.design * float(by_item @ by_item) / squares**2 * items / max(items - 2, 1)
        return Slope(value, math.sqrt(variance), items)

    @cached_property
    def slopes(self) -> dict[int, Slope]:
        """For each annotator with enough answers, their own."""
        people = self.distances.people
        number = np.bincount(self.annotator, minlength=people)
        squares = add_up(self.annotator, self._pull**2, people)
        value = divide(add_up(self.annotator, self._pull * self._residual, people), squares)
        left = self._pull * self._residual
        spread = add_up(self.annotator, left**2, people)
        se = np.sqrt(self.distances.design * divide(spread, squares**2) * divide(number, np.maximum(number - 2, 1)))
        able = np.nonzero((number >= FEWEST_ANSWERS) & (squares > 0))[0]
        return {person: Slope(float(value[person]), float(se[person]), int(number[person])) for person in able.tolist()}

    def by_part(self, person: int | None = None) -> tuple[FloatArray, FloatArray, IntArray]:
        """Mean distance in each quarter of the annotators' answers, its standard error by item, and the answers."""
        mine = slice(None) if person is None else self.annotator == person
        part, own, item = self.part[mine], self.own[mine], self.item[mine]
        number = np.bincount(part, minlength=4)
        mean = divide(add_up(part, own, 4), number)
        items = int(item.max(initial=0)) + 1
        left = add_up(part * items + item, own - mean[part], 4 * items).reshape(4, items)
        return mean, np.sqrt(divide((left**2).sum(1), number.astype(np.float64) ** 2)), number

    @cached_property
    def same_order(self) -> bool:
        """Did the annotators meet the items in one and the same order?"""
        first = np.full(int(self.item.max(initial=0)) + 1, np.nan)
        first[self.item[::-1]] = self.practice[::-1]
        present = np.isfinite(first[self.item])
        gap = first[self.item[present]] - self.practice[present]
        return bool(len(gap)) and float((np.abs(gap) < 0.5).mean()) >= SAME_ORDER


def time_course_of(distances: Distances) -> TimeCourse | str:
    """The course of a study, or why it is not known, in a sentence."""
    study = distances.study
    if not study._annotations.in_memory:
        return "The times stay in the engine; collect the frame first."
    moments = moments_of(study)
    if isinstance(moments, str):
        return moments
    item, annotator, _, _ = study._annotations.rows
    practice, total, known = _practice(annotator, moments)
    part = np.minimum((4 * (practice - 0.5) / total).astype(np.int64), 3)
    where, people = distances.tally.locate() if distances.tally.locate is not None else None, distances.people
    if where is None:
        return "The items are not known one by one."
    pattern = where[item]
    keep = np.nonzero((pattern >= 0) & known)[0]
    keys = distances.tally.pattern * people + distances.who  # ascending: patterns in order, annotators in order within
    entry = np.searchsorted(keys, pattern[keep] * people + annotator[keep])
    timed = int(np.isfinite(moments).sum())
    if timed >= FEWEST_ANSWERS and not known.any():
        return (
            f"{timed:,} answers have a time, and nobody's answers have four different ones: in which order they were "
            "given is not known."
        )
    if len(keep) < FEWEST_ANSWERS:
        return f"Only {len(keep):,} answers have a time and somebody to be compared with."
    onward = np.sqrt(practice / total)
    return TimeCourse(
        distances, item[keep], annotator[keep], distances.own[entry], distances.usual[entry], practice[keep],
        onward[keep], part[keep],
    )  # fmt: skip


def _practice(annotator: IntArray, moments: FloatArray) -> tuple[FloatArray, FloatArray, Any]:
    """The place of each answer among its annotator's by time (ties share a place), of how many, and whether known."""
    known = np.isfinite(moments)
    order = np.lexsort((np.where(known, moments, np.inf), annotator))
    who = annotator[order]
    starts = np.nonzero(np.concatenate(([True], who[1:] != who[:-1])))[0] if len(who) else np.empty(0, np.int64)
    sizes = np.diff(np.append(starts, len(who)))
    place = np.arange(len(who)) - np.repeat(starts, sizes) + 1.0
    fresh = np.ones(len(who), dtype=np.bool_)
    when = moments[order]
    fresh[1:] = (who[1:] != who[:-1]) | (when[1:] != when[:-1])
    run = np.cumsum(fresh) - 1
    place = (add_up(run, place, int(run.max(initial=-1)) + 1) / np.bincount(run))[run] if len(run) else place
    practice = np.empty(len(annotator))
    practice[order] = place
    total = np.empty(len(annotator))
    total[order] = np.repeat(sizes, sizes)
    # where all of somebody's answers bear one time, their order is not known
    groups = np.bincount(annotator[order][fresh], minlength=int(annotator.max(initial=0)) + 1)
    return practice, total, known & (groups[annotator] >= 4)


def moments_of(study: Study) -> FloatArray | str:
    """The time of each annotation as a number, NaN where it has none; or why times are not known."""
    name = study.roles.get("time")
    if name is None or study._frame is None:
        return Message("When answers were given is not known: name the column, ", remedy(time=...), ".")
    raw = study._frame.cells(name)
    distinct: dict[Any, float] = {}
    strange = None
    for cell in raw:
        try:
            known = cell in distinct
        except TypeError:  # a list, or what holds one
            return Message("The column ", quoted(name), " holds ", quoted(cell), ", which is no time.")
        if not known:
            distinct[cell] = moment(cell)
            if strange is None and math.isnan(distinct[cell]) and not _is_nothing(cell):
                strange = cell
    values = np.array([distinct[cell] for cell in raw])
    if strange is not None and np.isnan(values).mean() > 0.5:
        return Message(
            "The column ",
            quoted(name),
            " has ",
            quoted(strange),
            ", which is not understood as a time; ISO 8601 or a number is.",
        )
    return np.asarray(values[study._rows_behind])


def _is_nothing(cell: Any) -> bool:
    """Is no time given at all? A number of thousands of digits, which Python does not write, is something."""
    return not isinstance(cell, int) and str(cell).strip() in ("", "None", "NaT", "nan")


def moment(cell: Any) -> float:
    """A point in time as a number: seconds for dates, the number itself for numbers, NaN for what is neither."""
    try:
        return _moment(cell)
    except (OverflowError, ValueError):  # a number of hundreds of digits, or a year beyond all calendars
        return math.nan


def _moment(cell: Any) -> float:
    if cell is None or isinstance(cell, bool):
        return math.nan
    if isinstance(cell, np.datetime64):
        return math.nan if np.isnat(cell) else float(cell.astype("datetime64[us]").astype(np.int64)) / 1e6
    if isinstance(cell, int | float | np.integer | np.floating) and not isinstance(cell, np.timedelta64):
        return float(cell)
    if isinstance(cell, datetime):
        if str(cell) == "NaT":  # pandas' missing moment is a datetime too
            return math.nan
        return (cell if cell.tzinfo else cell.replace(tzinfo=UTC)).timestamp()
    if isinstance(cell, date):
        return float(cell.toordinal()) * 86400.0
    return _written(str(cell).strip())


def _written(text: str) -> float:
    """A time that somebody wrote: a number, ISO 8601, or as in letters ("Mon, 05 Jan 2009 10:00:00 GMT")."""
    from email.utils import parsedate_to_datetime

    try:
        return float(text)
    except ValueError:
        pass
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text)
        except (ValueError, TypeError):
            continue
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return math.nan

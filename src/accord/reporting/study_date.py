"""When the study was made: from the times of its answers, never from a clock, so that a report can be repeated."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import numpy as np

from accord.annotations.arrays import IntArray
from accord.study.in_memory import in_memory_where_small
from accord.study.study import Study

SECONDS = (3e8, 4e9)  # numbers that are seconds since 1970, in years that annotation tools have seen
THOUSAND = 1000.0  # the same in thousandths


def answered_between(study: Study) -> str:
    """The days of the first and the last answer, where the table has times; nothing where it has none.

    >>> times = ["2026-03-02T10:00:00", "2026-03-05T09:30:00", "2026-03-04T12:00:00"]
    >>> table = {"item": [1, 1, 2], "annotator": ["a", "b", "a"], "label": ["x", "y", "x"], "at": times}
    >>> answered_between(Study(table, time="at"))
    'answers from 2026-03-02 to 2026-03-05'
    """
    study = in_memory_where_small(study)
    parts = list(study.tasks.values()) or [study]
    days = [day for part in parts for day in _days(part)]
    if not days:
        return ""
    first, last = min(days), max(days)
    return f"answers of {first}" if first == last else f"answers from {first} to {last}"


def week_of_items(study: Study) -> IntArray | None:
    """(items,): the Monday of the week in which each got its last answer, as a day number; 0 where none is known.

    None where the study does not say when answers were given.

    >>> times = ["2026-03-02T10:00:00", "2026-03-11T09:30:00", "2026-03-04T12:00:00"]
    >>> table = {"item": [1, 1, 2], "annotator": ["a", "b", "a"], "label": ["x", "y", "x"], "at": times}
    >>> [str(date.fromordinal(monday)) for monday in week_of_items(Study(table, time="at"))]
    ['2026-03-09', '2026-03-02']
    """
    name = study.roles.get("time")
    if name is None or study._frame is None or not study._annotations.in_memory:
        return None
    coded = study._column(name, "time")
    days = [_day(value) for value in coded.values]
    mondays = np.array([0 if day is None else day.toordinal() - day.weekday() for day in days] + [0], dtype=np.int64)
    last = np.zeros(study._annotations.n_items, dtype=np.int64)
    np.maximum.at(last, study._annotations.rows[0], mondays[coded.codes])
    return last if last.any() else None


def _days(study: Study) -> Iterable[date]:
    name, frame = study.roles.get("time"), study._frame
    if name is None or frame is None:
        return []
    cells = frame.cells(name)
    used = dict.fromkeys(cells[row] for row in study._rows_behind.tolist() if cells[row].__hash__ is not None)
    return [day for cell in used if (day := _day(cell)) is not None]


def _day(cell: Any) -> date | None:
    """The day of a time, in UTC where it has a zone; None of what is none, or lies beyond the calendar."""
    try:
        return _calendar_day(cell)
    except OverflowError:
        return None


def _calendar_day(cell: Any) -> date | None:
    if isinstance(cell, np.datetime64):
        cell = None if np.isnat(cell) else cell.astype("datetime64[us]").item()
    if isinstance(cell, bool) or cell is None or str(cell) == "NaT":
        return None
    if isinstance(cell, datetime):
        return (cell.astimezone(UTC) if cell.tzinfo else cell).date()
    if isinstance(cell, date):
        return cell
    if isinstance(cell, int | float | np.integer | np.floating):
        return _since_1970(float(cell))
    return _written(str(cell).strip())


def _since_1970(number: float) -> date | None:
    for seconds in (number, number / THOUSAND):
        if SECONDS[0] < seconds < SECONDS[1]:
            return datetime.fromtimestamp(seconds, UTC).date()
    return None


def _written(text: str) -> date | None:
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return _day(read(text))
        except (ValueError, TypeError):
            continue
    try:
        return _since_1970(float(text))
    except ValueError:
        return None

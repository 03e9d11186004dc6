"""Variables × coefficients, each value with its interval: as a paper prints it, and as numbers for programs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.agreement.coefficient_table import WHY, of_rows, row_of
from accord.agreement.groups import parts, recommended_parts
from accord.agreement.measurements import Measurements
from accord.agreement.paper_sentence import both_ends, named_in_full, over_what, shown_value
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.errors import counted, percent
from accord.measures.recommendation import AMOUNTS

NOTHING = "–"


@dataclass(frozen=True)
class Column:
    """One coefficient: its result for each variable or group, or for the study under the name of nothing."""

    results: Mapping[Hashable, Agreement]

    @property
    def defined(self) -> list[Agreement]:
        """Those that have a value, or all where none has."""
        return [one for one in self.results.values() if not one.undefined] or list(self.results.values())

    @property
    def coefficients(self) -> list[str]:
        """What is measured, without its level: several where each variable has what is recommended for it."""
        return list(dict.fromkeys(one.entry.title for one in self.defined))

    @property
    def titles(self) -> list[str]:
        """The same with levels and weights."""
        return list(dict.fromkeys(named_in_full(one) for one in self.defined))

    @property
    def title(self) -> str:
        """What stands above the column: as much as all of its values have in common."""
        for names in (self.titles, self.coefficients):
            if len(names) == 1:
                return names[0]
        return "value"


def columns_of(found: Measurements, *, named: bool) -> list[Column]:
    """The coefficients to print: those that were named; else the recommended one, and the share that agrees."""
    if named:
        return [Column(_of_each(result)) for result in found]
    best = found.recommended
    if best.by is None and not best.study.tasks:
        first: Mapping[Hashable, Agreement] = {None: best}
    else:
        first = recommended_parts(best)
    shares = [_of_labels(_of_each(one)) for one in found if one.entry.is_share and not best.entry.is_share][:1]
    return [Column(first), *(Column(share) for share in shares if share)]


def _of_labels(results: Mapping[Hashable, Agreement]) -> dict[Hashable, Agreement]:
    """Shares of answers that are the same say something of labels, and nothing of amounts."""
    amounts = {name for name, one in results.items() if one.study.kind == "score" or one.study.level in AMOUNTS}
    return {name: one for name, one in results.items() if name not in amounts}


def _of_each(result: Agreement) -> Mapping[Hashable, Agreement]:
    return parts(result) if result.by is not None or result.study.tasks else {None: result}


def printed(columns: Sequence[Column], rows_are: str, what: str | None, how: dict[str, Any]) -> Table:
    """The table of the paper: a row per variable or group, a value with its interval in each cell."""
    first = columns[0]
    data: dict[str, list[Any]] = {}
    if list(first.results) != [None] or what:
        data[rows_are] = [what if name is None else name for name in first.results]
    if len(first.coefficients) > 1:
        data["coefficient"] = [NOTHING if one.undefined else named_in_full(one) for one in first.results.values()]
    elif len(first.titles) > 1:
        data["level"] = [str(one.options.get("level") or NOTHING) for one in first.results.values()]
    for column in columns:
        data[column.title] = [_cell(column.results.get(name), how) for name in first.results]
    data["items"] = [one.n_items for one in first.results.values()]
    data["annotators"] = [one.n_annotators for one in first.results.values()]
    return Table(_title(columns, rows_are), data, _notes(columns, how))


def _title(columns: Sequence[Column], rows_are: str) -> str:
    several = list(columns[0].results) != [None]
    return f"Agreement by {rows_are}" if several else "Agreement"


def _cell(result: Agreement | None, how: dict[str, Any]) -> str:
    """A value with its interval; what is undefined has none, and a note says why."""
    if result is None or result.undefined:
        return NOTHING
    span = result.interval(**how)
    inside = f" [{both_ends(result, span, ', ')}]" if math.isfinite(span.low) else ""
    return f"{shown_value(result)}{inside}".replace("-", "−")  # as print has it


def _notes(columns: Sequence[Column], how: dict[str, Any]) -> tuple[str, ...]:
    """What the brackets hold, and which cells say less than the others and why."""
    rows = columns[0].results
    spans = [one.interval(**how) for column in columns for one in column.results.values() if not one.undefined]
    kinds = dict.fromkeys(intervals_in_words(span) for span in spans if math.isfinite(span.low))
    notes = [f"In brackets: {'; '.join(kinds)}."] if kinds else []
    whose: dict[str, list[str]] = {}
    for column in columns:
        for name, one in column.results.items():
            of = f"{column.title} of {name}" if name is not None else column.title
            if one.undefined:
                whose.setdefault(f"undefined. {one.undefined}", []).append(of)
            elif (why := one.interval(**how).undefined) is not None:
                whose.setdefault(f"no interval. {why}", []).append(of)
    notes += [f"{', '.join(names)}: {why}" for why, names in whose.items()]
    notes += [
        f"{column.title} is told of labels, not of amounts." for column in columns if len(column.results) < len(rows)
    ]
    return (*notes, *_compared(columns))


def _compared(columns: Sequence[Column]) -> tuple[str, ...]:
    """Items are those of the first coefficient; another that compares fewer or more says so."""
    first = columns[0].results
    differ = [
        f"{column.title}{'' if name is None else f' of {name}'} is of {counted(one.n_items, 'items')}"
        for column in columns[1:]
        for name, one in column.results.items()
        if not one.undefined and one.n_items != first[name].n_items
    ]
    return (f"{'; '.join(differ)}.",) if differ else ()


def intervals_in_words(span: Interval) -> str:
    """What intervals are, and over what: for a note, and for the methods."""
    drawn = f" ({span.n_resamples:,} resamples, seed {span.seed})" if span.n_resamples else ""
    return f"{percent(span.confidence)} confidence intervals, {span.method} over {over_what(span)}{drawn}"


def numbers(columns: Sequence[Column], rows_are: str, what: str | None, how: dict[str, Any]) -> Table:
    """The same with all digits for programs: a row per variable and coefficient."""
    rows = [
        {rows_are: what or "" if name is None else name, **row_of(one, how)}
        for column in columns
        for name, one in column.results.items()
    ]
    reasons = [{**row, "undefined": row["undefined"] or row[WHY] or ""} for row in rows]
    return of_rows(_title(columns, rows_are), reasons)

"""Limits of agreement of Bland and Altman: how far two annotators' scores of one item may be expected to differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import limits, p_value
from accord.errors import MeasureError, OptionError, as_typed, counted, nobody_named, some_annotators
from accord.options import Shown, check_confidence, head, is_among
from accord.scores.limits import Limits, Line
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

MOST_POINTS = 1_500  # of a chart
SURE = 0.05  # p below which a trend is told
FEWEST = 3  # items that both scored


@dataclass(frozen=True, eq=False, repr=False)
class LimitsOfAgreement(Shown):
    """For every pair of annotators: the mean difference of their scores, and the limits most differences lie within.

    Attributes:
        study: The study.
        confidence: Of the intervals around bias and limits; the limits themselves are bias ± 1.96 standard deviations.
        undefined: Why there is nothing to tell; None if there is something.

    >>> from accord import bland_altman
    >>> wright = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
    >>> mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
    >>> found = bland_altman(wright, mini)
    >>> [round(found.row()[name], 1) for name in ("bias", "lower", "upper")]
    [-2.1, -78.1, 73.9]
    >>> len(found.to_table()), type(found.plot()).__name__
    (1, 'LayerChart')
    """

    study: Study
    confidence: float
    undefined: str | None = None
    _limits: Limits = field(kw_only=True)

    def __len__(self) -> int:
        return len(self._limits.bias)

    def to_table(self) -> Table:
        """One row per pair of annotators who scored an item together.

        Returns:
            A `Table`: first, second, items; bias (the first's score less the second's) with bias_low and bias_high; sd
            of the differences; lower and upper, the limits of agreement, each with its own low and high; slope, by how
            much the difference grows for each unit of the mean, and slope_p; widening, by how much its spread grows,
            and widening_p. Intervals are by t; those of the limits have the error of Bland and Altman 1999.
        """
        found, names = self._limits, self.study.annotators
        number = found.items.astype(np.float64)
        df, few = np.maximum(number - 1, 1), number < FEWEST
        bias = self._around(found.bias, found.bias_error, df, few)
        ends = [self._around(end, found.limit_error, df, few) for end in (found.lower, found.upper)]
        data: dict[str, Any] = {
            "first": [names[who] for who in found.pairs.first],
            "second": [names[who] for who in found.pairs.second],
            "items": found.items,
            "bias": found.bias, "bias_low": bias[0], "bias_high": bias[1],
            "sd": found.sd,
            "lower": found.lower, "lower_low": ends[0][0], "lower_high": ends[0][1],
            "upper": found.upper, "upper_low": ends[1][0], "upper_high": ends[1][1],
            "slope": found.trend.slope, "slope_p": _p_values(found.trend, number),
            "widening": found.widening.slope, "widening_p": _p_values(found.widening, number),
        }  # fmt: skip
        alike = ~few & np.isnan(found.bias_error)
        notes = [f"{counted(int(few.sum()), 'pairs')} with fewer than {FEWEST} common items: no interval."]
        notes.append(f"{counted(int(alike.sum()), 'pairs')} with the same difference on every item: no interval.")
        given_notes = tuple(note for note, some in zip(notes, (few, alike), strict=True) if some.any())
        return Table("Limits of agreement: the first's score less the second's", data, given_notes)

    def _around(self, value: FloatArray, error: FloatArray, df: FloatArray, few: Any) -> tuple[FloatArray, FloatArray]:
        """Intervals, NaN where items are too few."""
        return limits(value, np.where(few, np.nan, error), df=df, confidence=self.confidence)

    def row(self, first: str | None = None, second: str | None = None) -> dict[str, Any]:
        """The numbers of one pair, by name; without names the only one.

        Args:
            first: An annotator.
            second: Another one.

        Returns:
            A row of `to_table()`.

        Raises:
            OptionError: If there is no such pair, or several and none is named.

        >>> from accord import bland_altman
        >>> wright = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
        >>> mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
        >>> found = bland_altman(wright, mini)
        >>> round(found.row()["bias"], 1)
        -2.1
        """
        return dict(list(self.to_table())[self._place(first, second)])

    def _place(self, first: str | None, second: str | None) -> int:
        pairs, names = self._limits.pairs, self.study.annotators
        known = [(names[a], names[b]) for a, b in zip(pairs.first, pairs.second, strict=True)]
        if first is None and second is None and len(known) == 1:
            return 0
        for pair in ((first, second), (second, first)):
            if is_among(pair, known):
                return known.index(pair)
        there = [f"{one} and {other}" for one, other in known]
        raise OptionError.choice(
            "first", " and ".join(as_typed(one, str) for one in (first, second)), there, of_data=True
        )

    def plot(self, first: str | None = None, second: str | None = None) -> Any:
        """Differences over means of one pair as an Altair chart, with bias and limits in their intervals.

        Args:
            first: An annotator; not needed where there are two.
            second: Another one.

        Returns:
            An `altair.Chart`.

        Raises:
            ExtraMissing: If Altair is not installed.
            OptionError: If there is no such pair, or several and none is named.
        """
        from accord.agreement import score_charts
        from accord.agreement.chart_drawing import in_notebook

        return in_notebook(score_charts.differences(*self._drawing(self._place(first, second))))

    def _outside(self, place: int) -> tuple[int, int]:
        """On how many items a pair differs more than its limits: above the upper one, and below the lower."""
        row, apart = list(self.to_table())[place], self._limits.apart[self._limits.of_pair(place)]
        return int((apart > row["upper"]).sum()), int((apart < row["lower"]).sum())

    def _drawing(self, place: int) -> tuple[Any, ...]:
        """What a chart of one pair shows: points, lines, title and axes."""
        row = list(self.to_table())[place]
        mine = self._limits.of_pair(place)
        cells = np.stack((self._limits.middle[mine], self._limits.apart[mine]), axis=1)
        unit = float(np.ptp(cells, axis=0).max(initial=0.0)) or 1.0  # points are one where the eye cannot part them
        _, first, which = np.unique(np.round(cells / unit, 9), axis=0, return_index=True, return_inverse=True)
        distinct = cells[first]
        number = np.bincount(which.ravel(), weights=self._limits.weight[mine]).astype(int)
        step = -(-len(distinct) // MOST_POINTS)
        points = [(*point, many) for point, many in zip(distinct.tolist(), number.tolist(), strict=True)][::step]
        lines = [
            (name, row[key], row[f"{key}_low"], row[f"{key}_high"])
            for name, key in (("upper limit", "upper"), ("bias", "bias"), ("lower limit", "lower"))
            if math.isfinite(row[key])
        ]
        some = f" ({len(points):,} of {len(distinct):,} points drawn)" if step > 1 else ""
        title = f"{row['first']} less {row['second']}: differences over means, with limits of agreement{some}"
        return points, lines, title, "mean of the two scores", "difference"

    def __str__(self) -> str:
        if self.undefined:
            return f"Limits of agreement: undefined. {self.undefined}"
        if len(self) > 1:
            return str(self.to_table())
        return self._sentences(next(iter(self.to_table())))

    def _sentences(self, row: dict[str, Any]) -> str:
        """What one pair comes to, in words."""
        share = f"{self.confidence:.0%} interval"

        scores = self.study.answers.numbers("Limits of agreement")
        least = ROUNDING * float(np.abs(scores).max(initial=0.0))

        def number(key: str) -> str:
            return f"{0.0 if abs(row[key]) <= least else row[key]:.4g}"

        def shown(key: str) -> str:
            around = f" [{number(f'{key}_low')}, {number(f'{key}_high')}]" if math.isfinite(row[f"{key}_low"]) else ""
            return f"{number(key)}{around}"

        lines = [
            f"Limits of agreement: {shown('lower')} to {shown('upper')} ({row['items']:,} items, {share}s)",
            f"  {row['first']} less {row['second']} is {shown('bias')} on average; the standard deviation of the "
            f"differences is {number('sd')}",
        ]
        if row["slope_p"] < SURE:
            lines.append(
                f"  it changes by {row['slope']:.3g} with each unit of the mean (p = {row['slope_p']:.2g}), "
                "so one pair of limits does not tell it"
            )
        if row["widening_p"] < SURE:
            grows = "grows" if row["widening"] > 0 else "shrinks"
            lines.append(f"  the spread of the differences {grows} with the mean (p = {row['widening_p']:.2g})")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the table, with what it is about."""
        return {
            **head("limits_of_agreement"),
            "confidence": self.confidence,
            "undefined": self.undefined,
            "pairs": self.to_table().to_dict()["rows"],
        }


def _p_values(line: Line, items: FloatArray) -> FloatArray:
    """Of slopes that are truly zero."""
    return np.array([
        p_value(slope, error, df=number - 2) for slope, error, number in zip(line.slope, line.error, items, strict=True)
    ])  # fmt: skip


MOST_PAIRS = 5_000
ROUNDING = 1e-14  # of the largest score: by so much differences may be off because numbers have only so many digits


def bland_altman(
    data: Any,
    other: Any = None,
    /,
    *,
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> LimitsOfAgreement:
    r"""Limits of agreement: how far two annotators' scores of one item may be expected to differ.

    .. math:: \bar d \pm 1.96\, s_d

    :math:`d` is the first's score less the second's on each item both scored, :math:`\bar d` the bias, and
    :math:`s_d` the standard deviation of the differences over n − 1. About 95 % of differences lie within the limits
    if they are normal and neither their mean nor their spread changes along the scale. Both are looked at: `slope` is
    the line of the difference over the mean (not zero where one uses more of the scale than the other), `widening`
    that of its distance from the line. The limits are in the unit of the scores; whether they are narrow enough is a
    question about the task, not about statistics. With more than two annotators there is a row for every pair.

    Missing data: each pair on the items both scored. Three items are needed for an interval.

    Args:
        data: A `Study`, or what one is made of: a table with one row per score, a 2-D array of items × annotators, or
            the first annotator's scores.
        other: The second annotator's scores in the same order, where `data` is the first's.
        confidence: Of the intervals around bias and limits.
        labels: The scale, where scores are labels: all there are, used or not.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="rating" …

    Returns:
        `LimitsOfAgreement`: print it, take `to_table()` or `row()`, or draw it by `plot()`.

    Raises:
        InputError: If `data` cannot be a study, or the answers are not numbers.
        MeasureError: If nobody is named, the study holds several variables, or very many pairs of annotators met.
        OptionError: If `confidence` does not lie between 0 and 1.

    References: bland1986; bland1999.

    >>> wright = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
    >>> mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
    >>> found = bland_altman(wright, mini).row()
    >>> round(found["bias"], 1), round(found["lower"], 1), round(found["upper"], 1)
    (-2.1, -78.1, 73.9)
    """
    check_confidence(confidence)
    study = as_study(data, other, labels, roles)
    if not study._annotations.named:
        raise nobody_named("Limits of agreement compare annotators", study.shape)
    found = Limits.of(study._tally_of_people(named=True))
    if len(found.pairs) > MOST_PAIRS:
        raise MeasureError(
            f"{len(found.pairs):,} pairs of annotators have common items, and each would have limits. Choose some: ",
            some_annotators(), ".",
        )  # fmt: skip
    nothing = None if len(found.pairs) else "No two annotators scored the same item."
    return LimitsOfAgreement(study, confidence, nothing, _limits=found)

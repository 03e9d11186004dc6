"""position_effect: is what stands first preferred for standing there?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.table import Table
from accord.coefficients.standard_errors import limits, p_value
from accord.consensus.preferences.bradley_terry import bradley_terry
from accord.errors import counted, json_value, percent
from accord.options import Shown, check_confidence, head
from accord.preferences.comparisons import Comparisons
from accord.preferences.standing_first import BesideStrengths, PlaceEffect, standing_first
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles, as_study


@dataclass(frozen=True, eq=False, repr=False)
class PositionEffect(Shown):
    """What standing first is worth, over all and for each annotator.

    Attributes:
        overall: All comparisons together.
        annotators: Who they are, and what each makes of the place.
        undefined: Why nothing can be said of the order; None where something can.
    """

    overall: PlaceEffect
    annotators: dict[str, PlaceEffect]
    n_items: int
    confidence: float
    undefined: str | None = None
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        if self.undefined:
            return f"Position effect: not known. {self.undefined}"
        whole = self.overall
        low, high = self._limits(whole.share, whole.error)
        worth, swaps = "", ""
        if math.isfinite(whole.effect):
            p = p_value(whole.effect, whole.effect_error, self.n_items - 1)
            odds = math.exp(whole.effect)
            worth = f"; strengths of options aside, standing first multiplies the odds by {odds:.2f} (p = {p:.3g})"
        if whole.swapped:
            share = percent(whole.consistent / whole.swapped)
            swaps = f" Of {counted(whole.swapped, 'pairs')} judged in both orders {share} have the same winner."
        return (
            f"What stands first is preferred in {whole.share:.1%} [{low:.1%}, {high:.1%}] of "
            f"{counted(whole.decided, 'comparisons')} that are no ties{worth}.{swaps}"
        )

    def _limits(self, value: float, error: float) -> tuple[float, float]:
        low, high = limits(value, error, df=max(self.n_items - 1, 1), confidence=self.confidence, ends=(0.0, 1.0))
        return float(low), float(high)

    def to_table(self) -> Table:
        """Each annotator, and all together.

        Returns:
            A `Table`: annotator, comparisons, first (the share of decided ones that prefer what stands first), low,
            high, odds (what standing first multiplies the odds by, strengths aside), p, p_corrected (Holm over
            annotators), swapped (pairs judged in both orders), consistent (the share of these with one winner).
        """
        rows = [*self.annotators.items(), ("all", self.overall)]
        each = [standing for _, standing in rows]
        share = np.array([math.nan if self.undefined else one.share for one in each])
        low, high = limits(
            share, [one.error for one in each], df=max(self.n_items - 1, 1), confidence=self.confidence, ends=(0.0, 1.0)
        )
        p = [p_value(one.effect, one.effect_error, self.n_items - 1) for one in each]
        data: dict[str, Any] = {
            "annotator": [name for name, _ in rows],
            "comparisons": [one.comparisons for one in each],
            "first": share, "low": low, "high": high,
            "odds": [math.exp(one.effect) for one in each],
            "p": p,
            "p_corrected": [*holm(p[:-1]), math.nan],
            "swapped": [one.swapped for one in each],
            "consistent": [one.consistent / one.swapped if one.swapped else math.nan for one in each],
        }  # fmt: skip
        return Table("How often what stands first is preferred", data, (self.undefined,) if self.undefined else ())

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        table = self.to_table()
        return {
            **head("position_effect"),
            "rows": [{name: json_value(cell) for name, cell in row.items()} for row in table],
            "n_items": self.n_items,
            "confidence": self.confidence,
            "undefined": self.undefined,
            "notes": list(self.notes),
        }


def position_effect(
    data: Any,
    /,
    *,
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> PositionEffect:
    """Is what stands first preferred for standing there?

    Three things, for each annotator and all of them: how often the first option is preferred among comparisons that
    decide, with an interval over items; what standing first is worth once the strengths of the options are held
    (Bradley–Terry with an order effect), since a strong option may stand first more often; and, where one annotator
    judged a pair in both orders, how often the same option won.

    Args:
        data: A `Study` of preferences, or what one is made of: a table with `first=` and `second=`.
        confidence: Of the intervals.
        labels: Not needed: preferences are on the scale first, tie, second.
        **roles: The keywords of `Study`.

    Returns:
        A `PositionEffect`: print it, or take `to_table()`. `undefined` says why nothing is known of the order: a table
        whose options are sorted by name does not tell which stood first.

    Raises:
        InputError: If `data` cannot be a study.
        MeasureError: If the answers are no preferences.
        OptionError: If `confidence` is no share.

    References: davidson1977; zheng2023.

    >>> rows = []
    >>> for item, (one, swapped) in enumerate(["AB", "AA", "TT", "BA", "BB"]):
    ...     for said, (a, b) in ((one, "xy"), (swapped, "yx")):
    ...         label = {"A": "first", "B": "second", "T": "tie"}[said]
    ...         rows.append({"item": item, "annotator": "gpt", "label": label, "first": a, "second": b})
    >>> found = position_effect(rows)
    >>> found.overall.share, found.overall.consistent / found.overall.swapped
    (0.5, 0.6)
    """
    check_confidence(confidence)
    return position_of(as_study(data, None, labels, roles), confidence)  # type: ignore[arg-type]


def position_of(study: Study, confidence: float = 0.95, fewest: int = 1) -> PositionEffect:
    """The same of a study, of everybody in it; one by one those with `fewest` comparisons or more."""
    found = Comparisons.of(study)
    undefined = found.in_one_order
    fit = None if undefined else bradley_terry(study.all_alike(), order_effect=True)
    beside, behind = None, found
    if fit is not None and fit.estimate is not None and fit.fitted is not None:
        beside, behind = BesideStrengths.of(fit.estimate, fit.fitted, fit.ties), fit.fitted
    theirs = dict(behind.rows_of_each())
    each = {
        str(found.annotators[who]): _of(found.where(rows), behind.where(theirs.get(who, rows[:0])), beside)
        for who, rows in found.rows_of_each()
        if len(rows) >= fewest
    }
    return PositionEffect(_of(found, behind, beside), each, found.n_items, confidence, undefined)


def _of(found: Comparisons, behind: Comparisons, beside: BesideStrengths | None) -> PlaceEffect:
    """Shares of all comparisons, and the effect on those of options that have strengths."""
    plain = standing_first(found)
    if beside is None:
        return plain
    effect, error = beside.effect(behind)
    return replace(plain, effect=effect, effect_error=error)

"""Kappa over p: what secondary labels add, for the corpus and item by item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

from accord.agreement.compare import compare
from accord.agreement.comparison_result import Comparison
from accord.agreement.result import Agreement
from accord.agreement.table import ShownAsTable, Table
from accord.annotations.arrays import FloatArray
from accord.coefficients.weights import falling, rank_weights
from accord.errors import OptionError
from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa
from accord.multilabel.multilabel_studies import ranked_study, ranks_used, refuse_whole_orders
from accord.options import head
from accord.study.study_of_input import Roles

GRID = tuple(round(0.5 + step / 20, 2) for step in range(11))


@dataclass(frozen=True, eq=False, repr=False)
class PCurve(ShownAsTable):
    """Rosenberg–Binkowski kappa at several p, its interval, and the paired difference between the ends.

    >>> from accord import Study
    >>> from accord import p_curve
    >>> answers = [["ab", "ba"], ["a", "a"], ["bc", "b"], ["c", "ca"], ["c", "b"]]
    >>> study = Study.from_wide([[list(cell) for cell in row] for row in answers], answers="ranked")
    >>> curve = p_curve(study, p=(0.5, 1))
    >>> curve.to_table()["value"].round(3).tolist(), round(curve.difference.difference, 3)
    ([0.315, 0.444], 0.129)
    >>> len(curve.by_item())
    5
    """

    p: tuple[float, ...]
    results: tuple[Agreement, ...]
    confidence: float

    @property
    def difference(self) -> Comparison:
        """The value at the highest p less that at the lowest, on the same items."""
        return compare(self.results[-1], self.results[0], confidence=self.confidence)

    def to_table(self) -> Table:
        """The corpus value over p with its band.

        Returns:
            A `Table` with one row per p: p, value, low, high, observed, expected.
        """
        spans = [result.interval(confidence=self.confidence) for result in self.results]
        columns: dict[str, Any] = {
            "p": np.array(self.p),
            "value": np.array([result.value for result in self.results]),
            "low": np.array([span.low for span in spans]),
            "high": np.array([span.high for span in spans]),
            "observed": np.array([result.observed for result in self.results]),
            "expected": np.array([result.expected for result in self.results]),
        }
        return Table("Rosenberg–Binkowski kappa over p", columns, (self.finding,))

    def by_item(self) -> Table:
        """Each item's own curve: its value against the annotators' chance, one column a p.

        Returns:
            A `Table` with one row per item: item, and a column for each p.
        """
        tables = [result.by_item() for result in self.results]
        columns: dict[str, Any] = {"item": tables[0]["item"]}
        columns |= {f"{p:g}": table["value"] for p, table in zip(self.p, tables, strict=True)}
        return Table("Each item's kappa over p", columns)

    @property
    def finding(self) -> str:
        """Did agreement rise when the secondary labels counted?"""
        found = self.difference
        if all(len(labels_of_answer) < 2 for labels_of_answer in self.results[0].study.answers.members):
            return "Nobody gave a secondary label, so p makes no difference."
        if found.undefined:
            return f"The ends cannot be compared: {found.undefined}"
        change = (
            f"from {found.first:z.3f} at p = {self.p[-1]:g} to {found.second:z.3f} at p = {self.p[0]:g} "
            f"(difference {0 - found.difference:+z.3f} [{0 - found.high:+z.3f}, {0 - found.low:+z.3f}])"
        )
        if found.high < 0:
            return f"Agreement rises when the secondary labels count: {change}. Annotators share more than one label."
        if found.low > 0:
            return (
                f"Agreement falls when the secondary labels count: {change}. Secondary labels are used inconsistently."
            )
        return f"Agreement is not shown to change when the secondary labels count: {change}."

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("p_curve"),
            "measure": rosenberg_binkowski_kappa.__name__,
            "curve": self.to_table().to_dict()["rows"],
            "difference": self.difference.to_dict(),
            "finding": self.finding,
        }


def p_curve(
    data: Any,
    /,
    *,
    p: Sequence[float] = GRID,
    weights: Literal["shared-mass", "overlap"] = "shared-mass",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> PCurve:
    """Rosenberg–Binkowski kappa over p, from both labels alike (0.5) to the primary alone (1).

    Where answers have more than two ranks, each rank weighs (1 − p)/p times the one before, so that 0.5 counts all
    alike and 1 the first alone.

    Args:
        data: A `Study` of ranked answers, or what one is made of.
        p: The shares of the primary label, two or more, from 0.5 to 1.
        weights: "shared-mass" (the paper's products) or "overlap" (1 for the same answer).
        confidence: The confidence of the intervals.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `PCurve`: an `Agreement` for each p in `results`, `difference` between the ends, `finding` in a sentence.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not ranked or are whole orders, or nobody is named.
        OptionError: If there are fewer than two p, or one does not lie between 0.5 and 1.

    >>> from accord import Study
    >>> answers = [[["a", "b"], ["b", "a"]], [["a"], ["a"]], [["b", "c"], ["b"]], [["c"], ["c", "a"]], [["c"], ["b"]]]
    >>> curve = p_curve(Study.from_wide(answers, answers="ranked"), p=(0.5, 1))
    >>> [round(result.value, 3) for result in curve.results]
    [0.315, 0.444]
    """
    study = refuse_whole_orders(ranked_study(data, labels, roles, "The curve over p"), "The curve over p")
    points = tuple(sorted({float(point) for point in p}))
    if len(points) < 2:
        raise OptionError.must("p", "hold two values or more for a curve", points)
    for point in points:
        rank_weights(point)
    ranks = ranks_used(study.answers)
    shares: list[float | tuple[float, ...]] = [point if ranks == 2 else falling(point, ranks) for point in points]
    results = tuple(rosenberg_binkowski_kappa(study, p=share, weights=weights) for share in shares)
    return PCurve(points, results, confidence)


def item_values(result: Agreement) -> tuple[FloatArray, FloatArray]:
    """(patterns,) the observed agreement of an item of each pattern, and its value."""
    assert result.coefficient is not None
    parts = result.coefficient.decomposition()
    return parts.observed, parts.value

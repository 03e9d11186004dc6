"""Is confidence a sign of being right? Calibration, telling right from wrong, and what routing to people buys."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.coefficients.standard_errors import NORMAL
from accord.consensus.score_against_reference import BINS, Closed
from accord.consensus.score_against_reference import calibration as in_bins
from accord.errors import InputError, Keyword, OptionError, counted
from accord.judge.to_json import judgement, span
from accord.options import Shown, as_numbers, check_choice, check_confidence, check_whole, is_number
from accord.rankings.midranks import midranks

MOST_BINS = 10_000
LEAST_LOG = 1e-12  # a probability of 0 for what happened would cost infinitely much
LEAST_SUM = 1e-100  # of what is right, or wrong: the square of less is nothing
COVERAGES = np.arange(1, 21) / 20  # of the risk–coverage table


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Shown):
    """Confidence against correctness.

    `expected_error` (ECE) is the mean gap between confidence and accuracy over bins of equal width, `largest_error`
    (MCE) the largest, `adaptive_error` the same as the first over bins of equally many items (ties stay together).
    `auroc` is the chance that a right answer has more confidence than a wrong one; `aurc` the mean error over all
    shares of items kept, the most confident first, ties in random order; `excess_aurc` what of it a perfect ranking
    would save.

    >>> from accord.judge import calibrate
    >>> stated = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.55, 0.55, 0.3]
    >>> found = calibrate(stated, [1, 1, 1, 0, 1, 0, 1, 0, 1, 0])
    >>> found.n_items, round(found.expected_error, 3), round(found.auroc, 3)
    (10, 0.205, 0.771)
    """

    stated: FloatArray  # the confidence of each answer
    correct: FloatArray
    bins: int
    closed: Closed
    confidence: float  # of the intervals
    expected_error: float
    largest_error: float
    adaptive_error: float
    brier: float
    log_loss: float
    auroc: float
    auroc_interval: Interval
    aurc: float
    excess_aurc: float
    table: Table  # a row per bin

    @property
    def n_items(self) -> int:
        """Items with a confidence and a correctness."""
        return len(self.stated)

    @cached_property
    def _most_confident_first(self) -> tuple[FloatArray, FloatArray]:
        """Most confident first: confidence, and expected errors so far."""
        order, errors = expected_errors(self.stated, self.correct)
        return self.stated[order], errors

    def risk_coverage(self) -> Table:
        """How often the model is wrong if it keeps its most confident items only and people take the rest.

        Returns:
            A `Table` with one row per share of items kept: coverage, items, risk, least_confidence.

        >>> from accord.judge import calibrate
        >>> stated = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.55, 0.55, 0.3]
        >>> found = calibrate(stated, [1, 1, 1, 0, 1, 0, 1, 0, 1, 0])
        >>> [(row["items"], round(row["risk"], 2)) for row in found.risk_coverage()][2:4]
        [(3, 0.0), (4, 0.25)]
        """
        confidence, errors = self._most_confident_first
        kept = np.unique(np.maximum(np.ceil(COVERAGES * self.n_items - 1e-9).astype(np.int64), 1))
        return Table(
            "Risk and coverage",
            {
                "coverage": kept / max(self.n_items, 1),
                "items": kept,
                "risk": errors[kept - 1] / kept,
                "least_confidence": confidence[kept - 1],
            },
            ("Items of equal confidence are taken in random order, on average.",),
        )

    def coverage_for(self, accuracy: float) -> float:
        """The largest share of items the model can keep and be right this often on them; 0 where it never is.

        Args:
            accuracy: How often the model should be right on what it keeps, from 0 to 1.

        Returns:
            A share of items.

        Raises:
            OptionError: If `accuracy` does not lie between 0 and 1.

        >>> from accord.judge import calibrate
        >>> stated = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.55, 0.55, 0.3]
        >>> found = calibrate(stated, [1, 1, 1, 0, 1, 0, 1, 0, 1, 0])
        >>> round(found.coverage_for(0.9), 2)
        0.3
        """
        if not is_number(accuracy) or not 0 <= accuracy <= 1:
            raise OptionError.must("accuracy", "lie between 0 and 1, for example 0.95", accuracy)
        _, errors = self._most_confident_first
        kept = np.arange(1, self.n_items + 1)
        good = np.nonzero(1 - errors / kept >= accuracy - 1e-12)[0]
        return float(kept[good[-1]] / self.n_items) if len(good) else 0.0

    def __str__(self) -> str:
        low, high = self.auroc_interval
        area = "undefined: all right, or all wrong" if math.isnan(self.auroc) else f"{self.auroc:.3f}{span(low, high)}"
        return (
            f"On {counted(self.n_items, 'items')}: calibration error {self.expected_error:.3f} ({self.bins} bins, "
            f"{self.closed}-closed), largest {self.largest_error:.3f}, adaptive {self.adaptive_error:.3f}; Brier "
            f"{self.brier:.3f}; AUROC {area}; area under risk–coverage {self.aurc:.3f}"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "n_items", "bins", "closed", "expected_error", "largest_error", "adaptive_error", "brier", "log_loss",
            "auroc", "auroc_interval", "aurc", "excess_aurc",
        )  # fmt: skip
        values = {name: getattr(self, name) for name in names}
        return judgement("calibrate", values, {"bins": self.table, "risk_coverage": self.risk_coverage()}, ())


def calibrate(
    stated: npt.ArrayLike,
    correct: npt.ArrayLike,
    /,
    *,
    bins: int = BINS,
    closed: Closed = "right",
    confidence: float = 0.95,
) -> Calibration:
    """Stated confidence (0 to 1) against whether the answer was right (1) or wrong (0).

    Args:
        stated: The confidence of each answer; NaN is left out.
        correct: Whether it was right; a share where an answer was right in part.
        bins: How many bins of equal width.
        closed: The edge that belongs to a bin: "right" as in Guo et al. 2017, (0.6, 0.7], or "left", [0.6, 0.7). It
            matters: on the ten points below the error is 0.205 or 0.175.
        confidence: Of the intervals.

    Returns:
        A `Calibration`: `expected_error`, `largest_error`, `brier`, `auroc`, `aurc` and more; `table` has the bins.

    Raises:
        InputError: If the two differ in length, or hold something else than numbers from 0 to 1.
        OptionError: If an option has a value that it cannot take.

    References: guo2017; delong1988.

    >>> stated = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.55, 0.55, 0.3]
    >>> right = [1, 1, 1, 0, 1, 0, 1, 0, 1, 0]
    >>> found = calibrate(stated, right)
    >>> round(found.expected_error, 3), round(calibrate(stated, right, closed="left").expected_error, 3)
    (0.205, 0.175)
    >>> round(found.largest_error, 3), round(found.brier, 5)
    (0.8, 0.19425)
    """
    check_bins(bins, closed)
    check_confidence(confidence)
    values, right = as_numbers("stated", stated), as_numbers("correct", correct)
    if len(values) != len(right):
        raise InputError(
            "Confidence and correctness go in pairs, one of each for an answer; got "
            f"{counted(len(values), 'confidences')} and {counted(len(right), 'answers')}. Leave neither out.",
            option=Keyword("stated"),
        )
    known = ~(np.isnan(values) | np.isnan(right))
    values, right = values[known], right[known]
    if not len(values):
        raise InputError(
            "No item has both a confidence and a correctness, so there is nothing to calibrate.",
            option=Keyword("stated"),
        )
    if not (values.min() >= 0 and values.max() <= 1 and right.min() >= 0 and right.max() <= 1):
        raise InputError(
            f"Confidence and correctness lie between 0 and 1; found {values.min():g} to {values.max():g} and "
            f"{right.min():g} to {right.max():g}. Give shares: 0.8 for 80 %, and 1 for a right answer.",
            option=Keyword("stated"),
        )
    table, expected = in_bins(values, right, bins, confidence, closed)
    gaps = np.abs(table["confidence"] - table["accuracy"])
    area, interval = auroc(values, right, confidence)
    aurc, best = _aurc(values, right)
    return Calibration(
        values, right, bins, closed, confidence, expected, float(np.nanmax(gaps)),
        _adaptive(values, right, bins), float(((values - right) ** 2).mean()),
        _log_loss(values, right), area, interval, aurc, aurc - best, table,
    )  # fmt: skip


def check_bins(bins: int, closed: str) -> None:
    """How many bins, and which edge belongs to one."""
    check_whole("bins", bins, 1, most=MOST_BINS)
    check_choice("closed", closed, get_args(Closed))


def _log_loss(stated: FloatArray, right: FloatArray) -> float:
    """−log of what was given to what happened: the answer, or anything else."""
    yes, no = np.maximum(stated, LEAST_LOG), np.maximum(1 - stated, LEAST_LOG)
    return float(-(right * np.log(yes) + (1 - right) * np.log(no)).mean())


def _adaptive(stated: FloatArray, right: FloatArray, bins: int) -> float:
    """The mean gap over bins of equally many items; items of equal confidence share a bin."""
    size = len(stated)
    place = np.minimum((midranks(stated) - 0.5) / size * bins, bins - 1).astype(np.int64)
    gap = np.bincount(place, weights=stated - right, minlength=bins)
    return float(np.abs(gap).sum() / size)


def auroc(stated: FloatArray, right: FloatArray, confidence: float) -> tuple[float, Interval]:
    """The chance that a right answer has more confidence than a wrong one, ties half, with DeLong's interval.

    An answer that is right in part (tied answers) counts in part as right and in part as wrong.
    """
    wrong = 1 - right
    if not right.sum() > LEAST_SUM or not wrong.sum() > LEAST_SUM:
        return math.nan, no_interval("All are right, or all wrong.", confidence, "delong")
    above, below = _share_below(stated, wrong), 1 - _share_below(stated, right)
    area = float(right @ above / right.sum())
    sizes = np.count_nonzero(right), np.count_nonzero(wrong)
    if min(sizes) < 2:
        return area, no_interval("Too few right or wrong.", confidence, "delong")
    spread = [
        size / (size - 1) * float(((weight * (share - area)) ** 2).sum()) / float(weight.sum()) ** 2
        for size, weight, share in zip(sizes, (right, wrong), (above, below), strict=True)
    ]
    error = math.sqrt(sum(spread))
    return area, interval_around(area, error, df=NORMAL, confidence=confidence, method="delong", ends=(0.0, 1.0))


def _share_below(stated: FloatArray, weight: FloatArray) -> FloatArray:
    """For each confidence the weight of lower ones, and half that of equal ones, as a share of all."""
    _, place = np.unique(stated, return_inverse=True)
    weight_at = np.bincount(place, weights=weight)
    return np.asarray(((np.cumsum(weight_at) - weight_at / 2) / weight.sum())[place])


def expected_errors(stated: FloatArray, right: FloatArray) -> tuple[IntArray, FloatArray]:
    """The items most confident first, and the errors made up to each, on average over orders of equal items."""
    order = np.argsort(-stated, kind="stable")
    _, place, counts = np.unique(-stated, return_inverse=True, return_counts=True)
    mean_wrong = divide(np.bincount(place, weights=1 - right), counts)
    return order, np.cumsum(mean_wrong[place][order])


def _aurc(stated: FloatArray, right: FloatArray) -> tuple[float, float]:
    """The mean risk over all coverages, and the least possible with as many errors."""
    kept = np.arange(1, len(stated) + 1)
    _, errors = expected_errors(stated, right)
    best = np.cumsum(np.sort(1 - right))
    return float((errors / kept).mean()), float((best / kept).mean())

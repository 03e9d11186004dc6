"""Numbers: the mean, the median, and a mean weighted by annotators' precision with their bias taken off."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.consensus.em import OnIteration
from accord.consensus.method_outcome import Progressed

PRIOR_ANSWERS = 4.0  # pseudo-answers behind each annotator's precision
LEAST_VARIANCE = 1e-300  # of answers about their item: the precision of less is no number


@dataclass(frozen=True, eq=False)
class Scores:
    """The answers as numbers, one entry per item, annotator and number."""

    item: IntArray
    annotator: IntArray
    value: FloatArray
    count: FloatArray
    n_items: int
    n_annotators: int

    @property
    def by_item(self) -> FloatArray:
        """(items,): answers on each."""
        return add_up(self.item, self.count, self.n_items)

    def means(self) -> FloatArray:
        """(items,): the mean answer; NaN where there is none."""
        return divide(add_up(self.item, self.count * self.value, self.n_items), self.by_item)


@dataclass(frozen=True, eq=False)
class Scored:
    """The score of each item, how sure it is, and what was learned of the annotators."""

    value: FloatArray  # (items,) NaN where nobody answered
    se: FloatArray  # (items,) NaN where it cannot be known
    bias: FloatArray | None = None  # (annotators,)
    spread: FloatArray | None = None  # (annotators,) standard deviation of an answer about its item's score plus bias
    progress: Progressed | None = None
    notes: tuple[str, ...] = field(default=())


def mean(scores: Scores) -> Scored:
    """The mean, with the standard error of the item's own answers (from two on)."""
    centre = scores.means()
    number = scores.by_item
    squares = add_up(scores.item, scores.count * (scores.value - centre[scores.item]) ** 2, scores.n_items)
    variance = divide(squares, np.where(number > 1, number - 1, 0.0))
    return Scored(centre, np.sqrt(divide(variance, number)))


def median(scores: Scores) -> Scored:
    """The median; of an even number of answers, halfway between the middle two. No standard error is claimed."""
    order = np.lexsort((scores.value, scores.item))
    item, value, count = scores.item[order], scores.value[order], scores.count[order]
    after = np.cumsum(count)
    number = scores.by_item
    starts = np.cumsum(number) - number
    within = after - starts[item]  # answers on the item up to this one
    half = number[item] / 2
    low = _first(item, within >= half, value, scores.n_items)
    high = _first(item, within > half, value, scores.n_items)
    return Scored((low + high) / 2, np.full(scores.n_items, np.nan))


def _first(
    item: IntArray, holds: np.ndarray[tuple[int], np.dtype[np.bool_]], value: FloatArray, size: int
) -> FloatArray:
    """The first value of each item for which something holds."""
    found = np.full(size, np.nan)
    places = np.nonzero(holds)[0][::-1]
    found[item[places]] = value[places]  # the first comes last and stays
    return found


def weighted_mean(
    scores: Scores,
    *,
    known: FloatArray | None = None,
    prior: float = PRIOR_ANSWERS,
    iterations: int = 500,
    tolerance: float = 1e-9,
    on_iteration: OnIteration | None = None,
) -> Scored:
    r"""Each answer is the item's score plus the annotator's bias plus noise of the annotator's own precision.

    .. math:: y_{ij} = z_i + b_j + \varepsilon_{ij}, \; \varepsilon_{ij} \sim N(0, 1/\tau_j), \; b_j \sim N(0, s^2)

    Nothing is assumed of the scores z, so given the annotators an item's score is exactly the weighted mean
    :math:`\sum_j \tau_j (y_{ij} - b_j) / \sum_j \tau_j` with standard error :math:`1/\sqrt{\sum_j \tau_j}`. The
    precisions have a gamma prior worth `prior` answers at the pooled variance s², and biases a normal one of variance
    s²; without them an annotator who happens to match an item once would take all weight. Expectation and maximisation
    (biases, then precisions) raise the log posterior, scores integrated out. `known` scores stay fixed.

    The bias is relative: a bias shared by all annotators cannot be seen.
    """
    simple = mean(scores)
    pooled = _pooled_variance(scores, simple.value)
    if not pooled > LEAST_VARIANCE:
        flat = np.zeros(scores.n_annotators)
        alike = "All answers on an item are the same or hardly differ, or no item has two"
        note = f"{alike}: nothing can be learned of the annotators."
        unknown = np.full(scores.n_annotators, np.nan)
        return pinned(Scored(simple.value, simple.se, flat, unknown, notes=(note,)), known)
    model = _Precision(scores, pooled, prior, known)
    trace: list[float] = []
    for step in range(1, iterations + 1):
        trace.append(model.expect())
        if on_iteration:
            on_iteration(step, iterations, trace[-1])
        converged = len(trace) > 1 and trace[-1] - trace[-2] <= tolerance * len(scores.item)
        if converged or step == iterations:  # scores, trace and annotators belong together: no step of these alone
            break
        model.maximise()
    progress = Progressed("log posterior", tuple(trace), converged, trace[-1] - model.penalty())
    return Scored(model.centre, np.sqrt(model.variance), model.bias, 1 / np.sqrt(model.precision), progress)


def pinned(scored: Scored, known: FloatArray | None) -> Scored:
    """The same with known scores in their places, of which nothing is unsure."""
    if known is None:
        return scored
    fixed = ~np.isnan(known)
    return replace(scored, value=np.where(fixed, known, scored.value), se=np.where(fixed, 0.0, scored.se))


def _pooled_variance(scores: Scores, centre: FloatArray) -> float:
    """The variance of answers about their item's mean."""
    df = scores.count.sum() - np.count_nonzero(scores.by_item)
    squares = (scores.count * (scores.value - centre[scores.item]) ** 2).sum()
    return float(squares / df) if df > 0 else 0.0


class _Precision:
    """Biases and precisions, with the scores they imply."""

    def __init__(self, scores: Scores, pooled: float, prior: float, known: FloatArray | None) -> None:
        self.scores, self.pooled, self.prior, self.known = scores, pooled, prior, known
        self.bias = np.zeros(scores.n_annotators)
        self.precision = np.full(scores.n_annotators, 1 / pooled)
        self.answers = add_up(scores.annotator, scores.count, scores.n_annotators)

    def expect(self) -> float:
        """Scores and their variances given the annotators; the log posterior."""
        data = self.scores
        weight = data.count * self.precision[data.annotator]
        total = add_up(data.item, weight, data.n_items)
        self.centre = divide(add_up(data.item, weight * (data.value - self.bias[data.annotator]), data.n_items), total)
        self.variance = divide(1.0, total)
        free = total > 0
        if self.known is not None:
            fixed = ~np.isnan(self.known)
            self.centre, self.variance = np.where(fixed, self.known, self.centre), np.where(fixed, 0.0, self.variance)
            free &= ~fixed
        self.left = data.value - self.centre[data.item]
        misfit = (weight * (self.left - self.bias[data.annotator]) ** 2).sum()
        densities = (data.count * np.log(self.precision[data.annotator] / (2 * np.pi))).sum()
        integrated = np.log(2 * np.pi * self.variance[free]).sum()
        return float(densities - misfit + integrated) / 2 + self.penalty()

    def penalty(self) -> float:
        """The log density of the priors, up to a constant."""
        shrink = (self.bias**2).sum() / self.pooled
        gamma = (self.prior * (np.log(self.precision) - self.pooled * self.precision)).sum()
        return float(gamma - shrink) / 2

    def maximise(self) -> None:
        """Biases given precisions, then precisions given biases: each raises the expected log posterior."""
        data = self.scores
        pulled = add_up(data.annotator, data.count * self.left, data.n_annotators) * self.precision
        self.bias = pulled / (self.answers * self.precision + 1 / self.pooled)
        squares = (self.left - self.bias[data.annotator]) ** 2 + self.variance[data.item]
        spent = add_up(data.annotator, data.count * squares, data.n_annotators)
        self.precision = (self.prior + self.answers) / (self.prior * self.pooled + spent)

"""How many more answers an item needs before its label is as sure as wanted."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.annotator_tables import judgement
from accord.consensus.evidence import choose
from accord.consensus.fit_models import fitted
from accord.consensus.item_table import answers
from accord.consensus.method_outcome import Options, Outcome, on_labels
from accord.consensus.option_values import PRIOR
from accord.errors import Keyword, MeasureError, OptionError
from accord.options import check_whole, is_number

if TYPE_CHECKING:
    from accord.consensus.gold import Gold

MOST = 2001  # answers; beyond, more annotators are not the remedy
NEVER = -1
CLOSE = 1e-9  # a probability that misses the target by less reaches it
FAINT = 1e-5  # a tie less likely than this is averaged at its middle, where a quotient would lose its digits


def answers_needed(
    accuracy: float, target: float, *, labels: int = 2, confidence: npt.ArrayLike | None = None
) -> IntArray:
    r"""The fewest further answers after which the label is expected to be right with probability `target`; −1 for
    never.

    Further annotators are independent, right with probability `accuracy` s, and otherwise give one of the other K − 1
    labels evenly. The item's label now has a posterior of `confidence` t (by default 1/K: nothing is known; the most
    probable label cannot have less); the rest of the posterior is even over the other labels, which is the hardest
    case. After m more answers, :math:`n_k` of them for label k, the most probable label is the one with the most
    answers, where the present label is ahead by

    .. math:: a = \log\frac{t (K - 1)}{1 - t} \Big/ \log\frac{s (K - 1)}{1 - s},

    and the probability that it is right is exact: multinomial counts are Poisson counts of a given sum. It never falls
    with m or t, so a lower posterior or a higher target never needs fewer answers. With two labels and nothing known it
    is Condorcet's jury.

    >>> answers_needed(0.7, 0.9)
    array([9])
    >>> answers_needed(0.7, 0.95, labels=5)
    array([7])
    """
    _check_target(target)
    check_whole("labels", labels, 1)
    posterior = np.atleast_1d(np.asarray(1 / labels if confidence is None else confidence, dtype=np.float64))
    needed = np.full(len(posterior), NEVER, dtype=np.int64)
    needed[posterior >= target] = 0
    if labels < 2 or not accuracy * labels > 1:
        return needed
    open_ones = np.nonzero((needed < 0) & ~np.isnan(posterior))[0]
    distinct, place = np.unique(np.clip(np.round(posterior[open_ones], 6), 1 / labels, 1 - 1e-12), return_inverse=True)
    needed[open_ones] = _Jury(min(accuracy, 1 - 1e-12), labels, target).needed(distinct)[place]
    return needed


def _check_target(target: Any) -> None:
    if not is_number(target) or not 0.5 <= target < 1:
        raise OptionError.must("confidence", "lie between 0.5 and 1, for example 0.95", target)


class _Jury:
    """Annotators of one accuracy above chance, asked until a label is right with probability `target`."""

    def __init__(self, accuracy: float, labels: int, target: float) -> None:
        self.accuracy, self.labels, self.target = accuracy, labels, target
        self.rival = (1 - accuracy) / (labels - 1)

    def needed(self, posterior: FloatArray) -> IntArray:
        """For rising posteriors: the fewest answers, between those of the neighbours that are already known."""
        found = np.full(len(posterior), NEVER, dtype=np.int64)
        spans = [(0, len(posterior) - 1, 1, MOST + 1)]
        while spans:
            first, last, least, most = spans.pop()
            if first > last:
                continue
            if least == most:
                found[first : last + 1] = least
                continue
            middle = (first + last) // 2
            found[middle] = self._fewest(float(posterior[middle]), least, most)
            spans += [(first, middle - 1, int(found[middle]), most), (middle + 1, last, least, int(found[middle]))]
        found[found > MOST] = NEVER
        return found

    def _fewest(self, posterior: float, least: int, most: int) -> int:
        """By halving: the probability never falls with the number of answers."""
        while least < most:
            middle = (least + most) // 2
            least, most = (least, middle) if self._reached(posterior, middle) else (middle + 1, most)
        return least

    def _reached(self, posterior: float, more: int) -> bool:
        lead = np.log(posterior * (self.labels - 1) / (1 - posterior)) / np.log(self.accuracy / self.rival)
        ahead = int(np.floor(lead + CLOSE))
        if ahead >= more:  # no answers could turn the label
            return posterior >= self.target - CLOSE
        kept, won = _counted(self.accuracy, self.labels, more).right(ahead)
        return posterior * kept + (1 - posterior) * won >= self.target - CLOSE


class _Counted:
    """Where a number of answers falls: the true label's count and the others' are Poisson, given their sum.

    The sum is picked out by Fourier's integral over a grid, whose step only has to tell sums within ten standard
    deviations apart. Tied labels go to the present one: how ties are broken does not change how often the most
    probable label is right.
    """

    def __init__(self, accuracy: float, labels: int, more: int) -> None:
        rival = (1 - accuracy) / (labels - 1) * more
        size = 2 * int(5 * np.sqrt(more) + 25) + 1
        self.labels = labels
        self.count = _window(accuracy * more, more)
        self.truth = _poisson(self.count, accuracy * more)[:, None] * _waves(self.count - more, size)
        some = np.arange(_window(rival, more)[-1] + 1)
        self.one = _poisson(some, rival)[:, None] * _waves(some, size)
        self.most = np.cumsum(self.one, axis=0)  # of a rival with at most so many answers
        self.scale = np.where(np.arange(size // 2 + 1) > 0, 2.0, 1.0) / (size * _poisson(more, more))
        self.all_most = self.most ** (labels - 1)
        self.others = self._others()

    def right(self, ahead: int) -> tuple[float, float]:
        """How often the most probable label is right where the present one is true, and where another one is."""
        kept = (self.truth * self.all_most[self._at(self.count + ahead)]).sum(axis=0)
        behind = self.count - ahead - 1
        passed = self.most[self._at(behind)] * (behind >= 0)[:, None]
        won = (self.truth * passed * self.others).sum(axis=0)
        return float((kept.real * self.scale).sum()), float((won.real * self.scale).sum())

    def _others(self) -> npt.NDArray[np.complex128]:
        """The K − 2 labels that are neither true nor the present one, none above the true one; ties are drawn."""
        at = self._at(self.count)
        top = self.most[at]
        tied = np.where((self.count < len(self.most))[:, None], self.one[at], 0.0)
        below = top - tied
        faint = np.abs(tied) < FAINT
        power = self.labels - 1
        quotient = (top**power - below**power) / (power * np.where(faint, 1.0, tied))
        drawn: npt.NDArray[np.complex128] = np.where(faint, (top - tied / 2) ** (power - 1), quotient)
        return drawn

    def _at(self, number: IntArray) -> IntArray:
        return np.clip(number, 0, len(self.most) - 1)


def _waves(number: IntArray, size: int) -> npt.NDArray[np.complex128]:
    """(numbers, angles): e^{iθn} on the first half of a grid of angles, an odd number; the other half mirrors it."""
    roots = np.exp(np.arange(size) * (2j * np.pi / size))
    waves: npt.NDArray[np.complex128] = roots[np.outer(number, np.arange(size // 2 + 1)) % size]
    return waves


def _poisson(count: npt.ArrayLike, mean: float) -> FloatArray:
    """The probability of a count; SciPy's own function stands in scipy.stats, which takes a second to load."""
    from scipy.special import gammaln, xlogy

    return np.asarray(np.exp(xlogy(count, mean) - gammaln(np.asarray(count) + 1) - mean))


@lru_cache(maxsize=32)  # neighbouring posteriors need the same numbers of answers
def _counted(accuracy: float, labels: int, more: int) -> _Counted:
    return _Counted(accuracy, labels, more)


def _window(mean: float, most: int) -> IntArray:
    """The counts that a Poisson number of this mean may be, for all that sixteen digits can show."""
    reach = 9 * np.sqrt(mean) + 30
    return np.arange(max(int(mean - reach), 0), min(int(mean + reach), most) + 1)


def answers_needed_by_item(gold: Gold, confidence: float) -> Table:
    """One row per item: its posterior and the further answers it needs, of a set what its least sure label needs."""
    _check_target(confidence)
    if gold.scored is not None:
        raise MeasureError(
            "For scores ask for a standard error, not a confidence: see standard_errors.", option=Keyword("confidence")
        )
    needed = np.zeros(len(gold), dtype=np.int64)
    posterior = np.ones(len(gold))
    rates = []
    for outcome in gold.outcomes:
        accuracy, trust = _accuracy_and_confidence(outcome, named=gold.study._annotations.named)
        more = answers_needed(accuracy, confidence, labels=outcome.ballots.n_answers, confidence=trust)
        needed = np.where((needed < 0) | (more < 0), NEVER, np.maximum(needed, more))
        posterior = np.fmin(posterior, trust)
        rates.append(accuracy)
    settled = np.zeros(len(gold), dtype=np.bool_) if gold.known is None else gold.known.copy()
    settled[list(gold.decisions)] = True
    needed[settled] = 0
    return _needed_table(gold, posterior, needed, float(np.mean(rates)))


def _needed_table(gold: Gold, posterior: FloatArray, needed: IntArray, accuracy: float) -> Table:
    unknown = np.isnan(accuracy)
    further: list[int | None] | IntArray = (
        [None if more < 0 else more for more in needed.tolist()] if unknown else needed
    )
    note = f"Further annotators are taken to be right with probability {accuracy:.3f}, each on their own."
    if unknown:
        note = (
            "How many answers are needed is unknown: no item has answers of two annotators, so nothing says how often "
            "further ones would be right."
        )
    columns: dict[str, Any] = {
        "item": list(gold.study.items),
        "answers": answers(gold),
        "posterior": posterior,
        "needed": further,
    }
    return Table("Answers needed", columns, (note,))


def _accuracy_and_confidence(outcome: Outcome, *, named: bool) -> tuple[float, FloatArray]:
    """The accuracy of a typical annotator (NaN: unknown), and the posterior of each item's label, votes through the
    model of one accuracy; both with the mild prior under which annotators are judged: a few equal answers prove little.
    """
    found = judgement(outcome)
    total = found.judged.sum()
    accuracy = float((found.right.sum() + PRIOR) / (total + 2 * PRIOR)) if total else np.nan
    trust = outcome.choices.confidence
    if not (named and outcome.evidence.models):
        ballots = on_labels(outcome)
        plain = fitted("one-accuracy", ballots, Options(known=outcome.evidence.known, learn=True))
        trust = trust if outcome.evidence.models else choose(ballots, plain.evidence).confidence
        if not named and (ballots.per_item > 1).any():  # nobody can be judged, but one accuracy serves all
            accuracy = float(plain.model.accuracy[0])
    return accuracy, np.where(np.isnan(trust), 1 / outcome.ballots.n_answers, trust)

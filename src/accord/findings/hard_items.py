"""Hard items: does disagreement sit in some of the items, more than if everybody were equally unsure of every item?

If each answer were right with one and the same chance, whatever the item, agreement would still differ between items;
but only by chance. How much, follows from the answers: with p the shares of answers to items of one label and m answers
each, the share A of pairs that match has the mean Σp² and the variance

    [4 (m − 2) (Σp³ − (Σp²)²) + 2 (Σp² − (Σp²)²)] / (m (m − 1)).

The one chance is fitted to the agreement seen; errors fall on labels by their use, or on all alike, whichever gives the
larger variance. The variance seen is held against that. How much it would vary by chance (the fit's own error included)
is told by items drawn from the model, which is about twice as sure as the spread seen; where items come in clusters,
the spread over these decides. Two answers per item tell nothing: an item is then agreed on or not, whatever its kind;
and three answers of two labels tell no more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.tally import Tally
from accord.coefficients.standard_errors import p_value
from accord.errors import counted
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View

FEWEST_ANSWERS = 3
FEWEST_ITEMS = 20
MOST_LABELS = 200
MORE = 1.05  # how many times the variance seen must exceed that of equal chances
BEYOND = 0.01  # the share of items by which more are uncontested than equal chances would leave
STEP = 1e-4
DRAWS, SEED = 2_000, 20250323  # items drawn from the model of equal chances


@dataclass(frozen=True)
class HardItems:
    """How agreement differs between items, seen and by equal chances."""

    items: int
    variance: float
    usual_variance: float
    uncontested: float
    usual_uncontested: float
    p: float

    @property
    def shown(self) -> bool:
        """Beyond chance, and by enough to be worth a word?"""
        return (
            self.p < CANDIDATE
            and self.variance >= MORE * self.usual_variance
            and self.uncontested - self.usual_uncontested >= BEYOND
        )


@dataclass(frozen=True, eq=False)
class EqualChances:
    """Everybody gives the item's own label with one chance, else another by `errors`; the same for every item."""

    share: FloatArray  # (K,) of items of each label
    errors: FloatArray  # (K,) where the other answers fall

    def _answers(self, chance: float) -> FloatArray:
        return chance * np.eye(len(self.share)) + (1 - chance) * self.errors[None, :]

    def agreement(self, chance: float) -> float:
        """The mean share of pairs that match."""
        return float(self.share @ (self._answers(chance) ** 2).sum(1))

    def chance_of(self, agreement: float) -> float:
        """The chance that gives this agreement, a quadratic of it; none at all where it is below all that could be."""
        met, square = float(self.share @ self.errors), float(self.errors @ self.errors)
        bend, slope = 1 - 2 * met + square, met - square
        if not bend > 0:
            return 0.0
        root = math.sqrt(max(slope**2 + bend * (agreement - square), 0.0))
        return min(max((root - slope) / bend, 0.0), 1.0)

    def variance(self, agreement: float, answered: IntArray) -> FloatArray:
        """(…) of the share of matching pairs between items with so many answers each."""
        answers = self._answers(self.chance_of(agreement))
        square, cube = (answers**2).sum(1), (answers**3).sum(1)
        number = answered[..., None].astype(np.float64)
        within = (4 * (number - 2) * (cube - square**2) + 2 * (square - square**2)) / (number * (number - 1))
        between = float(self.share @ square**2) - float(self.share @ square) ** 2
        return np.asarray(within @ self.share + max(between, 0.0))

    def drawn(self, agreement: float, answered: IntArray, rng: np.random.Generator) -> FloatArray:
        """(N,) the share of matching pairs of items drawn anew, one with each number of answers."""
        kind = np.searchsorted(np.cumsum(self.share)[:-1], rng.random(len(answered)), side="right")
        counts = rng.multinomial(answered, self._answers(self.chance_of(agreement))[kind])
        return np.asarray((counts * (counts - 1.0)).sum(1) / (answered * (answered - 1.0)))

    def uncontested(self, agreement: float, answered: IntArray) -> FloatArray:
        """(…) the share of items with so many answers each on which all are the same."""
        answers = self._answers(self.chance_of(agreement))
        return np.asarray((answers[None] ** answered[:, None, None]).sum(2) @ self.share)


def hard_items_of(view: View) -> HardItems | str:
    """How agreement differs between items; or why that cannot be told, in a sentence."""
    if not view.single:
        return "It is told for one label per answer."
    if view.main.undefined:
        return f"There is no agreement to tell of. {view.main.undefined}"
    tally = view.tally.where(view.tally.answered >= FEWEST_ANSWERS)
    if len(tally.answers) > MOST_LABELS:
        return f"It is told for up to {MOST_LABELS} labels; here are {len(tally.answers):,}."
    if tally.n_items < FEWEST_ITEMS:
        return f"Fewer than {FEWEST_ITEMS} items have three answers; two tell only that they differ."
    if int((view.marginals > 0).sum()) <= 2 and int(tally.answered.max()) == FEWEST_ANSWERS:
        return "Three answers of two labels are agreed on by all or by two, whatever the item; it takes four."
    seen = ItemAgreement.of(tally)
    p = seen.tail(tally.n_items) if view.units.clusters is None else _over_clusters(view, tally, seen)
    return HardItems(
        tally.n_items, float(seen.weight @ (seen.agreed - seen.mean) ** 2), float(seen.weight @ seen.variance),
        float(seen.weight @ (seen.agreed > 1 - 1e-12)),
        float(seen.weight @ seen.model.uncontested(seen.mean, seen.answered)), p,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ItemAgreement:
    """How far the agreement on items is spread, beyond what equal chances would spread it."""

    answered: IntArray  # (P,)
    weight: FloatArray  # (P,) the share of the items
    agreed: FloatArray  # (P,) the share of an item's pairs that match
    mean: float
    model: EqualChances
    variance: FloatArray  # (P,) of that share by the model
    slope: float  # how the variance follows the mean

    @classmethod
    def of(cls, tally: Tally) -> ItemAgreement:
        """Of the items of a tally with three answers or more each."""
        answered = tally.answered.astype(np.float64)
        agreed = tally.per_pattern(tally.count * (tally.count - 1.0)) / (answered * (answered - 1))
        weight = tally.items / tally.items.sum()
        share = tally.per_answer(tally.count / answered[tally.pattern] * weight[tally.pattern])
        return cls.spread(tally.answered, weight, agreed, share / share.sum())

    @classmethod
    def spread(cls, answered: IntArray, weight: FloatArray, agreed: FloatArray, share: FloatArray) -> ItemAgreement:
        """Of items by their numbers of answers and their agreement, with the shares of the labels."""
        mean = float(weight @ agreed)
        in_use = (share > 0) / np.count_nonzero(share)
        model, variance = max(
            (
                (one, one.variance(mean, answered))
                for one in (EqualChances(share, errors) for errors in (share, in_use))
            ),
            key=lambda found: float(weight @ found[1]),
        )
        slope = float(weight @ (model.variance(mean + STEP, answered) - variance)) / STEP
        return cls(answered, weight, agreed, mean, model, variance, slope)

    def scores(self, agreed: FloatArray, variance: FloatArray) -> FloatArray:
        """How far each item moves the variance beyond the model's, the fit of its mean included."""
        return np.asarray((agreed - self.mean) ** 2 - variance - self.slope * (agreed - self.mean))

    @cached_property
    def beyond(self) -> float:
        """The variance beyond the model's."""
        return float(self.weight @ ((self.agreed - self.mean) ** 2 - self.variance))

    @cached_property
    def by_chance(self) -> tuple[float, float]:
        """The standard deviation of an item's score if the model holds, and its skewness."""
        rng = np.random.default_rng(SEED)
        chosen = rng.choice(len(self.weight), DRAWS, p=self.weight)
        drawn = self.model.drawn(self.mean, self.answered[chosen], rng)
        scores = self.scores(drawn, self.variance[chosen])
        spread = float(scores.std())
        return spread, float(((scores - scores.mean()) ** 3).mean()) / spread**3 if spread > 0 else 0.0

    def tail(self, n_items: int) -> float:
        """How likely as much spread, or more, is by chance among so many items; a gamma tail, for few are skewed."""
        from scipy.special import gammaincc

        spread, skewness = self.by_chance
        if not spread > 0:
            return 1.0
        shape = 4 * n_items / max(skewness, 0.1) ** 2
        return float(gammaincc(shape, max(shape + self.beyond / spread * math.sqrt(n_items * shape), 0.0)))


def _over_clusters(view: View, tally: Tally, seen: ItemAgreement) -> float:
    """One-sided, by the error over clusters."""
    units = view.units.over(tally)
    scores = seen.scores(seen.agreed, seen.variance)
    error = units.error(scores - float(tally.items @ scores) / tally.n_items)
    p = p_value(seen.beyond, error, max(units.number - 1, 1), "greater")
    return 1.0 if math.isnan(p) else p


def look(view: View) -> Iterator[Clue]:
    """A warning where agreement misses its target, else worth knowing."""
    found = view.hard_items
    if isinstance(found, str):
        yield NotLookedAt("hard items", found)
        return
    yield TestFamily(1, "spreads over the items")
    if not found.shown:
        return
    yield Finding(
        "hard-items",
        "warning" if view.below_target else "note",
        f"Some items are harder than others: {found.uncontested:.0%} of {counted(found.items, 'items')} with three "
        f"answers or more are uncontested, where {found.usual_uncontested:.0%} would be if everybody were equally "
        "unsure of every item. Disagreement sits in the rest, for everybody alike: it is more than carelessness.",
        "Read the contested items together: where the text does not tell, add context or a label for it; where two "
        "labels fit, allow both; where opinions differ, keep the answers apart. Fifty items answered again by the same "
        "annotators would show which of them are matters of opinion.",
        evidence=(
            Evidence("share of items that are uncontested", found.uncontested),
            Evidence("share if all items were equally hard", found.usual_uncontested),
            Evidence("variance of agreement between items, by that of those", found.variance / found.usual_variance),
        ),
        sources=("zhao2025", "krippendorff1980"),
        p=found.p,
        weight=0.5,
    )  # fmt: skip

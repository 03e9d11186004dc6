"""Hard items: does disagreement sit in some of the items, more than if everybody were equally unsure of every item?

If each answer were right with one and the same chance, whatever the item, agreement would still differ between items;
but only by luck. How much, follows from the answers: with p the shares of answers to items of one label and m answers
each, the share A of pairs that match has the mean Σp² and the variance

    [4 (m − 2) (Σp³ − (Σp²)²) + 2 (Σp² − (Σp²)²)] / (m (m − 1)).

The one chance is fitted to the agreement seen; errors fall on labels by their use, or on all alike, whichever gives the
larger variance. The variance seen is held against that, with its error by items (the fit's own error included). Two
answers an item tell nothing: an item is then agreed on or not, whatever its kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.tally import Tally
from accord.errors import counted
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View

FEWEST_ANSWERS = 3
FEWEST_ITEMS = 20
MOST_LABELS = 200
MORE = 1.15  # how many times the variance seen must exceed that of equal chances
BEYOND = 0.03  # the share of items by which more are uncontested than equal chances would leave
STEP = 1e-4


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
        """The chance that gives this agreement; none at all where it is below all that could be."""
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if self.agreement(middle) < agreement else (low, middle)
        return low

    def variance(self, agreement: float, answered: IntArray) -> FloatArray:
        """(…) of the share of matching pairs between items with so many answers each."""
        answers = self._answers(self.chance_of(agreement))
        square, cube = (answers**2).sum(1), (answers**3).sum(1)
        number = answered[..., None].astype(np.float64)
        within = (4 * (number - 2) * (cube - square**2) + 2 * (square - square**2)) / (number * (number - 1))
        between = float(self.share @ square**2) - float(self.share @ square) ** 2
        return np.asarray(within @ self.share + max(between, 0.0))

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
    if tally.n_items < FEWEST_ITEMS or len(tally.answers) > MOST_LABELS:
        return f"Fewer than {FEWEST_ITEMS} items have three answers; two tell only that they differ."
    answered = tally.answered.astype(np.float64)
    agreed = tally.per_pattern(tally.count * (tally.count - 1.0)) / (answered * (answered - 1))
    weight = tally.items / tally.n_items
    mean = float(weight @ agreed)
    share = tally.per_answer(tally.count / answered[tally.pattern] * weight[tally.pattern])
    in_use = (share > 0) / np.count_nonzero(share)
    usual = max(
        (EqualChances(share, errors) for errors in (share, in_use)),
        key=lambda model: float(weight @ model.variance(mean, tally.answered)),
    )
    expected = usual.variance(mean, tally.answered)
    slope = float(weight @ (usual.variance(mean + STEP, tally.answered) - expected)) / STEP
    beyond = (agreed - mean) ** 2 - expected
    uncontested = float(weight @ (agreed > 1 - 1e-12))
    usual_uncontested = float(weight @ usual.uncontested(mean, tally.answered))
    p = _tail(view, tally, float(weight @ beyond), beyond - slope * (agreed - mean))
    return HardItems(
        tally.n_items, float(weight @ (agreed - mean) ** 2), float(weight @ expected), uncontested, usual_uncontested, p
    )


def _tail(view: View, tally: Tally, beyond: float, scores: FloatArray) -> float:
    """One-sided, by the error over items or clusters."""
    from scipy.special import stdtr

    units = view.units.over(tally)
    error = units.error(scores - float(tally.items @ scores) / tally.n_items)
    return float(stdtr(max(units.number - 1, 1), -beyond / error)) if error > 0 else 1.0


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

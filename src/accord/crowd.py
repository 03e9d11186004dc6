"""Own label mixes for thousands of annotators whose answers stay in an engine: the value from a table, the error from
one join.

Items are not told apart by who answered them. The annotators × answers table gives expected agreement; the anonymous
tally gives observed agreement; and what an item adds to the error is a function of its pattern plus a sum over its
answers, which the engine adds up. So the standard error is exact, and nothing larger than the table and the patterns
arrives.
"""

from __future__ import annotations

import math

import numpy as np

from accord.arrays import FloatArray, IntArray
from accord.chance import NoChance, Own
from accord.coefficient import Coefficient, Decomposition, MeanOfPairs, Parts, Tabular, chance_corrected
from accord.errors import OptionError
from accord.inference.scores import Units
from accord.remote import Remote
from accord.tally import Tally
from accord.weights import Weights


class CrowdOwn(Coefficient):
    """Conger's kappa in an engine."""

    def __init__(self, remote: Remote, tally: Tally, weights: Weights) -> None:
        self.remote, self.tally, self.weights = remote, tally, weights
        self.agreement = Tabular(tally, weights, NoChance())
        self.chance = Own(len(remote.annotators), len(remote.answers))
        self.cells = remote.cells()

    def evaluate(self, items: FloatArray | IntArray) -> Parts:
        """The study itself only: other items would need to know who answered them."""
        if items is not self.tally.items:
            raise OptionError(
                f"Resampling items of {len(self.remote.annotators):,} annotators needs to know who answered "
                "each item, which "
                "stays in the engine; method='analytic' is exact here."
            )
        observed = self.agreement.parts.observed
        expected = self.chance.expected(self.cells.ravel(), self.weights)
        return Parts(observed, expected, chance_corrected(observed, expected))

    def error(self, units: Units) -> float:
        """The standard error: squares of f(pattern) + c · (sum over the item's answers), added up by pattern."""
        if units.cluster is not None:
            raise OptionError("Clusters of items by so many annotators are not added up in an engine yet.")
        parts, items = self.parts, self.tally.n_items
        room, lost = 1 - float(parts.expected), 1 - float(parts.value)
        slopes = self.chance.slopes(self.cells.ravel(), self.weights).reshape(self.cells.shape)
        counts, number, total, squares = self.remote.moments(items * slopes)
        own = Tabular(_as_tally(self.tally, counts, number), self.weights, NoChance())
        pairable = float(number @ own.tally.pairable)
        agreed = np.where(own.tally.pairable, np.nan_to_num(own.agreed) - float(parts.observed), 0.0)
        part = items / pairable * agreed / room
        factor = -lost / room
        variance = float(number @ part**2) + 2 * factor * float(part @ total) + factor**2 * float(squares.sum())
        return math.sqrt(max(variance, 0.0) / (items * (items - 1)))

    def influence(self) -> FloatArray:
        """Not a matter of patterns alone."""
        raise OptionError(
            "What an item of so many annotators adds depends on who answered it; the standard error is known."
        )

    def leave_one_out(self) -> FloatArray:
        """As for resamples."""
        raise OptionError("Leaving out items needs to know who answered them; method='analytic' is exact here.")

    def decomposition(self) -> Decomposition:
        """Each pattern's agreement against the study's chance."""
        parts = self.agreement.decomposition()
        return Decomposition(parts.observed, chance_corrected(parts.observed, self.parts.expected), parts.weight)

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The weights between answers."""
        return self.weights.between(left, right)


class CrowdPairs(MeanOfPairs):
    """Light's kappa in an engine: each pair as it is, all together without the items that pairs share."""

    no_interval = (
        "How sure a mean over pairs of so many annotators is depends on the items that pairs share, which stay in the "
        "engine. conger_kappa has an exact error there; by_pair() has one for each pair."
    )


def _as_tally(tally: Tally, counts: IntArray, number: IntArray) -> Tally:
    """Patterns as they arrived, in their own order."""
    pattern, answer = np.nonzero(counts)
    sizes = np.bincount(pattern, minlength=len(number))
    starts = np.concatenate(([0], np.cumsum(sizes)))
    return Tally(tally.answers, number, starts, answer, counts[pattern, answer])

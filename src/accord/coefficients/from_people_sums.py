"""Coefficients that know people, where only sums over people are known: their values, and no error.

Expected agreement of own marginals is a function of the annotators × answers table, a mean of pairs one of the answers
of every two; both are exact. What an item adds to them is not known, so neither is how sure they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from accord.annotations.people_sums import PeopleSums, who_is_unknown
from accord.annotations.tally import Tally
from accord.coefficients.chance import NoChance, Own
from accord.coefficients.coefficient import Tabular
from accord.coefficients.coefficients_in_engine import CrowdOwn, CrowdPairs
from accord.coefficients.mean_of_pairs import MeanOfPairs
from accord.coefficients.measurable import Breakdown
from accord.coefficients.units import Units
from accord.coefficients.weights import Weights

if TYPE_CHECKING:
    from accord.study.study import Study

NOT_KNOWN = (
    "How sure this value is needs to know who answered each item, and only sums over annotators are known. Queries "
    "that name the annotators ask for the rest."
)


class OwnFromSums(CrowdOwn):
    """Conger's kappa."""

    no_interval = NOT_KNOWN

    def __init__(self, people: PeopleSums, tally: Tally, weights: Weights) -> None:
        self.tally, self.weights = tally, weights
        self.agreement = Tabular(tally, weights, NoChance())
        self.chance = Own(len(people.names), len(people.answers))
        self.cells = people.cells.astype(float)

    def error(self, units: Units) -> float:
        """Not known."""
        raise who_is_unknown()

    def by_annotator(self, study: Study) -> Breakdown:
        """Not known: who met whom on which item counts."""
        raise who_is_unknown()

    def _refuse(self, what: str) -> NoReturn:
        raise who_is_unknown()


class PairsFromSums(CrowdPairs):
    """Light's kappa."""

    no_interval = NOT_KNOWN

    def __init__(self, people: PeopleSums, tally: Tally, weights: Weights, pair_title: str) -> None:
        MeanOfPairs.__init__(self, people.pair_tally, weights, pair_title)
        self._anonymous = tally.where(tally.pairable)

    def error(self, units: Units) -> float:
        """Not known."""
        raise who_is_unknown()

    def _refuse(self, what: str) -> NoReturn:
        raise who_is_unknown()

    def by_annotator(self, study: Study) -> Breakdown:
        """Their means are known, and not how sure they are; they are told with the errors or not at all."""
        raise who_is_unknown()

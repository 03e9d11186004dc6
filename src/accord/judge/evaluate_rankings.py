"""How good is a system that puts options in order? Tau-b and rank-biased overlap, with what people reach."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.coefficients.units import Units
from accord.errors import MeasureError, all_quoted, quoted
from accord.judge.estimates import Estimate, estimate, nothing
from accord.judge.evaluate_systems import Evaluator, People
from accord.judge.joint_rankings import RANKING_QUALITIES, JointRankings, MeasuredOrders, Orders
from accord.judge.systems import System
from accord.rankings.ranks import Ranks

ENDS = {"tau": (-1.0, 1.0), "overlap": (0.0, 1.0)}


class RankingEvaluator(Evaluator):
    """One call of evaluate for rankings: what is measured is a mean over queries."""

    @cached_property
    def _orders(self) -> Orders:
        return Orders(Ranks.of(self.participants.study))

    def lists_of(self, system: System) -> IntArray:
        """The lists of a system: of an annotator, or of the adjudicators."""
        study = self.participants.study
        names = [system.annotator] if system.annotator else list(study.adjudicators)
        if not names:
            raise MeasureError(
                "Orders of ",
                quoted(system.name),
                " must be those of an annotator of the study, each option with a row; it has ",
                all_quoted(study.annotators, most=6),
                ". Add them there.",
            )
        return self._orders.lists_of(names)

    def joint(self, system: System) -> Any:
        """The orders of a system, with its reference."""
        if system not in self._joints:
            others = self._orders.lists_of(self._people(system)) if self.gold is None else self.lists_of(self.gold)
            self._joints[system] = self._orders.against(self.lists_of(system), others)  # type: ignore[assignment]
        return self._joints[system]

    def _with_reference(self, system: System) -> int:
        others = self._orders.lists_of(self._people(system)) if self.gold is None else self.lists_of(self.gold)
        return len(np.unique(self._orders.ranks.query[others]))

    def _measured(self, name: str, joint: Any, units: Units) -> Estimate:
        found: MeasuredOrders = joint.measured(name)
        if found.undefined:
            return nothing(found.undefined, self.confidence)
        return estimate(found.value, found.scores(joint.present), units, self.confidence, ENDS[name])

    def _human(self, people: People) -> Any:
        """People from below, from above, and one person: against gold, or against each other."""
        if len(people) < (1 if self.gold else 2):
            return None
        orders, lists = self._orders, self._orders.lists_of(people)
        if self.gold is None:
            return orders.others_together(lists), orders.all_together(lists, lists), orders.one_against_another(lists)
        gold = self.lists_of(self.gold)
        person = orders.against(gold, lists)
        return person, orders.all_together(lists, gold), person

    def _scored(self, name: str, joint: JointRankings, present: BoolArray, key: Any) -> Any:  # type: ignore[override]
        found = joint.where(present).measured(name)
        return found, found.scores(present)

    def _widest(self, name: str) -> float:
        return ENDS[name][1] - ENDS[name][0]

    def _tables_of(self, joint: Any) -> tuple[Table, Table]:
        """Orders have no labels to confuse; the queries, the worst first."""
        order = np.argsort(np.where(joint.present, joint.values["tau"], np.inf), kind="stable")
        kept = order[joint.present[order]]
        items = self.participants.study.items
        data: dict[str, Any] = {"item": [items[place] for place in kept.tolist()]}
        data |= {name: joint.values[name][kept] for name in RANKING_QUALITIES}
        return Table("Queries, the worst first", data), Table("Orders have no labels to confuse", {"predicted": []})


def ranking_tables() -> dict[str, FloatArray]:
    """What is measured, in the order of tables; rankings need no weights."""
    return {name: np.empty((0, 0)) for name in RANKING_QUALITIES}

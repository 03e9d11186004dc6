"""How good is a system that gives scores? Concordance, correlation, bias and difference, with what people reach."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import BoolArray, FloatArray
from accord.coefficients.units import Units
from accord.judge.estimates import Estimate, difference, estimate, nothing
from accord.judge.evaluate_systems import Evaluator, People
from accord.judge.joint_scores import (
    OF_SCORES,
    SCORE_QUALITIES,
    JointScores,
    MeasuredScores,
    against_gold,
    against_people,
    mean_of_all,
    mean_of_others,
    one_person_against_another,
)
from accord.judge.systems import System
from accord.scores.limits import REACH


class ScoreEvaluator(Evaluator):
    """One call of evaluate for scores: what is measured is a function of means over items."""

    def values_of(self, system: System) -> FloatArray:
        """(items,) the scores of a system; NaN for none."""
        scale = np.array(system.labels, dtype=np.float64) if system.labels else self.participants.study.answers.scores
        return np.append(scale, np.nan)[system.codes]

    def _grid(self, people: People) -> FloatArray:
        """(items, people)."""
        scale = self.participants.study.answers.scores
        return np.append(scale, np.nan)[self.participants.grid(people)]

    def joint(self, system: System) -> Any:
        """What a system gave, with its reference."""
        if system not in self._joints:
            found = self.values_of(system)
            if self.gold is not None:
                joint = against_gold(found, self.values_of(self.gold))
            else:
                joint = against_people(found, self._grid(self._people(system)))
            self._joints[system] = joint  # type: ignore[assignment]
        return self._joints[system]

    def _with_reference(self, system: System) -> int:
        if self.gold is not None:
            return int(np.isfinite(self.values_of(self.gold)).sum())
        return int(np.isfinite(self._grid(self._people(system))).any(1).sum())

    def _measured(self, name: str, joint: Any, units: Units) -> Estimate:
        found = OF_SCORES[name](joint)
        if found.undefined:
            return nothing(found.undefined, self.confidence)
        scores = found.scores(joint, joint.present)
        if math.isinf(found.ends[1]):  # a mean in the unit of the scores
            return difference(found.value, scores, units, self.confidence, math.inf)
        return estimate(found.value, scores, units, self.confidence, found.ends)

    def _human(self, people: People) -> Any:
        """People from below, from above, and one person: against gold, or against each other."""
        if len(people) < (1 if self.gold else 2):
            return None
        grid = self._grid(people)
        if self.gold is None:
            return mean_of_others(grid), mean_of_all(grid), one_person_against_another(grid)
        gold = self.values_of(self.gold)
        known = np.isfinite(grid).any(1)
        mean = np.where(known, np.nansum(grid, 1) / np.maximum(np.isfinite(grid).sum(1), 1), np.nan)
        person = against_people(gold, grid)
        turned = JointScores(person.item, person.reference, person.predicted, person.weight, person.n_items)
        return turned, against_gold(mean, gold), turned

    def _scored(self, name: str, joint: Any, present: BoolArray, key: Any) -> Any:
        part = joint.where(present)
        found: MeasuredScores = OF_SCORES[name](part)
        return found, found.scores(part, present)

    def _widest(self, name: str) -> float:
        low, high = OF_SCORES[name].ends
        return high - low

    def _tables_of(self, joint: Any) -> tuple[Table, Table]:
        """The limits of agreement; scores have no labels to confuse."""
        apart, weight = joint.predicted - joint.reference, joint.weight
        items = float(joint.present.sum())
        bias = float(weight @ apart) / max(items, 1)
        sd = math.sqrt(float(weight @ (apart - bias) ** 2) / (items - 1)) if items > 1 else math.nan
        data: dict[str, Any] = {
            "bias": [bias], "sd": [sd], "lower": [bias - REACH * sd], "upper": [bias + REACH * sd],
            "items": [int(items)],
        }  # fmt: skip
        limits = Table("Limits of agreement: its score less that of the reference", data)
        return limits, Table("Scores have no labels to confuse", {"predicted": []})


def score_tables() -> dict[str, FloatArray]:
    """What is measured, in the order of tables; scores need no weights."""
    return {name: np.empty((0, 0)) for name in SCORE_QUALITIES}

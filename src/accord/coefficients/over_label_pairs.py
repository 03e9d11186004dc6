"""A_m of Bhowmick, Mitra and Basu as a coefficient: agreement on pairs of labels, and chance by another table."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, islice

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray
from accord.annotations.mixed_answers import unmixed
from accord.annotations.tally import Tally
from accord.coefficients import chance
from accord.coefficients import weights as weighing
from accord.coefficients.coefficient import Tabular
from accord.coefficients.label_pair_weights import CLUBBED, LabelPairs
from accord.coefficients.measurable import Parts
from accord.coefficients.mixed_weights import for_answers
from accord.coefficients.weights import WeightsLike
from accord.errors import Message, in_python, quoted, remedy
from accord.study.study import Study

MOST_SHOWN = 6  # label pairs written out in the working


@dataclass(frozen=True, eq=False)
class PairsOfLabels:
    """A_m of a study, or of a part of it."""

    clubbed: bool
    label_weights: WeightsLike | None
    _built: list[tuple[Answers, LabelPairs, LabelPairs]] = field(default_factory=list)

    def __call__(self, study: Study) -> OverLabelPairs:
        """The coefficient."""
        observed, by_chance = self.weights_for(study.answers.unmixed)
        return OverLabelPairs(study._tally_of_people(named=True), observed, by_chance)

    def weights_for(self, answers: Answers) -> tuple[LabelPairs, LabelPairs]:
        """The tables for observed and for chance agreement, built once for a scale."""
        for scale, observed, by_chance in self._built:
            if scale is answers:
                return observed, by_chance
        observed = LabelPairs(answers.membership, self._credit(answers))
        by_chance = LabelPairs(answers.membership, CLUBBED, "label-pairs, clubbed") if self.clubbed else observed
        self._built.append((answers, observed, by_chance))
        return observed, by_chance

    def _credit(self, answers: Answers) -> FloatArray | float:
        """How alike two labels are, off the diagonal."""
        size = len(answers.labels)
        if self.label_weights is None:
            return 0.0
        scale = Answers("single", answers.labels, declared=answers.declared, order=answers.order)
        built = weighing.build(self.label_weights, scale)
        row, column = np.divmod(np.arange(size * size), max(size, 1))
        table = built.between(row, column).reshape(size, size)
        return np.asarray(table * (1 - np.eye(size)))


class OverLabelPairs(Tabular):
    """Observed by one table of label pairs, chance by another."""

    def __init__(self, tally: Tally, weights: LabelPairs, chance_weights: LabelPairs) -> None:
        observed, by_chance = (for_answers(table, tally.answers) for table in (weights, chance_weights))
        super().__init__(tally, observed, chance.own(tally), "item", by_chance)
        self.clubbed = chance_weights is not weights
        self.by_chance = chance_weights

    def combine(self, sums: FloatArray) -> Parts:
        """The one formula; without two labels there is no pair to agree on."""
        if len(self.tally.answers.labels) < 2:
            return Parts(*np.full((3, *sums.shape[:-1]), np.nan))
        return super().combine(sums)

    def steps(self, undefined: str | None) -> list[str]:
        """Equations (2) to (8) and (1) with the study's own numbers."""
        if undefined:
            return [f"There is no value: {undefined}"]
        labels, parts = self.tally.answers.labels, self.parts
        pairs = len(labels) * (len(labels) - 1) // 2
        lines = ["", f"Step 1: observed agreement on the {pairs:,} pairs of {len(labels)} labels"]
        lines.append("  the share of label pairs to which two annotators of an item answer the same, every item once:")
        lines.append(f"  P_o = {parts.observed:z.4f}")
        kinds = "[0 0], [0 1] or [1 0], [1 1]" if self.clubbed else "[0 0], [0 1], [1 0], [1 1]"
        lines += ["", f"Step 2: the same by chance, from each annotator's own shares of {kinds}"]
        for a, b in islice(combinations(range(len(labels)), 2), MOST_SHOWN):
            lines.append(f"  {labels[a]!r} with {labels[b]!r}: {self._chance_on(a, b):z.4f}")
        if pairs > MOST_SHOWN:
            lines.append(f"  … {pairs:,} pairs of labels in all")
        lines.append(f"  their mean: P_e = {parts.expected:z.4f}")
        lines += ["", "Step 3: the coefficient"]
        lines.append(
            f"  (P_o − P_e) / (1 − P_e) = ({parts.observed:.4f} − {parts.expected:.4f}) / (1 − {parts.expected:.4f}) "
            f"= {parts.value:z.4f}"
        )
        return lines

    def _chance_on(self, a: int, b: int) -> float:
        """Chance agreement on one pair of labels: A_m of the study as if there were no others."""
        weights = self.by_chance.only([a, b])
        sums = self.chance.item_sums(self.tally).total(self.tally.items)
        return float(self.chance.expected(sums, for_answers(weights, self.tally.answers)))

    def why_undefined(self) -> str | None:
        """Too few labels for pairs of them, or chance that cannot be beaten."""
        answers = self.tally.answers
        if len(answers.labels) < 2:
            found = ("one label, ", quoted(answers.labels[0])) if answers.labels else ("no label",)
            return Message(
                "A_m is about pairs of labels, and the scale has ",
                *found,
                ". Declare the labels that could have been given: ",
                remedy(labels=[...]),
                ".",
            )
        given = np.unique(unmixed(self.tally).answer)
        single = all(len(answers.members[position]) == 1 for position in given)
        if len(answers.labels) == 2 and single and len(given) == 2 and self.clubbed:
            return Message(
                "With two labels and one of them in every answer, [0 1] and [1 0] are all there is, and clubbed "
                "together they always match by chance. ",
                in_python("clubbed=False is defined (it is conger_kappa).", "Conger's kappa is defined."),
            )
        return super().why_undefined()

"""DiPietro and Hazari's agreement differential: pairs of answers on the suggested label less pairs on another one.

The weights depend on what was suggested for the item: +1 where two answers are both the suggested label, −1 where they
are the same other label, 0 where they differ. So patterns are told apart by the suggestion (`Tally.key`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide, dot
from accord.annotations.mixed_answers import unmixed
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.chance import Pooled
from accord.coefficients.coefficient import Smooth, Tabular, alike_within
from accord.coefficients.formula import chance_corrected
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Decomposition, Parts
from accord.coefficients.mixed_weights import identity_for
from accord.errors import Message, all_quoted
from accord.study.study import Study
from accord.study.suggested_labels import Suggestions, read_suggestions

if TYPE_CHECKING:
    from accord.coefficients.annotator_copies import AnnotatorCopies
    from accord.engine.annotator_sums import Keys

CAPABLE = 0.4  # Fleiss' kappa below which annotators are not fit to judge suggestions
VERDICTS = ("poor", "good", "very poor", None)  # None: a single answer is no agreement


class Differential(Smooth):
    """κ_DH from sums over items: R and S, items with two answers, shares of each answer, and of each suggestion."""

    each = "item"

    def __init__(self, tally: Tally, suggestions: Suggestions) -> None:
        self.whole = tally
        self.suggestions = suggestions
        self.labels = suggestions.labels
        self.tally = suggestions.split(tally)
        items = self.tally
        self.design = suggestions.design
        self.stands_for = suggestions.stands_for(add_up(self.key, items.items, len(self.labels)))
        single = self._single
        shares = ItemSums(single.answer, single.count / items.answered[single.pattern], single.starts, len(self.labels))
        one_each = ItemSums(self.key, np.ones(len(items)), np.arange(len(items) + 1), len(self.labels))
        once = items.pairable.astype(np.float64)
        own = np.stack((np.nan_to_num(self.right), np.nan_to_num(self.wrong), once), axis=1)
        sums = ItemSums.dense(own).joined(shares).joined(one_each)
        weight = self.stands_for[self.key]
        self.item_sums = ItemSums(sums.columns, sums.values * weight[sums.pattern], sums.starts, sums.width)

    def on_suggestions(self) -> Differential:
        """Itself."""
        return self

    @property
    def key(self) -> IntArray:
        """(P,) the suggested label."""
        assert self.tally.key is not None
        return self.tally.key

    @cached_property
    def _single(self) -> Tally:
        """By the labels of the scale, mixed answers by their parts."""
        return unmixed(self.tally)

    # -- item by item -----------------------------------------------------------------------------------------------

    @cached_property
    def _pairs(self) -> FloatArray:
        """(P,) r (r − 1), NaN below two answers."""
        answered = self.tally.answered
        return np.where(answered >= 2, answered * (answered - 1.0), np.nan)

    @cached_property
    def on_it(self) -> FloatArray:
        """(P,) how many gave the suggested label."""
        return self._single.per_pattern(self._single.count * (self._single.answer == self.key[self._single.pattern]))

    @cached_property
    def right(self) -> FloatArray:
        """(P,) R of (10): the share of pairs that agree on the suggested label."""
        with_oneself = self.tally.per_pattern(self.tally.count * self._on_key(self.tally) ** 2)
        return np.asarray((self.on_it**2 - with_oneself) / self._pairs)

    @cached_property
    def wrong(self) -> FloatArray:
        """(P,) S of (12): the share of pairs that agree on another label."""
        same = alike_within(self.tally, identity_for(self.tally.answers))
        return np.asarray(same / self._pairs - self.right)

    def _on_key(self, tally: Tally) -> FloatArray:
        """(E,) the share of the suggested label in each answer: all of it or nothing, unless it is a mixed one."""
        assert tally.key is not None
        return _share_of(tally.answers, tally.answer, tally.key[tally.pattern])

    @cached_property
    def verdict(self) -> IntArray:
        """(P,) its place among VERDICTS: good where most gave the suggestion, very poor where most gave one other."""
        half = self.tally.answered / 2
        other = self._single.count * (self._single.answer != self.key[self._single.pattern])
        most = np.zeros(len(self.tally))
        np.maximum.at(most, self._single.pattern, other)
        judged = np.where(self.on_it > half, 1, np.where(most > half, 2, 0))
        return np.where(self.tally.pairable, judged, 3)

    # -- the formula ------------------------------------------------------------------------------------------------

    def expected_of(self, given: FloatArray, suggested: FloatArray) -> FloatArray:
        """C_E − C_F of (6) and (9), from sums of shares: Σ C²L − Σ (1 − L) C²."""
        C, L = (divide(sums, sums.sum(-1, keepdims=True)) for sums in (given, suggested))
        return np.asarray(2 * dot(C * C, L) - dot(C, C))

    def combine(self, sums: FloatArray) -> Parts:
        """Equation (13)."""
        size = len(self.labels)
        observed = divide(sums[..., 0] - sums[..., 1], sums[..., 2])
        expected = self.expected_of(sums[..., 3 : 3 + size], sums[..., 3 + size :])
        return Parts(observed, expected, chance_corrected(observed, expected))

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By the chain rule; C and L are shares of the same items."""
        size, parts = len(self.labels), self.combine(sums)
        given, suggested = sums[3 : 3 + size], sums[3 + size :]
        C, L = given / given.sum(), suggested / suggested.sum()
        by_c, by_l = 4 * C * L - 2 * C, 2 * C * C
        moved = np.concatenate(((by_c - C @ by_c) / given.sum(), (by_l - L @ by_l) / suggested.sum()))
        by_observed = np.array([1.0, -1.0, -float(parts.observed)]) / sums[2]
        return np.asarray(np.concatenate((by_observed, -(1 - parts.value) * moved)) / (1 - parts.expected))

    def decomposition(self) -> Decomposition:
        """Each item's own differential against the study's chance."""
        observed = self.right - self.wrong
        weight = self.tally.pairable * self.stands_for[self.key]
        value = chance_corrected(observed, np.asarray(self.parts.expected))
        return Decomposition(observed, value, divide(weight, self.tally.items @ weight))

    @property
    def compares_identity(self) -> bool:
        """Labels are the suggested one, the same other one, or not."""
        return True

    def as_item_means(self) -> Smooth:
        """R, S and both shares are means over items."""
        return self

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """Not known without the suggestion: see `pair_agreement`."""
        raise NotImplementedError("how alike two answers are depends on what was suggested")

    def among(self, named: Tally) -> Tally:
        """The items that have a suggestion, told apart by it."""
        return self.suggestions.split(named)

    def pair_agreement(self, named: Tally, pairs: AnnotatorPairs) -> FloatArray:
        """+1 for two on the suggestion, −1 for two on the same other label."""
        assert named.key is not None
        key = named.key[pairs.pattern]
        on_it = [_share_of(named.answers, answer, key) for answer in (pairs.first_answer, pairs.second_answer)]
        same = identity_for(named.answers).between(pairs.first_answer, pairs.second_answer)
        return np.asarray(2 * on_it[0] * on_it[1] - same)

    # -- by annotator -------------------------------------------------------------------------------------------------

    def agreement_with_others(self, tally: Tally) -> FloatArray:
        """(E,) the others who gave the same answer, for or against the suggestion."""
        on_it = tally.answer == self.key[tally.pattern]
        return np.asarray((tally.count - 1.0) * np.where(on_it, 1.0, -1.0))

    def engine_keys(self) -> Keys | None:
        """The column of the frame that has the suggestions."""
        return self.suggestions.keys(self.whole)

    def with_copies(self, copies: AnnotatorCopies, times: FloatArray, items: FloatArray) -> float:
        """The pairs that copies make, and the shares of their answers."""
        assert copies.tally.key is not None
        copied = copies.answers(times, items * self.stands_for[copies.tally.key])
        suggested = add_up(copies.tally.key, copied.items * (copied.answered > 0), len(self.labels))
        observed = divide(copied.pairable @ copies.agreed(copied), copied.pairable.sum())
        shares = copies.tally.answers.onto_scale(copied.shares())
        given = np.append(shares, np.zeros(len(self.labels) - len(shares)))  # labels that only suggestions use
        return float(chance_corrected(observed, self.expected_of(given, suggested)))

    def design_error(self) -> float:
        """The standard error where each label was drawn from by itself, each a share of a finite number of items."""
        assert self.design is not None
        size, items = len(self.labels), self.tally.items
        scores = self.influence() / self.tally.n_items
        drawn = add_up(self.key, items, size)
        mean = np.nan_to_num(divide(add_up(self.key, items * scores, size), drawn))
        spread = add_up(self.key, items * (scores - mean[self.key]) ** 2, size)
        whole = np.array([self.design.population.get(label, 0) for label in self.labels], dtype=np.float64)
        left = 1 - np.nan_to_num(divide(drawn, whole))  # nothing is unknown of a label that was annotated whole
        unknown = (drawn == 1) & (left > 0)
        if unknown.any():
            return float("nan")
        return float(np.sqrt((np.nan_to_num(divide(drawn, drawn - 1)) * left * spread).sum()))

    # -- its parts --------------------------------------------------------------------------------------------------

    @cached_property
    def _sums(self) -> FloatArray:
        return self.item_sums.total(self.tally.items)

    @property
    def given(self) -> FloatArray:
        """C of (4): the share of each label among answers, every item counted once."""
        return divide(self._sums[3 : 3 + len(self.labels)], self._sums[3 : 3 + len(self.labels)].sum())

    @property
    def proposed(self) -> FloatArray:
        """L of (5): the share of each label among suggestions."""
        return divide(self._sums[3 + len(self.labels) :], self._sums[3 + len(self.labels) :].sum())

    @property
    def observed_right(self) -> float:
        """R̄."""
        return float(divide(self._sums[0], self._sums[2]))

    @property
    def observed_wrong(self) -> float:
        """S̄."""
        return float(divide(self._sums[1], self._sums[2]))

    @property
    def expected_right(self) -> float:
        """C_E of (6)."""
        return float(self.given**2 @ self.proposed)

    @property
    def expected_wrong(self) -> float:
        """C_F of (9)."""
        return float(self.given**2 @ (1 - self.proposed))

    @cached_property
    def fleiss(self) -> float:
        """Fleiss' kappa of the annotators on these items: are they fit to judge?"""
        if not self.tally.pairable.any():
            return float("nan")
        return float(Tabular(self.tally, identity_for(self.tally.answers), Pooled()).parts.value)

    # -- in words ---------------------------------------------------------------------------------------------------

    def why_undefined(self) -> str | None:
        """No suggestions, or nobody to judge them."""
        if not len(self.tally):
            return "No item that anybody annotated has a suggested label."
        if not self.tally.pairable.any():
            return "No item with a suggested label has two answers, so there is nothing to compare."
        if len(np.unique(self.tally.answer)) == 1 and len(np.unique(self.key)) == 1:
            return "One label only was given and suggested, so chance alone would give full agreement."
        return super().why_undefined()

    def notes(self) -> tuple[str, ...]:
        """What was left out, and whether the annotators are fit to judge."""
        notes = []
        without = self.whole.n_items - self.tally.n_items
        if without:
            notes.append(f"{without:,} of {self.whole.n_items:,} items have no suggested label and are left out.")
        if self.design is not None:
            how = "label by label" if self.design.by_label else "at random"
            notes.append(
                f"{self.tally.n_items:,} of {self.design.total:,} suggested items, drawn {how}: the interval speaks of "
                "all of them."
            )
        elif self.suggestions.elsewhere:
            notes.append(f"{self.suggestions.elsewhere:,} suggestions are for items that nobody annotated.")
        used = np.bincount(self._single.answer, minlength=len(self.labels))
        never = [
            label for label, times, key in zip(self.labels, used, self._suggested, strict=True) if key and not times
        ]
        if never:
            notes.append(Message("Suggested, and never given by an annotator: ", all_quoted(never, len(never)), "."))
        if self.agreement_of_judges:
            notes.append(self.agreement_of_judges)
            if self.fleiss < CAPABLE:
                notes.append(
                    f"The annotators hardly agree with each other (below {CAPABLE:g}): a low value says more about "
                    "them, or about the task, than about the suggestions."
                )
        return tuple(notes)

    @property
    def agreement_of_judges(self) -> str | None:
        """The note that tells whether the annotators are fit to judge; None where they never met."""
        if np.isnan(self.fleiss):
            return None
        return f"Fleiss' kappa of the annotators on these items: {self.fleiss:z.3f}."

    @property
    def _suggested(self) -> IntArray:
        """(labels,) for how many items each label was suggested."""
        return add_up(self.key, self.tally.units, len(self.labels)).astype(np.int64)

    def steps(self, undefined: str | None) -> list[str]:
        """The calculation of sections 3.1 to 3.5."""
        if undefined:
            return [f"There is no value: {undefined}"]
        parts = self.parts
        lines = ["", "Step 1: pairs of answers on an item, every item once"]
        lines.append(f"  both the suggested label: R̄ = {self.observed_right:z.4f}")
        lines.append(f"  both the same other label: S̄ = {self.observed_wrong:z.4f}")
        lines += ["", "Step 2: the same by chance"]
        for label, share, proposed in list(zip(self.labels, self.given, self.proposed, strict=True))[:6]:
            lines.append(f"  {label!r}: C = {share:z.4f} of the answers, L = {proposed:z.4f} of the suggestions")
        if len(self.labels) > 6:
            lines.append(f"  … {len(self.labels)} labels in all")
        lines.append(
            f"  C_E = Σ C²L = {self.expected_right:z.4f}, C_F = Σ L Σ C² of the others = {self.expected_wrong:z.4f}"
        )
        lines += ["", "Step 3: the coefficient"]
        lines.append(
            f"  ((R̄ − S̄) − (C_E − C_F)) / (1 − (C_E − C_F)) = ({parts.observed:z.4f} − {parts.expected:z.4f}) / "
            f"(1 − {parts.expected:z.4f}) = {parts.value:z.4f}"
        )
        return lines

    @property
    def rests_on_engine(self) -> bool:
        """Are the suggestions known to an engine only?"""
        return self.suggestions.in_engine

    def observed_in_words(self) -> str | None:
        """Two shares apart."""
        right, wrong = self.observed_right, self.observed_wrong
        return f"{right:.0%} of pairs of answers agreeing on the suggested label and {wrong:.0%} on another"

    def unit_columns(self) -> dict[str, list[Any]]:
        """What was suggested, how many gave it, and how good it is."""
        return {
            "suggested": [self.labels[key] for key in self.key],
            "on_it": self.on_it.astype(int).tolist() if self._single is self.tally else self.on_it.tolist(),
            "verdict": [VERDICTS[verdict] for verdict in self.verdict],
        }


def _share_of(answers: Answers, answer: IntArray, key: IntArray) -> FloatArray:
    """The share of a label in each answer."""
    if not answers.mixed:
        return np.asarray(answer == key, dtype=np.float64)
    entry, held, share = answers.parts(answer)
    return add_up(entry, share * (held == key[entry]), len(answer))


@dataclass(frozen=True, eq=False)
class AgainstSuggestions:
    """κ_DH of a study, or of a part of it; suggestions are read once for the items of a study."""

    source: Any
    _read: list[tuple[Sequence[Any], Suggestions]] = field(default_factory=list)

    def __call__(self, study: Study) -> Differential:
        """The coefficient."""
        return Differential(study._tally_of_people(), self.suggestions(study))

    def suggestions(self, study: Study) -> Suggestions:
        """What was suggested for the items; parts of a study have its items."""
        for items, found in self._read:
            if items is study.items:
                return found
        self._read.append((study.items, read_suggestions(self.source, study)))
        return self._read[-1][1]

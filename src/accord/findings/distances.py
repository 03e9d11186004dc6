"""Distances: how far each answer is from the others on its item, for all annotators at once.

Everything is by patterns of the named tally: an entry is one annotator's answer in a pattern. Nothing is as large as
annotators × annotators; with equal-or-not weights not even pairs of answers are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.build import each_once, tallied
from accord.agreement.result import Agreement
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.coded import DENSE_CODES
from accord.annotations.factorize import in_small_integers
from accord.annotations.tally import Tally
from accord.coefficients.coefficient import Coefficient
from accord.coefficients.standard_errors import p_values
from accord.coefficients.units import Units
from accord.errors import AccordError, MeasureError, Message
from accord.findings.first_answers import first_answers
from accord.measures.measure_all import among_annotators
from accord.study.in_memory import in_memory_where_small
from accord.study.study import Study
from accord.study.study_of_input import as_study

if TYPE_CHECKING:
    from accord.findings.without_annotator import Change

MOST_CELLS = 20_000_000  # patterns × answers held in a table
MOST_ANSWERS = 400  # distinct answers up to which their distances are held in a table
MOST_PAIRS = 20_000_000  # pairs of answers compared one by one
FEWEST = 20  # items shared with others, below which nobody is judged
PSEUDO = 4.0  # imaginary items on which an annotator is like everybody else: small numbers say little of a person
ROUNDS = 30  # of telling annotators' own distances from those of the company they were in
DEPENDS = 0.01  # the p of a test of dependence from which on nobody is called random
MANY_PATTERNS = 2_000  # from which on it pays to put equal ones together
LEAST = 0.1  # what counts: a difference of this much of what chance would give


@dataclass(frozen=True, eq=False)
class Rest:
    """Each annotator against the rest, on the items that the annotator and others answered; (R,) each.

    `excess` is how much further the annotator is from the others than they are from each other, shrunk towards none.
    """

    items: FloatArray  # how many items it is known from
    own: FloatArray  # mean distance from the others' answers
    rest: FloatArray  # mean distance between the others, on the same items where three answered
    excess: FloatArray
    se: FloatArray
    p: FloatArray  # of an excess above that; NaN where there are too few items


@dataclass(frozen=True, eq=False)
class Distances:
    """Answers beside others: the patterns with two answers or more, each annotator once."""

    study: Study  # of repeated answers only the first
    main: Agreement
    coefficient: Coefficient  # of the main result
    whole: Tally  # named
    tally: Tally  # its pairable part
    far: FloatArray  # (E,) of the pairable part: the sum of distances from the others' answers on the item
    room: float  # 1 − expected agreement: how far apart chance would put two answers

    # -- by entry and pattern ---------------------------------------------------------------------------------------

    @cached_property
    def who(self) -> IntArray:
        """(E,) the annotator of each entry."""
        assert self.tally.annotator is not None
        return self.tally.annotator

    @cached_property
    def _answered(self) -> FloatArray:
        """(E,) answers on the entry's item."""
        return self.tally.answered[self.tally.pattern].astype(np.float64)

    @cached_property
    def own(self) -> FloatArray:
        """(E,) mean distance from the others' answers."""
        return self.far / (self._answered - 1)

    @cached_property
    def _total(self) -> FloatArray:
        """(P,) the sum of distances between all pairs of answers."""
        return self.tally.per_pattern(self.far) / 2

    @cached_property
    def mean_distance(self) -> FloatArray:
        """(P,) mean distance between two answers on the item."""
        answered = self.tally.answered.astype(np.float64)
        return self._total / (answered * (answered - 1) / 2)

    @cached_property
    def rest(self) -> FloatArray:
        """(E,) mean distance between the other answers; NaN where only one other answered."""
        answered = self._answered
        return divide(self._total[self.tally.pattern] - self.far, (answered - 1) * (answered - 2) / 2)

    @cached_property
    def disagreement(self) -> float:
        """Mean distance between two answers, every item counted once."""
        return float(self.tally.items @ self.mean_distance / max(self.tally.n_items, 1))

    @cached_property
    def usual(self) -> FloatArray:
        """(E,) the distance from the others that follows from who the annotator is and who the others are."""
        items = self.tally.items[self.tally.pattern].astype(np.float64)
        number = np.maximum(add_up(self.who, items, self.people), 1e-300)
        centre = float(items @ self.own / items.sum())
        person = np.zeros(self.people)
        for _ in range(ROUNDS):
            others = (self.tally.per_pattern(person[self.who])[self.tally.pattern] - person[self.who]) / (
                self._answered - 1
            )
            fresh = add_up(self.who, items * (self.own - centre - others), self.people) / number
            person = 0.5 * person + 0.5 * fresh
        return np.asarray(centre + person[self.who] + others)

    @cached_property
    def design(self) -> float:
        """How much larger errors (squared) are because items come in clusters; 1 where they do not."""
        if "cluster" not in self.study.roles:
            return 1.0
        scores = self.mean_distance - self.disagreement
        try:
            alone = Units(self.tally).error(scores)
            together = Units.of(self.study, self.tally, None).error(scores)
        except AccordError:  # an item that is said to be in several clusters
            return 1.0
        return max((together / alone) ** 2, 1.0) if alone > 0 and together > 0 else 1.0

    # -- by annotator -----------------------------------------------------------------------------------------------

    @cached_property
    def people(self) -> int:
        """Annotators by name, whether or not they answered."""
        return len(self.tally.annotators)

    @cached_property
    def against_rest(self) -> Rest:
        """Everybody at once; where most of somebody's items have only one other answer, against all others' items."""
        items = self.tally.items[self.tally.pattern].astype(np.float64)
        three = self._answered >= 3
        shared_items = add_up(self.who, items, self.people)
        judged = add_up(self.who, items * three, self.people)
        by_same_items = judged >= 0.5 * shared_items  # enough items with two others: the same items tell both
        same = by_same_items[self.who]
        counts = np.where(same & ~three, 0.0, items)  # the items that tell of both: own, rest and excess
        total = add_up(self.who, counts, self.people)
        own = divide(add_up(self.who, counts * self.own, self.people), total)
        within = divide(add_up(self.who, items * np.where(three, self.rest, 0.0), self.people), judged)
        elsewhere = within if by_same_items.all() else self._elsewhere(items, shared_items)
        rest = np.where(by_same_items, within, elsewhere)
        gap = self.own - np.where(three & same, self.rest, elsewhere[self.who])
        return _judged(self.who, gap, counts, total, own, rest, self.room, self.design)

    def _elsewhere(self, items: FloatArray, shared_items: FloatArray) -> FloatArray:
        """(R,) mean distance between two answers on the items without one of theirs; all items where there are none."""
        sums = add_up(self.who, items * self.mean_distance[self.tally.pattern], self.people)
        others = self.tally.n_items - shared_items
        without = divide(float(self.tally.items @ self.mean_distance) - sums, others)
        return np.where(others > 0, without, self.disagreement)

    @cached_property
    def _repairs(self) -> dict[int, float]:
        return {}

    def repaired(self, person: int) -> float:
        """The share of all disagreement that goes with an annotator: how much less remains without their answers."""
        if person not in self._repairs:
            self._repairs[person] = self._repaired(person)
        return self._repairs[person]

    def _repaired(self, person: int) -> float:
        mine = self.who == person
        left = self.mean_distance.copy()
        left[self.tally.pattern[mine]] = self.rest[mine]
        keep = np.isfinite(left)
        remaining = float(self.tally.items[keep] @ left[keep]) / max(float(self.tally.items[keep].sum()), 1.0)
        return 1 - remaining / self.disagreement if self.disagreement > 0 else 0.0

    @cached_property
    def grid(self) -> IntArray | None:
        """(P, R) the answers of many patterns as a table, −1 for none; None where hardly any would be alike in part."""
        whole = self.whole
        if len(whole) < MANY_PATTERNS or whole.weight is not None:
            return None
        if (len(whole.answers) + 1) ** len(whole.annotators) > DENSE_CODES:
            return None
        assert whole.annotator is not None
        answer = in_small_integers(whole.answer, len(whole.answers))
        table = np.full((len(whole.annotators), len(whole)), -1, answer.dtype).T  # it is gone through by columns
        table[whole.pattern, whole.annotator] = answer
        return table

    @cached_property
    def value_and_scores(self) -> tuple[float, FloatArray]:
        """The coefficient of all answers, and how far one item of each pattern moves it."""
        from accord.findings.without_annotator import scored_without

        return scored_without(self, np.zeros(self.people, dtype=bool))

    @cached_property
    def _changes(self) -> dict[tuple[int, ...], Change]:
        return {}

    def change_without(self, group: tuple[int, ...]) -> Change:
        """What leaving out some annotators does to the coefficient."""
        from accord.findings.without_annotator import change_without

        if group not in self._changes:
            self._changes[group] = change_without(self, group)
        return self._changes[group]

    def repaired_by(self, people: Sequence[int]) -> float:
        """The share of the disagreement that goes with some annotators together."""
        if len(people) == 1:
            return self.repaired(people[0])
        left = self.without(np.isin(np.arange(self.people), people))
        left = left.where(left.pairable)
        far = summed_distances(left, self.coefficient) if len(left) else None
        if far is None or not self.disagreement > 0:
            return 0.0
        answered = left.answered.astype(np.float64)
        mean_distance = left.per_pattern(far) / (answered * (answered - 1))
        return float(1 - left.items @ mean_distance / left.n_items / self.disagreement)

    def answers_against_others(self, people: Sequence[int]) -> FloatArray | None:
        """(people, K, K) an annotator's answers by what the others say of the same item; None where that is too large.

        Scores have none: they are not the same or another, but near or far.
        """
        if self.study.kind == "score":
            return None
        tally, size = self.tally, len(self.tally.answers)
        chosen = np.full(self.people, -1)
        chosen[list(people)] = np.arange(len(people))
        mine = np.nonzero(chosen[self.who] >= 0)[0]
        if size * max(len(tally), len(mine), len(people) * size) > MOST_CELLS:
            return None
        from scipy.sparse import csr_array  # slow to import

        counts = add_up(tally.pattern * size + tally.answer, tally.count, len(tally) * size).reshape(-1, size)
        items = tally.items[tally.pattern[mine]] / (tally.answered[tally.pattern[mine]] - 1.0)
        row = chosen[self.who[mine]] * size + tally.answer[mine]
        shape = (len(people) * size, len(tally))
        mass = csr_array((items, (row, tally.pattern[mine])), shape=shape) @ counts
        mass[np.arange(len(mass)), np.arange(len(mass)) % size] -= add_up(row, items, len(mass))  # their own answer
        return np.asarray(mass.reshape(len(people), size, size))

    @cached_property
    def random_responder(self) -> FloatArray:
        """(R,) how likely answers do not depend on what the others say, against being like the group's; shrunk.

        Neither account knows of dependence in another way: of somebody who is suspected a direct test decides. NaN
        where there are too few items, or answers cannot be compared in this way.
        """
        from accord.consensus.competence import SUSPECT, spam_probability
        from accord.findings.dependence import p_of_dependence

        odds, everyone = np.full(self.people, np.nan), self.study._present
        mass = self.answers_against_others(everyone.tolist())
        if mass is not None:
            odds[everyone] = np.where(mass.sum((1, 2)) >= FEWEST, spam_probability(mass), np.nan)
        for person in np.nonzero(odds >= SUSPECT)[0].tolist():
            p = p_of_dependence(self.tally, person)
            odds[person] = min(float(odds[person]), p) if p < DEPENDS else odds[person]
        return odds

    def distance(self, left: IntArray, right: IntArray) -> FloatArray:
        """How far apart given pairs of answers are."""
        if self.coefficient.compares_identity:
            return np.asarray(left != right, dtype=np.float64)
        return _distances_between(self.coefficient, left, right)

    def distance_table(self) -> FloatArray:
        """(K, K) between all answers; for scales of up to a few hundred."""
        size = len(self.tally.answers)
        left, right = np.divmod(np.arange(size * size), size)
        return self.distance(left, right).reshape(size, size)

    def without(self, people: BoolArray) -> Tally:
        """The whole tally without some annotators' answers; patterns stay as they are."""
        return self.whole.without(people)


def distances_of(study: Study, main: Agreement) -> Distances | str:
    """The distances in a study, or why there are none, in a sentence."""
    annotations = study._annotations
    if not annotations.named:
        return Message("A ", study.shape, " does not say who answered.")
    if annotations.stays:
        return annotations.why_stays
    if main.coefficient is None:
        return main.undefined or "Nothing can be compared."
    if not annotations.in_memory and annotations.repeated:
        return "Some annotators answered an item more than once, in an engine; collect the frame first."
    study = first_answers(study)
    whole = study.tally(named=True)
    tally = whole.where(whole.pairable)
    if not len(tally):
        return "No two annotators answered the same item."
    far = summed_distances(tally, tallied(main))
    if far is None:
        return (
            f"{len(tally):,} patterns of {len(tally.answers):,} different answers are too many to compare one by one; "
            "choose some items or annotators."
        )
    room = 1 - main.expected
    return Distances(study, main, tallied(main), whole, tally, far, room if 0 < room <= 2 else 1.0)


def need_distances(data: Any, labels: Sequence[Any] | None, roles: Any) -> Distances:
    """The distances in whatever the caller gave, or an error that says why there are none."""
    study = in_memory_where_small(as_study(data, None, labels, roles))
    main = each_once(among_annotators(study))
    distances = distances_of(main.study, main)
    if isinstance(distances, str):
        raise MeasureError(distances)
    return distances


def summed_distances(tally: Tally, coefficient: Coefficient) -> FloatArray | None:
    """(E,) the sum of distances of each entry from the other entries of its pattern; None where that is too much."""
    size = len(tally.answers)
    answered = tally.answered[tally.pattern].astype(np.float64)
    if coefficient.compares_identity:
        return answered - same_answers(tally)
    if size <= MOST_ANSWERS and size * len(tally) <= MOST_CELLS:
        left, right = np.divmod(np.arange(size * size), size)
        table = _distances_between(coefficient, left, right).reshape(size, size)
        counts = add_up(tally.pattern * size + tally.answer, tally.count, len(tally) * size).reshape(-1, size)
        return np.asarray((counts @ table)[tally.pattern, tally.answer])
    if float((tally.answered * (tally.answered - 1.0)).sum()) / 2 > MOST_PAIRS:
        return None
    far = np.zeros(len(tally.answer))
    for one, other in tally.pairs():
        gap = _distances_between(coefficient, tally.answer[one], tally.answer[other])
        far += add_up(one, gap, len(far)) + add_up(other, gap, len(far))
    return far


def _distances_between(coefficient: Coefficient, left: IntArray, right: IntArray) -> FloatArray:
    """Distances between answers; none between an answer and itself, whatever the weights say of divided answers."""
    return np.where(left == right, 0.0, np.clip(1 - coefficient.alike(left, right), 0.0, None))


def same_answers(tally: Tally) -> FloatArray:
    """(E,) how many answers of the item are the entry's own label, itself counted."""
    size = len(tally.answers)
    key = tally.pattern * size + tally.answer
    if size * len(tally) <= MOST_CELLS:
        return np.asarray(np.bincount(key, minlength=size * len(tally))[key], dtype=np.float64)
    _, place, number = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(number[place], dtype=np.float64)


def _judged(
    who: IntArray,
    gap: FloatArray,
    counts: FloatArray,
    items: FloatArray,  # of each annotator: the same counts added up
    own: FloatArray,
    rest: FloatArray,
    room: float,
    design: float,
) -> Rest:
    """The mean gap of each annotator with pseudo-items of none, and the p-value of more than is worth a word."""
    people = len(own)
    gap = np.nan_to_num(gap)
    total, squares = add_up(who, counts * gap, people), add_up(who, counts * gap**2, people)
    number = items + PSEUDO
    excess = total / number
    # two of the imaginary items lie above and two below by half of what chance would give: no error is ever zero
    spread = np.maximum(squares + PSEUDO * (room / 2) ** 2 - number * excess**2, 0.0)
    se = np.sqrt(design * spread / np.maximum(number - 1, 1) / number)
    p = p_values(excess - LEAST * room, se, np.maximum(number - 1, 1), "greater")
    return Rest(items, own, rest, excess, se, np.where(items >= FEWEST, p, np.nan))

"""Signs: what the causes of disagreement are told apart by, each measured once.

Concentration (does disagreement sit in a few pairs of labels, for everybody?), the person furthest from the rest,
the course over time, and repeats (do annotators agree with themselves more than with others?).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.standard_errors import p_value
from accord.findings.agreement_on_labels import LARGE, confused_in
from accord.findings.distances import FEWEST, Distances
from accord.findings.finding import CANDIDATE
from accord.findings.neighbouring_labels import spreads_by_use
from accord.findings.power import FaultPower
from accord.findings.study_view import View
from accord.findings.time_course import TimeCourse
from accord.findings.without_annotator import changes

GUIDELINES: Final = "unclear-guidelines"
TRAINING: Final = "too-little-training"
SUBJECTIVE: Final = "subjective-task"
ANNOTATOR: Final = "unreliable-annotator"
CAUSES = (GUIDELINES, TRAINING, SUBJECTIVE, ANNOTATOR)  # in the order in which they are thought of
REPAIRS = 0.1  # the least share of the disagreement that a cause must account for
MOST_LABELS = 200
FEWEST_CLASHES = 10.0  # contested items (as many as count), below which nothing is said of where they sit
MOST_NAMED = 3  # pairs of labels
MOST_LEFT_OUT = 12  # annotators up to whom each is left out in turn
WORTH_A_WORD = 0.03  # by which the coefficient must rise without somebody
LIKELY = 0.8  # the chance of being shown, from which on a fault that is not shown is said not to be there
PSEUDO = 2.0  # imaginary items answered again that tell nothing either way


@dataclass(frozen=True, eq=False)
class Concentration:
    """The pairs of labels in which disagreement sits, and how likely that is chance."""

    pairs: tuple[tuple[int, int], ...]
    share: float  # of the disagreement that they hold
    part: float  # that they would hold if it were spread by how often labels are used
    p: float  # corrected for the number of pairs
    clashes: float  # contested items, as many as count

    @property
    def excess(self) -> float:
        """The share beyond their part."""
        return max(self.share - self.part, 0.0)


def concentration(tally: Tally, design: float = 1.0) -> Concentration | None:
    """Where disagreement sits; None with fewer than three labels in use or too few contested items.

    A pair's part is what random errors would give it, whether they fall on labels by their use or on all alike. A
    label that is hard against all others is no random error here: its definition is what is unclear. Where items come
    in clusters, they count for fewer by their `design`.
    """
    tally = tally.where(tally.pairable)
    tally = tally if tally.annotator is None else tally.anonymous()
    answered = tally.answered.astype(np.float64)
    shares = tally.per_answer(tally.count / answered[tally.pattern] * tally.items[tally.pattern])
    clashes = _clashes(tally) / design
    if np.count_nonzero(shares) < 3 or len(shares) > MOST_LABELS or clashes < FEWEST_CLASHES:
        return None
    found = confused_in(tally, divide(shares, shares.sum()), clashes, hardness=False)
    corrected = np.minimum(found.p * found.n_tests, 1.0)
    best = np.lexsort((-found.share, corrected))[:MOST_NAMED].tolist()
    named = [place for place in best if corrected[place] < CANDIDATE] or best[:1]
    pairs = tuple((int(found.first[place]), int(found.second[place])) for place in named)
    share, part = float(found.share[named].sum()), float(found.expected[named].sum())
    return Concentration(pairs, share, min(part, 1.0), float(corrected[named[0]]) if share >= LARGE else 1.0, clashes)


def _clashes(tally: Tally) -> float:
    """As many equally contested items as would be as sure: items with little disagreement count for little."""
    size = len(tally.answers)
    if size > MOST_LABELS:
        return 0.0
    key = tally.pattern * size + tally.answer
    alike = add_up(key, tally.count, len(tally) * size)
    same = add_up(np.arange(len(alike)) // size, alike * (alike - 1), len(tally))
    outlying = 1 - divide(same, tally.answered * (tally.answered - 1.0))
    total, squares = float(tally.items @ outlying), float(tally.items @ outlying**2)
    return total**2 / squares if squares > 0 else 0.0


@dataclass(frozen=True)
class Repeats:
    """Items that somebody answered again: distance from oneself, and from the others on the same items."""

    items: int
    oneself: float
    others: float
    excess: float  # others less oneself, shrunk
    se: float
    p: float


def repeats(distances: Distances, view: View, leave: BoolArray | None = None) -> Repeats | None:
    """Repeated answers against the others'; None where nobody answered anything twice. Some may be left out."""
    tally = distances.tally
    if tally.locate is None or not view.study._annotations.repeated:
        return None
    item, annotator, answer, _ = view.study._annotations.rows
    if leave is not None:
        keep = ~leave[annotator]
        item, annotator, answer = item[keep], annotator[keep], answer[keep]
    order = np.lexsort((np.arange(len(item)), annotator, item))
    item, annotator, answer = item[order], annotator[order], answer[order]
    again = (item[1:] == item[:-1]) & (annotator[1:] == annotator[:-1])
    where = tally.locate()[item[1:][again]]
    gap = distances.distance(answer[:-1][again], answer[1:][again])
    present = where >= 0
    number = np.bincount(item[1:][again][present], minlength=view.study._annotations.n_items)
    oneself = divide(add_up(item[1:][again][present], gap[present], len(number)), number)
    outlying = distances.mean_distance if leave is None else _outlying_without(distances, leave)
    items = np.nonzero((number > 0) & np.isfinite(np.append(outlying, np.nan)[tally.locate()]))[0]
    if len(items) < FEWEST:
        return None
    others = outlying[tally.locate()[items]]
    contrast = others - oneself[items]
    count = len(items) + PSEUDO
    excess = float(contrast.sum() / count)
    spread = float((contrast**2).sum()) + PSEUDO * (distances.room / 2) ** 2 - count * excess**2
    se = math.sqrt(distances.design * max(spread, 0.0) / (count - 1) / count)
    p = p_value(excess, se, count - 1, "greater")
    return Repeats(len(items), float(oneself[items].mean()), float(others.mean()), excess, se, p)


def _outlying_without(distances: Distances, leave: BoolArray) -> FloatArray:
    """(P,) mean distance between two answers without one annotator; NaN where fewer than two are left."""
    tally, stay = distances.tally, ~leave[distances.who]
    number = tally.per_pattern(stay.astype(np.float64))
    gone = ~stay
    # distances among those who stay: all, less those with somebody who goes
    total = tally.per_pattern(distances.far) / 2 - tally.per_pattern(distances.far * gone)
    return np.asarray(divide(total, number * (number - 1) / 2))


@dataclass(frozen=True, eq=False)
class Signs:
    """All signs of one study; None where a sign cannot be had."""

    view: View

    @cached_property
    def distances(self) -> Distances | None:
        """How far answers are from the others on their items."""
        return None if isinstance(self.view.distances, str) else self.view.distances

    @cached_property
    def people(self) -> int:
        """Annotators who answered."""
        return self.view.study.n_annotators

    @cached_property
    def labelled(self) -> bool:
        """Is an answer one label, so that pairs of labels tell something?"""
        return self.view.single

    @cached_property
    def concentration(self) -> Concentration | None:
        """In all answers; confused labels must stay confused without the person furthest from the rest."""
        if not self.labelled:
            return None
        again = self.distances is not None and self.view.study._annotations.repeated
        design = 1.0 if self.distances is None else self.distances.design
        whole = self.view.by_primary(self.distances.whole) if again and self.distances else self.view.tally
        found = concentration(whole, design)
        if found is None or found.p >= CANDIDATE or self.furthest is None or self.distances is None:
            return found
        chosen = np.arange(self.distances.people) == self.furthest
        left = self.view.by_primary(self.distances.without(chosen))
        others = concentration(left, design)
        if others is None or not set(others.pairs) & set(found.pairs):
            return replace(found, p=1.0)
        return replace(found, p=max(found.p, others.p))

    @cached_property
    def furthest(self) -> int | None:
        """Who is furthest from the rest beyond doubt, if anybody can be judged."""
        if self.distances is None or self.people < 3:
            return None
        p = self.view.p_apart
        return int(np.nanargmin(p)) if np.isfinite(p).any() else None

    @cached_property
    def p_furthest(self) -> float:
        """The p-value of that distance."""
        return math.nan if self.furthest is None or self.distances is None else float(self._p_outlying[self.furthest])

    @cached_property
    def sure_furthest(self) -> float:
        """The same, corrected for the number of annotators."""
        return min(self.p_furthest * int(np.isfinite(self._p_outlying).sum()), 1.0)

    @cached_property
    def outlying(self) -> list[int]:
        """The annotators who stand apart beyond doubt, if they are a minority; never one of two."""
        if self.distances is None or self.people < 3:
            return []
        found = self.view.outlying_people
        return found if 3 * len(found) <= self.people else found[:1]

    @property
    def _p_outlying(self) -> FloatArray:
        return np.empty(0) if self.distances is None else self.view.p_apart

    @cached_property
    def uneven(self) -> bool:
        """Does disagreement sit somewhere: with some people, in some time, or in some pairs of labels?"""
        view, course = self.view, self.time_course
        rises = course is not None and course.slope.p < CANDIDATE
        clusters = not isinstance(view.clusters, str) and view.clusters.shown
        beside = view.neighbours is not None and view.neighbours.shown
        somebody = self.distances is not None and self.people >= 3 and bool(view.outlying_people)
        return somebody or rises or clusters or beside or bool(view.copies) or self.spreads_by_use is False

    @cached_property
    def hard(self) -> bool:
        """Does disagreement sit in some of the items, for everybody alike?"""
        found = self.view.hard_items
        return not isinstance(found, str) and found.shown

    @cached_property
    def spreads_over_items(self) -> bool:
        """Is it known that disagreement does not sit in some of the items: not shown, where it would have been?"""
        found = self.view.hard_items
        if isinstance(found, str) or found.p < CANDIDATE:
            return False
        return (FaultPower(self.view, CANDIDATE).hard_items() or 0.0) >= LIKELY

    @property
    def no_concentration(self) -> str:
        """Why it is not known whether disagreement sits in few pairs of labels."""
        if len(self.view.tally.answers) > MOST_LABELS:
            return f"it is asked of up to {MOST_LABELS} labels, and here are {len(self.view.tally.answers):,}"
        return "with two labels in use, or fewer than ten contested items, every clash is alike"

    @cached_property
    def spreads_by_use(self) -> bool | None:
        """Is disagreement spread over pairs of labels by how often they are used? None where that cannot be told."""
        if self.concentration is None or len(self.view.tally.answers) > MOST_LABELS:
            return None
        return spreads_by_use(self.view.marginals, self.view.confused)

    @cached_property
    def own_concentration(self) -> Concentration | None:
        """Where the clashes of the person furthest from the rest sit."""
        if self.furthest is None or self.distances is None or not self.labelled:
            return None
        if len(self.view.study.labels) > MOST_LABELS:  # nothing is as large as labels × labels
            return None
        return concentration(
            _clashes_of(self.view.by_primary(self.distances.tally), self.furthest), self.distances.design
        )

    @cached_property
    def time_course(self) -> TimeCourse | None:
        """The answers over time."""
        return None if isinstance(self.view.time_course, str) else self.view.time_course

    @cached_property
    def repeats(self) -> Repeats | None:
        """Annotators against themselves; where somebody stands apart, also without that person."""
        if self.distances is None:
            return None
        found = repeats(self.distances, self.view)
        if found is None or self.furthest is None or not self.sure_furthest < CANDIDATE:
            return found
        leave = np.arange(self.distances.people) == self.furthest
        others = repeats(self.distances, self.view, leave)
        if others is None:
            return replace(found, p=1.0)
        return replace(found, p=max(found.p, others.p))


def _clashes_of(tally: Tally, person: int) -> Tally:
    """A tally of one annotator's answer beside each other answer of the item: one pattern per pair of answers."""
    assert tally.annotator is not None
    mine, own = np.full(len(tally), -1), np.nonzero(tally.annotator == person)[0]
    mine[tally.pattern[own]] = tally.answer[own]
    beside = mine[tally.pattern]
    beside[own] = -1
    others, size = np.nonzero(beside >= 0)[0], len(tally.answers)
    weight = (tally.items / np.maximum(tally.answered - 1.0, 1.0))[tally.pattern[others]]
    table = add_up(beside[others] * size + tally.answer[others], weight, size * size)
    cells = np.nonzero(table)[0]
    first, second = np.divmod(cells, size)
    found = Tally(
        tally.answers, table[cells], np.arange(len(cells) + 1) * 2,  # parts of items
        answer=np.stack((first, second), axis=1).ravel(), count=np.ones(2 * len(cells), dtype=np.int64),
    )  # fmt: skip
    return found.anonymous()  # an answer that both gave is one entry


# -- in sentences ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reasons:
    """What the signs say of one cause, in sentences."""

    speaks_for: tuple[str, ...]
    speaks_against: tuple[str, ...]
    not_known: tuple[str, ...]


NO_EVIDENCE: Final = None  # of a sign that these data do not have: it speaks neither for anything nor against it
Sign: TypeAlias = tuple[str, tuple[str, ...] | None]  # a sentence, and the causes for which it speaks


def reasons_for(name: str, signs: Signs) -> Reasons:
    """Each sign in a sentence, on the side where it belongs."""
    sentences: list[Sign] = [sentence(signs) for sentence in (_of_labels, _of_people, _of_time, _of_repeats)]
    return Reasons(
        tuple(text for text, speaks in sentences if speaks is not None and name in speaks),
        tuple(text for text, speaks in sentences if speaks is not None and name not in speaks),
        tuple(text for text, speaks in sentences if speaks is None),
    )


def _of_labels(signs: Signs) -> Sign:
    found = signs.concentration
    if not signs.labelled:
        return "Where labels clash, because answers are not single labels.", NO_EVIDENCE
    if found is None:
        return f"Whether labels are confused; {signs.no_concentration}.", NO_EVIDENCE
    if found.p < CANDIDATE:
        return f"Disagreement sits in few pairs of labels ({found.share:.0%}), whoever is left out.", (GUIDELINES,)
    beside = signs.view.neighbours
    if beside is not None and beside.shown:
        return (
            f"Disagreement is between neighbours on the scale ({beside.share:.0%} of it, where their use would give "
            f"{beside.expected:.0%}): annotators differ by degree.",
            (),
        )
    if signs.spreads_by_use is None:
        return "Where labels clash; too few items are contested to tell.", NO_EVIDENCE
    if not signs.spreads_by_use:
        return "Disagreement sits in no few pairs of labels, nor is it spread by how often they are used.", ()
    return "Disagreement spreads over the pairs of labels by how often they are used.", (
        TRAINING,
        SUBJECTIVE,
        ANNOTATOR,
    )


def _of_people(signs: Signs) -> Sign:
    if signs.people < 3:
        return "Whether one annotator carries the disagreement; it takes a third to tell.", NO_EVIDENCE
    if signs.furthest is None or signs.distances is None:
        return "Whether one annotator carries the disagreement; nobody can be judged alone.", NO_EVIDENCE
    if signs.outlying:
        share = signs.distances.repaired_by(signs.outlying)
        who = "one annotator" if len(signs.outlying) == 1 else f"{len(signs.outlying)} annotators"
        if share < REPAIRS:
            return f"Only {max(share, 0):.0%} of the disagreement goes with {who} apart from the rest.", (
                GUIDELINES,
                SUBJECTIVE,
            )
        return f"{share:.0%} of the disagreement goes with {who}.", (TRAINING, ANNOTATOR)
    return _nobody_apart(signs, signs.distances)


def _nobody_apart(signs: Signs, distances: Distances) -> Sign:
    """Nobody is to be accused; said with what leaving somebody out would change, and with the groups there are."""
    clusters = signs.view.clusters
    if not isinstance(clusters, str) and clusters.shown:
        return "Annotators form two clusters, so that nobody stands apart alone.", (GUIDELINES,)
    people = distances.study._present.tolist()
    if len(people) > MOST_LEFT_OUT:
        return "No annotator stands apart from the rest for sure.", (GUIDELINES, SUBJECTIVE)
    best, change = max(
        zip(people, changes(distances, people), strict=True), key=lambda one: np.nan_to_num(one[1].change)
    )
    if not (change.change >= WORTH_A_WORD and change.interval.low > 0):
        return "No annotator stands apart: leaving one out repairs nothing.", (GUIDELINES, SUBJECTIVE)
    return (
        f"No annotator stands apart from the rest for sure, yet without {distances.study.annotators[best]} "
        f"{distances.main.title} would be {change.value:z.2f} instead of {distances.main.value:z.2f}.",
        (ANNOTATOR,),
    )


def _of_time(signs: Signs) -> Sign:
    if signs.time_course is None:
        return "When answers were given, and so whether practice helps.", NO_EVIDENCE
    slope = signs.time_course.slope
    if slope.p < CANDIDATE and slope.value < 0:
        return "Disagreement falls with practice.", (TRAINING,)
    if slope.p < CANDIDATE:
        return "Disagreement rises as annotators go on.", (ANNOTATOR,)
    return "Disagreement stays the same over time.", (GUIDELINES, SUBJECTIVE, ANNOTATOR)


def _of_repeats(signs: Signs) -> Sign:
    found = signs.repeats
    if found is None:
        return "Whether annotators agree with themselves; too few items were answered twice.", NO_EVIDENCE
    if found.p < CANDIDATE:
        return "Annotators agree with themselves more than with others.", (SUBJECTIVE, GUIDELINES)
    return "Annotators differ from themselves about as much as from others.", (TRAINING, ANNOTATOR)

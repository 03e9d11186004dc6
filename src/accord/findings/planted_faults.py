"""Planted faults: what the tests of this study would be on average if it held a fault, and how far they would vary.

Each is planted in the answers as they are, by its expectation. Nothing is drawn but some guessed items, with a fixed
seed; large studies are looked at by a random part of their patterns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.standard_errors import NORMAL
from accord.coefficients.student_t import below
from accord.findings.agreement_on_labels import BEYOND, LARGE, MUCH, share_by_hardness, share_by_use, tail_of_share
from accord.findings.compared_people import ComparedPeople
from accord.findings.copied_answers import APART
from accord.findings.distances import FEWEST, LEAST, PSEUDO, Distances
from accord.findings.hard_items import SEED, ItemAgreement
from accord.findings.study_view import View
from accord.findings.time_course import TimeCourse

GUESSED = 0.5  # of somebody's answers
SWAPPED = 0.25  # of the answers of two labels
HARD = 0.2  # of the items
MOST_ENTRIES, MOST_PATTERNS, DRAWS = 3_000, 2_000, 1_000  # looked at; a random part beyond
MOST_PAIRS, MOST_ROWS = 5, 500  # of whom one might copy the other, and items by which they are looked at
MOST_LEFT_OUT = 3  # annotators without whom two labels are looked at once more
MOST_COUNTED = 40  # answers of one item up to which their swaps are counted out


def design_of(view: View) -> float:
    """How much larger errors (squared) are because items come in clusters; 1 where that is not known."""
    return 1.0 if isinstance(view.distances, str) else view.distances.design


def beyond_normal(significance: float) -> float:
    """Beyond which a standard normal lies that seldom."""
    from scipy.special import ndtri

    return float(-ndtri(significance))


def beyond_student(significance: float, df: float | FloatArray) -> Any:
    """The same of Student's t."""
    from scipy.special import stdtrit

    return -stdtrit(df, significance)


# -- somebody who guesses ----------------------------------------------------------------------------------------------


def shown_apart(distances: Distances, marginals: FloatArray, significance: float) -> float | None:
    """The mean chance that an annotator would stand apart who guesses a part of the answers, by the labels' use."""
    entries = _entries(distances)
    gap, chance = _gaps(distances, entries)
    guessed = marginals if len(marginals) == chance.shape[1] else np.full(chance.shape[1], 1 / chance.shape[1])
    who, times = distances.who[entries], distances.tally.items[distances.tally.pattern[entries]].astype(np.float64)
    total = add_up(who, times, distances.people)
    items = distances.against_rest.items
    judged = np.nonzero((items >= FEWEST) & (total > 0))[0]
    if not len(judged):
        return 0.0
    squared = chance * chance  # as powers they take many times as long
    powers = zip((gap, gap**2, gap**2 * gap), (chance, squared, squared * chance), strict=True)
    moments = ((1 - GUESSED) * own + GUESSED * (drawn @ guessed) for own, drawn in powers)
    mean, square, cube = (divide(add_up(who, times * moment, distances.people), total) for moment in moments)
    number = items[judged] + PSEUDO
    excess = items[judged] * mean[judged] / number
    spread = items[judged] * square[judged] + PSEUDO * (distances.room / 2) ** 2 - number * excess**2
    error = np.sqrt(distances.design * np.maximum(spread, 1e-12) / (number - 1) / number)
    far = (excess - LEAST * distances.room) / error
    # Student's t of few skewed numbers: where most gaps are small and some large, its error grows with its mean
    variance = np.maximum(square - mean**2, 1e-12)[judged]
    skewness = (cube - 3 * mean * square + 2 * mean**3)[judged] / variance**1.5 / np.sqrt(number)
    centre, spread = far - skewness / 2, np.sqrt(np.clip(1 - far * skewness + far**2 / (2 * number), 0.25, 4.0))
    return float(below((centre - beyond_student(significance, number - 1)) / spread, NORMAL).mean())


def _entries(distances: Distances) -> IntArray:
    """The entries that tell of an annotator and the others: with two others, where most have; a random part of many."""
    three = distances._answered >= 3  # noqa: SLF001 - its own
    chosen = np.nonzero(three)[0] if 2 * three.sum() >= len(three) else np.arange(len(three))
    if len(chosen) > MOST_ENTRIES:
        chosen = np.sort(np.random.default_rng(SEED).choice(chosen, MOST_ENTRIES, replace=False))
    return chosen


def _gaps(distances: Distances, entries: IntArray) -> tuple[FloatArray, FloatArray]:
    """(E,) how much further an entry is from the others than they are from each other; (E, K) and each answer's."""
    tally, size = distances.tally, len(distances.tally.answers)
    patterns, place = np.unique(tally.pattern[entries], return_inverse=True)
    row = np.full(len(tally), -1)
    row[patterns] = np.arange(len(patterns))
    inside = row[tally.pattern] >= 0
    key = row[tally.pattern[inside]] * size + tally.answer[inside]
    counts = add_up(key, tally.count[inside], len(patterns) * size).reshape(-1, size)
    apart = distances.distance_table()
    others = tally.answered[tally.pattern[entries]] - 1.0
    chance = ((counts @ apart)[place] - apart[tally.answer[entries]]) / others[:, None]
    rest = np.where(np.isfinite(distances.rest[entries]), distances.rest[entries], distances.disagreement)
    return distances.own[entries] - rest, chance - rest[:, None]


# -- two labels taken for each other ----------------------------------------------------------------------------------


def shown_confused(view: View, significance: float, design: float) -> float:
    """Shown as a pair that holds more of the disagreement than random errors would give it."""
    one, other = sorted(np.argsort(-view.marginals, kind="stable")[:2].tolist())
    planted = _planted(view.tally, one, other, design)
    if not planted.units > 0:
        return 0.0
    share = planted.share
    marginals = view.marginals.copy()
    marginals[[one, other]] = (1 - SWAPPED) * marginals[[one, other]] + SWAPPED * marginals[[other, one]]
    found = view.confused
    others = (found.first != one) | (found.second != other)
    first, second = np.append(found.first[others], one), np.append(found.second[others], other)
    rest = found.share[others]
    shares = np.append(rest / max(float(rest.sum()), 1e-12) * (1 - share), share)
    in_use = int((marginals > 0).sum())
    by_use = BEYOND * float(share_by_use(marginals, np.array([one]), np.array([other]))[0])
    hardness = float(share_by_hardness(first, second, shares, in_use, len(marginals))[-1])
    pairs = in_use * (in_use - 1) / 2
    beside = ((first == one) | (first == other) | (second == one) | (second == other))[:-1]
    as_labels = planted.shown_above(by_use, significance, least=MUCH)
    if in_use >= 4:  # of fewer labels none is harder than the others; of these both limits must be passed
        moves = planted.error_beyond_hardness(float(shares[:-1][beside].sum()), in_use)
        as_labels = min(as_labels, planted.shown_above(hardness, significance, least=MUCH, error=moves))
    as_guidelines = planted.shown_above(by_use, significance / pairs, least=LARGE)
    without = _without_each(view) if as_guidelines > as_labels else []
    if without:
        left = _cautious_share([_planted(tally, one, other, design) for tally in without])
        shown = left.shown_above(by_use, significance / pairs, least=LARGE)
        # both must be shown, and are of the same answers but for one annotator's: between certain and independent
        as_guidelines = math.sqrt(as_guidelines * shown * min(as_guidelines, shown))
    return max(as_labels, as_guidelines)


def _without_each(view: View) -> list[Tally]:
    """The answers without one annotator after the other, at most a few of them.

    Guidelines must be unclear without the annotator furthest from the rest as well. Everybody takes the two labels for
    each other, so that it may be anybody who is then the furthest: without whoever is so now, errors would seem fewer
    than they are, and the two labels' share of them larger.
    """
    distances = view.distances
    if isinstance(distances, str) or distances.study.n_annotators < 3:
        return []
    judged = np.nonzero(np.isfinite(view.p_apart))[0]
    if not len(judged):
        return []
    chosen = judged[np.unique(np.linspace(0, len(judged) - 1, MOST_LEFT_OUT).astype(np.int64))]
    return [view.by_primary(distances.without(np.arange(distances.people) == one)).anonymous() for one in chosen]


def _cautious_share(planted: list[PlantedShare]) -> PlantedShare:
    """A share between the usual and the smallest, nearer to this, with the fewest units: whoever is the furthest holds
    more of them than anybody, and who that is differs as items do.
    """
    shares, error = [one.share for one in planted], max(one.error_of_items for one in planted)
    share = (float(np.mean(shares)) + 2 * min(shares)) / 3
    return PlantedShare(share, min(one.units for one in planted), error, error)


@dataclass(frozen=True)
class PlantedShare:
    """The share of the disagreement that two labels would hold, as how many items it counts, and its error."""

    share: float
    units: float
    error: float  # of these items: by chance other answers would be swapped
    error_of_items: float  # and if other items had been drawn

    def error_beyond_hardness(self, beside: float, in_use: int) -> float:
        """The error of the share less what two hard labels would hold: a limit that rises and falls with the share.

        With u = (what a label holds − 1 / (K − 1)) / (K − 2) the excess is linear in the shares: 1 − 2 / (K − 2) times
        that of the pair, less 1 / (K − 2) times those of the pairs that hold one of the two.
        """
        own, others = 1 - 2 / (in_use - 2), -1 / (in_use - 2)
        mean, square = own * self.share + others * beside, own**2 * self.share + others**2 * beside
        plain = max(self.share * (1 - self.share), 1e-9)
        return self.error * math.sqrt(max(square - mean**2, 0.0) / plain)

    def shown_above(self, limit: float, significance: float, *, least: float, error: float | None = None) -> float:
        """How likely it is seen so high above a limit that chance does not explain it, and as a share worth a word."""
        if limit >= 1 or self.share <= limit or not self.units > 0:
            return 0.0
        low, high = limit, 1.0
        for _ in range(30):
            middle = (low + high) / 2
            seldom = float(tail_of_share(np.array([middle]), np.array([limit]), self.units)[0]) < significance
            low, high = (low, middle) if seldom else (middle, high)
        spread = max(self.error if error is None else error, 1e-9)
        return float(below((self.share - max(high, least)) / spread, NORMAL)) if high < 1 else 0.0


def _planted(tally: Tally, one: int, other: int, design: float) -> PlantedShare:
    """The share of the disagreement that two labels hold once each is taken for the other now and then."""
    tally = tally.where(tally.pairable & (tally.answered <= MOST_COUNTED))
    items = tally.units
    if not len(tally):
        return PlantedShare(0.0, 0.0, 0.0, 0.0)
    if len(tally) > MOST_PATTERNS:
        items = np.random.default_rng(SEED).multivariate_hypergeometric(items, MOST_PATTERNS, method="marginals")
    answered = tally.answered.astype(np.float64)
    pairs = answered * (answered - 1)
    of_one, of_other = (
        tally.per_pattern(np.where(tally.answer == label, tally.count, 0)).astype(np.int64) for label in (one, other)
    )
    both = of_one + of_other
    squares = tally.per_pattern(np.where((tally.answer == one) | (tally.answer == other), 0, tally.count**2))
    beside = (answered**2 - squares - both**2) / pairs
    kinds, kind = np.unique(of_one * (MOST_COUNTED + 1) + of_other, return_inverse=True)
    moments = np.array([_swapped(int(key) // (MOST_COUNTED + 1), int(key) % (MOST_COUNTED + 1)) for key in kinds])
    first, second = 2 * moments[kind, 0] / pairs, 4 * moments[kind, 1] / pairs**2
    total = float(items @ (first + beside))
    if not total > 0:
        return PlantedShare(0.0, 0.0, 0.0, 0.0)
    share = float(items @ first) / total
    square = float(items @ (second + 2 * first * beside + beside**2))
    swaps = (1 - share) ** 2 * float(items @ (second - first**2))  # of these items, by which answers are swapped
    between = float(items @ ((1 - share) * first - share * beside) ** 2)
    scale = design * float(items.sum()) / max(tally.n_items, 1)  # where a part of the items stands for all
    errors = (math.sqrt(max(varies, 0.0) * scale) / total for varies in (swaps, swaps + between))
    return PlantedShare(share, total**2 / square / scale, *errors)


def _swapped(of_one: int, of_other: int) -> tuple[float, float]:
    """The mean of x (n − x) and of its square, x how many of n answers are of the one label after the swaps."""
    chances = np.array([1.0])
    for stays in [1 - SWAPPED] * of_one + [SWAPPED] * of_other:
        chances = np.convolve(chances, [1 - stays, stays])
    number = np.arange(len(chances))
    product = number * (len(chances) - 1.0 - number)
    return float(chances @ product), float(chances @ product**2)


# -- hard items --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlantedItems:
    """How far agreement would be spread beyond equal chances with some items guessed, and how that would vary."""

    beyond: float
    error: float
    error_by_chance: float  # if chances were equal
    shape: float  # of the gamma distribution by chance

    @classmethod
    def of(cls, view: View) -> PlantedItems:
        """The other items are as equal chances would have them, for whether they are is what is asked."""
        tally = view.tally.where(view.tally.answered >= 3)
        seen = ItemAgreement.of(tally)
        rng = np.random.default_rng(SEED)
        answered = seen.answered[rng.choice(len(seen.weight), 2 * DRAWS, p=seen.weight)]
        counts = rng.multinomial(answered[:DRAWS], seen.model.share)
        guessed = (counts * (counts - 1.0)).sum(1) / (answered[:DRAWS] * (answered[:DRAWS] - 1.0))
        known = seen.model.drawn(seen.mean, answered[DRAWS:], rng)
        weight = np.repeat([HARD / DRAWS, (1 - HARD) / DRAWS], DRAWS)
        planted = ItemAgreement.spread(answered, weight, np.append(guessed, known), seen.model.share)
        scores = planted.scores(planted.agreed, planted.variance)
        varies = max(float(planted.weight @ (scores - planted.beyond) ** 2), 1e-12)
        by_chance, skewness = planted.by_chance
        root = math.sqrt(design_of(view) / tally.n_items)
        shape = 4 * tally.n_items / max(skewness, 0.1) ** 2
        return cls(planted.beyond, math.sqrt(varies) * root, by_chance * root, shape)

    def shown(self, significance: float) -> float:
        """How likely that is seen as more than chance."""
        from scipy.special import gammainccinv

        standard = (float(gammainccinv(self.shape, significance)) - self.shape) / math.sqrt(self.shape)
        needed = standard * self.error_by_chance
        return float(below((self.beyond - needed) / self.error, NORMAL))


# -- an annotator who copies -------------------------------------------------------------------------------------------


def like_the_others(compared: ComparedPeople, pairs: BoolArray) -> float:
    """The mean chance that two of whom one copies seem neither more careful than the others nor of another kind.

    They then agree with the others as these do with each other, but for chance; where they seem not to, nothing is said
    of copies. What one has copied says nothing new, so that the agreement of both with the others is that of one.
    """
    likeness, rows = compared.likeness, len(compared.grid)
    grid = compared.grid[:: -(-rows // MOST_ROWS)]  # some of them tell the spread of all
    given = [np.pad(np.eye(len(likeness)), ((0, 1), (0, 0)))[grid[:, person]] for person in range(grid.shape[1])]
    counts = np.sum(given, axis=0)  # (items, K); −1, no answer, is a row of zeros
    first, second = np.nonzero(pairs)
    inside = []
    for place in np.unique(np.linspace(0, len(first) - 1, MOST_PAIRS).astype(np.int64)).tolist():
        one, two = given[first[place]], given[second[place]]
        others = counts - one - two
        number = others.sum(1)
        shared = (one.any(1)) & (number >= 2)
        one, others, number = one[shared], others[shared], number[shared]
        across = ((one @ likeness) * others).sum(1) / number
        within = ((others @ likeness) * others).sum(1) - others @ likeness.diagonal()
        beyond = (across - within / (number * (number - 1))) / compared.room
        if len(beyond) < FEWEST:
            continue
        mean, of_mean = float(beyond.mean()), max(float(beyond.std()) / math.sqrt(len(beyond)), 1e-9)
        real = mean * max(1 - (of_mean / mean) ** 2, 0.0) if mean else 0.0  # what of it is hardly chance
        error = of_mean * math.sqrt(len(grid) / rows)
        inside.append(float(below((APART - real) / error, NORMAL) - below((-APART - real) / error, NORMAL)))
    return float(np.mean(inside)) if inside else 0.0


# -- disagreement that rises -------------------------------------------------------------------------------------------


def spread_once_risen(course: TimeCourse, rise: float) -> float:
    """How many times larger the error of a slope is once disagreement has risen: more of it also varies more.

    A distance that is mostly 0 and else 1 has the variance d (1 − d), d its mean.
    """
    now = float(course.own.mean()) / max(float(course.own.max()), 1e-9)
    then = now + rise * float(course.onward.mean()) / max(float(course.own.max()), 1e-9)
    if not 0 < now < then < 1:
        return 1.0
    return math.sqrt(max(then * (1 - then) / (now * (1 - now)), 1.0))

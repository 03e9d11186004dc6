"""The oracle of `accord.coefficients`: every coefficient again, slowly, as an independent check.

Written from the definitions alone, in loops over pairs of answers; it shares no code with accord and uses no
array. A study is a list of items; an item is a dict from annotator to the answer that annotator gave (a
missing one is absent). `w(a, b)` says how alike two answers are, from 0 to 1, whichever comes first. The one formula is

    value = 1 - (1 - observed) / (1 - expected)

and the file reads in that order: observed, expected, the measures, their parts, uncertainty, weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple, TypeAlias

Answer: TypeAlias = Any  # a label, a number, or a frozenset of labels
Annotator: TypeAlias = Hashable
Item: TypeAlias = Mapping[Annotator, Answer]
Study: TypeAlias = Sequence[Item]
Labels: TypeAlias = Sequence[Answer]
Weight: TypeAlias = Callable[[Answer, Answer], float]
Shares: TypeAlias = dict[Answer, float]
Pair: TypeAlias = tuple[Annotator, Annotator]


class Parts(NamedTuple):
    """A coefficient and what it was made of; `value` is NaN when it is undefined."""

    observed: float
    expected: float
    value: float


Measure: TypeAlias = Callable[[Study, Labels, Weight], Parts]


# Studies from tables ----------------------------------------------------------------------------------------


def from_wide(rows: Sequence[Sequence[Answer]]) -> list[dict[Annotator, Answer]]:
    """Items in rows, annotators in columns, None for a missing answer."""
    return [{who: answer for who, answer in enumerate(row) if answer is not None} for row in rows]


def from_counts(rows: Sequence[Sequence[int]], labels: Labels) -> list[dict[Annotator, Answer]]:
    """Items in rows, labels in columns, how many annotators chose each; who they were is not known."""
    return from_wide([[label for label, count in zip(labels, row, strict=True) for _ in range(count)] for row in rows])


def from_confusion(table: Sequence[Sequence[int]], labels: Labels) -> list[dict[Annotator, Answer]]:
    """The first annotator's labels in rows, the second's in columns."""
    return [
        {0: first, 1: second}
        for first, row in zip(labels, table, strict=True)
        for second, count in zip(labels, row, strict=True)
        for _ in range(count)
    ]


def answered(study: Study) -> list[Item]:
    """The items somebody answered; the others do not exist."""
    return [item for item in study if len(item) >= 1]


def pairable(study: Study) -> list[Item]:
    """The items with two answers or more."""
    return [item for item in study if len(item) >= 2]


def annotators(study: Study) -> list[Annotator]:
    """Everybody who answered something, in order of first appearance."""
    return list(dict.fromkeys(who for item in study for who in item))


def only(study: Study, people: Collection[Annotator]) -> list[Item]:
    """The items that all these people answered, with their answers alone."""
    return [{who: item[who] for who in people} for item in study if all(who in item for who in people)]


def answer_pairs(item: Item) -> Iterator[Pair]:
    """Every ordered pair of different annotators who answered the item: r (r - 1) of them."""
    return permutations(item, 2)


# Observed ---------------------------------------------------------------------------------------------------


def observed_on(item: Item, w: Weight) -> float:
    """How alike the answers of one item are: the mean over its pairs of different answers."""
    return mean([w(item[g], item[h]) for g, h in answer_pairs(item)])


def observed_each_item_once(study: Study, w: Weight) -> float:
    """The mean over items with two answers or more, whatever their number of answers."""
    return mean([observed_on(item, w) for item in pairable(study)])


def observed_each_answer_once(study: Study, w: Weight) -> float:
    """The mean over pairable answers: an item of r answers counts r times (Krippendorff)."""
    return mean([observed_on(item, w) for item in pairable(study) for _ in item])


# Expected: one chance model each ----------------------------------------------------------------------------


def shares(answers: Sequence[Answer]) -> Shares:
    """How often each answer occurs, as shares of one."""
    return {answer: answers.count(answer) / len(answers) for answer in dict.fromkeys(answers)}


def pooled_marginals(study: Study) -> Shares:
    """The mean over items of the item's own shares: every item counts once."""
    items = answered(study)
    marginals: Shares = {}
    for item in items:
        for answer, share in shares(list(item.values())).items():
            marginals[answer] = marginals.get(answer, 0.0) + share / len(items)
    return marginals


def chance_agreement(left: Shares, right: Shares, w: Weight) -> float:
    """How alike one draw from each distribution are, on average."""
    if not left or not right:
        return math.nan
    return math.fsum(p * q * w(a, b) for a, p in left.items() for b, q in right.items())


def expected_pooled(study: Study, w: Weight) -> float:
    """Both answers drawn from the pooled marginals, every item counting once (Scott, Fleiss; Gwet for gaps)."""
    marginals = pooled_marginals(study)
    return chance_agreement(marginals, marginals, w)


def expected_pooled_counts(study: Study, w: Weight) -> float:
    """Both answers drawn from all answers given, every answer counting once."""
    marginals = shares([answer for item in study for answer in item.values()])
    return chance_agreement(marginals, marginals, w)


def own_marginals(study: Study, who: Annotator) -> Shares:
    """One annotator's shares over everything that annotator answered."""
    return shares([item[who] for item in study if who in item])


def expected_own(study: Study, w: Weight) -> float:
    """Each annotator draws from their own marginals; the mean over all pairs, with common items or not (Conger)."""
    own = [own_marginals(study, who) for who in annotators(study)]
    return mean([chance_agreement(left, right, w) for left, right in combinations(own, 2)])


def expected_uniform(labels: Labels, w: Weight) -> float:
    """Every declared label as likely as any other (Bennett, Brennan and Prediger)."""
    return mean([w(a, b) for a in labels for b in labels])


def expected_hesitant(study: Study, labels: Labels, w: Weight) -> float:
    """Only uncertain answers match by chance (Gwet); one declared label leaves nothing to hesitate between."""
    k = len(labels)
    if k < 2 or not answered(study):
        return math.nan
    alike = math.fsum(w(a, b) for a in labels for b in labels)
    hesitation = math.fsum(share * (1 - share) for share in pooled_marginals(study).values())
    return alike / (k * (k - 1)) * hesitation


def expected_without_replacement(study: Study, w: Weight) -> float:
    """Two different answers out of one bag that holds every pairable answer (Krippendorff)."""
    bag = [answer for item in pairable(study) for answer in item.values()]
    return mean([w(a, b) for a, b in permutations(bag, 2)])


# The formula and the measures -------------------------------------------------------------------------------


def mean(numbers: Sequence[float]) -> float:
    """The arithmetic mean; NaN of nothing."""
    return math.fsum(numbers) / len(numbers) if numbers else math.nan


def beyond_chance(observed: float, expected: float) -> Parts:
    """How far observed beats expected; undefined without pairs, or when chance alone matches everything."""
    certain = math.isclose(expected, 1, rel_tol=0, abs_tol=1e-14)
    return Parts(observed, expected, math.nan if certain else 1 - (1 - observed) / (1 - expected))


def percent_agreement(study: Study, labels: Labels, w: Weight) -> Parts:
    """Observed matching with nothing taken off for chance."""
    return beyond_chance(observed_each_item_once(study, w), 0.0)


def scott_pi(study: Study, labels: Labels, w: Weight) -> Parts:
    """Fleiss's kappa under the name it has for two annotators."""
    return fleiss_kappa(study, labels, w)


def fleiss_kappa(study: Study, labels: Labels, w: Weight) -> Parts:
    """Chance is the pooled marginals."""
    return beyond_chance(observed_each_item_once(study, w), expected_pooled(study, w))


def cohen_kappa(study: Study, labels: Labels, w: Weight) -> Parts:
    """Two annotators, the items both answered, each with their own marginals on those items."""
    people = annotators(study)
    if len(people) > 2:
        raise ValueError(people)
    return conger_kappa(only(study, people), labels, w)


def conger_kappa(study: Study, labels: Labels, w: Weight) -> Parts:
    """Everybody has their own marginals; averages first, one ratio."""
    return beyond_chance(observed_each_item_once(study, w), expected_own(study, w))


def light_kappa(study: Study, labels: Labels, w: Weight) -> Parts:
    """The mean of the pairs' Cohen kappas; pairs without common items or without a value are left out."""
    pairs = by_pair(study, labels, w, conger_kappa).values()
    defined = [pair for pair in pairs if not math.isnan(pair.value)]
    return Parts(
        mean([pair.observed for pair in defined]),
        mean([pair.expected for pair in defined]),
        mean([pair.value for pair in defined]),
    )


def brennan_prediger_kappa(study: Study, labels: Labels, w: Weight) -> Parts:
    """Chance is a fair die with the declared labels on its faces."""
    return beyond_chance(observed_each_item_once(study, w), expected_uniform(labels, w))


def gwet_ac(study: Study, labels: Labels, w: Weight) -> Parts:
    """AC1 for identity weights, AC2 for others."""
    return beyond_chance(observed_each_item_once(study, w), expected_hesitant(study, labels, w))


def weighted_alpha(study: Study, labels: Labels, w: Weight) -> Parts:
    """Krippendorff's alpha for similarities: pairable answers, drawn without replacement."""
    return beyond_chance(observed_each_answer_once(study, w), expected_without_replacement(study, w))


def krippendorff_alpha(study: Study, labels: Labels, level: str = "nominal", period: float | None = None) -> Parts:
    """Krippendorff's alpha for a level of measurement: 1 - D_o / D_e.

    Observed and expected are 1 - D / (the largest distance between two pairable answers), so that they
    lie in [0, 1]; on a circle the largest is half way round, whether or not two answers stand there.
    """
    distance = distance_of(level, study, labels, period)
    apart_observed = observed_each_answer_once(study, distance)
    apart_expected = expected_without_replacement(study, distance)
    bag = {answer for item in pairable(study) for answer in item.values()}
    largest = 1.0 if level == "circular" else max((distance(a, b) for a in bag for b in bag), default=0) or 1.0
    undefined = math.isnan(apart_expected) or apart_expected == 0
    value = math.nan if undefined else 1 - apart_observed / apart_expected
    return Parts(1 - apart_observed / largest, 1 - apart_expected / largest, value)


# Krippendorff's distances -----------------------------------------------------------------------------------


def distance_of(level: str, study: Study, labels: Labels, period: float | None = None) -> Weight:
    """The squared distance that a level of measurement implies; ordinal is the one that looks at the data."""
    if level == "ordinal":
        rank = mid_ranks(study, labels)
        return lambda a, b: (rank[a] - rank[b]) ** 2
    if level == "circular":
        round_trip = max(labels) - min(labels) + 1 if period is None else period
        return lambda a, b: math.sin(math.pi * (a - b) / round_trip) ** 2
    distances: dict[str, Weight] = {"nominal": nominal, "interval": interval, "ratio": ratio}
    return distances[level]


def nominal(a: Answer, b: Answer) -> float:
    """The same or not."""
    return float(a != b)


def interval(a: float, b: float) -> float:
    """The squared difference."""
    return (a - b) ** 2


def ratio(a: float, b: float) -> float:
    """The squared difference relative to the sum; two zeros are the same."""
    return 0.0 if a == b else ((a - b) / (a + b)) ** 2


def mid_ranks(study: Study, labels: Labels) -> Shares:
    """Where each label stands among the pairable answers: all lower ones and half of its own."""
    bag = [answer for item in pairable(study) for answer in item.values()]
    rank: Shares = {}
    lower = 0
    for label in labels:
        own = bag.count(label)
        rank[label] = lower + own / 2
        lower += own
    return rank


# Parts of a coefficient -------------------------------------------------------------------------------------


class OfItem(NamedTuple):
    """One item's share in a coefficient: weights sum to one, and weight times value to the coefficient."""

    observed: float
    value: float
    weight: float


def by_item(study: Study, w: Weight, expected: float, *, each_answer_once: bool = False) -> list[OfItem]:
    """Every item against the study's expected matching; an item of fewer than two answers weighs nothing."""
    counts = [(len(item) if each_answer_once else 1) if len(item) >= 2 else 0 for item in study]
    rows = []
    for item, count in zip(study, counts, strict=True):
        observed, _, value = beyond_chance(observed_on(item, w), expected)
        rows.append(OfItem(observed, value, count / sum(counts) if any(counts) else 0.0))
    return rows


def by_label(study: Study, labels: Labels, measure: Measure = fleiss_kappa) -> dict[Answer, Parts]:
    """Each label against all the rest together: pooled chance unless another measure is asked for."""

    def only_whether(label: Answer) -> list[Item]:
        return [{who: answer == label for who, answer in item.items()} for item in study]

    return {label: measure(only_whether(label), (True, False), identity) for label in labels}


def by_pair(study: Study, labels: Labels, w: Weight, measure: Measure) -> dict[Pair, Parts]:
    """The measure for every two annotators, on the items both answered."""
    return {pair: measure(only(study, pair), labels, w) for pair in combinations(annotators(study), 2)}


def by_annotator(
    study: Study, w: Weight, expected: float | None = None, *, each_answer_once: bool = False
) -> dict[Annotator, Parts]:
    """Each annotator's pairs of answers with the others', a pair weighing what it weighs in the coefficient.

    `expected` is the study's; None is chance by own marginals: the mean over the pairs with this annotator.
    """
    people = annotators(study)
    rows = {}
    for who in people:
        alike, weight = 0.0, 0.0
        for item in pairable(study):
            r = len(item)
            for g, h in answer_pairs(item):
                if who in (g, h):
                    share = 1 / (r - 1) if each_answer_once else 1 / (r * (r - 1))
                    alike += share * w(item[g], item[h])
                    weight += share
        by_chance = expected
        if by_chance is None:
            own, others = own_marginals(study, who), [other for other in people if other != who]
            by_chance = mean([chance_agreement(own, own_marginals(study, other), w) for other in others])
        rows[who] = beyond_chance(alike / weight if weight else math.nan, by_chance)
    return rows


# Uncertainty ------------------------------------------------------------------------------------------------


def jackknife_se(study: Study, value: Callable[[Study], float]) -> float:
    """The standard error over items, leaving out each in turn; pass `pairable(study)` for alpha."""
    n = len(study)
    if n < 2:
        return math.nan
    without = [value([*study[:i], *study[i + 1 :]]) for i in range(n)]
    centre = mean(without)
    return math.sqrt((n - 1) / n * math.fsum((one - centre) ** 2 for one in without))


# Weights for single labels (Gwet, Handbook of Inter-Rater Reliability, 4th ed. 2014) ------------------------


def identity(a: Answer, b: Answer) -> float:
    """The same or not."""
    return float(a == b)


def gwet_weights(name: str, labels: Labels) -> Weight:
    """Gwet's weights by name: one minus a distance, as a share of the largest distance on the scale.

    A label counts as its value where all labels are numbers, else as its place on the scale; for ordinal
    weights always as its place.
    """
    place = {label: float(k) for k, label in enumerate(labels, start=1)}
    numeric = all(isinstance(label, int | float) for label in labels)
    score = {label: float(label) for label in labels} if numeric and name != "ordinal" else place
    low, high = min(score.values()), max(score.values())

    def apart(a: Answer, b: Answer) -> float:
        x, y = score[a], score[b]
        if x == y:
            return 0.0
        steps = abs(x - y)
        match name:
            case "identity":
                return 1.0
            case "linear":
                return steps
            case "quadratic":
                return steps**2
            case "radical":
                return math.sqrt(steps)
            case "ordinal":
                return steps * (steps + 1) / 2
            case "ratio":
                return (steps / (x + y)) ** 2
            case "circular":
                return math.sin(math.pi * steps / (high - low + 1)) ** 2
            case "bipolar":
                return steps**2 / ((x + y - 2 * low) * (2 * high - x - y))
        raise ValueError(name)

    largest = max(apart(a, b) for a in labels for b in labels) or 1.0
    return lambda a, b: 1 - apart(a, b) / largest


# Weights for sets of labels ---------------------------------------------------------------------------------


def jaccard(a: frozenset[Answer], b: frozenset[Answer]) -> float:
    """Shared labels out of all labels; two empty sets are alike."""
    return len(a & b) / len(a | b) if a | b else 1.0


def dice(a: frozenset[Answer], b: frozenset[Answer]) -> float:
    """Shared labels out of the mean size; two empty sets are alike."""
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def masi(a: frozenset[Answer], b: frozenset[Answer]) -> float:
    """Jaccard times monotonicity: 1 equal, 2/3 one within the other, 1/3 overlapping, 0 disjoint.

    Passonneau, Measuring agreement on set-valued items (MASI), LREC 2006; two empty sets are alike.
    """
    if a == b:
        monotonicity = 1.0
    elif a <= b or b <= a:
        monotonicity = 2 / 3
    elif a & b:
        monotonicity = 1 / 3
    else:
        monotonicity = 0.0
    return jaccard(a, b) * monotonicity


def mass_of(answer: tuple[Answer, ...], primary: float) -> dict[Answer, float]:
    """A ranked answer as mass: all on one label, or a share on the primary and the rest on the secondary."""
    return {answer[0]: 1.0} if len(answer) == 1 else {answer[0]: primary, answer[1]: 1 - primary}


def shared_mass(primary: float) -> Weight:
    """Σ of products of masses: an answer with a secondary label is not fully like itself."""

    def alike(a: Any, b: Any) -> float:
        other = mass_of(b, primary)
        return math.fsum(mass * other.get(label, 0.0) for label, mass in mass_of(a, primary).items())

    return alike


def overlap(primary: float) -> Weight:
    """Σ of minima of masses."""

    def alike(a: Any, b: Any) -> float:
        other = mass_of(b, primary)
        return math.fsum(min(mass, other.get(label, 0.0)) for label, mass in mass_of(a, primary).items())

    return alike


def gwet_alpha_errors(ratings: Sequence[Sequence[Answer]], labels: Labels) -> tuple[float, float]:
    """Gwet's standard error of the nominal alpha: with the plain observed part, and with the one pulled to 1."""
    counts = [[row.count(label) for label in labels] for row in ratings]
    counts = [row for row in counts if sum(row) >= 2]
    n, answers = len(counts), sum(map(sum, counts))
    marginals = [sum(column) / answers for column in zip(*counts, strict=True)]
    expected = sum(share**2 for share in marginals)
    size = [sum(row) * n / answers for row in counts]  # answers of an item, where 1 is the mean
    agreed = [sum(r * (r - 1) for r in row) / (sum(row) * (sum(row) - 1)) for row in counts]
    by_chance = [sum(r * share for r, share in zip(row, marginals, strict=True)) / sum(row) for row in counts]
    observed = sum(s * a for s, a in zip(size, agreed, strict=True)) / n
    value = (observed - expected) / (1 - expected)

    def error(centre: float) -> float:
        squares = 0.0
        for s, a, e in zip(size, agreed, by_chance, strict=True):
            own = s * a - centre * (s - 1)
            chance = s * e - expected * (s - 1)
            squares += ((own - observed) / (1 - expected) - 2 * (1 - value) * (chance - expected) / (1 - expected)) ** 2
        return math.sqrt(squares / (n * (n - 1)))

    return error(observed), error(observed + (1 - observed) / answers)


def by_name(name: str, study: Study, labels: Labels) -> Parts:
    """A nominal coefficient by the name that accord gives it."""
    if name == "krippendorff_alpha":
        return krippendorff_alpha(study, labels)
    measure: Measure = globals()[name]
    return measure(study, labels, identity)

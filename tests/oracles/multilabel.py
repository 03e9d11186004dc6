"""The oracle of `accord.multilabel`: three papers, symbol for symbol, in loops without accord or arrays.

A study is a list of items; an item is a dict from annotator to answer: a tuple of labels by rank (Rosenberg &
Binkowski), a frozenset of labels (Bhowmick et al.), a label (DiPietro & Hazari). A missing answer is absent.
Where the papers suppose that everybody answers everything, the comments say what is done instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

Item: TypeAlias = Mapping[str, Any]
Study: TypeAlias = Sequence[Item]
Matrix: TypeAlias = list[dict[Any, float]]


class Parts(NamedTuple):
    """What a coefficient was made of; NaN where it is undefined."""

    observed: float
    expected: float
    value: float


UNDEFINED = Parts(math.nan, math.nan, math.nan)


def beyond_chance(observed: float, expected: float) -> Parts:
    """(p(A) − p(E)) / (1 − p(E))."""
    if math.isnan(observed) or math.isnan(expected) or abs(1 - expected) < 1e-12:
        return Parts(observed, expected, math.nan)
    return Parts(observed, expected, (observed - expected) / (1 - expected))


def people(study: Study) -> list[str]:
    """Everybody who answered something."""
    return sorted({who for item in study for who in item})


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, NaN of nothing."""
    return math.fsum(values) / len(values) if values else math.nan


# Rosenberg & Binkowski 2004 -----------------------------------------------------------------------------------


def annotation_row(answer: tuple[Any, ...], p: float | Sequence[float]) -> dict[Any, float]:
    """A row of M: 1 under a single label; p and 1 − p; or the weights of the ranks used, in proportion.

    Tied labels are a tuple at their rank. They share its weight, and no label has less than a later one: each has the
    least over where a stretch of labels up to it begins, of the most over where it ends, of the stretch's mean.
    """
    groups = [held if isinstance(held, tuple) else (held,) for held in answer]
    labels = [label for held in groups for label in held]
    if len(labels) == 1:
        return {labels[0]: 1.0}
    ranks = [p, 1 - p] if isinstance(p, float | int) else list(p)
    each = [weight / len(held) for weight, held in zip(ranks, groups, strict=False) for _ in held]
    ends = range(1, len(each) + 1)
    used = [
        min(max(mean(each[start:end]) for end in ends if end > at) for start in range(at + 1))
        for at in range(len(each))
    ]
    return {label: weight / math.fsum(used) for label, weight in zip(labels, used, strict=True)}


def frequencies(matrix: Matrix) -> dict[Any, float]:
    """Freq[y] = Σ_x M[x, y] / N."""
    labels = {label for row in matrix for label in row}
    return {label: math.fsum(row.get(label, 0.0) for row in matrix) / len(matrix) for label in labels}


def augmented_kappa(study: Study, one: str, other: str, p: Any) -> Parts:
    """Sections 5.1 to 5.3 for two annotators, on the items both answered."""
    both = [item for item in study if one in item and other in item]
    if not both:
        return UNDEFINED
    A = [annotation_row(item[one], p) for item in both]
    B = [annotation_row(item[other], p) for item in both]
    alpha = math.fsum(a[y] * b.get(y, 0.0) for a, b in zip(A, B, strict=True) for y in a)
    freq_a, freq_b = frequencies(A), frequencies(B)
    return beyond_chance(alpha / len(both), math.fsum(freq_a[y] * freq_b.get(y, 0.0) for y in freq_a))


def overlap_kappa(study: Study, one: str, other: str, p: Any) -> Parts:
    """Σ min instead of products; chance is the overlap of every answer of one with every answer of the other."""
    both = [item for item in study if one in item and other in item]
    if not both:
        return UNDEFINED
    A = [annotation_row(item[one], p) for item in both]
    B = [annotation_row(item[other], p) for item in both]

    def shared(a: dict[Any, float], b: dict[Any, float]) -> float:
        return math.fsum(min(a[y], b.get(y, 0.0)) for y in a)

    return beyond_chance(
        mean([shared(a, b) for a, b in zip(A, B, strict=True)]), mean([shared(a, b) for a in A for b in B])
    )


def mean_of_pairs(study: Study, kappa: Callable[..., Parts], p: Any) -> Parts:
    """One kappa per pair, then the mean over the pairs that have one."""
    found = [kappa(study, one, other, p) for one, other in combinations(people(study), 2)]
    defined = [parts for parts in found if not math.isnan(parts.value)]
    return Parts(*(mean([parts[k] for parts in defined]) for k in range(3))) if defined else UNDEFINED


def agreement_matrix(study: Study, one: str, other: str, p: Any, shared: Callable[..., float]) -> Matrix:
    """Ag[x, y] of section 5.1 on the items both answered: M_A[x, y] · M_B[x, y], or their minimum."""
    both = [item for item in study if one in item and other in item]
    labels = {label for item in both for who in (one, other) for label in item[who]}
    rows = [(annotation_row(item[one], p), annotation_row(item[other], p)) for item in both]
    return [{y: shared(a.get(y, 0.0), b.get(y, 0.0)) for y in labels} for a, b in rows]


def label_of_pair(study: Study, one: str, other: str, label: Any, p: Any, shared: Callable[..., float]) -> Parts:
    """A label against the rest for two annotators: each answer as two shares, the label's and the remainder's."""
    both = [item for item in study if one in item and other in item]
    a, b = ([annotation_row(item[who], p).get(label, 0.0) for item in both] for who in (one, other))

    def alike(x: float, y: float) -> float:
        return shared(x, y) + shared(1 - x, 1 - y)

    observed = mean([alike(x, y) for x, y in zip(a, b, strict=True)])
    return beyond_chance(observed, mean([alike(x, y) for x in a for y in b]))


def label_value(study: Study, label: Any, kappa: Callable[..., Parts], p: Any, shared: Callable[..., float]) -> Parts:
    """The mean over the pairs that have a kappa, weighted by 1 / (1 − p(E)): as each counts in the mean of kappas."""
    found = []
    for one, other in combinations(people(study), 2):
        whole = kappa(study, one, other, p)
        if not math.isnan(whole.value):
            found.append((1 / (1 - whole.expected), label_of_pair(study, one, other, label, p, shared)))
    total = math.fsum(weight for weight, _ in found)
    if not found:
        return UNDEFINED
    observed, expected = (math.fsum(weight * parts[k] for weight, parts in found) / total for k in (0, 1))
    return beyond_chance(observed, expected)


def item_agreement(item: Item, p: Any) -> float:
    """Ag of one item: the mean over its annotator pairs of Σ_y M_A M_B."""
    found = []
    for one, other in combinations(sorted(item), 2):
        a, b = annotation_row(item[one], p), annotation_row(item[other], p)
        found.append(math.fsum(a[y] * b.get(y, 0.0) for y in a))
    return mean(found)


def item_kappa(study: Study, number: int, p: Any) -> float:
    """κ′ of one item: the mean over its annotator pairs, each against that pair's p(E); equal common items supposed."""
    item, found = study[number], []
    for one, other in combinations(sorted(item), 2):
        expected = augmented_kappa(study, one, other, p).expected
        a, b = annotation_row(item[one], p), annotation_row(item[other], p)
        agreed = math.fsum(a[y] * b.get(y, 0.0) for y in a)
        found.append((agreed - expected) / (1 - expected))
    return mean(found)


def combination(first: tuple[Any, ...], second: tuple[Any, ...]) -> str:
    """The paper's name for two answers: labels get letters in the order in which they come up."""
    if (len(second), len(first)) > (len(first), len(second)):
        first, second = second, first
    named = _lettered(first, second), _lettered(second, first)
    known = (
        "{a,a}",
        "{a,b}",
        "{ab,a}",
        "{ab,b}",
        "{ab,c}",
        "{ab,ab}",
        "{ab,ba}",
        "{ab,ac}",
        "{ab,bc}",
        "{ab,cd}",
        "{ab,cb}",
    )
    return next(name for name in named if name in known)


def _lettered(first: tuple[Any, ...], second: tuple[Any, ...]) -> str:
    letters: dict[Any, str] = {}
    for label in (*first, *second):
        letters.setdefault(label, "abcd"[len(letters)])
    return "{" + "".join(letters[x] for x in first) + "," + "".join(letters[x] for x in second) + "}"


# Bhowmick, Mitra & Basu 2008 ----------------------------------------------------------------------------------


def combination_of(answer: frozenset[Any], pair: tuple[Any, Any]) -> tuple[int, int]:
    """An annotator's answer to a category pair: < 0, 0 > to < 1, 1 >."""
    return int(pair[0] in answer), int(pair[1] in answer)


def observed_agreement(study: Study, categories: Sequence[Any], similar: Callable[..., float] | None = None) -> float:
    """(2) to (4); an item counts by its own annotator pairs, and an item with a single answer not at all."""
    S = list(combinations(categories, 2))
    by_item = []
    for item in study:
        pairs = list(combinations(sorted(item), 2))
        if not pairs or not S:
            continue
        n = math.fsum(agrees(item[x], item[y], p, similar) for p in S for x, y in pairs)
        by_item.append(n / (len(S) * len(pairs)))
    return mean(by_item)


def agrees(
    one: frozenset[Any], other: frozenset[Any], p: tuple[Any, Any], similar: Callable[..., float] | None
) -> float:
    """U1.C1 = U2.C1 and U1.C2 = U2.C2; with a similarity, [1 0] against [0 1] counts by it."""
    g, h = combination_of(one, p), combination_of(other, p)
    if g == h:
        return 1.0
    return similar(*p) if similar is not None and {g, h} == {(0, 1), (1, 0)} else 0.0


def expected_agreement(
    study: Study, categories: Sequence[Any], *, clubbed: bool, similar: Callable[..., float] | None = None
) -> float:
    """(5) to (8); an annotator's proportions are over the items that annotator answered."""
    S, U = list(combinations(categories, 2)), people(study)
    W = list(combinations(U, 2))
    if not S or not W:
        return math.nan
    total = []
    for p in S:
        share = {u: _proportions(study, u, p, clubbed=clubbed) for u in U}
        for x, y in W:
            matched = math.fsum(share[x].get(g, 0.0) * share[y].get(g, 0.0) for g in share[x])
            if similar is not None and not clubbed:
                up, down = (0, 1), (1, 0)
                crossed = share[x].get(up, 0.0) * share[y].get(down, 0.0) + share[x].get(down, 0.0) * share[y].get(
                    up, 0.0
                )
                matched += similar(*p) * crossed
            total.append(matched)
    return math.fsum(total) / (len(S) * len(W))


def _proportions(study: Study, u: str, p: tuple[Any, Any], *, clubbed: bool) -> dict[Any, float]:
    given = [combination_of(item[u], p) for item in study if u in item]
    if clubbed:
        given = [(0, 1) if g == (1, 0) else g for g in given]
    return {g: given.count(g) / len(given) for g in given}


def am(study: Study, categories: Sequence[Any], *, clubbed: bool, similar: Callable[..., float] | None = None) -> Parts:
    """(1)."""
    return beyond_chance(
        observed_agreement(study, categories, similar),
        expected_agreement(study, categories, clubbed=clubbed, similar=similar),
    )


# DiPietro & Hazari 2022 ---------------------------------------------------------------------------------------


class Differential(NamedTuple):
    """The parts of (13)."""

    R: float
    S: float
    C_E: float
    C_F: float
    value: float


def dh_kappa(study: Study, suggested: Sequence[Any], categories: Sequence[Any]) -> Differential:
    """(4) to (13); C is the mean over items of the item's own shares, R and S are over the item's own pairs."""
    items = [(list(item.values()), ell) for item, ell in zip(study, suggested, strict=True) if item and ell is not None]
    n = len(items)
    C = {c: mean([P.count(c) / len(P) for P, _ in items]) for c in categories}
    L = {c: mean([float(ell == c) for _, ell in items]) for c in categories}
    C_E = math.fsum(C[j] ** 2 * L[j] for j in categories)
    C_F = math.fsum(L[i] * math.fsum(C[j] ** 2 for j in categories if j != i) for i in categories)
    pairable = [(P, ell) for P, ell in items if len(P) >= 2]
    R = mean([math.comb(P.count(ell), 2) / math.comb(len(P), 2) for P, ell in pairable])
    S = mean([math.fsum(math.comb(P.count(c), 2) for c in categories if c != ell) / math.comb(len(P), 2)
              for P, ell in pairable])  # fmt: skip
    if not n or not pairable:
        return Differential(math.nan, math.nan, math.nan, math.nan, math.nan)
    return Differential(R, S, C_E, C_F, beyond_chance(R - S, C_E - C_F).value)


def dh_matrices(A: Sequence[Sequence[int]], ell: Sequence[int]) -> Fraction:
    """The procedural instructions of (14), in exact fractions; the same number of annotators on every item."""
    n, m, N = len(A), len(A[0]), sum(A[0])
    B = [[int(j == label) for j in range(m)] for label in ell]
    C = [Fraction(sum(A[i][j] for i in range(n)), N * n) for j in range(m)]
    L = [Fraction(sum(B[i][j] for i in range(n)), n) for j in range(m)]
    C_E = sum((C[j] * C[j] * L[j] for j in range(m)), Fraction(0))
    T = [[C[j] * (i != j) for j in range(m)] for i in range(m)]
    C_F = sum((sum((t * t for t in T[i]), Fraction(0)) * L[i] for i in range(m)), Fraction(0))
    f = [[math.comb(a, 2) for a in row] for row in A]
    R = Fraction(sum(f[i][j] * B[i][j] for i in range(n) for j in range(m)), math.comb(N, 2) * n)
    S = Fraction(sum(f[i][j] * (1 - B[i][j]) for i in range(n) for j in range(m)), math.comb(N, 2) * n)
    return ((R - S) - (C_E - C_F)) / (1 - (C_E - C_F))


def maximum(study: Study, p: float) -> float:
    """For each pair the better of the two studies in which one repeats the other; then the mean over the pairs."""
    found = []
    for one, other in combinations(people(study), 2):
        both = [item for item in study if one in item and other in item]
        if math.isnan(augmented_kappa(both, one, other, p).value):
            continue
        copied = [[{one: item[who], other: item[who]} for item in both] for who in (one, other)]
        values = [augmented_kappa(items, one, other, p).value for items in copied]
        found.append(max(value for value in values if not math.isnan(value)))
    return mean(found)


def with_one_label_for_two(answer: Any, one: str, two: str) -> Any:
    """An answer, ranked or a set, in which the two are one label, which stands where the first of them stood."""
    if one not in answer or two not in answer:
        return answer
    name = " + ".join(sorted((one, two)))
    if isinstance(answer, frozenset):
        return answer - {one, two} | {name}
    place = min(answer.index(one), answer.index(two))
    kept = [label for label in answer if label not in (one, two)]
    return (*kept[:place], name, *kept[place:])

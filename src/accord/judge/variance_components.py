"""Where the noise of repeated answers comes from: variance components on the scale of matching answers.

Take two answers at random. How often they match depends on what they share: the item, the prompt, the temperature.
Write each answer as a vector of zeros with a one at its label, and let it be a sum of random effects, one for each set
of factors; then the chance that two answers match which share exactly the factors S is m(S) = Σ σ²(T) over T within S.
So each σ² is a difference of shares of matching pairs: Koch's symmetric sums (1967), with every pair counting alike.
They need no balance, no normal distribution and no iteration; they can come out below zero by chance, as all unbiased
components can. σ² of all sets together with what is left over is 1 − m(∅), the chance that two answers that share
nothing differ.

Errors are by leaving out one block of items after another. So the interval of a component that has no item in it, such
as the prompt's own, speaks of other items with these very prompts, and holds their variance as often as it says. What
other prompts would do, a few hardly tell: if prompts differ normally, L of them leave the variance open to factors of
(L − 1)/χ². These are told in words, for as an interval they would reach from nothing to everything.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.factorize import Coded
from accord.coefficients.standard_errors import limits
from accord.errors import Keyword, MayBeNames, Message, OptionError, quoted

Factors: TypeAlias = frozenset[str]

BLOCKS = 20
MOST_LEVELS = 1_000  # of a facet: prompts, temperatures, seeds are few
MOST_FACETS = 4
CELLS = 20_000_000  # of a table of counts
ITEM = "item"


@dataclass(frozen=True, eq=False)
class FacetedAnswers:
    """Answers as codes, with the item and the level of each facet."""

    item: IntArray
    answer: IntArray
    answers: int  # how many there are
    facets: Mapping[str, IntArray]  # −1: no level
    levels: Mapping[str, int]

    @classmethod
    def of(cls, item: IntArray, answer: IntArray, answers: int, facets: Mapping[str, Coded]) -> FacetedAnswers:
        """Answers that have a level of every facet; facets with one level are not among them."""
        codes_of_facet = {name: column.codes for name, column in facets.items()}
        present = np.ones(len(item), dtype=np.bool_)
        for codes in codes_of_facet.values():
            present &= codes >= 0
        _, again = np.unique(item[present], return_inverse=True)
        used, sizes = {}, {}
        for name, codes in codes_of_facet.items():
            levels, moved = np.unique(codes[present], return_inverse=True)
            if len(levels) > MOST_LEVELS:
                raise OptionError(
                    "A facet has few levels (prompts, temperatures, seeds); ",
                    quoted(name),
                    f" has {len(levels):,}. Number the runs 1, 2, 3 … within each item.",
                )
            if len(levels) > 1:
                used[name], sizes[name] = moved, len(levels)
        return cls(again, answer[present], answers, used, sizes)

    @property
    def factors(self) -> tuple[str, ...]:
        """The item, then the facets."""
        return (ITEM, *self.facets)


def components(repeats: FacetedAnswers, confidence: float) -> Table:
    """One row per component: its size, its share of the whole and of the noise."""
    matched, pairs = _exactly(repeats)
    if not len(matched) or not pairs[frozenset()][0] > 0:
        return _table([], np.empty((0, 1)), math.nan, confidence, [], ("There are too few answers to compare.",))
    whole = frozenset(repeats.factors)
    found: dict[Factors, FloatArray] = {}
    for factors in sorted(matched, key=lambda some: (len(some), sorted(some))):
        if factors == whole or not pairs[factors][0] > 0:
            continue
        below = [value for smaller, value in found.items() if smaller < factors]
        found[factors] = divide(matched[factors], pairs[factors]) - np.sum(below, axis=0)
    chance = found.pop(frozenset())
    explained = chance + np.sum(list(found.values()), axis=0)
    rows = [(_called(factors, repeats), value) for factors, value in found.items()]
    together = _called(whole, repeats)
    if pairs[whole][0] > 0:
        same = divide(matched[whole], pairs[whole])
        rows += [(together, same - explained), ("the very same again", 1 - same)]
    else:
        rows.append((f"left over ({together}, and the very same again)", 1 - explained))
    names, values = [name for name, _ in rows], np.stack([value for _, value in rows])
    fixed = [_facets_alone(factors, repeats) for factors in found] + [()] * (len(rows) - len(found))
    return _table(
        names, values, 1 - chance[0], confidence, fixed, _other_levels(fixed, values[:, 0], repeats, confidence)
    )


def _facets_alone(factors: Factors, repeats: FacetedAnswers) -> tuple[str, ...]:
    """The facets of a component without the item: its interval speaks of their levels only."""
    return () if ITEM in factors else tuple(name for name in repeats.factors if name in factors)


def _other_levels(
    fixed: Sequence[tuple[str, ...]], variances: FloatArray, repeats: FacetedAnswers, confidence: float
) -> list[str]:
    """What is not known of levels that nobody tried, in a sentence for each facet."""
    from scipy.special import gammaincinv

    notes: list[str] = []
    for facets, variance in zip(fixed, variances.tolist(), strict=True):
        if len(facets) != 1:
            continue
        levels = repeats.levels[facets[0]]
        df = levels - 1
        low, high = (df / (2 * gammaincinv(df / 2, (1 + side * confidence) / 2)) for side in (1, -1))
        others = f"{levels} that hardly differ do not show what others would do."
        if variance > 0:
            others = (
                f"among other levels the variance may well be {low:.2g} to {high:,.3g} times this one "
                f"(chi-squared with {df:,} df, if levels differ normally)."
            )
        spoken = f" speaks of its {levels} levels here, on other items; {others}"
        notes.append(Message("The interval of ", MayBeNames(facets[0]), spoken))
    return notes


def _called(factors: Factors, repeats: FacetedAnswers) -> str:
    return " × ".join(name for name in repeats.factors if name in factors)


def _table(
    names: list[str],
    values: FloatArray,
    total: float,
    confidence: float,
    fixed: Sequence[tuple[str, ...]],
    notes: Sequence[str],
) -> Table:
    value = values[:, 0]
    blocks = values.shape[1] - 1
    error = np.full(len(names), np.nan)
    if blocks > 1:
        spread = values[:, 1:] - values[:, 1:].mean(axis=1, keepdims=True)
        error = np.sqrt((blocks - 1) / blocks * (spread**2).sum(axis=1))
    low, high = limits(value, error, df=max(blocks - 1, 1), confidence=confidence)
    noise = np.where([name == ITEM for name in names], 0.0, np.maximum(value, 0.0))
    return Table(
        "Where answers differ: variance components",
        {
            "component": names,
            "variance": value,
            "low": low,
            "high": high,
            "share": divide(value, total) if len(names) else value,
            "share_of_noise": np.where([name == ITEM for name in names], np.nan, divide(noise, noise.sum()))
            if len(names)
            else value,
            "interval_over": [
                f"items, with these levels of {' and '.join(facets)}" if facets else "items" for facets in fixed
            ],
        },
        (
            *notes,
            "Shares of matching pairs of answers that share just these factors (Koch's symmetric sums); below zero by "
            "chance counts as zero noise.",
        ),
    )


def _exactly(repeats: FacetedAnswers) -> tuple[dict[Factors, FloatArray], dict[Factors, FloatArray]]:
    """For each set of factors the ordered pairs that share exactly these: how many match, and how many there are.

    Each is an array: for all items, then without each block of them.
    """
    sets = [frozenset(some) for size in range(len(repeats.factors) + 1) for some in combinations(repeats.factors, size)]
    least = {factors: _at_least(repeats, factors) for factors in sets}
    exact = []
    for part in (0, 1):
        exact.append(
            {
                factors: np.sum(
                    [
                        (-1.0) ** (len(larger) - len(factors)) * least[larger][part]
                        for larger in sets
                        if larger >= factors
                    ],
                    axis=0,
                )
                for factors in sets
            }
        )
    return exact[0], exact[1]


def _at_least(repeats: FacetedAnswers, factors: Factors) -> tuple[FloatArray, FloatArray]:
    """Ordered pairs that share these factors and perhaps more: matching ones, and all."""
    items = int(repeats.item.max(initial=-1)) + 1
    blocks = min(BLOCKS, items)
    group, size = np.zeros(len(repeats.item), dtype=np.int64), 1
    for name in sorted(factors - {ITEM}):
        group, size = group * repeats.levels[name] + repeats.facets[name], size * repeats.levels[name]
    if ITEM not in factors:
        return _between_items(repeats, group, size, blocks)
    group = repeats.item * size + group
    answers_given, counts = _counted(group * repeats.answers + repeats.answer, items * size * repeats.answers)
    present, sizes = _counted(group, items * size)
    matching = add_up(answers_given // repeats.answers // size % blocks, counts * (counts - 1.0), blocks)
    all_pairs = add_up(present // size % blocks, sizes * (sizes - 1.0), blocks)
    return _leaving_out(matching), _leaving_out(all_pairs)


def _between_items(repeats: FacetedAnswers, group: IntArray, size: int, blocks: int) -> tuple[FloatArray, FloatArray]:
    if size > MOST_LEVELS:  # of nested facets few combinations are there
        present, group = np.unique(group, return_inverse=True)
        size = len(present)
    cells = size * repeats.answers
    if cells * (blocks + 1) > CELLS:
        raise OptionError(
            f"The facets have {size:,} combinations of levels and there are {repeats.answers:,} labels: too many to "
            "tell apart. Give fewer facets.",
            option=Keyword("facets"),
        )
    place = (repeats.item % blocks) * cells + group * repeats.answers + repeats.answer
    counts = np.bincount(place, minlength=blocks * cells).reshape(blocks, size, repeats.answers).astype(np.float64)
    total = counts.sum(axis=0)
    counts = np.concatenate((total[None], total[None] - counts))
    sizes = counts.sum(axis=2)
    return (counts * (counts - 1)).sum(axis=(1, 2)), (sizes * (sizes - 1)).sum(axis=1)


def _leaving_out(by_block: FloatArray) -> FloatArray:
    return np.concatenate(([by_block.sum()], by_block.sum() - by_block))


def _counted(codes: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """The codes in use and how often."""
    if size <= CELLS:
        counts = np.bincount(codes, minlength=1)
        present = np.nonzero(counts)[0]
        return present, counts[present]
    present, counts = np.unique(codes, return_counts=True)
    return present, counts


# -- level by level ----------------------------------------------------------------------------------------------


def levels_of(
    item: IntArray,
    answer: IntArray,
    facets: Mapping[str, Coded],
    reference: IntArray | None,
    labels: int,
    confidence: float,
) -> Table:
    """Each level of each facet: how often its answers match those of the other levels, and the reference."""
    parts = [_levels_of_one(item, answer, name, coded, reference, labels, confidence) for name, coded in facets.items()]
    columns = {name: [cell for part in parts for cell in part[name]] for name in parts[0]}
    return Table(
        "Each level against the others of its facet",
        columns,
        ("Agreement: the share of pairs of an answer at this level and one at another, on the same item, that match.",),
    )


def _levels_of_one(
    item: IntArray,
    answer: IntArray,
    name: str,
    coded: Coded,
    reference: IntArray | None,
    labels: int,
    confidence: float,
) -> dict[str, list[Any]]:
    """One facet: a row per level."""
    present = coded.codes >= 0
    item, answer, level = item[present], answer[present], coded.codes[present]
    size = len(coded.values)
    matched, pairs, cell_level = _with_other_levels(item, answer, level, labels, size)
    agreement, low, high = _ratio(matched, pairs, cell_level, size, confidence)
    given = np.bincount(level, minlength=size)
    kept = np.nonzero(given)[0].tolist()
    found: dict[str, list[Any]] = {
        "facet": [name] * len(kept),
        "level": [coded.values[place] for place in kept],
        "answers": given[kept].tolist(),
        "agreement": agreement[kept].tolist(),
        "low": low[kept].tolist(),
        "high": high[kept].tolist(),
    }
    if reference is not None:
        known = reference[item] >= 0
        right = add_up(level[known], answer[known] == reference[item[known]], size)
        found["accuracy"] = divide(right, np.bincount(level[known], minlength=size))[kept].tolist()
    return found


def _with_other_levels(
    item: IntArray, answer: IntArray, level: IntArray, labels: int, levels: int
) -> tuple[FloatArray, FloatArray, IntArray]:
    """For each cell of item and level: matching pairs with answers of other levels, all such pairs, and the level."""
    items = int(item.max(initial=-1)) + 1
    cell, cells = _compact(item * levels + level, items * levels)
    answers_at_level, _ = _compact(cell * labels + answer, cells * labels)
    answers_given, _ = _compact(item * labels + answer, items * labels)
    alike = (
        np.bincount(answers_given)[answers_given] - np.bincount(answers_at_level)[answers_at_level]
    )  # the same answer to the item, at another level
    others = np.bincount(item)[item] - np.bincount(cell)[cell]
    where = np.zeros(cells, dtype=np.int64)
    where[cell] = level
    return add_up(cell, alike, cells), add_up(cell, others, cells), where


def _compact(codes: IntArray, size: int) -> tuple[IntArray, int]:
    """Codes that a table has room for, and the size of that table."""
    if size <= CELLS:
        return codes, size
    present, again = np.unique(codes, return_inverse=True)
    return again, len(present)


def _ratio(
    matched: FloatArray, pairs: FloatArray, level: IntArray, levels: int, confidence: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """For each level a ratio of sums over items, and the ends of its linearised interval."""
    total = add_up(level, pairs, levels)
    value = divide(add_up(level, matched, levels), total)
    away = (matched - value[level] * pairs) / np.where(total > 0, total, np.nan)[level]
    number = np.bincount(level[pairs > 0], minlength=levels)
    squares = add_up(level, np.nan_to_num(away) ** 2, levels)
    error = np.where(number > 1, np.sqrt(divide(number, number - 1) * squares), np.nan)
    return value, *limits(value, error, df=np.maximum(number - 1, 1), confidence=confidence, ends=(0.0, 1.0))

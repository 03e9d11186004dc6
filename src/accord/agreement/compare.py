"""Two values side by side: two coefficients on the same items, two groups of annotators, two studies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from accord.agreement.build import in_memory
from accord.agreement.comparison_result import Comparison
from accord.agreement.inference.difference import Both, analytic, bootstrap, need_formulas, usual_method, why_not
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.arrays import IntArray
from accord.annotations.unnamed_items import items_unknown
from accord.errors import (
    InputError,
    Keyword,
    MeasureError,
    Message,
    OptionError,
    Part,
    all_quoted,
    collected,
    counted,
    one_of,
    remedy,
    with_article,
)
from accord.options import (
    MOST_RESAMPLES,
    Progress,
    Rng,
    check_choice,
    check_confidence,
    check_positive,
    check_whole,
    whole_number,
)
from accord.study.item_texts import text_column, texts_of
from accord.study.study import Study

ALTERNATIVES = ("two-sided", "greater", "less", "non-inferior", "equivalent")
WITH_MARGIN = ("non-inferior", "equivalent")
SAME_ITEM = 0.5  # the share of common ids that must have one text in both studies for ids to be names of items


def compare(
    x: Agreement,
    y: Agreement,
    /,
    *,
    paired: bool | None = None,
    method: Literal["analytic", "bootstrap"] | None = None,
    alternative: Literal["two-sided", "greater", "less", "non-inferior", "equivalent"] | None = None,
    margin: float | None = None,
    cluster: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    rng: Rng = None,
    progress: Progress = None,
) -> Comparison:
    """The difference x − y, its interval and its p-value.

    Where the two share items the difference is paired: an item that is hard for one is hard for the other, and the
    interval is narrower for it. Items are the same if both results come from one study, or if their studies name items
    alike; row numbers are no names, so two studies without item names are compared as different items unless
    `paired=True`, and so are two whose common ids mostly have different texts; `pairing` says which it was. Where two
    coefficients hardly differ by construction (Fleiss and Brennan–Prediger on evenly used labels) the analytic error is
    too small; `method="bootstrap"` tells better.

    With a `margin` the question is another one: is x at least y less the margin ("non-inferior")? Or do the two differ
    by less than it ("equivalent", two one-sided tests)? A small p then speaks for it; that a difference is not shown
    does not. The errors follow clusters of items, and the design of samples that were drawn label by label. Where
    either value has no error of its own, as where all items agree, nothing is compared.

    Args:
        x: A result of a measure, such as `fleiss_kappa(study)`.
        y: Another: of another measure, other annotators or another study.
        paired: True takes items without names as the same by row number; False compares as if no item were shared; None
            pairs what is known to be shared.
        method: "analytic" (linearised, Student's t) or "bootstrap" (items drawn again, shared ones together). By
            default "analytic" where a formula tells how far an item moves either value; else "jackknife" (each item
            left out), or "bootstrap" if leaving one out moves nothing, as with a median among ties.
        alternative: What a small p speaks for: "two-sided" (they differ; the default), "greater" (x is above y) or
            "less"; with a margin "non-inferior" (x is at least y less the margin; the default then) or "equivalent".
        margin: How much less, or how far apart, does not matter: 0.05.
        cluster: A column that says which items belong together, as in `interval`; without it the studies' own role.
        confidence: The confidence of the interval.
        n_resamples: How many resamples the bootstrap draws.
        rng: A seed or a NumPy Generator; by default the seed 0. The result keeps it.
        progress: True for a line on the error stream, or a function of (done, total).

    Returns:
        A `Comparison`: `difference`, `low`, `high`, `se`, `p`, `verdict`, `paired` and `common_items`; NaN with the
        reason in `undefined` where either value is undefined, or has no error.

    Raises:
        ColumnMissing: If a table has no column `cluster`.
        InputError: If `paired=True` and the studies share no items, or if item ids differ in type.
        MeasureError: If the results share items in an engine, where single items are not known.
        OptionError: If an option has a value that it cannot take, or one that does not go with another.

    >>> import accord
    >>> study = accord.Study.from_confusion([[20, 5], [10, 15]])
    >>> print(accord.compare(accord.cohen_kappa(study), accord.scott_pi(study)))
    0.400 against 0.394: difference +0.006 [-0.015, +0.027], p = 0.541 (paired over 50 common items, analytic)
    >>> other = accord.Study.from_confusion([[24, 1], [4, 21]])
    >>> print(accord.compare(accord.cohen_kappa(other), accord.cohen_kappa(study), margin=0.05).verdict)
    The first is shown to be at least the second less 0.05 (p = 0.00341).
    """
    for name, result in {"x": x, "y": y}.items():
        if not isinstance(result, Agreement):
            kind = type(result).__name__
            raise OptionError(
                f"What is compared are two results, and this is {with_article(kind)}. Measure first: ",
                remedy("compare", "fleiss_kappa(one), fleiss_kappa(other)"),
                ".",
                option=Keyword(name, kind),
            )
    if method is not None:
        check_choice("method", method, ("analytic", "bootstrap"))
    hypothesis = _alternative(alternative, margin)
    check_confidence(confidence)
    check_whole("n_resamples", n_resamples, 2, most=MOST_RESAMPLES)
    blank = Comparison(
        x.value, y.value, x.value - y.value, low=math.nan, high=math.nan, se=math.nan, p=math.nan, paired=False,
        common_items=0, confidence=confidence, method=method or "analytic", measures=(x.measure, y.measure),
        alternative=hypothesis, margin=margin,
    )  # fmt: skip
    if x.undefined or y.undefined:
        return replace(blank, difference=math.nan, undefined=x.undefined or y.undefined)
    x, y = in_memory(x), in_memory(y)
    match = _matched(x, y, paired)
    both = Both(x, y, match.first, match.second, cluster)
    comparison = replace(
        blank, paired=both.paired, common_items=len(match), pairing=_in_words(match, both),
        caveat=_other_yardstick(x, y),
    )  # fmt: skip
    reason = why_not(both)
    if reason:
        return replace(comparison, undefined=reason)
    if method == "analytic":
        need_formulas(both)
    comparison = replace(comparison, method=method or usual_method(both))
    if comparison.method == "bootstrap":
        return bootstrap(both, comparison, n_resamples, rng, progress)
    return analytic(both, comparison)


def two_by_two(title: str, results: Mapping[Any, Agreement], confidence: float, notes: tuple[str, ...] = ()) -> Table:
    """Every two of some results, with Holm's correction for how many pairs there are."""
    pairs = list(combinations(results, 2))
    found = [compare(results[one], results[other], confidence=confidence) for one, other in pairs]
    p = np.array([comparison.p for comparison in found])
    return Table(
        title,
        {
            "first": [one for one, _ in pairs],
            "second": [other for _, other in pairs],
            "difference": np.array([comparison.difference for comparison in found]),
            "low": np.array([comparison.low for comparison in found]),
            "high": np.array([comparison.high for comparison in found]),
            "p": p,
            "p_holm": holm(p),
            "common_items": np.array([comparison.common_items for comparison in found]),
            "note": [comparison.undefined or "" for comparison in found],
        },
        notes,
    )


def _alternative(alternative: str | None, margin: float | None) -> str:
    """What is asked, where the two options go together."""
    chosen = alternative or ("two-sided" if margin is None else "non-inferior")
    check_choice("alternative", chosen, ALTERNATIVES)
    if margin is None and chosen in WITH_MARGIN:
        raise OptionError(
            Keyword("alternative", chosen), " needs what does not matter: ", remedy(margin=0.05), ", for example."
        )
    if margin is not None:
        check_positive("margin", margin, "0.05")
        if chosen not in WITH_MARGIN:
            raise OptionError(
                Keyword("margin", margin), " goes with ", remedy(alternative=one_of(*WITH_MARGIN)), ", not with ",
                Keyword("alternative", chosen), ".",
            )  # fmt: skip
    return chosen


def _other_yardstick(x: Agreement, y: Agreement) -> str | None:
    """One coefficient at two levels, or with two weights, differs where the answers do not."""
    if x.measure != y.measure or x.title == y.title:
        return None
    plain = " (nominal)" if x.entry.takes("level") else ""
    titles = [result.title if result.title != result.entry.title else result.title + plain for result in (x, y)]
    return (
        f"{titles[0]} and {titles[1]} count disagreement differently, so their difference is not one of agreement "
        "alone."
    )


def _in_words(match: Match, both: Both) -> str:
    """Whether items are the same, and how that is known."""
    if both.by_design and len(match):
        return f"{len(match):,} common items, drawn label by label: by the errors of the designs, as if independent"
    over = f"paired over {len(match):,} common items" if len(match) else "on different items"
    return Message(match.instead) if match.instead and not len(match) else Message(over, *match.known_by)


@dataclass(frozen=True, eq=False)
class Match:
    """Which items of one study are which of the other: two arrays of item numbers."""

    first: IntArray
    second: IntArray
    known_by: tuple[Part, ...] = ()  # what is to be said of how they were matched
    instead: str = ""  # what is said where nothing was, in place of "on different items"

    def __len__(self) -> int:
        return len(self.first)


def _matched(x: Agreement, y: Agreement, paired: bool | None) -> Match:
    """The common items; none if the two are to be taken as different."""
    nothing = Match(np.empty(0, np.int64), np.empty(0, np.int64))
    if paired is False:
        return nothing
    left, right = x.study.items, y.study.items
    if not all(result.coefficient.knows_items for result in (x, y) if result.coefficient is not None):
        if left is right or paired:
            raise MeasureError(
                "What an item adds to these values is not known where the annotators stay in an engine or a warehouse, "
                "so they are not compared. Collect the frame first, or compare coefficients that pool annotators.",
                remedies=[collected()],
            )
        return nothing
    if left is right:
        return _in_both(x, y, Match(np.arange(len(left)), np.arange(len(right))))
    if not all(result.study._annotations.tells_items for result in (x, y)):
        if paired:
            raise items_unknown(Keyword("paired", value=True))
        return replace(nothing, instead=_of_tallies(x.study, y.study))
    numbered = not isinstance(left, tuple) or not isinstance(right, tuple)
    if numbered:
        if not paired:
            return replace(nothing, instead=_perhaps_the_same()) if len(left) == len(right) else nothing
        if len(left) != len(right):
            raise InputError(
                Keyword("paired", value=True),
                f" needs the same items; the studies have {len(left):,} and {len(right):,} without names.",
            )
        return _in_both(x, y, Match(np.arange(len(left)), np.arange(len(right))))
    place = {item: number for number, item in enumerate(right)}
    common = [(number, place[item]) for number, item in enumerate(left) if item in place]
    if not common:
        _refuse_other_types(left, right)
        if paired:
            raise InputError(
                Keyword("paired", value=True),
                " needs common items, and ",
                all_quoted(left, 3),
                " and ",
                all_quoted(right, 3),
                " share none.",
            )
        return nothing
    pairs = np.array(common, dtype=np.int64)
    match = Match(pairs[:, 0], pairs[:, 1])
    same = None if paired else _same_texts(x.study, y.study, match)
    if same is not None and same < SAME_ITEM:
        other = f"{round((1 - same) * len(match)):,} of {len(match):,} common ids"
        return replace(nothing, known_by=(f": {other} have another text in the other study",))
    numbers = not paired and same is None and _row_numbers(left) and _row_numbers(right)
    return _in_both(x, y, replace(match, known_by=_by_numbers() if numbers else ()))


def _of_tallies(x: Study, y: Study) -> str:
    """What is known of items that two tallies share, of which neither tells which they are."""
    one, other = (study._annotations.item_sketch() for study in (x, y))
    if one is None or other is None:
        return "a tally does not tell which items it holds, so compared as different ones"
    shared = one.shared(other)
    if not shared.items:
        return "on different items" if shared.exact else "on different items, as far as sketches of them tell"
    number = counted(max(round(shared.items), 1), "items")
    return (
        f"{'' if shared.exact else 'about '}{number} in both, told apart by neither tally: compared as different ones"
    )


def _perhaps_the_same() -> Message:
    by_row = Keyword("paired", value=True)
    return Message("not known to be the same items, so compared as different; ", by_row, " pairs them by row")


def _by_numbers() -> tuple[Part, ...]:
    no = Keyword("paired", value=False)
    return (" by their ids, which are row numbers: if they are other items, say ", no)


def _row_numbers(items: Sequence[object]) -> bool:
    """Are the ids only 1, 2, 3 … or 0, 1, 2 …?"""
    found = [item if isinstance(item, int) else whole_number(item) for item in items]
    numbers = sorted(number for number in found if number is not None)
    if len(numbers) < len(found):
        return False
    return len(numbers) > 1 and numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def _same_texts(x: Study, y: Study, match: Match) -> float | None:
    """The share of items with one id that have one text too; None where texts are not known."""
    columns = text_column(x), text_column(y)
    if columns[0] is None or columns[1] is None:
        return None
    sides = (texts_of(x, columns[0], match.first.tolist()), texts_of(y, columns[1], match.second.tolist()))
    both = [(one.split(), other.split()) for one, other in zip(*sides, strict=True) if one and other]
    return sum(one == other for one, other in both) / len(both) if both else None


def _in_both(x: Agreement, y: Agreement, match: Match) -> Match:
    """Only the items that count in both results."""
    assert x.coefficient is not None
    assert y.coefficient is not None
    assert x.coefficient.sample.locate is not None
    assert y.coefficient.sample.locate is not None
    both = (x.coefficient.sample.locate()[match.first] >= 0) & (y.coefficient.sample.locate()[match.second] >= 0)
    return replace(match, first=match.first[both], second=match.second[both])


def _refuse_other_types(left: Sequence[object], right: Sequence[object]) -> None:
    """Ids as numbers in one study and text in the other are a slip, not two sets of items."""
    if {str(item) for item in left} & {str(item) for item in right}:
        raise InputError(
            f"Item ids are {type(left[0]).__name__} in one study (",
            all_quoted(left, 2),
            f") and {type(right[0]).__name__} in the other (",
            all_quoted(right, 2),
            "). Make them one type before reading.",
        )

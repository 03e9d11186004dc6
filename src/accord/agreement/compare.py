"""Two values side by side: two coefficients on the same items, two groups of annotators, two studies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from accord.agreement.build import in_memory
from accord.agreement.inference.wald import limits
from accord.agreement.result import Agreement, Comparison, Progress, Rng
from accord.annotations.arrays import FloatArray, IntArray
from accord.errors import InputError, Keyword, MeasureError, Message, OptionError, Part, in_python, listing
from accord.options import check_confidence, check_whole
from accord.study.item_texts import text_column, texts_of
from accord.study.study import Study

SAME_ITEM = 0.5  # the share of common ids that must have one text in both studies for ids to be names of items


def compare(
    x: Agreement,
    y: Agreement,
    /,
    *,
    paired: bool | None = None,
    method: Literal["analytic", "bootstrap"] = "analytic",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    rng: Rng = None,
    progress: Progress = None,
) -> Comparison:
    """The difference x − y, its interval and its p-value (two-sided).

    Where the two share items the difference is paired: an item that is hard for one is hard for the other, and the
    interval is narrower for it. Items are the same if both results come from one study, or if their studies name items
    alike; row numbers are no names, so two studies without item names are compared as different items unless
    `paired=True`, and so are two whose common ids mostly have different texts; `pairing` says which it was. Where two
    coefficients hardly differ by construction (Fleiss and Brennan–Prediger on evenly used labels) the analytic error is
    too small; `method="bootstrap"` tells better.

    Args:
        x: A result of a measure, such as `fleiss_kappa(study)`.
        y: Another: of another measure, other annotators or another study.
        paired: True takes items without names as the same by row number; False compares as if no item were shared; None
            pairs what is known to be shared.
        method: "analytic" (linearised) or "bootstrap" (items drawn again, shared ones together).
        confidence: The confidence of the interval.
        n_resamples: How many resamples the bootstrap draws.
        rng: A seed or a NumPy Generator; by default the seed 0. The result keeps it.
        progress: True for a line on the error stream, or a function of (done, total).

    Returns:
        A `Comparison`: `difference`, `low`, `high`, `se`, `p`, `paired` and `common_items`; NaN with the reason in
        `undefined` where either value is undefined.

    Raises:
        InputError: If `paired=True` and the studies share no items, or if item ids differ in type.
        MeasureError: If the results share items in an engine, where single items are not known.
        OptionError: If an option has a value that it cannot take, or one that does not go with another.

    >>> import accord
    >>> study = accord.Study.from_confusion([[20, 5], [10, 15]])
    >>> print(accord.compare(accord.cohen_kappa(study), accord.scott_pi(study)))
    0.400 against 0.394: difference +0.006 [-0.013, +0.026], p = 0.534 (paired over 50 common items, analytic)
    """
    for result in (x, y):
        if not isinstance(result, Agreement):
            raise OptionError(
                f"What is compared are two results, and this is a {type(result).__name__}. Measure first: ",
                in_python("compare(fleiss_kappa(one), fleiss_kappa(other))"), ".",
            )  # fmt: skip
    if method not in ("analytic", "bootstrap"):
        raise OptionError.choice("method", method, ("analytic", "bootstrap"))
    check_confidence(confidence)
    check_whole("n_resamples", n_resamples, 2)
    reason = x.undefined or y.undefined
    if reason:
        return Comparison(
            x.value, y.value, difference=math.nan, low=math.nan, high=math.nan, se=math.nan, p=math.nan, paired=False,
            common_items=0, confidence=confidence, method=method, undefined=reason, measures=(x.measure, y.measure),
        )  # fmt: skip
    x, y = in_memory(x), in_memory(y)
    match = _matched(x, y, paired)
    pairing, caveat = _in_words(match), _other_yardstick(x, y)
    if method == "bootstrap":
        found = _bootstrap(x, y, match, confidence, n_resamples, rng, progress)
    else:
        found = _analytic(x, y, match, confidence)
    return replace(found, measures=(x.measure, y.measure), pairing=pairing, caveat=caveat)


def _other_yardstick(x: Agreement, y: Agreement) -> str | None:
    """One coefficient at two levels, or with two weights, differs where the answers do not."""
    if x.measure != y.measure or x.title == y.title:
        return None
    titles = [result.title if result.title != result.entry.title else f"{result.title} (nominal)" for result in (x, y)]
    return (
        f"{titles[0]} and {titles[1]} count disagreement differently, so their difference is not one of agreement "
        "alone."
    )


def _in_words(match: Match) -> str:
    """Whether items are the same, and how that is known."""
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
                "What an item adds to these values is not known in an engine, so they are not compared. Collect "
                "the frame first."
            )
        return nothing
    if left is right:
        return _in_both(x, y, Match(np.arange(len(left)), np.arange(len(right))))
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
                f" needs common items, and {listing(left, 3)} and {listing(right, 3)} share none.",
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


def _perhaps_the_same() -> Message:
    by_row = Keyword("paired", value=True)
    return Message("not known to be the same items, so compared as different; ", by_row, " pairs them by row")


def _by_numbers() -> tuple[Part, ...]:
    no = Keyword("paired", value=False)
    return (" by their ids, which are row numbers: if they are other items, say ", no)


def _row_numbers(items: Sequence[object]) -> bool:
    """Are the ids only 1, 2, 3 … or 0, 1, 2 …?"""
    if not all(isinstance(item, int) or (isinstance(item, str) and item.isdecimal()) for item in items):
        return False
    numbers = sorted(int(str(item)) for item in items)
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
            f"Item ids are {type(left[0]).__name__} in one study ({listing(left, 2)}) and "
            f"{type(right[0]).__name__} in the other "
            f"({listing(right, 2)}). Make them one type before reading."
        )


def _analytic(x: Agreement, y: Agreement, match: Match, confidence: float) -> Comparison:
    from scipy.special import stdtr

    variances, covariance = _variances(x, y, match)
    error = math.sqrt(max(sum(variances) - 2 * covariance, 0.0))
    difference = x.value - y.value
    df = _freedom(variances, (_units(x), _units(y)), paired=len(match) > 0)
    low, high = limits(difference, error, df=df, confidence=confidence)
    if error > 1e-12:
        p = float(2 * stdtr(df, -abs(difference) / error))
    else:
        p = 1.0 if abs(difference) < 1e-12 else 0.0
    return Comparison(
        x.value, y.value, difference, float(low), float(high), error, p, len(match) > 0, len(match),
        confidence, "analytic",
    )  # fmt: skip


def _variances(x: Agreement, y: Agreement, match: Match) -> tuple[tuple[float, float], float]:
    """Both variances, and the covariance over the units that both have, by what each adds; clusters go together."""
    from accord.agreement.inference.influence import shared, unit_scores

    if not len(match):
        return (x.interval().se ** 2, y.interval().se ** 2), 0.0
    (one, names), (other, others) = unit_scores(x), unit_scores(y)
    by_item = names is x.study.items and others is y.study.items
    first, second = (match.first, match.second) if by_item else shared(names, others)
    return (float(one @ one), float(other @ other)), float(one[first] @ other[second])


def _units(result: Agreement) -> int:
    """Items that count, or clusters of them."""
    assert result.coefficient is not None
    return result.interval().clusters or result.coefficient.sample.n_items


def _freedom(variances: tuple[float, float], units: tuple[int, int], *, paired: bool) -> float:
    """Degrees of freedom: units less one if paired, Welch's if not."""
    total = sum(variances)
    if paired or total == 0:
        return max(min(units) - 1, 1)
    return total**2 / sum(variance**2 / max(number - 1, 1) for variance, number in zip(variances, units, strict=True))


def _bootstrap(
    x: Agreement, y: Agreement, match: Match, confidence: float, n_resamples: int, rng: Rng, progress: Progress
) -> Comparison:
    """Draw items again: those in both results together, the others apart."""
    from accord.agreement.inference.resampling import MOST_UNDEFINED, percentiles, seeded
    from accord.options import reporter

    generator, seed = seeded(rng)
    report = reporter(progress, "resamples")
    values = Joint(x, y, match).differences(n_resamples, generator, report)
    defined = values[np.isfinite(values)]
    difference = x.value - y.value
    if len(values) - len(defined) > MOST_UNDEFINED * n_resamples:
        low, high, error, p = (math.nan,) * 4
        reason = f"The difference is undefined on {len(values) - len(defined):,} of {n_resamples:,} resamples."
    else:
        low, high = percentiles(defined, confidence)
        error, reason = float(defined.std(ddof=1)), None
        tails = min((defined <= 0).sum(), (defined >= 0).sum())
        p = min(1.0, float(2 * (tails + 1) / (len(defined) + 1)))
    return Comparison(
        x.value, y.value, difference, low, high, error, p, len(match) > 0, len(match), confidence, "bootstrap",
        n_resamples, seed, reason,
    )  # fmt: skip


class Joint:
    """Joint patterns: how many items show pattern a in one result and pattern b in the other."""

    def __init__(self, x: Agreement, y: Agreement, match: Match) -> None:
        assert x.coefficient is not None
        assert y.coefficient is not None
        assert x.coefficient.sample.locate is not None
        assert y.coefficient.sample.locate is not None
        self.x, self.y = x.coefficient, y.coefficient
        left, right = self.x.sample.locate(), self.y.sample.locate()  # type: ignore[misc]
        joint = np.stack((left[match.first], right[match.second]), axis=1)
        alone_left, alone_right = np.ones(len(left), bool), np.ones(len(right), bool)
        alone_left[match.first], alone_right[match.second] = False, False
        blocks = [joint, _only(left[alone_left & (left >= 0)], 0), _only(right[alone_right & (right >= 0)], 1)]
        self.strata = [np.unique(block, axis=0, return_counts=True) for block in blocks if len(block)]
        if not len(match):  # different items: each result is drawn by itself
            return
        whole = np.concatenate([rows for rows, _ in self.strata])
        self.strata = [(whole, np.concatenate([counts for _, counts in self.strata]))]

    def differences(self, n_resamples: int, rng: np.random.Generator, report: object) -> FloatArray:
        """X − y on each resample."""
        from accord.agreement.inference.resampling import blocks

        values = np.empty(n_resamples)
        for first, last in blocks(n_resamples, sum(len(counts) for _, counts in self.strata)):
            left = np.zeros((last - first, len(self.x.sample)))
            right = np.zeros((last - first, len(self.y.sample)))
            for rows, counts in self.strata:
                drawn = rng.multinomial(int(counts.sum()), counts / counts.sum(), size=last - first)
                _spread(left, rows[:, 0], drawn)
                _spread(right, rows[:, 1], drawn)
            values[first:last] = self.x.evaluate(left).value - self.y.evaluate(right).value
            report(last, n_resamples)  # type: ignore[operator]
        return values


def _only(patterns: IntArray, side: int) -> IntArray:
    """Items that only one result has, as joint patterns with −1 on the other side."""
    rows = np.full((len(patterns), 2), -1, dtype=np.int64)
    rows[:, side] = patterns
    return rows


def _spread(items: FloatArray, patterns: IntArray, drawn: IntArray) -> None:
    """Add the numbers drawn to the patterns they belong to."""
    present = patterns >= 0
    np.add.at(items.T, patterns[present], drawn.T[present])

"""The difference of two values: its error, its p-value, and the values that resampled items would have."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.agreement.comparison_result import Comparison
from accord.agreement.inference.influence import df_of, unit_scores, units_of
from accord.agreement.inference.informative_items import degrees_of_freedom, share_of_resamples
from accord.agreement.inference.resampling import RedrawnItems, blocks, percentiles
from accord.agreement.result import Agreement
from accord.annotations.arrays import FloatArray, IntArray, ordinary
from accord.coefficients.redrawn import MOST_UNDEFINED
from accord.coefficients.standard_errors import NO_ERROR, limits, of_both_tails, p_value
from accord.coefficients.units import Units
from accord.errors import Keyword, OptionError, keyword, remedy
from accord.options import Progress, Rng, reporter, seeded

FEW_PATTERNS = 100  # of which the numbers in all resamples are drawn at once quicker than one resample at a time
NO_SPREAD = "all items agree to the same degree, so they do not show by how much the value could differ"


@dataclass(frozen=True, eq=False)
class Both:
    """Two results and which of their items are the same."""

    x: Agreement
    y: Agreement
    first: IntArray  # items of x that y has too
    second: IntArray  # the same in y
    cluster: str | None  # the column of what goes together; None for the studies' own role

    @property
    def paired(self) -> bool:
        """Do they share items that count?"""
        return len(self.first) > 0

    @property
    def by_design(self) -> bool:
        """Was either drawn label by label? Then its error follows from the design, and is not one of items."""
        designs = (result.coefficient.design for result in (self.x, self.y) if result.coefficient is not None)
        return any(design is not None and design.by_label for design in designs)


def why_not(both: Both) -> str | None:
    """Why one of the two has no error to compare by."""
    for result, which in ((both.x, "first"), (both.y, "second")):
        span = result.interval(cluster=both.cluster)
        if span.undefined:
            return f"How sure the {which} value is, is not known. {span.undefined}"
        if not span.se > NO_ERROR:
            return f"Of the {which} value {NO_SPREAD}. Annotate more items: agreement without exception needs many."
    return None


def usual_method(both: Both) -> str:
    """By the formula if both have one; else by leaving items out, or, if this moves either of them not, by drawing."""
    methods = {result.coefficient.error_method for result in (both.x, both.y) if result.coefficient is not None}
    if "bootstrap" in methods and not both.by_design:
        return "bootstrap"
    return "analytic" if methods <= {"analytic"} else "jackknife"


def need_formulas(both: Both) -> None:
    """Whoever asks for the error of a formula is told where there is none."""
    for result in (both.x, both.y):
        found = result.coefficient
        if found is not None and found.knows_items and not found.has_influence:
            costs = f" Each resample takes {found.resample_cost}." if found.resample_cost else ""
            raise OptionError(
                f"How far an item moves {result.title} is not known by a formula. Leave ", keyword("method"),
                " out, or use ", remedy(method="bootstrap"), f", which computes it anew.{costs}",
            )  # fmt: skip


# -- by the influence of items -----------------------------------------------------------------------------------------


def analytic(both: Both, blank: Comparison) -> Comparison:
    """The difference ± t · its error; of shared items (or clusters of them) through what each adds to either."""
    error, df = _error(both)
    if not error > NO_ERROR:
        return _without_width(blank)
    low, high = limits(blank.difference, error, df=df, confidence=blank.confidence)
    p = _p_of_margin(blank, lambda value, side: p_value(value, error, df, side))
    return replace(blank, low=float(low), high=float(high), se=error, df=df, p=p)


def _error(both: Both) -> tuple[float, float]:
    """The error of the difference, and its degrees of freedom."""
    if both.paired and not both.by_design:
        scores = _difference_scores(both)
        return math.sqrt(float(scores @ scores)), degrees_of_freedom(scores)
    errors = [result.interval(cluster=both.cluster).se for result in (both.x, both.y)]
    df = [df_of(result, both.cluster) for result in (both.x, both.y)]
    return math.hypot(*errors), welch_satterthwaite(errors, df)


def welch_satterthwaite(errors: list[float], df: list[float]) -> float:
    """Degrees of freedom of a sum of independent errors (Welch–Satterthwaite)."""
    squares: list[float] = (ordinary(np.array(errors)) ** 2).tolist()
    total = sum(squares)
    if not total > 0:
        return max(min(df), 1.0)
    return total**2 / sum(square**2 / own for square, own in zip(squares, df, strict=True))


def _difference_scores(both: Both) -> FloatArray:
    """What each unit adds to the difference; the squares sum to its squared error."""
    (one, names), (other, others) = (_scaled(result, both.cluster) for result in (both.x, both.y))
    if names is both.x.study.items and others is both.y.study.items:
        scores_of_both = np.concatenate((one, np.zeros(len(other))))
        where = np.arange(len(other)) + len(one)
        where[both.second] = both.first
        np.subtract.at(scores_of_both, where, other)
        return scores_of_both
    scores, place = one.tolist(), {name: number for number, name in enumerate(names)}
    for score, name in zip(other.tolist(), others, strict=True):
        if name in place:
            scores[place[name]] -= score
        else:
            scores.append(-score)
    return np.array(scores)


def _scaled(result: Agreement, cluster: str | None) -> tuple[FloatArray, Any]:
    """What units add to the error, smaller where the items are a random part of a whole that ends somewhere."""
    scores, names = unit_scores(result, cluster)
    coefficient = result.coefficient
    assert coefficient is not None
    if coefficient.design is None:
        return scores, names
    plain = math.sqrt(float(scores @ scores))
    return scores * (result.interval(cluster=cluster).se / plain if plain > 0 else 1.0), names


def _without_width(blank: Comparison) -> Comparison:
    """Every item moves both values alike: the two are one, or nothing tells by how much their difference could vary."""
    if abs(blank.difference) < NO_ERROR:
        p = 1.0 if blank.margin is None else 0.0
        return replace(blank, low=0.0, high=0.0, se=0.0, p=p)
    return replace(
        blank, undefined="Every item moves both values alike, so the difference has no error to judge it by."
    )


def _p_of_margin(blank: Comparison, p_of: Callable[[float, str], float]) -> float:
    """Of what was asked, from a function of (a value, which side of zero speaks against it)."""
    margin = blank.margin or 0.0
    if blank.alternative == "non-inferior":
        return p_of(blank.difference + margin, "greater")
    if blank.alternative == "equivalent":
        return max(p_of(blank.difference + margin, "greater"), p_of(blank.difference - margin, "less"))
    return p_of(blank.difference, blank.alternative)


# -- by drawing items again --------------------------------------------------------------------------------------------


def bootstrap(both: Both, blank: Comparison, n_resamples: int, rng: Rng, progress: Progress) -> Comparison:
    """Draw items, or clusters of them, again: those in both results together, the others apart."""
    if both.by_design:
        raise OptionError(
            "The items were drawn label by label, and the error follows the design, not ",
            Keyword("method", "bootstrap"), ": choose ", remedy(method="analytic"), ".",
        )  # fmt: skip
    generator, seed = seeded(rng)
    left, right = Redraws(both).values(n_resamples, generator, reporter(progress, "resamples"))
    blank = replace(blank, n_resamples=n_resamples, seed=seed)
    differences = left - right
    defined = np.isfinite(differences)
    undefined = n_resamples - int(defined.sum())
    if undefined > MOST_UNDEFINED * n_resamples:
        reason = f"The difference is undefined on {undefined:,} of {n_resamples:,} resamples."
        return replace(blank, undefined=reason)
    for values, which in ((left[defined], "first"), (right[defined], "second")):
        if np.ptp(values) < NO_ERROR:
            return replace(blank, undefined=f"Of the {which} value {NO_SPREAD}. Annotate more items.")
    drawn = differences[defined]
    if np.ptp(drawn) < NO_ERROR:
        return _without_width(blank)
    _, df = _error(both)
    low, high = percentiles(drawn, share_of_resamples(blank.confidence, df, df + 1))
    p = _p_of_margin(blank, lambda value, side: _share_beyond(drawn - blank.difference + value, side, df))
    return replace(blank, low=low, high=high, se=float(drawn.std(ddof=1)), df=df, p=p)


def _share_beyond(values: FloatArray, side: str, df: float) -> float:
    """How likely resamples are on the other side of zero; two-sided twice the smaller part. As wide as the interval."""
    from scipy.special import ndtri, stdtr

    shares = np.array([(beyond.sum() + 1) / (len(values) + 1) for beyond in (values <= 0, values >= 0)])
    less, more = stdtr(df, ndtri(np.minimum(shares, 1 - 1e-9)) * math.sqrt(df / (df + 1)))
    return of_both_tails(less, more, side)


class Redraws:
    """Both values on units drawn again: one draw for both where they share items, else one each."""

    def __init__(self, both: Both) -> None:
        assert both.x.coefficient is not None
        assert both.y.coefficient is not None
        self.x, self.y = both.x.coefficient, both.y.coefficient
        if not both.paired:
            self.apart = [
                RedrawnItems(Units.of(result.study, coefficient.sample, both.cluster))
                for result, coefficient in ((both.x, self.x), (both.y, self.y))
            ]
            self.width = sum(one.width for one in self.apart)
            return
        self.apart = []
        kinds, self.number = _clusters_of_both(both) if clustered(both) else _patterns_of_both(both)
        self.kinds = kinds
        self.width = len(self.number)

    def values(
        self, n_resamples: int, rng: np.random.Generator, report: Callable[[int, int], None]
    ) -> tuple[FloatArray, FloatArray]:
        """Of either, one on each resample."""
        left, right = np.empty(n_resamples), np.empty(n_resamples)
        for first, last in blocks(n_resamples, self.width + len(self.x.sample) + len(self.y.sample)):
            one, other = self._draw(rng, last - first)
            left[first:last], right[first:last] = self.x.evaluate(one).value, self.y.evaluate(other).value
            report(last, n_resamples)
        return left, right

    def _draw(self, rng: np.random.Generator, size: int) -> tuple[FloatArray, FloatArray]:
        """(size, patterns) the numbers of items of either."""
        if self.apart:
            return _drawn_apart(self.apart[0], rng, size), _drawn_apart(self.apart[1], rng, size)
        drawn = rng.multinomial(int(self.number.sum()), self.number / self.number.sum(), size=size)
        return tuple(np.asarray(drawn @ kind, dtype=np.float64) for kind in self.kinds)  # type: ignore[return-value]


def _drawn_apart(again: RedrawnItems, rng: np.random.Generator, size: int) -> FloatArray:
    """(size, patterns) of one result by itself: all resamples at once, or, of many patterns, one after the other."""
    units = again.units
    if units.cluster is not None or again.width > FEW_PATTERNS:
        return again.draw(rng, size)
    number = units.sample.units
    return rng.multinomial(int(number.sum()), number / number.sum(), size=size).astype(np.float64)


def clustered(both: Both) -> bool:
    """Do items go together, by a column or by a study's own role?"""
    return both.cluster is not None or any("cluster" in result.study.roles for result in (both.x, both.y))


def _patterns_of_both(both: Both) -> tuple[list[Any], IntArray]:
    """Kinds of items: pattern a in one result and pattern b in the other, or in one alone; and how many of each."""
    left, right = (_patterns(result) for result in (both.x, both.y))
    alone = np.ones(len(right), bool)
    alone[both.second] = False
    rows = np.full((len(left) + int(alone.sum()), 2), -1, dtype=np.int64)
    rows[: len(left), 0] = left
    rows[both.first, 1] = right[both.second]
    rows[len(left) :, 1] = right[alone]
    kinds, number = np.unique(rows[(rows >= 0).any(1)], axis=0, return_counts=True)
    units = np.arange(len(kinds))
    return [_matrix(units, kinds[:, side], len(kinds), sample) for side, sample in enumerate(_samples(both))], number


def _clusters_of_both(both: Both) -> tuple[list[Any], IntArray]:
    """Clusters of either, those of one name together; an item without one by itself."""
    place: dict[Any, int] = {}
    found = []
    for result in (both.x, both.y):
        inside, unit, names = units_of(result, both.cluster)
        new = np.array([place.setdefault(name, len(place)) for name in names], dtype=np.int64)
        found.append((new[unit], _patterns(result)[inside]))
    matrices = [
        _matrix(units, patterns, len(place), sample)
        for (units, patterns), sample in zip(found, _samples(both), strict=True)
    ]
    return matrices, np.ones(len(place), dtype=np.int64)


def _samples(both: Both) -> tuple[Any, Any]:
    assert both.x.coefficient is not None
    assert both.y.coefficient is not None
    return both.x.coefficient.sample, both.y.coefficient.sample


def _patterns(result: Agreement) -> IntArray:
    assert result.coefficient is not None
    assert result.coefficient.sample.locate is not None
    return result.coefficient.sample.locate()


def _matrix(units: IntArray, patterns: IntArray, number: int, sample: Any) -> Any:
    """(units × patterns) how many items of each pattern a unit holds."""
    from scipy.sparse import csr_array

    inside = patterns >= 0
    ones = np.ones(int(inside.sum()))
    return csr_array((ones, (units[inside], patterns[inside])), shape=(number, len(sample)))

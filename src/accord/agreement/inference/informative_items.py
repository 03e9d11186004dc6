"""How many items speak: an interval may promise no more than the items that move its value allow.

A standard error is itself an estimate. Where a few items hold most of the disagreement, or most of what is not the
commonest label, it rests on those few, however many items there are. Its own degrees of freedom, Satterthwaite's, say
so: 2 n / (k − 1) with k the kurtosis of what the items add, n − 1 at most. Below `FEW` of them the limits are taken on
Fisher's z scale, where a value near 1 has the skewed distribution that it has. There the upper limit is at least that
of a sum of a few counts (`nearest`), and where a few units disagree, all alike, both limits are those of their count
(`alike_limits`); where some units weigh far more than the others (`outweighed`), Student's t is on what they are worth.

Where one label fills most items, a kappa hangs on the others, and Student's t is on those degrees of freedom. Once
every agreement but that on the commonest label has gone from a sample, nothing in it shows how large agreement on the
rest might have been: the error is small because the sample is poor. There the items are counted (`RareAnswers`): with
very few there is no interval; with few it is the wider one of both scales, on the effective number of items less one.
`benchmarks/coverage.py` shows what these rules give.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from accord.agreement.inference.few_counts import (
    FEW_SEEN,
    alike_limits,
    looks_like_share,
    nearest,
    perfect_interval,
    share_limits,
)
from accord.agreement.inference.wald import SINGLE, interval_around, no_interval
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, divide, sum_of_products
from accord.annotations.tally import RareAnswers, Tally
from accord.coefficients.measurable import Measurable
from accord.coefficients.standard_errors import NO_ERROR, NORMAL, Ends, fishers_z, limits, quantile
from accord.coefficients.student_t import below
from accord.coefficients.units import Units
from accord.errors import Message, quoted, remedy

FEW = 30.0  # degrees of freedom of an error from which it is as good as known
FEWEST_OTHER = 3  # items with another answer than the commonest: a sample without any is likely below it (P > 5 %)
ONE_CLUSTER = 1.5  # clusters of equal weight: below it nearly all that moves a value lies in one of them
FEW_HEAVY = 6.0  # units' worth, below which a few that weigh most may make the error too small
ALIKE = 0.85  # of the units' worth that disagreements of one weight have: fewer are of several weights
OF_HEAVY = 3.0  # degrees of freedom at the least there: the many light units are not nothing
FEW_OTHER = 5  # below which they are few, whatever they hold
FEW_AGREED = 3  # items agreed on another answer, below which the next sample may well have none
MANY_OTHER = 20  # items with another answer from which it is a result, not chance, that none is agreed on
ROUNDING = 1e-12  # a value nearer to its end than this is there
AT_THE_END = 1e-9  # of half the range: a value nearer to an end than this has no scale of Fisher's
NEARLY_ALL = 1 - 1e-6  # of the resamples: more than there are
LEAST = 1.0  # degrees of freedom: fewer have no interval worth the name
SAME_EFFECT = (
    "Every item moves the value alike, so nothing shows how much it would differ on other items. More items would."
)


@dataclass(frozen=True)
class Information:
    """What an error rests on."""

    df: float  # the error's own degrees of freedom
    effective: float  # how many units of equal weight would inform it as well
    units: int
    rare: RareAnswers | None = None
    thin: str | None = None  # why too few items stand behind the parts of the value
    clustered: bool = False  # are the units clusters, whose sums are more alike than what items add?
    worst: float | None = None  # what the value falls short by where no unit has any agreement; else all its range

    @property
    def few_others(self) -> bool:
        """Do so few items hold another answer than the commonest that the error may be too small?"""
        if self.rare is None:
            return False
        few = self.rare.agreed < FEW_AGREED and self.rare.items < MANY_OTHER
        return few or self.rare.items < FEW_OTHER

    def student_df(self, shortfall: float) -> float:
        """Degrees of freedom of Student's t, of a value that falls short of its end by so many standard errors."""
        few = self.df < min(FEW, self.units - 1)
        if self.few_others:
            return max(self.effective - 1, LEAST)
        if few and not self.clustered and outweighed(self.effective, shortfall):
            return max(self.effective - 1, OF_HEAVY)
        return max(self.df, LEAST) if few and self.rare is not None else self.units - 1

    def alike(self, shortfall: float) -> bool:
        """May a value that falls short by so many standard errors do so because units disagree, all alike?"""
        if self.few_others or self.clustered:
            return False
        return bool(weigh_alike(self.effective, shortfall, self.units))

    def share_worst(self, short: float, error: float) -> float | None:
        """What the value falls short by where no unit agrees, of a value that is a share; None where it is none."""
        if self.worst is None or self.clustered or self.few_others:
            return None
        return self.worst if looks_like_share(short, error, self.units, self.worst) else None

    @property
    def refusal(self) -> str | None:
        """Why there is no interval at all, and what helps; None where there is one."""
        if self.rare is None or not self.few_others:
            return self.thin
        others = f"Only {_items(self.rare.items)} of {self.rare.of:,} {_hold(self.rare.items)} another answer than "
        if self.rare.items < FEWEST_OTHER:
            return f"{others}{self.rare.commonest!r}: too few to tell how far the value may lie. Label more items."
        if self.rare.agreed < 1:
            return (
                f"{others}{self.rare.commonest!r}, and annotators agree on none of them, so nothing shows how far "
                "agreement on them may go. Label more items."
            )
        return self.thin


def _items(number: int) -> str:
    return "1 item" if number == 1 else f"{number:,} items"


def _hold(number: int) -> str:
    return "holds" if number == 1 else "hold"


def error_and_information(
    coefficient: Measurable, units: Units, among: Tally | None = None
) -> tuple[float, Information]:
    """The analytic error of a value over these units, and what it rests on; answers may be rare among others."""
    if not coefficient.knows_items:
        return coefficient.error(units), information(coefficient, units)
    scores = coefficient.influences
    rare = coefficient.rare_answers() if among is None else among.rare_answers()
    thin = coefficient.thin() or _in_one_cluster(units, scores)
    return units.error(scores), from_scores(units, scores, rare, thin, without_agreement(coefficient.parts.expected))


def from_scores(
    units: Units,
    scores: FloatArray,
    rare: RareAnswers | None = None,
    thin: str | None = None,
    worst: float | None = None,
) -> Information:
    """What an error rests on that comes from linearised scores."""
    return Information(*shape(*units.totals(scores)), units.number, rare, thin, units.cluster is not None, worst)


def without_agreement(expected: FloatArray | float) -> float | None:
    """What a value falls short of 1 by where no unit has any agreement: 1 / (1 − expected); None without expected."""
    expected = float(expected)
    return 1 / (1 - expected) if 0 <= expected < 1 else None


def from_moves(coefficient: Measurable, units: Units, moves: FloatArray, number: FloatArray) -> Information:
    """What an error rests on that comes from how far each kind of unit, left out, moves the value."""
    thin = coefficient.thin()
    if thin is None and units.cluster is not None and coefficient.usual_method == "analytic":
        thin = _in_one_cluster(units, coefficient.influences)
    rare, clustered = coefficient.rare_answers(), units.cluster is not None
    return Information(
        *shape(moves, number), units.number, rare, thin, clustered, without_agreement(coefficient.parts.expected)
    )


def _in_one_cluster(units: Units, scores: FloatArray) -> str | None:
    """Why an error over clusters is not to be trusted: nearly all that moves the value lies in one of them."""
    if units.spread(scores) >= ONE_CLUSTER:
        return None
    return (
        f"Nearly all that moves the value lies in one of {units.number:,} clusters, so nothing shows how much it would "
        "differ in others. Label items of more clusters."
    )


def information(coefficient: Measurable, units: Units) -> Information:
    """What an error over these units rests on."""
    if not coefficient.knows_items or not coefficient.has_influence:  # what an item adds is not known
        rare, thin = coefficient.rare_answers(), coefficient.thin()
        return Information(units.number - 1, units.number, units.number, rare, thin)
    return error_and_information(coefficient, units)[1]


def shape(totals: FloatArray, number: FloatArray | IntArray | None = None) -> tuple[float, float]:
    """Degrees of freedom of an error, and the effective number of units, from what each unit adds.

    >>> import numpy as np
    >>> df, effective = shape(np.array([-1.0, 1.0] * 10))  # all weigh alike
    >>> round(df), round(effective)
    (19, 20)
    >>> df, effective = shape(np.array([-1.0] * 99 + [99.0]))  # one unit says it all
    >>> round(df, 1), round(effective, 1)
    (2.1, 1.0)
    """
    weight = np.ones(len(totals)) if number is None else np.asarray(number, dtype=np.float64)
    units = float(weight.sum())
    largest = float(np.abs(totals).max(initial=0.0))
    if units < 2 or not largest > 0:
        return max(units - 1, 0.0), units
    squares = (totals / largest) ** 2
    effective = sum_of_products(weight, squares) ** 2 / sum_of_products(weight, squares**2)
    kurtosis = units / effective
    return min(units - 1, 2 * units / (kurtosis - 1)) if kurtosis > 1 + 1e-9 else units - 1, effective


def degrees_of_freedom(totals: FloatArray, number: FloatArray | IntArray | None = None) -> float:
    """For differences and joint tests, which have no scale of their own to bend: the effective units less one.

    >>> import numpy as np
    >>> degrees_of_freedom(np.array([1.0, -1.0, 1.0, -1.0])), degrees_of_freedom(np.array([1.0, 0.0, 0.0, -1.0]))
    (3.0, 1.0)
    """
    units = float(len(totals)) if number is None else float(number.sum())
    return max(min(units, shape(totals, number)[1]) - 1, LEAST)


def analytic_interval(part: Measurable, units: Units, ends: Ends = (-1.0, 1.0), among: Tally | None = None) -> Interval:
    """The 95 % interval of a part of a study by itself, such as one label against the rest; answers rare `among`."""
    observed, expected, value = (float(one) for one in (part.parts.observed, part.parts.expected, part.parts.value))
    if not math.isfinite(value) or units.number < 2:
        return no_interval(SINGLE)
    if is_perfect(value, observed):
        return perfect_interval(value, expected, part.worth(units), units, confidence=0.95, lowest=ends[0])
    error, known = error_and_information(part, units, among)
    found = informed_interval(value, error, known, confidence=0.95, method="analytic", ends=ends)
    return replace(found, clusters=units.clusters)


def is_perfect(value: float, observed: float) -> bool:
    """Has no item two different answers, and is the value as high as it can be?"""
    return value > 1 - ROUNDING and observed > 1 - ROUNDING


def informed_interval(
    value: float, error: float, known: Information, *, confidence: float, method: str, ends: Ends
) -> Interval:
    """One value ± t · error, as wide as what informs the error demands; undefined where too little does."""
    ends = (min(ends[0], value), max(ends[1], value))
    plain = interval_around(value, error, df=known.units - 1, confidence=confidence, method=method, ends=ends)
    if plain.undefined:
        return plain
    if known.refusal or not error > NO_ERROR:
        return _refused(plain, known.refusal or SAME_EFFECT)
    of_share = known.share_worst(ends[1] - value, error)
    if of_share is not None:
        low, high = map(float, share_limits(value, error, known.units, of_share, ends[1], confidence))
        if not math.isnan(low):
            return replace(plain, low=max(low, ends[0]), high=high, fisher=True)
    if not known.few_others and not known.df < FEW:
        return plain
    shortfall = (ends[1] - value) / error
    straight = interval_around(
        value, error, df=known.student_df(shortfall), confidence=confidence, method=method, ends=ends
    )
    if known.few_others:
        bent = _on_fishers_scale(straight, value, ends)
        return replace(bent, low=min(bent.low, straight.low), high=max(bent.high, straight.high))
    if _has_fishers_scale(value, ends) and known.alike(shortfall):
        worst = ends[1] - ends[0] if known.worst is None else known.worst
        low, high = map(float, alike_limits(value, error, known.units, worst, ends[1], confidence))
        if not math.isnan(low):
            return replace(straight, low=max(low, ends[0]), high=high, fisher=True)
    return _on_fishers_scale(straight, value, ends)


def informed_limits(
    values: FloatArray,
    errors: FloatArray,
    effective: FloatArray,
    units: FloatArray,
    *,
    confidence: float,
    ends: Ends,
    rare: bool,
    clustered: bool = False,
    worst: float | None = None,
) -> tuple[FloatArray, FloatArray]:
    """The same for many studies at once; `rare`: does one answer fill most items? The others are not counted."""
    df = _df(effective, units)
    few = (df < FEW) & (values > ends[0]) & (values < ends[1])
    fewer = few & (df < units - 1)  # than there are units
    shortfall = divide(ends[1] - values, errors)
    uneven = outweighed(effective, shortfall)
    heavy = fewer & uneven & (not clustered)
    reach = np.maximum(np.where(fewer & rare, df, units - 1), LEAST)
    reach = np.where(heavy, np.maximum(effective - 1, OF_HEAVY), reach)
    low, high = limits(values, errors, df=reach, confidence=confidence, ends=ends)
    if not all(map(math.isfinite, ends)):
        return low, high
    low[few], high[few] = _fisher_limits(values[few], errors[few], reach[few], confidence, ends)
    high[few] = np.maximum(high[few], nearest(values[few], errors[few], ends[1], confidence))
    if clustered:
        return low, high
    alike = few & weigh_alike(effective, shortfall, units)
    most = ends[1] - ends[0] if worst is None else worst
    down, up = alike_limits(values[alike], errors[alike], units[alike], most, ends[1], confidence)
    low[alike] = np.where(np.isnan(down), low[alike], np.maximum(down, ends[0]))
    high[alike] = np.where(np.isnan(up), high[alike], up)
    if worst is None:
        return low, high
    of_share = share_limits(values, errors, units, worst, ends[1], confidence)
    shares = ~np.isnan(of_share[0])
    return np.where(shares, np.maximum(of_share[0], ends[0]), low), np.where(shares, of_share[1], high)


def outweighed(effective: npt.ArrayLike, shortfall: npt.ArrayLike) -> BoolArray:
    """Do a few units weigh so much more than the others that the error may well be too small?

    So it is with squared differences of scores. It is not where a value falls short of full agreement because a few
    units disagree, all alike: these are as many as the shortfall in standard errors, squared, says. Of a value without
    an end nothing is said.

    >>> bool(outweighed(4.0, 2.6)), bool(outweighed(2.3, 1.4))
    (True, False)
    """
    events = np.square(shortfall)
    return np.asarray(np.isfinite(events) & (effective < np.minimum(FEW_HEAVY, events)))


def weigh_alike(effective: FloatArray | float, shortfall: FloatArray | float, units: FloatArray | float) -> BoolArray:
    """Do units that disagree weigh alike, as far as can be told?

    A value that falls short by so many standard errors does so because of as many units as the errors say. If they
    weigh alike, the fourth powers of what units add are those of a share. Of fewer than three nothing more is asked
    than that none outweighs the rest.

    >>> bool(weigh_alike(5.3, 5.2**0.5, 100)), bool(weigh_alike(3.0, 5.2**0.5, 100))
    (True, False)
    """
    squared = np.square(np.asarray(shortfall, np.float64))
    share = squared / (squared + units - 1)
    informed = units * share * (1 - share) / ((1 - share) ** 3 + share**3)
    alike = effective >= ALIKE * informed
    return np.asarray(np.where(units * share < FEW_SEEN, ~outweighed(effective, shortfall), alike))


def _df(effective: FloatArray, units: FloatArray) -> FloatArray:
    """The degrees of freedom of many errors, from how many units of equal weight would inform them as well."""
    kurtosis = divide(units, effective)
    return np.asarray(np.minimum(units - 1, 2 * units / np.maximum(kurtosis - 1, 1e-9)))


def _refused(interval: Interval, why: str) -> Interval:
    """Without limits; the standard error is what a formula gives, and is kept for who wants to check it."""
    return replace(interval, low=math.nan, high=math.nan, df=None, undefined=why)


def _on_fishers_scale(straight: Interval, value: float, ends: Ends) -> Interval:
    """The same on the scale of Fisher's z, between the ends of the measure; as it is at an end, or without ends."""
    assert straight.df is not None
    if not _has_fishers_scale(value, ends):
        return straight
    low, high = _fisher_limits(value, straight.se, straight.df, straight.confidence, ends)
    highest = max(float(high), float(nearest(value, straight.se, ends[1], straight.confidence)))
    return replace(straight, low=float(low), high=highest, fisher=True)


def _has_fishers_scale(value: float, ends: Ends) -> bool:
    """Does the measure have two ends, and is the value at neither?"""
    half = (ends[1] - ends[0]) / 2
    return math.isfinite(half) and min(value - ends[0], ends[1] - value) > AT_THE_END * half


def _fisher_limits(
    values: npt.ArrayLike, errors: npt.ArrayLike, df: npt.ArrayLike, confidence: float, ends: Ends
) -> tuple[FloatArray, FloatArray]:
    """Limits on the scale of Fisher's z, of values no nearer to an end than where they still have one."""
    apart = AT_THE_END * (ends[1] - ends[0]) / 2
    inside = np.clip(values, ends[0] + apart, ends[1] - apart)
    return limits(inside, errors, df=df, confidence=confidence, scale=fishers_z(ends))


def covered(confidence: float, known: Information) -> float:
    """The share of resamples that an interval must hold, so that it is as wide as Student's t (Hesterberg 2015).

    Percentiles of a bootstrap are those of a normal; with few units, or few that inform the value, they are too narrow.

    >>> round(covered(0.95, Information(19, 20, 20)), 3), round(covered(0.95, Information(4, 5, 50)), 3)
    (0.968, 0.995)
    """
    df = max(min(known.df, known.units - 1), LEAST)
    return min(share_of_resamples(confidence, df, known.units), NEARLY_ALL)


def share_of_resamples(confidence: float, df: float, units: float) -> float:
    """The same from degrees of freedom and the number of units: a normal's ends where those of Student's t would be."""
    stretch = math.sqrt(units / (units - 1)) if units > 1 else 1.0  # resamples vary by squares over n, not n − 1
    return math.erf(quantile(confidence, df) * stretch / math.sqrt(2))


def probability_below(limits: FloatArray, value: float, span: Interval, ends: Ends) -> FloatArray:
    """How likely the true value is below each limit, by Student's t on the scale on which the interval was taken."""
    distance = limits - value
    if span.method == "model-based":  # which reaches as far to either side as its own ends do
        reach = np.where(distance > 0, span.high - value, value - span.low) / quantile(span.confidence)
        return below(distance / np.maximum(reach, NO_ERROR), NORMAL)
    if span.fisher:
        assert span.df is not None  # Fisher's scale is taken with Student's t
        scale, apart = fishers_z(ends), ROUNDING * (ends[1] - ends[0]) / 2
        ends_and_limits = np.clip((span.low, span.high, *limits), ends[0] + apart, ends[1] - apart)
        bent = scale.place(ends_and_limits) - scale.place(np.array(value))
        distance = bent[2:]
        reach = np.where(distance > 0, bent[1], -bent[0]) / quantile(span.confidence, span.df)
        return below(distance / reach, span.df)
    return below(distance / span.se, NORMAL if span.df is None else span.df)


def refusal_of_resamples(known: Information) -> str | None:
    """Why an interval from resamples is refused, where one by formula may still be given."""
    if known.refusal or not known.few_others or known.rare is None:
        return known.refusal
    return Message(
        f"Only {_items(known.rare.items)} of {known.rare.of:,} hold another answer than ",
        quoted(known.rare.commonest),
        ": resamples cannot show what so few do not hold. Use ",
        remedy(method="analytic"),
        ".",
    )

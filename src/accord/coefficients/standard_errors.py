"""From estimates and their standard errors to limits around them and p-values: the one way, on the scale that suits.

An estimate that has no ends is taken as normal (or as Student's t) where it stands. A correlation or a kappa is taken
on the scale of Fisher's z, a share on that of its log odds, a variance on that of its logarithm: there limits lie
symmetrically about it, and back on its own scale none is where the value cannot be.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import FloatArray, divide
from accord.coefficients.student_t import two_sided_quantile, two_sided_quantiles

NO_ERROR = 1e-12  # a standard error below this is none
NORMAL = math.inf  # degrees of freedom without a limit: the normal distribution instead of Student's t
LARGEST = 709.0  # of a logarithm: the exponential of more is no number
AT_AN_END = 1e-15  # of a range from 0 to 1: what is nearer to an end is taken to be as near as this

Ends: TypeAlias = tuple[float, float]
ANYWHERE: Ends = (-math.inf, math.inf)
SHARE: Ends = (0.0, 1.0)  # where a share lies


@dataclass(frozen=True, eq=False)
class LimitScale:
    """Where limits lie symmetrically: the place of values, the way back, and by how much the place moves with them."""

    place: Callable[[FloatArray], FloatArray]
    value: Callable[[FloatArray], FloatArray]
    slope: Callable[[FloatArray], FloatArray]


def fishers_z(ends: Ends = (-1.0, 1.0)) -> LimitScale:
    """Fisher's scale of what lies between two ends, for a correlation −1 and 1.

    >>> round(float(fishers_z().place(np.array(0.5))), 4), round(float(fishers_z((0.0, 1.0)).place(np.array(0.75))), 4)
    (0.5493, 0.5493)
    """
    middle, half = (ends[1] + ends[0]) / 2, (ends[1] - ends[0]) / 2

    def inside(values: FloatArray) -> FloatArray:
        return np.clip((values - middle) / half, -1 + AT_AN_END, 1 - AT_AN_END)

    return LimitScale(
        lambda values: np.arctanh(inside(values)),
        lambda places: middle + half * np.tanh(places),
        lambda values: 1 / half / (1 - inside(values) ** 2),
    )


def _share(values: FloatArray) -> FloatArray:
    return np.clip(values, AT_AN_END, 1 - AT_AN_END)


PLAIN: Final = LimitScale(lambda values: values, lambda places: places, np.ones_like)
FISHER: Final = fishers_z()
LOGARITHM: Final = LimitScale(  # of what is above zero
    np.log,
    lambda places: np.exp(np.minimum(places, LARGEST)),
    lambda values: 1 / values,
)
LOG_ODDS: Final = LimitScale(
    lambda values: np.log(_share(values)) - np.log1p(-_share(values)),
    lambda places: np.exp(np.minimum(places, 0.0)) / (1 + np.exp(-np.abs(places))),  # no overflow at either end
    lambda values: 1 / (_share(values) * (1 - _share(values))),
)


def quantile(confidence: float, df: float = NORMAL) -> float:
    """How many standard errors an interval reaches to either side: Student's t with `df`, else the normal's.

    >>> round(quantile(0.95), 3), round(quantile(0.95, df=9), 3)
    (1.96, 2.262)
    """
    return two_sided_quantile(confidence, df)


def limits(
    values: npt.ArrayLike,
    errors: npt.ArrayLike,
    *,
    df: npt.ArrayLike,
    confidence: float = 0.95,
    ends: Ends = ANYWHERE,
    scale: LimitScale = PLAIN,
    errors_on_scale: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Many values ± quantile · standard error, cut where a value cannot lie; NaN where there is no error.

    `df` are the degrees of freedom of Student's t, one or many; NORMAL is a normal interval. On a `scale` an error of
    the value counts by how fast the place moves with it, unless it is that of the place: 1 / √(n − 3) of Fisher's z.

    >>> low, high = limits([0.5, 0.9], [0.1, 0.1], df=NORMAL, ends=SHARE)
    >>> low.round(3), high.round(3)
    (array([0.304, 0.704]), array([0.696, 1.   ]))
    >>> low, high = limits([0.5, 0.9], [0.1, 0.1], df=NORMAL, scale=LOG_ODDS)
    >>> low.round(3), high.round(3)
    (array([0.313, 0.505]), array([0.687, 0.988]))
    >>> low, high = limits(0.5, 1 / math.sqrt(28 - 3), df=NORMAL, scale=FISHER, errors_on_scale=True)
    >>> round(float(low), 3), round(float(high), 3)
    (0.156, 0.736)
    """
    value, half = np.asarray(values, np.float64), two_sided_quantiles(confidence, df) * np.asarray(errors, np.float64)
    if not errors_on_scale:
        half = half * scale.slope(value)
    place = scale.place(value)
    return np.maximum(scale.value(place - half), ends[0]), np.minimum(scale.value(place + half), ends[1])


def error_on_fishers_scale(number: float) -> float:
    """The standard error of the place on Fisher's z of a correlation over so many items; NaN of three or fewer."""
    return 1 / math.sqrt(number - 3) if number > 3 else math.nan


def of_correlation(value: float, number: float, confidence: float = 0.95) -> tuple[float, float, float]:
    """Both limits of a correlation over so many items, by Fisher's z, and its own standard error.

    That is (1 − r²) / √(n − 1): the error of a correlation is not that of its place on Fisher's scale.

    >>> [round(part, 3) for part in of_correlation(0.5, 28)]
    [0.156, 0.736, 0.144]
    """
    spread = error_on_fishers_scale(number)
    low, high = limits(value, spread, df=NORMAL, confidence=confidence, scale=FISHER, errors_on_scale=True)
    return float(low), float(high), (1 - value * value) / math.sqrt(number - 1) if number > 1 else math.nan


def p_values(
    values: npt.ArrayLike, errors: npt.ArrayLike, df: npt.ArrayLike = NORMAL, alternative: str = "two-sided"
) -> FloatArray:
    """Of true values of zero, of some that are not above it ("greater") or not below it ("less"); NaN without an error.

    >>> p_values([1.96, -2.262, 1.0], [1.0, 1.0, 0.0], df=[NORMAL, 9, 9]).round(3)
    array([0.05, 0.05,  nan])
    """
    from scipy.special import ndtr, stdtr

    value, error, degrees = (np.asarray(one, np.float64) for one in (values, errors, df))
    known = (error > NO_ERROR) & np.isfinite(value) & (degrees >= 1)
    with np.errstate(over="ignore"):  # of a value beyond all others: infinitely many errors
        steps = divide(value, np.where(known, error, 0.0))  # NaN without an error
    sides = 2 if alternative == "two-sided" else 1
    steps = {"greater": -steps, "less": steps}.get(alternative, -np.abs(steps))
    normal = np.isinf(degrees)
    students = 0.0 if normal.all() else stdtr(np.where(normal, 1.0, degrees), steps)
    return np.asarray(sides * np.where(normal, ndtr(steps), students), np.float64)


def p_value(value: float, error: float, df: float = NORMAL, alternative: str = "two-sided") -> float:
    """The same of one value.

    >>> round(p_value(1.96, 1.0), 3), round(p_value(2.262, 1.0, df=9), 3), round(p_value(1.645, 1.0, NORMAL, "less"), 3)
    (0.05, 0.05, 0.95)
    """
    return float(p_values(value, error, df, alternative))


def of_both_tails(more: float, less: float, alternative: str) -> float:
    """The p-value, from how often chance gives as much as was seen, and as little.

    >>> [of_both_tails(0.02, 0.99, alternative) for alternative in ("two-sided", "greater", "less")]
    [0.04, 0.02, 0.99]
    """
    return float({"greater": more, "less": less}.get(alternative, min(1.0, 2 * min(more, less))))

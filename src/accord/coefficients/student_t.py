"""Student's t and the normal distribution where a few numbers are asked, as most calls do, without SciPy.

To load SciPy's special functions takes 0.15 to 0.2 s of the processor (SciPy 1.17), a quarter of `accord measure` on a
small file, which otherwise needs none of them. Whole degrees of freedom have a finite sum (Abramowitz & Stegun 1972,
26.7.3 and 26.7.4), quantiles of very many a few terms beyond the normal's (26.7.5): quantiles are good to 1e-12 of
themselves, probabilities to 1e-14 of one. Everything else is left to SciPy.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import FloatArray

MOST_DF = 1000  # beyond, the sum takes longer than it spares
MOST_SURE = 0.999  # of a confidence: beyond, 1 − confidence has too few digits left
MANY = 64  # numbers: beyond, SciPy is quicker
NEWTON = 60  # steps at most; each comes nearer from below


def two_sided_quantiles(confidence: float, df: npt.ArrayLike) -> FloatArray:
    """How far from zero so much of the distribution lies: Student's t with `df`; the normal where all are without
    limit.

    >>> two_sided_quantiles(0.95, [9, 59]).round(4)
    array([2.2622, 2.001 ])
    """
    many = np.asarray(df, np.float64)
    if 0 < confidence <= MOST_SURE and many.size <= MANY:
        degrees = many.ravel().tolist()
        if all(map(_is_known, degrees)):
            return np.array([_quantile(confidence, one) for one in degrees], np.float64).reshape(many.shape)
    from scipy.special import ndtri, stdtrit

    share = (1 + confidence) / 2
    return np.asarray(ndtri(share) if np.isinf(many).all() else stdtrit(many, share), dtype=np.float64)


def two_sided_quantile(confidence: float, df: float) -> float:
    """The same of one number of degrees of freedom, without an array around it: every interval asks.

    >>> round(two_sided_quantile(0.95, 9), 4)
    2.2622
    """
    if 0 < confidence <= MOST_SURE and _is_known(df):
        return _quantile(confidence, df)
    return _by_scipy(confidence, df)


@lru_cache(maxsize=1024)
def _by_scipy(confidence: float, df: float) -> float:
    """The same from SciPy: all coefficients of a study have intervals on as many degrees of freedom."""
    return float(two_sided_quantiles(confidence, df))


def below(places: npt.ArrayLike, df: float) -> FloatArray:
    """How much of the distribution lies below each place: of Student's t with `df`, or without limit of the normal.

    >>> below([0.0, 2.0], 9).round(4), below([0.0, 2.0], math.inf).round(4)
    (array([0.5   , 0.9617]), array([0.5   , 0.9772]))
    """
    many = np.asarray(places, np.float64)
    if many.size <= MANY and (math.isinf(df) or _is_summed(df)):
        found = [_below(place, df) for place in many.ravel().tolist()]
        return np.array(found, np.float64).reshape(many.shape)
    from scipy.special import ndtr, stdtr

    return np.asarray(ndtr(many) if math.isinf(df) else stdtr(df, many), dtype=np.float64)


def _is_known(df: float) -> bool:
    """Is a quantile known without SciPy?"""
    return df > MOST_DF or _is_summed(df)


def _is_summed(df: float) -> bool:
    return 1 <= df <= MOST_DF and float(df).is_integer()


def _below(place: float, df: float) -> float:
    if math.isinf(df):
        return math.erfc(-place / math.sqrt(2)) / 2
    within = math.copysign(min(_within(abs(place), int(df)), 1.0), place)  # a sum may pass one by the last digit
    return (1 + within) / 2


@lru_cache(maxsize=1024)
def _quantile(confidence: float, df: float) -> float:
    """Newton's steps from zero: what lies within t bends downwards, so none of them goes too far."""
    if MOST_DF < df < math.inf:
        return _beyond_normal(_quantile(confidence, math.inf), df)
    place = 0.0
    for _ in range(NEWTON):
        if math.isinf(df):
            within, log_density = math.erf(place / math.sqrt(2)), -(place**2 + math.log(2 * math.pi)) / 2
        else:
            within, log_density = _within(place, int(df)), _log_density(place, df)
        step = (confidence - within) / (2 * math.exp(log_density))
        place += step
        if step <= 1e-15 * place:  # at the last digit a step may also go back
            break
    return place


def _beyond_normal(z: float, df: float) -> float:
    """Student's t of the same probability as a normal z, for many degrees of freedom: the next term is below 1e-13."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / df**power for power, term in enumerate(terms, start=1))


def _within(place: float, df: int) -> float:
    """P(|T| ≤ t) of Student's t with whole degrees of freedom."""
    angle = math.atan(place / math.sqrt(df))
    square = df / (df + place * place)  # of the cosine
    odd = df % 2
    terms, term = [], math.sqrt(square) if odd else 1.0
    for step in range(odd + 1, df, 2):
        terms.append(term)
        term *= square * step / (step + 1)
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * math.fsum(terms))
    return math.sin(angle) * math.fsum(terms)


def _log_density(place: float, df: float) -> float:
    constant = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2
    return constant - (df + 1) / 2 * math.log1p(place * place / df)

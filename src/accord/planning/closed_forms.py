"""What formulas give for two annotators and two labels, against which the drawing is checked."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import NOTHING_LEFT, FloatArray
from accord.errors import OptionError
from accord.options import check_positive, is_number

MOST = 1e100  # of a cell: beyond, no sum of them is a number


def kappa_error(table: npt.ArrayLike, items: float = 1.0) -> float:
    r"""The large-sample standard error of Cohen's kappa for a table of shares.

    .. math:: \frac{\sqrt{\sum_i p_{ii}(1 - (p_{i\cdot} + p_{\cdot i})(1 - \kappa))^2
        + (1 - \kappa)^2 \sum_{i \ne j} p_{ij} (p_{\cdot i} + p_{j\cdot})^2 - (\kappa - e(1 - \kappa))^2}}
        {(1 - e)\sqrt{n}}

    :math:`p_{ij}` is the share of items that the first annotator calls i and the second j, e the expected agreement.

    Args:
        table: Two annotators' labels × labels, as shares or counts.
        items: n, the number of items.

    Returns:
        The standard error; NaN where both gave one label throughout.

    Raises:
        OptionError: If the table is none of numbers.

    References: fleiss1969; cantor1996 and flack1988 plan with it.

    >>> round(kappa_error([[0.4, 0.1], [0.2, 0.3]], 50), 4)
    0.127
    """
    check_positive("items", items, "100")
    shares = _as_shares(table)
    rows, columns = shares.sum(1), shares.sum(0)
    expected = float(rows @ columns)
    if 1 - expected <= NOTHING_LEFT:
        return math.nan  # both gave one label throughout
    kappa = (float(np.trace(shares)) - expected) / (1 - expected)
    agreed = float(np.diag(shares) @ (1 - (rows + columns) * (1 - kappa)) ** 2)
    crossed = shares * (columns[:, None] + rows[None, :]) ** 2
    apart = (1 - kappa) ** 2 * float(crossed.sum() - np.trace(crossed))
    variance = agreed + apart - (kappa - expected * (1 - kappa)) ** 2
    return math.sqrt(max(variance, 0.0) / items) / (1 - expected)


def intraclass_error(share: float, value: float, items: float = 1.0) -> float:
    r"""The large-sample standard error of Scott's pi for two labels and two annotators with pooled marginals.

    .. math:: \sqrt{\frac{1 - \kappa}{n}\left[(1 - \kappa)(1 - 2\kappa) +
        \frac{\kappa(2 - \kappa)}{2\pi(1 - \pi)}\right]}

    :math:`\pi` is the share of the first label and :math:`\kappa` the value, under the common correlation model.

    Args:
        share: The share of the first label, between 0 and 1.
        value: The value of the coefficient.
        items: n, the number of items.

    Returns:
        The standard error.

    Raises:
        OptionError: If the share or the value cannot be one.

    References: bloch1989; donner1992 plan with the same model.

    >>> round(intraclass_error(0.5, 0.0, 100), 3)
    0.1
    """
    check_positive("items", items, "100")
    if not is_number(share) or not 0 < share < 1:
        raise OptionError.must("share", "lie between 0 and 1", share)
    least = -min(share, 1 - share) / max(share, 1 - share)  # below it one label would be given less than never
    if not is_number(value) or not least <= value <= 1:
        raise OptionError.must("value", f"lie between {least:.3g}, which is the least for this share, and 1", value)
    share, value, items = float(share), float(value), float(items)  # those of NumPy warn where Python's are infinite
    inside = (1 - value) * (1 - 2 * value) + value * (2 - value) / (2 * share * (1 - share))
    return math.sqrt(max((1 - value) * inside, 0.0) / items)


def _as_shares(table: npt.ArrayLike) -> FloatArray:
    """A table of counts or shares as shares."""
    try:
        given = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        given = np.empty(0)
    square = given.ndim == 2 and given.shape[0] == given.shape[1]
    if not square or not ((given >= 0) & (given < MOST)).all() or not given.any():
        rule = "be a square table of numbers from 0, such as [[40, 10], [20, 30]]"
        raise OptionError.must("table", rule, table)
    return np.asarray(given / given.sum())

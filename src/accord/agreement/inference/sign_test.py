"""The sign test: is one of two outcomes too frequent for a coin? McNemar's exact test is this one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import FloatArray


def sign_test(one: npt.ArrayLike, other: npt.ArrayLike) -> FloatArray:
    """Exact and two-sided: that a coin falls so unevenly; 1 where it was never thrown.

    >>> sign_test([9, 0], [1, 0]).round(4).tolist()
    [0.0215, 1.0]
    """
    from scipy.special import bdtr

    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    total = (first + second).astype(np.int64)
    return np.asarray(np.minimum(1.0, 2 * bdtr(np.minimum(first, second), total, 0.5)), dtype=np.float64)

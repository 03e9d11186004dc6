"""How much items say: the degrees of freedom that their influence on a value leaves."""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray


def degrees_of_freedom(scores: FloatArray, number: FloatArray | IntArray | None = None) -> float:
    """Units less one, or fewer where few of them move the value: (Σz²)² / Σz⁴ − 1; at least one.

    Args:
        scores: How far a unit of each kind moves the value.
        number: How many units are of each kind; one each by default.

    Returns:
        The degrees of freedom.

    >>> degrees_of_freedom(np.array([1.0, -1.0, 1.0, -1.0]))
    3.0
    >>> degrees_of_freedom(np.array([1.0, 0.0, 0.0, -1.0]))
    1.0
    """
    times = np.ones(len(scores)) if number is None else np.asarray(number, dtype=np.float64)
    most = float(times.sum()) - 1
    largest = float(np.abs(scores).max(initial=0.0))
    if not largest > 0:
        return max(most, 1.0)
    squares = (scores / largest) ** 2
    effective = float(times @ squares) ** 2 / float(times @ squares**2) - 1
    return max(min(most, effective), 1.0)

"""Items (or clusters of them) drawn again with replacement: how often each contestant then wins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from accord.agreement.inference.resampling import Tell
from accord.annotations.arrays import FloatArray, IntArray
from accord.judge.closeness import ABSENT

CELLS_AT_ONCE = 8_000_000  # how often each unit is drawn, held at a time
MANY_UNITS = 20_000  # from here on units are drawn in groups
GROUPS = 5_000


def redrawn_wins(
    found: Sequence[npt.NDArray[np.int8]],
    cluster: IntArray | None,
    n_resamples: int,
    rng: np.random.Generator,
    tell: Tell,
) -> list[FloatArray]:
    """For each model (draws, people, 3): items, person's wins, model's wins; the same resamples for all models.

    Items on which nobody can be compared with any model are not drawn. More than 20,000 items are first put into 5,000
    groups at random, and the groups are drawn: items are independent, so the spread is the same up to 1 %.
    """
    usable = np.zeros(len(found[0]), dtype=np.bool_)
    for wins in found:
        usable |= (wins != ABSENT).any(1)
    rows = np.nonzero(usable)[0]
    people = found[0].shape[1]
    if not len(rows):
        return [np.zeros((n_resamples, people, 3)) for _ in found]
    unit = np.arange(len(rows)) if cluster is None else np.unique(cluster[rows], return_inverse=True)[1]
    number = int(unit.max()) + 1
    if number > MANY_UNITS:
        unit, number = (rng.permutation(number) % GROUPS)[unit], GROUPS
    totals = [_per_unit(wins[rows], unit, number) for wins in found]
    counts = [np.empty((n_resamples, people, 3)) for _ in found]
    step = max(1, CELLS_AT_ONCE // number)
    for first in range(0, n_resamples, step):
        last = min(first + step, n_resamples)
        drawn = np.empty((last - first, number), dtype=np.float32)  # whole numbers far below 2²⁴: exact
        for row in drawn:
            row[:] = np.bincount(rng.integers(number, size=number), minlength=number)
        for total, kept in zip(totals, counts, strict=True):
            kept[first:last] = (drawn @ total).reshape(last - first, people, 3)
        tell(last, n_resamples)
    return counts


def _per_unit(wins: npt.NDArray[np.int8], unit: IntArray, number: int) -> npt.NDArray[np.float32]:
    """(units, people × 3) items, person's wins and model's wins of each unit."""
    people = wins.shape[1]
    place = unit[:, None] * people + np.arange(people)
    parts = [np.bincount(place[part], minlength=number * people) for part in (wins != ABSENT, wins == 1, wins == -1)]
    return np.stack(parts, axis=1).reshape(number, people * 3).astype(np.float32)

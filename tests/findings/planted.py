"""Studies for the tests of annotators, items, time and causes: grids with a known truth, as long tables where asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from accord import Study

Cells = npt.NDArray[np.int64]


def guessed(rng: np.random.Generator, items: int, skills: tuple[float, ...], labels: int = 4) -> Cells:
    """Items × annotators: each knows the label with their own chance, else names another one."""
    truth = rng.integers(0, labels, items)[:, None]
    shape = (items, len(skills))
    other = (truth + rng.integers(1, labels, shape)) % labels
    return np.where(rng.random(shape) < np.array(skills), truth, other)


def long_table(cells: Cells, times: Any = None, **roles: Any) -> Study:
    """A grid as a long table; `times` has a cell per answer."""
    item, who = np.nonzero(cells >= 0)
    table: dict[str, Any] = {
        "item": [f"i{number}" for number in item],
        "annotator": [f"a{number}" for number in who],
        "label": [f"l{number}" for number in cells[item, who]],
    }
    if times is not None:
        table["when"] = [times[number, person] for number, person in zip(item.tolist(), who.tolist(), strict=True)]
        roles["time"] = "when"
    return Study(table, **roles)

"""What every shape is made into: annotations, the table behind them, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.answers import Answers, Label
from accord.annotations.arrays import IntArray
from accord.annotations.assemble import Assembled, Names
from accord.annotations.coded import CodedAnnotations
from accord.annotations.left_out import LeftOut, Reason

if TYPE_CHECKING:
    from accord.engine.frames import Frame


@dataclass(frozen=True, eq=False)
class Loaded:
    """Annotations ready for a study; those of several variables one by one, in `tasks`."""

    assembled: Assembled | None
    frame: Frame | None
    left_out: LeftOut
    shape: str
    rows: int
    roles: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[Label, Assembled] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what the user should know of how it was read


def from_grid(grid: IntArray, scale: Answers, names: Names, frame: Frame | None, shape: str) -> Loaded:
    """From items × annotators of answer codes."""
    left_out = LeftOut()
    left_out.add(Reason.EMPTY_CELL, int((grid < 0).sum()))
    triples = CodedAnnotations(scale, len(grid), names.annotators, grid=grid)
    return Loaded(Assembled(triples, names, np.empty(0, dtype=np.int64)), frame, left_out, shape, len(grid))

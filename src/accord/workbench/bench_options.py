"""How a bench is set up, and what may be said beside a decision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from accord.errors import OptionError
from accord.options import is_number
from accord.workbench.queue_order import OrderBy, check_order
from accord.workbench.second_look import SHARE

LONGEST_COMMENT = 10_000  # characters
LONGEST_REASON = 200
REASONS = (
    "the guideline settles it",
    "a slip of the minority",
    "context outside the text",
    "the item has two readings",
    "the item is broken",
)


@dataclass(frozen=True)
class BenchOptions:
    """How a bench is set up: the order of its queue, what errors cost, and what is shown."""

    order: OrderBy = "value"
    costs: Any = None  # what it costs to give a label (columns) where another is true (rows)
    seed: int = 0
    show_names: bool = False
    second_look: float = SHARE
    learns: bool = True  # does the model learn from decisions while they are made?

    def __post_init__(self) -> None:
        check_order(self.order)
        if not is_number(self.second_look) or not 0 <= self.second_look <= 1:
            raise OptionError.must("second_look", "be a share from 0 to 1, for example 0.1", self.second_look)


@dataclass(frozen=True)
class Note:
    """What may be said beside a decision."""

    reason: str = ""
    comment: str = ""
    unclear: bool = False  # the guideline is unclear here: an open point
    seconds: float | None = None  # between showing the item and the decision

    def __post_init__(self) -> None:
        if len(self.comment) > LONGEST_COMMENT:
            raise OptionError.must("comment", f"have up to {LONGEST_COMMENT:,} characters", self.comment)
        if len(self.reason) > LONGEST_REASON:
            raise OptionError.must("reason", f"have up to {LONGEST_REASON} characters", self.reason)
        if self.seconds is not None and not (math.isfinite(self.seconds) and self.seconds >= 0):
            raise OptionError.must("seconds", "be a number of seconds, 0 or more", self.seconds)


EMPTY_NOTE = Note()

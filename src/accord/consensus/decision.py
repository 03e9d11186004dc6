"""What a person, or a rule that a person set, decided of an item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Decision:
    """What was decided of an item, by whom, and when; by a person, or by a rule that a person set."""

    label: Any
    by: str
    at: str
    rule: str = ""

"""Claims: who is deciding which item just now, so that nobody else gets it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

LEASE = 300.0  # seconds after which an item that nobody decided is free again


@dataclass(eq=False)
class Claims:
    """Items that somebody is deciding, each for a while. One person has any number: they may have two windows."""

    lease: float = LEASE
    clock: Callable[[], float] = time.monotonic
    _held: dict[int, tuple[str, float]] = field(default_factory=dict)  # item ─▶ who, and until when
    _lock: Lock = field(default_factory=Lock)

    def take(self, item: int, name: str) -> bool:
        """Claim an item, or hold it longer; False where somebody else has it."""
        with self._lock:
            if self._holder(item) not in (None, name):
                return False
            self._held[item] = (name, self.clock() + self.lease)
            return True

    def take_free(self, items: list[int], name: str) -> list[int]:
        """Claim those of many items that nobody has."""
        with self._lock:
            free = [item for item in items if self._holder(item) is None]
            until = self.clock() + self.lease
            self._held.update(dict.fromkeys(free, (name, until)))
            return free

    def holder(self, item: int) -> str | None:
        """Who has an item; None where nobody has."""
        with self._lock:
            return self._holder(item)

    def release(self, name: str, *items: int) -> None:
        """Give items back, those that are one's own."""
        with self._lock:
            for item in items:
                if self._holder(item) == name:
                    del self._held[item]

    def held(self) -> dict[int, str]:
        """Every item that somebody is deciding now, and who."""
        with self._lock:
            return {item: who for item in list(self._held) if (who := self._holder(item)) is not None}

    def _holder(self, item: int) -> str | None:
        held = self._held.get(item)
        if held is not None and held[1] <= self.clock():
            del self._held[item]
            return None
        return None if held is None else held[0]

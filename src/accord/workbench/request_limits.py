"""How much anybody may ask: so many requests a second, and no body longer than a decision takes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_KNOWN = 10_000  # callers who are remembered


@dataclass
class Rate:
    """So many a second on average, and `burst` at once, for each caller by itself.

    >>> rate = Rate(per_second=1, burst=2, clock=lambda: 0.0)
    >>> [rate.allows("ana"), rate.allows("ana"), rate.allows("ana"), rate.allows("ben")]
    [True, True, False, True]
    """

    per_second: float
    burst: float
    clock: Callable[[], float] = time.monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)  # by caller: how many, and when it was so
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def allows(self, caller: str) -> bool:
        """Count a request of somebody; False where it is one too many."""
        now = self.clock()
        with self._lock:
            left, then = self._left.pop(caller, (self.burst, now))
            left = min(left + (now - then) * self.per_second, self.burst)
            self._left[caller] = (left - 1 if left >= 1 else left, now)
            if len(self._left) > MOST_KNOWN:  # whoever came least lately
                del self._left[next(iter(self._left))]
        return left >= 1

    def is_spent(self, caller: str) -> bool:
        """Would another request be one too many? It is not counted."""
        left, then = self._left.get(caller, (self.burst, 0.0))
        return left + (self.clock() - then) * self.per_second < 1

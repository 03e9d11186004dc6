"""Memory that nobody uses any more goes back to the system: else every report of a million items would leave some.

The C library keeps what is freed for whoever wants memory next, and takes it only where it fits: after six reports of
a million items that was half a gigabyte.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable

LARGE = 50_000  # items from which on it is worth the time
SINGLY, POOLS, LEFTOVER = -3, -8, -1  # what glibc's mallopt calls them
LARGE_PIECES = 4 * 2**20  # bytes from which on a piece of memory is had from the system by itself, and given back
FEW_POOLS = 2  # which threads share: each keeps its own leavings
MOST_LEFT_OVER = 32 * 2**20  # bytes at the end of a pool; less, and memory goes back and forth all the time


def given_back(n_items: int) -> bool:
    """After work on so many items, give back what it left; False where it is not worth it or cannot be asked for."""
    trim = _of_glibc("malloc_trim") if n_items >= LARGE else None
    return trim is not None and trim(0) is not None


def kept_small() -> bool:
    """Let a process that is all ours keep less of what it has freed; False where that cannot be asked for."""
    choose = _of_glibc("mallopt")
    chosen = ((SINGLY, LARGE_PIECES), (POOLS, FEW_POOLS), (LEFTOVER, MOST_LEFT_OVER))
    return choose is not None and all(choose(what, how_much) for what, how_much in chosen)


def _of_glibc(name: str) -> Callable[..., int] | None:
    """A function of the C library, where it is the one that has it."""
    if platform.libc_ver()[0] != "glibc":
        return None
    found: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return found

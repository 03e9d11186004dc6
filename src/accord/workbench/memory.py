"""Memory that nobody uses any more goes back to the system: else every report of a million items would leave some."""

from __future__ import annotations

import ctypes
import gc
import sys

LARGE = 50_000  # items from which on it is worth the time


def given_back(n_items: int) -> bool:
    """After work on so many items, free what it left; False where it is not worth it.

    Freed arrays of some megabytes stay with the C library, which takes them for the next ones only where they fit:
    after six reports of a million items that was half a gigabyte.
    """
    if n_items < LARGE:
        return False
    gc.collect()  # a report's results know each other
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None  # glibc has it
    if trim is not None:
        trim(0)
    return True

"""Telling how far long work has come: silent unless asked."""

from __future__ import annotations

import sys
from collections.abc import Callable


def reporter(progress: bool | Callable[[int, int], None] | None, what: str) -> Callable[[int, int], None]:
    """A function of (done, total): the caller's own, a line on the error stream, or nothing."""
    if callable(progress):
        return progress
    if not progress:
        return _silent

    def tell(done: int, total: int) -> None:
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{what}: {done:,} of {total:,}{end}")
        sys.stderr.flush()

    return tell


def _silent(_done: int, _total: int) -> None:
    """Say nothing."""

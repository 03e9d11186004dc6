"""A lock that many hold at once while they only use something, and one alone while it is exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class StudyLock:
    """Keeps the study of a bench from being exchanged while somebody answers a request about it.

    Nobody takes it twice at once: whoever waits for all others to end would wait for ever.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._using = 0
        self._exchanging = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        """While this lasts, nothing is exchanged."""
        with self._changed:
            self._changed.wait_for(lambda: not self._exchanging)
            self._using += 1
        try:
            yield
        finally:
            with self._changed:
                self._using -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """While this lasts, nobody uses it; those who come wait."""
        with self._changed:
            self._changed.wait_for(lambda: not self._exchanging)
            self._exchanging = True
            self._changed.wait_for(lambda: not self._using)
        try:
            yield
        finally:
            with self._changed:
                self._exchanging = False
                self._changed.notify_all()

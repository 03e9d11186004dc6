"""What is computed of all decisions, kept until there are others: nobody waits for it twice."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Generic, NamedTuple, TypeVar

from accord.workbench.bench import Bench

QUICK = 0.1  # seconds that a page may take for it

Made = TypeVar("Made")


class Look(NamedTuple, Generic[Made]):
    """What there is, and whether the latest decisions are in it."""

    made: Made
    is_of_now: bool


@dataclass(frozen=True)
class _Kept(Generic[Made]):
    made: Made
    study: object
    last_number: int  # of the log
    seconds: float  # that it took


class DecisionCache(Generic[Made]):
    """Something that is made of a bench's decisions.

    What is quick is made anew for whoever looks after a change. What takes longer is made aside: who looks meanwhile
    sees the last one, and is told so.
    """

    def __init__(self, bench: Bench, make: Callable[[], Made]) -> None:
        self._bench, self._make = bench, make
        self._lock = Lock()
        self._kept: _Kept[Made] | None = None
        self.at_work: Thread | None = None

    def look(self) -> Look[Made]:
        """What there is now. Whoever asks uses the bench's study (`study_lock`) already."""
        kept = self._kept
        if kept is None or kept.study is not self._bench.study:
            kept = self._made()
        elif kept.last_number != self._bench.progress().last_number:
            if kept.seconds > QUICK:
                self._renew_aside()
                return Look(kept.made, is_of_now=False)
            kept = self._made()
        return Look(kept.made, is_of_now=True)

    def _made(self) -> _Kept[Made]:
        study, last, begun = self._bench.study, self._bench.progress().last_number, time.perf_counter()
        made = self._make()
        self._kept = _Kept(made, study, last, time.perf_counter() - begun)
        return self._kept

    def _renew_aside(self) -> None:
        with self._lock:
            if self.at_work is not None and self.at_work.is_alive():
                return
            self.at_work = Thread(target=self._renew, name="accord counting", daemon=True)
            self.at_work.start()

    def _renew(self) -> None:
        with self._bench.study_lock.shared():
            self._made()

"""Watch: the export is read again when it changes; decisions stay, and what is new is said."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from accord.errors import AccordError
from accord.study.study import Study
from accord.workbench.bench import Bench
from accord.workbench.decision_log import now
from accord.workbench.study_changes import study_changes

EVERY = 1.0  # seconds between two looks
KEPT = 20  # pieces of news

State: TypeAlias = tuple[tuple[int, int, int] | None, ...]  # of each file: when it was written, its size, which file


@dataclass(frozen=True)
class Watched:
    """Files that a study is read from, and how."""

    files: Sequence[Path]
    read: Callable[[], Study]

    def state(self) -> State:
        """What tells whether the files changed; None for one that is not there."""
        return tuple(_state(file) for file in self.files)


def _state(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


@dataclass(frozen=True)
class News:
    """What a look at the files brought."""

    at: str
    message: str
    failed: bool = False


class Watch:
    """Looks at the files of a study every second, and hands the bench what was read again."""

    def __init__(self, watched: Watched, bench: Bench) -> None:
        self._watched = watched
        self._bench = bench
        self._read = self._seen = watched.state()
        self._news: tuple[News, ...] = ()
        self._looking = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="accord watch", daemon=True)

    @property
    def files(self) -> Sequence[Path]:
        """What is looked at."""
        return self._watched.files

    @property
    def news(self) -> tuple[News, ...]:
        """What was new, the latest first."""
        return self._news

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _look_on(self) -> None:
        while not self._ended.wait(EVERY):
            self.look()

    def look(self) -> bool:
        """Look once; a file that changed since the last look may still be being written, and is left until the next.

        Returns:
            Whether the study was read again.
        """
        with self._looking:
            state = self._watched.state()
            if state == self._read or None in state:
                return False
            if state != self._seen:
                self._seen = state
                return False
            self._read = state
            return self._read_again()

    def _read_again(self) -> bool:
        try:
            study = self._watched.read()
            changes = study_changes(self._bench.study, study._in_memory)
            if changes.any:
                self._bench.renew(study)
        except (AccordError, OSError) as problem:
            self._post(f"The file has changed, but cannot be taken: {problem} What was read before stays.", failed=True)
            return False
        self._post(f"Read again: {changes}")
        return changes.any

    def _post(self, words: str, *, failed: bool = False) -> None:
        self._news = (News(now(), words, failed), *self._news)[:KEPT]

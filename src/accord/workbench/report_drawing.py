"""Reports that are drawn aside, section by section: a page shows what there is and says that more will come.

A report of a million items takes seconds, most of them for charts; nobody should wait for it with an empty page.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event, Lock, Thread

from accord.agreement.table_formats import cut, seen
from accord.errors import AccordError
from accord.reporting.context import Section
from accord.reporting.links import resolved
from accord.workbench.freed_memory import given_back

LONGEST_TITLE = 60  # letters of a section in the contents


@dataclass(frozen=True)
class LivePage:
    """A report of some items: its sections, and how many items it is about."""

    sections: Sequence[tuple[str, str, str]]  # anchor, heading, HTML
    number: int
    undefined: str = ""  # why there is no report
    more: bool = False  # are sections still to come?


class Drawing:
    """One report: its sections so far, which whoever draws it adds to.

    Args:
        number: How many items it is about.
        sections: What makes its sections, one after another.
        undefined: Why there is nothing to draw; nothing where there is.
    """

    def __init__(self, number: int, sections: Callable[[], Iterator[Section]], undefined: str = "") -> None:
        self.number = number
        self._making: Callable[[], Iterator[Section]] | None = sections
        self._made: list[Section] = []
        self._undefined = undefined
        self._problem: Exception | None = None
        self._ended = 0.0
        self._done = Event()
        self.unwanted = False  # nobody looks at it any more: whoever draws aside need not begin
        self._one_draws = Lock()

    def draw(self) -> None:
        """Make every section, unless somebody has."""
        with self._one_draws:
            making, self._making = self._making, None
            if making is None:
                return
            try:
                for section in making():
                    self._made.append(section)
            except AccordError as refusal:
                self._made, self._undefined = [], str(refusal)
            except Exception as problem:  # noqa: BLE001 - told to whoever waits for it, in their own thread
                self._problem = problem
            self._ended = time.monotonic()
            self._done.set()

    @property
    def is_whole(self) -> bool:
        """Is there nothing left to draw?"""
        return self._done.is_set()

    @property
    def failed(self) -> bool:
        """Was there a mistake, so that it should be tried again?"""
        return self._problem is not None

    def is_older_than(self, seconds: float) -> bool:
        """Was it finished longer ago?"""
        return self._done.is_set() and time.monotonic() - self._ended > seconds

    def page(self, patience: float | None) -> LivePage:
        """What there is after some seconds at most.

        Raises:
            Exception: What went wrong while it was drawn, to everybody who waits for it.
        """
        whole = self._done.wait(patience)
        if self._problem is not None:
            raise self._problem
        return LivePage(_laid_out(list(self._made)), self.number, self._undefined, more=not whole)


class Drawer:
    """A thread that draws what it is given, one report after another, and ends when there is nothing left."""

    def __init__(self) -> None:
        self._waiting: deque[Drawing] = deque()
        self._lock = Lock()
        self._working = False

    def take(self, drawing: Drawing) -> None:
        """Draw it when it is its turn; one that waits already waits on, and one that is drawn stays as it is."""
        if drawing.is_whole:
            return
        with self._lock:
            if drawing not in self._waiting:
                self._waiting.append(drawing)
            if self._working:
                return
            self._working = True
        Thread(target=self._work, name="accord report", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._working = False
                    return
                drawing = self._waiting.popleft()
            if not drawing.unwanted:
                drawing.draw()
                given_back(drawing.number)


def _laid_out(sections: Sequence[Section]) -> list[tuple[str, str, str]]:
    """Sections whose links lead somewhere and whose drawings do not mix."""
    if not sections:
        return []
    mark = "<!-- the next section -->"
    whole = mark.join(f'<i id="{part.key}"></i>{part.html}' for part in sections)
    parts = resolved(whole).split(mark)
    return [
        (part.key, cut(seen(part.title), LONGEST_TITLE), html.removeprefix(f'<i id="{part.key}"></i>'))
        for part, html in zip(sections, parts, strict=True)
    ]

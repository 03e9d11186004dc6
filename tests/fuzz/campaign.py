"""What a campaign is: it draws a case, which JSON can hold, and tries it; whatever ends amiss is kept as a case."""

from __future__ import annotations

import json
import pickle
import random
import signal
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.errors import AccordError

Case = dict[str, Any]
CORPUS = Path(__file__).parent / "corpus"
PATIENCE, WAIT = 20, 60  # seconds of work, and of waiting without any, beyond which a try hangs
LEAST = 0.01  # seconds of work


class Differs(AssertionError):
    """Two ways to one thing gave two, and nobody was told."""


class Hangs(BaseException):
    """A try that does not end; no Exception, so that nothing on the way takes it for one of its own."""


@dataclass(frozen=True)
class Campaign:
    """A kind of attack."""

    name: str
    draw: Callable[[random.Random], Case]
    attempt: Callable[[Case, Path], str]  # what came of it, in a word; errors of accord may come through

    def case(self, seed: int) -> Case:
        """The case of a seed."""
        return self.draw(random.Random(f"{self.name} {seed}"))

    def outcome(self, case: Case) -> str:
        """What comes of a case: a word, or "error" where accord says what is wrong; anything else is raised."""
        with tempfile.TemporaryDirectory() as folder, _patience(), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # of NumPy: a number that is none, and nobody was told
            try:
                return self.attempt(case, Path(folder))
            except AccordError as problem:
                if not str(problem).strip():
                    raise Differs("an error that says nothing") from problem
                _arrives(problem)
                return "error"


def _arrives(problem: AccordError) -> None:
    """Raise where another process would wait for an error for ever, or get another one."""
    again = pickle.loads(pickle.dumps(problem))  # noqa: S301 - our own
    if (type(again), str(again), again.text()) != (type(problem), str(problem), problem.text()):
        raise Differs(f"{problem} and in another process {again}") from problem
    json.dumps(again.to_dict(), allow_nan=False)


@contextmanager
def _patience() -> Iterator[None]:
    """Raise where a try works for too long, or waits for something that does not come.

    On a busy machine it may wait for its turn: as long as it gets some work done, it does not hang.
    """
    worked = time.process_time()

    def stop(*_: object) -> None:
        raise Hangs(f"more than {PATIENCE} s of work")

    def look(*_: object) -> None:
        nonlocal worked
        before, worked = worked, time.process_time()
        if worked - before < LEAST:
            raise Hangs(f"no work in {WAIT} s")

    timers = {signal.SIGPROF: (signal.ITIMER_PROF, PATIENCE, stop), signal.SIGALRM: (signal.ITIMER_REAL, WAIT, look)}
    before = {number: signal.signal(number, act) for number, (*_, act) in timers.items()}
    for timer, seconds, _ in timers.values():
        signal.setitimer(timer, seconds, seconds)
    try:
        yield
    finally:
        for number, (timer, *_) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


def place_of(problem: BaseException) -> str:
    """What failed and where, so that the same is told once."""
    ours = [frame for frame in traceback.extract_tb(problem.__traceback__) if "/accord/" in frame.filename]
    frame = ours[-1] if ours else traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__} in {Path(frame.filename).name}, {frame.name}"


def kept(campaign: str, case: Case, problem: BaseException, folder: Path, number: int) -> Path:
    """A case that failed (the so-manieth in its place), in a file that can be put into the corpus."""
    folder.mkdir(parents=True, exist_ok=True)
    was = f"{place_of(problem)}: {str(problem)[:200]}"
    called = "".join(letter if letter.isalnum() else "-" for letter in f"{campaign}-{place_of(problem)}-{number}")
    path = folder / f"{called}.json"
    path.write_text(json.dumps({"campaign": campaign, "was": was, "case": case}, indent=1) + "\n", encoding="utf-8")
    return path


def corpus() -> list[Path]:
    """Everything that ever failed."""
    return sorted(CORPUS.glob("*.json"))

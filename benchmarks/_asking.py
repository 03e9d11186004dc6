"""How every benchmark asks: each contestant in a process of its own, answers compared first, then one table.

A benchmark makes its data once, asks accord and a peer in turns so that a busy machine troubles both, and keeps the
best time of each. Times are read as ratios; `must` is what accord has to reach, and a miss is printed, not hidden.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import peers

WORKER = Path(__file__).with_name("_worker.py")
LATER = ("crowdkit", "pingouin", "pygamma")  # tasks of packages that live apart from the other peers
SECONDS = 600.0  # beyond this a contestant is stopped


@dataclass(frozen=True)
class Run:
    """What a contestant gave and took; `cannot` says why it gave nothing."""

    values: dict[str, float]
    seconds: float = math.nan
    processor: float = math.nan  # seconds that it was at work, which a busy machine does not stretch
    peak_mb: float = math.nan
    added_mb: float = math.nan
    cannot: str | None = None


@dataclass(frozen=True)
class Row:
    """One line of the table: a question, both contestants, and what accord has to reach.

    `at_least` is how many times faster than the peer accord must be; `within` a number of seconds.
    """

    question: str
    accord: Run
    peer: str = ""
    other: Run | None = None
    at_least: float | None = None
    within: float | None = None

    @property
    def faster(self) -> float:
        """How many times faster than the peer."""
        return self.other.seconds / self.accord.seconds if self.other and not self.other.cannot else math.nan

    @property
    def reached(self) -> bool | None:
        """Is accord as fast as it must be? None where nothing is asked."""
        if self.within is not None:
            return self.accord.seconds <= self.within
        return None if self.at_least is None else self.faster >= self.at_least

    def cells(self) -> list[str]:
        """The line as text."""
        goal = f"≤ {show(self.within)}" if self.within is not None else f"{self.at_least:g} ×" if self.at_least else ""
        word = {True: "yes", False: "MISSED", None: ""}[self.reached]
        other = self.other
        theirs = "" if other is None else other.cannot or show(other.seconds)
        space = "" if other is None or other.cannot else f"{other.peak_mb:,.0f} MB"
        ratio = "" if math.isnan(self.faster) else f"{self.faster:.3g} ×"
        ours = f"{self.accord.peak_mb:,.0f} MB (+{self.accord.added_mb:,.0f})"
        return [self.question, show(self.accord.seconds), self.peer, theirs, ratio, goal, word, ours, space]

    def to_dict(self) -> dict[str, Any]:
        """The line for JSON."""
        other = self.other
        return {
            "question": self.question,
            "accord_s": self.accord.seconds,
            "accord_processor_s": self.accord.processor,
            "accord_peak_mb": _finite(self.accord.peak_mb),
            "accord_added_mb": _finite(self.accord.added_mb),
            "values": self.accord.values,
            "peer": self.peer or None,
            "peer_s": _finite(other.seconds) if other else None,
            "peer_processor_s": _finite(other.processor) if other else None,
            "peer_peak_mb": _finite(other.peak_mb) if other else None,
            "peer_cannot": other.cannot if other else None,
            "times_faster": _finite(self.faster),
            "must": self.at_least if self.within is None else None,
            "must_s": self.within,
            "reached": self.reached,
        }


HEADS = ["question", "accord", "peer", "peer takes", "faster", "must", "reached", "accord's peak", "peer's peak"]


@contextmanager
def stored(**arrays: np.ndarray[Any, Any]) -> Iterator[dict[str, Path]]:
    """Arrays as files that every process can read."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        paths = {name: Path(folder) / f"{name}.npy" for name in arrays}
        for name, array in arrays.items():
            np.save(paths[name], array)
        yield paths


def ask(task: str, data: Path, *, calls: int = 1, seconds: float = SECONDS, memory: float | None = None) -> Run:
    """One run in a fresh process of the environment that the task belongs to."""
    home = "more-peers" if task.startswith(LATER) else "peers"
    program = sys.executable if task.startswith("accord") else str(peers.python(home))
    command = [program, "-P", str(WORKER), task, str(data), "--calls", str(calls)]
    command += [] if memory is None else ["--memory", str(memory)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return Run({}, cannot=f"not in {seconds:g} s")
    if done.returncode:
        raise SystemExit(f"{task} failed:\n{done.stderr}")
    told = json.loads(done.stdout.splitlines()[-1])
    return Run({}, cannot=told["cannot"]) if "cannot" in told else Run(**told)


def in_turns(tasks: Sequence[tuple[str, Path]], times: int, *, calls: int = 1, slow: Sequence[str] = ()) -> list[Run]:
    """The best of several runs of each task, the tasks taking turns; a slow one runs once."""
    runs: list[list[Run]] = [[] for _ in tasks]
    for turn in range(times):
        for (task, data), found in zip(tasks, runs, strict=True):
            if turn == 0 or task not in slow:
                found.append(ask(task, data, calls=calls))
    return [min(found, key=lambda run: run.seconds) for found in runs]


def must_agree(ours: Run, theirs: Run, tolerance: float) -> None:
    """Stop if a value that both gave differs by more than the peer's rounding."""
    common = ours.values.keys() & theirs.values.keys()
    if not common:
        raise SystemExit(f"Nothing to compare: {sorted(ours.values)} and {sorted(theirs.values)}.")
    for name in sorted(common):
        if not abs(ours.values[name] - theirs.values[name]) <= tolerance:
            raise SystemExit(f"{name}: accord says {ours.values[name]!r}, the peer {theirs.values[name]!r}.")


def report(title: str, rows: Sequence[Row]) -> None:
    """One table, then one line of JSON a row."""
    lines = [HEADS, *(row.cells() for row in rows)]
    used = [place for place in range(len(HEADS)) if any(line[place] for line in lines[1:])]
    widths = {place: max(len(line[place]) for line in lines) for place in used}
    print(f"\n{title}")
    for line in lines:
        print("  ".join(line[place].ljust(widths[place]) for place in used).rstrip())
    print(busy(), end="\n\n")
    for row in rows:
        print(json.dumps(row.to_dict(), ensure_ascii=False))


def busy() -> str:
    """How much else the machine does: above one task a core, times by the clock are too long."""
    cores = os.cpu_count() or 1
    if not hasattr(os, "getloadavg"):
        return f"{cores} cores"
    return f"{os.getloadavg()[0]:.1f} tasks at a time on {cores} cores in the last minute"


def show(seconds: float) -> str:
    """Seconds, or milliseconds where they are few."""
    return f"{seconds:.3g} s" if seconds >= 0.0995 else f"{1000 * seconds:.3g} ms"


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None

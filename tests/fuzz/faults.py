"""A disk that fills up, and an interrupt, while something is written: the old file or the new, nothing beside it.

Of a folder the same holds as of a file; where files of a folder are written one by one (queries), it holds of each.
"""

from __future__ import annotations

import contextlib
import io
import random
import resource
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

import accord
from accord.engine.whole_file import remove_begun
from accord.errors import AccordError
from tests.command.running import run
from tests.fuzz.campaign import Campaign, Case, Differs

ROWS = 3_000
OLD = b"what was there before\n"
Held = dict[str, bytes]  # what lies somewhere: a file under the name "", or the files of a folder by their paths


@cache
def _table() -> dict[str, list[Any]]:
    return {
        "item": [f"item {row // 3}" for row in range(ROWS)],
        "annotator": ["ana", "ben", "cy"] * (ROWS // 3),
        "label": ["yes", "no", "no", "maybe"] * (ROWS // 4),
    }


@cache
def _study() -> accord.Study:
    return accord.Study(_table())


@cache
def _gold() -> accord.Gold:
    return accord.gold(_study(), method="majority")


@cache
def _lazy_gold() -> accord.Gold:
    return accord.gold(accord.Study(pl.DataFrame(_table()).lazy()), method="majority")


@cache
def _few() -> accord.Study:
    return accord.Study({name: cells[:60] for name, cells in _table().items()})


def _command(*line: str) -> Callable[[Path], Any]:
    def written(path: Path) -> None:
        source = path.parent.parent / "in.csv"
        _study().write(source) if not source.exists() else None
        said = run(line[0], str(source), *line[1:], str(path), "--force", "-q", folder=path.parent)
        if said.code not in (0, 2, 130):
            raise Differs(f"{line} ended with {said.code}: {said.err[-300:]}")

    return written


WRITING: dict[str, Callable[[Path], Any]] = {
    "study.csv": lambda path: _study().write(path),
    "study.jsonl": lambda path: _study().write(path),
    "study.parquet": lambda path: _study().write(path),
    "gold.csv": lambda path: _gold().write(path),
    "gold.parquet": lambda path: _gold().write(path),
    "lazy.csv": lambda path: _lazy_gold().write(path),
    "lazy.parquet": lambda path: _lazy_gold().write(path),
    "table.csv": lambda path: accord.fleiss_kappa(_study()).by_item().to_csv(path),
    "queue.csv": lambda path: _gold().queue(50, path=path),
    "report.md": lambda path: accord.report(_study(), path),
    "converted.csv": _command("convert", "-o"),
    "command-gold.csv": _command("gold", "--method", "majority", "-o"),
    "command.tally": _command("tally", "-o"),
    "command-paper.md": _command("paper", "-o"),
    "command-report.html": _command("report", "-o"),
    "pages": lambda path: accord.publish(_few(), path, show_names=True),
    "queries": lambda path: accord.queries("answers", dialect="duckdb", labels=["a", "b"]).write(path, force=True),
}
ONE_BY_ONE = ("queries",)  # folders whose files are written each by itself


def draw(chance: random.Random) -> Case:
    """What is written, and what happens when."""
    name = chance.choice(list(WRITING))
    fault = chance.choice(("full", "interrupt"))
    return {"name": name, "fault": fault, "after": chance.choice((chance.random(), chance.random() ** 4))}


def attempt(case: Case, folder: Path) -> str:
    """Write over an old file while something happens."""
    name, target = case["name"], folder / "out" / case["name"]
    new, seconds = _whole(name)
    target.parent.mkdir()
    (folder / "in.csv").write_bytes(_source())
    old = _old(name, new)
    _put(target, old)
    ended, most = "written", max(map(len, new.values()))
    try:
        with full_disk(int(case["after"] * most)) if case["fault"] == "full" else _interrupt(case["after"] * seconds):
            WRITING[name](target)
    except (AccordError, KeyboardInterrupt) as problem:
        ended = type(problem).__name__
    remove_begun()  # as at the end of the process: an interrupt may fall into the removal itself
    found = _held(target)
    if not _is_old_or_new(name, found, old, new):
        sizes = {path: len(held) for path, held in found.items()}
        raise Differs(f"{name}: {sizes} of {most:,} bytes after {case['fault']}")
    left = [path.name for path in target.parent.rglob("*") if path.suffix in (".part", ".before")]
    if left:
        raise Differs(f"{name}: {left} left after {case['fault']}")
    return ended


def _held(target: Path) -> Held:
    if not target.is_dir():
        return {"": target.read_bytes()}
    return {path.relative_to(target).as_posix(): path.read_bytes() for path in target.rglob("*") if path.is_file()}


def _put(target: Path, held: Held) -> None:
    for name, data in held.items():
        path = target / name if name else target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _old(name: str, new: Held) -> Held:
    """What lies there before: something else, in a folder of pages or queries with the same names."""
    return {path: data if path == "accord-published.json" else OLD for path, data in new.items()}


def _is_old_or_new(name: str, found: Held, old: Held, new: Held) -> bool:
    """All that was there, or all that should be; in whatever order an engine gives it."""
    if name in ONE_BY_ONE:  # each by itself, and what says how to read the others is of the same time, or is not there
        known = all(data in (old.get(path), new.get(path)) for path, data in found.items())
        told = found.get("accord.json")
        return known and (told is None or found in (old, new))
    if found == old:
        return True
    if found.keys() != new.keys():
        return False
    if name.endswith((".parquet", ".tally")):
        heights = [pl.read_parquet(io.BytesIO(held[""])).height for held in (found, new)]
        return heights[0] == heights[1]
    return all(sorted(found[path].splitlines()) == sorted(new[path].splitlines()) for path in new)


@cache
def _source() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return _study().write(Path(folder) / "in.csv").read_bytes()


@cache
def _whole(name: str) -> tuple[Held, float]:
    """The file as it is when nothing happens, and how long it takes in seconds."""
    import tempfile
    import time

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out" / name
        target.parent.mkdir()
        (Path(folder) / "in.csv").write_bytes(_source())
        WRITING[name](target)
        began = time.process_time()
        WRITING[name](target)
        return _held(target), time.process_time() - began


@contextlib.contextmanager
def full_disk(bytes_left: int) -> Iterator[None]:
    """No file grows beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@contextlib.contextmanager
def _interrupt(seconds: float) -> Iterator[None]:
    """Ctrl-C after a while, unless all is done by then."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    # The command has an end of its own for Ctrl-C while it works; before and after that it is ours.
    ours = signal.signal(signal.SIGINT, stop)
    before = signal.signal(signal.SIGVTALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        signal.signal(signal.SIGINT, ours)


CAMPAIGN = Campaign("faults", draw, attempt)

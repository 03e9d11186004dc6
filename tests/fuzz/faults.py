"""A disk that fills up, and an interrupt, while something is written: the old file or the new, nothing beside it."""

from __future__ import annotations

import contextlib
import random
import resource
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

import accord
from accord.errors import AccordError
from tests.command.running import run
from tests.fuzz.campaign import Campaign, Case, Differs

ROWS = 3_000
OLD = b"what was there before\n"


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
}


def draw(chance: random.Random) -> Case:
    """What is written, and what happens when."""
    name = chance.choice(list(WRITING))
    fault = chance.choice(("full", "interrupt"))
    return {"name": name, "fault": fault, "after": chance.choice((chance.random(), chance.random() ** 4))}


def attempt(case: Case, folder: Path) -> str:
    """Write over an old file while something happens."""
    name, target = case["name"], folder / "out" / case["name"]
    new, millis = _whole(name)
    target.parent.mkdir()
    (folder / "in.csv").write_bytes(_source())
    target.write_bytes(OLD)
    ended = "written"
    try:
        with (
            full_disk(int(case["after"] * len(new))) if case["fault"] == "full" else _interrupt(case["after"] * millis)
        ):
            WRITING[name](target)
    except (AccordError, KeyboardInterrupt) as problem:
        ended = type(problem).__name__
    found = target.read_bytes()
    if found != OLD and not _is_whole(name, found, new):
        raise Differs(f"{name}: {len(found):,} bytes of {len(new):,} after {case['fault']}")
    left = [path.name for path in target.parent.iterdir() if path.name.endswith(".part")]
    if left:
        raise Differs(f"{name}: {left} left after {case['fault']}")
    return ended


def _is_whole(name: str, found: bytes, new: bytes) -> bool:
    """All that should be there, in whatever order an engine gives it."""
    if name.endswith(".parquet"):
        import io

        return pl.read_parquet(io.BytesIO(found)).height == pl.read_parquet(io.BytesIO(new)).height
    return sorted(found.splitlines()) == sorted(new.splitlines())


@cache
def _source() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return _study().write(Path(folder) / "in.csv").read_bytes()


@cache
def _whole(name: str) -> tuple[bytes, float]:
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
        return target.read_bytes(), time.process_time() - began


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

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


CAMPAIGN = Campaign("faults", draw, attempt)

"""Is a file ever found half written? Every writing command and call, killed (SIGKILL) at random moments.

    python -m benchmarks.kills [--kills 200] [--seed 0] [--only convert]

A process writes two studies in turn over one file, again and again, and is killed after a random while. What lies there
then must be what lay there before or one of the two, whole; half files that a kill left beside it must be gone after
the next write. The process is a fork of this one, which loads no engine: Polars does not survive a fork. A folder of
pages is held to the same. Queries are written into a folder file by file: each must be whole, and the manifest, which
says how their results are read, be of all of them or not be there.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest import mock

import accord
import accord.cli.program
from accord.reporting.anonymise import anonymised, read_key, write_key

Write = Callable[[Path], object]
Make = Callable[[int], Write]  # of which of the two is written; the work that comes before writing is done here
OLD = b"what was there before\n"
EMPTY_KEY = b'{"rows": []}\n'
ROWS = 1_500


def table(version: int) -> dict[str, list[object]]:
    """One of the two studies."""
    chance = random.Random(version)
    return {
        "item": [f"item {row // 3}" for row in range(ROWS)],
        "annotator": [f"person {version}-{row % 3}" for row in range(ROWS)],
        "label": [chance.choice(("yes", "no", "maybe")) for _ in range(ROWS)],
    }


def study(version: int) -> accord.Study:
    """The study in memory."""
    return accord.Study(table(version))


def command(*line: str) -> Make:
    """Runs of the command, over the file that is there."""

    def made(version: int) -> Write:
        written = partial(_run, version, line)
        _load(written, version, ".md" if line[0] in ("report", "paper") else ".csv")
        if "polars" in sys.modules:
            raise RuntimeError("Polars was loaded, which does not survive a fork.")
        return written

    return made


def _run(version: int, line: tuple[str, ...], target: Path) -> None:
    source = target.parent.parent / f"{version}.csv"
    arguments = ["accord", line[0], str(source), *line[1:], str(target), "--force", "-q"]
    with mock.patch.object(sys, "argv", arguments), contextlib.suppress(SystemExit):
        accord.cli.program.run()


def _load(write: Write, version: int, ending: str) -> None:
    """Write once elsewhere, so that what a command loads is loaded before it is timed and killed."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out" / f"x{ending}"
        target.parent.mkdir()
        study(version).write(Path(folder) / f"{version}.csv")
        write(target)


def _study(version: int) -> Write:
    return study(version).write


def _gold(version: int) -> Write:
    return accord.gold(study(version), method="majority").write


def _engine(version: int) -> Write:
    import polars as pl

    return accord.gold(accord.Study(pl.DataFrame(table(version)).lazy()), method="majority").write


def in_its_process(ending: str, *line: str) -> Make:
    """Runs of a command that loads what does not survive a fork: each process loads it for itself."""

    def made(version: int) -> Write:
        written = partial(_run, version, line)
        _load(written, version, ending)
        return written

    return made


def _pages(version: int) -> Write:
    few = accord.Study({name: cells[:60] for name, cells in table(version).items()})
    return lambda target: accord.publish(few, target)


def _queries(version: int) -> Write:
    labels = [f"label {version} {number}" for number in range(100)]
    asked = accord.queries("answers", dialect="duckdb", labels=labels)
    return lambda target: asked.write(target, force=True)


def _queue(version: int) -> Write:
    gold = accord.gold(study(version), method="majority")
    return lambda target: gold.queue(500, path=target, force=True)


def _key(version: int) -> Write:
    people = study(version)

    def grown(target: Path) -> None:
        known = read_key(target)
        write_key(anonymised(people, known, rng=version)[1], known, target)

    return grown


def _table(version: int) -> Write:
    return accord.fleiss_kappa(study(version)).by_item().to_csv


@dataclass(frozen=True)
class Writer:
    """What is written where, and whether the work that comes before can be done before a fork."""

    name: str  # of the file or the folder
    make: Make
    survives: bool = True


WRITERS: dict[str, Writer] = {
    "Study.write .csv": Writer("x.csv", _study),
    "Study.write .tsv": Writer("x.tsv", _study),
    "Study.write .jsonl": Writer("x.jsonl", _study),
    "Study.write .parquet": Writer("x.parquet", _study),
    "Gold.write .csv": Writer("g.csv", _gold),
    "Gold.write .parquet": Writer("g.parquet", _gold),
    "engine sink .csv": Writer("e.csv", _engine, survives=False),
    "engine sink .parquet": Writer("e.parquet", _engine, survives=False),
    "queue": Writer("q.csv", _queue),
    "key of names": Writer("k.json", _key),
    "Table.to_csv": Writer("t.csv", _table),
    "accord convert -o": Writer("c.csv", command("convert", "-o")),
    "accord convert -o .parquet": Writer("c.parquet", in_its_process(".parquet", "convert", "-o"), survives=False),
    "accord gold -o": Writer("cg.csv", command("gold", "--method", "majority", "-o")),
    "accord gold --queue-file": Writer(
        "cq.csv", command("gold", "--method", "majority", "--queue", "500", "--queue-file")
    ),
    "accord report -o .md": Writer("r.md", command("report", "-o")),
    "accord report -o .html": Writer("r.html", in_its_process(".html", "report", "-o"), survives=False),
    "accord paper -o .md": Writer("p.md", command("paper", "-o")),
    "accord paper -o .docx": Writer("p.docx", command("paper", "-o")),
    "accord tally -o": Writer("t.tally", in_its_process(".tally", "tally", "-o"), survives=False),
    "accord publish -o": Writer("pages", _pages, survives=False),
    "accord sql -o": Writer("queries", _queries),
}
ONE_BY_ONE, MANIFEST = "queries", "accord.json"
MARK = "accord-published.json"  # by which a folder is known as ours


def forked(work: Callable[[], object]) -> int:
    """Have another process do it, without a word; returns its id."""
    process = os.fork()
    if process:
        return process
    try:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        work()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - whatever it was, nothing of this process is to go on
        os._exit(1)


def timed(writes: list[Write], target: Path, told: int) -> None:
    """Tell how long both take, what has to be loaded for the first included."""
    began = time.perf_counter()
    for write in writes:
        write(target)
    os.write(told, f"{time.perf_counter() - began}\n".encode())


def for_ever(writes: list[Write], target: Path, told: int) -> None:
    """One and the other in turn."""
    os.write(told, b"ready\n")
    while True:
        for write in writes:
            write(target)


def once(make: Make, version: int, target: Path) -> None:
    """Have one of the two written by a process of its own."""
    os.waitpid(forked(lambda: make(version)(target)), 0)


Held = dict[str, bytes]  # what lies somewhere: a file under the name "", or the files of a folder by their paths


def held(target: Path) -> Held:
    """What lies there, but for half files."""
    if not target.is_dir():
        return {"": target.read_bytes()}
    files = [path for path in target.rglob("*") if path.is_file() and path.suffix != ".part"]
    return {path.relative_to(target).as_posix(): path.read_bytes() for path in files}


def put(target: Path, what: Held) -> None:
    """Have it lie there, and nothing else."""
    if target.is_dir():
        shutil.rmtree(target)
    for name, data in what.items():
        path = target / name if name else target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def before(name: str, new: Held) -> Held:
    """What lies there before."""
    if name.endswith(".json"):
        return {"": EMPTY_KEY}
    return {path: data if path == MARK else OLD for path, data in new.items()}


def as_long(found: bytes, new: bytes) -> None:
    """Raise unless both can be read and have as many rows."""
    import polars as pl

    one, other = (pl.read_parquet(io.BytesIO(data)) for data in (found, new))
    if one.shape != other.shape:
        raise ValueError(one.shape)


def whole(name: str, found: Held, new: list[Held]) -> bool:
    """Is it one of the two, whole? An engine may put rows in another order; Parquet has no one way to be written."""
    if name.endswith((".parquet", ".tally")):
        return os.waitpid(forked(partial(as_long, found[""], new[0][""])), 0)[1] == 0
    if name.endswith(".json"):
        try:
            return len(json.loads(found[""])["rows"]) in [len(json.loads(one[""])["rows"]) for one in new]
        except ValueError:
            return False
    return any(
        found.keys() == one.keys()
        and all(sorted(found[path].splitlines()) == sorted(one[path].splitlines()) for path in one)
        for one in new
    )


def each_whole(found: Held, all_of_them: list[Held]) -> bool:
    """Is each file one of those, and the manifest of all of them, or not there?"""
    each = all(any(one.get(path) == data for one in all_of_them) for path, data in found.items())
    return each and (MANIFEST not in found or found in all_of_them)


def tried(writer: Writer, kills: int, chance: random.Random) -> Counter[str]:
    """What lay there after each kill."""
    ends: Counter[str] = Counter()
    name, make = writer.name, writer.make
    with tempfile.TemporaryDirectory() as folder:
        target, new = Path(folder) / "out" / name, []
        target.parent.mkdir()
        for version in (1, 2):
            once(_study, version, target.parent.parent / f"{version}.csv")
            once(make, version, target)
            new.append(held(target))
        old = before(name, new[0])
        prepared = [make(1), make(2)] if writer.survives else []
        longest = 1.5 * float(heard(lambda told: timed(prepared or [make(1), make(2)], target, told)))
        for _ in range(kills):
            put(target, old)
            heard(lambda told: for_ever(prepared or [make(1), make(2)], target, told), chance.random() * longest)
            found = held(target)
            fine = each_whole(found, [old, *new]) if name == ONE_BY_ONE else whole(name, found, new)
            ends["old" if found == old else "new" if fine else "HALF"] += 1
            ends["half files beside"] += bool(parts_in(target.parent))
        once(make, 1, target)
        ends["LEFT AT THE END"] = sum(target.name in path or name == ONE_BY_ONE for path in parts_in(target.parent))
    return ends


def heard(work: Callable[[int], object], after: float = 0) -> str:
    """What another process tells first; it is killed so many seconds later."""
    hears, tells = os.pipe()
    process = forked(partial(work, tells))
    os.close(tells)
    with os.fdopen(hears) as told:
        line = told.readline()
    time.sleep(after)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return line


def parts_in(folder: Path) -> list[str]:
    """The half files in a folder."""
    return [path.name for path in folder.rglob("*") if path.suffix in (".part", ".before")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", default=[], help="writers whose names hold this")
    asked = parser.parse_args()
    chance, amiss = random.Random(asked.seed), 0
    print(f"{'killed while writing':26} {'kills':>6} {'old':>5} {'new':>5} {'half':>5} {'beside':>7} {'left':>5}")
    for called, writer in WRITERS.items():
        if asked.only and not any(word in called for word in asked.only):
            continue
        ends = tried(writer, asked.kills, chance)
        amiss += ends["HALF"] + ends["LEFT AT THE END"]
        figures = f"{ends['old']:5} {ends['new']:5} {ends['HALF']:5} {ends['half files beside']:7}"
        print(f"{called:26} {asked.kills:6} {figures} {ends['LEFT AT THE END']:5}", flush=True)
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main())

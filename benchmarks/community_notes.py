"""How long does a table of the shape of Community Notes take? Ratings of notes by a large crowd, with heavy tails.

At full scale 206 million answers to 2.5 million items by 1.4 million annotators: most items have few answers and some
tens of thousands, most annotators gave a handful and some thousands. Three labels; people lean to one of two sides, and
so do items. Drawn with a seed, nobody answers an item twice; ids are numbers of 19 digits and text of 64 letters, as
in the public files. Each command runs in a process of its own, from Parquet; the whole process counts.

    python -m benchmarks.community_notes                 a twentieth: 10 million answers
    python -m benchmarks.community_notes --scale 1       all of it: about 2 GB on disk
    python -m benchmarks.community_notes --only majority
    python -m benchmarks.community_notes --only Dawid    and the same killed without warning once eight iterations are
                                                         kept, then asked again: it goes on to the same gold
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import whole_calls

FOLDER = Path("build/benchmarks")
ANSWERS, ITEMS, PEOPLE = 206_000_000, 2_500_000, 1_400_000
LABELS = ("HELPFUL", "SOMEWHAT_HELPFUL", "NOT_HELPFUL")
PART = 5_000_000  # answers of one file
ITEM_TAIL, PEOPLE_TAIL = 1.6, 1.9  # spread of the logarithm of how many answers an item has, a person gives
DRAWN = 1.25  # pairs that are drawn for one that is new: who answers often meets an item again
DONE = "_SUCCESS"  # as engines say that a table is whole
MOST_MEGABYTES = 4_096
MODEL = "gold, Dawid–Skene"  # the command that is killed and asked again
LOOK = 0.2  # seconds between two looks for what it keeps
ENOUGH = 8  # of its twenty iterations, after which it is killed
COMMANDS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "measure": (("measure", "--json"), None),
    "explain": (("explain", "--json"), None),
    "gold, majority": (("gold", "--method", "majority"), "gold.parquet"),
    MODEL: (("gold", "--method", "dawid-skene", "--iterations", "20"), "gold.parquet"),
}


def make(scale: float) -> Path:
    """The files, made once, some items at a time."""
    import numpy as np
    import polars as pl

    path = FOLDER / f"notes-{scale:g}"
    if (path / DONE).exists():
        return path
    path.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(206)
    items, people = round(ITEMS * scale), round(PEOPLE * scale)
    wanted = rng.lognormal(0.0, ITEM_TAIL, items)
    wanted = np.maximum(np.rint(wanted * (DRAWN * ANSWERS * scale / wanted.sum())), 1).astype(np.int64)
    active = rng.lognormal(0.0, PEOPLE_TAIL, people).cumsum()
    active /= active[-1]
    sides = rng.normal(size=people)
    names = pl.Series([f"{number:016X}" * 4 for number in rng.integers(0, 2**63, people).tolist()])
    edges = np.searchsorted(wanted.cumsum(), np.arange(PART, wanted.sum() + PART, PART))
    for part, (begin, end) in enumerate(zip([0, *edges], [*edges, items], strict=False)):
        if end > begin:
            drawn = _part(rng, np.arange(begin, end), wanted[begin:end], active, sides)
            item, who, label = drawn
            frame = pl.DataFrame({
                "item": item + 1_354_000_000_000_000_000,
                "annotator": names.gather(who),
                "label": pl.Series(LABELS).gather(label),
            })  # fmt: skip
            frame.write_parquet(path / f"part-{part:03}.parquet")
    (path / DONE).touch()
    return path


def _part(rng: Any, items: Any, wanted: Any, active: Any, sides: Any) -> tuple[Any, Any, Any]:
    """Item, annotator and label of the answers to some items, in random order; a pair that was drawn twice is one."""
    import numpy as np

    item = np.repeat(items, wanted)
    who = np.searchsorted(active, rng.random(len(item)))
    pairs = np.unique(item * len(sides) + who)
    item, who = np.divmod(rng.permutation(pairs), len(sides))
    place = item - items[0]
    worth, lean = rng.normal(0.3, 1.0, len(items)), rng.normal(0.0, 1.2, len(items))
    felt = worth[place] + lean[place] * sides[who] + rng.logistic(size=len(item))
    return item, who, np.where(felt > 0.4, 0, np.where(felt > -0.4, 1, 2))


def line_of(called: str, path: Path, folder: Path) -> list[str]:
    """The command line."""
    words, writes = COMMANDS[called]
    target = ["-o", str(folder / writes), "--force"] if writes else []
    return [sys.executable, "-m", "accord.cli", words[0], str(path), *words[1:], *target]


def row(called: str, path: Path, folder: Path) -> str:
    """What a command takes of this table."""
    began = time.perf_counter()
    _, used = whole_calls.ran(line_of(called, path, folder), folder / "printed")
    return told(called, used, began)


def told(called: str, used: Any, began: float) -> str:
    """What a process used, in a line."""
    clock, memory = time.perf_counter() - began, used.ru_maxrss / 1024
    mark = "  MISSED" if memory > MOST_MEGABYTES else ""
    return f"{called:30} {used.ru_utime + used.ru_stime:9.1f} {clock:9.1f} {memory:8,.0f}{mark}"


def iterations_in(checkpoint: Path) -> int:
    """How many iterations a checkpoint holds; none where there is none. It is replaced as a whole, never half."""
    import numpy as np

    if not checkpoint.exists():
        return 0
    with np.load(checkpoint) as held:
        return int(json.loads(str(held["about"]))["iterations"])


def killed(path: Path, folder: Path) -> Iterator[str]:
    """The model killed once some iterations are kept, then asked again; its gold must be that of one run."""
    import polars as pl

    gold = folder / str(COMMANDS[MODEL][1])
    expected = pl.read_parquet(gold)
    gold.unlink()
    kept = gold.with_name(f"{gold.name}.checkpoint")
    began = time.perf_counter()
    process = subprocess.Popen(line_of(MODEL, path, folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while iterations_in(kept) < ENOUGH and process.poll() is None:
        time.sleep(LOOK)
    process.kill()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if not kept.exists() or gold.exists():
        raise SystemExit("It was over before anything was kept: take a larger scale.")
    yield told(f"  killed, {iterations_in(kept)} iterations kept", used, began)
    yield row(MODEL, path, folder).replace(MODEL, "  and gone on with")
    if not pl.read_parquet(gold).equals(expected):
        raise SystemExit("The gold after a kill is not that of one run.")
    yield "  the same gold, bit by bit; " + ("nothing is left" if not kept.exists() else "THE CHECKPOINT IS LEFT")


def main(words: Sequence[str] | None = None) -> None:
    """One line a command."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--scale", type=float, default=0.05, help="of the real size")
    arguments.add_argument("--only", default="", help="commands that hold this word")
    given = arguments.parse_args(words)
    path = make(given.scale)
    print(f"{'command':30} {'processor':>9} {'clock':>9} {'MB':>8}   (at most {MOST_MEGABYTES:,} MB)", flush=True)
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        for called in COMMANDS:
            if given.only in called:
                print(row(called, path, Path(folder)), flush=True)
            if given.only in called and called == MODEL:
                for line in killed(path, Path(folder)):
                    print(line, flush=True)


if __name__ == "__main__":
    main()

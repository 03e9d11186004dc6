"""What grows faster than the data? Every dimension doubled twice, every command, time and memory.

Items, annotators, labels, answers per item, size of sets, groups, variables, documents, people whom a model is held
against: each is doubled twice while the others stay, and `measure`, `explain`, `gold` and `report` (of the last,
`judge`) are asked in a process each, after a small study of the same kind has loaded what they need. Printed are the
seconds of the processor, the memory added, and the exponents by which they grow with the number of answers (1 is
linear; the time of n log n comes out at about 1.1). What is refused says so.
Answers per item and annotators make pairs, whose number grows with the square: their lines say what that costs.

    python -m benchmarks.doubling [--only labels] [--command gold]
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import accord
from benchmarks._worker import memory

MOST = 1.35  # an exponent above this is no noise
LEAP = 1.7  # nor one above this from one size to the next, as before a limit
LEAST = 0.1  # seconds below which noise is all there is
LEAST_MB = 5  # megabytes, likewise
COMMANDS = ("measure", "explain", "gold", "report")
SECONDS = 300  # of the processor, beyond which a call is stopped
Columns = dict[str, list[Any]]


@dataclass(frozen=True)
class Dimension:
    """What is doubled: the table of a size, the size to begin with, and what is said of the table."""

    make: Callable[[int], Columns]
    size: int
    options: dict[str, Any] = field(default_factory=dict)
    by: str | None = None
    commands: tuple[str, ...] = COMMANDS


def crowd(items: int, people: int, labels: int, each: int) -> Columns:
    """Answers to items by `each` of some people, seven in ten of them right."""
    chance = random.Random(items + people + labels + each)
    rows: Columns = {"item": [], "annotator": [], "label": []}
    for item in range(items):
        right = chance.randrange(labels)
        for who in chance.sample(range(people), each):
            said = right if chance.random() < 0.7 else chance.randrange(labels)
            for name, cell in (("item", f"i{item}"), ("annotator", f"p{who}"), ("label", f"l{said:04}")):
                rows[name].append(cell)
    return rows


def sets(size: int) -> Columns:
    """Sets of up to so many of sixty labels: a row for each label of a set."""
    chance = random.Random(size)
    rows: Columns = {"item": [], "annotator": [], "label": []}
    for item in range(600):
        right = chance.sample(range(60), size)
        for who in range(3):
            kept = [label for label in right if chance.random() < 0.8] or right[:1]
            rows["item"] += [f"i{item}"] * len(kept)
            rows["annotator"] += [f"p{who}"] * len(kept)
            rows["label"] += [f"l{label:02}" for label in kept]
    return rows


def grouped(groups: int) -> Columns:
    """Thirty items a group."""
    rows = crowd(30 * groups, 6, 4, 3)
    return {**rows, "part": [f"g{int(item[1:]) // 30}" for item in rows["item"]]}


def variables(number: int) -> Columns:
    """Three hundred items, asked so many questions each."""
    rows: Columns = {"item": [], "annotator": [], "label": [], "task": []}
    for task in range(number):
        one = crowd(300, 6, 4, 3)
        for name, column in one.items():
            rows[name] += column
        rows["task"] += [f"t{task:03}"] * len(one["item"])
    return rows


def documents(number: int) -> Columns:
    """Texts with about five spans each, marked by three people who shift a border now and then."""
    chance = random.Random(number)
    rows: Columns = {"item": [], "annotator": [], "start": [], "end": [], "label": []}
    for document in range(number):
        spans = [(60 * place + chance.randrange(20), chance.choice("ABC")) for place in range(5)]
        for who in range(3):
            for start, label in spans:
                if chance.random() < 0.85:
                    begin = start + chance.choice((0, 0, 0, 2))
                    cells = (f"d{document}", f"p{who}", begin, start + 15, label)
                    for name, cell in zip(rows, cells, strict=True):
                        rows[name].append(cell)
    return rows


DIMENSIONS = {
    "items": Dimension(lambda size: crowd(size, 8, 4, 4), 10_000),
    "annotators": Dimension(lambda size: crowd(4 * size, size, 4, 4), 1_000),
    "labels": Dimension(lambda size: crowd(10 * size, 8, size, 4), 100),
    "answers per item": Dimension(lambda size: crowd(400, size, 4, size), 25),
    "set size": Dimension(sets, 3, {"answers": "set"}),
    "groups": Dimension(grouped, 50, {}, "part", ("measure",)),
    "variables": Dimension(variables, 4, {"task": "task"}, None, ("measure", "explain", "report")),
    "documents": Dimension(documents, 60, {"start": "start", "end": "end"}),
    "people": Dimension(lambda size: crowd(10, size, 4, size), 2_000, {}, None, ("judge",)),
}


def asked(command: str, study: accord.Study, by: str | None) -> None:
    """Ask as the command does, to the last line that it prints."""
    if command == "measure":
        str(accord.measure(study, by=by) if by else accord.measure(study))
    elif command == "explain":
        str(accord.explain(study))
    elif command == "gold":
        str(accord.gold(study))
    elif command == "judge":
        str(accord.judge.verdict(study, models=["p0"]))
    else:
        with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
            accord.report(study, Path(folder) / "report.html")


def one(called: str, command: str, size: int) -> dict[str, Any]:
    """In a process of its own: seconds and megabytes of one call, or why it is refused."""
    dimension = DIMENSIONS[called]
    roles = dict.fromkeys(("item", "annotator", "label"))
    options = {**{role: role for role in roles}, **dimension.options}
    asked(command, accord.Study(dimension.make(max(dimension.size // 10, 2)), **options), dimension.by)
    rows = dimension.make(size)
    before, begin = memory("VmHWM"), time.process_time()
    try:
        asked(command, accord.Study(rows, **options), dimension.by)
    except accord.AccordError as refusal:
        return {"refused": str(refusal)[:100]}
    spent, peak = time.process_time() - begin, memory("VmHWM")
    return {"rows": len(rows["item"]), "seconds": spent, "mb": peak - before}


def apart(called: str, command: str, size: int) -> dict[str, Any]:
    """The same, from outside."""
    line = [sys.executable, "-m", "benchmarks.doubling", "--one", called, command, str(size)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGXCPU:
        return {"refused": f"not in {SECONDS} s of the processor"}
    if done.returncode:
        raise SystemExit(f"{called}, {command}, {size}:\n{done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def exponent(one: dict[str, Any], other: dict[str, Any], what: str = "seconds") -> float:
    """By which power of the number of rows time, or memory, grew."""
    return math.log(max(other[what], 1e-9) / max(one[what], 1e-9)) / math.log(other["rows"] / one["rows"])


def line(called: str, command: str) -> tuple[str, bool]:
    """A line of the table, and whether time grows faster than n log n."""
    first = DIMENSIONS[called].size
    runs = [apart(called, command, first * factor) for factor in (1, 2, 4)]
    refused = next((run["refused"] for run in runs if "refused" in run), None)
    if refused:
        return f"{called:17} {command:8} {first:6,}  {refused}", False
    power = exponent(runs[0], runs[-1])
    leaps = [two["seconds"] > LEAST and exponent(one, two) > LEAP for one, two in itertools.pairwise(runs)]
    grows = (power > MOST and runs[-1]["seconds"] > LEAST) or any(leaps)
    times = "  ".join(f"{run['seconds']:6.2f} s" for run in runs)
    added = "  ".join(f"{run['mb']:5,.0f}" for run in runs)
    held = f"{exponent(runs[0], runs[-1], 'mb'):4.2f}" if runs[0]["mb"] >= LEAST_MB else "   –"  # below it is noise
    mark = "  GROWS FASTER" if grows else ""
    return f"{called:17} {command:8} {first:6,}  {times}   MB {added}   exponents {power:4.2f} {held}{mark}", grows


def main() -> None:
    """A line for each dimension and command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="dimensions that hold this")
    parser.add_argument("--command", default="", help="one of the commands")
    parser.add_argument("--one", nargs=3, metavar=("DIMENSION", "COMMAND", "SIZE"))
    given = parser.parse_args()
    if given.one:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))  # the clock says nothing on a busy machine
        print(json.dumps(one(given.one[0], given.one[1], int(given.one[2]))))
        return
    grown = []
    for called, dimension in DIMENSIONS.items():
        for command in dimension.commands:
            if given.only in called and given.command in command:
                told, grows = line(called, command)
                print(told, flush=True)
                grown += [f"{command} by {called}"] if grows else []
    print(f"faster than n log n: {', '.join(grown) or 'nothing'}")


if __name__ == "__main__":
    main()

"""How much memory and time do odd shapes take? Each command on the shape that once took gigabytes, or grew too fast.

    python -m benchmarks.bounds [--only zip] [--memory 4]

Each case is a run of the command in a process of its own, with a limit on its memory; printed are the size of the
input, the time of the processor and the peak memory, how the command ended and, where it refuses, what it says. The
same shape at half the size tells how it grows. Must hold: no case ends by the limit, or takes more than its line
allows.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import accord

REFUSED, UNDEFINED = 2, 3  # exit codes


@dataclass(frozen=True)
class Case:
    """A shape, made at a size, and what is asked of it."""

    called: str
    make: Callable[[Path, int], Path]
    size: int
    line: tuple[str, ...]
    most: int  # MiB


def rows(folder: Path, lines: list[str], header: str = "item,annotator,label") -> Path:
    """A CSV file."""
    path = folder / "x.csv"
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return path


def survey(folder: Path, people: int) -> Path:
    """Ten questions, thousands of people who all met."""
    chance = random.Random(1)
    return rows(folder, [f"q{q},p{who},{chance.choice('abcde')}" for who in range(people) for q in range(10)])


def groups(folder: Path, number: int) -> Path:
    """Three items a group, two annotators."""
    chance = random.Random(2)
    lines = [f"{g}-{i},{who},{chance.choice('ab')},g{g}" for g in range(number) for i in range(3) for who in "xy"]
    return rows(folder, lines, "item,annotator,label,part")


def labels(folder: Path, number: int) -> Path:
    """Ten items for each label, three annotators."""
    chance = random.Random(3)
    lines = []
    for item in range(10 * number):
        right = chance.randrange(number)
        lines += [f"{item},{who},l{right if chance.random() < 0.8 else chance.randrange(number)}" for who in "xyz"]
    return rows(folder, lines)


def crowd(folder: Path, people: int) -> Path:
    """Three people an item, each of them with four items."""
    chance = random.Random(4)
    return rows(folder, [f"{n % (4 * people // 3)},person {n // 4},{chance.choice('ab')}" for n in range(4 * people)])


def standoff(folder: Path, number: int) -> Path:
    """A brat project in a zip: as many documents, two annotators."""
    path = folder / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for who in ("ana", "ben"):
            for document in range(number // 2):
                packed.writestr(f"{who}/d{document}.txt", "The ship sails.\n")
                packed.writestr(f"{who}/d{document}.ann", "T1\tShip 4 8\tship\n")
    return path


def bomb(folder: Path, number: int) -> Path:
    """Files of a megabyte of one letter each."""
    path = folder / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for place in range(number):
            packed.writestr(f"f{place}.csv", b"a" * 1_000_000)
    return path


def line_ends(folder: Path, number: int) -> Path:
    """Valid JSON, and blank lines after it."""
    path = folder / "x.json"
    path.write_text("[1]" + "\n" * number, encoding="utf-8")
    return path


def blanks(folder: Path, number: int) -> Path:
    """A brat attribute with blanks behind it."""
    (folder / "brat").mkdir()
    (folder / "brat" / "d.txt").write_text("The ship sails.\n", encoding="utf-8")
    (folder / "brat" / "d.ann").write_text(f"T1\tShip 4 8\tship\nA1\tBig T1{' ' * number}\n", encoding="utf-8")
    return folder / "brat"


def wide(folder: Path, columns: int) -> Path:
    """Three rows of as many annotators."""
    lines = [f"{item}," + ",".join(random.Random(item).choices("ab", k=columns)) for item in range(3)]
    return rows(folder, lines, "item," + ",".join(f"p{column}" for column in range(columns)))


def sets(folder: Path, number: int) -> Path:
    """As many different sets of labels."""
    chance = random.Random(5)
    names = [f"l{place}" for place in range(60)]
    lines = [f"{n},{who},{'|'.join(sorted(chance.sample(names, 5)))}" for n in range(number // 2) for who in "xy"]
    return rows(folder, lines)


def tags(folder: Path, number: int) -> Path:
    """As many different sets, of half as many labels."""
    chance = random.Random(6)
    drawn = [sorted({int(number / 2 * chance.random() ** 2) for _ in range(5)}) for _ in range(number)]
    return rows(
        folder, [f"{n // 2},{'xy'[n % 2]},{'|'.join(f'l{tag}' for tag in held)}" for n, held in enumerate(drawn)]
    )


def same_place(folder: Path, number: int) -> Path:
    """As many documents, each with one unit in the same place."""
    chance = random.Random(7)
    lines = [f"{document},{who},{chance.choice('ab')},0,3" for document in range(number) for who in "xy"]
    return rows(folder, [*lines, "0,x,a,12,14", "0,y,a,12,14"], "item,annotator,label,start,end")


CASES = (
    Case("measure, 10 items x people", survey, 4_000, ("measure",), 600),
    Case("measure, 10 items x people", survey, 50_000, ("measure",), 1_200),
    Case("explain, 10 items x people", survey, 4_000, ("explain",), 1_000),
    Case("gold, 10 items x people", survey, 4_000, ("gold",), 1_000),
    Case("report, 10 items x people", survey, 4_000, ("report", "-o", "r.html"), 1_500),
    Case("paper, 10 items x people", survey, 4_000, ("paper", "-o", "p.md"), 1_000),
    Case("plan, 10 items x people", survey, 4_000, ("plan", "--width", "0.2"), 1_000),
    Case("compare, 10 items x people", survey, 4_000, ("compare", "x.csv", "--measure", "fleiss_kappa"), 1_000),
    Case("judge, 10 items x people", survey, 4_000, ("judge", "--models", "p0"), 1_500),
    Case("convert, 10 items x people", survey, 4_000, ("convert", "-o", "c.parquet"), 1_000),
    Case("tally, 10 items x people", survey, 4_000, ("tally", "-o", "x.tally"), 1_000),
    Case("doctor, 10 items x people", survey, 4_000, ("doctor",), 1_000),
    Case("publish, 10 items x people", survey, 4_000, ("publish", "-o", "pages"), 1_500),
    Case("measure --by, groups", groups, 4_000, ("measure", "--by", "part"), 1_000),
    Case("gold, labels x 10 items", labels, 1_000, ("gold",), 1_500),
    Case("gold, labels x 10 items", labels, 10_000, ("gold",), 3_000),
    Case("explain, labels x 10 items", labels, 10_000, ("explain",), 2_000),
    Case("explain, labels x 10 items", labels, 100_000, ("explain",), 3_500),
    Case("measure, labels x 10 items", labels, 100_000, ("measure",), 3_500),
    Case("report, labels x 10 items", labels, 3_000, ("report", "-o", "r.html"), 1_000),
    Case("report, labels x 10 items", labels, 10_000, ("report", "-o", "r.html"), 1_500),
    Case("measure --anonymise, crowd", crowd, 40_000, ("measure", "--anonymise"), 1_000),
    Case(
        "measure --resample, crowd", crowd, 4_000, ("measure", "--measure", "fleiss_kappa", "--resample", "both"), 300
    ),
    Case("measure, zip of many files", standoff, 8_000, ("measure",), 600),
    Case("measure, 1 MB zip of 1 GB", bomb, 1_000, ("measure",), 300),
    Case("measure, JSON and line ends", line_ends, 1_000_000, ("measure",), 300),
    Case("measure, brat and blanks", blanks, 1_000_000, ("measure",), 300),
    Case("measure, wide table", wide, 20_000, ("measure",), 1_500),
    Case("measure, different sets", sets, 6_000, ("measure", "--answers", "set", "--separator", "|"), 600),
    Case("measure, sets of many labels", tags, 20_000, ("measure", "--answers", "set", "--separator", "|"), 1_200),
    Case("explain, documents marked alike", same_place, 1_000, ("explain",), 600),
)


def ran(case: Case, size: int, gib: int, seconds: int) -> tuple[float, float, int, str]:
    """Seconds of the processor, MiB at the peak, the exit code and the last line."""
    with tempfile.TemporaryDirectory() as folder:
        path = case.make(Path(folder), size)
        here = {**os.environ, "PYTHONPATH": str(Path(str(accord.__file__)).parents[1])}
        process = subprocess.Popen(
            [sys.executable, "-m", "accord.cli", case.line[0], str(path), *case.line[1:]], cwd=folder, env=here,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: _limited(gib, seconds),  # noqa: PLW1509 - one thread, and nothing but limits
        )  # fmt: skip
        assert process.stderr is not None
        said = process.stderr.read().strip().split("\n")[-1]
        process.stderr.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode, said


def _limited(gib: int, seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (gib << 30, gib << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases whose names hold this")
    parser.add_argument("--memory", type=int, default=6, help="GiB that a case may take")
    parser.add_argument("--seconds", type=int, default=300, help="of the processor that a case may take")
    asked = parser.parse_args()
    amiss = 0
    print(f"{'command and shape':30} {'size':>9} {'half: s':>8} {'s':>7} {'MiB':>6} {'most':>6}  ends")
    for case in CASES:
        if asked.only not in case.called:
            continue
        half, *_ = ran(case, case.size // 2, asked.memory, asked.seconds)
        seconds, peak, code, said = ran(case, case.size, asked.memory, asked.seconds)
        wrong = peak > case.most or code not in (0, REFUSED, UNDEFINED)
        amiss += wrong
        told = f"{code} {said[:160] if code == REFUSED or wrong else ''}{' AMISS' if wrong else ''}"
        print(
            f"{case.called:30} {case.size:9,} {half:8.1f} {seconds:7.1f} {peak:6,.0f} {case.most:6,}  {told}",
            flush=True,
        )
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main())

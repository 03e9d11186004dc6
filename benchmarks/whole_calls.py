"""How long does a user wait, in bare counts? Whole calls, from a file to what is printed or written.

Ten million answers (2 million items × 5, 5,000 annotators, ten labels, text ids, Parquet). The bare count is what the
same engine takes to count the rows of each item, and is asked in turns with the calls. A command counts whole: starting
Python, loading, reading, printing. Each runs in a process of its own; seconds are those of the processor, the best of
some rounds, so that a busy machine disturbs ratios little. Values must be the same before a ratio is printed.

    python -m benchmarks.whole_calls [--rows 10000000] [--rounds 3] [--only gold …]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import engines

ROWS = 10_000_000
SAME = 1e-9  # how far two ways to the same value may lie apart
ALPHA = "krippendorff_alpha"
ROUNDED = 5e-3  # how far the digits of a headline may lie from the value


@dataclass(frozen=True)
class Cost:
    """What one run took, and the value it gave (NaN where it gives none to compare)."""

    seconds: float
    megabytes: float
    value: float = math.nan


@dataclass(frozen=True)
class Call:
    """A whole call: what it is compared with, how many bare counts and how much memory it may take."""

    called: str
    engine: str
    run: Callable[[Path, Path], Cost]  # the data, and a folder to write to
    most: float
    megabytes: float = math.inf


def asked(question: str, engine: str) -> Callable[[Path, Path], Cost]:
    """A question to the library about a lazy frame; importing is no part of it."""

    def run(data: Path, _folder: Path) -> Cost:
        told = engines.ask(question, engine, data)
        if "error" in told:
            raise SystemExit(f"{question} on {engine}: {told['error']}")
        return Cost(told["processor"], told["MB"], told["value"])

    return run


def command(
    *words: str, value: Callable[[str, Path], float], writes: str | None = None
) -> Callable[[Path, Path], Cost]:
    """A command, its whole process; `value` finds in what it printed, or wrote, a number to compare."""

    def run(data: Path, folder: Path) -> Cost:
        file = next(data.glob("*.parquet"))
        target = folder / (writes or "")
        line = [words[0], str(file), *words[1:], *(["-o", str(target), "--force"] if writes else [])]
        printed, used = ran([sys.executable, "-m", "accord.cli", *line], folder / "printed")
        return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, value(printed, target))

    return run


def ran(line: Sequence[str], printed: Path) -> tuple[str, Any]:
    """What a process printed, and what it used; its code is compiled beforehand, as where accord is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with printed.open("w+", encoding="utf-8") as out:
        process = subprocess.Popen(line, stdout=out, stderr=subprocess.PIPE, env=environment, text=True)
        assert process.stderr is not None
        said = process.stderr.read()
        process.stderr.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(line)} ended with {process.returncode}:\n{said[-2000:]}")
    return printed.read_text(encoding="utf-8"), used


def measured_alpha(printed: str, _target: Path) -> float:
    """Of all coefficients, as JSON."""
    found = json.loads(printed)
    return float(next(one["value"] for one in found["results"] if one["measure"] == ALPHA))


def explained_alpha(printed: str, _target: Path) -> float:
    """Of the explanation, as JSON."""
    shown = (one for finding in json.loads(printed)["findings"] for one in finding["evidence"])
    return float(next(one["value"] for one in shown if one["what"] == "Krippendorff's alpha"))


def reported_alpha(printed: str, _target: Path) -> float:
    """Of the report, to the digits that its headline has."""
    found = re.search(r"alpha is (0\.\d+)", printed)
    return float("nan") if found is None else float(found[1])


def decided(_printed: str, target: Path) -> float:
    """How many items the gold has, each of them once."""
    with target.open(encoding="utf-8") as lines:
        next(lines)
        items = [line.partition(",")[0] for line in lines]
    if len(set(items)) != len(items):
        raise SystemExit(f"The gold has {len(items):,} rows for {len(set(items)):,} items.")
    return float(len(items))


CALLS = (
    Call("Fleiss' kappa with its interval, Polars", "polars", asked("checked", "polars"), 1.6),
    Call("Fleiss' kappa with its interval, DuckDB", "duckdb", asked("checked", "duckdb"), 1.8),
    Call("accord measure", "polars", command("measure", "--json", value=measured_alpha), 6, 1_500),
    Call("accord explain", "polars", command("explain", "--json", value=explained_alpha), 8),
    Call("accord gold", "polars", command("gold", value=decided, writes="gold.csv"), 20),
    Call("accord report", "polars", command("report", value=reported_alpha, writes="r.html"), 25),
)


def better(one: Cost | None, other: Cost) -> Cost:
    """The best of two runs, which must have given the same."""
    if one is None:
        return other
    must_agree("two runs of one call", one.value, other.value)
    return Cost(min(one.seconds, other.seconds), min(one.megabytes, other.megabytes), other.value)


def must_agree(what: str, one: float, other: float) -> None:
    """Stop where two values differ."""
    if abs(one - other) > SAME:  # false for NaN: nothing to compare
        raise SystemExit(f"{what}: {one!r} and {other!r}.")


def check(best: dict[str, Cost]) -> None:
    """One table, one value: whatever the engine, and in whichever command."""
    found = {name: cost.value for name, cost in best.items()}
    must_agree("Fleiss on two engines", *(found.get(call.called, math.nan) for call in CALLS[:2]))
    alpha = found.get("accord measure", math.nan)
    must_agree("alpha, measured and explained", alpha, found.get("accord explain", math.nan))
    headline = found.get("accord report", math.nan)
    if abs(alpha - headline) > ROUNDED:
        raise SystemExit(f"alpha, measured and reported: {alpha!r} and {headline!r}.")


def table(best: dict[str, Cost], bare: dict[str, Cost], calls: Sequence[Call]) -> bool:
    """Print it; is something missed?"""
    missed = False
    for engine, cost in bare.items():
        print(f"the bare count, {engine}: {cost.seconds:.2f} s, {cost.megabytes:,.0f} MB")
    print(f"{'call':42} {'s':>7} {'× bare':>7} {'must':>6} {'MB':>7} {'must':>6}")
    for call in calls:
        cost = best[call.called]
        ratio = cost.seconds / bare[call.engine].seconds
        wrong = ratio > call.most or cost.megabytes > call.megabytes
        missed |= wrong
        memory = "" if math.isinf(call.megabytes) else f"{call.megabytes:,.0f}"
        print(
            f"{call.called:42} {cost.seconds:7.2f} {ratio:7.2f} {call.most:6g} {cost.megabytes:7,.0f} {memory:>6}"
            f"{'  MISSED' if wrong else ''}"
        )
    return missed


def main() -> int:
    """Measure in turns, compare, print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, default=ROWS)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--only", nargs="+", default=[""], help="calls that hold one of these words")
    given = arguments.parse_args()
    made = "import sys; from benchmarks import engines; print(engines.make(int(sys.argv[1])))"
    told = subprocess.run([sys.executable, "-c", made, str(given.rows)], capture_output=True, text=True, check=True)
    data = Path(told.stdout.strip())  # made by another process, whose memory a child of this one does not inherit
    calls = [call for call in CALLS if any(word in call.called for word in given.only)]
    best: dict[str, Cost] = {}
    bare: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        for _ in range(given.rounds):
            for engine in dict.fromkeys(call.engine for call in calls):
                bare[engine] = better(bare.get(engine), asked("bare", engine)(data, Path(folder)))
            for call in calls:
                best[call.called] = better(best.get(call.called), call.run(data, Path(folder)))
    check(best)
    return int(table(best, bare, calls))


if __name__ == "__main__":
    sys.exit(main())

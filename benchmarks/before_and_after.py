"""Is anything slower than in another tree of the sources? Every question that README and the docs give a figure for.

Both trees answer with their own benchmarks, script by script in turns, with the packages of one environment; to a
script that a tree does not have it answers with this one's, and both do to what loading takes. Peers are not asked. A
question counts where both trees know it; values that both print must be the same, or the script ends in an error. A
benchmark that cannot run in a tree is named, with what it said last, and the others go on. Ratios are of the best
seconds of the processor (of the clock, where a benchmark tells no other): above 1 the second is slower.

    git worktree add ../before COMMIT
    python -m benchmarks.before_and_after ../before . [--rounds N] [--only SCRIPT …] [--less]

--less asks of a tenth of the data, for a machine that has other work.
"""

from __future__ import annotations

import argparse
import compileall
import json
import math
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks._asking import busy

SCRIPTS: dict[str, list[str]] = {
    "two_lists": [], "many_items": [], "bootstrap_interval": [], "many_scores": [], "several_labels": [], "judges": [],
    "explanation": [],
    "public_calls": [],
    "import_time": ["--times", "15"], "engines": ["--rounds", "2"],
}  # fmt: skip
LESS: dict[str, list[str]] = {
    "many_items": ["--items", "100000"], "bootstrap_interval": ["--items", "100000"],
    "several_labels": ["--items", "100000", "--times", "2"],
    "judges": ["--items", "10000"], "explanation": ["--items", "100000"], "public_calls": ["--sizes", "60", "10000"],
    "engines": ["--rounds", "1", "--rows", "1000000"],
}  # fmt: skip
OURS = {"import_time", "engines", "explanation"}  # asked with the script of this tree: others asked or told otherwise
HERE = Path(__file__).parents[1]
ALONE = HERE / "benchmarks" / "_without_peers.py"
MOST = 1.10
SECONDS = ("accord_processor_s", "processor", "added_s", "seconds")  # the first that a line has is compared
RENAMED = {"A_m, from a frame of a row a label": "A_m, from a frame of a row per label"}  # questions of older trees
BY_CLOCK = {"evaluate and alt_test"}  # the sum of two questions that tell what the processor took
LIMITS = {"low", "high"}  # of intervals
CLOSE = 1e-9  # sums in another order differ in the last digits
# both trees keep the memory that they have freed: whether an array of half a megabyte is given back to the system after
# each call depends on what was allocated before, and to get it again costs as much as many of the calls themselves
KEPT = {"MALLOC_MMAP_THRESHOLD_": "1000000000", "MALLOC_TRIM_THRESHOLD_": "2000000000"}
# and multiply matrices on one thread: on a busy machine threads that wait for each other count as work of the processor
KEPT |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

Answer = tuple[str, float, dict[str, float]]  # question, seconds, values


class CannotRun(Exception):
    """A benchmark ended in an error in one of the trees."""


def answers(tree: Path, script: str, options: list[str]) -> Iterator[Answer]:
    """What a tree's benchmark prints as JSON."""
    own = script not in OURS and (tree / "benchmarks" / f"{script}.py").exists()
    asking = tree if own else HERE
    given = {**os.environ, **KEPT, "PYTHONPATH": os.pathsep.join((str(tree / "src"), str(asking)))}
    given.pop("PYTHONDONTWRITEBYTECODE", None)  # what is loaded within a call is compiled on nobody's machine
    command = [sys.executable, "-P", str(ALONE), script, *options]
    done = subprocess.run(command, cwd=asking, env=given, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRun(f"{script} does not run in {tree.name}: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    for line in done.stdout.splitlines():
        told: Any = json.loads(line) if line.startswith("{") else {}
        taken = next((told[name] for name in SECONDS if told.get(name) is not None), None)
        if "question" in told and taken is not None and told["question"] not in BY_CLOCK:
            where = [str(told[part]) for part in ("engine", "rows", "labels") if part in told]
            values = told.get("values") or ({"value": told["value"]} if "value" in told else {})
            yield " ".join([*where, RENAMED.get(told["question"], told["question"])]), float(taken), values


def must_be_same(question: str, before: dict[str, float], after: dict[str, float]) -> None:
    """Stop where a value that both trees give differs; limits of resamples have come to reach farther, as is meant."""
    for name in (before.keys() & after.keys()) - LIMITS:
        if not math.isclose(before[name], after[name], rel_tol=CLOSE, abs_tol=CLOSE):
            raise SystemExit(f"{question}: {name} was {before[name]!r} and is {after[name]!r}.")


def compared(
    trees: tuple[Path, Path], script: str, options: list[str], rounds: int
) -> Iterator[tuple[str, float, float]]:
    """Questions of a script with the best seconds of each tree."""
    seconds: list[dict[str, float]] = [defaultdict(lambda: math.inf) for _ in trees]
    values: list[dict[str, dict[str, float]]] = [{} for _ in trees]
    for turn in range(rounds):
        for place in (0, 1) if turn % 2 == 0 else (1, 0):
            for question, taken, given in answers(trees[place], script, options):
                seconds[place][question] = min(seconds[place][question], taken)
                values[place][question] = given
    if not seconds[0].keys() & seconds[1].keys():
        raise CannotRun(f"{script} has no question that both trees answer")
    for question in seconds[0]:
        if question in seconds[1]:
            must_be_same(question, values[0][question], values[1][question])
            yield question, seconds[0][question], seconds[1][question]


def main() -> None:
    """A line per question, the slower ones named at the end."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("before", type=Path)
    arguments.add_argument("after", type=Path)
    arguments.add_argument("--rounds", type=int, default=1, help="best of so many runs of each script")
    arguments.add_argument("--only", nargs="+", choices=list(SCRIPTS), default=list(SCRIPTS))
    arguments.add_argument("--less", action="store_true", help="a tenth of the data")
    given = arguments.parse_args()
    trees = (given.before.resolve(), given.after.resolve())
    for tree in trees:
        compileall.compile_dir(tree / "src", quiet=2)
    slower = []
    for script in given.only:
        try:
            options = LESS.get(script, SCRIPTS[script]) if given.less else SCRIPTS[script]
            found = list(compared(trees, script, options, given.rounds))
        except CannotRun as problem:
            print(problem, flush=True)
            continue
        for question, before, after in found:
            ratio = after / before if before > 0 else math.nan
            print(f"{script:<15} {question[:70]:<70} {before:9.4f} s {after:9.4f} s  {ratio:5.2f}", flush=True)
            slower += [f"{script}: {question} {ratio:.2f}"] if ratio > MOST else []
    print(f"\n{busy()}")
    print(f"Above {MOST:g}: {'; '.join(slower)}" if slower else f"Nothing is above {MOST:g}.")


if __name__ == "__main__":
    main()

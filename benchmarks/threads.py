"""Are all cores used? Dawid–Skene from columns of numbers to labels, on one thread and on as many as there are.

Ten million answers (five an item, 500 annotators, ten labels), ten iterations, in a process each. The digits must be
the same whatever the number of threads: likelihood, tables and labels are compared bit by bit. Beside the clock stands
what a busy machine does not disturb: which share of the processor's time is spent outside the threads, and what follows
for sixteen cores by Amdahl's law; and how many bytes of answers an iteration reads in a second, as a share of what this
machine copies in memory with the same threads. Far below that, cores are short and not memory: more of them help.

    python -m benchmarks.threads [--answers 10000000] [--rounds 3] [--threads 1 2]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from accord.annotations import in_threads
from benchmarks import gold

ITERATIONS = 10
COPIED = 1 << 25  # numbers of eight bytes: far more than any cache
CORES = 16
MUST = 5.0  # times as quick on sixteen cores as on two


class Timed(ThreadPoolExecutor):
    """A pool that knows how long its threads were at work, by the processor."""

    spent: ClassVar[list[float]] = []  # of each piece of work: a list is added to by several threads at once

    def submit(self, fn: Any, /, *given: Any, **more: Any) -> Future[Any]:
        """With a watch around it."""

        def watched() -> Any:
            began = time.thread_time()
            try:
                return fn(*given, **more)
            finally:
                Timed.spent.append(time.thread_time() - began)

        return super().submit(watched)


def work(folder: Path) -> dict[str, Any]:
    """In a process of its own: seconds, the share outside the threads, and a digest of all digits."""
    import accord

    vars(in_threads)["ThreadPoolExecutor"] = Timed
    columns = {name: np.load(folder / f"{name}.npy") for name in ("task", "worker", "label")}
    roles: Any = {"item": "task", "annotator": "worker", "label": "label"}
    options: Any = {"method": "dawid-skene", "prior": "none", "iterations": ITERATIONS, "tolerance": -1.0}
    accord.gold(accord.Study({name: column[:50_000] for name, column in columns.items()}, **roles), **options)
    marks: list[float] = []
    Timed.spent.clear()
    clock, processor = time.perf_counter(), time.process_time()
    study = accord.Study(columns, **roles)
    read = time.process_time() - processor
    found = accord.gold(study, progress=lambda _done, _total: marks.append(time.perf_counter()), **options)
    codes = found.codes
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    outcome = found.outcomes[0]
    assert outcome.confusion is not None
    digits = hashlib.sha256(codes.tobytes() + outcome.confusion.tobytes() + np.float64(found.log_likelihood).tobytes())
    return {
        "clock": clock, "processor": processor, "reading": read, "iteration": float(np.median(np.diff(marks))),
        "outside": max(processor - sum(Timed.spent), 0.0) / processor, "digits": digits.hexdigest(),
        "copied": copied(), "bytes": 2 * outcome.ballots.cells.nbytes + 2 * outcome.ballots.starts.nbytes,
    }  # fmt: skip


def copied() -> float:
    """Gigabytes a second that this machine reads and writes when it copies numbers, with the same threads."""
    number = in_threads.threads()
    source, target = np.ones(COPIED), np.empty(COPIED)
    pieces = [slice(COPIED * place // number, COPIED * (place + 1) // number) for place in range(number)]
    best = 0.0
    for _ in range(5):
        began = time.perf_counter()
        for _done in in_threads.each_in_threads(lambda one: np.copyto(target[one], source[one]), zip(pieces)):
            pass
        best = max(best, 2 * source.nbytes / (time.perf_counter() - began) / 1e9)
    return best


def asked(folder: Path, threads: int) -> dict[str, Any]:
    """From outside."""
    line = [sys.executable, "-m", "benchmarks.threads", "--work", str(folder)]
    told = subprocess.run(
        line, capture_output=True, text=True, check=False, env={**os.environ, in_threads.THREADS: str(threads)}
    )
    if told.returncode:
        raise SystemExit(told.stderr[-2000:])
    return dict(json.loads(told.stdout.splitlines()[-1]))


def amdahl(serial: float, cores: int) -> float:
    """How long it takes on so many cores, one being 1."""
    return serial + (1 - serial) / cores


def main() -> int:
    """In turns, a line for each number of threads."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--answers", type=int, default=10_000_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--threads", type=int, nargs="+", default=sorted({1, in_threads.threads()}))
    arguments.add_argument("--work", type=Path)
    given = arguments.parse_args()
    if given.work:
        print(json.dumps(work(given.work)))
        return 0
    best: dict[int, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as name:
        gold.make(Path(name), given.answers)
        for _ in range(given.rounds):
            for threads in given.threads:
                told = asked(Path(name), threads)
                best[threads] = min(best.get(threads, told), told, key=lambda one: one["clock"])
    if len({told["digits"] for told in best.values()}) > 1:
        raise SystemExit("The digits depend on the number of threads.")
    busy = os.getloadavg()[0]
    for threads, told in best.items():
        rate = told["bytes"] / told["iteration"] / 1e9
        print(
            f"{threads:3} threads: {told['clock']:6.2f} s by the clock, {told['processor']:6.2f} s of the processor "
            f"(reading {told['reading']:.2f}), an iteration {told['iteration']:.3f} s; answers at {rate:.1f} GB/s, "
            f"{rate / told['copied']:.0%} of the {told['copied']:.1f} GB/s that are copied"
        )
    outside = min(told["outside"] for threads, told in best.items() if threads > 1)
    times = amdahl(outside, 2) / amdahl(outside, CORES)
    reached = "reached" if times >= MUST else "MISSED"
    print(
        f"the same digits; {outside:.1%} of the processor's time is outside the threads: {CORES} cores would be "
        f"{times:.1f} × as quick as two; must {MUST:g}: {reached} (other tasks on this machine: {busy:.0f})"
    )
    return int(times < MUST)


if __name__ == "__main__":
    sys.exit(main())

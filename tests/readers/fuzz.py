"""`make fuzz`: 10,000 random corruptions of each format's sample end in a study or an accord error, nothing else."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.readers.corruption import IN_ANOTHER_PROCESS, TARGETS, survives


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the suite runs 0 to 24")
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    options = parser.parse_args()
    failures = 0
    for target in options.targets or list(TARGETS):
        began, ends = time.perf_counter(), Counter[str]()
        rounds = options.rounds // 100 + 1 if target in IN_ANOTHER_PROCESS else options.rounds
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(options.seed, options.seed + rounds):
                try:
                    ends[survives(target, seed, Path(folder))] += 1
                except Exception as problem:  # noqa: BLE001 - this is what is looked for
                    ends["neither"] += 1
                    failures += 1
                    if ends["neither"] <= 3:
                        print(f"{target} {seed}: {type(problem).__name__}: {problem}")
                        print("".join(traceback.format_tb(problem.__traceback__)[-3:]))
        spent = time.perf_counter() - began
        counted = f"{ends['study']:6,} studies {ends['error']:6,} errors {ends['neither']:4,} neither"
        print(f"{target:24} {counted}  {spent:6.1f} s", flush=True)
        if ends["error"] < 0.1 * rounds:
            print(f"{target}: fewer than one corruption in ten is felt")
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

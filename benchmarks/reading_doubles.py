"""Does reading twice as much take twice as long? Every format, doubled twice, by the time of the processor.

An export of n, 2n and 4n is made of each format, and each is read in this process. With linear time the last takes
four times the first; what grows faster is printed with its exponent (1 is linear, 2 quadratic) and a mark, and ends
the script with an error. Sizes are raised until the first takes long enough to be measured.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import accord
from benchmarks._doubling_tables import EVERY

ENOUGH = 0.15  # seconds that the smallest export has to take
MOST = 1.35  # an exponent above this is no noise
SAID: dict[str, dict[str, Any]] = {
    "pygamma, one long continuum": {"format": "pygamma"},
    "Appen, many units with broken rows skipped": {"on_error": "skip"},
    "doccano, many broken spans skipped": {"on_error": "skip"},
}


def seconds(name: str, number: int) -> float:
    """The processor's time for reading an export of a size."""
    with tempfile.TemporaryDirectory() as folder:
        path = EVERY[name](Path(folder), number)
        gc.collect()
        began = time.process_time()
        accord.read(path, **SAID.get(name, {}))
        return time.process_time() - began


def exponent(name: str, number: int, slowest: float) -> tuple[int, list[float], float]:
    """The size of the first export, the times of all three, and how they grow."""
    seconds(name, 50)  # imports are not measured
    first = seconds(name, number)
    while first < ENOUGH and number < 200_000:
        number *= 2
        first = seconds(name, number)
    times = [min(first, seconds(name, number)), seconds(name, 2 * number)]
    if times[-1] < slowest:
        times.append(seconds(name, 4 * number))
    return number, times, math.log2(times[-1] / times[0]) / (len(times) - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="formats whose names hold this")
    parser.add_argument("--start", type=int, default=500, help="the size to begin with")
    asked = parser.parse_args()
    grown = []
    for name in EVERY:
        if asked.only.lower() not in name.lower():
            continue
        number, times, power = exponent(name, asked.start, slowest=60.0)
        mark = "  GROWS FASTER" if power > MOST else ""
        shown = "  ".join(f"{one:6.2f} s" for one in times)
        print(f"{name:45} {number:7,}  {shown}  exponent {power:4.2f}{mark}", flush=True)
        if mark:
            grown.append(name)
    if grown:
        sys.exit(f"Reading grows faster than the file: {', '.join(grown)}.")


if __name__ == "__main__":
    main()

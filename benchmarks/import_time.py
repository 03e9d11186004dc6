"""What does `import accord` add to `import numpy`?

Fresh interpreters in turns, one that imports NumPy and one that imports NumPy and accord; the median of the
differences. accord loads a public name when it is first asked for, so the import alone says little: two more lines
tell what a first kappa costs, and what every public name does.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

MUST = 0.080
TIMES = 30
BARE = "import numpy"
WAYS = {
    "import accord": "import numpy, accord",
    "and a first kappa of two lists": "import numpy, accord; accord.cohen_kappa(['a', 'b', 'b'], ['a', 'b', 'a'])",
    "every public name": "import numpy; from accord import *",
}


def seconds(statement: str) -> float:
    """From starting the interpreter to its end."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - begin


def main() -> None:
    """A line a way, and its JSON."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--times", type=int, default=TIMES)
    given = arguments.parse_args()
    for statement in WAYS.values():
        seconds(statement)  # compiles the modules, once
    turns = [(seconds(BARE), [seconds(statement) for statement in WAYS.values()]) for _ in range(given.times)]
    numpy = statistics.median(bare for bare, _ in turns)
    added = [statistics.median(taken[place] - bare for bare, taken in turns) for place in range(len(WAYS))]
    print(f"\nWhat loading adds to `import numpy` ({1000 * numpy:.0f} ms), median of {given.times} fresh interpreters")
    word = f"must: ≤ {1000 * MUST:.0f} ms, {'reached' if added[0] <= MUST else 'MISSED'}"
    for way, more, goal in zip(WAYS, added, [word, "", ""], strict=True):
        print(f"{way:<32}{1000 * more:>6.0f} ms  {goal}".rstrip())
    print()
    goals = [{"must_s": MUST, "reached": added[0] <= MUST}, {}, {}]
    for way, more, must in zip(WAYS, added, goals, strict=True):
        print(json.dumps({"question": way, "numpy_s": numpy, "added_s": more} | must))


if __name__ == "__main__":
    main()

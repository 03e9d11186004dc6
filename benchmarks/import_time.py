"""What does `import accord` add to `import numpy`?

Fresh interpreters in turns, one that imports NumPy and one that imports accord; the median of the differences.
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
INSIDE = "import time; import numpy; begin = time.perf_counter(); import accord; print(time.perf_counter() - begin)"


def seconds(statement: str) -> float:
    """From starting the interpreter to its end."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - begin


def inside() -> float:
    """The import alone, as the interpreter itself sees it once NumPy is there."""
    return float(subprocess.run([sys.executable, "-c", INSIDE], check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """A table of one row, and its JSON."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--times", type=int, default=TIMES)
    given = arguments.parse_args()
    seconds("import accord")  # compiles the modules, once
    pairs = [(seconds("import numpy"), seconds("import accord")) for _ in range(given.times)]
    numpy = statistics.median(bare for bare, _ in pairs)
    added = statistics.median(whole - bare for bare, whole in pairs)
    alone = statistics.median(inside() for _ in range(given.times))
    word = "yes" if added <= MUST else "MISSED"
    print(f"\nImport, median of {given.times} fresh interpreters")
    print("import numpy  import accord adds  seen from inside  must     reached")
    print(f"{1000 * numpy:<12.0f}  {1000 * added:<18.0f}  {1000 * alone:<16.0f}  ≤ {1000 * MUST:.0f} ms  {word}\n")
    told = {"question": "import accord", "numpy_s": numpy, "added_s": added, "inside_s": alone, "must_s": MUST}
    print(json.dumps(told | {"reached": added <= MUST}))


if __name__ == "__main__":
    main()

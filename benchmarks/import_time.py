"""What does `import accord` add to `import numpy`?

Fresh interpreters in turns, one that imports NumPy and one that imports NumPy and accord; the difference of the least
seconds that the processor was at work, which a busy machine does not stretch. accord loads a public name when it is
first asked for, so the import alone says little: two more lines tell what a first kappa costs, and what every public
name does.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys

MUST = 0.080
TIMES = 30
BARE = "import numpy"
COUNT = "import accord; print(len(accord.__all__))"
WAYS = {
    "import accord": "import numpy, accord",
    "and a first kappa of two lists": "import numpy, accord; accord.cohen_kappa(['a', 'b', 'b'], ['a', 'b', 'a'])",
    "all {} public names": "import numpy; from accord import *",
}
# threads of NumPy's algebra wait by counting; what is compiled once is kept
LIKE_USERS = {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}


def seconds(statement: str) -> float:
    """What a fresh interpreter takes of the processor, from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", statement], check=True, env=os.environ | LIKE_USERS)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """A line a way, and its JSON."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--times", type=int, default=TIMES)
    given = arguments.parse_args()
    names = subprocess.run([sys.executable, "-c", COUNT], check=True, capture_output=True, text=True).stdout.strip()
    for statement in WAYS.values():
        seconds(statement)  # compiles the modules, once
    turns = [(seconds(BARE), *map(seconds, WAYS.values())) for _ in range(given.times)]
    numpy, *taken = map(min, zip(*turns, strict=True))
    added = [least - numpy for least in taken]
    ways = [way.format(names) for way in WAYS]
    print(f"\nWhat loading adds to `import numpy` ({1000 * numpy:.0f} ms), least of {given.times} fresh interpreters")
    word = f"must: ≤ {1000 * MUST:.0f} ms, {'reached' if added[0] <= MUST else 'MISSED'}"
    for way, more, goal in zip(ways, added, [word, "", ""], strict=True):
        print(f"{way:<32}{1000 * more:>6.0f} ms  {goal}".rstrip())
    print()
    goals = [{"must_s": MUST, "reached": added[0] <= MUST}, {}, {}]
    for way, more, must in zip(ways, added, goals, strict=True):
        print(json.dumps({"question": way, "numpy_s": numpy, "added_s": more} | must))


if __name__ == "__main__":
    main()

"""How long does Cohen's kappa of two short lists take?

Two lists of 1,000 labels, as text and as integers: the median of many calls, once everything is loaded, as in a loop
or a notebook.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks._asking import Row, in_turns, must_agree, report, stored
from benchmarks._data import labelled

ITEMS, LABELS, CALLS = 1_000, 5, 500


def main() -> None:
    """One row a kind of label."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=ITEMS)
    given = arguments.parse_args()
    array = labelled(np.random.default_rng(4), given.items, 2, LABELS).T
    rows = []
    with stored(lists=array) as paths:
        for kind in ("text", "integers"):
            tasks = [(f"accord_lists:{kind}", paths["lists"]), (f"sklearn_lists:{kind}", paths["lists"])]
            accord, peer = in_turns(tasks, 3, calls=CALLS)
            must_agree(accord, peer, 1e-12)
            rows.append(Row(f"cohen_kappa of two lists of {kind}", accord, "scikit-learn", peer, 1))
    report(f"Two lists of {given.items:,} labels, median of {CALLS} calls", rows)


if __name__ == "__main__":
    main()

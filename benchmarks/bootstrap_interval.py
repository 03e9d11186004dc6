"""How long does a bootstrap interval of a million items take?

A thousand resamples of items, from the array to the interval, against the time that irrCAC takes for the value alone.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks._asking import Row, in_turns, must_agree, report, stored
from benchmarks._data import labelled

ITEMS, ANNOTATORS, LABELS = 1_000_000, 5, 10
TITLES = {
    "fleiss_kappa": "Fleiss",
    "gwet_ac": "AC1",
    "brennan_prediger_kappa": "Brennan–Prediger",
    "krippendorff_alpha": "alpha",
    "conger_kappa": "Conger",
}
ROUNDING = 5.5e-6  # irrCAC rounds to five digits


def main() -> None:
    """One row per measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=ITEMS)
    arguments.add_argument("--full", action="store_true", help="run the peer three times too, not once")
    given = arguments.parse_args()
    array = labelled(np.random.default_rng(2), given.items, ANNOTATORS, LABELS)
    rows = []
    with stored(array=array) as paths:
        for name, title in TITLES.items():
            ours, theirs = f"accord_bootstrap:{name}", f"irrcac_value:{name}"
            tasks = [(ours, paths["array"]), (theirs, paths["array"])]
            accord, peer = in_turns(tasks, 3, slow=[] if given.full else [theirs])
            must_agree(accord, peer, ROUNDING)
            rows.append(Row(f"{title}, value and interval", accord, "irrCAC, value alone", peer, 1))
    report(f"{given.items:,} items × {ANNOTATORS}, {LABELS} labels: a bootstrap of 1,000 resamples", rows)


if __name__ == "__main__":
    main()

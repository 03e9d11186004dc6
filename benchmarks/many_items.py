"""How long do the coefficients of a million items take, from an array to the values?

Items × 5 annotators, 10 labels. statsmodels gives one coefficient of the family from the same array; krippendorff
gives alpha.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks._asking import Row, in_turns, must_agree, report, stored
from benchmarks._data import labelled

ITEMS, ANNOTATORS, LABELS = 1_000_000, 5, 10
POOLED = "accord_values:percent_agreement+fleiss_kappa+brennan_prediger_kappa+gwet_ac+krippendorff_alpha"
OWN = "accord_values:conger_kappa+light_kappa"
ALPHA = "accord_values:krippendorff_alpha"
FLEISS, PEERS_ALPHA = "statsmodels_fleiss", "krippendorff_level:nominal"


def main() -> None:
    """Five coefficients against statsmodels' one, two with names against it, alpha against krippendorff."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--items", type=int, default=ITEMS)
    arguments.add_argument("--full", action="store_true", help="run the slowest peer three times too, not once")
    given = arguments.parse_args()
    array = labelled(np.random.default_rng(2), given.items, ANNOTATORS, LABELS)
    with stored(array=array) as paths:
        tasks = [(task, paths["array"]) for task in (POOLED, OWN, ALPHA, FLEISS, PEERS_ALPHA)]
        slow = [] if given.full else [PEERS_ALPHA]
        pooled, own, alpha, fleiss, peers_alpha = in_turns(tasks, 3, slow=slow)
    must_agree(pooled, fleiss, 1e-12)
    must_agree(alpha, peers_alpha, 1e-9)
    rows = [
        Row("percent, Fleiss, Brennan–Prediger, AC1, alpha", pooled, "statsmodels, Fleiss alone", fleiss, 10),
        Row("Conger and Light", own, "statsmodels, Fleiss alone", fleiss, 4),
        Row("alpha alone", alpha, "krippendorff", peers_alpha, 20),
    ]
    report(f"{given.items:,} items × {ANNOTATORS}, {LABELS} labels, from an array of integers", rows)


if __name__ == "__main__":
    main()

"""How long does alpha take on a million different numbers?

At the interval, ordinal and ratio levels, from an array of floats. krippendorff makes a table items × values × values:
some hundred items take it minutes, and 1,000 items of two numbers do not fit into memory.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks._asking import Row, ask, in_turns, must_agree, report, stored
from benchmarks._data import scored

SHAPES = ((200_000, 5), (500_000, 2))
LEVELS = ("interval", "ordinal", "ratio")
FEW, SOME, MORE, TOO_MANY = 50, 200, 400, 1_000  # items of two scores for the peer
PATIENCE = 120.0  # seconds that the peer gets
GIGABYTES = 16.0  # that it may take


def main() -> None:
    """Agreement with the peer where it can answer, then accord alone, then where the peer ends."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--full", action="store_true", help="the peer on 400 items too, which takes a minute")
    given = arguments.parse_args()
    rng = np.random.default_rng(3)
    rows: list[Row] = []
    sizes = [FEW, SOME, *([MORE] if given.full else []), TOO_MANY]
    arrays = {f"{items}x{people}": scored(rng, items, people) for items, people in SHAPES}
    arrays |= {f"{items}x2": scored(rng, items, 2) for items in sizes}
    with stored(**arrays) as paths:
        for level in LEVELS:
            mine, theirs = f"accord_level:{level}", f"krippendorff_level:{level}"
            few = paths[f"{FEW}x2"]
            must_agree(ask(mine, few), ask(theirs, few), 1e-9)
            for items, people in SHAPES:
                (accord,) = in_turns([(mine, paths[f"{items}x{people}"])], 3)
                rows.append(Row(f"{level}, {items:,} items × {people}", accord, within=2.0))
        for items in sizes[1:]:
            data = paths[f"{items}x2"]
            accord = ask("accord_level:interval", data)
            peer = ask("krippendorff_level:interval", data, seconds=PATIENCE, memory=GIGABYTES)
            if not peer.cannot:
                must_agree(accord, peer, 1e-9)
            rows.append(Row(f"interval, {items:,} items × 2", accord, "krippendorff", peer))
    report("Alpha on distinct numbers, from an array of floats", rows)


if __name__ == "__main__":
    main()

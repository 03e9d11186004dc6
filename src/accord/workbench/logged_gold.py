"""A gold with what stands in a file of decisions, for whoever has no bench: the command `accord gold`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from accord.consensus.gold import Gold
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.bench import Bench

SQLITE = b"SQLite format 3\0"  # how every SQLite file begins


def is_log(path: Path) -> bool:
    """Is it an SQLite file, and so no table that a person filled in?"""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def gold_with_log(gold: Gold, path: Path) -> Gold:
    """The same gold with the decisions of people and of rules that stand in the file; it is read only.

    Raises:
        FileError: If it holds no decisions, those of another study, or is damaged or from a newer accord.
    """
    held = gold.in_memory
    with closing(Bench.read(held.study, path, gold=held)) as bench:
        return FinalGold(bench, learn=False).gold

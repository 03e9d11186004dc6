"""Random damage to the bytes of every sample, as disks, editors and scripts do."""

from __future__ import annotations

import random
from pathlib import Path

from tests.fuzz.campaign import Campaign, Case
from tests.readers.corruption import IN_ANOTHER_PROCESS, TARGETS, survives


def draw(chance: random.Random) -> Case:
    """A sample, and the seed of its damage."""
    target = chance.choice(list(TARGETS))
    if target in IN_ANOTHER_PROCESS and chance.random() < 0.97:  # whose start takes longer than all the rest
        target = "table-long"
    return {"target": target, "seed": chance.randrange(10**9)}


def attempt(case: Case, folder: Path) -> str:
    """Damage a copy and read it."""
    return survives(case["target"], case["seed"], folder)


CAMPAIGN = Campaign("damage", draw, attempt)

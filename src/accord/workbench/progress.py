"""How far everybody is, as data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray
from accord.workbench.claims import Claims
from accord.workbench.item_states import ACCEPTED, DECIDED, OPEN, ItemStates


@dataclass(frozen=True)
class PersonProgress:
    """How far one person is."""

    name: str
    decided: int
    second_looks: int
    skipped: int
    deciding: int  # items that they have open now


@dataclass(frozen=True)
class Progress:
    """How far everybody is."""

    items: int
    contested: int  # answers differ, or there is no label
    decided: int  # by people
    accepted: int  # by a rule
    contested_left: int
    second_looks: int
    differ: int  # two people decided them differently, and nobody has settled that
    people: tuple[PersonProgress, ...]
    last_number: int  # of the log: what changed since is what came after


def progress_of(standing: ItemStates, claims: Claims, contested: BoolArray, differ: int, last_number: int) -> Progress:
    """The progress of everybody who did something or is at it."""
    state, held = standing.state, list(claims.held().values())
    seconds = [stands.by for stands in standing.second.values()]
    names = dict.fromkeys([*standing.decided_by, *standing.skipped, *seconds, *held])
    people = tuple(
        PersonProgress(
            name,
            standing.decided_by[name],
            seconds.count(name),
            len(standing.skipped.get(name, ())),
            held.count(name),
        )
        for name in sorted(names)
    )
    return Progress(
        items=len(state),
        contested=int(np.count_nonzero(contested)),
        decided=int(np.count_nonzero(state == DECIDED)),
        accepted=int(np.count_nonzero(state == ACCEPTED)),
        contested_left=int(np.count_nonzero(contested & (state == OPEN))),
        second_looks=len(standing.second),
        differ=differ,
        people=people,
        last_number=last_number,
    )

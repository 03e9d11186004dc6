"""Units of documents: those that somebody marked, with how many did, and those that a gold holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.method_outcome import Progressed
from accord.spans.continuum import Continuum


class UnitPlace(NamedTuple):
    """Where a unit lies and what it is: document and label by their positions, pieces as start and end in turn."""

    document: int
    pieces: tuple[float, ...]
    label: int

    def overlaps(self, other: UnitPlace) -> bool:
        """Do two units of a document share a position?"""
        return any(
            self.pieces[at] < other.pieces[also + 1] and other.pieces[also] < self.pieces[at + 1]
            for at in range(0, len(self.pieces), 2)
            for also in range(0, len(other.pieces), 2)
        )


class Unit(NamedTuple):
    """A unit of a gold as people read it."""

    start: float
    end: float
    label: Label


@dataclass(frozen=True, eq=False)
class Marked:
    """Every distinct unit that somebody marked, in canonical order, and who did."""

    places: tuple[UnitPlace, ...]
    people: tuple[frozenset[int], ...]  # who marked each

    @classmethod
    def of(cls, continuum: Continuum) -> Marked:
        """The distinct units of a continuum; two on top of each other by one person are one."""
        bounds = np.stack((continuum.piece_start, continuum.piece_end), axis=1).reshape(-1).tolist()
        begins = np.searchsorted(continuum.piece_of, np.arange(continuum.n_units + 1)).tolist()
        found: dict[UnitPlace, set[int]] = {}
        rows = zip(continuum.document.tolist(), continuum.label.tolist(), continuum.annotator.tolist(), strict=True)
        for unit, (document, label, who) in enumerate(rows):
            pieces = tuple(bounds[2 * begins[unit] : 2 * begins[unit + 1]])
            found.setdefault(UnitPlace(document, pieces, label), set()).add(who)
        places = tuple(sorted(found))
        return cls(places, tuple(frozenset(found[place]) for place in places))

    @cached_property
    def at(self) -> dict[UnitPlace, int]:
        """Where each unit stands among them."""
        return {place: at for at, place in enumerate(self.places)}

    def number(self, place: UnitPlace) -> int:
        """How many marked exactly this."""
        at = self.at.get(place)
        return 0 if at is None else len(self.people[at])


@dataclass(frozen=True, eq=False)
class Decided:
    """What a method decided: the units, how sure each is, and what is left open."""

    places: tuple[UnitPlace, ...]  # in canonical order
    confidence: FloatArray  # (U,)
    softness: str  # "posterior" or "vote share"
    remarks: dict[UnitPlace, str] = field(default_factory=dict)  # of units in the gold: what should be known of them
    undecided: dict[UnitPlace, str] = field(default_factory=dict)  # units that are neither in nor out, and why
    candidates: dict[UnitPlace, float] = field(
        default_factory=dict
    )  # every marked unit: how sure it belongs into the gold
    notes: tuple[str, ...] = ()
    progress: Progressed | None = None
    mass: FloatArray | None = None  # (annotators, true tags, answers) expected answers of tokens
    tags: tuple[str, ...] = ()  # what the tags of `mass` are called
    log_likelihood: float = np.nan

    @classmethod
    def ordered(cls, places: list[UnitPlace], confidence: list[float], softness: str, **more: object) -> Decided:
        """In canonical order."""
        order = sorted(range(len(places)), key=places.__getitem__)
        sure = np.array([confidence[at] for at in order], dtype=np.float64)
        return cls(tuple(places[at] for at in order), sure, softness, **more)  # type: ignore[arg-type]


def seen_by(continuum: Continuum) -> IntArray:
    """(D,): how many saw each document."""
    return np.asarray(continuum.seen.sum(axis=1), dtype=np.int64)

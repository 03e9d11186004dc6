"""The majority, unit by unit: what at least half of those who saw a document marked. It takes spans of any shape.

First, units that people marked exactly alike. Then what is left is matched: around the unit with the most votes, each
other person's unit of the same label that overlaps it by half (intersection over union), and where at least half of the
people have one, the unit from the median start to the median end is taken. Exactly half is a tie.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from accord.consensus.spans.marked_units import Decided, Marked, UnitPlace, seen_by
from accord.errors import counted
from accord.spans.continuum import Continuum

OVERLAP = 0.5  # of two units that are taken to be one: intersection over union
FIRST, LAST, OUTSIDE, UNDECIDED = "first", "last", "outside", "undecided"
TIES = (FIRST, LAST, OUTSIDE, UNDECIDED)
MATCHES = ("overlap", "exact")


@dataclass
class _Candidate:
    """A unit and who marked it."""

    place: UnitPlace
    people: frozenset[int]

    @property
    def start(self) -> float:
        return self.place.pieces[0]

    @property
    def end(self) -> float:
        return self.place.pieces[-1]


def unit_vote(continuum: Continuum, marked: Marked, *, ties: str = FIRST, match: str = "overlap") -> Decided:
    """The units of every document."""
    seen = seen_by(continuum).tolist()
    documents: dict[int, list[_Candidate]] = {}
    for place, people in zip(marked.places, marked.people, strict=True):
        documents.setdefault(place.document, []).append(_Candidate(place, people))
    places: list[UnitPlace] = []
    sure: list[float] = []
    remarks: dict[UnitPlace, str] = {}
    undecided: dict[UnitPlace, str] = {}
    tied = 0
    for document, candidates in documents.items():
        vote = _Vote(candidates, seen[document], ties, match)
        for place, votes, remark in vote.winners():
            places.append(place)
            sure.append(votes / seen[document])
            if remark:
                remarks[place] = remark
        undecided |= vote.undecided
        tied += vote.tied
    candidates_sure = {
        place: len(people) / seen[place.document] for place, people in zip(marked.places, marked.people, strict=True)
    }
    return Decided.ordered(
        places, sure, "vote share", remarks=remarks, undecided=undecided, candidates=candidates_sure,
        notes=_tie_note(tied, ties),
    )  # fmt: skip


def _tie_note(tied: int, ties: str) -> tuple[str, ...]:
    if not tied:
        return ()
    became = {
        FIRST: "it is taken, and of two that exclude each other the one whose label comes first in the scale",
        LAST: "it is taken, and of two that exclude each other the one whose label comes last in the scale",
        OUTSIDE: "it is not taken",
        UNDECIDED: "it is undecided",
    }[ties]
    units = counted(tied, "units")
    return (
        f"{units} {'was' if tied == 1 else 'were'} marked by exactly half of those who saw the document: {became}.",
    )


class _Vote:
    """The vote on one document."""

    def __init__(self, candidates: list[_Candidate], seen: int, ties: str, match: str) -> None:
        self.seen, self.ties, self.match = seen, ties, match
        self.candidates = candidates
        self.undecided: dict[UnitPlace, str] = {}
        self.tied = 0
        self.taken = _Intervals(candidates)

    def winners(self) -> Iterator[tuple[UnitPlace, int, str]]:
        """Units with their votes, and a remark where boundaries differ."""
        for one in sorted(self.candidates, key=self._rank):
            if self._wins(one.place, len(one.people)) and not self._excluded(one):
                self.taken.take(one, one.place)
                yield one.place, len(one.people), ""
        if self.match == "overlap":
            yield from self._matched()

    def _rank(self, one: _Candidate) -> tuple[float, ...]:
        label = -one.place.label if self.ties == LAST else one.place.label
        return (-len(one.people), label, *one.place.pieces)

    def _wins(self, place: UnitPlace, votes: int, *, matched: bool = False) -> bool:
        """At least half; what exactly half counts for is the tie rule."""
        if 2 * votes != self.seen:
            return 2 * votes > self.seen
        self.tied += 1
        if self.ties == UNDECIDED:
            how = "marked something like it" if matched else "marked it"
            self.undecided[place] = f"{votes} of {self.seen} {how}"
        return self.ties in (FIRST, LAST)

    def _excluded(self, one: _Candidate) -> bool:
        """Does it overlap a unit that was taken, and nobody marked both?"""
        return any(not (other.people & one.people) for other in self.taken.overlapping(one))

    def _matched(self) -> Iterator[tuple[UnitPlace, int, str]]:
        """Units that people marked with different boundaries."""
        left = [one for one in self.candidates if self._is_left(one)]
        near = _Intervals(left)
        for one in left:
            near.take(one, one.place)
        used: set[UnitPlace] = set()
        for leader in sorted(left, key=self._rank):
            if leader.place in used:
                continue
            group = self._around(leader, [one for one in near.overlapping(leader) if one.place not in used])
            used |= {one.place for one in group.values()}
            if len(group) < 2:
                continue
            starts, ends = (sorted(getattr(one, side) for one in group.values()) for side in ("start", "end"))
            middle = (len(group) - 1) // 2
            place = UnitPlace(leader.place.document, (starts[middle], ends[middle]), leader.place.label)
            found = _Candidate(place, frozenset(group))
            if self._wins(place, len(group), matched=True) and not self._excluded(found):
                self.taken.take(found, leader.place)
                yield place, len(group), f"boundaries differ; the median of {len(group)}"

    def _is_left(self, one: _Candidate) -> bool:
        """In one piece, open, and over no unit of its label that was taken?"""
        if len(one.place.pieces) > 2 or one.place in self.undecided:
            return False
        return all(taken.place.label != one.place.label for taken in self.taken.overlapping(one))

    def _around(self, leader: _Candidate, others: list[_Candidate]) -> dict[int, _Candidate]:
        """Each person's unit of the leader's label that is most like it, if it is like it by half."""
        group = dict.fromkeys(leader.people, leader)
        alike = [(-_overlap(leader, one), one.place, one) for one in others if one.place.label == leader.place.label]
        for less, _, one in sorted(alike, key=lambda found: found[:2]):
            if -less >= OVERLAP:
                for who in one.people:
                    group.setdefault(who, one)
        return group


def _overlap(one: _Candidate, other: _Candidate) -> float:
    """Intersection over union."""
    both = max(0.0, min(one.end, other.end) - max(one.start, other.start))
    either = (one.end - one.start) + (other.end - other.start) - both
    return both / either if either > 0 else float(one.place.pieces == other.place.pieces)


class _Intervals:
    """Units by how long they are and where they begin, to find those that overlap another without looking at all.

    A unit of the matching has the place of its leader in it: its boundaries are at most a length away from there.
    """

    def __init__(self, units: list[_Candidate]) -> None:
        self._classes: dict[int, list[tuple[float, UnitPlace]]] = {}
        self._taken: dict[UnitPlace, _Candidate] = {}
        for one in sorted(units, key=lambda unit: (unit.start, unit.place)):
            self._classes.setdefault(_length_class(one), []).append((one.start, one.place))

    def take(self, one: _Candidate, leader: UnitPlace) -> None:
        """From now on it is there, at the place of its leader."""
        self._taken[leader] = one

    def overlapping(self, one: _Candidate) -> Iterator[_Candidate]:
        """Those that are there and share a place with it."""
        for size, starts in self._classes.items():
            reach = 2.0**size
            at = bisect_left(starts, one.start - 2 * reach, key=lambda key: key[0])
            while at < len(starts) and starts[at][0] < one.end + reach:
                other = self._taken.get(starts[at][1])
                if other is not None and one.place.overlaps(other.place):
                    yield other
                at += 1


def _length_class(one: _Candidate) -> int:
    """The least power of two that is no shorter, by its exponent."""
    return max(0, math.ceil(math.log2(max(one.end - one.start, 1.0))))

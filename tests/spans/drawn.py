"""Documents that somebody marked, as lists of pieces and labels; drawn by hypothesis, or written out here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from hypothesis import strategies as st

import accord
from accord.spans.continuum import Continuum
from tests.oracles.spans import Mark

Pieces: TypeAlias = tuple[tuple[int, int], ...]
Marks: TypeAlias = Sequence[tuple[Pieces, str]]
Documents: TypeAlias = Sequence[Mapping[str, Marks]]
PEOPLE = ("ana", "ben", "cyd")


def one(start: int, end: int, label: str) -> tuple[Pieces, str]:
    """A mark of one piece."""
    return ((start, end),), label


def continuum(documents: Documents, annotators: Sequence[str] = PEOPLE) -> Continuum:
    """What the study of these documents is reduced to."""
    return Continuum.of(study(documents, annotators))


def study(documents: Documents, annotators: Sequence[str] = PEOPLE) -> accord.Study:
    """The same as a table: a row a mark, in the order given; a row without a place where nothing was marked."""
    rows: list[dict[str, Any]] = []
    for number, document in enumerate(documents):
        for who in document:
            marks = [_cells(*mark) for mark in document[who]] or [dict.fromkeys(("start", "end", "tag", "fragments"))]
            rows += [{"doc": f"d{number}", "who": who, **mark} for mark in marks]
    columns = {name: [row[name] for row in rows] for name in ("doc", "who", "start", "end", "tag", "fragments")}
    return accord.Study(columns, item="doc", annotator="who", label="tag", start="start", end="end")


def _cells(pieces: Pieces, label: str) -> dict[str, Any]:
    """A row of the table."""
    fragments = ";".join(f"{start} {end}" for start, end in pieces)
    return {"start": pieces[0][0], "end": pieces[-1][1], "tag": label, "fragments": fragments}


def positions(document: Mapping[str, Marks]) -> dict[str, list[Mark]]:
    """The same for the oracle: every position by itself."""
    return {
        who: [(frozenset(at for start, end in pieces for at in range(start, end)), label) for pieces, label in marks]
        for who, marks in document.items()
    }


@st.composite
def pieces_of_marks(draw: st.DrawFn) -> Pieces:
    """One stretch as a rule, two or three with gaps between them sometimes."""
    bounds = sorted(draw(st.sets(st.integers(0, 14), min_size=2, max_size=draw(st.sampled_from([2, 2, 2, 4, 6])))))
    bounds = bounds[: len(bounds) // 2 * 2]
    return tuple((bounds[at], bounds[at + 1]) for at in range(0, len(bounds), 2))


def marks() -> st.SearchStrategy[list[tuple[Pieces, str]]]:
    """Up to four marks, nested, overlapping and stacked as it comes."""
    return st.lists(st.tuples(pieces_of_marks(), st.sampled_from("XY")), max_size=4)


def documents() -> st.SearchStrategy[list[dict[str, list[tuple[Pieces, str]]]]]:
    """Up to three documents, each seen by some of three people."""
    seen = st.dictionaries(st.sampled_from(PEOPLE), marks(), min_size=1, max_size=3)
    return st.lists(seen, min_size=1, max_size=3)


def many(number: int, rng: np.random.Generator, *, shift: float, wrong: float, missed: float) -> Documents:
    """Documents of about eight marks, each with chances of other borders, of another label, and of being missed."""
    found = []
    for _ in range(number):
        starts = np.sort(rng.choice(40, size=int(rng.poisson(8)), replace=False)) * 10
        truth = [(int(start), int(start) + int(rng.integers(2, 8)), "XYZ"[rng.integers(3)]) for start in starts]
        found.append({who: _marked(truth, rng, shift, wrong, missed) for who in PEOPLE})
    return found


def _marked(
    truth: Sequence[tuple[int, int, str]], rng: np.random.Generator, shift: float, wrong: float, missed: float
) -> list[tuple[Pieces, str]]:
    """What somebody makes of it."""
    made = []
    for start, end, label in truth:
        if rng.random() < missed:
            continue
        longer = int(rng.random() < shift)
        said = "XYZ"[rng.integers(3)] if rng.random() < wrong else label
        made.append(one(start, end + longer, said))
    return made

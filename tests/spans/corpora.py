"""Small corpora of spans for laws: what annotators marked, at whole places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis
from tests.oracles.unitizing import Document

CHARACTERS = Basis("character")
LABELS = ("x", "y", "z")


@st.composite
def flat_marks(draw: Any, length: int) -> list[tuple[int, int, str]]:
    """Marks that do not overlap: some of the stretches between a few cuts."""
    cuts = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
    marks = [(one, two, draw(st.sampled_from([None, *LABELS]))) for one, two in pairwise(cuts)]
    return [(start, end, label) for start, end, label in marks if label is not None]


@st.composite
def any_marks(draw: Any, length: int) -> list[tuple[int, int, str]]:
    """Marks that may overlap, nest and lie on top of each other."""
    places = draw(st.lists(st.tuples(st.integers(0, length - 1), st.integers(1, length)), max_size=4))
    return [(start, min(start + size, length), draw(st.sampled_from(LABELS))) for start, size in places]


@st.composite
def corpora(draw: Any, marks: Any = flat_marks, people: int = 3, gaps: bool = True) -> tuple[list[Document], list[int]]:
    """Some documents, each seen by some of the people, and their lengths."""
    documents: list[Document] = []
    lengths: list[int] = []
    for _ in range(draw(st.integers(1, 3))):
        length = draw(st.integers(3, 14))
        names = [name for name in "abc"[:people] if not gaps or draw(st.booleans())]
        documents.append({name: draw(marks(length)) for name in names})
        lengths.append(length)
    return documents, lengths


def continuum(documents: Sequence[Document], lengths: Sequence[int]) -> Continuum:
    """In its reduced form."""
    return Continuum.of_marks(documents, [float(length) for length in lengths], LABELS)


def drawn(rng: np.random.Generator, documents: int, people: int = 3, *, nested: bool = False) -> Continuum:
    """Documents of 60 characters in which people mark much the same, now and then shifted, relabelled or missed."""
    found: list[Document] = []
    for _ in range(documents):
        truth = [(at, at + 6, LABELS[rng.integers(3)]) for at in range(0, 54, 12)]
        held: dict[str, list[tuple[int, int, str]]] = {}
        for name in "abcdefgh"[:people]:
            marks = []
            for start, end, label in truth:
                move, other = int(rng.integers(-1, 2)), LABELS[rng.integers(3)]
                if rng.random() < 0.85:
                    marks.append((max(start + move, 0), end + move, label if rng.random() < 0.8 else other))
                if nested and rng.random() < 0.6:
                    marks.append((start + 1, end - 1, "z"))
            held[name] = marks
        found.append(held)
    return continuum(found, [60] * documents)

"""The reduced form of spans: who saw which document, and every unit that somebody marked in it.

A *unit* is what one annotator marked at one place with one label; it has one piece, or several where it is
discontinuous. Units may overlap, nest and lie on top of each other. Who marked nothing in a document has seen it and
answered; who has not seen it is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.annotations.tally import ranges
from accord.spans.texts import Texts, texts_of_documents
from accord.study.study import Study

# Several measures ask for the same; it is made once, and goes with its study.
_MADE: WeakKeyDictionary[Study, Continuum] = WeakKeyDictionary()
Marks: TypeAlias = Sequence[tuple[float, float, Label]]  # start, end (exclusive) and label


@dataclass(frozen=True, eq=False)
class Places:
    """Where units lie: the start and end of each piece in turn, one unit after the other."""

    size: IntArray  # (U,) twice the number of pieces
    bounds: FloatArray

    @classmethod
    def of(cls, places: Iterable[tuple[float, ...]]) -> Places:
        """From a tuple per unit."""
        held = list(places)
        size = np.fromiter(map(len, held), dtype=np.int64, count=len(held))
        return cls(size, np.fromiter(chain.from_iterable(held), dtype=np.float64, count=int(size.sum())))

    @cached_property
    def begin(self) -> IntArray:
        """(U,) where the bounds of each unit stand."""
        return np.asarray(np.cumsum(self.size) - self.size)

    @property
    def start(self) -> FloatArray:
        """(U,) where the first piece begins."""
        return np.asarray(self.bounds[self.begin])

    @property
    def end(self) -> FloatArray:
        """(U,) where the last piece ends."""
        return np.asarray(self.bounds[self.begin + self.size - 1])

    def at(self, units: IntArray) -> Places:
        """The places of some units, in their order."""
        size = self.size[units]
        return Places(size, self.bounds[ranges(self.begin[units], size)])

    def tuples(self) -> list[tuple[float, ...]]:
        """One per unit."""
        return [tuple(part.tolist()) for part in np.split(self.bounds, self.begin[1:])]


@dataclass(frozen=True, eq=False)
class Continuum:
    """Everything that annotators marked in some documents, one row per unit, in canonical order.

    Units are sorted by document, annotator, start, end, label and pieces, so that no result depends on the order in
    which a tool stored them.
    """

    labels: tuple[Label, ...]
    annotators: tuple[str, ...]
    seen: BoolArray  # (D, R) has the annotator answered the document, if only with nothing marked?
    length: FloatArray  # (D,) how long each document is; as far as anybody marked where nobody says
    document: IntArray  # (U,)
    annotator: IntArray  # (U,)
    start: FloatArray  # (U,) where the first piece begins
    end: FloatArray  # (U,) where the last piece ends, exclusive
    label: IntArray  # (U,)
    piece_of: IntArray  # (Q,) the unit that a piece belongs to, ascending
    piece_start: FloatArray  # (Q,)
    piece_end: FloatArray  # (Q,)

    @classmethod
    def of(cls, study: Study) -> Continuum:
        """The units of a study of spans, in documents as long as their texts."""
        if study not in _MADE:
            _MADE[study] = cls._of_study(study, texts_of_documents(study))
        return _MADE[study]

    def overlaps(self) -> int:
        """How many pairs of units of two annotators of one document overlap, from where they begin and end."""
        by_person = self.document * max(len(self.annotators), 1) + self.annotator
        return self._overlapping(self.document) - self._overlapping(by_person)

    def _overlapping(self, group: IntArray) -> int:
        """Pairs of units of one group that overlap: all but those of which one ends before the other begins."""
        begins = np.repeat([False, True], len(group))  # an end comes before a beginning at its place
        both = np.tile(group, 2)
        order = np.lexsort((begins, np.concatenate((self.end, self.start)), both))
        number = np.bincount(group)
        earlier = np.cumsum(number) - number  # units of the groups before
        ended = np.cumsum(~begins[order])[begins[order]] - earlier[both[order][begins[order]]]
        return int((number * (number - 1) // 2).sum() - ended.sum())

    @classmethod
    def _of_study(cls, study: Study, texts: Texts) -> Continuum:
        item, annotator, answer, _ = study._annotations.rows
        answers = study.answers
        order = np.lexsort((annotator, item))
        item, annotator, answer = item[order], annotator[order], answer[order]
        number = np.fromiter(map(len, answers.members), dtype=np.int64, count=len(answers.members))
        many = number[answer]
        begin = np.cumsum(number) - number
        unit = ranges(begin[answer], many)  # of each answer's units
        seen = np.zeros((study._annotations.n_items, len(study.annotators)), dtype=np.bool_)
        seen[item, annotator] = True
        label = np.fromiter(chain.from_iterable(answers.members), dtype=np.int64)
        return cls.of_places(
            answers.labels, study.annotators, seen, np.repeat(item, many), np.repeat(annotator, many),
            label[unit], Places.of(chain.from_iterable(answers.places)).at(unit), texts.lengths,
        )  # fmt: skip

    @classmethod
    def of_marks(
        cls,
        documents: Sequence[Mapping[str, Marks]],
        length: float | Sequence[float] | None = None,
        labels: Sequence[Label] | None = None,
    ) -> Continuum:
        """What annotators marked, a mapping from names to marks for each document; who is not in it has not seen it."""
        names = tuple(dict.fromkeys(name for marks in documents for name in marks))
        held = [
            (place, names.index(name), mark)
            for place, marks in enumerate(documents)
            for name in marks
            for mark in marks[name]
        ]
        scale = tuple(labels) if labels is not None else tuple(sorted({mark[2] for *_, mark in held}, key=str))
        seen = np.array([[name in marks for name in names] for marks in documents], dtype=np.bool_)
        lengths = [length] * len(documents) if length is None or isinstance(length, int | float) else list(length)
        return cls.of_places(
            scale, names, seen.reshape(len(documents), len(names)),
            np.array([place for place, *_ in held], dtype=np.int64),
            np.array([who for _, who, _ in held], dtype=np.int64),
            np.array([scale.index(mark[2]) for *_, mark in held], dtype=np.int64),
            Places.of(mark[:2] for *_, mark in held),
            {place: float(long) for place, long in enumerate(lengths) if long is not None},
        )  # fmt: skip

    @classmethod
    def of_places(
        cls, labels: tuple[Label, ...], annotators: tuple[str, ...], seen: BoolArray, document: IntArray,
        annotator: IntArray, label: IntArray, places: Places, lengths: Mapping[int, float],
    ) -> Continuum:  # fmt: skip
        """Units in any order, put into the canonical one."""
        start, end = places.start, places.end
        order = np.lexsort((label, end, start, annotator, document))
        if (places.size > 2).any():  # of equal first and last place, the pieces decide
            key = list(zip(document, annotator, start, end, label, places.tuples(), strict=True))
            order = np.array(sorted(range(len(start)), key=key.__getitem__), dtype=np.int64)
        ordered = places.at(order)
        length = np.zeros(len(seen))
        np.maximum.at(length, document, end)
        for place, long in lengths.items():
            length[place] = max(length[place], long)
        return cls(
            labels, annotators, seen, length, document[order], annotator[order], start[order], end[order], label[order],
            np.repeat(np.arange(len(order)), ordered.size // 2), ordered.bounds[::2], ordered.bounds[1::2],
        )  # fmt: skip

    @property
    def n_documents(self) -> int:
        """How many documents there are."""
        return len(self.seen)

    @property
    def n_units(self) -> int:
        """How many units were marked in all."""
        return len(self.start)

    @cached_property
    def extent(self) -> FloatArray:
        """(U,) how much of its document each unit covers: the sum of its pieces."""
        return add_up(self.piece_of, self.piece_end - self.piece_start, self.n_units)

    @cached_property
    def whole(self) -> bool:
        """Is every unit of one piece?"""
        return len(self.piece_of) == self.n_units

    @cached_property
    def bounds(self) -> IntArray:
        """(D · R + 1,) where the units of document d and annotator r begin: at d · R + r."""
        cell = self.document * len(self.annotators) + self.annotator
        return np.searchsorted(cell, np.arange(self.seen.size + 1)).astype(np.int64)

    def units_of(self, document: int, annotator: int) -> IntArray:
        """The units that somebody marked in a document."""
        cell = document * len(self.annotators) + annotator
        return np.arange(self.bounds[cell], self.bounds[cell + 1])

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every two annotators who saw a document both, by their positions."""
        together = self.seen.T.astype(np.int64) @ self.seen.astype(np.int64)
        yield from zip(*(part.tolist() for part in np.nonzero(np.triu(together, 1))), strict=True)

    def take(self, units: BoolArray) -> Continuum:
        """The same documents and annotators with some units only: of a label, of a length."""
        pieces = units[self.piece_of]
        renumbered = np.cumsum(units) - 1
        return Continuum(
            self.labels, self.annotators, self.seen, self.length, self.document[units], self.annotator[units],
            self.start[units], self.end[units], self.label[units],
            renumbered[self.piece_of[pieces]], self.piece_start[pieces], self.piece_end[pieces],
        )  # fmt: skip

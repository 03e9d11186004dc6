"""Continua like those of a study, in which annotators make errors at known rates: what a value of gamma means.

As in the Corpus Shuffling Tool of Mathet et al. 2012: what one annotator marked is taken for the truth, and every
annotator is given errors of one kind, independently of the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.spans.continuum import Continuum, Places

Kind: TypeAlias = Literal["missing", "false", "shifted", "relabelled"]
KINDS: tuple[Kind, ...] = get_args(Kind)
FARTHEST = 0.5  # how far a border of a shifted unit moves at most, in lengths of the unit
ENOUGH = 200  # units of the truth: documents come again until there are so many
MOST = 600  # units of the truth: of more documents only so many are taken


@dataclass(frozen=True, eq=False)
class _Marks:
    """What is marked in one document."""

    start: FloatArray
    end: FloatArray
    label: IntArray

    def where(self, kept: BoolArray) -> _Marks:
        """Some of it."""
        rows = np.nonzero(kept)[0]
        return _Marks(self.start[rows], self.end[rows], self.label[rows])


@dataclass(frozen=True, eq=False)
class Truth:
    """Documents, each with what one of its annotators marked, how long it is and how many saw it."""

    labels: tuple[Label, ...]
    marks: list[_Marks]
    length: list[float]
    annotators: list[int]

    @classmethod
    def of(cls, marked: Continuum, rng: np.random.Generator) -> Truth:
        """As many documents as make some hundred units, each with an annotator drawn from those who marked anything."""
        seen = marked.seen.sum(axis=1)
        inside = [d for d in np.nonzero(seen > 1)[0].tolist() if len(_who_marked(marked, d))]
        found: tuple[list[_Marks], list[float], list[int]] = ([], [], [])
        held = 0
        while inside and held < ENOUGH:
            for document in rng.permutation(inside).tolist():
                units = marked.units_of(document, int(rng.choice(_who_marked(marked, document))))
                found[0].append(_Marks(marked.start[units], marked.end[units], marked.label[units]))
                found[1].append(float(marked.length[document]))
                found[2].append(int(seen[document]))
                held += len(units)
                if held >= MOST:
                    break
        return cls(marked.labels, *found)


def _who_marked(marked: Continuum, document: int) -> IntArray:
    """Annotators who marked anything in a document."""
    return np.unique(marked.annotator[marked.document == document])


def with_errors(truth: Truth, rates: dict[Kind, float], rng: np.random.Generator) -> Continuum:
    """Everybody with errors of their own: a `rate` is the share of units that have one."""
    share = np.bincount(np.concatenate([marks.label for marks in truth.marks]), minlength=len(truth.labels))
    documents, people, rows = [], [], []
    for place, (marks, length) in enumerate(zip(truth.marks, truth.length, strict=True)):
        for person in range(truth.annotators[place]):
            made = _with_errors(marks, length, share.astype(np.float64), rates, rng)
            rows.append(made)
            documents.append(np.full(len(made.start), place))
            people.append(np.full(len(made.start), person))
    most = max(truth.annotators, default=0)
    seen = np.arange(most) < np.array(truth.annotators, dtype=np.int64)[:, None]
    bounds = np.concatenate([np.stack((made.start, made.end), axis=1) for made in rows]).astype(np.float64)
    places = Places(np.full(len(bounds), 2, dtype=np.int64), bounds.reshape(-1))
    return Continuum.of_places(
        truth.labels, tuple(f"A{person + 1}" for person in range(most)), seen,
        np.concatenate(documents).astype(np.int64), np.concatenate(people).astype(np.int64),
        np.concatenate([made.label for made in rows]), places, dict(enumerate(truth.length)),
    )  # fmt: skip


def _with_errors(
    marks: _Marks, length: float, share: FloatArray, rates: dict[Kind, float], rng: np.random.Generator
) -> _Marks:
    """One annotator's: units left out, borders moved, labels changed, and units added that are none."""
    size = len(marks.start)
    made = marks.where(rng.random(size) >= rates.get("missing", 0.0))
    made = _shifted(made, rates.get("shifted", 0.0), rng)
    made = _relabelled(made, share, rates.get("relabelled", 0.0), rng)
    number = int(rng.binomial(size, rates.get("false", 0.0))) if size else 0
    like = rng.integers(0, max(size, 1), number)
    long = (marks.end - marks.start)[like]
    start = rng.random(number) * np.maximum(length - long, 0)
    return _Marks(
        np.concatenate((made.start, start)),
        np.concatenate((made.end, start + long)),
        np.concatenate((made.label, marks.label[like])),
    )


def _shifted(marks: _Marks, rate: float, rng: np.random.Generator) -> _Marks:
    """Both borders of some units, each by up to half the length of the unit."""
    hit = rng.random(len(marks.start)) < rate
    move = rng.uniform(-FARTHEST, FARTHEST, (2, len(marks.start))) * (marks.end - marks.start) * hit
    start, end = marks.start + move[0], marks.end + move[1]
    return _Marks(np.minimum(start, end), np.maximum(start, end), marks.label)


def _relabelled(marks: _Marks, share: FloatArray, rate: float, rng: np.random.Generator) -> _Marks:
    """Some units with another label, as often as the others are used."""
    label = marks.label.copy()
    for unit in np.nonzero(rng.random(len(label)) < rate)[0].tolist():
        others = share.copy()
        others[label[unit]] = 0
        if others.any():
            label[unit] = rng.choice(len(others), p=others / others.sum())
    return _Marks(marks.start, marks.end, label)


def rate_that_gives(value: float, rates: FloatArray, values: FloatArray) -> float:
    """The rate at which gamma would have a value, between those tried; NaN beyond the last."""
    for place in range(1, len(rates)):
        high, low = values[place - 1], values[place]
        if low <= value <= high:
            part = (high - value) / (high - low) if high > low else 0.0
            return float(rates[place - 1] + part * (rates[place] - rates[place - 1]))
    return math.nan

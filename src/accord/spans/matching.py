"""What two annotators marked alike in a document: how much of it can be matched one to one, by a criterion.

- exact: the same place and label; boundary: the same place;
- overlap: at least one shared position; iou: what both cover is at least a threshold of what either covers;
- soft: pairs count by how much they share of what either covers (the largest sum).

A place is the set of its positions, so the pieces of a discontinuous mark are compared together. The matching is a
largest one: it depends on what was marked and never on the order in which a tool stored it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.errors import MeasureError, OptionError, remedy
from accord.options import check_choice, check_flag, is_number
from accord.spans.assignment import best_matching
from accord.spans.continuum import Continuum
from accord.spans.overlaps import overlaps
from accord.spans.shared_documents import SharedDocuments, in_blocks, rows_after

Match: TypeAlias = Literal["exact", "boundary", "overlap", "iou", "soft"]
MATCHES: tuple[Match, ...] = get_args(Match)
AT_ONCE = 4_000_000  # pairs of annotators who marked the same place, held at a time
HALF = 0.5  # of what either covers
ROUNDING = 1e-12  # of a share that is exactly the threshold


@dataclass(frozen=True)
class Criterion:
    """When two marks of two annotators count as the same."""

    match: Match = "exact"
    threshold: float = HALF  # of "iou"
    label_must_match: bool = True

    def __post_init__(self) -> None:
        check_choice("match", self.match, MATCHES)
        check_flag("label_must_match", self.label_must_match)
        if not is_number(self.threshold) or not 0 < self.threshold <= 1:
            raise OptionError.must("threshold", "be a number above 0, up to 1", self.threshold)
        if self.threshold != HALF and self.match != "iou":
            raise OptionError.must("threshold", "be left out where spans are not matched by iou", self.threshold)

    @property
    def labels_count(self) -> bool:
        """Must two marks have one label? Of boundaries nobody asks."""
        return self.label_must_match and self.match != "boundary"

    @property
    def of_one_label(self) -> Criterion:
        """The same where marks of one label are compared among themselves."""
        return Criterion("exact" if self.match == "boundary" else self.match, self.threshold)

    @property
    def in_words(self) -> str | None:
        """What a title says of it; nothing of the usual one."""
        words = {
            "exact": None, "boundary": "boundaries alone", "overlap": "overlap", "iou": f"IoU ≥ {self.threshold:g}",
            "soft": "soft",
        }[self.match]  # fmt: skip
        if self.match == "boundary" or self.label_must_match:
            return words
        return ", ".join(part for part in (words, "any label") if part)


@dataclass(frozen=True, eq=False)
class Matched:
    """How much of what two annotators marked is matched, by document and label; rows without a match are not there."""

    at_shared: IntArray  # (N,)
    label: IntArray  # (N,) of the first's mark, where labels need not match
    amount: FloatArray  # (N,) matches, or what they share

    def by_shared(self, number: int) -> FloatArray:
        """(M,) the sum over labels."""
        return add_up(self.at_shared, self.amount, number)


def matched(continuum: Continuum, shared: SharedDocuments, criterion: Criterion) -> Matched:
    """The largest matching of every shared document."""
    if criterion.match in ("exact", "boundary"):
        return _same_places(continuum, shared, by_label=criterion.labels_count)
    try:
        return _overlapping(continuum, shared, criterion)
    except MeasureError as problem:
        raise problem.add(" ", remedy(match="exact"), " needs no such comparison.") from None


def _overlapping(continuum: Continuum, shared: SharedDocuments, criterion: Criterion) -> Matched:
    """The largest matching of marks that overlap."""
    found = overlaps(continuum, shared, label_must_match=criterion.labels_count)
    if criterion.match == "iou":
        found = found.where(found.iou >= criterion.threshold - ROUNDING)
    weight = found.iou if criterion.match == "soft" else np.ones(len(found.iou))
    chosen = best_matching(*nodes(found.at_shared, found.first, found.second, continuum.n_units), weight)
    return Matched(found.at_shared[chosen], continuum.label[found.first[chosen]], weight[chosen])


def nodes(at_shared: IntArray, first: IntArray, second: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Nodes of the two sides: a unit is another node in every shared document."""
    left, right = (np.unique(at_shared * size + unit, return_inverse=True)[1] for unit in (first, second))
    return left, right


def _same_places(continuum: Continuum, shared: SharedDocuments, *, by_label: bool) -> Matched:
    """Marks of the same place are all alike: of each place, as many are matched as both have."""
    place = places(continuum)
    key = place * max(len(continuum.labels), 1) + continuum.label if by_label else place
    _, key = np.unique(key, return_inverse=True)
    people = len(continuum.annotators)
    cells, number = np.unique(key * people + continuum.annotator, return_counts=True)
    group, who = cells // people, cells % people
    some = np.zeros(int(key.max(initial=-1)) + 1, dtype=np.int64)
    some[key] = np.arange(len(key))  # a unit of each place: its document and label
    document, label, labels = continuum.document[some], continuum.label[some], max(len(continuum.labels), 1)
    found: list[tuple[IntArray, FloatArray]] = []
    for left, right in in_blocks(rows_after(group), AT_ONCE):
        at_shared = shared.find(document[group[left]], who[left], who[right])
        met = at_shared >= 0
        cell, at = np.unique(at_shared[met] * labels + label[group[left[met]]], return_inverse=True)
        found.append((cell, add_up(at, np.minimum(number[left], number[right])[met], len(cell))))
    cell = np.concatenate([block[0] for block in found])
    return Matched(cell // labels, cell % labels, np.concatenate([block[1] for block in found]))


def places(continuum: Continuum) -> IntArray:
    """(U,) a number for each place of each document: units of the same positions have the same."""
    if continuum.whole:
        ranked = [np.unique(part, return_inverse=True)[1] for part in (continuum.start, continuum.end)]
        order = np.lexsort((ranked[1], ranked[0], continuum.document))
        columns = np.stack([continuum.document, *ranked])[:, order]
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.cumsum((np.diff(columns, axis=1, prepend=-1) != 0).any(axis=0)) - 1
        return number
    bounds = np.stack([continuum.piece_start, continuum.piece_end], axis=1)
    held = np.split(bounds, np.searchsorted(continuum.piece_of, np.arange(1, continuum.n_units)))
    keys = [(document, *_joined(one.tolist())) for document, one in zip(continuum.document.tolist(), held, strict=True)]
    known = {key: number for number, key in enumerate(sorted(set(keys)))}
    return np.array([known[key] for key in keys], dtype=np.int64)


def _joined(pieces: list[list[float]]) -> list[float]:
    """Starts and ends of pieces, where two that touch are one: the same positions."""
    found: list[float] = []
    for start, end in sorted(pieces):
        if found and start <= found[-1]:
            found[-1] = max(found[-1], end)
        else:
            found += [start, end]
    return found

"""Relations between spans: which of two annotators' relations connect the same arguments.

Arguments are matched first, one to one, among all spans that an annotator marked in a document where these are known
(of the same label then), else among the places that the relations connect: by the same place ("exact"), or so that the
sum of common shares is largest ("overlap"). Two relations are the same if their arguments are matched to each other, in
the same order where direction counts, and if their labels are the same where labels count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, found_at
from accord.options import check_choice
from accord.spans.assignment import best_matching
from accord.spans.continuum import Continuum
from accord.spans.matched_amounts import Amounts
from accord.spans.matching import Matched, nodes, places
from accord.spans.overlaps import overlaps
from accord.spans.shared_documents import SharedDocuments, marks_of, pairs_within

Arguments: TypeAlias = Literal["exact", "overlap"]
ARGUMENTS: tuple[Arguments, ...] = get_args(Arguments)
NO_MATCH = -1


@dataclass(frozen=True)
class RelationCriterion:
    """When two relations of two annotators count as the same, and which count at all."""

    arguments: Arguments = "exact"
    directed: bool = True
    label_must_match: bool = True
    matched_arguments_only: bool = False

    def __post_init__(self) -> None:
        check_choice("arguments", self.arguments, ARGUMENTS)

    @property
    def in_words(self) -> str | None:
        """What a title says of it; nothing of the usual one."""
        words = (
            None if self.arguments == "exact" else "overlapping arguments",
            None if self.directed else "undirected",
            None if self.label_must_match else "any label",
            "given matched arguments" if self.matched_arguments_only else None,
        )
        return ", ".join(word for word in words if word) or None


def relation_amounts(
    continuum: Continuum, shared: SharedDocuments, criterion: RelationCriterion, spans: Continuum | None = None
) -> Amounts:
    """Relations of every shared document, and how many are the same; a unit's two pieces are its arguments.

    `spans` are what the same annotators marked in the same documents, where that is known.
    """
    arguments, head, tail = _arguments(continuum, spans)
    partners = _partners(arguments, shared, criterion.arguments)
    at_shared, unit, is_first = marks_of(continuum, shared)
    ends = np.stack([_common(partners, at_shared, side[unit], is_first, arguments.n_units) for side in (head, tail)])
    found = (ends != NO_MATCH).all(0)
    if not criterion.directed:
        ends = np.sort(ends, axis=0)
    label = continuum.label[unit]
    counts = found if criterion.matched_arguments_only else np.ones(len(unit), dtype=np.bool_)
    kind = [at_shared[found], *ends[:, found], label[found] * criterion.label_must_match]
    return Amounts.of_marks(
        shared, _same(kind, label[found], is_first[found]), at_shared[counts], label[counts], len(continuum.labels)
    )


def _arguments(continuum: Continuum, spans: Continuum | None) -> tuple[Continuum, IntArray, IntArray]:
    """All spans, and places that relations connect besides; and the two of every relation.

    Where spans of several labels lie on one place, nothing tells which of them is meant: it is the first.
    """
    who = np.repeat(np.stack([continuum.document, continuum.annotator]), 2, axis=1)
    connected = _rows(who[0], who[1], continuum.piece_start, continuum.piece_end)
    known = np.empty((0, 4)) if spans is None else _rows(spans.document, spans.annotator, spans.start, spans.end)
    label = np.empty(0, np.int64) if spans is None else spans.label + 1
    distinct, place = np.unique(np.concatenate((known, connected)), axis=0, return_inverse=True)
    place = place.ravel()
    unknown = np.setdiff1d(place[len(known) :], place[: len(known)])  # no span lies there
    where = np.concatenate((place[: len(known)], unknown))
    labels = np.concatenate((label, np.zeros(len(unknown), dtype=np.int64)))
    order = np.lexsort((labels, where))
    where, labels = where[order], labels[order]
    document, annotator = (distinct[where, column].astype(np.int64) for column in (0, 1))
    start, end = distinct[where, 2], distinct[where, 3]
    found = Continuum(
        ("", *(() if spans is None else spans.labels)), continuum.annotators, continuum.seen, continuum.length,
        document, annotator, start, end, labels, np.arange(len(where)), start, end,
    )  # fmt: skip
    argument = np.searchsorted(where, place[len(known) :])
    return found, argument[::2], argument[1::2]


def _rows(document: IntArray, annotator: IntArray, start: FloatArray, end: FloatArray) -> FloatArray:
    """A row each, to be told apart and put in order."""
    return np.stack([document.astype(np.float64), annotator.astype(np.float64), start, end], axis=1)


def _partners(arguments: Continuum, shared: SharedDocuments, how: Arguments) -> tuple[IntArray, IntArray, IntArray]:
    """Rows of shared documents, and the arguments of the first and the second that are one there."""
    if how == "overlap":
        found = overlaps(arguments, shared, label_must_match=True)
        chosen = best_matching(*nodes(found.at_shared, found.first, found.second, max(arguments.n_units, 1)), found.iou)
        return found.at_shared[chosen], found.first[chosen], found.second[chosen]
    place = places(arguments) * len(arguments.labels) + arguments.label
    order = np.lexsort((arguments.annotator, place))
    one, other = (order[side] for side in pairs_within(place[order]))
    at_shared = shared.find(arguments.document[one], arguments.annotator[one], arguments.annotator[other])
    met = at_shared >= 0
    return at_shared[met], one[met], other[met]


def _common(
    partners: tuple[IntArray, IntArray, IntArray],
    at_shared: IntArray,
    argument: IntArray,
    is_first: BoolArray,
    size: int,
) -> IntArray:
    """The first's argument that each argument is in its shared document; −1 where it has no partner."""
    found = np.full(len(argument), NO_MATCH, dtype=np.int64)
    for side, first in ((partners[1], True), (partners[2], False)):
        keys = partners[0] * size + side
        order = np.argsort(keys)
        rows = np.nonzero(is_first == first)[0]
        at = found_at(keys[order], at_shared[rows] * size + argument[rows])
        found[rows[at >= 0]] = partners[1][order[at[at >= 0]]]
    return found


def _same(kind: list[IntArray], label: IntArray, is_first: BoolArray) -> Matched:
    """As many of each kind as both have; `kind[0]` is the shared document."""
    if not len(label):
        return Matched(kind[0], label, np.empty(0))
    _, first, place = np.unique(np.stack(kind, axis=1), axis=0, return_index=True, return_inverse=True)
    place = place.ravel()
    mine, theirs = (np.bincount(place[side], minlength=len(first)) for side in (is_first, ~is_first))
    amount = np.minimum(mine, theirs)
    some = amount > 0
    return Matched(kind[0][first[some]], label[first[some]], amount[some].astype(np.float64))

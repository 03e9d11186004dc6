"""What every annotator said of every token: the reduced form of the methods that decide spans token by token.

A tag is a number: 0 is outside (O), 1 + 2c begins a unit of label c (B), 2 + 2c goes on with it (I). Tokens are those
of the study where it has them, cut where somebody's unit begins or ends within one; else the stretches between all
places where somebody's unit begins or ends.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.annotations.tally import ranges
from accord.errors import InputError, MeasureError, at_column, at_item, one_of, quoted, remedy
from accord.spans.continuum import Continuum
from accord.spans.texts import Texts, texts_of_documents
from accord.study.shapes.tagged_tokens import TOKEN_TAGS
from accord.study.study import Study

OUTSIDE = 0


@dataclass(frozen=True, eq=False)
class TokenAnswers:
    """Tags of tokens by document, token and annotator; who gave none for a token is not in it."""

    labels: tuple[Label, ...]
    n_annotators: int
    offset: IntArray  # (D + 1,) where the tokens of each document begin
    start: FloatArray  # (N,) where each token begins in its document
    end: FloatArray  # (N,)
    token: IntArray  # (A,) ascending: which token an answer is about
    annotator: IntArray  # (A,)
    tag: IntArray  # (A,)
    previous: IntArray  # (A,) the annotator's tag of the token before; outside where there is none
    own_tokens: bool = True  # does the study say where its tokens lie?

    @property
    def n_tokens(self) -> int:
        """How many tokens there are."""
        return len(self.start)

    @property
    def n_tags(self) -> int:
        """Outside, and two for each label."""
        return 1 + 2 * len(self.labels)

    @cached_property
    def votes(self) -> IntArray:
        """(N, tags): how many gave each tag to each token."""
        flat = np.bincount(self.token * self.n_tags + self.tag, minlength=self.n_tokens * self.n_tags)
        return flat.reshape(self.n_tokens, self.n_tags)

    @cached_property
    def document(self) -> IntArray:
        """(N,): the document of each token."""
        return np.repeat(np.arange(len(self.offset) - 1), np.diff(self.offset))

    @classmethod
    def of(cls, study: Study, laid: UnitsOnTokens) -> TokenAnswers:
        """The tags of a study of spans that do not overlap."""
        laid.refuse_untaggable(study)
        continuum, offset, first = laid.continuum, laid.tokens[0], laid.first
        cell, who = np.nonzero(continuum.seen)
        lengths = np.diff(offset)[cell]
        begins = np.concatenate(([0], np.cumsum(lengths)))
        tag = np.zeros(int(begins[-1]), dtype=np.int64)
        number = np.full(continuum.seen.shape, -1)
        number[cell, who] = np.arange(len(cell))
        base = begins[number[continuum.document, continuum.annotator]] - offset[continuum.document]
        size = laid.last - first + 1
        inside = ranges(base + first, size)
        tag[inside] = np.repeat(2 + 2 * continuum.label, size)
        tag[base + first] = 1 + 2 * continuum.label
        place = ranges(offset[cell], lengths)
        people = np.repeat(who, lengths)
        tag = _as_given(study, number, begins, tag)
        return cls._sorted(study.answers.labels, continuum, laid.tokens, place, people, tag, laid.own_tokens)

    @classmethod
    def _sorted(
        cls, labels: tuple[Label, ...], continuum: Continuum, tokens: tuple[IntArray, FloatArray, FloatArray],
        place: IntArray, people: IntArray, tag: IntArray, own: bool,
    ) -> TokenAnswers:  # fmt: skip
        """Answers by token; those that are missing are left out after telling what came before."""
        offset, start, end = tokens
        previous = np.zeros_like(tag)
        goes_on = (place[1:] == place[:-1] + 1) & (people[1:] == people[:-1]) & (tag[:-1] >= 0)
        goes_on &= ~np.isin(place[1:], offset)
        previous[1:] = np.where(goes_on, tag[:-1], OUTSIDE)
        given = np.nonzero(tag >= 0)[0]
        order = given[np.lexsort((people[given], place[given]))]
        return cls(
            labels, len(continuum.annotators), offset, start, end, place[order], people[order], tag[order],
            previous[order], own,
        )  # fmt: skip

    def units(self, tags: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """First token, last token and label of the units in (N,) tags; a tag that goes on without a beginning is none.

        A unit begins with its B and lasts while the I of its label follow.
        """
        first = np.nonzero(tags % 2 == 1)[0]
        following = np.append(tags[1:], OUTSIDE)
        following[self.offset[1:] - 1] = OUTSIDE
        goes_on = (following > 0) & (following % 2 == 0) & ((tags == following) | (tags == following - 1))
        stops = np.nonzero(~goes_on)[0]
        last = stops[np.searchsorted(stops, first)] if len(first) else first
        return first, last, (tags[first] - 1) // 2


@dataclass(frozen=True, eq=False)
class UnitsOnTokens:
    """The tokens of all documents, and those that each unit covers."""

    continuum: Continuum
    tokens: tuple[IntArray, FloatArray, FloatArray]  # where those of each document begin; their starts and their ends
    first: IntArray  # (U,) the first token of each unit
    last: IntArray  # (U,)
    own_tokens: bool  # does the study say where its tokens lie?

    @classmethod
    def of(cls, study: Study) -> UnitsOnTokens:
        """Those of a study of spans."""
        continuum, texts = Continuum.of(study), texts_of_documents(study)
        tokens = _tokens(continuum, texts)
        first, last = covered(tokens, continuum.document, continuum.start, continuum.end)
        return cls(continuum, tokens, first, last, any(found is not None for found in texts.tokens))

    @cached_property
    def untaggable(self) -> BoolArray:
        """(U,): units that no tags can say: in pieces, or on a token that another unit of the annotator has."""
        continuum = self.continuum
        same = (continuum.document[1:] == continuum.document[:-1]) & (
            continuum.annotator[1:] == continuum.annotator[:-1]
        )
        overlaps = np.zeros(continuum.n_units, dtype=np.bool_)
        overlaps[1:] = same & (self.first[1:] <= self.last[:-1])
        return np.asarray(overlaps | (self._pieces > 1))

    @cached_property
    def _pieces(self) -> FloatArray:
        continuum = self.continuum
        return add_up(continuum.piece_of, np.ones(len(continuum.piece_of)), continuum.n_units)

    def refuse_untaggable(self, study: Study) -> None:
        """A token has one tag of an annotator, so their units must not overlap or lie in pieces."""
        if not self.untaggable.any():
            return
        continuum, unit = self.continuum, int(np.nonzero(self.untaggable)[0][0])
        what = "in several pieces" if self._pieces[unit] > 1 else "over another of their spans"
        raise MeasureError(
            "Deciding token by token needs spans that do not overlap; annotator ",
            quoted(continuum.annotators[continuum.annotator[unit]]),
            " marked ",
            quoted(study.answers.labels[continuum.label[unit]]),
            f" {what} in item ",
            at_item(study.items[continuum.document[unit]]),
            f", from {continuum.start[unit]:g} to {continuum.end[unit]:g} "
            f"({int(self.untaggable.sum()):,} such spans in all). Overlapping, nested and discontinuous spans are "
            "decided unit by unit: ",
            remedy(method=one_of("majority")),
            ".",
        )


def _tokens(continuum: Continuum, texts: Texts) -> tuple[IntArray, FloatArray, FloatArray]:
    """Where each document's tokens begin in the list of all, and where each token begins and ends."""
    found: list[FloatArray] = []
    by_document = np.searchsorted(continuum.document, np.arange(continuum.n_documents + 1))
    for document, own in enumerate(texts.tokens):
        units = slice(by_document[document], by_document[document + 1])
        marked = np.unique(np.concatenate((continuum.start[units], continuum.end[units])))
        length = float(continuum.length[document])
        found.append(_stretches(marked, length) if own is None else _cut(own.astype(np.float64), marked))
    sizes = np.array([len(places) for places in found], dtype=np.int64)
    both = np.concatenate(found) if found else np.empty((0, 2))
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64), both[:, 0], both[:, 1]


def _stretches(marked: FloatArray, length: float) -> FloatArray:
    """The stretches between all boundaries; a document in which nothing is marked is one."""
    bounds = np.unique(np.concatenate(([0.0], marked, [max(length, 1.0)])))
    return np.stack((bounds[:-1], bounds[1:]), axis=1)


def _cut(tokens: FloatArray, marked: FloatArray) -> FloatArray:
    """Tokens, cut where a unit begins or ends within one."""
    tokens = tokens[np.argsort(tokens[:, 0], kind="stable")]
    at = np.searchsorted(tokens[:, 0], marked, side="right") - 1
    within = (at >= 0) & (marked > tokens[at, 0]) & (marked < tokens[at, 1])
    if not within.any():
        return tokens
    starts = np.sort(np.concatenate((tokens[:, 0], marked[within])))
    ends = np.sort(np.concatenate((tokens[:, 1], marked[within])))
    return np.stack((starts, ends), axis=1)


def covered(
    tokens: tuple[IntArray, FloatArray, FloatArray], document: IntArray, begin: FloatArray, stop: FloatArray
) -> tuple[IntArray, IntArray]:
    """The first and the last token of each unit; a unit of blanks alone belongs to the token after it."""
    offset, start, end = tokens
    far = float(max(end.max(initial=0.0), stop.max(initial=0.0))) + 1.0
    lengths = np.diff(offset)
    base = np.repeat(np.arange(len(lengths)) * far, lengths)
    shift = document * far
    first = np.searchsorted(base + end, shift + begin, side="right")
    last = np.searchsorted(base + start, shift + stop, side="left") - 1
    first = np.minimum(first, offset[document + 1] - 1)
    return first.astype(np.int64), np.maximum(last, first).astype(np.int64)


def _as_given(study: Study, number: IntArray, begins: IntArray, tag: IntArray) -> IntArray:
    """Tags as they were given, where spans do not tell: tokens without one are −1, an I may lack its B."""
    table = study._frame
    if table is None or TOKEN_TAGS not in table.columns:
        return tag
    place = {str(label): at for at, label in enumerate(study.answers.labels)}
    item, annotator, _, _ = study._annotations.rows
    cells, rows = table.cells(TOKEN_TAGS), study._annotations.table_rows
    given = {at: cells[row] for at, row in enumerate(rows.tolist()) if cells[row]}
    for at, cell in given.items():
        tags = _listed(cell, study.items[item[at]])
        begin, stop = begins[number[item[at], annotator[at]] + np.arange(2)].tolist()
        if len(tags) != stop - begin:
            raise InputError(
                "The column ",
                at_column(TOKEN_TAGS),
                f" says {len(tags)} tags of item ",
                at_item(study.items[item[at]]),
                f", which has {stop - begin} tokens. Take the column out, or read the tags anew.",
            )
        tag[begin:stop] = [_code(one, place, int(known)) for one, known in zip(tags, tag[begin:stop], strict=True)]
    return tag


def _listed(cell: Any, item: object) -> list[str | None]:
    """The tags in a cell: a list, or its JSON."""
    try:
        found = json.loads(cell) if isinstance(cell, str) else cell
    except ValueError:
        found = None
    if not isinstance(found, list) or not all(tag is None or isinstance(tag, str) for tag in found):
        raise InputError(
            "The column ",
            at_column(TOKEN_TAGS),
            " must hold a list of tags in JSON; that of item ",
            at_item(item),
            " is ",
            quoted(str(cell)[:60]),
            ". Take the column out, or read the tags anew.",
        )
    return found


def _code(tag: str | None, place: dict[str, int], known: int) -> int:
    """The number of a tag; of a label that is called otherwise by now, what its span says."""
    if tag is None:
        return -1
    mark, _, label = tag.partition("-")
    if tag == "O" or label not in place:
        return known if label else OUTSIDE
    return 2 * place[label] + (1 if mark == "B" else 2)

"""Tokens: those of the export, or those of a rule; and units counted in tokens instead of characters.

The rule: a token is a run of letters, digits, underscores and the marks that belong to letters (accents, vowel signs),
or any other character that is not blank, by itself. It takes no language into account: "don't" is three tokens, and in
scripts without blanks between words a whole run is one. A unit holds every token of which it covers any part.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from accord.annotations.arrays import IntArray
from accord.errors import InputError, Keyword
from accord.spans.continuum import Continuum


def tokens_of(texts: Iterable[str]) -> list[IntArray]:
    """(T, 2) where the tokens of each text begin and end, by the rule; in code points.

    >>> [places.tolist() for places in tokens_of(["Zoë's here."])]
    [[[0, 3], [3, 4], [4, 5], [6, 10], [10, 11]]]
    """
    held = list(texts)
    seen = {letter for text in held if not text.isascii() for letter in text}
    marks = "".join(re.escape(letter) for letter in sorted(seen) if unicodedata.category(letter).startswith("M"))
    rule = re.compile(rf"[\w{marks}]+|\S")
    return [
        np.array([found.span() for found in rule.finditer(text)], dtype=np.int64).reshape(-1, 2) for text in held
    ]  # fmt: skip


def in_tokens(continuum: Continuum, tokens: Sequence[IntArray]) -> tuple[Continuum, int]:
    """The same units counted in tokens of each document, and how many are left out because they cover no token."""
    number = np.array([len(places) for places in tokens], dtype=np.int64)
    begin = np.cumsum(number) - number
    where = np.repeat(np.arange(len(tokens)), number)
    places = np.concatenate([np.empty((0, 2), dtype=np.int64), *tokens])
    _refuse_overlap(where, places)
    document = continuum.document[continuum.piece_of]
    size = max(float(places.max(initial=0)), float(continuum.piece_end.max(initial=0.0))) + 1
    first = np.searchsorted(where * size + places[:, 1], document * size + continuum.piece_start, side="right")
    last = np.searchsorted(where * size + places[:, 0], document * size + continuum.piece_end, side="left")
    covering = last > first
    pieces = np.bincount(continuum.piece_of[covering], minlength=continuum.n_units)
    units = pieces > 0
    return _counted_in(continuum, units, covering, first - begin[document], last - begin[document], number), int(
        (~units).sum()
    )


def _counted_in(
    continuum: Continuum, units: np.ndarray, pieces: np.ndarray, first: IntArray, last: IntArray, number: IntArray
) -> Continuum:  # fmt: skip
    """Some units and pieces, with their places in tokens."""
    kept = continuum.take(units)
    owner = (np.cumsum(units) - 1)[continuum.piece_of[pieces]]
    start, end = first[pieces].astype(np.float64), last[pieces].astype(np.float64)
    begins = np.ones(len(owner), dtype=np.bool_)
    begins[1:] = owner[1:] != owner[:-1]
    ends = np.append(begins[1:], True) if len(owner) else begins
    return replace(
        kept, length=number.astype(np.float64), start=start[begins], end=end[ends], piece_of=owner,
        piece_start=start, piece_end=end,
    )  # fmt: skip


def _refuse_overlap(where: IntArray, places: IntArray) -> None:
    """Tokens lie one after the other."""
    wrong = np.nonzero((where[1:] == where[:-1]) & (places[1:, 0] < places[:-1, 1]))[0]
    if len(wrong):
        (start, end), (after, to) = places[wrong[0]].tolist(), places[wrong[0] + 1].tolist()
        raise InputError(
            f"Tokens of a document must lie one after the other; one from {start} to {end} is followed by one from "
            f"{after:d} to {to:d}. Mend the column of tokens.",
            option=Keyword("tokens"),
        )

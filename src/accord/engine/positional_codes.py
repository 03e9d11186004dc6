"""An item's answers as integers that an engine can add up, and back.

One digit per label (how many gave it), spread over as many 64-bit columns as it takes; or one digit per annotator (what
they said). A sum that overflowed only ever lowers the digit sum, so comparing the decoded total with the number of
answers shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.arrays import IntArray
from accord.errors import AccordError

if TYPE_CHECKING:
    from accord.engine.lookup import Lookup

DIGITS = 60  # bits of one code column


class EngineOverflow(AccordError):
    """A sum of codes did not fit into the engine's integers; the caller takes wider ones. Users never see it."""


@dataclass(frozen=True)
class Digits:
    """Places for `size` digits of some bits each, as many in a column as fit."""

    size: int
    bits: int

    @property
    def per_column(self) -> int:
        """Digits in a column."""
        return max(DIGITS // self.bits, 1)

    @property
    def columns(self) -> int:
        """Columns that it takes."""
        return -(-self.size // self.per_column)

    def read(self, codes: IntArray) -> IntArray:
        """(P, size) the digits of codes (P, columns)."""
        place = np.arange(self.size)
        shift = self.bits * (place % self.per_column)
        digits: IntArray = (codes[:, place // self.per_column] >> shift) & ((1 << self.bits) - 1)
        return digits

    def units(self, digit_of: Mapping[Any, int]) -> list[dict[Any, int]]:
        """For each column: what one unit of the digit of a value adds there."""
        units_of: list[dict[Any, int]] = [{} for _ in range(self.columns)]
        for value, digit in digit_of.items():
            units_of[digit // self.per_column][value] = 1 << (self.bits * (digit % self.per_column))
        return units_of


def label_terms(digits: Digits, label: str, codes: Mapping[Any, int]) -> dict[str, Sequence[Lookup]]:
    """One digit per label."""
    from accord.engine.lookup import Lookup

    return {f"code{column}": [Lookup(label, units_of)] for column, units_of in enumerate(digits.units(codes))}


def annotator_terms(
    digits: Digits, annotator: str, names: Sequence[Any], label: str, codes: Mapping[Any, int], *, blank: bool
) -> dict[str, Sequence[Lookup]]:
    """One digit per annotator, of what they said; then who answered, a bit each, which a second answer would change.

    `blank`: some rows have a label that says nothing, so that only labels tell who answered.
    """
    from accord.engine.lookup import Lookup

    answer_digits = Lookup(label, {raw: answer + 1 for raw, answer in codes.items()})
    units_of = digits.units({name: who for who, name in enumerate(names)})
    terms: dict[str, Sequence[Lookup]] = {
        f"code{column}": [answer_digits, Lookup(annotator, powers)] for column, powers in enumerate(units_of)
    }
    given = [Lookup(label, dict.fromkeys(codes, 1))] if blank else []
    terms["present"] = [Lookup(annotator, {name: 1 << who for who, name in enumerate(names)}), *given]
    return terms


def print_terms(label: str, codes: Mapping[Any, int], size: int, seed: int) -> dict[str, Sequence[Lookup]]:
    """Two random numbers per label: their sums tell any two patterns apart, but for a chance of 2⁻⁸⁸."""
    from accord.engine.lookup import Lookup

    random = np.random.default_rng(seed).integers(1 << 40, 1 << 44, size=(2, size)).tolist()
    return {
        name: [Lookup(label, {raw: weights[answer] for raw, answer in codes.items()})]
        for name, weights in zip(("print_f", "print_g"), random, strict=True)
    }


def rows_among(known: IntArray, wanted: IntArray) -> IntArray:
    """The place of each asked row among known rows, all of which are different."""
    both = np.ascontiguousarray(np.concatenate((known, wanted)))
    keys = both.view([("", both.dtype)] * both.shape[1]).ravel() if both.shape[1] > 1 else both.ravel()
    order = np.argsort(keys[: len(known)], kind="stable")
    return np.asarray(order[np.searchsorted(keys[: len(known)][order], keys[len(known) :])])

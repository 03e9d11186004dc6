"""Polars columns of text: what is asked of every cell is asked of as few texts as it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import BLOCK, IntArray
from accord.annotations.factorize import Coded, recode

FIRST_MARK, LAST_MARK = "!", "~"  # of ASCII: a text that begins between them is not blank


def blank_places(column: Any) -> Any:
    """Where a column of text holds nothing, or nothing but blanks: only texts that begin like one are looked at."""
    maybe = ((column < FIRST_MARK) | (column > LAST_MARK)).fill_null(value=True).arg_true()
    return maybe.filter(column.gather(maybe).str.strip_chars().fill_null("") == "")


def are_numbered(column: Any) -> bool:
    """Is it a Polars column of categories, or of an enumeration, which hold texts as numbers?"""
    return hasattr(column, "to_physical") and str(column.dtype).startswith(("Categorical", "Enum"))


class NumberedTexts:
    """The different texts of such a column, and which of them each cell is; cells are read in pieces, as they lie."""

    def __init__(self, column: Any) -> None:
        import polars as pl

        numbers = column.to_physical()
        if numbers.null_count():  # a missing cell has a number too
            numbers = numbers.cast(pl.UInt32).fill_null(int(numbers.max() or 0) + 1)
        self._size = int(numbers.max() or 0) + 1 if len(numbers) else 0
        first = numbers.head(BLOCK).arg_unique()
        if len(first) < self._size:  # not all of them stand in the first rows
            first = numbers.arg_unique()
        self._pieces: list[npt.NDArray[Any]] = [piece.to_numpy() for piece in numbers.get_chunks()]
        self._number_of: npt.NDArray[Any] = numbers.gather(first).to_numpy()
        self.texts = column.gather(first).cast(pl.String)  # None stands for missing cells

    @property
    def counts(self) -> IntArray:
        """How many cells hold each text."""
        total = np.zeros(self._size, dtype=np.int64)
        for numbers in self._pieces:
            total += np.bincount(numbers, minlength=self._size)
        counted: IntArray = total[self._number_of]
        return counted

    def spread(self, values: Any) -> Any:
        """A column of what a series has for each text."""
        import polars as pl

        return values.gather(pl.Series(self._by_cell(np.arange(len(self.texts)))))

    def coded(self, what: str) -> Coded:
        """The cells as codes in canonical order, −1 for missing."""
        found = recode(np.arange(len(self.texts)), self.texts.to_list(), what=what)
        return Coded(self._by_cell(found.codes), found.values)

    def _by_cell(self, by_text: npt.NDArray[Any]) -> IntArray:
        table = np.zeros(self._size, dtype=by_text.dtype)
        table[self._number_of] = by_text
        cells, begin = np.empty(sum(map(len, self._pieces)), dtype=by_text.dtype), 0
        for numbers in self._pieces:
            np.take(table, numbers, out=cells[begin : begin + len(numbers)], mode="clip")
            begin += len(numbers)
        return cells

"""Columns that number things beside the answers: which row it is, on which page it stands, how long it is."""

from __future__ import annotations

import re

from accord.options import whole_number
from accord.study.tables import column_names
from accord.study.tables.sheet import Sheet

# Where a row stands among others: never what somebody answered, nor an option that was ranked.
LINES = frozenset({
    "line", "line_no", "line_number", "page", "order", "position", "no", "nr", "number", "row_number", "sort",
    "sequence", "seq",
})  # fmt: skip
# Where else an item stands, and how much of something it has: no column of an annotator's is called so.
PLACES = (LINES - {"no"}) | {  # which may be the label beside yes
    "paragraph", "num", "batch", "round", "turn", "length", "year", "n", "count", "words", "chapter", "block", "seed",
    "trial", "start", "end", "rank", "offset", "duration", "token", "seite", "zeile", "ligne", "linea", "pagina",
    "numero", "nummer", "jahr", "annee",
}  # fmt: skip
LONGER = re.compile(
    r"(n|num|nb|number_of|anzahl)_\w+|\w+_(no|nr|num|number|index|idx|count|position|order|length|page|line|offset)"
)
FEWEST = 5  # rows, from which on numbers in sequence are no accident


def counts_rows(sheet: Sheet, name: str) -> bool:
    """Does a column hold the numbers of its rows, from 0 or from 1?"""
    numbers = list(sheet.numbers(name))
    return any(numbers == list(range(first, first + sheet.rows)) for first in (0, 1))


def numbers_items(sheet: Sheet, name: str) -> bool:
    """Is a column of whole numbers called as one that says where items stand, or does it count the rows?"""
    first = sheet.sample(name)
    if not first or not all(_is_whole(cell) for cell in first):
        return False
    plain = column_names.plain(name)
    if plain in PLACES or LONGER.fullmatch(plain):
        return True
    begun = int(first[0])
    sequence = all(int(cell) == number for number, cell in enumerate(first, start=begun))
    return sequence and sheet.rows >= FEWEST and None not in sheet.first_cells(name)


def _is_whole(cell: object) -> bool:
    """Is it a whole number that may count something?"""
    if isinstance(cell, str):
        return whole_number(cell.strip()) is not None
    return (isinstance(cell, int) and not isinstance(cell, bool)) or (isinstance(cell, float) and cell.is_integer())

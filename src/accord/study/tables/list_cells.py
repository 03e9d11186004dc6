"""Cells of text that hold a list or an object: as JSON has it, as Python prints it (pandas), as NumPy does.

["a", "b"]    ['a', 'b']    ['a' 'b']    {'a', 'b'}    {"ana": "yes"}    array(['a'], dtype=object)
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from typing import Any

from accord.errors import Message
from accord.study.tables.column_names import candidates, columns
from accord.study.tables.column_roles import says_kinds
from accord.study.tables.sheet import Sheet

TOKEN = re.compile(
    r"""\s*(?:(?P<mark>[\[\](){},:])|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    r"""|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<word>[A-Za-z_][\w.]*(?:=[\w.'<>|]+)?))""",
    re.DOTALL,
)
WORDS = {
    "None": None,
    "null": None,
    "nan": None,
    "NaN": None,
    "True": True,
    "true": True,
    "False": False,
    "false": False,
}
CLOSING = {"[": "]", "(": ")", "{": "}"}
OPENING = ("[", "{", "array(", "set(")
DEEPEST = 50
WRITTEN = ("item", "annotator", "label")  # columns of which `Study.write` has one name in a cell, however it looks


def open_lists(sheet: Sheet) -> None:
    """Make lists and objects of columns all of whose cells hold one as text; what was opened is noted."""
    found: dict[str, list[Any]] = {}
    as_they_are = WRITTEN if says_kinds(sheet) else ()
    for name in sheet.columns:
        if name not in as_they_are and looks_nested(sheet.sample(name)):
            held = _held(sheet.cells(name))
            if held is not None:
                found[name] = held
    for name in _names_in_brackets(found):
        del found[name]
    if not found:
        return
    sheet.lay_open()
    for name, cells in found.items():
        sheet.replaced(name, cells)
    sheet.notes.append(Message("cells of ", columns(list(found), most=4), " hold lists and were read as such"))


def _names_in_brackets(found: dict[str, list[Any]]) -> list[str]:
    """Columns of names that look like lists and are none: [1] and [2] are items, as sources are cited.

    No item is a list. Annotators are where a row is an item and lists them, beside a list of what they answered.
    """
    flat = [name for name, cells in found.items() if all(isinstance(cell, list | None) for cell in cells)]
    items = candidates("item", flat)
    people = candidates("annotator", flat, items)
    return items if set(found) - {*items, *people} else [*items, *people]


def looks_nested(cells: Sequence[Any]) -> bool:
    """Does every cell that holds something look like a list or an object?"""
    return bool(cells) and all(isinstance(cell, str) and cell.lstrip().startswith(OPENING) for cell in cells)


def _held(cells: Sequence[Any]) -> list[Any] | None:
    """What the cells hold; None where one is neither a list nor an object."""
    known: dict[str, Any] = {}
    for cell in cells:
        if cell is not None and cell != "" and cell not in known:
            if not isinstance(cell, str):
                return None
            held = nested(cell)
            if held is None:
                return None
            known[cell] = held
    if all(held == {} for held in known.values()):
        return None  # an object without anything in it is a text as good as any
    return [known.get(cell) for cell in cells]


def nested(cell: str) -> list[Any] | dict[str, Any] | None:
    """The list or object in a cell; None where it is something else.

    >>> nested('["a", "b"]'), nested("['it''s' 'b']"), nested("[1 2]"), nested("[laughs]")
    (['a', 'b'], ['it', 's', 'b'], [1, 2], None)
    >>> nested("{'ana': 'yes'}"), nested("{'b', 'a'}"), nested("array(['x', None], dtype=object)")
    ({'ana': 'yes'}, ['b', 'a'], ['x', None])
    """
    try:
        held = json.loads(cell)
    except (ValueError, RecursionError):
        held = _Printed(cell).whole()
    return held if isinstance(held, list | dict) else None


class _Odd(ValueError):
    """The text is not what Python prints of a list."""


class _Printed:
    """A list as Python or NumPy prints it, read a piece at a time."""

    def __init__(self, text: str) -> None:
        self.pieces = list(self._split(text))
        self.place = 0

    @staticmethod
    def _split(text: str) -> list[tuple[str, str]]:
        found, place, end = [], 0, len(text.rstrip())
        while place < end:
            piece = TOKEN.match(text, place)
            if piece is None or piece.end() == place:
                return []
            kind = piece.lastgroup or ""
            found.append((kind, piece[kind]))
            place = piece.end()
        return found

    def whole(self) -> Any:
        """What the text holds; None where it is nothing that Python prints."""
        try:
            held = self._value(0)
        except (_Odd, IndexError, ValueError, SyntaxError):
            return None
        return held if self.place == len(self.pieces) else None

    def _value(self, depth: int) -> Any:
        kind, piece = self.pieces[self.place]
        self.place += 1
        if depth > DEEPEST:
            raise _Odd
        if kind == "text":
            return ast.literal_eval(piece)
        if kind == "number":
            return float(piece) if re.search(r"[.eE]", piece) else int(piece)
        if kind == "word" and piece in WORDS:
            return WORDS[piece]
        if kind == "word" and piece in ("array", "set", "list", "frozenset", "np.array", "np.str_", "np.int64"):
            return self._called(piece, depth)
        if piece in CLOSING:
            return self._several(piece, depth)
        raise _Odd

    def _called(self, word: str, depth: int) -> Any:
        """array([...], dtype=object), set(), np.str_('a')."""
        if self.pieces[self.place] != ("mark", "("):
            raise _Odd
        self.place += 1
        held: Any = [] if self.pieces[self.place] == ("mark", ")") else self._value(depth + 1)
        while self.pieces[self.place] != ("mark", ")"):
            if self.pieces[self.place][1] != "," and "=" not in self.pieces[self.place][1]:
                raise _Odd
            self.place += 1
        self.place += 1
        return held

    def _several(self, opening: str, depth: int) -> Any:
        closing, values, names = CLOSING[opening], [], []
        while self.pieces[self.place] != ("mark", closing):
            values.append(self._value(depth + 1))
            if opening == "{" and self.pieces[self.place] == ("mark", ":"):
                self.place += 1
                names.append(values.pop())
                values.append(self._value(depth + 1))
            if self.pieces[self.place] == ("mark", ","):
                self.place += 1
        self.place += 1
        if names and len(names) != len(values):
            raise _Odd
        if opening == "{" and (names or not values):
            return {str(name): value for name, value in zip(names, values, strict=True)}
        return values

"""Names of items and labels as a file has them, found among those of a study: compared as text, then as numbers."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from accord.annotations.answers import Label, as_text


class Written(dict[str, Any]):
    """Item ─▶ label as a file has them: names are compared as text, so that 1 and "1" are the same item."""


class NameLookup:
    """Names of the study, found by what a file says: text as it stands, then without blanks around it, then numbers."""

    def __init__(self, names: Sequence[Label]) -> None:
        self.names = names
        self._exact = {str(name): place for place, name in enumerate(names)}

    def place(self, cell: Any) -> int | None:
        """The position of the name that a cell means, None if it means none."""
        text = unicodedata.normalize("NFC", str(cell))
        found = self._exact.get(text)
        if found is None:
            found = self._close.get(compared_as(text if isinstance(cell, str) else cell))
        return self._numbers.get(float(text)) if found is None and self._numbers and is_number(text) else found

    @cached_property
    def _close(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for place, name in enumerate(self.names):
            found.setdefault(compared_as(name), place)
        return found

    @cached_property
    def _numbers(self) -> dict[Label, int]:
        return {name: place for place, name in enumerate(self.names) if not isinstance(name, str | bool)}


def compared_as(cell: Any) -> str:
    """A name as names are compared: without blanks around it, and 1.0 as 1, since a spreadsheet makes one the other.

    What is written keeps its point (`as_text`): there 1.0 and 1 may be two labels.

    >>> [compared_as(cell) for cell in (1.0, "1.0", " a ", True, None)]
    ['1', '1', 'a', 'true', '']
    """
    if cell is None:
        return ""
    if isinstance(cell, float) and math.isfinite(cell) and cell == int(cell):
        return str(int(cell))
    text = as_text(cell).strip()
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def is_number(cell: str) -> bool:
    """Is the text a number?"""
    try:
        float(cell)
    except ValueError:
        return False
    return True

"""The texts behind spans, and where spans begin and end in them: in code points.

UTF-16 exports are recognised and converted, covered text is checked. In the long table a document's text and its tokens
stand once, in the first row of the item: a text in every row would be many times the export.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from accord.annotations.left_out import Reason
from accord.errors import InputError, Place, at_item, quoted, remedy

if TYPE_CHECKING:
    from accord.study.tables.rows import Rows

BEYOND = re.compile("[\U00010000-\U0010ffff]")  # characters that UTF-16 counts as two


class CodePoints:
    """UTF-16 offsets into a text as numbers of code points; the text is looked through once for all its offsets.

    >>> places = CodePoints("a🛫b")
    >>> places.of(3), places.of(2), places.of(9)
    (2, None, None)
    """

    def __init__(self, text: str) -> None:
        # where each character begins that UTF-16 counts as two, in UTF-16 units
        self.double = [place + before for before, place in enumerate(found.start() for found in BEYOND.finditer(text))]
        self.length = len(text) + len(self.double)

    def of(self, offset: int) -> int | None:
        """The offset in code points; None if it lies outside the text or inside a character."""
        if not 0 <= offset <= self.length:
            return None
        before = bisect_left(self.double, offset)
        if before and self.double[before - 1] == offset - 1:
            return None
        return offset - before


@dataclass
class Documents:
    """The texts behind the spans, by row."""

    texts: dict[int, tuple[str | None, str | None]] = field(default_factory=dict)  # row: document, covered text
    whole: dict[str | None, dict[Any, str]] = field(default_factory=dict)  # task (None: all of them) and item: the text
    tokens: dict[tuple[Any, str | None], Sequence[tuple[int, int]]] = field(default_factory=dict)  # where they lie
    last: dict[tuple[Any, str | None], str] = field(default_factory=dict)  # the text that was last found to be the same

    def note(self, row: int, document: str | None, covered: str | None) -> None:
        """Remember the text that a row marks a part of."""
        if document is not None or covered is not None:
            self.texts[row] = (document, covered)

    def of_item(self, item: Any, task: str | None, text: str, tokens: Sequence[tuple[int, int]]) -> bool:
        """Remember the text of an item; False if it has another already."""
        known = self.whole.setdefault(task, {}).setdefault(item, text)
        if tokens:
            self.tokens.setdefault((item, task), tokens)
        if known is text or self.last.get((item, task)) is text:
            return True  # a text is asked about once a span, and comparing two long ones takes its time
        same = known == text or known.rstrip() == text.rstrip()  # blanks at the end are no part of any span
        if same:
            self.last[item, task] = text
        return same

    def put_texts(self, rows: Rows) -> None:
        """Text and tokens into the first row that counts of each item and task, unless the rows have texts."""
        if not self.whole:
            return
        text = rows.columns.setdefault("text", [None] * rows.length)
        tokens: list[str | None] = [None] * rows.length
        done: set[tuple[Any, ...]] = set()
        marks = zip(*(rows.column(name) for name in ("item", "task", "status", "answers")), strict=True)
        for row, (item, task, status, answers) in enumerate(marks):
            if answers != "spans" or (item, task, status) in done:
                continue
            done.add((item, task, status))
            of = task if item in self.whole.get(task, ()) else None
            found = self.whole.get(of, {}).get(item)
            if found is not None:
                text[row] = found if text[row] is None else text[row]
                tokens[row] = ";".join(f"{start} {end}" for start, end in self.tokens.get((item, of), ())) or None
        if any(cell is not None for cell in tokens):
            rows.columns["tokens"] = list(tokens)

    def forget(self, row: int) -> None:
        """Rows from here on were undone; they were the last to be noted."""
        while self.texts and next(reversed(self.texts)) >= row:
            self.texts.popitem()

    def settle(self, rows: Rows) -> None:
        """Check every span; convert all of them if the export counts in UTF-16 units."""
        if not self.texts:
            return
        start, end = rows.columns["start"], rows.columns["end"]
        misfits = [row for row in self.texts if not self._fits(row, start[row], end[row])]
        if misfits:
            converted = self._converted(start, end)
            still = [row for row, span in converted.items() if span is None or not self._fits(row, *span)]
            if len(still) < len(misfits):
                for row, span in converted.items():
                    if span is not None:
                        start[row], end[row] = span
                rows.note("offsets were in UTF-16 units and have been converted to characters")
                misfits = still
        if misfits and rows.options.on_error != "skip":
            raise self._mismatch(misfits, rows)
        self._fill(rows, start, end, set(misfits))
        if misfits:
            rows.drop(set(misfits), Reason.MISPLACED)

    def _fits(self, row: int, start: Any, end: Any) -> bool:
        document, covered = self.texts[row]
        if document is None:
            return True
        if not 0 <= start <= end <= len(document):
            return False
        # tools move the edges of a mark over blanks after they have stored its text
        return covered is None or " ".join(document[start:end].split()) == " ".join(covered.split())

    def _converted(self, start: list[Any], end: list[Any]) -> dict[int, tuple[int, int] | None]:
        found: dict[int, tuple[int, int] | None] = {}
        known: dict[int, CodePoints] = {}  # by which text it is, not by its words: those take long to compare
        for row, (document, _) in self.texts.items():
            if document is None:
                found[row] = (start[row], end[row])
                continue
            places = known.get(id(document)) or known.setdefault(id(document), CodePoints(document))
            if not places.double:
                found[row] = (start[row], end[row])
                continue
            begin, stop = places.of(start[row]), places.of(end[row])
            found[row] = None if begin is None or stop is None else (begin, stop)
        return found

    def _fill(self, rows: Rows, start: list[Any], end: list[Any], misfits: set[int]) -> None:
        """The covered text of spans that came without."""
        column = rows.columns.setdefault("covered", [None] * rows.length)
        for row, (document, covered) in self.texts.items():
            if row not in misfits and document is not None:
                column[row] = document[start[row] : end[row]]
            elif covered is not None:
                column[row] = covered
        if not any(cell is not None for cell in column):
            del rows.columns["covered"]

    def _mismatch(self, misfits: list[int], rows: Rows) -> InputError:
        row = misfits[0]
        document, covered = self.texts[row]
        assert document is not None
        start, end = rows.columns["start"][row], rows.columns["end"][row]
        item = rows.columns["item"][row]
        there = (
            document[start:end]
            if start <= end <= len(document)
            else f"nothing: the text has {len(document)} characters"
        )
        claim = ("the export says ", quoted(covered)) if covered is not None else ("the export marks a span",)
        number = "1 span does" if len(misfits) == 1 else f"{len(misfits)} spans do"
        return InputError(
            f"{number} not fit the text, the first in item ",
            at_item(item),
            f": at {start} to {end} ",
            *claim,
            ", and there is ",
            quoted(there),
            ". Was the text changed after it was annotated? ",
            remedy(on_error="skip"),
            " leaves such spans out.",
            place=Place(rows.where, item=item),
        )

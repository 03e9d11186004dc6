"""Columns that name an item only together: where one of them alone names several items, the other is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from accord.errors import InputError, listing, remedy
from accord.study.roles import ROLES
from accord.study.tables import column_names
from accord.study.tables.sheet import Sheet

ENDINGS = ("_id", "_no", "_nr", "_number", "_index", "_position")
PARTS = (
    "turn", "line", "token", "seg", "seg_id", "segment", "sent", "position", "index", "number", "page", "paragraph",
    "transcript", "dialogue", "dialog", "conversation", "thread", "file", "filename", "chapter", "story", "session",
    "video", "book", "corpus", "system", "doc",
)  # fmt: skip


@contextmanager
def offering_both(sheet: Sheet, item: str | None, others: Sequence[str] = ()) -> Iterator[None]:
    """Where answers repeat because an item has two names, the error says how to give both."""
    try:
        yield
    except InputError as problem:
        second = None if item is None or sheet.naming else _second(sheet, item, others)
        if second is not None:
            problem.add(f" If {listing([item, second])} name an item together, say ", remedy(item=[item, second]), ".")
        raise


def _second(sheet: Sheet, item: str, others: Sequence[str]) -> str | None:
    """A column that tells apart what the item alone does not, by its name and by its cells."""
    fixed = [sheet.first_cells(name) for name in (item, *others)]
    if len(set(zip(*fixed, strict=True))) == len(fixed[0]):
        return None  # nothing repeats
    for name in sheet.columns:
        word = column_names.plain(name)
        known = word in (*ROLES["item"].words, *column_names.WEAK_ITEM[:-1], *PARTS) or word.endswith(ENDINGS)
        if name in (item, *others) or not known:
            continue
        if len(set(zip(*fixed, sheet.first_cells(name), strict=True))) == len(fixed[0]):
            return name
    return None

"""Columns that name an item only together: where one of them alone names several items, the other is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from accord.errors import InputError, Part, listing, remedy
from accord.study.roles import ROLES
from accord.study.tables import column_names
from accord.study.tables.sheet import Sheet

MOST = 12  # columns in a call
ENDINGS = ("_id", "_no", "_nr", "_number", "_index", "_position")
PARTS = (
    "turn", "line", "token", "seg", "seg_id", "segment", "sent", "position", "index", "number", "page", "paragraph",
    "transcript", "dialogue", "dialog", "conversation", "thread", "file", "filename", "chapter", "story", "session",
    "video", "book", "corpus", "system", "doc", "batch",
)  # fmt: skip


@contextmanager
def offering_both(
    sheet: Sheet,
    item: str | None,
    others: Sequence[str] = (),
    *,
    of: type[InputError] = InputError,
    unnamed: bool = False,
) -> Iterator[None]:
    """Where answers repeat because an item has two names, the error says how to give both.

    `of`: the error that says so; `unnamed`: or how to say that rows are of people who are not named.
    """
    try:
        yield
    except of as problem:
        second = None if item is None or sheet.naming else _second(sheet, item, others)
        if second is not None:
            problem.add(f" If {listing([item, second])} name an item together, say ", remedy(item=[item, second]), ".")
        elif unnamed:
            problem.add(*unnamed_way(sheet, item))
        raise


def unnamed_way(sheet: Sheet, item: str | None) -> list[Part]:
    """How to read a table that has several rows per item and names nobody; nothing where its rows are not so."""
    if item is None or sheet.naming:
        return []
    listed = [name for name in sheet.columns if _lists_labels(sheet, name)]
    if len(set(cells := sheet.first_cells(item))) == len(cells) and not listed:
        return []
    rest = [name for name in sheet.columns if name != item and column_names.plain(name) not in column_names.NO_ANSWERS]
    rest = [name for name in rest if name in listed] or rest
    told = len(rest) == 1 and bool(column_names.candidates("label", rest))
    label = {"label": rest if len(rest) > 1 else rest[0]} if 0 < len(rest) <= MOST and not told else {}
    way = remedy("Study.from_unnamed", "table", item=item, label=rest[0] if len(rest) == 1 else rest)
    return [
        " If rows are answers of people who are not named, say ",
        way if sheet.given else sheet.reading(shape="unnamed", **label),
        ".",
    ]


def _lists_labels(sheet: Sheet, name: str) -> bool:
    """Do cells of a column hold several labels? Records in a list are none."""
    lists = [cell for cell in sheet.sample(name) if isinstance(cell, list)]
    return bool(lists) and not any(isinstance(part, dict) for cell in lists for part in cell)


def _second(sheet: Sheet, item: str, others: Sequence[str]) -> str | None:
    """A column that tells apart what the item alone does not, by its name and by its cells."""
    fixed = [list(map(str, sheet.first_cells(name))) for name in (item, *others)]
    if len(set(zip(*fixed, strict=True))) == len(fixed[0]):
        return None  # nothing repeats
    for name in sheet.columns:
        word = column_names.plain(name)
        known = word in (*ROLES["item"].words, *column_names.WEAK_ITEM[:-1], *PARTS) or word.endswith(ENDINGS)
        if name in (item, *others) or not known:
            continue
        if len(set(zip(*fixed, map(str, sheet.first_cells(name)), strict=True))) == len(fixed[0]):
            return name
    return None

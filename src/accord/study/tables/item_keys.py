"""Columns that name an item only together: where one of them alone names several items, the other is looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any

from accord.errors import InputError, Part, all_quoted, quoted, remedy
from accord.study.roles import ROLES
from accord.study.tables import column_names, free_text
from accord.study.tables.sheet import Sheet

MOST = 12  # columns in a call
ROLES_OF_A_ROW = ("item", "annotator", "label")
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
    answers: str | None = None,
) -> Iterator[None]:
    """Where answers repeat because an item has two names, the error says how to give both.

    `of`: the error that says so; `unnamed`: or how to say that rows are of people who are not named; `answers`: the
    column of these.
    """
    try:
        yield
    except of as problem:
        second = None if item is None or sheet.naming else _second(sheet, item, others)
        if second is not None:
            both = [item, second]
            problem.add(" If ", all_quoted(both), " name an item together, say ", remedy(item=both), ".")
        elif unnamed:
            problem.add(*unnamed_way(sheet, item))
        elif item is not None and not sheet.naming:
            problem.add(*_distinguishing_column(sheet, item, others, answers))
        raise


def _distinguishing_column(sheet: Sheet, item: str, others: Sequence[str], answers: str | None) -> list[Part]:
    """Which column differs where somebody answered an item again, such as a round, and how to measure each apart."""
    fixed = [list(map(str, sheet.first_cells(name))) for name in (item, *others)]
    free = [name for name in sheet.columns if name not in (item, *others, answers)]
    few = [name for name in free if 1 < len(set(map(str, sheet.first_cells(name)))) <= MOST]
    found = [name for name in few if _names(sheet, name, fixed)]
    if len(found) != 1:
        return []
    way = (remedy(task=found[0]), " measures each of its values by itself.")
    return [" Such rows differ in ", quoted(found[0]), ": ", *way]


def _names(sheet: Sheet, name: str, fixed: Sequence[Sequence[str]]) -> bool:
    """Is no row another's equal in these columns and one more?"""
    cells = list(map(str, sheet.first_cells(name)))
    return len(set(zip(*fixed, cells, strict=True))) == len(cells)


def items_by(sheet: Sheet, roles: Mapping[str, Any]) -> list[list[str]]:
    """The columns, alone or two together, that may name items beside known annotators: no answer comes again then.

    Several annotators must share what they name: a number of the row names nothing that two could have answered.
    """
    who, taken = roles["annotator"], {name for name in roles.values() if isinstance(name, str)}
    free = [name for name in sheet.columns if name not in taken and not _names_nothing(sheet, name)][:MOST]
    people = list(map(str, sheet.first_cells(who)))
    alone = [[name] for name in free if _is_shared(sheet, [name], people)]
    return alone or [[one, two] for one, two in combinations(free, 2) if _is_shared(sheet, [one, two], people)]


def _names_nothing(sheet: Sheet, name: str) -> bool:
    """Is a column empty, of lists or objects, or of comments, times or the like by its name?"""
    cells = sheet.sample(name)
    nested = any(isinstance(cell, list | dict) for cell in cells)
    return nested or not cells or column_names.plain(name) in column_names.ASIDE


def _is_shared(sheet: Sheet, names: Sequence[str], people: Sequence[str]) -> bool:
    things = list(zip(*(map(str, sheet.first_cells(name)) for name in names), strict=True))
    return len(set(things)) < len(things) == len(set(zip(things, people, strict=True)))


def crossed(sheet: Sheet, item: str | None) -> tuple[str, str, str] | None:
    """Item, annotator and label of a table of three columns in which two are crossed; None where it is none.

    Every value of one with every value of the other, but for gaps: so are answers laid out, a row each.
    """
    names = [name for name in sheet.columns if sheet.sample(name)]
    if len(names) != len(ROLES_OF_A_ROW):
        return None
    cells = {name: list(map(str, sheet.first_cells(name))) for name in names}
    many = {name: len(set(held)) for name, held in cells.items()}
    pairs = [
        (one, two)
        for one, two in combinations(names, 2)
        if len(set(zip(cells[one], cells[two], strict=True))) == sheet.rows and item in (None, one, two)
        if max(many[one], many[two]) < sheet.rows and many[one] * many[two] <= 2 * sheet.rows
    ]
    if len(pairs) != 1:
        return None
    one, two = pairs[0]
    label = next(name for name in names if name not in pairs[0])
    thing = item or max((one, two), key=lambda name: ("item" in column_names.plain(name), many[name]))
    return thing, two if thing == one else one, label


def unnamed_way(sheet: Sheet, item: str | None) -> list[Part]:
    """How to read a table that has several rows per item and names nobody; nothing where its rows are not so."""
    if item is None or sheet.naming:
        return []
    listed = [name for name in sheet.columns if _lists_labels(sheet, name)]
    if len(set(cells := sheet.first_cells(item))) == len(cells) and not listed:
        return []
    rest = [name for name in sheet.columns if name != item and column_names.plain(name) not in column_names.NO_ANSWERS]
    rest = [name for name in rest if not free_text.is_prose(sheet.sample(name)) and not _holds_records(sheet, name)]
    rest = [name for name in rest if name in listed] or rest
    label_named = len(rest) == 1 and bool(column_names.candidates("label", rest))
    label = {"label": rest if len(rest) > 1 else rest[0]} if 0 < len(rest) <= MOST and not label_named else {}
    way = remedy("Study.from_unnamed", "table", item=item, label=rest[0] if len(rest) == 1 else rest)
    return [
        " If rows are answers of people who are not named, say ",
        way if sheet.given else sheet.reading(shape="unnamed", **label),
        ".",
    ]


def _lists_labels(sheet: Sheet, name: str) -> bool:
    """Do cells of a column hold several labels? Records in a list are none."""
    lists = [cell for cell in sheet.sample(name) if isinstance(cell, list)]
    parts = [part for cell in lists for part in cell]
    return bool(lists) and not any(isinstance(part, dict) for part in parts) and not free_text.is_prose(parts)


def records_way(sheet: Sheet) -> list[Part]:
    """How to read the records that a cell of each row holds; nothing where none does, or where nothing was read."""
    held = [name for name in sheet.columns if not sheet.given and _holds_records(sheet, name)]
    if not held:
        return []
    return [" If the annotations lie in ", all_quoted(held), ", say ", remedy(records=held[0]), "."]


def _holds_records(sheet: Sheet, name: str) -> bool:
    lists = [cell for cell in sheet.sample(name) if isinstance(cell, list) and cell]
    return bool(lists) and all(isinstance(part, dict) for cell in lists for part in cell)


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

"""Which column of a long table holds the answers, and which names the item, where no name tells."""

from __future__ import annotations

from typing import Any

from accord.errors import InputError, Part, all_quoted, quoted, remedy
from accord.study.tables import column_names, row_numbers
from accord.study.tables.attributes import are_attributes
from accord.study.tables.layouts import YES_NO
from accord.study.tables.ranking_tables import may_be_ranks
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet, as_label
from accord.study.tables.wide_tables import is_prose, is_text

MOST_NAMED = 12  # columns in a call
MANY = 10  # rows, in which no two have the same label
ALIKE = 3  # labels that two questions share, by which they are answered on one scale


def only_text(sheet: Sheet, roles: dict[str, Any]) -> str | None:
    """The only column of texts: where nothing else names items, it can."""
    free = [name for name in sheet.columns if roles.get("text") == name or name not in roles.values()]
    texts = [name for name in free if sheet.sample(name) and is_text(sheet, name)]
    return texts[0] if len(texts) == 1 else None


def refuse_empty_label(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> None:
    """Beside scores that differ, a label that never does is no answer: which is meant?"""
    if not {"label", "score"} <= set(roles) or {"label", "score"} & set(options.roles) or "answers" in sheet.columns:
        return
    labels, scores = ({str(cell) for cell in sheet.sample(roles[role])} for role in ("label", "score"))
    if len(labels) == 1 and len(scores) > 1:
        raise sheet.error(
            quoted(roles["label"]),
            " holds nothing but ",
            quoted(min(labels)),
            ", and ",
            quoted(roles["score"]),
            " differs. Say which is the answer: ",
            sheet.reading(score=roles["score"]),
            " or ",
            sheet.reading(label=roles["label"]),
            ".",
        )


def is_of_items(sheet: Sheet, roles: dict[str, Any], name: str) -> bool:
    """Is a column that is called as labels are what was annotated: long texts, the same for all who saw an item?"""
    if "item" not in roles or name == "label" or not is_prose(sheet, name):
        return False
    texts: dict[Any, set[Any]] = {}
    for item, cell in zip(sheet.first_cells(roles["item"]), sheet.first_cells(name), strict=True):
        texts.setdefault(item, set()).add(cell)
    number = len(sheet.first_cells(name))
    return len(texts) < number and all(len(held) == 1 for held in texts.values())


def is_one_of_several(sheet: Sheet, roles: dict[str, Any], name: str) -> bool:
    """Is a column called after what was asked one question of several: are others answered in its labels?

    A sentiment beside respect and insult, all from 0 to 4, is no more the label than these are.
    """
    if column_names.plain(name) not in column_names.QUESTION_NAMES or not {"item", "annotator"} <= set(roles):
        return False
    labels = {as_label(cell) for cell in sheet.sample(name)}
    people, items = (sheet.first_cells(roles[role]) for role in ("annotator", "item"))
    free = [other for other in sheet.columns if other != name and other not in roles.values()]
    free = [other for other in free if column_names.plain(other) not in column_names.ASIDE]
    return any(
        len(labels & {as_label(cell) for cell in sheet.sample(other)}) >= min(len(labels), ALIKE)
        and _may_answer(sheet, roles["item"], other)
        and _differs_within(sheet, roles["item"], other)
        and not are_attributes(other, people, items, sheet.first_cells(other))
        for other in free
    )


def last_column(sheet: Sheet, roles: dict[str, Any]) -> str:
    """The label where no name tells it: the one column that is left, or an error with the calls."""
    taken = {name for name in roles.values() if isinstance(name, str)}
    left = [name for name in sheet.columns if name not in taken and _may_answer(sheet, roles["item"], name)]
    if len(left) > 1:
        left = [name for name in left if not _names_rows(sheet, name)] or left
        people, items = (sheet.first_cells(roles[role]) for role in ("annotator", "item"))
        left = [n for n in left if not are_attributes(n, people, items, sheet.first_cells(n))] or left
    if len(left) == 1:
        return left[0]
    if not left:
        raise sheet.error(
            "No column is left for the label; the table has ",
            all_quoted(sheet.columns),
            ". Say ",
            remedy(label=...),
            ".",
        )
    raise _ambiguous_label(sheet, roles, _answered(sheet, roles["item"], left))


def _answered(sheet: Sheet, item: str, left: list[str]) -> list[str]:
    """The columns that a question is about: those in which an item has several answers, where there are two such.

    Columns that together may be rankings stay together.
    """
    if may_be_ranks(sheet, left):
        return left
    differ = [name for name in left if _differs_within(sheet, item, name) or yes_no(sheet, name)]
    return differ if len(differ) > 1 else left


def _ambiguous_label(sheet: Sheet, roles: dict[str, Any], left: list[str]) -> InputError:
    """Which of the columns is the label? With the call for each way to take them."""
    calls: list[Part] = [
        remedy(label=left[0]),
        " for one of them; ",
        remedy(label=left if len(left) <= MOST_NAMED else [*left[:2], ...]),
        " for several variables",
    ]
    marked = [name for name in left if yes_no(sheet, name)]
    if len(marked) > 1:
        named = {role: roles[role] for role in ("item", "annotator") if roles[role] != role}
        python = remedy("Study.from_indicators", "table", **named, columns=marked)
        calls += ["; ", python if sheet.given else remedy(shape="indicators")]
        calls.append(f" if each{'' if marked == left else ' of the yes/no columns'} is a label, marked yes or no")
    if may_be_ranks(sheet, left) and not sheet.given:
        calls += ["; ", remedy(shape="ranking"), " if each row is a ranking"]
    return sheet.error(all_quoted(left), " could each be the label. Say which: ", *calls, ".")


def _may_answer(sheet: Sheet, item: str, name: str) -> bool:
    """May a column hold answers? One that is usually about items does where it differs within one."""
    if any(isinstance(cell, dict) for cell in sheet.sample(name)):
        return False
    if column_names.plain(name) not in column_names.ABOUT_ITEMS:
        return not is_prose(sheet, name)
    return _differs_within(sheet, item, name) and not is_text(sheet, name)


def _differs_within(sheet: Sheet, item: str, name: str) -> bool:
    """Does a column hold different cells for one item?"""
    seen: dict[Any, Any] = {}
    cells = zip(sheet.first_cells(item), sheet.first_cells(name), strict=True)
    return any(seen.setdefault(one, cell) != cell for one, cell in cells if cell is not None)


def _names_rows(sheet: Sheet, name: str) -> bool:
    """Is every cell another, so that the column names rows or times them, or does it say where they stand?"""
    cells = sheet.first_cells(name)
    known = all(isinstance(cell, str | int) for cell in cells)
    return row_numbers.numbers_items(sheet, name) or (known and len(cells) >= MANY and len(set(cells)) == len(cells))


def yes_no(sheet: Sheet, name: str) -> bool:
    """Does a column say yes or no?"""
    words = {as_label(cell).strip().lower() for cell in sheet.sample(name)}
    return bool(words) and words <= set(YES_NO)

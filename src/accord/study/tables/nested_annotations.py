"""Tables with a row an item and its annotations within: parallel lists, lists of objects, an object by annotator."""

from __future__ import annotations

from typing import Any

from accord.study.roles import ROLES
from accord.study.study import Study
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows, kept_name
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import same_type, study_of


def is_listed(sheet: Sheet) -> bool:
    """Hugging Face layouts: parallel lists of people and labels, or lists of structs."""
    return _parallel(sheet) is not None or _structs(sheet) is not None


def _list_columns(sheet: Sheet) -> list[str]:
    return [name for name in sheet.columns if any(isinstance(cell, list) for cell in sheet.sample(name)[:50])]


def _parallel(sheet: Sheet) -> tuple[str, str] | None:
    lists = _list_columns(sheet)
    people = [name for name in lists if column_names.lists_people(name)]
    words = (*column_names.LISTED_LABELS, "label", *ROLES["label"].words)
    labels = [name for name in lists if column_names.plain(name) in words and name not in people]
    return (people[0], labels[0]) if people and labels else None


def open_enumerations(sheet: Sheet) -> None:
    """People and labels that a row names side by side, with commas between: "ana,ben" and "yes,no" become lists."""
    people = [name for name in sheet.columns if column_names.lists_people(name)]
    labels = [name for name in sheet.columns if column_names.plain(name) in column_names.LISTED_LABELS]
    if not people or not labels:
        return
    who, what = people[0], labels[0]
    if any(isinstance(cell, list | dict) for name in (who, what) for cell in sheet.sample(name)):
        return
    for mark in (",", ";", "|"):
        if not any(mark in str(cell) for cell in sheet.sample(who)):
            continue
        sides = {name: [_enumerated(cell, mark) for cell in sheet.cells(name)] for name in (who, what)}
        if any(len(cells) != len(others) for cells, others in zip(*sides.values(), strict=True)):
            continue
        sheet.lay_open()
        for name, cells in sides.items():
            numbers = same_type([part for cell in cells for part in cell])
            held = iter(numbers)
            sheet.replaced(name, [[next(held) for _ in cell] for cell in cells])
        sheet.notes.append(f"{who!r} and {what!r} name people and their labels side by side, with {mark!r} between")
        return


def _enumerated(cell: Any, mark: str) -> list[Any]:
    if cell is None:
        return []
    return [part.strip() or None for part in cell.split(mark)] if isinstance(cell, str) else [cell]


def unfold(sheet: Sheet) -> None:
    """Cells with an object of lists, as Hugging Face keeps a list of objects, become that list."""
    for name in sheet.columns:
        cells = sheet.sample(name)[:50]
        if not cells or not all(isinstance(cell, dict) and cell and _even(cell) for cell in cells):
            continue
        sheet.lay_open()
        opened = [_turned(cell) if isinstance(cell, dict) and _even(cell) else cell for cell in sheet.cells(name)]
        sheet.replaced(name, opened)


def _even(cell: dict[str, Any]) -> bool:
    return all(isinstance(held, list) for held in cell.values()) and len({len(held) for held in cell.values()}) == 1


def _turned(cell: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(zip(cell, parts, strict=True)) for parts in zip(*cell.values(), strict=True)]


def _structs(sheet: Sheet) -> tuple[str, str, str] | None:
    for name in _list_columns(sheet):
        first = next((cell[0] for cell in sheet.sample(name) if isinstance(cell, list) and cell), None)
        if not isinstance(first, dict):
            continue
        keys = [str(key) for key in first]
        people, labels = column_names.candidates("annotator", keys), column_names.candidates("label", keys)
        if len(people) == 1 and len(labels) == 1:
            return name, people[0], labels[0]
    return None


def listed(sheet: Sheet, options: ReadOptions) -> Study:
    """One row an item, its annotations in lists."""
    rows = Rows("table with lists of annotations", options)
    parallel, structs = _parallel(sheet), _structs(sheet)
    item = next(iter(column_names.candidates("item", sheet.columns) or column_names.weak_item(sheet.columns)), None)
    columns = sheet.lists()
    used = {item, *(parallel or ()), *((structs[0],) if structs and not parallel else ())}
    extra = [name for name in sheet.columns if name not in used and not _holds_nested(sheet, name)]
    for place in range(sheet.rows):
        common = {(name if name == "text" else kept_name(name)): columns[name][place] for name in extra}
        common["item"] = place if item is None else columns[item][place]
        pairs = _pairs(columns, place, parallel, structs, sheet)
        for who, label in pairs:
            _one_answer(rows, label, None, {**common, "annotator": who})
    return study_of(rows.finish(), options)


def _pairs(
    columns: dict[str, list[Any]], place: int, parallel: tuple[str, str] | None, structs: tuple[str, str, str] | None,
    sheet: Sheet,
) -> list[tuple[Any, Any]]:  # fmt: skip
    if parallel is not None:
        people, labels = columns[parallel[0]][place] or [], columns[parallel[1]][place] or []
        if not isinstance(people, list) or not isinstance(labels, list) or len(people) != len(labels):
            names = f"{parallel[0]!r} and {parallel[1]!r}"
            raise sheet.error(f"{names} must be lists of one length.", part=f"row {place + 1}")
        return list(zip(people, labels, strict=True))
    assert structs is not None
    name, who, label = structs
    held = columns[name][place] or []
    if not isinstance(held, list) or not all(isinstance(entry, dict) for entry in held):
        raise sheet.error(
            f"{name!r} must be a list of annotations with {who!r} and {label!r}.", part=f"row {place + 1}"
        )
    return [(entry.get(who), entry.get(label)) for entry in held]


def is_mapped(sheet: Sheet) -> bool:
    """An object in a cell, with a label for each annotator (or, in a row an annotator, for each item)."""
    return _mapping(sheet) is not None


def _mapping(sheet: Sheet) -> str | None:
    words = {*column_names.LISTED_LABELS, *column_names.LISTED_PEOPLE, "label", *ROLES["label"].words}
    for name in sheet.columns:
        cells = [cell for cell in sheet.sample(name)[:50] if cell]
        if column_names.plain(name) in words and cells and all(isinstance(cell, dict) for cell in cells):
            keys = list(dict.fromkeys(str(key) for cell in cells for key in cell))
            if not column_names.candidates("label", keys) and not column_names.candidates("annotator", keys):
                return name
    return None


def mapped(sheet: Sheet, options: ReadOptions) -> Study:
    """A row an item (or an annotator), its labels in an object; where these are objects, their fields are variables."""
    name = _mapping(sheet)
    assert name is not None
    rows = Rows("table with objects of annotations", options)
    who = next(iter(column_names.candidates("annotator", sheet.columns)), None)
    item = next(iter(column_names.candidates("item", sheet.columns) or column_names.weak_item(sheet.columns)), None)
    outside = who or item
    columns = sheet.lists()
    extra = [one for one in sheet.columns if one not in (name, outside) and not _holds_nested(sheet, one)]
    for place in range(sheet.rows):
        common = {(one if one == "text" else kept_name(one)): columns[one][place] for one in extra}
        here = place if outside is None else columns[outside][place]
        for key, held in (columns[name][place] or {}).items():
            person, thing = (here, key) if who is not None else (key, here)
            cells = {**common, "item": thing, "annotator": person}
            for task, label in held.items() if isinstance(held, dict) else [(None, held)]:
                _one_answer(rows, label, task, cells)
    whose = "items" if who is not None else "annotators"
    rows.note(f"the keys in {name!r} name {whose}")
    return study_of(rows.finish(), options)


def _one_answer(rows: Rows, label: Any, task: str | None, cells: dict[str, Any]) -> None:
    if isinstance(label, list):
        rows.answer("set", label, task=task, **cells)
    else:
        rows.add("single", label=label, task=task, **cells)


def _holds_nested(sheet: Sheet, name: str) -> bool:
    return any(isinstance(cell, list | dict) for cell in sheet.sample(name)[:50])

"""Tables with a row per item and its annotations within: parallel lists, lists of objects, an object by annotator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.errors import Message, PeopleNames, at_column, quoted
from accord.study.roles import ROLES
from accord.study.shapes.loaded import Trait
from accord.study.study import Study
from accord.study.tables import column_names
from accord.study.tables.layouts import put_answer
from accord.study.tables.rows import ReadOptions, Rows, kept_name
from accord.study.tables.several_in_cells import note_of_cells
from accord.study.tables.sheet import SAMPLE, Sheet, json_cell
from accord.study.tables.to_study import same_type, study_of


@dataclass(frozen=True)
class Parallel:
    """Columns of lists that go together: who answered, and at the same places what they said and who they are."""

    people: str
    labels: list[str]  # several are variables
    about: list[str]

    @property
    def columns(self) -> list[str]:
        """All of them."""
        return [self.people, *self.labels, *self.about]


def is_listed(sheet: Sheet) -> bool:
    """Hugging Face layouts: parallel lists of people and labels, or lists of structs."""
    return _parallel(sheet) is not None or _structs(sheet) is not None


def _list_columns(sheet: Sheet) -> list[str]:
    return [name for name in sheet.columns if any(isinstance(cell, list) for cell in sheet.sample(name)[:50])]


def _parallel(sheet: Sheet) -> Parallel | None:
    lists = _list_columns(sheet)
    people = [name for name in lists if column_names.plain(name) in column_names.LISTED_PEOPLE]
    people = people or [name for name in lists if column_names.lists_people(name)]
    words = (*column_names.LISTED_LABELS, "label", *ROLES["label"].words)
    labels = [name for name in lists if column_names.plain(name) in words and name not in people][:1]
    if not people:
        return None
    beside = [name for name in lists if name not in (people[0], *labels) and _as_long(sheet, people[0], name)]
    labels = labels or [name for name in beside if column_names.LONGER_LABELS.fullmatch(column_names.plain(name))]
    about = [name for name in beside if column_names.ABOUT_ANNOTATORS.fullmatch(column_names.plain(name))]
    return Parallel(people[0], labels, about) if labels else None


def _as_long(sheet: Sheet, people: str, name: str) -> bool:
    """Has a column a list as long as that of the people, in every row?"""
    rows = zip(sheet.first_cells(people), sheet.first_cells(name), strict=True)
    return all(_length(one) == _length(other) for one, other in rows)


def _length(cell: Any) -> int | None:
    held = json_cell(cell) if isinstance(cell, str) else cell
    return len(held) if isinstance(held, list) else None


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
        both = [column_names.column(who), " and ", column_names.column(what)]
        sheet.notes.append(Message(*both, f" name people and their labels side by side, with {mark!r} between"))
        return


def _enumerated(cell: Any, mark: str) -> list[Any]:
    if cell is None:
        return []
    return [part.strip() or None for part in cell.split(mark)] if isinstance(cell, str) else [cell]


def unfold(sheet: Sheet) -> None:
    """Cells with an object of lists, as Hugging Face keeps a list of objects, become that list; a person a name."""
    _call_by_name(sheet)
    _join_names(sheet)
    for name in sheet.columns:
        cells = sheet.sample(name)[:50]
        if not cells or not all(isinstance(cell, dict) and cell and _even(cell) for cell in cells):
            continue
        sheet.lay_open()
        opened = [_turned(cell) if isinstance(cell, dict) and _even(cell) else cell for cell in sheet.cells(name)]
        sheet.replaced(name, opened)


def _call_by_name(sheet: Sheet) -> None:
    """People and items that an interface writes as objects are called by one of their fields."""
    for role, keys in (("annotator", ("email", "username", "name", "id")), ("item", ("id", "key", "name"))):
        for name in column_names.candidates(role, sheet.columns):
            cells = sheet.sample(name)
            known = [key for key in keys if cells and all(_is_scalar(cell, key) for cell in cells)]
            if known:
                sheet.lay_open()
                sheet.replaced(name, [cell and cell.get(known[0]) for cell in sheet.cells(name)])
                sentence = f" holds objects, which are called by their {known[0]!r}"
                sheet.notes.append(Message(column_names.column(name), sentence))


def _join_names(sheet: Sheet) -> None:
    """A judge that is a model with its prompt, ["gpt-4", "pair-v2"], has one name; lists beside lists are people."""
    if _parallel(sheet) is not None:
        return
    for name in column_names.candidates("annotator", sheet.columns):
        cells = sheet.sample(name)
        lists = [cell for cell in cells if isinstance(cell, list) and all(isinstance(part, str) for part in cell)]
        if not lists or len(lists) < len(cells) or len({len(cell) for cell in lists}) > 1:
            continue
        sheet.lay_open()
        sheet.replaced(name, [None if cell is None else " ".join(cell) for cell in sheet.cells(name)])
        first = PeopleNames([" ".join(lists[0])])
        sheet.notes.append(Message(column_names.column(name), " holds lists, which are one name each, such as ", first))


def _is_scalar(cell: Any, key: str) -> bool:
    return isinstance(cell, dict) and isinstance(cell.get(key), str | int)


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
    """One row per item, its annotations in lists."""
    rows = Rows("table with lists of annotations", options, Trait.SEVERAL_IN_A_CELL)
    parallel, structs = _parallel(sheet), _structs(sheet)
    item = next(iter(column_names.candidates("item", sheet.columns) or column_names.weak_item(sheet.columns)), None)
    columns = sheet.lists()
    used = {item, *(parallel.columns if parallel else ()), *((structs[0],) if structs and not parallel else ())}
    extra = [name for name in sheet.columns if name not in used and not _holds_nested(sheet, name)]
    for place in range(sheet.rows):
        common = {(name if name == "text" else kept_name(name)): columns[name][place] for name in extra}
        common["item"] = place if item is None else columns[item][place]
        if parallel is not None:
            answers = _side_by_side(sheet, columns, place, parallel)
        else:
            assert structs is not None
            answers = _in_structs(sheet, columns, place, structs)
        for label, task, cells in answers:
            put_answer(rows, options, label, None, task=task, **{**common, **cells})
    if parallel is not None and len(parallel.labels) > 1:
        of_people = column_names.column(parallel.people)
        rows.note(Message("lists beside ", of_people, " are variables: ", column_names.columns(parallel.labels)))
    return _with_cell_notes(rows, options)


def _with_cell_notes(rows: Rows, options: ReadOptions) -> Study:
    """The study, with a note where cells look like several labels."""
    for note in note_of_cells(rows.column("label")[:SAMPLE], ["label"], options):
        rows.note(note)
    return study_of(rows.finish(), options)


def _side_by_side(
    sheet: Sheet, columns: dict[str, list[Any]], place: int, parallel: Parallel
) -> Iterator[tuple[Any, str | None, dict[str, Any]]]:
    """Label, variable, and the annotator with what is known of them."""
    lists = {name: columns[name][place] or [] for name in parallel.columns}
    for name, held in lists.items():
        if not isinstance(held, list) or len(held) != len(lists[parallel.people]):
            other = name if name != parallel.people else parallel.labels[0]
            raise sheet.error(
                quoted(parallel.people),
                " and ",
                quoted(other),
                " must be lists of one length.",
                part=f"row {place + 1}",
            )
    alone = len(parallel.labels) == 1
    for at, who in enumerate(lists[parallel.people]):
        _refuse_several(sheet, who, parallel.people, place)
        cells = {"annotator": who, **{kept_name(name): lists[name][at] for name in parallel.about}}
        for name in parallel.labels:
            yield lists[name][at], None if alone else name, cells


def _in_structs(
    sheet: Sheet, columns: dict[str, list[Any]], place: int, structs: tuple[str, str, str]
) -> Iterator[tuple[Any, str | None, dict[str, Any]]]:
    name, who, label = structs
    held = columns[name][place] or []
    if not isinstance(held, list) or not all(isinstance(entry, dict) for entry in held):
        raise sheet.error(
            quoted(name),
            " must be a list of annotations with ",
            quoted(who),
            " and ",
            quoted(label),
            ".",
            part=f"row {place + 1}",
        )
    for entry in held:
        _refuse_several(sheet, entry.get(who), who, place)
        yield entry.get(label), None, {"annotator": entry.get(who)}


def _refuse_several(sheet: Sheet, who: Any, name: str, place: int) -> None:
    """An annotation has one annotator."""
    if isinstance(who, list):
        raise sheet.error(
            quoted(name), " must name one annotator for each label; found ", quoted(who), ".", part=f"row {place + 1}"
        )


def is_mapped(sheet: Sheet) -> bool:
    """An object in a cell, with a label for each annotator (or, in a row per annotator, for each item)."""
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
    """A row per item (or per annotator), its labels in an object; where they are objects, fields are variables."""
    name = _mapping(sheet)
    assert name is not None
    rows = Rows("table with objects of annotations", options, Trait.SEVERAL_IN_A_CELL)
    who = next(iter(column_names.candidates("annotator", sheet.columns)), None)
    item = next(iter(column_names.candidates("item", sheet.columns) or column_names.weak_item(sheet.columns)), None)
    outside = who or item
    columns = sheet.lists()
    for one in (who, item):
        _refuse_nested_names(sheet, one, columns)
    extra = [one for one in sheet.columns if one not in (name, outside) and not _holds_nested(sheet, one)]
    for place in range(sheet.rows):
        common = {(one if one == "text" else kept_name(one)): columns[one][place] for one in extra}
        here = place if outside is None else columns[outside][place]
        for key, held in (columns[name][place] or {}).items():
            if who is not None and item is not None:  # both are named, so that keys name variables
                variable_cells = {**common, "item": columns[item][place], "annotator": here, "task": key}
                put_answer(rows, options, held, None, **variable_cells)
                continue
            person, thing = (here, key) if who is not None else (key, here)
            cells = {**common, "item": thing, "annotator": person}
            for task, label in held.items() if isinstance(held, dict) else [(None, held)]:
                put_answer(rows, options, label, None, task=task, **cells)
    whose = "annotators" if who is None else "items" if item is None else "variables"
    rows.note(Message("the keys in ", column_names.column(name), f" name {whose}"))
    return _with_cell_notes(rows, options)


def _refuse_nested_names(sheet: Sheet, name: str | None, columns: Mapping[str, Sequence[Any]]) -> None:
    """Who answered, and what, is named by text or a number; an object beside objects of labels names nothing."""
    for place, cell in enumerate(columns[name] if name is not None else ()):
        if isinstance(cell, list | dict):
            raise sheet.error(
                "An item and an annotator must be text or numbers; the column ",
                at_column(name),
                " holds ",
                quoted(cell),
                ". Name what is meant, or leave the column out.",
                part=f"row {place + 1}",
            )


def _holds_nested(sheet: Sheet, name: str) -> bool:
    return any(isinstance(cell, list | dict) for cell in sheet.sample(name)[:50])

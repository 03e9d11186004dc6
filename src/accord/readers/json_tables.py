"""JSON as a table: a list of records or of rows, columns, records under a key, by their ids, by annotator and item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.errors import FileError, MayBeNames, Message, OptionError, PeopleNames, all_quoted, between, quoted, remedy
from accord.readers import file_names, json_files
from accord.readers.file_heads import lines_of
from accord.readers.header import check_header
from accord.readers.read_options import OF_TABLES, refuse_unused
from accord.readers.source import Source
from accord.study.roles import ROLES
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.tables import column_names, headerless
from accord.study.tables.rows import ReadOptions, Rows
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import same_type
from accord.study.unnamed_notes import GuessedPeople

KEY = "key"  # what the names are called under which records lie
DEEPEST = 4  # objects within each other in which records are looked for


@dataclass
class _Found:
    """Records, and what is to be said of where they lay."""

    records: list[dict[str, Any]]
    notes: list[str] = field(default_factory=list)


def load(source: Source, name: str, options: ReadOptions) -> Sheet:
    """The table of a JSON file."""
    rows, where = Rows("JSON", options), source.where(name)
    lists = _lists(source, name, options)
    used = (*OF_TABLES, "encoding", "records" if lists is None else "header")
    refuse_unused(options, used, Message(MayBeNames(where), " is a table in JSON"), table=True)
    if lists is not None:
        return _of_lists(lists, where, options)
    if source.glance(name).form == "json object":
        records = [json_files.load_record(source, name, options).data]
    else:
        records = [record.data for record in json_files.records(source, name, options, rows)]
    form, found = source.glance(name).form, _Found(records)
    shape = ShapeOfFile("JSON table" if form == "json array" else "JSON Lines table")
    if options.records is not None and (len(records) > 1 or form == "json array"):
        found = _within(records, options.records)
    elif len(records) == 1 and form != "json array":
        columns = _as_columns(records[0]) if options.records is None else None
        if columns is not None:
            return Sheet(where, ShapeOfFile("JSON table"), {name: _typed(cells) for name, cells in columns.items()})
        if form == "json object" or options.records is not None or not _is_record(records[0]):
            found, shape = _Opened(records[0], where, options).found(), ShapeOfFile("JSON table")
    names = list(dict.fromkeys(key for record in found.records for key in record))
    if not names:
        raise FileError(where, "The file holds no records.")
    columns = {key: _typed([record.get(key) for record in found.records]) for key in names}
    return Sheet(where, shape, columns, found.notes, rows.left_out)


def _within(records: list[dict[str, Any]], key: str) -> _Found:
    """The records that each of several holds under a key, with what the outer one says besides."""
    known = [
        name for name in dict.fromkeys(name for record in records for name in record) if _any_records(records, name)
    ]
    if key not in known:
        raise OptionError.choice("records", key, known, of_data=True)
    opened = []
    for record in records:
        outer = {name: cell for name, cell in record.items() if name != key}
        opened += [{**outer, **inner} for inner in record.get(key) or ()]
    return _Found(opened, [f"records lie under {key!r} of each record"])


def _any_records(records: list[dict[str, Any]], name: str) -> bool:
    """Does a field hold lists of records, wherever it holds anything?"""
    held = [record[name] for record in records if record.get(name)]
    return bool(held) and all(_are_records(value) for value in held)


def _lists(source: Source, name: str, options: ReadOptions) -> list[list[Any]] | None:
    """The rows of a file that holds a list for each, in one list or on a line each; None where it holds others."""
    glance = source.glance(name)
    split = glance.keys - {"columns", "index"} == {"data"}
    if not split and (glance.form != "json array" or isinstance(glance.record, dict)):
        return None
    text = source.text(name, options.encoding)
    try:
        try:
            held = json.loads(text)
        except ValueError:
            held = [json.loads(line) for line in lines_of(text) if line.strip()]
    except (ValueError, RecursionError):
        return None  # whoever reads it as records says where it is broken
    names = held.get("columns") if isinstance(held, dict) else None  # as pandas writes a table that is split
    rows = held.get("data") if isinstance(held, dict) else held
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        return None
    return [list(map(str, names)), *rows] if isinstance(names, list) else rows


def _of_lists(rows: list[list[Any]], where: str, options: ReadOptions) -> Sheet:
    """A table of rows that are lists: the first names the columns, or nothing does and it has to be asked."""
    width = len(rows[0])
    odd = next((place for place, row in enumerate(rows, start=1) if len(row) != width), None)
    if odd is not None:
        raise FileError(where, f"The row has {len(rows[odd - 1])} cells, and the first has {width}.", record=odd)
    named = options.header and _is_header(rows)
    names = check_header(rows[0], where) if named else [f"column_{place + 1}" for place in range(width)]
    cells = rows[1:] if named else rows
    if not cells or not width:
        raise FileError(where, "The file holds no records.")
    columns = {name: _typed([row[place] for row in cells]) for place, name in enumerate(names)}
    sheet = Sheet(where, ShapeOfFile("JSON table"), columns)
    if options.header and not named:
        headerless.refuse_no_names(sheet)
    return sheet


def _is_header(rows: list[list[Any]]) -> bool:
    """Are the cells of the first row names? Text, none twice, and none that comes again below itself."""
    first = rows[0]
    if not all(isinstance(name, str) and name.strip() for name in first) or len(set(first)) < len(first):
        return False
    return not any(row[place] == name for place, name in enumerate(first) for row in rows[1:] if len(row) > place)


def _typed(cells: list[Any]) -> list[Any]:
    """JSON cells as they are: text that looks like numbers becomes numbers as in every other table."""
    plain = all(cell is None or isinstance(cell, str | int | float) for cell in cells)
    return same_type(cells) if plain else cells


def _as_columns(held: Mapping[str, Any]) -> dict[str, list[Any]] | None:
    """The columns of an object that holds a list for each; None where it holds something else."""
    if not held or not all(isinstance(cells, list) for cells in held.values()):
        return None
    if any(isinstance(cell, dict) for cells in held.values() for cell in cells):
        return None
    return {str(name): list(cells) for name, cells in held.items()} if len({*map(len, held.values())}) == 1 else None


def _is_record(held: Mapping[str, Any]) -> bool:
    """Is a line by itself one record: an item, and nothing within that is called by an item of its own?"""
    named = column_names.candidates("item", list(held)) or column_names.weak_item(list(held))
    if not named or isinstance(held[named[0]], list | dict):
        return False
    inner = [list(one) for value in held.values() if _are_records(value) for one in value]
    return not any(column_names.candidates("item", names) or column_names.weak_item(names) for names in inner)


class _Opened:
    """One object, in which a table is looked for."""

    def __init__(self, whole: Mapping[str, Any], where: str, options: ReadOptions) -> None:
        self.whole, self.where, self.options = whole, where, options
        self.role_columns = set(map(str, options.roles.values()))

    def found(self) -> _Found:
        """The records; an error where there are none, or several lists of them."""
        if self.options.records is not None:
            return self._under(self.options.records, self._at(self.options.records))
        by_key = self._of_keys(self.whole)
        if by_key is not None:
            return by_key
        lists = dict(self._lists(self.whole, (), 0))
        if len(lists) == 1:
            path, held = next(iter(lists.items()))
            return self._under(path, held)
        if lists:
            calls = between([remedy(records=path) for path in list(lists)[:4]], " or ")
            raise FileError(self.where, "It holds several lists of records. Say which: ", *calls, ".")
        raise FileError(
            self.where,
            "It is one JSON object with ",
            all_quoted(self.whole),
            ", which is no table and no known export. Give a list of records, or CSV.",
        )

    def _at(self, path: str) -> Any:
        held: Any = self.whole
        for key in path.split("."):
            if not isinstance(held, dict) or key not in held:
                known = [path for path, _ in self._lists(self.whole, (), 0)]
                raise OptionError.choice("records", path, known or list(self.whole), of_data=True)
            held = held[key]
        return held

    def _under(self, path: str, held: Any) -> _Found:
        """The records that lie under a key."""
        note = Message("records lie under ", quoted(path))
        if _are_records(held):
            records = [row["row"] if set(row) >= {"row", "row_idx"} else row for row in held]
            return _Found(_with_people(records, path.rsplit(".", maxsplit=1)[-1]), [note])
        inner = self._of_keys(held) if isinstance(held, dict) else None
        if inner is None:
            raise FileError(self.where, "Under ", quoted(path), " lies no list of records.")
        return _Found(inner.records, [note, *inner.notes])

    def _lists(self, held: Mapping[str, Any], path: tuple[str, ...], depth: int) -> Iterator[tuple[str, Any]]:
        """Every list of records, and every table by keys, with the keys under which it lies."""
        for key, value in held.items():
            below = (*path, str(key))
            if _are_records(value):
                yield ".".join(below), value
            elif isinstance(value, dict) and depth < DEEPEST:
                if self._of_keys(value) is not None:
                    yield ".".join(below), value
                else:
                    yield from self._lists(value, below, depth + 1)

    def _of_keys(self, held: Mapping[str, Any]) -> _Found | None:
        """A table whose rows or columns are called by keys; None where it is none."""
        values = list(held.values())
        if len(values) < 2:
            return None
        if all(_are_records(value) for value in values):
            return self._lists_by_key(held)
        if all(isinstance(value, dict) and value for value in values):
            return self._by_two_keys(held)
        if all(isinstance(value, str | int | float) for value in values) and not _name_roles(held):
            return _Found([{"item": key, "label": value} for key, value in held.items()], ["items are called by keys"])
        return None

    def _lists_by_key(self, held: Mapping[str, list[dict[str, Any]]]) -> _Found | None:
        """A list of records for each key: an annotator's, or a part of the data's."""
        fields = [{name for record in records for name in record} for records in held.values()]
        if 2 * len(set.intersection(*fields)) < len(set.union(*fields)):
            return None  # lists of different things
        named = any(column_names.candidates("annotator", list(names)) for names in fields)
        parts = all(file_names.names_a_part(str(key)) for key in held)
        called = KEY if named or parts or KEY in self.role_columns else "annotator"
        note: list[str] = (
            [] if called == KEY else [Message("annotators are called by keys: ", PeopleNames(held, most=6))]
        )
        return _Found([{called: key, **record} for key, records in held.items() for record in records], note)

    def _by_two_keys(self, held: Mapping[str, dict[str, Any]]) -> _Found | None:
        """Records by their ids, or labels by annotator and item, whichever comes first."""
        inner = list(dict.fromkeys(name for value in held.values() for name in value))
        cells = [cell for value in held.values() for cell in value.values()]
        if all(isinstance(cell, dict) and cell for cell in cells):
            return self._by_three(held, inner)
        plain = all(isinstance(cell, str | int | float | None) for cell in cells)
        even = plain and all(len(value) == len(inner) for value in held.values())
        if even and _name_roles(held) and not _name_roles(inner):  # as pandas writes a table: columns, and rows in them
            return _Found([{name: value.get(row) for name, value in held.items()} for row in inner])
        if any(_are_records(cell) for cell in cells) and not _name_roles(inner):
            return None  # the lists within are what is looked for
        if _name_roles(inner) or not all(isinstance(cell, str | int | float | list | None) for cell in cells):
            if sum(len(value) for value in held.values()) < len(held) * len(inner) / 2:
                return None  # objects of different things
            called = KEY if KEY in self.role_columns or column_names.candidates("item", inner) else "item"
            return _Found([{called: key, **value} for key, value in held.items()], ["records are called by keys"])
        outer_are_people = self._outer_are_people(list(held), inner)
        records = [
            self._row(outer, name, cell, outer_are_people=outer_are_people)
            for outer, value in held.items()
            for name, cell in value.items()
        ]
        return _Found(records, [self._who_note(held, inner, outer_are_people=outer_are_people)])

    def _by_three(self, held: Mapping[str, dict[str, Any]], inner: Sequence[str]) -> _Found:
        """Objects by annotator and item: each field is a column."""
        outer_are_people = self._outer_are_people(list(held), inner)
        records = []
        for outer, value in held.items():
            for name, cells in value.items():
                row = self._row(outer, name, None, outer_are_people=outer_are_people)
                row.pop("label")
                records.append({**row, **cells})
        return _Found(records, [self._who_note(held, inner, outer_are_people=outer_are_people)])

    def _row(self, outer: str, inner: str, cell: Any, *, outer_are_people: bool) -> dict[str, Any]:
        who, item = (outer, inner) if outer_are_people else (inner, outer)
        row = {"item": item, "annotator": who, "label": cell}
        if KEY in self.role_columns:
            row[KEY] = row.pop("annotator" if outer_are_people else "item")
        return row

    def _outer_are_people(self, outer: Sequence[str], inner: Sequence[str]) -> bool:
        """Are the annotators the keys outside? As said, by their names, or as they are fewer than items."""
        verdict = self._outer_by_names(outer, inner)
        if verdict is not None:
            return verdict
        if len(outer) != len(inner):
            return len(outer) < len(inner)
        raise FileError(
            self.where,
            "The keys ",
            all_quoted(outer, most=4),
            " outside and ",
            all_quoted(inner, most=4),
            " inside may be annotators or items. Say what those outside are: ",
            remedy(annotator=KEY),
            " or ",
            remedy(item=KEY),
            ".",
        )

    def _outer_by_names(self, outer: Iterable[str], inner: Iterable[str]) -> bool | None:
        """The same as it is said, or as the names tell; None where neither does."""
        for role, answer in (("annotator", True), ("item", False)):
            if self.options.roles.get(role) == KEY:
                return answer
        by_name = [
            all(column_names.NUMBERED.match(column_names.plain(str(key))) for key in keys) for keys in (outer, inner)
        ]
        return by_name[0] if by_name[0] != by_name[1] else None

    def _who_note(
        self, outer: Sequence[str] | Mapping[str, Any], inner: Sequence[str], *, outer_are_people: bool
    ) -> Message:
        people = list(outer) if outer_are_people else inner
        other = remedy(item=KEY) if outer_are_people else remedy(annotator=KEY)
        sentence = f"annotators are called by the keys {'outside' if outer_are_people else 'inside'}: "
        note = (sentence, PeopleNames(people, most=6), "; if these are items, say ", other)
        if self._outer_by_names(outer, inner) is not None:
            return Message(*note)
        return GuessedPeople(*note, ways=(remedy(annotator=KEY), remedy(item=KEY)))


def _are_records(held: Any) -> bool:
    return isinstance(held, list) and bool(held) and all(isinstance(one, dict) for one in held)


def _name_roles(names: Mapping[str, Any] | Sequence[str]) -> bool:
    """Do these names name columns: an item, a label, a text?"""
    columns = list(map(str, names))
    known = [role for role in ROLES if column_names.candidates(role, columns)]
    listed = [
        name
        for name in columns
        if column_names.lists_people(name)
        or column_names.plain(name) in (*column_names.LISTED_LABELS, *column_names.PROSE)
    ]
    return bool(known or listed)


def _with_people(records: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Records that lie under a word for people are each somebody's, whose name has no longer word."""
    if column_names.plain(key) not in column_names.LISTED_PEOPLE:
        return records
    name = next((name for name in ("name", "id") if all(name in record for record in records)), None)
    if name is None or any("annotator" in record for record in records):
        return records
    return [{"annotator": record[name], **{k: v for k, v in record.items() if k != name}} for record in records]

"""What a reader hands over: rows in accord's words, what kind of answer they are, and what was left out and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, TypeAlias

from accord.annotations.answers import FAILED, LOCATED, Kind
from accord.annotations.assemble import Duplicates
from accord.annotations.cleaning import NO_CLEANING, Cleaning
from accord.annotations.left_out import LeftOut, Reason
from accord.errors import (
    AccordError,
    FileError,
    InputError,
    LabelError,
    Message,
    OptionError,
    Part,
    Place,
    Quoted,
    all_quoted,
    at_item,
    quoted,
    remedy,
)
from accord.study.declared_scales import Scale
from accord.study.kinds import KIND_WORDS
from accord.study.roles import ROLES
from accord.study.shapes.loaded import Trait
from accord.study.tables import column_names
from accord.study.tables.offsets import Documents

Shape: TypeAlias = Literal["long", "wide", "counts", "confusion", "indicators", "ranking", "preferences", "unnamed"]
OnError: TypeAlias = Literal["raise", "skip"]
Unit: TypeAlias = Literal["line", "record", "part"]  # what of a file a record is
InFile: TypeAlias = tuple[str, Unit, Any]  # the file, and which of its lines, records or parts
SUBMITTED = "submitted"
SCALAR, NUMBER, SEVERAL = (str, int, float), (int, float), (list, dict)  # types that a field may have
FRESH = 1_000  # rows that are put into their columns together
# What a row may be besides an answer that counts, and why it is then left out.
STATUSES = {
    "draft": Reason.DRAFT,
    "skipped": Reason.SKIPPED,
    "rejected": Reason.REJECTED,
    "cancelled": Reason.CANCELLED,
    "suggested": Reason.SUGGESTED,
    "adjudicated": Reason.ADJUDICATED,
    "repeated": Reason.REPEATED,
    "repeated label": Reason.REPEATED_LABEL,
    "untrusted": Reason.UNTRUSTED,
    "free text": Reason.FREE_TEXT,
    **FAILED,
}
# Names that mean something in accord's long table; an export's own fields of these names are called otherwise.
RESERVED = frozenset({
    *ROLES, "answers", "annotation", "seconds", "gold", "prelabelled", "confidence", "fragments", "x", "y", "width",
    "height", "to_start", "to_end", "points", "covered", "tokens",
})  # fmt: skip
# Roles that a column beside the answers of a layout of its own may play.
ABOUT = ("kind", "run", "time", "cluster", "text", "status")


def kept_name(name: str, before: str = "column ") -> str:
    """The name of a field that is kept beside the answers.

    >>> kept_name("language"), kept_name("label")
    ('language', 'column label')
    """
    return f"{before}{name}" if name in RESERVED else name


def kept_beside(columns: Mapping[str, list[Any]], used: Collection[str | None]) -> dict[str, list[Any]]:
    """The columns of a layout of its own that hold no answers: by the roles that they play, or kept by their names."""
    free = [name for name in columns if name not in used]
    found = {role: next(iter(column_names.candidates(role, free)), None) for role in ABOUT}
    called = {name: role for role, name in found.items() if name is not None and _words_known(role, columns[name])}
    return {called.get(name, kept_name(name)): columns[name] for name in free}


def _words_known(role: str, cells: Sequence[Any]) -> bool:
    """Are these words of a role that has some of its own?"""
    words = {"kind": {*KIND_WORDS}, "status": {SUBMITTED, *STATUSES}}.get(role)
    return words is None or {str(cell).lower() for cell in cells if cell is not None} <= words


@dataclass(frozen=True)
class ReadOptions:
    """How the caller wants a file to be read: the keywords of `accord.read`, of which each reader takes what it can."""

    roles: Mapping[str, Any] = field(default_factory=dict)  # role: column; label may be several columns
    shape: Shape | None = None
    annotators: Sequence[str] | None = None
    labels: Sequence[Any] | None = None
    answers: Kind | None = None
    duplicates: Duplicates = "error"
    cleaning: Cleaning = NO_CLEANING  # what is done to labels first
    separator: str | None = None  # between the labels in a cell
    only: str | None = None  # the one variable to read
    include: Sequence[str] = ()  # statuses that count besides submitted
    adjudicator: Sequence[str | int] = ()  # annotators whose answers are gold
    delimiter: str | None = None
    decimal: str | None = None
    quote: str | None = None  # round cells: a mark, or "none"
    header: bool = True
    sheet: str | None = None
    records: str | None = None  # where the records of a JSON file lie: data.instances
    config: str | Path | None = None
    encoding: str | None = None
    on_error: OnError = "raise"
    progress: bool | Callable[[int, int], None] | None = None
    questions: Sequence[str] = ()  # the columns of answers, where several files told them together


def check_separator(typed: Any) -> None:
    """Something must stand between labels."""
    if not isinstance(typed, str | None) or typed == "":
        raise OptionError.must(
            "separator", "be what stands between the labels in a cell, such as '|', or 'json'", typed
        )


class GrowingColumns:
    """Cells that come a row at a time, by name, and are put into columns many rows at a time.

    What has come lies in tuples, and is a list when it is asked for: Python's search for circles of objects goes
    through every list of millions again and again, and not through tuples of texts and numbers.
    """

    def __init__(self) -> None:
        self.length = 0
        self._columns: dict[str, list[Any]] = {}
        self._parts: list[tuple[int, dict[str, tuple[Any, ...]]]] = []  # what follows in the columns, from which row on
        self._fresh: list[dict[str, Any]] = []  # the last rows, which are nowhere else yet

    def put(self, cells: dict[str, Any]) -> None:
        """One row; the mapping is kept, not copied."""
        self._fresh.append(cells)
        self.length += 1
        if len(self._fresh) == FRESH:
            self._settle()

    @property
    def columns(self) -> dict[str, list[Any]]:
        """The columns, in the order in which their first cells came; those that end in missing cells are shorter."""
        self._settle()
        for begin, part in self._parts:
            for name, cells in part.items():
                column = self._columns.setdefault(name, [])
                column.extend([None] * (begin - len(column)))
                column.extend(cells)
        self._parts.clear()
        return self._columns

    @columns.setter
    def columns(self, columns: dict[str, list[Any]]) -> None:
        self._columns = columns

    def column(self, name: str) -> list[Any]:
        """A column as long as the table, whether or not anything has been put into it."""
        column = self.columns.get(name, [])
        return column + [None] * (self.length - len(column))

    def cut(self, length: int) -> None:
        """Let go of the rows from here on."""
        fresh = len(self._fresh) - (self.length - length)
        if fresh < 0:
            for column in self.columns.values():
                del column[length:]
        del self._fresh[max(fresh, 0) :]
        self.length = length

    def _settle(self) -> None:
        """The last rows as a part of their columns: rows of the same names are turned round together."""
        if not self._fresh:
            return
        part: dict[str, list[Any]] = {}
        begin = 0
        for names, alike in groupby(self._fresh, tuple):
            rows = list(alike)
            turned = zip(*map(dict.values, rows), strict=True)
            there = [(name, cells) for name, cells in zip(names, turned, strict=True) if not _all_missing(cells)]
            new = [(_first_place(cells), name) for name, cells in there if name not in part]
            part.update((name, []) for _, name in sorted(new, key=itemgetter(0)))
            for name, cells in there:
                part[name].extend([None] * (begin - len(part[name])))
                part[name].extend(cells)
            begin += len(rows)
        self._parts.append((self.length - begin, {name: tuple(cells) for name, cells in part.items()}))
        self._fresh.clear()


def _all_missing(cells: tuple[Any, ...]) -> bool:
    return cells[0] is None and cells.count(None) == len(cells)


def _first_place(cells: tuple[Any, ...]) -> int:
    """Where the first cell is that is not missing."""
    return next(place for place, cell in enumerate(cells) if cell is not None)


class Rows(GrowingColumns):
    """The rows that a reader found; a record that fails leaves nothing behind."""

    def __init__(self, shape: str, options: ReadOptions, *traits: Trait) -> None:
        super().__init__()
        self.shape = shape
        self.traits = set(traits)
        self.options = options
        self.left_out = LeftOut()
        self.where = ""  # the file or folder, for errors that concern all of it
        self.notes: list[str] = []
        self.documents = Documents()
        self.scales: dict[str, Scale] = {}  # by task: the labels that were declared
        self.unnamed = False  # does the export name nobody, so that only how many gave each label is known?
        self.says_kind = False  # does the table itself say what kind of answers it holds?
        self._sittings = GrowingColumns()

    def add(
        self, answers: str, *, item: Any, annotator: Any, label: Any = None, task: str | None = None, **cells: Any
    ) -> int:
        """One row: an answer of one label, one of its labels, or one of its spans. An empty answer has no label."""
        cells["answers"], cells["item"], cells["annotator"] = answers, item, annotator
        cells["label"], cells["task"] = label, task
        self.put(cells)
        return self.length - 1

    def answer(self, answers: str, labels: list[Any], **cells: Any) -> None:
        """A whole answer: a row for each of its labels, or one row without a label if it is empty."""
        self.put_answer(answers, labels, cells)

    def put_answer(self, answers: str, labels: list[Any], cells: dict[str, Any]) -> None:
        """The same of cells that are nobody else's: they are not copied."""
        cells["answers"] = answers
        if len(labels) == 1 and isinstance(labels[0], SCALAR):
            cells["label"] = labels[0]
            self.put(cells)
            return
        for label in labels:
            if isinstance(label, SEVERAL):
                item = at_item(cells.get("item"))
                raise LabelError("A label must be text or a number; one of item ", item, " is ", _called(label), ".")
        for label in dict.fromkeys(labels) if labels else [None]:
            self.put({**cells, "label": label})

    def span(self, document: str | None, start: Any, end: Any, covered: str | None = None, **cells: Any) -> None:
        """A labelled stretch of a text; offsets are checked against the text when all rows are there."""
        row = self.add("spans", start=start, end=end, **cells)
        self.documents.note(row, document, covered)
        self.document(cells["item"], document, task=cells.get("task"))

    def document(
        self, item: Any, text: str | None, tokens: Sequence[tuple[int, int]] = (), task: str | None = None
    ) -> None:
        """The text that an item's spans are marked in, and where its tokens lie; of one task, or of all."""
        if text is not None and not self.documents.of_item(item, task, text, tokens):
            other = self.documents.whole[task][item]
            pairs = enumerate(zip(text, other, strict=False))
            place = next((at for at, (one, two) in pairs if one != two), min(len(text), len(other)))
            raise InputError(
                "The text of item ",
                at_item(item),
                f" is not the same for all annotators, so that places in it cannot be "
                f"compared: from character {place:,} on it is ",
                quoted(other[place : place + 20]),
                " for one and ",
                quoted(text[place : place + 20]),
                " for another. Annotate one version, or give the versions names of their own.",
                place=Place(self.where, item=item),
            )

    def relation(self, head: tuple[Any, Any], child: tuple[Any, Any], **cells: Any) -> None:
        """A labelled link from one stretch of a text to another."""
        self.add("relations", start=head[0], end=head[1], to_start=child[0], to_end=child[1], **cells)

    def done_with(self, **cells: Any) -> None:
        """An annotator was done with an item: where spans are marked, none is an answer too."""
        self._sittings.put(cells)

    def add_empty_answers(self, sets: Collection[str] = ()) -> None:
        """An empty answer for everyone who was done with an item and marked nothing in a task of marked places.

        So for the tasks of `sets`, where nothing chosen is known to be a choice.
        """
        for task, kind in self.kinds().items():
            if kind not in LOCATED and not (kind == "set" and task in sets):
                continue
            done = {key for key, name in zip(_keys(self), self.column("task"), strict=True) if name == task}
            sittings = self._sittings
            columns = {name: sittings.column(name) for name in sittings.columns}
            for place, key in enumerate(_keys(sittings)):
                if key not in done:
                    self.add(kind, task=task, **{name: cells[place] for name, cells in columns.items()})

    def kinds(self) -> dict[str | None, str]:
        """What kind of answers each task holds."""
        found: dict[str | None, set[str]] = {}
        for task, kind in dict.fromkeys(zip(self.column("task"), self.column("answers"), strict=True)):
            found.setdefault(task, set()).add(kind)
        return {task: one_kind(task, kinds) for task, kinds in found.items()}

    @contextmanager
    def guarding(self) -> Iterator[None]:
        """A record that cannot be read ends the reading, or is undone and counted."""
        before = self.mark()
        try:
            yield
        except AccordError as problem:
            if self.options.on_error != "skip":
                if not problem.remedies:
                    problem.add(" ", remedy(on_error="skip"), " leaves such records out and counts them.")
                raise
            self.undo(before)
            self.left_out.add(Reason.UNREADABLE, 1)

    def mark(self) -> tuple[int, int, dict[tuple[Reason, str], int]]:
        """How far the rows have come."""
        return self.length, self._sittings.length, dict(self.left_out.counts)

    def undo(self, before: tuple[int, int, dict[tuple[Reason, str], int]]) -> None:
        """Everything since then."""
        length, sittings, self.left_out.counts = before
        self.cut(length)
        self._sittings.cut(sittings)
        self.documents.forget(length)

    def finish(self) -> Rows:
        """All columns of one length; offsets checked and converted."""
        for column in self.columns.values():
            column.extend([None] * (self.length - len(column)))
        self.columns = {name: column for name, column in self.columns.items() if any(c is not None for c in column)}
        if self.length:
            self.documents.settle(self)
            self.documents.put_texts(self)
        return self

    def drop(self, rows: set[int], reason: Reason) -> None:
        """Take rows out again, and say why."""
        self.take_out(rows)
        self.left_out.add(reason, len(rows))

    def take_out(self, rows: set[int]) -> None:
        """Take rows out that are no answers after all."""
        for name, column in self.columns.items():
            self.columns[name] = [cell for place, cell in enumerate(column) if place not in rows]
        self.length -= len(rows)

    def note(self, text: str) -> None:
        """Something that the user should know, once."""
        if text not in self.notes:
            self.notes.append(text)


def _keys(rows: GrowingColumns) -> Iterator[tuple[Any, Any, Any]]:
    return zip(rows.column("item"), rows.column("annotator"), rows.column("annotation"), strict=True)


def one_kind(task: object, kinds: set[str]) -> str:
    """The kind of a task's answers; a task with no label at all holds empty sets."""
    kinds = kinds - {"empty"} or {"set"}
    if len(kinds) == 1:
        return next(iter(kinds))
    if kinds == {"single", "set"}:
        return "set"
    raise InputError(
        "The task ", quoted(task), " holds answers of several kinds: ", all_quoted(sorted(map(str, kinds))), "."
    )


class Record:
    """One record of an export, whose parts are taken by name and type; what is not so names the record.

    Millions are made and asked: what is as it should be takes one look, what is not takes its time.
    """

    __slots__ = ("data", "place")

    def __init__(self, data: Any, file: str, unit: Unit, number: Any) -> None:
        self.place: InFile = (file, unit, number)
        if not isinstance(data, dict):
            raise self.error("It should be an object with named fields, and it is ", _called(data), ".")
        self.data: dict[str, Any] = data

    def error(self, *what: Part) -> FileError:
        """The error for a record that is not as its format says."""
        file, unit, number = self.place
        return FileError(file, *what, **{unit: number})

    def __contains__(self, name: str) -> bool:
        return self.data.get(name) is not None

    def need(self, name: str) -> Any:
        """A field that must be there."""
        value = self.data.get(name)
        if value is None:
            raise self.error("The field ", quoted(name), " is missing; there are ", all_quoted(self.data), ".")
        return value

    def text(self, name: str) -> str | None:
        """A field of text."""
        value = self.data.get(name)
        if value is None or isinstance(value, str):
            return value
        raise self._not(name, value, "text")

    def number(self, name: str) -> float | None:
        """A field with a number."""
        value = self.data.get(name)
        if value is None or (isinstance(value, NUMBER) and not isinstance(value, bool)):
            return value
        raise self._not(name, value, "a number")

    def flag(self, name: str) -> bool:
        """A field with yes or no; missing is no."""
        value = self.data.get(name)
        if value is None or isinstance(value, int):
            return bool(value)
        raise self._not(name, value, "true or false")

    def scalar(self, name: str) -> str | int | float | bool | None:
        """A field with text or a number: a label, an id."""
        value = self.data.get(name)
        if value is None or isinstance(value, SCALAR):
            return value
        raise self._not(name, value, "text or a number")

    def needed(self, name: str) -> str | int | float | bool:
        """A field with text or a number that must be there."""
        self.need(name)
        value = self.scalar(name)
        assert value is not None
        return value

    def offset(self, name: str) -> int:
        """A whole number from 0: where a span begins or ends."""
        value = self.need(name)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(quoted(name), " should be a whole number from 0, and it is ", quoted(value), ".")
        return value

    def listed(self, name: str) -> list[Any]:
        """A field with a list; missing is an empty one."""
        value = self.data.get(name)
        if value is None or isinstance(value, list):
            return value or []
        raise self._not(name, value, "a list")

    def record(self, name: str) -> Record:
        """A field with an object; missing is an empty one."""
        value = self.data.get(name)
        if value is None or isinstance(value, dict):
            return Record(value or {}, *self.place)
        raise self._not(name, value, "an object")

    def records(self, name: str) -> list[Record]:
        """A field with a list of objects."""
        return [Record(data, *self.place) for data in self.listed(name)]

    def labels(self, name: str) -> list[Any]:
        """A field with a list of labels, or with one."""
        value = self.data.get(name)
        cells = value if isinstance(value, list) else [] if value is None else [value]
        for cell in cells:
            if not isinstance(cell, SCALAR):
                self.check_label(cell)
        return cells

    def check_label(self, cell: Any) -> None:
        """A label is text or a number."""
        if not isinstance(cell, SCALAR):
            raise self.error("A label should be text or a number, and it is ", _called(cell), ".")

    def _not(self, name: str, value: Any, called: str) -> FileError:
        return self.error(quoted(name), f" should be {called}, and it is ", _called(value), ".")


def _called(value: object) -> Message:
    """What a value is, and the value."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    shown = repr(value)
    cut = Quoted([value], 1, shown if len(shown) <= 40 else shown[:39] + "…")
    return Message(f"{names.get(type(value), 'nothing')} (", cut, ")")


def study_keywords(options: ReadOptions) -> dict[str, Any]:
    """The keywords of `Study` besides its roles."""
    cleaning = options.cleaning
    return {
        "labels": options.labels, "answers": options.answers, "duplicates": options.duplicates,
        "missing": cleaning.missing, "trim": cleaning.trim, "fold_case": cleaning.fold_case, "recode": cleaning.recode,
    }  # fmt: skip

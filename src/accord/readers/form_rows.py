"""Forms that are filled in once for each annotation: a row per form, with who filled it in and of which item.

Tools that collect data (REDCap, KoBo) know neither items nor annotators: a field of the form names each. All other
fields are variables; a question with several choices has a column for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.errors import FileError, MayBeNames, Message, all_quoted, quoted, remedy
from accord.study.tables import column_names
from accord.study.tables.attributes import set_attributes_aside
from accord.study.tables.free_text import set_free_text_aside
from accord.study.tables.layouts import YES_NO
from accord.study.tables.rows import ReadOptions, Rows
from accord.study.tables.to_study import same_type

MANY_ITEMS = 10


@dataclass
class Form:
    """The columns of a table of forms by what they are."""

    where: str
    names: Sequence[str]
    own: set[str] = field(default_factory=set)  # which the tool fills in
    choices: dict[str, dict[str, str]] = field(default_factory=dict)  # by question: column ─▶ label

    @property
    def fields(self) -> list[str]:
        """The columns that people filled in."""
        return [name for name in self.names if name not in self.own]

    def role(self, role: str, options: ReadOptions) -> str | None:
        """The field that plays a role: as the caller says, or by its name, in whatever group of the form it stands."""
        if role in options.roles:
            return self._need_column(role, options.roles[role])
        short = {name.rpartition("/")[2]: name for name in self.fields}
        found = column_names.candidates(role, list(short))
        weak = column_names.weak_item(list(short)) if role == "item" else []
        if len(found) > 1:
            calls = [part for name in found[:3] for part in (" or ", remedy(**{role: short[name]}))][1:]
            raise FileError(self.where, all_quoted(found), f" could each be the {role}. Say which: ", *calls, ".")
        return short[(found or weak)[0]] if found or weak else None

    def _need_column(self, role: str, name: str) -> str:
        if name not in self.names:
            raise FileError(
                self.where,
                "There is no column ",
                quoted(name),
                f" to be the {role}; there are ",
                all_quoted(self.names),
                ".",
            )
        return name


def add_forms(
    rows: Rows, form: Form, lines: Sequence[tuple[int, Sequence[str]]], used: Mapping[str, str | None],
    about: Callable[[dict[str, str]], dict[str, Any]],
) -> None:  # fmt: skip
    """A row for each field that is filled in; `about` tells item, annotator and the state of a form."""
    columns = {column for held in form.choices.values() for column in held}
    single = [name for name in form.fields if name not in columns and name not in form.choices]
    single = [name for name in single if name not in used.values()]
    records = [(line, dict(zip(form.names, (cell.strip() for cell in cells), strict=True))) for line, cells in lines]
    typed = {name: same_type([record[name] or None for _, record in records]) for name in single}
    for place, (line, record) in enumerate(records):
        common = {**about(record), "annotation": f"line {line}"}
        for name in single:
            if typed[name][place] is not None:
                rows.add("single", label=typed[name][place], task=_short(name), **common)
        for question, held in form.choices.items():
            marked = {label: YES_NO.get(record[column].lower()) for column, label in held.items()}
            if any(mark is not None for mark in marked.values()):
                rows.answer("set", [label for label, mark in marked.items() if mark], task=_short(question), **common)
    who = used["annotator"]
    whose = "the end of its name: --1, --2" if who is None else column_names.column(who)
    rows.note(Message("items are named by ", MayBeNames(repr(used["item"])), ", annotators by ", whose))
    rows.finish()
    if len(set(rows.column("item"))) >= MANY_ITEMS:  # in a few, whoever gives one label looks like an attribute
        set_attributes_aside(rows)
    set_free_text_aside(rows)


def _short(name: str) -> str:
    return name.rpartition("/")[2]

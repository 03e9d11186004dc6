"""What a file was taken for: its format, every column, the answers, what can be measured, and what more would allow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from accord.agreement.table import Table
from accord.errors import AccordError, InputError, MeasureError, Message, Remedy, counted, json_value, listing, remedy
from accord.options import head
from accord.readers.databases import address_among, first_rows
from accord.readers.found_format import FormatNote, format_of
from accord.readers.read import read
from accord.readers.source import Source
from accord.study.label_notes import code_note
from accord.study.roles import ROLES
from accord.study.shapes.loaded import Trait
from accord.study.study import Study
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet

SHOWN = 3  # examples of a column's cells
OF_ITEMS = ("item", "item_weight", "text")  # what a column of a wide table may be besides an annotator's
LONGEST = 24  # letters of an example
BY_NAME, BY_OPTION, BY_CONTENT, BY_FORMAT = "by its name", "as you said", "by what it holds", "as the format has it"
# What a study gains by one more column, role by role.
ALLOWS = {
    "text": "the words of contested items in the report, in explain and in the sheet of items to decide",
    "time": "whether agreement changes over time: drift, fatigue, learning",
    "cluster": "intervals that know which items belong together, such as the sentences of one document",
    "kind": "people measured as people, and models judged against them",
    "suggested": "whether annotators follow what was suggested to them",
    "run": "how far a model that answers several times agrees with itself",
    "annotator": "who answered: coefficients with each annotator's own marginals, and what each annotator does",
}


@dataclass(frozen=True)
class ColumnTaken:
    """A column, what it was taken for, why, and how to say otherwise."""

    name: str
    taken_for: str
    why: str
    examples: tuple[Any, ...]
    otherwise: Remedy | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "column": self.name,
            "taken_for": self.taken_for,
            "why": self.why,
            "examples": [json_value(cell) for cell in self.examples],
            "otherwise": None if self.otherwise is None else _as_data(self.otherwise),
        }


@dataclass(frozen=True)
class ColumnGain:
    """What one more column would allow, and how it is named."""

    role: str
    allows: str
    way: Remedy


@dataclass(frozen=True)
class VariableDiagnosis:
    """Of one variable: what fits it, what does not and why, and what it would take to say more of it."""

    variable: Any  # None where there is one
    answers: str
    level: str | None  # that somebody declared
    labels: tuple[Any, ...]
    fits: tuple[str, ...]
    does_not: Mapping[str, str]
    questions: tuple[Message, ...] = ()  # what only the user knows

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "variable": json_value(self.variable),
            "answers": self.answers,
            "level": self.level,
            "labels": [json_value(label) for label in self.labels],
            "fits": list(self.fits),
            "does_not": dict(self.does_not),
            "questions": list(map(str, self.questions)),
        }


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """All of it; `problem` says why there is no study, where there is none."""

    name: str
    recognised: str
    why: str
    columns: tuple[ColumnTaken, ...]
    study: Study | None
    problem: AccordError | None
    variables: tuple[VariableDiagnosis, ...] = ()
    who: str = ""
    gains: tuple[ColumnGain, ...] = ()

    def to_table(self) -> Table:
        """A row per column."""
        return Table(
            "Columns",
            {
                "column": [column.name for column in self.columns],
                "taken for": [column.taken_for for column in self.columns],
                "why": [column.why for column in self.columns],
                "for example": [", ".join(map(_short, column.examples)) for column in self.columns],
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("diagnosis"),
            "name": self.name,
            "recognised": self.recognised,
            "why": self.why,
            "columns": [column.to_dict() for column in self.columns],
            "study": None if self.study is None else self.study.describe().to_dict(),
            "problem": None if self.problem is None else self.problem.to_dict(),
            "variables": [variable.to_dict() for variable in self.variables],
            "who": self.who,
            "gains": [{"role": one.role, "allows": one.allows, "way": _as_data(one.way)} for one in self.gains],
        }


def diagnose(path: str | Path | Sequence[str | Path], **options: Any) -> Diagnosis:
    r"""Read a file as `accord.read` does, and tell what each part of it was taken for.

    Args:
        path: As for `accord.read`.
        **options: The keywords of `accord.read`.

    Returns:
        A `Diagnosis`. A file that cannot be a study as it stands has one too: `problem` says why, and `columns` what
        there is.

    Raises:
        FileError: If there is no such file, or it cannot be opened.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "x.csv"
    >>> _ = path.write_text("unit,coder,category\n1,ana,yes\n1,ben,no\n")
    >>> [column.taken_for for column in diagnose(path).columns]
    ['the item', 'the annotator', 'the label']
    """
    database = address_among(path, options.get("table"), options.get("query"))
    if database is not None:
        name, kind = database.called, "database"
        study, problem = _read(path, options)
        sheet = first_rows(database, options.get("table"), options.get("query"))
    else:
        paths = [path] if isinstance(path, str | Path) else path
        sources = [Source(one, encoding=options.get("encoding")) for one in paths]
        more = f" and {len(sources) - 1} more" if len(sources) > 1 else ""
        name, kind = f"{sources[0].path.name}{more}", sources[0].kind
        study, problem = _read(sources, options)  # as they are: a pipe cannot be opened again
        sheet = _sheet(sources, options) if study is None or not study.notes or _is_table(study) else None
    recognised, why = _recognised(study, kind)
    roles = _roles(study, sheet, options)
    columns = tuple(_column(one, _Cells(study, sheet), study, roles, options) for one in _Cells(study, sheet).names)
    beside = _beside_names(study, sheet)
    columns = tuple(
        ColumnTaken(one.name, beside[one.name], BY_NAME, one.examples) if one.name in beside else one for one in columns
    )
    if sheet is None:  # nothing of an export can be chosen
        columns = tuple(replace(column, why=BY_FORMAT, otherwise=None) for column in columns)
    if study is None:
        return Diagnosis(name, recognised, why, columns, None, problem)
    variables = tuple(_variable(task, part) for task, part in _parts(study).items())
    return Diagnosis(name, recognised, why, columns, study, None, variables, _who(study), tuple(_gains(study, roles)))


def _read(path: Any, options: Mapping[str, Any]) -> tuple[Study | None, AccordError | None]:
    try:
        return read(path, **options), None
    except InputError as problem:
        return None, problem


def _is_table(study: Study) -> bool:
    return format_of(study) is None


def _recognised(study: Study | None, kind: str) -> tuple[str, str]:
    """What it was read as, and what was seen that says so."""
    if study is None:
        return f"a {kind}", "it cannot be read as annotations as it stands"
    format_note = next((note for note in study.notes if isinstance(note, FormatNote)), None)
    if format_note is not None:
        return f"{format_note.found.format}: {study.shape}", format_note.found.why
    return study.shape, "no tool's export, so its columns tell"


def _sheet(sources: Sequence[Source], options: Mapping[str, Any]) -> Sheet | None:
    """The table as it lies in the file, before any column was chosen."""
    from accord.readers import table_file
    from accord.readers.read_options import check_delimiter

    source = sources[0]
    if source.only is None:
        return None
    known = ("decimal", "quote", "header", "sheet", "records", "encoding")
    try:
        as_given = ReadOptions(
            **{key: options[key] for key in known if key in options},
            delimiter=check_delimiter(options.get("delimiter")),
        )
        return table_file.load(source, source.only, as_given)
    except AccordError:
        return None


class _Cells:
    """Cells by column: of the file; of an export, every field that is kept."""

    def __init__(self, study: Study | None, sheet: Sheet | None) -> None:
        self._cells: dict[str, list[Any]] = {}
        if sheet is not None:
            self._cells = {name: sheet.first_cells(name) for name in sheet.columns}
        elif study is not None and study._frame is not None:
            self._cells = {name: study._frame.cells(name) for name in study._frame.columns}

    @property
    def names(self) -> list[str]:
        return list(self._cells)

    def examples(self, name: str) -> tuple[Any, ...]:
        found = [cell for cell in self._cells[name] if cell is not None and cell != ""]
        return tuple(dict.fromkeys(cell if isinstance(cell, str | int | float) else str(cell) for cell in found))[
            :SHOWN
        ]

    def constant_within(self, name: str, other: str | None) -> bool:
        """Has every value of another column one value of this one, and is there more than one in all?"""
        if other is None or other not in self._cells or name == other:
            return False
        seen: dict[Any, Any] = {}
        pairs = [
            (key, cell) for key, cell in zip(self._cells[other], self._cells[name], strict=True) if cell is not None
        ]
        same = all(seen.setdefault(str(key), str(cell)) == str(cell) for key, cell in pairs)
        return same and len(pairs) > len(seen)


def _roles(study: Study | None, sheet: Sheet | None, options: Mapping[str, Any]) -> dict[str, str]:
    """The role that each column plays, by the name of the column."""
    found = {role: name for role, name in options.items() if role in ROLES}
    if study is not None:
        held = {role: name for role, name in study.roles.items() if sheet is None or name in sheet.columns}
        found = {**held, **found}
    if sheet is not None and len(found) < 3:
        from accord.study.tables.column_roles import roles_by_name
        from accord.study.tables.wide_tables import item_column

        with suppress(AccordError):  # two columns for one role, which the problem tells
            named = roles_by_name(sheet, ReadOptions(roles=found))
            if study is not None and Trait.COLUMN_EACH in study._traits:  # whose answers stand in columns of their own
                item = item_column(sheet)
                named = {role: name for role, name in named.items() if role in OF_ITEMS}
                named |= {} if item is None else {"item": item}
            found = {**named, **found}
    flat = {}
    for role, name in found.items():
        for one in name if isinstance(name, list | tuple) else [name]:
            flat[str(one)] = role
    return flat


def _column(
    name: str, table: _Cells, study: Study | None, roles: Mapping[str, str], options: Mapping[str, Any]
) -> ColumnTaken:
    examples = table.examples(name)
    values = {str(one) for value in options.values() for one in (value if isinstance(value, list | tuple) else [value])}
    wide = study is not None and Trait.COLUMN_EACH in study._traits
    people = (
        {who for part in _parts(study).values() for who in part.annotators} if study is not None and wide else set()
    )
    if study is not None and wide and (found := _of_family(name, people, study.tasks)) is not None:
        return ColumnTaken(name, "{1} by {0}".format(*found), BY_NAME, examples, remedy(annotators=[...]))
    if name in people:
        return ColumnTaken(name, "the answers of an annotator", BY_CONTENT, examples, remedy(annotators=[...]))
    if (taken := _of_somebody(name, people, table.names) or _within_cells(name, study)) is not None:
        return ColumnTaken(name, taken, BY_NAME, examples)
    if name in roles:
        role = roles[name]
        why = BY_OPTION if name in values else BY_NAME
        words = f"a variable: {name}" if study is not None and name in study.tasks and role != name else f"the {role}"
        return ColumnTaken(name, words, why, examples, remedy(**{role: ...}))
    if study is not None and name in study.tasks:
        return ColumnTaken(name, f"a variable: {name}", BY_CONTENT, examples, remedy(label=...))
    item = next((column for column, role in roles.items() if role == "item"), None)
    who = next((column for column, role in roles.items() if role == "annotator"), None)
    if not examples:
        return ColumnTaken(name, "nothing: it is empty", BY_CONTENT, examples)
    if people or table.constant_within(name, item):
        return ColumnTaken(name, "something about items; it can make groups", BY_CONTENT, examples, remedy(by=name))
    if table.constant_within(name, who):
        return ColumnTaken(
            name, "something about annotators; it can make groups", BY_CONTENT, examples, remedy(by=name)
        )
    return ColumnTaken(
        name, "something about single answers; kept, and not measured", BY_CONTENT, examples, remedy(label=name)
    )


def _of_somebody(name: str, people: Iterable[str], columns: Sequence[str]) -> str | None:
    """What a column of one annotator holds, where its name is made of the annotator's and another word."""
    for who in people:
        apart = re.fullmatch(rf"{re.escape(who)}[\W_]+(.+)|(.+?)[\W_]+{re.escape(who)}[)\]]?", name)
        rest = column_names.plain(apart[1] or apart[2]) if apart else ""
        if rest in column_names.ASIDE:
            return f"{column_names.ASIDE[rest]}, beside the answers of {who}"
        if rest and who not in columns:
            return f"the answers of {who}"
    return None


def _within_cells(name: str, study: Study | None) -> str | None:
    """What cells with several annotations hold."""
    if study is None or Trait.SEVERAL_IN_A_CELL not in study._traits:
        return None
    if column_names.lists_people(name):
        return "who answered, several in a cell"
    return "the answers, several in a cell" if column_names.plain(name) in column_names.LISTED_LABELS else None


def _beside_names(study: Study | None, sheet: Sheet | None) -> dict[str, str]:
    """What columns hold that name the annotators of others: Score1 is what somebody said whom TurkId1 names."""
    if study is None or sheet is None or Trait.COLUMN_EACH not in study._traits:
        return {}
    from accord.study.tables.column_families import family_of

    found: dict[str, str] = {}
    with suppress(AccordError):
        family = family_of(sheet, sheet.columns)
        for place, who in (family.names if family is not None else {}).items():
            answers = [family.columns[place, one] for one in family.variables] if family is not None else []
            found |= dict.fromkeys(answers, f"the answers of those whom {who!r} names")
            found[who] = f"who gave the answers in {listing(answers)}"
    return found


def _of_family(name: str, people: Iterable[str], variables: Iterable[Any]) -> tuple[str, str] | None:
    """The annotator and the variable that the name of a column is made of: tone_R1, ana.tone."""
    for who in people:
        for variable in map(str, variables):
            left = len(name) - len(who) - len(variable)
            ends = (
                (name.startswith(who) and name.endswith(variable)),
                (name.startswith(variable) and name.endswith(who)),
            )
            if left in (0, 1) and any(ends):
                return who, variable
    return None


def _variable(task: Any, part: Study) -> VariableDiagnosis:
    """What fits a variable and what does not; and what its labels leave open."""
    from accord.measures.measure_all import measure
    from accord.measures.registered import MEASURES

    labels = () if part.kind == "score" else tuple(part.labels)
    try:
        found = measure(part)
    except MeasureError as refusal:
        return VariableDiagnosis(task, part.kind, part.level, labels, (), {"every measure": str(refusal)})
    if not found.measurable:
        why = found.recommended.undefined if part.tally().n_compared else found.reason
        return VariableDiagnosis(
            task, part.kind, part.level, labels, (), {"every measure": str(why)}, tuple(_questions(part))
        )
    fits = tuple(result.title for result in found)
    does_not = {MEASURES[name].title: why for name, why in found.left_out.items()}
    open_questions = [replace(one, variable=task).message for one in found.open]
    note = None if any(one.looks.but_for for one in found.questions) else code_note(part, task)
    questions = (*open_questions, *([] if note is None else [Message(note, ".")]), *_questions(part))
    return VariableDiagnosis(task, part.kind, part.level, labels, fits, does_not, questions)


def _questions(part: Study) -> Iterable[Message]:
    if part.kind == "single" and any("|" in str(label) or ";" in str(label) for label in part.labels):
        words = "Some labels look like several in one cell. If they are, say what stands between them: "
        yield Message(words, remedy(separator=...), ".")


def _parts(study: Study) -> dict[Any, Study]:
    """The variables of a study; None is the only one."""
    return dict(study.tasks) or {None: study}


def _who(study: Study) -> str:
    """How many answered, and what they are."""
    first = next(iter(study.tasks.values()), study)
    if not first._annotations.named:
        return "Nobody is named: only how many gave each label is known."
    people = sorted({str(who) for part in _parts(study).values() for who in part.annotators})
    words = f"{counted(len(people), 'annotators')}: {listing(people, most=6)}."
    kinds = {name: kind for part in _parts(study).values() for name, kind in part.kinds.items()}
    by_kind = {kind: sorted(name for name, one in kinds.items() if one == kind) for kind in sorted(set(kinds.values()))}
    models = [f"{kind}: {listing(names, most=6)}" for kind, names in by_kind.items()]
    return f"{words} By kind, {'; '.join(models)}." if models else words


def _gains(study: Study, roles: Mapping[str, str]) -> Iterable[ColumnGain]:
    first = next(iter(study.tasks.values()), study)
    held = {*study.roles, *roles.values()} | ({"annotator"} if first._annotations.named else set())
    for role, allows in ALLOWS.items():
        if role not in held:
            yield ColumnGain(role, allows, remedy(**{role: ...}))


def _short(cell: Any) -> str:
    text = " ".join(str(cell).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _as_data(way: Remedy) -> dict[str, Any]:
    return {
        name: json_value(value) if not isinstance(value, list) and value is not ... else "…"
        for name, value in way.options.items()
    }

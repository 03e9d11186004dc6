"""From a reader's rows to a study: what counts, what is set aside, and which kind of answers each task holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.answers import KINDS, LOCATED, Kind, Label, Level, answers_called, as_text
from accord.annotations.arrays import IntArray, has_twice
from accord.annotations.assemble import AnnotationRows
from accord.annotations.coded import CodedAnnotations
from accord.annotations.left_out import LeftOut, Reason
from accord.engine.frames import Categories, Columns
from accord.errors import (
    DuplicateAnswers,
    InputError,
    Keyword,
    LabelError,
    MayBeNames,
    Message,
    OptionError,
    Place,
    all_quoted,
    as_typed,
    at_item,
    one_of,
    quoted,
    remedy,
)
from accord.study.declared_scales import Scale
from accord.study.levels import ONLY
from accord.study.roles import COMPARED, ROLES
from accord.study.shapes.listed_marks import row_per_label
from accord.study.shapes.loaded import Loaded
from accord.study.shapes.long import PIECES, PLACES, Long, cleaned_cells
from accord.study.study import Study
from accord.study.tables.rows import STATUSES, SUBMITTED, ReadOptions, Rows, one_kind

OF_LABELS: tuple[Kind, ...] = ("single", "set", "ranked")  # each of which can be read as the others
MARKS: tuple[Kind, ...] = ("spans", "boxes")  # their labels alone: one of an item, or which it has somewhere


def study_of(rows: Rows, options: ReadOptions) -> Study:
    """The study of a reader's rows."""
    columns = dict(rows.columns)
    if not rows.length:
        reasons = (" (left out: ", _counted(rows.left_out), ")") if rows.left_out else ()
        raise InputError("The ", rows.shape, " holds no answers", *reasons, ".")
    for needed in ("item",) if rows.unnamed else ("item", "annotator"):
        if needed not in columns:
            raise InputError(
                "The ",
                rows.shape,
                f" names no {needed} for any of its {rows.length:,} rows. Fill it in.",
                option=Keyword(needed),
            )
    columns["item"] = same_type(columns["item"])
    if rows.unnamed:
        from accord.study.tables.unnamed_rows import study_of_unnamed

        return study_of_unnamed(rows, options, columns["item"])
    columns["annotator"] = [None if cell is None else str(cell) for cell in columns["annotator"]]
    columns.setdefault("label", [None] * rows.length)
    _mark_adjudicators(columns, options)
    _check_include(columns, options)
    return Study._from_loaded(_Collected(columns, rows, options).load())


def _counted(left_out: LeftOut) -> MayBeNames:
    """What was left out; a status that nobody knows may be somebody's name."""
    named, unnamed = (
        ", ".join(f"{number:,} {reason}" for reason, number in one.items()) for one in (left_out, left_out.unnamed())
    )
    return MayBeNames(named, unnamed)


def same_type(cells: list[Any]) -> list[Any]:
    """Ids and labels of one type: whole numbers if all are written so, else text if any is. A blank says nothing.

    NaN, which JSON of Python holds for what is missing, is nothing either; the text 'nan' is text.

    >>> same_type(["1", 2, None]), same_type(["01", 2]), same_type(["a", True]), same_type(["1", ""])
    ([1, 2, None], ['01', '2'], ['a', 'true'], [1, ''])
    >>> same_type(["a", float("nan"), "nan"])
    ['a', None, 'nan']
    """
    kinds = {type(cell) for cell in cells if cell is not None}
    if float in kinds:
        cells = [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in cells]
        kinds = {type(cell) for cell in cells if cell is not None}
    if kinds & {list, dict}:
        odd = next(cell for cell in cells if isinstance(cell, list | dict))
        raise LabelError("An item, an annotator and a label must be text or numbers; found ", quoted(odd), ".")
    if not kinds & {str}:
        return [_text_or_none(cell) for cell in cells] if bool in kinds else cells
    distinct = {cell for cell in cells if cell is not None and not (isinstance(cell, str) and not cell.strip())}
    numbers = {cell: _as_number(cell) for cell in distinct if not isinstance(cell, bool)}
    if len(numbers) == len(distinct) and all(number is not None for number in numbers.values()):
        return [numbers.get(cell, cell) for cell in cells]
    return cells if kinds == {str} else [_text_or_none(cell) for cell in cells]


def as_declared(cells: list[Any], declared: Sequence[Any]) -> list[Any]:
    """Labels as the declared scale has them, where it has them all: a file of text does not tell 1 from '1'.

    >>> as_declared([1, None, 2], ["2", "1"]), as_declared(["1", "2"], []), as_declared([1, 2, "x"], ["1"])
    (['1', None, '2'], [1, 2], ['1', '2', 'x'])
    """
    if not declared:
        return same_type(cells)
    known = {_text_or_none(label): label for label in declared}
    texts = [None if isinstance(cell, float) and math.isnan(cell) else _text_or_none(cell) for cell in cells]
    if all(text is None or text == "" or text in known for text in texts):
        return [known.get(text) for text in texts]
    return same_type([*declared, *cells])[len(declared) :]


def _as_number(cell: Any) -> int | float | None:
    """Text that is a number written in the usual way ('3', '-1', '2.5'), or a number; '007' and '1e3' stay text."""
    if not isinstance(cell, str):
        return cell if not isinstance(cell, float) or math.isfinite(cell) else None
    try:
        whole = int(cell)
        if str(whole) == cell:
            return whole
        return None
    except ValueError:
        pass
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) and repr(number) == cell else None


def _text_or_none(cell: Any) -> str | None:
    return None if cell is None else as_text(cell)


def _mark_adjudicators(columns: dict[str, list[Any]], options: ReadOptions) -> None:
    if not options.adjudicator:
        return
    people = set(columns["annotator"])
    unknown = [name for name in options.adjudicator if as_typed(name, str) not in people]
    if unknown:
        there = sorted(filter(None, people))
        raise OptionError(
            Keyword("adjudicator", unknown[0] if len(unknown) == 1 else unknown),
            " answered nothing; there are ",
            all_quoted(there),
            ".",
            available=there,
        )
    names = {str(name) for name in options.adjudicator}
    length = len(columns["annotator"])
    status = columns.get("status", [None] * length)
    kind = columns.get("kind", [None] * length)
    gold = [who in names for who in columns["annotator"]]
    columns["status"] = ["adjudicated" if mine else word for mine, word in zip(gold, status, strict=True)]
    columns["kind"] = ["adjudicator" if mine else word for mine, word in zip(gold, kind, strict=True)]


def _check_include(columns: dict[str, list[Any]], options: ReadOptions) -> None:
    """What is to count besides submitted answers is a status that there can be."""
    there = {str(status) for status in columns.get("status", ()) if status is not None}
    unknown = next((word for word in options.include if word not in {SUBMITTED, *STATUSES, *there}), None)
    if unknown is not None:
        raise OptionError.choice("include", unknown, sorted(there - {SUBMITTED}) or list(STATUSES), of_data=True)


class _Collected(Long):
    """A long table in accord's words, whose rows may be set aside and whose tasks differ in kind."""

    def __init__(self, columns: dict[str, list[Any]], rows: Rows, options: ReadOptions) -> None:
        self.options, self.rows = options, rows
        self.kinds = _kinds(columns, options)
        frame, given_row = Columns(columns), list[int]()
        n_rows, marks = len(frame), not set(LOCATED).isdisjoint(self.kinds.values())
        if marks and "label" in columns and frame.lists("label"):
            frame, given_row = row_per_label(frame, "label")
            columns = {name: frame.cells(name) for name in frame.columns}
        self.columns = columns
        if "score" in self.kinds.values():
            columns.setdefault("score", [None] * len(frame))
        roles = {role: role for role in ROLES if role in columns}
        first = next(iter(self.kinds.values()))
        super().__init__(Columns(columns), roles, options.labels, first, options.duplicates, options.cleaning)
        self.n_rows, self.given_row = n_rows, given_row
        self.kind_given = options.answers is not None or rows.says_kind
        self.left_out = rows.left_out | self.left_out

    def load(self) -> Loaded:
        """The annotations of one task, or of several."""
        if not len(self.annotation_rows.row):
            raise InputError(
                "No row of the ", self.rows.shape, " names both an item and an annotator.", option=Keyword("annotator")
            )
        used = self._used()
        tasks = self._tasks(used)
        frame = Columns(self.columns)  # which marks the rows that were set aside
        tasks = {name: replace(part, table=frame) for name, part in tasks.items()}
        self.cleaner.note_missing(self.left_out)
        shape, notes = self.rows.shape, (*self.rows.notes, *self.notes, *self.cleaner.notes())
        roles = {role: name for role, name in self.roles.items() if role != "task" or len(tasks) > 1}
        whole = next(iter(tasks.values())) if len(tasks) == 1 else None
        several = tasks if len(tasks) > 1 else {}
        levels = self._levels(list(tasks))
        traits = frozenset(self.rows.traits)
        return Loaded(whole, self.left_out, shape, self.n_rows, roles, several, notes, levels=levels, traits=traits)

    def _levels(self, tasks: list[Label]) -> dict[Label, Level]:
        """The levels that were declared with the labels."""
        kept = {name: scale.level for name in tasks if (scale := self._scale_of(name)) is not None}
        return {ONLY if len(tasks) == 1 else name: level for name, level in kept.items() if level is not None}

    def _scale_of(self, task: Label) -> Scale | None:
        """What was declared of a task; "" is the only variable."""
        return self.rows.scales.get(str(task), self.rows.scales.get(""))

    def _used(self) -> AnnotationRows:
        """The rows that count; the others are counted by their status."""
        if "status" not in self.columns:
            return self.annotation_rows
        status = self.columns["status"]
        include = {SUBMITTED, None, *self.options.include}
        aside: dict[str, int] = {}
        keep = np.ones(len(self.annotation_rows.row), dtype=np.bool_)
        sittings: set[tuple[Any, ...]] = set()
        for place, row in enumerate(self.annotation_rows.row.tolist()):
            status_word = status[row]
            if status_word in include:
                continue
            keep[place] = False
            sitting = (status_word, *self._sitting(row))
            if sitting not in sittings:
                sittings.add(sitting)
                aside[status_word] = aside.get(status_word, 0) + 1
        for status_word, number in sorted(aside.items()):
            known = STATUSES.get(status_word)
            self.left_out.add(known or Reason.OTHER_STATUS, number, "" if known else quoted(status_word))
        if not keep.any():
            raise InputError(
                "No answer of the ",
                self.rows.shape,
                " counts (left out: ",
                _counted(self.left_out),
                "). Count some with ",
                remedy(include=[...]),
                ".",
            )
        return self.annotation_rows.where(keep)

    def _sitting(self, row: int) -> tuple[Any, ...]:
        """What makes the rows of one sitting one; without ids of sittings, one answer to one task."""
        columns = self.columns
        if "annotation" in columns and columns["annotation"][row] is not None:
            return tuple(columns[name][row] for name in ("item", "annotator", "annotation"))
        if columns["answers"][row] in ("single", "score"):
            return (row,)
        return tuple(columns[name][row] for name in ("item", "annotator", "task") if name in columns)

    def _tasks(self, used: AnnotationRows) -> dict[Label, CodedAnnotations]:
        names = _of_rows(self.columns.get("task"), used)
        number, codes = _numbered(["" if name is None else name for name in names])
        if self.options.only is not None:
            if self.options.only not in number:
                raise OptionError.choice("only", self.options.only, sorted(map(str, number)), of_data=True)
            number = {self.options.only: number[self.options.only]}
        found: dict[Label, CodedAnnotations] = {}
        for name in sorted(number, key=str):
            chosen = used.where(codes == number[name])
            self.kind = self.kinds.get(name or None, self.kinds.get(name, "single"))
            self.scale = self._scale_of(name)
            found[name] = self._assemble(self._one_sitting(chosen, name), self._of_nobody.get(name, ()))
        return found

    @cached_property
    def _of_nobody(self) -> dict[Label, list[Any]]:
        """By task, the labels in rows without an item or an annotator: a word among them makes all labels text."""
        found: dict[Label, list[Any]] = {}
        if "label" not in self.columns:
            return found
        tasks = self.columns.get("task", [None] * len(self.columns["item"]))
        of_nobody = np.ones(len(tasks), dtype=np.bool_)
        of_nobody[self.annotation_rows.row] = False
        for row in np.nonzero(of_nobody)[0].tolist():
            if not isinstance(cell := self.columns["label"][row], list | dict):
                found.setdefault("" if tasks[row] is None else tasks[row], []).append(cell)
        return found

    def _one_sitting(self, chosen: AnnotationRows, task: Label) -> AnnotationRows:
        """Where an annotator sat down to an item more than once: one of the sittings, or an error."""
        ids = self.columns.get("annotation")
        if ids is None:
            if self.options.duplicates not in ("first", "last") or self.kind not in ("single", "score"):
                return chosen
            chosen = self._primary(chosen) if self.kind == "single" else chosen  # a secondary label is no second answer
            answered = self.columns["score" if self.kind == "score" else "label"]
            spoken = np.array([answered[row] is not None for row in chosen.row.tolist()], dtype=np.bool_)
            self.left_out.add(Reason.NO_ANSWER, int((~spoken).sum()))
            chosen = chosen.where(spoken)
            ids = list(range(len(self.columns["item"])))  # every row is a sitting of its own
        again = _sat_again(chosen, ids)
        if not again:
            return chosen
        if self.options.duplicates == "repeat":
            if self.kind in ("single", "score"):
                return chosen
            raise OptionError(
                Keyword("duplicates", "repeat"),
                " is for single labels and scores; ",
                quoted(task),
                f" holds {answers_called(self.kind)}.",
            )
        if self.options.duplicates == "error":
            self._refuse(chosen, again, task)
        return self._keep_one(chosen, again, ids)

    def _refuse(self, chosen: AnnotationRows, again: dict[int, dict[Any, int]], task: Label) -> None:
        place = next(iter(next(iter(again.values())).values()))
        item, who = chosen.names.items[chosen.item[place]], chosen.names.annotators[chosen.annotator[place]]
        raise DuplicateAnswers(
            "Annotator ",
            quoted(who),
            " annotated item ",
            at_item(item),
            " more than once",
            *((" in task ", quoted(task)) if task else ()),
            f", and there are {len(again)} such pairs. Say which counts: ",
            remedy(duplicates=one_of("last", "first", "repeat")),
            " (all of them).",
            place=Place(item=item, annotator=who),
        )

    def _keep_one(self, chosen: AnnotationRows, again: dict[int, dict[Any, int]], ids: list[Any]) -> AnnotationRows:
        time = self.columns.get("time")
        keep_id: dict[int, Any] = {}
        for key, found in again.items():
            order = sorted(found, key=lambda sitting: self._moment(chosen, found[sitting], time))
            keep_id[key] = order[-1] if self.options.duplicates == "last" else order[0]
        status = self.columns.setdefault("status", [None] * len(self.columns["item"]))
        keep = np.ones(len(chosen.row), dtype=np.bool_)
        for place, (key, row) in enumerate(zip(chosen.key.tolist(), chosen.row.tolist(), strict=True)):
            if key in keep_id and ids[row] != keep_id[key]:
                keep[place] = False
                status[row] = "repeated"
        self.left_out.add(Reason.REPEATED, sum(len(found) - 1 for found in again.values()))
        return chosen.where(keep)

    def _moment(self, chosen: AnnotationRows, place: int, time: list[Any] | None) -> tuple[str, int]:
        """When a sitting was; by the order in the file where no time is told."""
        moment = "" if time is None else time[int(chosen.row[place])]
        return (f"{moment:020.6f}" if isinstance(moment, int | float) else str(moment or ""), place)

    def _assemble(self, sayings: AnnotationRows, of_nobody: Sequence[Any] = ()) -> CodedAnnotations:
        """Labels are read task by task: one task's ratings do not make another's topics text."""
        cells = self.columns.get("label", [])
        length = len(self.columns["item"])
        if self.kind == "score":
            score: list[Any] = [None] * length
            for row in sayings.row.tolist():
                score[row] = self.columns["score"][row] if "score" in self.columns else None
            if self.cleaner:
                score = cleaned_cells(self.cleaner, score)
            runs = {"run": self.columns["run"]} if "run" in self.columns else {}
            self.frame = Columns({"score": score, **runs})
            return self._scores(sayings)
        declared = [] if self.scale is None or self.options.labels is not None else list(self.scale.labels)
        cells_of_task = [*_of_rows(cells, sayings), *of_nobody]
        cleaned = self.cleaner.column(cells_of_task) if self.cleaner else cells_of_task
        typed = as_declared(cleaned, declared)[: len(sayings.row)]
        label: list[Any] = typed if sayings.whole else [None] * length
        if not sayings.whole:
            for row, cell in zip(sayings.row.tolist(), typed, strict=True):
                label[row] = cell
        scale: Categories | None = None
        if self.scale is not None and declared:
            scale = self._with_strangers(declared, typed), self.scale.order
        self.frame = _OneTask(self._with_places(), label, scale)
        with self.cleaner.done():  # once: what was recoded is not recoded again
            return super()._assemble(sayings)

    def _with_places(self) -> dict[str, list[Any]]:
        """The columns, and empty ones for places that nobody marked."""
        nowhere: list[Any] = [None] * len(self.columns["item"])
        return dict.fromkeys(PLACES.get(self.kind, ()), nowhere) | self.columns

    def _with_strangers(self, declared: list[Any], used: list[Any]) -> list[Any]:
        """The declared labels, and after them those that are used all the same."""
        if set(used) - {None, ""} <= set(declared):
            return declared
        given = same_type([*declared, *used])
        strangers = sorted(set(given) - set(given[: len(declared)]) - {None, ""}, key=str)
        if strangers:
            self.rows.note(Message("used and not declared: ", all_quoted(strangers, 5)))
        return [*dict.fromkeys(given[: len(declared)]), *strangers]


class _OneTask(Columns):
    """The table with one task's labels."""

    def __init__(self, columns: dict[str, list[Any]], label: list[Any], scale: Categories | None) -> None:
        places = (name for names in PLACES.values() for name in names)
        needed = ("item", "annotator", *COMPARED, "rank", "run", PIECES, *places)
        super().__init__({**{name: columns[name] for name in needed if name in columns}, "label": label})
        self._scale = scale

    def categories(self, name: str) -> Categories | None:
        """The declared labels, and what their order is."""
        return self._scale if name == "label" else None

    def lists(self, name: str) -> bool:
        """Readers write a row for each label."""
        return False


def _of_rows(cells: list[Any] | None, rows: AnnotationRows) -> list[Any]:
    """The cells of a column in these rows; missing ones where there is no column."""
    if cells is None:
        return [None] * len(rows.row)
    return cells if rows.whole else [cells[row] for row in rows.row.tolist()]


def _numbered(cells: list[Any]) -> tuple[dict[Any, int], IntArray]:
    """The different cells with a number each, in the order in which they come, and the number of every cell."""
    number = {cell: place for place, cell in enumerate(dict.fromkeys(cells))}
    return number, np.fromiter(map(number.__getitem__, cells), dtype=np.int64, count=len(cells))


def _sat_again(chosen: AnnotationRows, ids: list[Any]) -> dict[int, dict[Any, int]]:
    """Of each annotator who sat down to an item more than once: the sittings, and the first place of each."""
    key = chosen.key
    if not has_twice(key, len(chosen.names.items) * max(len(chosen.names.annotators), 1)):
        return {}
    mine = _of_rows(ids, chosen)
    sitting = _numbered(mine)[1]
    order = np.argsort(key, kind="stable")
    other = (key[order][1:] == key[order][:-1]) & (sitting[order][1:] != sitting[order][:-1])
    again: dict[int, dict[Any, int]] = {}
    for place in np.flatnonzero(np.isin(key, key[order][1:][other])).tolist():
        again.setdefault(int(key[place]), {}).setdefault(mine[place], place)
    return again


def _kinds(columns: dict[str, list[Any]], options: ReadOptions) -> dict[Any, Kind]:
    """What kind of answers each task holds, as the reader or the caller says."""
    length = len(columns["item"])
    names = columns.get("task", [None] * length)
    answers = columns.get("answers", ["single"] * length)
    found: dict[Any, set[str]] = {}
    for name, kind in dict.fromkeys(zip(names, answers, strict=True)):
        found.setdefault(name, set()).add(kind or "single")
    kinds: dict[Any, Kind] = {}
    for name, several in found.items():
        kind = one_kind(name, several)
        if kind not in KINDS:
            raise InputError("The column 'answers' must hold ", all_quoted(KINDS), "; found ", quoted(kind), ".")
        kinds[name] = kind
        if options.answers is not None and kind in (
            *OF_LABELS,
            *(MARKS if options.answers in ("single", "set") else ()),
        ):
            kinds[name] = options.answers
    if options.answers is not None and options.answers not in kinds.values():
        there = sorted(set(kinds.values()))
        raise OptionError(
            Keyword("answers", options.answers), " cannot be: the answers are ", all_quoted(there), ".", available=there
        )
    columns["answers"] = [kinds[name] for name in names]
    return kinds

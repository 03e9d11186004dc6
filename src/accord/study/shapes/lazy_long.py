"""Long tables that stay in their engine: what must be known of them is asked in a few group-bys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.answers import FAILED, Answers, Kind, Label, canonical, scale_of, tidy_label
from accord.annotations.assemble import Duplicates, score_answers
from accord.annotations.cleaning import NO_CLEANING, Cleaner, Cleaning
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import code, numbers_of
from accord.annotations.left_out import LeftOut, Reason
from accord.engine.lazy_annotations import LazyAnnotations, RoleColumns
from accord.errors import (
    ColumnMissing,
    DuplicateAnswers,
    InputError,
    Keyword,
    Place,
    at_column,
    at_item,
    keyword,
    quoted,
    remedy,
)
from accord.options import reporter
from accord.study.shapes.loaded import Loaded
from accord.study.shapes.long import Long, cleaned_cells, empty_tasks
from accord.study.shapes.packed_labels import PackedLabels

if TYPE_CHECKING:
    from accord.engine.lookup import Lookup
    from accord.engine.scan import Scan

MOST_TASKS = 200
MOST_SCORES = 200_000  # different scores that are added up in an engine


class LazyLong:
    """Reads a lazy long table: label list, annotator list, what is missing, whether answers repeat."""

    def __init__(
        self,
        scan: Scan,
        roles: Mapping[str, str],
        labels: Sequence[Any] | None,
        answers: Kind | None,
        duplicates: Duplicates,
        cleaning: Cleaning = NO_CLEANING,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.progress = reporter(progress, "")
        self.labels, self.duplicates, self.cleaner = labels, duplicates, Cleaner(cleaning)
        self.kind: Kind = answers or ("ranked" if "rank" in roles else "single" if "label" in roles else "score")
        self.answer = "score" if self.kind == "score" else "label"  # the role of the column with the answers
        self.roles = {"rank": "rank", **roles} if self.kind == "ranked" else roles
        if self.kind == "ranked" and self.roles["rank"] not in scan.columns:
            raise ColumnMissing("rank", self.roles["rank"], scan.columns)
        self.whole = self.behind = scan  # the rows that count, and all of them
        self.left_out = LeftOut()
        self.rows = 0

    @classmethod
    def fits(cls, scan: Scan, roles: Mapping[str, str], answers: Kind | None, duplicates: Duplicates) -> bool:
        """Can this be reduced in the engine? Scores, spans, lists in cells and runs of sets are read into memory
        instead.
        """
        label = roles.get("label")
        if label is None or scan.holds_lists(label) or duplicates in ("first", "last"):
            return False
        if "run" in roles and (answers or "rank" in roles) not in (False, "single"):
            return False
        located = "token" in roles or {"start", "end"} <= set(roles) or {"first", "second"} <= set(roles)
        return answers in (None, "single", "set", "ranked") and not located

    @classmethod
    def fits_scores(cls, scan: Scan, roles: Mapping[str, str], answers: Kind | None, duplicates: Duplicates) -> bool:
        """Can scores be added up in the engine? Numbers, of so many values that each can be named."""
        score = roles.get("score")
        wanted = answers == "score" or (answers is None and "label" not in roles)
        if score is None or not wanted or duplicates in ("first", "last") or not scan.holds_numbers(score):
            return False
        return scan.different(score) <= MOST_SCORES

    def load(self) -> Loaded:
        """One variable, or several."""
        from accord.engine.frames import refuse_empty

        self._set_failed_aside()
        if "task" not in self.roles:
            part = self._part(self.whole, behind=self.behind)
            return self._loaded(part, {})
        name = self.roles["task"]
        counts = self.whole.tidied([name]).counted(name)
        tasks = sorted((row[0] for row in counts if tidy_label(row[0]) is not None), key=str)
        if not tasks:
            refuse_empty(_total(counts), self.whole.columns)
            raise empty_tasks(name)
        if len(tasks) > MOST_TASKS:
            raise InputError(
                "The task column ",
                quoted(name),
                f" has {len(tasks):,} values; at most {MOST_TASKS} are variables. Leave ",
                keyword("task"),
                " out if it says something else.",
            )
        parts = {task: self._part(self.whole.where(name, task), behind=self.behind.where(name, task)) for task in tasks}
        self._count_taskless(name, tasks, sum(int(row[-1]) for row in counts if tidy_label(row[0]) is None))
        return self._loaded(None, parts)

    def _count_taskless(self, name: str, tasks: Sequence[Label], number: int) -> None:
        """Rows of no variable are left out, those without an item or an annotator as such."""
        if number:
            rows = _Rows(self.whole.without(name, tasks), (self.roles["item"], self.roles["annotator"]))
            self.left_out.add(Reason.NO_TASK, _total(self._with_ids(rows)[1]))
            self.rows += number

    def _loaded(self, whole: LazyAnnotations | None, tasks: Mapping[Label, LazyAnnotations]) -> Loaded:
        self.cleaner.note_missing(self.left_out)
        notes = tuple(self.cleaner.notes())
        return Loaded(whole, self.left_out, "lazy table", self.rows, self.roles, tasks, notes)

    def _set_failed_aside(self) -> None:
        """Answers that a model did not give, or not so that they can be read, are missing whatever the label says."""
        name = self.roles.get("status")
        if name is None:
            return
        failed = {value: int(rows) for value, rows in self.whole.tidied([name]).counted(name) if value in FAILED}
        for value, rows in failed.items():
            self.left_out.add(FAILED[value], rows)
            self.rows += rows
        if failed:
            self.whole = self.whole.without(name, list(failed))

    def _part(self, table: Scan, behind: Scan, scale: Answers | None = None) -> LazyAnnotations:
        """The annotations of one variable, as they stand in the engine; `scale` is that of a larger table."""
        from accord.engine.frames import refuse_empty

        item, annotator, label = (self.roles[role] for role in ("item", "annotator", self.answer))
        rows = _Rows(table, (item, annotator, label, *([self.roles["rank"]] if self.kind == "ranked" else [])))
        counts = rows.scan.counted(label)
        total = _total(counts)
        refuse_empty(total, table.columns)
        self.rows += total
        rows, annotator_counts = self._with_ids(rows)
        if rows.filtered:
            counts = rows.scan.counted(label)
        labelled = [row for row in counts if row[0] is not None]
        raw, labels = [row[0] for row in labelled], self._labels(labelled)
        answers, place = self._coded(table, raw, labels, scale)
        missing = {row[0]: int(row[-1]) for row in counts if row[0] is None or place[row[0]] < 0}
        if self.kind != "set" and missing:  # an empty row of a set is the empty set
            self.left_out.add(Reason.NO_ANSWER, sum(missing.values()))
            rows = rows.without(label, list(missing))
            annotator_counts = rows.scan.counted(annotator)
        raw_annotators, annotators = _named(annotator_counts)
        if self.kind in ("single", "score"):
            columns = RoleColumns(item, annotator, label)
            given, answer_rows = _total(counts) - sum(missing.values()), rows.with_columns
        else:
            grouped = self._grouped(rows, answers, place, known=scale is not None)
            answers, columns, place = grouped.answers, grouped.columns, grouped.codes
            given, answer_rows = grouped.number, grouped.with_columns
        annotations = LazyAnnotations(
            answers, annotators, given, answer_rows(()), columns, place, raw_annotators,
            _Source(self, table, behind, answers, answer_rows), self.progress,
            no_repeats=self.kind not in ("single", "score"),
        )  # fmt: skip
        if (
            self.kind in ("single", "score")
            and self.duplicates == "error"
            and annotations.repeated
            and not self._of_runs(rows)
        ):
            _refuse_repeats(annotations)
        return annotations

    def _of_runs(self, rows: _Rows) -> bool:
        """Is every second answer one of another run? Then it is a repeat, not a duplicate."""
        key = [self.roles[role] for role in ("item", "annotator", "run") if role in self.roles]
        return "run" in self.roles and not rows.with_columns((self.roles["run"],)).repeats(*key)

    def _with_ids(self, rows: _Rows) -> tuple[_Rows, list[Any]]:
        """The rows with an item and an annotator, and the annotators; the others are counted.

        Columns are read again without their gaps only where they have some: every column read costs time.
        """
        item, annotator = self.roles["item"], self.roles["annotator"]
        without_item = rows.scan.missing(item)
        if without_item:
            rows = rows.without(item, [None, *rows.scan.blank(item)])
            self.left_out.add(Reason.NO_ITEM, without_item)
        annotator_counts = rows.scan.counted(annotator)
        without_annotator = {row[0]: int(row[-1]) for row in annotator_counts if tidy_label(row[0]) is None}
        if without_annotator:
            rows = rows.without(annotator, list(without_annotator))
            self.left_out.add(Reason.NO_ANNOTATOR, sum(without_annotator.values()))
        return rows, [row for row in annotator_counts if row[0] not in without_annotator]

    def _grouped(self, rows: _Rows, labels: Answers, place: Mapping[Any, int], *, known: bool) -> _Grouped:
        """Sets and rankings: the labels of an item and annotator become integers, which then are the label.

        `known`: `labels` are the answers of a larger table; else they are the scale of single labels.
        """
        item, annotator, label = (self.roles[role] for role in ("item", "annotator", "label"))
        ranks = rows.scan.counted(self.roles["rank"]) if self.kind == "ranked" else []
        packed = PackedLabels(self.kind, labels.labels, place, ranks, self.roles)
        terms, checks = packed.terms(label), packed.checks(label)
        found = rows.scan.sums([item, annotator], {**terms, **checks}, rows=False).counted(*terms, *checks)
        members = [packed.read(tuple(map(int, row[:-3])), int(row[-3]), int(row[-2])) for row in found]
        answers = labels
        if not known:
            distinct = canonical(members)
            answers = Answers(self.kind, labels.labels, distinct, declared=labels.declared, order=labels.order)
        position = {held: number for number, held in enumerate(answers.members)}
        codes = {row[:-3]: position[held] for row, held in zip(found, members, strict=True)}
        return _Grouped(rows, (item, annotator), terms, answers, codes, sum(int(row[-1]) for row in found))

    def _labels(self, counts: list[Any]) -> list[Any]:
        """The labels of a column as they are to be read: cleaned where the caller asks for it."""
        raw = [row[0] for row in counts]
        if not self.cleaner:
            return raw
        return cleaned_cells(self.cleaner, raw, [int(row[-1]) for row in counts])

    def _coded(
        self, table: Scan, raw: list[Any], labels: list[Any], scale: Answers | None
    ) -> tuple[Answers, dict[Any, int]]:
        """The scale, and which label or score each cell is."""
        if self.kind == "score":
            return self._scores(raw, labels, scale)
        answers = self._scale(table, labels) if scale is None else scale
        return answers, dict(zip(raw, code(labels).onto(answers.labels).tolist(), strict=True))

    def _scores(self, raw: list[Any], cells: list[Any], scale: Answers | None) -> tuple[Answers, dict[Any, int]]:
        """The scores that there are, and which of them each cell is."""
        numbers = numbers_of(cells, at_column(self.roles["score"]))
        coded, found = score_answers(numbers, ~np.isnan(numbers), at_column(self.roles["score"]))
        if scale is None:
            return found, dict(zip(raw, coded.codes.tolist(), strict=True))
        there = np.append(np.searchsorted(scale.scores, found.scores), -1)
        return scale, dict(zip(raw, there[coded.codes].tolist(), strict=True))

    def _scale(self, table: Scan, labels: list[Any]) -> Answers:
        """The scale, declared by the caller or by an enumeration, or seen."""
        coded = code(labels)
        seen = [coded.values[place] for place in np.unique(coded.codes) if place >= 0]
        declared = self.labels
        if declared is None and (categories := table.categories(self.roles["label"])) is not None:
            declared = self.cleaner.labels(categories) if self.cleaner else categories
        return scale_of(seen, declared)


class _Source:
    """One variable of a lazy table, to be read again: with more columns, in part, or into memory."""

    def __init__(
        self,
        reader: LazyLong,
        table: Scan,
        behind: Scan,  # the same with the rows that do not count
        answers: Answers,
        with_columns: Callable[[tuple[str, ...]], Scan],
    ) -> None:
        self.reader, self.table, self.behind, self.answers = reader, table, behind, answers
        self._with_columns = with_columns

    def with_columns(self, columns: tuple[str, ...]) -> Scan:
        """The annotations with further columns of the table."""
        return self._with_columns(columns)

    def part(self, table: Scan) -> LazyAnnotations:
        """The annotations of some rows of the table, or of more columns, with the same answers."""
        cleaning = self.reader.cleaner.cleaning
        reader = LazyLong(table, self.reader.roles, self.reader.labels, self.reader.kind, "repeat", cleaning)
        return reader._part(table, table, self.answers)

    def to_memory(self) -> CodedAnnotations:
        """The annotations in memory, with the same answers."""
        return self._in_memory

    @cached_property
    def _in_memory(self) -> CodedAnnotations:
        from accord.engine.frames import Frame

        reader = self.reader
        roles = {role: name for role, name in reader.roles.items() if role != "task"}
        labels = list(self.answers.labels) if self.answers.declared else None
        frame = Frame.open(self.behind.collected(self.behind.columns))
        cleaning = reader.cleaner.cleaning
        whole = Long(frame, roles, labels, reader.kind, reader.duplicates, cleaning).load().annotations
        assert whole is not None
        return whole.to_memory()


class _Rows:
    """The rows of a table that count, with the columns that are needed and, when asked, with others."""

    def __init__(self, table: Scan, needed: tuple[str, ...], dropped: tuple[tuple[str, tuple[Any, ...]], ...] = ()):
        self.table, self.needed, self.dropped = table, needed, dropped
        self.scan = self._with(())

    def with_columns(self, columns: tuple[str, ...]) -> Scan:
        """With further columns."""
        return self._with(columns) if columns else self.scan

    def _with(self, columns: tuple[str, ...]) -> Scan:
        scan = self.table.tidied([*self.needed, *columns])
        for name, values in self.dropped:
            scan = scan.without_values(name, values)
        return scan

    def without(self, name: str, values: Sequence[Any]) -> _Rows:
        """Without the rows that have one of these values in a column."""
        return _Rows(self.table, self.needed, (*self.dropped, (name, tuple(values))))

    @property
    def filtered(self) -> bool:
        """Are some rows left out?"""
        return bool(self.dropped)


class _Grouped:
    """Sets or rankings in an engine: one row per item and annotator, their labels packed into integers."""

    def __init__(
        self,
        rows: _Rows,
        key: tuple[str, str],  # item and annotator
        terms: Mapping[str, Sequence[Lookup]],
        answers: Answers,
        codes: Mapping[tuple[Any, ...], int],  # which answer the integers are
        number: int,  # of answers
    ) -> None:
        self.rows, self.key, self.terms, self.answers, self.number = rows, key, terms, answers, number
        self.columns = RoleColumns(*key, "answer")
        self._codes, self._several = codes, len(terms) > 1
        self.codes: dict[Any, int] = (
            {answer: answer for answer in codes.values()}
            if self._several
            else {row[0]: answer for row, answer in codes.items()}
        )

    def with_columns(self, columns: tuple[str, ...]) -> Scan:
        """With further columns."""
        answers = self.rows.with_columns(columns).sums(self.key, self.terms, columns)
        return answers.coded(self.terms, self._codes) if self._several else answers


def _named(annotator_counts: list[Any]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Annotators as the engine calls them, and as we do, in canonical order."""
    raw = [row[0] for row in annotator_counts]
    coded = code(raw, what="annotator")
    if len(coded.values) < len(raw):
        raise InputError(
            "Some annotators' names differ only in how their letters are encoded; normalise them (NFC).",
            option=Keyword("annotator"),
        )
    order = np.argsort(coded.codes, kind="stable").tolist()
    return tuple(raw[place] for place in order), tuple(str(name) for name in coded.values)


def _refuse_repeats(annotations: LazyAnnotations) -> None:
    item, annotator = annotations.second_answer()
    raise DuplicateAnswers(
        "Annotator ",
        quoted(str(annotator)),
        " answered item ",
        at_item(item),
        " more than once. If an answer is several labels, say ",
        remedy(answers="set"),
        ". If these are repeats, say ",
        remedy(duplicates="repeat"),
        ", or keep one of each in the engine before reading. If the table holds several variables, name their column: ",
        remedy(task=...),
        place=Place(item=item, annotator=annotator),
    )


def _total(counts: list[Any]) -> int:
    """Rows in all."""
    return sum(int(row[-1]) for row in counts)

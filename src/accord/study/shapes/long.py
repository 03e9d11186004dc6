"""Long tables: one row per annotation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations import assemble
from accord.annotations.answers import (
    FAILED,
    LOCATED,
    PREFERENCE,
    Answers,
    Kind,
    Label,
    scale_of,
    tidy_number,
)
from accord.annotations.arrays import has_twice, used
from accord.annotations.assemble import Duplicates
from accord.annotations.cleaning import NO_CLEANING, Cleaner, Cleaning
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded, code, numbers_of
from accord.annotations.left_out import LeftOut, Reason
from accord.annotations.recognised_rankings import are_listed, are_rankings, numeric
from accord.annotations.written_orders import MAY_BE_ORDER, are_orders, orders_in, read_as_rankings
from accord.errors import (
    InputError,
    Keyword,
    LabelError,
    Message,
    OptionError,
    OwnWords,
    all_quoted,
    at_column,
    at_item,
    at_row,
    between,
    one_of,
    quoted,
    remedy,
)
from accord.study.roles import COMPARED
from accord.study.shapes.loaded import Loaded

if TYPE_CHECKING:
    from accord.engine.frames import Frame


# The columns that say where a mark lies.
PLACES: dict[Kind, tuple[str, ...]] = {
    "spans": ("start", "end"),
    "boxes": ("x", "y", "width", "height"),
    "relations": ("start", "end", "to_start", "to_end"),
}
FARTHEST = 2**53  # whole numbers up to here are told apart as places
PIECES = "fragments"  # the column with the pieces of discontinuous spans


LOOKED_AT = 20  # cells that tell whether labels may be orders at all


class Long:
    """Reads a long table: codes the columns once, then assembles the whole or each variable."""

    def __init__(
        self,
        frame: Frame,
        roles: Mapping[str, str],
        labels: Sequence[Any] | None,
        answers: Kind | None,
        duplicates: Duplicates,
        cleaning: Cleaning = NO_CLEANING,
    ) -> None:
        self.frame, self.roles, self.labels, self.duplicates = frame, roles, labels, duplicates
        self.cleaner = Cleaner(cleaning)
        self.left_out = LeftOut()
        self.notes: list[str] = []
        self.kind, self.kind_given = answers or self._kind(), answers is not None
        self._need_roles()
        self.n_rows, self.given_row = len(frame), list[int]()  # which row of the given table each is, where they differ
        if self.kind in LOCATED and frame.lists(roles["label"]):
            from accord.study.shapes.listed_marks import row_per_label

            frame, self.given_row = row_per_label(frame, roles["label"])
            self.frame = frame
        self.annotation_rows = assemble.read_rows(
            frame.code(roles["item"], what="item"), frame.code(roles["annotator"], what="annotator"), self.left_out
        )

    def _kind(self) -> Kind:
        if set(COMPARED) <= set(self.roles):
            return PREFERENCE
        if "rank" in self.roles:
            return "ranked"
        if "label" not in self.roles:
            return "score"
        if "start" in self.roles and "end" in self.roles:
            return "spans"
        if not self.frame.lists(self.roles["label"]):
            return "ranking" if self._are_written() else "single"
        return "ranking" if are_listed_rankings(self.frame, self.roles) else "set"

    def _are_written(self) -> bool:
        """Does every label name options in order, as in A > B = C?"""
        name = self.roles["label"]
        if not any(
            isinstance(cell, str) and MAY_BE_ORDER.search(cell) for cell in self.frame.first_cells(name, LOOKED_AT)
        ):
            return False
        items = self.frame.code(self.roles["item"], what="item").codes.tolist()
        found = are_orders(items, self._texts(name))
        self.notes += [read_as_rankings()] * found
        return found

    def _texts(self, name: str) -> list[Any]:
        """The cells of a column of text, cleaned where the caller asks for it."""
        return cleaned_cells(self.cleaner, self.frame.cells(name)) if self.cleaner else list(self.frame.cells(name))

    def _need_roles(self) -> None:
        needed = "score" if self.kind == "score" else "label"
        if needed not in self.roles:
            column = remedy(**{needed: ...})
            raise OptionError(Keyword("answers", self.kind), " needs ", column, ", the column to read them from.")
        missing = [role for role in COMPARED if role not in self.roles]
        if self.kind == PREFERENCE and missing:
            columns = between([remedy(**{role: ...}) for role in missing], " and ")
            raise OptionError(Keyword("answers", self.kind), " needs ", *columns, ", what was compared in each row.")

    def load(self) -> Loaded:
        """The annotations, of one variable or of several."""
        self._set_failed_aside()
        several = "task" in self.roles
        whole = None if several else replace(self._assemble(self.annotation_rows), table=self.frame)
        tasks = self._variables() if several else {}
        self.cleaner.note_missing(self.left_out)
        notes = (*self.notes, *self.cleaner.notes())
        return Loaded(whole, self.left_out, "long table", self.n_rows, self.roles, tasks, notes)

    def _set_failed_aside(self) -> None:
        """Answers that a model did not give, or not so that they can be read, are missing whatever the label says."""
        if "status" not in self.roles:
            return
        status = self.frame.code(self.roles["status"], what="status")
        codes = self.annotation_rows.of(status.codes)
        keep = np.ones(len(codes), dtype=np.bool_)
        for place, value in enumerate(status.values):
            if value in FAILED:
                failed = codes == place
                self.left_out.add(FAILED[str(value)], int(failed.sum()))
                keep &= ~failed
        if not keep.any() and len(keep):
            raise InputError("No answer of the table counts (left out: ", all_quoted(self.left_out), ").")
        self.annotation_rows = self.annotation_rows.where(keep)

    def _primary(self, rows: assemble.AnnotationRows) -> assemble.AnnotationRows:
        """The rows of primary labels, where ranked labels are read as single ones; else all."""
        if "rank" not in self.roles or not has_twice(
            rows.key, len(rows.names.items) * max(len(rows.names.annotators), 1)
        ):
            return rows  # no rank, or that of something else
        rank = self.frame.code(self.roles["rank"], what="rank")
        if not (rows.of(rank.codes) >= 0).any():
            return rows  # only labels of another variable have one
        ranks = rows.of(rank.onto((1,)))
        self.left_out.add(Reason.LOWER_RANK, int((ranks < 0).sum()))
        return rows.where(ranks >= 0)

    def _variables(self) -> dict[Label, CodedAnnotations]:
        """Each variable by itself; a row without one is left out."""
        task = self.frame.code(self.roles["task"], what="task")
        codes = task.codes[self.annotation_rows.row]
        self.left_out.add(Reason.NO_TASK, int((codes < 0).sum()))
        if not task.values:
            raise empty_tasks(self.roles["task"])
        return {
            name: replace(self._assemble(self.annotation_rows.where(codes == place)), table=self.frame)
            for place, name in enumerate(task.values)
        }

    def _assemble(self, rows: assemble.AnnotationRows) -> CodedAnnotations:
        if self.kind == "score":
            return self._scores(rows)
        name = self.roles["label"]
        if self.kind == "ranking" and "rank" not in self.roles and not self.frame.lists(name):
            return self._written(name, rows)
        if self.kind not in LOCATED and self.frame.lists(name):
            if self.kind == "single":
                raise InputError(
                    "The column ",
                    at_column(name),
                    " holds lists of labels: say ",
                    remedy(answers=one_of("set", "ranked", "ranking")),
                    ".",
                )
            cells = self.cleaner.column(self.frame.cells(name)) if self.cleaner else self.frame.cells(name)
            return self._listed(cells, rows)
        if self.kind == "single":
            rows = self._primary(rows)
        label = self._coded(name)
        if self.kind == PREFERENCE:
            return self._preferences(rows, label)
        scale = self._scale(name, label, rows)
        if self.kind == "single":
            return assemble.single_answers(rows, label, scale, self.left_out, self._again(rows, label))
        return self._of_several_rows(self._in_runs(rows), label, scale)

    def _of_several_rows(self, rows: assemble.AnnotationRows, label: Coded, scale: Answers) -> CodedAnnotations:
        """Answers with a row for each label, or each marked place."""
        from accord.annotations import assemble_several  # which labels alone do not need

        if self.kind in LOCATED:
            located = replace(scale, kind=self.kind)
            return assemble_several.located_answers(rows, label, self._places(rows), located, self.left_out)
        if self.kind == "set":
            return assemble_several.set_answers(rows, label, scale, self.left_out, self.duplicates)
        name = self.frame.need("rank", self.roles.get("rank", "rank"))
        rank = self.frame.code(name, what="rank")
        if self.kind == "ranking" or (not self.kind_given and numeric(rank) and are_rankings(rows, label, rank)):
            return assemble_several.ranking_answers(rows, label, rank, scale, self.left_out)
        return assemble_several.ranked_answers(rows, label, rank, scale, self.left_out)

    def _listed(self, cells: Sequence[Any], rows: assemble.AnnotationRows) -> CodedAnnotations:
        """Answers that are a list of labels each."""
        from accord.annotations import assemble_several  # which labels alone do not need

        lists = assemble_several.Lists(cells, self.labels, self.kind, self.duplicates)
        return assemble_several.listed_answers(rows, lists, self.left_out)

    def _in_runs(self, rows: assemble.AnnotationRows) -> assemble.AnnotationRows:
        """Answers of several rows: those of another run are another answer, of marked places none."""
        if "run" not in self.roles:
            return rows
        from accord.annotations import assemble_several

        run = self.frame.code(self.roles["run"], what="run")
        if len(run.values) < 2:
            return rows
        combine = assemble_several.in_one_run if self.kind in LOCATED else assemble_several.in_runs
        return combine(rows, rows.of(run.codes), self.left_out, self.duplicates)

    def _written(self, name: str, rows: assemble.AnnotationRows) -> CodedAnnotations:
        """Orders that are written in one text each: A > B = C."""
        return self._listed(orders_in(self._texts(name)), rows)

    def _preferences(self, rows: assemble.AnnotationRows, label: Coded) -> CodedAnnotations:
        """Which of two options was preferred; judged in both orders it is judged twice."""
        from accord.annotations.preference_words import SIDES
        from accord.study.shapes.compared import preferred

        self._need_roles()  # of an export nobody has asked before, whose variables may be of several kinds
        found = preferred(self.frame, self.roles, label, rows)
        if self.labels is not None and tuple(self.labels) != found.scale.labels:
            raise OptionError.must(
                "labels", Message("be left out: preferences are on the scale ", OwnWords(SIDES)), self.labels
            )
        if found.apart:
            self.roles = {"cluster": self.roles["item"], **self.roles}
        self.notes += [note for note in found.notes if note not in self.notes]
        again = self._again(found.rows, label, "first")
        coded = assemble.single_answers(found.rows, found.side, found.scale, self.left_out, again)
        backwards = np.zeros(coded.n_items, dtype=np.bool_)
        backwards[coded.rows[0]] = found.backwards[coded.table_rows]
        return replace(coded, backwards=backwards)

    def _coded(self, name: str) -> Coded:
        """The labels; what is wrong with one of them is wrong with the column."""
        try:
            return code(cleaned_cells(self.cleaner, self.frame.cells(name))) if self.cleaner else self.frame.code(name)
        except LabelError as problem:
            raise (
                problem.add(" They are in the column ", at_column(name), ".") if name != "label" else problem
            ) from None

    def _again(self, rows: assemble.AnnotationRows, label: Coded, role: str = "run") -> Duplicates:
        """What is done with a second answer: of another run (or order) it is a repeat, of the same a duplicate."""
        role = "run" if "run" in self.roles else role
        if self.duplicates != "error" or role not in self.roles:
            return self.duplicates
        answered = rows.where(rows.of(label.codes) >= 0)
        run = self.frame.code(self.roles[role], what=role)
        runs = len(run.values) + 1  # one more for rows without a run
        answer = answered.key * runs + answered.of(run.codes) + 1
        size = len(answered.names.items) * max(len(answered.names.annotators), 1) * runs
        return "error" if has_twice(answer, size) else "repeat"

    def _places(self, rows: assemble.AnnotationRows) -> list[tuple[float, ...] | None]:
        """Where each row marks something; None where it marks nothing, or is none of these."""
        names = [self.frame.need(name, self.roles.get(name, name)) for name in PLACES[self.kind]]
        cells = list(zip(*(self.frame.cells(name) for name in names), strict=True))
        pieces = self.frame.cells(PIECES) if self.kind == "spans" and PIECES in self.frame.columns else None
        places: list[tuple[float, ...] | None] = [None] * len(cells)
        for at, row in enumerate(rows.row.tolist()):
            number = self.given_row[row] if self.given_row else row
            try:
                place = _place(cells[row], names, number)
                if place is not None and self.kind == "spans":
                    place = _in_order(place, None if pieces is None else pieces[row], number)
            except InputError as problem:
                item, who = rows.names.items[rows.item[at]], rows.names.annotators[rows.annotator[at]]
                raise problem.add(" Mend it: item ", at_item(item), ", annotator ", quoted(who), ".") from None
            places[row] = place
        return places

    def _scale(self, name: str, label: Coded, rows: assemble.AnnotationRows) -> Answers:
        """The declared scale: by the caller, by a categorical column, or the labels in use."""
        seen = [label.values[place] for place in used(rows.of(label.codes), len(label.values))]
        categories = self.frame.categories(name)
        if self.labels is not None:
            return scale_of(seen, self.labels)
        if categories is not None:
            declared = self.cleaner.labels(categories[0]) if self.cleaner else categories[0]
            return scale_of(seen, declared, order=categories[1])
        return scale_of(seen)

    def _scores(self, rows: assemble.AnnotationRows) -> CodedAnnotations:
        name = self.roles["score"]
        where = Message("the column ", at_column(name))
        cells = cleaned_cells(self.cleaner, self.frame.cells(name)) if self.cleaner else None
        numbers = self.frame.numbers(name) if cells is None else numbers_of(cells, where)
        coded, answers = assemble.score_answers(numbers, ~np.isnan(numbers), where)
        return assemble.single_answers(rows, coded, answers, self.left_out, self._again(rows, coded))


def are_listed_rankings(frame: Frame, roles: Mapping[str, str]) -> bool:
    """Do lists in cells put the same options of an item in different orders? Then their order means something."""
    return are_listed(frame.code(roles["item"], what="item").codes, frame.cells(roles["label"]))


def empty_tasks(name: str) -> InputError:
    """A column that should name variables names none."""
    return InputError("The task column ", quoted(name), " is empty.")


def cleaned_cells(cleaner: Cleaner, cells: Sequence[Any], numbers: Sequence[int] | None = None) -> list[Any]:
    """Cells without missing codes: where those were the only words among numbers, the rest are numbers again."""
    from accord.study.tables.to_study import same_type

    found = cleaner.column(cells, numbers)
    return same_type(found) if cleaner.dropped_text and not any(isinstance(cell, bool) for cell in found) else found


def cleaned_columns(cleaner: Cleaner, columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Several annotators' cells, typed together: a refusal in one column does not make text of the others."""
    whole = iter(cleaned_cells(cleaner, [cell for column in columns for cell in column]))
    return [[next(whole) for _ in column] for column in columns]


def _in_order(place: tuple[float, ...], cell: Any, row: int) -> tuple[float, ...]:
    """Where a span lies, or each of its pieces, written as in brat: "0 3;8 11"."""
    if place[1] < place[0]:
        raise InputError(
            "A span ends at ", quoted(place[1]), ", before it begins at ", quoted(place[0]), ", in ", at_row(row), "."
        )
    if not isinstance(cell, str) or not cell.strip():
        return place
    try:
        pieces = sorted(tuple(map(float, piece.split())) for piece in cell.split(";"))
        bounds = [bound for start, end in pieces for bound in (start, end)]
    except ValueError:
        bounds = []
    if bounds != sorted(bounds) or not bounds or (bounds[0], bounds[-1]) != place:
        raise InputError(
            quoted(PIECES),
            f" must hold the pieces of a span from {place[0]} to {place[1]} without overlap, such as '0 3;8 11'; ",
            at_row(row),
            " has ",
            quoted(cell),
            ".",
        )
    return tuple(tidy_number(bound) for bound in bounds)


def _place(cells: tuple[Any, ...], names: list[str], row: int) -> tuple[float, ...] | None:
    """The numbers that say where a mark lies."""
    if {*map(type, cells)} == {int}:  # nearly all offsets are
        if max(cells) > FARTHEST or min(cells) < -FARTHEST:
            raise InputError(
                all_quoted(names), f" must be at most {FARTHEST:,}; ", at_row(row), " has a number beyond it."
            )
        return cells
    if all(cell is None or (isinstance(cell, float) and math.isnan(cell)) for cell in cells):
        return None
    if not all(isinstance(cell, int | float) and math.isfinite(cell) for cell in cells):
        raise InputError(all_quoted(names), " must be numbers; ", at_row(row), " has ", all_quoted(cells), ".")
    return tuple(tidy_number(float(cell)) for cell in cells)

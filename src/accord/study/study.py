"""Study: one table of annotations and which column plays which role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from accord.annotations.answers import KINDS, Answers, Kind, Label, scale_of
from accord.annotations.arrays import BoolArray, IntArray
from accord.annotations.assemble import DUPLICATES, Assembled, Duplicates
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded
from accord.annotations.left_out import LeftOut
from accord.annotations.tally import Tally
from accord.engine.lazy_annotations import LazyAnnotations, refuse_large
from accord.errors import InputError, Keyword, MeasureError, OptionError, counted, keyword, listing, one_task
from accord.study.description import Description, describe
from accord.study.roles import ROLES, named
from accord.study.shapes import counts, wide
from accord.study.shapes.cells import is_table, rectangle
from accord.study.shapes.lazy_long import LazyLong
from accord.study.shapes.loaded import Loaded
from accord.study.shapes.long import Long

if TYPE_CHECKING:
    from accord.engine.frames import Frame


class PlainRoles(TypedDict, total=False):
    """The roles that every measure takes from its caller."""

    item: str
    annotator: str
    label: str
    rank: str
    score: str
    start: str
    end: str
    text: str
    task: str
    time: str
    cluster: str
    kind: str
    run: str
    status: str
    answers: Kind
    duplicates: Duplicates


class Roles(PlainRoles, total=False):
    """Which column of a long table plays which role, and how its answers are read: the keywords of `Study`."""

    suggested: str


class Study:
    """Annotations: who said what of which item.

    Args:
        data: A table with one row per annotation: a dataframe (pandas, Polars eager or lazy, PyArrow, DuckDB …), a
            mapping of columns, or a list of records. For other shapes see `from_wide`, `from_counts`, `from_confusion`,
            `from_indicators`, `from_pairs`.
        item: The column that names the item.
        annotator: The column that names the annotator.
        label: The column with the label; a column of lists holds sets of labels. Without `label` and `score` it is
            "label".
        rank: The column with the rank of the label, 1 for the primary one: answers are then ranked.
        score: The column with a number: without `label`, answers are scores.
        start: The column with where a marked span begins.
        end: The column with where it ends.
        text: The column with the item's text, for the report.
        task: The column that names the variable, where one table holds several; each is measured on its own.
        time: The column with when an answer was given.
        cluster: The column that says which items belong together (the same document); intervals then resample clusters.
        suggested: The column with the label that was suggested for the item.
        kind: The column that says what the annotator is: person, model or adjudicator.
        run: The column with the run of a model; answers of different runs are repeats.
        status: The column with the state of an answer: "submitted", "unparsable", "refused", "error" …
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        answers: The kind of answers, where the roles do not tell: "single", "set", "ranked" or "score".
        duplicates: What to do where an annotator answered an item more than once: "error", keep the "first" or the
            "last", or take all as "repeat" answers.

    Raises:
        ColumnMissing: If a role names a column that the table does not have.
        DuplicateAnswers: If an annotator answered an item twice and `duplicates` is "error".
        LabelError: If a label is not on the declared scale, or text and numbers are mixed.
        InputError: If `data` is no table, or is empty; the three above are kinds of it.
        OptionError: If `answers` or `duplicates` is not one of the words above.

    None, NaN, NaT, NA, masked cells and blank text are missing answers, and so are answers whose status is
    "unparsable", "refused" or "error". Any other column is kept and serves in `by=`.

    >>> study = Study({"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "label": ["yes", "yes", "no", "yes"]})
    >>> study
    Study of 2 items by 2 annotators: 4 single answers on the labels 'no', 'yes'
    """

    def __init__(
        self,
        data: Any,
        *,
        item: str = "item",
        annotator: str = "annotator",
        label: str | None = None,
        rank: str | None = None,
        score: str | None = None,
        start: str | None = None,
        end: str | None = None,
        text: str | None = None,
        task: str | None = None,
        time: str | None = None,
        cluster: str | None = None,
        suggested: str | None = None,
        kind: str | None = None,
        run: str | None = None,
        status: str | None = None,
        labels: Sequence[Any] | None = None,
        answers: Kind | None = None,
        duplicates: Duplicates = "error",
    ) -> None:
        roles = named(locals())
        from accord.engine.frames import Frame, refuse_empty  # narwhals is loaded when a frame comes
        from accord.engine.scan import Scan

        frame = Frame.open(data)
        scan = None if isinstance(data, Mapping | list | tuple) else Scan.of(data)
        if label is None and score is None:
            roles["label"] = "label"
        needed = {role: roles.get(role) for role in ROLES if role in roles or ROLES[role].needed}
        columns = {role: frame.need(role, name) for role, name in needed.items()}
        _check_choice("answers", answers, KINDS)
        _check_choice("duplicates", duplicates, DUPLICATES)
        if scan is not None and LazyLong.fits(scan, columns, answers, duplicates):
            self._hold(LazyLong(scan, columns, labels, answers, duplicates).made())
            return
        if scan is not None:
            refuse_large(scan)
        frame.keep(frame.columns)
        refuse_empty(len(frame), frame.columns)
        self._hold(Long(frame, columns, labels, answers, duplicates).made())

    # -- other shapes ---------------------------------------------------------------------------------------------

    @classmethod
    def from_wide(
        cls,
        data: Any,
        *,
        item: str | None = None,
        annotators: Sequence[str] | None = None,
        labels: Sequence[Any] | None = None,
        answers: Kind | None = None,
    ) -> Study:
        """Items × annotators: one row per item, one column per annotator; missing cells are allowed.

        Args:
            data: A dataframe, a 2-D array or a list of rows.
            item: The column of a dataframe that names the item; without it items are row numbers.
            annotators: The columns of a dataframe that hold answers; without it all but `item`.
            labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
            answers: "single" (the default), "score", or "set" and "ranked" where the cells hold lists.

        Returns:
            A `Study`.

        Raises:
            InputError: If `data` is not rectangular, or empty; `ColumnMissing` and `LabelError` are kinds of it.
            OptionError: If `item` or `annotators` is given with an array, or `answers` is no kind.

        >>> Study.from_wide([["yes", "yes"], ["no", None]])
        Study of 2 items by 2 annotators: 3 single answers on the labels 'no', 'yes'
        """
        _check_choice("answers", answers, KINDS)
        named = is_table(data)
        if not named and (item is not None or annotators is not None):
            raise OptionError("item= and annotators= name columns of a dataframe; the rows of an array have no names.")
        table = wide.Wide.of_frame(data, item, annotators) if named else wide.Wide.of_array(data)
        return cls._of(wide.from_wide(table, labels, answers))

    @classmethod
    def from_pairs(cls, first: Any, second: Any, *, labels: Sequence[Any] | None = None) -> Study:
        """Two annotators' answers in the same order: two lists, arrays or columns of one length.

        Args:
            first: One annotator's answers.
            second: The other's, in the same order; None where an answer is missing.
            labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.

        Returns:
            A `Study` of two annotators, "1" and "2", whose items are row numbers.

        Raises:
            InputError: If the two differ in length, or are not one-dimensional; `LabelError` is a kind of it.
            OptionError: If `labels` is not a list.

        >>> Study.from_pairs(["a", "b", "b"], ["a", "b", "a"])
        Study of 3 items by 2 annotators: 6 single answers on the labels 'a', 'b'
        """
        return cls._of(wide.from_pairs(first, second, labels))

    @classmethod
    def from_counts(cls, data: Any, *, labels: Sequence[Any] | None = None) -> Study:
        """Items × labels: how many annotators gave each label (Fleiss's table). Items are row numbers; nobody is named.

        Args:
            data: A table of whole numbers: one row per item, one column per label. A dataframe brings its columns as
                labels.
            labels: The labels in the order of the columns; without it the names of the columns, else 0, 1, 2 …

        Returns:
            A `Study` without names of annotators.

        Raises:
            InputError: If a cell is no count, or `labels` are not as many as columns.
            OptionError: If `labels` is not a list.

        >>> Study.from_counts([[3, 0], [1, 2]], labels=["yes", "no"])
        Study of 2 items by up to 3 annotators: 6 single answers on the labels 'yes', 'no'
        """
        return cls._of(counts.from_counts(data, labels))

    @classmethod
    def from_confusion(cls, data: Any, *, labels: Sequence[Any] | None = None) -> Study:
        """Two annotators' contingency table: rows are the first's labels, columns the second's.

        Args:
            data: A square table of whole numbers: how many items got each pair of labels. A dataframe brings its
                columns as labels.
            labels: The labels in the order of rows and columns; without it the names of the columns, else 0, 1, 2 …

        Returns:
            A `Study` of two annotators.

        Raises:
            InputError: If the table is not square, a cell is no count, or `labels` are not as many as columns.
            OptionError: If `labels` is not a list.

        >>> Study.from_confusion([[20, 5], [10, 15]], labels=["positive", "negative"])
        Study of 50 items by 2 annotators: 100 single answers on the labels 'positive', 'negative'
        """
        return cls._of(counts.from_confusion(data, labels))

    @classmethod
    def from_indicators(
        cls, data: Any, *, item: str = "item", annotator: str = "annotator", columns: Sequence[str]
    ) -> Study:
        """One row per annotation, one yes/no column per label: answers are sets of labels.

        Args:
            data: A dataframe, a mapping of columns or a list of records.
            item: The column that names the item.
            annotator: The column that names the annotator.
            columns: The columns that hold 1 or 0 (True or False), in the order of the scale. An empty row is the empty
                set.

        Returns:
            A `Study` of sets.

        Raises:
            InputError: If a cell is neither yes nor no, or an annotator answered an item twice.
            ColumnMissing: If the table does not have one of the columns.
            OptionError: If `columns` is not a list.

        >>> table = {"item": [1, 1], "annotator": ["ana", "ben"], "joy": [1, 1], "fear": [0, 1]}
        >>> Study.from_indicators(table, columns=["joy", "fear"])
        Study of 1 item by 2 annotators: 2 set answers on the labels 'joy', 'fear'
        """
        return cls._of(counts.from_indicators(data, item, annotator, columns))

    # -- what it holds --------------------------------------------------------------------------------------------

    @classmethod
    def _of(cls, made: Loaded) -> Study:
        study = cls.__new__(cls)
        study._hold(made)  # noqa: SLF001 - its own
        return study

    @classmethod
    def _from_loaded(cls, made: Loaded) -> Study:
        """From annotations that a reader has put together."""
        return cls._of(made)

    def _with_origin(self, shape: str, notes: Sequence[str], left_out: LeftOut | None = None) -> Study:
        """The same study, with what it was read from, notes of its reader, and what the reader left out."""
        both = (left_out or LeftOut()) | self.left_out
        return Study._of(replace(self._made, shape=shape, notes=tuple(notes), left_out=both))

    @classmethod
    def _deferred(cls, make: Callable[[], Study]) -> Study:
        """A study that is put together when something of it is first asked; what is wrong with it is said then."""
        study = cls.__new__(cls)
        study._make = make  # noqa: SLF001 - its own
        return study

    def _then(self, change: Callable[[Study], Study]) -> Study:
        """A change to the study: at once, or when it is put together."""
        return change(self) if "_made" in self.__dict__ else Study._deferred(lambda: change(self))

    def _hold(self, made: Loaded) -> None:
        self._made = made

    @cached_property
    def _made(self) -> Loaded:
        return self._make()._made  # noqa: SLF001 - its own

    _make: Callable[[], Study]

    @cached_property
    def roles(self) -> dict[str, str]:
        """The column of each role."""
        return dict(self._made.roles)

    @property
    def left_out(self) -> LeftOut:
        """How much was not used, by reason in words; `left_out.of(Reason.REPEATED)` by key."""
        return self._made.left_out

    @property
    def shape(self) -> str:
        """What it was made from: "long table", "Label Studio export" …"""
        return self._made.shape

    @property
    def n_rows(self) -> int:
        """Rows of the table that it was made from."""
        return self._made.rows

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know of how it was read."""
        return self._made.notes

    @cached_property
    def tasks(self) -> dict[Label, Study]:
        """One study per variable, where the table holds several; else empty."""
        made = self._made
        return {name: Study._of(replace(made, assembled=part, tasks={})) for name, part in made.tasks.items()}

    @property
    def _annotations(self) -> CodedAnnotations:
        """The coded annotations; a study of several variables has them one variable at a time, in `tasks`."""
        return self._whole.triples

    @property
    def _whole(self) -> Assembled:
        if self._made.assembled is None:
            raise MeasureError(
                f"The study holds {counted(len(self.tasks), 'variables')} ({listing(self.tasks, most=5)}), each with "
                "answers of its own. Choose one: ",
                one_task(next(iter(self.tasks))),
                "; measures give one row each in by_group().",
                available=self.tasks,
            )
        return self._made.assembled

    @property
    def answers(self) -> Answers:
        """The distinct answers, in canonical order."""
        return self._annotations.answers

    @property
    def kind(self) -> Kind:
        """What an answer is: "single", "set", "ranked" or "score"."""
        return self.answers.kind

    @property
    def labels(self) -> tuple[Label, ...]:
        """The scale, in order."""
        return self.answers.labels

    @property
    def items(self) -> Sequence[Label]:
        """What the items are called."""
        return self._whole.names.items

    @property
    def annotators(self) -> tuple[str, ...]:
        """What the annotators are called, in canonical order; empty where nobody is named."""
        return self._annotations.annotators

    @property
    def _present(self) -> IntArray:
        """The positions of the annotators who answered anything."""
        return self._annotations.present

    @property
    def n_items(self) -> int:
        """Items with at least one answer."""
        return self.tally().n_items

    @property
    def n_annotators(self) -> int:
        """Annotators who answered anything; the most answers on one item where nobody is named."""
        return len(self._present) if self._annotations.named else self.tally().annotators_seen

    @property
    def n_annotations(self) -> int:
        """Answers in all."""
        return self._annotations.n_annotations

    @cached_property
    def _tallies(self) -> dict[bool, Tally]:
        return {}

    def tally(self, *, named: bool = False) -> Tally:
        """The reduced form, kept once made: patterns of answers, or of who answered what.

        Args:
            named: Whether patterns keep who gave which answer.

        Returns:
            A `Tally`: the distinct patterns of answers and how many items have each.

        Raises:
            MeasureError: If the study holds several variables; choose one of `tasks`.
        """
        if named not in self._tallies:
            self._tallies[named] = self._annotations.tally(named=named)
        return self._tallies[named]

    def describe(self) -> Description:
        """What was read, what was left out and why.

        Returns:
            A `Description`, which prints as a few lines and has `to_dict()`.
        """
        return describe(self)

    def write(self, path: str | Path) -> Path:
        """Write the long table to a .csv, .tsv, .jsonl or .parquet file; `accord.read` gives the same study again.

        Args:
            path: Where to write; the ending chooses the format.

        Returns:
            The path that was written.

        Raises:
            InputError: If the file cannot be written.
            OptionError: If the ending is none of these.
            ExtraMissing: If .parquet needs a package that is not installed.
        """
        from accord.study.write import write

        return write(self, path)

    @property
    def _frame(self) -> Frame | None:
        """The table that the study was made from, if it was made from one."""
        return self._made.frame

    @property
    def _rows_behind(self) -> IntArray:
        """The row of the table behind each annotation; of an answer of several rows, the first."""
        return np.empty(0, dtype=np.int64) if self._rows is None else self._rows

    def __repr__(self) -> str:
        return self.describe().headline

    # -- parts of it ----------------------------------------------------------------------------------------------

    def declare(self, labels: Sequence[Any]) -> Study:
        """The same answers on a declared scale: all labels there are, in order.

        Args:
            labels: All labels there are, in order, used or not.

        Returns:
            A new `Study`.

        Raises:
            LabelError: If an answer is not on the scale.
            OptionError: If the answers are not single labels.
        """
        if self._made.assembled is None:
            return self._with_tasks({name: study.declare(labels) for name, study in self.tasks.items()})
        if self.kind != "single":
            raise OptionError(
                keyword("labels"),
                f" declares a scale of single labels; declare it when the {self.kind} study is made.",
            )
        scale = scale_of(self.labels_used, labels)
        moved = Coded(np.arange(len(self.labels)), self.labels).onto(scale.labels)
        return self._like(replace(self._whole, triples=self._annotations.recoded(scale, moved)))

    @property
    def labels_used(self) -> set[Label]:
        """The single labels that somebody gave."""
        given = np.unique(self.tally().answer)
        return {self.labels[position] for position in given}

    def _where(self, annotations: BoolArray) -> Study:
        """Some of the annotations; items and scale stay, so that results can be put side by side."""
        rows = self._rows[annotations] if self._rows is not None else np.empty(0, dtype=np.int64)
        return self._like(Assembled(self._annotations.keep(annotations), self._whole.names, rows))

    @property
    def _assembled(self) -> Assembled:
        """The annotations with the names of items and annotators, and the rows they came from."""
        return self._whole

    def _with_assembled(self, assembled: Assembled) -> Study:
        """Other annotations of the same table."""
        return self._like(assembled)

    def _with_tasks(self, tasks: dict[Label, Study]) -> Study:
        """Other variables of the same table."""
        study = self._like(None)
        study.tasks = tasks
        return study

    def _with_annotations(self, triples: CodedAnnotations) -> Study:
        """Other annotations of the same items, without a table behind them."""
        return self._like(Assembled(triples, self._whole.names, np.empty(0, dtype=np.int64)))

    def of_annotators(self, names: Sequence[str]) -> Study:
        """The answers of some annotators only.

        Args:
            names: The annotators to keep, as a list.

        Returns:
            A `Study` with the same items and scale.

        Raises:
            InputError: If there is no such annotator, or nobody is named.
            OptionError: If `names` is a single text.
        """
        if isinstance(names, str):
            raise OptionError(f"Annotators are given as a list, for example [{names!r}]; got {names!r}.")
        if not self._annotations.named:
            raise InputError(f"There are no annotators to choose from: a {self.shape} does not say who answered.")
        unknown = [name for name in names if name not in self.annotators]
        if unknown:
            near = get_close_matches(str(unknown[0]), self.annotators, 1, 0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"No annotator {listing(unknown)}; there are {listing(self.annotators)}.{hint}")
        positions = [self.annotators.index(name) for name in names]
        return self._where(np.isin(self._annotations.rows[1], positions))

    def groups(self, by: str) -> dict[Label, Study]:
        """One study for each value of a column; rows without a value belong to none.

        Args:
            by: Any column of the table.

        Returns:
            A dictionary from each value to a `Study` with the same items and scale.

        Raises:
            ColumnMissing: If there is no such column.
            InputError: If the study was made from an array, which has no columns.
        """
        if isinstance(self._annotations, LazyAnnotations):
            parts = self._annotations.groups(by)
            return {value: self._like(part.assembled()) for value, part in parts.items()}
        codes = self._column(by)
        return {value: self._where(codes.codes == place) for place, value in enumerate(codes.values)}

    def _need_column(self, name: str, role: str = "by") -> None:
        """An error where the table has no such column."""
        if isinstance(self._annotations, LazyAnnotations):
            self._annotations.need(role, name)
        else:
            self._column(name, role)

    def _missing_in(self, name: str) -> int:
        """How many annotations have nothing in a column."""
        if isinstance(self._annotations, LazyAnnotations):
            return self._annotations.silent_in(name)
        return self._column(name).silent

    def _column(self, name: str, role: str = "by") -> Coded:
        """Any column of the table, one code an annotation."""
        if isinstance(self._annotations, LazyAnnotations):
            found: Coded = self._annotations.local._column(name, role)
            return found
        if self._made.frame is None:
            raise InputError(
                f"There is no column {name!r}: the study was made from a {self.shape}, which has no others."
            )
        coded = self._made.frame.code(self._made.frame.need(role, name), what="value")
        assert self._rows is not None
        return Coded(coded.codes[self._rows].astype(np.int64), coded.values)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table behind the study; none where it was made from an array."""
        if isinstance(self._annotations, LazyAnnotations):
            return tuple(self._annotations.table.columns)
        return () if self._made.frame is None else tuple(self._made.frame.columns)

    def _item_column(self, name: str, role: str) -> Coded:
        """A column that says one thing of each item, one code an item; −1 for an item of which it says nothing."""
        if isinstance(self._annotations, LazyAnnotations):
            found: Coded = self._annotations.local._item_column(name, role)
            return found
        said = self._column(name, role)
        item = self._annotations.rows[0]
        codes = np.full(self._annotations.n_items, -1, dtype=np.int64)
        codes[item[said.codes >= 0]] = said.codes[said.codes >= 0]
        differs = (said.codes >= 0) & (codes[item] != said.codes)
        if differs.any():
            place = int(item[np.nonzero(differs)[0][0]])
            raise InputError(
                Keyword(role, name),
                f" must say one thing of an item, and item {self.items[place]!r} has several values there.",
            )
        return Coded(codes, said.values)

    @property
    def _appearance(self) -> IntArray:
        """The items (their positions) in the order in which the data first name them; unanswered ones last."""
        item, rows = self._annotations.rows[0], self._rows
        if rows is None or len(rows) != len(item):  # annotations without a table behind them
            rows = item
        first = np.full(self._annotations.n_items, np.iinfo(np.int64).max)
        np.minimum.at(first, item, rows)
        return np.argsort(first, kind="stable")

    @cached_property
    def _rows(self) -> IntArray | None:
        """The row of the table behind each annotation."""
        whole = self._whole
        if isinstance(whole.triples, LazyAnnotations):
            behind: IntArray | None = whole.triples.local._rows_behind
            return behind
        return self._annotations.rows[0] if whole.triples.grid is not None else whole.row

    def _like(self, assembled: Assembled | None) -> Study:
        return Study._of(replace(self._made, assembled=assembled, tasks={}))


def as_study(data: Any, other: Any, labels: Sequence[Any] | None, roles: Roles) -> Study:
    """Whatever a measure is given: a study, or what a study is made of."""
    _refuse_unknown(roles)
    if isinstance(data, Study):
        if other is not None:
            raise OptionError("A Study is given alone, without a second argument: it holds all annotators' answers.")
        if roles:
            raise OptionError(
                f"A Study is given alone, without {listing(roles)}: its columns were named when it was made."
            )
        return data if labels is None else data.declare(labels)
    if other is not None:
        if roles:
            raise OptionError(f"Two sequences of answers have no columns to name; leave out {listing(roles)}.")
        return Study.from_pairs(data, other, labels=labels)
    if is_table(data):
        return _long_study(data, labels, roles)
    if roles:
        raise OptionError(
            f"Column names ({listing(roles)}) were given, and the data is no table with named columns but a "
            f"{type(data).__name__}. Leave them out, or give a dataframe."
        )
    array = rectangle(data)
    if array.ndim == 1 and array.size:
        raise InputError(
            "One sequence of answers is one annotator's. Give two sequences, a 2-D array of items × annotators, or "
            "a table."
        )
    if array.ndim != 2:
        return Study.from_wide(array, labels=labels)  # which says what is wrong with it
    wide.refuse_counts(array)
    return Study.from_wide(array if isinstance(data, np.ndarray) else data, labels=labels)


def _long_study(data: Any, labels: Sequence[Any] | None, roles: Roles) -> Study:
    from accord.engine.frames import Frame

    columns = Frame.open(data).columns
    if not roles and not {"item", "annotator"} <= set(columns):
        raise InputError(
            f"Which columns are which? The table has {listing(columns)}. One row an annotation: "
            "measure(table, item=…, annotator=…, label=…). One row an item and a column an annotator: "
            "measure(Study.from_wide(table, item=…))."
        )
    return Study(data, labels=labels, **roles)


def _refuse_unknown(roles: Roles) -> None:
    """A keyword that nobody knows, with the nearest one that somebody does."""
    for name in roles:
        if name not in Roles.__annotations__:
            known = [*Roles.__annotations__, "weights", "level", "labels", "by", "chance", "period"]
            near = get_close_matches(name, known, 1, 0.6)
            hint = f" Did you mean {near[0]!r}?" if near and near[0] != name else ""
            raise TypeError(f"unexpected keyword argument {name!r}.{hint}")


def _check_choice(name: str, value: str | None, allowed: Sequence[str]) -> None:
    if value is not None and value not in allowed:
        raise OptionError.choice(name, value, allowed)

"""Study: one table of annotations and which column plays which role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
import numpy.typing as npt

from accord import assembly
from accord.answers import KINDS, Answers, BoolArray, IntArray, Kind, Label, scale_of
from accord.assembly import DUPLICATES, Assembled, Duplicates, LeftOut, Names
from accord.coding import Coded, code
from accord.description import Description, describe
from accord.errors import InputError, MeasureError, OptionError, listing
from accord.tally import Tally
from accord.triples import Triples

if TYPE_CHECKING:
    from accord.engine import Frame


class Roles(TypedDict, total=False):
    """Which column of a long table plays which role, and how its answers are read: the keywords of `Study`."""

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
    suggested: str
    kind: str
    run: str
    status: str
    answers: Kind
    duplicates: Duplicates


class Study:
    """Annotations: who said what of which item.

    Args:
        data: A dataframe with one row an annotation (pandas, Polars eager or lazy, PyArrow …), a mapping of columns, or
            a list of records. For other shapes see `from_wide`, `from_counts`, `from_confusion`, `from_indicators`, `from_pairs`.
        item: The column that names the item.
        annotator: The column that names the annotator.
        label: The column with the label; a column of lists holds sets of labels.
        rank: The column with the rank of the label, 1 for the primary one: answers are then ranked.
        score: The column with a number: without `label`, answers are scores.
        task: The column that names the variable, where one table holds several; each is measured on its own.
        cluster: The column that says which items belong together (the same document).
        labels: The scale: all labels there are, in order, used or not.
        answers: The kind of answers, where the roles do not tell: "single", "set", "ranked" or "score".
        duplicates: What to do where an annotator answered an item more than once: "error", or keep the "first" or the
            "last", or take them as "repeat" answers.
        start, end, text, time, suggested, kind, run, status: Columns with further roles, kept for the measures that use them.

    None, NaN, NaT, NA, masked cells and blank text are silence. Any other column is kept and serves in `by=`.

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
        from accord.engine import Frame, refuse_empty  # noqa: PLC0415 - narwhals is loaded when a frame comes

        frame = Frame.open(data)
        if label is None and score is None:
            label = "label"
        roles = {
            "item": item, "annotator": annotator, "label": label, "rank": rank, "score": score, "start": start,
            "end": end, "text": text, "task": task, "time": time, "cluster": cluster, "suggested": suggested,
            "kind": kind, "run": run, "status": status,
        }  # fmt: skip
        named = {role: frame.need(role, name) for role, name in roles.items() if name is not None}
        _check_choice("answers", answers, KINDS)
        _check_choice("duplicates", duplicates, DUPLICATES)
        frame.keep(frame.columns)
        refuse_empty(len(frame), frame.columns)
        reader = _Long(frame, named, labels, answers, duplicates)
        self._set(reader.all_of_it(), frame, named, reader.left_out, "long table", len(frame))
        self.tasks = reader.variables(self) if task else {}

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
        """Items × annotators: a row an item, a column an annotator, missing cells allowed.

        Args:
            data: A dataframe, a 2-D array or a list of rows.
            item: The column of a dataframe that names the item; without it items are row numbers.
            annotators: The columns of a dataframe that hold answers; without it all but `item`.
            labels: The scale: all labels there are, in order.
            answers: "single" (the default), "score", or "set" and "ranked" where the cells hold lists.

        >>> Study.from_wide([["yes", "yes"], ["no", None]])
        Study of 2 items by 2 annotators: 3 single answers on the labels 'no', 'yes'
        """
        _check_choice("answers", answers, KINDS)
        wide = _Wide.of_frame(data, item, annotators) if _is_frame(data) else _Wide.of_array(data)
        return _from_wide(cls, wide, labels, answers)

    @classmethod
    def from_pairs(cls, first: Any, second: Any, *, labels: Sequence[Any] | None = None) -> Study:
        """Two annotators' answers in the same order: two lists, arrays or columns of one length.

        >>> Study.from_pairs(["a", "b", "b"], ["a", "b", "a"])
        Study of 3 items by 2 annotators: 6 single answers on the labels 'a', 'b'
        """
        _refuse_other_index(first, second)
        left, right = (code(_cells(cells)) for cells in (first, second))
        if left.codes.shape != right.codes.shape or left.codes.ndim != 1:
            raise InputError(
                f"Two annotators' answers must be two sequences of one length; got {len(left.codes)} and "
                f"{len(right.codes)}. Fill gaps with None, or give a table: Study(frame, item=…, annotator=…, label=…)."
            )
        scale = scale_of({*left.values, *right.values}, labels)
        grid = np.stack((left.onto(scale.labels), right.onto(scale.labels)), axis=1)
        return _from_grid(cls, grid, scale, Names(_Numbered(len(grid)), ("1", "2")), None, "two sequences")

    @classmethod
    def from_counts(cls, data: Any, *, labels: Sequence[Any] | None = None) -> Study:
        """Items × labels: how many annotators gave each label (Fleiss's table). Items are row numbers; nobody is named.

        >>> Study.from_counts([[3, 0], [1, 2]], labels=["yes", "no"])
        Study of 2 items by up to 3 annotators: 6 single answers on the labels 'yes', 'no'
        """
        counts, columns = _counts(data, "counts")
        scale = scale_of((), labels if labels is not None else columns)
        if len(scale) != counts.shape[1]:
            raise InputError(f"The table has {counts.shape[1]} columns of counts and labels names {len(scale)}.")
        item, answer = np.nonzero(counts)
        triples = Triples(scale, len(counts), (), item=item, answer=answer, count=counts[item, answer])
        made = cls.__new__(cls)
        names = Names(_Numbered(len(counts)), ())
        made._set(Assembled(triples, names, item), None, {}, LeftOut(), "table of counts", len(counts))
        return made

    @classmethod
    def from_confusion(cls, data: Any, *, labels: Sequence[Any] | None = None) -> Study:
        """Two annotators' contingency table: rows are the first's labels, columns the second's.

        >>> Study.from_confusion([[20, 5], [10, 15]], labels=["positive", "negative"])
        Study of 50 items by 2 annotators: 100 single answers on the labels 'positive', 'negative'
        """
        counts, columns = _counts(data, "a confusion table")
        if counts.shape[0] != counts.shape[1]:
            raise InputError(
                f"A confusion table must be square, one row and one column a label; got {counts.shape[0]} × "
                f"{counts.shape[1]}. For items × labels: Study.from_counts(table)."
            )
        scale = scale_of((), labels if labels is not None else columns)
        if len(scale) != len(counts):
            raise InputError(f"The table has {len(counts)} rows and labels names {len(scale)}.")
        first, second = np.nonzero(counts)
        grid = np.repeat(np.stack((first, second), axis=1), counts[first, second], axis=0)
        return _from_grid(cls, grid, scale, Names(_Numbered(len(grid)), ("1", "2")), None, "confusion table")

    @classmethod
    def from_indicators(
        cls, data: Any, *, item: str = "item", annotator: str = "annotator", columns: Sequence[str]
    ) -> Study:
        """One row an annotation, one yes/no column a label: answers are sets of labels.

        >>> table = {"item": [1, 1], "annotator": ["ana", "ben"], "joy": [1, 1], "fear": [0, 1]}
        >>> Study.from_indicators(table, columns=["joy", "fear"])
        Study of 1 item by 2 annotators: 2 set answers on the labels 'joy', 'fear'
        """
        from accord.engine import Frame, refuse_empty  # noqa: PLC0415

        frame = Frame.open(data)
        names = [frame.need("columns", column) for column in columns]
        roles = {"item": frame.need("item", item), "annotator": frame.need("annotator", annotator)}
        refuse_empty(len(frame), frame.columns)
        held = np.stack([_yes_no(frame.cells(name), name) for name in names], axis=1)
        lists = [[names[k] for k in np.nonzero(row > 0)[0]] if (row >= 0).all() else None for row in held]
        left_out = LeftOut()
        left_out.add("rows with a gap among the yes/no columns", sum(cells is None for cells in lists))
        sayings = assembly.read_sayings(
            frame.code(item, what="item"), frame.code(annotator, what="annotator"), left_out
        )
        made = cls.__new__(cls)
        assembled = assembly.listed_answers(sayings, lists, names, "set")
        made._set(assembled, frame, roles, left_out, "table of yes/no columns", len(frame))
        return made

    # -- what it holds --------------------------------------------------------------------------------------------

    def _set(
        self,
        assembled: Assembled | None,
        frame: Frame | None,
        roles: Mapping[str, str],
        left_out: LeftOut,
        shape: str,
        rows: int,
    ) -> None:
        self._assembled = assembled
        self._frame = frame
        self.roles = dict(roles)
        self.left_out: Mapping[str, int] = left_out.reasons
        self.shape = shape
        self.n_rows = rows
        self.tasks: dict[Label, Study] = {}

    @property
    def triples(self) -> Triples:
        """The coded annotations; a study of several variables has them one variable at a time, in `tasks`."""
        return self._whole.triples

    @property
    def _whole(self) -> Assembled:
        if self._assembled is None:
            raise MeasureError(
                f"The study holds {len(self.tasks)} variables ({listing(self.tasks, most=5)}), each with answers of its "
                f"own. Choose one: study.tasks[{next(iter(self.tasks))!r}]; measures give one row each in by_group()."
            )
        return self._assembled

    @property
    def answers(self) -> Answers:
        """The distinct answers, in canonical order."""
        return self.triples.answers

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
        return self.triples.annotators

    @cached_property
    def present(self) -> IntArray:
        """The positions of the annotators who answered anything."""
        return np.unique(self.triples.rows[1]) if self.triples.named else np.empty(0, dtype=np.int64)

    @property
    def n_items(self) -> int:
        """Items with at least one answer."""
        return self.tally().n_items

    @property
    def n_annotators(self) -> int:
        """Annotators who answered anything; the most answers on one item where nobody is named."""
        return len(self.present) if self.triples.named else self.tally().annotators_seen

    @property
    def n_annotations(self) -> int:
        """Answers in all."""
        return self.triples.n_annotations

    @cached_property
    def _tallies(self) -> dict[bool, Tally]:
        return {}

    def tally(self, *, named: bool = False) -> Tally:
        """The reduced form, kept once made: patterns of answers, or of who answered what."""
        if named not in self._tallies:
            self._tallies[named] = self.triples.tally(named=named)
        return self._tallies[named]

    def describe(self) -> Description:
        """What was read, what was left out and why."""
        return describe(self)

    def __repr__(self) -> str:
        return self.describe().headline

    # -- parts of it ----------------------------------------------------------------------------------------------

    def declare(self, labels: Sequence[Any]) -> Study:
        """The same answers on a declared scale: all labels there are, in order."""
        if self._assembled is None:
            return self._like(None, {name: study.declare(labels) for name, study in self.tasks.items()})
        if self.kind != "single":
            raise OptionError(f"labels= declares a scale of single labels; declare it when the {self.kind} study is made.")
        scale = scale_of(self.labels_used, labels, ordered=self.answers.ordered)
        moved = Coded(np.arange(len(self.labels)), self.labels)
        place = {label: position for position, label in enumerate(scale.labels)}
        table = np.array([*(place.get(label, -1) for label in moved.values), -1], dtype=np.int64)
        old = self.triples
        triples = Triples(
            scale, old.n_items, old.annotators,
            grid=None if old.grid is None else table[old.grid],
            item=old.item, annotator=old.annotator,
            answer=None if old.answer is None else table[old.answer], count=old.count,
        )  # fmt: skip
        return self._like(Assembled(triples, self._whole.names, self._whole.row))

    @property
    def labels_used(self) -> set[Label]:
        """The single labels that somebody gave."""
        given = np.unique(self.tally().answer)
        return {self.labels[position] for position in given}

    def where(self, annotations: BoolArray) -> Study:
        """Some of the annotations; items and scale stay, so that results can be put side by side."""
        rows = self._rows[annotations] if self._rows is not None else np.empty(0, dtype=np.int64)
        return self._like(Assembled(self.triples.keep(annotations), self._whole.names, rows))

    def with_triples(self, triples: Triples) -> Study:
        """Other annotations of the same items, without a table behind them."""
        return self._like(Assembled(triples, self._whole.names, np.empty(0, dtype=np.int64)))

    def of_annotators(self, names: Sequence[str]) -> Study:
        """The answers of some annotators only."""
        unknown = [name for name in names if name not in self.annotators]
        if unknown:
            raise InputError(f"No annotator {listing(unknown)}; there are {listing(self.annotators)}.")
        positions = [self.annotators.index(name) for name in names]
        return self.where(np.isin(self.triples.rows[1], positions))

    def groups(self, by: str) -> dict[Label, Study]:
        """One study for each value of a column; rows without a value belong to none."""
        codes = self.column(by)
        return {value: self.where(codes.codes == place) for place, value in enumerate(codes.values)}

    def column(self, name: str) -> Coded:
        """Any column of the table, one code an annotation."""
        if self._frame is None:
            raise InputError(f"There is no column {name!r}: the study was made from a {self.shape}, which has no others.")
        coded = self._frame.code(self._frame.need("by", name), what="value")
        assert self._rows is not None
        return Coded(coded.codes[self._rows].astype(np.int64), coded.values)

    def item_column(self, name: str, role: str) -> Coded:
        """A column that says one thing of each item, one code an item; −1 for an item of which it says nothing."""
        said = self.column(name)
        item = self.triples.rows[0]
        codes = np.full(self.triples.n_items, -1, dtype=np.int64)
        codes[item[said.codes >= 0]] = said.codes[said.codes >= 0]
        differs = (said.codes >= 0) & (codes[item] != said.codes)
        if differs.any():
            place = int(item[np.nonzero(differs)[0][0]])
            raise InputError(
                f"{role}={name!r} must say one thing of an item, and item {self.items[place]!r} has several values there."
            )
        return Coded(codes, said.values)

    @cached_property
    def _rows(self) -> IntArray | None:
        """The row of the table behind each annotation."""
        whole = self._whole
        return self.triples.rows[0] if whole.triples.grid is not None else whole.row

    def _like(self, assembled: Assembled | None, tasks: dict[Label, Study] | None = None) -> Study:
        made = Study.__new__(Study)
        made._set(assembled, self._frame, self.roles, LeftOut(dict(self.left_out)), self.shape, self.n_rows)
        made.tasks = tasks or {}
        return made


def as_study(data: Any, other: Any, labels: Sequence[Any] | None, roles: Roles) -> Study:
    """Whatever a measure is given: a study, or what a study is made of."""
    if isinstance(data, Study):
        if other is not None or roles:
            raise OptionError("A Study is given alone: its columns and roles were said when it was made.")
        return data if labels is None else data.declare(labels)
    if other is not None:
        if roles:
            raise OptionError("Two sequences of answers take no column names.")
        return Study.from_pairs(data, other, labels=labels)
    if _is_table(data):
        return _long_study(data, labels, roles)
    if roles:
        raise OptionError(f"Column names ({listing(roles)}) were given, and the data is no table but {type(data).__name__}.")
    array = _rectangle(data)
    if array.ndim != 2:
        raise InputError(
            "One sequence of answers is one annotator's. Give two sequences, a 2-D array of items × annotators, or a table."
        )
    _refuse_counts(array)
    return Study.from_wide(array if isinstance(data, np.ndarray) else data, labels=labels)


def _long_study(data: Any, labels: Sequence[Any] | None, roles: Roles) -> Study:
    from accord.engine import Frame  # noqa: PLC0415

    columns = Frame.open(data).columns
    if not roles and not {"item", "annotator"} <= set(columns):
        raise InputError(
            f"Which columns are which? The table has {listing(columns)}. One row an annotation: "
            "measure(table, item=…, annotator=…, label=…). One row an item and a column an annotator: "
            "measure(Study.from_wide(table, item=…))."
        )
    return Study(data, labels=labels, **roles)


class _Long:
    """Reads a long table: codes the columns once, then assembles the whole or each variable."""

    def __init__(
        self,
        frame: Frame,
        roles: Mapping[str, str],
        labels: Sequence[Any] | None,
        answers: Kind | None,
        duplicates: Duplicates,
    ) -> None:
        self.frame, self.roles, self.labels, self.duplicates = frame, roles, labels, duplicates
        self.left_out = LeftOut()
        self.kind = answers or self._kind()
        self._need_roles()
        self.sayings = assembly.read_sayings(
            frame.code(roles["item"], what="item"), frame.code(roles["annotator"], what="annotator"), self.left_out
        )

    def _kind(self) -> Kind:
        if "rank" in self.roles:
            return "ranked"
        if "label" not in self.roles:
            return "score"
        return "set" if self.frame.lists(self.roles["label"]) else "single"

    def _need_roles(self) -> None:
        needed = {"single": "label", "set": "label", "ranked": "label", "score": "score"}[self.kind]
        if needed not in self.roles:
            raise OptionError(f"answers={self.kind!r} needs {needed}=…, the column to read them from.")

    def all_of_it(self) -> Assembled | None:
        """The annotations, unless the table holds several variables."""
        return None if "task" in self.roles else self._assemble(self.sayings)

    def variables(self, study: Study) -> dict[Label, Study]:
        """One study for each variable; a row without one is left out."""
        task = self.frame.code(self.roles["task"], what="task")
        codes = task.codes[self.sayings.row]
        self.left_out.add("rows without a task", int((codes < 0).sum()))
        if not task.values:
            raise InputError(f"The task column {self.roles['task']!r} is empty.")
        studies = {}
        for place, name in enumerate(task.values):
            chosen = self.sayings.where(codes == place)
            studies[name] = study._like(self._assemble(chosen))
        return studies

    def _assemble(self, sayings: assembly.Sayings) -> Assembled:
        if self.kind == "score":
            return self._scores(sayings)
        name = self.roles["label"]
        if self.frame.lists(name):
            if self.kind == "single":
                raise InputError(f"The column {name!r} holds lists of labels: say answers='set' or answers='ranked'.")
            return assembly.listed_answers(sayings, self.frame.cells(name), self.labels, self.kind)
        label = self.frame.code(name)
        scale = self._scale(name, label, sayings)
        if self.kind == "set":
            return assembly.set_answers(sayings, label, scale)
        if self.kind == "ranked":
            rank = self.frame.code(self.frame.need("rank", self.roles.get("rank", "rank")), what="rank")
            return assembly.ranked_answers(sayings, label, rank, scale, self.left_out)
        return assembly.single_answers(sayings, label, scale, self.left_out, self.duplicates)

    def _scale(self, name: str, label: Coded, sayings: assembly.Sayings) -> Answers:
        """The declared scale: by the caller, by a categorical column, or the labels in use."""
        used = np.unique(label.codes[sayings.row])
        seen = [label.values[place] for place in used if place >= 0]
        categories = self.frame.categories(name)
        if self.labels is not None:
            return scale_of(seen, self.labels, ordered=bool(categories and categories[1]))
        if categories is not None:
            return scale_of(seen, categories[0], ordered=categories[1])
        return scale_of(seen)

    def _scores(self, sayings: assembly.Sayings) -> Assembled:
        name = self.roles["score"]
        if not self.frame.numeric(name):
            raise InputError(f"score={name!r} must be a column of numbers; its cells are not all numbers.")
        cells = [np.nan if cell is None else cell for cell in self.frame.cells(name)]
        numbers = np.array([float(cell) if cell == cell else np.nan for cell in cells], dtype=np.float64)
        coded, answers = assembly.score_answers(numbers, ~np.isnan(numbers), f"column {name!r}")
        return assembly.single_answers(sayings, coded, answers, self.left_out, self.duplicates)


class _Wide:
    """Items × annotators: the cells, what the rows and columns are called, and the table they came from."""

    def __init__(self, cells: Any, names: Names, frame: Frame | None, declared: tuple[list[Any], bool] | None) -> None:
        self.cells, self.names, self.frame, self.declared = cells, names, frame, declared

    @classmethod
    def of_frame(cls, data: Any, item: str | None, annotators: Sequence[str] | None) -> _Wide:
        from accord.engine import Frame, refuse_empty  # noqa: PLC0415

        frame = Frame.open(data)
        ids = None if item is None else frame.need("item", item)
        chosen = [frame.need("annotators", name) for name in annotators or frame.columns if name != ids]
        refuse_empty(len(frame), frame.columns)
        if len(chosen) < 1:
            raise InputError(f"No columns of answers are left: the table has {listing(frame.columns)}.")
        order = sorted(range(len(chosen)), key=lambda place: chosen[place])
        chosen = [chosen[place] for place in order]
        columns = {name: frame.code(name) for name in chosen}
        items: Sequence[Label] = _Numbered(len(frame)) if ids is None else _distinct(frame, ids)
        scales = [frame.categories(name) for name in chosen]
        declared = scales[0] if scales[0] is not None and all(scale == scales[0] for scale in scales) else None
        names = Names(items, tuple(chosen))  # type: ignore[arg-type]
        return cls(columns if not any(map(frame.lists, chosen)) else [frame.cells(name) for name in chosen], names,
                   frame, declared)  # fmt: skip

    @classmethod
    def of_array(cls, data: Any) -> _Wide:
        array = _rectangle(data)
        if array.ndim != 2:
            raise InputError(f"Items × annotators must be a table with rows and columns; got {array.ndim} dimensions.")
        if not array.size:
            raise InputError(f"The table is empty: {array.shape[0]} items × {array.shape[1]} annotators.")
        names = Names(_Numbered(len(array)), tuple(str(place + 1) for place in range(array.shape[1])))  # type: ignore[arg-type]
        return cls(array, names, None, None)

    def listed(self) -> list[list[Any]] | None:
        """The cells column by column, if they hold lists of labels."""
        if isinstance(self.cells, list):
            return self.cells
        if isinstance(self.cells, np.ndarray) and self.cells.dtype == object:
            kinds = {type(cell) for cell in self.cells.ravel()}
            if kinds & {list, tuple, set, frozenset}:
                return [list(column) for column in self.cells.T]
        return None


def _from_wide(cls: type[Study], wide: _Wide, labels: Sequence[Any] | None, answers: Kind | None) -> Study:
    listed = wide.listed()
    if listed is not None:
        if answers in ("single", "score"):
            raise InputError(f"The cells hold lists of labels, which answers={answers!r} cannot be.")
        return _from_listed(cls, wide, listed, labels, answers or "set")
    if answers in ("set", "ranked"):
        raise InputError(f"answers={answers!r} from a wide table needs lists of labels in its cells.")
    if isinstance(wide.cells, dict):
        columns: dict[str, Coded] = wide.cells
        seen = {label for column in columns.values() for label in column.values}
        declared, ordered = wide.declared or (None, False)
        scale = scale_of(seen, labels if labels is not None else declared, ordered=ordered)
        grid = np.stack([column.onto(scale.labels) for column in columns.values()], axis=1)
    else:
        grid, scale = assembly.grid_answers(wide.cells, labels)
    if answers == "score":
        scale = Answers("score", scores=scale.numbers("answers='score'"))
    return _from_grid(cls, grid, scale, wide.names, wide.frame, "wide table")


def _from_listed(
    cls: type[Study], wide: _Wide, columns: list[list[Any]], labels: Sequence[Any] | None, kind: Kind
) -> Study:
    items, people = len(columns[0]), len(columns)
    cells = [columns[who][item] for item in range(items) for who in range(people)]
    row = np.arange(items * people)
    sayings = assembly.Sayings(row // people, row % people, row, wide.names)
    left_out = LeftOut()
    left_out.add("cells without an answer", sum(cell is None for cell in cells))
    assembled = assembly.listed_answers(sayings, cells, labels, kind)
    made = cls.__new__(cls)
    by_item = Assembled(assembled.triples, assembled.names, assembled.row // people)
    made._set(by_item, wide.frame, {}, left_out, "wide table", items)
    return made


def _from_grid(
    cls: type[Study], grid: IntArray, scale: Answers, names: Names, frame: Frame | None, shape: str
) -> Study:
    left_out = LeftOut()
    left_out.add("cells without an answer", int((grid < 0).sum()))
    made = cls.__new__(cls)
    triples = Triples(scale, len(grid), names.annotators, grid=grid)
    made._set(Assembled(triples, names, np.empty(0, dtype=np.int64)), frame, {}, left_out, shape, len(grid))
    return made


class _Numbered(Sequence[Label]):
    """Items without names: row numbers from 0, without a list of a million integers."""

    def __init__(self, size: int) -> None:
        self._range = range(size)

    def __len__(self) -> int:
        return len(self._range)

    def __getitem__(self, place: Any) -> Any:
        found = self._range[place]
        return int(found) if not isinstance(found, range) else tuple(found)


def _distinct(frame: Frame, name: str) -> tuple[Label, ...]:
    """Item ids of a wide table, one a row."""
    ids = frame.code(name, what="item")
    if ids.silent:
        raise InputError(f"{ids.silent} rows have no item: the column {name!r} has gaps.")
    if len(ids.values) < len(ids.codes):
        counts = np.bincount(ids.codes)
        twice = ids.values[int(counts.argmax())]
        raise InputError(f"A wide table has one row an item, and item {twice!r} has {int(counts.max())}.")
    return tuple(ids.values[place] for place in ids.codes)


def _is_frame(data: Any) -> bool:
    if isinstance(data, np.ndarray | list | tuple):
        return False
    from accord.engine import is_frame  # noqa: PLC0415

    return isinstance(data, Mapping) or is_frame(data)


def _is_table(data: Any) -> bool:
    if isinstance(data, list | tuple):
        return bool(data) and isinstance(data[0], Mapping)
    return _is_frame(data)


def _cells(data: Any) -> Any:
    """A column of answers as cells to code."""
    if isinstance(data, np.ndarray | list | tuple):
        return data
    from accord.engine import column_cells, is_series  # noqa: PLC0415

    return column_cells(data) if is_series(data) else list(data)


def _refuse_other_index(first: Any, second: Any) -> None:
    """Two pandas Series are put together by position only if their indexes are the same."""
    if isinstance(first, np.ndarray | list | tuple) or isinstance(second, np.ndarray | list | tuple):
        return
    from accord.engine import index_of  # noqa: PLC0415

    one, other = index_of(first), index_of(second)
    if one is not None and other is not None and one != other:
        raise InputError(
            f"The two Series have different indexes ({listing(one, most=4)} and {listing(other, most=4)}), so they may be in "
            "different orders. Align them first (b = b.reindex(a.index)), or give positions: a.to_numpy(), b.to_numpy()."
        )


def _rectangle(data: Any) -> npt.NDArray[Any]:
    """A 2-D array from rows, cells left as they are; lists inside cells stay lists."""
    if isinstance(data, np.ndarray):
        return data
    rows = [list(row) if isinstance(row, list | tuple | np.ndarray) else row for row in data]
    if not rows or not all(isinstance(row, list) for row in rows):
        return np.array(rows, dtype=object)
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise InputError(
            f"The rows are of different lengths ({listing(sorted(widths))}): items × annotators needs a cell for "
            "everyone, with None where there is no answer."
        )
    array = np.empty((len(rows), widths.pop()), dtype=object)
    for place, row in enumerate(rows):
        array[place, :] = _safe(row)
    return array


def _safe(row: list[Any]) -> npt.NDArray[Any]:
    """A row of cells as objects, so that a cell that is a list stays one cell."""
    cells = np.empty(len(row), dtype=object)
    for place, cell in enumerate(row):
        cells[place] = cell
    return cells


def _refuse_counts(array: npt.NDArray[Any]) -> None:
    """Whole numbers whose rows have one and the same sum look like a table of counts."""
    if array.dtype == object:
        if not all(isinstance(cell, int | np.integer) and not isinstance(cell, bool) for cell in array.ravel()[:2000]):
            return
        try:
            array = array.astype(np.int64)
        except (TypeError, ValueError):
            return
    if array.dtype.kind not in "iu" or len(array) < 2 or array.shape[1] < 2 or array.min() < 0:
        return
    sums = array.sum(axis=1)
    if sums[0] >= 2 and (sums == sums[0]).all():
        raise InputError(
            f"Every row of the array sums to {int(sums[0])}: this looks like a table of counts (items × labels), or like "
            "ratings (items × annotators) by accident. Say which: Study.from_counts(array) or Study.from_wide(array)."
        )


def _counts(data: Any, what: str) -> tuple[IntArray, list[Any]]:
    """A table of counts as whole numbers, with the names of its columns."""
    columns: list[Any] | None = None
    if _is_frame(data):
        from accord.engine import Frame  # noqa: PLC0415

        frame = Frame.open(data)
        columns = list(frame.columns)
        data = np.array([frame.cells(name) for name in columns], dtype=object).T
    array = _rectangle(data)
    if array.ndim != 2 or not array.size:
        raise InputError(f"{what.capitalize()} must be a table with rows and columns; got shape {array.shape}.")
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what.capitalize()} must hold numbers only.") from None
    bad = ~np.isfinite(numbers) | (numbers < 0) | (numbers != np.floor(numbers))
    if bad.any():
        row, column = (int(place) for place in np.argwhere(bad)[0])
        raise InputError(
            f"{what.capitalize()} must be whole numbers, none below 0; found {array[row, column]} in row {row}, column {column}."
        )
    return numbers.astype(np.int64), columns if columns is not None else list(range(array.shape[1]))


def _yes_no(cells: list[Any], name: str) -> IntArray:
    """A yes/no column: 1, 0, and −1 for silence."""
    coded = code(cells)
    allowed: dict[Label, int] = {True: 1, False: 0}  # 1 and 0 are equal to these
    if any(value not in allowed for value in coded.values):
        raise InputError(f"The column {name!r} must say yes or no (True/False, 1/0); found {listing(coded.values)}.")
    table = np.array([*(allowed[value] for value in coded.values), -1], dtype=np.int64)
    return table[coded.codes]


def _check_choice(name: str, value: str | None, allowed: Sequence[str]) -> None:
    if value is not None and value not in allowed:
        raise OptionError.choice(name, value, allowed)


StudyLike = Study | Any
Recipe = Callable[[Study], Any]

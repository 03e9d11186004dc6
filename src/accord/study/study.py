"""Study: one table of annotations and which column plays which role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from accord.annotations.answers import KINDS, Answers, Kind, Label, Level, scale_of
from accord.annotations.arrays import BoolArray, IntArray
from accord.annotations.assemble import DUPLICATES, Duplicates
from accord.annotations.cleaning import CLEANING, NO_CLEANING, Cleaner, Cleaning, CleaningOptions
from accord.annotations.factorize import Coded
from accord.annotations.left_out import LeftOut
from accord.annotations.tally import Tally
from accord.engine.pandas_tables import with_names_in_columns
from accord.errors import (
    InputError,
    Keyword,
    MeasureError,
    OptionError,
    all_quoted,
    counted,
    in_python,
    keyword,
    one_task,
    quoted,
)
from accord.options import check_choice, check_flag, is_hashable, keywords_of, refuse_unknown
from accord.study.item_weights import ItemWeights, named_weights, weights_of, with_weights
from accord.study.levels import ONLY, LevelsLike, levelled
from accord.study.roles import COMPARED, ROLES, RoleKeywords, named, takes_roles
from accord.study.shapes import counts, wide
from accord.study.shapes.cells import is_table, refuse_path
from accord.study.shapes.loaded import Loaded, StudyPart, Trait, WeightsOfItems, with_cleaning
from accord.study.shapes.named_columns import columns_but, loaded_long, names_every_role, with_one_item

if TYPE_CHECKING:
    from pathlib import Path

    from accord.annotations.recognised_scale import LooksLikeAScale
    from accord.annotations.source_table import SourceTable
    from accord.engine.annotations_protocol import Annotations
    from accord.study.description import Description
    from accord.study.kinds import KindOfAnnotator


class Variables(dict[Label, "Study"]):
    """Studies by the variable; one that is not there is an error that says which there are."""

    def __missing__(self, name: Label) -> Study:
        if not self:
            raise OptionError(
                "There is no variable ",
                quoted(name),
                ": the study holds one only, and is asked itself.",
                option=Keyword("task", name),
            )
        raise OptionError.choice("task", name, [str(task) for task in self], of_data=True)


@takes_roles(after="data")
class Study:
    """Annotations: who said what of which item.

    Args:
        data: A table with one row per annotation: a dataframe (pandas, Polars eager or lazy, PyArrow, DuckDB …), a
            mapping of columns, or a list of records. Where `item`, `annotator` and `label` (or `score`) are not all
            said, columns and layout are recognised as `accord.read` recognises those of a file (doc, rater, code; a
            column per annotator …), and `notes` says what was taken for what. For arrays see `from_wide`,
            `from_raters_items`, `from_counts`, `from_confusion`, `from_pairs`.
        **roles: Which column plays which role: item="doc", annotator="who", label="tag" and the others of the table in
            `study/roles.py`.
        labels: All labels there are, used or not; by default those in the data. A list says nothing of a scale; where
            they are measured as one (`ordered`, `levels`, weights by distance), its order counts.
        levels: The level of measurement, "nominal", "ordinal", "interval", "ratio" or "circular": one word, or one for
            each variable: {"tone": "ordinal"}. An ordered categorical column is ordinal.
        ordered: Whether the labels have an order: True for a scale (the ordinal level; the order is that of `labels`,
            of numbers, or of words such as low, medium, high), False for mere names. Without it nothing is assumed.
        answers: The kind of answers, where the roles do not tell: "single", "set", "ranked", "ranking", "score"
            or "preference".
        separator: What stands between the labels of a cell, where cells hold several in one text: ";".
        duplicates: What to do where an annotator answered an item more than once: "error", keep the "first" or the
            "last", or take all as "repeat" answers: people are then compared with others only, and count once on an
            item; `accord.self_agreement` compares them with themselves.
        missing: Labels that stand for no answer, such as [99, "NA", "don't know"]; they are counted in `left_out`.
        trim: Whether blanks around labels are taken away.
        fold_case: Whether labels are read in small letters.
        recode: Labels that are read as others, such as {"Yes": "yes"}. `notes` count what was changed.

    Raises:
        ColumnMissing: If a role names a column that the table does not have.
        DuplicateAnswers: If an annotator answered an item twice and `duplicates` is "error".
        LabelError: If a label is not on the declared scale, or text and numbers are mixed.
        InputError: If `data` is no table, or is empty; the three above are kinds of it.
        OptionError: If `levels`, `answers` or `duplicates` is not one of the words above.

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
        labels: Sequence[Any] | None = None,
        levels: LevelsLike | None = None,
        ordered: bool | None = None,
        answers: Kind | None = None,
        separator: str | None = None,
        duplicates: Duplicates = "error",
        missing: Sequence[Any] | None = None,
        trim: bool = False,
        fold_case: bool = False,
        recode: Mapping[Any, Any] | None = None,
        **roles: Unpack[RoleKeywords],
    ) -> None:
        refuse_unknown(roles, ROLES, keywords_of(Study))
        played = named(roles)
        refuse_path(data)
        data = with_names_in_columns(data, played.values())
        item = played.get("item")
        parts = item if isinstance(item, list | tuple) else []
        if isinstance(item, list | tuple):
            data, played["item"] = with_one_item(data, parts)
        cleaning = Cleaning.of(missing, trim, fold_case, recode)
        _check_choice("answers", answers, KINDS)
        _check_choice("duplicates", duplicates, DUPLICATES)
        if separator is not None or not names_every_role(played):
            from accord.study.tables.recognise import study_of_frame
            from accord.study.tables.rows import ReadOptions, check_separator

            check_separator(separator)
            options = ReadOptions(
                played, labels=labels, answers=answers, duplicates=duplicates, cleaning=cleaning, separator=separator
            )
            found = study_of_frame(data, options, parts)
            self._source = found.declare(levels=levels, ordered=ordered)._source  # noqa: SLF001 - its own
            return
        loaded = loaded_long(data, played, labels, answers, duplicates, cleaning)
        self._source = loaded if "token" in played else levelled(loaded, levels, ordered)
        self._with_weights_checked()

    # -- other shapes ---------------------------------------------------------------------------------------------

    @classmethod
    def from_wide(
        cls,
        data: Any,
        *,
        item: str | Sequence[str] | None = None,
        annotators: Sequence[str] | None = None,
        labels: Sequence[Any] | None = None,
        levels: Level | None = None,
        ordered: bool | None = None,
        answers: Kind | None = None,
        **cleaning: Unpack[CleaningOptions],
    ) -> Study:
        """Items × annotators: one row per item, one column per annotator; missing cells are allowed.

        Args:
            data: A dataframe, a 2-D array or a list of rows.
            item: The column of a dataframe that names the item, or several that do together; without it items are row
                numbers.
            annotators: The columns of a dataframe that hold answers; without it all but `item`. Where columns are
                called after annotators and variables (V1A, V1B, V2A, V2B), the annotators: ["A", "B"].
            labels: All labels there are, used or not; by default those in the data, sorted.
            levels: The level of measurement: "nominal", "ordinal", "interval", "ratio" or "circular".
            ordered: Whether the labels have an order (as they are listed), as `Study` takes it.
            answers: "single" (the default), "score", or "set", "ranked" and "ranking" where the cells hold lists.
            **cleaning: What is done to labels first: `missing`, `trim`, `fold_case`, `recode`, as `Study` takes them.

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
            raise OptionError(
                keyword("item"), " and ", keyword("annotators"),
                " name columns of a dataframe; the rows of an array have no names. Leave them out.",
            )  # fmt: skip
        cleaner = Cleaner(_cleaning_of(cleaning, cls.from_wide))
        if item is not None and not isinstance(item, str | int):
            annotators = columns_but(data, item) if annotators is None else annotators
            data, item = with_one_item(data, item)
        if named and annotators is not None:
            from accord.study.tables.rows import ReadOptions
            from accord.study.tables.wide_tables import study_of_named_people

            roles = {} if item is None else {"item": item}
            options = ReadOptions(
                roles, annotators=annotators, labels=labels, answers=answers, cleaning=cleaner.cleaning
            )
            found = study_of_named_people(data, options)
            if found is not None:
                return found.declare(levels=levels, ordered=ordered)
        if named:
            table = wide.Wide.of_frame(data, item, annotators, cleaner)
        else:
            table = wide.Wide.of_array(data, cleaner)
        return cls._from_loaded(levelled(wide.from_wide(table, labels, answers, cleaner), levels, ordered))

    @classmethod
    def from_raters_items(
        cls,
        data: Any,
        *,
        labels: Sequence[Any] | None = None,
        levels: Level | None = None,
        ordered: bool | None = None,
        answers: Kind | None = None,
        **cleaning: Unpack[CleaningOptions],
    ) -> Study:
        """Annotators × items: one row per annotator, one column per item, as the package `krippendorff` takes them.

        Args:
            data: A 2-D array or a list of rows, one row per annotator; a dataframe is taken by its cells.
            labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
            levels: The level of measurement: "nominal", "ordinal", "interval", "ratio" or "circular".
            ordered: Whether the labels have an order (as they are listed), as `Study` takes it.
            answers: "single" (the default), "score", or "set", "ranked" and "ranking" where the cells hold lists.
            **cleaning: What is done to labels first: `missing`, `trim`, `fold_case`, `recode`, as `Study` takes them.

        Returns:
            A `Study` of annotators "1", "2" …, whose items are column numbers.

        Raises:
            InputError: If `data` is not rectangular, or empty; `LabelError` is a kind of it.
            OptionError: If `answers` is no kind.

        >>> Study.from_raters_items([["yes", "no", "no"], ["yes", "no", None]])
        Study of 3 items by 2 annotators: 5 single answers on the labels 'no', 'yes'
        """
        return cls.from_wide(
            wide.turned(data), labels=labels, levels=levels, ordered=ordered, answers=answers, **cleaning
        )

    @classmethod
    def from_pairs(
        cls,
        first: Any,
        second: Any,
        *,
        labels: Sequence[Any] | None = None,
        levels: Level | None = None,
        ordered: bool | None = None,
        answers: Kind | None = None,
        **cleaning: Unpack[CleaningOptions],
    ) -> Study:
        """Two annotators' answers in the same order: two lists, arrays or columns of one length.

        Args:
            first: One annotator's answers.
            second: The other's, in the same order; None where an answer is missing.
            labels: All labels there are, used or not; by default those in the data, sorted.
            levels: The level of measurement: "nominal", "ordinal", "interval", "ratio" or "circular".
            ordered: Whether the labels have an order (as they are listed), as `Study` takes it.
            answers: "single" (the default), "score", or "set", "ranked" and "ranking" where the cells hold lists.
            **cleaning: What is done to labels first: `missing`, `trim`, `fold_case`, `recode`, as `Study` takes them.

        Returns:
            A `Study` of two annotators, "1" and "2", whose items are row numbers.

        Raises:
            InputError: If the two differ in length, or are not one-dimensional; `LabelError` is a kind of it.
            OptionError: If `labels` is not a list, or `answers` is no kind.

        >>> Study.from_pairs(["a", "b", "b"], ["a", "b", "a"])
        Study of 3 items by 2 annotators: 6 single answers on the labels 'a', 'b'
        """
        _check_choice("answers", answers, KINDS)
        cleaner = Cleaner(_cleaning_of(cleaning, cls.from_pairs))
        return cls._from_loaded(levelled(wide.from_pairs(first, second, labels, cleaner, answers), levels, ordered))

    @classmethod
    def from_counts(
        cls,
        data: Any,
        *,
        labels: Sequence[Any] | None = None,
        levels: Level | None = None,
        ordered: bool | None = None,
    ) -> Study:
        """Items × labels: how many annotators gave each label (Fleiss's table). Items are row numbers; nobody is named.

        Args:
            data: A table of whole numbers: one row per item, one column per label. A dataframe brings its columns as
                labels.
            labels: The labels in the order of the columns; without it the names of the columns, else 0, 1, 2 …
            levels: The level of measurement: "nominal", "ordinal", "interval", "ratio" or "circular".
            ordered: Whether the labels have an order (as they are listed), as `Study` takes it.

        Returns:
            A `Study` without names of annotators.

        Raises:
            InputError: If a cell is no count, or `labels` are not as many as columns.
            OptionError: If `labels` is not a list.

        >>> Study.from_counts([[3, 0], [1, 2]], labels=["yes", "no"])
        Study of 2 items by up to 3 annotators: 6 single answers on the labels 'yes', 'no'
        """
        return cls._from_loaded(levelled(counts.from_counts(data, labels), levels, ordered))

    @classmethod
    def from_unnamed(
        cls,
        data: Any,
        *,
        item: str,
        label: str | Sequence[str],
        labels: Sequence[Any] | None = None,
        levels: LevelsLike | None = None,
        ordered: bool | None = None,
        **cleaning: Unpack[CleaningOptions],
    ) -> Study:
        """One row per answer, of people who are not named: several rows of an item are answers of different people.

        Args:
            data: A dataframe, a mapping of columns or a list of records.
            item: The column that names the item.
            label: The column with the label; several columns are several variables.
            labels: All labels there are, used or not; by default those in the data, sorted.
            levels: The level of measurement: one word, or one for each variable, as `Study` takes it.
            ordered: Whether the labels have an order (as they are listed), as `Study` takes it.
            **cleaning: What is done to labels first: `missing`, `trim`, `fold_case`, `recode`, as `Study` takes them.

        Returns:
            A `Study` without names of annotators.

        Raises:
            InputError: If the table is empty; `ColumnMissing` and `LabelError` are kinds of it.
            OptionError: If an option has a value that it cannot take.

        >>> Study.from_unnamed({"item": [1, 1, 2], "label": ["yes", "no", "no"]}, item="item", label="label")
        Study of 2 items by up to 2 annotators: 3 single answers on the labels 'no', 'yes'
        """
        from accord.engine.frames import Frame, refuse_empty

        frame = Frame.open(data)
        refuse_empty(len(frame), frame.columns)
        cleaner = Cleaner(_cleaning_of(cleaning, cls.from_unnamed))
        names = [label] if isinstance(label, str) else list(label)
        cells = {name: frame.cells(frame.need("label", name)) for name in names}
        cleaned = {name: cleaner.column(column) if cleaner else column for name, column in cells.items()}
        loaded = counts.from_unnamed(frame.cells(frame.need("item", item)), cleaned, labels)
        return cls._from_loaded(levelled(with_cleaning(loaded, cleaner), levels, ordered))

    @classmethod
    def from_confusion(
        cls,
        data: Any,
        *,
        labels: Sequence[Any] | None = None,
        levels: Level | None = None,
        ordered: bool | None = None,
    ) -> Study:
        """Two annotators' contingency table: rows are the first's labels, columns the second's.

        Args:
            data: A square table of whole numbers: how many items got each pair of labels. A dataframe brings its
                columns as labels.
            labels: The labels in the order of rows and columns; without it the names of the columns, else 0, 1, 2 …
            levels: The level of measurement: "nominal", "ordinal", "interval", "ratio" or "circular".
            ordered: Whether the labels have an order (as they are listed), as `Study` takes it.

        Returns:
            A `Study` of two annotators.

        Raises:
            InputError: If the table is not square, a cell is no count, or `labels` are not as many as columns.
            OptionError: If `labels` is not a list.

        >>> Study.from_confusion([[20, 5], [10, 15]], labels=["positive", "negative"])
        Study of 50 items by 2 annotators: 100 single answers on the labels 'positive', 'negative'
        """
        return cls._from_loaded(levelled(counts.from_confusion(data, labels), levels, ordered))

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
        return cls._from_loaded(counts.from_indicators(data, item, annotator, columns))

    # -- how it is loaded -----------------------------------------------------------------------------------------

    _source: Loaded | Callable[[], Study]  # what was loaded, or how to load it

    @property
    def _loaded(self) -> Loaded:
        """What was loaded; of a deferred study, now."""
        source = self._source
        if isinstance(source, Loaded):
            return source
        self._source = source()._loaded  # noqa: SLF001 - its own
        return self._source

    @classmethod
    def _from_loaded(cls, loaded: Loaded | Callable[[], Study]) -> Study:
        """From what a shape or a reader has loaded."""
        study = cls.__new__(cls)
        study._source = loaded  # noqa: SLF001 - its own
        return study

    def _then(self, change: Callable[[Study], Study]) -> Study:
        """A change to the study: now where it is loaded, else when it is."""
        return change(self) if isinstance(self._source, Loaded) else Study._from_loaded(lambda: change(self))

    def _with_origin(self, shape: str, notes: Sequence[str], left_out: LeftOut | None = None) -> Study:
        """The same study, with what it was read from, notes of its reader, and what the reader left out."""
        both = (left_out or LeftOut()) | self.left_out
        return Study._from_loaded(replace(self._loaded, shape=shape, notes=tuple(notes), left_out=both))

    def _with_note(self, note: str) -> Study:
        """The same study, with one thing more that one should know of how it was read."""

        def noted(study: Study) -> Study:
            loaded = study._loaded
            return Study._from_loaded(replace(loaded, notes=(*loaded.notes, note)))

        return self._then(noted)

    def _but(self, *, rows: int | None = None, left_out: LeftOut | None = None) -> Study:
        """The same study, made from another number of rows, or with more that was left out."""
        loaded = self._loaded
        number = loaded.rows if rows is None else rows
        return Study._from_loaded(replace(loaded, rows=number, left_out=loaded.left_out | (left_out or LeftOut())))

    @property
    def _reader_notes(self) -> tuple[str, ...]:
        """What its reader notes; what `notes` say of labels besides is said of those that are there then."""
        return self._loaded.notes

    def _with_annotations(self, annotations: Annotations) -> Study:
        """Other annotations, which were read from the same data; of other labels nobody has declared the level."""
        loaded, now = self._loaded, annotations.answers
        before = None if loaded.annotations is None else loaded.annotations.answers
        same = before is now or (before is not None and (before.kind, before.labels) == (now.kind, now.labels))
        return Study._from_loaded(
            replace(loaded, annotations=annotations, tasks={}, levels=loaded.levels if same else {})
        )

    def _with_tasks(self, tasks: Mapping[Label, Study]) -> Study:
        """Other variables, which were read from the same data."""
        parts = {name: part._annotations for name, part in tasks.items()}
        declared = {name: part._loaded.levels for name, part in tasks.items()}  # noqa: SLF001 - its own
        levels = {name: word[ONLY] for name, word in declared.items() if ONLY in word}
        return Study._from_loaded(replace(self._loaded, annotations=None, tasks=parts, levels=levels))

    @property
    def _in_memory(self) -> Study:
        """The same study with its annotations in memory; an error where they are too many."""
        return self if self._annotations.in_memory else self._brought

    @cached_property
    def _brought(self) -> Study:
        return self._with_annotations(self._annotations.to_memory())

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: what was loaded, in memory; what an engine keeps is brought there first."""
        loaded = self._loaded
        whole = None if loaded.annotations is None else loaded.annotations.movable()
        tasks = {name: part.movable() for name, part in loaded.tasks.items()}
        return {"_source": replace(loaded, annotations=whole, tasks=tasks, roles=dict(loaded.roles))}

    # -- what it holds --------------------------------------------------------------------------------------------

    @cached_property
    def roles(self) -> dict[str, str]:
        """The column of each role."""
        return dict(self._loaded.roles)

    @property
    def left_out(self) -> LeftOut:
        """How much was not used, by reason in words; `left_out.of("repeated")` by key."""
        return self._loaded.left_out

    @property
    def shape(self) -> str:
        """What it was made from: "long table", "Label Studio export" …"""
        return self._loaded.shape

    @property
    def _traits(self) -> frozenset[Trait]:
        """What is asked of its shape."""
        return self._loaded.traits

    @property
    def n_rows(self) -> int:
        """Rows of the table that it was made from."""
        return self._loaded.rows

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What one should know of how it was read, and of labels in two spellings or that look like missing codes."""
        from accord.study.label_notes import label_notes

        return tuple(dict.fromkeys((*self._loaded.notes, *label_notes(self))))

    @cached_property
    def tasks(self) -> dict[Label, Study]:
        """One study per variable, where the table holds several; else empty."""
        return Variables({name: self._variable(name, part) for name, part in self._loaded.tasks.items()})

    def _variable(self, name: Label, part: Annotations) -> Study:
        """One variable by itself, with its level."""
        levels: dict[Label, Level] = {ONLY: self._loaded.levels[name]} if name in self._loaded.levels else {}
        one = self._part if len(self._loaded.tasks) > 1 else self._loaded.part
        return Study._from_loaded(replace(self._loaded, annotations=part, tasks={}, levels=levels, part=one))

    @property
    def _annotations(self) -> Annotations:
        """The annotations; a study of several variables has them one variable at a time, in `tasks`."""
        found = self._loaded.annotations
        if found is None:
            raise MeasureError(
                f"The study holds {counted(len(self.tasks), 'variables')} (",
                all_quoted(self.tasks, most=5),
                "), each with answers of its own. Choose one: ",
                one_task(next(iter(self.tasks))),
                in_python("; measures give one row each in by_group().", "; `accord measure` gives one row each."),
                available=self.tasks,
            )
        return found

    @property
    def answers(self) -> Answers:
        """The distinct answers, in canonical order."""
        return self._annotations.answers

    @property
    def kind(self) -> Kind:
        """What an answer is: "single", "set", "ranked", "ranking", "score" …"""
        return self.answers.kind

    @property
    def compares(self) -> bool:
        """Are the answers preferences between two options? Then `kind` is "single": the one, the other, or a tie."""
        one = self._loaded.annotations
        if one is None or not one.in_memory or not set(COMPARED) <= set(self._loaded.roles):
            return False
        from accord.annotations.preference_words import SIDES

        return one.to_memory().backwards is not None and set(one.answers.labels) <= set(SIDES)

    @property
    def level(self) -> Level | None:
        """The level of measurement that somebody declared, by a word or by an ordered categorical; None if nobody did.

        Of several variables, the one that they share.
        """
        if self._loaded.annotations is None:
            shared = {part.level for part in self.tasks.values()}
            return shared.pop() if len(shared) == 1 else None
        declared = self._loaded.levels.get(ONLY)
        return "ordinal" if declared is None and self.answers.ordered else declared

    @cached_property
    def _looks_like_a_scale(self) -> LooksLikeAScale | None:
        """What the labels look like, but for such as look like missing codes."""
        from accord.annotations.recognised_scale import recognised, recognised_but_for
        from accord.study.label_notes import suspected_codes

        codes = suspected_codes(self) if self.kind == "single" and self._annotations.in_memory else []
        return (recognised_but_for(self.answers, codes) if codes else None) or recognised(self.answers)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The scale, in order."""
        return self.answers.labels

    @property
    def items(self) -> Sequence[Label]:
        """What the items are called."""
        return self._annotations.items

    @property
    def annotators(self) -> tuple[str, ...]:
        """What the annotators are called, in canonical order; empty where nobody is named."""
        return self._annotations.annotators

    @cached_property
    def kinds(self) -> dict[str, KindOfAnnotator]:
        """What each annotator is, where something tells: "person", "model" or "adjudicator"; "other" for the rest
        where people were named.
        """
        from accord.study.kinds import kinds_of

        declared = self._loaded.kinds
        return {} if declared is None else kinds_of(self, declared)

    @property
    def people(self) -> tuple[str, ...]:
        """The annotators who answered anything and are people: those named, else all but models and adjudicators."""
        return self._answering(None, "person")

    @property
    def models(self) -> tuple[str, ...]:
        """The annotators who answered anything and are models."""
        return self._answering("model")

    @property
    def adjudicators(self) -> tuple[str, ...]:
        """The annotators who answered anything and are adjudicators."""
        return self._answering("adjudicator")

    @property
    def others(self) -> tuple[str, ...]:
        """The annotators who answered anything and are none of these: they are not among the people who were named."""
        return self._answering("other")

    def _answering(self, *kinds: str | None) -> tuple[str, ...]:
        names, known = self.annotators, self.kinds
        if not known and None not in kinds:
            return ()
        return tuple(name for name in (names[place] for place in self._present) if known.get(name) in kinds)

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
            OptionError: If `named` is neither True nor False.

        >>> from accord import Study
        >>> tally = Study.from_wide([["a", "a"], ["a", "b"], ["a", "a"]]).tally()
        >>> len(tally), tally.items.tolist()
        (2, [2, 1])
        """
        check_flag("named", named)
        if named not in self._tallies:
            found = self._annotations.tally(named=named)
            self._tallies[named] = self._weighing(found) if self._loaded.weighed else found
        return self._tallies[named]

    def _tally_of_people(self, *, named: bool = False) -> Tally:
        """The same where everybody counts once on an item: what one person says again is no agreement of two.

        Somebody who answered an item differently has a mixed answer there. Without repeats it is `tally`.
        """
        if not self._annotations.repeated:
            return self.tally(named=named)
        if named not in self._people_tallies:
            found = self._annotations.tally_of_people(named=named)
            self._people_tallies[named] = self._weighing(found) if self._loaded.weighed else found
        return self._people_tallies[named]

    @cached_property
    def _people_tallies(self) -> dict[bool, Tally]:
        return {}

    def _answered_again(self) -> Study:
        """What people said again: an item for each item and person, of nobody by name; those of one item a cluster."""
        from accord.annotations.retests import answered_again

        memory = self._annotations.to_memory()
        again, roles = answered_again(memory), dict(self._loaded.roles)
        cluster = roles.get("cluster", roles.get("item"))
        if cluster is not None and cluster in again.columns and again.row is not None:
            roles["cluster"] = cluster
        roles.pop("item_weight", None)  # each counts once: it is about the people
        plain = replace(self._loaded, item_weights=None, weighed=False)
        study = Study._from_loaded(replace(plain, annotations=again, tasks={}, roles=roles, kinds=None))
        names = memory.items
        if "item" in roles and roles.get("cluster") == roles["item"] and isinstance(names, tuple | range):
            place = memory.cells_again // max(len(self.annotators), 1)  # which is known already
            known: Any = names  # whole numbers are not written out, as in every column of them
            study._item_columns[roles["item"]] = Coded(place, known)  # noqa: SLF001 - its own
        return study

    # -- items that were chosen -----------------------------------------------------------------------------------

    def with_item_weights(self, weights: str | WeightsOfItems | None) -> Study:
        """The same answers on items that count by their weights: one divided by the chance of being chosen.

        Where items to be annotated twice were chosen (rare labels, uncertain ones), a coefficient speaks of the chosen
        items. With these weights it speaks of all that there were to choose from, and its intervals know of them.

        Args:
            weights: A column, a mapping from item to weight, or a list with one weight for each item in order where
                items are row numbers; None for items that count alike. An item with a single answer may go without
                (None): it is then left out.

        Returns:
            A new `Study`.

        Raises:
            InputError: If weights are not finite and above zero, or an item with two answers has none; of a lazy frame
                when it is measured. `ColumnMissing` is a kind of it.
            OptionError: If `weights` is none of these.

        >>> study = Study.from_pairs(["a", "a", "b", "b"], ["a", "b", "b", "b"]).with_item_weights([1, 1, 1, 3])
        >>> study.describe().effective_items
        3.0
        """
        return Study._from_loaded(with_weights(self, weights))._with_weights_checked()  # noqa: SLF001 - its own

    def _with_weights_checked(self) -> Study:
        """The study, if the weights of its items are such; what stays in an engine is looked at when it is measured."""
        if self._loaded.item_weights is not None or "item_weight" in self._loaded.roles:
            for part in self.tasks.values() or [self]:
                if part._annotations.in_memory:
                    part._item_weights  # noqa: B018 - an error where they are none
        return self

    @cached_property
    def item_weights(self) -> dict[Label, float]:
        """What each item weighs, as it was given; empty where all count alike."""
        return named_weights(self)

    @cached_property
    def _item_weights(self) -> ItemWeights | None:
        """The weights of the items of one variable; None where all count alike."""
        return weights_of(self, self._loaded.item_weights)

    @property
    def _uneven_weights(self) -> ItemWeights | None:
        """The weights of items that do not all count alike; None where they do, and of several variables at once."""
        weights = None if self.tasks else self._item_weights
        return None if weights is None or weights.alike else weights

    @property
    def _weighed(self) -> Study:
        """The same study whose tallies count items by their weights; itself where all count alike."""
        return self if self._loaded.weighed or self._uneven_weights is None else self._by_weights

    @cached_property
    def _by_weights(self) -> Study:
        return Study._from_loaded(replace(self._loaded, weighed=True))

    def _weighing(self, tally: Tally) -> Tally:
        """A tally of items as a tally of their weights, which are checked against a study that counts items."""
        weights = Study._from_loaded(replace(self._loaded, weighed=False))._item_weights
        return tally if weights is None else weights.of(tally)

    def describe(self) -> Description:
        """What was read, what was left out and why.

        Returns:
            A `Description`, which prints as a few lines and has `to_dict()`.

        >>> from accord import Study
        >>> print(Study.from_pairs(["yes", "no", "yes"], ["yes", None, "no"]).describe())
        Study of 3 items by 2 annotators: 5 single answers on the labels 'no', 'yes'
          read from a pair of sequences of 3 rows
          answers per item: 1 to 2; items with a single answer: 1
          labels: 'no' 2, 'yes' 3
          left out: 1 cell without an answer
        """
        from accord.study.description import describe

        return describe(self)

    def write(self, path: str | Path, *, keep_formulas: bool = False) -> Path:
        """Write the long table to a .csv, .tsv, .jsonl or .parquet file; `accord.read` gives the same study again.

        Args:
            path: Where to write; the ending chooses the format.
            keep_formulas: Leave cells of .csv and .tsv that begin with =, +, - or @ as they are. By default they get
                an apostrophe before them, or a spreadsheet would run them; `accord.read` takes it away again.

        Returns:
            The path that was written.

        Raises:
            InputError: If the file cannot be written.
            OptionError: If the ending is none of these.
            ExtraMissing: If .parquet needs a package that is not installed.

        >>> import accord, tempfile
        >>> from pathlib import Path
        >>> study = accord.Study.from_pairs(["yes", "no"], ["yes", "yes"])
        >>> file = Path(tempfile.mkdtemp()) / "long.csv"
        >>> study.write(file).name
        'long.csv'
        >>> accord.read(file)
        Study of 2 items by 2 annotators: 4 single answers on the labels 'no', 'yes'
        """
        from accord.study.write import write

        return write(self, path, keep_formulas=keep_formulas)

    def write_tally(
        self,
        path: str | Path,
        *,
        by: str | Sequence[str] | None = None,
        named: bool | None = None,
        item_sketch: bool = True,
        shard_name: str | None = None,
    ) -> Path:
        """Write the tally: how many items look alike, and what they look like, but not which they are.

        `accord.read` makes a study of it, and of several tallies one, of which every coefficient, interval, test and
        breakdown by label or annotator comes out as of the annotations themselves. See `docs/warehouses.md`.

        Args:
            path: Where to write; it ends in .tally.
            by: The column, or columns, by which items are told apart, so that groups can be compared: each must say one
                thing of an item. The columns of the roles `cluster`, `item_weight` and `suggested` are kept too.
            named: Whether it is kept who answered what, which kappas with own chance, `by_annotator` and `by_pair`
                need. By default where that makes no more than 100,000 kinds of items.
            item_sketch: Whether to keep 1,024 hashed item ids, by which items that are in several tallies are seen.
            shard_name: What the tally is called among others; by default as the file is.

        Returns:
            The path that was written.

        Raises:
            InputError: If the file cannot be written, or a column says two things of an item; `ColumnMissing` is a kind
                of it.
            MeasureError: If the answers are of a kind that has no tally, or of several variables.
            OptionError: If the ending is another, or names are to be kept where there are none.
            ExtraMissing: If writing Parquet needs a package that is not installed.

        >>> import tempfile, accord
        >>> from pathlib import Path
        >>> week = Path(tempfile.mkdtemp()) / "week-46.tally"
        >>> _ = Study.from_pairs(["yes", "no", "yes"], ["yes", "yes", "yes"]).write_tally(week)
        >>> accord.read(week)
        Study of 3 items by 2 annotators: 6 single answers on the labels 'no', 'yes'
        """
        from accord.study.tally_file import TallyFile, write_tally_file
        from accord.study.tallying import tally_of

        columns = [by] if isinstance(by, str) else list(by or ())
        return write_tally_file(
            TallyFile(tally_of(self, columns, named=named, item_sketch=item_sketch), shard_name), path
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table behind the study; none where it was made from an array."""
        return self._annotations.columns

    @property
    def _frame(self) -> SourceTable | None:
        """The table that the study was made from, if it was made from one and that is in memory."""
        loaded = self._loaded
        parts = list(loaded.tasks.values()) if loaded.annotations is None else [loaded.annotations]
        return parts[0].table if parts else None

    @property
    def _rows_behind(self) -> IntArray:
        """The row of the table behind each annotation; of an answer of several rows, the first."""
        return self._annotations.table_rows

    @property
    def _appearance(self) -> IntArray:
        """The items (their positions) in the order in which the data first name them; unanswered ones last."""
        return self._annotations.appearance

    def __repr__(self) -> str:
        return self.describe().headline

    def _repr_html_(self) -> str:
        return self.describe()._repr_html_()

    # -- parts of it ----------------------------------------------------------------------------------------------

    def declare(
        self, labels: Sequence[Any] | None = None, *, levels: LevelsLike | None = None, ordered: bool | None = None
    ) -> Study:
        """The same answers on a declared scale: all labels there are, in order, and the level they are measured at.

        Args:
            labels: All labels there are, in order, used or not.
            levels: The level of measurement, "nominal", "ordinal", "interval", "ratio" or "circular": one word, or one
                for each variable.
            ordered: Whether the labels have an order: True for the ordinal level, False for names.

        Returns:
            A new `Study`.

        Raises:
            LabelError: If an answer is not on the scale, or nobody said in which order the labels are.
            OptionError: If the answers are not single labels, or there is no such level or variable.

        >>> Study.from_pairs([1, 2, 3], [1, 3, 3]).declare(levels="ordinal").level
        'ordinal'
        >>> Study.from_pairs(["low", "high"], ["low", "low"]).declare(["low", "high"], ordered=True).level
        'ordinal'
        """
        if ordered is not None and labels is not None:
            return self.declare(labels).declare(levels=levels, ordered=ordered)
        if levels is not None or ordered is not None:
            study = Study._from_loaded(levelled(self._loaded, levels, ordered))
            return study if labels is None else study.declare(labels)
        if labels is None:
            return self
        if self._loaded.annotations is None:
            return self._with_tasks({name: study.declare(labels) for name, study in self.tasks.items()})
        if self.kind != "single":
            raise OptionError(
                keyword("labels"),
                f" declares a scale of single labels; declare it when the {self.kind} study is made.",
            )
        scale = scale_of(self.labels_used, labels)
        moved = Coded(np.arange(len(self.labels)), self.labels).onto(scale.labels)
        recoded = self._annotations.recoded(scale, moved)
        return Study._from_loaded(replace(self._loaded, annotations=recoded))

    @property
    def labels_used(self) -> set[Label]:
        """The labels that somebody gave, alone or among others; none for scores."""
        answers, given = self.answers, np.unique(self.tally().answer).tolist()
        if answers.members:
            return {self.labels[label] for position in given for label in answers.members[position]}
        return {self.labels[position] for position in given} if self.labels else set()

    def declare_kinds(self, *, people: Sequence[str] = (), models: Sequence[str] = ()) -> Study:
        """The same answers, with who is a person and who a model.

        Where both answered, `measure`, `explain`, `gold` and `report` are about people, and say so.

        Args:
            people: The names of the people. Everybody else who is not known to be a model or an adjudicator stands
                aside: neither measured nor judged.
            models: The names of models. Where no people are named, everybody else of whom nothing is known is a person.

        Returns:
            A new `Study`.

        Raises:
            InputError: If there is no such annotator.
            OptionError: If somebody is called both, or a list is a single text.

        >>> table = {"item": [1, 1, 1], "annotator": ["ana", "ben", "tagger"], "label": ["yes", "yes", "no"]}
        >>> study = Study(table).declare_kinds(models=["tagger"])
        >>> study.people, study.models
        (('ana', 'ben'), ('tagger',))
        >>> Study(table).declare_kinds(people=["ana", "ben"]).others
        ('tagger',)
        """
        from accord.study.kinds import with_kinds

        return with_kinds(self, people, models)

    def all_alike(self) -> Study:
        """The same answers with people, models and adjudicators taken alike: all of them are measured together.

        Returns:
            A new `Study`, whose `kinds` is empty.

        >>> import accord
        >>> study = accord.datasets.load("people-and-models")
        >>> [accord.measure(one).recommended.n_annotators for one in (study, study.all_alike())]
        [3, 5]
        """
        return self._with_kinds(None)

    def _with_kinds(self, kinds: Mapping[str, KindOfAnnotator] | None) -> Study:
        """The same answers, with what is said of who gave them."""
        return Study._from_loaded(replace(self._loaded, kinds=kinds))

    def of_people(self) -> Study:
        """The answers of people only: without those of models and adjudicators.

        Returns:
            A `Study` with the same items and scale.

        >>> import accord
        >>> accord.datasets.load("people-and-models").of_people()
        Study of 50 items by 3 annotators: 150 single answers on the labels 'advice', 'claim', 'opinion'
        """
        return self.of_annotators(self.people)

    def _where(self, annotations: BoolArray) -> Study:
        """Some of the annotations; items and scale stay, so that results can be put side by side."""
        return self._with_annotations(self._annotations.keep(annotations))

    def of_annotators(self, names: Sequence[str]) -> Study:
        """The answers of some annotators only.

        Args:
            names: The annotators to keep, as a list.

        Returns:
            A `Study` with the same items and scale.

        Raises:
            InputError: If there is no such annotator, or nobody is named.
            OptionError: If `names` is a single text.

        >>> import accord
        >>> accord.datasets.load("five-annotators").of_annotators(["ana", "ben"])
        Study of 60 items by 2 annotators: 110 single answers on the labels 'mixed', 'negative', 'neutral',
        'positive'
        """
        from accord.study.subsets import of_annotators

        return of_annotators(self, names)

    def without_annotators(self, names: Sequence[str]) -> Study:
        """The answers of everybody but some annotators.

        Args:
            names: The annotators to leave out, as a list.

        Returns:
            A `Study` with the same items and scale.

        Raises:
            InputError: If there is no such annotator, or nobody is named.
            OptionError: If `names` is a single text.

        >>> import accord
        >>> accord.datasets.load("five-annotators").without_annotators(["ewa"])
        Study of 60 items by 4 annotators: 199 single answers on the labels 'mixed', 'negative', 'neutral',
        'positive'
        """
        from accord.study.subsets import without_annotators

        return without_annotators(self, names)

    def where(self, column: str, *values: object) -> Study:
        """The answers whose row has one of these values in a column.

        Args:
            column: Any column of the table.
            *values: The values to keep; 3 and "3" are the same here.

        Returns:
            A `Study` with the same items and scale.

        Raises:
            ColumnMissing: If there is no such column.
            InputError: If no row has such a value, or the study was made from an array, which has no columns.
            OptionError: If `column` is not the name of one column.

        >>> table = {
        ...     "item": [1, 1, 2],
        ...     "annotator": ["ana", "ben", "ana"],
        ...     "label": ["yes"] * 3,
        ...     "part": ["a", "a", "b"],
        ... }
        >>> Study(table).where("part", "a")
        Study of 1 item by 2 annotators: 2 single answers on the labels 'yes'
        """
        from accord.study.subsets import where

        return where(self, column, values)

    @property
    def _part(self) -> StudyPart:
        """Which part of what was read it is."""
        return self._loaded.part or StudyPart()

    @property
    def _whole(self) -> bool:
        """Is it all that was read, which `left_out` is about?"""
        return self._loaded.part is None

    @property
    def _taken_alike(self) -> bool:
        """Were people and models to be taken alike?"""
        return self._loaded.kinds is None

    def _as_part(self, part: StudyPart | None) -> Study:
        """The same annotations, as a part of what was read."""
        return Study._from_loaded(replace(self._loaded, part=part))

    def _on_labels_used(self) -> Study:
        """The same answers on the labels that are used, where nobody declared which there are; in the same order."""
        from accord.study.subsets import on_labels_used

        return on_labels_used(self)

    def groups(self, by: str) -> dict[Label, Study]:
        """One study for each value of a column; rows without a value belong to none.

        Args:
            by: Any column of the table.

        Returns:
            A dictionary from each value to a `Study` with the same items and scale.

        Raises:
            ColumnMissing: If there is no such column.
            InputError: If the study was made from an array, which has no columns.
            OptionError: If `by` is not the name of one column.

        >>> import accord
        >>> study = accord.datasets.load("five-annotators")
        >>> {name: part.n_items for name, part in study.groups("topic").items()}
        {'hotel': 15, 'museum': 15, 'restaurant': 15, 'train': 15}
        """
        self._need_column(by)
        return {value: self._with_annotations(part) for value, part in self._annotations.groups(by).items()}

    def _need_column(self, name: str, role: str = "by") -> None:
        """An error where the table has no such column."""
        if not is_hashable(name) or isinstance(name, tuple):
            raise OptionError.must(role, "be the name of one column", name)
        if not self.columns:
            raise InputError(
                "There is no column ",
                quoted(name),
                ": the study was made from a ",
                self.shape,
                ", which has no others.",
            )
        if role == "by" and self.answers.kind in ("set", "ranked"):
            parts = [one for one in ("label", "rank") if self.roles.get(one) == name]
            if parts:
                raise OptionError(
                    keyword("by"),
                    " cannot be ",
                    quoted(name),
                    f": it holds the {parts[0]}s of answers that have several, which groups would "
                    "take apart. Name a column about items or annotators.",
                )
        self._annotations.need(role, name)

    def _missing_in(self, name: str) -> int:
        """How many annotations have no value in a column."""
        self._need_column(name)
        return self._annotations.missing_in(name)

    def _column(self, name: str, role: str = "by") -> Coded:
        """Any column of the table, one code per annotation."""
        self._need_column(name, role)
        return self._annotations.column(name, role)

    def _item_column(self, name: str, role: str) -> Coded:
        """A column with one value per item, one code per item; −1 where it has none."""
        self._need_column(name, role)
        if name not in self._item_columns:
            self._item_columns[name] = self._annotations.item_column(name, role)
        return self._item_columns[name]

    @cached_property
    def _item_columns(self) -> dict[str, Coded]:
        """Those that were asked for: clusters are asked for again and again."""
        return {}

    @cached_property
    def _clusters(self) -> list[Any]:
        """The `Units` that were asked for last: coefficients of one tally ask for the same one after the other."""
        return []


def _cleaning_of(options: Mapping[str, Any], called: Callable[..., Study]) -> Cleaning:
    """What is to be done to labels, from the keywords of a call."""
    refuse_unknown(options, CLEANING, keywords_of(called))
    return Cleaning.of(**options) if options else NO_CLEANING


def _check_choice(name: str, value: str | None, allowed: Sequence[str]) -> None:
    if value is not None:
        check_choice(name, value, allowed)

"""Suggested labels: from a column, a mapping, a table, a sample or an annotator to one code per item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from accord.annotations.answers import Label, refuse_mixed_types, sorted_labels, tidy_label
from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.factorize import Coded, code
from accord.annotations.tally import Tally
from accord.engine.lazy_annotations import LazyAnnotations
from accord.errors import (
    InputError,
    Keyword,
    LabelError,
    MeasureError,
    OptionError,
    all_quoted,
    keyword,
    remedy,
    two_things,
)
from accord.options import listed
from accord.study.other_kinds import about_other_kinds
from accord.study.shapes.cells import Numbered, is_table
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.engine.annotator_sums import Keys

LABEL_COLUMNS = ("suggested", "label")  # of a table of suggestions, the first that is there


@dataclass(frozen=True, eq=False)
class Design:
    """How a sample stands for a whole: of each suggested label, how many items there are in all.

    With a single entry under None the sample is simple: every item was as likely as any other.
    """

    population: Mapping[Label | None, int]

    @property
    def by_label(self) -> bool:
        """Was each label drawn from by itself?"""
        return None not in self.population

    @property
    def total(self) -> int:
        """Items in all."""
        return sum(self.population.values())


@dataclass(frozen=True, eq=False)
class Suggestions:
    """The label suggested for each item of a study, and what is to be said of them."""

    codes: IntArray  # (items of the study,) position among `labels`, −1 for none
    labels: tuple[Label, ...]  # the study's scale, then labels that only suggestions use
    elsewhere: int = 0  # suggestions for items that are not in the study
    design: Design | None = None
    name: str | None = None  # of who suggests, where the codes were given as they are

    in_engine: ClassVar[bool] = False  # are they known by pattern only?

    def on(self, study: Study) -> Suggestions:
        """The same for the items of a part of the study."""
        return self

    def split(self, tally: Tally) -> Tally:
        """The patterns of a study told apart by what was suggested; items without a suggestion left out."""
        return tally.split(self.codes, max(len(self.labels), 1))

    def keys(self, tally: Tally) -> Keys:
        """What tells items apart in an engine: only a column of the frame can."""
        raise MeasureError(
            "Each annotator against suggestions needs them in a column of the frame where its rows stay in the engine.",
            option=Keyword("suggested"),
        )

    def stands_for(self, annotated: FloatArray) -> FloatArray:
        """(labels,) how many items of the whole one annotated item with each suggestion stands for."""
        weights = np.ones(len(self.labels))
        if self.design is None or not self.design.by_label:
            return weights
        for place, label in enumerate(self.labels):
            if annotated[place]:
                weights[place] = self.design.population.get(label, 0) / annotated[place]
        return weights


@dataclass(frozen=True, eq=False)
class ColumnInEngine(Suggestions):
    """Suggestions in a column of a table that stays in its engine: known by pattern, not item by item."""

    column: str = ""

    in_engine: ClassVar[bool] = True

    def on(self, study: Study) -> Suggestions:
        """Of a part that was brought into memory, the column there."""
        if not study._annotations.in_memory:
            return self
        return replace(_of_column(self.column, study), elsewhere=self.elsewhere, design=self.design)

    def split(self, tally: Tally) -> Tally:
        """By the column."""
        return tally.split_by_column(self.column, self._keys, max(len(self.labels), 1))

    def _keys(self, cells: list[Any]) -> IntArray:
        return code(cells).onto(self.labels).astype(np.int64)

    def keys(self, tally: Tally) -> Keys:
        """What tells the items of a tally of `split` apart, as the engine knows it."""
        assert tally.crossed is not None
        from accord.engine.annotator_sums import Keys

        found, kinds = tally.crossed((self.column,)), max(len(self.labels), 1)
        cells = found.values[0]
        keys = self._keys(cells)
        pattern, key = np.divmod(np.unique(found.keyed(keys, kinds).pattern), kinds)
        by_cell = {cell: place for cell, place in zip(cells, keys.tolist(), strict=True) if place >= 0}
        return Keys(self.column, by_cell, tally, pattern, key)


def _in_engine(name: str, study: Study) -> Suggestions:
    """A column of a table that stays in its engine."""
    crossed = study.tally().crossed
    if crossed is None:  # nobody answered anything
        return Suggestions(np.empty(0, dtype=np.int64), study.labels)
    labels = _labels(code(crossed((name,)).values[0]), study)
    return ColumnInEngine(np.empty(0, dtype=np.int64), labels, column=name)


def read_suggestions(source: Any, study: Study) -> Suggestions:
    """The suggestions for the items of a study of one variable."""
    if isinstance(source, Suggestions):
        return source.on(study)
    if source is None:
        name = study.roles.get("suggested")
        if name is None:
            raise OptionError(
                "Where are the suggested labels? Give ",
                keyword("suggested"),
                " a column, a mapping from item to label, a table, or the name of an annotator (a model); or name the "
                "column when the study is made: ",
                remedy("Study", "…", suggested=...),
                ".",
            )
        return _of_column(name, study)
    if isinstance(source, str):
        return _named(source, study)
    drawn = getattr(source, "design", None)
    if isinstance(drawn, Design):
        return _mapped(source.suggestions, study, drawn)
    if isinstance(source, Mapping) and not _columns(source, study):
        return _mapped(source, study)
    if is_table(source):
        return _mapped(_from_table(source, study), study)
    return _listed(source, study)


def without_suggester(source: Any, study: Study) -> Study:
    """The study without the annotator whose answers are the suggestions, if that is what they are."""
    if study.tasks:
        return study._with_tasks({name: without_suggester(source, part) for name, part in study.tasks.items()})
    if not isinstance(source, str) or source not in study.annotators or _is_column(source, study):
        return study
    return study._where(study._annotations.rows[1] != study.annotators.index(source))


def as_column(source: Any, study: Study) -> tuple[Any, Study]:
    """In an engine suggestions become a column of the table: an annotator's answers, who is none any more, or a table.

    Elsewhere, and where they are a column already, nothing changes.
    """
    if study.tasks:
        parts = {name: as_column(source, part) for name, part in study.tasks.items()}
        found = next((found for found, _ in parts.values()), source)
        found = found.column if isinstance(found, ColumnInEngine) else found
        return found, study._with_tasks({name: part for name, (_, part) in parts.items()})
    lazy = study._annotations.in_engine
    if lazy is None or source is None or isinstance(source, Suggestions):
        return source, study
    if not isinstance(source, str):
        return _handed_over(source, study, lazy)
    if source not in study.annotators or source in study.columns:  # which is both, and refused
        return source, study
    column = f"suggested by {source}".replace(".", " ")  # which some engines take for a part of a name
    return column, study._with_annotations(lazy.with_annotator_as_column(source, column))


def _handed_over(source: Any, study: Study, lazy: LazyAnnotations) -> tuple[Suggestions, Study]:
    """A mapping from item to label, or a table, as a column of the engine's."""
    drawn = getattr(source, "design", None)
    design = drawn if isinstance(drawn, Design) else None
    by_item = tidied(source.suggestions if design else _by_item(source, study))
    refuse_mixed_types(list(by_item.values()))
    column = next(name for name in (f"suggested{'_' * size}" for size in range(99)) if name not in study.columns)
    matched = 0
    if by_item and lazy.scan.fits(lazy.roles.item, by_item):
        study = study._with_annotations(lazy.with_item_values(by_item, column))
        crossed = study.tally().crossed
        found = None if crossed is None else crossed((column,))
        matched = 0 if found is None else int(found.number[code(found.values[0]).codes >= 0].sum())
    if not matched:
        raise InputError(
            "None of the suggestions is for an item of the study: they are for ",
            all_quoted(by_item, most=3),
            ". Are ids text in one and numbers in the other?",
            option=Keyword("suggested"),
        )
    return replace(_in_engine(column, study), elsewhere=len(by_item) - matched, design=design), study


def _by_item(source: Any, study: Study) -> Mapping[Any, Any]:
    """A mapping from item to label, from one or from a table."""
    if isinstance(source, Mapping) and not _columns(source, study):
        return source
    if is_table(source):
        return _from_table(source, study)
    raise InputError(
        "A plain list of suggestions goes by row number, and the rows of a lazy frame have none: give a mapping from "
        "item to label, a table, or a column.",
        option=Keyword("suggested"),
    )


def described(source: Any) -> str | None:
    """Where suggestions come from, in a word or two, for the result's options."""
    if source is None or isinstance(source, str):
        return source
    if isinstance(source, Suggestions):
        return source.name
    if isinstance(getattr(source, "design", None), Design):
        return f"a sample of {len(source):,} items"
    size = f" of {len(source):,}" if hasattr(source, "__len__") else ""
    return f"{type(source).__name__}{size}"


def _named(name: str, study: Study) -> Suggestions:
    """A column, or an annotator."""
    if _is_column(name, study) and name in study.annotators:
        raise OptionError(Keyword("suggested", name), " is both a column and an annotator. Rename one of them.")
    if _is_column(name, study):
        return _of_column(name, study)
    if name in study.annotators:
        item, annotator, answer, _ = study._annotations.rows
        theirs = annotator == study.annotators.index(name)
        codes = np.full(study._annotations.n_items, -1, dtype=np.int64)
        codes[item[theirs]] = answer[theirs]
        return Suggestions(codes, study.labels)
    raise InputError(
        Keyword("suggested", name),
        " is neither a column (",
        all_quoted(study.columns),
        ") nor an annotator (",
        all_quoted(study.annotators),
        ").",
        available=[*study.columns, *study.annotators],
    )


def _of_column(name: str, study: Study) -> Suggestions:
    if not study._annotations.in_memory:
        return _in_engine(study._annotations.need("suggested", name), study)
    return _coded(study._item_column(name, "suggested"), study)


def _is_column(name: str, study: Study) -> bool:
    """A column of the table; those of a wide table that hold an annotator's answers are that annotator."""
    wide = "annotator" not in study.roles
    return name in study.columns and not (wide and name in study.annotators)


def _mapped(suggestions: Mapping[Any, Any], study: Study, design: Design | None = None) -> Suggestions:
    """From item to label."""
    items = study.items
    cells = [suggestions.get(item) for item in items]
    if items and suggestions and not any(item in suggestions for item in items):
        raise InputError(
            "None of the suggestions is for an item of the study: they are for ",
            all_quoted(suggestions, most=3),
            ", and the items are ",
            all_quoted(items[:3]),
            ". Are ids text in one and numbers in the other?",
            option=Keyword("suggested"),
        )
    found = _coded(code(cells), study)
    found_rows = sum(item in suggestions for item in items)
    return Suggestions(found.codes, found.labels, len(suggestions) - found_rows, design)


def _columns(source: Mapping[Any, Any], study: Study) -> bool:
    """Is this mapping a table, a name for each column, rather than a label for each item?"""
    names = {_item_column(study), *LABEL_COLUMNS} & set(source)
    return _item_column(study) in names and all(
        isinstance(source[name], Iterable) and not isinstance(source[name], str) for name in names
    )


def _item_column(study: Study) -> str:
    return study.roles.get("item", "item")


def _from_table(source: Any, study: Study) -> dict[Any, Any]:
    """A table with a row per item: its item column is called as the study's, its labels 'suggested' or 'label'."""
    from accord.engine.frames import Frame

    frame = Frame.open(source)
    items = frame.code(frame.need("item", _item_column(study)), what="item")
    column = next((name for name in LABEL_COLUMNS if name in frame.columns), None)
    labels = frame.code(frame.need("suggested", column or LABEL_COLUMNS[0]))
    found: dict[Any, Any] = {}
    for place, given in zip(items.codes.tolist(), labels.codes.tolist(), strict=True):
        item, label = (items.values[place] if place >= 0 else None), (labels.values[given] if given >= 0 else None)
        if item is None or label is None:
            continue
        if found.setdefault(item, label) != label:
            raise two_things(item, found[item], label, "The table of suggestions has two labels for")
    return found


def _listed(source: Any, study: Study) -> Suggestions:
    """One label per item, in order: only where items are row numbers."""
    if not isinstance(study.items, Numbered):
        raise InputError(
            "A plain list of suggestions goes by row number, and the items of this study have names: give a mapping "
            "from item to label, a table, or a column.",
            option=Keyword("suggested"),
        )
    cells = source if isinstance(source, np.ndarray) else list(source)
    if len(cells) != len(study.items):
        raise InputError(
            f"There are {len(cells):,} suggestions for {len(study.items):,} items. Give one for each, None for none.",
            option=Keyword("suggested"),
        )
    return _coded(code(cells), study)


def _coded(found: Coded, study: Study) -> Suggestions:
    """Codes on the study's scale; labels that no annotator used come after it, if the scale was not declared."""
    if len(found.codes) != study._annotations.n_items:
        raise InputError(
            f"There are {len(found.codes):,} suggestions for {study._annotations.n_items:,} items. Give one for each.",
            option=Keyword("suggested"),
        )
    labels = _labels(found, study)
    return Suggestions(found.onto(labels).astype(np.int64), labels)


def _labels(found: Coded, study: Study) -> tuple[Label, ...]:
    """The study's scale, then labels that only suggestions use."""
    if study.kind == "score":
        return _numbers(found)
    if study.kind != "single":
        raise about_other_kinds("A comparison with suggested labels", ("single",), study.kind)
    known = {label: place for place, label in enumerate(study.labels)}
    used = [found.values[place] for place in np.unique(found.codes[found.codes >= 0])]
    refuse_mixed_types([*study.labels, *used])
    outside = sorted_labels(label for label in used if label not in known)
    if outside and study.answers.declared:
        raise LabelError(
            "The suggestions use ",
            all_quoted(outside),
            ", which the declared labels ",
            all_quoted(study.labels),
            " do not hold. Add them to ",
            Keyword("labels"),
            ", or mend the suggestions.",
        )
    return (*study.labels, *outside)


def _numbers(found: Coded) -> tuple[Label, ...]:
    """Of scores, the numbers themselves."""
    used = [found.values[place] for place in np.unique(found.codes[found.codes >= 0])]
    strange = [value for value in used if not isinstance(value, int | float) or isinstance(value, bool)]
    if strange:
        raise LabelError("The answers are scores, and ", all_quoted(strange, most=3), " is no number. Give numbers.")
    return tuple(sorted_labels(used))


def tidied(suggestions: Mapping[Any, Any]) -> dict[Any, Label]:
    """A mapping from item to label without gaps, labels as accord has them."""
    labels_by_cell = {item: tidy_label(label) for item, label in suggestions.items()}
    return {item: label for item, label in labels_by_cell.items() if label is not None}


def suggestions_of(source: Any, item: str) -> dict[Any, Label]:
    """Suggestions for a whole data set, before anybody annotated it: a mapping, a table, or a list by row number."""
    if isinstance(source, Mapping) and not isinstance(source.get(item), Sequence | np.ndarray):
        return tidied(source)
    if is_table(source) or isinstance(source, Mapping):
        from accord.engine.frames import Frame

        frame = Frame.open(source)
        column = next((name for name in LABEL_COLUMNS if name in frame.columns), LABEL_COLUMNS[0])
        items = frame.code(frame.need("item", item), what="item")
        labels = frame.code(frame.need("suggested", column))
        pairs = zip(items.codes.tolist(), labels.codes.tolist(), strict=True)
        return {items.values[one]: labels.values[other] for one, other in pairs if one >= 0 and other >= 0}
    rule = "be a table, a mapping of items to labels, or a list of a label for each item"
    return tidied(dict(enumerate(listed("suggestions", source, rule))))

"""Wide tables: one row per item, one column per annotator; and two sequences side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from accord.annotations import assemble
from accord.annotations.answers import (
    IN_ORDER,
    Answers,
    Kind,
    Label,
    holds_several,
    refuse_mixed_types,
    scale_of,
    sorted_labels,
    type_of,
)
from accord.annotations.arrays import is_masked
from accord.annotations.assemble import Names
from accord.annotations.cleaning import Cleaner
from accord.annotations.factorize import Coded, code
from accord.annotations.left_out import LeftOut, Reason
from accord.annotations.recognised_rankings import are_listed
from accord.annotations.written_orders import MAY_BE_ORDER, are_orders, orders_in, read_as_rankings
from accord.engine.pandas_tables import is_pandas_table, names_its_index, names_of_rows, of_one_type
from accord.errors import (
    InputError,
    Keyword,
    LabelError,
    Message,
    OptionError,
    Remedy,
    all_quoted,
    at_column,
    at_item,
    between,
    counted,
    keyword,
    quoted,
    remedy,
)
from accord.study.shapes.cells import Numbered, column, is_frame, rectangle
from accord.study.shapes.loaded import Loaded, Trait, from_grid, with_cleaning
from accord.study.shapes.long import cleaned_columns

if TYPE_CHECKING:
    from accord.engine.frames import Categories, Frame


SHAPE = "wide table"
PAIR = "pair of sequences"
MANY_COLUMNS = 5  # from so many on, more columns than rows may be items
TRIPLE = 3  # cells of a row that says who, what and which label


class Wide:
    """Items × annotators: the cells, what the rows and columns are called, and the table they came from."""

    def __init__(self, cells: Any, names: Names, frame: Frame | None, declared: Categories | None) -> None:
        self.cells, self.names, self.frame, self.declared = cells, names, frame, declared

    @classmethod
    def of_frame(cls, data: Any, item: str | None, annotators: Sequence[str] | None, cleaner: Cleaner) -> Wide:
        """From a table with named columns."""
        from accord.engine.frames import Frame, refuse_empty

        frame = Frame.open(data)
        ids = None if item is None else frame.need("item", item)
        if isinstance(annotators, str):
            raise OptionError.must(
                "annotators", Message("be a list of columns, such as [", quoted(annotators), "]"), annotators
            )
        wanted = frame.columns if annotators is None else annotators
        chosen = [frame.need("annotators", name) for name in dict.fromkeys(wanted) if name != ids]
        refuse_empty(len(frame), frame.columns)
        if len(chosen) < 1:
            raise InputError("No columns of answers are left: the table has ", all_quoted(frame.columns), ".")
        chosen.sort(key=lambda name: (type(name).__name__, name))  # pandas may call columns by numbers
        items: Sequence[Label] = Numbered(len(frame)) if ids is None else _distinct(frame, ids)
        declared = one_scale([_cleaned_scale(frame.categories(name), cleaner) for name in chosen])
        names = Names(items, tuple(map(str, chosen)))
        cells: Any
        if any(map(frame.lists, chosen)):
            cells = [cleaner.column(frame.cells(name)) if cleaner else frame.cells(name) for name in chosen]
        elif cleaner:
            cleaned = cleaned_columns(cleaner, [frame.cells(name) for name in chosen])
            cells = {name: code(column) for name, column in zip(chosen, cleaned, strict=True)}
        else:
            cells = {name: frame.code(name) for name in chosen}
        return cls(cells, names, frame, declared)

    @classmethod
    def of_array(cls, data: Any, cleaner: Cleaner) -> Wide:
        """From rows without names."""
        array = rectangle(data)
        array = cleaner.array(array) if cleaner else array
        if array.ndim != 2 and array.size:
            raise InputError(
                f"Items × annotators must be a table with rows and columns; got {array.ndim} dimensions.",
                option=Keyword("data", array.shape),
            )
        if not array.size:
            raise InputError(
                f"The table is empty: {' × '.join(map(str, array.shape))} cells. Was everything filtered out?",
                option=Keyword("data", array.shape),
            )
        names = Names(Numbered(len(array)), tuple(str(place + 1) for place in range(array.shape[1])))
        return cls(array, names, None, None)

    def listed(self) -> list[list[Any]] | None:
        """The cells column by column, if they hold lists of labels."""
        if isinstance(self.cells, list):
            return self.cells
        cells = self.cells
        if isinstance(cells, np.ndarray) and cells.dtype == object and any(map(holds_several, cells.ravel())):
            return [list(column) for column in cells.T]
        return None

    @property
    def empty(self) -> bool:
        """Did nobody answer anything? Then no cell tells what kind of answers there would have been."""
        columns = self.cells.values() if isinstance(self.cells, dict) else [code(self.cells)]
        return not any(column.values for column in columns)


def from_wide(wide: Wide, labels: Sequence[Any] | None, answers: Kind | None, cleaner: Cleaner) -> Loaded:
    """One answer per cell, or a list of labels per cell; what was done to the cells is noted."""
    return with_cleaning(_loaded(wide, labels, answers), cleaner)


def _cleaned_scale(scale: Categories | None, cleaner: Cleaner) -> Categories | None:
    return scale if scale is None or not cleaner else (cleaner.labels(scale[0]), scale[1])


def _loaded(wide: Wide, labels: Sequence[Any] | None, answers: Kind | None) -> Loaded:
    listed = wide.listed()
    if listed is not None:
        if answers in ("single", "score"):
            raise InputError("The cells hold lists of labels, which ", Keyword("answers", answers), " cannot be.")
        return _from_listed(wide, listed, labels, answers or _kind_of_lists(listed))
    written = _written_orders(wide) if answers in (None, "ranking") else None
    if written is not None:
        return replace(_from_listed(wide, written, labels, "ranking"), notes=() if answers else (read_as_rankings(),))
    if answers in ("set", *IN_ORDER):
        if not wide.empty:
            raise InputError(Keyword("answers", answers), " from a wide table needs lists of labels in its cells.")
        return _from_listed(wide, [[None] * len(wide.names.items) for _ in wide.names.annotators], labels, answers)
    if answers == "score" and labels is None and isinstance(wide.cells, np.ndarray) and wide.cells.dtype.kind in "iuf":
        return _of_columns(from_grid(*assemble.grid_scores(wide.cells), wide.names, wide.frame, SHAPE))
    if isinstance(wide.cells, dict):
        columns: dict[str, Coded] = wide.cells
        _refuse_other_types(columns)
        seen = [label for column in columns.values() for label in column.values]
        scale = _scale(seen, labels, wide.declared)
        place = {label: position for position, label in enumerate(scale.labels)}
        grid = np.stack([column.placed(place) for column in columns.values()], axis=1)
    else:
        grid, scale = assemble.grid_answers(wide.cells, labels)
    if answers == "score":
        scale = Answers("score", scores=scale.numbers(Keyword("answers", "score")))
    return _of_columns(from_grid(grid, scale, wide.names, wide.frame, SHAPE))


def _of_columns(loaded: Loaded) -> Loaded:
    return replace(loaded, traits=frozenset({Trait.COLUMN_EACH}))


def _written_orders(wide: Wide) -> list[list[Any]] | None:
    """The cells column by column, if each of them names options in order, as in A > B = C; else None."""
    columns = list(wide.cells.values()) if isinstance(wide.cells, dict) else []
    values = [value for column in columns for value in column.values]
    if not values or not all(isinstance(value, str) and MAY_BE_ORDER.search(value) for value in values):
        return None
    cells = [[column.values[code] if code >= 0 else None for code in column.codes.tolist()] for column in columns]
    items = list(range(len(wide.names.items))) * len(columns)
    return [orders_in(column) for column in cells] if are_orders(items, list(chain(*cells))) else None


def _kind_of_lists(columns: list[list[Any]]) -> Kind:
    """Sets of labels, or rankings where everybody puts the same options of an item in an order of their own."""
    items = np.tile(np.arange(len(columns[0])), len(columns))
    return "ranking" if are_listed(items, [cell for column in columns for cell in column]) else "set"


def _from_listed(wide: Wide, columns: list[list[Any]], labels: Sequence[Any] | None, kind: Kind) -> Loaded:
    from accord.annotations.assemble_several import Lists, listed_answers

    items, people = len(columns[0]), len(columns)
    cells = [columns[who][item] for item in range(items) for who in range(people)]
    row = np.arange(items * people)
    rows = assemble.AnnotationRows(row // people, row % people, row, wide.names)
    left_out = LeftOut()
    lists = Lists(cells, labels, kind, missing=Reason.EMPTY_CELL)
    annotations = listed_answers(rows, lists, left_out)
    by_item = replace(annotations, table=wide.frame, row=annotations.table_rows // people)
    return _of_columns(Loaded(by_item, left_out, SHAPE, items))


def from_pairs(
    first: Any, second: Any, labels: Sequence[Any] | None, cleaner: Cleaner, answers: Kind | None = None
) -> Loaded:
    """Two annotators' answers in the same order."""
    refuse_other_index(first, second)
    if answers not in (None, "single"):
        loaded = from_wide(_beside(first, second, cleaner), labels, answers, cleaner)
        return replace(loaded, shape=PAIR, traits=frozenset())
    cells = [column(cells) for cells in (first, second)]
    left, right = map(code, cleaned_columns(cleaner, [list(one) for one in cells]) if cleaner else cells)
    refuse_mixed_types([*left.values, *right.values])
    if left.codes.shape != right.codes.shape or left.codes.ndim != 1:
        raise _of_other_length(len(left.codes), len(right.codes))
    scale = _scale([*left.values, *right.values], labels, _cleaned_scale(_declared_by(first, second), cleaner))
    grid = np.stack((left.onto(scale.labels), right.onto(scale.labels)), axis=1)
    pair = from_grid(grid, scale, Names(Numbered(len(grid)), ("1", "2")), None, PAIR)
    return with_cleaning(pair, cleaner)


def _beside(first: Any, second: Any, cleaner: Cleaner) -> Wide:
    """Two annotators' answers, whose cells may hold several labels, as items × annotators."""
    columns = [list(first), list(second)]
    if len(columns[0]) != len(columns[1]):
        raise _of_other_length(*map(len, columns))
    cells = np.empty((len(columns[0]), 2), dtype=object)
    for who, answers in enumerate(columns):
        for item, answer in enumerate(answers):
            cells[item, who] = answer
    return Wide.of_array(cells, cleaner)


def _of_other_length(first: int, second: int) -> InputError:
    return InputError(
        f"Two annotators' answers must be two sequences of one length; got {first} and {second}. Fill gaps with None, "
        "or give a table: ",
        remedy("Study", "frame", item=..., annotator=..., label=...),
        ".",
    )


def _declared_by(first: Any, second: Any) -> Categories | None:
    """The scale that two categorical columns declare."""
    if isinstance(first, np.ndarray | list | tuple) or isinstance(second, np.ndarray | list | tuple):
        return None
    from accord.engine.frames import series_categories

    return one_scale([series_categories(first), series_categories(second)])


def one_scale(scales: list[Categories | None]) -> Categories | None:
    """What categorical columns declare together: their own scale if it is one, else all their categories."""
    declared = [scale for scale in scales if scale is not None]
    if not declared or len(declared) < len(scales):
        return None
    if all(scale == declared[0] for scale in declared):
        return declared[0]
    if any(order for _, order in declared):
        return None  # orders that differ say nothing together: labels=[…] does
    return sorted_labels(label for categories, _ in declared for label in categories), ""


def _scale(seen: list[Label], labels: Sequence[Any] | None, declared: Categories | None) -> Answers:
    """The caller's scale, or that of categorical columns, or the labels seen."""
    if labels is not None or declared is None:
        return scale_of(seen, labels)
    return scale_of(seen, declared[0], order=declared[1])


def _refuse_other_types(columns: dict[str, Coded]) -> None:
    """A column of names among columns of numbers is more likely an id than an annotator."""
    kinds: dict[str, tuple[str, Label]] = {}
    for name, coded in columns.items():
        for label in coded.values[:1]:
            kinds.setdefault(type_of(label), (name, label))
    if len(kinds) > 1:
        each = [
            Message(f"{kind} in column ", quoted(name), " (", quoted(label), ")")
            for kind, (name, label) in kinds.items()
        ]
        raise LabelError(
            "The labels are of mixed types: ",
            *between(each, ", "),
            ". If one of these columns is no annotator, say which are: ",
            remedy(item=..., annotators=[...]),
            "; else make them one type before reading.",
        )


def refuse_other_index(first: Any, second: Any) -> None:
    """Two pandas Series are put together by position only if their indexes are the same."""
    if isinstance(first, np.ndarray | list | tuple) or isinstance(second, np.ndarray | list | tuple):
        return
    from accord.engine.frames import index_of

    one, other = index_of(first), index_of(second)
    if one is not None and other is not None and one != other:
        raise InputError(
            "The two Series have different indexes (",
            all_quoted(one, most=4),
            " and ",
            all_quoted(other, most=4),
            "), so they may be in different orders. Align them first (",
            Remedy({}, data="a, b.reindex(a.index)", python="b = b.reindex(a.index)"),
            "), or take them by position: ",
            Remedy({}, data="a.to_numpy(), b.to_numpy()", python="a.to_numpy(), b.to_numpy()"),
            ".",
        )


def refuse_counts(array: npt.NDArray[Any]) -> None:
    """Whole numbers whose rows have one and the same sum look like a table of counts."""
    if array.dtype == object:
        if not all(type_of(cell) == "number" and isinstance(cell, int | float | np.number) for cell in array.ravel()):
            return
        try:
            array = array.astype(np.float64)
        except OverflowError:  # nobody counts that far
            return
    if array.dtype.kind not in "iuf" or len(array) < 2 or array.shape[1] < 2 or is_masked(array):
        return
    with np.errstate(over="ignore", invalid="ignore"):
        sums = array.sum(axis=1)
    if not (2 <= sums[0] < np.inf and (sums == sums[0]).all()) or array.min() < 0 or (array != np.floor(array)).any():
        return
    raise InputError(
        f"Every row of the array sums to {int(sums[0])}: this looks like a table of counts (items × labels), or like "
        "ratings (items × annotators) by accident. Say which: ",
        Remedy({"shape": "counts"}, python="Study.from_counts(array)"),
        " or ",
        Remedy({"shape": "wide"}, python="Study.from_wide(array)"),
        ".",
    )


def refuse_confusion(data: Any) -> None:
    """A square frame of counts whose rows are called as its columns are: pandas.crosstab of two annotators."""
    names = names_of_rows(data) if is_pandas_table(data) else None
    if names is None or len(names) < 2 or names != list(data.columns):
        return
    array = np.asarray(data)
    if array.dtype.kind not in "iuf" or not (array >= 0).all() or (array != np.floor(array)).any():
        return
    raise InputError(
        "Rows and columns of the table are called alike (",
        all_quoted(names, most=4),
        "), and it holds counts: two annotators' confusion table, or items × annotators by accident. Say which: ",
        remedy("Study.from_confusion", "table"),
        " or ",
        remedy("Study.from_wide", "table"),
        ".",
    )


def refuse_people_in_index(data: Any) -> None:
    """A pandas frame with names of rows and at least twice as many columns: are its rows annotators?"""
    names = names_of_rows(data) if is_pandas_table(data) and not names_its_index(data) else None
    if names is None or not all(isinstance(name, str) for name in (*names, *data.columns)):
        return
    rows, columns = data.shape
    if not 2 <= rows <= columns / 2 or columns < MANY_COLUMNS or not of_one_type(data):
        return  # columns of different types say different things of their rows
    raise InputError(
        f"The table has {counted(rows, 'rows')} called ",
        all_quoted(names, most=4),
        f" and {counted(columns, 'columns')}: a row per annotator, or more annotators than items. Say which: ",
        remedy("Study", "table.T"),
        " or ",
        remedy("Study.from_wide", "table"),
        ".",
    )


def refuse_annotators_in_rows(rows: int, columns: int) -> None:
    """Fewer rows than columns: more annotators than items, or, more likely, a row per annotator."""
    if 2 <= rows < columns:
        raise InputError(
            f"The array has {counted(rows, 'rows')} and {counted(columns, 'columns')}: a row per annotator (annotators "
            "× items, as krippendorff takes them), or more annotators than items (items × annotators). Say which: ",
            remedy("Study.from_raters_items", "array"),
            " or ",
            remedy("Study.from_wide", "array"),
            ".",
        )


def refuse_triples(data: Any, array: npt.NDArray[Any]) -> None:
    """Rows of three cells that are who, what and which label, as nltk takes them, are no items × annotators."""
    if isinstance(data, np.ndarray) or array.shape[1] != TRIPLE or len(array) < TRIPLE:
        return
    try:
        first, second, label = (set(column) for column in array.T.tolist())
        pairs = set(map(tuple, array[:, :2].tolist()))
    except TypeError:  # a cell that cannot be a key is no name
        return
    if len(pairs) < len(array) or first & second or label & (first | second) or len(first) == len(array) == len(second):
        return
    row = tuple(array[0].tolist())
    raise InputError(
        "Rows such as ",
        quoted(row),
        " look like annotator, item and label, as nltk takes them, not like items × annotators. Name the three: ",
        remedy("Study", "[dict(zip(('annotator', 'item', 'label'), row)) for row in triples]"),
        ". If they are three annotators' answers: ",
        remedy("Study.from_wide", "rows"),
        ".",
    )


def turned(data: Any) -> npt.NDArray[Any]:
    """The cells of annotators × items as items × annotators."""
    if is_frame(data):
        from accord.engine.frames import Frame

        frame = Frame.open(data)
        # a frame is kept by columns: each is an item, and so a row already
        return rectangle([frame.cells(name) for name in frame.columns])
    array = rectangle(data, "annotators × items")
    if array.ndim != 2:
        raise InputError(
            f"Annotators × items must be a table with rows and columns; got {array.ndim} dimensions.",
            option=Keyword("data", array.shape),
        )
    return array.T


def _distinct(frame: Frame, name: str) -> tuple[Label, ...]:
    """Item ids of a wide table, one per row."""
    ids = frame.code(name, what="item")
    if ids.n_missing:
        raise InputError(
            f"{counted(ids.n_missing, 'rows')} without an item: the column ",
            at_column(name),
            " has gaps. Name every item, or leave ",
            keyword("item"),
            " out, and items are row numbers.",
        )
    if len(ids.values) < len(ids.codes):
        counts = np.bincount(ids.codes)
        twice = ids.values[int(counts.argmax())]
        raise InputError(
            "A wide table has one row per item, and item ",
            at_item(twice),
            f" has {int(counts.max())}. Keep one of them; or, if a row is an annotation, say ",
            remedy(item=..., annotator=..., label=...),
            ".",
        )
    return tuple(ids.values[place] for place in ids.codes)

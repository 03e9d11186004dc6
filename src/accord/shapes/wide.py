"""Wide tables: one row an item, one column an annotator; and two sequences side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from accord import assembly
from accord.answers import Answers, Kind, Label, scale_of
from accord.assembly import Assembled, LeftOut, Names
from accord.coding import Coded, code
from accord.errors import InputError, listing
from accord.shapes.cells import Numbered, column, rectangle
from accord.shapes.made import Made, from_grid

if TYPE_CHECKING:
    from accord.engine import Frame


class Wide:
    """Items × annotators: the cells, what the rows and columns are called, and the table they came from."""

    def __init__(self, cells: Any, names: Names, frame: Frame | None, declared: tuple[list[Any], bool] | None) -> None:
        self.cells, self.names, self.frame, self.declared = cells, names, frame, declared

    @classmethod
    def of_frame(cls, data: Any, item: str | None, annotators: Sequence[str] | None) -> Wide:
        """From a table with named columns."""
        from accord.engine import Frame, refuse_empty

        frame = Frame.open(data)
        ids = None if item is None else frame.need("item", item)
        chosen = [frame.need("annotators", name) for name in annotators or frame.columns if name != ids]
        refuse_empty(len(frame), frame.columns)
        if len(chosen) < 1:
            raise InputError(f"No columns of answers are left: the table has {listing(frame.columns)}.")
        order = sorted(range(len(chosen)), key=lambda place: chosen[place])
        chosen = [chosen[place] for place in order]
        items: Sequence[Label] = Numbered(len(frame)) if ids is None else _distinct(frame, ids)
        scales = [frame.categories(name) for name in chosen]
        declared = scales[0] if scales[0] is not None and all(scale == scales[0] for scale in scales) else None
        names = Names(items, tuple(chosen))
        cells: Any
        if any(map(frame.lists, chosen)):
            cells = [frame.cells(name) for name in chosen]
        else:
            cells = {name: frame.code(name) for name in chosen}
        return cls(cells, names, frame, declared)

    @classmethod
    def of_array(cls, data: Any) -> Wide:
        """From rows without names."""
        array = rectangle(data)
        if array.ndim != 2:
            raise InputError(f"Items × annotators must be a table with rows and columns; got {array.ndim} dimensions.")
        if not array.size:
            raise InputError(f"The table is empty: {array.shape[0]} items × {array.shape[1]} annotators.")
        names = Names(Numbered(len(array)), tuple(str(place + 1) for place in range(array.shape[1])))
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


def from_wide(wide: Wide, labels: Sequence[Any] | None, answers: Kind | None) -> Made:
    """One answer a cell, or a list of labels a cell."""
    listed = wide.listed()
    if listed is not None:
        if answers in ("single", "score"):
            raise InputError(f"The cells hold lists of labels, which answers={answers!r} cannot be.")
        return _from_listed(wide, listed, labels, answers or "set")
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
    return from_grid(grid, scale, wide.names, wide.frame, "wide table")


def _from_listed(wide: Wide, columns: list[list[Any]], labels: Sequence[Any] | None, kind: Kind) -> Made:
    items, people = len(columns[0]), len(columns)
    cells = [columns[who][item] for item in range(items) for who in range(people)]
    row = np.arange(items * people)
    sayings = assembly.Sayings(row // people, row % people, row, wide.names)
    left_out = LeftOut()
    left_out.add("cells without an answer", sum(cell is None for cell in cells))
    assembled = assembly.listed_answers(sayings, cells, labels, kind)
    by_item = Assembled(assembled.triples, assembled.names, assembled.row // people)
    return Made(by_item, wide.frame, left_out, "wide table", items)


def from_pairs(first: Any, second: Any, labels: Sequence[Any] | None) -> Made:
    """Two annotators' answers in the same order."""
    refuse_other_index(first, second)
    left, right = (code(column(cells)) for cells in (first, second))
    if left.codes.shape != right.codes.shape or left.codes.ndim != 1:
        raise InputError(
            f"Two annotators' answers must be two sequences of one length; got {len(left.codes)} and "
            f"{len(right.codes)}. Fill gaps with None, or give a table: Study(frame, item=…, annotator=…, label=…)."
        )
    scale = scale_of({*left.values, *right.values}, labels)
    grid = np.stack((left.onto(scale.labels), right.onto(scale.labels)), axis=1)
    return from_grid(grid, scale, Names(Numbered(len(grid)), ("1", "2")), None, "two sequences")


def refuse_other_index(first: Any, second: Any) -> None:
    """Two pandas Series are put together by position only if their indexes are the same."""
    if isinstance(first, np.ndarray | list | tuple) or isinstance(second, np.ndarray | list | tuple):
        return
    from accord.engine import index_of

    one, other = index_of(first), index_of(second)
    if one is not None and other is not None and one != other:
        raise InputError(
            f"The two Series have different indexes ({listing(one, most=4)} and {listing(other, most=4)}), so "
            "they may be in "
            "different orders. Align them first (b = b.reindex(a.index)), or give positions: a.to_numpy(), "
            "b.to_numpy()."
        )


def refuse_counts(array: npt.NDArray[Any]) -> None:
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
            f"Every row of the array sums to {int(sums[0])}: this looks like a table of counts (items × "
            "labels), or like "
            "ratings (items × annotators) by accident. Say which: Study.from_counts(array) or Study.from_wide(array)."
        )


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

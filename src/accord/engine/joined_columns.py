"""Several columns as one: an item that a transcript and an utterance name together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.engine.frames import Columns, Frame
from accord.errors import InputError, OptionError, all_quoted, at_column, quoted

BETWEEN = " | "


def joined_name(names: Sequence[str]) -> str:
    """What the column is called; there must be one.

    >>> joined_name(["transcript", "utterance"])
    'transcript | utterance'
    """
    if not names:
        raise OptionError.must("item", "name a column, or several", list(names))
    return BETWEEN.join(map(str, names))


def joined_cells(columns: Sequence[Sequence[Any]], names: Sequence[str]) -> list[str | None]:
    """The cells of several columns put together, row by row; missing where one of them is.

    >>> joined_cells([[1, 2], ["a", None]], ["x", "y"])
    ['1 | a', None]
    """
    rows = [tuple(map(_text, row)) for row in zip(*columns, strict=True)]
    cells = [None if None in row else BETWEEN.join(map(str, row)) for row in rows]
    complete = {row for row in rows if None not in row}
    if len({BETWEEN.join(map(str, row)) for row in complete}) < len(complete):
        raise _ambiguous_names(names)
    return cells


def with_joined(data: Any, names: Sequence[str]) -> Any:
    """A table with one more column, which several others make together; a lazy one stays in its engine."""
    import narwhals.stable.v2 as nw  # which cells in lists do not need

    called = joined_name(names)
    if isinstance(data, Mapping) or not isinstance(frame := nw.from_native(data, pass_through=True), nw.LazyFrame):
        table = Frame.open(data)
        columns = [table.need("item", name) for name in names]
        joined = joined_cells([table.cells(name) for name in columns], names)
        return Columns({**{name: table.native(name) for name in table.columns}, called: joined})
    schema = frame.collect_schema()
    for name in names:
        Frame.open(data).need("item", name)
        if schema[name].is_float():
            raise InputError(
                "The column ",
                at_column(name),
                " is one of several that name the item, and holds decimals: make it whole numbers or "
                "text in the engine.",
            )
    parts = [nw.col(name).cast(nw.String) for name in names]
    inside = frame.select(*parts).filter(
        nw.any_horizontal(*(nw.col(n).str.contains(BETWEEN, literal=True) for n in names), ignore_nulls=True)
    )
    if len(inside.head(1).collect()):
        raise _ambiguous_names(names)
    return frame.with_columns(nw.concat_str(parts, separator=BETWEEN).alias(called)).to_native()


def _text(cell: Any) -> str | None:
    """A cell as part of a name; whole floats are whole numbers, as pandas makes of whole numbers with a gap."""
    if cell is None or (isinstance(cell, str) and not cell.strip()) or cell != cell:  # noqa: PLR0124 - NaN
        return None
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _ambiguous_names(names: Sequence[str]) -> InputError:
    return InputError(
        "The columns ",
        all_quoted(names),
        " cannot name items together: a cell holds ",
        quoted(BETWEEN),
        ", which would stand between them. Write it otherwise.",
    )

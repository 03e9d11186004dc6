"""What each value of a column is worth, as an expression of any engine."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

NESTED_CHOICES = 60  # up to here nested choices are as quick as a look-up on every engine
EXACT = 2**53  # whole numbers below this are exact as doubles
SPARE = 32  # times the largest product of look-ups for which sums of doubles must have room
TOO_MUCH = 2**62  # what a sum that is not exact becomes: no digits add up to it


class Lookup:
    """What each value of a column is worth; other values, and null, are worth nothing."""

    def __init__(self, column: str, worth: Mapping[Any, int]) -> None:
        self.column, self.worth = column, worth

    def expression(self) -> nw.Expr:
        """As nested choices where they are few, else as a look-up of the engine."""
        column, nothing = nw.col(self.column), nw.lit(0, dtype=nw.Int64)
        if len(self.worth) > NESTED_CHOICES:
            old, new = list(self.worth), list(self.worth.values())
            return column.replace_strict(old, new, default=0, return_dtype=nw.Int64)
        chosen: Any = nothing
        for value, worth in self.worth.items():
            chosen = nw.when(column == value).then(nw.lit(worth, dtype=nw.Int64)).otherwise(chosen)
        return chosen  # type: ignore[no-any-return]

    def flat(self, kind: str) -> Any:
        """As one flat choice of DuckDB, a sixth quicker over the whole tally than choices within choices."""
        import duckdb

        def worth(number: int) -> Any:
            return duckdb.ConstantExpression(number).cast(kind)

        column, chosen = duckdb.ColumnExpression(self.column), None
        for value, number in self.worth.items():
            same = column == duckdb.ConstantExpression(value)
            chosen = duckdb.CaseExpression(same, worth(number)) if chosen is None else chosen.when(same, worth(number))
        return worth(0) if chosen is None else chosen.otherwise(worth(0))


def with_products(frame: nw.LazyFrame[Any], terms: Mapping[str, Sequence[Lookup]]) -> nw.LazyFrame[Any]:
    """With a column for each term: what a row is worth by its look-ups together."""
    if not frame.implementation.is_duckdb() or not all(map(_few, terms.values())):
        return frame.with_columns(**{name: product(lookups) for name, lookups in terms.items()})
    import duckdb

    columns = []
    for name, lookups in terms.items():
        kind = "DOUBLE" if adds_doubles(frame, lookups) else "BIGINT"
        worth = lookups[0].flat(kind)
        for lookup in lookups[1:]:
            worth = worth * lookup.flat(kind)
        columns.append(worth.alias(name))
    made: nw.LazyFrame[Any] = nw.from_native(frame.to_native().select(duckdb.StarExpression(), *columns))
    return made


def adds_doubles(frame: nw.LazyFrame[Any], lookups: Sequence[Lookup]) -> bool:
    """Are sums of a product doubles? DuckDB adds integers up in 128 bits, which takes a tenth longer, and memory."""
    largest = math.prod(max(lookup.worth.values(), default=0) for lookup in lookups)
    return frame.implementation.is_duckdb() and _few(lookups) and largest * SPARE <= EXACT


def _few(lookups: Sequence[Lookup]) -> bool:
    return all(len(lookup.worth) <= NESTED_CHOICES for lookup in lookups)


def product(lookups: Sequence[Lookup]) -> nw.Expr:
    """What a row is worth by several look-ups together."""
    expression = lookups[0].expression()
    for lookup in lookups[1:]:
        expression = expression * lookup.expression()
    return expression

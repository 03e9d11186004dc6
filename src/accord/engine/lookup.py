"""What each value of a column is worth, as an expression of any engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

NESTED_CHOICES = 60  # up to here nested choices are as quick as a look-up on every engine


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

    def flat(self) -> Any:
        """As one flat choice of DuckDB, a sixth quicker over the whole tally than choices within choices."""
        import duckdb

        def worth(number: int) -> Any:
            return duckdb.ConstantExpression(number).cast("BIGINT")

        column, chosen = duckdb.ColumnExpression(self.column), None
        for value, number in self.worth.items():
            same = column == duckdb.ConstantExpression(value)
            chosen = duckdb.CaseExpression(same, worth(number)) if chosen is None else chosen.when(same, worth(number))
        return worth(0) if chosen is None else chosen.otherwise(worth(0))


def with_products(frame: nw.LazyFrame[Any], terms: Mapping[str, Sequence[Lookup]]) -> nw.LazyFrame[Any]:
    """With a column for each term: what a row is worth by its look-ups together."""
    most = max((len(lookup.worth) for lookups in terms.values() for lookup in lookups), default=0)
    if not frame.implementation.is_duckdb() or most > NESTED_CHOICES:
        return frame.with_columns(**{name: product(lookups) for name, lookups in terms.items()})
    import duckdb

    columns = []
    for name, lookups in terms.items():
        worth = lookups[0].flat()
        for lookup in lookups[1:]:
            worth = worth * lookup.flat()
        columns.append(worth.alias(name))
    made: nw.LazyFrame[Any] = nw.from_native(frame.to_native().select(duckdb.StarExpression(), *columns))
    return made


def product(lookups: Sequence[Lookup]) -> nw.Expr:
    """What a row is worth by several look-ups together."""
    expression = lookups[0].expression()
    for lookup in lookups[1:]:
        expression = expression * lookup.expression()
    return expression

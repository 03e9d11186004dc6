"""The number that each value of a column stands for, as an expression of any engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

NESTED_CHOICES = 60  # up to here nested choices are as quick as a look-up on every engine
EXACT = 2**53  # whole numbers below this are exact as doubles
TOO_MUCH = 2**62  # what a sum that is not exact becomes: no digits add up to it


class Lookup:
    """The number that each value of a column stands for; 0 for other values and for null."""

    def __init__(self, column: str, values: Mapping[Any, int]) -> None:
        self.column, self.values = column, values

    @property
    def few(self) -> bool:
        """Are the values so few that nested choices are quick?"""
        return len(self.values) <= NESTED_CHOICES

    def expression(self) -> nw.Expr:
        """As nested choices where they are few, else as a look-up of the engine."""
        column, nothing = nw.col(self.column), nw.lit(0, dtype=nw.Int64)
        if not self.few:
            old, new = list(self.values), list(self.values.values())
            return column.replace_strict(old, new, default=0, return_dtype=nw.Int64)
        chosen: Any = nothing
        for value, number in self.values.items():
            chosen = nw.when(column == value).then(nw.lit(number, dtype=nw.Int64)).otherwise(chosen)
        return chosen  # type: ignore[no-any-return]


def product(lookups: Sequence[Lookup]) -> nw.Expr:
    """What several look-ups give for a row, multiplied."""
    expression = lookups[0].expression()
    for lookup in lookups[1:]:
        expression = expression * lookup.expression()
    return expression

"""An answer of several labels as integers that an engine can add up: a bit per label for sets, its rank otherwise.

A label that stands twice would carry into the digit of another one. A carry only ever lowers the sum of the digits, so
the engine adds up ranks and labels by themselves too, and whoever reads the digits compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import Kind, Label, ranked_members, run_from_one
from accord.errors import InputError, Keyword, LabelError, all_quoted, remedy

if TYPE_CHECKING:
    from accord.engine.lookup import Lookup

BITS = 62


class PackedLabels:
    """Sets and rankings as one integer, or several where one is too short."""

    def __init__(
        self,
        kind: Kind,
        labels: Sequence[Label],
        place: Mapping[Any, int],
        ranks: list[Any],  # each rank and how many rows have it
        roles: Mapping[str, str],
    ) -> None:
        self.kind, self.labels, self.roles = kind, labels, roles
        self.place = {raw: at for raw, at in place.items() if at >= 0}
        self.ranks = _whole_ranks(ranks, len(labels)) if kind == "ranked" else {}
        self.bits = max(self.ranks.values(), default=1).bit_length()
        self.per_column = BITS // self.bits

    def terms(self, label: str) -> dict[str, list[Lookup]]:
        """What the engine adds up: `answer`, or `answer0` and so on."""
        from accord.engine.lookup import Lookup

        columns = max(-(-len(self.labels) // self.per_column), 1)
        names = ["answer"] if columns == 1 else [f"answer{column}" for column in range(columns)]
        terms = {}
        for column, name in enumerate(names):
            inside = range(column * self.per_column, (column + 1) * self.per_column)
            places = {raw: at - inside.start for raw, at in self.place.items() if at in inside}
            terms[name] = [Lookup(label, {raw: 1 << (self.bits * at) for raw, at in places.items()}), *self._rank()]
        return terms

    def checks(self, label: str) -> dict[str, list[Lookup]]:
        """What it adds up beside them: how many labels there are, and of what ranks in all."""
        from accord.engine.lookup import Lookup

        given = Lookup(label, dict.fromkeys(self.place, 1))
        return {"given_": [given], "ranks_": [given, *self._rank()]}

    def _rank(self) -> list[Lookup]:
        from accord.engine.lookup import Lookup

        return [Lookup(self.roles["rank"], self.ranks)] if self.kind == "ranked" else []

    def read(self, values: tuple[int, ...], rows: int, ranks: int) -> tuple[int, ...]:
        """The labels of an answer; an error where rows and labels do not match."""
        base, digits = 1 << self.bits, []
        for value in values:
            left = value
            for _ in range(self.per_column):
                left, digit = divmod(left, base)
                digits.append(digit)
        held = tuple(at for at, digit in enumerate(digits) if digit)
        if len(held) != rows or sum(digits) != ranks or max(held, default=-1) >= len(self.labels):
            raise LabelError(
                f"A label stands twice in one answer of {rows} rows. Keep one of the rows in the engine.",
                option=Keyword("label"),
            )
        if self.kind == "set":
            return held
        given = [digits[at] for at in held]
        if not run_from_one(sorted(given)):
            raise InputError(
                f"Ranks must run 1, 2, … without gaps; an answer of {rows} rows has the ranks ",
                all_quoted(sorted(given)),
                ". Mend the ranks, or say ",
                remedy(answers="set"),
                " if their order does not matter.",
            )
        return ranked_members(held, given)


def _whole_ranks(ranks: list[Any], labels: int) -> dict[Any, int]:
    """Each rank as the engine has it, as a whole number; there cannot be more of them than labels."""
    missing = sum(int(row[-1]) for row in ranks if row[0] is None)
    if missing:
        raise InputError(
            f"Every label needs a rank, 1 for the primary one; found {missing:,} rows with a label and no rank.",
            option=Keyword("rank"),
        )
    odd = [row[0] for row in ranks if isinstance(row[0], str | bool) or not 1 <= row[0] < 2**53 or row[0] % 1]
    if odd:
        raise InputError("Ranks must be whole numbers from 1 (the primary label); found ", all_quoted(odd), ".")
    high = [row[0] for row in ranks if row[0] > labels]
    if high:
        raise InputError(
            f"Ranks must run 1, 2, … without gaps, and there are {labels} labels; found ", all_quoted(high), "."
        )
    return {row[0]: int(row[0]) for row in ranks}

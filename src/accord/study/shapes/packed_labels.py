"""An answer of several labels as integers that an engine can add up: a bit per label for sets, a digit per rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import Kind, Label
from accord.errors import InputError, LabelError, listing, remedy

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
        self.bits = (len(labels) + 1).bit_length() if kind == "ranked" else 1
        self.ranks = _whole_ranks(ranks, len(labels)) if kind == "ranked" else {}
        self.digits = max(self.ranks.values(), default=1) if kind == "ranked" else len(labels)
        self.per_column = BITS // self.bits

    def terms(self, label: str) -> dict[str, list[Lookup]]:
        """What the engine adds up: `answer`, or `answer0` and so on."""
        from accord.engine.lookup import Lookup

        columns = max(-(-self.digits // self.per_column), 1)
        names = ["answer"] if columns == 1 else [f"answer{column}" for column in range(columns)]
        label_digits = Lookup(label, {raw: at + 1 for raw, at in self.place.items()})
        terms = {}
        for column, name in enumerate(names):
            inside = range(column * self.per_column, (column + 1) * self.per_column)
            if self.kind == "set":
                bits = {raw: 1 << (at - inside.start) for raw, at in self.place.items() if at in inside}
                terms[name] = [Lookup(label, bits)]
                continue
            places = {raw: rank - 1 - inside.start for raw, rank in self.ranks.items() if rank - 1 in inside}
            powers = {raw: 1 << (self.bits * at) for raw, at in places.items()}
            terms[name] = [label_digits, Lookup(self.roles["rank"], powers)]
        return terms

    def read(self, values: tuple[int, ...], rows: int) -> tuple[int, ...]:
        """The labels of an answer; an error where rows and labels do not match."""
        base, digits = 1 << self.bits, []
        for value in values:
            left = value
            for _ in range(self.per_column):
                left, digit = divmod(left, base)
                digits.append(digit)
        while digits and not digits[-1]:
            digits.pop()
        if self.kind == "set":
            held = tuple(at for at, digit in enumerate(digits) if digit)
            if len(held) != rows:
                shown = listing([self.labels[at] for at in held])
                raise LabelError(
                    f"A label stands twice in one answer: {rows} rows say {shown}. Keep one of the rows in the engine."
                )
            return held
        if 0 in digits or len(digits) != rows or len(set(digits)) < len(digits) or max(digits) > len(self.labels):
            raise InputError(
                "Ranks must run 1, 2, … without gaps or repeats, and no label may stand twice in an answer; an answer "
                f"of {rows} rows does not. Mend the ranks, or say ",
                remedy(answers="set"),
                " if their order does not matter.",
            )
        return tuple(digit - 1 for digit in digits)


def _whole_ranks(ranks: list[Any], labels: int) -> dict[Any, int]:
    """Each rank as the engine has it, as a whole number; there cannot be more of them than labels."""
    missing = sum(int(row[-1]) for row in ranks if row[0] is None)
    if missing:
        raise InputError(
            f"Every label needs a rank, 1 for the primary one; found {missing:,} rows with a label and no rank."
        )
    odd = [row[0] for row in ranks if isinstance(row[0], str | bool) or not 1 <= row[0] < 2**53 or row[0] % 1]
    if odd:
        raise InputError(f"Ranks must be whole numbers from 1 (the primary label); found {listing(odd)}.")
    high = [row[0] for row in ranks if row[0] > labels]
    if high:
        raise InputError(f"Ranks must run 1, 2, … without gaps, and there are {labels} labels; found {listing(high)}.")
    return {row[0]: int(row[0]) for row in ranks}

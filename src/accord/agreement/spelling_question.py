"""Labels written in two ways: to a program they disagree, and only the user knows whether they are one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import Label
from accord.errors import (
    Message,
    Part,
    all_quoted,
    between,
    json_value,
    quoted,
    remedy,
)
from accord.options import Shown

if TYPE_CHECKING:
    from accord.agreement.result import Agreement

WAYS = {"blanks": "trim", "case": "fold_case"}  # what makes labels differ, and the option that takes it away
SHOWN = 4  # labels in a sentence


@dataclass(frozen=True, eq=False, repr=False)
class SpellingQuestion(Shown):
    """Labels that differ in case or blanks only: the value with them as one, and as they are.

    Attributes:
        labels: The labels that are written in several ways.
        differ_in: "case", "blanks" or both.
        as_one: The coefficient with each of them as one label.
        as_written: The coefficient as they are.
        variable: Which variable it is, where the study holds several.
    """

    labels: tuple[Label, ...]
    differ_in: tuple[str, ...]
    as_one: Agreement
    as_written: Agreement
    variable: Label | None = None

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """Both values in a few words, with what settles the question."""
        of: list[Part] = ["Labels"] if self.variable is None else [quoted(self.variable), ": labels"]
        ways: list[Part] = [remedy(**{WAYS[what]: True}) for what in self.differ_in]
        return Message(
            *of,
            f" differ in {' and '.join(self.differ_in)} only (",
            all_quoted(self.labels, SHOWN),
            f"). As one label each, {_value_text(self.as_one)}; as they are, {_value_text(self.as_written)}. ",
            "To make them one, say ",
            *between(ways, " and "),
            ".",
        )

    @property
    def beside(self) -> str:
        """The value with one label each, for a sentence that gives the value as they are."""
        was = "undefined" if self.as_one.undefined else f"{self.as_one.value:z.2f}"
        alike = f"labels that differ in {' and '.join(self.differ_in)} only"
        return f"With {alike} taken as one, {self.as_one.title} was {was}."

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "variable": json_value(self.variable),
            "labels": json_value(list(self.labels)),
            "differ_in": list(self.differ_in),
            "as_one": json_value(self.as_one.value),
            "as_written": json_value(self.as_written.value),
            "says": str(self),
        }


def _value_text(result: Agreement) -> str:
    return f"{result.title} is undefined" if result.undefined else f"{result.title} is {result.value:z.2f}"

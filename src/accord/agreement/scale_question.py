"""Labels that look like a scale: only the user knows whether they are one, and until it is said both values stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import Label, Level
from accord.annotations.recognised_scale import LooksLikeAScale
from accord.errors import (
    Message,
    Part,
    Remedy,
    all_quoted,
    json_value,
    quoted,
    remedy,
)
from accord.options import Shown

if TYPE_CHECKING:
    from accord.agreement.result import Agreement


@dataclass(frozen=True, eq=False, repr=False)
class ScaleQuestion(Shown):
    """Labels that look like a scale: what they are worth as one, and as names.

    Attributes:
        looks: Why they look like a scale, and the order they would have.
        scale: The coefficient at the level of that scale.
        names: The coefficient for names.
        variable: Which variable it is, where the study holds several.
    """

    looks: LooksLikeAScale
    scale: Agreement
    names: Agreement
    variable: Label | None = None

    @property
    def level(self) -> Level:
        """The level of measurement, if it is a scale."""
        return self.looks.level

    def __str__(self) -> str:
        return str(self.message)

    @property
    def message(self) -> Message:
        """Both values in a few words, with what settles the question."""
        why: tuple[Part, ...] = (self.looks.why,)
        if self.variable is not None:
            why = (quoted(self.variable), f": {_small(self.looks.why)}")
        codes = self.looks.but_for
        missing: tuple[Part, ...] = (" and ", remedy(missing=[*codes])) if codes else ()
        no_answer: tuple[Part, ...] = ()
        if codes:
            no_answer = (" and ", all_quoted(codes), f" {'is' if len(codes) == 1 else 'are'} no answer")
        return Message(
            *why,
            ". If they are a scale",
            *no_answer,
            f", {_value_text(self.scale)}: say ",
            settled_by(self.level, self.variable),
            *missing,
            f". If they are names, {_value_text(self.names, plain=self.names.measure == self.scale.measure)}: say ",
            settled_by("nominal", self.variable),
            ".",
        )

    @property
    def beside(self) -> str:
        """The value as a scale, for a sentence that gives the value for names."""
        low, high = self.scale.interval()
        span = "" if self.scale.undefined else f" (95% confidence interval {low:z.2f} to {high:z.2f})"
        was = "undefined" if self.scale.undefined else f"{self.scale.value:z.2f}"
        return f"Taken as an {self.level} scale, {self.scale.entry.title} was {was}{span}."

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "variable": json_value(self.variable),
            "why": self.looks.why,
            "level": self.level,
            "order": json_value(list(self.looks.order)),
            "scale": _as_dict(self.scale),
            "names": _as_dict(self.names),
            "says": str(self),
        }


def settled_by(level: Level, variable: Label | None) -> Part:
    """What the user says to settle it, of the only variable or of one of several."""
    if variable is None:
        return remedy(level=level)
    one = {str(variable): level}
    return Remedy({"levels": one}, python=f"study.declare(levels={one})")


def _value_text(result: Agreement, *, plain: bool = False) -> str:
    """A value in a sentence; a plain one says that it is nominal, where the same coefficient stands beside it."""
    title = f"{result.entry.title} (nominal)" if plain else result.title
    return f"{title} is undefined" if result.undefined else f"{title} is {result.value:z.2f}"


def _as_dict(result: Agreement) -> dict[str, Any]:
    return {
        "measure": result.measure,
        "title": result.title,
        "options": {name: json_value(value) for name, value in result.options.items()},
        "value": json_value(result.value),
        "undefined": result.undefined,
    }


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]

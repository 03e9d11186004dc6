"""Who sits at the workbench, and what they may do there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from accord.errors import DecisionError, OptionError, quoted

Role: TypeAlias = Literal["lead", "adjudicator", "reader"]
ROLES: tuple[Role, ...] = get_args(Role)
LONGEST_NAME = 80  # characters


@dataclass(frozen=True)
class Person:
    """Somebody at the workbench: a lead decides and sets the rules, an adjudicator decides, a reader looks."""

    name: str
    role: Role = "adjudicator"

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise OptionError.choice("role", self.role, ROLES)
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise OptionError.must("name", f"be a name in one line, of up to {LONGEST_NAME} characters", self.name)

    @property
    def decides(self) -> bool:
        """May they decide items?"""
        return self.role != "reader"

    @property
    def leads(self) -> bool:
        """May they set rules, reasons and the version of the guideline?"""
        return self.role == "lead"

    def must_decide(self) -> None:
        """An error where they may only read."""
        if not self.decides:
            raise DecisionError(
                quoted(self.name),
                " came by a reader's link, which shows and decides nothing. Ask the lead for an adjudicator's link.",
            )

    def must_lead(self, what: str) -> None:
        """An error where only the lead may do what is asked."""
        if not self.leads:
            raise DecisionError(f"Only the lead {what}; ", quoted(self.name), f" is here as {self.role}. Ask the lead.")

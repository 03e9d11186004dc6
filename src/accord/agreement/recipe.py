"""What makes a coefficient: of a study, and again of every group, resample or variable of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accord.coefficients.measurable import Measurable
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.agreement.result import Agreement


class Recipe(ABC):
    """A function of a study, and what it knows of itself: which options fit a part, and what an engine can do."""

    @abstractmethod
    def __call__(self, study: Study) -> Measurable:
        """The coefficient of a study, or of a part of it."""

    def options_of(self, study: Study) -> dict[str, Any]:
        """The options that depend on what is measured: each variable may have a level of its own."""
        return {}

    def from_engine(self, study: Study) -> Measurable | None:
        """The coefficient from sums that an engine makes, without patterns of answers; None where answers are read."""
        return None

    def of_part(self, result: Agreement, study: Study) -> Agreement:
        """The same measure of a group or a variable of the result's study."""
        from accord.agreement.build import agreement

        return agreement(result.measure, study, self, {**result.options, **self.options_of(study)})

    @property
    def best_of_variables(self) -> Callable[[Study], Agreement] | None:
        """What is recommended for each variable, where they differ in kind."""
        return None

    def as_named(self, result: Agreement) -> Agreement:
        """A result that the caller named: it is measured on each variable, whatever fits better."""
        return result


@dataclass(frozen=True)
class Plain(Recipe):
    """A function of a study, and nothing more."""

    function: Callable[[Study], Measurable]

    def __call__(self, study: Study) -> Measurable:
        """What the function makes."""
        return self.function(study)


def as_recipe(given: Callable[[Study], Measurable]) -> Recipe:
    """A recipe, from whatever a measure hands over: the class of what is measured will do."""
    return given if isinstance(given, Recipe) else Plain(given)

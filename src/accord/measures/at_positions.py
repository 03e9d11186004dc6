"""Coefficients of labels that take spans too: their options for spans, and which recipe serves which study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import answers_called
from accord.coefficients.measurable import Measurable
from accord.errors import Keyword, MeasureError, OptionError
from accord.options import check_choice
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.spans.over_documents import PositionUnit
    from accord.spans.positions import Chance, Outside


@dataclass(frozen=True)
class OfSpans:
    """A coefficient of labels, for spans: place by place. What that takes is loaded where there are spans."""

    chance: Chance
    unit: PositionUnit | None
    outside: Outside | None

    def __call__(self, study: Study) -> Measurable:
        """The coefficient of a study of spans, or of a part of it."""
        from accord.spans.positions import AtPositions

        return AtPositions(self.chance, self.unit, self.outside or "label")(study)


@dataclass(frozen=True, eq=False)
class LabelsOrSpans:
    """A recipe for labels of items, and one for spans: each variable of a study takes its own."""

    labels: Callable[[Study], Measurable]
    spans: OfSpans

    def __call__(self, study: Study) -> Measurable:
        """The coefficient of a study, or of a part of it."""
        return self.spans(study) if study.kind == "spans" else self.labels(study)


def position_options(
    study: Study, unit: PositionUnit | None, outside: Outside | None, **plain: tuple[Any, Any]
) -> dict[str, Any]:
    """The options for spans, checked; `plain` are others by name, as given and as spans take them."""
    given = {"unit": unit, "outside": outside}
    if any(value is not None for value in given.values()):
        from accord.spans.positions import OUTSIDES, check_unit

        check_unit(unit)
        if outside is not None:
            check_choice("outside", outside, OUTSIDES)
    kinds = {part.kind for part in study.tasks.values() or [study]}
    if "spans" not in kinds:
        for name, value in given.items():
            if value is not None:
                raise OptionError(
                    Keyword(name), f" is for spans; these are {answers_called(study.kind)}. Leave it out."
                )
        return {}
    for name, (value, usual) in plain.items():
        if value is not None and not (isinstance(value, str) and value == usual):
            raise MeasureError(
                "Spans are compared place by place, and labels there are the same or not: they do not take ",
                Keyword(name),
                ". Leave it out.",
            )
    return given

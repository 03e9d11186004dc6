"""Which answers of a study count: rows by a value, annotators by name, and who of them is a person or a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.annotations.left_out import LeftOut, Reason

if TYPE_CHECKING:
    from accord.study.study import Study

ALL = "all"  # people, models and adjudicators alike


@dataclass(frozen=True)
class Selection:
    """What a reader of files is asked to keep, once the study is there."""

    annotators: Sequence[str] | str | None = None
    exclude: Sequence[str] = ()
    where: Mapping[str, object | Sequence[object]] = field(default_factory=dict)
    people: Sequence[str] = ()
    models: Sequence[str] = ()

    def of(self, study: Study) -> Study:
        """The study with what was asked for; who is what is said first, since everybody is still there."""
        if self.people or self.models:
            study = study.declare_kinds(people=self.people, models=self.models)
        for column, values in self.where.items():
            several = isinstance(values, Sequence) and not isinstance(values, str)
            chosen = study.where(column, *(values if several else (values,)))  # type: ignore[misc]
            study = _counted(study, chosen, Reason.NOT_CHOSEN)
        if self.exclude:
            study = _counted(study, study.without_annotators(self.exclude), Reason.EXCLUDED)
        if self.annotators == ALL:
            return study.all_alike()
        if self.annotators is None:
            return study
        return _counted(study, study.of_annotators(self.annotators), Reason.EXCLUDED)

    @property
    def restricts(self) -> bool:
        """Is anything asked at all?"""
        return bool(self.annotators is not None or self.exclude or self.where or self.people or self.models)


def _counted(before: Study, after: Study, reason: Reason) -> Study:
    """What is left, with how many answers are not."""
    left_out = LeftOut()
    left_out.add(reason, _answers(before) - _answers(after))
    return after._but(left_out=left_out)


def _answers(study: Study) -> int:
    return sum(part.n_annotations for part in study.tasks.values() or [study])

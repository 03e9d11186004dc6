"""Which answers of a study count: rows by a value, annotators by name, and who of them is a person or a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
            study = study.where(column, *(values if several else (values,)))  # type: ignore[misc]
        if self.exclude:
            study = study.without_annotators(self.exclude)
        if self.annotators == ALL:
            return study.all_alike()
        return study if self.annotators is None else study.of_annotators(self.annotators)

    @property
    def asks(self) -> bool:
        """Is anything asked at all?"""
        return bool(self.annotators is not None or self.exclude or self.where or self.people or self.models)

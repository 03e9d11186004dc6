"""Which way an intraclass correlation is computed: by what the design of the scores allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.coefficients.measurable import ByStudy, FromEngine
from accord.errors import MeasureError, remedy
from accord.scores.eliminated_items import EliminatedItems
from accord.scores.icc import Icc
from accord.scores.icc_forms import IccForm
from accord.scores.icc_in_engine import IccInEngine
from accord.scores.icc_of_table import IccOfTable
from accord.scores.icc_with_gaps import IccWithGaps, RefittedIcc
from accord.scores.items_alone import ItemsAlone
from accord.scores.score_table import ScoreTable, nothing_to_measure, scores_of, stay_in_engine
from accord.scores.summed_scores import SummedScores
from accord.study.study import Study


def icc_of(table: ScoreTable, form: IccForm) -> Icc:
    """The intraclass correlation of a table, by what its design allows."""
    if isinstance(table, SummedScores):
        return IccInEngine(table, form)
    if table.repeats is not None and (form.error == "1" or nothing_to_measure(table) or _is_unbiased(table)):
        return IccOfTable(table, form)
    if form.error == "1" and table.by_item_alone.repeats is not None:  # whoever they are, every item has as many
        return IccOfTable(table.by_item_alone, form)
    found = IccWithGaps(table, form)
    if nothing_to_measure(found.table) or isinstance(found.components.criterion, EliminatedItems | ItemsAlone):
        return found
    return RefittedIcc(table, form)


def _is_unbiased(table: ScoreTable) -> bool:
    """Are the variances that are divided those of mean squares?"""
    return bool((table.components.divided == table.components.by_anova).all())


@dataclass(frozen=True)
class IccRecipe(ByStudy, FromEngine):
    """The intraclass correlation of a study, or of a part of it."""

    form: IccForm | None  # as the caller says; None is what fits: absolute agreement of single scores

    def form_of(self, study: Study) -> IccForm:
        """The form of one variable."""
        return self.form or IccForm("A" if study._annotations.named else "1")

    def options_of(self, study: Study) -> dict[str, Any]:
        """By its usual name."""
        return {"form": self.form_of(study).name}

    def __call__(self, study: Study) -> Icc:
        """The value with all that can be asked of it."""
        form = self.form_of(study)
        if form.error != "1" and not study._annotations.named:
            raise MeasureError(
                f"Form {form.name!r} tells annotators apart, and a {study.shape} does not say who answered. Use ",
                remedy(form="1,1"),
                ".",
            )
        return icc_of(scores_of(study), form)

    def from_engine(self, study: Study) -> Icc | None:
        """From sums that an engine makes, where scores are too many to be brought here; else None."""
        return self(study) if stay_in_engine(study) else None

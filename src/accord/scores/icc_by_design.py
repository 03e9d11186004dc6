"""Which way an intraclass correlation is computed: by what the design of the scores allows."""

from __future__ import annotations

from accord.scores.icc import Icc
from accord.scores.icc_forms import IccForm
from accord.scores.icc_in_engine import IccInEngine
from accord.scores.icc_of_table import IccOfTable
from accord.scores.icc_with_gaps import IccWithGaps, RefittedIcc
from accord.scores.score_table import ScoreTable, nothing_to_measure
from accord.scores.summed_scores import SummedScores


def icc_of(table: ScoreTable, form: IccForm) -> Icc:
    """The intraclass correlation of a table, by what its design allows."""
    if isinstance(table, SummedScores):
        return IccInEngine(table, form)
    if table.repeats is not None and (form.error == "1" or nothing_to_measure(table) or _is_unbiased(table)):
        return IccOfTable(table, form)
    if form.error == "1" and table.by_item_alone.repeats is not None:  # whoever they are, every item has as many
        return IccOfTable(table.by_item_alone, form)
    found = IccWithGaps(table, form)
    if nothing_to_measure(found.table) or found.components.criterion.by_item:
        return found
    return RefittedIcc(table, form)


def _is_unbiased(table: ScoreTable) -> bool:
    """Are the variances that are divided those of mean squares?"""
    return bool((table.components.divided == table.components.by_anova).all())

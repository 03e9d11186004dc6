"""The intraclass correlation of scores that stay in their engine: the value and its model's interval."""

from __future__ import annotations

from functools import cached_property
from typing import NoReturn

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.measurable import Breakdown, Decomposition, Parts
from accord.coefficients.units import KindsOfUnits
from accord.errors import MeasureError, OptionError, collected, remedy
from accord.scores.components import share
from accord.scores.icc import Icc
from accord.scores.icc_forms import IccForm
from accord.scores.score_table import EXACTLY
from accord.scores.summed_scores import SummedScores

STAYS = "The items stay in their engine, and only sums over them are here. Filter the frame first, or collect it: "


class IccInEngine(Icc):
    """Of any form, with gaps or without."""

    knows_items = False
    table: SummedScores

    def __init__(self, table: SummedScores, form: IccForm) -> None:
        self.whole, self.form, self.of_what = table, form, form.name
        self.table = table.by_item_alone if form.error == "1" else table

    @cached_property
    def sample(self) -> KindsOfUnits:  # type: ignore[override]
        """How many items have a score."""
        return KindsOfUnits(np.array([self.table.levels["item"]]))

    @cached_property
    def parts(self) -> Parts:
        """Of the study itself."""
        if self._unmeasurable:
            return Parts.of_value(np.array(np.nan))
        return Parts.of_value(np.array(share(self.components.divided, self.weights, self.place)))

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        """Not of other items."""
        _refuse_items()

    @property
    def has_influence(self) -> bool:
        """What an item adds only its engine knows."""
        return False

    def influence(self) -> FloatArray:
        """Not of single items."""
        _refuse_items()

    @cached_property
    def _same_means(self) -> bool:
        """Are the mean scores of all items the same?"""
        sums, sizes = self.table.sums, self.table.sums.sizes
        mean = float((sums.totals / sizes).sum()) / self.table.levels["item"]
        apart = sums.squared_totals / sizes**2 - 2 * mean * sums.totals / sizes + mean**2 * sums.items
        return float(apart.sum()) <= EXACTLY * sums.squares

    @cached_property
    def _nobody_differs(self) -> bool:
        """Has no item two scores that differ?"""
        return self.table.within <= EXACTLY * self.table.sums.squares

    def decomposition(self) -> Decomposition:
        """Not item by item."""
        self._refuse()

    def unit_columns(self) -> dict[str, list[float]]:
        """Not item by item."""
        self._refuse()

    def by_pair(self, named: object, pairs: AnnotatorPairs) -> Breakdown:
        """Not from these sums."""
        self._refuse()

    def by_annotator(self, study: object) -> Breakdown:
        """Not from these sums."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise MeasureError(STAYS, collected(), ".")


def _refuse_items() -> NoReturn:
    raise OptionError(
        "Such an interval needs each item, and they stay in their engine; ",
        remedy(method="model-based"),
        " needs none.",
    )

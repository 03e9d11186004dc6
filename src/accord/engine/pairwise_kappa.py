"""A kappa for every two annotators with common items, and their mean, in the engine: where pairs are too many.

Every pair has observed agreement, and chance agreement from both marginals on the items that both answered. Only sums
over pairs arrive, and sums by annotator; the score contributions of pairs of answers are a table in the engine too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, FloatArray
from accord.engine.answer_pairs import AnswerPairs
from accord.engine.scan import Scan

SUMS = ("defined_", "observed_", "expected_", "value_")


@dataclass(frozen=True, eq=False)
class AnswerPairSums:
    """The pairs of a crowd; `alike` (K, K) says how alike answers are."""

    answer_pairs: AnswerPairs
    alike: FloatArray

    @cached_property
    def _weights(self) -> nw.LazyFrame[Any]:
        """The weights that are not zero."""
        first, second = np.nonzero(self.alike)
        columns = {
            "first_answer_": first.tolist(),
            "second_answer_": second.tolist(),
            "alike_": self.alike[first, second].tolist(),
        }
        return self.answer_pairs.scan.uploaded(columns).frame

    @cached_property
    def _cells(self) -> nw.LazyFrame[Any]:
        """One row per pair and both answers: how often, as `number_`."""
        key = ("cell_", "pair_", "first_answer_", "second_answer_")
        return (
            self.answer_pairs.pairs.group_by(*key)
            .agg(nw.len().alias("number_"))
            .with_columns(nw.col("number_").cast(nw.Float64))
        )

    def _towards(self, end: str, other: str) -> nw.LazyFrame[Any]:
        """By pair and answer of one end: the summed weights of the other's answers, as `score_`; 0 is left out."""
        theirs = self._cells.group_by("pair_", other).agg(nw.col("number_").sum())
        scored = theirs.join(self._weights, on=other, how="inner")
        scored = scored.with_columns(score_=nw.col("number_") * nw.col("alike_"))
        return scored.group_by("pair_", end).agg(nw.col("score_").sum())

    @cached_property
    def each(self) -> nw.LazyFrame[Any]:
        """One row per pair: common items, observed, expected, value, and 1 or 0 for whether it has one."""
        cells = self._cells.join(self._weights, on=["first_answer_", "second_answer_"], how="left")
        agreed = (nw.col("number_") * nw.col("alike_").fill_null(0.0)).alias("agreed_")
        sums = cells.with_columns(agreed).group_by("pair_").agg(nw.col("number_").sum(), nw.col("agreed_").sum())
        mine = self._cells.group_by("pair_", "first_answer_").agg(nw.col("number_").sum())
        chance = mine.join(self._towards("first_answer_", "second_answer_"), on=["pair_", "first_answer_"], how="inner")
        chance = (
            chance.with_columns(chance_=nw.col("number_") * nw.col("score_"))
            .group_by("pair_")
            .agg(nw.col("chance_").sum())
        )
        number = nw.col("number_")
        pairs = sums.join(chance, on="pair_", how="left").with_columns(
            observed_=nw.col("agreed_") / number, expected_=nw.col("chance_").fill_null(0.0) / (number * number)
        )
        room = 1.0 - nw.col("expected_")
        pairs = pairs.with_columns(
            defined_=nw.when(room > NOTHING_LEFT).then(nw.lit(1.0)).otherwise(nw.lit(0.0)),
            room_=nw.when(room > NOTHING_LEFT).then(room).otherwise(nw.lit(1.0)),
        )
        return pairs.with_columns(value_=1.0 - (1.0 - nw.col("observed_")) / nw.col("room_"))

    def totals(self) -> tuple[int, dict[str, float]]:
        """How many pairs there are, and sums over those that have a value."""
        pairs_defined = self._defined(self.each).select(
            nw.len().alias("pairs_"), *(nw.col(name).sum() for name in SUMS)
        )
        found = self.answer_pairs.scan.of_frame(pairs_defined).arrive("pairs_", *SUMS)
        return int(found["pairs_"][0]), {name: float(found[name][0] or 0.0) for name in SUMS}

    def of_each(self) -> dict[str, FloatArray]:
        """(people,) the same sums over the pairs that hold an annotator."""
        ends = self.answer_pairs.pairs.group_by("pair_", "who_", "whom_").agg(nw.len().alias("common_"))
        pairs = self._defined(self.each).join(ends, on="pair_", how="inner")
        sides = [pairs.select(nw.col(end).alias("who_"), *(nw.col(name) for name in SUMS)) for end in ("who_", "whom_")]
        each = nw.concat(sides).group_by("who_").agg(*(nw.col(name).sum() for name in SUMS))
        found = self.answer_pairs.scan.of_frame(each).arrive("who_", *SUMS)
        who = np.array(found["who_"], dtype=np.int64)
        sums = {name: np.zeros(len(self.answer_pairs.people)) for name in SUMS}
        for name, table in sums.items():
            table[who] = found[name]
        return sums

    @staticmethod
    def _defined(pairs: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Pairs without a value add nothing."""
        return pairs.with_columns(**{name: nw.col(name) * nw.col("defined_") for name in SUMS[1:]})

    def scores(self, share: float) -> Scan:
        """What a pair of answers adds to the value of its annotators, times `share`: from the derivative."""
        ends = ("first_answer_", "second_answer_")
        first, second = self._towards(*ends), self._towards(*reversed(ends))
        cells = self._cells.drop("number_").join(self.each, on="pair_", how="inner")
        cells = cells.join(self._weights, on=["first_answer_", "second_answer_"], how="left")
        cells = cells.join(first.rename({"score_": "first_"}), on=["pair_", "first_answer_"], how="left")
        cells = cells.join(second.rename({"score_": "second_"}), on=["pair_", "second_answer_"], how="left")
        towards_both = nw.col("first_").fill_null(0.0) + nw.col("second_").fill_null(0.0)
        by_chance = towards_both / nw.col("number_") - 2.0 * nw.col("expected_")
        by_agreement = nw.col("alike_").fill_null(0.0) - nw.col("observed_")
        moved = (by_agreement - (1.0 - nw.col("value_")) * by_chance) / (nw.col("number_") * nw.col("room_"))
        return self.answer_pairs.scan.of_frame(
            cells.select(nw.col("cell_"), (share * nw.col("defined_") * moved).alias("score_"))
        )

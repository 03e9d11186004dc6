"""A kappa for every two annotators who met, and their mean, made in the engine: where so many met that they stay there.

Every pair has agreement, and luck from both mixes on the items that both answered. Only sums over pairs arrive, and
sums by annotator; what a meeting is worth for the error is a table in the engine too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.arrays import NOTHING_LEFT, FloatArray
from accord.engine.answer_pairs import Meeting
from accord.engine.scan import Scan

SUMS = ("there_", "observed_", "expected_", "value_")


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of a crowd; `alike` (K, K) says how alike answers are."""

    meeting: Meeting
    alike: FloatArray

    @cached_property
    def _weights(self) -> nw.LazyFrame[Any]:
        """The weights that are not zero."""
        said, replied = np.nonzero(self.alike)
        told = {"said_": said.tolist(), "replied_": replied.tolist(), "alike_": self.alike[said, replied].tolist()}
        return self.meeting.scan.uploaded(told).frame

    @cached_property
    def _cells(self) -> nw.LazyFrame[Any]:
        """One row a pair and what both said: how often, as `number_`."""
        key = ("cell_", "pair_", "said_", "replied_")
        return (
            self.meeting.met.group_by(*key)
            .agg(nw.len().alias("number_"))
            .with_columns(nw.col("number_").cast(nw.Float64))
        )

    def _towards(self, end: str, other: str) -> nw.LazyFrame[Any]:
        """By pair and answer of one end: what the answers of the other are worth to it, as `worth_`; 0 is not there."""
        theirs = self._cells.group_by("pair_", other).agg(nw.col("number_").sum())
        priced = theirs.join(self._weights, on=other, how="inner")
        priced = priced.with_columns(worth_=nw.col("number_") * nw.col("alike_"))
        return priced.group_by("pair_", end).agg(nw.col("worth_").sum())

    @cached_property
    def each(self) -> nw.LazyFrame[Any]:
        """One row a pair: common items, observed, expected, value, and 1 or 0 for whether it has one."""
        cells = self._cells.join(self._weights, on=["said_", "replied_"], how="left")
        agreed = (nw.col("number_") * nw.col("alike_").fill_null(0.0)).alias("agreed_")
        sums = cells.with_columns(agreed).group_by("pair_").agg(nw.col("number_").sum(), nw.col("agreed_").sum())
        mine = self._cells.group_by("pair_", "said_").agg(nw.col("number_").sum())
        luck = mine.join(self._towards("said_", "replied_"), on=["pair_", "said_"], how="inner")
        luck = (
            luck.with_columns(luck_=nw.col("number_") * nw.col("worth_")).group_by("pair_").agg(nw.col("luck_").sum())
        )
        number = nw.col("number_")
        pairs = sums.join(luck, on="pair_", how="left").with_columns(
            observed_=nw.col("agreed_") / number, expected_=nw.col("luck_").fill_null(0.0) / (number * number)
        )
        room = 1.0 - nw.col("expected_")
        pairs = pairs.with_columns(
            there_=nw.when(room > NOTHING_LEFT).then(nw.lit(1.0)).otherwise(nw.lit(0.0)),
            room_=nw.when(room > NOTHING_LEFT).then(room).otherwise(nw.lit(1.0)),
        )
        return pairs.with_columns(value_=1.0 - (1.0 - nw.col("observed_")) / nw.col("room_"))

    def totals(self) -> tuple[int, dict[str, float]]:
        """How many pairs met, and sums over those that have a value."""
        there = self._there(self.each).select(nw.len().alias("pairs_"), *(nw.col(name).sum() for name in SUMS))
        found = self.meeting.scan.of_frame(there).arrive("pairs_", *SUMS)
        return int(found["pairs_"][0]), {name: float(found[name][0] or 0.0) for name in SUMS}

    def of_each(self) -> dict[str, FloatArray]:
        """(people,) the same sums over the pairs that hold an annotator."""
        ends = self.meeting.met.group_by("pair_", "who_", "whom_").agg(nw.len().alias("met_"))
        pairs = self._there(self.each).join(ends, on="pair_", how="inner")
        sides = [pairs.select(nw.col(end).alias("who_"), *(nw.col(name) for name in SUMS)) for end in ("who_", "whom_")]
        each = nw.concat(sides).group_by("who_").agg(*(nw.col(name).sum() for name in SUMS))
        found = self.meeting.scan.of_frame(each).arrive("who_", *SUMS)
        who = np.array(found["who_"], dtype=np.int64)
        sums = {name: np.zeros(len(self.meeting.people)) for name in SUMS}
        for name, table in sums.items():
            table[who] = found[name]
        return sums

    @staticmethod
    def _there(pairs: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """Pairs without a value add nothing."""
        return pairs.with_columns(**{name: nw.col(name) * nw.col("there_") for name in SUMS[1:]})

    def prices(self, share: float) -> Scan:
        """What a meeting adds to its pair's value, times `share`: by the derivative, in observed and in both mixes."""
        first, second = self._towards("said_", "replied_"), self._towards("replied_", "said_")
        cells = self._cells.drop("number_").join(self.each, on="pair_", how="inner")
        cells = cells.join(self._weights, on=["said_", "replied_"], how="left")
        cells = cells.join(first.rename({"worth_": "first_"}), on=["pair_", "said_"], how="left")
        cells = cells.join(second.rename({"worth_": "second_"}), on=["pair_", "replied_"], how="left")
        met = nw.col("first_").fill_null(0.0) + nw.col("second_").fill_null(0.0)
        by_luck = met / nw.col("number_") - 2.0 * nw.col("expected_")
        by_agreement = nw.col("alike_").fill_null(0.0) - nw.col("observed_")
        moved = (by_agreement - (1.0 - nw.col("value_")) * by_luck) / (nw.col("number_") * nw.col("room_"))
        return self.meeting.scan.of_frame(
            cells.select(nw.col("cell_"), (share * nw.col("there_") * moved).alias("worth_"))
        )

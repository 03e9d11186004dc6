"""One vector per item in an engine: how its answers move the marginals of those who gave them; and sums of products.

An answer x by an annotator with the marginal distribution p, from n answers, adds (1[x] − p) / n to its item's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.arrays import FloatArray
from accord.engine.scan import Scan


@dataclass(frozen=True, eq=False)
class Vectors:
    """Rows with an item, an annotator and an answer (a number from 1), and the marginals of every annotator."""

    scan: Scan
    item: str
    annotator: str
    answer: str
    people: Sequence[Any]  # annotators as the engine calls them
    marginals: FloatArray  # (R, K)
    answered: FloatArray  # (R,)

    @property
    def _names(self) -> list[str]:
        return [f"vector{place}_" for place in range(self.marginals.shape[1])]

    @cached_property
    def _each(self) -> nw.LazyFrame[Any]:
        """One row per item, with its vector."""
        one = 1 / np.maximum(self.answered, 1)
        parts = {name: (part * one).tolist() for name, part in zip(self._names, self.marginals.T, strict=True)}
        table = self.scan.uploaded({self.annotator: list(self.people), "one_": one.tolist(), **parts})
        rows = self.scan.joined(table, [self.annotator]).frame
        added = {
            name: nw.when(nw.col(self.answer) == place).then(nw.col("one_")).otherwise(nw.lit(0.0)) - nw.col(name)
            for place, name in enumerate(self._names, start=1)
        }
        return rows.with_columns(**added).group_by(self.item).agg(*(nw.col(name).sum() for name in self._names))

    def products(self) -> FloatArray:
        """(K, K) Σ v vᵀ over items."""
        size, names = len(self._names), self._names
        above = [(one, other) for one in range(size) for other in range(one, size)]
        pairs = {f"p{one}_{other}": nw.col(names[one]) * nw.col(names[other]) for one, other in above}
        table = self._each.with_columns(**pairs).select(*(nw.col(name).sum() for name in pairs))
        found = self.scan.of_frame(table).arrive(*pairs)
        products = np.zeros((size, size))
        for (one, other), name in zip(above, pairs, strict=True):
            products[one, other] = products[other, one] = found[name][0]
        return products

    def by_answer(self, scores: Scan, on: Sequence[str], names: Sequence[str]) -> dict[str, FloatArray]:
        """(R, K) sums over the answers of each annotator, answer by answer.

        Of other columns (`names` of the table `scores`), of the vectors of the items, and of
        the products of these with each other and with the vectors.
        """
        rows = self.scan.of_frame(self.scan.frame.join(self._each, on=self.item, how="inner")).joined(scores, on).frame
        pairs = {
            f"{one} {other}": (one, other) for at, one in enumerate(names) for other in (*names[at:], *self._names)
        }
        rows = rows.with_columns(**{name: nw.col(one) * nw.col(other) for name, (one, other) in pairs.items()})
        sums = [*names, *self._names, *pairs]
        found = self.scan.of_frame(
            rows.group_by(self.annotator, self.answer).agg(*(nw.col(name).sum() for name in sums))
        )
        cells = found.arrive(self.annotator, self.answer, *sums)
        place = {name: position for position, name in enumerate(self.people)}
        who = np.array([place[name] for name in cells[self.annotator]], dtype=np.int64)
        answer = np.array(cells[self.answer], dtype=np.int64) - 1
        tables = {name: np.zeros(self.marginals.shape) for name in sums}
        for name, table in tables.items():
            table[who, answer] = cells[name]
        return tables

"""Who gave which answer how often, and what every two said of the items both answered; not who answered which item.

That is enough for the values of coefficients that know people, and for every pair of them by itself. It is not enough
for the errors of those values, which need to know which answers stand on one item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from accord.annotations.answers import Answers
from accord.annotations.arrays import IntArray, add_up
from accord.annotations.tally import Tally
from accord.errors import Keyword, MeasureError


@dataclass(frozen=True, eq=False)
class PeopleSums:
    """Sums over the answers of named people, of whom it is not known which items they answered."""

    answers: Answers
    names: tuple[str, ...]
    cells: IntArray  # (people, answers) how often each gave each
    pairs: IntArray  # (M, 4) two people, and the answer of each; the first comes before the second
    number: IntArray  # (M,) of how many items they said that

    @cached_property
    def pair_tally(self) -> Tally:
        """A named tally whose every item is one pair of answers."""
        order = np.lexsort(self.pairs.T[::-1])
        pairs, size = self.pairs[order], 2 * len(self.number)
        return Tally(
            self.answers, self.number[order], np.arange(0, size + 1, 2), answer=pairs[:, 2:].ravel(),
            count=np.ones(size, dtype=np.int64), annotator=pairs[:, :2].ravel(), annotators=self.names,
        )  # fmt: skip

    def recoded(self, answers: Answers, became: IntArray) -> PeopleSums:
        """The same with other answers: what was answer k is answer became[k]."""
        cells = np.zeros((len(self.names), len(answers)), dtype=np.int64)
        for before, after in enumerate(became.tolist()):
            if after >= 0:
                cells[:, after] += self.cells[:, before]
        pairs = np.concatenate((self.pairs[:, :2], became[self.pairs[:, 2:]]), axis=1)
        pairs, place = np.unique(pairs, axis=0, return_inverse=True)
        number = add_up(place.ravel(), self.number, len(pairs)).astype(np.int64)
        return PeopleSums(answers, self.names, cells, pairs, number)

    def renamed(self, names: Sequence[str], position: IntArray) -> PeopleSums:
        """The same of people called otherwise: who was the k-th is the position[k]-th of these names."""
        cells = np.zeros((len(names), self.cells.shape[1]), dtype=np.int64)
        cells[position] = self.cells
        pairs = np.concatenate((position[self.pairs[:, :2]], self.pairs[:, 2:]), axis=1)
        turned = pairs[:, 0] > pairs[:, 1]
        pairs[turned] = pairs[turned][:, [1, 0, 3, 2]]
        return replace(self, names=tuple(names), cells=cells, pairs=pairs)


def who_is_unknown() -> MeasureError:
    """The error for a question about who answered an item, where only sums over people are known."""
    return MeasureError(
        "This needs to know who answered each item, and only sums are known: who gave which label how often, and what "
        "every two said of their common items. Queries that name the annotators ask for the rest.",
        option=Keyword("annotator"),
    )

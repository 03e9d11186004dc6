"""Agreement on labels that have an order or are numbers, at positions that two annotators marked.

The coded form of unitizing alpha with Krippendorff's distances instead of the same or not. How often annotators gave c
and k to one position is summed for every two labels, so that distances may depend on how often labels are used, as
those of ordinal labels do, and are taken anew on every resample.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.coefficients.measurable import Decomposition, Parts
from accord.errors import MeasureError, remedy
from accord.spans.over_documents import Entries, OverDocuments
from accord.spans.unitizing import CodedLevel, CodedUnitizing

MOST_LABELS = 100  # every two of which have a sum


class CodedAtLevel(OverDocuments):
    """Sums: nothing, positions, pairs left out, how often each label is held, and of every two labels how often both.

    Observed and expected agreement are 1 − disagreement over the widest in the data.
    """

    def __init__(self, nominal: CodedUnitizing, level: CodedLevel, places: FloatArray) -> None:
        if len(places) > MOST_LABELS:
            raise MeasureError(
                f"The labels are {len(places):,} different ones, and every two of them are compared: up to "
                f"{MOST_LABELS} can be. Join some of them.",
                remedies=[remedy(recode=...)],
            )
        self.nominal, self.level, self.places = nominal, level, places
        self.order = np.argsort(places, kind="stable")  # of the labels, from the lowest
        self.first, self.second = np.triu_indices(len(places), 1)
        super().__init__(nominal.segments, nominal.basis, nominal.once)
        self.widest = float(self._apart(self.item_sums.total(self.sample.items)[3 : 3 + len(places)]).max(initial=0.0))

    @property
    def width(self) -> int:
        """Three, the labels, and every two of them."""
        return 3 + len(self.places) + len(self.first)

    def entries(self) -> Iterator[Entries]:
        """What documents add to the sums; the first three and the labels are those of the nominal form."""
        yield from (entry for entry in self.nominal.entries() if not (isinstance(entry[1], int) and entry[1] == 0))
        segment, low, high, both = self._overlaps()
        size = len(self.places)
        place = np.zeros((size, size), dtype=np.int64)
        place[self.first, self.second] = 3 + size + np.arange(len(self.first))
        pairs = 2 * both * divide(self.once, np.maximum(self.segments.raters - 1, 1))[segment]
        yield self.segments.document[segment], place[low, high], pairs

    def _overlaps(self) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """Segment, two labels that were given there, the lower code first, and the product of how many gave each."""
        segment, label, number = self.segments.held
        most = int(np.bincount(segment).max(initial=0))
        first = [np.empty(0, dtype=np.int64)]
        second = [np.empty(0, dtype=np.int64)]
        for step in range(1, most):  # labels of one segment stand together, in the order of their codes
            same = np.nonzero(segment[step:] == segment[:-step])[0]
            first.append(same)
            second.append(same + step)
        low, high = np.concatenate(first), np.concatenate(second)
        return segment[low], label[low], label[high], (number[low] * number[high]).astype(np.float64)

    def _apart(self, held: FloatArray) -> FloatArray:
        """(pairs,) δ² of every two labels, where these are held so often."""
        if self.level == "ordinal":
            between = self._between @ held
            return np.asarray(between**2)
        one, other = self.places[self.first], self.places[self.second]
        if self.level == "interval":
            return np.asarray((one - other) ** 2)
        return np.nan_to_num(divide(one - other, one + other)) ** 2

    @cached_property
    def _between(self) -> FloatArray:
        """(pairs, labels) what of each label lies between two: half of these, all of those between."""
        rank = np.empty(len(self.order), dtype=np.int64)
        rank[self.order] = np.arange(len(self.order))
        low, high = (part(rank[self.first], rank[self.second])[:, None] for part in (np.minimum, np.maximum))
        return np.where((rank > low) & (rank < high), 1.0, np.where((rank == low) | (rank == high), 0.5, 0.0))

    def _both(self, held: FloatArray) -> FloatArray:
        """(pairs,) how often chance would draw both of two labels."""
        return np.asarray(2 * held[self.first] * held[self.second])

    def combine(self, sums: FloatArray) -> Parts:
        """One row after the other: distances may differ."""
        rows = np.atleast_2d(sums)
        size, found = len(self.places), np.empty((2, len(rows)))
        for place, row in enumerate(rows):
            held = row[3 : 3 + size]
            apart = self._apart(held)
            found[0, place] = divide(row[3 + size :] @ apart, row[1])
            found[1, place] = divide(self._both(held) @ apart, row[1] ** 2 - row[2])
        observed, expected = (part.reshape(sums.shape[:-1]) for part in found)
        value = 1 - divide(observed, expected)
        return Parts(1 - divide(observed, self.widest), 1 - divide(expected, self.widest), value)

    def by_chance(self, sums: FloatArray) -> FloatArray:
        """As a share of the widest distance."""
        return 1 - self.combine(sums).expected

    def chance_slopes(self, sums: FloatArray) -> FloatArray:
        """Of Y / (N² − κ), as a share of the widest distance."""
        return np.stack([self._chance_slopes(row) for row in sums]) / self.widest

    def _chance_slopes(self, row: FloatArray) -> FloatArray:
        size, slopes = len(self.places), np.zeros(len(row))
        held, room = row[3 : 3 + size], row[1] ** 2 - row[2]
        apart, both = self._apart(held), self._both(held)
        expected = float(both @ apart) / room
        slopes[1], slopes[2] = -2 * row[1] * expected / room, expected / room
        towards = add_up(self.first, 2 * held[self.second] * apart, size)
        towards += add_up(self.second, 2 * held[self.first] * apart, size)
        slopes[3 : 3 + size] = (towards + self._through_distances(both, held)) / room
        return slopes

    def _observed_slopes(self, row: FloatArray) -> FloatArray:
        """Of X / N, as a share of the widest distance."""
        size, slopes = len(self.places), np.zeros(len(row))
        held, met = row[3 : 3 + size], row[3 + size :]
        apart = self._apart(held)
        slopes[1] = -float(met @ apart) / row[1] ** 2
        slopes[3 : 3 + size] = self._through_distances(met, held) / row[1]
        slopes[3 + size :] = apart / row[1]
        return slopes / self.widest

    def _through_distances(self, often: FloatArray, held: FloatArray) -> FloatArray:
        """(labels,) how distances that are met so often grow with the use of each label; only ordinal ones do."""
        if self.level != "ordinal":
            return np.zeros(len(held))
        between = self._between
        return np.asarray((often * 2 * (between @ held)) @ between)

    def slopes_of_each(self, sums: FloatArray) -> FloatArray:
        """By the chain rule; distances move with the data."""
        parts = self.combine(sums)
        observed = np.stack([self._observed_slopes(row) for row in sums])
        moved = (1 - parts.value)[:, None] * self.chance_slopes(sums) - observed
        return np.asarray(moved / (1 - parts.expected)[:, None])

    def decomposition(self) -> Decomposition:
        """Each document's own distances against the chance of all."""
        size, total = len(self.places), self.item_sums.total(self.sample.items)
        rows = self.item_sums.rows(0, len(self.sample))
        apart = divide(rows[:, 3 + size :] @ self._apart(total[3 : 3 + size]), rows[:, 1])
        left = (1 - float(self.parts.expected)) * self.widest
        observed = 1 - divide(apart, self.widest)
        return Decomposition(observed, 1 - divide(apart, left), divide(rows[:, 1], total[1]))

    def _of_each(self) -> tuple[FloatArray, FloatArray]:
        """(documents, R) how far everybody is from the others, as a share of the widest; distances as of all."""
        held, people, size = self.segments, self.segments.seen.shape[1], len(self.places)
        total = self.item_sums.total(self.sample.items)
        table = np.zeros((size, size))
        table[self.first, self.second] = table[self.second, self.first] = self._apart(total[3 : 3 + size])
        there, label, number = held.held
        segment, low, high, _ = self._overlaps()
        key = there * size + label
        cells = [np.searchsorted(key, segment * size + part) for part in (low, high)]
        far = sum(add_up(mine, number[theirs] * table[low, high], len(key)) for mine, theirs in (cells, cells[::-1]))
        answer = np.where(held.raters > 1, divide(self.once, held.raters - 1), 0.0)
        own = np.asarray(far)[np.searchsorted(key, held.segment * size + held.label)] * answer[held.segment]
        where = self._units.place[held.document[held.segment]]
        cell, inside = where * people + held.annotator, where >= 0
        shape = (len(self.sample), people)
        apart = add_up(cell[inside], own[inside], shape[0] * people) / self.widest
        whole = add_up(cell[inside], np.where(held.raters > 1, self.once, 0.0)[held.segment[inside]], shape[0] * people)
        return apart.reshape(shape), whole.reshape(shape)

    def observed_in_words(self) -> str | None:
        """As of every value at a level."""
        return None

    def of_label(self, label: int) -> OverDocuments:
        """Used or not, whatever its place in the order."""
        return self.nominal.of_label(label)

    def label_columns(self) -> dict[str, list[float]]:
        """As of the nominal form."""
        return self.nominal.label_columns()

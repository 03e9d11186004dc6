"""The answers of a table as numbers, fetched from an engine that runs in this process: four bytes each, no names.

A model reads all answers in every iteration. Asked each time, an engine joins names to tables again and again; codes
are fetched once, and then an iteration is arithmetic. What leaves the engine is numbers; the names of the items wait
there for their labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from accord.annotations.arrays import IntArray
from accord.engine.label_posteriors import LabelPosteriors
from accord.engine.scan import CELL

MOST_CODED = 500_000_000  # answers: two gigabytes
MOST = 2**31  # items, or cells, that are told apart by 32 bits
PLACE = "place_"
KINDS: dict[type, Any] = {str: nw.String, bool: nw.Boolean, int: nw.Int64, float: nw.Float64}
Codes = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class CodedAnswers:
    """Items by their places in a list of names that stays with the engine, annotators and answers by their cells."""

    posteriors: LabelPosteriors
    items: Any  # an eager frame with one column: the names of the items, in order
    per_item: IntArray  # (items,) how many answers each has

    @classmethod
    def of(cls, posteriors: LabelPosteriors, total: int) -> CodedAnswers | None:
        """None where the engine is elsewhere, or the answers are too many."""
        scan, item = posteriors.scan, posteriors.item
        cells = len(posteriors.people) * posteriors.number
        if not scan.dialect.gives_batches or total > MOST_CODED or cells >= MOST:
            return None
        found = scan.fetched(posteriors.rows.group_by(item).agg(nw.len().alias("number_")).sort(item))
        number = np.asarray(found.get_column("number_").to_numpy(), dtype=np.int64)
        return cls(posteriors, found.select(item), number)

    @property
    def n_items(self) -> int:
        """How many items have an answer."""
        return len(self.items)

    def _placed(self) -> Any:
        """The names of the items with their places, as a frame of the engine."""
        scan = self.posteriors.scan
        place = nw.new_series(PLACE, np.arange(self.n_items), nw.Int64, backend=self.items.implementation)
        return scan.handed(self.items.with_columns(place))

    def batches(self) -> Iterator[tuple[Codes, Codes]]:
        """Item and cell of every answer, some at a time and in any order."""
        posteriors = self.posteriors
        rows = posteriors.scan.of_frame(posteriors.rows).with_cells(
            posteriors.annotator, posteriors.people, posteriors.label, posteriors.raw_codes, posteriors.number
        )
        placed = rows.frame.join(self._placed(), on=posteriors.item, how="inner")
        small = (nw.col(name).cast(nw.Int32) for name in (PLACE, CELL))
        yield from rows.of_frame(placed.select(*small)).batches(PLACE, CELL)

    def known(self) -> IntArray | None:
        """(items,) the position of the label where it is known, else −1."""
        given = self.posteriors.known
        if not given:
            return None
        posteriors = self.posteriors
        table = posteriors.small_table({posteriors.item: list(given), "known_": list(given.values())})
        found = posteriors.scan.of_frame(self._placed().join(table, on=posteriors.item, how="inner")).integers(
            PLACE, "known_"
        )
        codes = np.full(self.n_items, -1, dtype=np.int64)
        codes[found[PLACE]] = found["known_"]
        return codes

    def labelled(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        """One row per item, as a frame of the engine: its name as `item`, and other columns."""
        table = self.items.select(nw.col(self.posteriors.item).alias("item"))
        for name, cells in columns.items():
            first = next((cell for cell in cells if cell is not None), "")
            kind = KINDS.get(type(first))
            table = table.with_columns(nw.new_series(name, cells, kind, backend=table.implementation))
        return self.posteriors.scan.handed(table)

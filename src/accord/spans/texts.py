"""The texts that spans are marked in, and where their tokens lie, as far as the table tells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import IntArray
from accord.errors import InputError
from accord.study.study import Study

TOKENS = "tokens"  # the column with the places of an item's tokens: "0 4;5 9"


@dataclass(frozen=True, eq=False)
class Texts:
    """A text per item, where one is known, and the start and end of each of its tokens, where the export has them."""

    text: tuple[str | None, ...]
    tokens: tuple[IntArray | None, ...]  # each (T, 2)

    @property
    def lengths(self) -> dict[int, float]:
        """How long each item is, by its position, where that is known."""
        found = {item: float(len(text)) for item, text in enumerate(self.text) if text is not None}
        for item, places in enumerate(self.tokens):
            if places is not None and item not in found:
                found[item] = float(places.max(initial=0))
        return found


def texts_of_documents(study: Study) -> Texts:
    """Texts and tokens of all items of a study of spans.

    A column of texts that says several things of one item, or too little for what was marked in it, holds the marked
    words and not the documents; such items have no text.
    """
    said = _first_of_each(study, study.roles.get("text"))
    tokens = _first_of_each(study, TOKENS if TOKENS in study.columns else None)
    reach = _reach(study)
    text = [cell if cell is not None and len(cell) >= reach[item] else None for item, cell in enumerate(said)]
    return Texts(
        tuple(text), tuple(None if cell is None else _places(cell, study.items[i]) for i, cell in enumerate(tokens))
    )


def _first_of_each(study: Study, column: str | None) -> list[str | None]:
    """What a column says of each item, None where it says nothing or more than one thing."""
    found: list[str | None] = [None] * study._annotations.n_items
    table = study._frame
    if column is None or table is None or column not in table.columns:
        return found
    coded, items = table.code(column, what="text"), table.code(study.roles["item"], what="item")
    place = {name: at for at, name in enumerate(study._annotations.items)}
    item = np.array([*(place.get(name, -1) for name in items.values), -1], dtype=np.int64)[items.codes]
    given = (coded.codes >= 0) & (item >= 0)
    told = np.unique(np.stack((item[given], coded.codes[given])), axis=1)
    once = np.bincount(told[0], minlength=len(found)) == 1
    for at, code in zip(*told.tolist(), strict=True):
        if once[at]:
            found[at] = str(coded.values[code])
    return found


def _reach(study: Study) -> list[float]:
    """How far each item is marked."""
    found = [0.0] * study._annotations.n_items
    item, _, answer, _ = study._annotations.rows
    furthest = [max((place[-1] for place in places), default=0.0) for places in study.answers.places]
    for at, held in zip(item.tolist(), answer.tolist(), strict=True):
        found[at] = max(found[at], furthest[held])
    return found


def _places(cell: str, item: object) -> IntArray:
    """Where tokens lie, of a cell such as "0 4;5 9"."""
    try:
        bounds = np.array(cell.replace(";", " ").split(), dtype=np.int64).reshape(-1, 2)
    except ValueError:
        bounds = np.empty((0, 2), dtype=np.int64)
    if not len(bounds) or (bounds[:, 1] < bounds[:, 0]).any():
        raise InputError(
            f"The column {TOKENS!r} must hold where tokens begin and end, such as '0 4;5 9'; item {item!r} has "
            f"{cell!r}."
        )
    return bounds

"""The texts that spans are marked in, and where their tokens lie, as far as the table tells."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from accord.annotations.arrays import IntArray
from accord.errors import InputError, Place, at_column, at_item, quoted
from accord.study.study import Study

# Several measures ask for the same; it is found once, and goes with its study.
_FOUND: WeakKeyDictionary[Study, Texts] = WeakKeyDictionary()
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

    A column of texts that says several things of one item, or that is too short for most of what was marked, holds the
    marked words and not the documents; then there are no texts. A mark beyond the end of a document is an error.
    """
    if study not in _FOUND:
        _FOUND[study] = _found(study)
    return _FOUND[study]


def _found(study: Study) -> Texts:
    texts = _first_of_each(study, study.roles.get("text"))
    tokens = _first_of_each(study, TOKENS if TOKENS in study.columns else None)
    places = tuple(None if cell is None else _places(cell, study.items[i]) for i, cell in enumerate(tokens))
    reach = _reach(study)
    short = [item for item, cell in enumerate(texts) if cell is not None and len(cell) < reach[item]]
    known = sum(cell is not None for cell in texts)
    if short and 2 * len(short) >= known:
        return Texts((None,) * len(texts), places)
    if short:
        raise _beyond(study, texts[short[0]] or "", short[0], reach[short[0]], len(short))
    return Texts(tuple(texts), places)


def _beyond(study: Study, text: str, item: int, end: float, number: int) -> InputError:
    """The error for marks that lie outside their text."""
    name = study.items[item]
    return InputError(
        "A span of item ",
        at_item(name),
        f" ends at {end:g}, and its text has {len(text):,} characters"
        f"{f' ({number:,} items are such)' if number > 1 else ''}. Was the text changed after it was annotated, or are "
        "places counted in bytes or UTF-16 units? Mend the places, or leave the texts out.",
        place=Place(item=name),
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
    pairs = np.unique(np.stack((item[given], coded.codes[given])), axis=1)
    once = np.bincount(pairs[0], minlength=len(found)) == 1
    for at, code in zip(*pairs.tolist(), strict=True):
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
            "The column ",
            at_column(TOKENS),
            " must hold where tokens begin and end, such as '0 4;5 9'; item ",
            at_item(item),
            " has ",
            quoted(cell),
            ".",
        )
    return bounds

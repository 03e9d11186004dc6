"""The texts of items: from the column that has this role, or from one that plainly holds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from accord.annotations.answers import Label, tidy_label
from accord.annotations.arrays import IntArray
from accord.errors import InputError, LabelError, at_column, remedy
from accord.study.study import Study

SENTENCE = 15  # letters that a text has on average, at least
WORDS = 2.0  # and words
DISTINCT = 0.5  # of items with a text, the share that have one of their own
FEW_CELLS = 5_000  # up to which cells are looked at one by one
MOST_ROWS = 2_000_000  # beyond, a column is not looked at unasked
TELLING = ("text", "headline", "subject", "title", "sentence", "body", "content", "question", "comment", "post")


def text_column(study: Study) -> str | None:
    """The column with the items' texts: the role, or the longest column of prose with one value per item."""
    if "text" in study.roles:
        return study.roles["text"]
    if study._frame is None or study.n_annotations > MOST_ROWS:
        return None
    taken = set(study.roles.values())
    found = {name: length for name in study.columns if name not in taken and (length := _prose(study, name))}
    named = [name for word in TELLING for name in found if name.lower() == word]
    return next(iter(named), max(found, key=lambda name: found[name], default=None))


def refuse_texts_as_names(study: Study) -> None:
    """Where texts are the names of items, nothing that names an item can go without them."""
    column = study.roles.get("item")
    if column is None or column.lower() not in TELLING:
        return
    items = next(iter(study.tasks.values())).items if study.tasks else study.items
    names = [name for name in items[:FEW_CELLS] if isinstance(name, str)]
    if names and np.mean([len(name.split()) for name in names]) >= WORDS:
        raise InputError(
            "Texts cannot be hidden here: the column ",
            at_column(column),
            " holds them, and names the items. Name the items by a column of ids: ",
            remedy(item=...),
            ".",
        )


def _prose(study: Study, name: str) -> float:
    """The mean length of a column's texts, if it holds texts of items; 0 if it holds anything else."""
    try:
        column = study._column(name, "text")
    except LabelError:  # lists or objects, such as a conversation
        return 0.0
    item, annotator = study._annotations.rows[:2]
    used = np.unique(column.codes[column.codes >= 0])  # others may be of people whose answers do not count
    values = [value for code in used if isinstance(value := column.values[code], str)]
    if not values or len(values) < len(used):
        return 0.0
    length = float(np.mean([len(value) for value in values]))
    words = float(np.mean([len(value.split()) for value in values]))
    if length < SENTENCE or words < WORDS:
        return 0.0
    given = column.codes >= 0
    text = np.full(study._annotations.n_items, -1, dtype=np.int64)
    text[item[given]] = column.codes[given]
    if (given & (text[item] != column.codes)).any():  # it says several things of one item: of the answer, not of it
        return 0.0
    of_people = study._annotations.named and _one_to_one(column.codes[given], annotator[given])
    if of_people and name.lower() not in TELLING:
        return 0.0  # people under other names, for all that can be known: nobody's is shown unasked
    known = int((text >= 0).sum())
    return length if len(values) >= DISTINCT * known else 0.0


def _one_to_one(one: IntArray, other: IntArray) -> bool:
    """Has each value of the one always the same of the other, and the other way round?"""
    pairs = np.unique(np.stack([one, other]), axis=1)
    return bool(len(np.unique(one)) == len(np.unique(other)) == pairs.shape[1])


def texts_of(study: Study, column: str, items: Sequence[int]) -> list[str]:
    """The texts of some items, by their positions; the first that the table gives for each.

    Of a few items only their own cells are looked at: coding a whole column of a large table takes seconds.
    """
    found: dict[int, str] = {}
    for item, text in _cells(study, column, np.asarray(items, dtype=np.int64)):
        if text is not None:
            found.setdefault(item, str(text))
    return [found.get(item, "") for item in items]


def _cells(study: Study, column: str, items: IntArray) -> Iterator[tuple[int, Label | None]]:
    """What a column says in each row of some items, in the order of the rows."""
    of = study._annotations.rows[0]
    wanted = np.zeros(study._annotations.n_items, dtype=np.bool_)
    wanted[items] = True
    rows = np.nonzero(wanted[of])[0]
    table = study._frame
    if table is None or len(rows) > FEW_CELLS:
        coded = study._column(column, "text")
        for item, code in zip(of[rows].tolist(), coded.codes[rows].tolist(), strict=True):
            yield item, None if code < 0 else coded.values[code]
        return
    name = table.need("text", column)
    for item, row in zip(of[rows].tolist(), study._rows_behind[rows].tolist(), strict=True):
        yield item, tidy_label(table.cell(name, row), "text")

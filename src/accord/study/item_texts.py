"""The texts of items: from the column that has this role, or from one that plainly holds them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.study.study import Study

SENTENCE = 15  # letters that a text has on average, at least
WORDS = 2.0  # and words
DISTINCT = 0.5  # of items with a text, the share that have one of their own
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


def _prose(study: Study, name: str) -> float:
    """The mean length of a column's texts, if it holds texts of items; 0 if it holds anything else."""
    column = study._column(name, "text")
    values = [value for value in column.values if isinstance(value, str)]
    if not values or len(values) < len(column.values):
        return 0.0
    length = float(np.mean([len(value) for value in values]))
    words = float(np.mean([len(value.split()) for value in values]))
    if length < SENTENCE or words < WORDS:
        return 0.0
    item, given = study._annotations.rows[0], column.codes >= 0
    text = np.full(study.n_items, -1, dtype=np.int64)
    text[item[given]] = column.codes[given]
    if (given & (text[item] != column.codes)).any():  # it says several things of one item: of the answer, not of it
        return 0.0
    known = int((text >= 0).sum())
    return length if len(values) >= DISTINCT * known else 0.0


def texts_of(study: Study, column: str, items: Sequence[int]) -> list[str]:
    """The texts of some items, by their positions; the first that the table gives for each."""
    coded = study._column(column, "text")
    of = study._annotations.rows[0]
    present = np.nonzero(np.isin(of, np.asarray(items, dtype=np.int64)) & (coded.codes >= 0))[0]
    found: dict[int, str] = {}
    for row in present.tolist():
        found.setdefault(int(of[row]), str(coded.values[coded.codes[row]]))
    return [found.get(item, "") for item in items]

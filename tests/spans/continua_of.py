"""Short ways to continua, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import accord
from accord.spans.continuum import Continuum
from accord.spans.stacked_continua import Continua
from tests.oracles.alignment import Unit

NOTHING: list[Any] = [(None, None, None)]


def one_document(marks: Mapping[str, Sequence[Unit]], length: float | None = None) -> Continua:
    """A single continuum."""
    return Continua.of(Continuum.of_marks([marks], length), [0])


def study_of(*documents: Mapping[str, Sequence[Unit]], length: float | None = None) -> accord.Study:
    """A study of spans; who marked nothing has a row without a place."""
    rows = [
        {"doc": f"d{place}", "who": name, "start": start, "end": end, "tag": label}
        for place, marks in enumerate(documents)
        for name, held in marks.items()
        for start, end, label in held or NOTHING
    ]
    columns = {name: [row[name] for row in rows] for name in ("doc", "who", "start", "end", "tag")}
    return accord.Study(columns, item="doc", annotator="who", label="tag", start="start", end="end")

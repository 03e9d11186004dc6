"""The guideline's open points: the items at which somebody found it unclear, and what they said."""

from __future__ import annotations

from typing import Any

from accord.agreement.table import Table
from accord.workbench.bench import Bench
from accord.workbench.written_answers import read_back


def open_points(bench: Bench) -> Table:
    """One row for each time that somebody found the guideline unclear, the latest first."""
    rows = [row for row in bench.log.unclear() if row.item is not None]
    places = [bench.view.place(row.item or "") for row in rows]
    words = bench.form.words
    columns: dict[str, Any] = {
        "item": [read_back(row.item) for row in rows],
        "text": ["" if place is None else bench.view.text(place) for place in places],
        "decided_as": [words(read_back(row.after)) for row in rows],
        "comment": [row.comment for row in rows],
        "reason": [row.reason for row in rows],
        "by": [row.by for row in rows],
        "at": [row.at for row in rows],
        "guideline_version": [row.guideline_version for row in rows],
    }
    return Table("Open points of the guideline", columns)

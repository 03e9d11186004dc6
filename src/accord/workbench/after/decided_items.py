"""Every item that people decided, with what was said of it: what the reports of the adjudication are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.annotations.answers import Label
from accord.workbench.bench import Bench
from accord.workbench.decision_log import LoggedRow
from accord.workbench.written_answers import read_back


@dataclass(frozen=True)
class DecidedItem:
    """One item that a person decided."""

    place: int
    key: str
    item: Label
    answer: Any  # as JSON has it
    majority: Any  # None where no answer led
    row: LoggedRow


def decided_items(bench: Bench) -> list[DecidedItem]:
    """Every item that stands as a person decided, the first decided first."""
    rows = {row.number: row for row in bench.log.of_people("decide")}
    found = [
        DecidedItem(
            place,
            bench.view.key(place),
            bench.study.items[place],
            read_back(stands.answer),
            bench.form.plain(bench.view.majority(place)),
            rows[stands.number],
        )
        for place, stands in bench.stand().items()
    ]
    return sorted(found, key=lambda one: one.row.number)

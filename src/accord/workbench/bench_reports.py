"""The live reports of a bench: with annotators' names and without, made anew when the study changes."""

from __future__ import annotations

from threading import Lock

import numpy as np

from accord.annotations.arrays import BoolArray
from accord.reporting.item_query import ItemQuery
from accord.workbench.bench import Bench
from accord.workbench.item_list import Outcome
from accord.workbench.item_states import ACCEPTED, DECIDED, OPEN
from accord.workbench.live_report import LiveReport, unnamed
from accord.workbench.templating import answer_text
from accord.workbench.written_answers import read_back

STATE = {"open": OPEN, "decided": DECIDED, "accepted": ACCEPTED}
NAMES = ("names", "yes")  # what an address says where annotators are to have their names


class BenchReports:
    """The reports of a bench's study."""

    def __init__(self, bench: Bench, title: str) -> None:
        self._bench = bench
        self._title = title
        self._lock = Lock()
        self._made: dict[bool, LiveReport] = {}

    def of(self, *, named: bool) -> LiveReport:
        """The report of the study as it is now."""
        with self._lock:
            study = self._bench.study
            if named not in self._made or self._made[named].source is not study:
                shown = study if named else unnamed(study)
                more = f"&{'='.join(NAMES)}" if named else ""

                def address(query: ItemQuery) -> str:
                    return f"/items?{query.address}{more}"

                self._made[named] = LiveReport(
                    shown, address, title=self._title, named=named, states=self._state, source=study
                )
            return self._made[named]

    def _state(self, word: str) -> BoolArray:
        return np.asarray(self._bench.standing.state == STATE[word])

    def outcome(self, name: str) -> Outcome:
        """What came of an item: a decision that stands, else what the gold says.

        Of what somebody should decide again blindly, they are told nothing.
        """
        bench = self._bench

        def outcome(place: int) -> tuple[str, str]:
            if bench.second_looks.wants(place, name):
                return "", "somebody decided it; it waits for your second look"
            stands = bench.standing.of(place)
            if stands is not None:
                how = "accepted by a rule" if stands.by_rule else f"decided by {stands.by}"
                return answer_text(read_back(stands.answer), bench.form), how
            label = bench.gold.labels[place]
            if label is None:
                return "", f"undecided: {bench.gold.reason(bench.study.items[place])}"
            sure = bench.gold.confidence[place]
            how = bench.gold.title if np.isnan(sure) else f"{bench.gold.title}, {sure:.0%}"
            return answer_text(label, bench.form), how

        return outcome

"""Accepting by a rule, and taking it back: a row for every item, some thousand at a time."""

from __future__ import annotations

from dataclasses import dataclass
from threading import RLock
from typing import Literal

import numpy as np

from accord.annotations.arrays import IntArray
from accord.workbench.bench_state import BenchState
from accord.workbench.decision_log import DecisionLog, NewRow, now
from accord.workbench.item_states import ACCEPTED, OPEN
from accord.workbench.people import Person
from accord.workbench.rules import Rule
from accord.workbench.written_answers import written

MOST_AT_ONCE = 5_000  # rows in one go: nobody waits longer for them than for a few decisions


def fitting(state: BenchState, rule: Rule) -> tuple[IntArray, IntArray]:
    """The open items that a rule accepts, and the answer (its position) of each."""
    leading = rule.leading(state.gold)
    places = np.nonzero((leading >= 0) & (state.standing.state == OPEN))[0]
    return places, leading[places]


@dataclass(eq=False)
class Accepting:
    """One act of the lead over many items."""

    state: BenchState
    log: DecisionLog
    lock: RLock  # of the bench
    by: Person
    key: str

    def accept(self, rule: Rule) -> int:
        """A row for every open item that the rule fits and that nobody is deciding. Returns how many."""
        places, answers = fitting(self.state, rule)
        texts = {code: written(self.state.form.given(code)) for code in np.unique(answers).tolist()}
        given = np.array([self.state.standing.answers.code(texts[code]) for code in answers.tolist()], dtype=np.int64)
        return sum(self._accept(places[some], given[some], rule.words) for some in _batches(len(places)))

    def _accept(self, places: IntArray, given: IntArray, words: str) -> int:
        standing, claims = self.state.standing, self.state.claims
        free = claims.take_free(places.tolist(), self.by.name)
        try:
            with self.lock:
                kept = np.isin(places, free) & (standing.state[places] == OPEN)
                places, given = places[kept], given[kept]
                texts = [standing.answers.texts[code] for code in given.tolist()]
                rows = [
                    self._row(place, "accept", words, after=text)
                    for place, text in zip(places.tolist(), texts, strict=True)
                ]
                numbers = self.log.append_many(rows)
                standing.accept(places, numbers, given, self.by.name, words)
                self._seen(numbers)
        finally:
            claims.release(self.by.name, *free)
        return len(places)

    def take_back(self, words: str) -> int:
        """A row for every item that still stands by a rule. Returns how many are open again."""
        standing = self.state.standing
        if words not in standing.accepted_by():
            return 0
        fits = (standing.state == ACCEPTED) & (standing.rule == standing.rules.code(words))
        places = np.nonzero(fits)[0]
        return sum(self._take_back(places[some], words) for some in _batches(len(places)))

    def _take_back(self, places: IntArray, words: str) -> int:
        standing = self.state.standing
        with self.lock:
            still = places[standing.state[places] == ACCEPTED]
            rows = [
                self._row(place, "undo", words, undoes=number)
                for place, number in zip(still.tolist(), standing.number[still].tolist(), strict=True)
            ]
            self._seen(self.log.append_many(rows))
            standing.take_back(still)
            self.state.queue.from_the_start()
            return len(still)

    def _row(
        self,
        place: int,
        act: Literal["accept", "undo"],
        words: str,
        after: str | None = None,
        undoes: int | None = None,
    ) -> NewRow:
        item, before = self.state.view.key(place), self.state.standing.of(place)
        return NewRow(
            key=f"{self.key}:{item}",
            at=now(),
            by=self.by.name,
            item=item,
            act=act,
            before=None if before is None else before.answer,
            after=after,
            rule=words,
            undoes=undoes,
            study_version=self.state.mark.version,
            guideline_version=self.state.guideline_version,
        )

    def _seen(self, numbers: range) -> None:
        self.state.last_number = max(self.state.last_number, numbers.stop - 1)


def _batches(number: int) -> list[slice]:
    """Some thousand at a time."""
    return [slice(start, start + MOST_AT_ONCE) for start in range(0, number, MOST_AT_ONCE)]

"""One version of the study at the bench, and the state of its items after all rows of the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray
from accord.consensus.gold import Gold
from accord.workbench.bench_options import REASONS, BenchOptions
from accord.workbench.claims import Claims
from accord.workbench.decision_log import Act, DecisionLog, LoggedRow, StateOfRow
from accord.workbench.item_states import DECIDED, ItemStates
from accord.workbench.item_view import ItemView
from accord.workbench.likeness import SimilarItems
from accord.workbench.queue import Queue
from accord.workbench.queue_order import BY_WORTH, OrderBy, worth
from accord.workbench.same_study import StudyMark, refuse_other_study
from accord.workbench.second_look import SecondLooks
from accord.workbench.written_answers import AnswerForm, read_back


@dataclass(eq=False)
class BenchState:
    """What is known of the items of one version of a study. It changes under the lock of its bench."""

    gold: Gold
    view: ItemView
    form: AnswerForm
    mark: StudyMark
    standing: ItemStates
    second_looks: SecondLooks
    queue: Queue
    likeness: SimilarItems
    claims: Claims = field(default_factory=Claims)
    reasons: tuple[str, ...] = REASONS
    guideline_version: str = ""
    set_by: dict[Act, int] = field(default_factory=dict)  # the row that says what holds for all items
    unknown_rows: int = 0  # rows of the log about items that the study does not have
    last_number: int = 0  # of the log

    @classmethod
    def prepared(cls, gold: Gold, options: BenchOptions) -> BenchState:
        """The state before the first decision."""
        study = gold.study
        view, standing, claims = ItemView(gold, show_names=options.show_names), ItemStates(len(study.items)), Claims()
        view.look_up_once()
        second_looks = SecondLooks(standing, view.key, options.seed, options.second_look)
        state = cls(
            gold,
            view,
            AnswerForm.of(study),
            StudyMark.of(study),
            standing,
            second_looks,
            Queue(standing, claims, second_looks),
            SimilarItems(view, standing),
            claims,
        )
        state.rank(worth(gold, options.order, options.seed, options.costs), options.order)
        return state

    def rank(self, value: FloatArray, order: OrderBy) -> None:
        """Put the queue in an order: what was answered alike waits, unless the order is the file's or random."""
        self.queue.rank(value, self.contested if order in BY_WORTH else None)

    def replay(self, log: DecisionLog) -> None:
        """Every row of the log, those aside that were undone.

        Raises:
            FileError: If it is the log of another study.
        """
        strange: list[str] = []
        opened: list[Any] = []
        self.last_number = log.last_number()
        for row in log.marks():
            if row.item is None:
                opened += [read_back(row.after)] if row.act == "open" else []
                self.set(row)
                continue
            place = self.view.place(row.item)
            if place is None:
                strange.append(row.item)
            else:
                self.standing.apply(place, row)
        self.unknown_rows = len(strange)
        refuse_other_study(log.path, self.mark, self.view, opened, strange, bool(self.standing.number.any()))
        for place in np.nonzero(self.standing.state == DECIDED)[0].tolist():
            self.second_looks.update(place)

    def set(self, row: LoggedRow | StateOfRow) -> None:
        """What holds for all items from a row on; one that is sent again changes nothing that was set since."""
        if row.number < self.set_by.get(row.act, 0):
            return
        self.set_by[row.act] = row.number
        if row.act == "reasons":
            self.reasons = tuple(read_back(row.after))
        elif row.act == "guideline":
            self.guideline_version = read_back(row.after)

    def claims_of(self, before: BenchState) -> None:
        """Who was deciding an item of the version before is deciding it still."""
        for place, name in before.claims.held().items():
            now = self.view.place(before.view.key(place))
            if now is not None:
                self.claims.take(now, name)

    @cached_property
    def contested(self) -> BoolArray:
        """(items,): do the answers differ, or is there no label?"""
        several = np.append(np.diff(self.gold.study.tally().starts) > 1, True)
        return np.asarray(several[self.view.pattern] | ~self.gold.decided)

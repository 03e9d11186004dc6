"""One item of a study looked up quickly: its answers, text, posterior and what its labels are confused with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.preference_words import FIRST, SECOND
from accord.consensus.gold import Gold
from accord.study.item_texts import TELLING, text_column
from accord.study.roles import COMPARED
from accord.study.shapes.compared import options_of
from accord.workbench.screens import GivenAnswer, LabelChance, LabelOverlap
from accord.workbench.written_answers import read_back, written

IMAGES = ("image", "image_url", "img", "picture", "photo")  # what columns with pictures are called


class ItemView:
    """The items of a gold, one at a time."""

    def __init__(self, gold: Gold, *, show_names: bool = False) -> None:
        self.gold = gold
        self.study = gold.study
        self.show_names = show_names
        self._texts = text_column(self.study) or self._column_called(TELLING)
        self._images = self._column_called(IMAGES)
        self._overlap: dict[tuple[int, int], tuple[int, int]] = {}  # of two labels, how many items have both and either

    def look_up_once(self) -> None:
        """Make what every look-up needs: of a million items it takes seconds, and nobody should wait on a page."""
        if not len(self.gold):
            return
        self.annotations(0)
        self.chances(0)
        _ = (self.places, self.pattern, self.gold.labels, self.gold.decided)

    def _column_called(self, names: tuple[str, ...]) -> str | None:
        taken = {name for role, name in self.study.roles.items() if role != "text"}
        return next(
            (one for name in names for one in self.study.columns if one.lower() == name and one not in taken), None
        )

    @cached_property
    def task(self) -> str:
        """What the question is called, where the data say so; empty where they do not."""
        column = self.study.roles.get("task") or self._column_called(("task",))
        if column is None or self.study._frame is None or not len(self.study._rows_behind):
            return ""
        return str(self.study._frame.cell(column, int(self.study._rows_behind[0])) or "")

    @cached_property
    def places(self) -> dict[Label, int]:
        """Where each item stands."""
        return {item: place for place, item in enumerate(self.study.items)}

    def place(self, key: str) -> int | None:
        """Where the item of a key stands; None where the study has no such item."""
        try:
            item = read_back(key)
        except ValueError:
            return None
        return None if isinstance(item, list | dict) or item is None else self.places.get(item)

    def key(self, place: int) -> str:
        """What the log and addresses call an item."""
        return written(self.study.items[place])

    @cached_property
    def _by_item(self) -> tuple[IntArray | None, IntArray]:
        """The annotations in order of their items (None where they are), and where each item's begin."""
        item = self.study._annotations.rows[0]
        order = None if (item[1:] >= item[:-1]).all() else np.argsort(item, kind="stable")
        places = np.arange(self.study._annotations.n_items + 1)
        return order, np.searchsorted(item if order is None else item[order], places)

    def annotations(self, place: int) -> IntArray:
        """The annotations of an item, by their positions."""
        order, starts = self._by_item
        start, end = int(starts[place]), int(starts[place + 1])
        return np.arange(start, end) if order is None else order[start:end]

    def options(self, place: int) -> tuple[Label, ...]:
        """What can be chosen: the scale; of rankings, what somebody ranked on the item."""
        if self.study.kind != "ranking":
            return self.study.labels
        answer = self.study._annotations.rows[2][self.annotations(place)]
        held = {label for code in answer.tolist() for label in self.study.answers.members[code]}
        return tuple(self.study.labels[label] for label in sorted(held))

    def compared(self, place: int) -> dict[Label, str]:
        """Of preferences, which option each side stands for on an item; empty of other answers.

        Empty too where nobody who counts compared them: models alone did.
        """
        rows = self.annotations(place)
        if not self.study.compares or not len(rows):
            return {}
        options, first, second = self._sides
        row, backwards = int(rows[0]), self.study._annotations.to_memory().backwards
        assert backwards is not None  # preferences have it
        in_order = sorted((int(first[row]), int(second[row])), reverse=bool(backwards[place]))
        return dict(zip((FIRST, SECOND), (options[one] for one in in_order), strict=True))

    @cached_property
    def _sides(self) -> tuple[tuple[str, ...], IntArray, IntArray]:
        return options_of([self.study._column(self.study.roles[role], role) for role in COMPARED])

    def answers(self, place: int, *, names: bool = False) -> tuple[GivenAnswer, ...]:
        """Who said what of an item."""
        _, annotator, answer, count = self.study._annotations.rows
        return tuple(
            GivenAnswer(
                self._who(int(annotator[row]), names=names or self.show_names),
                self.study.answers.value(int(answer[row])),
                int(count[row]),
            )
            for row in self.annotations(place).tolist()
        )

    def _who(self, annotator: int, *, names: bool) -> str:
        if annotator < 0:
            return ""
        return self.study.annotators[annotator] if names else f"annotator {annotator + 1}"

    def text(self, place: int) -> str:
        """The text of an item; empty where there is none. Of marked texts the whole, not what is marked."""
        if self.study.kind == "spans":
            return self._documents[place] or ""
        return self._cell(self._texts, place)

    @cached_property
    def _documents(self) -> Sequence[str | None]:
        from accord.spans.texts import texts_of_documents  # with all that spans need

        return texts_of_documents(self.study).text

    def image(self, place: int) -> str:
        """The picture of an item, as the data name it."""
        return self._cell(self._images, place)

    def _cell(self, column: str | None, place: int) -> str:
        table = self.study._frame
        if column is None or table is None:
            return ""
        behind = self.study._rows_behind
        for row in self.annotations(place).tolist():
            cell = table.cell(column, int(behind[row]))
            if isinstance(cell, str) and cell.strip():
                return cell
        return ""

    def chances(self, place: int) -> tuple[LabelChance, ...]:
        """Every label that somebody gave or that is not unlikely, the likeliest first."""
        labels = self.study.labels
        if not labels or not self.gold.outcomes:
            return ()
        _, _, answer, count = self.study._annotations.rows
        rows = self.annotations(place)
        votes = count[rows] @ self.study.answers.membership[answer[rows]]
        model = self.gold.confidence_is == "posterior"
        soft = self.posterior(place)
        order = np.lexsort((np.arange(len(labels)), -votes, -np.nan_to_num(soft)))
        return tuple(
            LabelChance(labels[label], int(votes[label]), float(soft[label]) if model else None)
            for label in order.tolist()
            if votes[label] or soft[label] >= 0.005
        )

    def posterior(self, place: int) -> FloatArray:
        """(labels,): the soft labels of one item, as if nobody had decided it."""
        soft = [
            replace(one.evidence, known=None).soft(one.ballots, place, place + 1)[0][0] for one in self.gold.outcomes
        ]
        return self.gold._of_kind.of_labels(soft)

    def majority(self, place: int) -> Any:
        """The answer that more annotators gave than any other; None where several lead. Scores: the median."""
        rows = self.annotations(place)
        return self.gold._majority(place, rows) if len(rows) else None

    def confused(self, chances: tuple[LabelChance, ...]) -> LabelOverlap | None:
        """How often the two leading labels meet; None where there is one only."""
        if len(chances) < 2 or self.study.kind != "single":
            return None
        one, other = (self.study.labels.index(chance.label) for chance in chances[:2])
        both, either = self._in_common(min(one, other), max(one, other))
        return LabelOverlap(chances[0].label, chances[1].label, both, either)

    def _in_common(self, one: int, other: int) -> tuple[int, int]:
        """Items with both labels, and of those with several answers the items with either."""
        if (one, other) not in self._overlap:
            tally = self.study.tally()
            has = [
                np.bincount(tally.pattern[tally.answer == label], minlength=len(tally)) > 0 for label in (one, other)
            ]
            either = (has[0] | has[1]) & (tally.answered >= 2)
            self._overlap[one, other] = int(tally.units[has[0] & has[1]].sum()), int(tally.units[either].sum())
        return self._overlap[one, other]

    @cached_property
    def pattern(self) -> IntArray:
        """(items,): which items were answered alike; −1 where nobody answered."""
        tally = self.study.tally()
        assert tally.locate is not None
        return tally.locate()

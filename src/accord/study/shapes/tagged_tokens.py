"""Tables of tagged tokens: one row per token and annotator, with a BIO tag as the label. They are spans of tokens.

An item's spans are counted in tokens. Who tagged every token O has marked nothing, which is an answer. What spans do
not tell again (tokens that somebody left out, tags that go on where nothing was begun) stays in the column
`token_tags`, as a list in JSON, so that whoever decides token by token has every tag as it was given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.arrays import IntArray
from accord.annotations.bio_tags import OUTSIDE, TAG, plain_tag, tags_of, units_of
from accord.annotations.factorize import Coded
from accord.errors import DuplicateAnswers, InputError, Keyword, LabelError, Place, at_item, at_row, counted, quoted

if TYPE_CHECKING:
    from accord.engine.frames import Frame

TOKEN_TAGS = "token_tags"
TOKENS = "tokens"
SPAN_ROLES = ("item", "annotator", "label", "start", "end")


def are_tags(cells: Sequence[Any]) -> bool:
    """Are labels BIO tags, and not all O?"""
    tags = {str(cell) for cell in cells if cell is not None}
    return bool(tags - {OUTSIDE}) and all(TAG.fullmatch(tag) for tag in tags)


class TaggedTokens:
    """Reads a table of tagged tokens into one of spans."""

    def __init__(self, frame: Frame, roles: Mapping[str, str]) -> None:
        self.frame, self.roles = frame, roles
        self.item = frame.code(roles["item"], what="item")
        self.annotator = frame.code(roles["annotator"], what="annotator")
        self.token = self._positions()
        self.tags = [None if tag is None else str(tag) for tag in frame.cells(roles["label"])]
        self._check_tags()
        self.first, self.last = self._reach()
        self.stray = self.unanswered = 0

    def spans(self) -> tuple[Frame, dict[str, str], tuple[str, ...]]:
        """The table of spans, its roles, and what should be known of it."""
        from accord.engine.frames import Columns

        others = [name for name in self.frame.columns if name not in self._replaced()]
        kept = {name: self.frame.cells(name) for name in others}
        rows: dict[str, list[Any]] = {name: [] for name in (*SPAN_ROLES, TOKENS, TOKEN_TAGS, *others)}
        seen: set[int] = set()
        for places in self._groups():
            item = int(self.item.codes[places[0]])
            for span in self._marked(places):
                cells = {**span, "item": self.item.values[item], TOKENS: None if item in seen else self._tokens(item)}
                cells["annotator"] = self.annotator.values[int(self.annotator.codes[places[0]])]
                cells |= {name: kept[name][places[0]] for name in others}
                seen.add(item)
                for name, column in rows.items():
                    column.append(cells.get(name))
        if not any(rows[TOKEN_TAGS]):
            del rows[TOKEN_TAGS]
        roles = {role: name for role, name in self.roles.items() if role != "token"} | {r: r for r in SPAN_ROLES}
        return Columns(rows), roles, self._notes()

    def _replaced(self) -> set[str]:
        return {
            *(self.roles[role] for role in ("item", "annotator", "label", "token")),
            *SPAN_ROLES,
            TOKENS,
            TOKEN_TAGS,
        }

    def _positions(self) -> IntArray:
        numbers = self.frame.numbers(self.roles["token"])
        odd = np.nonzero(~(np.isfinite(numbers) & (numbers == np.floor(numbers)) & (numbers >= 0)))[0]
        if len(odd):
            raise InputError(
                Keyword("token", self.roles["token"]),
                " must hold where a token stands in its item, a whole number from 0; ",
                at_row(odd[0]),
                " has ",
                quoted(self.frame.cell(self.roles["token"], int(odd[0]))),
                ". Mend it.",
            )
        return numbers.astype(np.int64)

    def _check_tags(self) -> None:
        odd = next((row for row, tag in enumerate(self.tags) if tag is not None and not TAG.fullmatch(tag)), None)
        if odd is not None:
            raise LabelError(
                "The labels of tokens must be tags such as B-PER, I-PER and O; ",
                at_row(odd),
                " has ",
                quoted(self.tags[odd]),
                ". If every token is an item of its own, leave ",
                Keyword("token"),
                " out.",
            )

    def _reach(self) -> tuple[IntArray, IntArray]:
        """The first token of each item and the one after its last, whoever answered them."""
        first = np.full(len(self.item.values), np.iinfo(np.int64).max)
        last = np.zeros(len(self.item.values), dtype=np.int64)
        present = self.item.codes >= 0
        np.minimum.at(first, self.item.codes[present], self.token[present])
        np.maximum.at(last, self.item.codes[present], self.token[present] + 1)
        return first, last

    def _groups(self) -> list[list[int]]:
        """The rows of each item and annotator, by token."""
        rows = np.nonzero((self.item.codes >= 0) & (self.annotator.codes >= 0))[0]
        order = rows[np.lexsort((self.token[rows], self.annotator.codes[rows], self.item.codes[rows]))]
        keys = np.stack((self.item.codes[order], self.annotator.codes[order], self.token[order]))
        changes = (keys[:, 1:] != keys[:, :-1]).T
        self._refuse_twice(order, changes)
        begins = np.nonzero(changes[:, :2].any(axis=1))[0] + 1
        return [part.tolist() for part in np.split(order, begins) if len(part)]

    def _refuse_twice(self, order: IntArray, changes: Any) -> None:
        again = np.nonzero(~changes.any(axis=1))[0]
        if not len(again):
            return
        row = int(order[again[0] + 1])
        item, who = (_named(coded, row) for coded in (self.item, self.annotator))
        raise DuplicateAnswers(
            "Annotator ",
            quoted(who),
            f" tagged token {int(self.token[row])} of item ",
            at_item(item),
            f" more than once ({counted(len(again), 'repeats')} in the table). Keep one tag for each.",
            place=Place(item=item, annotator=who),
        )

    def _marked(self, places: list[int]) -> list[dict[str, Any]]:
        """The spans of one annotator in one item, or one row that marks nothing."""
        item = int(self.item.codes[places[0]])
        first, length = int(self.first[item]), int(self.last[item] - self.first[item])
        tags: list[str | None] = [None] * length
        for row in places:
            tags[int(self.token[row]) - first] = plain_tag(self.tags[row])
        if all(tag is None for tag in tags):
            return []
        found = units_of([self.tags[row] for row in places] if len(places) == length else tags)
        self.stray += found.stray
        self.unanswered += tags.count(None)
        spans: list[dict[str, Any]] = [
            {"start": first + start, "end": first + end, "label": label} for start, end, label in found.spans
        ] or [{}]
        if tags_of(found.spans, length) != tags:
            spans[0][TOKEN_TAGS] = json.dumps(tags, ensure_ascii=False)
        return spans

    def _tokens(self, item: int) -> str:
        return ";".join(f"{place} {place + 1}" for place in range(int(self.first[item]), int(self.last[item])))

    def _notes(self) -> tuple[str, ...]:
        notes = ["tags of tokens were read as spans, whose places count tokens"]
        if self.stray:
            tags = "tag that goes" if self.stray == 1 else "tags that go"
            notes.append(f"{self.stray:,} {tags} on (I-) where nothing of that label was begun: it begins a span there")
        if self.unanswered:
            tokens = "token has" if self.unanswered == 1 else "tokens have"
            notes.append(f"{self.unanswered:,} {tokens} no tag of somebody who tagged others of the item")
        return tuple(notes)


def _named(coded: Coded, row: int) -> Any:
    return coded.values[int(coded.codes[row])]

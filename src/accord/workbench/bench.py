"""The bench: a study, its gold, its log of decisions, and everything that pages ask and do, without HTTP."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any, Self

import numpy as np

from accord.annotations.arrays import IntArray
from accord.consensus.decide import gold as gold_of
from accord.consensus.gold import Gold
from accord.errors import DecisionError, FileError, InputError, listing, remedy
from accord.study.study import Study
from accord.workbench.claims import Claims
from accord.workbench.decision_log import Act, DecisionLog, LoggedRow, NewRow, now
from accord.workbench.file_holder import Holder
from accord.workbench.item_view import ItemView
from accord.workbench.people import Person
from accord.workbench.queue_order import OrderBy, check_order, in_order, worth
from accord.workbench.screens import ItemScreen, SimilarItem
from accord.workbench.standing import ACCEPTED, DECIDED, OPEN, Standing
from accord.workbench.written_answers import AnswerForm, read_back, written

SECOND_LOOK = 0.1  # of decided items, the share that a second adjudicator decides too
UNDOABLE: tuple[Act, ...] = ("decide", "skip", "comment")
REASONS = (
    "the guideline settles it",
    "a slip of the minority",
    "context outside the text",
    "the item has two readings",
    "the item is broken",
)
MOST_SIMILAR = 5


@dataclass(frozen=True)
class Note:
    """What may be said beside a decision."""

    reason: str = ""
    comment: str = ""
    unclear: bool = False  # the guideline is unclear here: an open point
    seconds: float | None = None  # between showing the item and the decision


NOTHING_SAID = Note()


@dataclass(frozen=True)
class PersonProgress:
    """How far one person is."""

    name: str
    decided: int
    skipped: int
    deciding: int  # items that they have open now


@dataclass(frozen=True)
class Progress:
    """How far everybody is."""

    items: int
    contested: int  # answers differ, or there is no label
    decided: int  # by people
    accepted: int  # by a rule
    contested_left: int
    second_looks: int
    people: tuple[PersonProgress, ...]
    last_number: int  # of the log: what changed since is what came after


class Bench:
    """The workbench of one study. Every method may be called by many threads at once."""

    def __init__(
        self, gold: Gold, log: DecisionLog, *, order: OrderBy = "value", seed: int = 0, show_names: bool = False
    ) -> None:
        check_order(order)
        self.gold = gold
        self.study = gold.study
        self.log = log
        self.order_by = order
        self.seed = seed
        self.claims = Claims()
        self.view = ItemView(gold, show_names=show_names)
        self.form = AnswerForm(self.study)
        self.standing = Standing(len(self.study.items))
        self.reasons: tuple[str, ...] = REASONS
        self.guideline_version = ""
        self.study_version = fingerprint(self.study)
        self.unknown_items = 0  # rows of the log about items that the study does not have
        self.last_number = 0
        self._lock = RLock()
        self._rank(worth(gold, order, seed))
        self._replay()
        self._say_open()

    @classmethod
    def open(
        cls,
        study: Study,
        path: str | Path,
        *,
        gold: Gold | None = None,
        order: OrderBy = "value",
        seed: int = 0,
        show_names: bool = False,
        holder: Holder | None = None,
    ) -> Self:
        """The bench of a study and its file of decisions, which is begun where it is not there yet."""
        found = gold_of(study._in_memory) if gold is None else gold
        log = DecisionLog.open(path, holder)
        try:
            return cls(found, log, order=order, seed=seed, show_names=show_names)
        except BaseException:
            log.close()
            raise

    def close(self) -> None:
        """Let the file go."""
        self.log.close()

    # -- the log read back -----------------------------------------------------------------------------------------

    def _replay(self) -> None:
        """Every row of the log, those aside that were undone."""
        rows = list(self.log.after())
        undone = {row.undoes for row in rows}
        names: list[str] = []
        known = 0
        for row in rows:
            self.last_number = row.number
            if row.number in undone:
                continue
            if row.item is None:
                self._set(row)
                continue
            place = self.view.place(row.item)
            if place is None:
                self.unknown_items += 1
                names.append(row.item)
            else:
                known += 1
                self.standing.apply(place, row)
        if names and not known:
            raise _other_study(self.log.path, names, [self.view.key(place) for place in range(min(3, len(self.gold)))])

    def _set(self, row: LoggedRow) -> None:
        """What holds for all items from a row on."""
        if row.act == "reasons":
            self.reasons = tuple(read_back(row.after))
        elif row.act == "guideline":
            self.guideline_version = read_back(row.after)

    def _say_open(self) -> None:
        told = {"kind": self.study.kind, "labels": list(self.study.labels), "items": len(self.gold)}
        self._append(None, "open", Person("accord", "lead"), secrets.token_hex(16), after=told)

    def _append(
        self,
        place: int | None,
        act: Act,
        by: Person,
        key: str,
        *,
        after: Any = None,
        note: Note = NOTHING_SAID,
        **more: Any,
    ) -> LoggedRow:
        before = None if place is None else self.standing.of(place)
        return self.log.append(
            NewRow(
                key=key,
                at=now(),
                by=by.name,
                item=None if place is None else self.view.key(place),
                act=act,
                before=None if before is None else before.answer,
                after=None if after is None else written(after),
                reason=note.reason,
                comment=note.comment,
                unclear=note.unclear,
                seconds=note.seconds,
                study_version=self.study_version,
                guideline_version=self.guideline_version,
                **more,
            )
        )

    # -- the queue -------------------------------------------------------------------------------------------------

    def _rank(self, value: np.ndarray[Any, Any]) -> None:
        self.value = value
        self.order: IntArray = in_order(value)
        self._position = np.empty(len(self.order), dtype=np.int64)
        self._position[self.order] = np.arange(len(self.order))
        self._first_open = 0

    def next_item(self, by: Person) -> int | None:
        """The item that somebody should decide next, which is theirs for a while; None where nothing is left."""
        by.must_decide()
        with self._lock:
            second = self._next_second_look(by)
            if second is not None:
                return second
            while self._first_open < len(self.order) and self.standing.state[self.order[self._first_open]] != OPEN:
                self._first_open += 1
            skipped = self.standing.skipped.get(by.name, set())
            for place in self.order[self._first_open :]:
                if (
                    self.standing.state[place] == OPEN
                    and int(place) not in skipped
                    and self.claims.take(int(place), by.name)
                ):
                    return int(place)
            for place in sorted(skipped, key=lambda one: int(self._position[one])):
                if self.standing.state[place] == OPEN and self.claims.take(place, by.name):
                    return place
            return None

    def _next_second_look(self, by: Person) -> int | None:
        for place in list(self._awaiting):
            if self.wants_second_look(place, by) and self.claims.take(place, by.name):
                return place
        return None

    @property
    def _awaiting(self) -> list[int]:
        decided = np.nonzero(self.standing.state == DECIDED)[0]
        return [int(place) for place in decided if int(place) not in self.standing.second and self._drawn(int(place))]

    def _drawn(self, place: int) -> bool:
        """Is the item among the random tenth? The same ones for the same seed, whoever asks and whenever."""
        digest = hashlib.blake2b(f"{self.seed}:{self.view.key(place)}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") < SECOND_LOOK * 2**64

    def wants_second_look(self, place: int, by: Person) -> bool:
        """Did another person decide an item that two are to decide?"""
        stands = self.standing.of(place)
        return (
            stands is not None
            and not stands.by_rule
            and stands.by != by.name
            and place not in self.standing.second
            and self._drawn(place)
            and place not in self.standing.skipped.get(by.name, set())
        )

    # -- what is done ----------------------------------------------------------------------------------------------

    def decide(
        self, place: int, answer: Any, by: Person, key: str, *, note: Note = NOTHING_SAID, second_look: bool = False
    ) -> LoggedRow:
        """Decide an item; kept on the disk when this returns.

        Raises:
            DecisionError: If somebody else is deciding the item, or `by` may not decide.
            LabelError: If the answer cannot be one of this study.
            InputError: If it cannot be kept.
        """
        by.must_decide()
        checked = self.form.checked(answer)
        self._claim(place, by)
        row = self._append(place, "decide", by, key, after=checked, note=note, second_look=second_look)
        with self._lock:
            self.standing.apply(place, row)
            self._seen(row)
        self.claims.release(place, by.name)
        return row

    def as_majority(self, place: int) -> Any:
        """What the majority said.

        Raises:
            DecisionError: If no answer leads.
        """
        answer = self.view.majority(place)
        if answer is None:
            raise DecisionError(
                f"No answer to item {self.study.items[place]!r} leads alone, so there is no majority to follow. Choose a "
                "label."
            )
        return answer

    def skip(self, place: int, by: Person, key: str, *, note: Note = NOTHING_SAID) -> LoggedRow:
        """Leave an item for later, or for others."""
        by.must_decide()
        row = self._append(place, "skip", by, key, note=note)
        with self._lock:
            self.standing.apply(place, row)
            self._seen(row)
        self.claims.release(place, by.name)
        return row

    def comment(self, place: int, by: Person, key: str, note: Note) -> LoggedRow:
        """Say something of an item without deciding it."""
        by.must_decide()
        if not note.comment.strip() and not note.unclear:
            raise DecisionError("A comment without words says nothing. Write something, or mark the guideline unclear.")
        row = self._append(place, "comment", by, key, note=note)
        with self._lock:
            self._seen(row)
        return row

    def undo(self, by: Person, key: str) -> LoggedRow | None:
        """Take back one's own last row that stands; None where there is none."""
        by.must_decide()
        again = self.log.by_key(key)
        if again is not None:
            return again
        last = self.log.last_of(by.name, UNDOABLE)
        if last is None or last.item is None:
            return None
        place = self.view.place(last.item)
        if place is None:
            return None
        self._claim(place, by)
        row = self._append(place, "undo", by, key, after=read_back(last.before), undoes=last.number)
        with self._lock:
            self._restate(place)
            self._seen(row)
        return row

    def _restate(self, place: int) -> None:
        self.standing.again(place, self.log.of_item(self.view.key(place)))
        self._first_open = min(self._first_open, int(self._position[place]))

    def _claim(self, place: int, by: Person) -> None:
        if not self.claims.take(place, by.name):
            raise DecisionError(
                f"{self.claims.holder(place)!r} is deciding item {self.study.items[place]!r} just now. Take another, or "
                "wait a few minutes."
            )

    def _seen(self, row: LoggedRow) -> None:
        self.last_number = max(self.last_number, row.number)

    # -- what pages show -------------------------------------------------------------------------------------------

    def screen(self, place: int, by: Person, *, shown: bool = False, names: bool = False) -> ItemScreen:
        """What the screen of an item shows: blind until `shown`, and without names until they are asked for."""
        view = self.view
        second = self.wants_second_look(place, by)
        plain: Mapping[str, Any] = {
            "key": view.key(place),
            "item": self.study.items[place],
            "kind": self.study.kind,
            "labels": self.study.labels,
            "text": view.text(place),
            "image": view.image(place),
            "second_look": second,
            "n_answers": len(view.annotations(place)),
            "has_majority": view.majority(place) is not None,
        }
        if not shown:
            return ItemScreen(**plain, blind=True)
        chances = view.chances(place)
        return ItemScreen(
            **plain,
            blind=False,
            answers=view.answers(place, names=names),
            chances=chances,
            chance_is=self.gold.confidence_is,
            suggestion=self.gold.labels[place],
            why_undecided=view.why_undecided(place),
            confused=view.confused(chances),
            similar=self.similar(place),
            stands=None if second else self.standing.of(place),
            history=() if second else tuple(self.log.of_item(view.key(place))),
        )

    def similar(self, place: int, most: int = MOST_SIMILAR) -> tuple[SimilarItem, ...]:
        """Items that were answered alike and that a person decided, the latest first."""
        alike = (self.view.pattern == self.view.pattern[place]) & (self.standing.state == DECIDED)
        alike[place] = False
        found = np.nonzero(alike)[0]
        latest = found[np.argsort(-self.standing.number[found])][:most]
        return tuple(self._similar(int(one)) for one in latest)

    def _similar(self, place: int) -> SimilarItem:
        stands = self.standing.of(place)
        assert stands is not None
        row = self.log.by_number(stands.number)
        return SimilarItem(
            self.view.key(place), self.study.items[place], self.view.text(place), read_back(stands.answer), stands.by,
            "" if row is None else row.reason,
        )  # fmt: skip

    def progress(self) -> Progress:
        """How far everybody is."""
        with self._lock:
            state, held = self.standing.state, self.claims.held()
            contested = self.contested
            names = dict.fromkeys([*self.standing.decided_by, *self.standing.skipped, *held.values()])
            people = tuple(
                PersonProgress(
                    name,
                    self.standing.decided_by[name],
                    len(self.standing.skipped.get(name, ())),
                    sum(who == name for who in held.values()),
                )
                for name in names
            )
            return Progress(
                items=len(self.gold),
                contested=int(contested.sum()),
                decided=int((state == DECIDED).sum()),
                accepted=int((state == ACCEPTED).sum()),
                contested_left=int((contested & (state == OPEN)).sum()),
                second_looks=len(self.standing.second),
                people=people,
                last_number=self.last_number,
            )

    @property
    def contested(self) -> np.ndarray[Any, Any]:
        """(items,): do the answers differ, or is there no label?"""
        tally = self.study.tally()
        several = np.diff(tally.starts) > 1
        pattern = self.view.pattern
        return np.where(pattern >= 0, several[pattern], True) | ~self.gold.decided


def fingerprint(study: Study) -> str:
    """What tells one version of a study from another: a short text, the same for the same annotations."""
    digest = hashlib.blake2b(digest_size=8)
    for column in study._annotations.rows:
        digest.update(np.ascontiguousarray(column).tobytes())
    digest.update(repr((study.labels, study.annotators, len(study.items))).encode())
    return digest.hexdigest()


def _other_study(path: Path, names: list[str], here: list[str]) -> InputError:
    return FileError(
        path.name,
        f"It holds decisions of another study: of items such as {listing(names, most=3)}, while this one has "
        f"{listing(here, most=3)}. It stays as it is; name another file: ",
        remedy(decisions=...),
        ".",
    )

"""The bench: a study, its gold, its log of decisions, and everything that pages ask and do, without HTTP."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import Any, Self

from accord.annotations.arrays import BoolArray
from accord.consensus.gold import Gold
from accord.consensus.make_gold import gold as gold_of
from accord.errors import DecisionError, MayBeNames, OptionError, at_item
from accord.options import encodable
from accord.study.study import Study
from accord.workbench.accepting import Accepting, fitting
from accord.workbench.bench_options import EMPTY_NOTE, LONGEST_REASON, BenchOptions, Note
from accord.workbench.bench_state import BenchState
from accord.workbench.claims import Claims
from accord.workbench.decision_log import Act, DecisionLog, LoggedRow, NewRow, now
from accord.workbench.file_holder import Holder
from accord.workbench.item_states import DECIDED, ItemState, ItemStates
from accord.workbench.item_view import ItemView
from accord.workbench.learner import Learner
from accord.workbench.people import Person
from accord.workbench.progress import Progress, progress_of
from accord.workbench.queue import Queue
from accord.workbench.queue_order import OrderBy, worth
from accord.workbench.rules import Rule
from accord.workbench.same_study import StudyMark
from accord.workbench.screen_making import screen_of
from accord.workbench.screens import ItemScreen
from accord.workbench.second_look import SecondLooks
from accord.workbench.study_lock import StudyLock
from accord.workbench.written_answers import AnswerForm, read_back, written

OURSELVES = Person("accord", "lead")  # who opens the log


class Bench:
    """The workbench of one study. Every method may be called by many threads at once.

    Items are named by their place in the study. Whoever keeps a place from one call to the next does so within
    `study_lock.shared()`: the study may be exchanged for a newer version, in which the place is another item's.
    """

    def __init__(self, gold: Gold, log: DecisionLog, options: BenchOptions | None = None) -> None:
        self.log = log
        self.options = options or BenchOptions()
        self.study_lock = StudyLock()
        self._lock = RLock()
        self.learner = Learner(self._lock, lambda: self.options)
        self._state = BenchState.prepared(gold, self.options)
        self._state.replay(log)
        self._log_opening()

    @classmethod
    def open(
        cls,
        study: Study,
        path: str | Path,
        options: BenchOptions | None = None,
        *,
        gold: Gold | None = None,
        holder: Holder | None = None,
    ) -> Self:
        """The bench of a study and its file of decisions, which is begun where it is not there yet.

        Raises:
            FileError: If the file is another study's, damaged, from a newer accord, or open in another process.
            MeasureError: If the study holds several variables: one is decided at a time.
        """
        begun = not Path(path).exists()
        log = DecisionLog.open(path, holder)
        try:
            return cls(gold_of(study._in_memory) if gold is None else gold, log, options)
        except BaseException:
            log.close()
            if begun:  # for a study that cannot be decided, no empty file stays
                Path(path).unlink(missing_ok=True)
            raise

    @classmethod
    def read(
        cls, study: Study, path: str | Path, options: BenchOptions | None = None, *, gold: Gold | None = None
    ) -> Self:
        """The bench of a study and a file of decisions that is only read, whoever writes to it.

        Raises:
            FileError: If there is no such file, or it is another study's, damaged, or from a newer accord.
        """
        log = DecisionLog.read(path)
        try:
            return cls(gold_of(study._in_memory) if gold is None else gold, log, options)
        except BaseException:
            log.close()
            raise

    def close(self) -> None:
        """Let the file go."""
        self.log.close()

    # -- what there is ---------------------------------------------------------------------------------------------

    @property
    def gold(self) -> Gold:
        """The gold, as the model has it that learned from the decisions so far."""
        return self._state.gold

    @property
    def study(self) -> Study:
        """The study."""
        return self._state.gold.study

    @property
    def view(self) -> ItemView:
        """Its items, one at a time."""
        return self._state.view

    @property
    def form(self) -> AnswerForm:
        """What its answers look like."""
        return self._state.form

    @property
    def mark(self) -> StudyMark:
        """What tells this version of the study from others."""
        return self._state.mark

    @property
    def standing(self) -> ItemStates:
        """What stands of every item."""
        return self._state.standing

    @property
    def second_looks(self) -> SecondLooks:
        """Which items a second person decides."""
        return self._state.second_looks

    @property
    def queue(self) -> Queue:
        """The items in the order in which they are offered."""
        return self._state.queue

    @property
    def claims(self) -> Claims:
        """Who is deciding what."""
        return self._state.claims

    @property
    def contested(self) -> BoolArray:
        """(items,): do the answers differ, or is there no label?"""
        return self._state.contested

    @property
    def reasons(self) -> tuple[str, ...]:
        """The list that reasons are chosen from."""
        return self._state.reasons

    @property
    def guideline_version(self) -> str:
        """The version of the guideline that decisions follow."""
        return self._state.guideline_version

    @property
    def unknown_rows(self) -> int:
        """Rows of the log about items that the study does not have."""
        return self._state.unknown_rows

    # -- rows of the log -------------------------------------------------------------------------------------------

    def _log_opening(self) -> None:
        if self.log.writes:
            self._append(None, "open", OURSELVES, secrets.token_hex(16), after=self.mark.summary())

    def _row(
        self,
        place: int | None,
        act: Act,
        by: Person,
        key: str,
        *,
        after: Any = None,
        note: Note = EMPTY_NOTE,
        rule: str = "",
        second_look: bool = False,
        undoes: int | None = None,
    ) -> NewRow:
        before = None if place is None else self.standing.of(place)
        return NewRow(
            key=key,
            at=now(),
            by=by.name,
            item=None if place is None else self.view.key(place),
            act=act,
            before=None if before is None else before.answer,
            after=None if after is None else written(after),
            reason=encodable(note.reason),
            comment=encodable(note.comment),
            unclear=note.unclear,
            seconds=note.seconds,
            rule=rule,
            second_look=second_look,
            undoes=undoes,
            study_version=self.mark.version,
            guideline_version=self.guideline_version,
        )

    def _append(self, place: int | None, act: Act, by: Person, key: str, **more: Any) -> LoggedRow:
        """Keep a row and let it count; one that comes late (a retry) may have been taken back by another since."""
        row = self.log.append(self._row(place, act, by, key, **more))
        with self._lock:
            late = row.number <= self._state.last_number
            self._state.last_number = max(self._state.last_number, row.number)
            if place is None:
                self._state.set(row)
            elif act == "undo" or late:
                self._restate(place)
            else:
                self.standing.apply(place, row)
                self.second_looks.update(place)
        return row

    def _restate(self, place: int) -> None:
        self.standing.again(place, self.log.of_item(self.view.key(place)))
        self.second_looks.update(place)
        if self.standing.of(place) is None:
            self.queue.again(place)

    # -- the queue -------------------------------------------------------------------------------------------------

    def next_item(self, by: Person, among: BoolArray | None = None) -> int | None:
        """The item that somebody should decide next, which is theirs for a while; None where nothing is left.

        Args:
            by: Who asks.
            among: (items,) those to choose from, where the person filters them; by default all.
        """
        by.must_decide()
        with self._lock:
            return self.queue.next(by, among)

    def claim(self, place: int, by: Person) -> None:
        """Hold an item that somebody chose themselves.

        Raises:
            DecisionError: If another is deciding it.
        """
        by.must_decide()
        if not self.claims.take(place, by.name):
            who = self.claims.holder(place) or "Somebody"
            raise DecisionError(
                MayBeNames(who),
                " is deciding item ",
                at_item(self.study.items[place]),
                " just now. Take another, or wait a few minutes.",
            )

    def wants_second_look(self, place: int, by: Person) -> bool:
        """Is it somebody's turn to decide an item that another decided, without knowing how?"""
        return self.second_looks.wants(place, by.name)

    # -- what is done ----------------------------------------------------------------------------------------------

    def decide(
        self,
        place: int,
        answer: Any,
        by: Person,
        key: str,
        *,
        note: Note = EMPTY_NOTE,
        second_look: bool = False,
        seen: int | None = None,
    ) -> LoggedRow:
        """Decide an item; the decision is on the disk when this returns, and the same key again is the same decision.

        Args:
            place: The item.
            answer: As the study's answers are: a label, a list of labels, a number.
            by: Who decides.
            key: Made by the client for this decision.
            note: What is said beside it.
            second_look: Whether it is the second, blind decision of an item: the first one stands.
            seen: The row that stood when the item was shown (0 where none did): a decision of somebody else since is
                not overruled unseen. None where that does not matter.

        Raises:
            DecisionError: If somebody else is deciding the item or decided it unseen, or `by` may not decide, or the
                key is another's.
            LabelError: If the answer cannot be one of this study.
            InputError: If it cannot be kept.
        """
        by.must_decide()
        checked = self.form.checked(answer)
        if self.log.by_key(key) is None:  # a retry needs no claim: others may have the item by now
            self.claim(place, by)
            try:
                self._check_turn(place, by, second_look, seen)
            except DecisionError:
                self.claims.release(by.name, place)
                raise
        row = self._append(place, "decide", by, key, after=checked, note=note, second_look=second_look)
        self.claims.release(by.name, place)
        self.learner.decided(self._state)
        return row

    def _check_turn(self, place: int, by: Person, second_look: bool, seen: int | None) -> None:
        """Is the item still what it was when it was shown? Whoever asks has claimed it."""
        if second_look:
            if not self.wants_second_look(place, by):
                raise DecisionError(
                    "Item ", at_item(self.study.items[place]), " needs no second look any more. Take the next one."
                )
            return
        stands = self.standing.of(place)
        if seen is None or stands is None or stands.by_rule or stands.number == seen or stands.by == by.name:
            return
        raise DecisionError(
            MayBeNames(stands.by),
            " decided item ",
            at_item(self.study.items[place]),
            " while you had it open, so yours was not kept. Open "
            "it again to see what stands, and decide it anew if you see it otherwise.",
        )

    def as_majority(self, place: int) -> Any:
        """What the majority said.

        Raises:
            DecisionError: If no answer leads.
        """
        answer = self.view.majority(place)
        if answer is None:
            raise DecisionError(
                "No answer to item ",
                at_item(self.study.items[place]),
                " leads alone, so there is no majority to follow. Choose a label.",
            )
        return answer

    def skip(self, place: int, by: Person, key: str, *, note: Note = EMPTY_NOTE) -> LoggedRow:
        """Leave an item for later, or for others."""
        by.must_decide()
        row = self._append(place, "skip", by, key, note=note)
        self.claims.release(by.name, place)
        return row

    def comment(self, place: int, by: Person, key: str, note: Note) -> LoggedRow:
        """Say something of an item without deciding it."""
        by.must_decide()
        if not note.comment.strip() and not note.unclear:
            raise DecisionError("A comment without words says nothing. Write something, or mark the guideline unclear.")
        return self._append(place, "comment", by, key, note=note)

    def undo(self, by: Person, key: str) -> LoggedRow | None:
        """Take back one's own last row that stands, and have its item again; None where there is none."""
        by.must_decide()
        again = self.log.by_key(key)
        if again is not None:
            return again
        last = self.log.last_undoable(by.name)
        place = None if last is None or last.item is None else self.view.place(last.item)
        if last is None or place is None:
            return None
        self.claim(place, by)
        return self._append(place, "undo", by, key, after=read_back(last.before), undoes=last.number)

    # -- rules, reasons, guideline ---------------------------------------------------------------------------------

    def accepts(self, rule: Rule) -> int:
        """How many open items a rule would accept."""
        return len(fitting(self._state, rule)[0])

    def accept(self, rule: Rule, by: Person, key: str) -> int:
        """Accept by a rule: a row for every open item that it fits and that nobody is deciding. Returns how many."""
        by.must_lead("accepts by a rule")
        return Accepting(self._state, self.log, self._lock, by, key).accept(rule)

    def rules(self) -> dict[str, int]:
        """The rules by which items stand now, in words, and how many each."""
        return self.standing.accepted_by()

    def take_back(self, words: str, by: Person, key: str) -> int:
        """Take back what was accepted by a rule and still stands by it. Returns how many items are open again."""
        by.must_lead("takes back a rule")
        return Accepting(self._state, self.log, self._lock, by, key).take_back(words)

    def set_reasons(self, reasons: Sequence[str], by: Person, key: str) -> LoggedRow:
        """The list that reasons are chosen from, from now on."""
        by.must_lead("changes the reasons")
        listed = list(dict.fromkeys(reason.strip() for reason in reasons if reason.strip()))
        for reason in listed:
            Note(reason=reason)
        return self._append(None, "reasons", by, key, after=[encodable(reason) for reason in listed])

    def set_guideline(self, version: str, by: Person, key: str) -> LoggedRow:
        """The version of the guideline that decisions follow, from now on."""
        by.must_lead("changes the guideline's version")
        if len(version) > LONGEST_REASON:
            raise OptionError.must("version", f"have up to {LONGEST_REASON} characters", version)
        return self._append(None, "guideline", by, key, after=encodable(version.strip()))

    def set_order(self, order: OrderBy, by: Person) -> None:
        """What comes first in the queue, from now on and for everybody.

        Raises:
            OptionError: If there is no such order, or costs were said, which count by value alone.
        """
        by.must_lead("chooses the order of the queue")
        options = replace(self.options, order=order)
        value = worth(self.gold, order, options.seed, options.costs)
        with self._lock:
            self.options = options
            self._state.rank(value, order)

    # -- learning and renewal --------------------------------------------------------------------------------------

    def relearn(self) -> None:
        """Let the decisions teach: the gold is fitted again with them as known labels, and the queue put in order."""
        self.learner.learn(self._state)

    def taught_gold(self) -> Gold:
        """The gold fitted again with what people decided as known labels; as it is where nothing can be taught."""
        return self.learner.taught(self._state)

    def stand(self, state: int = DECIDED) -> dict[int, ItemState]:
        """What stands of every item that people decided (or that rules accepted)."""
        return self.standing.all_of(state)

    def renew(self, study: Study, gold: Gold | None = None) -> None:
        """The export was read again: the study is another version, and all decisions stay. Waits for `study_lock`.

        Raises:
            FileError: If it is another study; then everything stays as it was.
        """
        fresh = BenchState.prepared(gold_of(study._in_memory) if gold is None else gold, self.options)
        with self.study_lock.exclusive(), self._lock:
            fresh.replay(self.log)
            fresh.claims_of(self._state)
            self._state = fresh
        self._log_opening()

    # -- what pages show -------------------------------------------------------------------------------------------

    def screen(self, place: int, by: Person, *, shown: bool = False, names: bool = False) -> ItemScreen:
        """What the screen of an item shows.

        Args:
            place: The item.
            by: Who looks.
            shown: Whether what others said is shown; else the item is looked at blind.
            names: Whether annotators are named.
        """
        return screen_of(self._state, self.log, place, by.name, shown=shown, names=names)

    def progress(self) -> Progress:
        """How far everybody is."""
        with self._lock:
            differ = len(self.second_looks.differ)
            return progress_of(self.standing, self.claims, self.contested, differ, self._state.last_number)

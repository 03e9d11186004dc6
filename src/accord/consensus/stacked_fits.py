"""Many small fits at once: questions of one shape below each other, each with annotators of its own.

A set of 28 labels in five folds is 140 fits of a few hundred answers, each step of which takes longer to ask for than
to compute. Stacked they are one table of cells: a step adds up all of them, and every model works on whatever axes
stand before those of one question. Each question stops where it would have stopped by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import LabelEvidence, votes

First = Callable[[FloatArray, FloatArray], Any]


@dataclass(frozen=True, eq=False)
class Stack:
    """Questions with equally many items, annotators and labels, as the ballots of one."""

    ballots: Ballots
    number: int  # questions

    @classmethod
    def of(cls, questions: Sequence[Ballots]) -> Stack:
        """The items of all, one question after another."""
        one, number = questions[0], len(questions)
        sizes = np.array([len(ballots.cells) for ballots in questions])
        kind = np.int32 if max(number * one.width, int(sizes.sum())) < 2**31 else np.int64
        begins = np.concatenate(([0], np.cumsum(sizes)))
        starts = [ballots.starts[:-1] + begin for ballots, begin in zip(questions, begins[:-1], strict=True)]
        cells = [ballots.cells + place * one.width for place, ballots in enumerate(questions)]
        counts = None
        if any(ballots.counts is not None for ballots in questions):
            each = [np.ones(len(b.cells), np.int64) if b.counts is None else b.counts for b in questions]
            counts = np.concatenate(each)
        ballots = Ballots(
            number * one.n_items, number * one.n_annotators, one.n_answers,
            np.append(np.concatenate(starts), begins[-1]).astype(kind), np.concatenate(cells).astype(kind), counts,
        )  # fmt: skip
        return cls(ballots, number)

    def only(self, questions: IntArray) -> Stack:
        """Some of the questions."""
        chosen = np.zeros(self.number, np.bool_)
        chosen[questions] = True
        kept = self.ballots.of_items(np.repeat(chosen, self.n_items))
        width, place = self.ballots.width // self.number, np.cumsum(chosen) - 1
        question, cell = np.divmod(kept.cells, width)
        cells = (place[question] * width + cell).astype(kept.cells.dtype)
        people = self.ballots.n_annotators // self.number * len(questions)
        ballots = Ballots(kept.n_items, people, kept.n_answers, kept.starts, cells, kept.counts)
        return Stack(ballots, len(questions))

    @property
    def n_items(self) -> int:
        """Of one question."""
        return self.ballots.n_items // self.number

    @cached_property
    def answers(self) -> IntArray:
        """(questions,): answers to each, repeats counted."""
        return np.asarray(self.ballots.per_item.reshape(self.number, -1).sum(axis=1))

    @cached_property
    def _unanswered(self) -> IntArray:
        return np.nonzero(self.ballots.per_item == 0)[0]

    def evidence(self, table: FloatArray, log_shares: FloatArray, taught: FloatArray | None = None) -> LabelEvidence:
        """What parameters say of each answer: the offset is that of the question that an item belongs to."""
        return LabelEvidence("posterior", np.repeat(log_shares, self.n_items, axis=0), table, taught=taught)

    def mass_of(self, evidence: LabelEvidence) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The E step: expected answers (questions, annotators, K, C), items (questions, C) and log-likelihoods."""
        ballots = self.ballots
        soft, log_weight = evidence.soft(ballots, 0, ballots.n_items)
        soft[self._unanswered] = 0.0  # nothing is said of the labels' shares by an item without an answer
        log_weight[self._unanswered] = 0.0
        mass = ballots.columns(0, ballots.n_items) @ soft
        labels = soft.reshape(self.number, self.n_items, -1).sum(axis=1)
        shape = (self.number, -1, ballots.n_answers, soft.shape[1])
        return mass.reshape(shape), labels, log_weight.reshape(self.number, -1).sum(axis=1)


@dataclass(frozen=True, eq=False)
class StackedFit:
    """Where each question's model stands still."""

    confusion: FloatArray  # (questions × annotators, C, K)
    evidence: LabelEvidence


def fit_stacked(stack: Stack, first: First, *, iterations: int, tolerance: float) -> StackedFit:
    """Every question from its votes to where its objective stands still, as `em.fit` would each."""
    mass, labels, _ = stack.mass_of(votes(stack.ballots))
    model, active, part = first(mass, labels), np.arange(stack.number), stack
    ends = _Ends(stack)
    before: FloatArray | None = None
    for step in range(1, iterations + 1):
        mass, labels, objective = part.mass_of(part.evidence(model.table(), model.log_shares()))
        objective = objective + model.penalty()
        still = np.zeros(part.number, np.bool_)
        if before is not None:
            still = objective - before <= tolerance * np.maximum(part.answers, 1)
        if step == iterations:
            still[:] = True
        ends.keep(active[still], still, model)
        if still.all():
            break
        going = np.nonzero(~still)[0]
        comparable = model.settled
        if len(going) < part.number:
            part, model, active = part.only(going), model.of_questions(going), active[going]
            mass, labels, objective = mass[going], labels[going], objective[going]
        before = objective if comparable else None
        model = model.improved(mass, labels)
    return ends.fit()


class _Ends:
    """What each question's model says once it stands still."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._found: dict[str, FloatArray] = {}  # (questions, numbers of one)

    def keep(self, questions: IntArray, still: BoolArray, model: Any) -> None:
        """Of the questions that stand still now, of those that the model is of."""
        if not len(questions):
            return
        parts = {"table": model.table(), "log_shares": model.log_shares(), "confusion": model.confusion}
        taught = model.taught()
        parts |= {} if taught is None else {"taught": taught}
        for name, values in parts.items():
            each = values.reshape(len(still), -1)
            whole = self._found.setdefault(name, np.empty((self._stack.number, each.shape[1])))
            whole[questions] = each[still]

    def fit(self) -> StackedFit:
        log_shares = self._found["log_shares"]
        labels, taught = log_shares.shape[1], self._found.get("taught")
        evidence = self._stack.evidence(
            self._found["table"].reshape(-1, labels), log_shares, None if taught is None else taught.reshape(-1, labels)
        )
        return StackedFit(self._found["confusion"].reshape(-1, labels, labels), evidence)

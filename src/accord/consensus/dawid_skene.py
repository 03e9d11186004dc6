"""Dawid & Skene 1979: every annotator has a confusion table of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.accuracy_errors import MOST_PARAMETERS
from accord.consensus.ballots import Ballots
from accord.consensus.em import Model, log, refit, shared, shares_from
from accord.consensus.learned_prior import LEARN_AFTER, group_rows, learn, pseudo_items, shares_penalty, unlearned

FEW_ANSWERS = 30  # per annotator and label: with fewer, tables are learned from too little to be as sure as they are
ROW_PRIOR = 2.0  # pseudo-answers per row of a table under which competence is judged


@dataclass(frozen=True, eq=False)
class DawidSkene(Model):
    r"""The model of the 1979 paper: annotator j gives answer k to an item whose true label is c with probability π_j[c,
    k].

    .. math:: P(y) = \prod_i \sum_c p_c \prod_j \prod_k \pi_j[c, k]^{n_{ijk}}

    `n_ijk` counts how often j gave k to i: repeats are answers. The M step is :math:`\pi_j[c, k] \propto \sum_i T_{ic}
    n_{ijk} + \beta_{ck}` and :math:`p_c \propto \sum_i T_{ic}`, with pseudo-answers β (none: maximum likelihood, as
    published; some: the mode under a Dirichlet prior of 1 + β). By default β is learned from the crowd
    (`learned_prior`). A row of which nothing is known is even in the arithmetic and NaN in the report. Do not trust it
    where annotators gave few answers per label and no prior is set: a table of K × K numbers for each annotator needs
    them.

    References: dawid1979; paun2018 on pooling.
    """

    confusion: FloatArray  # (annotators, C, K); of several questions at once (questions, annotators, C, K), and so on
    shares: FloatArray  # (C,)
    pseudo: FloatArray  # (C, K) pseudo-answers; zero for maximum likelihood; of several questions (questions, 1, C, K)
    given: FloatArray | None  # fixed shares, or None: learned
    seen: FloatArray  # (annotators, C) expected answers behind each row
    steps: int | None = None  # M steps since the prior was first learned from the crowd; None: it was given
    items: FloatArray | None = None  # (C,) pseudo-items behind the shares

    @classmethod
    def from_mass(
        cls,
        mass: FloatArray,
        labels: FloatArray,
        pseudo: FloatArray,
        given: FloatArray | None,
        steps: int | None = None,
        items: FloatArray | None = None,
    ) -> DawidSkene:
        """The M step; `items` are those of the step before: the same labels are named in each."""
        if steps in LEARN_AFTER:
            pseudo = learn(mass)
        counted = mass.swapaxes(-1, -2)
        seen = counted.sum(axis=-1)
        counted = counted + pseudo
        confusion = shared(counted, counted.sum(axis=-1, keepdims=True), counted.shape[-1])
        items = pseudo_items(mass, given, steps) if items is None else items
        shares = shares_from(labels, given, 0.0 if items is None else items)
        return cls(confusion, shares, pseudo, given, seen, steps, items)

    @property
    def objective(self) -> str:
        """What never falls."""
        return "log posterior" if self.pseudo.any() else "log-likelihood"

    def table(self) -> FloatArray:
        """(cells, C): log confusion."""
        return _by_cell(log(self.confusion))

    def log_shares(self) -> FloatArray:
        """(C,): log shares of the labels."""
        return log(self.shares)

    def penalty(self) -> Any:
        """The log prior density of the confusion tables, up to a constant."""
        if not self.pseudo.any():
            return 0.0
        held = np.where(self.pseudo > 0, self.confusion, 1.0)  # elsewhere it may be 0, and 0 · log 0 is nothing
        return (self.pseudo * log(held)).sum(axis=(-3, -2, -1)) + shares_penalty(self.shares, self.items)

    def improved(self, mass: FloatArray, labels: FloatArray) -> DawidSkene:
        """The next model."""
        steps = None if self.steps is None else self.steps + 1
        return DawidSkene.from_mass(mass, labels, self.pseudo, self.given, steps, self.items)

    @property
    def settled(self) -> bool:
        """Does the prior stay as it is?"""
        return self.steps is None or self.steps >= LEARN_AFTER[-1]

    def taught(self) -> FloatArray | None:
        """(cells, C): what an answer says less where its item is left out; with a prior from the crowd only."""
        if self.steps is None:
            return None
        rows = (self.seen + self.pseudo.sum(axis=-1))[..., None]
        expected = self.confusion * rows
        return _by_cell(unlearned(expected - self.pseudo, expected) - unlearned(self.seen[..., None], rows))

    def known_rows(self) -> BoolArray:
        """With pseudo-answers all of them, else those with answers."""
        return np.asarray((self.seen > 1e-12) | self.pseudo.any())[..., None]

    def for_errors(self, ballots: Ballots, known: IntArray | None) -> Any:
        """The same tables, where they rest on enough answers, and a row leans on the group's with `ROW_PRIOR` only.

        The prior under which labels are most probable would take somebody's rows for independent of each other, and be
        too sure of all of them.
        """
        enough = ballots.total >= FEW_ANSWERS * np.count_nonzero(ballots.answered) * ballots.n_answers
        if not enough or self.confusion[..., 1:].size + len(self.shares) - 1 > MOST_PARAMETERS:
            return None
        pooled = np.einsum("jck,jc->ck", self.confusion, self.seen)
        return refit(ballots, replace(self, pseudo=ROW_PRIOR * group_rows(pooled), steps=None, items=None), known).model

    def log_odds(self) -> tuple[FloatArray, ...]:
        """Accuracies, slopes, rows and what is behind them (`accuracy_errors`), of each wrong answer in each row."""
        people, labels, answers = self.confusion.shape
        right = np.einsum("jcc->jc", self.confusion)
        wrong = self.confusion[:, ~np.eye(labels, answers, dtype=np.bool_)].reshape(people, labels, answers - 1)
        slopes = -(self.shares * right)[:, :, None] * wrong
        return right @ self.shares, slopes.reshape(people, -1), wrong, self.seen + self.pseudo.sum(axis=1)

    def of_annotators(self, rows: IntArray) -> DawidSkene:
        """The same of some annotators."""
        return replace(self, confusion=self.confusion[rows], seen=self.seen[rows])

    def of_questions(self, rows: IntArray) -> DawidSkene:
        """The same of some of several questions."""
        pseudo = self.pseudo[rows] if self.pseudo.ndim == self.confusion.ndim else self.pseudo
        items = None if self.items is None else self.items[rows]
        learned: dict[str, Any] = {
            "confusion": self.confusion[rows],
            "shares": self.shares[rows],
            "seen": self.seen[rows],
        }
        return replace(self, **learned, pseudo=pseudo, items=items)


def _by_cell(tables: FloatArray) -> FloatArray:
    """(cells, C): from everybody's rows of a label to what each of their answers says."""
    return np.ascontiguousarray(tables.swapaxes(-1, -2)).reshape(-1, tables.shape[-2])

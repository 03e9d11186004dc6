"""Dawid & Skene 1979: every annotator has a confusion table of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.em import log, shares_from
from accord.consensus.learned_prior import LEARN_AFTER, learn, pseudo_items, shares_penalty, unlearned


@dataclass(frozen=True, eq=False)
class DawidSkene:
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

    confusion: FloatArray  # (annotators, C, K)
    shares: FloatArray  # (C,)
    pseudo: FloatArray  # (C, K) pseudo-answers; zero for maximum likelihood
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
    ) -> DawidSkene:
        """The M step."""
        if steps in LEARN_AFTER:
            pseudo = learn(mass)
        counted = mass.transpose(0, 2, 1)
        seen = counted.sum(axis=2)
        counted = counted + pseudo
        rows = counted.sum(axis=2, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            confusion = np.where(rows > 0, counted / rows, 1 / counted.shape[2])
        items = pseudo_items(mass, given, steps)
        shares = shares_from(labels, given, 0.0 if items is None else items)
        return cls(confusion, shares, pseudo, given, seen, steps, items)

    @property
    def objective(self) -> str:
        """What never falls."""
        return "log posterior" if self.pseudo.any() else "log-likelihood"

    def table(self) -> FloatArray:
        """(cells, C): log confusion."""
        people, labels, answers = self.confusion.shape
        return np.ascontiguousarray(log(self.confusion).transpose(0, 2, 1).reshape(people * answers, labels))

    def log_shares(self) -> FloatArray:
        """(C,): log shares of the labels."""
        return log(self.shares)

    def penalty(self) -> float:
        """The log prior density of the confusion tables, up to a constant."""
        if not self.pseudo.any():
            return 0.0
        positive = self.pseudo > 0  # elsewhere a confusion may be 0, and 0 · log 0 is nothing
        tables = float((self.pseudo[positive] * log(self.confusion[:, positive])).sum())
        return tables + shares_penalty(self.shares, self.items)

    def improved(self, mass: FloatArray, labels: FloatArray) -> DawidSkene:
        """The next model."""
        steps = None if self.steps is None else self.steps + 1
        return DawidSkene.from_mass(mass, labels, self.pseudo, self.given, steps)

    @property
    def settled(self) -> bool:
        """Does the prior stay as it is?"""
        return self.steps is None or self.steps >= LEARN_AFTER[-1]

    def taught(self) -> FloatArray | None:
        """(cells, C): what an answer says less where its item is left out; with a prior from the crowd only."""
        if self.steps is None:
            return None
        people, labels, answers = self.confusion.shape
        rows = (self.seen + self.pseudo.sum(axis=1))[:, :, None]
        expected = self.confusion * rows
        less = unlearned(expected - self.pseudo, expected) - unlearned(self.seen[:, :, None], rows)
        return np.ascontiguousarray(less.transpose(0, 2, 1).reshape(people * answers, labels))

    def of_annotators(self, rows: IntArray) -> DawidSkene:
        """The same of some annotators."""
        return replace(self, confusion=self.confusion[rows], seen=self.seen[rows])

"""How sure an annotator's accuracy is, when neither the labels nor the others' accuracies are known.

The log-likelihood of the answers, labels summed over, has a curvature in the parameters of all annotators (and in how
common the labels are) together: Louis's observed information, which is what complete data would tell less the variance
of it that the hidden labels leave. Its inverse has the uncertainty of everything else in every standard error. Priors
count as in the fit. Accuracies are taken on the scale of log odds, where the curvature is more even.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.ballots import Ballots
from accord.consensus.dawid_skene import DawidSkene
from accord.consensus.em import evidence_of
from accord.consensus.evidence import Evidence
from accord.consensus.one_coin import OneCoin

MOST_PARAMETERS = 2_000  # a dense matrix of them is inverted; beyond, others count to the second order
UNCLEAR = (
    "There is no interval: several accounts of who is right fit the answers equally well. More answers per item, or "
    "known labels, would tell them apart."
)
TOO_MANY = (
    "There is no interval: it needs every pair of answers to an item, and the annotations are too many to be brought "
    "here. Collect those of some items."
)
NO_INTERVALS = (UNCLEAR, TOO_MANY)


@dataclass(frozen=True, eq=False)
class Accuracies:
    """Everybody's accuracy, and its standard error on the scale of accuracies."""

    value: FloatArray  # (annotators,)
    se: FloatArray  # (annotators,) NaN where it cannot be told
    undefined: str = ""  # why some have none
    second_order: bool = False  # was the others' uncertainty counted to the second order only?

    def limits(self, confidence: float) -> tuple[FloatArray, FloatArray]:
        """Lower and upper limits, symmetric in log odds."""
        from scipy.special import expit, logit, ndtri

        value = np.clip(self.value, 1e-9, 1 - 1e-9)
        half = ndtri((1 + confidence) / 2) * self.se / (value * (1 - value))
        middle = logit(value)
        return expit(middle - half), expit(middle + half)


def together(each: list[Accuracies]) -> Accuracies:
    """Of several questions: the mean, whose standard error is at most the mean of theirs."""
    if len(each) == 1:
        return each[0]
    undefined = next((one.undefined for one in each if one.undefined), "")
    value, se = (np.mean([getattr(one, name) for one in each], axis=0) for name in ("value", "se"))
    return Accuracies(value, se, undefined, any(one.second_order for one in each))


def accuracies(ballots: Ballots, model: DawidSkene | OneCoin, known: IntArray | None) -> Accuracies:
    """Of a fitted model."""
    parameters = _Parameters.of(ballots, model)
    lost = _lost(ballots, evidence_of(model, known), parameters)
    if parameters.number > MOST_PARAMETERS:
        return _second_order(parameters, lost)
    told = parameters.complete() - lost.toarray()
    try:
        np.linalg.cholesky(told)
    except np.linalg.LinAlgError:
        return Accuracies(parameters.accuracy, np.full(len(parameters.accuracy), np.nan), UNCLEAR)
    people, parts = parameters.slopes.shape
    inverse = np.linalg.inv(told)[: people * parts, : people * parts].reshape(people, parts, people, parts)
    own = inverse[np.arange(people), :, np.arange(people), :]
    variance = np.einsum("jp,jpq,jq->j", parameters.slopes, own, parameters.slopes)
    return Accuracies(parameters.accuracy, np.sqrt(variance))


def numbers_of(model: DawidSkene) -> int:
    """How many parameters a model of tables has."""
    people, labels, answers = model.confusion.shape
    return int(people * labels * (answers - 1) + labels - 1)


@dataclass(frozen=True, eq=False)
class _Parameters:
    """Log odds of everybody: of one coin to be right; of tables, in each row, of each wrong answer; and of the shares.

    `rows` are the probabilities behind them, for a coin one row of (wrong, right), of which the first is left out; for
    tables a row for each label, of which the right answer is.
    """

    accuracy: FloatArray  # (annotators,)
    slopes: FloatArray  # (annotators, own parameters): of the accuracy
    rows: FloatArray  # (annotators, rows, own parameters of a row)
    behind: FloatArray  # (annotators, rows) answers and pseudo-answers
    shares: FloatArray  # (C,)
    free: IntArray  # labels whose share is a parameter
    items: float  # items and pseudo-items behind the shares
    coins: bool

    @classmethod
    def of(cls, ballots: Ballots, model: DawidSkene | OneCoin) -> _Parameters:
        """Of a fitted model."""
        used = np.nonzero(model.shares > 1e-9)[0]
        free = used[1:] if model.given is None else used[:0]
        answered = int(np.count_nonzero(np.diff(ballots.starts)))
        items = answered + (0.0 if model.items is None else float(model.items.sum()))
        if isinstance(model, OneCoin):
            right = model.accuracy[:, None]
            behind = (model.answers + model.right + model.wrong)[:, None]
            return cls(
                model.accuracy, right * (1 - right), right[:, :, None], behind, model.shares, free, items, coins=True
            )
        people, labels, answers = model.confusion.shape
        right = np.einsum("jcc->jc", model.confusion)
        wrong = model.confusion[:, ~np.eye(labels, answers, dtype=np.bool_)].reshape(people, labels, answers - 1)
        slopes = -(model.shares * right)[:, :, None] * wrong
        behind = model.seen + model.pseudo.sum(axis=1)
        return cls(
            right @ model.shares, slopes.reshape(people, -1), wrong, behind, model.shares, free, items, coins=False
        )

    @property
    def number(self) -> int:
        """How many there are."""
        return int(self.slopes.size + len(self.free))

    def complete(self) -> FloatArray:
        """(parameters, parameters): what the answers would tell if the labels were known."""
        told = np.zeros((self.number, self.number))
        people, rows, parts = self.rows.shape
        for row in range(people * rows):
            p, place = self.rows.reshape(-1, parts)[row], slice(row * parts, (row + 1) * parts)
            told[place, place] = self.behind.ravel()[row] * (np.diag(p) - np.outer(p, p))
        p = self.shares[self.free]
        told[self.slopes.size :, self.slopes.size :] = self.items * (np.diag(p) - np.outer(p, p))
        return told

    def scores(self, ballots: Ballots, begin: int, end: int) -> Iterator[Any]:
        """For each label, (items, parameters), sparse: the slopes of an item's log probability if it has the label.

        What is the same for all labels is left out: it has no variance.
        """
        from scipy.sparse import csr_array

        every = np.arange(end - begin)
        for label in range(len(self.shares)):
            row, column, value = self._own_scores(ballots, begin, end, label)
            if label in self.free:
                share = self.slopes.size + int(np.nonzero(self.free == label)[0][0])
                row, column = np.concatenate((row, every)), np.concatenate((column, np.full(len(every), share)))
                value = np.concatenate((value, np.ones(len(every))))
            yield csr_array((value, (row, column)), shape=(end - begin, self.number))

    def _own_scores(self, ballots: Ballots, begin: int, end: int, label: int) -> tuple[IntArray, IntArray, FloatArray]:
        """The annotators' part of it: item, parameter and slope."""
        cell, often = ballots.entries(begin, end)
        item, (person, answer) = ballots.entry_items(begin, end), np.divmod(cell, ballots.n_answers)
        if self.coins:
            hit = answer == label
            return item[hit], person[hit], often[hit]
        _, rows, parts = self.rows.shape
        other = np.delete(np.arange(parts + 1), label)
        value = often[:, None] * ((answer[:, None] == other) - self.rows[person, label])
        column = ((person * rows + label) * parts)[:, None] + np.arange(parts)
        return np.repeat(item, parts), column.ravel(), value.ravel()


def _lost(ballots: Ballots, evidence: Evidence, parameters: _Parameters) -> Any:
    """(parameters, parameters), sparse: the variance of the slopes under the items' posteriors."""
    from scipy.sparse import csr_array

    total = csr_array((parameters.number, parameters.number))
    for begin, end in ballots.spans():
        posterior = evidence.soft(ballots, begin, end)[0]
        posterior[np.diff(ballots.starts[begin : end + 1]) == 0] = 0.0  # nobody answered: nothing was to be told
        mean = csr_array((end - begin, parameters.number))
        for label, slopes in enumerate(parameters.scores(ballots, begin, end)):
            believed = slopes.multiply(posterior[:, label][:, None]).tocsr()
            mean += believed
            total += slopes.T @ believed
        total -= mean.T @ mean
    return total


def _second_order(parameters: _Parameters, lost: Any) -> Accuracies:
    """Of coins: (D − O)⁻¹ = D⁻¹ + D⁻¹OD⁻¹ + D⁻¹OD⁻¹OD⁻¹ + …, of which the diagonal of the first three terms."""
    people, right = len(parameters.accuracy), parameters.accuracy
    own = parameters.behind[:, 0] * right * (1 - right) - lost.diagonal()[:people]
    others = lost.tocsr()[:people, :people]
    others.setdiag(0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = np.where(own > 0, 1 / own, np.nan)
        added = others.multiply(others) @ np.nan_to_num(alone) * alone**2
        se = np.sqrt(alone + added) * right * (1 - right)
    return Accuracies(right, se, UNCLEAR if np.isnan(se).any() else "", second_order=True)

"""How sure an annotator's accuracy is, when neither the labels nor the others' accuracies are known.

The log-likelihood of the answers, labels summed over, has a curvature in the parameters of all annotators (and in how
common the labels are) together: Louis's observed information, which is what complete data would tell less the variance
of it that the hidden labels leave. Its inverse has the uncertainty of everything else in every standard error. Priors
count as in the fit. Accuracies are taken on the scale of log odds, where the curvature is more even.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.coefficients.standard_errors import LOG_ODDS, NORMAL, limits
from accord.consensus.ballots import Ballots
from accord.consensus.em import evidence_of
from accord.consensus.evidence import LabelEvidence

MOST_PARAMETERS = 2_000  # a dense matrix of them is inverted; beyond, others count to the second order
FULL_SPREAD = 30  # cells of a table for each answer, up to which it multiplies more quickly in full
ROWS_AT_ONCE = 64  # of a triangular matrix
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
        value = np.clip(self.value, 1e-9, 1 - 1e-9)
        return limits(value, self.se, df=NORMAL, confidence=confidence, scale=LOG_ODDS)


def together(each: list[Accuracies]) -> Accuracies:
    """Of several questions: the mean, whose standard error is at most the mean of theirs."""
    if len(each) == 1:
        return each[0]
    undefined = next((one.undefined for one in each if one.undefined), "")
    value, se = (np.mean([getattr(one, name) for one in each], axis=0) for name in ("value", "se"))
    return Accuracies(value, se, undefined, any(one.second_order for one in each))


def accuracies(ballots: Ballots, model: Any, known: IntArray | None) -> Accuracies:
    """Of a fitted model with `log_odds`."""
    parameters = _Parameters.of(ballots, model)
    evidence = evidence_of(model, known)
    if parameters.coins and parameters.number > MOST_PARAMETERS:
        return _second_order(parameters, _lost_between_people(ballots, evidence, parameters))
    try:
        lower = np.asarray(np.linalg.cholesky(_observed_information(ballots, evidence, parameters)), dtype=np.float64)
    except np.linalg.LinAlgError:
        return Accuracies(parameters.accuracy, np.full(len(parameters.accuracy), np.nan), UNCLEAR)
    people, parts = parameters.slopes.shape
    slopes = np.zeros((parameters.number, people))
    slopes[np.arange(people * parts), np.repeat(np.arange(people), parts)] = parameters.slopes.ravel()
    return Accuracies(parameters.accuracy, np.sqrt((_solved(lower, slopes) ** 2).sum(axis=0)))


def _observed_information(ballots: Ballots, evidence: LabelEvidence, parameters: _Parameters) -> FloatArray:
    """(parameters, parameters): Louis's observed information."""
    lost = _lost_by_coins if parameters.coins else _lost_by_tables
    return parameters.complete() - lost(ballots, evidence, parameters)


def _solved(lower: FloatArray, right: FloatArray) -> FloatArray:
    """What a lower triangular matrix makes the right side of, some rows at a time.

    SciPy's own takes longer to load (40 ms) than all of this takes for a crowd of sixty.
    """
    found = np.empty_like(right)
    for begin in range(0, len(lower), ROWS_AT_ONCE):
        rows = slice(begin, begin + ROWS_AT_ONCE)
        found[rows] = np.linalg.solve(lower[rows, rows], right[rows] - lower[rows, :begin] @ found[:begin])
    return found


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

    @classmethod
    def of(cls, ballots: Ballots, model: Any) -> _Parameters:
        """Of a fitted model."""
        used = np.nonzero(model.shares > 1e-9)[0]
        free = used[1:] if model.given is None else used[:0]
        answered = ballots.n_items if ballots.all_answered else int(np.count_nonzero(np.diff(ballots.starts)))
        items = answered + (0.0 if model.items is None else float(model.items.sum()))
        accuracy, slopes, rows, behind = model.log_odds()
        return cls(accuracy, slopes, rows, behind, model.shares, free, items)

    @property
    def coins(self) -> bool:
        """Has everybody one parameter? Tables have none or several."""
        return bool(self.slopes.shape[1] == 1)

    @property
    def number(self) -> int:
        """How many there are."""
        return int(self.slopes.size + len(self.free))

    def complete(self) -> FloatArray:
        """(parameters, parameters): what the answers would tell if the labels were known."""
        information = np.zeros((self.number, self.number))
        parts = self.rows.shape[2]
        p, own = self.rows.reshape(-1, parts), self.slopes.size
        place = np.arange(own).reshape(-1, parts)
        information[place[:, :, None], place[:, None, :]] = self.behind.reshape(-1, 1, 1) * _spread(p)
        information[own:, own:] = self.items * _spread(self.shares[self.free])
        return information

    def slopes_of_cells(self, label: int, cells: FloatArray) -> FloatArray:
        """(annotators, own parameters of a row, …) from sums over the items that hold a cell (annotators, answers, …).

        Of tables: the slope of an answer's log probability, if the item has the label, in the log odds of each wrong
        answer is whether that was given, less its probability.
        """
        wrong = np.delete(np.arange(cells.shape[1]), label)
        probability = self.rows[:, label].reshape(*self.rows[:, label].shape, *(1,) * (cells.ndim - 2))
        slopes: FloatArray = cells[:, wrong] - probability * cells.sum(axis=1, keepdims=True)
        return slopes


def _spread(p: FloatArray) -> FloatArray:
    """(…, n, n): the covariances of one draw from shares (…, n) and the share that is left out."""
    covariances: FloatArray = p[..., :, None] * (np.eye(p.shape[-1]) - p[..., None, :])
    return covariances


def _posterior(ballots: Ballots, evidence: LabelEvidence, begin: int, end: int) -> FloatArray:
    """(items, C); none where nobody answered: nothing was to be told."""
    posterior = evidence.soft(ballots, begin, end)[0]
    if not ballots.all_answered:
        posterior[np.diff(ballots.starts[begin : end + 1]) == 0] = 0.0
    return posterior


def _lost_by_tables(ballots: Ballots, evidence: LabelEvidence, parameters: _Parameters) -> FloatArray:
    """(parameters, parameters): the variance of the slopes under the items' posteriors.

    For every two labels: the covariance of having them, summed over the items that hold each two cells (annotator and
    answer), and then cells to slopes, which takes much less than products of the slopes of every item.
    """
    people, labels, parts = parameters.rows.shape
    answers, free = ballots.n_answers, parameters.free
    own = np.zeros((people, labels, parts, people, labels, parts))
    with_shares = np.zeros((people, labels, parts, len(free)))
    of_shares = np.zeros((len(free), len(free)))
    for begin, end in ballots.spans():
        columns, cells_together = ballots.columns(begin, end), _cells_together(ballots.rows(begin, end))
        covariances = _spread(_posterior(ballots, evidence, begin, end))
        of_shares += covariances[:, free[:, None], free].sum(axis=0)
        for label in range(labels):
            cell_covariances = (columns @ covariances[:, label, free]).reshape(people, answers, -1)
            with_shares[:, label] += parameters.slopes_of_cells(label, cell_covariances)
            for other in range(label + 1):
                cells = cells_together(covariances[:, label, other]).reshape(people, answers, people, answers)
                towards = _exchanged(parameters.slopes_of_cells(label, cells))
                own[:, label, :, :, other] += _exchanged(parameters.slopes_of_cells(other, towards))
    for label in range(labels):
        for other in range(label):
            own[:, other, :, :, label] = _exchanged(own[:, label, :, :, other])
    size = parameters.slopes.size
    beside = with_shares.reshape(size, -1)
    return np.block([[own.reshape(size, size), beside], [beside.T, of_shares]])


def _cells_together(rows: Any) -> Callable[[FloatArray], FloatArray]:
    """From weights of items to sums (cells, cells) over the items that hold every two cells.

    By a table in full where answers fill it well (a few people answered everything), else by sparse products.
    """
    if rows.shape[0] * rows.shape[1] <= FULL_SPREAD * rows.nnz:
        full = rows.toarray()
        turned = np.ascontiguousarray(full.T)
        return lambda weights: (turned * weights) @ full
    columns, number = rows.T.tocsr(), np.diff(rows.indptr)

    def summed(weights: FloatArray) -> FloatArray:
        weighted = rows.copy()
        weighted.data = rows.data * np.repeat(weights, number)
        cells: FloatArray = (columns @ weighted).toarray()
        return cells

    return summed


def _exchanged(pairs: FloatArray) -> FloatArray:
    """Of pairs of people, each with two axes: the second before the first."""
    return pairs.transpose(2, 3, 0, 1)


def _lost_by_coins(ballots: Ballots, evidence: LabelEvidence, parameters: _Parameters) -> FloatArray:
    """The same of coins: a slope is 1 if the item has the label that was answered, and else 0."""
    free, people = parameters.free, parameters.slopes.size
    lost = np.zeros((parameters.number, parameters.number))
    own, with_shares, of_shares = lost[:people, :people], lost[:people, people:], lost[people:, people:]
    for begin, end in ballots.spans():
        posterior = _posterior(ballots, evidence, begin, end)
        probable = posterior[:, free]
        if ballots.full is not None:
            together, mean, rights = _of_few_items(ballots, ballots.full[begin:end], posterior)
        else:
            answered, right, mean = _slopes_of_coins(ballots, posterior, begin)
            together, rights = _between(answered, right, mean).toarray(), _rights_by_label(ballots, posterior, begin)
        own += together
        with_shares += rights[:, free] - mean.T @ probable
        of_shares += np.diag(probable.sum(axis=0)) - probable.T @ probable
    lost[people:, :people] = with_shares.T
    return lost


def _of_few_items(
    ballots: Ballots, full: FloatArray, posterior: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The covariances of being right (annotators, annotators), how often everybody is right on an item, and with each
    label, from tables in full.
    """
    answered = full.reshape(len(full), ballots.n_annotators, ballots.n_answers)
    right = answered * posterior[:, None, :]
    mean = right.sum(axis=2)
    by_person = (table.transpose(0, 2, 1).reshape(-1, ballots.n_annotators) for table in (answered, right))
    given, hits = by_person
    return given.T @ hits - mean.T @ mean, mean, right.sum(axis=0)


def _lost_between_people(ballots: Ballots, evidence: LabelEvidence, parameters: _Parameters) -> Any:
    """The same without the shares, sparse: thousands of people hardly ever meet."""
    from scipy.sparse import csr_array

    total = csr_array((parameters.slopes.size, parameters.slopes.size))
    for begin, end in ballots.spans():
        total += _between(*_slopes_of_coins(ballots, _posterior(ballots, evidence, begin, end), begin))
    return total


def _between(answered: Any, right: Any, mean: Any) -> Any:
    """(annotators, annotators), sparse: the covariances of being right, summed over items."""
    return answered.T @ right - mean.T @ mean


def _slopes_of_coins(ballots: Ballots, posterior: FloatArray, begin: int) -> tuple[Any, Any, Any]:
    """Sparse, a column per annotator: their answers by item and label, how often those are right, and that by item."""
    from scipy.sparse import csr_array

    items, labels = posterior.shape
    item, (cell, often) = ballots.entry_items(begin, begin + items), ballots.entries(begin, begin + items)
    person, answer = np.divmod(cell, ballots.n_answers)
    right, place = often * posterior[item, answer], (item * labels + answer, person)
    answers, by_item = (items * labels, ballots.n_annotators), (items, ballots.n_annotators)
    return (
        csr_array((often, place), shape=answers),
        csr_array((right, place), shape=answers),
        csr_array((right, (item, person)), shape=by_item),
    )


def _rights_by_label(ballots: Ballots, posterior: FloatArray, begin: int) -> FloatArray:
    """(annotators, labels): how many of somebody's answers with a label are expected to be right."""
    end = begin + len(posterior)
    cell, often = ballots.entries(begin, end)
    right = often * posterior[ballots.entry_items(begin, end), cell % ballots.n_answers]
    return add_up(cell, right, ballots.width).reshape(ballots.n_annotators, ballots.n_answers)


def _second_order(parameters: _Parameters, lost: Any) -> Accuracies:
    """Of coins: (D − O)⁻¹ = D⁻¹ + D⁻¹OD⁻¹ + D⁻¹OD⁻¹OD⁻¹ + …, of which the diagonal of the first three terms."""
    right = parameters.accuracy
    own = parameters.behind[:, 0] * right * (1 - right) - lost.diagonal()
    others = lost.tocsr()
    others.setdiag(0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = np.where(own > 0, 1 / own, np.nan)
        added = others.multiply(others) @ np.nan_to_num(alone) * alone**2
        se = np.sqrt(alone + added) * right * (1 - right)
    return Accuracies(right, se, UNCLEAR if np.isnan(se).any() else "", second_order=True)

r"""The sequence model: what somebody says of a token depends on its true tag and on what they said of the one before.

Simpson & Gurevych 2019 (BSC-seq), without words: true tags :math:`t` are a chain with steps :math:`T`, in which only
legal steps are possible; annotator :math:`k` tags token :math:`i` as :math:`y` with probability

.. math:: P(y_i = a \mid t_i = j, y_{i-1} = b) = \pi^{(k)}_{j, b, a}

Rows of both are drawn from Dirichlet distributions, and inference is variational: forward–backward with
:math:`\exp E[\log \pi]`, then expected counts. The prior of a row is what the annotator does with that true tag
whatever they said before, worth `HISTORY` answers, which leans on what everybody does (the centre of the prior that
Dawid & Skene's tables learn from a crowd), worth `CROWD` answers, and on `prior` answers in every cell. So a rare
history costs an annotator little, and a person of few answers is taken to be like the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.em import OnIteration
from accord.consensus.learned_prior import group_rows
from accord.consensus.method_outcome import Progressed
from accord.consensus.spans.chains import Chains, Posteriors, Steps, legal_steps
from accord.consensus.spans.token_answers import OUTSIDE, TokenAnswers

HISTORY = 30.0  # answers that an annotator's table without history is worth in each row of that with history
CROWD = 10.0  # answers that everybody's table is worth in an annotator's
PRIOR = 0.1  # answers in every cell beforehand
STEP = 1.0  # steps of each legal kind beforehand
LONGEST = 20_000  # tokens of an item: documents walk together, a step of the longest at a time
ITERATIONS = 200
TOLERANCE = 1e-4  # of the probability of a tag


@dataclass(frozen=True, eq=False)
class Sequences:
    """A fitted model: its posteriors, and how everybody answers."""

    posteriors: Posteriors
    mass: FloatArray  # (annotators, true tags, answers) expected answers, whatever was said before
    progress: Progressed


def fit(
    answers: TokenAnswers, *, prior: float = PRIOR, iterations: int = ITERATIONS, tolerance: float = TOLERANCE,
    on_iteration: OnIteration | None = None,
) -> Sequences:  # fmt: skip
    """From vote shares to where no probability moves any more."""
    counting, saying = _Counting(answers), _Saying(answers)
    begins, may_follow = legal_steps(answers.n_tags)
    posterior = start(answers)
    steps = Steps(answers.offset)
    begun, followed = _begun_and_followed(answers, posterior)
    changes: list[float] = []
    for number in range(1, iterations + 1):
        counts = counting(posterior)
        first = np.where(begins, np.exp(_expected_log(np.where(begins, begun + STEP, 1.0), 0, begins)), 0.0)
        legal = np.where(may_follow, followed + STEP, 1.0)
        follows = np.where(may_follow, np.exp(_expected_log(legal, 1, may_follow)), 0.0)
        logs = _expected_log(counts + _row_prior(counts, prior), 2)
        posteriors = Chains(steps, saying(logs), first, follows).posteriors()
        begun, followed = posteriors.begun, posteriors.followed
        changes.append(float(np.abs(posteriors.tags - posterior).max(initial=0.0)))
        posterior = posteriors.tags
        if on_iteration:
            on_iteration(number, iterations, changes[-1])
        if changes[-1] <= tolerance:
            break
    progress = Progressed(
        "largest change of a probability", tuple(changes), changes[-1] <= tolerance, posteriors.log_likelihood
    )
    mass = counting(posterior).sum(axis=1).transpose(0, 2, 1)
    return Sequences(posteriors, mass, progress)


def start(answers: TokenAnswers) -> FloatArray:
    """(N, tags): shares of votes; a token that nobody answered is outside."""
    votes = answers.votes
    number = votes.sum(axis=1, keepdims=True)
    shares = votes / np.maximum(number, 1)
    shares[number[:, 0] == 0, OUTSIDE] = 1.0
    return np.asarray(shares)


def _begun_and_followed(answers: TokenAnswers, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    firsts = answers.offset[:-1][np.diff(answers.offset) > 0]
    follows = np.ones(answers.n_tokens, dtype=np.bool_)
    follows[firsts] = False
    after = np.nonzero(follows)[0]
    return shares[firsts].sum(axis=0), shares[after - 1].T @ shares[after]


def _row_prior(counts: FloatArray, prior: float) -> FloatArray:
    """(annotators, 1, answers, true tags): pseudo-answers of a row, whatever was said before."""
    crowd = group_rows(counts.sum(axis=(0, 1)).T).T
    own = counts.sum(axis=1) + CROWD * crowd + prior
    return np.asarray(HISTORY * (own / own.sum(axis=1, keepdims=True))[:, None])


def _expected_log(counts: FloatArray, axis: int, among: BoolArray | None = None) -> FloatArray:
    """E[log p] of Dirichlet rows along an axis; only what is possible counts among them."""
    from scipy.special import digamma

    total = (counts if among is None else counts * among).sum(axis=axis, keepdims=True)
    return np.asarray(digamma(counts) - digamma(total))


class _Counting:
    """Expected answers (annotators, said before, answers, true tags) from the posterior of each token."""

    def __init__(self, answers: TokenAnswers) -> None:
        from scipy.sparse import csr_matrix

        tags = answers.n_tags
        self.shape = (answers.n_annotators, tags, tags, tags)
        cell = (answers.annotator * tags + answers.previous) * tags + answers.tag
        ones = np.ones(len(cell))
        self.table = csr_matrix((ones, (cell, answers.token)), shape=(self.shape[0] * tags**2, answers.n_tokens))

    def __call__(self, posterior: FloatArray) -> FloatArray:
        return np.asarray(self.table @ posterior).reshape(self.shape)


class _Saying:
    """What answers say of the tag of their token, added up token by token."""

    def __init__(self, answers: TokenAnswers) -> None:
        self.answers = answers
        self.begins: IntArray = np.nonzero(np.append(True, np.diff(answers.token) > 0))[0]

    def __call__(self, logs: FloatArray) -> FloatArray:
        answers = self.answers
        log_emissions = np.zeros((answers.n_tokens, answers.n_tags))
        if len(answers.token):
            each = logs[answers.annotator, answers.previous, answers.tag]
            log_emissions[answers.token[self.begins]] = np.add.reduceat(each, self.begins, axis=0)
        return log_emissions

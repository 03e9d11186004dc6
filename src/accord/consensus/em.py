"""Expectation and maximisation, once for every model whose answers depend on annotator and true label alone.

Such a model is a table: log P(answer | label) for each annotator. The E step turns answers into posteriors, block by
block and in log space; what the M step needs is one sum, the expected number of times each annotator gave each answer
to an item of each label. So an engine that can join and group by can run the same model: only that table travels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.ballots import Ballots
from accord.consensus.checkpoints import Checkpoint, Reached
from accord.consensus.evidence import LabelEvidence, column_sums, votes

ITERATIONS = 1000
TOLERANCE = 1e-9  # of the log-likelihood, per answer
LEAST = -1e300  # below the log of any probability, and still a number
OnIteration: TypeAlias = Callable[[int, int, float], None]  # iteration, of at most, objective


class Model(Protocol):
    """The parameters of a model; each M step makes a new one. What returns something here is a default."""

    @property
    def objective(self) -> str:
        """What never falls: "log-likelihood", "log posterior" or "evidence bound"."""

    def table(self) -> FloatArray:
        """(cells, C): log P(annotator gives answer | label)."""

    def log_shares(self) -> FloatArray:
        """(C,): log P(label)."""

    @property
    def settled(self) -> bool:
        """Will the priors of all that follow be the same? Until then the objective means something else each time."""
        return True

    def taught(self) -> FloatArray | None:
        """(cells, C): what an answer says less once its item no longer teaches the model; None where that is left."""
        return None

    def penalty(self) -> float:
        """What the objective adds to the log-likelihood: the log density of the priors, up to a constant."""

    def improved(self, mass: FloatArray, labels: FloatArray) -> Model:
        """The M step: from expected answers (annotators, K, C) and expected items of each label (C,)."""

    def known_rows(self) -> BoolArray | bool:
        """(annotators, C, 1): of which rows of the confusion tables is anything known? By default of all."""
        return True

    def for_errors(self, ballots: Ballots, known: IntArray | None) -> Model | None:
        """The model under which accuracies have errors: with `log_odds`. By default that of one coin."""
        return None


@dataclass(frozen=True, eq=False)
class Fit:
    """A model that stands still, and how it came to."""

    model: Any
    plain: LabelEvidence  # of the model, which every item taught
    objective: str
    trace: tuple[float, ...]  # the objective after each iteration, from when the prior stays; it never falls
    log_likelihood: float  # of the annotations, labels summed over (known ones given)
    iterations: int
    converged: bool
    start: int = 0  # which start it came from: 0 is the votes, the others are random

    @cached_property
    def evidence(self) -> LabelEvidence:
        """The same, with what an item taught the model left out where its own label is judged."""
        return replace(self.plain, taught=self.model.taught())

    @property
    def confusion(self) -> FloatArray:
        """(annotators, C, K): everybody's table; NaN in a row of which nothing is known."""
        return np.where(self.model.known_rows(), self.model.confusion, np.nan)


def mass_of(ballots: Ballots, evidence: LabelEvidence) -> tuple[FloatArray, FloatArray, float]:
    """The E step and its sums: expected answers (annotators, K, C), expected items (C,) and the log-likelihood."""
    whole = ballots.all_answered

    def work(begin: int, end: int) -> tuple[FloatArray, FloatArray, float]:
        soft, log_weight = evidence.soft(ballots, begin, end)
        if not whole:  # an item without an answer says nothing of the labels' shares
            answered = np.diff(ballots.starts[begin : end + 1]) > 0
            soft[~answered] = 0.0
            log_weight = log_weight[answered]
        return ballots.over_items(begin, end, soft), column_sums(soft), float(log_weight.sum())

    mass, labels, log_likelihood = ballots.total_of(work)
    return mass.reshape(ballots.n_annotators, ballots.n_answers, -1), labels, log_likelihood


@dataclass(frozen=True, eq=False)
class Sums:
    """Where the sums come from: blocks of ballots in memory, or queries in an engine."""

    mass_of: Callable[[LabelEvidence], tuple[FloatArray, FloatArray, float]]
    total: int  # answers
    digest: Callable[[], str] | None = None  # of who said what of which item, where that is in memory


def fit(
    ballots: Ballots, first: Callable[[FloatArray, FloatArray], Model], known: IntArray | None = None, **climb: Any
) -> Fit:
    """The same of answers in memory."""
    sums = Sums(lambda evidence: mass_of(ballots, evidence), ballots.total, ballots.digest)
    return fit_to(sums, votes(ballots, known=known), first, **climb)


def fit_to(
    sums: Sums,
    start: LabelEvidence,
    first: Callable[[FloatArray, FloatArray], Model],
    *,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
    restarts: int = 0,
    rng: np.random.Generator | None = None,
    on_iteration: OnIteration | None = None,
    checkpoint: Checkpoint | None = None,
) -> Fit:
    """From the votes, and from random starts if asked, to where the objective stands still; the best of them.

    With a checkpoint the model of each iteration is kept in a file, and one that lies there is gone on with.
    """
    known = start.known
    if checkpoint is not None:
        with checkpoint.kept():
            begun = _begun(sums, start, first, checkpoint)
            return _climb(sums, begun, known, iterations, tolerance, on_iteration, keep=checkpoint.keep)
    mass, labels, _ = sums.mass_of(start)
    best = _climb(sums, Reached(first(mass, labels)), known, iterations, tolerance, on_iteration)
    for number in range(1, restarts + 1):
        rng = rng or np.random.default_rng(0)
        shaken = mass * rng.gamma(0.5, size=mass.shape)  # few large, many small: starts differ in kind
        begin = first(shaken, labels)
        if not begin.settled:  # objectives compare under one prior: that which was learned from the votes on
            begin = best.model.improved(shaken, labels)
        found = _climb(sums, Reached(begin), known, iterations, tolerance, on_iteration, start=number)
        if found.trace[-1] > best.trace[-1] + tolerance * sums.total:
            best = found
    return best


def _begun(
    sums: Sums, start: LabelEvidence, first: Callable[[FloatArray, FloatArray], Model], checkpoint: Checkpoint
) -> Reached:
    """What lies in the checkpoint, if it is of the same answers; else the model of the votes.

    In an engine it is known how often each annotator gave each label, which takes one more pass where a fit goes on.
    """
    if sums.digest is not None:
        checkpoint.belongs_to("who said what", sums.digest())
        return checkpoint.found() or Reached(first(*sums.mass_of(start)[:2]))
    mass, labels, _ = sums.mass_of(start)
    given = np.rint(mass.sum(axis=2)).astype(np.int64)
    checkpoint.belongs_to("how often each label was given", hashlib.sha256(given.tobytes()).hexdigest())
    return checkpoint.found() or Reached(first(mass, labels))


def refit(ballots: Ballots, model: Model, known: IntArray | None = None) -> Fit:
    """A model from where its parameters are to where the objective stands still, under the prior it has now."""
    sums = Sums(lambda evidence: mass_of(ballots, evidence), ballots.total)
    return _climb(sums, Reached(model), known, ITERATIONS, TOLERANCE, None)


def _climb(
    sums: Sums,
    begun: Reached,
    known: IntArray | None,
    iterations: int,
    tolerance: float,
    on_iteration: OnIteration | None,
    *,
    keep: Callable[[Reached], None] | None = None,
    start: int = 0,
) -> Fit:
    model, trace, comparable = begun.model, list(begun.trace), begun.comparable
    held = _held(known)
    converged = False
    iterations = max(iterations, begun.iterations + 1)
    for step in range(begun.iterations + 1, iterations + 1):
        evidence = evidence_of(model, known, held)
        mass, labels, log_likelihood = sums.mass_of(evidence)
        former_trace, last = trace if comparable else [], step == iterations
        comparable = model.settled
        compared = comparable or former_trace or last or on_iteration or keep  # else nobody will look at the objective
        trace = [*former_trace, log_likelihood + float(model.penalty()) if compared else np.nan]
        if on_iteration:
            on_iteration(step, iterations, trace[-1])
        converged = len(trace) > 1 and trace[-1] - trace[-2] <= tolerance * max(sums.total, 1)
        if converged or last:
            break
        model = model.improved(mass, labels)
        if keep is not None:
            keep(Reached(model, step, tuple(trace), comparable))
    return Fit(model, evidence, model.objective, tuple(trace), log_likelihood, step, converged, start)


def evidence_of(model: Model, known: IntArray | None, held: IntArray | None = None) -> LabelEvidence:
    """What the parameters of a model say of each answer; `held` are the labels that are known of some item."""
    held = _held(known) if held is None else held
    return LabelEvidence("posterior", _offset(model, held), model.table(), known=known)


def _held(known: IntArray | None) -> IntArray | None:
    return None if known is None else np.unique(known[known >= 0])


def _offset(model: Model, held: IntArray | None) -> FloatArray:
    """The labels' log shares; of labels that an item is known to hold never −∞.

    An item nobody answered says nothing of the shares, so its known label may have learned a share of 0. The item has
    that label all the same, and no other item takes it.
    """
    logs = model.log_shares()
    if held is not None:
        logs[held] = np.maximum(logs[held], LEAST)
    return logs


def log(values: FloatArray) -> FloatArray:
    """The logarithm, with log 0 = −∞ as a matter of course."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def shares_from(labels: FloatArray, given: FloatArray | None, pseudo: FloatArray | float = 0.0) -> FloatArray:
    """The labels' shares: fixed ones, or learned from expected items (and pseudo-items); even where there are none."""
    if given is not None:
        return given if labels.ndim == 1 else np.broadcast_to(given, labels.shape)
    counted = labels + pseudo
    return shared(counted, counted.sum(axis=-1, keepdims=True), labels.shape[-1])


def shared(counted: FloatArray, total: FloatArray, number: int) -> FloatArray:
    """Counts as shares of their total; even among so many where there is none."""
    if (total > 0).all():  # as nearly always
        return np.asarray(counted / total)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total > 0, counted / total, 1 / number)

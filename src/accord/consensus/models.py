"""The models by name: each from ballots and options to an outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.consensus import em
from accord.consensus.ballots import Ballots
from accord.consensus.dawid_skene import DawidSkene
from accord.consensus.mace import Mace
from accord.consensus.one_coin import OneCoin
from accord.consensus.outcome import Ask, Outcome, Progressed

First = Callable[[FloatArray, FloatArray], Any]


def first_dawid_skene(ballots: Ballots, ask: Ask) -> First:
    """The starting model of Dawid & Skene."""
    number = ballots.n_answers
    pseudo = np.zeros((number, number)) if ask.pseudo is None else ask.pseudo
    given = ask.fixed_shares(number, "learned")
    return lambda mass, labels: DawidSkene.from_mass(mass, labels, pseudo, given)


def first_one_coin(ballots: Ballots, ask: Ask) -> First:
    """The starting model with one accuracy an annotator."""
    given, (right, wrong) = ask.fixed_shares(ballots.n_answers, "uniform"), ask.right_and_wrong()
    return lambda mass, labels: OneCoin.from_mass(mass, labels, right, wrong, given)


def first_one_accuracy(ballots: Ballots, ask: Ask) -> First:
    """The starting model with one accuracy for all: the majority as a model."""
    even, (right, wrong) = np.full(ballots.n_answers, 1 / ballots.n_answers), ask.right_and_wrong()
    return lambda mass, labels: OneCoin.from_mass(mass, labels, right, wrong, even, pooled=True)


def first_mace(ballots: Ballots, ask: Ask) -> First:
    """The starting model of MACE."""
    given = ask.fixed_shares(ballots.n_answers, "uniform")
    return lambda mass, labels: Mace.at_start(mass, labels, given, ask.inference)  # type: ignore[arg-type]


FIRST: dict[str, Callable[[Ballots, Ask], First]] = {
    "one-accuracy": first_one_accuracy,
    "one-coin": first_one_coin,
    "dawid-skene": first_dawid_skene,
    "mace": first_mace,
}


def fitted(name: str, ballots: Ballots, ask: Ask) -> em.Fit:
    """A model fitted to the ballots."""
    return em.fit(ballots, FIRST[name](ballots, ask), ask.known, **ask.climb)


def _outcome(found: em.Fit, ballots: Ballots, weights: FloatArray, weights_are: str) -> Outcome:
    progress = Progressed(found.objective, found.trace, found.converged, found.log_likelihood, found.start)
    model = found.model
    return Outcome.of(
        ballots, found.evidence, progress=progress, weights=weights, weights_are=weights_are,
        confusion=model.confusion, shares=model.shares, details={"model": model},
    )  # fmt: skip


def outcome_of(found: em.Fit, ballots: Ballots, name: str) -> Outcome:
    """A fitted model's labels, and what it learned of the annotators."""
    model = found.model
    if name == "dawid-skene":
        return _outcome(found, ballots, np.einsum("jcc,c->j", model.confusion, model.shares), "accuracy")
    if name == "mace":
        return _outcome(found, ballots, model.competence, "competence")
    return _outcome(found, ballots, model.accuracy, "accuracy")


def dawid_skene(ballots: Ballots, ask: Ask) -> Outcome:
    """A confusion table for each annotator."""
    return outcome_of(fitted("dawid-skene", ballots, ask), ballots, "dawid-skene")


def one_coin(ballots: Ballots, ask: Ask) -> Outcome:
    """One accuracy for each annotator."""
    return outcome_of(fitted("one-coin", ballots, ask), ballots, "one-coin")


def mace(ballots: Ballots, ask: Ask) -> Outcome:
    """Knowing or guessing."""
    return outcome_of(fitted("mace", ballots, ask), ballots, "mace")

"""The models by name: each from ballots and options to an outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.consensus import em
from accord.consensus.ballots import Ballots
from accord.consensus.dawid_skene import FEW_ANSWERS, DawidSkene
from accord.consensus.evidence import LabelEvidence, choose
from accord.consensus.learned_prior import LEARNED
from accord.consensus.mace import Mace
from accord.consensus.majority import majority
from accord.consensus.method_outcome import VOTED, Options, Outcome, Progressed
from accord.consensus.one_coin import OneCoin
from accord.consensus.table_sizes import too_many
from accord.errors import Message, keyword, remedy

NOTHING_LEARNED = (
    "No item was answered by two annotators, so nothing can be learned of who is right: the labels are the answers "
    "given, without a confidence."
)
First = Callable[[FloatArray, FloatArray], Any]


def first_dawid_skene(ballots: Ballots, options: Options) -> First:
    """The starting model of Dawid & Skene."""
    number = ballots.n_answers
    pseudo = np.zeros((number, number)) if options.pseudo is None else options.pseudo
    given, steps = options.fixed_shares(number, "learned"), 0 if options.learn else None
    return lambda mass, labels: DawidSkene.from_mass(mass, labels, pseudo, given, steps)


def first_one_coin(ballots: Ballots, options: Options) -> First:
    """The starting model with one accuracy per annotator."""
    given, (right, wrong) = options.fixed_shares(ballots.n_answers, "uniform"), options.right_and_wrong()
    steps = 0 if options.learn else None
    return lambda mass, labels: OneCoin.from_mass(mass, labels, right, wrong, given, steps=steps)


def first_one_accuracy(ballots: Ballots, options: Options) -> First:
    """The starting model with one accuracy for all: the majority as a model."""
    even, (right, wrong) = np.full(ballots.n_answers, 1 / ballots.n_answers), options.right_and_wrong()
    return lambda mass, labels: OneCoin.from_mass(mass, labels, right, wrong, even, pooled=True)


def first_mace(ballots: Ballots, options: Options) -> First:
    """The starting model of MACE."""
    given = options.fixed_shares(ballots.n_answers, "uniform")
    return lambda mass, labels: Mace.at_start(mass, labels, given, options.inference)  # type: ignore[arg-type]


FIRST: dict[str, Callable[[Ballots, Options], First]] = {
    "one-accuracy": first_one_accuracy,
    "one-coin": first_one_coin,
    "dawid-skene": first_dawid_skene,
    "mace": first_mace,
}
KINDS = {"one-coin": OneCoin, "dawid-skene": DawidSkene, "mace": Mace}


def fitted(name: str, ballots: Ballots, options: Options) -> em.Fit:
    """A model fitted to the ballots."""
    return em.fit(ballots, FIRST[name](ballots, options), options.known, **options.iteration)


def progressed(found: em.Fit) -> Progressed:
    """How a fit came to stand still."""
    return Progressed(
        found.objective, found.trace, found.converged, found.log_likelihood, found.start,
        before=found.iterations - len(found.trace),
    )  # fmt: skip


def _outcome(found: em.Fit, ballots: Ballots, weights: FloatArray, weights_are: str) -> Outcome:
    model, progress = found.model, progressed(found)
    return Outcome.of(
        ballots, found.evidence, progress=progress, weights=weights, weights_are=weights_are,
        confusion=found.confusion, shares=model.shares, details={"model": model},
    )  # fmt: skip


def outcome_of(found: em.Fit, ballots: Ballots, name: str) -> Outcome:
    """A fitted model's labels, and what it learned of the annotators."""
    model = found.model
    if name == "dawid-skene":
        return _outcome(found, ballots, np.einsum("jcc,c->j", model.confusion, model.shares), "accuracy")
    if name == "mace":
        return _outcome(found, ballots, model.competence, "competence")
    return _outcome(found, ballots, model.accuracy, "accuracy")


def voted(ballots: Ballots, options: Options) -> Outcome:
    """The majority, as sure as the model of one accuracy for all is; without any skill everything is as likely."""
    plain, number = majority(ballots, options), ballots.n_answers
    if too_many(ballots):
        return plain
    found = fitted("one-accuracy", ballots.all_alike(), options)
    right = max(float(found.model.accuracy[0]), 1 / number)
    weight = np.log(right * max(number - 1, 1) / (1 - right)) if number > 1 else 0.0
    weights = np.full(ballots.n_annotators, weight)
    evidence = LabelEvidence("posterior", np.zeros(number), weights=weights, known=options.known)
    sure = choose(ballots, evidence).confidence  # the label with the most votes is the most probable one
    return Outcome(ballots, evidence, replace(plain.choices, confidence=sure), details={VOTED: True})


def few_answers(answers: int, annotators: int, labels: int, options: Options) -> tuple[str, ...]:
    """Says that Dawid & Skene's tables rest on little; nothing where they do not."""
    each = answers / max(annotators * labels, 1)
    if options.learn or each >= FEW_ANSWERS:
        return ()
    sentence = (
        f"Dawid–Skene learned how annotators confuse labels from {each:.1f} answers per annotator and label: with so "
        "few, its confidence is too high."
    )
    return (Message(sentence, " A prior learned from the crowd tempers it: ", remedy(prior=LEARNED), "."),)


def not_converged() -> Message:
    """Said of a model whose iteration ran out."""
    return Message(
        "The iteration was stopped before it converged: raise ",
        keyword("iterations"),
        ", or loosen ",
        keyword("tolerance"),
        ".",
    )


def dawid_skene(ballots: Ballots, options: Options) -> Outcome:
    """A confusion table for each annotator."""
    outcome = outcome_of(fitted("dawid-skene", ballots, options), ballots, "dawid-skene")
    people = int(np.count_nonzero(ballots.answered))
    return replace(outcome, notes=few_answers(ballots.total, people, ballots.n_answers, options))


def one_coin(ballots: Ballots, options: Options) -> Outcome:
    """One accuracy for each annotator."""
    return outcome_of(fitted("one-coin", ballots, options), ballots, "one-coin")


def mace(ballots: Ballots, options: Options) -> Outcome:
    """Knowing or guessing."""
    return outcome_of(fitted("mace", ballots, options), ballots, "mace")

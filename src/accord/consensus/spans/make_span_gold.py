"""Gold of spans by name: the methods, what each takes, and which is taken where nobody says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.consensus.em import ITERATIONS, TOLERANCE, OnIteration
from accord.consensus.fit_models import not_converged
from accord.consensus.learned_prior import LEARNED
from accord.consensus.method_outcome import Options
from accord.consensus.methods import check_method, check_taken
from accord.consensus.option_values import check_values, is_learned, pseudo_answers, word
from accord.consensus.spans import sequence_model
from accord.consensus.spans.marked_units import Decided, Marked, seen_by
from accord.consensus.spans.span_gold import SpanGold
from accord.consensus.spans.span_methods import DAWID_SKENE, MAJORITY, SEQUENCE, SPAN_METHODS, TOKEN_MAJORITY
from accord.consensus.spans.token_answers import TokenAnswers, UnitsOnTokens
from accord.consensus.spans.token_methods import TOKEN_TIES, TRANSITIONS, dawid_skene, sequence, token_majority
from accord.consensus.spans.unit_vote import MATCHES, TIES, unit_vote
from accord.consensus.table_sizes import MOST_NUMBERS
from accord.errors import Keyword, OptionError, counted, json_value
from accord.options import check_positive, is_number
from accord.spans.continuum import Continuum
from accord.study.study import Study

LEAST_PEOPLE = 3  # two who differ do not tell who is right
LEAST_UNITS = 30  # per annotator: with fewer, how somebody tags cannot be told


def gold_of_spans(
    study: Study, method: str, given: Mapping[str, Any], known: Any, on_iteration: OnIteration | None
) -> SpanGold:
    """The gold of a study of spans."""
    check_method(method, SPAN_METHODS, "spans")
    if known is not None:
        raise OptionError(
            Keyword("known"), " fixes the label of an item; units of spans are decided by a person: fill in the queue."
        )
    continuum = Continuum.of(study)
    marked = Marked.of(continuum)
    notes: tuple[str, ...] = ()
    laid = None if method == MAJORITY else UnitsOnTokens.of(study)
    by_units = laid is None or (method == "auto" and bool(laid.untaggable.any()))
    answers = None if by_units or laid is None else TokenAnswers.of(study, laid)
    if method == "auto":
        method, why = chosen(continuum, answers)
        notes = (why,)
    _check_options(method, given)
    if method == MAJORITY or answers is None:
        found = unit_vote(continuum, marked, **{name: given[name] for name in ("ties", "match") if name in given})
    else:
        notes += _token_notes(answers)
        found = _by_tokens(method, answers, marked, given, on_iteration)
    notes += (*found.notes, *_alone(continuum))
    if found.progress is not None and not found.progress.converged:
        notes += (not_converged(),)
    options = {name: json_value(value) if is_number(value) else str(value) for name, value in given.items()}
    return SpanGold(
        study, method, SPAN_METHODS[method].title, "spans", options=options, notes=notes, continuum=continuum,
        marked=marked, found=found,
    )  # fmt: skip


def chosen(continuum: Continuum, answers: TokenAnswers | None) -> tuple[str, str]:
    """The method that fits, and why."""
    if answers is None:
        return MAJORITY, (
            "Chosen: the majority of units, as some spans overlap or lie in pieces, which no tag of a token can say."
        )
    people, shared = int(continuum.seen.any(axis=0).sum()), int((seen_by(continuum) > 1).sum())
    if people < LEAST_PEOPLE:
        return MAJORITY, (
            f"Chosen: the majority of units, as {counted(people, 'annotators')} cannot tell who of them is right."
        )
    each = continuum.n_units / people
    if not shared or each < LEAST_UNITS:
        return MAJORITY, (
            f"Chosen: the majority of units, as {each:.1f} units per annotator and {counted(shared, 'items')} that "
            f"several saw do not tell how each of them marks (the sequence model needs {LEAST_UNITS} units each)."
        )
    longest = int(np.diff(answers.offset).max(initial=0))
    if longest > sequence_model.LONGEST or answers.n_annotators * answers.n_tags**3 > MOST_NUMBERS:
        return (
            MAJORITY,
            "Chosen: the majority of units, as items are too long or labels too many for the sequence model.",
        )
    return SEQUENCE, (
        f"Chosen: the sequence model, as spans do not overlap and {each:,.0f} units per annotator tell how each of "
        "them marks."
    )


def _by_tokens(
    method: str, answers: TokenAnswers, marked: Marked, given: Mapping[str, Any], on_iteration: OnIteration | None
) -> Decided:
    if method == TOKEN_MAJORITY:
        return token_majority(answers, marked, given)
    if method == DAWID_SKENE:
        return dawid_skene(answers, marked, given, _dawid_skene_options(given, answers.n_tags, on_iteration))
    numbers = {**given, "prior": _cells(given["prior"])} if "prior" in given else given
    return sequence(answers, marked, numbers, on_iteration)


def _dawid_skene_options(given: Mapping[str, Any], number: int, on_iteration: OnIteration | None) -> Options:
    prior = given.get("prior")
    pseudo: FloatArray | None = pseudo_answers(prior, number)
    return Options(
        pseudo=pseudo, learn=is_learned(prior), iterations=given.get("iterations", ITERATIONS),
        tolerance=given.get("tolerance", TOLERANCE), on_iteration=on_iteration,
    )  # fmt: skip


def _cells(prior: Any) -> float:
    """The sequence model leans on the crowd in any case; a number is added to every cell."""
    if isinstance(prior, str) and prior == LEARNED:
        return sequence_model.PRIOR
    check_positive("prior", prior, f"{sequence_model.PRIOR:g} answers in every cell of an annotator's table")
    return float(prior)


def _check_options(method: str, given: Mapping[str, Any]) -> None:
    check_taken(method, given, SPAN_METHODS[method].options, "spans")
    check_values(method, given)
    words = {"ties": TIES if method == MAJORITY else TOKEN_TIES, "match": MATCHES, "transitions": TRANSITIONS}
    for name, choices in words.items():
        if name in given:
            word(name, given[name], choices)


def _token_notes(answers: TokenAnswers) -> tuple[str, ...]:
    if answers.own_tokens:
        return ()
    return (
        "The study does not say where tokens lie; the stretches between all boundaries that were marked are taken.",
    )


def _alone(continuum: Continuum) -> tuple[str, ...]:
    number = int((seen_by(continuum) == 1).sum())
    if not number:
        return ()
    were = "was" if number == 1 else "were"
    return (f"{counted(number, 'items')} {were} seen by one annotator only: nobody could contradict what they marked.",)

"""Spans decided token by token: votes, Dawid & Skene, and the sequence model, each with the units that come of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.majority_rule import leads
from accord.consensus import em, fit_models
from accord.consensus.ballots import Ballots
from accord.consensus.method_outcome import Options
from accord.consensus.spans import sequence_model
from accord.consensus.spans.chains import LEAST, Chains, Posteriors, Steps, legal_steps
from accord.consensus.spans.marked_units import Decided, Marked, UnitPlace
from accord.consensus.spans.token_answers import OUTSIDE, TokenAnswers, covered
from accord.consensus.spans.unit_vote import FIRST, LAST
from accord.consensus.spans.unit_vote import OUTSIDE as OUTSIDE_WINS
from accord.consensus.table_sizes import MOST_NUMBERS
from accord.errors import MeasureError, counted, one_of, remedy

LEGAL, FREE = "legal", "free"
TRANSITIONS = (LEGAL, FREE)
TOKEN_TIES = (FIRST, LAST, OUTSIDE_WINS)


def token_majority(answers: TokenAnswers, marked: Marked, given: Mapping[str, Any]) -> Decided:
    """The tag with the most votes for each token, or the legal tags that have the most together."""
    ties, legal = given.get("ties", FIRST), given.get("transitions", LEGAL) == LEGAL
    votes = answers.votes
    ranked = votes + _preference(answers, ties)
    unanswered = votes.sum(axis=1) == 0
    free = np.where(unanswered, OUTSIDE, ranked.argmax(axis=1))
    tags = free
    if legal:
        first, follows = (may.astype(np.float64) for may in legal_steps(answers.n_tags))
        ranked[unanswered] = np.where(np.arange(answers.n_tags) == OUTSIDE, 0.0, -1.0)
        tags = Chains(Steps(answers.offset), ranked, first, follows).best()
    best = leads(votes, votes.max(axis=1, keepdims=True))
    tied = int(((best.sum(axis=1) > 1) & ~unanswered).sum())
    shares = sequence_model.start(answers)
    first_token, last_token, label = answers.units(tags)
    sure = _least_sure(shares, tags, first_token, last_token)
    notes = (*_tied_note(tied, ties, answers), *_stray_note(answers, tags))
    seen = {place: float(len(people)) for place, people in zip(marked.places, marked.people, strict=True)}
    number = _answered(answers)
    candidates = {place: votes_for / number[place.document] for place, votes_for in seen.items()}
    places = places_of(answers, first_token, last_token, label)
    return Decided.ordered(places, sure.tolist(), "vote share", candidates=candidates, notes=notes)


def dawid_skene(answers: TokenAnswers, marked: Marked, given: Mapping[str, Any], options: Options) -> Decided:
    """Dawid & Skene of tokens; their posteriors, each token by itself or as legal tags of a document."""
    ballots = Ballots.from_codes(
        item=answers.token, annotator=answers.annotator, answer=answers.tag, n_items=answers.n_tokens,
        n_annotators=answers.n_annotators, n_answers=answers.n_tags,
    )  # fmt: skip
    found = fit_models.fitted("dawid-skene", ballots, options)
    soft = found.evidence.all(ballots)
    soft[ballots.per_item == 0] = np.arange(answers.n_tags) == OUTSIDE
    first, follows = (may.astype(np.float64) for may in legal_steps(answers.n_tags))
    posteriors = Chains(Steps(answers.offset), np.log(np.maximum(soft, LEAST)), first, follows).posteriors()
    legal = given.get("transitions", LEGAL) == LEGAL
    tags = posteriors.chains.best() if legal else soft.argmax(axis=1)
    mass = em.mass_of(ballots, found.evidence)[0].transpose(0, 2, 1)
    return _of_posteriors(
        answers, marked, posteriors, tags, progress=fit_models.progressed(found), mass=mass,
        log_likelihood=found.log_likelihood, notes=_stray_note(answers, tags),
    )  # fmt: skip


def sequence(answers: TokenAnswers, marked: Marked, given: Mapping[str, Any], on_iteration: Any) -> Decided:
    """The sequence model, and the most probable tags of each document as a whole."""
    cells = answers.n_annotators * answers.n_tags**3
    if cells > MOST_NUMBERS:
        raise MeasureError(
            f"The sequence model would need {cells:,} numbers for {answers.n_annotators:,} annotators and "
            f"{len(answers.labels):,} labels. Choose ",
            remedy(method=one_of("dawid-skene", "majority")),
            ".",
        )
    longest = int(np.diff(answers.offset).max(initial=0))
    if longest > sequence_model.LONGEST:
        raise MeasureError(
            f"The longest item has {longest:,} tokens, and the sequence model walks through it token by token, again "
            f"and again: at most {sequence_model.LONGEST:,} are taken. Make paragraphs or sentences the items, or "
            "choose ",
            remedy(method=one_of("dawid-skene", "majority")),
            ".",
        )
    fitted = sequence_model.fit(answers, on_iteration=on_iteration, **_of_iteration(given))
    tags = fitted.posteriors.chains.best()
    return _of_posteriors(
        answers, marked, fitted.posteriors, tags, progress=fitted.progress, mass=fitted.mass,
        log_likelihood=fitted.progress.log_likelihood,
    )  # fmt: skip


def _of_iteration(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in ("prior", "iterations", "tolerance") if name in given}


def _of_posteriors(
    answers: TokenAnswers, marked: Marked, posteriors: Posteriors, tags: IntArray, **more: Any
) -> Decided:
    """The units in tags, each with the probability that exactly it is there; so for what anybody marked."""
    first, last, label = answers.units(tags)
    sure = posteriors.units(first, last, label)
    at = _tokens_of(answers, marked)
    probable = posteriors.units(*at)
    candidates = dict(zip(marked.places, probable.tolist(), strict=True))
    names = ["O", *(f"{mark}-{name}" for name in answers.labels for mark in "BI")]
    return Decided.ordered(
        places_of(answers, first, last, label), sure.tolist(), "posterior", candidates=candidates, tags=tuple(names),
        **more,
    )  # fmt: skip


def _tokens_of(answers: TokenAnswers, marked: Marked) -> tuple[IntArray, IntArray, IntArray]:
    """First token, last token and label of what anybody marked."""
    document = np.array([place.document for place in marked.places], dtype=np.int64)
    start = np.array([place.pieces[0] for place in marked.places])
    end = np.array([place.pieces[-1] for place in marked.places])
    label = np.array([place.label for place in marked.places], dtype=np.int64)
    first, last = covered((answers.offset, answers.start, answers.end), document, start, end)
    return first, last, label


def places_of(answers: TokenAnswers, first: IntArray, last: IntArray, label: IntArray) -> list[UnitPlace]:
    """Units of tokens as places in their documents."""
    rows = zip(answers.document[first], answers.start[first], answers.end[last], label, strict=True)
    return [UnitPlace(int(document), (float(start), float(end)), int(of)) for document, start, end, of in rows]


def _preference(answers: TokenAnswers, ties: str) -> FloatArray:
    """(tags,): so little for each tag that it only breaks ties, of a token as of all tokens of a document."""
    longest = int(np.diff(answers.offset).max(initial=1))
    little = 0.5 / (answers.n_tags + 1) / (longest + 1)
    order = np.arange(answers.n_tags, dtype=np.float64)
    if ties == LAST:
        order[1:] = order[:0:-1]
    order[OUTSIDE] = 0.0 if ties == OUTSIDE_WINS else answers.n_tags
    return -little * order


def _least_sure(shares: FloatArray, tags: IntArray, first: IntArray, last: IntArray) -> FloatArray:
    """The least vote share among the tokens of each unit."""
    own = np.append(np.take_along_axis(shares, tags[:, None], axis=1)[:, 0], 1.0)
    if not len(first):
        return np.empty(0)
    return np.asarray(np.minimum.reduceat(own, np.stack((first, last + 1), axis=1).reshape(-1))[::2])


def _answered(answers: TokenAnswers) -> IntArray:
    """(D,): how many people answered anything of each document."""
    both = np.unique(answers.document[answers.token] * answers.n_annotators + answers.annotator)
    return np.bincount(both // answers.n_annotators, minlength=len(answers.offset) - 1)


def _tied_note(tied: int, ties: str, answers: TokenAnswers) -> tuple[str, ...]:
    if not tied:
        return ()
    names = [str(label) for label in (reversed(answers.labels) if ties == LAST else answers.labels)]
    order = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
    outside = "O wins" if ties == OUTSIDE_WINS else "O loses"
    begins = "going on before beginning" if ties == LAST else "beginning before going on"
    are = "token is" if tied == 1 else "tokens are"
    return (f"{tied:,} {are} tied: {outside}, then the order is {order}, {begins}.",)


def _stray_note(answers: TokenAnswers, tags: IntArray) -> tuple[str, ...]:
    """Tags that go on without a beginning, which only free tags can hold."""
    inside = (tags > 0) & (tags % 2 == 0)
    first, last, _ = answers.units(tags)
    stray = int(inside.sum() - (last - first).sum())
    if not stray:
        return ()
    return (f"{counted(stray, 'tokens')} got a tag that goes on without a beginning: they belong to no unit.",)

"""The two methods that read answers whole, single, ranked or sets, rather than one question at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.coefficients.weights import split_mass
from accord.consensus import sharpening
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import Choices, LabelEvidence, choose, votes
from accord.consensus.expert_index import ExpertIndex, expert_index
from accord.consensus.method_outcome import Options, Outcome, Progressed
from accord.consensus.sharpening import Views, sharpen
from accord.errors import Keyword, OptionError
from accord.study.study import Study

PRIMARY = 0.6  # how much the primary label of a ranked answer counts
Known = tuple[BoolArray, BoolArray]


def expert_index_outcomes(
    study: Study, questions: list[Ballots], order: str, codes: IntArray | None, fixed: Known | None
) -> tuple[Outcome, ...]:
    """Algorithm 1 on the whole; then one outcome, or for sets one per label."""
    known = fixed
    if codes is not None:
        known = codes >= 0, np.eye(len(study.labels), dtype=np.bool_)[codes]
    found = expert_index(
        Ballots.of(study._annotations), study.answers.membership, study._appearance, order=order, known=known
    )
    more: dict[str, Any] = {"weights": found.index, "weights_are": "expert coder index (ξ)"}
    if len(questions) == 1 and study.kind == "single":
        evidence = votes(questions[0], known=codes)
        choices = _one_label(found, questions[0])
        return (Outcome(questions[0], evidence, choices, details={"assigned": found.assigned}, **more),)
    outcomes = []
    for place, ballots in enumerate(questions):
        pinned = None if known is None else np.where(known[0], known[1][:, place], -1)
        outcomes.append(
            Outcome(ballots, votes(ballots, known=pinned), _yes_or_no(found, place, ballots, pinned), **more)
        )
    return tuple(outcomes)


def _one_label(found: ExpertIndex, ballots: Ballots) -> Choices:
    """Single labels: an item left with none or with two is undecided."""
    number = found.assigned.sum(axis=1)
    code = np.where(number == 1, found.assigned.argmax(axis=1), -1)
    share = np.take_along_axis(found.held, np.maximum(code, 0)[:, None], axis=1)[:, 0]
    open_items = np.nonzero(code < 0)[0]
    tied = np.where((number > 1)[open_items, None], found.assigned[open_items], found.tied[open_items])
    known_share = np.where(code >= 0, share, np.nan)
    return Choices(code, known_share, open_items, tied & (ballots.per_item > 0)[open_items, None])


def _yes_or_no(found: ExpertIndex, place: int, ballots: Ballots, pinned: IntArray | None) -> Choices:
    """One category of sets: assigned or not; an equal sum does not assign."""
    answered = ballots.per_item > 0
    if pinned is not None:
        answered = answered | (pinned >= 0)
    assigned = found.assigned[:, place]
    code = np.where(answered, assigned, -1).astype(np.int64)
    held = found.held[:, place]
    share = np.where(assigned, held, 1 - held)
    if pinned is not None:
        share = np.where(pinned >= 0, 1.0, share)
    open_items = np.nonzero(code < 0)[0]
    return Choices(code, share, open_items, np.zeros((len(open_items), 2), dtype=np.bool_))


def sharpened_outcomes(
    study: Study,
    questions: list[Ballots],
    options: Options,
    given: Mapping[str, Any],
    codes: IntArray | None,
    fixed: Known | None,
) -> tuple[Outcome, ...]:
    """Weights from whole answers; then a weighted vote."""
    if "p" in given and study.kind != "ranked":
        raise OptionError(
            Keyword("p"),
            " is how much the primary label of a ranked answer counts, and these answers are not ranked. Leave it out.",
        )
    sets = study.kind == "set"
    ranked = study.kind == "ranked"
    mass = split_mass(study.answers, given.get("p", PRIMARY)) if ranked else study.answers.membership.astype(np.float64)
    views = Views.of(mass, sets=sets)
    ballots = Ballots.of(study._annotations)
    points = _known_points(views, codes, fixed)
    found = sharpen(
        ballots, views, item_weights=options.item_weights, known=points,
        iterations=given.get("iterations", sharpening.ITERATIONS),
        tolerance=given.get("tolerance", sharpening.TOLERANCE),
    )  # fmt: skip
    weights = found.annotator_weights
    notes: tuple[str, ...] = ()
    if found.nobody:
        notes = ("No annotator agrees with the others beyond chance: all count alike.",)
    clear = _clearness(ballots, views, weights, options.item_weights)
    if points is not None:
        clear = np.where(np.isnan(points[:, 0]), clear, 1.0)  # a known label is as clear as can be
    progress = Progressed("largest change of a weight", found.changes, found.converged)
    more: dict[str, Any] = {
        "progress": progress, "weights": weights, "weights_are": "kappa with the group, cut at 0",
        "item_weights": clear, "details": {"kappa": found.kappa},
    }  # fmt: skip
    if sets:
        outcomes = []
        for place, question in enumerate(questions):
            pinned = None if fixed is None else np.where(fixed[0], fixed[1][:, place], -1)
            outcomes.append(
                Outcome.of(question, votes(question, weights, pinned), notes=notes if not place else (), **more)
            )
        return tuple(outcomes)
    if study.kind == "single":
        return (Outcome.of(ballots, votes(ballots, weights, codes), notes=notes, **more),)
    more["details"] = {"kappa": found.kappa, "mass": mass, "primary": study.answers.primary}
    evidence = LabelEvidence("weighted vote share", np.zeros(mass.shape[1]), weights=weights, points=mass, known=codes)
    return (Outcome(ballots, evidence, choose(ballots, evidence), notes=notes, **more),)


def _known_points(views: Views, codes: IntArray | None, fixed: Known | None) -> FloatArray | None:
    """(items, D): the point of a known label, NaN where nothing is known."""
    if codes is not None:
        corners = np.eye(views.labels)
        return np.where((codes >= 0)[:, None], corners[codes], np.nan)
    if fixed is not None:
        points = Views.of(fixed[1].astype(np.float64), sets=True).points
        return np.where(fixed[0][:, None], points, np.nan)
    return None


def _clearness(ballots: Ballots, views: Views, weights: FloatArray, how: str) -> FloatArray:
    """(items,): how well the weighted group agrees on each; NaN with fewer than two answers."""

    def work(begin: int, end: int) -> FloatArray:
        group, total = sharpening.groups(ballots, views, weights, begin, end)
        shares = np.divide(group, total[:, None], out=np.full(group.shape, np.nan), where=total[:, None] > 0)
        return views.clearness(shares, how)

    parts = list(ballots.each(work))
    clear = np.concatenate(parts) if parts else np.empty(0)
    return np.where(ballots.per_item > 1, clear, np.nan)

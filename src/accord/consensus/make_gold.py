"""`accord.gold`: from a study and the name of a method to a Gold."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from accord.annotations.answers import answers_called
from accord.annotations.unnamed_items import items_unknown
from accord.consensus.decide_in_engine import bring, serves
from accord.consensus.fit_models import NOTHING_LEARNED
from accord.consensus.gold import Gold
from accord.consensus.iteration_progress import on_iteration
from accord.consensus.make_label_gold import Task
from accord.consensus.methods import AUTO_OPTIONS, METHODS
from accord.consensus.rankings.ranking_methods import RANKING_METHODS
from accord.consensus.spans.span_methods import SPAN_METHODS
from accord.errors import Keyword, MeasureError, remedy
from accord.options import Rng, check_choice, seeded
from accord.study.kinds import people_first
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

ALL_METHODS = ("auto", *dict.fromkeys([*METHODS, *SPAN_METHODS, *RANKING_METHODS]))


def options_of(method: str) -> tuple[str, ...]:
    """What a method takes, of labels, of spans or of rankings."""
    if method == "auto":
        return AUTO_OPTIONS
    tables = [methods for methods in (METHODS, SPAN_METHODS, RANKING_METHODS) if method in methods]
    return tuple(dict.fromkeys(option for methods in tables for option in methods[method].options))


def gold(
    data: Any,
    other: Any = None,
    /,
    *,
    method: str = "auto",
    labels: Sequence[Any] | None = None,
    known: Any = None,
    ties: str | None = None,
    match: str | None = None,
    transitions: str | None = None,
    order: str | None = None,
    item_weights: str | None = None,
    p: float | Sequence[float] | None = None,
    prior: Any = None,
    label_shares: Any = None,
    inference: str | None = None,
    iterations: int | None = None,
    tolerance: float | None = None,
    restarts: int | None = None,
    checkpoint: str | Path | None = None,
    rng: Rng = None,
    progress: bool | Callable[..., None] | None = None,
    **roles: Unpack[Roles],
) -> Gold:
    """One label per item from many answers, with a confidence; undecided where it cannot be told, with the reason.

    Where people and models answered, people vote: `study.all_alike()` lets models vote too.
    Of a lazy or distributed frame "majority", "one-coin" and "dawid-skene" run in its engine, which also writes the
    labels.

    Args:
        data: A `Study`, or what one is made of.
        other: The second annotator's answers, where `data` is the first's.
        method: "auto" (the simplest of the models that best predict held-out answers), "majority", "expert-index",
            "sharpening", "worker-agreement", "one-coin", "dawid-skene", "mace", "glad"; for numbers "mean", "median",
            "weighted-mean", "severity-adjusted" (the severity of who gave a score taken off), "rating-scale" (for few
            ordered scores: what an annotator of mean severity would give); for spans "majority" (of units),
            "token-majority", "dawid-skene" (of tokens), "sequence"; for rankings "borda", "kemeny" (exact, up to 30
            options), "plackett-luce". Sets are decided label by label.
        labels: The scale: all labels there are, in order.
        known: Items whose label is known and stays fixed: a mapping item ─▶ label, a table with the columns item and
            label, a Gold, or the path of a file with them.
        ties: majority: "undecided" (the default), "first", "random", "expert-index"; for sets also "absent". Of spans:
            "first" (the default: what is marked wins over what is not, then the first label of the scale), "last",
            "outside" (what is not marked wins), and of units also "undecided".
        match: majority of spans: "overlap" (the default: units of one label that overlap by half are one, from the
            median start to the median end) or "exact".
        transitions: token-majority, dawid-skene of spans: "legal" (the default: the best tags of a document of which
            every unit has a beginning) or "free" (each token by itself; what has no beginning is no unit).
        order: expert-index: "given" (the paper's, the default) or "two-pass".
        item_weights: sharpening: "variance" (the default) or "entropy".
        p: sharpening of ranked answers: how much the primary label counts, or one weight per rank.
        prior: one-coin, dawid-skene: what is thought of an annotator beforehand. "learned" (the default, and what
            "auto" takes): to be like the others, as much as they are alike; confidences are then calibrated. Or
            pseudo-answers: "mild" (one on the right answer, and one shared by the wrong ones), a number on every cell
            of a confusion table, a pair (on the right answer, on each wrong one), or a table. "none" is maximum
            likelihood, as published, and too sure where answers are few. sequence: a number on every cell.
            plackett-luce: pseudo-rankings before and after each option, 0.5 by default, or "none".
            weighted-mean: pseudo-answers behind an annotator's precision.
        label_shares: How common the labels are: "learned", "uniform", or given ones. By default learned by dawid-skene
            and for sets, even otherwise.
        inference: mace: "variational" (as published, the default) or "em".
        iterations: At most so many.
        tolerance: Stop when the objective rises by less than this per answer (sharpening: when no weight moves more).
        restarts: Random starts beside the votes; the best is kept.
        checkpoint: one-coin, dawid-skene, mace: a file in which the model is kept while it is learned. Where it is
            there already, of the same question, it is gone on with: after an interrupt, or an engine that broke.
        rng: A seed or a Generator; by default the seed 0, so that the same call gives the same gold. The gold keeps it
            where something was drawn.
        progress: True, or a function of (done, total) or of (done, total, objective).
        **roles: The keywords of `Study`.

    Returns:
        A `Gold`: `labels` and `confidence` by item, `undecided()` with reasons, `annotators()` with their competence.
        Of spans a `SpanGold`, whose `to_table()` has a row per unit; of rankings a `RankingGold`: a row per option.

    Raises:
        InputError: If `data` cannot be a study, or `known` cannot be read.
        MeasureError: If the method does not fit the answers, such as "mean" for labels.
        OptionError: If there is no such method, or it does not take an option that was given.

    >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": ["a", "b", "c", "a", "b"], "label": ["x", "x", "y", "x", "y"]}
    >>> found = gold(answers, method="majority")
    >>> found.labels, found.reason(2)
    (['x', None], "'x', 'y' are tied (1 answer each)")
    """
    measured = people_first(as_study(data, other, labels, roles))  # models are judged by gold, so they do not vote
    study = measured.study
    check_choice("method", method, ALL_METHODS)
    if not study.tasks and not study._annotations.in_memory and not serves(study, method, ties):
        study = bring(study, method)
    given = {
        "ties": ties, "match": match, "transitions": transitions, "order": order, "item_weights": item_weights, "p": p,
        "prior": prior, "label_shares": label_shares, "inference": inference,
        "iterations": iterations, "tolerance": tolerance, "restarts": restarts, "checkpoint": checkpoint,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    generator, seed = seeded(rng)
    start = generator.bit_generator.state
    found = _decided(Task(study, method, given, known, generator, on_iteration(progress, method)))
    if seed is not None and generator.bit_generator.state != start:
        found = replace(found, seed=seed)
    if progress is True and (found.progress is not None or (found.choice is not None and len(found.choice))):
        sys.stderr.write("\n")
    more = [*_one_answer_each(found), *([measured.decided_note] if measured.note else [])]
    return replace(found, notes=(*found.notes, *more)) if more else found


def _decided(task: Task) -> Gold:
    """By what the study holds: spans and rankings have methods of their own."""
    study, method = task.study, task.method
    if not study.tasks and not study._annotations.tells_items:
        raise items_unknown("Gold")
    if _is_empty(study):
        raise MeasureError(
            "Nobody has answered anything yet, so there is nothing to decide. Add answers first.",
            option=Keyword("label"),
        )
    if study.kind == "spans":
        from accord.consensus.spans.make_span_gold import gold_of_spans  # with all that spans need

        return gold_of_spans(study, method, task.given, task.known, task.on_iteration)
    if study.kind == "ranking":
        from accord.consensus.rankings.make_ranking_gold import gold_of_rankings  # with all that rankings need

        return gold_of_rankings(study, method, task.given, task.known)
    if method != "auto" and method not in METHODS:
        other = (SPAN_METHODS if method in SPAN_METHODS else RANKING_METHODS)[method]
        raise MeasureError(
            f"{other.title} is for {other.serves}; these are {answers_called(study.kind)}. Choose a method for labels, "
            "such as ",
            remedy(method="dawid-skene"),
            ".",
        )
    return task.gold()


def _is_empty(study: Study) -> bool:
    """Is there no item, or no label to decide for? (An engine's own question tells it of the others.)"""
    if study.tasks or not study._annotations.in_memory:
        return False
    known_labels = study.n_annotations if study.kind in ("score", "spans") else len(study.labels)
    return not study._annotations.n_items or not known_labels


def _one_answer_each(found: Gold) -> list[str]:
    """Where no item has two answers, a gold only repeats them."""
    study = found.study
    if study.kind in ("spans", "ranking"):  # which say so of their items one by one
        return []
    if NOTHING_LEARNED in found.notes or not study.n_annotations:
        return []
    if study.n_annotations > len(found) or study.tally().n_compared:  # more answers than items: some item has two
        return []
    return ["No item has two answers: every label is what one annotator said, and none is decided by more than that."]

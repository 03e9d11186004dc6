"""Gold of a table that stays in its engine: the iterations run there as joins and group-bys.

What travels is the table of annotators × answers × labels. Labels, one row per item, are a lazy frame of the same
engine, or written by it; what needs items here fetches those items only, or all of them where they are few enough.
"""

from __future__ import annotations

from typing import Any

from accord.consensus import reference
from accord.consensus.engine_gold import EngineGold, as_the_engine_calls
from accord.consensus.fit_models import NOTHING_LEARNED, few_answers, not_converged
from accord.consensus.fitted_in_engine import AnswersHere, FittedInEngine, fit_in_engine, posteriors_of
from accord.consensus.method_outcome import Options
from accord.engine.lazy_annotations import LazyAnnotations
from accord.errors import (
    Keyword,
    MeasureError,
    OptionError,
    all_quoted,
    collected,
    off_the_scale,
    one_of,
    remedy,
)
from accord.study.study import Study

METHODS = ("majority", "one-coin", "dawid-skene")
TIES = ("undecided", "first")


def serves(study: Study, method: str, ties: str | None) -> bool:
    """Can this be decided where the annotations are? Dask neither sorts nor joins well enough for it."""
    return (
        not study.tasks
        and (lazy := study._annotations.in_engine) is not None
        and lazy.scan.dialect.joins_and_sorts
        and study.kind == "single"
        and method in METHODS
        and ties in (None, *TIES)
    )


def bring(study: Study, method: str) -> Study:
    """The study in memory, for the methods that need it there; refused beyond what may be brought."""
    if not study._annotations.lists_items:
        raise MeasureError(
            Keyword("method", method),
            f" needs every annotation in memory, and these {study.n_annotations:,} stay in their engine. Choose ",
            remedy(method=one_of(*METHODS)),
            ", which run there, or collect the frame yourself: ",
            collected(),
            ".",
        )
    return study._in_memory


def known_codes(study: Study, lazy: LazyAnnotations, given: Any) -> dict[Any, int]:
    """Item ─▶ position of its known label."""
    found = reference.as_the_study_says(study, as_the_engine_calls(lazy, reference.as_mapping(given, "known")))
    place = {label: at for at, label in enumerate(study.labels)}
    outside = [value for value in found.values() if value not in place]
    if outside:
        raise off_the_scale(study.labels, Keyword("known"), " says ", all_quoted(outside[:3]))
    return {item: place[value] for item, value in found.items()}


def gold_in_engine(
    study: Study,
    method: str,
    title: str,
    options: Options,
    known: Any,
    json_options: dict[str, Any],
) -> EngineGold:
    """Decide in the engine."""
    lazy = study._annotations.in_engine
    assert lazy is not None
    if not len(study.labels):
        raise OptionError(
            "The table has no answers, so there is nothing to decide. Was everything filtered out?",
            option=Keyword("label"),
        )
    fixed = {} if known is None else known_codes(study, lazy, known)
    posteriors = posteriors_of(lazy, fixed or None)
    learns, total = method != "majority", lazy.n_annotations
    here = AnswersHere.of(posteriors, total) if learns else None
    met = here.ballots.overlapping if here is not None else not learns or posteriors.overlapping
    unsure = learns and not fixed and not met
    fit = fit_in_engine(method, posteriors, options, total, here) if learns and not unsure else None
    notes: tuple[str, ...] = ()
    if unsure:
        notes += (NOTHING_LEARNED,)
    if fit is not None and method == "dawid-skene":
        notes += few_answers(total, len(posteriors.people), posteriors.number, options)
    if fit is not None and not fit.converged:
        notes += (not_converged(),)
    fitted = FittedInEngine(study, lazy, posteriors, method, options, fit, fixed, here if fit is not None else None)
    return EngineGold(study, method, title, "single", options=json_options, notes=notes, unsure=unsure, _engine=fitted)

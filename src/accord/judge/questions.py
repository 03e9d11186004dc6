"""Questions about the models in a study, by name, and the results that answer them: for the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.agreement.self_agreement_result import repeaters
from accord.errors import Keyword
from accord.judge.alternative_test import alt_tests
from accord.judge.correct_by_sample import corrected_shares
from accord.judge.judge_biases import label_bias, position_bias
from accord.judge.panels import panel
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.repeated_runs import self_consistency
from accord.judge.suggesters_side_by_side import side_by_side
from accord.options import check_choice
from accord.study.study import Study

QUESTIONS = {
    "alt-test": "can it stand in for an annotator? (the alternative annotator test alone; also for scores and sets)",
    "consistency": "does a model say the same again?",
    "labels": "which labels does it give more often than people?",
    "panel": "do models err together, and how many judges are they worth?",
    "position": "does a judge favour what stands first? (needs order)",
    "shares": "how common are the labels, corrected by people's answers to a part of the items?",
    "suggestions": "how good are the models' labels as suggestions (DiPietro–Hazari kappa)?",
}


def results_about(
    study: Study,
    about: str,
    *,
    models: Sequence[str] | None = None,
    people: Sequence[str] | None = None,
    gold: Any = None,
    unparsable: Unparsable = "missing",
    runs: Sequence[str] | None = None,
    facets: Sequence[str] | None = None,
    order: str | None = None,
    positions: Sequence[Any] = ("1", "2"),
    verdicts: str = "positions",
    epsilon: float = 0.1,
    closeness: str | None = None,
    rng: int = 0,
) -> list[Any]:
    """The results that answer a question of QUESTIONS: one per model, or one for all."""
    check_choice("about", about, QUESTIONS)
    participants = participants_of(study, models=models, people=people, unparsable=unparsable)
    judged_by = people if models is None else participants.people  # who is named as a model is nobody's person
    shared: dict[str, Any] = {"people": judged_by, "unparsable": unparsable}
    if about == "consistency":
        options = {"gold": gold, "facets": facets, "unparsable": unparsable}
        if runs is not None:
            return [self_consistency(participants.study, runs=runs, **options)]
        return _consistency(participants, models, options)
    if about == "suggestions" and "suggested" in study.roles:  # a column suggests, whether or not models do
        return [side_by_side(study, models=models, **shared)]
    participants.need_models(Keyword("about", about))
    if about == "labels":
        return [label_bias(study, model=name, **shared) for name in participants.models]
    if about == "position":
        given = {"order": order, "positions": positions, "verdicts": verdicts}
        return [position_bias(study, model=name, **given) for name in participants.models]  # type: ignore[arg-type]
    if about == "panel":
        return [panel(study, models=participants.models, gold=gold, **shared)]
    if about == "alt-test":
        testing: dict[str, Any] = {"epsilon": epsilon, "closeness": closeness, "rng": rng, **shared}
        return list(alt_tests(study, models=participants.models, **testing))
    if about == "shares":
        return [corrected_shares(study, models=participants.models, **shared)]
    return [side_by_side(study, models=participants.models, **shared)]


def _consistency(
    participants: Participants,
    models: Sequence[str] | None,
    options: dict[str, Any],
) -> list[Any]:
    """Each model that answered items again; models that are named and never did are runs of one."""
    again = repeaters(participants.study)
    chosen = [name for name in (models or participants.models or again) if name in again]
    if chosen:
        return [self_consistency(participants.study, model=name, **options) for name in chosen]
    return [self_consistency(participants.study, runs=models if models and len(models) > 1 else None, **options)]

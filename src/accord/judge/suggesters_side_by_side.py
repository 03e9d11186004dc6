"""Every suggester of a study side by side: models, heuristics in columns, and others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from accord.errors import MeasureError, remedy
from accord.judge.participants import Unparsable, participants_of
from accord.judge.scales import exact_matches
from accord.options import one_or_listed
from accord.study.study_of_input import PlainRoles
from accord.study.suggested_labels import Suggestions
from accord.suggestions.suggesters import Suggesters, compare_suggesters


def side_by_side(
    data: Any,
    /,
    *,
    models: Sequence[str] | None = None,
    heuristics: Sequence[str] | Mapping[str, Any] | None = None,
    people: Sequence[str] | None = None,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Suggesters:
    """DiPietro–Hazari kappa of every model and heuristic, judged by the same people, with paired differences.

    Args:
        data: A `Study` with people, and with models or columns of suggestions.
        models: Which models; by default all of the study's kind role.
        heuristics: Columns with one suggestion per item, or a name for each source of suggestions (whatever
            `dipietro_hazari_kappa` takes). The study's own suggested role is one of them.
        people: Who judges; by default everybody who is no model.
        unparsable: Failed answers are "missing" (no suggestion), or count as a "label" that nobody should want.
        confidence: Of the intervals.
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        `Suggesters`: an `Agreement` per suggester, by name; `best`, and `differences()`.

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are no models or too few people, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    Nobody who suggests is among those who judge. References: dipietro2022.

    >>> from accord import Study
    >>> people = {"ana": list("aabbac" * 4), "ben": list("aabbcc" * 4)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbac" * 4), "lazy": list("aaaaaa" * 4)})
    >>> found = side_by_side(study, models=["gpt", "lazy"])
    >>> found.best, round(found["gpt"].value, 3), round(found["lazy"].value, 3)
    ('gpt', 0.845, -0.167)
    """
    participants = participants_of(data, models=models, people=people, unparsable=unparsable, labels=labels, **roles)
    judges = participants.study.of_annotators(participants.people)
    sources: dict[str, Any] = {}
    for name in participants.models:
        sources[name] = Suggestions(participants.column(name), participants.study.labels, name=name)
    own = participants.study.roles.get("suggested")
    if own is not None:
        sources[own] = own
    if not isinstance(heuristics, Mapping):
        rule = "be columns with a suggestion per item, or a mapping of names to suggestions"
        heuristics = {name: name for name in one_or_listed("heuristics", heuristics, rule)}
    sources |= heuristics
    if not sources:
        raise MeasureError(
            "Nobody suggests anything here: name ",
            remedy(models=[...]),
            " (or the study's kind column), or ",
            remedy(heuristics=[...]),
            ", columns with a suggestion per item.",
        )
    found = compare_suggesters(judges, sources, confidence=confidence, least=1)
    return replace(found, notes=exact_matches(participants.study, "DiPietro–Hazari kappa"))

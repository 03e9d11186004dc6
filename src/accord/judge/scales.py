"""Labels on a scale, for judging models: how close two answers are, and what is asked where nobody said it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from accord.annotations.recognised_scale import LooksLikeAScale
from accord.errors import Keyword, Message, Remedy
from accord.measures.level_of_answers import settled_level

if TYPE_CHECKING:
    from accord.annotations.answers import Level
    from accord.study.study import Study


class ScaleNote(Message):
    """A note on labels that may be a scale: whether they are one, or what would be said if they were."""


def usual_closeness(study: Study, level: Level | None = None) -> Literal["accuracy", "ordinal", "rmse"]:
    """How close answers are where the caller does not say: by their distance on a scale, else the same or not."""
    if study.kind == "score":
        return "rmse"
    if study.kind != "single":
        return "accuracy"
    at = level or settled_level(study, None, None)
    return "ordinal" if at == "ordinal" else "rmse" if at in ("interval", "ratio") else "accuracy"


def usual_weights(study: Study, level: Level | None = None) -> Literal["identity", "linear", "quadratic"]:
    """How alike two labels are where the caller does not say: by their distance on a scale, else the same or not."""
    at = level or (settled_level(study, None, None) if study.kind == "single" else None)
    if at in ("ordinal", "interval", "ratio"):
        study.answers.positions(Keyword("level", at))  # an error where nobody said the order of the labels
    return "linear" if at == "ordinal" else "quadratic" if at in ("interval", "ratio") else "identity"


def undeclared_scale(study: Study) -> LooksLikeAScale | None:
    """What the labels look like, where only the user knows whether they are a scale."""
    if study.kind != "single" or study.level is not None:
        return None
    looks = study._looks_like_a_scale
    return looks if looks is not None and looks.worth_asking and not looks.clear else None


def compared_as_names(looks: LooksLikeAScale) -> ScaleNote:
    """What was done, and what settles whether it is right."""
    return ScaleNote(
        f"{looks.why}, and answers were compared as names: the same or not. If they are a scale, say ",
        _level(looks.level),
        "; if they are names, ",
        _level("nominal"),
        ".",
    )


def exact_matches(study: Study, what: str) -> tuple[str, ...]:
    """That labels are the same or not in this question, where they were declared to be a scale."""
    if study.kind != "single" or study.level in (None, "nominal"):
        return ()
    return (f"The labels are a scale ({study.level}); {what} takes them as names: the same or not.",)


def _level(level: str) -> Remedy:
    return Remedy({"levels": level}, python=f"study.declare(levels={level!r})")

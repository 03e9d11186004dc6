"""At which level answers are measured where the call does not say: as declared, as is plain, or asked."""

from __future__ import annotations

from accord.agreement.result import Agreement
from accord.agreement.scale_question import ScaleQuestion, settled_by
from accord.annotations.answers import Label, Level
from accord.coefficients.weights import WeightsLike
from accord.errors import Message
from accord.measures.krippendorff import krippendorff_alpha
from accord.study.label_changes import without_labels
from accord.study.study import Study


def settled_level(study: Study, weights: WeightsLike | None, level: Level | None) -> Level | None:
    """The level of one variable: as the call says, as the study does, or where labels can hardly be names; else None.

    >>> settled_level(Study.from_pairs([1.5, 2, 3], [1.5, 2, 2.5]), None, None)
    'interval'
    """
    if level is not None or weights is not None:
        return level
    if study.level is not None:
        return study.level
    looks = study._looks_like_a_scale
    return looks.level if looks is not None and looks.clear else None


def why_clear(study: Study, weights: WeightsLike | None, level: Level | None) -> str | None:
    """Why nobody was asked, where the labels alone told their level."""
    if level is not None or weights is not None or study.level is not None:
        return None
    looks = study._looks_like_a_scale
    if looks is None or not looks.clear:
        return None
    return Message(
        f"{looks.why}: alpha counts how far apart they are. If they are names all the same, say ",
        settled_by("nominal", None),
        ".",
    )


def scale_question(
    study: Study, names: Agreement, *, by: str | None = None, variable: Label | None = None
) -> ScaleQuestion | None:
    """What is to be asked of one variable; None where somebody said its level, or where it looks like names.

    `names` is the coefficient that was measured without a level.
    """
    if study.level is not None or study.kind != "single":
        return None
    looks = study._looks_like_a_scale
    if looks is None or looks.clear or not looks.worth_asking:
        return None
    rated = without_labels(study, looks.but_for) if looks.but_for else study
    return ScaleQuestion(looks, krippendorff_alpha(rated, level=looks.level, by=by), names, variable)

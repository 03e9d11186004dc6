"""What labels that are written in two ways are worth as one: put beside the value as they are, before it is copied."""

from __future__ import annotations

from collections.abc import Callable

from accord.agreement.result import Agreement
from accord.agreement.spelling_question import SpellingQuestion
from accord.annotations.answers import Label
from accord.errors import AccordError
from accord.study.label_changes import in_one_spelling
from accord.study.study import Study


def spelling_question(
    study: Study, measured: Callable[[Study], Agreement], variable: Label | None = None
) -> SpellingQuestion | None:
    """What is to be asked of one variable; None where every label is written in one way."""
    found = in_one_spelling(study)
    if found is None:
        return None
    try:
        return SpellingQuestion(found.labels, found.differ_in, measured(found.study), measured(study), variable)
    except AccordError:  # weights of the caller's own know nothing of other labels
        return None

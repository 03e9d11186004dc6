"""Models among the annotators: what is said of annotators is then said of people and models alike."""

from __future__ import annotations

from collections.abc import Iterator

from accord.errors import AccordError, Message, in_python, listing, some_annotators
from accord.findings.finding import Clue, Finding
from accord.findings.study_view import View


def look(view: View) -> Iterator[Clue]:
    """A plain fact, where the study says who is a model."""
    if "kind" not in view.study.roles or view.study._annotations.in_engine is not None:
        return  # nothing is known of models, or only in the engine
    from accord.judge.participants import participants_of

    try:
        participants = participants_of(view.study)
    except AccordError:  # its words for kinds are unknown
        return
    if not participants.models or not participants.people:
        return
    models, everybody = len(participants.models), len(participants.models) + len(participants.people)
    yield Finding(
        "models-among-annotators",
        "note",
        f"{models} of {everybody} annotators {'is a model' if models == 1 else 'are models'} "
        f"({listing(participants.models, most=5)}): what is said of annotators is said of people and models alike.",
        Message(
            "Judge models against people with ",
            in_python("accord.judge.verdict(study)", "`accord judge`"),
            ", and explain people alone with ",
            some_annotators(),
            ", before guidelines are changed or anybody is trained.",
        ),
        sources=("dieugenio2000",),
        annotators=participants.models,
        weight=1.0,
    )

"""Models among the annotators: people are explained, and models are judged against them."""

from __future__ import annotations

from collections.abc import Iterator

from accord.errors import Message, in_python, listing
from accord.findings.finding import Clue, Finding
from accord.findings.study_view import View
from accord.study.kinds import MeasuredPeople

JUDGE = ("Judge models against people with ", in_python("accord.judge.verdict(study)", "`accord judge`"))


def set_aside(measured: MeasuredPeople) -> Iterator[Clue]:
    """That models answered too, and that nothing here is said of them."""
    if not measured.models or not measured.people:
        return
    models, everybody = len(measured.models), len(measured.models) + len(measured.people)
    yield Finding(
        "models-among-annotators",
        "note",
        f"{models} of {everybody} annotators {'is a model' if models == 1 else 'are models'} "
        f"({listing(measured.models, most=5)}): what is said here is said of the {len(measured.people)} people alone.",
        Message(*JUDGE, "."),
        sources=("dieugenio2000",),
        annotators=measured.models,
        weight=1.0,
    )


def look(view: View) -> Iterator[Clue]:
    """A plain fact, where people are too few to be explained alone."""
    models, people = view.study.models, view.study.people
    if not models or not people:
        return
    others = "one is a person" if len(people) == 1 else "the others are people"
    yield Finding(
        "models-among-annotators",
        "note",
        f"{len(models)} of {len(models) + len(people)} annotators {'is a model' if len(models) == 1 else 'are models'} "
        f"({listing(models, most=5)}), and {others}: what is said of annotators is said of people and models alike.",
        Message(*JUDGE, "; have a second person answer before guidelines are changed or anybody is trained."),
        sources=("dieugenio2000",),
        annotators=models,
        weight=1.0,
    )

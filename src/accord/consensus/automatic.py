"""method="auto": the model that held-out answers choose, refused where a label drifts from its name under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from accord.annotations.answers import Label
from accord.consensus.method_outcome import Outcome
from accord.consensus.model_selection import Chosen, Contest
from accord.consensus.votes_behind import LabelSupport, behind_labels
from accord.errors import MayBeNames, Message, in_python

Outcomes = tuple[Outcome, ...]
MAJORITY = "majority"


def chosen_by(
    contest: Contest, fit: Callable[[Chosen], Outcomes], labels: Sequence[Label], *, sets: bool
) -> tuple[Chosen, Outcomes, tuple[str, ...]]:
    """The winner of the contest whose labels mean what people call so, its outcomes, and what was refused before it.

    Votes decide for the majority, so its labels cannot drift: it ends the search at the latest.
    """
    refused: list[str] = []
    notes: tuple[str, ...] = ()
    while True:
        chosen = contest.winner(refused)
        outcomes = fit(chosen)
        drifted = [] if chosen.method == MAJORITY else drifted_labels(outcomes, labels, sets=sets)
        if not drifted:
            return chosen, outcomes, notes
        refused.append(chosen.model)
        notes += (refusal(chosen, drifted[0]),)


def drifted_labels(outcomes: Outcomes, labels: Sequence[Label], *, sets: bool) -> list[LabelSupport]:
    """The labels that people did not give to the items that have them, the one with the most items first."""
    found = behind_labels(outcomes, labels, [outcome.choices.code for outcome in outcomes], sets=sets)
    return sorted((one for one in found if one.drifted), key=lambda one: -one.items)


def refusal(chosen: Chosen, drifted: LabelSupport) -> str:
    """Why a model that predicted well was not taken."""
    return f"{chosen.model} was refused, as a label drifts from its name under it: {drifted.sentence()}."


def warning(title: str, drifted: LabelSupport) -> str:
    """What is said of a method that was named by the caller, who may know better."""
    return Message(
        f"Under {title} a label has drifted from its name: ",
        MayBeNames(drifted.sentence()),
        ". Check it before use: ",
        in_python("gold.by_label()", "--show-labels"),
        ".",
    )

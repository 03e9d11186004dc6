"""What a gold says of itself: in a few lines, and for JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from accord.agreement.table import Table
from accord.annotations.majority_rule import MORE_LIKELY_WRONG
from accord.consensus.accuracy_errors import NO_INTERVALS
from accord.consensus.annotator_tables import not_judged
from accord.consensus.table_sizes import is_huge
from accord.errors import counted, json_value
from accord.options import head

if TYPE_CHECKING:
    from accord.consensus.gold import Gold


def in_words(gold: Gold) -> str:
    """How it was made, how many items it decides, and what to know of it."""
    items, done, mean, progress = len(gold), gold.n_decided, gold.mean_confidence, gold.progress
    lines = [f"Gold by {gold.title}: {done:,} of {items:,} items decided, {items - done:,} undecided."]
    if not math.isnan(mean):
        lines.append(f"Mean confidence ({gold.confidence_is}) {mean:.3f}.")
    if progress is not None and not gold._of_kind.label_by_label:
        how = "" if progress.converged else ", not converged"
        lines.append(
            f"{progress.objective} {progress.trace[-1]:,.10g} after {counted(progress.iterations, 'iterations')}{how}."
        )
    if gold.seed is not None:
        lines.append(f"Random seed {gold.seed}.")
    by_rule = _decided_by_rule(gold)
    if len(gold.decisions) > by_rule:
        lines.append(f"{counted(len(gold.decisions) - by_rule, 'items')} decided by a person.")
    if by_rule:
        lines.append(f"{counted(by_rule, 'items')} accepted by a rule.")
    return "\n".join([*lines, *gold.notes, *gold.doubts])


def _decided_by_rule(gold: Gold) -> int:
    return sum(bool(decision.rule) for decision in gold.decisions.values())


def doubts(number: int) -> tuple[str, ...]:
    """Labels that the model itself takes to be wrong rather than right: it had to choose among several."""
    if not number:
        return ()
    are = "is" if number == 1 else "are"
    return (
        f"{counted(number, 'items')} {are} decided with a confidence below {MORE_LIKELY_WRONG:g}: more likely "
        "wrong than right; a person should look.",
    )


def as_dict(gold: Gold, by_label: Any, *, items: bool) -> dict[str, Any]:
    """For JSON: how the gold was made, what came out, the votes behind each label, and, if asked for, every item."""
    people, unjudged = _people(gold)
    return {
        **head("gold"),
        "method": gold.method,
        "title": gold.title,
        "options": dict(gold.options),
        "seed": gold.seed,
        "items": len(gold),
        "decided": gold.n_decided,
        "undecided": len(gold) - gold.n_decided,
        "decided_by_people": len(gold.decisions) - _decided_by_rule(gold),
        "known": 0 if gold.known is None else int(gold.known.sum()),
        "confidence_is": gold.confidence_is,
        "fit": _fit(gold),
        "choice": None if gold.choice is None else gold.choice.to_dict()["rows"],
        "distribution": gold.distribution().to_dict()["rows"],
        "by_label": by_label,
        "annotators": [] if people is None else people.to_dict()["rows"],
        "labels": gold.to_table().to_dict()["rows"] if items else None,
        "notes": [*gold.notes, *gold.doubts, *(unjudged if people is None else no_intervals(people))],
    }


def _fit(gold: Gold) -> dict[str, Any] | None:
    """How the model was fitted, for JSON; None where the method is no model."""
    progress = gold.progress
    if progress is None:
        return None
    return {
        "objective": progress.objective,
        "value": json_value(progress.trace[-1]),
        "iterations": progress.iterations,
        "converged": progress.converged,
        "log_likelihood": json_value(gold.log_likelihood),
    }


def _people(gold: Gold) -> tuple[Table | None, tuple[str, ...]]:
    """The table of annotators; None where nobody is named, or where it would be too large, which is said."""
    if not gold.study._annotations.named:
        return None, ()
    huge = next((outcome.ballots for outcome in gold.outcomes if is_huge(outcome.ballots)), None)
    return (gold.annotators(), ()) if huge is None else (None, (not_judged(huge),))


def no_intervals(annotators: Table) -> tuple[str, ...]:
    """Why annotators have no interval, where some have none."""
    return tuple(note for note in annotators.notes if note in NO_INTERVALS)

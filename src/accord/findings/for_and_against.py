"""What speaks for each cause of disagreement and against it: every sign in a sentence, on the side where it belongs."""

from __future__ import annotations

from accord.findings.cause_signs import Signs
from accord.findings.finding import CANDIDATE

GUIDELINES = "unclear-guidelines"
TRAINING = "too-little-training"
SUBJECTIVE = "subjective-task"
ANNOTATOR = "unreliable-annotator"
CAUSES = (GUIDELINES, TRAINING, SUBJECTIVE, ANNOTATOR)  # in the order in which they are thought of
REPAIRS = 0.1  # the least share of the disagreement that a cause must account for


def for_and_against(name: str, signs: Signs) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Each sign in a sentence, on the side where it belongs."""
    for_it: list[str] = []
    against: list[str] = []
    for tell in (_of_labels, _of_people, _of_time, _of_repeats):
        text, speaks = tell(signs)
        if text:
            (for_it if name in speaks else against).append(text)
    return tuple(for_it), tuple(against)


def _of_labels(signs: Signs) -> tuple[str, tuple[str, ...]]:
    found = signs.concentration
    if not signs.labelled:
        return "Not known: where labels clash, because answers are not single labels.", ()
    if found is None:
        return (
            "Not known: whether labels are confused; with two of them, or few contested items, every clash is alike.",
            (),
        )
    if found.p < CANDIDATE:
        return f"Disagreement sits in few pairs of labels ({found.share:.0%}), whoever is left out.", (GUIDELINES,)
    return "Disagreement spreads over the pairs of labels by how often they are used.", (
        TRAINING,
        SUBJECTIVE,
        ANNOTATOR,
    )


def _of_people(signs: Signs) -> tuple[str, tuple[str, ...]]:
    if signs.people < 3:
        return "Not known: whether one annotator carries the disagreement; it takes a third to tell.", ()
    if signs.furthest is None or signs.distances is None:
        return "Not known: whether one annotator carries the disagreement; nobody can be judged alone.", ()
    if signs.apart:
        share = signs.distances.repaired_by(signs.apart)
        who = "one annotator" if len(signs.apart) == 1 else f"{len(signs.apart)} annotators"
        if share < REPAIRS:
            return f"Only {max(share, 0):.0%} of the disagreement goes with {who} apart from the rest.", (
                GUIDELINES,
                SUBJECTIVE,
            )
        return f"{share:.0%} of the disagreement goes with {who}.", (TRAINING, ANNOTATOR)
    return "No annotator stands apart: leaving one out repairs nothing.", (GUIDELINES, SUBJECTIVE)


def _of_time(signs: Signs) -> tuple[str, tuple[str, ...]]:
    if signs.time_course is None:
        return "Not known: when answers were given, and so whether practice helps.", ()
    slope = signs.time_course.slope
    if slope.p < CANDIDATE and slope.value < 0:
        return "Disagreement falls with practice.", (TRAINING,)
    if slope.p < CANDIDATE:
        return "Disagreement rises as annotators go on.", (ANNOTATOR,)
    return "Disagreement stays the same over time.", (GUIDELINES, SUBJECTIVE, ANNOTATOR)


def _of_repeats(signs: Signs) -> tuple[str, tuple[str, ...]]:
    found = signs.repeats
    if found is None:
        return "Not known: whether annotators agree with themselves; too few items were answered twice.", ()
    if found.p < CANDIDATE:
        return "Annotators agree with themselves more than with others.", (SUBJECTIVE, GUIDELINES)
    return "Annotators differ from themselves about as much as from others.", (TRAINING, ANNOTATOR)

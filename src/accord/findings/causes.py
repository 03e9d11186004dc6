"""Causes: unclear guidelines, too little training, a subjective task, an unreliable annotator, each by its signs.

The four are those of Zhao's lecture, and so are the remedies. Each has a sign of its own:

    unclear guidelines      disagreement sits in a few pairs of labels, and stays there whoever is left out
    too little training     it falls with practice; or one person carries it who learns, or reads one label otherwise
    a subjective task       annotators agree with themselves more than with others, and it spreads evenly
    an unreliable annotator leaving one out repairs it, and none of the other signs explains why

An unreliable annotator is never the first guess: it is named first only where nothing else is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from accord.agreement.inference.proportions import wilson
from accord.agreement.inference.wald import interval_around
from accord.agreement.uncertainty import Interval
from accord.coefficients.standard_errors import NORMAL
from accord.errors import Message, counted, remedy
from accord.findings.cause_signs import (
    ANNOTATOR,
    CAUSES,
    GUIDELINES,
    REPAIRS,
    SUBJECTIVE,
    TRAINING,
    Concentration,
    Signs,
    reasons_for,
)
from accord.findings.distances import Distances
from accord.findings.drift import share_of_beginning
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, FindingName, NotLookedAt, TestFamily
from accord.findings.label_order import neighbours_on_a_scale, order_is_declared
from accord.findings.label_texts import in_a_row
from accord.findings.outlying_annotators import SUSPECT, among_three, preferred_answer
from accord.findings.study_view import View
from accord.findings.without_annotator import changes
from accord.measures.agreement_with_oneself import with_oneself

SHOWN = 0.001  # a cause with a smaller p is shown, and the order below decides; else the smallest p does
STEADY = 0.25  # the least share of the disagreement that annotators' own steady views must account for

REMEDIES = {
    GUIDELINES: "Add examples and edge cases to the guidelines, and clarify where one label ends and the "
    "other begins; discuss the contested items of these labels first. If the border cannot be drawn, merge the labels, "
    "or let annotators give a second label.",
    TRAINING: "Hold calibration sessions and practise on sample data until agreement no longer rises; then "
    "have the early answers given again.",
    SUBJECTIVE: "Simplify the categories, or accept a lower threshold for agreement; keep all answers, or let "
    "annotators give several labels, rather than force one.",
    ANNOTATOR: "Review the answers with the annotator first; retrain, and leave the answers out only if "
    "that does not help. Low agreement more often comes from unclear guidelines than from bad annotators.",
}
SOURCES = {
    GUIDELINES: ("zhao2025", "rosenberg2004"),
    TRAINING: ("zhao2025",),
    SUBJECTIVE: ("zhao2025", "rosenberg2004", "bhowmick2008"),
    ANNOTATOR: ("zhao2025",),
}
COVERS: dict[FindingName, tuple[FindingName, ...]] = {
    GUIDELINES: ("confused-labels", "weak-label", "below-the-parents", "hard-items"),
    TRAINING: ("disagreement-falls", "annotator-drifts", "outlying-annotator", "hard-items"),
    SUBJECTIVE: ("hard-items",),
    ANNOTATOR: ("outlying-annotator", "outlying-annotators", "constant-answers"),
}


def look(view: View) -> Iterator[Clue]:
    """Every cause for which something speaks; the likeliest may be a warning, the others are notes.

    Where a cause rests on a test that another detector makes as well (is this annotator apart, does disagreement
    fall), its p is that test's; how many annotators that was is counted there.
    """
    if view.main.coefficient is None:
        return
    signs = Signs(view)
    candidates = [one for one in (_guidelines(signs), _training(signs), _subjective(signs), _unreliable(signs)) if one]
    yield TestFamily(len(candidates), "causes of disagreement")
    yield from _not_looked_at(signs)
    found = [one for one in candidates if _p(one.finding) < CANDIDATE]
    if not found:
        yield from _left_over(signs)
        return
    first = _first(found)
    yield first.finding
    for other in found:
        if other is not first:
            is_note = first.sure < SHOWN
            yield replace(other.finding, severity="note", covers=()) if is_note else other.finding


@dataclass(frozen=True)
class Candidate:
    """A cause that may be the one, and how sure it is: its p corrected for the annotators or labels to choose from."""

    finding: Finding
    sure: float


def _p(finding: Finding) -> float:
    return 1.0 if finding.p is None else finding.p


def _first(found: list[Candidate]) -> Candidate:
    """The likeliest: among those that are shown, guidelines and training by what they account for, then the order."""
    shown = [one for one in found if one.sure < SHOWN]
    shown = [one for one in shown if one.finding.severity == "warning"] or shown
    if not shown:
        return min(found, key=lambda one: (one.sure, CAUSES.index(one.finding.name)))
    early = [one for one in shown if one.finding.name in (GUIDELINES, TRAINING)]
    if early:
        return max(early, key=lambda one: one.finding.weight)
    return min(shown, key=lambda one: CAUSES.index(one.finding.name))


def _cause(
    name: FindingName, says: str, p: float, weight: float, signs: Signs, evidence: tuple[Evidence, ...]
) -> Finding:
    reasons = reasons_for(name, signs)
    weight = min(max(weight, 0.0), 1.0)
    return Finding(
        name, "warning", says, REMEDIES[name], evidence, reasons.speaks_for, reasons.speaks_against, reasons.not_known,
        SOURCES[name], p=p, weight=weight, cause=True, covers=COVERS[name],
    )  # fmt: skip


# -- the four --------------------------------------------------------------------------------------------------------


def _guidelines(signs: Signs) -> Candidate | None:
    found = signs.concentration
    if found is None:
        return None
    labels = signs.view.study.labels
    pairs = "; ".join(in_a_row((labels[one], labels[other])) for one, other in found.pairs)
    finding = _cause(
        GUIDELINES,
        f"The guidelines seem unclear on {pairs}: {found.share:.0%} of the disagreement sits there, where "
        f"{found.part:.0%} would be their part.",
        found.p,
        found.excess,
        signs,
        (
            Evidence("share of the disagreement between these labels", found.share, _share_interval(found)),
            Evidence("their part by how often the labels are used", found.part),
            Evidence("contested items, as many as count", found.clashes),
        ),
    )
    chosen = tuple(dict.fromkeys(labels[label] for pair in found.pairs for label in pair))
    return Candidate(_mild(replace(finding, labels=chosen), found, signs), found.p)


def _mild(finding: Finding, found: Concentration, signs: Signs) -> Finding:
    """A note where agreement is high enough all the same, or where neighbours on a scale clash, as they will."""
    view = signs.view
    if view.reaches_target:
        finding = replace(
            finding, severity="note", speaks_against=(*finding.speaks_against, "Agreement reaches its target.")
        )
    if not all(neighbours_on_a_scale(view, one, other) for one, other in found.pairs):
        return finding
    scale = order_is_declared(view)
    why = "Neighbours on a scale clash most" + (", as expected." if scale else ", if these labels are one.")
    return replace(
        finding, severity="note" if scale else finding.severity, speaks_against=(*finding.speaks_against, why)
    )


def _share_interval(found: Concentration) -> Interval:
    """Wilson's, in contested items."""
    return wilson(min(found.share, 1.0) * found.clashes, found.clashes, 0.95)


def _training(signs: Signs) -> Candidate | None:
    """The likeliest of three forms: everybody learns; one person learns; one person reads a label otherwise."""
    forms = [form for form in (_all_learn(signs), _one_learns(signs), _one_reads_otherwise(signs)) if form is not None]
    return min(forms, key=lambda form: form.sure) if forms else None


def _all_learn(signs: Signs) -> Candidate | None:
    if signs.time_course is None:
        return None
    slope, (mean, _, _) = signs.time_course.slope, signs.time_course.by_part()
    share = share_of_beginning(signs.time_course)
    p = slope.p if slope.value < 0 and share >= REPAIRS else 1.0
    finding = _cause(
        TRAINING,
        f"Annotators seem to have begun with too little training: disagreement falls with practice, from {mean[0]:.2f} "
        f"in the first quarter of their answers to {mean[3]:z.2f} in the last.",
        p,
        share,
        signs,
        (
            Evidence("distance from the others in the first quarter of the answers", float(mean[0])),
            Evidence("in the last quarter", float(mean[3])),
            Evidence("share of the disagreement that practice would have saved", share),
        ),
    )
    return Candidate(finding, p)


def _one_learns(signs: Signs) -> Candidate | None:
    """One person comes nearer to the others while going on, and much of the disagreement goes with that person."""
    if signs.time_course is None or signs.people < 3 or signs.distances is None or not signs.time_course.slopes:
        return None
    slopes = signs.time_course.slopes
    person = min(slopes, key=lambda one: slopes[one].falls)
    name, share = signs.view.study.annotators[person], signs.distances.repaired(person)
    mean, _, number = signs.time_course.by_part(person)
    p = slopes[person].p if slopes[person].value < 0 and share >= REPAIRS else 1.0
    finding = _cause(
        TRAINING,
        f"Annotator {name} seems to have begun with too little training: {share:.0%} of the disagreement goes with "
        f"this annotator, whose distance from the others is {mean[0]:z.2f} in the first quarter of "
        f"{counted(int(number.sum()), 'answers')} and {mean[3]:z.2f} in the last.",
        p,
        share,
        signs,
        (
            Evidence("share of the disagreement that goes with this annotator", share),
            Evidence("distance from the others in the first quarter", float(mean[0])),
            Evidence("in the last quarter", float(mean[3])),
        ),
    )
    return Candidate(replace(finding, annotators=(name,)), min(p * len(slopes), 1.0))


def _one_reads_otherwise(signs: Signs) -> Candidate | None:
    """The person furthest from the rest clashes with them over one pair of labels: another reading, no carelessness."""
    found = signs.own_concentration
    if found is None or signs.furthest is None or signs.distances is None:
        return None
    name, share = signs.view.study.annotators[signs.furthest], signs.distances.repaired(signs.furthest)
    labels = signs.view.study.labels
    pairs = "; ".join(in_a_row((labels[one], labels[other])) for one, other in found.pairs)
    steady = found.share >= 0.6 and found.share >= 1.5 * found.part and share >= REPAIRS
    p = max(found.p, signs.p_furthest) if steady else 1.0
    finding = _cause(
        TRAINING,
        f"Annotator {name} seems to have learned {pairs} differently from the others and carries {share:.0%} of the "
        f"disagreement; {found.share:.0%} of this annotator's clashes are between these labels.",
        p,
        share * found.share,
        signs,
        (
            Evidence("share of the disagreement that goes with this annotator", share),
            Evidence("share of this annotator's clashes between these labels", found.share, _share_interval(found)),
        ),
    )
    chosen = tuple(dict.fromkeys(labels[label] for pair in found.pairs for label in pair))
    covers = (*finding.covers, "confused-labels", "weak-label")
    finding = replace(finding, annotators=(name,), labels=chosen, covers=covers)
    return Candidate(finding, max(p, signs.sure_furthest))


def _subjective(signs: Signs) -> Candidate | None:
    found = signs.repeats
    if found is None:
        return None
    share = max(found.others - found.oneself, 0.0) / found.others if found.others > 0 else 0.0  # what is steady
    span = interval_around(found.excess, found.se, df=NORMAL, method="shrunk, by item")
    p = found.p if share >= STEADY and signs.view.reported.value < signs.view.target else 1.0
    finding = _cause(
        SUBJECTIVE,
        f"The task seems to be subjective: on items answered again, annotators differ from themselves by "
        f"{found.oneself:z.2f} and from each other by {found.others:z.2f}; each has a view that stays.",
        p,
        share,
        signs,
        (
            Evidence("distance from the others less that from oneself (shrunk)", found.excess, span),
            *_oneself(signs),
            Evidence("items answered again", float(found.items)),
            Evidence("share of the disagreement that is steady", share),
        ),
    )
    return Candidate(finding, p)


def _oneself(signs: Signs) -> tuple[Evidence, ...]:
    """The share of repeated answers that are the same, and that beyond chance, on all items answered again."""
    oneself = with_oneself(signs.view.study)
    both = ((oneself.agreement, "share of repeated answers that are the same"), (oneself.value, oneself.value.title))
    return tuple(
        Evidence(f"agreement with oneself: {what}", result.value, result.interval())
        for result, what in both
        if not result.undefined
    )


def _unreliable(signs: Signs) -> Candidate | None:
    """One annotator, or a few, without whom much of the disagreement is gone."""
    if signs.furthest is None or signs.distances is None:
        return None
    people = signs.outlying or [signs.furthest]
    share = signs.distances.repaired_by(people)
    change, main = changes(signs.distances, [people])[0], signs.view.main
    if share < REPAIRS or signs.p_furthest >= CANDIDATE or not change.change > 0:
        return Candidate(_cause(ANNOTATOR, "", 1.0, share, signs, ()), 1.0)
    names = tuple(signs.view.study.annotators[person] for person in people)
    who = f"Annotator {names[0]} carries" if len(names) == 1 else f"{len(names)} annotators together carry"
    finding = _cause(
        ANNOTATOR,
        f"{who} {share:.0%} of the disagreement: without these answers {main.title} would be {change.value:z.2f} "
        f"instead of {main.value:z.2f}.{among_three(signs.distances, people[0])}",
        signs.p_furthest,
        share,
        signs,
        (
            Evidence("share of the disagreement that goes with these answers", share),
            Evidence("change of the coefficient without them", change.change, change.interval),
        ),
    )
    for_it, against = _manner(signs.distances, people)
    finding = replace(
        finding, speaks_for=(*finding.speaks_for, *for_it), speaks_against=(*finding.speaks_against, *against)
    )
    return Candidate(replace(finding, annotators=names), signs.sure_furthest)


def _manner(distances: Distances, people: list[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Do the answers look random, or like another reading of the task?"""
    odds = distances.random_responder[people]
    random = int((odds >= SUSPECT).sum())
    whose = "The" if len(people) == 1 else f"Of {random} of them the"
    for_it = (f"{whose} answers look random or constant: they hardly depend on the item.",) if random else ()
    prefers = preferred_answer(distances, people[0]) if len(people) == 1 else ""
    against = ("Answers do depend on the item: this may be another reading of the task, and no carelessness.",)
    return for_it + ((prefers,) if prefers else ()), () if random or not (odds < 0.5).all() else against


def _left_over(signs: Signs) -> Iterator[Finding]:
    """Agreement is too low and no cause is shown: perhaps a subjective task, but without repeats nobody can tell."""
    if not signs.view.below_target or signs.repeats is not None or signs.uneven:
        return
    if signs.view.study._annotations.named and signs.view.study.n_annotators < 2:
        return  # one annotator's repeats: this is agreement with oneself
    says = _left_over_says(signs)
    finding = _cause(SUBJECTIVE, says, math.nan, 0.0, signs, ())
    ask = "Have some fifty items answered again by the same annotators; then it can be told. "
    yield replace(finding, severity="note", p=None, remedy=ask + finding.remedy, covers=())


def _left_over_says(signs: Signs) -> str:
    """That disagreement spreads evenly is said only where hard items would have been seen."""
    unknown = "Whether annotators would agree with themselves is not known"
    if signs.hard:
        return (
            "Agreement is below its target and disagreement sits in some of the items: perhaps these are matters of "
            f"opinion, or what is shown of them does not tell. {unknown}."
        )
    if signs.spreads_over_items:
        return (
            "Agreement is below its target and disagreement spreads evenly: perhaps the task is subjective. "
            f"{unknown}, so carelessness of all of them would look the same."
        )
    return (
        "Agreement is below its target, and these data do not show where the disagreement sits: perhaps the task is "
        f"subjective, perhaps some items are hard, perhaps everybody is careless now and then. {unknown}."
    )


def _not_looked_at(signs: Signs) -> Iterator[NotLookedAt]:
    if signs.labelled and signs.concentration is None:
        yield NotLookedAt("unclear guidelines", signs.no_concentration)
    if signs.repeats is None and signs.distances is not None:
        yield NotLookedAt(
            "a subjective task",
            Message(
                "fewer than 20 items were answered again by the same annotator (such answers are kept with ",
                remedy(duplicates="repeat"), ")",
            ),
        )  # fmt: skip

"""Copied answers: two annotators, or a few, who answer alike far more than their agreement with all others explains.

Every pair is held against what the two people alone would explain (one factor, by medians, so that a pair that copies
does not explain itself). Of two people who agree so much beyond it that one seems to have taken half of the answers
from the other, or more, it is said that they do not answer independently. Where most annotators fall into such groups,
or the two agree with the others less than these do with each other, that is no copying but another reading of the task
(clusters of annotators); and where they agree with the others more than these do, they are careful.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, divide
from accord.errors import listing
from accord.findings.compared_people import ComparedPeople, middling_factor, one_factor
from accord.findings.distances import FEWEST, Distances
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from accord.findings.without_annotator import changes

COPIED = 0.5  # the least share of answers that one seems to have from the other
APART = 0.1  # agreement beyond chance by which people of another kind differ from the others
TELLING = 0.2  # agreement beyond chance of the others with each other, below which nothing follows from it
THE_SAME = 0.02  # the share of differing answers up to which two people are one, however the others read the task


@dataclass(frozen=True, eq=False)
class Copies:
    """People whose answers go together, the agreement within them, what would follow from the others, and its p."""

    people: tuple[int, ...]  # positions in the study
    agreement: float  # beyond chance, of the closest two
    explained: float  # what the two people's agreement with the others would give
    share: float  # of answers that one seems to have from the other
    p: float  # corrected for the number of pairs
    items: int  # that the two have in common


def copies_in(compared: ComparedPeople) -> list[Copies]:
    """Groups of people who do not answer independently, the closest first."""
    pairs = np.triu(compared.linked & (compared.common >= FEWEST), 1)
    explained = np.minimum(middling_factor(compared.agreement, compared.linked), 1.0)
    close, share, p = _closer(compared, explained, pairs)
    if close.any():  # medians are rough: whoever seems close must be so by all other pairs too
        others = compared.linked & ~(close | close.T)
        explained = np.maximum(explained, np.minimum(one_factor(compared.agreement, others), 1.0))
        close, share, p = _closer(compared, explained, pairs)
    groups = _groups(close | close.T)
    if 2 * sum(map(len, groups)) > len(compared.people):
        return []  # most people belong to one group or another: these are clusters
    found = []
    for group in groups:
        if _other_people(compared, group):
            continue
        inside = [(p[one, two], one, two) for one in group for two in group if close[one, two]]
        sure, one, two = min(inside)
        found.append(
            Copies(
                tuple(int(compared.people[place]) for place in group), float(compared.agreement[one, two]),
                float(explained[one, two]), min(float(share[one, two]), 1.0), float(sure),
                int(compared.common[one, two]),
            )
        )  # fmt: skip
    return sorted(found, key=lambda one: one.p)


def _closer(
    compared: ComparedPeople, explained: FloatArray, pairs: BoolArray
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """(people, people) who is closer than is explained, by which share of answers, and how likely that is chance."""
    share = np.where(pairs, divide(compared.agreement - explained, 1 - explained), 0.0)
    p = np.minimum(_chance(compared, explained, pairs) * max(int(pairs.sum()), 1), 1.0)
    return pairs & (share >= COPIED) & (p < CANDIDATE), share, p


def _chance(compared: ComparedPeople, explained: FloatArray, pairs: BoolArray) -> FloatArray:
    """(people, people) the binomial tail of agreeing as often, the unsure fit of one factor on the safe side."""
    from scipy.special import betainc

    number = np.where(pairs, compared.common, 1.0)
    usual = 1 - (1 - explained) * compared.room
    unsure = np.sqrt(np.clip(usual * (1 - usual), 0.0, None) / number * 4 / (len(compared.people) - 2))
    hits = compared.observed * number
    limit = np.clip(usual + unsure, 1e-6, 1 - 1e-6)
    return np.where(pairs, betainc(np.maximum(hits, 1e-9), number - hits + 1, limit), 1.0)


def _groups(close: BoolArray) -> list[list[int]]:
    """The connected groups of two or more."""
    left = set(np.nonzero(close.any(1))[0].tolist())
    groups = []
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = set(np.nonzero(close[sorted(edge)].any(0))[0].tolist()) - group
        left -= group
        groups.append(sorted(group))
    return groups


def _other_people(compared: ComparedPeople, group: list[int]) -> bool:
    """Are they unlike the others, so that it is no wonder that they are like each other?

    More careful people agree with all others better than these do with each other. People who read the task otherwise
    agree with the others less, and still differ between themselves now and then. And where the others hardly agree on
    anything, nothing follows from them.
    """
    inside = np.isin(np.arange(len(compared.people)), group)
    within = _mean(compared.agreement, compared.linked & ~inside[:, None] & ~inside[None, :])
    across = _mean(compared.agreement, compared.linked & inside[:, None] & ~inside[None, :])
    own = compared.linked & inside[:, None] & inside[None, :]
    if not within >= TELLING:
        return True
    explained = min(across**2 / within, 1 - 1e-9)  # as one factor would have it
    if (_mean(compared.agreement, own) - explained) / (1 - explained) < COPIED:
        return True
    above = across - within
    return above > APART or (above < -APART and 1 - _mean(compared.observed, own) > THE_SAME)


def _mean(table: FloatArray, chosen: BoolArray) -> float:
    return float(table[chosen].mean()) if chosen.any() else np.nan


# -- what is found ----------------------------------------------------------------------------------------------------


def look(view: View) -> Iterator[Clue]:
    """People who do not answer independently."""
    compared = view.compared_people
    if isinstance(compared, str) or isinstance(view.distances, str):
        yield NotLookedAt("copied answers", compared if isinstance(compared, str) else str(view.distances))
        return
    yield TestFamily(1, "groups who might answer as one")
    for copies in view.copies:
        yield _copied(view.distances, copies)


def _copied(distances: Distances, copies: Copies) -> Finding:
    names = tuple(distances.study.annotators[person] for person in copies.people)
    (change,) = changes(distances, [copies.people[1:]])
    main = distances.main
    who = f"{names[0]} and {names[1]}" if len(names) == 2 else listing(names, most=6)
    closest = "" if len(names) == 2 else " of the closest two"
    return Finding(
        "copied-answers",
        "warning",
        f"Annotators {who} do not seem to answer independently: agreement beyond chance{closest} is "
        f"{copies.agreement:.2f}, where {copies.explained:.2f} would follow from how they agree with the others. It is "
        f"as if {copies.share:.0%} of the answers had been taken over.",
        "Ask how the answers came about before anybody is blamed: the same person under two names, items done "
        "together, answers of one shown to the other, a table pasted twice. Until that is known count them as one: "
        f"with only {names[0]} of them {main.title} would be {change.value:z.2f} instead of {main.value:z.2f}.",
        evidence=(
            Evidence("agreement beyond chance between them", copies.agreement),
            Evidence("what their agreement with the others explains", copies.explained),
            Evidence("share of answers that seem to be taken over", copies.share),
            Evidence("change of the coefficient with only one of them", change.change, change.interval),
            Evidence("items in common", float(copies.items)),
        ),
        speaks_against=("Two people who were trained together, or differ from the others alike, look like this too.",),
        sources=("dieugenio2000",),
        annotators=names,
        p=copies.p,
        weight=0.9,
    )  # fmt: skip

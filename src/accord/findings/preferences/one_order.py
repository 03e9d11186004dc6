"""Is there one order? Options that have no common scale, and annotators who put the options in another order."""

from __future__ import annotations

import math
from collections.abc import Iterator

from accord.consensus.preferences.bradley_terry import strengths_of
from accord.consensus.preferences.strengths import BradleyTerry
from accord.errors import listing
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.label_texts import shown
from accord.findings.study_view import View
from accord.preferences.annotator_orders import OrderTest, order_tests

MUCH = 0.4  # log odds by which somebody's strength of an option must differ to be told: half as much again


def look(view: View) -> Iterator[Clue]:
    """Whether strengths exist, then each annotator against all."""
    found = view.strengths
    if found.undefined:
        yield Finding(
            "no-common-scale", "warning", f"The options cannot be put in one order by strength. {found.undefined}",
            "Compare options across the groups, or more often, before a ranking is reported; report who won over whom.",
            sources=("ford1957",),
        )  # fmt: skip
        return
    if found.separated:
        first = next(iter(found.separated.items()))
        yield Finding(
            "no-common-scale", "note",
            f"{listing(found.separated, most=4)} {'has' if len(found.separated) == 1 else 'have'} no finite strength: "
            f"{first[0]} {first[1]}.",
            "Compare such options with those nearest to them, until each has won and lost.", sources=("ford1957",),
        )  # fmt: skip
    if found.n_annotators < 2:
        yield NotLookedAt("whether annotators have one order", "There is one annotator.")
        return
    yield TestFamily(found.n_annotators, "annotators' orders of the options")
    yield from _others(found)


def _others(found: BradleyTerry) -> Iterator[Finding]:
    """Annotators with an order of their own, the surest first; each is then set aside, so that nobody is told of for
    differing from them.
    """
    while found.fitted is not None and found.estimate is not None and found.n_annotators > 1:
        tests = order_tests(found.estimate, found.estimate.scores(found.fitted, found.ties), found.ties)
        sure = [one for one in tests if one.p < CANDIDATE and abs(one.shift) >= MUCH]
        if not sure:
            return
        worst = min(sure, key=lambda one: one.p)
        yield _finding(found, worst)
        rest = found.comparisons.where(found.comparisons.annotator != worst.annotator)
        found = strengths_of(rest, found.ties, confidence=found.confidence)


def _finding(found: BradleyTerry, one: OrderTest) -> Finding:
    assert found.fitted is not None
    name, option = found.comparisons.annotators[one.annotator], found.fitted.options[one.option]
    more = one.shift > 0
    return Finding(
        "another-order", "warning",
        f"Annotator {shown(name)} puts the options in another order than the others do: {shown(option)} is preferred "
        f"{'more' if more else 'less'} often, as if its odds were {math.exp(abs(one.shift)):.2f} times "
        f"{'higher' if more else 'lower'} than all say.",
        "Look at comparisons of this option with them: another idea of what is better belongs into the guidelines, or "
        "into a report of more than one order.",
        evidence=(
            Evidence(f"log odds by which they differ on {option}", one.shift),
            Evidence("F of their order against that of all", one.statistic),
        ),
        annotators=(name,), p=one.p, weight=min(abs(one.shift) / 2, 1.0),
    )  # fmt: skip

"""Is what stands first preferred for standing there? Over all, and by single annotators."""

from __future__ import annotations

import math
from collections.abc import Iterator

from accord.agreement.inference.wald import interval_around
from accord.coefficients.standard_errors import p_value
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.label_texts import shown
from accord.findings.preferences.position import PositionEffect, position_of
from accord.findings.study_view import View
from accord.preferences.standing_first import PlaceEffect

FEWEST = 20  # comparisons of an annotator, below which nothing is said of them
MUCH = 0.1  # log odds: what surely is more than this is told
REMEDY = (
    "Show every pair in both orders, or in a random one, and count a preference that follows the place as a tie; then "
    "measure again."
)


def look(view: View) -> Iterator[Clue]:
    """All annotators together, then each by themselves."""
    found = position_of(view.study, fewest=FEWEST)
    if found.undefined:
        yield NotLookedAt("what standing first is worth", found.undefined)
        return
    if not math.isfinite(found.overall.effect):
        yield NotLookedAt("what standing first is worth", "The options have no strengths to hold it against.")
        return
    people = {} if len(found.annotators) < 2 else found.annotators
    yield TestFamily(1 + len(people), "places of options")
    whole = list(_findings(found, found.overall, "Annotators", ()))
    yield from whole
    for name, one in people.items():
        if not whole:  # what all do is no single annotator's
            yield from _findings(found, one, f"Annotator {shown(name)}", (name,))


def _findings(found: PositionEffect, one: PlaceEffect, who: str, names: tuple[str, ...]) -> Iterator[Finding]:
    """What surely is more than a little."""
    effect, error, df = one.effect, one.effect_error, found.n_items - 1
    if not math.isfinite(effect):
        return
    p = p_value(abs(effect) - MUCH, error, df, "greater")
    if not p < CANDIDATE:
        return
    place = "first" if effect > 0 else "second"
    prefer, share = ("prefers" if names else "prefer"), one.share if effect > 0 else 1 - one.share
    evidence = [
        Evidence("log odds of standing first, strengths held", effect, interval_around(effect, error, df=df)),
        Evidence(f"share that prefers what stands {place}, ties aside", share),
    ]
    if one.swapped:
        evidence.append(Evidence("the same winner in both orders", one.consistent / one.swapped))
    yield Finding(
        "position-effect", "warning",
        f"{who} {prefer} what stands {place}: the strengths of the options aside, that place multiplies the odds by "
        f"{math.exp(abs(effect)):.2f}.",
        REMEDY, evidence=tuple(evidence), annotators=names, sources=("zheng2023",), p=p,
        weight=min(abs(one.share - 0.5) * 2, 1.0),
    )  # fmt: skip

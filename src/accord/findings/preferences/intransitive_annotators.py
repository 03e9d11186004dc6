"""Do somebody's preferences go in circles as often as tossed coins would?"""

from __future__ import annotations

from collections.abc import Iterator

from accord.errors import percent
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt
from accord.findings.label_texts import shown
from accord.findings.preferences.circular import triads_of
from accord.findings.study_view import View
from accord.preferences.circular_triads import CircularTriads

FEWEST = 20  # triads, of which five would be circles by chance
MUCH = 0.2  # the share of circles from which on they are told; a quarter is chance
COIN = 0.05  # the chance of so few circles by coins, up to which they are not told


def look(view: View) -> Iterator[Clue]:
    """Annotators whose preferences cannot be told from tossed coins.

    Under one prompt that is a fault of theirs; over prompts it may be that options are better for some and worse for
    others, which is a note.
    """
    rows, inside = triads_of(view.study)
    enough = {name: one for name, one in rows.items() if one.triads >= FEWEST and name in view.study.annotators}
    if not enough:
        why = f"Nobody decided {FEWEST} triads of options, each of which was compared with the two others."
        yield NotLookedAt("preferences that go in circles", why)
    for name, one in enough.items():
        if one.share >= MUCH and one.p > COIN:  # NaN where pairs are missing: then nothing is said
            yield _finding(name, one, inside=inside)


def _finding(name: str, one: CircularTriads, *, inside: bool) -> Finding:
    where = "under one prompt" if inside else "over all items"
    return Finding(
        "circular-preferences", "warning" if inside else "note",
        f"The preferences of annotator {shown(name)} go in circles: {one.circular:,} of {one.triads:,} triads {where} "
        f"({percent(one.share)}), where tossed coins would give a quarter.",
        "Ask how they decide, and give them pairs again that they have judged: what nobody can repeat is no "
        "preference, and ties should be allowed for it.",
        evidence=(
            Evidence("share of circular triads", one.share),
            Evidence("Kendall's ζ", one.zeta),
            Evidence("the chance of so few circles by coins", one.p),
        ),
        annotators=(name,), sources=("kendall1940",), weight=min(one.share * 4, 1.0),
    )  # fmt: skip

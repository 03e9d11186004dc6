"""Tags of tokens: B-PER begins a unit, I-PER goes on with it, O is outside; and the units that they mean.

BIO, IO, IOB1, BIOES and BILOU are read alike. A tag that goes on where nothing was begun begins a unit, as it does in
IO and IOB1; how often that happens is counted, as it is a slip in the other schemes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

TAG = re.compile(r"(?:[BIESLUM]-.+|O)")
OUTSIDE = "O"
BEGINS = frozenset("BSU")
GOES_ON = frozenset("IELM")
ENDS = frozenset("ESLU")


@dataclass(frozen=True)
class TaggedUnits:
    """What tags mean: stretches of tokens with a label, and how many of them begin with a tag that should go on."""

    spans: tuple[tuple[int, int, str], ...]  # first token, token after the last, label
    stray: int


def units_of(tags: Sequence[str | None]) -> TaggedUnits:
    """The units that tags mean; None is a token that was not answered, which a unit may bridge.

    >>> units_of(["O", "B-PER", "I-PER", "I-LOC"]).spans
    ((1, 3, 'PER'), (3, 4, 'LOC'))
    >>> units_of(["B-PER", None, "I-PER"]).spans
    ((0, 3, 'PER'),)
    """
    spans: list[tuple[int, int, str]] = []
    stray = 0
    begun: tuple[int, str] | None = None
    last = 0  # the token after the last one that was said to belong to the unit
    for place, tag in enumerate([*tags, OUTSIDE]):
        if tag is None:
            continue
        mark, _, label = tag.partition("-")
        goes_on = begun is not None and mark in GOES_ON and label == begun[1]
        if begun is not None and not goes_on:
            spans.append((begun[0], last, begun[1]))
            begun = None
        if mark != OUTSIDE:
            stray += mark in GOES_ON and not goes_on
            begun, last = begun or (place, label), place + 1
        if begun is not None and mark in ENDS:
            spans.append((begun[0], last, begun[1]))
            begun = None
    return TaggedUnits(tuple(spans), stray)


def plain_tag(tag: str | None) -> str | None:
    """A tag of any scheme in BIO.

    >>> [plain_tag(tag) for tag in ("S-PER", "E-PER", "O", None)]
    ['B-PER', 'I-PER', 'O', None]
    """
    if tag is None or tag == OUTSIDE:
        return tag
    mark, _, label = tag.partition("-")
    return f"{'B' if mark in BEGINS else 'I'}-{label}"


def tags_of(spans: Sequence[tuple[int, int, str]], length: int) -> list[str]:
    """The BIO tags of units that do not overlap."""
    tags = [OUTSIDE] * length
    for start, end, label in spans:
        tags[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return tags

"""Does agreement depend on how long a span is?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.coefficients.standard_errors import p_value
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, TestFamily
from accord.findings.span_view import SpanView
from accord.findings.study_view import View
from accord.spans.differences import SAME

MUCH = 0.1  # how far the shares of long and short spans that another marked alike must surely lie apart
FEWEST = 20  # spans of either kind


def look(view: View) -> Iterator[Clue]:
    """Long spans against short ones: the share that another annotator marked alike."""
    if view.main.undefined:
        return
    spans = view.spans
    unit, alike, document = _marks(spans)
    length = spans.continuum.extent[unit]
    if not len(length):
        return
    limit = float(np.median(length))
    long = length > limit
    if min(int(long.sum()), int((~long).sum())) < FEWEST:
        return
    yield TestFamily(1, "comparisons of long and short spans")
    yield from _apart(spans, long.astype(np.float64), alike, document, limit)


def _marks(spans: SpanView) -> tuple[IntArray, FloatArray, IntArray]:
    """Every mark of every shared document: the unit, whether the other has the same, and its document."""
    found = spans.differences
    sides = [side.unit for side in (found.first, found.second)]
    unit = np.concatenate(sides)
    there = unit >= 0
    alike = np.tile(found.what == SAME, 2).astype(np.float64)
    return unit[there], alike[there], np.tile(found.document, 2)[there]


def _apart(spans: SpanView, long: FloatArray, alike: FloatArray, document: IntArray, limit: float) -> Iterator[Finding]:
    """The difference of two shares, by documents."""
    place = spans.exact.sample.place[document]
    size = len(spans.exact.sample)
    shares, moves = [], []
    for held in (long, 1 - long):
        number = float(held.sum())
        share = float((held * alike).sum() / number)
        shares.append(share)
        moves.append(size * add_up(place, held * (alike - share), size) / number)
    apart = shares[1] - shares[0]
    interval, error, df = spans.difference(abs(apart), np.sign(apart) * (moves[1] - moves[0]))
    p = 2 * p_value(abs(apart) - MUCH, error, df, "greater")  # either could have been the lower
    if not p < CANDIDATE:
        return
    less, kind = ("Long", "longer than") if apart > 0 else ("Short", "up to")
    yield Finding(
        "span-length",
        "warning",
        f"{less} spans are agreed on less: of those {kind} {limit:g}, {min(shares):.0%} have an identical span of "
        f"another annotator, of the others {max(shares):.0%}.",
        "Say in the guidelines how far a span reaches: the whole phrase or its head. Where long stretches are meant, "
        "let borders differ a little and report overlap beside exact agreement."
        if apart > 0
        else "Short spans are easily missed: show them in the guidelines, and go through the text for them alone.",
        evidence=(
            Evidence("difference of the two shares", abs(apart), interval),
            Evidence("median length of a span", limit),
        ),
        p=min(p, 1.0),
        weight=abs(apart),
    )

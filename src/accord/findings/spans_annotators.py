"""Who marks more or less than others, and whose spans are longer or shorter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, add_up, divide
from accord.errors import percent
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, FindingName, NotLookedAt, TestFamily
from accord.findings.span_view import FEWEST_DOCUMENTS, SpanView
from accord.findings.study_view import View
from accord.spans.differences import MISSING, SHIFTED

MUCH = 0.1  # of what others mark: how many more or fewer, or how much longer or shorter, is worth a word
TOO_FEW = f"It takes {FEWEST_DOCUMENTS} documents in which two annotators differ to tell it from chance."


def look(view: View) -> Iterator[Clue]:
    """Annotators who lean one way, by the sign test over documents."""
    if view.main.undefined:
        return
    spans = view.spans
    questions = (_number(spans), _length(spans))
    judged = sum(int(np.isfinite(bias.p).sum()) for bias in questions)
    if not judged:
        yield NotLookedAt("who marks more, or longer spans", TOO_FEW)
        return
    yield TestFamily(judged, "questions about who marks more, or longer spans")
    for bias in questions:
        yield from _findings(spans, bias)


@dataclass(frozen=True, eq=False)
class _MarkingBias:
    """How each annotator's marks compare with those of others."""

    p: FloatArray  # (R,)
    own: FloatArray  # (R,) of each annotator
    others: FloatArray  # (R,) of those who saw the same
    names: tuple[FindingName, FindingName]  # of less, of more
    words: tuple[str, str]
    what: str
    remedy: str


def _number(spans: SpanView) -> _MarkingBias:
    """How many spans each marks, beside others in the same documents."""
    continuum, found = spans.continuum, spans.differences
    people = len(continuum.annotators)
    cell = continuum.document * people + continuum.annotator
    marks = np.bincount(cell, minlength=continuum.seen.size).reshape(continuum.seen.shape).astype(np.float64)
    several = continuum.seen.sum(1) > 1
    seen = continuum.seen & several[:, None]
    others = divide(marks.sum(1, keepdims=True) - marks, np.maximum(continuum.seen.sum(1, keepdims=True) - 1, 1))
    documents = np.maximum(seen.sum(0), 1)
    sign = np.where(found.first.unit >= 0, 1.0, -1.0)  # of a missing one: who has it
    return _MarkingBias(
        spans.bias_p(found.what == MISSING, sign), (marks * seen).sum(0) / documents,
        (others * seen).sum(0) / documents, ("marks-fewer", "marks-more"), ("fewer spans", "more spans"),
        "spans per document",
        "Look at spans that only one of the two marked, together: is it missed, or not to be marked? Say which in the "
        "guidelines, and go through the documents again.",
    )  # fmt: skip


def _length(spans: SpanView) -> _MarkingBias:
    """How long each one's spans are, beside the spans of others that they are shifted against."""
    continuum, found = spans.continuum, spans.differences
    rows = found.what == SHIFTED
    mine = continuum.extent[found.first.unit[rows]]
    theirs = continuum.extent[found.second.unit[rows]]
    longer = np.zeros(len(found))
    longer[rows] = mine - theirs
    own, others = _means(spans, rows, mine, theirs)
    return _MarkingBias(
        spans.bias_p(rows, longer), own, others, ("marks-shorter", "marks-longer"), ("shorter spans", "longer spans"),
        "mean length of a span that both marked with different borders",
        "Decide by example what belongs to a span (articles, titles, punctuation, whole phrases), and write the rule.",
    )  # fmt: skip


def _means(spans: SpanView, rows: BoolArray, mine: FloatArray, theirs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(R,) mean lengths of one's own spans and of their counterparts."""
    found, people = spans.differences, len(spans.continuum.annotators)
    who = np.concatenate((found.one[rows], found.other[rows]))
    number = np.bincount(who, minlength=people)
    own, others = np.concatenate((mine, theirs)), np.concatenate((theirs, mine))
    return divide(add_up(who, own, people), number), divide(add_up(who, others, people), number)


def _findings(spans: SpanView, bias: _MarkingBias) -> Iterator[Finding]:
    """Whoever surely leans, and by more than a little; of two annotators the one who marks less."""
    apart = divide(bias.own - bias.others, bias.others)
    with_p = np.nan_to_num(bias.p, nan=1.0)
    found = np.nonzero((with_p < CANDIDATE) & (np.abs(np.nan_to_num(apart)) >= MUCH))[0]
    names = spans.continuum.annotators
    if len(names) == 2 and len(found) == 2:
        found = found[[int(np.argmin(bias.own[found]))]]
    for person in found.tolist():
        more = int(apart[person] > 0)
        yield Finding(
            bias.names[more],
            "warning",
            f"Annotator {names[person]} marks {bias.words[more]} than {_others(names, person)}: "
            f"{bias.own[person]:.3g} against {bias.others[person]:.3g} ({bias.what}), "
            f"{percent(round(abs(apart[person]), 2))} {'more' if more else 'less'}.",
            bias.remedy,
            evidence=(
                Evidence(f"{bias.what}, {names[person]}", float(bias.own[person])),
                Evidence(f"{bias.what}, the others", float(bias.others[person])),
            ),
            annotators=(names[person],),
            p=float(bias.p[person]),
            weight=min(abs(float(apart[person])), 1.0),
        )


def _others(names: tuple[str, ...], person: int) -> str:
    return names[1 - person] if len(names) == 2 else "the others"

"""Is it borders, labels, or what is marked at all? How much of span F1 each costs.

Exact F1 asks for the same place and label, overlap for one common position and the same label, overlap of any label for
one common position. So 1 − exact falls into three: what borders cost, what labels cost, and what only one marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.coefficients.standard_errors import p_value
from accord.errors import Message, in_python
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, FindingName, NotLookedAt, TestFamily
from accord.findings.span_view import SpanView
from accord.findings.study_view import View
from accord.spans.span_f1 import SpanF1

MUCH = 0.05  # of F1: what a loss must surely exceed to be told
LEAST_AGREED = 0.7  # F1 of any overlap, below which annotators do not mark the same things
MOST_PEOPLE = 40  # whose habits are listed
SHOWN = in_python(" accord.span_differences(study) lists them.", "")


def look(view: View) -> Iterator[Clue]:
    """Three losses of F1, each with its interval and remedy."""
    spans = view.spans
    if view.main.undefined or not len(spans.exact.sample):
        return
    if spans.units.number < 2:
        yield NotLookedAt("what disagreement is about", "It takes several documents to tell it from chance.")
        return
    yield TestFamily(3, "losses of span F1")
    losses = [
        _Loss(spans, "span-borders", spans.overlapping, spans.exact, BORDERS),
        _Loss(spans, "span-labels", spans.touching, spans.overlapping, LABELS),
        _Loss(spans, "span-presence", None, spans.touching, PRESENCE),
    ]
    yield _together(spans, losses)
    for loss in losses:
        if loss.p < CANDIDATE:
            yield loss.finding


BORDERS = (
    "Annotators mark the same things with different borders: {loss:.2f} of span F1 is lost on where they start and end",
    "Write border rules with an example each (articles, titles, punctuation, nested names); mark again what differs.",
)
LABELS = (
    "Annotators mark the same places with different labels: {loss:.2f} of span F1 is lost on labels",
    "Say in the guidelines how to tell the labels apart that are taken for each other, with borderline examples.",
)
PRESENCE = (
    "Annotators do not mark the same things: {loss:.2f} of span F1 is lost on spans that only one of two marked",
    "Say in the guidelines what is to be marked and what is not, with examples of both; look at what only one marked.",
)


@dataclass(frozen=True, eq=False)
class _Loss:
    """How much of F1 one step of the ladder costs; the last step is the one to full agreement."""

    spans: SpanView
    name: FindingName
    more: SpanF1 | None
    less: SpanF1
    words: tuple[str, str]

    @cached_property
    def size(self) -> float:
        best = 1.0 if self.more is None else float(self.more.parts.value)
        return best - float(self.less.parts.value)

    @cached_property
    def _difference(self) -> tuple[Interval, float, float]:
        scores = -self.less.influence()
        return self.spans.difference(self.size, scores if self.more is None else scores + self.more.influence())

    @property
    def p(self) -> float:
        """How likely so large a loss would be if the true one were at the limit; NaN where nothing tells."""
        _, error, df = self._difference
        limit = 1 - LEAST_AGREED if self.more is None else MUCH
        return p_value(self.size - limit, error, df, "greater")

    @property
    def evidence(self) -> Evidence:
        return Evidence(f"span F1 lost on {IN_A_WORD[self.name]}", self.size, self._difference[0])

    @property
    def finding(self) -> Finding:
        return Finding(
            self.name, "warning", f"{self.words[0].format(loss=self.size)}.",
            Message(self.words[1], SHOWN), evidence=(self.evidence,), sources=("hripcsak2005",), p=self.p,
            weight=min(self.size / max(1 - float(self.spans.exact.parts.value), 1e-9), 1.0),
        )  # fmt: skip


IN_A_WORD = {"span-borders": "borders", "span-labels": "labels", "span-presence": "what only one marked"}


def _together(spans: SpanView, losses: list[_Loss]) -> Finding:
    """All three beside each other, with what differs span by span: a fact, and where to begin."""
    most = max(losses, key=lambda loss: loss.size)
    exact = float(spans.exact.parts.value)
    *first, last = [f"{loss.size:.2f} on {IN_A_WORD[loss.name]}" for loss in losses]
    return Finding(
        "span-losses", "note",
        f"Exact span F1 is {exact:.2f}; of the {1 - exact:.2f} that it lacks, {', '.join(first)} and {last} are lost.",
        f"Begin with {IN_A_WORD[most.name]}." if most.size > 0 else "Nothing is to be done.",
        evidence=tuple(loss.evidence for loss in losses), sources=("hripcsak2005",), weight=1 - exact,
        table=_habits(spans),
    )  # fmt: skip


def _habits(spans: SpanView) -> Table | None:
    """Each annotator's spans beside those of others; None of a crowd."""
    names = spans.continuum.annotators
    if len(names) > MOST_PEOPLE:
        return None
    columns: dict[str, Any] = {"annotator": list(names), **spans.differences.by_annotator()}
    note = "Every span is counted once for each annotator whom it is compared with."
    return Table("Each annotator's spans beside those of others", columns, (note,))

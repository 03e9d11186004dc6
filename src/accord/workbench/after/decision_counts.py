"""What pages tell of all decisions together, counted anew when there are others."""

from __future__ import annotations

from dataclasses import dataclass

from accord.agreement.table import Table
from accord.workbench.after.adjudication_report import AdjudicationReport, adjudication_report
from accord.workbench.after.annotator_feedback import AnnotatorFeedback, annotator_feedback, feedback_overview
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.bench import Bench
from accord.workbench.decision_cache import DecisionCache, Look

SOURCES = ("unanimous", "model", "person", "rule", "undecided")  # where a label may be from, in the order of trust
LARGE = 50_000  # items beyond which nobody counts where each label is from


@dataclass(frozen=True)
class WhatCameOfIt:
    """The report of the adjudication, and how many labels of the gold are from where."""

    report: AdjudicationReport
    sources: dict[str, int]  # empty of very many items


class Counted:
    """What is counted of the decisions of a bench."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._outcome = DecisionCache(bench, self._what_came_of_it)
        self._overview = DecisionCache(bench, lambda: feedback_overview(bench))
        self._feedback: dict[str, DecisionCache[AnnotatorFeedback]] = {}

    def outcome(self) -> Look[WhatCameOfIt]:
        """What came of it all."""
        return self._outcome.look()

    def overview(self) -> Look[Table]:
        """How many answers of everybody were kept and changed."""
        return self._overview.look()

    def feedback(self, annotator: str) -> Look[AnnotatorFeedback]:
        """What was changed of one annotator's answers, and why."""
        made = DecisionCache(self._bench, lambda: annotator_feedback(self._bench, annotator))
        return self._feedback.setdefault(annotator, made).look()

    def _what_came_of_it(self) -> WhatCameOfIt:
        bench, sources = self._bench, dict[str, int]()
        if len(bench.study.items) <= LARGE:
            found = FinalGold(bench, learn=False).provenance().tolist()
            sources = {name: found.count(name) for name in SOURCES}
        return WhatCameOfIt(adjudication_report(bench), sources)

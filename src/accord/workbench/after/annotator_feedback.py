"""A page for each annotator: what of theirs was changed, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from accord.agreement.table import Table
from accord.consensus.gold import need_annotator, need_names
from accord.workbench.after.decided_items import DecidedItem, decided_items
from accord.workbench.bench import Bench
from accord.workbench.decision_log import LoggedRow


@dataclass(frozen=True)
class ChangedAnswer:
    """An answer of theirs that was decided otherwise."""

    key: str
    item: Any
    text: str
    theirs: str
    decided: str
    reason: str
    comment: str
    unclear: bool


@dataclass(frozen=True)
class AnnotatorFeedback:
    """What one annotator learns from the adjudication."""

    annotator: str
    answers: int  # on items that people decided
    kept: int
    changed: tuple[ChangedAnswer, ...]
    confusions: Table  # theirs, decided, items
    reasons: Table

    @property
    def table(self) -> Table:
        """What was changed, one row an item."""
        names = ("item", "text", "theirs", "decided", "reason", "comment")
        return Table("Changed", {name: [getattr(one, name) for one in self.changed] for name in names})


def annotator_feedback(bench: Bench, annotator: str) -> AnnotatorFeedback:
    """What was changed of one annotator's answers, and why.

    Raises:
        OptionError: If there is no such annotator.
        MeasureError: If nobody is named.
    """
    need_names(bench.gold, "A page for each annotator")
    return _feedback(bench, need_annotator(bench.gold, annotator), decided_items(bench))


def feedback_overview(bench: Bench) -> Table:
    """Everybody's answers on decided items: how many were kept and changed."""
    need_names(bench.gold, "A page for each annotator")
    items = decided_items(bench)
    found = [_feedback(bench, place, items) for place in range(len(bench.study.annotators))]
    some = [one for one in found if one.answers]
    columns: dict[str, Any] = {
        "annotator": [one.annotator for one in some],
        "answers": [one.answers for one in some],
        "kept": [one.kept for one in some],
        "changed": [len(one.changed) for one in some],
    }
    return Table("Answers on decided items", columns)


def _feedback(bench: Bench, annotator: int, items: list[DecidedItem]) -> AnnotatorFeedback:
    _, who, answer, _ = bench.study._annotations.rows
    given = kept = 0
    changed: list[ChangedAnswer] = []
    for one in items:
        for row in bench.view.annotations(one.place).tolist():
            if who[row] != annotator:
                continue
            given += 1
            theirs = bench.form.given(int(answer[row]))
            if theirs == one.answer:
                kept += 1
            else:
                changed.append(_changed(bench, one, theirs, one.row))
    pairs = Counter((one.theirs, one.decided) for one in changed)
    why = Counter(one.reason for one in changed if one.reason)
    ranked = sorted(pairs, key=lambda pair: (-pairs[pair], pair))
    reasons = sorted(why, key=lambda reason: (-why[reason], reason))
    return AnnotatorFeedback(
        bench.study.annotators[annotator],
        given,
        kept,
        tuple(changed),
        Table(
            "Confusions",
            {
                "theirs": [theirs for theirs, _ in ranked],
                "decided": [decided for _, decided in ranked],
                "items": [pairs[pair] for pair in ranked],
            },
        ),
        Table("Reasons", {"reason": reasons, "items": [why[reason] for reason in reasons]}),
    )


def _changed(bench: Bench, one: DecidedItem, theirs: Any, row: LoggedRow) -> ChangedAnswer:
    words = bench.form.words
    return ChangedAnswer(
        one.key,
        one.item,
        bench.view.text(one.place),
        words(theirs),
        words(one.answer),
        row.reason,
        row.comment,
        row.unclear,
    )

"""A page for each annotator: what of theirs was changed, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from accord.agreement.table import Table
from accord.consensus.annotator_tables import need_annotator, need_names
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
        """What was changed, one row per item."""
        names = ("item", "text", "theirs", "decided", "reason", "comment")
        return Table("Changed", {name: [getattr(one, name) for one in self.changed] for name in names})


def annotator_feedback(bench: Bench, annotator: str) -> AnnotatorFeedback:
    """What was changed of one annotator's answers, and why.

    Raises:
        OptionError: If there is no such annotator.
        MeasureError: If nobody is named.
    """
    need_names(bench.gold, "A page for each annotator")
    wanted = need_annotator(bench.gold, annotator)
    theirs = [(one, answer) for one, who, answer in _answers(bench) if who == wanted]
    changed = tuple(_changed(bench, one, answer, one.row) for one, answer in theirs if answer != one.answer)
    return AnnotatorFeedback(
        annotator,
        len(theirs),
        len(theirs) - len(changed),
        changed,
        _counted("Confusions", ("theirs", "decided"), Counter((one.theirs, one.decided) for one in changed)),
        _counted("Reasons", ("reason",), Counter((one.reason,) for one in changed if one.reason)),
    )


def feedback_overview(bench: Bench) -> Table:
    """Everybody's answers on decided items: how many were kept and changed."""
    need_names(bench.gold, "A page for each annotator")
    given, kept = Counter[int](), Counter[int]()
    for one, who, answer in _answers(bench):
        given[who] += 1
        kept[who] += answer == one.answer
    people = sorted(given)
    columns: dict[str, Any] = {
        "annotator": [bench.study.annotators[who] for who in people],
        "answers": [given[who] for who in people],
        "kept": [kept[who] for who in people],
        "changed": [given[who] - kept[who] for who in people],
    }
    return Table("Answers on decided items", columns)


def _answers(bench: Bench) -> Iterator[tuple[DecidedItem, int, Any]]:
    """Every answer to an item that people decided: the item, who gave it, and what."""
    _, who, answer, _ = bench.study._annotations.rows
    for one in decided_items(bench):
        for row in bench.view.annotations(one.place).tolist():
            yield one, int(who[row]), bench.form.given(int(answer[row]))


def _counted(title: str, names: tuple[str, ...], numbers: Counter[tuple[str, ...]]) -> Table:
    """What was counted, the most first."""
    ranked = sorted(numbers, key=lambda words: (-numbers[words], words))
    columns: dict[str, Any] = {name: [words[place] for words in ranked] for place, name in enumerate(names)}
    return Table(title, {**columns, "items": [numbers[words] for words in ranked]})


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

"""The report of the adjudication: decided as, confused with, why, by whom, and how far two adjudicators agree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from accord.agreement.inference.proportions import wilson
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.study.study import Study
from accord.workbench.after.decided_items import DecidedItem, decided_items
from accord.workbench.bench import Bench
from accord.workbench.decision_log import LoggedRow
from accord.workbench.progress import Progress
from accord.workbench.written_answers import AnswerForm, read_back

NO_REASON = "(no reason given)"
NO_LEAD = "(no answer led)"


@dataclass(frozen=True)
class AdjudicationReport:
    """What people decided, as tables."""

    progress: Progress
    followed: int  # decided as the majority had it
    overruled: int
    no_majority: int
    decided_as: Table  # decided as, instead of, items
    reasons: Table  # reason, items, of them overruled
    people: Table  # who decided how much, how fast
    second_look: SecondLookAgreement
    rules: Table

    def tables(self) -> tuple[Table, ...]:
        """All of them, in the order of reading."""
        return self.decided_as, self.reasons, self.people, self.second_look.table, self.rules


@dataclass(frozen=True)
class SecondLookAgreement:
    """How far two adjudicators agree on the items that both decided."""

    n_items: int
    agreed: int
    share: float  # NaN where nobody looked twice
    interval: Interval
    coefficient: Agreement | None  # chance-corrected; None where there is nothing to compare, or nothing that fits
    table: Table  # the items that they decided differently


def adjudication_report(bench: Bench) -> AdjudicationReport:
    """The report of what stands now."""
    items = decided_items(bench)
    followed = sum(one.majority is not None and one.answer == one.majority for one in items)
    no_majority = sum(one.majority is None for one in items)
    return AdjudicationReport(
        progress=bench.progress(),
        followed=followed,
        overruled=len(items) - followed - no_majority,
        no_majority=no_majority,
        decided_as=_decided_as(bench.form, items),
        reasons=_reasons(items),
        people=_people(bench, items),
        second_look=second_look_agreement(bench),
        rules=_rules(bench),
    )


def _decided_as(form: AnswerForm, items: list[DecidedItem]) -> Table:
    """What was decided, and what the majority had said instead."""
    pairs = Counter((form.words(one.answer), form.words(one.majority) or NO_LEAD) for one in items)
    ranked = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    columns: dict[str, Any] = {
        "decided_as": [decided for (decided, _), _ in ranked],
        "majority": [majority for (_, majority), _ in ranked],
        "items": [number for _, number in ranked],
        "overruled": [majority not in (decided, NO_LEAD) for (decided, majority), _ in ranked],
    }
    return Table("Decided as, and confused with", columns)


def _reasons(items: list[DecidedItem]) -> Table:
    number = Counter(one.row.reason or NO_REASON for one in items)
    against = Counter(
        one.row.reason or NO_REASON for one in items if one.majority is not None and one.answer != one.majority
    )
    ranked = sorted(number, key=lambda reason: (-number[reason], reason))
    columns: dict[str, Any] = {
        "reason": ranked,
        "items": [number[reason] for reason in ranked],
        "overruled": [against[reason] for reason in ranked],
    }
    return Table("Reasons", columns)


def _people(bench: Bench, items: list[DecidedItem]) -> Table:
    progress = bench.progress().people
    undone = Counter(row.by for row in bench.log.of_people("undo"))
    seconds = {
        who.name: [one.row.seconds for one in items if one.row.by == who.name and one.row.seconds is not None]
        for who in progress
    }
    against = Counter(one.row.by for one in items if one.majority is not None and one.answer != one.majority)
    columns: dict[str, Any] = {
        "adjudicator": [who.name for who in progress],
        "decided": [who.decided for who in progress],
        "overruled": [against[who.name] for who in progress],
        "second_looks": [who.second_looks for who in progress],
        "skipped": [who.skipped for who in progress],
        "undone": [undone[who.name] for who in progress],
        "median_seconds": [median(seconds[who.name]) if seconds[who.name] else float("nan") for who in progress],
    }
    return Table("Who decided", columns)


def _rules(bench: Bench) -> Table:
    rules = bench.rules()
    return Table("Accepted by a rule", {"rule": list(rules), "items": list(rules.values())})


def second_look_agreement(bench: Bench, confidence: float = 0.95) -> SecondLookAgreement:
    """How far those agree who decided the same items, one blind to the other."""
    decided: dict[str | None, list[LoggedRow]] = {}
    for row in bench.log.of_people("decide"):
        decided.setdefault(row.item, []).append(row)
    pairs = []
    for place, second in bench.standing.second.items():
        first = _decided_before(decided.get(bench.view.key(place), []), second.number)
        if first is not None:
            pairs.append((place, first, second))
    agreed = sum(first.after == second.answer for _, first, second in pairs)
    differ = [(place, first, second) for place, first, second in pairs if first.after != second.answer]
    words = bench.form.words
    columns: dict[str, Any] = {
        "item": [bench.study.items[place] for place, _, _ in differ],
        "first": [words(read_back(first.after)) for _, first, _ in differ],
        "by": [first.by for _, first, _ in differ],
        "second": [words(read_back(second.answer)) for _, _, second in differ],
        "second_by": [second.by for _, _, second in differ],
        "settled": [place not in bench.second_looks.differ for place, _, _ in differ],
    }
    answers = [(first.after or "", second.answer) for _, first, second in pairs]
    return SecondLookAgreement(
        len(pairs),
        agreed,
        agreed / len(pairs) if pairs else float("nan"),
        wilson(agreed, len(pairs), confidence),
        _chance_corrected(bench.form, answers),
        Table("Decided differently by two adjudicators", columns),
    )


def _decided_before(rows: list[LoggedRow], number: int) -> LoggedRow | None:
    """The decision that stood when the second look was taken."""
    found = [row for row in rows if not row.second_look and row.number < number]
    return found[-1] if found else None


def _chance_corrected(form: AnswerForm, pairs: list[tuple[str, str]]) -> Agreement | None:
    """Krippendorff's alpha of the two decisions: on numbers at the interval level, else every answer as a name."""
    from accord.measures.krippendorff import krippendorff_alpha

    if not pairs:
        return None
    if form.kind == "score":
        numbers = np.array([[read_back(one), read_back(other)] for one, other in pairs], dtype=np.float64)
        return krippendorff_alpha(Study.from_wide(numbers, answers="score"), level="interval")
    return krippendorff_alpha(Study.from_wide([list(pair) for pair in pairs]), level="nominal")

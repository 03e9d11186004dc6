"""The gold after people's decisions: written as `accord gold` writes it, with where each label is from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.agreement.table import Table
from accord.consensus.decision import Decision
from accord.consensus.gold import Gold
from accord.workbench.bench import Bench
from accord.workbench.decision_log import LoggedRow
from accord.workbench.item_states import ACCEPTED, DECIDED, ItemState
from accord.workbench.learner import TAUGHT_ANNOTATIONS
from accord.workbench.written_answers import read_back

Provenance: TypeAlias = Literal["unanimous", "model", "person", "rule", "undecided"]
WITH_DECISION = ("decided_by", "decided_at")


@dataclass(frozen=True)
class FinalItem:
    """One item at the end: its answer, and where that is from."""

    place: int
    item: Any
    text: str
    answer: Any  # a label, a list of labels, a number; None where it is undecided
    provenance: Provenance
    confidence: float  # of what nobody decided
    by: str = ""
    at: str = ""
    rule: str = ""
    reason: str = ""
    comment: str = ""


class FinalGold:
    """The gold of a bench as it stands now.

    Args:
        bench: The bench.
        learn: Whether the model learns from the decisions first, which takes as long as fitting it did.
    """

    def __init__(self, bench: Bench, *, learn: bool = True) -> None:
        self.bench = bench
        rows = {row.number: row for row in bench.log.standing("decide", "accept")}
        self.decided: dict[int, tuple[ItemState, LoggedRow]] = {
            place: (stands, rows[stands.number])
            for state in (DECIDED, ACCEPTED)
            for place, stands in bench.stand(state).items()
        }
        small = learn and bench.study.n_annotations <= TAUGHT_ANNOTATIONS
        self.gold = _with_decisions(bench.taught_gold() if small else bench.gold, self)
        self.taught = small and any(not stands.rule for stands, _ in self.decided.values())

    def provenance(self) -> np.ndarray[Any, Any]:
        """(items,): where each item's answer is from."""
        found = np.where(self.gold.decided, "model", "undecided").astype(object)
        found[(found == "model") & self._unanimous()] = "unanimous"
        for place, (stands, _) in self.decided.items():
            found[place] = "rule" if stands.rule and found[place] != "unanimous" else found[place]
            found[place] = found[place] if stands.rule else "person"
        return found

    def _unanimous(self) -> np.ndarray[Any, Any]:
        """(items,): did two people or more answer, all of them alike, and is that the answer?"""
        tally = self.gold.study.tally()
        alike = np.append((np.diff(tally.starts) == 1) & (tally.answered > 1), False)
        pattern, first_answer = self.bench.view.pattern, np.append(tally.answer[tally.starts[:-1]], -1)
        found = np.asarray(alike[pattern])
        for place in np.nonzero(found)[0].tolist():
            found[place] = self.bench.form.same(self.gold.labels[place], int(first_answer[pattern[place]]))
        return found

    def items(self) -> list[FinalItem]:
        """Every item in the order of the study."""
        view, labels = self.bench.view, self.gold.labels
        confidence = self.gold.confidence
        found = []
        for place, provenance in enumerate(self.provenance()):
            stands, row = self.decided.get(place, (None, None))
            answer = labels[place] if stands is None else read_back(stands.answer)
            log_fields = {} if row is None else {"by": row.by, "at": row.at, "rule": row.rule, "reason": row.reason}
            found.append(
                FinalItem(
                    place, self.bench.study.items[place], view.text(place), self.bench.form.plain(answer), provenance,
                    float(confidence[place]), **log_fields, comment="" if row is None else row.comment,
                )
            )  # fmt: skip
        return found

    def table(self) -> Table:
        """As `accord gold` writes it, with provenance, rule, reason and comment beside every row."""
        table = self.gold.to_table()
        provenance = self.provenance()
        places = [self.bench.view.places[item] for item in table["item"]]
        rows = [self.decided.get(place, (None, None))[1] for place in places]
        more: dict[str, Any] = {"provenance": [str(provenance[place]) for place in places]}
        for name in ("by", "at"):
            more[f"decided_{name}"] = ["" if row is None else getattr(row, name) for row in rows]
        for name in ("rule", "reason", "comment", "guideline_version"):
            column = f"decision_{name}" if name in table.columns else name
            more[column] = ["" if row is None else getattr(row, name) for row in rows]
        if self.bench.study.kind == "ranked":
            more["ranking"] = [None if row is None else row.after for row in rows]
        columns = {name: table[name] for name in table.columns if name not in WITH_DECISION}
        note = f"{len(self.decided):,} items were decided at the workbench"
        taught = "; the model learned from them." if self.taught else "."
        return Table(table.title, {**columns, **more}, (*table.notes, note + taught))


def _with_decisions(gold: Gold, final: FinalGold) -> Gold:
    """The gold with what was decided in place of what it had."""
    for_gold = final.bench.form.for_gold
    return gold._with_decided(
        {
            place: Decision(for_gold(read_back(stands.answer)), row.by, row.at, row.rule)
            for place, (stands, row) in final.decided.items()
        }
    )

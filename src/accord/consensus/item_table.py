"""Gold item by item: where each label is from, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.method_outcome import on_labels
from accord.consensus.votes_behind import support_of

if TYPE_CHECKING:
    from accord.consensus.gold import Gold


def why(gold: Gold, place: int) -> str | None:
    """Why an item is undecided, in a sentence."""
    if gold.decided[place]:
        return None
    if not answers(gold)[place]:
        return "nobody answered it"
    return gold._of_kind.why_undecided(place)


def answers(gold: Gold) -> IntArray:
    """(items,): answers on each item."""
    if gold.scores is not None:
        return gold.scores.by_item.astype(np.int64)
    return gold.outcomes[0].ballots.per_item


def votes_behind(gold: Gold) -> FloatArray:
    """(items,): the share of an item's answers behind its label, or behind the least supported part of its set."""
    codes = gold._of_kind.codes()
    each = [support_of(outcome, code).votes for outcome, code in zip(gold.outcomes, codes, strict=True)]
    return np.asarray(np.min(each, axis=0)) if each else np.full(len(gold), np.nan)


def label_table(gold: Gold) -> Table:
    """The votes behind each label."""
    found = gold._of_kind.support()
    given = [on_labels(outcome).by_cell.sum(axis=0) for outcome in gold.outcomes]
    answered = gold._of_kind.of_labels(given)
    columns: dict[str, Any] = {
        "label": list(gold.study.labels),
        "items": np.array([one.items for one in found]),
        "votes": np.array([one.votes for one in found]),
        "leading": np.array([one.leading for one in found]),
        "in_answers": answered / max(float(given[0].sum()), 1.0),
        "in_gold": np.array([one.items for one in found]) / max(gold.n_decided, 1),
        "remark": ["drifted" if one.drifted else "" for one in found],
    }
    drifted = tuple(f"{one.label!r} has drifted from its name: {one.sentence()}." for one in found if one.drifted)
    return Table("Votes behind the labels", columns, drifted)


def item_table(gold: Gold) -> Table:
    """One row per item."""
    columns: dict[str, Any] = {
        "item": list(gold.study.items), **gold._of_kind.columns(), "answers": answers(gold)
    }  # fmt: skip
    if gold.method == "sharpening":
        columns["item_weight"] = gold.item_weights
    source = np.where(gold.decided, gold.method, "undecided").astype(object)
    if gold.known is not None:
        source[gold.known] = "known"
    reasons, people, times = ([""] * len(gold) for _ in range(3))
    for place in np.nonzero(~gold.decided)[0].tolist():
        reasons[place] = why(gold, place) or ""
    for place, decision in gold.decisions.items():
        source[place] = "rule" if decision.rule else "person"
        people[place], times[place] = decision.by, decision.at
    columns |= {"source": source, "reason": reasons}
    if gold.decisions:
        columns |= {"decided_by": people, "decided_at": times}
    if gold.seed is not None:
        columns["seed"] = np.full(len(gold), gold.seed)
    return Table(f"Gold by {gold.title}", columns, (*gold.notes, *_meaning(gold)))


def _meaning(gold: Gold) -> tuple[str, ...]:
    """What the confidence is, and what stands beside it."""
    meanings = {
        "posterior": "confidence: how likely the label is right, under the model; votes: the share of the item's "
        "answers that give it.",
        "vote share": "confidence: the share of votes for the label, which is no probability that it is right.",
        "weighted vote share": "confidence: the share of votes for the label, annotators weighted, which is no "
        "probability that it is right.",
    }
    return (meanings[gold.confidence_is],) if gold.confidence_is in meanings else ()


def distribution(gold: Gold) -> Table:
    """Labels and how many items have them."""
    done = int(gold.decided.sum())
    notes: tuple[str, ...] = (
        (f"{len(gold) - done:,} of {len(gold):,} items are undecided.",) if done < len(gold) else ()
    )
    return gold._of_kind.distribution(notes)

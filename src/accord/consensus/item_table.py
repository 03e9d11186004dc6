"""Gold item by item: where each label is from, and why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.method_outcome import on_labels
from accord.consensus.votes_behind import behind_labels, support_of
from accord.errors import MeasureError, counted, listing

if TYPE_CHECKING:
    from accord.consensus.gold import Gold
    from accord.consensus.method_outcome import Outcome


def why(gold: Gold, place: int) -> str | None:
    """Why an item is undecided, in a sentence."""
    if gold.decided[place]:
        return None
    if not answers(gold)[place]:
        return "nobody answered it"
    if gold.kind == "set":
        return _why_set(gold, place)
    outcome = gold.outcomes[0]
    assigned = outcome.details.get("assigned")
    return _why_tied(gold, outcome, place) if assigned is None else _why_assigned(gold, assigned[place])


def _why_assigned(gold: Gold, assigned: BoolArray) -> str:
    """The expert index leaves none or several."""
    names = [gold.study.labels[label] for label in np.nonzero(assigned)[0]]
    if names:
        return f"{listing(names, most=4)} were all assigned"
    return "no label has more annotators for it than against it, and the expert index does not settle it"


def _why_tied(gold: Gold, outcome: Outcome, place: int) -> str:
    found = np.searchsorted(outcome.choices.open_items, place)
    tied = outcome.choices.tied[found]
    if not tied.any():
        return "nobody whose answers carry weight answered it"
    names = [gold.study.labels[label] for label in np.nonzero(tied)[0]]
    each = _count(outcome, place, int(np.nonzero(tied)[0][0]))
    return f"{listing(names, most=4)} are tied ({each} each)"


def _count(outcome: Outcome, place: int, label: int) -> str:
    if outcome.evidence.softness != "vote share" and not outcome.by_votes:
        share = outcome.evidence.soft(outcome.ballots, place, place + 1)[0][0, label]
        return f"{outcome.evidence.softness} {share:.2f}"
    cell, often = outcome.ballots.entries(place, place + 1)
    number = int(often[cell % outcome.ballots.n_answers == label].sum())
    return f"{number} answer" if number == 1 else f"{number} answers"


def _why_set(gold: Gold, place: int) -> str:
    names = [gold.study.labels[label] for label in np.nonzero(gold.members[place] < 0)[0]]
    return f"as much speaks for as against {listing(names, most=4)}"


def answers(gold: Gold) -> IntArray:
    """(items,): answers on each item."""
    if gold.scores is not None:
        return gold.scores.by_item.astype(np.int64)
    return gold.outcomes[0].ballots.per_item


def _codes(gold: Gold) -> list[IntArray]:
    """Of each question, what every item got: positions of labels, or for sets whether the label is present."""
    if gold.kind == "single":
        return [gold.codes]
    return [gold.members[:, place].astype(np.int64) for place in range(len(gold.study.labels))]


def votes_behind(gold: Gold) -> FloatArray:
    """(items,): the share of an item's answers behind its label, or behind the least supported part of its set."""
    if gold.kind == "score":
        return np.full(len(gold), np.nan)
    each = [support_of(outcome, code).votes for outcome, code in zip(gold.outcomes, _codes(gold), strict=True)]
    return np.asarray(np.min(each, axis=0))


def label_table(gold: Gold) -> Table:
    """The votes behind each label."""
    if gold.kind == "score":
        raise MeasureError("Scores have no labels with votes behind them; see values and standard_errors.")
    sets = gold.kind == "set"
    found = behind_labels(gold.outcomes, gold.study.labels, _codes(gold), sets=sets)
    given = [on_labels(outcome).by_cell.sum(axis=0) for outcome in gold.outcomes]
    answered = np.array([counts[1] for counts in given]) if sets else given[0]
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
        "item": list(gold.study.items),
        "score" if gold.kind == "score" else "label": gold.labels,
    }
    if gold.kind == "score":
        columns["se"] = gold.standard_errors
    else:
        columns["confidence"], columns["votes"] = gold.confidence, gold.votes
    columns["answers"] = answers(gold)
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
    said = {
        "posterior": "confidence: how likely the label is right, under the model; votes: the share of the item's "
        "answers that give it.",
        "vote share": "confidence: the share of votes for the label, which is no probability that it is right.",
        "weighted vote share": "confidence: the share of votes for the label, annotators weighted, which is no "
        "probability that it is right.",
    }
    return (said[gold.confidence_is],) if gold.confidence_is in said else ()


def distribution(gold: Gold) -> Table:
    """Labels and how many items have them."""
    done = int(gold.decided.sum())
    notes: tuple[str, ...] = (
        (f"{len(gold) - done:,} of {len(gold):,} items are undecided.",) if done < len(gold) else ()
    )
    if gold.kind == "score":
        return _quantiles(gold.values[gold.decided], notes)
    if gold.kind == "single":
        counts = np.bincount(gold.codes[gold.codes >= 0], minlength=len(gold.study.labels))
    else:
        members = gold.members[gold.decided] > 0
        counts = members.sum(axis=0)
        sizes = np.bincount(members.sum(axis=1), minlength=1)
        notes += tuple(
            f"{counted(n, 'items')} with {counted(size, 'labels')}." for size, n in enumerate(sizes.tolist()) if n
        )
    share = counts / done if done else np.full(len(counts), np.nan)
    return Table("Distribution", {"label": list(gold.study.labels), "items": counts, "share": share}, notes)


def _quantiles(values: FloatArray, notes: tuple[str, ...]) -> Table:
    points = (0.0, 0.25, 0.5, 0.75, 1.0)
    found = np.quantile(values, points) if len(values) else np.full(len(points), np.nan)
    names = ["lowest", "lower quarter", "middle", "upper quarter", "highest"]
    return Table("Distribution", {"label": names, "score": found}, notes)

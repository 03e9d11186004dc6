"""How many more answers each item of a gold needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from accord.arrays import FloatArray
from accord.consensus.evidence import choose
from accord.consensus.modelled import fitted
from accord.consensus.needed import answers_needed
from accord.consensus.outcome import Ask, Outcome, on_labels
from accord.consensus.people import judgement
from accord.consensus.reasons import answers
from accord.errors import MeasureError
from accord.table import Table

if TYPE_CHECKING:
    from accord.consensus.gold import Gold


def answers_needed_by_item(gold: Gold, confidence: float) -> Table:
    """One row an item: its confidence and the further answers it needs; a set needs what its least sure label needs."""
    if gold.kind == "score":
        raise MeasureError("For scores ask for a standard error, not a confidence: see standard_errors.")
    needed = np.zeros(len(gold), dtype=np.int64)
    believed = np.ones(len(gold))
    rates = []
    for outcome in gold.outcomes:
        accuracy, trust = _belief(outcome)
        more = answers_needed(accuracy, confidence, labels=outcome.ballots.n_answers, confidence=trust)
        needed = np.where((needed < 0) | (more < 0), -1, np.maximum(needed, more))
        believed = np.fmin(believed, trust)
        rates.append(accuracy)
    settled = np.zeros(len(gold), dtype=np.bool_) if gold.known is None else gold.known.copy()
    settled[list(gold.decisions)] = True
    needed[settled] = 0
    return Table(
        "Answers needed",
        {"item": list(gold.study.items), "answers": answers(gold), "belief": believed, "needed": needed},
        (f"Further annotators are taken to be right with probability {np.mean(rates):.3f}, each on their own.",),
    )


def _belief(outcome: Outcome) -> tuple[float, FloatArray]:
    """The accuracy of a typical annotator, and how far each item's label is believed; votes through the model of one
    accuracy.
    """
    found = judgement(outcome)
    total = found.judged.sum()
    accuracy = float(found.right.sum() / total) if total else np.nan
    if outcome.evidence.models:
        trust = outcome.choices.confidence
    else:
        ballots = on_labels(outcome)
        plain = fitted("one-accuracy", ballots, Ask(known=outcome.evidence.known))
        trust = choose(ballots, plain.evidence).confidence
    return accuracy, np.where(np.isnan(trust), 1 / outcome.ballots.n_answers, trust)

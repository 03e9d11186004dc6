"""The annotators of a gold: their table, and one's confusions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray
from accord.consensus import competence
from accord.consensus.gold import need_annotator, need_names
from accord.consensus.models import fitted
from accord.consensus.outcome import Options, Outcome, on_labels
from accord.errors import MeasureError, OptionError, in_python
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.consensus.gold import Gold


def who_answered(study: Study, table: Table) -> Table:
    """A table of annotators without the models and adjudicators that stand aside: they have no answers there."""
    kinds = study.kinds
    aside = np.array([kinds.get(name, "person") != "person" for name in table["annotator"]], dtype=np.bool_)
    kept = ~aside | (table["answers"] > 0)
    return Table(table.title, {name: table[name][kept] for name in table.columns}, table.notes)


def annotator_table(gold: Gold, confidence: float) -> Table:
    """One row per annotator; for sets the yes/no answers to all labels together."""
    need_names(gold, "A report on annotators")
    names = gold.study.annotators
    if gold.scores is not None and gold.scored is not None:
        return competence.report_scores(names, gold.scores, gold.scored, confidence)
    first = gold.outcomes[0]
    judged = [judgement(outcome) for outcome in gold.outcomes]
    mass = np.sum([found.mass for found in judged], axis=0)
    accuracy = competence.bounded_accuracy(mass)
    telling = np.sum([found.weight_of_evidence(accuracy) for found in judged], axis=0)
    weights = [outcome.weights for outcome in gold.outcomes if outcome.weights is not None]
    mean_weight = np.mean(weights, axis=0) if weights else None
    return competence.report(names, first.ballots.answered, mass, telling, mean_weight, first.weights_are, confidence)


def judgement(outcome: Outcome) -> competence.Judgement:
    """The annotators judged by one another: under the method's model, or for votes under the model of one coin."""
    if outcome.evidence.models and not outcome.by_votes:
        return competence.Judgement(outcome.ballots, outcome.evidence)
    ballots = on_labels(outcome)
    options = Options(known=outcome.evidence.known, learn=True)
    return competence.Judgement(ballots, fitted("one-coin", ballots, options).evidence)


def confusion_table(gold: Gold, annotator: str, label: Label | None) -> Table:
    """How an annotator answers items of each label: as the model learned it, or as the others' answers show it."""
    need_names(gold, "A confusion table")
    if gold.kind == "score":
        raise MeasureError(
            "Scores have no confusion table; ",
            in_python("annotators() has their bias and spread", "the table of annotators has their bias and spread"),
            ".",
        )
    place = need_annotator(gold, annotator)
    outcome, labels = _question(gold, label)
    learned = _learned(outcome, place)
    title = f"Confusion of {annotator}"
    notes: tuple[str, ...] = ()
    if learned is None:
        mass = judgement(outcome).mass[place].T
        total = mass.sum(axis=1, keepdims=True)
        learned = np.divide(mass, total, out=np.full(mass.shape, np.nan), where=total > 1e-9)
        notes = ("Judged by the others' answers: the method itself has no confusion table.",)
    columns: dict[str, Any] = {"label": list(labels)}
    columns |= {f"says {answer}": learned[:, at] for at, answer in enumerate(labels)}
    return Table(title, columns, notes)


def _question(gold: Gold, label: Label | None) -> tuple[Outcome, tuple[Any, ...]]:
    if gold.kind == "single":
        return gold.outcomes[0], gold.study.labels
    if label not in gold.study.labels:
        raise OptionError.choice("label", label, [str(name) for name in gold.study.labels])
    return gold.outcomes[gold.study.labels.index(label)], ("no", "yes")


def _learned(outcome: Outcome, place: int) -> FloatArray | None:
    if outcome.confusion is None:
        return None
    return confusion_rows(outcome.details.get("model"), outcome.confusion, place)


def confusion_rows(model: Any, confusion: FloatArray, place: int) -> FloatArray:
    """A person's confusion table; NaN in a row of which nothing is known."""
    table: FloatArray = confusion[place].copy()
    seen = getattr(model, "seen", None)
    if seen is not None and not getattr(model, "pseudo", np.zeros(1)).any():
        table[seen[place] <= 1e-12] = np.nan
    return table

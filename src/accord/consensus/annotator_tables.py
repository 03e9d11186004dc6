"""The annotators of a gold: their table, and one's confusions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.consensus import competence
from accord.consensus.accuracy_errors import Accuracies, accuracies, together
from accord.consensus.ballots import Ballots
from accord.consensus.fit_models import fitted
from accord.consensus.method_outcome import Options, Outcome, on_labels
from accord.consensus.table_sizes import is_huge, table_size
from accord.errors import MeasureError, Message, nobody_named, some_annotators
from accord.options import check_choice
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
    judged = [judgement(outcome).mass for outcome in gold.outcomes]
    mass = judged[0] if len(judged) == 1 else np.sum(judged, axis=0)
    found = together([accuracies_of(outcome) for outcome in gold.outcomes])
    weights = [outcome.weights for outcome in gold.outcomes if outcome.weights is not None]
    mean_weight = np.mean(weights, axis=0) if weights else None
    return competence.report(names, first.ballots.answered, mass, found, mean_weight, first.weights_are, confidence)


def judgement(outcome: Outcome) -> competence.Judgement:
    """The annotators judged by one another: under the method's model, or for votes under the model of one coin."""
    if is_huge(outcome.ballots):
        raise MeasureError(not_judged(outcome.ballots))
    if outcome.evidence.models and not outcome.by_votes:
        return competence.Judgement(outcome.ballots, outcome.evidence)
    ballots = on_labels(outcome)
    options = Options(known=outcome.evidence.known, learn=True)
    return competence.Judgement(ballots, fitted("one-coin", ballots, options).plain)


def not_judged(ballots: Ballots) -> Message:
    """Why annotators are not judged where labels are too many."""
    return Message(
        f"Judging annotators by one another takes {table_size(ballots)}. Join rare labels, or choose some annotators: ",
        some_annotators(), ".",
    )  # fmt: skip


def accuracies_of(outcome: Outcome) -> Accuracies:
    """How often each annotator is right, and how sure that is: under the gold's model where that can tell, and else
    under the model of one coin, whatever the method.
    """
    fit, known, ballots = outcome.details.get("model"), outcome.evidence.known, on_labels(outcome)
    model = None if fit is None else fit.for_errors(ballots, known)
    if model is None:
        model = fitted("one-coin", ballots, Options(known=known, learn=True, shares="learned")).model
    return accuracies(ballots, model, known)


def confusion_table(gold: Gold, annotator: str, label: Label | None) -> Table:
    """How an annotator answers items of each label: as the model learned it, or as the others' answers show it."""
    need_names(gold, "A confusion table")
    outcome, labels = gold._of_kind.question(label)
    place = need_annotator(gold, annotator)
    learned = None if outcome.confusion is None else outcome.confusion[place]
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


def need_names(gold: Gold, what: str) -> None:
    """Nobody can be reported on where nobody is named."""
    if not gold.study._annotations.named:
        raise nobody_named(f"{what} needs to know who answered", gold.study.shape)


def need_annotator(gold: Gold, annotator: str) -> int:
    """The position of an annotator."""
    check_choice("annotator", annotator, gold.study.annotators)
    return gold.study.annotators.index(annotator)

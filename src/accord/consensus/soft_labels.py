"""How far each label is taken to be an item's: a model's posterior, or the share of votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.consensus.method_outcome import plain_votes
from accord.errors import MeasureError, in_python, one_of, remedy

if TYPE_CHECKING:
    from accord.consensus.gold import Gold


def soft(gold: Gold) -> FloatArray:
    """(items, labels): the method's soft labels; of sets how sure each label is present."""
    return gold._of_kind.of_labels([outcome.evidence.all(outcome.ballots) for outcome in gold.outcomes])


def posterior_table(gold: Gold) -> Table:
    """The probability of each label of each item under the model; votes have none."""
    if gold.confidence_is != "posterior":
        raise MeasureError(
            f"{gold.title} is no model of how answers come about, so it has no posterior. Choose ",
            remedy(method=one_of("dawid-skene", "one-coin", "mace", "glad")),
            in_python(", or see vote_shares()", ""),
            ".",
        )
    return _by_label(gold, "Posterior", gold.soft())


def vote_share_table(gold: Gold) -> Table:
    """The share of an item's answers that give each label, everybody alike."""
    shares = [plain_votes(outcome).all(outcome.ballots) for outcome in gold.outcomes]
    return _by_label(gold, "Vote shares", gold._of_kind.of_labels(shares))


def _by_label(gold: Gold, title: str, soft: FloatArray) -> Table:
    """A row per item and a column per label, which is called otherwise where another column is called so."""
    columns: dict[str, Any] = {"item": list(gold.study.items)}
    notes: tuple[str, ...] = ()
    for place, label in enumerate(gold.study.labels):
        name = str(label)
        while name in columns:
            name += " (label)"
        if name != str(label):
            notes += (f"The label {label!r} is the column {name!r}, as another column is called {str(label)!r}.",)
        columns[name] = soft[:, place]
    return Table(title, columns, notes)

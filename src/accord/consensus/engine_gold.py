"""A gold whose items stay in their engine, and items called as the engine calls them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus import competence, em, reference
from accord.consensus.accuracy_errors import TOO_MANY, Accuracies
from accord.consensus.adjudication import check_length
from accord.consensus.annotator_tables import need_annotator, who_answered
from accord.consensus.fit_models import progressed
from accord.consensus.fitted_in_engine import FittedInEngine, as_log_likelihoods, fit_in_engine
from accord.consensus.gold import Gold
from accord.consensus.label_names import Written
from accord.consensus.method_outcome import Options, Progressed
from accord.consensus.score_against_reference import BINS, Score
from accord.engine import lazy_annotations
from accord.errors import InputError, Keyword
from accord.options import whole_number
from accord.study.csv_writer import APOSTROPHE, HARMLESS, QUOTED, RUNS
from accord.study.study import Study


@dataclass(frozen=True, eq=False)
class EngineGold(Gold):
    """A gold whose items stay in their engine.

    Everything a `Gold` tells without going through the items comes from sums in the engine. `lazy()` is one row an
    item as a frame of the engine, `write(path)` has the engine write it; labels and the like are brought here when they
    are needed, where they are few enough.
    """

    _engine: FittedInEngine | None = None

    @property
    def _fitted(self) -> FittedInEngine:
        assert self._engine is not None
        return self._engine

    def __len__(self) -> int:
        counts = self._fitted.counts
        return int(counts.items.sum()) + counts.undecided

    @property
    def _n_doubtful(self) -> int:
        return self._fitted.counts.doubtful

    @property
    def stays_in_engine(self) -> bool:
        """It does."""
        return True

    @cached_property
    def in_memory(self) -> Gold:
        """The same gold in memory, if its annotations are few enough."""
        return self._on(self._fitted.in_memory)

    # -- what has an entry for each item comes from the gold in memory ---------------------------------------------

    @property
    def codes(self) -> IntArray:
        """(items,): the position of the label in the scale, −1 where undecided."""
        return self.in_memory.codes

    @property
    def decided(self) -> BoolArray:
        """(items,): is there a label?"""
        return self.in_memory.decided

    @property
    def labels(self) -> list[Any]:
        """One entry per item, None where undecided."""
        return self.in_memory.labels

    @property
    def confidence(self) -> FloatArray:
        """(items,): posterior or vote share of the label."""
        return self.in_memory.confidence

    @property
    def votes(self) -> FloatArray:
        """(items,): the share of the item's answers that give its label."""
        return self.in_memory.votes

    def by_label(self) -> Table:
        """The votes behind each label."""
        return self.in_memory.by_label()

    def _support_rows(self) -> Any:
        """Only where the items are few enough to be brought here."""
        return super()._support_rows() if self._fitted.annotations.fit_memory else None

    def soft(self) -> FloatArray:
        """(items, labels): the method's soft labels."""
        return self.in_memory.soft()

    def posterior(self) -> Table:
        """The probability of each label of each item under the model."""
        return self.in_memory.posterior()

    def vote_shares(self) -> Table:
        """The share of an item's answers that give each label."""
        return self.in_memory.vote_shares()

    def tied_labels(self) -> tuple[IntArray, BoolArray]:
        """The undecided items and which labels are tied there."""
        return self.in_memory.tied_labels()

    def reason(self, item: Label) -> str | None:
        """Why an item is undecided; None if it is decided."""
        return self.in_memory.reason(item)

    def undecided(self) -> Table:
        """The items without a label, and why."""
        return self.in_memory.undecided()

    def answers_needed(self, *, confidence: float = 0.95) -> Table:
        """How many more answers of typical annotators each item needs for a given confidence in its label."""
        return self.in_memory.answers_needed(confidence=confidence)

    def decide(self, decisions: Any, *, by: str | None = None, at: str | None = None) -> Gold:
        """The same gold, in memory, with a person's decisions."""
        return self.in_memory.decide(decisions, by=by, at=at)

    def to_table(self) -> Table:
        """One row per item: label, confidence, votes for it, answers, where it is from, and why there is none."""
        return self.in_memory.to_table()

    def __getitem__(self, item: Label) -> Any:
        return self.in_memory[item]

    # -- what sums in the engine tell ------------------------------------------------------------------------------

    @property
    def n_decided(self) -> int:
        """Items with a label."""
        return int(self._fitted.counts.items.sum())

    @property
    def mean_confidence(self) -> float:
        """Over all items; NaN where nothing is known of the annotators."""
        return float("nan") if self.unsure else self._fitted.counts.mean_confidence

    @property
    def confidence_is(self) -> str:
        """What the confidence is."""
        if self.unsure:
            return "none"
        return "vote share" if self._fitted.fit is None else "posterior"

    @property
    def progress(self) -> Progressed | None:
        """How the iteration went."""
        found = self._fitted.fit
        return None if found is None else progressed(found)

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood of the annotations under the model; NaN for votes."""
        return float("nan") if self._fitted.fit is None else self._fitted.fit.log_likelihood

    def lazy(self) -> Any:
        """One row per item as a lazy frame of the engine: item, label, confidence, votes, answers, source, reason."""
        return self._shown.to_native()

    @property
    def _shown(self) -> Any:
        """What a person is told of every item; no confidence where nothing is known of the annotators."""
        from accord.engine.label_posteriors import without_values

        return without_values(self._fitted.frame, "confidence") if self.unsure else self._fitted.frame

    def write(self, path: str | Path, *, keep_formulas: bool = False) -> Path:
        """Have the engine write one row per item to a .parquet or .csv; Spark makes a folder of parts."""
        table = self._fitted.posteriors.scan.of_frame(self._shown)
        if Path(path).suffix.lower() == ".csv":
            table = table.marked(QUOTED if keep_formulas else RUNS, HARMLESS, APOSTROPHE)
        return table.write(path)

    def distribution(self) -> Table:
        """How many items got each label."""
        counts = self._fitted.counts
        done = int(counts.items.sum())
        notes = (f"{counts.undecided:,} of {len(self):,} items are undecided.",) if counts.undecided else ()
        share = counts.items / done if done else np.full(len(counts.items), np.nan)
        columns: dict[str, Any] = {"label": list(self.study.labels), "items": counts.items, "share": share}
        return Table("Distribution", columns, notes)

    def annotators(self, *, confidence: float = 0.95) -> Table:
        """Each annotator's competence with an interval, weight, and whether they are suspected of not reading.

        The intervals need every pair of answers to an item, so the annotations are brought here where they are few
        enough; elsewhere there is none, and the table says so.
        """
        if self._fitted.annotations.fit_memory:
            return self.in_memory.annotators(confidence=confidence)
        fit = self._fitted.fit
        judged_by = self._plain_fit() if fit is None else fit
        accuracy = _weights(judged_by)
        found = Accuracies(accuracy, np.full(len(accuracy), np.nan), TOO_MANY)
        answered = self._fitted.annotations.answers_by_annotator().sum(axis=1)
        names, weights = self.study.annotators, None if fit is None else _weights(fit)
        mass = self._judged(judged_by)
        table = competence.report(names, answered, mass, found, weights, "accuracy", confidence)
        return who_answered(self.study, table)

    def _judged(self, fit: em.Fit) -> FloatArray:
        """Expected answers by label, each annotator judged by the others, in the engine."""
        posteriors = self._fitted.posteriors
        with posteriors.kept() as kept:
            log_likelihoods = as_log_likelihoods(fit.plain, kept)
            return competence.judged_mass(
                lambda table: kept.judged(log_likelihoods, table), len(posteriors.people), posteriors.number
            )

    def _plain_fit(self) -> em.Fit:
        """Votes are no model: annotators are judged under one coin."""
        options = Options(learn=True)
        return fit_in_engine("one-coin", self._fitted.posteriors, options, self._fitted.study.n_annotations)

    def confusion(self, annotator: str, *, label: Label | None = None) -> Table:
        """An annotator's confusion table, as the model learned it."""
        if self._fitted.fit is None or label is not None:
            return self.in_memory.confusion(annotator, label=label)
        place = need_annotator(self, annotator)
        rows = self._fitted.fit.confusion[place]
        columns: dict[str, Any] = {"label": list(self.study.labels)}
        columns |= {f"says {answer}": rows[:, at] for at, answer in enumerate(self.study.labels)}
        return Table(f"Confusion of {annotator}", columns)

    def score(
        self, given: Any, *, item: str = "item", label: str = "label", confidence: float = 0.95, bins: int = BINS
    ) -> Score:
        """How right the gold is; the items of the reference are fetched, no others."""
        known = reference.as_mapping(given, "The reference", item=item, label=label)
        found = as_the_engine_calls(self._fitted.annotations, known)
        if not found:
            raise InputError("The reference says nothing of any item. Fill in its labels.", option=Keyword("reference"))
        return self._of_items(list(found)).score(found, confidence=confidence, bins=bins)

    def queue(
        self,
        n: int = 20,
        *,
        path: str | Path | None = None,
        show_text: bool = True,
        show_annotators: bool = False,
        force: bool = False,
    ) -> Table:
        """The most uncertain items; only these are fetched, and none of their texts."""
        check_length(n)
        fitted = self._fitted
        items = fitted.posteriors.least_sure(fitted.frame, n, votes=fitted.fit is None)
        chosen = self._of_items(items)
        return chosen.queue(n, path=path, show_text=show_text, show_annotators=show_annotators, force=force)

    def _of_items(self, items: Sequence[Any]) -> Gold:
        """The same gold of some items, here."""
        return self._on(self._fitted.some(items))

    def _on(self, study: Study) -> Gold:
        outcome = self._fitted.outcome(study)
        known = None if outcome.evidence.known is None else outcome.evidence.known >= 0
        return Gold(
            study,
            self.method,
            self.title,
            kind=self.kind,
            outcomes=(outcome,),
            known=known,
            options=self.options,
            seed=self.seed,
            notes=self.notes,
            choice=self.choice,
            unsure=self.unsure,
        )

    def to_dict(self, *, items: bool = True) -> dict[str, Any]:
        """For JSON; items only where they are few enough to be brought here."""
        return super().to_dict(items=items and self.study.n_annotations <= lazy_annotations.MOST_ROWS)


def _weights(fit: em.Fit) -> FloatArray:
    return np.asarray(np.einsum("jcc,c->j", fit.model.confusion, fit.model.shares))


def as_the_engine_calls(lazy: lazy_annotations.LazyAnnotations, found: dict[Any, Any]) -> dict[Any, Any]:
    """With items called as the engine calls them: in a file, numbers are text."""
    if not isinstance(found, Written) or lazy.scan.fits(lazy.roles.item, found):
        return found
    numbers = {name for name in found if whole_number(name.removeprefix("-")) is not None}
    return {int(name) if name in numbers else name: value for name, value in found.items()}

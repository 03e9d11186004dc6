"""A model of a table in an engine: fitted to its answers as numbers, where the engine runs in this process.

Elsewhere every iteration is one query, and what travels is a table of annotators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import IntArray
from accord.consensus import em
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import LabelEvidence
from accord.consensus.fit_models import FIRST, fitted, outcome_of
from accord.consensus.majority import majority
from accord.consensus.method_outcome import Options, Outcome
from accord.consensus.votes_behind import support_of
from accord.engine import lazy_annotations
from accord.engine.lazy_annotations import LazyAnnotations
from accord.errors import MeasureError, collected, in_python
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.engine.coded_answers import CodedAnswers
    from accord.engine.label_posteriors import LabelCounts, LabelPosteriors, LogLikelihoods


def posteriors_of(lazy: LazyAnnotations, known: Mapping[Any, int] | None) -> LabelPosteriors:
    """The answers, ready to be asked."""
    from accord.engine.label_posteriors import LabelPosteriors

    item, annotator, label = lazy.roles
    return LabelPosteriors(
        scan=lazy.scan,
        item=item,
        annotator=annotator,
        label=label,
        people=lazy.raw_annotators,
        codes=lazy.codes,
        labels=lazy.answers.labels,
        known=known,
        repeats=lazy.repeated,
    )


@dataclass(frozen=True, eq=False)
class AnswersHere:
    """The answers of a table whose engine runs in this process, as numbers."""

    coded: CodedAnswers
    ballots: Ballots
    known: IntArray | None

    @classmethod
    def of(cls, posteriors: LabelPosteriors, total: int) -> AnswersHere | None:
        """None where the engine is elsewhere, or the answers are too many: then every iteration is a query."""
        from accord.engine.coded_answers import CodedAnswers

        coded = CodedAnswers.of(posteriors, total)
        if coded is None:
            return None
        people, number = len(posteriors.people), posteriors.number
        ballots = Ballots.from_batches(coded.batches(), coded.per_item, people, number)
        return cls(coded, ballots, coded.known())

    def labelled(self, fit: em.Fit, method: str, labels: Sequence[Label]) -> Any:
        """One row per item, as a frame of the engine: what a person is told of it."""
        outcome = outcome_of(replace(fit, plain=replace(fit.plain, known=self.known)), self.ballots, method)
        codes = np.asarray(outcome.choices.code, dtype=np.int64)
        open_items, tied = outcome.choices.open_items, outcome.choices.tied
        reason, source = np.full(len(codes), "", dtype=object), np.full(len(codes), method, dtype=object)
        if self.known is not None:
            source[self.known >= 0] = "known"
        source[open_items] = "undecided"
        reason[open_items] = [
            f"{', '.join(repr(label) for label, among in zip(labels, row, strict=True) if among)} are tied"
            for row in tied
        ]
        names = np.empty(len(labels) + 1, dtype=object)  # the last is of those that are undecided
        names[:-1] = list(labels)
        votes = support_of(outcome, codes).votes.astype(object)
        votes[codes < 0] = None
        columns = {
            "label": names[codes].tolist(),
            "confidence": outcome.choices.confidence.tolist(),
            "votes": votes.tolist(),
            "answers": self.ballots.per_item.tolist(),
            "source": source.tolist(),
            "reason": reason.tolist(),
        }
        return self.coded.labelled(columns)


@dataclass(frozen=True, eq=False)
class FittedInEngine:
    """What was learned in the engine, and how to ask it for more."""

    study: Study
    annotations: LazyAnnotations
    posteriors: LabelPosteriors
    method: str
    options: Options
    fit: em.Fit | None  # None: votes
    known: Mapping[Any, int]
    here: AnswersHere | None = None  # the answers, where they were fetched

    @cached_property
    def log_likelihoods(self) -> LogLikelihoods:
        """What each answer says."""
        from accord.engine.label_posteriors import LogLikelihoods

        return LogLikelihoods() if self.fit is None else as_log_likelihoods(self.fit.evidence, self.posteriors)

    @cached_property
    def frame(self) -> Any:
        """One row per item, lazily."""
        if self.fit is not None and self.here is not None:
            return self.here.labelled(self.fit, self.method, self.posteriors.labels)
        return self.posteriors.decided(self.log_likelihoods, self.method, first=self.options.ties == "first")

    @cached_property
    def counts(self) -> LabelCounts:
        """How many items have each label."""
        from accord.engine.label_posteriors import counted

        return counted(self.posteriors.scan, self.frame, self.posteriors.labels)

    @cached_property
    def in_memory(self) -> Study:
        """All annotations here, if they are few enough."""
        if not self.annotations.fit_memory:
            raise MeasureError(
                f"This has a row for every item, and {self.annotations.n_annotations:,} annotations stay in their "
                f"engine (at most {lazy_annotations.MOST_ROWS:,} are brought here). ",
                in_python("gold.write(path)", "--output"),
                " has the engine write the labels",
                in_python("; gold.lazy gives a frame of it; gold.queue(n) and gold.score(reference) fetch some", ""),
                ".",
                available=("write", "lazy", "queue", "score"),
            )
        return self.study._in_memory

    def some(self, items: Sequence[Any]) -> Study:
        """The annotations of some items, here."""
        found = self.posteriors.annotations_of(items)
        return Study(
            found,
            item=self.posteriors.item,
            annotator=self.posteriors.annotator,
            label=self.posteriors.label,
            labels=list(self.posteriors.labels),
            duplicates="repeat",
        )

    def outcome(self, study: Study) -> Outcome:
        """The items of a study in memory, decided by what was learned in the engine."""
        ballots = Ballots.of(study._annotations)
        codes = None
        if self.known:
            codes = np.array([self.known.get(name, -1) for name in study.items], dtype=np.int64)
        if self.fit is None:
            return majority(ballots, replace(self.options, known=codes))
        place = {name: at for at, name in enumerate(self.study.annotators)}
        rows = np.array([place[name] for name in study.annotators], dtype=np.int64)
        table = self.log_likelihoods.table
        assert table is not None
        plain = replace(self.fit.plain, table=table[rows].reshape(-1, table.shape[2]), known=codes)
        model = self.fit.model
        if not np.array_equal(rows, np.arange(len(place))):
            model = model.of_annotators(rows)
        return outcome_of(replace(self.fit, plain=plain, model=model), ballots, self.method)


def as_log_likelihoods(evidence: LabelEvidence, posteriors: LabelPosteriors) -> LogLikelihoods:
    """A model's table as the engine takes it."""
    from accord.engine.label_posteriors import LogLikelihoods

    if evidence.table is None:
        return LogLikelihoods()
    shape = (len(posteriors.people), posteriors.number, -1)
    taught = None if evidence.taught is None else evidence.taught.reshape(shape)
    return LogLikelihoods(evidence.table.reshape(shape), evidence.offset, taught)


def fit_in_engine(
    name: str, posteriors: LabelPosteriors, options: Options, total: int, here: AnswersHere | None = None
) -> em.Fit:
    """A model fitted to answers that were fetched as numbers, or in the engine: every iteration one query."""
    _refuse_many(posteriors, name)
    if here is not None:
        return fitted(name, here.ballots, replace(options, known=here.known))
    shape = Ballots(0, len(posteriors.people), posteriors.number, np.zeros(1, np.int64), np.empty(0, np.int64))
    with posteriors.kept() as kept:
        sums = em.Sums(lambda evidence: kept.mass(as_log_likelihoods(evidence, kept)), total)
        return em.fit_to(
            sums,
            LabelEvidence("vote share", np.zeros(posteriors.number)),
            FIRST[name](shape, options),
            **options.iteration,
        )


def _refuse_many(posteriors: LabelPosteriors, method: str) -> None:
    from accord.engine.label_posteriors import MOST_LABELS

    if posteriors.number > MOST_LABELS:
        raise MeasureError(
            f"{method} of {posteriors.number:,} labels does not run in an engine (at most {MOST_LABELS}). Merge rare "
            "labels, or collect the frame first.",
            remedies=[collected()],
        )

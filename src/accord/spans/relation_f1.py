"""F1 between annotators who marked relations between spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import IntArray
from accord.spans.continuum import Continuum
from accord.spans.matched_amounts import Amounts
from accord.spans.relation_matching import RelationCriterion, relation_amounts
from accord.spans.shared_documents import SharedDocuments
from accord.spans.span_f1 import Average, Empty, SpanF1, in_title
from accord.study.study import Study


@dataclass(frozen=True)
class RelationF1Recipe:
    """What makes the F1 of relations of a study, or of a part of it."""

    criterion: RelationCriterion
    average: Average = "micro"
    empty: Empty = "skip"
    reference: str | None = None
    spans: Study | None = None  # what the relations connect

    def __call__(self, study: Study) -> SpanF1:
        """The F1 of the relations in the study's documents."""
        continuum = Continuum.of(study)
        reference = None if self.reference is None else study.annotators.index(self.reference)
        shared = SharedDocuments.of(continuum.seen, reference)
        spans = None if self.spans is None else _in_the_same_documents(self.spans, study)
        by_label = "arguments by label" if spans else None

        def amounts(criterion: RelationCriterion) -> Amounts:
            return relation_amounts(continuum, shared, criterion, spans)

        labelled = replace(self.criterion, label_must_match=True)
        return SpanF1(
            continuum, amounts(self.criterion), self.average, self.empty,
            labelled=None if labelled == self.criterion else lambda: amounts(labelled),
            of_what=in_title(self.average, self.reference, self.criterion.in_words, by_label),
            reference=self.reference, marks="relations",
        )  # fmt: skip


def _in_the_same_documents(spans: Study, study: Study) -> Continuum:
    """Spans by the documents and annotators of another study; what is of others is of no use there."""
    found = Continuum.of(spans)
    document = _places(spans.items, study.items)[found.document]
    annotator = _places(spans.annotators, study.annotators)[found.annotator]
    kept = (document >= 0) & (annotator >= 0)
    some = found.take(kept)
    return replace(some, annotators=study.annotators, document=document[kept], annotator=annotator[kept])


def _places(names: Sequence[Label], known: Sequence[Label]) -> IntArray:
    """Where each name stands among others; −1 where it does not."""
    place = {name: number for number, name in enumerate(known)}
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)

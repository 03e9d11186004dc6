"""F1 between annotators who marked relations between spans."""

from __future__ import annotations

from dataclasses import dataclass, replace

from accord.spans.continuum import Continuum
from accord.spans.meetings import Meetings
from accord.spans.relation_matching import RelationCriterion, relation_amounts
from accord.spans.span_f1 import AVERAGED, Average, Empty, SpanF1
from accord.study.study import Study


@dataclass(frozen=True)
class RelationF1Recipe:
    """What makes the F1 of relations of a study, or of a part of it."""

    criterion: RelationCriterion
    average: Average = "micro"
    empty: Empty = "skip"
    reference: str | None = None

    def __call__(self, study: Study) -> SpanF1:
        """The F1 of the relations in the study's documents."""
        continuum = Continuum.of(study)
        reference = None if self.reference is None else study.annotators.index(self.reference)
        meetings = Meetings.of(continuum.seen, reference)
        words = [self.criterion.in_words, AVERAGED[self.average]]
        words += [] if self.reference is None else [f"against {self.reference}"]
        labels_count = self.criterion.label_must_match
        labelled = self.criterion if labels_count else replace(self.criterion, label_must_match=True)
        return SpanF1(
            continuum, relation_amounts(continuum, meetings, self.criterion), self.average, self.empty,
            labelled=None if labelled is self.criterion else lambda: relation_amounts(continuum, meetings, labelled),
            of_what=", ".join(word for word in words if word) or None, marks="relations",
        )  # fmt: skip

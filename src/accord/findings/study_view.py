"""View: what every detector looks at; each table is made once, when it is first asked for.

Tables and tallies are by patterns, not by items, and none is as large as annotators × annotators × labels². What needs
to know who answered is None where the study does not say (`named`), or where the answers stay in an engine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.build import each_once
from accord.agreement.inference.informative_items import degrees_of_freedom, from_scores, informed_interval
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.interpretation import BENCHMARKS
from accord.agreement.registry import named
from accord.agreement.result import Agreement
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import Answers, answers_called
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import RareAnswers, Tally
from accord.coefficients.chance import Pooled
from accord.coefficients.coefficient import Tabular
from accord.coefficients.standard_errors import NO_ERROR, Ends
from accord.coefficients.units import Units
from accord.coefficients.weights import Identity
from accord.errors import AccordError, MeasureError, Message, in_python, remedy
from accord.findings.finding import SURE
from accord.findings.first_answers import first_answers
from accord.measures.measure_all import among_annotators
from accord.study.in_memory import in_memory_where_small
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.consensus.preferences.strengths import BradleyTerry
    from accord.findings.agreement_on_labels import Confused
    from accord.findings.annotator_clustering import AnnotatorClusters
    from accord.findings.compared_people import ComparedPeople
    from accord.findings.copied_answers import Copies
    from accord.findings.distances import Distances
    from accord.findings.hard_items import HardItems
    from accord.findings.label_spelling import How
    from accord.findings.neighbouring_labels import Neighbours
    from accord.findings.planted_faults import PlantedItems
    from accord.findings.span_view import SpanView
    from accord.findings.time_course import TimeCourse


ROUNDING = 1e-9  # what is nearer to zero than this is zero


@dataclass(frozen=True, eq=False)
class View:
    """A study of one variable, its coefficient among annotators, and how high agreement should be for its purpose."""

    study: Study
    main: Agreement  # undefined where nothing can be compared
    target: float
    recommended: Agreement | None = None  # what is reported, where that does not compare answers one by one

    # -- what kind of data ------------------------------------------------------------------------------------------

    @cached_property
    def single(self) -> bool:
        """Is an answer one label (or may it be read as one: a ranked answer by its one primary label)?"""
        one = self.study.kind == "single" or (
            self.study.kind == "ranked" and bool((self.study.answers.primary >= 0).all())
        )
        return one and len(self.study.labels) > 0

    @cached_property
    def named(self) -> bool:
        """Is it known who answered, once per item, and are the answers here?"""
        annotations = self.study._annotations
        if annotations.stays:
            return False
        return annotations.named and not annotations.repeated

    @property
    def why_not_named(self) -> str:
        """Why annotators cannot be told apart, in a sentence; only where `named` is false."""
        annotations = self.study._annotations
        if annotations.stays:
            return annotations.why_stays
        if not annotations.named:
            return Message("A ", self.study.shape, " does not say who answered.")
        return Message(
            "Some annotators answered an item more than once; ", remedy(duplicates="first"), " keeps one answer each."
        )

    # -- tallies ----------------------------------------------------------------------------------------------------

    @cached_property
    def tally(self) -> Tally:
        """Patterns of labels, whoever gave them; a ranked answer counts by its primary label, of repeats the first."""
        tally = first_answers(self.study).tally()
        return self.by_primary(tally).anonymous() if self.study.kind == "ranked" else tally

    def tally_of_people(self, *, named: bool = False) -> Tally | None:
        """The same with everybody once on an item and repeats as mixed answers, as coefficients have it; None where
        who said what is asked for and not known here.
        """
        annotations = self.study._annotations
        if named and (annotations.stays or not annotations.named):
            return None
        tally = self.by_primary(self.study._tally_of_people(named=named))
        return tally.anonymous() if self.study.kind == "ranked" and not named else tally

    @cached_property
    def named_tally(self) -> Tally | None:
        """Patterns of who gave which label; None where that is not known here."""
        return self.by_primary(self.study.tally(named=True)) if self.named else None

    def by_primary(self, tally: Tally) -> Tally:
        """A tally of the study's answers by their primary labels, where they are ranked."""
        if self.study.kind != "ranked":
            return tally
        first = self.study.answers.one_primary("What is said of single labels")
        return tally.relabelled(Answers("single", self.study.labels), first)

    @cached_property
    def pairable_tally(self) -> Tally:
        """The part of `tally` whose items have two answers to compare."""
        return self.tally.where(self.tally.pairable)

    @cached_property
    def kinds_of_items(self) -> IntArray:
        """(2,) how many items of `tally` have no two answers to compare, and how many have."""
        return np.bincount(self.tally.pairable, self.tally.items, minlength=2).astype(np.int64)

    @cached_property
    def units(self) -> Units:
        """What might have been drawn otherwise: items, or the study's clusters of them; for `tally`."""
        return Units.of(self.study, self.tally, None)

    def units_of(self, tally: Tally) -> Units:
        """The same by the patterns of another tally of these items."""
        return self.units if tally is self.tally else self.units.over(tally)

    def interval_of(
        self,
        tally: Tally,
        value: float,
        scores: FloatArray | None,
        *,
        ends: Ends = (-1.0, 1.0),
        rare: RareAnswers | None = None,
        worst: float | None = None,
    ) -> Interval:
        """The 95 % interval of a value whose linearised scores, one per pattern of the tally, are given.

        `worst` is what it falls short by where no item has any agreement.
        """
        return interval_over(self.units_of(tally), value, scores, ends=ends, rare=rare, worst=worst)

    def paired_interval(self, tally: Tally, value: float, scores: FloatArray | None) -> Interval:
        """The same of a difference between two values of these items, as `compare` has it."""
        units = self.units_of(tally)
        error = math.nan if scores is None or units.number < 2 else units.error(scores)
        if scores is None or not error > NO_ERROR:
            return no_interval("No item moves the difference, or there is none.")
        df = degrees_of_freedom(*units.totals(scores))
        return interval_around(value, error, df=df, ends=(-2.0, 2.0), clusters=units.clusters)

    # -- the coefficient --------------------------------------------------------------------------------------------

    @property
    def reported(self) -> Agreement:
        """The value that is held against the target."""
        return self.main if self.recommended is None else self.recommended

    @cached_property
    def interval(self) -> Interval:
        """The 95 % interval of the value that is reported."""
        try:
            return self.reported.interval()
        except AccordError as refusal:
            return no_interval(str(refusal))

    @property
    def has_interval(self) -> bool:
        """Is there an interval to hold against a target: with two ends, and not of no width?"""
        low, high = self.interval
        return math.isfinite(low) and math.isfinite(high) and high - low > ROUNDING

    @property
    def below_target(self) -> bool:
        """Is the whole interval below the target?"""
        return self.has_interval and self.interval.high < self.target

    @property
    def reaches_target(self) -> bool:
        """Is the whole interval above the target?"""
        return self.has_interval and self.interval.low > self.target

    @cached_property
    def pooled(self) -> Tabular:
        """Fleiss's coefficient on `tally`: the one whose parts by label and pairs of labels are the textbook's."""
        return Tabular(self.tally, Identity(len(self.tally.answers)), Pooled())

    # -- labels and annotators --------------------------------------------------------------------------------------

    @cached_property
    def marginals(self) -> FloatArray:
        """(K,) the share of each label, every item counted once."""
        shares = self.tally.count / self.tally.answered[self.tally.pattern]
        total = self.tally.per_answer(shares * self.tally.items[self.tally.pattern])
        return divide(total, np.asarray(total.sum()))

    @cached_property
    def cells(self) -> FloatArray | None:
        """(R, K) how often each annotator gave each label; None where nobody is named."""
        annotations = self.study._annotations
        if not annotations.in_memory and annotations.stays and self.study.kind == "single":
            return annotations.answers_by_annotator()  # which the engine counts
        return None if self.named_tally is None else given_by(self.named_tally)

    @cached_property
    def complete(self) -> bool:
        """Did every annotator answer every item?"""
        return bool((self.tally.answered == self.study.n_annotators).all())

    @cached_property
    def confused(self) -> Confused:
        """Disagreement by pairs of labels, against what random errors would give."""
        from accord.findings.agreement_on_labels import confused_in_view

        return confused_in_view(self)

    @cached_property
    def near_duplicates(self) -> list[tuple[int, int, How]]:
        """Pairs of labels that may be one, written in two ways."""
        from accord.findings.label_spelling import near_duplicates

        return near_duplicates(self)

    @cached_property
    def neighbours(self) -> Neighbours | None:
        """Disagreement between neighbours on a scale; None where labels have no order."""
        from accord.findings.neighbouring_labels import neighbours_of

        return neighbours_of(self)

    @cached_property
    def hard_items(self) -> HardItems | str:
        """How agreement differs between items; or why that cannot be told, in a sentence."""
        from accord.findings.hard_items import hard_items_of

        return hard_items_of(self)

    @cached_property
    def planted_hard_items(self) -> PlantedItems:
        """What some hard items would look like in this study; only where `hard_items` can be told."""
        from accord.findings.planted_faults import PlantedItems

        return PlantedItems.of(self)

    @cached_property
    def disagreement(self) -> FloatArray:
        """(P,) of `tally`: the share of an item's pairs of answers that differ; 0 where it has a single answer."""
        return np.nan_to_num(1 - self.pooled.agreed)

    @cached_property
    def distances(self) -> Distances | str:
        """How far each answer is from the others on its item; or why that cannot be told, in a sentence."""
        from accord.findings.distances import distances_of

        return distances_of(self.study, self.main)

    @cached_property
    def compared_people(self) -> ComparedPeople | str:
        """Every two annotators beside each other; or why they are not compared, in a sentence."""
        from accord.findings.compared_people import compared_people

        return self.distances if isinstance(self.distances, str) else compared_people(self.distances)

    @cached_property
    def clusters(self) -> AnnotatorClusters | str:
        """The best division of the annotators into two groups; or why none is looked for, in a sentence."""
        from accord.findings.annotator_clustering import LEAST, clusters_of

        compared = self.compared_people
        return compared if isinstance(compared, str) else clusters_of(compared, LEAST)

    @cached_property
    def copies(self) -> list[Copies]:
        """Annotators who do not answer independently of each other."""
        from accord.findings.copied_answers import copies_in

        return [] if isinstance(self.compared_people, str) else copies_in(self.compared_people)

    @cached_property
    def p_apart(self) -> FloatArray:
        """(R,) the p-values of standing apart from the rest; 1 for whoever is not to be accused of it."""
        from accord.findings.outlier_exemptions import p_of_standing_apart

        return p_of_standing_apart(self)

    @cached_property
    def outlying_people(self) -> list[int]:
        """The annotators who stand apart after correction for their number, the surest first."""
        sure = np.nonzero(holm(self.p_apart) < SURE)[0]
        return [int(person) for person in sure[np.argsort(self.p_apart[sure], kind="stable")]]

    @cached_property
    def time_course(self) -> TimeCourse | str:
        """Answers in the order in which they were given; or why that is not known, in a sentence."""
        from accord.findings.time_course import time_course_of

        return self.distances if isinstance(self.distances, str) else time_course_of(self.distances)

    @cached_property
    def strengths(self) -> BradleyTerry:
        """How strong the options are, where answers are preferences."""
        from accord.consensus.preferences.bradley_terry import bradley_terry

        return bradley_terry(self.study.all_alike())

    @cached_property
    def spans(self) -> SpanView:
        """What was marked, where answers are spans."""
        from accord.findings.span_view import SpanView

        return SpanView(self.study)


def given_by(tally: Tally) -> FloatArray:
    """(R, K) of a named tally: how often each annotator gave each answer."""
    assert tally.annotator is not None
    people, size = len(tally.annotators), len(tally.answers)
    given = add_up(tally.annotator * size + tally.answer, tally.count * tally.items[tally.pattern], people * size)
    return given.reshape(people, size)


def view_of(data: Any, other: Any, labels: Sequence[Any] | None, roles: Roles, *, single: bool = True) -> View:
    """The view of a study of one variable, for a table that is asked for by itself."""
    study = in_memory_where_small(as_study(data, other, labels, roles))
    main = each_once(among_annotators(study))
    view = View(main.study, main, BENCHMARKS["standard"].bands[0].high)
    if single and not view.single:
        if study.kind == "single":
            raise MeasureError(view.main.undefined or "Nobody answered anything, so there is nothing to tabulate.")
        raise MeasureError(
            f"This table is for one label per answer; these are {answers_called(study.kind)}. ",
            in_python("For sets of labels see accord.multilabel, for scores", "For scores see"),
            " ",
            named("krippendorff_alpha", level="interval"),
            ".",
        )
    return view


def interval_over(
    units: Units,
    value: float,
    scores: FloatArray | None,
    *,
    ends: Ends = (-1.0, 1.0),
    rare: RareAnswers | None = None,
    worst: float | None = None,
) -> Interval:
    """The 95 % interval of a value whose linearised scores, one per kind of unit, are given."""
    if scores is None or units.number < 2:
        return no_interval("There is no value, or a single item.")
    known = from_scores(units, scores, rare, worst=worst)
    found = informed_interval(value, units.error(scores), known, confidence=0.95, method="analytic", ends=ends)
    return replace(found, clusters=units.clusters)

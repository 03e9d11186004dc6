"""SpanView: what every detector for spans looks at.

Documents are what might have been others, so tests are by document: several marks of one are no independent witnesses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.agreement.inference.informative_items import analytic_interval, degrees_of_freedom
from accord.agreement.inference.proportions import sign_test
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.coefficients.standard_errors import NO_ERROR
from accord.coefficients.units import Units
from accord.spans.continuum import Continuum
from accord.spans.differences import Differences
from accord.spans.matching import Criterion, Match
from accord.spans.span_f1 import SpanF1, SpanF1Recipe
from accord.study.study import Study

FEWEST_DOCUMENTS = 6  # in which two annotators differ, below which nothing is said about either
EVERYBODY_BY_PAIRS = 10  # annotators up to whom each is held against each other; beyond, against all others together


@dataclass(frozen=True, eq=False)
class SpanView:
    """What was marked, how it differs, and F1 by criteria that ask for less and less."""

    study: Study

    @cached_property
    def continuum(self) -> Continuum:
        """What was marked."""
        return Continuum.of(self.study)

    @cached_property
    def differences(self) -> Differences:
        """Every mark of every two annotators with its counterpart."""
        return Differences.of(self.continuum)

    @cached_property
    def exact(self) -> SpanF1:
        """The same place and label."""
        return self._f1("exact")

    @cached_property
    def overlapping(self) -> SpanF1:
        """A common position and the same label."""
        return self._f1("overlap")

    @cached_property
    def touching(self) -> SpanF1:
        """A common position, whatever the label."""
        return self._f1("overlap", label_must_match=False)

    def _f1(self, match: Match, *, label_must_match: bool = True) -> SpanF1:
        return SpanF1Recipe(Criterion(match, label_must_match=label_must_match)).of(self.continuum)

    @cached_property
    def units(self) -> Units:
        """Documents, or the study's clusters of them."""
        return Units.of(self.study, self.exact.sample, None)

    def interval_of(self, f1: SpanF1) -> Interval:
        """The 95 % interval of one of them."""
        return analytic_interval(f1, self.units)

    def difference(self, value: float, scores: FloatArray) -> tuple[Interval, float, float]:
        """The interval of a difference whose scores by document are given, its error, and its degrees of freedom."""
        error = self.units.error(scores) if self.units.number > 1 else math.nan
        if not error > NO_ERROR:
            return no_interval("No document moves the difference."), math.nan, math.nan
        df = degrees_of_freedom(*self.units.totals(scores))
        return interval_around(value, error, df=df, ends=(-1.0, 1.0), clusters=self.units.clusters), error, df

    # -- who more, who less -------------------------------------------------------------------------------------------

    def bias_p(self, rows: BoolArray, towards_first: FloatArray) -> FloatArray:
        """(R,) how surely each annotator leans one way, as a two-sided p by documents; NaN where too few tell.

        `towards_first` says of each of the rows how much more the first of the two has. Up to ten annotators, each is
        held against each other, and p is twice the median: nobody is accused because one of the others leans.
        """
        people = len(self.continuum.annotators)
        one, other, document = (part[rows] for part in (self.differences.one, self.differences.other, self.drawn))
        amount = towards_first[rows]
        who, whom = np.concatenate((one, other)), np.concatenate((other, one))
        document, amount = np.concatenate((document, document)), np.concatenate((amount, -amount))
        if people > EVERYBODY_BY_PAIRS:
            return _signs(who, document, amount, people)
        by_pair = _signs(who * people + whom, document, amount, people * people).reshape(people, people)
        return _twice_the_median(by_pair, self._shared)

    @cached_property
    def drawn(self) -> IntArray:
        """(N,) the unit, document or cluster, that each row of the differences belongs to."""
        found = self.units.cluster
        document = self.differences.document
        if found is None:
            return document
        return np.where(found[document] >= 0, found[document], document + found.max(initial=0) + 1)

    @cached_property
    def _shared(self) -> BoolArray:
        """(R, R) who saw a document with whom."""
        seen = self.continuum.seen.astype(np.int64)
        met = (seen.T @ seen) > 0
        np.fill_diagonal(met, val=False)
        return np.asarray(met)


def _signs(of: IntArray, document: IntArray, amount: FloatArray, size: int) -> FloatArray:
    """(size,) the sign test over documents of each; NaN below so many that differ."""
    width = int(document.max(initial=0)) + 1
    cells, place = np.unique(of * width + document, return_inverse=True)
    total = add_up(place, amount, len(cells))
    more, less = (np.bincount(cells[side] // width, minlength=size) for side in (total > 0, total < 0))
    return np.where(more + less >= FEWEST_DOCUMENTS, sign_test(more, less), np.nan)


def _twice_the_median(by_pair: FloatArray, met: BoolArray) -> FloatArray:
    """(R,) one p of several that may depend on each other; of two pairs the larger, of one its own.

    A pair who met and hardly ever differ speaks for both, and counts as no evidence.
    """
    found = np.full(len(by_pair), np.nan)
    for person, row in enumerate(by_pair):
        p_values = row[met[person]]
        if np.isnan(p_values).all():
            continue
        ordered = np.sort(np.where(np.isnan(p_values), 1.0, p_values))
        found[person] = ordered[-1] if len(ordered) <= 2 else min(1.0, 2 * ordered[len(ordered) // 2])
    return found

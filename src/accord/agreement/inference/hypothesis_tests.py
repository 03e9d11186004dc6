"""Is a value more than chance, or than any given number?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from accord.agreement.inference.resampling import seeded
from accord.agreement.result import Agreement, Progress, Rng, Test
from accord.annotations.coded import CodedAnnotations
from accord.errors import Message, OptionError, remedy
from accord.options import check_whole, reporter

if TYPE_CHECKING:
    from accord.study.study import Study

NOTHING = 1e-12  # an error or a difference below this is rounding
METHODS = ("analytic", "gwet", "jackknife", "permutation")


def test(result: Agreement, null: float, method: str, n_resamples: int, rng: Rng, progress: Progress) -> Test:
    """By the standard error (two-sided) or by shuffling answers (one-sided)."""
    if method not in METHODS:
        raise OptionError.choice("method", method, METHODS)
    if result.undefined:
        return Test(math.nan, math.nan, null, method, undefined=result.undefined)
    if method == "permutation":
        if null != 0:
            raise OptionError.must("null", "be 0 for a permutation: shuffled answers agree by chance", null)
        return _permutation(result, n_resamples, rng, progress)
    return _by_error(result, null, method)


def _by_error(result: Agreement, null: float, method: str) -> Test:
    from scipy.special import stdtr

    found = result.interval(method=method)  # type: ignore[arg-type]
    if found.undefined:
        return Test(math.nan, math.nan, null, method, undefined=found.undefined)
    assert result.coefficient is not None
    if found.se < NOTHING:
        if abs(result.value - null) < NOTHING:
            return Test(1.0, 0.0, null, method)
        reason = Message(
            "All items agree to the same degree, so they do not show by how much the value could differ. Use ",
            remedy(method="permutation"),
            ".",
        )
        return Test(math.nan, math.nan, null, method, undefined=reason)
    statistic = (result.value - null) / found.se
    df = (found.clusters or result.coefficient.sample.n_items) - 1
    return Test(float(2 * stdtr(df, -abs(statistic))), statistic, null, method)


def _permutation(result: Agreement, n_resamples: int, rng: Rng, progress: Progress) -> Test:
    """Each annotator's answers shuffled over the items they answered; for alpha, all answers over all cells.

    The cost grows with the annotations, not with the patterns: every shuffle is a study of its own.
    """
    check_whole("n_resamples", n_resamples, 1)
    generator, seed = seeded(rng)
    report = reporter(progress, "permutations")
    study = result.study
    if result.coefficient is not None and result.coefficient.rests_on_engine:
        study = study._in_memory
        result.recipe(study)  # which reads what it needs to know of items before answers are shuffled
    shuffle = Shuffle(study, together=result.entry.exchangeable)
    at_least = 0
    for draw in range(n_resamples):
        value = float(result.recipe(shuffle(generator)).parts.value)
        at_least += not value < result.value - 1e-12  # undefined counts against us
        report(draw + 1, n_resamples)
    return Test((1 + at_least) / (1 + n_resamples), result.value, 0.0, "permutation", n_resamples, seed)


class Shuffle:
    """The same answers by the same people on other items; rows in canonical order, so that a seed means the same."""

    def __init__(self, study: Study, *, together: bool) -> None:
        self.annotations = study._annotations.to_memory().one_answer_each  # what one said of an item stays together
        item, annotator, answer, count = self.annotations.rows
        order = np.lexsort((answer, annotator, item))
        copies = count[order]
        self.study = study
        self.item, self.annotator, self.answer = (
            np.repeat(column[order], copies) for column in (item, annotator, answer)
        )
        self.within = np.zeros_like(self.annotator) if together or not study._annotations.named else self.annotator
        self.slots = np.argsort(self.within, kind="stable")

    def __call__(self, rng: np.random.Generator) -> Study:
        """One shuffle."""
        drawn = np.lexsort((rng.random(len(self.answer)), self.within))
        answer = np.empty_like(self.answer)
        answer[self.slots] = self.answer[drawn]
        old = self.annotations
        who = self.annotator if old.named else None
        triples = CodedAnnotations(
            old.answers, old.n_items, old.annotators, item=self.item, annotator=who, answer=answer, items=old.items,
            no_repeats=True,
        )  # fmt: skip
        return self.study._with_annotations(triples)

"""Is a value more than chance, or than any given number?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import numpy as np

from accord.agreement.inference.influence import df_of
from accord.agreement.inference.intervals import MODEL_BASED
from accord.agreement.inference.shuffled_answers import NOTHING, Shuffled, shuffled
from accord.agreement.result import Agreement
from accord.agreement.uncertainty import Alternative, Test
from accord.annotations.coded import CodedAnnotations
from accord.coefficients.measurable import OwnTest
from accord.coefficients.standard_errors import p_value
from accord.coefficients.units import Units
from accord.errors import Message, OptionError, remedy
from accord.options import MOST_RESAMPLES, Progress, Rng, check_choice, check_finite, check_whole, reporter, seeded

if TYPE_CHECKING:
    from accord.study.study import Study

ALTERNATIVES = get_args(Alternative)
METHODS = ("null-error", "analytic", "gwet", "jackknife", "permutation")
MOST_SHUFFLED = 20_000  # answers up to which they are shuffled without being asked to
USUAL_SHUFFLES, FEWEST_SHUFFLES = 1_000, 99  # of so many answers; and where one takes as long as more answers would
MANY_ANSWERS = "So many different answers have no null error by a formula, so it is the one at the estimate."
LONG_SHUFFLES = (
    "The null error of this value is not known by a formula, and every shuffle would take long, so it is the one at "
    "the estimate."
)
FAR = 0.05  # a mean of shuffles that is farther from zero than this is told


def test(
    result: Agreement,
    null: float,
    alternative: str,
    method: str | None,
    n_resamples: int,
    rng: Rng,
    progress: Progress,
) -> Test:
    """Against chance by what shuffled answers would show; against any number by the standard error."""
    own = () if result.coefficient is None else result.coefficient.own_tests
    if method is not None:
        check_choice("method", method, tuple(dict.fromkeys((*own, *METHODS))))
    check_choice("alternative", alternative, ALTERNATIVES)
    check_finite("null", null)
    chosen = method or _usual(result, null)
    blank = Test(math.nan, math.nan, null, chosen, alternative=alternative)
    if result.undefined:
        return replace(blank, undefined=result.undefined)
    if result.coefficient is not None and result.coefficient.no_interval:
        return replace(blank, undefined=result.coefficient.no_interval)
    if chosen in ("null-error", "permutation", *own) and null != 0:
        raise OptionError.must("null", f"be 0 for {_named(chosen)}: shuffled answers agree by chance", null)
    check_whole("n_resamples", n_resamples, 1, most=MOST_RESAMPLES)
    if chosen in own:
        return _own(result, blank, n_resamples, rng)
    if chosen == "permutation":
        return _permutation(result, blank, n_resamples, rng, progress)
    if chosen == "null-error":
        return _by_null(result, blank, n_resamples, rng, progress)
    return _by_error(result, blank)


def _usual(result: Agreement, null: float) -> str:
    """Against chance by the measure's own test, or by what shuffled answers show; against any number by the error."""
    if null == 0 and result.coefficient is not None and result.coefficient.own_tests:
        return result.coefficient.usual_test
    if null == 0 and result.entry.zero_is_chance:
        return "null-error"
    return "analytic" if result.coefficient is None else result.coefficient.error_method


def _own(result: Agreement, blank: Test, n_resamples: int, rng: Rng) -> Test:
    """By a test that the measure brings along."""
    assert result.coefficient is not None
    generator, seed = seeded(rng)
    found = result.coefficient.own_test(blank.method, n_resamples, generator)
    drawn = (n_resamples, seed) if blank.method == "permutation" else (None, None)
    return replace(
        blank, p=found.p(blank.alternative), statistic=found.statistic, df=found.df, note=found.note,
        undefined=found.undefined, n_resamples=drawn[0], seed=drawn[1],
    )  # fmt: skip


def _named(method: str) -> str:
    if method not in METHODS:
        return f"{method}"
    return "a permutation" if method == "permutation" else "the null error"


# -- by the standard error at the estimate -----------------------------------------------------------------------------


def _by_error(result: Agreement, blank: Test) -> Test:
    found = result.interval(method=blank.method)  # type: ignore[arg-type]
    if found.undefined:
        return replace(blank, undefined=found.undefined)
    note = _what_zero_means(result) if blank.null == 0 else None
    if found.se < NOTHING:
        if abs(result.value - blank.null) < NOTHING:
            return replace(blank, p=1.0, statistic=0.0, note=note)
        return replace(blank, undefined=_no_spread(against_chance=blank.null == 0))
    df = df_of(result, effective=blank.method != "gwet")
    statistic = (result.value - blank.null) / found.se
    p = p_value(result.value - blank.null, found.se, df, blank.alternative)
    blank = replace(blank, n_resamples=found.n_resamples, seed=found.seed)
    return replace(blank, p=p, statistic=statistic, se=found.se, df=df, note=note)


def _at_the_estimate(result: Agreement, blank: Test, why: str) -> Test:
    """By the analytic error, or by that of the measure's model, where no null error is to be had, and why."""
    assert result.coefficient is not None
    of_model = not result.coefficient.has_influence and result.coefficient.usual_method == MODEL_BASED
    method = MODEL_BASED if of_model else result.coefficient.error_method
    return replace(_by_error(result, replace(blank, method=method)), note=why)


def _what_zero_means(result: Agreement) -> str | None:
    """Where it is not what independent annotators would have."""
    if result.entry.zero is None:
        return None
    return Message(f"{result.entry.zero} ", remedy(method="null-error"), " tests against them.")


def _no_spread(*, against_chance: bool) -> str:
    why = "All items agree to the same degree, so they do not show by how much the value could differ. "
    if against_chance:
        return Message(why, "Use ", remedy(method="null-error"), ".")
    return why + "Annotate more items."


# -- by what shuffled answers would show -------------------------------------------------------------------------------


def _by_null(result: Agreement, blank: Test, n_resamples: int, rng: Rng, progress: Progress) -> Test:
    """The mean and the error that the value has over all shuffles."""
    coefficient = result.coefficient
    assert coefficient is not None
    if coefficient.design is not None and coefficient.design.by_label:
        design = "The items were drawn label by label, so the error is that of the design, at the estimate."
        return _at_the_estimate(result, blank, design)
    if not coefficient.dealt_anew:
        why = "What was marked in one document cannot be dealt out to another, so the error is that at the estimate."
        return _at_the_estimate(result, blank, why)
    weights = result.study._uneven_weights
    if weights is not None:
        because = f"Items are {weights.words}, which no shuffle of answers keeps: the error is that at the estimate."
        return _at_the_estimate(result, blank, because)
    found = shuffled(result)
    if found is None:
        return _without_moments(result, blank, n_resamples, rng, progress)
    note = _mean_in_words(result, found)
    if Units.of(result.study, coefficient.sample, None).cluster is not None:
        return _with_clusters(result, blank, found)
    return Test(
        found.p(blank.alternative), found.statistic, blank.null, blank.method, alternative=blank.alternative,
        se=found.error / found.room, note=note,
    )  # fmt: skip


def _mean_in_words(result: Agreement, found: Shuffled) -> str | None:
    """What independent annotators would have, where it is not zero."""
    mean = result.value - (found.seen - found.mean) / found.room
    if abs(mean) < FAR:
        return None
    return f"Chance: independent annotators with these answers would have {mean:z.3f} on average."


def _with_clusters(result: Agreement, blank: Test, found: Shuffled) -> Test:
    """Items of a cluster go together, which no shuffle of items keeps: the larger of both errors, Student's t."""
    span = result.interval(method="analytic")
    if span.undefined:
        return replace(blank, undefined=span.undefined)
    error, df = max(span.se, found.error / found.room), df_of(result)
    distance = found.statistic * found.error / found.room
    if not error > NOTHING:
        return replace(blank, p=1.0, statistic=0.0)
    note = (
        f"Items come in {span.clusters:,} clusters: the larger of the clusters' error and the null error, with "
        f"{df:.1f} degrees of freedom."
    )
    p = p_value(distance, error, df, blank.alternative)
    return replace(blank, p=p, statistic=distance / error, se=error, df=df, note=note)


def _without_moments(result: Agreement, blank: Test, n_resamples: int, rng: Rng, progress: Progress) -> Test:
    """Where no formula gives them: by shuffling, as often as does not take long; else by the error at the estimate."""
    assert result.coefficient is not None
    if result.coefficient.n_answers > MOST_SHUFFLED or result.coefficient.rests_on_engine:
        return _at_the_estimate(result, blank, MANY_ANSWERS)
    work = result.coefficient.shuffle_work
    shuffles = n_resamples if work <= MOST_SHUFFLED else min(n_resamples, USUAL_SHUFFLES * MOST_SHUFFLED // work)
    if shuffles < min(n_resamples, FEWEST_SHUFFLES):
        return _at_the_estimate(result, blank, LONG_SHUFFLES)
    times = f" {shuffles:,} times, as each shuffle takes long" if shuffles < n_resamples else ""
    note = f"The null error of this value is not known by a formula, so answers were shuffled{times}."
    shuffle = replace(blank, method="permutation")
    return replace(_permutation(result, shuffle, shuffles, rng, progress), note=note)


def _permutation(result: Agreement, blank: Test, n_resamples: int, rng: Rng, progress: Progress) -> Test:
    """Each annotator's answers shuffled over the items they answered; for alpha, all answers over all cells.

    The cost grows with the annotations, not with the patterns: every shuffle is a study of its own.
    """
    if result.coefficient is not None and not result.coefficient.dealt_anew:
        raise OptionError(
            "What was marked in one document cannot be dealt out to another, so that nothing can be shuffled. Choose ",
            remedy(method="analytic"),
            ".",
        )
    weights = result.study._uneven_weights
    if weights is not None:
        raise OptionError(
            f"Items are {weights.words}, and shuffled answers would fall on items of other weights than those they "
            "were chosen by. Choose ",
            remedy(method="analytic"),
            ".",
        )
    generator, seed = seeded(rng)
    report = reporter(progress, "permutations")
    study = result.study
    if result.coefficient is not None and result.coefficient.rests_on_engine:
        study = study._in_memory
        result.recipe(study)  # which reads what it needs to know of items before answers are shuffled
    runs = result.coefficient is not None and result.coefficient.reads_runs and study._annotations.repeated
    shuffle = (ShuffleOfRuns if runs else Shuffle)(study, together=result.entry.exchangeable)
    by_chance = np.empty(n_resamples)
    for draw in range(n_resamples):
        by_chance[draw] = float(result.recipe(shuffle(generator)).parts.value)
        report(draw + 1, n_resamples)
    p = OwnTest.of_null_values(result.value, by_chance).p(blank.alternative)
    return replace(blank, p=p, statistic=result.value, n_resamples=n_resamples, seed=seed)


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
        coded = CodedAnnotations(
            old.answers, old.n_items, old.annotators, item=self.item, annotator=who, answer=answer, items=old.items,
            no_repeats=True,
        )  # fmt: skip
        return self.study._with_annotations(coded)


class ShuffleOfRuns:
    """The same where somebody answered an item again: all that one said of an item goes to one other, run by run."""

    def __init__(self, study: Study, *, together: bool) -> None:
        self.study, self.annotations = study, study._annotations.to_memory()
        self.people = max(len(self.annotations.annotators), 1)
        self.cells, self.cell = np.unique(self.annotations.cells(slice(None)), return_inverse=True)
        self.within = np.zeros_like(self.cells) if together else self.cells % self.people
        self.slots = np.argsort(self.within, kind="stable")

    def __call__(self, rng: np.random.Generator) -> Study:
        """One shuffle; rows stay where they are, so that columns of the table still belong to them."""
        drawn = np.lexsort((rng.random(len(self.cells)), self.within))
        gone_to = np.empty_like(self.cells)
        gone_to[drawn] = self.cells[self.slots]
        item, annotator = np.divmod(gone_to[self.cell], self.people)
        return self.study._with_annotations(self.annotations.moved(item, annotator))

"""From a row of the table to a result: what every measure does around its one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.recipe import Recipe, as_recipe
from accord.agreement.registry import MEASURES
from accord.agreement.result import Agreement
from accord.annotations.answers import Answers
from accord.annotations.tally import Tally
from accord.coefficients import weights as weighing
from accord.coefficients.chance import Chance
from accord.coefficients.coefficient import Coefficient, Tabular
from accord.coefficients.measurable import Measurable
from accord.coefficients.mixed_weights import for_answers
from accord.coefficients.weights import Weights, WeightsLike
from accord.errors import NOBODY_ANSWERED, MeasureError, Message, counted, in_python, keyword, one_task, remedy
from accord.study.in_memory import in_memory_where_repeated, in_memory_where_small
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.annotations.people_sums import PeopleSums
    from accord.coefficients.dipietro_hazari import Differential
    from accord.engine.annotator_sums import Crowd


@dataclass(frozen=True, eq=False)
class Row(Recipe):
    """A named coefficient: the weights, the chance model, which pairs count, and how pairs are put together."""

    measure: str
    weights: WeightsLike
    chance: Callable[[Tally], Chance]
    common: bool = False  # only items with two answers, for observed and for the marginals
    mean_of_pairs: str | None = None  # what each pair's coefficient is called, of a mean over pairs
    p: float | Sequence[float] | None = None  # of ranked answers: the share of the primary label, or of each rank
    _built: list[tuple[Answers, Weights]] = field(default_factory=list)

    def __call__(self, study: Study) -> Measurable:
        """The coefficient of a study, or of a part of it."""
        named = MEASURES[self.measure].named
        weights = self.weights_for(study.answers.unmixed)
        people = study._annotations.people_sums if named else None
        if people is not None:
            return self._from_sums(people, study.tally(), weights)
        crowd = study._annotations.crowd() if named else None
        if crowd is not None:
            return self._in_engine(crowd, study.tally(), weights)
        tally = study._tally_of_people(named=named)
        weights = for_answers(weights, tally.answers)
        if self.mean_of_pairs:
            from accord.coefficients.mean_of_pairs import MeanOfPairs

            return MeanOfPairs(tally, weights, self.mean_of_pairs)
        tally = tally.where(tally.pairable) if self.common else tally
        each = "answer" if MEASURES[self.measure].each == "answer" else "item"
        return Tabular(tally, weights, self.chance(tally), each)  # type: ignore[arg-type]

    def _in_engine(self, crowd: Crowd, tally: Tally, weights: Weights) -> Measurable:
        """For a crowd that stays in its engine: from who met whom, or from annotators × answers."""
        from accord.coefficients.coefficients_in_engine import CrowdOwn, mean_of_pairs  # few have a crowd in an engine

        if self.mean_of_pairs:
            return mean_of_pairs(crowd, tally, weights, self.mean_of_pairs)
        return CrowdOwn(crowd, tally, weights)

    def _from_sums(self, people: PeopleSums, tally: Tally, weights: Weights) -> Measurable:
        """Where sums over people are known, and not who answered which item."""
        from accord.coefficients.from_people_sums import OwnFromSums, PairsFromSums  # few have them

        if self.mean_of_pairs or self.common:  # of two people there is one pair
            return PairsFromSums(people, tally, weights, self.mean_of_pairs or MEASURES[self.measure].title)
        return OwnFromSums(people, tally, weights)

    def weights_for(self, answers: Answers) -> Weights:
        """The weights, built once for a scale: parts of a study share it."""
        for scale, weights in self._built:
            if scale is answers:
                return weights
        self._built.append((answers, weighing.build(self.weights, answers, p=self.p)))
        return self._built[-1][1]


@dataclass(frozen=True, eq=False)
class Fitting(Recipe):
    """A coefficient of several variables of different kinds: each with the weights or the level that fit it."""

    measured: Callable[[Study], Agreement]  # the coefficient of one variable
    best: Callable[[Study], Agreement]  # what is recommended for one variable

    def __call__(self, study: Study) -> Measurable:
        """The coefficient of one variable, or of a part of it."""
        return self.measured(study).recipe(study)

    def of_part(self, result: Agreement, study: Study) -> Agreement:
        """The coefficient of one variable, with what fits that."""
        return self.measured(study)

    @property
    def best_of_variables(self) -> Callable[[Study], Agreement]:
        """What is recommended for each."""
        return self.best

    def as_named(self, result: Agreement) -> Agreement:
        """The coefficient for each variable, whatever is recommended."""
        return replace(result, recipe=replace(self, best=self.measured))


def measured(
    row: Row,
    data: Any,
    other: Any,
    labels: Sequence[Any] | None,
    by: str | None,
    roles: Roles,
    **options: Any,
) -> Agreement:
    """The result of a named coefficient on whatever the caller gave."""
    study = as_study(data, other, labels, roles)
    return agreement(row.measure, study, row, {"weights": row.weights, "labels": labels, **options}, by)


def _identical_only(measure: str, study: Study, given: dict[str, Any]) -> list[str]:
    """Answers of several labels that count only where they are identical: one shared label of two counts nothing."""
    entry, usual = MEASURES[measure], weighing.FOR_SEVERAL_LABELS.get(study.kind)
    plain = str(given.get("weights", "identity")) == "identity" and given.get("level", "nominal") == "nominal"
    if not plain or entry.partial_credit or entry.is_share or not entry.takes("weights"):
        return []
    if study.kind == "ranking" and "level" in given:
        return [Message("Only identical orders count as agreement; ", remedy(level="ordinal"), " compares the ranks.")]
    if usual is None:
        return []
    way = remedy(weights=usual)
    return [Message("Only identical answers count as agreement; ", way, " gives credit for what two answers share.")]


def agreement(
    measure: str,
    study: Study,
    function: Callable[[Study], Measurable],
    options: dict[str, Any],
    by: str | None = None,
    notes: Sequence[str] = (),
) -> Agreement:
    """Measure a study, or say why the value is undefined."""
    recipe = as_recipe(function)
    given = {name: value for name, value in options.items() if value is not None}
    if study.tasks:
        return _several(measure, study, recipe, given, by)
    if by is not None:
        study._need_column(by)  # an unknown column is an error at once
    study = in_memory_where_repeated(study)
    found = recipe.from_engine(study)
    if found is not None:
        MEASURES[measure].check(study)
        return _result(measure, study, found, given, notes, recipe, by)
    # the tally that the measure will ask for
    named = MEASURES[measure].named and study._annotations.named and not study._annotations.stays
    tally = study._tally_of_people(named=named)
    reason: str | None
    try:
        MEASURES[measure].check(study)
        reason = _nothing_to_compare(study, tally)
    except MeasureError as refusal:
        if by is None:
            raise
        reason = str(refusal)  # the groups may be measured all the same
    if reason:
        weighing.check_name(given.get("weights"))  # else they are read with the answers
        return Agreement(
            measure, np.nan, np.nan, np.nan, tally.n_compared, study.n_annotators, tally.n_answers, reason, given,
            tuple(notes), study=study, recipe=recipe, by=by,
        )  # fmt: skip
    coefficient = coefficient_of(recipe, study)
    all_notes = (*notes, *_identical_only(measure, study, given), *_of_repeats(study, tally))
    return _result(measure, study, coefficient, given, all_notes, recipe, by)


def _result(
    measure: str,
    study: Study,
    coefficient: Measurable,
    given: dict[str, Any],
    notes: Sequence[str],
    recipe: Recipe,
    by: str | None,
) -> Agreement:
    """The result of a coefficient, with its notes after those of the call."""
    parts = coefficient.parts
    value = float(parts.value)
    return Agreement(
        measure, value, float(parts.observed), float(parts.expected),
        coefficient.n_compared, study.n_annotators, coefficient.n_answers,
        None if np.isfinite(value) else _why_undefined(coefficient), given, (*notes, *coefficient.notes()),
        study=study, coefficient=coefficient, recipe=recipe, by=by,
    )  # fmt: skip


def coefficient_of(recipe: Recipe, study: Study) -> Measurable:
    """The coefficient of a study, or of a part of it; items that have weights count by them."""
    weights = study._uneven_weights
    if weights is None:
        return recipe(study)
    from accord.coefficients.weighted_items import WeightedItems  # few studies have weights

    return WeightedItems.of(recipe(study._weighed), weights)


def each_once(result: Agreement) -> Agreement:
    """The same of items that count alike, for what is asked of the annotated items themselves."""
    if result.coefficient is None or result.coefficient is result.coefficient.unweighted:
        return result
    alike = result.study.with_item_weights(None)
    return agreement(result.measure, alike, result.recipe, dict(result.options), result.by)


def _of_repeats(study: Study, tally: Tally) -> tuple[str, ...]:
    """Where somebody answered an item more than once: what becomes of it."""
    again = study.n_annotations - tally.n_answers if study._annotations.repeated else 0
    if not again:
        return ()
    return (
        f"{again:,} of {study.n_annotations:,} answers were given again by the same annotator: only answers of "
        "different people are compared, and everybody counts once on an item.",
    )


def tallied(result: Agreement) -> Coefficient:
    """The coefficient of a result that rests on a tally: answers can then be looked at pattern by pattern."""
    found = result.coefficient.unweighted.on_patterns() if result.coefficient is not None else None
    if found is None:
        why = () if result.undefined is None else (" ", result.undefined)
        raise MeasureError(result.title, " has no patterns of answers to look at.", *why)
    if found is not result.coefficient:
        raise MeasureError(
            "What was asked looks at items that count alike, and these have weights. Leave ",
            keyword("item_weight"),
            " out.",
        )
    return found


def differential(result: Agreement) -> Differential | None:
    """The coefficient of a result that judges suggestions; None where it judges none, or has no value."""
    return result.coefficient.unweighted.on_suggestions() if result.coefficient is not None else None


def in_memory(result: Agreement) -> Agreement:
    """The same of the study in memory, where it is small: items are then known one by one."""
    study = in_memory_where_small(result.study)
    if study is result.study or (result.coefficient is not None and result.coefficient.rests_on_engine):
        return result
    return agreement(result.measure, study, result.recipe, dict(result.options), result.by)


def _several(measure: str, study: Study, recipe: Recipe, options: dict[str, Any], by: str | None) -> Agreement:
    """A table of several variables has one value each and none of its own."""
    if by is not None:
        raise MeasureError(
            "A study of several variables has one row per variable; for groups choose one: ",
            one_task(next(iter(study.tasks))),
            ".",
        )
    summary = study.describe()
    return Agreement(
        measure, np.nan, np.nan, np.nan, summary.items, summary.annotators, summary.annotations,
        Message(
            f"The study holds {counted(len(study.tasks), 'variables')}; ",
            in_python("by_group() has one row each", "each has a value of its own"), ".",
        ), options,
        study=study, recipe=recipe,
    )  # fmt: skip


def _nothing_to_compare(study: Study, tally: Tally) -> str | None:
    """Why no two answers can be compared, if so."""
    if not tally.n_items:
        return NOBODY_ANSWERED
    if tally.pairable.any():
        return None
    who = "Only one annotator answered" if study.n_annotators == 1 else "No item has two answers"
    if not study._annotations.repeated:
        return f"{who}, so there is nothing to compare."
    who = "Only one annotator answered" if study.n_annotators == 1 else "No item has answers of two people"
    return Message(
        f"{who}, so there is nobody to agree with; ",
        in_python("self_agreement(study)", "`accord measure`"),
        " tells agreement with oneself.",
    )


def _why_undefined(coefficient: Measurable) -> str:
    """Why chance leaves nothing to be better than."""
    own = coefficient.why_undefined()
    if own:
        return own
    if not len(coefficient.sample):
        return "No two annotators answered the same item, so there is nothing to compare."
    return "Chance alone would give full agreement (expected agreement is 1), so nothing can be better than that."

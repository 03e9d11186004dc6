"""Whose number is it? The variance of scores by item, annotator, run and what is left over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.errors import (
    MeasureError,
    Message,
    OptionError,
    counted,
    in_python,
    json_value,
    keyword,
    one_task,
    percent,
    quoted,
)
from accord.measures.icc import icc
from accord.options import Shown, check_confidence, head, one_or_listed
from accord.scores.components import Components
from accord.scores.icc_by_design import icc_of
from accord.scores.icc_forms import USUAL, IccForm
from accord.scores.score_table import (
    ANNOTATOR,
    ITEM,
    ScoreTable,
    confounded_factors,
    in_words,
    nothing_to_measure,
    scores_of,
)
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

REST = "left over"


def variance_components(
    data: Any,
    other: Any = None,
    /,
    *,
    facets: Sequence[str] | str | None = None,
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> VarianceComponents:
    r"""What items, annotators, runs and the rest add to the variance of a score, and every ICC that follows.

    .. math:: x = \mu + u_\text{item} + u_\text{annotator} + \dots + e, \qquad
              \operatorname{Var}(x) = \sigma^2_\text{item} + \sigma^2_\text{annotator} + \dots + \sigma^2_e

    The variances are by restricted maximum likelihood on all scores: gaps are normal, and none is below zero. Where
    every cell holds the same number of scores and none comes out below zero, they are those of the analysis of
    variance, exactly. Beside them stand the unbiased ones (`anova`: mean squares, with gaps Henderson's first method);
    one of these below zero says that the component is too small to be seen.

    Args:
        data: A `Study` of scores, or what one is made of: a table with one row per annotation, a 2-D array of items ×
            annotators, or the first annotator's scores.
        other: The second annotator's scores in the same order, where `data` is the first's.
        facets: Further columns whose levels may make a difference: the occasion, the prompt, the task. By default the
            run, where annotators scored an item more than once. A level of one of them that occurs with one level of
            another (an annotator of one team) lies within it, and is taken so.
        confidence: Of the intervals.
        labels: The scale, where the scores are labels; they must be numbers.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="points" …

    Returns:
        A `VarianceComponents`: `to_table()`, `iccs()`, and what a decision study needs.

    Raises:
        InputError: If `data` cannot be a study.
        LabelError: If the answers are no numbers.
        MeasureError: If the study holds several variables.
        OptionError: If `confidence` does not lie between 0 and 1.

    Missing data: missing scores are no scores, and nothing is filled in. An item with one score counts for what it
    tells of its annotator.

    References: patterson1971; henderson1953; brennan2001.

    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> found = variance_components(Study.from_wide(table, answers="score"))  # Shrout and Fleiss 1979, table 2
    >>> [round(variance, 3) for variance in found.variances.values()]
    [2.556, 5.244, 1.019]
    """
    check_confidence(confidence)
    study = as_study(data, other, labels, roles)
    if study.tasks:
        raise MeasureError(
            "A study of several variables has variances for each; choose one: ", one_task(next(iter(study.tasks))), "."
        )
    names = tuple(one_or_listed("facets", facets, "name columns, such as ['prompt']"))
    table = _faceted(study, names) if names else scores_of(study)
    return VarianceComponents(study, table, confidence, nothing_to_measure(table))


def _faceted(study: Study, names: tuple[str, ...]) -> ScoreTable:
    """Scores by further columns, each of which says something of every score."""
    for name in names:
        study._need_column(name, "facets")
        if name in (study.roles.get(ITEM), study.roles.get(ANNOTATOR), ITEM, ANNOTATOR):
            raise OptionError(
                keyword("facets"), " come besides items and annotators, and ", quoted(name), " is one of these."
            )
        if study._missing_in(name):
            raise OptionError(
                keyword("facets"),
                " must say something of every score, and ",
                quoted(name),
                f" is empty for {counted(study._missing_in(name), 'scores')}. Leave it out, or fill it.",
            )
    return ScoreTable.of(study, facets=names)


@dataclass(frozen=True, eq=False, repr=False)
class VarianceComponents(Shown):
    """What each part adds to the variance of a score.

    Attributes:
        study: The study.
        confidence: Of the intervals.
        undefined: Why there are no components; None if there are.

    >>> import accord
    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> found = accord.variance_components(accord.Study.from_wide(table, answers="score"))
    >>> print(found.to_table())
    What each part adds to the variance of a score, with 95% intervals
    component                                levels  variance  low    high    share  standard_deviation  anova
    item                                     6       2.556     0.726  13.089  0.290  1.599               2.556
    annotator                                4       5.244     1.352  47.053  0.595  2.290               5.244
    left over (item × annotator, and error)  24      1.019     0.538  2.297   0.116  1.010               1.019
    Restricted maximum likelihood; every cell holds the same number of scores.
    >>> [round(row["value"], 2) for row in found.iccs()]
    [0.29, 0.71, 0.17, 0.62, 0.91, 0.44]
    """

    study: Study
    scores: ScoreTable = field(repr=False)
    confidence: float = 0.95
    undefined: str | None = None

    @property
    def fit(self) -> Components:
        """The components as they were fitted; an error where there are none."""
        if self.undefined:
            raise MeasureError("There are no variance components. ", self.undefined or "")
        return self.scores.components

    @property
    def names(self) -> list[str]:
        """The components: each factor, what two of them do together, and what is left over."""
        rest = in_words(frozenset(self.scores.factors), self.scores.factors)
        own = [in_words(effect, self.scores.factors) for effect in self.scores.effects]
        return [*own, REST if rest in own or len(self.scores.factors) < 2 else f"{REST} ({rest}, and error)"]

    @property
    def variances(self) -> dict[str, float]:
        """Each component's variance, by restricted maximum likelihood; none where it is undefined."""
        if self.undefined:
            return {}
        return dict(zip(self.names, (self.fit.variances * self._square).tolist(), strict=True))

    @property
    def _square(self) -> float:
        """The unit of the scores, squared."""
        return self.scores.unit * self.scores.unit

    @cached_property
    def _ends(self) -> FloatArray:
        """(components, 2) their intervals."""
        places = range(len(self.names))
        ends = [self.fit.interval(place, self.confidence) for place in places]
        return np.array(ends).reshape(-1, 2) * self._square

    def to_table(self) -> Table:
        """One row per component.

        Returns:
            A `Table`: component, levels, variance, low, high, share (of all variance), standard_deviation (in the unit
            of the scores), anova (the unbiased estimate, which may lie below zero).
        """
        title = "What each part adds to the variance of a score"
        if self.undefined:
            return Table(title, {"component": [], "variance": np.empty(0)}, (self.undefined,))
        variance, ends = self.fit.variances * self._square, self._ends
        levels = [self.scores.n_cells(effect) for effect in self.scores.effects]
        data = {
            "component": self.names,
            "levels": np.array([*levels, len(self.scores)]),
            "variance": variance,
            "low": ends[:, 0],
            "high": ends[:, 1],
            "share": self.fit.variances / self.fit.variances.sum(),
            "standard_deviation": np.sqrt(variance),
            "anova": self.fit.by_anova * self._square,
        }
        return Table(f"{title}, with {percent(self.confidence)} intervals", data, self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know of how they were found."""
        if self.undefined:
            return (self.undefined,)
        how = (
            "Restricted maximum likelihood; every cell holds the same number of scores."
            if self.fit.complete
            else "Restricted maximum likelihood on all scores; anova is Henderson's first method."
        )
        return (how, *self._weights_unused(), *self._below_zero(), *confounded_factors(self.scores))

    def _weights_unused(self) -> tuple[str, ...]:
        """That items count alike here, where they have weights."""
        if self.study._uneven_weights is None:
            return ()
        return ("Items count alike in components: weights of items are in `icc`, and in no likelihood of all facets.",)

    def _below_zero(self) -> list[str]:
        """A sentence for each component that comes out negative."""
        found = []
        for name, unbiased in zip(self.names, (self.fit.by_anova * self._square).tolist(), strict=True):
            if unbiased < 0:
                found.append(
                    f"Negative component: {name} comes out at {unbiased:.4g} by the analysis of variance, which no "
                    "variance can be. It is too small to be seen in these scores, and counts as it is in shares "
                    "of items and annotators without gaps, as zero elsewhere."
                )
        return found

    # -- the correlations that follow ---------------------------------------------------------------------------------

    def icc(self, form: str = "A,1") -> Agreement:
        """One intraclass correlation of these scores, with all that can be asked of it.

        Args:
            form: Which one, by any of its names; see `icc`.

        Returns:
            An `Agreement`.

        Raises:
            OptionError: If there is no such form.

        >>> import accord
        >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
        >>> found = accord.variance_components(accord.Study.from_wide(table, answers="score"))
        >>> print(found.icc("A,1"))
        Intraclass correlation (A,1) 0.290, 95% interval [0.019, 0.761] (6 items, 4 annotators)
        """
        return icc(self.study, form=form)

    def iccs(self) -> Table:
        """Every form of the intraclass correlation, by both of its names.

        Returns:
            A `Table`: form (McGraw and Wong's), shrout_fleiss, value, low, high, of (what it speaks of).
        """
        usual = USUAL if self.study._annotations.named else ("1,1", "1,k")
        rows = []
        for name in usual:
            form = IccForm.named(name)
            value, low, high = self._of_form(form)
            rows.append((f"ICC({name})", form.shrout_fleiss, value, low, high, form.in_words))
        names = ("form", "shrout_fleiss", "value", "low", "high", "of")
        columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        for name in ("value", "low", "high"):
            columns[name] = np.array(columns[name])  # type: ignore[assignment]
        title = f"Every intraclass correlation, with {percent(self.confidence)} intervals"
        return Table(title, columns, self._of_forms())

    def _of_form(self, form: IccForm) -> tuple[float, float, float]:
        """The value and its interval; over clusters where the study has some, which no model knows of."""
        if "cluster" in self.study.roles:
            result = self.icc(form.name)
            return result.value, *result.interval(confidence=self.confidence)
        found = icc_of(self.scores, form)
        value = float(found.parts.value)
        if math.isnan(value):
            return math.nan, math.nan, math.nan
        span = found.model_interval(self.confidence)
        return value, span.low, span.high

    def _of_forms(self) -> tuple[str, ...]:
        notes = [
            "A: annotators are a sample and their numbers are used as they are. C: only differences between items "
            "count. 1: who scored is not asked. One score: 1; the mean of an item's scores: k."
        ]
        named = self.study._annotations.named and not self.undefined
        if named and not math.isclose(k := self.scores.annotators_per_item, round(k)):
            notes.append(f"k is {k:.4g}, the harmonic mean of the annotators of an item.")
        return tuple(notes)

    @property
    def advice(self) -> str:
        """Which one to report, and why."""
        if self.undefined:
            return f"There is nothing to report. {self.undefined}"
        if not self.study._annotations.named:
            return (
                "Report ICC(1,1): nobody is named, so that annotators' severities are among what differs within an "
                "item. Where the mean of an item's scores is used, ICC(1,k)."
            )
        return Message(
            "Report ICC(A,1) where each item will get one annotator's number and that number is used: it counts "
            "annotators' severities as error. Where the mean of all annotators is used, ICC(A,k). Where only "
            "differences between items count, such as for ranking them, or the same annotators score everything, "
            "ICC(C,1) or ICC(C,k). Name the form, and of k how many annotators there were. How many are needed for a "
            "wanted reliability is told by ",
            in_python("accord.planning.decision_study(study, target=0.8)", "`accord plan FILE --reliability 0.8`"),
            ".",
        )

    # -- in words and files -------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        if self.undefined:
            return f"Variance components: undefined. {self.undefined}"
        return f"{self.to_table()}\n\n{self.iccs()}\n{self.advice}"

    def _repr_html_(self) -> str:
        if self.undefined:
            return super()._repr_html_()
        return f"{self.to_table()._repr_html_()}{self.iccs()._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        mean, error = (math.nan, math.nan) if self.undefined else self.fit.mean
        return {
            **head("variance_components"),
            "components": self.to_table().to_dict()["rows"],
            "iccs": [] if self.undefined else self.iccs().to_dict()["rows"],
            "mean": json_value(mean),
            "mean_se": json_value(error),
            "criterion": None if self.undefined else json_value(self.fit.deviance),
            "confidence": self.confidence,
            "scores": len(self.scores),
            "items": self.scores.levels[ITEM],
            "annotators": self.study.n_annotators,
            "advice": self.advice,
            "undefined": self.undefined,
            "notes": list(self.notes),
        }

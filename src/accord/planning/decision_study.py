"""How many annotators, and how many runs, make a mean score as reliable as wanted: the decision study."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.errors import (
    Keyword,
    MayBeNames,
    MeasureError,
    Message,
    OptionError,
    counted,
    in_python,
    json_value,
    percent,
)
from accord.measures.components_of_scores import VarianceComponents, variance_components
from accord.options import Shown, check_choice, check_confidence, check_whole, head, is_number, one_or_listed
from accord.planning.how_many_annotators import SHOWN
from accord.scores import f_intervals
from accord.scores.icc_forms import IccForm, error_weights, universe_weights
from accord.scores.score_table import ANNOTATOR, ITEM
from accord.study.study_of_input import Roles

RUNS_SHOWN = (1, 2, 3, 5)
MOST = 10_000  # annotators: beyond, none are enough
CLOSE = 1e-9
KINDS = {"A": "absolute agreement", "C": "consistency"}


def decision_study(
    pilot: Any,
    other: Any = None,
    /,
    *,
    target: float = 0.8,
    error: Literal["A", "C"] = "A",
    numbers: Mapping[str, int | Sequence[int]] | None = None,
    facets: Sequence[str] | str | None = None,
    fixed: Sequence[str] | str = (),
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> DecisionStudy:
    r"""How reliable the mean of so many annotators, and so many runs, would be, and how many are needed.

    The variance components of a pilot say what each part adds to a score. In a mean over :math:`n_a` annotators and
    :math:`n_r` runs each part is divided by what it is averaged over:

    .. math:: \Phi = \frac{\sigma^2_i}{\sigma^2_i + \sigma^2_a / n_a + \sigma^2_r / n_r + \sigma^2_{ia} / n_a +
              \sigma^2_{ir} / n_r + \sigma^2_{ar} / (n_a n_r) + \sigma^2_e / (n_a n_r)}

    for absolute agreement ("A", Brennan's dependability), and without the terms that shift all items alike for
    consistency ("C", the generalizability coefficient). More annotators help against what annotators add, not against
    what runs add.

    Args:
        pilot: A `Study` of scores, or what one is made of.
        other: The second annotator's scores in the same order, where `pilot` is the first's.
        target: The reliability wanted, between 0 and 1.
        error: "A" where scores are used as they are, "C" where only differences between items count.
        numbers: How many levels of a facet to look at, by its name: {"annotator": [2, 3, 5], "run": 1}. By default
            some annotators, and one to five of each other facet.
        facets: Further columns that may make a difference, as in `variance_components`.
        fixed: Facets whose levels are all there will ever be: what they do to an item belongs to its score.
        confidence: Of the intervals.
        labels: The scale, where the scores are labels.
        **roles: The keywords of `Study`.

    Returns:
        A `DecisionStudy`: `annotators` needed (None where no number would do, and `why`), and `to_table()`.

    Raises:
        InputError: If the pilot cannot be a study.
        MeasureError: If the pilot has no variance components, or several variables.
        OptionError: If a number is out of range, or there is no such facet.

    References: brennan2001.

    >>> from accord import Study
    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> print(decision_study(Study.from_wide(table, answers="score"), target=0.8))
    10 annotators for a mean score with reliability 0.8 (absolute agreement; one alone has 0.290); they reach 0.803.
    """
    check_confidence(confidence)
    if not is_number(target) or not 0 < target < 1:
        raise OptionError.must("target", "lie between 0 and 1, for example 0.8", target)
    check_choice("error", error, KINDS)
    found = variance_components(pilot, other, facets=facets, confidence=confidence, labels=labels, **roles)
    found.fit  # noqa: B018 - which says why there are none
    there = found.scores.factors[1:]
    if ANNOTATOR not in there:
        raise MeasureError(
            "How many annotators it takes depends on how much they differ, and a ",
            found.study.shape,
            " does not say who scored what. From the ICC(1,1) of single scores: ",
            in_python("accord.planning.annotators_needed(0.8, reliability=…)", "Spearman and Brown's formula"),
            ".",
            option=Keyword("annotator"),
        )
    held = tuple(one_or_listed("fixed", fixed, "name facets"))
    if not isinstance(numbers, Mapping | None):
        raise OptionError.must("numbers", "be a mapping of facets to numbers, such as {'annotator': [2, 3]}", numbers)
    for name in (*(numbers or {}), *held):
        check_choice("fixed" if name in held else "numbers", name, there)
    return DecisionStudy(found, float(target), error, _levels(there, numbers or {}, held, found), held)


def _levels(
    facets: tuple[str, ...], numbers: Mapping[str, Any], fixed: tuple[str, ...], found: VarianceComponents
) -> dict[str, tuple[int, ...]]:
    """The numbers of levels to look at, of each facet; of fixed ones those that there are."""
    levels: dict[str, tuple[int, ...]] = {}
    for name in facets:
        usual: Sequence[int] = SHOWN if name == ANNOTATOR else RUNS_SHOWN
        given = numbers.get(name, found.scores.levels[name] if name in fixed else usual)
        levels[name] = tuple(given) if isinstance(given, Sequence) else (given,)
        for number in levels[name]:
            check_whole("numbers", number, 1, f"of {name}")
    return levels


@dataclass(frozen=True, eq=False, repr=False)
class DecisionStudy(Shown):
    """How many annotators a mean score needs, and what other numbers would give.

    Attributes:
        components: What each part adds to the variance of a score.
        target: The reliability wanted.
        error: "A" for absolute agreement, "C" for consistency.
        numbers: The levels of each facet that the table shows.
        fixed: Facets whose levels are all there are.

    >>> from accord import Study
    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> found = decision_study(Study.from_wide(table, answers="score"), target=0.8)
    >>> print(found)
    10 annotators for a mean score with reliability 0.8 (absolute agreement; one alone has 0.290); they reach 0.803.
    >>> found.to_table()["annotators"].tolist()[:3]
    [1, 2, 3]
    """

    components: VarianceComponents
    target: float
    error: Literal["A", "C"]
    numbers: Mapping[str, tuple[int, ...]]
    fixed: tuple[str, ...] = field(default=())

    def reliability(self, numbers: Mapping[str, float] | None = None, error: str | None = None) -> float:
        """Of a mean over so many levels of each facet, one where nothing is said.

        Args:
            numbers: How many of each facet: {"annotator": 3, "run": 2}.
            error: "A" or "C"; by default as asked for.

        Returns:
            The share of the variance of such means that is the items'.

        Raises:
            OptionError: If `numbers` names no facet or holds no number from 1, or there is no such error.

        >>> from accord import Study
        >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
        >>> found = decision_study(Study.from_wide(table, answers="score"), target=0.8)
        >>> round(found.reliability({"annotator": 4}), 3)
        0.62
        """
        check_choice("error", error, (None, "A", "C"))
        known, wrong = self._known_and_error(self._of_facets(numbers), error or self.error)
        return known / (known + wrong) if known + wrong > 0 else math.nan

    def _of_facets(self, numbers: Mapping[str, float] | None) -> dict[str, float]:
        """How many levels of each facet, as they were given."""
        if numbers is not None and not isinstance(numbers, Mapping):
            raise OptionError.must("numbers", "be a mapping of facets to numbers, such as {'annotator': 2}", numbers)
        for name, number in (numbers or {}).items():
            check_choice("numbers", name, self.numbers)
            if not is_number(number) or not number >= 1:
                raise OptionError.must("numbers", Message("be 1 or more of ", MayBeNames(name)), number)
        return dict(numbers or {})

    def _known_and_error(self, numbers: Mapping[str, float], error: str) -> tuple[float, float]:
        table = self.components.scores
        counts = {**{name: table.levels[name] for name in self.fixed}, **numbers}
        variances = self.components.fit.divided  # those that an intraclass correlation of the same scores is made of
        known = float(universe_weights(table, counts, self.fixed) @ variances)
        weights = error_weights(table, counts, absolute=error == "A", fixed=self.fixed)
        return known, float(weights @ variances)  # in the table's unit squared, which may be no number itself

    # -- how many annotators ------------------------------------------------------------------------------------------

    def needed(self, numbers: Mapping[str, float] | None = None) -> int | None:
        """The fewest annotators for the target, with so many levels of the other facets; None where none are enough.

        Args:
            numbers: How many of each other facet, such as {"run": 2}; one where nothing is said.

        Returns:
            A whole number, or None.

        Raises:
            OptionError: If `numbers` names no facet or holds no number from 1.

        >>> from accord import Study
        >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
        >>> found = decision_study(Study.from_wide(table, answers="score"), target=0.8)
        >>> found.needed()
        10
        """
        others = self._of_facets(numbers)
        known, always = self._known_and_error({**others, ANNOTATOR: math.inf}, self.error)
        _, once = self._known_and_error({**others, ANNOTATOR: 1}, self.error)
        if not known > 0:
            return None
        room = known * (1 - self.target) / self.target - always
        if once - always <= CLOSE * max(room, 0.0):
            return 1 if room >= 0 else None
        if room <= 0 or (once - always) / room > MOST:
            return None
        return max(1, math.ceil((once - always) / room - CLOSE))

    @property
    def annotators(self) -> int | None:
        """The fewest annotators for the target, with one of each other facet."""
        return self.needed()

    @property
    def why(self) -> str | None:
        """Why no number of annotators would do; None where one does."""
        if self.annotators is not None:
            return None
        known, always = self._known_and_error({ANNOTATOR: math.inf}, self.error)
        if not known > 0:
            return "Items do not differ in these scores, so that no mean of them is reliable."
        if always > 0:
            most = known / (known + always)
            return (
                f"However many annotators there are, what {' and '.join(self._others)} add stays: at most {most:z.3f} "
                "is reached. More of these would help."
            )
        return f"It would take more than {MOST:,}: items hardly differ."

    @property
    def _others(self) -> list[str]:
        return [f"{name}s" for name in self.components.scores.factors[1:] if name != ANNOTATOR]

    # -- in words and files -------------------------------------------------------------------------------------------

    def to_table(self) -> Table:
        """One row for each combination of numbers.

        Returns:
            A `Table`: a column per facet, agreement (absolute, Φ) and consistency (Eρ²), low and high (of the one
            asked for), error (the standard error of such a mean as a measurement, in the unit of the scores).
        """
        names = list(self.numbers)
        rows = list(product(*(self.numbers[name] for name in names)))
        data: dict[str, Any] = {
            ("annotators" if name == ANNOTATOR else name): np.array([row[place] for row in rows])
            for place, name in enumerate(names)
        }
        counts = [dict(zip(names, map(float, row), strict=True)) for row in rows]
        spans, unit = [self._interval(count) for count in counts], self.components.scores.unit
        data |= {
            "agreement": np.array([self.reliability(count, "A") for count in counts]),
            "consistency": np.array([self.reliability(count, "C") for count in counts]),
            "low": np.array([low for low, _ in spans]),
            "high": np.array([high for _, high in spans]),
            "error": unit * np.sqrt([self._known_and_error(count, self.error)[1] for count in counts]),
        }
        words = KINDS[self.error]
        notes = (
            f"low and high: the {percent(self.components.confidence)} interval of {words}; error: the standard error "
            f"of such a mean as a measurement ({words}), in the unit of the scores.",
        )
        return Table("Reliability of the mean of several scores of an item", data, notes)

    def _interval(self, numbers: Mapping[str, float]) -> tuple[float, float]:
        """By F where that is exact, of the likelihood else; none where levels are fixed."""
        found, fit = self.components, self.components.fit
        if self.fixed or fit.nothing_left_over or not fit.items_differ:
            return math.nan, math.nan
        if tuple(found.scores.factors) == (ITEM, ANNOTATOR):
            exact = f_intervals.of(fit, found.scores, IccForm(self.error, int(numbers[ANNOTATOR])), found.confidence)
            if exact is not None:
                return exact
        weights = error_weights(found.scores, numbers, absolute=self.error == "A")
        return fit.share_interval(weights, found.confidence)

    def __str__(self) -> str:
        single = self.reliability()
        alone = "no value" if math.isnan(single) else f"{single:z.3f}"
        what = f"a mean score with reliability {self.target:g} ({KINDS[self.error]}; one alone has {alone})"
        if self.annotators is None:
            return f"No number of annotators gives {what}. {self.why}"
        reached = self.reliability({ANNOTATOR: self.annotators})
        reach = "" if self.annotators == 1 else f"; they reach {reached:z.3f}"
        lines = [f"{counted(self.annotators, 'annotators')} for {what}{reach}."]
        for name in self._facets_besides():
            for number in self.numbers[name][1:]:
                fewer = self.needed({name: number})
                if fewer is not None and fewer < self.annotators:
                    enough = "is" if fewer == 1 else "are"
                    lines.append(f"With {number} of {name} each, {counted(fewer, 'annotators')} {enough} enough.")
        return "\n".join(lines)

    def _facets_besides(self) -> list[str]:
        return [name for name in self.numbers if name != ANNOTATOR and name not in self.fixed]

    def _repr_html_(self) -> str:
        return f"{super()._repr_html_()}{self.to_table()._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        reached = math.nan if self.annotators is None else self.reliability({ANNOTATOR: self.annotators})
        return {
            **head("decision_study"), "target": self.target, "error": self.error, "annotators": self.annotators,
            "single": json_value(self.reliability()), "reached": json_value(reached), "fixed": list(self.fixed),
            "undefined": self.why, "components": self.components.to_table().to_dict()["rows"],
            "table": self.to_table().to_dict()["rows"],
        }  # fmt: skip

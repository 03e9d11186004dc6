"""Krippendorff's alpha, at every level of measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import Row, agreement, measured
from accord.agreement.recipe import Recipe
from accord.agreement.registry import ORDER_AND_NAMES, UNNAMED, Measure, Serves, register, weights_as_usual
from accord.agreement.result import Agreement
from accord.annotations.answers import Level
from accord.coefficients import chance
from accord.coefficients.measurable import Measurable
from accord.coefficients.weights import WeightsLike
from accord.errors import MayBeNames, MeasureError, Message, OptionError, keyword, remedy
from accord.measures.at_positions import OfSpans, position_options
from accord.study.levels import check_level
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.over_documents import PositionUnit
    from accord.spans.positions import Outside


def _usual_options(study: Study, weights: Any, level: str | None) -> dict[str, Any]:
    """The level where answers are labels or scores and nobody gave weights; whole orders are ranks."""
    if study.kind == "spans":  # whose labels may have an order, which places do not ask for
        return {}
    if weights is None and level is None and study.kind == "ranking":
        return {"level": "ordinal"}
    if weights is None and (level is not None or study.kind in ("single", "score")):
        return {"level": level}
    return weights_as_usual(study, weights, level)


@register(
    Measure(
        title="Krippendorff's alpha",
        chance="without-replacement",
        references=("krippendorff1970", "krippendorff2004", "hayes2007"),
        summary="any number of annotators, gaps and levels of measurement; every answer counts once",
        formula="A_e = (Σ n_k n_l w_kl − Σ n_k w_kk) / (n (n − 1)), n_k answers k on items with two or more",
        each="answer",
        numeric=True,
        serves={
            **dict.fromkeys((UNNAMED, "single", "set", "ranked"), Serves()),
            "ranking": Serves("of the ranks"),
            "score": Serves(options={"level": "interval"}),
        },
        benchmark="krippendorff",
        exchangeable=True,
        of_item_means=True,
        also=("spans", "ranking"),
        usual_options=_usual_options,
        properties=ORDER_AND_NAMES,
    )
)
def krippendorff_alpha(
    data: Any,
    other: Any = None,
    /,
    *,
    level: Level | None = None,
    weights: WeightsLike | None = None,
    period: float | None = None,
    unit: PositionUnit | None = None,
    outside: Outside | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of any number of annotators, with gaps, at any level of measurement; every answer counts once.

    .. math:: \alpha = 1 - \frac{D_o}{D_e} = 1 - \frac{1 - o}{1 - e}, \qquad
              e = \frac{\sum_{kl} n_k n_l w_{kl} - \sum_k n_k w_{kk}}{n (n - 1)}

    o is observed agreement with every item weighted by its answers, :math:`n_k` how often answer k was given on items
    with two or more answers, n their number: chance draws two different answers from all of them. :math:`w_{kl} = 1 -
    \delta^2_{kl}` follows from the `level`: the same or not (nominal); difference of mid-ranks (ordinal), of numbers
    (interval), of numbers in proportion to their sum (ratio), on a ring (circular, with `period` the length of the
    ring; by default the range of whole numbers plus one). `observed` and `expected` are then 1 − disagreement over the
    widest in the data.

    `level` and `weights` at once is an error, for "ordinal" means one thing to Krippendorff and another to Gwet.

    Of rankings it compares ranks: the (mid-)rank that one annotator gave an option of a query with the rank another
    gave it there, against any two of all ranks. Queries are the items, and the units of the interval; options that not
    all annotators of a query ranked are left out and counted.

    Spans are compared place by place. What an annotator marked there is a set of labels, {outside} where it is nothing;
    two sets are half as far apart as they have labels that only one of them holds, so that of labels that do not
    overlap this is the nominal alpha of all places. Documents are the items, and the units of the interval. Nothing
    marked by anybody raises it, and borders between touching spans of one label do not show: report it beside `span_f1`
    and `unitizing_alpha`, never alone.

    Missing data: items with a single answer do not count. Equals `scott_pi` for two annotators and nominal labels but
    for a term of 1/(2n). Few answers outside one label make alpha jumpy: with one disagreement in otherwise equal
    answers it is 0.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        level: The level of measurement, which says how far apart two answers are: "nominal", "ordinal", "interval",
            "ratio" or "circular". By default the study's own, where somebody declared it; else "nominal", for scores
            "interval", for rankings "ordinal". Words of a known order (low, high) need no `labels` to be ordinal.
        weights: Instead of a level, how alike two answers are, from 0 to 1: Gwet's tables ("linear", "quadratic",
            "ordinal" …), "jaccard", "dice" or "masi" for sets, "overlap" for ranked answers, a table of labels × labels
            in the order of the scale, or a function of two labels.
        period: The length of the whole circle, for level="circular": 360 for degrees, 24 for hours.
        unit: Of spans: what the places are that are compared, "character", "token" (of the export, else by a rule) or
            "time" (lengths, with no smallest part). By default characters, or time where places are not whole.
        outside: Of spans: what a place is that an annotator left unmarked, a "label" of its own (the default) or
            "missing".
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the measure does not fit the answers; the message names one that does. `WeightsError`, a kind
            of it, if the weights do not.
        OptionError: If an option has a value that it cannot take.

    References: krippendorff1970; krippendorff2004; hayes2007.

    >>> from accord import Study
    >>> table = [[1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4], [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2]]
    >>> study = Study.from_wide(table)  # Krippendorff 1980, page 139
    >>> [round(krippendorff_alpha(study, level=level).value, 3) for level in ("nominal", "interval", "ratio")]
    [0.642, 0.547, 0.483]
    """
    if level is not None and weights is not None:
        raise OptionError(
            "Give ",
            keyword("level"),
            " (Krippendorff's distances) or ",
            keyword("weights"),
            " (Gwet's tables, set weights, your own), not both: they disagree on what 'ordinal' is.",
        )
    if level is not None:
        check_level("level", level)
    study = as_study(data, other, labels, roles)
    places = position_options(
        study, unit, outside, weights=(weights, None), level=(level, "nominal"), period=(period, None)
    )
    if weights is not None:
        return measured(Row("krippendorff_alpha", weights, chance.without_replacement), study, None, labels, by, {})
    recipe = AtLevel(level, period, OfSpans("without-replacement", unit, outside))
    levels = {recipe.options_of(part)["level"] for part in study.tasks.values() or [study]}
    options = {"level": levels.pop() if len(levels) == 1 else None, "labels": labels, "period": period, **places}
    return agreement("krippendorff_alpha", study, recipe, options, by, recipe.notes(study))


USUAL_LEVELS: dict[str, Level] = {"score": "interval", "ranking": "ordinal"}  # of the kinds that are more than names


@dataclass(frozen=True)
class AtLevel(Recipe):
    """Alpha of a study at a level: by identity weights if nominal, else by sums of numbers."""

    level: Level | None  # as the caller says; None is as the study does
    period: float | None
    positions: OfSpans  # of spans

    def level_of(self, study: Study) -> Level:
        """The level at which one variable is measured."""
        return self.level or study.level or USUAL_LEVELS.get(study.kind, "nominal")

    def options_of(self, study: Study) -> dict[str, Any]:
        """Of several variables each has its own level; spans have none."""
        return {"level": None if study.kind == "spans" else self.level_of(study)}

    def notes(self, study: Study) -> tuple[str, ...]:
        """In which order words were taken, where nobody said it and everybody knows it."""
        if study.tasks or self.level_of(study) != "ordinal":
            return ()
        from accord.annotations.recognised_scale import places_in_order, recognised

        if places_in_order(study.answers) is None:
            return ()
        found = recognised(study.answers)
        assert found is not None
        return (
            Message(
                "The order taken is ",
                MayBeNames(" < ".join(map(str, found.order))),
                "; for another say ",
                remedy(labels=[...]),
                ".",
            ),
        )

    def __call__(self, study: Study) -> Measurable:
        """The coefficient of a study, or of a part of it."""
        if study.kind == "spans":
            return self.positions(study)
        level = self.level_of(study)
        if level == "nominal":
            return Row("krippendorff_alpha", "identity", chance.without_replacement)(study)
        if study.kind == "ranking":
            return _of_ranks(study, level)
        from accord.coefficients.alpha_levels import at_level  # for numbers

        return at_level(level, study._tally_of_people(), self.period)


def _of_ranks(study: Study, level: Level) -> Measurable:
    """Alpha of the ranks that annotators gave to the options of a query."""
    from accord.rankings.rank_alpha import RankAlphaRecipe  # few have rankings

    if level not in ("ordinal", "interval"):
        raise MeasureError(
            "The answers are rankings, and ranks have an order and no amount: ",
            remedy(level="ordinal"),
            f" compares them, {level} cannot.",
        )
    return RankAlphaRecipe(level)(study)

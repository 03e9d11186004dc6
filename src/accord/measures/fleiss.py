"""Fleiss' kappa, which is also Siegel & Castellan's K."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack

from accord.agreement.build import Row, agreement
from accord.agreement.registry import MORE_ANNOTATORS, ORDER_AND_NAMES, UNNAMED, Measure, Serves, register
from accord.agreement.result import Agreement
from accord.coefficients import chance as chances
from accord.coefficients.weights import WeightsLike
from accord.measures.at_positions import LabelsOrSpans, OfSpans, position_options
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.over_documents import PositionUnit
    from accord.spans.positions import Outside


@register(
    Measure(
        title="Fleiss' kappa",
        chance="pooled",
        references=("fleiss1971", "siegel1988", "gwet2014"),
        summary="any number of annotators with one pooled marginal distribution",
        formula="A_e = Σ w_kl π_k π_l, π the mean share of each label, every item counted once",
        of_item_means=True,
        also=("spans",),
        serves={MORE_ANNOTATORS: Serves("pooled marginals"), UNNAMED: Serves(), "set": Serves(), "ranked": Serves()},
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def fleiss_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    chance: Literal["pooled", "pooled-counts"] = "pooled",
    unit: PositionUnit | None = None,
    outside: Outside | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of any number of annotators whose answers, by chance, would follow one pooled marginal distribution.

    .. math:: \kappa = 1 - \frac{1 - o}{1 - e}, \qquad e = \sum_{kl} w_{kl} \pi_k \pi_l

    o is percent agreement, :math:`\pi_k` the mean over items of the share of answers k (`chance="pooled-counts"`: the
    share among all answers), :math:`w_{kl}` how alike two answers are.

    Spans are compared place by place, as in `krippendorff_alpha`; report it beside `span_f1`, never alone.

    Missing data: items may have any number of answers; an item with a single one informs the marginals and not o.
    Nobody needs to be named, and different items may have different annotators. Equals `scott_pi` for two annotators.
    When one label takes nearly all answers kappa can be low although annotators agree: read it beside `gwet_ac`. With
    two or three annotators who use labels differently, `conger_kappa` attributes less to chance.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        weights: How alike two answers are, from 0 to 1: "identity" (the same or not); on a numeric or ordered scale
            "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"; for sets "jaccard", "dice",
            "masi"; for ranked answers "shared-mass", "overlap"; a table of labels × labels in the order of the scale;
            or a function of two labels.
        chance: "pooled": every item counts once in the pooled marginal distribution. "pooled-counts": every answer
            does; the two differ only where items have unequal numbers of answers.
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

    References: fleiss1971; siegel1988; gwet2014 for items with unequal numbers of answers.

    >>> from accord import Study
    >>> table = [[7, 1], [3, 5]]  # two items, eight annotators, two labels
    >>> kappa = fleiss_kappa(Study.from_counts(table))
    >>> round(kappa.value, 6), round(kappa.observed, 3), round(kappa.expected, 3)
    (0.161905, 0.607, 0.531)
    """
    model = chances.one_of("chance", chance, "pooled", "pooled-counts")
    study = as_study(data, other, labels, roles)
    places = position_options(study, unit, outside, weights=(weights, "identity"), chance=(chance, "pooled"))
    recipe = LabelsOrSpans(Row("fleiss_kappa", weights, model), OfSpans("pooled", unit, outside))
    options = {"weights": weights, "labels": labels, "chance": chance, **places}
    return agreement("fleiss_kappa", study, recipe, options, by)

"""Cohen's kappa, weighted or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import Row, agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.measures.at_positions import LabelsOrSpans, OfSpans, position_options
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.over_documents import PositionUnit
    from accord.spans.positions import Outside


@register(
    Measure(
        title="Cohen's kappa",
        chance="own",
        references=("cohen1960", "cohen1968"),
        summary="two annotators, each with a marginal distribution of their own",
        formula="A_e = Σ w_kl p_1k p_2l, each annotator with a marginal distribution p of their own",
        named=True,
        two=True,
        for_more="light_kappa",
        also=("spans",),
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def cohen_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    unit: PositionUnit | None = None,
    outside: Outside | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of two annotators, each of whom, by chance, would answer from a marginal distribution of their own.

    .. math:: \kappa = 1 - \frac{1 - o}{1 - e}, \qquad e = \sum_{kl} w_{kl} p_k q_l

    o is the share of items on which the two agree, :math:`p_k` and :math:`q_l` their own shares of each label,
    :math:`w_{kl}` how alike two labels are (1 − the disagreement weights of Cohen 1968, scaled to 1).

    Spans are compared place by place, as in `krippendorff_alpha`; report it beside `span_f1`, never alone.

    Missing data: only items both answered count, for o and for the marginals. Equals `conger_kappa` for two annotators
    without gaps. Annotators who disagree about how common labels are get a higher kappa than `scott_pi`: own marginals
    excuse bias. One label with nearly all answers makes kappa low whatever the agreement; the largest kappa possible
    with given marginals may be well below 1. For more than two annotators: `conger_kappa`, `light_kappa`,
    `fleiss_kappa`, or `pairwise`.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        weights: How alike two answers are, from 0 to 1: "identity" (the same or not); on a numeric or ordered scale
            "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"; for sets "jaccard", "dice",
            "masi"; for ranked answers "shared-mass", "overlap"; a table of labels × labels in the order of the scale;
            or a function of two labels.
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
        MeasureError: If there are more than two annotators, or if nobody is named; the message names a measure that
            fits. `WeightsError`, a kind of it, if the weights do not fit the answers.
        OptionError: If an option has a value that it cannot take.

    References: cohen1960; cohen1968.

    >>> from accord import Study
    >>> sentiment = Study.from_confusion([[20, 5], [10, 15]], labels=["positive", "negative"])  # Zhao's lecture
    >>> kappa = cohen_kappa(sentiment)
    >>> round(kappa.observed, 2), round(kappa.expected, 2), round(kappa.value, 2)
    (0.7, 0.5, 0.4)
    """
    study = as_study(data, other, labels, roles)
    places = position_options(study, unit, outside, weights=(weights, "identity"))
    recipe = LabelsOrSpans(Row("cohen_kappa", weights, chance.own, common=True), OfSpans("own", unit, outside))
    return agreement("cohen_kappa", study, recipe, {"weights": weights, "labels": labels, **places}, by)

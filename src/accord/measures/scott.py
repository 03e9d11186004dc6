"""Scott's pi."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import ORDER_AND_NAMES, Measure, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.study.study_of_input import Roles


@register(
    Measure(
        title="Scott's pi",
        chance="pooled",
        references=("scott1955",),
        summary="two annotators with one pooled marginal distribution",
        formula="A_e = Σ w_kl π_k π_l, π the mean share of each label, every item counted once",
        two=True,
        for_more="fleiss_kappa",
        of_item_means=True,
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def scott_pi(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of two annotators whose answers, by chance, would follow one pooled marginal distribution.

    .. math:: \pi = 1 - \frac{1 - o}{1 - e}, \qquad e = \sum_{kl} w_{kl} \pi_k \pi_l

    o is percent agreement, :math:`\pi_k` the share of label k over both annotators, :math:`w_{kl}` how alike two
    labels are.

    Missing data: an item with one answer informs the marginals and not o. Equals `fleiss_kappa` for two annotators;
    lies below `cohen_kappa` when the two use labels differently, for pooled marginals then expect more agreement. Not
    to be trusted alone where one label takes nearly all answers: read it beside `gwet_ac`.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        weights: How alike two answers are, from 0 to 1: "identity" (the same or not); on a numeric or ordered scale
            "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"; for sets "jaccard", "dice",
            "masi"; for ranked answers "shared-mass", "overlap"; a table of labels × labels in the order of the scale;
            or a function of two labels.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If there are more than two annotators; the message names a measure that fits. `WeightsError`, a
            kind of it, if the weights do not fit the answers.
        OptionError: If an option has a value that it cannot take.

    References: scott1955.

    >>> from accord import Study
    >>> round(scott_pi(Study.from_confusion([[20, 10], [20, 50]])).value, 3)  # Artstein & Poesio 2008, table 1
    0.341
    """
    return measured(Row("scott_pi", weights, chance.pooled), data, other, labels, by, roles)

"""Gwet's AC1, and AC2 with weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import ORDER_AND_NAMES, UNNAMED, Measure, Serves, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.study.study_of_input import Roles


@register(
    Measure(
        title="Gwet's AC",
        titles=("Gwet's AC1", "Gwet's AC2"),
        chance="hesitant",
        references=("gwet2008", "gwet2014"),
        summary="only uncertain answers match by chance; steady under skewed labels",
        formula="A_e = Σ w_kl / (q (q − 1)) · Σ π_k (1 − π_k)",
        finite_scale=True,
        serves={UNNAMED: Serves()},
        zero="Zero is as much agreement as Gwet's model of uncertain answers expects, which is less than independent "
        "annotators have who use some labels more than others.",
        of_item_means=True,
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def gwet_ac(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement beyond chance, where only uncertain answers match by chance.

    .. math:: AC = 1 - \frac{1 - o}{1 - e}, \qquad e = \frac{\sum_{kl} w_{kl}}{q (q - 1)} \sum_k \pi_k (1 - \pi_k)

    o is percent agreement, :math:`\pi_k` the mean over items of the share of label k, q the number of labels on the
    scale, :math:`w_{kl}` how alike two labels are. Identity weights give AC1, all others AC2.

    Missing data: an item with a single answer informs the marginals and not o. Labels that exist and were never used
    count: declare them with `labels=`. Made for skewed data: where one label takes nearly all answers it stays near
    percent agreement while the kappas fall. For the same reason it says little about whether the rare label is told
    apart: read it beside `fleiss_kappa`.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        weights: How alike two labels are, from 0 to 1: "identity" (the same or not); on a numeric or ordered scale
            "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"; a table of labels × labels in
            the order of the scale; or a function of two labels.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels; the message names a measure that fits. `WeightsError`, a
            kind of it, if the weights do not fit the labels.
        OptionError: If an option has a value that it cannot take.

    References: gwet2008; gwet2014.

    >>> from accord import Study, fleiss_kappa
    >>> skewed = Study.from_confusion([[118, 5], [2, 0]])  # Gwet 2008, table 2
    >>> round(gwet_ac(skewed).value, 2), round(fleiss_kappa(skewed).value, 2)
    (0.94, -0.03)
    """
    return measured(Row("gwet_ac", weights, chance.hesitant), data, other, labels, by, roles)

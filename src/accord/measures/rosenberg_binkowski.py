"""Rosenberg and Binkowski's augmented kappa: primary and secondary labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import ORDER_AND_NAMES, Measure, named, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import RANKED, rank_weights, usual_p
from accord.errors import MeasureError, Part, all_quoted
from accord.options import check_choice
from accord.study.study import Study
from accord.study.study_of_input import Roles


def _usual_options(study: Study, weights: Any, _level: str | None) -> dict[str, Any]:
    """The published products, or the overlap where that is asked for; other weights are none of its own."""
    usual = {"p": usual_p(study.answers)}
    if weights is None or study.kind != "ranked":
        return usual
    if not isinstance(weights, str) or weights not in RANKED:
        raise MeasureError(
            "Rosenberg–Binkowski kappa has weights of its own, ",
            all_quoted(RANKED),
            ": it is not measured with others.",
        )
    return {**usual, "weights": weights}


def _of_other_answers() -> Sequence[Part]:
    return (
        named("light_kappa"), " is the same measure for single labels; ", named("bhowmick_am"), " and ",
        named("krippendorff_alpha"), " take sets.",
    )  # fmt: skip


@register(
    Measure(
        title="Rosenberg–Binkowski kappa",
        chance="own",
        references=("rosenberg2004",),
        summary="a primary and an optional secondary label: one answer divided between two labels",
        formula="one coefficient for every pair of annotators, as Cohen's, on the items both answered; then the mean; "
        "an answer is divided between its labels, p to the primary one",
        named=True,
        kinds=("ranked",),
        instead=_of_other_answers,
        usual_options=_usual_options,
        properties=ORDER_AND_NAMES,
    )
)
def rosenberg_binkowski_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    p: float | Sequence[float] = 0.6,
    weights: Literal["shared-mass", "overlap"] = "shared-mass",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of annotators who give one label, or a primary and a secondary one: one answer, divided.

    .. math:: \kappa' = \frac{p(A) - p(E)}{1 - p(E)}, \qquad
              p(A) = \frac{1}{N} \sum_{xy} M_A[x, y]\, M_B[x, y], \qquad p(E) = \sum_y F_A[y]\, F_B[y]

    Row x of annotator A's matrix :math:`M_A` has 1 under a single label, p under a primary and 1 − p under a secondary
    one; :math:`F_A[y]` is the mean of column y. `p` lies between 0.5 (both labels count alike) and 1 (the secondary is
    ignored); for more ranks it takes one weight per rank, which the ranks an answer uses share in proportion. Labels
    that are tied at a rank share its weight equally, and where that would leave one of them less than a label ranked
    after it, the two ranks share theirs together: (p, (1 − p)/2, (1 − p)/2) for one primary and two secondary labels.
    `accord.multilabel.annotation_matrix` and `label_frequencies` show both tables; `p_curve` and `item_classes` read
    the values of p against each other.

    Missing data: each pair of annotators on the items both answered; for more than two annotators one kappa per pair
    and then their mean, as `light_kappa`. Pairs without a common item, or undefined, are left out and counted in
    `notes`. p = 1 is the mean of Cohen's kappas on the primary labels.

    `by_label()` has each label against the rest by the same matrices: observed is
    :math:`1 - F_A[y] - F_B[y] + 2 \sum_x M_A[x, y]\, M_B[x, y] / N`, expected
    :math:`1 - F_A[y] - F_B[y] + 2 F_A[y]\, F_B[y]`. The mean of the labels' values, weighted by 1 − expected, is κ′;
    pairs of annotators are put together so that this holds for more than two of them. `by_label(chance="pooled")` has
    shared marginals instead.

    When not to trust it: with products, two annotators who both answer (a, b) agree only p² + (1 − p)², so perfect
    agreement is not 1 where secondary labels are used. `maximum` of the result says what it would be: for a pair of
    annotators the larger of the two values that come out when one repeats the other's answers,
    :math:`\max_{X \in \{A, B\}} (\sum_{xy} M_X[x, y]^2 / N - \sum_y F_X[y]^2) / (1 - \sum_y F_X[y]^2)`, then the
    mean over the pairs. No value is above it, and perfect agreement reaches it. `weights="overlap"` counts
    Σ min(M_A, M_B) instead, which is 1 for the same answer; chance is then the overlap of every two answers, each as
    likely as it is common.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        p: The share of the primary label, from 0.5 to 1; or one weight per rank, such as (0.5, 0.3, 0.2).
        weights: "shared-mass" (the paper's products) or "overlap" (1 for the same answer).
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not ranked, or if nobody is named; the message names a measure that
            fits.
        OptionError: If an option has a value that it cannot take.

    References: rosenberg2004.

    >>> from accord import Study
    >>> ana = [["a", "b"], ["b", "a"], ["b"], ["c"], ["c", "b"]]  # Table 1 of the paper
    >>> study = Study.from_wide([[mine, mine] for mine in ana], answers="ranked")
    >>> kappa = rosenberg_binkowski_kappa(study, p=0.6)  # Table 3 squared: 0.2² + 0.48² + 0.32²
    >>> round(kappa.observed, 4), round(kappa.expected, 4), round(kappa.value, 4)
    (0.712, 0.3728, 0.5408)
    >>> round(kappa.maximum, 4)  # the two agree perfectly
    0.5408
    >>> round(rosenberg_binkowski_kappa(study, weights="overlap").value, 4)
    1.0
    """
    rank_weights(p)  # out of range is an error at once
    check_choice("weights", weights, RANKED)
    share = tuple(p) if isinstance(p, Sequence) else p
    row = Row("rosenberg_binkowski_kappa", weights, chance.own, mean_of_pairs="kappa", p=share)
    return measured(row, data, other, labels, by, roles, p=share)

"""gamma_cat and gamma_k: agreement on the labels of units that are aligned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options, register
from accord.agreement.result import Agreement
from accord.errors import Keyword, MeasureError, OptionError
from accord.measures.gamma import NO_SCALE, as_given, chance_options, labels_of_aligned_units, takes_long
from accord.options import Rng, check_choice, is_among
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.chance_continua import Sampler
    from accord.spans.chance_disorder import Variant


@register(
    Measure(
        title="Gamma-cat",
        chance="resampled-continuum",
        references=("mathet2017", "mathet2015"),
        summary="labels alone, of units that the best alignment puts together",
        formula="1 − δ_cat / δ_cat,e, δ_cat the share of different labels over aligned pairs, each by its confidence",
        named=True,
        kinds=("spans",),
        takes_long=takes_long,
        no_scale=NO_SCALE,
        each="document",
        usual_options=no_options,
        by_label=labels_of_aligned_units,
        properties=ORDER_AND_NAMES,
    )
)
def gamma_cat(
    data: Any,
    other: Any = None,
    /,
    *,
    variant: Variant = "paper",
    alpha: float = 1.0,
    beta: float = 1.0,
    sampler: Sampler = "mathet",
    precision: float = 0.02,
    rng: Rng = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement on labels where units are aligned: gamma without what is due to borders and to missing units.

    .. math:: \gamma_{cat} = 1 - \frac{\sum_d W_d\, \delta_d}{\sum_d W_d\, \delta^e_d}, \qquad
              \delta_d = \frac{1}{W_d} \sum_{u, v} w_{uv}\, [l_u \ne l_v], \quad
              w_{uv} = \frac{\max(0, 1 - d_{pos}(u, v))}{k_{uv} - 1}, \quad W_d = \sum_{u, v} w_{uv}

    The sums are over pairs of units in one unitary alignment of gamma's best alignment, :math:`k_{uv}` units in it; the
    confidence of a pair falls with its positional dissimilarity. :math:`\delta^e_d` is the mean over chance samples of
    the document that have aligned units; samples are those of `gamma`. One document has the published value.

    `variant="pygamma"` is what pygamma-agreement 0.5.9 computes under this name: every pair of a unit and nothing
    counts as a full difference of labels, and the confidence is 1 − alpha · :math:`d_{pos}`. Then units that one
    annotator missed lower it, though nobody disagrees on a label.

    Where several alignments have the same least disorder their labels may differ; the one found first is taken, in an
    order that depends on positions and labels alone.

    Missing data: as in `gamma`. Documents without aligned units, or whose samples have none, are left out and counted.
    Do not read it alone: ten labels agreed upon among ten aligned units say nothing of a hundred that were not aligned.

    Args:
        data: A `Study` of spans, or what one is made of, as in `gamma`.
        other: Not for spans.
        variant: "paper", or "pygamma" for what that package computes.
        alpha: How much position counts in the alignment.
        beta: How much labels count in the alignment.
        sampler: What chance is: "mathet" or "pygamma", as in `gamma`.
        precision: How exactly the expected disorder of `gamma` is to be known: it decides the number of samples.
        rng: A seed or a Generator, for the samples; by default the seed 0.
        labels: All labels there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        An `Agreement`, as of `gamma`; `by_label()` has gamma_k of every label. Where no units are aligned, or chance
        gives them one label, `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans, or so many units of one document overlap that none can align them.
        OptionError: If an option has a value that it cannot take.

    References: mathet2017; mathet2015.

    >>> from accord import Study
    >>> table = {
    ...     "doc": ["d1"] * 6,
    ...     "who": ["ana"] * 2 + ["ben"] + ["cleo"] * 3,
    ...     "start": [0, 20, 1, 0, 21, 50],
    ...     "end": [10, 30, 11, 9, 31, 55],
    ...     "tag": ["x", "y", "x", "x", "y", "x"],
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> 1 - gamma_cat(study).observed  # nobody differs on a label
    0.0
    >>> round(1 - gamma_cat(study, variant="pygamma").observed, 3)
    0.618
    """
    from accord.spans.gamma import GammaRecipe

    options = chance_options(alpha, beta, sampler, precision, rng)
    study = as_study(data, other, labels, roles)
    given = {"variant": checked(variant), **as_given(options), "labels": labels}
    return agreement("gamma_cat", study, GammaRecipe(options, variant), given, by)


@register(
    Measure(
        title="Gamma-k",
        chance="resampled-continuum",
        references=("mathet2017", "mathet2015"),
        summary="one label, of units that the best alignment puts together",
        formula="gamma_cat over aligned pairs of which one unit or both have the label",
        named=True,
        kinds=("spans",),
        each="document",
        wants="of_label",
        no_scale=NO_SCALE,
        usual_options=no_options,
        by_label=labels_of_aligned_units,
        properties=ORDER_AND_NAMES,
    )
)
def gamma_k(
    data: Any,
    other: Any = None,
    /,
    *,
    of_label: Any = None,
    variant: Variant = "paper",
    alpha: float = 1.0,
    beta: float = 1.0,
    sampler: Sampler = "mathet",
    precision: float = 0.02,
    rng: Rng = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement on one label where units are aligned: `gamma_cat` over the pairs of which one unit or both have it.

    .. math:: \gamma_k = 1 - \frac{\sum_d W_{dk}\, \delta_{dk}}{\sum_d W_{dk}\, \delta^e_{dk}}

    with :math:`\delta_{dk}` and :math:`W_{dk}` those of `gamma_cat` over aligned pairs that touch label k. A pair of
    two labels counts for both, so gamma_cat is no mean of these. `gamma_cat(…).by_label()` has all labels at once.

    Missing data: as in `gamma`. Do not trust it of a rare label: few pairs touch it.

    Args:
        data: A `Study` of spans, or what one is made of, as in `gamma`.
        other: Not for spans.
        of_label: The label; there is no value without one.
        variant: "paper", or "pygamma" for what that package computes.
        alpha: How much position counts in the alignment.
        beta: How much labels count in the alignment.
        sampler: What chance is: "mathet" or "pygamma", as in `gamma`.
        precision: How exactly the expected disorder of `gamma` is to be known: it decides the number of samples.
        rng: A seed or a Generator, for the samples; by default the seed 0.
        labels: All labels there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        An `Agreement`, as of `gamma_cat`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans, or so many units of one document overlap that none can align them.
        OptionError: If the study has no such label, or an option has a value that it cannot take.

    References: mathet2017; mathet2015.

    >>> from accord import Study
    >>> table = {
    ...     "doc": ["d1"] * 4,
    ...     "who": ["ana", "ana", "ben", "ben"],
    ...     "start": [0, 20, 1, 21],
    ...     "end": [10, 30, 11, 31],
    ...     "tag": ["x", "y", "x", "z"],
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> gamma_k(study, of_label="x").value
    1.0
    """
    from accord.spans.gamma import GammaRecipe

    options = chance_options(alpha, beta, sampler, precision, rng)
    study = as_study(data, other, labels, roles)
    if study.kind == "spans" and not study.labels:
        raise MeasureError("Nobody marked anything, so that no label has a gamma.", option=Keyword("label"))
    if study.kind == "spans" and not is_among(of_label, study.labels):
        raise OptionError.choice("of_label", of_label, map(str, study.labels), of_data=True)
    given = {"of_label": of_label, "variant": checked(variant), **as_given(options), "labels": labels}
    return agreement("gamma_k", study, GammaRecipe(options, variant, of_label), given, by)


def checked(variant: Variant) -> Variant:
    """One of those there are."""
    from accord.spans.chance_disorder import VARIANTS

    check_choice("variant", variant, VARIANTS)
    return variant

"""Gamma: agreement on where and what, by the best alignment of everything that was marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, Serves, no_options, register
from accord.agreement.result import Agreement
from accord.errors import OptionError
from accord.options import Rng, check_choice, check_positive, is_number, seeded
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.agreement.table import Table
    from accord.spans.chance_continua import Sampler
    from accord.spans.chance_disorder import ChanceOptions


NO_SCALE = "Gamma has no scale of its own: what a value means depends on how long and how dense units are."
MOST_UNASKED = 100_000  # units times the pairs of annotators who saw their document, of which gamma is told unasked
UNITS_IN_ONE = 3_000  # units in one document
OVERLAPS, CROWDED = 1_000, 5  # pairs of overlapping units of two people, and as many for each unit and other annotator


def labels_of_aligned_units(result: Agreement) -> Table:
    """gamma_k: one row per label, over aligned units of which one or both have it."""
    from accord.agreement.breakdowns import labels_alone  # few ask

    whole, labels = result.coefficient, range(len(result.study.labels))
    parts = [None if whole is None else whole.of_label(k) for k in labels]
    notes = ["gamma_k: how far units that are aligned agree on the label, whatever their borders."]
    missing = sum(part is None or not math.isfinite(part.parts.value) for part in parts)
    if missing:
        notes.append(f"{missing:,} without a value: no aligned unit has the label, or none by chance.")
    return labels_alone(result, parts, "labels of aligned units", tuple(notes))


def takes_long(study: Study) -> str | None:
    """Why chance samples of all documents would take long: too many units to align, in all or in one document."""
    item, _, answer, _ = study._annotations.rows
    marked = np.array([len(held) for held in study.answers.members], dtype=np.int64)[answer]
    units, people = np.bincount(item, weights=marked), np.bincount(item)
    work, most = int(units @ (people * (people - 1) / 2)), int(units.max(initial=0))
    if work <= MOST_UNASKED and most <= UNITS_IN_ONE:
        from accord.spans.continuum import Continuum

        others, overlaps = int(units @ np.maximum(people - 1, 1)), Continuum.of(study).overlaps()
        if overlaps <= OVERLAPS or overlaps <= CROWDED * others:
            return None
        return (
            f"Gamma tries ways to align {int(units.sum()):,} units that lie on top of each other (two people's overlap "
            f"{overlaps:,} times), which may take minutes; it is told where it is asked for by its name."
        )
    return (
        f"Gamma aligns chance samples of {int(units.sum()):,} units of up to {int(people.max())} annotators per "
        f"document (up to {most:,} units in one), which may take minutes; it is told where it is asked for by its name."
    )


@register(
    Measure(
        title="Gamma",
        chance="resampled-continuum",
        references=("mathet2015", "titeux2021"),
        summary="where and what together: how far the best alignment of all units beats that of chance",
        formula="1 − δ / δ_e: disorder of the best alignment by that of chance samples, summed over documents",
        named=True,
        kinds=("spans",),
        serves={"spans": Serves()},
        takes_long=takes_long,
        no_scale=NO_SCALE,
        each="document",
        usual_options=no_options,
        by_label=labels_of_aligned_units,
        properties=ORDER_AND_NAMES,
    )
)
def gamma(
    data: Any,
    other: Any = None,
    /,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    sampler: Sampler = "mathet",
    precision: float = 0.02,
    rng: Rng = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement on where units lie and which labels they have, by the best alignment of everything that was marked.

    .. math:: \gamma = 1 - \frac{\sum_d \bar x_d\, \delta_d}{\sum_d \bar x_d\, \delta^e_d}, \qquad
              \delta_d = \frac{1}{\bar x_d} \min_a \sum_{\breve a \in a} \binom{n}{2}^{-1}
              \sum_{u, v \in \breve a} d(u, v)

    An alignment a of document d puts every unit into one unitary alignment: at most one unit of each of the n
    annotators who saw it, and the empty unit for the others. Two units differ by

    .. math:: d(u, v) = \alpha \left(\frac{|s_u - s_v| + |e_u - e_v|}{(e_u - s_u) + (e_v - s_v)}\right)^2
              + \beta\, [l_u \ne l_v], \qquad d(u, \varnothing) = d(\varnothing, \varnothing) = 1

    in units of :math:`\Delta_\varnothing`, which cancels and is no option. The minimum is exact (an integer program).
    :math:`\bar x_d` is the mean number of units per annotator, and :math:`\delta^e_d` the mean disorder of samples of
    what chance would mark. `observed` and `expected` are 1 − disorder, and may be below 0.

    **One gamma for a corpus**: disorders are added over documents before they are divided, each document by its
    :math:`\bar x_d`. One document has the published gamma; with several, the interval is over documents. The interval
    of one document takes its unitary alignments for a sample: it tells what another stretch of such a text would give,
    not what other texts would; the error of the samples is part of it.

    `sampler` says what chance is. "mathet", the published one: every annotator of a sample has the units of one of the
    annotators, drawn with replacement, all moved on by one random shift round the document; shifts of a sample lie at
    least the mean length of a unit apart while there is room. "pygamma", the default of pygamma-agreement: units one
    after another, with normal numbers, gaps and lengths, and labels as often as in the document. Samples are drawn, at
    least 30, until the expected disorder is known to `precision`: :math:`N = \lceil (1.96\, CV / p)^2 \rceil`, rounded
    up to thirties. The result's notes have their number, the seed and the precision reached.

    Missing data: who saw a document and marked nothing has answered; who did not see it is not compared there.
    Documents that one annotator saw are left out and counted; where nobody marked anything there is no disorder, by
    chance neither, and the document adds nothing. Discontinuous units: where the share of what either of two units
    covers and not both is more than the ratio above, it stands instead; without gaps it never is.

    When not to trust it: gamma depends on `alpha` (the authors' own software has 3), on the sampler and on how dense
    units are; values of different corpora or programs compare only with all of these alike. In a document of one or two
    units chance has little to shift, and gamma says little. `gamma_scale` shows what a value means on units like these.

    Args:
        data: A `Study` of spans, or what one is made of: a table with one row per span and `start=`, `end=` and
            `label=`; a row without a place says that somebody saw the document and marked nothing.
        other: Not for spans.
        alpha: How much position counts.
        beta: How much labels count; 0 for units without labels.
        sampler: What chance is: "mathet" or "pygamma".
        precision: How exactly expected disorder is to be known, as a share of it, with 95 % confidence.
        rng: A seed or a Generator, for the samples; by default the seed 0. A document's samples depend on the seed and
            on what was marked in it, not on its name or on other documents.
        labels: All labels there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `by_item()` (a row per
        document), `by_label()` (gamma_k), `by_annotator()`, `by_pair()` and more. Where nothing can be aligned `value`
        is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans, or so many units of one document overlap that none can align them.
        OptionError: If an option has a value that it cannot take.

    References: mathet2015; titeux2021.

    >>> from accord import Study
    >>> table = {
    ...     "doc": ["d1"] * 6,
    ...     "who": ["ana"] * 3 + ["ben"] * 3,
    ...     "start": [1, 6, 11, 2, 6, 11],
    ...     "end": [5, 10, 15, 6, 12, 15],
    ...     "tag": ["a", "b", "c", "a", "c", "c"],
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> result = gamma(study, alpha=3, beta=2)
    >>> round(1 - result.observed, 4)  # the disorder of the best alignment
    0.7292
    """
    from accord.spans.gamma import GammaRecipe

    options = chance_options(alpha, beta, sampler, precision, rng)
    study = as_study(data, other, labels, roles)
    return agreement("gamma", study, GammaRecipe(options), {**as_given(options), "labels": labels}, by)


def chance_options(alpha: float, beta: float, sampler: Sampler, precision: float, rng: Rng) -> ChanceOptions:
    """The options that gamma and gamma_cat share, checked."""
    from accord.spans.chance_continua import SAMPLERS
    from accord.spans.chance_disorder import ChanceOptions

    check_positive("alpha", alpha, "1 or 3")
    if not is_number(beta) or not 0 <= beta < np.inf:
        raise OptionError.must("beta", "be a number that is not negative, such as 1 or 0", beta)
    check_choice("sampler", sampler, SAMPLERS)
    if not is_number(precision) or not 0 < precision < 1:
        raise OptionError.must("precision", "lie between 0 and 1, for example 0.02", precision)
    generator, seed = seeded(rng)
    kept = int(generator.integers(2**31)) if seed is None else seed
    return ChanceOptions(float(alpha), float(beta), sampler, float(precision), kept)


def as_given(options: ChanceOptions) -> dict[str, Any]:
    """Them in a result."""
    return {
        "alpha": options.alpha, "beta": options.beta, "sampler": options.sampler, "precision": options.precision,
        "rng": options.seed,
    }  # fmt: skip

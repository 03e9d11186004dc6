"""Krippendorff's alpha for unitizing in its form of 1995 and 2004, for comparison with older figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options, register
from accord.agreement.result import Agreement
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.over_documents import PositionUnit


@register(
    Measure(
        title="Unitizing alpha of 1995",
        chance="without-replacement",
        references=("krippendorff1995", "krippendorff2004", "krippendorff2016"),
        summary="squared distances between borders of spans; replaced by unitizing alpha in 2016",
        formula="1 − Σ D_o / Σ D_e over labels; squared distances of borders, squared lengths in another's gap",
        kinds=("spans",),
        replaced_by="unitizing_alpha",
        each="answer",
        low=-math.inf,
        benchmark="krippendorff",
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def unitizing_alpha_1995(
    data: Any,
    other: Any = None,
    /,
    *,
    unit: PositionUnit | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement on units by the squares of distances between their borders; for comparison with older figures only.

    .. math:: \alpha = 1 - \frac{\sum_c D_{o,c}}{\sum_c D_{e,c}}, \qquad
              D_{o,c} = \frac{2 \sum_{i < j} \sum_{g, h} \delta^2_{gh}}{R (R - 1) L^2}

    Every label c is a continuum of its own. :math:`\delta^2` of two units that overlap is the square of the distance
    between their starts plus that between their ends; of a unit in another's gap the square of its length; else 0.
    :math:`D_{e,c} = \frac{2}{L} \sum_g [\frac{m_c - 1}{3} (2 l^3 - 3 l^2 + l) + l^2 \sum_{w \geq l} (w - l + 1)] /
    [R L (R L - 1) - \sum_g l (l - 1)]`, over units g of length l, :math:`m_c` of them, and gaps of length w.

    **Its authors replaced it in 2016** (`unitizing_alpha`), because it misbehaves for more than two annotators; values
    far below −1 are no slips of the program. What DKPro Statistics and INCEpTION call unitizing alpha is this one.

    Missing data: every document must have been seen by all annotators. Documents of a corpus are one continuum; no gap
    reaches from one into the next. Overlapping units of one annotator and label are one; the pieces of a discontinuous
    unit count as units.

    Args:
        data: A `Study` of spans, or what one is made of: a table with one row per span and `start=`, `end=` and
            `label=`; a row without a place says that somebody saw the document and marked nothing.
        other: Not for spans.
        unit: What places are: "character", "token" (those of the export, else by a rule) or "time" (lengths, with no
            smallest part). By default characters, or time where places are not whole numbers.
        labels: All labels there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected` (1 − disagreement, mean over labels), which also answers
        `interval()` (over documents), `by_label()`, `by_pair()` and more. Where nobody marked anything `value` is NaN,
        and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans, or if somebody did not see a document that others saw.
        OptionError: If an option has a value that it cannot take.

    References: krippendorff1995; krippendorff2004; krippendorff2016.

    >>> from accord import Study
    >>> table = {
    ...     "who": ["i"] * 4 + ["j"] * 5,
    ...     "tag": ["c", "c", "k", "k", "c", "c", "c", "k", "k"],
    ...     "doc": ["d1"] * 9,
    ...     "start": [75, 220, 30, 150, 70, 205, 250, 30, 150],
    ...     "end": [145, 250, 90, 200, 150, 225, 270, 90, 200],
    ...     "text": ["." * 300] * 9,
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="tag", start="start", end="end", text="text")
    >>> round(unitizing_alpha_1995(study).value, 4)  # Krippendorff 2004, page 254, prints .8591
    0.8587
    """
    from accord.spans.positions import check_unit
    from accord.spans.unitizing_1995 import AsIn1995

    check_unit(unit)
    study = as_study(data, other, labels, roles)
    return agreement("unitizing_alpha_1995", study, AsIn1995(unit), {"unit": unit, "labels": labels}, by)

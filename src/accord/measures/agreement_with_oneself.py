"""How far people agree with themselves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Unpack

from accord.agreement.result import Agreement
from accord.agreement.self_agreement_result import SelfAgreement, self_agreement_of
from accord.annotations.answers import Level
from accord.coefficients.weights import FOR_SEVERAL_LABELS, WeightsLike
from accord.errors import OptionError, keyword, nobody_named, one_task
from accord.measures.krippendorff import krippendorff_alpha
from accord.measures.percent import percent_agreement
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study


def self_agreement(
    data: Any,
    /,
    *,
    weights: WeightsLike | None = None,
    level: Level | None = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> SelfAgreement:
    """How far people say the same again of an item that they answered before: test and retest, intra-annotator.

    Answers of one person to one item are compared with each other, and with nobody else's. The share of pairs that are
    the same is the mean over what was answered more than once, each person and item counted once; alpha corrects it
    for chance, which draws any two of these answers. Answers of several people to one item hang together, so intervals
    are over items (or the study's clusters of them). Read it beside agreement between annotators, which repeated
    answers never raise: people who agree with themselves and not with others have views of their own, and people who
    do not agree with themselves are careless, or the items cannot be told.

    Args:
        data: A `Study` made with duplicates="repeat", or what one is made of: a table with one row per annotation.
        weights: How alike two answers are, for alpha: a name, a table or a function, as in `krippendorff_alpha`. By
            default sets have "masi" and ranked answers "overlap".
        level: Krippendorff's level of measurement; by default the study's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `SelfAgreement`: `agreement` and `value` are results with `interval()`, `by_annotator()` has a row each. Where
        nobody answered anything twice both are undefined, and `undefined` says so.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are marked places.
        OptionError: If an option has a value that it cannot take, or the study holds several variables.

    References: krippendorff2004.

    >>> table = {
    ...     "item": [1, 1, 1, 2, 2, 3, 3],
    ...     "annotator": ["ana", "ana", "ben", "ana", "ana", "ben", "ben"],
    ...     "label": ["x", "x", "y", "y", "x", "y", "y"],
    ... }
    >>> found = self_agreement(table, duplicates="repeat")
    >>> round(found.agreement.value, 3), found.n_items, found.n_repeats
    (0.667, 3, 3)
    """
    if weights is not None and level is not None:
        raise OptionError(
            "Give ", keyword("level"), " or ", keyword("weights"), ", not both: they disagree on what 'ordinal' is."
        )
    study = as_study(data, None, labels, roles)
    if study.tasks:
        raise OptionError("Choose one variable of the study: ", one_task(next(iter(study.tasks))), ".")
    if not study._annotations.named:
        raise nobody_named("Agreement with oneself compares answers of one annotator", study.shape)
    return with_oneself(study, weights=weights, level=level)


def with_oneself(study: Study, *, weights: WeightsLike | None = None, level: Level | None = None) -> SelfAgreement:
    """The same of a study of one variable whose annotators are named."""
    if weights is None and level is None:
        whole = study.kind == "ranking"
        weights = None if whole else FOR_SEVERAL_LABELS.get(study.kind)
        level = "ordinal" if whole else None
    return self_agreement_of(study, partial(_measured, weights=weights, level=level))


def _measured(again: Study, weights: WeightsLike | None, level: Level | None) -> tuple[Agreement, Agreement]:
    """How far answers are the same, and that corrected for chance; another process knows this by its name."""
    return percent_agreement(again), krippendorff_alpha(again, weights=weights, level=level)

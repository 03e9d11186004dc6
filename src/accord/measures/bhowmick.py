"""Bhowmick, Mitra and Basu's A_m: several labels at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

import numpy as np

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, named, no_options, register
from accord.agreement.result import Agreement
from accord.annotations.arrays import add_up
from accord.coefficients.weights import WeightsLike
from accord.errors import Keyword, MeasureError, Message, Part, in_python, remedy
from accord.options import check_choice, check_flag
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study


def _of_other_answers() -> Sequence[Part]:
    return named("conger_kappa"), " takes single labels, ", named("rosenberg_binkowski_kappa"), " ranked ones."


@register(
    Measure(
        title="Bhowmick's A_m",
        chance="own",
        references=("bhowmick2008",),
        summary="sets of labels: agreement on the yes or no to every pair of labels",
        formula="A_e = mean over pairs of annotators g, h of Σ w_kl p_gk p_hl, each with marginals p of their own; "
        "weights w from the yes or no to every pair of labels, clubbed on the side of chance",
        named=True,
        kinds=("set",),
        instead=_of_other_answers,
        partial_credit=True,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def bhowmick_am(
    data: Any,
    other: Any = None,
    /,
    *,
    clubbed: bool = True,
    label_weights: WeightsLike | None = None,
    annotators: Literal["all", "complete"] = "all",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of annotators who give any number of labels: on the yes or no to every pair of labels.

    .. math:: A_m = \frac{P_o - P_e}{1 - P_e}, \qquad
              P_o = \frac{1}{I \binom{C}{2} \binom{U}{2}} \sum_{i} \sum_{p} n_{ip}, \qquad
              P_e = \frac{1}{\binom{C}{2} \binom{U}{2}} \sum_{p} \sum_{g} \sum_{x < y} \hat P(pg|x) \hat P(pg|y)

    Of I items, :math:`n_{ip}` is the number of annotator pairs who say the same of label pair p (both whether its
    first label applies and whether its second does; not applying is an agreement too), and :math:`\hat P(pg|u)` is the
    share of items to which annotator u gives combination g of [0 0], [0 1] or [1 0], [1 1]. C is the number of labels
    there are, U of annotators.

    `clubbed=True` is the paper: by chance [0 1] and [1 0] match, although they count as different when observed. So
    A_m lies below 0 for annotators who answer independently: with one label each it is
    1 − (2C − 3)/(2C − 4) · (1 − κ), hence −1/(2C − 4) at κ = 0, and undefined for C = 2. `clubbed=False` keeps them
    apart on both sides; with one label each it is then `conger_kappa`. `label_weights` gives credit for similar labels
    (a table, or a function of two labels, from 0 to 1): where one annotator has a and the other b instead, the pair
    ⟨a, b⟩ counts that much.

    Missing data: an item counts by its own pairs of annotators, and an annotator's shares are over the items that
    annotator answered; `annotators="complete"` takes only those who answered every item, as the paper did. A_m depends
    on the number of labels: declare them with `labels=` when the study is made. It rises with labels that hardly
    anybody uses, since not giving them is agreement: read it beside `krippendorff_alpha(study, weights="masi")`.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        clubbed: Whether [0 1] and [1 0] count as the same in expected agreement, as in the paper.
        label_weights: How alike two labels are, from 0 to 1: a name as for `weights` of other measures, a table of
            labels × labels, or a function of two labels; by default different labels are not alike.
        annotators: "all", or "complete" for those only who answered every item.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not sets, or if nobody is named; the message names a measure that fits.
        OptionError: If an option has a value that it cannot take.

    References: bhowmick2008.

    >>> from accord import Study
    >>> emotions = ["anger", "disgust", "fear", "happiness", "sadness", "surprise"]
    >>> study = Study.from_wide([[["anger"], ["disgust"]]], answers="set", labels=emotions)
    >>> bhowmick_am(study).observed  # section 3.1: they agree on the 6 pairs of the other four labels, out of 15
    0.4
    """
    check_choice("annotators", annotators, ("all", "complete"))
    check_flag("clubbed", clubbed)
    from accord.coefficients.over_label_pairs import PairsOfLabels  # few have sets

    study = as_study(data, other, labels, roles)
    chosen, notes = _chosen(study, annotators)
    options = {"clubbed": clubbed, "label_weights": label_weights, "annotators": annotators, "labels": labels}
    return agreement("bhowmick_am", chosen, PairsOfLabels(clubbed, label_weights), options, by, notes)


def _chosen(study: Study, which: str) -> tuple[Study, tuple[str, ...]]:
    """The annotators asked for, and what is to be said of them."""
    if study.tasks:
        parts = {name: _chosen(part, which)[0] for name, part in study.tasks.items()}
        return (study._with_tasks(parts) if which == "complete" else study), ()
    if study.kind != "set" or not study._annotations.named:
        return study, ()  # the measure refuses it, and says why
    tally = study._tally_of_people(named=True)
    assert tally.annotator is not None
    answered = add_up(tally.annotator, tally.items[tally.pattern], len(study.annotators))
    complete = np.nonzero(answered == tally.n_items)[0]
    people = len(study._present)
    if which == "all":
        gaps = people - len(complete)
        note = Message(
            f"All {people:,} annotators count; {gaps:,} of them did not answer every item",
            in_python(" (annotators='complete' leaves them out)", ""), ".",
        )  # fmt: skip
        return study, (note,) if gaps else ()
    if len(complete) < 2:
        raise MeasureError(
            Keyword("annotators", "complete"),
            f" needs two annotators who answered every item, and there are {len(complete)}. ",
            remedy(annotators="all"),
            " measures every answer.",
        )
    left = people - len(complete)
    notes = (f"Only the {len(complete):,} annotators who answered every item; {left:,} others are left out.",)
    return study._where(np.isin(study._annotations.rows[1], complete)), notes if left else ()

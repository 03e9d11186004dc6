"""The intraclass correlation, in every form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.recipe import Recipe
from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options, register
from accord.agreement.result import Agreement
from accord.errors import MeasureError, quoted, remedy
from accord.measures.of_scores import only_of_scores
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.scores.icc import Icc
    from accord.scores.icc_forms import IccForm

TITLE = "Intraclass correlation"


def other_forms(study: Study) -> list[dict[str, Any]]:
    """The forms that stand beside the first in tables."""
    from accord.scores.icc_forms import IccForm

    named = (IccForm("C"), IccForm("A", None), IccForm("C", None))
    forms = named if study._annotations.named else (IccForm("1", None),)
    return [{"form": form.name} for form in forms]


@register(
    Measure(
        title=TITLE,
        references=("shrout1979", "mcgraw1996", "patterson1971"),
        summary="scores: the share of their variance that is the items', not the annotators' or left over",
        formula="ICC = σ²_item / (σ²_item + error); error by the form: σ²_annotator + σ²_rest (A), σ²_rest (C), or all "
        "that differs within an item (1), of a mean of k over k",
        kinds=("score", "single"),
        numeric=True,
        unasked=partial(only_of_scores, TITLE),
        further=other_forms,
        by_answers=False,
        benchmark="koo-li",
        low=-math.inf,
        usual_options=no_options,
        properties=ORDER_AND_NAMES - {"label names"},
    )
)
def icc(
    data: Any,
    other: Any = None,
    /,
    *,
    form: str | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""The share of the variance of scores that is the items': how reliable a score is.

    A score is taken as :math:`x = \mu + \text{item} + \text{annotator} + \text{rest}`, each with a variance of its own.

    .. math:: \mathrm{ICC} = \frac{\sigma^2_i}{\sigma^2_i + \text{error}}, \qquad
              \text{error} = \begin{cases} \sigma^2_a + \sigma^2_e & \text{A,1} \\ \sigma^2_e & \text{C,1} \\
              \sigma^2_w & \text{1,1} \end{cases} \quad \text{of a mean of } k \text{: over } k

    Which form to report: are single scores used, or the mean of several annotators (1 or k)? Do scores have to be the
    same (A, absolute agreement), or only to put items in the same order of distance (C, consistency)? Does the study
    say who scored what (else 1)? The usual one is "A,1": other annotators will score, one each, and their numbers are
    taken as they are. McGraw and Wong's "A" and "C" are Shrout and Fleiss' 2 and 3: "2,1" and "ICC(2,1)" are taken too.

    Without gaps the variances are those of the analysis of variance, so that the value is the published one and can lie
    below zero. With gaps, or by run, they are by restricted maximum likelihood on all scores, and stop at zero; nothing
    is filled in and no item is left out. Where annotators scored an item more than once, what differs between them and
    what they differ from themselves are told apart, and a single score has both.

    The interval is by F where that is exact (1 and C without gaps), with Satterthwaite's degrees of freedom for A, and
    by the likelihood with gaps: it knows that other annotators might have been asked, if the form does. A bootstrap or
    "analytic" draws items only, for these very annotators.

    Missing data: missing scores are no scores; items with a single one count for what they tell of the annotators. Do
    not trust an interval of A from two or three annotators: they hardly show how much annotators differ. A narrow range
    of items lowers every ICC, for it is a share of variance: look at the components beside it (`variance_components`).

    Args:
        data: A `Study` of scores, or what one is made of: a table with one row per annotation (a dataframe, a mapping
            of columns, a list of records), a 2-D array of items × annotators, or the first annotator's scores.
        other: The second annotator's scores in the same order, where `data` is the first's.
        form: "A,1" (the default), "C,1", "1,1", "A,k", "C,k", "1,k", or Shrout and Fleiss' "2,1", "3,1" …; "A,3" is of
            the mean of three. k is how many annotators an item has, by the harmonic mean where that differs.
        labels: The scale: all labels there are, in order, where the scores are labels; they must be numbers.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="points" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()`, `by_item()`, `by_pair()` and more. Where there is
        no variance to divide `value` is NaN, and `undefined` says why. Of as many variances and levels as scores, with
        nothing left over, neither `interval()` nor `test()` can be told, and they say so.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the form tells annotators apart and nobody is named.
        OptionError: If there is no such form.

    References: shrout1979; mcgraw1996; patterson1971.

    >>> from accord import Study
    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> study = Study.from_wide(table, answers="score")  # Shrout and Fleiss 1979, table 2
    >>> [round(icc(study, form=form).value, 2) for form in ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")]
    [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    """
    from accord.scores.icc_forms import IccForm

    recipe = OfForm(None if form is None else IccForm.named(form))
    study = as_study(data, other, labels, roles)
    names = {recipe.form_of(part).name for part in study.tasks.values() or [study]}
    options = {"form": names.pop() if len(names) == 1 else None, "labels": labels}
    return agreement("icc", study, recipe, options, by)


@dataclass(frozen=True)
class OfForm(Recipe):
    """The intraclass correlation of a study, or of a part of it."""

    form: IccForm | None  # as the caller says; None is what fits: absolute agreement of single scores

    def form_of(self, study: Study) -> IccForm:
        """The form of one variable."""
        from accord.scores.icc_forms import IccForm

        return self.form or IccForm("A" if study._annotations.named else "1")

    def options_of(self, study: Study) -> dict[str, Any]:
        """By its usual name."""
        return {"form": self.form_of(study).name}

    def __call__(self, study: Study) -> Icc:
        """The value with all that can be asked of it."""
        from accord.scores.icc_by_design import icc_of
        from accord.scores.score_table import scores_of

        form = self.form_of(study)
        if form.error != "1" and not study._annotations.named:
            raise MeasureError(
                "Form ",
                quoted(form.name),
                " tells annotators apart, and a ",
                study.shape,
                " does not say who answered. Use ",
                remedy(form="1,1"),
                ".",
            )
        return icc_of(scores_of(study), form)

    def from_engine(self, study: Study) -> Icc | None:
        """From sums that an engine makes, where scores are too many to be brought here; else None."""
        from accord.scores.score_table import stay_in_engine

        return self(study) if stay_in_engine(study) else None

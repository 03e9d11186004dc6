"""Unitizing alpha: where units lie and which labels they have, against chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, Serves, no_options, register
from accord.agreement.result import Agreement
from accord.errors import Keyword, OptionError, remedy
from accord.options import check_choice
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.over_documents import PositionUnit
    from accord.spans.unitizing import CodedLevel, Form, SelfPairs


def _checked_level(level: Any, form: Form) -> CodedLevel | None:
    """The level, None for nominal; only labels have one, so that gaps must not count."""
    from accord.spans.unitizing import CodedLevel

    if level is None:
        return None
    check_choice("level", level, ("nominal", *get_args(CodedLevel)))
    if level == "nominal":
        return None
    if form != "coded":
        raise OptionError(
            "A gap has no place in an order of labels, so that ", Keyword("level", level), " goes with ",
            remedy(form="coded"), " alone.",
        )  # fmt: skip
    checked: CodedLevel = level
    return checked


@register(
    Measure(
        title="Unitizing alpha",
        chance="without-replacement",
        references=("krippendorff2016",),
        summary="where spans lie and which labels they have; a span is one decision, however long",
        formula="1 − D_o / D_e, D_e = (N² − Σ n_k²) / (N² − κ); n_k positions with value k of N, κ pairs within a span",
        kinds=("spans",),
        serves={"spans": Serves()},
        each="answer",
        benchmark="krippendorff",
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def unitizing_alpha(
    data: Any,
    other: Any = None,
    /,
    *,
    form: Form = "unitizing",
    level: Literal["nominal", "ordinal", "interval", "ratio"] | None = None,
    unit: PositionUnit | None = None,
    self_pairs: SelfPairs | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement on where units lie and which labels they have, in a text or a recording.

    .. math:: \alpha = 1 - \frac{\sum_{c \neq k} \ell_{ck}}{\sum_{c \neq k} \epsilon_{ck}}, \qquad
              \epsilon_{ck} = N \frac{\ell_c \ell_k - [c = k] \kappa_c}{N^2 - \sum_c \kappa_c}

    Every position of every annotator has a value, the label of the unit that covers it or none (a gap).
    :math:`\ell_{ck}` is how much one annotator gave c where another gave k, each pair of annotators counting 1/(R − 1);
    :math:`\ell_c` how much has value c, N all of it (R annotators × length). Chance pairs any two positions but those
    of one and the same unit, :math:`\kappa_c = \sum l^2` over units, for a unit is one decision and not as many as it
    has letters; of gaps only a position with itself, :math:`\kappa_\varphi = \sum l`. So two units that touch are not
    one.

    Forms: "unitizing" is that (:math:`_u\alpha`); "binary" asks only whether a position is in a unit
    (:math:`_{|u}\alpha`); "coded" compares labels where both annotators have one (:math:`_{cu}\alpha`). By label,
    "coded" gives :math:`_{(k)u}\alpha` with its coverage, the share of what was marked with the label that could be
    compared; the other forms give units of the label against everything else.

    The documents of a corpus are one continuum: lengths, coincidences and units are added up, chance draws from all,
    and documents are the units of the interval. Which pairs chance leaves out is not settled for the coded form: by
    default those of one unit, by the length that could be compared (self_pairs="left-out"); "kept" leaves out none.
    Where places are no whole numbers (seconds) a gap's position with itself is nothing, :math:`\kappa_\varphi = 0`:
    the limit of ever smaller positions, which does not depend on the unit of time.

    Missing data: who did not see a document is not compared on it; documents of one annotator are left out and counted.
    Where units of one annotator overlap, every label is a continuum of its own and disagreements are added up;
    overlapping units of one label are one. Equals `krippendorff_alpha` of characters if all units are one character
    long. What all left unmarked raises it; differences in borders count by their length. Not the form of 1995
    (`unitizing_alpha_1995`), which its authors replaced by this one.

    Args:
        data: A `Study` of spans, or what one is made of: a table with one row per span and `start=`, `end=` and
            `label=`; a row without a place says that somebody saw the document and marked nothing.
        other: Not for spans.
        form: "unitizing" (places and labels), "binary" (places alone) or "coded" (labels where both marked something).
        level: Of the coded form: the level of measurement of the labels, "nominal", "ordinal" (places in the order of
            `labels`, or of numbers), "interval" or "ratio" (numbers), as in `krippendorff_alpha`. By default the
            study's own, else nominal.
        unit: What places are: "character", "token" (those of the export, else by a rule) or "time" (lengths, with no
            smallest part). By default characters, or time where places are not whole numbers.
        self_pairs: Of the coded form: are pairs within a unit "left-out" of chance (the default), or "kept"?
        labels: All labels there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected` (1 − disagreement), which also answers `interval()` (over
        documents), `by_item()`, `by_label()`, `by_annotator()`, `by_pair()` and more. Where nobody marked anything
        `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        LabelError: If the level needs numbers or an order that the labels have not.
        MeasureError: If the answers are not spans, if tokens are asked for and texts are missing, or if units of one
            annotator overlap and the form is "coded".
        OptionError: If an option has a value that it cannot take.

    References: krippendorff2016.

    >>> from accord import Study
    >>> table = {
    ...     "who": ["ana", "ana", "ben", "ben", "ben"],
    ...     "start": [0, 8, 1, 8, 15],
    ...     "end": [5, 12, 6, 12, 17],
    ...     "tag": ["x", "y", "x", "x", "y"],
    ...     "doc": ["d1"] * 5,
    ...     "text": ["20 characters of it."] * 5,
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="tag", start="start", end="end", text="text")
    >>> [round(unitizing_alpha(study, form=form).value, 4) for form in ("unitizing", "binary", "coded")]
    [0.3826, 0.6265, 0.0]
    """
    from accord.spans.positions import check_unit
    from accord.spans.unitizing import Form, SelfPairs, Unitizing

    check_unit(unit)
    check_choice("form", form, get_args(Form))
    if self_pairs is not None:
        check_choice("self_pairs", self_pairs, get_args(SelfPairs))
    if self_pairs is not None and form != "coded":
        raise OptionError.must("self_pairs", "be left out where the form is not coded", self_pairs)
    study = as_study(data, other, labels, roles)
    of_labels = _checked_level(study.level if level is None and form == "coded" else level, form)
    options = {"form": form, "level": level, "unit": unit, "self_pairs": self_pairs, "labels": labels}
    return agreement("unitizing_alpha", study, Unitizing(form, unit, self_pairs or "left-out", of_labels), options, by)

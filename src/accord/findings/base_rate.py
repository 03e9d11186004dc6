"""Rarity: how kappa falls with the share of a label although the annotators stay as good as they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

from accord.agreement.table import ShownAsTable, Table
from accord.annotations.answers import PREFERENCE, Label
from accord.annotations.arrays import FloatArray
from accord.errors import MeasureError, Message, OptionError, all_quoted, keyword, one_task, quoted, remedy
from accord.options import check_choice, is_among, is_number, listed
from accord.study.in_memory import in_memory_where_small
from accord.study.kinds import people_first
from accord.study.other_kinds import about_other_kinds
from accord.study.roles import COMPARED
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

HARDLY = 0.01  # a difference that is not worth a word
BASE_RATES = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True, eq=False, repr=False)
class BaseRateCurve(ShownAsTable):
    """Kappa over the share of items that truly have a label, for annotators of one sensitivity and specificity.

    >>> from accord.findings import base_rate_curve
    >>> curve = base_rate_curve(sensitivity=0.9, specificity=0.95)
    >>> print(curve.finding)
    Two annotators with sensitivity 0.90 and specificity 0.95 (given) have kappa 0.72 where half of the items have
    the label.
    >>> len(curve.to_table()), type(curve.plot()).__name__
    (15, 'LayerChart')
    """

    sensitivity: float
    specificity: float
    base_rates: tuple[float, ...] = BASE_RATES
    label: Label | None = None  # the label whose share it is, where the curve comes from a study
    base_rate: float | None = None  # the share that the study has
    source: str = "given"  # where sensitivity and specificity come from

    def at(self, base_rate: float) -> float:
        """Kappa at a share; NaN at 0 and 1, where nothing can be better than chance.

        Args:
            base_rate: The share of items that truly have the label.

        Returns:
            Kappa.

        Raises:
            OptionError: If `base_rate` does not lie between 0 and 1.

        >>> from accord.findings import base_rate_curve
        >>> curve = base_rate_curve(sensitivity=0.9, specificity=0.95)
        >>> round(curve.at(0.01), 3), round(curve.at(0.5), 3)
        (0.13, 0.724)
        """
        if not is_number(base_rate) or not 0 <= base_rate <= 1:
            raise OptionError.must("base_rate", "lie between 0 and 1", base_rate)
        return float(kappa_at(self.sensitivity, self.specificity, np.array([base_rate]))[0])

    def to_table(self) -> Table:
        """One row per share.

        Returns:
            A `Table` with one row per share: base_rate, value, given (how often the label is given).
        """
        rates = np.array(self.base_rates)
        data = {
            "base_rate": rates,
            "value": kappa_at(self.sensitivity, self.specificity, rates),
            "given": rates * self.sensitivity + (1 - rates) * (1 - self.specificity),
        }
        return Table("Kappa over the share of the label", data, (self.finding,))

    @property
    def finding(self) -> str:
        """What the curve says, in a sentence."""
        who = f"sensitivity {self.sensitivity:.2f} and specificity {self.specificity:.2f} ({self.source})"
        half = self.at(0.5)
        if self.base_rate is None or not 0 < self.base_rate < 1:
            return f"Two annotators with {who} have kappa {half:z.2f} where half of the items have the label."
        now = self.at(self.base_rate)
        if half - now < HARDLY:
            return (
                f"Annotators with {who} have kappa {now:z.2f} where {self.base_rate:.1%} of items are {self.label!r}, "
                f"as here, and {half:z.2f} if half of the items were: rarity hardly plays a part."
            )
        return (
            f"Annotators with {who} have kappa {now:z.2f} where {self.base_rate:.1%} of items are {self.label!r}, as "
            f"here; the same annotators would have {half:z.2f} if half of the items were. The difference of "
            f"{half - now:.2f} is rarity, not carelessness."
        )

    def plot(self) -> Any:
        """The curve as an Altair chart.

        Returns:
            An `altair.Chart`.

        Raises:
            ExtraMissing: If Altair is not installed.
        """
        from accord.agreement import charts
        from accord.agreement.chart_drawing import in_notebook

        table = self.to_table()
        rows = [(row["base_rate"], row["value"], row["value"], row["value"]) for row in table]
        return in_notebook(charts.curve(rows, table.title, "share of items that have the label", "kappa"))

    def to_dict(self) -> dict[str, Any]:
        """For JSON: its table."""
        return self.to_table().to_dict()


def kappa_at(sensitivity: float, specificity: float, base_rate: FloatArray) -> FloatArray:
    """Kappa of two annotators who err independently, at each share of items that truly have the label."""
    given = base_rate * sensitivity + (1 - base_rate) * (1 - specificity)
    above = base_rate * (1 - base_rate) * (sensitivity + specificity - 1) ** 2
    below = given * (1 - given)
    present = (below > 0) & (base_rate > 0) & (base_rate < 1)
    found: FloatArray = np.divide(above, below, out=np.full(len(base_rate), np.nan), where=present)
    return found


def base_rate_curve(
    data: Any = None,
    /,
    *,
    sensitivity: float | None = None,
    specificity: float | None = None,
    of: Label | None = None,
    gold: Any = None,
    method: Literal["dawid-skene"] = "dawid-skene",
    base_rates: Sequence[float] = BASE_RATES,
    **roles: Unpack[Roles],
) -> BaseRateCurve:
    r"""How kappa depends on the share of items that truly have a label, the annotators staying as good as they are.

    .. math:: \kappa(\pi) = \frac{\pi (1 - \pi)(Se + Sp - 1)^2}{P (1 - P)},\qquad P = \pi Se + (1 - \pi)(1 - Sp)

    :math:`\pi` is the true share, Se how often an annotator gives the label where it is right, Sp how often not where
    it is wrong; two annotators err independently of each other. Di Eugenio (2000) doubts that the argument applies
    without a gold standard; Dawid and Skene's model stands in for one, and flatters annotators where an item has few
    answers. Where people and models answered, Se and Sp are those of people.

    Args:
        data: A `Study` of two labels (or of more: one of them against the rest), from which Se and Sp are taken.
        sensitivity: Instead of a study, Se.
        specificity: With it, Sp.
        of: The label whose share it is; of two labels by default the rarer one.
        gold: The true labels, as for `Gold.score`: a mapping from item to label, or a table. Without it they are
            estimated by `method`.
        method: "dawid-skene".
        base_rates: The shares to show.
        **roles: The keywords of `Study`.

    Returns:
        A `BaseRateCurve`: `at(base_rate)`, `to_table()`, `plot()`, and `finding` in a sentence.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels of which two or more are used.
        OptionError: If neither a study nor both shares are given, or a share does not lie between 0 and 1.

    References: grove1981; dawid1979; dieugenio2000.

    >>> curve = base_rate_curve(sensitivity=0.9, specificity=0.95)
    >>> [round(curve.at(share), 2) for share in (0.5, 0.1, 0.03)]
    [0.72, 0.56, 0.3]
    """
    given = listed("base_rates", base_rates, "be numbers between 0 and 1")
    if not given or any(not is_number(rate) or not 0 < rate < 1 for rate in given):
        raise OptionError.must("base_rates", "lie between 0 and 1", base_rates)
    rates = tuple(map(float, given))
    if data is None:
        return BaseRateCurve(_share("sensitivity", sensitivity), _share("specificity", specificity), rates)
    if sensitivity is not None or specificity is not None:
        raise OptionError("Give a study, or ", keyword("sensitivity"), " and ", keyword("specificity"), ", not both.")
    check_choice("method", method, ("dawid-skene",))
    study = in_memory_where_small(people_first(as_study(data, None, None, roles)).study)  # as their gold is made
    if study.tasks:
        raise OptionError("Choose one variable of the study: ", one_task(next(iter(study.tasks))), ".")
    kind = PREFERENCE if COMPARED[0] in study.roles else study.kind
    if kind != "single":
        raise about_other_kinds("A curve of kappa by base rate", ("single",), kind)
    if len(study.labels) < 2:
        raise MeasureError(
            "A curve of kappa by base rate is for two labels or more, and the study uses one.", available=study.labels
        )
    chosen = _label(study, of)
    reference = _known(study, chosen, gold) if gold is not None else _modelled(study, chosen)
    code = study.tally().answers.labels.index(chosen)
    item, _, answer, count = study._annotations.rows
    weight, right = reference[item] * count, (answer == code) * 1.0
    wrong = (1 - reference[item]) * count
    known = np.isfinite(weight)
    has, has_not = float(weight[known].sum()), float(wrong[known].sum())
    if has <= 0 or has_not <= 0:
        raise MeasureError(
            "All items have ", quoted(chosen), ", or none has: one of sensitivity and specificity is unknown."
        )
    source = "from the gold standard" if gold is not None else "by Dawid and Skene's model"
    return BaseRateCurve(
        float(weight[known] @ right[known]) / has, float(wrong[known] @ (1 - right[known])) / has_not, rates, chosen,
        float(np.nanmean(reference)), source,
    )  # fmt: skip


def _share(name: str, value: float | None) -> float:
    if value is None or not is_number(value) or not 0 <= value <= 1:
        raise OptionError.must(name, "lie between 0 and 1", value, " Or give a study of two labels.")
    return float(value)


def _label(study: Study, label: Label | None) -> Label:
    if label is not None:
        if not is_among(label, study.labels):
            raise OptionError.must("of", Message("be one of ", all_quoted(study.labels)), label)
        return label
    if len(study.labels) > 2:
        raise OptionError(
            "Which label against the rest? Say ", remedy(of=...), ", one of ", all_quoted(study.labels), "."
        )
    tally = study.tally()
    given = tally.per_answer((tally.count * tally.items[tally.pattern]).astype(np.float64))
    return study.labels[int(np.argmin(given))]


def _modelled(study: Study, label: Label) -> FloatArray:
    """(items,) the probability that each item truly has the label, by Dawid and Skene's model."""
    from accord.consensus.make_gold import gold

    soft = gold(study, method="dawid-skene").soft()
    return np.asarray(soft[:, study.labels.index(label)], dtype=np.float64)


def _known(study: Study, label: Label, given: Any) -> FloatArray:
    """(items,) 1 where the gold standard has the label, 0 where another, NaN where it says nothing."""
    from accord.consensus.reference import as_mapping, codes_of, places

    places_of_gold, _ = places(study, as_mapping(given, "gold"))
    codes = codes_of(study, places_of_gold, "gold")
    return np.where(codes < 0, math.nan, codes == study.labels.index(label))

"""The measures for sets of labels side by side: how they differ, and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.measures.bhowmick import bhowmick_am
from accord.measures.conger import conger_kappa
from accord.measures.krippendorff import krippendorff_alpha
from accord.multilabel.multilabel_studies import set_study
from accord.study.study import Study
from accord.study.study_of_input import Roles

SAYS = {
    "identity": "only the very same set counts: the strictest, and low where sets are large",
    "jaccard": "shared labels out of all labels in either set",
    "dice": "shared labels out of the mean size: kinder than Jaccard to partial overlap",
    "masi": "Jaccard, and more for a set inside the other than for sets that cross",
}
CLUBBED = (
    "the paper's: below 0 for independent annotators, higher where few labels apply; depends on the labels declared"
)
UNCLUBBED = "0 for independent annotators; labels that nobody gives count as agreement, so high on long scales"
PER_LABEL = "each label by itself, then the mean: rare labels weigh as much as common ones"


def set_measures(
    data: Any, /, *, confidence: float = 0.95, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """A_m, alpha and kappa for sets of labels in one table, with what each counts and when it departs from the others.

    Kappa is Conger's; the last row is the mean of the labels' kappas (each against the rest, shared marginals).

    Args:
        data: A `Study` of sets, or what one is made of.
        confidence: The confidence of the intervals.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per measure and weights: value, low, high, observed, expected, and what it counts.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not sets, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> answers = [[["a"], ["a"]], [["b"], ["b", "c"]], [["a", "b"], ["c"]], [["c"], ["c"]], [["d"], ["d"]]]
    >>> table = set_measures(Study.from_wide(answers, answers="set"))
    >>> [(row["measure"], row["weights"], round(row["value"], 2)) for row in table][:4]
    [('bhowmick_am', 'label-pairs, clubbed', 0.44), ('bhowmick_am', 'label-pairs', 0.57),
     ('krippendorff_alpha', 'identity', 0.55), ('krippendorff_alpha', 'jaccard', 0.63)]
    """
    study = set_study(data, labels, roles, "This comparison of measures")
    rows = [
        _row("label-pairs, clubbed", bhowmick_am(study), CLUBBED, confidence),
        _row("label-pairs", bhowmick_am(study, clubbed=False), UNCLUBBED, confidence),
    ]
    functions: tuple[Callable[..., Agreement], ...] = (krippendorff_alpha, conger_kappa)
    for function in functions:
        rows += [_row(weights, function(study, weights=weights), says, confidence) for weights, says in SAYS.items()]
    rows.append(_per_label(study))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    numbers = ("value", "low", "high", "observed", "expected")
    return Table(
        "Agreement on sets of labels",
        {name: np.array(cells) if name in numbers else cells for name, cells in columns.items()},
        (_differ(rows),),
    )


def _row(weights: str, found: Agreement, says: str, confidence: float) -> dict[str, Any]:
    span = found.interval(confidence=confidence)
    return {
        "measure": found.measure, "weights": weights, "value": found.value, "low": span.low, "high": span.high,
        "observed": found.observed, "expected": found.expected, "says": says,
    }  # fmt: skip


def _per_label(study: Study) -> dict[str, Any]:
    table = conger_kappa(study).by_label()
    parts = {name: table[name].astype(np.float64) for name in ("value", "observed", "expected")}
    defined = np.isfinite(parts["value"])
    means = {name: float(part[defined].mean()) if defined.any() else np.nan for name, part in parts.items()}
    says = PER_LABEL if defined.all() else f"{PER_LABEL}; {int((~defined).sum())} labels without a kappa are left out"
    return {
        "measure": "mean per-label kappa",
        "weights": "identity",
        "low": np.nan,
        "high": np.nan,
        **means,
        "says": says,
    }


def _differ(rows: list[dict[str, Any]]) -> str:
    """The widest gap between two measures."""
    defined = [row for row in rows if np.isfinite(row["value"])]
    if len(defined) < 2:
        return "Too few of the measures are defined here to compare them."
    low, high = (choose(defined, key=lambda row: row["value"]) for choose in (min, max))
    return (
        f"From {low['value']:z.3f} ({low['measure']}, {low['weights']}) to {high['value']:z.3f} ({high['measure']}, "
        f"{high['weights']}): decide what partial overlap is worth before looking at the values, and say which it was."
    )

"""Prevalence and bias: how far unevenly used labels and unequal annotators move kappa, and the paradoxes of it.

For two annotators and two labels these are Byrt's indices. With K labels and R annotators (p_g the label shares of
annotator g, m their mean, V the mean of |p_g − m|²) the same identity holds for Conger's kappa with

    PI² = (K Σ m_k² − 1) / (K − 1),    BI² = K / (K − 1) · V / (R − 1),    PABAK = S = (K · observed − 1) / (K − 1)
    kappa = (PABAK − PI² + BI²) / (1 − PI² + BI²)

PI is 0 for evenly used labels and 1 when one label takes all; BI is 0 when all annotators use the labels alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import ShownAsTable, Table
from accord.annotations.arrays import NOTHING_LEFT, FloatArray, divide
from accord.coefficients.formula import chance_corrected
from accord.findings.finding import Clue, Evidence, Finding
from accord.findings.label_texts import shown
from accord.findings.study_view import View, given_by, view_of
from accord.study.study_of_input import Roles

HIGH = 0.8  # observed agreement that people call high
LEAST_CHANGE = 0.05  # a change of kappa that is worth a finding
UNEVEN = 0.5  # a prevalence index from which on prevalence is called uneven
LITTLE_ROOM = 0.9  # a maximum kappa below this is told


@dataclass(frozen=True, eq=False, repr=False)
class PrevalenceAndBias(ShownAsTable):
    """Prevalence and bias, and what kappa would be without them.

    >>> import accord
    >>> from accord.findings import prevalence_and_bias
    >>> found = prevalence_and_bias(accord.Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
    >>> [(name, round(getattr(found, name), 3)) for name in ("kappa", "pabak", "prevalence_index", "bias_index")]
    [('kappa', 0.318), ('pabak', 0.7), ('prevalence_index', 0.75), ('bias_index', 0.05)]
    >>> found.to_table()["index"].tolist()[-1]
    'maximum kappa'
    """

    kappa: float  # Cohen's or Conger's; where nobody is named, with shared marginals
    observed: float
    pabak: float  # prevalence- and bias-adjusted: 2 · observed − 1 for two labels, S for more
    prevalence_index: float  # signed for two labels: the first less the second
    bias_index: float  # signed for two annotators and two labels; NaN where nobody is named
    without_bias: float  # kappa if the annotators shared one marginal distribution (Scott's pi)
    maximum_kappa: float  # the highest that these label shares allow; NaN where nobody is named
    marginals: FloatArray  # (R, K) each annotator's label shares; one row where nobody is named
    labels: tuple[Any, ...]

    @property
    def identity(self) -> float:
        """Byrt's kappa from the three indices: equal to `kappa` but for rounding."""
        bias = 0.0 if math.isnan(self.bias_index) else self.bias_index**2
        room = 1 - self.prevalence_index**2 + bias
        return (self.pabak - self.prevalence_index**2 + bias) / room if room > NOTHING_LEFT else math.nan

    def to_table(self) -> Table:
        """One row per index, with what it means.

        Returns:
            A `Table` with one row per index: index, value, meaning.
        """
        shares = "the annotators' own label shares" if len(self.marginals) > 1 else "shared marginals"
        rows = [
            ("kappa", self.kappa, f"agreement beyond chance with {shares}"),
            ("observed agreement", self.observed, "the share of pairs of answers that match"),
            ("PABAK", self.pabak, "kappa if all labels were equally likely and no annotator biased"),
            ("prevalence index", self.prevalence_index, self._of_prevalence()),
            ("bias index", self.bias_index, self._of_bias()),
            ("kappa without bias", self.without_bias, "the same with shared marginals"),
            ("maximum kappa", self.maximum_kappa, "the highest that the annotators' label shares allow"),
        ]
        unknown = "Nobody is named, or who said what stays in the engine: nothing can be said of bias."
        return Table(
            "Prevalence and bias",
            {
                "index": [name for name, *_ in rows],
                "value": np.array([value for _, value, _ in rows]),
                "meaning": [meaning for *_, meaning in rows],
            },
            () if len(self.marginals) > 1 else (unknown,),
        )

    def _of_prevalence(self) -> str:
        """What the index means; of two labels it has a sign, which says which of them is the more frequent."""
        if len(self.labels) != 2:
            return "0: labels used evenly; 1: one label takes all"
        first, second = map(shown, self.labels)
        return f"0: labels used evenly; 1: {first} takes all; −1: {second} takes all"

    def _of_bias(self) -> str:
        """What the index means; of two annotators and two labels it has a sign as well."""
        if len(self.labels) != 2 or len(self.marginals) != 2:
            return "0: all annotators use the labels alike"
        return f"0: both annotators use the labels alike; above 0: the first gives {shown(self.labels[0])} more often"

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the table."""
        return self.to_table().to_dict()


def prevalence_and_bias(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> PrevalenceAndBias:
    """Prevalence index, bias index, PABAK, and the maximum of kappa that the label shares allow.

    For two annotators and two labels as Byrt, Bishop & Carlin (1993) define them, from the items both answered: (a − d)
    / n, (b − c) / n and 2 · observed − 1. For more of either see the head of this module; the indices then have no
    sign. The maximum is Cohen's (Σ min(p_k, q_k) − e) / (1 − e); for more than two annotators the mean of Σ min over
    all pairs, which the annotators together may not quite reach.

    Missing data: with two annotators, items that one of them left out do not count; with more, each annotator's
    shares are over the items they answered, so that with gaps the bias index holds differences between items too.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        The indices: `prevalence_index`, `bias_index`, `pabak`, `kappa`, `maximum_kappa`; `to_table()` says what each
        means.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    References: byrt1993; cohen1960; brennan1981; feinstein1990.

    >>> from accord import Study
    >>> found = prevalence_and_bias(Study.from_confusion([[80, 10], [5, 5]]))
    >>> round(found.prevalence_index, 2), round(found.bias_index, 2), round(found.pabak, 2), round(found.kappa, 2)
    (0.75, 0.05, 0.7, 0.32)
    """
    return prevalence_and_bias_of(view_of(data, other, labels, roles))


def prevalence_and_bias_of(view: View) -> PrevalenceAndBias:
    """The indices of a view."""
    size = len(view.tally.answers)
    observed = float(view.pooled.parts.observed)
    marginals = _marginals(view)
    people = len(marginals)
    mean = marginals.mean(0) if people else np.full(size, math.nan)  # nobody answered
    squared = float(mean @ mean)
    spread = float(((marginals - mean) ** 2).sum() / people / (people - 1)) if people > 1 else math.nan
    expected = squared if math.isnan(spread) else squared - spread
    few = size == 2
    prevalence = math.sqrt(max((size * squared - 1) / (size - 1), 0.0)) if size > 1 else 1.0
    bias = math.sqrt(max(size / (size - 1) * spread, 0.0)) if size > 1 and people > 1 else math.nan
    return PrevalenceAndBias(
        kappa=_corrected(observed, expected),
        observed=observed,
        pabak=(size * observed - 1) / (size - 1) if size > 1 else math.nan,
        prevalence_index=math.copysign(prevalence, mean[0] - mean[1]) if few else prevalence,
        bias_index=math.copysign(bias, marginals[0, 0] - marginals[1, 0]) if few and people == 2 else bias,
        without_bias=_corrected(observed, squared),
        maximum_kappa=_corrected(_most(marginals), expected) if people > 1 else math.nan,
        marginals=marginals,
        labels=view.tally.answers.labels,
    )


def _marginals(view: View) -> FloatArray:
    """(R, K) label shares of each annotator who answered; the pooled ones in one row where nobody is named."""
    cells = view.cells
    if cells is None:
        return view.marginals[None, :]
    tally = view.named_tally
    if tally is not None and view.study.n_annotators == 2 and tally.pairable.any():
        cells = given_by(tally.where(tally.pairable))
    present = cells.sum(1) > 0
    return divide(cells[present], cells[present].sum(1, keepdims=True))


def _most(marginals: FloatArray) -> float:
    """The mean of Σ_k min(p_gk, p_hk) over all pairs: by sorting, so that thousands of annotators are no matter."""
    people = len(marginals)
    ranked = np.sort(marginals, axis=0)
    times = np.arange(people - 1, -1, -1.0)  # the smallest is the minimum in every one of its pairs
    return float((times @ ranked).sum() / (people * (people - 1) / 2))


def _corrected(observed: float, expected: float) -> float:
    return float(chance_corrected(np.asarray(observed), np.asarray(expected)))


# -- the paradoxes ----------------------------------------------------------------------------------------------------


def look(view: View) -> Iterator[Clue]:
    """The two paradoxes of Feinstein & Cicchetti, and margins that leave kappa little room."""
    if view.main.undefined or not view.single or len(view.study.labels) < 2:
        return
    indices = prevalence_and_bias_of(view)
    if not math.isfinite(indices.kappa):
        return
    yield from _first_paradox(view, indices)
    yield from _second_paradox(view, indices)


def _first_paradox(view: View, indices: PrevalenceAndBias) -> Iterator[Finding]:
    """High agreement, low kappa: one label takes so much that chance would agree nearly as well."""
    shared = float(view.pooled.parts.value)  # shared marginals, as the other findings have it
    lost = indices.pabak - shared
    most = int(np.argmax(view.marginals))
    label = shown(indices.labels[most])
    if indices.observed >= HIGH and indices.kappa < view.target <= indices.pabak and lost >= LEAST_CHANGE:
        yield Finding(
            "high-agreement-low-kappa", "note",
            f"Annotators agree on {indices.observed:.0%} of pairs, and yet {_called(view, indices)}: {label} "
            f"takes {view.marginals[most]:.0%} of the answers, so chance alone would agree on "
            f"{_expected_agreement(indices):.0%}. That is the first "
            "paradox of Feinstein & Cicchetti, not a contradiction: kappa is about the rare labels.",
            "Report observed agreement, kappa and the agreement on each label together. Draw more items of the rare "
            "labels if kappa is to say much about them; do not swap the coefficient until one is high.",
            (
                Evidence("prevalence index", indices.prevalence_index), Evidence("PABAK", indices.pabak),
                Evidence("observed agreement", indices.observed), Evidence("kappa", indices.kappa),
            ),
            speaks_against=("PABAK is high whenever nearly all answers are one label, whether or not the rare ones are "
                            "found.",),
            sources=("feinstein1990", "byrt1993", "dieugenio2000"), weight=0.6, table=indices.to_table(),
        )  # fmt: skip
    elif abs(indices.prevalence_index) >= UNEVEN and lost >= LEAST_CHANGE:
        yield Finding(
            "uneven-prevalence", "note",
            f"{label} takes {view.marginals[most]:.0%} of the answers; with evenly used labels the same observed "
            f"agreement of {indices.observed:.0%} would make kappa {indices.pabak:z.2f} instead of {shared:z.2f}"
            f"{_which(view, shared)}.",
            "Report the agreement on each label beside the coefficient, and compare it only with studies whose labels "
            "are as uneven.",
            (Evidence("prevalence index", indices.prevalence_index), Evidence("PABAK", indices.pabak)),
            sources=("byrt1993", "dieugenio2000"), weight=0.3, table=indices.to_table(),
        )  # fmt: skip


def _called(view: View, indices: PrevalenceAndBias) -> str:
    """Kappa by the name and the value of the headline, and beside it the one that chance is told by."""
    if f"{indices.kappa:z.2f}" == f"{view.main.value:z.2f}":
        return f"{view.main.title} is only {indices.kappa:z.2f}"
    own = "Cohen's kappa" if len(indices.marginals) == 2 else "Conger's kappa"
    name = own if len(indices.marginals) > 1 else "Siegel & Castellan's kappa"
    return f"{name} is only {indices.kappa:z.2f} ({view.main.title} is {view.main.value:z.2f})"


def _which(view: View, shared: float) -> str:
    """Which kappa that is, where the study's own coefficient is another one with another value."""
    same = f"{shared:z.2f}" == f"{view.main.value:z.2f}"
    return (
        "" if same else f" (Siegel & Castellan's, with shared marginals; {view.main.title} is {view.main.value:z.2f})"
    )


def _second_paradox(view: View, indices: PrevalenceAndBias) -> Iterator[Finding]:
    """Unequal annotators raise kappa, and margins that differ keep it from reaching 1."""
    if math.isnan(indices.bias_index) or not view.complete:
        return
    raised = indices.kappa - indices.without_bias
    if raised >= LEAST_CHANGE:
        yield Finding(
            "bias-raises-kappa", "note",
            f"Annotators use the labels so differently that kappa with own marginals is {indices.kappa:z.2f}, and "
            f"{indices.without_bias:z.2f} with shared ones. Unequal annotators raise kappa: the second paradox of "
            "Feinstein & Cicchetti.",
            "Report the value with shared marginals (Scott, Fleiss) as well, and settle when each label is to be used.",
            (Evidence("bias index", indices.bias_index), Evidence("raised by", raised)),
            sources=("feinstein1990", "byrt1993", "dieugenio2000"), weight=0.4, table=indices.to_table(),
        )  # fmt: skip
    if indices.maximum_kappa < LITTLE_ROOM and view.study.n_annotators == 2:
        yield Finding(
            "little-room", "note",
            f"With the two annotators' label shares as they are, kappa cannot exceed {indices.maximum_kappa:z.2f}, "
            "however they match on single items.",
            "Compare how often each annotator uses each label. Where the shares differ by more than chance (a finding "
            "different-label-use says so), agree on when a label applies before you judge single items.",
            (Evidence("maximum kappa", indices.maximum_kappa), Evidence("kappa", indices.kappa)),
            sources=("cohen1960", "grove1981"), weight=0.35, table=indices.to_table(),
        )  # fmt: skip


def _expected_agreement(indices: PrevalenceAndBias) -> float:
    """Expected agreement, from observed agreement and kappa."""
    return 1 - (1 - indices.observed) / (1 - indices.kappa) if indices.kappa < 1 else math.nan

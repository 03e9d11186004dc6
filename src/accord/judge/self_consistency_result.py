"""SelfConsistency: what repeated runs of one model say of it; made by `self_consistency`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from accord.agreement.inference.proportions import wilson
from accord.agreement.inference.wald import interval_around
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.tally import Tally
from accord.coefficients.units import Units
from accord.errors import Keyword, MeasureError, OptionError, counted, remedy
from accord.judge.calibration import Calibration
from accord.judge.to_json import judgement, span
from accord.options import check_whole
from accord.study.study import Study

MOST_CELLS = 50_000_000  # kinds of items × labels


@dataclass(frozen=True, eq=False)
class SelfConsistency:
    """How far a model agrees with itself. It tells precision, not truth: read it beside agreement with people.

    `majority_agreement` is the mean share of an item's answers that are its commonest, `pairwise_agreement` the mean
    share of equal pairs of different answers (the unbiased one: the first is high for few runs whatever they say),
    `total_agreement` the share of items whose answers are all the same, `entropy` the mean entropy in nats, which
    `entropy_bits` and `normalised_entropy` (by the log of the number of declared labels) tell otherwise; it is the
    plain one, too low for few runs (m labels seen in n runs: by about (m − 1) / 2n), and so never above 1 when
    normalised. All are over items with two answers or more.

    >>> from accord import Study
    >>> from accord.judge import self_consistency
    >>> answers = [["A"] * 5, ["A", "B", "A", "A", "B"], ["B", "C", "A", "B", "C"], ["C", "C", "C", "B", "C"]]
    >>> study = Study.from_wide(answers)
    >>> found = self_consistency(study, runs=study.annotators)
    >>> round(found.pairwise_agreement, 3), found.total_agreement, found.n_runs
    (0.55, 0.25, (5, 5))
    >>> print(found.sentence())
    Over 4 items the model of 5 runs gave its commonest answer 70% of the time (alpha of its runs 0.34 [-0.37,
    0.80]); 25% of items were answered alike every time.
    >>> len(found.by_item()), found.to_table().head(1)["value"].round(3).tolist()
    (4, [0.337])
    """

    model: str
    study: Study
    alpha: Agreement  # Krippendorff's, the runs as annotators
    confidence: float
    reference: IntArray | None = None
    calibration: Calibration | None = None  # of the share of the commonest answer, against gold
    sources: Table | None = None  # which facet the noise comes from
    levels: Table | None = None  # each prompt, temperature or run
    notes: tuple[str, ...] = field(default=())

    @cached_property
    def tally(self) -> Tally:
        """Patterns of items with two answers or more."""
        tally = self.study.tally()
        return tally.where(tally.pairable)

    @property
    def n_items(self) -> int:
        """Items with two answers or more."""
        return self.tally.n_items

    @property
    def n_runs(self) -> tuple[int, int]:
        """The fewest and the most answers of an item."""
        return int(self.tally.answered.min()), int(self.tally.answered.max())

    # -- pattern by pattern ----------------------------------------------------------------------------------------

    @cached_property
    def _largest(self) -> FloatArray:
        largest = np.zeros(len(self.tally))
        np.maximum.at(largest, self.tally.pattern, self.tally.count)
        return largest

    @cached_property
    def _first(self) -> tuple[IntArray, BoolArray]:
        """The commonest answer, the first of the scale where several are tied, and whether several are."""
        tally, leading = self.tally, self.tally.count == self._largest[self.tally.pattern]
        first = np.full(len(tally), len(tally.answers), dtype=np.int64)
        np.minimum.at(first, tally.pattern[leading], tally.answer[leading])
        return first, tally.per_pattern(leading) > 1

    @cached_property
    def _share(self) -> FloatArray:
        return self._largest / self.tally.answered

    @cached_property
    def _pairwise(self) -> FloatArray:
        answered = self.tally.answered
        return self.tally.per_pattern(self.tally.count * (self.tally.count - 1.0)) / (answered * (answered - 1.0))

    @cached_property
    def _entropy(self) -> FloatArray:
        share = self.tally.count / self.tally.answered[self.tally.pattern]
        return self.tally.per_pattern(-share * np.log(share)) + 0.0  # no negative zero

    @property
    def _uniform(self) -> float:
        """The entropy of labels drawn evenly; NaN for a scale of one."""
        labels = len(self.study.labels)
        return math.log(labels) if labels > 1 else math.nan

    def _mean(self, values: FloatArray) -> float:
        return float(self.tally.items @ values / self.tally.n_items)

    def _interval(self, values: FloatArray, most: float = 1.0) -> Interval:
        """The mean over items (or clusters of them) ± t · se, between 0 and the most there can be."""
        units = Units.of(self.study, self.tally, None)
        mean, error = self._mean(values), units.error(values - self._mean(values))
        df, ends = units.number - 1, (0.0, most)
        return interval_around(mean, error, df=df, confidence=self.confidence, ends=ends, clusters=units.clusters)

    # -- the values ------------------------------------------------------------------------------------------------

    @property
    def majority_agreement(self) -> float:
        """The mean share of the commonest answer."""
        return self._mean(self._share)

    @property
    def pairwise_agreement(self) -> float:
        """The mean share of equal pairs."""
        return self._mean(self._pairwise)

    @property
    def total_agreement(self) -> float:
        """The share of items answered alike every time."""
        return self._mean((self._share == 1).astype(np.float64))

    @property
    def entropy(self) -> float:
        """In nats."""
        return self._mean(self._entropy)

    @property
    def entropy_bits(self) -> float:
        """In bits."""
        return self.entropy / math.log(2)

    @property
    def normalised_entropy(self) -> float:
        """From 0 (always the same) to 1 (all declared labels alike)."""
        return self.entropy / self._uniform

    @property
    def accuracy(self) -> float:
        """How often the commonest answer is the true one, an item with tied answers counting its share; needs gold."""
        return float("nan") if self.calibration is None else float(self.calibration.correct.mean())

    def to_table(self) -> Table:
        """Every value with its interval over items.

        Returns:
            A `Table` with one row per value: what, value, low, high.
        """
        rows: dict[str, tuple[float, Interval]] = {
            "Krippendorff's alpha of the runs": (
                self.alpha.value, self.alpha.interval(confidence=self.confidence),
            ),
            "pairs of answers that are the same": (self.pairwise_agreement, self._interval(self._pairwise)),
            "answers that are the commonest": (self.majority_agreement, self._interval(self._share)),
            "items answered alike every time": (
                self.total_agreement,
                wilson(self.total_agreement * self.n_items, self.n_items, self.confidence),
            ),
            "entropy (nats)": (self.entropy, self._interval(self._entropy, self._uniform)),
            "entropy over the declared labels (0 to 1)": (
                self.normalised_entropy, self._interval(self._entropy / self._uniform),
            ),
        }  # fmt: skip
        if self.calibration is not None:
            right = self.calibration.correct
            rows["the commonest answer is right"] = (
                self.accuracy, wilson(float(right.sum()), len(right), self.confidence),
            )  # fmt: skip
        return Table(
            f"Self-consistency of {self.model}",
            {
                "what": list(rows),
                "value": np.array([value for value, _ in rows.values()]),
                "low": np.array([interval.low for _, interval in rows.values()]),
                "high": np.array([interval.high for _, interval in rows.values()]),
            },
            self.notes,
        )

    def by_item(self) -> Table:
        """One row per item: its answers, the commonest, and how sure the model is of it.

        Returns:
            A `Table` with one row per item: item, answers, commonest, tied, agreement, pairwise, entropy, normalised;
            with gold also gold and right.
        """
        assert self.tally.locate is not None
        pattern = self.tally.locate()
        present = np.nonzero(pattern >= 0)[0]
        pattern = pattern[present]
        first, tied = self._first
        labels = self.study.labels
        columns: dict[str, Any] = {
            "item": [self.study.items[place] for place in present.tolist()],
            "answers": self.tally.answered[pattern],
            "commonest": [labels[place] for place in first[pattern].tolist()],
            "tied": tied[pattern],
            "agreement": self._share[pattern],
            "pairwise": self._pairwise[pattern],
            "entropy": self._entropy[pattern],
            "normalised": self._entropy[pattern] / self._uniform,
        }
        if self.reference is not None:
            known = self.reference[present] >= 0
            columns["gold"] = [labels[code] if code >= 0 else None for code in self.reference[present].tolist()]
            columns["right"] = np.where(
                known, credit_of(self.tally, self._largest, pattern, self.reference[present]), np.nan
            )
        return Table(f"Self-consistency of {self.model} by item", columns)

    def credit(self, reference: IntArray) -> tuple[FloatArray, FloatArray]:
        """Of items with a true label: the share of the commonest answer, and how right it is.

        That is 1 or 0, or with tied answers the chance that the right one is drawn.

        Args:
            reference: The code of each item's true label, −1 where it is unknown.

        Returns:
            Two arrays over the items with a true label.

        Raises:
            MeasureError: If there are too many labels.
            OptionError: If `reference` is not one code per item.

        >>> import numpy as np
        >>> from accord import Study
        >>> from accord.judge import self_consistency
        >>> answers = [["A"] * 5, ["A", "B", "A", "A", "B"], ["B", "C", "A", "B", "C"], ["C", "C", "C", "B", "C"]]
        >>> study = Study.from_wide(answers)
        >>> found = self_consistency(study, runs=study.annotators)
        >>> share, right = found.credit(np.array([0, 0, -1, 2]))
        >>> share.tolist(), right.tolist()
        ([1.0, 0.6, 0.8], [1.0, 1.0, 1.0])
        """
        assert self.tally.locate is not None
        pattern = self.tally.locate()
        given: Any = reference
        codes = isinstance(given, np.ndarray) and given.dtype.kind == "i" and given.shape == pattern.shape
        if not codes or not ((given >= -1) & (given < len(self.tally.answers))).all():
            rule = f"be an array of {counted(len(pattern), 'codes')}, one per item: places of labels, and −1 for none"
            raise OptionError.must("reference", rule, reference)
        known = np.nonzero((pattern >= 0) & (reference >= 0))[0]
        return self._share[pattern[known]], credit_of(self.tally, self._largest, pattern[known], reference[known])

    def route(self, number: int | None = None, *, accuracy: float | None = None) -> Table:
        """The items that people should look at, the least consistent first.

        Args:
            number: So many items.
            accuracy: As many items as it takes for the model to be right this often on the rest, as far as its gold
                shows (the share is measured where there is gold, and applied to all items).

        Returns:
            A `Table` with one row per item, as `by_item()`.

        Raises:
            OptionError: If `accuracy` is asked for without gold, or a number is out of range.

        With neither, all items on which the runs differ.

        >>> from accord import Study
        >>> from accord.judge import self_consistency
        >>> answers = [["A"] * 5, ["A", "B", "A", "A", "B"], ["B", "C", "A", "B", "C"], ["C", "C", "C", "B", "C"]]
        >>> study = Study.from_wide(answers)
        >>> found = self_consistency(study, runs=study.annotators)
        >>> found.route(2)["item"].tolist()
        [2, 1]
        """
        table = self.by_item()
        order = np.lexsort((-table["entropy"], table["agreement"]))
        if accuracy is not None:
            if self.calibration is None:
                raise OptionError(
                    Keyword("accuracy"), " needs gold: ", remedy("self_consistency", "study", gold=...), "."
                )
            if not 0 < accuracy <= 1:
                raise OptionError.must("accuracy", "lie between 0 and 1, for example 0.95", accuracy)
            keep = self.calibration.coverage_for(accuracy)
            number = len(table) - math.floor(keep * len(table) + 1e-9)
        elif number is None:
            number = int((table["agreement"] < 1).sum())
        check_whole("number", number, 0)
        chosen = order[:number].tolist()
        return Table(
            f"Items of {self.model} for people",
            {name: table[name][chosen] for name in table.columns},
            (f"{counted(len(chosen), 'items')} of {len(table):,}, the least consistent first.",),
        )

    def __str__(self) -> str:
        fewest, most = self.n_runs
        runs = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        parts = [f"{self.model}: {counted(self.n_items, 'items')}, {runs} answers each", str(self.to_table())]
        parts += [str(table) for table in (self.sources, self.levels) if table is not None]
        if self.calibration is not None:
            parts.append(f"Is consistency a sign of being right? {self.calibration}")
        return "\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tables = (self.to_table(), self.sources, self.levels)
        return "".join(table._repr_html_() for table in tables if table is not None)

    def sentence(self) -> str:
        """One sentence for a paper."""
        low, high = self.alpha.interval(confidence=self.confidence)
        return (
            f"Over {counted(self.n_items, 'items')} {self.model} gave its commonest answer "
            f"{self.majority_agreement:.0%} of the time (alpha of its runs {self.alpha.value:z.2f}"
            f"{span(low, high, 2)}); {self.total_agreement:.0%} of items were answered alike every time."
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "model", "n_items", "n_runs", "majority_agreement", "pairwise_agreement", "total_agreement", "entropy",
            "entropy_bits", "normalised_entropy", "accuracy",
        )  # fmt: skip
        values = {name: getattr(self, name) for name in names} | {
            "alpha": self.alpha.value,
            "alpha_interval": self.alpha.interval(confidence=self.confidence),
            "calibration": None if self.calibration is None else self.calibration.to_dict()["values"],
        }
        tables = {"values": self.to_table(), "sources": self.sources, "levels": self.levels}
        present = {name: table for name, table in tables.items() if table is not None}
        return judgement("self_consistency", values, present, self.notes)


def credit_of(tally: Tally, largest: FloatArray, pattern: IntArray, reference: IntArray) -> FloatArray:
    """1 where the commonest answer is the true one, a share where several are tied."""
    leading = tally.count == largest[tally.pattern]
    tied = tally.per_pattern(leading)
    size = len(tally.answers)
    if len(tally) * size > MOST_CELLS:
        raise MeasureError(
            f"There are too many labels ({size:,}) to score {len(tally):,} kinds of items.",
            remedies=[remedy(recode=...)],
        )
    table = np.zeros((len(tally), size))
    table[tally.pattern[leading], tally.answer[leading]] = 1 / tied[tally.pattern[leading]]
    return np.asarray(table[pattern, np.maximum(reference, 0)])

"""Gold against a reference: how often it is right, for which labels, and whether its confidence is calibrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from accord.agreement.inference.proportions import wilson
from accord.agreement.inference.wald import no_interval
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import tidy_label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, divide
from accord.coefficients.standard_errors import of_correlation
from accord.consensus import reference as referring
from accord.errors import InputError, Keyword, counted, json_value, remedy
from accord.options import Shown, check_confidence, check_whole, head
from accord.scores.moments_of_pairs import correlated

if TYPE_CHECKING:
    from accord.consensus.gold import Gold

BINS = 10
Closed: TypeAlias = Literal["right", "left"]  # which edge belongs to a bin


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Score(Shown):
    """How gold fares against a reference.

    `accuracy` counts an undecided item with tied labels as what drawing one of them would give on average, and an item
    that is undecided otherwise as wrong; `accuracy_decided` leaves the undecided out. For sets it is the share of items
    whose set is the same; for numbers see `numbers`.
    """

    n_items: int  # items in both
    n_decided: int
    accuracy: float
    interval: Interval
    accuracy_decided: float
    kappa: Agreement | None  # Cohen's, on the decided items
    labels: Table
    calibration: Table
    calibration_error: float  # expected: the mean gap between confidence and accuracy over bins
    brier: float
    log_loss: float
    numbers: dict[str, float] | None = None
    not_in_study: int = 0  # items of the reference that the study does not have

    def __str__(self) -> str:
        items = counted(self.n_items, "items")
        extra = [f"{name} {value:z.3f}" for name, value in (self.numbers or {}).items()]
        if np.isnan(self.accuracy):  # of scores
            return f"Against the reference on {items}: {', '.join(extra)}"
        low, high = self.interval
        kappa = [] if self.kappa is None else [f"kappa {self.kappa.value:z.3f}"]
        right = f"accuracy {self.accuracy:.4f} [{low:.3f}, {high:.3f}] on {items} ({self.n_decided:,} decided)"
        return ", ".join([right, *kappa, *extra, f"calibration error {self.calibration_error:.3f}"])

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("score"),
            "items": self.n_items,
            "decided": self.n_decided,
            "accuracy": json_value(self.accuracy),
            "interval": self.interval.to_dict(),
            "accuracy_decided": json_value(self.accuracy_decided),
            "kappa": None if self.kappa is None else json_value(self.kappa.value),
            "labels": self.labels.to_dict()["rows"],
            "calibration": self.calibration.to_dict()["rows"],
            "calibration_error": json_value(self.calibration_error),
            "brier": json_value(self.brier),
            "log_loss": json_value(self.log_loss),
            "numbers": json_value(self.numbers),
            "not_in_study": self.not_in_study,
        }


def score(gold: Gold, given: Any, *, item: str, label: str, confidence: float, bins: int) -> Score:
    """Compare a gold with what a reference says."""
    check_confidence(confidence)
    check_whole("bins", bins, 1)
    scores = gold.scored is not None
    reference = referring.as_mapping(given, "The reference", item=item, label=label, numbers=scores)
    known, gone = referring.places(gold.study, reference)
    if not known:
        raise InputError("The reference says nothing of any item. Fill in its labels.", option=Keyword("reference"))
    if scores:
        way_out = (" Name its column of numbers: ", remedy(label=...), ".")
        return _score_numbers(
            gold, referring.numbers_of(gold.study, known, "The reference", *way_out), gone, confidence
        )
    if gold._of_kind.label_by_label:
        return _score_sets(gold, *referring.sets_of(gold.study, known, "The reference"), gone, confidence, bins)
    return _score_labels(gold, known, gone, confidence, bins)


def _scale_and_truth(gold: Gold, known: Mapping[int, Any]) -> tuple[tuple[Any, ...], IntArray]:
    """The scale with what only the reference says, which nobody could be right about; and (items,) its labels."""
    known = referring.as_the_study_says(gold.study, known)
    tidy = {item: tidy_label(value) for item, value in known.items()}
    outside = sorted(set(tidy.values()) - {None, *gold.study.labels}, key=str)
    labels = (*gold.study.labels, *outside)
    place = {label: at for at, label in enumerate(labels)}
    truth = np.full(len(gold), -1, dtype=np.int64)
    for item, value in tidy.items():
        if value is not None:
            truth[item] = place[value]
    return labels, truth


def _score_labels(gold: Gold, known: Mapping[int, Any], gone: int, confidence: float, bins: int) -> Score:
    labels, truth = _scale_and_truth(gold, known)
    items = np.nonzero(truth >= 0)[0]
    if not len(items):
        raise InputError("The reference says nothing of any item. Fill in its labels.", option=Keyword("reference"))
    code = gold.codes[items]
    credit = (code == truth[items]).astype(np.float64)
    undecided, tied = gold.tied_labels()
    at = np.full(len(gold), -1)
    at[items] = np.arange(len(items))
    for place, open_ones in zip(undecided.tolist(), tied, strict=True):
        if at[place] >= 0 and open_ones.any():
            on_scale = truth[place] < len(open_ones)
            credit[at[place]] = open_ones[truth[place]] / open_ones.sum() if on_scale else 0.0
    decided = code >= 0
    return _of_credit(
        gold, items, credit, decided, confidence, bins,
        kappa=_kappa(len(labels), code[decided], truth[items][decided]),
        labels=_per_label(labels, code, truth[items], confidence),
        log_loss=_log_loss(gold, items, truth[items]),
        not_in_study=gone,
    )  # fmt: skip


def _of_credit(
    gold: Gold, items: IntArray, credit: FloatArray, decided: BoolArray, confidence: float, bins: int, **more: Any
) -> Score:
    """What follows from how right each item is: 1 or 0, or between them where labels are tied."""
    right, trusted = float(credit.sum()), gold.confidence[items]
    table, error = calibration(trusted[decided], credit[decided], bins, confidence)
    usable = decided & ~np.isnan(trusted)
    return Score(
        n_items=len(items),
        n_decided=int(decided.sum()),
        accuracy=right / len(items),
        interval=wilson(right, len(items), confidence),
        accuracy_decided=float(divide(credit[decided].sum(), decided.sum())),
        calibration=table,
        calibration_error=error,
        brier=float(np.mean((trusted[usable] - credit[usable]) ** 2)) if usable.any() else np.nan,
        **more,
    )


def _kappa(number: int, code: IntArray, truth: IntArray) -> Agreement | None:
    if not len(code):
        return None
    from accord.measures.cohen import cohen_kappa

    return cohen_kappa(code.astype(np.int64), truth, labels=list(range(number)))


def _log_loss(gold: Gold, items: IntArray, truth: IntArray) -> float:
    """Minus the mean log of what the soft labels gave the true one; votes may give it nothing, so they are cut at
    1e-12.
    """
    whole = gold.soft()[items]
    soft = np.where(truth < whole.shape[1], whole[np.arange(len(items)), np.minimum(truth, whole.shape[1] - 1)], 0.0)
    soft = soft[~np.isnan(soft)]
    return float(-np.log(np.maximum(soft, 1e-12)).mean()) if len(soft) else np.nan


def calibration(
    trusted: FloatArray, credit: FloatArray, bins: int, confidence: float, closed: Closed = "right"
) -> tuple[Table, float]:
    """Confidence against accuracy in bins closed on the right (Guo et al. 2017) or left, and the expected gap."""
    usable = ~np.isnan(trusted)
    trusted, credit = trusted[usable], credit[usable]
    scaled = np.round(trusted * bins, 9)  # 0.7 · 10 is to lie on the edge
    place = np.ceil(scaled) - 1 if closed == "right" else np.floor(scaled)
    place = np.clip(place.astype(np.int64), 0, bins - 1)
    counted = np.bincount(place, minlength=bins)
    mean_trust = divide(np.bincount(place, weights=trusted, minlength=bins), counted)
    hits = np.bincount(place, weights=credit, minlength=bins)
    accuracy = divide(hits, counted)
    spans = [wilson(float(hit), float(n), confidence) for hit, n in zip(hits, counted, strict=True)]
    gap = float(np.nansum(counted * np.abs(mean_trust - accuracy)) / len(trusted)) if len(trusted) else np.nan
    table = Table(
        "Confidence and accuracy",
        {
            "above": np.arange(bins) / bins,
            "up_to": (np.arange(bins) + 1) / bins,
            "items": counted,
            "confidence": mean_trust,
            "accuracy": accuracy,
            "low": np.array([span.low for span in spans]),
            "high": np.array([span.high for span in spans]),
        },
    )
    return table, gap


def _per_label(labels: tuple[Any, ...], code: IntArray, truth: IntArray, confidence: float) -> Table:
    number_of = len(labels)
    given = np.bincount(code[code >= 0], minlength=number_of)
    true = np.bincount(truth, minlength=number_of)
    hits = np.bincount(truth[code == truth], minlength=number_of)
    return _label_table(labels, given, true, hits, confidence)


def _label_table(labels: tuple[Any, ...], given: IntArray, true: IntArray, hits: IntArray, confidence: float) -> Table:
    precision, recall = divide(hits, given), divide(hits, true)
    found = [wilson(float(h), float(n), confidence) for h, n in zip(hits, true, strict=True)]
    right = [wilson(float(h), float(n), confidence) for h, n in zip(hits, given, strict=True)]
    return Table(
        "By label",
        {
            "label": list(labels),
            "gold": given,
            "reference": true,
            "precision": precision,
            "precision_low": np.array([span.low for span in right]),
            "precision_high": np.array([span.high for span in right]),
            "recall": recall,
            "recall_low": np.array([span.low for span in found]),
            "recall_high": np.array([span.high for span in found]),
            "f1": divide(2 * hits, given + true),
        },
    )


def _score_sets(gold: Gold, known: BoolArray, truth: BoolArray, gone: int, confidence: float, bins: int) -> Score:
    items = np.nonzero(known)[0]
    chosen, decided = gold.members[items] > 0, gold.decided[items]
    same = (chosen == truth[items]).all(axis=1) & decided
    both, either = (chosen & truth[items]).sum(axis=1), (chosen | truth[items]).sum(axis=1)
    overlap = np.where(either > 0, both / np.maximum(either, 1), 1.0)
    labels = _label_table(
        gold.study.labels,
        given=(chosen & decided[:, None]).sum(axis=0),
        true=truth[items].sum(axis=0),
        hits=(chosen & truth[items] & decided[:, None]).sum(axis=0),
        confidence=confidence,
    )
    extra = {"mean overlap of sets (Jaccard)": float(overlap[decided].mean()) if decided.any() else np.nan}
    return _of_credit(
        gold, items, same.astype(np.float64), decided, confidence, bins,
        kappa=None, labels=labels, log_loss=np.nan, numbers=extra, not_in_study=gone,
    )  # fmt: skip


def _score_numbers(gold: Gold, truth: FloatArray, gone: int, confidence: float) -> Score:
    present = ~np.isnan(truth) & ~np.isnan(gold.values)
    gap, mine, other = (gold.values - truth)[present], gold.values[present], truth[present]
    total = int((~np.isnan(truth)).sum())
    r, _ = correlated(mine, other)
    numbers = {
        "mean absolute error": float(np.abs(gap).mean()) if len(gap) else np.nan,
        "root mean squared error": float(np.sqrt((gap**2).mean())) if len(gap) else np.nan,
        "bias": float(gap.mean()) if len(gap) else np.nan,
        "correlation": r,
    }
    return Score(
        n_items=total,
        n_decided=len(gap),
        accuracy=np.nan,
        interval=_fisher(r, len(gap), confidence),
        accuracy_decided=np.nan,
        kappa=None,
        labels=Table("By label", {"label": []}),
        calibration=Table("Confidence and accuracy", {"above": []}),
        calibration_error=np.nan,
        brier=np.nan,
        log_loss=np.nan,
        numbers=numbers,
        not_in_study=gone,
    )


def _fisher(r: float, size: int, confidence: float) -> Interval:
    """Fisher's interval of a correlation."""
    if size <= 3 or np.isnan(r):
        return no_interval("too few items for a correlation", confidence, "fisher")
    low, high, error = of_correlation(r, size, confidence)
    return Interval(low, high, error, confidence, "fisher")

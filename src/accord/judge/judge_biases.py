"""Biases of a model as a judge: for what stands first or last, and for some labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from accord.agreement.inference.joint_tests import of_t_squared
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.proportions import sign_test, wilson
from accord.agreement.inference.wald import interval_around, mean_interval
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.factorize import code
from accord.coefficients.standard_errors import p_value
from accord.errors import (
    InputError,
    Keyword,
    Message,
    OptionError,
    Remedy,
    all_quoted,
    as_typed,
    at_column,
    counted,
    quoted,
    remedy,
)
from accord.judge.estimates import clusters_of
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.prediction_powered import error_of
from accord.judge.scales import exact_matches
from accord.judge.to_json import judgement, span
from accord.options import Shown, check_choice, check_confidence, listed
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles

Names: TypeAlias = Literal["positions", "answers"]


@dataclass(frozen=True, eq=False, repr=False)
class PositionBias(Shown):
    """Verdicts on the same pairs shown in both orders.

    A pair is consistent if the same answer wins in both orders (or both are ties). Of the others, `primacy` counts
    those that lean to what stands first (it wins in both orders, or wins in one and ties in the other), `recency` those
    that lean to what stands second. `fairness` is (recency − primacy) / pairs: 0 is fair, −1 always the first.
    `p` is the exact binomial test of primacy against recency, which is McNemar's exact test of the two orders.

    >>> from accord.judge import position_bias
    >>> found = position_bias(["1", "1", "2", "1", "1", "2", "T", "1"], ["2", "2", "1", "1", "1", "2", "T", "T"])
    >>> print(found)
    the judge: of 8 pairs shown in both orders 50.0% have the same winner [0.215, 0.785]; 3 lean to what stands
    first, 1 to what stands second (p = 0.625); fairness -0.250 [-0.841, 0.341]
    """

    judge: str
    n_pairs: int
    consistent: int
    primacy: int
    recency: int
    flips: tuple[int, int]  # of primacy and recency, those that change sides in full, ties aside
    fairness: float
    fairness_interval: Interval
    consistency_interval: Interval
    p: float
    notes: tuple[str, ...] = field(default=())

    @property
    def consistency(self) -> float:
        """The share of pairs with the same winner in both orders."""
        return self.consistent / self.n_pairs if self.n_pairs else math.nan

    def __str__(self) -> str:
        notes = "".join(f"\n{note}" for note in self.notes)
        return (
            f"{self.judge}: of {counted(self.n_pairs, 'pairs shown in both orders')} {self.consistency:.1%} have the "
            f"same winner{span(*self.consistency_interval)}; {self.primacy:,} lean to what stands first, "
            f"{self.recency:,} to what stands second (p = {self.p:.3g}); fairness {self.fairness:+z.3f}"
            f"{span(*self.fairness_interval)}{notes}"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "judge", "n_pairs", "consistent", "consistency", "consistency_interval", "primacy", "recency", "flips",
            "fairness", "fairness_interval", "p",
        )  # fmt: skip
        return judgement("position_bias", {name: getattr(self, name) for name in names}, {}, self.notes)


def position_bias(
    data: Any,
    other: Any = None,
    /,
    *,
    order: str | None = None,
    model: str | None = None,
    positions: Sequence[Any] = ("1", "2"),
    verdicts: Names = "positions",
    confidence: float = 0.95,
    **roles: Unpack[PlainRoles],
) -> PositionBias:
    """Does a judge favour what stands first, or last? From verdicts on pairs in both orders.

    Args:
        data: The verdicts in one order, with `other` those on the same pairs in the other order; or a `Study` (made
            with duplicates="repeat") whose items are pairs.
        other: The verdicts on the same pairs with the two answers swapped.
        order: The column of the study that tells the order: it has two values.
        model: Which annotator, where there are several.
        positions: The two labels that name a winner: what stands first, and what stands second. Any other label is a
            tie.
        verdicts: What the labels name: "positions", or "answers" (the first label is the answer that stands first in
            the first order, whatever the order shown).
        confidence: Of the intervals.
        **roles: The keywords of `Study`.

    Returns:
        A `PositionBias`: `consistency`, `primacy`, `recency`, `fairness` with its interval, and `p`.

    Raises:
        InputError: If `data` cannot be a study, or no pair has a verdict in both orders.
        MeasureError: If the answers are not single labels.
        OptionError: If an option has a value that it cannot take.

    Pairs without a verdict in both orders are left out and counted.
    References: shi2024; mcnemar1947.

    >>> first = ["1", "1", "2", "1", "1", "2", "T", "1"]
    >>> swapped = ["2", "2", "1", "1", "1", "2", "T", "T"]
    >>> found = position_bias(first, swapped)
    >>> found.consistency, found.primacy, found.recency, found.fairness, found.p
    (0.5, 3, 1, -0.25, 0.625)
    """
    check_confidence(confidence)
    check_choice("verdicts", verdicts, get_args(Names))
    two = "name two labels, what stands first and what stands second"
    positions = listed("positions", positions, two)
    if not len(positions) == 2 == len({as_typed(one, str) for one in positions}):
        raise OptionError.must("positions", two, positions)
    judge, one, swapped, lost = (
        _two_lists(data, other, positions) if other is not None else _of_study(data, order, model, positions, roles)
    )
    if verdicts == "answers":
        swapped = -swapped
    lean = one + swapped  # the same position in both orders: ±2; once and a tie: ±1; the same answer: 0
    number, primacy, recency = len(lean), int((lean > 0).sum()), int((lean < 0).sum())
    consistent = number - primacy - recency
    notes = [f"{counted(lost, 'pairs')} without a verdict in both orders left out."] if lost else []
    if verdicts == "positions" and (np.abs(lean) == 2).sum() > number / 2:
        same = f"{int((np.abs(lean) == 2).sum()):,} of {counted(number, 'pairs')} have the same label in both orders. "
        notes.append(
            Message(same, "If labels name the answer wherever it is shown, say ", remedy(verdicts="answers"), ".")
        )
    drift = -np.sign(lean).astype(np.float64)
    return PositionBias(
        judge, number, consistent, primacy, recency, (int((lean == 2).sum()), int((lean == -2).sum())),
        float(drift.mean()) if number else math.nan, mean_interval(drift, confidence),
        wilson(consistent, number, confidence), float(sign_test(primacy, recency)), tuple(notes),
    )  # fmt: skip


def _sides(labels: Sequence[Label | None], positions: Sequence[Any]) -> IntArray:
    """+1 for what stands first, −1 for what stands second, 0 for a tie, for each label."""
    return np.array([1 if label == positions[0] else -1 if label == positions[1] else 0 for label in labels])


def _two_lists(one: Any, other: Any, positions: Sequence[Any]) -> tuple[str, IntArray, IntArray, int]:
    first, second = code(one), code(other)
    if first.codes.shape != second.codes.shape:
        raise InputError(
            f"There are {first.codes.size:,} verdicts in one order and {second.codes.size:,} in the other: give one of "
            "each for every pair.",
            option=Keyword("other"),
        )
    present = (first.codes >= 0) & (second.codes >= 0)
    _need_positions((*first.values, *second.values), positions)
    left, right = (_sides(part.values, positions)[part.codes[present]] for part in (first, second))
    return "the judge", left, right, int((~present).sum())


def _need_positions(labels: Sequence[Any], positions: Sequence[Any]) -> None:
    if not any(label in positions for label in labels):
        known = all_quoted(dict.fromkeys(labels)) if len(labels) else "none"
        raise InputError(
            "No verdict is ",
            quoted(positions[0]),
            " or ",
            quoted(positions[1]),
            "; there are ",
            known,
            ". Say the labels for what was shown first and second: ",
            Remedy({"positions": [..., ...]}, python="positions=(…, …)"),
            ". If labels name the answer wherever it was shown, give first that of the answer which stands first in "
            "the first order, with ",
            remedy(verdicts="answers"),
            ".",
        )


def _of_study(
    data: Any, order: str | None, model: str | None, positions: Sequence[Any], roles: PlainRoles
) -> tuple[str, IntArray, IntArray, int]:
    if order is None:
        raise OptionError("Which column tells the order in which a pair was shown? ", remedy(order=...))
    if not isinstance(data, Study) and "duplicates" not in roles:
        roles["duplicates"] = "repeat"
    participants = participants_of(data, model=model, **roles)
    judge = participants.one_model("Position bias") if participants.models else _only_annotator(participants.study)
    part = participants.study.of_annotators([judge])
    shown = part._column(order, "order")
    if len(shown.values) != 2:
        raise InputError(
            "A pair is shown in two orders; the column ", at_column(order), " has ", all_quoted(shown.values), "."
        )
    _need_positions(part.labels, positions)
    item, _, answer, _ = part._annotations.rows
    table = np.full((2, part._annotations.n_items), 2, dtype=np.int64)
    for place in (0, 1):
        rows = shown.codes == place
        if len(np.unique(item[rows])) < int(rows.sum()):
            raise InputError(
                quoted(judge),
                " judged a pair more than once in the order ",
                quoted(shown.values[place]),
                "; keep one verdict for each order.",
            )
        table[place, item[rows]] = _sides(part.labels, positions)[answer[rows]]
    present = (table != 2).all(axis=0)
    lost = int(((table != 2).any(axis=0) & ~present).sum())
    return judge, table[0, present], table[1, present], lost


def _only_annotator(study: Study) -> str:
    if study.n_annotators != 1:
        raise OptionError(
            "Which annotator is the judge? ",
            remedy(model=...),
            ", one of ",
            all_quoted(study.annotators),
            ".",
            available=study.annotators,
        )
    return study.annotators[int(study._present[0])]


# -- labels ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LabelBias:
    """How much oftener a model gives each label than people do, on the same items.

    >>> from accord import Study
    >>> from accord.judge import label_bias
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = label_bias(study, model="gpt")
    >>> print(found.sentence())
    The label distribution of gpt is not shown to differ from people's: Hotelling's T² 0.0 on 1, p = 1.
    """

    model: str
    table: Table
    statistic: float  # Hotelling's T² of all labels together
    df: int
    p: float
    n_items: int
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return f"{self.table}\n{self.sentence()}"

    __repr__ = __str__

    def sentence(self) -> str:
        """Do the marginals differ?"""
        if math.isnan(self.p):
            if np.any(self.table["difference"] != 0):
                return f"The label distribution of {self.model} differs from people's in the same way on every item."
            return f"{self.model} and people use the labels alike on every item: there is nothing to test."
        verdict = "differs" if self.p < 0.05 else "is not shown to differ"
        return (
            f"The label distribution of {self.model} {verdict} from people's: Hotelling's T² {self.statistic:.1f} on "
            f"{self.df}, p = {self.p:.3g}."
        )

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("model", "statistic", "df", "p", "n_items")
        return judgement(
            "label_bias", {name: getattr(self, name) for name in names}, {"labels": self.table}, self.notes
        )


def label_bias(
    data: Any,
    /,
    *,
    model: str | None = None,
    people: Sequence[str] | None = None,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> LabelBias:
    """Which labels a model gives more often than people, on the items that both answered.

    Args:
        data: A `Study` with a model and people.
        model: Which model; by default the only one.
        people: Who the people are; by default everybody who is no model.
        unparsable: Failed answers are "missing", or count as a "label".
        confidence: Of the intervals.
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        A `LabelBias`: a `table` with one row per label, and one test for all (`statistic`, `df`, `p`).

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are no models or too few people, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    An item counts once: the model's label against the shares of the people's. Intervals and tests are paired over items
    (clusters of them, where the study has some); p-values of single labels are corrected by Holm's method, and one test
    is for all labels together: Hotelling's T², which is t² for two labels, and with one person (n − 1)/n of Bhapkar's
    chi-squared of marginal homogeneity. Its p is that of F, for chi-squared rejects up to 11 % where 5 % is meant (30
    items, six labels). References: hotelling1931; bhapkar1966.

    >>> from accord import Study
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aaabab" * 6)})
    >>> found = label_bias(study, model="gpt")
    >>> [(row["label"], round(row["model"], 2), round(row["people"], 2)) for row in found.table]
    [('a', 0.67, 0.5), ('b', 0.33, 0.5)]
    """
    check_confidence(confidence)
    participants = participants_of(data, model=model, people=people, unparsable=unparsable, labels=labels, **roles)
    if participants.study.kind != "single":
        raise about_other_kinds("Label bias", ("single",), participants.study.kind)
    name = participants.one_model("Label bias")
    participants.need_people(1, "Label bias")
    mine, theirs, items = _label_shares(participants, name)
    if not len(items):
        raise InputError(quoted(name), " and people have no item in common.")
    gap = mine - theirs
    cluster = clusters_of(participants.study)
    clusters = None if cluster is None else cluster[items]
    spans, p = _each_label(gap, clusters, confidence)
    statistic, df, overall = _all_labels(gap, clusters)
    notes = (*participants.notes([name]), *exact_matches(participants.study, "a share of labels"))
    whom = "one person" if len(participants.people) == 1 else f"{len(participants.people):,} people"
    table = Table(
        f"Labels of {name} against {whom}, on {counted(len(items), 'items')}",
        {
            "label": list(participants.study.labels),
            "model": mine.mean(0),
            "people": theirs.mean(0),
            "difference": gap.mean(0),
            "low": np.array([interval.low for interval in spans]),
            "high": np.array([interval.high for interval in spans]),
            "p": p,
            "p_holm": holm(p),
        },
        notes,
    )
    return LabelBias(name, table, statistic, df, overall, len(items), notes)


def _label_shares(participants: Participants, name: str) -> tuple[FloatArray, FloatArray, IntArray]:
    """(items, labels) the model's answer and the people's shares, on the items that have both."""
    grid, predicted, labels = (
        participants.grid(participants.people),
        participants.column(name),
        len(participants.study.labels),
    )
    items = np.nonzero((predicted >= 0) & (grid >= 0).any(axis=1))[0]
    mine = np.zeros((len(items), labels))
    mine[np.arange(len(items)), predicted[items]] = 1.0
    place, who = np.nonzero(grid[items] >= 0)
    counts = np.bincount(place * labels + grid[items][place, who], minlength=len(items) * labels)
    counts = counts.reshape(len(items), labels).astype(np.float64)
    return mine, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), items


def _each_label(gap: FloatArray, clusters: IntArray | None, confidence: float) -> tuple[list[Interval], FloatArray]:
    size = len(gap)
    df = max((size if clusters is None else len(np.unique(clusters))) - 1, 1)
    groups = None if clusters is None else (clusters, clusters[:0])
    spans, p = [], []
    for column in gap.T:
        mean, error = float(column.mean()), error_of(column / size, np.empty(0), groups)
        spans.append(interval_around(mean, error, df=df, confidence=confidence, method="t"))
        if error > 0:
            p.append(p_value(mean, error, df))
        else:  # the same difference on every item: as a sign test has it
            p.append(1.0 if mean == 0 else min(1.0, 2.0 ** -min(df, 1000)))
    return spans, np.array(p)


def _all_labels(gap: FloatArray, clusters: IntArray | None) -> tuple[float, int, float]:
    """Hotelling's T² of no difference in any label, how many are free to differ, and its p from F."""
    mean, away = gap.mean(0), (gap - gap.mean(0)) / len(gap)
    if clusters is not None:
        _, place = np.unique(clusters, return_inverse=True)
        totals = np.zeros((int(place.max()) + 1, gap.shape[1]))
        np.add.at(totals, place, away)
        away = totals
    spread = len(away) / max(len(away) - 1, 1) * away.T @ away
    df = int(np.linalg.matrix_rank(spread, tol=1e-12))
    if not df:
        return math.nan, 0, math.nan
    statistic = float(mean @ np.linalg.pinv(spread, rcond=1e-10) @ mean)
    return statistic, df, of_t_squared(statistic, df, len(away) - 1).p

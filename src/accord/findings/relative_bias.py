"""Relative biases: who gives a label more often than whom, and which labels such biases go together for.

Where annotators who like one label also like another, the two have one cause, and it is not reported twice
(Wiebe et al. 1999; Di Eugenio 2000). Labels may be of one scale or of several layers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.proportions import sign_test
from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.errors import MeasureError, OptionError, all_quoted, one_task, some_annotators
from accord.findings.finding import SURE, Clue, Evidence, Finding, TestFamily
from accord.findings.label_texts import shown
from accord.findings.layers import Layers
from accord.findings.study_view import View
from accord.options import MOST_RESAMPLES, SEED, Rng, check_whole, seeded
from accord.study.in_memory import in_memory_where_small
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

FEWEST = 4  # annotators, from which on a correlation between them is tested
EXACT = 7  # annotators up to whom every order of them is tried
MOST_LABELS = 60  # of all layers
MOST_PEOPLE = 40  # annotators every two of whom are compared
LOOKS = 1_999  # permutations of the detector
MOST_LOOKED_AT = 200  # annotators, beyond whom the detector does not test every two labels unasked
CELLS = 4_000_000  # shares held at a time while annotators are put in other orders
ENOUGH = 10  # answers of an annotator, below which shares say little


@dataclass(frozen=True, eq=False)
class RaterShares:
    """How often each annotator gives each label, in all layers."""

    annotators: tuple[str, ...]
    layers: tuple[Label, ...]  # (C,) of each label
    labels: tuple[Label, ...]  # (C,)
    shares: FloatArray  # (R, C) of the annotator's answers in the layer; NaN where there are none

    @classmethod
    def of(cls, found: Layers) -> RaterShares:
        """The shares, label by label."""
        people = len(found.names.annotators)
        shares, layers, labels = [], [], []
        for name, answers in found.answers.items():
            size = len(answers)
            present = found.codes[name] >= 0
            key = found.annotator[present] * size + found.codes[name][present]
            counted = add_up(key, np.ones(len(key)), people * size).reshape(people, size)
            shares.append(divide(counted, counted.sum(1, keepdims=True)))
            layers += [name] * size
            labels += list(answers.labels)
        return cls(found.names.annotators, tuple(layers), tuple(labels), np.concatenate(shares, axis=1))

    @property
    def called(self) -> list[str]:
        """What each label is called: with its layer, where there are several."""
        several = len(set(self.layers)) > 1
        return [
            f"{layer}: {label}" if several else str(label)
            for layer, label in zip(self.layers, self.labels, strict=True)
        ]


def relative_biases(data: Any, /, **roles: Unpack[Roles]) -> Table:
    """For every two annotators and every label: who gives it more often, on common items, and McNemar's test.

    `bias` is the first one's share less the second's; `p` is McNemar's, exact: of the items on which only one of the
    two gave the label, is it one of them too often? `p_holm` is corrected for the number of rows. For up to 40
    annotators; choose some: `study.of_annotators([…])`.

    Args:
        data: A `Study` with named annotators, of one variable or of several layers, or what one is made of.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per label and pair of annotators: bias, only_first, only_second, p, p_holm.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or there are too many annotators.
        OptionError: If an option has a value that it cannot take.

    References: wiebe1999; dieugenio2000.

    >>> table = relative_biases(Study.from_confusion([[20, 9], [1, 20]], labels=["question", "statement"]))
    >>> row = next(iter(table))
    >>> row["label"], round(row["bias"], 2), round(row["p"], 3)
    ('question', 0.16, 0.021)
    """
    study = in_memory_where_small(as_study(data, None, None, roles))
    found = Layers.of(study)
    people = found.names.annotators
    if len(people) > MOST_PEOPLE:
        raise MeasureError(
            f"Every two of {len(people):,} annotators would be {math.comb(len(people), 2):,} pairs; choose up to "
            f"{MOST_PEOPLE}: ",
            some_annotators(),
            ".",
        )
    rows: list[dict[str, Any]] = []
    for name, answers in found.answers.items():
        table = _grid(found, name)
        for one, other in combinations(range(len(people)), 2):
            both = (table[:, one] >= 0) & (table[:, other] >= 0)
            if both.any():
                rows += _pair(name, answers.labels, people[one], people[other], table[both, one], table[both, other])
    p = np.array([row["p"] for row in rows])
    columns: dict[str, Any] = {key: [row[key] for row in rows] for key in (rows[0] if rows else ())}
    for key in ("items", "bias", "only_first", "only_second", "p"):
        columns[key] = np.array(columns.get(key, []))
    if len(found.answers) == 1:
        columns.pop("layer", None)
    return Table("Relative biases between annotators", {**columns, "p_holm": holm(p)})


def _grid(found: Layers, name: Label) -> IntArray:
    """(items, annotators) the answers in a layer, −1 for missing."""
    table = np.full((len(found.names.items), len(found.names.annotators)), -1, dtype=np.int64)
    table[found.item, found.annotator] = found.codes[name]
    return table


def _pair(
    layer: Label, labels: tuple[Label, ...], one: str, other: str, left: IntArray, right: IntArray
) -> Iterator[dict[str, Any]]:
    for code, label in enumerate(labels):
        only_first = int(((left == code) & (right != code)).sum())
        only_second = int(((left != code) & (right == code)).sum())
        yield {
            "layer": layer, "label": label, "first": one, "second": other, "items": len(left),
            "bias": (only_first - only_second) / len(left), "only_first": only_first, "only_second": only_second,
            "p": float(sign_test(only_first, only_second)),
        }  # fmt: skip


def bias_correlation(data: Any, /, *, n_resamples: int = 9_999, rng: Rng = None, **roles: Unpack[Roles]) -> Table:
    r"""Which labels annotators' biases go together for: the correlation of relative biases between labels.

    The relative bias of annotators g and h for label c is :math:`p_{gc} - p_{hc}`, the difference of their shares. Over
    all pairs of annotators the biases for two labels correlate as the shares do over annotators. From four annotators
    on `p` is that of a permutation test: the annotators' shares of one label are dealt out anew (every way with up to
    seven annotators, else `n_resamples` times). With fewer the table says only whether the signs are alike, and
    McNemar's smallest p for either label.

    Labels of one scale share a whole: who gives one more often must give others less often, and a negative correlation
    is arithmetic before it is a finding (`same_scale`). A positive one, or one between layers, is not.

    Args:
        data: A `Study` with named annotators, of one variable or of several layers.
        n_resamples: How many permutations.
        rng: A seed or a Generator; by default the seed 0.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with one row per pair of labels: first, second, correlation, p, p_holm, same_scale.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are of another kind.
        OptionError: If there are too many labels.

    References: wiebe1999; dieugenio2000; holm1979.

    >>> answers = ["aabbcc" * 5, "aabbca" * 5, "aabacc" * 5, "abbbcc" * 5]
    >>> found = bias_correlation(Study.from_wide([list(row) for row in zip(*answers, strict=True)]), rng=0)
    >>> [(row["first"], row["second"], round(row["correlation"], 2)) for row in found]
    [('a', 'b', -0.85), ('a', 'c', -0.52), ('b', 'c', 0.0)]
    """
    check_whole("n_resamples", n_resamples, 99, most=MOST_RESAMPLES)
    study = in_memory_where_small(as_study(data, None, None, roles))
    found = Layers.of(study)
    rater_shares = RaterShares.of(found)
    if len(rater_shares.labels) > MOST_LABELS:
        raise OptionError(
            f"Every two of {len(rater_shares.labels):,} labels are too many to tell apart; keep up to {MOST_LABELS}, "
            "or single layers: ",
            one_task(next(iter(study.tasks))),
            ". The labels are ",
            all_quoted(rater_shares.labels, 4),
            ".",
        )
    if len(rater_shares.annotators) < FEWEST:
        return _signs(study, rater_shares)
    generator, seed = seeded(rng)
    return _tested(rater_shares, n_resamples, generator, seed)


def _tested(rater_shares: RaterShares, n_resamples: int, rng: np.random.Generator, seed: int | None) -> Table:
    pairs, correlation, p = correlations(rater_shares.shares, n_resamples, rng)
    called, layers = rater_shares.called, rater_shares.layers
    people = len(rater_shares.annotators)
    columns: dict[str, Any] = {
        "first": [called[one] for one, _ in pairs],
        "second": [called[other] for _, other in pairs],
        "correlation": correlation,
        "p": p,
        "p_holm": holm(p),
        "same_scale": [layers[one] == layers[other] for one, other in pairs],
    }
    how = (
        "every order of the annotators" if people <= EXACT else f"{n_resamples:,} orders of the annotators, seed {seed}"
    )
    notes = (f"{people} annotators; p by permutation, {how}.",)
    table = Table("Correlation of annotators' relative biases", columns, notes)
    return table.sorted("p")


def correlations(
    shares: FloatArray, n_resamples: int, rng: np.random.Generator
) -> tuple[list[tuple[int, int]], FloatArray, FloatArray]:
    """For every two labels the correlation over annotators and its two-sided p; NaN where a share is constant.

    Of layers only annotators who answered in all of them count; without any there is no correlation.
    """
    pairs = list(combinations(range(shares.shape[1]), 2))
    present = np.isfinite(shares).all(1)
    if not present.any():
        return pairs, np.full(len(pairs), np.nan), np.full(len(pairs), np.nan)
    centred = shares[present] - shares[present].mean(0)
    length = np.sqrt((centred**2).sum(0))
    unit = divide(centred, np.where(length > 1e-12, length, 0.0))
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    value = (unit[:, left] * unit[:, right]).sum(0)
    people = len(unit)
    if people < FEWEST:
        return pairs, value, np.full(len(pairs), np.nan)
    at_least, tried = np.zeros(len(pairs)), 0
    for orders in _orders(people, n_resamples, max(1, CELLS // max(unit.size, 1)), rng):
        again = (unit.T @ unit[orders])[:, left, right]
        at_least += (np.abs(again) >= np.abs(value) - 1e-12).sum(0)
        tried += len(orders)
    extra = 0 if people <= EXACT else 1  # drawn orders do not hold the one that was seen
    return pairs, value, np.where(np.isfinite(value), (at_least + extra) / (tried + extra), np.nan)


def _orders(people: int, n_resamples: int, step: int, rng: np.random.Generator) -> Iterator[IntArray]:
    """Orders of the annotators, some at a time: all there are, or so many drawn at random."""
    if people <= EXACT:
        yield np.array(list(permutations(range(people))))
        return
    everyone = np.arange(people)
    for first in range(0, n_resamples, step):
        yield rng.permuted(np.tile(everyone, (min(step, n_resamples - first), 1)), axis=1)


def _signs(study: Study, rater_shares: RaterShares) -> Table:
    """Fewer than four annotators: do the biases for two labels point the same way?"""
    biases = list(relative_biases(study))
    several = len(set(rater_shares.layers)) > 1
    by_label: dict[str, dict[tuple[str, str], tuple[float, float]]] = {name: {} for name in rater_shares.called}
    for row in biases:
        name = f"{row['layer']}: {row['label']}" if several else str(row["label"])
        by_label[name][row["first"], row["second"]] = (row["bias"], row["p"])
    rows = []
    for place, other in combinations(range(len(rater_shares.called)), 2):
        one, two = (by_label[rater_shares.called[at]] for at in (place, other))
        common = [pair for pair in one if pair in two]
        alike = sum(one[pair][0] * two[pair][0] > 0 for pair in common)
        apart = sum(one[pair][0] * two[pair][0] < 0 for pair in common)
        rows.append({
            "first": rater_shares.called[place], "second": rater_shares.called[other], "same_sign": alike,
            "opposite_sign": apart, "pairs": len(common), "p_first": _least(one), "p_second": _least(two),
            "same_scale": rater_shares.layers[place] == rater_shares.layers[other],
        })  # fmt: skip
    columns: dict[str, Any] = {key: [row[key] for row in rows] for key in (rows[0] if rows else ())}
    note = (
        f"{len(rater_shares.annotators)} annotators are too few to test a correlation between them: the signs of the "
        "biases, and McNemar's smallest p for either label."
    )
    return Table("Signs of annotators' relative biases", columns, (note,))


def _least(found: dict[tuple[str, str], tuple[float, float]]) -> float:
    return min((p for _, p in found.values()), default=math.nan)


# -- as a finding ------------------------------------------------------------------------------------------------------


def look(view: View) -> Iterator[Clue]:
    """Labels of one scale that the same annotators give more often: a positive correlation, which arithmetic is not."""
    cells, size = view.cells, len(view.study.labels)
    if cells is None or view.study.kind != "single" or not 2 < size <= MOST_LABELS:
        return
    answered = cells.sum(1)
    enough = answered >= ENOUGH
    if not FEWEST <= int(enough.sum()) <= MOST_LOOKED_AT:
        return
    shares = cells[enough] / answered[enough, None]
    pairs, value, p = correlations(shares, LOOKS, np.random.default_rng(SEED))
    tried = np.isfinite(p)
    if not tried.any():
        return
    yield TestFamily(int(tried.sum()), "labels whose use goes together")
    people = int(enough.sum())
    sure = holm(p) < SURE  # many labels have many pairs, of which chance alone makes some remarkable
    for place in np.nonzero(tried & (value > 0) & sure)[0]:
        one, other = (view.study.labels[at] for at in pairs[place])
        yield Finding(
            "correlated-biases",
            "note",
            f"Annotators who give {shown(one)} more often than others also give {shown(other)} more often (correlation "
            f"{value[place]:.2f} over {people} annotators): what is found of the one is likely found of the other, and "
            "has one cause.",
            "Settle the two together: ask the annotators who use them most what they have in common.",
            (Evidence("correlation of relative biases", float(value[place])), Evidence("annotators", float(people))),
            sources=("wiebe1999", "dieugenio2000"),
            labels=(one, other),
            p=float(p[place]),
            weight=0.05,
        )

"""The calculation step by step, with the study's own numbers: what a teacher would write on the board."""

from __future__ import annotations

import numpy as np

from accord.agreement.result import Agreement
from accord.annotations.arrays import divide
from accord.coefficients.chance import Hesitant, NoChance, Own, Pooled, Uniform, WithoutReplacement
from accord.coefficients.coefficient import Coefficient, MeanOfPairs, Tabular
from accord.coefficients.weights import Identity

MOST_TERMS = 6  # of a sum written out; beyond, the sum is told


def working(result: Agreement) -> str:
    """Observed agreement, expected agreement, the coefficient."""
    lines = [f"{result.title}, step by step"]
    coefficient = result.coefficient
    if coefficient is None:
        return "\n".join([*lines, f"There is no value: {result.undefined}"])
    lines += _counts(result, coefficient)
    if coefficient.told():
        steps = [f"There is no value: {result.undefined}"] if result.undefined else coefficient.told()
        return "\n".join([*lines, *steps])
    if isinstance(coefficient, MeanOfPairs):
        return "\n".join([*lines, *_pairs(result)])
    lines += ["", "Step 1: observed agreement", *_observed(coefficient)]
    lines += ["", "Step 2: agreement expected by chance", *_expected(coefficient)]
    lines += ["", "Step 3: the coefficient", *_value(result, coefficient)]
    return "\n".join(lines)


def _counts(result: Agreement, coefficient: Coefficient) -> list[str]:
    tally = coefficient.counted
    pairable = int(tally.items @ tally.pairable)
    return [f"{tally.n_items:,} items, {result.n_annotators:,} annotators, {tally.n_answers:,} answers; "
            f"{pairable:,} items have two answers or more."]  # fmt: skip


def _observed(coefficient: Coefficient) -> list[str]:
    parts, tally = coefficient.parts, coefficient.tally
    pairable = int(tally.items @ tally.pairable)
    two = bool((tally.answered[tally.pairable] == 2).all())
    plain = isinstance(coefficient, Tabular) and isinstance(coefficient.weights, Identity)
    once = getattr(coefficient, "each", "answer") == "item"
    if two and plain:
        assert isinstance(coefficient, Tabular)
        agreeing = float(tally.items @ np.nan_to_num(coefficient.agreed))
        return [
            f"  the two agree on {agreeing:.0f} of {pairable:,} items: A_o = {agreeing:.0f} / {pairable} = "
            f"{parts.observed:.4f}"
        ]
    how = "every item once" if once else "every answer once"
    alike = "the same" if plain else "alike, by the weights"
    return [f"  the share of pairs of answers on an item that are {alike}, {how}: A_o = {parts.observed:.4f}"]


def _expected(coefficient: Coefficient) -> list[str]:
    parts = coefficient.parts
    if not isinstance(coefficient, Tabular):
        return [f"  two answers drawn from all {coefficient.tally.n_answers:,}: A_e = {parts.expected:.4f}"]
    chance = coefficient.chance
    plain = isinstance(coefficient.chance_weights, Identity)
    sums = chance.features(coefficient.tally).total(coefficient.tally.items)
    if isinstance(chance, NoChance):
        return ["  nothing is put down to luck: A_e = 0"]
    if isinstance(chance, Uniform):
        return [f"  every label of {chance.labels} equally likely: A_e = {parts.expected:.4f}"]
    if isinstance(chance, Own):
        return _expected_own(coefficient, chance, sums, plain=plain)
    labels = [coefficient.tally.answers.value(k) for k in range(min(len(sums), 50))]
    shares = divide(sums, np.asarray(sums.sum()))
    lines = [
        f"  share of {label!r}: {share:.4f}" for label, share in list(zip(labels, shares, strict=False))[:MOST_TERMS]
    ]
    if len(sums) > MOST_TERMS:
        lines.append(f"  … {len(sums)} answers in all")
    return [*lines, _chance_line(chance, shares, float(parts.expected), plain=plain)]


def _chance_line(
    chance: object, shares: np.ndarray[tuple[int], np.dtype[np.float64]], expected: float, *, plain: bool
) -> str:
    few = len(shares) <= MOST_TERMS and plain
    if isinstance(chance, Pooled):
        terms = " + ".join(f"{share:.4f}²" for share in shares) if few else "Σ w π π"
        return f"  both answers from this mix: A_e = {terms} = {expected:.4f}"
    if isinstance(chance, Hesitant):
        terms = " + ".join(f"{share:.4f}·{1 - share:.4f}" for share in shares) if few else "Σ π (1 − π)"
        factor = f"1/{chance.labels - 1}" if plain else "Σw / q(q − 1)"
        return f"  only uncertain answers match by luck: A_e = {factor} · ({terms}) = {expected:.4f}"
    assert isinstance(chance, WithoutReplacement)
    return f"  two different answers drawn from all of them, without replacement: A_e = {expected:.4f}"


def _expected_own(
    coefficient: Tabular, chance: Own, sums: np.ndarray[tuple[int], np.dtype[np.float64]], *, plain: bool
) -> list[str]:
    """Each annotator's own mix; for two, the product label by label."""
    tally = coefficient.tally
    table = sums.reshape(chance.annotators, chance.answers)
    present = [row for row in range(chance.annotators) if table[row].sum() > 0]
    expected = float(coefficient.parts.expected)
    if len(present) == 2 and plain and chance.answers <= MOST_TERMS:
        one, other = table[present[0]], table[present[1]]
        lines = []
        for k in range(chance.answers):
            label = tally.answers.value(k)
            lines.append(
                f"  {label!r}: {tally.annotators[present[0]]} {one[k]:.0f} times, "
                f"{tally.annotators[present[1]]} {other[k]:.0f} "
                f"times: {one[k]:.0f} × {other[k]:.0f} / {one.sum():.0f}² = "
                f"{one[k] * other[k] / one.sum() / other.sum():.4f}"
            )
        return [*lines, f"  together: A_e = {expected:.4f}"]
    pairs = len(present) * (len(present) - 1) // 2
    return [f"  each annotator's own label mix, the mean over {pairs:,} pairs of annotators: A_e = {expected:.4f}"]


def _value(result: Agreement, coefficient: Coefficient) -> list[str]:
    parts = coefficient.parts
    if result.undefined:
        return [f"  there is none: {result.undefined}"]
    if isinstance(coefficient, Tabular) and isinstance(coefficient.chance, NoChance):
        return [f"  A_o itself: {result.value:.4f}"]
    return [
        f"  (A_o − A_e) / (1 − A_e) = ({parts.observed:.4f} − {parts.expected:.4f}) / (1 − {parts.expected:.4f}) "
        f"= {result.value:.4f}"
    ]


def _told(value: float) -> str:
    return f"{value:.4f}" if np.isfinite(value) else "undefined"


def _pairs(result: Agreement) -> list[str]:
    name = "Cohen's kappa" if result.measure == "light_kappa" else "kappa"
    table = result.by_pair()
    lines = ["", f"Step 1: {name} for every pair of annotators, on the items both answered"]
    for row in table.head(MOST_TERMS):
        lines.append(
            f"  {row['first']} and {row['second']}: {row['items']:,} items, "
            f"({row['observed']:.4f} − {row['expected']:.4f}) / (1 − {row['expected']:.4f}) = {_told(row['value'])}"
        )
    if len(table) > MOST_TERMS:
        lines.append(f"  … {len(table):,} pairs in all")
    mean = f"there is none: {result.undefined}" if result.undefined else f"{result.value:.4f}"
    return [*lines, "", "Step 2: their mean", f"  {mean}"]

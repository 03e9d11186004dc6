"""How often do corrected intervals hold the truth, and how many human labels do models save?

    python -m benchmarks.correcting [studies]

A population of 200,000 items is labelled by three people and three models. Items are easy or hard for both: that is
what lets models predict people's agreement. A study is 2,000 items of it; models labelled all, people a random part.
The truth is the coefficient of people on the whole population (or, for `finite`, on the study's own 2,000 items). For
each size and question: how often a 95 % interval holds it, with models and by people alone, and how many items of
people alone would be as sure ("worth").
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import numpy.typing as npt

import accord
from accord.judge import corrected_agreement, corrected_shares, prediction_powered_mean

Codes = npt.NDArray[np.int64]

ITEMS, POPULATION = 2_000, 200_000
SIZES = (20, 50, 100, 200, 500)
STUDIES = 1000
LABELS = (0, 1, 2)
SHARES = (0.6, 0.3, 0.1)
PEOPLE, MODELS = ("1", "2", "3"), ("4", "5", "6")
MEASURES = (
    "fleiss_kappa", "brennan_prediger_kappa", "gwet_ac", "krippendorff_alpha", "dipietro_hazari_kappa",
)  # fmt: skip


@cache
def population() -> tuple[Codes, Codes]:
    """People's and models' labels: right 97 times in 100 on easy items, 55 on hard ones; the model prefers label 0."""
    rng = np.random.default_rng(2022)
    truth = rng.choice(LABELS, POPULATION, p=SHARES)
    hard = rng.random(POPULATION) < np.array([0.25, 0.5, 0.7])[truth]

    def said(number: int, easy: float, difficult: float, otherwise: tuple[float, ...]) -> Codes:
        right = rng.random((POPULATION, number)) < np.where(hard, difficult, easy)[:, None]
        return np.where(right, truth[:, None], rng.choice(LABELS, (POPULATION, number), p=otherwise)).astype(np.int64)

    return said(3, 0.97, 0.55, (1 / 3, 1 / 3, 1 / 3)), said(3, 0.95, 0.5, (0.6, 0.2, 0.2))


@cache
def truth(measure: str) -> float:
    """Of the whole population."""
    people, models = population()
    return value_of(people, models[:, 0], measure)


def value_of(people: Codes, suggested: Codes, measure: str) -> float:
    """People's coefficient on some items, annotated in full."""
    study = accord.Study.from_wide(people, labels=LABELS)
    if measure == "dipietro_hazari_kappa":
        return accord.dipietro_hazari_kappa(study, suggested=suggested).value
    function: Callable[..., accord.Agreement] = getattr(accord, measure)
    return function(study).value


def drawn(size: int, studies: int, seed: int = 0) -> Iterator[tuple[accord.Study, Codes]]:
    """Studies with so many annotated items, and the rows of the population that they are."""
    people, models = population()
    rng = np.random.default_rng([seed, size])
    for _ in range(studies):
        rows = rng.integers(0, POPULATION, ITEMS)
        cells = np.concatenate((people[rows], models[rows]), axis=1).astype(np.float64)
        cells[rng.permutation(ITEMS)[size:], :3] = np.nan
        yield accord.Study.from_wide(cells, labels=LABELS), rows


@dataclass
class Seen:
    """What intervals did."""

    held: list[bool] = field(default_factory=list)
    alone: list[bool] = field(default_factory=list)
    n_effective: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)

    def line(self, size: int, question: str) -> str:
        """One row of the table."""
        return (
            f"{size:6} {question:34} {np.mean(self.held):8.1%} {np.mean(self.alone):12.1%} {np.mean(self.off):+8.4f} "
            f"{np.nanmedian(self.n_effective):8.0f}"
        )


def inside(interval: accord.Interval, true: float) -> bool:
    """Does the interval hold the truth?"""
    return bool(interval.low <= true <= interval.high)


def asked(study: accord.Study, rows: Codes, seen: dict[str, Seen]) -> None:
    """All questions of one study."""
    people, models = population()
    for measure in MEASURES:
        suggested = "4" if measure == "dipietro_hazari_kappa" else None
        ways = (
            [(False, "answers"), (False, "fitted"), (True, "fitted")]
            if suggested is None
            else [(False, "fitted"), (True, "fitted")]
        )
        for finite, predict in ways:
            found = corrected_agreement(
                study, measure=measure, models=MODELS, suggested=suggested, finite=finite,
                predict="auto" if suggested else predict,  # type: ignore[arg-type]
            )  # fmt: skip
            if found.undefined:
                continue
            true = value_of(people[rows], models[rows, 0], measure) if finite else truth(measure)
            kept = seen.setdefault(f"{measure} {predict}{' finite' if finite else ''}", Seen())
            kept.held.append(inside(found.interval, true))
            kept.alone.append(inside(found.plain_interval, true))
            kept.n_effective.append(found.n_effective)
            kept.off.append(found.value - true)
    table = corrected_shares(study, models=MODELS).table
    for place, label in enumerate(LABELS):
        true = float((people == label).mean())
        kept = seen.setdefault(f"share of {label}", Seen())
        kept.held.append(bool(table["low"][place] <= true <= table["high"][place]))
        kept.alone.append(bool(table["people_low"][place] <= true <= table["people_high"][place]))
        wide = (table["people_high"][place] - table["people_low"][place]) / (table["high"][place] - table["low"][place])
        kept.n_effective.append(float(wide) ** 2 * study.of_annotators(PEOPLE).n_items)
        kept.off.append(float(table["share"][place]) - true)


def means(size: int, studies: int, seen: dict[str, Seen]) -> None:
    """The published normal interval and the one by t, of the rarest label."""
    people, models = population()
    rng = np.random.default_rng([1, size])
    true = float((people[:, 0] == 2).mean())
    for _ in range(studies):
        rows = rng.integers(0, POPULATION, ITEMS)
        said, guessed = (part[rows, 0] == 2 for part in (people, models))
        for method in ("normal", "t"):
            found = prediction_powered_mean(said[:size], guessed[:size], guessed[size:], method=method)
            kept = seen.setdefault(f"mean of one person by {method}", Seen())
            kept.held.append(inside(found.interval, true))
            kept.alone.append(inside(found.plain_interval, true))
            kept.n_effective.append(found.n_effective)
            kept.off.append(found.value - true)


def main(studies: int = STUDIES) -> None:
    print(f"{studies:,} studies of {ITEMS:,} items each; 95 % intervals")
    print(f"{'people':>6} {'question':34} {'holds':>8} {'people alone':>12} {'bias':>8} {'worth':>8}")
    begun = time.process_time()
    for size in SIZES:
        seen: dict[str, Seen] = {}
        for study, rows in drawn(size, studies):
            asked(study, rows, seen)
        means(size, studies, seen)
        for question, kept in seen.items():
            print(kept.line(size, question), flush=True)
    print(f"{time.process_time() - begun:.0f} s of processor time")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))

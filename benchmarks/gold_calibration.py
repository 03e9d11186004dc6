"""Is a gold as sure as it is right, and do annotators' intervals hold their accuracy? Crowds whose truth is known.

    python benchmarks/gold_calibration.py [studies of a crowd] [of them decided by auto]

Seven crowds, after those of an independent check: annotators with confusions of their own, spammers, items that are
hard for everybody, a rare label, many annotators with few answers each, annotators of equal skill, and annotators who
miss one label more often than the other. Of each method: how many items it labels rightly, its mean confidence, and
the expected calibration error (ten bins, over the items of all studies together). Then how often the 95 % intervals of
`annotators()` hold the accuracy of whoever they speak of, and how wide they are. The tests run a few of these.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import accord

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

STUDIES, BY_AUTO = 20, 8
BINS = 10
METHODS: dict[str, dict[str, Any]] = {
    "Dawid–Skene, no prior": {"method": "dawid-skene", "prior": "none"},
    "Dawid–Skene, mild prior": {"method": "dawid-skene", "prior": "mild"},
    "Dawid–Skene": {"method": "dawid-skene"},
    "one coin": {"method": "one-coin"},
    "auto": {},
}


@dataclass(frozen=True)
class Crowd:
    """A study with its truth."""

    study: accord.Study
    truth: Ints  # (items,) position of the true label
    accuracy: Floats  # (annotators,) how often each is right on such items


@dataclass(frozen=True)
class People:
    """How annotators answer: a confusion table each, and how common the labels are."""

    confusion: Floats  # (annotators, C, K)
    shares: Floats  # (C,)

    def answering(self, rng: np.random.Generator, items: int, answers: int, ease: Floats | None = None) -> Crowd:
        """Each item answered by some of them; on an item of less ease they guess more often."""
        people, labels = self.confusion.shape[:2]
        truth = rng.choice(labels, items, p=self.shares)
        who = np.argsort(rng.random((items, people)), axis=1)[:, :answers]
        chances = self.confusion[who, truth[:, None]]
        accuracy = np.einsum("jcc,c->j", self.confusion, self.shares)
        if ease is not None:
            chances = ease[:, None, None] * chances + (1 - ease)[:, None, None] / labels
            accuracy = ease.mean() * accuracy + (1 - ease.mean()) / labels
        given = (rng.random((*who.shape, 1)) > chances.cumsum(axis=2)).sum(axis=2).clip(max=labels - 1)
        table = {
            "item": np.repeat(np.arange(items), answers),
            "annotator": [f"person {place:03d}" for place in who.ravel()],
            "label": given.ravel(),
        }
        study = accord.Study(table, labels=list(range(labels)))
        seen = np.array([int(name.split()[1]) for name in study.annotators])
        return Crowd(study, truth, accuracy[seen])


def of_one_accuracy(accuracy: Floats, labels: int) -> Floats:
    """Confusion tables of annotators who err evenly."""
    tables = np.repeat(np.repeat(((1 - accuracy) / (labels - 1))[:, None, None], labels, 1), labels, 2)
    tables[:, np.arange(labels), np.arange(labels)] = accuracy[:, None]
    return tables


def of_own_confusions(rng: np.random.Generator, people: int, labels: int, low: float, high: float) -> Floats:
    """Confusion tables whose errors fall on labels of each annotator's own."""
    tables = np.zeros((people, labels, labels))
    for table in tables:
        for label in range(labels):
            right = rng.uniform(low, high)
            table[label] = np.insert((1 - right) * rng.dirichlet(np.full(labels - 1, 0.4)), label, right)
    return tables


def even(labels: int) -> Floats:
    """Labels that are all as common."""
    return np.full(labels, 1 / labels)


def own_confusions(rng: np.random.Generator) -> Crowd:
    """Forty, five answers per item, four labels."""
    return People(of_own_confusions(rng, 40, 4, 0.35, 0.8), even(4)).answering(rng, 400, 5)


def spammers(rng: np.random.Generator) -> Crowd:
    """Forty, of whom fourteen answer without looking, from a habit."""
    tables = of_one_accuracy(rng.uniform(0.65, 0.95, 40), 3)
    tables[:14] = rng.dirichlet(np.ones(3), 14)[:, None, :]
    return People(tables, even(3)).answering(rng, 400, 5)


def hard_items(rng: np.random.Generator) -> Crowd:
    """Thirty good ones; on hard items all of them guess more often."""
    people = People(of_one_accuracy(rng.uniform(0.7, 0.98, 30), 4), even(4))
    return people.answering(rng, 400, 5, rng.beta(2.5, 1.0, 400))


def rare_label(rng: np.random.Generator) -> Crowd:
    """Twenty, three answers per item, one label of 8 %."""
    people = People(of_one_accuracy(rng.uniform(0.8, 0.97, 20), 2), np.array([0.92, 0.08]))
    return people.answering(rng, 500, 3)


def ten_answers_each(rng: np.random.Generator) -> Crowd:
    """Two hundred with ten answers each."""
    return People(of_one_accuracy(rng.uniform(0.6, 0.95, 200), 4), even(4)).answering(rng, 400, 5)


def equal_skill(rng: np.random.Generator) -> Crowd:
    """Thirty of one accuracy."""
    return People(of_one_accuracy(np.full(30, 0.72), 4), even(4)).answering(rng, 400, 5)


def sensitivity_below_specificity(rng: np.random.Generator) -> Crowd:
    """Twenty-five who miss one of two labels far more often than the other."""
    miss, take = 1 - rng.uniform(0.5, 0.8, 25), 1 - rng.uniform(0.85, 0.97, 25)
    tables = np.stack((np.stack((1 - take, take), 1), np.stack((miss, 1 - miss), 1)), 1)
    return People(tables, np.array([0.65, 0.35])).answering(rng, 400, 5)


CROWDS = {
    "own confusions": own_confusions,
    "35 % spammers": spammers,
    "hard items": hard_items,
    "rare label, 3 answers": rare_label,
    "200 people × 10 answers": ten_answers_each,
    "equal skill": equal_skill,
    "sensitivity ≠ specificity": sensitivity_below_specificity,
}
PEOPLE = {  # annotators, items, labels, answers per item: accuracies from .6 to .95
    "3 people, 200 items, 2 labels": (3, 200, 2, 3),
    "20 people, 200 items, 2 labels": (20, 200, 2, 3),
    "3 people, 400 items, 2 labels": (3, 400, 2, 3),
    "20 people, 400 items, 2 labels": (20, 400, 2, 3),
    "3 people, 200 items, 4 labels": (3, 200, 4, 3),
    "20 people, 200 items, 4 labels": (20, 200, 4, 3),
    "20 people, 200 items, 2 labels, 5 answers": (20, 200, 2, 5),
    "5 people, 200 items, 2 labels, 5 answers": (5, 200, 2, 5),
}


def crowds(name: str, studies: int) -> Iterator[Crowd]:
    """Studies of a crowd, or of people by their number."""
    place = [*CROWDS, *PEOPLE].index(name)
    for number in range(studies):
        rng = np.random.default_rng([place, number])
        if name in CROWDS:
            yield CROWDS[name](rng)
        else:
            people, items, labels, answers = PEOPLE[name]
            tables = of_one_accuracy(rng.uniform(0.6, 0.95, people), labels)
            yield People(tables, even(labels)).answering(rng, items, answers)


@dataclass(frozen=True)
class Seen:
    """What came of a method on some studies."""

    accuracy: float
    confidence: float
    error: float  # expected calibration error

    @property
    def gap(self) -> float:
        """How much surer it is than right."""
        return self.confidence - self.accuracy


def calibrated(name: str, studies: int, **options: Any) -> Seen:
    """How right and how sure a method is; items that it leaves undecided are left out."""
    confidence, right = [], []
    for crowd in crowds(name, studies):
        gold = accord.gold(crowd.study, **options)
        confidence.append(gold.confidence[gold.decided])
        right.append((gold.codes == crowd.truth)[gold.decided])
    sure, hits = np.concatenate(confidence), np.concatenate(right).astype(np.float64)
    place = np.ceil(sure * BINS).clip(1, BINS)
    error = sum(abs(float((sure - hits)[place == one].sum())) for one in range(1, BINS + 1)) / len(sure)
    return Seen(float(hits.mean()), float(sure.mean()), error)


@dataclass(frozen=True)
class Held:
    """What came of annotators' intervals."""

    coverage: float
    width: float
    refused: float  # the share of annotators who have none


def held(name: str, studies: int, **options: Any) -> Held:
    """How often the intervals of `annotators()` hold the accuracy they speak of."""
    inside, width = [], []
    for crowd in crowds(name, studies):
        table = accord.gold(crowd.study, **options).annotators()
        low, high = np.asarray(table["low"], dtype=np.float64), np.asarray(table["high"], dtype=np.float64)
        inside.append(np.where(np.isnan(low), np.nan, (low <= crowd.accuracy) & (crowd.accuracy <= high)))
        width.append(high - low)
    found, wide = np.concatenate(inside), np.concatenate(width)
    return Held(float(np.nanmean(found)), float(np.nanmean(wide)), float(np.isnan(found).mean()))


def main() -> None:
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    by_auto = int(sys.argv[2]) if len(sys.argv) > 2 else BY_AUTO
    begin = time.perf_counter()
    print(f"Right, mean confidence, calibration error ({studies} studies of a crowd; auto {by_auto})")
    print("| crowd | " + " | ".join(METHODS) + " |")
    for name in CROWDS:
        each = [calibrated(name, studies if options else by_auto, **options) for options in METHODS.values()]
        cells = (f"{one.accuracy:.3f} {one.confidence:.3f} {one.error:.3f}" for one in each)
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"Coverage of annotators' 95 % intervals, width, refused ({studies} studies; 3 and 5 people: {8 * studies})")
    print("| crowd | one coin | Dawid–Skene |")
    for name in [*PEOPLE, *CROWDS]:
        number = 8 * studies if name in PEOPLE and PEOPLE[name][0] < 10 else studies
        each_held = [held(name, number, method=method) for method in ("one-coin", "dawid-skene")]
        cells = (f"{one.coverage:.3f} {one.width:.2f} {one.refused:.2f}" for one in each_held)
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"{time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()

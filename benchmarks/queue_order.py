"""Do half of the decisions give 90 % of the gain of all? The order of the queue, on crowds whose truth is known.

    python -m benchmarks.queue_order [seeds]

A person who knows the truth decides the contested items (those whose answers differ) of crowd sets, in the order of
the queue. The gain of some decisions is how much nearer the whole gold comes to the truth; that of all is 100 %. Four
orders: by the value of a decision, as the workbench does it (the model learns from the decisions as they come); the
same without learning; by raw disagreement (the share of answers that are not the commonest); at random (mean of five).
Real crowds in ../shared: textual entailment, categories of posts, emotions in headlines (yes or no, six questions
together). Simulated ones: those of `gold_calibration`. Every row stands again as a line of JSON.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import accord
from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.gold import Gold
from accord.workbench.queue_order import in_order, worth
from benchmarks import gold_calibration
from benchmarks.gold_calibration import Crowd

DATA = Path(__file__).parents[1] / "../shared/data"
CROWDS: tuple[Callable[[np.random.Generator], Crowd], ...] = (
    gold_calibration.own_confusions,
    gold_calibration.spammers,
    gold_calibration.hard_items,
    gold_calibration.rare_label,
    gold_calibration.equal_skill,
    gold_calibration.sensitivity_below_specificity,
)
HALF, WANTED = 0.5, 0.9
STEPS = 20  # times that the model learns on the way through the queue
UNKNOWN = -2  # an item without a true label
SEEDS = 2
THERE = 50  # of 100: from here on an emotion is there
NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Known:
    """A crowd set with its truth."""

    name: str
    study: accord.Study
    truth: IntArray  # (items,) position of the true label, UNKNOWN where it is not known


def real() -> Iterator[Known]:
    """The crowd sets beside the repository; none where they are not."""
    for name in ("snow2008_rte", "linkedin_posts"):
        if (DATA / name).is_dir():
            yield known(name, accord.read(DATA / name / "long.csv"), labels_in(DATA / name / "gold.csv"))
    if (DATA / "snow2008_affect").is_dir():
        yield emotions(DATA / "snow2008_affect")


def labels_in(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="") as file:
        return {row["item"]: row["label"] for row in csv.DictReader(file)}


def known(name: str, study: accord.Study, labels: dict[str, str]) -> Known:
    """A study with its true labels, which are compared as numbers where they are numbers."""
    places = {plain(label): place for place, label in enumerate(study.labels)}
    truth = [places.get(plain(labels.get(str(item), "")), UNKNOWN) for item in study.items]
    return Known(name, study, np.array(truth))


def plain(label: object) -> object:
    try:
        return float(str(label))
    except ValueError:
        return str(label)


def emotions(folder: Path) -> Known:
    """Is an emotion there? A headline with an emotion is an item; a score of 50 is a yes, as in SemEval 2007."""
    with (folder / "long.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            {
                "item": f"{row['item']} {row['label']}",
                "annotator": row["annotator"],
                "label": "yes" if float(row["score"]) >= THERE else "no",
            }
            for row in csv.DictReader(file)
        ]
    with (folder / "gold.csv").open(encoding="utf-8", newline="") as file:
        gold = {
            f"{row['item']} {row['label']}": "yes" if float(row["score"]) >= THERE else "no"
            for row in csv.DictReader(file)
        }
    return known("snow2008_affect", accord.Study(rows, item="item", annotator="annotator", label="label"), gold)


def simulated(seeds: int) -> Iterator[Known]:
    for make in CROWDS:
        for seed in range(seeds):
            crowd = make(np.random.default_rng(seed))
            yield Known(make.__name__, crowd.study, crowd.truth)


def contested(known_set: Known) -> IntArray:
    """The items whose answers differ and whose truth is known."""
    tally = known_set.study.tally()
    assert tally.locate is not None
    differ = np.append(np.diff(tally.starts) > 1, False)[tally.locate()]
    return np.nonzero(differ & (known_set.truth != UNKNOWN))[0]


@dataclass
class Walk:
    """Somebody who knows the truth goes through the queue."""

    known_set: Known
    gold: Gold

    def gain_at_half(self, value_of: Callable[[Gold], FloatArray], *, learns: bool) -> float:
        """The gain of the first half of the decisions, of that of all."""
        truth, items = self.known_set.truth, contested(self.known_set)
        left, done = set(items.tolist()), NOTHING
        gold = self.gold
        for step in range(1, STEPS // 2 + 1):
            order = [place for place in in_order(value_of(gold)).tolist() if place in left]
            wanted = round(len(items) * HALF * step / (STEPS // 2)) - len(done)
            done = np.concatenate((done, np.array(order[:wanted], dtype=np.int64)))
            left -= set(order[:wanted])
            if learns:
                study = self.known_set.study
                taught = {study.items[place]: study.labels[truth[place]] for place in done.tolist()}
                gold = accord.gold(study, known=taught)
        right = self.right_with(gold, done)
        before, after = self.right_with(self.gold, done[:0]), self.right_with(self.gold, items)
        return (right - before) / (after - before)

    def right_with(self, gold: Gold, decided: IntArray) -> int:
        """How many items are right, some of them decided."""
        truth, codes = self.known_set.truth, gold.codes.copy()
        codes[decided] = truth[decided]
        return int(((codes == truth) & (truth != UNKNOWN)).sum())


def measured(known_set: Known) -> dict[str, Any]:
    walk = Walk(known_set, accord.gold(known_set.study))
    randoms = [walk.gain_at_half(partial(worth, order="random", seed=seed), learns=False) for seed in range(5)]
    return {
        "set": known_set.name,
        "items": len(known_set.truth),
        "decisions": len(contested(known_set)),
        "right before": walk.right_with(walk.gold, NOTHING) / int((known_set.truth != UNKNOWN).sum()),
        "value": walk.gain_at_half(lambda gold: worth(gold, "value"), learns=True),
        "not learning": walk.gain_at_half(lambda gold: worth(gold, "value"), learns=False),
        "disagreement": walk.gain_at_half(lambda gold: worth(gold, "disagreement"), learns=False),
        "random": float(np.mean(randoms)),
    }


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    found: dict[str, list[dict[str, Any]]] = {}
    for known_set in [*real(), *simulated(seeds)]:
        found.setdefault(known_set.name, []).append(measured(known_set))
    ways = ("value", "not learning", "disagreement", "random")
    heads = "".join(f"{way:>14}" for way in ways)
    print(f"{'gain of half of the decisions':32}{'decisions':>10}{'right before':>14}{heads}")
    rows = [mean_of(several) for several in found.values()]
    for row in rows:
        print(
            f"{row['set']:32}{row['decisions']:>10.0f}{row['right before']:>14.3f}"
            + "".join(f"{row[way]:>14.1%}" for way in ways)
        )
    for row in rows:
        print(json.dumps(row))
    below = [row["set"] for row in rows if row["value"] < WANTED]
    if below:
        sys.exit(f"Less than {WANTED:.0%} of the gain: {', '.join(below)}")


def mean_of(several: list[dict[str, Any]]) -> dict[str, Any]:
    """The rows of a crowd that was drawn several times, as one."""
    numbers = [name for name in several[0] if name != "set"]
    return {"set": several[0]["set"], **{name: float(np.mean([row[name] for row in several])) for name in numbers}}


if __name__ == "__main__":
    main()

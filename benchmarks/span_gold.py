"""How long from what a crowd marked to gold spans, and how right are they?

The crowd of named entities in ../shared/data/crowd_ner (2,800 sentences, 46 workers, 193,038 tags, no words) where it
is here, else simulated sentences of the same size. Every method, from the study on, with exact span F1 against the
reference; peers have none of this (seqcrowd and bayesian-ensembles are research code that reads its own files).
--halves splits documents in two and decides each half by itself: does a method win on one half by chance?
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np

import accord
from accord import Study

CROWD = Path(__file__).parents[1] / "../shared/data/crowd_ner"
LABELS = ["PER", "LOC", "ORG", "MISC"]
Columns = dict[str, list[Any]]
RUNS: list[tuple[str, dict[str, Any]]] = [
    ("majority", {}),
    ("token-majority", {}),
    ("dawid-skene", {}),
    ("dawid-skene", {"prior": 0.01}),
    ("dawid-skene", {"prior": 1.0}),
    ("sequence", {}),
    ("sequence", {"prior": 0.01}),
    ("sequence", {"prior": 1.0}),
]


def simulated(seed: int = 0, sentences: int = 2800, people: int = 46) -> tuple[Columns, Columns]:
    """Sentences with entities, each tagged by five people who overlook, relabel and shorten them, each in their way."""
    rng = np.random.default_rng(seed)
    skill = rng.uniform(0.35, 0.9, people)
    swaps = [[rng.permutation(len(LABELS)) for _ in range(2)] for _ in range(people)]
    tags: Columns = {name: [] for name in ("sentence", "token", "annotator", "tag")}
    truth: Columns = {name: [] for name in ("sentence", "token", "tag")}
    for number in range(sentences):
        length = 4 + int(rng.poisson(10))
        units = _units(rng, length)
        rows = [("", units)]
        for who in rng.choice(people, 5, replace=False).tolist():
            seen = [_seen(rng, unit, skill[who], swaps[who]) for unit in units if rng.random() < skill[who]]
            rows.append((f"w{who:02}", seen))
        for who, held in rows:
            table = tags if who else truth
            table["sentence"] += [f"s{number:04}"] * length
            table["token"] += range(length)
            table["tag"] += _tags(held, length)
            if who:
                table["annotator"] += [who] * length
    return tags, truth


def _units(rng: np.random.Generator, length: int) -> list[tuple[int, int, int]]:
    found, at = [], 0
    while at < length:
        size = min(1 + int(rng.poisson(0.6)), length - at)
        if rng.random() < 0.13:
            found.append((at, at + size, int(rng.integers(len(LABELS)))))
            at += size
        at += 1
    return found


def _seen(rng: np.random.Generator, unit: tuple[int, int, int], skill: float, swaps: list[Any]) -> tuple[int, int, int]:
    start, end, label = unit
    shorter = end - start > 1 and rng.random() > skill
    called = label if rng.random() < skill else int(swaps[int(rng.integers(2))][label])
    return start, end - shorter, called


def _tags(units: list[tuple[int, int, int]], length: int) -> list[str]:
    tags = ["O"] * length
    for start, end, label in units:
        tags[start:end] = [f"B-{LABELS[label]}", *[f"I-{LABELS[label]}"] * (end - start - 1)]
    return tags


def run(study: Study, reference: Any, item: str, runs: list[tuple[str, dict[str, Any]]]) -> None:
    """Every method: seconds, units, F1 and how far its confidence is off."""
    print(f"{'method':<16}{'options':<18}{'seconds':>8}{'units':>8}{'F1':>8}{'calibration':>13}")
    for method, options in runs:
        begun = time.perf_counter()
        found = accord.gold(study, method=method, **options)
        seconds = time.perf_counter() - begun
        score: Any = found.score(reference, item=item)  # a SpanScore
        said = ", ".join(f"{name} {value}" for name, value in options.items())
        print(
            f"{method:<16}{said:<18}{seconds:>8.1f}{score.predicted:>8,}{100 * score.f1:>8.2f}"
            f"{score.calibration_error:>13.3f}"
        )


def main() -> None:
    """Read or draw, decide, and score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulated", action="store_true", help="simulated sentences, even where the crowd is here")
    parser.add_argument("--halves", action="store_true", help="each half of the documents by itself")
    given = parser.parse_args()
    if CROWD.is_dir() and not given.simulated:
        begun = time.perf_counter()
        study = accord.read(CROWD / "answers.parquet", labels=LABELS)
        reference: Any = CROWD / "gold.parquet"
        print(f"{study}, read in {time.perf_counter() - begun:.1f} s")
    else:
        tags, truth = simulated()
        study, reference = Study(tags, labels=LABELS), truth
        print(study)
    run(study, reference, "sentence", RUNS)
    if given.halves:
        documents = sorted({str(item)[:4] for item in study.items})
        chosen = set(np.random.default_rng(0).permutation(documents)[: len(documents) // 2].tolist())
        for half in (True, False):
            items = [item for item in study.items if (str(item)[:4] in chosen) == half]
            print(f"\nhalf of {len(items):,} sentences")
            run(study.where("item", *items), reference, "sentence", RUNS[2:])
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()

"""How often findings about scores are right: simulated studies with a planted fault, and honest ones without any.

    python -m benchmarks.score_faults 200

For each fault: how often it is told as a warning of the right name about the right annotator, and how often anybody
else is accused by a finding of this family. For honest studies: how often there is any such warning at all.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import accord

Table = np.ndarray[Any, np.dtype[np.float64]]
NAMES = ("annotator-severity", "central-tendency", "end-of-scale", "halo", "severity-drifts", "scores-backwards")
CULPRIT = 2
HALO, HONEST_OF_THREE = "halo", "honest, three variables"
HONEST = ("honest", HONEST_OF_THREE)


def honest(rng: np.random.Generator, items: int, people: int) -> Table:
    """Truth, small levels of their own, noise."""
    truth = rng.normal(0, 1, (items, 1))
    return truth + rng.normal(0, 0.08, people) + rng.normal(0, rng.uniform(0.6, 0.9), (items, people))


def on_scale(scores: Table, rng: np.random.Generator, steps: int | None, gaps: float) -> Table:
    """Rounded to 1 … steps, with gaps."""
    found = scores.copy() if steps is None else np.clip(np.round((steps + 1) / 2 + scores * (steps - 1) / 5), 1, steps)
    found[rng.random(found.shape) < gaps] = np.nan
    return found


def severe(scores: Table, _: np.random.Generator) -> None:
    """One annotator scores lower."""
    scores[:, CULPRIT] -= 1.0


def middling(scores: Table, _: np.random.Generator) -> None:
    """One annotator uses a third of the scale."""
    scores[:, CULPRIT] *= 0.35


def at_an_end(scores: Table, rng: np.random.Generator) -> None:
    """One annotator says the highest most of the time."""
    scores[rng.random(len(scores)) < 0.75, CULPRIT] = 10.0


def backwards(scores: Table, _: np.random.Generator) -> None:
    """One annotator has the scale turned around."""
    scores[:, CULPRIT] *= -1


def drifting(scores: Table, _: np.random.Generator) -> None:
    """One annotator becomes lenient."""
    scores[:, CULPRIT] += np.linspace(-0.75, 0.75, len(scores))


def halo(rng: np.random.Generator, items: int, people: int, *, planted: bool) -> accord.Study:
    """Three variables of every item; one annotator lets one impression into all of them."""
    rows: dict[str, list[Any]] = {name: [] for name in ("item", "annotator", "what", "score")}
    impression = rng.normal(0, 0.8, items)
    for variable in ("clear", "polite", "correct"):
        scores = honest(rng, items, people)
        if planted:
            scores[:, CULPRIT] += impression
        item, who = np.indices(scores.shape)
        rows["item"] += item.ravel().tolist()
        rows["annotator"] += [f"a{one}" for one in who.ravel()]
        rows["what"] += [variable] * scores.size
        rows["score"] += on_scale(scores, rng, 7, 0.0).ravel().tolist()
    return accord.Study(rows, item="item", annotator="annotator", score="score", task="what")


FAULTS: dict[str, Callable[[Table, np.random.Generator], None]] = {
    "annotator-severity": severe,
    "central-tendency": middling,
    "end-of-scale": at_an_end,
    "scores-backwards": backwards,
    "severity-drifts": drifting,
}


def study_of(scores: Table) -> accord.Study:
    """In the order of items, which is that of time."""
    item, who = np.nonzero(np.isfinite(scores))
    table = {
        "item": item, "annotator": [f"a{one}" for one in who], "score": scores[item, who], "when": item.astype(float),
    }  # fmt: skip
    return accord.Study(table, item="item", annotator="annotator", score="score", time="when")


def accused(study: accord.Study) -> list[tuple[str, tuple[str, ...]]]:
    """The warnings of this family."""
    return [(one.name, one.annotators) for one in accord.explain(study).warnings if one.name in NAMES]


DESIGNS = ((60, 3, 5, 0.0), (100, 4, None, 0.2), (200, 6, 7, 0.3), (40, 10, 5, 0.0))


def drawn(name: str, rng: np.random.Generator, design: tuple[int, int, int | None, float]) -> accord.Study:
    """A study with a fault, or an honest one, of one variable or of three."""
    items, people, steps, gaps = design
    if name in (HALO, HONEST_OF_THREE):
        return halo(rng, items, people, planted=name == HALO)
    scores = honest(rng, items, people)
    if name in FAULTS:
        FAULTS[name](scores, rng)
    return study_of(on_scale(scores, rng, steps, gaps))


def one_kind(name: str, number: int) -> tuple[int, int, Counter[str]]:
    """Studies with the fault told, and with somebody else (or anybody, of an honest study) accused."""
    told, wrong, names = 0, 0, Counter[str]()
    for seed in range(number):
        rng = np.random.default_rng([seed, 5])
        found = accused(drawn(name, rng, DESIGNS[seed % len(DESIGNS)]))
        told += any(one == name and who == (f"a{CULPRIT}",) for one, who in found)
        others = [one for one, who in found if name in HONEST or who != (f"a{CULPRIT}",)]
        wrong += bool(others)
        names.update(others)
    return told, wrong, names


def main(number: int = 200) -> None:
    """A line for each fault, and one for honest studies of each kind."""
    clock, start = time.perf_counter(), time.process_time()
    for name in (*FAULTS, HALO, *HONEST):
        told, wrong, names = one_kind(name, number)
        right = "–" if name in HONEST else f"{told / number:.0%}"
        print(f"{name:25} told {right:>5}   somebody else accused {wrong / number:.1%}  {dict(names)}")
    print(f"{time.perf_counter() - clock:.0f} s by the clock, {time.process_time() - start:.0f} s at work")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)

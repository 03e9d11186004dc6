"""Studies made up for the tests: items with a true label, annotators with a confusion table each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from accord import Study
from accord.annotations.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Simulated:
    """A study whose truth is known."""

    study: Study
    truth: IntArray  # (items,) position of the true label
    accuracy: FloatArray  # (annotators,)

    def right(self, codes: npt.NDArray[Any]) -> float:
        """The share of items whose label is the true one."""
        return float((codes == self.truth).mean())


def simulate(
    items: int = 200,
    accuracy: Any = (0.9, 0.8, 0.8, 0.7, 0.6, 0.5),
    labels: int = 3,
    answers: int = 4,
    seed: int = 0,
    hard: Any = (),
) -> Simulated:
    """Each item answered by some of the annotators, right with the accuracy of each; `hard` items by guessing."""
    rng = np.random.default_rng(seed)
    skill = np.asarray(accuracy, dtype=np.float64)
    truth = rng.integers(0, labels, items)
    who = np.argsort(rng.random((items, len(skill))), axis=1)[:, :answers]
    right = rng.random(who.shape) < skill[who]
    right[list(hard)] = rng.random((len(hard), answers)) < 1 / labels
    wrong = (truth[:, None] + rng.integers(1, labels, who.shape)) % labels
    given = np.where(right, truth[:, None], wrong)
    names = [f"label {place}" for place in range(labels)]
    table = {
        "item": np.repeat(np.arange(items), answers),
        "annotator": [f"person {place:02d}" for place in who.ravel()],
        "label": [names[place] for place in given.ravel()],
    }
    return Simulated(Study(table, labels=names), truth, skill)


def shuffled(study: Study, seed: int) -> Study:
    """The same answers in another order of rows."""
    order = np.random.default_rng(seed).permutation(len(study._annotations.rows[0]))
    return rebuilt(study, order, {}, {})


def rebuilt(study: Study, order: npt.NDArray[Any], people: dict[str, str], labels: dict[Any, Any]) -> Study:
    """The same answers in an order of rows, with other names for annotators and labels."""
    item, annotator, answer, count = study._annotations.rows
    assert (count == 1).all()
    table = {
        "item": [study.items[place] for place in item[order]],
        "annotator": [people.get(study.annotators[place], study.annotators[place]) for place in annotator[order]],
        "label": [labels.get(study.labels[place], study.labels[place]) for place in answer[order]],
    }
    return Study(table, duplicates="repeat")

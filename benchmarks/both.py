"""Other annotators and other items: how often does a 95 % interval with `resample="both"` hold the true value?

    python benchmarks/both.py [studies]

Annotators are drawn from a population of them, items from theirs, and every annotator answers every item. The truth is
the coefficient of all of them. Beside the interval over both stand those over one of them: over items alone it
holds the truth the more rarely the more annotators differ, over annotators alone the more rarely the fewer the items.
What is printed: how often each held, and how wide it was on average. 400 studies: ± 2 points.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

import accord

Codes = npt.NDArray[np.int64]

LABELS, SHARES = 3, (0.5, 0.3, 0.2)
PEOPLE, ITEMS = (3, 5, 10, 20), (30, 100)
STUDIES = 400
OVER = ("items", "annotators", "both")
KINDS = 8  # of items, each of which some annotators know better than others


def of_one_skill(_rng: np.random.Generator, items: int, people: int) -> npt.NDArray[np.float64]:
    """(items, people) how likely each knows the label: all annotators alike."""
    return np.full((items, people), 0.75)


def of_different_skill(rng: np.random.Generator, items: int, people: int) -> npt.NDArray[np.float64]:
    """Annotators differ, on all items alike."""
    return np.tile(rng.beta(6, 2, people), (items, 1))


def of_different_knowledge(rng: np.random.Generator, items: int, people: int) -> npt.NDArray[np.float64]:
    """Annotators differ in which kinds of items they know: an interaction."""
    knows, kind = rng.beta(3, 1.2, (KINDS, people)), rng.integers(0, KINDS, items)
    return np.asarray(knows[kind])


POPULATIONS: dict[str, Callable[[np.random.Generator, int, int], npt.NDArray[np.float64]]] = {
    "one skill": of_one_skill,
    "different skill": of_different_skill,
    "different knowledge": of_different_knowledge,
}


MEAN_SKILL = {"one skill": 0.75, "different skill": 6 / 8, "different knowledge": 3 / 4.2}
HARD, SHARE_HARD = 0.4, 0.2  # how much less a hard item is known, and how many items are hard


def drawn(name: str, items: int, people: int, seed: int) -> Codes:
    """Items × annotators: whoever does not know the label guesses by a leaning of their own; a fifth is hard."""
    rng = np.random.default_rng([sorted(POPULATIONS).index(name), items, people, seed])
    label = rng.choice(LABELS, (items, 1), p=SHARES)
    hard = np.where(rng.random((items, 1)) < SHARE_HARD, HARD, 1.0)
    knows = rng.random((items, people)) < POPULATIONS[name](rng, items, people) * hard
    leaning = rng.dirichlet((4.0,) * LABELS, people).cumsum(axis=1)
    guessed = (rng.random((items, people))[:, :, None] > leaning).sum(axis=2)
    return np.where(knows, label, np.minimum(guessed, LABELS - 1))


@cache
def truth(name: str) -> float:
    """Fleiss' kappa of all annotators and items there are: given its item, an answer depends on nobody else's.

    The mean annotator knows an ordinary item with MEAN_SKILL and guesses every label alike.
    """
    observed, marginals = 0.0, np.zeros(LABELS)
    for ease, common in ((HARD, SHARE_HARD), (1.0, 1 - SHARE_HARD)):
        for label, share in enumerate(SHARES):
            knows = MEAN_SKILL[name] * ease
            given = np.full(LABELS, (1 - knows) / LABELS)
            given[label] += knows
            observed += common * share * float(given @ given)
            marginals += common * share * given
    expected = float(marginals @ marginals)
    return (observed - expected) / (1 - expected)


def spans(name: str, items: int, people: int, studies: int) -> Iterator[dict[str, accord.Interval]]:
    """The intervals of each study, over items, over annotators and over both."""
    for seed in range(1, studies + 1):
        kappa = accord.fleiss_kappa(accord.Study.from_wide(drawn(name, items, people, seed), labels=range(LABELS)))
        yield {over: kappa.interval(resample=over) for over in OVER}  # type: ignore[arg-type]


def main(studies: int = STUDIES) -> None:
    print(f"{studies:,} studies of each kind; how often a 95 % interval holds the truth, and its mean width")
    print(f"{'population':20} {'annotators':>10} {'items':>5}  " + "  ".join(f"{over:>14}" for over in OVER))
    begun = time.process_time()
    for name in POPULATIONS:
        for people in PEOPLE:
            for items in ITEMS:
                found = list(spans(name, items, people, studies))
                cells = []
                for over in OVER:
                    given = [one[over] for one in found if one[over].undefined is None]
                    held = np.mean([span.low <= truth(name) <= span.high for span in given])
                    cells.append(f"{held:7.3f} {np.mean([span.high - span.low for span in given]):6.3f}")
                print(f"{name:20} {people:10} {items:5}  " + "  ".join(cells), flush=True)
    print(f"{time.process_time() - begun:.0f} s of processor time")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))

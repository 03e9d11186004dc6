"""How long does a plan take, does it agree with the formulas, and do studies of the size it names reach the target?

    python -m benchmarks.planning [studies]

For two annotators and two labels the items are set beside the large-sample formulas, for every margin and value of a
grid. Then studies of the size named are labelled answer by answer and measured as a user would, which shares no code
with the plan but the measure itself; the share that reaches the target should be the power, 0.8. Last, pilots of
growing size and measures of every kind are timed.
"""

from __future__ import annotations

import json
import math
import sys
import time
from typing import Any

import numpy as np

import accord
from accord.measures.registered import MEASURES

STUDIES = 2000
THREE = {"a": 0.5, "b": 0.3, "c": 0.2}


def tell(**row: Any) -> None:
    print(json.dumps({name: round(cell, 4) if isinstance(cell, float) else cell for name, cell in row.items()}))


def against_formulas() -> None:
    worst = 0.0
    for share in (0.5, 0.7, 0.9):
        for value in (0.3, 0.6, 0.8):
            for measure in ("cohen_kappa", "scott_pi"):
                for target in ({"width": 0.1, "power": 0.5}, {"above": value - 0.1}):
                    began = time.perf_counter()
                    margins = {"yes": share, "no": 1 - share}
                    found = accord.plan(margins=margins, value=value, measure=measure, rng=1, **target)  # type: ignore[arg-type]
                    assert found.items is not None
                    assert found.closed_form is not None
                    apart = found.items / found.closed_form - 1
                    worst = max(worst, abs(apart)) if "width" in target else worst
                    tell(
                        question="formula", measure=measure, share=share, value=value, **target, items=found.items,
                        error=found.error, formula=found.closed_form, apart=apart, reached=found.reached,
                        seconds=time.perf_counter() - began,
                    )  # fmt: skip
    tell(question="formula", widest_difference_for_a_width=worst)


def labelled(items: int, people: int, knows: float, rng: np.random.Generator) -> accord.Study:
    """Every answer of every annotator."""
    names, shares = np.array(list(THREE)), list(THREE.values())
    true = rng.choice(len(names), p=shares, size=(items, 1))
    guess = rng.choice(len(names), p=shares, size=(items, people))
    return accord.Study.from_wide(names[np.where(rng.random((items, people)) < knows, true, guess)], labels=list(THREE))


def against_labelling(studies: int) -> None:
    rng = np.random.default_rng(2)
    for measure, people in (
        ("fleiss_kappa", 3),
        ("cohen_kappa", 2),
        ("conger_kappa", 4),
        ("gwet_ac", 3),
        ("light_kappa", 3),
    ):
        for target in ({"width": 0.15}, {"above": 0.6}):
            found = accord.plan(margins=THREE, value=0.7, n_annotators=people, measure=measure, rng=1, **target)  # type: ignore[arg-type]
            assert found.items is not None
            reached = 0
            for _ in range(studies):
                result = MEASURES[measure].function(labelled(found.items, people, found.model["knows"], rng))
                if "width" in target:
                    low, high = result.interval()
                    reached += high - low <= target["width"]
                else:
                    reached += result.interval(confidence=0.9).low > target["above"]
            share = reached / studies
            tell(
                question="labelling", measure=measure, annotators=people, **target, items=found.items,
                planned=found.reached, labelled=share, error=math.sqrt(share * (1 - share) / studies),
            )  # fmt: skip


def timed() -> None:
    rng = np.random.default_rng(3)
    for items in (50, 500, 5_000, 50_000):
        for people, measure in ((3, "fleiss_kappa"), (5, "krippendorff_alpha"), (5, "conger_kappa")):
            study = labelled(items, people, 0.8, rng)
            began = time.perf_counter()
            found = accord.plan(study, measure=measure, width=0.1, rng=1)
            tell(
                question="time", pilot=items, annotators=people, measure=measure, items=found.items,
                patterns=len(found.population.shares), seconds=time.perf_counter() - began,
            )  # fmt: skip


if __name__ == "__main__":
    against_formulas()
    against_labelling(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
    timed()

"""How long does it take to judge many models? 100,000 items, 10 people, 20 models: evaluate and alt_test of all.

The study is made from a long table of three million rows (counted apart); then `judge.evaluate` of every model against
the people, with intervals, precision and recall by label, the human ceiling and 190 paired comparisons, and
`judge.alt_tests` with 1,000 resamples of the items. Before anything is timed, a sample is checked against Cohen's kappa
and against the alternative annotator test item by item.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from typing import Any

import numpy as np
import polars as pl

import accord

LABELS, RIGHT = 5, 0.75


def answers(items: int, people: int, models: int) -> tuple[list[str], Any]:
    """People who are right three times in four, models from worse to as good."""
    rng = np.random.default_rng(7)
    truth = rng.integers(LABELS, size=items)
    names = [f"person{number}" for number in range(people)] + [f"model{number:02}" for number in range(models)]
    shares = [RIGHT] * people + list(np.linspace(0.5, RIGHT, models))
    said = [np.where(rng.random(items) < share, truth, rng.integers(LABELS, size=items)) for share in shares]
    return names, np.stack(said, axis=1)


def long_table(names: list[str], grid: Any, people: int) -> pl.DataFrame:
    kinds = ["person"] * people + ["model"] * (len(names) - people)
    items = len(grid)
    return pl.DataFrame(
        {
            "item": np.repeat(np.arange(items), len(names)),
            "annotator": np.tile(names, items),
            "label": grid.ravel(),
            "kind": np.tile(kinds, items),
        }
    )


def check(names: list[str], grid: Any, people: int) -> None:
    """A few hundred items, the slow way."""
    some = grid[:300]
    study = accord.Study(long_table(names, some, people), kind="kind")
    model = names[-1]
    found = accord.judge.evaluate(model, study, gold=names[0]).only.kappa.value
    assert abs(found - accord.cohen_kappa(study.of_annotators([model, names[0]])).value) < 1e-12
    test = accord.judge.alt_test(study, model=model, n_resamples=0)
    for person in range(people):
        others = [other for other in range(people) if other != person]
        his, its = ((some[:, [place]] == some[:, others]).sum(1) for place in (person, names.index(model)))
        assert list(test.annotators)[person]["person_wins"] == int((his > its).sum())
        assert list(test.annotators)[person]["model_wins"] == int((its > his).sum())


def timed(what: str, call: Any) -> tuple[Any, dict[str, Any]]:
    clock, processor = time.perf_counter(), time.process_time()
    found = call()
    spent = {"seconds": round(time.perf_counter() - clock, 2), "processor": round(time.process_time() - processor, 2)}
    return found, {"question": what, **spent}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--items", type=int, default=100_000)
    asked.add_argument("--people", type=int, default=10)
    asked.add_argument("--models", type=int, default=20)
    size = asked.parse_args()
    names, grid = answers(size.items, size.people, size.models)
    check(names, grid, size.people)
    table = long_table(names, grid, size.people)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    study, made = timed("the study from a long table", lambda: accord.Study(table, kind="kind"))
    _, judged = timed("evaluate, all models", lambda: accord.judge.evaluate(None, study))
    tests, tested = timed("alt_test, all models, 1,000 resamples", lambda: accord.judge.alt_tests(study))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert tests.to_table()["rho"][0] > tests.to_table()["rho"][-1]
    together = judged["seconds"] + tested["seconds"]
    for row in (made, judged, tested):
        print(json.dumps({**row, "items": size.items, "people": size.people, "models": size.models}))
    print(json.dumps({"question": "evaluate and alt_test", "seconds": round(together, 2), "must be below": 30,
                      "peak_mb": round(peak), "with the table alone": round(before)}))  # fmt: skip


if __name__ == "__main__":
    main()

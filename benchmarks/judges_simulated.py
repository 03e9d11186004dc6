"""Are planted truths told apart? A model as good as people, a worse, a biased, and one right by chance.

    python -m benchmarks.judges_simulated            a few minutes
    python -m benchmarks.judges_simulated --studies 200

For each truth, the share of simulated studies in which the alternative annotator test passes, in which the verdict is
yes, no, perhaps or not shown, in which the model's kappa is shown to be below a person's, in which its marginals are
shown to differ from people's, and in which the interval of kappa holds the true value. Then the size of the three tests
at the null boundary (nominal 0.05), and how often four models that are alike are said to differ (nominal 0.05).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import accord
from accord.judge.noninferiority import t_test, tango_test, wilcoxon_test

RIGHT, LABELS, PEOPLE = 0.8, 3, 4
Array = Any


def noisy(truth: Array, right: float, rng: np.random.Generator) -> Array:
    """The truth with this probability, else one of the other labels."""
    other = (truth + rng.integers(1, LABELS, len(truth))) % LABELS
    return np.where(rng.random(len(truth)) < right, truth, other)


TRUTHS: dict[str, Callable[[Array, np.random.Generator], Array]] = {
    "as good as people": lambda truth, rng: noisy(truth, RIGHT, rng),
    "better": lambda truth, rng: noisy(truth, 0.9, rng),
    "worse": lambda truth, rng: noisy(truth, 0.6, rng),
    "biased": lambda truth, rng: np.where(rng.random(len(truth)) < 0.6, truth, 0),
    "right by chance": lambda truth, rng: rng.permutation(truth),
}


def study_of(
    model: Callable[[Array, np.random.Generator], Array], items: int, rng: np.random.Generator
) -> accord.Study:
    truth = rng.choice(LABELS, size=items, p=[0.6, 0.25, 0.15])
    people = {f"p{number}": noisy(truth, RIGHT, rng) for number in range(PEOPLE)}
    return accord.Study.from_wide({**people, "model": model(truth, rng)})


def told_apart(items: int, studies: int) -> None:
    for name, model in TRUTHS.items():
        rng = np.random.default_rng(11)
        whole = accord.judge.evaluate("model", study_of(model, 400_000, rng))
        true_kappa = whole.only.kappa.value
        answers: Counter[str] = Counter()
        passed = below = held = leaning = 0
        for _ in range(studies):
            found = accord.judge.verdict(study_of(model, items, rng), models=["model"], n_resamples=200)
            assert found.alternative is not None
            judged = found.evaluation.only
            answers[found.answer("model")] += 1
            passed += found.alternative["model"].passes
            below += judged.gaps["kappa"].high < 0
            leaning += found.bias["model"].p < 0.05
            held += judged.kappa.low <= true_kappa <= judged.kappa.high
        print(json.dumps({
            "model": name, "items": items, "studies": studies, "true kappa": round(true_kappa, 3),
            "passes": passed / studies, "kappa shown below a person's": below / studies,
            "marginals shown to differ": leaning / studies, "interval holds": held / studies,
            "verdicts": {word: number / studies for word, number in sorted(answers.items())},
        }))  # fmt: skip


def sizes(studies: int) -> None:
    """One person at the null boundary: mean difference exactly ε."""
    rng = np.random.default_rng(12)
    for items in (20, 30, 50, 100, 400):
        for discordant in (0.12, 0.2, 0.4):
            shares = [(discordant + 0.1) / 2, (discordant - 0.1) / 2, 1 - discordant]
            drawn = rng.multinomial(items, shares, size=studies).astype(float)
            counts = np.full(studies, float(items)), drawn[:, 0], drawn[:, 1]
            size = {
                name: round(float(np.mean(np.nan_to_num(test(*counts, 0.1)[1], nan=0.0) <= 0.05)), 4)
                for name, test in (("t", t_test), ("tango", tango_test), ("wilcoxon", wilcoxon_test))
            }
            print(json.dumps({"null boundary": items, "discordant": discordant, **size}))


def alike(studies: int) -> None:
    """Four models that are alike, compared in six pairs with Holm's correction."""
    rng = np.random.default_rng(13)
    wrong = 0
    for _ in range(studies):
        truth = rng.integers(LABELS, size=150)
        columns = {f"p{number}": noisy(truth, RIGHT, rng) for number in range(3)}
        columns |= {f"m{number}": noisy(truth, 0.7, rng) for number in range(4)}
        found = accord.judge.evaluate(
            ["m0", "m1", "m2", "m3"], accord.Study.from_wide(columns), people=["p0", "p1", "p2"]
        )
        wrong += bool((np.asarray(found.compared["p_holm"], float) < 0.05).any())
    print(json.dumps({"four models that are alike": studies, "said to differ": wrong / studies}))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--studies", type=int, default=500)
    asked.add_argument("--items", type=int, default=300)
    size = asked.parse_args()
    told_apart(size.items, size.studies)
    sizes(200_000)
    alike(size.studies)


if __name__ == "__main__":
    main()

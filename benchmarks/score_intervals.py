"""Do intervals of measures of scores hold the truth? Simulated studies of normal scores, whose values are known.

python -m benchmarks.score_intervals 300
"""

from __future__ import annotations

import math
import sys

import numpy as np

import accord

ITEM, LEVEL, NOISE = 1.0, (0.0, 0.4, -0.4), 0.8


def truths() -> dict[str, float]:
    """Of a population with these three annotators."""
    r = ITEM**2 / (ITEM**2 + NOISE**2)
    pairs = [(a, b) for place, a in enumerate(LEVEL) for b in LEVEL[:place]]
    apart = [(a - b) ** 2 for a, b in pairs]
    spread = 2 * NOISE**2
    folded = [
        math.sqrt(2 * spread / math.pi) * math.exp(-gap / (2 * spread))
        + math.sqrt(gap) * math.erf(math.sqrt(gap / (2 * spread)))
        for gap in apart
    ]
    total = sum(2 * (ITEM**2 + NOISE**2) + gap for gap in apart)
    return {
        "lin_concordance": len(pairs) * 2 * ITEM**2 / total,
        "mean_absolute_difference": sum(folded) / len(folded),
        "within_item_sd": math.sqrt(NOISE**2 + sum(apart) / (2 * len(pairs))),
        "mean_pearson": r,
        "mean_spearman": 6 / math.pi * math.asin(r / 2),
        "mean_kendall": 2 / math.pi * math.asin(r),
    }


def main(number: int = 300) -> None:
    """How often each interval holds the truth, for four sizes."""
    known = truths()
    for items, gaps in ((20, 0.0), (30, 0.0), (50, 0.2), (200, 0.2)):
        held = dict.fromkeys(known, 0)
        for seed in range(number):
            rng = np.random.default_rng([seed, items])
            scores = rng.normal(0, ITEM, (items, 1)) + np.array(LEVEL) + rng.normal(0, NOISE, (items, 3))
            scores[rng.random(scores.shape) < gaps] = np.nan
            study = accord.Study.from_wide(scores, answers="score")
            for name, value in known.items():
                low, high = getattr(accord, name)(study).interval()
                held[name] += low <= value <= high
        told = ", ".join(f"{name} {count / number:.1%}" for name, count in held.items())
        print(f"{items} items, {gaps:.0%} gaps: {told}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)

"""The oracle of the alternative test, item by item as in the pseudocode of the paper."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats


def closeness(name: str, said: Any, others: list[Any]) -> float:
    if name == "accuracy":
        return float(np.mean([said == other for other in others]))
    if name == "ordinal":
        return float(np.mean([1 - abs(said - other) / 3 for other in others]))
    return -math.sqrt(float(np.mean([(said - other) ** 2 for other in others])))


def alternative_test(
    columns: dict[str, list[Any]], model: str, epsilon: float, name: str
) -> tuple[float, float, list[float]]:
    """ω, ρ and the p-values, item by item as in the paper's pseudocode."""
    people = [person for person in columns if person != model]
    items = [i for i in range(len(columns[model])) if columns[model][i] is not None
             and sum(columns[person][i] is not None for person in people) >= 2]  # fmt: skip
    p, advantages = [], []
    for person in people:
        difference, wins = [], []
        for i in items:
            if columns[person][i] is None:
                continue
            others = [columns[other][i] for other in people if other != person and columns[other][i] is not None]
            if not others:
                continue
            his, its = closeness(name, columns[person][i], others), closeness(name, columns[model][i], others)
            even = abs(his - its) < 1e-9
            difference.append(int(his >= its or even) - int(its >= his or even))
            wins.append(int(its >= his or even))
        p.append(float(stats.ttest_1samp(difference, epsilon, alternative="less").pvalue))
        advantages.append(float(np.mean(wins)))
    m = len(p)
    order = np.argsort(p)
    limit = [(k + 1) / m * 0.05 / sum(1 / r for r in range(1, m + 1)) for k in range(m)]
    passed = [k for k in range(m) if p[order[k]] <= limit[k]]
    return (max(passed) + 1) / m if passed else 0.0, float(np.mean(advantages)), p

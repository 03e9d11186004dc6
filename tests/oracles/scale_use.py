"""Annotators on a scale, slow and obvious."""

from __future__ import annotations

from typing import Any

import numpy as np

Table = np.ndarray[Any, np.dtype[np.float64]]  # items × annotators, NaN for missing


def severities(table: Table) -> Table:
    """Minus the annotators' effects of a least-squares fit with a dummy for every item and annotator."""
    item, who = np.nonzero(np.isfinite(table))
    items, people = table.shape
    design = np.zeros((len(item), items + people))
    design[np.arange(len(item)), item] = 1
    design[np.arange(len(item)), items + who] = 1
    effect = np.linalg.lstsq(design, table[item, who], rcond=None)[0][items:]
    return np.asarray(effect.mean() - effect)


def marginal_log_likelihood(table: Table, severity: Table, threshold: Table, mean: float, sd: float) -> float:
    """Of the rating-scale model, category by category on a fine grid; categories are 0, 1, 2 …"""
    nodes = np.linspace(-7, 7, 561)
    weight = np.exp(-(nodes**2) / 2)
    weight /= weight.sum()
    total = 0.0
    for row in table:
        likely = np.ones_like(nodes)
        for who, score in enumerate(row):
            if np.isfinite(score):
                powers = [
                    k * (mean + sd * nodes - severity[who]) - threshold[:k].sum() for k in range(len(threshold) + 1)
                ]
                likely = likely * np.exp(powers[int(score)]) / np.exp(powers).sum(0)
        total += float(np.log(weight @ likely))
    return total

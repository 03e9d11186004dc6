"""Circular triads of each annotator: within what was compared under one prompt, or over all of it."""

from __future__ import annotations

import math

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.preferences.circular_triads import CircularTriads, circular_of, most_circular
from accord.preferences.comparisons import LOST, WON, Comparisons


def within_items(found: Comparisons) -> CircularTriads | None:
    """Circular triads among what one annotator said under one prompt, added up; None where no prompt has three options.

    ζ is taken over the prompts of which all pairs were decided; the chance of so few circles is normal, since by chance
    a quarter of all triads is circular, with a variance of 3/16 of their number.
    """
    group = found.item * (int(found.annotator.max(initial=0)) + 1) + found.annotator
    order = np.argsort(group, kind="stable")
    starts = np.nonzero(np.diff(group[order], prepend=-1))[0]
    ends = np.append(starts[1:], len(order))
    triads = circular = whole = circular_whole = 0
    most = 0.0
    for start, end in zip(starts[ends - starts >= 3].tolist(), ends[ends - starts >= 3].tolist(), strict=True):
        one = circular_of(_wins(found, order[start:end]))
        triads, circular = triads + one.triads, circular + one.circular
        if one.complete:
            most += most_circular(one.options)
            whole, circular_whole = whole + one.triads, circular_whole + one.circular
    if not triads:
        return None
    zeta = 1 - circular_whole / most if most else math.nan
    return CircularTriads(len(found.options), triads, circular, whole == triads, zeta, _chance(whole, circular_whole))


def _wins(found: Comparisons, rows: IntArray) -> FloatArray:
    """(k, k) of the options in some rows: how often one won over the other."""
    names, place = np.unique(np.concatenate((found.first[rows], found.second[rows])), return_inverse=True)
    first, second = place[: len(rows)], place[len(rows) :]
    wins = np.zeros((len(names), len(names)))
    outcome, weight = found.outcome[rows], found.weight[rows]
    for side, (over, under) in ((WON, (first, second)), (LOST, (second, first))):
        mine = outcome == side
        np.add.at(wins, (over[mine], under[mine]), weight[mine])
    return wins


def _chance(triads: int, circular: int) -> float:
    """Of so few circles or fewer, if every pair is decided by a coin."""
    from scipy.special import ndtr

    return float(ndtr((circular + 0.5 - triads / 4) / math.sqrt(3 * triads / 16))) if triads else math.nan

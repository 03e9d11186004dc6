"""The oracle of gold: models of annotators as their papers write them, and plans for more answers, by counting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
Rows: TypeAlias = Sequence[tuple[int, int, int]]  # item, annotator, answer
SetAnswers: TypeAlias = list[tuple[str, frozenset[str]]]  # of an item: who, and the set they gave


def dawid_skene(rows: Rows, size: tuple[int, int, int], rounds: int) -> tuple[FloatArray, float]:
    """Dawid & Skene (1979): the posterior and the log-likelihood after so many rounds of EM, from the votes on.

    `size` counts items, annotators and labels.
    """
    counts = np.zeros(size)
    for row in rows:
        counts[row] += 1
    posterior = counts.sum(axis=1) / counts.sum(axis=(1, 2))[:, None]
    likelihood = np.zeros(size[0])
    for _ in range(rounds):
        shares = posterior.mean(axis=0)
        confusion = np.einsum("ic,ijk->jck", posterior, counts)
        confusion /= confusion.sum(axis=2, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(counts[:, :, None, :] > 0, counts[:, :, None, :] * np.log(confusion), 0.0)
        joint = np.log(shares) + logs.sum(axis=(1, 3))
        likelihood = np.logaddexp.reduce(joint, axis=1)
        posterior = np.exp(joint - likelihood[:, None])
    return posterior, float(likelihood.sum())


def mace(rows: Rows, size: tuple[int, int, int], rounds: int) -> tuple[FloatArray, float]:
    """MACE (Hovy et al. 2013) by EM, its hidden guesses written out: the posterior and the log-likelihood."""
    items, people, labels = size
    guess, habit = np.full(people, 0.5), np.full((people, labels), 1 / labels)
    pseudo = 0.01 / labels
    posterior = np.zeros((items, labels))
    for i, _, k in rows:
        posterior[i, k] += 1
    posterior /= posterior.sum(axis=1, keepdims=True)
    joint = np.zeros((items, labels))
    for _ in range(rounds):
        guesses, knows, habits = np.full(people, pseudo), np.full(people, pseudo), np.full((people, labels), pseudo)
        for i, j, k in rows:
            knew = posterior[i, k] * (1 - guess[j]) / (1 - guess[j] + guess[j] * habit[j, k])
            knows[j] += knew
            guesses[j] += 1 - knew
            habits[j, k] += 1 - knew
        guess, habit = guesses / (guesses + knows), habits / habits.sum(axis=1, keepdims=True)
        joint = np.full((items, labels), -math.log(labels))
        for i, j, k in rows:
            joint[i] += np.log(guess[j] * habit[j, k] + (1 - guess[j]) * (np.arange(labels) == k))
        posterior = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])
    return posterior, float(np.logaddexp.reduce(joint, axis=1).sum())


def expert_index(
    rows: list[SetAnswers], labels: Iterable[str], *, two_pass: bool
) -> tuple[list[set[str]], dict[str, int]]:
    """Algorithm 1 of Bhowmick, Mitra & Basu (2008): its loops, item after item and category after category.

    Whoever answered twice stands there twice.
    """
    people = sorted({name for row in rows for name, _ in row})
    index = dict.fromkeys(people, 0)
    passes = (False, True) if two_pass else (True,)
    gold: list[set[str]] = []
    for settle in passes:
        gold = []
        for row in rows:
            decided = set()
            for category in labels:
                for_it = [name for name, given in row if category in given]
                against = [name for name, given in row if category not in given]
                counting = not (two_pass and settle)
                if len(for_it) > len(against):
                    decided.add(category)
                    for name in for_it if counting else ():
                        index[name] += 1
                elif len(for_it) < len(against):
                    for name in against if counting else ():
                        index[name] += 1
                elif sum(index[name] for name in for_it) > sum(index[name] for name in against):
                    decided.add(category)
            gold.append(decided)
    return gold, index


def first_sharpening_kappa(grid: list[list[str]], who: int, labels: Sequence[str]) -> float:
    """Kappa with the others' shares, items weighted by one minus the variance of the whole group's shares."""
    weights, agreed, own, other = [], [], [], []
    for row in grid:
        votes = np.array([row.count(label) for label in labels], dtype=np.float64)
        mine = np.array([row[who] == label for label in labels], dtype=np.float64)
        rest = (votes - mine) / (len(row) - 1)
        weights.append(2 * ((votes / len(row)) ** 2).sum() - 1)
        agreed.append(mine @ rest)
        own.append(mine)
        other.append(rest)
    w = np.array(weights) / sum(weights)
    chance = (w @ np.array(own)) @ (w @ np.array(other))
    return float((w @ agreed - chance) / (1 - chance))


def right_after_more(accuracy: float, labels: int, more: int, posterior: float) -> float:
    """How often the most probable label is right after so many more answers: every way in which they can fall."""
    rival, total = (1 - accuracy) / (labels - 1), 0.0
    before = [posterior] + [(1 - posterior) / (labels - 1)] * (labels - 1)
    for given in product(range(labels), repeat=more):
        total += max(before[k] * accuracy ** given.count(k) * rival ** (more - given.count(k)) for k in range(labels))
    return total


def majority_right(accuracy: float, people: int) -> float:
    """How often a majority of two labels is right: every way in which so many can be; a tie counts half."""
    total = 0.0
    for votes in product((True, False), repeat=people):
        chance = math.prod(accuracy if right else 1 - accuracy for right in votes)
        won = sum(votes) - people / 2
        total += chance * (1.0 if won > 0 else 0.5 if won == 0 else 0.0)
    return total

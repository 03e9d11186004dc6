"""Chains of tags the slow way: every sequence of tags is written down, weighed, and counted."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from scipy.special import digamma

from accord.annotations.arrays import BoolArray, FloatArray
from accord.consensus.learned_prior import group_rows


def weighed(says: FloatArray, first: FloatArray, follows: FloatArray) -> dict[tuple[int, ...], float]:
    """Every sequence of a document's tags with its probability times what was said, those that are possible."""
    length, tags = says.shape
    found = {}
    for sequence in product(range(tags), repeat=length):
        weight = first[sequence[0]] * np.exp(says[0, sequence[0]])
        for at in range(1, length):
            weight *= follows[sequence[at - 1], sequence[at]] * np.exp(says[at, sequence[at]])
        if weight > 0:
            found[sequence] = float(weight)
    return found


def tag_probabilities(says: FloatArray, first: FloatArray, follows: FloatArray) -> FloatArray:
    """(tokens, tags): each tag's share of all weight."""
    found = weighed(says, first, follows)
    shares = np.zeros_like(says)
    for sequence, weight in found.items():
        shares[np.arange(len(sequence)), sequence] += weight
    return shares / sum(found.values())


def steps_expected(says: FloatArray, first: FloatArray, follows: FloatArray) -> FloatArray:
    """(tags, tags): how often one tag follows another, on average."""
    found = weighed(says, first, follows)
    counts = np.zeros_like(follows)
    for sequence, weight in found.items():
        for one, other in pairwise(sequence):
            counts[one, other] += weight
    return counts / sum(found.values())


def units_in(sequence: tuple[int, ...]) -> set[tuple[int, int, int]]:
    """First token, last token and label of the units in a legal sequence of tags."""
    units = set()
    for at, tag in enumerate(sequence):
        if tag % 2 == 1:
            last = at
            while last + 1 < len(sequence) and sequence[last + 1] == tag + 1:
                last += 1
            units.add((at, last, (tag - 1) // 2))
    return units


def unit_probability(says: FloatArray, first: FloatArray, follows: FloatArray, unit: tuple[int, int, int]) -> float:
    """The share of all weight with exactly this unit."""
    found = weighed(says, first, follows)
    return sum(weight for sequence, weight in found.items() if unit in units_in(sequence)) / sum(found.values())


def sequence_model(
    documents: list[list[dict[int, int]]], annotators: int, tags: int, rounds: int, priors: tuple[float, float, float]
) -> list[FloatArray]:
    """The sequence model, sequence by sequence: the posteriors of each document's tokens after some rounds.

    A document is a list of tokens, a token a mapping from annotator to tag. `priors` are answers: a table without
    history in each row, everybody's table in an annotator's, and in every cell.
    """
    legal = np.array([[b % 2 == 1 or b == 0 or a in (b, b - 1) for b in range(tags)] for a in range(tags)])
    begins = np.array([b % 2 == 1 or b == 0 for b in range(tags)])
    posterior = [np.array([_shares(token, tags) for token in tokens]) for tokens in documents]
    begun = sum((shares[0] for shares in posterior), np.zeros(tags))
    pairs = (np.outer(s[at - 1], s[at]) for s in posterior for at in range(1, len(s)))
    followed = sum(pairs, np.zeros((tags, tags)))
    for _ in range(rounds):
        counts = _counts(documents, posterior, annotators, tags)
        logs = _logs(counts, priors)
        first = np.where(begins, _expected(begun + 1, begins), 0)
        follows = np.array([np.where(legal[a], _expected(followed[a] + 1, legal[a]), 0) for a in range(tags)])
        saying = [_saying(tokens, logs, tags) for tokens in documents]
        posterior = [tag_probabilities(says, first, follows) for says in saying]
        begun = sum((shares[0] for shares in posterior), np.zeros(tags))
        followed = sum((steps_expected(says, first, follows) for says in saying), np.zeros((tags, tags)))
    return posterior


def _shares(token: dict[int, int], tags: int) -> FloatArray:
    votes = np.bincount(list(token.values()), minlength=tags).astype(np.float64)
    return np.asarray(votes / votes.sum() if votes.sum() else np.eye(tags)[0])


def _before(tokens: list[dict[int, int]], at: int, who: int) -> int:
    return tokens[at - 1].get(who, 0) if at else 0


def _counts(documents: list[list[dict[int, int]]], posterior: list[FloatArray], people: int, tags: int) -> FloatArray:
    counts = np.zeros((people, tags, tags, tags))  # annotator, true tag, said before, answer
    for tokens, shares in zip(documents, posterior, strict=True):
        for at, token in enumerate(tokens):
            for who, answer in token.items():
                counts[who, :, _before(tokens, at, who), answer] += shares[at]
    return counts


def _logs(counts: FloatArray, priors: tuple[float, float, float]) -> FloatArray:
    history, crowd, cell = priors
    logs = np.empty_like(counts)
    group = group_rows(counts.sum(axis=(0, 2)))
    for true in range(counts.shape[1]):
        everybody = group[true]
        for who in range(len(counts)):
            own = counts[who, true].sum(axis=0) + crowd * everybody + cell
            for before in range(counts.shape[2]):
                row = counts[who, true, before] + history * own / own.sum()
                logs[who, true, before] = digamma(row) - digamma(row.sum())
    return logs


def _expected(counts: FloatArray, possible: BoolArray) -> FloatArray:
    return np.asarray(np.exp(digamma(counts) - digamma(counts[possible].sum())))


def _saying(tokens: list[dict[int, int]], logs: FloatArray, tags: int) -> FloatArray:
    says = np.zeros((len(tokens), tags))
    for at, token in enumerate(tokens):
        for who, answer in token.items():
            says[at] += logs[who, :, _before(tokens, at, who), answer]
    return says

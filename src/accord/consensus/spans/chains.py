"""Chains of tags, a document each: what is probable of them, the best of them, and how probable a whole unit is.

All documents take a step together, the longest first, so that a step is one product of matrices and nothing is done
token by token.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray

LEAST = 1e-300


def legal_steps(n_tags: int) -> tuple[BoolArray, BoolArray]:
    """(tags,) which tag may be the first, and (tags, tags) which may follow which: an I only its B or another I."""
    tag = np.arange(n_tags)
    goes_on = (tag > 0) & (tag % 2 == 0)
    same = (tag[:, None] == tag) | (tag[:, None] == tag - 1)
    return ~goes_on, ~goes_on | same


@dataclass(frozen=True, eq=False)
class Steps:
    """How documents walk together."""

    offset: IntArray  # (D + 1,)

    @cached_property
    def order(self) -> IntArray:
        """The first token of every document that has any, the longest document first."""
        lengths = np.diff(self.offset)
        by_length = np.argsort(-lengths, kind="stable")
        return self.offset[:-1][by_length[lengths[by_length] > 0]]

    @cached_property
    def numbers(self) -> list[int]:
        """How many documents have a first token, a second, a third …"""
        lengths = np.sort(np.diff(self.offset))
        longest = int(lengths[-1]) if len(lengths) else 0
        return (len(lengths) - np.searchsorted(lengths, np.arange(longest), side="right")).tolist()  # type: ignore[no-any-return]

    def tokens(self, step: int) -> IntArray:
        """The tokens of a step, of the documents that are that long."""
        return self.order[: self.numbers[step]] + step

    def __iter__(self) -> Iterator[IntArray]:
        return (self.tokens(step) for step in range(len(self.numbers)))


@dataclass(frozen=True, eq=False)
class Chains:
    """The chains of all documents: what each token says of its tag, and which tag follows which."""

    steps: Steps
    log_emissions: FloatArray  # (N, tags) log P(what was said of the token | its tag), up to a constant per token
    first: FloatArray  # (tags,) P(first tag)
    follows: FloatArray  # (tags, tags) P(next tag | tag)

    def best(self) -> IntArray:
        """(N,): the most probable tags of each document as a whole (Viterbi)."""
        with np.errstate(divide="ignore"):
            first, follows = np.log(self.first), np.log(self.follows)
        reached: list[FloatArray] = []
        came_from: list[IntArray] = []
        for tokens in self.steps:
            if not reached:
                reached.append(first + self.log_emissions[tokens])
                continue
            paths = reached[-1][: len(tokens), :, None] + follows
            chosen = paths.argmax(axis=1)
            came_from.append(chosen)
            reached.append(np.take_along_axis(paths, chosen[:, None, :], axis=1)[:, 0] + self.log_emissions[tokens])
        tags = np.zeros(len(self.log_emissions), dtype=np.int64)
        after = np.empty(0, dtype=np.int64)
        for step in range(len(reached) - 1, -1, -1):
            here = reached[step].argmax(axis=1)
            if len(after):
                here[: len(after)] = came_from[step][np.arange(len(after)), after]
            tags[self.steps.tokens(step)] = here
            after = here
        return tags

    def posteriors(self) -> Posteriors:
        """The probability of every tag of every token, of every step, and of what was said (forward–backward)."""
        highest = self.log_emissions.max(axis=1, initial=-np.inf)
        height = np.where(np.isfinite(highest), highest, 0.0)
        likely = np.exp(self.log_emissions - height[:, None])
        ahead = np.zeros_like(likely)  # P(tag | what was said up to here)
        scale = np.ones(len(likely))
        before: IntArray | None = None
        for tokens in self.steps:
            reached = likely[tokens] * (self.first if before is None else ahead[before[: len(tokens)]] @ self.follows)
            scale[tokens] = np.maximum(reached.sum(axis=1), LEAST)
            ahead[tokens] = reached / scale[tokens][:, None]
            before = tokens
        behind = np.ones_like(likely)  # how much more probable a tag makes what was said after it
        steps = np.zeros_like(self.follows)
        for step in range(len(self.steps.numbers) - 2, -1, -1):
            after = self.steps.tokens(step + 1)
            here = after - 1
            backward = likely[after] * behind[after] / scale[after][:, None]
            steps += self.follows * (ahead[here].T @ backward)
            behind[here] = backward @ self.follows.T
        probable = ahead * behind
        return Posteriors(self, likely, probable, behind, scale, steps, float(np.log(scale).sum() + height.sum()))


@dataclass(frozen=True, eq=False)
class Posteriors:
    """What is probable of chains."""

    chains: Chains
    likely: FloatArray  # (N, tags)
    tags: FloatArray  # (N, tags) P(tag | everything said)
    behind: FloatArray  # (N, tags)
    scale: FloatArray  # (N,)
    followed: FloatArray  # (tags, tags) expected number of times that one tag follows another
    log_likelihood: float

    @property
    def begun(self) -> FloatArray:
        """(tags,): expected number of documents that begin with each tag."""
        return np.asarray(self.tags[self.chains.steps.order].sum(axis=0))

    def units(self, first: IntArray, last: IntArray, label: IntArray) -> FloatArray:
        """The probability that a document holds exactly these units, each from its first to its last token.

        Given everything said, the tags of a document are a chain still: a unit is its beginning, every step that goes
        on, and a step that does not.
        """
        begin, inside = 1 + 2 * label, 2 + 2 * label
        log = np.log(np.maximum(self.tags[first, begin], LEAST))
        longer = last > first
        goes_on_inside = np.concatenate((np.zeros((1, self._n_labels)), np.cumsum(self._log_goes_on(2), axis=0)))
        log[longer] += self._log_goes_on(1)[first[longer], label[longer]]
        log[longer] += (goes_on_inside[last, label] - goes_on_inside[np.minimum(first + 1, last), label])[longer]
        at_end = np.where(longer, inside, begin)
        stops = 1.0 - self._goes_on(last, at_end, inside)
        return np.clip(np.exp(log) * stops, 0.0, 1.0)

    @property
    def _n_labels(self) -> int:
        return (int(self.tags.shape[1]) - 1) // 2

    @cached_property
    def _ends(self) -> BoolArray:
        """(N,): is it the last token of its document?"""
        ends = np.zeros(len(self.tags), dtype=np.bool_)
        offset = self.chains.steps.offset
        ends[offset[1:][np.diff(offset) > 0] - 1] = True
        return ends

    def _goes_on(self, token: IntArray, tag: IntArray, to: IntArray) -> FloatArray:
        """P(the next tag is `to` | this one, everything said); nothing goes on after the last token."""
        following = np.minimum(token + 1, len(self.tags) - 1)
        backward = self.likely[following, to] * self.behind[following, to] / self.scale[following]
        share = self.chains.follows[tag, to] * backward / np.maximum(self.behind[token, tag], LEAST)
        return np.where(self._ends[token], 0.0, np.clip(share, 0.0, 1.0))

    def _log_goes_on(self, kind: int) -> FloatArray:
        """(N, labels): log P(the unit goes on), from its B (1) or an I (2)."""
        tokens = np.repeat(np.arange(len(self.tags)), self._n_labels)
        label = np.tile(np.arange(self._n_labels), len(self.tags))
        share = self._goes_on(tokens, kind + 2 * label, 2 + 2 * label)
        return np.log(np.maximum(share, LEAST)).reshape(len(self.tags), self._n_labels)

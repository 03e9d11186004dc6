"""The options of a method and its outcome, before anything has a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.ballots import Ballots
from accord.consensus.checkpoints import Checkpoint
from accord.consensus.em import ITERATIONS, TOLERANCE, OnIteration
from accord.consensus.evidence import Choices, LabelEvidence, choose, votes

VOTED = "voted"  # among the details: votes decided, and a model says how sure that is


@dataclass(frozen=True, eq=False)
class Options:
    """The options of a method, checked and in numbers."""

    known: IntArray | None = None  # (items,) position of the known label, −1 where it is not known
    ties: str = "undecided"
    pseudo: FloatArray | None = None  # (C, K) pseudo-answers of the confusion tables
    learn: bool = False  # is that prior learned from the crowd instead?
    shares: FloatArray | str | None = None  # "learned", "uniform", fixed ones, or None: as the method has it
    inference: str = "variational"
    item_weights: str = "variance"
    iterations: int = ITERATIONS
    tolerance: float = TOLERANCE
    restarts: int = 0
    rng: np.random.Generator | None = None  # None: one of seed 0, made where something is drawn
    on_iteration: OnIteration | None = None
    checkpoint: Checkpoint | None = None

    def fixed_shares(self, number: int, default: str) -> FloatArray | None:
        """The labels' shares if they are fixed; None where they are learned."""
        chosen = default if self.shares is None else self.shares
        if isinstance(chosen, str):
            return None if chosen == "learned" else np.full(number, 1 / number)
        return chosen

    def right_and_wrong(self) -> tuple[float, float]:
        """Pseudo-answers for models with one accuracy: on the right label, and on all wrong ones together.

        What is to be learned begins with one each, and stays there where one accuracy serves all.
        """
        if self.learn:
            return 1.0, 1.0
        if self.pseudo is None:
            return 0.0, 0.0
        labels = len(self.pseudo)
        right = float(np.trace(self.pseudo)) / labels
        return right, float(self.pseudo.sum()) / labels - right

    @property
    def iteration(self) -> dict[str, Any]:
        """The options of an iteration."""
        return {
            "iterations": self.iterations,
            "tolerance": self.tolerance,
            "restarts": self.restarts,
            "rng": self.rng,
            "on_iteration": self.on_iteration,
            "checkpoint": self.checkpoint,
        }


@dataclass(frozen=True, eq=False)
class Progressed:
    """How an iteration went: what it raised, how far, and whether it converged."""

    objective: str
    trace: tuple[float, ...]
    converged: bool
    log_likelihood: float = np.nan
    start: int = 0
    before: int = 0  # iterations before the trace: the prior was still learned

    @property
    def iterations(self) -> int:
        """How many it took."""
        return self.before + len(self.trace)


@dataclass(frozen=True, eq=False)
class Outcome:
    """One question decided for every item: the labels, what they rest on, and what was learned of the annotators."""

    ballots_or_build: Ballots | Callable[[], Ballots]  # where labels were counted without ballots: built when needed
    evidence: LabelEvidence
    choices: Choices
    progress: Progressed | None = None
    weights: FloatArray | None = None  # (annotators,) what an answer of each counts
    weights_are: str = ""
    confusion: FloatArray | None = None  # (annotators, C, K)
    shares: FloatArray | None = None  # (C,) the labels' shares
    item_weights: FloatArray | None = None  # (items,) how clear (sharpening) or easy (GLAD) each item is
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def by_votes(self) -> bool:
        """Do votes decide, whatever the confidence is?"""
        return not self.evidence.models or VOTED in self.details

    @cached_property
    def ballots(self) -> Ballots:
        """The answers that were decided upon."""
        found = self.ballots_or_build
        return found if isinstance(found, Ballots) else found()

    @classmethod
    def of(cls, ballots: Ballots, evidence: LabelEvidence, **more: Any) -> Outcome:
        """Decided by the evidence alone."""
        return cls(ballots, evidence, choose(ballots, evidence), **more)


def plain_votes(outcome: Outcome) -> LabelEvidence:
    """Everybody alike: what people say. A ranked answer gives each of its labels a part."""
    mass = outcome.details.get("mass")
    if mass is None:
        return votes(outcome.ballots)
    return LabelEvidence("vote share", np.zeros(mass.shape[1]), points=mass)


def on_labels(outcome: Outcome) -> Ballots:
    """The ballots with one choice per label: ranked answers, which are more than the labels, by their primary one.

    An answer with several primary labels chooses none of them.
    """
    primary = outcome.details.get("primary")
    if primary is None:
        return outcome.ballots
    ballots = outcome.ballots
    kept = ballots.keep(primary[ballots.cells % ballots.n_answers] >= 0)
    person, answer = np.divmod(kept.cells, ballots.n_answers)
    return Ballots.from_codes(
        item=kept.entry_items(0, kept.n_items),
        annotator=person,
        answer=primary[answer],
        n_items=kept.n_items,
        n_annotators=kept.n_annotators,
        n_answers=outcome.details["mass"].shape[1],
        count=kept.counts,
    )

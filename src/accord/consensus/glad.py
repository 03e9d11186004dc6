"""GLAD (Whitehill et al. 2009): annotators differ in skill, and items in how easy they are."""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import LabelEvidence, pin, softmax, votes
from accord.consensus.lbfgs import Descent, descend
from accord.consensus.method_outcome import Options, Outcome, Progressed

PRIOR_MEAN = 1.0  # of skill and of log ease, with variance one, as published
REACH = 20.0  # a log ease beyond this is cut, though the prior never lets one come near
FROM_VOTES = 20  # steps with the votes as labels


def glad(ballots: Ballots, options: Options) -> Outcome:
    r"""The published model, its log posterior raised directly.

    .. math:: P(y_{ij} = z_i) = \sigma(\alpha_j e^{b_i}), \qquad \alpha_j, b_i \sim N(1, 1)

    A wrong answer is any of the other K − 1 labels, evenly; labels are even beforehand unless `label_shares` fixes
    them. The paper alternates expectation with conjugate gradients; the gradient of the marginal posterior is the same,
    so L-BFGS on it reaches the same modes, and every accepted step raises it. One number per item is learned from few
    answers: ease is worth reading for items with many.

    References: whitehill2009.
    """
    problem, found = _raised(ballots, options)
    skill, ease = problem.split(found.point)
    trace = tuple(-value for value in found.values)
    progress = Progressed("log posterior", trace, found.converged, trace[-1] - problem.penalty(skill, ease))
    return Outcome.of(
        ballots, problem.evidence(skill, ease), progress=progress, weights=skill, weights_are="skill (α)",
        shares=np.exp(problem.log_shares), item_weights=_ease(ease), details={"skill": skill, "ease": _ease(ease)},
    )  # fmt: skip


def skill_and_ease(ballots: Ballots, options: Options) -> tuple[FloatArray, FloatArray, LabelEvidence]:
    """(annotators,), (items,), and what follows for the labels: the model alone, without a label chosen."""
    problem, found = _raised(ballots, options)
    skill, ease = problem.split(found.point)
    return skill, _ease(ease), problem.evidence(skill, ease)


def _raised(ballots: Ballots, options: Options) -> tuple[_Problem, Descent]:
    problem = _Problem(ballots, options)
    start = np.full(ballots.n_annotators + ballots.n_items, PRIOR_MEAN)
    # First with the votes as labels: a long first step on the posterior itself can end where everybody is always wrong.
    start = descend(problem.given_votes, start, FROM_VOTES, options.tolerance).point
    return problem, descend(problem, start, options.iterations, options.tolerance, options.on_iteration)


class _Problem:
    """The log posterior of skills and eases, and its gradient; turned round, as the optimiser goes down."""

    def __init__(self, ballots: Ballots, options: Options) -> None:
        self.ballots, self.known = ballots, options.known
        self.number = ballots.n_answers
        given = options.fixed_shares(self.number, "uniform")
        if given is None:  # the labels of sets are not even: yes is rarer than no, as in the answers
            counted = ballots.by_cell.sum(axis=0) + 1
            given = counted / counted.sum()
        self.log_shares = np.log(given)
        self.item = ballots.entry_items(0, ballots.n_items)
        self.person, answer = np.divmod(ballots.cells.astype(np.int64), self.number)
        self.often: FloatArray | float = 1.0 if ballots.counts is None else ballots.counts.astype(np.float64)
        self.odds = np.log(max(self.number - 1, 1))
        self.votes = np.nan_to_num(votes(ballots, known=options.known).all(ballots))
        self.missing = ballots.per_item == 0
        self.place = self.item * self.number + answer  # of an answer, in the table of items × labels

    def split(self, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Skills and log eases."""
        return point[: self.ballots.n_annotators], point[self.ballots.n_annotators :]

    def penalty(self, skill: FloatArray, ease: FloatArray) -> float:
        """The log density of the priors, up to a constant."""
        return -float(((skill - PRIOR_MEAN) ** 2).sum() + ((ease - PRIOR_MEAN) ** 2).sum()) / 2

    def evidence(self, skill: FloatArray, ease: FloatArray) -> LabelEvidence:
        """An answer speaks for its label by skill times the item's ease, and by there being K − 1 ways to be wrong."""
        return LabelEvidence(
            "posterior", self.log_shares, weights=skill, ease=_ease(ease), fixed=float(self.odds), known=self.known
        )

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        skill, ease = self.split(point)
        easy = _ease(ease).take(self.item)
        strength = skill.take(self.person) * easy
        size = self.ballots.n_items * self.number
        log_odds = np.bincount(self.place, weights=self.often * (strength + self.odds), minlength=size)
        total: FloatArray = np.asarray(log_odds, np.float64).reshape(-1, self.number) + self.log_shares
        if self.known is not None:
            pin(total, self.known, -np.inf)
        missed = np.bincount(
            self.item, weights=self.often * (np.logaddexp(0.0, strength) + self.odds), minlength=len(total)
        )
        soft, log_weight = softmax(total)
        value = float((log_weight - missed)[~self.missing].sum()) + self.penalty(skill, ease)
        return -value, -self._slope(skill, ease, easy, strength, soft.take(self.place))

    def given_votes(self, point: FloatArray) -> tuple[float, FloatArray]:
        """The same with the votes (and known labels) in place of the model's posterior."""
        skill, ease = self.split(point)
        easy = _ease(ease).take(self.item)
        strength = skill.take(self.person) * easy
        hit = self.votes.take(self.place)
        fits = hit * strength - np.logaddexp(0.0, strength) - (1 - hit) * self.odds
        value = float((self.often * fits).sum()) + self.penalty(skill, ease)
        return -value, -self._slope(skill, ease, easy, strength, hit)

    def _slope(
        self, skill: FloatArray, ease: FloatArray, easy: FloatArray, strength: FloatArray, hit: FloatArray
    ) -> FloatArray:
        """The gradient: each answer pulls by its posterior less what its strength says."""
        right = 1 / (1 + np.exp(-np.clip(strength, -500, 500)))
        pull = self.often * (hit - right)
        by_skill = np.bincount(self.person, weights=pull * easy, minlength=len(skill))
        by_ease = np.bincount(self.item, weights=pull * strength, minlength=len(ease))
        return np.concatenate((by_skill - (skill - PRIOR_MEAN), by_ease - (ease - PRIOR_MEAN)))


def _ease(logs: FloatArray) -> FloatArray:
    return np.asarray(np.exp(np.clip(logs, -REACH, REACH)))

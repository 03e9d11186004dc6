"""The rating-scale model with items drawn from a normal distribution: marginal maximum likelihood.

SciPy's L-BFGS-B fits it, which `consensus/lbfgs.py` and `scores/descent_from_zero.py` do without: these have no limits
on both sides, which tell here what has no finite best value, and a study is fitted once. What threads of BLAS lose by
waiting for each other (a busy machine, two cores, SciPy 1.17) is 0.08 to 0.18 s of processor a fit; with one thread it
is 0.002 to 0.007 s. The likelihood takes 1.4 s of processor for 400 items of 60 annotators, 1.2 s for 5,000 of 8.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.scores.rating_scale import Placed, Ratings, RatingScaleFit, errors_of, mean_squares, moments, probabilities

REACH = 6.0  # standard deviations of the items that the grid covers
FEWEST_NODES = 61
MOST_NODES = 401
MOST_STEPS = 2_000
FURTHEST = 30.0  # logits: what runs beyond has no finite best value
SPREADS = (-5.0, 3.0)  # the logarithm of the standard deviation of items
HESSIAN_STEP = 1e-4
MOST_WORK = 20_000_000_000  # rows × nodes × parameters up to which errors are computed


class Marginal:
    """The likelihood with items integrated out on a grid, its derivative, and what follows for items."""

    def __init__(self, data: Ratings) -> None:
        self.data = data
        wanted = int(np.ceil(8 * np.sqrt(float(data.answered.max(initial=1))))) * 2 + FEWEST_NODES
        nodes = min(wanted | 1, MOST_NODES)
        self.z = np.linspace(-REACH, REACH, nodes)
        density = np.exp(-(self.z**2) / 2)
        self.log_weight = np.log(density / density.sum())
        self.cell = data.annotator * data.n_categories + data.category

    def unpacked(self, free: FloatArray) -> tuple[FloatArray, FloatArray, float, float]:
        """Severities, thresholds, mean and sd of the items from free parameters: the last of each is minus the rest."""
        people, steps = self.data.n_annotators, self.data.n_categories - 1
        severity = np.append(free[: people - 1], -free[: people - 1].sum())
        middle = free[people - 1 : people + steps - 2]
        threshold = np.append(middle, -middle.sum())
        return severity, threshold, float(free[-2]), float(np.exp(free[-1]))

    def start(self) -> FloatArray:
        """Nobody severe, thresholds apart, items about the middle."""
        people, steps = self.data.n_annotators, self.data.n_categories - 1
        threshold = np.linspace(-1.0, 1.0, steps) if steps > 1 else np.zeros(1)
        return np.concatenate((np.zeros(people - 1), threshold[:-1], [0.0, 0.0]))

    def value_and_slope(self, free: FloatArray) -> tuple[float, FloatArray]:
        """Minus the log-likelihood, and its derivative by the free parameters."""
        severity, threshold, mean, sd = self.unpacked(free)
        chance = probabilities(mean + sd * self.z - severity[:, None], threshold)  # (R, Q, K)
        total, counts = self._expected(np.log(np.maximum(chance, 1e-300)))
        people, categories = self.data.n_annotators, self.data.n_categories
        counts = counts.reshape(people, categories, -1).transpose(0, 2, 1)  # (R, Q, K)
        given, (expected, _) = counts @ np.arange(categories), moments(chance)
        answers = counts.sum(-1)
        left = given - answers * expected  # (R, Q)
        above = (
            np.cumsum(counts[..., ::-1], -1)[..., ::-1][..., 1:]
            - answers[..., None] * (np.cumsum(chance[..., ::-1], -1)[..., ::-1][..., 1:])
        )
        by_severity, by_threshold = -left.sum(1), -above.sum((0, 1))
        slope = np.concatenate((
            by_severity[:-1] - by_severity[-1], by_threshold[:-1] - by_threshold[-1],
            [left.sum(), sd * float((left @ self.z).sum())],
        ))  # fmt: skip
        return -total, -slope

    def _expected(self, log_chance: FloatArray) -> tuple[float, FloatArray]:
        """The log-likelihood, and (R · K, Q) how often each category is expected at each node."""
        table = log_chance.transpose(0, 2, 1).reshape(-1, len(self.z))  # (R · K, Q)
        counts = np.zeros_like(table)
        total = 0.0
        for patterns, rows in self.data.blocks(len(self.z)):
            posterior, log_sum = self._posterior(table, patterns, rows)
            total += float(self.data.items[patterns] @ log_sum)
            weighed = posterior * self.data.items[patterns][:, None]
            cell = self.cell[rows]
            order = np.argsort(cell, kind="stable")
            spread = weighed[self.data.pattern[rows] - patterns.start][order]
            there, begins = np.unique(cell[order], return_index=True)
            counts[there] += np.add.reduceat(spread, begins, axis=0)
        return total, counts

    def _posterior(self, table: FloatArray, patterns: slice, rows: slice) -> tuple[FloatArray, FloatArray]:
        """(patterns, Q) where an item lies, given its scores; and the logarithm of their probability."""
        power = np.add.reduceat(table[self.cell[rows]], self.data.starts[patterns] - rows.start, axis=0)
        power += self.log_weight
        top = power.max(1, keepdims=True)
        found = np.exp(power - top)
        whole = found.sum(1, keepdims=True)
        return found / whole, (top + np.log(whole))[:, 0]

    def fit(self) -> RatingScaleFit:
        """The best parameters, with errors from the curvature, and what they say of items."""
        from scipy.optimize import minimize  # its threads cost 0.2 s of processor on a busy machine, once a fit

        options = {"maxiter": MOST_STEPS, "maxcor": 30, "ftol": 1e-13, "gtol": 1e-6, "maxfun": 10 * MOST_STEPS}
        start = self.start()
        bounds = [(-FURTHEST, FURTHEST)] * (len(start) - 1) + [SPREADS]
        found = minimize(self.value_and_slope, start, jac=True, method="L-BFGS-B", options=options, bounds=bounds)
        inside = found.x[-1] < SPREADS[1] and bool((np.abs(found.x[:-1]) < FURTHEST).all())
        severity, threshold, mean, sd = self.unpacked(found.x)
        errors = self._errors(found.x)
        placed = self._placed(severity, threshold, mean, sd)
        return RatingScaleFit(
            "mml", severity, errors[0], threshold, errors[1], placed, mean, sd, -float(found.fun),
            bool(found.success) and inside,
            int(found.nit),
        )  # fmt: skip

    def _errors(self, free: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of severities and thresholds, from differences of the derivative; NaN where that takes too long."""
        people, size = self.data.n_annotators, len(free)
        nothing = np.full(people, np.nan), np.full(self.data.n_categories - 1, np.nan)
        if len(self.data.pattern) * len(self.z) * size > MOST_WORK:
            return nothing
        curve = np.empty((size, size))
        for place in range(size):
            step = np.zeros(size)
            step[place] = HESSIAN_STEP
            ahead, behind = (self.value_and_slope(free + sign * step)[1] for sign in (1, -1))
            curve[place] = (ahead - behind) / (2 * HESSIAN_STEP)
        return errors_of(
            np.asarray(np.linalg.pinv((curve + curve.T) / 2), np.float64), people, self.data.n_categories - 1
        )

    def _placed(self, severity: FloatArray, threshold: FloatArray, mean: float, sd: float) -> Placed:
        """Where items lie with errors, what an annotator of mean severity would say, and fit by annotator and item."""
        node = mean + sd * self.z
        chance = probabilities(node - severity[:, None], threshold)
        table = np.log(np.maximum(chance, 1e-300)).transpose(0, 2, 1).reshape(-1, len(self.z))
        expected, variance = moments(chance)  # (R, Q)
        plain, _ = moments(probabilities(node, threshold))  # (Q,)
        data, size = self.data, len(self.data.items)
        found = np.empty((4, size))
        left, spread, ratio = (np.empty(len(data.pattern)) for _ in range(3))
        for patterns, rows in data.blocks(len(self.z)):
            posterior, _ = self._posterior(table, patterns, rows)
            for place, what in ((0, node), (2, plain)):
                centre = posterior @ what
                found[place, patterns] = centre
                found[place + 1, patterns] = np.sqrt(np.maximum(posterior @ what**2 - centre**2, 0))
            mine = posterior[data.pattern[rows] - patterns.start]
            who = data.annotator[rows]
            squares = (data.category[rows][:, None] - expected[who]) ** 2
            left[rows] = (mine * squares).sum(1)
            spread[rows] = (mine * variance[who]).sum(1)
            ratio[rows] = (mine * divide(squares, variance[who])).sum(1)
        by_annotator, by_item = mean_squares(data, left, spread, ratio)
        return Placed(found[0], found[1], found[2], found[3], by_annotator, by_item)

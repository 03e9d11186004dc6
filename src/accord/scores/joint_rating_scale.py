"""The rating-scale model with a free location for every item: joint maximum likelihood, uncorrected.

With few scores an item its estimates lie too far apart (here, with r scores an item, by about r / (r − 1)): it is here
to be compared with programs that use it, and `marginal_rating_scale` serves otherwise.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.scores.rating_scale import Placed, Ratings, RatingScaleFit, errors_of, mean_squares, moments, probabilities

CLOSE = 1e-9  # a step below this ends the search
MOST_STEPS = 2_000
FURTHEST = 30.0  # logits: what runs beyond has no finite best value


class Joint:
    """Every item with a location of its own: Newton's steps in turns, until none moves."""

    def __init__(self, data: Ratings) -> None:
        self.data = data
        self.free = ~data.extreme_items  # the others lie beyond every finite location
        self.rows = self.free[data.pattern]

    def fit(self) -> RatingScaleFit:
        """Items, severities and thresholds in turns."""
        data, keep = self.data, self.rows
        pattern, who, category = data.pattern[keep], data.annotator[keep], data.category[keep].astype(np.float64)
        weight = data.weight[keep]
        location, severity = np.zeros(len(data.items)), np.zeros(data.n_annotators)
        threshold = np.linspace(-1, 1, data.n_categories - 1) if data.n_categories > 2 else np.zeros(1)
        above = np.arange(1, data.n_categories)
        step, largest = 0, np.inf
        while largest > CLOSE and step < MOST_STEPS and max(np.abs(location).max(), np.abs(severity).max()) < FURTHEST:
            step += 1
            largest = 0.0
            for what in ("location", "severity", "threshold"):
                chance = probabilities(location[pattern] - severity[who], threshold)
                expected, variance = moments(chance)
                if what == "location":
                    move = _newton(pattern, category - expected, variance, len(location))
                    location += move
                elif what == "severity":
                    move = _newton(who, weight * (expected - category), weight * variance, len(severity))
                    severity += move
                    severity -= severity.mean()
                else:
                    over = np.cumsum(chance[:, ::-1], 1)[:, ::-1][:, 1:]
                    rest = (weight[:, None] * (over - (category[:, None] >= above))).sum(0)
                    move = np.nan_to_num(divide(rest, (weight[:, None] * over * (1 - over)).sum(0)))
                    move -= move.mean()
                    threshold = threshold + np.clip(move, -1, 1)
                largest = max(largest, float(np.abs(move).max(initial=0)))
        return self._finished(location, severity, threshold, largest <= CLOSE, step)

    def _finished(
        self, location: FloatArray, severity: FloatArray, threshold: FloatArray, converged: bool, steps: int
    ) -> RatingScaleFit:
        """With errors from the full information, items eliminated."""
        data, keep = self.data, self.rows
        eta = location[data.pattern] - severity[data.annotator]
        chance = probabilities(eta, threshold)
        expected, variance = moments(chance)
        weight = np.where(keep, data.weight, 0.0)
        cover, item_variance = self._cover(chance, variance, weight)
        errors = errors_of(cover, data.n_annotators, data.n_categories - 1)
        location = np.where(self.free, location, np.nan)
        plain, plain_variance = moments(probabilities(np.nan_to_num(location), threshold))
        highest = data.category[data.starts] > 0
        fair = np.where(self.free, plain, np.where(highest, data.n_categories - 1.0, 0.0))
        item_error = np.where(self.free, np.sqrt(item_variance), np.nan)
        left = (data.category - expected) ** 2
        log_chance = np.log(np.maximum(chance[np.arange(len(eta)), data.category], 1e-300))
        rows = (data.pattern[keep], data.annotator[keep], data.category[keep])
        kept = Ratings(*rows, data.items, data.n_annotators, data.n_categories)
        fits = mean_squares(kept, left[keep], variance[keep], divide(left, variance)[keep])
        items = np.where(self.free, data.items, 0.0)
        mean = float(divide(items @ np.nan_to_num(location), items.sum()))
        sd = float(np.sqrt(divide(items @ (np.nan_to_num(location) - mean) ** 2, items.sum())))
        placed = Placed(location, item_error, fair, item_error * plain_variance, *fits)
        log_likelihood = float(weight @ log_chance)
        return RatingScaleFit(
            "jml", severity, errors[0], threshold, errors[1], placed, mean, sd, log_likelihood, converged, steps
        )

    def _cover(self, chance: FloatArray, variance: FloatArray, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The covariance of free severities and thresholds, and (P,) the variance of locations given these."""
        data = self.data
        people, steps, items = data.n_annotators, data.n_categories - 1, len(data.items)
        over = np.cumsum(chance[:, ::-1], 1)[:, ::-1][:, 1:]  # (M, K − 1) P(category ≥ h)
        mean = over.sum(1, keepdims=True)
        category = np.arange(1, data.n_categories)
        tail = (np.arange(data.n_categories) >= category[:, None]).astype(np.float64)  # (K − 1, K)
        with_score = chance * np.arange(data.n_categories) @ tail.T - over * mean  # cov of score and [≥ h]
        size = people + steps
        curve = np.zeros((size, size))
        curve[np.arange(people), np.arange(people)] = add_up(data.annotator, weight * variance, people)
        for place in range(steps):
            column = people + place
            curve[:people, column] = add_up(data.annotator, weight * with_score[:, place], people)
            curve[column, :people] = curve[:people, column]
            for other in range(steps):
                both = over[:, max(place, other)] - over[:, place] * over[:, other]
                curve[column, people + other] = float(weight @ both)
        cross = np.zeros((items, size))  # of one item of each pattern with the parameters
        np.add.at(cross, (data.pattern, data.annotator), -variance)
        for place in range(steps):
            cross[:, people + place] = -add_up(data.pattern, with_score[:, place], items)
        own = np.maximum(add_up(data.pattern, variance, items), 1e-12)
        there = self.free
        curve -= (cross[there] * (data.items[there] / own[there])[:, None]).T @ cross[there]
        turn = _last_is_minus_the_rest(people, steps)
        return np.asarray(np.linalg.pinv(np.nan_to_num(turn.T @ curve @ turn)), np.float64), divide(1.0, own)


def _newton(place: IntArray, slope: FloatArray, curve: FloatArray, size: int) -> FloatArray:
    """One bounded step each."""
    return np.clip(np.nan_to_num(divide(add_up(place, slope, size), add_up(place, curve, size))), -1.0, 1.0)


def _last_is_minus_the_rest(people: int, steps: int) -> FloatArray:
    """(all, free) how free parameters make all of them."""
    turn = np.zeros((people + steps, people + steps - 2))
    turn[: people - 1, : people - 1] = np.eye(people - 1)
    turn[people - 1, : people - 1] = -1
    turn[people : people + steps - 1, people - 1 :] = np.eye(steps - 1)
    turn[people + steps - 1, people - 1 :] = -1
    return turn

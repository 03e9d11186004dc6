"""Bradley and Terry's model with Davidson's ties: strengths of options from who was preferred to whom.

Of two options with log strengths β, the first wins, they tie, or the second wins with weights

    exp(γ + d/2),  exp(δ),  exp(−d/2),      d = β_first − β_second + θ · lead,

where γ is the advantage of standing first, δ the log of Davidson's ν, and θ what a lead in a covariate is worth.
Everything is a sum over cells of comparisons that are alike (the same two options in the same order, the same lead),
so that a million comparisons cost no more than the pairs of options. Newton's method; the log likelihood is concave.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.preferences.comparisons import LOST, TIED, WON, Comparisons

Ties: TypeAlias = Literal["davidson", "half", "drop"]
STEPS = 100
SETTLED = 1e-9  # the step of every parameter, in its own unit
FAR = 25.0  # log odds beyond which a parameter runs away
HALF = np.array([0.5, 0.0, -0.5])  # how an outcome moves with the difference of strengths: won, tied, lost


@dataclass(frozen=True, eq=False)
class Cells:
    """Comparisons that are alike, counted: (C,) options, (C, V) lead, (C, 3) how often what came out."""

    size: int  # of the options
    first: IntArray
    second: IntArray
    lead: FloatArray
    count: FloatArray

    @classmethod
    def of(cls, comparisons: Comparisons, ties: Ties) -> Cells:
        """The cells of comparisons; with ties as they are, as half a win each, or left out."""
        size, width = len(comparisons.options), comparisons.lead.shape[1]
        if not width:
            shown = comparisons.shown.reshape(size * size, 3)
            there = np.nonzero(shown.sum(1))[0]
            first, second, count = there // size, there % size, shown[there].copy()
            lead = np.empty((len(there), 0))
        else:
            first, second, lead = comparisons.first, comparisons.second, comparisons.lead
            count = np.zeros((len(first), 3))
            count[np.arange(len(first)), comparisons.outcome] = comparisons.weight
        if ties == "half":
            count[:, [WON, LOST]] += count[:, [TIED]] / 2
        if ties != "davidson":
            count[:, TIED] = 0
        keep = count.sum(1) > 0
        return cls(size, first[keep], second[keep], lead[keep], count[keep])


@dataclass(frozen=True, eq=False)
class StrengthModel:
    """The model on some cells: which parameters it has, and its derivatives at any of their values."""

    cells: Cells
    ordered: bool  # has standing first an effect?
    tied: bool  # has it ties?
    ridge: float = 0.0

    @property
    def width(self) -> int:
        """How many parameters: strengths, covariates, order, ties."""
        return self.order_at + int(self.ordered) + int(self.tied)

    @property
    def order_at(self) -> int:
        """Where the effect of standing first stands among the parameters."""
        return self.cells.size + int(self.cells.lead.shape[1])

    @property
    def tie_at(self) -> int:
        """Where log ν stands."""
        return self.order_at + self.ordered

    def chances(self, values: FloatArray, first: IntArray, second: IntArray, lead: FloatArray) -> FloatArray:
        """(C, 3) the chance of each outcome; of impossible ties 0."""
        size = self.cells.size
        ahead = values[first] - values[second] + lead @ values[size : self.order_at]
        logs = np.full((len(first), 3), -np.inf)
        logs[:, WON] = ahead / 2 + (values[self.order_at] if self.ordered else 0.0)
        logs[:, LOST] = -ahead / 2
        if self.tied:
            logs[:, TIED] = values[self.tie_at]
        logs -= logs.max(1, keepdims=True)
        weights = np.exp(logs)
        return np.asarray(weights / weights.sum(1, keepdims=True))

    def log_likelihood(self, values: FloatArray) -> float:
        """Of the cells, less the ridge where there is one."""
        cells = self.cells
        chance = self.chances(values, cells.first, cells.second, cells.lead)
        logs = np.log(np.where(cells.count > 0, np.maximum(chance, 1e-300), 1.0))
        return float((cells.count * logs).sum() - 0.5 * self.ridge * (values[: cells.size] ** 2).sum())

    def gradient(self, values: FloatArray, chance: FloatArray) -> FloatArray:
        """(P,) the slope of the log likelihood."""
        cells = self.cells
        total = cells.count.sum(1)
        ahead = cells.count @ HALF - total * (chance @ HALF)
        found = self._along(ahead)
        if self.ordered:
            found[self.order_at] = (cells.count[:, WON] - total * chance[:, WON]).sum()
        if self.tied:
            found[self.tie_at] = (cells.count[:, TIED] - total * chance[:, TIED]).sum()
        found[: cells.size] -= self.ridge * values[: cells.size]
        return found

    def _along(self, ahead: FloatArray) -> FloatArray:
        """(P,) Σ over cells of a number times how strengths and covariates stand in the difference."""
        cells, found = self.cells, np.zeros(self.width)
        found[: cells.size] = add_up(cells.first, ahead, cells.size) - add_up(cells.second, ahead, cells.size)
        found[cells.size : self.order_at] = ahead @ cells.lead
        return found

    def information(self, chance: FloatArray) -> FloatArray:
        """(P, P) minus the second derivative of the log likelihood, ridge included."""
        cells, size = self.cells, self.cells.size
        total, mean = cells.count.sum(1), chance @ HALF
        found = np.zeros((self.width, self.width))
        spread = total * (chance @ HALF**2 - mean**2)
        met = add_up(cells.first * size + cells.second, spread, size * size).reshape(size, size)
        met = met + met.T
        found[:size, :size] = np.diag(met.sum(1)) - met
        for place in range(cells.lead.shape[1]):
            found[size + place, : self.order_at] = self._along(spread * cells.lead[:, place])[: self.order_at]
            found[: self.order_at, size + place] = found[size + place, : self.order_at]
        beside = [(self.order_at, WON)] if self.ordered else []
        beside += [(self.tie_at, TIED)] if self.tied else []
        for at, outcome in beside:
            share = chance[:, outcome]
            row = self._along(total * share * (HALF[outcome] - mean))
            found[at, : self.order_at] = found[: self.order_at, at] = row[: self.order_at]
            for other, what in beside:
                same = share if what == outcome else 0.0
                found[at, other] = (total * (same - share * chance[:, what])).sum()
        found[range(size), range(size)] += self.ridge
        return found

    def solve(self) -> StrengthEstimate:
        """The most likely values; `runs_away` where there are none."""
        values = np.zeros(self.width)
        if self.tied:
            ties, rest = self.cells.count[:, TIED].sum(), self.cells.count[:, [WON, LOST]].sum()
            values[self.tie_at] = np.log(max(2 * ties, 0.5) / max(rest, 0.5))
        now = self.log_likelihood(values)
        for _ in range(STEPS):
            chance = self.chances(values, self.cells.first, self.cells.second, self.cells.lead)
            information = self.information(chance)
            step = self._step(information, self.gradient(values, chance))
            if step is None or np.abs(values).max() > FAR * self._units.max():
                return StrengthEstimate(self, values, now, information, runs_away=True)
            if (np.abs(step) < SETTLED * self._units).all():
                return StrengthEstimate(self, values + step, self.log_likelihood(values + step), information)
            values, now = self._uphill(values, step, now)
        return StrengthEstimate(self, values, now, information, runs_away=True)

    @cached_property
    def _units(self) -> FloatArray:
        """(P,) what a step of one is worth: a covariate's is one divided by its spread."""
        found = np.ones(self.width)
        spread = self.cells.lead.std(0) if len(self.cells.lead) else np.empty(0)
        found[self.cells.size : self.order_at] = 1 / np.where(spread > 0, spread, 1.0)
        return found

    def _step(self, information: FloatArray, gradient: FloatArray) -> FloatArray | None:
        """Newton's step; None where no direction tells."""
        scale = 1 / self._units
        try:
            step = np.linalg.solve(self.held(information) / np.outer(scale, scale), gradient / scale) / scale
        except np.linalg.LinAlgError:
            return None
        return step if np.isfinite(step).all() else None

    def held(self, information: FloatArray) -> FloatArray:
        """(P, P) the information with the sum of the strengths held at 0, without which it has no inverse."""
        found = information.copy()
        found[: self.cells.size, : self.cells.size] += 1 / self.cells.size
        return found

    def _uphill(self, values: FloatArray, step: FloatArray, now: float) -> tuple[FloatArray, float]:
        """The step, or as much of it as makes the likelihood higher."""
        for _ in range(40):
            tried = self.log_likelihood(values + step)
            if tried >= now - 1e-12 * abs(now):
                return values + step, tried
            step = step / 2
        return values, now


@dataclass(frozen=True, eq=False)
class StrengthEstimate:
    """The values of a model's parameters, and what their covariance follows from."""

    model: StrengthModel
    values: FloatArray
    log_likelihood: float
    information: FloatArray
    runs_away: bool = False

    @cached_property
    def bread(self) -> FloatArray:
        """(P, P) the inverse information of strengths that sum to 0: the covariance if all comparisons are independent.

        Undetermined directions have no inverse; `undetermined` tells.
        """
        size = self.model.cells.size
        found = np.linalg.inv(self.model.held(self.information))
        found[:size, :size] -= 1 / (size * (1 + self.model.ridge))
        return np.asarray(found)

    @property
    def undetermined(self) -> bool:
        """Can some parameters not be told from others, whatever the outcomes?"""
        held = self.model.held(self.information)
        scale = np.sqrt(np.maximum(np.diag(held), 1e-300))
        return bool(np.linalg.cond(held / np.outer(scale, scale)) > 1e11)

    def scores(self, comparisons: Comparisons, ties: Ties) -> ComparisonScores:
        """How every comparison pulls at the parameters."""
        model, size = self.model, len(comparisons.options)
        if comparisons.lead.shape[1]:
            cell, where = np.arange(len(comparisons)), comparisons
            chance = model.chances(self.values, where.first, where.second, where.lead)
        else:  # comparisons of two options in one order are alike
            cell, every = comparisons.first * size + comparisons.second, np.arange(size * size)
            chance = model.chances(self.values, every // size, every % size, np.empty((size * size, 0)))
        # by outcome: what was said, and what the model expects
        pulls = [(HALF, chance @ HALF)]
        if model.ordered:
            pulls.append((np.array([1.0, 0.5 if ties == "half" else 0.0, 0.0]), chance[:, WON]))
        if model.tied:
            pulls.append((np.array([0.0, 1.0, 0.0]), chance[:, TIED]))
        outcome = comparisons.outcome
        weight = comparisons.weight
        if ties == "drop":
            weight = np.where(outcome == TIED, 0.0, weight)
        ahead, *beside = (weight * (observed[outcome] - expected[cell]) for observed, expected in pulls)
        return ComparisonScores(self, comparisons, ahead, beside)


@dataclass(frozen=True, eq=False)
class ComparisonScores:
    """(comparisons, parameters) how every comparison pulls at the parameters, without the zeros."""

    estimate: StrengthEstimate
    comparisons: Comparisons
    ahead: FloatArray  # (C,) for the first and against the second; times the lead, for covariates
    beside: list[FloatArray]  # (C,) at the order effect and at ties

    def of_rows(self, rows: IntArray) -> ComparisonScores:
        """Some of the comparisons."""
        return replace(
            self, comparisons=self.comparisons.where(rows), ahead=self.ahead[rows],
            beside=[one[rows] for one in self.beside],
        )  # fmt: skip

    def by_item(self, number: int | None = None) -> Any:
        """(items, P) as a sparse matrix: what the comparisons of each item add; `number` of items, else those here."""
        from scipy.sparse import coo_array

        found, item = self.comparisons, self.comparisons.item
        size, model = len(found.options), self.estimate.model
        columns = [found.first, found.second]
        entries = [self.ahead, -self.ahead]
        for place in range(found.lead.shape[1]):
            columns.append(np.full(len(item), size + place))
            entries.append(self.ahead * found.lead[:, place])
        for place, pull in enumerate(self.beside):
            columns.append(np.full(len(item), model.order_at + place))
            entries.append(pull)
        shape = (int(item.max(initial=-1)) + 1 if number is None else number, model.width)
        return coo_array(
            (np.concatenate(entries), (np.tile(item, len(columns)), np.concatenate(columns))), shape=shape
        ).tocsr()

    def meat(self) -> FloatArray:
        """(P, P) Σ over items of their pull with itself."""
        found = self._of_one_pair_each()
        if found is not None:
            return found
        pulls, times = self.by_item(), self.comparisons.times
        return np.asarray((pulls.T @ (pulls if times is None else pulls.multiply(times[:, None]))).todense())

    def _of_one_pair_each(self) -> FloatArray | None:
        """The same where every item compares one pair of options, from sums over the pairs; None where items do not."""
        found, size, width = self.comparisons, len(self.comparisons.options), self.estimate.model.width
        low, high = np.minimum(found.first, found.second), np.maximum(found.first, found.second)
        pair, number = low * size + high, int(found.item.max(initial=-1)) + 1
        of_item = np.zeros(number, dtype=np.int64)
        of_item[found.item] = pair
        if not (of_item[found.item] == pair).all():
            return None
        pull = add_up(found.item, np.where(found.first == low, self.ahead, -self.ahead), number)
        others = [self.ahead * found.lead[:, place] for place in range(found.lead.shape[1])] + self.beside
        rest = [add_up(found.item, one, number) for one in others]
        alike = 1.0 if found.times is None else found.times
        meat = np.zeros((width, width))
        squares = add_up(of_item, alike * pull * pull, size * size).reshape(size, size)
        squares = squares + squares.T
        meat[:size, :size] = np.diag(squares.sum(1)) - squares
        for place, one in enumerate(rest, start=size):
            products = add_up(of_item, alike * pull * one, size * size).reshape(size, size)
            meat[place, :size] = meat[:size, place] = products.sum(1) - products.sum(0)
            meat[place, size:] = [float((alike * one) @ other) for other in rest]
        return meat

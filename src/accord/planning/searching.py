"""The fewest items with which a study reaches its target: guessed from the root-n law, found and confirmed by drawing.

Most studies of a size do a little better or worse than the mean. What counts is the outcome that all but the unlucky
ones reach: the quantile of widths, or of lower bounds, at the wanted power. It changes with the items like
a + b / √n, so a line through a few sizes gives the size at which it meets the target, and how sure that is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import quantile
from accord.planning.population import Population
from accord.planning.simulation import Trials, follows_studies, spread, trials

FEWEST = 5  # items; with fewer, an interval from a standard error says nothing
MOST_ITEMS = 10_000_000
NO_SPREAD = "All items agree to the same degree, so they do not show by how much the value of others could differ."
AROUND = (0.7, 0.85, 1.0, 1.2, 1.4)  # sizes tried around a guess, as parts of it
CLOSER = (0.85, 0.92, 1.0, 1.08, 1.17)  # the same where the first answer does not confirm
DOUBTFUL = 1.2  # about three Monte Carlo errors of a share near 0.8, times the root of the draws
ROUNDS = 8
FARTHEST = 1e100  # of where a line meets a limit, whose powers are numbers too
CELLS = 4_000_000  # numbers of items drawn for one size
FEWEST_SIMULATIONS = 200
RECOMPUTED_COST = 8  # how many times longer a coefficient on ranks takes, which is made anew for every study

Kind: TypeAlias = Literal["width", "above"]
Tell: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class PlanTarget:
    """What a study should reach, and how often."""

    kind: Kind
    goal: float
    power: float
    confidence: float

    def outcome(self, simulated: Trials) -> FloatArray:
        """The width of each interval, or minus its lower bound, smaller being better; infinite where there is none."""
        found = simulated.width(self.confidence) if self.kind == "width" else -simulated.bound(self.confidence)
        return np.where(np.isfinite(found), found, np.inf)

    @property
    def limit(self) -> float:
        """What the outcome must not exceed."""
        return self.goal if self.kind == "width" else -self.goal

    def reached(self, simulated: Trials) -> float:
        """The share of studies that reach it."""
        return float(np.mean(self.outcome(simulated) <= self.limit))

    def by_law(self, value: float, spread: float) -> float:
        """The items by the root-n law: value ± z · spread / √n."""
        from scipy.special import ndtri

        if self.kind == "width":
            errors = float(2 * quantile(self.confidence) * spread / self.goal)
            return errors * errors  # the square of a very large one would be an error of Python's
        if value <= self.goal:
            return math.inf
        z = float(ndtri(self.confidence) + ndtri(self.power))
        return (z * spread / (value - self.goal)) ** 2 if z > 0 else 0.0


@dataclass(frozen=True)
class Point:
    """One size that was tried: its outcome at the wanted power, and how sure that is."""

    items: float
    outcome: float
    error: float


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The items needed, their Monte Carlo error, and the share of studies of that size that reach the target."""

    items: int | None
    error: float = math.nan
    reached: float = math.nan
    n_simulations: int = 0
    why: str | None = None


def search(
    population: Population, target: PlanTarget, n_simulations: int, rng: np.random.Generator, report: Tell
) -> SearchResult:
    """The fewest items with which the target is reached as often as wanted."""
    sigma = spread(population)
    reason = unreachable(population, target, sigma)
    if reason:
        return SearchResult(None, why=reason)
    size = size_of(population, n_simulations)
    guess = _bounded(target.by_law(population.value, sigma))
    for turn in range(ROUNDS):
        points = [point(population, target, guess * part, size, rng) for part in AROUND]
        report(turn + 1, ROUNDS + 2)
        if not all(math.isfinite(at.outcome) for at in points):
            return _halved(population, target, guess, size, rng)
        new, error = _meets(points, target.limit)
        if guess / 1.25 <= new <= guess * 1.25 or (guess == FEWEST and new < guess):
            break
        guess = _bounded(min(max(new, guess / 4), guess * 4))
    found = _confirmed(population, target, new, error, size, rng)
    report(ROUNDS + 1, ROUNDS + 2)
    if found.items is not None and abs(found.reached - target.power) > DOUBTFUL / math.sqrt(found.n_simulations):
        closer = [point(population, target, found.items * part, 2 * size, rng) for part in CLOSER]
        found = _confirmed(population, target, *_meets(closer, target.limit), size, rng)
    report(ROUNDS + 2, ROUNDS + 2)
    return found


def _halved(
    population: Population, target: PlanTarget, guess: float, size: int, rng: np.random.Generator
) -> SearchResult:
    """Where many small studies have no interval at all, no line helps: the size at which enough reach the target.

    Its error is what the Monte Carlo error of a share makes of the change in share from one size to the next.
    """

    def share(items: float) -> float:
        return target.reached(trials(population, population.units_of(items), size, rng))

    few, many = float(FEWEST), _bounded(guess)
    while share(many) < target.power:
        few, many = many, many * 2
        if many > MOST_ITEMS:
            return SearchResult(None, why=f"It would take more than {MOST_ITEMS:,} items.")
    while many / few > 1.03 and many - few > 1:
        middle = math.sqrt(few * many)
        few, many = (few, middle) if share(middle) >= target.power else (middle, many)
    steepness = max((share(many * 1.1) - share(many / 1.1)) / (many * (1.1 - 1 / 1.1)), 1e-9)
    return _confirmed(
        population, target, many, math.sqrt(target.power * (1 - target.power) / size) / steepness, size, rng
    )


def _confirmed(
    population: Population, target: PlanTarget, items: float, error: float, size: int, rng: np.random.Generator
) -> SearchResult:
    """Whole units, and how often studies of that size reach the target."""
    units = population.units_of(min(max(items, FEWEST), MOST_ITEMS * 2))
    needed = math.ceil(units * population.items_per_unit - 1e-9)
    if needed > MOST_ITEMS or not math.isfinite(error):
        return SearchResult(None, why=f"It would take more than {MOST_ITEMS:,} items.")
    return SearchResult(needed, error, target.reached(trials(population, units, 2 * size, rng)), 2 * size)


def unreachable(population: Population, target: PlanTarget, sigma: float) -> str | None:
    """Why no number of items would do."""
    if not sigma > 1e-12:
        return NO_SPREAD
    if target.kind == "above" and population.value <= target.goal:
        return (
            f"The value itself is {population.value:z.3f}, which is not above {target.goal:g}: more items make it "
            "surer, not higher."
        )
    if target.by_law(population.value, sigma) > MOST_ITEMS:
        return f"It would take more than {MOST_ITEMS:,} items."
    return None


def size_of(population: Population, n_simulations: int) -> int:
    """How many studies are drawn of each size: as many as asked for, fewer where patterns are very many."""
    coefficient = population.coefficient
    cells = max(len(coefficient.sample), 1)
    if not follows_studies(coefficient):
        cells = max(cells, coefficient.shuffle_work)
    if not coefficient.smooth:
        cells *= RECOMPUTED_COST
    return max(min(n_simulations, FEWEST_SIMULATIONS), min(n_simulations, CELLS // cells))


def point(population: Population, target: PlanTarget, items: float, size: int, rng: np.random.Generator) -> Point:
    """The outcome that the wanted share of studies of a size reach, and its Monte Carlo error."""
    units = population.units_of(items)
    outcome = target.outcome(trials(population, units, size, rng))
    middle = float(np.quantile(outcome, target.power, method="higher"))
    # the error of a quantile: that of the share below it, by how fast the quantile moves with the share
    step = min(0.05, target.power / 2, (1 - target.power) / 2)
    below, above = np.quantile(outcome, [target.power - step, target.power + step], method="higher")
    by_share = (float(above) - float(below)) / (2 * step) if math.isfinite(above) else 1.0
    error = math.sqrt(target.power * (1 - target.power) / size) * max(by_share, 1e-9)
    return Point(units * population.items_per_unit, middle, error)


def _bounded(items: float) -> float:
    return float(min(max(items, FEWEST), MOST_ITEMS))


def _meets(points: list[Point], limit: float) -> tuple[float, float]:
    """Where the line a + b / √n meets the limit, and how sure that is; farther out where it cannot be told.

    About the middle of the points: the errors of two of them may differ so much that one weighs all but nothing.
    """
    x = np.array([at.items for at in points]) ** -0.5
    y, weight = np.array([at.outcome for at in points]), np.array([at.error for at in points]) ** -2.0
    middle, height = (float(np.average(part, weights=weight)) for part in (x, y))
    extent = float((weight * (x - middle) ** 2).sum())
    slope = float((weight * (x - middle) * (y - height)).sum()) / extent if extent > 0 else 0.0
    if slope <= 0:
        return 2 * max(at.items for at in points), math.nan
    where = min(middle + (limit - height) / slope, FARTHEST)
    if where <= 0:
        return 4 * max(at.items for at in points), math.nan
    error_x = math.sqrt(1 / float(weight.sum()) + (where - middle) ** 2 / extent) / slope
    return where**-2.0, 2 * where**-3.0 * error_x

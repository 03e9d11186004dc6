"""What Bradley and Terry's model says of options: strengths with errors, tiers, and whose order is another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.wald import interval_around
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.standard_errors import limits, p_value
from accord.consensus.preferences.tiers import Tiers
from accord.errors import Keyword, MeasureError, OptionError, collected, counted, json_value, listing
from accord.options import Shown, head
from accord.preferences.annotator_orders import OrderTest, order_tests
from accord.preferences.comparisons import TIED, Comparisons
from accord.preferences.strength_model import StrengthEstimate, Ties

NAMED = 8  # options of a tier that a sentence names


@dataclass(frozen=True, repr=False)
class Effect(Shown):
    """One parameter besides the strengths: its value, its interval, and p of a true value of 0."""

    name: str
    value: float
    interval: Interval
    p: float

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.name} {self.value:z.3f} [{low:z.3f}, {high:z.3f}], p = {self.p:.3g}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        span = self.interval.to_dict()
        return {"name": self.name, "value": json_value(self.value), "interval": span, "p": json_value(self.p)}


@dataclass(frozen=True, eq=False, repr=False)
class BradleyTerry(Shown):
    """Strengths of options from preferences; `bradley_terry` makes one.

    Attributes:
        options: What the options are called, in canonical order.
        n_comparisons: How many comparisons stand behind it.
        n_items: How many items (or clusters) were sampled, over which errors are taken.
        ties: What became of ties: "davidson", "half" or "drop".
        undefined: Why there are no strengths; None where there are.
        separated: Options without a finite strength, each with the reason.
        notes: What a reader should know.

    >>> from accord import bradley_terry
    >>> wins_of_ten = {"AB": 7, "AC": 8, "AD": 9, "BC": 6, "BD": 7, "CD": 5}
    >>> rows = [
    ...     {"item": f"{a}{b}{n}", "annotator": "ab"[n % 2], "label": a if n < wins else b, "first": a, "second": b}
    ...     for (a, b), wins in wins_of_ten.items()
    ...     for n in range(10)
    ... ]
    >>> found = bradley_terry(rows)
    >>> print(found.to_table())
    Strengths of 4 options (log odds)
    option  tier  letters  strength  low     high    se     wins  losses  ties
    A       1     a        1.065     0.379   1.750   0.343  24    6       0
    B       1     ab       0.096     -0.503  0.695   0.299  16    14      0
    C       2     b        -0.464    -1.084  0.157   0.310  11    19      0
    D       2     b        -0.697    -1.302  -0.092  0.302  9     21      0
    A tier holds its best option and those that cannot be told from it; options that share a letter cannot be told
    apart (all pairs at once, Holm's correction, 5%).
    >>> found.in_tiers(), [row[0] for row in found.rows_to_draw()]
    ([['A', 'B'], ['C', 'D']], ['A', 'B', 'C', 'D'])
    >>> print(found.differences().head(2))
    Differences of strengths (log odds)
    better  worse  difference  low     high   se     p      p_corrected
    A       B      0.969       -0.080  2.018  0.524  0.070  0.279
    A       C      1.528       0.428   2.628  0.550  0.007  0.036
    >>> print(found.sentence())
    Order of 4 options in 2 tiers that can be told apart (Bradley–Terry, 60 comparisons): 1. A, B; 2. C, D.
    >>> found.by_annotator()["annotator"].tolist(), type(found.plot()).__name__
    (['a', 'b'], 'LayerChart')
    """

    options: tuple[str, ...]
    n_comparisons: int
    n_items: int
    n_annotators: int
    ties: Ties
    confidence: float
    ridge: float
    comparisons: Comparisons  # all of them
    fitted: Comparisons | None  # those behind the strengths
    estimate: StrengthEstimate | None
    infinite: FloatArray  # (K,) ±inf or NaN where an option has no finite strength, else 0
    covariates: tuple[str, ...] = ()
    undefined: str | None = None
    separated: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    # -- values -------------------------------------------------------------------------------------------------------

    @cached_property
    def _inside(self) -> IntArray:
        """Positions of the options that have a finite strength."""
        known = set() if self.fitted is None or self.undefined else set(self.fitted.options)
        return np.array([place for place, name in enumerate(self.options) if name in known], dtype=np.int64)

    @cached_property
    def covariance(self) -> FloatArray:
        """(P, P) of all parameters: the sandwich over items."""
        assert self.estimate is not None
        assert self.fitted is not None
        bread = self.estimate.bread
        return np.asarray(bread @ self.estimate.scores(self.fitted, self.ties).meat() @ bread)

    @cached_property
    def strength(self) -> FloatArray:
        """(K,) log strengths, which sum to 0; ±inf for options that won or lost everything, NaN for what is unknown."""
        found = np.full(len(self.options), np.nan) if self.undefined else self.infinite.copy()
        if len(self._inside) and self.estimate is not None:
            found[self._inside] = self.estimate.values[: len(self._inside)]
        return found

    @cached_property
    def error(self) -> FloatArray:
        """(K,) standard errors of the log strengths."""
        return self._spread(np.diag(self.covariance) if len(self._inside) else np.empty(0))

    @cached_property
    def model_error(self) -> FloatArray:
        """(K,) the same if the model were true and all comparisons independent: smaller where people judge one item."""
        return self._spread(np.diag(self.estimate.bread) if self.estimate is not None else np.empty(0))

    def _spread(self, variance: FloatArray) -> FloatArray:
        found = np.full(len(self.options), np.nan)
        found[self._inside] = np.sqrt(np.maximum(variance[: len(self._inside)], 0.0))
        return found

    @property
    def df(self) -> float:
        """Degrees of freedom of the intervals: items less one."""
        return max(self.n_items - 1, 1)

    @property
    def log_likelihood(self) -> float:
        """Of the comparisons behind the strengths; with a ridge, less its penalty."""
        return math.nan if self.estimate is None else self.estimate.log_likelihood

    def _effect(self, name: str, at: int) -> Effect:
        assert self.estimate is not None
        value, error = float(self.estimate.values[at]), math.sqrt(max(float(self.covariance[at, at]), 0.0))
        interval = interval_around(value, error, df=self.df, confidence=self.confidence)
        return Effect(name, value, interval, p_value(value, error, self.df))

    @property
    def order_effect(self) -> Effect | None:
        """What standing first is worth, as log odds against the second; None where it was not asked for."""
        found = self.estimate
        return self._effect("standing first", found.model.order_at) if found and found.model.ordered else None

    @property
    def tie_effect(self) -> Effect | None:
        """The log of Davidson's ν: how common ties are between equals; None without ties."""
        found = self.estimate
        return self._effect("log ν of ties", found.model.tie_at) if found and found.model.tied else None

    @property
    def covariate_effects(self) -> tuple[Effect, ...]:
        """What a lead of one in each covariate is worth, as log odds."""
        first = len(self._inside)
        return tuple(self._effect(name, first + place) for place, name in enumerate(self.covariates) if self.estimate)

    # -- tiers --------------------------------------------------------------------------------------------------------

    @cached_property
    def tiers(self) -> Tiers | None:
        """Which options can be told apart; None where there are no strengths."""
        if not len(self._inside):
            return None
        size = len(self._inside)
        return Tiers(self.strength[self._inside], self.covariance[:size, :size], self.df, 1 - self.confidence)

    def to_table(self) -> Table:
        """The options in order, with strengths, intervals, tiers and letters.

        Returns:
            A `Table`: option, tier, letters, strength, low, high, se, wins, losses, ties.
        """
        low, high = limits(self.strength, self.error, df=self.df, confidence=self.confidence)
        order = _in_order(self.strength)
        tier, letters = self._tier_cells()
        wins, losses, ties = self.comparisons.record
        data: dict[str, Any] = {
            "option": [self.options[place] for place in order],
            "tier": [tier[place] for place in order],
            "letters": [letters[place] for place in order],
            "strength": self.strength[order],
            "low": low[order],
            "high": high[order],
            "se": self.error[order],
            "wins": _counts(wins[order]),
            "losses": _counts(losses[order]),
            "ties": _counts(ties[order]),
        }
        return Table(f"Strengths of {counted(len(self.options), 'options')} (log odds)", data, self._table_notes())

    def _tier_cells(self) -> tuple[list[int | None], list[str]]:
        """Tier and letters of every option; those that won everything come before, those that lost after."""
        tier: list[int | None] = [None] * len(self.options)
        letters = [""] * len(self.options)
        if self.tiers is not None:
            for place, number, letter in zip(
                self._inside.tolist(), self.tiers.tier.tolist(), self.tiers.letters, strict=True
            ):
                tier[place], letters[place] = number, letter
        return tier, letters

    def _table_notes(self) -> tuple[str, ...]:
        if self.undefined:
            return (self.undefined, *self.notes)
        rule = (
            "A tier holds its best option and those that cannot be told from it; options that share a letter cannot be "
            f"told apart (all pairs at once, Holm's correction, {1 - self.confidence:.0%})."
        )
        return (rule, *self.notes)

    def differences(self) -> Table:
        """All pairs of options: by how much the stronger one leads, and whether that can be told from nothing.

        Returns:
            A `Table`: better, worse, difference (log odds), low, high, se, p, p_corrected (Holm over all pairs).
        """
        if self.tiers is None:
            return Table("Differences of strengths", {name: [] for name in ("better", "worse", "difference")})
        found, names = self.tiers.differences, [self.options[place] for place in self._inside.tolist()]
        low, high = limits(found.value, found.error, df=self.df, confidence=self.confidence)
        data: dict[str, Any] = {
            "better": [names[place] for place in found.better.tolist()],
            "worse": [names[place] for place in found.worse.tolist()],
            "difference": found.value, "low": low, "high": high, "se": found.error, "p": found.p,
            "p_corrected": found.corrected,
        }  # fmt: skip
        return Table("Differences of strengths (log odds)", data)

    def win_probability(self, option: str, other: str) -> float:
        """How likely one option is preferred to another, ties and the order in which they stand aside.

        Args:
            option: The one.
            other: The other.

        Returns:
            The share among comparisons that do not tie; NaN where the strengths do not tell.

        Raises:
            OptionError: If there is no such option.

        >>> from accord import bradley_terry
        >>> wins_of_ten = {"AB": 7, "AC": 8, "AD": 9, "BC": 6, "BD": 7, "CD": 5}
        >>> rows = [
        ...     {"item": f"{a}{b}{n}", "annotator": "ab"[n % 2], "label": a if n < wins else b, "first": a, "second": b}
        ...     for (a, b), wins in wins_of_ten.items()
        ...     for n in range(10)
        ... ]
        >>> found = bradley_terry(rows)
        >>> round(found.win_probability("A", "D"), 2)
        0.85
        """
        unknown = [name for name in (option, other) if name not in self.options]
        if unknown:
            raise OptionError.choice("option", unknown[0], self.options, of_data=True)
        one, two = (self.strength[self.options.index(name)] for name in (option, other))
        return 0.5 if one == two and math.isinf(one) else float(1 / (1 + np.exp(two - one)))

    # -- annotators ---------------------------------------------------------------------------------------------------

    @cached_property
    def _tests(self) -> list[OrderTest]:
        if self.comparisons.times is not None:
            raise MeasureError(
                "Who judged which item stays in the engine, where comparisons were counted. Filter the frame first, or "
                "collect it: ", collected(), ".",
            )  # fmt: skip
        if self.estimate is None or self.fitted is None or self.undefined:
            return []
        return order_tests(self.estimate, self.estimate.scores(self.fitted, self.ties), self.ties)

    def by_annotator(self) -> Table:
        """Whether each annotator's order is that of all: a score test with errors over items, Holm's correction.

        Returns:
            A `Table`: annotator, items, f, p, p_corrected, and the option on which they differ most, with by how many
            log odds they prefer it more (or less) often than all.

        Raises:
            MeasureError: If there is one annotator only.
        """
        if self.n_annotators < 2:
            raise MeasureError("One annotator has nobody to differ from.", option=Keyword("annotator"))
        tests = self._tests
        corrected = holm([one.p for one in tests]) if tests else np.empty(0)
        names = self.fitted.options if self.fitted is not None else ()
        data: dict[str, Any] = {
            "annotator": [self.comparisons.annotators[one.annotator] for one in tests],
            "items": [one.n_items for one in tests],
            "f": [one.statistic for one in tests],
            "p": [one.p for one in tests],
            "p_corrected": corrected,
            "option": [names[one.option] if math.isfinite(one.p) else None for one in tests],
            "log_odds": [one.shift for one in tests],
        }
        defined = corrected[np.isfinite(corrected)]
        together = (f"That all of them have one order: p = {defined.min():.3g}.",) if len(defined) else ()
        notes = (*together, *dict.fromkeys(one.undefined for one in tests if one.undefined))
        return Table("Each annotator's order against that of all", data, notes)

    # -- in words -----------------------------------------------------------------------------------------------------

    def in_tiers(self) -> list[list[str]]:
        """The options by tier, the best first; each tier by strength."""
        if self.tiers is None:
            return []
        tier, order = self.tiers.tier, self.tiers.order
        names = [self.options[place] for place in self._inside.tolist()]
        found: list[list[str]] = [[] for _ in range(int(tier.max()))]
        for place in order.tolist():
            found[tier[place] - 1].append(names[place])
        return found

    def sentence(self) -> str:
        """The order in a sentence, tier by tier.

        Returns:
            A sentence; where there are no strengths, why.
        """
        if self.undefined:
            return f"The options have no strengths: {self.undefined}"
        tiers = "; ".join(f"{place}. {_named(names)}" for place, names in enumerate(self.in_tiers(), start=1))
        number = len(self.in_tiers())
        kept = " ".join(f"{name} {why}." for name, why in self.separated.items())
        behind = f"(Bradley–Terry, {counted(self.n_comparisons, 'comparisons')})"
        options = counted(len(self._inside), "options")
        text = (
            f"Order of {options} in {number} tiers that can be told apart {behind}: {tiers}." if number > 1 else
            f"No tiers: none of {options} can be told from the best {behind}: {_named(self.in_tiers()[0])}."
        )  # fmt: skip
        return f"{text}{' ' if kept else ''}{kept}"

    def __str__(self) -> str:
        lines = [self.sentence()]
        effects = [self.order_effect, self.tie_effect, *self.covariate_effects]
        lines += [f"  {effect}" for effect in effects if effect is not None]
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])

    def plot(self) -> Any:
        """Strengths with their intervals, in order: an Altair chart.

        Returns:
            An `altair.Chart`.

        Raises:
            ExtraMissing: If Altair is not installed.
            MeasureError: If there are no strengths.
        """
        from accord.agreement.chart_drawing import in_notebook
        from accord.agreement.strength_chart import strengths

        if self.tiers is None:
            raise MeasureError(
                "There are no strengths to draw.", *(() if self.undefined is None else (" ", self.undefined))
            )
        title = f"Strengths of options with {self.confidence:.0%} intervals; bands are tiers"
        return in_notebook(strengths(self.rows_to_draw(), title, "strength (log odds)"))

    def rows_to_draw(self) -> list[tuple[str, float, float, float, int]]:
        """Name, strength, low, high and tier of each option with a finite strength, in order."""
        table = self.to_table()
        return [
            (row["option"], row["strength"], row["low"], row["high"], row["tier"])
            for row in table
            if row["tier"] is not None
        ]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        effects = {"order": self.order_effect, "ties": self.tie_effect}
        table = self.to_table()
        return {
            **head("bradley_terry"),
            "options": [
                {**{name: json_value(row[name]) for name in row}, "separated": self.separated.get(row["option"])}
                for row in table
            ],
            "tiers": self.in_tiers(),
            "effects": {name: None if one is None else one.to_dict() for name, one in effects.items()},
            "covariates": [one.to_dict() for one in self.covariate_effects],
            "n_comparisons": self.n_comparisons,
            "n_items": self.n_items,
            "n_annotators": self.n_annotators,
            "n_tied": int((self.comparisons.outcome == TIED).sum()),
            "ties": self.ties,
            "ridge": self.ridge,
            "confidence": self.confidence,
            "log_likelihood": json_value(self.log_likelihood),
            "undefined": self.undefined,
            "notes": list(map(str, self.notes)),
        }


def _in_order(strength: FloatArray) -> IntArray:
    """From the strongest to the weakest; what is unknown comes last."""
    return np.argsort(np.where(np.isnan(strength), np.inf, -strength), kind="stable")


def _counts(numbers: FloatArray) -> FloatArray | IntArray:
    """Whole numbers as such; weighted ones as they are."""
    return numbers.astype(np.int64) if (numbers == np.round(numbers)).all() else numbers


def _named(names: list[str]) -> str:
    return listing(names, most=NAMED).replace("'", "")

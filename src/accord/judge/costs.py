"""When errors cost differently: the cheapest label of each item, and how to spend on people and on models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import answers_called
from accord.annotations.arrays import FloatArray
from accord.annotations.majority_rule import leads
from accord.consensus.gold import Gold
from accord.errors import Keyword, MeasureError, Message, OptionError, all_quoted, counted
from accord.judge.to_json import judgement
from accord.options import Shown, check_positive, is_number

MOST_ITEMS = 1e15  # that a budget may pay for


def cheapest_labels(gold: Gold, costs: Any, /) -> Table:
    """The label of each item that costs least on average, given how sure the gold is of each.

    The cost of label d is Σ_c P(c) · cost(c, d). Of labels that cost the same the likeliest is given, and of labels
    that are as likely the given one counts as the likeliest where it is among them, else the cheapest: a tie that their
    order would decide is no change.

    Args:
        gold: What `accord.gold` decided, of single labels.
        costs: What it costs to give a label (columns) where another is true (rows): labels × labels in the order of the
            scale, or a mapping (true, given) ─▶ cost, 0 for pairs that it leaves out.

    Returns:
        A `Table` with one row per item: label, cost, likeliest, cost_of_likeliest, changed.

    Raises:
        MeasureError: If the gold holds sets or scores.
        OptionError: If the costs are not square, not finite, or negative.

    >>> from accord import Study, gold
    >>> answers = Study.from_wide([["spam", "spam", "ham"], ["ham", "ham", "ham"]])
    >>> table = cheapest_labels(gold(answers, method="majority"), {("ham", "spam"): 10, ("spam", "ham"): 1})
    >>> [(row["label"], round(row["cost"], 2), row["likeliest"]) for row in table]
    [('ham', 0.67, 'spam'), ('ham', 0.0, 'ham')]
    """
    if gold.kind != "single":
        raise MeasureError(
            f"Costs are for single labels; this gold holds {answers_called(gold.kind)}.",
            option=Keyword("answers", gold.kind),
            available=("single",),
        )
    labels = gold.study.labels
    table = cost_table(costs, labels)
    soft = gold.soft()
    expected = soft @ table
    known = np.isfinite(expected).all(axis=1)
    cost, share = expected[known], soft[known]
    most = max(float(table.max()), np.finfo(float).tiny)  # so that costs of any unit are as near as shares are
    cheap = leads(-cost / most, (-cost / most).max(axis=1, keepdims=True))
    leading = leads(share, share.max(axis=1, keepdims=True))
    best, likely = (np.full(len(expected), -1) for _ in range(2))
    best[known] = np.where(cheap, share, -1.0).argmax(axis=1)
    likely[known] = np.where(leading, cost, np.inf).argmin(axis=1)
    likely[known] = np.where(leading[np.arange(len(cost)), best[known]], best[known], likely[known])
    rows = np.arange(len(expected))
    changed = int(((best != likely) & known).sum())
    return Table(
        "Cheapest labels",
        {
            "item": list(gold.study.items),
            "label": [labels[place] if place >= 0 else None for place in best.tolist()],
            "cost": np.where(known, expected[rows, best], np.nan),
            "likeliest": [labels[place] if place >= 0 else None for place in likely.tolist()],
            "cost_of_likeliest": np.where(known, expected[rows, likely], np.nan),
            "changed": (best != likely) & known,
        },
        (f"{changed:,} of {int(known.sum()):,} items have another label than the likeliest.",),
    )


def cost_table(costs: Any, labels: tuple[Any, ...]) -> FloatArray:
    """(true, given) costs, checked: square, finite, not negative."""
    size = len(labels)
    if isinstance(costs, Mapping):
        table = np.zeros((size, size))
        for pair, cost in costs.items():
            if not isinstance(pair, tuple) or len(pair) != 2 or any(label not in labels for label in pair):
                raise OptionError.must(
                    "costs", Message("go by (true, given) labels of the scale ", all_quoted(labels)), pair
                )
            if not is_number(cost):
                raise OptionError.must("costs", "be numbers", cost)
            table[labels.index(pair[0]), labels.index(pair[1])] = cost
    else:
        try:
            table = np.asarray(costs, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise OptionError(
                Keyword("costs"), " must be a table of numbers, labels × labels; some rows differ in length."
            ) from None
    if table.shape != (size, size):
        shape = " × ".join(map(str, table.shape)) or "a single number"
        raise OptionError(
            Keyword("costs"),
            f" must be square, {size} × {size} for the labels ",
            all_quoted(labels),
            f": a row for each true label, a column for each given one. The table given is {shape}.",
        )
    if not np.isfinite(table).all() or (table < 0).any():
        raise OptionError.must("costs", "be finite numbers, 0 or more", table.tolist())
    return table


@dataclass(frozen=True, repr=False)
class Allocation(Shown):
    """How many items people should annotate and a model should label, for a budget.

    >>> from accord.judge import allocate
    >>> found = allocate(correlation=0.8, person_cost=1.0, model_cost=0.01, budget=100)
    >>> found.people, found.items, round(found.se, 4), round(found.se_people_alone, 4)
    (88, 1176, 0.0681, 0.1)
    """

    people: int
    items: int  # that the model labels, those of people among them
    cost: float
    se: float  # of the mean, in the unit of `spread`
    se_people_alone: float

    def __str__(self) -> str:
        if not self.items:
            return (
                f"people {self.people:,} items and the model none, cost {self.cost:,.2f}: standard error {self.se:.4f} "
                "(for this money people alone are surest)"
            )
        return (
            f"people {self.people:,} of {self.items:,} items, cost {self.cost:,.2f}: standard error {self.se:.4f} "
            f"(people alone, for as much: {self.se_people_alone:.4f})"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return judgement("allocate", vars(self), {}, ())


def allocate(
    *, correlation: float, person_cost: float, model_cost: float, budget: float, spread: float = 1.0
) -> Allocation:
    """The split of a budget between people and a model that makes a prediction-powered mean surest.

    The variance is spread² · [(1 − r²)/n + r²/T] for n items of people among T of the model, so n : T = √((1 − r²)/c) :
    √(r²/m) at costs c and m. Where that would be n > T, people answer all items of the model; where people alone are
    surer for the same money, the model labels none.

    Args:
        correlation: r, of people and model, from a pilot (`Corrected.correlation`).
        person_cost: Of one item annotated by people.
        model_cost: Of one item labelled by the model.
        budget: In the same unit.
        spread: The standard deviation of people's values between items.

    Returns:
        An `Allocation`: `people`, `items`, `cost`, `se` and `se_people_alone`.

    Raises:
        OptionError: If a number is out of range, or the budget does not pay for two items.

    References: angelopoulos2023b.

    >>> print(allocate(correlation=0.8, person_cost=1.0, model_cost=0.01, budget=100))
    people 88 of 1,176 items, cost 99.76: standard error 0.0681 (people alone, for as much: 0.1000)
    """
    for name, value in (
        ("person_cost", person_cost),
        ("model_cost", model_cost),
        ("budget", budget),
        ("spread", spread),
    ):
        check_positive(name, value, "1.5")
    if not is_number(correlation) or not -1 <= correlation <= 1:
        raise OptionError.must("correlation", "lie between −1 and 1", correlation)
    correlation, person_cost, model_cost = map(float, (correlation, person_cost, model_cost))  # those of NumPy warn
    budget, spread = float(budget), float(spread)
    if not budget / min(person_cost, model_cost) < MOST_ITEMS:
        raise OptionError(
            f"A budget of {budget:g} pays for more items than anybody has. Give all costs in one unit.",
            option=Keyword("budget", budget),
        )
    alone = math.floor(budget / person_cost)
    if alone < 2:
        raise OptionError(
            f"A budget of {budget:g} pays for {counted(alone, 'items')} at {person_cost:g}, and two at least are "
            f"needed. Give a budget of {2 * person_cost:g} or more.",
            option=Keyword("budget", budget),
        )
    plain = spread / math.sqrt(alone)
    square = min(correlation**2, 1 - 1e-9)
    ratio = min(math.sqrt((1 - square) * model_cost / (square * person_cost)), 1.0) if square > 0 else 1.0
    whole = budget / (person_cost * ratio + model_cost)
    people, items = math.floor(whole * ratio), math.floor(whole)
    if people < 2:  # two people's items at least; the rest of the money goes to the model
        people = 2
        items = math.floor((budget - 2 * person_cost) / model_cost)
    error = spread * math.sqrt((1 - square) / people + square / items) if items >= people else math.inf
    if error >= plain:
        return Allocation(alone, 0, alone * person_cost, plain, plain)
    return Allocation(people, items, people * person_cost + items * model_cost, error, plain)

"""Rankings: which places the options get, where each annotator puts them, and queries on which orders differ most."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from accord.agreement.chart_text import short
from accord.agreement.table import Table
from accord.agreement.table_formats import RowMarks, as_html, as_markdown, marked, safe
from accord.annotations.arrays import FloatArray, add_up, divide
from accord.consensus.make_gold import gold
from accord.errors import Message, counted, in_python
from accord.rankings.pair_measures import TAU_B
from accord.rankings.ranks import Ranks
from accord.reporting.context import PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.item_query import distinct_names

OPTIONS_SHOWN = 12  # those with the best mean place
PLACES_SHOWN = 10  # the last column holds all that come after
QUERIES_SHOWN = 8  # those with the least agreement


def needs(context: Context) -> bool:
    """One variable of rankings that two annotators gave of a query."""
    return not context.several and context.study.kind == "ranking" and context.agreement.coefficient is not None


def build(context: Context) -> Section:
    """From the options to the annotators to the queries."""
    ranks = Ranks.of(context.study)
    lists, cell, place = ranks.entries()
    option = ranks.cell_option[cell]
    order = _by_mean_place(ranks, option, place)
    parts = [_where_options_stand(context, ranks, order, option, place)]
    if len(ranks.annotators) <= PEOPLE_SHOWN:
        parts.append(_by_annotator(context, ranks, order, ranks.annotator[lists], option, place))
    parts += [_together(context), _contested(context, ranks)]
    body, markdown = (list(held) for held in zip(*parts, strict=True))
    return Section("rankings", "Rankings", "".join(body), "\n\n".join(markdown))


def _by_mean_place(ranks: Ranks, option: Any, place: FloatArray) -> list[int]:
    """The options that are shown, the best first."""
    size = len(ranks.options)
    mean = divide(add_up(option, place, size), np.bincount(option, minlength=size))
    return [at for at in np.argsort(mean, kind="stable").tolist() if math.isfinite(mean[at])][:OPTIONS_SHOWN]


def _where_options_stand(
    context: Context, ranks: Ranks, order: list[int], option: Any, place: FloatArray
) -> tuple[str, str]:
    """A heat map: how often each option is at each place."""
    deepest = min(int(np.ceil(place.max(initial=1.0))), PLACES_SHOWN)
    at = np.minimum(np.ceil(place - 0.5).astype(np.int64), deepest)
    size = len(ranks.options)
    counts = add_up(option * (deepest + 1) + at, np.ones(len(option)), size * (deepest + 1)).reshape(size, -1)[:, 1:]
    shares = divide(counts, counts.sum(1, keepdims=True))
    last = f"{deepest}" if place.max(initial=1.0) <= deepest else f"{deepest} and later"
    columns = [*(str(number) for number in range(1, deepest)), last]
    names = [str(ranks.options[one]) for one in order]
    cells = [
        (name, column, float(shares[one, number]), f"{shares[one, number]:.0%}")
        for name, one in zip(names, order, strict=True)
        for number, column in enumerate(columns)
    ]
    data: dict[str, Any] = {
        "option": names, "rankings": counts.sum(1)[order].astype(np.int64),
        **{f"place {column}": shares[order, number] for number, column in enumerate(columns)},
    }  # fmt: skip
    table = Table("Share of rankings that put an option at a place", data)
    first = ", ".join(
        f"{short(name)} first in {shares[one, 0]:.0%}" for name, one in zip(names[:4], order, strict=False)
    )
    spoken = f"Of the rankings that hold it: {first}."
    tied = " Tied options stand at the mean of their places." if (place % 1 != 0).any() else ""
    words = ("Where the options stand, share of rankings", "place", "option")
    called = distinct_names(ranks.options)
    links = context.all_behind(
        {"labels": (called[one],), "place": (number + 0.5, number + 1.5 if number + 1 < deepest else math.inf)}
        for one in order
        for number in range(deepest)
    )
    drawn = figure("heat_map", (cells, *words), table, spoken, links=links)
    return f"<p>{safe(spoken + tied)}</p>{drawn}", f"{marked(spoken + tied)}\n\n{as_markdown(table)}"


def _by_annotator(
    context: Context, ranks: Ranks, order: list[int], who: Any, option: Any, place: FloatArray
) -> tuple[str, str]:
    """A heat map: the mean place that each annotator gives each option, darker for earlier."""
    people, size = len(ranks.annotators), len(ranks.options)
    key = who * size + option
    number = np.bincount(key, minlength=people * size).reshape(people, size)
    mean = divide(add_up(key, place, people * size).reshape(people, size), number)
    best, worst = np.nanmin(mean), max(float(np.nanmax(mean)), float(np.nanmin(mean)) + 1e-9)
    names = [str(ranks.options[one]) for one in order]
    cells = [
        (person, name, float((worst - mean[row, one]) / (worst - best)), f"{mean[row, one]:.1f}")
        for row, person in enumerate(ranks.annotators)
        for name, one in zip(names, order, strict=True)
    ]
    data: dict[str, Any] = {
        "annotator": list(ranks.annotators),
        **{name: mean[:, one] for name, one in zip(names, order, strict=True)},
    }
    table = Table("Mean place of each option by annotator", data)
    spoken = "Where each annotator puts the options on average: the darker, the earlier."
    called = distinct_names(ranks.options)
    links = context.all_behind(
        {"annotators": (person,), "labels": (called[one],)} for person in ranks.annotators for one in order
    )
    words = ("Mean place by annotator", "option", "annotator")
    drawn = figure("heat_map", (cells, *words), table, spoken, links=links)
    return drawn, as_markdown(table)


def _together(context: Context) -> tuple[str, str]:
    """One order of all: what a gold standard would be."""
    found = gold(context.study)
    text = Message(
        f"{found} ",
        in_python("accord.gold", "`accord gold`"),
        " writes the order of each query, with the pairs that are undecided.",
    )
    table = found.by_label()
    shown = Table(table.title, table.head(OPTIONS_SHOWN).data)
    return (
        f"<h3>One order of all</h3><p>{safe(str(text))}</p>{as_html(shown)}",
        f"### One order of all\n\n{marked(str(text))}\n\n{as_markdown(shown)}",
    )


def _contested(context: Context, ranks: Ranks) -> tuple[str, str]:
    """The queries with the least agreement, each with everybody's order."""
    values = TAU_B.of(ranks).by_query
    worst = [at for at in np.argsort(values, kind="stable").tolist() if math.isfinite(values[at])][:QUERIES_SHOWN]
    item, who, answer, _ = context.study._annotations.to_memory().rows
    orders: dict[int, list[str]] = {at: [] for at in worst}
    for at, person, held in zip(item.tolist(), who.tolist(), answer.tolist(), strict=True):
        if at in orders:
            orders[at].append(f"{ranks.annotators[person]}: {short(str(context.study.answers.value(held)), 80)}")
    data: dict[str, Any] = {
        "query": [str(context.study.items[at]) for at in worst],
        "mean tau-b": [float(values[at]) for at in worst],
        "orders": ["; ".join(sorted(orders[at])) for at in worst],
    }
    several = f"The {counted(len(worst), 'queries')} with the least agreement"
    table = Table(several if len(values) > len(worst) else "Queries by agreement", data)
    marks = RowMarks(leads=context.all_behind({"items": (name,)} for name in data["query"]))
    shown = as_html(table, caption=False, marks=marks)
    return f"<h3>{safe(table.title)}</h3>{shown}", f"### {table.title}\n\n{as_markdown(table)}"

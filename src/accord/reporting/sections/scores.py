"""Scores: how they are spread, and how far two scores of an item lie apart."""

from __future__ import annotations

import numpy as np

from accord.agreement.count_charts import bin_names, binned
from accord.agreement.table import Table
from accord.agreement.table_formats import as_markdown, marked, safe
from accord.annotations.arrays import FloatArray, IntArray
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure

BINS = 12
MOST_BARS = 25  # of whole numbers, one each
MOST_PAIRS = 2_000_000  # beyond, of each item two scores only are compared


def needs(context: Context) -> bool:
    """One variable of scores, in memory, of which there are some."""
    study = context.study
    if context.several or study.kind != "score":
        return False
    return study._annotations.in_memory and study.n_annotations > 0


def build(context: Context) -> Section:
    """Two histograms."""
    item, value, count = _scores(context)
    body, markdown = [], []
    low, high = float(value.min()), float(value.max())
    text = f"Scores run from {low:g} to {high:g}; half of them lie between {_middle(value, count)}."
    body.append(f"<p>{safe(text)}</p>")
    markdown += [marked(text), ""]
    if low < high:
        words = ("How the scores are spread", "score", "scores")
        drawn, table = _histogram(context, "score", value, count, *words)
        body.append(drawn)
        markdown.append(as_markdown(table))
    apart = _differences(item, value, count)
    if len(apart) and apart.max() > 0:
        words = ("How far two scores of an item lie apart", "difference of two scores", "pairs of scores")
        drawn, table = _histogram(context, "apart", apart, np.ones(len(apart), dtype=np.int64), *words)
        sentence = (
            f"Half of all pairs of scores of an item lie at most {np.median(apart):.3g} apart; the mean difference is "
            f"{apart.mean():.3g}."
        )
        body += [f"<p>{safe(sentence)}</p>", drawn]
        markdown += [marked(sentence), "", as_markdown(table)]
    return Section("scores", "Scores", "".join(body), "\n".join(markdown))


def _scores(context: Context) -> tuple[IntArray, FloatArray, IntArray]:
    """Item, score and how often, of every answer."""
    study = context.study
    item, _, answer, count = study._annotations.rows
    number = np.asarray(study.answers.positions("scores"), dtype=np.float64)
    return item, number[answer], count


def _middle(value: FloatArray, count: IntArray) -> str:
    quarter, three = np.quantile(np.repeat(value, count), (0.25, 0.75))
    return f"{quarter:g} and {three:g}"


def _histogram(
    context: Context, query_field: str, value: FloatArray, count: IntArray, title: str, axis: str, what: str
) -> tuple[str, Table]:
    """A bar for each score where they are whole numbers and few; else for each part of their range."""
    values, counts = value.tolist(), count.tolist()
    low, high = float(value.min()), float(value.max())
    whole = low == high or (bool((value == np.round(value)).all()) and high - low < MOST_BARS)
    room = max(0.5, abs(low) * 1e-9)  # beside a bar, also of a score so large that a half is nothing to it
    bins, span = (int(high - low) + 1, (low - room, high + room)) if whole else (BINS, (low, high))
    names = [f"{low + place:g}" for place in range(bins)] if whole else bin_names(bins, span, ".3g")
    table = Table(title, {axis: names, what: binned(values, counts, bins, span)})
    spoken = f"{title}: from {low:g} to {high:g}."
    ends = np.linspace(*span, bins + 1)
    ends[0] = -np.inf  # the lowest score is in the first bar
    links = context.all_behind({query_field: (float(ends[place]), float(ends[place + 1]))} for place in range(bins))
    words = (values, counts, title, axis, what)
    return figure("histogram", words, table, spoken, bins=bins, span=span, links=links), table


def _differences(item: IntArray, value: FloatArray, count: IntArray) -> FloatArray:
    """Of every two scores of an item, how far they lie apart; of items with very many, of neighbours in the table."""
    order = np.argsort(item, kind="stable")
    place, score = np.repeat(item[order], count[order]), np.repeat(value[order], count[order])
    starts = np.flatnonzero(np.r_[True, place[1:] != place[:-1]])
    sizes = np.diff(np.r_[starts, len(place)])
    if float((sizes * (sizes - 1.0)).sum()) / 2 > MOST_PAIRS:
        same = place[1:] == place[:-1]
        return np.asarray(np.abs(score[1:] - score[:-1])[same])
    found = [
        np.abs(np.subtract.outer(part, part))[np.triu_indices(len(part), 1)] for part in np.split(score, starts[1:])
    ]
    return np.concatenate(found) if found else np.empty(0)

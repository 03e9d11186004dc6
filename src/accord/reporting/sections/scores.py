"""Scores: how they are spread, how far two scores of an item lie apart, and who scores high or low."""

from __future__ import annotations

import numpy as np

from accord.agreement.count_charts import bin_names, binned
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.reporting.context import PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_html, as_markdown, largest_rows, marked, safe

BINS = 12
MOST_PAIRS = 2_000_000  # beyond, of each item two scores only are compared


def needs(context: Context) -> bool:
    """One variable of scores, in memory."""
    study = context.study
    return not context.several and study.kind == "score" and study._annotations.in_engine is None


def build(context: Context) -> Section:
    """Two histograms and a table."""
    item, person, value, count = _scores(context)
    body, markdown = [], []
    low, high = float(value.min()), float(value.max())
    text = f"Scores run from {low:g} to {high:g}; half of them lie between {_middle(value, count)}."
    body.append(f"<p>{safe(text)}</p>")
    markdown += [marked(text), ""]
    if low < high:
        drawn, table = _histogram(value, count, (low, high), "How the scores are spread", "score", "scores")
        body.append(drawn)
        markdown.append(as_markdown(table))
    apart = _differences(item, value, count)
    if len(apart) and apart.max() > 0:
        span = (0.0, float(apart.max()))
        words = ("How far two scores of an item lie apart", "difference of two scores", "pairs of scores")
        drawn, table = _histogram(apart, np.ones(len(apart), dtype=np.int64), span, *words)
        told = f"Two scores of an item lie {np.median(apart):.3g} apart in the middle, {apart.mean():.3g} on average."
        body += [f"<p>{safe(told)}</p>", drawn]
        markdown += [marked(told), "", as_markdown(table)]
    if context.study._annotations.named:
        people = _by_annotator(context, item, person, value)
        body.append(as_html(people, sortable=True))
        markdown.append(as_markdown(people))
    return Section("scores", "Scores", "".join(body), "\n".join(markdown))


def _scores(context: Context) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Item, annotator, score and how often, of every answer."""
    study = context.study
    item, person, answer, count = study._annotations.rows
    number = np.array([float(study.answers.value(place)) for place in range(len(study.answers))])
    return item, person, number[answer], count


def _middle(value: FloatArray, count: FloatArray) -> str:
    quarter, three = np.quantile(np.repeat(value, count.astype(np.int64)), (0.25, 0.75))
    return f"{quarter:g} and {three:g}"


def _histogram(
    value: FloatArray, count: FloatArray, span: tuple[float, float], title: str, axis: str, what: str
) -> tuple[str, Table]:
    values, counts = value.tolist(), count.tolist()
    low, high = span
    table = Table(title, {axis: bin_names(BINS, span, ".3g"), what: binned(values, counts, BINS, span)})
    spoken = f"{title}: from {low:g} to {high:g}."
    return figure("histogram", (values, counts, title, axis, what), table, spoken, bins=BINS, span=span), table


def _differences(item: FloatArray, value: FloatArray, count: FloatArray) -> FloatArray:
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


def _by_annotator(context: Context, item: FloatArray, person: FloatArray, value: FloatArray) -> Table:
    """Each annotator's mean and spread, and how far above the other scores of the same items they lie."""
    study = context.study
    total = np.bincount(item, value, minlength=study.n_items)
    number = np.bincount(item, minlength=study.n_items)
    others = number[item] > 1
    rest = (total[item] - value)[others] / (number[item] - 1)[others]
    size = len(study.annotators)
    answers = np.bincount(person, minlength=size)
    mean = np.bincount(person, value, minlength=size) / np.maximum(answers, 1)
    spread = np.sqrt(np.bincount(person, (value - mean[person]) ** 2, minlength=size) / np.maximum(answers - 1, 1))
    shared = np.bincount(person[others], minlength=size)
    above = np.bincount(person[others], value[others] - rest, minlength=size) / np.where(shared > 0, shared, np.nan)
    here = study._present
    table = Table(
        "How each annotator scores",
        {
            "annotator": [study.annotators[who] for who in here],
            "answers": answers[here],
            "mean": mean[here],
            "standard deviation": spread[here],
            "above the others' mean": above[here],
        },
    )
    return largest_rows(table, "answers", PEOPLE_SHOWN, "annotators are shown: those with the most answers")

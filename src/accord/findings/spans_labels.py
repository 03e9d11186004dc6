"""Labels of spans: which are taken for each other on marks that belong together, and which are agreed on least."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from accord.annotations.arrays import IntArray, divide
from accord.coefficients.standard_errors import p_value
from accord.errors import percent
from accord.findings.agreement_on_labels import (
    BEYOND,
    MOST_REPORTED,
    MUCH,
    share_by_hardness,
    share_by_use,
    tail_of_share,
)
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, TestFamily
from accord.findings.label_texts import shown
from accord.findings.span_view import SpanView
from accord.findings.study_view import View
from accord.spans.differences import BOTH, RELABELLED
from accord.spans.span_f1 import SpanF1

FAR_BELOW = 0.1  # of F1: how far below the other labels one must lie to be told
FEWEST = 10  # documents that hold a label, below which nothing is said of it


def look(view: View) -> Iterator[Clue]:
    """Confused labels among marks that belong together, then labels with a low F1 of their own."""
    if view.main.undefined or len(view.study.labels) < 2:
        return
    yield from _confused(view.spans)
    yield from _weak(view.spans)


# -- taken for each other ----------------------------------------------------------------------------------------------


def _confused(spans: SpanView) -> Iterator[Clue]:
    """Pairs of labels that hold more of the relabelling than random errors would give them."""
    found, continuum = spans.differences, spans.continuum
    size = len(continuum.labels)
    both = (found.first.unit >= 0) & (found.second.unit >= 0)
    labels = np.stack([continuum.label[side.unit[both]] for side in (found.first, found.second)])
    marginals = divide(np.bincount(labels.ravel(), minlength=size), labels.size)
    in_use = int((marginals > 0).sum())
    if in_use < 3:  # of two labels every confusion is between them
        return
    differ = np.isin(found.what[both], (RELABELLED, BOTH))
    low, high = labels[:, differ].min(0, initial=size), labels[:, differ].max(0, initial=0)
    keys, number = np.unique(low * size + high, return_counts=True)
    keys, number = keys[np.argsort(-number, kind="stable")], np.sort(number)[::-1]
    first, second = keys // size, keys % size
    share = number / max(number.sum(), 1)
    by_use = share_by_use(marginals, first, second)
    by_hardness = share_by_hardness(first, second, share, in_use, size)
    effective = _effective(spans.drawn[both][differ])
    p = tail_of_share(share, np.maximum(BEYOND * by_use, by_hardness), effective)
    yield TestFamily(in_use * (in_use - 1) // 2, "pairs of labels of spans")
    reported = np.nonzero((p < CANDIDATE) & (share >= MUCH))[0][:MOST_REPORTED]
    of_marks = float(differ.mean()) if len(differ) else 0.0
    for place in reported.tolist():
        names = tuple(continuum.labels[side[place]] for side in (first, second))
        yield Finding(
            "confused-labels", "warning",
            f"{shown(names[0])} and {shown(names[1])} are taken for each other: {number[place]:,} of "
            f"{int(number.sum()):,} spans that two annotators labelled differently "
            f"({percent(round(float(share[place]), 2))}).",
            "Say in the guidelines how to tell the two apart, with borderline examples; or merge them if nobody needs "
            "the difference.",
            evidence=(
                Evidence("share of the relabelled spans", float(share[place])),
                Evidence("share that random errors would give", float(np.maximum(by_use, by_hardness)[place])),
                Evidence("relabelled, of all spans that belong together", of_marks),
            ),
            labels=names, p=float(p[place]), weight=float(share[place]) * of_marks,
        )  # fmt: skip


def _effective(drawn: IntArray) -> float:
    """Kish's number of documents, or of clusters, that hold relabelled spans: each counts once, whatever it holds."""
    number = np.bincount(drawn).astype(np.float64)
    return float(number.sum() ** 2 / (number @ number)) if len(drawn) else 0.0


# -- agreed on least ---------------------------------------------------------------------------------------------------


def _weak(spans: SpanView) -> Iterator[Clue]:
    """Labels whose spans are agreed on less than those of the other labels, those that cost most first."""
    exact, continuum = spans.exact, spans.continuum
    documents = np.unique(np.stack([continuum.label, continuum.document]), axis=1)[0]
    enough = np.nonzero(np.bincount(documents, minlength=len(continuum.labels)) >= FEWEST)[0]
    if len(enough) < 2:
        return
    yield TestFamily(len(enough), "labels of spans against the others")
    scores = {int(label): exact.of_label(int(label)) for label in enough}
    values = {label: float(f1.parts.value) for label, f1 in scores.items()}
    found = [
        weak
        for label in values
        if math.isfinite(values[label]) and (weak := _below(spans, label, scores[label])) is not None
    ]
    yield from sorted(found, key=lambda weak: -weak.weight)[:MOST_REPORTED]


def _below(spans: SpanView, label: int, f1: SpanF1) -> Finding | None:
    """A label that lies surely and far below the others; None if it does not."""
    value, others = float(f1.parts.value), spans.exact.but_label(label)
    rest = float(others.parts.value)
    interval, error, df = spans.difference(rest - value, others.influence() - f1.influence())
    p = p_value(rest - value - FAR_BELOW, error, df, "greater")
    if not p < CANDIDATE:
        return None
    name = spans.continuum.labels[label]
    return Finding(
        "weak-label", "warning",
        f"Annotators agree less on spans of {shown(name)} than on others: exact span F1 is {value:z.2f} there and "
        f"{rest:.2f} for the other labels.",
        "Look at these spans first: is it unclear what gets this label, where it begins and ends, or whether it is "
        "marked at all? Sharpen its definition with examples.",
        evidence=(
            Evidence(f"exact span F1 of {name}", value, spans.interval_of(f1)),
            Evidence("below the other labels by", rest - value, interval),
        ),
        labels=(name,), p=p, weight=(1 - value) * f1.n_answers / max(spans.exact.n_marks, 1),
    )  # fmt: skip

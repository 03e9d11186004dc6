"""Annotators against a gold of spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.inference.proportions import wilson
from accord.agreement.table import Table
from accord.annotations.arrays import divide
from accord.options import check_confidence

if TYPE_CHECKING:
    from accord.consensus.spans.span_gold import SpanGold


def annotator_table(gold: SpanGold, confidence: float) -> Table:
    """One row per annotator: precision, recall and F1 by exact units, in the documents that they saw."""
    check_confidence(confidence)
    continuum, marked = gold.continuum, gold.marked
    size = len(continuum.annotators)
    taken = set(gold.units)
    units, right = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for place, people in zip(marked.places, marked.people, strict=True):
        for who in people:
            units[who] += 1
            right[who] += place in taken
    per_document = np.bincount([place.document for place in gold.units], minlength=continuum.n_documents)
    there = per_document @ continuum.seen
    columns: dict[str, Any] = {
        "annotator": list(continuum.annotators), "items": continuum.seen.sum(axis=0), "units": units, "right": right,
    }  # fmt: skip
    for name, total in (("precision", units), ("recall", there)):
        found = [wilson(float(hits), float(of), confidence) for hits, of in zip(right, total, strict=True)]
        columns[name] = divide(right, total)
        columns[f"{name}_low"] = np.array([interval.low for interval in found])
        columns[f"{name}_high"] = np.array([interval.high for interval in found])
    columns["f1"] = divide(2 * right, units + there)
    note = (
        "precision: the share of an annotator's units that are in the gold; recall: the share of the gold's units, in "
        "the items they saw, that they marked; place and label must be the same. Who marked a unit had a part in it "
        "being gold."
    )
    return Table("Annotators", columns, (note,))

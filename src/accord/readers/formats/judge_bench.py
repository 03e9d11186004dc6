"""JUDGE-BENCH: one object with what was asked ('annotations') and the instances, each with its human scores."""

from __future__ import annotations

import re
from typing import Any

from accord.readers import json_files
from accord.readers.source import Found, Source
from accord.study.declared_scales import Scale
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "judge-bench"
HEAD = 100_000  # characters looked at
SCORES, MAJORITY = "individual_human_scores", "majority_human"
UNNAMED = (
    "nobody is named: 'unnamed 1' is whoever stands first among an item's scores, and need not be one person. Take "
    "coefficients that do not ask who answered, such as Krippendorff's alpha or Fleiss' kappa"
)
MOST_GRADES = 101


def sniff(source: Source) -> Found | None:
    """An object with 'instances', whose annotations hold 'individual_human_scores' or 'majority_human'."""
    if source.only is None:
        return None
    glance = source.glance(source.only)
    if glance.form not in ("json object", "json lines") or not re.search(r'"instances"\s*:\s*\[', glance.text):
        return None
    if SCORES not in glance.text and f'"{MAJORITY}"' not in glance.text[:HEAD]:
        return None
    return Found(NAME, f"'instances' with {SCORES!r}")


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each score; what was decided by the majority is a reference where no scores are there."""
    rows, name = Rows("JUDGE-BENCH data set", options), source.only or ""
    file = json_files.load_record(source, name, options)
    for asked in file.records("annotations"):
        metric, scale = str(asked.needed("metric")), _scale(asked)
        if scale is not None:
            rows.scales[metric] = scale
    named = False
    for number, data in enumerate(file.listed("instances"), start=1):
        with rows.guarding():
            instance = Record(data, source.where(name), "record", number)
            named = _instance(instance, number, rows) or named
    if not named:
        rows.note(UNNAMED)
    if len(set(rows.column("task"))) == 1 and rows.scales:  # the only variable
        rows.scales[""] = rows.scales.get(str(rows.column("task")[0]), Scale((), ""))
    return rows


def _scale(asked: Record) -> Scale | None:
    """What was declared of a metric: its labels, or that they are grades from the worst to the best."""
    labels = asked.listed("labels_list")
    if labels:
        return Scale(tuple(dict.fromkeys(asked.labels("labels_list"))), "")
    if asked.scalar("category") != "graded":
        return None
    ends = [asked.data.get("worst"), asked.data.get("best")]
    if all(isinstance(end, int) and not isinstance(end, bool) for end in ends):
        low, high = sorted(int(str(end)) for end in ends)
        if high - low < MOST_GRADES:
            return Scale(tuple(range(low, high + 1)), "listed", "ordinal")
    return Scale((), "", "ordinal")


def _instance(instance: Record, number: int, rows: Rows) -> bool:
    """The scores of one instance; were their owners named?"""
    item = instance.scalar("id")
    common: dict[str, Any] = {"item": number if item is None else item, "text": _text(instance.data.get("instance"))}
    annotations, named = instance.record("annotations"), False
    for metric in annotations.data:
        held = annotations.record(metric)
        cells = {**common, "task": metric}
        scores = held.data.get(SCORES)
        if isinstance(scores, dict):
            named = True
            by = held.record(SCORES)
            for who in by.data:
                rows.add("single", label=by.scalar(who), annotator=who, **cells)
        for place, score in enumerate(held.listed(SCORES) if not isinstance(scores, dict) else (), start=1):
            if score is not None:
                held.check_label(score)
                rows.add("single", label=score, annotator=f"unnamed {place}", **cells)
        if not scores and MAJORITY in held:
            decided = {"kind": "adjudicator", "status": "adjudicated", "annotator": MAJORITY}
            rows.add("single", label=held.scalar(MAJORITY), **decided, **cells)
    return named


def _text(instance: Any) -> str | None:
    """What was judged: a text, or an object of several."""
    if isinstance(instance, dict):
        return "\n".join(str(part) for part in instance.values() if isinstance(part, str | int | float))
    return instance if isinstance(instance, str) else None

"""JUDGE-BENCH: one object with what was asked ('annotations') and the instances, each with its human scores."""

from __future__ import annotations

import re
from typing import Any

from accord.annotations.left_out import Reason
from accord.readers import json_files
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.declared_scales import Scale
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "judge-bench"
HEAD = 100_000  # characters looked at
SCORES, MAJORITY = "individual_human_scores", "majority_human"
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
    """A row for each score; nobody is named, and what the majority said is made of the scores."""
    rows, name = Rows("JUDGE-BENCH data set", options), source.only or ""
    rows.unnamed = True
    file = json_files.load_record(source, name, options)
    for declaration in file.records("annotations"):
        metric, scale = str(declaration.needed("metric")), _scale(declaration)
        if scale is not None:
            rows.scales[metric] = scale
    for number, data in enumerate(file.listed("instances"), start=1):
        with rows.guarding():
            _instance(Record(data, source.where(name), "record", number), number, rows)
    rows.note("nobody is named: how many gave each score to an instance is known, and not who")
    return rows


def _scale(declaration: Record) -> Scale | None:
    """What was declared of a metric: its labels, or that they are grades from the worst to the best."""
    labels = declaration.listed("labels_list")
    if labels:
        return Scale(tuple(dict.fromkeys(declaration.labels("labels_list"))), "")
    if declaration.scalar("category") != "graded":
        return None
    ends = [declaration.data.get("worst"), declaration.data.get("best")]
    if all(isinstance(end, int) and not isinstance(end, bool) for end in ends):
        low, high = sorted(int(str(end)) for end in ends)
        if high - low < MOST_GRADES:
            return Scale(tuple(range(low, high + 1)), "listed", "ordinal")
    return Scale((), "", "ordinal")


def _instance(instance: Record, number: int, rows: Rows) -> None:
    item = instance.scalar("id")
    common: dict[str, Any] = {"item": number if item is None else item, "text": _text(instance.data.get("instance"))}
    annotations = instance.record("annotations")
    for metric in annotations.data:
        held = annotations.record(metric)
        scores = [score for score in held.listed(SCORES) if score is not None]
        for score in scores:
            held.check_label(score)
            rows.add("single", label=score, annotator=None, task=metric, **common)
        if not scores and MAJORITY in held:
            rows.left_out.add(Reason.NO_SCORES, 1)


def _text(instance: Any) -> str | None:
    """What was judged: a text, or an object of several."""
    if isinstance(instance, dict):
        return "\n".join(str(part) for part in instance.values() if isinstance(part, str | int | float))
    return instance if isinstance(instance, str) else None

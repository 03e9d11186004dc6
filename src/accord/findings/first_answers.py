"""One answer per annotator and item, where somebody answered an item more than once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from accord.study.study import Study


def first_answers(study: Study) -> Study:
    """The study with one answer per annotator and item: of repeated ones the first, by time where that is known."""
    if not study._annotations.repeated:
        return study
    item, annotator, _, _ = study._annotations.rows
    key = item * len(study.annotators) + annotator
    order = np.arange(len(key))
    if "time" in study.roles:
        codes = study._column(study.roles["time"], "time").codes
        order = np.argsort(np.where(codes < 0, codes.max(initial=0) + 1, codes), kind="stable")
    _, first = np.unique(key[order], return_index=True)
    keep = np.zeros(len(key), dtype=np.bool_)
    keep[order[first]] = True
    once = study._annotations.keep(keep)
    if once.count is not None and once.count.max(initial=1) > 1:
        once = replace(once, count=np.ones_like(once.count))
    return study._with_annotations(once)

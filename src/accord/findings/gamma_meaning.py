"""What the gamma of these spans means: which rates of which errors would give it on units like these."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.errors import Message, in_python
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt
from accord.findings.gamma_scale import gamma_scale
from accord.findings.study_view import View
from accord.measures.gamma import gamma, takes_long

RATES = (0.05, 0.15, 0.4)  # enough to read a value off
MOST_ANNOTATORS = 4  # on a document; planted errors of more take minutes to align


def look(view: View) -> Iterator[Clue]:
    """A note with the rates; none where gamma would take long, or has no value."""
    if view.main.undefined:
        return
    long = takes_long(view.study) or _many_annotators(view)
    if long is not None:
        yield NotLookedAt("what a gamma means", long)
        return
    value = gamma(view.study)
    if value.undefined:
        return
    scale = gamma_scale(view.study, rates=RATES)
    yield Finding(
        "gamma-meaning",
        "note",
        scale.notes[0],
        "Hold the value against these rates, not against gammas of other corpora: it depends on how long and how dense "
        "units are.",
        (Evidence(value.title, value.value, value.interval()),),
        sources=("mathet2012", "mathet2015"),
    )


def _many_annotators(view: View) -> str | None:
    """Why errors are not planted unasked where many saw a document."""
    item, *_ = view.study._annotations.rows
    most = int(np.bincount(item).max(initial=0))
    if most <= MOST_ANNOTATORS:
        return None
    return Message(
        f"Errors of {most} annotators on one document take minutes to align",
        in_python("; gamma_scale(study) tells it", ""),
        ".",
    )

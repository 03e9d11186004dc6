"""What if two labels were one? The coefficient after the merge, with a paired interval for the gain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.build import tallied
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import Answers, Label
from accord.coefficients.coefficient import Coefficient
from accord.errors import OptionError
from accord.findings.study_view import View, view_of
from accord.options import is_among, listed
from accord.study.study_of_input import Roles

TWO_LABELS = "hold two different labels each, such as ('good', 'fair')"


@dataclass(frozen=True)
class Merge:
    """Two labels as one: the coefficient before and after."""

    places: tuple[int, int]
    title: str  # of the coefficient
    before: float
    after: float
    gain: float
    interval: Interval  # of the gain


def merged(view: View, pairs: Sequence[tuple[int, int]]) -> list[Merge]:
    """Each pair merged by itself, in the order given."""
    before, title = _coefficient(view)
    scores = before.influence() if math.isfinite(float(before.parts.value)) else None
    found = []
    for pair in pairs:
        after = _after(before, pair)
        value, now = float(before.parts.value), float(after.parts.value)
        gained = None if scores is None or not math.isfinite(now) else after.influence() - scores
        gain = now - value
        span = view.paired_interval(before.tally, gain, gained)
        found.append(Merge(pair, title, value, now, gain, span))
    return found


def all_merged(view: View, pairs: Sequence[tuple[int, int]]) -> tuple[str, float, float]:
    """The coefficient's name, and its value before and after all pairs are merged at once."""
    before, title = _coefficient(view)
    labels = before.tally.answers.labels
    stands_for = np.arange(len(labels))
    for one, two in pairs:
        stands_for[stands_for == stands_for[two]] = stands_for[one]
    kept, new = np.unique(stands_for, return_inverse=True)
    after = before.relabelled(Answers("single", tuple(labels[place] for place in kept)), new)
    assert after is not None
    return title, float(before.parts.value), float(after.parts.value)


def _coefficient(view: View) -> tuple[Coefficient, str]:
    """The study's own coefficient where it compares labels as same or not; else Fleiss' kappa."""
    main = tallied(view.main)
    if (
        view.study.kind == "single"
        and main.relabelled(main.tally.answers.unmixed, np.arange(len(view.study.labels))) is not None
    ):
        return main, view.main.title
    return view.pooled, "Fleiss' kappa" if view.study.kind == "single" else "Fleiss' kappa of primary labels"


def _after(before: Coefficient, pair: tuple[int, int]) -> Coefficient:
    """The same coefficient with the later label called as the earlier one; patterns stay as they are."""
    keep, gone = min(pair), max(pair)
    labels = before.tally.answers.labels
    new = np.arange(len(labels)) - (np.arange(len(labels)) > gone)
    new[gone] = keep
    left = tuple(label for place, label in enumerate(labels) if place != gone)
    after = before.relabelled(Answers("single", left), new)
    assert after is not None
    return after


def what_if_merged(
    data: Any,
    other: Any = None,
    /,
    *,
    pairs: Sequence[Sequence[Label]] | None = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """The coefficient if two labels were one, for each pair that met on an item, the largest gain first.

    The coefficient is the recommended one, with identity weights. The interval of the gain is paired: before and after
    are on the same items. A merge does not always help: it takes away disagreement between the two, and makes
    matching by chance more likely.

    Args:
        data: As in `explain`.
        other: The second annotator's answers, where `data` is the first's.
        pairs: The pairs of labels to try; by default all that were taken for each other on an item.
        labels: The scale: all labels there are, in order.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with one row per pair of labels: before, after, gain, low, high.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels.
        OptionError: If a pair is not two labels of the study.

    >>> answers = ["good", "fair", "bad"] * 40 + ["good"] * 12 + ["bad"] * 3
    >>> others = ["good", "fair", "bad"] * 40 + ["fair"] * 12 + ["good"] * 3
    >>> row = next(iter(what_if_merged(answers, others)))
    >>> row["first"], row["second"], round(row["before"], 2), round(row["after"], 2)
    ('fair', 'good', 0.83, 0.95)
    """
    view = view_of(data, other, labels, roles)
    names = list(view.tally.answers.labels)
    if pairs is None:
        confused = view.confused
        places = [(int(one), int(two)) for one, two in zip(confused.first, confused.second, strict=True)]
    else:
        places = [_places(names, pair) for pair in listed("pairs", pairs, TWO_LABELS)]
    return as_table(view, merged(view, places if len(names) > 2 else []))


def _places(names: list[Label], pair: Sequence[Label]) -> tuple[int, int]:
    pair = listed("pairs", pair, TWO_LABELS)
    if len(pair) != 2 or pair[0] == pair[1]:
        raise OptionError.must("pairs", TWO_LABELS, pair)
    for label in pair:
        if not is_among(label, names):
            raise OptionError.choice("A label of pairs", label, map(str, names), of_data=True)
    one, two = sorted(names.index(label) for label in pair)
    return one, two


def as_table(view: View, found: Sequence[Merge]) -> Table:
    """One row per merge, the best first."""
    names = view.tally.answers.labels
    rows = sorted(found, key=lambda merge: (-merge.gain if math.isfinite(merge.gain) else math.inf, merge.places))
    few = ("With two labels there is nothing left to tell apart once they are one.",) if len(names) <= 2 else ()
    return Table(
        f"{found[0].title if found else view.main.title} if two labels were one",
        {
            "first": [names[merge.places[0]] for merge in rows],
            "second": [names[merge.places[1]] for merge in rows],
            "before": np.array([merge.before for merge in rows]),
            "after": np.array([merge.after for merge in rows]),
            "gain": np.array([merge.gain for merge in rows]),
            "low": np.array([merge.interval.low for merge in rows]),
            "high": np.array([merge.interval.high for merge in rows]),
        },
        few,
    )

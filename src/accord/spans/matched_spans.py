"""Spans that several annotators marked, each as an item with everybody's label: for any coefficient of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

import numpy as np

from accord.annotations.arrays import IntArray
from accord.errors import Keyword, MeasureError
from accord.options import check_choice
from accord.spans.continuum import Continuum
from accord.spans.matching import places
from accord.spans.pair_alignment import align
from accord.spans.shared_documents import SharedDocuments
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

MATCHES = ("exact", "overlap")


def matched_spans(
    data: Any,
    /,
    *,
    match: Literal["exact", "overlap"] = "exact",
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Study:
    """The spans that two annotators or more marked, each as an item with their labels: agreement on labels alone.

    Spans tell two things, where and what. This leaves what: of the places that several marked, do they give the same
    label? Any measure of labels then applies (`krippendorff_alpha`, `gwet_ac` …), with intervals over documents, which
    are the clusters. Attributes go the same way: with `label="severity"` it is agreement on how severe the errors are
    that both marked. What only one annotator marked does not count, so read it beside `span_f1`.

    Args:
        data: A `Study` of spans, or what one is made of.
        match: Which spans are one: "exact", those of the same place, an item for each place with the labels of all who
            marked it; or "overlap", those that belong together in the best matching of two annotators (as in
            `span_differences`), an item for each pair of spans.
        labels: All labels there are, used or not.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="severity" …

    Returns:
        A `Study` of single labels, or of sets where somebody put several labels on one place; its clusters are the
        documents.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans, or no span was marked by two annotators.
        OptionError: If `match` is neither "exact" nor "overlap".

    >>> from accord import krippendorff_alpha
    >>> table = {
    ...     "doc": [1] * 6,
    ...     "who": ["ana"] * 3 + ["ben"] * 3,
    ...     "start": [0, 9, 20] * 2,
    ...     "end": [4, 12, 26] * 2,
    ...     "tag": ["minor", "major", "minor", "minor", "major", "major"],
    ... }
    >>> found = matched_spans(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> found, round(krippendorff_alpha(found).value, 3)
    (Study of 3 items by 2 annotators: 6 single answers on the labels 'major', 'minor', 0.444)
    """
    check_choice("match", match, MATCHES)
    study = as_study(data, None, labels, roles)
    if study.kind != "spans":
        raise about_other_kinds("Matching", ("spans",), study.kind)
    continuum = Continuum.of(study)
    unit, item = _of_one_place(continuum) if match == "exact" else _of_pairs(continuum)
    if not len(unit):
        raise MeasureError(
            "No span was marked by two annotators, so there are no labels to compare.", option=Keyword("label")
        )
    document = continuum.document[unit]
    table = {
        "item": item, "annotator": [continuum.annotators[who] for who in continuum.annotator[unit]],
        "label": [continuum.labels[code] for code in continuum.label[unit]],
        "document": [study.items[place] for place in document.tolist()],
    }  # fmt: skip
    several = len(unit) > len({*zip(item, table["annotator"], strict=True)})
    return Study(
        table, item="item", annotator="annotator", label="label", cluster="document", labels=study.labels,
        answers="set" if several else "single",
    )  # fmt: skip


def _of_one_place(continuum: Continuum) -> tuple[IntArray, list[str]]:
    """Units of places that several annotators marked, and what each place is called."""
    place, people = places(continuum), max(len(continuum.annotators), 1)
    marked = np.unique(place * people + continuum.annotator) // people
    several = np.bincount(marked, minlength=int(place.max(initial=-1)) + 1) > 1
    held = (place * people + continuum.annotator) * max(len(continuum.labels), 1) + continuum.label
    distinct = np.unique(held, return_index=True)[1]  # a label that stands twice on one place counts once
    unit = np.sort(distinct[several[place[distinct]]])
    return unit, [f"{int(number)}: {_called(continuum, at)}" for number, at in zip(place[unit], unit, strict=True)]


def _of_pairs(continuum: Continuum) -> tuple[IntArray, list[str]]:
    """Units of aligned pairs, and what each pair is called."""
    aligned = align(continuum, SharedDocuments.of(continuum.seen))
    pairs = zip(aligned.first.tolist(), aligned.second.tolist(), strict=True)
    names = [
        f"{number}: {_called(continuum, one)}, {_called(continuum, other)}" for number, (one, other) in enumerate(pairs)
    ]
    return np.concatenate((aligned.first, aligned.second)), [*names, *names]


def _called(continuum: Continuum, unit: int) -> str:
    return f"{continuum.start[unit]:g}–{continuum.end[unit]:g}"

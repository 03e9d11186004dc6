"""Answers that are a label with a link: an utterance accepts, and it accepts that one. Both must match."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.table import Table
from accord.annotations.answers import Answers, Label, sorted_labels
from accord.coefficients.formula import chance_corrected
from accord.errors import OptionError, one_task
from accord.findings.layers import significance
from accord.measures.measure_all import among_annotators
from accord.measures.registered import measure_called
from accord.options import Rng
from accord.study.in_memory import in_memory_where_small
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

ARROW = " → "


def with_links(data: Any, /, *, link: str, **roles: Unpack[Roles]) -> Study:
    """The study whose answers are the label and its link together: "accept → 12" is another answer than "accept → 9".

    Args:
        data: A `Study` made from a table, or what one is made of.
        link: The column with what the label is linked to: an antecedent, a head, an entity. An empty cell is a label
            without a link, and matches only its like.
        **roles: The keywords of `Study`.

    Returns:
        A `Study` with the same items and annotators.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels.
        OptionError: If `link` is no text, or the study holds several variables.

    >>> table = {"item": [1, 1], "annotator": ["ana", "ben"], "label": ["accept"] * 2, "to": [12, 9]}
    >>> with_links(table, link="to").labels
    ('accept → 12', 'accept → 9')
    """
    study = in_memory_where_small(as_study(data, None, None, roles))
    if study.tasks:
        raise OptionError("Choose one variable of the study: ", one_task(next(iter(study.tasks))), ".")
    if study.kind != "single":
        raise about_other_kinds("Agreement on links", ("single",), study.kind)
    column = study._column(link, "link")
    size = len(column.values) + 1
    used, place = np.unique(study._annotations.rows[2] * size + column.codes + 1, return_inverse=True)
    names = [_named(study.labels[int(code) // size], column.values, int(code) % size) for code in used]
    scale = sorted_labels(names)
    order = np.array([scale.index(name) for name in names], dtype=np.int64)
    return study._with_annotations(study._annotations.answered(Answers("single", tuple(scale)), order[place]))


def _named(label: Label, links: tuple[Label, ...], link: int) -> str:
    return str(label) if link == 0 else f"{label}{ARROW}{links[link - 1]}"


def linked_agreement(
    data: Any, /, *, link: str, measure: str | None = None, confidence: float = 0.95, rng: Rng = 0,
    **roles: Unpack[Roles],
) -> Table:  # fmt: skip
    """Agreement on the label alone, and on the label with its link, as for Di Eugenio's antecedents.

    The first row does not look at links. In the second both must match, and chance must find both: every label with its
    link is an answer of its own. In the third both must match, and chance need find the label only, which is what a
    kappa on labels is when a wrong link is counted as a disagreement (Di Eugenio 2000 does not say which she took; it
    is the lower). It has no interval of its own.

    Args:
        data: A `Study` made from a table, or what one is made of.
        link: The column with what the label is linked to.
        measure: The coefficient; by default the one recommended for the labels.
        confidence: Of the intervals.
        rng: A seed or a Generator, for permutations.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with three rows: the label; label and link; label and link with the chance of the label alone.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels.
        OptionError: If there is no such measure.

    References: dieugenio2000.

    >>> table = {"item": [1, 1, 2, 2, 3, 3, 4, 4], "annotator": ["ana", "ben"] * 4, "to": [12, 9, 3, 3, 5, 5, 7, 7]}
    >>> table["label"] = ["accept", "accept", "accept", "accept", "reject", "reject", "accept", "reject"]
    >>> [(row["what"], round(row["observed"], 2)) for row in linked_agreement(table, link="to")][:2]
    [('label', 0.75), ('label and link', 0.5)]
    """
    study = in_memory_where_small(as_study(data, None, None, roles))
    both = with_links(study, link=link)
    chosen = measure_called(among_annotators(study).measure if measure is None else measure)
    alone, together = chosen.of(study), chosen.of(both)
    mixed = float(chance_corrected(np.asarray(together.observed), np.asarray(alone.expected)))
    spans = [result.interval(confidence=confidence) for result in (alone, together)]
    p = np.array([significance(alone, rng), significance(together, rng), np.nan])
    nan = float("nan")
    return Table(
        f"{chosen.title} of labels with links",
        {
            "what": ["label", "label and link", "label and link, chance on the label"],
            "value": np.array([alone.value, together.value, mixed]),
            "low": np.array([*(span.low for span in spans), nan]),
            "high": np.array([*(span.high for span in spans), nan]),
            "observed": np.array([alone.observed, together.observed, together.observed]),
            "expected": np.array([alone.expected, together.expected, alone.expected]),
            "items": np.array([alone.n_items, together.n_items, together.n_items]),
            "p": p,
            "p_holm": holm(p),
            "undefined": [alone.undefined or "", together.undefined or "", ""],
        },
    )

"""Who agrees best with the group, and on which items the group agrees (Rosenberg and Binkowski, section 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.coefficients.weights import split_mass
from accord.measures.light import light_kappa
from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa
from accord.multilabel.multilabel_studies import labelled_study
from accord.options import check_choice
from accord.study.study_of_input import Roles


def annotators_ranked(
    data: Any, /, *, p: float | Sequence[float] = 0.6, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """Annotators by how well they agree with the group: the mean of their kappas with each of the others.

    Kappa is `rosenberg_binkowski_kappa` of ranked answers and, the same measure for single labels, `light_kappa`.

    Args:
        data: A `Study` of single labels or ranked ones, or what one is made of.
        p: The share of the primary label, from 0.5 to 1; or one weight per rank.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per annotator, the best first: rank, annotator, answers, observed, expected, value, low,
        high.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are neither single labels nor ranked, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> answers = [[["a"], ["a"], ["b"]], [["b"], ["b", "a"], ["b"]], [["a"], ["a"], ["a"]], [["b"], ["b"], ["a"]]]
    >>> list(annotators_ranked(Study.from_wide(answers, answers="ranked"))["annotator"])
    ['1', '2', '3']
    >>> list(annotators_ranked(Study.from_wide([["a", "b", "a"], ["b", "b", "b"], ["a", "a", "a"]]))["annotator"])
    ['1', '3', '2']
    """
    study = labelled_study(data, labels, roles, "A ranking of annotators")
    kappa = light_kappa(study) if study.kind == "single" else rosenberg_binkowski_kappa(study, p=p)
    table = kappa.by_annotator().sorted("value", descending=True)
    return Table(
        "Annotators by agreement with the group", {"rank": np.arange(1, len(table) + 1), **table.data}, table.notes
    )


def items_ranked(
    data: Any,
    /,
    *,
    p: float | Sequence[float] = 0.6,
    by: Literal["entropy", "variance"] = "entropy",
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """Items by how well the group agrees on their label, the best first.

    With q the mean of the annotators' rows for the item (1 under a single label, or p and 1 − p): entropy is
    −Σ q ln q, and variance is Σ q (1 − q), that of a label drawn from q. Both are 0 where everybody gives the same
    single label.

    Args:
        data: A `Study` of single labels or ranked ones, or what one is made of; who answered need not be known.
        p: The share of the primary label, from 0.5 to 1; or one weight per rank.
        by: "entropy" or "variance": what items are sorted by.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per item: item, answers, entropy, variance.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are neither single labels nor ranked.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> answers = [[["a"], ["b"]], [["b"], ["b", "a"]], [["a"], ["a"]]]
    >>> table = items_ranked(Study.from_wide(answers, answers="ranked"))
    >>> list(table["item"]), [round(float(value), 3) for value in table["entropy"]]
    ([2, 1, 0], [0.0, 0.5, 0.693])
    """
    check_choice("by", by, ("entropy", "variance"))
    study = labelled_study(data, labels, roles, "A ranking of items", named=False)
    mass, tally = split_mass(study.answers, p), study.tally()
    entropy, variance = np.zeros(len(tally)), np.ones(len(tally))
    for label in range(mass.shape[1]):
        share = tally.per_pattern(tally.count * mass[tally.answer, label]) / tally.answered
        entropy -= share * np.log(np.where(share > 0, share, 1.0))
        variance -= share**2
    assert tally.locate is not None
    pattern = tally.locate()
    present = np.nonzero(pattern >= 0)[0]
    place = pattern[present]
    columns = {"entropy": np.abs(entropy[place]), "variance": np.maximum(variance[place], 0.0)}
    order = np.argsort(np.round(columns[by], 12), kind="stable")
    return Table(
        f"Items by {by} of their labels",
        {
            "item": [study.items[number] for number in present[order].tolist()],
            "answers": tally.answered[place][order],
            "entropy": columns["entropy"][order],
            "variance": columns["variance"][order],
        },
    )

"""Where sets of labels differ: Bhowmick et al.'s tables 3 to 5 and figures 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Unpack

import numpy as np

from accord.agreement.build import each_once, tallied
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, add_up, divide
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.errors import OptionError
from accord.measures.bhowmick import bhowmick_am
from accord.multilabel.multilabel_studies import set_study
from accord.options import is_number, listed
from accord.study.study import Study
from accord.study.study_of_input import Roles

BINS = (0.0, 0.2, 0.4, 0.7, 1.0)  # Table 3
EDGE = 1e-9  # a value this near a bin's upper end lies in the bin
PAIRS_AT_ONCE = 500_000


def label_distribution(data: Any, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """How often each annotator gave each label (Figure 1), how often none, and how many on average.

    Args:
        data: A `Study` of sets, or what one is made of.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per annotator: answers, one column per label, none, mean_size.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not sets, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> study = Study.from_wide([[["joy"], ["joy", "fear"]], [["fear"], []]], answers="set")
    >>> print(label_distribution(study))
    Labels by annotator
    annotator  answers  fear  joy  none  mean_size
    1          2        1     1    0     1.000
    2          2        1     1    1     1.000
    """
    study = set_study(data, labels, roles, "The distribution of labels")
    _, who, answer, _ = study._annotations.rows
    membership, size = study.answers.membership, len(study.annotators)
    sizes = membership.sum(1)
    answers = np.bincount(who, minlength=size)
    people = study._present
    columns: dict[str, Any] = {
        "annotator": [study.annotators[person] for person in people],
        "answers": answers[people],
    }
    for place, label in enumerate(study.labels):
        columns[str(label)] = add_up(who, membership[answer, place], size)[people].astype(int)
    columns["none"] = add_up(who, sizes[answer] == 0, size)[people].astype(int)
    columns["mean_size"] = divide(add_up(who, sizes[answer], size), answers)[people]
    return Table("Labels by annotator", columns)


def observed_distribution(
    data: Any, /, *, bins: Sequence[float] = BINS, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """Items by their observed agreement over label pairs (Table 3), and how many of them everybody gave a single label.

    A bin holds its upper end; the first one its lower end too.

    Args:
        data: A `Study` of sets, or what one is made of.
        bins: The edges of the bins, rising.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per bin: how many items, and how many of them with a single label.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not sets, or nobody is named.
        OptionError: If `bins` do not rise.

    >>> from accord import Study
    >>> answers = [[["a"], ["a"]], [["a"], ["b"]], [["a", "b"], ["c", "d"]]]
    >>> table = observed_distribution(Study.from_wide(answers, answers="set"))
    >>> table["items"].tolist(), table["single_label"].tolist()
    ([2, 0, 0, 1], [1, 0, 0, 1])
    """
    study = set_study(data, labels, roles, "The distribution of observed agreement")
    rule = f"rise from 0 (or below) to 1 (or above), such as {BINS}"
    given = listed("bins", bins, rule)
    if len(given) < 2 or not all(map(is_number, given)):
        raise OptionError.must("bins", rule, bins)
    edges = np.asarray(given, dtype=np.float64)
    if not (np.diff(edges) > 0).all() or edges[0] > 0 or edges[-1] < 1:
        raise OptionError.must("bins", rule, bins)
    counts, single = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    found = each_once(bhowmick_am(study))
    if found.coefficient is not None and len(study.labels) > 1:
        tally, agreed = tallied(found).tally, tallied(found).decomposition().observed
        alone = np.array([len(membership) == 1 for membership in study.answers.members])
        all_single = tally.per_pattern(~alone[tally.answer]) == 0
        present = tally.pairable
        place = np.maximum(np.searchsorted(edges, agreed[present] - EDGE, side="left") - 1, 0)
        counts = add_up(place, tally.items[present], len(counts))
        single = add_up(place, (tally.items * all_single)[present], len(counts))
    names = [f"{low:g} < A ≤ {high:g}" for low, high in pairwise(edges.tolist())]
    names[0] = f"{edges[0]:g} ≤ A ≤ {edges[1]:g}"
    return Table(
        "Items by observed agreement",
        {
            "observed": names,
            "items": counts.astype(int),
            "share": divide(counts, counts.sum()),
            "single_label": single.astype(int),
            "share_single": divide(single, counts),
        },
    )


def disagreement_by_label(data: Any, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """On how many items each pair of annotators differs about each label, with totals (Table 4).

    Args:
        data: A `Study` of sets, or what one is made of.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of annotators and one for the total; one column per label.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not sets, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> study = Study.from_wide([[["joy"], ["joy", "fear"]], [["fear"], ["anger"]]], answers="set")
    >>> print(disagreement_by_label(study))
    Items on which annotators differ, by label
    first  second  items  anger  fear  joy
    1      2       2      1      2     0
    total          2      1      2     0
    """
    study = set_study(data, labels, roles, "Disagreement by label")
    tally = study.tally(named=True)
    pairs, membership = AnnotatorPairs.of(tally), study.answers.membership
    weight = tally.items[pairs.pattern]
    names = study.annotators
    common = pairs.common(tally.items).astype(int)
    columns: dict[str, Any] = {
        "first": [*(names[person] for person in pairs.first), "total"],
        "second": [*(names[person] for person in pairs.second), ""],
        "items": np.append(common, common.sum()),
    }
    for place, label in enumerate(study.labels):
        differ = membership[pairs.first_answer, place] != membership[pairs.second_answer, place]
        counts = add_up(pairs.pair, weight * differ, len(pairs)).astype(int)
        columns[str(label)] = np.append(counts, counts.sum())
    return Table("Items on which annotators differ, by label", columns)


def label_confusion(data: Any, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """How often one annotator has a and not b where the other has b and not a, over all annotator pairs (Table 5).

    One row per pair of labels; sorted by count it is the paper's Figure 2. `expected` is what the same annotators would
    give if they answered independently of the item, so that frequent labels do not look confused merely for being
    frequent.

    Args:
        data: A `Study` of sets, or what one is made of.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of labels: first, second, count, expected.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not sets, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> study = Study.from_wide([[["joy"], ["joy", "fear"]], [["fear"], ["anger"]]], answers="set")
    >>> [(row["first"], row["second"], row["count"]) for row in label_confusion(study)]
    [('anger', 'fear', 1), ('anger', 'joy', 0), ('fear', 'joy', 0)]
    """
    study = set_study(data, labels, roles, "The confusion of labels")
    counted, by_chance = _confused(study)
    one, other = np.triu_indices(len(study.labels), 1)
    counts, expected = counted[one, other], by_chance[one, other]
    return Table(
        "Labels taken for each other",
        {
            "first": [study.labels[place] for place in one],
            "second": [study.labels[place] for place in other],
            "count": counts.astype(int),
            "share": divide(counts, np.asarray(counts.sum())),
            "expected": expected,
            "ratio": divide(counts, expected),
        },
    )


def _confused(study: Study) -> tuple[FloatArray, FloatArray]:
    """(labels × labels) a of one annotator against b of the other, counted and by chance; symmetric."""
    tally = study.tally(named=True)
    pairs, membership, size = AnnotatorPairs.of(tally), study.answers.membership, len(study.labels)
    weight = tally.items[pairs.pattern].astype(np.float64)
    counted = np.zeros((size, size))
    for start in range(0, len(pairs.first_answer), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        one, other = membership[pairs.first_answer[part]], membership[pairs.second_answer[part]]
        counted += ((one & ~other) * weight[part, None]).T @ (other & ~one).astype(np.float64)
    first, second = pairs.answers(tally.items, len(tally.answers))
    by_chance = np.zeros((size, size))
    inside = membership.astype(np.float64)
    for mine, theirs, common in zip(first, second, pairs.common(tally.items), strict=True):
        has, had = (_has_not(marginals, inside) for marginals in (mine, theirs))
        by_chance += has * had.T / common
    return counted + counted.T, by_chance + by_chance.T


def _has_not(marginals: FloatArray, inside: FloatArray) -> FloatArray:
    """(a, b) how often a distribution of sets holds a and not b."""
    used = np.nonzero(marginals)[0]
    return np.asarray((marginals[used, None] * inside[used]).T @ (1 - inside[used]))

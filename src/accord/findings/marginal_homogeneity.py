"""Marginal homogeneity: do annotators use each label equally often on the same items?

Stuart & Maxwell's test for two annotators and any labels, McNemar's for one label of two annotators, Cochran's Q for
one label of several annotators. All are over items, each counted once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.proportions import sign_test
from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray, add_up
from accord.annotations.tally import DENSE_KEYS, Tally
from accord.coefficients.standard_errors import p_value
from accord.findings.confusion_tables import cells_of, named_tally
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.label_texts import shown
from accord.findings.prevalence_bias import LITTLE_ROOM, prevalence_and_bias_of
from accord.findings.study_view import View, given_by, view_of
from accord.study.study_of_input import Roles

MOST_PEOPLE = 40  # annotators up to whom label use is compared unasked
MOST_LABELS = 200
LEAST_CHANGE = 0.05  # of the items: a difference in how often a label is given that is worth a word


# -- tests ------------------------------------------------------------------------------------------------------------


def stuart_maxwell(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """Do two annotators use all labels equally often on the items both answered? A row per pair.

    χ² = d' S⁻¹ d with d the differences of the margins and S their covariance if there is no difference; K − 1 degrees
    of freedom, less for labels that neither used or on which they never differ. For two labels it is McNemar's test.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of annotators: items, statistic, df, p, p_holm.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    References: stuart1955; maxwell1970.

    >>> from accord import Study
    >>> table = stuart_maxwell(Study.from_confusion([[20, 10, 5], [3, 30, 15], [0, 5, 40]]))
    >>> row = next(iter(table))
    >>> round(row["statistic"], 2), row["df"]
    (13.76, 2)
    """
    return homogeneity_table(view_of(data, other, labels, roles))


def homogeneity_table(view: View) -> Table:
    """Stuart & Maxwell's test of every two annotators who met."""
    cells, who = cells_of(view), view.study.annotators
    rows = [_homogeneity(table) for table in cells.tables(len(view.study.labels))]
    p = np.array([row[2] for row in rows])
    return Table(
        "Marginal homogeneity (Stuart–Maxwell), by pair of annotators",
        {
            "first": [who[place] for place in cells.first],
            "second": [who[place] for place in cells.second],
            "items": np.array([row[3] for row in rows], dtype=np.int64),
            "statistic": np.array([row[0] for row in rows]),
            "df": np.array([row[1] for row in rows], dtype=np.int64),
            "p": p,
            "p_holm": holm(p),
        },
    )


def _homogeneity(table: FloatArray) -> tuple[float, int, float, float]:
    """Stuart & Maxwell's statistic, degrees of freedom, p, and the items."""
    from scipy.special import gammaincc

    rows, columns = table.sum(1), table.sum(0)
    difference = (rows - columns)[:-1]
    spread = -(table + table.T)
    np.fill_diagonal(spread, rows + columns - 2 * np.diag(table))
    spread = spread[:-1, :-1]
    df = int(np.linalg.matrix_rank(spread)) if spread.size else 0
    if not df:
        return 0.0, 0, 1.0, float(table.sum())
    statistic = float(difference @ np.linalg.pinv(spread, hermitian=True) @ difference)
    return statistic, df, float(gammaincc(df / 2, statistic / 2)), float(table.sum())


def mcnemar(data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """Does one annotator give a label more often than the other, on the items both answered? A row per pair and label.

    Each label against the rest; `only_first` and `only_second` count the items on which one gave it and the other did
    not. p is exact and two-sided (binomial).

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of annotators and label: only_first, only_second, p, p_holm.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    References: mcnemar1947.

    >>> from accord import Study
    >>> row = next(iter(mcnemar(Study.from_confusion([[40, 15], [5, 40]], labels=["yes", "no"]))))
    >>> row["label"], row["only_first"], row["only_second"], round(row["p"], 3)
    ('yes', 15, 5, 0.041)
    """
    view = view_of(data, other, labels, roles)
    cells, who, names = cells_of(view), view.study.annotators, view.study.labels
    rows = []
    for place, table in enumerate(cells.tables(len(names))):
        for label in range(len(names) if len(names) > 2 else min(len(names), 1)):
            only_first = float(table[label].sum() - table[label, label])
            only_second = float(table[:, label].sum() - table[label, label])
            rows.append((place, label, only_first, only_second))
    p = sign_test([row[2] for row in rows], [row[3] for row in rows])
    return Table(
        "McNemar's test of each label against the rest, by pair of annotators",
        {
            "first": [who[cells.first[row[0]]] for row in rows],
            "second": [who[cells.second[row[0]]] for row in rows],
            "label": [names[row[1]] for row in rows],
            "only_first": np.array([row[2] for row in rows], dtype=np.int64),
            "only_second": np.array([row[3] for row in rows], dtype=np.int64),
            "p": p,
            "p_holm": holm(p),
        },
    )


def cochran_q(data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """Do all annotators give a label equally often? A row per label, against the rest, over items that all answered.

    Q = (R − 1) (R Σ T_g² − T²) / (R T − Σ L_i²), T_g the items to which annotator g gave the label, L_i how many gave
    it to item i, T their sum; R − 1 degrees of freedom. For two annotators it is McNemar's χ².

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per label: label, items, least, most, statistic, df, p, p_holm.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    References: cochran1950.

    >>> table = cochran_q([["y", "y", "n"], ["y", "n", "n"], ["y", "y", "y"], ["y", "y", "n"], ["n", "n", "n"]])
    >>> [(row["label"], round(row["statistic"], 2), row["df"]) for row in table]
    [('n', 4.67, 2), ('y', 4.67, 2)]
    """
    return cochran_table(view_of(data, other, labels, roles))


def cochran_table(view: View) -> Table:
    """Cochran's Q of every label in use."""
    from scipy.special import gammaincc

    whole, people = named_tally(view), len(view.study._present)
    tally = whole.where(whole.answered == people)
    each = view.cells if tally is whole and view.cells is not None else given_by(tally)
    squares = _squares(tally)
    total = each.sum(0)
    room = people * total - squares
    used = np.nonzero(total > 0)[0]
    above = (people - 1) * (people * (each**2).sum(0) - total**2)
    statistic = np.divide(above, room, out=np.zeros(len(room)), where=room > 0)[used]
    p = np.asarray(gammaincc((people - 1) / 2, statistic / 2), dtype=np.float64) if people > 1 else np.ones(len(used))
    return Table(
        "Cochran's Q of each label against the rest, over items that all annotators answered",
        {
            "label": [tally.answers.labels[label] for label in used],
            "items": np.full(len(used), tally.n_items),
            "least": each[view.study._present].min(0)[used] / max(tally.n_items, 1) if len(used) else np.empty(0),
            "most": each[view.study._present].max(0)[used] / max(tally.n_items, 1) if len(used) else np.empty(0),
            "statistic": statistic,
            "df": np.full(len(used), people - 1),
            "p": p,
            "p_holm": holm(p) if len(p) > 2 else p,  # of two labels, one is as good as the other
        },
        () if tally.n_items else ("No item was answered by all annotators.",),
    )


def _squares(tally: Tally) -> FloatArray:
    """(K,) Σ L² over items, L how many gave the label to an item; in a named tally an entry is one annotator's."""
    size = len(tally.answers)
    gave = tally.pattern * size + tally.answer
    if len(tally) * size <= DENSE_KEYS:
        many = np.bincount(gave, minlength=len(tally) * size).reshape(-1, size).astype(np.float64)
        return np.asarray(tally.items @ many**2)
    distinct, many = np.unique(gave, return_counts=True)
    return add_up(distinct % size, many.astype(np.float64) ** 2 * tally.items[distinct // size], size)


# -- what is found ----------------------------------------------------------------------------------------------------


def look(view: View) -> Iterator[Clue]:
    """Annotators who use labels differently on the same items."""
    if view.main.undefined or not view.single or view.study.n_annotators < 2:
        return
    what = "whether annotators use the labels alike"
    if not view.named:
        yield NotLookedAt(what, view.why_not_named)
    elif view.study.n_annotators > MOST_PEOPLE or len(view.study.labels) > MOST_LABELS:
        yield NotLookedAt(
            what,
            f"It is looked at unasked for up to {MOST_PEOPLE} annotators and {MOST_LABELS} labels; stuart_maxwell, "
            "mcnemar and cochran_q make the tables.",
        )
    elif view.study.n_annotators == 2:
        yield from _two(view)
    else:
        yield from _several(view)


def _two(view: View) -> Iterator[Clue]:
    """Stuart–Maxwell's test, exact for two labels; a warning where the margins alone keep kappa low."""
    table = next(cells_of(view).tables(len(view.study.labels)), None)
    if table is None:
        return
    yield TestFamily(1, "comparison of two annotators' label use")
    statistic, df, p, items = _homogeneity(table)
    if df == 1:
        place = np.nonzero((table.sum(0) != table.sum(1)) | (table.sum(0) != np.diag(table)))[0][0]
        agreed = table[place, place]
        p = float(sign_test(table[place].sum() - agreed, table[:, place].sum() - agreed))
    shares = np.stack((table.sum(1), table.sum(0))) / max(items, 1)
    most = int(np.argmax(np.abs(shares[0] - shares[1])))
    indices = prevalence_and_bias_of(view)
    first, second = view.study._present.tolist()
    p = max(p, _over_clusters(view, most, first, [second]) * max(df, 1))
    who = [view.study.annotators[person] for person in (first, second)]
    label = view.study.labels[most]
    yield Finding(
        "different-label-use", "warning" if indices.maximum_kappa < LITTLE_ROOM else "note",
        f"The two annotators use the labels differently on the same items: {shown(label)} takes "
        f"{shares[0, most]:.1%} of {who[0]}'s answers and {shares[1, most]:.1%} of {who[1]}'s. With such shares kappa "
        f"cannot exceed {indices.maximum_kappa:z.2f}.",
        f"Let both explain when they give {shown(label)}, and write the answer into the guidelines; it is a difference "
        "of thresholds rather than of single items.",
        (
            Evidence("bias index", indices.bias_index), Evidence("maximum kappa", indices.maximum_kappa),
            Evidence(f"Stuart–Maxwell χ² on {df}", statistic),
        ),
        sources=("stuart1955", "maxwell1970", "byrt1993"), labels=(label,), annotators=tuple(who), p=min(p, 1.0),
        weight=min(1.0, 0.5 * float(np.abs(shares[0] - shares[1]).sum())), table=homogeneity_table(view),
    )  # fmt: skip


def _several(view: View) -> Iterator[Clue]:
    """Cochran's Q of every label."""
    table = cochran_table(view)
    if not len(table) or not table["items"][0]:
        yield NotLookedAt("Cochran's Q", "No item was answered by all annotators.")
        return
    # of two labels, one is as good as the other
    yield TestFamily(len(table) if len(table) > 2 else 1, "labels whose use annotators may differ in")
    place = int(np.argmin(table["p"]))
    row = list(table)[place]
    spread = row["most"] - row["least"]
    if not math.isfinite(row["p"]) or spread < LEAST_CHANGE:
        return
    p = max(float(row["p"]), _furthest_over_clusters(view, row["label"]))
    yield Finding(
        "different-label-use", "note",
        f"Annotators use {shown(row['label'])} differently on the same items: for between {row['least']:.1%} and "
        f"{row['most']:.1%} of them.",
        f"Let the annotators who use {shown(row['label'])} most and least explain when they give it.",
        (Evidence(f"Cochran's Q on {row['df']}", row["statistic"]), Evidence("widest difference of shares", spread)),
        sources=("cochran1950",), labels=(row["label"],), p=min(p, 1.0), weight=min(1.0, spread), table=table,
    )  # fmt: skip


def _over_clusters(view: View, label: int, person: int, others: Sequence[int]) -> float:
    """How likely it is that somebody uses a label so differently, where items of a cluster lean one way together.

    The tests of label use count items; where these come in clusters, clusters are what was drawn. 0 where they do not.
    """
    if "cluster" not in view.study.roles:
        return 0.0
    tally = named_tally(view)
    assert tally.annotator is not None
    tally = tally.where(tally.answered == len(others) + 1)
    assert tally.annotator is not None
    weight = np.zeros(len(tally.annotators))
    weight[list(others)], weight[person] = -1 / len(others), 1.0
    more = tally.per_pattern(np.where(tally.answer == label, weight[tally.annotator], 0.0))
    totals, number = view.units.over(tally).totals(more)
    clusters, total = float(number.sum()), float(number @ totals)
    squares = float(number @ (totals - total / max(clusters, 1.0)) ** 2)
    if clusters < 2:
        return 1.0
    p = p_value(total, math.sqrt(squares * clusters / (clusters - 1)), clusters - 1)
    return 1.0 if math.isnan(p) else p


def _furthest_over_clusters(view: View, label: Label) -> float:
    """The same of whoever uses the label most unlike the others, corrected for the people to choose from."""
    tally, people = named_tally(view), view.study._present.tolist()
    place = view.study.labels.index(label)
    given = given_by(tally.where(tally.answered == len(people)))[people, place]
    person = people[int(np.abs(given - given.mean()).argmax())]
    return _over_clusters(view, place, person, [one for one in people if one != person]) * len(people)

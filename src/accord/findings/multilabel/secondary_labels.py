"""How the secondary label is used: by whom, with which labels, and in which combinations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.proportions import sign_test
from accord.agreement.table import Table
from accord.annotations.arrays import IntArray, add_up, divide
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.weights import rank_weights
from accord.findings.multilabel.checks import ranked_study, ranks_used
from accord.options import head
from accord.study.given import Roles
from accord.study.study import Study

ONE_WAY = 0.05  # p-value of an even split below which one order is the rule

# Rosenberg & Binkowski's ten and {ab,cb}, which they omit.
COMBINATIONS = (
    "{a,a}", "{a,b}", "{ab,a}", "{ab,b}", "{ab,c}", "{ab,ab}", "{ab,ba}", "{ab,ac}", "{ab,bc}", "{ab,cd}", "{ab,cb}",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SecondaryUse:
    """The use of secondary labels, as four tables."""

    by_annotator: Table
    by_label: Table
    combinations: Table
    orders: Table

    def __str__(self) -> str:
        return "\n\n".join(map(str, (self.by_annotator, self.by_label, self.combinations, self.orders)))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tables = (self.by_annotator, self.by_label, self.combinations, self.orders)
        return "".join(table._repr_html_() for table in tables)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("secondary_use"),
            "by_annotator": self.by_annotator.to_dict(),
            "by_label": self.by_label.to_dict(),
            "combinations": self.combinations.to_dict(),
            "orders": self.orders.to_dict(),
        }


def secondary_use(
    data: Any, /, *, p: float = 0.6, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> SecondaryUse:
    """How often secondary labels are given, by whom and with which labels; which combinations two annotators make.

    `combinations` counts Rosenberg and Binkowski's ways in which two answers can meet (ten, and {ab,cb}), over all
    pairs of annotators and items, with the agreement of each at `p`. `orders` tells of every two labels given together
    whether one is mostly the primary (general and specific) or either is (concurrent features). Ranks after the second
    are left out of account.

    Args:
        data: A `Study` of ranked answers, or what one is made of.
        p: The share of the primary label, from 0.5 to 1.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `SecondaryUse` with four tables: `by_annotator`, `by_label`, `combinations`, `orders`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not ranked, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> answers = [[["a", "b"], ["b", "a"]], [["a"], ["a"]], [["b", "c"], ["b"]], [["c"], ["c", "a"]], [["c"], ["b"]]]
    >>> use = secondary_use(Study.from_wide(answers, answers="ranked"))
    >>> [(row["combination"], row["count"]) for row in use.combinations if row["count"]]
    [('{a,a}', 1), ('{a,b}', 1), ('{ab,a}', 2), ('{ab,ba}', 1)]
    """
    study = ranked_study(data, labels, roles, "The use of secondary labels")
    share = rank_weights(p)[0]
    _, who, answer, _ = study._annotations.rows
    first, second = _two(study)
    deeper = ranks_used(study.answers) > 2
    return SecondaryUse(
        _by_annotator(study, who, second[answer] >= 0),
        _by_label(study, first[answer], second[answer]),
        _combinations(study, first, second, share, deeper=deeper),
        _orders(study, first[answer], second[answer]),
    )


def _two(study: Study) -> tuple[IntArray, IntArray]:
    """(answers,) the primary and the secondary label, −1 for none."""
    members = study.answers.members
    first = np.array([labels_of_answer[0] for labels_of_answer in members], dtype=np.int64)
    second = np.array(
        [labels_of_answer[1] if len(labels_of_answer) > 1 else -1 for labels_of_answer in members], dtype=np.int64
    )
    return first, second


def _by_annotator(study: Study, who: IntArray, with_second: Any) -> Table:
    size = len(study.annotators)
    answers, given = np.bincount(who, minlength=size), add_up(who, with_second, size)
    people = study._present
    return Table(
        "Secondary labels by annotator",
        {
            "annotator": [study.annotators[person] for person in people],
            "answers": answers[people],
            "secondary": given[people].astype(int),
            "share": divide(given, answers)[people],
        },
    )


def _by_label(study: Study, first: IntArray, second: IntArray) -> Table:
    size = len(study.labels)
    alone = np.bincount(first[second < 0], minlength=size)
    primary = np.bincount(first[second >= 0], minlength=size)
    secondary = np.bincount(second[second >= 0], minlength=size)
    return Table(
        "Labels as single, primary and secondary",
        {
            "label": list(study.labels),
            "alone": alone,
            "primary": primary,
            "secondary": secondary,
            "share_secondary": divide(secondary, alone + primary + secondary),
        },
    )


def _combinations(study: Study, first: IntArray, second: IntArray, p: float, *, deeper: bool) -> Table:
    tally = study.tally(named=True)
    pairs = AnnotatorPairs.of(tally)
    which = _which(
        first[pairs.first_answer], second[pairs.first_answer], first[pairs.second_answer], second[pairs.second_answer]
    )
    counts = add_up(which, tally.items[pairs.pattern], len(COMBINATIONS))
    q = 1 - p
    agreement = np.array([1, 0, p, q, 0, p * p + q * q, 2 * p * q, p * p, p * q, 0, q * q], dtype=np.float64)
    notes = ("Ranks after the second are left out of account.",) if deeper else ()
    return Table(
        f"Combinations of two answers (agreement at p = {p:g})",
        {
            "combination": list(COMBINATIONS),
            "count": counts.astype(int),
            "share": divide(counts, counts.sum()),
            "agreement": agreement,
        },
        notes,
    )


def _which(a: IntArray, b: IntArray, c: IntArray, d: IntArray) -> IntArray:
    """The combination that (a, b) and (c, d) make; b or d is −1 where there is no secondary label."""
    swap = (b < 0) & (d >= 0)  # the answer with a secondary label comes first
    a, b, c, d = np.where(swap, c, a), np.where(swap, d, b), np.where(swap, a, c), np.where(swap, b, d)
    singles, doubles = b < 0, d >= 0
    return np.select(
        [
            singles & (a == c), singles,
            ~doubles & (c == a), ~doubles & (c == b), ~doubles,
            (a == c) & (b == d), (a == d) & (b == c), a == c, (a == d) | (b == c), b == d,
        ],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 10],
        default=9,
    )  # fmt: skip


def _orders(study: Study, first: IntArray, second: IntArray) -> Table:
    """Every two labels given together: how often each is the primary, and whether that is a rule."""
    size = len(study.labels)
    both = second >= 0
    table = add_up(first[both] * size + second[both], np.ones(int(both.sum())), size * size).reshape(size, size)
    one, other = np.triu_indices(size, 1)
    forth, back = table[one, other], table[other, one]
    used = np.nonzero(forth + back)[0]
    used = used[np.argsort(-(forth + back)[used], kind="stable")]
    one, other, forth, back = one[used], other[used], forth[used], back[used]
    even = sign_test(forth, back)
    return Table(
        "Labels given together",
        {
            "first": [study.labels[place] for place in one],
            "second": [study.labels[place] for place in other],
            "first_primary": forth.astype(int),
            "second_primary": back.astype(int),
            "p": even,
            "order": [
                _order(study.labels[a], study.labels[b], x, y, p)
                for a, b, x, y, p in zip(one, other, forth, back, even, strict=True)
            ],
        },
    )


def _order(one: object, other: object, forth: float, back: float, p: float) -> str:
    if p < ONE_WAY:
        return f"one way: {one if forth > back else other} is primary"
    return "both ways" if forth and back else "too few to tell"

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
from accord.errors import counted
from accord.multilabel.multilabel_studies import primary_with_secondary, ranked_study, ranks_used
from accord.options import head
from accord.study.study import Study
from accord.study.study_of_input import Roles

ONE_WAY = 0.05  # p-value of an even split below which one order is the rule

# Rosenberg & Binkowski's ten and {ab,cb}, which they omit.
COMBINATIONS = (
    "{a,a}", "{a,b}", "{ab,a}", "{ab,b}", "{ab,c}", "{ab,ab}", "{ab,ba}", "{ab,ac}", "{ab,bc}", "{ab,cd}", "{ab,cb}",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SecondaryUse:
    """The use of secondary labels, as four tables.

    >>> from accord import Study
    >>> from accord import multilabel
    >>> answers = [["ab", "ba"], ["a", "a"], ["bc", "b"], ["c", "ca"], ["c", "b"]]
    >>> study = Study.from_wide([[list(cell) for cell in row] for row in answers], answers="ranked")
    >>> found = multilabel.secondary_use(study)
    >>> found.by_annotator["annotator"].tolist(), int(found.combinations["count"].sum())
    (['1', '2'], 5)
    """

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
    are left out of account. Of tied labels each counts as primary or secondary; their answers make none of the
    combinations, and a note counts them.

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
    given = np.bincount(answer, minlength=len(study.answers))
    return SecondaryUse(
        _by_annotator(study, who, (study.answers.ranks == 2).any(axis=1)[answer]),
        _by_label(study, given),
        _combinations(study, share),
        _orders(study, given),
    )


def _two(ranks: IntArray) -> tuple[IntArray, IntArray]:
    """(answers,) the primary and the secondary label, −1 where there is none, or several are tied for it."""
    found = []
    for rank in (1, 2):
        at = ranks == rank
        found.append(np.where(at.sum(axis=1) == 1, at.argmax(axis=1), -1) if at.shape[1] else at.sum(axis=1) - 1)
    return found[0], found[1]


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


def _by_label(study: Study, given: IntArray) -> Table:
    ranks = study.answers.ranks
    several = (ranks > 0).sum(axis=1, keepdims=True) > 1
    alone, primary = given @ ((ranks == 1) & ~several), given @ ((ranks == 1) & several)
    secondary = given @ (ranks == 2)
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


def _combinations(study: Study, p: float) -> Table:
    ranks = study.answers.ranks
    first, second = _two(ranks)
    tied = ((ranks == 1).sum(axis=1) > 1) | ((ranks == 2).sum(axis=1) > 1)
    tally = study.tally(named=True)
    pairs = AnnotatorPairs.of(tally)
    which = _which(
        first[pairs.first_answer], second[pairs.first_answer], first[pairs.second_answer], second[pairs.second_answer]
    )
    fits = ~(tied[pairs.first_answer] | tied[pairs.second_answer])
    times = tally.items[pairs.pattern]
    counts = add_up(which[fits], times[fits], len(COMBINATIONS))
    q = 1 - p
    agreement = np.array([1, 0, p, q, 0, p * p + q * q, 2 * p * q, p * p, p * q, 0, q * q], dtype=np.float64)
    notes = ["Ranks after the second are left out of account."] if ranks_used(study.answers) > 2 else []
    if not fits.all():
        number = counted(int(times[~fits].sum()), "pairs of answers")
        notes.append(f"{number} with tied labels are none of these, and are left out.")
    return Table(
        f"Combinations of two answers (agreement at p = {p:g})",
        {
            "combination": list(COMBINATIONS),
            "count": counts.astype(int),
            "share": divide(counts, counts.sum()),
            "agreement": agreement,
        },
        tuple(notes),
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


def _orders(study: Study, given: IntArray) -> Table:
    """Every two labels given together: how often each is the primary, and whether that is a rule."""
    size = len(study.labels)
    answer, first, second = primary_with_secondary(study.answers)
    table = add_up(first * size + second, given[answer].astype(np.float64), size * size).reshape(size, size)
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

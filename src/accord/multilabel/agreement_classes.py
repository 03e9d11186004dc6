"""Rosenberg and Binkowski's four classes of items, and what each is good for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.build import each_once, tallied
from accord.agreement.table import ShownAsTable, Table
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.annotations.tally import Tally, ranges
from accord.errors import OptionError
from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa
from accord.multilabel.kappa_over_p import item_values
from accord.multilabel.multilabel_studies import primary_with_secondary, ranked_study, ranks_used, refuse_whole_orders
from accord.options import head, is_among
from accord.study.study import Study
from accord.study.study_of_input import Roles

SAME = 1e-9  # agreements closer than this are equal
FEW_USABLE = 0.5  # a share of usable items below this is a finding (the paper's 150 of 380 was one)

CLASSES = "Class of each item"
SHARED = "Labels that class 4 items share: candidates for a combined label"

MEANING = (
    "the same label from everybody, with or without the secondary labels",
    "no agreement, whether the secondary labels count or not",
    "agreement on the primary label; the secondary labels differ",
    "the same labels, with primary and secondary exchanged",
)
USE = (
    "clear examples for the manual",
    "to redirect annotators, or to revise the manual or the labels",
    "to instruct annotators again in the use of the secondary label",
    "keep from training, or give a combined label (see pairs)",
)


@dataclass(frozen=True, eq=False, repr=False)
class ItemClasses(ShownAsTable):
    """The four classes: 1 constant high, 2 constant low, 3 falling, 4 rising when the secondary label counts.

    >>> from accord import Study
    >>> from accord import item_classes
    >>> answers = [["ab", "ba"], ["a", "a"], ["bc", "b"], ["c", "ca"], ["c", "b"]]
    >>> study = Study.from_wide([[list(cell) for cell in row] for row in answers], answers="ranked")
    >>> found = item_classes(study)
    >>> found.numbers, found.usable, found.total
    ((1, 1, 2, 1), 3, 5)
    >>> print(found.to_table().head(1)["items"].tolist())
    [1]
    """

    items: Table  # item, class, agreement and value at both ends, usable
    pairs: Table  # class 4: which labels are exchanged, on how many items
    high: float
    numbers: tuple[int, int, int, int]
    usable: int
    alone: int  # items with a single answer, which have no class

    def of(self, number: int) -> list[Any]:
        """The items of one class.

        Args:
            number: The class, from 1 to 4.

        Returns:
            The names of the items.

        Raises:
            OptionError: If there is no such class.

        >>> from accord import Study
        >>> from accord import item_classes
        >>> answers = [["ab", "ba"], ["a", "a"], ["bc", "b"], ["c", "ca"], ["c", "b"]]
        >>> study = Study.from_wide([[list(cell) for cell in row] for row in answers], answers="ranked")
        >>> item_classes(study).of(4)
        [0]
        """
        if not is_among(number, (1, 2, 3, 4)):
            raise OptionError.must("number", "be a class: 1, 2, 3 or 4", number)
        return list(self.items["item"][self.items["class"] == number])

    @property
    def total(self) -> int:
        """Items that have a class: all with two answers or more."""
        return sum(self.numbers)

    def to_table(self) -> Table:
        """One row per class.

        Returns:
            A `Table` with one row per class: class, agreement, items, share, says, use.
        """
        share = [number / self.total if self.total else float("nan") for number in self.numbers]
        return Table(
            "Items by how agreement changes when the secondary label counts",
            {
                "class": [1, 2, 3, 4],
                "agreement": ["constant, high", "constant, low", "higher at p = 1", "higher at p = 0.5"],
                "items": list(self.numbers),
                "share": share,
                "says": list(MEANING),
                "use": list(USE),
            },
            self.findings,
        )

    @property
    def findings(self) -> tuple[str, ...]:
        """How many items are usable, and whether that is too few."""
        notes = [f"{self.usable:,} of {self.total:,} items are usable: kappa above {self.high:g} on the primary label."]
        if self.total and self.usable < FEW_USABLE * self.total:
            notes.append(
                "That is fewer than half: say in the manual when the secondary label is to be used, and reconsider the "
                "labels, before more is annotated."
            )
        if self.alone:
            notes.append(f"{self.alone:,} items have a single answer and no class.")
        return tuple(notes)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("item_classes"),
            "high": self.high,
            "classes": self.to_table().to_dict()["rows"],
            "usable": self.usable,
            "items": self.items.to_dict()["rows"],
            "pairs": self.pairs.to_dict()["rows"],
            "findings": list(self.findings),
        }


def item_classes(
    data: Any, /, *, high: float = 0.6, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> ItemClasses:
    """Sort items by whether agreement is high, and whether it rises or falls when the secondary label counts.

    Rising and falling are judged on the item's agreement at p = 1 against p = 0.5 (chance moves with p too, and is left
    out of it); high and low on the item's kappa at p = 1, which also makes an item usable. An item with a single answer
    has no class; all others have one.

    Args:
        data: A `Study` of ranked answers, or what one is made of.
        high: The kappa above which an item is high.
        labels: The scale: all labels there are, in order.
        **roles: The keywords of `Study`.

    Returns:
        `ItemClasses`: `numbers` of items by class, `usable`, `items` and `pairs` as tables, `of(number)`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not ranked or are whole orders, or nobody is named.
        OptionError: If `high` does not lie between 0 and 1.

    >>> from accord import Study
    >>> answers = [[["a", "b"], ["b", "a"]], [["a"], ["a"]], [["b", "c"], ["b"]], [["c"], ["c", "a"]], [["c"], ["b"]]]
    >>> found = item_classes(Study.from_wide(answers, answers="ranked"))
    >>> found.numbers, found.usable, list(found.pairs)
    ((1, 1, 2, 1), 3, [{'first': 'a', 'second': 'b', 'items': 1, 'exchanged': 1}])
    """
    study = ranked_study(data, labels, roles, "A class of items")._in_memory  # items are told one by one
    refuse_whole_orders(study, "A class of items")
    if not -1 <= high <= 1:
        raise OptionError.must("high", "be a kappa, between −1 and 1", high)
    ranks = ranks_used(study.answers)
    primary = each_once(rosenberg_binkowski_kappa(study, p=(1.0, *[0.0] * (ranks - 1))))
    alike = each_once(rosenberg_binkowski_kappa(study, p=(1.0,) * ranks))
    if primary.coefficient is None or alike.coefficient is None:
        return _nothing(study, high)
    tally = tallied(primary).tally
    (first, kappa), (second, _) = item_values(primary), item_values(alike)
    classes = _classes(first, second, kappa, high)
    numbers = add_up(classes, tally.items, 5).astype(int)[1:]
    usable = kappa > high
    return ItemClasses(
        _items_table(study, tally, classes, (first, second, kappa), high),
        _exchanged(study, tally, classes == 4),
        high,
        (int(numbers[0]), int(numbers[1]), int(numbers[2]), int(numbers[3])),
        int(tally.items @ usable),
        study.n_items - tally.n_items,
    )


def _classes(first: FloatArray, second: FloatArray, kappa: FloatArray, high: float) -> IntArray:
    """(patterns,) 1 to 4."""
    constant = np.where(kappa > high, 1, 2)
    return np.where(first > second + SAME, 3, np.where(second > first + SAME, 4, constant))


def _items_table(
    study: Study, tally: Tally, classes: IntArray, values: tuple[FloatArray, FloatArray, FloatArray], high: float
) -> Table:
    assert tally.locate is not None
    pattern = tally.locate()
    present = np.nonzero(pattern >= 0)[0]
    place = pattern[present]
    first, second, kappa = (part[place] for part in values)
    return Table(
        CLASSES,
        {
            "item": [study.items[number] for number in present.tolist()],
            "class": classes[place],
            "agreement_primary": first,
            "agreement_both": second,
            "value": kappa,
            "usable": kappa > high,
        },
    )


def _exchanged(study: Study, tally: Tally, chosen: BoolArray) -> Table:
    """Pairs of labels that annotators of these items gave together, and on how many items in both orders."""
    answer, one, two = primary_with_secondary(study.answers)
    of_answer = np.bincount(answer, minlength=len(study.answers))
    chosen_entries = np.nonzero(chosen[tally.pattern])[0]
    times = of_answer[tally.answer[chosen_entries]]
    entry = np.repeat(chosen_entries, times)
    pairs_at = ranges((np.cumsum(of_answer) - of_answer)[tally.answer[chosen_entries]], times)
    a, b = one[pairs_at], two[pairs_at]
    size = len(study.labels)
    pair = np.minimum(a, b) * size + np.maximum(a, b)
    seen, places = np.unique(tally.pattern[entry] * size * size + pair, return_inverse=True)
    orders = add_up(places, (a < b).astype(float), len(seen)), add_up(places, (a > b).astype(float), len(seen))
    items = tally.items[seen // (size * size)] if size else np.empty(0)
    pairs, at = np.unique(seen % (size * size) if size else seen, return_inverse=True)
    number = add_up(at, items, len(pairs)).astype(int)
    both = add_up(at, items * ((orders[0] > 0) & (orders[1] > 0)), len(pairs)).astype(int)
    order = np.lexsort((pairs, -number))
    return Table(
        SHARED,
        {
            "first": [study.labels[pairs[k] // size] for k in order],
            "second": [study.labels[pairs[k] % size] for k in order],
            "items": number[order],
            "exchanged": both[order],
        },
    )


def _nothing(study: Study, high: float) -> ItemClasses:
    """No item has two answers."""
    columns = ("item", "class", "agreement_primary", "agreement_both", "value", "usable")
    items = Table(CLASSES, {name: np.empty(0) for name in columns})
    pairs = Table(SHARED, {name: np.empty(0) for name in ("first", "second", "items", "exchanged")})
    return ItemClasses(items, pairs, high, (0, 0, 0, 0), 0, study.n_items)

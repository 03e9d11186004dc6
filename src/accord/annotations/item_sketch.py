"""Which items a tally holds, as far as 1,024 of them tell: enough to see whether two tallies share some.

Every item's id becomes a 64-bit number, the same wherever the id is the same; the smallest of the numbers are kept.
They are a random sample of the items, and of two tallies the same one: how many of the smallest numbers of both
together stand in either says how many items they share. With no more items than are kept, that is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest

KEPT = 1_024  # numbers of a sketch
RULE_OF_THREE = 3.0  # of n draws without a success, the share is below 3 / n with 95 %


@dataclass(frozen=True)
class Shared:
    """How many items two tallies share."""

    items: float
    exact: bool  # or an estimate from the sketches
    at_most: float  # with 95 %


@dataclass(frozen=True)
class ItemSketch:
    """The smallest numbers of a tally's items, in order, and how many items there are."""

    numbers: tuple[int, ...]
    n_items: int

    @classmethod
    def of(cls, items: Iterable[object]) -> ItemSketch:
        """The sketch of items by their ids; 1 and "1" are one id, since files do not tell them apart.

        >>> ItemSketch.of(["a", "b"]) == ItemSketch.of(["b", "a"])
        True
        """
        numbers = {_number(item) for item in items}
        return cls(tuple(nsmallest(KEPT, numbers)), len(numbers))

    @property
    def whole(self) -> bool:
        """Does it hold the number of every item?"""
        return self.n_items == len(self.numbers)

    def shared(self, other: ItemSketch) -> Shared:
        """How many items are in both.

        >>> ItemSketch.of(range(10)).shared(ItemSketch.of(range(5, 20)))
        Shared(items=5.0, exact=True, at_most=5.0)
        """
        both = set(self.numbers) & set(other.numbers)
        if self.whole and other.whole:
            return Shared(float(len(both)), exact=True, at_most=float(len(both)))
        size = min(KEPT, self.n_items + other.n_items)
        smallest = nsmallest(size, {*self.numbers, *other.numbers})
        found = sum(number in both for number in smallest)
        at_most = self._items(other, RULE_OF_THREE / len(smallest)) if not found else float("inf")
        return Shared(self._items(other, found / len(smallest)), exact=False, at_most=at_most)

    def _items(self, other: ItemSketch, share: float) -> float:
        """Items in both, where so large a share of all items of either is."""
        return share * (self.n_items + other.n_items) / (1 + share)

    @classmethod
    def together(cls, sketches: Sequence[ItemSketch]) -> ItemSketch:
        """The sketch of tallies that were added up; an item that is in two of them counts once where that is known."""
        numbers = {number for one in sketches for number in one.numbers}
        known = all(one.whole for one in sketches)
        return cls(tuple(nsmallest(KEPT, numbers)), len(numbers) if known else sum(one.n_items for one in sketches))


def _number(item: object) -> int:
    from hashlib import blake2b  # with OpenSSL, which few studies need

    return int.from_bytes(blake2b(str(item).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")

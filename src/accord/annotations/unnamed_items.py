"""Items that are counted and not named: all that a tally says of them is how many look alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from accord.annotations.answers import Label
from accord.errors import MeasureError, Part

if TYPE_CHECKING:
    from accord.annotations.item_sketch import ItemSketch


class UnnamedItems(Sequence[Label]):
    """So many items; whoever asks for the name of one gets an error that says why there is none."""

    def __init__(self, size: int, sketch: ItemSketch | None = None) -> None:
        self._size = size
        self.sketch = sketch  # which they are, as far as it tells

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: Any) -> NoReturn:
        raise items_unknown("This")


def item_key(items: Sequence[Label], place: int) -> Any:
    """What an item is told apart by: its name, or, where it has none, its number in the tally that it is of."""
    return (id(items), place) if isinstance(items, UnnamedItems) else items[place]


def items_unknown(what: Part) -> MeasureError:
    """The error for a question about single items of a tally."""
    return MeasureError(
        what,
        " is about single items, and a tally says how many items look alike, not which they are. Ask it of the "
        "annotations that the tally was made from.",
    )

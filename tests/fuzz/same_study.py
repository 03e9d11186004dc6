"""Are two studies the same? What they hold, what was left out, and what is measured on them."""

from __future__ import annotations

from typing import Any

import accord
from tests.fuzz.campaign import Differs
from tests.readers.test_round_trip import content


def compare(
    first: accord.Study, second: accord.Study, what: str, *, declared: bool = True, typed_items: bool = True
) -> None:
    """Raise where they differ.

    Of a type that declares its labels, what is `declared` does not count. Where all ids that are left are numbers, a
    file has numbers, though one that was left out was none: then items are not `typed_items`.
    """
    mine, other = content(first), content(second)
    if not declared:
        mine, other = (mine[0], mine[-1]), (other[0], other[-1])
    if not typed_items:
        mine, other = _ids_as_text(mine), _ids_as_text(other)
    if mine != other:
        raise Differs(f"{what}: {str(mine)[:300]} and {str(other)[:300]}")


def _ids_as_text(held: Any) -> Any:
    """The content of a study whose items are text."""
    if isinstance(held, dict):
        return {str(name): _ids_as_text(part) for name, part in held.items()}
    rows = sorted(((str(item), *rest) for item, *rest in held[-1]), key=repr)
    return (*held[:-1], rows)


def measured(study: accord.Study) -> Any:
    """All that is measured, as text."""
    try:
        return str(accord.measure(study))
    except accord.AccordError as problem:
        return str(problem)

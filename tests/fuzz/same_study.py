"""Are two studies the same? What they hold, what was left out, and what is measured on them."""

from __future__ import annotations

from typing import Any

import accord
from tests.fuzz.campaign import Differs
from tests.readers.test_round_trip import content


def compare(first: accord.Study, second: accord.Study, what: str, *, declared: bool = True) -> None:
    """Raise where they differ; of a type that declares its labels, what is declared does not count."""
    mine, other = content(first), content(second)
    if not declared:
        mine, other = (mine[0], mine[-1]), (other[0], other[-1])
    if mine != other:
        raise Differs(f"{what}: {str(mine)[:300]} and {str(other)[:300]}")


def measured(study: accord.Study) -> Any:
    """All that is measured, as text."""
    try:
        return str(accord.measure(study))
    except accord.AccordError as problem:
        return str(problem)

"""Are two studies the same? What they hold, what was left out, and what is measured on them."""

from __future__ import annotations

import math
from typing import Any

import accord
from accord.study.tables.to_study import same_type
from tests.fuzz.campaign import Differs
from tests.readers.test_round_trip import content


def compare(
    first: accord.Study, second: accord.Study, what: str, *, declared: bool = True, typed_items: bool = True
) -> None:
    """Raise where they differ.

    Of a type that declares its labels, what is `declared` does not count. A file of text does not tell 1 from '1':
    where all ids that are left are written as numbers, they may come back as such, and items are not `typed_items`.
    """
    mine, other = content(first), content(second)
    if not declared:
        mine, other = (mine[0], mine[-1]), (other[0], other[-1])
    if mine != other and (typed_items or _with_ids_of_files(mine) != other):
        raise Differs(f"{what}: {str(mine)[:300]} and {str(other)[:300]}")


def _with_ids_of_files(held: Any) -> Any:
    """The content of a study whose items are what a file says of them."""
    parts = held if isinstance(held, dict) else {None: held}
    ids = list(dict.fromkeys(item for part in parts.values() for item, *_ in part[-1]))
    typed = dict(zip(ids, same_type(ids), strict=True))
    found = {
        name: (*part[:-1], sorted(((typed[item], *rest) for item, *rest in part[-1]), key=repr))
        for name, part in parts.items()
    }
    return found if isinstance(held, dict) else found[None]


def measured(study: accord.Study) -> Any:
    """All that is measured, as text."""
    try:
        return str(accord.measure(study))
    except accord.AccordError as problem:
        return str(problem)


def same_values(rows: accord.Study, sums: accord.Study, what: str) -> None:
    """Raise where a coefficient that both know has two values; sums that name nobody know fewer."""
    one, other = (_values(study) for study in (rows, sums))
    for name in one.keys() & other.keys():
        if not math.isclose(one[name], other[name], rel_tol=0, abs_tol=1e-12):
            raise Differs(f"{what}: {name} is {one[name]!r} and {other[name]!r}")
    if bool(one) != bool(other):
        raise Differs(f"{what}: {sorted(one)} and {sorted(other)}")


def _values(study: accord.Study) -> dict[str, float]:
    """The coefficients that have a value."""
    found = accord.measure(study)
    return {result.title: result.value for result in found if result.undefined is None}

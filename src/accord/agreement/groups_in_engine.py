"""Groups whose items stay in an engine: do they share items, and how much do their values move together?"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from accord.agreement.build import tallied
from accord.agreement.inference.joint_tests import Together
from accord.agreement.result import Agreement
from accord.annotations.arrays import FloatArray, unit_of
from accord.engine.annotator_sums import onto
from accord.engine.lazy_annotations import MOST_PATTERNS, LazyAnnotations
from accord.engine.lookup import Lookup
from accord.engine.positional_codes import rows_among
from accord.errors import MeasureError, collected
from accord.study.study import Study

MOST_TOGETHER = 8  # groups that are compared two by two, each pair in a pass over the table


def together(study: Study, by: str, parts: dict[object, Agreement]) -> Together:
    """Of the values of groups that share items: the products of an item's scores in both, added up by joint pattern."""
    if len(parts) > MOST_TOGETHER:
        raise MeasureError(
            f"{len(parts)} groups share items, and at most {MOST_TOGETHER} are compared in an engine. Choose "
            "some, or collect the frame first.",
            remedies=[collected()],
        )
    whole, scores = _lazy(study), [_scores(part) for part in parts.values()]
    names = list(parts)
    errors = np.array([part.interval().se for part in parts.values()])
    scale = unit_of(errors)
    fourth = np.diag([_fourth_powers(part, scale) for part in parts.values()])
    found = Together(np.diag((errors / scale) ** 2), fourth, fourth.copy(), scale)
    for one, other in combinations(range(len(names)), 2):
        number, a, b = _shared(whole, by, (names[one], names[other]), (scores[one], scores[other]))
        a, b = a / scale, b / scale
        for table, product in ((found.covariance, a * b), (found.squares, (a * b) ** 2)):
            table[one, other] = table[other, one] = float(number @ product)
        found.cubes[one, other], found.cubes[other, one] = float(number @ (a**3 * b)), float(number @ (a * b**3))
    return found


def _lazy(study: Study) -> LazyAnnotations:
    """The annotations of a study as they stand in their engine."""
    found = study._annotations.in_engine
    assert found is not None
    return found


def _fourth_powers(part: Agreement, scale: float) -> float:
    """The sum of the fourth powers of what items add to the error of one group, counted in `scale`."""
    coefficient = tallied(part)
    items = coefficient.tally.n_items
    return float(coefficient.tally.items @ (coefficient.influences / scale) ** 4) / (items * (items - 1.0)) ** 2


def _scores(part: Agreement) -> tuple[LazyAnnotations, FloatArray]:
    """What an item adds to the value of its group, by the sums that tell patterns apart in the engine."""
    coefficient, remote = tallied(part), _lazy(part.study)
    if not coefficient.knows_items:
        raise MeasureError(
            "What an item adds to these values is not known in an engine. Collect the frame first.",
            remedies=[collected()],
        )
    distinguished = coefficient.tally.annotator is not None or coefficient.tally.key is not None or remote.repeated
    if distinguished:  # the engine's sums tell none of these
        raise MeasureError(
            "What an item adds to these values is not known in an engine. Collect the frame first.",
            remedies=[collected()],
        )
    place = onto(remote.reduced, coefficient.tally)
    items = coefficient.tally.n_items
    scores = np.append(coefficient.influences / math.sqrt(items * (items - 1.0)), 0.0)  # last: an item that counts not
    return remote, scores[place]


def _shared(
    whole: LazyAnnotations,
    by: str,
    values: tuple[object, object],
    parts: tuple[tuple[LazyAnnotations, FloatArray], ...],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of common items by joint pattern: how many there are, and what one adds to the error of either group."""
    terms: dict[str, list[Lookup]] = {}
    widths = []
    for side, (value, (remote, _)) in enumerate(zip(values, parts, strict=True)):
        inside = Lookup(by, {value: 1})
        terms |= {f"{name}of{side}": [*lookups, inside] for name, lookups in remote.reduced.terms.items()}
        widths.append(len(remote.reduced.terms))
    item = whole.roles.item
    found = whole.digested(by).patterns(item, terms, most=MOST_PATTERNS)
    if len(found.number) > MOST_PATTERNS:
        raise MeasureError("Groups share items in more ways than may be brought here. Measure a sample of the items.")
    sides = (found.codes[:, : widths[0]], found.codes[:, widths[0] :])
    both = (sides[0] != 0).any(axis=1) & (sides[1] != 0).any(axis=1)
    number = found.number[both].astype(np.float64)
    one, other = (
        scores[rows_among(remote.reduced.codes, codes[both])]
        for codes, (remote, scores) in zip(sides, parts, strict=True)
    )
    return number, one, other

"""Agreement on spans the slow and obvious way: every position of every annotator is a point, every two are looked at.

A document is a mapping from annotators to marks (start, end, label) and has a whole length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

Document = Mapping[str, Sequence[tuple[int, int, str]]]
OUTSIDE = frozenset({"outside"})


@dataclass(frozen=True)
class Point:
    """One position of one annotator."""

    place: tuple[int, int]  # document, position
    annotator: str
    value: frozenset[str]  # the labels there
    unit: Any  # what the point lies in: a unit, or in a gap itself
    seen: int  # how many annotators saw the document


def points_of(documents: Sequence[Document], lengths: Sequence[int]) -> list[Point]:
    """Every position of every annotator in documents that two saw."""
    found = []
    for number, (document, length) in enumerate(zip(documents, lengths, strict=True)):
        if len(document) < 2:
            continue
        for who, marks in document.items():
            for at in range(length):
                units = [index for index, (start, end, _) in enumerate(marks) if start <= at < end]
                value = frozenset(marks[index][2] for index in units)
                unit = (number, who, "unit", units[0]) if units else (number, who, "gap", at)
                found.append(Point((number, at), who, value or OUTSIDE, unit, len(document)))
    return found


def apart(one: Point, other: Point) -> float:
    """Half of the labels that only one holds."""
    return len(one.value ^ other.value) / 2


def together(points: Iterable[Point]) -> dict[tuple[int, int], list[Point]]:
    """The points of each position."""
    found: dict[tuple[int, int], list[Point]] = {}
    for point in points:
        found.setdefault(point.place, []).append(point)
    return found


def alpha(points: Sequence[Point], same: Callable[[Point, Point], bool]) -> float:
    """1 − D_o / D_e; chance pairs any two points but those that are the `same`."""
    total, observed = 0.0, 0.0
    for held in together(points).values():
        if len(held) > 1:
            total += len(held)
            observed += sum(apart(one, other) for one, other in permutations(held, 2)) / (len(held) - 1)
    left = [point for held in together(points).values() if len(held) > 1 for point in held]
    pairs = [(one, other) for one in left for other in left if not same(one, other)]
    expected = sum(apart(one, other) for one, other in pairs) / len(pairs)
    return 1 - (observed / total) / expected


def position_alpha(documents: Sequence[Document], lengths: Sequence[int], *, outside: bool = True) -> float:
    """Krippendorff's alpha of all positions, or of those that two annotators marked."""
    points = [point for point in points_of(documents, lengths) if outside or point.value != OUTSIDE]
    return alpha(points, lambda one, other: (one.place, one.annotator) == (other.place, other.annotator))


def unitizing_alpha(documents: Sequence[Document], lengths: Sequence[int]) -> float:
    """Krippendorff and others 2016: of units that do not overlap."""
    return alpha(points_of(documents, lengths), lambda one, other: one.unit == other.unit)


def binary(documents: Sequence[Document]) -> list[Document]:
    """All labels one, borders as they are."""
    return [{who: [(start, end, "unit") for start, end, _ in marks] for who, marks in one.items()} for one in documents]


def coded_alpha(
    documents: Sequence[Document], lengths: Sequence[int], *, left_out: bool, level: str = "nominal"
) -> float:
    """Labels where two annotators have one; a pair of annotators counts 1 / (R − 1) everywhere."""
    marked = [point for point in points_of(documents, lengths) if point.value != OUTSIDE]
    observed = whole = 0.0
    weight: list[tuple[Point, float]] = []
    for held in together(marked).values():
        weight += [(point, (len(held) - 1) / (point.seen - 1)) for point in held]
    distance = at_level(level, weight)
    for held in together(marked).values():
        for one, other in permutations(held, 2):
            observed += distance(one, other) / (one.seen - 1)
            whole += 1 / (one.seen - 1)
    chance = room = 0.0
    for one, much in weight:
        for other, more in weight:
            if not (left_out and one.unit == other.unit):
                room += much * more
                chance += much * more * distance(one, other)
    return 1 - (observed / whole) / (chance / room)


def at_level(level: str, weight: Sequence[tuple[Point, float]]) -> Callable[[Point, Point], float]:
    """Krippendorff's distances between points that have one label each, a number unless the level is nominal."""
    if level == "nominal":
        return apart

    def number(point: Point) -> float:
        (label,) = point.value
        return float(label)

    def distance(one: Point, other: Point) -> float:
        low, high = sorted((number(one), number(other)))
        if level == "interval":
            return (high - low) ** 2
        if level == "ratio":
            return ((high - low) / (high + low)) ** 2
        between = sum(much for point, much in weight if low <= number(point) <= high)
        ends = sum(much for point, much in weight if number(point) in (low, high))
        return float(low < high) * (between - ends / 2) ** 2

    return distance


def fleiss_kappa(documents: Sequence[Document], lengths: Sequence[int]) -> float:
    """Every position once; chance draws a position and then one of its annotators."""
    held = list(together(points_of(documents, lengths)).values())
    observed = [sum(apart(*pair) for pair in permutations(some, 2)) / (len(some) * (len(some) - 1)) for some in held]
    weighed = [(point, 1 / len(some)) for some in held for point in some]
    expected = sum(much * more * apart(one, other) for one, much in weighed for other, more in weighed)
    return 1 - (sum(observed) / len(held)) / (expected / len(held) ** 2)


def cohen_kappa(documents: Sequence[Document], lengths: Sequence[int]) -> float:
    """Two annotators; chance draws a position of each."""
    held = list(together(points_of(documents, lengths)).values())
    observed = sum(apart(one, other) for one, other in held) / len(held)
    expected = sum(apart(one, other) for one, _ in held for _, other in held) / len(held) ** 2
    return 1 - observed / expected


def sections(marks: Iterable[tuple[int, int, str]], length: int, label: str) -> list[tuple[int, int, bool]]:
    """A continuum of one label as units and gaps: start, length, is it a unit?"""
    found, at = [], 0
    for start, end, _ in sorted(mark for mark in marks if mark[2] == label):
        found += [(at, start - at, False)] if start > at else []
        found.append((start, end - start, True))
        at = end
    return [*found, (at, length - at, False)] if at < length else found


def distance_1995(one: tuple[int, int, bool], other: tuple[int, int, bool]) -> int:
    """Squared, between two sections."""
    (start, long, is_unit), (begin, size, unit_too) = one, other
    overlap = start < begin + size and begin < start + long
    if is_unit and unit_too and overlap:
        return (start - begin) ** 2 + (start + long - begin - size) ** 2
    if is_unit and not unit_too and begin <= start and start + long <= begin + size:
        return long**2
    if unit_too and not is_unit and start <= begin and begin + size <= start + long:
        return size**2
    return 0


def unitizing_alpha_1995(documents: Sequence[Document], lengths: Sequence[int], labels: Iterable[str]) -> float:
    """The form of 1995: everybody saw every document; units of one label do not overlap."""
    people, length = len(documents[0]), sum(lengths)
    observed = expected = 0.0
    for label in labels:
        cut = [
            {who: sections(marks, size, label) for who, marks in one.items()}
            for one, size in zip(documents, lengths, strict=True)
        ]
        observed += sum(
            distance_1995(one, other)
            for document in cut
            for first, second in combinations(document.values(), 2)
            for one in first
            for other in second
        ) * (2 / (people * (people - 1) * length**2))
        every = [section for document in cut for held in document.values() for section in held]
        units, gaps = [part[1] for part in every if part[2]], [part[1] for part in every if not part[2]]
        above = sum(
            (len(units) - 1) / 3 * (2 * size**3 - 3 * size**2 + size)
            + size**2 * sum(gap - size + 1 for gap in gaps if gap >= size)
            for size in units
        )
        below = people * length * (people * length - 1) - sum(size * (size - 1) for size in units)
        expected += 2 / length * above / below
    return 1 - observed / expected

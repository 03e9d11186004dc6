"""Which columns or questions share labels: what answers one question is answered in the same words."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

Named = TypeVar("Named", bound=Hashable)


def sharing_labels(labels: Mapping[Named, Collection[str]]) -> list[list[Named]]:
    """Groups in the order in which they come: two that share a label are in one, and so is what shares one with either.

    >>> sharing_labels({"ana": {"yes", "no"}, "topic": {"sea"}, "ben": {"no"}})
    [['ana', 'ben'], ['topic']]
    """
    root = {name: name for name in labels}

    def first(name: Named) -> Named:
        while root[name] != name:
            root[name] = name = root[root[name]]
        return name

    whose: dict[str, Named] = {}
    for name, held in labels.items():
        for label in held:
            root[first(name)] = first(whose.setdefault(label, name))
    groups: dict[Named, list[Named]] = {}
    for name in labels:
        groups.setdefault(first(name), []).append(name)
    return list(groups.values())

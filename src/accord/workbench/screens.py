"""What the screen of one item shows: as data, for whoever draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from accord.annotations.answers import Kind, Label
from accord.workbench.decision_log import LoggedRow
from accord.workbench.item_states import ItemState


@dataclass(frozen=True)
class GivenAnswer:
    """What one annotator said; "annotator 1" unless names are asked for."""

    annotator: str
    answer: Any
    times: int = 1


@dataclass(frozen=True)
class LabelChance:
    """A label, how many of the item's answers give (hold) it, and how likely it is by the model."""

    label: Label
    votes: int
    probability: float | None  # None where the method is no model


@dataclass(frozen=True)
class LabelOverlap:
    """How often two labels meet on an item: both were given to `both` of the `either` items that have one of them."""

    one: Label
    other: Label
    both: int
    either: int

    @property
    def share(self) -> float:
        """Of the items with one of the two labels, those with both."""
        return self.both / self.either if self.either else float("nan")


@dataclass(frozen=True)
class SimilarItem:
    """An item like this one that was decided already, and how."""

    key: str
    item: Label
    text: str
    decided: Any
    by: str
    reason: str
    why: str  # it is like this one: "the same answers" or "similar words"


@dataclass(frozen=True)
class ItemScreen:
    """One item: what it is, and unless it is to be looked at blind, what was said of it."""

    key: str  # the item as JSON text: what addresses and forms carry
    item: Label
    kind: Kind
    labels: tuple[Label, ...]  # what can be chosen; none for scores
    text: str
    image: str  # the address of a picture as the data have it, or ""
    blind: bool  # nothing below is filled in
    second_look: bool  # somebody else decided it; nothing tells whom or how
    n_answers: int
    answers: tuple[GivenAnswer, ...] = ()
    chances: tuple[LabelChance, ...] = ()
    chance_is: str = ""  # "posterior", "vote share" …
    suggestion: Any = None  # the label of the gold before any decision; None where it is undecided
    why_undecided: str = ""
    confused: LabelOverlap | None = None
    similar: tuple[SimilarItem, ...] = ()
    stands: ItemState | None = None
    history: tuple[LoggedRow, ...] = ()
    compared: Mapping[Label, str] = field(default_factory=dict)  # of preferences: which option each side stands for
    has_majority: bool = False  # is there one that "as the majority" can take?

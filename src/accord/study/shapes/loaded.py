"""What every shape is loaded into: annotations, the roles of their columns, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from accord.annotations.answers import Answers, Label, Level
from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.assemble import Names
from accord.annotations.cleaning import Cleaner
from accord.annotations.coded import CodedAnnotations
from accord.annotations.left_out import LeftOut, Reason
from accord.annotations.recognised_rankings import FEWEST
from accord.annotations.written_orders import are_orders

if TYPE_CHECKING:
    from accord.annotations.source_table import SourceTable
    from accord.engine.annotations_protocol import Annotations
    from accord.study.kinds import KindOfAnnotator

WeightsOfItems: TypeAlias = Mapping[Any, float | None] | Sequence[float | None] | FloatArray


class Trait(Enum):
    """What is asked of a shape, which is a text for people."""

    COLUMN_EACH = "annotators have a column each, or several"
    SEVERAL_IN_A_CELL = "cells hold several annotations"
    SUGGESTED_BY_THE_TOOL = "a tool stored suggestions beside the answers, and does not say whether annotators saw them"


@dataclass(frozen=True)
class StudyPart:
    """Which part of what was read a study is: what was asked for is kept, for rows that hold no answer."""

    annotators: frozenset[str] | None = None  # of these only
    without: frozenset[str] = frozenset()  # of everybody but these
    rows: tuple[tuple[str, frozenset[str]], ...] = ()  # rows with one of these values in a column

    def has(self, annotator: str) -> bool:
        """Does somebody of this name belong to it?"""
        return annotator not in self.without and (self.annotators is None or annotator in self.annotators)


@dataclass(frozen=True, eq=False)
class Loaded:
    """Annotations ready for a study; those of several variables one by one, in `tasks`."""

    annotations: Annotations | None
    left_out: LeftOut
    shape: str
    rows: int
    roles: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[Label, Annotations] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what the user should know of how it was read
    kinds: Mapping[str, KindOfAnnotator] | None = field(
        default_factory=dict
    )  # who is what, as the caller says; None: all alike
    levels: Mapping[Label, Level] = field(default_factory=dict)  # that somebody declared; the only variable is ""
    part: StudyPart | None = None  # of what `left_out` and `rows` count; None: all of it
    item_weights: WeightsOfItems | None = None  # as the caller gave them; those of a column are a role
    weighed: bool = False  # do its tallies count items by their weights?
    traits: frozenset[Trait] = frozenset()  # of the shape

    @property
    def orders_options(self) -> bool:
        """May the ranks of a variable be rankings, which are read here? Every answer holds all labels, or three."""
        parts = (self.annotations, *self.tasks.values())
        return any(part is not None and _may_be_rankings(part.answers) for part in parts)


def with_cleaning(loaded: Loaded, cleaner: Cleaner) -> Loaded:
    """What was loaded, with what was done to its labels."""
    if not cleaner:
        return loaded
    cleaner.note_missing(loaded.left_out)
    return replace(loaded, notes=(*loaded.notes, *cleaner.notes()))


def from_grid(grid: IntArray, scale: Answers, names: Names, table: SourceTable | None, shape: str) -> Loaded:
    """From items × annotators of answer codes."""
    left_out = LeftOut()
    left_out.add(Reason.EMPTY_CELL, int((grid < 0).sum()))
    annotations = CodedAnnotations(scale, len(grid), names.annotators, grid=grid, items=names.items, table=table)
    return Loaded(annotations, left_out, shape, len(grid))


def _may_be_rankings(answers: Answers) -> bool:
    """Is every answer so long that it may put given options in order? Of two labels, all must hold both."""
    if answers.kind == "single":  # A > B in one text
        return are_orders(range(len(answers.labels)), answers.labels)
    shortest = min(map(len, answers.members), default=0) if answers.kind == "ranked" else 0
    return shortest >= min(FEWEST, max(len(answers.labels), 2))

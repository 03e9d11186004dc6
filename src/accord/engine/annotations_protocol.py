"""Annotations wherever they are kept: what a study may ask of those in memory and of those in an engine alike.

`annotations.coded.CodedAnnotations` keeps them in memory, `engine.lazy_annotations.LazyAnnotations` leaves them in
their engine, and of `annotations.kinds_of_items.TalliedAnnotations` only the sums are known. The protocol stands
here because it hands over the second, and imports point down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.annotations.answers import Answers, Label
    from accord.annotations.arrays import BoolArray, FloatArray, IntArray
    from accord.annotations.coded import CodedAnnotations
    from accord.annotations.factorize import Coded
    from accord.annotations.item_sketch import ItemSketch
    from accord.annotations.people_sums import PeopleSums
    from accord.annotations.source_table import SourceTable
    from accord.annotations.tally import Tally
    from accord.engine.annotator_sums import Crowd
    from accord.engine.lazy_annotations import LazyAnnotations


class Annotations(Protocol):
    """Who gave which answer to which item."""

    @property
    def answers(self) -> Answers:
        """The distinct answers."""

    @property
    def annotators(self) -> tuple[str, ...]:
        """What the annotators are called, in canonical order; empty where nobody is named."""

    @property
    def named(self) -> bool:
        """Are there annotators to compare one with another?"""

    @property
    def n_annotations(self) -> int:
        """Answers given."""

    @property
    def present(self) -> IntArray:
        """The positions of the annotators who answered anything."""

    @property
    def repeated(self) -> bool:
        """Did somebody answer an item more than once?"""

    def tally(self, *, named: bool = False) -> Tally:
        """Patterns of answers, or of who answered what."""

    def tally_of_people(self, *, named: bool = False) -> Tally:
        """The same where everybody counts once on an item, however often they answered it."""

    def recoded(self, answers: Answers, became: IntArray) -> Annotations:
        """The same annotations with other answers: what was answer k is answer became[k]."""

    def renamed(self, names: Sequence[str], position: IntArray) -> Annotations:
        """The same annotations of people called otherwise: who was the k-th is the position[k]-th of these names."""

    def nameless(self) -> Annotations:
        """The same answers, of nobody by name."""

    # -- where they are -----------------------------------------------------------------------------------------------

    @property
    def in_memory(self) -> bool:
        """Are they here, as far as they are known, and not in an engine?"""

    @property
    def in_engine(self) -> LazyAnnotations | None:
        """As they stand in their engine, for what is computed there and nowhere else; None for those in memory."""

    @property
    def tells_items(self) -> bool:
        """Is it told which item is which, or only how many look alike?"""

    @property
    def lists_items(self) -> bool:
        """May items be shown one by one: is it told which is which, and are they few enough to be brought here?"""

    def item_sketch(self) -> ItemSketch | None:
        """Which items were answered, as far as a sketch tells; None where they have no names."""

    def crowd(self, *, anyway: bool = False) -> Crowd | None:
        """Sums that an engine makes over the answers of many annotators, where these stay there, or `anyway`.

        None in memory, and where somebody answered an item twice: everybody counts once there.
        """

    @property
    def people_sums(self) -> PeopleSums | None:
        """Sums over people, where these are known and not who answered which item; None for all other annotations."""

    @property
    def stays(self) -> bool:
        """Must who answered which item stay where it is: in an engine, as they are so many, or in a warehouse?"""

    @property
    def why_stays(self) -> str:
        """Why that is so, and what to do about it, in a sentence; only where `stays` is true."""

    @property
    def small(self) -> bool:
        """Are they in memory, or so few that they may be brought there for convenience?"""

    def movable(self) -> Annotations:
        """The same annotations as they may go to another process; an error where they are too many."""

    def to_memory(self) -> CodedAnnotations:
        """The same annotations in memory; an error where they are too many."""

    # -- one by one, which brings them into memory --------------------------------------------------------------------

    @property
    def rows(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Item, annotator, answer and count of each annotation (annotator −1 where nobody is named)."""

    @property
    def n_items(self) -> int:
        """How many items there are, answered or not."""

    @property
    def items(self) -> Sequence[Label]:
        """What the items are called."""

    @property
    def appearance(self) -> IntArray:
        """The items (their positions) in the order in which the table first names them; unanswered ones last."""

    def keep(self, annotations: BoolArray) -> CodedAnnotations:
        """Only some annotations; items keep their numbers, so that results can be put side by side."""

    def answered(self, answers: Answers, answer: IntArray) -> CodedAnnotations:
        """The same annotations, row by row, with other answers."""

    def answers_by_annotator(self) -> FloatArray:
        """(annotators, answers) how often each annotator gave each answer."""

    # -- the table behind them ----------------------------------------------------------------------------------------

    @property
    def table(self) -> SourceTable | None:
        """The table, where it is in memory."""

    @property
    def table_rows(self) -> IntArray:
        """The row of the table behind each annotation; of an answer of several rows, the first."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table; none where there is no table."""

    def need(self, role: str, name: str) -> str:
        """A column of the table, or an error."""

    def column(self, name: str, role: str = "by") -> Coded:
        """Any column of the table, one code per annotation."""

    def item_column(self, name: str, role: str) -> Coded:
        """A column with one value per item, one code per item; −1 where it has none."""

    def missing_in(self, name: str) -> int:
        """How many annotations have no value in a column."""

    def one_value_per_item(self, name: str) -> bool:
        """Has every item one value of a column at most?"""

    def groups(self, by: str) -> Mapping[Label, Annotations]:
        """The annotations with each value of a column."""

    def by_annotator(self, name: str) -> list[tuple[str, Label]]:
        """Each annotator with each value that a column of the table has in their rows."""

    # -- some of them -------------------------------------------------------------------------------------------------

    def of_annotators(self, names: Sequence[str]) -> Annotations:
        """The answers of some annotators."""

    def where(self, name: str, values: Sequence[str]) -> Annotations:
        """The answers whose row has one of these values in a column, the values written as text."""

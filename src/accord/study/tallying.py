"""From a study to its tally: kinds of items, how many there are of each, and what else the sums do not tell.

Which items are of which kind is forgotten, and nothing else: whatever is a sum over items comes out the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.answers import LOCATED, Kind, Label, Level
from accord.annotations.arrays import IntArray
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded, code
from accord.annotations.item_sketch import ItemSketch
from accord.annotations.kinds_of_items import TalliedAnnotations
from accord.annotations.left_out import LeftOut, Reason
from accord.annotations.tally import Tally, ranges
from accord.annotations.unnamed_items import UnnamedItems
from accord.errors import InputError, Keyword, MeasureError, OptionError, keyword, one_task
from accord.study.kinds import KindOfAnnotator, people_first
from accord.study.levels import ONLY
from accord.study.roles import ROLES
from accord.study.shapes.loaded import Loaded

if TYPE_CHECKING:
    from accord.study.study import Study

MOST_NAMED_KINDS = 100_000  # kinds of items up to which it is kept who answered what, unless the caller says otherwise
OF_ITEMS = tuple(role.name for role in ROLES.values() if role.of_item)
NOT_TALLIED: tuple[Kind, ...] = (*LOCATED, "ranking")  # kinds of answers that are compared place by place


@dataclass(frozen=True, eq=False)
class StudyTally:
    """All that is known of a study by its sums."""

    annotations: TalliedAnnotations
    roles: Mapping[str, str] = field(default_factory=dict)  # of the columns that say something of items
    level: Level | None = None  # that somebody declared
    kinds: Mapping[str, KindOfAnnotator] | None = field(default_factory=dict)
    left_out: LeftOut = field(default_factory=LeftOut)
    rows: int = 0
    n_annotators: int = 0  # who are known to have answered, named or not
    sketch: ItemSketch | None = None  # which items, as far as it tells

    @property
    def identity(self) -> tuple[Any, ...]:
        """What two tallies share that are of the same items with the same answers."""
        annotations = self.annotations
        answers, rows = annotations.answers, annotations.kinds.rows
        held = tuple(column.tobytes() for column in (annotations.number, *rows, answers.scores))
        return self.sketch, answers.labels, answers.members, annotations.annotators, held

    def loaded(self, shape: str, notes: Sequence[str] = ()) -> Loaded:
        """Ready for a study."""
        levels: dict[Label, Level] = {} if self.level is None else {ONLY: self.level}
        return Loaded(
            self.annotations, self.left_out, shape, self.rows, self.roles, notes=tuple(notes), kinds=self.kinds,
            levels=levels,
        )  # fmt: skip


def tally_of(study: Study, by: Sequence[str], *, named: bool | None, item_sketch: bool) -> StudyTally:
    """The tally of a study, by columns that say one thing of an item."""
    _refuse(study)
    annotations = study._annotations
    columns = list(dict.fromkeys([*by, *_columns_of_roles(study)]))
    for name in columns:
        study._need_column(name)
    keeps = _keeps_names(study, named)
    reduced = reduced_to_kinds(study, columns, named=True) if keeps else None
    if reduced is not None and named is None and len(reduced.number) > MOST_NAMED_KINDS and not annotations.repeated:
        reduced = None
    measured, left_out = (study, study.left_out) if reduced is not None else _people_only(study)
    return StudyTally(
        reduced if reduced is not None else reduced_to_kinds(measured, columns, named=False),
        {role: name for role, name in study.roles.items() if role in OF_ITEMS and name in columns},
        study.level,
        None if study._taken_alike else dict(study.kinds) if reduced is not None else {},
        left_out,
        study.n_rows,
        measured.n_annotators,
        annotations.item_sketch() if item_sketch else None,
    )


def _people_only(study: Study) -> tuple[Study, LeftOut]:
    """Whose answers are measured, where models and adjudicators cannot be told apart later; the others are counted."""
    measured = people_first(study).study
    others = LeftOut()
    others.add(Reason.EXCLUDED, study.n_annotations - measured.n_annotations)
    return measured, study.left_out | others


def _refuse(study: Study) -> None:
    """What has no tally, or has several."""
    if study.tasks:
        raise MeasureError(
            "A tally is of one variable, and the study holds several. Choose one: ",
            one_task(next(iter(study.tasks))),
            ".",
            available=study.tasks,
        )
    if study.kind in NOT_TALLIED or study.compares:
        raise MeasureError(
            "A tally counts items that were answered alike: with labels, sets of labels, ranked labels or scores. "
            "Marked places, rankings and preferences are compared one by one; keep the annotations themselves.",
            option=Keyword("answers"),
            available=("single", "set", "ranked", "score"),
        )
    if study._item_weights is not None and "item_weight" not in study.roles:
        raise MeasureError(
            "A tally tells items apart by columns, and the weights of these items were given beside the table. Put "
            "them into a column: ",
            keyword("item_weight"),
            ".",
        )


def _columns_of_roles(study: Study) -> list[str]:
    """The columns of roles that say something of items; suggestions only where an item has one."""
    found = [study.roles[role] for role in OF_ITEMS if study.roles.get(role) in study.columns]
    suggested = study.roles.get("suggested")
    return [name for name in found if name != suggested or _says_one_thing(study, name)]


def _says_one_thing(study: Study, name: str) -> bool:
    try:
        _columns_of_patterns(study, study.tally(), [name])
    except InputError:
        return False
    return True


def _keeps_names(study: Study, named: bool | None) -> bool:
    """Is it kept who answered what?"""
    annotations = study._annotations
    if named and not annotations.named:
        raise OptionError(keyword("named"), " keeps who answered what, which these annotations do not say.")
    if annotations.repeated and (named is False or not annotations.named):
        raise OptionError(
            "Somebody answered an item more than once, and only who answered what tells such answers apart. Leave out ",
            keyword("named"),
            ", or keep one answer of each: ",
            keyword("duplicates"),
            ".",
        )
    return annotations.named and not annotations.stays if named is None else named


def reduced_to_kinds(study: Study, columns: Sequence[str], *, named: bool) -> TalliedAnnotations:
    """Kinds of items by their answers and by columns, in canonical order."""
    tally = study._annotations.tally(named=named)
    pattern, number, coded = _columns_of_patterns(study, tally, columns)
    sizes = np.diff(tally.starts)[pattern]
    entries = ranges(tally.starts[pattern], sizes)
    kinds = CodedAnnotations(
        tally.answers, len(pattern), tally.annotators if named else (), item=np.repeat(np.arange(len(pattern)), sizes),
        annotator=None if tally.annotator is None else tally.annotator[entries], answer=tally.answer[entries],
        count=tally.count[entries].astype(np.int64), no_repeats=not study._annotations.repeated,
    )  # fmt: skip
    return TalliedAnnotations(kinds, number, dict(zip(columns, coded, strict=True)), UnnamedItems(int(number.sum())))


def _columns_of_patterns(study: Study, tally: Tally, columns: Sequence[str]) -> tuple[IntArray, IntArray, list[Coded]]:
    """Patterns told apart by columns: which pattern, how many items, and each column's code."""
    if not columns:
        return np.arange(len(tally)), tally.units, []
    if tally.crossed is not None:
        found = tally.crossed(tuple(columns))
        coded = [code(cells, what="value") for cells in found.values]
        pattern, number = found.pattern, found.number
    else:
        assert tally.locate is not None
        coded = [study._annotations.item_column(name, "by") for name in columns]
        pattern, number = tally.locate(), None
    kind, one_each = _distinct_kinds(pattern, coded)
    inside = pattern >= 0
    total = np.bincount(kind[inside], None if number is None else number[inside], len(one_each)).astype(np.int64)
    return pattern[one_each], total, [Coded(one.codes[one_each], one.values) for one in coded]


def _distinct_kinds(pattern: IntArray, columns: Sequence[Coded]) -> tuple[IntArray, IntArray]:
    """The kind of each row by its pattern and then by columns (−1 for one of no pattern), and one row of each kind."""
    inside = np.nonzero(pattern >= 0)[0]
    kind, first = pattern[inside], np.empty(0, dtype=np.int64)
    for column in columns:
        key = kind * (len(column.values) + 1) + column.codes[inside] + 1
        _, first, kind = np.unique(key, return_index=True, return_inverse=True)
    found = np.full(len(pattern), -1, dtype=np.int64)
    found[inside] = kind
    return found, inside[first]

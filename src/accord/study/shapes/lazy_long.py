"""Long tables that stay in their engine: what must be known of them is asked in a few group-bys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.answers import FAILED, Answers, Kind, scale_of, tidy_label
from accord.annotations.assemble import Assembled, Duplicates
from accord.annotations.factorize import code
from accord.annotations.left_out import LeftOut, Reason
from accord.engine.lazy_annotations import LazyAnnotations
from accord.errors import ColumnMissing, DuplicateAnswers, InputError, Place, remedy
from accord.options import reporter
from accord.study.shapes.label_codes import Written
from accord.study.shapes.loaded import Loaded

if TYPE_CHECKING:
    from accord.engine.scan import Scan
    from accord.study.study import Study

MOST_TASKS = 200


class LazyLong:
    """Reads a lazy long table: label list, annotator list, what is missing, whether answers repeat."""

    def __init__(
        self,
        scan: Scan,
        roles: Mapping[str, str],
        labels: Sequence[Any] | None,
        answers: Kind | None,
        duplicates: Duplicates,
        tell: Callable[[int, int], None] | None = None,
    ) -> None:
        self.tell = reporter(tell, "")
        self.labels, self.duplicates = labels, duplicates
        self.kind: Kind = answers or ("ranked" if "rank" in roles else "single")
        self.roles = {"rank": "rank", **roles} if self.kind == "ranked" else roles
        if self.kind == "ranked" and self.roles["rank"] not in scan.columns:
            raise ColumnMissing("rank", self.roles["rank"], scan.columns)
        self.whole = self.behind = scan  # the rows that count, and all of them
        self.left_out = LeftOut()
        self.rows = 0

    @classmethod
    def fits(cls, scan: Scan, roles: Mapping[str, str], answers: Kind | None, duplicates: Duplicates) -> bool:
        """Can this be reduced in the engine? Scores, spans and lists in cells are read into memory instead."""
        label = roles.get("label")
        if label is None or scan.holds_lists(label) or duplicates in ("first", "last"):
            return False
        return answers in (None, "single", "set", "ranked") and not ("start" in roles and "end" in roles)

    def made(self) -> Loaded:
        """One variable, or several."""
        self._set_failed_aside()
        if "task" not in self.roles:
            part = self._part(self.whole, behind=self.behind)
            return Loaded(part, None, self.left_out, "lazy table", self.rows, self.roles)
        name = self.roles["task"]
        found = [row[0] for row in self.whole.tidied([name]).counted(name)]
        tasks = sorted((value for value in found if value is not None), key=str)
        if len(tasks) > MOST_TASKS:
            raise InputError(f"The task column {name!r} has {len(tasks):,} values; at most {MOST_TASKS} are variables.")
        parts = {task: self._part(self.whole.where(name, task), behind=self.behind.where(name, task)) for task in tasks}
        return Loaded(None, None, self.left_out, "lazy table", self.rows, self.roles, parts)

    def _set_failed_aside(self) -> None:
        """Answers that a model did not give, or not so that they can be read, are silence whatever the label says."""
        name = self.roles.get("status")
        if name is None:
            return
        failed = {said: int(rows) for said, rows in self.whole.tidied([name]).counted(name) if said in FAILED}
        for said, rows in failed.items():
            self.left_out.add(FAILED[said], rows)
            self.rows += rows
        if failed:
            self.whole = self.whole.without(name, list(failed))

    def _part(self, table: Scan, whole: Answers | None = None, behind: Scan | None = None) -> Assembled:
        """The annotations of one variable, as they stand in the engine; `whole` is the scale of a larger table."""
        from accord.engine.frames import refuse_empty

        item, annotator, label = (self.roles[role] for role in ("item", "annotator", "label"))
        rows = _Rows(table, (item, annotator, label, *([self.roles["rank"]] if self.kind == "ranked" else [])))
        counts = rows.scan.counted(label)
        total = _total(counts)
        refuse_empty(total, table.columns)
        self.rows += total
        rows, people = self._with_ids(rows, total)
        if rows.filtered:
            counts = rows.scan.counted(label)
        scale, place = self._scale(table, counts) if whole is None else (whole, _places(counts, whole))
        silent = {row[0]: int(row[-1]) for row in counts if row[0] is None or place[row[0]] < 0}
        if self.kind != "set" and silent:  # an empty row of a set is the empty set
            self.left_out.add(Reason.NO_ANSWER, sum(silent.values()))
            rows = rows.without(label, list(silent))
            people = rows.scan.counted(annotator)
        here = cache(lambda: self._in_memory(table if behind is None else behind, scale))
        raw_names, names = _named(people)
        remote = LazyAnnotations(
            scale, 0, names, scan=rows.scan, columns=(item, annotator, label), codes=place, raw_names=raw_names,
            given=_total(counts) - sum(silent.values()), here=here, table=table, beside=rows.beside, tell=self.tell,
        )  # fmt: skip
        if self.kind != "single":
            remote = self._grouped(remote, rows, whole)
        remote = replace(remote, part=self._again(remote.answers))
        if self.kind == "single" and self.duplicates == "error" and remote.repeated and not self._of_runs(rows):
            _refuse_repeats(remote)
        return remote.assembled()

    def _of_runs(self, rows: _Rows) -> bool:
        """Is every second answer one of another run? Then it is a repeat, not a duplicate."""
        key = [self.roles[role] for role in ("item", "annotator", "run") if role in self.roles]
        return "run" in self.roles and not rows.beside((self.roles["run"],)).repeats(*key)

    def _with_ids(self, rows: _Rows, total: int) -> tuple[_Rows, list[Any]]:
        """The rows with an item and an annotator, and the annotators; the others are counted.

        Columns are read again without their gaps only where they have some: every column read costs time.
        """
        item, annotator = self.roles["item"], self.roles["annotator"]
        nowhere = rows.scan.missing(item)
        if nowhere:
            rows = rows.without(item, [None, *rows.scan.blank(item)])
            self.left_out.add(Reason.NO_ITEM, nowhere)
        people = rows.scan.counted(annotator)
        nobody = {row[0]: int(row[-1]) for row in people if tidy_label(row[0]) is None}
        if nobody:
            rows = rows.without(annotator, list(nobody))
            self.left_out.add(Reason.NO_ANNOTATOR, sum(nobody.values()))
        if nowhere + sum(nobody.values()) == total:
            raise InputError(f"No row of the table has both an item ({item!r}) and an annotator ({annotator!r}).")
        return rows, [row for row in people if row[0] not in nobody]

    def _grouped(self, remote: LazyAnnotations, rows: _Rows, whole: Answers | None) -> LazyAnnotations:
        """Sets and rankings: the labels of an item and annotator become integers, which then are the label."""
        from accord.engine.lookup import Lookup

        item, annotator, label = remote.columns
        assert remote.codes is not None
        ranks = rows.scan.counted(self.roles["rank"]) if self.kind == "ranked" else []
        written = Written(self.kind, remote.answers.labels, remote.codes, ranks, self.roles)
        terms = written.terms(label)
        spoken = {"given_": [Lookup(label, dict.fromkeys(written.place, 1))]}  # rows with a label
        found = rows.scan.sums([item, annotator], {**terms, **spoken}, rows=False).counted(*terms, "given_")
        members = [written.read(tuple(int(part) for part in row[:-2]), int(row[-2])) for row in found]
        scale = remote.answers
        if whole is None:
            distinct = sorted(set(members), key=lambda held: (len(held), held))
            scale = Answers(self.kind, scale.labels, tuple(distinct), declared=scale.declared, ordered=scale.ordered)
        position = {held: number for number, held in enumerate(scale.members)}
        codes = {row[:-2]: position[held] for row, held in zip(found, members, strict=True)}
        given = sum(int(row[-1]) for row in found)

        def beside(columns: tuple[str, ...]) -> Scan:
            answers = rows.beside(columns).sums([item, annotator], terms, columns)
            return answers.coded(terms, codes) if len(terms) > 1 else answers

        single = {row[0]: answer for row, answer in codes.items()}
        named = (item, annotator, "answer")
        if len(terms) > 1:
            single = {answer: answer for answer in codes.values()}
        return replace(remote, answers=scale, scan=beside(()), columns=named, codes=single, given=given, beside=beside)

    def _scale(self, table: Scan, counts: list[Any]) -> tuple[Answers, dict[Any, int]]:
        """The scale, declared by the caller or by an enumeration, or seen; and where each raw label stands on it."""
        coded = code([row[0] for row in counts if row[0] is not None])
        seen = [coded.values[place] for place in np.unique(coded.codes) if place >= 0]
        declared = self.labels if self.labels is not None else table.categories(self.roles["label"])
        scale = scale_of(seen, declared)
        return scale, _places(counts, scale)

    def _again(self, answers: Answers) -> Callable[[Scan], LazyAnnotations]:
        """How to read some rows of the table on the same scale."""

        def part(table: Scan) -> LazyAnnotations:
            reader = LazyLong(table, self.roles, self.labels, self.kind, "repeat")
            triples = reader._part(table, answers).triples
            assert isinstance(triples, LazyAnnotations)
            return triples

        return part

    def _in_memory(self, table: Scan, scale: Answers) -> Study:
        """The same study with its annotations here, on the same scale."""
        from accord.study.study import Study

        roles = {role: name for role, name in self.roles.items() if role != "task"}
        labels = list(scale.labels) if scale.declared else None
        kept: Any = {"labels": labels, "answers": self.kind, "duplicates": self.duplicates, **roles}
        return Study(table.collected(table.columns), **kept)


class _Rows:
    """The rows of a table that count, with the columns that are needed and, when asked, with others."""

    def __init__(self, table: Scan, needed: tuple[str, ...], dropped: tuple[tuple[str, tuple[Any, ...]], ...] = ()):
        self.table, self.needed, self.dropped = table, needed, dropped
        self.scan = self.beside(())

    def beside(self, columns: tuple[str, ...]) -> Scan:
        """With further columns."""
        scan = self.table.tidied([*self.needed, *columns])
        for name, values in self.dropped:
            scan = scan.without_values(name, values)
        return scan

    def without(self, name: str, values: Sequence[Any]) -> _Rows:
        """Without the rows that have one of these values in a column."""
        return _Rows(self.table, self.needed, (*self.dropped, (name, tuple(values))))

    @property
    def filtered(self) -> bool:
        """Are some rows left out?"""
        return bool(self.dropped)


def _places(counts: list[Any], scale: Answers) -> dict[Any, int]:
    """Where each raw label stands on the scale."""
    raw = [row[0] for row in counts if row[0] is not None]
    return dict(zip(raw, code(raw).onto(scale.labels).tolist(), strict=True))


def _named(people: list[Any]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Annotators as the engine calls them, and as we do, in canonical order."""
    raw = [row[0] for row in people]
    coded = code(raw, what="annotator")
    if len(coded.values) < len(raw):
        raise InputError("Some annotators' names differ only in how their letters are encoded; normalise them (NFC).")
    order = np.argsort(coded.codes, kind="stable").tolist()
    return tuple(raw[place] for place in order), tuple(str(name) for name in coded.values)


def _refuse_repeats(remote: LazyAnnotations) -> None:
    item, annotator = remote.second_answer()
    raise DuplicateAnswers(
        f"Annotator {str(annotator)!r} answered item {item!r} more than once. If an answer is several labels, say ",
        remedy(answers="set"),
        ". If these are repeats, say ",
        remedy(duplicates="repeat"),
        ", or keep one of each in the engine before reading. If the table holds several variables, name their column: ",
        remedy(task=...),
        place=Place(item=item, annotator=annotator),
    )


def _total(counts: list[Any]) -> int:
    """Rows in all."""
    return sum(int(row[-1]) for row in counts)

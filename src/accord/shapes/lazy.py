"""Long tables that stay in their engine: what must be known of them is asked in a few group-bys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.answers import Answers, Kind, scale_of
from accord.assembly import Assembled, Duplicates, LeftOut
from accord.coding import code
from accord.errors import DuplicateAnswers, InputError, LabelError, MeasureError, OptionError, listing
from accord.remote import Remote
from accord.shapes.made import Made

if TYPE_CHECKING:
    from accord.engine import Scan
    from accord.study import Study

MOST_TASKS = 200
BITS = 62


class LazyLong:
    """Reads a lazy long table: label list, annotator list, what is missing, whether answers repeat."""

    def __init__(
        self,
        scan: Scan,
        roles: Mapping[str, str],
        labels: Sequence[Any] | None,
        answers: Kind | None,
        duplicates: Duplicates,
    ) -> None:
        self.roles, self.labels, self.duplicates = roles, labels, duplicates
        self.kind: Kind = answers or ("ranked" if "rank" in roles else "single")
        self.whole = scan
        self.left_out = LeftOut()

    @classmethod
    def fits(cls, scan: Scan, roles: Mapping[str, str], answers: Kind | None, duplicates: Duplicates) -> bool:
        """Can this be reduced in the engine? Scores, spans and lists in cells are read into memory instead."""
        label = roles.get("label")
        if label is None or scan.holds_lists(label) or duplicates in ("first", "last"):
            return False
        return answers in (None, "single", "set", "ranked") and not ("start" in roles and "end" in roles)

    def made(self) -> Made:
        """One variable, or several."""
        if "task" not in self.roles:
            part = self._part(self.whole)
            return Made(part, None, self.left_out, "lazy table", self.rows, self.roles)
        name = self.roles["task"]
        found = [row[0] for row in self.whole.tidied([name]).counted(name)]
        tasks = sorted((value for value in found if value is not None), key=str)
        if len(tasks) > MOST_TASKS:
            raise InputError(f"The task column {name!r} has {len(tasks):,} values; at most {MOST_TASKS} are variables.")
        parts = {task: self._part(self.whole.where(name, task)) for task in tasks}
        return Made(None, None, self.left_out, "lazy table", self.rows, self.roles, parts)

    rows = 0

    def _part(self, table: Scan) -> Assembled:
        """The annotations of one variable, as they stand in the engine."""
        item, annotator, label = (self.roles[role] for role in ("item", "annotator", "label"))
        needed = [item, annotator, label, *([self.roles["rank"]] if self.kind == "ranked" else [])]
        scan = table.tidied(needed)
        counts, people = scan.counted(label), scan.counted(annotator)
        rows = _total(counts)
        if not rows:
            raise InputError(
                f"The table has no rows (its columns are {listing(table.columns)}). Was everything filtered out?"
            )
        self.rows += rows
        # columns are read again without their gaps only where they have some: every column read costs time
        filled = {item: scan.filled(item), annotator: _total(people, nulls=False)}
        gaps = [name for name, number in filled.items() if number < rows]
        silent = self.kind != "set" and _total(counts, nulls=False) < rows
        said = scan.without_null(*gaps) if gaps else scan
        if gaps:
            counts = said.counted(label)
            self.left_out.add("rows without an item or an annotator", rows - _total(counts))
        if gaps or silent:
            people = (said.without_null(label) if silent else said).counted(annotator)
        here = cache(lambda: self._in_memory(table, needed))
        if self.kind == "single":
            return self._single(table, said, counts, people, here)
        return self._grouped(table, said, counts, people, here)

    def _single(self, table: Scan, said: Scan, counts: list[Any], people: list[Any], here: Any) -> Assembled:
        item, annotator, label = (self.roles[role] for role in ("item", "annotator", "label"))
        scale, codes = self._scale(table, counts)
        silent = sum(int(row[-1]) for row in counts if row[0] is None or codes[row[0]] < 0)
        self.left_out.add("rows without an answer", silent)
        given = _total(counts) - silent
        said = said.without_null(label) if _total(counts, nulls=False) < _total(counts) else said
        columns = (item, annotator, label)
        remote = self._remote(table, said, scale, people, here, codes=codes, columns=columns, given=given)
        if self.duplicates == "error":
            self._refuse_repeats(remote)
        return remote.assembled()

    def _grouped(self, table: Scan, said: Scan, counts: list[Any], people: list[Any], here: Any) -> Assembled:
        """Sets and rankings: the labels of an item and annotator become one integer, which then is the label."""
        item, annotator, label = (self.roles[role] for role in ("item", "annotator", "label"))
        scale, place = self._scale(table, counts)
        written = _Written(self.kind, scale, place, self.roles)
        answers = said.sums([item, annotator], written.terms(label))
        members: dict[int, tuple[int, ...]] = {}
        given = 0
        for value, rows, number in answers.counted("answer", "rows_"):
            members[int(value)] = written.read(int(value), int(rows))
            given += int(number)
        distinct = sorted(set(members.values()), key=lambda held: (len(held), held))
        whole = Answers(self.kind, scale.labels, tuple(distinct), declared=scale.declared, ordered=scale.ordered)
        position = {held: number for number, held in enumerate(distinct)}
        codes = {value: position[held] for value, held in members.items()}
        columns = (item, annotator, "answer")
        remote = self._remote(table, answers, whole, people, here, codes=codes, columns=columns, given=given)
        return remote.assembled()

    def _scale(self, table: Scan, counts: list[Any]) -> tuple[Answers, dict[Any, int]]:
        """The scale, declared by the caller or by an enumeration, or seen; and where each raw label stands on it."""
        raw = [row[0] for row in counts if row[0] is not None]
        coded = code(raw)
        seen = [coded.values[place] for place in np.unique(coded.codes) if place >= 0]
        declared = self.labels if self.labels is not None else table.categories(self.roles["label"])
        scale = scale_of(seen, declared)
        return scale, dict(zip(raw, coded.onto(scale.labels).tolist(), strict=True))

    def _remote(self, table: Scan, scan: Scan, answers: Answers, people: list[Any], here: Any, **more: Any) -> Remote:
        raw = [row[0] for row in people if row[0] is not None]
        coded = code(raw, what="annotator")
        if (coded.codes < 0).any():
            blank = sum(int(row[-1]) for row, place in zip(people, coded.codes, strict=True) if place < 0)
            raise InputError(f"{blank:,} rows have a blank annotator; filter them out in the engine.")
        order = np.argsort(coded.codes, kind="stable")
        if len(coded.values) < len(raw):
            raise InputError(
                "Some annotators' names differ only in how their letters are encoded; normalise them (NFC)."
            )
        names = tuple(str(name) for name in coded.values)
        raw_names = tuple(raw[place] for place in order.tolist())
        return Remote(
            answers, 0, names, scan=scan, raw_names=raw_names, here=here, table=table, part=self._again(answers), **more
        )

    def _again(self, answers: Answers) -> Callable[[Scan], Remote]:
        """How to read some rows of the table on the same scale."""

        def part(table: Scan) -> Remote:
            if self.kind != "single":
                raise MeasureError(
                    f"Groups of {self.kind} answers are not made in an engine yet; collect the frame first."
                )
            reader = LazyLong(table, self.roles, list(answers.labels), self.kind, "repeat")
            triples = reader._part(table).triples
            assert isinstance(triples, Remote)
            return triples

        return part

    def _refuse_repeats(self, remote: Remote) -> None:
        if remote.repeated:
            raise DuplicateAnswers(
                "Some annotators answered an item more than once. If an answer is several labels, say "
                "answers='set'; if "
                "these are repeats, say duplicates='repeat', or keep one of each in the engine before reading; if the "
                "table holds several variables, name their column: task=…"
            )

    def _in_memory(self, table: Scan, needed: list[str]) -> Study:
        """The same study with its annotations here."""
        from accord.study import Study

        roles = {role: name for role, name in self.roles.items() if role != "task"}
        kept: Any = {"labels": self.labels, "answers": self.kind, "duplicates": self.duplicates, **roles}
        return Study(table.collected(table.columns), **kept)


class _Written:
    """An answer of several labels as one integer: a bit a label for sets, a digit a rank for rankings."""

    def __init__(self, kind: Kind, scale: Answers, place: Mapping[Any, int], roles: Mapping[str, str]) -> None:
        self.kind, self.scale, self.place, self.roles = kind, scale, place, roles
        self.base = len(scale.labels) + 1
        self.ranks = int(BITS // np.log2(max(self.base, 2)))
        if kind == "set" and len(scale.labels) > BITS:
            raise OptionError(
                f"Sets of more than {BITS} different labels are not put together in an engine; collect the frame first."
            )

    def terms(self, label: str) -> dict[str, Any]:
        """What the engine adds up."""
        from accord.engine import Lookup

        said = {raw: place for raw, place in self.place.items() if place >= 0}
        if self.kind == "set":
            return {"answer": [Lookup(label, {raw: 1 << place for raw, place in said.items()})]}
        powers = {rank: self.base ** (rank - 1) for rank in range(1, self.ranks + 1)}
        return {
            "answer": [
                Lookup(label, {raw: place + 1 for raw, place in said.items()}),
                Lookup(self.roles["rank"], powers),
            ]
        }

    def read(self, value: int, rows: int) -> tuple[int, ...]:
        """The labels of an integer; an error where rows and labels do not match."""
        if self.kind == "set":
            held = tuple(place for place in range(len(self.scale.labels)) if value >> place & 1)
            if len(held) != rows and not (not held and rows == 1):
                shown = listing([self.scale.labels[place] for place in held])
                raise LabelError(f"A label stands twice in one answer: {rows} rows say {shown}.")
            return held
        digits = []
        while value:
            value, digit = divmod(value, self.base)
            digits.append(digit)
        if 0 in digits or len(digits) != rows or len(set(digits)) < len(digits):
            raise InputError(
                "Ranks must run 1, 2, … without gaps or repeats, and no label may stand twice in an answer; "
                "an answer of "
                f"{rows} rows does not."
            )
        return tuple(digit - 1 for digit in digits)


def _total(counts: list[Any], *, nulls: bool = True) -> int:
    """Rows in all, or those with something in the column."""
    return sum(int(row[-1]) for row in counts if nulls or row[0] is not None)

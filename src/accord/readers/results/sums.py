"""The sums in a folder of results: kinds of items, and who gave which label how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from accord.annotations.arrays import IntArray
from accord.annotations.coded import CodedAnnotations
from accord.annotations.factorize import Coded, code
from accord.annotations.kinds_of_items import TalliedAnnotations
from accord.annotations.people_sums import PeopleSums
from accord.annotations.unnamed_items import UnnamedItems
from accord.errors import quoted
from accord.readers.results.manifest import Manifest, read_manifest
from accord.readers.results.result_files import Cell, QueryResult, read_result
from accord.study.tables.to_study import same_type


@dataclass(frozen=True)
class Results:
    """The results of a folder, and what they were asked with."""

    folder: Path
    manifest: Manifest
    found: Mapping[str, QueryResult]

    @classmethod
    def of(cls, folder: Path) -> Results:
        """Read the result of every query that the manifest lists."""
        manifest = read_manifest(folder)
        found = {name: read_result(folder, name, columns) for name, columns in manifest.columns.items()}
        return cls(folder, manifest, found)

    @cached_property
    def totals(self) -> dict[str, int]:
        """How much there is in all."""
        return {name: cell.count for name, cell in self.found["totals"].only.items()}

    @cached_property
    def patterns(self) -> Kinds:
        """Kinds of items by how many gave each label."""
        result, size = self.found["patterns"], len(self.manifest.scale)
        counts = np.array(
            [[row[f"label_{at + 1}"].count for at in range(size)] for row in result], dtype=np.int64
        ).reshape(len(result.rows), size)
        return Kinds(counts, self._numbers(result), self._apart(result))

    @cached_property
    def named_patterns(self) -> Kinds | None:
        """Kinds of items by who gave which label; None where that was not asked, or can be told from nothing."""
        if "named_patterns" not in self.found:
            return None
        result, people = self.found["named_patterns"], len(self.manifest.annotators)
        given = np.array(
            [[self.label(row[f"annotator_{at + 1}"]) for at in range(people)] for row in result], dtype=np.int64
        ).reshape(len(result.rows), people)
        return Kinds(given, self._numbers(result), self._apart(result))

    @property
    def annotations(self) -> TalliedAnnotations:
        """Who answered what where that is known, else how often each label was given."""
        scale, names, named = self.manifest.scale, self.manifest.annotators, self.named_patterns
        if named is None:  # whoever the manifest names
            names, named = self.people, self.of_two_people
        if named is None:
            kind, answer = np.nonzero(self.patterns.cells)
            entries = CodedAnnotations(
                scale, len(self.patterns.number), (), item=kind, answer=answer, count=self.patterns.cells[kind, answer]
            )
            return replace(self._tallied(entries, self.patterns), people_sums=self._people_sums)
        people = sorted(names)
        grid = named.cells[:, [names.index(name) for name in people]]
        return self._tallied(CodedAnnotations(scale, len(grid), tuple(people), grid=grid), named)

    def _tallied(self, entries: CodedAnnotations, kinds: Kinds) -> TalliedAnnotations:
        return TalliedAnnotations(entries, kinds.number, kinds.apart, UnnamedItems(int(kinds.number.sum())))

    @cached_property
    def given(self) -> dict[tuple[str, int], int]:
        """How often each annotator gave each label; empty where nobody asked."""
        rows = self.found.get("annotators", ())
        return {
            (str(row["annotator"].text), self._given(row["label"])): self.counted(row["n_annotations"]) for row in rows
        }

    @property
    def people(self) -> tuple[str, ...]:
        """The annotators whose answers were counted one by one."""
        return tuple(dict.fromkeys(name for name, _ in self.given))

    @cached_property
    def people_pairs(self) -> list[tuple[str, str, int, int, int]]:
        """Two annotators, what each of them said, and of how many items."""
        rows = self.found.get("pairs", ())
        return [
            (*self._two(row["annotator_1"], row["annotator_2"]), self._given(row["label_1"]),
             self._given(row["label_2"]), self.counted(row["n_items"]))
            for row in rows
        ]  # fmt: skip

    def _two(self, first: Cell, second: Cell) -> tuple[str, str]:
        """Two annotators who are not one, both of whom are counted one by one."""
        for cell in (first, second):
            if "annotators" in self.found and cell.text not in self._counted:
                raise cell.refused(
                    "The annotator ",
                    quoted(cell.text),
                    " is none of those whose answers were counted one by one. Run all "
                    "queries again, on the same table.",
                )
        if first.text == second.text:
            raise second.refused(quoted(first.text), " is paired with ", quoted(first.text), ". Run the query again.")
        return str(first.text), str(second.text)

    @cached_property
    def _counted(self) -> set[str]:
        return set(self.people)

    def _given(self, cell: Cell) -> int:
        """The place of a label that somebody gave."""
        if cell.text is None:
            raise cell.refused("There is no label, and what was not answered is in no pair. Run the query again.")
        return self.label(cell)

    @property
    def _people_sums(self) -> PeopleSums | None:
        """Sums over people; None where they were not asked for, or some of them stay in the database."""
        if self.manifest.smallest_cell is not None or not {"annotators", "pairs"} <= set(self.found):
            return None
        names = tuple(sorted(self.people))
        place = {name: at for at, name in enumerate(names)}
        cells = np.zeros((len(names), len(self.manifest.scale)), dtype=np.int64)
        for (name, label), number in self.given.items():
            cells[place[name], label] = number
        rows = [
            (place[one], place[other], first, second) if place[one] < place[other] else
            (place[other], place[one], second, first)
            for one, other, first, second, _ in self.people_pairs
        ]  # fmt: skip
        pairs = np.array(rows, dtype=np.int64).reshape(len(rows), 4)
        return PeopleSums(
            self.manifest.scale, names, cells, pairs, np.array([row[-1] for row in self.people_pairs], np.int64)
        )

    @cached_property
    def of_two_people(self) -> Kinds | None:
        """Who answered what, of two annotators only: what both said is a pair, and the rest one of them said alone."""
        whole = self.manifest.smallest_cell is None and not self.manifest.apart and "pairs" in self.found
        if not whole or len(self.people) != 2:
            return None
        alone, rows = dict(self.given), []
        for one, other, first, second, number in self.people_pairs:
            both = {one: first, other: second}
            rows.append(([both[name] for name in self.people], number))
            for name, label in both.items():
                alone[name, label] = alone.get((name, label), 0) - number
        rows += [([label if one == name else -1 for one in self.people], left) for (name, label), left in alone.items()]
        kept = [row for row in rows if row[1]]  # fewer than none where the results are of different annotations
        return Kinds(np.array([cells for cells, _ in kept]), np.array([number for _, number in kept]), {})

    def label(self, cell: Cell) -> int:
        """The place of a label on the scale, −1 for none; an error where the queries were made without it."""
        if cell.text is None:
            return -1
        place = self.manifest.labels.get(cell.text)
        if place is None:
            raise cell.refused(
                "The label ",
                quoted(cell.text),
                " is none of those that the queries were made for. Write them anew with all "
                "labels, or with this one as a code for a missing answer.",
            )
        return place

    def _numbers(self, result: QueryResult) -> IntArray:
        return np.array([self.counted(row["n_items"]) for row in result], dtype=np.int64)

    def counted(self, cell: Cell) -> int:
        """A number of items or annotations, of which there is one at least, and as many as a cell must have."""
        least = self.manifest.smallest_cell or 1
        if cell.count < least:
            raise cell.refused(
                f"A cell of {cell.count} is below the smallest of {least} that the queries let out: it is the result "
                "of other queries. Run them again."
            )
        return cell.count

    def _apart(self, result: QueryResult) -> dict[str, Coded]:
        """What tells the items apart besides their answers."""
        return {
            name: code(_typed([row[column].value for row in result]), what="value")
            for name, column in self.manifest.apart.items()
        }


@dataclass(frozen=True)
class Kinds:
    """Kinds of items: a row of cells for each, how many items are of it, and columns that tell them apart besides."""

    cells: IntArray  # (kinds, labels) how many gave each; or (kinds, annotators) which label, −1 for none
    number: IntArray  # (kinds,)
    apart: dict[str, Coded]


def _typed(cells: Sequence[Any]) -> list[Any]:
    """Values of a column as accord types those of a table: numbers where all of them are."""
    return same_type(list(cells)) if all(cell is None or isinstance(cell, str) for cell in cells) else list(cells)

"""Do the results of a folder agree with each other? Each is a sum of the same annotations, or one of them is not."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from accord.errors import (
    DuplicateAnswers,
    FileError,
    InputError,
    Keyword,
    MayBeNames,
    counted,
    remedy,
)
from accord.readers.results.sums import Kinds, Results


def check_sums(results: Results) -> None:
    """Refuse what cannot be measured, and results of different annotations."""
    _refuse_unfit(results)
    totals, patterns = results.totals, results.patterns
    answered = patterns.cells.sum(axis=1)
    of_label = [int(number) for number in patterns.number @ patterns.cells]
    checked = _Checked(results)
    checked.sums("patterns", "items", int(patterns.number.sum()), totals["n_items"], "totals")
    checked.sums("patterns", "annotations", int(patterns.number @ answered), totals["n_annotations"], "totals")
    checked.labels(of_label)
    if "annotators" in results.found:
        checked.annotators(of_label)
    if "pairs" in results.found and checked.whole:
        met = int(patterns.number @ (answered * (answered - 1) // 2))
        checked.sums("pairs", "pairs of answers", sum(number for *_, number in results.people_pairs), met, "patterns")
        checked.pairs()
    if results.named_patterns is not None:
        checked.named(results.named_patterns, "named_patterns")
    elif results.of_two_people is not None:
        checked.named(results.of_two_people, "pairs")


def _refuse_unfit(results: Results) -> None:
    """Annotations that no tally can stand for: somebody answered an item twice, or an item lies in two groups."""
    twice = results.found["duplicates"].only["n_items"].count if "duplicates" in results.found else 0
    if twice:
        raise DuplicateAnswers(
            f"{counted(twice, 'items')} in the database {'was' if twice == 1 else 'were'} answered more than once by "
            "the same annotator. Keep one answer of each in a query of your own, and have that asked instead of the "
            "table: ",
            remedy("accord.queries", query=...),
            ".",
        )
    torn = results.found["several_groups"].only["n_items"].count if "several_groups" in results.found else 0
    if torn:
        raise InputError(
            f"{counted(torn, 'items')} in the database {'lies' if torn == 1 else 'lie'} in several groups or clusters. "
            "The columns must say one thing of an item: write the queries without the one that does not.",
            option=Keyword("by"),
        )


class _Checked:
    """Sums of results against each other; with a smallest cell, some of every result stays in the database."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.whole = results.manifest.smallest_cell is None

    def sums(self, name: str, what: str, found: int, expected: int, other: str) -> None:
        """One number in two results; an error where they cannot be of the same annotations."""
        if found == expected or (found < expected and not self.whole):
            return
        raise FileError(
            self.results.found[name].file,
            f"It counts {found:,} {what}, and by ",
            MayBeNames(self.results.found[other].file),
            f" there are {expected:,}: they are not of the same annotations. Run all queries again, on the same table.",
        )

    def labels(self, of_label: list[int]) -> None:
        """How often each label was given, in two results."""
        if "labels" not in self.results.found:
            return
        given: Counter[int] = Counter()
        for row in self.results.found["labels"]:
            given[self.results.label(row["label"])] += self.results.counted(row["n_annotations"])
        total = self.results.totals["n_annotations"]
        self.sums("labels", "annotations", given.total(), total, "totals")
        self._by_label("labels", given, of_label)

    def annotators(self, of_label: list[int]) -> None:
        """How often each annotator gave each label, and how many annotators there are."""
        given: Counter[int] = Counter()
        for (_, label), number in self.results.given.items():
            given[label] += number
        self.sums("annotators", "annotators", len(self.results.people), self.results.totals["n_annotators"], "totals")
        self.sums("annotators", "annotations", given.total(), self.results.totals["n_annotations"], "totals")
        self._by_label("annotators", given, of_label)

    def _by_label(self, name: str, given: Counter[int], of_label: list[int]) -> None:
        """Where nothing stays in the database, every label counts the same in both."""
        for label, value in enumerate(self.results.manifest.scale.labels) if self.whole else ():
            self.sums(name, f"annotations with the label {value!r}", given[label], of_label[label], "patterns")

    def pairs(self) -> None:
        """What two people said of one item, with the names forgotten, are the pairs of labels of the patterns."""
        patterns, labels = self.results.patterns, self.results.manifest.scale.labels
        found = np.zeros((len(labels), len(labels)), dtype=np.int64)
        for *_, first, second, number in self.results.people_pairs:
            found[first, second] += number
        cells = patterns.cells
        expected = cells.T @ (patterns.number[:, None] * cells) - np.diag(patterns.number @ cells)
        both = found + found.T
        for one, other in np.argwhere(both != expected)[:1]:
            what = f"answers {labels[one]!r} beside {labels[other]!r}"
            self.sums("pairs", what, int(both[one, other]), int(expected[one, other]), "patterns")

    def named(self, named: Kinds, name: str) -> None:
        """Who answered what, with the names forgotten, is how often each label was given."""
        size = len(self.results.manifest.scale)
        counts = np.array([np.bincount(row[row >= 0], minlength=size) for row in named.cells], dtype=np.int64)
        forgotten = _as_counter(counts.reshape(len(named.number), size), named)
        patterns = _as_counter(self.results.patterns.cells, self.results.patterns)
        self.sums(name, "items", forgotten.total(), self.results.totals["n_items"], "totals")
        if self.whole and forgotten != patterns:
            raise FileError(
                self.results.found[name].file,
                "With the names forgotten it counts other patterns than ",
                MayBeNames(self.results.found["patterns"].file),
                ": they are not of the same annotations. Run all queries again, on the same table.",
            )


def _as_counter(counts: Any, kinds: Kinds) -> Counter[tuple[Any, ...]]:
    """Items by what tells their kinds apart."""
    columns = [[None if at < 0 else one.values[at] for at in one.codes.tolist()] for one in kinds.apart.values()]
    found: Counter[tuple[Any, ...]] = Counter()
    for place, (row, number) in enumerate(zip(counts.tolist(), kinds.number.tolist(), strict=True)):
        found[(*row, *(str(column[place]) for column in columns))] += number
    return found

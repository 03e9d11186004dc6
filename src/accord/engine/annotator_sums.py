"""Sums over the answers of a crowd that stay in their engine: by pattern, by annotator, by pair of annotators.

The score contributions of answers are a small table that goes to the engine; what comes back has a row per pattern,
annotator or pair of annotators with common items.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.factorize import code
from accord.annotations.tally import Tally, ranges
from accord.engine.lazy_annotations import MOST_COLUMNS, MOST_PATTERNS, LazyAnnotations
from accord.engine.positional_codes import Digits, label_terms
from accord.engine.reduced_tally import Reduced
from accord.errors import MeasureError, Remedy, remedy, some_annotators

if TYPE_CHECKING:
    from accord.engine.answer_pairs import AnswerPairs
    from accord.engine.scan import Scan


@dataclass(frozen=True, eq=False)
class ScoreMoments:
    """By pattern (and cluster): how many items, and the sum and the sum of squares of their scores."""

    counts: IntArray  # (M, K)
    items: IntArray  # (M,)
    total: FloatArray  # (M,)
    squares: FloatArray  # (M,)
    cluster: list[Any] | None  # (M,)


@dataclass(frozen=True, eq=False)
class Keys:
    """What tells the items of a pattern apart in a keyed tally: a column that says one thing of an item."""

    column: str
    codes: Mapping[Any, int]  # which key each cell of the column is; other cells are none
    whole: Tally  # without the keys
    pattern: IntArray  # (P,) of each keyed pattern, the pattern of the whole
    key: IntArray  # (P,) and the key


@dataclass(frozen=True, eq=False)
class Crowd:
    """The answers of many annotators, in an engine."""

    annotations: LazyAnnotations

    @cached_property
    def cells(self) -> FloatArray:
        """(annotators, answers) how often each annotator gave each answer."""
        return self.annotations.counted_cells()

    def moments(self, scores: FloatArray, cluster: str | None = None) -> ScoreMoments:
        """Of scores (annotators, answers): what an answer by an annotator contributes."""
        annotations = self.annotations
        digits = self._digits(int(annotations.tally().answered.max(initial=0)))
        terms = label_terms(digits, annotations.roles.label, annotations.raw_labels)
        rows = annotations.with_cells(annotations.digested(cluster))
        found = rows.moments(annotations.roles.item, terms, scores.ravel(), cluster)
        codes = np.stack([found[name] for name in terms], axis=1)
        clusters = None if cluster is None else found[cluster]
        return ScoreMoments(digits.read(codes), found["number_"], found["total_"], found["square_"], clusters)

    def _digits(self, most: int) -> Digits:
        """Digits for up to so many answers on an item."""
        digits = Digits(len(self.annotations.answers), max(most.bit_length(), 1))
        if digits.columns > MOST_COLUMNS:
            raise MeasureError(
                f"{digits.size} labels with up to {most:,} answers per item are too many for this in an engine.",
                remedies=[remedy(recode=...)],
            )
        return digits

    # -- by annotator -------------------------------------------------------------------------------------------------

    def by_annotator(
        self, tally: Tally, values: dict[str, FloatArray], keys: Keys | None = None
    ) -> dict[str, FloatArray]:
        """(annotators,) for values a and b: Σ a, Σ b, Σ a², Σ a·b, Σ b² over the answers of each annotator.

        A value (E,) is what an answer contributes, by the entries of a tally: the study's own, or some of its patterns,
        or its patterns told apart by keys.
        """
        rows, scores, key = self._with_patterns(tally, values, keys)
        annotator = self.annotations.roles[1]
        found = rows.products(annotator, scores, key, list(values))
        who = {name: place for place, name in enumerate(self.annotations.raw_annotators)}
        order = np.array([who[name] for name in found[annotator]], dtype=np.int64)
        sums = {}
        for name, cells in found.items():
            if name != annotator:
                sums[name] = np.zeros(len(who))
                sums[name][order] = cells
        return sums

    def by_answer(
        self, tally: Tally, values: dict[str, FloatArray], marginals: FloatArray
    ) -> tuple[dict[str, FloatArray], FloatArray]:
        """(annotators, answers) Σ a, Σ v and Σ a·b, Σ a·v with v the vectors of the items (engine.vectors); and Σ v vᵀ.

        Values as in `by_annotator`.
        """
        from accord.engine.item_vectors import Vectors

        rows, scores, key = self._with_patterns(tally, values)
        item, annotator, _ = self.annotations.roles
        vectors = Vectors(
            rows, item, annotator, "answer_", self.annotations.raw_annotators, marginals, self.cells.sum(axis=1)
        )
        return vectors.by_answer(scores, key, list(values)), vectors.products()

    def _with_patterns(
        self, tally: Tally, values: dict[str, FloatArray], keys: Keys | None = None
    ) -> tuple[Scan, Scan, list[str]]:
        """The rows with the code of their item and their answer; and for each of these, what an answer contributes."""
        from accord.engine.lookup import Lookup

        reduced, annotations = self.annotations.reduced, self.annotations
        item, _, label = annotations.roles
        pattern = tally.pattern if keys is None else keys.pattern[tally.pattern]
        entry, codes = _codes_of(reduced, tally if keys is None else keys.whole, pattern)
        columns: dict[str, Any] = {name: codes[:, place].tolist() for place, name in enumerate(reduced.terms)}
        columns["answer_"] = (tally.answer[entry] + 1).tolist()
        columns |= {name: scores[entry].tolist() for name, scores in values.items()}
        scan = annotations.digested(None if keys is None else keys.column)
        given = Lookup(label, {raw: answer + 1 for raw, answer in annotations.raw_labels.items()})
        also = () if keys is None else (keys.column,)
        rows = scan.with_sums(item, reduced.terms, also).with_code(given, "answer_")
        if keys is not None:
            columns["key_"] = (keys.key[tally.pattern[entry]] + 1).tolist()
            rows = rows.with_code(Lookup(keys.column, {cell: key + 1 for cell, key in keys.codes.items()}), "key_")
        return rows, rows.uploaded(columns), [*reduced.terms, "answer_", *(["key_"] if keys is not None else [])]

    # -- by pair ------------------------------------------------------------------------------------------------------

    def answer_pairs(self, cluster: str | None = None) -> AnswerPairs:
        """Every two answers to an item, in the engine; with the cluster of the item."""
        from accord.engine.answer_pairs import AnswerPairs

        annotations = self.annotations
        item, annotator, label = annotations.roles
        scan = annotations.digested(cluster)
        return AnswerPairs(
            scan, item, annotator, label, annotations.raw_annotators, annotations.raw_labels,
            len(annotations.answers), cluster,
        )  # fmt: skip

    @cached_property
    def _all_pair_cells(self) -> tuple[IntArray, IntArray]:
        return self.answer_pairs().cells(MOST_PATTERNS)

    @property
    def many_pairs(self) -> bool:
        """Have so many annotators common items that their pairs of answers stay in the engine?"""
        return len(self._all_pair_cells[0]) > MOST_PATTERNS

    @property
    def pair_cells(self) -> tuple[IntArray, IntArray]:
        """(M, 4) two annotators and their answers to a common item; and (M,) how often."""
        if self.many_pairs:
            raise MeasureError(
                f"So many annotators have common items that their answers fill more than {MOST_PATTERNS:,} cells: "
                "too many to bring here pair by pair. Choose annotators first (filter the frame); ",
                Remedy({}, "accord.light_kappa", python="light_kappa", title="Light's kappa"),
                " has the mean of all.",
                remedies=[some_annotators()],
            )
        return self._all_pair_cells

    @cached_property
    def pair_tally(self) -> Tally:
        """The same as a named tally whose every item is one pair of answers: for two annotators, what the study is."""
        cells, number = self.pair_cells
        return Tally(
            self.annotations.answers, number, np.arange(0, 2 * len(number) + 1, 2), answer=cells[:, 2:].ravel(),
            count=np.ones(2 * len(number), dtype=np.int64), annotator=cells[:, :2].ravel(),
            annotators=self.annotations.annotators,
        )  # fmt: skip

    def squares(self, scores: FloatArray, cluster: str | None = None) -> float:
        """Scores of pairs of answers (M,), added up within an item, squared, and added up over items, or clusters."""
        answer_pairs = self.answer_pairs(cluster)
        return squares(answer_pairs, answer_pairs.with_scores(self.pair_cells[0], scores))

    def squares_of_each(self, scores: FloatArray) -> FloatArray:
        """(annotators,) the same over the pairs of answers of each annotator."""
        answer_pairs = self.answer_pairs()
        return answer_pairs.squares_of_each(answer_pairs.with_scores(self.pair_cells[0], scores))


def squares(answer_pairs: AnswerPairs, scores: Scan) -> float:
    """Scores of pairs of answers, added up within an item or a cluster of items, squared and added up.

    An item of no cluster is one by itself.
    """
    if answer_pairs.cluster is None:
        return answer_pairs.squares(scores)
    names, total, alone = answer_pairs.by_cluster(scores)
    codes = code(names, what="cluster").codes
    together = add_up(codes[codes >= 0], total[codes >= 0], 1)
    return float(together @ together) + float(alone[codes < 0].sum())


def _codes_of(reduced: Reduced, tally: Tally, pattern: IntArray) -> tuple[IntArray, IntArray]:
    """For entries with patterns of a tally: the sums that the engine has for each, and which entry they belong to.

    There may be several for a pattern, where the engine's sums say who answered and the tally does not.
    """
    place = onto(reduced, tally)
    known = np.nonzero(place >= 0)[0]
    known = known[np.argsort(place[known], kind="stable")]
    sizes = np.bincount(place[known], minlength=len(tally))
    begins = np.cumsum(sizes) - sizes
    entry = np.repeat(np.arange(len(pattern)), sizes[pattern])
    return entry, reduced.codes[known[ranges(begins[pattern], sizes[pattern])]]


def onto(reduced: Reduced, tally: Tally) -> IntArray:
    """(P,) which pattern of a tally each of the engine's sums is, −1 for one that it leaves out."""
    if len(tally) == len(reduced.tally):
        return reduced.place
    kept = np.full(len(reduced.tally) + 1, -1, dtype=np.int64)
    kept[:-1][reduced.tally.pairable] = np.arange(len(tally))  # what a tally leaves out is single answers
    return kept[reduced.place]

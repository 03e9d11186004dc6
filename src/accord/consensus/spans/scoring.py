"""A gold of spans against a reference: precision, recall and F1 by exact units."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.inference.few_counts import of_equal_items
from accord.agreement.inference.wald import interval_around, no_interval
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import answers_called
from accord.annotations.arrays import FloatArray, divide
from accord.coefficients.standard_errors import NO_ERROR, SHARE
from accord.coefficients.units import Units
from accord.consensus.label_names import NameLookup
from accord.consensus.score_against_reference import calibration
from accord.consensus.spans.marked_units import Marked, UnitPlace
from accord.consensus.spans.token_answers import OUTSIDE, TokenAnswers, UnitsOnTokens
from accord.consensus.spans.token_methods import places_of
from accord.errors import InputError, Keyword, MeasureError, all_quoted, counted, in_python, json_value, quoted
from accord.options import Shown, check_confidence, check_whole, head
from accord.spans.continuum import Continuum
from accord.study.roles import ROLES
from accord.study.shapes.tagged_tokens import TOKEN_TAGS
from accord.study.study import Study
from accord.study.tables import column_names
from accord.study.tables.recognise import study_of_frame
from accord.study.tables.rows import ReadOptions
from accord.study.tables.to_study import same_type

if TYPE_CHECKING:
    from accord.consensus.spans.span_gold import SpanGold

REFERENCE = "reference"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SpanScore(Shown):
    """How a gold of spans fares against a reference: a unit is right if its place and its label are the same.

    Units of all items that the reference answers are pooled; an item in which it marks nothing counts too.
    """

    n_items: int  # items in both
    matched: int
    predicted: int  # units of the gold
    reference: int  # units of the reference
    precision: float
    recall: float
    f1: float
    interval: Interval  # of F1, over documents
    labels: Table
    calibration: Table
    calibration_error: float
    not_in_study: int = 0
    numbers: None = None

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"precision {self.precision:.4f}, recall {self.recall:.4f}, F1 {self.f1:.4f} [{low:.3f}, {high:.3f}] by "
            f"exact units on {counted(self.n_items, 'items')} ({self.matched:,} of {self.predicted:,} units right, "
            f"{self.reference:,} in the reference), calibration error {self.calibration_error:.3f}"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("span_score"),
            "items": self.n_items,
            "matched": self.matched,
            "predicted": self.predicted,
            "reference": self.reference,
            "precision": json_value(self.precision),
            "recall": json_value(self.recall),
            "f1": json_value(self.f1),
            "interval": self.interval.to_dict(),
            "labels": self.labels.to_dict()["rows"],
            "calibration": self.calibration.to_dict()["rows"],
            "calibration_error": json_value(self.calibration_error),
            "not_in_study": self.not_in_study,
        }


def score_units(gold: SpanGold, given: Any, *, item: str, label: str, confidence: float, bins: int) -> SpanScore:
    """Compare a gold of spans with what a reference marks."""
    check_confidence(confidence)
    check_whole("bins", bins, 1)
    study = reference_study(given, item, label)
    true, known, gone = _true_units(gold, study)
    mine = [(place.document, place.pieces, gold.study.labels[place.label]) for place in gold.units]
    kept = np.array([place.document in known for place in gold.units], dtype=np.bool_)
    right = np.array([unit in true for unit in mine], dtype=np.bool_)
    counts = np.zeros((len(gold), 3))
    np.add.at(counts[:, 0], [unit[0] for unit in true], 1)
    np.add.at(counts[:, 1], [unit[0] for unit, here in zip(mine, kept, strict=True) if here], 1)
    np.add.at(counts[:, 2], [unit[0] for unit, hit in zip(mine, right, strict=True) if hit], 1)
    counts = counts[sorted(known)]
    there, predicted, matched = counts.sum(axis=0)
    table, error = calibration(gold.unit_confidence[kept], right[kept].astype(np.float64), bins, confidence)
    return SpanScore(
        n_items=len(known), matched=int(matched), predicted=int(predicted), reference=int(there),
        precision=float(divide(matched, predicted)), recall=float(divide(matched, there)),
        f1=float(divide(2 * matched, predicted + there)), interval=_interval(counts, confidence),
        labels=_labels(gold, mine, kept, right, true), calibration=table, calibration_error=error, not_in_study=gone,
    )  # fmt: skip


def _true_units(gold: SpanGold, study: Study) -> tuple[set[tuple[int, tuple[float, ...], Any]], set[int], int]:
    """The units of the reference by the gold's items, which items those are, and how many items are no items of it."""
    names = NameLookup(gold.study.items)
    at = [names.place(name) for name in study.items]
    seen = gold.seen > 0
    known = {place for place in at if place is not None and seen[place]}
    if not known:
        raise InputError(
            "None of the reference's items is in the study: it names ",
            all_quoted(list(study.items[:4])),
            ", the study has ",
            all_quoted(list(gold.study.items[:4])),
            ". Are the names of the same type?",
        )
    labels = NameLookup(gold.study.labels)
    called = [
        study.labels[code] if at is None else gold.study.labels[at]
        for code, at in enumerate(map(labels.place, study.labels))
    ]
    true = set()
    for place in _reference_units(study):
        document = at[place.document]
        if document is not None and document in known:
            true.add((document, place.pieces, called[place.label]))
    return true, known, sum(place not in known for place in at)


def _reference_units(study: Study) -> tuple[UnitPlace, ...]:
    """The units of a reference; in BIO tags a unit begins with its B, and an I without one is none.

    Where most units begin with an I, the tags are IO or IOB1, and an I may begin one.
    """
    marked = Marked.of(Continuum.of(study)).places
    if TOKEN_TAGS not in study.columns:
        return marked
    answers = TokenAnswers.of(study, UnitsOnTokens.of(study))
    tags = np.full(answers.n_tokens, OUTSIDE)
    tags[answers.token] = answers.tag
    begun = places_of(answers, *answers.units(tags))
    return tuple(begun) if 2 * len(begun) >= len(marked) else marked


def _interval(counts: FloatArray, confidence: float) -> Interval:
    """Of F1 = 2m / (p + r), a ratio of sums over documents, by how much each document moves it."""
    there, predicted, matched = counts.T
    total, number = float((there + predicted).sum()), len(counts)
    if number < 2 or total == 0:
        return no_interval("fewer than two items, or no unit in any", confidence)
    f1 = 2 * float(matched.sum()) / total
    units = Units.of_items(np.ones(number, dtype=np.bool_))
    error = units.error((2 * matched - f1 * (there + predicted)) * number / total)
    if error <= NO_ERROR:  # every document has the same F1, all of it or nothing as a rule
        return of_equal_items(f1, units, confidence, SHARE)
    return interval_around(f1, error, df=number - 1, confidence=confidence, ends=SHARE)


def _labels(gold: SpanGold, mine: list[Any], kept: Any, right: Any, true: set[Any]) -> Table:
    scale = [*gold.study.labels, *sorted({unit[2] for unit in true} - set(gold.study.labels), key=str)]
    place = {label: at for at, label in enumerate(scale)}
    size = len(scale)
    predicted = np.bincount([place[unit[2]] for unit, here in zip(mine, kept, strict=True) if here], minlength=size)
    hits = np.bincount([place[unit[2]] for unit, hit in zip(mine, right, strict=True) if hit], minlength=size)
    there = np.bincount([place[unit[2]] for unit in true], minlength=size)
    columns: dict[str, Any] = {
        "label": scale, "gold": predicted, "reference": there, "matched": hits, "precision": divide(hits, predicted),
        "recall": divide(hits, there), "f1": divide(2 * hits, predicted + there),
    }  # fmt: skip
    return Table("By label", columns)


def reference_study(given: Any, item: str, label: str) -> Study:
    """A reference as a study of spans: one is taken as it is, a table needs no column for its annotator."""
    from accord.consensus.spans.span_gold import SpanGold

    if isinstance(given, SpanGold):
        given = given.to_study()
    study = given if isinstance(given, Study) else _read(given, item, label)
    if study.tasks or study.kind != "spans":
        what = "several variables" if study.tasks else answers_called(study.kind)
        raise MeasureError(
            f"A gold of spans is scored against spans; the reference holds {what}. Give its columns item, start, end "
            "and label, or item, token and tag.",
            option=Keyword("reference"),
            available=("spans",),
        )
    if len(study.annotators) > 1:
        raise InputError(
            f"The reference must say one thing of an item; it has {len(study.annotators)} annotators, ",
            all_quoted(study.annotators, most=4),
            ". Build its gold first",
            in_python(": accord.gold(study)", ""),
            ".",
        )
    return study


def _read(given: Any, item: str, label: str) -> Study:
    if isinstance(given, str | Path):
        from accord.consensus.label_files import table_in  # readers load when a file comes

        names, cells = table_in(Path(given))
        if names is None:
            raise InputError(
                quoted(Path(given).name), " does not name its columns. Give it a first row with their names."
            )
        columns = {name: [row[at] if at < len(row) else None for row in cells] for at, name in enumerate(names)}
    else:
        from accord.consensus.reference import opened

        frame = opened(given, "The reference is a study or a table of spans, a gold of spans, or the path of a file")
        columns = {name: frame.cells(name) for name in frame.columns}
    columns = {name: [None if cell == "" else cell for cell in column] for name, column in columns.items()}
    if "annotator" not in columns:
        columns["annotator"] = [REFERENCE] * len(next(iter(columns.values()), []))
    roles = {role: name for role, name in (("item", item), ("label", label)) if name in columns and name != role}
    return study_of_frame(_numbers(columns), ReadOptions({"annotator": "annotator", **roles}))


def _numbers(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Columns of numbers, however a file writes them."""
    places = {word for role in ("start", "end", "token") for word in (role, *ROLES[role].words)}
    return {
        name: same_type(cells) if column_names.plain(str(name)) in places else cells for name, cells in columns.items()
    }

"""What the positions of a study of spans are (characters, tokens, time), and agreement at each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray, divide
from accord.errors import MeasureError, Message, counted, keyword, remedy
from accord.options import check_choice
from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis, OverDocuments, OwnPositions, PooledPositions, PositionUnit
from accord.spans.segments import Segments
from accord.spans.texts import Texts, texts_of_documents
from accord.spans.tokens import in_tokens, tokens_of
from accord.study.study import Study

Outside: TypeAlias = Literal["label", "missing"]
Chance: TypeAlias = Literal["without-replacement", "pooled", "own"]
UNITS: tuple[PositionUnit, ...] = get_args(PositionUnit)
OUTSIDES: tuple[Outside, ...] = get_args(Outside)
RULE = "a token is a run of letters and digits, or any other character by itself"


def check_unit(unit: Any) -> None:
    """Refuse what is no unit of positions."""
    if unit is not None:
        check_choice("unit", unit, UNITS)


def positions_of(study: Study, unit: PositionUnit | None, *, to_the_end: bool = True) -> tuple[Continuum, Basis]:
    """What was marked in documents that two annotators saw, in places counted in a unit.

    Without a unit, places are characters if all are whole numbers, else time. `to_the_end` says whether it matters how
    long a document is.
    """
    texts = texts_of_documents(study)
    continuum = Continuum.of(study)
    counts = continuum.seen.sum(1) > 1
    alone = int((continuum.seen.sum(1) == 1).sum())
    remarks = [f"{counted(alone, 'documents')} that only one annotator saw: left out."] if alone else []
    continuum = continuum.take(counts[continuum.document])
    empty = int((continuum.extent == 0).sum())
    if empty and unit != "token":  # tokens have a note of their own
        remarks.append(f"{counted(empty, 'spans')} without any length: left out.")
    chosen = unit or ("character" if _whole(continuum) else "time")
    if chosen == "character" and not _whole(continuum):
        raise MeasureError(
            "Some spans begin or end between two whole numbers, so that places are not characters; ",
            remedy(unit="time"),
            " takes them as they are.",
        )
    if chosen == "token":
        continuum, notes = _tokenised(continuum, texts, counts)
        return continuum, Basis("token", (*remarks, *notes))
    unknown = int(counts.sum()) - sum(1 for item in texts.lengths if counts[item])
    if unknown and to_the_end:
        remarks.append(
            f"How long {counted(unknown, 'documents')} {'is' if unknown == 1 else 'are'} is not known, so that each "
            "ends where the last mark in it does; a text column tells."
        )
    return continuum, Basis(chosen, tuple(remarks))


def _whole(continuum: Continuum) -> bool:
    """Are all places whole numbers?"""
    bounds = (continuum.piece_start, continuum.piece_end, continuum.length)
    return all(bool((places == np.floor(places)).all()) for places in bounds)


def _tokenised(continuum: Continuum, texts: Texts, counts: np.ndarray) -> tuple[Continuum, list[str]]:
    """In tokens of the export, else in those of the rule."""
    places: list[IntArray] = [np.empty((0, 2), dtype=np.int64)] * continuum.n_documents
    ruled, missing = [], 0
    for item in np.nonzero(counts)[0].tolist():
        known, text = texts.tokens[item], texts.text[item]
        if known is not None:
            places[item] = known
        elif text is not None:
            ruled.append(item)
        else:
            missing += 1
    if missing:
        raise MeasureError(
            f"{counted(missing, 'documents')} of {int(counts.sum()):,} have neither a text nor tokens, so that tokens "
            "cannot be counted. Give the column with the texts (",
            keyword("text"),
            "), or ",
            remedy(unit="character"),
            ", which needs none.",
        )
    for item, found in zip(ruled, tokens_of(texts.text[item] or "" for item in ruled), strict=True):
        places[item] = found
    continuum, lost = in_tokens(continuum, places)
    notes = [f"Tokens of {counted(len(ruled), 'documents')} are found by a rule: {RULE}."] if ruled else []
    notes += [f"{counted(lost, 'spans')} without any token: left out."] if lost else []
    return continuum, notes


@dataclass(frozen=True)
class AtPositions:
    """The recipe of a coefficient of labels, for spans: every position that two annotators saw is compared."""

    chance: Chance
    unit: PositionUnit | None = None
    outside: Outside = "label"

    def __call__(self, study: Study) -> OverDocuments:
        """The coefficient of a study of spans, or of a part of it."""
        continuum, basis = positions_of(study, self.unit, to_the_end=self.outside == "label")
        return self.of(continuum, basis)

    def of(self, continuum: Continuum, basis: Basis) -> OverDocuments:
        """The coefficient of what was marked."""
        segments = Segments.of(continuum, outside=self.outside == "label")
        what = f"of {'marked ' if self.outside == 'missing' else ''}{basis.plural}"
        basis = replace(basis, notes=(*basis.notes, *self._notes(basis, segments)), of_what=what)
        return MODELS[self.chance](segments, basis)

    def _notes(self, basis: Basis, segments: Segments) -> list[str]:
        """Why it is never reported alone."""
        tokens = ", and it depends on what a token is" if basis.unit == "token" else ""
        beside = "Report it beside span F1, never alone."
        if self.outside == "label":
            inflated: list[str] = [
                "Places that nobody marked count as agreement and raise the value; borders between touching spans of "
                f"one label do not show{tokens}. {beside}"
            ]
        else:
            inflated = [
                Message(
                    "Only places that two annotators marked are compared, so that what others left unmarked does not "
                    f"show{tokens}. ", beside, " ", remedy(outside="label"), " counts unmarked places.",
                )
            ]  # fmt: skip
        if segments.overlapping:
            inflated.append("Where spans overlap, a place holds a set of labels: half of what only one holds is apart.")
        return inflated


def _without_replacement(segments: Segments, basis: Basis) -> OverDocuments:
    return PooledPositions(segments, basis, segments.compared, "positions")


def _pooled(segments: Segments, basis: Basis) -> OverDocuments:
    return PooledPositions(segments, basis, _each_once(segments), "none")


def _own(segments: Segments, basis: Basis) -> OverDocuments:
    first, second = np.nonzero(segments.seen.any(0))[0][:2]
    return OwnPositions(segments, basis, _each_once(segments), (int(first), int(second)))


def _each_once(segments: Segments) -> FloatArray:
    """The weight of each segment where every position counts once, however many annotators saw it."""
    return divide(segments.compared, np.maximum(segments.raters, 1))


MODELS: dict[Chance, Callable[[Segments, Basis], OverDocuments]] = {
    "without-replacement": _without_replacement, "pooled": _pooled, "own": _own,
}  # fmt: skip

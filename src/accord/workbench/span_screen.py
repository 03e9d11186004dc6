"""What the screen of a document shows besides the item: the text with the draft's units, the units to choose from, and
what everybody marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.consensus.spans.span_gold import SpanGold
from accord.spans.passages import PassagePart
from accord.workbench.screens import ItemScreen
from accord.workbench.span_editor import Draft, Entry, SpanEditor
from accord.workbench.written_answers import read_back


@dataclass(frozen=True)
class SpanKey:
    """A step that a key or a button takes."""

    key: str
    step: str
    words: str


STEPS_SHOWN: tuple[tuple[str, tuple[SpanKey, ...]], ...] = (
    (
        "Unit",
        (
            SpanKey("ArrowUp", "previous", "Previous"),
            SpanKey("ArrowDown", "next", "Next"),
            SpanKey("a", "accept", "Accept or leave out"),
            SpanKey("x", "delete", "Delete"),
            SpanKey("k", "split", "Split"),
            SpanKey("j", "merge", "Merge with the next"),
            SpanKey("i", "add", "Mark what is selected, or the next word"),
        ),
    ),
    (
        "Beginning",
        (
            SpanKey("q", "start-word-left", "← word"),
            SpanKey("w", "start-word-right", "word →"),
            SpanKey(",", "start-left", "← character"),
            SpanKey(".", "start-right", "character →"),
        ),
    ),
    (
        "End",
        (
            SpanKey("o", "end-word-left", "← word"),
            SpanKey("p", "end-word-right", "word →"),
            SpanKey("ArrowLeft", "end-left", "← character"),
            SpanKey("ArrowRight", "end-right", "character →"),
        ),
    ),
    (
        "All",
        (
            SpanKey("b", "back", "Take the last step back"),
            SpanKey("z", "clear", "Nothing is to be marked"),
        ),
    ),
)


@dataclass(frozen=True)
class PlacedPart:
    """A part of a line, and where in the text it begins."""

    at: int
    part: PassagePart


@dataclass(frozen=True)
class SpanScreen:
    """The editor of a document as a page shows it."""

    draft: Draft
    entries: Sequence[Entry]
    line: Sequence[PlacedPart]
    lines: Sequence[tuple[str, Sequence[PlacedPart]]]  # who, and their marks; none while it is blind
    steps: Sequence[tuple[str, Sequence[SpanKey]]] = STEPS_SHOWN


def span_screen(gold: SpanGold, place: int, screen: ItemScreen, draft: Draft | None) -> SpanScreen:
    """The editor of a document; blind, it begins with nothing and tells nothing of what others marked."""
    editor = SpanEditor(gold, place, blind=screen.blind)
    if draft is None or not (draft.units or draft.earlier):
        decided = None if screen.stands is None else editor.checked(read_back(screen.stands.answer))
        draft = editor.begin(decided)
    people = [given.annotator for given in screen.answers]
    return SpanScreen(
        draft,
        editor.entries(draft),
        placed(editor.line(draft)),
        [(people[at] if at < len(people) else "", placed(parts)) for at, (_, parts) in enumerate(editor.lines())],
    )


def placed(parts: Sequence[PassagePart]) -> list[PlacedPart]:
    """Parts of a line with where they begin."""
    found, at = [], 0
    for part in parts:
        found.append(PlacedPart(at, part))
        at += len(part.text)
    return found

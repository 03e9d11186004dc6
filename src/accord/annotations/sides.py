"""Which of two options was preferred: the first, the second, or neither; and the words in which exports say it."""

from __future__ import annotations

import re
from functools import cache

from accord.annotations.answers import Label

FIRST, TIE, SECOND = "first", "tie", "second"
SIDES = (FIRST, TIE, SECOND)  # the scale: a tie lies half-way
PARTS = {FIRST: "a|1|one", SECOND: "b|2|two"}
NOUNS = (
    "model|response|answer|option|output|assistant|candidate|system|completion|summary|side|player|text|choice|winner|"
    "chatbot|agent|translation|image|sample|continuation|reply"
)
TIED = (
    r"tied?(_.*)?|draw|drawn|equal|equally.*|same|both(_?(bad|good|win|equal))?|neither|no_?preference|c|0|none|"
    r"(about_)?the_same|no_?difference|indifferent"
)
GRADED = re.compile(r"\[*\s*([ab])\s*([<>=]+|≈|~)\s*([ab])\s*\]*", re.IGNORECASE)  # A>>B, B>A, A=B


def side_in_words(label: Label) -> str | None:
    """The side that a word means by itself, whatever was compared; None where it means none.

    >>> [side_in_words(word) for word in ("model_a", "Response 2", "tie (bothbad)", 1, "[[B]]", "A>>B", "gpt-4")]
    ['first', 'second', 'tie', 'first', 'second', 'first', None]
    """
    if isinstance(label, bool):
        return None
    graded = GRADED.fullmatch(str(label).strip())
    if graded is not None:
        return _of_graded(*graded.groups())
    word = re.sub(r"[^a-z0-9]+", "_", str(label).lower()).strip("_")
    return next((side for side, pattern in _patterns().items() if pattern.fullmatch(word)), None)


def _of_graded(one: str, sign: str, other: str) -> str | None:
    if one.lower() == other.lower():
        return None
    if set(sign) - {"<", ">"}:
        return TIE
    better = one if ">" in sign else other
    return FIRST if better.lower() == "a" else SECOND


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    found = {side: rf"((({NOUNS})_?)?({part}))" for side, part in PARTS.items()}
    return {
        FIRST: re.compile(f"{found[FIRST]}|first|1st|left"),
        SECOND: re.compile(f"{found[SECOND]}|second|2nd|right"),
        TIE: re.compile(TIED),
    }

"""Which of two options was preferred: the first, the second, or neither; and the words in which exports say it."""

from __future__ import annotations

import re
from collections.abc import Iterable
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

BETTER = re.compile(r"(_is)?(_(much|far|slightly|clearly|significantly))?_(better|best|preferred|wins|won)")
NUMBER = re.compile(r"([-−+]?)(\d+)(\.0*)?")  # -1, +2, 0
YES_NO = {"true": FIRST, "false": SECOND}


def side_in_words(label: Label) -> str | None:
    """The side that a word means by itself, whatever was compared; None where it means none.

    >>> [side_in_words(word) for word in ("model_a", "Response 2", "tie (bothbad)", 1, "[[B]]", "A is better", -1)]
    ['first', 'second', 'tie', 'first', 'second', 'first', None]
    """
    if isinstance(label, bool) or _is_signed(label):
        return None
    graded = GRADED.fullmatch(str(label).strip())
    if graded is not None:
        return _of_graded(*graded.groups())
    word = BETTER.sub("", re.sub(r"[^a-z0-9]+", "_", str(label).lower()).strip("_"))
    return next((side for side, pattern in _patterns().items() if pattern.fullmatch(word)), None)


def unclear_sides(labels: Iterable[Label]) -> dict[Label, str]:
    """Labels that tell two sides apart and not which is which, each with the side that it may mean; mostly none.

    Below zero is the first in some exports and the second in others; so is 1 beside 0, and yes beside no.

    >>> unclear_sides([-1, 0, 1]), unclear_sides([0, 1]), unclear_sides([0, 1, 2])
    ({-1: 'first', 0: 'tie', 1: 'second'}, {0: 'second', 1: 'first'}, {})
    """
    words = {label: str(label).strip().lower() for label in labels}
    answered = {label: YES_NO[word] for label, word in words.items() if word in YES_NO}
    matches = {label: NUMBER.fullmatch(word) for label, word in words.items()}
    numbers = {label: float(found[0].replace("−", "-")) for label, found in matches.items() if found is not None}
    if any(_is_signed(label) for label in numbers):  # zero too: the labels of one table are words or numbers
        sides = {-1.0: FIRST, 0.0: TIE, 1.0: SECOND}
        return answered | {label: sides[max(min(number, 1.0), -1.0)] for label, number in numbers.items()}
    if set(numbers.values()) == {0.0, 1.0}:
        return answered | {label: FIRST if number else SECOND for label, number in numbers.items()}
    return answered


def _is_signed(label: Label) -> bool:
    found = NUMBER.fullmatch(str(label).strip())
    return found is not None and bool(found[1])


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

"""Do labels look like a scale? Numbers may be one, and so may words whose order everybody knows.

Only whoever made the labels knows: 1 to 6 are marks in one study and names of topics in the next. What is found here is
a reason to ask, and certain (`clear`) only where labels cannot well be names: decimals, or many numbers on both sides
of zero.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.annotations.answers import Answers, Label, Level
from accord.annotations.arrays import FloatArray
from accord.annotations.scale_words import KINDS, LEAST, PLAIN_SENTIMENT, folded, known_orders
from accord.errors import listing

MANY = 20  # more whole numbers than this are no steps that somebody named one by one
MOST_WORDS = 15  # no scale of words has more
NUMBERED = re.compile(r"\s*(?:(?:grade|level|stage|score|rating|tier|degree)\s*)?([-−+]?\d+(?:[.,]\d+)?)\s*"
                      r"(?:(?:stars?|points?|pts?\.?|%)\s*)?(?:[-–—:.)=(/].*)?", re.IGNORECASE)  # fmt: skip
PERCENT = re.compile(r"\s*[-−+]?\d+(?:[.,]\d+)?\s*%\s*")  # of which there may be as many as there are numbers
COUNTED = re.compile(r"(.*?)(?:(\d+)(?:st|[nr]d|th)?|\b(viii|vii|vi|iv|ix|iii|ii|i|v|x))(?![a-z\d])(.*)")
ROMAN = {word: number for number, word in enumerate(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"), 1)}
PLUSSES = re.compile(r"\s*(?:(\d)\s*\+|(\++)|0|-|−|–|neg\.?|negative)\s*", re.IGNORECASE)
GRADE = re.compile(r"\s*([A-Fa-f])\s*([+−–-]?)\s*")
CEFR = ("A1", "A2", "B1", "B2", "C1", "C2")


@dataclass(frozen=True)
class LooksLikeAScale:
    """Why labels may be a scale, the order they would have, and at which level they would be measured."""

    why: str  # "The labels are numbers (1 to 5)"
    level: Level
    order: tuple[Label, ...]  # all labels, from the low end to the high end
    clear: bool = False  # can they hardly be names?
    worth_asking: bool = True  # is it worth asking, where nobody says?
    numbers: bool = False  # are the labels themselves numbers?
    but_for: tuple[Label, ...] = ()  # labels beside the scale that look like missing codes


def recognised(answers: Answers) -> LooksLikeAScale | None:
    """The scale that single labels look like; None where they are names, or too few to tell.

    >>> recognised(Answers("single", ("high", "low", "medium"))).order
    ('low', 'medium', 'high')
    >>> recognised(Answers("single", (1, 2, 3, 4, 5))).why
    'The labels are numbers (1 to 5)'
    >>> recognised(Answers("single", ("cat", "dog", "bird"))) is None
    True
    """
    labels = answers.labels
    if answers.kind != "single" or len(labels) < LEAST:
        return None
    if answers.numeric:
        return _of_numbers([float(label) for label in labels], labels)
    if any(not isinstance(label, str) for label in labels):
        return None
    words = [str(label) for label in labels]
    if len(words) > MOST_WORDS:
        return _numbered(words) if all(map(PERCENT.fullmatch, words)) else None
    return _numbered(words) or _counted(words) or _plusses(words) or _grades(words) or _known(words)


def recognised_but_for(answers: Answers, codes: Sequence[Label]) -> LooksLikeAScale | None:
    """The scale that labels look like once suspected missing codes are away; it is asked about, however clear.

    >>> recognised_but_for(Answers("single", (1, 2, 3, 99)), [99]).why
    'The labels are numbers (1 to 3), but for 99, which looks like a missing code'
    """
    found = recognised(replace(answers, labels=tuple(label for label in answers.labels if label not in codes)))
    if found is None or not codes:
        return found
    look = "which looks like a missing code" if len(codes) == 1 else "which look like missing codes"
    return replace(found, why=f"{found.why}, but for {listing(codes)}, {look}", clear=False, but_for=tuple(codes))


def _of_numbers(numbers: Sequence[float], labels: Sequence[Label]) -> LooksLikeAScale:
    order = tuple(label for _, label in sorted(zip(numbers, labels, strict=True)))
    low, high = order[0], order[-1]
    if any(number != int(number) for number in numbers):
        why = f"The labels are numbers with decimals ({low} to {high}), as measurements are"
        return LooksLikeAScale(why, "interval", order, clear=True, numbers=True)
    if len(order) > MANY:
        why = f"The labels are {len(order):,} different numbers ({low} to {high})"
        return LooksLikeAScale(why, "interval", order, clear=min(numbers) < 0 < max(numbers), numbers=True)
    return LooksLikeAScale(f"The labels are numbers ({low} to {high})", "ordinal", order, numbers=True)


def _numbered(words: list[str]) -> LooksLikeAScale | None:
    """Text that is a number or begins with one: '1 star', '40%', '5 = excellent', 'level 3'."""
    found = [NUMBERED.fullmatch(word) for word in words]
    if not all(found):
        return None
    return _by_number(words, [float(match[1].replace(",", ".").replace("−", "-")) for match in found if match])


def _counted(words: list[str]) -> LooksLikeAScale | None:
    """The same words with another number each: '1st grade', 'Grade III', 'BI-RADS 4'; 'topic 2' is a name."""
    found = [COUNTED.fullmatch(folded(word)) for word in words]
    stems = {tuple(part.strip(" -_.:()") for part in (match[1], match[4])) for match in found if match}
    if not all(found) or len(stems) != 1:
        return None
    stem_words = " ".join(stems.pop()).split()
    alone = not stem_words and all(match[3] for match in found if match)  # I, II, III
    if (len("".join(stem_words)) < LEAST and not alone) or KINDS & set(stem_words):  # C1, C2 … may be codes of any kind
        return None
    return _by_number(words, [float(match[2] or ROMAN[match[3]]) for match in found if match])


def _plusses(words: list[str]) -> LooksLikeAScale | None:
    """How strong something is, as laboratories write it: 0, 1+, 2+, 3+, or -, +, ++."""
    found = [PLUSSES.fullmatch(word) for word in words]
    numbers = [float(match[1] or len(match[2] or "")) for match in found if match]
    return _by_number(words, numbers) if all(found) else None


def _by_number(words: list[str], numbers: Sequence[float]) -> LooksLikeAScale | None:
    """Labels in the order of the numbers that they hold; None where two hold one."""
    if len(set(numbers)) < len(words):
        return None
    order = tuple(word for _, word in sorted(zip(numbers, words, strict=True)))
    return LooksLikeAScale(f"The labels are numbered ({order[0]!r} to {order[-1]!r})", "ordinal", order)


def _grades(words: list[str]) -> LooksLikeAScale | None:
    """Marks of a school, F to A+, or levels of a language; plain A, B, C, D are names of options."""
    if {word.strip().upper() for word in words} <= set(CEFR):
        order = tuple(sorted(words, key=lambda word: word.strip().upper()))
        return LooksLikeAScale(f"The labels are levels ({order[0]} to {order[-1]})", "ordinal", order)
    found = [GRADE.fullmatch(word) for word in words]
    if not all(found):
        return None
    marks = [(match[1].upper(), match[2]) for match in found if match]
    letters = {letter for letter, _ in marks}
    american = "F" in letters and "E" not in letters and len(letters) > LEAST
    if len(set(marks)) < len(words) or not (american or any(sign for _, sign in marks)):
        return None
    height = {mark: (-ord(mark[0]), {"+": 1, "": 0}.get(mark[1], -1)) for mark in marks}
    order = tuple(word for _, word in sorted(zip((height[mark] for mark in marks), words, strict=True)))
    return LooksLikeAScale(f"The labels are grades ({order[0]} to {order[-1]})", "ordinal", order)


def _known(words: list[str]) -> LooksLikeAScale | None:
    """Words of a known order; a word that all end in ('low quality', 'high quality') does not matter."""
    plain = [folded(word) for word in words]
    orders = {order for texts in (plain, _without_last_word(plain)) for order in _orders(texts, words)}
    if len(orders) != 1:
        return None
    (order,) = orders
    why = f"The labels are words of a known order ({' < '.join(order)})"
    return LooksLikeAScale(why, "ordinal", order, worth_asking=not set(plain) <= PLAIN_SENTIMENT)


def places_in_order(answers: Answers) -> FloatArray | None:
    """(K,) where each label stands in the order that everybody knows; None where nobody put them in one."""
    found = None if answers.order or answers.kind != "single" or answers.numeric else recognised(answers)
    if found is None:
        return None
    place = {label: float(rank) for rank, label in enumerate(found.order)}
    return np.array([place[label] for label in answers.labels])


def _orders(texts: list[str], words: list[str]) -> list[tuple[str, ...]]:
    """The orders in which known scales put these words, each on a rank of its own."""
    found = []
    for known in known_orders():
        ranks = [known.get(text) for text in texts]
        if None not in ranks and len(set(ranks)) == len(words):
            found.append(tuple(word for _, word in sorted(zip(ranks, words, strict=True))))
    return found


def _without_last_word(texts: list[str]) -> list[str]:
    last = {text.rpartition(" ")[2] for text in texts}
    return [text.rpartition(" ")[0] for text in texts] if len(last) == 1 else texts

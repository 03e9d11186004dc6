"""Labels that look as if they stood for no answer: 99 among 1 to 5, "N/A" or a refusal among words.

Only whoever made the data knows. What is found here is a reason to ask, never to drop an answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from accord.annotations.answers import Label

CODES = frozenset({99, 98, 999, 9999, 88, 888, 77, -9, -99, -999})
FAR = 3  # all other labels lie within a third of a code
LEAST_OTHERS = 2  # labels that are left; of two labels either may be meant
WORDS = frozenset({
    "n/a", "na", "n.a.", "n.a", "#n/a", "#na", "nan", "<na>", "null", "missing", "no answer", "no response",
    "none given", "not given", "not answered", "not applicable", "don't know", "dont know", "do not know", "dk",
    "refused", "unparsable", "unparseable", "i don't know", "i dont know", "idk", "skip", "skipped", "not shown",
    "-", "--", "–", "—",
})  # fmt: skip
STRENGTH = frozenset({"+", "++", "+++", "++++"})  # beside which a dash says that there is none
LONE = frozenset({".", "*"})  # as SPSS, SAS and Krippendorff write it; among other punctuation they are labels
IN_CAPITALS = frozenset({"ERROR", "#ERROR", "#ERROR!", "#VALUE!", "#REF!"})  # "error" may be what is annotated
APOLOGIES = ("i'm sorry", "i am sorry", "i'm unable to", "i cannot ", "i can't ", "as an ai ")


def suspected(labels: Iterable[Label]) -> list[Label]:
    """The labels that may be missing codes, as they stand.

    >>> suspected([1, 2, 3, 99]), suspected(["low", "high", "N/A"]), suspected([10, 50, 99]), suspected(["no", "N/A"])
    ([99], ['N/A'], [], [])
    """
    given = list(labels)
    numbers = {label: number for label in given if (number := _number(label)) is not None}
    codes = [label for label, number in numbers.items() if number in CODES]
    marks = [label for label in given if isinstance(label, str) and not any(map(str.isalnum, label))]
    words = [
        label
        for label in given
        if isinstance(label, str) and (_means_nothing(label) or (label in LONE and marks == [label]))
    ]
    if STRENGTH & set(marks):
        words = [label for label in words if label not in marks]
    others = [number for label, number in numbers.items() if label not in codes]
    far = [label for label in codes if others and FAR * max(map(abs, others)) <= abs(numbers[label])]
    found = [label for label in given if label in far or label in words]
    kept = len(given) - len(found)
    if len(given) - len(numbers) - len(words) >= len(others):  # names: 99 may be one more of them
        found = [label for label in found if label in words]
        kept = len(given) - len(found)
    return found if kept >= LEAST_OTHERS else []


def _number(label: Label) -> float | None:
    """A label that is a number, or is written as one."""
    if isinstance(label, bool):
        return None
    try:
        return float(label)
    except (TypeError, ValueError, OverflowError):
        return None


def _means_nothing(label: str) -> bool:
    bare = label.strip()
    plain = bare.casefold().replace("’", "'")
    return plain in WORDS or bare in IN_CAPITALS or plain.startswith(APOLOGIES)

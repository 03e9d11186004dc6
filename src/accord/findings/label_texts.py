"""Labels and answers as they stand in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.agreement.table import cell_text
from accord.annotations.answers import Label

LONGEST = 40  # letters of a label in a sentence


def shown(label: Label) -> str:
    """A label in a sentence: quoted, its blanks and case to be seen, cut where it is long.

    >>> shown("yes "), shown(3)
    ('“yes ”', '“3”')
    """
    text = str(label)
    return f"“{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}”"


def in_a_row(labels: Sequence[Label]) -> str:
    """Labels one after the other: “a”, “b” and “c”."""
    texts = [shown(label) for label in labels]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def answer_text(answer: Any) -> str:
    """An answer as people write it: a ranked one with its order, a set with plus signs, a number in few digits."""
    return cell_text(answer, digits=None)

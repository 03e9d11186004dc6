"""What is asked of answers of another kind: the error says which these are, and how to say that they are others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.annotations.answers import answers_called
from accord.errors import Keyword, MeasureError, remedy

# The keywords that make answers of a kind, where `answers=` alone does not.
MADE_BY: dict[str, dict[str, Any]] = {"ranked": {"rank": ...}, "spans": {"start": ..., "end": ...}}


def about_other_kinds(what: str, kinds: Sequence[str], kind: str, *, likeliest: str | None = None) -> MeasureError:
    """The error of what is about answers of some kinds, asked of another; the likeliest is the first, or is named.

    >>> print(about_other_kinds("Label bias", ("single",), "score"))
    Label bias is about single answers; these are score answers. If they are single answers, say so in the study:
    answers='single'.
    """
    called = [answers_called(one) for one in kinds]
    fitting = likeliest or kinds[0]
    return MeasureError(
        f"{what} is about {' or '.join([*(one.removesuffix(' answers') for one in called[:-1]), called[-1]])}; these "
        f"are {answers_called(kind)}. If they are {answers_called(fitting)}, say so in the study: ",
        remedy(**MADE_BY.get(fitting, {"answers": fitting})),
        ".",
        option=Keyword("answers", kind),
        available=tuple(kinds),
    )

"""Everything accord raises on purpose.

AccordError (a ValueError)
├── InputError            what was given cannot be a study
│   ├── ColumnMissing     a role names a column that the table does not have
│   ├── DuplicateAnswers  an annotator answered an item twice, and nobody said what to do
│   └── LabelError        a label of a type, or outside a scale, that cannot be
├── MeasureError          the question does not fit the data; the message names one that does
│   └── WeightsError      weights that are not similarities between the study's answers
├── OptionError           an option with a value it cannot take
└── ExtraMissing          a feature whose optional packages are not installed

A message says what was found, with the actual values, and then the way out.
A value that is merely *undefined* (one label used, nobody to compare with) is never an error:
it is NaN in the result, and `undefined` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class AccordError(ValueError):
    """Base of every error that accord raises on purpose."""


class InputError(AccordError):
    """What was given cannot be read as a study."""


class ColumnMissing(InputError):
    """A role names a column that the table does not have."""

    def __init__(self, role: str, wanted: object, have: Sequence[str]) -> None:
        near = get_close_matches(str(wanted), [str(name) for name in have], 1, 0.5)
        hint = f" Did you mean {role}={near[0]!r}?" if near else f" Say which one it is: {role}=…"
        super().__init__(f"No column {wanted!r} to read the {role} from; the table has {listing(have)}.{hint}")


class DuplicateAnswers(InputError):
    """The same annotator answered the same item more than once."""


class LabelError(InputError):
    """A label that cannot be one, or that the declared scale does not hold."""


class MeasureError(AccordError):
    """A measure that cannot take this kind of answer or this number of annotators."""


class WeightsError(MeasureError):
    """Weights that are not similarities between the study's answers."""


class OptionError(AccordError):
    """An option with a value it cannot take."""

    @classmethod
    def choice(cls, name: str, got: object, allowed: Iterable[str]) -> OptionError:
        """The error for a word that is not among the allowed ones."""
        names = list(allowed)
        near = get_close_matches(str(got), names, 1, 0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return cls(f"{name} must be one of {listing(names)}; got {got!r}.{hint}")


class ExtraMissing(AccordError):
    """A feature whose optional packages are not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f'{feature} needs packages that are not installed: pip install "accord[{extra}]"')


def listing(values: Iterable[object], most: int = 8) -> str:
    """Values for a message: quoted, and cut where there are many.

    >>> listing(["a", "b"]), listing(range(20), most=3)
    ("'a', 'b'", '0, 1, 2 … (20 in all)')
    """
    shown = [repr(value) for value in values]
    if len(shown) <= most:
        return ", ".join(shown) or "nothing"
    return ", ".join(shown[:most]) + f" … ({len(shown)} in all)"

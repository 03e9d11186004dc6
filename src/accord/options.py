"""Options that many questions share, each checked in one way."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from accord.errors import OptionError


def check_confidence(confidence: Any) -> None:
    """A share between 0 and 1: 95 is no confidence, 0.95 is."""
    if not _is_number(confidence) or not 0 < confidence < 1:
        raise OptionError(f"confidence must lie between 0 and 1, for example 0.95; got {confidence!r}.")


def check_whole(name: str, value: Any, least: int) -> None:
    """A whole number that is not below `least`."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least:
        raise OptionError(f"{name} must be a whole number, at least {least}; got {value!r}.")


def check_positive(name: str, value: Any, example: str) -> None:
    """A finite number above 0."""
    if not _is_number(value) or not 0 < value < math.inf:
        raise OptionError(f"{name} must be a positive number, such as {example}; got {value!r}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)

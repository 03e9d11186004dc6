"""What a refusal must be: of the very type, with what was found and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def refused(error: type[Exception], ask: Callable[[], Any], *said: str) -> None:
    """The error is of this very type, and its message says all of this."""
    with pytest.raises(error) as refusal:
        ask()
    assert type(refusal.value) is error
    message = str(refusal.value)
    missing = [part for part in said if part not in message]
    assert not missing, f"{missing} not in: {message}"

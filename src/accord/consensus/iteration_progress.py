"""How far an iteration has come, print_progress to whoever asked."""

from __future__ import annotations

import sys
from collections.abc import Callable

from accord.consensus.em import OnIteration
from accord.errors import OptionError, in_python


def on_iteration(progress: bool | Callable[..., None] | None, method: str) -> OnIteration | None:
    """Iterations and the objective on the error stream, or the caller's own function, of two or of three numbers."""
    if callable(progress):
        return progress if _numbers_taken(progress) > 2 else lambda done, total, _: progress(done, total)
    if not progress:
        return None

    def print_progress(done: int, total: int, objective: float) -> None:
        sys.stderr.write(f"\r{method}: iteration {done:,} of at most {total:,}, objective {objective:,.4f} ")
        sys.stderr.flush()

    return print_progress


def _numbers_taken(progress: Callable[..., None]) -> int:
    """Three, or two."""
    from inspect import signature

    rule = "be True, or a function of (done, total) or of (done, total, objective)"
    try:
        takes = signature(progress)
    except (TypeError, ValueError):
        wrapped = in_python("progress=lambda done, total: …")
        raise OptionError.must(
            "progress", rule, progress, " What it takes cannot be seen. Wrap it: ", wrapped
        ) from None
    for number in (3, 2):
        try:
            takes.bind(*range(number))
        except TypeError:
            continue
        return number
    raise OptionError.must("progress", rule, progress, f" It takes {takes}.")

"""The `accord` command: parse, call the library once, print; the only room that imports Typer, may import all."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from accord.cli.program import app as app

__all__ = ["app", "main"]

# Objects made before garbage is looked for: what is loaded stays, and looking takes a tenth of the time.
GARBAGE = 50_000
NEEDED = "typer"  # what the command cannot do without
NOT_INSTALLED = 'The command needs packages that are not installed: pip install "accord[report]"'


def main() -> None:
    """Run the command; without the packages that it needs, say how to get them."""
    gc.set_threshold(GARBAGE)
    with _left_when_interrupted():
        try:
            from accord.cli.program import run
        except ModuleNotFoundError as problem:
            if (problem.name or "").partition(".")[0] != NEEDED:
                raise
            sys.stderr.write(
                'accord: The command needs packages that are not installed: pip install "accord[report]"\n'
            )
            sys.exit(2)  # as for anything that cannot be done; the codes live beside Typer, which is not there
        run()


@contextmanager
def _left_when_interrupted() -> Iterator[None]:
    """Ctrl-C ends the program at once: while all is loaded and after all is done, when there is nothing to put away.

    Raised as an exception there, it would be shown by Python, or lost within a package that is being loaded. While a
    command works it is an exception (`program`). Whoever has it ignored, as shells do for a job in the background, is
    left alone.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    atexit.unregister(_leave_from_now_on)
    atexit.register(_leave_from_now_on)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_from_now_on() -> None:
    signal.signal(signal.SIGINT, _leave)


def _leave(_signal: int, _frame: object) -> NoReturn:
    os._exit(130)


if not TYPE_CHECKING:  # or every misspelt name would pass the type checkers

    def __getattr__(name: str) -> object:
        if name != "app":
            raise AttributeError(f"module 'accord.cli' has no attribute {name!r}")
        from accord.cli.program import every_command

        return every_command()

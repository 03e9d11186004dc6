"""The `accord` command: parse, call the library once, print; the only room that imports Typer, may import all."""

# Nothing else is loaded before Ctrl-C is taken care of, not even what makes annotations texts.
try:
    import signal
except KeyboardInterrupt:
    raise SystemExit(130) from None

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

    from accord.cli.program import app as app

__all__ = ["app", "main"]

# Objects made before garbage is looked for: what is loaded stays, and looking takes a tenth of the time.
GARBAGE = 50_000
NEEDED = "typer"  # what the command cannot do without
NOT_INSTALLED = 'accord: The command needs packages that are not installed: pip install "accord[report]"\n'


def main() -> None:
    """Run the command; Ctrl-C ends it at once while it is loaded and after all is done, with nothing to put away.

    Raised as an exception there, it would be shown by Python, or lost within a package that is being loaded. While a
    command works it is an exception (`program`). Whoever has it ignored, as shells do for a job in the background, is
    left alone, and so is a program that runs the command in another thread.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or not _leaves_from_now_on():
        _run()
        return
    import atexit

    atexit.unregister(_leaves_from_now_on)
    atexit.register(_leaves_from_now_on)
    try:
        _run()
    finally:
        signal.signal(signal.SIGINT, before)


def _run() -> None:
    """Load the command and run it; without the packages that it needs, say how to get them."""
    import gc
    import sys

    gc.set_threshold(GARBAGE)
    try:
        from accord.cli.program import run
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != NEEDED:
            raise
        sys.stderr.write(NOT_INSTALLED)
        sys.exit(2)  # as for anything that cannot be done; the codes live beside Typer, which is not there
    run()


def _leaves_from_now_on() -> bool:
    """Have Ctrl-C end the program, which only the main thread can say."""
    try:
        signal.signal(signal.SIGINT, _leave)
    except ValueError:
        return False
    return True


def _leave(_signal: int, _frame: "FrameType | None") -> "NoReturn":
    import os

    os._exit(130)


if not TYPE_CHECKING:  # or every misspelt name would pass the type checkers

    def __getattr__(name: str) -> object:
        if name != "app":
            raise AttributeError(f"module 'accord.cli' has no attribute {name!r}")
        from accord.cli.program import every_command

        return every_command()

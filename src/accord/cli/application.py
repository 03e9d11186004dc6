"""The command and its exit codes; the commands themselves are one file each."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from typing import Annotated

import typer

FINE, BELOW, WRONG, UNDEFINED = 0, 1, 2, 3
CRASHED = 70  # as sysexits.h calls a mistake in the program itself
INTERRUPTED, CLOSED = 130, 141  # as a shell says of programs that SIGINT and SIGPIPE ended
ENDED = 143  # and SIGTERM
DEBUG: ContextVar[bool] = ContextVar("mistakes in accord are shown", default=False)
IN_TERMINAL = sys.stdout is not None and sys.stdout.isatty()

app = typer.Typer(
    name="accord",
    help="Agreement between annotators: the right coefficient, its uncertainty, and the report.",
    epilog="accord measure annotations.csv\n\naccord report annotations.csv -o report.html",
    no_args_is_help=True,
    rich_markup_mode="rich" if IN_TERMINAL else None,  # boxes in a terminal, plain text in a pipe
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(show: bool) -> None:
    if show:
        from accord.options import __version__

        typer.echo(f"accord {__version__}")
        raise typer.Exit


def _debug(show: bool) -> None:
    DEBUG.set(show)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", callback=_debug, help="Show where a mistake in accord comes from.")
    ] = False,
) -> None:
    """Agreement between annotators: the right coefficient, its uncertainty, and the report."""

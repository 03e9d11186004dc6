"""The `accord` command: parse, call the library once, print; the only room that imports Typer, may import all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import typer

from accord.cli import convert, explain, gold, judge, measure, plan, report  # noqa: F401 - each adds its command
from accord.cli.application import FINE, INTERRUPTED, WRONG, app
from accord.cli.options import CommandError

__all__ = ["app", "main"]


def main() -> None:
    """Run the command; errors are one line with the way out."""
    try:
        run: Callable[..., Any] = app
        code = run(prog_name="accord", standalone_mode=False)
        sys.stdout.flush()
    except CommandError as problem:
        _stop(str(problem))
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FINE)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as problem:
        _stop(f"{str(problem.filename)!r} cannot be read or written: {problem.strerror or problem}.")
    except Exception as problem:
        message = getattr(problem, "format_message", None)  # wrong usage, as the framework puts it
        if message is None:
            raise
        context = getattr(problem, "ctx", None)
        where = context.command_path if context is not None else "accord"
        _stop(f"{message()} See {where} --help." if message() else "")
    sys.exit(code if isinstance(code, int) else FINE)


def _stop(message: str) -> None:
    if message:
        typer.echo(f"accord: {' '.join(message.split())}", err=True)
    sys.exit(WRONG)

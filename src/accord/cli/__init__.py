"""The `accord` command: parse, call the library once, print; the only room that imports Typer, may import all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import typer

from accord.cli import convert, explain, gold, judge, measure, plan, report  # noqa: F401 - each adds its command
from accord.cli.application import FINE, INTERRUPTED, WRONG, app
from accord.cli.options import Question, Source
from accord.errors import AccordError

__all__ = ["app", "main"]

MARKS = "'[]"
OTHERS = (
    "target", "fail_below", "fail_below_lower", "people", "gold", "epsilon", "closeness", "about", "facets", "order",
    "positions", "unparsable", "width", "above", "power", "margins", "value", "draws", "more",
)  # fmt: skip
CALLED_OTHERWISE = {
    "format": "--from", "models": "--model", "model": "--model", "n_annotators": "--annotators", "rng": "--seed",
}  # fmt: skip


def main() -> None:
    """Run the command; errors are one line with the way out."""
    try:
        run: Callable[..., Any] = app
        code = run(prog_name="accord", standalone_mode=False)
        sys.stdout.flush()
    except AccordError as problem:
        _stop(_as_options(str(problem)))
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FINE)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as problem:
        _stop(f"{problem.strerror}: {problem.filename}")
    except Exception as problem:
        told = getattr(problem, "format_message", None)  # wrong usage, as the framework tells it
        if told is None:
            raise
        context = getattr(problem, "ctx", None)
        where = context.command_path if context is not None else "accord"
        _stop(f"{told()} See {where} --help." if told() else "")
    sys.exit(code if isinstance(code, int) else FINE)


def _stop(message: str) -> None:
    if message:
        typer.echo(f"accord: {' '.join(message.split())}", err=True)
    sys.exit(WRONG)


def _as_options(message: str) -> str:
    """The library's way out in the words of the command: duplicates='first' is --duplicates first."""
    names = {field.name: f"--{field.name.replace('_', '-')}" for group in (Source, Question) for field in fields(group)}
    names |= {name: f"--{name.replace('_', '-')}" for name in OTHERS} | CALLED_OTHERWISE
    known = "|".join(names)
    plain = message.replace("header=False, ", "--no-header ").replace("header=False", "--no-header")
    plain = re.sub(r"study\.tasks\['([^']*)'\]", r"--only \1", plain)
    called = re.sub(rf"accord\.read\('[^']*', ((?:--no-header )?(?:{known})='[^']*')\)", r"\1", plain)
    told = re.sub(
        rf"\b({known})=('[^']*'|\[?…\]?|[0-9.]*[0-9])",
        lambda found: f"{names[found[1]]} {found[2].strip(MARKS)}",
        called,
    )
    told = re.sub(rf"\b({known})=(?=[ ,;:.)]|$)", lambda found: names[found[1]], told)
    told = re.sub(r"(?:accord\.)?(?:Study|plan)\((?:…, )?(--[^()]*)\)", r"\1", told)
    return re.sub(rf"^({known}) must\b", lambda found: f"{names[found[1]]} must", told)

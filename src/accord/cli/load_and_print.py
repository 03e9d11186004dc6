"""From options to a study, and from a result to what is printed and the exit code."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from accord.cli.application import BELOW, FINE, UNDEFINED
from accord.cli.options import COLUMNS, FILES, STDIN, STDOUT, Manner, Question, Source
from accord.errors import InputError, Keyword, OptionError

if TYPE_CHECKING:
    from accord.agreement.result import Agreement
    from accord.study.study import Study


def study_of(source: Source, quiet: bool) -> tuple[Study, dict[str, dict[str, Any]]]:
    """The study, and what an accord.toml beside the data says."""
    from accord.cli.terminal import working
    from accord.readers.read import read

    files, options, settings = options_of(source)
    with working([f"Reading {source.called}"], quiet=quiet) as (progress,):
        return read(files[0] if len(files) == 1 else files, progress=progress, **options), settings


def options_of(source: Source) -> tuple[list[Path], dict[str, Any], dict[str, dict[str, Any]]]:
    """The files, how to read them, and all that an accord.toml beside the data says."""
    from accord.cli.settings import settings_of

    for file in source.files:
        if str(file) != STDIN and not file.exists():
            raise InputError(f"There is no file {str(file)!r} here ({Path.cwd()}). Check the name and the folder.")
    settings = settings_of(source.file)
    options = merged(source, settings["read"])
    for name in ("annotators", "include", "adjudicator", "label"):
        if isinstance(options.get(name), str) and ("," in options[name] or name in ("annotators", "include")):
            options[name] = options[name].split(",")
    if isinstance(options.get("labels"), str):
        options["labels"] = _scale(options["labels"])
    return options.pop(FILES), options, settings


def merged(options: Source | Question, settings: dict[str, Any]) -> dict[str, Any]:
    """What the command line says, over what the settings say."""
    typed = {name: value for name, value in vars(options).items() if value is not None}
    columns = typed.pop(COLUMNS, {})
    return {**settings, **typed, **columns}


def _scale(labels: str) -> list[Any]:
    """Labels with commas between; all whole numbers become numbers (Python reads none of more than 4,300 digits)."""
    parts = [part.strip() for part in labels.split(",")]
    return [int(part) for part in parts] if all(re.fullmatch(r"-?\d{1,4000}", part) for part in parts) else list(parts)


def hidden(study: Study, options: dict[str, Any]) -> Study:
    """The study with its annotators called A1, A2 …"""
    from accord.reporting.anonymise import anonymised, refuse_naming

    refuse_naming(study, options.get("by"))
    return anonymised(study)[0]


def print_json(value: Any) -> None:
    """For other programs; in a terminal that has no Unicode, escaped."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    typer.echo(json.dumps(value, ensure_ascii=not unicode, indent=1, allow_nan=False))


def write_or_print(output: Path, write: Callable[[Path], object], ending: str) -> None:
    """A file where one is named; `-` is the standard output, which gets what a file of this ending would hold."""
    if str(output) != STDOUT:
        write(output)
        return
    from tempfile import TemporaryDirectory

    from accord.cli.terminal import print_data

    with TemporaryDirectory() as folder:
        file = Path(folder) / f"output{ending}"
        write(file)
        print_data(file.read_bytes())


def refuse_two_outputs(output: Path | None, *, as_json: bool) -> None:
    """The standard output holds one thing."""
    if as_json and output is not None and str(output) == STDOUT:
        raise OptionError(
            Keyword("as_json"), " and ", Keyword("output", STDOUT), " both write to the standard output. Choose one."
        )


def print_words(study: Study, words: object, *, quiet: bool) -> None:
    """What was read, unless that is not wanted, and the result in words."""
    from accord.cli.terminal import say

    if not quiet:
        say(study.describe(), "")
    say(words)


def tell_why(words: str) -> None:
    """Why a command ends with 1, on the error stream: whatever else is printed stays as it is."""
    typer.echo(f"accord: {words}", err=True)


@dataclass(frozen=True)
class Limits:
    """How a command ends: what fell below which limit, what has no value, and the exit code that follows."""

    code: int
    below: tuple[str, ...] = ()  # each a sentence
    undefined: tuple[str, ...] = ()  # which had to have a value
    given: bool = False  # was there any limit?

    def tell(self) -> None:
        """Why it fails."""
        if self.code == BELOW:
            tell_why(" ".join(self.below))

    def to_dict(self) -> dict[str, Any]:
        """For JSON, where a limit was given."""
        told = {"exit_code": self.code, "below": list(self.below), "undefined": list(self.undefined)}
        return {"limits": told} if self.given else {}


def verdict_on(result: Agreement, manner: Manner, how: dict[str, Any] | None = None) -> Limits:
    """Fine, below a limit, or undefined; with groups or variables, each of them counts."""
    how = how or {}
    values: dict[str, tuple[float, float]] = {}
    if not result.study.tasks:
        values[result.title] = (result.value, result.interval(**how).low)
    if result.study.tasks or result.by is not None:
        table = result.by_group(**how)
        values |= {f"{result.title} of {row[table.columns[0]]}": (row["value"], row["low"]) for row in table}
    limits = (("", 0, manner.fail_below), ("The lower end of the interval of ", 1, manner.fail_below_lower))
    below = tuple(
        f"{words}{name} is {pair[end]:.3f}, below the limit of {limit:g}."
        if pair[end] == pair[end]
        else f"{name} has no interval that could be above the limit of {limit:g}."
        for words, end, limit in limits
        for name, pair in values.items()
        if limit is not None and pair[0] == pair[0] and not pair[end] >= limit
    )
    undefined = tuple(name for name, (value, _) in values.items() if value != value)  # noqa: PLR0124
    gated = any(limit is not None for *_, limit in limits)
    if below:
        return Limits(BELOW, below, undefined, given=True)
    code = UNDEFINED if len(undefined) == len(values) or (gated and undefined) else FINE
    return Limits(code, (), undefined, given=gated)

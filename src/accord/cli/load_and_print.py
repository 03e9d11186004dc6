"""From options to a study, and from a result to what is printed and the exit code."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from accord.cli.application import BELOW, FINE, UNDEFINED
from accord.cli.options import COLUMNS, Manner, Question, Source
from accord.errors import InputError, OptionError

if TYPE_CHECKING:
    from accord.agreement.result import Agreement
    from accord.study.study import Study


def study_of(source: Source, quiet: bool) -> tuple[Study, dict[str, dict[str, Any]]]:
    """The study, and what an accord.toml beside the data says."""
    from accord.cli.settings import settings_of
    from accord.cli.terminal import working
    from accord.readers.read import read

    if not source.file.exists():
        raise InputError(f"There is no file {str(source.file)!r} here ({Path.cwd()}). Check the name and the folder.")
    settings = settings_of(source.file)
    options = merged(source, settings["read"])
    for name in ("annotators", "include", "adjudicator", "label"):
        if isinstance(options.get(name), str) and ("," in options[name] or name in ("annotators", "include")):
            options[name] = options[name].split(",")
    if isinstance(options.get("missing"), str):
        options["missing"] = options["missing"].split(",")
    if isinstance(options.get("recode"), str):
        options["recode"] = _recoding(options["recode"])
    if isinstance(options.get("labels"), str):
        options["labels"] = _scale(options["labels"])
    with working([f"Reading {source.file.name}"], quiet=quiet) as (progress,):
        return read(options.pop("file"), progress=progress, **options), settings


def merged(options: Source | Question, settings: dict[str, Any]) -> dict[str, Any]:
    """What the command line says, over what the settings say."""
    typed = {name: value for name, value in vars(options).items() if value is not None}
    columns = typed.pop(COLUMNS, {})
    return {**settings, **typed, **columns}


def _scale(labels: str) -> list[Any]:
    """Labels with commas between; all whole numbers become numbers."""
    parts = [part.strip() for part in labels.split(",")]
    return [int(part) for part in parts] if all(re.fullmatch(r"-?\d+", part) for part in parts) else list(parts)


def _recoding(pairs: str) -> dict[str, str]:
    """Old and new labels with = between, and commas between pairs."""
    parts = [part.partition("=") for part in pairs.split(",")]
    if not all(mark and old for old, mark, _ in parts):
        raise OptionError.must("recode", "be old=new, with commas between several, such as Yes=yes,No=no", pairs)
    return {old: new for old, _, new in parts}


def hidden(study: Study, options: dict[str, Any]) -> Study:
    """The study with its annotators called A1, A2 …"""
    from accord.reporting.anonymise import anonymised, refuse_naming

    refuse_naming(study, options.get("by"))
    return anonymised(study)[0]


def print_json(value: Any) -> None:
    """For other programs; in a terminal that has no Unicode, escaped."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    typer.echo(json.dumps(value, ensure_ascii=not unicode, indent=1, allow_nan=False))


def print_words(study: Study, words: str, *, quiet: bool) -> None:
    """What was read, unless that is not wanted, and the result in words."""
    from accord.agreement.table_formats import seen

    if not quiet:
        typer.echo(f"{study.describe()}\n")
    typer.echo(seen(words))


def exit_code(result: Agreement, manner: Manner, confidence: float = 0.95) -> int:
    """Fine, below a limit, or undefined; with groups or variables, each of them counts."""
    values = [] if result.study.tasks else [(result.value, result.interval(confidence=confidence).low)]
    if result.study.tasks or result.by is not None:
        values += [(row["value"], row["low"]) for row in result.by_group(confidence=confidence)]
    defined = [(value, low) for value, low in values if value == value]  # noqa: PLR0124 - NaN
    limits = ((0, manner.fail_below), (1, manner.fail_below_lower))
    if any(limit is not None and any(not pair[end] >= limit for pair in defined) for end, limit in limits):
        return BELOW
    gated = any(limit is not None for _, limit in limits)
    return UNDEFINED if not defined or (gated and len(defined) < len(values)) else FINE

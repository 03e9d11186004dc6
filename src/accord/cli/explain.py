"""`accord explain`: what the coefficient hides, what causes the disagreement, and what to do about it."""

from __future__ import annotations

from typing import Annotated

import typer

from accord.cli.application import BELOW, FINE, UNDEFINED, app
from accord.cli.load_and_print import (
    print_json,
    print_words,
    refuse_level_and_weights,
    study_of,
    tell_why,
    with_names_or_codes,
)
from accord.cli.options import TARGETS, Form, NameOptions, Printing, SourceOptions, Weights, Word, option, takes
from accord.errors import counted


@app.command(epilog="accord explain annotations.csv\n\n"
             "accord explain annotations.csv --target subjective --anonymise\n\n"
             "accord explain annotations.csv --target 0.6 --json --fail-on-warning")  # fmt: skip
@takes(SourceOptions, NameOptions, Printing)
def explain(
    source: SourceOptions,
    names: NameOptions,
    printing: Printing,
    target: Annotated[
        Word, option("Measuring", "How high agreement should be, a number or the kind of task:", choices=TARGETS)
    ] = None,
    weights: Weights = None,
    form: Form = None,
    fail_on_warning: Annotated[
        bool, option("Exit code", "Exit with 1 if there is a warning.", "--fail-on-warning")
    ] = False,
) -> None:
    """What the agreement in FILE hides, what causes disagreement, and what to do about it."""
    from accord.agreement.table_formats import check_format
    from accord.cli.terminal import prose_width, show
    from accord.findings.explaining import explain as explained

    check_format(form)

    refuse_level_and_weights(source, weights)
    study, settings = study_of(source, printing.quiet)
    study = with_names_or_codes(study, names)
    chosen = weights or settings["measure"].get("weights")
    found = explained(study, target=_target(target), weights=chosen)
    if printing.as_json:
        print_json(found.to_dict())
    elif form is not None:
        show(found.to_table(), form)
    else:
        print_words(study, found.to_text(prose_width()), quiet=printing.quiet)
    if all(result.undefined for result in found.results.values()):
        raise typer.Exit(UNDEFINED)
    if fail_on_warning and found.warnings:
        tell_why(f"There {_are(len(found.warnings))}: {', '.join(dict.fromkeys(one.name for one in found.warnings))}.")
        raise typer.Exit(BELOW)
    raise typer.Exit(FINE)


def _are(warnings: int) -> str:
    return f"{'is' if warnings == 1 else 'are'} {counted(warnings, 'warnings')}"


def _target(typed: str | None) -> str | float:
    """A number where it is one, else a word; without either, the usual target."""
    if typed is None:
        return "standard"
    try:
        return float(typed)
    except ValueError:
        return typed

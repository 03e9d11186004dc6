"""`accord compare`: two rounds, two batches, two teams."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.application import BELOW, FINE, UNDEFINED, app
from accord.cli.load_and_print import (
    measure_named,
    print_json,
    refuse_level_and_weights,
    study_of,
    tell_of_settings,
    tell_why,
)
from accord.cli.option_spelling import StandsFor
from accord.cli.options import WHAT, Form, Printing, SourceOptions, Weights, Word, option, takes
from accord.errors import InputError, Keyword

METHODS = ("analytic", "bootstrap")
ALTERNATIVES = ("non-inferior", "equivalent")


@dataclass(frozen=True)
class Two(SourceOptions):
    """Two sets of data, read with the same options."""

    files: Annotated[list[Path], typer.Argument(metavar="FILE", help=f"Two of these. {WHAT}", show_default=False)]


@app.command(epilog="accord compare round1.csv round2.csv\n\n"
             "accord compare round1.csv round2.csv --measure krippendorff_alpha --fail-if-lower\n\n"
             "accord compare round1.csv round2.csv --margin 0.05")  # fmt: skip
@takes(Two, Printing)
def compare(
    source: Two,
    printing: Printing,
    name: Annotated[
        Word,
        option("Measuring", "The coefficient, such as krippendorff_alpha; by default what fits both.", "--measure"),
        StandsFor("measure"),
    ] = None,
    weights: Weights = None,
    paired: Annotated[
        bool | None,
        option("Comparing", "Whether items are the same; by default those of one name are.", "--paired/--not-paired"),
    ] = None,
    interval: Annotated[
        Word, option("Comparing", "How the interval is found; by default analytic. One of", choices=METHODS),
        StandsFor("method"),
    ] = None,
    margin: Annotated[
        float | None,
        option("Comparing", "How much lower the second may be without mattering, such as 0.05; tests that it is not."),
    ] = None,
    alternative: Annotated[
        Word,
        option("Comparing", "What is tested with a margin; by default non-inferior. One of", choices=ALTERNATIVES),
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of the intervals.", rich_help_panel="Comparing")] = 0.95,
    seed: Annotated[
        int, typer.Option(help="Of what is drawn at random.", rich_help_panel="Comparing"), StandsFor("rng")
    ] = 0,
    form: Form = None,
    fail_if_lower: Annotated[
        bool, option("Exit code", "Exit with 1 if the second is shown to be lower than the first.", "--fail-if-lower")
    ] = False,
) -> None:  # fmt: skip
    """The agreement in one FILE against that in another: the difference, its interval and its p-value."""
    from accord.agreement.table_formats import check_format
    from accord.cli.terminal import say, show
    from accord.measures.two_studies import compare_studies

    check_format(form)
    if len(source.files) != 2:
        raise InputError(
            f"Two files are compared, and {len(source.files)} {'is' if len(source.files) == 1 else 'are'} named. A "
            "folder counts as one.",
            option=Keyword("files"),
        )
    refuse_level_and_weights(source, weights)
    each = [replace(source, files=[file]) for file in source.files]
    (first, settings), (second, _) = (study_of(one, printing.quiet) for one in each)
    tell_of_settings(each[0], quiet=printing.quiet)
    names = _called(source.files)
    found = compare_studies(
        first,
        second,
        names,
        measure=measure_named(name),
        weights=weights or settings["measure"].get("weights"),
        paired=paired,
        method=interval,  # type: ignore[arg-type]
        margin=margin,
        alternative=alternative,  # type: ignore[arg-type]
        confidence=confidence,
        rng=seed,
    )
    lower = [part.sentence(names) for part in found.parts if part.lower] if fail_if_lower else []
    if printing.as_json:
        print_json(found.to_dict())
    elif form is not None:
        show(found.to_table(), form)
    else:
        if not printing.quiet:
            say(*(f"{name}: {study.describe().headline}" for name, study in zip(names, (first, second), strict=True)))
            say("")
        show(found.to_table())
        say(*(part.sentence(names) for part in found.parts))
        if name is None and not printing.quiet:
            say(*dict.fromkeys(part.reason for part in found.parts))
    if lower:
        tell_why(" ".join(lower))
        raise typer.Exit(BELOW)
    raise typer.Exit(UNDEFINED if all(part.comparison.undefined for part in found.parts) else FINE)


def _called(files: list[Path]) -> tuple[str, str]:
    """What the two are called: by their names, or by their paths where the names are one."""
    first, second = ((file.name, str(file)) for file in files)
    return (first[0], second[0]) if first[0] != second[0] else (first[1], second[1])

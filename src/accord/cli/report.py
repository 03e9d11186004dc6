"""`accord report`: one page about the annotations."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.application import app
from accord.cli.load_and_print import exit_code, merged, print_json, study_of
from accord.cli.options import TARGETS, Manner, Question, Source, Stands, Word, option, takes

BENCHMARK = "landis-koch"
SCALES = ("landis-koch", "krippendorff", "rietveld-van-hout", "grove", "fleiss", "altman", "cicchetti")


@app.command(epilog="accord report annotations.csv -o report.html\n\n"
             "accord report export.json -o report.html --by topic --anonymise --no-text\n\n"
             "accord report annotations.csv -o report.md")  # fmt: skip
@takes(Source, Question, Manner)
def report(
    source: Source,
    question: Question,
    manner: Manner,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write: .html, .md, .tex or .json.", rich_help_panel="Output"),
        Stands("path"),
    ] = Path("report.html"),
    title: Annotated[Word, option("Output", "The page's title.")] = None,
    benchmark: Annotated[
        Word,
        option(
            "Measuring",
            f"The scale that gives words to values; by default {BENCHMARK}. One of",
            choices=SCALES + TARGETS,
        ),
    ] = None,
    no_text: Annotated[bool, option("For others", "Show no texts of items.", "--no-text")] = False,
) -> None:
    """One page about the annotations in FILE that a lead, an annotator and a reviewer can all read."""
    from accord.cli.terminal import working
    from accord.reporting.page import write

    study, settings = study_of(source, manner.quiet)
    manners = settings["report"]
    hidden = manner.anonymise or manners.get("anonymise", False)
    with working(["Writing the report"], quiet=manner.quiet or manner.as_json) as (progress,):
        written = write(
            study,
            output,
            title=title or manners.get("title") or f"Agreement in {source.file.name}",
            benchmark=benchmark or manners.get("benchmark", BENCHMARK),
            anonymise=hidden,
            show_text=manners.get("show_text", True) and not no_text,
            source=source.file.name,
            command=typed(source.file, output, hidden=hidden),
            progress=progress,
            **merged(question, settings["measure"]),
        )
    best = written.context.main
    if manner.as_json:
        print_json(written.to_dict())
    elif not manner.quiet:
        typer.echo(written.headline)
        typer.echo(f"The report is in {written.path}")
        if written.key is not None:
            typer.echo(f"Who is who is in {written.key}; keep it apart.")
    raise typer.Exit(exit_code(best, manner))


def typed(file: Path, output: Path, *, hidden: bool) -> str:
    """What was typed, ready to be typed again; folders may name people, so they are left out where people are."""
    typed = ["accord", *sys.argv[1:]]
    if hidden:
        typed = [Path(part).name if part in (str(file), str(output)) else part for part in typed]
    return shlex.join(typed)

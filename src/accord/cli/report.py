"""`accord report`: one page about the annotations."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.application import app
from accord.cli.load_and_print import exit_code, merged, print_json, study_of
from accord.cli.options import TARGETS, Manner, Question, Source, Word, option, takes

BENCHMARK = "landis-koch"
NAMING = ("--annotators", "--adjudicator", "--people", "--models", "--exclude", "--where")  # their values name people
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
    ] = Path("report.html"),
    title: Annotated[Word, option("Output", "The page's title.")] = None,
    date: Annotated[
        Word, option("Output", "When the study was made, as the page says it; by default the days of its answers.")
    ] = None,
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
            date=date or manners.get("date", ""),
            benchmark=benchmark or manners.get("benchmark", BENCHMARK),
            anonymise=hidden,
            show_text=manners.get("show_text", True) and not no_text,
            source=source.file.name,
            command=typed(sys.argv[1:], hidden=hidden),
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


def typed(arguments: Sequence[str], *, hidden: bool) -> str:
    """What was typed, ready to be typed again where the files are: without folders, which are nobody's business.

    Where people are hidden, so are the options that name them.

    >>> typed(["report", "/data/reviews.csv", "--adjudicator", "Ann", "--exclude=Bob,Cyd"], hidden=True)
    'accord report reviews.csv --adjudicator … --exclude=…'
    """
    shown: list[str] = []
    for place, part in enumerate(arguments):
        option, equals, value = part.partition("=") if part.startswith("--") else ("", "", part)
        naming = (option or arguments[place - 1] if place else "") in NAMING
        told = "…" if hidden and naming and value else _without_folder(value)
        shown.append(f"{option}{equals}{told}")
    return " ".join(part if "…" in part else shlex.quote(part) for part in ["accord", *shown])


def _without_folder(value: str) -> str:
    """A file by its name; anything else as it is."""
    path = Path(value)
    known = path.is_absolute() or (len(path.parts) > 1 and (path.exists() or path.parent.is_dir()))
    return path.name if known and path.name else value

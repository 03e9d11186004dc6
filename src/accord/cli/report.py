"""`accord report`: one page about the annotations."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.application import app
from accord.cli.hiding import NAMING
from accord.cli.load_and_print import (
    merged,
    print_json,
    refuse_level_and_weights,
    refuse_two_outputs,
    study_of,
    verdict_on,
    write_or_print,
)
from accord.cli.option_spelling import StandsFor
from accord.cli.options import (
    STDOUT,
    Force,
    Manner,
    MeasureOptions,
    NameOptions,
    Scale,
    SourceOptions,
    Word,
    option,
    takes,
)
from accord.cli.targets import check_target, refuse_idle_form
from accord.errors import Keyword, OptionError
from accord.warehouses.addresses import Address

ENDINGS = {"html": ".html", "md": ".md", "tex": ".tex", "json": ".json"}


@app.command(epilog="accord report annotations.csv -o report.html\n\n"
             "accord report export.json -o report.html --by topic --anonymise --no-text\n\n"
             "accord report annotations.csv -o report.md")  # fmt: skip
@takes(SourceOptions, MeasureOptions, NameOptions, Manner)
def report(
    source: SourceOptions,
    question: MeasureOptions,
    names: NameOptions,
    manner: Manner,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write: .html, .md, .tex or .json.", rich_help_panel="Output"),
        StandsFor("path"),
    ] = Path("report.html"),
    title: Annotated[Word, option("Output", "The page's title.")] = None,
    date: Annotated[
        Word, option("Output", "When the study was made, as the page says it; by default the days of its answers.")
    ] = None,
    benchmark: Scale = None,
    no_text: Annotated[bool, option("For others", "Show no texts of items.", "--no-text")] = False,
    form: Annotated[
        Word,
        option("Output", "What the standard output gets; by default html. One of", "--format", choices=tuple(ENDINGS)),
        StandsFor("form"),
    ] = None,
    force: Force = False,
) -> None:
    """One page about the annotations in FILE that a lead, an annotator and a reviewer can all read."""
    from accord.cli.terminal import say, working
    from accord.reporting.page import WrittenReport, write

    refuse_two_outputs(output, as_json=manner.as_json)
    if form is not None and form not in ENDINGS:
        raise OptionError.choice("form", form, ENDINGS)
    refuse_idle_form(form, output)
    check_target(output, force=force, sources=source.files)
    refuse_level_and_weights(source, question.weights)
    study, settings = study_of(source, manner.quiet)
    manners = settings["report"]
    hidden = names.anonymise or manners.get("anonymise", False)
    called = source.unnamed if hidden else source.called
    printed = str(output) == STDOUT
    if printed and hidden and names.key is None:
        raise OptionError(
            Keyword("anonymise"), " keeps who is who in a file beside the report: name the report's file with ",
            Keyword("path"), ", or that one with ", Keyword("key"), ".",
        )  # fmt: skip
    found: list[WrittenReport] = []

    def page(target: Path) -> None:
        written = write(
            study,
            target,
            title=title or manners.get("title") or f"Agreement in {called}",
            date=date or manners.get("date", ""),
            benchmark=benchmark or manners.get("benchmark"),
            anonymise=hidden,
            key=names.key,
            show_text=manners.get("show_text", True) and not no_text,
            source=called,
            command=typed(sys.argv[1:], hidden=hidden, files=source.files),
            progress=progress,
            **merged(question, settings["measure"]),
        )
        found.append(written)

    with working(["Writing the report"], quiet=manner.quiet or manner.as_json) as (progress,):
        write_or_print(output, page, ENDINGS[form or "html"])
    written = found[0]
    limits = verdict_on(written.context.main, manner, questions=written.context.measurements.questions)
    if manner.as_json:
        print_json({**written.to_dict(), **limits.to_dict()})
    elif not manner.quiet and not printed:
        say(written.headline, *written.context.measurements.open, f"The report is in {written.path}")
        if written.key is not None:
            say(f"Who is who is in {written.key}; keep it apart.")
    limits.tell()
    raise typer.Exit(limits.code)


def typed(arguments: Sequence[str], *, hidden: bool, files: Sequence[Path] = ()) -> str:
    """What was typed, ready to be typed again where the files are: without folders, which are nobody's business.

    Of a database the user and the server are not told either. Where people are hidden, so are the options that name
    them, and the names of several files, which may be theirs.

    >>> typed(["report", "/data/reviews.csv", "--adjudicator", "Ann", "--exclude=Bob,Cyd"], hidden=True)
    'accord report reviews.csv --adjudicator … --exclude=…'
    >>> lies = Path("duckdb:/data/labels.db")
    >>> typed(["report", str(lies), "--table", "answers"], hidden=False, files=[lies])
    'accord report duckdb:labels.db --table answers'
    """
    shown: list[str] = []
    unnamed = files if hidden and len(files) > 1 else ()
    addresses = {str(file): address for file in files if (address := Address.of(file)) is not None}
    for place, part in enumerate(arguments):
        option, equals, value = part.partition("=") if part.startswith("--") else ("", "", part)
        naming = (option or arguments[place - 1] if place else "") in NAMING
        if not option and Path(part) in unnamed:
            shown += [] if "…" in shown else ["…"]
            continue
        address = addresses.get(part)
        visible = "…" if hidden and naming and value else _without_folder(value) if address is None else address.public
        shown.append(f"{option}{equals}{visible}")
    return " ".join(part if "…" in part else shlex.quote(part) for part in ["accord", *shown])


def _without_folder(value: str) -> str:
    """A file by its name; anything else as it is."""
    path = Path(value)
    known = path.is_absolute() or (len(path.parts) > 1 and (path.exists() or path.parent.is_dir()))
    return path.name if known and path.name else value

"""`accord paper`: the table, the methods paragraph, the sources and the figure of a paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.application import FINE, UNDEFINED, app
from accord.cli.load_and_print import (
    measure_named,
    merged,
    print_json,
    refuse_level_and_weights,
    study_of,
    tell_of_settings,
    with_names_or_codes,
)
from accord.cli.option_spelling import StandsFor
from accord.cli.options import (
    AsJson,
    Force,
    MeasureOptions,
    Measures,
    NameOptions,
    Quiet,
    SourceOptions,
    Sureness,
    Word,
    option,
    takes,
)
from accord.cli.targets import check_target, refuse_idle_force, refuse_one_file, refuse_same_file
from accord.errors import Keyword, OptionError, all_quoted


@app.command(epilog="accord paper annotations.csv --what sentiment\n\n"
             "accord paper coded.csv --label topic,tone,length -o reliability.docx -o reliability.csv\n\n"
             "accord paper annotations.csv -o agreement.tex -o agreement.bib -o agreement.pdf --width 174")  # fmt: skip
@takes(SourceOptions, MeasureOptions, Sureness, NameOptions)
def paper(
    source: SourceOptions,
    question: MeasureOptions,
    sureness: Sureness,
    names: NameOptions,
    outputs: Annotated[
        list[Path] | None,
        option(
            "Output",
            "Where to write, again for more files: .docx, .tex, .md (text), .csv (numbers), .bib (sources), .svg, .pdf "
            "or .png (figure).",
            "--output",
            "-o",
        ),
        StandsFor("path"),
    ] = None,
    measure: Annotated[Measures, StandsFor("measures")] = None,
    what: Annotated[Word, option("Output", "What was annotated, as the text should call it: sentiment.")] = None,
    width: Annotated[float | None, option("Output", "Of a figure, in millimetres; by default 85.")] = None,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """What a paper prints of the annotations in FILE: table, methods, sources, figure."""
    from accord.cli.terminal import say
    from accord.reporting.paper.figure import check_width
    from accord.reporting.paper.paper import ONE_COLUMN, check_ending
    from accord.reporting.paper.paper import paper as made

    targets = outputs or []
    refuse_idle_force(*targets, force=force)
    if width is not None:
        check_width(width)
        _need_figure(targets)
    refuse_same_file("path", targets)
    for target in targets:
        check_ending(target)
        check_target(target, force=force, sources=source.files)
        refuse_one_file(key=names.key, path=target)
    refuse_level_and_weights(source, question.weights)
    requested = None if measure is None else [measure_named(name) for name in measure.split(",")]
    sureness.refuse_idle_seed(requested)
    study, settings = study_of(source, quiet or as_json)
    tell_of_settings(source, quiet=quiet)
    options = merged(question, settings["measure"])
    study = with_names_or_codes(study, names, options.get("by"))
    found = made(study, measures=requested, what=what, **sureness.keywords, **options)
    for target in targets:
        found.write(target, width=ONE_COLUMN if width is None else width)
    if as_json:
        print_json(found.to_dict())
    elif not targets:
        say(found)
    elif not quiet:
        say(*(f"To be settled first: {one}" for one in found.open), f"Written: {', '.join(map(str, targets))}")
    raise typer.Exit(FINE if found.found.measurable else UNDEFINED)


def _need_figure(targets: Sequence[Path]) -> None:
    """A width says nothing of a table."""
    from accord.reporting.paper.paper import FIGURES

    if not any(target.suffix in FIGURES for target in targets):
        raise OptionError(
            Keyword("width"),
            " is of a figure, and none is written here. Leave it out, or write one: ",
            all_quoted(FIGURES),
            ".",
        )

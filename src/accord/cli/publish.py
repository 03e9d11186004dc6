"""`accord publish`: the report, its items and the decisions as static pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.application import FINE, app
from accord.cli.load_and_print import study_of, tell_of_settings
from accord.cli.option_spelling import StandsFor
from accord.cli.options import Quiet, SourceOptions, Word, option, takes
from accord.cli.targets import refuse_replaced
from accord.warehouses.addresses import Address


@app.command(epilog="accord publish annotations.csv -o pages\n\n"
             "accord publish export.json -o pages --decisions export.decisions.sqlite --no-text")  # fmt: skip
@takes(SourceOptions)
def publish(
    source: SourceOptions,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The folder to write; index.html opens it.", rich_help_panel="Output"),
        StandsFor("folder"),
    ] = Path("published"),
    decisions: Annotated[
        Path | None, option("Output", "The file of decisions of accord serve; without it, none are told.")
    ] = None,
    title: Annotated[Word, option("Output", "What the study is called on the pages; by default the file.")] = None,
    most: Annotated[int, typer.Option(help="How many items a list shows at most.", rich_help_panel="Output")] = 200,
    show_names: Annotated[
        bool,
        option(
            "For others", "Name annotators and adjudicators; else who is who is kept beside the folder.", "--show-names"
        ),
    ] = False,
    key: Annotated[Path | None, option("For others", "Where who is who is kept; by default beside the folder.")] = None,
    no_text: Annotated[
        bool, option("For others", "Show no texts of items.", "--no-text"), StandsFor("show_text")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Write the pages of `accord serve`, read only, as static files that open from a folder."""
    from accord.cli.terminal import say
    from accord.workbench.publishing import publish as published

    addresses = [(Address.of(file), file) for file in source.files]
    refuse_replaced(output, [file if address is None else address.file or file for address, file in addresses])
    study, _ = study_of(source, quiet)
    tell_of_settings(source, quiet=quiet)
    page = published(
        study,
        output,
        decisions=decisions,
        title=title or (source.called if show_names else source.unnamed),
        show_names=show_names,
        key=key,
        show_text=not no_text,
        most=most,
    )
    if not quiet:
        say(f"The pages are in {output}: open {page}")
        if not show_names:
            say(f"Who is who is in {key or output.with_name(f'{output.name}-key.json')}; keep it apart.")
    raise typer.Exit(FINE)

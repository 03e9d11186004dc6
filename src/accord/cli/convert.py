"""`accord convert`: the long table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.application import app
from accord.cli.load_and_print import print_json, study_of
from accord.cli.options import Printing, Source, Stands, takes


@app.command(epilog="accord convert export.json -o annotations.parquet")
@takes(Source, Printing)
def convert(
    source: Source,
    printing: Printing,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="Where to write: .csv, .tsv, .jsonl or .parquet.", rich_help_panel="Output"
        ),
        Stands("path"),
    ] = Path("annotations.csv"),
) -> None:
    """The annotations in FILE as a long table: one row per item, annotator and label."""
    from accord.options import head

    study, _ = study_of(source, printing.quiet)
    written = study.write(output)
    if printing.as_json:
        print_json({**head("converted"), "path": str(written), "study": study.describe().to_dict()})
    elif not printing.quiet:
        typer.echo(str(study.describe()))
        typer.echo(f"The long table is in {written}")

"""`accord gold`: one label an item."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.application import FINE, UNDEFINED, app
from accord.cli.asking import print_json, study_of
from accord.cli.options import Printing, Source, Word, option, takes

METHODS = (
    "auto", "majority", "expert-index", "sharpening", "worker-agreement", "one-coin", "dawid-skene", "mace", "glad",
    "mean", "median", "weighted-mean",
)  # fmt: skip
TIES = ("undecided", "first", "random", "expert-index", "absent")


@app.command(epilog="accord gold annotations.csv -o gold.csv\n\n"
             "accord gold annotations.csv --method majority --ties random --seed 7 --json")  # fmt: skip
@takes(Source, Printing)
def gold(
    source: Source,
    printing: Printing,
    method: Annotated[Word, option("Deciding", "How to decide; by default auto. One of", choices=METHODS)] = None,
    ties: Annotated[Word, option("Deciding", "What majority does with a tie:", choices=TIES)] = None,
    seed: Annotated[int | None, option("Deciding", "Of what is drawn at random.")] = None,
    output: Annotated[
        Path | None, option("Output", "Write one row an item to this .csv file.", "--output", "-o")
    ] = None,
) -> None:
    """One label an item from the many answers in FILE, with a confidence; undecided where it cannot be told."""
    from accord.consensus.deciding import gold as decided
    from accord.reporting.tables import as_csv
    from accord.terminal import working
    from accord.writing import whole

    study, _ = study_of(source, printing.quiet)
    options: dict[str, Any] = {name: value for name, value in (("ties", ties), ("rng", seed)) if value is not None}
    with working(["Deciding"], quiet=printing.quiet or printing.as_json) as (tell,):
        found = decided(study, method=method or "auto", progress=tell, **options)
    if output is not None:
        with whole(output) as half:
            half.write_text(as_csv(found.to_table()), encoding="utf-8")
    if printing.as_json:
        print_json(found.to_dict())
    elif not printing.quiet:
        typer.echo(str(found))
        if output is not None:
            typer.echo(f"The gold standard is in {output}")
    raise typer.Exit(FINE if found.decided.any() else UNDEFINED)

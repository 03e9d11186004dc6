"""`accord measure`: every coefficient that fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli.application import app
from accord.cli.load_and_print import exit_code, hidden, merged, print_json, study_of
from accord.cli.options import Manner, Question, Source, Word, option, takes

if TYPE_CHECKING:
    from accord.agreement.result import Measurements
    from accord.study.study import Study

FORMS = ("csv", "latex", "markdown")


@app.command(epilog="accord measure annotations.csv --item id --annotator who --label tag --by language\n\n"
             "accord measure ratings.csv --level ordinal --labels low,middle,high --fail-below 0.67\n\n"
             "accord measure annotations.csv --format latex > table.tex")  # fmt: skip
@takes(Source, Question, Manner)
def measure(
    source: Source,
    question: Question,
    manner: Manner,
    confidence: Annotated[float, typer.Option(help="Of the intervals.", rich_help_panel="Measuring")] = 0.95,
    form: Annotated[Word, option("Output", "Print the table as", "--format", choices=FORMS)] = None,
) -> None:
    """Every coefficient that fits the annotations in FILE, the recommended one first."""
    from accord.agreement.table_formats import check_format, rendered
    from accord.measures.measure_all import measure as measured
    from accord.options import check_confidence

    check_confidence(confidence)
    check_format(form)
    study, settings = study_of(source, manner.quiet)
    options = merged(question, settings["measure"])
    if manner.anonymise:
        study = hidden(study, options)
    found = measured(study, **options)
    table = found.to_table(confidence=confidence)
    if manner.as_json:
        print_json({**found.to_dict(), "table": table.to_dict()})
    elif form is not None:
        typer.echo(rendered(table, form), nl=False)
    else:
        _print_measurements(study, found, table, manner)
    raise typer.Exit(exit_code(found.recommended, manner, confidence))


def _print_measurements(study: Study, found: Measurements, table: Any, manner: Manner) -> None:
    from accord.cli.terminal import show

    if not manner.quiet:
        typer.echo(f"{study.describe()}\n")
    show(table)
    typer.echo(f"Recommended: {found.recommended.title}. {found.reason}")
    if not manner.quiet and not study.tasks:
        typer.echo(found.recommended.sentence())

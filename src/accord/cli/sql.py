"""`accord sql`: the queries that a measurement needs, to be run where the annotations lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.application import FINE, app
from accord.cli.load_and_print import labels_of, print_json, query_in
from accord.cli.option_spelling import StandsFor
from accord.cli.options import LEVELS, AsJson, Force, Quiet, Word, option, takes
from accord.cli.targets import refuse_idle_force
from accord.warehouses.sql_dialects import DIALECTS

LISTS = ("annotators", "missing", "by")


@dataclass(frozen=True)
class QueryOptions:
    """What to ask for: the keywords of `accord.queries`."""

    dialect: Annotated[str, option("The database", "Whose SQL:", choices=tuple(DIALECTS))]
    table: Annotated[Word, option("The database", "The table: answers, project.dataset.answers.")] = None
    query: Annotated[
        Path | None, option("The database", "Instead of a table, a file with a query that gives its rows.")
    ] = None
    item: Annotated[str, typer.Option(help="Column with the item's id.", rich_help_panel="Columns")] = "item"
    annotator: Annotated[str, typer.Option(help="Column with the annotator's name.", rich_help_panel="Columns")] = (
        "annotator"
    )
    label: Annotated[str, typer.Option(help="Column with the label.", rich_help_panel="Columns")] = "label"
    cluster: Annotated[Word, option("Columns", "Column with what items belong together, such as the document.")] = None
    by: Annotated[Word, option("Columns", "Columns that make groups, with commas; each holds of the item.")] = None
    labels: Annotated[
        Word, option("Measuring", "All labels, with commas; of a scale, in order. Without, the query that lists them.")
    ] = None
    levels: Annotated[
        Word, option("Measuring", "Level of measurement:", "--level", choices=LEVELS), StandsFor("levels")
    ] = None
    ordered: Annotated[
        bool | None, option("Measuring", "Whether the labels have an order, or are names.", "--ordered/--no-ordered")
    ] = None
    missing: Annotated[Word, option("Measuring", "Labels that stand for no answer, with commas.")] = None
    annotators: Annotated[
        Word, option("Measuring", "Only these annotators, with commas; then who of them said what is asked for too.")
    ] = None
    smallest_cell: Annotated[
        int | None, option("For others", "Lines of fewer items (or annotations) than this stay in the database.")
    ] = None
    no_names: Annotated[
        bool,
        option("For others", "Leave out queries whose results name annotators.", "--no-names"),
        StandsFor("names"),
    ] = False

    @property
    def keywords(self) -> dict[str, Any]:
        """As the library calls them."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        given.pop("table", None)
        given["names"] = not given.pop("no_names")
        for name in LISTS:
            if name in given:
                given[name] = given[name].split(",")
        if self.labels is not None:
            given["labels"] = labels_of(self.labels)
        if self.query is not None:
            given["query"] = query_in(self.query)
        return given


@dataclass(frozen=True)
class Printed:
    """What is printed."""

    as_json: AsJson = False
    quiet: Quiet = False


@app.command(epilog="accord sql --dialect bigquery --table project.dataset.answers --label tag\n\n"
             "accord sql --dialect postgres --table answers --labels no,yes -o queries --smallest-cell 10\n\n"
             "accord measure --results queries")  # fmt: skip
@takes(QueryOptions, Printed)
def sql(
    query_options: QueryOptions,
    printed: Printed,
    output: Annotated[
        Path | None,
        option("Output", "A folder for the queries and for what their results are read with.", "--output", "-o"),
    ] = None,
    force: Force = False,
) -> None:
    """The queries that a measurement needs, to be run in a database whose rows must not leave it."""
    from accord.cli.terminal import say
    from accord.warehouses.queries import queries

    refuse_idle_force(output, force=force)
    made = queries(query_options.table, **query_options.keywords)
    if output is not None:
        made.write(output, force=force)
    if printed.as_json:
        print_json({**made.to_dict(), "sql": {query.name: query.sql for query in made}})
    elif output is None:
        typer.echo(str(made))
    elif not printed.quiet:
        say(
            f"{len(made)} queries are in {output}: {', '.join(query.file for query in made)}.",
            "Run each and put its result beside it: "
            f"{made.each[0].name}.csv, {made.each[1].name}.csv … (or .tsv, .parquet, .json, .jsonl).",
            f"Then: accord measure --results {output}",
        )
    if made.incomplete and not printed.quiet:
        typer.echo("This lists the labels. With them, accord sql --labels … writes the queries that count.", err=True)
    raise typer.Exit(FINE)

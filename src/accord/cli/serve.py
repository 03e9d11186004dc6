"""`accord serve`: the workbench in the browser, where contested items are decided."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.annotations.answers import Label
from accord.cli.application import FINE, app
from accord.cli.load_and_print import study_of, tell_of_settings
from accord.cli.option_spelling import StandsFor
from accord.cli.options import Quiet, SourceOptions, Word, option, takes
from accord.errors import Message, OptionError, all_quoted

ORDERS = ("value", "uncertainty", "disagreement", "given", "random")
ENDING = ".decisions.sqlite"


@app.command(epilog="accord serve annotations.csv\n\n"
             "accord serve export.json --name ana --decisions ana.sqlite --order disagreement\n\n"
             "accord serve export.json --host 0.0.0.0 --certificate cert.pem --key key.pem")  # fmt: skip
@takes(SourceOptions)
def serve(
    source: SourceOptions,
    decisions: Annotated[
        Path | None,
        option("Deciding", "The SQLite file of decisions; by default beside FILE, named after it. It goes on there."),
    ] = None,
    name: Annotated[str, typer.Option(help="Your name, in the decisions.", rich_help_panel="Deciding")] = "lead",
    order: Annotated[
        Word, option("Deciding", "What comes first; by default value, what a decision is worth. One of", choices=ORDERS)
    ] = None,
    cost: Annotated[
        list[str] | None,
        option("Deciding", "What an error costs, by default 1: TRUE,GIVEN=10. Again for more."),
        StandsFor("costs"),
    ] = None,
    second_look: Annotated[
        float,
        typer.Option(help="The share of decisions that another person makes too, blind.", rich_help_panel="Deciding"),
    ] = 0.1,
    images: Annotated[Path | None, option("Deciding", "Folder of the items' pictures, where FILE names them.")] = None,
    seed: Annotated[
        int, typer.Option(help="Of what is drawn at random.", rich_help_panel="Deciding"), StandsFor("rng")
    ] = 0,
    title: Annotated[Word, option("Deciding", "What the study is called on the pages; by default the file.")] = None,
    port: Annotated[int | None, option("Who may come in", "The port; by default 8717, or any that is free.")] = None,
    host: Annotated[
        str,
        typer.Option(help="The address to listen on: this machine alone.", rich_help_panel="Who may come in"),
    ] = "127.0.0.1",
    certificate: Annotated[Path | None, option("Who may come in", "A certificate for TLS, a PEM file.")] = None,
    key: Annotated[Path | None, option("Who may come in", "The key of the certificate, a PEM file.")] = None,
    known_as: Annotated[
        list[str] | None,
        option("Who may come in", "Another name of this machine: of a tunnel or a proxy. Again for more."),
    ] = None,
    watch: Annotated[
        bool, option("Deciding", "Read FILE again when it changes; decisions stay, what is new is said.", "--watch")
    ] = False,
    no_browser: Annotated[
        bool, option("Output", "Print the link, and open no browser.", "--no-browser"), StandsFor("open_browser")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Decide contested items of FILE in the browser: a queue, one key per label, every decision kept."""
    from accord.cli.terminal import say
    from accord.workbench.freed_memory import kept_small
    from accord.workbench.server import serve as served
    from accord.workbench.watching import Watched

    kept_small()
    study, _ = study_of(source, quiet)
    tell_of_settings(source, quiet=quiet)
    file = decisions or source.beside.with_name(f"{source.beside.stem}{ENDING}")
    workbench = served(
        study,
        decisions=file,
        name=name,
        host=host,
        port=port,
        certificate=certificate,
        key=key,
        known_as=known_as or (),
        order=order or "value",  # type: ignore[arg-type]  # whatever was typed is checked there
        costs=None if not cost else _costs(cost, study.labels),
        second_look=second_look,
        images=images,
        title=title or source.called,
        rng=seed,
        open_browser=not no_browser,
        watch=Watched(source.files, lambda: study_of(source, quiet=True)[0]) if watch else None,
    )
    with workbench:
        if workbench.risk:
            typer.echo(f"accord: {workbench.risk}", err=True)
        if not quiet:
            say(f"The workbench is open: {workbench.url}", f"Decisions are kept in {file}. Ctrl-C ends it.")
            sys.stdout.flush()  # a pipe is read while this runs
        workbench.wait()
    raise typer.Exit(FINE)


def _costs(typed: Sequence[str], labels: Sequence[Label]) -> dict[tuple[Label, Label], float]:
    """What every error costs: one, but for those that were typed."""
    names = {str(label): label for label in labels}
    costs = {(true, given): 1.0 for true in labels for given in labels if true != given}
    for one in typed:
        pair, _, cost = one.rpartition("=")
        true, _, given = pair.partition(",")
        try:
            costs[names[true.strip()], names[given.strip()]] = float(cost)
        except (KeyError, ValueError):
            raise OptionError.must(
                "costs", Message("be TRUE,GIVEN=COST with two labels of ", all_quoted(labels), " and a number"), one
            ) from None
    return costs

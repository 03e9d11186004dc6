"""`accord doctor`: what a file was taken for, and how to say otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from accord.cli.application import FINE, app
from accord.cli.load_and_print import options_of, print_json, tell_of_settings
from accord.cli.option_spelling import as_typed
from accord.cli.options import Form, Printing, SourceOptions, takes

if TYPE_CHECKING:
    from accord.agreement.table import Table
    from accord.errors import Remedy
    from accord.readers.diagnosis import Diagnosis, VariableDiagnosis


@app.command(epilog="accord doctor annotations.csv\n\naccord doctor export.json --json")
@takes(SourceOptions, Printing)
def doctor(source: SourceOptions, printing: Printing, form: Form = None) -> None:
    """What FILE was taken for: format, columns, answers, what can be measured, and what one more column would allow."""
    from accord.agreement.table_formats import check_format
    from accord.cli.terminal import show
    from accord.readers.diagnosis import diagnose

    check_format(form)
    files, options, _ = options_of(source)
    tell_of_settings(source, quiet=printing.quiet)
    found = diagnose(files if len(files) > 1 else files[0], **options)
    if printing.as_json:
        print_json(found.to_dict())
    elif form is not None:
        show(_table(found), form)
    else:
        _print(found)
    if found.problem is not None:
        raise found.problem
    raise typer.Exit(FINE)


def _print(found: Diagnosis) -> None:
    from accord.cli.terminal import say, show

    say(f"{found.name}: {found.recognised}; {found.why}.")
    if found.study is not None:
        say(found.study.describe(), found.who)
    if found.columns:
        say("")
        show(_table(found))
    for variable in found.variables:
        say("", *_of_variable(variable))
    if found.gains:
        say(
            "",
            "One more column would allow:",
            *(f"  {one.role} ({_typed(one.way)}): {one.allows}" for one in found.gains),
        )


def _table(found: Diagnosis) -> Table:
    """The columns, with the options that say otherwise."""
    from accord.agreement.table import Table

    table = found.to_table()
    ways = ["" if column.otherwise is None else _typed(column.otherwise) for column in found.columns]
    kept = ("column", "taken for", "why")
    data = {
        **{name: table.data[name] for name in kept},
        "to say otherwise": ways,
        "for example": table.data["for example"],
    }
    return Table(table.title, data, table.notes)


def _of_variable(variable: VariableDiagnosis) -> list[str]:
    """What fits a variable, what does not, and what is left to be said."""
    name = f"{variable.variable}: " if variable.variable is not None else ""
    level = f" at the {variable.level} level" if variable.level is not None else ""
    lines = [f"{name}{variable.answers} answers{level}. Can be measured: {', '.join(variable.fits) or 'nothing'}."]
    reasons: dict[str, list[str]] = {}
    for title, why in variable.does_not.items():
        reasons.setdefault(why, []).append(title)
    lines += ["Cannot be measured:"] if reasons else []
    lines += [f"  {why}" if titles[0] in why else f"  {', '.join(titles)}: {why}" for why, titles in reasons.items()]
    return [*lines, *map(str, variable.questions)]


def _typed(way: Remedy) -> str:
    return as_typed(way.options)

"""The `accord` command: parse, call the library once, print. The only module that imports Typer."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.errors import AccordError, InputError, OptionError

FINE, BELOW, WRONG, UNDEFINED = 0, 1, 2, 3

app = typer.Typer(
    name="accord",
    help="Agreement between annotators: the right coefficient, its uncertainty, and the report.",
    epilog="accord measure annotations.csv   ·   accord report annotations.csv -o report.html",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _column(what: str) -> Any:
    return typer.Option(help=f"Column with {what}.", rich_help_panel="Columns", show_default=False)


File = Annotated[Path, typer.Argument(help="A file of annotations: CSV, Parquet, or an export of an annotation tool.")]
Item = Annotated[str | None, _column("the item's id")]
Annotator = Annotated[str | None, _column("the annotator's name")]
LabelColumn = Annotated[str | None, _column("the label")]
Rank = Annotated[str | None, _column("the label's rank, 1 for the primary one")]
Score = Annotated[str | None, _column("a number")]
Text = Annotated[str | None, _column("the item's text")]
Task = Annotated[str | None, _column("the variable, where one table holds several")]
Cluster = Annotated[str | None, _column("what items belong together, such as the document")]
Suggested = Annotated[str | None, _column("the label suggested beforehand")]
Answers = Annotated[str | None, typer.Option(help="single, set, ranked or score, where the columns do not tell.")]
Duplicates = Annotated[str | None, typer.Option(help="Where somebody answered twice: first, last or repeat.")]
Labels = Annotated[str | None, typer.Option(help="The scale, in order, with commas: low,middle,high.")]
Weights = Annotated[str | None, typer.Option(help="How alike labels are: linear, quadratic, masi …")]
Level = Annotated[str | None, typer.Option(help="For alpha: nominal, ordinal, interval, ratio or circular.")]
By = Annotated[str | None, typer.Option(help="Column that makes groups: one row each.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Form = Annotated[str | None, typer.Option("--format", help="Print the table as csv, latex or markdown.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the result.")]
Below = Annotated[float | None, typer.Option(help="Exit with 1 if the recommended value is below this.")]
BelowLower = Annotated[float | None, typer.Option(help="Exit with 1 if the interval's lower end is below this.")]
Anonymise = Annotated[bool, typer.Option("--anonymise", help="Call annotators A1, A2 …")]
NoText = Annotated[bool, typer.Option("--no-text", help="Show no texts of items.")]
Benchmark = Annotated[str, typer.Option(help="The scale that gives words to values.")]


@app.command(epilog="accord measure annotations.csv --item id --annotator who --label tag --by language")
def measure(
    file: File,
    item: Item = None,
    annotator: Annotator = None,
    label: LabelColumn = None,
    rank: Rank = None,
    score: Score = None,
    text: Text = None,
    task: Task = None,
    cluster: Cluster = None,
    suggested: Suggested = None,
    answers: Answers = None,
    duplicates: Duplicates = None,
    labels: Labels = None,
    weights: Weights = None,
    level: Level = None,
    by: By = None,
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    page: Annotated[Path | None, typer.Option(help="Also write the report to this file.")] = None,
    anonymise: Anonymise = False,
    as_json: AsJson = False,
    form: Form = None,
    quiet: Quiet = False,
    fail_below: Below = None,
    fail_below_lower: BelowLower = None,
) -> None:
    """Every coefficient that fits the annotations in FILE, the recommended one first."""
    from accord.measuring import measure as measured
    from accord.reporting.page import report as write

    roles = {
        "item": item, "annotator": annotator, "label": label, "rank": rank, "score": score, "text": text, "task": task,
        "cluster": cluster, "suggested": suggested, "answers": answers, "duplicates": duplicates,
        "labels": _scale(labels),
    }  # fmt: skip
    chosen = _settings(file, {"weights": weights, "level": level, "by": by})
    study = _read(file, roles)
    if anonymise:
        study = _anonymised(study)
    found = measured(study, **chosen)
    if as_json:
        _print_json({**found.to_dict(), "table": found.to_table(confidence=confidence).to_dict()["rows"]})
    elif form is not None:
        _print_table(found.to_table(confidence=confidence), form)
    else:
        if not quiet:
            _say(str(study.describe()))
            _say("")
        _show(found.to_table(confidence=confidence))
        _say(f"Recommended: {found.recommended.title}. {found.reason}")
        if not quiet and not study.tasks:
            _say(found.recommended.sentence())
    if page is not None:
        write(study, page, source=file.name, command=_command(), **chosen)
        if not as_json and form is None:
            _say(f"The report is in {page}")
    raise typer.Exit(_verdict(found.recommended, fail_below, fail_below_lower))


@app.command(epilog="accord report annotations.csv -o report.html --by topic --anonymise")
def report(
    file: File,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write: .html, .md, .tex or .json.")] = Path(
        "report.html"
    ),
    item: Item = None,
    annotator: Annotator = None,
    label: LabelColumn = None,
    rank: Rank = None,
    score: Score = None,
    text: Text = None,
    task: Task = None,
    cluster: Cluster = None,
    suggested: Suggested = None,
    answers: Answers = None,
    duplicates: Duplicates = None,
    labels: Labels = None,
    weights: Weights = None,
    level: Level = None,
    by: By = None,
    title: Annotated[str | None, typer.Option(help="The page's title.")] = None,
    benchmark: Benchmark = "landis-koch",
    anonymise: Anonymise = False,
    no_text: NoText = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    fail_below: Below = None,
    fail_below_lower: BelowLower = None,
) -> None:
    """One page about the annotations in FILE that a lead, an annotator and a reviewer can all read."""
    from accord.measuring import measure as measured
    from accord.reporting.page import report as write

    roles = {
        "item": item, "annotator": annotator, "label": label, "rank": rank, "score": score, "text": text, "task": task,
        "cluster": cluster, "suggested": suggested, "answers": answers, "duplicates": duplicates,
        "labels": _scale(labels),
    }  # fmt: skip
    chosen = _settings(file, {"weights": weights, "level": level, "by": by})
    study = _read(file, roles)
    page = write(
        study,
        output,
        title=title or f"Agreement in {file.name}",
        benchmark=benchmark,
        anonymise=anonymise,
        show_text=not no_text,
        source=file.name,
        command=_command(),
        **chosen,
    )
    best = measured(study, **chosen).recommended
    if as_json:
        _print_json({"schema": "accord/1", "report": str(page), "recommended": best.to_dict()})
    elif not quiet:
        _say(best.sentence(benchmark=benchmark) if not study.tasks else str(study.describe().headline))
        _say(f"The report is in {page}")
        if anonymise:
            _say(f"Who is who is in {page.with_name(page.stem + '-key.json')}; keep it apart.")
    raise typer.Exit(_verdict(best, fail_below, fail_below_lower))


# -- reading -----------------------------------------------------------------------------------------------------------


def _read(file: Path, roles: dict[str, Any]) -> Any:
    from accord.reading import read

    if not file.exists():
        raise InputError(f"There is no file {str(file)!r}.")
    said = {
        **_settings(file, {}, section="columns"),
        **{name: value for name, value in roles.items() if value is not None},
    }
    return read(file, **said)


def _settings(file: Path, options: dict[str, Any], section: str = "measure") -> dict[str, Any]:
    """What the command line says, over what an accord.toml beside the data says."""
    import tomllib

    given = {name: value for name, value in options.items() if value is not None}
    beside = file.parent / "accord.toml"
    if not beside.is_file():
        return given
    try:
        told = tomllib.loads(beside.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise InputError(f"{beside} is not valid TOML: {problem}.") from None
    unknown = [name for name in told if name not in ("columns", "measure")]
    if unknown:
        raise OptionError(f"{beside} has [{unknown[0]}]; it may have [columns] and [measure].")
    values = told.get(section, {})
    if section == "columns":
        return dict(values)
    wrong = [name for name in values if name not in ("weights", "level", "by")]
    if wrong:
        raise OptionError(f"{beside}, [measure]: no setting {wrong[0]!r}; there are weights, level and by.")
    return {**values, **given}


def _scale(labels: str | None) -> list[Any] | None:
    """Labels with commas between; all whole numbers become numbers."""
    if labels is None:
        return None
    parts = [part.strip() for part in labels.split(",")]
    return [int(part) for part in parts] if all(part.lstrip("-").isdigit() for part in parts) else parts


def _anonymised(study: Any) -> Any:
    from accord.anonymising import anonymised

    return anonymised(study)[0]


def _command() -> str:
    """What was typed, ready to be typed again."""
    return shlex.join(["accord", *sys.argv[1:]])


# -- printing ----------------------------------------------------------------------------------------------------------


def _say(text: str) -> None:
    typer.echo(text)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False))


def _print_table(table: Any, form: str) -> None:
    from accord.reporting.tables import rendered

    typer.echo(rendered(table, form), nl=False)


def _show(table: Any) -> None:
    """A table for the eye: boxed in a terminal, plain in a pipe."""
    if not sys.stdout.isatty():
        typer.echo(str(table))
        return
    from rich.console import Console
    from rich.table import Table as Boxed
    from rich.text import Text as Words

    from accord.reporting.tables import cell_text

    boxed = Boxed(title=table.title, title_justify="left", header_style="bold")
    empty = {name for name in table.columns if not any(cell_text(cell).strip() for cell in table.data[name])}
    shown = [name for name in table.columns if name not in empty]
    for place, name in enumerate(shown):
        numeric = all(isinstance(cell, int | float) or hasattr(cell, "dtype") for cell in table.data[name])
        boxed.add_column(name, justify="right" if numeric else "left", overflow="fold", no_wrap=numeric and place < 4)
    for row in table:
        boxed.add_row(*(Words(cell_text(row[name])) for name in shown))
    console = Console(no_color="NO_COLOR" in os.environ or None)
    console.print(boxed)
    for note in table.notes:
        typer.echo(note)


def _verdict(result: Any, below: float | None, below_lower: float | None) -> int:
    """The exit code: fine, below a limit, or undefined."""
    if result.study.tasks or result.by is not None:
        values = [(row["value"], row["low"]) for row in result.by_group()]
    else:
        values = [(result.value, result.interval().low)]
    defined = [(value, low) for value, low in values if value == value]  # noqa: PLR0124 - NaN
    if not defined:
        return UNDEFINED
    if below is not None and any(value < below for value, _ in defined):
        return BELOW
    if below_lower is not None and any(not low >= below_lower for _, low in defined):
        return BELOW
    return FINE


def _version(show: bool) -> None:
    if show:
        from accord import __version__

        typer.echo(f"accord {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Agreement between annotators: the right coefficient, its uncertainty, and the report."""


def main() -> None:
    """Run the command; errors are one line with the way out."""
    try:
        run: Callable[..., Any] = app
        code = run(standalone_mode=False)
    except AccordError as problem:
        typer.echo(f"accord: {problem}", err=True)
        sys.exit(WRONG)
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as problem:  # usage errors of the framework, told as it tells them
        show = getattr(problem, "show", None)
        if show is None:
            raise
        show()
        sys.exit(WRONG)
    sys.exit(code if isinstance(code, int) else FINE)


if __name__ == "__main__":
    main()

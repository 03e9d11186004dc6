"""The `accord` command: parse, call the library once, print. The only module that imports Typer."""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from accord.errors import AccordError, InputError, OptionError

if TYPE_CHECKING:
    from accord.result import Agreement, Measurements
    from accord.study import Study

FINE, BELOW, WRONG, UNDEFINED = 0, 1, 2, 3
INTERRUPTED = 130
BENCHMARK = "landis-koch"
Word: TypeAlias = str | None

WHAT = "Annotations: a table (CSV, Excel, Parquet, JSON) or an annotation tool's export; a file, a folder or a zip."
KINDS = ("single", "set", "ranked", "score")
SHAPES = ("long", "wide", "counts", "confusion", "indicators", "ranking", "preferences")
LEVELS = ("nominal", "ordinal", "interval", "ratio", "circular")
SCALES = ("landis-koch", "krippendorff", "rietveld-van-hout", "grove", "fleiss", "altman", "cicchetti")
TARGETS = ("objective", "standard", "subjective", "highly-subjective")
METHODS = (
    "auto", "majority", "expert-index", "sharpening", "worker-agreement", "one-coin", "dawid-skene", "mace", "glad",
    "mean", "median", "weighted-mean",
)  # fmt: skip
TIES = ("undecided", "first", "random", "expert-index", "absent")
FORMS = ("csv", "latex", "markdown")

app = typer.Typer(
    name="accord",
    help="Agreement between annotators: the right coefficient, its uncertainty, and the report.",
    epilog="accord measure annotations.csv\n\naccord report annotations.csv -o report.html",
    no_args_is_help=True,
    rich_markup_mode="rich" if sys.stdout.isatty() else None,  # boxes in a terminal, plain text in a pipe
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


# -- what may be asked -------------------------------------------------------------------------------------------------


def _option(panel: str, words: str, *names: str, choices: tuple[str, ...] = ()) -> Any:
    def completed(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    told = f"{words} {', '.join(choices)}." if choices else words
    return typer.Option(
        *names, help=told, rich_help_panel=panel, show_default=False, autocompletion=completed if choices else None
    )


def _column(what: str) -> Any:
    return _option("Columns", f"Column with {what}.")


def _reading(words: str, *names: str, choices: tuple[str, ...] = ()) -> Any:
    return _option("Reading", words, *names, choices=choices)


@dataclass(frozen=True)
class Source:
    """Which data, and how to read them: the keywords of `accord.read`."""

    file: Annotated[Path, typer.Argument(metavar="FILE", help=WHAT)]
    item: Annotated[Word, _column("the item's id")] = None
    annotator: Annotated[Word, _column("the annotator's name")] = None
    label: Annotated[Word, _column("the label; with commas, several variables")] = None
    rank: Annotated[Word, _column("the label's rank, 1 for the primary one")] = None
    score: Annotated[Word, _column("a number")] = None
    start: Annotated[Word, _column("where a marked place begins")] = None
    end: Annotated[Word, _column("where a marked place ends")] = None
    text: Annotated[Word, _column("the item's text")] = None
    task: Annotated[Word, _column("the variable, where one table holds several")] = None
    time: Annotated[Word, _column("when the answer was given")] = None
    cluster: Annotated[Word, _column("what items belong together, such as the document")] = None
    suggested: Annotated[Word, _column("the label suggested beforehand")] = None
    kind: Annotated[Word, _column("the kind of annotator: person, model or adjudicator")] = None
    run: Annotated[Word, _column("the run of a model that answered several times")] = None
    status: Annotated[Word, _column("the state of the annotation, such as submitted or draft")] = None
    annotators: Annotated[Word, _option("Columns", "Answer columns of a wide table, with commas.")] = None
    format: Annotated[
        Word, _reading("The format, where it cannot be found: label-studio, prodigy, table …", "--from")
    ] = None
    shape: Annotated[Word, _reading("The shape of a table:", choices=SHAPES)] = None
    answers: Annotated[Word, _reading("The kind of answers:", choices=KINDS)] = None
    labels: Annotated[Word, _reading("The scale, in order, with commas: low,middle,high.")] = None
    duplicates: Annotated[
        Word, _reading("Of somebody's answers to the same item, keep:", choices=("first", "last", "repeat"))
    ] = None
    separator: Annotated[Word, _reading("What stands between several labels in one cell, or json.")] = None
    only: Annotated[Word, _reading("The one variable to read of an export with several.")] = None
    include: Annotated[Word, _reading("Answers that count besides submitted ones: draft,rejected …")] = None
    adjudicator: Annotated[Word, _reading("Whose answers are gold, with commas.")] = None
    delimiter: Annotated[Word, _reading("What stands between the cells of a CSV file.")] = None
    decimal: Annotated[Word, _reading("The decimal mark of a CSV file, if it is a comma.")] = None
    sheet: Annotated[Word, _reading("The sheet of an Excel file.")] = None
    encoding: Annotated[Word, _reading("Where it is not UTF-8.")] = None
    on_error: Annotated[Word, _reading("Records that cannot be read:", choices=("raise", "skip"))] = None


@dataclass(frozen=True)
class Question:
    """What to measure: the keywords of `accord.measure`."""

    weights: Annotated[Word, _option("Measuring", "How alike answers are: linear, quadratic, masi …")] = None
    level: Annotated[Word, _option("Measuring", "Level of measurement, for alpha:", choices=LEVELS)] = None
    by: Annotated[Word, _option("Measuring", "Column that makes groups, compared with each other.")] = None


@dataclass(frozen=True)
class Manner:
    """What every command prints, hides and tells by its exit code."""

    anonymise: Annotated[bool, _option("For others", "Call annotators A1, A2 … in random order.", "--anonymise")] = (
        False
    )
    as_json: Annotated[bool, _option("Output", "Print JSON.", "--json")] = False
    quiet: Annotated[bool, _option("Output", "Print nothing but the result.", "--quiet", "-q")] = False
    fail_below: Annotated[
        float | None, _option("Exit code", "Exit with 1 if the recommended value, or a group's, is below this.")
    ] = None
    fail_below_lower: Annotated[float | None, _option("Exit code", "The same for the lower end of the interval.")] = (
        None
    )

    def __post_init__(self) -> None:
        for name in ("fail_below", "fail_below_lower"):
            limit = getattr(self, name)
            if limit is not None and not -1 <= limit <= 1:
                raise OptionError(f"{name} must lie between -1 and 1, for example 0.67; got {limit:g}.")


@dataclass(frozen=True)
class Printing:
    """What a command without a verdict prints."""

    as_json: Annotated[bool, _option("Output", "Print JSON.", "--json")] = False
    quiet: Annotated[bool, _option("Output", "Print nothing but the result.", "--quiet", "-q")] = False


def takes(*groups: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the fields of these dataclasses as options, and hand them over as objects."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(command, eval_str=True).parameters.values())[len(groups) :]
        *first, last = [[_parameter(group, field) for field in fields(group)] for group in groups]

        def run(**given: Any) -> None:
            asked = [group(**{field.name: given.pop(field.name) for field in fields(group)}) for group in groups]
            command(*asked, **given)

        together = [*(part for group in first for part in group), *own, *last]  # as the help shows them
        parameters = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in together]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {part.name: part.annotation for part in parameters}
        return run

    return decorate


def _parameter(group: type, field: Field[Any]) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    kind = get_type_hints(group, include_extras=True)[field.name]
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


# -- the commands ------------------------------------------------------------------------------------------------------


@app.command(epilog="accord measure annotations.csv --item id --annotator who --label tag --by language\n\n"
             "accord measure ratings.csv --level ordinal --labels low,middle,high --fail-below 0.67\n\n"
             "accord measure annotations.csv --format latex > table.tex")  # fmt: skip
@takes(Source, Question, Manner)
def measure(
    source: Source,
    question: Question,
    manner: Manner,
    confidence: Annotated[float, typer.Option(help="Of the intervals.", rich_help_panel="Measuring")] = 0.95,
    form: Annotated[Word, _option("Output", "Print the table as", "--format", choices=FORMS)] = None,
) -> None:
    """Every coefficient that fits the annotations in FILE, the recommended one first."""
    from accord.measuring import measure as measured
    from accord.options import check_confidence
    from accord.reporting.tables import check_format, rendered

    check_confidence(confidence)
    check_format(form)
    study, settings = _study(source, manner.quiet)
    asked = _said(question, settings["measure"])
    if manner.anonymise:
        study = _anonymised(study, asked)
    found = measured(study, **asked)
    table = found.to_table(confidence=confidence)
    if manner.as_json:
        _print_json({**found.to_dict(), "table": table.to_dict()})
    elif form is not None:
        typer.echo(rendered(table, form), nl=False)
    else:
        _print_measurements(study, found, table, manner)
    raise typer.Exit(_exit_code(found.recommended, manner, confidence))


@app.command(epilog="accord report annotations.csv -o report.html\n\n"
             "accord report export.json -o report.html --by topic --anonymise --no-text\n\n"
             "accord report annotations.csv -o report.md")  # fmt: skip
@takes(Source, Question, Manner)
def report(
    source: Source,
    question: Question,
    manner: Manner,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write: .html, .md, .tex or .json.", rich_help_panel="Output"),
    ] = Path("report.html"),
    title: Annotated[Word, _option("Output", "The page's title.")] = None,
    benchmark: Annotated[
        Word,
        _option(
            "Measuring",
            f"The scale that gives words to values; by default {BENCHMARK}. One of",
            choices=SCALES + TARGETS,
        ),
    ] = None,
    no_text: Annotated[bool, _option("For others", "Show no texts of items.", "--no-text")] = False,
) -> None:
    """One page about the annotations in FILE that a lead, an annotator and a reviewer can all read."""
    from accord.reporting.page import write
    from accord.terminal import working

    study, settings = _study(source, manner.quiet)
    manners = settings["report"]
    hidden = manner.anonymise or manners.get("anonymise", False)
    with working(["Writing the report"], quiet=manner.quiet or manner.as_json) as (tell,):
        written = write(
            study,
            output,
            title=title or manners.get("title") or f"Agreement in {source.file.name}",
            benchmark=benchmark or manners.get("benchmark", BENCHMARK),
            anonymise=hidden,
            show_text=manners.get("show_text", True) and not no_text,
            source=source.file.name,
            command=_command(source.file, output, hidden=hidden),
            progress=tell,
            **_said(question, settings["measure"]),
        )
    best = written.context.main
    if manner.as_json:
        _print_json(written.to_dict())
    elif not manner.quiet:
        typer.echo(written.headline)
        typer.echo(f"The report is in {written.path}")
        if written.key is not None:
            typer.echo(f"Who is who is in {written.key}; keep it apart.")
    raise typer.Exit(_exit_code(best, manner))


@app.command(epilog="accord gold annotations.csv -o gold.csv\n\n"
             "accord gold annotations.csv --method majority --ties random --seed 7 --json")  # fmt: skip
@takes(Source, Printing)
def gold(
    source: Source,
    printing: Printing,
    method: Annotated[Word, _option("Deciding", "How to decide; by default auto. One of", choices=METHODS)] = None,
    ties: Annotated[Word, _option("Deciding", "What majority does with a tie:", choices=TIES)] = None,
    seed: Annotated[int | None, _option("Deciding", "Of what is drawn at random.")] = None,
    output: Annotated[
        Path | None, _option("Output", "Write one row an item to this .csv file.", "--output", "-o")
    ] = None,
) -> None:
    """One label an item from the many answers in FILE, with a confidence; undecided where it cannot be told."""
    from accord.consensus.deciding import gold as decided
    from accord.reporting.tables import as_csv
    from accord.terminal import working
    from accord.writing import whole

    study, _ = _study(source, printing.quiet)
    options: dict[str, Any] = {name: value for name, value in (("ties", ties), ("rng", seed)) if value is not None}
    with working(["Deciding"], quiet=printing.quiet or printing.as_json) as (tell,):
        found = decided(study, method=method or "auto", progress=tell, **options)
    if output is not None:
        with whole(output) as half:
            half.write_text(as_csv(found.to_table()), encoding="utf-8")
    if printing.as_json:
        _print_json(found.to_dict())
    elif not printing.quiet:
        typer.echo(str(found))
        if output is not None:
            typer.echo(f"The gold standard is in {output}")
    raise typer.Exit(FINE if found.decided.any() else UNDEFINED)


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
    ] = Path("annotations.csv"),
) -> None:
    """The annotations in FILE as a long table: one row an item, annotator and label."""
    from accord import __version__

    study, _ = _study(source, printing.quiet)
    written = study.write(output)
    if printing.as_json:
        head = {"schema": "accord/1", "object": "converted", "version": __version__}
        _print_json({**head, "path": str(written), "study": study.describe().to_dict()})
    elif not printing.quiet:
        typer.echo(str(study.describe()))
        typer.echo(f"The long table is in {written}")


# -- reading -----------------------------------------------------------------------------------------------------------


def _study(source: Source, quiet: bool) -> tuple[Study, dict[str, dict[str, Any]]]:
    """The study, and what an accord.toml beside the data says."""
    from accord.reading import read
    from accord.settings import beside
    from accord.terminal import working

    if not source.file.exists():
        raise InputError(f"There is no file {str(source.file)!r} here ({Path.cwd()}). Check the name and the folder.")
    settings = beside(source.file)
    said = _said(source, settings["read"])
    for name in ("annotators", "include", "adjudicator", "label"):
        if isinstance(said.get(name), str) and ("," in said[name] or name in ("annotators", "include")):
            said[name] = said[name].split(",")
    if isinstance(said.get("labels"), str):
        said["labels"] = _scale(said["labels"])
    with working([f"Reading {source.file.name}"], quiet=quiet) as (tell,):
        return read(said.pop("file"), progress=tell, **said), settings


def _said(options: Source | Question, settings: dict[str, Any]) -> dict[str, Any]:
    """What the command line says, over what the settings say."""
    typed = {name: value for name, value in vars(options).items() if value is not None}
    return {**settings, **typed}


def _scale(labels: str) -> list[Any]:
    """Labels with commas between; all whole numbers become numbers."""
    parts = [part.strip() for part in labels.split(",")]
    return [int(part) for part in parts] if all(re.fullmatch(r"-?\d+", part) for part in parts) else list(parts)


def _anonymised(study: Study, asked: dict[str, Any]) -> Study:
    from accord.anonymising import anonymised, refuse_naming

    refuse_naming(study, asked.get("by"))
    return anonymised(study)[0]


def _command(file: Path, output: Path, *, hidden: bool) -> str:
    """What was typed, ready to be typed again; folders may name people, so they are left out where people are."""
    typed = ["accord", *sys.argv[1:]]
    if hidden:
        typed = [Path(part).name if part in (str(file), str(output)) else part for part in typed]
    return shlex.join(typed)


# -- printing ----------------------------------------------------------------------------------------------------------


def _print_json(value: Any) -> None:
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    typer.echo(json.dumps(value, ensure_ascii=not unicode, indent=1, allow_nan=False))


def _print_measurements(study: Study, found: Measurements, table: Any, manner: Manner) -> None:
    from accord.terminal import show

    if not manner.quiet:
        typer.echo(f"{study.describe()}\n")
    show(table)
    typer.echo(f"Recommended: {found.recommended.title}. {found.reason}")
    if not manner.quiet and not study.tasks:
        typer.echo(found.recommended.sentence())


def _exit_code(result: Agreement, manner: Manner, confidence: float = 0.95) -> int:
    """Fine, below a limit, or undefined; with groups or variables, each of them counts."""
    values = [] if result.study.tasks else [(result.value, result.interval(confidence=confidence).low)]
    if result.study.tasks or result.by is not None:
        values += [(row["value"], row["low"]) for row in result.by_group(confidence=confidence)]
    defined = [(value, low) for value, low in values if value == value]  # noqa: PLR0124 - NaN
    limits = ((0, manner.fail_below), (1, manner.fail_below_lower))
    if any(limit is not None and any(not pair[end] >= limit for pair in defined) for end, limit in limits):
        return BELOW
    gated = any(limit is not None for _, limit in limits)
    return UNDEFINED if not defined or (gated and len(defined) < len(values)) else FINE


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


# -- errors ------------------------------------------------------------------------------------------------------------


def main() -> None:
    """Run the command; errors are one line with the way out."""
    try:
        run: Callable[..., Any] = app
        code = run(prog_name="accord", standalone_mode=False)
        sys.stdout.flush()
    except AccordError as problem:
        _stop(_as_options(str(problem)))
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FINE)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as problem:
        _stop(f"{problem.strerror}: {problem.filename}")
    except Exception as problem:
        told = getattr(problem, "format_message", None)  # wrong usage, as the framework tells it
        if told is None:
            raise
        context = getattr(problem, "ctx", None)
        where = context.command_path if context is not None else "accord"
        _stop(f"{told()} See {where} --help." if told() else "")
    sys.exit(code if isinstance(code, int) else FINE)


def _stop(message: str) -> None:
    if message:
        typer.echo(f"accord: {' '.join(message.split())}", err=True)
    sys.exit(WRONG)


def _as_options(message: str) -> str:
    """The library's way out in the words of the command: duplicates='first' is --duplicates first."""
    names = {field.name: f"--{field.name.replace('_', '-')}" for group in (Source, Question) for field in fields(group)}
    names |= {"format": "--from", "fail_below": "--fail-below", "fail_below_lower": "--fail-below-lower"}
    known = "|".join(names)
    called = re.sub(rf"accord\.read\('[^']*', ((?:{known})='[^']*')\)", r"\1", message)
    told = re.sub(rf"\b({known})=('[^']*'|…)", lambda found: f"{names[found[1]]} {found[2].strip(chr(39))}", called)
    return re.sub(rf"^({known}) must\b", lambda found: f"{names[found[1]]} must", told)


if __name__ == "__main__":
    main()

"""From options to a study, and from a result to what is printed and the exit code."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import typer

from accord.cli.application import BELOW, FINE, UNDEFINED
from accord.cli.options import COLUMNS, FILES, STDIN, STDOUT, Manner, MeasureOptions, NameOptions, SourceOptions
from accord.errors import InputError, Keyword, MayBeNames, Message, OptionError, listing, quoted
from accord.study.answer_filters import ALL
from accord.warehouses.addresses import Address

if TYPE_CHECKING:
    from accord.agreement.result import Agreement
    from accord.agreement.scale_question import ScaleQuestion
    from accord.study.study import Study

MARKS = re.compile("[\x7f-\x9f]")  # which JSON may hold as they are, and terminals obey
ONE_VARIABLES_CODE = re.compile(r"[^\W\d]\w*=\S+")  # tone=99, as levels are said


def study_of(source: SourceOptions, quiet: bool) -> tuple[Study, dict[str, dict[str, Any]]]:
    """The study, and what an accord.toml beside the data says."""
    from accord.cli.terminal import working
    from accord.readers.read import read

    files, options, settings = options_of(source)
    with working([f"Reading {source.called}"], quiet=quiet) as (progress,):
        study = read(files[0] if len(files) == 1 else files, progress=progress, **options)
    note = _settings_in_words(source)
    return (study if note is None else study._with_note(note)), settings


def tell_of_settings(source: SourceOptions, *, quiet: bool) -> None:
    """On the error stream, by commands that do not print what was read: which settings of an accord.toml count."""
    note = _settings_in_words(source)
    if note is not None and not quiet:
        typer.echo(f"accord: {note}.", err=True)


def _settings_in_words(source: SourceOptions) -> str | None:
    """Which settings of an accord.toml change what is measured; not what they say, which may be people's names."""
    from accord.cli.settings import NAME, settings_of

    typed = {name for name, value in vars(source).items() if value is not None} | set(source.columns or {})
    settings = settings_of(source.file)
    read = [name for name in settings["read"] if name not in typed]
    sections = [
        f"[{part}] {listing(names)}" for part, names in (("read", read), ("measure", settings["measure"])) if names
    ]
    return f"{NAME} beside the data sets {' and '.join(sections)}" if sections else None


def options_of(source: SourceOptions) -> tuple[list[Path], dict[str, Any], dict[str, dict[str, Any]]]:
    """The files, how to read them, and all that an accord.toml beside the data says."""
    from accord.cli.settings import settings_of

    for file in source.files:
        if str(file) != STDIN and Address.of(file) is None and not file.exists():
            raise _no_file(file)
    settings = settings_of(source.beside)
    options = merged(source, settings["read"])
    if source.query is not None:
        options["query"] = query_in(source.query)
    for name in ("adjudicator", "item", "label"):
        if isinstance(options.get(name), str) and "," in options[name]:
            options[name] = options[name].split(",")
    for name in ("annotators", "exclude", "people", "models", "include", "missing"):
        if isinstance(options.get(name), str) and options[name] != ALL:
            options[name] = options[name].split(",")
    for code in options.get("missing") or []:
        if isinstance(code, str) and ONE_VARIABLES_CODE.fullmatch(code):
            bare = code.partition("=")[2]
            raise OptionError.must(
                "missing", Message("list codes, which hold for every variable, such as ", MayBeNames(bare)), code
            )
    if isinstance(options.get("where"), list):
        options["where"] = _conditions(options["where"])
    if isinstance(options.get("recode"), str):
        options["recode"] = _recoding(options["recode"])
    if isinstance(options.get("labels"), str):
        options["labels"] = labels_of(options["labels"])
    of_measure = settings["measure"].pop("level", None)  # the study carries it, into whatever is asked of it
    if source.levels is not None and source.ordered is None:
        options.pop("ordered", None)  # what was typed stands over what the settings say
    elif source.ordered is not None and source.levels is None:
        options.pop("levels", None)
        of_measure = None
    levels = source.levels or of_measure or options.get("levels")
    options |= {} if levels is None else {"levels": levels_of(levels)}
    return options.pop(FILES), options, settings


def _no_file(file: Path) -> InputError:
    here = MayBeNames(f" ({Path.cwd()})", "")
    return InputError("There is no file ", quoted(str(file)), " here", here, ". Check the name and the folder.")


def query_in(file: Path) -> str:
    """The query in a file."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _no_file(file) from None
    except UnicodeDecodeError:
        raise InputError(quoted(file.name), " is no text in UTF-8, so it holds no query.") from None


def levels_of(levels: str | dict[str, str]) -> str | dict[str, str]:
    """A level for all variables, or one for each: ordinal, or tone=ordinal,length=ratio."""
    if not isinstance(levels, str) or "=" not in levels:
        return levels
    pairs = [part.partition("=") for part in levels.split(",")]
    odd = [name for name, equals, _ in pairs if not equals or not name.strip()]
    if odd:
        raise OptionError.must("level", "be a level, or a level for each variable: tone=ordinal,length=ratio", levels)
    return {name.strip(): level.strip() for name, _, level in pairs}


def refuse_level_and_weights(source: SourceOptions, weights: str | None) -> None:
    """The two say different things of how alike answers are."""
    if source.levels is not None and weights is not None:
        raise OptionError(
            "Give ", Keyword("level"), " or ", Keyword("weights"), ", not both: each says how alike two answers are."
        )


@overload
def measure_named(typed: str) -> str: ...
@overload
def measure_named(typed: None) -> None: ...
def measure_named(typed: str | None) -> str | None:
    """The name of a measure as the library has it; at a prompt one types hyphens too."""
    return None if typed is None else typed.strip().replace("-", "_")


def merged(options: SourceOptions | MeasureOptions, settings: dict[str, Any]) -> dict[str, Any]:
    """What the command line says, over what the settings say."""
    typed = {name: value for name, value in vars(options).items() if value is not None}
    columns = typed.pop(COLUMNS, {})
    return {**settings, **typed, **columns}


def _conditions(typed: Sequence[str]) -> dict[str, list[str]]:
    """column=value, each typed by itself; the same column again is one more value."""
    found: dict[str, list[str]] = {}
    for condition in typed:
        column, equals, value = condition.partition("=")
        if not equals or not column:
            raise OptionError.must("where", "be column=value, such as language=en", condition)
        found.setdefault(column.strip(), []).append(value.strip())
    return found


def labels_of(labels: str) -> list[Any]:
    """Labels with commas between; all whole numbers become numbers (Python reads none of more than 4,300 digits)."""
    parts = [part.strip() for part in labels.split(",")]
    return [int(part) for part in parts] if all(re.fullmatch(r"-?\d{1,4000}", part) for part in parts) else list(parts)


def _recoding(pairs: str) -> dict[str, str]:
    """Old and new labels with = between, and commas between pairs."""
    parts = [part.partition("=") for part in pairs.split(",")]
    if not all(mark and old for old, mark, _ in parts):
        raise OptionError.must("recode", "be old=new, with commas between several, such as Yes=yes,No=no", pairs)
    return {old: new for old, _, new in parts}


def with_names_or_codes(study: Study, names: NameOptions, *by: str | None) -> Study:
    """The study as it is, or with its annotators called A1, A2 …, as the key says where there is one."""
    from accord.reporting.anonymise import anonymised, read_key, refuse_idle_key, refuse_naming, write_key

    refuse_idle_key(names.key, anonymise=names.anonymise)
    if not names.anonymise:
        return study
    for column in by:
        refuse_naming(study, column)
    known = {} if names.key is None else read_key(names.key)
    study, key = anonymised(study, known)
    if names.key is not None:
        write_key(key, known, names.key)
    return study


def print_json(value: Any) -> None:
    """For other programs; in a terminal that has no Unicode, escaped."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not unicode, indent=1, allow_nan=False)
    typer.echo(MARKS.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text))


def write_or_print(output: Path, write: Callable[[Path], object], ending: str) -> None:
    """A file where one is named; `-` is the standard output, which gets what a file of this ending would hold."""
    if str(output) != STDOUT:
        write(output)
        return
    from tempfile import TemporaryDirectory

    from accord.cli.terminal import print_data

    with TemporaryDirectory() as folder:
        file = Path(folder) / f"output{ending}"
        write(file)
        print_data(file.read_bytes())


def refuse_two_outputs(output: Path | None, *, as_json: bool) -> None:
    """The standard output holds one thing."""
    if as_json and output is not None and str(output) == STDOUT:
        raise OptionError(
            Keyword("as_json"), " and ", Keyword("output", STDOUT), " both write to the standard output. Choose one."
        )


def print_words(study: Study, words: object, *, quiet: bool) -> None:
    """What was read, unless that is not wanted, and the result in words."""
    from accord.cli.terminal import say

    if not quiet:
        say(study.describe(), "")
    say(words)


def tell_why(words: str) -> None:
    """Why a command ends with 1, on the error stream: whatever else is printed stays as it is."""
    typer.echo(f"accord: {words}", err=True)


@dataclass(frozen=True)
class ExitLimits:
    """How a command ends: what fell below which limit, what has no value, and the exit code that follows."""

    code: int
    below: tuple[str, ...] = ()  # each a sentence
    undefined: tuple[str, ...] = ()  # which had to have a value
    given: bool = False  # was there any limit?
    why: tuple[str, ...] = ()  # what is undefined has no value that could be above a limit
    readings: tuple[str, ...] = ()  # what labels that may be a scale are worth as one

    def tell(self) -> None:
        """Why it fails."""
        if self.code == BELOW:
            tell_why(" ".join([*self.below, *self.readings]))
        elif self.code == UNDEFINED and self.given:
            tell_why(" ".join(self.why))

    def to_dict(self) -> dict[str, Any]:
        """For JSON, where a limit was given."""
        limits = {"exit_code": self.code, "below": list(self.below), "undefined": list(self.undefined)}
        return {"limits": limits} if self.given else {}


def verdict_on(
    result: Agreement, manner: Manner, how: dict[str, Any] | None = None, questions: Sequence[ScaleQuestion] = ()
) -> ExitLimits:
    """Fine, below a limit, or undefined; with groups or variables, each of them counts."""
    from accord.agreement.coefficient_table import of_each_group

    how = how or {}
    values: dict[str, tuple[float, float]] = {}
    if not result.study.tasks:
        values[result.title] = (result.value, result.interval(**how).low)
        if result.by is None and result.entry.is_share:  # a share of matching pairs alone passes no limit
            values[result.title] = (math.nan, math.nan)
    if result.study.tasks or result.by is not None:
        table = of_each_group(result, **how)
        values |= {
            f"{row.get('coefficient', result.title)} of {row[table.columns[0]]}": (row["value"], row["low"])
            for row in table
        }
    limits = (("", 0, manner.fail_below), ("The lower end of the interval of ", 1, manner.fail_below_lower))
    below = tuple(
        f"{words}{name} is {pair[end]:z.3f}, below the limit of {limit:g}."
        if pair[end] == pair[end]
        else f"{name} has no interval that could be above the limit of {limit:g}."
        for words, end, limit in limits
        for name, pair in values.items()
        if limit is not None and pair[0] == pair[0] and not pair[end] >= limit
    )
    undefined = tuple(name for name, (value, _) in values.items() if value != value)  # noqa: PLR0124
    gated = any(limit is not None for *_, limit in limits)
    if below:
        return ExitLimits(BELOW, below, undefined, given=True, readings=tuple(map(_reading, questions)))
    code = UNDEFINED if len(undefined) == len(values) or (gated and undefined) else FINE
    return ExitLimits(code, (), undefined, given=gated, why=_why_undefined(result, undefined))


def _reading(question: ScaleQuestion) -> str:
    """Which value failed, and what the other one is, where labels may be names or a scale."""
    of = f" of {question.variable}" if question.variable is not None else ""
    scale = question.scale
    value = "undefined" if scale.undefined else f"{scale.value:z.3f}"
    return f"The labels{of} were taken as names; as an {question.level} scale, {scale.entry.title} is {value}."


def _why_undefined(result: Agreement, undefined: tuple[str, ...]) -> tuple[str, ...]:
    """Why a limit cannot be held against a value."""
    if len(undefined) > 1 or result.study.tasks or result.by is not None:
        return tuple(f"{name} is undefined." for name in undefined)
    if not result.undefined:
        return (f"{result.title} is not corrected for chance, so it passes no limit.",)
    return (f"{result.title} is undefined. {result.undefined}",)

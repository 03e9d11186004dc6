"""The options of the command line: groups that commands share, and how a command takes them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, TypeAlias, get_type_hints

import typer

from accord.cli.option_spelling import CommandError, Spelling, StandsFor
from accord.engine.whole_file import replacing_nothing_that_appears
from accord.errors import AccordError, Keyword, OptionError, one_of, remedy, spelled_by
from accord.options import check_confidence, check_whole
from accord.study.roles import ROLES
from accord.warehouses.addresses import Address, AddressPath

Word: TypeAlias = str | None

WHAT = (
    "Annotations: a table (CSV, Excel, Parquet, JSON) or an annotation tool's export; a file, a folder or a zip, or - "
    "for standard input. Several are combined. Or a database: duckdb:file.db, postgres://host/database."
)
KINDS = ("single", "set", "ranked", "score", "preference")
SHAPES = ("long", "wide", "counts", "confusion", "indicators", "ranking", "preferences", "unnamed")
LEVELS = ("nominal", "ordinal", "interval", "ratio", "circular")
COLUMNS, FILES = "columns", "files"
STDIN = STDOUT = "-"
TABLE_ENDINGS = {"csv": ".csv", "tsv": ".tsv", "jsonl": ".jsonl", "parquet": ".parquet"}  # of a table, by form
SETTINGS_FILE = "accord.toml"
# what it says, by part and setting, while a command runs
IN_FILE: ContextVar[Mapping[tuple[str, str], Any]] = ContextVar("what accord.toml says", default=MappingProxyType({}))
# while a command runs: do cells that a spreadsheet would run stay as they are?
KEEP_FORMULAS: ContextVar[bool] = ContextVar("formulas are kept", default=False)
SPREADSHEETS = ("csv", "tsv")  # what a spreadsheet opens
TARGETS = ("objective", "standard", "subjective", "highly-subjective")


def option(panel: str, words: str, *names: str, choices: tuple[str, ...] = ()) -> Any:
    """An option under a heading of the help, which lists its choices; the shell completes them."""

    def completed(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    text = f"{words} {', '.join(choices)}." if choices else words
    return typer.Option(
        *names, help=text, rich_help_panel=panel, show_default=False, autocompletion=completed if choices else None
    )


def _reading(words: str, *names: str, choices: tuple[str, ...] = ()) -> Any:
    return option("Reading", words, *names, choices=choices)


# options of several commands
FORMS = ("csv", "latex", "markdown")
METHODS = ("analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian", "model-based")
RESAMPLED = ("items", "annotators", "both")
SCALES = (
    "landis-koch",
    "krippendorff",
    "krippendorff-1980",
    "rietveld-van-hout",
    "grove",
    "fleiss",
    "altman",
    "cicchetti",
    "koo-li",
)
Form: TypeAlias = Annotated[Word, option("Output", "Print the tables as", "--format", choices=FORMS), StandsFor("form")]
Force: TypeAlias = Annotated[bool, option("Output", "Replace a file that exists.", "--force")]
Measures: TypeAlias = Annotated[
    Word,
    option("Measuring", "The coefficient, such as krippendorff_alpha, or several with commas; by default what fits."),
    StandsFor("measure"),
]
Scale: TypeAlias = Annotated[
    Word,
    option(
        "Measuring",
        "The scale that gives words to values; by default krippendorff for alpha, koo-li for ICC, else landis-koch. "
        "One of",
        "--benchmark",
        choices=SCALES + TARGETS,
    ),
]
Weights: TypeAlias = Annotated[Word, option("Measuring", "How alike answers are: linear, quadratic, masi …")]
AsJson: TypeAlias = Annotated[bool, option("Output", "Print JSON.", "--json")]
KeepFormulas: TypeAlias = Annotated[
    bool,
    option(
        "Output", "Leave cells of CSV and TSV that a spreadsheet would run (=, +, -, @) as they are.", "--keep-formulas"
    ),
]
Quiet: TypeAlias = Annotated[bool, option("Output", "Print nothing but the result.", "--quiet", "-q")]


@dataclass(frozen=True)
class SourceOptions:
    """Which data, and how to read them: the keywords of `accord.read`."""

    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help=WHAT, show_default=False, parser=AddressPath.of)
    ] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)  # by role; each is an option of its own
    annotators: Annotated[
        Word, option("Whose answers", "Only these annotators (columns of a wide table), with commas; all: models too.")
    ] = None
    exclude: Annotated[Word, option("Whose answers", "Without these annotators, with commas.")] = None
    people: Annotated[
        Word, option("Whose answers", "Who the people are, with commas; whoever else is no model stands aside.")
    ] = None
    models: Annotated[
        Word, option("Whose answers", "Who is a model, with commas."), StandsFor("models"), StandsFor("model")
    ] = None
    where: Annotated[
        list[str] | None,
        option("Whose answers", "Only rows with a value: column=value. Again for more values, or another column."),
    ] = None
    format: Annotated[
        Word, _reading("The format, where it cannot be found: label-studio, prodigy, table …", "--from")
    ] = None
    shape: Annotated[Word, _reading("The shape of a table:", choices=SHAPES)] = None
    answers: Annotated[Word, _reading("The kind of answers:", choices=KINDS)] = None
    labels: Annotated[Word, _reading("All labels, with commas; of a scale, in order: low,middle,high.")] = None
    levels: Annotated[
        Word,
        option(
            "Measuring", "Level of measurement, or tone=ordinal,length=ratio of variables:", "--level", choices=LEVELS
        ),
        StandsFor("level"),
        StandsFor("levels"),
    ] = None
    ordered: Annotated[
        bool | None, option("Measuring", "Whether the labels have an order, or are names.", "--ordered/--no-ordered")
    ] = None
    duplicates: Annotated[
        Word, _reading("Of somebody's answers to the same item, keep:", choices=("first", "last", "repeat"))
    ] = None
    missing: Annotated[Word, _reading("Labels that stand for no answer, with commas: 99,NA,don't know.")] = None
    trim: Annotated[bool | None, _reading("Whether to take blanks around labels away.", "--trim/--no-trim")] = None
    fold_case: Annotated[
        bool | None, _reading("Whether to read labels in small letters.", "--fold-case/--no-fold-case")
    ] = None
    recode: Annotated[Word, _reading("Labels to read as others, with commas: Yes=yes,No=no.")] = None
    separator: Annotated[Word, _reading("What stands between several labels in one cell, or json.")] = None
    only: Annotated[Word, _reading("The one variable to read of an export with several.")] = None
    include: Annotated[Word, _reading("Answers that count besides submitted ones: draft,rejected …")] = None
    adjudicator: Annotated[Word, _reading("Whose answers are gold, with commas.")] = None
    table: Annotated[Word, _reading("The table of a database: answers, project.answers.")] = None
    query: Annotated[Path | None, _reading("Instead of a table, a file with a query of the database.")] = None
    delimiter: Annotated[Word, _reading("What stands between the cells of a CSV file.")] = None
    decimal: Annotated[Word, _reading("The decimal mark of a CSV file, if it is a comma.")] = None
    quote: Annotated[Word, _reading("What encloses cells of a CSV file, or none.")] = None
    header: Annotated[bool | None, _reading("Whether the first line names the columns.", "--header/--no-header")] = None
    sheet: Annotated[Word, _reading("The sheet of an Excel file.")] = None
    records: Annotated[Word, _reading("Where the records of a JSON file lie: data.instances.")] = None
    config: Annotated[Word, _reading("Label Studio's labelling configuration, an XML file.")] = None
    encoding: Annotated[Word, _reading("Where it is not UTF-8.")] = None
    on_error: Annotated[Word, _reading("Records that cannot be read:", choices=("raise", "skip"))] = None
    results: Annotated[
        Path | None, _reading("Instead of FILE: the folder with the results of the queries that accord sql wrote.")
    ] = None

    may_be_none: ClassVar[bool] = False  # does the command do something without data, too?

    def __post_init__(self) -> None:
        nothing = self.results is None and not self.files
        if (nothing and not self.may_be_none) or (self.results is not None and self.files):
            raise OptionError("Name the annotations once: as FILE, or by the folder of ", Keyword("results"), ".")
        if self.results is not None:  # which is then read as any folder is
            from accord.readers.results.manifest import check_folder

            check_folder(self.results)
            object.__setattr__(self, "files", [self.results])
            object.__setattr__(self, "results", None)

    @property
    def file(self) -> Path:
        """The file, or the first of several."""
        return self.files[0]

    @property
    def beside(self) -> Path:
        """The file beside which settings and decisions lie; of a database on a server, one here called as its table."""
        address = Address.of(self.file)
        if address is None:
            return self.file
        return address.file or Path(self.table or address.table or address.called)

    @property
    def called(self) -> str:
        """The files in a word or two."""
        address = Address.of(self.file)
        name = "standard input" if str(self.file) == STDIN else self.file.name if address is None else address.called
        return name if len(self.files) == 1 else f"{name} and {len(self.files) - 1} more"

    @property
    def unnamed(self) -> str:
        """The same where people are hidden: several files may be called after them."""
        return self.called if len(self.files) == 1 else f"{len(self.files)} files"


@dataclass(frozen=True)
class MeasureOptions:
    """What to measure: the keywords of `accord.measure`."""

    weights: Weights = None
    by: Annotated[Word, option("Measuring", "Column that makes groups, compared with each other.")] = None


def _of_named(words: str, *names: str, choices: tuple[str, ...] = ()) -> Any:
    return option("With --measure", words, *names, choices=choices)


@dataclass(frozen=True)
class OfMeasures:
    """Keywords of measures, of spans and rankings above all, for those that are named; none has an effect by itself."""

    unit: Annotated[
        Word, _of_named("What alphas and kappas compare place by place:", choices=("character", "token", "time"))
    ] = None
    outside: Annotated[
        Word, _of_named("What alphas and kappas take unmarked places for:", choices=("label", "missing"))
    ] = None
    match: Annotated[
        Word,
        _of_named(
            "When two spans match in span_f1; by default exact. One of",
            choices=("exact", "boundary", "overlap", "iou", "soft"),
        ),
    ] = None
    threshold: Annotated[
        float | None, _of_named("The least share of what either covers that both cover, with --match iou.")
    ] = None
    label_must_match: Annotated[
        bool | None,
        _of_named("Whether the label counts in F1.", "--label-must-match/--no-label-must-match"),
    ] = None
    average: Annotated[
        Word, _of_named("What F1 is a mean of: micro, macro, labels or pooled; of lin_concordance overall or pairs.")
    ] = None
    empty: Annotated[
        Word, _of_named("Where two annotators both marked nothing F1 is left out, or 1:", choices=("skip", "agree"))
    ] = None
    reference: Annotated[Word, _of_named("The annotator against whom F1 holds everybody.")] = None
    of_form: Annotated[
        Word,
        _of_named("The form of unitizing_alpha: unitizing, binary or coded; of icc A,1, C,1, A,k …", "--form"),
        StandsFor("form", "only"),
    ] = None
    self_pairs: Annotated[Word, _of_named("Pairs within a unit, in its coded form:", choices=("left-out", "kept"))] = (
        None
    )
    alpha: Annotated[float | None, _of_named("What a difference of borders weighs in gammas; by default 1.")] = None
    beta: Annotated[float | None, _of_named("What a difference of labels weighs in gammas; by default 1.")] = None
    sampler: Annotated[
        Word, _of_named("What gammas take for chance; by default mathet. One of", choices=("mathet", "pygamma"))
    ] = None
    precision: Annotated[float | None, _of_named("How well gammas are to know what chance gives; by default 0.02.")] = (
        None
    )
    variant: Annotated[Word, _of_named("Which gamma_cat and gamma_k:", choices=("paper", "pygamma"))] = None
    of_label: Annotated[Word, _of_named("The label that gamma_k is about.")] = None
    arguments: Annotated[
        Word, _of_named("When arguments of relations match in relation_f1:", choices=("exact", "overlap"))
    ] = None
    directed: Annotated[
        bool | None, _of_named("Whether the direction of relations counts.", "--directed/--no-directed")
    ] = None
    matched_arguments_only: Annotated[
        bool | None,
        _of_named(
            "Whether only relations count whose arguments both annotators marked.",
            "--matched-arguments-only/--no-matched-arguments-only",
        ),
    ] = None
    p: Annotated[
        float | None, _of_named("How likely rank_biased_overlap goes on to the next place; by default 0.9.", "--p")
    ] = None
    of_ties: Annotated[
        Word,
        _of_named("What tied options are to rank_biased_overlap; by default a.", "--ties", choices=("w", "a", "b")),
        StandsFor("ties", "only"),
    ] = None
    value: Annotated[
        Word, _of_named("What it takes of places after the end of a list:", choices=("ext", "min", "max", "res"))
    ] = None
    incomplete: Annotated[
        Word, _of_named("How kendall_w takes lists of different options:", choices=("common", "blocks"))
    ] = None

    @property
    def keywords(self) -> dict[str, Any]:
        """As the library calls them."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        return {
            name.removeprefix("of_") if name in ("of_form", "of_ties") else name: value for name, value in given.items()
        }


@dataclass(frozen=True)
class Sureness:
    """How the intervals are found: the keywords of `Agreement.interval`."""

    confidence: Annotated[float, typer.Option(help="Of the intervals.", rich_help_panel="Intervals")] = 0.95
    interval: Annotated[
        Word,
        option("Intervals", "How they are found; by default analytic. One of", choices=METHODS),
        StandsFor("method"),
    ] = None
    resample: Annotated[
        Word, option("Intervals", "What might have been otherwise; by default items. One of", choices=RESAMPLED)
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(help="Of what is drawn at random, where something is; by default 0.", rich_help_panel="Intervals"),
        StandsFor("rng"),
    ] = None

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        if self.seed is not None:
            check_whole("rng", self.seed, 0)
        for name, given, choices in (("method", self.interval, METHODS), ("resample", self.resample, RESAMPLED)):
            if given is not None and given not in choices:
                raise OptionError.choice(name, given, choices)

    @property
    def keywords(self) -> dict[str, Any]:
        """As the library calls them."""
        given = {"confidence": self.confidence, "method": self.interval, "resample": self.resample}
        return {name: value for name, value in given.items() if value is not None} | {"rng": self.seed or 0}

    def refuse_idle_seed(self, measures: Sequence[str] | None) -> None:
        """A seed where intervals are asked for that draw nothing, of measures that draw nothing either.

        Where no way is named, it depends on the annotations whether something is drawn, and a seed may stand there.
        """
        if self.seed is None or self.interval is None:
            return
        from accord.agreement.inference.intervals import DRAWN
        from accord.measures.registered import measure_called

        if self.interval in DRAWN:
            return
        if any(measure_called(name).takes("rng") for name in measures or ()):
            return
        raise OptionError(
            Keyword("rng", self.seed),
            f" is of what is drawn at random, and {self.interval} intervals draw nothing. Leave it out, or draw: ",
            remedy(method=one_of(*DRAWN)),
            ".",
        )


@dataclass(frozen=True)
class BreakdownOptions:
    """Where a value comes from: the tables of an `Agreement`."""

    by_pair: Annotated[bool, option("Tables", "Every two annotators.", "--by-pair")] = False
    by_label: Annotated[bool, option("Tables", "Every label against the rest.", "--by-label")] = False
    by_annotator: Annotated[bool, option("Tables", "Every annotator with the others.", "--by-annotator")] = False
    by_item: Annotated[bool, option("Tables", "Every item.", "--by-item")] = False

    @property
    def methods(self) -> list[str]:
        """The methods that make the tables that were asked for."""
        return [field.name for field in fields(self) if getattr(self, field.name)]


@dataclass(frozen=True)
class NameOptions:
    """Whether people are named, and where it is kept who is who."""

    anonymise: Annotated[
        bool,
        option(
            "For others",
            "Call annotators A1, A2 … in random order, drawn anew each time unless a key says who is who.",
            "--anonymise",
        ),
    ] = False
    key: Annotated[
        Path | None,
        option("For others", "File that says who is who: read where there is one, and added to.", "--key"),
    ] = None

    def __post_init__(self) -> None:
        if str(self.key) == STDOUT:
            raise OptionError.must("key", "name a file, which is kept apart from what is printed", STDOUT)


@dataclass(frozen=True)
class Manner:
    """What a command with a verdict prints, and what its exit code depends on."""

    as_json: AsJson = False
    quiet: Quiet = False
    fail_below: Annotated[
        float | None, option("Exit code", "Exit with 1 if the recommended value, or a group's, is below this.")
    ] = None
    fail_below_lower: Annotated[float | None, option("Exit code", "The same for the lower end of the interval.")] = None

    def __post_init__(self) -> None:
        for name in ("fail_below", "fail_below_lower"):
            limit = getattr(self, name)
            if limit is not None and not -1 <= limit <= 1:
                raise OptionError.must(name, "lie between -1 and 1, for example 0.67", limit)


@dataclass(frozen=True)
class MannerOfTables(Manner):
    """The same of a command that prints tables for spreadsheets too."""

    keep_formulas: KeepFormulas = False


@dataclass(frozen=True)
class Printing:
    """What a command without a verdict prints."""

    as_json: AsJson = False
    keep_formulas: KeepFormulas = False
    quiet: Quiet = False


@contextmanager
def formulas_in(options: Sequence[Any], given: Mapping[str, Any]) -> Iterator[None]:
    """For as long as a command runs, whether cells that a spreadsheet would run stay as they are; of CSV and TSV."""
    keeps = any(getattr(group, "keep_formulas", False) for group in options)
    output = given.get("output")
    ending = "" if output is None or str(output) == STDOUT else output.suffix.lower()
    form = given.get("form") or ("csv" if str(output) == STDOUT else None)
    if keeps and form not in SPREADSHEETS and ending.removeprefix(".") not in SPREADSHEETS:
        raise OptionError(
            Keyword("keep_formulas"), " is about CSV and TSV, and neither is written here. Leave it out, or say ",
            Keyword("form", "csv"), ".",
        )  # fmt: skip
    before = KEEP_FORMULAS.set(keeps)
    try:
        yield
    finally:
        KEEP_FORMULAS.reset(before)


def takes(*groups: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the fields of these dataclasses as options, and hand them over as objects."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = list(inspect.signature(command, eval_str=True).parameters.values())[len(groups) :]
        *first, last = [[one for field in fields(group) for one in _parameters(group, field)] for group in groups]
        together = [*(part for group in first for part in group), *own, *last]  # as the help shows them
        parameters = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in together]
        spelling = Spelling(parameters, command.__name__)

        def run(**given: Any) -> None:
            IN_FILE.set({})
            hidden = bool(given.get("anonymise"))
            try:
                with spelled_by(spelling.spell), replacing_nothing_that_appears():
                    options = [group(**{one.name: _taken(one, given) for one in fields(group)}) for group in groups]
                    with formulas_in(options, given):
                        command(*options, **given)
            except AccordError as problem:
                from accord.cli.settings import in_words_of_file

                hidden = hidden or (command.__name__ == "report" and bool(IN_FILE.get().get(("report", "anonymise"))))

                def as_text(error: AccordError) -> str:
                    return in_words_of_file(error, spelling, hidden=hidden) or spelling.text(error)

                if hidden:
                    from accord.cli.hiding import without_people

                    raise CommandError(without_people(problem, as_text, sys.argv[1:])) from problem
                raise CommandError(as_text(problem)) from problem

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {part.name: part.annotation for part in parameters}
        return run

    return decorate


def _parameters(group: type, field: Field[Any]) -> list[inspect.Parameter]:
    """The option of a field; of columns, one for each role."""
    if field.name == COLUMNS:
        return [_keyword(role.name, None, _column(role.holds)) for role in ROLES.values()]
    empty = None if field.default_factory is not MISSING else inspect.Parameter.empty
    default = empty if field.default is MISSING else field.default
    return [_keyword(field.name, default, _hints(group)[field.name])]


@cache
def _hints(group: type) -> dict[str, Any]:
    """The types of a group's fields, read once: there are hundreds, and every command asks for some."""
    return get_type_hints(group, include_extras=True)


def _keyword(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _column(holds: str) -> Any:
    return Annotated[Word, option("Columns", f"Column with {holds}.")]


def _taken(field: Field[Any], given: dict[str, Any]) -> Any:
    """What was typed for a field."""
    if field.name != COLUMNS:
        typed = given.pop(field.name)
        return field.default_factory() if typed is None and field.default_factory is not MISSING else typed
    typed = {role: given.pop(role) for role in ROLES}
    return {role: column for role, column in typed.items() if column is not None}

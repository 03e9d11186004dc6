"""`accord measure`: every coefficient that fits, or those that are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli.application import app
from accord.cli.load_and_print import (
    measure_named,
    merged,
    print_json,
    refuse_level_and_weights,
    study_of,
    verdict_on,
    with_names_or_codes,
)
from accord.cli.option_spelling import calling
from accord.cli.options import (
    BreakdownOptions,
    Form,
    Manner,
    MannerOfTables,
    MeasureOptions,
    Measures,
    NameOptions,
    OfMeasures,
    Scale,
    SourceOptions,
    Sureness,
    option,
    takes,
)
from accord.cli.preference_order import order_of
from accord.errors import Keyword, OptionError, one_of, remedy

if TYPE_CHECKING:
    from accord.agreement.measurements import Measurements
    from accord.agreement.result import Agreement
    from accord.agreement.table import Table
    from accord.cli.load_and_print import ExitLimits
    from accord.study.study import Study

MOST_IN_A_SENTENCE = 12  # variables


@app.command(epilog="accord measure annotations.csv --item id --annotator who --label tag --by language\n\n"
             "accord measure ana.csv ben.csv chloe.csv\n\n"
             "accord measure ratings.csv --level ordinal --labels low,middle,high --fail-below 0.67\n\n"
             "accord measure annotations.csv --measure krippendorff_alpha --interval bootstrap --resample both\n\n"
             "accord measure spans.json --measure span_f1 --match overlap\n\n"
             "accord measure annotations.csv --by-pair --format csv > pairs.csv")  # fmt: skip
@takes(SourceOptions, MeasureOptions, OfMeasures, Sureness, BreakdownOptions, NameOptions, MannerOfTables)
def measure(
    source: SourceOptions,
    question: MeasureOptions,
    of_measures: OfMeasures,
    sureness: Sureness,
    breakdown: BreakdownOptions,
    names: NameOptions,
    manner: Manner,
    measure: Measures = None,
    benchmark: Scale = None,
    simultaneous: Annotated[
        bool,
        option("Intervals", "Intervals of groups or variables that hold all together, so wider.", "--simultaneous"),
    ] = False,
    form: Form = None,
) -> None:
    """Every coefficient that fits the annotations in FILE, the recommended one first."""
    from accord.agreement.table_formats import check_format
    from accord.measures.measure_all import measure as measured

    check_format(form)
    requested = _measures(measure)
    own = of_measures.keywords
    _check_options(own, requested)
    sureness.refuse_idle_seed(requested)
    refuse_level_and_weights(source, question.weights)
    study, settings = study_of(source, manner.quiet)
    options = merged(question, settings["measure"])
    study = with_names_or_codes(study, names, options.get("by"))
    found = measured(study, **options)
    if requested:
        with calling("only"):
            found = found.only(requested, **own, **_seed(sureness.seed, requested))
    how, many = sureness.keywords, {"simultaneous": True} if simultaneous else {}
    tables = {name: _tables(found.results if requested else found.results[:1], name) for name in breakdown.methods}
    limits = verdict_on(found.recommended, manner, how, found.questions)
    if manner.as_json:
        print_json(_as_dict(found, tables, limits, how, benchmark, many))
    else:
        main = _main_tables(found, {**how, **many}, named=bool(requested)) if found.measurable or form else []
        _print(study, found, main, tables, how, manner, form=form, benchmark=benchmark, named=bool(requested))
    limits.tell()
    raise typer.Exit(limits.code)


def _measures(typed: str | None) -> list[str]:
    """The names of measures, with commas between, each of which there is."""
    from accord.measures.registered import measure_called

    names = [] if typed is None else [measure_named(name) for name in typed.split(",")]
    return [measure_called(name).name for name in names]


def _check_options(own: dict[str, Any], requested: list[str]) -> None:
    """Options of measures say something of those that are named, and of no others."""
    from accord.measures.registered import MEASURES, check_taken

    with calling("only"):
        for name in own if not requested else ():
            takers = [entry.name for entry in MEASURES.values() if entry.takes(name)]
            raise OptionError(
                Keyword(name),
                " is an option of a measure by its name. Say which: ",
                remedy(measure=one_of(*takers)),
                ".",
            )
        check_taken([MEASURES[name] for name in requested], own)


def _seed(seed: int | None, requested: list[str]) -> dict[str, int]:
    """The seed of measures that draw samples themselves; by default it is theirs."""
    from accord.measures.registered import MEASURES

    return {"rng": seed} if seed and any(MEASURES[name].takes("rng") for name in requested) else {}


def _main_tables(found: Measurements, how: dict[str, Any], *, named: bool) -> list[Table]:
    """The table of coefficients; of several that were named, with groups or variables, one each."""
    best = found.recommended
    if named and (best.by is not None or best.study.tasks):
        return [result.by_group(**how) for result in found]
    return [found.to_table(**how)]


def _tables(results: tuple[Agreement, ...], name: str) -> list[Table]:
    """Where the values come from: of each coefficient, and of each variable of the study."""
    from accord.agreement.groups import parts
    from accord.agreement.table import Table

    found: list[Table] = []
    for result in results:
        if not result.study.tasks:
            found.append(getattr(result, name)())
            continue
        for task, part in parts(result).items():
            if part.coefficient is not None:
                table = getattr(part, name)()
                found.append(Table(f"{task}: {table.title}", table.data, table.notes))
    return found


def _as_dict(
    found: Measurements,
    tables: dict[str, list[Table]],
    limits: ExitLimits,
    how: dict[str, Any],
    benchmark: str | None,
    many: dict[str, Any],
) -> dict[str, Any]:
    payload = found.to_dict()
    for result, one in zip(found, payload["results"], strict=True):
        one["interval"] = result.interval(**how).to_dict()
    order = order_of(found.recommended.study)
    if order is not None:
        payload["order"] = order.to_dict()
    payload |= {"table": found.to_table(**how, **many).to_dict(), **limits.to_dict()}
    if tables:
        payload["tables"] = {name: [table.to_dict() for table in several] for name, several in tables.items()}
    if benchmark is not None:
        payload["interpretation"] = found.recommended.interpret(benchmark).to_dict()
    return payload


def _print(
    study: Study,
    found: Measurements,
    main: list[Table],
    tables: dict[str, list[Table]],
    how: dict[str, Any],
    manner: Manner,
    *,
    form: str | None,
    benchmark: str | None,
    named: bool,
) -> None:
    from accord.cli.terminal import say, show_all

    more = [table for several in tables.values() for table in several]
    if form is not None:  # for other programs: what was asked for, and nothing around it
        show_all(more or main, form)
        return
    if not manner.quiet:
        say(study.describe(), "")
    if found.measurable:
        show_all(main)
    if not named:
        say(found.advice)
    say(*found.open, *(found.oneself_in_words() if named else found.in_words_beside()))
    if found.recommended.by is None and found.measurable:
        span = found.recommended.interval(**how)
        if set(how) - {"confidence", "rng"} and not span.undefined:
            drawn = f", {span.n_resamples:,} resamples, seed {span.seed}" if span.n_resamples else ""
            say(f"Intervals by {span.method}, over {_over(span.resample)}{drawn}.")
        if benchmark is not None:
            say(f"{found.recommended.title}: {found.recommended.interpret(benchmark)}.")
        elif (
            not manner.quiet
            and not found.open
            and len(study.tasks) <= MOST_IN_A_SENTENCE
            and not set(how) - {"confidence", "rng"}
        ):
            say(found.sentence())
    order = None if named else order_of(study)
    if order is not None:
        where = [] if order.undefined else ["`accord gold` has the strengths, `accord report` draws them."]
        say("", order.sentence(), *where)
    if more:
        say("")
        show_all(more)


def _over(resample: str) -> str:
    return "annotators and items" if resample == "both" else resample

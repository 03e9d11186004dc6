"""`accord gold`: one label per item."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.annotations.answers import IN_ORDER
from accord.cli.application import FINE, UNDEFINED, app
from accord.cli.load_and_print import print_json, refuse_two_outputs, study_of, with_names_or_codes, write_or_print
from accord.cli.option_spelling import StandsFor, calling
from accord.cli.options import (
    FORMS,
    STDOUT,
    TABLE_ENDINGS,
    Force,
    NameOptions,
    Printing,
    SourceOptions,
    Word,
    option,
    takes,
)
from accord.cli.preference_order import order_of
from accord.cli.targets import check_target, refuse_idle_force, refuse_one_file, same_file
from accord.errors import (
    AccordError,
    Keyword,
    MeasureError,
    Message,
    OptionError,
    OwnWords,
    Part,
    Remedy,
    all_quoted,
    between,
    quoted,
    remedy,
)
from accord.options import check_whole

if TYPE_CHECKING:
    from accord.agreement.table import Table
    from accord.consensus.gold import Gold
    from accord.consensus.score_against_reference import Score
    from accord.study.study import Study

METHODS = (
    "auto", "majority", "expert-index", "sharpening", "worker-agreement", "one-coin", "dawid-skene", "mace", "glad",
    "mean", "median", "weighted-mean", "severity-adjusted", "rating-scale", "token-majority", "sequence",
    "borda", "kemeny", "plackett-luce",
)  # fmt: skip
TIES = ("undecided", "first", "random", "expert-index", "absent", "last", "outside")
MATCHES = ("overlap", "exact")
TRANSITIONS = ("legal", "free")
OF_METHODS = ("ties", "match", "transitions", "prior", "label_shares", "iterations", "restarts", "checkpoint")
NUMBERS = ("mean", "median", "weighted-mean", "severity-adjusted", "rating-scale")
SHARES = ("learned", "uniform")
PRIORS = ("learned", "mild", "none")
LONGEST_TEXT = 60  # of an item, where it is printed; the file has all of it


@app.command(epilog="accord gold annotations.csv -o gold.csv\n\n"
             "accord gold annotations.csv --method dawid-skene --reference truth.csv\n\n"
             "accord gold annotations.csv --queue 20 --queue-file decide.csv\n\n"
             "accord gold annotations.csv --decisions decide.csv -o gold.csv")  # fmt: skip
@takes(SourceOptions, NameOptions, Printing)
def gold(
    source: SourceOptions,
    names: NameOptions,
    printing: Printing,
    method: Annotated[Word, option("Deciding", "How to decide; by default auto. One of", choices=METHODS)] = None,
    ties: Annotated[Word, option("Deciding", "What majority does with a tie:", choices=TIES)] = None,
    match: Annotated[Word, option("Deciding", "Which spans majority takes for one:", choices=MATCHES)] = None,
    transitions: Annotated[
        Word, option("Deciding", "Which tags of spans may follow each other, token by token:", choices=TRANSITIONS)
    ] = None,
    known: Annotated[Path | None, option("Deciding", "File with labels that are known and stay fixed.")] = None,
    prior: Annotated[
        Word,
        option(
            "Deciding", "What one-coin, dawid-skene and sequence think of annotators: learned, mild, none or a number."
        ),
    ] = None,
    label_shares: Annotated[Word, option("Deciding", "How common labels are, for models:", choices=SHARES)] = None,
    iterations: Annotated[int | None, option("Deciding", "At most so many.")] = None,
    restarts: Annotated[int | None, option("Deciding", "Random starts; the best is kept.")] = None,
    checkpoint: Annotated[
        Path | None,
        option("Deciding", "Keep the model of one-coin, dawid-skene or mace here, and go on with it if it is there."),
    ] = None,
    seed: Annotated[
        int | None, option("Deciding", "Of what is drawn at random; by default 0."), StandsFor("rng")
    ] = None,
    decisions: Annotated[
        Path | None, option("People", "A queue that a person has filled in, or the file of decisions of accord serve.")
    ] = None,
    decided_by: Annotated[
        Word, option("People", "Who decided, where the file does not say."), StandsFor("by", "decide")
    ] = None,
    queue: Annotated[int | None, option("People", "Show so many items that a person should decide.")] = None,
    queue_file: Annotated[
        Path | None,
        option("People", "Write them to this .csv, to be filled in."),
        StandsFor("queue_file"),
        StandsFor("path", "queue"),
    ] = None,
    queue_names: Annotated[
        bool,
        option("People", "Say there who gave which answer.", "--queue-names"),
        StandsFor("show_annotators", "queue"),
    ] = False,
    no_text: Annotated[bool, option("People", "Show no texts of items there.", "--no-text")] = False,
    show_labels: Annotated[bool, option("People", "Show the votes behind each label.", "--show-labels")] = False,
    show_annotators: Annotated[bool, option("People", "Show how good each annotator is.", "--show-annotators")] = False,
    reference: Annotated[Path | None, option("Checking", "File with the true label of each item.")] = None,
    reference_item: Annotated[
        Word, option("Checking", "Its column with the item's id."), StandsFor("item", "score")
    ] = None,
    reference_label: Annotated[
        Word, option("Checking", "Its column with the label."), StandsFor("label", "score")
    ] = None,
    output: Annotated[
        Path | None,
        option(
            "Output",
            "One row per item (unit of spans, option of rankings): .csv, .tsv, .jsonl or .parquet; - prints it.",
            "--output",
            "-o",
        ),
        StandsFor("output"),
        StandsFor("path"),
    ] = None,
    form: Annotated[
        Word,
        option(
            "Output",
            f"Print tables as {', '.join(FORMS)}; with -o - the gold as {', '.join(TABLE_ENDINGS)}.",
            "--format",
        ),
        StandsFor("form"),
    ] = None,
    force: Force = False,
) -> None:
    """One label per item from the many answers in FILE, with a confidence; undecided where it is not clear."""
    from accord.cli.terminal import say, working
    from accord.consensus.make_gold import gold as decided

    of_method = {
        "ties": ties, "match": match, "transitions": transitions, "prior": _prior(prior), "label_shares": label_shares,
        "iterations": iterations, "restarts": restarts, "checkpoint": checkpoint,
    }  # fmt: skip
    options: dict[str, Any] = {name: value for name, value in of_method.items() if value is not None}
    _check_method(method or "auto", list(options))
    refuse_two_outputs(output, as_json=printing.as_json)
    forms = tuple(TABLE_ENDINGS) if str(output) == STDOUT else FORMS
    if form is not None and form not in forms:
        raise OptionError.choice("form", form, forms)
    for name, number, least in (("queue", queue, 1), ("rng", seed, 0), ("iterations", iterations, 1)):
        if number is not None:
            check_whole(name, number, least)
    with calling("score"):
        _need("reference", reference, {"item": reference_item, "label": reference_label})
    with calling("decide"):
        _need("decisions", decisions, {"by": decided_by})
    queued = queue is not None or queue_file is not None
    with calling("queue"):
        _refuse_idle(queued, {"show_annotators": queue_names, "no_text": no_text})
    read = [*source.files, *(path for path in (known, decisions, reference) if path is not None)]
    refuse_idle_force(output, queue_file, force=force)
    refuse_one_file(queue_file=queue_file, output=output, key=names.key, checkpoint=checkpoint)
    _check_files(output, queue_file, decisions, read, force=force)
    study = with_names_or_codes(study_of(source, printing.quiet)[0], names)
    if method in NUMBERS:
        _need_numbers(study, method)
    options |= {name: value for name, value in {"rng": seed, "known": known}.items() if value is not None}
    beside = _beside(output, study, method, options)
    options |= {"checkpoint": beside} if beside is not None else {}
    with _checkpoint_hint(beside), working(["Deciding"], quiet=printing.quiet or printing.as_json) as (progress,):
        found = decided(study, method=method or "auto", progress=progress, **options)
    if decisions is not None:
        with calling("decide"):
            found = _with_decisions(found, decisions, decided_by)
            found = _with_unnamed_adjudicators(found) if names.anonymise else found
    score = None
    if reference is not None:
        with calling("score"):
            score = found.score(reference, item=reference_item or "item", label=reference_label or "label")
    shown = {"show_text": not no_text, "show_annotators": queue_names}
    with calling("queue"):
        waiting = found.queue(queue or 20, path=queue_file, force=force, **shown) if queued else None
    if output is not None:
        write = partial(found.write, keep_formulas=printing.keep_formulas)
        with _checkpoint_hint(beside):
            write_or_print(output, write, TABLE_ENDINGS[form or "csv"])
    if beside is not None:
        beside.unlink(missing_ok=True)
    if printing.as_json:
        print_json(_as_dict(found, score, waiting))
    elif str(output) != STDOUT:
        files = [(output, "The gold standard is in"), (queue_file, "The items to decide are in")]
        quiet = printing.quiet or form is not None
        tables = {"annotators": show_annotators, "labels": show_labels}
        if not quiet:
            say(study.describe(), "")
        _print(found, score, waiting, [] if quiet else files, quiet=quiet, form=form, **tables)
    raise typer.Exit(FINE if found.n_decided else UNDEFINED)


def _beside(output: Path | None, study: Study, method: Word, options: dict[str, Any]) -> Path | None:
    """Where a model that takes its time is kept until its labels are written: of a table that stays in its engine."""
    from accord.consensus.decide_in_engine import serves
    from accord.consensus.make_gold import options_of

    if output is None or str(output) == STDOUT or method is None or "checkpoint" not in options_of(method):
        return None
    if {"checkpoint", "restarts"} & set(options) or not serves(study, method, None):
        return None
    return output.with_name(f"{output.name}.checkpoint")


@contextmanager
def _checkpoint_hint(beside: Path | None) -> Iterator[None]:
    """Whoever interrupts it, or has lost the engine, is told that nothing is lost."""
    try:
        yield
    except (AccordError, KeyboardInterrupt, SystemExit):
        if beside is not None and beside.exists():
            typer.echo(f"What was learned is in {beside}; the same command goes on from there.", err=True)
        raise


def _with_decisions(found: Gold, decisions: Path, by: Word) -> Gold:
    """The gold with what people decided: in a table, or at the workbench, whose file says itself who did."""
    from accord.workbench.logged_gold import gold_with_log, is_log

    if not is_log(decisions):
        return found.decide(decisions, by=by)
    if by is not None:
        raise OptionError(
            Keyword("by"),
            " is for a queue that does not say who decided; ",
            quoted(decisions.name),
            " does. Leave it out.",
        )
    return gold_with_log(found, decisions)


def _with_unnamed_adjudicators(gold: Gold) -> Gold:
    """The same decisions, by adjudicator 1, 2 … in the order of the items that they decided."""
    held = {name: getattr(gold, name, {}) for name in ("decisions", "unit_decisions")}
    people = dict.fromkeys(one.by for decisions in held.values() for one in decisions.values())
    called = {name: f"adjudicator {number}" for number, name in enumerate(people, start=1)}
    unnamed: dict[str, Any] = {
        name: {place: replace(one, by=called[one.by]) for place, one in decisions.items()}
        for name, decisions in held.items()
        if decisions
    }
    return replace(gold, **unnamed) if unnamed else gold


def _prior(given: Word) -> str | float | None:
    """A prior by its name, or a number of pseudo-answers."""
    if given is None or given in PRIORS:
        return given
    try:
        return float(given)
    except ValueError:
        raise OptionError.must("prior", Message("be ", OwnWords(PRIORS), " or a number, such as 0.5"), given) from None


def _check_files(
    output: Path | None, queue_file: Path | None, decisions: Path | None, read: list[Path], *, force: bool
) -> None:
    """Nothing is written over what is read, over what is there, or over each other; decisions are kept."""
    from accord.consensus.queue_files import decisions_in, would_be_lost

    if output is not None:
        check_target(output, force=force, sources=read)
    if queue_file is None:
        return
    if decisions is not None and same_file(queue_file, decisions):
        return  # what was decided stays in it
    filled_in = len(decisions_in(queue_file))
    if filled_in and not force:
        raise would_be_lost(queue_file, filled_in)
    check_target(queue_file, force=force, sources=read)


def _check_method(method: str, given: list[str]) -> None:
    """A method by its name, with the options that it has here."""
    from accord.consensus.make_gold import options_of

    if method not in METHODS:
        if method.lower() in METHODS:
            raise OptionError("There is no method ", quoted(method), ". Did you mean ", quoted(method.lower()), "?")
        raise OptionError.choice("method", method, METHODS)
    takes = options_of(method)
    strange = [name for name in given if name not in takes]
    if strange:
        known = [name for name in takes if name in OF_METHODS]
        raise OptionError(
            Keyword("method", method), " does not take ", *_named(strange), "; it takes ", *_named(known), "."
        )


def _named(names: list[str]) -> list[Part]:
    return between(map(Keyword, names), ", ") or ["no options"]


def _need(option: str, given: Path | None, others: dict[str, Word]) -> None:
    """Options that say something of another one, which must be there."""
    for name, value in others.items():
        if value is not None and given is None:
            way = Remedy({option: "FILE"})
            raise OptionError(
                Keyword(name), " belongs to ", Keyword(option), ", which is not given. Give it: ", way, "."
            )


def _refuse_idle(queued: bool, shown: dict[str, bool]) -> None:
    """What a queue shows says nothing where there is none."""
    for name, given in shown.items():
        if given and not queued:
            raise OptionError(
                Keyword(name),
                " says what a queue shows, and none is asked for. Ask for one: ",
                Remedy({"queue": 20}),
                ".",
            )


def _need_numbers(study: Study, method: str) -> None:
    if study.kind in ("set", *IN_ORDER) or (study.kind == "single" and not study.answers.numeric):
        raise MeasureError(
            Keyword("method", method),
            " needs numbers, and the answers here are ",
            all_quoted(study.labels, most=5),
            ". Choose a method for labels, such as ",
            remedy(method="majority"),
            ".",
        )


def _as_dict(found: Gold, score: Score | None, waiting: Table | None) -> dict[str, Any]:
    result = found.to_dict()
    order = order_of(found.study)
    if order is not None:
        result["order"] = order.to_dict()
    if score is not None:
        result["score"] = score.to_dict()
    if waiting is not None:
        result["queue"] = waiting.to_dict()["rows"]
    return result


def _print(
    found: Gold,
    score: Score | None,
    waiting: Table | None,
    files: list[tuple[Path | None, str]],
    *,
    annotators: bool,
    labels: bool,
    quiet: bool,
    form: str | None,
) -> None:
    """The gold in words, unless that is not wanted, then what was asked for."""
    from accord.agreement.table import Table
    from accord.cli.terminal import say, show

    if not quiet:
        say(found)
    if score is not None and form is None:
        say(f"Against the reference: {score}")
        if score.not_in_study:
            say(f"{score.not_in_study:,} items of the reference are not in the data.")
    if score is not None and score.numbers is None and len(score.labels):
        kept = ("label", "gold", "reference", "precision", "recall", "f1")
        show(Table(score.labels.title, {name: score.labels.data[name] for name in kept}), form)
    order = order_of(found.study)
    if order is not None:
        say(*([] if quiet else ["", order.sentence()]))
        show(order.to_table(), form)
    if labels:
        show(found.by_label(), form)
    if annotators:
        show(found.annotators(), form)
    if waiting is not None:
        show(_to_look_at(waiting), form)
    for path, words in files:
        if path is not None:
            say(f"{words} {path}")


def _to_look_at(waiting: Table) -> Table:
    """The queue for the eye: names as they are, texts cut."""
    from accord.agreement.table import Table

    columns = dict(waiting.data)
    for name in ("item", "label"):
        columns[name] = ["" if cell is None else str(cell) for cell in columns[name]]
    if "text" in columns:
        columns["text"] = [_cut(text or "") for text in columns["text"]]
    return Table(waiting.title, columns, waiting.notes)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"

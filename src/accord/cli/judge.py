"""`accord judge`: can a model replace an annotator?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli.application import BELOW, FINE, UNDEFINED, app
from accord.cli.load_and_print import print_json, print_words, study_of, tell_why
from accord.cli.option_spelling import StandsFor
from accord.cli.options import Form, Printing, SourceOptions, Word, option, takes
from accord.errors import Keyword, OptionError, Part, between
from accord.study.answer_filters import ALL

if TYPE_CHECKING:
    from accord.study.study import Study

MEASURED = ("kappa", "alpha", "accuracy", "concordance", "correlation", "bias", "difference", "tau", "overlap")
ABOUT = ("alt-test", "consistency", "labels", "panel", "position", "shares", "suggestions")  # judge.questions.QUESTIONS
SCORES = ("accuracy", "ordinal", "rmse")
SERVES: dict[str, tuple[str | None, ...]] = {  # which questions an option is for, None being the verdict; others: all
    "gold": (None, "consistency", "panel"),
    "people": (None, "labels", "panel", "shares", "suggestions", "alt-test"),
    "closeness": (None, "alt-test"),
    "measure": (None,),
    "fail_unless_passed": (None, "alt-test"),
    "facets": ("consistency",),
    "runs": ("consistency",),
    "verdicts": ("position",),
    "order": ("position",),
    "positions": ("position",),
}


@app.command(epilog="accord judge annotations.csv --models gpt\n\n"
             "accord judge annotations.csv --models gpt,llama --epsilon 0.15 --gold adjudicated\n\n"
             "accord judge annotations.csv --json --fail-unless-passed")  # fmt: skip
@takes(SourceOptions, Printing)
def judge(
    source: SourceOptions,
    printing: Printing,
    gold: Annotated[
        Word, option("Judging", "The reference: a column or an annotator; by default adjudicators, or people.")
    ] = None,
    epsilon: Annotated[
        float, typer.Option(help="What a model may be worse than a person and still pass.", rich_help_panel="Judging")
    ] = 0.1,
    closeness: Annotated[
        Word, option("Judging", "How close an answer is to other people's:", "--closeness", choices=SCORES)
    ] = None,
    measure: Annotated[Word, option("Judging", "The value that is printed and compared:", choices=MEASURED)] = None,
    about: Annotated[Word, option("Judging", "Ask something else of the models:", choices=ABOUT)] = None,
    facets: Annotated[
        Word, option("Judging", "About consistency: columns with the prompt, temperature or seed, with commas.")
    ] = None,
    order: Annotated[Word, option("Judging", "About position: the column that tells the order of a pair.")] = None,
    positions: Annotated[
        Word, option("Judging", "About position: the labels for what stands first and second, as in 1,2.")
    ] = None,
    verdicts: Annotated[
        Word,
        option("Judging", "About position: what labels name; by default", choices=("positions", "answers")),
    ] = None,
    runs: Annotated[
        Word, option("Judging", "About consistency: the names that are runs of one model, with commas.")
    ] = None,
    unparsable: Annotated[
        Word, option("Judging", "Unparsable, refused and failed answers are", choices=("missing", "label"))
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Of the resamples of items.", rich_help_panel="Judging"), StandsFor("rng")
    ] = 0,
    anonymise: Annotated[
        bool, option("For others", "Call people A1, A2 … in random order; models keep their names.", "--anonymise")
    ] = False,
    form: Form = None,
    fail_unless_passed: Annotated[
        bool, option("Exit code", "Exit with 1 unless every model passes.", "--fail-unless-passed")
    ] = False,
) -> None:
    """Can a model replace an annotator? Every model in FILE against people, and what people reach themselves."""
    from accord.agreement.table_formats import check_format
    from accord.cli.terminal import working
    from accord.judge.participants import participants_of, people_hidden
    from accord.judge.verdicts import verdict

    check_format(form)
    if source.annotators == ALL:
        raise OptionError(
            Keyword("annotators", ALL), " takes people and models alike. Leave it out to judge models against people."
        )
    study, _ = study_of(source, printing.quiet)
    given = {"gold": gold, "closeness": closeness, "measure": measure, "unparsable": unparsable}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    named = (("models", source.models), ("people", source.people))
    options |= {name: value.split(",") for name, value in named if value is not None}
    if anonymise:
        if source.people is not None:
            raise OptionError(Keyword("people"), " names them, and they are to be anonymous. Leave out one of the two.")
        participants = participants_of(study, models=options.get("models"))
        if gold in participants.people:
            refused = " names one of them, and they are to be anonymous. Leave out one of the two."
            raise OptionError(Keyword("gold"), refused)
        study, options["models"] = people_hidden(participants), list(participants.models)
    more = {"facets": facets, "positions": positions, "runs": runs}
    options |= {name: value.split(",") for name, value in more.items() if value is not None}
    options |= {name: value for name, value in (("order", order), ("verdicts", verdicts)) if value is not None}
    _refuse_idle(options, about, fail_unless_passed=fail_unless_passed)
    if about is not None:
        settings = options | {"epsilon": epsilon, "rng": seed}
        _answer(study, about, settings, printing, form, must_pass=fail_unless_passed)
    with working(["Judging"], quiet=printing.quiet or printing.as_json) as (progress,):
        found = verdict(study, epsilon=epsilon, rng=seed, progress=progress, **options)
    if printing.as_json:
        print_json(found.to_dict())
    else:
        _print(study, found, printing, form)
    worse = [name for name in found.models if found.answer(name) not in ("yes", "perhaps")]
    if all(one.values[found.evaluation.measure].undefined for one in found.evaluation):
        raise typer.Exit(UNDEFINED)
    _end(worse if fail_unless_passed else [])


class Several:
    """Results that print one after another."""

    def __init__(self, results: Sequence[Any]) -> None:
        self._results = results

    def __str__(self) -> str:
        return "\n\n".join(map(str, self._results))


def _refuse_idle(options: dict[str, Any], about: str | None, *, fail_unless_passed: bool) -> None:
    """An option that would do nothing is a mistake."""
    given = [*options, *(["fail_unless_passed"] if fail_unless_passed else [])]
    for name in given:
        if about not in SERVES.get(name, (about,)):
            raise OptionError(
                Keyword(name), " is for ", *_questions(SERVES[name]), ", not for ", *_questions((about,)), "."
            )


def _questions(questions: Sequence[str | None]) -> list[Part]:
    """Questions in the words of the command."""
    return between(["the verdict on models" if one is None else Keyword("about", one) for one in questions], " or ")


def _print(study: Study, found: object, printing: Printing, form: str | None) -> None:
    """The result in words and tables, or the tables alone for other programs."""
    from accord.cli.terminal import show_all, tables_in

    if form is None:
        print_words(study, found, quiet=printing.quiet)
    else:
        show_all(tables_in(found), form)


def _answer(
    study: Study, about: str, options: dict[str, Any], printing: Printing, form: str | None, *, must_pass: bool
) -> None:
    """The answers to another question, one after another."""
    from accord.judge.questions import results_about
    from accord.judge.to_json import judgement

    results = results_about(study, about, **options)
    if printing.as_json:
        found = [result.to_dict() for result in results]
        print_json(found[0] if len(found) == 1 else judgement(about, {}, {}, ()) | {"results": found})
    else:
        _print(study, Several(results), printing, form)
    _end([result.model for result in results if not result.passes] if must_pass else [])


def _end(worse: Sequence[str]) -> None:
    """Fine, or not where models had to pass and some do not."""
    if worse:
        tell_why(f"{', '.join(worse)} {'does' if len(worse) == 1 else 'do'} not pass.")
    raise typer.Exit(BELOW if worse else FINE)

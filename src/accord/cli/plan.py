"""`accord plan`: how many items to label, or how many annotators a mean score needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli.application import FINE, UNDEFINED, app
from accord.cli.load_and_print import measure_named, print_json, refuse_level_and_weights, study_of, tell_of_settings
from accord.cli.option_spelling import StandsFor
from accord.cli.options import WHAT, Form, Printing, SourceOptions, Weights, Word, option, takes
from accord.errors import Keyword, Message, OptionError, quoted
from accord.options import whole_number

if TYPE_CHECKING:
    from accord.planning.plan_result import Plan


SHARES = "be each label with its share, such as yes=.7,no=.3"
PILOT = typer.Argument(metavar="FILE", help=f"A pilot study. {WHAT}", show_default=False)


@dataclass(frozen=True)
class Pilot(SourceOptions):
    """A pilot, if there is one: the same options as for any data, and none needed."""

    may_be_none = True
    files: Annotated[list[Path], PILOT] = field(default_factory=list)
    annotators: Annotated[
        Word,
        option("Whose answers", "Only these annotators, with commas; with --margins, how many answer an item."),
        StandsFor("annotators"),
        StandsFor("n_annotators"),
    ] = None


@app.command(epilog="accord plan pilot.csv --width 0.1\n\n"
             "accord plan --margins yes=.7,no=.3 --value .7 --annotators 3 --above .6\n\n"
             "accord plan scores.csv --reliability 0.8")  # fmt: skip
@takes(Pilot, Printing)
def plan(
    pilot: Pilot,
    printing: Printing,
    width: Annotated[
        float | None, option("Target", "The full width of the interval, from end to end: 0.1 is value ± 0.05.")
    ] = None,
    above: Annotated[float | None, option("Target", "What the one-sided lower bound should be above.")] = None,
    reliability: Annotated[
        float | None, option("Target", "Of scores: what the mean of several annotators should reach; tells how many.")
    ] = None,
    consistency: Annotated[
        bool,
        option("Target", "With --reliability: annotators' severity does not count, only differences between items."),
    ] = False,
    power: Annotated[float, option("Target", "The share of studies that should reach it; by default 0.8.")] = 0.8,
    confidence: Annotated[float, option("Target", "Of the interval or the bound; by default 0.95.")] = 0.95,
    margins: Annotated[Word, option("Without a pilot", "Each label's share: yes=.7,no=.3.")] = None,
    value: Annotated[float | None, option("Without a pilot", "What the measure is supposed to be.")] = None,
    name: Annotated[
        Word,
        option("Measuring", "The coefficient, such as krippendorff_alpha; by default what fits.", "--measure"),
        StandsFor("measure"),
    ] = None,
    weights: Weights = None,
    more: Annotated[int, option("Output", "After a pilot: what so many more items would buy; by default 100.")] = 100,
    n_simulations: Annotated[
        int, option("Drawing", "How many studies to draw of each size; by default 1000.", "--simulations")
    ] = 1000,
    seed: Annotated[int | None, option("Drawing", "Of what is drawn at random."), StandsFor("rng")] = None,
    form: Form = None,
) -> None:
    """How many items to label for an interval as narrow, or a lower bound as high, as wanted.

    With --reliability: how many annotators should score an item.
    """
    from accord.agreement.table_formats import check_format
    from accord.cli.terminal import working
    from accord.planning.how_many_items import plan as planned

    check_format(form)

    if (not pilot.files) == (margins is None):
        either = ("Give a pilot's FILE, or ", Keyword("margins"), " with ", Keyword("value"), ": one of the two.")
        raise OptionError(*either)
    if reliability is not None:
        _decide(pilot, printing, form, reliability, confidence, consistency=consistency)
        return
    if (width is None) == (above is None):
        raise OptionError(
            "Give ", Keyword("width"), " (of the interval) or ", Keyword("above"),
            " (for its lower bound): one of the two.",
        )  # fmt: skip
    options: dict[str, Any] = {
        "width": width, "above": above, "power": power, "confidence": confidence, "value": value,
        "measure": measure_named(name),
        "weights": weights, "n_simulations": n_simulations, "rng": seed,
    }  # fmt: skip
    refuse_level_and_weights(pilot, weights)
    if margins is None:
        study, settings = study_of(pilot, printing.quiet)
        tell_of_settings(pilot, quiet=printing.quiet)
        options["weights"] = weights or settings["measure"].get("weights")
        data: tuple[Any, ...] = (study,)
    else:
        options |= {"margins": _shares(margins), "n_annotators": _people(pilot.annotators), "level": pilot.levels}
        data = ()
    with working(["Drawing studies"], quiet=printing.quiet or printing.as_json) as (progress,):
        found = planned(*data, progress=progress, **options)
    _print(found, printing, more, form)
    raise typer.Exit(FINE if found.items is not None else UNDEFINED)


def _decide(
    pilot: Pilot, printing: Printing, form: str | None, target: float, confidence: float, *, consistency: bool
) -> None:
    """How many annotators a mean score needs."""
    from accord.cli.terminal import say, show, show_all
    from accord.planning.decision_study import decision_study

    if not pilot.files:
        raise OptionError(Keyword("reliability"), " needs a pilot's FILE with scores: their variances say how many.")
    study, _ = study_of(pilot, printing.quiet)
    tell_of_settings(pilot, quiet=printing.quiet)
    found = decision_study(study, target=target, error="C" if consistency else "A", confidence=confidence)
    tables = [found.to_table(), found.components.to_table()]
    if printing.as_json:
        print_json(found.to_dict())
    elif form is not None:
        show_all(tables, form)
    else:
        say(found)
        for table in () if printing.quiet else tables:
            say("")
            show(table)
    raise typer.Exit(FINE if found.annotators is not None else UNDEFINED)


def _shares(margins: str) -> dict[str, float]:
    """Shares from yes=.7,no=.3."""
    found: dict[str, float] = {}
    for part in margins.split(","):
        label, _, share = part.rpartition("=")
        if label.strip() in found:
            raise OptionError.must("margins", Message("name ", quoted(label.strip()), " once"), margins)
        try:
            found[label.strip()] = float(share)
        except ValueError:
            raise OptionError.must("margins", SHARES, margins) from None
        if not label.strip():
            raise OptionError.must("margins", SHARES, margins)
    return found


def _people(annotators: str | None) -> int | None:
    if annotators is None:
        return None
    number = whole_number(annotators)
    if number is None:
        rule = " is how many answer an item, such as 3; "
        raise OptionError(
            "With ", Keyword("margins"), ", ", Keyword("annotators"), f"{rule}got ", quoted(annotators[:40]), "."
        )
    return number


def _print(found: Plan, printing: Printing, more: int, form: str | None) -> None:
    from accord.cli.terminal import say, show, show_all

    bought = found.buys(more) if found.source == "pilot" else None
    if printing.as_json:
        print_json({**found.to_dict(), "buys": None if bought is None else bought.to_dict()["rows"]})
        return
    tables = [table for table in (found.to_table(), bought) if table is not None]
    if form is not None:
        show_all(tables, form)
        return
    say(found)
    for table in () if printing.quiet else tables:
        say("")
        show(table)

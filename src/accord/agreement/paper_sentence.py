"""The sentence for a paper: what was annotated by whom, the coefficient, how sure it is, and what a scale calls it."""

from __future__ import annotations

import math

from accord.agreement.interpretation import digits, interpret, places
from accord.agreement.measurements import Measurements
from accord.agreement.result import Agreement
from accord.agreement.uncertainty import WITHIN_ITEM, Interval
from accord.errors import MeasureError, OptionError, counted, percent
from accord.study.description import Description
from accord.study.study import Study

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def sentence(result: Agreement, benchmark: str | None, what: str | None) -> str:
    """Two sentences: who annotated what; then the coefficient, its interval, its word and observed agreement."""
    if what is not None and not isinstance(what, str):
        raise OptionError.must("what", "say in a word what was annotated", what)
    task = f" for {what}" if what else ""
    if result.study.tasks:
        return f"{who_answered(result.study, task)} {_of_variables(result)}"
    opening = who_answered(result.study, task)
    if result.undefined:
        return f"{opening} {named_in_full(result)} is undefined: {result.undefined}"
    meaning = interpret(result, benchmark, None)
    words = "" if meaning.undefined else f"; {meaning.called}, {meaning.uncertainty}"
    if result.entry.is_share:
        words = "; not corrected for chance"
    observed = f" with {_observed(result)}" if math.isfinite(result.observed) and not result.entry.is_share else ""
    return f"{opening} {named_in_full(result)} was {shown_value(result)} ({how_sure(result)}{words}){observed}."


def who_answered(study: Study, task: str) -> str:
    """Annotators, answers and items; items that cannot agree, and what was left out, where there is any."""
    about = study.describe()
    people = NUMBERS[about.annotators] if about.annotators < len(NUMBERS) else f"{about.annotators:,}"
    unnamed = not study.tasks and not study._annotations.named  # a table of counts names nobody
    who = f"{'up to ' if unnamed else ''}{people} {_noun(study, one=about.annotators == 1)}"
    over = f" on {counted(len(study.tasks), 'variables')}" if study.tasks else ""
    gave = f"{who[:1].upper()}{who[1:]} {_did(study, about)}"
    alone = about.single_answer_items
    single = f"; {counted(alone, 'items')} with a single answer cannot agree" if alone else ""
    weighted = f"; items are {about.weighting}" if about.item_weight is not None else ""
    lost = about.left_out if study._whole else {}  # of a part nobody knows whose the answers were that are left out
    without = [counted(number, reason) for reason, number in lost.items()]
    left_out = f"; left out: {', '.join(without)}" if without else ""
    return f"{gave}{over}{task}{single}{left_out}{weighted}."


def _did(study: Study, about: Description) -> str:
    """What they gave to how many items; of spans and rankings what they did in how many documents or queries."""
    if not study.tasks and study.kind == "spans":
        return f"marked {counted(sum(about.labels.values()), 'spans')} in {counted(about.items, 'documents')}"
    if not study.tasks and study.kind == "ranking":
        return f"ranked the options of {counted(about.items, 'queries')} ({counted(about.annotations, 'rankings')})"
    return f"gave {counted(about.annotations, 'answers')} to {counted(about.items, 'items')}"


def _noun(study: Study, *, one: bool) -> str:
    """What those are who answered: people or models where the study says so of all of them, else annotators."""
    parts = study.tasks.values() or [study]
    if any(part.kinds for part in parts) and not any(part.models or part.adjudicators or part.others for part in parts):
        return "person" if one else "people"
    if all(part.models and not part.people and not part.adjudicators for part in parts):
        return "model" if one else "models"
    return "annotator" if one else "annotators"


def _of_variables(result: Agreement) -> str:
    """One clause for each coefficient, with the values of its variables; then what has none."""
    best_of = result.recipe.best_of_variables or (lambda part: result.recipe.of_part(result, part))
    together: dict[str, list[str]] = {}
    undefined: list[str] = []
    unmeasured: list[str] = []
    differ = len({part.tally().n_compared for part in result.study.tasks.values()}) > 1  # each then says its own
    for name, part in result.study.tasks.items():
        try:
            found = best_of(part)
        except MeasureError:  # no measure takes what the variable holds
            unmeasured.append(str(name))
            continue
        if found.undefined:
            undefined.append(str(name))
            continue
        span = found.interval()
        inside = [
            *([both_ends(found, span)] if math.isfinite(span.low) else []),
            *([counted(found.n_items, "items")] if differ else []),
        ]
        ends = f" ({', '.join(inside)})" if inside else ""
        sure = f"{percent(span.confidence)} confidence intervals ({span.method} over {over_what(span)})"
        named = f"{named_in_full(found)}{f', with {sure},' if math.isfinite(span.low) else ''}"
        together.setdefault(named, []).append(f"{shown_value(found)}{ends} for {name}")
    clauses = [f"{title} was {', '.join(values)}" for title, values in together.items()]
    clauses += [
        f"{what}: {', '.join(names)}"
        for what, names in (("undefined", undefined), ("not measured", unmeasured))
        if names
    ]
    text = "; ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}."


def of_suggestions(found: Measurements) -> list[str]:
    """Where labels were suggested: how far annotators agree among themselves beside on what, or the other way round."""
    first, *others = found
    if first.study.tasks or first.by is not None:
        return []
    judges = first.entry.role is not None
    fitting = [one for one in others if (one.entry.role is None) == judges and one.entry.chance_corrected]
    other = next((one for one in fitting if not one.undefined), None)
    if other is None or first.undefined:
        return []
    value = f"{named_in_full(other)} was {shown_value(other)} ({how_sure(other)})"
    if judges:
        return [f"Among the annotators themselves, {value}."]
    return [f"Of the labels that were stored with the items, {value}."]


def named_in_full(result: Agreement) -> str:
    """The title, and the level or the weights even where they are the plain ones of a coefficient that has several."""
    level = result.options.get("level")
    return result.entry.titled(str(level)) if level == "nominal" else result.title


def is_weighted(result: Agreement) -> bool:
    """Does observed agreement give credit for near misses, so that it is no share of pairs that match?"""
    options = (result.options.get("weights"), result.options.get("level"))
    return result.entry.partial_credit or not all(_plain(option) for option in options)


def shown_value(result: Agreement) -> str:
    """The value with the digits of sentences; a share in per cent."""
    return _share(result.value, places(result)) if result.entry.is_share else digits(result)


def _share(value: float, number: int) -> str:
    """A share in per cent, with as many digits as it would have as a number."""
    return f"{100 * value:z.{number - 2}f}%"


def how_sure(result: Agreement) -> str:
    """The interval with its confidence, its method, and over what it is."""
    span = result.interval()
    if math.isnan(span.low):
        return "no interval"
    confidence = percent(span.confidence)
    return f"{confidence} confidence interval {both_ends(result, span)}, {span.method} over {over_what(span)}"


def both_ends(result: Agreement, span: Interval, between: str = " to ") -> str:
    """Both ends of an interval, with the digits of the value."""
    number = places(result)
    if result.entry.is_share:
        return f"{_share(span.low, number)}{between}{_share(span.high, number)}"
    return f"{span.low:z.{number}f}{between}{span.high:z.{number}f}"


def over_what(span: Interval) -> str:
    """What might have been drawn otherwise."""
    if span.clusters is not None:
        return counted(span.clusters, "clusters of items")
    if span.method == WITHIN_ITEM:
        return "the parts of a single item"
    return {"both": "items and annotators"}.get(span.resample, span.resample)


def _observed(result: Agreement) -> str:
    """Observed agreement as what it is: a share of pairs that match, a mean of partial credit, or two shares apart."""
    own = result.coefficient.observed_in_words() if result.coefficient is not None else None
    if own:
        return own
    number = places(result)
    if is_weighted(result):
        return f"weighted observed agreement {result.observed:z.{number}f}"  # near misses count for something
    return f"observed agreement of {_share(result.observed, number)}"


def _plain(option: object) -> bool:
    """Does an option for weights or for the level leave answers the same or not? An array is a table of one's own."""
    return option is None or (isinstance(option, str) and option in ("identity", "nominal"))

"""The strip: value against target, items, people, gaps, contested, undecided; and the answer for each model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from accord.agreement.interpretation import digits, spread
from accord.agreement.result import Agreement
from accord.agreement.table_formats import cut, marked, one_line, safe
from accord.errors import counted
from accord.reporting.context import Context, Section
from accord.reporting.links import link
from accord.reporting.sections.verdict import own_reading

MOST_LETTERS = 6  # of a number in large type
MODELS_IN_FACTS = 6  # on the first screen; the section has all

State: TypeAlias = Literal["good", "warning", "plain"]


@dataclass(frozen=True)
class Fact:
    """One tile: what it is, its number, what it means, and where more is told."""

    name: str
    number: str
    remark: str
    state: State = "plain"
    place: str = ""  # an anchor


def needs(_context: Context) -> bool:
    """Every report begins with facts."""
    return True


def build(context: Context) -> Section:
    """The first thing that is seen."""
    facts = facts_of(context)
    tiles = "".join(_tile(fact) for fact in facts)
    lines = [f"- **{marked(fact.name)}**: {marked(fact.number)}. {marked(fact.remark)}".rstrip() for fact in facts]
    verdicts = _models(context)
    body = f'<dl class="strip">{tiles}</dl>'
    if verdicts:
        listed = "".join(f"<li>{safe(cut(sentence, 300))}</li>" for sentence in verdicts)
        body += f'<h3>{link("models", "The models")}</h3><ul class="answers">{listed}</ul>'
        lines += ["", *(f"- {marked(sentence)}" for sentence in verdicts)]
    return Section("facts", "At a glance", body, "\n".join(lines))


def facts_of(context: Context) -> list[Fact]:
    """The facts that can be told of a study, in their order."""
    facts = (_value(context), _items(context), _people(context), _gaps(context), _contested(context))
    return [fact for fact in (*facts, _undecided(context)) if fact is not None]


def _tile(fact: Fact) -> str:
    name = link(fact.place, fact.name) if fact.place else safe(fact.name)
    long = ' class="long"' if len(fact.number) > MOST_LETTERS else ""
    return (
        f'<div class="fact {fact.state}"><dt>{name}</dt>'
        f"<dd><strong{long}>{safe(fact.number)}</strong> <span>{safe(fact.remark)}</span></dd></div>"
    )


def _parts(context: Context) -> tuple[Context, ...]:
    return context.parts or (context,)


# -- one fact each -----------------------------------------------------------------------------------------------------


def _value(context: Context) -> Fact | None:
    """The coefficient against the target: that of the findings, or the verdict's own where that is of variances."""
    found = context.findings
    if context.several:
        return _values(context)
    among = found.results.get(None)
    if among is None:
        return None
    main = among if context.main.entry.by_answers else context.main
    if main.undefined:
        return Fact(one_line(main.title), "undefined", "the verdict says why", "warning", "verdict")
    reading = own_reading(main)
    if reading:
        return Fact(one_line(main.title), digits(main), f"{spread(main)}; {reading}", place="coefficients")
    return Fact(one_line(main.title), digits(main, found.target), *_against(main, found.target), "coefficients")


def _values(context: Context) -> Fact:
    """How many variables reach the target, and between which values they lie."""
    found = context.findings
    values = sorted(one.value for one in found.results.values() if not one.undefined)
    reached = sum(value > found.target for value in values)
    remark = f"above {found.target:.2f}"
    if values:
        remark += (
            f"; values from {values[0]:z.2f} to {values[-1]:z.2f}" if len(values) > 1 else f"; it is {values[0]:z.2f}"
        )
    if len(values) < len(context.parts):
        remark += f"; {len(context.parts) - len(values)} without a value"
    state: State = "good" if values and reached == len(values) else "warning"
    return Fact("Variables on target", f"{reached} of {len(values)}", remark, state, "groups")


def _against(main: Agreement, target: float) -> tuple[str, State]:
    """In words, and as a state: above the target for sure, above it, below it."""
    low, _ = main.interval()
    span = f"{spread(main, target=target)}; "
    if math.isnan(low):
        side = "below" if main.value <= target else "above"
        return f"{span}{side} the target, {target:.2f}, but that is not settled", "plain"
    if main.value <= target:
        return f"{span}below the target, {target:.2f}", "warning"
    if low <= target:
        return f"{span}above the target, {target:.2f}, but not for sure", "plain"
    return f"{span}above the target, {target:.2f}", "good"


def _items(context: Context) -> Fact:
    about = context.study.describe()
    weighted = f"; {about.weighting}" if about.item_weight is not None else ""
    if context.several:
        several = counted(len(context.parts), "variables")
        return Fact("Items", f"{about.items:,}", f"{several}{weighted}", place="measured")
    single = f"; {about.single_answer_items:,} with one answer only" if about.single_answer_items else ""
    return Fact(
        "Items", f"{about.items:,}", f"{_per_item([context])} answers per item{single}{weighted}", place="measured"
    )


def _per_item(parts: Sequence[Context]) -> str:
    """How many answers an item has: 10, or 3 to 5."""
    ends = [part.study.describe().answers_per_item for part in parts]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _people(context: Context) -> Fact:
    participants = context.participants
    if participants is not None:
        models = counted(len(participants.models), "models")
        return Fact("People", f"{len(participants.people):,}", f"and {models}", place="annotators")
    number = context.study.describe().annotators
    if not context.named:
        return Fact("Annotators", f"up to {number:,}", "per item; nobody is named", place="measured")
    return Fact("Annotators", f"{number:,}", "", place="measured" if context.several else "annotators")


def _gaps(context: Context) -> Fact | None:
    counts = [part.missing for part in _parts(context) if part.missing is not None]
    possible = sum(all_pairs for _, all_pairs in counts)
    if not possible:
        return None
    missing = sum(missing for missing, _ in counts)
    if not missing:
        return Fact("Gaps", "none", "everybody answered every item", "good", "measured")
    crowds = [part for part in _parts(context) if part.missing is not None]
    if all(part.crowd for part in crowds):
        return Fact("Gaps", "by design", f"{_per_item(crowds)} answers per item", place="measured")
    share = missing / possible
    number = "under 1%" if share < 0.01 else f"{share:.0%}"
    return Fact("Gaps", number, f"{missing:,} of {possible:,} answers are missing", place="measured")


def _contested(context: Context) -> Fact | None:
    parts = [part for part in _parts(context) if part.contested is not None]
    if not parts:
        return None
    number = sum(part.contested.all for part in parts if part.contested is not None)
    pairable = 0
    for part in parts:
        tally = part.study.tally()
        pairable += int(tally.items @ tally.pairable)
    remark = f"of {pairable:,} items with two or more answers" + (", over all variables" if context.several else "")
    if not pairable:
        return None
    return Fact("Contested", f"{number:,}", remark, place=f"{parts[0].prefix}items")


def _undecided(context: Context) -> Fact | None:
    found = [(part, part.gold) for part in _parts(context)]
    decided = [(part, gold) for part, gold in found if gold is not None]
    if not decided:
        return None
    items = sum(len(gold) for _, gold in decided)
    left = items - sum(gold.n_decided for _, gold in decided)
    named = {"majority": "the majority", "expert-index": "the expert index"}
    method = f"by {' and '.join(dict.fromkeys(named[gold.method] for _, gold in decided))}"
    state: State = "good" if not left else "plain"
    return Fact("Undecided", f"{left:,}", f"of {items:,} items, {method}", state, f"{decided[0][0].prefix}gold")


# -- models ------------------------------------------------------------------------------------------------------------


def _models(context: Context) -> list[str]:
    """The answer for each model, those of every variable."""
    sentences = []
    for part in _parts(context):
        found = part.model_verdict
        of = "" if part.variable is None else f"{part.variable}: "
        sentences += [] if found is None else [f"{of}{found.sentence(name, reasons=False)}" for name in found.models]
    return sentences[:MODELS_IN_FACTS]

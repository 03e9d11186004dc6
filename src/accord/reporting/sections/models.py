"""Models among the annotators: what each reaches beside what people reach, and whether it may stand in for one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.errors import AccordError
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure

if TYPE_CHECKING:
    from accord.judge.participants import Participants
    from accord.judge.verdicts import Verdict

MODELS_SHOWN = 30
PAIRS_SHOWN = 30  # of models whose errors go together, the closest first
LABELLED = 6  # models whose labels are shown one by one
DRAWS, MANY_ITEMS = 500, 200_000  # resamples; none for larger studies, whose intervals would be points

MEANING = (
    "The winning rate ω is the share of people whom the model is shown to be no more than ε worse than at agreeing "
    "with the other people; it passes from one half on. The advantage ρ is how often it is at least as close to them."
)


def needs(context: Context) -> bool:
    """One variable of single labels whose `kind` column tells people from models, each answering an item once."""
    study = context.study
    if context.several or "kind" not in study.roles or study.kind != "single":
        return False
    participants = _participants(context)
    return (
        participants is not None
        and bool(participants.models)
        and bool(participants.people)
        and not study._annotations.repeated
    )


def _participants(context: Context) -> Participants | None:
    from accord.judge.participants import participants_of

    try:
        return participants_of(context.study)
    except AccordError:  # a kind that is no kind: other sections still have something to say
        return None


def build(context: Context) -> Section:
    """A sentence per model, a chart with what people reach, the test in each person's place, and the labels."""
    from accord.judge.verdicts import verdict

    participants = _participants(context)
    assert participants is not None
    models = list(participants.models)[:MODELS_SHOWN]
    found = verdict(context.study, models=models, n_resamples=DRAWS if context.study.n_items <= MANY_ITEMS else 0)
    sentences = [found.sentence(name) for name in found.models]
    body = [_paragraph(sentence) for sentence in sentences]
    if found.alternative is not None:
        body.append(f'<p class="note">{safe(MEANING)}</p>')
    markdown = [line for sentence in sentences for line in (marked(sentence), "")]
    if len(participants.models) > len(models):
        note = f"The first {len(models)} of {len(participants.models)} models are shown."
        body.append(f'<p class="note">{safe(note)}</p>')
        markdown += [note, ""]
    body.append(_chart(found))
    tables = [_summary(found), *_tables(found), *_together(context, models)]
    body += [as_html(table) for table in tables]
    body += [f'<p class="note">{safe(note)}</p>' for note in found.notes]
    markdown += [as_markdown(table) for table in tables]
    markdown += [marked(note) for note in found.notes]
    body += _curve(found)
    return Section("models", "Models", "".join(body), "\n".join(markdown))


def _paragraph(sentence: str) -> str:
    """The answer in bold, then its reasons."""
    first, stop, rest = sentence.partition(". ")
    return f"<p><strong>{safe(first)}{stop.strip()}</strong> {safe(rest)}</p>"


def _chart(found: Verdict) -> str:
    """Each model's value with its interval, and below them what people reach, from below and from above."""
    measure, systems = found.evaluation.measure, list(found.evaluation)
    rows = [(one.name, one.values[measure].value, one.values[measure].low, one.values[measure].high) for one in systems]
    reach = systems[0].ceiling
    if reach is not None:
        gold = found.evaluation.against == "gold"
        shown = {"a person": reach.person[measure]}
        if gold:
            shown["the majority of people"] = reach.above[measure]
        else:
            shown |= {"people (at least)": reach.below[measure], "people (at most)": reach.above[measure]}
        rows += [(name, one.value, one.low, one.high) for name, one in shown.items()]
    rows = [row for row in rows if math.isfinite(row[1])]
    if not rows:
        return ""
    table = Table(
        f"{measure} against {found.evaluation.against}",
        {name: [row[place] for row in rows] for place, name in enumerate(("who", "value", "low", "high"))},
    )
    spoken = "; ".join(f"{name} {value:.2f}" for name, value, *_ in rows)
    title = f"{measure.capitalize()} against {found.evaluation.against}, 95% intervals, and what people reach"
    return figure("forest", (rows, title), table, spoken)


def _summary(found: Verdict) -> Table:
    """What fits on a page: the answer, the value, and the test."""
    table = found.to_table()
    shown = [name for name in table.columns if name not in ("low", "high", "likeness", "z")]
    return Table(table.title, {name: table[name] for name in shown}, table.notes)


def _tables(found: Verdict) -> list[Table]:
    tables = [found.evaluation.compared] if len(found.evaluation.compared) else []
    if found.alternative is not None:
        for place, one in enumerate(list(found.alternative)[:LABELLED]):
            shown = ("annotator", "items", "person_wins", "model_wins", "advantage", "p_t", "p_tango")
            title = f"{one.model} in each person's place (ε = {one.epsilon:g})"
            data = {name: one.annotators[name] for name in shown}
            passed = ["yes" if rejected else "no" for rejected in one.annotators["rejected"]]
            tables.append(Table(title, {**data, "no worse": passed}, one.annotators.notes if not place else ()))
    for place, judged in enumerate(list(found.evaluation)[:LABELLED]):
        data = {name: judged.labels[name] for name in ("label", "reference", "predicted", "precision", "recall", "f1")}
        tables.append(
            Table(f"{judged.name}: precision and recall by label", data, judged.labels.notes if not place else ())
        )
    return tables


def _together(context: Context, models: list[str]) -> list[Table]:
    """Models as one panel, and their labels as suggestions, side by side."""
    from accord.judge.panels import panel
    from accord.judge.suggesters_side_by_side import side_by_side

    if len(models) < 2:
        return []
    try:
        jury = panel(context.study, models=models)
        suggested = side_by_side(context.study, models=models).to_table()
    except AccordError:  # nothing to hold a panel to: people are level on every item
        return []
    shown = [name for name in ("suggester", "value", "low", "high", "right", "wrong", "items", "undefined")
             if any(suggested[name])]  # fmt: skip
    pairs = Table(jury.pairs.title, jury.pairs.data, (jury.sentence(), *jury.pairs.notes))
    closest = pairs.sorted("correlation", descending=True).head(PAIRS_SHOWN) if len(pairs) > PAIRS_SHOWN else pairs
    return [closest, Table(f"Labels as suggestions: {suggested.title}", {name: suggested[name] for name in shown})]


def _curve(found: Verdict) -> list[str]:
    """ω by margin, for the model with the highest advantage."""
    tests = [one for one in found.alternative or () if not one.undefined]
    if not tests:
        return []
    best = max(tests, key=lambda one: one.rho)
    spoken = f"{best.model} passes (ω at least 0.5) " + (
        "at no margin." if math.isnan(best.least_margin) else f"from ε = {best.least_margin:g} on."
    )
    parts = (best.points(), best.curve.title, "margin ε", "winning rate ω")
    return [figure("curve", parts, best.curve, spoken)]

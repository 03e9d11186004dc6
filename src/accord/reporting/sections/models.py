"""Models among the annotators: what each reaches beside what people reach, and whether it may stand in for one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from accord.agreement.table import Table, cell_text
from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.errors import AccordError
from accord.reporting.context import MODELS_SHOWN, Context, Section
from accord.reporting.figures import figure

if TYPE_CHECKING:
    from accord.judge.alt_test_result import AltTest
    from accord.judge.verdicts import Verdict

PAIRS_SHOWN = 30  # of models whose errors go together, the closest first
LABELLED = 6  # models whose labels are shown one by one

MEANING = (
    "The winning rate ω is the share of people whom the model is shown to be no more than ε worse than at agreeing "
    "with the other people; it passes from one half on. The advantage ρ is how often it is at least as close to them."
)
# What the columns of a verdict are called on a page.
PLAIN = {
    "a_person": "a person has",
    "omega": "winning rate ω",
    "rho": "advantage ρ",
    "least_margin": "passes from ε on",
    "unparsable": "unreadable answers",
    "person_wins": "the person wins",
    "model_wins": "the model wins",
    "p_t": "p (t test)",
    "p_tango": "p (Tango)",
    "p_holm": "p, corrected",
    "f1": "F1",
    "common_items": "items of both",
    "both_wrong": "items both get wrong",
    "same_wrong": "of these, the same wrong label",
    "right": "pairs on the suggested label",
    "wrong": "pairs on another label",
}


def needs(context: Context) -> bool:
    """One variable of single labels by people and by models, each answering an item once."""
    study = context.with_models
    return context.participants is not None and study.kind == "single" and not study._annotations.repeated


def build(context: Context) -> Section:
    """A sentence per model, a chart with what people reach, one table; what is behind it unfolds."""
    found, participants = context.model_verdict, context.participants
    assert found is not None
    assert participants is not None
    sentences = [found.sentence(name) for name in found.models]
    body = [_paragraph(found, name) for name in found.models]
    markdown = [line for sentence in sentences for line in (marked(sentence), "")]
    if len(participants.models) > len(found.models):
        note = f"The first {MODELS_SHOWN} of {len(participants.models)} models are shown."
        body.append(f'<p class="note">{safe(note)}</p>')
        markdown += [note, ""]
    summary = _summary(found)
    body += [_chart(context, found), _shown(summary)]
    markdown.append(as_markdown(summary))
    if found.alternative is not None:
        body.append(f'<p class="note">{safe(MEANING)}</p>')
    body += [f'<p class="note">{safe(note)}</p>' for note in found.notes]
    for title, tables, more in _details(context, found):
        inner = "".join(_shown(table) for table in tables)
        body.append(f"<details><summary>{safe(title)}</summary>{inner}{more}</details>")
        markdown += [as_markdown(table) for table in tables]
    markdown += [marked(note) for note in found.notes]
    return Section("models", "Models", "".join(body), "\n".join(markdown))


def _shown(table: Table) -> str:
    return as_html(table, names=[PLAIN.get(name, name.replace("_", " ")) for name in table.columns])


def _paragraph(found: Verdict, name: str) -> str:
    """The answer in bold, then its reasons."""
    answer, whole = found.sentence(name, reasons=False), found.sentence(name)
    return f"<p><strong>{safe(answer)}</strong> {safe(whole.removeprefix(answer).strip())}</p>"


def _chart(context: Context, found: Verdict) -> str:
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
    spoken = "; ".join(f"{name} {value:z.2f}" for name, value, *_ in rows)
    title = f"{measure.capitalize()} against {found.evaluation.against}, 95% intervals, and what people reach"
    links = context.all_behind(
        {"annotators": (name,), "agree": "no"} if name in found.models else {"agree": "no"} for name, *_ in rows
    )
    return figure("forest", (rows, title), table, spoken, links=links)


def _summary(found: Verdict) -> Table:
    """The essentials: the answer, the value with its interval, a person's, and the test."""
    table, measure = found.to_table(), found.evaluation.measure
    spans = [
        f"{cell_text(low)}\u00a0to\u00a0{cell_text(high)}"
        for low, high in zip(table["low"], table["high"], strict=True)
    ]
    columns: dict[str, Any] = {
        "model": table["model"],
        "answer": table["answer"],
        measure: table[measure],
        "95% interval": spans,
    }
    for name in ("a_person", "omega", "rho", "least_margin", "items", "unparsable"):
        columns[name] = table[name]
    return Table(table.title, columns, table.notes)


def _details(context: Context, found: Verdict) -> list[tuple[str, list[Table], str]]:
    """What unfolds below the essentials: a title, tables, and a chart."""
    parts: list[tuple[str, list[Table], str]] = []
    if found.alternative is not None:
        tests = [_in_their_place(one) for one in list(found.alternative)[:LABELLED]]
        parts.append(("Each model in each person's place", tests, "".join(_curve(found))))
    labelled = []
    for place, judged in enumerate(list(found.evaluation)[:LABELLED]):
        data = {name: judged.labels[name] for name in ("label", "reference", "predicted", "precision", "recall", "f1")}
        notes = judged.labels.notes if not place else ()
        labelled.append(Table(f"{judged.name}: precision and recall by label", data, notes))
    parts.append(("Precision and recall by label", labelled, ""))
    if len(found.evaluation.compared):
        parts.append(("Models compared two by two", [found.evaluation.compared], ""))
    together = _together(context, list(found.models))
    if together:
        parts.append(("Models as one panel, and as suggesters", together, ""))
    return parts


def _in_their_place(one: AltTest) -> Table:
    """The alternative annotator test, a row per person."""
    shown = ("annotator", "items", "person_wins", "model_wins", "advantage", "p_t", "p_tango")
    passed = ["yes" if rejected else "no" for rejected in one.annotators["rejected"]]
    data = {name: one.annotators[name] for name in shown}
    return Table(f"{one.model} (ε = {one.epsilon:g})", {**data, "no worse": passed}, one.annotators.notes)


def _together(context: Context, models: list[str]) -> list[Table]:
    """Models as one panel, and their labels as suggestions, side by side."""
    from accord.judge.panels import panel
    from accord.judge.suggesters_side_by_side import side_by_side

    if len(models) < 2:
        return []
    try:
        jury = panel(context.with_models, models=models)
        suggested = side_by_side(context.with_models, models=models).to_table()
    except AccordError:  # nothing to hold a panel to: people are tied on every item
        return []
    shown = [name for name in ("suggester", "value", "low", "high", "right", "wrong", "items", "undefined")
             if any(suggested[name])]  # fmt: skip
    notes = (jury.sentence(), *jury.pairs.notes)
    pairs = Table(jury.pairs.title, jury.pairs.data, notes)
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

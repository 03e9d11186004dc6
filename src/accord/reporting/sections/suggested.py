"""Suggested labels: does the annotators' agreement speak for them? By label, and several suggesters compared."""

from __future__ import annotations

import math

from accord.agreement.build import differential
from accord.agreement.interpretation import digits, spread
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.coefficients.dipietro_hazari import Differential
from accord.measures.dipietro_hazari import dipietro_hazari_kappa
from accord.reporting.context import ITEMS_SHOWN, Context, Section
from accord.reporting.figures import forest_or_table


def needs(context: Context) -> bool:
    """One variable whose items have suggested labels."""
    return not context.several and _found(context) is not None


def _found(context: Context) -> Agreement | None:
    return context.measured(dipietro_hazari_kappa)


def build(context: Context) -> Section:
    """κ_DH and its parts, and the labels and items where suggestions are poor."""
    found = _found(context)
    assert found is not None
    text = f"{found.title} is undefined. {found.undefined}"
    if not found.undefined:
        text = f"{found.title} is {digits(found)} ({spread(found)}): {_meaning(found)}."
    body = [f"<p><strong>{safe(text)}</strong></p>", *(f"<p>{safe(note)}</p>" for note in found.notes)]
    markdown = [marked(text), "", *(marked(note) for note in found.notes), ""]
    judged = differential(found)
    if judged is not None and not found.undefined:
        by_label = found.by_label()
        tables = [_parts(judged), by_label]
        body.append(as_html(tables[0]))
        rows = [(str(row["label"]), row["value"], math.nan, math.nan) for row in by_label]
        title, axis = f"{found.title} by suggested label", "value (1: everyone gives the suggested label)"
        links = context.all_behind({"suggested": label} for label, *_ in rows)
        body.append(forest_or_table(rows, title, by_label, axis=axis, links=links))
        poor = _poor(found)
        if len(poor):
            body.append(as_html(poor, sortable=True))
        markdown += [as_markdown(table) for table in tables]
    compared = _compared(context)
    body += [as_html(table) for table in compared]
    markdown += [as_markdown(table) for table in compared]
    return Section("suggested", "Suggested labels", "".join(body), "\n".join(markdown))


def _meaning(found: Agreement) -> str:
    if found.value > 0:
        return "annotators agree on the suggested label more than on others"
    return "annotators agree on other labels at least as much as on the suggested ones"


def _parts(found: Differential) -> Table:
    """R̄, S̄, C_E and C_F."""
    return Table(
        "What it is made of",
        {
            "part": ["R̄", "S̄", "C_E", "C_F", "Fleiss' kappa"],
            "value": [
                found.observed_right,
                found.observed_wrong,
                found.expected_right,
                found.expected_wrong,
                found.fleiss,
            ],
            "what it is": [
                "pairs of answers that agree on the suggested label",
                "pairs of answers that agree on another label",
                "agreement on the suggested label by chance",
                "agreement on another label by chance",
                "of the annotators among themselves, on these items: are they fit to judge?",
            ],
        },
    )


def _compared(context: Context) -> list[Table]:
    """Several suggesters, where the table has more columns of suggestions: suggested, suggested_model …"""
    study, first = context.study, context.study.roles["suggested"]
    columns = [name for name in study.columns if name == first or name.startswith(("suggested_", f"{first}_"))]
    columns = [name for name in columns if name not in study.roles.values() or name == first]
    if len(columns) < 2:
        return []
    from accord.suggestions import compare_suggesters

    found = compare_suggesters(study, columns)
    return [found.to_table(), found.differences()]


def _poor(found: Agreement) -> Table:
    """Items whose suggestion most annotators reject."""
    table = found.by_item()
    kept = [row for row in table if row["verdict"] == "very poor"]
    shown = kept[:ITEMS_SHOWN]
    data: dict[str, list[object]] = {
        "item": [str(row["item"]) for row in shown],
        "suggested": [str(row["suggested"]) for row in shown],
        "answers": [row["answers"] for row in shown],
        "gave the suggested label": [row["on_it"] for row in shown],
    }
    notes: tuple[str, ...] = ()
    if len(kept) > len(shown):
        notes = (f"{len(shown)} of {len(kept):,} such items are shown.",)
    return Table("Items where most annotators gave one other label than the suggested one", data, notes)

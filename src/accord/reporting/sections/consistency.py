"""Repeated runs: how far each model agrees with itself, and where its noise comes from."""

from __future__ import annotations

from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.reporting.context import Context, Section

MODELS_SHOWN = 8
ITEMS_SHOWN = 15
MEANING = (
    "Self-consistency is precision, not truth: who always gives the same answer may be always wrong. Read it beside "
    "agreement with others."
)


def needs(context: Context) -> bool:
    """One variable of single labels, with somebody who answered items more than once."""
    study = context.with_models
    return not context.several and study.kind == "single" and study._annotations.named and bool(_who(context))


def _who(context: Context) -> list[str]:
    """Models that answered items again; of people, if nobody is known to be a model."""
    study = context.with_models
    if not study._annotations.repeated:
        return []
    from accord.agreement.self_agreement_result import repeaters

    again = repeaters(study)
    if "kind" not in study.roles:
        return again[:MODELS_SHOWN]
    from accord.judge.participants import participants_of

    models = participants_of(study).models
    return [name for name in again if name in models][:MODELS_SHOWN]


def build(context: Context) -> Section:
    """A sentence and a table for each, where the noise comes from, and the items to look at."""
    from accord.judge.repeated_runs import self_consistency

    html, markdown = [f'<p class="note">{safe(MEANING)}</p>'], [marked(MEANING), ""]
    for name in _who(context):
        found = self_consistency(context.with_models, model=name)
        sentence = found.sentence()
        waver = found.route(min(ITEMS_SHOWN, len(found.route())))
        shown = ("item", "answers", "commonest", "agreement", "normalised")
        items = Table(f"Items on which {name} wavers most", {column: waver[column] for column in shown}, waver.notes)
        tables = [found.to_table(), found.sources, found.levels, items if len(items) else None]
        present = [table for table in tables if table is not None]
        html += [f"<p>{safe(sentence)}</p>", *(as_html(table) for table in present)]
        markdown += [marked(sentence), "", *(as_markdown(table) for table in present)]
    return Section("consistency", "Repeated runs", "".join(html), "\n".join(markdown))

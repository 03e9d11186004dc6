"""Items: how agreement is spread, and the contested ones with their texts and answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.agreement import count_charts
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, safe
from accord.annotations.arrays import FloatArray, IntArray
from accord.findings.contested import ALIKE, given_answers
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure
from accord.reporting.finding_groups import groups
from accord.reporting.item_query import tenths
from accord.reporting.links import OF_ALL, link, row_marks

IN_MARKDOWN = 20
TALLIED = "Which items are contested is not told by a tally: the annotations that it was made from list them."
STAY = "Which items are contested is not listed: the annotations are too many to be brought here from their engine."


def needs(context: Context) -> bool:
    """One variable in which some item has two answers, that are not marked places."""
    return context.contested is not None


def build(context: Context) -> Section:
    """A histogram of items, and a list of the most contested."""
    main = context.agreement
    assert main.coefficient is not None
    observed, items = main.coefficient.decomposition().observed, main.coefficient.sample.units
    pairable = int(items[np.isfinite(observed)].sum())
    text = _text(observed, items, pairable)
    body, markdown = [f"<p>{safe(text)}</p>"], [text, ""]
    if pairable and context.study.kind != "score":
        bins = _bins(observed, items)
        words = ("Items by observed agreement", "observed agreement of the item", "items")
        links = context.all_behind({"observed": span} for span in tenths())
        body.append(figure("histogram", (observed.tolist(), items.tolist(), *words), bins, text, links=links))
        markdown.append(as_markdown(bins))
    if not context.study._annotations.lists_items:
        why = STAY if context.study._annotations.tells_items else TALLIED
        body.append(f"<p>{safe(why)}</p>")
        markdown.append(why)
    elif len(contested := _contested(context)):
        assert context.contested is not None
        body.append(_finding_links(context))
        body.append(_search(len(contested), f"{context.prefix}contested"))
        marks = row_marks(context, "items", context.contested.items.tolist())
        table = as_html(contested, sortable=True, marks=marks, stacked=True)
        body.append(f'<div id="{context.prefix}contested" class="contested">{table}</div>')
        markdown.append(as_markdown(contested.head(IN_MARKDOWN)))
    return Section("items", "Items", "".join(body), "\n".join(markdown))


def _text(observed: FloatArray, items: IntArray, pairable: int) -> str:
    full = int(items[observed >= ALIKE].sum())
    share = f" ({full / pairable:.0%})" if pairable else ""
    return f"{full:,} of {pairable:,} items with two or more answers are answered alike by everyone{share}."


def _finding_links(context: Context) -> str:
    """The way back to the finding that is about these items."""
    about = [group for group in groups(context.findings) if group.first.name in OF_ALL]
    links = [link(group.anchor, group.name) for group in about if context.variable in (*group.variables, None)]
    return f'<p class="see">In the findings: {", ".join(links)}</p>' if links else ""


def _search(number: int, table: str) -> str:
    return (
        f'<p class="tools"><label>Search {number:,} contested items '
        f'<input type="search" class="search" data-for="{table}"></label> '
        f'<span class="note" data-count="{table}"></span></p>'
    )


def _bins(observed: FloatArray, items: IntArray) -> Table:
    counts = count_charts.binned(observed.tolist(), items.tolist())
    notes = ("A value on a limit belongs to the bin below it, 0 to the first.",)
    return Table(
        "Items by observed agreement", {"observed agreement": count_charts.bin_names(), "items": counts}, notes
    )


def _contested(context: Context) -> Table:
    """The items with the least agreement, with who said what; those to discuss first at the top."""
    study, found = context.study, context.contested
    assert found is not None
    order = found.items.tolist()
    agreed = "agreement" if study.kind == "score" else "observed"
    data: dict[str, Any] = {"item": [str(study.items[number]) for number in order], agreed: 1 - found.disagreement}
    if context.text_column is not None:
        data["text"] = context.texts(order)
    data["answers"] = given_answers(study, order)
    notes: tuple[str, ...] = ()
    if found.all > len(order):
        notes = (f"{len(order):,} of {found.all:,} contested items are shown, the least agreement first.",)
    return Table("Contested items, the least agreement first", data, notes)

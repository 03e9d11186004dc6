"""Items: how agreement is spread, and the contested ones with their texts and answers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from accord.reporting.context import ITEMS_SHOWN, TEXT_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_html, as_markdown, cell_text, safe
from accord.table import Table


def needs(context: Context) -> bool:
    """One variable in which some item has two answers."""
    return not context.several and context.main.coefficient is not None


def build(context: Context) -> Section:
    """A histogram of items, and a list of the most contested."""
    main = context.main
    assert main.coefficient is not None
    parts = main.coefficient.decomposition()
    items = main.coefficient.tally.items
    bins = _bins(parts.observed, items)
    full = int(items[parts.observed >= 1 - 1e-12].sum())
    pairable = int(items[np.isfinite(parts.observed)].sum())
    spoken = f"{full:,} of {pairable:,} items are answered alike by everyone."
    chart = (
        parts.observed.tolist(),
        items.tolist(),
        "Items by observed agreement",
        "observed agreement of the item",
        "items",
    )
    body = [f"<p>{safe(spoken)}</p>", figure("histogram", chart, bins, spoken)]
    contested, cut = _contested(context)
    markdown = [spoken, "", as_markdown(bins)]
    if len(contested):
        body.append(
            '<p><label>Search the contested items <input type="search" class="search" data-for="contested"></label></p>'
        )
        body.append(f'<div id="contested">{as_html(contested, sortable=True)}</div>')
        if cut:
            body.append(f'<p class="note">{safe(cut)}</p>')
        markdown.append(as_markdown(contested.head(20)))
    return Section("items", "Items", "".join(body), "\n".join(markdown))


def _bins(
    observed: np.ndarray[tuple[int], np.dtype[np.float64]], items: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> Table:
    edges = np.clip(np.ceil(observed * 10 - 1e-9) - 1, 0, 9)
    counts = [int(items[edges == k].sum()) for k in range(10)]
    names = [f"{k / 10:.1f} to {(k + 1) / 10:.1f}" for k in range(10)]
    return Table("Items by observed agreement", {"observed agreement": names, "items": counts})


def _contested(context: Context) -> tuple[Table, str]:
    """The items with the least agreement, with who said what."""
    main, study = context.main, context.study
    assert main.coefficient is not None
    tally = main.coefficient.tally
    observed = main.coefficient.decomposition().observed
    place = tally.locate() if tally.locate is not None else np.empty(0, np.int64)
    value = np.where(place >= 0, observed[place], np.nan) if len(observed) else np.full(len(place), np.nan)
    open_items = np.nonzero(value < 1 - 1e-12)[0]
    order = open_items[np.argsort(value[open_items], kind="stable")][:ITEMS_SHOWN]
    said = _answers(context, order)
    data: dict[str, Any] = {"item": [study.items[number] for number in order.tolist()], "observed": value[order]}
    if context.texts:
        data["text"] = [_cut(context.texts.get(study.items[number], "")) for number in order.tolist()]
    data["answers"] = said
    cut = ""
    if len(open_items) > ITEMS_SHOWN:
        cut = f"{ITEMS_SHOWN:,} of {len(open_items):,} contested items are shown, the least agreement first."
    return Table("Contested items, the least agreement first", data), cut


def _answers(context: Context, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[str]:
    """Who said what of each item; where nobody is named, how often each answer was given."""
    study = context.study
    item, annotator, answer, count = study.triples.rows
    chosen = np.isin(item, order)
    told: dict[int, list[str]] = {number: [] for number in order.tolist()}
    votes: dict[int, Counter[str]] = {number: Counter() for number in order.tolist()}
    for number, who, what, times in zip(
        *(column[chosen].tolist() for column in (item, annotator, answer, count)), strict=True
    ):
        text = cell_text(study.answers.value(what))
        votes[number][text] += times
        if study.triples.named:
            told[number].append(f"{study.annotators[who]}: {text}")
    if study.triples.named and study.n_annotators <= 12:
        return ["; ".join(told[number]) for number in order.tolist()]
    return [", ".join(f"{text} ×{times}" for text, times in votes[number].most_common()) for number in order.tolist()]


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_SHOWN else text[: TEXT_SHOWN - 1] + "…"

"""Items: how agreement is spread, and the contested ones with their texts and answers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from accord import plots
from accord.arrays import FloatArray, IntArray
from accord.reporting.context import ITEMS_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_html, as_markdown, cell_text, safe
from accord.table import Table

ALIKE = 1 - 1e-12
NAMED_ANSWERS = 12  # annotators up to whom each answer is told with its name
IN_MARKDOWN = 20


def needs(context: Context) -> bool:
    """One variable in which some item has two answers."""
    return not context.several and context.agreement.coefficient is not None


def build(context: Context) -> Section:
    """A histogram of items, and a list of the most contested."""
    main = context.agreement
    assert main.coefficient is not None
    observed, items = main.coefficient.decomposition().observed, main.coefficient.tally.items
    pairable = int(items[np.isfinite(observed)].sum())
    told = _told(observed, items, pairable)
    body, markdown = [f"<p>{safe(told)}</p>"], [told, ""]
    if pairable and context.study.kind != "score":
        bins = _bins(observed, items)
        words = ("Items by observed agreement", "observed agreement of the item", "items")
        body.append(figure("histogram", (observed.tolist(), items.tolist(), *words), bins, told))
        markdown.append(as_markdown(bins))
    contested = _contested(context)
    if len(contested):
        body.append(_search(len(contested)))
        body.append(f'<div id="contested">{as_html(contested, sortable=True)}</div>')
        markdown.append(as_markdown(contested.head(IN_MARKDOWN)))
    return Section("items", "Items", "".join(body), "\n".join(markdown))


def _told(observed: FloatArray, items: IntArray, pairable: int) -> str:
    full = int(items[observed >= ALIKE].sum())
    share = f" ({full / pairable:.0%})" if pairable else ""
    return f"{full:,} of {pairable:,} items with two or more answers are answered alike by everyone{share}."


def _search(number: int) -> str:
    return (
        f'<p class="tools"><label>Search {number:,} contested items '
        '<input type="search" class="search" data-for="contested"></label> '
        '<span class="note" data-count="contested"></span></p>'
    )


def _bins(observed: FloatArray, items: IntArray) -> Table:
    names = [f"{k / 10:.1f} to {(k + 1) / 10:.1f}" for k in range(10)]
    counts = plots.binned(observed.tolist(), items.tolist())
    notes = ("A value on a limit belongs to the bin below it, 0 to the first.",)
    return Table("Items by observed agreement", {"observed agreement": names, "items": counts}, notes)


def _contested(context: Context) -> Table:
    """The items with the least agreement, with who said what."""
    main, study = context.agreement, context.study
    assert main.coefficient is not None
    tally = main.coefficient.tally
    observed = main.coefficient.decomposition().observed
    place = tally.locate() if tally.locate is not None else np.empty(0, np.int64)
    value = np.full(len(place), np.nan)
    value[place >= 0] = observed[place[place >= 0]]
    contested = np.nonzero(value < ALIKE)[0]
    order = contested[np.argsort(value[contested], kind="stable")][:ITEMS_SHOWN].tolist()
    data: dict[str, Any] = {"item": [str(study.items[number]) for number in order], "observed": value[order]}
    if context.shows_texts:
        data["text"] = context.texts(order)
    data["answers"] = _answers(context, order)
    if study.kind == "score":
        del data["observed"]
        data = {"item": data.pop("item"), "agreement": value[order], **data}
    notes: tuple[str, ...] = ()
    if len(contested) > len(order):
        notes = (f"{len(order):,} of {len(contested):,} contested items are shown, the least agreement first.",)
    return Table("Contested items, the least agreement first", data, notes)


def _answers(context: Context, order: list[int]) -> list[str]:
    """Each answer with who gave it; in a crowd, or where nobody is named, with how many did."""
    study = context.study
    chosen = np.isin(study.triples.rows[0], np.array(order, dtype=np.int64))
    given: dict[int, dict[int, list[str]]] = {number: {} for number in order}
    votes: dict[int, Counter[int]] = {number: Counter() for number in order}
    for number, who, what, times in zip(*(column[chosen].tolist() for column in study.triples.rows), strict=True):
        votes[number][what] += times
        if study.triples.named:
            given[number].setdefault(what, []).append(study.annotators[who])
    names = study.triples.named and study.n_annotators <= NAMED_ANSWERS and study.kind != "score"
    told = []
    for number in order:
        if study.kind == "score":
            told.append(
                ", ".join(answer_text(study.answers.value(what), "score") for what in sorted(votes[number].elements()))
            )
            continue
        ranked = sorted(votes[number].items(), key=lambda vote: (-vote[1], vote[0]))
        parts = [(answer_text(study.answers.value(what), study.kind), what, times) for what, times in ranked]
        told.append(
            "\n".join(f"{text}: {', '.join(given[number][what])}" for text, what, _ in parts)
            if names
            else ", ".join(f"{text} ×{times}" for text, _, times in parts)
        )
    return told


def answer_text(answer: Any, kind: str) -> str:
    """An answer as people write it: a ranked one with its order, a number without needless digits."""
    if kind == "ranked" and isinstance(answer, tuple):
        return " > ".join(map(str, answer))
    if isinstance(answer, int | float):
        return f"{answer:g}"
    return cell_text(answer)

"""Every bar, cell and row of every chart, every finding and every listed item leads to the items behind it."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest

import accord
from accord.errors import OptionError
from accord.reporting.context import Context
from accord.reporting.item_query import ALL_ITEMS, ItemQuery
from accord.workbench.items_behind import ItemIndex
from accord.workbench.live_report import LiveReport
from tests.oracles.items_behind import with_option_at

STUDIES = sorted(path.stem for path in (Path(__file__).parents[2] / "examples").glob("*.csv"))
CURVES = ("ranked", "models")  # sections with a line over a number that is chosen: no part of it is about some items
LINK = re.compile(r'href="items\?([^"]*)"')


@cache
def live_of(name: str) -> LiveReport:
    return LiveReport(accord.datasets.load(name), lambda query: f"items?{query.address}", named=True)


@cache
def sections(name: str) -> dict[str, str]:
    return {key: body for key, _, body in live_of(name).page(ALL_ITEMS).sections}


def queries(body: str) -> set[ItemQuery]:
    return {ItemQuery.of(parse_qsl(html.unescape(link), keep_blank_values=True)) for link in LINK.findall(body)}


@pytest.mark.parametrize("name", STUDIES)
def test_every_chart_has_marks_that_lead_to_items(name: str) -> None:
    for key, body in sections(name).items():
        charts = re.findall(r'<svg role="(\w+)"', body)
        silent = [role for role in charts if role != "group"]
        assert not silent or key.split("-")[-1] in CURVES, (key, "a chart leads nowhere")


@pytest.mark.parametrize("name", STUDIES)
def test_every_finding_leads_to_items(name: str) -> None:
    findings = re.split(r'<div id="[^"]*" class="finding ', sections(name)["findings"])[1:]
    assert all(LINK.search(one) for one in findings)


@pytest.mark.parametrize("name", STUDIES)
def test_every_link_of_a_report_opens(name: str) -> None:
    live = live_of(name)
    asked = set().union(*(queries(body) for body in sections(name).values()))
    assert asked
    for query in asked:
        assert len(live.index(query).find(query)) <= len(live.index(query).study.items)


def test_numbers_that_are_labels_are_asked_for_as_scores_are() -> None:
    live = live_of("coded-articles")
    query = ItemQuery(variable="tone", score=(-np.inf, -2))
    index = live.index(query)
    item, _, answer, _ = index.study._annotations.rows
    low = index.study.labels.index(-2)
    assert set(index.find(query).tolist()) == set(item[answer == low].tolist())


def test_listed_items_lead_to_themselves() -> None:
    for name, section in (
        ("five-annotators", "items"),
        ("marked-names", "spans"),
        ("ranked-maps", "rankings"),
    ):
        single = [query for query in queries(sections(name)[section]) if len(query.items) == 1]
        assert single, name
        live = live_of(name)
        assert all(len(live.index(query).find(query)) == 1 for query in single)


def test_a_cell_of_places_has_the_rankings_that_put_the_option_there() -> None:
    """Against a slow and obvious count; the cells of an option have all items between them."""
    orders = {("q1", "ana"): "abc", ("q1", "ben"): "bac", ("q2", "ana"): "cab", ("q2", "ben"): "cba"}
    rows = [
        {"item": item, "annotator": who, "label": option, "rank": place}
        for (item, who), order in orders.items()
        for place, option in enumerate(order, start=1)
    ]
    index = ItemIndex(Context(accord.Study(rows, rank="rank", answers="ranking")))
    for option in "abc":
        for place in (1, 2, 3):
            found = index.find(ItemQuery(labels=(option,), place=(place - 0.5, place + 0.5)))
            assert {index.study.items[at] for at in found} == with_option_at(orders, option, place)
    with pytest.raises(OptionError, match="place must be asked of rankings"):
        index.find(ItemQuery(place=(0.5, 1.5)))


def test_a_bar_of_annotators_has_what_they_answered() -> None:
    live = live_of("crowd-labels")
    index = live.index(ALL_ITEMS)
    table = index.context.agreement.by_annotator()
    for low, high in ((-np.inf, 0.0), (0.0, 0.5), (0.5, 1.0)):
        inside = {name for name, value in zip(table["annotator"], table["value"], strict=True) if low < value <= high}
        item, who, _, _ = index.study._annotations.rows
        answered = {at for at, person in zip(item.tolist(), who.tolist(), strict=True)
                    if index.study.annotators[person] in inside}  # fmt: skip
        assert set(index.find(ItemQuery(with_others=(low, high))).tolist()) == answered


def test_a_row_of_a_suggested_label_has_the_items_that_it_was_suggested_for() -> None:
    live = live_of("suggested-labels")
    asked = [query for query in queries(sections("suggested-labels")["suggested"]) if query.suggested]
    every = [place for query in asked for place in live.index(query).find(query).tolist()]
    assert len(asked) > 1
    assert sorted(every) == list(range(len(live.study.items)))
    with pytest.raises(OptionError, match="suggested must be one of"):
        live.index(ALL_ITEMS).find(ItemQuery(suggested="nothing of the kind"))


def test_a_models_row_has_the_items_on_which_it_differs_from_another() -> None:
    live = live_of("people-and-models")
    models = {query.annotators[0] for query in queries(sections("people-and-models")["models"]) if query.annotators}
    assert models == set(live.study.models)
    for model in models:
        query = ItemQuery(annotators=(model,), agree="no")
        index = live.index(query)
        names = {index.study.items[place] for place in index.find(query)}
        item, who, answer, _ = live.study._annotations.rows
        given: dict[int, dict[str, int]] = {}
        for at, person, code in zip(item.tolist(), who.tolist(), answer.tolist(), strict=True):
            given.setdefault(at, {})[live.study.annotators[person]] = code
        differs = {live.study.items[at] for at, said in given.items() if model in said and len(set(said.values())) > 1}
        assert names == differs

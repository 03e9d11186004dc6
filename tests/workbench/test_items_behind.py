"""The items behind what a report draws, against a slow and obvious count."""

from __future__ import annotations

import html
import re
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

import accord
from accord.errors import OptionError
from accord.reporting.context import Context
from accord.reporting.item_query import ALL_ITEMS, ItemQuery
from accord.reporting.sections import gold, items, labels
from accord.workbench.items_behind import ItemIndex, narrowed
from accord.workbench.live_report import LiveReport
from tests.oracles import items_behind as oracle

ANSWERS = {
    "q1": {"ana": "x", "ben": "x", "cem": "x"},
    "q2": {"ana": "x", "ben": "y", "cem": "x"},
    "q3": {"ana": "y", "ben": "y"},
    "q4": {"ana": "z", "ben": "y", "cem": "x"},
    "q5": {"cem": "z"},
    "q6": {"ben": "y", "cem": "z"},
}
GROUP = {"q1": "de", "q2": "de", "q3": "fr", "q4": "fr", "q5": "fr", "q6": "de"}


@pytest.fixture(scope="module")
def index() -> ItemIndex:
    rows = [(item, who, label, GROUP[item]) for item, given in ANSWERS.items() for who, label in given.items()]
    table = {name: [row[at] for row in rows] for at, name in enumerate(("item", "annotator", "label", "language"))}
    return ItemIndex(Context(accord.Study(table)))


def found(index: ItemIndex, **asked: object) -> list[object]:
    return [index.study.items[place] for place in index.find(ItemQuery(**asked))]  # type: ignore[arg-type]


def test_every_cell_of_the_confusion_table_has_the_items_where_the_two_labels_met(index: ItemIndex) -> None:
    for one, other in product("xyz", repeat=2):
        assert found(index, labels=(one, other)) == oracle.where_labels_met(ANSWERS, one, other)


def test_a_bar_of_an_annotator_and_a_label_has_the_items_they_gave_it_to(index: ItemIndex) -> None:
    for who, label in product(("ana", "ben", "cem"), "xyz"):
        assert found(index, annotators=(who,), labels=(label,)) == oracle.given_by(ANSWERS, who, label)


def test_a_cell_of_two_annotators_has_the_items_on_which_they_differ(index: ItemIndex) -> None:
    for one, other in combinations(("ana", "ben", "cem"), 2):
        for agree, alike in (("no", False), ("yes", True)):
            met = oracle.answered_by_both(ANSWERS, one, other, alike=alike)
            assert found(index, annotators=(one, other), agree=agree) == met


def test_one_annotator_differs_where_anybody_said_something_else(index: ItemIndex) -> None:
    assert found(index, annotators=("ben",), agree="no") == ["q2", "q4", "q6"]
    assert found(index, agree="yes") == ["q1", "q3"]
    assert found(index, agree="no") == ["q2", "q4", "q6"]


def test_a_group_narrows_whose_answers_count(index: ItemIndex) -> None:
    assert found(index, group="language:de") == ["q1", "q2", "q6"]
    assert found(index, group="language:fr", labels=("z",)) == ["q4", "q5"]


def test_bars_of_a_histogram_share_the_items_without_overlap(index: ItemIndex) -> None:
    bins = [(tenth / 10, (tenth + 1) / 10) for tenth in range(10)]
    for name in ("observed", "confidence"):
        every = [item for span in bins for item in found(index, **{name: span})]
        assert len(set(every)) == len(every)
    assert found(index, observed=(0.0, 0.1)) == ["q4", "q6"]
    assert found(index, observed=(0.9, 1.0)) == ["q1", "q3"]
    assert found(index, confidence=(0.6, 0.7)) == ["q2"]


def test_items_are_found_by_gold_name_and_letters(index: ItemIndex) -> None:
    assert found(index, gold="x") == ["q1", "q2"]
    assert found(index, items=("q5", "q2")) == ["q2", "q5"]
    assert found(index, search="Q6") == ["q6"]


def test_what_the_study_does_not_have_is_an_error_with_what_there_is(index: ItemIndex) -> None:
    for asked in ({"labels": ("w",)}, {"annotators": ("dan",)}, {"group": "language:it"}, {"items": ("q9",)}):
        with pytest.raises(OptionError):
            found(index, **asked)


@pytest.mark.parametrize("said", [("agree", "maybe"), ("observed", "0.4"), ("confidence", "2-1"), ("state", "x")])
def test_an_address_that_says_nonsense_is_an_error(said: tuple[str, str]) -> None:
    with pytest.raises(OptionError):
        ItemQuery.of([said])


def test_an_address_says_what_was_asked_and_is_read_back() -> None:
    query = ItemQuery(
        variable="a & b", labels=("x", "<y>"), annotators=("ana",), agree="no", observed=(0.1, 0.25), items=("1", "ü"),
        group="language:de", search="50 %", state="open",
    )  # fmt: skip
    assert ItemQuery.of(parse_qsl(query.address)) == query
    assert str(ItemQuery()) == "All items"


def test_two_labels_of_a_set_are_of_two_people() -> None:
    answers = {
        (1, "a"): ["x", "y"],
        (1, "b"): [],
        (2, "a"): ["x", "y"],
        (2, "b"): ["y"],
        (3, "a"): ["x"],
        (3, "b"): ["y"],
    }
    rows = [(item, who, label) for (item, who), labels in answers.items() for label in labels or (None,)]
    table = {name: [row[at] for row in rows] for at, name in enumerate(("item", "annotator", "label"))}
    index = ItemIndex(Context(accord.Study(table, answers="set")))
    assert found(index, labels=("x", "y")) == [2, 3]
    assert found(index, labels=("x", "x")) == []


def test_every_link_of_a_report_leads_to_as_many_items_as_its_mark_says(index: ItemIndex) -> None:
    context = Context(index.study, address=lambda query: f"items?{query.address}")
    drawn = "".join(part.build(context).html for part in (labels, items, gold))
    links = re.findall(r'<a href="items\?([^"]*)" aria-label="([^"]*)"', drawn)
    assert len(links) > 50
    for address, said in links:
        query = ItemQuery.of(parse_qsl(address.replace("&amp;", "&")))
        places = index.find(query)
        if query.gold or query.observed or query.confidence:  # bars of items say how many there are
            assert f"{len(places):,}" == said.rsplit(": ", 1)[1], (query, said)


def test_a_report_that_stands_alone_leads_to_no_items(index: ItemIndex) -> None:
    drawn = gold.build(index.context).html
    assert "<a " not in drawn
    assert 'role="img"' in drawn


def test_a_narrowed_study_has_the_answers_that_were_asked_for(index: ItemIndex) -> None:
    asked = ItemQuery(items=("q2", "q4"), annotators=("ana", "ben"))
    part = narrowed(index, asked, index.find(asked))
    assert part.n_annotations == 4
    assert set(part.annotators) == {"ana", "ben", "cem"}


def scored() -> accord.Study:
    """Two people's scores of five items, and a third person's of two."""
    scores = {"ana": (1, 2, 3, 4, 5), "ben": (1, 4, 3, 2, 9), "cyd": (1, 2)}
    rows = [(f"q{place}", who, score) for who, given in scores.items() for place, score in enumerate(given)]
    columns = ("item", "annotator", "score")
    return accord.Study(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))


@pytest.mark.parametrize(
    ("asked", "items"),
    [
        ({"score": (1, 2)}, ["q1", "q3"]),
        ({"score": (-np.inf, 2)}, ["q0", "q1", "q3"]),
        ({"apart": (-np.inf, 0)}, ["q0", "q1", "q2"]),
        ({"apart": (0, 2)}, ["q1", "q3"]),
        ({"apart": (2, np.inf)}, ["q4"]),
        ({"mean": (3, 3), "annotators": ("ana", "ben")}, ["q1", "q2", "q3"]),
        ({"mean": (3, 3), "less": (2, 2), "annotators": ("ana", "ben")}, ["q3"]),
        ({"less": (-np.inf, -2), "annotators": ("ana", "ben")}, ["q1", "q4"]),
    ],
)
def test_scores_are_asked_for_by_what_they_are(asked: dict[str, Any], items: list[str]) -> None:
    index, query = ItemIndex(Context(scored())), ItemQuery(**asked)
    assert ItemQuery.of(parse_qsl(query.address)) == query
    assert [index.study.items[place] for place in index.find(query)] == items


def test_what_is_asked_of_other_answers_is_said() -> None:
    with pytest.raises(OptionError, match="be asked of two annotators"):
        ItemIndex(Context(scored())).find(ItemQuery(less=(1, 2)))
    with pytest.raises(OptionError, match="be asked of scores"):
        ItemIndex(Context(accord.Study.from_pairs(list("aab"), list("abb")))).find(ItemQuery(score=(1, 2)))
    with pytest.raises(OptionError, match="be asked of preferences"):
        ItemIndex(Context(scored())).find(ItemQuery(option="x"))
    with pytest.raises(OptionError, match="two dots"):
        ItemQuery.of([("score", "3")])


def test_bars_boxes_points_and_strengths_lead_to_their_items() -> None:
    """Every link of these charts leads somewhere, those of a chart to every item."""
    folder = Path(__file__).parents[2] / "examples"
    for name, section, asks, everything in (
        ("scored-answers.csv", "scores", "score", True),
        ("scored-answers.csv", "scores", "apart", True),
        ("scored-answers.csv", "scale-use", "less", False),
        ("scored-answers.csv", "scale-use", "annotator", True),
        ("compared-answers.csv", "preferences", "option", True),
        ("scored-answers.csv", "verdict", "agree", False),
    ):
        live = report_of(folder / name)
        page = next(body for key, _, body in live.page(ALL_ITEMS).sections if key == section)
        links = {html.unescape(link) for link in re.findall(r'href="items\?([^"]*)"', page)}
        asked = [ItemQuery.of(parse_qsl(link)) for link in links if f"{asks}=" in link]
        found = [set(live.index(query).find(query).tolist()) for query in asked]
        assert found, (name, asks)
        assert all(found), (name, asks)
        assert not everything or set.union(*found) == set(range(len(live.study.items))), (name, asks)


@cache
def report_of(file: Path) -> LiveReport:
    return LiveReport(accord.read(file), lambda query: f"items?{query.address}")

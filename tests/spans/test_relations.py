"""Relations between spans: F1 with and without direction and label, and given matched arguments."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.errors import MeasureError, OptionError

Relation = tuple[tuple[int, int], tuple[int, int], str]
COLUMNS = ("doc", "who", "type", "start", "end", "to_start", "to_end")
WAYS = list(product((True, False), (True, False)))  # label, direction: in the order of the values below


def study(documents: list[dict[str, list[Relation]]]) -> accord.Study:
    """A table of relations; a row without places where nothing was marked."""
    rows: list[tuple[Any, ...]] = []
    for number, document in enumerate(documents):
        for who, relations in document.items():
            made = [(f"d{number}", who, label, *head, *child) for head, child, label in relations]
            rows += made or [(f"d{number}", who, None, None, None, None, None)]
    table = {name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)}
    return accord.Study(table, item="doc", annotator="who", label="type", answers="relations")


def values(document: dict[str, list[Relation]], **options: Any) -> list[float]:
    """F1 for every choice of label and direction."""
    return [
        accord.relation_f1(study([document]), label_must_match=label, directed=directed, **options).value
        for label, directed in WAYS
    ]


def linked(places: dict[str, tuple[int, int]], relations: list[tuple[str, str, str]]) -> list[Relation]:
    """Relations by the names of their arguments."""
    return [(places[head], places[child], label) for head, child, label in relations]


FOUR = {"T1": (0, 2), "T2": (4, 6), "T3": (8, 9), "T4": (12, 14)}


def test_direction_and_label() -> None:
    """From spans-and-rankings.json (relations): 1/3, 2/3, 2/3, 1 by hand."""
    first = linked(FOUR, [("T1", "T2", "works_for"), ("T3", "T4", "located_in"), ("T1", "T4", "visited")])
    second = linked(FOUR, [("T1", "T2", "works_for"), ("T4", "T3", "located_in"), ("T1", "T4", "works_for")])
    assert values({"ana": first, "ben": second}) == pytest.approx([1 / 3, 2 / 3, 2 / 3, 1])


@pytest.mark.parametrize("given_arguments", [False, True])
@pytest.mark.parametrize("arguments", ["exact", "overlap"])
def test_the_same_arguments_both_ways(arguments: str, given_arguments: bool) -> None:
    """From distance.json (relations_direction): all arguments are matched, so the condition changes nothing."""
    first = linked(FOUR, [("T1", "T2", "works_for"), ("T2", "T3", "based_in"), ("T3", "T4", "part_of")])
    second = linked(FOUR, [("T1", "T2", "works_for"), ("T3", "T2", "based_in"), ("T3", "T4", "located_in")])
    found = values({"ana": first, "ben": second}, arguments=arguments, matched_arguments_only=given_arguments)
    assert found == pytest.approx([1 / 3, 2 / 3, 2 / 3, 1])


def test_shifted_arguments() -> None:
    """From distance.json (relations_shifted_arguments)."""
    one, other = {"T1": (0, 3), "T2": (5, 9), "T3": (11, 12)}, {"E1": (1, 3), "E2": (5, 9), "E4": (20, 22)}
    document = {
        "ana": linked(one, [("T1", "T2", "works_for"), ("T1", "T3", "lives_in"), ("T2", "T3", "based_in")]),
        "ben": linked(other, [("E1", "E2", "works_for"), ("E2", "E4", "based_in")]),
    }
    assert values(document) == [0, 0, 0, 0]
    assert values(document, arguments="overlap") == pytest.approx([0.4] * 4)
    assert values(document, arguments="overlap", matched_arguments_only=True) == [1] * 4
    nothing = accord.relation_f1(study([document]), matched_arguments_only=True)
    assert nothing.undefined is not None


def relations() -> st.SearchStrategy[list[Relation]]:
    """A few relations between five places."""
    place = st.sampled_from([(0, 2), (1, 3), (4, 6), (8, 9), (12, 14)])
    return st.lists(st.tuples(place, place, st.sampled_from("pq")), unique=True, max_size=4)


@given(st.lists(st.fixed_dictionaries({"ana": relations(), "ben": relations()}), min_size=1, max_size=3))
def test_exact_arguments_are_sets_of_triples(drawn: list[dict[str, list[Relation]]]) -> None:
    for label, directed in WAYS:

        def kind(relation: Relation, label: bool = label, directed: bool = directed) -> tuple[Any, ...]:
            ends = relation[:2] if directed else tuple(sorted(relation[:2]))
            return (*ends, relation[2] if label else None)

        above = below = 0
        for document in drawn:
            mine, theirs = ([kind(one) for one in document[who]] for who in ("ana", "ben"))
            above += 2 * sum(min(mine.count(one), theirs.count(one)) for one in set(mine))
            below += len(mine) + len(theirs)
        found = accord.relation_f1(study(drawn), label_must_match=label, directed=directed)
        assert found.value == pytest.approx(above / below if below else float("nan"), nan_ok=True)


@given(st.lists(st.fixed_dictionaries({"ana": relations(), "ben": relations()}), min_size=1, max_size=3))
def test_who_comes_first_changes_nothing_and_full_agreement_is_one(drawn: list[dict[str, list[Relation]]]) -> None:
    turned = [{"ana": document["ben"], "ben": document["ana"]} for document in drawn]
    alike = [dict.fromkeys(("ana", "ben"), document["ana"]) for document in drawn]
    for arguments in ("exact", "overlap"):
        before, after = (accord.relation_f1(study(some), arguments=arguments).value for some in (drawn, turned))
        assert after == pytest.approx(before, nan_ok=True)
        same = accord.relation_f1(study(alike), arguments=arguments)
        assert same.undefined is not None or same.value == 1


def test_the_result_answers_as_any_other() -> None:
    first = linked(FOUR, [("T1", "T2", "works_for"), ("T3", "T4", "located_in")])
    second = linked(FOUR, [("T1", "T2", "works_for"), ("T4", "T3", "located_in")])
    result = accord.relation_f1(
        study([{"ana": first, "ben": second}, {"ana": first, "ben": first}, {"ana": [], "ben": []}])
    )
    assert result.value == pytest.approx(6 / 8)
    assert dict(zip(result.by_label()["label"], result.by_label()["value"], strict=True)) == pytest.approx(
        {"located_in": 0.5, "works_for": 1}
    )
    assert result.by_item()["value"].tolist()[:2] == [0.5, 1]
    assert result.interval().low < result.value
    assert "relations" in str(result.working())


def test_other_answers_and_unknown_options_are_refused() -> None:
    with pytest.raises(MeasureError, match="Relation F1 is for answers in relations"):
        accord.relation_f1(accord.Study.from_pairs(["a"], ["b"]))
    unknown: Any = "partial"
    with pytest.raises(OptionError, match=r"arguments must be one of 'exact'.*'overlap'"):
        accord.relation_f1(study([{"ana": [], "ben": []}]), arguments=unknown)


def entities(marked: dict[str, list[tuple[int, int, str]]]) -> accord.Study:
    """The spans of one document."""
    rows = [("d0", who, *mark) for who, marks in marked.items() for mark in marks]
    table = {name: [row[at] for row in rows] for at, name in enumerate(("doc", "who", "start", "end", "tag"))}
    return accord.Study(table, item="doc", annotator="who", label="tag", start="start", end="end")


def test_arguments_are_matched_among_all_spans_where_these_are_known() -> None:
    """Ben marked a nearer span, which no relation connects, and which takes the place of the argument."""
    document = {"ana": [((0, 4), (9, 12), "p")], "ben": [((0, 8), (9, 12), "p")]}
    spans = entities({"ana": [(0, 4, "X"), (9, 12, "X")], "ben": [(0, 8, "X"), (0, 4, "X"), (9, 12, "X")]})
    assert accord.relation_f1(study([document]), arguments="overlap").value == 1
    assert accord.relation_f1(study([document]), arguments="overlap", spans=spans).value == 0


def test_arguments_of_other_labels_do_not_match() -> None:
    document = {"ana": [((0, 4), (9, 12), "p")], "ben": [((0, 4), (9, 12), "p")]}
    alike = entities({who: [(0, 4, "X"), (9, 12, "Y")] for who in ("ana", "ben")})
    other = entities({"ana": [(0, 4, "X"), (9, 12, "Y")], "ben": [(0, 4, "Z"), (9, 12, "Y")]})
    assert accord.relation_f1(study([document]), spans=alike).value == 1
    assert accord.relation_f1(study([document]), spans=other).value == 0
    unknown: Any = "entities"
    with pytest.raises(OptionError, match="spans must be a Study of spans"):
        accord.relation_f1(study([document]), spans=unknown)


def test_places_that_no_span_has_are_matched_among_themselves() -> None:
    document = {"ana": [((0, 4), (9, 12), "p")], "ben": [((0, 4), (9, 12), "p")]}
    some = entities({"ana": [(0, 4, "X")], "ben": [(0, 4, "X")], "cyd": [(0, 4, "X")]})
    assert accord.relation_f1(study([document]), spans=some).value == 1

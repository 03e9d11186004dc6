"""Gold of spans: what is decided, how sure it is, what is left open, and what people decide."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import accord
from accord import Study
from accord.consensus.spans.span_gold import SpanGold
from accord.errors import InputError, LabelError, MeasureError, OptionError

Marks = dict[str, list[tuple[Any, ...]]]
METHODS = ("majority", "token-majority", "dawid-skene", "sequence")


def study_of(documents: dict[str, Marks], **more: Any) -> Study:
    """What people marked: (start, end, label), or (start, end, label, pieces)."""
    rows: list[dict[str, Any]] = []
    for item, marks in documents.items():
        for who, spans in marks.items():
            for span in spans or [(None, None, None)]:
                start, end, label, *pieces = span
                cells = {"item": item, "annotator": who, "start": start, "end": end, "label": label}
                rows.append(cells | {"fragments": pieces[0] if pieces else None})
    roles = {name: name for name in ("item", "annotator", "start", "end", "label")}
    return Study(rows, **roles, **more)  # type: ignore[arg-type]


def gold_of(documents: dict[str, Marks], method: str = "majority", **options: Any) -> SpanGold:
    found = accord.gold(study_of(documents, labels=["PER", "LOC", "ORG"]), method=method, **options)
    assert isinstance(found, SpanGold)
    return found


THREE: dict[str, Marks] = {
    "d1": {"ana": [(0, 4, "PER"), (10, 15, "LOC")], "ben": [(0, 4, "PER")], "cy": [(0, 4, "PER"), (10, 15, "ORG")]},
    "d2": {"ana": [], "ben": [(3, 6, "ORG")], "cy": []},
}


@pytest.mark.parametrize("method", METHODS)
def test_what_all_marked_is_gold_by_every_method(method: str) -> None:
    same = {f"d{n}": {who: [(0, 4, "PER"), (6, 9, "LOC")] for who in ("ana", "ben", "cy")} for n in range(4)}
    found = gold_of(same, method)
    assert found.labels == [((0, 4, "PER"), (6, 9, "LOC"))] * 4
    assert found.unit_votes == pytest.approx(1.0)


@pytest.mark.parametrize("method", METHODS)
def test_nobody_marked_anything_and_that_is_the_gold(method: str) -> None:
    found = gold_of({"d1": {"ana": [], "ben": []}, "d2": {"ana": [], "ben": []}}, method)
    assert found.labels == [(), ()]
    assert found.decided.all()
    assert [row["item"] for row in found.to_table()] == ["d1", "d2"]


@pytest.mark.parametrize("method", METHODS)
def test_one_annotator_alone_is_repeated_and_it_is_said(method: str) -> None:
    found = gold_of({"d1": {"ana": [(0, 4, "PER")]}, "d2": {"ana": [(2, 5, "LOC")]}}, method)
    assert found.labels == [((0, 4, "PER"),), ((2, 5, "LOC"),)]
    assert any("2 items were seen by one annotator only" in note for note in found.notes)


def test_the_majority_takes_units_that_more_than_half_marked() -> None:
    found = gold_of(THREE)
    assert found["d1"] == ((0, 4, "PER"),)
    assert found["d2"] == ()
    assert found.unit_confidence.tolist() == [1.0]


def test_boundaries_that_differ_are_matched_and_the_median_is_taken() -> None:
    found = gold_of({"d": {"ana": [(0, 10, "PER")], "ben": [(1, 11, "PER")], "cy": [(0, 12, "PER")]}})
    assert found["d"] == ((0, 11, "PER"),)
    assert found.to_table()["reason"][0] == "boundaries differ; the median of 3"
    assert found.unit_confidence.tolist() == [1.0]
    assert found.unit_votes.tolist() == [0.0]
    assert gold_of({"d": {"ana": [(0, 10, "PER")], "ben": [(1, 11, "PER")], "cy": []}}, match="exact")["d"] == ()


def test_one_long_unit_and_two_short_ones_are_not_mixed() -> None:
    found = gold_of({"d": {"ana": [(0, 10, "PER")], "ben": [(0, 5, "PER"), (6, 10, "PER")], "cy": [(0, 5, "PER")]}})
    assert found["d"] == ((0, 5, "PER"),)


def test_exactly_half_is_a_tie_which_the_marked_side_wins_and_the_rule_is_said() -> None:
    half = {"d": {"ana": [(0, 4, "PER")], "ben": []}}
    found = gold_of(half)
    assert found["d"] == ((0, 4, "PER"),)
    assert any("1 unit was marked by exactly half" in note and "it is taken" in note for note in found.notes)
    assert gold_of(half, ties="outside")["d"] == ()


def test_of_two_labels_that_exclude_each_other_at_a_tie_the_first_of_the_scale_wins() -> None:
    split = {"d": {"ana": [(0, 4, "PER")], "ben": [(0, 4, "LOC")]}}
    assert gold_of(split)["d"] == ((0, 4, "PER"),)
    assert gold_of(split, ties="last")["d"] == ((0, 4, "LOC"),)


def test_ties_may_be_left_undecided_with_their_reason() -> None:
    found = gold_of({"d": {"ana": [(0, 4, "PER")], "ben": []}}, ties="undecided")
    assert found["d"] == ()
    assert not found.decided.any()
    assert found.reason("d") == "'PER' from 0 to 4: 1 of 2 marked it"
    assert list(found.undecided()) == [
        {"item": "d", "start": 0, "end": 4, "label": "PER", "reason": "1 of 2 marked it"}
    ]
    assert "1 unit undecided" in str(found)


def test_nested_and_discontinuous_units_are_decided_unit_by_unit() -> None:
    nested: list[tuple[Any, ...]] = [(0, 10, "ORG"), (0, 4, "LOC"), (12, 20, "PER", "12 14;18 20")]
    found = gold_of({"d": {"ana": nested, "ben": nested, "cy": nested[:1]}}, "auto")
    assert found.method == "majority"
    assert any("overlap or lie in pieces" in note for note in found.notes)
    assert found["d"] == ((0, 4, "LOC"), (0, 10, "ORG"), (12, 20, "PER"))
    table = found.to_table()
    assert list(table["fragments"]) == [None, None, "12 14;18 20"]


@pytest.mark.parametrize("method", METHODS[1:])
def test_tokens_cannot_say_overlapping_spans_and_the_way_out_is_named(method: str) -> None:
    with pytest.raises(MeasureError, match=r"needs spans that do not overlap.*method='majority'"):
        gold_of({"d": {"ana": [(0, 10, "ORG"), (0, 4, "LOC")], "ben": []}}, method)


def test_votes_of_tokens_hold_what_units_disagree_on() -> None:
    shifted = {"d": {"ana": [(0, 4, "PER")], "ben": [(0, 6, "PER")], "cy": [(0, 6, "PER")]}}
    found = gold_of(shifted, "token-majority")
    assert found["d"] == ((0, 6, "PER"),)
    assert found.unit_confidence == pytest.approx(2 / 3)


def test_free_tags_may_lack_a_beginning_and_legal_ones_never_do() -> None:
    tags = {("s", "a"): ["B-A", "I-A"], ("s", "b"): ["B-B", "I-A"], ("s", "c"): ["O", "I-A"]}
    rows = [
        {"item": item, "annotator": who, "token": place, "label": tag}
        for (item, who), given in tags.items()
        for place, tag in enumerate(given)
    ]
    study = Study(rows, item="item", annotator="annotator", token="token", label="label", labels=["B", "A"])
    free = accord.gold(study, method="token-majority", transitions="free")
    assert free["s"] == ((0, 1, "B"),)
    assert any("goes on without a beginning" in note for note in free.notes)
    assert accord.gold(study, method="token-majority")["s"] == ((0, 2, "A"),)


@pytest.mark.parametrize("method", METHODS)
def test_who_marked_first_and_which_document_came_first_change_nothing(method: str) -> None:
    documents = crowd(7)
    found = gold_of(documents, method)
    names = {"ana": "zoe", "ben": "yan", "cy": "xi", "dot": "wim"}
    turned = {
        item: {names[who]: marks[::-1] for who, marks in reversed(of.items())}
        for item, of in reversed(documents.items())
    }
    other = gold_of(turned, method)
    assert {item: other[item] for item in documents} == {item: found[item] for item in documents}
    assert other.unit_confidence == pytest.approx(found.unit_confidence, abs=1e-6)


def crowd(seed: int, documents: int = 60, skill: tuple[float, ...] = (0.9, 0.8, 0.7, 0.4)) -> dict[str, Marks]:
    """People who see units with some probability, mistake labels and add units, in documents of ten places."""
    rng = np.random.default_rng(seed)
    labels = ("PER", "LOC", "ORG")
    found: dict[str, Marks] = {}
    for number in range(documents):
        true = true_units(number, seed)
        found[f"d{number:03}"] = marks = {}
        for who, right in zip(("ana", "ben", "cy", "dot"), skill, strict=True):
            kept = [
                (s, e, lab if rng.random() < right else labels[rng.integers(3)])
                for s, e, lab in true
                if rng.random() < right
            ]
            marks[who] = [(s, e - 1 if e - s > 1 and rng.random() > right else e, lab) for s, e, lab in kept]
    return found


def true_units(number: int, seed: int) -> list[tuple[int, int, str]]:
    rng = np.random.default_rng((seed, number))
    starts = sorted({int(at) * 4 for at in rng.integers(0, 5, size=3)})
    return [(at, at + int(rng.integers(1, 4)), ("PER", "LOC", "ORG")[rng.integers(3)]) for at in starts]


def reference(seed: int, documents: int = 60) -> Study:
    return study_of({f"d{n:03}": {"truth": list(true_units(n, seed))} for n in range(documents)})


def test_models_beat_votes_where_people_differ_in_skill() -> None:
    scores = {method: gold_of(crowd(3, 200), method).score(reference(3, 200)).f1 for method in METHODS}
    assert scores["sequence"] > scores["majority"]
    assert scores["sequence"] >= scores["dawid-skene"] - 0.01


@pytest.mark.parametrize("method", METHODS)
def test_places_in_another_unit_are_the_same_places(method: str) -> None:
    documents = crowd(9)
    longer = {
        item: {who: [(3 * s, 3 * e, label) for s, e, label in held] for who, held in marks.items()}
        for item, marks in documents.items()
    }
    one, other = gold_of(documents, method), gold_of(longer, method)
    assert other.labels == [tuple((3 * s, 3 * e, label) for s, e, label in units) for units in one.labels]


def test_votes_on_a_document_do_not_depend_on_others() -> None:
    documents = crowd(8, 30)
    whole = gold_of(documents)
    for item in list(documents)[:5]:
        assert gold_of({item: documents[item]})[item] == whole[item]


def test_the_order_of_labels_changes_no_model() -> None:
    documents = crowd(5)
    one, other = (
        accord.gold(study_of(documents, labels=labels), method="sequence")
        for labels in (["PER", "LOC", "ORG"], ["ORG", "PER", "LOC"])
    )
    assert one.labels == other.labels


def test_auto_says_what_it_chose_and_why() -> None:
    assert "do not tell how each of them marks" in gold_of(THREE, "auto").notes[0]
    assert gold_of(THREE, "auto").method == "majority"
    two = {item: {who: marks[who] for who in ("ana", "ben")} for item, marks in crowd(1, 120).items()}
    assert "2 annotators cannot tell who of them is right" in gold_of(two, "auto").notes[0]
    many = gold_of(crowd(1, 120), "auto")
    assert many.method == "sequence"
    assert "Chosen: the sequence model" in many.notes[0]


def test_auto_takes_units_where_tags_cannot_say_them_though_no_span_overlaps() -> None:
    """A span of a blank has no token of its own, and would take the one that the next span has."""
    text = "Ana  Rask lives here"
    rows = [
        {"item": "d", "annotator": who, "start": start, "end": end, "label": label, "text": text}
        for who in ("ana", "ben", "cy")
        for start, end, label in ((3, 4, "PER"), (5, 9, "PER"))
    ]
    rows = [row | {"tokens": "0 3;5 9;10 15;16 20"} for row in rows]
    study = Study(rows, item="item", annotator="annotator", label="label", start="start", end="end", text="text")
    found = accord.gold(study)
    assert found.method == "majority"
    assert "which no tag of a token can say" in found.notes[0]
    with pytest.raises(MeasureError, match="over another of their spans"):
        accord.gold(study, method="token-majority")


def test_a_method_for_labels_is_refused_with_those_for_spans() -> None:
    with pytest.raises(OptionError, match="'majority', 'token-majority', 'dawid-skene', 'sequence'"):
        gold_of(THREE, "mace")
    with pytest.raises(MeasureError, match="is for spans"):
        accord.gold({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]}, method="sequence")


@pytest.mark.parametrize(
    ("method", "options", "said"),
    [
        ("majority", {"prior": 1.0}, "does not take 'prior'"),
        ("majority", {"ties": "random"}, "ties"),
        ("token-majority", {"ties": "undecided"}, "ties"),
        ("dawid-skene", {"transitions": "any"}, "transitions"),
        ("sequence", {"prior": 0}, "prior"),
        ("sequence", {"known": {"d1": "PER"}}, "known"),
        ("sequence", {"iterations": 0}, "iterations must be a whole number"),
        ("sequence", {"tolerance": "silly"}, "tolerance must be a number"),
        ("dawid-skene", {"prior": "silly"}, "prior must be"),
        ("dawid-skene", {"iterations": "many"}, "iterations must be a whole number"),
    ],
)
def test_options_that_do_not_fit_are_errors(method: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        gold_of(THREE, method, **options)


def test_an_item_that_nobody_answered_is_undecided_and_not_scored() -> None:
    found = accord.gold(study_of(THREE).where("item", "d1"), method="majority")
    assert isinstance(found, SpanGold)
    assert found.score(study_of({"d1": {"t": [(0, 4, "PER")]}, "d2": {"t": [(3, 6, "ORG")]}})).reference == 1
    assert found.reason("d2") == "nobody answered it"
    assert found.decided.tolist() == [True, False]


# -- score ---------------------------------------------------------------------------------------------------------


def test_scores_count_exact_units_and_documents_without_any() -> None:
    found = gold_of(THREE)
    truth = study_of({"d1": {"t": [(0, 4, "PER"), (10, 15, "LOC")]}, "d2": {"t": []}, "d9": {"t": []}})
    score = found.score(truth)
    assert (score.matched, score.predicted, score.reference, score.n_items, score.not_in_study) == (1, 1, 2, 2, 1)
    assert (score.precision, score.recall, score.f1) == pytest.approx((1.0, 0.5, 2 / 3))
    row = next(row for row in score.labels if row["label"] == "LOC")
    assert (row["gold"], row["reference"], row["recall"]) == (0, 1, 0.0)
    assert score.to_dict()["f1"] == pytest.approx(2 / 3)


def test_labels_of_a_reference_are_compared_as_files_write_them() -> None:
    marks: Marks = {who: [(0, 4, 1), (6, 9, 2)] for who in ("ana", "ben", "cy")}
    found = accord.gold(study_of({"d1": marks, "d2": marks}), method="majority")
    assert isinstance(found, SpanGold)
    truth = {"item": ["d1"] * 2, "start": [0, 6], "end": [4, 9], "label": ["1", " 2"]}
    score = found.score(truth)
    assert (score.matched, score.reference) == (2, 2)
    assert list(score.labels["label"]) == [1, 2]


def test_where_all_is_right_the_interval_ends_at_the_exact_bound() -> None:
    marks: Marks = {who: [(0, 4, "PER")] for who in ("ana", "ben")}
    found = gold_of({f"d{n}": marks for n in range(20)})
    low, high = found.score(found).interval
    assert high == 1.0
    assert low == pytest.approx(0.05 ** (1 / 20))


def test_the_interval_of_f1_is_as_wide_as_students_t() -> None:
    from scipy.stats import t

    marks: Marks = {who: [(0, 4, "PER")] for who in ("ana", "ben")}
    found = gold_of({f"d{n}": marks for n in range(5)})
    truth = {"item": [f"d{n}" for n in range(5)], "start": [0, 0, 0, 1, 0], "end": [4] * 5, "label": ["PER"] * 5}
    interval = found.score(truth).interval
    assert interval.df == 4
    moves = np.array([2.0, 2, 2, 0, 2]) - 0.8 * 2
    assert interval.se == pytest.approx(np.sqrt(5 / 4 * (moves**2).sum()) / 10)
    assert interval.low == pytest.approx(0.8 - t.ppf(0.975, 4) * interval.se)
    assert interval.high == 1.0


def test_a_gold_is_right_about_itself_through_a_file(tmp_path: Path) -> None:
    found = gold_of(crowd(2), "sequence")
    for name in ("gold.csv", "gold.parquet", "gold.jsonl"):
        score = found.score(found.write(tmp_path / name))
        assert score.f1 == 1.0
        assert score.n_items == len(found)


def test_the_reference_may_be_a_table_of_tagged_tokens_without_an_annotator() -> None:
    found = gold_of({"s": {"ana": [(0, 2, "PER")], "ben": [(0, 2, "PER")]}})
    tokens = {"item": ["s"] * 3, "token": [0, 1, 2], "tag": ["B-PER", "I-PER", "O"]}
    assert found.score(tokens).f1 == 1.0


def test_in_a_reference_of_tags_a_unit_begins_with_its_b() -> None:
    found = gold_of({"s": {"ana": [(0, 2, "PER")], "ben": [(0, 2, "PER")]}})
    tokens = {"item": ["s"] * 5, "token": list(range(5)), "tag": ["B-PER", "I-PER", "O", "I-PER", "O"]}
    assert found.score(tokens).reference == 1
    inside_only = tokens | {"tag": ["I-PER", "I-PER", "O", "I-PER", "O"]}
    assert found.score(inside_only).reference == 2


def test_a_reference_that_is_none_is_an_error() -> None:
    found = gold_of(THREE)
    with pytest.raises(InputError, match="None of the reference's items"):
        found.score(study_of({"x": {"t": [(0, 1, "PER")]}}))
    with pytest.raises(InputError, match="2 annotators"):
        found.score(study_of({"d1": {"t": [(0, 1, "PER")], "u": []}}))
    with pytest.raises(MeasureError, match="single answers"):
        found.score(Study({"item": ["d1"], "annotator": ["t"], "label": ["x"]}))


# -- people --------------------------------------------------------------------------------------------------------


def test_the_queue_asks_of_units_and_a_persons_yes_and_no_decide() -> None:
    found = gold_of(THREE)
    queue = found.queue(10, show_annotators=True)
    asked = [(row["item"], row["start"], row["label"], row["in_gold"]) for row in queue]
    assert ("d1", 10, "LOC", "no") in asked
    assert ("d1", 0, "PER", "yes") in asked
    filled = [dict(row) for row in queue]
    for row in filled:
        row["decision"] = {"LOC": "yes", "PER": "no"}.get(row["label"], "")
    decided = found.decide(filled, by="eva", at="2026-11-16")
    assert decided["d1"] == ((10, 15, "LOC"),)
    rows = [row for row in decided.to_table() if row["source"] == "person"]
    assert [(row["label"], row["decided_by"]) for row in rows] == [("LOC", "eva")]
    assert found["d1"] == ((0, 4, "PER"),)


def test_a_unit_that_is_taken_in_displaces_what_it_overlaps() -> None:
    found = gold_of({"d": {"ana": [(0, 4, "PER")], "ben": [(0, 4, "PER")], "cy": [(0, 6, "LOC")]}}, match="exact")
    row = {"item": "d", "start": 0, "end": 6, "label": "LOC", "decision": "yes"}
    assert found.decide([row], by="eva")["d"] == ((0, 6, "LOC"),)


def test_decisions_go_through_a_file_and_are_not_lost(tmp_path: Path) -> None:
    found = gold_of(THREE)
    path = tmp_path / "queue.csv"
    found.queue(10, path=path)
    lines = path.read_text(encoding="utf-8").splitlines()
    place = lines[0].split(",").index("decision")
    cells = lines[1].split(",")
    cells[place] = "yes"
    path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]), encoding="utf-8")
    decided = found.decide(path, by="eva")
    assert len(decided.unit_decisions) == 1
    with pytest.raises(InputError, match="would replace"):
        found.queue(10, path=path)
    decided.queue(10, path=path)
    assert ",yes," in path.read_text(encoding="utf-8")


def test_what_a_person_wrote_of_who_and_when_stays_in_the_file(tmp_path: Path) -> None:
    found, path = gold_of(THREE), tmp_path / "queue.csv"
    row = {"item": "d1", "start": 0, "end": 4, "label": "PER", "decision": "yes"}
    decided = found.decide([row], by="eva", at="2026-11-16")
    lines = "item,start,end,label,decision,decided_by,decided_at\nd1,0,4,PER,yes,uta,2026-01-01\n"
    path.write_text(lines, encoding="utf-8")
    decided.queue(2, path=path)
    assert "yes,uta,2026-01-01" in path.read_text(encoding="utf-8")


def test_decisions_of_units_that_the_study_does_not_have_are_lost_only_by_force(tmp_path: Path) -> None:
    found, path = gold_of(THREE), tmp_path / "queue.csv"
    lines = "item,start,end,label,decision\nelsewhere,0,4,PER,yes\nd1,,,PER,yes\nd1,0,4,NO,yes\n"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError, match="holds 3 decisions, which a new queue would replace"):
        found.queue(2, path=path)
    found.queue(2, path=path, force=True)
    assert "elsewhere" not in path.read_text(encoding="utf-8")


def test_decisions_by_item_are_those_of_its_units() -> None:
    rows = [
        {"item": "d1", "start": 0, "end": 4, "label": "PER", "decision": "no"},
        {"item": "d1", "start": 10, "end": 15, "label": "LOC", "decision": "yes", "fragments": float("nan")},
    ]
    decided = gold_of(THREE).decide(rows, by="eva")
    assert decided.decision_labels == {"d1": {(0, 4, "PER"): False, (10, 15, "LOC"): True}}
    assert decided.to_dict()["decided_by_people"] == 2
    assert gold_of(THREE).decision_labels == {}


def test_a_decision_that_is_neither_yes_nor_no_is_an_error() -> None:
    row = {"item": "d1", "start": 0, "end": 4, "label": "PER", "decision": "perhaps"}
    with pytest.raises(LabelError, match="'perhaps'"):
        gold_of(THREE).decide([row], by="eva")
    with pytest.raises(InputError, match="Who decided"):
        gold_of(THREE).decide([row | {"decision": "yes"}])


def test_annotators_are_held_against_the_gold() -> None:
    table = {row["annotator"]: row for row in gold_of(THREE).annotators()}
    assert (table["ana"]["units"], table["ana"]["right"], table["ana"]["precision"]) == (2, 1, 0.5)
    assert table["ben"]["recall"] == 1.0


def test_models_tell_how_somebody_tags() -> None:
    found = gold_of(crowd(1, 120), "sequence")
    table = found.confusion("ana")
    assert list(table.columns[1:]) == list(table["true"])
    sums = sum(table[tag] for tag in table.columns[1:])
    assert sums == pytest.approx(1.0)
    with pytest.raises(MeasureError, match="no table of confusions"):
        gold_of(THREE).confusion("ana")


def test_the_gold_is_a_study_again(tmp_path: Path) -> None:
    found = gold_of(crowd(4), "token-majority")
    for study in (found.to_study(), accord.read(found.write(tmp_path / "gold.csv"))):
        assert study.kind == "spans"
        assert study.annotators == ("gold",)
        assert accord.gold(study, method="majority").labels == found.labels


def test_json_of_a_gold_of_spans_keeps_the_schema() -> None:
    schema = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))
    for found in (gold_of(THREE), gold_of(crowd(1), "sequence")):
        jsonschema.validate(json.loads(json.dumps(found.to_dict(), allow_nan=False)), schema)


def test_what_it_says_of_itself_is_plain() -> None:
    found = gold_of(THREE)
    assert str(found).startswith("Gold by Majority of units: 1 unit in 2 items.")
    given = found.to_dict()
    assert (given["method"], given["items"], given["confidence_is"]) == ("majority", 2, "vote share")
    assert len(given["labels"]) == 2
    assert "Simpson" in gold_of(crowd(1), "sequence").cite()
    with pytest.raises(MeasureError, match="no soft labels"):
        found.soft()
    with pytest.raises(MeasureError, match="Only a gold of sets has members"):
        _ = found.members

"""Span F1: values worked out by trying every matching, its laws, and what else can be asked of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.errors import OptionError
from accord.spans.continuum import Continuum
from accord.spans.matching import Criterion
from accord.spans.span_f1 import AVERAGES, EMPTIES, SpanF1, SpanF1Recipe
from tests.oracles import spans as oracle
from tests.spans.drawn import Documents, continuum, documents, many, one, positions, study

# Six documents and their values, from the acceptance values of the project (spans.json: f1_flat … f1_corpus), which
# were found by trying every matching.
FLAT = {
    "ana": [one(0, 2, "PER"), one(3, 6, "LOC"), one(7, 8, "DATE"), one(12, 15, "ORG")],
    "ben": [one(0, 2, "PER"), one(3, 5, "LOC"), one(9, 11, "ORG"), one(12, 15, "LOC")],
}
NESTED = {
    "ana": [one(0, 10, "NAME"), one(0, 4, "FIRST"), one(5, 10, "LAST")],
    "ben": [one(0, 10, "NAME")],
    "cyd": [one(0, 10, "NAME"), one(0, 4, "FIRST"), one(6, 10, "LAST"), one(0, 10, "TITLE")],
}
CROSSING = {"ana": [one(2, 9, "X"), one(0, 3, "X")], "ben": [one(0, 4, "X"), one(5, 8, "X")]}
BROKEN = {
    "ana": [(((0, 3), (8, 11)), "DIS"), one(4, 7, "DIS"), one(12, 14, "ANA")],
    "ben": [(((0, 3), (8, 11)), "DIS"), one(5, 11, "DIS"), (((12, 14), (16, 18)), "ANA")],
}
SILENT: dict[str, list[Any]] = {"ana": [], "ben": []}
MIXED = {
    "ana": [one(0, 10, "X"), one(12, 16, "Y"), one(20, 26, "X"), one(30, 34, "Y")],
    "ben": [one(0, 5, "X"), one(12, 16, "Y"), one(20, 26, "Y")],
    "cyd": [one(0, 10, "X"), one(2, 6, "X"), one(13, 17, "Y"), one(22, 30, "X"), one(33, 40, "Y")],
}
CORPUS = [FLAT, NESTED, CROSSING, BROKEN, SILENT, MIXED]
CRITERIA: dict[str, dict[str, Any]] = {
    "exact": {}, "boundary": {"match": "boundary"}, "overlap": {"match": "overlap"},
    "overlap, any label": {"match": "overlap", "label_must_match": False}, "iou": {"match": "iou"},
    "iou, any label": {"match": "iou", "label_must_match": False}, "soft": {"match": "soft"},
    "soft, any label": {"match": "soft", "label_must_match": False},
}  # fmt: skip
SINGLE = {  # in the order of CRITERIA, the mean over pairs
    "flat": (FLAT, [0.25, 0.5, 0.5, 0.75, 0.5, 0.75, 5 / 12, 2 / 3]),
    "nested": (NESTED, [103 / 210, 103 / 210, *[41 / 70] * 4, *[17 / 30] * 2]),
    "crossing": (CROSSING, [0, 0, 1, 1, 0.5, 0.5, 0.5892857142857143, 0.5892857142857143]),
    "broken": (BROKEN, [1 / 3, 1 / 3, 1, 1, 2 / 3, 2 / 3, 0.5952380952380952, 0.5952380952380952]),
    "mixed": (
        MIXED,
        [
            *(0.1693121693121693, 0.26455026455026454, 0.6534391534391534, 0.832010582010582),
            *(0.5052910052910052, 0.6005291005291005, 0.390079365079365, 0.5186507936507937),
        ],
    ),
}
WHOLE = {
    ("micro", "skip"): [
        *(0.268236074270557, 0.3142130857648099, 0.6753978779840849, 0.772656940760389),
        *(0.5460875331564986, 0.5920645446507516, 0.47578891415098307, 0.5422787461580565),
    ],
    ("macro", "agree"): [
        *(0.3305555555555555, 0.3603174603174603, 0.694973544973545, 0.7664021164021163),
        *(0.5746031746031746, 0.6043650793650793, 0.5197089947089947, 0.5661375661375662),
    ],
    ("macro", "skip"): [
        *(0.2902116402116402, 0.3259259259259259, 0.6791005291005291, 0.7564814814814814),
        *(0.5494708994708994, 0.5851851851851851, 0.49226190476190473, 0.5446428571428571),
    ],
}


@pytest.mark.parametrize("name", SINGLE)
def test_one_document(name: str) -> None:
    document, wanted = SINGLE[name]
    found = [accord.span_f1(study([document]), **options).value for options in CRITERIA.values()]
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("average", "empty"), WHOLE)
def test_a_corpus(average: Any, empty: Any) -> None:
    found = [
        accord.span_f1(study(CORPUS), average=average, empty=empty, **options).value for options in CRITERIA.values()
    ]
    assert found == pytest.approx(WHOLE[average, empty], abs=1e-9)


def test_pairs_of_a_corpus() -> None:
    rows = list(accord.span_f1(study(CORPUS), match="soft").by_pair())
    assert [(row["first"], row["second"], row["items"]) for row in rows] == [
        ("ana", "ben", 6), ("ana", "cyd", 2), ("ben", "cyd", 2),
    ]  # fmt: skip
    assert [row["value"] for row in rows] == pytest.approx([0.4917898193760262, 0.6125, 0.3230769230769231])


def test_labels_of_a_corpus_leave_out_pairs_who_did_not_use_them() -> None:
    wanted = {
        "ANA": 0, "DATE": 0, "DIS": 1 / 2, "FIRST": 1 / 3, "LAST": 0, "LOC": 0, "NAME": 1, "ORG": 0, "PER": 1,
        "TITLE": 0, "X": 2 / 15, "Y": 1 / 6,
    }  # fmt: skip
    result = accord.span_f1(study(CORPUS))
    assert dict(zip(result.by_label()["label"], result.by_label()["value"], strict=True)) == pytest.approx(wanted)
    assert accord.span_f1(study(CORPUS), average="labels").value == pytest.approx(np.mean(list(wanted.values())))


def test_three_annotators_of_one_sentence() -> None:
    """From spans-and-rankings.json (span_multi_ABC), checked there with seqeval 1.2.2."""
    sentence = {
        "ana": [one(0, 2, "PER"), one(3, 6, "LOC"), one(7, 8, "DATE")],
        "ben": [one(0, 2, "PER"), one(3, 5, "LOC"), one(9, 11, "ORG")],
        "cyd": [one(0, 1, "PER"), one(3, 6, "ORG"), one(7, 8, "DATE"), one(9, 11, "ORG")],
    }
    result = accord.span_f1(study([sentence]))
    assert result.value == pytest.approx(0.30158730158730157)
    assert dict(zip(result.by_label()["label"], result.by_label()["value"], strict=True)) == pytest.approx(
        {"PER": 1 / 3, "LOC": 0, "DATE": 1 / 3, "ORG": 2 / 9}
    )


# -- laws --------------------------------------------------------------------------------------------------------------


@given(documents(), st.sampled_from(["exact", "overlap", "soft"]), st.sampled_from(["micro", "macro", "pooled"]),
       st.sampled_from(EMPTIES))  # fmt: skip
def test_f1_is_what_trying_every_matching_gives(drawn: Documents, match: Any, average: Any, empty: Any) -> None:
    found = SpanF1Recipe(Criterion(match), average, empty).of(continuum(drawn)).parts.value
    wanted = oracle.f1([positions(one) for one in drawn], oracle.worth(match, 0.5, labels=True), average, empty)
    assert float(found) == pytest.approx(wanted, nan_ok=True)


@given(documents(), st.randoms(use_true_random=False))
def test_no_order_changes_a_digit(drawn: Documents, random: Any) -> None:
    """Of annotators, of documents, or of marks as a tool stored them."""
    shuffled = []
    for document in drawn:
        people = random.sample(list(document), len(document))
        shuffled.append({who: random.sample(list(document[who]), len(document[who])) for who in people})
    random.shuffle(shuffled)
    for match in ("exact", "overlap", "soft"):
        before, after = (accord.span_f1(study(some), match=match).value for some in (drawn, shuffled))
        assert after == pytest.approx(before, nan_ok=True, abs=1e-12)


@given(documents(), st.sampled_from([0.25, 3, 1000]))
def test_another_unit_of_length_changes_nothing(drawn: Documents, factor: float) -> None:
    marked = continuum(drawn)
    longer = Continuum(
        marked.labels, marked.annotators, marked.seen, marked.length * factor, marked.document, marked.annotator,
        marked.start * factor, marked.end * factor, marked.label, marked.piece_of, marked.piece_start * factor,
        marked.piece_end * factor,
    )  # fmt: skip
    for match in ("exact", "iou", "soft"):
        recipe = SpanF1Recipe(Criterion(match))
        assert float(recipe.of(longer).parts.value) == pytest.approx(float(recipe.of(marked).parts.value), nan_ok=True)


@given(documents())
def test_full_agreement_is_one_and_a_stricter_criterion_is_never_higher(drawn: Documents) -> None:
    alike = [dict.fromkeys(("ana", "ben"), next(iter(document.values()))) for document in drawn]
    marked = any(next(iter(document.values())) for document in drawn)
    for options in CRITERIA.values():
        assert accord.span_f1(study(alike), **options).value == pytest.approx(1 if marked else math.nan, nan_ok=True)
    values = [accord.span_f1(study(drawn), match=match).value for match in ("exact", "soft", "overlap")]
    assert all(math.isnan(value) for value in values) or values == sorted(values)


@given(documents(), st.sampled_from(AVERAGES), st.sampled_from(EMPTIES), st.integers(0, 100))
def test_resamples_are_the_study_with_documents_repeated(drawn: Documents, average: Any, empty: Any, seed: int) -> None:
    f1 = SpanF1Recipe(Criterion("soft"), average, empty).of(continuum(drawn))
    if not len(f1.sample):
        return
    number = np.random.default_rng(seed).integers(0, 3, (4, len(f1.sample)))
    counted = [place for place, document in enumerate(drawn) if f1.sample.place[place] >= 0]
    for row, value in zip(number, f1.evaluate(number).value, strict=True):
        again = [drawn[counted[at]] for at in np.repeat(np.arange(len(row)), row)]
        wanted = SpanF1Recipe(Criterion("soft"), average, empty).of(continuum(again)) if again else None
        assert value == pytest.approx(math.nan if wanted is None else float(wanted.parts.value), nan_ok=True)


@given(documents(), st.sampled_from(AVERAGES), st.sampled_from(EMPTIES))
def test_influence_is_the_derivative_and_documents_add_up(drawn: Documents, average: Any, empty: Any) -> None:
    f1 = SpanF1Recipe(Criterion("overlap"), average, empty).of(continuum(drawn))
    size = len(f1.sample)
    if not size or math.isnan(float(f1.parts.value)):
        return
    steps = np.ones((size, size)) + 1e-6 * np.eye(size)
    slopes = (f1.evaluate(steps).value - f1.parts.value) / 1e-6 * size
    assert f1.influence() == pytest.approx(slopes, abs=1e-4)
    assert f1.influence_on(np.ones((1, size)))[0] == pytest.approx(f1.influence())
    parts = f1.decomposition()
    assert np.nansum(parts.value * parts.weight) == pytest.approx(float(f1.parts.value))
    assert parts.weight.sum() == pytest.approx(1)


def test_nested_labels_never_lower_agreement_on_the_first() -> None:
    """Label Studio#8950: ten people who put `first` on a part of `name` fell from 100 % to half."""
    plain = {"ana": [one(0, 10, "name")], "ben": [one(0, 10, "name")]}
    layered = {who: [*marks, one(0, 4, "first")] for who, marks in plain.items()}
    half = {"ana": layered["ana"], "ben": plain["ben"]}
    for match in ("exact", "boundary", "overlap", "iou", "soft"):
        assert accord.span_f1(study([layered]), match=match).value == 1
        by_label = accord.span_f1(study([half]), match=match).by_label()
        assert dict(zip(by_label["label"], by_label["value"], strict=True)) == {"first": 0, "name": 1}


def test_stacked_spans_count_each() -> None:
    """INCEpTION#4741, #5226: identical spans stacked on top of each other are so many spans."""
    twice = [one(0, 4, "X"), one(0, 4, "X")]
    assert accord.span_f1(study([{"ana": twice, "ben": twice}])).value == 1
    assert accord.span_f1(study([{"ana": twice, "ben": twice[:1]}])).value == pytest.approx(2 / 3)
    assert accord.span_f1(study([{"ana": twice, "ben": twice[:1]}]), match="overlap").value == pytest.approx(2 / 3)


# -- what else it answers ----------------------------------------------------------------------------------------------


def test_intervals_agree_and_hold_the_value() -> None:
    result = accord.span_f1(study(many(150, np.random.default_rng(3), shift=0.1, wrong=0.1, missed=0.1)))
    analytic, bootstrap, jackknife = (
        result.interval(method=method) for method in ("analytic", "bootstrap", "jackknife")
    )  # fmt: skip
    assert analytic.low < result.value < analytic.high
    assert bootstrap.low == pytest.approx(analytic.low, abs=0.01)
    assert jackknife.se == pytest.approx(analytic.se, rel=0.02)


@pytest.mark.slow
def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """Documents as they might have been others: 200 studies of 40 documents."""
    truth = SpanF1Recipe(Criterion()).of(
        continuum(many(3_000, np.random.default_rng(99), shift=0.1, wrong=0.1, missed=0.1))
    )
    value, held = float(truth.parts.value), 0
    for seed in range(200):
        drawn = many(40, np.random.default_rng(seed), shift=0.1, wrong=0.1, missed=0.1)
        low, high = accord.span_f1(study(drawn)).interval()
        held += low <= value <= high
    assert held / 200 >= 0.91


def test_errors_of_annotators_and_pairs_are_those_of_their_own_studies() -> None:
    whole = study(many(60, np.random.default_rng(5), shift=0.2, wrong=0.2, missed=0.1))
    result = accord.span_f1(whole)
    pair = accord.span_f1(whole.of_annotators(["ana", "ben"]))
    row = next(iter(result.by_pair()))
    assert (row["value"], row["se"]) == pytest.approx((pair.value, pair.interval().se))
    one_of = accord.span_f1(whole, reference="ana")  # the mean over the two pairs with ana
    mine = next(row for row in result.by_annotator() if row["annotator"] == "ana")
    assert mine["value"] == pytest.approx(one_of.value)
    assert (mine["high"] - mine["low"]) / 2 / 1.96 == pytest.approx(one_of.interval().se, rel=1e-3)


def test_a_reference_leaves_other_pairs_out() -> None:
    result = accord.span_f1(study(CORPUS), reference="cyd")
    assert result.value == pytest.approx((0.375 + 0.15384615384615385) / 2)
    assert result.n_items == 2
    assert "against cyd" in result.title
    assert "only pairs with cyd are compared" in str(result.by_pair().notes)
    with pytest.raises(accord.AccordError, match=r"reference must be one of 'ana', 'ben'.*'dan'"):
        accord.span_f1(study(CORPUS), reference="dan")


def test_nothing_marked_is_undefined_and_says_the_way_out() -> None:
    result = accord.span_f1(study([SILENT, SILENT]))
    assert math.isnan(result.value)
    assert "Nobody marked anything" in str(result.undefined)
    assert "empty='agree'" in str(result.undefined)
    assert accord.span_f1(study([SILENT, SILENT]), empty="agree").value == 1


def test_documents_of_one_annotator_are_counted_and_said() -> None:
    result = accord.span_f1(study([FLAT, {"ana": [one(0, 1, "PER")]}]))
    assert (result.value, result.n_items) == (0.25, 1)
    assert any("1 document that only one" in note for note in result.notes)


def test_nothing_marked_together_is_said_where_it_matters() -> None:
    told = accord.span_f1(study(CORPUS), average="macro").notes
    assert any("neither of two annotators marked anything" in note and "empty='agree'" in note for note in told)
    assert accord.span_f1(study(CORPUS)).notes == ()


def test_groups_and_comparison_work_as_of_any_measure() -> None:
    marked = study(many(30, np.random.default_rng(8), shift=0.1, wrong=0.1, missed=0.1))
    exact, loose = accord.span_f1(marked), accord.span_f1(marked, match="overlap")
    compared = accord.compare(exact, loose)
    assert compared.difference == pytest.approx(exact.value - loose.value)
    assert compared.p < 0.001


def test_other_answers_are_refused_with_what_serves() -> None:
    with pytest.raises(accord.AccordError, match="Span F1 is for answers in spans; these are single answers"):
        accord.span_f1(accord.Study.from_pairs(["a", "b"], ["a", "b"]))


def test_the_calculation_is_shown() -> None:
    lines = accord.span_f1(study(CORPUS)).working()
    assert "ana and ben: 2 · 4 / 29 = 0.2759" in str(lines)


def test_a_crowd_costs_by_who_met_whom() -> None:
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(300):
        who = rng.choice(400, 3, replace=False)
        drawn.append({f"w{person}": [one(0, 3 + int(rng.integers(2)), "X")] for person in who})
    f1 = SpanF1Recipe(Criterion()).of(Continuum.of(study(drawn)))
    assert isinstance(f1, SpanF1)
    assert f1.ratios.n_cells <= 900
    assert 0 < float(f1.parts.value) < 1


def test_a_class_of_two_hundred_costs_by_documents_and_pairs() -> None:
    rng = np.random.default_rng(1)
    text = [one(10 * at, 10 * at + 3, "XYZ"[at % 3]) for at in range(20)]
    drawn = [{f"s{who:03}": [mark for mark in text if rng.random() < 0.8] for who in range(200)} for _ in range(2)]
    result = accord.span_f1(study(drawn))
    assert result.value == pytest.approx(0.8, abs=0.02)
    assert len(result.by_pair()) == 200 * 199 // 2


def test_more_comparisons_than_fit_say_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    from accord.spans import shared_documents

    monkeypatch.setattr(shared_documents, "MOST_ROWS", 10)
    with pytest.raises(accord.AccordError, match=r"32 marks to compare.*up to 10.*of_annotators"):
        accord.span_differences(study([FLAT, MIXED]))


def test_a_threshold_without_iou_is_an_error() -> None:
    with pytest.raises(OptionError, match="threshold must be left out"):
        accord.span_f1(study(many(3, np.random.default_rng(1), shift=0, wrong=0, missed=0)), threshold=0.7)

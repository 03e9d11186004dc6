"""Unitizing alpha: equal to brute force point by point, and its laws."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

import accord
from accord.agreement.inference.informative_items import analytic_interval
from accord.coefficients.units import Units
from accord.errors import MeasureError, OptionError
from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis
from accord.spans.positions import AtPositions
from accord.spans.unitizing import Form, SelfPairs, unitizing
from tests.oracles import unitizing as oracle
from tests.spans.corpora import CHARACTERS, LABELS, any_marks, continuum, corpora, drawn

TIME = Basis("time")
FORMS: tuple[Form, ...] = ("unitizing", "binary", "coded")


def value(
    found: Continuum, form: Form = "unitizing", basis: Basis = CHARACTERS, pairs: SelfPairs = "left-out"
) -> float:
    return float(unitizing(found, basis, form, pairs).parts.value)


def same(mine: float, theirs: Any) -> None:
    """Equal, or both undefined."""
    try:
        expected = theirs()
    except ZeroDivisionError:
        assert math.isnan(mine)
    else:
        assert mine == pytest.approx(expected, abs=1e-9)


@given(corpora())
def test_formula_and_brute_force_are_equal(corpus: Any) -> None:
    same(value(continuum(*corpus)), lambda: oracle.unitizing_alpha(*corpus))


@given(corpora())
def test_the_binary_form_is_that_of_one_label_with_borders_kept(corpus: Any) -> None:
    documents, lengths = corpus
    same(value(continuum(*corpus), "binary"), lambda: oracle.unitizing_alpha(oracle.binary(documents), lengths))


@given(corpora())
@pytest.mark.parametrize("pairs", ["left-out", "kept"])
def test_the_coded_form_in_both_readings(pairs: SelfPairs, corpus: Any) -> None:
    found = value(continuum(*corpus), "coded", pairs=pairs)
    same(found, lambda: oracle.coded_alpha(*corpus, left_out=pairs == "left-out"))


@given(corpora(people=2, gaps=False))
def test_two_annotators_coded_with_all_pairs_is_alpha_of_what_both_marked(corpus: Any) -> None:
    held = continuum(*corpus)
    marked = AtPositions("without-replacement", outside="missing").of(held, TIME)
    assert value(held, "coded", TIME, "kept") == pytest.approx(float(marked.parts.value), nan_ok=True)


@given(corpora())
def test_units_of_one_character_make_it_position_wise_alpha(corpus: Any) -> None:
    documents, lengths = corpus
    cut = [
        {
            who: [(at, at + 1, label) for start, end, label in marks for at in range(start, end)]
            for who, marks in one.items()
        }
        for one in documents
    ]
    held = continuum(cut, lengths)
    alpha = AtPositions("without-replacement").of(held, CHARACTERS).parts.value
    assert value(held) == pytest.approx(float(alpha), nan_ok=True)


@given(corpora(marks=any_marks))
def test_overlapping_units_are_measured_label_by_label(corpus: Any) -> None:
    documents, lengths = corpus
    held = continuum(*corpus)
    found = unitizing(held, CHARACTERS, "unitizing", "left-out")
    assume(any("overlap, so that a position has several labels" in note for note in found.notes()))
    observed = expected = 0.0
    for label in LABELS:
        one = unitizing(
            continuum([joined(part, label) for part in documents], lengths), CHARACTERS, "unitizing", "left-out"
        )
        observed += 1 - float(one.parts.observed)
        expected += np.nan_to_num(1 - float(one.parts.expected))
    assert 1 - float(found.parts.observed) == pytest.approx(observed, nan_ok=True)
    assert np.nan_to_num(1 - float(found.parts.expected)) == pytest.approx(expected)


def joined(document: oracle.Document, label: str) -> oracle.Document:
    """The units of one label, those that overlap as one."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for who, marks in document.items():
        found[who] = []
        for start, end, name in sorted(marks):
            if name == label and found[who] and start < found[who][-1][1]:
                found[who][-1] = (found[who][-1][0], max(end, found[who][-1][1]), label)
            elif name == label:
                found[who].append((start, end, label))
    return found


def test_of_one_label_is_the_alpha_of_its_units_alone() -> None:
    held = drawn(np.random.default_rng(1), 6)
    whole = unitizing(held, CHARACTERS, "unitizing", "left-out")
    for label in range(3):
        alone = held.take(held.label == label)
        assert float(whole.of_label(label).parts.value) == pytest.approx(value(alone))  # type: ignore[union-attr]


def test_pieces_of_a_discontinuous_unit_are_one_unit() -> None:
    whole = Continuum.of_marks([{"a": [(0, 4, "x"), (6, 9, "x")], "b": [(0, 4, "x")]}], 12.0)
    split = replace(
        whole, document=whole.document[1:], annotator=np.array([0, 1]), start=np.zeros(2), end=np.array([9.0, 4.0]),
        label=np.zeros(2, dtype=np.int64), piece_of=np.array([0, 0, 1]),
    )  # fmt: skip
    # 24 points; left out are 7² + 4² pairs within units and 5 + 8 gap points with themselves; 3 places differ
    assert value(split) == pytest.approx(1 - (6 / 24) / (2 * 11 * 13 / (24**2 - 7**2 - 4**2 - 13)))
    assert value(whole) == pytest.approx(1 - (6 / 24) / (2 * 11 * 13 / (24**2 - 4**2 - 3**2 - 4**2 - 13)))


# -- laws --------------------------------------------------------------------------------------------------------------


@given(corpora())
def test_order_of_annotators_documents_and_storage_changes_nothing(corpus: Any) -> None:
    documents, lengths = corpus
    turned = [{who: list(marks)[::-1] for who, marks in reversed(one.items())} for one in documents]
    for form in FORMS:
        assert value(continuum(turned[::-1], lengths[::-1]), form) == pytest.approx(
            value(continuum(*corpus), form), nan_ok=True
        )


@given(corpora())
def test_time_has_no_unit_and_whole_places_tend_to_it(corpus: Any) -> None:
    held = continuum(*corpus)
    in_time = value(held, basis=TIME)
    assert value(scaled(held, 0.1), basis=TIME) == pytest.approx(in_time, nan_ok=True)
    near = value(scaled(held, 1e6))
    assert near == pytest.approx(in_time, abs=1e-4, nan_ok=True)


def scaled(held: Continuum, by: float) -> Continuum:
    """The same in another unit of length."""
    places = ("start", "end", "length", "piece_start", "piece_end")
    return replace(held, **{name: getattr(held, name) * by for name in places})


def test_full_agreement_is_one() -> None:
    marks = [(0, 5, "x"), (8, 12, "y")]
    for form in FORMS:
        assert value(Continuum.of_marks([{"a": marks, "b": marks, "c": marks}], 20.0), form) == 1


def test_a_corpus_twice_over_is_near_itself_and_one_of_single_annotators_adds_nothing() -> None:
    held = drawn(np.random.default_rng(2), 5)
    found = unitizing(held, CHARACTERS, "unitizing", "left-out")
    twice = float(found.evaluate(np.full(5, 2.0)).value)
    assert twice == pytest.approx(float(found.parts.value), abs=0.01)
    alone = replace(held, seen=np.vstack((held.seen, [True, False, False])), length=np.append(held.length, 60.0))
    assert value(alone) == value(held)


def test_who_marked_nothing_disagrees_and_who_did_not_see_it_does_not() -> None:
    marks = [(0, 5, "x")]
    silent = Continuum.of_marks([{"a": marks, "b": marks, "c": []}], 10.0)
    absent = Continuum.of_marks([{"a": marks, "b": marks}], 10.0)
    assert value(silent) < value(absent) == 1


# -- as a measurable ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "nested"),
    [("unitizing", False), ("binary", False), ("coded", False), ("unitizing", True), ("binary", True)],
)
def test_influence_is_the_derivative(form: Form, nested: bool) -> None:
    found = unitizing(drawn(np.random.default_rng(3), 12, nested=nested), CHARACTERS, form, "left-out")
    for part in (found, found.of_label(0)):
        assert part is not None
        number, step = np.ones(12), 1e-5
        moved = [
            float(part.evaluate(number + step * row).value - part.evaluate(number - step * row).value) / (2 * step)
            for row in np.eye(12)
        ]
        assert part.influence() == pytest.approx(12 * (np.array(moved) - np.mean(moved)), abs=1e-6)
        assert part.influence_on(number[None])[0] == pytest.approx(part.influence(), abs=1e-9)
        resampled = np.random.default_rng(4).multinomial(12, np.full(12, 1 / 12), size=3).astype(np.float64)
        assert part.evaluate(resampled).value[1] == pytest.approx(float(part.evaluate(resampled[1]).value))


def table(**more: Any) -> dict[str, list[Any]]:
    """Twelve documents of two annotators, from the same marks as the laws."""
    held = drawn(np.random.default_rng(5), 12, people=2)
    unit = range(held.n_units)
    rows = {
        "item": [f"d{held.document[one]:02}" for one in unit],
        "annotator": [held.annotators[held.annotator[one]] for one in unit],
        "label": [held.labels[held.label[one]] for one in unit],
        "start": held.start.astype(int).tolist(),
        "end": held.end.astype(int).tolist(),
        "text": ["." * 60] * held.n_units,
        "half": ["one" if held.document[one] < 6 else "two" for one in unit],
    }
    return {**rows, **more}


ROLES: Any = {
    "item": "item",
    "annotator": "annotator",
    "label": "label",
    "start": "start",
    "end": "end",
    "text": "text",
}


def test_a_result_can_be_asked_everything() -> None:
    study = accord.Study(table(), **ROLES)
    result = accord.unitizing_alpha(study)
    analytic, jackknife = result.interval(), result.interval(method="jackknife")
    assert analytic.se == pytest.approx(jackknife.se, rel=0.1)
    assert result.interval(method="bootstrap", rng=1).se == pytest.approx(analytic.se, rel=0.25)
    items = result.by_item()
    assert float(items["weight"] @ items["value"]) == pytest.approx(result.value)
    assert list(result.by_label()["label"]) == ["x", "y", "z"]
    assert result.by_annotator()["value"].tolist() == pytest.approx([result.value] * 2)
    assert result.by_pair()["value"].tolist() == pytest.approx([result.value])
    groups = accord.unitizing_alpha(study, by="half").by_group()
    assert list(groups["half"]) == ["one", "two"]
    assert "12 documents, 2 annotators, 24 answers; 720 characters" in result.working()


def test_marks_are_not_dealt_out_to_other_documents_to_test_a_value() -> None:
    for measure in (accord.unitizing_alpha, accord.krippendorff_alpha):
        result = measure(accord.Study(table(), **ROLES))
        found = result.test()
        assert (found.method, found.se) == ("analytic", result.interval().se)
        assert "cannot be dealt out to another" in str(found.note)
        with pytest.raises(OptionError, match="analytic"):
            result.test(method="permutation")


def test_by_label_of_the_coded_form_has_its_coverage() -> None:
    coverage = np.array(accord.unitizing_alpha(accord.Study(table(), **ROLES), form="coded").by_label()["coverage"])
    assert ((coverage > 0.5) & (coverage <= 1)).all()


def test_by_annotator_singles_out_who_differs() -> None:
    good = [(0, 5, "x"), (8, 12, "y")]
    held = Continuum.of_marks([{"a": good, "b": good, "c": [(2, 7, "y")]}, {"a": good, "b": good, "c": []}], 20.0)
    found = unitizing(held, CHARACTERS, "unitizing", "left-out")
    each = found.by_annotator(None)  # type: ignore[arg-type]
    assert each.value[2] < each.value[0] == pytest.approx(each.value[1])
    # observed is over pairs that hold one of theirs: the mean over people is that of all
    assert each.observed.mean() == pytest.approx(float(found.parts.observed))


def test_a_value_that_hangs_on_two_documents_of_many_has_no_interval_and_says_why() -> None:
    marks = [(0, 5, "x"), (8, 12, "y")]
    quiet: list[oracle.Document] = [{"a": [], "b": []} for _ in range(18)]
    held = continuum([{"a": marks, "b": marks}, {"a": marks, "b": marks[:1]}, *quiet], [20] * 20)
    for found in (unitizing(held, CHARACTERS, "unitizing", "left-out"), AtPositions("own").of(held, CHARACTERS)):
        interval = analytic_interval(found, Units(found.sample))
        assert "Only 2 items of 20 hold another answer than 'nothing marked'" in str(interval.undefined)
        label = found.of_label(0)
        assert label is not None
        rare = label.rare_answers()
        assert rare is not None
        assert (rare.items, rare.agreed, rare.of) == (2, 2, 20)


def test_one_document_has_a_value_and_no_interval_and_says_why() -> None:
    rows = table()
    one = {
        name: [cell for cell, item in zip(cells, rows["item"], strict=True) if item == "d00"]
        for name, cells in rows.items()
    }
    result = accord.unitizing_alpha(accord.Study(one, **ROLES))
    assert math.isfinite(result.value)
    assert math.isnan(result.interval().low)
    assert "single item" in str(result.interval().undefined)


def test_documents_without_a_text_end_with_their_last_mark_and_say_so() -> None:
    rows = table()
    del rows["text"]
    result = accord.unitizing_alpha(accord.Study(rows, **{name: name for name in ROLES if name != "text"}))
    assert any("How long 12 documents are is not known" in note for note in result.notes)


def test_nobody_marked_anything_is_undefined_and_says_so() -> None:
    rows = {
        "item": ["d1", "d1"],
        "annotator": ["a", "b"],
        "label": [None, None],
        "start": [None] * 2,
        "end": [None] * 2,
    }
    study = accord.Study({**rows, "text": ["Nothing here.", None]}, answers="spans", **ROLES)
    result = accord.unitizing_alpha(study)
    assert math.isnan(result.value)
    assert "Nobody marked anything" in str(result.undefined)


def test_the_coded_form_refuses_units_that_overlap_and_names_what_serves() -> None:
    rows = {
        "item": ["d"] * 3,
        "annotator": ["a", "a", "b"],
        "label": ["x", "y", "x"],
        "start": [0, 2, 0],
        "end": [5, 4, 5],
    }
    study = accord.Study(rows, **{name: name for name in ROLES if name != "text"})
    with pytest.raises(MeasureError, match="outside"):
        accord.unitizing_alpha(study, form="coded")
    assert any("added up" in note for note in accord.unitizing_alpha(study).notes)


def test_the_coded_form_says_that_its_self_pairs_are_open() -> None:
    study = accord.Study(table(), **ROLES)
    assert any("not settled" in note and "kept" in note for note in accord.unitizing_alpha(study, form="coded").notes)


@pytest.mark.parametrize("options", [{"form": "coarse"}, {"unit": "word"}, {"self_pairs": "kept"}])
def test_an_option_that_cannot_be_is_an_error(options: Any) -> None:
    with pytest.raises(OptionError):
        accord.unitizing_alpha(accord.Study(table(), **ROLES), **options)


def test_measure_says_a_note_of_several_once_and_leaves_the_form_of_1995_to_who_asks_for_it() -> None:
    found = accord.measure(accord.Study(table(), **ROLES))
    assert str(found).count("Places that nobody marked") == 1
    assert "unitizing_alpha_1995" not in [result.measure for result in found]
    assert "replaced by unitizing_alpha" in found.left_out["unitizing_alpha_1995"]
    alone = found.only(["unitizing_alpha_1995", "unitizing_alpha"])
    assert [result.measure for result in alone] == ["unitizing_alpha_1995", "unitizing_alpha"]
    assert alone[0].value == accord.unitizing_alpha_1995(found.recommended.study).value
    with pytest.raises(MeasureError, match="answers in spans"):
        accord.measure(["a", "b", "b"], ["a", "b", "a"]).only("unitizing_alpha_1995")


def test_labels_of_items_are_refused() -> None:
    with pytest.raises(MeasureError, match="answers in spans"):
        accord.unitizing_alpha(["a", "b"], ["a", "a"])

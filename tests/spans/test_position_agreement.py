"""Alpha and kappas place by place: equal to brute force, and what sets of labels and unmarked places mean."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import accord
from accord.coefficients.units import Units
from accord.errors import MeasureError, OptionError
from accord.spans.continuum import Continuum
from accord.spans.over_documents import Basis
from accord.spans.positions import AtPositions
from accord.spans.segments import Segments
from tests.oracles import unitizing as oracle
from tests.shared import DATA
from tests.spans.corpora import CHARACTERS, any_marks, continuum, corpora, drawn

ALPHA, FLEISS, COHEN = AtPositions("without-replacement"), AtPositions("pooled"), AtPositions("own")
ROLES: Any = {"item": "item", "annotator": "annotator", "label": "label", "start": "start", "end": "end"}


def same(mine: float, theirs: Any) -> None:
    """Equal, or both undefined."""
    try:
        expected = theirs()
    except ZeroDivisionError:
        assert math.isnan(mine)
    else:
        assert mine == pytest.approx(expected, abs=1e-9)


@given(corpora(marks=any_marks))
def test_alpha_equals_brute_force(corpus: Any) -> None:
    same(float(ALPHA.of(continuum(*corpus), CHARACTERS).parts.value), lambda: oracle.position_alpha(*corpus))


@given(corpora(marks=any_marks))
def test_alpha_of_what_two_marked_equals_brute_force(corpus: Any) -> None:
    marked = AtPositions("without-replacement", outside="missing").of(continuum(*corpus), CHARACTERS)
    same(float(marked.parts.value), lambda: oracle.position_alpha(*corpus, outside=False))


@given(corpora(marks=any_marks))
def test_fleiss_kappa_equals_brute_force(corpus: Any) -> None:
    same(float(FLEISS.of(continuum(*corpus), CHARACTERS).parts.value), lambda: oracle.fleiss_kappa(*corpus))


@given(corpora(marks=any_marks, people=2, gaps=False))
def test_cohen_kappa_equals_brute_force(corpus: Any) -> None:
    same(float(COHEN.of(continuum(*corpus), CHARACTERS).parts.value), lambda: oracle.cohen_kappa(*corpus))


@given(corpora(gaps=False))
def test_labels_that_do_not_overlap_give_the_nominal_alpha_of_all_characters(corpus: Any) -> None:
    documents, lengths = corpus
    rows = []
    for document, length in zip(documents, lengths, strict=True):
        table = np.full((length, len(document)), "outside", dtype=object)
        for who, marks in enumerate(document.values()):
            for start, end, label in marks:
                table[start:end, who] = label
        rows.append(table)
    labels = accord.krippendorff_alpha(accord.Study.from_wide(np.concatenate(rows)))
    mine = ALPHA.of(continuum(*corpus), CHARACTERS).parts
    assert float(mine.value) == pytest.approx(labels.value, nan_ok=True)
    assert float(mine.observed) == pytest.approx(labels.observed)
    assert float(mine.expected) == pytest.approx(labels.expected)


@given(corpora(marks=any_marks))
def test_the_value_is_the_mean_of_its_labels_weighed_by_expected_disagreement(corpus: Any) -> None:
    """Every label held or not is a binary alpha, outside too."""
    whole = ALPHA.of(continuum(*corpus), CHARACTERS)
    parts = [whole.of_label(label) for label in range(4)]
    weights = np.array([1 - float(part.parts.expected) for part in parts if part is not None])
    values = np.array([float(part.parts.value) for part in parts if part is not None])
    if weights.sum() > 1e-12 and np.isfinite(float(whole.parts.value)):
        assert float(whole.parts.value) == pytest.approx(weights @ np.nan_to_num(values) / weights.sum())


@given(corpora(marks=any_marks))
def test_label_studio_8950_a_layer_that_all_nest_in_the_first_never_lowers_agreement(corpus: Any) -> None:
    """Ten people who overlay `name.first` on `name` fall from 100 % to about 50 % there, by order of storage."""
    documents, lengths = corpus
    nested = [
        {who: [(0, 2, "z"), *([mark for mark in marks if mark[2] != "z"])] for who, marks in one.items()}
        for one in documents
    ]
    before = [{who: [mark for mark in marks if mark[2] != "z"] for who, marks in one.items()} for one in documents]
    for recipe in (ALPHA, FLEISS):
        first, then = (recipe.of(continuum(held, lengths), CHARACTERS) for held in (before, nested))
        for label in (0, 1):  # agreement on each label of the first layer is what it was
            one, two = first.of_label(label), then.of_label(label)
            assert one is not None
            assert two is not None
            assert float(two.parts.value) == pytest.approx(float(one.parts.value), nan_ok=True)


def test_label_studio_8950_ten_people_who_agree_still_agree_fully() -> None:
    names = [(0, 10, "name")]
    both = [(0, 10, "name"), (0, 4, "name.first"), (5, 10, "name.last")]
    held = [{f"p{who}": (names if who % 2 else list(reversed(both))) for who in range(10)}]
    everybody = [dict.fromkeys((f"p{who}" for who in range(10)), both)]
    assert float(ALPHA.of(Continuum.of_marks(everybody, 30.0), CHARACTERS).parts.value) == 1
    half = ALPHA.of(Continuum.of_marks(held, 30.0, ["name", "name.first", "name.last"]), CHARACTERS)
    name = half.of_label(0)
    assert name is not None
    assert float(name.parts.value) == 1


def test_an_extra_layer_that_all_mark_raises_the_value_where_they_mark_it() -> None:
    marks = {"a": [(0, 10, "name"), (20, 25, "place")], "b": [(0, 10, "name"), (19, 25, "place")]}
    layered = {who: [*held, (0, 4, "name.first")] for who, held in marks.items()}
    plain, nested = (
        float(ALPHA.of(Continuum.of_marks([held], 40.0), CHARACTERS).parts.value) for held in (marks, layered)
    )
    assert nested > plain


@given(corpora(marks=any_marks))
def test_order_of_annotators_documents_and_storage_changes_nothing(corpus: Any) -> None:
    documents, lengths = corpus
    turned = [{who: list(marks)[::-1] for who, marks in reversed(one.items())} for one in documents]
    for recipe in (ALPHA, FLEISS):
        one, two = (
            recipe.of(continuum(*corpus), CHARACTERS),
            recipe.of(continuum(turned[::-1], lengths[::-1]), CHARACTERS),
        )
        assert float(one.parts.value) == pytest.approx(float(two.parts.value), nan_ok=True)


@pytest.mark.parametrize("outside", ["label", "missing"])
@pytest.mark.parametrize("chance", ["without-replacement", "pooled", "own"])
def test_influence_is_the_derivative(chance: Any, outside: Any) -> None:
    held = drawn(np.random.default_rng(3), 12, people=2, nested=True)
    found = AtPositions(chance, outside=outside).of(held, CHARACTERS)
    for part in (found, found.of_label(2)):
        assert part is not None
        moved = [
            float(part.evaluate(np.ones(12) + 1e-5 * row).value - part.evaluate(np.ones(12) - 1e-5 * row).value) / 2e-5
            for row in np.eye(12)
        ]
        assert part.influence() == pytest.approx(12 * (np.array(moved) - np.mean(moved)), abs=1e-6)


@pytest.mark.parametrize("recipe", [ALPHA, FLEISS, COHEN])
def test_by_annotator_of_two_is_the_whole_and_documents_add_up_to_it(recipe: AtPositions) -> None:
    held = drawn(np.random.default_rng(4), 12, people=2, nested=True)
    for found in (recipe.of(held, CHARACTERS), recipe.of(held, CHARACTERS).of_label(1)):
        assert found is not None
        each = found.by_annotator(None)  # type: ignore[arg-type]
        assert each.value.tolist() == pytest.approx([float(found.parts.value)] * 2)
        assert each.error[0] == pytest.approx(found.error(Units(found.sample)))
        parts = found.decomposition()
        assert float(parts.weight @ parts.value) == pytest.approx(float(found.parts.value))


@given(corpora(marks=any_marks))
def test_by_annotator_is_over_the_pairs_that_hold_one_of_theirs(corpus: Any) -> None:
    found = ALPHA.of(continuum(*corpus), CHARACTERS)
    if not math.isfinite(float(found.parts.value)):
        return
    each = found.by_annotator(None)  # type: ignore[arg-type]
    points = [held for held in oracle.together(oracle.points_of(*corpus)).values() if len(held) > 1]
    for place, name in enumerate(continuum(*corpus).annotators):
        mine = [[point for point in held if point.annotator == name] for held in points]
        apart = [
            sum(oracle.apart(one, other) for other in held) / (len(held) - 1)
            for own, held in zip(mine, points, strict=True)
            for one in own
        ]
        observed = sum(apart) / len(apart) if apart else math.nan
        assert 1 - each.observed[place] == pytest.approx(observed, nan_ok=True)
        assert each.value[place] == pytest.approx(1 - observed / (1 - float(found.parts.expected)), nan_ok=True)


def test_many_labels_among_many_places_are_counted_by_sorting_and_give_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = drawn(np.random.default_rng(6), 9, nested=True)
    before = [recipe.of(held, CHARACTERS) for recipe in (ALPHA, FLEISS)]
    monkeypatch.setattr("accord.spans.segments.SPREAD", 0)
    monkeypatch.setattr("accord.coefficients.item_sums.FULL_CELLS", 0)
    for one, two in zip(before, [recipe.of(held, CHARACTERS) for recipe in (ALPHA, FLEISS)], strict=True):
        assert float(one.parts.value) == pytest.approx(float(two.parts.value), abs=1e-15)
        assert one.influence() == pytest.approx(two.influence(), abs=1e-12)


def test_overlap_that_is_too_much_is_an_error_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.spans.segments.MOST_HELD", 10)
    with pytest.raises(MeasureError, match="more than the 10"):
        Segments.of(drawn(np.random.default_rng(5), 3), outside=True)


def test_a_hundred_thousand_units_in_one_document_have_an_answer() -> None:
    """Of one label they nest a hundred deep, which would be a table of ten million places held."""
    starts = np.arange(0, 1_000_000, 10)
    marks = [(int(start), int(start) + 1000, "x") for start in starts]
    held = Continuum.of_marks([{"a": marks, "b": marks[1:]}], 2_000_000.0)
    segments = Segments.of(held, outside=True)
    assert len(segments.segment) < 10 * len(starts)
    assert float(ALPHA.of(held, CHARACTERS).parts.value) == pytest.approx(1, abs=0.02)


# -- as measures -------------------------------------------------------------------------------------------------------

TEXT = "Ana Müller lives in Split, Croatia."
ROWS: dict[str, list[Any]] = {
    "item": ["d1"] * 5 + ["d2"] * 2 + ["d3"],
    "annotator": ["ana", "ana", "ben", "ben", "ben", "ana", "ben", "ana"],
    "label": ["PER", "LOC", "PER", "LOC", "LOC", "PER", None, "PER"],
    "start": [0, 20, 0, 20, 27, 0, None, 0],
    "end": [10, 25, 3, 25, 34, 3, None, 3],
    "text": [TEXT] * 5 + ["Ben waits.", None, "Nobody else saw this."],
}


def study(**more: Any) -> accord.Study:
    return accord.Study({**ROWS, **more}, **ROLES, text="text")


def test_tokens_by_the_rule_and_characters() -> None:
    """d1 has the tokens Ana, Müller, lives, in, Split, the comma, Croatia and the full stop; d2 has three."""
    tokens, characters = (accord.krippendorff_alpha(study(), unit=unit) for unit in ("token", "character"))
    held = [
        {"a": [(0, 2, "PER"), (4, 5, "LOC")], "b": [(0, 1, "PER"), (4, 5, "LOC"), (6, 7, "LOC")]},
        {"a": [(0, 1, "PER")], "b": []},
    ]
    assert tokens.value == pytest.approx(oracle.position_alpha(held, [8, 3]))
    assert characters.value != tokens.value
    assert tokens.title == "Krippendorff's alpha (of tokens)"
    assert any("found by a rule" in note for note in tokens.notes)


def test_tokens_of_the_export_come_first() -> None:
    tokens = ["0 10;11 16;17 19;20 34;34 35", *[None] * 4, "0 3;4 10", None, None]
    result = accord.krippendorff_alpha(study(tokens=tokens), unit="token")
    held = [{"a": [(0, 1, "PER"), (3, 4, "LOC")], "b": [(0, 1, "PER"), (3, 4, "LOC")]}, {"a": [(0, 1, "PER")], "b": []}]
    assert result.value == pytest.approx(oracle.position_alpha(held, [5, 2]))
    assert not any("rule" in note for note in result.notes)


def test_a_document_of_one_annotator_is_left_out_and_counted() -> None:
    result = accord.krippendorff_alpha(study())
    assert result.n_items == 2
    assert any(note.startswith("1 document that only one annotator saw") for note in result.notes)


def test_spans_without_any_length_are_left_out_and_counted() -> None:
    result = accord.unitizing_alpha(study(end=[10, 20, 3, 25, 34, 3, None, 3]))
    assert any(note.startswith("1 span without any length") for note in result.notes)


def test_a_sentence_says_over_what_agreement_is_observed() -> None:
    assert "% of characters" in accord.krippendorff_alpha(study()).sentence()
    nested = study(start=[0, 0, 0, 20, 27, 0, None, 0])
    assert "mean observed agreement of" in accord.krippendorff_alpha(nested).sentence()
    assert "added up over labels" in accord.unitizing_alpha(nested).sentence()


def test_it_says_why_it_is_never_reported_alone() -> None:
    for result in (
        accord.krippendorff_alpha(study()),
        accord.cohen_kappa(study()),
        accord.fleiss_kappa(study(), outside="missing"),
    ):
        assert any("never alone" in note for note in result.notes)


def test_who_left_a_place_unmarked_may_be_missing_there() -> None:
    result = accord.krippendorff_alpha(study(), outside="missing")
    assert result.observed == 1  # where both marked something they have the same label
    assert result.title == "Krippendorff's alpha (of marked characters)"


def test_no_text_is_an_error_for_tokens_that_names_the_way_out() -> None:
    bare = accord.Study({name: cells for name, cells in ROWS.items() if name != "text"}, **ROLES)
    with pytest.raises(MeasureError, match="2 documents of 2 have neither a text nor tokens"):
        accord.krippendorff_alpha(bare, unit="token")


def test_places_between_whole_numbers_are_time_and_no_characters() -> None:
    seconds = accord.Study(
        {"item": ["r"] * 2, "annotator": ["a", "b"], "label": ["x", "x"], "start": [0.5, 0.25], "end": [2.0, 2.0]},
        **ROLES,
    )
    assert accord.krippendorff_alpha(seconds).title == "Krippendorff's alpha (of units of time)"
    with pytest.raises(MeasureError, match="unit='time'"):
        accord.krippendorff_alpha(seconds, unit="character")


def test_time_does_not_depend_on_its_unit() -> None:
    marks = {"a": [(0.0, 1.5, "x"), (3.0, 4.0, "y")], "b": [(0.5, 1.5, "x")]}
    minutes = {name: [(start / 60, end / 60, label) for start, end, label in held] for name, held in marks.items()}
    one, other = (
        ALPHA.of(Continuum.of_marks([held], size), Basis("time")) for held, size in ((marks, 6.0), (minutes, 0.1))
    )
    assert float(one.parts.value) == pytest.approx(float(other.parts.value))


@pytest.mark.parametrize("options", [{"level": "ordinal"}, {"weights": "linear"}])
def test_spans_take_no_level_and_no_weights(options: Any) -> None:
    with pytest.raises(MeasureError, match="place by place"):
        accord.krippendorff_alpha(study(), **options)


def test_options_for_spans_are_refused_for_labels() -> None:
    with pytest.raises(OptionError, match="is for spans"):
        accord.krippendorff_alpha([1, 2, 2], [1, 2, 1], unit="token")
    with pytest.raises(OptionError, match="outside"):
        accord.fleiss_kappa([1, 2, 2], [1, 2, 1], outside="missing")
    with pytest.raises(OptionError, match="unit"):
        accord.cohen_kappa(study(), unit="letter")  # type: ignore[arg-type]


def test_three_annotators_are_too_many_for_cohen() -> None:
    rows = {name: [*cells, cells[0]] for name, cells in ROWS.items()} | {"annotator": [*ROWS["annotator"], "cleo"]}
    with pytest.raises(MeasureError, match="two annotators"):
        accord.cohen_kappa(accord.Study(rows, **ROLES, text="text"))


# -- real studies ------------------------------------------------------------------------------------------------------


@pytest.mark.shared
def test_novels_have_the_alpha_of_their_readme() -> None:
    folder = DATA / "novels_ner_doccano"
    texts = pl.read_csv(folder / "text.csv")
    rows = pl.read_csv(folder / "long.csv").drop("text").join(texts, on="item", how="left")
    result = accord.krippendorff_alpha(accord.Study(rows, **ROLES, text="text"))
    assert result.value == pytest.approx(0.7559765428939729, abs=1e-12)
    assert accord.unitizing_alpha(result.study).value == pytest.approx(result.value, abs=1e-3)  # units are short


@pytest.mark.shared
def test_translation_errors_have_the_alpha_of_their_readme_but_for_the_ends_of_the_texts() -> None:
    """The table has no texts, and the README's .274 knows how long they are: 78 characters beyond the last mark.

    With the last mark as the end alpha is .263; what nobody marked raises it.
    """
    rows = pl.read_csv(DATA / "mqm_wmt23_ende_3raters/long.csv").drop("text")
    rows = rows.with_columns(label=pl.when(pl.col("start").is_not_null()).then(pl.lit("error")))
    result = accord.krippendorff_alpha(accord.Study(rows, **ROLES))
    assert result.value == pytest.approx(0.263158, abs=1e-6)
    assert any("How long 1,040 documents are is not known" in note for note in result.notes)
    held = Continuum.of(result.study)
    longer = ALPHA.of(replace(held, length=held.length + 78), CHARACTERS)
    assert float(longer.parts.value) == pytest.approx(0.27392946271254004, abs=5e-4)

"""Gamma of a document and of a corpus: what it must not depend on, what it adds up from, and what is said of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import MeasureError, OptionError
from accord.spans import chance_disorder
from accord.spans.alignment import best_alignment
from accord.spans.chance_continua import AT_ONCE, chance_continua
from accord.spans.continuum import Continuum
from accord.spans.stacked_continua import Continua, Dissimilarity, Pieces
from tests.oracles import alignment as slow
from tests.oracles.alignment import Unit
from tests.spans.continua_of import one_document, study_of

Marks = dict[str, list[Unit]]


def drawn(seed: int, documents: int = 8, people: str = "abc") -> list[Marks]:
    """Documents of some units that annotators mark with small errors."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(documents):
        starts = np.sort(rng.choice(90, 5, replace=False)).astype(float)
        marks: Marks = {}
        for name in people:
            kept = [start for start in starts if rng.random() > 0.15]
            marks[name] = sorted(
                (start + float(rng.integers(0, 3)), start + float(rng.integers(5, 9)), "xyz"[int(rng.integers(0, 3))])
                for start in kept
            )
        found.append(marks)
    return found


DOCUMENTS = drawn(1)
STUDY = study_of(*DOCUMENTS)


# -- what it does not depend on ----------------------------------------------------------------------------------------


def test_names_and_order_of_annotators_and_documents_change_nothing() -> None:
    renamed = [{{"a": "z", "b": "m", "c": "q"}[name]: held for name, held in marks.items()} for marks in DOCUMENTS]
    turned = [dict(reversed(marks.items())) for marks in reversed(renamed)]
    assert accord.gamma(study_of(*turned)).value == pytest.approx(accord.gamma(STUDY).value, abs=1e-12)


@pytest.mark.parametrize("sampler", ["mathet", "pygamma"])
def test_the_unit_of_positions_changes_nothing(sampler: Any) -> None:
    scaled = [
        {name: [(7.3 * start, 7.3 * end, label) for start, end, label in held] for name, held in marks.items()}
        for marks in DOCUMENTS
    ]
    one, other = (accord.gamma(study, sampler=sampler).value for study in (STUDY, study_of(*scaled)))
    assert one == pytest.approx(other, abs=1e-9)


def test_a_document_has_the_same_samples_whatever_stands_beside_it() -> None:
    alone = accord.gamma(study_of(DOCUMENTS[0]), precision=0.9)
    beside = accord.gamma(STUDY, precision=0.9)
    assert beside.by_item()["value"][0] == pytest.approx(alone.value, abs=1e-12)


def test_the_same_call_has_the_same_digits_and_another_seed_others() -> None:
    first, again, other = accord.gamma(STUDY), accord.gamma(STUDY, rng=0), accord.gamma(STUDY, rng=1)
    assert first.value == again.value != other.value
    assert first.value == pytest.approx(other.value, abs=0.03)
    assert first.options["rng"] == 0
    generated = accord.gamma(STUDY, rng=np.random.default_rng(5))
    assert accord.gamma(STUDY, rng=generated.options["rng"]).value == generated.value


# -- what it is --------------------------------------------------------------------------------------------------------


def test_one_document_has_the_published_value() -> None:
    marks = DOCUMENTS[1]
    result = accord.gamma(study_of(marks))
    assert 1 - result.observed == pytest.approx(slow.disorder(list(marks.values())))
    document = one_document(marks)
    samples = [
        slow_sample
        for turn in range(result.coefficient.disorders.n_samples // AT_ONCE)  # type: ignore[union-attr]
        for slow_sample in best_alignment(chance_continua(document, "mathet", 0, turn), Dissimilarity()).normalised
    ]
    assert 1 - result.expected == pytest.approx(np.mean(samples))
    assert result.value == pytest.approx(1 - (1 - result.observed) / (1 - result.expected))


def test_a_corpus_adds_disorders_before_it_divides() -> None:
    whole = accord.gamma(STUDY, precision=0.9)
    alone = [accord.gamma(study_of(marks), precision=0.9) for marks in DOCUMENTS]
    units = np.array([sum(map(len, marks.values())) / len(marks) for marks in DOCUMENTS])
    observed = units @ np.array([1 - one.observed for one in alone])
    expected = units @ np.array([1 - one.expected for one in alone])
    assert whole.value == pytest.approx(1 - observed / expected)
    items = whole.by_item()
    assert float(items["weight"] @ items["value"]) == pytest.approx(whole.value)
    assert items["units"].sum() == sum(len(held) for marks in DOCUMENTS for held in marks.values())


def test_full_agreement_is_one() -> None:
    marks = dict.fromkeys("abcd", DOCUMENTS[0]["a"])
    result = accord.gamma(study_of(marks, {**marks, "a": marks["b"]}))
    assert result.value == 1
    assert result.interval().high == 1


def test_independent_annotators_have_about_zero() -> None:
    rng = np.random.default_rng(3)

    def anywhere() -> list[Unit]:
        return [(float(s), float(s + 5), "xy"[int(rng.integers(0, 2))]) for s in np.sort(rng.uniform(0, 390, 25))]

    result = accord.gamma(study_of(*({name: anywhere() for name in "abc"} for _ in range(6))))
    assert abs(result.value) < 0.05


def test_a_copy_of_every_document_changes_the_value_by_nothing() -> None:
    twice = accord.gamma(study_of(*DOCUMENTS, *DOCUMENTS), precision=0.9)
    assert twice.value == pytest.approx(accord.gamma(STUDY, precision=0.9).value)


def test_without_labels_only_borders_count() -> None:
    swapped = {"a": [(0.0, 5.0, "x"), (9.0, 14.0, "y")], "b": [(0.0, 5.0, "y"), (9.0, 14.0, "x")]}
    assert accord.gamma(study_of(swapped), beta=0).value == 1
    assert accord.gamma(study_of(swapped)).value < 0.7


# -- nothing marked, nobody there --------------------------------------------------------------------------------------


def test_who_marked_nothing_has_answered() -> None:
    marked: Marks = {"a": [(1.0, 4.0, "x")], "b": [(1.0, 4.0, "x")]}
    with_silent = accord.gamma(study_of({**marked, "c": []}, DOCUMENTS[0]))
    without = accord.gamma(study_of(marked, DOCUMENTS[0]))
    assert with_silent.value < without.value
    assert 1 - accord.gamma(study_of({"a": [(1.0, 4.0, "x")], "b": []})).observed == 2  # a unit alone


def test_a_document_without_a_unit_adds_nothing_and_is_said() -> None:
    blank: Marks = {"a": [], "b": [], "c": []}
    result = accord.gamma(study_of(*DOCUMENTS, blank), precision=0.9)
    assert result.value == pytest.approx(accord.gamma(STUDY, precision=0.9).value)
    assert result.n_items == len(DOCUMENTS) + 1
    assert any("1 document where nobody marked anything" in note for note in result.notes)


def test_a_document_of_one_annotator_is_left_out_and_said() -> None:
    result = accord.gamma(study_of(*DOCUMENTS, {"a": [(1.0, 4.0, "x")]}), precision=0.9)
    assert result.value == pytest.approx(accord.gamma(STUDY, precision=0.9).value)
    assert result.n_items == len(DOCUMENTS)
    assert any("1 document that only one annotator saw" in note for note in result.notes)


def test_nothing_marked_at_all_is_undefined() -> None:
    result = accord.gamma(study_of({"a": [], "b": []}, {"a": [], "b": []}))
    assert math.isnan(result.value)
    assert "Nobody marked anything" in str(result.undefined)


# -- labels ------------------------------------------------------------------------------------------------------------


def test_labels_of_aligned_units_are_as_the_slow_version_has_them() -> None:
    marks: Marks = {
        "a": [(0.0, 10.0, "x"), (30.0, 40.0, "y"), (70.0, 75.0, "x")],
        "b": [(1.0, 11.0, "x"), (30.0, 38.0, "z")],
        "c": [(0.0, 9.0, "y"), (31.0, 40.0, "y")],
    }
    groups = [[marks["a"][0], marks["b"][0], marks["c"][0]], [marks["a"][1], marks["b"][1], marks["c"][1]]]
    study = study_of(marks)
    assert 1 - accord.gamma_cat(study).observed == pytest.approx(slow.label_disorder(groups))
    for label in "xyz":
        assert 1 - accord.gamma_k(study, of_label=label).observed == pytest.approx(slow.label_disorder(groups, label))


def test_missed_units_do_not_lower_agreement_on_labels() -> None:
    full: Marks = {name: [(0.0, 5.0, "x"), (20.0, 25.0, "y"), (50.0, 56.0, "x")] for name in "abc"}
    missed = {**full, "c": full["c"][:1]}
    assert accord.gamma_cat(study_of(missed)).value == 1
    assert accord.gamma_cat(study_of(missed), variant="pygamma").value < 1
    assert accord.gamma(study_of(missed)).value < 1


def test_by_label_is_gamma_k() -> None:
    table, cat = accord.gamma(STUDY).by_label(), accord.gamma_cat(STUDY).by_label()
    assert list(table["value"]) == list(cat["value"])
    assert table["value"][0] == accord.gamma_k(STUDY, of_label="x").value
    assert "gamma_k" in table.notes[0]


def test_one_label_leaves_nothing_to_agree_on() -> None:
    marks: Marks = {name: [(0.0, 5.0, "x"), (20.0, 25.0, "x")] for name in "ab"}
    result = accord.gamma_cat(study_of(marks))
    assert math.isnan(result.value)
    assert "one and the same label" in str(result.undefined)
    assert "nan" not in " ".join(result.notes)


# -- how sure ----------------------------------------------------------------------------------------------------------


def test_intervals_over_documents_agree() -> None:
    result = accord.gamma(study_of(*drawn(2, 40)))
    analytic = result.interval()
    assert analytic.se == pytest.approx(result.interval(method="jackknife").se, rel=0.02)
    assert analytic.se == pytest.approx(result.interval(method="bootstrap", rng=1).se, rel=0.15)


def test_the_interval_of_one_document_takes_its_unitary_alignments() -> None:
    marks = drawn_long(3)
    result = accord.gamma(study_of(marks))
    found = result.interval()
    assert found.method == "within-item"
    assert found.low < result.value < found.high
    cost, units = result.coefficient.disorders.alignment.costs  # type: ignore[union-attr]
    away = cost - cost.sum() / units.sum() * units
    spread = math.sqrt(len(cost) / (len(cost) - 1) * float(away @ away)) / (units.sum() / 3 * (1 - result.expected))
    assert found.se == pytest.approx(math.hypot(spread, result.coefficient.simulation_error))  # type: ignore[union-attr]
    assert any("not what other texts would" in note for note in result.notes)
    assert accord.gamma_cat(study_of(marks)).interval().method == "within-item"
    assert math.isnan(result.interval(method="bootstrap").low)  # of one document there is nothing to draw


def test_a_document_of_few_units_has_no_interval() -> None:
    few: Marks = {"a": [(0.0, 8.0, "x"), (10.0, 14.0, "y")], "b": [(0.0, 8.0, "x"), (11.0, 14.0, "y")]}
    assert math.isnan(accord.gamma(study_of(few)).interval().low)


def test_a_test_against_chance_deals_no_marks_to_other_texts() -> None:
    assert "cannot be dealt out" in str(accord.gamma(STUDY).test().note)


@pytest.mark.slow
def test_the_interval_of_one_document_holds_as_often_as_it_says() -> None:
    results = [accord.gamma(study_of(drawn_long(seed)), precision=0.05, rng=seed) for seed in range(120)]
    values = np.array([one.value for one in results])
    limits = [one.interval() for one in results]
    errors = np.array([one.se for one in limits])
    assert 0.95 <= np.sqrt((errors**2).mean()) / values.std(ddof=1) <= 1.4
    held = np.mean([one.low <= values.mean() <= one.high for one in limits])
    assert held >= 0.93


def drawn_long(seed: int) -> Marks:
    """Thirty units with shifted borders, some missed and some relabelled, by three annotators."""
    rng = np.random.default_rng(seed)
    long = rng.uniform(4, 12, 30)
    end = np.cumsum(long + rng.uniform(0, 6, 30))
    label = rng.integers(0, 4, 30)
    marks: Marks = {}
    for name in "abc":
        kept = rng.random(30) > 0.1
        start = np.maximum(end - long + rng.normal(0, 1.5, 30), 0)
        own = np.where(rng.random(30) < 0.15, rng.integers(0, 4, 30), label)
        marks[name] = [
            (float(s), float(max(e, s + 0.5)), "wxyz"[k])
            for s, e, k, here in zip(start, end + rng.normal(0, 1.5, 30), own, kept, strict=True)
            if here
        ]
    return marks


def test_thirty_samples_are_not_enough_for_few_units_and_precision_says_so() -> None:
    """pygamma-agreement's default of 30 samples moves gamma by a tenth from seed to seed on six units."""
    study = study_of({"a": [(1.0, 5.0, "a"), (6.0, 10.0, "b"), (11.0, 15.0, "c")],
                      "b": [(2.0, 6.0, "a"), (6.0, 12.0, "c"), (11.0, 15.0, "c")]})  # fmt: skip
    rough = [accord.gamma(study, sampler="pygamma", precision=0.5, rng=seed).value for seed in range(12)]
    fine = [accord.gamma(study, sampler="pygamma", precision=0.03, rng=seed) for seed in range(4)]
    values = [one.value for one in fine]
    assert max(rough) - min(rough) > 2 * (max(values) - min(values))
    assert fine[0].coefficient.disorders.reached <= 0.03  # type: ignore[union-attr]
    assert "chance samples of every document by sampler 'pygamma', seed 0" in fine[0].notes[0]


# -- where from --------------------------------------------------------------------------------------------------------


def test_pairs_are_studies_of_two_and_an_annotator_is_all_pairs_with_them() -> None:
    result = accord.gamma(STUDY, precision=0.9)
    pairs = result.by_pair()
    two = study_of(*({name: marks[name] for name in "ab"} for marks in DOCUMENTS))
    longest = [max(end for held in marks.values() for _, end, _ in held) for marks in DOCUMENTS]
    here = [max(end for name in "ab" for _, end, _ in marks[name]) for marks in DOCUMENTS]
    if longest == here:  # a document is as long as anybody marked
        assert pairs["value"][0] == pytest.approx(accord.gamma(two, precision=0.9).value)
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    people = result.by_annotator()
    assert min(pairs["value"][:2]) <= people["value"][0] <= max(pairs["value"][:2])
    assert (people["high"] > people["low"]).all()


def test_groups_and_comparison() -> None:
    halves = accord.gamma(study_of(*drawn(1))), accord.gamma(study_of(*drawn(2)))
    apart = accord.compare(*halves)
    assert apart.difference == pytest.approx(halves[0].value - halves[1].value)


# -- options -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"alpha": 0}, {"alpha": math.inf}, {"beta": -1}, {"sampler": "gauss"}, {"precision": 0}, {"precision": 5},
     {"rng": -1}],
)  # fmt: skip
def test_an_option_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        accord.gamma(STUDY, **options)


def test_a_precision_beyond_reach_says_how_many_samples_it_would_take() -> None:
    with pytest.raises(OptionError, match="samples"):
        accord.gamma(STUDY, precision=1e-6)


def test_a_label_that_nobody_has() -> None:
    with pytest.raises(OptionError, match="of_label"):
        accord.gamma_k(STUDY, of_label="none")
    marks = {name: [None] * 2 for name in ("label", "start", "end")}
    nothing = accord.Study({"item": ["d"] * 2, "annotator": ["a", "b"], **marks}, answers="spans")
    with pytest.raises(MeasureError, match="Nobody marked anything"):
        accord.gamma_k(nothing, of_label="x")
    with pytest.raises(OptionError, match="variant"):
        accord.gamma_cat(STUDY, variant="other")  # type: ignore[arg-type]


def test_labels_of_items_are_refused() -> None:
    with pytest.raises(MeasureError, match="krippendorff_alpha"):
        accord.gamma(["x", "y"], ["x", "x"])


# -- the samplers ------------------------------------------------------------------------------------------------------


def test_shifted_samples_hold_somebodys_units_in_the_same_order_round_the_document() -> None:
    document = one_document({"a": [(2.0, 5.0, "x"), (20.0, 29.0, "y")], "b": [(50.0, 52.0, "z")], "c": []}, 100.0)
    made = chance_continua(document, "mathet", 0, 0)
    assert len(made) == AT_ONCE
    for sample in range(AT_ONCE):
        for person in range(3):
            held = (made.continuum == sample) & (made.annotator == person)
            long = sorted((made.end - made.start)[held].round(9).tolist())
            assert long in ([], [2.0], [3.0, 9.0])
            if len(long) == 2:
                starts = dict(zip(made.label[held].tolist(), made.start[held].tolist(), strict=True))
                assert (starts[1] - starts[0]) % 100 == pytest.approx(18)
    assert ((made.start >= 0) & (made.start < 100)).all()


def test_shifts_keep_apart_while_there_is_room() -> None:
    """Annotators with one and the same unit: where it comes to lie tells the shift."""
    document = one_document({name: [(0.0, 10.0, "x")] for name in "abcd"}, 100.0)
    made = chance_continua(document, "mathet", 1, 0)
    for sample in range(AT_ONCE):
        starts = np.sort(made.start[made.continuum == sample])
        gaps = np.diff(starts, append=starts[0] + 100)
        assert gaps.min() >= 10 - 1e-9


def test_made_up_units_have_the_numbers_and_lengths_of_the_document() -> None:
    document = Continua.of(Continuum.of_marks([drawn_long(1)]), [0])
    made = [chance_continua(document, "pygamma", 0, turn) for turn in range(10)]
    assert np.mean([one.n_units for one in made]) / AT_ONCE == pytest.approx(document.n_units, rel=0.05)
    long = np.concatenate([one.end - one.start for one in made])
    assert long.mean() == pytest.approx((document.end - document.start).mean(), rel=0.05)
    share = np.bincount(np.concatenate([one.label for one in made])) / len(long)
    assert share == pytest.approx(np.bincount(document.label) / document.n_units, abs=0.03)


def test_pieces_move_with_their_unit() -> None:
    whole = one_document({"a": [(10.0, 30.0, "x")], "b": [(12.0, 30.0, "x")]}, 100.0)
    pieces = Pieces(np.array([0, 0, 1]), np.array([10.0, 25.0, 12.0]), np.array([15.0, 30.0, 30.0]))
    document = Continua(
        whole.annotators, whole.length, whole.continuum, whole.annotator, whole.start, whole.end, whole.label, pieces
    )
    made = chance_continua(document, "mathet", 0, 0)
    assert made.pieces is not None
    first = np.searchsorted(made.pieces.unit, np.arange(made.n_units))
    assert made.pieces.start[first] == pytest.approx(made.start)
    assert len(made.pieces.unit) > made.n_units


# -- what it means -----------------------------------------------------------------------------------------------------


def test_more_errors_give_a_lower_gamma_and_the_notes_say_which_rate_gives_the_studys() -> None:
    scale = accord.gamma_scale(STUDY, rates=[0.1, 0.4, 0.9])
    for kind in ("missing", "false", "shifted", "relabelled", "all"):
        values = scale[kind]
        assert 1 > values[0] > values[1] > values[2]
    assert scale["all"][1] < min(scale[kind][1] for kind in ("missing", "false", "shifted", "relabelled"))
    assert f"The study's gamma is {accord.gamma(STUDY).value:.3f}" in scale.notes[0]
    assert "units missing" in scale.notes[0]


def test_units_of_one_label_cannot_be_relabelled() -> None:
    study = study_of({name: [(0.0, 5.0, "x"), (20.0, 25.0, "x")] for name in "ab"})
    assert "relabelled" not in accord.gamma_scale(study, rates=[0.5]).data


@pytest.fixture
def documents_drawn(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What is marked in each document of which samples are drawn, each time they are."""
    drawn: list[bytes] = []

    def noted(document: Continua, *options: Any) -> Continua:
        drawn.append(b"".join(document.content))
        return chance_continua(document, *options)

    monkeypatch.setattr(chance_disorder, "chance_continua", noted)
    return drawn


def test_the_scale_of_a_tiny_document_takes_few_samples(documents_drawn: list[bytes]) -> None:
    # A few marks whose chance disorder varies much: with the same samples, 200 copies would need 1,650 of each.
    study = study_of({"a": [(11.0, 19.0, "x")], "b": [(1.0, 4.0, "y"), (12.0, 13.0, "x")]})
    scale = accord.gamma_scale(study, rates=[0.1])
    assert {"missing", "false", "shifted", "relabelled", "all"} <= set(scale.data)
    accord.gamma(study)
    of_the_study = documents_drawn.count(documents_drawn[0])  # drawn twice, once for the scale
    copies = 200  # of a unit or two, in five columns, by six samples a turn
    assert len(documents_drawn) - of_the_study < 5 * copies * 4


def test_documents_that_are_marked_alike_are_drawn_and_aligned_once(documents_drawn: list[bytes]) -> None:
    kinds: list[Marks] = [{"a": [(0.0, 3.0, "x")], "b": [(0.0, 3.0, label)]} for label in "xy"]
    one = accord.gamma(study_of(*kinds), precision=0.2)
    number = len(documents_drawn)
    many = accord.gamma(study_of(*kinds * 50), precision=0.2)
    assert len(documents_drawn) == 2 * number
    assert many.value == pytest.approx(one.value, abs=1e-12)


@pytest.mark.parametrize("rates", [[], [0.0], [0.5, 0.2], [2.0]])
def test_rates_that_cannot_be(rates: list[float]) -> None:
    with pytest.raises(OptionError, match="rates"):
        accord.gamma_scale(STUDY, rates=rates)


def test_six_units_have_another_gamma_by_another_sampler() -> None:
    """As docs/spans.md has it."""
    marks = {"a": [(1, 5, "a"), (6, 10, "b"), (11, 15, "c")], "b": [(2, 6, "a"), (6, 12, "c"), (11, 15, "c")]}
    study = study_of(marks)
    samplers: tuple[Any, ...] = ("mathet", "pygamma")
    values = [accord.gamma(study, alpha=3, beta=2, sampler=one, precision=0.01).value for one in samplers]
    assert values == pytest.approx([0.59, 0.47], abs=0.01)

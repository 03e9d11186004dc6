"""Plans: held to formulas, to an oracle that labels every item of every study, and to laws."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pytest

import accord
from accord.errors import AccordError
from accord.measures.registered import MEASURES
from accord.planning import intraclass_error, kappa_error
from accord.planning.population import of_pilot, supposed
from accord.planning.simulation import of_units, spread
from tests.oracles.plans import answers_of_those_who_know

HALF = {"yes": 0.5, "no": 0.5}
SKEWED = {"yes": 0.8, "no": 0.2}
THREE = {"a": 0.5, "b": 0.3, "c": 0.2}
RATED = {1: 0.5, 2: 0.5}
SINGLE = [name for name, entry in MEASURES.items() if not entry.kinds and not entry.role]
MIXED = [name for name in SINGLE if MEASURES[name].chance in ("own", "pooled", "without-replacement")]


def pilot(items: int = 120, people: int = 3, knows: float = 0.85, seed: int = 0) -> accord.Study:
    return accord.Study.from_wide(
        answers_of_those_who_know(THREE, knows, people, items, np.random.default_rng(seed)), labels=list(THREE)
    )


# -- the formulas ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
@pytest.mark.parametrize("value", [0.0, 0.3, 0.6, 0.9])
def test_the_spread_of_one_item_is_that_of_the_large_sample_formulas(share: float, value: float) -> None:
    margins = {"yes": share, "no": 1 - share}
    for measure in ("scott_pi", "fleiss_kappa", "krippendorff_alpha"):
        population, _ = supposed(MEASURES[measure], margins, 2, value, {})
        assert spread(population) == pytest.approx(intraclass_error(share, value), rel=1e-5)
    both = value * share * (1 - share)
    apart = share * (1 - share) - both
    table = [[share**2 + both, apart], [apart, (1 - share) ** 2 + both]]
    for measure in ("cohen_kappa", "conger_kappa", "light_kappa"):
        population, _ = supposed(MEASURES[measure], margins, 2, value, {})
        assert spread(population) == pytest.approx(kappa_error(table), rel=1e-5)


def test_the_formula_for_kappa_is_the_analytic_error_of_any_table() -> None:
    table = [[20, 5, 2], [10, 15, 3], [1, 4, 30]]
    error = accord.cohen_kappa(accord.Study.from_confusion(table)).interval().se
    items = np.sum(table)
    assert kappa_error(table, items) == pytest.approx(error * math.sqrt((items - 1) / items), rel=1e-12)


@pytest.mark.parametrize("measure", ["cohen_kappa", "scott_pi"])
@pytest.mark.parametrize(("margins", "value"), [(HALF, 0.6), (SKEWED, 0.6), (SKEWED, 0.8)])
def test_items_for_a_width_are_those_of_the_formula(measure: str, margins: dict[str, float], value: float) -> None:
    found = accord.plan(margins=margins, value=value, measure=measure, width=0.08, power=0.5, n_simulations=400, rng=1)
    assert found.closed_form is not None
    assert found.items == pytest.approx(found.closed_form, rel=0.02)


@pytest.mark.parametrize(("margins", "value", "above"), [(HALF, 0.6, 0.5), (SKEWED, 0.7, 0.6), (HALF, 0.4, 0.3)])
def test_items_for_a_lower_bound_are_those_of_the_formula(
    margins: dict[str, float], value: float, above: float
) -> None:
    found = accord.plan(margins=margins, value=value, above=above, rng=1)
    assert found.closed_form is not None
    assert found.items is not None
    assert abs(found.items - found.closed_form) < 4 * found.error + 0.05 * found.closed_form
    assert found.reached == pytest.approx(0.8, abs=0.04)


# -- the oracle --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "people", "target"),
    [
        ("fleiss_kappa", 3, {"above": 0.5}),
        ("cohen_kappa", 2, {"above": 0.4}),
        ("krippendorff_alpha", 3, {"width": 0.2}),
    ],
)
def test_studies_labelled_one_by_one_reach_the_target_as_often(
    measure: str, people: int, target: dict[str, Any]
) -> None:
    found = accord.plan(margins=THREE, value=0.7, n_annotators=people, measure=measure, rng=3, **target)
    assert found.items is not None
    rng, reached, studies = np.random.default_rng(5), 0, 150
    for _ in range(studies):
        rows = answers_of_those_who_know(THREE, math.sqrt(0.7), people, found.items, rng)
        result = MEASURES[measure].function(accord.Study.from_wide(rows, labels=list(THREE)))
        if "width" in target:
            low, high = result.interval()
            reached += high - low <= target["width"]
        else:
            reached += result.interval(confidence=0.9).low > target["above"]  # one-sided 95 % is two-sided 90 %
    error = math.sqrt(0.8 * 0.2 / studies)
    assert reached / studies == pytest.approx(found.reached, abs=4 * error)


@pytest.mark.parametrize("measure", SINGLE)
def test_the_model_has_the_supposed_value(measure: str) -> None:
    people = 2 if MEASURES[measure].two else 3
    population, model = supposed(MEASURES[measure], THREE, people, 0.6, {})
    assert population.value == pytest.approx(0.6, abs=1e-6)
    assert population.shares.sum() == pytest.approx(1, abs=1e-12)
    rows = answers_of_those_who_know(THREE, model.knows, people, 4_000, np.random.default_rng(1))
    found = MEASURES[measure].function(accord.Study.from_wide(rows, labels=list(THREE)))
    assert found.value == pytest.approx(0.6, abs=4 * found.interval().se)
    if measure in MIXED:
        assert model.knows**2 == pytest.approx(0.6, abs=1e-6)
    assert len(model.patterns) == (len(THREE) ** people if MEASURES[measure].named else math.comb(people + 2, 2))


def test_two_annotators_in_the_model_have_the_table_of_the_common_correlation_model() -> None:
    _, model = supposed(MEASURES["cohen_kappa"], SKEWED, 2, 0.5, {})
    shares = dict(zip(map(tuple, model.patterns.tolist()), model.shares(math.sqrt(0.5)), strict=True))
    assert shares[0, 0] == pytest.approx(0.8**2 + 0.5 * 0.8 * 0.2)
    assert shares[0, 1] == shares[1, 0] == pytest.approx(0.8 * 0.2 * 0.5)


@pytest.mark.parametrize("measure", SINGLE)
def test_a_drawn_study_has_the_value_and_the_error_of_the_same_study_measured(measure: str) -> None:
    study = pilot(60, people=2 if MEASURES[measure].two else 3)
    options: list[dict[str, Any]] = [{}]
    if measure == "krippendorff_alpha":
        study = accord.Study.from_wide(np.random.default_rng(0).integers(1, 5, (60, 3)))
        options = [{"level": level} for level in ("nominal", "ordinal", "interval", "ratio", "circular")]
    for option in options:
        result = MEASURES[measure].function(study, **option)
        population = of_pilot(result)
        again = of_units(population, population.pilot_units[None, :])
        assert again.value[0] == pytest.approx(result.value, abs=1e-12)
        assert again.error[0] == pytest.approx(result.interval().se, rel=1e-9)
        low, high = result.interval()
        assert again.width(0.95)[0] == pytest.approx(high - low, rel=1e-9)
        assert again.bound(0.95)[0] == pytest.approx(result.interval(confidence=0.9).low, rel=1e-9)
        assert spread(population) == pytest.approx(result.interval().se * math.sqrt(59), rel=0.03)


# -- a pilot -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["fleiss_kappa", "conger_kappa", "gwet_ac", "krippendorff_alpha"])
def test_a_pilot_of_the_size_needed_reaches_the_target_about_as_often_as_wanted(measure: str) -> None:
    found = accord.plan(pilot(), measure=measure, width=0.2, rng=2)
    assert found.items is not None
    assert found.reached == pytest.approx(0.8, abs=0.12)  # whole items: one more changes a sharp share
    table = {row["items"]: row["reached"] for row in found.to_table()}
    assert table[min(table)] < 0.1 < 0.9 < table[max(table)]


def test_items_that_come_in_clusters_of_four_copies_are_needed_four_times_as_often() -> None:
    rows = answers_of_those_who_know(THREE, 0.85, 3, 40, np.random.default_rng(4))
    table: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "text": []}
    for place, row in enumerate(rows):
        for copy in range(4):
            for person, label in enumerate(row):
                for name, cell in zip(table, (f"{place}.{copy}", f"p{person}", label, place), strict=True):
                    table[name].append(cell)
    alone = accord.plan(accord.Study.from_wide(rows), measure="fleiss_kappa", width=0.2, n_simulations=400, rng=1)
    together = accord.plan(table, cluster="text", measure="fleiss_kappa", width=0.2, n_simulations=400, rng=1)
    assert alone.items is not None
    assert together.items == pytest.approx(4 * alone.items, rel=0.06)


def test_items_with_a_single_answer_are_of_no_use_and_more_are_needed() -> None:
    rows = answers_of_those_who_know(THREE, 0.85, 3, 80, np.random.default_rng(4))
    lonely = [[row[0], None, None] for row in rows]
    full = accord.plan(accord.Study.from_wide(rows), measure="krippendorff_alpha", width=0.2, n_simulations=400, rng=1)
    half = accord.plan(
        accord.Study.from_wide(rows + lonely), measure="krippendorff_alpha", width=0.2, n_simulations=400, rng=1
    )
    assert full.items is not None
    assert half.items == pytest.approx(2 * full.items, rel=0.06)


def test_ranked_answers_sets_and_suggested_labels_are_planned_from_a_pilot() -> None:
    rng = np.random.default_rng(1)
    plain = answers_of_those_who_know(THREE, 0.8, 3, 60, rng)
    sets = accord.Study.from_wide([[[one, "x"] if rng.random() < 0.3 else [one] for one in row] for row in plain])
    ranked = [[[one, "abc"[("abc".index(one) + 1) % 3]] for one in row] for row in plain]
    for study in (sets, accord.Study.from_wide(ranked, answers="ranked")):
        found = accord.plan(study, width=0.2, n_simulations=200, rng=1)
        assert found.items is not None
        assert found.reached == pytest.approx(0.8, abs=0.15)
    long = [
        {"item": place, "annotator": person, "label": label, "hint": row[0]}
        for place, row in enumerate(plain)
        for person, label in enumerate(row)
    ]
    assert accord.plan(long, suggested="hint", width=0.2, n_simulations=200, rng=1).measure == "dipietro_hazari_kappa"


def test_of_a_large_pilot_of_scores_some_items_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    from accord.planning import how_many_items

    rng = np.random.default_rng(1)
    study = accord.Study.from_wide(rng.normal(size=(900, 1)) + rng.normal(size=(900, 2)), answers="score")
    whole = accord.plan(study, width=0.2, n_simulations=200, rng=1)
    monkeypatch.setattr(how_many_items, "MOST_PATTERNS", 500)
    part = accord.plan(study, width=0.2, n_simulations=200, rng=1)
    assert part.pilot_items == 500
    assert "drawn at random from the pilot's 900 items" in str(part)
    assert part.items == pytest.approx(whole.items, rel=0.25)


def rated(copies: int = 1) -> accord.Study:
    """60 items scored about 50 by three annotators; copies of every item make a study as large as anyone wants."""
    rng = np.random.default_rng(3)
    scores = rng.normal(50, 20, (60, 1)) + rng.normal(0, 20, (60, 3))
    return accord.Study.from_wide(np.tile(scores.round(1), (copies, 1)), answers="score")


@pytest.mark.parametrize("measure", ["mean_absolute_difference", "within_item_sd"])
def test_a_distance_is_planned_in_the_unit_of_the_scores(measure: str) -> None:
    study = rated()
    now = getattr(accord, measure)(study).interval()
    found = accord.plan(study, measure=measure, width=(now.high - now.low) / 2, power=0.5, n_simulations=200, rng=1)
    assert found.items == pytest.approx(4 * 60, rel=0.15)
    assert (found.to_table()["lower_bound"] > 1).all()


def test_a_width_beyond_all_scores_takes_the_fewest_items() -> None:
    assert [
        accord.plan(rated(), measure="mean_absolute_difference", width=width, n_simulations=200, rng=1).items
        for width in (1e3, 1e160, 1e308)
    ] == [5, 5, 5]


@pytest.mark.parametrize(("confidence", "power"), [(0.5, 0.5), (0.5, 0.01), (0.3, 0.4)])
def test_what_half_of_all_studies_reach_takes_the_fewest_items(confidence: float, power: float) -> None:
    pilot = accord.Study.from_wide([[1, 1, 1], [2, 2, 1], [1, 1, 2], [2, 2, 2], [2, 2, 2]] * 8)
    now = accord.fleiss_kappa(pilot).value
    found = accord.plan(pilot, above=now - 0.3, confidence=confidence, power=power, n_simulations=200, rng=1)
    assert found.items == 5


@pytest.mark.parametrize("measure", ["mean_spearman", "mean_kendall"])
def test_what_is_computed_anew_on_every_study_is_planned_by_what_items_add_to_the_pilot(measure: str) -> None:
    study = rated()
    now = getattr(accord, measure)(rated(copies=4)).interval()
    found = accord.plan(study, measure=measure, width=now.high - now.low, power=0.5, n_simulations=200, rng=1)
    assert found.items == pytest.approx(4 * 60, rel=0.15)
    assert "no formula tells it of every study" in str(found)


def test_the_pilot_alone_tells_nearly_what_every_study_would(monkeypatch: pytest.MonkeyPatch) -> None:
    from accord.scores.moments_of_pairs import MeanPearson

    by_study = accord.plan(rated(), measure="mean_pearson", width=0.2, n_simulations=200, rng=1)
    monkeypatch.setattr(MeanPearson, "smooth", False)
    by_pilot = accord.plan(rated(), measure="mean_pearson", width=0.2, n_simulations=200, rng=1)
    assert by_pilot.items == pytest.approx(by_study.items, rel=0.2)


def test_a_larger_pilot_leaves_less_doubt_about_the_items_needed() -> None:
    small, large = (
        accord.plan(pilot(size), measure="fleiss_kappa", width=0.2, n_simulations=200, rng=1) for size in (30, 400)
    )
    assert small.pilot_range is not None
    assert large.pilot_range is not None
    assert small.pilot_range[0] < small.items < small.pilot_range[1]  # type: ignore[operator]
    assert np.diff(np.log(large.pilot_range))[0] < np.diff(np.log(small.pilot_range))[0] / 2


def test_a_pilot_just_above_the_limit_may_have_been_below_it() -> None:
    found = accord.plan(pilot(40), measure="fleiss_kappa", above=0.45, n_simulations=200, rng=1)
    assert found.pilot_range is not None
    assert found.pilot_range[1] == math.inf
    assert "some would have found the target out of reach" in str(found)


def test_what_more_items_buy_starts_from_the_pilot_as_it_is() -> None:
    study = pilot(60)
    found = accord.plan(study, measure="fleiss_kappa", width=0.15, n_simulations=200, rng=1)
    low, high = accord.fleiss_kappa(study).interval()
    now, later = found.buys(300)
    assert now["items"] == 60
    assert now["width"] == pytest.approx(high - low, abs=1e-12)
    assert later["items"] == 360
    assert later["width"] == pytest.approx((high - low) * math.sqrt(60 / 360), rel=0.1)
    assert now["reached"] == 0
    assert later["reached"] > 0.9


def test_without_a_pilot_more_items_come_on_top_of_those_needed() -> None:
    found = accord.plan(margins=HALF, value=0.6, width=0.3, n_simulations=200, rng=1)
    now, later = found.buys(100)
    assert (now["items"], later["items"]) == (found.items, found.items + 100)  # type: ignore[operator]
    assert later["width"] < now["width"]


# -- laws --------------------------------------------------------------------------------------------------------------


def test_narrower_surer_and_higher_takes_more_items() -> None:
    def needed(**target: Any) -> int:
        found = accord.plan(margins=SKEWED, value=0.7, n_annotators=3, n_simulations=400, rng=1, **target).items
        assert found is not None
        return found

    assert needed(width=0.1) == pytest.approx(4 * needed(width=0.2), rel=0.1)
    assert needed(width=0.2, power=0.95) > needed(width=0.2, power=0.5)
    assert needed(width=0.2, confidence=0.99) > needed(width=0.2)
    assert needed(above=0.6) > needed(above=0.5)


def test_a_seed_repeats_the_plan_whatever_the_order_of_the_rows() -> None:
    rows = answers_of_those_who_know(THREE, 0.8, 3, 50, np.random.default_rng(1))
    one = accord.plan(accord.Study.from_wide(rows), width=0.2, n_simulations=200, rng=7)
    other = accord.plan(accord.Study.from_wide(rows[::-1]), width=0.2, n_simulations=200, rng=7)
    assert one.to_dict() == other.to_dict()
    assert one.seed == 7
    drawn = accord.plan(margins=HALF, value=0.6, width=0.3, n_simulations=200)
    again = accord.plan(margins=HALF, value=0.6, width=0.3, n_simulations=200, rng=drawn.seed)
    assert again.items == drawn.items


# -- no number would do ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"margins": HALF, "value": 0.6, "above": 0.6}, "not above 0.6"),
        ({"margins": HALF, "value": 0.6, "above": 0.7}, "surer, not higher"),
        ({"margins": HALF, "value": 0.6, "width": 1e-5}, "more than 10,000,000"),
        ({"margins": HALF, "value": 0.6, "above": 0.5999}, "more than 10,000,000"),
    ],
)
def test_a_target_out_of_reach_says_so(asked: dict[str, Any], why: str) -> None:
    found = accord.plan(**asked, n_simulations=200, rng=1)
    assert found.items is None
    assert found.undefined is not None
    assert why in found.undefined
    assert str(found).startswith("No number of items gives")
    assert len(found.to_table()) == 7
    assert found.to_dict()["items"] is None


def test_a_pilot_in_which_all_agree_shows_no_spread() -> None:
    found = accord.plan([["a", "a"], ["b", "b"]] * 10, width=0.1, rng=1)
    assert found.items is None
    assert "same degree" in str(found)


def test_a_study_without_spread_does_not_count_as_reaching_a_target() -> None:
    """With value 0.97 most small studies agree throughout; that is no narrow interval."""
    found = accord.plan(margins=HALF, value=0.97, above=0.8, n_simulations=400, rng=1)
    assert found.items is not None
    assert found.items > 50


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"width": 0.1}, "Give a pilot study, or margins="),
        ({"margins": HALF, "width": 0.1}, "margins= needs value="),
        ({"margins": HALF, "value": 0.5}, "Give width="),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "above": 0.3}, "one of the two"),
        ({"margins": HALF, "value": 0.5, "width": 5}, "width must lie between 0 and 2"),
        ({"margins": HALF, "value": 0.5, "above": 1.2}, "above must lie between -1 and 1"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "power": 80}, "power must lie between 0 and 1"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "confidence": 95}, "confidence must lie"),
        ({"margins": HALF, "value": 1.0, "width": 0.1}, "value must lie between 0"),
        ({"margins": HALF, "value": -0.2, "width": 0.1}, "value must lie between 0"),
        ({"margins": SKEWED, "value": 0.1, "measure": "gwet_ac", "width": 0.1}, "value must lie between 0.529"),
        ({"margins": {"yes": 0.7, "no": 0.2}, "value": 0.5, "width": 0.1}, "sum to 0.9"),
        ({"margins": {"yes": 1.0}, "value": 0.5, "width": 0.1}, "two shares or more"),
        ({"margins": "yes", "value": 0.5, "width": 0.1}, "margins must say each label's share"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "measure": "cohen"}, "measure must be one of"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "measure": "bhowmick_am"}, "plan from a pilot"),
        ({"margins": RATED, "value": 0.6, "width": 0.1, "measure": "within_item_sd"}, "plan from a pilot"),
        ({"pilot": [[1, 2], [3, 3]], "width": -1, "measure": "within_item_sd"}, "width must be above 0"),
        ({"pilot": [[1, 2], [3, 3]], "above": 0.5, "measure": "within_item_sd"}, "Give width= instead"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "n_annotators": 1}, "at least 2"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "n_annotators": 3, "measure": "cohen_kappa"}, "two annotators"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "n_annotators": 17, "measure": "light_kappa"}, "fleiss_kappa"),
        ({"margins": HALF, "value": 0.5, "width": 0.1, "measure": "cohen_kappa", "level": "ordinal"}, "not take level"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_a_way_out(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(AccordError, match=message.replace("(", r"\(")):
        accord.plan(**asked, rng=1)


def test_a_pilot_does_not_tell_of_other_numbers_of_annotators() -> None:
    with pytest.raises(AccordError, match="3 annotators and does not show how 5 would answer"):
        accord.plan(pilot(), n_annotators=5, width=0.1)
    with pytest.raises(AccordError, match="value= goes with margins="):
        accord.plan(pilot(), value=0.5, width=0.1)
    with pytest.raises(AccordError, match="The pilot has no value"):
        accord.plan([["a", "a"], ["a", "a"]], width=0.1)


# -- how it is told ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "found",
    [
        accord.plan(pilot(40), width=0.2, n_simulations=200, rng=1),
        accord.plan(margins=HALF, value=0.6, above=0.5, n_simulations=200, rng=1),
        accord.plan(margins=HALF, value=0.6, above=0.7, n_simulations=200, rng=1),
    ],
    ids=["pilot", "margins", "out of reach"],
)
def test_a_plan_keeps_the_schema(found: accord.Plan) -> None:
    schema = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    jsonschema.Draft202012Validator(schema).validate(told)
    assert told["object"] == "plan"
    assert set(told) <= {*schema["$defs"]["plan"]["properties"], "schema", "version"}


def test_a_plan_says_what_width_means_and_where_it_comes_from() -> None:
    found = accord.plan(margins={"<b>": 0.5, "no": 0.5}, value=0.6, width=0.3, n_simulations=200, rng=1)
    assert "at most 0.3 wide (from end to end) in 80% of studies" in str(found)
    assert "knows an item's label with probability 0.775" in str(found)
    page = found._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert found.by_annotators()["reliability"][0] == pytest.approx(0.6, abs=1e-6)
    assert found.plot().to_dict()["height"] > 0

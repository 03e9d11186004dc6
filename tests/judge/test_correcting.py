"""Few people and many model labels: golden means, oracles, identities, coverage, and what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.errors import AccordError, InputError, MeasureError, OptionError
from accord.judge import corrected_agreement, corrected_shares, prediction_powered_mean, rogan_gladen
from benchmarks import correcting
from tests.oracles import judge as oracle

GOLDEN: dict[str, Any] = json.loads(Path(__file__).with_name("goldens.json").read_text(encoding="utf-8"))["ppi_mean"]
PEOPLE, MODEL, REST = GOLDEN["inputs"]["Y"], GOLDEN["inputs"]["Yhat"], [1] * 60 + [0] * 40

ONE: dict[str, Any] = {"models": ["4"], "people": correcting.PEOPLE}
MEASURES = ["fleiss_kappa", "brennan_prediger_kappa", "gwet_ac", "krippendorff_alpha", "percent_agreement"]


# -- means -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("power", "name"), [(0, "0"), (1, "1"), ("tuned", "None")])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_means_and_normal_intervals_are_the_golden_ones(power: Any, name: str, confidence: float) -> None:
    found = prediction_powered_mean(PEOPLE, MODEL, REST, power=power, method="normal", confidence=confidence)
    golden = GOLDEN["results"][name]
    assert found.value == pytest.approx(golden["point"], abs=1e-12)
    assert list(found.interval) == pytest.approx(golden[f"ci{confidence * 100:.0f}"], abs=1e-12)


def test_the_share_behind_an_apparent_one_is_the_golden_one() -> None:
    golden = GOLDEN["rogan_gladen"]
    found = rogan_gladen(golden["phat"], golden["sens"], golden["spec"])
    assert found == pytest.approx(golden["value"], abs=1e-12)
    assert math.isnan(rogan_gladen(0.5, 0.5, 0.5))
    with pytest.raises(OptionError, match="sensitivity must lie"):
        rogan_gladen(0.5, 1.5, 0.5)


def test_the_tuned_power_has_the_least_variance_of_all() -> None:
    rng = np.random.default_rng(0)
    said = rng.normal(size=200)
    guessed, rest = said + rng.normal(size=200), rng.normal(size=900) * 1.4
    tuned = prediction_powered_mean(said, guessed, rest, method="normal")
    errors = [
        prediction_powered_mean(said, guessed, rest, power=power, method="normal").interval.se
        for power in np.linspace(0, 1, 101)
    ]
    assert tuned.interval.se <= min(errors) * 1.001
    assert tuned.n_effective > 200
    assert 0 < tuned.power < 1


def test_a_model_that_errs_against_people_is_ignored_or_turned_round() -> None:
    rng = np.random.default_rng(1)
    said = rng.normal(size=100)
    clipped = prediction_powered_mean(said, -said, rng.normal(size=500))
    free = prediction_powered_mean(said, -said, rng.normal(size=500), clip=False)
    assert clipped.power == 0
    assert "clip=False" in clipped.notes[0]
    assert free.power < -0.5
    assert free.interval.se < clipped.interval.se


def test_t_is_wider_than_normal_and_the_bootstrap_is_near() -> None:
    rng = np.random.default_rng(2)
    said = rng.normal(size=60)
    requested = (said, said + rng.normal(size=60), rng.normal(size=600))
    normal, by_t, drawn = (
        prediction_powered_mean(*requested, method=method, rng=0).interval for method in ("normal", "t", "bootstrap")
    )
    assert by_t.high - by_t.low > normal.high - normal.low
    assert drawn.se == pytest.approx(normal.se, rel=0.15)
    assert (drawn.method, drawn.n_resamples, drawn.seed) == ("bootstrap", 1000, 0)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (
            lambda: prediction_powered_mean([1, 2, 3], [1, 2], [1, 2]),
            InputError,
            "3 answers of people and 2 of the model",
        ),
        (lambda: prediction_powered_mean([1], [1], [1, 2]), InputError, "three items"),
        (lambda: prediction_powered_mean([1, 2, math.nan], [1, 2, 3], [1, 2]), InputError, "finite"),
        (lambda: prediction_powered_mean(PEOPLE, MODEL, REST, power="full"), OptionError, "power"),  # type: ignore[arg-type]
        (lambda: prediction_powered_mean(PEOPLE, MODEL, REST, method="z"), OptionError, "method"),  # type: ignore[arg-type]
    ],
)
def test_bad_means_are_refused(call: Callable[[], Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


# -- shares ------------------------------------------------------------------------------------------------------------


@cache
def one_study(size: int = 150, seed: int = 3) -> Study:
    return next(iter(correcting.drawn(size, 1, seed)))[0]


def test_shares_sum_to_one_and_each_is_a_prediction_powered_mean() -> None:
    study = one_study()
    found = corrected_shares(study, models=["4"], people=["1"], power=0.7)
    assert found.table["share"].sum() == pytest.approx(1)
    grid = grid_of(study)
    have = grid[:, 0] >= 0
    for place, label in enumerate(study.labels):
        said, guessed = grid[have, 0] == place, grid[:, 3] == place
        mean = prediction_powered_mean(said, guessed[have], guessed[~have], power=0.7)
        assert found[label] == pytest.approx(mean.value)
        assert found.table["low"][place] == pytest.approx(mean.interval.low)
        assert found.table["high"][place] == pytest.approx(mean.interval.high)


def grid_of(study: Study) -> np.ndarray[Any, np.dtype[np.int64]]:
    grid = study._annotations.to_memory().grid
    assert grid is not None
    return grid


def test_shares_of_a_whole_data_set_are_surer_than_of_items_like_it() -> None:
    more = corrected_shares(one_study(1000), **ONE)
    whole = corrected_shares(one_study(1000), **ONE, finite=True)
    assert more.table["share"].tolist() == whole.table["share"].tolist()
    assert (whole.table["high"] - whole.table["low"] < 0.8 * (more.table["high"] - more.table["low"])).all()


def test_an_unknown_label_is_refused_and_all_is_told() -> None:
    found = corrected_shares(one_study(), **ONE)
    with pytest.raises(OptionError, match="label must be one of"):
        found["maybe"]
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert "λ =" in str(found)


# -- agreement ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("predict", ["answers", "fitted"])
def test_without_trust_in_models_it_is_the_plain_coefficient_with_its_interval(measure: str, predict: Any) -> None:
    found = corrected_agreement(one_study(), measure=measure, models=correcting.MODELS, predict=predict, power=0)
    assert found.value == pytest.approx(found.plain.value, abs=1e-12)
    assert found.interval.se == pytest.approx(found.plain_interval.se, rel=1e-9)
    assert list(found.interval) == pytest.approx(list(found.plain_interval), abs=1e-9)
    assert found.n_effective == pytest.approx(150)


@pytest.mark.parametrize("measure", MEASURES)
def test_models_who_are_people_in_disguise_give_the_coefficient_of_all_items(measure: str) -> None:
    """With λ = 1 and models who say what people say, the corrected value is that of everybody's answers."""
    study = one_study()
    grid = grid_of(study).copy()
    grid[:, :3] = np.where(grid[:, :3] >= 0, grid[:, 3:], -1)  # people copy models where they answer
    same = Study.from_wide(np.where(grid < 0, np.nan, grid), labels=correcting.LABELS)
    rest = Study.from_wide(grid[grid[:, 0] < 0, 3:], labels=correcting.LABELS)
    found = corrected_agreement(same, measure=measure, models=correcting.MODELS, power=1, predict="answers")
    # mean_n(people) − mean_n(model) is nothing, so what is left is the mean over the rest
    expected = getattr(accord, measure)(rest).value
    assert found.value == pytest.approx(expected, abs=2e-3 if measure == "krippendorff_alpha" else 1e-12)


@pytest.mark.parametrize("power", [0.0, 0.3, 1.0])
def test_fleiss_is_that_of_loops(power: float) -> None:
    found = corrected_agreement(one_study(), models=correcting.MODELS, power=power, predict="answers")
    assert found.value == pytest.approx(oracle.corrected_fleiss(grid_of(one_study()).tolist(), power), abs=1e-12)


def test_fitted_predictions_are_those_of_loops() -> None:
    found = corrected_agreement(one_study(60), measure="percent_agreement", **ONE, power=1, predict="fitted")
    assert found.value == pytest.approx(oracle.corrected_percent(grid_of(one_study(60)).tolist()), abs=1e-12)


def test_the_error_is_that_of_leaving_items_out() -> None:
    """The jackknife over annotated items and over the rest, each by itself, λ held."""
    study = one_study(80)
    found = corrected_agreement(study, models=correcting.MODELS, power=0.4, predict="answers")
    grid = np.where(grid_of(study) < 0, np.nan, grid_of(study))
    have = ~np.isnan(grid[:, 0])
    keep = np.concatenate((np.nonzero(have)[0], np.nonzero(~have)[0][:120]))
    small = grid[keep]
    rows = np.where(np.isnan(small), -1, small).astype(int).tolist()
    variance = 0.0
    for part in (range(80), range(80, 200)):
        values = np.array([oracle.corrected_fleiss([*rows[:place], *rows[place + 1 :]], 0.4) for place in part])
        variance += (len(part) - 1) / len(part) * float(((values - values.mean()) ** 2).sum())
    less = Study.from_wide(small, labels=correcting.LABELS)
    found = corrected_agreement(less, models=correcting.MODELS, power=0.4, predict="answers")
    assert found.interval.se == pytest.approx(math.sqrt(variance), rel=0.03)


def test_the_bootstrap_is_near_the_linearised_error() -> None:
    requested: dict[str, Any] = {"models": correcting.MODELS, "measure": "gwet_ac"}
    by_t = corrected_agreement(one_study(300), **requested).interval
    drawn = corrected_agreement(one_study(300), method="bootstrap", n_resamples=200, rng=1, **requested).interval
    assert drawn.se == pytest.approx(by_t.se, rel=0.2)
    assert drawn.seed == 1


def test_suggestions_of_a_model_and_of_a_mapping_say_the_same() -> None:
    study = one_study()
    by_name = corrected_agreement(study, measure="dipietro_hazari_kappa", suggested="4", **ONE)
    grid = grid_of(study)
    have = grid[:, 0] >= 0
    people = Study(
        {
            "item": [item for item in np.nonzero(have)[0].tolist() for _ in range(3)],
            "annotator": ["1", "2", "3"] * int(have.sum()),
            "label": grid[have, :3].ravel().tolist(),
        },
        labels=correcting.LABELS,
    )
    whole = dict(enumerate(grid[:, 3].tolist()))
    by_mapping = corrected_agreement(people, measure="dipietro_hazari_kappa", suggested=whole)
    assert by_mapping.value == pytest.approx(by_name.value, abs=1e-12)
    assert by_mapping.interval.se == pytest.approx(by_name.interval.se, abs=1e-12)
    assert (by_mapping.n_people, by_mapping.n_rest) == (150, 1850)


def test_the_marginals_of_all_suggestions_count_even_without_trust() -> None:
    """κ_DH with λ = 0: R, S and C from people, L from the whole data set."""
    study = one_study()
    found = corrected_agreement(study, measure="dipietro_hazari_kappa", suggested="4", **ONE, power=0)
    plain = found.plain.coefficient
    grid = grid_of(study)
    marginals = np.bincount(grid[:, 3], minlength=3) / len(grid)
    given = plain.given  # type: ignore[union-attr]
    expected = float(2 * (given**2 @ marginals) - given @ given)
    observed = plain.observed_right - plain.observed_wrong  # type: ignore[union-attr]
    assert found.value == pytest.approx((observed - expected) / (1 - expected), abs=1e-12)


def test_other_models_make_the_quality_of_suggestions_surer() -> None:
    alone = corrected_agreement(one_study(400), measure="dipietro_hazari_kappa", suggested="4", **ONE)
    helped = corrected_agreement(
        one_study(400), measure="dipietro_hazari_kappa", suggested="4", models=correcting.MODELS
    )
    assert helped.n_effective > alone.n_effective > 380


@pytest.mark.parametrize("measure", ["cohen_kappa", "conger_kappa", "light_kappa", "bhowmick_am"])
def test_kappas_with_own_marginals_are_refused_with_the_reason(measure: str) -> None:
    with pytest.raises(MeasureError, match=r"own marginals.*These can"):
        corrected_agreement(one_study(), measure=measure, **ONE)


def own_marginals_study(people: int, rest: int) -> Study:
    said = np.random.default_rng(0).integers(0, 2, (people + rest, 3)).astype(float)
    said[people:, :2] = np.nan
    return Study.from_wide(said)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: corrected_agreement(one_study(), measure="kappa", **ONE), "measure must be one of"),
        (lambda: corrected_agreement(one_study(), models=["9"]), "no annotator '9'"),
        (lambda: corrected_agreement(one_study()), "nobody here is known to be one"),
        (lambda: corrected_agreement(one_study(), **ONE, predict="answers"), "needs two models"),
        (lambda: corrected_agreement(one_study(), **ONE, predict="guess"), "predict must be one of"),  # type: ignore[arg-type]
        (lambda: corrected_agreement(one_study(), **ONE, method="z"), "method must be one of"),  # type: ignore[arg-type]
        (
            lambda: corrected_agreement(one_study(), **ONE, method="bootstrap", finite=True),
            "analytic error only",
        ),
        (lambda: corrected_agreement(own_marginals_study(2, 50), models=["3"]), "2 items in common"),
        (lambda: corrected_agreement(own_marginals_study(50, 0), models=["3"]), "nothing to correct"),
        (lambda: corrected_shares(own_marginals_study(50, 0), models=["3"]), "nothing to correct"),
        (
            lambda: corrected_agreement(
                one_study(), measure="krippendorff_alpha", **ONE, options={"level": "ordinal"}
            ),
            "Give weights instead of a level",
        ),
    ],
)  # fmt: skip
def test_bad_questions_are_refused(call: Callable[[], Any], says: str) -> None:
    with pytest.raises(AccordError, match=says):
        call()


def test_weights_are_passed_on() -> None:
    found = corrected_agreement(
        one_study(), measure="krippendorff_alpha", **ONE, options={"weights": "quadratic"}, power=0
    )
    people = one_study().of_annotators(["1", "2", "3"])
    assert found.value == pytest.approx(accord.krippendorff_alpha(people, weights="quadratic").value)


def test_a_value_that_does_not_exist_says_why() -> None:
    said = np.zeros((40, 3))
    said[20:, :2] = np.nan
    found = corrected_agreement(Study.from_wide(said), models=["3"])
    assert math.isnan(found.value)
    assert found.undefined is not None
    assert "undefined" in str(found)
    assert json.dumps(found.to_dict(), allow_nan=False)


def test_clusters_make_the_interval_wider_where_items_of_one_are_alike() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for document in range(60):
        easy = rng.random() < 0.5
        for number in range(20):
            truth = int(rng.integers(0, 2))
            item = f"{document}-{number}"
            names = ["ana", "ben", "gpt"] if document < 30 else ["gpt"]
            rows += [
                (item, name, truth if easy or rng.random() < 0.4 else int(rng.integers(0, 2)), document)
                for name in names
            ]
    table = dict(zip(("item", "annotator", "label", "document"), map(list, zip(*rows, strict=True)), strict=True))
    plain = corrected_agreement(Study(table), models=["gpt"])
    clustered = corrected_agreement(Study(table, cluster="document"), models=["gpt"])
    assert clustered.value == pytest.approx(plain.value)
    assert clustered.interval.se > 1.5 * plain.interval.se


# -- how many more -----------------------------------------------------------------------------------------------------


def test_the_width_to_expect_is_the_width_there_is_and_falls_with_more_people() -> None:
    found = corrected_agreement(one_study(), models=correcting.MODELS)
    assert found.width(found.n_people) == pytest.approx((found.interval.high - found.interval.low) / 2, rel=0.01)
    table = found.plan()
    assert (np.diff(table["with_model"]) < 0).all()
    assert (table["with_model"] <= table["people_alone"] * 1.02).all()


def test_the_number_needed_is_the_least_that_does() -> None:
    found = corrected_agreement(one_study(), models=correcting.MODELS)
    number = found.needed(0.06)
    assert number is not None
    assert found.width(number) <= 0.06 < found.width(number - 1)
    assert found.needed(1e-6) is None
    assert corrected_agreement(one_study(), models=correcting.MODELS, finite=True).needed(0.001) is not None


def test_the_planned_width_is_what_more_people_then_have() -> None:
    small = corrected_agreement(one_study(150), measure="gwet_ac", models=correcting.MODELS)
    large = corrected_agreement(one_study(600), measure="gwet_ac", models=correcting.MODELS)
    assert small.width(600) == pytest.approx((large.interval.high - large.interval.low) / 2, rel=0.2)


# -- coverage ----------------------------------------------------------------------------------------------------------


@cache
def seen(size: int) -> dict[str, correcting.Seen]:
    """What 60 studies show; `benchmarks/correcting.py` runs a thousand of each size."""
    found: dict[str, correcting.Seen] = {}
    for study, rows in correcting.drawn(size, 60, seed=7):
        correcting.asked(study, rows, found)
    return found


QUESTIONS = [
    *(f"{measure} {way}" for measure in correcting.MEASURES[:-1] for way in ("answers", "fitted", "fitted finite")),
    "dipietro_hazari_kappa fitted", "dipietro_hazari_kappa fitted finite",
    "share of 0", "share of 1", "share of 2",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_intervals_hold_the_truth_as_often_as_they_say(question: str) -> None:
    """Of 60 studies fewer than 50 would be right with probability 0.0005 if each were with 0.95."""
    assert sum(seen(100)[question].held) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("question", ["dipietro_hazari_kappa fitted", "share of 0", "share of 1", "gwet_ac answers"])
def test_models_save_people_work(question: str) -> None:
    assert np.median(seen(100)[question].n_effective) > 110


@pytest.mark.slow
def test_the_questions_are_those_of_the_benchmark() -> None:
    assert set(QUESTIONS) == set(seen(100))

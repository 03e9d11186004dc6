"""The alternative annotator test: as published, and what it hides."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import accord
from accord.agreement.inference.multiple_testing import benjamini_yekutieli
from accord.errors import InputError, LabelError, MeasureError, OptionError
from accord.judge import alt_test, alt_tests
from accord.judge.noninferiority import t_test, tango_test, wilcoxon_test
from tests.judge.planted import planted
from tests.oracles.replaced_annotators import alternative_test

VALUES: dict[str, Any] = json.loads((Path(__file__).parent / "reference_values.json").read_text(encoding="utf-8"))
SMALL = VALUES["alt_test_small"]
TOY = accord.Study.from_wide({**SMALL["inputs"]["humans"], "llm": SMALL["inputs"]["llm"]})


def one(number: float) -> np.ndarray[Any, Any]:
    return np.array([float(number)])


# As published --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", SMALL["by_epsilon"])
def test_the_reference_values_come_out_to_their_digits(epsilon: str) -> None:
    printed = SMALL["by_epsilon"][epsilon]
    found = alt_test(TOY, model="llm", epsilon=float(epsilon), n_resamples=0)
    assert found.omega == printed["omega"] == printed["ref_omega"]
    assert found.rho == pytest.approx(printed["rho"], abs=1e-15)
    assert found.passes is (printed["omega"] >= 0.5)
    for row, theirs in zip(found.annotators, printed["annotators"], strict=True):
        assert (row["annotator"], row["items"]) == (theirs["annotator"], theirs["n"])
        assert row["advantage"] == pytest.approx(theirs["rho_llm"], abs=1e-15)
        assert row["advantage"] + row["difference"] == pytest.approx(theirs["rho_human"], abs=1e-15)
        assert row["difference"] == pytest.approx(theirs["d_mean"], abs=1e-15)
        assert row["sd"] == pytest.approx(theirs["d_sd"], rel=1e-13)
        assert row["t"] == pytest.approx(theirs["t"], rel=1e-13)
        assert row["p_t"] == row["p"] == pytest.approx(theirs["p"], rel=1e-12)
        assert row["rejected"] is theirs["rejected_BY_q05"]
        assert row["decided_by"] == "t"


@pytest.mark.parametrize("case", VALUES["by_procedure"], ids=lambda case: str(case["p"]))
def test_benjamini_and_yekutieli_reject_what_they_should(case: dict[str, Any]) -> None:
    rejected = benjamini_yekutieli(np.array(case["p"]), case["q"])
    assert np.nonzero(rejected)[0].tolist() == sorted(case["rejected"])


def test_a_missing_p_is_no_hypothesis() -> None:
    with_gap = benjamini_yekutieli(np.array([0.001, np.nan, 0.02, 0.03]))
    without = benjamini_yekutieli(np.array([0.001, 0.02, 0.03]))
    assert with_gap[[0, 2, 3]].tolist() == without.tolist()
    assert not with_gap[1]
    assert benjamini_yekutieli(np.array([np.nan, np.nan])).tolist() == [False, False]


@pytest.mark.parametrize("name", ["accuracy", "ordinal", "rmse"])
@pytest.mark.parametrize("seed", range(3))
def test_with_gaps_and_every_closeness_it_is_what_the_paper_says_item_by_item(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 5, size=90)
    columns: dict[str, list[Any]] = {}
    for who in ("p0", "p1", "p2", "p3", "p4", "model"):
        said = np.clip(truth + rng.choice([-1, 0, 0, 0, 1], size=90), 1, 4)
        columns[who] = [None if rng.random() < 0.15 else int(answer) for answer in said]
    found = alt_test(accord.Study.from_wide(columns), model="model", epsilon=0.15, closeness=name, n_resamples=0)
    omega, rho, p = alternative_test(columns, "model", 0.15, name)
    assert (found.omega, found.rho) == pytest.approx((omega, rho), abs=1e-12)
    assert np.asarray(found.annotators["p_t"], float) == pytest.approx(np.array(p), rel=1e-9)


def test_scores_with_many_values_are_judged_by_their_distance() -> None:
    rng = np.random.default_rng(4)
    truth = rng.normal(size=300) * 1e6
    columns = {who: (truth + rng.normal(size=300)).tolist() for who in ("p0", "p1", "p2", "model")}
    study = accord.Study.from_wide(columns, answers="score")
    found = alt_test(study, model="model", closeness="rmse", n_resamples=0)
    omega, rho, p = alternative_test(columns, "model", 0.1, "rmse")
    assert (found.omega, found.rho) == pytest.approx((omega, rho), abs=1e-12)
    assert np.asarray(found.annotators["p_t"], float) == pytest.approx(np.array(p), rel=1e-9)


def test_a_table_and_a_function_say_how_close_answers_are() -> None:
    same = alt_test(TOY, model="llm", n_resamples=0)
    for closeness in (np.eye(3), lambda one, other: one == other):
        found = alt_test(TOY, model="llm", closeness=closeness, n_resamples=0)
        assert (found.omega, found.rho) == (same.omega, same.rho)
    near = alt_test(TOY, model="llm", closeness=lambda one, other: -abs(one - other), n_resamples=0)
    ordinal = alt_test(TOY, model="llm", closeness="ordinal", n_resamples=0)
    assert near.rho == ordinal.rho


def test_repeating_with_other_row_orders_gives_the_same_digits() -> None:
    grid = np.array([*SMALL["inputs"]["humans"].values(), SMALL["inputs"]["llm"]]).T
    rows = [{"item": i, "annotator": who, "label": int(grid[i, place])} for i in range(40)
            for place, who in enumerate(["h0", "h1", "h2", "llm"])]  # fmt: skip
    one_way = alt_test(accord.Study(rows), model="llm", rng=3)
    another = alt_test(accord.Study(rows[::-1]), model="llm", rng=3)
    assert one_way.to_dict() == another.to_dict()


# What it hides -------------------------------------------------------------------------------------------------------


def test_differences_without_variance_do_not_pass_silently() -> None:
    """The reference has p = 0 here, and passes at any margin."""
    golden = VALUES["alt_test_degenerate_all_equal"]
    assert (golden["omega"], golden["p_value"]) == (1.0, 0.0)
    few = np.tile([["a"], ["b"]], (20, 4))
    found = alt_test(few, model="4", epsilon=0.05)
    assert (found.omega, found.rho) == (0.0, golden["rho"])
    assert set(found.annotators["decided_by"]) == {"tango"}
    assert all(math.isnan(p) for p in found.annotators["p_t"])
    assert "would pass whatever the margin" in " ".join(found.notes)
    z = -math.sqrt(40 * 0.05 / 0.95)
    assert list(found.annotators["z_tango"]) == pytest.approx([z] * 3)
    assert alt_test(few, model="4", epsilon=0.2).passes
    nothing = alt_test(few, model="4", epsilon=0.0)
    assert (nothing.omega, list(nothing.annotators["p"])) == (0.0, [1.0] * 3)


def test_below_thirty_items_tangos_test_decides() -> None:
    short = TOY._where(TOY._annotations.rows[0] < 25)
    found = alt_test(short, model="llm")
    assert set(found.annotators["decided_by"]) == {"tango"}
    assert list(found.annotators["p"]) == list(found.annotators["p_tango"])
    assert "fewer than 30 items" in " ".join(found.notes)


def test_wilcoxon_serves_by_name_only_and_with_its_warning() -> None:
    found = alt_test(TOY, model="llm", test="wilcoxon", n_resamples=0)
    assert set(found.annotators["decided_by"]) == {"wilcoxon"}
    assert "rejects 7 to 94 %" in " ".join(found.notes)
    assert "rejects 7 to 94 %" in str(found)


@pytest.mark.parametrize(
    ("items", "epsilon", "apart", "wilcoxon", "tango"), [(10, 0.2, 0.7, 0.072, 0.047), (29, 0.1, 0.1, 0.936, 0.047)]
)
def test_the_size_of_wilcoxons_test_is_what_the_warning_says(
    items: int, epsilon: float, apart: float, wilcoxon: float, tango: float
) -> None:
    """By going through all tables: mean d is ε, and the two differ on a share `apart` of the items."""
    lost, won = (x.astype(float) for x in np.nonzero(np.add.outer(np.arange(items + 1), np.arange(items + 1)) <= items))
    one, other = (apart + epsilon) / 2, max((apart - epsilon) / 2, 0.0)
    chance = stats.multinomial.pmf(np.c_[lost, won, items - lost - won], items, [one, other, 1 - one - other])
    for test, size in ((wilcoxon_test, wilcoxon), (tango_test, tango)):
        assert chance[test(np.full(len(lost), float(items)), lost, won, epsilon)[1] < 0.05].sum() == pytest.approx(
            size, abs=6e-4
        )


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.2, 0.5, 0.7])
@pytest.mark.parametrize("seed", range(3))
def test_t_and_wilcoxon_from_counts_are_those_of_scipy(epsilon: float, seed: int) -> None:
    d = np.random.default_rng(seed).choice([1, 0, -1], p=[0.2, 0.6, 0.2], size=40)
    counts = one(40), one((d == 1).sum()), one((d == -1).sum())
    t, p = t_test(*counts, epsilon)
    theirs = stats.ttest_1samp(d, epsilon, alternative="less")
    assert (t[0], p[0]) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-12)
    _, p = wilcoxon_test(*counts, epsilon)
    assert p[0] == pytest.approx(stats.wilcoxon(d - epsilon, alternative="less", method="approx").pvalue, rel=1e-12)


@pytest.mark.parametrize(("n", "b", "c"), [(44, 1, 0), (40, 0, 0), (50, 6, 2), (20, 0, 7), (100, 30, 30), (10, 10, 0)])
@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.2])
def test_tangos_statistic_is_the_score_at_the_constrained_maximum(n: int, b: int, c: int, epsilon: float) -> None:
    """The maximum is found here by searching, not by the closed formula."""

    def minus_likelihood(q: float) -> float:
        parts = ((b, q + epsilon), (c, q), (n - b - c, 1 - 2 * q - epsilon))
        return -sum(number * math.log(max(share, 1e-300)) for number, share in parts if number)

    q = optimize.minimize_scalar(
        minus_likelihood, bounds=(0, (1 - epsilon) / 2), method="bounded", options={"xatol": 1e-12}
    ).x
    z = (b - c - n * epsilon) / math.sqrt(n * (2 * q + epsilon * (1 - epsilon)))
    found, p = tango_test(one(n), one(b), one(c), epsilon)
    assert found[0] == pytest.approx(z, abs=1e-4)
    assert p[0] == pytest.approx(stats.norm.cdf(z), abs=1e-4)


def test_tango_without_a_margin_is_mcnemar() -> None:
    z, p = tango_test(one(60), one(12), one(5), 0.0)
    assert z[0] == pytest.approx((12 - 5) / math.sqrt(17))
    assert tango_test(one(60), one(0), one(0), 0.0)[1][0] == 1.0
    assert math.isnan(tango_test(one(0), one(0), one(0), 0.1)[1][0])
    assert 0 < p[0] < 1


def test_the_curve_rises_with_the_margin_and_holds_the_result() -> None:
    found = alt_test(TOY, model="llm", epsilon=0.1, n_resamples=0)
    omega = np.asarray(found.curve["omega"], float)
    assert (np.diff(omega) >= 0).all()
    assert omega[10] == found.omega
    assert found.least_margin == 0.06
    assert omega[5] < 0.5 <= omega[6]
    never = alt_test([["a", "a", "a", "b"], ["b", "b", "b", "a"]] * 20, model="4", n_resamples=0)
    assert math.isnan(never.least_margin)
    assert "passes at no margin" in str(never)


def test_intervals_hold_the_values_and_narrow_with_the_items() -> None:
    rng = np.random.default_rng(8)
    short, long = (alt_test(planted(items, 4, {"m": 0.75}, rng), model="m", rng=1) for items in (60, 2_000))
    for found in (short, long):
        assert found.rho_interval.low <= found.rho <= found.rho_interval.high
        assert found.omega_interval.low <= found.omega <= found.omega_interval.high
        assert (found.rho_interval.n_resamples, found.rho_interval.seed) == (1000, 1)
    assert short.rho_interval.se > 4 * long.rho_interval.se
    none = alt_test(TOY, model="llm", n_resamples=0)
    assert math.isnan(none.rho_interval.low)
    assert none.rho_interval.undefined == "No resamples were drawn: n_resamples is 0."


def test_clusters_are_drawn_whole() -> None:
    rng = np.random.default_rng(9)
    items = 120
    hard = np.repeat(rng.random(12) < 0.4, 10)
    truth = rng.integers(3, size=items)
    rows: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "doc": []}
    for item in range(items):
        for who in ("p0", "p1", "p2", "model"):
            wrong = who == "model" and hard[item]
            described = (item, who, int((truth[item] + wrong) % 3), item // 10)
            for name, cell in zip(rows, described, strict=True):
                rows[name].append(cell)
    single = alt_test(accord.Study(rows), model="model")
    whole = alt_test(accord.Study(rows, cluster="doc"), model="model")
    assert single.rho == whole.rho
    assert whole.rho_interval.se > 2 * single.rho_interval.se


def test_people_with_few_items_may_be_left_out() -> None:
    columns: dict[str, list[Any]] = {**SMALL["inputs"]["humans"], "llm": SMALL["inputs"]["llm"]}
    columns["late"] = [None] * 35 + [1, 1, 2, 1, 2]
    study = accord.Study.from_wide(columns)
    everyone = alt_test(study, model="llm", n_resamples=0)
    assert np.isfinite(np.asarray(everyone.annotators["p"], float)).sum() == 4
    active = alt_test(study, model="llm", least_items=30, n_resamples=0)
    assert np.isfinite(np.asarray(active.annotators["p"], float)).sum() == 3
    assert "Too few items to be counted: 'late'" in " ".join(active.notes)


# Several models, bad input, objects ----------------------------------------------------------------------------------


def test_several_models_are_ranked_by_their_advantage_on_the_same_resamples() -> None:
    study = planted(150, 4, {"poor": 0.5, "good": 0.85}, np.random.default_rng(2))
    people = ["p0", "p1", "p2", "p3"]
    found = alt_tests(study, models=["poor", "good"], people=people, rng=5)
    assert [row["model"] for row in found.to_table()] == ["good", "poor"]
    alone = alt_test(study, model="good", people=people, rng=5)
    assert alone.to_dict() == found["good"].to_dict()
    assert [one.model for one in found] == ["poor", "good"]
    with pytest.raises(OptionError, match="'god'"):
        found["god"]


def test_what_cannot_be_asked_is_an_error_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"no annotator 'lm'.*Did you mean 'llm'\?"):
        alt_test(TOY, model="lm")
    with pytest.raises(MeasureError, match=r"needs 3 people or more, and there are 'h0', 'h1'.*evaluate"):
        alt_test(TOY, model="llm", people=["h0", "h1"])
    with pytest.raises(MeasureError, match="nobody here is known to be one"):
        alt_test(TOY)
    with pytest.raises(OptionError, match="about one model"):
        alt_test(accord.Study({"item": [1] * 5, "annotator": list("abcde"), "label": [1] * 5,
                               "kind": ["model"] * 2 + ["person"] * 3}, kind="kind"))  # fmt: skip
    for epsilon in (-0.1, 1, "a lot", True):
        with pytest.raises(OptionError, match="epsilon must be a margin"):
            alt_test(TOY, model="llm", epsilon=epsilon)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="q must lie"):
        alt_test(TOY, model="llm", q=5)
    with pytest.raises(OptionError, match="closeness must be one of"):
        alt_test(TOY, model="llm", closeness="exact")
    with pytest.raises(OptionError, match="test must be one of"):
        alt_test(TOY, model="llm", test="z")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"closeness must give a number for .*, the higher the more alike"):
        alt_test(TOY, model="llm", closeness=lambda one, other: "near")  # type: ignore[arg-type]
    with pytest.raises(LabelError, match="order"):
        alt_test([["a", "b", "c", "a"]] * 5, model="4", closeness="ordinal")


def test_labels_in_a_declared_order_have_distances() -> None:
    study = accord.Study.from_wide([["low", "low", "high", "middle"]] * 40, labels=["low", "middle", "high"])
    found = alt_test(study, model="4", closeness="ordinal", n_resamples=0)
    assert found.closeness == "ordinal"
    rows = {row["annotator"]: row for row in found.annotators}
    assert (rows["1"]["person_wins"], rows["1"]["model_wins"]) == (0, 0)  # 1 + 0 for low, ½ + ½ for middle
    assert (rows["3"]["person_wins"], rows["3"]["model_wins"]) == (0, 40)


def test_no_overlap_is_undefined_with_a_reason() -> None:
    apart = [["a", "b", "a", None]] * 20 + [[None, None, None, "a"]] * 20
    found = alt_test(apart, model="4")
    assert math.isnan(found.omega)
    assert math.isnan(found.rho)
    assert found.passes is False
    assert found.undefined == "No item has an answer of the model and of two people."
    assert "undefined" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_result_is_frozen_prints_and_becomes_html_json_and_a_chart() -> None:
    found = alt_test(TOY, model="llm")
    with pytest.raises(FrozenInstanceError):
        found.omega = 1.0  # type: ignore[misc]
    assert str(found).startswith(
        "llm passes, but with other items it might not have, at ε = 0.1: winning rate ω = 1.00"
    )
    assert "<table>" in found._repr_html_()
    described = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (described["question"], described["values"]["omega"]) == ("alt_test", 1.0)
    assert len(described["tables"]["curve"]) == 51
    assert "layer" in found.plot().to_dict()


def test_many_items_are_drawn_in_groups_with_the_same_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    from accord.judge import alternative_test

    study = planted(6_000, 4, {"m": 0.75}, np.random.default_rng(12))
    one_by_one = alt_test(study, model="m", rng=1)
    monkeypatch.setattr(alternative_test, "MANY_UNITS", 5_000)
    monkeypatch.setattr(alternative_test, "GROUPS", 1_500)
    grouped = alt_test(study, model="m", rng=1)
    assert (grouped.rho, grouped.omega) == (one_by_one.rho, one_by_one.omega)
    assert grouped.rho_interval.se == pytest.approx(one_by_one.rho_interval.se, rel=0.1)
    assert grouped.rho_interval.se != one_by_one.rho_interval.se

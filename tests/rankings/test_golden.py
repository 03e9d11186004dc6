"""Published and worked-out values of measures of rankings."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import accord
import accord.errors
from accord.rankings.biased_overlap import BOUNDS, TIES, biased_overlap
from tests.rankings.drawn import one_query
from tests.shared import DATA

# Rank matrices (a row per annotator) and their values, from the acceptance values of the project (rankings.json: w_…),
# which were checked with SciPy's friedmanchisquare, spearmanr and kendalltau.
W_CASES: list[tuple[list[list[float]], dict[str, float]]] = [
    (
        [[1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 6, 5], [1, 3, 2, 5, 4, 6], [1, 2, 4, 3, 6, 5]],
        {"w": 0.85, "chi2": 17.0, "p": 0.004499796977970551, "rho": 0.8, "tau": 0.6444444444444445},
    ),
    (
        [[1, 2.5, 2.5, 4, 5], [1, 2, 3, 4.5, 4.5], [2, 2, 2, 4, 5]],
        {
            "w": 0.9382716049382716, "chi2": 11.25925925925926, "p": 0.023799738404011464,
            "rho": 0.9084467861831618, "tau": 0.8422449795318467,
        },
    ),
    (
        [[5, 3, 3, 1, 2, 4, 4], [4, 3, 2, 1, 1, 5, 4], [5, 5, 3, 2, 1, 4, 4], [3, 3, 3, 1, 2, 5, 5]],
        {
            "w": 0.8262910798122066, "chi2": 19.83098591549296, "p": 0.0029678546287894227,
            "rho": 0.7682299460662616, "tau": 0.6579086823768833,
        },
    ),
    ([[1, 2, 3, 4], [4, 3, 2, 1]], {"w": 0.0, "chi2": 0.0, "p": 1.0, "rho": -1.0, "tau": -1.0}),
    (
        [[0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], [1, 1, 2, 2, 3, 3]],
        {
            "w": 0.8895348837209303, "chi2": 17.790697674418606, "p": 0.0032204869399463792,
            "rho": 0.8531456501919729, "tau": 0.7559525810395876,
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "expected"), W_CASES)
def test_w_and_rank_correlations_of_one_query(rows: list[Any], expected: dict[str, float]) -> None:
    study = one_query(rows)
    found = accord.kendall_w(study)
    test = found.test(method="chi-square")
    assert found.value == pytest.approx(expected["w"], abs=1e-9)
    assert (test.statistic, test.p) == pytest.approx((expected["chi2"], expected["p"]), abs=1e-9)
    assert accord.ranking_spearman(study).value == pytest.approx(expected["rho"], abs=1e-9)
    assert accord.ranking_tau_b(study).value == pytest.approx(expected["tau"], abs=1e-9)


def test_incomplete_rankings_are_compared_pair_by_pair_on_common_options() -> None:
    """From the acceptance values of the project: rankings.json, incomplete_pairs."""
    study = one_query(
        [[1, 2, 3, 4, None, None], [None, 1, 2, 4, 3, None], [2, 1, None, None, 3, 4], [None, None, 1, 2, 2, 3]]
    )
    rho, tau = accord.ranking_spearman(study), accord.ranking_tau_b(study)
    assert rho.value == pytest.approx(0.6443375672974064, abs=1e-9)
    assert tau.value == pytest.approx(0.6360827634879543, abs=1e-9)
    assert tau.by_pair()["value"].tolist() == pytest.approx([1, -1, 1, 1, 0.8164965809277261, 1])
    assert any("the options both ranked" in note for note in tau.notes)


def test_w_of_balanced_incomplete_blocks() -> None:
    """From the acceptance values of the project: rankings.json, incomplete_blocks_7."""
    blocks: list[dict[str, float]] = [
        {"a": 1, "b": 4.5, "d": 4}, {"b": 2, "c": 3, "e": 5}, {"c": 3, "d": 4, "f": 6}, {"d": 6.5, "e": 5, "g": 7},
        {"e": 5, "f": 6, "a": 1}, {"f": 8.5, "g": 7, "b": 2}, {"g": 7, "a": 1, "c": 3},
    ]  # fmt: skip
    table = [
        {"item": "q", "annotator": f"p{who}", "label": option, "rank": rank}
        for who, block in enumerate(blocks)
        for option, rank in block.items()
    ]
    study = accord.Study(table, rank="rank", answers="ranking")
    found = accord.kendall_w(study, incomplete="blocks")
    test = found.test()
    assert found.value == pytest.approx(0.8571428571428571, abs=1e-9)
    assert (test.statistic, test.df, test.p) == pytest.approx((10.285714285714285, 6, 0.11312423466718972), abs=1e-9)
    with pytest.raises(accord.errors.MeasureError, match="balanced"):
        accord.kendall_w(one_query([[1, 2, None], [1, 2, 3]]), incomplete="blocks")


def test_overlap_of_two_short_lists() -> None:
    """From the acceptance values of the project: spans-and-rankings.json, rbo_0.9, as the package rbo 0.1.3 has it."""
    study = accord.Study.from_wide([[["a", "b", "c", "d", "e"], ["b", "a", "c", "f", "g"]]], answers="ranking")
    assert accord.rank_biased_overlap(study).value == pytest.approx(0.619335, abs=1e-9)


# One pair of lists with ties and of different length, and all twelve values, as Corsi & Urbano (2024) have them:
# julian-urbano/sigir2024-rbo, rbo/test.csv, row 3509 (data CC BY-SA 4.0).
SHORT = [["i12"], ["i19"], ["i1", "i15", "i16", "i17"]]
LONG = [["i2", "i4"], ["i3", "i6", "i13"], ["i9"], ["i5", "i16"], ["i1", "i10", "i18"], ["i8"], ["i7"], ["i14"]]
OVERLAPS = {
    "w": (0.0994244087796618, 0.0764493094906403, 0.518790536580999, 0.442341227090359),
    "a": (0.0938443892085684, 0.0708692899195469, 0.515595478514406, 0.444726188594859),
    "b": (0.09439665119297, 0.0714215519039485, 0.517392044810524, 0.445970492906575),
}


@pytest.mark.parametrize("ties", TIES)
def test_overlap_with_ties_in_its_three_forms_and_four_values(ties: Any) -> None:
    study = accord.Study.from_wide([[LONG, SHORT]], answers="ranking")
    found = [accord.rank_biased_overlap(study, p=0.933127712705304, ties=ties, value=bound).value for bound in BOUNDS]
    assert found == pytest.approx(OVERLAPS[ties], abs=1e-9)


@pytest.mark.shared
def test_a_hundred_published_pairs_have_their_twelve_values() -> None:
    cases = json.loads((DATA.parent / "golden" / "rankings.json").read_text(encoding="utf-8"))["cases"]
    published = [case for case in cases if case["measure"] == "rbo_ties"]
    assert len(published) == 100
    for case in published:
        lists = [case["input"][name] for name in ("x", "y")]
        options = sorted({option for groups in lists for group in groups for option in group})
        ranks = np.full((2, len(options)), np.nan)
        for row, groups in enumerate(lists):
            for place, group in enumerate(groups):
                ranks[row, [options.index(option) for option in group]] = place
        for ties in TIES:
            for bound in BOUNDS:
                value = biased_overlap(ranks[:1], ranks[1:], case["input"]["p"], ties, bound)[0]
                assert value == pytest.approx(case["expected"][ties][bound], abs=1e-6), (case["id"], ties, bound)


@pytest.mark.shared
def test_real_rankings_have_the_alpha_of_their_readme() -> None:
    found = accord.measure(accord.read(DATA / "squality_ranking" / "long.csv"))
    values = {row["variable"]: round(row["value"], 3) for row in found.to_table()}
    assert values == {"correctness": 0.657, "overall": 0.797, "selection": 0.784}
    assert {part.kind for part in found.recommended.study.tasks.values()} == {"ranking"}

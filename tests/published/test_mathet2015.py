"""Mathet, Widlöcher and Métivier 2015, and Mathet 2017: disorders of best alignments, gamma, gamma_cat and gamma_k.

The papers print few values that can be recomputed; these are the fixtures of DKPro Statistics (Apache-2.0, made with
pygamma-agreement 0.5.9), recomputed in double precision, and what pygamma-agreement's own tests demand of its files.
"""

from __future__ import annotations

import csv

import numpy as np
import pytest

import accord
from accord.spans.alignment import best_alignment
from accord.spans.chance_disorder import ChanceOptions, Disorders
from accord.spans.continuum import Continuum
from accord.spans.gamma import gamma_of_labels, gamma_of_units
from accord.spans.stacked_continua import Continua, Dissimilarity
from tests.oracles.alignment import Unit
from tests.shared import DATA
from tests.spans.continua_of import one_document, study_of

SIMPLE: dict[str, list[Unit]] = {
    "a": [(1, 5, "a"), (6, 10, "b"), (11, 15, "a")],
    "b": [(2, 6, "a"), (7, 11, "b"), (12, 16, "a")],
}
UNEQUAL: dict[str, list[Unit]] = {
    "a": [(1, 5, "a"), (6, 10, "b"), (20, 24, "a"), (30, 34, "b")],
    "b": [(2, 6, "a"), (31, 35, "b")],
}
PERFECT: dict[str, list[Unit]] = {name: [(1, 5, "a"), (10, 15, "b"), (20, 25, "c")] for name in "ab"}
FLIPPED: dict[str, list[Unit]] = {"a": [(0, 10, "x"), (12, 20, "y")], "b": [(0, 10, "x"), (12, 20, "z")]}
MISSING: dict[str, list[Unit]] = {
    "a": [(0, 10, "x"), (20, 30, "y")],
    "b": [(1, 11, "x")],
    "c": [(0, 9, "x"), (21, 31, "y"), (50, 55, "x")],
}
STEEP: dict[str, list[Unit]] = {
    "a": [(1, 5, "a"), (6, 10, "b"), (11, 15, "c")],
    "b": [(2, 6, "a"), (6, 12, "c"), (11, 15, "c")],
}
FIXTURES = [
    (SIMPLE, 1, 1, 0.0625, 3),
    (UNEQUAL, 1, 1, 0.7083333333333334, 4),
    (PERFECT, 1, 1, 0.0, 3),
    (FLIPPED, 1, 1, 0.5, 2),
    (MISSING, 1, 1, 0.8412834718374884, 3),
    (STEEP, 3, 2, 0.7291666666666666, 4),
]
# the shifted continua of STEEP that pygamma-agreement drew once, and the disorder of each
DRAWN: list[tuple[list[Unit], list[Unit], float]] = [
    ([(2, 8, "c"), (7, 11, "c"), (13, 17, "a")], [(1, 5, "a"), (5, 11, "c"), (10, 14, "c")], 1.3733333333333333),
    ([(3, 7, "c"), (8, 12, "a"), (13, 17, "b")], [(1, 5, "a"), (6, 10, "b"), (11, 15, "c")], 2.0),
    ([(3, 7, "b"), (8, 12, "c"), (13, 17, "a")], [(2, 6, "c"), (7, 11, "a"), (12, 16, "b")], 2.0),
    ([(5, 9, "a"), (9, 15, "c"), (14, 18, "c")], [(3, 7, "c"), (8, 12, "a"), (13, 17, "b")], 1.8958333333333333),
    ([(5, 9, "b"), (10, 14, "c"), (15, 19, "a")], [(5, 9, "c"), (10, 14, "a"), (15, 19, "b")], 2.0),
    ([(1, 5, "c"), (7, 11, "a"), (11, 17, "c")], [(1, 5, "a"), (5, 11, "c"), (10, 14, "c")], 1.4933333333333334),
]


@pytest.mark.parametrize(("marked", "alpha", "beta", "disorder", "number"), FIXTURES)
def test_best_alignments(
    marked: dict[str, list[Unit]], alpha: float, beta: float, disorder: float, number: int
) -> None:
    found = best_alignment(one_document(marked), Dissimilarity(alpha, beta))
    assert found.normalised[0] == pytest.approx(disorder, abs=1e-12)
    assert found.n_unitary[0] == number


@pytest.mark.parametrize(("first", "second", "disorder"), DRAWN)
def test_chance_continua_once_drawn(first: list[Unit], second: list[Unit], disorder: float) -> None:
    found = best_alignment(one_document({"a": first, "b": second}), Dissimilarity(3, 2))
    assert found.normalised[0] == pytest.approx(disorder, abs=1e-12)


def label_disorder(marked: dict[str, list[Unit]], variant: str, alpha: float = 1.0, beta: float = 1.0) -> float:
    disorders = Disorders(Continuum.of_marks([marked]), ChanceOptions(alpha, beta, precision=0.9), variant)  # type: ignore[arg-type]
    return 1 - float(gamma_of_labels(disorders, None).parts.observed)


@pytest.mark.parametrize(
    ("marked", "options", "paper", "pygamma"),
    [(SIMPLE, (1, 1), 0.0, 0.0), (FLIPPED, (1, 1), 0.5, 0.5), (MISSING, (1, 1), 0.0, 0.6181281931094117),
     (STEEP, (3, 2), 0.0, 0.5245901639344263)],
)  # fmt: skip
def test_labels_of_aligned_units(
    marked: dict[str, list[Unit]], options: tuple[float, float], paper: float, pygamma: float
) -> None:
    """pygamma-agreement counts units that nobody else marked as disagreement on labels; the paper does not."""
    assert label_disorder(marked, "paper", *options) == pytest.approx(paper, abs=1e-9)
    assert label_disorder(marked, "pygamma", *options) == pytest.approx(pygamma, abs=1e-9)


@pytest.mark.parametrize(("sampler", "value"), [("mathet", 0.557), ("pygamma", 0.458)])
def test_the_two_samplers_differ_on_the_same_units(sampler: str, value: float) -> None:
    """pygamma-agreement's default is not the published sampler; its values are from 400 samples, ours from more."""
    disorders = Disorders(Continuum.of_marks([STEEP]), ChanceOptions(3, 2, sampler))  # type: ignore[arg-type]
    assert float(gamma_of_units(disorders).parts.value) == pytest.approx(value, abs=0.05)


# -- files of pygamma-agreement (MIT), which lie beside the repository -------------------------------------------------

FILES = [  # disorder and the number of unitary alignments; of AlexPaulSuzan there are as good ones of 7
    ("AlexPaulSuzan", 1, 0.6535416666666667, 6), ("AlexPaulSuzan", 3, 0.9606249999999998, 6),
    ("3by100", 1, 0.1382766141988248, 124), ("3by100", 3, 0.34351164267612405, 127),
    ("3by500", 1, 0.6590571122341057, 506), ("3by500", 3, 0.9845536393272121, 539),
]  # fmt: skip


def read(name: str) -> Continuum:
    marks: dict[str, list[Unit]] = {}
    with (DATA / "continua" / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        for who, label, start, end in csv.reader(lines):
            marks.setdefault(who, []).append((float(start), float(end), label))
    return Continuum.of_marks([marks])


@pytest.mark.shared
@pytest.mark.parametrize(("name", "alpha", "disorder", "number"), FILES)
def test_files_of_pygamma(name: str, alpha: float, disorder: float, number: int) -> None:
    found = best_alignment(Continua.of(read(name), [0]), Dissimilarity(alpha))
    assert found.normalised[0] == pytest.approx(disorder, abs=1e-9)
    assert found.n_unitary[0] == number


@pytest.mark.shared
def test_what_pygamma_demands_of_its_files() -> None:
    """Its own tests: gamma .44–.47, gamma_cat .38–.42 with Mathet's sampler; .79–.81 and .89–.91 with its own.

    One pair of AlexPaulSuzan saves exactly nothing; its gamma_cat, which counts units alone, is that with the pair.
    """
    first = Disorders(read("AlexPaulSuzan"), ChanceOptions(3.0, precision=0.01), "pygamma")
    assert 0.44 <= float(gamma_of_units(first).parts.value) <= 0.47
    assert 0.38 <= float(gamma_of_labels(first, None).parts.value) <= 0.42
    marked = read("3by100")
    second = Disorders(marked, ChanceOptions(3.0, sampler="pygamma"), "pygamma")
    assert 0.79 <= float(gamma_of_units(second).parts.value) <= 0.81
    assert 0.89 <= float(gamma_of_labels(second, None).parts.value) <= 0.91
    each = {label: float(gamma_of_labels(second, k).parts.value) for k, label in enumerate(marked.labels)}
    assert each["Adj"] == pytest.approx(0.82, abs=0.02)
    assert each["Noun"] == pytest.approx(0.89, abs=0.02)
    assert each["Verb"] == pytest.approx(0.70, abs=0.02)
    assert each["Prep"] >= 0.96


def test_the_number_of_samples_that_a_precision_takes() -> None:
    """(1.96 · CV / p)², rounded up, with the standard deviation over n: 259 for ten disorders once drawn."""
    disorders = [1.3733333333333333, 2.0, 2.0, 1.8958333333333333, 2.0, 2.0, 1.3733333333333333, 2.0,
                 1.4933333333333334, 1.3733333333333333]  # fmt: skip
    drawn = Disorders(Continuum.of_marks([STEEP]), ChanceOptions(3, 2, precision=0.02))
    assert drawn._needed(np.array(disorders)[:, None]) == 259
    assert drawn.n_samples >= (1.96 * drawn.variation / 0.02) ** 2


def test_a_study_gives_the_same_disorder() -> None:
    result = accord.gamma(study_of(MISSING))
    assert 1 - result.observed == pytest.approx(0.8412834718374884)

"""Intervals, tests and comparisons that cannot be had: refused with what was asked, and with what can be."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from accord.errors import MeasureError, OptionError
from tests.study.refusing import refused

accord: Any = import_module("accord")  # untyped: these tests give what the types forbid
Study = accord.Study

STUDY = Study.from_wide([["a", "a"], ["b", "a"], ["b", "b"], ["a", "a"], ["a", "b"]])
THREE = Study.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]])
COUNTS = Study.from_counts([[1, 2], [2, 1], [3, 0]])
KAPPA = accord.fleiss_kappa(STUDY)


@pytest.mark.parametrize("confidence", [1.5, 95, 0, 1, -0.5, np.nan, "high", None, True], ids=repr)
def test_a_confidence_lies_between_0_and_1(confidence: Any) -> None:
    said = "confidence must lie between 0 and 1, for example 0.95; got"
    refused(OptionError, lambda: KAPPA.interval(confidence=confidence), said)
    refused(OptionError, lambda: accord.compare(KAPPA, KAPPA, confidence=confidence), said)
    refused(OptionError, lambda: accord.measure(STUDY).to_table(confidence=confidence), said)


def test_a_confidence_whose_quantile_is_infinite_is_refused() -> None:
    said = "confidence must be further from 1, for example 0.999999; got 0.9999999999999999"
    refused(OptionError, lambda: KAPPA.interval(confidence=1 - 2**-53), said)
    assert np.isfinite(KAPPA.interval(confidence=1 - 2**-52).high)


def test_more_draws_than_memory_holds_are_refused() -> None:
    said = "n_resamples must be a whole number, at most 10,000,000; got 10000000000000"
    for method in ("bootstrap", "bca", "bayesian"):
        refused(OptionError, lambda: KAPPA.interval(method=method, n_resamples=10**13), said)  # noqa: B023 - at once
    refused(OptionError, lambda: KAPPA.test(method="permutation", n_resamples=10**13), said)
    refused(OptionError, lambda: accord.compare(KAPPA, KAPPA, method="bootstrap", n_resamples=10**13), said)


def test_a_value_beyond_all_others_is_infinitely_many_errors_away() -> None:
    assert KAPPA.test(null=1e308, method="analytic").p == 0


@pytest.mark.parametrize("n_resamples", [0, 1, -5, 2.5, "many", None, np.nan], ids=repr)
def test_draws_are_a_whole_number(n_resamples: Any) -> None:
    said = "n_resamples must be a whole number, at least 2; got"
    refused(OptionError, lambda: KAPPA.interval(method="bootstrap", n_resamples=n_resamples), said)
    refused(OptionError, lambda: KAPPA.interval(method="bca", n_resamples=n_resamples), said)
    refused(OptionError, lambda: KAPPA.interval(method="bayesian", n_resamples=n_resamples), said)
    refused(
        OptionError,
        lambda: accord.compare(KAPPA, KAPPA, method="bootstrap", n_resamples=n_resamples),
        "n_resamples must be a whole number, at least 2",
    )
    if n_resamples != 1:
        refused(
            OptionError,
            lambda: KAPPA.test(method="permutation", n_resamples=n_resamples),
            "n_resamples must be a whole number, at least 1",
        )


@pytest.mark.parametrize("rng", ["x", -1, 2.5, True, [1]], ids=repr)
def test_a_seed_is_a_whole_number_or_a_generator(rng: Any) -> None:
    said = "rng must be a seed (a whole number, not negative) or a numpy Generator; got"
    refused(OptionError, lambda: KAPPA.interval(method="bootstrap", rng=rng), said)
    refused(OptionError, lambda: accord.compare(KAPPA, KAPPA, method="bootstrap", rng=rng), said)
    refused(OptionError, lambda: KAPPA.test(method="permutation", rng=rng), said)


@pytest.mark.parametrize("population", [4, 0, -1, "all", 5.5], ids=repr)
def test_a_population_is_not_smaller_than_the_study(population: Any) -> None:
    refused(
        OptionError,
        lambda: KAPPA.interval(population=population),
        "population",
        "population must be a whole number, at least 5 (all items there are, annotated or not); got",
    )
    assert KAPPA.interval(population=5).se == 0, "all items are annotated: nothing is left to chance"


def test_a_population_corrects_no_resample() -> None:
    refused(
        OptionError,
        lambda: KAPPA.interval(population=100, method="bootstrap"),
        "population= corrects analytic, gwet and jackknife errors",
    )


def test_unknown_methods_are_named_with_the_nearest() -> None:
    refused(
        OptionError,
        lambda: KAPPA.interval(method="bootstap"),
        "method must be one of 'analytic'",
        "Did you mean 'bootstrap'?",
    )
    refused(
        OptionError, lambda: KAPPA.interval(resample="item"), "resample must be one of 'items'", "Did you mean 'items'?"
    )
    refused(OptionError, lambda: KAPPA.test(method="permute"), "method must be one of", "Did you mean 'permutation'?")
    refused(OptionError, lambda: accord.compare(KAPPA, KAPPA, method="bootstrp"), "Did you mean 'bootstrap'?")


@pytest.mark.parametrize("resample", ["annotators", "both"])
def test_annotators_without_names_cannot_be_resampled(resample: Any) -> None:
    refused(
        MeasureError,
        lambda: accord.fleiss_kappa(COUNTS).interval(resample=resample),
        "Annotators cannot be resampled",
        "a table of counts does not say who answered",
        "resample='items'",
    )


@pytest.mark.parametrize("resample", ["annotators", "both"])
def test_few_annotators_are_not_drawn_again(resample: Any) -> None:
    refused(
        OptionError,
        lambda: accord.fleiss_kappa(THREE).interval(resample=resample, method="bootstrap"),
        "Drawing 3 annotators again",
        "at least 5",
        "method='jackknife'",
    )
    refused(
        OptionError,
        lambda: accord.fleiss_kappa(THREE).interval(resample=resample, method="bca"),
        "'jackknife' (the default) or 'bootstrap'",
    )


def test_only_results_are_compared() -> None:
    refused(
        OptionError,
        lambda: accord.compare(KAPPA, 0.5),
        "What is compared are two results, and this is a float",
    )
    refused(OptionError, lambda: accord.compare(STUDY, STUDY), "this is a Study")


def test_a_permutation_tests_against_chance_only() -> None:
    refused(OptionError, lambda: KAPPA.test(method="permutation", null=0.5), "null must be 0 for a permutation")

"""Questions that cannot be asked: each is refused with what was found, and the message names what can be."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest

from accord import AccordError
from accord.errors import LabelError, MeasureError, OptionError, UnknownKeyword, WeightsError
from tests.study.refusing import refused
from tests.study.test_groups import NAMES

accord: Any = import_module("accord")  # untyped: these tests give what the types forbid
Study = accord.Study

RATINGS = [["a", "a"], ["b", "a"], ["b", "b"], ["a", "a"], ["a", "b"]]
STUDY = Study.from_wide(RATINGS)
THREE = Study.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]])
COUNTS = Study.from_counts([[1, 2], [2, 1], [3, 0]])
SETS = Study.from_wide([[["a"], ["a", "b"]], [["b"], []]])
RANKED = Study.from_wide([[["a", "b"], ["a"]], [["b"], ["a"]]], answers="ranked")
SCORES = Study.from_wide([[1.5, 2.0], [3.0, 3.5], [2.0, 2.5]], answers="score")
KAPPA = accord.fleiss_kappa(STUDY)


# -- measures that do not fit --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "title"), [("cohen_kappa", "Cohen's kappa"), ("scott_pi", "Scott's pi")])
def test_three_annotators_for_two_are_refused_and_others_named(name: str, title: str) -> None:
    refused(
        MeasureError,
        lambda: getattr(accord, name)(THREE),
        f"{title} is for two annotators; the study has 3",
        "conger_kappa",
        "light_kappa",
        "fleiss_kappa",
        f"pairwise(study, '{name}')",
    )
    assert name in accord.measure(THREE).left_out


@pytest.mark.parametrize("name", ["cohen_kappa", "conger_kappa", "light_kappa"])
def test_own_marginals_are_not_in_a_table_of_counts(name: str) -> None:
    refused(
        MeasureError,
        lambda: getattr(accord, name)(COUNTS),
        "a table of counts does not say who answered",
        "fleiss_kappa",
        "krippendorff_alpha",
        "gwet_ac",
        "brennan_prediger_kappa",
    )
    assert name in accord.measure(COUNTS).left_out


def test_scotts_pi_takes_the_counts_of_two() -> None:
    two = Study.from_counts([[2, 0], [1, 1], [0, 2]])
    assert accord.scott_pi(two).value == accord.fleiss_kappa(two).value
    refused(MeasureError, lambda: accord.scott_pi(COUNTS), "for two annotators; the study has 3")


@pytest.mark.parametrize("name", ["gwet_ac", "brennan_prediger_kappa"])
@pytest.mark.parametrize(
    ("study", "kind", "serves"),
    [
        (SETS, "set", "fleiss_kappa or krippendorff_alpha"),
        (RANKED, "ranked", "fleiss_kappa or krippendorff_alpha"),
        (SCORES, "score", "krippendorff_alpha with level='interval'"),
    ],
    ids=["sets", "rankings", "scores"],
)
def test_measures_of_a_finite_scale_refuse_other_answers(name: str, study: Any, kind: str, serves: str) -> None:
    refused(
        MeasureError,
        lambda: getattr(accord, name)(study),
        f"a finite scale of single labels; these are {kind} answers",
        f"{serves} serves",
    )


@pytest.mark.parametrize("part", ["by_pair", "by_annotator"])
def test_parts_by_annotator_need_names(part: str) -> None:
    refused(
        MeasureError,
        getattr(accord.fleiss_kappa(COUNTS), part),
        f"A table {part.replace('_', ' ')} needs to know who answered",
        "table of counts",
    )


def test_scores_have_no_labels_to_look_at() -> None:
    refused(MeasureError, lambda: accord.krippendorff_alpha(SCORES).by_label(), "Scores have no labels", "by_item()")


# -- weights and levels --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("weights", "error", "said"),
    [
        (
            np.eye(3),
            WeightsError,
            ("must be a 2 × 2 table, a row and a column for each of 'a', 'b'; got shape (3, 3)", "labels=[…]"),
        ),
        ([1, 0], WeightsError, ("got shape (2,)",)),
        (
            [[1, 0.5], [0, 1]],
            WeightsError,
            ("must be symmetric; 'a' with 'b' is 0.5, and the other way round 0", "(w + w.T) / 2"),
        ),
        (
            [[1, 2], [2, 1]],
            WeightsError,
            ("must lie between 0 (nothing in common) and 1 (the same); got 2", "1 - d / d.max()"),
        ),
        ([[1, -0.5], [-0.5, 1]], WeightsError, ("got -0.5",)),
        ([[1, np.nan], [np.nan, 1]], WeightsError, ("got nan",)),
        ([[1, np.inf], [np.inf, 1]], WeightsError, ("got inf",)),
        ([[0, 1], [1, 0]], WeightsError, ("fully unlike itself", "look like distances", "1 - d / d.max()")),
        ([["x", "y"], ["y", "x"]], WeightsError, ("must be a table of numbers",)),
        ([[1, 0], [1]], WeightsError, ("all rows of one length",)),
        (3, WeightsError, ("must be a name", "a table of numbers or a function of two answers; got 3")),
        (lambda one, other: "alike", WeightsError, ("must be a table of numbers",)),
        (lambda one, other: one - other, WeightsError, ("failed on 'a' and 'a': TypeError", "from 0 to 1")),
        (lambda one: 1.0, WeightsError, ("failed on 'a' and 'a': TypeError",)),
        (lambda one, other: 2.0, WeightsError, ("got 2",)),
        ("quadratc", OptionError, ("weights must be one of", "got 'quadratc'", "Did you mean 'quadratic'?")),
        ("masi", WeightsError, ("weights='masi' does not fit single answers; these do: 'identity', 'linear'",)),
        (
            "linear",
            LabelError,
            ("weights='linear' needs labels in an order", "the labels 'a', 'b', whose order nobody said", "labels=["),
        ),
    ],
    ids=[
        "shape",
        "one row",
        "asymmetric",
        "above",
        "below",
        "NaN",
        "infinite",
        "distances",
        "text",
        "ragged",
        "number",
        "function of text",
        "failing function",
        "function of one",
        "function above",
        "unknown",
        "for sets",
        "no order",
    ],
)
def test_weights_that_cannot_be_are_refused(
    name: str, weights: Any, error: type[AccordError], said: tuple[str, ...]
) -> None:
    refused(error, lambda: getattr(accord, name)(STUDY, weights=weights), *said)


def test_weights_for_labels_do_not_fit_sets_or_rankings() -> None:
    refused(
        WeightsError,
        lambda: accord.fleiss_kappa(SETS, weights="linear"),
        "does not fit set answers; these do: 'identity', 'jaccard'",
    )
    refused(
        WeightsError,
        lambda: accord.fleiss_kappa(RANKED, weights="dice"),
        "does not fit ranked answers; these do: 'identity', 'shared-mass'",
    )


def test_weights_that_fit_nothing_are_refused_by_measure_too() -> None:
    refused(OptionError, lambda: accord.measure(STUDY, weights="quadratc"), "Did you mean 'quadratic'?")
    refused(MeasureError, lambda: accord.measure(STUDY, weights=np.eye(3)), "No coefficient fits", "got shape (3, 3)")


@pytest.mark.parametrize("level", ["interval", "ratio", "circular"])
def test_a_numeric_level_needs_numbers(level: Any) -> None:
    refused(
        LabelError,
        lambda: accord.krippendorff_alpha(STUDY, level=level),
        f"level='{level}' needs numbers",
        "the labels 'a', 'b'",
        "level='nominal'",
        "labels=[…] in order for ordinal",
    )
    refused(
        LabelError,
        lambda: accord.krippendorff_alpha(SETS, level=level),
        f"level='{level}' needs numbers",
        "sets of labels",
    )
    refused(
        LabelError,
        lambda: accord.krippendorff_alpha([[True, False], [True, True]], level=level),
        "the labels False, True",
    )


def test_an_ordinal_level_needs_an_order() -> None:
    refused(
        LabelError,
        lambda: accord.krippendorff_alpha(STUDY, level="ordinal"),
        "level='ordinal' needs labels in an order",
        "labels=[",
    )
    assert np.isfinite(accord.krippendorff_alpha(STUDY, level="ordinal", labels=["b", "a"]).value)


def test_an_unknown_level_is_named_with_the_nearest() -> None:
    said = (
        "level must be one of 'nominal', 'ordinal', 'interval', 'ratio', 'circular'; got 'ordnal'",
        "Did you mean 'ordinal'?",
    )
    refused(OptionError, lambda: accord.krippendorff_alpha(STUDY, level="ordnal"), *said)
    refused(OptionError, lambda: accord.measure(STUDY, level="ordnal"), *said)
    refused(OptionError, lambda: accord.krippendorff_alpha(STUDY, level=3), "got 3")


def test_level_and_weights_together_are_refused() -> None:
    refused(
        OptionError,
        lambda: accord.krippendorff_alpha(STUDY, level="ordinal", weights="ordinal"),
        "Give level=",
        "or weights=",
        "not both",
    )
    refused(OptionError, lambda: accord.measure(STUDY, level="ordinal", weights="ordinal"), "not both")


@pytest.mark.parametrize("period", [0, -1, np.nan, np.inf, "day", True], ids=repr)
def test_a_period_is_a_positive_number(period: Any) -> None:
    refused(
        OptionError,
        lambda: accord.krippendorff_alpha([[1, 2], [2, 2]], level="circular", period=period),
        "period must be a positive number, such as 360 or 24; got",
    )


def test_the_ring_of_fractions_has_no_length_of_its_own() -> None:
    refused(
        OptionError,
        lambda: accord.krippendorff_alpha([[1.5, 2], [2, 2]], level="circular"),
        "needs period=…",
        "360 for degrees",
    )


def test_ratios_of_negative_numbers_are_refused() -> None:
    refused(
        MeasureError,
        lambda: accord.krippendorff_alpha([[-1, 2], [2, 2]], level="ratio"),
        "not negative; found -1",
        "level='interval'",
    )
    refused(WeightsError, lambda: accord.gwet_ac([[-1, 2], [2, 2]], weights="ratio"), "not negative; found -1")


def test_an_unknown_chance_model_is_named_with_the_nearest() -> None:
    refused(
        OptionError,
        lambda: accord.fleiss_kappa(STUDY, chance="poold"),
        "'pooled', 'pooled-counts'; got 'poold'",
        "Did you mean 'pooled'?",
    )
    refused(OptionError, lambda: KAPPA.by_label(chance="pold"), "'pooled', 'own'; got 'pold'")


# -- names and keywords --------------------------------------------------------------------------------------------


def test_an_unknown_measure_is_named_with_the_nearest() -> None:
    refused(
        OptionError, lambda: accord.pairwise(STUDY, "cohen"), "measure must be one of", "Did you mean 'cohen_kappa'?"
    )
    refused(OptionError, lambda: accord.measure(STUDY)["cohen"], "Did you mean 'cohen_kappa'?")
    refused(MeasureError, lambda: accord.measure(THREE)["cohen_kappa"], "is for two annotators; the study has 3")
    refused(OptionError, lambda: KAPPA.by_item()["valu"], "column must be one of 'item'", "Did you mean 'value'?")


@pytest.mark.parametrize("name", ["cohen_kappa", "light_kappa"])
def test_only_alpha_has_levels(name: str) -> None:
    refused(OptionError, lambda: accord.pairwise(THREE, name, level="ordinal"), "does not take level")


@pytest.mark.parametrize("name", [*NAMES, "measure"])
@pytest.mark.parametrize(
    "data",
    [STUDY, RATINGS, pd.DataFrame({"item": [1], "annotator": ["ana"], "label": ["a"]})],
    ids=["study", "rows", "frame"],
)
def test_an_unknown_keyword_is_a_type_error_with_the_nearest(name: str, data: Any) -> None:
    refused(
        UnknownKeyword,
        lambda: getattr(accord, name)(data, wieghts="linear"),
        f"{name}() got an unexpected keyword argument 'wieghts'",
        "Did you mean 'weights'?",
    )
    refused(UnknownKeyword, lambda: getattr(accord, name)(data, anotator="who"), "Did you mean 'annotator'?")


@pytest.mark.parametrize("name", NAMES)
def test_a_keyword_of_the_result_is_sent_there(name: str) -> None:
    refused(
        UnknownKeyword,
        lambda: getattr(accord, name)(STUDY, confidence=0.9),
        f"{name}() got an unexpected keyword argument 'confidence'. It belongs to the result: .interval(confidence=…).",
    )


@pytest.mark.parametrize("name", [*NAMES, "measure"])
def test_column_names_are_for_tables(name: str) -> None:
    ask = getattr(accord, name)
    refused(
        OptionError,
        lambda: ask(RATINGS, item="x"),
        "Column names ('item') were given",
        "no table with named columns but a list",
    )
    refused(
        OptionError, lambda: ask(np.array(RATINGS), item="x", label="y"), "Column names ('item', 'label')", "a ndarray"
    )
    refused(
        OptionError,
        lambda: ask(["a"], ["a"], annotator="x"),
        "Two sequences of answers have no columns to name",
        "'annotator'",
    )
    refused(
        OptionError, lambda: ask(STUDY, item="x"), "A Study is given alone, without 'item'", "named when it was made"
    )
    refused(OptionError, lambda: ask(STUDY, STUDY), "A Study is given alone, without a second argument")


def test_a_constructor_refuses_what_it_does_not_know() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        Study({"item": [1], "annotator": ["ana"], "label": ["a"]}, annotater="x")

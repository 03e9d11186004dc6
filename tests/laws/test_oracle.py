"""Every measure, weights and chance model against the oracle, which enumerates pairs of answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.studies import Case, Drawn, at_level, cases, everything_is_large, measures, near, studies, studies_for

EVERY_MEASURE = pytest.mark.parametrize("measure", measures)


def check(case: Case, drawn: Drawn) -> None:
    """Observed, expected and value are the oracle's; where the value is undefined there is a reason."""
    found, slow = case(drawn.study()), case.slow(drawn)
    alike = near(found.value, slow.value, 1e-11)
    if found.undefined is None:
        alike = alike and near(found.observed, slow.observed) and near(found.expected, slow.expected)
    assert alike, f"{case.measure}{case.options}: {found!r} and {slow}"


@EVERY_MEASURE
@settings(max_examples=25)
@given(data=st.data())
def test_parts_are_those_of_the_oracle(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure))
    for case in cases(measure, drawn):
        check(case, drawn)


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio", "circular"])
@settings(max_examples=20)
@given(drawn=studies(kinds=("score",)))
def test_alpha_of_scores_is_that_of_the_oracle(level: str, drawn: Drawn) -> None:
    check(at_level(level, drawn), drawn)


@EVERY_MEASURE
@settings(max_examples=10)
@given(data=st.data())
def test_studies_too_large_for_tables_have_the_same_parts(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies_for(measure))
    with everything_is_large():
        for case in cases(measure, drawn):
            check(case, drawn)


@settings(max_examples=15)
@given(drawn=studies(kinds=("set",)))
def test_sets_too_many_for_a_table_are_compared_in_blocks(drawn: Drawn) -> None:
    with everything_is_large(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.coefficients.weights.MOST_TABLED", 0)
        for measure in ("fleiss_kappa", "conger_kappa", "light_kappa", "krippendorff_alpha"):
            for case in cases(measure, drawn):
                check(case, drawn)

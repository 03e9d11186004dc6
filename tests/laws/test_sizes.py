"""Tests find little where nothing is there: a sample of benchmarks/test_sizes.py, whose whole table is in the docs.

At 5 % five of a hundred studies may be found by chance; 12 or more have a probability of 0.004.
"""

from __future__ import annotations

import math

import pytest

from benchmarks import test_sizes as sizes

STUDIES, MOST = 100, 0.115


@pytest.mark.parametrize(("groups", "items", "people", "know"), [(3, 10, 2, 0.75), (8, 10, 2, 0.75), (8, 15, 2, 0.93)])
def test_groups_of_one_population_seldom_differ(groups: int, items: int, people: int, know: float) -> None:
    """By chi-squared 11, 26 and 28 of 100."""
    assert sizes.rate(sizes.among_groups(groups, items, people, know), STUDIES).found <= MOST


def test_teams_alike_on_the_same_items_seldom_differ() -> None:
    assert sizes.rate(sizes.among_teams(3, 25, 0.75), STUDIES).found <= MOST


@pytest.mark.parametrize("method", ["analytic", pytest.param("bootstrap", marks=pytest.mark.slow)])
def test_documents_of_one_population_seldom_differ(method: str) -> None:
    """A bootstrap that did not know of documents found 34 of 100."""
    assert sizes.rate(sizes.of_documents(method), STUDIES).found <= MOST


@pytest.mark.parametrize("method", ["analytic", pytest.param("bootstrap", marks=pytest.mark.slow)])
def test_two_studies_of_one_population_seldom_differ(method: str) -> None:
    assert sizes.rate(sizes.of_two(25, 0.75, 0.75, method), STUDIES).found <= MOST
    assert sizes.rate(sizes.of_paired(25, 0.75, 0.75, method), STUDIES).found <= MOST


@pytest.mark.slow
def test_what_lies_at_the_margin_is_seldom_taken_for_better() -> None:
    edge = math.sqrt(0.75**2 - 0.1)
    assert sizes.rate(sizes.of_two(100, edge, 0.75, margin=0.1), STUDIES).found <= MOST
    assert sizes.rate(sizes.of_two(100, edge, 0.75, margin=0.1, alternative="equivalent"), STUDIES).found <= MOST


def test_what_is_there_is_found() -> None:
    """Power of 9 in 10, 8 in 10 and 7 in 10 or so; the bounds are four errors below."""
    assert sizes.rate(sizes.among_groups(3, 60, 3, 0.775, 0.92), 60).found >= 0.7
    assert sizes.rate(sizes.of_two(100, 0.8, 0.65), 60).found >= 0.6
    assert sizes.rate(sizes.by_chance("Cohen", 50, 2, sizes.MARGINALS[".6/.3/.1"], know=0.65), 60).found >= 0.6

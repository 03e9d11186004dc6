"""Rosenberg & Binkowski (2004): tables 1 to 3, the combinations of section 4, and the classes of section 6."""

from __future__ import annotations

from typing import Any

import pytest

import accord
from accord import multilabel

TABLE_1 = [["a", "b"], ["b", "a"], ["b"], ["c"], ["c", "b"]]
TABLE_2 = [[0.6, 0.4, 0, 0], [0.4, 0.6, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0.4, 0.6, 0]]
TABLE_3 = [0.2, 0.48, 0.32, 0]
# Section 6: 92 constant and high, 183 constant and low, 58 higher at p = 1, 47 higher at p = 0.5; 150 are usable.
EXAMPLES = [(["a"], ["a"], 92), (["a"], ["b"], 183), (["a", "b"], ["a"], 58), (["a", "b"], ["b", "a"], 47)]


def labeler_a() -> accord.Study:
    return accord.Study.from_wide([[answer] for answer in TABLE_1], answers="ranked", labels=list("abcd"))


def two(first: Any, second: Any) -> accord.Study:
    """One item by two annotators, among others on which they agree."""
    return accord.Study.from_wide([[first, second], *[[[x], [x]] for x in "abcd"]], answers="ranked")


def corpus() -> accord.Study:
    """As many items of each class as the paper counts; each label is as common as the others."""
    names = list("abcdefghij")
    rows, number = [], 0
    for first, second, times in EXAMPLES:
        for _ in range(times):
            shift = {"a": names[number % 10], "b": names[(number + 1) % 10]}
            rows.append([[shift[x] for x in first], [shift[x] for x in second]])
            number += 1
    return accord.Study.from_wide(rows, answers="ranked")


def test_table_2_is_the_annotation_matrix() -> None:
    matrix = multilabel.annotation_matrix(labeler_a(), "1", p=0.6)
    found = [[row[label] for label in "abcd"] for row in matrix]
    assert found == [pytest.approx(row) for row in TABLE_2]
    assert matrix.notes == ("Total: 1.0 a, 2.4 b, 1.6 c, 0.0 d; 5 items.",)


def test_table_3_is_the_relative_frequency() -> None:
    (row,) = multilabel.label_frequencies(labeler_a(), p=0.6)
    assert [row[label] for label in "abcd"] == pytest.approx(TABLE_3)


@pytest.mark.parametrize(
    ("first", "second", "combination", "agreement"),
    [
        ("a", "a", "{a,a}", 1.0),
        ("a", "b", "{a,b}", 0.0),
        ("ab", "a", "{ab,a}", 0.6),
        ("ab", "b", "{ab,b}", 0.4),
        ("ab", "c", "{ab,c}", 0.0),
        ("ab", "ab", "{ab,ab}", 0.52),
        ("ab", "ba", "{ab,ba}", 0.48),
        ("ab", "ac", "{ab,ac}", 0.36),
        ("ab", "bc", "{ab,bc}", 0.24),
        ("ab", "cd", "{ab,cd}", 0.0),
        ("ab", "cb", "{ab,cb}", 0.16),  # the paper's list omits it
    ],
)
def test_each_combination_has_its_name_and_its_agreement(
    first: str, second: str, combination: str, agreement: float
) -> None:
    for one, other in ((first, second), (second, first)):
        study = two(list(one), list(other))
        assert accord.rosenberg_binkowski_kappa(study, p=0.6).by_item()["observed"][0] == pytest.approx(agreement)
        counted = {row["combination"]: row["count"] for row in multilabel.secondary_use(study).combinations}
        assert counted[combination] == (5 if combination == "{a,a}" else 1)
        (row,) = (row for row in multilabel.secondary_use(study).combinations if row["combination"] == combination)
        assert row["agreement"] == pytest.approx(agreement)


def test_the_classes_sum_to_all_items_and_150_are_usable() -> None:
    found = accord.item_classes(corpus())
    assert found.numbers == (92, 183, 58, 47)
    assert found.total == 380
    assert found.usable == 150
    assert len(found.of(4)) == 47
    assert "fewer than half" in found.findings[1]


def test_class_4_names_the_labels_to_combine() -> None:
    pairs = accord.item_classes(corpus()).pairs
    assert sum(pairs["items"]) == 47
    assert sum(pairs["exchanged"]) == 47


def test_the_secondary_label_need_not_raise_agreement() -> None:
    """The corpus value over p, and the paired difference between p = 1 and p = 0.5."""
    curve = accord.p_curve(corpus())
    assert curve.p[0] == 0.5
    assert curve.p[-1] == 1.0
    assert curve.difference.paired
    assert curve.difference.common_items == 380
    assert curve.difference.difference == pytest.approx(curve.results[-1].value - curve.results[0].value)
    assert len(curve.by_item()) == 380
    assert len(curve.by_item().columns) == 12

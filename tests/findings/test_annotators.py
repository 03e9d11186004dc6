"""Annotators: each against the rest, leaving one out, careless answers, circles; and fairness to a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import MeasureError
from accord.findings import Findings, annotator_clusters, annotators_against_rest, explain, leave_one_out
from accord.findings.compared_people import ComparedPeople, compared_people
from accord.findings.distances import Distances, distances_of
from accord.findings.first_answers import first_answers
from accord.findings.without_annotator import changes
from tests.findings.planted import guessed, long_table


def distances(
    study: accord.Study, measure: Callable[..., accord.Agreement] = accord.fleiss_kappa, **how: Any
) -> Distances:
    found = distances_of(study, measure(study, **how))
    assert isinstance(found, Distances)
    return found


def names(found: Findings) -> set[str]:
    return {finding.name for finding in found}


# -- against the rest ------------------------------------------------------------------------------------------------


def test_distances_are_those_counted_by_hand() -> None:
    rows = [["a", "a", "b"], ["a", "a", "a"], ["b", "c", "a"], ["a", "a", "b"]]
    table = annotators_against_rest(rows)
    by_name = {row["annotator"]: row for row in table}
    assert by_name["3"]["own"] == pytest.approx((1 + 0 + 1 + 1) / 4)
    assert by_name["3"]["rest"] == pytest.approx((0 + 0 + 1 + 0) / 4)
    assert by_name["1"]["own"] == pytest.approx((0.5 + 0 + 1 + 0.5) / 4)
    assert by_name["3"]["excess"] == pytest.approx(4 * 0.5 / (4 + 4))  # four imaginary items without a difference


def test_weights_of_the_coefficient_make_the_distances() -> None:
    rng = np.random.default_rng(1)
    study = accord.Study.from_wide(guessed(rng, 60, (0.9, 0.8, 0.7, 0.6), 5), labels=range(5))
    found = distances(study, accord.gwet_ac, weights="quadratic")
    cells, size = study._annotations.to_memory().grid, 5
    assert cells is not None
    apart = (cells[:, :, None] - cells[:, None, :]) ** 2 / (size - 1) ** 2
    assert found.disagreement == pytest.approx(float(apart.sum((1, 2)).mean() / 12))
    own = apart.sum(2).mean(0) / 3
    assert found.against_rest.own == pytest.approx(own)


def test_scores_and_sets_have_distances_too() -> None:
    scores = accord.Study.from_wide([[1.0, 2.0, 9.0], [3.0, 3.5, 9.5], [5.0, 4.5, 1.0]] * 10, answers="score")
    sets = accord.Study.from_wide([[["a"], ["a", "b"], ["c"]], [["b"], ["b"], ["c"]]] * 15, answers="set")
    for study in (scores, sets):
        worst = annotators_against_rest(study).head(1)
        assert worst["annotator"].tolist() == ["3"]


def test_somebody_who_guesses_stands_apart_and_nobody_else_does() -> None:
    found = explain(guessed(np.random.default_rng(2), 200, (0.92, 0.9, 0.93, 0.5)))
    assert [finding.annotators for finding in found["outlying-annotator"]] == [("4",)]


def test_slightly_different_people_do_not_stand_apart() -> None:
    found = explain(guessed(np.random.default_rng(3), 400, (0.92, 0.9, 0.94, 0.89)))
    assert "outlying-annotator" not in names(found)


def test_nobody_is_judged_on_fewer_than_twenty_items() -> None:
    cells = guessed(np.random.default_rng(4), 200, (0.95, 0.95, 0.95, 0.1))
    cells[19:, 3] = -1
    found = explain(long_table(cells))
    assert not any("a3" in finding.annotators for finding in found)
    assert any("1 annotator" in gap.what for gap in found.not_looked_at)
    assert np.isnan({row["annotator"]: row["p"] for row in annotators_against_rest(long_table(cells))}["a3"])


def test_of_two_annotators_nobody_is_said_to_stand_apart() -> None:
    found = explain(guessed(np.random.default_rng(5), 200, (0.95, 0.4)))
    assert "outlying-annotator" not in names(found)
    assert "unreliable-annotator" not in names(found)
    assert any("third" in gap.why for gap in found.not_looked_at)


def test_the_answer_that_somebody_prefers_is_named() -> None:
    rng = np.random.default_rng(6)
    cells = guessed(rng, 300, (0.95, 0.95, 0.95, 0.95))
    cells[:, 3] = np.where(rng.random(300) < 0.4, 2, cells[:, 3])
    rows = {row["annotator"]: row for row in annotators_against_rest(long_table(cells))}
    assert rows["a3"]["prefers"].startswith("l2 (+")
    assert rows["a3"]["often says"].startswith("l2 where others say ")


def test_items_with_two_answers_each_are_enough_among_three() -> None:
    rng = np.random.default_rng(7)
    cells = guessed(rng, 600, (0.95, 0.95, 0.95, 0.4))
    for row in cells:
        row[rng.choice(4, 2, replace=False)] = -1
    found = explain(long_table(cells))
    assert [finding.annotators for finding in found["outlying-annotator"]] == [("a3",)]


def test_with_gaps_own_rest_and_excess_are_of_the_same_items() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 80)
    said = np.where(rng.random((80, 4)) < 0.7, truth[:, None], rng.integers(0, 3, (80, 4)))
    gone = rng.random((80, 4)) < 0.3
    rows = [
        [None if missing else "abc"[x] for x, missing in zip(*both, strict=True)]
        for both in zip(said, gone, strict=True)
    ]
    for row in annotators_against_rest(rows):
        assert row["excess"] == pytest.approx((row["own"] - row["rest"]) * row["items"] / (row["items"] + 4), abs=1e-12)


def test_many_who_stand_apart_are_told_together() -> None:
    skills = tuple([0.95] * 20 + [0.3] * 7)
    found = explain(guessed(np.random.default_rng(8), 120, skills))
    assert "outlying-annotator" not in names(found)
    (together,) = found["outlying-annotators"]
    assert set(together.annotators) == {str(number) for number in range(21, 28)}
    assert together.table is not None
    assert len(together.table) == 7


def test_distances_are_the_same_however_they_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = guessed(np.random.default_rng(30), 80, (0.9, 0.8, 0.7, 0.6), 5)
    main = accord.gwet_ac(accord.Study.from_wide(cells, labels=range(5)), weights="linear")
    by_table = distances_of(main.study, main)
    monkeypatch.setattr("accord.findings.distances.MOST_ANSWERS", 0)
    by_pairs = distances_of(main.study, main)
    assert isinstance(by_table, Distances)
    assert isinstance(by_pairs, Distances)
    assert by_pairs.far == pytest.approx(by_table.far)
    monkeypatch.setattr("accord.findings.distances.MOST_PAIRS", 0)
    assert "too many to compare" in str(distances_of(main.study, main))


def test_labels_without_a_table_are_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    study = accord.Study.from_wide(guessed(np.random.default_rng(31), 80, (0.9, 0.8, 0.7)))
    usual = distances(study).far
    monkeypatch.setattr("accord.findings.distances.MOST_CELLS", 0)
    assert distances(study).far == pytest.approx(usual)


def test_items_that_come_in_clusters_count_for_fewer() -> None:
    """Every item four times over, as one cluster: nothing more is known than from one copy."""
    cells = guessed(np.random.default_rng(32), 100, (0.95, 0.95, 0.6))
    once, rows = long_table(cells), np.repeat(cells, 4, axis=0)
    item, who = np.nonzero(rows >= 0)
    table = {
        "item": item, "annotator": [f"a{person}" for person in who], "label": [f"l{k}" for k in rows[item, who]],
        "text": item // 4,
    }  # fmt: skip
    alone, together = (distances(accord.Study(table, cluster=column)) for column in (None, "text"))
    errors = [found.against_rest.se[2] for found in (distances(once), alone, together)]
    assert errors[1] < 0.6 * errors[0]
    assert errors[2] == pytest.approx(errors[0], rel=0.1)


def test_what_the_company_makes_usual_adds_up_to_what_is_seen() -> None:
    rng = np.random.default_rng(33)
    cells = guessed(rng, 300, (0.95, 0.9, 0.8, 0.5))
    cells[rng.random(cells.shape) < 0.3] = -1
    found = distances(long_table(cells))
    for person in range(4):
        mine = found.who == person
        items = found.tally.items[found.tally.pattern[mine]]
        assert items @ found.usual[mine] == pytest.approx(items @ found.own[mine], rel=0.01)


# -- leaving one out -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "measure",
    [accord.fleiss_kappa, accord.conger_kappa, accord.light_kappa, accord.gwet_ac, accord.krippendorff_alpha],
)
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("many", [False, True])  # then patterns that are alike without somebody are put together
def test_leaving_out_is_measuring_without(
    measure: Callable[..., accord.Agreement], missing: float, many: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if many:
        monkeypatch.setattr("accord.findings.distances.MANY_PATTERNS", 1)
    rng = np.random.default_rng(9)
    cells = guessed(rng, 150, (0.9, 0.8, 0.8, 0.5))
    cells[rng.random(cells.shape) < missing] = -1
    study = long_table(cells)
    found = changes(distances(study, measure), range(4))
    for person, name in enumerate(study.annotators):
        others = [other for other in study.annotators if other != name]
        compared = accord.compare(measure(study.of_annotators(others)), measure(study))
        assert found[person].value == pytest.approx(compared.first)
        assert found[person].change == pytest.approx(compared.difference)
        assert found[person].se == pytest.approx(compared.se, rel=0.01)


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_leaving_out_knows_numeric_levels(level: Any) -> None:
    rng = np.random.default_rng(10)
    study = accord.Study.from_wide(guessed(rng, 80, (0.9, 0.8, 0.4), 5))
    found = changes(distances(study, accord.krippendorff_alpha, level=level), [2])[0]
    assert found.value == pytest.approx(accord.krippendorff_alpha(study.of_annotators(["1", "2"]), level=level).value)
    assert found.se > 0


def test_several_may_be_left_out_at_once() -> None:
    study = accord.Study.from_wide(guessed(np.random.default_rng(11), 80, (0.9, 0.9, 0.4, 0.4)))
    (found,) = changes(distances(study), [[2, 3]])
    assert found.value == pytest.approx(accord.fleiss_kappa(study.of_annotators(["1", "2"])).value)


def test_the_table_of_leaving_out_has_the_best_repair_first() -> None:
    table = leave_one_out(guessed(np.random.default_rng(12), 100, (0.9, 0.9, 0.4, 0.85)))
    assert table["annotator"][0] == "3"
    assert (np.diff(table["change"]) <= 0).all()
    assert (table["low"] < table["change"]).all()


def test_a_crowd_is_left_out_only_as_far_as_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = guessed(np.random.default_rng(34), 60, (0.9, 0.3, 0.9, 0.9))
    monkeypatch.setattr(
        "accord.findings.outlying_annotators.STEPS", 2 * len(accord.Study.from_wide(cells).tally(named=True).answer)
    )
    table = leave_one_out(cells)
    assert len(table) == 2
    assert table["annotator"][0] == "2"
    assert "2 of 4 annotators" in table.notes[0]


def test_without_one_of_two_nothing_is_left() -> None:
    table = leave_one_out(guessed(np.random.default_rng(35), 40, (0.9, 0.8)))
    assert np.isnan(table["value"]).all()
    assert "nothing is left" in table.notes[0]


# -- careless answers ------------------------------------------------------------------------------------------------


def test_one_answer_throughout_is_found() -> None:
    cells = guessed(np.random.default_rng(13), 80, (0.95, 0.95, 0.95))
    cells[:, 1] = 2
    (finding,) = explain(cells)["constant-answers"]
    assert finding.annotators == ("2",)
    assert finding.labels == (2,)


def test_one_answer_throughout_is_no_news_where_nearly_everybody_gives_it() -> None:
    cells = np.zeros((60, 3), dtype=np.int64)
    cells[0, 0] = cells[1, 1] = cells[2, :2] = 1
    assert "constant-answers" not in names(explain(cells))


def test_many_with_one_answer_throughout_are_told_together() -> None:
    cells = guessed(np.random.default_rng(36), 60, (0.95,) * 14)
    cells[:, :7] = np.arange(7) % 4
    (finding,) = explain(cells)["constant-answers"]
    assert set(finding.annotators) == set("1234567")


def test_guessing_looks_careless_and_a_few_answers_do_not() -> None:
    cells = guessed(np.random.default_rng(14), 200, (0.9, 0.9, 0.9, 0.25))
    assert distances(accord.Study.from_wide(cells)).random_responder[3] > 0.95
    assert distances(accord.Study.from_wide(cells)).random_responder[0] < 0.05
    cells[15:, 3] = -1
    assert np.isnan(distances(long_table(cells)).random_responder[3])


# -- repeats, crowds, and what is not known --------------------------------------------------------------------------


def test_of_repeated_answers_the_first_in_time_counts() -> None:
    table = {
        "item": ["x", "x", "x", "y", "y"], "annotator": ["a", "a", "b", "a", "b"], "label": [1, 2, 2, 1, 1],
        "when": [5, 3, 1, 1, 1],
    }  # fmt: skip
    study = first_answers(accord.Study(table, time="when", duplicates="repeat"))
    assert not study._annotations.repeated
    assert sorted(study._annotations.rows[2].tolist()) == [0, 0, 1, 1]


def test_a_table_of_counts_says_that_it_does_not_know_who_answered() -> None:
    found = explain(accord.Study.from_counts([[3, 0], [1, 2], [0, 3]] * 10))
    assert any("who answered" in gap.why for gap in found.not_looked_at)
    with pytest.raises(MeasureError, match="does not say who answered"):
        leave_one_out(accord.Study.from_counts([[3, 0], [1, 2]]))


def test_thousands_of_annotators_on_an_item_make_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    study = accord.Study.from_wide(np.random.default_rng(15).integers(0, 3, (30, 4000)))
    main = accord.fleiss_kappa(study)
    monkeypatch.setattr("accord.annotations.tally.Tally.pairs", lambda *_: pytest.fail("pairs of annotators were made"))
    found = distances_of(study, main)
    assert isinstance(found, Distances)
    assert found.disagreement == pytest.approx(1 - main.observed)
    assert len(found.against_rest.p) == 4000


# -- circles ---------------------------------------------------------------------------------------------------------


def two_readings(rng: np.random.Generator, items: int, share: float) -> Any:
    """Two groups of three, who differ on a part of the items for good."""
    one = guessed(rng, items, (0.95, 0.95, 0.95))
    other = np.where(rng.random((items, 1)) < share, (one[:, :1] + 1) % 4, one[:, :1])
    answers = np.where(rng.random((items, 3)) < 0.95, other, rng.integers(0, 4, (items, 3)))
    return np.concatenate((one, answers), axis=1)


def test_two_circles_are_found_with_their_members() -> None:
    found = explain(two_readings(np.random.default_rng(16), 150, 0.4))
    (circles,) = found["annotator-clusters"]
    assert set(circles.annotators) == set("123456")  # both sides: neither is the wrong one
    assert "1, 2, 3 on one side and 4, 5, 6 on the other" in circles.says
    assert circles.p is not None
    assert circles.p < 0.001


def test_people_of_different_skill_are_no_circles() -> None:
    quiet = [
        annotator_clusters(guessed(np.random.default_rng(seed), 150, (0.95, 0.95, 0.7, 0.7, 0.4))) for seed in range(20)
    ]
    sure = [table for table in quiet if "p = 0.00" in table.notes[0] or "e-" in table.notes[0]]
    assert len(sure) <= 2


def test_a_crowd_is_not_compared_pair_by_pair_unasked() -> None:
    cells = accord.Study.from_wide(guessed(np.random.default_rng(17), 40, tuple([0.9] * 70)))
    assert any("not compared unasked" in gap.why for gap in explain(cells).not_looked_at)
    with pytest.raises(MeasureError, match="at most 60"):
        annotator_clusters(cells)
    assert len(annotator_clusters(cells, most=80)) == 70


def test_of_many_items_a_random_part_is_compared_and_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = np.repeat(guessed(np.random.default_rng(35), 100, (0.9, 0.9, 0.8, 0.7)), 30, axis=0)
    whole = compared_people(distances(long_table(cells)))
    monkeypatch.setattr("accord.findings.compared_people.MOST_CELLS", 4 * 2_900)
    part = compared_people(distances(long_table(cells)))
    assert isinstance(whole, ComparedPeople)
    assert isinstance(part, ComparedPeople)
    rows, times = np.unique(whole.grid, axis=0, return_counts=True)
    some, drawn = np.unique(part.grid, axis=0, return_counts=True)
    assert (len(whole.grid), len(part.grid)) == (3_000, 2_900)
    assert all((drawn[(some == row).all(1)] <= number).all() for row, number in zip(rows, times, strict=True))
    assert part.agreement == pytest.approx(whole.agreement, abs=0.02)

"""Agreement over time: practice, fatigue, one person's course; and times in whatever form they come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from accord import Study, fleiss_kappa
from accord.errors import MeasureError
from accord.findings import Findings, agreement_over_time, explain
from accord.findings.distances import Distances, distances_of
from accord.findings.time_course import TimeCourse, moment, time_course_of
from tests.findings.planted import Cells, guessed, long_table

BEGIN = datetime(2025, 3, 23, 9, tzinfo=UTC)


def course(seed: int, skill: Any, items: int = 240, people: int = 4, *, shuffled: bool = True) -> tuple[Cells, Cells]:
    """Answers of people whose chance to know the label depends on how far on they are; and the place of each answer."""
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(items) if shuffled else np.arange(items) for _ in range(people)]
    place = np.stack(orders, axis=1)
    truth = rng.integers(0, 4, items)[:, None]
    knows = np.stack([skill(place[:, person] / items, person) for person in range(people)], axis=1)
    other = (truth + rng.integers(1, 4, place.shape)) % 4
    return np.where(rng.random(place.shape) < knows, truth, other), place


def learning(onward: Any, _person: int) -> Any:
    return 0.95 - 0.5 * np.exp(-6 * onward)


def tiring(onward: Any, _person: int) -> Any:
    return 0.95 - 0.4 * onward


def steady(onward: Any, _person: int) -> Any:
    return np.full(onward.shape, 0.85)


def named(found: Findings) -> set[str]:
    return {finding.name for finding in found}


def test_disagreement_that_falls_with_practice_is_found_and_asks_for_training() -> None:
    cells, place = course(0, learning)
    (finding,) = explain(long_table(cells, place))["disagreement-falls"]
    assert "Train" in finding.remedy
    assert finding.part_of == "too-little-training"


def test_disagreement_that_rises_is_found_and_asks_for_breaks() -> None:
    cells, place = course(1, tiring)
    (finding,) = explain(long_table(cells, place))["disagreement-rises"]
    assert finding.severity == "warning"
    assert "breaks" in finding.remedy


def test_a_steady_study_shows_no_course() -> None:
    quiet = [named(explain(long_table(*course(seed, steady)))) for seed in range(10)]
    assert not any({"disagreement-falls", "disagreement-rises", "annotator-drifts"} & names for names in quiet)


def test_one_person_who_learns_is_named() -> None:
    cells, place = course(2, lambda onward, person: learning(onward, 0) if person == 1 else 0.95 + 0 * onward)
    found = explain(long_table(cells, place))
    assert ("a1",) in [finding.annotators for finding in found["annotator-drifts"]]


def test_good_people_who_answer_more_are_no_trend() -> None:
    """Late answers are those of the diligent; each is compared with their own mean only."""
    rng = np.random.default_rng(3)
    cells = guessed(rng, 300, (0.97, 0.97, 0.97, 0.6, 0.6))
    cells[60:, 3:] = -1
    place = np.broadcast_to(np.arange(300)[:, None], cells.shape)
    assert "disagreement-falls" not in named(explain(long_table(cells, place)))


def test_an_order_that_all_share_speaks_against_learning() -> None:
    cells, place = course(4, learning, shuffled=False)
    (finding,) = explain(long_table(cells, place))["disagreement-falls"]
    assert any("easier" in text for text in finding.speaks_against)
    cells, place = course(4, learning, shuffled=True)
    (finding,) = explain(long_table(cells, place))["disagreement-falls"]
    assert not any("easier" in text for text in finding.speaks_against)


def test_quarters_have_the_distances_counted_by_hand() -> None:
    cells = np.array([[0, 0 if item >= 20 else 1] for item in range(80)])
    cells[::2] += 2  # two labels more, so that chance does not explain all
    place = np.broadcast_to(np.arange(80)[:, None], cells.shape)
    table = agreement_over_time(long_table(cells, place))
    assert table["distance"].tolist() == [1, 0, 0, 0]
    assert table["number"].tolist() == [40, 40, 40, 40]
    assert table["agreement"][1] == 1


TIMES: dict[str, Any] = {
    "ISO text": lambda place: (BEGIN + timedelta(minutes=int(place))).isoformat(),
    "ISO text with Z": lambda place: (BEGIN + timedelta(minutes=int(place))).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "datetime": lambda place: BEGIN + timedelta(minutes=int(place)),
    "datetime without a zone": lambda place: BEGIN.replace(tzinfo=None) + timedelta(minutes=int(place)),
    "seconds": lambda place: 1.7e9 + 60.0 * int(place),
    "seconds as text": lambda place: str(1.7e9 + 60.0 * int(place)),
    "NumPy": lambda place: np.datetime64("2025-03-23T09:00") + np.timedelta64(int(place), "m"),
    "letters": lambda place: (BEGIN + timedelta(minutes=int(place))).strftime("%a, %d %b %Y %H:%M:%S +0000"),
}


@pytest.mark.parametrize("form", TIMES.values(), ids=TIMES)
def test_times_in_any_form_tell_the_same(form: Any) -> None:
    cells, place = course(5, learning, items=60)
    written = np.empty(place.shape, dtype=object)
    for spot in np.ndindex(place.shape):
        written[spot] = form(place[spot])
    plain, told = (agreement_over_time(long_table(cells, times)) for times in (place, written))
    assert told["distance"].tolist() == plain["distance"].tolist()
    assert told.notes == plain.notes


BEYOND = [10**400, f"{10**20} Mar 01 01:10:20 PST 2026", "Mon, 05 Jan 2009 10:00:00 +99999999999999999999"]


@pytest.mark.parametrize("nothing", [None, "", "tomorrow", float("nan"), np.datetime64("NaT", "s"), True, *BEYOND])
def test_what_is_no_time_has_no_moment(nothing: Any) -> None:
    assert np.isnan(moment(nothing))


@pytest.mark.parametrize("seconds", [9_400_000_000_000, -63_517_996_800])
def test_a_year_beyond_all_calendars_in_pandas_has_no_moment(seconds: int) -> None:
    pd = pytest.importorskip("pandas")
    assert np.isnan(moment(pd.Series([np.datetime64(seconds, "s")])[0]))


def test_a_study_without_times_says_so() -> None:
    cells, _ = course(6, steady, items=60)
    found = explain(long_table(cells))
    assert any("When answers were given is not known" in gap.why for gap in found.not_looked_at)
    with pytest.raises(MeasureError, match="time=…"):
        agreement_over_time(cells)


def test_times_that_nobody_understands_are_said_with_an_example() -> None:
    cells, place = course(7, steady, items=60)
    found = explain(long_table(cells, np.array([["soon"] * 4] * 60, dtype=object)))
    assert any("'soon'" in gap.why for gap in found.not_looked_at)
    assert place.shape == cells.shape


def test_one_time_for_all_answers_is_no_order() -> None:
    cells, _ = course(8, steady, items=60)
    found = explain(long_table(cells, np.full(cells.shape, 7)))
    assert any("have a time" in gap.why for gap in found.not_looked_at)


def test_repeated_answers_do_not_hide_the_course() -> None:
    cells, place = course(9, learning)
    item, who = np.nonzero(cells >= 0)
    table = {
        "item": [*item, *item[:40]], "annotator": [f"a{person}" for person in (*who, *who[:40])],
        "label": [f"l{k}" for k in (*cells[item, who], *cells[item, who][:40])],
        "when": [*place[item, who].tolist(), *range(1000, 1040)],
    }  # fmt: skip
    found = explain(Study(table, time="when", duplicates="repeat"))
    assert found[0].name == "too-little-training"


def test_a_course_is_of_answers_in_company() -> None:
    cells, place = course(10, steady, items=60)
    distances = distances_of(long_table(cells, place), fleiss_kappa(long_table(cells, place)))
    assert isinstance(distances, Distances)
    found = time_course_of(distances)
    assert isinstance(found, TimeCourse)
    assert len(found.own) == 240
    assert found.own.mean() == pytest.approx(distances.disagreement)

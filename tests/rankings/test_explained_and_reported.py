"""What is found in rankings, what the report shows of them, and the command from file to number."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from tests.command.running import run
from tests.rankings.drawn import Lists, drawn, study_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "ranked-maps.csv"


def turned(lists: Lists, who: str) -> Lists:
    """The same with one annotator's orders turned round."""
    return {
        (query, person): {option: -rank for option, rank in held.items()} if person == who else held
        for (query, person), held in lists.items()
    }


def test_who_ranks_backwards_is_named_and_nobody_else() -> None:
    lists = drawn(1, queries=20, gaps=False)
    found = accord.explain(study_of(turned(lists, "p2")))
    backwards = [one for one in found if one.name == "ranks-backwards"]
    assert [one.annotators for one in backwards] == [("p2",)]
    assert backwards[0].severity == "warning"
    assert "rank 1" in backwards[0].remedy


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_blamed_in_honest_studies(seed: int) -> None:
    found = accord.explain(study_of(drawn(seed, queries=15)))
    assert not [one for one in found if one.name == "ranks-backwards"]


def test_of_two_annotators_nobody_knows_which_ranks_backwards() -> None:
    lists = {(f"q{at}", who): {"a": 1.0, "b": 2.0, "c": 3.0} for at in range(8) for who in ("ana", "ben")}
    found = [one for one in accord.explain(study_of(turned(lists, "ben"))) if one.name == "ranks-backwards"]
    assert [one.annotators for one in found] == [("ana", "ben")]


def test_few_queries_are_said_to_be_too_few() -> None:
    found = accord.explain(study_of(drawn(1, queries=3)))
    assert any("queries" in gap.why for gap in found.not_looked_at)


def test_a_contested_query_is_a_note_with_its_name() -> None:
    lists = {(f"q{at}", who): {"a": 1.0, "b": 2.0, "c": 3.0} for at in range(9) for who in ("ana", "ben", "cleo")}
    lists["q4", "ben"] = {"a": 3.0, "b": 2.0, "c": 1.0}
    lists["q4", "cleo"] = {"a": 2.0, "b": 3.0, "c": 1.0}
    found = [one for one in accord.explain(study_of(lists)) if one.name == "contested-queries"]
    assert [(one.severity, one.items) for one in found] == [("note", ("q4",))]


def test_the_report_has_places_annotators_one_order_and_the_worst_queries(tmp_path: Path) -> None:
    study = accord.read(EXAMPLE)
    page = accord.report(study, tmp_path / "report.md").read_text(encoding="utf-8")
    for words in ("## Rankings", "place 1", "Mean place of each option", "One order of all", "least agreement", "dov"):
        assert words in page
    html = accord.report(study, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Where the options stand" in html


def test_the_command_leads_from_a_file_to_what_an_expert_would_report(tmp_path: Path) -> None:
    said = run("measure", str(EXAMPLE)).out
    assert "Recommended: Krippendorff's alpha (ordinal, of ranks)" in said
    assert "115 rankings of the options 'atlas'" in said
    overlap = run("measure", str(EXAMPLE), "--measure", "rank_biased_overlap", "--p", "0.5", "--ties", "w").out
    assert "Rank-biased overlap (p = 0.5, ties w)" in overlap
    decided = run("gold", str(EXAMPLE), "--method", "borda", "-o", str(tmp_path / "gold.csv")).out
    assert "Gold by Borda count" in decided
    assert accord.read(tmp_path / "gold.csv").kind == "ranking"


def test_a_plan_takes_rankings() -> None:
    study = accord.read(EXAMPLE).of_annotators(["ana", "ben", "cleo"])
    for measure in (None, "kendall_w"):
        assert (accord.plan(study, measure=measure, width=0.1, n_simulations=100).items or 0) > 0


def test_the_verdict_on_w_knows_its_chance_and_no_target(tmp_path: Path) -> None:
    lists = {
        ("q", who): {option: float(place) for place, option in enumerate("abcde")} for who in ("ana", "ben", "cleo")
    }
    lists["q", "cleo"] |= {"a": 1.0, "b": 0.0}
    page = accord.report(study_of(lists), tmp_path / "report.md").read_text(encoding="utf-8")
    assert "more than the 0.333 that annotators have by chance" in page
    assert "worth a mean rank correlation of 0.93" in page
    assert "target of 0.70" not in page.split("##")[1]

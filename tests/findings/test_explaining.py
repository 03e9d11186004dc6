"""explain: what is corrected for, what becomes a warning, the order, and every kind of data without an exception."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import accord
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.references import formatted
from accord.findings import explaining
from accord.findings.explaining import explain
from accord.findings.finding import Clue, Evidence, Finding, FindingName, NotLookedAt, TestFamily
from accord.findings.study_view import View
from tests.findings.studies import clean, confusing, grid


def a_finding(name: Any, **said: Any) -> Finding:
    return Finding(name, said.pop("severity", "warning"), f"{name} was found.", "Mend it.", **said)


def explained(monkeypatch: pytest.MonkeyPatch, *clues: Clue) -> accord.findings.Findings:
    """What explain makes of these clues."""

    def look(_view: View) -> Iterator[Clue]:
        yield from clues

    monkeypatch.setattr(explaining, "AS_WRITTEN", {})
    monkeypatch.setattr(explaining, "DETECTORS", {"what is planted": look})
    return explain(["a", "b", "a", "b"] * 5, ["a", "b", "b", "b"] * 5)


# -- how sure ----------------------------------------------------------------------------------------------------------


def test_the_family_is_all_that_was_asked_and_not_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = explained(monkeypatch, TestFamily(1, "things"), a_finding("sure", p=0.01))
    assert [one.severity for one in alone] == ["warning"]
    among_many = explained(monkeypatch, TestFamily(1, "things"), TestFamily(9, "others"), a_finding("sure", p=0.01))
    assert [one.severity for one in among_many] == ["note"]
    assert among_many[0].p_corrected == pytest.approx(0.1)
    assert "Among 10 questions" in among_many[0].speaks_against[-1]
    lost = explained(monkeypatch, TestFamily(1, "things"), TestFamily(99, "others"), a_finding("sure", p=0.01))
    assert list(lost) == []
    assert lost.n_tests == 100


def test_two_findings_from_one_test_are_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    clues = (a_finding("cause", p=0.001), a_finding("sign", p=0.001), a_finding("other", p=0.03))
    told = {one.name: one.p_corrected for one in explained(monkeypatch, TestFamily(3, "things"), *clues)}
    assert told == pytest.approx({"cause": 0.003, "sign": 0.003, "other": 0.06})  # 0.03 would be too sure


def test_a_note_that_may_be_chance_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told = explained(monkeypatch, TestFamily(10, "things"), a_finding("perhaps", p=0.01, severity="note"))
    assert list(told) == []


def test_a_plain_fact_needs_no_p(monkeypatch: pytest.MonkeyPatch) -> None:
    told = explained(monkeypatch, TestFamily(1000, "things"), a_finding("fact"))
    assert [(one.severity, one.p_corrected) for one in told] == [("warning", None)]


def test_holm_steps_down_through_a_family_of_which_some_is_told() -> None:
    assert holm([0.04, 0.01, 0.03], family=4) == pytest.approx([0.09, 0.04, 0.09])
    assert holm([], family=4).tolist() == []
    assert holm([0.5, 0.6], family=2) == pytest.approx([1.0, 1.0])


def test_of_clean_studies_hardly_any_shows_a_warning() -> None:
    """The full run of a thousand is in benchmarks/; here two in sixty would be one too many by the same measure."""
    alarmed = [seed for seed in range(60) if explain(clean(seed), target="highly-subjective").warnings]
    assert len(alarmed) <= 3


# -- in which order ----------------------------------------------------------------------------------------------------


def test_causes_come_first_and_what_they_cover_stands_beneath_them(monkeypatch: pytest.MonkeyPatch) -> None:
    told = explained(
        monkeypatch,
        a_finding("heavy", weight=0.9),
        a_finding("a-note", severity="note", weight=1.0),
        a_finding("confused-labels", labels=("a", "b"), weight=0.5),
        a_finding("confused-labels", labels=("c", "d"), weight=0.4),
        a_finding("unclear-guidelines", cause=True, covers=("confused-labels",), labels=("a", "b"), weight=0.1),
    )
    assert [(one.name, one.severity, one.part_of) for one in told] == [
        ("unclear-guidelines", "warning", None),
        ("confused-labels", "note", "unclear-guidelines"),
        ("heavy", "warning", None),
        ("confused-labels", "warning", None),
        ("a-note", "note", None),
    ]
    assert [one.labels for one in told.beneath(told[0])] == [("a", "b")]


def test_one_cause_is_one_warning() -> None:
    told = explain(confusing(2))
    warned = [one for one in told.warnings if "a" in one.labels and "b" in one.labels]
    assert len(warned) == 1


def test_labels_written_in_two_ways_are_told_once_and_not_as_unclear_guidelines() -> None:
    cells = grid(1, items=200, people=3, error=0.05)
    other = np.random.default_rng(0).random(cells.shape) < 0.5
    cells = np.where((cells == "a") & other, "A", cells)
    found = explain(accord.Study.from_wide(cells))
    assert [one.name for one in found.warnings] == ["near-duplicate-labels"]
    assert not {"confused-labels", "unclear-guidelines", "weak-label"} & {one.name for one in found}


def test_a_form_of_the_same_word_is_a_spelling_with_what_one_would_give() -> None:
    """Two of four people write “increased” where the others write “increase”, as in a published set."""
    rng = np.random.default_rng(0)
    words = np.array(["significantly increase", "significantly decrease", "no difference"], dtype=object)
    said = np.where(rng.random((300, 4)) < 0.92, rng.integers(0, 3, (300, 1)), rng.integers(0, 3, (300, 4)))
    one_way = words[said]
    cells = one_way.copy()
    cells[:, 2:] = np.where(cells[:, 2:] == "significantly increase", "significantly increased", cells[:, 2:])
    found = explain(accord.Study.from_wide(cells))
    (finding,) = found["near-duplicate-labels"]
    assert finding.severity == "warning"
    assert finding.evidence[0].value == pytest.approx(accord.fleiss_kappa(one_way).value)
    assert f"would be {accord.fleiss_kappa(one_way).value:.2f} instead of" in finding.says
    told = {one.name for one in found}
    assert not {"unclear-guidelines", "confused-labels", "annotator-clusters", "different-label-use"} & told


def test_nobody_is_blamed_for_capital_letters_and_blanks() -> None:
    cells = grid(3, items=200, people=4, error=0.05)
    cells[:, 3] = [f"{cell.upper()} " for cell in cells[:, 3]]
    found = explain(accord.Study.from_wide(cells))
    assert not any(one.annotators for one in found)
    assert "near-duplicate-labels" in [one.name for one in found.warnings]


def test_endings_that_are_not_used_for_each_other_are_a_question() -> None:
    answers = ["new", "news", "old"] * 30
    found = explain(answers, answers)
    assert "near-duplicate-labels" not in [one.name for one in found]
    assert found["similar-labels"][0].severity == "note"


# -- every kind of data ------------------------------------------------------------------------------------------------

SETS = [[["a", "b"], ["a"]], [["b"], ["b"]], [["a"], []], [["b"], ["a", "b"]]] * 8
RANKED = [[["a", "b"], ["a"]], [["b"], ["b", "a"]], [["c"], ["a"]], [["b"], ["c", "b"]]] * 8
LONG = {
    "item": [1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3],
    "annotator": ["x", "y"] * 6,
    "label": ["a", "a", "b", "a", "b", "b", "p", "q", "q", "q", "p", "p"],
    "task": ["tone"] * 6 + ["topic"] * 6,
}


def lazy() -> accord.Study:
    import polars as pl

    cells = grid(4, items=40)
    rows = [(item, f"p{who}", cells[item, who]) for item in range(40) for who in range(4)]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row").lazy()
    return accord.Study(frame)


STUDIES: dict[str, Any] = {
    "single": lambda: accord.Study.from_wide(grid(1)),
    "with gaps": lambda: accord.Study.from_wide(grid(1, gaps=0.4)),
    "sets": lambda: accord.Study.from_wide(SETS, answers="set"),
    "ranked": lambda: accord.Study.from_wide(RANKED, answers="ranked"),
    "scores": lambda: accord.Study.from_wide(np.random.default_rng(0).normal(size=(30, 3)), answers="score"),
    "counts": lambda: accord.Study.from_counts([[3, 0, 0], [1, 2, 0], [0, 0, 3], [1, 1, 1]] * 8),
    "confusion": lambda: accord.Study.from_confusion([[20, 5], [3, 30]]),
    "variables": lambda: accord.Study(LONG, task="task"),
    "repeated": lambda: accord.Study(
        {"item": [1, 1, 1, 2, 2, 2] * 3, "annotator": ["x", "x", "y"] * 6, "label": list("aabbba") * 3},
        duplicates="repeat",
    ),
    "lazy": lazy,
    "one label": lambda: accord.Study.from_wide([["a", "a"], ["a", "a"]]),
    "one annotator": lambda: accord.Study.from_wide([["a"], ["b"]]),
    "one item": lambda: accord.Study.from_wide([["a", "b"]]),
    "nobody met": lambda: accord.Study.from_wide([["a", None], [None, "b"]]),
    "declared and unused": lambda: accord.Study.from_wide([["a", "a"], ["b", "a"]], labels=["a", "b", "c"]),
    "perfect": lambda: accord.Study.from_wide([["a", "a"], ["b", "b"], ["c", "c"]] * 5),
    "many labels": lambda: accord.Study.from_wide(np.arange(900).reshape(300, 3) % 700),
    "suggested": lambda: accord.Study(
        {"item": [1, 1, 2, 2] * 2, "annotator": ["x", "y"] * 4, "label": list("aabb") * 2, "hint": list("aaaa") * 2},
        suggested="hint", duplicates="first",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", STUDIES)
def test_every_kind_of_study_is_explained_printed_and_serialised(kind: str) -> None:
    found = explain(STUDIES[kind]())
    assert found.headline
    assert str(found)
    assert found._repr_html_()
    json.dumps(found.to_dict(), allow_nan=False)
    assert len(found.to_table()) == len(found)
    for one in found:
        assert one.says.endswith(".")
        assert one.remedy.endswith(".")
        assert one.sources is not None
        assert "nan" not in one.says
    for key in {key for one in found for key in one.sources}:
        assert formatted(key)


def test_what_cannot_be_looked_at_is_said() -> None:
    gaps = {gap.what: gap.why for gap in explain(STUDIES["sets"]()).not_looked_at}
    assert "label_confusion" in gaps["confused labels"]
    gaps = {gap.what: gap.why for gap in explain(STUDIES["counts"]()).not_looked_at}
    assert "does not say who answered" in gaps["whether annotators use the labels alike"]
    gaps = {gap.what: gap.why for gap in explain(STUDIES["nobody met"]()).not_looked_at}
    assert gaps["what the coefficient hides"]


def test_variables_are_explained_one_by_one() -> None:
    found = explain(STUDIES["variables"]())
    assert {one.variable for one in found} == {"tone", "topic"}
    assert set(found.results) == {"tone", "topic"}
    assert "(topic)" in str(found)


def test_a_lazy_study_is_explained_as_in_memory() -> None:
    cells = grid(4, items=40)
    here = explain(accord.Study.from_wide(cells))
    there = explain(lazy())
    assert there.headline == here.headline
    names = ("chance-models", "low-agreement", "weak-label", "confused-labels")
    for name in names:
        assert [one.says for one in there if one.name == name] == [one.says for one in here if one.name == name]


# -- laws --------------------------------------------------------------------------------------------------------------


def test_order_of_rows_and_annotators_and_names_of_labels_do_not_matter() -> None:
    cells = grid(11, items=120, people=3, labels=4, error=0.4)
    cells = np.where((cells == "a") & (np.random.default_rng(0).random(cells.shape) < 0.4), "b", cells)
    rng = np.random.default_rng(5)
    moved = cells[rng.permutation(len(cells))][:, [1, 2, 0]]
    renamed = np.array([[{"a": "w", "b": "z", "c": "x", "d": "y"}[cell] for cell in row] for row in cells])
    told = [[(one.name, one.severity, round(one.p or 0, 9)) for one in explain(accord.Study.from_wide(table))]
            for table in (cells, moved, renamed)]  # fmt: skip
    assert told[0] == told[1]
    assert sorted(told[0]) == sorted(told[2])


# -- words -------------------------------------------------------------------------------------------------------------


def test_what_is_printed_is_what_a_lead_reads() -> None:
    text = str(explain(confusing(1)))
    assert text.startswith("Fleiss' kappa is")
    assert "“a” and “b” are taken for each other" in text
    assert "do: " in text
    assert max(map(len, text.splitlines())) <= 100
    narrow = explain(confusing(1)).to_text(60)
    assert max(map(len, narrow.splitlines())) <= 60
    assert narrow.split() == text.split()


def test_hostile_labels_are_text_in_a_notebook() -> None:
    evil = "<script>alert(1)</script>"
    page = explain([evil, "b", evil, "c"] * 10, ["b", evil, evil, "c"] * 10)._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_findings_are_reached_by_place_and_by_name() -> None:
    found = explain(confusing(1))
    assert found["confused-labels"][0] in list(found)
    assert found[0] is next(iter(found))
    assert "confused-labels" in found.tables
    with pytest.raises(accord.AccordError, match="confused-labels"):
        found["confused-label"]


@pytest.mark.parametrize("target", ["hard", 1.5, True, "objectiv"])
def test_a_target_that_cannot_be_is_refused_with_those_that_can(target: Any) -> None:
    with pytest.raises(accord.AccordError, match="objective"):
        explain(["a", "b"], ["a", "b"], target=target)


def test_a_target_may_be_a_number_of_numpy() -> None:
    zero: Any = np.int64(0)
    assert explain(["a", "b"] * 9, ["a", "b"] * 9, target=zero).target == 0


def test_every_function_and_every_finding_is_told() -> None:
    root = Path(__file__).parents[2]
    words = (root / "docs" / "explain.md").read_text(encoding="utf-8")
    assert [name for name in accord.findings.__all__ if f"{name}`" not in words and f".{name}" not in words] == []
    assert [name for name in get_args(FindingName) if f"`{name}`" not in words] == []
    code = "".join(path.read_text(encoding="utf-8") for path in (root / "src/accord/findings").rglob("*.py"))
    assert [name for name in get_args(FindingName) if code.count(f'"{name}"') < 2] == [], "no detector has it"


def test_evidence_and_gaps_read_as_sentences() -> None:
    assert str(Evidence("items", 1200.0)) == "items: 1,200"
    assert str(Evidence("share", 0.1234)) == "share: 0.123"
    assert str(NotLookedAt("drift", "No times.")) == "drift: No times."


def test_a_crowd_that_stays_in_its_engine_is_explained_from_tallies(monkeypatch: pytest.MonkeyPatch) -> None:
    import polars as pl

    monkeypatch.setattr("accord.engine.lazy_annotations.MOST_ROWS", 100)
    rng = np.random.default_rng(0)
    item, who = np.repeat(np.arange(300), 4), np.array([rng.choice(40, 4, replace=False) for _ in range(300)]).ravel()
    said = np.where(rng.random(1200) < 0.7, item % 5, rng.integers(0, 5, 1200))
    frame = pl.DataFrame({"item": item, "annotator": [f"p{one}" for one in who], "label": [f"l{one}" for one in said]})
    found = explain(accord.Study(frame.lazy()))
    assert found.headline == explain(accord.Study(frame)).headline
    assert "stays in the engine" in found["chance-models"][0].says
    assert "stays in the engine" in {gap.what: gap.why for gap in found.not_looked_at}["annotators one by one"]


def test_clusters_of_items_are_the_unit_where_the_study_has_them() -> None:
    rows = [(item, f"p{who}", grid(item // 10, items=1, people=3)[0, who], item // 10)
            for item in range(120) for who in range(3)]  # fmt: skip
    columns = dict(zip(("item", "annotator", "label", "doc"), zip(*rows, strict=True), strict=True))
    clustered, free = accord.Study(columns, cluster="doc"), accord.Study(columns)
    span = accord.fleiss_kappa(clustered).interval()
    row = list(accord.findings.chance_models(clustered))[1]
    assert (row["low"], row["high"]) == pytest.approx(tuple(span))
    for one, other in zip(
        accord.findings.label_agreement(clustered), accord.findings.label_agreement(free), strict=True
    ):
        assert one["specific"] == pytest.approx(other["specific"])
        assert one["specific_high"] - one["specific_low"] > other["specific_high"] - other["specific_low"]
    assert min(accord.findings.confused_labels(clustered)["p"]) > min(accord.findings.confused_labels(free)["p"])

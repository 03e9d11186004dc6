"""After the decisions: the gold with its provenance, the report, pages for annotators, and open points."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import MeasureError, OptionError
from accord.workbench.after.adjudication_report import adjudication_report
from accord.workbench.after.annotator_feedback import annotator_feedback, feedback_overview
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.after.gold_downloads import FORMS, ending_of, forms_for, own_form, write_final_gold
from accord.workbench.after.open_points import open_points
from accord.workbench.after.tools.sheet import GoldSheet
from accord.workbench.bench import Bench
from accord.workbench.bench_options import Note
from accord.workbench.rules import Rule
from tests.reporting import pages as studies
from tests.workbench.bench_made import ANA, BEN, LEA, bench


@pytest.fixture
def decided(tmp_path: Path) -> Any:
    """i0 (aab) overruled, i3 (abc) decided and marked unclear, i2 (aaa) accepted by a rule; the rest untouched."""
    made = bench(tmp_path, second_look=1.0, learns=False)
    made.decide(0, "b", ANA, "k1", note=Note("a slip", seconds=2.0))
    made.decide(3, "c", ANA, "k2", note=Note("two readings", "what of irony?", unclear=True, seconds=4.0))
    made.decide(0, "b", BEN, "k3", second_look=True)
    made.decide(3, "a", BEN, "k4", second_look=True)
    made.accept(Rule(), LEA, "k5")
    yield made
    made.close()


def test_provenance_says_where_every_label_is_from(decided: Bench) -> None:
    table = FinalGold(decided).table()
    found = dict(zip(table["item"], zip(table["label"], table["provenance"], strict=True), strict=True))
    assert found["i0"] == ("b", "person")
    assert found["i2"] == ("a", "unanimous")
    assert found["i3"] == ("c", "person")
    assert found["i1"] == ("b", "model")
    by = dict(zip(table["item"], zip(table["decided_by"], table["rule"], table["source"], strict=True), strict=True))
    assert by["i0"] == ("ana", "", "person")
    assert by["i2"] == ("lea", "unanimous, 3 answers or more", "rule")


def test_what_nobody_can_tell_is_undecided(tmp_path: Path) -> None:
    made = bench(tmp_path)
    assert FinalGold(made).provenance()[3] == "undecided"
    (item,) = [one for one in FinalGold(made).items() if one.item == "i3"]
    assert (item.answer, item.by) == (None, "")
    made.close()


def test_the_gold_is_written_as_accord_gold_writes_it(decided: Bench, tmp_path: Path) -> None:
    path = write_final_gold(decided, tmp_path / "gold.csv")
    read = accord.gold(decided.study, known=path)
    assert (read["i0"], read["i3"]) == ("b", "c")
    with pytest.raises(OptionError, match=r"path must end in \.json"):
        write_final_gold(decided, tmp_path / "gold.csv", "label-studio")
    with pytest.raises(OptionError, match="form must be one of"):
        write_final_gold(decided, tmp_path / "gold.csv", "potato")


def test_the_report_counts_what_was_overruled_and_why(decided: Bench) -> None:
    report = adjudication_report(decided)
    assert (report.followed, report.overruled, report.no_majority) == (0, 1, 1)
    assert next(iter(report.decided_as)) == {"decided_as": "b", "majority": "a", "items": 1, "overruled": True}
    assert list(report.reasons["reason"]) == ["a slip", "two readings"]
    ana = next(row for row in report.people if row["adjudicator"] == "ana")
    assert (ana["decided"], ana["overruled"], ana["median_seconds"]) == (2, 1, 3.0)
    assert list(report.rules) == [{"rule": "unanimous, 3 answers or more", "items": 2}]


def test_two_adjudicators_agreement_has_an_interval(decided: Bench) -> None:
    second = adjudication_report(decided).second_look
    assert (second.n_items, second.agreed, second.share) == (2, 1, 0.5)
    assert 0 < second.interval.low < 0.5 < second.interval.high < 1
    assert second.coefficient is not None
    assert [row["item"] for row in second.table] == ["i3"]


def test_without_second_looks_there_is_no_share(tmp_path: Path) -> None:
    made = bench(tmp_path)
    second = adjudication_report(made).second_look
    assert (second.n_items, second.coefficient) == (0, None)
    assert second.share != second.share
    made.close()


def test_an_annotator_sees_what_was_changed_and_why(decided: Bench) -> None:
    page = annotator_feedback(decided, "x")
    assert (page.answers, page.kept, len(page.changed)) == (2, 0, 2)
    assert (page.changed[0].theirs, page.changed[0].decided, page.changed[0].reason) == ("a", "b", "a slip")
    assert list(feedback_overview(decided)["kept"]) == [0, 0, 2]
    with pytest.raises(OptionError, match="annotator must be one of"):
        annotator_feedback(decided, "nobody")


def test_open_points_list_where_the_guideline_was_unclear(decided: Bench) -> None:
    (point,) = open_points(decided)
    assert (point["item"], point["comment"], point["decided_as"]) == ("i3", "what of irony?", "c")
    decided.undo(ANA, "u")
    assert len(list(open_points(decided))) == 0


def test_label_studio_doccano_and_prodigy_take_it_back(decided: Bench, tmp_path: Path) -> None:
    studio = write_final_gold(decided, tmp_path / "gold.json", "label-studio")
    assert accord.read(studio).labels == ("a", "b", "c")
    first = json.loads(studio.read_text())[0]
    assert first["annotations"][0]["result"][0]["value"] == {"choices": ["b"]}
    assert first["data"]["provenance"] == "person"
    doccano = write_final_gold(decided, tmp_path / "doccano.jsonl", "doccano")
    assert accord.read(doccano).n_items == 6
    prodigy = write_final_gold(decided, tmp_path / "p.jsonl", "prodigy")
    again = accord.read(prodigy)
    assert (again.shape, again.items[0], again.labels) == ("Prodigy export", "i0", ("a", "b", "c"))
    lines = [json.loads(line) for line in prodigy.read_text().splitlines()]
    assert (lines[0]["accept"], lines[0]["answer"], lines[0]["meta"]["by"]) == (["b"], "accept", "ana")


def test_brat_is_for_spans(decided: Bench, tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match="and brat marks spans"):
        write_final_gold(decided, tmp_path / "gold.zip", "brat")


def test_spans_are_written_for_every_tool(tmp_path: Path) -> None:
    text = "Ada met Bob in Paris."
    marks = [("x", 0, 3, "person"), ("y", 0, 3, "person"), ("x", 15, 20, "place"), ("y", 15, 20, "place")]
    table = [
        {"item": "d/1", "annotator": who, "start": start, "end": end, "label": label, "text": text}
        for who, start, end, label in marks
    ]
    study = accord.Study(table, start="start", end="end", text="text")
    made = bench(tmp_path, study)
    final = FinalGold(made)
    sheet = GoldSheet.of(final)
    assert [(one.start, one.end, one.label) for one in sheet.units(sheet.items[0])] == [
        (0, 3, "person"),
        (15, 20, "place"),
    ]
    folder = zipfile.ZipFile(write_final_gold(made, tmp_path / "gold.zip", "brat"))
    names = sorted(folder.namelist())
    assert names == ["000000_d_1.ann", "000000_d_1.txt"]
    assert folder.read(names[0]).decode() == "T1\tperson 0 3\tAda\nT2\tplace 15 20\tParis\n"
    assert folder.read(names[1]).decode() == text
    for form, name in (("label-studio", "g.json"), ("doccano", "g.jsonl")):
        assert accord.read(write_final_gold(made, tmp_path / name, form)).kind == "spans"
    made.close()


def test_the_tools_own_form_follows_from_the_export(tmp_path: Path) -> None:
    tasks = [
        {
            "id": number,
            "data": {"text": f"words {number}"},
            "annotations": [
                {
                    "id": 10 * number + who,
                    "completed_by": who,
                    "result": [
                        {"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": [label]}}
                    ],
                }
                for who, label in ((1, "good"), (2, "bad"))
            ],
        }
        for number in (1, 2)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    made = bench(tmp_path, accord.read(path))
    assert own_form(made) == "label-studio"
    made.decide(0, "good", ANA, "k")
    written = json.loads(write_final_gold(made, tmp_path / "gold.json", "label-studio").read_text())
    assert written[0]["annotations"][0]["result"][0]["from_name"] == "tone"
    made.close()


@pytest.mark.parametrize(
    ("kind", "answers", "answer"),
    [
        ("set", {"label": [["a"], ["a", "b"]]}, ["b"]),
        ("score", {"score": [1.0, 4.0]}, 3),
    ],
)
def test_sets_and_scores_are_decided_as_what_they_are(
    kind: str, answers: dict[str, list[Any]], answer: Any, tmp_path: Path
) -> None:
    ((role, cells),) = answers.items()
    table = {"item": [1, 1, 2, 2], "annotator": ["x", "y"] * 2, role: cells * 2}
    roles: dict[str, Any] = {"item": "item", "annotator": "annotator", role: role}
    made = bench(tmp_path, accord.Study(table, **roles))
    assert made.study.kind == kind
    made.decide(0, answer, ANA, "k")
    found = FinalGold(made).items()[0]
    assert (found.answer, found.provenance) == (answer, "person")
    assert adjudication_report(made).overruled + adjudication_report(made).no_majority == 1
    made.close()


def test_rankings_are_decided_as_an_order(tmp_path: Path) -> None:
    table = [
        {"item": item, "annotator": who, "label": label, "rank": rank}
        for item, who, order in [(1, "x", "abc"), (1, "y", "bac"), (2, "x", "abc"), (2, "y", "abc")]
        for rank, label in enumerate(order, 1)
    ]
    made = bench(tmp_path, accord.Study(table, rank="rank", answers="ranking"))
    made.decide(0, ["c", ["a", "b"]], ANA, "k")
    ranks = [(row["label"], row["rank"], row["provenance"]) for row in FinalGold(made).table() if row["item"] == 1]
    assert ranks == [("c", 1, "person"), ("a", 2, "person"), ("b", 2, "person")]
    made.close()


@pytest.mark.parametrize("made", [studies.scores, studies.sets, studies.ranked])
def test_the_forms_that_are_offered_are_those_that_can_be_written(
    made: Callable[[], accord.Study], tmp_path: Path
) -> None:
    with closing(Bench.open(made(), tmp_path / "decisions.sqlite")) as bench:
        for form in FORMS:
            target = tmp_path / f"gold{ending_of(form)}"
            if form in forms_for(bench):
                assert write_final_gold(bench, target, form).is_file()
            else:
                with pytest.raises(MeasureError):
                    write_final_gold(bench, target, form)

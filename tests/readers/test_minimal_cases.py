"""The smallest files that showed what real exports do, case by case: each is read as whoever made it meant it.

Named by the case that they stand for (A: read amiss without a word; C: refused; D: time; E: words).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import OptionError
from accord.readers.formats import appen, mturk
from accord.study.study import Study
from tests.command.running import run
from tests.readers.test_hand_parses import said


def put(folder: Path, name: str, content: str | Sequence[Any], mark: str = ",") -> Path:
    """A file of text, or of rows."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
        return path
    stream = io.StringIO()
    csv.writer(stream, delimiter=mark, lineterminator="\n").writerows(content)
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path


def counts(study: Study) -> tuple[int, int, int]:
    return study.n_items, study.n_annotators, study.n_annotations


LONG = {("1", "ana", "x"), ("1", "ben", "y"), ("2", "ana", "x"), ("2", "ben", "x")}
ROWS = [["1", "ana", "x"], ["1", "ben", "y"], ["2", "ana", "x"], ["2", "ben", "x"]]


def test_a3_variables_by_raters_in_a_wide_table(tmp_path: Path) -> None:
    rows = [["id", "mood_R1", "place_R1", "mood_R2", "place_R2"],
            [1, "up", "sea", "up", "sea"], [2, "down", "land", "up", "land"]]  # fmt: skip
    study = accord.read(put(tmp_path, "fam.csv", rows))
    assert {name: part.annotators for name, part in study.tasks.items()} == {
        "mood": ("R1", "R2"),
        "place": ("R1", "R2"),
    }


def test_a4_lists_in_cells_as_pandas_and_json_write_them(tmp_path: Path) -> None:
    for lists in ('["ana", "ben"]', "['ana', 'ben']", "['ana' 'ben']"):
        labels = [lists.replace("ana", "x").replace("ben", label) for label in ("y", "x")]
        rows = [["id", "annotators", "labels"], [1, lists, labels[0]], [2, lists, labels[1]]]
        assert said(accord.read(put(tmp_path, "pl.csv", rows))) == LONG


def test_a4_lists_of_lists_are_sets_of_named_people(tmp_path: Path) -> None:
    rows = [["id", "anon_annotators", "annotations"], [1, "['ana', 'ben']", "[['x'], ['x', 'y']]"]]
    study = accord.read(put(tmp_path, "sets.csv", rows))
    assert (study.kind, study.annotators, study.n_annotations) == ("set", ("ana", "ben"), 2)


@pytest.mark.parametrize("first", ['"hello', '"hi" there'])
def test_a5_quotation_marks_in_tsv_take_no_row_away(tmp_path: Path, first: str) -> None:
    last = 'world"' if first == '"hello' else "world"
    text = f"id\ttext\tana\tben\n1\t{first}\tx\tx\n2\t{last}\ty\ty\n3\tfoo\tx\ty\n4\tbar\ty\ty\n"
    study = accord.read(put(tmp_path, "q.tsv", text))
    assert (study.n_items, study.n_annotations, dict(study.left_out)) == (4, 8, {})


def test_a6_folders_of_annotators_in_webanno(tmp_path: Path) -> None:
    head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|label\n\n\n"
    for who in ("ana", "ben"):
        for name in ("doc1", "doc2"):
            words = "1-1\t0-4\tRome\tLOC\t\n1-2\t5-7\tis\t_\t\n"
            put(tmp_path, f"wa/{who}/{name}.tsv", f"{head}#Text=Rome is big {name}\n{words}")
    study = accord.read(tmp_path / "wa")
    assert (study.annotators, [str(item) for item in study.items]) == (("ana", "ben"), ["doc1", "doc2"])


@pytest.mark.parametrize("above", ["br", "br/data", "br/data/team"])
def test_a7_the_annotators_folder_of_brat_at_any_level(tmp_path: Path, above: str) -> None:
    for who in ("ana", "ben"):
        for name in ("d1", "d2"):
            put(tmp_path, f"br/data/team/{who}/{name}.ann", "T1\tLOC 0 4\tRome\n")
            put(tmp_path, f"br/data/team/{who}/{name}.txt", f"Rome, {name}")
    assert accord.read(tmp_path / above).annotators == ("ana", "ben")


def test_a8_sessions_of_prodigy_that_nobody_named(tmp_path: Path) -> None:
    days = {"ben": ["2026-04-23_14-00-48"] * 2, "pia": ["2026-04-24_09-00-00", "2026-04-25_09-00-00"]}
    for who, sessions in days.items():
        records = [
            {"text": f"t{at}", "_input_hash": at, "_task_hash": at, "_session_id": session, "_annotator_id": session,
             "options": [{"id": 0, "text": "calm"}, {"id": 1, "text": "storm"}], "accept": [at % 2], "answer": "accept"}
            for at, session in enumerate(sessions)
        ]  # fmt: skip
        put(tmp_path, f"sessions/{who}.jsonl", "".join(f"{json.dumps(record)}\n" for record in records))
    study = accord.read(tmp_path / "sessions")
    assert (study.annotators, study.n_items) == (("ben", "pia"), 2)
    assert any("'calm'" in note and "'storm'" in note for note in study.notes)


def test_a9_a_column_called_task_makes_variables(tmp_path: Path) -> None:
    text = "item,annotator,label,task\na,x,1,t1\na,y,1,t1\nb,x,2,t2\nb,y,1,t2\nc,x,2,t1\nc,y,2,t1\n"
    assert list(accord.read(put(tmp_path, "t.csv", text)).tasks) == ["t1", "t2"]


def test_a10_models_that_are_known_are_not_measured_with_people(tmp_path: Path) -> None:
    rows = [[item, who, "x" if item % 2 else "y", "model" if who == "bot" else "human"]
            for item in range(6) for who in ("ana", "ben", "bot")]  # fmt: skip
    study = accord.read(put(tmp_path, "k.csv", [["item", "annotator", "label", "annotator_type"], *rows]))
    assert accord.measure(study).recommended.n_annotators == 2


def test_a11_what_describes_a_unit_is_no_variable_of_appen(tmp_path: Path) -> None:
    rows = [[unit, f"w{who}", "false", f"frame-{unit}", ("cat", "dog")[(unit + who) % 2]]
            for unit in range(5) for who in range(3)]  # fmt: skip
    names = ["_unit_id", "_worker_id", "_tainted", "keyframeid", "animal"]
    study = accord.read(put(tmp_path, "full.csv", [names, *rows]))
    assert (study.tasks, study.labels) == ({}, ("cat", "dog"))
    assert appen.NAME in str(study.describe())


def test_a12_an_object_on_one_line_is_no_table_of_one_row(tmp_path: Path) -> None:
    records = [{"id": at, "annotator": who, "label": label} for at, who, label in ROWS]
    whole = {"dataset": "x", "expert_annotator": "true", "original_prompt": False, "instances": records}
    assert said(accord.read(put(tmp_path, "one.json", json.dumps(whole)))) == LONG
    nobody = {**whole, "instances": [{"id": at, "label": "a"} for at in range(3)]}
    with pytest.raises(accord.AccordError, match="Which column is the annotator"):
        accord.read(put(tmp_path, "nobody.json", json.dumps(nobody)))


def _task(number: int, who: int, label: str) -> dict[str, Any]:
    result = [{"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": [label]}}]
    return {"id": number, "data": {"text": f"text {number}"}, "annotations": [{"completed_by": who, "result": result}]}


@pytest.mark.parametrize("options", [{}, {"format": "label-studio"}])
def test_a13_several_projects_of_label_studio_are_one_kind(tmp_path: Path, options: dict[str, Any]) -> None:
    for team in (1, 2, 3):
        tasks = [_task(10 * team + at, 100 + who, "x") for at in range(2) for who in range(2)]
        put(tmp_path, f"teams/team_{team}.json", json.dumps(tasks))
    study = accord.read(tmp_path / "teams", **options)
    assert (study.n_items, study.n_annotations) == (6, 12)
    assert not any("another kind" in note for note in study.notes)


def test_a14_an_option_that_a_tool_does_not_use_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path, "tasks.json", json.dumps([_task(1, 1, "x"), _task(1, 2, "y")]))
    with pytest.raises(OptionError, match="separator"):
        accord.read(path, separator="json")


def test_a15_a_file_without_names_leads_to_the_right_order(tmp_path: Path) -> None:
    rows = [[f"w{who}", f"o{item}", (item + who) % 2] for who in range(3) for item in range(5)]
    path = put(tmp_path, "labels.txt", rows, "\t")
    with pytest.raises(accord.AccordError) as refused:
        accord.read(path)
    way = refused.value.remedies[0].options
    assert (way["item"], way["annotator"], way["label"]) == ("column_2", "column_1", "column_3")
    assert counts(accord.read(path, **way)) == (5, 3, 15)
    turned = accord.read(path, **{**way, "item": "column_1", "annotator": "column_2"})
    assert any("more annotators (5) than items (3)" in note for note in turned.notes)


def test_c1_a_batch_of_mechanical_turk_as_it_is_downloaded(tmp_path: Path) -> None:
    names = '"HITId","WorkerId","AssignmentStatus","Input.id","Answer.label","Approve","Reject"\n'
    body = '"H1","W1","Approved","1","a"\n"H1","W2","Approved","1","b"\n'
    study = accord.read(put(tmp_path, "mt.csv", names + body))
    assert said(study) == {("1", "W1", "a"), ("1", "W2", "b")}
    assert mturk.NAME in str(study.describe())


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_c2_a_file_for_each_annotator(tmp_path: Path, ending: str) -> None:
    for who, labels in (("ana", "xx"), ("ben", "yx")):
        records = [{"id": at, "label": label} for at, label in enumerate(labels, start=1)]
        rows = [["id", "label"], *(record.values() for record in records)]
        put(tmp_path, f"each/tags_{who}.{ending}", json.dumps(records) if ending == "json" else rows)
    assert said(accord.read(tmp_path / "each")) == LONG
    assert said(accord.read(sorted((tmp_path / "each").iterdir()))) == LONG


def test_c3_an_item_of_two_columns(tmp_path: Path) -> None:
    rows = [[talk, turn, who, "x"] for talk in (1, 2) for turn in (1, 2) for who in ("ana", "ben")]
    path = put(tmp_path, "t.csv", [["transcript_id", "utterance_id", "annotator", "label"], *rows])
    assert counts(accord.read(path, item=["transcript_id", "utterance_id"])) == (4, 2, 8)
    assert run("measure", str(path), "--item", "transcript_id,utterance_id").code in (0, 3)


def test_c4_json_by_annotator_and_item(tmp_path: Path) -> None:
    held: dict[str, dict[str, str]] = {}
    for item, who, label in ROWS:
        held.setdefault(who, {})[f"d{item}"] = label
    expected = {(f"d{item}", who, label) for item, who, label in ROWS}
    assert said(accord.read(put(tmp_path, "people.json", json.dumps(held)), annotator="key")) == expected


def test_c5_potatos_own_table(tmp_path: Path) -> None:
    names = ["user", "instance_id", "displayed_text", "tone:::warm", "tone:::cold"]
    rows = [[who, item, "a b", "" if who == item else 1, 2 if who == item else ""]
            for item in ("ana", "ben") for who in ("ana", "ben")]  # fmt: skip
    study = accord.read(put(tmp_path, "annotated_instances.tsv", [names, *rows], "\t"))
    assert counts(study) == (2, 2, 4)


def test_c5_what_is_named_and_not_read(tmp_path: Path) -> None:
    with pytest.raises(accord.AccordError, match="YAML"):
        accord.read(put(tmp_path, "t.yaml", "- item: 1\n  label: x\n"))
    put(tmp_path, "project/exportedproject.json", json.dumps({"name": "p"}))
    put(tmp_path, "project/annotation_ser/doc.txt/ana.ser", "\0\0")
    with pytest.raises(accord.AccordError, match="secondary format"):
        accord.read(tmp_path / "project")


def test_c6_ratings_of_people_who_are_not_named(tmp_path: Path) -> None:
    text = "id,calm,glad\n1,3,1\n1,4,1\n2,1,2\n2,2,2\n"
    study = accord.read(put(tmp_path, "v.csv", text), shape="unnamed", label=["calm", "glad"])
    assert set(study.tasks) == {"calm", "glad"}


def test_c7_ranks_with_ties_keep_the_primary_label(tmp_path: Path) -> None:
    text = "item,annotator,label,rank\n1,ana,x,1\n1,ana,y,2\n1,ana,z,2\n1,ben,x,1\n"
    study = accord.read(put(tmp_path, "r.csv", text), answers="single")
    assert said(study) == {("1", "ana", "x"), ("1", "ben", "x")}


def test_e_messages_speak_the_language_of_the_command(tmp_path: Path) -> None:
    for name, text in {
        "labels.txt": "w1\to1\tx\nw1\to2\ty\nw2\to1\tx\nw2\to2\tx\n",
        "twice.csv": "item,annotator,label\n1,ana,a\n1,ana,b\n1,ben,b\n",
    }.items():
        put(tmp_path, name, text)
        refused = run("measure", name, folder=tmp_path)
        assert refused.code == 2
        assert f"accord: {name}" in refused.err
        assert "accord.read" not in refused.err
        assert "duplicates=" not in refused.err
    assert "--duplicates first, last or repeat" in refused.err


def test_e_one_thing_is_said_in_the_singular(tmp_path: Path) -> None:
    put(tmp_path, "twice.csv", "item,annotator,label\n1,ana,a\n1,ana,b\n1,ben,b\n2,ana,a\n2,ben,a\n")
    said_once = run("measure", "twice.csv", "--duplicates", "first", folder=tmp_path)
    assert "left out: 1 answer given again" in said_once.out


def test_e_only_items_that_two_people_answered_are_counted_as_measured(tmp_path: Path) -> None:
    put(tmp_path, "gaps.csv", "item,annotator,label\n1,ana,x\n1,ben,x\n2,ana,y\n2,ben,x\n3,ana,y\n4,ben,x\n")
    found = accord.percent_agreement(accord.read(tmp_path / "gaps.csv"))
    assert found.n_items == 2


def test_e_names_with_people_in_them_are_known(tmp_path: Path) -> None:
    for name in ("!amt_worker_ids", "anonymised_participant_id"):
        assert said(accord.read(put(tmp_path, "t.csv", [["extract_id", name, "label"], *ROWS]))) == LONG


def test_e_a_column_of_suggestions_is_asked_about_without_a_model(tmp_path: Path) -> None:
    rows = [[at, who, "xy"[at % 2], "x"] for at in range(6) for who in ("ana", "ben")]
    put(tmp_path, "s.csv", [["item", "annotator", "label", "suggested"], *rows])
    asked = run("judge", "s.csv", "--about", "suggestions", folder=tmp_path)
    assert (asked.code, "DiPietro–Hazari kappa by suggester" in asked.out) == (0, True)

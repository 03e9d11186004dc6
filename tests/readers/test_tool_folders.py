"""Label Studio's folders, Potato's own tables, and cells of Appen's that hold lists."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import accord
from accord.errors import FileError, OptionError
from tests.readers.make_layout_samples import choice

SAMPLES = Path(__file__).parent / "samples"


def test_a_zip_in_a_folder_of_its_own_is_the_export(tmp_path: Path) -> None:
    (tmp_path / "project.zip").write_bytes((SAMPLES / "doccano/project.zip").read_bytes())
    assert accord.read(tmp_path).n_annotations == accord.read(SAMPLES / "doccano/project.zip").n_annotations


@pytest.mark.parametrize("beside", ["README.md", "labels.txt", "picture.jpg", "guidelines.pdf"])
@pytest.mark.parametrize(
    "sample",
    ["coco", "cvat-video", "doccano-projects", "label-studio-kept", "labelbox", "langfuse", "prodigy-suggested"],
)
def test_what_lies_beside_an_export_does_not_change_what_it_is_read_as(
    sample: str, beside: str, tmp_path: Path
) -> None:
    shutil.copytree(SAMPLES / sample, tmp_path / sample)
    (tmp_path / sample / beside).write_bytes(b"about the data")
    found, expected = accord.read(tmp_path / sample), accord.read(SAMPLES / sample)
    assert (str(found), found.shape) == (str(expected), expected.shape)
    if not beside.endswith(".jpg"):
        assert any(note.startswith("not read: 1 ") and f"'{beside}'" in note for note in found.notes)


def test_a_text_that_is_called_as_what_tells_of_data_is_a_text_where_it_is_marked(tmp_path: Path) -> None:
    for who in ("ana", "ben"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "notice.txt").write_text("Rome is big")
        (tmp_path / who / "notice.ann").write_text("T1\tLOC 0 4\tRome\n")
    assert accord.read(tmp_path).n_annotations == 2


def test_a_project_before_version_1_is_read_from_its_folder() -> None:
    study = accord.read(SAMPLES / "label-studio-old")
    assert (study.labels, study.annotators) == (("news", "travel"), ("ana@example.org", "ben@example.org"))
    assert dict(study.left_out) == {"skipped": 2, "suggested by a model or heuristic": 2}
    assert accord.read(SAMPLES / "label-studio-old/completions").n_annotations == 4


def test_a_storage_of_annotations_is_read_and_a_broken_one_is_named(tmp_path: Path) -> None:
    for path in (SAMPLES / "label-studio-storage").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert accord.read(tmp_path).n_annotations == 4
    (tmp_path / "20").write_text('{"id": 20, "result": [')
    with pytest.raises(FileError, match=r"20"):
        accord.read(tmp_path)


def test_of_the_exports_that_a_server_keeps_the_newest_of_each_project_counts() -> None:
    study = accord.read(SAMPLES / "label-studio-kept")
    assert study.items == (400, 500)
    assert any("1 export older than the newest" in note for note in study.notes)


def test_several_projects_in_a_folder_are_one_study_and_none_is_of_another_kind(tmp_path: Path) -> None:
    for team, first in (("one", 1), ("two", 3), ("three", 5)):
        tasks = [
            {"id": number, "data": {"text": f"text {number}"}, "annotations": [
                {"id": 10 * number + who, "completed_by": who, "result": choice("news")} for who in (1, 2)]}
            for number in (first, first + 1)
        ]  # fmt: skip
        (tmp_path / f"{team}.json").write_text(json.dumps(tasks))
    for options in ({}, {"format": "label-studio"}):
        study = accord.read(tmp_path, **options)  # type: ignore[arg-type]
        assert (study.n_items, study.n_annotations) == (6, 12)
        assert not any("another kind" in note for note in study.notes)


def own_servers(folder: Path, *names: str) -> None:
    """Exports of annotators each of whom worked on a server of their own: there they all are number 1."""
    for name in names:
        tasks = [
            {"id": number, "data": {"text": f"text {number}"}, "annotations": [
                {"id": number, "completed_by": 1, "result": choice("news")}]}
            for number in (1, 2)
        ]  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(tasks))


def test_annotators_who_are_all_number_1_on_servers_of_their_own_are_told_apart(tmp_path: Path) -> None:
    own_servers(tmp_path, "ana", "ben")
    study = accord.read(tmp_path)
    assert (study.annotators, study.n_annotations) == (("ana", "ben"), 4)
    assert any("their names tell annotators apart" in note for note in study.notes)


def test_rounds_of_one_annotator_are_not_two_annotators(tmp_path: Path) -> None:
    own_servers(tmp_path, "round 1", "round 2")
    with pytest.raises(accord.AccordError, match="Annotator '1' annotated item 1 more than once"):
        accord.read(tmp_path)


def test_a_column_for_every_label_is_one_scheme() -> None:
    study = accord.read(SAMPLES / "potato-columns/annotated_instances.tsv")
    assert study.tasks["stars"].labels == (1, 4, 5)
    assert study.tasks["topic"].kind == "set"
    assert study.tasks["spans"].answers.members.count(()) == 1  # three saw the text and marked nothing


def test_the_folder_of_a_potato_project_is_read_by_its_table(tmp_path: Path) -> None:
    table = (SAMPLES / "potato-columns/annotated_instances.tsv").read_text(encoding="utf-8")
    (tmp_path / "annotation_output").mkdir()
    (tmp_path / "annotation_output" / "annotated_instances.tsv").write_text(table, encoding="utf-8")
    (tmp_path / "config.yaml").write_text("annotation_task_name: trips\n")
    assert set(accord.read(tmp_path).tasks) == {"spans", "stars", "topic"}


def test_what_people_write_on_a_page_of_a_survey_describes_them_too(tmp_path: Path) -> None:
    rows = ["user,instance_id,displayed_text,age:::text_box,off:::scale_1,off:::scale_2", "u1,about.html,About,41,,"]
    rows += ["u2,about.html,About,29,,", "u1,d1,Text,,1,", "u2,d1,Text,,,2"]
    (tmp_path / "annotated_instances.csv").write_text("\n".join(rows) + "\n")
    study = accord.read(tmp_path / "annotated_instances.csv")
    assert (study.labels, study._column("age").values) == ((1, 2), ("29", "41"))


def test_what_is_answered_on_a_page_of_a_survey_describes_the_annotator() -> None:
    study = accord.read(SAMPLES / "potato-columns/annotated_instances.tsv")
    assert "gender" not in study.tasks
    assert study.tasks["stars"]._column("gender").values == ("man", "woman")
    assert any("describe annotators" in note for note in study.notes)


def test_demographics_describe_annotators_however_few_their_answers(tmp_path: Path) -> None:
    rows = ["instance_id,user_id,offensive,gender,age", "1,u1,2,woman,30-39", "1,u2,3,man,30-39", "2,u1,1,woman,30-39"]
    (tmp_path / "raw.csv").write_text("\n".join(rows) + "\n")
    study = accord.read(tmp_path / "raw.csv")
    assert not study.tasks
    assert study._column("gender").values == ("man", "woman")


def test_lists_in_cells_of_an_appen_report_are_sets_and_a_separator_is_used(tmp_path: Path) -> None:
    head = "_unit_id,_worker_id,_id,_trust,roles,roles_gold\n"
    (tmp_path / "lists.csv").write_text(head + '1,a,1,1,"[""pilot"",""poet""]",\n1,b,2,1,"[""pilot""]",\n')
    assert accord.read(tmp_path / "lists.csv").labels == ("pilot", "poet")
    (tmp_path / "bars.csv").write_text(head + "1,a,1,1,pilot|poet,\n1,b,2,1,pilot,\n")
    assert accord.read(tmp_path / "bars.csv", separator="|").labels == ("pilot", "poet")
    with pytest.raises(FileError, match="should hold a list in JSON"):
        accord.read(tmp_path / "bars.csv", separator="json")


def test_a_status_that_there_cannot_be_is_an_error() -> None:
    with pytest.raises(OptionError, match="include must be one of 'rejected', 'skipped'; got 'drafts'"):
        accord.read(SAMPLES / "prodigy/choice.jsonl", include=["drafts"])


def test_a_kind_of_answers_that_no_variable_can_have_is_an_error() -> None:
    with pytest.raises(OptionError, match="answers='score' cannot be: the answers are 'spans'"):
        accord.read(SAMPLES / "prodigy/spans.jsonl", answers="score")


def test_sentences_of_conll_files_have_their_text_and_tokens(tmp_path: Path) -> None:
    (tmp_path / "ana.conll").write_text("-DOCSTART- O\n\nNia B-PER\nsailed O\nto O\nNew B-LOC\nYork I-LOC\n")
    (tmp_path / "ben.conll").write_text("-DOCSTART- O\n\nNia O\nsailed O\nto O\nNew O\nYork O\n")
    study = accord.read(tmp_path)
    assert study.annotators == ("ana", "ben")
    assert set(study.answers.places) == {((0, 3), (14, 22)), ()}
    assert study._column("tokens").values == ("0 3;4 10;11 13;14 17;18 22",)
    assert study._column("text").values == ("Nia sailed to New York",)


def test_only_blanks_and_tabs_stand_between_the_columns_of_conll_files(tmp_path: Path) -> None:
    """A narrow or hard blank is part of a number, as French has it."""
    for who, tag in (("ana", "B-SUM"), ("ben", "O")):
        text = f"-DOCSTART- O\n\n1\u00a0000 \t {tag}\r\n2\u2028 O\neuros O\n"
        (tmp_path / f"{who}.conll").write_text(text, "utf-8", newline="")
    study = accord.read(tmp_path)
    assert study._column("text").values == ("1\u00a0000 2\u2028 euros",)
    assert set(study.answers.places) == {((0, 5),), ()}


def test_conll_folders_of_annotators_keep_their_documents_apart(tmp_path: Path) -> None:
    for who in ("ana", "ben"):
        (tmp_path / who).mkdir()
        for document, word in (("d1", "Rome"), ("d2", "Oslo")):
            (tmp_path / who / f"{document}.conll").write_text(f"-DOCSTART- O\n\n{word} B-LOC\n\n{word} O\n")
    study = accord.read(tmp_path)
    assert (study.annotators, tuple(study.items)) == (("ana", "ben"), ("d1/1", "d1/2", "d2/1", "d2/2"))

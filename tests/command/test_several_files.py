"""Several files, folders and pipes as one study; what does not fit is named with the reason."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from unittest import mock

import pytest

import accord
from accord.errors import DuplicateAnswers, FileError, InputError
from tests.command.running import DATA, PROGRAM, TINY, run

LONG = "item,annotator,label\n"


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        target = folder / name.replace("__", "/").replace("_csv", ".csv").replace("_json", ".json")
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")


def labelled(task: int, who: int, choice: str, text: str = "same") -> dict[str, object]:
    """A task of Label Studio with one annotation."""
    result = [{"type": "choices", "from_name": "tone", "to_name": "text", "value": {"choices": [choice]}}]
    return {
        "id": task,
        "data": {"text": text},
        "annotations": [{"id": 100 * task + who, "completed_by": who, "result": result}],
    }


# -- files -------------------------------------------------------------------------------------------------------------


def test_batches_of_one_shape_are_one_study(tmp_path: Path) -> None:
    put(tmp_path, a_csv=f"{LONG}1,ana,x\n1,ben,x\n2,ana,y\n2,ben,x\n", b_csv=f"{LONG}3,ana,x\n3,ben,x\n")
    study = accord.read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert (study.n_items, study.n_annotators) == (3, 2)
    whole = accord.read([tmp_path / "a.csv", tmp_path / "b.csv"])
    put(tmp_path, c_csv=f"{LONG}1,ana,x\n1,ben,x\n2,ana,y\n2,ben,x\n3,ana,x\n3,ben,x\n")
    alone = accord.read(tmp_path / "c.csv")
    assert accord.cohen_kappa(whole).value == accord.cohen_kappa(alone).value
    assert "2 files: a.csv (4 rows), b.csv (2 rows)" in study.notes


def test_a_file_each_names_its_annotator(tmp_path: Path) -> None:
    put(tmp_path, ana_csv="item,label\n1,x\n2,y\n", ben_csv="item,label\n1,x\n2,x\n")
    said = run("measure", "ana.csv", "ben.csv", folder=tmp_path)
    assert said.code == 0
    assert "note: no column names an annotator, so the name of the file does" in said.out
    assert accord.read([tmp_path / "ana.csv", tmp_path / "ben.csv"]).annotators == ("ana", "ben")


def test_a_column_that_is_no_answer_does_not_hide_whose_file_it_is(tmp_path: Path) -> None:
    rows = "item,label,minutes\n1,x,3\n2,y,4\n3,x,5\n4,x,6\n5,y,7\n"
    put(tmp_path, ana_csv=rows, ben_csv=rows)
    assert accord.read([tmp_path / "ana.csv", tmp_path / "ben.csv"]).annotators == ("ana", "ben")


def test_several_variables_of_one_annotator_are_named(tmp_path: Path) -> None:
    rows = "item,tone,frame\n1,x,p\n2,y,q\n3,x,p\n4,x,q\n5,y,p\n"
    put(tmp_path, ana_csv=rows, ben_csv=rows)
    said = run("measure", "ana.csv", "ben.csv", folder=tmp_path)
    assert said.code == 2
    assert "If the file holds one annotator's answers, name their columns: --label tone,frame." in said.err
    study = accord.read([tmp_path / "ana.csv", tmp_path / "ben.csv"], label=["tone", "frame"])
    assert sorted(map(str, study.tasks)) == ["frame", "tone"]
    assert study.tasks["tone"].annotators == ("ana", "ben")


def test_wide_tables_keep_a_column_an_annotator(tmp_path: Path) -> None:
    put(tmp_path, a_csv="id,rater1,rater2\n1,x,x\n2,y,\n", b_csv="id,rater1,rater2\n3,x,x\n4,y,y\n")
    study = accord.read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert (study.n_items, study.annotators) == (4, ("rater1", "rater2"))
    assert dict(study.left_out) == {"cells without an answer": 1}


def test_what_wide_tables_say_of_items_makes_groups(tmp_path: Path) -> None:
    head = "id,rater1,rater2,topic,text\n"
    put(tmp_path, a_csv=f"{head}1,x,x,sea,one\n2,y,x,land,two\n", b_csv=f"{head}3,x,x,sea,three\n4,y,y,land,four\n")
    study = accord.read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert [part.tally().n_items for part in study.groups("topic").values()] == [2, 2]
    assert "text" in study.roles


def test_an_answer_in_two_files_follows_the_usual_rule(tmp_path: Path) -> None:
    put(tmp_path, a_csv=f"{LONG}1,ana,x\n1,ben,x\n", b_csv=f"{LONG}1,ana,y\n2,ben,y\n")
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    with pytest.raises(DuplicateAnswers, match="'ana'"):
        accord.read(files)
    kept = accord.read(files, duplicates="first")
    assert kept.n_annotations == 3
    assert dict(kept.left_out) == {"answers given again (another was kept)": 1}


def test_a_file_that_does_not_fit_is_named_with_the_reason_and_the_way_out(tmp_path: Path) -> None:
    put(tmp_path, a_csv=f"{LONG}1,ana,x\n1,ben,x\n2,ana,y\n2,ben,x\n", odd_csv="colour\nred\n")
    said = run("measure", "a.csv", "odd.csv", folder=tmp_path)
    assert said.code == 2
    assert said.err.startswith("accord: odd.csv: ")
    assert "--on-error skip" in said.err
    skipped = run("measure", "a.csv", "odd.csv", "--on-error", "skip", folder=tmp_path)
    assert skipped.code == 0
    assert "note: not read: odd.csv: " in skipped.out


def test_answers_of_different_kinds_are_not_one_study(tmp_path: Path) -> None:
    put(tmp_path, a_csv=f"{LONG}1,ana,x\n1,ben,x\n", b_csv="item,annotator,score\n2,ana,0.5\n2,ben,0.7\n")
    with pytest.raises(InputError, match=r"b\.csv holds score answers, and a\.csv single answers"):
        accord.read([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_a_file_is_named_once(tmp_path: Path) -> None:
    put(tmp_path, a_csv=f"{LONG}1,ana,x\n1,ben,x\n")
    with pytest.raises(InputError, match="is named twice"):
        accord.read([tmp_path / "a.csv", tmp_path / "a.csv"])


def test_counts_do_not_say_who_answered(tmp_path: Path) -> None:
    put(tmp_path, a_csv=f"{LONG}1,ana,x\n1,ben,x\n", b_csv="item,label,count\n1,x,3\n1,y,2\n")
    with pytest.raises(InputError, match=r"b\.csv: It does not say who answered"):
        accord.read([tmp_path / "a.csv", tmp_path / "b.csv"])


# -- folders -----------------------------------------------------------------------------------------------------------


def test_a_folder_of_equal_exports_is_read_whole(tmp_path: Path) -> None:
    exports = {
        "team1": [labelled(1, 1, "good"), labelled(2, 1, "bad")],
        "team2": [labelled(1, 2, "good"), labelled(2, 2, "good")],
    }
    put(tmp_path, **{f"teams__{name}_json": json.dumps(tasks) for name, tasks in exports.items()})
    for said in (None, "label-studio"):
        study = accord.read(tmp_path / "teams", format=said)
        assert (study.n_items, study.n_annotators) == (2, 2)
        assert not any("another kind" in note for note in study.notes)
    with zipfile.ZipFile(tmp_path / "teams.zip", "w") as archive:
        for name in exports:
            archive.write(tmp_path / "teams" / f"{name}.json", f"{name}.json")
    assert accord.read(tmp_path / "teams.zip").n_annotators == 2


def test_one_id_for_two_texts_is_two_items(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_json=json.dumps([labelled(1, 1, "good", "one"), labelled(2, 1, "bad", "two")]),
        b_json=json.dumps([labelled(1, 1, "good", "three"), labelled(2, 1, "bad", "four")]),
    )
    study = accord.read([tmp_path / "a.json", tmp_path / "b.json"])
    assert study.items == ("a/1", "a/2", "b/1", "b/2")
    assert "the files use one id for different texts, so items are called by the file and the id" in study.notes


def test_an_id_whose_text_differs_among_equal_ones_is_asked_about(tmp_path: Path) -> None:
    rows = "item,annotator,label,text\n1,{who},x,same\n2,{who},y,{other}\n"
    put(tmp_path, a_csv=rows.format(who="ana", other="this"), b_csv=rows.format(who="ben", other="that"))
    with pytest.raises(InputError, match=r"Item 2 has one text in a\.csv and another in b\.csv"):
        accord.read([tmp_path / "a.csv", tmp_path / "b.csv"])


# -- pipes -------------------------------------------------------------------------------------------------------------


def test_standard_input_is_read_once() -> None:
    data = (DATA / TINY).read_bytes()
    with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data))):
        assert accord.read("-").n_items == accord.read(DATA / TINY).n_items


def test_a_zip_may_come_through_a_pipe(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(TINY, (DATA / TINY).read_bytes())
    with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed.getvalue()))):
        assert accord.read("-").n_annotators == 2


def test_a_fifo_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "answers"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes((DATA / TINY).read_bytes()))
    writer.start()
    assert accord.read(pipe).n_items == 6
    writer.join()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/urandom"])
def test_a_device_that_never_ends_is_refused(device: str) -> None:
    with pytest.raises(FileError, match="may never end"):
        accord.read(device)
    with Path(device).open(encoding="latin-1") as stream, mock.patch.object(sys, "stdin", stream):
        assert "may never end" in run("measure", "-").err
    with pytest.raises(FileError, match="empty"):
        accord.read(os.devnull)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    ["cat {data} | {accord} measure -", "cat {data} | {accord} measure /dev/stdin", "{accord} measure <(cat {data})"],
)
def test_what_comes_through_a_pipe_is_measured(line: str) -> None:
    typed = line.format(data=TINY, accord=" ".join(PROGRAM))
    done = subprocess.run(["bash", "-c", typed], cwd=DATA, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Study of 6 items by 2 annotators" in done.stdout


@pytest.mark.slow
def test_a_closed_output_is_no_crash() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{' '.join(PROGRAM)} measure {TINY} >&-"], cwd=DATA, capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")

"""Surveys are turned round: respondents are annotators, and what was asked of all of them is items."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.readers.formats import google_forms
from accord.readers.formats import qualtrics as qualtrics_reader
from accord.readers.formats.google_forms import STAMPS
from accord.readers.source import Source
from tests.readers.test_samples import SAMPLES

OWN = ("StartDate", "EndDate", "Finished", "RecordedDate", "ResponseId")


def qualtrics(path: Path, questions: Mapping[str, tuple[str, Sequence[Any]]], ids: bool = True) -> Path:
    """A survey: names, texts and answers of its questions."""
    texts = {"ResponseId": "Response ID", **{name: text for name, (text, _) in questions.items()}}
    called = {name: f"QID{place}" for place, name in enumerate(questions, start=1)}
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        names = [*OWN, *questions]
        writer.writerow(names)
        writer.writerow([texts.get(name, name) for name in names])
        if ids:
            writer.writerow([json.dumps({"ImportId": called.get(name, name)}) for name in names])
        for place in range(len(next(iter(questions.values()))[1])):
            writer.writerow(["x", "y", "1", "z", f"R_{place}", *(cells[place] for _, cells in questions.values())])
    return path


def test_respondents_are_annotators_and_questions_are_items() -> None:
    study = accord.read(SAMPLES / "qualtrics/boats.csv")
    assert study.annotators == ("R_1", "R_2", "R_3")  # the first is a preview of the survey
    assert study.items == ("Q1", "Q2", "Q3")
    assert study.labels == ("No", "Yes")


def test_what_was_asked_once_describes_respondents_and_makes_groups() -> None:
    study = accord.read(SAMPLES / "qualtrics/boats.csv")
    assert any("'Q9', 'hand'" in note and "make groups" in note for note in study.notes)
    assert {"Q9", "hand", "arm"} <= set(study.columns)


def test_who_somebody_is_is_not_kept() -> None:
    assert not {"IPAddress", "StartDate"} & set(accord.read(SAMPLES / "qualtrics/boats.csv").columns)


def test_previews_can_be_counted_in() -> None:
    assert accord.read(SAMPLES / "qualtrics/boats.csv", include=["draft"]).n_annotators == 4


def test_a_loop_asks_of_its_turns() -> None:
    study = accord.read(SAMPLES / "qualtrics/loop.csv")
    assert study.tasks["Q3"].items == (1, 2)


def test_a_grid_has_items_on_the_side_that_has_more() -> None:
    study = accord.read(SAMPLES / "qualtrics/grid.csv")
    assert study.tasks["clear"].items == ("Q1", "Q2", "Q3")


def test_questions_of_the_same_texts_are_variables_whatever_qualtrics_calls_them(tmp_path: Path) -> None:
    texts = ("boat", "lamp", "tide")
    grids = {
        f"Q{place}_{row}": (f"How {asked} is it? - {text}", [1, 2, row])
        for place, asked in ((5, "kind"), (6, "clear"))
        for row, text in enumerate(texts, start=1)
    }
    study = accord.read(qualtrics(tmp_path / "s.csv", grids))
    assert {task: part.items for task, part in study.tasks.items()} == {"Q5": texts, "Q6": texts}


def test_a_grid_by_itself_has_its_rows_as_items(tmp_path: Path) -> None:
    rows = {f"Q5_{place}": (f"Rate them - boat {place}", [1, place, 2]) for place in (1, 2, 3)}
    assert accord.read(qualtrics(tmp_path / "s.csv", rows)).items == ("boat 1", "boat 2", "boat 3")


@pytest.mark.parametrize("ids", [True, False])
def test_the_line_of_import_ids_may_be_gone(tmp_path: Path, ids: bool) -> None:
    path = qualtrics(tmp_path / "s.csv", {"Q1": ("a?", ["y", "n"]), "Q2": ("b?", ["n", "y"])}, ids)
    study = accord.read(path)
    assert (study.n_items, study.n_annotators, study.labels) == (2, 2, ("n", "y"))


def test_a_long_table_that_was_made_of_a_survey_is_a_table(tmp_path: Path) -> None:
    head = "StartDate,EndDate,Finished,ResponseId,item,label"
    rows = [f"a,b,1,R_{who},{item},{who}" for item in "xy" for who in "12"]
    (tmp_path / "long.csv").write_text("\n".join([head, *rows]))
    study = accord.read(tmp_path / "long.csv", annotator="ResponseId")
    assert (study.n_items, study.n_annotators) == (2, 2)
    assert qualtrics_reader.sniff(Source(tmp_path / "long.csv")) is None


def test_a_survey_in_utf16_with_tabs_is_read(tmp_path: Path) -> None:
    text = (SAMPLES / "qualtrics/boats.csv").read_text(encoding="utf-8")
    with (tmp_path / "boats.tsv").open("w", newline="", encoding="utf-16") as stream:
        csv.writer(stream, delimiter="\t").writerows(csv.reader(text.splitlines(keepends=True)))
    assert accord.read(tmp_path / "boats.tsv").n_annotations == 8


def test_an_age_is_no_rating_though_a_slider_may_have_that_number(tmp_path: Path) -> None:
    sliders = {f"Q{place}": (f"text {place}", [20, 40, 60]) for place in (1, 2)}
    study = accord.read(qualtrics(tmp_path / "s.csv", {**sliders, "Q3": ("How old are you?", [20, 40, 60])}))
    assert study.items == ("Q1", "Q2")


def test_several_choices_in_a_cell_are_asked_about_and_split_when_said(tmp_path: Path) -> None:
    cells = ["a,b", "a", "b", "a,b,c", "c"]
    path = qualtrics(tmp_path / "s.csv", {"Q1": ("x", cells), "Q2": ("y", cells[::-1])})
    assert any("separator=','" in note for note in accord.read(path).notes)
    study = accord.read(path, separator=",")
    assert (study.kind, study.labels) == ("set", ("a", "b", "c"))


def test_labels_with_commas_stay_labels(tmp_path: Path) -> None:
    cells = ["Yes, very", "Yes, a little", "No"]
    path = qualtrics(tmp_path / "s.csv", {"Q1": ("x", cells), "Q2": ("y", cells[::-1])})
    assert not any("separator" in note for note in accord.read(path).notes)


def test_a_response_that_is_cut_names_its_line(tmp_path: Path) -> None:
    path = qualtrics(tmp_path / "s.csv", {"Q1": ("a?", ["y", "n"]), "Q2": ("b?", ["n", "y"])})
    path.write_text(path.read_text().rstrip().rpartition(",")[0] + "\n")
    with pytest.raises(accord.AccordError, match=r"s\.csv, line 5: The row has 6 cells"):
        accord.read(path)
    assert dict(accord.read(path, on_error="skip").left_out) == {"rows with fewer cells than there are columns": 1}


@pytest.mark.parametrize("stamp", sorted(STAMPS))
def test_a_form_is_known_in_its_own_language(tmp_path: Path, stamp: str) -> None:
    (tmp_path / "form.csv").write_text(f"{stamp},Is a kind?,Is b kind?\n1,yes,no\n2,no,no\n", encoding="utf-8")
    study = accord.read(tmp_path / "form.csv")
    assert (study.n_items, study.n_annotators) == (2, 2)


def test_a_table_of_annotations_with_a_time_is_no_form(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("Timestamp,item,annotator,label\n1,a,ana,x\n2,a,ben,y\n")
    assert accord.read(tmp_path / "long.csv").annotators == ("ana", "ben")


def test_respondents_without_a_name_are_called_by_their_lines() -> None:
    study = accord.read(SAMPLES / "google-forms/again.csv").tasks["How sure?"]
    assert study.annotators == ("response in line 2", "response in line 3")


def test_a_question_that_comes_again_asks_of_the_next_item() -> None:
    assert accord.read(SAMPLES / "google-forms/again.csv").tasks["Is it kind?"].items == (1, 2)


def test_a_form_that_pandas_wrote_again_numbers_its_questions(tmp_path: Path) -> None:
    (tmp_path / "form.csv").write_text("Timestamp,Kind?,Sure?,Kind?.1,Sure?.1\n1,yes,1,no,2\n2,no,2,no,1\n")
    study = accord.read(tmp_path / "form.csv")
    assert {task: part.items for task, part in study.tasks.items()} == {"Kind?": (1, 2), "Sure?": (1, 2)}


@pytest.mark.parametrize("header", ["Rater,Clip,Score", "Annotator,Sentence,Is it kind?", "Your name,Item ID,Kind?"])
def test_a_form_for_one_annotation_at_a_time_is_a_table(tmp_path: Path, header: str) -> None:
    (tmp_path / "form.csv").write_text(f"Timestamp,{header}\n1,ana,a,1\n2,ben,a,2\n3,ana,b,1\n4,ben,b,2\n")
    assert google_forms.sniff(Source(tmp_path / "form.csv")) is None


def test_respondents_who_are_all_called_anonymous_are_told_apart(tmp_path: Path) -> None:
    rows = "1,9:00,9:05,anonymous,,kind,rude\n2,9:10,9:15,anonymous,,kind,kind\n"
    (tmp_path / "form.csv").write_text(f"ID,Start time,Completion time,Email,Name,Text 1,Text 2\n{rows}")
    assert accord.read(tmp_path / "form.csv").n_annotators == 2


def test_somebody_who_answered_twice_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / "form.csv").write_text(
        "Timestamp,Email,Is a kind?,Is b kind?\n1,x@y,yes,no\n2,x@y,no,no\n3,z@y,no,no\n"
    )
    with pytest.raises(accord.AccordError, match="more than once"):
        accord.read(tmp_path / "form.csv")
    assert accord.read(tmp_path / "form.csv", duplicates="last").n_annotations == 4


def test_a_form_in_a_zip_is_read(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "form.csv.zip", "w") as archive:
        archive.write(SAMPLES / "google-forms/questions.csv", "form.csv")
    assert accord.read(tmp_path / "form.csv.zip").n_annotations == 5

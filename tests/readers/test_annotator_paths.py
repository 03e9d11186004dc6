"""Whose file is it? Annotators and items in the paths of exports, wherever people have moved them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import FileError, InputError, OptionError
from accord.study.study import Study
from tests.readers.make_layout_samples import tsv

SAMPLES = Path(__file__).parent / "samples"
ROME, OSLO = "Rome is big.", "Oslo is cold."


def brat(folder: Path, texts: Mapping[str, str | None]) -> Study:
    """A brat tree: the path of every document, and its text; None where the text is not there."""
    for name, text in texts.items():
        path = folder / f"{name}.ann"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("T1\tLOC 0 4\n")
        if text is not None:
            path.with_suffix(".txt").write_text(text)
    return accord.read(folder)


def webanno(folder: Path, texts: Mapping[str, str]) -> Study:
    for name, text in texts.items():
        path = folder / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tsv(text, {"Rome": "LOC", "Oslo": "LOC"}))
    return accord.read(folder)


def who_and_what(study: Study) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    return study.annotators, tuple(study.items)


def everybody(*paths: str) -> dict[str, str]:
    """Documents called d1 and d2 have texts of their own."""
    return {path: ROME if path.endswith("d1") or "d1/" in path else OSLO for path in paths}


ANA_BEN = (("ana", "ben"), ("d1", "d2"))


def test_webanno_folders_of_annotators_are_not_documents(tmp_path: Path) -> None:
    study = webanno(tmp_path / "wa", everybody("ana/d1", "ana/d2", "ben/d1", "ben/d2"))
    assert who_and_what(study) == ANA_BEN
    assert "annotators: from the folders 'ana', 'ben'" in map(str, study.notes)


def test_webanno_folders_of_documents_are_not_annotators(tmp_path: Path) -> None:
    study = webanno(tmp_path / "wa", everybody("d1/ana", "d1/ben", "d2/ana", "d2/ben"))
    assert who_and_what(study) == ANA_BEN
    assert "annotators: from the names of the files 'ana', 'ben'" in map(str, study.notes)


@pytest.mark.parametrize("above", ["", "data/", "data/proj/", "corpus/brat/export/"])
def test_the_annotator_of_a_brat_tree_is_found_at_any_level(above: str, tmp_path: Path) -> None:
    names = (f"{above}{who}/{document}" for who in ("ana", "ben") for document in ("d1", "d2"))
    assert who_and_what(brat(tmp_path / "br", everybody(*names))) == ANA_BEN


def test_folders_below_an_annotator_belong_to_the_item(tmp_path: Path) -> None:
    study = brat(tmp_path / "br", everybody("ana/week 1/d1", "ben/week 1/d1", "ana/week 2/d2", "ben/week 2/d2"))
    assert who_and_what(study) == (("ana", "ben"), ("week 1/d1", "week 2/d2"))


def test_folders_of_teams_are_no_annotators(tmp_path: Path) -> None:
    study = brat(tmp_path / "br", everybody("team 1/ana/d1", "team 1/ben/d1", "team 2/cy/d2", "team 2/dot/d2"))
    assert who_and_what(study) == (("ana", "ben", "cy", "dot"), ("team 1/d1", "team 2/d2"))


def test_annotators_may_stand_on_different_levels_above_their_files(tmp_path: Path) -> None:
    study = brat(
        tmp_path / "br", everybody("team 1/data/ana/d1", "team 1/data/ben/d1", "team 2/cy/d2", "team 2/dot/d2")
    )
    assert who_and_what(study) == (("ana", "ben", "cy", "dot"), ("team 1/data/d1", "team 2/d2"))


def test_files_beside_the_folders_of_annotators_do_not_hide_them(tmp_path: Path) -> None:
    study = brat(tmp_path / "br", everybody("ana/d1", "ana/d2", "ben/d1", "ben/d2", "d1"))
    assert who_and_what(study) == (("ana", "ben", "br"), ("d1", "d2"))


def test_teams_that_marked_one_text_under_one_name_marked_one_item() -> None:
    assert who_and_what(accord.read(SAMPLES / "brat-teams")) == (("ana", "ben", "cy", "dot"), ("boat", "lamp"))


def test_rounds_of_the_same_annotator_stay_apart(tmp_path: Path) -> None:
    names = ("round 1/ana/d1", "round 1/ben/d1", "round 2/ana/d1", "round 2/ben/d1")
    assert brat(tmp_path / "br", everybody(*names)).items == ("round 1/d1", "round 2/d1")


def test_documents_of_one_name_and_other_texts_are_not_one_item(tmp_path: Path) -> None:
    study = brat(tmp_path / "br", {"english/d1": ROME, "norwegian/d1": OSLO})
    assert who_and_what(study) == (("br",), ("english/d1", "norwegian/d1"))
    assert any("one annotator's" in note for note in study.notes)


def test_without_texts_names_that_repeat_tell_the_annotator(tmp_path: Path) -> None:
    assert who_and_what(brat(tmp_path / "br", {"x/ana/d1": None, "x/ben/d1": None})) == (("ana", "ben"), ("d1",))


def test_annotators_who_share_no_document_are_told(tmp_path: Path) -> None:
    study = brat(tmp_path / "br", everybody("ana/d1", "ben/d2"))
    assert who_and_what(study) == ANA_BEN
    assert any("no document is with two of them" in note for note in study.notes)


def test_files_in_one_folder_are_of_annotators_where_their_texts_are_equal(tmp_path: Path) -> None:
    assert who_and_what(webanno(tmp_path / "trip", {"ana": ROME, "ben": ROME})) == (("ana", "ben"), ("trip",))


def test_files_in_one_folder_are_documents_where_their_texts_differ(tmp_path: Path) -> None:
    assert who_and_what(webanno(tmp_path / "ana", {"d1": ROME, "d2": OSLO})) == (("ana",), ("d1", "d2"))


@pytest.mark.parametrize(("names", "annotators"), [
    (("d1_ana", "d1_ben", "d2_ana", "d2_ben"), ("ana", "ben")),
    (("ana-d1", "ben-d1", "ana-d2", "ben-d2"), ("ana", "ben")),
])  # fmt: skip
def test_names_of_files_may_hold_annotator_and_document(
    names: tuple[str, ...], annotators: tuple[str, ...], tmp_path: Path
) -> None:
    study = brat(tmp_path / "br", {name: ROME if "d1" in name else OSLO for name in names})
    assert who_and_what(study) == (annotators, ("d1", "d2"))


def test_texts_that_are_kept_once_are_found() -> None:
    study = accord.read(SAMPLES / "brat-texts-apart")
    assert set(study._column("covered").values) == {"Split", "Vis"}


def test_a_folder_of_one_document_may_hold_the_files_of_its_annotators(tmp_path: Path) -> None:
    brat(tmp_path / "br", {f"{document}/{who}": None for document in ("d1", "d2") for who in ("ana", "ben")})
    for document, text in (("d1", ROME), ("d2", OSLO)):
        (tmp_path / "br" / document / "source.txt").write_text(text)
    assert who_and_what(accord.read(tmp_path / "br")) == ANA_BEN


@pytest.mark.parametrize("word", [
    "curation", "CURATION_USER", "admin", "adjudicated", "Adjudication", "gold", "consensus", "gold-standard",
    "ground_truth", "gold_v2", "reference",
])  # fmt: skip
def test_the_folder_of_an_adjudicator_is_the_reference(word: str, tmp_path: Path) -> None:
    names = (f"{who}/{document}" for who in ("ana", "ben", word) for document in ("d1", "d2"))
    study = brat(tmp_path / "br", everybody(*names))
    assert who_and_what(study) == ANA_BEN
    assert dict(study.left_out) == {"adjudicated (gold)": 2}
    assert any("not as one more annotator's" in note for note in study.notes)


def test_a_reference_may_lie_on_another_level(tmp_path: Path) -> None:
    study = brat(tmp_path / "br", everybody("annotations/ana/d1", "annotations/ben/d1", "gold/d1", "gold/d2"))
    assert study.annotators == ("ana", "ben")
    assert dict(study.left_out) == {"adjudicated (gold)": 2}


def test_the_way_to_compare_adjudicators_works(tmp_path: Path) -> None:
    brat(tmp_path / "br", everybody("ana/d1", "ben/d1", "admin/d1"))
    study = accord.read(tmp_path / "br", include=["adjudicated"], annotators="all")
    assert study.annotators == ("admin", "ana", "ben")


def test_a_document_that_is_called_like_a_reference_is_a_document(tmp_path: Path) -> None:
    texts = {f"{who}/{name}": f"The text {name}." for who in ("ana", "ben") for name in ("admin guide", "gold", "d1")}
    study = brat(tmp_path / "br", texts)
    assert who_and_what(study) == (("ana", "ben"), ("admin guide", "d1", "gold"))
    assert not study.left_out


def test_a_project_that_is_called_like_a_reference_has_annotators(tmp_path: Path) -> None:
    study = brat(tmp_path / "br", everybody("gold/ana/d1", "gold/ana/d2", "gold/ben/d1", "gold/ben/d2"))
    assert who_and_what(study) == ANA_BEN


def test_projects_beside_each_other_keep_their_documents_apart() -> None:
    study = accord.read(SAMPLES / "inception-projects")
    assert who_and_what(study) == (("ana", "ben"), ("harbour/page-1.txt", "kitchen/page-1.txt"))


def test_two_files_of_one_annotator_on_one_document_are_an_error(tmp_path: Path) -> None:
    for name in ("annotation/d1/ana.tsv", "annotation/d1/ben.tsv", "annotation_ser/d1/ana.tsv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(tsv(ROME, {}))
    with pytest.raises(FileError, match=r"of 'ana' on 'd1', and so is annotation/d1/ana\.tsv"):
        accord.read(tmp_path)


def test_texts_that_differ_between_annotators_are_an_error(tmp_path: Path) -> None:
    names = ("ana/d1", "ben/d1", "ana/d2", "ben/d2")
    texts = {**everybody(*names), "ben/d2": "Oslo was cold."}
    with pytest.raises(InputError, match=r"item 'd2' is not the same .* from character 5 on it is 'is cold\.'"):
        brat(tmp_path / "br", texts)


def test_the_backup_of_a_project_is_answered_with_what_to_export(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "project.zip", "w") as archive:
        archive.writestr("exportedproject.json", '{"name": "trips", "annotation_documents": []}')
        archive.writestr("annotation_ser/d1.txt/ana.ser", b"\xac\xed\x00\x05")
        archive.writestr("source/d1.txt", ROME)
    with pytest.raises(FileError, match=r"backup of an INCEpTION project, with 1 document .*WebAnno TSV v3\.3"):
        accord.read(tmp_path / "project.zip")


def test_sessions_of_prodigy_that_are_times_are_not_people() -> None:
    study = accord.read(SAMPLES / "prodigy-times")
    assert study.annotators == ("ana", "ben")
    assert any("so the file is the annotator" in note for note in study.notes)


def test_a_named_session_is_taken_before_a_time(tmp_path: Path) -> None:
    line = '{"text": "x", "_input_hash": %d, "_task_hash": 1, "label": "a", "answer": "accept", "_session_id": "%s"}\n'
    held = line % (1, "trips-2026-03-01_09-00-00"), line % (2, "trips-ana"), line % (3, "trips-ben")
    (tmp_path / "trips.jsonl").write_text("".join(held))
    assert accord.read(tmp_path / "trips.jsonl").annotators == ("ana", "ben", "trips")


def test_options_of_prodigy_that_are_numbers_are_explained(tmp_path: Path) -> None:
    line = (
        '{"text": "x", "_input_hash": 1, "_task_hash": 1, "answer": "accept", "accept": [%d], "_session_id": "set-%s", '
        '"options": [{"id": 0, "text": "Review"}, {"id": 1, "text": "Trial"}]}\n'
    )
    (tmp_path / "set.jsonl").write_text(line % (0, "ana") + line % (1, "ben"))
    study = accord.read(tmp_path / "set.jsonl")
    assert study.labels == (0, 1)
    assert "options are called by their ids: '0' is 'Review', '1' is 'Trial'" in study.notes


def test_doccano_projects_with_numbers_of_their_own_are_matched_by_their_words() -> None:
    study = accord.read(SAMPLES / "doccano-projects")
    assert (study.n_items, study.annotators) == (2, ("ana", "ben"))
    assert any("matched by their words" in note for note in study.notes)


def test_doccano_files_of_different_texts_under_one_id_are_different_items(tmp_path: Path) -> None:
    for name, text in (("ana", ROME), ("ben", OSLO)):
        line = f'{{"id": 1, "text": "{text}", "label": [[0, 4, "LOC"]], "Comments": []}}\n'
        (tmp_path / f"{name}.jsonl").write_text(line)
    study = accord.read(tmp_path)
    assert study.items == ("ana/1", "ben/1")
    assert any("one id for different texts" in note for note in study.notes)


def test_members_of_doccano_may_have_a_folder_each(tmp_path: Path) -> None:
    for who in ("ana", "ben"):
        (tmp_path / who).mkdir()
        line = f'{{"id": 1, "text": "{ROME}", "label": [[0, 4, "LOC"]], "Comments": []}}\n'
        (tmp_path / who / "all.jsonl").write_text(line)
    assert who_and_what(accord.read(tmp_path)) == (("ana", "ben"), (1,))


def test_an_option_that_a_format_does_not_use_is_an_error() -> None:
    for name, options in (
        ("toloka/assignments.tsv", {"separator": "json"}),
        ("brat", {"sheet": "Answers"}),
        ("prodigy/choice.jsonl", {"delimiter": ";"}),
        ("doccano/spans", {"decimal": ","}),
        ("coco", {"header": False}),
        ("inception", {"config": "<View/>"}),
        ("cvat", {"encoding": "cp1252"}),
    ):
        with pytest.raises(OptionError, match=f"does not use {next(iter(options))}="):
            accord.read(SAMPLES / name, **options)

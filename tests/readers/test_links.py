"""What exports hold besides labels and spans: events, chains, slots, tracks, relationships, scales, suggestions."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.study.study import Study

SAMPLES = Path(__file__).parent / "samples"


def marks(study: Study, annotator: str) -> list[tuple[Any, ...]]:
    """The labels and places that an annotator marked in the only item."""
    who = study.annotators.index(annotator)
    _, people, answer, _ = study._annotations.rows
    given = int(answer[people == who][0])
    labels = study.answers.value(given)
    assert isinstance(labels, tuple)
    return [(label, *place) for label, place in zip(labels, study.answers.places[given], strict=True)]


def test_an_event_of_brat_leads_from_its_trigger_to_each_argument() -> None:
    study = accord.read(SAMPLES / "brat-events")
    events = study.tasks["events"]
    assert marks(events, "ana") == [("Go:Who", 6, 12, 0, 3), ("Go:Where", 6, 12, 18, 23), ("Go:Where", 6, 12, 27, 30)]
    assert marks(events, "ben") == [("Go:Who", 6, 12, 0, 3)]
    assert marks(events, "cy") == []  # was there, and marked no event
    assert marks(study.tasks["relations"], "ana") == [("causes", 6, 12, 27, 30)]  # an event is where its trigger is
    assert marks(study.tasks["Past"], "ana") == [("yes", 6, 12)]
    assert marks(study.tasks["equivalences"], "ana") == [("Equiv", 18, 23, 27, 30)]
    assert marks(study.tasks["Reference"], "ana") == [("Gazetteer:17", 18, 23)]


@pytest.mark.parametrize("name", ["webanno-links", "xmi-links"])
def test_chains_and_slots_are_read_in_characters(name: str) -> None:
    study = accord.read(SAMPLES / name)
    assert marks(study.tasks["CoreferenceLink.referenceRelation"], "ana") == [("coref", 0, 3, 18, 23)]
    assert marks(study.tasks["CoreferenceLink.referenceRelation"], "ben") == []
    assert marks(study.tasks["CoreferenceLink.referenceType"], "ana") == [("name", 0, 3), ("place", 18, 23)]
    assert ("Agent", 6, 12, 0, 3) in marks(study.tasks["Frame.Roles"], "ana")


def test_a_slot_and_a_relation_point_at_the_mark_with_their_number() -> None:
    study = accord.read(SAMPLES / "webanno-links")
    assert marks(study.tasks["Frame.Roles"], "ana")[1] == ("Goal", 6, 12, 18, 30)  # the mark of three tokens
    assert marks(study.tasks["Rel"], "ana") == [("part", 0, 3, 18, 23)]  # the other mark on its first token


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("coref->1-1", "coref>1-1", "A link of a chain looks like"), ("1-1[0_8]", "one", "It should name a token")],
)
def test_a_broken_link_names_the_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    text = (SAMPLES / "webanno-links/annotation/boat.txt/ana.tsv").read_text(encoding="utf-8")
    path = tmp_path / "ana.tsv"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(accord.AccordError, match=rf"ana\.tsv, line \d+: {said}"):
        accord.read(path)


def test_a_track_is_a_box_in_every_frame_in_which_it_is_seen() -> None:
    study = accord.read(SAMPLES / "cvat-video")
    assert tuple(study.items) == ("frame 000000", "frame 000001", "frame 000002")
    item, who, answer, _ = study._annotations.rows
    empty = [(study.items[i], study.annotators[a]) for i, a, k in zip(item, who, answer, strict=True)
             if not study.answers.members[k]]  # fmt: skip
    assert empty == [("frame 000002", "ben")]  # ben saw the frame and the car no more
    assert study._column("attribute.parked").values == ("no",)


def test_a_relationship_of_labelbox_joins_two_entities() -> None:
    study = accord.read(SAMPLES / "labelbox-relationships/export.ndjson")
    named = next(name for name in study.tasks["relationships"].annotators if name.startswith("ana"))
    assert marks(study.tasks["relationships"], named) == [("leaves", 0, 3, 18, 23)]
    assert marks(study.tasks["LOC.sure"], named) == [("yes", 18, 23)]


# -- Label Studio's configuration -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["label-studio-config", "label-studio-config/export.json"])
def test_the_configuration_declares_the_scale_and_the_kind(path: str) -> None:
    study = accord.read(SAMPLES / path)
    topic, tags = study.tasks["topic"], study.tasks["tags"]
    assert (topic.labels, topic.answers.declared, topic.answers.ordered) == (("travel", "news", "else"), True, False)
    assert (tags.kind, tags.labels) == ("set", ("sea", "city"))
    assert study.tasks["where"].labels == ("Coast", "Coast > Port")
    assert "declared for 'topic' and never used: 'else'" in study.notes


def test_who_chose_nothing_where_several_may_be_chosen_gave_the_empty_set() -> None:
    tags = accord.read(SAMPLES / "label-studio-config", only="tags")
    assert (tags.n_annotations, tags.answers.members.count(())) == (4, 1)
    alone = accord.read(SAMPLES / "label-studio-config", only="topic")
    assert alone.n_annotations == 4  # of a single choice nothing is missing


def test_without_the_configuration_nothing_is_declared(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "label-studio-config/export.json", tmp_path)
    study = accord.read(tmp_path / "export.json")
    assert (study.tasks["tags"].kind, study.tasks["tags"].n_annotations) == ("single", 2)
    said = accord.read(tmp_path / "export.json", config=SAMPLES / "label-studio-config/config.xml")
    assert said.tasks["topic"].labels == ("travel", "news", "else")


def test_a_label_that_the_configuration_does_not_know_is_kept_and_told(tmp_path: Path) -> None:
    tasks = json.loads((SAMPLES / "label-studio-config/export.json").read_text(encoding="utf-8"))
    tasks[0]["annotations"][0]["result"][0]["value"]["choices"] = ["older"]
    (tmp_path / "export.json").write_text(json.dumps(tasks), encoding="utf-8")
    study = accord.read(tmp_path / "export.json", config=SAMPLES / "label-studio-config/config.xml")
    assert study.tasks["topic"].labels == ("travel", "news", "else", "older")
    assert "used and not declared: 'older'" in study.notes


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("<View><Text", "config, line 1: It is not XML"),
        ("<annotations/>", "has the root <View>"),
        ("<!DOCTYPE x><View/>", "document type"),
        ("no/such.xml", r"such\.xml: It cannot be opened"),
        (7, "config must be the labelling configuration"),
    ],
)
def test_a_configuration_that_is_none_is_an_error(config: Any, said: str) -> None:
    with pytest.raises(accord.AccordError, match=said):
        accord.read(SAMPLES / "label-studio-config/export.json", config=config)


def test_two_configurations_beside_an_export_are_told_and_not_guessed(tmp_path: Path) -> None:
    for name in ("export.json", "config.xml"):
        shutil.copy(SAMPLES / "label-studio-config" / name, tmp_path)
    shutil.copy(tmp_path / "config.xml", tmp_path / "older.xml")
    study = accord.read(tmp_path / "export.json")
    assert any("2 configurations beside the export" in note for note in study.notes)
    assert not study.tasks["topic"].answers.declared


# -- what was suggested ------------------------------------------------------------------------------------------------


def test_a_field_of_prodigy_says_what_was_suggested() -> None:
    path = SAMPLES / "prodigy-suggested/boats.jsonl"
    study = accord.read(path, suggested="machine.topic")
    assert study.roles["suggested"] == "suggested"
    assert study._column("suggested").values == ("travel",)
    assert accord.measure(study).recommended.measure == "dipietro_hazari_kappa"
    assert study.labels == ("travel", "news", "never")  # the options are the scale
    assert accord.read(path)._column("machine.topic").values == ("travel",)  # and is kept when nobody says so


def test_suggested_sets_are_an_annotator_set_aside() -> None:
    path = SAMPLES / "prodigy-suggested/boats.jsonl"
    study = accord.read(path, suggested="machine.tags")
    assert dict(study.left_out) == {"suggested by a model or heuristic": 2}
    counted = accord.read(path, suggested="machine.tags", include=["suggested"], answers="set")
    assert counted.annotators == ("ana", "ben", "machine.tags")
    with pytest.raises(accord.AccordError, match=r"No column 'machine\.tone'"):
        accord.read(path, suggested="machine.tone")


def test_other_roles_cannot_be_chosen_in_an_export() -> None:
    with pytest.raises(accord.AccordError, match="has no columns to choose: 'item'"):
        accord.read(SAMPLES / "prodigy-suggested/boats.jsonl", format="prodigy", item="id")


# -- variables of different kinds --------------------------------------------------------------------------------------


def test_every_variable_is_measured_by_what_fits_it() -> None:
    study = accord.read(SAMPLES / "label-studio-config")
    table = accord.measure(study).to_table()
    fitting = {row["variable"]: row["coefficient"] for row in table}
    assert fitting == {
        "tags": "Krippendorff's alpha (MASI)", "topic": "Cohen's kappa", "where": "Krippendorff's alpha (MASI)",
    }  # fmt: skip
    for row in table:
        alone = accord.measure(study.tasks[row["variable"]]).recommended
        assert np.isclose(row["value"], alone.value, equal_nan=True)


def test_one_coefficient_has_the_weights_that_fit_each_variable() -> None:
    study = accord.read(SAMPLES / "label-studio-config")
    alpha = accord.measure(study)["krippendorff_alpha"]
    rows = {row["variable"]: row["value"] for row in alpha.by_group()}
    assert rows["tags"] == pytest.approx(accord.krippendorff_alpha(study.tasks["tags"], weights="masi").value)
    assert rows["topic"] == pytest.approx(accord.krippendorff_alpha(study.tasks["topic"]).value)
    assert json.loads(json.dumps(accord.measure(study).to_dict()))["recommended"] == "krippendorff_alpha"


def test_a_project_holds_a_zip_for_each_annotator(tmp_path: Path) -> None:
    """As INCEpTION exports projects in UIMA formats: the document and its types, packed once more."""
    project = tmp_path / "project.zip"
    with zipfile.ZipFile(project, "w") as archive:
        for who, place in (("ana", "annotation"), ("ben", "annotation"), ("CURATION_USER", "curation")):
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w") as packed:
                source = SAMPLES / "xmi" / f"{'ana' if who == 'CURATION_USER' else who}.xmi"
                packed.writestr(f"{who}.xmi", source.read_bytes())
                packed.writestr("TypeSystem.xml", "<typeSystemDescription/>")
            archive.writestr(f"{place}/boat.txt/{who}.zip", inner.getvalue())
        archive.writestr("exportedproject.json", "{}")
    study = accord.read(project)
    assert (study.annotators, tuple(study.items), study.kind) == (("ana", "ben"), ("boat.txt",), "spans")
    assert dict(study.left_out) == {"adjudicated (gold)": 1}


def test_a_broken_zip_in_a_project_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "annotation" / "boat.txt"
    folder.mkdir(parents=True)
    (folder / "ana.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(accord.AccordError, match=r"annotation/boat\.txt/ana\.zip: It cannot be read as a zip"):
        accord.read(tmp_path)

"""Real exports: counts and agreement as their READMEs give them."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import pytest

import accord
from accord.study.study import Study
from tests.shared import DATA

pytestmark = pytest.mark.shared


def counts(study: Study) -> tuple[int, int, int]:
    return study.n_items, study.n_annotators, study.n_annotations


def told(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / name / "meta.json").read_text(encoding="utf-8"))
    return found


LONG = ["conconcor", "linkedin_posts", "pandalm_pairwise", "presto_distortion", "snow2008_rte"]


@pytest.mark.parametrize("name", LONG)
def test_long_tables_have_the_counts_of_their_readme(name: str) -> None:
    meta, study = told(name), accord.read(DATA / name / "long.csv")
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])
    assert len(study.labels) == meta["labels"]


def test_a_long_table_of_sets_has_the_counts_of_its_readme() -> None:
    meta, study = told("presto_types"), accord.read(DATA / "presto_types/long.csv", answers="set")
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])


def test_a_label_that_stands_twice_in_an_answer_is_told() -> None:
    with pytest.raises(accord.AccordError, match="stands twice in one answer"):
        accord.read(DATA / "leoka_taxonomy/long.csv", answers="set")


@pytest.mark.parametrize("name", ["mqm_wmt23_ende_3raters", "novels_ner_doccano"])
def test_long_tables_of_spans_have_the_counts_of_their_readme(name: str) -> None:
    meta, study = told(name), accord.read(DATA / name / "long.csv")
    assert study.kind == "spans"
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])


def test_scores_of_several_emotions_are_variables() -> None:
    meta = told("snow2008_affect")
    study = accord.read(DATA / "snow2008_affect/long.csv", task="label", score="score")
    assert len(study.tasks) == meta["labels"]
    for emotion, part in study.tasks.items():
        assert counts(part) == (meta["items"], meta["annotators"], meta["judgements"])
        alpha = accord.krippendorff_alpha(part, level="interval").value
        assert alpha == pytest.approx(meta["stats"][f"alpha interval {emotion}"], abs=1e-9)


def test_the_prodigy_export_of_one_label_agrees_with_its_readme_and_the_published_kappas() -> None:
    meta = told("presto_distortion")
    study = accord.read(DATA / "presto_distortion/original/presto_distortion.jsonl")
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])
    assert dict(study.left_out) == {"rejected": 2, "rows without an answer": 1}
    assert accord.krippendorff_alpha(study).value == pytest.approx(meta["stats"]["alpha nominal (3 humans)"], abs=1e-9)
    table = accord.pairwise(study, "cohen_kappa")
    values = sorted(row["value"] for row in table)
    expected = sorted(value for key, value in meta["stats"].items() if key.startswith("Cohen") and "pre-ann" not in key)
    assert values == pytest.approx(expected, abs=1e-9)
    # the authors published .646, .671, .716, on a slightly different selection of records
    assert values == pytest.approx([0.646, 0.671, 0.716], abs=0.01)


def test_the_prodigy_export_of_sets_agrees_with_its_readme() -> None:
    meta = told("presto_types")
    folder = DATA / "presto_types/original"
    study = accord.read(folder / "presto_types.jsonl", include=["rejected"])
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])
    alpha = accord.krippendorff_alpha(study, weights="masi").value
    assert alpha == pytest.approx(meta["stats"]["alpha MASI, all items (own code)"], abs=1e-9)
    subset = accord.read(folder / "types_de_los_coincidentes.jsonl", include=["rejected"])
    assert subset.n_items == meta["stats"]["items in the published 131-item subset"]
    assert accord.krippendorff_alpha(subset, weights="masi").value == pytest.approx(
        meta["stats"]["alpha MASI, 131-item subset (own code)"], abs=1e-9
    )
    exact = sorted(row["value"] for row in accord.pairwise(subset, "cohen_kappa", weights="identity"))
    expected = sorted(value for key, value in meta["stats"].items() if key.startswith("exact-set"))
    assert exact == pytest.approx(expected, abs=1e-9)
    published = sorted((0.479, 0.310, 0.255))
    assert exact[1:] == pytest.approx(published[1:], abs=0.002)


def test_the_prodigy_export_of_sets_has_the_published_kappas_by_type() -> None:
    """Each type as a yes/no question; the authors' mean over the ten types, for each pair."""
    subset = accord.read(DATA / "presto_types/original/types_de_los_coincidentes.jsonl", include=["rejected"])
    held = subset.answers.membership
    item, annotator, answer, _ = subset._annotations.rows
    means = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        first = dict(zip(item[annotator == one].tolist(), answer[annotator == one].tolist(), strict=True))
        second = dict(zip(item[annotator == other].tolist(), answer[annotator == other].tolist(), strict=True))
        both = sorted(first.keys() & second.keys())
        kappas = [
            accord.cohen_kappa([bool(held[first[i], k]) for i in both], [bool(held[second[i], k]) for i in both]).value
            for k in range(len(subset.labels))
        ]
        means.append(float(np.mean(kappas)))
    assert sorted(means) == pytest.approx([0.41544891069672, 0.471677901513829, 0.64046713611537], abs=1e-9)


def test_the_label_studio_exports_have_the_counts_of_their_teams() -> None:
    with (DATA / "leoka_taxonomy/long.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for team in ("1", "7"):
        mine = [row for row in rows if row["team"] == f"team{team}"]
        expected = (
            len({row["item"] for row in mine}),
            len({row["annotator"] for row in mine}),
            len({(row["item"], row["annotator"]) for row in mine}),
        )
        study = accord.read(DATA / f"leoka_taxonomy/original/LEOKA_team_{team}.json")
        category = study.tasks["Category"]
        assert counts(category) == expected
        assert sum(len(category.answers.members[k]) for k in category._annotations.rows[2]) == len(mine)
        assert study.tasks["label"].kind == "spans"
        assert not any("UTF-16" in note for note in study.notes)


def test_the_doccano_export_has_the_spans_of_its_readme() -> None:
    meta = told("novels_ner_doccano")
    study = accord.read(DATA / "novels_ner_doccano/original", adjudicator="1")
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])
    marks = sum(len(study.answers.members[k]) for k in study._annotations.rows[2])
    assert marks + study.left_out.get("marks standing twice in one answer", 0) == meta["rows"]


def test_pandalm_has_the_published_kappas() -> None:
    meta = told("pandalm_pairwise")
    study = accord.read(DATA / "pandalm_pairwise/long.csv")
    assert study.roles["kind"] == "annotator_type"
    found = {(row["first"], row["second"]): row["value"] for row in accord.pairwise(study, "cohen_kappa")}
    for (one, other), value in found.items():
        assert value == pytest.approx(meta["stats"][f"Cohen kappa {one} vs {other} (n=999)"], abs=1e-9)
    people = [found[pair] for pair in (("human1", "human2"), ("human1", "human3"), ("human2", "human3"))]
    assert people == pytest.approx([0.85, 0.88, 0.86], abs=0.005)
    alpha = accord.krippendorff_alpha(study.of_annotators(["human1", "human2", "human3"])).value
    assert alpha == pytest.approx(meta["stats"]["alpha nominal, humans"], abs=1e-9)


def test_conconcor_has_the_alphas_of_its_readme() -> None:
    meta = told("conconcor")
    study = accord.read(DATA / "conconcor/long.csv")
    assert accord.krippendorff_alpha(study).value == pytest.approx(
        meta["stats"]["alpha nominal (4 options, all)"], abs=1e-9
    )


def test_conconcor_has_the_published_alpha_of_every_batch() -> None:
    """A batch is the annotators who were given the same texts; the file does not name it."""
    study = accord.read(DATA / "conconcor/long.csv")
    with (DATA / "conconcor/published_alpha.csv").open(encoding="utf-8", newline="") as stream:
        published = sorted(float(row["published"]) for row in csv.DictReader(stream))
    item, annotator, _, _ = study._annotations.rows
    batches: dict[bytes, list[str]] = {}
    for place, name in enumerate(study.annotators):
        batches.setdefault(np.sort(item[annotator == place]).tobytes(), []).append(name)
    several = [study.of_annotators(people) for people in batches.values() if len(people) > 1]
    found = sorted(accord.krippendorff_alpha(batch).value for batch in several)
    assert (
        len(found)
        == len(published)
        == told("conconcor")["stats"]["batches compared with the published per-batch alpha"]
    )
    assert found == pytest.approx(published, abs=0.0005)


def test_what_was_suggested_in_the_prodigy_export_has_the_kappas_of_its_readme() -> None:
    meta = told("presto_distortion")
    path = DATA / "presto_distortion/original/presto_distortion.jsonl"
    study = accord.read(path, suggested="pre-ann-category.distortion")
    suggested = study._item_column("suggested", "suggested")
    item, annotator, answer, _ = study._annotations.rows
    values = []
    for place in range(3):
        mine = annotator == place
        said = [study.labels[k] for k in answer[mine]]
        shown = [suggested.values[k] for k in suggested.codes[item[mine]]]
        values.append(accord.cohen_kappa(said, shown).value)
    expected = sorted(value for key, value in meta["stats"].items() if "pre-ann" in key)
    assert sorted(values) == pytest.approx(expected, abs=1e-9)
    # the authors published .636, .650, .754, on a slightly different selection of records
    assert sorted(values) == pytest.approx([0.636, 0.650, 0.754], abs=0.01)


@pytest.mark.parametrize("name", ["linkedin_posts", "snow2008_rte"])
def test_long_tables_have_the_alpha_of_their_readme(name: str) -> None:
    study = accord.read(DATA / name / "long.csv")
    assert accord.krippendorff_alpha(study).value == pytest.approx(told(name)["stats"]["alpha nominal"], abs=1e-9)


def test_sets_of_the_taxonomy_have_the_alpha_of_their_readme() -> None:
    meta = told("leoka_taxonomy")
    study = accord.read(DATA / "leoka_taxonomy/long.csv", answers="set", duplicates="first")
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])
    alpha = accord.krippendorff_alpha(study, weights="masi").value
    assert alpha == pytest.approx(meta["stats"]["alpha MASI, leaf labels (own code)"], abs=1e-9)


def test_scores_beside_a_label_that_never_changes_are_asked_about() -> None:
    meta, path = told("snow2008_wordsim"), DATA / "snow2008_wordsim/long.csv"
    with pytest.raises(accord.AccordError, match=r"score='score'\) or accord\.read\('long\.csv', label='label'\)"):
        accord.read(path)
    study = accord.read(path, score="score")
    assert counts(study) == (meta["items"], meta["annotators"], meta["judgements"])
    for level in ("interval", "ordinal"):
        alpha = accord.krippendorff_alpha(study, level=level).value
        assert alpha == pytest.approx(meta["stats"][f"alpha {level}"], abs=1e-9)


def test_rankings_of_systems_have_the_alphas_of_their_readme() -> None:
    meta = told("squality_ranking")
    study = accord.read(DATA / "squality_ranking/long.csv", shape="ranking", label="label", rank="rank")
    assert set(study.tasks) == {"correctness", "overall", "selection"}
    for name, part in study.tasks.items():
        alpha = accord.krippendorff_alpha(part, level="ordinal").value
        assert alpha == pytest.approx(meta["stats"][f"alpha ordinal rank {name}"], abs=1e-9)

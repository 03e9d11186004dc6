"""Real studies: several labels per item, and labels suggested beforehand."""

from __future__ import annotations

import csv
from typing import Any

import pytest

import accord
from accord import multilabel
from tests.oracles import multilabel as oracle
from tests.shared import DATA

pytestmark = pytest.mark.shared


def rows(name: str, file: str = "long.csv") -> list[dict[str, Any]]:
    with (DATA / name / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def set_study(name: str, team: str | None = None) -> accord.Study:
    mine = [row for row in rows(name) if team is None or row["team"] == team]
    held = list(dict.fromkeys((row["item"], row["annotator"], row["label"]) for row in mine))  # each label once
    table = {key: [row[k] for row in held] for k, key in enumerate(("item", "annotator", "label"))}
    return accord.Study(table, answers="set")


@pytest.mark.parametrize(("name", "team"), [("presto_types", None), ("leoka_taxonomy", "team1")])
def test_am_of_a_real_study_is_that_of_the_oracle(name: str, team: str | None) -> None:
    study = set_study(name, team)
    items: dict[Any, dict[str, Any]] = {}
    for row in rows(name):
        if team and row["team"] != team:
            continue
        held = items.setdefault(row["item"], {})
        held[row["annotator"]] = held.get(row["annotator"], frozenset()) | (
            {row["label"]} if row["label"] else frozenset()
        )
    slow = oracle.am(list(items.values()), list(study.labels), clubbed=True)
    found = accord.bhowmick_am(study)
    assert found.value == pytest.approx(slow.value, abs=1e-12)
    assert found.interval(method="jackknife").se == pytest.approx(found.interval().se, rel=0.05)
    assert len(multilabel.set_measures(study)) == 11


def test_published_alpha_with_masi_stands_in_the_comparison() -> None:
    table = multilabel.set_measures(set_study("presto_types"))
    found = {(row["measure"], row["weights"]): row["value"] for row in table}
    assert found["krippendorff_alpha", "masi"] == pytest.approx(0.363, abs=0.01)


def test_pre_annotations_are_judged_by_the_people_who_saw_them() -> None:
    answers, suggested = rows("presto_distortion"), rows("presto_distortion", "suggested.csv")
    table = {key: [row[key] for row in answers] for key in ("item", "annotator", "label")}
    study = accord.Study(table, duplicates="first")
    mapping = {row["item"]: row["label"] or None for row in suggested}
    found = accord.dipietro_hazari_kappa(study, suggested=mapping)
    items: dict[Any, dict[str, Any]] = {}
    for row in answers:
        if row["label"]:
            items.setdefault(row["item"], {}).setdefault(row["annotator"], row["label"])
    slow = oracle.dh_kappa(list(items.values()), [mapping.get(item) for item in items], list(study.labels))
    assert found.value == pytest.approx(slow.value, abs=1e-12)
    inside: Any = found.coefficient
    assert inside.fleiss == pytest.approx(0.683, abs=0.01)

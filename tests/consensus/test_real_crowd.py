"""Snow et al. 2008: recognising textual entailment, answered by a crowd."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import accord
from accord import Study
from tests.shared import DATA

pytestmark = pytest.mark.shared


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / "snow2008_rte" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def study() -> Study:
    return Study(rows("long.csv"))


@pytest.fixture(scope="module")
def truth() -> dict[str, str]:
    return {row["item"]: next(value for name, value in row.items() if name != "item") for row in rows("gold.csv")}


@pytest.mark.parametrize(
    ("method", "accuracy"),
    [
        ("majority", 0.896875),  # expected under random ties
        ("worker-agreement", 0.92125),
        ("one-coin", 0.9250),
        ("dawid-skene", 0.9275),
        ("mace", 0.92625),
        ("glad", 0.9250),
        ("expert-index", 0.8775),
        ("sharpening", 0.93125),
    ],
)
def test_the_reproduced_accuracies(study: Study, truth: dict[str, str], method: str, accuracy: float) -> None:
    score = accord.gold(study, method=method).score(truth)
    assert score.n_items == 800
    assert score.accuracy == pytest.approx(accuracy, abs=1.3e-3)  # one item


def test_auto_chooses_a_model_that_does_at_least_as_well(study: Study, truth: dict[str, str]) -> None:
    gold = accord.gold(study, rng=0)
    assert gold.method == "dawid-skene"
    assert gold.score(truth).accuracy == pytest.approx(0.9275, abs=1.3e-3)


def test_the_likelihood_an_answer_is_the_true_one(study: Study) -> None:
    gold = accord.gold(study, method="dawid-skene", prior="none")
    assert gold.log_likelihood / 8000 == pytest.approx(-0.4600, abs=5e-5)


def known(name: str) -> tuple[Study, Path]:
    """A study and the file with its truth."""
    return accord.read(DATA / name / "long.csv"), DATA / name / "gold.csv"


@pytest.mark.parametrize(
    ("name", "auto", "votes"),
    [
        ("snow2008_rte", 0.928, 0.897),
        ("linkedin_posts", 0.951, 0.947),  # its reference was voted
    ],
)
def test_auto_is_not_materially_below_the_majority(name: str, auto: float, votes: float) -> None:
    study, truth = known(name)
    found = [accord.gold(study, method=method).score(truth).accuracy for method in ("auto", "majority")]
    assert found == pytest.approx([auto, votes], abs=1.3e-3)


@pytest.mark.slow
def test_tags_of_named_entities_keep_their_names() -> None:
    import polars as pl

    item = (pl.col("sentence") + "_" + pl.col("token").cast(pl.String)).alias("item")
    answers = pl.read_parquet(DATA / "crowd_ner" / "answers.parquet").select(item, "annotator", label="tag")
    truth = pl.read_parquet(DATA / "crowd_ner" / "gold.parquet").select(item, "tag")
    reference = dict(zip(truth["item"].to_list(), truth["tag"].to_list(), strict=True))
    gold = accord.gold(Study(answers))
    assert gold.notes[0].startswith("dawid-skene was refused")
    assert "'I-MISC'" in gold.notes[0], "32% of its answers, and of its items 32% are such"
    assert not any(remark for remark in gold.by_label()["remark"])
    votes = accord.gold(Study(answers), method="majority")
    found = [one.score(reference).accuracy for one in (gold, votes)]
    assert found == pytest.approx([0.940, 0.929], abs=5.1e-4)


def test_word_similarity_finds_its_numbers() -> None:
    study = accord.read(DATA / "snow2008_wordsim" / "long.csv", score="score")
    score = accord.gold(study).score(DATA / "snow2008_wordsim" / "gold.csv")
    assert score.numbers is not None

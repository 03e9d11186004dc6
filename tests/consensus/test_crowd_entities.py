"""Crowd named entities (Rodrigues et al. 2014; README of data/crowd_ner): token tags of 46 workers, exact span F1.

The values of votes are exact; those of Dawid & Skene may move by 0.4 points, as the last digit depends on when the
iteration stops.
"""

from __future__ import annotations

from functools import cache

import pytest

import accord
from accord import Study
from accord.consensus.spans.scoring import SpanScore
from tests.shared import DATA

pytestmark = pytest.mark.shared

ORDER = ["PER", "LOC", "ORG", "MISC"]  # in which the tags were tried where votes were tied
FOLDER = DATA / "crowd_ner"


@pytest.fixture(scope="module")
def study() -> Study:
    return accord.read(FOLDER / "answers.parquet", labels=ORDER)


@cache
def score(study: Study, method: str, **options: object) -> SpanScore:
    found = accord.gold(study, method=method, **options).score(FOLDER / "gold.parquet", item="sentence")  # type: ignore[arg-type]
    assert isinstance(found, SpanScore)
    return found


def test_the_file_is_read_as_spans_without_options() -> None:
    study = accord.read(FOLDER / "answers.parquet")
    assert (study.kind, len(study.items), len(study.annotators)) == ("spans", 2800, 46)


@pytest.mark.parametrize(
    ("ties", "matched", "predicted", "f1"),
    [
        ("first", 3078, 3841, 70.14585232452143),
        ("last", 3163, 3798, 72.43787930837055),
        ("outside", 2728, 3279, 66.42),
    ],
)
def test_votes_of_tokens_are_the_published_counts_under_each_tie_rule(
    study: Study, ties: str, matched: int, predicted: int, f1: float
) -> None:
    found = score(study, "token-majority", ties=ties, transitions="free")
    assert (found.matched, found.predicted, found.reference) == (matched, predicted, 4935)
    assert 100 * found.f1 == pytest.approx(f1, abs=0.005)


@pytest.mark.parametrize(("prior", "f1"), [(0.01, 76.19448537150073), (1.0, 77.14164546225615)])
def test_dawid_skene_of_tokens_has_the_f1_of_the_readme(study: Study, prior: float, f1: float) -> None:
    found = score(study, "dawid-skene", prior=prior, transitions="free")
    assert 100 * found.f1 == pytest.approx(f1, abs=0.4)


@pytest.mark.slow
def test_sequences_are_a_point_and_a_half_above_dawid_skene_with_the_same_smoothing(study: Study) -> None:
    sequence, tokens = (score(study, method, prior=0.01).f1 for method in ("sequence", "dawid-skene"))
    assert 100 * (sequence - tokens) >= 1.5
    assert 100 * (score(study, "sequence").f1 - score(study, "dawid-skene").f1) >= 1.5


@pytest.mark.slow
def test_auto_takes_the_sequence_model(study: Study) -> None:
    assert accord.gold(study).method == "sequence"

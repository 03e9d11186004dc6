"""Argilla, Langfuse and Phoenix as their clients give annotations today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import accord
from tests.readers.test_samples import SAMPLES


def test_scores_of_version_3_are_of_their_subject() -> None:
    tasks = accord.read(SAMPLES / "langfuse-v3/scores.json").tasks
    assert (tasks["helpful"].items, tasks["helpful"].annotators) == (("t1",), ("ana", "ben"))
    assert (tasks["safe"].items, tasks["safe"].labels) == (("o1",), ("true",))


def test_a_score_without_its_subject_says_how_to_ask_for_it(tmp_path: Path) -> None:
    score = {"name": "x", "value": 1, "dataType": "NUMERIC", "source": "API", "environment": "default"}
    (tmp_path / "s.json").write_text(json.dumps([score]))
    with pytest.raises(accord.AccordError, match="fields=subject"):
        accord.read(tmp_path / "s.json")


def test_phoenix_calls_the_columns_of_its_dataframe_otherwise() -> None:
    tasks = accord.read(SAMPLES / "phoenix-dataframe/annotations.csv").tasks
    assert (tasks["correct"].annotators, tasks["correct"].labels) == (("ana", "judge-2"), ("no", "yes"))
    assert tasks["relevant"].items == ("s1/0", "s1/1")  # documents that one span found


def test_argilla_on_disk_declares_its_questions() -> None:
    tasks = accord.read(SAMPLES / "argilla-disk").tasks
    assert tasks["topic"].labels == ("travel", "news", "never")
    assert (tasks["stars"].labels, tasks["stars"].level) == ((1, 2, 3), "ordinal")

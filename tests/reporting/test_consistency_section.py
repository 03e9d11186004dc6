"""The section of the report on repeated runs of a model."""

from __future__ import annotations

from pathlib import Path

import accord
from accord.reporting.context import Context
from accord.reporting.sections import consistency

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_section_comes_where_runs_were_repeated() -> None:
    assert not consistency.needs(Context(accord.read(EXAMPLES / "judged-answers.csv")))
    section = consistency.build(Context(accord.read(EXAMPLES / "repeated-runs.csv", duplicates="repeat")))
    assert "gave its commonest answer" in section.html
    assert "wavers most" in section.markdown
    assert "<script" not in section.html


def test_of_people_and_models_only_models_are_in_it() -> None:
    rows = {
        "item": [1, 1, 1, 1, 2, 2, 2, 2], "annotator": ["ana", "ana", "gpt", "gpt"] * 2, "label": list("abababab"),
        "kind": ["person", "person", "model", "model"] * 2,
    }  # fmt: skip
    section = consistency.build(Context(accord.Study(rows, kind="kind", duplicates="repeat")))
    assert "gpt" in section.html
    assert "ana" not in section.html

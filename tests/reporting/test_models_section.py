"""The section of the report on models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord
import accord.errors
from accord.reporting.anonymise import anonymised
from accord.reporting.context import N_RESAMPLES, Context
from accord.reporting.sections import models

EXAMPLE = Path(__file__).parents[2] / "examples" / "judged-answers.csv"
HOSTILE = "<script>alert('hi')</script>"


def rows(**columns: list[Any]) -> accord.Study:
    base: dict[str, list[Any]] = {
        "item": [item for item in range(12) for _ in range(4)],
        "annotator": ["ana", "ben", "chloe", "gpt"] * 12,
        "label": [
            ("a", "b")[(item + (who == 3)) % 2 if item < 4 else item % 2] for item in range(12) for who in range(4)
        ],
        "kind": ["person", "person", "person", "model"] * 12,
    }
    return accord.Study({**base, **columns}, kind="kind")


def test_the_section_comes_where_the_kind_column_tells_a_model_and_nowhere_else() -> None:
    assert models.needs(Context(accord.read(EXAMPLE)))
    assert models.needs(Context(rows()))
    assert not models.needs(Context(accord.Study.from_wide([["a", "b"], ["b", "b"]])))
    assert not models.needs(Context(rows(kind=["person"] * 48)))
    assert not models.needs(Context(rows(kind=["model"] * 48)))
    with pytest.raises(accord.errors.InputError, match="found 'robot'"):  # who is measured would not be known
        models.needs(Context(rows(kind=["robot"] * 48)))


def test_the_section_says_what_the_verdict_says_in_html_and_markdown() -> None:
    study = accord.read(EXAMPLE)
    found = models.build(Context(study))
    described = accord.judge.verdict(study, n_resamples=N_RESAMPLES)
    for name in described.models:
        sentence = described.sentence(name)
        assert sentence.partition(". ")[0] in found.html
        assert sentence.partition(". ")[0] in found.markdown
    assert found.html.count("<svg") == 4  # two charts, each for a desk and a telephone
    assert "count as missing" in found.html
    assert "flatterer: precision and recall by label" in found.html


def test_names_and_labels_of_any_kind_are_text() -> None:
    study = rows(
        annotator=["ana", "ben", "chloe", HOSTILE] * 12,
        label=[HOSTILE if item % 3 else "b" for item in range(12) for _ in range(4)],
    )
    found = models.build(Context(study))
    assert "<script>" not in found.html
    assert "&lt;script&gt;" in found.html


def test_without_names_the_models_are_judged_all_the_same() -> None:
    study, _ = anonymised(accord.read(EXAMPLE), rng=1)
    found = models.build(Context(study, anonymised=True))
    assert not any(name in found.html for name in ("ana ", "chloe", "dario", "flatterer"))
    assert "is worse than a person" in found.html


def test_two_people_and_no_overlap_have_a_section_too() -> None:
    few = rows(kind=["person", "person", "model", "model"] * 12)
    assert "cannot be tested" in models.build(Context(few)).html
    apart = accord.Study(
        {"item": [1, 1, 1, 2], "annotator": ["a", "b", "c", "m"], "label": ["x", "y", "x", "x"],
         "kind": ["person"] * 3 + ["model"]}, kind="kind",
    )  # fmt: skip
    assert "undefined" in models.build(Context(apart)).html

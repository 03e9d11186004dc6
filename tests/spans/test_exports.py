"""Exports with spans, relations and attributes beside each other: each layer has its own measure."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

pytestmark = pytest.mark.usefixtures("few_planted_errors")

SAMPLES = Path(__file__).parents[1] / "readers" / "samples"


@pytest.mark.parametrize(
    "name", ["brat", "brat-events", "inception", "webanno-links", "xmi-links", "labelbox-relationships"]
)
def test_every_layer_has_what_fits_it(name: str) -> None:
    study = accord.read(SAMPLES / name)
    told = accord.measure(study).recommended.by_group()
    kinds = {str(task): part.kind for task, part in study.tasks.items()}
    assert {"spans", "relations"} <= set(kinds.values())
    for part in study.tasks.values():
        if part.kind == "relations":
            assert accord.relation_f1(part).n_annotators == part.n_annotators
    assert len(told) == len(kinds)
    assert accord.explain(study).headline


def test_layers_of_a_single_document_cannot_be_told_apart_and_say_so() -> None:
    """An error within a document is none between documents: variables are then not compared by it."""
    study = accord.read(SAMPLES / "webanno-links")
    layers = accord.gamma(study).by_group()
    assert len(layers) == len(study.tasks)

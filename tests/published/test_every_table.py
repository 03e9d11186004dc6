"""The tables themselves: each belongs to a paper, and the twin, sharing no code, computes what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests import twin
from tests.tables import Figure, Table, tables

PUBLISHED = Path(__file__).parent
SETS: dict[str, twin.Weight] = {"jaccard": twin.jaccard, "dice": twin.dice, "masi": twin.masi}
SIMPLE = [f for table in tables() for f in table.figures() if f.part in ("value", "observed", "expected")]


def test_every_table_is_read_by_the_test_of_one_paper() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in PUBLISHED.glob("test_*.py"))
    papers = re.findall(r'^@printed_in\("(.+)"\)', tests, re.MULTILINE)
    read = [table.name for paper in papers for table in tables(paper)]
    assert sorted(read) == [table.name for table in tables()]


@pytest.mark.parametrize("figure", SIMPLE, ids=str)
def test_the_twin_computes_what_was_printed(figure: Figure) -> None:
    assert getattr(by_the_twin(figure.table, figure.case), figure.part) == figure.printed()


def by_the_twin(table: Table, case: dict[str, Any]) -> twin.Parts:
    """The case without accord."""
    study = twin_study(table)
    options = case.get("options", {})
    seen = {answer for item in study for answer in item.values()}
    labels = list(seen) if table.data_kind == "sets" else options.get("labels") or table.labels or sorted(seen)
    name, chance = case["measure"], options.get("chance", "pooled")
    measure = twin.weighted_alpha if name == "krippendorff_alpha" else getattr(twin, name)
    if "label" in case:
        one_label = twin.fleiss_kappa if chance == "pooled" and name != "krippendorff_alpha" else measure
        return twin.by_label(study, labels, one_label)[case["label"]]
    if "level" in options:
        return twin.krippendorff_alpha(study, labels, options["level"])
    return measure(study, labels, twin_weights(options.get("weights"), labels))


def twin_study(table: Table) -> list[dict[twin.Annotator, twin.Answer]]:
    """The table as the twin reads it."""
    match table.data_kind:
        case "counts":
            return twin.from_counts(table.data, table.labels or [])
        case "contingency":
            return twin.from_confusion(table.data, table.labels or [])
        case "sets":
            return twin.from_wide([[frozenset(answer) for answer in row] for row in table.data])
    return twin.from_wide(table.data)


def twin_weights(weights: str | list[list[float]] | None, labels: twin.Labels) -> twin.Weight:
    """The weights of a case as a function of two answers."""
    if weights is None:
        return twin.identity
    if isinstance(weights, str):
        return SETS[weights] if weights in SETS else twin.gwet_weights(weights, labels)
    place = {label: k for k, label in enumerate(labels)}
    return lambda a, b: weights[place[a]][place[b]]

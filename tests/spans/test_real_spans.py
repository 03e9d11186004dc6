"""Real studies of spans: figures that came with them, and why one differs."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import polars as pl
import pytest

import accord
from tests import shared

pytestmark = pytest.mark.shared


def test_names_in_novels_have_the_f1_that_came_with_them() -> None:
    """README of novels_ner_doccano: pairwise exact-span F1 0.799."""
    study = accord.read(shared.DATA / "novels_ner_doccano" / "long.csv")
    exact = accord.span_f1(study)
    assert round(exact.value, 3) == 0.799
    assert exact.value < accord.span_f1(study, match="boundary").value < accord.span_f1(study, match="overlap").value
    rows = accord.span_differences(study)
    assert sum(row["what"] == "same" for row in rows) == 2_154


def test_translation_errors_differ_from_their_figure_by_who_marked_nothing() -> None:
    """README of mqm_wmt23_ende_3raters: 0.295, without whoever marked nothing in a segment; that is an answer here."""
    path = shared.DATA / "mqm_wmt23_ende_3raters" / "long.csv"
    study = accord.read(path)
    assert round(accord.span_f1(study, average="pooled").value, 3) == 0.270
    assert round(accord.span_f1(study).value, 3) == 0.276
    marked = pl.read_csv(path, infer_schema_length=None).filter(pl.col("start").is_not_null())
    assert round(_without_unmarked(marked), 3) == 0.295


def _without_unmarked(marked: pl.DataFrame) -> float:
    """Pooled F1 over segments and raters with a mark of both."""
    held: defaultdict[str, defaultdict[str, Counter[tuple[str, int, int]]]] = defaultdict(lambda: defaultdict(Counter))
    for item, who, label, start, end in marked.select("item", "annotator", "label", "start", "end").iter_rows():
        held[item][who][label, start, end] += 1
    same = total = 0
    for people in held.values():
        for one, other in combinations(people, 2):
            same += (people[one] & people[other]).total()
            total += people[one].total() + people[other].total()
    return 2 * same / total


def test_what_is_found_in_translation_errors() -> None:
    """Raters mark unequally much, and two categories are taken for each other."""
    found = accord.explain(accord.read(shared.DATA / "mqm_wmt23_ende_3raters" / "long.csv"))
    names = {warning.name for warning in found.warnings}
    assert {"span-presence", "span-labels", "marks-more", "marks-fewer", "confused-labels"} <= names
    [confused] = [one for one in found.warnings if one.name == "confused-labels"]
    assert confused.labels == ("Accuracy/Mistranslation", "Style/Unnatural or awkward")


def test_names_in_novels_are_quiet() -> None:
    found = accord.explain(accord.read(shared.DATA / "novels_ner_doccano" / "long.csv"))
    assert found.warnings == ()
    assert [note.name for note in found.notes] == ["span-losses", "gamma-meaning"]

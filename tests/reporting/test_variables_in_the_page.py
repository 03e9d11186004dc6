"""Several variables: full sections for each, and what they share said once."""

from __future__ import annotations

import pytest

import accord
from accord.reporting.chapters import chapters
from accord.reporting.context import Context
from accord.reporting.finding_groups import groups
from accord.reporting.page import rendered
from accord.reporting.sections.findings import build
from tests.reporting.pages import STUDIES, Page, long_table


def low(number: int = 6) -> accord.Study:
    """Variables in which nobody agrees with anybody, and items that have texts."""
    columns: dict[str, list[object]] = {name: [] for name in ("item", "annotator", "label", "task", "text")}
    for variable in range(number):
        table = long_table(40, ("ana", "ben", "chloe"), lambda item, who: "xy"[(item * (2 + ord(who[0]))) // 5 % 2])
        for name in ("item", "annotator", "label"):
            columns[name] += table[name]
        columns["task"] += [f"tone {variable}"] * 120
        columns["text"] += [f"What was said in place {item}" for item in table["item"]]
    return accord.Study(columns, task="task", text="text")


def test_every_variable_has_labels_annotators_items_with_texts_and_gold() -> None:
    page = Page(rendered(Context(low(2)), ".html"))
    ids = {attributes.get("id") for _, attributes in page.tags}
    for prefix in ("v1", "v2"):
        assert prefix in page.sections
        assert {f"{prefix}-{part}" for part in ("labels", "annotators", "items", "gold", "contested")} <= ids
    assert "What was said in place i" in page.text
    assert "It shows texts of items." in page.text


def test_the_same_warning_of_six_variables_is_one() -> None:
    context = Context(low())
    section = build(context)
    warnings = [group for group in groups(context.findings) if group.first.name == "low-agreement"]
    assert len(warnings) == 1
    assert warnings[0].title == "Low agreement in six variables"
    assert section.html.count("Low agreement") == 1
    assert section.html.count(warnings[0].remedy.replace("'", "&#x27;")) == 1
    assert all(f"tone {place}" in section.html for place in range(6))


def test_of_very_many_variables_the_lowest_have_sections_and_the_others_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("accord.reporting.chapters.MOST", 1)
    tone = STUDIES["single"]()
    context = Context(tone._with_tasks({"clear": STUDIES["all_alike"](), "tone": tone}))
    *_, chapter, others = chapters(context)
    assert (chapter.title, others.title) == ("tone", "Further variables")
    assert "others has them too: clear." in others.html


def test_a_variable_of_boxes_is_not_called_undefined() -> None:
    places = {"item": ["a", "a", "b", "b"], "annotator": ["p", "q", "p", "q"], "label": ["PER", "PER", "ORG", "PER"]}
    corners = {name: [0, 0, 3, 3] for name in ("x", "y", "width", "height")}
    boxes = accord.Study({**places, **corners}, answers="boxes")
    tone = STUDIES["single"]()
    context = Context(tone._with_tasks({"tone": tone, "names": boxes}))
    said = context.measurements.sentence()
    assert "undefined" not in said
    assert "not measured: names." in said
    page = Page(rendered(context, ".html"))
    assert page.sections[-3:] == ["v1", "v2", "methods"]
    assert "marked places" in page.text
    assert "72 (single), 4 (boxes)" in page.text

"""Ways through the page: every link leads somewhere; from a finding to its label, annotator and item, and back."""

from __future__ import annotations

import re

import pytest

import accord
from accord.reporting.context import Context
from accord.reporting.links import link, resolved
from accord.reporting.page import rendered
from tests.findings.studies import confusing
from tests.reporting.pages import STUDIES, Page


def page_of(study: accord.Study) -> Page:
    return Page(rendered(Context(study), ".html"))


@pytest.mark.parametrize(
    "name", ["single", *(pytest.param(name, marks=pytest.mark.slow) for name in ("variables", "crowd", "scores"))]
)
def test_every_link_leads_somewhere_and_no_place_has_two(name: str) -> None:
    page = page_of(STUDIES[name]())
    ids = [str(attributes["id"]) for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {str(attributes["href"])[1:] for tag, attributes in page.tags if tag == "a"}
    assert targets - set(ids) == set()
    assert {key for key in page.sections if key not in targets} == set(), "the contents name every section"


def test_a_finding_leads_to_its_labels_and_they_lead_back() -> None:
    study = confusing(1)
    html = rendered(Context(study), ".html")
    finding = next(one for one in Context(study).findings if one.labels)
    place = study.labels.index(finding.labels[0])
    card = re.search(rf'<div id="(finding-\d+)".*?href="#labels-{place}"', html, re.S)
    assert card is not None
    row = re.search(rf'<tr id="labels-{place}">.*?</tr>', html, re.S)
    assert row is not None
    assert 'href="#finding-' in row[0]


def test_contested_items_are_reached_from_their_finding() -> None:
    html = rendered(Context(STUDIES["single"]()), ".html")
    targets = re.findall(r'href="#(items-\d+)"', html)
    assert targets
    assert all(f'<tr id="{target}">' in html for target in targets)


def test_a_link_to_a_row_that_is_not_shown_leads_to_its_section_or_is_none() -> None:
    page = f'<section id="labels"></section>{link("labels-7", "rare")} {link("v2-items-1", "gone")}'
    assert resolved(page) == '<section id="labels"></section><a class="to" href="#labels">rare</a> gone'


def test_warnings_are_told_by_a_word_and_not_by_colour_alone() -> None:
    html = rendered(Context(confusing(1)), ".html")
    assert '<span class="mark">⚠ Warning</span>' in html
    assert '<span class="mark">Note</span>' in html

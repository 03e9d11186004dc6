"""The page for those who come from elsewhere: every number on it was returned by the call beside it, or was printed."""

from __future__ import annotations

import re

import pytest

import accord
from benchmarks import peers
from docs.moving_page import PACKAGES, Compared, Move, compared, kept
from tests.surface.test_docs import DOCS
from tests.tables import load


@pytest.mark.parametrize("package", PACKAGES)
def test_the_number_is_the_same_or_the_page_says_why_not(package: str) -> None:
    for one in compared()[package]:
        said = f"{one.move.there} gives {one.there}, accord {one.here}"
        assert one.same != bool(one.move.why), f"{said}; the page says: {one.move.why or 'the same'}"


def test_a_number_that_differs_is_not_the_same() -> None:
    call = Move("there()", "here()", slack=0.0005)
    assert Compared(call, 0.43, 0.4302).same
    assert not Compared(call, 0.43, 0.4312).same
    assert Compared(call, None, None).same
    assert not Compared(call, "RuntimeError", 0.5).same
    assert not Compared(call, ["cat"], [None]).same


def test_the_packages_ran_in_the_versions_that_are_pinned() -> None:
    pinned = {name: version for _, versions in peers.HOMES.values() for name, version in versions.items()}
    assert kept()["versions"] == pinned


def test_every_call_that_is_kept_is_on_the_page() -> None:
    page = (DOCS / "moving-from.md").read_text(encoding="utf-8")
    assert [name for name in PACKAGES if f"\n## {name.partition(' ')[0]}" not in page] == []
    for package in PACKAGES.values():
        assert [move.there for move in package.moves if f"| `{move.there}`<br>" not in page] == []
    assert len(re.findall(r"^\| `.*\| the same", page, re.MULTILINE)) == sum(
        one.same for rows in compared().values() for one in rows
    )


def test_kripp_alpha_of_irr_divides_by_one_where_krippendorff_divides_by_m_minus_1() -> None:
    """Its coincidences count m − 1 times, so its n is n (m − 1), and its correction for small samples too small."""
    alpha = accord.krippendorff_alpha(load("krippendorff1980").study())
    answers, raters = alpha.n_answers, alpha.n_annotators
    of_irr = 1 - (1 - alpha.value) * (answers - 1 / (raters - 1)) / (answers - 1)
    said = next(move.printed for move in PACKAGES["irr"].moves if move.there.startswith("kripp.alpha"))
    assert of_irr == pytest.approx(said, abs=0.0005)
    assert alpha.value == pytest.approx(0.642, abs=0.0005)

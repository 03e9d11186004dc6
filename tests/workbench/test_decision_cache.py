"""What is counted of all decisions is counted once for each, and nobody waits for a long count twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from unittest import mock

import pytest

from accord.workbench import decision_cache
from accord.workbench.bench import Bench
from accord.workbench.decision_cache import DecisionCache
from accord.workbench.pages import after
from tests.workbench.bench_made import ANA, bench, study
from tests.workbench.serving import contested, serving


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Bench]:
    opened = bench(tmp_path, learns=False)
    yield opened
    opened.close()


def test_what_is_quick_is_counted_anew_after_a_change_and_not_otherwise(made: Bench) -> None:
    counts = mock.Mock(side_effect=lambda: made.progress().decided)
    kept = DecisionCache(made, counts)
    assert [kept.look(), kept.look()] == [(0, True)] * 2
    made.decide(0, "b", ANA, "k")
    assert [kept.look(), kept.look()] == [(1, True)] * 2
    assert counts.call_count == 2


def test_what_takes_long_is_counted_aside_and_said_to_be(made: Bench) -> None:
    go_on = Event()
    go_on.set()
    counts = mock.Mock(side_effect=lambda: (go_on.wait(30), made.progress().decided)[1])
    kept = DecisionCache(made, counts)
    with mock.patch.object(decision_cache, "QUICK", -1.0):
        assert kept.look() == (0, True)
        go_on.clear()
        made.decide(0, "b", ANA, "k")
        assert [kept.look(), kept.look()] == [(0, False)] * 2, "nobody waits"
        go_on.set()
        assert kept.at_work is not None
        kept.at_work.join()
        assert kept.look() == (1, True)
    assert counts.call_count == 2


def test_another_version_of_the_study_is_counted_at_once(made: Bench) -> None:
    kept = DecisionCache(made, lambda: len(made.study.items))
    with mock.patch.object(decision_cache, "QUICK", -1.0):
        assert kept.look().made == 6
        made.renew(study(("aab", "abb", "aaa", "abc", "bbb", "cca", "abc")))
        assert kept.look() == (7, True)


def test_a_page_says_that_the_latest_decisions_are_being_counted(tmp_path: Path) -> None:
    with serving(contested(), tmp_path, second_look=0.0) as lead, mock.patch.object(decision_cache, "QUICK", -1.0):
        assert "being counted" not in lead.get("/after").text
        lead.on_screen("/decide", ("answer", '"yes"'))
        pages = [lead.get("/after").text]
        while "being counted" in pages[-1]:
            pages.append(lead.get("/after").text)
        assert len(pages) > 1
        assert "1 was decided by a person" in pages[-1]


def test_long_lists_come_a_page_at_a_time(tmp_path: Path) -> None:
    with serving(contested(), tmp_path, second_look=0.0) as lead, mock.patch.object(after, "ON_A_PAGE", 2):
        for item in ("i1", "i5", "i7"):
            lead.on_screen("/decide", ("answer", '"maybe"'), ("unclear", "1"), item=f'"{item}"')
        first, second = lead.get("/open-points").text, lead.get("/open-points", after="2").text
        assert ("i7" in first, "i1<" in first, "i1<" in second) == (True, False, True)
        assert 'href="/open-points?after=2"' in first
        assert "Earlier points" not in second
        first, second = lead.get("/annotator", number="1").text, lead.get("/annotator", number="1", after="2").text
        assert ("Item i7" in first, "Item i1" in first, "Item i1" in second) == (True, False, True)
        assert "after=2" in first
        assert "Earlier changes" not in second

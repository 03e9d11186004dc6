"""Thousands of people: what is held and looked up grows with them, not with their square."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import accord
from accord.judge import alternative_test
from accord.judge.participants import Participants, participants_of


class Names(tuple[str, ...]):
    """Names that count how often they are gone through."""

    gone_through = 0

    def __iter__(self) -> Any:
        Names.gone_through += 1
        return super().__iter__()

    def __contains__(self, name: object) -> bool:
        Names.gone_through += 1
        return super().__contains__(name)

    def index(self, *given: Any) -> int:
        Names.gone_through += 1
        return super().index(*given)


def test_everybody_is_found_by_going_through_the_names_once() -> None:
    """Each name was looked for among all: with 16,000 people, 256 million comparisons."""
    names = Names(f"p{number}" for number in range(500))
    who = Participants(SimpleNamespace(annotators=names), tuple(names), (), failed_answers=None)  # type: ignore[arg-type]
    Names.gone_through = 0
    assert [who.place(name) for name in tuple.__iter__(names)] == list(range(500))
    assert Names.gone_through == 1


def survey(people: int) -> accord.Study:
    """Ten questions, everybody answers all."""
    rng = np.random.default_rng(1)
    answer = np.array(list("abc"))[rng.integers(3, size=10 * people)]
    return accord.Study(
        {
            "item": np.tile(np.arange(10), people),
            "annotator": np.repeat([f"p{n}" for n in range(people)], 10),
            "label": answer,
        }
    )


def test_resamples_are_held_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """All 1,000 of them were: 1.7 GB for 16,000 people."""
    study = survey(60)
    whole = accord.judge.alt_test(study, model="p0", rng=0, n_resamples=200)
    sizes, put = [], alternative_test.Drawn.put

    def recorded(self: Any, which: slice, counts: Any, options: Any) -> None:
        sizes.append(counts.size)
        put(self, which, counts, options)

    monkeypatch.setattr(alternative_test.Drawn, "put", recorded)
    monkeypatch.setattr(alternative_test, "COUNTS_AT_ONCE", 1_000)
    in_parts = accord.judge.alt_test(study, model="p0", rng=0, n_resamples=200)
    assert max(sizes) <= 1_000
    assert sum(sizes) == 200 * 59 * 3
    assert tuple(in_parts.rho_interval) == tuple(whole.rho_interval)
    assert tuple(in_parts.omega_interval) == tuple(whole.omega_interval)


def test_somebody_who_answered_again_is_named_among_many() -> None:
    table = {"item": [1, 1, 1, 2, 2, 2, 2], "annotator": ["a", "b", "m", "a", "b", "b", "m"], "label": list("xyxxyxy")}
    participants = participants_of(accord.Study(table, duplicates="repeat"), model="m")
    with pytest.raises(accord.errors.MeasureError, match="'b' answered some items more than once, item 2 among them"):
        participants.grid(["a", "b", "m"])
    assert participants.grid(["a", "m"]).shape == (2, 2)

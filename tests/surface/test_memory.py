"""A study is given back when nobody holds it any more: no circle of references waits for the garbage collector."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest

import accord
from accord.agreement.inference import resample_annotators

QUESTIONS: dict[str, Callable[[accord.Study], Any]] = {
    "measure": lambda study: str(accord.measure(study)),
    "breakdowns": lambda study: [str(accord.conger_kappa(study).by_annotator()), accord.light_kappa(study).by_pair()],
    "explain": lambda study: str(accord.explain(study)),
    "gold": lambda study: str(accord.gold(study, method="dawid-skene")),
    "compare": lambda study: accord.compare(accord.fleiss_kappa(study), accord.gwet_ac(study)),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_study_is_freed_when_nobody_holds_it(name: str) -> None:
    answers = np.random.default_rng(1).integers(0, 3, (60, 4))
    QUESTIONS[name](accord.Study.from_wide(answers))  # what is loaded once is loaded
    gc.collect()
    gc.disable()
    try:
        study = accord.Study.from_wide(answers)
        held = weakref.ref(study._annotations)
        QUESTIONS[name](study)
        del study
        assert held() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("resample", ["annotators", "both"])
def test_of_the_values_without_one_annotator_one_at_a_time_is_held(
    resample: Literal["annotators", "both"], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All at once are as many copies of the study as there are annotators: 8 GB for 100,000 answers of 5,000."""
    made: list[weakref.ref[Any]] = []
    alive: list[int] = []
    without = resample_annotators._without

    def watched(*given: Any) -> Any:
        alive.append(sum(one() is not None for one in made))
        left = without(*given)
        made.append(weakref.ref(left))
        return left

    monkeypatch.setattr(resample_annotators, "_without", watched)
    study = accord.Study.from_wide(np.random.default_rng(1).integers(0, 3, (60, 9)))
    accord.fleiss_kappa(study).interval(resample=resample)
    assert len(alive) == 9
    assert max(alive) <= 1

"""A study is given back when nobody holds it any more: no circle of references waits for the garbage collector."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import accord

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

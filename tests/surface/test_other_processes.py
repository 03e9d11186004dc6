"""Studies and results go to other processes and come back; what their owner changes afterwards does not change them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.engine import frames

FRAME: dict[str, list[Any]] = {
    "item": [place // 2 for place in range(40)],
    "annotator": ["ana", "ben"] * 20,
    "label": [*"xxxyyyxx"] * 5,
    "level of care": ["easy"] * 20 + ["hard"] * 20,
}
FORMS: dict[str, Callable[[Any], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "mapping": dict,
    "lazy": lambda table: pl.DataFrame(table).lazy(),
}


def again(thing: Any) -> Any:
    """As another process gets it."""
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own


@pytest.mark.parametrize("form", FORMS)
def test_a_study_and_what_was_measured_on_it_can_be_pickled(form: str) -> None:
    study = Study(FORMS[form](FRAME))
    kappa, groups = accord.fleiss_kappa(study), accord.fleiss_kappa(study, by="level of care")
    kappa.by_item()
    copy = again(kappa)
    assert copy.value == kappa.value
    assert copy.interval() == kappa.interval()
    assert copy.by_item()["value"].tolist() == kappa.by_item()["value"].tolist()
    assert again(groups).by_group()["value"].tolist() == groups.by_group()["value"].tolist()
    assert accord.fleiss_kappa(again(study)).value == kappa.value
    assert str(again(accord.measure(study))) == str(accord.measure(study))
    for thing in (accord.gold(study, method="majority"), accord.explain(study), study.describe(), kappa.by_annotator()):
        assert str(again(thing)) == str(thing)


def _changed(form: str, data: Any) -> None:
    """Somebody goes on working with the table."""
    if form == "pandas":
        data.loc[:, "annotator"] = "z"
        data.loc[:, "level of care"] = "hard"
    elif form == "polars":
        for row in range(20):
            data[row, "level of care"] = "hard"
    else:
        data["level of care"][:20] = ["hard"] * 20 if isinstance(data["level of care"], list) else "hard"
        data["annotator"][:] = ["z"] * 40 if isinstance(data["annotator"], list) else "z"


@pytest.mark.parametrize("form", ["pandas", "polars", "mapping", "arrays"])
def test_a_table_that_is_changed_afterwards_does_not_change_the_study(form: str, tmp_path: Any) -> None:
    data = {name: np.array(cells, dtype=object) for name, cells in FRAME.items()}
    if form != "arrays":
        data = FORMS[form]({name: list(cells) for name, cells in FRAME.items()})
    study = Study(data)
    before = accord.fleiss_kappa(study, by="level of care").by_group()["value"].tolist()
    _changed(form, data)
    assert accord.fleiss_kappa(study, by="level of care").by_group()["value"].tolist() == before
    assert accord.read(study.write(tmp_path / "study.csv")).annotators == ("ana", "ben")


def test_a_table_of_very_many_cells_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "OWN_CELLS", 10)
    cells = np.arange(20)
    assert frames.own(cells) is cells
    assert frames.own(cells[:10]) is not cells

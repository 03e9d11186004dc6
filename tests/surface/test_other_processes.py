"""Studies and results go to other processes and come back; what their owner changes afterwards does not change them."""

from __future__ import annotations

import doctest
import inspect
import json
import pickle
import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.engine import frames, pandas_tables
from accord.errors import AccordError, remedy
from tests.surface.test_objects import OBJECTS

SAMPLES = Path(__file__).parents[1] / "readers" / "samples"
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


def test_what_was_measured_of_variables_of_several_kinds_can_be_pickled() -> None:
    found = accord.measure(accord.read(SAMPLES / "label-studio-config"))
    assert "answers of different kinds" in found.advice
    assert str(again(found)) == str(found)
    assert again(found.recommended).interval() == found.recommended.interval()


PACKAGES = (accord, accord.judge, accord.planning, accord.findings, accord.multilabel, accord.suggestions)
STAYS = {"Workbench"}  # which serves, and holds a file


def made_in_examples() -> Iterator[object]:
    """Whatever of ours the examples of the public names make and keep."""
    public = {
        id(found): found for package in PACKAGES for found in (getattr(package, name) for name in package.__all__)
    }
    for found in public.values():
        if inspect.isclass(found) and found.__name__ in STAYS:
            continue
        for example in doctest.DocTestFinder(recurse=False).find(found, found.__name__, globs={}):
            doctest.DocTestRunner(verbose=False).run(example, out=lambda _: None, clear_globs=False)
            yield from (held for held in example.globs.values() if type(held).__module__.startswith("accord."))


def test_everything_public_calls_return_can_be_pickled() -> None:
    seen: set[str] = set()
    findings = accord.explain(Study(FRAME))
    for thing in (*made_in_examples(), *(make() for make in OBJECTS.values()), *findings, *findings.power):
        assert str(again(thing)) == str(thing)
        seen.add(type(thing).__name__)
    results = {name for one in PACKAGES for name in one.__all__ if inspect.isclass(getattr(one, name))}
    assert results - seen == {*STAYS, "AccordError", "Evidence"}, "the last is within a finding"
    assert findings[0].evidence


def every_error(kind: type[AccordError] = AccordError) -> Iterator[type[AccordError]]:
    yield kind
    for more in kind.__subclasses__():
        yield from every_error(more)


def test_every_error_can_be_pickled() -> None:
    for kind in every_error():
        error = kind.__new__(kind, "Something is wrong.")
        AccordError.__init__(error, "Something is wrong: ", remedy(level="ordinal"), ".")
        assert (type(again(error)), str(again(error)), again(error).to_dict()) == (kind, str(error), error.to_dict())
        assert "__reduce__" not in vars(kind) or kind is AccordError


class Unshown:
    """Somebody's own class, with a mistake in it."""

    def __repr__(self) -> str:
        raise RuntimeError("no words for this")


STRANGE: dict[str, Any] = {
    "a lambda": lambda: 1, "a lock": threading.Lock(), "a generator": map(str, ()), "an object": object(),
    "a list of lambdas": [lambda: 1], "a table of lambdas": pd.DataFrame({"x": [lambda: 1]}), "a function": np.sum,
    "what cannot show itself": Unshown(), "five thousand digits": 10**5000, "a class": Unshown,
    "an array": np.arange(3), "a moment": pd.Timestamp("2020-01-01"), "a span of time": pd.Timedelta(1, "D"),
    "a list of moments": [pd.Timestamp("2020-01-01", tz="UTC")], "a ufunc": np.add, "a method": [].append,
}  # fmt: skip
ASKED: dict[str, Callable[[Any], object]] = {
    "item": lambda value: Study({**FRAME, "item": [[value]] * 40}),
    "column": lambda value: Study(FRAME, label=value),
    "word": lambda value: accord.gold(FRAME, method=value),
    "number": lambda value: accord.planning.intraclass_error(value, 0.3, 10),
    "numbers": lambda value: accord.judge.calibrate([value], [1]),
    "data": accord.fleiss_kappa,
}


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("asked", ASKED)
def test_an_error_about_anything_can_be_pickled_and_says_the_same(asked: str, name: str) -> None:
    with pytest.raises(AccordError) as found:
        ASKED[asked](STRANGE[name])
    error = found.value
    copy = again(error)
    assert (type(copy), str(copy), copy.text()) == (type(error), str(error), error.text())
    json.dumps(copy.to_dict(), allow_nan=False)


ROWS = {
    "score": "(1, 'ana', 1.5), (1, 'ben', 2.5), (2, 'ana', 1), (2, 'ben', 1)",
    "label": "(1, 'ana', 'x'), (1, 'ben', 'y'), (2, 'ana', 'y'), (2, 'ben', 'y')",
    "start, label, end": "(1, 'ana', 0, 'x', 3), (1, 'ben', 1, 'x', 3), (2, 'ana', 0, 'y', 2), (2, 'ben', 0, 'y', 2)",
}


@pytest.mark.parametrize("columns", ROWS)
def test_a_study_of_a_database_goes_to_another_process_whatever_it_holds(columns: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    names = [f'"{name}"' for name in columns.split(", ")]
    table = duckdb.connect().sql(f"SELECT * FROM (VALUES {ROWS[columns]}) AS t(item, annotator, {', '.join(names)})")
    roles: Any = {name: name for name in columns.split(", ")}
    study = Study(table, **roles)
    assert str(accord.measure(again(study))) == str(accord.measure(study))


@pytest.mark.parametrize("held", ["frame", "mapping"])
def test_a_study_of_polars_objects_goes_to_another_process(held: str) -> None:
    objects = pl.Series(FRAME["label"], dtype=pl.Object)
    columns = {**FRAME, "label": objects, "day": pl.Series([date(2020, 1, 1)] * 40, dtype=pl.Object)}
    study = Study(pl.DataFrame(columns) if held == "frame" else columns)
    copy = again(study)
    assert str(accord.measure(copy)) == str(accord.measure(study))
    assert copy._frame is not None
    assert copy._frame.columns == list(columns)
    assert copy._frame.cells("day") == [date(2020, 1, 1)] * 40


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


def test_a_frame_that_is_sorted_afterwards_keeps_its_groups_in_the_study() -> None:
    data = pd.DataFrame(FRAME)
    study = Study(data)
    before = accord.fleiss_kappa(study, by="level of care").by_group()["value"].tolist()
    data[:] = data.sort_values("label", ignore_index=True)  # in place
    assert accord.fleiss_kappa(study, by="level of care").by_group()["value"].tolist() == before


@pytest.mark.parametrize("copies_on_write", [True, False])
@pytest.mark.parametrize("form", ["pandas", "mapping", "arrays", "integers"])
def test_nor_does_one_of_very_many_cells(form: str, copies_on_write: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "OWN_CELLS", 10)
    if not copies_on_write:  # as before pandas 3
        monkeypatch.setattr(pandas_tables, "_copies_on_write", lambda: False)
    items = np.repeat(np.arange(20_000), 2)  # codes already, of more values than small integers hold
    data: Any = {"item": items, "annotator": np.tile([0, 1], 20_000), "label": np.tile([0, 1, 1, 1], 10_000)}
    if form != "integers":
        data = {**data, "level of care": np.repeat(["easy", "hard"], 20_000).astype(object)}
    if form != "arrays":
        data = {name: list(cells) for name, cells in data.items()} if form == "mapping" else data
    data = pd.DataFrame(data) if form == "pandas" else data
    study = Study(data)
    _set_to_nothing(data)
    assert (study.n_items, study.n_annotators) == (20_000, 2)
    assert accord.krippendorff_alpha(study).value == pytest.approx(accord.krippendorff_alpha(again(study)).value)
    if form != "integers":
        assert accord.percent_agreement(study, by="level of care").by_group()["value"].tolist() == [0.5, 0.5]


def _set_to_nothing(data: Any) -> None:
    for name in list(data):
        if isinstance(data[name], list):
            data[name][:] = [0] * len(data[name])
        elif isinstance(data, pd.DataFrame):
            data.loc[:, name] = "hard" if name == "level of care" else 0
        else:
            data[name][:] = 0

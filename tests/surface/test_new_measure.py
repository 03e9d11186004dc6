"""Two tries of CONTRIBUTING: a measure that is a row of the table, and one that is not. Each has all that can be asked
of a measure (interval, groups, comparison, command, report) by being registered and by nothing else."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import polars as pl
import pytest

import accord
from accord.agreement.build import Row, agreement, measured
from accord.agreement.registry import Measure, no_options, register
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.coefficients import chance
from accord.coefficients.measurable import Decomposition, Measurable, Parts
from accord.coefficients.units import OneOfEach
from accord.coefficients.weights import WeightsLike
from accord.measures.registered import MEASURES
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study
from tests.command.running import run
from tests.surface.source import ROOT

# -- a row -------------------------------------------------------------------------------------------------------------


def maxwell_re(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> accord.Agreement:
    """Maxwell's random error coefficient: for two labels, 2o − 1."""
    return measured(Row("maxwell_re", weights, chance.uniform), data, other, labels, by, roles)


A_ROW = Measure(
    title="Maxwell's RE",
    chance="uniform",
    references=("brennan1981",),
    summary="two labels, equally likely by chance",
    formula="A_e = 1/2",
    finite_scale=True,
)

# -- not a row ---------------------------------------------------------------------------------------------------------


class MeanDifference(Measurable):
    """The mean absolute difference between two scores of an item: a mean over items, in the unit of the scores."""

    smooth = True

    def __init__(self, study: Study) -> None:
        item, _, answer, _ = study._annotations.rows
        score = study.answers.numbers("the mean absolute difference")[answer]
        answered = np.bincount(item, minlength=study._annotations.n_items)
        apart = np.zeros(len(answered))
        for place in np.nonzero(answered > 1)[0]:
            mine = score[item == place]
            apart[place] = np.abs(mine[:, None] - mine).sum() / (len(mine) * (len(mine) - 1))
        self.apart = apart[answered > 1]
        self._units = OneOfEach.of(answered > 1)
        self._answers = int(add_up(item, answered[item] > 1, 1).sum())

    @property
    def sample(self) -> OneOfEach:
        return self._units

    @property
    def n_answers(self) -> int:
        return self._answers

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        return Parts.of_value(number @ self.apart / number.sum(-1))

    def influence(self) -> FloatArray:
        return np.asarray(self.apart - self.apart.mean())

    def influence_on(self, number: FloatArray) -> FloatArray:
        return self.apart - self.evaluate(number).value[:, None]

    def decomposition(self) -> Decomposition:
        return Decomposition(
            np.full(len(self.apart), np.nan), self.apart, np.full(len(self.apart), 1 / len(self.apart))
        )


def mean_difference(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> accord.Agreement:
    """How far two scores of one item lie apart on average."""
    study = as_study(data, other, labels, roles)
    return agreement("mean_difference", study, MeanDifference, {"labels": labels}, by)


NOT_A_ROW = Measure(
    title="Mean absolute difference",
    references=("zhao2025",),
    summary="how far two scores of one item lie apart",
    formula="the mean over items of |a − b|",
    kinds=("score",),
    numeric=True,
    low=0.0,
    high=math.inf,
    chance_corrected=False,
    usual_options=no_options,
)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    for entry, function in ((A_ROW, maxwell_re), (NOT_A_ROW, mean_difference)):
        register(entry)(function)
    yield
    for name in ("maxwell_re", "mean_difference"):
        del MEASURES[name]
        vars(accord).pop(name, None)


def table(kind: str) -> pl.DataFrame:
    """40 items, three annotators, two groups, eight documents."""
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 40)
    rows = [
        {
            "item": f"i{item}",
            "annotator": name,
            "label": "yes" if (value := int(truth[item] + rng.integers(-1, 2))) > 3 else "no",
            "score": value,
            "group": "ab"[item % 2],
            "document": f"d{item % 8}",
        }
        for item in range(40)
        for name in ("ana", "ben", "cleo")
    ]
    return pl.DataFrame(rows).drop("score" if kind == "label" else "label")


CASES = [("maxwell_re", "label"), ("mean_difference", "score")]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_registered_measure_can_be_asked_everything(name: str, kind: Any, tmp_path: Path) -> None:
    roles: Any = {kind: kind}
    study = accord.Study(table(kind), **roles)
    function = getattr(accord, name)  # a public name
    assert name in accord.__all__  # type: ignore[attr-defined]
    result = function(study)
    assert math.isfinite(result.value)
    # how sure: every method, clusters, annotators
    analytic, jackknife = result.interval(), result.interval(method="jackknife")
    assert analytic.se == pytest.approx(jackknife.se, rel=0.01)
    assert result.interval(method="bootstrap", rng=1).se == pytest.approx(analytic.se, rel=0.15)
    assert result.interval(cluster="document").clusters == 8
    assert result.interval(resample="annotators").se > 0
    assert result.test(method="permutation", n_resamples=19, rng=1).p <= 0.1 or kind == "score"
    # for which group, against which other
    groups = function(study, by="group").by_group()
    assert list(groups["group"]) == ["a", "b"]
    halves = study.groups("group")
    apart = accord.compare(function(halves["a"]), function(halves["b"]))
    assert apart.difference == pytest.approx(groups["value"][0] - groups["value"][1])
    pair = function(study.of_annotators(["ana", "ben"]))
    assert accord.compare(result, pair).paired
    # where from
    items = result.by_item()
    assert float(items["weight"] @ items["value"]) == pytest.approx(result.value)
    assert len(result.by_pair()) == 3
    # in words and files
    assert result.title in result.working()
    assert result.title in result.sentence()
    assert result.to_dict()["value"] == pytest.approx(result.value)
    assert accord.measure(study)[name].value == result.value
    # how much next time
    assert accord.plan(study, measure=name, width=2 * (analytic.high - analytic.low), n_simulations=100, rng=1).items
    # the command and the report
    table(kind).write_csv(tmp_path / "data.csv")
    said = run("measure", str(tmp_path / "data.csv"), f"--{kind}", kind)
    assert said.code == 0
    assert result.title in said.out
    accord.report(study, tmp_path / "report.md")
    assert result.title in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_by_hand() -> None:
    study = accord.Study.from_wide([[1, 1], [2, 4], [5, 4]], answers="score")
    assert accord.mean_difference(study).value == 1.0  # type: ignore[attr-defined]


def test_the_chart_shows_what_has_the_unit_of_the_first() -> None:
    study = accord.Study(table("score"), score="score")
    found = accord.measure(study)
    assert "Mean absolute difference" not in str(found.plot().to_dict())
    assert "Mean absolute difference" in str(found["mean_difference"].plot().to_dict())


def test_contributing_says_how_many_lines_a_measure_takes() -> None:
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = {name: int(lines) for name, lines in re.findall(r"`([\w/]+\.py)`\s\((\d+) lines", text)}
    assert len(told) > 5
    there = {name: len((ROOT / name).read_text(encoding="utf-8").splitlines()) for name in told}
    assert {name: lines for name, lines in there.items() if abs(lines - told[name]) > told[name] / 10} == {}

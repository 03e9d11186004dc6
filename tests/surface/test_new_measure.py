"""Two tries of CONTRIBUTING: a measure that is a row of the table, and one that is not. Each has all that can be asked
of a measure (interval, groups, comparison, command, report) by being registered and by nothing else.

Two more are harder: a row whose chance model is new as well, and what gives its value under any weights of its units
and nothing else."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import polars as pl
import pytest

import accord
from accord.agreement.build import Row, agreement, measured
from accord.agreement.registry import Measure, no_options, register
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.tally import Tally
from accord.coefficients import chance
from accord.coefficients.measurable import Decomposition, Measurable, Parts
from accord.coefficients.units import OneOfEach, Units
from accord.coefficients.weights import Weights, WeightsLike
from accord.errors import MeasureError, OptionError
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

# -- a row with a chance model of its own ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lenient(chance.Uniform):
    """Every label as likely as any other, and half of what that gives."""

    name: str = "lenient"

    def expected(self, sums: FloatArray, weights: Weights) -> FloatArray:
        """Half of it."""
        return super().expected(sums, weights) / 2


def lenient(tally: Tally) -> chance.Chance:
    """Half of what uniform chance gives."""
    return Lenient(len(tally.answers))


def lenient_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> accord.Agreement:
    """Agreement beyond half of uniform chance."""
    return measured(Row("lenient_kappa", weights, lenient), data, other, labels, by, roles)


A_ROW_OF_ITS_OWN = replace(A_ROW, title="Lenient kappa", chance="lenient", formula="A_e = 1 / 2q")

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


# -- the value under any weights of its units, and nothing else --------------------------------------------------------


class MidDifference(Measurable):
    """The mean difference of the items in the middle: nobody has worked out how far an item moves it."""

    resample_cost = "a sort of all items"

    def __init__(self, study: Study) -> None:
        self.whole = MeanDifference(study)
        self.apart = np.sort(self.whole.apart)
        self.order = np.argsort(self.whole.apart, kind="stable")

    @property
    def sample(self) -> OneOfEach:
        return self.whole.sample

    @property
    def n_answers(self) -> int:
        return self.whole.n_answers

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        there = np.asarray(number, dtype=np.float64)[..., self.order]
        end = np.cumsum(there, axis=-1)
        ninth, most = 0.1 * end[..., -1:], 0.9 * end[..., -1:]
        counts = np.clip(np.minimum(end, most) - np.maximum(end - there, ninth), 0.0, None)
        return Parts.of_value(counts @ self.apart / counts.sum(-1))


def mid_difference(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> accord.Agreement:
    """How far two scores of one item lie apart, but for the tenth of items at either end."""
    return agreement("mid_difference", as_study(data, other, labels, roles), MidDifference, {"labels": labels}, by)


class MedianDifference(MidDifference):
    """The median: among ties it stays where it is whichever item is left out."""

    def evaluate(self, number: FloatArray | IntArray) -> Parts:
        end = np.cumsum(np.asarray(number, dtype=np.float64)[..., self.order], axis=-1)
        half = 0.5 * end[..., -1:]
        low, high = ((end < half - 1e-9).sum(-1), (end <= half + 1e-9).sum(-1))
        last = len(self.apart) - 1
        return Parts.of_value((self.apart[np.minimum(low, last)] + self.apart[np.minimum(high, last)]) / 2)


def median_difference(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> accord.Agreement:
    """The median over items of how far two scores of one lie apart."""
    return agreement(
        "median_difference", as_study(data, other, labels, roles), MedianDifference, {"labels": labels}, by
    )


MEDIAN = replace(NOT_A_ROW, title="Median difference", summary="how far two scores of most items lie apart at most")
COMPUTED_ANEW = replace(NOT_A_ROW, title="Mid difference", summary="how far two scores of an item in the middle lie")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    entries = {
        maxwell_re: A_ROW, lenient_kappa: A_ROW_OF_ITS_OWN, mean_difference: NOT_A_ROW, mid_difference: COMPUTED_ANEW,
        median_difference: MEDIAN,
    }  # fmt: skip
    for function, entry in entries.items():
        register(entry)(function)
    chance.model("lenient", Lenient)(lenient)
    yield
    for function in entries:
        del MEASURES[function.__name__]
        vars(accord).pop(function.__name__, None)
    del chance.MODELS["lenient"], chance.KINDS["lenient"]


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


CASES = [("maxwell_re", "label"), ("lenient_kappa", "label"), ("mean_difference", "score")]


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


def test_what_gives_its_value_alone_can_be_asked_the_same(tmp_path: Path) -> None:
    """By leaving items out, where no formula tells how far each moves it."""
    study = accord.Study(table("score"), score="score")
    result = accord.mid_difference(study)  # type: ignore[attr-defined]
    left_out = result.interval(method="jackknife")
    assert result.interval().method == "bootstrap"
    assert result.interval(rng=1).se == pytest.approx(left_out.se, rel=0.25)
    assert result.interval(cluster="document").clusters == 8
    assert result.interval(resample="both").se > 0
    for method in ("analytic", "bca"):
        with pytest.raises(OptionError, match="Each resample takes a sort of all items"):
            result.interval(method=method)
    with pytest.raises(OptionError, match="not defined for this coefficient; use method='jackknife'"):
        result.interval(method="gwet")
    with pytest.raises(MeasureError, match=r"Scores have no labels; by_pair\(\) shows"):
        result.by_label()
    assert result.test(null=1).method == "jackknife"
    groups = accord.mid_difference(study, by="group").by_group()  # type: ignore[attr-defined]
    assert np.isfinite(groups["low"]).all()
    of_two = accord.mid_difference(study.of_annotators(["ana", "ben"]))  # type: ignore[attr-defined]
    apart, drawn = accord.compare(result, of_two), accord.compare(result, of_two, method="bootstrap", rng=1)
    assert apart.paired
    assert (apart.method, drawn.method) == ("jackknife", "bootstrap")
    with pytest.raises(OptionError, match=r"not known by a formula\. Leave method= out, or use method='bootstrap'"):
        accord.compare(result, of_two, method="analytic")
    assert apart.se == pytest.approx(drawn.se, rel=0.25)
    assert (result.by_pair()["se"] > 0).all()
    assert accord.pairwise(study, "mid_difference")["value"].tolist() == result.by_pair()["value"].tolist()
    wanted = 2 * (left_out.high - left_out.low)
    assert accord.plan(study, measure="mid_difference", width=wanted, n_simulations=100, rng=1).items
    table("score").write_csv(tmp_path / "data.csv")
    assert "Mid difference" in run("measure", str(tmp_path / "data.csv"), "--score", "score").out
    accord.report(study, tmp_path / "report.md")
    assert "Mid difference" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_what_stays_where_it_is_without_any_item_has_the_errors_of_the_bootstrap() -> None:
    """Leaving one item out moves no median among ties, and drawing them again does."""
    study = accord.Study(table("score"), score="score")
    result, of_two = accord.median_difference(study), accord.median_difference(study.of_annotators(["ana", "ben"]))  # type: ignore[attr-defined]
    left, drawn = result.interval(method="jackknife"), result.interval()
    assert left.undefined == "Leaving one item out moves nothing; method='bootstrap' draws them again."
    assert drawn.method == "bootstrap"
    assert drawn.se > 0.02
    assert result.coefficient is not None
    assert result.coefficient.error_method == "bootstrap"
    assert result.coefficient.error(Units(result.coefficient.sample)) == pytest.approx(drawn.se)
    # against another: as the bootstrap has it, unless somebody asks for a formula
    compared = accord.compare(result, of_two)
    assert (compared.method, compared.seed, compared.undefined) == ("bootstrap", 0, None)
    assert compared.se == accord.compare(result, of_two, method="bootstrap", rng=0).se > 0
    with pytest.raises(OptionError, match="How far an item moves Median difference is not known by a formula"):
        accord.compare(result, of_two, method="analytic")
    # by pair: each as a study of its own has it
    pairs = result.by_pair()
    assert pairs["se"][0] == pytest.approx(of_two.interval().se)
    assert "items drawn again (seed 0)" in pairs.notes[-1]
    # against a number, and how much next time
    assert result.test(null=0.5).method == "bootstrap"
    wanted = 2 * (drawn.high - drawn.low)
    plan = accord.plan(study, measure="median_difference", width=wanted, n_simulations=100, rng=1)
    assert plan.items
    assert "Its items were drawn again (seed 0)" in str(plan)


def test_where_nothing_moves_a_value_there_is_no_error_to_be_drawn() -> None:
    study = accord.Study.from_wide([[1, 2]] * 12, answers="score")
    result = accord.median_difference(study)  # type: ignore[attr-defined]
    assert result.coefficient is not None
    assert result.coefficient.error_method == "jackknife"
    assert (result.coefficient.influences == 0).all()
    assert result.interval().undefined


def test_each_label_by_the_chance_model_of_its_row() -> None:
    study = accord.Study(table("label"), label="label")
    by_label = accord.lenient_kappa(study).by_label()  # type: ignore[attr-defined]
    assert by_label["expected"].tolist() == [0.25, 0.25]
    assert "Chance model: lenient." in by_label.notes


@pytest.mark.parametrize("name", ["maxwell_re", "mean_difference"])
def test_an_unknown_keyword_is_one_of_the_measure_that_was_called(name: str) -> None:
    with pytest.raises(OptionError, match=rf"^{name}\(\) got an unexpected keyword argument 'lables'\. Did you mean"):
        getattr(accord, name)([[1, 1], [2, 4]], lables=[1, 2])


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

"""Groups (`by=`) and variables (`task=`): one row each in every measure, and whether they differ."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

import accord
from accord import Agreement, Study
from accord.errors import ColumnMissing, InputError, MeasureError, OptionError
from accord.measures.registered import MEASURES
from tests.oracles import coefficients as oracle

# The coefficients that take single labels and need nothing else.
NAMES = [
    "percent_agreement", "cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "light_kappa",
    "brennan_prediger_kappa", "gwet_ac", "krippendorff_alpha",
]  # fmt: skip
every_measure = pytest.mark.parametrize("name", NAMES)
LABELS = ("a", "b", "c")


def annotated(items: int, people: list[str], noise: float, seed: int) -> list[dict[str, Any]]:
    """Records of annotators who see the truth, or else answer at random."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=items)
    return [
        {"item": item, "who": who, "tag": LABELS[rng.integers(3) if rng.random() < noise else truth[item]]}
        for item in range(items)
        for who in people
    ]


# Texts in two languages: the same two people, other items; Danish goes worse.
LANGUAGES = pd.DataFrame(
    [{**row, "language": "en"} for row in annotated(60, ["ana", "ben"], 0.3, 1)]
    + [{**row, "item": row["item"] + 100, "language": "da"} for row in annotated(40, ["ana", "ben"], 0.8, 2)]
)
# Two pairs of people on the same items: students go worse.
CROWD = pd.DataFrame(
    [{**row, "group": "experts"} for row in annotated(80, ["ana", "ben"], 0.2, 3)]
    + [{**row, "group": "students"} for row in annotated(80, ["cal", "dan"], 0.6, 3)]
)


def ask(name: str, frame: Any, **options: Any) -> Agreement:
    result: Agreement = getattr(accord, name)(frame, item="item", annotator="who", label="tag", **options)
    return result


def test_these_are_measures_of_the_registry() -> None:
    assert set(NAMES) <= set(MEASURES)


@every_measure
@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, pl.LazyFrame], ids=["pandas", "polars", "lazy"])
def test_a_group_is_measured_as_if_it_were_alone(name: str, form: Any) -> None:
    table = ask(name, form(LANGUAGES.to_dict("list")), by="language").by_group()
    assert list(table["language"]) == ["da", "en"]
    for row in table:
        alone = ask(name, LANGUAGES[LANGUAGES["language"] == row["language"]], labels=LABELS)
        assert (row["value"], row["observed"], row["expected"]) == (alone.value, alone.observed, alone.expected)
        assert (row["low"], row["high"]) == tuple(alone.interval())
        assert (row["items"], row["annotators"]) == (alone.n_items, 2)


@every_measure
def test_a_variable_is_measured_as_if_it_were_alone(name: str) -> None:
    long = pd.concat([LANGUAGES.assign(what="tone"), LANGUAGES.assign(what="topic", tag=LANGUAGES["tag"].str.upper())])
    table = ask(name, long[long["item"] < 130], task="what").by_group()
    assert list(table["variable"]) == ["tone", "topic"]
    alone = ask(name, LANGUAGES[LANGUAGES["item"] < 130])
    assert [row["value"] for row in table] == [alone.value] * 2
    assert [(row["low"], row["high"]) for row in table] == [tuple(alone.interval())] * 2


@every_measure
def test_groups_are_tested_for_a_difference(name: str) -> None:
    result = ask(name, LANGUAGES, by="language")
    danish, english = result.by_group()
    error = math.hypot(*(result_of(result, language).interval().se for language in ("da", "en")))
    statistic = ((danish["value"] - english["value"]) / error) ** 2
    (row,) = result.differences()
    said = next(note for note in result.by_group().notes if note.startswith("The groups differ: F "))
    assert said.startswith(f"The groups differ: F {statistic:.2f} on 1 and ")
    assert said.endswith(f", p = {row['p']:.3g}.")  # of two groups the joint test is Welch's t
    assert (row["first"], row["second"], row["common_items"]) == ("da", "en", 0)
    assert row["difference"] == danish["value"] - english["value"]
    assert row["low"] < row["difference"] < row["high"] < 0
    assert row["p"] == row["p_holm"] < 0.05


def result_of(result: Agreement, group: str) -> Agreement:
    found: Agreement = getattr(accord, result.measure)(result.study.groups("language")[group])
    return found


@every_measure
def test_groups_of_annotators_on_the_same_items_are_paired(name: str) -> None:
    result = ask(name, CROWD, by="group")
    (row,) = result.differences()
    assert row["common_items"] == 80
    table = [dict(cells) for _, cells in CROWD.iterrows()]

    def difference(items: list[int]) -> float:
        values = []
        for group in ("experts", "students"):
            part = [
                {cells["who"]: cells["tag"] for cells in table if cells["item"] == item and cells["group"] == group}
                for item in items
            ]
            values.append(oracle.by_name(name, part, LABELS).value)
        return values[0] - values[1]

    if name in ("cohen_kappa", "gwet_ac"):  # one of own marginals and one of pooled: the jackknife over items is slow
        items = list(range(80))
        without = [difference([item for item in items if item != left]) for left in items]
        error = math.sqrt(79 / 80 * math.fsum((value - math.fsum(without) / 80) ** 2 for value in without))
        found = (row["high"] - row["low"]) / 2 / stats.t.ppf(0.975, 79)
        assert found == pytest.approx(error, rel=0.03)
    assert row["difference"] == pytest.approx(difference(list(range(80))), abs=1e-12)


def test_pairing_by_items_narrows_the_difference() -> None:
    paired = ask("fleiss_kappa", CROWD, by="group").differences()
    apart = CROWD.assign(item=np.where(CROWD["group"] == "experts", CROWD["item"], CROWD["item"] + 1000))
    unpaired = ask("fleiss_kappa", apart, by="group").differences()
    assert unpaired["common_items"][0] == 0
    assert paired["high"][0] - paired["low"][0] < unpaired["high"][0] - unpaired["low"][0]


@every_measure
def test_variables_on_the_same_items_are_paired(name: str) -> None:
    long = pd.concat(
        [
            CROWD[CROWD["group"] == "experts"].assign(what="tone"),
            CROWD[CROWD["group"] == "students"].assign(what="topic"),
        ]
    )
    by_task = ask(name, long, task="what").differences()
    by_group = ask(name, CROWD, by="group").differences()
    assert by_task["common_items"][0] == 80
    assert by_task["p"][0] == pytest.approx(by_group["p"][0], rel=1e-9)


def test_several_groups_are_compared_two_by_two_with_holms_correction() -> None:
    three = pd.concat(
        [LANGUAGES, LANGUAGES[LANGUAGES["language"] == "en"].assign(language="nl", item=lambda f: f["item"] + 500)]
    )
    result = ask("fleiss_kappa", three, by="language")
    table = result.differences()
    assert list(zip(table["first"], table["second"], strict=True)) == [("da", "en"), ("da", "nl"), ("en", "nl")]
    p = table["p"]
    assert p[0] == p[1] < 0.05
    assert p[2] == pytest.approx(1)
    assert table["p_holm"][0] == pytest.approx(3 * p[0])
    assert table["p_holm"][2] == pytest.approx(1)
    assert any(note.startswith("The groups differ") and " on 2 and " in note for note in result.by_group().notes)


def test_groups_without_an_error_are_left_out_of_the_test_and_named() -> None:
    """One that agrees throughout shows no spread; p was 0.000 for it."""
    perfect = pd.DataFrame(
        {
            "item": np.repeat(np.arange(700, 720), 2),
            "who": ["ana", "ben"] * 20,
            "tag": np.repeat(["a", "b"] * 10, 2),
            "language": "fo",
        }
    )
    result = ask("fleiss_kappa", pd.concat([LANGUAGES, perfect]), by="language")
    notes = result.by_group().notes
    assert any(note.startswith("'fo' has no error and cannot be compared") for note in notes)
    assert any(note.startswith("The groups differ: F ") and " on 1 and " in note for note in notes)
    rows = {(row["first"], row["second"]): row for row in result.differences()}
    assert math.isnan(rows["da", "fo"]["p"])
    assert "do not show" in rows["da", "fo"]["note"]
    assert rows["da", "en"]["p_holm"] == rows["da", "en"]["p"]  # one question is left


def test_simultaneous_intervals_are_wider_and_say_so() -> None:
    result = ask("fleiss_kappa", LANGUAGES, by="language")
    plain, together = result.by_group(), result.by_group(simultaneous=True)
    alone = result_of(result, "da").interval(confidence=0.95**0.5)
    assert (together["low"][0], together["high"][0]) == tuple(alone)
    assert together["high"][1] - together["low"][1] > plain["high"][1] - plain["low"][1]
    assert together.notes[0] == "Simultaneous intervals: all of them hold with 95%, each alone with 97.47%."
    assert "Simultaneous" in result.differences(simultaneous=True).notes[0]


def test_small_groups_are_said_to_be_small() -> None:
    frame = LANGUAGES[(LANGUAGES["language"] == "en") | (LANGUAGES["item"] < 105)]
    notes = dict(zip(("da", "en"), ask("fleiss_kappa", frame, by="language").by_group()["note"], strict=True))
    assert notes == {"da": "small: 5 items with two answers", "en": ""}


@every_measure
def test_a_group_without_a_value_says_why_and_does_not_spoil_the_others(name: str) -> None:
    lonely = pd.DataFrame({"item": [900, 901], "who": ["ana", "ana"], "tag": ["a", "b"], "language": ["is", "is"]})
    silent = pd.DataFrame({"item": [902, 902], "who": ["ana", "ben"], "tag": [None, None], "language": ["fo", "fo"]})
    table = ask(name, pd.concat([LANGUAGES, lonely, silent]), by="language").by_group()
    rows = {row["language"]: row for row in table}
    assert math.isnan(rows["is"]["value"])
    assert rows["is"]["note"] == "Only one annotator answered, so there is nothing to compare."
    assert math.isnan(rows["fo"]["value"])
    assert rows["fo"]["note"] == "Nobody answered anything: every answer is missing."
    assert rows["en"]["value"] == ask(name, LANGUAGES, by="language").by_group()["value"][1]
    assert "2 of 4 have no value." in table.notes


def test_rows_without_a_group_belong_to_none_and_are_counted() -> None:
    frame = LANGUAGES.assign(language=LANGUAGES["language"].where(LANGUAGES["item"] != 3))
    table = ask("fleiss_kappa", frame, by="language").by_group()
    assert list(table["language"]) == ["da", "en"]
    assert table["items"][1] == 59
    assert "2 annotations have no value in 'language' and belong to no group." in table.notes


def test_the_whole_is_told_beside_its_groups() -> None:
    result = ask("fleiss_kappa", LANGUAGES, by="language")
    assert result.value == ask("fleiss_kappa", LANGUAGES).value
    assert f"All together: {result.value:.3f}." in result.by_group().notes
    assert str(result) == str(result.by_group())


def test_two_annotators_a_group_are_enough_for_cohen_though_the_whole_has_four() -> None:
    result = ask("cohen_kappa", CROWD, by="group")
    assert math.isnan(result.value)
    assert result.undefined is not None
    assert "is for two annotators; the study has 4" in result.undefined
    assert np.isfinite(result.by_group()["value"]).all()
    extra = pd.DataFrame({"item": [0], "who": ["eve"], "tag": ["a"], "group": ["experts"]})
    experts, students = ask("cohen_kappa", pd.concat([CROWD, extra]), by="group").by_group()
    assert "is for two annotators; the study has 3" in experts["note"]
    assert students["value"] == result.by_group()["value"][1]


def test_variables_need_not_have_the_same_annotators_labels_or_items() -> None:
    frame = pd.concat(
        [
            pd.DataFrame(annotated(30, ["ana", "ben"], 0.2, 5)).assign(what="tone"),
            pd.DataFrame(annotated(40, ["ana", "cal", "dan"], 0.2, 6)).assign(what="topic", tag=lambda f: f["tag"] * 2),
        ]
    )
    study = Study(frame, item="item", annotator="who", label="tag", task="what")
    assert {name: (part.labels, part.annotators) for name, part in study.tasks.items()} == {
        "tone": (("a", "b", "c"), ("ana", "ben")),
        "topic": (("aa", "bb", "cc"), ("ana", "cal", "dan")),
    }
    found = accord.measure(study)
    assert "cohen_kappa" in [result.measure for result in found], "it fits one of the two"
    tone, topic = found["cohen_kappa"].by_group()
    assert math.isfinite(tone["value"])
    assert math.isnan(topic["value"])
    assert "is for two annotators" in topic["note"]
    assert repr(study) == "Study of 2 variables: 'tone', 'topic'"
    assert (study.describe().items, study.describe().annotators) == (40, 4)


def test_a_study_of_several_variables_has_no_value_of_its_own() -> None:
    result = ask("fleiss_kappa", LANGUAGES.assign(what="tone"), task="what")
    assert math.isnan(result.value)
    assert result.undefined == "The study holds 1 variable; by_group() has one row each."
    with pytest.raises(
        MeasureError,
        match=r"holds 1 variable \('tone'\), each with answers of its own. Choose one: study.tasks\['tone'\]",
    ):
        _ = result.study.labels


def test_rows_without_a_variable_are_left_out_and_counted() -> None:
    frame = LANGUAGES.assign(what=LANGUAGES["language"].where(LANGUAGES["item"] != 3, " "))
    study = Study(frame, item="item", annotator="who", label="tag", task="what")
    assert list(study.tasks) == ["da", "en"]
    assert study.left_out == {"rows without a task": 2}
    with pytest.raises(InputError, match="The task column 'what' is empty"):
        Study(frame.assign(what=None), item="item", annotator="who", label="tag", task="what")


@pytest.mark.parametrize(
    "column",
    [["en", "da"], [1, 2], [1.0, 2.0], [True, False], pd.Categorical(["x", "y"], categories=["y", "never", "x"])],
)
def test_any_column_makes_groups(column: Any) -> None:
    values = list(column)
    frame = LANGUAGES.assign(
        which=pd.Series(np.where(LANGUAGES["language"] == "en", 0, 1)).map(dict(enumerate(values)))
    )
    if isinstance(column, pd.Categorical):
        frame = frame.astype({"which": column.dtype})
    for form in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        table = ask("fleiss_kappa", form, by="which").by_group()
        assert sorted(table["items"]) == [40, 60]
        assert list(table["which"]) == sorted(values)


def test_a_wide_table_may_have_a_column_of_groups() -> None:
    wide = LANGUAGES.pivot(index=["item", "language"], columns="who", values="tag").reset_index()
    study = Study.from_wide(wide, item="item", annotators=["ana", "ben"])
    found = accord.cohen_kappa(study, by="language").by_group()
    long = ask("cohen_kappa", LANGUAGES, by="language").by_group()
    assert list(found["value"]) == list(long["value"])
    assert list(found["low"]) == list(long["low"])


def test_sets_and_rankings_have_groups_too() -> None:
    lists = LANGUAGES.assign(tag=LANGUAGES["tag"].map(lambda tag: [tag]))
    single = ask("krippendorff_alpha", LANGUAGES, by="language").by_group()
    for answers in ("set", "ranked"):
        table = ask("krippendorff_alpha", lists, by="language", answers=answers, weights="identity").by_group()
        assert list(table["value"]) == pytest.approx(list(single["value"]))


def test_measure_has_one_row_a_group_of_the_recommended_coefficient() -> None:
    found = accord.measure(LANGUAGES, item="item", annotator="who", label="tag", by="language")
    table = found.to_table()
    assert list(table["language"]) == ["da", "en"]
    assert list(table["value"]) == list(found.recommended.by_group()["value"])
    assert any(note.startswith("The groups differ") for note in table.notes)
    assert list(found["fleiss_kappa"].by_group()["language"]) == ["da", "en"]


def test_groups_that_are_not_there_are_refused() -> None:
    with pytest.raises(ColumnMissing, match=r"No column 'langauge' to make groups by; .* Did you mean by='language'\?"):
        ask("fleiss_kappa", LANGUAGES, by="langauge")
    with pytest.raises(
        InputError, match=r"There is no column 'x': the study was made from a wide table, which has no others"
    ):
        accord.fleiss_kappa([["a", "b"]], by="x")
    with pytest.raises(InputError, match="made from a table of counts"):
        accord.fleiss_kappa(Study.from_counts([[1, 2], [2, 2]]), by="x")
    with pytest.raises(InputError, match="made from a pair of sequences"):
        accord.cohen_kappa(["a", "b"], ["a", "a"], by="x")
    with pytest.raises(
        OptionError,
        match=r"There are no groups. Give the measure a column that makes them, by=…, or the study .* task=…",
    ):
        ask("fleiss_kappa", LANGUAGES).by_group()
    with pytest.raises(MeasureError, match=r"has one row per variable; for groups choose one: study.tasks"):
        ask("fleiss_kappa", LANGUAGES, task="language", by="who")


@pytest.mark.parametrize("lazy", [False, True])
def test_sets_are_not_grouped_by_their_own_labels(lazy: bool) -> None:
    """In memory an answer went to the group of its first label; a lazy frame ended in a KeyError."""
    table = pl.DataFrame({"item": [0, 0, 0, 1], "annotator": ["x", "x", "y", "y"], "label": list("abba")})
    study = accord.Study(table.lazy() if lazy else table, answers="set")
    with pytest.raises(OptionError, match="by= cannot be 'label': it holds the labels of answers that have several"):
        accord.krippendorff_alpha(study, by="label")


def test_items_of_no_group_do_not_hide_items_of_two() -> None:
    """As many of the one as of the other once looked like groups without a common item."""
    shared = CROWD[CROWD["item"] < 10]
    other = pd.DataFrame([{**row, "item": row["item"] + 200} for row in annotated(60, ["ana", "ben"], 0.5, 5)])
    apart = other.assign(group=["experts", "students"][1])
    grouped = pd.concat([shared, apart, CROWD[(CROWD["group"] == "experts") & (CROWD["item"] >= 10)]])
    nowhere = other.assign(item=other["item"] + 200, group=None)[: 2 * 10]
    for form in (lambda frame: frame, lambda frame: pl.from_pandas(frame).lazy()):
        alone, beside = (
            ask("fleiss_kappa", form(frame), by="group").by_group().notes
            for frame in (grouped, pd.concat([grouped, nowhere]))
        )
        assert alone[1] == beside[1]

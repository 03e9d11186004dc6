"""Results as users meet them: printed, frozen, as frames of every engine, and as JSON that keeps its schema."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError, fields
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import accord
from accord import Agreement, Comparison, Interval, Measurements, Study, Table, options
from accord.agreement.table_formats import as_csv, as_markdown
from accord.annotations.answers import LabelSet, Ranking
from accord.cli.terminal import as_text
from accord.errors import OptionError
from accord.findings.label_texts import answer_text

SCHEMA: dict[str, Any] = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))
HOSTILE = "<script>alert('hi')</script> & \"quoted\""

TEXT = Study.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", None], ["a", None, None]])
TWO = Study.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 4)
COUNTS = Study.from_counts([[3, 0], [1, 2], [0, 3]])
SETS = Study.from_wide([[["a"], ["a", "b"]], [["b"], []], [["a"], ["a"]]])
RANKED = Study.from_wide([[["a", "b"], ["a"]], [["b"], ["b", "a"]], [["a"], ["b"]]], answers="ranked")
SCORES = Study.from_wide([[1.5, 2.0], [3.0, 3.5], [2.0, None]], answers="score")
SILENT = Study.from_wide([[None, None], [None, None]])
ONE_LABEL = Study.from_wide([["a", "a"], ["a", "a"]])
LONG = {
    "item": [1, 1, 2, 2, 3, 3, 4, 4],
    "annotator": ["ana", "ben"] * 4,
    "label": ["a", "a", "b", "a", "b", "b", "a", "a"],
    "language": ["en"] * 4 + ["da"] * 3 + ["is"],
}
STUDIES = {
    "text": TEXT, "two": TWO, "counts": COUNTS, "sets": SETS, "ranked": RANKED, "scores": SCORES, "silent": SILENT,
    "one label": ONE_LABEL, "variables": Study(LONG, task="language"),
}  # fmt: skip


def valid(told: dict[str, Any], kind: str) -> dict[str, Any]:
    """What JSON makes of it: strict JSON, of the schema, and of the kind it says it is."""
    read: dict[str, Any] = json.loads(json.dumps(told, allow_nan=False))
    jsonschema.Draft202012Validator(SCHEMA).validate(read)
    assert (read["schema"], read["object"], read["version"]) == ("accord/1", kind, accord.__version__)
    assert set(read) - {"schema", "object", "version"} <= set(SCHEMA["$defs"][kind]["properties"]), (
        "every field is described"
    )
    return read


# -- JSON ----------------------------------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["$id"] == options.SCHEMA == "accord/1"


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_measurements_keep_the_schema(study: Study) -> None:
    found = accord.measure(study)
    told = valid(found.to_dict(), "measurements")
    assert told["recommended"] == told["results"][0]["measure"] == found.recommended.measure
    assert told["study"] == json.loads(json.dumps(study.describe().to_dict()))
    assert len(told["results"]) == len(found)
    for result in found:
        valid(result.to_dict(), "agreement")
    valid(found.to_table().to_dict(), "table")


def test_an_agreement_tells_its_parts_options_and_interval() -> None:
    result = accord.gwet_ac(TEXT, weights="quadratic", labels=["a", "b"])
    told = valid(result.to_dict(), "agreement")
    assert (told["measure"], told["title"]) == ("gwet_ac", "Gwet's AC2 (quadratic)")
    assert told["options"] == {"weights": "quadratic", "labels": ["a", "b"]}
    assert (told["value"], told["observed"], told["expected"]) == (result.value, result.observed, result.expected)
    assert (told["items"], told["annotators"], told["answers"]) == (4, 3, 12)  # an item has a single answer
    assert (told["interval"]["low"], told["interval"]["high"]) == tuple(result.interval())
    assert told["undefined"] is None
    assert told["groups"] is None


@pytest.mark.parametrize(
    ("weights", "told", "title"),
    [
        (np.array([[1, 0.5], [0.5, 1]]), [[1, 0.5], [0.5, 1]], "Gwet's AC2 (own weights)"),
        ([[np.float32(1), 0], [0, 1]], [[1, 0], [0, 1]], "Gwet's AC2 (own weights)"),
        (lambda one, other: float(one == other), None, "Gwet's AC2 (own weights)"),
        ("identity", "identity", "Gwet's AC1"),
    ],
    ids=["array", "lists", "function", "name"],
)
def test_weights_of_any_kind_are_told(weights: Any, told: Any, title: str) -> None:
    result = accord.gwet_ac(TEXT, weights=weights)
    options = valid(result.to_dict(), "agreement")["options"]
    assert options["weights"] == told or (told is None and "function" in options["weights"])
    assert result.title == title
    assert str(result).startswith(title)


@pytest.mark.parametrize(
    "labels",
    [["a", "b"], ("a", "b"), np.array(["a", "b"]), pd.Index(["a", "b"])],
    ids=lambda labels: type(labels).__name__,
)
def test_labels_of_any_kind_are_told(labels: Any) -> None:
    options = valid(accord.gwet_ac(TEXT, labels=labels).to_dict(), "agreement")["options"]
    assert options["labels"] == ["a", "b"] or "Index" in options["labels"]


@pytest.mark.parametrize("study", [SILENT, ONE_LABEL], ids=["silent", "one label"])
def test_what_does_not_exist_is_null_with_its_reason(study: Study) -> None:
    result = accord.fleiss_kappa(study)
    told = valid(result.to_dict(), "agreement")
    assert told["value"] is None
    assert told["interval"]["low"] is None
    assert told["undefined"] == told["interval"]["undefined"] == result.undefined
    comparison = valid(accord.compare(result, result).to_dict(), "comparison")
    assert comparison["difference"] is None
    assert comparison["undefined"] == result.undefined


def test_the_schema_refuses_null_without_a_reason() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    told = accord.fleiss_kappa(ONE_LABEL).to_dict()
    for broken in (
        {**told, "undefined": None},
        {**told, "undefined": ""},
        {**told, "value": 0.5},
        {**told, "interval": {**told["interval"], "undefined": None}},
        {**told, "schema": "accord/2"},
        {**told, "object": "table"},
        {key: value for key, value in told.items() if key != "version"},
    ):
        assert not validator.is_valid(broken)
    assert validator.is_valid(told)
    assert validator.is_valid({**told, "added": "later"}), "readers ignore what they do not know"


def test_groups_are_rows_with_their_reasons() -> None:
    told = valid(accord.fleiss_kappa(LONG, by="language").to_dict(), "agreement")
    rows = {row["language"]: row for row in told["groups"]}
    assert list(rows) == ["da", "en", "is"]
    assert rows["is"]["value"] is None
    assert rows["is"]["note"] == "Only one annotator answered, so there is nothing to compare."


@pytest.mark.parametrize("method", ["analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian"])
def test_every_interval_keeps_the_schema(method: Any) -> None:
    found = accord.fleiss_kappa(TWO).interval(method=method, n_resamples=30, rng=7)
    validator = jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": "#/$defs/interval"}]})
    validator.validate(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    assert (
        set(found.to_dict())
        == set(SCHEMA["$defs"]["interval"]["properties"])
        == {field.name for field in fields(found)}
    )
    assert found.to_dict()["seed"] == (7 if method in ("bootstrap", "bca", "bayesian") else None)


@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
def test_a_comparison_keeps_the_schema(method: Any) -> None:
    found = accord.compare(accord.cohen_kappa(TWO), accord.scott_pi(TWO), method=method, n_resamples=30, rng=7)
    told = valid(found.to_dict(), "comparison")
    assert told["measures"] == ["cohen_kappa", "scott_pi"]
    assert (told["first"], told["second"], told["paired"]) == (found.first, found.second, True)
    assert told["difference"] == pytest.approx(told["first"] - told["second"])
    assert told["seed"] == (7 if method == "bootstrap" else None)


TABLES = {
    "by item": lambda: accord.fleiss_kappa(TEXT).by_item(),
    "by label": lambda: accord.fleiss_kappa(TEXT).by_label(),
    "by annotator": lambda: accord.fleiss_kappa(TEXT).by_annotator(),
    "by pair": lambda: accord.fleiss_kappa(TEXT).by_pair(),
    "by group": lambda: accord.fleiss_kappa(LONG, by="language").by_group(),
    "differences": lambda: accord.fleiss_kappa(LONG, by="language").differences(),
    "pairwise": lambda: accord.pairwise(TEXT),
    "measured": lambda: accord.measure(TEXT).to_table(),
    "by item of sets": lambda: accord.krippendorff_alpha(SETS, weights="masi").by_item(),
    "by label of rankings": lambda: accord.fleiss_kappa(RANKED).by_label(),
    "by item of missing answers": lambda: accord.fleiss_kappa(SILENT).by_item(),
    "by label of one": lambda: accord.fleiss_kappa(ONE_LABEL).by_label(),
    "by pair of one": lambda: accord.fleiss_kappa(ONE_LABEL).by_pair(),
}


@pytest.mark.parametrize("build", TABLES.values(), ids=TABLES)
def test_every_table_keeps_the_schema_and_its_rows_in_every_form(build: Any) -> None:
    table = build()
    told = valid(table.to_dict(), "table")
    assert told["columns"] == list(table.columns)
    assert all(list(row) == told["columns"] for row in told["rows"])
    assert len(told["rows"]) == len(table) == len(list(table))
    as_pandas, as_polars, as_arrow = table.to_pandas(), table.to_polars(), pa.table(table)
    assert list(as_pandas.columns) == as_polars.columns == as_arrow.column_names == list(table.columns)
    assert len(as_pandas) == len(as_polars) == as_arrow.num_rows == len(table)
    for name in table.columns:
        numbers = [
            cell if isinstance(cell, str | tuple) else np.float64(np.nan if cell is None else cell)
            for cell in table[name]
        ]
        for column in (as_pandas[name].tolist(), as_polars[name].to_list(), as_arrow[name].to_pylist()):
            for cell, expected in zip(column, numbers, strict=True):
                assert cell == expected or (
                    isinstance(expected, float) and math.isnan(expected) and (cell is None or math.isnan(cell))
                )


@pytest.mark.parametrize("build", TABLES.values(), ids=TABLES)
def test_a_table_says_why_a_row_has_no_value(build: Any) -> None:
    table = build()
    if "value" not in table.columns or not np.isnan(table["value"].astype(float)).any():
        return
    told = any("without a value: " in note or "have no value" in note for note in table.notes)
    rows = [row for row in table if row["value"] is None or math.isnan(row["value"])]
    assert told or all(row.get("note") or row.get("undefined") for row in rows)


# -- tables --------------------------------------------------------------------------------------------------------


def small() -> Table:
    return Table(
        "Shares",
        {
            "label": ["yes", "no", None],
            "share": np.array([0.75, np.nan, 0.25]),
            "held": [LabelSet("ab"), LabelSet(), LabelSet("c")],
        },
        ("A note.",),
    )


def test_a_table_prints() -> None:
    assert str(small()) == repr(small()) == (
        "Shares\n"
        "label  share  held\n"
        "yes    0.750  a + b\n"
        "no     –      ∅\n"
        "–      0.250  c\n"
        "A note."
    )  # fmt: skip


def test_sets_are_sets_and_rankings_are_rankings_wherever_they_are_shown() -> None:
    table = Table("Answers", {"set": [LabelSet("ab")], "ranked": [Ranking("ab")], "neither": [("a", "b")]})
    assert str(table).splitlines()[-1] == "a + b  a > b   a, b"
    left = '<td style="padding:0 .6em;text-align:left">'
    assert f"{left}a + b</td>{left}a &gt; b</td>{left}a, b</td>" in table._repr_html_()
    assert [answer_text(cell) for cell in next(iter(table)).values()] == ["a + b", "a > b", "a, b"]
    assert as_markdown(table).splitlines()[-1] == "| a + b | a > b | a, b |"
    assert as_csv(table).splitlines()[-1] == "a | b,a | b,a | b"
    assert as_text(table).splitlines()[-1].split("  ") == ["a + b", "a > b", " a, b"]
    assert table.to_polars()["set"].to_list() == [["a", "b"]]
    assert list(table.to_pandas()["ranked"]) == [("a", "b")]


@pytest.mark.parametrize("kind", ["set", "ranked"])
def test_answers_know_what_they_are(kind: Any) -> None:
    study = Study({"item": [1, 1], "annotator": ["ana", "ben"], "label": [["joy", "fear"], ["joy"]]}, answers=kind)
    written = {str(study.answers.value(place)) for place in range(len(study.answers))}
    assert written == {"set": {"fear + joy", "joy"}, "ranked": {"joy > fear", "joy"}}[kind]


def test_a_gold_of_sets_prints_as_sets() -> None:
    rows = {"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "label": [["joy", "fear"]] * 2 + [[], []]}
    gold = accord.gold(Study(rows, answers="set"), method="majority")
    assert gold.labels == [("fear", "joy"), ()]
    for shown in (str(gold.to_table()), gold._repr_html_(), as_text(gold.to_table()), as_markdown(gold.to_table())):
        assert "fear + joy" in shown
        assert "∅" in shown
        assert "fear > joy" not in shown
        assert "fear &gt; joy" not in shown
    decided = gold.decide({1: ["joy", "fear"]}, by="judge")
    assert "fear + joy" in str(decided.to_table())


def test_a_long_table_is_cut_when_it_prints() -> None:
    table = Table("Numbers", {"number": np.arange(1000)})
    assert str(table).splitlines()[-2:] == ["19", "… (1,000 rows)"]
    html = table._repr_html_()
    assert html.count("<tr>") == 201
    assert "… (1,000 rows)" in html


def test_a_table_is_rows_and_columns_of_plain_values() -> None:
    rows = list(small())
    assert rows[0] == {"label": "yes", "share": 0.75, "held": ("a", "b")}
    assert type(rows[0]["share"]) is float
    assert small().columns == ("label", "share", "held")
    assert (len(small()), small()["label"].tolist()) == (3, ["yes", "no", None])
    with pytest.raises(
        OptionError, match=r"column must be one of 'label', 'share', 'held'; got 'shares'. Did you mean 'share'\?"
    ):
        small()["shares"]


def test_a_table_sorts_with_the_missing_last() -> None:
    assert small().sorted("share")["label"].tolist() == [None, "yes", "no"]
    assert small().sorted("share", descending=True)["label"].tolist() == ["yes", None, "no"]
    assert small().sorted("label")["label"].tolist() == ["no", "yes", None]
    assert small().head(1)["label"].tolist() == ["yes"]
    assert len(small().head(99)) == 3


def test_numbers_that_only_a_machines_arithmetic_tells_apart_stay_in_their_order() -> None:
    alike = Table("alike", {"who": ["ana", "ben", "cho"], "value": [0.3, 0.1 + 0.2, 0.4]})
    assert alike.sorted("value")["who"].tolist() == ["ana", "ben", "cho"]
    assert alike.sorted("value", descending=True)["who"].tolist() == ["cho", "ana", "ben"]


def test_nan_is_null_in_json_and_a_tuple_a_list() -> None:
    told = valid(small().to_dict(), "table")
    assert told["rows"] == [
        {"label": "yes", "share": 0.75, "held": ["a", "b"]},
        {"label": "no", "share": None, "held": []},
        {"label": None, "share": 0.25, "held": ["c"]},
    ]
    infinite = Table("Infinite", {"number": [math.inf, -math.inf, np.float64("nan"), np.int64(3), np.bool_(1)]})
    assert [row["number"] for row in valid(infinite.to_dict(), "table")["rows"]] == [None, None, None, 3, True]


def test_a_table_without_rows_is_a_table() -> None:
    table = Table("Nothing", {"label": [], "share": np.empty(0)})
    assert (len(table), list(table)) == (0, [])
    assert str(table) == "Nothing\nlabel  share"
    assert len(table.to_pandas()) == len(table.to_polars()) == pa.table(table).num_rows == 0
    valid(table.to_dict(), "table")


def test_html_is_escaped_wherever_it_comes_from() -> None:
    study = Study(
        {
            "item": [HOSTILE, HOSTILE, "i", "i"],
            "annotator": [HOSTILE, "ben"] * 2,
            "label": [HOSTILE, "b", "b", "b"],
            HOSTILE: ["g"] * 4,
        }
    )
    pages = [
        accord.fleiss_kappa(study).by_item()._repr_html_(),
        accord.fleiss_kappa(study).by_label()._repr_html_(),
        accord.fleiss_kappa(study).by_pair()._repr_html_(),
        accord.fleiss_kappa(study, by=HOSTILE)._repr_html_(),
        accord.fleiss_kappa([[HOSTILE, HOSTILE]])._repr_html_(),
        accord.measure(study)._repr_html_(),
        accord.measure([[HOSTILE, HOSTILE]])._repr_html_(),
        Table(HOSTILE, {HOSTILE: [HOSTILE]}, (HOSTILE,))._repr_html_(),
    ]
    for page in pages:
        assert "<script" not in page
        assert "&lt;script&gt;" in page or HOSTILE not in page
    assert all("&lt;script&gt;alert(" in page for page in (*pages[:3], pages[4], pages[6], pages[7]))


# -- printing and numbers ------------------------------------------------------------------------------------------


def test_an_agreement_is_a_number_and_a_sentence() -> None:
    kappa = accord.fleiss_kappa(TWO)
    low, high = kappa.interval()
    assert float(kappa) == kappa.value
    assert f"{kappa:.2f}" == f"{kappa.value:.2f}"
    assert f"{kappa}" == str(kappa)
    assert str(kappa) == (
        f"Fleiss' kappa {kappa.value:.3f}, 95% interval [{low:.3f}, {high:.3f}] (observed {kappa.observed:.3f}, "
        f"expected {kappa.expected:.3f}; 16 items, 2 annotators)"
    )
    assert repr(kappa) == str(kappa)
    assert "<strong>Fleiss&#x27; kappa 0.467, 95% interval [-0.067, 0.784]</strong> (observed" in kappa._repr_html_()


def test_an_undefined_agreement_says_so_instead() -> None:
    kappa = accord.cohen_kappa(SILENT)
    assert str(kappa) == "Cohen's kappa: undefined. Nobody answered anything: every answer is missing."
    assert f"{kappa:.2f}" == "nan"
    assert math.isnan(float(kappa))
    assert str(kappa.interval()) == "undefined: Nobody answered anything: every answer is missing."
    assert str(kappa.test()) == "undefined: Nobody answered anything: every answer is missing."


def test_an_interval_unpacks_and_prints() -> None:
    found = accord.fleiss_kappa(TWO).interval(confidence=0.9, method="bootstrap", n_resamples=50, rng=3)
    low, high = found
    assert (low, high) == (found.low, found.high)
    assert str(found) == f"[{low:.3f}, {high:.3f}] (90%, bootstrap)"
    assert (found.seed, found.n_resamples, found.resample) == (3, 50, "items")


def test_a_seed_that_nobody_gave_is_kept_and_repeats() -> None:
    kappa = accord.fleiss_kappa(TWO)
    found = kappa.interval(method="bootstrap", n_resamples=50)
    assert isinstance(found.seed, int)
    assert kappa.interval(method="bootstrap", n_resamples=50, rng=found.seed) == found


def test_a_test_prints_and_tells() -> None:
    found = accord.fleiss_kappa(TWO).test()
    assert str(found).startswith(f"p = {found.p:.3g} (against chance, null-error)")
    assert str(accord.fleiss_kappa(TWO).test(null=0.4, alternative="less")).endswith("(below 0.4, analytic)")
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["p"] == found.p


def test_a_comparison_prints() -> None:
    same = accord.compare(accord.fleiss_kappa(TWO), accord.fleiss_kappa(TWO))
    assert str(same).startswith(f"{same.first:.3f} against {same.second:.3f}: difference +0.000 [")
    assert str(same).endswith("(paired over 16 common items, analytic)")
    apart = accord.compare(accord.fleiss_kappa(TWO), accord.fleiss_kappa(COUNTS))
    assert str(apart).endswith("(on different items, analytic)")


def test_measurements_are_a_sequence_with_names() -> None:
    found = accord.measure(TWO)
    assert found[0] is found.recommended is found[found.recommended.measure]
    assert [result.measure for result in found] == [found[place].measure for place in range(len(found))]
    assert found[-1] is list(found)[-1]
    assert len(found[:2]) == 2
    assert str(found) == repr(found)
    assert str(found).splitlines()[-1] == f"Recommended: {found.recommended.title}. {found.reason}"


def test_results_are_frozen() -> None:
    kappa = accord.fleiss_kappa(TWO)
    frozen: list[tuple[Any, str]] = [
        (kappa, "value"), (kappa.interval(), "low"), (kappa.test(), "p"), (accord.compare(kappa, kappa), "p"),
        (accord.measure(TWO), "reason"), (kappa.by_item(), "title"), (TWO.describe(), "items"),
    ]  # fmt: skip
    for result, name in frozen:
        with pytest.raises(FrozenInstanceError):
            setattr(result, name, 0)
    column = kappa.by_item()["value"]
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 0.0
    assert [type(result) for result, _ in frozen[:1]] == [Agreement]
    assert {Interval, Comparison, Measurements, Table} <= {type(result) for result, _ in frozen}

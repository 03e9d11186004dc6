"""Read, write, read: the same study."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord.annotations.left_out import Reason
from accord.study.study import Study
from tests.readers.test_samples import ONE, SAMPLES, SEVERAL

EVERY = [(name, options) for name, options, _ in ONE] + [(name, {}) for name, _ in SEVERAL]
ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")


def content(study: Study) -> Any:
    """What makes two studies the same: who said what of which item."""
    if study.tasks:
        return {name: content(part) for name, part in study.tasks.items()}
    annotations = study._annotations
    item, annotator, answer, count = (column.tolist() for column in annotations.rows)
    places = study.answers.places or [()] * len(study.answers)

    def said(position: int) -> Any:
        value = study.answers.value(position)
        if study.kind == "set":
            return sorted(value, key=repr) if isinstance(value, tuple) else value
        return (value, places[position]) if study.answers.places else value

    rows = sorted(
        (
            (study.items[i], study.annotators[a] if annotations.named else None, repr(said(k)), c)
            for i, a, k, c in zip(item, annotator, answer, count, strict=True)
        ),
        key=repr,
    )
    return study.kind, list(study.labels), study.answers.declared, bool(study.answers.order), study.level, rows


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("name", "options"), EVERY, ids=[name for name, _ in EVERY])
def test_read_write_read(name: str, options: dict[str, Any], ending: str, tmp_path: Path) -> None:
    first = accord.read(SAMPLES / name, **options)
    path = first.write(tmp_path / f"long{ending}")
    again = accord.read(path)
    assert content(again) == content(first)
    if "wide" not in first.shape:  # gaps of a wide table are no rows of a long one
        kept = {reason: number for reason, number in first.left_out.items() if not reason.endswith("not read")}
        assert dict(again.left_out) == kept  # what a reader cannot read is not in the table it writes


@pytest.mark.parametrize("ending", ENDINGS)
def test_repeats_that_were_left_out_stay_out(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("item,annotator,label\n1,ana,a\n1,ana,b\n1,ben,b\n1,ana,c\n")
    first = accord.read(path, duplicates="last")
    assert content(first)[-1] == [(1, "ana", "'c'", 1), (1, "ben", "'b'", 1)]
    again = accord.read(first.write(tmp_path / f"long{ending}"))
    assert content(again) == content(first)
    assert dict(again.left_out) == dict(first.left_out) == {"answers given again (another was kept)": 2}


TWICE: dict[str, list[Any]] = {
    "item": [1, 1, 1, 2, 2],
    "annotator": ["ana", "ana", "ben", "ana", "ben"],
    "label": ["a", "b", "b", "a", "a"],
}
SCORES = {**TWICE, "label": [None] * 5, "score": [1.5, 2.0, 3.0, 4.0, 5.0]}
RUNS: dict[str, list[Any]] = {
    "item": [1, 1, 1, 1, 2, 2],
    "annotator": ["ana", "ana", "ana", "ben", "ana", "ben"],
    "label": ["a", "b", "b", "b", "a", None],
    "run": [1, 1, 2, 1, 1, 1],
}
RANKED_RUNS = {**RUNS, "rank": [1, 2, 1, 1, 1, 1]}
LISTS: dict[str, list[Any]] = {**TWICE, "label": [["a", "b"], ["b"], [], ["a"], ["b"]]}
TASKS = {**{name: cells * 2 for name, cells in TWICE.items()}, "task": ["tone"] * 5 + ["topic"] * 5}
REPEATED = [
    (TWICE, {"duplicates": "first"}),
    (TWICE, {"duplicates": "last"}),
    (TWICE, {"duplicates": "repeat"}),
    ({**TWICE, "label": [None, "b", "b", "a", "a"]}, {"duplicates": "first"}),
    ({**TWICE, "label": ["a", "a", "b", "a", "a"]}, {"duplicates": "first", "answers": "set"}),
    ({**TWICE, "status": ["mine"] * 5, "task": ["x"] * 5}, {"duplicates": "first"}),  # columns that play no role
    (SCORES, {"duplicates": "first", "score": "score", "answers": "score"}),
    (SCORES, {"duplicates": "repeat", "score": "score", "answers": "score"}),
    (TASKS, {"duplicates": "last", "task": "task"}),
    (TASKS, {"duplicates": "repeat", "task": "task"}),
    (LISTS, {"duplicates": "repeat"}),
    (RUNS, {"answers": "set", "run": "run"}),
    (RUNS, {"answers": "set", "run": "run", "duplicates": "first"}),
    (RUNS, {"answers": "set", "run": "run", "duplicates": "last"}),
    (RANKED_RUNS, {"answers": "ranked", "run": "run", "rank": "rank"}),
    (RANKED_RUNS, {"answers": "ranked", "run": "run", "rank": "rank", "duplicates": "last"}),
]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("table", "options"), REPEATED)
def test_a_study_that_dropped_or_took_repeats_comes_back(
    table: dict[str, list[Any]], options: dict[str, Any], ending: str, tmp_path: Path
) -> None:
    first = accord.Study(table, **options)
    again = accord.read(first.write(tmp_path / f"long{ending}"))
    parts = first.tasks or {"": first}
    for name, part in (again.tasks or {"": again}).items():
        assert content(part) == content(parts[name])
    assert dict(again.left_out) == dict(first.left_out)
    assert again.left_out.of(Reason.REPEATED) == first.left_out.of(Reason.REPEATED)


def test_sets_of_two_runs_are_two_answers() -> None:
    study = accord.Study(RUNS, answers="set", run="run")
    assert [row[2:] for row in content(study)[-1][:2]] == [("['a', 'b']", 1), ("['b']", 1)]
    lazy = pl.DataFrame(RUNS).lazy()
    assert content(accord.Study(lazy, answers="set", run="run")) == content(study)
    assert content(accord.Study(RUNS, answers="set", run="run", duplicates="last"))[-1][0] == (1, "ana", "['b']", 1)


@pytest.mark.parametrize("seed", range(20))
def test_odd_labels_and_texts_come_back(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    odd = [
        "a,b",
        'say "x"',
        "line\nbreak",
        " lead",
        "é",
        "🙂",
        "007",
        "1e3",
        "nan",
        "None",
        "true",
        "x;y|z",
        "'",
        "=1+1",
        "\tt",
        "a\rb",
        "a\r\nb",
        "\r",
        "\rx",
        "00",
        "-0",
    ]
    labels = chance.sample(odd, 6)
    people = chance.sample(odd, 3)
    table: dict[str, list[Any]] = {"item": [], "annotator": [], "label": []}
    for item in chance.sample(odd, 5):
        for who in people:
            for name, cell in (("item", item), ("annotator", who), ("label", chance.choice(labels))):
                table[name].append(cell)
    first = Study(table)
    for ending in ENDINGS:
        assert content(accord.read(first.write(tmp_path / f"long{ending}"))) == content(first), ending


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("text", ["a\rb", "a\r\nb", "\rb", "a\r", "a\n", 'a"\r', "a,\r\tb"])
def test_a_line_break_of_any_system_comes_back(text: str, ending: str, tmp_path: Path) -> None:
    first = Study({"item": [text, "2"] * 2, "annotator": [text, text, "ben", "ben"], "label": [text, "x", "x", "x"]})
    again = accord.read(first.write(tmp_path / f"long{ending}"))
    assert content(again) == content(first)
    assert text in again.labels


def test_arrays_are_written_too(tmp_path: Path) -> None:
    first = Study.from_wide(np.array([[1, 2], [3, 3]]))
    assert content(accord.read(first.write(tmp_path / "long.csv"))) == content(first)


@pytest.mark.parametrize("ending", ENDINGS)
def test_counts_of_nobody_in_particular_come_back_with_their_scale(ending: str, tmp_path: Path) -> None:
    first = Study.from_counts([[2, 1, 0], [0, 3, 0], [1, 1, 0]], labels=["2", "10", "1"])
    again = accord.read(first.write(tmp_path / f"counts{ending}"))
    assert content(again) == content(first)
    assert accord.fleiss_kappa(again).value == accord.fleiss_kappa(first).value
    assert accord.brennan_prediger_kappa(again).value == accord.brennan_prediger_kappa(first).value


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "labels", [["low", "middle", "high", "never"], ["3", "1", "2"], [3, 1, 2], ["true", "false"]], ids=str
)
def test_a_declared_scale_and_its_order_come_back(labels: list[Any], ending: str, tmp_path: Path) -> None:
    table = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": [labels[0], labels[1], labels[1], labels[1]]}
    first = Study(table, labels=labels)
    again = accord.read(first.write(tmp_path / f"long{ending}"))
    assert content(again) == content(first)
    assert again.labels == tuple(labels)
    alpha = accord.krippendorff_alpha
    assert alpha(again, level="ordinal").value == alpha(first, level="ordinal").value


def test_an_ordered_categorical_comes_back(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    label = pd.Categorical(["low", "high", "high", "low"], ["low", "middle", "high"], ordered=True)
    first = Study(pd.DataFrame({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": label}))
    assert first.level == "ordinal"
    for ending in ENDINGS:
        assert content(accord.read(first.write(tmp_path / f"long{ending}"))) == content(first)


def test_the_scales_of_several_variables_come_back_each(tmp_path: Path) -> None:
    table = {
        "item": [1, 1, 1, 1], "annotator": ["a", "b"] * 2, "label": ["x", "y", "n", "n"], "task": ["t", "t", "u", "u"],
    }  # fmt: skip
    whole = Study(table, task="task")
    first = whole._with_tasks({"t": whole.tasks["t"].declare(["y", "x", "z"]), "u": whole.tasks["u"]})
    again = accord.read(first.write(tmp_path / "long.csv"))
    assert again.tasks["t"].labels == ("y", "x", "z")
    assert again.tasks["u"].labels == ("n",)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_level_comes_back_with_or_without_declared_labels(ending: str, tmp_path: Path) -> None:
    for number, first in enumerate((
        Study.from_pairs([1, 2, 3], [1, 3, 3], levels="interval"),
        Study.from_pairs(["b", "a", "c"], ["a", "a", "c"], labels=["a", "b", "c"], levels="ordinal"),
        Study.from_wide([[1.5, 2.0], [3.0, 2.5]], answers="score", levels="ratio"),
        Study.from_counts([[2, 1, 0], [0, 1, 2]], labels=["low", "mid", "top"], levels="ordinal"),
    )):  # fmt: skip
        again = accord.read(first.write(tmp_path / f"long{number}{ending}"))
        assert content(again) == content(first)
        assert again.level == first.level is not None


def test_the_levels_of_several_variables_come_back_each(tmp_path: Path) -> None:
    table = {"item": [1] * 6, "annotator": ["a", "b"] * 3, "label": [1, 2, 3, 3, 9, 9], "task": [*"ttuuvv"]}
    first = Study(table, task="task", levels={"t": "ordinal", "u": "ratio"})
    path = first.write(tmp_path / "long.csv")
    levels = {"t": "ordinal", "u": "ratio", "v": None}
    assert {name: part.level for name, part in accord.read(path).tasks.items()} == levels
    assert accord.read(path, only="u").level == "ratio"
    said = accord.read(path, levels={"v": "nominal", "t": "interval"})
    assert [part.level for part in said.tasks.values()] == ["interval", "ratio", "nominal"], "what is said now wins"


def test_the_scale_beside_a_table_keeps_the_schema(tmp_path: Path) -> None:
    path = Study.from_pairs(["a", "b"], ["a", "b"], labels=["b", "a", "c"]).write(tmp_path / "long.csv")
    told = json.loads(path.with_name("long.csv.scale.json").read_text(encoding="utf-8"))
    schema = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(told)
    assert told["variables"] == {"": {"labels": ["b", "a", "c"], "ordered": True, "level": None}}


def test_an_old_scale_does_not_outlive_its_table(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    Study.from_pairs(["a", "b"], ["a", "b"], labels=["b", "a", "c"]).write(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["long.csv", "long.csv.scale.json"]
    Study.from_pairs(["a", "b"], ["a", "b"]).write(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["long.csv"]


def test_a_scale_that_was_edited_amiss_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = Study.from_pairs(["a", "b"], ["a", "b"], labels=["b", "a"]).write(tmp_path / "long.csv")
    scale = path.with_name("long.csv.scale.json")
    scale.write_text(scale.read_text(encoding="utf-8").replace('"labels"', '"lables"'), encoding="utf-8")
    with pytest.raises(accord.AccordError, match=r"long\.csv\.scale\.json.*not as accord writes it"):
        accord.read(path)


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(accord.AccordError, match=r"Did you mean '\.csv'"):
        Study.from_pairs(["a"], ["a"]).write(tmp_path / "long.cvs")


def test_no_half_file_is_left(tmp_path: Path) -> None:
    study = Study.from_pairs(["a"], ["a"])
    with pytest.raises(accord.AccordError, match="cannot be written"):
        study.write(tmp_path / "no" / "such" / "folder.csv")
    study.write(tmp_path / "long.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["long.csv"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_row_without_an_item_comes_back_without_one(ending: str, tmp_path: Path) -> None:
    """Not with that of the row above, as in a spreadsheet with merged cells."""
    table = {"item": ["a", None], "annotator": ["ana", "ben"], "label": ["x", "y"]}
    again = accord.read(Study(table).write(tmp_path / f"long{ending}"))
    assert (again.n_annotations, dict(again.left_out)) == (1, {"rows without an item": 1})


def test_records_without_a_field_are_written_as_text(tmp_path: Path) -> None:
    hollow: list[Any] = [{}, {"more": {}}, [{}]]
    for odd in hollow:
        table = {"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"], "metadata": [odd, odd]}
        assert accord.read(Study(table).write(tmp_path / "long.parquet")).n_annotations == 2


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("role", ["item", "label"])
@pytest.mark.parametrize("numbers", [[1, 1.5, 10**25], [1, 2, 10**40], [0.5, 2**53, 2**53 + 1], [-(2**127), 1, 2**64]])
def test_no_digit_of_a_number_is_lost(numbers: list[Any], role: str, ending: str, tmp_path: Path) -> None:
    """Where a column of a Parquet file would round a number, or leave it out, it is one of text."""
    table = {"item": [1, 2, 3] * 2, "annotator": ["a"] * 3 + ["b"] * 3, "label": [1, 2, 3] * 2, role: numbers * 2}
    study = Study(table)
    assert content(accord.read(study.write(tmp_path / f"long{ending}"))) == content(study)


@pytest.mark.parametrize("cells", [[[1], [10**40]], [{"a": 1}, {"a": 10**40}], [[1], [[2]]], [{"a": [1]}, {"a": 3}]])
def test_lists_that_no_column_holds_are_written_as_text(cells: list[Any], tmp_path: Path) -> None:
    table = {"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"], "more": cells}
    again = accord.read(Study(table).write(tmp_path / "long.parquet"))
    assert again._frame is not None
    assert again._frame.cells("more") == cells


def test_labels_of_many_digits_in_a_column_of_text_are_told_apart(tmp_path: Path) -> None:
    labels = ["9007199254740992", "9007199254740993"]
    pl.DataFrame({"item": [1, 1], "annotator": ["a", "b"], "label": labels}).write_parquet(tmp_path / "x.parquet")
    assert accord.read(tmp_path / "x.parquet").labels == tuple(labels)


def test_groups_of_many_digits_are_those_of_the_tally(tmp_path: Path) -> None:
    topics = [1, 1, 10**40]
    table = {"item": [1, 2, 3] * 2, "annotator": ["a"] * 3 + ["b"] * 3, "label": [1, 2, 3] * 2, "topic": topics * 2}
    study = Study(table)
    tally = accord.read(study.write_tally(tmp_path / "x.tally", by="topic"))
    for one in (study, tally):
        frame = accord.percent_agreement(one, by="topic").by_group().to_polars()
        assert frame["topic"].to_list() == ["1", str(10**40)]


@pytest.mark.parametrize(("label", "kept"), [("\ud83d", "\\ud83d"), (10**40, str(10**40))])
def test_a_set_that_no_column_holds_is_written_as_text(label: Any, kept: str, tmp_path: Path) -> None:
    table = {"item": [1, 1], "annotator": ["a", "b"], "label": [[label], [label]]}
    path = accord.gold(Study(table), method="majority").write(tmp_path / "gold.parquet")
    assert pl.read_parquet(path)["label"].to_list() == [[kept]]
    again = accord.read(Study(table | {"more": [[label], []]}).write(tmp_path / "long.parquet"))
    assert (again.n_annotations, again._frame is not None) == (2, True)


GAPS: dict[str, Callable[[], Any]] = {
    "pandas Int64": lambda: pd.Series([1, 2, None, 2], dtype="Int64"),
    "pandas Float32": lambda: pd.Series([1, 2, None, 2], dtype="Float32"),
    "pandas arrow": lambda: pd.Series([1, 2, None, 2], dtype="int16[pyarrow]"),
    "pandas object of NA": lambda: pd.Series([1, 2, pd.NA, 2], dtype=object),
    "list with NaT": lambda: [1, 2, pd.NaT, 2],
    "list with a masked cell": lambda: [1, 2, np.ma.masked, 2],
    "list of decimals": lambda: [Decimal(1), Decimal("2.0"), None, Decimal(2)],
    "list of long doubles": lambda: [np.longdouble(1), np.longdouble(2), None, np.longdouble(2)],
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("role", ["label", "score"])
@pytest.mark.parametrize("kind", GAPS)
def test_whatever_a_library_calls_nothing_is_nothing_in_a_file(
    kind: str, role: str, ending: str, tmp_path: Path
) -> None:
    table = pd.DataFrame({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2})
    cells = GAPS[kind]()
    frame = table.assign(**{role: cells}) if isinstance(cells, pd.Series) else {**table.to_dict("list"), role: cells}
    roles: Any = {role: role}
    first = Study(frame, **roles)
    assert first.n_annotations == 3
    assert content(accord.read(first.write(tmp_path / f"x{ending}"))) == content(first)


class Verdict(str, Enum):  # noqa: UP042 - shown as Verdict.YES, where a StrEnum is shown as what it says
    YES = "yes"
    NO = "no"


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("held", [list, lambda cells: pd.Series(cells, dtype=object)], ids=["list", "pandas"])
def test_members_of_an_enumeration_are_what_they_say(held: Any, ending: str, tmp_path: Path) -> None:
    label = held([Verdict.YES, Verdict.NO, Verdict.YES, Verdict.YES])
    first = Study({"item": held([1, 1, 2, 2]), "annotator": held(["a", "b"] * 2), "label": label})
    assert accord.read(first.write(tmp_path / f"x{ending}")).labels == first.labels == ("no", "yes")


@pytest.mark.parametrize("ending", ENDINGS)
def test_annotators_that_are_decimals_keep_their_names(ending: str, tmp_path: Path) -> None:
    for who in ([Decimal("1.0"), Decimal("1.5")], [1, 1.5], [True, False]):
        first = Study({"item": [1, 1, 2, 2], "annotator": who * 2, "label": ["x", "y", "x", "x"]})
        assert accord.read(first.write(tmp_path / f"x{ending}")).annotators == first.annotators


ODD_CELLS: dict[str, list[Any]] = {
    "no decimals": [Decimal("NaN"), Decimal("sNaN")],
    "decimals of too many digits together": [Decimal("1" * 37), Decimal("0.12345")],
    "moments with and without a zone": [datetime(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)],  # noqa: DTZ001
    "a long double": [np.longdouble(1), np.longdouble("1e4000")],
    "a void": [np.void(b"ab"), np.array(1)],
    "a complex number": [1 + 2j, np.complex64(1)],
    "records": [{"a": Decimal("NaN")}, {"a": Decimal(1)}],
    "moments": [np.datetime64("2020"), np.datetime64("NaT", "s")],
    "lengths of time": [np.timedelta64(1, "D"), timedelta(days=1)],
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", ODD_CELLS)
def test_a_further_column_of_anything_is_written_and_explained(kind: str, ending: str, tmp_path: Path) -> None:
    table = {
        "item": [1, 1, 2, 2],
        "annotator": ["a", "b"] * 2,
        "label": ["x", "y", "x", "x"],
        "more": ODD_CELLS[kind] * 2,
    }
    first = Study(table)
    path = first.write(tmp_path / f"x{ending}")
    assert content(accord.read(path)) == content(first)
    assert accord.explain(Study(table, time="more"))
    if ending == ".parquet" and "digits" in kind:
        assert pl.read_parquet(path)["more"].to_list()[:2] == ["1" * 37, "0.12345"]


def test_a_number_that_python_refuses_to_write_is_refused_wherever_it_stands(tmp_path: Path) -> None:
    table = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": ["x", "y", "x", "x"]}
    for name in ("item", "annotator", "label"):
        with pytest.raises(accord.AccordError, match=r"about 5,001 digits> as an? \w+\. Make it text\."):
            str(Study({**table, name: [10**5000, 1] * 2}).describe())
    study = Study({**table, "more": [10**5000, 1] * 2})
    with pytest.raises(accord.AccordError, match="in the column 'more'"):
        study.write(tmp_path / "x.csv")


def test_a_column_that_its_library_cannot_hand_out_is_named() -> None:
    table = pa.table({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]})
    odd = {
        "zone": pa.array([1, 1], pa.timestamp("s", tz="Nowhere/Land")),
        "bytes": pa.Array.from_buffers(
            pa.string(), 2, [None, pa.py_buffer(np.arange(3, dtype=np.int32).tobytes()), pa.py_buffer(b"\xff\xff")]
        ),
    }
    for name, cells in odd.items():
        with pytest.raises(accord.AccordError, match=f"The column '{name}' cannot be read: "):
            accord.measure(table.append_column(name, cells), label=name)
    with pytest.raises(accord.AccordError, match="a type that is not read"):
        Study(table.append_column("negative", pa.array([Decimal(1500), None], pa.decimal128(5, -2))))

"""A study known by its tally: sums over items come out as of the rows, and what is not known is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.errors import ColumnMissing, FileError, InputError, MeasureError, OptionError
from accord.measures.registered import MEASURES
from accord.study.tally_file import KEY, read_tally_file
from tests.surface.test_other_processes import again

OF_LABELS = [name for name, entry in MEASURES.items() if not entry.kinds and name != "preference_agreement"]
OF_NUMBERS = [name for name, entry in MEASURES.items() if entry.numeric]


def table(items: int = 40, seed: int = 1, first: int = 0, labels: str = "xyz") -> dict[str, list[Any]]:
    """Up to four answers of five people to an item, with its language and its document."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(first, first + items):
        true = rng.integers(len(labels))
        for who in np.sort(rng.permutation(5)[: rng.integers(1, 5)]):
            answer = labels[true if rng.random() < 0.7 else rng.integers(len(labels))]
            rows.append((f"i{item}", "abcde"[who], answer, ["de", "en", None][item % 3], f"d{item // 4}"))
    names = ("item", "annotator", "label", "lang", "doc")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def study(**roles: Any) -> accord.Study:
    return accord.Study(table(), item="item", annotator="annotator", label="label", **roles)


@pytest.fixture
def tallied(tmp_path: Path) -> accord.Study:
    """Read from the tally of `study(cluster="doc")`."""
    return accord.read(study(cluster="doc").write_tally(tmp_path / "week.tally", by="lang"))


def answers_to(result: Any, *, drawn: bool = True) -> list[str]:
    """Everything that may be asked of a result and is a sum, as text; what is drawn too, where kinds are drawn."""
    found = [f"{part:.13g}" for part in (result.value, result.observed, result.expected)]
    resampled = (
        lambda: result.interval(method="bootstrap", n_resamples=20),
        lambda: result.interval(method="bootstrap", resample="both", n_resamples=20),
        result.test,
    )
    for question in (
        *(resampled if drawn else ()),
        result.interval,
        lambda: result.interval(method="jackknife"),
        result.by_group,
        result.differences,
        result.by_label,
        result.by_annotator,
        result.by_pair,
    ):
        try:
            found.append(str(question()))
        except accord.AccordError as problem:
            found.append(str(problem))
    return found


@pytest.mark.parametrize("measure", OF_LABELS)
def test_every_measure_and_all_that_is_asked_of_it_is_as_of_the_rows(measure: str, tallied: accord.Study) -> None:
    function = getattr(accord, measure)
    try:
        rows = function(study(cluster="doc"), by="lang")
    except accord.AccordError as refusal:
        with pytest.raises(type(refusal)):
            function(tallied, by="lang")
        return
    assert answers_to(function(tallied, by="lang")) == answers_to(rows)


@pytest.mark.parametrize("measure", OF_NUMBERS)
def test_measures_of_numbers_are_as_of_the_rows(measure: str, tmp_path: Path) -> None:
    data = table()
    data["label"] = ["xyz".index(label) for label in data["label"]]
    rows = accord.Study(data, item="item", annotator="annotator", label="label")
    sums = accord.read(rows.write_tally(tmp_path / "t.tally", by="lang"))
    function = getattr(accord, measure)
    if measure != "lin_concordance":  # of two annotators
        first, second = (answers_to(function(one, by="lang"), drawn=False) for one in (sums, rows))
        assert first == second
    two = [str(function(one.of_annotators(["a", "b"]))) for one in (sums, rows)]
    assert two[0] == two[1]


def test_suggested_labels_are_kept(tmp_path: Path) -> None:
    data = table()
    data["hint"] = ["xyz"[int(item[1:]) % 3] for item in data["item"]]
    rows = accord.Study(data, item="item", annotator="annotator", label="label", suggested="hint")
    sums = accord.read(rows.write_tally(tmp_path / "t.tally"))
    first, second = (accord.dipietro_hazari_kappa(one, suggested="hint") for one in (sums, rows))
    assert answers_to(first, drawn=False) == answers_to(second, drawn=False)


def test_explaining_finds_the_same_but_names_no_item(tallied: accord.Study) -> None:
    rows, sums = accord.explain(study(cluster="doc")), accord.explain(tallied)
    assert [str(one.evidence) for one in sums] == [str(one.evidence) for one in rows]
    contested = next(one for one in sums if one.name == "contested-items")
    assert contested.items == ()
    assert "does not say which they are" in contested.remedy


def test_planning_and_comparing_are_as_of_the_rows(tallied: accord.Study) -> None:
    for ask in (
        lambda one: accord.plan(one, width=0.2),
        lambda one: accord.compare(accord.fleiss_kappa(one), accord.gwet_ac(one)),
        accord.pairwise,
        accord.measure,
    ):
        assert str(ask(tallied)) == str(ask(study(cluster="doc")))


@pytest.mark.parametrize("ask", [accord.gold, lambda one: accord.fleiss_kappa(one).by_item()])
def test_what_is_about_single_items_says_that_they_are_unknown(ask: Any, tallied: accord.Study) -> None:
    with pytest.raises(MeasureError, match=r"not which they are\. Ask it of the annotations that the tally was made"):
        ask(tallied)


def test_a_report_tells_that_a_tally_names_no_items(tallied: accord.Study, tmp_path: Path) -> None:
    text = Path(accord.report(tallied, tmp_path / "report.md")).read_text(encoding="utf-8")
    assert "Which items are contested is not told by a tally" in text
    assert "first gold standard" not in text


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([[["a"], ["a", "b"]], [[], ["b"]], [["a", "c"], None]], "set"),
        ([[["a", "b"], ["b"]], [["b"], ["b", "c"]], [["a"], ["a"]]], "ranked"),
        ([[1.5, 2.0], [3.0, 2.5], [1.5, None]], "score"),
    ],
)
def test_sets_ranked_labels_and_scores_have_tallies(cells: Any, kind: Any, tmp_path: Path) -> None:
    rows = accord.Study.from_wide(cells * 4, answers=kind)
    sums = accord.read(rows.write_tally(tmp_path / "t.tally"))
    assert str(accord.measure(sums)) == str(accord.measure(rows))


def test_a_declared_scale_and_its_level_are_kept(tmp_path: Path) -> None:
    rows = study(labels=["z", "y", "x", "w"], levels="ordinal")
    sums = accord.read(rows.write_tally(tmp_path / "t.tally"))
    assert (sums.labels, sums.level, sums.answers.declared) == (("z", "y", "x", "w"), "ordinal", True)
    assert str(accord.krippendorff_alpha(sums)) == str(accord.krippendorff_alpha(rows))


def test_what_was_left_out_and_who_is_a_model_is_kept(tmp_path: Path) -> None:
    data = {**table(), "kind": ["model" if who == "d" else "person" for who in table()["annotator"]]}
    data["label"][0] = None
    rows = accord.Study(data, item="item", annotator="annotator", label="label", kind="kind")
    sums = accord.read(rows.write_tally(tmp_path / "t.tally"))
    assert (dict(sums.left_out), sums.models) == (dict(rows.left_out), ("d",))
    assert str(accord.measure(sums)) == str(accord.measure(rows))


def test_items_count_by_their_weights(tmp_path: Path) -> None:
    data = table()
    data["weight"] = [1.0 + (int(item[1:]) % 3) for item in data["item"]]
    rows = accord.Study(data, item="item", annotator="annotator", label="label", item_weight="weight")
    sums = accord.read(rows.write_tally(tmp_path / "t.tally"))
    assert accord.fleiss_kappa(sums).value == pytest.approx(accord.fleiss_kappa(rows).value, abs=1e-14)
    assert tuple(accord.fleiss_kappa(sums).interval()) == pytest.approx(tuple(accord.fleiss_kappa(rows).interval()))


def test_the_same_annotations_in_any_order_and_engine_have_the_same_tally(tmp_path: Path) -> None:
    frame = pl.DataFrame(table())
    mixed = frame.sample(fraction=1.0, shuffle=True, seed=3)
    written = [
        accord.Study(one, item="item", annotator="annotator", label="label").write_tally(tmp_path / name, by="lang")
        for name, one in (("a.tally", frame), ("b.tally", mixed), ("c.tally", frame.lazy()))
    ]
    assert len({path.read_bytes() for path in written}) == 1


def test_a_tally_of_a_tally_is_the_same_file(tallied: accord.Study, tmp_path: Path) -> None:
    again = tallied.write_tally(tmp_path / "again.tally", by="lang")
    assert again.read_bytes() == (tmp_path / "week.tally").read_bytes()


def test_without_names_it_is_known_how_many_answered_and_not_who(tmp_path: Path) -> None:
    sums = accord.read(study().write_tally(tmp_path / "t.tally", named=False))
    assert accord.fleiss_kappa(sums).value == accord.fleiss_kappa(study()).value
    assert "who answered what is not kept: answers of 5 annotators" in sums.notes
    with pytest.raises(MeasureError):
        accord.conger_kappa(sums)


def test_models_are_left_out_of_a_tally_that_could_not_tell_them_apart(tmp_path: Path) -> None:
    rows = study().declare_kinds(models=["e"])
    sums = accord.read(rows.write_tally(tmp_path / "t.tally", named=False))
    assert accord.fleiss_kappa(sums).value == accord.fleiss_kappa(rows.of_people()).value
    assert dict(sums.left_out) == {"answers of annotators that were excluded": table()["annotator"].count("e")}
    assert "answers of 4 annotators" in sums.notes[0]


def test_answers_given_again_need_to_know_who_gave_them(tmp_path: Path) -> None:
    twice = {"item": [1, 1, 1, 2, 2], "annotator": list("aabab"), "label": list("xyxyy")}
    rows = accord.Study(twice, duplicates="repeat")
    assert str(accord.fleiss_kappa(accord.read(rows.write_tally(tmp_path / "t.tally")))) == str(
        accord.fleiss_kappa(rows)
    )
    with pytest.raises(OptionError, match="answered an item more than once"):
        rows.write_tally(tmp_path / "t.tally", named=False)


def test_who_answered_what_is_kept_where_that_makes_few_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.study.tallying.MOST_NAMED_KINDS", 5)
    assert not accord.read(study().write_tally(tmp_path / "few.tally")).annotators
    assert accord.read(study().write_tally(tmp_path / "all.tally", named=True)).annotators == tuple("abcde")


def test_a_column_must_say_one_thing_of_an_item(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must say one thing of an item"):
        study().write_tally(tmp_path / "t.tally", by="annotator")
    with pytest.raises(ColumnMissing, match="No column 'langs'"):
        study().write_tally(tmp_path / "t.tally", by="langs")


def test_what_has_no_tally_is_refused(tmp_path: Path) -> None:
    spans = accord.Study({"item": [1, 1], "annotator": list("ab"), "label": list("xx"), "start": [0, 0], "end": [3, 4]})
    several = accord.Study({"item": [1, 1], "annotator": list("ab"), "tone": list("xx"), "size": list("ab")},
                           label=["tone", "size"])  # fmt: skip
    with pytest.raises(MeasureError, match="compared one by one"):
        spans.write_tally(tmp_path / "t.tally")
    with pytest.raises(MeasureError, match=r"of one variable.*study.tasks\['size'\]"):
        several.write_tally(tmp_path / "t.tally")
    with pytest.raises(OptionError, match=r"end in \.tally"):
        study().write_tally(tmp_path / "t.parquet")


def changed(path: Path, **facts: Any) -> Path:
    """The same file with other facts in its metadata."""
    told = {**json.loads(pl.read_parquet_metadata(path)[KEY]), **facts}
    target = path.with_name(f"{len(list(path.parent.iterdir()))}-{path.name}")
    pl.read_parquet(path).write_parquet(target, metadata={KEY: json.dumps(told)})
    return target


def test_a_file_that_is_no_tally_or_a_damaged_or_later_one_is_an_error(tmp_path: Path) -> None:
    path = study().write_tally(tmp_path / "t.tally")
    for wrong, words in (
        (changed(path, format=2, version="9.9"), "format 2, written by accord 9.9"),
        (changed(path, n_items=7), "damaged: its sums do not fit together"),
        (changed(path, annotators=["a"]), "damaged"),
    ):
        with pytest.raises(FileError, match=words):
            read_tally_file(wrong)
    (tmp_path / "text.tally").write_text("item,annotator,label\n")
    pl.DataFrame(table()).write_parquet(tmp_path / "plain.tally")
    for name in ("text.tally", "plain.tally"):
        with pytest.raises(FileError, match="no tally that accord wrote"):
            accord.read(tmp_path / name)
    with pytest.raises(FileError, match="There is no such file"):
        accord.read(tmp_path / "none.tally")


@pytest.mark.parametrize(
    "wrong",
    [
        {"annotators": ["a"] * 5},
        {"level": "odd"},
        {"names": 3},
        {"kinds": {"a": "robot"}},
        {"columns": [{"name": "lang", "role": "item"}]},
        {"columns": [{"name": 7, "role": None}]},
        {"columns": {}},
        {"shard": []},
        {"n_rows": -1},
        {"n_annotators": 1.5},
        {"left_out": [{"reason": "TIRED", "what": "", "number": 3}]},
        {"left_out": None},
        {"item_sketch": {"numbers": ["x"], "n_items": 40}},
        {"item_sketch": {"numbers": ["1"] * 2, "n_items": 40}},
    ],
    ids=str,
)
def test_what_a_tally_says_of_itself_is_checked(wrong: dict[str, Any], tmp_path: Path) -> None:
    path = study().write_tally(tmp_path / "t.tally", by="lang")
    with pytest.raises(FileError, match="damaged: its sums do not fit together"):
        read_tally_file(changed(path, **wrong))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "spans"},
        {"labels": [{"x": 1}, "y", "z"]},
        {"labels": ["x", "x", "z"]},
        {"labels": ["x", "y"]},
        {"members": [[0]], "ranks": [None]},
        {"members": [[9]], "ranks": [None], "kind": "set"},
        {"members": [[0, 1]], "ranks": [[1, 3]], "kind": "ranked"},
        {"scores": [float("nan")], "kind": "score"},
        {"declared": 1},
        {"order": "some"},
    ],
    ids=str,
)
def test_the_answers_of_a_tally_are_checked(wrong: dict[str, Any], tmp_path: Path) -> None:
    path = study().write_tally(tmp_path / "t.tally")
    answers = json.loads(pl.read_parquet_metadata(path)[KEY])["answers"]
    with pytest.raises(FileError, match="damaged: its sums do not fit together"):
        read_tally_file(changed(path, answers={**answers, **wrong}))


@pytest.mark.parametrize("cell", [0, -1, None, 2**60])
@pytest.mark.parametrize("column", ["n_items", "counts"])
def test_a_number_of_items_that_cannot_be_is_refused(column: str, cell: int | None, tmp_path: Path) -> None:
    path = study().write_tally(tmp_path / "t.tally")
    told, frame = pl.read_parquet_metadata(path)[KEY], pl.read_parquet(path)
    cells = frame[column].to_list()
    cells[0] = cell if column == "n_items" else [cell for _ in cells[0]]
    held = pl.Series(column, cells, dtype=pl.Int64 if column == "n_items" else pl.List(pl.Int64))
    frame.with_columns(held).write_parquet(path, metadata={KEY: told})
    with pytest.raises(FileError, match="damaged: its sums do not fit together"):
        read_tally_file(path)


@pytest.mark.parametrize("told", ["true", "[", "[" * 100_000, "{}"], ids=["word", "cut", "deep", "empty"])
def test_a_tally_whose_facts_are_none_is_refused(told: str, tmp_path: Path) -> None:
    path = study().write_tally(tmp_path / "t.tally")
    pl.read_parquet(path).write_parquet(path, metadata={KEY: told})
    with pytest.raises(FileError, match="damaged"):
        accord.read(path)


def test_a_study_without_an_answer_has_a_tally(tmp_path: Path) -> None:
    rows = accord.Study({"item": [1], "annotator": ["a"], "label": [None]})
    sums = accord.read(rows.write_tally(tmp_path / "t.tally"))
    assert (sums.n_items, dict(sums.left_out)) == (0, {"rows without an answer": 1})
    assert str(accord.fleiss_kappa(sums).undefined) == str(accord.fleiss_kappa(rows).undefined)


def test_no_column_is_asked_for_by_none(tmp_path: Path) -> None:
    assert accord.read(study().write_tally(tmp_path / "t.tally", by=None)).n_items == 40


def test_how_to_read_a_table_is_no_option_of_a_tally(tallied: accord.Study, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="item is about reading annotations"):
        accord.read(tmp_path / "week.tally", item="item")
    assert accord.read(tmp_path / "week.tally", where={"lang": "de"}).n_items == 14
    assert accord.read(tmp_path / "week.tally", exclude=["a"]).annotators == tallied.annotators


def test_a_tally_under_another_name_is_never_read_as_annotations(tmp_path: Path) -> None:
    path = study().write_tally(tmp_path / "t.tally")
    path.rename(tmp_path / "t.parquet")
    with pytest.raises(FileError, match=r"It is a tally, which holds sums.*ends in \.tally"):
        accord.read(tmp_path / "t.parquet")


def test_a_tally_goes_to_another_process_as_it_is(tallied: accord.Study) -> None:
    kappa = accord.conger_kappa(tallied, by="lang")
    assert str(accord.conger_kappa(again(tallied), by="lang").by_group()) == str(kappa.by_group())
    assert str(again(kappa).by_group()) == str(kappa.by_group())

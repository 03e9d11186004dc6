"""Results of queries as a study: the same values as of the rows, and errors that name the file and the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.errors import DuplicateAnswers, FileError, InputError, MeasureError
from accord.reporting.anonymise import anonymised
from tests.command.running import run
from tests.readers.results_folder import put, results_of, taken
from tests.study.test_tallies import answers_to, table

LABELS = ["x", "y", "z"]
PEOPLE = ["d", "a", "c", "b", "e"]


def rows(**roles: Any) -> accord.Study:
    return accord.Study(table(), item="item", annotator="annotator", label="label", labels=LABELS, **roles)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Results of queries that name the annotators, by language and document."""
    return results_of(table(), tmp_path / "r", labels=LABELS, by=["lang"], cluster="doc", annotators=PEOPLE)


@pytest.mark.parametrize("measure", ["fleiss_kappa", "conger_kappa", "light_kappa", "krippendorff_alpha", "gwet_ac"])
def test_results_that_name_annotators_are_as_good_as_the_rows(measure: str, folder: Path) -> None:
    function = getattr(accord, measure)
    found = accord.from_results(folder)
    assert answers_to(function(found, by="lang")) == answers_to(function(rows(cluster="doc"), by="lang"))


def test_without_names_whatever_needs_none_is_known(tmp_path: Path) -> None:
    found = accord.from_results(results_of(table(), tmp_path / "r", labels=LABELS, by=["lang"]))
    one, other = (accord.fleiss_kappa(study, by="lang") for study in (found, rows()))
    assert one.value == other.value
    for how in ({}, {"method": "bootstrap", "n_resamples": 20}, {"method": "jackknife"}):
        assert str(one.interval(**how)) == str(other.interval(**how))
    assert str(one.by_label()) == str(other.by_label())
    assert [dict(row, annotators=0) for row in one.by_group()] == [dict(row, annotators=0) for row in other.by_group()]
    assert any(note.startswith("who answered which item is not known") for note in found.notes)


def test_sums_over_people_give_the_values_of_what_knows_them_and_every_pair(tmp_path: Path) -> None:
    found = accord.from_results(results_of(table(), tmp_path / "r", labels=LABELS))
    assert found.annotators == tuple("abcde")
    for measure in (accord.conger_kappa, accord.light_kappa):
        one, other = measure(found), measure(rows())
        assert one.value == pytest.approx(other.value, abs=1e-13)
        assert "needs to know who answered each item" in str(one.interval().undefined)
        with pytest.raises(MeasureError, match="who gave which label how often"):
            one.by_annotator()
    assert str(accord.pairwise(found)) == str(accord.pairwise(rows()))
    assert str(accord.fleiss_kappa(found).by_pair()) == str(accord.fleiss_kappa(rows()).by_pair())
    assert "Conger's kappa" in str(accord.measure(found))
    assert [one.name for one in accord.explain(found)]


def test_measuring_explaining_and_planning_are_as_of_the_rows(folder: Path) -> None:
    found, known = accord.from_results(folder), rows(cluster="doc")
    assert str(accord.measure(found)) == str(accord.measure(known))
    assert str(accord.plan(found, width=0.2)) == str(accord.plan(known, width=0.2))
    for result in (accord.fleiss_kappa, accord.conger_kappa):
        assert str(result(found).by_annotator()) == str(result(known).by_annotator())
        assert str(result(found).test()) == str(result(known).test())
    assert [str(one.evidence) for one in accord.explain(found)] == [str(one.evidence) for one in accord.explain(known)]


def test_a_report_is_written_and_says_which_items_nobody_can_name(folder: Path, tmp_path: Path) -> None:
    text = Path(accord.report(accord.from_results(folder), tmp_path / "report.md")).read_text(encoding="utf-8")
    alpha = accord.krippendorff_alpha(rows(cluster="doc"))
    assert f"{alpha:.3f}" in text
    assert "Which items are contested is not told" in text


@pytest.mark.parametrize("ask", [accord.gold, lambda one: accord.fleiss_kappa(one).by_item()])
def test_what_is_about_single_items_is_refused(ask: Any, folder: Path) -> None:
    with pytest.raises(MeasureError, match="not which they are"):
        ask(accord.from_results(folder))


def test_sums_over_people_follow_other_labels_and_names(tmp_path: Path) -> None:
    found = accord.from_results(results_of(table(), tmp_path / "r", labels=LABELS))
    for study in (found.declare(["z", "w", "y", "x"]), found.declare(levels="ordinal")):
        assert accord.conger_kappa(study).value == pytest.approx(accord.conger_kappa(rows()).value, abs=1e-13)
    hidden, _ = anonymised(found, rng=1)
    assert accord.light_kappa(hidden).value == pytest.approx(accord.light_kappa(rows()).value, abs=1e-13)
    assert hidden.annotators == ("A1", "A2", "A3", "A4", "A5")
    with pytest.raises(MeasureError, match="only sums are known"):
        found.of_annotators(["a", "b"])


def test_of_two_annotators_their_pairs_tell_who_said_what(tmp_path: Path) -> None:
    data = table()
    kept = [at for at, who in enumerate(data["annotator"]) if who in "ab"]
    two = {name: [cells[at] for at in kept] for name, cells in data.items()}
    found = accord.from_results(results_of(two, tmp_path / "r", labels=LABELS))
    study = accord.Study(two, item="item", annotator="annotator", label="label", labels=LABELS)
    assert answers_to(accord.cohen_kappa(found)) == answers_to(accord.cohen_kappa(study))


def test_numbers_are_labels_and_a_level_is_kept(tmp_path: Path) -> None:
    data = table()
    data["label"] = ["xyz".index(label) + 1 for label in data["label"]]
    found = accord.from_results(results_of(data, tmp_path / "r", labels=[1, 2, 3], levels="interval"))
    study = accord.Study(data, item="item", annotator="annotator", label="label", labels=[1, 2, 3], levels="interval")
    assert accord.krippendorff_alpha(found).value == accord.krippendorff_alpha(study).value


def test_missing_answers_are_counted(tmp_path: Path) -> None:
    data = table()
    data["label"][0] = None
    found = accord.from_results(results_of(data, tmp_path / "r", labels=LABELS))
    assert dict(found.left_out) == {"rows without an answer": 1}


def as_parquet(path: Path) -> None:
    pl.read_csv(path).write_parquet(path.with_suffix(".parquet"))


def as_json(path: Path) -> None:
    """As BigQuery writes it: numbers as text, and what is null left out."""
    columns, lines = taken(path)
    records = [{name: cell for name, cell in zip(columns, line, strict=True) if cell} for line in lines]
    path.with_suffix(".json").write_text(json.dumps(records), encoding="utf-8")


def as_json_lines(path: Path) -> None:
    columns, lines = taken(path)
    records = [json.dumps(dict(zip(columns, (cell or None for cell in line), strict=True))) for line in lines]
    path.with_suffix(".jsonl").write_text("\n".join(records), encoding="utf-8")


def as_capitals_in_tsv(path: Path) -> None:
    """As Snowflake and ClickHouse write it."""
    columns, lines = taken(path)
    text = [map(str.upper, columns), *([cell or "\\N" for cell in line] for line in lines)]
    path.with_suffix(".tsv").write_text("\n".join("\t".join(line) for line in text), encoding="utf-8")


@pytest.mark.parametrize("write", [as_parquet, as_json, as_json_lines, as_capitals_in_tsv])
def test_results_may_be_saved_in_any_form(write: Any, folder: Path) -> None:
    whole = str(accord.measure(accord.from_results(folder), by="lang"))
    for path in list(folder.glob("*.csv")):
        write(path)
        path.unlink()
    assert str(accord.measure(accord.from_results(folder), by="lang")) == whole


def test_what_stays_in_the_database_is_counted_and_bounded(tmp_path: Path) -> None:
    found = accord.from_results(results_of(table(), tmp_path / "r", labels=LABELS, smallest_cell=3))
    (note,) = (note for note in found.notes if "stay in the database" in note)
    hidden = 40 - found.n_items
    assert note.startswith(f"{hidden} of 40 items ({hidden / 40:.1%}) lie in cells of fewer than 3")
    low, high = map(float, note.rsplit("between ")[1].split(" and "))
    assert low <= accord.percent_agreement(rows()).value <= high


def test_nothing_is_hidden_where_every_cell_is_large(tmp_path: Path) -> None:
    data = {"item": list("aabbccdd"), "annotator": list("abababab"), "label": list("xxxxyyyy")}
    found = accord.from_results(results_of(data, tmp_path / "r", labels=["x", "y"], smallest_cell=2))
    assert "no item lies in a cell of fewer than 2, so nothing stays in the database" in found.notes


# -- bad results ------------------------------------------------------------------------------------------------------


def change(path: Path, *, column: int, to: str, line: int = 0) -> None:
    """One cell of a result; the columns are counted from the first, the lines from the first after their names."""
    columns, lines = taken(path)
    lines[line][column] = to
    put(path, columns, lines)


@pytest.mark.parametrize(
    ("result", "column", "to", "words"),
    [
        ("patterns", -1, "two", r"patterns.csv, line 2, column 'n_items': A count is a whole number; found 'two'"),
        ("patterns", -1, "1.5", r"A count is a whole number; found '1.5'"),
        ("patterns", -1, "0", r"A cell of 0 is below the smallest of 1"),
        ("patterns", -1, "30", r"patterns.csv: It counts \d+ items, and by totals.csv there are 40"),
        ("totals", 1, "7", r"patterns.csv: It counts \d+ annotations, and by totals.csv there are 7"),
        ("totals", 3, "9", r"annotators.csv: It counts 5 annotators, and by totals.csv there are 9"),
        ("labels", 0, "w", r"labels.csv, line 2, column 'label': The label 'w' is none of those"),
        ("annotators", 1, "w", r"annotators.csv, line 2, column 'label': The label 'w' is none of those"),
        ("pairs", -1, "50", r"pairs.csv: It counts \d+ pairs of answers, and by patterns.csv there are"),
        ("named_patterns", 0, "xx", r"With the names forgotten it counts other patterns than patterns.csv"),
    ],
)
def test_results_that_cannot_be_of_the_same_annotations_are_refused(
    result: str, column: int, to: str, words: str, folder: Path
) -> None:
    change(folder / f"{result}.csv", column=column, to=to)
    with pytest.raises(FileError, match=words):
        accord.from_results(folder)


@pytest.mark.parametrize(("column", "to"), [(0, "nobody"), (1, "a"), (2, ""), (3, ""), (2, "x"), (3, "z")])
@pytest.mark.parametrize("people", ["abcde", "ab"])
def test_pairs_of_people_who_gave_no_such_answers_are_refused(
    people: str, column: int, to: str, tmp_path: Path
) -> None:
    data = table()
    kept = [at for at, who in enumerate(data["annotator"]) if who in people]
    some = {name: [cells[at] for at in kept] for name, cells in data.items()}
    folder = results_of(some, tmp_path / "r", labels=LABELS)
    change(folder / "pairs.csv", column=column, to=to)
    with pytest.raises(FileError, match=r"pairs.csv"):
        accord.from_results(folder)


def test_two_people_in_groups_have_the_kappa_of_what_both_answered(tmp_path: Path) -> None:
    data = table()
    kept = [at for at, who in enumerate(data["annotator"]) if who in "ab"]
    two = {name: [cells[at] for at in kept] for name, cells in data.items()}
    found = accord.from_results(results_of(two, tmp_path / "r", labels=LABELS, by=["lang"]))
    study = accord.Study(two, item="item", annotator="annotator", label="label", labels=LABELS)
    one, other = accord.cohen_kappa(found), accord.cohen_kappa(study)
    assert study.n_annotations < 2 * study.n_items, "some items have one answer, which no marginal of both counts"
    for part in ("value", "observed", "expected"):
        assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-13)
    assert "needs to know who answered each item" in str(one.interval().undefined)


def test_a_cell_below_the_smallest_is_refused(tmp_path: Path) -> None:
    folder = results_of(table(), tmp_path / "r", labels=LABELS, smallest_cell=3)
    change(folder / "patterns.csv", column=-1, to="2")
    with pytest.raises(FileError, match="A cell of 2 is below the smallest of 3 that the queries let out"):
        accord.from_results(folder)


def test_the_result_of_another_query_is_refused(folder: Path) -> None:
    (folder / "labels.csv").write_bytes((folder / "annotators.csv").read_bytes())
    with pytest.raises(
        FileError, match=r"labels.csv: It is no result of the query 'labels': it has 'annotator' besides"
    ):
        accord.from_results(folder)
    put(folder / "labels.csv", ["label"], [["x"]])
    with pytest.raises(FileError, match="there is no column 'n_annotations'"):
        accord.from_results(folder)


def test_a_result_that_is_missing_twice_there_or_broken_is_named(folder: Path) -> None:
    pairs = folder / "pairs.csv"
    as_json(pairs)
    with pytest.raises(FileError, match=r"'pairs.csv', 'pairs.json' are both 'pairs'"):
        accord.from_results(folder)
    pairs.unlink()
    (folder / "pairs.json").write_text("[1, 2", encoding="utf-8")
    with pytest.raises(FileError, match="It is no JSON with a record for each row"):
        accord.from_results(folder)
    (folder / "pairs.json").unlink()
    with pytest.raises(FileError, match=r"There is no result of the query 'pairs'. Run pairs.sql, and save"):
        accord.from_results(folder)


def test_items_answered_twice_and_items_in_two_groups_are_refused(tmp_path: Path) -> None:
    twice = {"item": list("aab"), "annotator": list("ssb"), "label": list("xyx")}
    with pytest.raises(DuplicateAnswers, match="1 item in the database was answered more than once"):
        accord.from_results(results_of(twice, tmp_path / "r", labels=LABELS))
    folder = results_of(table(), tmp_path / "g", labels=LABELS, by=["lang"])
    told = json.loads((folder / "accord.json").read_text())
    told["queries"].append({"name": "several_groups", "columns": ["n_items"]})
    (folder / "accord.json").write_text(json.dumps(told))
    put(folder / "several_groups.csv", ["n_items"], [[2]])
    with pytest.raises(InputError, match="2 items in the database lie in several groups or clusters"):
        accord.from_results(folder)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("{}", "no manifest that `accord sql` wrote"),
        ('{"format": 7, "version": "9.9"}', "format 7, written by accord 9.9"),
        ('{"format": 1, "version": "1", "queries": []}', "no manifest"),
        ("[" * 100_000, "no manifest"),
    ],
    ids=["nothing", "later", "no queries", "deep"],
)
def test_a_manifest_of_another_kind_is_refused(told: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "accord.json").write_text(told)
    with pytest.raises(FileError, match=words):
        accord.from_results(tmp_path)
    with pytest.raises(InputError):
        accord.read(tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [{"by": "lang"}, {"by": [7]}, {"cluster": None}, {"labels": ["x"]}, {"annotators": [None]}, {"levels": "odd"}],
    ids=str,
)
def test_a_manifest_that_does_not_fit_its_queries_is_refused(wrong: dict[str, Any], folder: Path) -> None:
    told = {**json.loads((folder / "accord.json").read_text()), **wrong}
    (folder / "accord.json").write_text(json.dumps(told))
    with pytest.raises(accord.AccordError, match=r"accord\.json"):
        accord.from_results(folder)


def test_a_folder_without_a_manifest_is_none(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"There is no accord.json, which `accord sql` writes"):
        accord.from_results(tmp_path)


@pytest.mark.parametrize("name", ["patterns.csv", "accord.json", "labels.csv"])
def test_one_result_alone_is_not_taken_for_a_table_of_annotations(name: str, folder: Path) -> None:
    """The columns of patterns look like annotators who gave numbers."""
    with pytest.raises(FileError, match=rf"{name}: It is a part of results of queries.*Name their folder, "):
        accord.read(folder / name)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("none", "There is no such folder. Name the one that holds the results."),
        ("table.csv", "It is a file, and no folder of results. Name the one that holds the results."),
        ("empty", "There is no accord.json, which `accord sql` writes beside the queries"),
    ],
)
def test_what_is_no_folder_of_results_is_not_read_as_something_else(place: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "table.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n", encoding="utf-8")
    done = run("measure", "--results", str(tmp_path / place))
    assert done.code == 2
    assert words in " ".join(done.err.split())
    with pytest.raises(FileError, match=words.partition(".")[0]):
        accord.from_results(tmp_path / place)


def test_the_command_takes_results_by_option_or_as_any_folder(folder: Path) -> None:
    said = [
        run("measure", *where, "--by", "lang", "-q", folder=folder.parent) for where in (("--results", "r"), ("r",))
    ]
    assert said[0] == said[1]
    assert "Krippendorff's alpha by lang" in said[0].out
    assert "Name the annotations once" in run("measure", "r", "--results", "r", folder=folder.parent).err
    assert "Name the annotations once" in run("measure", folder=folder.parent).err

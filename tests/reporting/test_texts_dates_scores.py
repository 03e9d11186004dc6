"""Texts found without being named, the date of a study, pictures of scores, and answers without a curve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.reporting.context import Context
from accord.reporting.page import about, rendered
from accord.reporting.sections import labels, scale_use, scores, secondary_labels
from accord.reporting.study_date import answered_between
from accord.study.item_texts import text_column
from tests.command.running import run
from tests.reporting.pages import STUDIES, Page, long_table, turning

EXAMPLES = Path(__file__).parents[2] / "examples"
PEOPLE = ("ana", "ben", "chloe")


def with_column(name: str, cell: Any) -> accord.Study:
    table = long_table(12, PEOPLE, turning)
    table[name] = [cell(item, who) for item, who in zip(table["item"], table["annotator"], strict=True)]
    return accord.Study(table)


@pytest.mark.parametrize(
    ("file", "how", "column"),
    [("emails-primary-secondary.csv", {}, "subject"), ("emotions.csv", {"answers": "set"}, "headline")],
)
def test_a_column_that_plainly_holds_texts_is_found(file: str, how: dict[str, Any], column: str) -> None:
    context = Context(accord.read(EXAMPLES / file, **how))
    assert context.text_column == column
    assert context.texts([0])[0]
    assert Context(context.study, show_text=False).text_column is None


def test_codes_comments_and_short_columns_are_no_texts() -> None:
    assert text_column(with_column("said", lambda item, _: f"a sentence about the item {item}")) == "said"
    assert text_column(with_column("why", lambda item, who: f"a comment of {who} on the item {item}")) is None
    assert text_column(with_column("id", lambda item, _: f"document-number-{item}-of-many")) is None
    assert text_column(with_column("topic", lambda item, _: f"one of two topics {int(item[1:]) % 2}")) is None
    assert text_column(with_column("size", lambda item, _: int(item[1:]))) is None


def test_a_column_that_names_the_annotators_again_is_no_text(tmp_path: Path) -> None:
    names = {"a": "Ana of the third floor", "b": "Ben from next door"}
    rows: dict[str, Any] = {"item": [1, 2, 1, 2], "annotator": list("aabb"), "label": list("xyxx")}
    again = [names[who] for who in rows["annotator"]]
    accord.Study({**rows, "again": again}).write(tmp_path / "x.csv")
    left = accord.read(tmp_path / "x.csv", adjudicator="b")
    assert text_column(left) is None, "the adjudicator's name is in the column, and in no answer that counts"
    one_each = {"item": [1, 2], "annotator": ["a", "b"], "label": ["x", "y"]}
    assert text_column(accord.Study({**one_each, "again": list(names.values())})) is None
    assert text_column(accord.Study({**one_each, "headline": list(names.values())})) == "headline"


def test_the_page_has_the_days_of_the_first_and_the_last_answer() -> None:
    table = long_table(3, PEOPLE, turning)
    table["at"] = [f"2026-03-{day:02d}T10:00:00+01:00" for day in range(2, 11)]
    context = Context(accord.Study(table, time="at"), source="x.csv")
    assert about(context) == "answers from 2026-03-02 to 2026-03-10 · x.csv"
    assert rendered(context, ".md").count("answers from 2026-03-02 to 2026-03-10") == 1
    assert about(Context(STUDIES["single"](), date="spring 2026")) == "spring 2026"
    assert about(Context(STUDIES["single"]())) == "", "never today's"


def test_a_lazy_table_has_the_same_days() -> None:
    rows = {"item": [1, 1, 2], "annotator": ["a", "b", "a"], "label": ["x", "y", "x"]}
    times = ["2026-03-02T10:00:00", "2026-03-05T09:30:00", "2026-03-04T12:00:00"]
    table = pl.DataFrame({**rows, "at": times})
    eager, lazy = (accord.Study(form, time="at") for form in (table, table.lazy()))
    assert answered_between(lazy) == answered_between(eager) == "answers from 2026-03-02 to 2026-03-05"


@pytest.mark.parametrize("moment", [1_772_445_600, 1_772_445_600_000, "1772445600", "2026-03-02"])
def test_times_of_other_forms_are_days_too(moment: Any) -> None:
    study = with_column("at", lambda *_: moment)
    timed = accord.Study({name: study._frame.cells(name) for name in study.columns}, time="at")  # type: ignore[union-attr]
    assert about(Context(timed)) == "answers of 2026-03-02"


def test_numbers_that_are_no_dates_are_no_date() -> None:
    study = with_column("at", lambda item, _: int(item[1:]))
    timed = accord.Study({name: study._frame.cells(name) for name in study.columns}, time="at")  # type: ignore[union-attr]
    assert about(Context(timed)) == ""


@pytest.mark.parametrize("moment", [10**400, f"{10**20} Mar 01 01:10:20 PST 2026", "0001-01-01T00:00:00+14:00"])
def test_times_beyond_the_calendar_are_no_date(moment: Any) -> None:
    study = with_column("at", lambda *_: moment)
    timed = accord.Study({name: study._frame.cells(name) for name in study.columns}, time="at")  # type: ignore[union-attr]
    assert about(Context(timed)) == ""


def test_the_command_takes_a_date(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", encoding="utf-8")
    run("report", "x.csv", "-o", "r.md", "--date", "May 2026", folder=tmp_path)
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# Agreement in x.csv\n\nMay 2026\n")


def test_scores_have_pictures_of_their_spread_and_differences() -> None:
    section = scores.build(Context(STUDIES["scores"]()))
    assert section.html.count('<figure class="chart">') == 2
    assert "Scores run from 0 to 14; half of them lie between" in section.html
    assert "lie at most 0.5 apart; the mean difference is 0.333." in section.html
    assert "| ben | 10 |" in scale_use.build(Context(STUDIES["scores"]())).markdown
    assert not scores.needs(Context(STUDIES["single"]()))


def test_whole_scores_have_a_bar_each() -> None:
    table = long_table(5, PEOPLE, lambda item, who: item + (who == "ben"))
    study = accord.Study({**{key: table[key] for key in ("item", "annotator")}, "score": table["label"]}, score="score")
    section = scores.build(Context(study))
    assert "| 0 | 2 |\n| 1 | 3 |" in section.markdown


def test_ranked_answers_without_a_defined_curve_have_a_page(tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("item,annotator,primary,secondary\nt1,ana,a,b\nt1,ben,c,\n", encoding="utf-8")
    study = accord.read(tmp_path / "k.csv")
    assert secondary_labels.needs(Context(study))
    assert "Primary and secondary labels" in Page(rendered(Context(study), ".html")).text


def test_labels_under_another_headline_say_by_what_they_are_measured() -> None:
    said = labels.build(Context(STUDIES["gaps"]())).markdown
    assert "Labels are measured by Fleiss' kappa, not by Krippendorff's alpha as the study is" in said
    assert "Labels are measured by" not in labels.build(Context(STUDIES["single"]())).markdown

"""Watch: an export that grows is read again, decisions stay, and what is new is said; and agreement week by week."""

from __future__ import annotations

import os
from pathlib import Path

import accord
from accord.reporting.context import Context
from accord.workbench.bench import Bench
from accord.workbench.live_report import LiveReport
from accord.workbench.people import Person
from accord.workbench.study_changes import StudyChanges, study_changes
from accord.workbench.watching import Watch, Watched
from accord.workbench.weekly_agreement import week_by_week
from tests.workbench.serving import serving

ANA = Person("ana")
HEAD = "item,annotator,label\n"
ROWS = "1,a,x\n1,b,y\n2,a,x\n2,b,x\n3,a,y\n3,b,x\n"


def written(file: Path, text: str) -> None:
    """A file that is surely newer than it was."""
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(text, encoding="utf-8")
    os.utime(file, ns=(before + 10**9, before + 10**9))


def watching(folder: Path) -> tuple[Path, Bench, Watch]:
    file = folder / "export.csv"
    written(file, HEAD + ROWS)
    bench = Bench.open(accord.read(file), folder / "d.sqlite")
    return file, bench, Watch(Watched((file,), lambda: accord.read(file)), bench)


def test_a_file_that_changed_is_read_again_and_decisions_stay(tmp_path: Path) -> None:
    file, bench, watch = watching(tmp_path)
    bench.decide(bench.view.places[3], "y", ANA, "k1")
    assert not watch.look()
    written(file, HEAD + "0,a,x\n0,b,y\n" + ROWS + "1,c,z\n")
    assert not watch.look()  # it may still be being written
    assert watch.look()
    stands = bench.standing.of(bench.view.places[3])
    assert stands is not None
    assert (stands.answer, stands.by) == ('"y"', "ana")
    assert bench.study.n_items == 4
    assert watch.news[0].message == "Read again: 1 new item, 3 new answers, 1 new annotator, the new label 'z'."
    assert not watch.look()
    bench.close()


def test_a_file_that_cannot_be_read_is_said_and_changes_nothing(tmp_path: Path) -> None:
    file, bench, watch = watching(tmp_path)
    written(file, "who,knows\n1,2\n")
    assert [watch.look(), watch.look()] == [False, False]
    assert watch.news[0].failed
    assert "What was read before stays" in watch.news[0].message
    assert bench.study.n_items == 3
    file.unlink()
    assert not watch.look()
    written(file, HEAD + ROWS + "4,a,x\n4,b,x\n")
    assert [watch.look(), watch.look()] == [False, True]
    assert bench.study.n_items == 4
    bench.close()


def test_a_file_that_was_only_touched_is_no_news_of_items(tmp_path: Path) -> None:
    file, bench, watch = watching(tmp_path)
    study = bench.study
    written(file, HEAD + ROWS)
    assert [watch.look(), watch.look()] == [False, False]
    assert bench.study is study
    assert watch.news[0].message == "Read again: Nothing has changed."
    bench.close()


def test_changed_and_gone_answers_are_counted() -> None:
    before = accord.Study({"item": [1, 1, 2, 3], "annotator": ["a", "b", "a", "a"], "label": ["x", "y", "x", "x"]})
    after = accord.Study({"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "label": ["y", "y", "x", "x"]})
    assert study_changes(before, after) == StudyChanges(gone_items=1, new_answers=1, changed_answers=1, gone_answers=1)
    assert not study_changes(after, after).any


def test_a_unit_that_moved_is_a_changed_answer() -> None:
    one, other = (
        accord.Study({"item": [1], "annotator": ["a"], "start": [0], "end": [end], "label": ["x"]}) for end in (4, 5)
    )
    assert study_changes(one, other) == StudyChanges(changed_answers=1)


def test_the_overview_and_the_report_follow_the_file(tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    written(file, HEAD + ROWS)
    with serving(accord.read(file), tmp_path, watch=file) as lead:
        watch = lead.workbench.watch
        assert watch is not None
        assert "has not changed" in lead.get("/").text
        assert "of 3." in lead.get("/items").text
        written(file, HEAD + ROWS + "4,a,x\n4,b,y\n")
        while not watch.news:  # its own thread looks too
            watch.look()
        assert "1 new item, 2 new answers" in lead.get("/").text
        assert "1 new item" in lead.get("/live").text
        assert "of 4." in lead.get("/items").text
        assert str(tmp_path) not in lead.get("/").text


def dated() -> accord.Study:
    rows = []
    for item in range(40):
        day = 2 + 7 * (item // 20)
        for who in ("a", "b"):
            label = "x" if (item + (who == "b" and item % 20 < (8 if item < 20 else 2))) % 2 else "y"
            rows.append((item, who, label, f"2026-03-{day:02d}T10:00:00"))
    columns = ("item", "annotator", "label", "at")
    return accord.Study(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), time="at")


def test_agreement_is_told_week_by_week_where_there_are_dates() -> None:
    study = dated()
    live = LiveReport(study, lambda query: f"items?{query.address}")
    section = week_by_week(live.whole)
    assert section is not None
    assert "2026-03-02" in section.html
    assert "items?week=2026-03-09" in section.html
    values = [
        live.whole.agreement.entry.function(study._where(study._annotations.rows[0] // 20 == week)).value
        for week in (0, 1)
    ]
    assert f"From {values[0]:.2f} in the week of 2026-03-02 to {values[1]:.2f}" in section.markdown
    assert values[0] < values[1]


def test_without_dates_or_with_one_week_there_is_no_chart() -> None:
    undated = accord.Study({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "x"]})
    assert week_by_week(Context(undated)) is None
    once = {"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "x"], "at": ["2026-03-02"] * 2}
    assert week_by_week(Context(accord.Study(once, time="at"))) is None

"""The first screen: a strip of facts against the target, three things to do, and the models' verdict."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import accord
from accord import Study
from accord.reporting.context import Context
from accord.reporting.page import rendered
from accord.reporting.sections import facts, todo
from tests.findings.studies import confusing
from tests.reporting.pages import STUDIES, Page, long_table

EXAMPLES = Path(__file__).parents[2] / "examples"


def told(study: accord.Study, benchmark: str = "landis-koch") -> dict[str, facts.Fact]:
    return {fact.name: fact for fact in facts.facts_of(Context(study, benchmark=benchmark))}


def test_the_strip_holds_the_value_against_the_target() -> None:
    found = told(accord.read(EXAMPLES / "five-annotators.csv"))
    assert found["Krippendorff's alpha"].number == "0.603"
    assert found["Krippendorff's alpha"].remark.endswith("below the target, 0.70")
    assert found["Krippendorff's alpha"].state == "warning"
    assert [found[name].number for name in ("Items", "Annotators", "Gaps", "Contested", "Undecided")] == [
        "60", "5", "16%", "33", "5",
    ]  # fmt: skip


def test_a_target_that_is_reached_for_sure_is_good_and_one_that_is_not_sure_is_said() -> None:
    sure = told(accord.Study.from_pairs(list("xy" * 20), list("xy" * 19 + "yx")), "highly-subjective")["Cohen's kappa"]
    assert (sure.state, "above the target, 0.40" in sure.remark) == ("good", True)
    unsure = told(accord.Study.from_pairs(list("xyxyxyxyxx"), list("xyxyxyxyxy")), "standard")["Cohen's kappa"]
    assert (unsure.state, unsure.remark.endswith("above the target, 0.70, but not for sure")) == ("plain", True)


def test_the_strip_and_the_findings_hold_the_value_to_one_target() -> None:
    context = Context(confusing(1), benchmark="subjective")
    value = facts.facts_of(context)[0]
    assert f"{context.findings.target:.2f}" in value.remark


def test_undefined_values_and_unnamed_people_have_a_strip_too() -> None:
    value, *_ = told(STUDIES["one_annotator"]()).values()
    assert (value.number, value.state) == ("undefined", "warning")
    counts = told(STUDIES["counts"]())
    assert counts["Annotators"].number == "up to 3"
    assert "Gaps" not in counts


def test_several_variables_are_counted_against_the_target() -> None:
    first = facts.facts_of(Context(STUDIES["variables"]()))[0]
    assert (first.name, first.number) == ("Variables on target", "1 of 2")
    assert "values from" in first.remark


def test_people_are_told_from_models_and_the_models_verdict_stands_before_the_tasks() -> None:
    study = accord.read(EXAMPLES / "judged-answers.csv")
    people = told(study)["People"]
    assert (people.number, people.remark) == ("4", "and 3 models")
    page = Page(rendered(Context(study), ".html"))
    assert page.sections[:3] == ["facts", "todo", "verdict"]
    assert 0 < page.text.index("flatterer is worse than a person") < page.text.index("What to do next", 400)
    assert "flatterer is worse than a person" in rendered(Context(study), ".md").split("## What to do next")[0]


def test_a_model_with_a_full_stop_in_its_name_is_named_whole(tmp_path: Path) -> None:
    table = (EXAMPLES / "judged-answers.csv").read_text("utf-8").replace("flatterer", "GPT no. 4")
    (tmp_path / "judged.csv").write_text(table, "utf-8")
    html = rendered(Context(accord.read(tmp_path / "judged.csv")), ".html")
    assert "<strong>GPT no. 4 is worse than a person, and does not pass.</strong>" in html
    assert "<li>GPT no. 4 is worse than a person, and does not pass.</li>" in html


def test_three_things_to_do_come_from_the_findings_with_warnings_first() -> None:
    context = Context(confusing(1))
    tasks = todo.tasks_of(context)
    assert 1 <= len(tasks) <= 3
    assert tasks[0].severity == "warning"
    remedies = " ".join(one.remedy for one in context.findings)
    assert tasks[0].what.rstrip(".") in remedies
    assert len({task.what for task in tasks}) == len(tasks)


def test_to_judge_the_models_is_no_task_where_the_page_has_judged_them() -> None:
    context = Context(accord.read(EXAMPLES / "judged-answers.csv"))
    assert "models-among-annotators" in {one.name for one in context.findings}
    assert "Models among annotators" not in {task.why for task in todo.tasks_of(context)}


def test_that_the_value_is_low_is_no_task_where_there_are_others() -> None:
    tasks = todo.tasks_of(Context(accord.read(EXAMPLES / "five-annotators.csv")))
    assert [task.why for task in tasks][:2] == ["5 items without a majority", "Subjective task"]
    assert "Low agreement" not in {task.why for task in tasks}


def test_where_nothing_calls_for_work_that_is_said() -> None:
    study = accord.Study(long_table(400, ("ana", "ben", "chloe"), lambda item, _: "xyz"[item % 3]))
    assert todo.tasks_of(Context(study)) == []
    assert todo.build(Context(study)).html == "<p>Nothing that was looked at calls for work.</p>"


def test_an_undefined_value_is_the_first_thing_to_do() -> None:
    (task,) = todo.tasks_of(Context(STUDIES["one_annotator"]()))
    assert (task.why.endswith(" is undefined"), task.severity) == (True, "warning")


def test_a_long_remedy_ends_with_a_sentence() -> None:
    long = "Do this first. " * 40
    assert todo._brief(long).endswith("first.")
    assert len(todo._brief(long)) <= todo.LONGEST


def test_a_task_names_whom_it_concerns() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 120)
    answers = dict.fromkeys(("ana", "ben", "cleo"), truth) | {"dan": rng.integers(0, 3, 120)}
    study = Study.from_wide({name: ["xyz"[place] for place in given] for name, given in answers.items()})
    assert todo.tasks_of(Context(study))[0].why == "Unreliable annotator dan"


def test_gaps_of_a_crowd_are_by_design() -> None:
    gaps = told(STUDIES["crowd"]())["Gaps"]
    assert (gaps.number, gaps.state) == ("by design", "plain")
    assert gaps.remark.endswith(" answers per item")
    assert "missing" not in gaps.remark


def test_gaps_of_a_few_people_are_counted() -> None:
    few = Study({"item": [1, 1, 2, 2, 3, 3], "annotator": list("abacbc"), "label": list("xxyyxy")})
    assert "answers are missing" in told(few)["Gaps"].remark


@pytest.mark.parametrize("ending", [".md", ".html", ".tex"])
def test_no_sentence_is_offered_while_it_is_open_what_the_labels_are(ending: str) -> None:
    numbers = [1, 2, 3, 4, 5] * 6
    other = [min(5, number + place % 2) for place, number in enumerate(numbers)]
    asked = rendered(Context(Study.from_pairs(numbers, other)), ending)
    settled = rendered(Context(Study.from_pairs(numbers, other, levels="ordinal")), ending)
    assert "Two annotators gave 60 answers" in settled
    assert "Two annotators gave 60 answers" not in asked
    assert "If they are a scale" in asked

"""The report's section of findings: the same as `explain` says, as text, and without names where none may be."""

from __future__ import annotations

import accord
from accord.agreement.table_formats import safe
from accord.findings.finding import Finding
from accord.reporting.anonymise import anonymised
from accord.reporting.context import Context
from accord.reporting.finding_groups import FindingGroup, groups
from accord.reporting.sections.findings import build
from tests.findings.studies import confusing


def test_the_section_says_what_explain_says() -> None:
    study = confusing(1)
    section, found = build(Context(study)), accord.explain(study)
    for one in found:
        assert safe(one.says) in section.html
        assert safe(one.remedy) in section.html
    assert section.html.count('class="finding ') == len(found)
    assert section.html.count("<details>") == section.html.count("</details>")
    assert f"{len(found.warnings)} warning" in section.html or "One warning" in section.html


def test_the_same_stands_in_markdown() -> None:
    section = build(Context(confusing(1)))
    assert "### Warning: " in section.markdown
    assert "**What to do:**" in section.markdown


def test_the_benchmark_of_the_report_is_the_target_where_it_is_one() -> None:
    assert "the target is above 0.40" in build(Context(confusing(1), benchmark="highly-subjective")).html
    assert "the target is above 0.70" in build(Context(confusing(1), benchmark="altman")).html


def test_hostile_labels_are_text_in_the_section() -> None:
    evil = "<script>alert(1)</script>\u202e"
    section = build(Context(accord.Study.from_pairs([evil, "b", evil, "c"] * 10, ["b", evil, evil, "c"] * 10)))
    for text in (section.html, section.markdown):
        assert "<script" not in text
        assert "\u202e" not in text


def test_an_anonymous_report_names_nobody() -> None:
    people = {"Ann Example": "xy", "Bob Example": "xy", "Cyd Example": "xyz"}
    rows = [(item, who, said[item % len(said)]) for item in range(60) for who, said in people.items()]
    study = accord.Study(dict(zip(("item", "annotator", "label"), zip(*rows, strict=True), strict=True)))
    assert "Cyd Example" in build(Context(study)).html
    hidden, _ = anonymised(study, rng=1)
    section = build(Context(hidden, anonymised=True))
    assert "Example" not in section.html + section.markdown


def test_a_study_without_agreement_has_a_section_that_says_so() -> None:
    section = build(Context(accord.Study.from_wide([["a"], ["b"]])))
    assert "undefined" in section.html


def test_a_title_says_who_and_which_label() -> None:
    def titled(name: str, annotators: tuple[str, ...] = (), labels: tuple[str, ...] = ()) -> str:
        one = Finding(name, "warning", "says", "remedy", annotators=annotators, labels=labels)  # type: ignore[arg-type]
        return FindingGroup("finding-1", (one,)).title

    assert titled("unreliable-annotator", ("dan",), ("other",)) == "Unreliable annotator dan"
    assert titled("unreliable-annotator", ("ana", "dan")) == "Unreliable annotators ana and dan"
    assert titled("weak-label", labels=("other",)) == "Weak label “other”"
    assert titled("confused-labels", labels=("a", "b")) == "Confused labels “a” and “b”"
    assert titled("models-among-annotators", ("gpt",)) == "Models among annotators"
    assert titled("outlying-annotators", tuple("abcdefg")) == "Outlying annotators"


def test_the_summary_counts_what_is_shown() -> None:
    context = Context(six_low())
    summary = build(context).markdown.split("\n")[0]
    shown = groups(context.findings)
    warnings = sum(group.first.severity == "warning" for group in shown)
    assert len(context.findings.warnings) > warnings
    assert (f"{warnings} warnings" if warnings > 1 else "One warning") in summary


def six_low() -> accord.Study:
    rows = [(name, item, who) for name in "uvwxyz" for item in range(30) for who in ("ana", "ben", "dan")]
    label = ["ab"[(item * (3 + len(who)) + place) % 7 % 2] for place, (_, item, who) in enumerate(rows)]
    task, item, annotator = (list(column) for column in zip(*rows, strict=True))
    return accord.Study({"task": task, "item": item, "annotator": annotator, "label": label}, task="task")

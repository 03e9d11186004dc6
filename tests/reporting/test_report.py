"""The report: what stands in it for each kind of study, and nothing that is not true."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.agreement.interpretation import BENCHMARKS
from accord.errors import InputError, OptionError
from accord.reporting.context import Context, Section
from accord.reporting.page import laid_out, rendered, sections_of
from accord.reporting.sections.groups import build as build_groups
from accord.reporting.sections.verdict import headline
from tests.reporting.pages import STUDIES, Page

ALWAYS = ["facts", "todo", "verdict", "measured", "coefficients", "findings", "methods"]
PARTS = {
    "single": ["labels", "annotators", "items", "gold"],
    "gaps": ["labels", "annotators", "items", "gold"],
    "ranked": ["labels", "annotators", "items", "ranked"],
    "sets": ["labels", "annotators", "items", "sets", "gold"],
    "scores": ["annotators", "items", "variances", "scores", "scale-use"],
    "suggested": ["labels", "annotators", "items", "suggested", "gold"],
    "variables": ["groups", "v1", "v2"],
    "counts": ["labels", "items", "gold"],
    "crowd": ["labels", "annotators", "items", "gold"],
    "one_annotator": [],
    "one_label": ["labels", "annotators", "items", "gold"],
    "all_alike": ["labels", "annotators", "items", "gold"],
    "against": ["labels", "annotators", "items", "gold"],
    "one_item": ["labels", "annotators", "items", "gold"],
    "repeated": ["labels", "annotators", "items", "consistency", "gold"],
}


QUICK = ("single", "sets", "one_label")
EVERY_STUDY = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in STUDIES]
)


@cache  # of (name, by): a call without `by` would be kept apart, and made again
def context(name: str, by: str | None) -> Context:
    return Context(STUDIES[name](), by=by)


@cache
def sections(name: str, by: str | None) -> list[Section]:
    """Built once for the page and for Markdown: a section holds both."""
    return sections_of(context(name, by))


@cache
def page(name: str, by: str | None = None) -> Page:
    return Page(laid_out(context(name, by), sections(name, by), ".html"))


@EVERY_STUDY
def test_a_page_has_the_sections_that_fit_in_their_order(name: str) -> None:
    found = page(name)
    fitting = {*ALWAYS, *PARTS[name]}
    order = [
        "facts",
        "todo",
        "verdict",
        "measured",
        "coefficients",
        "findings",
        "groups",
        "labels",
        "annotators",
        "items",
        "variances",
        "scores",
        "scale-use",
        "ranked",
        "sets",
        "suggested",
        "models",
        "consistency",
        "gold",
    ]
    assert found.sections == [key for key in [*order, "v1", "v2", "methods"] if key in fitting]


@EVERY_STUDY
def test_a_page_asks_for_nothing_from_outside(name: str) -> None:
    found = page(name)
    for tag, attributes in found.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base"), tag
        for key in ("src", "href", "action", "xlink:href"):
            assert (attributes.get(key) or "#").startswith("#"), (tag, attributes)
        assert not any(key.startswith("on") for key in attributes), attributes
    assert [tag for tag, _ in found.tags].count("script") == 1


@EVERY_STUDY
def test_every_chart_has_a_title_a_description_and_its_data(name: str) -> None:
    found = page(name)
    charts = [attributes for tag, attributes in found.tags if tag == "svg"]
    assert all(attributes.get("aria-label") and attributes.get("role") == "img" for attributes in charts)
    assert found.html.count('<figure class="chart">') == found.html.count("<summary>Data: ")
    assert "#010203" not in found.html, "a placeholder of a colour was left"


@EVERY_STUDY
def test_markdown_says_the_same(name: str) -> None:
    text = laid_out(context(name, None), sections(name, None), ".md")
    assert text.startswith("# Agreement report\n\n## At a glance\n\n")
    assert "nan" not in text.replace("nan be", "").lower().split()


def test_groups_have_a_section_of_their_own() -> None:
    found = page("single", by="topic")
    assert found.sections.index("groups") == found.sections.index("labels") - 1
    assert "Groups by topic" in found.text


@pytest.mark.parametrize(("number", "said"), [(5, False), (6, True)])
def test_intervals_of_many_groups_hold_together(number: int, said: bool) -> None:
    rows = {
        "item": [item for item in range(72) for _ in "xyz"],
        "annotator": ["x", "y", "z"] * 72,
        "label": [["a", "b"][(item + (who == item % 4)) % 2] for item in range(72) for who in range(3)],
        "topic": [f"t{item % number}" for item in range(72) for _ in "xyz"],
    }
    section = build_groups(Context(accord.Study(rows), by="topic"))
    assert section.markdown.count("Simultaneous intervals: all of them hold with 95%") == (2 if said else 0)


# -- what is said ------------------------------------------------------------------------------------------------------


def told(name: str, benchmark: str = "landis-koch") -> str:
    return headline(Context(STUDIES[name](), benchmark=benchmark))


def test_an_undefined_value_is_called_undefined() -> None:
    assert "is undefined. " in told("one_annotator")
    said = told("one_label")
    assert "Percent agreement is 1.000 (95% interval 0.607 to 1.000). Fleiss' kappa is undefined: Only " in said


def test_agreement_without_one_disagreement_is_not_called_certain() -> None:
    said = told("all_alike")
    assert "is 1.000 (95% interval 0.558 to 1.000)" in said
    assert "the interval reaches from “moderate” to “almost perfect”" in said
    assert "over 99%" not in said


def test_less_than_chance_is_said() -> None:
    assert "is -1.00" in told("against")
    assert "“poor” on the scale of Landis & Koch 1977" in told("against")


def test_a_wide_interval_that_holds_zero_is_not_told_from_chance() -> None:
    study = accord.Study.from_pairs(list("xyxyxxyy"), list("xyyxxyyx"))
    assert "not shown to differ from chance" in headline(Context(study))


def test_the_value_has_one_word_and_the_interval_says_how_sure_it_is() -> None:
    said = told("single")
    meaning = accord.measure(STUDIES["single"]()).recommended.interpret()
    assert f"“{meaning.word}” on the scale of Landis & Koch 1977, {meaning.uncertainty}" in said
    assert said.replace(str(meaning.uncertainty), "").count(f"“{meaning.word}”") == 1  # where the interval ends aside


@pytest.mark.parametrize("target", ["objective", "standard", "subjective", "highly-subjective"])
def test_a_target_is_reached_or_not(target: str) -> None:
    value = accord.measure(STUDIES["single"]()).recommended.value
    limit = BENCHMARKS[target].bands[0].high
    assert f"{'above' if value > limit else 'below'} the target of {limit:.2f} ({target} tasks)" in told(
        "single", target
    )


def test_percent_agreement_is_given_no_word_of_a_scale_for_kappas() -> None:
    result = accord.percent_agreement(STUDIES["single"]())
    assert result.interpret().word is None
    assert result.interpret().high_word is None
    assert "Landis" not in result.sentence()
    assert "not corrected for chance" in result.sentence()


def test_observed_agreement_is_called_what_it_is() -> None:
    found = accord.measure(STUDIES["suggested"]())
    assert "of pairs of answers agreeing on the suggested label and" in found["dipietro_hazari_kappa"].sentence()
    assert "observed agreement of " in found["fleiss_kappa"].sentence()
    assert "observed agreement 0." in accord.measure(STUDIES["sets"]())["bhowmick_am"].sentence()


def test_digits_do_not_move_a_value_into_another_band() -> None:
    study = accord.read(Path(__file__).parents[2] / "examples" / "five-annotators.csv")
    result = accord.krippendorff_alpha(study)
    assert f"{result.value:.2f}" == "0.60"
    assert "0.603" in result.sentence()
    assert "“substantial”" in result.sentence(benchmark="landis-koch")


def test_several_variables_are_told_together() -> None:
    assert told("variables").startswith("Fleiss' kappa runs from ")
    assert "(topic) over 2 variables; 1 of them is above the target of 0.70." in told("variables")


def test_what_is_missing_is_counted() -> None:
    assert "5 of 72 pairs of an item and an annotator (7%)" in page("gaps").text


def test_a_crowd_is_cut_and_the_cut_said() -> None:
    text = page("crowd").text
    assert "annotators are shown: the 25 whose intervals end lowest, and 15 of the others" in text
    assert "Pairs are not compared one by one among more than 400 annotators." in text
    assert "contested items are shown, the least agreement first." in text


def test_what_the_majority_leaves_open_is_counted() -> None:
    study = accord.Study.from_pairs(list("xyxyxx"), list("xyyyxx"))
    text = Page(rendered(Context(study), ".html")).text
    assert "The majority decides 5 of 6 items; on the other 1 no label has more answers than every other." in text


def test_suggesters_are_compared_where_there_are_several() -> None:
    text = page("suggested").text
    assert "DiPietro–Hazari kappa by suggester" in text
    assert "suggested_rule" in text


# -- people and texts --------------------------------------------------------------------------------------------------


def test_names_and_texts_can_be_left_out(tmp_path: Path) -> None:
    path = accord.report(STUDIES["single"](), tmp_path / "r.html", anonymise=True, show_text=False)
    html = path.read_text(encoding="utf-8")
    assert not any(f">{who}<" in html or f"{who}:" in html or f"{who}," in html for who in ("ana", "ben", "chloe"))
    assert "The text of" not in html
    assert "Annotators are called A1, A2 … in random order" in html
    assert "It shows no texts of items." in html


@pytest.mark.slow
def test_the_key_is_kept_apart_and_kept_to(tmp_path: Path) -> None:
    keys = []
    for _ in range(3):
        accord.report(STUDIES["single"](), tmp_path / "r.html", anonymise=True)
        keys.append((tmp_path / "r-key.json").read_text(encoding="utf-8"))
    assert keys[0] == keys[1] == keys[2]
    assert {row["annotator"] for row in json.loads(keys[0])["rows"]} == {"ana", "ben", "chloe"}
    other = json.loads(keys[0])
    other["rows"] = [{"called": "A7", "annotator": "ben"}]
    (tmp_path / "r-key.json").write_text(json.dumps(other), encoding="utf-8")
    accord.report(STUDIES["single"](), tmp_path / "r.html", anonymise=True)
    called = {row["annotator"]: row["called"] for row in json.loads((tmp_path / "r-key.json").read_text())["rows"]}
    assert called["ben"] == "A7"
    assert {called["ana"], called["chloe"]} == {"A1", "A2"}


def test_anonymous_numbers_do_not_follow_the_alphabet() -> None:
    from accord.reporting.anonymise import anonymised

    orders = {tuple(anonymised(STUDIES["single"](), rng=seed)[1]["annotator"]) for seed in range(40)}
    assert len(orders) == 6, "every order of three names should turn up"


def test_anonymous_results_are_the_same() -> None:
    from accord.reporting.anonymise import anonymised

    for name in ("single", "gaps", "ranked", "sets", "scores"):
        study = STUDIES[name]()
        hidden, key = anonymised(study, rng=3)
        assert accord.measure(hidden).recommended.value == pytest.approx(
            accord.measure(study).recommended.value, abs=1e-15
        )
        names = dict(zip(key["called"], key["annotator"], strict=True))
        one = {names[row["annotator"]]: row["value"] for row in accord.measure(hidden).recommended.by_annotator()}
        other = {row["annotator"]: row["value"] for row in accord.measure(study).recommended.by_annotator()}
        assert one == pytest.approx(other)


def test_groups_by_annotator_cannot_be_anonymous(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="names the annotators"):
        accord.report(STUDIES["single"](), tmp_path / "r.html", anonymise=True, by="annotator")
    assert list(tmp_path.iterdir()) == []


# -- the file ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".html", ".md", ".tex", ".json"])
def test_the_four_forms_are_written(tmp_path: Path, ending: str) -> None:
    path = accord.report(STUDIES["single"](), tmp_path / f"report{ending}")
    assert path.read_text(encoding="utf-8").strip()
    assert [found.name for found in path.parent.iterdir()] == [path.name], "no half file is left"


def test_a_target_that_cannot_be_written_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(*_: Any) -> str:
        raise AssertionError("rendered in vain")

    monkeypatch.setattr("accord.reporting.page.rendered", render)
    monkeypatch.setattr("accord.reporting.page.fingerprint", render)
    study = STUDIES["single"]()
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder.html").mkdir()
    for target, problem in (
        (tmp_path / "file" / "r.html", "'file' is no folder"),
        (tmp_path / "file" / "new" / "r.html", "'file' is no folder"),
        (tmp_path / "folder.html", "it is a folder"),
    ):
        with pytest.raises(InputError, match=rf"'{target.name}' cannot be written: {problem}\."):
            accord.report(study, target)
    with pytest.raises(InputError, match=r"there is no folder '.*new'. Make it first, or write elsewhere"):
        accord.report(study, tmp_path / "new" / "r.html")
    monkeypatch.setattr("os.access", lambda *_: False)
    refused = rf"'r\.html' cannot be written: nothing may be written into '{tmp_path.name}'\."
    with pytest.raises(InputError, match=refused):
        accord.report(study, tmp_path / "new" / "r.html")
    assert {path.name for path in tmp_path.iterdir()} == {"file", "folder.html"}


def test_only_the_rooms_that_a_section_needs_are_loaded(tmp_path: Path) -> None:
    code = (
        "import sys, accord; "
        "accord.report(accord.Study.from_pairs(list('aab'), list('abb')), sys.argv[1]); "
        "print([name for name in sys.modules if name.startswith(('accord.judge', 'accord.multilabel'))])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "r.md")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"\.html, \.md, \.tex or \.json"):
        accord.report(STUDIES["single"](), tmp_path / "report.pdf")


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.html"
    target.write_text("the old one", encoding="utf-8")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        accord.report(STUDIES["single"](), target, progress=interrupted)
    assert target.read_text(encoding="utf-8") == "the old one"
    assert len(list(tmp_path.iterdir())) == 1


def test_progress_is_told_to_the_end(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    accord.report(STUDIES["single"](), tmp_path / "r.md", progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 11)
    assert seen[-1] == (11, 11)


def test_the_same_study_makes_the_same_page_in_one_process_too() -> None:
    pages = {rendered(Context(STUDIES["one_item"]()), ".html") for _ in range(2)}
    assert len(pages) == 1


def test_the_fingerprint_knows_the_data_and_not_the_order_of_rows() -> None:
    from accord.reporting.page import fingerprint

    table = {"item": ["a", "a", "b", "b"], "annotator": ["p", "q", "p", "q"], "label": ["x", "y", "x", "x"]}
    turned = {name: cells[::-1] for name, cells in table.items()}
    changed = table | {"label": ["x", "y", "x", "y"]}
    renamed = table | {"item": ["a", "a", "c", "c"]}
    first, *others = (fingerprint(accord.Study(version)) for version in (table, turned, changed, renamed))
    assert first == others[0]
    assert first not in others[1:]

"""The sentence for a paper, the words of scales, and tables that can be printed: one value, one word, equal digits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import accord
from accord import Study
from accord.agreement.inference import intervals
from accord.agreement.interpretation import BENCHMARKS
from accord.agreement.table import Table, cell_text
from accord.agreement.table_formats import as_csv, as_html, as_latex, as_markdown
from accord.cli.terminal import as_text
from accord.measures.registered import MEASURES

# 60 items by five annotators with gaps: a kappa near 0.6 whose interval holds three bands
FIVE = Path(__file__).parents[2] / "examples" / "five-annotators.csv"
GAPS = Study.from_wide([["a", "a"], ["b", "a"], ["a", None], ["b", "b"], ["b", "b"], ["a", "a"], [None, "b"]])
WORDS = [band.word for band in BENCHMARKS["landis-koch"].bands]


def test_why_no_word_is_put_on_a_value_is_a_sentence() -> None:
    reasons = [entry.no_scale for entry in MEASURES.values() if entry.no_scale]
    assert len(reasons) > 5
    assert [reason for reason in reasons if not (reason[0].isupper() and reason.endswith("."))] == []
    ranked = accord.datasets.load("ranked-maps")
    assert "is one divided by the number of annotators" in str(accord.kendall_w(ranked).interpret())
    assert "; percent agreement is not one, so none" in str(accord.percent_agreement(ranked).interpret())


def test_the_sentence_holds_the_checklist_of_the_tutorial() -> None:
    said = accord.krippendorff_alpha(GAPS).sentence()
    for part in (
        "Two annotators gave 12 answers to 7 items",
        "2 items with a single answer cannot agree",
        "left out: 2 cells without an answer",
        "Krippendorff's alpha (nominal) was",
        "95% confidence interval",
        "analytic over items",
        "with observed agreement of",
    ):
        assert part in said


def test_weights_and_levels_are_named() -> None:
    sets = Study.from_wide([[["a"], ["a", "b"]], [["b"], ["b"]], [["a"], ["b"]]])
    assert "Krippendorff's alpha (MASI) was" in accord.measure(sets).recommended.sentence()
    stars = Study.from_wide([[1, 2], [3, 3], [5, 4], [2, 2]])
    assert "Krippendorff's alpha (ordinal) was" in accord.krippendorff_alpha(stars, level="ordinal").sentence()
    assert "Cohen's kappa (quadratic) was" in accord.cohen_kappa(stars, weights="quadratic").sentence()


def test_clusters_are_what_the_interval_is_over() -> None:
    table = {
        "item": [1, 1, 2, 2, 3, 3, 4, 4],
        "annotator": ["ana", "ben"] * 4,
        "label": ["a", "a", "b", "a", "b", "b", "a", "a"],
        "document": ["x", "x", "x", "x", "y", "y", "z", "z"],
    }
    assert "over 3 clusters of items" in accord.krippendorff_alpha(Study(table, cluster="document")).sentence()


@pytest.mark.parametrize("measure", ["fleiss_kappa", "krippendorff_alpha", "percent_agreement", "gwet_ac"])
def test_digits_are_equal_throughout(measure: str) -> None:
    result = getattr(accord, measure)(accord.read(FIVE))
    said = result.sentence()
    assert {len(number.partition(".")[2]) for number in re.findall(r"\d+\.\d+(?!\d*%)", said)} <= {3}
    assert {len(number.partition(".")[2]) for number in re.findall(r"(\d+\.\d+)%", said)} <= {1}


def test_one_value_has_one_word_and_the_interval_has_its_own() -> None:
    kappa = accord.fleiss_kappa(accord.read(FIVE))  # 0.599
    meaning = kappa.interpret()
    assert (meaning.word, meaning.low_word, meaning.high_word) == ("moderate", "moderate", "substantial")
    assert str(meaning) == (
        "0.599 is “moderate” on the scale of Landis & Koch 1977; the interval reaches from “moderate” to “substantial”"
    )
    assert "at least" not in kappa.sentence()
    assert f"“{meaning.word}” on the scale of Landis & Koch 1977, {meaning.uncertainty}" in kappa.sentence()


def test_an_interval_within_one_band_says_so() -> None:
    kappa = accord.cohen_kappa(Study.from_confusion([[3500, 500], [500, 3500]]))  # 0.75
    assert kappa.interpret().uncertainty == "so is the whole interval"


def test_alpha_has_the_thresholds_of_krippendorff_unless_another_scale_is_asked_for() -> None:
    alpha = accord.krippendorff_alpha(accord.read(FIVE))
    assert alpha.interpret().benchmark.name == "krippendorff"
    assert [band.high for band in alpha.interpret().benchmark.bands[:2]] == [0.667, 0.8]
    assert not any(f"“{word}”" in alpha.sentence() for word in WORDS)
    assert "“substantial” on the scale of Landis & Koch 1977" in alpha.sentence(benchmark="landis-koch")
    assert accord.fleiss_kappa(accord.read(FIVE)).interpret().benchmark.name == "landis-koch"


def test_a_value_close_to_a_limit_has_as_many_digits_as_show_its_side() -> None:
    kappa = accord.cohen_kappa(Study.from_confusion([[40001, 10000], [10000, 40000]]))  # 0.600004
    assert kappa.interpret().word == "substantial"
    assert "was 0.600004 " in kappa.sentence()


@pytest.mark.parametrize("target", ["objective", "standard", "subjective", "highly-subjective"])
def test_the_verdict_the_target_and_the_findings_agree(target: str, tmp_path: Path) -> None:
    study = accord.read(FIVE)
    page = tmp_path / "report.md"
    accord.report(study, page, benchmark=target)
    text = page.read_text(encoding="utf-8")
    verdict = text.split("## Verdict\n\n")[1].split("\n")[0]
    limit = BENCHMARKS[target].bands[0].high
    value = accord.measure(study).recommended.value
    assert f"{'above' if value > limit else 'below'} the target of {limit:.2f}" in verdict
    low = {finding.name for finding in accord.explain(study, target=target)} & {"low-agreement", "target-not-shown"}
    assert bool(low) == (value <= limit or "though" in verdict)


def test_a_value_below_the_target_is_not_called_fine_without_saying_so(tmp_path: Path) -> None:
    page = tmp_path / "report.md"
    accord.report(accord.read(FIVE), page, benchmark="landis-koch")
    verdict = page.read_text(encoding="utf-8").split("## Verdict\n\n")[1].split("\n")[0]
    assert verdict.index("below the target of 0.70") < verdict.index("“substantial”")


def test_rows_carry_titles_and_programs_have_the_names_levels_and_weights() -> None:
    found = accord.measure(Study.from_wide([[1, 2], [3, 3], [5, 4], [2, 2]]), level="ordinal")
    table = found.to_table()
    first = next(iter(table))
    assert first["coefficient"] == "Krippendorff's alpha (ordinal)"
    assert (first["measure"], first["level"], first["weights"]) == ("krippendorff_alpha", "ordinal", "")
    assert {"coefficient", "measure", "level", "weights", "maximum"} <= set(table.to_dict()["rows"][0])
    for printed in (str(table), as_text(table), as_markdown(table), as_latex(table), table._repr_html_()):
        assert "krippendorff_alpha" not in printed
        assert "weights" not in printed
    assert "krippendorff_alpha" in as_csv(table)


def test_latex_is_fit_to_print() -> None:
    printed = as_latex(accord.measure(GAPS).to_table())
    assert "\\caption{Agreement of 2 annotators on 7 items (12 answers), with 95\\% intervals}" in printed
    assert "\\_" not in printed
    assert "undefined" not in printed.lower()
    assert "Coefficient & Value & Low & High" in printed
    for rule in ("\\toprule", "\\midrule", "\\bottomrule"):
        assert rule in printed
    noted = as_latex(Table("A & B", {"value": [-0.5], "note": [""]}, ("50% of it.",)))
    assert "$-$0.500" in noted
    assert "{\\footnotesize 50\\% of it.}" in noted
    assert "ote &" not in noted


def test_nothing_is_minus_zero() -> None:
    assert cell_text(-0.0001) == "0.000"
    table = Table("Small", {"name": ["a", "b"], "value": [-0.0001, -0.0]})
    printed = f"{table}{as_text(table)}{as_markdown(table)}{as_latex(table)}{table._repr_html_()}"
    assert not re.search(r"[-−]0\.000", printed.replace("$-$", "-"))
    near = Study.from_confusion([[2500, 2501], [2500, 2499]])
    found = accord.measure(near)
    assert -0.0005 < found.recommended.value < 0
    for said in (str(found), str(found.recommended), str(found.recommended.interpret())):
        assert "-0.000" not in said
    assert "was -0.0002 " in found.recommended.sentence()  # with the digits that show why it is called poor


def test_ids_are_printed_as_they_are_and_counts_with_separators() -> None:
    table = Table("Items", {"item": [18368], "label": [2024], "year": [2019], "answers": [12345], "value": [0.5]})
    for printed in (as_text(table), as_markdown(table), as_latex(table), as_html(table)):
        for cell in ("18368", "2024", "2019", "12,345"):
            assert cell in printed


def test_a_sentence_asks_for_its_interval_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    original = intervals.interval

    def counting(*given: Any) -> accord.Interval:
        asked.append(given)
        return original(*given)

    monkeypatch.setattr(intervals, "interval", counting)
    result = accord.fleiss_kappa(GAPS)
    result.sentence()
    assert len(asked) == 1
    assert result.interval(confidence=0.9) != result.interval()
    assert len(asked) == 2

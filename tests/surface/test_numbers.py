"""Every number of the pages comes from somewhere: an example that is run, a script that measures it, a test, a source.

What examples print is compared elsewhere. A number in a sentence or a table is looked up: among what the examples of
its page show, or in its section, which then names the script of benchmarks/ or the test that it comes from. What is
neither measured nor computed (a limit of the literature, a quantile) is listed here with where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.surface.test_docs import DOCS, ROOT, reference, text

FENCE = re.compile(r"^```.*?^```$|^(?:    \S.*\n)+", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(
    r"(?<![\w.`/#-])[−-]?(?:\d[\d,]*)?\.\d+(?!\.?\d)"  # with decimals
    r"|(?<![\w.`/#-])\d[\d,]*(?=\s?(?:%|×|[MG]i?B|ms\b|s\b|seconds?\b))"  # a share, a ratio, memory, time
)
SHOWN = re.compile(r"[−-]?(?:\d[\d,]*)?\.?\d+")
SOURCE = re.compile(r"(?:benchmarks|tests)[/.][\w/]+(?:\.py)?")
# Pages of measurements, owed to the scripts that the page names, whatever section they stand in.
MEASURED = ("larger-data.md", "checked.md")
# Numbers that are neither measured nor computed here, by page, with whose they are.
OF_OTHERS = {
    "README.md": {"3.11": "Python"},
    "index.md": {"3.11": "Python"},
    "annotators-on-a-scale.md": {"2.77": "√2 · 1.96"},
    "choosing-a-measure.md": {
        "0.23": "tests/surface/test_scale_questions.py",
        "0.74": "tests/surface/test_scale_questions.py",
    },
    "explain.md": {
        **dict.fromkeys(("0.80", "0.70", "0.50", "0.40"), "Zhao 2025"),
        "0.57": "tests/findings/test_dependent.py",
    },
    "glossary.md": {
        "0.667": "Krippendorff 2004",
        "0.800": "Krippendorff 2004",
        "0.8": "what calibration means",
        "80": "what calibration means",
        "1.0": "the version of a manual",
        "1.9": "the version of a manual",
    },
    "gold.md": dict.fromkeys((".9", ".34"), "tests/consensus/test_sharpening.py"),
    "licences.md": {"2.0": "the Apache License"},
    "rankings.md": {"1.96": "of the normal distribution"},
    "results.md": dict.fromkeys((".667", ".800", ".67", ".8"), "Krippendorff 2004 and 1980"),
    "scores.md": {"0.75": "Koo and Li 2016"},
    "spans.md": {"1.96": "of the normal distribution"},
    "suggested-labels.md": dict.fromkeys(("−0.33", "−0.67"), "tests/published/test_dipietro_hazari_2022.py"),
    "text-bhowmick.md": {
        **dict.fromkeys((".702", ".878", ".870", ".72"), "the paper"),
        **dict.fromkeys(("5.2", "5.3"), "a section of the paper"),
    },
    "text-di-eugenio.md": {"0.000005": "the paper"},
    "text-dipietro-hazari.md": {".4545": "tests/published/test_dipietro_hazari_2022.py"},
    "text-rosenberg-binkowski.md": dict.fromkeys(("5.1", "5.3"), "a section of the paper"),
    "text-zhao.md": dict.fromkeys(("0.339", "0.600"), "the slides"),
    "theory.md": {"0.33": "tests/laws/test_repeats.py", "5": "src/accord/agreement/inference/resampling.py"},
    "tutorial.md": {"0.667": "Krippendorff 2004"},
}


def pages() -> list[Path]:
    """The README and every page that somebody wrote."""
    made = reference.made()
    return [
        ROOT / "README.md",
        *(page for page in sorted(DOCS.glob("*.md")) if page not in made and ".in." not in page.name),
    ]


def unsupported(page: Path) -> Iterator[str]:
    """The numbers of a page that come from nowhere, each with the words around it."""
    whole = text(page)
    shown = {abs(_value(found)) for block in FENCE.findall(whole) for found in SHOWN.findall(block)}
    known = OF_OTHERS.get(page.name, {})
    for section in re.split(r"^#+ ", FENCE.sub("", whole), flags=re.MULTILINE):
        if SOURCE.search(section) or page.name in MEASURED:
            continue
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", section)
        for found in NUMBER.finditer(prose):
            if found[0] not in known and not any(_rounds_to(number, found[0]) for number in shown):
                yield " ".join(prose[max(0, found.start() - 50) : found.end() + 20].split())


def _value(written: str) -> float:
    return float(written.replace(",", "").replace("−", "-"))


def _rounds_to(number: float, written: str) -> bool:
    """Is it the same number, perhaps with fewer digits, or as a percentage?"""
    value, digits = abs(_value(written)), len(written.partition(".")[2])
    return any(abs(shown - value) <= 0.5000001 * 10**-digits for shown in (number, 100 * number))


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.name))
def test_a_number_comes_from_an_example_a_script_a_test_or_a_source(page: Path) -> None:
    assert list(unsupported(page)) == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.name))
def test_the_scripts_and_tests_that_a_page_names_are_there(page: Path) -> None:
    named = {name.replace(".", "/").removesuffix("/py") for name in SOURCE.findall(FENCE.sub("", text(page)))}
    gone = [name for name in named if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()]
    assert gone == []


def test_a_page_of_measurements_names_the_scripts_behind_them() -> None:
    for name in MEASURED:
        assert len(re.findall(r"benchmarks[/.]\w+", text(DOCS / name))) >= 2, name


@pytest.mark.parametrize("name", OF_OTHERS)
def test_what_is_listed_here_still_stands_on_its_page(name: str) -> None:
    page = ROOT / name if name == "README.md" else DOCS / name
    assert [number for number in OF_OTHERS[name] if number not in text(page)] == []
    for where in OF_OTHERS[name].values():
        assert not where.startswith(("tests/", "src/")) or (ROOT / where).exists(), where


def test_a_number_from_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    shown = "```python\nprint(0.6035)\n```\n\n```text\n0.6035\n```\n"
    page.write_text(f"# One\n\nIt is 0.604, or 60 %.\n\n{shown}\nIt takes 12 s, and 0.7 more.\n", encoding="utf-8")
    of_time, of_more = unsupported(page)
    assert "takes 12 s" in of_time
    assert "and 0.7 more" in of_more
    other = tmp_path / "other.md"
    other.write_text(f"# One\n\n{shown}\nIt takes 12 s, and 0.7 more (`benchmarks/gold.py`).\n", encoding="utf-8")
    assert list(unsupported(other)) == []

"""Every number of the pages comes from somewhere: an example that is run, a script that measures it, a test, a source.

What examples print is compared elsewhere. A number in a sentence or a table is looked up: among what the examples of
its page show, or in what its section names: a script of benchmarks/ (in what was recorded of its last run, in what
benchmarks/README.md says of it, or among its own settings) or a test (in its text). What is neither measured nor
computed (a limit of the literature, a quantile) is listed here with where it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.surface.test_docs import DOCS, ROOT, reference, script, text

notebooks = script("run_notebooks")

FENCE = re.compile(r"^```.*?^```$|^(?: {4}\S[^\n]*\n)+", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(
    r"(?<![\w.`/#-])[−-]?(?:\d[\d,]*)?\.\d+(?!\.?\d)"  # with decimals
    r"|(?<![\w.`/#-])\d[\d,]*(?=\s?(?:%|×|[MG]i?B|ms\b|s\b|seconds?\b))"  # a share, a ratio, memory, time
)
SHOWN = re.compile(r"[−-]?(?:\d[\d,]*)?\.?\d+")
SOURCE = re.compile(r"(?:benchmarks|tests)[/.][\w/]+(?:\.py)?")
BENCHMARKS = ROOT / "benchmarks"
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
    "formats.md": {
        **dict.fromkeys(("2.1", "1.11", "1.8", "2.8", "1.3", "3.2", "3.3", "0.4", "1.1"), "versions of tools"),
    },
    "gold.md": dict.fromkeys((".9", ".34"), "tests/consensus/test_sharpening.py"),
    "larger-data.md": {
        **dict.fromkeys(("100", "34", "43"), "ten times what was measured"),
        **dict.fromkeys(("1", "128"), "src/accord/readers/source.py"),
    },
    "licences.md": {"2.0": "the Apache License"},
    "rankings.md": {"1.96": "of the normal distribution"},
    "results.md": dict.fromkeys((".667", ".800", ".67", ".8"), "Krippendorff 2004 and 1980"),
    "scores.md": {"0.75": "Koo and Li 2016"},
    "spans.md": {"1.96": "of the normal distribution"},
    "suggested-labels.md": dict.fromkeys(("−0.33", "−0.67"), "tests/published/test_dipietro_hazari_2022.py"),
    "text-bhowmick.md": {
        **dict.fromkeys((".702", ".752", ".753", ".878", ".870", ".72"), "the paper"),
        **dict.fromkeys(("5.2", "5.3"), "a section of the paper"),
    },
    "text-di-eugenio.md": {"0.000005": "the paper"},
    "text-dipietro-hazari.md": {".4545": "tests/published/test_dipietro_hazari_2022.py"},
    "text-rosenberg-binkowski.md": {
        **dict.fromkeys(("5.1", "5.3"), "a section of the paper"),
        **dict.fromkeys((".299", ".281"), "the paper"),
    },
    "text-zhao.md": dict.fromkeys(("0.339", "0.600"), "the slides"),
    "theory.md": {"0.33": "tests/laws/test_repeats.py", "5": "src/accord/agreement/inference/resampling.py"},
    "uncertainty.md": dict.fromkeys((".56", ".86", ".94"), "how often people know the label, squared"),
    "tutorial.md": {"0.667": "Krippendorff 2004"},
}


def pages() -> list[Path]:
    """The README, every page and notebook that somebody wrote, and what was written of pages that are made."""
    made = reference.made()
    return [
        ROOT / "README.md",
        *(page for page in sorted(DOCS.glob("*.md")) if page not in made),
        *notebooks.notebooks(),
    ]


def whole_text(page: Path) -> str:
    """A page; of a notebook its words, with all its code and whatever that shows as one example."""
    if page.suffix != ".ipynb":
        return text(page)
    words, shown = [], []
    for cell in notebooks.load(page)["cells"]:
        if cell["cell_type"] == "code":
            shown += [notebooks.source(cell), json.dumps(cell["outputs"])]
        else:
            words.append(notebooks.source(cell))
    return "\n\n".join([*words, "```", *shown, "```"])


def unsupported(page: Path) -> Iterator[str]:
    """The numbers of a page that come from nowhere, each with the words around it."""
    whole = whole_text(page)
    shown = set().union(*(numbers_in(block) for block in FENCE.findall(whole)))
    known = OF_OTHERS.get(page.name, {})
    named_on_it = SOURCE.findall(FENCE.sub("", whole)) if page.name in MEASURED else []
    for section in re.split(r"^#+ ", FENCE.sub("", whole), flags=re.MULTILINE):
        recorded = shown.union(*map(recorded_in, named_on_it or SOURCE.findall(section)))
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", section)
        for found in NUMBER.finditer(prose):
            if found[0] not in known and not any(_rounds_to(number, found[0]) for number in recorded):
                yield " ".join(prose[max(0, found.start() - 50) : found.end() + 20].split())


@cache
def recorded_in(source: str) -> frozenset[float]:
    """The numbers that a script or a test is known to have given, or has been given."""
    name = source.replace(".", "/").removesuffix("/py")
    places = [ROOT / f"{name}.py", BENCHMARKS / "recorded" / f"{Path(name).name}.txt", ROOT / f"{name}.json"]
    said = [text(place) for place in places if place.is_file()]
    if name.startswith("benchmarks/"):
        said += paragraphs_about(Path(name).name)
    return numbers_in("\n".join(said))


def paragraphs_about(script: str) -> Iterable[str]:
    """What benchmarks/README.md tells of a script: the paragraph that names it, and those after it up to another's."""
    about: set[str] = set()
    for paragraph in re.split(r"\n{2,}", text(BENCHMARKS / "README.md").partition("## What was measured")[2]):
        about = {name for name in re.findall(r"`(\w+)[ `]", paragraph) if (BENCHMARKS / f"{name}.py").exists()} or about
        if script in about:
            yield paragraph


def numbers_in(words: str) -> frozenset[float]:
    return frozenset(abs(_value(found)) for found in SHOWN.findall(words))


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
    named = {name.replace(".", "/").removesuffix("/py") for name in SOURCE.findall(FENCE.sub("", whole_text(page)))}
    gone = [name for name in named if not any((ROOT / f"{name}{ending}").exists() for ending in ("", ".py", ".md"))]
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
    page.write_text(
        f"# One\n\n    make demo  # 0.6\n\nIt is 0.604, or 60 %.\n\n{shown}\nIt takes 12 s, and 0.7 more.\n",
        encoding="utf-8",
    )
    of_time, of_more = unsupported(page)
    assert "takes 12 s" in of_time
    assert "and 0.7 more" in of_more
    cells = [
        {"cell_type": "markdown", "source": ["It is 0.604, and 0.7 more."]},
        {"cell_type": "code", "source": ["print(0.6035)"], "outputs": [{"text": ["0.6035"]}]},
    ]
    (tmp_path / "one.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (found,) = unsupported(tmp_path / "one.ipynb")
    assert "and 0.7 more" in found


def test_a_number_beside_a_script_is_looked_up_in_what_the_script_gave(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One\n\nDecided in 2.4 s, and 0.987 more (`benchmarks/gold.py`).\n\n"
        "# Two\n\nIt is off by 0.582, and 0.987 (`benchmarks/severity_gold.py`).\n\n"
        "# Three\n\nIt is 0.618, and 0.987 (`tests/published/test_mathet2015.py`).\n\n"
        "# Four\n\nIt is off by 0.582.\n",
        encoding="utf-8",
    )
    assert [re.findall(r"0\.\d+", found)[-1] for found in unsupported(page)] == ["0.987", "0.987", "0.987", "0.582"]


@pytest.mark.parametrize("file", sorted((BENCHMARKS / "recorded").glob("*.txt")), ids=lambda file: str(file.name))
def test_what_was_recorded_says_how(file: Path) -> None:
    assert re.match(rf"\$ python -m benchmarks\.{file.stem}(?: [\w -]+)?\n", text(file))
    assert (BENCHMARKS / f"{file.stem}.py").is_file()

"""The documentation says what is there, all of it, and what its examples print is what they print."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import accord
from accord import datasets, errors, findings, judge, multilabel, planning, suggestions
from accord.agreement import references
from accord.agreement.interpretation import BENCHMARKS
from accord.agreement.uncertainty import Method, Resample
from accord.annotations.answers import KINDS, Level
from accord.cli.settings import PARTS
from accord.coefficients.set_weights import BETWEEN_SETS
from accord.coefficients.weights import ON_A_SCALE, RANKED
from accord.measures.registered import MEASURES
from accord.study.study_of_input import Roles
from tests.surface.test_public_names import PUBLIC

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCES = sorted((ROOT / "src").rglob("*.py"))
KEY = re.compile(r"\b[a-z]+(?:18|19|20)\d\d[a-z]?\b")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def script(name: str) -> Any:
    """A script of docs/, as a module."""
    if name not in sys.modules:
        found = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
        assert found is not None
        assert found.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
    return sys.modules[name]


examples = script("run_examples")
reference = script("make_reference")


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def hand_written() -> str:
    """Every page that somebody wrote: not those that repeat the code."""
    made = reference.made()
    return "\n".join(text(page) for page in sorted(DOCS.glob("*.md")) if page not in made)


def told(name: str, where: str) -> bool:
    """Is the name there as code, by itself or within a call?"""
    return re.search(rf"[`.\"' ({{]{re.escape(name)}(?![\w-])", where) is not None


# Examples -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", examples.pages(), ids=lambda page: str(page.name))
def test_what_a_page_shows_is_what_happens(page: Path) -> None:
    wrong = examples.wrong_on(page)
    assert not wrong, "\n\n".join([*wrong, "To renew the page: python docs/run_examples.py --write"])


@pytest.mark.parametrize(
    ("shown", "fails"),
    [
        ("```python\n1 + 1  # 2\n```", False),
        ("```python\n1 + 1  # 3\n```", True),
        ("```python\nprint('a')\n```\n\n```text\na\n```", False),
        ("```python\nprint('a')\n```\n\n```text\nb\n```", True),
        ("```python\nprint('a\\nb\\nc')\n```\n\n```text\na\n…\nc\n```", False),
        ("```python\nprint('a\\nb\\nc')\n```\n\n```text\na\n…\nb\n```", True),
        ("```python\n1 / 0\n```\n\n```text\nZeroDivisionError: division by zero\n```", False),
        ("```python\n>>> 1 + 1\n2\n```", False),
        ("```python\n>>> 1 + 1\n3\n```", True),
        ("```console\n$ accord --version\naccord " + accord.__version__ + "\n$ echo $?\n0\n```", False),
        ("```console\n$ accord --version\naccord 99\n```", True),
        ("```console\n$ accord --version\n…\n$ echo $?\n1\n```", True),
    ],
)
def test_a_page_that_shows_something_else_is_found_out(shown: str, fails: bool, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(shown + "\n", encoding="utf-8")
    assert bool(examples.wrong_on(page)) is fails


def test_an_error_that_no_page_shows_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\n1 / 0\n```\n", encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        examples.wrong_on(page)


def test_renewing_puts_what_was_printed_into_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint('a')\n2 + 2  # 5\n```\n\n```text\nb\n```\n", encoding="utf-8")
    assert examples.renew(page)
    assert examples.wrong_on(page) == []
    assert not examples.renew(page)


# What is generated ----------------------------------------------------------------------------------------------------


def test_generated_pages_are_up_to_date() -> None:
    assert list(reference.outdated()) == [], "run python docs/make_reference.py"


GENERATED = [page for page in reference.made() if page.parent.name in ("reference", "measures")]


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: str(page.relative_to(DOCS)))
def test_examples_of_the_reference_stand_alone(page: Path) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False)
    printed: list[str] = []
    for block in examples.blocks(text(page)):
        if block.language == "pycon":
            test = doctest.DocTestParser().get_doctest(block.text, {}, page.name, str(page), block.line)
            runner.run(test, out=printed.append)
    assert not printed, "".join(printed)


def test_every_public_name_has_its_place_in_the_reference() -> None:
    modules = [accord, accord.datasets, accord.findings, accord.judge, accord.multilabel, accord.planning]
    modules.append(accord.suggestions)
    names = {name for module in modules for name in module.__all__} - {"AccordError"}  # on the page of errors
    assert sorted(names - set(reference.homes()) - set(MEASURES)) == []


def test_every_command_and_every_option_has_its_words() -> None:
    from typer.main import get_command

    from accord.cli import app

    whole: Any = get_command(app)
    page = text(DOCS / "command-line.md")
    assert whole.commands
    for name, command in whole.commands.items():
        section = page.partition(f"## `accord {name}`\n")[2].partition("\n## ")[0]
        assert section, name
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("-"):
                    assert re.search(rf"[` ]{option}[`,]", section), f"accord {name} {option}"
            assert getattr(parameter, "help", None), f"accord {name} {parameter.name} has no help"


# Everything is told ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_told(name: str) -> None:
    assert told(name, hand_written())


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_told_where_measures_are_chosen_from(name: str) -> None:
    assert told(name, text(DOCS / "choosing-a-measure.md"))


def public(kind: type) -> Iterator[str]:
    """The public attributes and methods of a class."""
    names = {name for name in vars(kind) if not name.startswith("_")}
    names |= {name for name in getattr(kind, "__dataclass_fields__", {}) if not name.startswith("_")}
    yield from sorted(names)


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        (accord.Study, "reading-data.md"),
        (accord.Agreement, "results.md"),
        (accord.Interval, "results.md"),
        (accord.Test, "results.md"),
        (accord.Measurements, "results.md"),
        (accord.SelfAgreement, "results.md"),
        (accord.Comparison, "results.md"),
        (accord.Table, "results.md"),
        (accord.Plan, "plan.md"),
        (accord.Paper, "for-the-paper.md"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_every_attribute_of_a_public_class_is_told(kind: type, page: str) -> None:
    words = text(DOCS / page)
    assert [name for name in public(kind) if not told(name, words)] == []


@pytest.mark.parametrize(
    ("names", "page"),
    [
        (["identity", *ON_A_SCALE, *BETWEEN_SETS, *RANKED], "choosing-a-measure.md"),
        (get_args(Level), "measures/krippendorff_alpha.md"),
        (get_args(Method), "uncertainty.md"),
        (get_args(Resample), "uncertainty.md"),
        (list(BENCHMARKS), "results.md"),
        (KINDS, "reading-data.md"),
        ([role for role in Roles.__annotations__ if role not in ("answers", "duplicates")], "reading-data.md"),
        ([f"[{part}]" for part in PARTS], "command-line.md"),
    ],
    ids=["weights", "levels", "methods", "resample", "benchmarks", "kinds", "roles", "settings"],
)
def test_every_choice_is_told(names: list[str], page: str) -> None:
    words = text(DOCS / page)
    assert [name for name in names if not told(name, words)] == []


def test_every_field_of_the_schema_is_told() -> None:
    schema = json.loads(text(ROOT / "src" / "accord" / "schema.json"))
    words = text(DOCS / "results.md")
    fields = {name for part in schema["$defs"].values() for name in part.get("properties", {})}
    assert fields >= {"value", "interval"}
    assert sorted(name for name in fields if not told(name, words)) == []


def test_every_error_is_told() -> None:
    page = text(DOCS / "errors.md")
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.AccordError)]
    assert [kind.__name__ for kind in kinds if kind.__name__ not in page] == []


# The glossary ---------------------------------------------------------------------------------------------------------

WORDS = (
    "item", "annotator", "label", "answer", "annotation", "scale", "pattern", "tally", "weights", "level",
    "chance model", "marginal distribution", "observed", "expected", "missing", "tied", "reference", "suggested",
    "gold", "finding",
    "cluster", "resample", "unit", "group", "run", "adjudicator", "undefined", "interval", "predicted",
    "span", "boxes", "relations", "continuum", "alignment", "disorder", "gamma", "token", "query",
    "variance component", "facet", "severity", "df", "limits of agreement", "strength", "tier", "triad",
    "influence", "halo", "central tendency", "drift", "primacy", "anchoring", "closeness",
    "queue", "panel", "verdict",
)  # fmt: skip


def test_the_glossary_has_every_word() -> None:
    page = text(DOCS / "glossary.md")
    assert [word for word in WORDS if f"**{word}**" not in page] == []
    assert [name for name in [*MEASURES, *reference.CHANCE_MODELS, *KINDS] if not told(name, page)] == []


def test_the_glossary_has_every_public_class() -> None:
    page = text(DOCS / "glossary.md")
    rooms = (accord, datasets, findings, judge, multilabel, planning, suggestions)
    found = {name for module in rooms for name in module.__all__ if inspect.isclass(getattr(module, name))}
    assert {"Study", "Agreement", "Verdict"} <= found
    assert sorted(name for name in found if name != "AccordError" and not told(name, page)) == []


def test_the_glossary_has_every_public_function_attribute_and_method() -> None:
    page = text(DOCS / "glossary.md")
    there = {word.strip("`").rpartition(".")[2] for word in in_code(page)} | set(re.findall(r"\*\*(\w+)\*\*", page))
    names: set[str] = set()
    for room in (accord, datasets, findings, judge, multilabel, planning, suggestions):
        for one in (getattr(room, name) for name in room.__all__):
            if inspect.isfunction(one):
                names.add(one.__name__)
            elif inspect.isclass(one) and not issubclass(one, accord.AccordError):
                names |= {name for name in {*dir(one), *getattr(one, "__dataclass_fields__", ())} if name[0] != "_"}
    assert names > {"rogan_gladen", "n_items", "fair_scores"}
    assert sorted(names - there) == []


def in_code(page: str) -> set[str]:
    """Whatever stands there as code."""
    return set(re.findall(r"`[^`\n]+`", page))


def test_every_keyword_is_on_the_glossary_or_explained_where_it_is_taken() -> None:
    page = in_code(text(DOCS / "glossary.md"))
    bare = {
        f"{function}({name}=)"
        for function, docstring, name in keywords()
        if f"`{name}`" not in page and f"`{name}=`" not in page and not re.search(rf"^ +{name}: \S", docstring, re.M)
    }
    assert sorted(bare) == []


def keywords() -> Iterator[tuple[str, str, str]]:
    """Every public function and method, what its docstring says, and each of its keywords."""
    for room in (accord, datasets, findings, judge, multilabel, planning, suggestions):
        for name in room.__all__:
            one = getattr(room, name)
            called = {name: one} if inspect.isfunction(one) else {}
            if inspect.isclass(one):
                methods = inspect.getmembers(one, lambda part: inspect.isfunction(part) or inspect.ismethod(part))
                called = {f"{name}.{part}": method for part, method in methods if not part.startswith("_")}
            for where, function in called.items():
                for parameter in inspect.signature(function).parameters.values():
                    if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                        yield where, inspect.getdoc(function) or "", parameter.name


def test_the_glossary_has_a_table_for_each_family_of_words() -> None:
    assert len(re.findall(r"^\| accord \|", text(DOCS / "glossary.md"), re.M)) > 5


# Sources --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_cites_what_its_docstring_does(name: str) -> None:
    lines = re.findall(r"^References: (.*?)(?:\n\n|\Z)", inspect.getdoc(MEASURES[name].function) or "", re.M | re.S)
    cited = {key for line in lines for key in KEY.findall(line)}
    assert cited
    assert cited == set(MEASURES[name].references)
    assert cited <= set(references.entries())


def test_every_key_in_the_code_is_in_the_bibliography() -> None:
    known = set(references.entries())
    lines = [(path.name, line) for path in SOURCES for line in text(path).splitlines() if "eferences" in line]
    cited = {(name, key) for name, line in lines for key in KEY.findall(line)}
    assert cited
    assert sorted((name, key) for name, key in cited if key not in known) == []
    for scale in BENCHMARKS.values():
        assert set(scale.references) <= known
        assert scale.references


# Links ----------------------------------------------------------------------------------------------------------------


def every_page() -> list[Path]:
    """Every Markdown file that a reader may open."""
    found = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "examples").glob("*.md")]
    return sorted(page for page in found if not page.name.endswith(".in.md"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors that a forge makes of the headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text(page), flags=re.M | re.S), re.M)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return frozenset(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain)


@pytest.mark.parametrize("page", every_page(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_resolve(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", text(page), flags=re.M | re.S)
    broken = []
    for link in LINK.findall(prose):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def uneven(words: str) -> list[str]:
    """Rows of tables that have more or fewer cells than the head: a bar in a cell, in code too, ends the cell."""
    prose = re.sub(r"^```.*?^```$", "", words, flags=re.M | re.S)
    tables = (table.splitlines() for table in re.findall(r"(?:^\|.*\n)+", prose, re.M))
    bars = re.compile(r"(?<!\\)\|")
    return [row for head, *rows in tables for row in rows if len(bars.findall(row)) != len(bars.findall(head))]


@pytest.mark.parametrize("page", every_page(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_row_of_a_table_has_as_many_cells_as_its_head(page: Path) -> None:
    assert uneven(text(page)) == []


def test_a_bar_in_a_cell_is_found() -> None:
    assert uneven("| a | b |\n|---|---|\n| 1 | as `| head` does |\n| 2 | `a \\| b` |\n") == ["| 1 | as `| head` does |"]


def test_every_page_can_be_found_from_the_index() -> None:
    linked = {(DOCS / link.partition("#")[0]).resolve() for link in LINK.findall(text(DOCS / "index.md"))}
    pages = {page for page in every_page() if page.parent in (DOCS, DOCS / "reference") and page.stem != "index"}
    assert sorted(page.name for page in pages - linked) == []


# README and changelog -------------------------------------------------------------------------------------------------


def test_the_first_screen_of_the_readme_has_what_a_newcomer_needs() -> None:
    screen = "\n".join(text(ROOT / "README.md").splitlines()[:56])
    assert "make demo" in screen
    assert "make test" in screen
    assert "$ accord measure examples/five-annotators.csv" in screen
    assert "import accord" in screen
    assert "\n## " not in screen.partition("```python")[0]
    claim = screen.partition("$ accord")[0]
    assert len(set(re.findall(r"\(docs/([\w-]+)\.md", claim))) >= 6


def test_the_readme_is_short() -> None:
    readme = text(ROOT / "README.md")
    assert len(readme.splitlines()) <= 80
    assert len(readme.split()) <= 1261 // 2, "half of what it once was"
    assert len(re.findall(r"!\[", readme)) == 1, "one picture"
    (code,) = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert len(list(filter(None, code.splitlines()))) == 5
    (commands,) = re.findall(r"^```console\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert len(re.findall(r"^\$ ", commands, re.MULTILINE)) == 1


def test_the_peers_studies_are_counted_right() -> None:
    values = json.loads(text(ROOT / "tests" / "reference" / "peer_values.json"))
    assert f"on {len(values['studies'])} random studies" in " ".join(text(DOCS / "checked.md").split())


def test_the_changelog_names_every_new_public_name() -> None:
    changes = text(ROOT / "CHANGELOG.md")
    unreleased = changes.partition("## [Unreleased]")[2].partition("\n## [")[0]
    assert unreleased
    assert [name for name in PUBLIC if not told(name, unreleased)] == []

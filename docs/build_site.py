"""Builds the site from docs/: pages with search, sample reports that open in the browser, and an inventory of names.

    python docs/build_site.py [FOLDER] [--open]        into build/site; and in the browser, where there is a screen

Pages are gathered in a folder of their own first, because the site has some that docs/ has not (changes, contributing,
what notebooks show), links that lead out of docs/ have to lead to those, and Sphinx wants to be told which page belongs
where: docs/index.md says it, heading by heading.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import sys
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import accord

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS))  # scripts, and no package
run_notebooks = importlib.import_module("run_notebooks")

ELSEWHERE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md", "examples/README.md": "examples.md"}
LINK = re.compile(r"(?P<text>\[[^\]]*\])\((?P<to>[^)\s]+)\)")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
TITLE = re.compile(r"^# .+$", re.MULTILINE)
WORDS_A_MINUTE = 200
# What the theme and Sphinx leave out, and keyboards and screen readers need: what scrolls can be reached, headings have
# a level, parts of a page that are alike have names, and a cell without words is no heading.
REACHED = {
    "<pre>": '<pre tabindex="0">',
    '<div class="formula">': '<div class="formula" tabindex="0">',
    '<div class="table-wrapper ': '<div tabindex="0" class="table-wrapper ',
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
    '<th class="head"><p></p></th>': "<td></td>",
    '<div id="search-results"></div>': '<h1>Search</h1>\n<div id="search-results"></div>',
}


@dataclass(frozen=True)
class Sample:
    """A report of the gallery: its file and title, and of which sample study; docs/gallery.md says the rest."""

    name: str
    title: str
    dataset: str
    by: str | None = None


SAMPLES = (
    Sample("single-labels", "Single labels", "five-annotators", by="topic"),
    Sample("crowd", "A crowd", "crowd-labels"),
    Sample("sets", "Sets of labels", "emotions"),
    Sample("ranked-labels", "Primary and secondary labels", "emails-primary-secondary"),
    Sample("scores", "Scores", "scored-answers"),
    Sample("rankings", "Rankings", "ranked-maps"),
    Sample("preferences", "Preferences", "compared-answers"),
    Sample("spans", "Spans", "marked-names"),
    Sample("variables", "Several variables", "coded-articles"),
    Sample("suggested-labels", "Suggested labels", "suggested-labels"),
    Sample("models", "People and models", "people-and-models"),
    Sample("judges", "LLM judges", "judged-answers"),
)


def build(into: Path, samples: Sequence[Sample] = SAMPLES) -> int:
    """Gather the pages, let Sphinx make them, and put the sample reports beside them; the exit code of Sphinx."""
    from sphinx.cmd.build import main as sphinx

    source = into.with_name(into.name + "-source")
    for folder in (source, into):
        shutil.rmtree(folder, ignore_errors=True)
    source.mkdir(parents=True)
    gather(source)
    made = sphinx(["-q", "-W", "--keep-going", "-b", "html", "-c", str(DOCS), str(source), str(into)])
    for page in into.rglob("*.html"):
        page.write_text(reached_by_everybody(page.read_text(encoding="utf-8")), encoding="utf-8")
    make_samples(samples, into / "gallery")
    for notebook in run_notebooks.notebooks():
        shutil.copy(notebook, into / "notebooks" / notebook.name)
    return int(made)


def reached_by_everybody(html: str) -> str:
    """A page with what Sphinx and its theme leave out."""
    for before, after in REACHED.items():
        html = html.replace(before, after)
    return html


def gather(source: Path) -> None:
    """Every page as the site has it."""
    for page in pages():
        text, place = page.read_text(encoding="utf-8"), placed(page)
        target = source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if page.suffix == ".ipynb":
            text, charts = run_notebooks.page(page)
            for name, drawn in charts.items():
                target.with_name(name).write_text(drawn, encoding="utf-8")
        elif place == Path("index.md"):
            text = with_contents(text)
        else:
            text = with_reading_time(text)
        if place == Path("measures/index.md"):
            text = with_measures(text)
        target.write_text(with_links(text, page, place), encoding="utf-8")
    shutil.copytree(DOCS / "pictures", source / "pictures", dirs_exist_ok=True)


def pages() -> Iterator[Path]:
    """The pages and notebooks of docs/, and pages of the repository that the site shows too."""
    yield from sorted(page for page in DOCS.rglob("*.md") if not page.name.endswith(".in.md"))
    yield from run_notebooks.notebooks()
    yield from (ROOT / name for name in ELSEWHERE)


def placed(page: Path) -> Path:
    """Where a page stands in the site."""
    name = page.relative_to(ROOT).as_posix()
    return Path(ELSEWHERE[name]) if name in ELSEWHERE else page.relative_to(DOCS).with_suffix(".md")


def with_links(text: str, page: Path, place: Path) -> str:
    """Links as they must be where the page stands now; what the site does not have is named and not linked."""
    shown = {one.resolve(): placed(one) for one in pages()}

    def led(found: re.Match[str]) -> str:
        to, mark, part = found["to"].partition("#")
        if not to or "://" in to:
            return found[0]
        file = (page.parent / to).resolve()
        target = shown.get(file)
        if target is not None:
            return f"{found['text']}({os.path.relpath(target, place.parent)}{mark}{part})"
        picture = file.is_relative_to(DOCS / "pictures") or (page.suffix == ".ipynb" and file.suffix == ".svg")
        return found[0] if picture else found["text"][1:-1]

    parts = FENCED.split(text)
    return "".join(part if number % 2 else LINK.sub(led, part) for number, part in enumerate(parts))


def with_reading_time(text: str) -> str:
    """How long a page takes, below its title; what stands in examples is looked at, not read."""
    minutes = max(1, round(len(FENCED.sub("", text).split()) / WORDS_A_MINUTE))
    return TITLE.sub(lambda found: f"{found[0]}\n\n*{minutes} minute{'s' * (minutes > 1)} to read*", text, count=1)


def with_contents(index: str) -> str:
    """The index, with its headings as the parts of the contents and its links as their pages."""
    parts = HEADING.split(index)
    trees = []
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        linked = [found["to"] for found in LINK.finditer(text) if found["to"].endswith((".md", ".ipynb"))]
        inside = list(dict.fromkeys(placed((DOCS / to).resolve()).as_posix() for to in linked))
        if inside:
            trees.append(_tree(heading, inside))
    return index + "\n" + "\n".join(trees)


def with_measures(index: str) -> str:
    """The table of all measures, with a page for each below it in the contents."""
    names = sorted(page.name for page in (DOCS / "measures").glob("*.md") if page.name != "index.md")
    return index + "\n" + _tree("", names)


def _tree(caption: str, entries: list[str]) -> str:
    head = [f":caption: {caption}"] if caption else []
    return "\n".join(["```{toctree}", ":hidden:", *head, "", *entries, "```", ""])


def make_samples(samples: Sequence[Sample], folder: Path) -> None:
    """The reports themselves."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in samples:
        accord.report(accord.datasets.load(one.dataset), folder / f"{one.name}.html", title=one.title, by=one.by)


def has_screen() -> bool:
    """Would a browser that is opened be seen? Not from a build, over a plain connection or in a container."""
    return sys.stdout.isatty() and (
        sys.platform in ("darwin", "win32") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
    )


def main(arguments: list[str]) -> int:
    """Build, say where it is, and open it if asked to."""
    folders = [one for one in arguments if not one.startswith("-")]
    target = Path(folders[0]) if folders else ROOT / "build" / "site"
    status = build(target.absolute())
    first = target.absolute() / "index.html"
    opened = "--open" in arguments and has_screen() and webbrowser.open(first.as_uri())
    print(f"The site is in {target}" + ("." if opened else f": open {first}"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

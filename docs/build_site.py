"""Builds the site from docs/: pages with search, sample reports that open in the browser, and an inventory of names.

    python docs/build_site.py [FOLDER]        into build/site

Pages are gathered in a folder of their own first, because the site has some that docs/ has not (changes, contributing,
the gallery), links that lead out of docs/ have to lead to those, and Sphinx wants to be told which page belongs where:
docs/index.md says it, heading by heading.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import accord

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
ELSEWHERE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md", "examples/README.md": "examples.md"}
LINK = re.compile(r"(?P<text>\[[^\]]*\])\((?P<to>[^)\s]+)\)")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
TITLE = re.compile(r"^# .+$", re.MULTILINE)
WORDS_A_MINUTE = 200


@dataclass(frozen=True)
class Sample:
    """A report of the gallery: what it shows, of which example, with which options."""

    name: str
    title: str
    file: str
    says: str
    read: dict[str, Any] = field(default_factory=dict)
    by: str | None = None


SAMPLES = (
    Sample("single-labels", "Single labels", "five-annotators.csv", "five people, one label each", by="topic"),
    Sample("sets", "Sets of labels", "emotions.csv", "several emotions of a headline", {"answers": "set"}),
    Sample(
        "ranked-labels", "Primary and secondary labels", "emails-primary-secondary.csv", "a first and a second label"
    ),
    Sample("scores", "Scores", "scored-answers.csv", "numbers on a scale: whose number is it?"),
    Sample("rankings", "Rankings", "ranked-maps.csv", "options in order"),
    Sample("preferences", "Preferences", "compared-answers.csv", "which of two answers is better"),
    Sample("spans", "Spans", "marked-names.csv", "names marked in texts"),
    Sample(
        "suggested-labels", "Suggested labels", "suggested-labels.csv", "what a heuristic suggested, and people said"
    ),
    Sample("models", "People and models", "people-and-models.csv", "two models beside three people"),
    Sample("judges", "LLM judges", "judged-answers.csv", "can a model stand in for a person?"),
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
    make_samples(samples, into / "gallery")
    return int(made)


def gather(source: Path) -> None:
    """Every page as the site has it."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        place = placed(page)
        if place == Path("index.md"):
            text = with_contents(text)
        target = source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(with_reading_time(with_links(text, page, place)), encoding="utf-8")
    (source / "gallery.md").write_text(gallery(), encoding="utf-8")
    shutil.copytree(DOCS / "pictures", source / "pictures", dirs_exist_ok=True)


def pages() -> Iterator[Path]:
    """The pages of docs/, and those of the repository that the site shows too."""
    yield from sorted(page for page in DOCS.rglob("*.md") if not page.name.endswith(".in.md"))
    yield from (ROOT / name for name in ELSEWHERE)


def placed(page: Path) -> Path:
    """Where a page stands in the site."""
    name = page.relative_to(ROOT).as_posix()
    return Path(ELSEWHERE[name]) if name in ELSEWHERE else page.relative_to(DOCS)


def with_links(text: str, page: Path, place: Path) -> str:
    """Links as they must be where the page stands now; what the site does not have is named and not linked."""
    shown = {one.resolve(): placed(one) for one in pages()}

    def led(found: re.Match[str]) -> str:
        to, mark, part = found["to"].partition("#")
        if not to or "://" in to:
            return found[0]
        target = shown.get((page.parent / to).resolve())
        if target is not None:
            return f"{found['text']}({os.path.relpath(target, place.parent)}{mark}{part})"
        kept = (page.parent / to).resolve().is_relative_to(DOCS / "pictures")
        return found[0] if kept else found["text"][1:-1]

    parts = FENCED.split(text)
    return "".join(part if number % 2 else LINK.sub(led, part) for number, part in enumerate(parts))


def with_reading_time(text: str) -> str:
    """How long a page takes, below its title; pages that are looked things up in have none."""
    words = len(FENCED.sub("", text).split())
    if text.startswith("<!--") or words < 2 * WORDS_A_MINUTE:
        return text
    minutes = round(words / WORDS_A_MINUTE)
    return TITLE.sub(lambda found: f"{found[0]}\n\n*{minutes} minutes*", text, count=1)


def with_contents(index: str) -> str:
    """The index, with its headings as the parts of the contents and its links as their pages."""
    parts = HEADING.split(index)
    trees = []
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        linked = dict.fromkeys(found["to"] for found in LINK.finditer(text) if found["to"].endswith(".md"))
        inside = [ELSEWHERE.get(to.removeprefix("../"), to) for to in linked]
        trees.append(_tree(heading, inside))
    trees.append(_tree("More", ["gallery.md", *sorted(f"measures/{page.name}" for page in _measures())]))
    return index + "\n" + "\n".join(trees)


def _measures() -> list[Path]:
    return [page for page in (DOCS / "measures").glob("*.md") if page.name != "index.md"]


def _tree(caption: str, entries: list[str]) -> str:
    lines = ["```{toctree}", ":hidden:", f":caption: {caption}", "", *entries, "```", ""]
    return "\n".join(lines)


def gallery() -> str:
    """A page that leads to the sample reports."""
    rows = "\n".join(f'<li><a href="gallery/{one.name}.html">{one.title}</a>: {one.says}</li>' for one in SAMPLES)
    return (
        "# Gallery\n\nWhole reports, as `accord report` writes them, of data that we made up (`examples/`).\n\n"
        f"<ul>\n{rows}\n</ul>\n"
    )


def make_samples(samples: Sequence[Sample], folder: Path) -> None:
    """The reports themselves."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in samples:
        study = accord.read(ROOT / "examples" / one.file, **one.read)
        accord.report(study, folder / f"{one.name}.html", title=one.title, by=one.by)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    status = build(target.absolute())
    print(f"The site is in {target}: open {target / 'index.html'}")
    sys.exit(status)

"""What each picture of docs/pictures shows, as text: a picture whose text is another one now is stale.

docs/make_pictures.py takes the pictures and keeps a digest of each text in docs/pictures/digests.json; the tests ask
`stale()`, which needs no browser. A chart is its description before it is drawn, a terminal what the command prints, a
report the sections on its first screen with their style, and a page of the workbench its templates and the study on it:
to serve every page for a test would take longer than to take the pictures again.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

import accord
from accord.agreement.chart_drawing import Chart

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
DIGESTS = PICTURES / "digests.json"
ROOM = ROOT / "src" / "accord"
COLUMNS = 100  # of the terminal
SECTION = re.compile(r'<section id="(?:facts|todo|verdict)".*?</section>', re.DOTALL)

# A chart by its title in the report of a sample study.
CHARTS = {
    "chart-verdict": ("five-annotators", "Krippendorff's alpha on the scale of Krippendorff 2004"),
    "chart-coefficients": ("five-annotators", "Coefficients with 95% intervals; the diamond is the recommended one"),
    "chart-groups": ("five-annotators", "Krippendorff's alpha by topic"),
    "chart-labels": ("five-annotators", "When one annotator says the row, what does another say?"),
    "chart-use": ("five-annotators", "How often each annotator uses each label"),
    "chart-pairs": ("five-annotators", "Krippendorff's alpha by pair; those who agree stand side by side"),
    "chart-items": ("five-annotators", "Items by observed agreement"),
    "chart-gold": ("five-annotators", "How clear the majority is"),
    "chart-people-reach": ("judged-answers", "Kappa against people, 95% intervals, and what people reach"),
    "chart-margin": ("judged-answers", "Winning rate of careful by margin"),
    "chart-variance": ("scored-answers", "What the variance of a score is made of"),
    "chart-spread": (
        "scored-answers",
        "Scores by annotator: line from lowest to highest, box for the middle half, stroke at the median",
    ),
    "chart-differences": ("scored-answers", "ben less dora: differences over means, with limits of agreement"),
    "chart-strengths": (
        "compared-answers",
        "Strengths of options with 95% intervals; bands are tiers of options that cannot be told apart",
    ),
    "chart-over-p": ("emails-primary-secondary", "Rosenberg–Binkowski kappa over p, 95% interval"),
}
# A result whose plot() is no chart of the report.
PLOTS: dict[str, Callable[[], Any]] = {
    "chart-plan": lambda: accord.plan(accord.datasets.load("five-annotators"), width=0.1, rng=1),
    "chart-base-rate": lambda: accord.findings.base_rate_curve(sensitivity=0.9, specificity=0.95),
}
COMMANDS = {
    "terminal-measure": ("measure", "examples/five-annotators.csv"),
    "terminal-compare": (
        *("compare", "examples/coded-pilot.csv", "examples/coded-articles.csv"),
        *("--label", "tone", "--level", "ordinal"),
    ),
}
REPORTS = ("report-desk", "report-phone", "report-dark")
# Of each picture of the workbench, the templates that make the page.
WORKBENCH = {
    "overview": ("overview",),
    "queue": ("queue", "answer_single"),
    "answers": ("queue", "answer_single", "item_answers"),
    "phone": ("queue", "answer_single"),
    "report": ("report", "sections"),
    "matrix": ("report", "sections"),
    "items": ("items", "item_list"),
    "after": ("after",),
    "spans": ("queue", "answer_spans", "span_lines", "span_parts"),
    "published": ("published", "published_tables"),
}
STUDY_OF_PAGE = {"spans": "marked-names"}


def texts() -> dict[str, Callable[[], str]]:
    """For every picture, by the name of its file, what it shows."""
    found: dict[str, Callable[[], str]] = {}
    for name in (*CHARTS, *PLOTS):
        found[f"{name}.svg"] = partial(_described, name)
    for name, arguments in COMMANDS.items():
        found[f"{name}.svg"] = partial(printed, *arguments)
    for name in REPORTS:
        found[f"{name}.png"] = _first_screen
    for name, templates in WORKBENCH.items():
        found[f"{name}.png"] = partial(_page_of_workbench, templates, STUDY_OF_PAGE.get(name, "five-annotators"))
    return found


def digests() -> dict[str, str]:
    """The digest of what each picture shows now."""
    return {name: hashlib.sha256(text().encode()).hexdigest()[:16] for name, text in sorted(texts().items())}


def stale() -> list[str]:
    """The pictures that show something else now, or are not there."""
    kept = json.loads(DIGESTS.read_text(encoding="utf-8")) if DIGESTS.is_file() else {}
    return [name for name, digest in digests().items() if kept.get(name) != digest or not (PICTURES / name).is_file()]


def keep_digests() -> None:
    """Say that every picture shows what there is now."""
    DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")


# -- charts and reports ----------------------------------------------------------------------------------------------


def chart(name: str) -> Chart:
    """A chart before it is drawn."""
    if name in PLOTS:
        with mock.patch("accord.agreement.chart_drawing.in_notebook", lambda described: described):
            plotted: Chart = PLOTS[name]().plot()
            return plotted
    dataset, title = CHARTS[name]
    found = _reported(dataset)[1]
    if title not in found:
        raise ValueError(f"The report of {dataset!r} has no chart {title!r}; it has {', '.join(map(repr, found))}")
    return found[title]


@cache
def _reported(dataset: str) -> tuple[str, dict[str, Chart]]:
    """The report of a sample study, and its charts for a desk by their titles; nothing is drawn."""
    charts: dict[str, Chart] = {}

    def seen(described: Chart, **_: bool) -> str:
        if "title" in described:
            charts.setdefault(" ".join(described["title"]), described)
        return "<svg></svg>"

    with tempfile.TemporaryDirectory() as folder, mock.patch("accord.reporting.figures.svg", seen):
        page = write_report(Path(folder), dataset)
        return page.read_text(encoding="utf-8"), charts


def write_report(folder: Path, dataset: str = "five-annotators") -> Path:
    """The report that pictures show."""
    study, file = accord.datasets.load(dataset), folder / "report.html"
    by = "topic" if "topic" in study.columns else None
    accord.report(study, file, title=f"{dataset}.csv", by=by)
    return file


def _described(name: str) -> str:
    return json.dumps(_rounded(chart(name)), sort_keys=True)


def _rounded(value: Any) -> Any:
    """The same with six digits of every number: what differs beyond them is another machine's arithmetic."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: _rounded(held) for name, held in value.items()}
    return [_rounded(held) for held in value] if isinstance(value, list | tuple) else value


def _first_screen() -> str:
    page, _ = _reported("five-annotators")
    style = (ROOM / "reporting" / "templates" / "style.css").read_text(encoding="utf-8")
    return "\n".join([style, *SECTION.findall(page)])


def _page_of_workbench(templates: tuple[str, ...], dataset: str) -> str:
    folder = ROOM / "workbench" / "templates"
    files = ["workbench.css", "bench.html.j2", "parts.html.j2", *(f"{name}.html.j2" for name in templates)]
    parts = [(folder / name).read_text(encoding="utf-8") for name in files]
    return "\n".join([*parts, accord.datasets.path(dataset).read_text(encoding="utf-8")])


# -- terminals ---------------------------------------------------------------------------------------------------------


class _Terminal(io.StringIO):
    """What the command takes for a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@contextlib.contextmanager
def _at_terminal(arguments: tuple[str, ...]) -> Iterator[_Terminal]:
    """The command's streams, place and arguments as somebody at a terminal in a clone has them."""
    screen, environment = _Terminal(), {"COLUMNS": str(COLUMNS), "LINES": "50"}
    with (
        mock.patch.dict(os.environ, environment),
        mock.patch.object(sys, "argv", ["accord", *arguments]),
        contextlib.redirect_stdout(screen),
        contextlib.chdir(ROOT),
    ):
        yield screen


def printed(*arguments: str) -> str:
    """A command and what it prints in a terminal."""
    from accord.cli import main

    with _at_terminal(arguments) as screen:
        try:
            main()
        except SystemExit as end:
            if end.code:
                raise ValueError(f"accord {' '.join(arguments)} ends with {end.code}") from None
    return f"$ accord {' '.join(arguments)}\n{screen.getvalue().rstrip()}\n"

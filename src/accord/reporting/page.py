"""The page: sections put together into one file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any, Unpack

from accord.anonymising import anonymised
from accord.errors import ExtraMissing, OptionError
from accord.interpretation import BENCHMARKS
from accord.measures.krippendorff import Level
from accord.reporting.context import Context, Section
from accord.reporting.sections import PARTS
from accord.reporting.tables import as_latex
from accord.study import Roles, Study, as_study
from accord.weights import WeightsLike

# Nothing from outside, no script but our own, styles only inside the page.
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'"
)
ENDINGS = (".html", ".md", ".tex", ".json")


def report(
    data: Any,
    path: str | Path,
    /,
    *,
    title: str = "Agreement report",
    weights: WeightsLike | None = None,
    level: Level | None = None,
    by: str | None = None,
    benchmark: str = "landis-koch",
    anonymise: bool = False,
    show_text: bool = True,
    source: str = "",
    command: str = "",
    **roles: Unpack[Roles],
) -> Path:
    """Write the report of a study: one HTML page that needs nothing else; or Markdown, LaTeX or JSON.

    Args:
        data: A `Study`, or what one is made of.
        path: Where to write: .html, .md, .tex or .json.
        title: The page's title.
        weights: How alike two answers are, for all coefficients.
        level: Krippendorff's level of measurement, for alpha.
        by: A column that makes groups.
        benchmark: The scale that gives words to values; see `Agreement.interpret`.
        anonymise: Call annotators A1, A2 …, and write who is who into a file beside the report, not into it.
        show_text: Show the items' texts, where the study has them.
        source: What the data are called on the page; for a file, its name.
        command: How to repeat the report, as the page should tell it.
        **roles: The keywords of `Study`.
    """
    target = Path(path)
    if target.suffix not in ENDINGS:
        raise OptionError(f"A report ends in {', '.join(ENDINGS)}; got {target.name!r}.")
    if benchmark not in BENCHMARKS:
        raise OptionError.choice("benchmark", benchmark, BENCHMARKS)
    study = as_study(data, None, None, roles)
    if anonymise:
        study, key = anonymised(study)
        beside = target.with_name(f"{target.stem}-key.json")
        beside.write_text(json.dumps(key.to_dict(), ensure_ascii=False, indent=1), encoding="utf-8")
    options = {name: value for name, value in (("weights", weights), ("level", level)) if value is not None}
    context = Context(study, title, benchmark, by, options, show_text, anonymise, source, command)
    _write(target, rendered(context, target.suffix))
    return target


def rendered(context: Context, ending: str) -> str:
    """The report as text, in one of its forms."""
    if ending == ".json":
        return json.dumps(context.measurements.to_dict(), ensure_ascii=False, indent=1) + "\n"
    if ending == ".tex":
        return as_latex(context.measurements.to_table())
    sections = [part.build(context) for part in PARTS if part.needs(context)]
    return _markdown(context, sections) if ending == ".md" else _html(context, sections)


def _html(context: Context, sections: list[Section]) -> str:
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError:
        raise ExtraMissing("The HTML report", "report") from None
    script, style = _asset("script.js"), _asset("style.css")
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(_asset("page.html.j2"))
    return template.render(
        title=context.title,
        sections=[(part.key, part.title, Markup(part.html)) for part in sections],
        script=Markup(script),
        style=Markup(style),
        policy=POLICY.format(script=_hash(script)),
    )


def _markdown(context: Context, sections: list[Section]) -> str:
    parts = [f"# {context.title}"]
    parts += [f"## {part.title}\n\n{part.markdown.strip()}" for part in sections]
    return "\n\n".join(parts) + "\n"


def _asset(name: str) -> str:
    return files("accord.reporting").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _write(target: Path, content: str) -> None:
    """Whole or not at all: an interrupt leaves no half file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(target.name + ".part")
    try:
        beside.write_text(content, encoding="utf-8")
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def page_of(study: Study, **options: Any) -> str:
    """The HTML of a report, for a notebook."""
    return rendered(Context(study, **options), ".html")

"""The page: sections put together into one file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from accord.agreement.interpretation import BENCHMARKS
from accord.agreement.table_formats import NEEDS_BOOKTABS, as_latex, cut, latex, marked, one_line, seen
from accord.annotations.answers import Level
from accord.coefficients.weights import WeightsLike
from accord.engine.whole_file import check_target, path_of, whole
from accord.errors import ExtraMissing, OptionError
from accord.options import Progress, check_choice, head, reporter
from accord.reporting.anonymise import anonymised, read_key, refuse_idle_key, refuse_naming, write_key
from accord.reporting.chapters import chapters
from accord.reporting.context import Context, Section
from accord.reporting.links import resolved
from accord.reporting.sections import LAST, PARTS
from accord.reporting.study_date import answered_between
from accord.study.item_texts import refuse_texts_as_names
from accord.study.kinds import people_first
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

# Nothing from outside, no script but our own, styles only inside the page.
POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
    "script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'"
)
ENDINGS = (".html", ".md", ".tex", ".json")
LONGEST_TITLE = 200
FINGERPRINT_LETTERS = 16


@dataclass(frozen=True)
class WrittenReport:
    """A report that was written: where, from what, and where the key to its names is kept."""

    path: Path
    context: Context
    key: Path | None = None

    @property
    def headline(self) -> str:
        """The verdict in a sentence."""
        from accord.reporting.sections.verdict import headline

        return headline(self.context)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("report"),
            "path": str(self.path),
            "key": None if self.key is None else str(self.key),
            "headline": self.headline,
            "fingerprint": self.context.fingerprint,
            "recommended": self.context.main.to_dict(),
        }


def report(
    data: Any,
    path: str | Path,
    /,
    *,
    title: str = "Agreement report",
    date: str = "",
    weights: WeightsLike | None = None,
    level: Level | None = None,
    by: str | None = None,
    benchmark: str | None = None,
    anonymise: bool = False,
    key: str | Path | None = None,
    show_text: bool = True,
    source: str = "",
    command: str = "",
    progress: Progress = None,
    **roles: Unpack[Roles],
) -> Path:
    """Write the report of a study: one HTML page that needs nothing else; or Markdown, LaTeX or JSON.

    Args:
        data: A `Study`, or what one is made of.
        path: Where to write: .html, .md, .tex or .json.
        title: The page's title.
        date: When the study was made, as the page should say it; by default the days of the first and the last answer,
            where the study has times. Never today's: the same data make the same report.
        weights: How alike two answers are, for all coefficients.
        level: Krippendorff's level of measurement, for alpha.
        by: A column that makes groups.
        benchmark: The scale that gives words to values, or a target; see `Agreement.interpret`. By default the scale
            is that of the measure, and the target that of standard annotation.
        anonymise: Call annotators A1, A2 … in random order, and write who is who into a file beside the report, not
            into it. A key that is already there is kept to.
        key: That file, where it is another than the one beside the report: a key for several reports.
        show_text: Show the items' texts, where the study has them.
        source: What the data are called on the page; for a file, its name.
        command: How to repeat the report, as the page should tell it.
        progress: True, or a function of (done, total).
        **roles: The keywords of `Study`.

    Returns:
        The path of the file that was written.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If no coefficient fits the study.
        OptionError: If the ending is none of these, or an option has a value that it cannot take.
        ExtraMissing: If charts are to be drawn and the packages of "accord[report]" are not installed.

    >>> import tempfile
    >>> study = Study.from_pairs(["yes", "no", "yes", "yes"], ["yes", "no", "no", "yes"])
    >>> report(study, Path(tempfile.mkdtemp()) / "report.md").name
    'report.md'
    """
    if not isinstance(path, str | PathLike):
        raise OptionError.must("path", "be the name of a file", path)
    study = as_study(data, None, None, roles)
    return write(
        study,
        path_of(path),
        title=title,
        date=date,
        weights=weights,
        level=level,
        by=by,
        benchmark=benchmark,
        anonymise=anonymise,
        key=None if key is None else path_of(key, "key"),
        show_text=show_text,
        source=source,
        command=command,
        progress=progress,
    ).path


def write(
    study: Study,
    target: Path,
    *,
    title: str,
    benchmark: str | None,
    anonymise: bool,
    show_text: bool,
    source: str,
    command: str,
    progress: Progress,
    key: Path | None = None,
    date: str = "",
    weights: WeightsLike | None = None,
    level: Level | None = None,
    by: str | None = None,
) -> WrittenReport:
    """Write the report of a study, and tell what was written."""
    if target.suffix not in ENDINGS:
        raise OptionError.ending(target.name, ENDINGS)
    if benchmark is not None:
        check_choice("benchmark", benchmark, BENCHMARKS)
    check_target(target)
    refuse_idle_key(key, anonymise=anonymise, target=target)
    study = _of_known_people(study)
    data_fingerprint = fingerprint(study)
    key_file = None
    if not show_text:
        refuse_texts_as_names(study)
    if anonymise:
        refuse_naming(study, by)
        key_file = key or target.with_name(f"{target.stem}-key.json")
        known = read_key(key_file)
        study, who = anonymised(study, known)
    options = {name: value for name, value in (("weights", weights), ("level", level)) if value is not None}
    context = Context(
        people_first(study).study,
        everyone=study,
        title=title,
        date=date,
        benchmark=benchmark,
        by=by,
        options=options,
        show_text=show_text,
        anonymised=anonymise,
        source=source,
        command=command,
        fingerprint=data_fingerprint,
    )
    content = rendered(context, target.suffix, progress)
    if key_file is not None:
        write_key(who, known, key_file)
    _write(target, content)
    return WrittenReport(target, context, key_file)


def _of_known_people(study: Study) -> Study:
    """Annotators of whom only sums are known are nobody on a page that tells who answered what; a note says so."""
    if study.tasks or study._annotations.people_sums is None:
        return study
    note = "annotators are known by sums only, which this report leaves out; `accord measure` has what is known of them"
    nameless = study._with_annotations(study._annotations.nameless())
    return nameless._with_origin(study.shape, (*study._reader_notes, note))


def fingerprint(study: Study) -> str:
    """Who said what of which item, as a short hash; the order of the rows does not matter.

    >>> one, other = Study.from_pairs(list("aab"), list("abb")), Study.from_pairs(list("aab"), list("aab"))
    >>> len(fingerprint(one)), fingerprint(one) == fingerprint(other)
    (16, False)
    """
    digest = hashlib.sha256()
    for name, part in (study.tasks or {"": study}).items():
        digest.update(
            repr((name, part.labels, part.annotators, part.kind, part.answers.members)).encode("utf-8", "replace")
        )
        if part._annotations.lists_items:
            digest.update("\n".join(map(repr, part.items)).encode("utf-8", "replace"))
        for column in _coded_columns(part):
            digest.update(np.ascontiguousarray(column, dtype=np.int64).tobytes())
    return digest.hexdigest()[:FINGERPRINT_LETTERS]


def _coded_columns(part: Study) -> Iterable[npt.NDArray[Any]]:
    """Who said what of which item; of annotations that stay in their engine, how many items were answered how."""
    if part._annotations.tells_items and not part._annotations.lists_items:
        tally = part.tally()
        return tally.items, tally.starts, tally.answer, tally.count
    item, annotator, answer, count = part._annotations.rows
    order = np.lexsort((answer, annotator, item))
    return tuple(column[order] for column in (item, annotator, answer, count))


def rendered(context: Context, ending: str, progress: Progress = None) -> str:
    """The report as text, in one of its forms."""
    if ending == ".json":
        return json.dumps(context.measurements.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if ending == ".tex":
        return _latex(context)
    return laid_out(context, sections_of(context, progress), ending)


def sections_of(context: Context, progress: Progress = None) -> list[Section]:
    """The sections that fit the study, in their order."""
    return list(sections_in_turn(context, progress))


def sections_in_turn(context: Context, progress: Progress = None) -> Iterator[Section]:
    """Each section that fits the study, when it is made."""
    report_progress = reporter(progress, "report")
    fitting = [part for part in PARTS if part.needs(context)]
    steps = len(fitting) + len(context.parts) + len(LAST)
    for place, part in enumerate(fitting):
        report_progress(place, steps)
        yield part.build(context)
    for place, chapter in enumerate(chapters(context), start=len(fitting) + 1):
        yield chapter
        report_progress(min(place, steps), steps)
    for part in LAST:
        yield part.build(context)
    report_progress(steps, steps)


def laid_out(context: Context, sections: list[Section], ending: str) -> str:
    """Sections as one page, or as one text in Markdown."""
    return _markdown(context, sections) if ending == ".md" else _html(context, sections)


def _html(context: Context, sections: list[Section]) -> str:
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError:
        raise ExtraMissing("The HTML report", "report") from None
    script, style = _asset("script.js") + _asset("parts.js"), _asset("style.css")
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(_asset("page.html.j2"))
    page = template.render(
        title=cut(seen(context.title), LONGEST_TITLE),
        about=cut(seen(about(context)), LONGEST_TITLE),
        sections=[(part.key, cut(seen(part.title), 60), Markup(part.html)) for part in sections],
        script=Markup(script),
        style=Markup(style),
        policy=POLICY.format(script=_hash(script)),
    )
    return resolved(page)


def about(context: Context) -> str:
    """Below the title: when the study was made, and from what the report was."""
    when = context.date or answered_between(context.study)
    source = "" if context.source in context.title else context.source
    return " · ".join(part for part in (when, source) if part)


def _markdown(context: Context, sections: list[Section]) -> str:
    parts = [f"# {marked(cut(context.title, LONGEST_TITLE))}"]
    parts += [marked(about(context))] if about(context) else []
    parts += [f"## {marked(part.title)}\n\n{part.markdown.strip()}" for part in sections]
    return "\n\n".join(parts) + "\n"


def _latex(context: Context) -> str:
    """The sentence and the table of coefficients, which needs the booktabs package; what is open is a comment."""
    table = as_latex(context.measurements.to_table())
    questions = "".join(f"% {one_line(str(question))}\n" for question in context.measurements.open)
    prose = questions or f"{latex(context.measurements.sentence(benchmark=context.benchmark))}\n"
    return f"{NEEDS_BOOKTABS}{prose}\n{table}"


def _asset(name: str) -> str:
    return files("accord.reporting").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _write(target: Path, content: str) -> None:
    with whole(target) as half:
        half.write_text(content, encoding="utf-8", errors="replace")

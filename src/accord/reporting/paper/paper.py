"""`accord.paper`: what a paper prints of a study, and the files that hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from accord.agreement.measurements import Measurements
from accord.agreement.references import bibtex, formatted
from accord.agreement.table import Table
from accord.agreement.table_formats import NEEDS_BOOKTABS, as_csv, as_latex, as_markdown, marked, one_line
from accord.agreement.uncertainty import Method, Resample
from accord.agreement.word_document import Heading, Paragraph, word_document
from accord.annotations.answers import Level
from accord.coefficients.weights import WeightsLike
from accord.engine.whole_file import check_target, path_of, whole
from accord.errors import OptionError
from accord.measures.measure_all import measure
from accord.options import Rng, Shown, __version__, check_confidence, head
from accord.reporting.paper import figure
from accord.reporting.paper.methods_paragraph import Cited, Part, in_latex, methods, plain
from accord.reporting.paper.publication_table import Column, columns_of, numbers, printed
from accord.study.study_of_input import Roles, as_study

FIGURES = (".svg", ".pdf", ".png")
ENDINGS = (".docx", ".tex", ".md", ".csv", ".bib", *FIGURES)
ONE_COLUMN = 85.0  # millimetres
OPEN = "To be settled before this is printed: "
BIB_NOTE = "% the sources are cited by their keys: write them into a file that ends in .bib\n"


@dataclass(frozen=True, repr=False)
class Paper(Shown):
    """What a paper prints of a study; made by `accord.paper`.

    Attributes:
        found: The coefficients that fit the study, as `accord.measure` gives them.
        columns: Those of the table.
        what: What was annotated, as the text calls it.
        how: How the intervals are found: the keywords of `Agreement.interval`.

    >>> import accord
    >>> found = accord.paper(list("ynyyn"), list("ynnyn"), what="consent")
    >>> print(found.methods.partition(". ")[0])
    Two annotators gave 10 answers to 5 items for consent
    >>> found.keys, len(found.references)
    (('cohen1960', 'cohen1968'), 2)
    """

    found: Measurements
    columns: tuple[Column, ...]
    what: str | None
    how: dict[str, Any]

    @property
    def _rows_are(self) -> str:
        return self.found.recommended.by or "variable"

    @cached_property
    def table(self) -> Table:
        """Variables (or groups) × coefficients: values with intervals, items and annotators."""
        return printed(self.columns, self._rows_are, self.what, self.how)

    @cached_property
    def numbers(self) -> Table:
        """The same with all digits: a row per variable and coefficient."""
        return numbers(self.columns, self._rows_are, self.what, self.how)

    @cached_property
    def _methods(self) -> list[Part]:
        return methods(self.found, self.columns, self.what, self.how)

    @property
    def methods(self) -> str:
        """The methods paragraph: who annotated what, gaps, coefficients, levels or weights, intervals, software."""
        return plain(self._methods)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the sources, in the order in which they are cited."""
        cited = (part.keys for part in self._methods if isinstance(part, Cited))
        return tuple(dict.fromkeys(key for keys in cited for key in keys))

    @property
    def references(self) -> tuple[str, ...]:
        """The sources as a list of references has them."""
        return tuple(map(formatted, self.keys))

    @property
    def bibtex(self) -> str:
        """The sources, and accord itself, for BibTeX."""
        own = (
            "@misc{accord,\n  author = {{The accord developers}},\n"
            f"  title = {{accord: inter-annotator agreement, version {__version__}}}\n}}"
        )
        return "\n\n".join([*map(bibtex, self.keys), own]) + "\n"

    @property
    def open(self) -> tuple[str, ...]:
        """What only the user can settle, such as whether labels are a scale; files with text say it too."""
        return tuple(map(str, self.found.open))

    def write(self, path: str | Path, *, width: float = ONE_COLUMN) -> Path:
        """Write a file; its ending says what it holds.

        Args:
            path: .docx, .tex or .md for methods, table and sources; .csv for the table with all digits; .bib for the
                sources; .svg, .pdf or .png for the values and their intervals as a figure.
            width: Of a figure, in millimetres: 85 is a column of many journals, 174 the page.

        Returns:
            The path of the file.

        Raises:
            OptionError: If the ending is none of these, or no page is so wide.
            InputError: If the file cannot be written.
            MeasureError: If there is nothing to draw.
            ExtraMissing: If a figure is to be drawn and the packages of "accord[report]" are not installed.

        >>> import accord, tempfile
        >>> from pathlib import Path
        >>> found = accord.paper(list("ynyyn"), list("ynnyn"), what="consent")
        >>> found.write(Path(tempfile.mkdtemp()) / "table.tex").name
        'table.tex'
        """
        target = path_of(path)
        check_ending(target)
        figure.check_width(width)
        check_target(target)
        if target.suffix in FIGURES:
            content = figure.drawn(self.columns, self.how, target.suffix, width)
        else:
            made = {".docx": self._docx, ".tex": self._tex, ".md": self._markdown, ".csv": self._csv, ".bib": self._bib}
            content = made[target.suffix]()
        with whole(target) as half:
            half.write_bytes(content)
        return target

    def _docx(self) -> bytes:
        return word_document([
            *(Paragraph(f"{OPEN}{one}") for one in self.open),
            Heading("Methods"),
            Paragraph(self.methods),
            Heading("Agreement"),
            self.table,
            *([Heading("References")] if self.references else []),
            *map(Paragraph, self.references),
        ])  # fmt: skip

    def _tex(self) -> bytes:
        settle = "".join(f"% {OPEN}{one_line(one)}\n" for one in self.open)
        text = f"{NEEDS_BOOKTABS}{BIB_NOTE}{settle}{in_latex(self._methods)}\n\n{as_latex(self.table)}"
        return text.encode("utf-8", "replace")

    def _markdown(self) -> bytes:
        sources = "\n".join(f"- {marked(line)}" for line in self.references)
        parts = [
            *(f"**{marked(OPEN + one)}**" for one in self.open),
            "## Methods",
            marked(self.methods),
            "## Agreement",
            as_markdown(self.table).strip(),
            *(["## References", sources] if sources else []),
        ]
        return ("\n\n".join(parts) + "\n").encode("utf-8", "replace")

    def _csv(self) -> bytes:
        return as_csv(self.numbers).encode("utf-8", "replace")

    def _bib(self) -> bytes:
        return self.bibtex.encode("utf-8")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("paper"),
            "methods": self.methods,
            "table": self.table.to_dict(),
            "numbers": self.numbers.to_dict(),
            "references": list(self.references),
            "bibtex": self.bibtex,
            "open": list(self.open),
        }

    def __str__(self) -> str:
        return "\n\n".join([*(f"{OPEN}{one}" for one in self.open), self.methods, str(self.table), *self._sources])

    @property
    def _sources(self) -> list[str]:
        return ["\n".join(self.references)] if self.references else []


def paper(
    data: Any,
    other: Any = None,
    /,
    *,
    measures: str | Sequence[str] | None = None,
    what: str | None = None,
    weights: WeightsLike | None = None,
    level: Level | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    confidence: float = 0.95,
    method: Method | None = None,
    resample: Resample = "items",
    rng: Rng = 0,
    **roles: Unpack[Roles],
) -> Paper:
    """What a paper prints of a study: a table of variables × coefficients, the methods, the sources, a figure.

    Args:
        data: A `Study`, or what one is made of, as in `accord.measure`.
        other: The second annotator's answers in the same order, where `data` is the first's.
        measures: The coefficients of the table, a name or several; by default the recommended one of each variable,
            and the share of answers that agree beside it.
        what: What was annotated, as the text should call it: "sentiment".
        weights: How alike two answers are, for all coefficients.
        level: The level of measurement; by default the study's own.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: a row each.
        confidence: The confidence of the intervals.
        method: How they are found, as in `Agreement.interval`.
        resample: What might have been otherwise: "items", "annotators" or "both".
        rng: A seed or a Generator, where something is drawn.
        **roles: The keywords of `Study`.

    Returns:
        A `Paper`: `table`, `methods`, `references`, `bibtex`, and `write` for files.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If no coefficient fits, or one that is named does not.
        OptionError: If an option has a value that it cannot take.

    >>> found = paper(["yes", "no", "yes", "yes", "no"], ["yes", "no", "no", "yes", "no"], what="consent")
    >>> print(found.table)
    Agreement
    variable  Cohen's kappa          Percent agreement     items  annotators
    consent   0.615 [−0.179, 0.968]  80.0% [38.7%, 98.3%]  5      2
    In brackets: 95% confidence intervals, analytic over items.
    """
    check_confidence(confidence)
    if not isinstance(what, str | None):
        raise OptionError.must("what", "say in a word what was annotated", what)
    study = as_study(data, other, labels, roles)
    found = measure(study, weights=weights, level=level, by=by)
    if measures is not None:
        found = found.only(measures)
    how = {"confidence": confidence, "method": method, "resample": resample, "rng": rng}
    return Paper(found, tuple(columns_of(found, named=measures is not None)), what, how)


def check_ending(target: Path) -> None:
    """A file that a paper can be written into."""
    if target.suffix not in ENDINGS:
        raise OptionError.ending(target.name, ENDINGS)

"""Findings: all that was found in a study, the causes first; prints, shows itself in a notebook, and becomes JSON."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from accord.agreement.result import Agreement
from accord.agreement.table import Table, cell_text
from accord.annotations.answers import Label
from accord.errors import OptionError, counted
from accord.findings.finding import Finding, NotLookedAt, TestFamily
from accord.findings.power import Power, sentence
from accord.options import check_whole, head

WIDTH = 100  # letters a line in a terminal
ITEMS_PRINTED = 3  # items that a finding lists
LETTERS_PRINTED = 160  # of the text of an item
EVIDENCE_PRINTED = 4  # numbers behind a finding that are printed; all are in `evidence`


@dataclass(frozen=True, eq=False)
class Findings(Sequence[Finding]):
    """What was found, what was looked for, and what could not be looked at.

    Iterates over the findings: warnings before notes, causes before what they explain, then by weight.

    >>> import accord
    >>> found = accord.explain(accord.Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
    >>> print(found.headline)
    Cohen's kappa is 0.318 (95% interval 0.023 to 0.563); the target is above 0.70 (standard tasks).
    >>> [finding.name for finding in found]
    ['low-agreement', 'subjective-task', 'high-agreement-low-kappa', 'little-room', 'chance-models',
    'contested-items']
    >>> found.to_table()["severity"].tolist(), len(found.without_texts()), found.n_tests
    (['warning', 'note', 'note', 'note', 'note', 'note'], 6, 3)
    >>> found.beneath(found[0])
    ()
    """

    found: tuple[Finding, ...]
    headline: str  # the coefficient, its interval and the target in a sentence
    target: float
    tests: tuple[TestFamily, ...] = ()  # all that was looked for
    not_looked_at: tuple[NotLookedAt, ...] = ()
    results: Mapping[Label | None, Agreement] = field(default_factory=dict, repr=False)  # by variable; None: the study
    power: tuple[Power, ...] = ()  # which faults would have been found, how surely

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, place: Any) -> Any:
        """By place, or all of one name."""
        if isinstance(place, str):
            named = tuple(one for one in self.found if one.name == place)
            if not named:
                raise OptionError.choice("The name of a finding", place, dict.fromkeys(one.name for one in self.found))
            return named
        return self.found[place]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.found)

    @property
    def gaps(self) -> tuple[str, ...]:
        """What was not looked at, and why: a line each, variables with the same reason in one."""
        variables: dict[tuple[str, str], list[str]] = {}
        for gap in self.not_looked_at:
            named = [] if gap.variable is None else [str(gap.variable)]
            variables.setdefault((gap.what, gap.why), []).extend(named)
        everyone = len({*self.results, *(gap.variable for gap in self.not_looked_at)} - {None})
        tables = {key: f" ({', '.join(of)})" if 0 < len(of) < everyone else "" for key, of in variables.items()}
        return tuple(f"{what}{of}: {why}" for (what, why), of in tables.items())

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What needs attention."""
        return tuple(one for one in self.found if one.severity == "warning")

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What is worth knowing."""
        return tuple(one for one in self.found if one.severity == "note")

    @property
    def causes(self) -> tuple[Finding, ...]:
        """What brings the disagreement about, as far as the data tell."""
        return tuple(one for one in self.found if one.cause)

    @property
    def tables(self) -> dict[str, Table]:
        """The tables behind the findings, by their names (and that of the variable, where there are several)."""
        tables: dict[str, Table] = {}
        for one in self.found:
            if one.table is not None:
                name = one.name if one.variable is None else f"{one.variable}: {one.name}"
                tables.setdefault(name, one.table)
        return tables

    @property
    def n_tests(self) -> int:
        """How many tests there were in all: what the p-values are corrected for."""
        return sum(family.n_tests for family in self.tests)

    def beneath(self, cause: Finding) -> tuple[Finding, ...]:
        """The findings that a cause covers.

        Args:
            cause: One of `causes`.

        Returns:
            The findings, in order.

        Raises:
            OptionError: If `cause` is no finding.
        """
        if not isinstance(cause, Finding):
            raise OptionError.must("cause", "be one of the causes that were found", cause)
        return tuple(one for one in self.found if one.part_of == cause.name and cause.concerns(one))

    def without_texts(self) -> Findings:
        """The same without the texts of items, for readers who are not to see them.

        Returns:
            New `Findings`.
        """
        return replace(self, found=tuple(replace(one, table=_textless(one.table)) for one in self.found))

    def to_table(self) -> Table:
        """One row per finding.

        Returns:
            A `Table` with one row per finding: finding, severity, says, remedy, p, p_corrected, part_of; of several
            variables also variable.
        """
        several = any(one.variable is not None for one in self.found)
        variable: dict[str, list[Any]] = {"variable": [one.variable for one in self.found]} if several else {}
        return Table(
            "Findings",
            {
                **variable,
                "finding": [one.name for one in self.found],
                "severity": [one.severity for one in self.found],
                "says": [one.says for one in self.found],
                "remedy": [one.remedy for one in self.found],
                "p": [one.p for one in self.found],
                "p_corrected": [one.p_corrected for one in self.found],
                "part_of": [one.part_of or "" for one in self.found],
            },
            tuple(note for note in (self.corrected_for, self.would_show, *map(str, self.not_looked_at)) if note),
        )

    @property
    def corrected_for(self) -> str:
        """What was looked for, in a sentence."""
        if not self.n_tests:
            return "Nothing was tested."
        what = ", ".join(counted(family.n_tests, family.what) for family in _together(self.tests))
        return f"{counted(self.n_tests, 'questions')} asked of the data ({what}); p-values are corrected for all."

    @property
    def would_show(self) -> str:
        """Which faults of which size a study like this one would have shown, with what probability, in a sentence."""
        return sentence(self.power)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, width: int = WIDTH) -> str:
        """For a terminal so many letters wide.

        Args:
            width: How many letters a line has at most.

        Returns:
            Lines of text.

        Raises:
            OptionError: If `width` is no whole number above 0.

        >>> import accord
        >>> found = accord.explain(accord.Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
        >>> print(found.to_text(width=80).splitlines()[0])
        Cohen's kappa is 0.318 (95% interval 0.023 to 0.563); the target is above 0.70
        """
        check_whole("width", width, 1)
        number = len(self.warnings)
        lines = [*textwrap.wrap(self.headline, width), ""]
        warnings = counted(number, "warnings") if number else "No warning"
        lines.append(f"{warnings}, {counted(len(self.notes), 'notes')}." if self else "No findings.")
        for one in self.found:
            lines += ["", *_printed(one, width)]
        lines += ["", *textwrap.wrap(self.corrected_for, width), *textwrap.wrap(self.would_show, width)]
        if self.not_looked_at:
            lines += ["Not looked at:"]
            lines += [line for gap in self.gaps for line in _hanging("- ", gap, width)]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        body = "".join(as_html(one) for one in self.found) or "<p>No findings.</p>"
        gaps = "".join(f"<li>{html.escape(gap)}</li>" for gap in self.gaps)
        missing = f"<p>Not looked at:</p><ul>{gaps}</ul>" if gaps else ""
        small = html.escape(" ".join((self.corrected_for, self.would_show)).rstrip())
        return f"<p>{html.escape(self.headline)}</p>{body}<p><small>{small}</small></p>{missing}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("findings"),
            "headline": self.headline,
            "target": self.target,
            "findings": [one.to_dict() for one in self.found],
            "power": [one.to_dict() for one in self.power],
            "tests": [{"what": family.what, "n_tests": family.n_tests} for family in _together(self.tests)],
            "not_looked_at": [gap.to_dict() for gap in self.not_looked_at],
        }


def _together(tests: Sequence[TestFamily]) -> list[TestFamily]:
    """Tests of one sort counted together, none left out but those of which there were none."""
    sums: dict[str, int] = {}
    for one in tests:
        sums[one.what] = sums.get(one.what, 0) + one.n_tests
    return [TestFamily(number, what) for what, number in sums.items() if number]


def _printed(one: Finding, width: int) -> list[str]:
    """A finding for a terminal."""
    of = "" if one.variable is None else f" ({one.variable})"
    inside = "  " if one.part_of else ""
    lines = _hanging(f"{inside}{one.severity.upper()} {one.name}{of}: ", one.says, width, len(inside) + 2)
    pad = f"{inside}  "
    if one.evidence:
        shown = "; ".join(str(part) for part in one.evidence[:EVIDENCE_PRINTED])
        lines += _hanging(f"{pad}evidence: ", shown, width)
    for word, parts in reasons(one):
        if parts:
            lines += _hanging(f"{pad}{word}: ", " ".join(parts), width)
    if one.p is not None:
        corrected = "" if one.p_corrected is None else f", {chance(one.p_corrected)} corrected"
        lines.append(f"{pad}p {chance(one.p)}{corrected}")
    if one.remedy:
        lines += _hanging(f"{pad}do: ", one.remedy, width)
    for item in listed_items(one):
        lines += _hanging(f"{pad}- ", item, width)
    return lines


def reasons(one: Finding) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What speaks for a finding, what against it, and what is not known: each with its heading."""
    return (
        ("speaks for it", one.speaks_for),
        ("speaks against it", one.speaks_against),
        ("not known", one.not_known),
    )


def listed_items(one: Finding, most: int = ITEMS_PRINTED) -> list[str]:
    """The first items that a finding is about, each in a line: its name, its text, and who said what of it."""
    if one.table is None or not {"item", "given"} <= set(one.table.columns):
        return []
    lines = [
        f"item {cell_text(row['item'], digits=None)}{_quoted(row.get('text', ''))} – {row['given']}"
        for row in one.table.head(most)
    ]
    more = len(one.table) - most
    return [*lines, f"… and {more:,} more in the table of this finding"] if more > 0 else lines


def _quoted(text: str) -> str:
    """The text of an item in a line, cut where it is long."""
    plain = " ".join(text.split())
    return f" “{plain if len(plain) <= LETTERS_PRINTED else plain[: LETTERS_PRINTED - 1] + '…'}”" if plain else ""


def _textless(table: Table | None) -> Table | None:
    if table is None or "text" not in table.columns or "item" not in table.columns:
        return table
    return replace(table, data={name: column for name, column in table.data.items() if name != "text"})


def chance(p: float) -> str:
    """A p-value as one writes it."""
    return "< 0.0001" if p < 0.0001 else f"= {p:.2g}"


def _hanging(start: str, text: str, width: int, indent: int | None = None) -> list[str]:
    """A paragraph whose first line begins with `start`, the others below its text; where it is narrow, further left."""
    deep = len(start) if indent is None else indent
    blank = " " * min(deep, width // 4)
    return textwrap.wrap(start + " ".join(text.split()), width, subsequent_indent=blank)


def as_html(one: Finding) -> str:
    """A finding for a notebook; every text is text, whatever it holds."""
    of = "" if one.variable is None else f" ({html.escape(str(one.variable))})"
    parts = [f"<p><strong>{html.escape(one.severity)}{of}</strong>: {html.escape(one.says)}</p>"]
    facts = [str(part) for part in one.evidence]
    facts += [f"{word.capitalize()}: {text}" for word, texts in reasons(one) for text in texts]
    if one.p_corrected is not None:
        facts.append(f"p {chance(one.p_corrected)}, corrected for all questions")
    if facts:
        parts.append("<ul>" + "".join(f"<li>{html.escape(fact)}</li>" for fact in facts) + "</ul>")
    if one.remedy:
        parts.append(f"<p>What to do: {html.escape(one.remedy)}</p>")
    items = "".join(f"<li>{html.escape(item)}</li>" for item in listed_items(one))
    if items:
        parts.append(f"<ul>{items}</ul>")
    return f"<div>{''.join(parts)}</div>"

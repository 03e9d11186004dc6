"""The methods paragraph: all that a reviewer asks of an agreement study, in sentences.

Who annotated what; what is missing; which coefficient at which level or with which weights; what the intervals are
over; who was set aside; and which software in which version.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from accord.agreement.measurements import Measurements
from accord.agreement.paper_sentence import is_weighted, named_in_full, who_answered
from accord.agreement.references import in_text
from accord.agreement.result import Agreement
from accord.agreement.table_formats import latex
from accord.annotations.answers import LOCATED, Label
from accord.options import __version__
from accord.reporting.paper.publication_table import Column, intervals_in_words
from accord.study.study import Study


@dataclass(frozen=True)
class Cited:
    """Sources at a place of a text."""

    keys: tuple[str, ...]


Part = str | Cited


def plain(parts: Sequence[Part]) -> str:
    """Text with its sources in brackets."""
    return "".join(part if isinstance(part, str) else f" ({in_text(part.keys)})" for part in parts)


def in_latex(parts: Sequence[Part]) -> str:
    """The same in LaTeX, where sources are cited by their keys."""

    def in_latex(part: Part) -> str:
        if isinstance(part, Cited):
            return f"~\\cite{{{','.join(part.keys)}}}"
        return f"{' ' if part[:1] == ' ' else ''}{latex(part)}{' ' if part[-1:] == ' ' else ''}"

    return "".join(map(in_latex, parts))


def methods(found: Measurements, columns: Sequence[Column], what: str | None, how: dict[str, Any]) -> list[Part]:
    """The paragraph, sentence by sentence."""
    study = found.recommended.study
    parts: list[Part] = [who_answered(study, f" for {what}" if what else "")]
    parts += [f" {sentence}" for sentence in _gaps(study)]
    parts += [" Agreement was measured by ", *_coefficients(columns), "."]
    parts += [f" {sentence}" for sentence in (*_alike(columns), *_intervals(columns, how))]
    if found.measured_people is not None and found.measured_people.note:
        parts.append(f" {found.measured_people.note}")
    parts.append(f" All values were computed with accord {__version__}.")
    return parts


def _gaps(study: Study) -> Iterator[str]:
    """How many answers there might have been, how many items have one only, and what became of both."""
    whole: dict[Label | None, Study] = dict(study.tasks.items()) or {None: study}
    single = {name: part for name, part in whole.items() if part.kind not in LOCATED}
    if not single:
        return
    known = all(part._annotations.named for part in single.values())  # or nobody knows who might have answered
    missing = sum(_possible(part) - part.tally().n_answers for part in single.values())
    if not missing:
        yield "Everybody answered every item." if known else "Every item had as many answers."
        return
    alone = {name: part.describe().single_answer_items for name, part in single.items()}
    if not any(alone.values()):
        yield "No item had a single answer."
    elif study.tasks:
        of_each = ", ".join(f"{number:,} of {name}" for name, number in alone.items() if number)
        yield f"Items with a single answer, which cannot agree: {of_each}."
    if known:
        possible = sum(_possible(part) for part in single.values())
        gone = "1 is missing; it was not filled in" if missing == 1 else f"{missing:,} are missing; none was filled in"
        yield f"Of {possible:,} possible answers, {gone}, and items count that have two answers or more."


def _possible(part: Study) -> int:
    return part.tally().n_items * part.n_annotators


def _coefficients(columns: Sequence[Column]) -> list[Part]:
    """Each coefficient with its sources; where levels or weights differ, which for which variables."""
    together: dict[str, list[tuple[Hashable, Agreement]]] = {}
    for column in columns:
        for name, one in column.results.items():
            if not one.undefined or len(column.results) == 1:
                together.setdefault(one.entry.title, []).append((name, one))
    found: list[Part] = []
    for place, results in enumerate(together.values()):
        if place:
            found.append(" and by " if place == len(together) - 1 else ", by ")
        entry, full = results[0][1].entry, list(dict.fromkeys(named_in_full(one) for _, one in results))
        title = full[0] if len(full) == 1 else entry.title
        found.append(title.replace(entry.title, entry.within_sentence))
        found += [Cited(entry.references)] if entry.references and not entry.well_known else []
        found += [] if len(full) == 1 else [f" ({_apart(results)})"]
    return found


def _apart(results: Sequence[tuple[Hashable, Agreement]]) -> str:
    """Of one coefficient at several levels or with several weights: which for which variables."""
    whose: dict[str, list[str]] = {}
    for name, one in results:
        inside = named_in_full(one).removeprefix(one.entry.title).strip(" ()") or one.title
        whose.setdefault(inside, []).append(str(name))
    return ", ".join(f"{how} for {' and '.join(names)}" for how, names in whose.items())


def _alike(columns: Sequence[Column]) -> Iterator[str]:
    """Whether near misses count, of coefficients for which that is a choice."""
    chosen = [one for column in columns for one in column.defined if _has_choice(one)]
    weighted = list(dict.fromkeys(named_in_full(one) for one in chosen if is_weighted(one)))
    strict = list(dict.fromkeys(named_in_full(one) for one in chosen if not is_weighted(one)))
    if weighted:
        yield f"In {' and '.join(weighted)} near misses count in part."
    if strict:
        where = f"In {' and '.join(strict)} answers" if weighted else "Answers"
        yield f"{where} count as agreement only where they are the same."


def _has_choice(result: Agreement) -> bool:
    return not result.entry.is_share and (result.entry.takes("weights") or result.entry.takes("level"))


def _intervals(columns: Sequence[Column], how: dict[str, Any]) -> Iterator[str]:
    spans = [one.interval(**how) for column in columns for one in column.defined if not one.undefined]
    kinds = dict.fromkeys(intervals_in_words(span) for span in spans if math.isfinite(span.low))
    if kinds:
        yield f"Intervals are {'; '.join(kinds)}."

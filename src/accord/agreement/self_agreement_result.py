"""Agreement with oneself: how far people repeat what they said of an item before; made by `self_agreement`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import used
from accord.errors import counted
from accord.options import Shown, head
from accord.study.study import Study

MOST_IN_JSON = 200  # annotators with a row each
NOBODY = "Nobody answered an item more than once, so nobody can be compared with oneself."


@dataclass(frozen=True, eq=False, repr=False)
class SelfAgreement(Shown):
    """How far people agree with themselves where they answered an item more than once.

    It is a value of its own, apart from agreement between annotators, which no repeated answer raises. Nobody agrees
    with others more than with oneself for long: what it is below 1 is noise that no guideline will mend.

    Attributes:
        agreement: The share of pairs of answers of one person to one item that are the same, as an `Agreement`.
        value: The same corrected for chance: Krippendorff's alpha of these answers, as an `Agreement`. Chance draws any
            two of them, whoever gave them, so that it stands beside agreement between annotators.
        study: The study.
        n_items: How many items somebody answered more than once.
        n_annotators: How many annotators did so.
        n_repeats: How many times an annotator answered an item more than once; those of one item hang together.
        undefined: Why there is nothing to compare; None if there is something.

    >>> import accord
    >>> twice = {"item": [1, 1, 2, 2, 1, 1, 2], "annotator": ["ana"] * 4 + ["ben"] * 3, "label": list("aabaaab")}
    >>> found = accord.self_agreement(accord.Study(twice, duplicates="repeat"))
    >>> found.n_items, found.n_repeats, round(found.agreement.value, 3)
    (2, 3, 0.667)
    >>> found.by_annotator()["annotator"].tolist()
    ['ana', 'ben']
    >>> print(found.sentence())
    2 annotators answered 2 items more than once and gave the same answer again in 67% of pairs [0%, 100%]
    (Krippendorff's alpha 0.000).
    """

    agreement: Agreement
    value: Agreement
    study: Study
    n_items: int
    n_annotators: int
    n_repeats: int
    undefined: str | None = None
    _measured: Callable[[Study], tuple[Agreement, Agreement]] = field(repr=False, kw_only=True)

    def by_annotator(self) -> Table:
        """Everybody who answered an item more than once, the least steady first.

        Returns:
            A `Table`: annotator, items (answered more than once), agreement with low and high, alpha with alpha_low and
            alpha_high, against chance from the annotator's own answers.
        """
        rows = []
        for name in repeaters(self.study):
            agreement, alpha = self._measured(self.study.of_annotators([name])._answered_again())
            spans = (agreement.interval(), alpha.interval())
            rows.append((name, agreement.n_items, agreement.value, *spans[0], alpha.value, *spans[1]))
        rows.sort(key=lambda row: (row[2], row[0]))
        names = ("annotator", "items", "agreement", "low", "high", "alpha", "alpha_low", "alpha_high")
        columns = dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))
        data: dict[str, Any] = {
            name: list(cells) if name == "annotator" else np.array(cells) for name, cells in columns.items()
        }
        steady = sum(row[2] == 1 for row in rows)
        notes = (f"{counted(steady, 'annotators')} always said the same again.",) if steady else ()
        return Table(
            "Agreement with oneself by annotator", data, (*notes, *((self.undefined,) if self.undefined else ()))
        )

    def __str__(self) -> str:
        if self.undefined:
            return f"Agreement with oneself: undefined. {self.undefined}"
        return (
            f"Agreement with oneself: {self.value.title} {_shown(self.value)}; {self.agreement.value:.0%} of repeated "
            f"answers are the same{_span(self.agreement.interval(), percent=True)} ({self._size()})"
        )

    def _size(self) -> str:
        return f"{counted(self.n_items, 'items')} answered more than once by {counted(self.n_annotators, 'annotators')}"

    def sentence(self) -> str:
        """One sentence for a paper."""
        if self.undefined:
            return self.undefined
        return (
            f"{_capital(counted(self.n_annotators, 'annotators'))} answered {counted(self.n_items, 'items')} more than "
            f"once and gave the same answer again in {self.agreement.value:.0%} of pairs"
            f"{_span(self.agreement.interval(), percent=True)} ({self.value.title} {_shown(self.value)})."
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        few = self.n_annotators <= MOST_IN_JSON
        return {
            **head("self_agreement"),
            "says": str(self),
            "items": self.n_items,
            "annotators": self.n_annotators,
            "repeats": self.n_repeats,
            "agreement": self.agreement.to_dict(),
            "value": self.value.to_dict(),
            "by_annotator": self.by_annotator().to_dict() if few else None,
            "undefined": self.undefined,
        }


def self_agreement_of(study: Study, measured: Callable[[Study], tuple[Agreement, Agreement]]) -> SelfAgreement:
    """From how answers of an item are compared: the share that is the same, and that corrected for chance."""
    agreement, value = measured(study._answered_again())
    cells, people = study._annotations.to_memory().cells_again, max(len(study.annotators), 1)
    item = cells // people
    who = len(used(cells - item * people, people))
    items = int(np.count_nonzero(item[1:] != item[:-1])) + min(len(item), 1)  # cells are in order
    return SelfAgreement(
        agreement, value, study, items, who, len(cells), None if len(cells) else NOBODY, _measured=measured
    )


def as_different_people(study: Study) -> Study:
    """The same where repeated answers stand as if different people had given them: of one model, its runs."""
    if not study._annotations.repeated:
        return study
    return study._with_annotations(study._annotations.nameless())


def repeaters(study: Study) -> list[str]:
    """The annotators who answered an item more than once."""
    cells = study._annotations.to_memory().cells_again
    return [study.annotators[place] for place in np.unique(cells % max(len(study.annotators), 1)).tolist()]


def _shown(result: Agreement) -> str:
    if result.undefined:
        return f"is undefined: {result.undefined}"
    return f"{result.value:z.3f}{_span(result.interval())}"


def _span(found: Interval, *, percent: bool = False) -> str:
    if math.isnan(found.low):
        return ""
    low, high = (f"{end:.0%}" if percent else f"{end:z.3f}" for end in found)
    return f" [{low}, {high}]"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

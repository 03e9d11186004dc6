"""Sample: items drawn from a suggested data set for annotation, and what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.options import Shown, head
from accord.study.suggested_labels import Design


@dataclass(frozen=True, eq=False, repr=False)
class Sample(Shown):
    """Items to annotate with the label suggested for each; give it to `dipietro_hazari_kappa(study, suggested=…)`.

    >>> from accord import sample_for_annotation
    >>> whole = {number: "spam" if number % 10 == 0 else "ham" for number in range(1000)}
    >>> sample = sample_for_annotation(whole, 100, by_label="equal", rng=7)
    >>> len(sample.items), sample.by_label()["drawn"].tolist()
    (100, [50, 50])
    >>> print(sample.to_table().head(1)["suggested"].tolist())
    ['spam']
    """

    suggestions: Mapping[Any, Label]  # of the items drawn
    design: Design
    how: str
    seed: int | None
    without: int = 0  # items that had no suggestion, and so could not be drawn

    def __len__(self) -> int:
        return len(self.suggestions)

    @property
    def items(self) -> tuple[Any, ...]:
        """The items drawn."""
        return tuple(self.suggestions)

    def to_table(self) -> Table:
        """What goes to the annotators; drop `suggested` if they are not to see it.

        Returns:
            A `Table` with one row per item: item, suggested.
        """
        return Table(
            f"Sample for annotation: {self.how}",
            {"item": list(self.suggestions), "suggested": list(self.suggestions.values())},
        )

    def by_label(self) -> Table:
        """Of each suggested label: how many there are, and how many were drawn.

        Returns:
            A `Table` with one row per label: label, drawn; drawn by label also in_all.
        """
        drawn: dict[Label, int] = {}
        for label in self.suggestions.values():
            drawn[label] = drawn.get(label, 0) + 1
        labels = [label for label in self.design.population if label is not None] or sorted(drawn)
        columns: dict[str, Any] = {"label": labels, "drawn": [drawn.get(label, 0) for label in labels]}
        if self.design.by_label:
            columns["in_all"] = [self.design.population[label] for label in labels]
        return Table(f"Sample for annotation: {self.how}", columns)

    def __str__(self) -> str:
        left = f"; {self.without:,} items have no suggestion and were not drawn from" if self.without else ""
        return f"{len(self):,} of {self.design.total:,} suggested items, {self.how} (seed {self.seed}){left}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("sample"),
            "how": self.how,
            "seed": self.seed,
            "population": self.design.total,
            "without": self.without,
            "labels": self.by_label().to_dict()["rows"],
            "items": self.to_table().to_dict()["rows"],
        }

"""What evaluate gives back: each system's values, labels, confusion and ceiling; and how systems compare."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.errors import OptionError, counted
from accord.judge.ceiling import Ceiling
from accord.judge.estimates import Estimate, is_reached, shortfall
from accord.judge.failed_answers import Failed
from accord.judge.to_json import judgement
from accord.options import Shown, check_choice, is_among


@dataclass(frozen=True, eq=False, repr=False)
class Judged(Shown):
    """One system: its values with intervals, by label, its confusion, and what people reach on the same items.

    `gaps` holds, for each measure, the system less a person against another (or against gold), paired over items: a
    single person reaches less than the majority of the others, and it is a person whom a model would replace.

    >>> from accord import Study
    >>> from accord.judge import evaluate
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> gpt = evaluate("gpt", study).only
    >>> round(gpt.accuracy.value, 3), round(gpt.kappa.value, 3), gpt.answered
    (0.833, 0.667, 1.0)
    >>> print(gpt.sentence("kappa"))
    gpt: kappa 0.667 [0.539, 0.795] on 36 items; people reach 0.500 [0.253, 0.747], at most 0.667; a person 0.444.
    >>> gpt.described("kappa").split(" ")[:2]
    ['kappa', '0.667']
    """

    name: str
    items: int  # judged: the system answered and there is a reference
    n_reference: int  # items with a reference
    failed: Failed | None  # answers that could not be read, where that is known
    values: Mapping[str, Estimate]
    labels: Table
    confusion: Table
    ceiling: Ceiling | None
    gaps: Mapping[str, Estimate]

    @property
    def kappa(self) -> Estimate:
        """Cohen's kappa."""
        return self.values["kappa"]

    @property
    def alpha(self) -> Estimate:
        """Krippendorff's alpha."""
        return self.values["alpha"]

    @property
    def accuracy(self) -> Estimate:
        """The share of right answers; against people, the chance to agree with one drawn at random."""
        return self.values["accuracy"]

    @property
    def answered(self) -> float:
        """The share of the items to judge on that the system answered."""
        return self.items / self.n_reference if self.n_reference else math.nan

    @property
    def unparsable(self) -> float:
        """The share of its answers that could not be read; NaN where that is not known."""
        return self.failed.share if self.failed is not None else math.nan

    def sentence(self, measure: str | None = None) -> str:
        """The value and what people reach, in words.

        Args:
            measure: "kappa", "alpha", "accuracy" or "cost"; of scores "concordance", "correlation", "bias" or
                "difference".

        Returns:
            A sentence.

        Raises:
            OptionError: If that was not measured; "cost" needs `costs=`.
        """
        return f"{self.name}: {self.described(next(iter(self.values)) if measure is None else measure)}."

    def described(self, measure: str) -> str:
        """The same without the name.

        Args:
            measure: "kappa", "alpha", "accuracy" or "cost".

        Returns:
            The sentence without name and full stop.

        Raises:
            OptionError: If that was not measured; "cost" needs `costs=`.
        """
        check_choice("measure", measure, self.values)
        value = self.values[measure]
        text = f"{measure} {value} on {counted(self.items, 'items')}"
        if (
            self.ceiling is not None
            and is_reached(measure)
            and not (value.undefined and value.undefined == self.ceiling.below[measure].undefined)
        ):
            text += f"; {self.ceiling.described(measure)}"
        if self.failed is not None and self.failed.number:
            text += f"; {self.failed.share:.1%} of its answers could not be read"
        return text

    __str__ = sentence

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "items": self.items,
            "n_reference": self.n_reference,
            "unparsable": None if self.failed is None or not self.failed.requested else self.failed.share,
            "values": {name: one.to_dict() for name, one in self.values.items()},
            "ceiling": None if self.ceiling is None else self.ceiling.to_dict(),
            "gaps": {name: one.to_dict() for name, one in self.gaps.items()},
            "labels": self.labels.to_dict()["rows"],
            "confusion": self.confusion.to_dict()["rows"],
        }


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One system or several, against gold or against people.

    >>> from accord import Study
    >>> from accord.judge import evaluate
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = evaluate(["gpt", "coin"], study)
    >>> print(found.to_table().head(1)["system"].tolist(), round(found["gpt"].kappa.value, 3))
    ['gpt'] 0.778
    """

    systems: tuple[Judged, ...]
    against: str  # "gold" or "people"
    measure: str  # by which systems are compared
    labels: tuple[Label, ...]
    compared: Table
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.systems)

    def __iter__(self) -> Iterator[Judged]:
        return iter(self.systems)

    def __getitem__(self, name: str) -> Judged:
        found = {system.name: system for system in self.systems}
        if not is_among(name, found):
            raise OptionError.choice("The name of a system", name, found, of_data=True)
        return found[name]

    @property
    def only(self) -> Judged:
        """The system, where there is one."""
        if len(self.systems) != 1:
            raise OptionError(
                f"There are {len(self.systems)} systems; choose one by name.",
                available=[system.name for system in self.systems],
            )
        return self.systems[0]

    def to_table(self) -> Table:
        """A row per system, the best first.

        Returns:
            A `Table` with one row per system: system, each value by its name with its ends as NAME_low and NAME_high,
            people_reach, at_most, items, answered, unparsable, undefined.
        """
        order = sorted(self.systems, key=lambda one: shortfall(self.measure, one.values[self.measure].value))
        data: dict[str, Any] = {"system": [one.name for one in order]}
        for name in self.systems[0].values:
            for part in ("value", "low", "high"):
                column = name if part == "value" else f"{name}_{part}"
                data[column] = np.array([getattr(one.values[name], part) for one in order])
        reach = [one.ceiling if is_reached(self.measure) else None for one in order]
        for part, column in (("below", "people_reach"), ("above", "at_most")):
            data[column] = np.array(
                [math.nan if one is None else getattr(one, part)[self.measure].value for one in reach]
            )
        data["items"] = np.array([one.items for one in order], dtype=np.int64)
        data["answered"] = np.array([one.answered for one in order])
        data["unparsable"] = np.array([one.unparsable for one in order])
        data["undefined"] = [one.values[self.measure].undefined or "" for one in order]
        return Table(f"Systems against {self.against}", data, self.notes)

    def __str__(self) -> str:
        lines = [f"Against {self.against}:", *(f"  {one.sentence(self.measure)}" for one in self.systems)]
        if len(self.compared):
            lines.append(str(self.compared))
        return "\n".join([*lines, *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        text = "".join(f"<p>{html.escape(one.sentence(self.measure))}</p>" for one in self.systems)
        more = self.compared._repr_html_() if len(self.compared) else ""
        return f"{text}{self.to_table()._repr_html_()}{more}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        values = {"against": self.against, "measure": self.measure, "labels": list(self.labels)}
        text = judgement("evaluate", values, {"systems": self.to_table(), "compared": self.compared}, self.notes)
        return {**text, "systems": [one.to_dict() for one in self.systems]}

"""Several suggesters side by side: heuristics and models that label the same items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from accord.agreement.build import agreement, differential
from accord.agreement.compare import two_by_two
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.coefficients.dipietro_hazari import AgainstSuggestions
from accord.errors import OptionError, UnknownName, one_task
from accord.options import head, is_among, one_or_listed
from accord.study.study_of_input import PlainRoles, as_study
from accord.study.suggested_labels import described, without_suggester


@dataclass(frozen=True, eq=False)
class Suggesters:
    """κ_DH of each suggester, by the same annotators, and the paired differences.

    >>> from accord import Study, suggestions
    >>> people = Study.from_wide([list("aaa"), list("bba"), list("bbb"), list("aba"), list("ccc")])
    >>> found = suggestions.compare_suggesters(people, {"careful": list("abbac"), "lazy": list("aaaaa")})
    >>> found.best, found.to_table()["suggester"].tolist()
    ('careful', ['careful', 'lazy'])
    >>> found.differences()["difference"].round(3).tolist()
    [0.909]
    """

    results: Mapping[str, Agreement]
    confidence: float
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Agreement:
        if not is_among(name, self.results):
            raise UnknownName.choice("suggester", name, self.results, of_data=True)
        return self.results[name]

    @property
    def best(self) -> str:
        """The suggester with the highest value."""
        defined = {name: found.value for name, found in self.results.items() if not found.undefined}
        return max(defined, key=lambda name: defined[name]) if defined else ""

    def to_table(self) -> Table:
        """One row per suggester.

        Returns:
            A `Table` with one row per suggester: suggester, value, low, high, right, wrong, fleiss, items, undefined.
        """
        rows = [_row(name, found, self.confidence) for name, found in self.results.items()]
        notes = [f"{name}: {note}" for name, found in self.results.items() for note in found.notes]
        return Table(
            "DiPietro–Hazari kappa by suggester",
            {key: [row[key] for row in rows] for key in rows[0]},
            (*notes, *self.notes),
        )

    def differences(self) -> Table:
        """Every two suggesters on the items both have labels for; p-values with Holm's correction.

        Returns:
            A `Table` with one row per pair of suggesters: first, second, difference, low, high, p, p_holm,
            common_items, note.
        """
        return two_by_two("Differences in DiPietro–Hazari kappa between suggesters", self.results, self.confidence)

    def __str__(self) -> str:
        return f"{self.to_table()}\n{self.differences()}" if len(self.results) > 1 else str(self.to_table())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"{self.to_table()._repr_html_()}{self.differences()._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("suggesters"),
            "best": self.best,
            "suggesters": self.to_table().to_dict(),
            "differences": self.differences().to_dict(),
        }


def compare_suggesters(
    data: Any,
    suggesters: Mapping[str, Any] | Sequence[str],
    /,
    *,
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    least: int = 2,
    **roles: Unpack[PlainRoles],
) -> Suggesters:
    """κ_DH of several suggesters by the same annotators, with paired intervals of the differences.

    Args:
        data: A `Study`, or what one is made of.
        suggesters: A name for each with its suggestions (whatever `dipietro_hazari_kappa` takes), or a list of columns
            or annotators. Annotators who suggest are not among those who judge, for any of the suggesters.
        confidence: Of the intervals.
        labels: The scale: all labels there are, in order.
        least: The fewest suggesters to be content with; 1 where they are whatever a study holds.
        **roles: The keywords of `Study`.

    Returns:
        `Suggesters`: an `Agreement` per suggester, by name; `best`, and `differences()`.

    Raises:
        InputError: If `data` cannot be a study, or suggestions cannot be read.
        MeasureError: If the answers are not single labels.
        OptionError: If an option has a value that it cannot take.

    Of samples drawn label by label the differences are taken as if drawn at random, which makes their intervals a
    little too wide.

    >>> from accord import Study
    >>> people = Study.from_wide([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"], ["a", "b", "a"], ["c", "c", "c"]])
    >>> found = compare_suggesters(people, {"careful": list("abbac"), "lazy": list("aaaaa")})
    >>> found.best, round(found["careful"].value, 3), round(found["lazy"].value, 3)
    ('careful', 0.755, -0.154)
    """
    rule = "be columns of suggestions, or a mapping of names to suggestions"
    if not isinstance(suggesters, Mapping):
        suggesters = {name: name for name in one_or_listed("suggesters", suggesters, rule)}
    named = dict(suggesters)
    if len(named) < least:
        raise OptionError.must("suggesters", "be two or more", list(named), " For one take dipietro_hazari_kappa.")
    study = as_study(data, None, labels, roles)  # type: ignore[arg-type]
    if study.tasks:
        raise OptionError(
            "Choose one variable of the study to compare suggesters on: ", one_task(next(iter(study.tasks))), "."
        )
    study = study._in_memory  # suggesters are compared item by item
    recipes = {name: AgainstSuggestions(source) for name, source in named.items()}
    for recipe in recipes.values():
        recipe.suggestions(study)
    people = study
    for source in named.values():
        people = without_suggester(source, people)
    results = {
        name: agreement("dipietro_hazari_kappa", people, recipe, {"suggested": described(recipe.source)})
        for name, recipe in recipes.items()
    }
    return Suggesters(results, confidence)


def _row(name: str, found: Agreement, confidence: float) -> dict[str, Any]:
    span, parts = found.interval(confidence=confidence), differential(found)
    return {
        "suggester": name,
        "value": found.value,
        "low": span.low,
        "high": span.high,
        "right": math.nan if parts is None else parts.observed_right,
        "wrong": math.nan if parts is None else parts.observed_wrong,
        "fleiss": math.nan if parts is None else parts.fleiss,
        "items": found.n_items,
        "undefined": found.undefined or "",
    }

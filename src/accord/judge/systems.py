"""What a system is: an annotator, a column, a mapping from item to label, a table or a list; one or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.answers import Label, sorted_labels
from accord.annotations.arrays import IntArray
from accord.consensus.gold import Gold
from accord.consensus.reference import as_mapping
from accord.errors import Keyword, OptionError, all_quoted, as_typed, no_such_annotator, quoted
from accord.judge.failed_answers import Failed
from accord.judge.participants import Participants
from accord.study.shapes.cells import Numbered, is_table
from accord.study.study import Study
from accord.study.suggested_labels import Suggestions, read_suggestions

UNNAMED = "system"


@dataclass(frozen=True, eq=False)
class System:
    """A system's labels, one code per item of the study, −1 for none."""

    name: str
    codes: IntArray
    labels: tuple[Label, ...]  # the study's scale, then labels that only the system uses
    failed: Failed | None = None  # answers that could not be read, where that is known
    annotator: str | None = None  # whose answers they are, where they are one of the study's annotators'
    elsewhere: int = 0  # labels for items that are not in the study

    def onto(self, labels: tuple[Label, ...]) -> IntArray:
        """The codes on a longer scale."""
        if labels[: len(self.labels)] == self.labels:
            return self.codes
        place = {label: position for position, label in enumerate(labels)}
        return np.array([*(place[label] for label in self.labels), -1], dtype=np.int64)[self.codes]


def systems_of(source: Any, participants: Participants) -> list[System]:
    """The systems that were given; without any, the models of the study."""
    if source is None:
        participants.need_models("An evaluation")
        return [annotator(name, participants) for name in participants.models]
    if isinstance(source, str):
        return [_named(source, participants)]
    if isinstance(source, Mapping) and _several(source, participants.study):
        return [_given(as_typed(name, str), one, participants) for name, one in source.items()]
    if _names(source, participants.study):
        return [_named(name, participants) for name in dict.fromkeys(source)]
    return [_given(UNNAMED, source, participants)]


def annotator(name: str, participants: Participants) -> System:
    """The answers of one of the study's annotators."""
    return System(name, participants.column(name), participants.study.labels, participants.failed(name), name)


def adjudicated(participants: Participants) -> System:
    """The answers of the adjudicators."""
    return System("adjudicated", participants.gold, participants.study.labels)


def gold_of(source: Any, participants: Participants) -> System:
    """The reference: a column, a mapping, a table, a Gold, a study with one answer per item, a name."""
    if source is True:
        if not (participants.gold >= 0).any():
            raise OptionError(
                Keyword("gold", source), " takes the adjudicators' answers, and nobody here is an adjudicator."
            )
        return adjudicated(participants)
    if isinstance(source, str):
        return _named(source, participants, "gold")
    if isinstance(source, Study | Gold):
        source = as_mapping(source, "gold")
    return _given("gold", source, participants)


def shared_scale(systems: Sequence[System]) -> tuple[Label, ...]:
    """The study's scale, then whatever else the systems use."""
    first = min(systems, key=lambda system: len(system.labels)).labels
    more = {label for system in systems for label in system.labels} - set(first)
    return (*first, *sorted_labels(more))


def _named(name: str, participants: Participants, what: str = "system") -> System:
    """An annotator, or a column."""
    study = participants.study
    if name in study.annotators:
        if name in study.columns and "annotator" in study.roles:  # in a wide table, annotators are columns
            raise OptionError(quoted(name), " is both a column and an annotator. Rename one of them.")
        return annotator(name, participants)
    if name in study.columns:
        return _system(name, read_suggestions(name, study))
    problem = no_such_annotator(what, [name], study.annotators)
    if study.columns:
        problem.add(" It is no column either (", all_quoted(study.columns), ").")
        problem.available += tuple(study.columns)
    raise problem


def _given(name: str, source: Any, participants: Participants) -> System:
    if isinstance(source, str):
        found = _named(source, participants)
        return System(name, found.codes, found.labels, found.failed, found.annotator)
    return _system(name, read_suggestions(source, participants.study))


def _system(name: str, suggestions: Suggestions) -> System:
    return System(name, suggestions.codes, suggestions.labels, elsewhere=suggestions.elsewhere)


def _several(source: Mapping[Any, Any], study: Study) -> bool:
    """A name for each system, rather than a label for each item, or a table's columns?"""
    if not source or (is_table(source) and study.roles.get("item", "item") in source):
        return False
    known = {*study.annotators, *study.columns}
    whole = [isinstance(one, str) and one in known for one in source.values()]
    apart = [not isinstance(one, str | int | float | bool | np.generic | None) for one in source.values()]
    items = study.items if isinstance(study.items, Numbered) else set(study.items)
    return all(a or b for a, b in zip(apart, whole, strict=True)) and not all(name in items for name in source)


def _names(source: Any, study: Study) -> bool:
    """A list of annotators or columns, rather than of labels?"""
    if not isinstance(source, list | tuple) or not source or not all(isinstance(one, str) for one in source):
        return False
    known = {*study.annotators, *study.columns}
    if all(name in known for name in source):
        return True
    if any(name in known for name in source) or not isinstance(study.items, Numbered):
        unknown = [name for name in source if name not in known]
        raise no_such_annotator("system", unknown, study.annotators)
    return False

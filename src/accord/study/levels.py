"""Levels of measurement that a caller declares: one word for all variables, or one for some of them.

A list of labels is no order. That there is one is said by a level, by `ordered=`, which is a level in a plainer word,
or by an ordered categorical; it is then the order of the list, of the numbers, or of words whose order everybody knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from accord.annotations.answers import LEVELS, Answers, Label, Level, answers_called
from accord.annotations.factorize import Coded
from accord.errors import (
    Keyword,
    MayBeNames,
    Message,
    OptionError,
    all_quoted,
    as_typed,
    keyword,
    listing,
    quoted,
    remedy,
)

if TYPE_CHECKING:
    from accord.engine.annotations_protocol import Annotations
    from accord.study.shapes.loaded import Loaded

LevelsLike: TypeAlias = Level | Mapping[Any, Level]
ONLY = ""  # what the only variable of a study is called


def in_scale_order(annotations: Annotations, level: Level | None) -> Annotations:
    """The same answers with their labels in the order that everybody knows, where they are words and a scale."""
    if level in (None, "nominal"):
        return annotations
    from accord.annotations.recognised_scale import places_in_order, recognised

    answers = annotations.answers
    if places_in_order(answers) is None:
        return annotations
    found = recognised(answers)
    assert found is not None
    ordered = replace(answers, labels=found.order, order="listed")
    return annotations.recoded(ordered, Coded(np.arange(len(answers)), answers.labels).onto(found.order))


def order_note(variable: Label, labels: Sequence[Label]) -> str:
    """In which order words are taken where nobody listed them."""
    of = (" of ", quoted(variable)) if variable != ONLY else ()
    order = MayBeNames(" < ".join(map(str, labels)))
    return Message("the labels", *of, " are taken in the order ", order, "; ", remedy(labels=[...]), " says another")


def with_order(levels: LevelsLike | None, ordered: Any) -> LevelsLike | None:
    """The levels with what `ordered=` says of them: True is the ordinal level, False the nominal one."""
    if ordered is None:
        return levels
    if not isinstance(ordered, bool):
        raise OptionError.must(
            "ordered", "be True (the labels are a scale) or False (they are names)", ordered,
            " The labels themselves are listed in order: ", remedy(labels=["low", "middle", "high"], ordered=True), ".",
        )  # fmt: skip
    if isinstance(levels, Mapping):
        raise OptionError(
            "Give ", keyword("ordered"), " for all variables or ", keyword("levels"), " for each, not both."
        )
    if levels is None:
        return "ordinal" if ordered else "nominal"
    if (check_level("levels", levels) == "nominal") == ordered:
        raise OptionError(
            Keyword("ordered", ordered), " and ", Keyword("levels", levels), " contradict each other. Leave one out.",
        )  # fmt: skip
    return levels


def left_without(loaded: Loaded, levels: LevelsLike) -> Iterator[str]:
    """Which variables a level for all does not reach, as their labels are names."""
    if isinstance(levels, str) and loaded.tasks:
        names = [
            name for name in loaded.tasks if not _can_have(loaded.tasks[name].answers, check_level("levels", levels))
        ]
        if names and len(names) < len(loaded.tasks):
            yield f"the {levels} level is not taken for {listing(names)}, whose labels are names"


def check_level(name: str, level: Any) -> Level:
    """One of the words, or an error with the nearest."""
    if isinstance(level, Mapping) and name != "levels":
        raise OptionError.must(
            name, "be one word for this call", level, " For each variable say it with the study: ",
            remedy("Study", "…", levels=dict(level)), ".",
        )  # fmt: skip
    if not isinstance(level, str) or level not in LEVELS:
        raise OptionError.choice(name, level, LEVELS)
    return level


def level_or_weights(level: Any, weights: Any) -> None:
    """A level is for alpha alone, weights are for all coefficients: not both."""
    if weights is not None and level is not None:
        raise OptionError(
            "Give ", keyword("level"), " (for alpha) or ", keyword("weights"), " (for all coefficients), not both."
        )
    if level is not None:
        check_level("level", level)


def declared(loaded: Loaded, levels: LevelsLike) -> dict[Label, Level]:
    """The level of each variable that has one; what was declared before stays where nothing else is said."""
    before = dict(loaded.levels)
    variables = list(loaded.tasks) or [ONLY]
    if isinstance(levels, str):
        level = check_level("levels", levels)
        fitting = [name for name in variables if name == ONLY or _can_have(loaded.tasks[name].answers, level)]
        return {**before, **dict.fromkeys(fitting or variables, level)}
    if not isinstance(levels, Mapping):
        raise OptionError.must("levels", "be a level, or a level for each variable: {'tone': 'ordinal'}", levels)
    by_name = {str(name): name for name in variables}
    for name, level in levels.items():
        variable = by_name.get(as_typed(name, str))
        if variable is None and not loaded.tasks and _is_called(loaded, as_typed(name, str)):
            variable = ONLY
        if variable is None:
            raise _unknown(loaded, as_typed(name, str))
        before[variable] = check_level("levels", level)
    return before


def _can_have(answers: Answers, level: Level) -> bool:
    """Can the answers be measured at a level? Names have no order, and only numbers have distances."""
    if level == "nominal" or answers.kind == "score":
        return True
    from accord.annotations.recognised_scale import recognised

    words = level == "ordinal" and (bool(answers.order) or recognised(answers) is not None)
    return answers.kind == "single" and (answers.numeric or words)


def _is_called(loaded: Loaded, name: str) -> bool:
    """Is the only variable of a study called so: by the column of its answers, or by the task they belong to?"""
    columns = {loaded.roles.get(role, role) for role in ("label", "score")}
    if name in {*columns, "label", "score"}:
        return True
    table = getattr(loaded.annotations, "table", None)
    return table is not None and "task" in table.columns and name in {str(cell) for cell in table.cells("task")}


def _unknown(loaded: Loaded, name: str) -> OptionError:
    there = list(map(str, loaded.tasks)) or [loaded.roles.get("label", loaded.roles.get("score", "label"))]
    return OptionError(
        Keyword("levels"),
        " names ",
        quoted(name),
        ", and there is no such variable: there ",
        "is " if len(there) == 1 else "are ",
        all_quoted(there),
        ".",
        available=there,
    )


def levelled(loaded: Loaded, levels: LevelsLike | None, ordered: bool | None = None) -> Loaded:
    """The same with the levels that the caller declares, and with the order where that is said."""
    levels = with_order(levels, ordered)
    if levels is None:
        return loaded
    declared_levels = declared(loaded, levels)
    tasks = {name: in_scale_order(part, declared_levels.get(name)) for name, part in loaded.tasks.items()}
    whole = None if loaded.annotations is None else in_scale_order(loaded.annotations, declared_levels.get(ONLY))
    if ordered:
        _need_an_order([*tasks.values()] if whole is None else [whole])
    moved = [(name, part) for name, part in tasks.items() if part is not loaded.tasks[name]]
    moved += [] if whole is None or whole is loaded.annotations else [(ONLY, whole)]
    notes = [*left_without(loaded, levels), *(order_note(name, part.answers.labels) for name, part in moved)]
    return replace(loaded, annotations=whole, tasks=tasks, levels=declared_levels, notes=(*loaded.notes, *notes))


def _need_an_order(variables: Sequence[Annotations]) -> None:
    """Whoever says that labels have an order must have said which, for one variable at least."""
    answers = [part.answers for part in variables]
    if any(_can_have(one, "ordinal") for one in answers):
        return
    for one in answers:
        if one.kind != "single":
            raise OptionError(
                Keyword("ordered"), f" is for one label per answer; these are {answers_called(one.kind)}."
            )
        one.positions(Keyword("ordered", value=True))  # which says what is wrong

"""What somebody else says the labels are: known gold, a reference to score against, a person's decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import EMPTY_SET, Label, holds_several, tidy_label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.label_names import NameLookup, Written, compared_as
from accord.errors import (
    InputError,
    Keyword,
    LabelError,
    Message,
    Part,
    Place,
    all_quoted,
    at_item,
    in_python,
    off_the_scale,
    quoted,
    two_things,
)
from accord.study.csv_writer import BETWEEN
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.engine.frames import Frame


def as_mapping(
    given: Any, what: str, *, item: str | None = None, label: str | None = None, numbers: bool = False
) -> dict[Label, Any]:
    """Item ─▶ label from a mapping, a Gold, a Study with one answer per item, a table with two columns, or a file.

    `item` and `label` name its columns; None where the caller has no way to name them. Where `numbers` are wanted, a
    file's column of scores comes before one of labels.
    """
    from accord.consensus.gold import Gold  # which is scored by what is read here

    if isinstance(given, Written):
        return given  # type: ignore[return-value]
    if isinstance(given, str | Path):
        from accord.consensus.label_files import labels_in  # readers load when a file comes

        return labels_in(given, item, label, numbers=numbers)  # type: ignore[return-value]
    item, label = item or "item", label or "label"
    if isinstance(given, Mapping) and not _is_table(given, item, label):
        return {_name(key): value for key, value in given.items()}
    if isinstance(given, Study):
        return _of_study(given, what)
    if isinstance(given, Gold):
        return {name: value for name, value in zip(given.study.items, given.labels, strict=True) if value is not None}
    if isinstance(given, Table):
        return _paired(list(given[item]), list(given[label]), what)
    frame = opened(
        given,
        Message(
            f"{what} is a mapping item ─▶ label, a table with the columns ",
            quoted(item),
            " and ",
            quoted(label),
            ", a Gold, a Study with one answer per item, or the path of a file",
        ),
    )
    return _paired(frame.cells(frame.need("item", item)), frame.cells(frame.need("label", label)), what)


def opened(given: Any, expected: Part) -> Frame:
    """A table of any engine, or an error that says what was expected."""
    from accord.engine.frames import Frame, is_frame

    records = isinstance(given, list | tuple) and len(given) > 0 and isinstance(given[0], Mapping)
    if not (records or isinstance(given, Mapping) or is_frame(given)):
        raise InputError(expected, f"; got {type(given).__name__}.", option=Keyword("reference"))
    return Frame.open(given)


def _is_table(given: Mapping[Any, Any], item: str, label: str) -> bool:
    """Two columns by name, rather than items that happen to be called so."""
    return {item, label} <= set(given) and all(
        isinstance(given[name], list | tuple | np.ndarray) for name in (item, label)
    )


def _name(key: Any) -> Label:
    tidy = tidy_label(key)
    if tidy is None:
        raise InputError("An item must have a name; found ", quoted(key), ".")
    return tidy


def _paired(items: list[Any], labels: list[Any], what: str) -> dict[Label, Any]:
    found: dict[Label, Any] = {}
    for key, value in zip(items, labels, strict=True):
        if value is None or (isinstance(value, float) and np.isnan(value)):
            continue
        name = _name(key)
        if name in found and found[name] != value:
            raise two_things(name, found[name], value, f"{what} says two things of")
        found[name] = value
    return found


def _of_study(study: Study, what: str) -> dict[Label, Any]:
    item, _, answer, _ = study._annotations.rows
    found: dict[Label, Any] = {}
    for place, code in zip(item.tolist(), answer.tolist(), strict=True):
        name, value = study.items[place], study.answers.value(code)
        if found.get(name, value) != value:
            raise InputError(
                f"{what} must say one thing of an item; item ",
                at_item(name),
                " has ",
                quoted(found[name]),
                " and ",
                quoted(value),
                ". Build its gold first",
                in_python(": accord.gold(study)", ""),
                ".",
            )
        found[name] = value
    return found


def places(study: Study, found: Mapping[Label, Any]) -> tuple[dict[int, Any], int]:
    """Position of the item ─▶ what is said of it; and how many items the study does not have."""
    by_place = _places_in_file(study, found) if isinstance(found, Written) else _places(study, found)
    if found and not by_place:
        raise InputError(
            "None of its items is in the study: it names ",
            all_quoted(list(found)[:4]),
            ", the study has ",
            all_quoted(list(study.items[:4])),
            ". Are the names of the same type?",
            place=Place(item=next(iter(found))),
            available=study.items[:4],
        )
    return {place: value for place, value in by_place.items() if not _missing(value)}, len(found) - len(by_place)


def _places(study: Study, found: Mapping[Label, Any]) -> dict[int, Any]:
    if len(found) * 20 < len(study.items):
        names = set(found)
        at = {name: place for place, name in enumerate(study.items) if name in names}
    else:
        at = {name: place for place, name in enumerate(study.items)}
    return {at[name]: value for name, value in found.items() if name in at}


def _places_in_file(study: Study, found: Written) -> dict[int, Any]:
    names = NameLookup(study.items)
    by_place: dict[int, Any] = {}
    for name, value in as_the_study_says(study, found).items():
        place = names.place(name)
        if place is None:
            continue
        if by_place.get(place, value) != value:
            raise two_things(name, by_place[place], value, "The file says two things of")
        by_place[place] = value
    return by_place


def _missing(value: Any) -> bool:
    """Is there no label? An empty set says that no label fits."""
    return (isinstance(value, str) or not isinstance(value, Iterable)) and tidy_label(value) is None


def codes_of(study: Study, by_place: Mapping[int, Any], what: str) -> IntArray:
    """(items,): the position of the label said of each item, −1 where nothing is."""
    by_place = as_the_study_says(study, by_place)
    place = {label: position for position, label in enumerate(study.labels)}
    codes = np.full(len(study.items), -1, dtype=np.int64)
    for item, value in by_place.items():
        label = tidy_label(value)
        if label is None:
            continue
        if label not in place or isinstance(label, bool) != isinstance(study.labels[0], bool):
            of_item = " of item ", at_item(study.items[item])
            raise off_the_scale(study.labels, f"{what} says ", quoted(label), *of_item)
        codes[item] = place[label]
    return codes


def as_the_study_says(study: Study, by_place: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Labels as a file has them, where the study's are numbers or yes and no; of a file, whatever the study's are."""
    names = NameLookup(study.labels)
    if isinstance(by_place, Written):
        return {item: _meant(study, names, value) for item, value in by_place.items()}
    present = {item: value for item, value in by_place.items() if not _missing(value)}
    if not study.labels or isinstance(study.labels[0], str):
        return present
    return {item: _label(names, value, value) if isinstance(value, str) else value for item, value in present.items()}


def _meant(study: Study, names: NameLookup, value: Any) -> Any:
    """A cell of a file as the study would say it."""
    if holds_several(value):
        return tuple(_meant(study, names, part) for part in value)
    several = isinstance(value, str) and study.kind in ("set", "ranked")  # taken apart later
    return _label(names, value, value if several else compared_as(value))


def _label(names: NameLookup, value: Any, otherwise: Any) -> Any:
    place = names.place(value)
    return otherwise if place is None else names.names[place]


def labels_in_cell(names: NameLookup, given: Any) -> list[Any]:
    """The labels of a set, as a mapping or a cell has it."""
    if not isinstance(given, str):
        return list(given) if isinstance(given, Iterable) else [given]
    if names.place(given) is not None:
        return [given]
    if given.strip() == EMPTY_SET:
        return []
    parts = given.split(BETWEEN)
    if any(names.place(part) is None for part in parts):  # by hand, with or without blanks
        parts = [part.strip() for part in given.split(BETWEEN.strip())]
    return parts


def sets_of(study: Study, by_place: Mapping[int, Any], what: str) -> tuple[BoolArray, BoolArray]:
    """(items,) of which something is known, and (items, C) the labels said."""
    names = NameLookup(study.labels)
    place: dict[Label | None, int] = {label: position for position, label in enumerate(study.labels)}
    known = np.zeros(len(study.items), dtype=np.bool_)
    members = np.zeros((len(study.items), len(study.labels)), dtype=np.bool_)
    for item, value in by_place.items():
        if _missing(value):
            continue
        labels = labels_in_cell(names, value)
        found = [names.place(label) if isinstance(label, str) else place.get(tidy_label(label)) for label in labels]
        outside = [label for label, position in zip(labels, found, strict=True) if position is None]
        if outside:
            of_item = " of item ", at_item(study.items[item])
            raise off_the_scale(study.labels, f"{what} says ", all_quoted(outside), *of_item)
        known[item] = True
        members[item, [position for position in found if position is not None]] = True
    return known, members


def numbers_of(study: Study, by_place: Mapping[int, Any], what: str, *way_out: Part) -> FloatArray:
    """(items,): the number said of each item, NaN where nothing is; `way_out` ends the message where there is none."""
    numbers = np.full(len(study.items), np.nan)
    for item, value in by_place.items():
        if not _missing(value):
            numbers[item] = _number(value)
        if math.isinf(numbers[item]):
            message = Message(
                f"{what} must say numbers; of item ", quoted(study.items[item]), " it says ", quoted(value), "."
            )
            raise LabelError(message, *way_out)
    return numbers


def _number(value: Any) -> float:
    """A number, or NaN as files have it for none; infinite where it is no number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.inf

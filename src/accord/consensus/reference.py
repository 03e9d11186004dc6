"""What somebody else says the labels are: known gold, a reference to score against, a person's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from accord.answers import Label, tidy_label
from accord.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.filing import BETWEEN
from accord.consensus.written import Written, as_text, labels_in
from accord.errors import InputError, LabelError, listing
from accord.study import Study
from accord.table import Table


def as_mapping(given: Any, what: str, *, item: str = "item", label: str = "label") -> dict[Label, Any]:
    """Item ─▶ label from a mapping, a Gold, a Study with one answer an item, a table with two columns, or a file."""
    if isinstance(given, Written):
        return given  # type: ignore[return-value]
    if isinstance(given, str | Path):
        return labels_in(given, item, label)  # type: ignore[return-value]
    if isinstance(given, Mapping) and not _is_table(given, item, label):
        return {_name(key): value for key, value in given.items()}
    if isinstance(given, Study):
        return _of_study(given, what)
    if hasattr(given, "labels") and hasattr(given, "study"):  # a Gold
        return {name: value for name, value in zip(given.study.items, given.labels, strict=True) if value is not None}
    if isinstance(given, Table):
        return _paired(list(given[item]), list(given[label]), what)
    from accord.engine import Frame

    frame = Frame.open(given)
    return _paired(frame.cells(frame.need("item", item)), frame.cells(frame.need("label", label)), what)


def _is_table(given: Mapping[Any, Any], item: str, label: str) -> bool:
    """Two columns by name, rather than items that happen to be called so."""
    return {item, label} <= set(given) and all(
        isinstance(given[name], list | tuple | np.ndarray) for name in (item, label)
    )


def _name(key: Any) -> Label:
    tidy = tidy_label(key)
    if tidy is None:
        raise InputError(f"An item must have a name; found {key!r}.")
    return tidy


def _paired(items: list[Any], labels: list[Any], what: str) -> dict[Label, Any]:
    found: dict[Label, Any] = {}
    for key, value in zip(items, labels, strict=True):
        if value is None or (isinstance(value, float) and np.isnan(value)):
            continue
        name = _name(key)
        if name in found and found[name] != value:
            raise InputError(
                f"{what} says two things of item {name!r}: {found[name]!r} and {value!r}. Keep one of them."
            )
        found[name] = value
    return found


def _of_study(study: Study, what: str) -> dict[Label, Any]:
    item, _, answer, _ = study.triples.rows
    found: dict[Label, Any] = {}
    for place, code in zip(item.tolist(), answer.tolist(), strict=True):
        name, value = study.items[place], study.answers.value(code)
        if found.get(name, value) != value:
            raise InputError(
                f"{what} must say one thing of an item; item {name!r} has {found[name]!r} and {value!r}. Build its "
                "gold first: accord.gold(study)."
            )
        found[name] = value
    return found


def places(study: Study, found: Mapping[Label, Any]) -> tuple[dict[int, Any], int]:
    """Position of the item ─▶ what is said of it; and how many items the study does not have."""
    if isinstance(found, Written):
        at: dict[Any, int] = {as_text(name): place for place, name in enumerate(study.items)}
    elif len(found) * 20 < len(study.items):
        wanted = set(found)
        at = {name: place for place, name in enumerate(study.items) if name in wanted}
    else:
        at = {name: place for place, name in enumerate(study.items)}
    here = {at[name]: value for name, value in found.items() if name in at}
    if found and not here:
        raise InputError(
            f"None of its items is in the study: it names {listing(list(found)[:4])}, the study has "
            f"{listing(list(study.items[:4]))}. Are the names of the same type?"
        )
    return here, len(found) - len(here)


def codes_of(study: Study, here: Mapping[int, Any], what: str) -> IntArray:
    """(items,): the position of the label said of each item, −1 where nothing is."""
    here = as_the_study_says(study, here)
    place = {label: position for position, label in enumerate(study.labels)}
    codes = np.full(len(study.items), -1, dtype=np.int64)
    for item, value in here.items():
        label = tidy_label(value)
        if label is None:
            continue
        if label not in place or isinstance(label, bool) != isinstance(study.labels[0], bool):
            raise LabelError(
                f"{what} says {label!r} of item {study.items[item]!r}, which the scale {listing(study.labels)} does "
                "not hold. Declare it: labels=[…]."
            )
        codes[item] = place[label]
    return codes


def as_the_study_says(study: Study, here: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Labels that are text, as a file has them, where the study's are numbers or yes and no."""
    if not study.labels or isinstance(study.labels[0], str):
        return here
    meant = {as_text(label): label for label in study.labels}
    return {item: meant.get(as_text(value), value) if isinstance(value, str) else value for item, value in here.items()}


def sets_of(study: Study, here: Mapping[int, Any], what: str) -> tuple[BoolArray, BoolArray]:
    """(items,) of which something is said, and (items, C) the labels said."""
    place = {label: position for position, label in enumerate(study.labels)}
    said = np.zeros(len(study.items), dtype=np.bool_)
    held = np.zeros((len(study.items), len(study.labels)), dtype=np.bool_)
    for item, value in here.items():
        if isinstance(value, str) and value not in place and BETWEEN.strip() in value:
            value = [part.strip() for part in value.split(BETWEEN.strip())]  # noqa: PLW2901 - as a file has a set
        labels = [value] if isinstance(value, str | int | float | bool) else list(value)
        outside = [label for label in labels if tidy_label(label) not in place]
        if outside:
            raise LabelError(
                f"{what} says {listing(outside)} of item {study.items[item]!r}, which the scale "
                f"{listing(study.labels)} does not hold."
            )
        said[item] = True
        held[item, [place[tidy_label(label)] for label in labels]] = True  # type: ignore[index]
    return said, held


def numbers_of(study: Study, here: Mapping[int, Any], what: str) -> FloatArray:
    """(items,): the number said of each item, NaN where nothing is."""
    numbers = np.full(len(study.items), np.nan)
    for item, value in here.items():
        try:
            numbers[item] = float(value)
        except (TypeError, ValueError):
            raise LabelError(f"{what} must say numbers; of item {study.items[item]!r} it says {value!r}.") from None
    return numbers

"""Which items of a suggested data set to annotate, so that the result speaks of the whole."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from accord.annotations.answers import Label, sorted_labels
from accord.annotations.arrays import IntArray
from accord.errors import InputError, Keyword, OptionError, remedy
from accord.options import Rng, is_among
from accord.study.suggested_labels import Design, suggestions_of
from accord.suggestions.sample import Sample

FEWEST = 2  # of a label, below which nothing is known of how its items differ


def sample_for_annotation(
    suggestions: Any,
    size: int,
    /,
    *,
    by_label: Literal["proportional", "equal"] | bool = False,
    item: str = "item",
    rng: Rng = None,
) -> Sample:
    """Draw items of a suggested data set for annotation; the interval of κ_DH then speaks of the whole data set.

    Args:
        suggestions: The whole suggested data set: a mapping from item to label, a table with the columns `item` and
            `suggested` (or `label`), or a list of labels by row number.
        size: How many items to draw.
        by_label: False draws from all items alike. "proportional" (or True) draws from each suggested label its share,
            "equal" the same number from each, so that rare labels are judged too; what is drawn is weighted back.
        item: The column that names the item.
        rng: A seed or a Generator; by default the seed 0. The sample keeps it.

    Returns:
        A `Sample`: `to_table()` for the annotators; hand it to `dipietro_hazari_kappa(study, suggested=sample)`.

    Raises:
        InputError: If there are no suggestions, or the table has no such columns.
        OptionError: If `size` is not from 1 to the number of items, or too small to hold every label.

    At least two items are drawn of each label (or all there are), so that every label has an error.

    >>> whole = {number: "spam" if number % 10 == 0 else "ham" for number in range(1000)}
    >>> sample = sample_for_annotation(whole, 100, by_label="equal", rng=7)
    >>> sample
    100 of 1,000 suggested items, equal numbers of each label (seed 7)
    >>> list(sample.by_label()["drawn"])
    [50, 50]
    """
    from accord.options import seeded

    allowed = (False, True, "proportional", "equal")
    if not is_among(by_label, allowed):
        raise OptionError.choice("by_label", by_label, [str(choice) for choice in allowed], of_data=True)
    whole = suggestions_of(suggestions, item)
    if not whole:
        raise InputError("There are no suggestions to draw from.", option=Keyword("suggested"))
    if not _whole_number(size) or not 1 <= size <= len(whole):
        raise OptionError.must("size", f"be a whole number from 1 to the {len(whole):,} suggested items", size)
    generator, seed = seeded(rng)
    without = _given(suggestions) - len(whole)
    names = sorted(whole, key=lambda name: (type(name).__name__, name))  # a seed means the same in any order
    if not by_label:
        drawn = np.sort(generator.choice(len(names), int(size), replace=False))
        chosen = {names[place]: whole[names[place]] for place in drawn.tolist()}
        return Sample(chosen, Design({None: len(whole)}), "drawn at random", seed, without)
    how = "equal" if by_label == "equal" else "proportional"
    return _stratified(whole, names, int(size), how, generator, seed, without)


def _stratified(
    whole: dict[Any, Label],
    names: list[Any],
    size: int,
    how: str,
    rng: np.random.Generator,
    seed: int | None,
    without: int,
) -> Sample:
    labels = sorted_labels(set(whole.values()))
    places = {label: [name for name in names if whole[name] == label] for label in labels}
    present = np.array([len(places[label]) for label in labels])
    if size < np.minimum(present, FEWEST).sum():
        raise OptionError(
            f"{size} items cannot hold {FEWEST} of each of the {len(labels)} labels; draw at least "
            f"{int(np.minimum(present, FEWEST).sum())}, or say ",
            remedy(by_label=False),
            ".",
        )
    numbers = _allocated(present, size, how)
    chosen: dict[Any, Label] = {}
    for label, number in zip(labels, numbers.tolist(), strict=True):
        drawn = np.sort(rng.choice(len(places[label]), number, replace=False))
        chosen.update({places[label][place]: label for place in drawn.tolist()})
    chosen = {name: chosen[name] for name in names if name in chosen}  # the order must not give the label away
    how_drawn = "equal numbers of each label" if how == "equal" else "of each label its share"
    population: dict[Label | None, int] = {label: len(places[label]) for label in labels}
    return Sample(chosen, Design(population), how_drawn, seed, without)


def _allocated(present: IntArray, size: int, how: str) -> IntArray:
    """How many to draw of each label: one at a time to the label that is furthest below its share."""
    numbers = np.minimum(present, FEWEST)
    share = present / present.sum() if how == "proportional" else np.full(len(present), 1 / len(present))
    while numbers.sum() < size:
        short = np.where(numbers < present, share * size - numbers, -np.inf)
        numbers[int(short.argmax())] += 1
    return numbers


def _whole_number(size: object) -> bool:
    return isinstance(size, int | np.integer) and not isinstance(size, bool)


def _given(suggestions: Any) -> int:
    """How many rows or items were given, with a label or without."""
    from accord.study.shapes.cells import is_table

    if is_table(suggestions):
        from accord.engine.frames import Frame

        first = next(iter(suggestions.values()), None) if isinstance(suggestions, dict) else None
        if isinstance(suggestions, dict) and not isinstance(first, list | tuple | np.ndarray):
            return len(suggestions)
        return len(Frame.open(suggestions))
    return len(suggestions)

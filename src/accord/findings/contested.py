"""Items: which are contested, by how much, and what was answered; the best candidates for discussion first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.build import each_once, tallied
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.mixed_answers import unmixed
from accord.annotations.tally import Tally
from accord.errors import LabelError, MeasureError, collected, counted
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt
from accord.findings.label_texts import answer_text
from accord.findings.study_view import View
from accord.measures.measure_all import among_annotators
from accord.options import check_whole
from accord.study.in_memory import in_memory_where_small
from accord.study.item_texts import text_column, texts_of
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

ALIKE = 1 - 1e-12  # an item with this much agreement is not contested
NAMED_ANSWERS = 12  # annotators up to whom each answer is told with its name
SHOWN = 10  # items that a finding names
MOST = 1000  # rows of the table unless more are asked for
MOST_PAIRS = 20_000_000
FIND = "A tally does not say which they are: list them from the annotations that it was made from. "
FETCH = "They are too many to be brought here from their engine: filter the frame to see which they are. "


def look(view: View) -> Iterator[Clue]:
    """How many items are contested, and whether few of them hold the disagreement. A fact, and a note."""
    if view.main.coefficient is None:
        return
    if tallied(view.main).tally.locate is None:
        yield NotLookedAt("contested items", "The items are not known one by one; they stay in the engine.")
        return
    distance, items = _mean_distances(view.main), tallied(view.main).tally.units
    present = np.isfinite(distance)
    apart, number = distance[present], items[present]
    contested = int(number[apart > 1 - ALIKE].sum())
    if not contested:
        return
    half, annotations = _hold_half(apart, number), view.study._annotations
    table = _table(view.main, SHOWN) if annotations.lists_items else None
    find = "" if annotations.lists_items else FETCH if annotations.tells_items else FIND
    yield Finding(
        "contested-items",
        "note",
        f"{contested:,} of {int(number.sum()):,} items with two or more answers are contested "
        f"({contested / number.sum():.0%}); {counted(half, 'items')} {'holds' if half == 1 else 'hold'} half of the "
        "disagreement.",
        f"{find}Discuss the first of these items with all annotators; what settles them "
        "belongs into the guidelines as examples and edge cases.",
        evidence=(
            Evidence("share of items that are contested", contested / float(number.sum())),
            Evidence("items that hold half of the disagreement", float(half)),
        ),
        sources=("zhao2025", "rosenberg2004"),
        items=() if table is None else tuple(table["item"].tolist()),
        table=table,
    )


def _hold_half(apart: FloatArray, number: IntArray) -> int:
    """The fewest items that hold half of all disagreement."""
    order = np.argsort(-apart, kind="stable")
    cumulated = np.cumsum(apart[order] * number[order])
    enough = int(np.searchsorted(cumulated, cumulated[-1] / 2))
    before = cumulated[enough - 1] if enough else 0.0
    some = int(np.ceil((cumulated[-1] / 2 - before) / apart[order[enough]]))
    return int(number[order[:enough]].sum()) + some


def contested_items(
    data: Any, /, *, most: int | None = MOST, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """The items on which answers differ, the best candidates for discussion first.

    `disagreement` is the mean distance between two answers, by the weights of the recommended coefficient. `entropy` is
    that of the item's answers in nats, with Miller and Madow's correction (m − 1) / 2n for the m different answers seen
    among n; `variance` that of ordered or numeric labels. First come items with the most disagreement; among equals
    those with more answers, then those whose answers clash as answers often do in this study, because settling one of
    them settles most.

    Args:
        data: A `Study`, or what one is made of.
        most: How many rows at most; None for all contested items.
        labels: The scale: all labels there are, in order.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with one row per item: item, answers, disagreement, entropy, its text where there is one, and what was
        given by whom.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If items stay in an engine.
        OptionError: If `most` is below 1.

    >>> table = contested_items([["a", "a", "b"], ["a", "b", "c"], ["a", "a", "a"]])
    >>> [(row["item"], round(row["disagreement"], 2), round(row["entropy"], 2), row["given"]) for row in table]
    [(1, 1.0, 1.43, 'a: 1; b: 2; c: 3'), (0, 0.67, 0.8, 'a: 1, 2; b: 3')]
    """
    study = in_memory_where_small(as_study(data, None, labels, roles))
    main = each_once(among_annotators(study))
    if main.coefficient is None:
        return Table("Contested items", {"item": [], "disagreement": np.empty(0)}, (main.undefined or "",))
    if tallied(main).tally.locate is None:
        raise MeasureError(
            "The items are not known one by one; they stay in the engine. Collect the frame first.",
            remedies=[collected()],
        )
    if most is not None:
        check_whole("most", most, 1)
    return _table(main, most)


def _table(main: Agreement, most: int | None) -> Table:
    study = main.study
    found = most_contested(main, most)
    data: dict[str, Any] = {
        "item": [study.items[number] for number in found.items.tolist()],
        "answers": found.answers,
        "disagreement": found.disagreement,
    }
    if study.kind != "score":
        data["entropy"] = found.entropy
    if found.variance is not None:
        data["variance"] = found.variance
    column = text_column(study)
    if column is not None:
        data["text"] = texts_of(study, column, found.items.tolist())
    data["given"] = [text.replace("\n", "; ") for text in given_answers(study, found.items.tolist())]
    shown = len(found.items)
    notes = (f"{shown:,} of {found.all:,} contested items are shown.",) if found.all > shown else ()
    return Table("Contested items, the best candidates for discussion first", data, notes)


@dataclass(frozen=True, eq=False)
class Contested:
    """Contested items by their positions, in order, and how contested each is."""

    items: IntArray
    answers: IntArray
    disagreement: FloatArray
    entropy: FloatArray
    variance: FloatArray | None  # where labels have an order
    all: int  # how many contested items there are


def most_contested(main: Agreement, most: int | None) -> Contested:
    """The most contested items of a result; of none of them (0) how many there are."""
    main = each_once(main)
    tally = tallied(main).tally
    if tally.locate is None:  # the items are not known one by one
        none = np.empty(0)
        return Contested(none.astype(np.int64), none.astype(np.int64), none, none, None, 0)
    apart = _mean_distances(main)
    keep = np.nonzero(np.nan_to_num(apart) > 1 - ALIKE)[0]
    single = unmixed(tally if tally.annotator is None else tally.anonymous())
    keys = np.stack((-_usual(single, apart)[keep], -tally.answered[keep], -np.round(apart[keep], 12)))
    order = np.lexsort(keys)
    keep, keys = keep[order], keys[:, order]
    number = int(tally.items[keep].sum())
    step = np.cumsum(np.append(False, (keys[:, 1:] != keys[:, :-1]).any(0))[: len(keep)])  # equals share a place
    if most is not None and len(keep):  # the places that hold enough items: the rest is never looked up
        last = min(int(np.searchsorted(np.cumsum(tally.items[keep]), most)), len(keep) - 1)
        keep, step = keep[step <= step[last]], step[step <= step[last]]
    rank, kept = np.zeros(len(tally), dtype=np.int64), np.zeros(len(tally) + 1, dtype=bool)
    rank[keep], kept[keep] = step, True
    place = np.empty(0, np.int64) if most == 0 else tally.locate()
    wanted = np.nonzero(kept[place])[0]  # −1, not there, is the last place, which is not kept
    wanted = wanted[np.argsort(rank[place[wanted]], kind="stable")][:most]
    pattern = place[wanted]
    entropy, variance = _entropy(single), _variance(single)
    return Contested(
        wanted, tally.answered[pattern], apart[pattern], entropy[pattern],
        None if variance is None else variance[pattern], number,
    )  # fmt: skip


def _mean_distances(main: Agreement) -> FloatArray:
    """(P,) mean distance between two answers; none where all are the same, whatever the weights of divided answers."""
    tally = tallied(main).tally
    low = np.full(len(tally), len(tally.answers))
    high = np.full(len(tally), -1)
    np.minimum.at(low, tally.pattern, tally.answer)
    np.maximum.at(high, tally.pattern, tally.answer)
    apart = np.maximum(1 - tallied(main).decomposition().observed, 0.0)
    alike = (low == high) & (low < len(tally.answers.unmixed))  # who both gave half of each are not alike
    return np.where(alike & np.isfinite(apart), 0.0, apart)


def _entropy(single: Tally) -> FloatArray:
    """(P,) of the answers of an item, whoever gave them: −Σ q ln q + (m − 1) / 2n."""
    share = single.count / single.answered[single.pattern]
    seen = np.bincount(single.pattern[single.count > 0], minlength=len(single))
    plain = -single.per_pattern(share * np.log(np.where(share > 0, share, 1.0)))
    return np.asarray(np.abs(plain) + divide(np.maximum(seen - 1.0, 0), 2 * single.answered))


def _variance(tally: Tally) -> FloatArray | None:
    """(P,) of ordered or numeric answers, n − 1 below; None where labels have no order."""
    try:
        position = tally.answers.positions("variance")
    except LabelError:
        return None
    total = tally.per_pattern(tally.count * position[tally.answer])
    mean = divide(total, tally.answered)
    squares = tally.per_pattern(tally.count * (position[tally.answer] - mean[tally.pattern]) ** 2)
    return np.asarray(divide(squares, tally.answered - 1))


def _usual(single: Tally, apart: FloatArray) -> FloatArray:
    """(P,) how common the clash of an item's answers is in the study: the largest share among its pairs of answers."""
    usual, size = np.zeros(len(single)), len(single.answers)
    if size > 300 or float((np.diff(single.starts) ** 2.0).sum()) > MOST_PAIRS:
        return usual
    blocks = list(single.pairs())
    weight = single.items * np.nan_to_num(apart)
    common = np.zeros(size * size)
    for left, right in blocks:
        common += add_up(single.answer[left] * size + single.answer[right], weight[single.pattern[left]], size * size)
    for left, right in blocks:
        np.maximum.at(usual, single.pattern[left], common[single.answer[left] * size + single.answer[right]])
    return usual


def given_answers(study: Study, order: list[int]) -> list[str]:
    """Each answer of some items with who gave it; in a crowd, or where nobody is named, with how many did."""
    given: dict[int, dict[int, list[str]]] = {number: {} for number in order}
    votes: dict[int, Counter[int]] = {number: Counter() for number in order}
    for number, who, what, times in _annotations(study, order):
        votes[number][what] += times
        if study._annotations.named:
            given[number].setdefault(what, []).append(study.annotators[who])
    names = study._annotations.named and study.n_annotators <= NAMED_ANSWERS and study.kind != "score"
    texts = []
    for number in order:
        if study.kind == "score":
            values = sorted(votes[number].elements())
            texts.append(", ".join(answer_text(study.answers.value(what)) for what in values))
            continue
        ranked = sorted(votes[number].items(), key=lambda vote: (-vote[1], vote[0]))
        parts = [(answer_text(study.answers.value(what)), what, times) for what, times in ranked]
        texts.append(
            "\n".join(f"{text}: {', '.join(given[number][what])}" for text, what, _ in parts)
            if names
            else ", ".join(f"{text} ×{times}" for text, _, times in parts)
        )
    return texts


def _annotations(study: Study, order: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """Item, annotator, answer and count of the annotations of some items."""
    grid = study._annotations.to_memory().grid
    if grid is not None:  # their rows, and no other
        item, who = np.nonzero(grid[order] >= 0)
        for row, person in zip(item.tolist(), who.tolist(), strict=True):
            yield order[row], person, int(grid[order[row], person]), 1
        return
    item = study._annotations.rows[0]
    wanted = np.zeros(int(item.max(initial=-1)) + 1, dtype=np.bool_)  # a study in an engine has no count
    wanted[order] = True
    chosen = wanted[item]
    yield from zip(*(column[chosen].tolist() for column in study._annotations.rows), strict=True)

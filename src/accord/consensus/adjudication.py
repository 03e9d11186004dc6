"""The queue of items that a person should look at, and their decisions read back in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.annotator_tables import need_names
from accord.consensus.decision import Decision
from accord.consensus.gold import Gold
from accord.consensus.item_table import answers, why
from accord.consensus.label_names import NameLookup
from accord.consensus.queue_files import (
    FILL_IN,
    Row,
    blank,
    check_ending,
    checked,
    kept_rows,
    rows_in,
    write_queue,
)
from accord.consensus.reference import opened
from accord.engine.whole_file import check_target, is_free
from accord.errors import InputError, Keyword, OptionError, Place, at_item, quoted, remedy
from accord.options import is_whole
from accord.study.csv_writer import csv_cell
from accord.study.item_texts import refuse_texts_as_names, text_column, texts_of

COLUMNS = (
    "item", "text", "label", "confidence", "answers", "annotators", "reason", "uncertainty", *FILL_IN,
)  # fmt: skip


def uncertainty(gold: Gold) -> FloatArray:
    """(items,): how likely the present label is wrong; zero where it is known or a person decided."""
    loss = gold._of_kind.loss(answers(gold).astype(np.float64))
    if gold.known is not None:
        loss[gold.known] = 0.0
    loss[list(gold.decisions)] = 0.0
    return loss


def check_length(n: Any) -> None:
    """A queue of nothing, or of half an item, is none."""
    if not is_whole(n) or n < 1:
        raise OptionError.must("n", "be how many items the queue holds, a whole number such as 20", n)


@dataclass(frozen=True)
class QueueSheet:
    """What a queue shows of an item beside its answers, and where it is written."""

    path: Path | None = None
    show_text: bool = True
    show_annotators: bool = False
    force: bool = False  # whether decisions in the file may be lost


def queue(gold: Gold, n: int, sheet: QueueSheet) -> Table:
    """The n most uncertain items, in order."""
    check_length(n)
    if not sheet.show_text:
        refuse_texts_as_names(gold.study)
    kept: list[Row] = []
    free = not sheet.force and sheet.path is not None and is_free(sheet.path)
    if sheet.path is not None:
        check_ending(sheet.path)
        check_target(sheet.path)
        kept = kept_rows(sheet.path, _decisions_by_row(gold), force=sheet.force)
    loss = uncertainty(gold)
    order = np.lexsort((np.arange(len(loss)), -gold._of_kind.alike(loss)))[:n]
    order = order[loss[order] > 0]
    texts = _texts(gold, order) if sheet.show_text else []
    answers_of, people_of = _answers(gold, order), _people(gold, order) if sheet.show_annotators else {}
    rows = [_row(gold, int(place), float(loss[place]), answers_of.get(int(place), "")) for place in order]
    for row, text in zip(rows, texts, strict=False):
        row["text"] = text
    for row, place in zip(rows, order.tolist(), strict=True):
        row["annotators"] = people_of.get(place, "")
    shown = {"text": any(texts), "annotators": sheet.show_annotators}
    names = [name for name in COLUMNS if shown.get(name, True)]
    table = Table("Items to decide", {name: [row[name] for row in rows] for name in names})
    if sheet.path is not None:
        write_queue(table, kept, sheet.path, free=free)
    return table


def _decisions_by_row(gold: Gold) -> Callable[[Row], Decision | None]:
    items = NameLookup(gold.study.items)

    def decision_of(row: Row) -> Decision | None:
        place = items.place(row["item"])
        return None if place is None else gold.decisions.get(place)

    return decision_of


def _row(gold: Gold, place: int, loss: float, answers_text: str) -> dict[str, Any]:
    label = gold.labels[place]
    return {
        "item": gold.study.items[place],
        "label": label,
        "confidence": float(gold._of_kind.sure[place]),
        "answers": answers_text,
        "reason": why(gold, place) or _doubt(gold, place),
        "uncertainty": loss,
        **dict.fromkeys(FILL_IN, ""),
    }


def _texts(gold: Gold, places: IntArray) -> list[str]:
    """The texts of some items; nothing where the study has none."""
    column = text_column(gold.study)
    return [] if column is None else texts_of(gold.study, column, places.tolist())


def _answers(gold: Gold, places: IntArray) -> dict[int, str]:
    """The answers to some items, most often first: "3: 2 votes, 4: 1"."""
    item, _, answer, count = gold.study._annotations.rows
    counted: dict[int, dict[Any, int]] = {int(place): {} for place in places}
    for where in np.nonzero(np.isin(item, places))[0].tolist():
        value, counts = gold.study.answers.value(int(answer[where])), counted[int(item[where])]
        counts[value] = counts.get(value, 0) + int(count[where])
    ranked = {
        place: sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))) for place, counts in counted.items()
    }
    return {place: _in_words(pairs) for place, pairs in ranked.items()}


def _in_words(pairs: list[tuple[Any, int]]) -> str:
    unit = [" vote" if n == 1 else " votes" for _, n in pairs[:1]] + [""] * len(pairs)
    return ", ".join(f"{csv_cell(value)}: {n}{word}" for (value, n), word in zip(pairs, unit, strict=False))


def _people(gold: Gold, places: IntArray) -> dict[int, str]:
    """Who said what of some items, in the order of names: "ana: x, ben: y"."""
    need_names(gold, "Who said what")
    item, annotator, answer, _ = gold.study._annotations.rows
    answers_by_item: dict[int, list[tuple[str, str]]] = {int(place): [] for place in places}
    for where in np.nonzero(np.isin(item, places))[0].tolist():
        value = csv_cell(gold.study.answers.value(int(answer[where])))
        answers_by_item[int(item[where])].append((gold.study.annotators[int(annotator[where])], str(value)))
    return {
        place: ", ".join(f"{who}: {value}" for who, value in sorted(pairs)) for place, pairs in answers_by_item.items()
    }


def _doubt(gold: Gold, place: int) -> str:
    number = int(answers(gold)[place])
    few = "1 answer" if number == 1 else f"{number} answers"
    return gold._of_kind.doubt(place, few)


def decided(gold: Gold, decisions: Any, by: str | None, at: str | None) -> Gold:
    """The gold with decisions merged in; later ones replace earlier ones of the same item, and both tables must
    agree.
    """
    rows = rows_of(decisions)
    items, labels = NameLookup(gold.study.items), NameLookup(gold.study.labels)
    now = at or datetime.now(UTC).isoformat(timespec="seconds")
    merged: dict[int, Decision] = {}
    for row in rows:
        given = row.get("decision")
        if blank(given):
            continue
        place = place_of_item(items, row["item"])
        who = by if blank(row.get("decided_by")) else str(row["decided_by"])
        if who is None:
            raise InputError(
                "Who decided item ", at_item(row["item"]), "? Fill in decided_by, or say ", remedy(by=...), "."
            )
        label = gold._of_kind.decision(labels, given, row["item"])
        if place in merged and merged[place].label != label:
            raise InputError(
                "Two decisions of item ",
                at_item(row["item"]),
                " contradict each other: ",
                quoted(merged[place].label),
                " and ",
                quoted(label),
                ". Keep one.",
            )
        merged[place] = Decision(label, who, now if blank(row.get("decided_at")) else str(row["decided_at"]))
    return replace(gold, decisions={**gold.decisions, **merged})


def rows_of(decisions: Any) -> list[dict[str, Any]]:
    """The rows of a queue that is filled in, or of a mapping."""
    if isinstance(decisions, str | Path):
        return rows_in(Path(decisions))
    if isinstance(decisions, Table):
        return checked(list(decisions))
    if isinstance(decisions, Mapping) and not {"item", "decision"} <= set(decisions):
        return [{"item": item, "decision": label} for item, label in decisions.items()]
    frame = opened(
        decisions,
        "Decisions are a queue that is filled in (a table with the columns 'item' and 'decision', or the path of its "
        "file) or a mapping item ─▶ label",
    )
    columns = {name: frame.cells(name) for name in frame.columns}
    return checked([dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)])


def place_of_item(items: NameLookup, item: Any) -> int:
    """Where the item of a decision stands among those of the study."""
    place = items.place(item)
    if place is None:
        raise InputError(
            "A decision names item ",
            at_item(item),
            ", which the study does not have. Mend its name, or take it out.",
            option=Keyword("decisions", item),
            place=Place(item=item),
        )
    return place

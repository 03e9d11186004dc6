"""The queue of items that a person should look at, and their decisions read back in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import LabelSet
from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.item_table import answers, why
from accord.consensus.label_names import Names, is_number
from accord.consensus.reference import labels_in_cell, opened
from accord.errors import InputError, LabelError, OptionError, listing, remedy
from accord.options import is_whole
from accord.study.csv_writer import csv_cell, write_csv
from accord.study.write import whole

if TYPE_CHECKING:
    from accord.consensus.gold import Gold

FILL_IN = ("decision", "decided_by", "decided_at")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
ROUNDED = ("confidence", "uncertainty")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a cell that a spreadsheet would run


def uncertainty(gold: Gold) -> FloatArray:
    """(items,): how likely the present label is wrong; zero where it is known or a person decided."""
    number = answers(gold).astype(np.float64)
    if gold.kind == "score":
        loss = np.where(number > 0, np.nan_to_num(gold.standard_errors, nan=_typical(gold)), np.inf)
    else:
        confidence = np.nan_to_num(gold.confidence, nan=0.0)
        choices = 2 if gold.kind == "set" else max(len(gold.study.labels), 2)
        if gold.confidence_is == "posterior":
            loss = 1 - confidence
        else:  # a share of few votes tells less than the same share of many
            loss = 1 - (confidence * number + 1) / (number + choices)
    if gold.known is not None:
        loss[gold.known] = 0.0
    loss[list(gold.decisions)] = 0.0
    return loss


def _typical(gold: Gold) -> float:
    """A score without a standard error: as unsure as the least sure that has one."""
    errors = gold.standard_errors[~np.isnan(gold.standard_errors)]
    return float(errors.max()) if len(errors) else 1.0


def check_length(n: Any) -> None:
    """A queue of nothing, or of half an item, is none."""
    if not is_whole(n) or n < 1:
        raise OptionError.must("n", "be how many items the queue holds, a whole number such as 20", n)


def queue(gold: Gold, n: int, path: Any) -> Table:
    """The n most uncertain items, in order."""
    check_length(n)
    loss = uncertainty(gold)
    order = np.lexsort((np.arange(len(loss)), -loss))[:n]
    order = order[loss[order] > 0]
    answers_of = _answers(gold, order)
    rows = [_row(gold, int(place), float(loss[place]), answers_of.get(int(place), "")) for place in order]
    names = ["item", "label", "confidence", "answers", "reason", "uncertainty", *FILL_IN]
    table = Table("Items to decide", {name: [row[name] for row in rows] for name in names})
    if path is not None:
        _write(table, Path(path))
    return table


def _row(gold: Gold, place: int, loss: float, answers_text: str) -> dict[str, Any]:
    label = gold.labels[place]
    return {
        "item": gold.study.items[place],
        "label": label,
        "confidence": float(gold.confidence[place]) if gold.kind != "score" else float(gold.standard_errors[place]),
        "answers": answers_text,
        "reason": why(gold, place) or _doubt(gold, place),
        "uncertainty": loss,
        **dict.fromkeys(FILL_IN, ""),
    }


def _answers(gold: Gold, places: IntArray) -> dict[int, str]:
    """The answers to some items, most often first."""
    item, _, answer, count = gold.study._annotations.rows
    counted: dict[int, dict[Any, int]] = {int(place): {} for place in places}
    for where in np.nonzero(np.isin(item, places))[0].tolist():
        value, counts = gold.study.answers.value(int(answer[where])), counted[int(item[where])]
        counts[value] = counts.get(value, 0) + int(count[where])
    ranked = {
        place: sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))) for place, counts in counted.items()
    }
    return {place: ", ".join(f"{csv_cell(value)} × {n}" for value, n in pairs) for place, pairs in ranked.items()}


def _doubt(gold: Gold, place: int) -> str:
    number = int(answers(gold)[place])
    few = "1 answer" if number == 1 else f"{number} answers"
    if gold.kind == "score":
        return f"standard error {gold.standard_errors[place]:.3g} from {few}"
    if np.isnan(gold.confidence[place]):
        return f"{few}, and nothing to judge by"
    return f"{gold.confidence_is} {gold.confidence[place]:.2f} from {few}"


def _write(table: Table, path: Path) -> None:
    if path.suffix.lower() not in DELIMITERS:
        raise OptionError.ending(path.name, DELIMITERS)
    with whole(path) as half, half.open("w", encoding="utf-8", newline="") as file:
        rows = ([_written(name, cell) for name, cell in row.items()] for row in table)
        write_csv(file, table.columns, rows, DELIMITERS[path.suffix.lower()])


def _written(name: str, cell: Any) -> str:
    """A cell of the file: few digits, and a quote in front of what a spreadsheet would run."""
    text = f"{cell:.6g}" if name in ROUNDED else "" if cell is None else str(csv_cell(cell))
    return f"'{text}" if text.startswith(FORMULA) and not is_number(text) else text


def _armed(cell: Any) -> Any:
    """As it was before a quote was put in front of what a spreadsheet would run."""
    quoted = isinstance(cell, str) and cell.startswith("'") and cell[1:].startswith(FORMULA)
    return cell[1:] if quoted else cell


def decided(gold: Gold, decisions: Any, by: str | None, at: str | None) -> Gold:
    """The gold with decisions merged in; later ones replace earlier ones of the same item, and both tables must
    agree.
    """
    from accord.consensus.gold import Decision

    rows = _rows(decisions)
    items, labels = Names(gold.study.items), Names(gold.study.labels)
    now = at or datetime.now(UTC).isoformat(timespec="seconds")
    merged: dict[int, Decision] = {}
    for row in rows:
        given = row.get("decision")
        if _blank(given):
            continue
        place = _found(items, row["item"])
        who = by if _blank(row.get("decided_by")) else str(row["decided_by"])
        if who is None:
            raise InputError(f"Who decided item {row['item']!r}? Fill in decided_by, or say ", remedy(by=...), ".")
        label = _label(gold, labels, given, row["item"])
        if place in merged and merged[place].label != label:
            raise InputError(
                f"Two decisions of item {row['item']!r} contradict each other: {merged[place].label!r} and {label!r}. "
                "Keep one."
            )
        merged[place] = Decision(label, who, now if _blank(row.get("decided_at")) else str(row["decided_at"]))
    return replace(gold, decisions={**gold.decisions, **merged})


def _rows(decisions: Any) -> list[dict[str, Any]]:
    if isinstance(decisions, str | Path):
        return _rows_in(Path(decisions))
    if isinstance(decisions, Table):
        return _checked(list(decisions))
    if isinstance(decisions, Mapping) and not {"item", "decision"} <= set(decisions):
        return [{"item": item, "decision": label} for item, label in decisions.items()]
    frame = opened(
        decisions,
        "Decisions are a queue that is filled in (a table with the columns 'item' and 'decision', or the path of its "
        "file) or a mapping item ─▶ label",
    )
    columns = {name: frame.cells(name) for name in frame.columns}
    return _checked([dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)])


def _rows_in(file: Path) -> list[dict[str, Any]]:
    """A file is there to decide something; short rows end in blanks."""
    from accord.consensus.label_files import table_in  # readers load when a file comes

    names, cells = table_in(file)
    if names is None:
        raise InputError(f"{file.name!r} does not name its columns. A queue has the columns item and decision.")
    read = [dict(zip_longest(names, map(_armed, row[: len(names)]))) for row in cells]
    rows = _checked(read or [dict.fromkeys(names)])
    if all(_blank(row["decision"]) for row in rows):
        raise InputError(f"{file.name!r} holds no decision. Fill in its column 'decision'.")
    return rows


def _checked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for name in ("item", "decision"):
        if rows and name not in rows[0]:
            raise InputError(
                f"No column {name!r} among the decisions, which have {listing(rows[0])}. A queue has the columns item "
                "and decision: name them so."
            )
    return rows


def _blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip()) or (isinstance(cell, float) and np.isnan(cell))


def _found(items: Names, item: Any) -> int:
    place = items.place(item)
    if place is None:
        raise InputError(
            f"A decision names item {item!r}, which the study does not have. Mend its name, or take it out."
        )
    return place


def _label(gold: Gold, labels: Names, given: Any, item: Any) -> Any:
    """A decision as the gold holds it."""
    if gold.kind == "score":
        return _score(given, item)
    if gold.kind == "single":
        return gold.study.labels[_known_label(labels, given, item)]
    chosen = sorted({_known_label(labels, label, item) for label in labels_in_cell(labels, given)})
    return LabelSet(gold.study.labels[place] for place in chosen)


def _score(given: Any, item: Any) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise LabelError(f"The decision of item {item!r} must be a number; it is {given!r}. Mend it.")
    return number


def _known_label(labels: Names, given: Any, item: Any) -> int:
    place = labels.place(given)
    if place is None:
        raise LabelError(
            f"The decision of item {item!r} is {given!r}, which the scale {listing(labels.names)} does not hold. "
            "Choose one of them, or declare it: ",
            remedy(labels=[...]),
            ".",
        )
    return place

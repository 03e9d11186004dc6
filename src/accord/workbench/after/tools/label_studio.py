"""Label Studio's JSON: a task per item, with one annotation that is marked as ground truth."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from accord.annotations.answers import Kind
from accord.options import ESCAPED
from accord.workbench.after.final_gold import FinalItem
from accord.workbench.after.tools.sheet import GoldSheet

ENDING = ".json"


def contents(sheet: GoldSheet) -> bytes:
    """A list of tasks. An undecided item is a task without annotation: somebody still has to do it."""
    tasks = [_task(sheet, item) for item in sheet.items]
    return (json.dumps(tasks, ensure_ascii=False, indent=1) + "\n").encode("utf-8", ESCAPED)


def _task(sheet: GoldSheet, item: FinalItem) -> dict[str, Any]:
    data = {"text": item.text, "item": item.item, **sheet.beside(item)}
    task: dict[str, Any] = {"data": data, "annotations": []}
    if isinstance(item.item, int):
        task["id"] = item.item
    if item.answer is not None:
        results = RESULTS.get(sheet.kind, _choices)(sheet, item)
        task["annotations"] = [{"result": results, "ground_truth": True, "was_cancelled": False}]
    return task


def _result(sheet: GoldSheet, number: int, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    name = sheet.task or "label"
    return {"id": f"r{number}", "from_name": name, "to_name": "text", "type": kind, "value": value}


def _choices(sheet: GoldSheet, item: FinalItem) -> list[dict[str, Any]]:
    chosen = [str(label) for label in sheet.listed(item)]
    return [_result(sheet, 1, "choices", {"choices": chosen})]


def _number(sheet: GoldSheet, item: FinalItem) -> list[dict[str, Any]]:
    return [_result(sheet, 1, "number", {"number": item.answer})]


def _ranker(sheet: GoldSheet, item: FinalItem) -> list[dict[str, Any]]:
    order = [str(label) for label in sheet.listed(item)]
    return [_result(sheet, 1, "ranker", {"ranker": {"rank": order}})]


def _spans(sheet: GoldSheet, item: FinalItem) -> list[dict[str, Any]]:
    return [
        _result(
            sheet,
            number,
            "labels",
            {
                "start": unit.start,
                "end": unit.end,
                "text": unit.words(item.text),
                "labels": [str(unit.label)],
            },
        )
        for number, unit in enumerate(sheet.units(item), start=1)
    ]


RESULTS: dict[Kind, Callable[[GoldSheet, FinalItem], list[dict[str, Any]]]] = {
    "score": _number,
    "ranked": _ranker,
    "ranking": _ranker,
    "spans": _spans,
}

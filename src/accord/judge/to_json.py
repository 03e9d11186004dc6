"""How the answers about models are written down: one form for JSON, whatever the question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.errors import json_value
from accord.options import head


def judgement(
    question: str, values: Mapping[str, Any], tables: Mapping[str, Table], notes: Sequence[str]
) -> dict[str, Any]:
    """A question about models, the numbers that answer it, the tables behind them, and what to know of both."""
    return {
        **head("judgement"),
        "question": question,
        "values": {name: json_value(_ends(value)) for name, value in values.items()},
        "tables": {name: table.to_dict()["rows"] for name, table in tables.items()},
        "notes": list(notes),
    }


def _ends(value: Any) -> Any:
    """An interval as its two ends."""
    return [value.low, value.high] if isinstance(value, Interval) else value


def span(low: float, high: float, digits: int = 3) -> str:
    """An interval in brackets; nothing where there is none."""
    if math.isnan(low) or math.isnan(high):
        return ""
    return f" [{low:z.{digits}f}, ∞)" if math.isinf(high) else f" [{low:z.{digits}f}, {high:z.{digits}f}]"

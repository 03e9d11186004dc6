"""What a gold reached against a reference, for other programs."""

from __future__ import annotations

import json

import accord


def test_what_has_no_value_is_null_among_numbers_too() -> None:
    gold = accord.gold(accord.Study.from_wide({"ana": [3, 3, 2, 1], "ben": [3, 1, 1, 3]}), method="mean")
    told = json.loads(json.dumps(gold.score({0: 3}).to_dict(), allow_nan=False))
    assert told["numbers"] == {
        "mean absolute error": 0,
        "root mean squared error": 0,
        "bias": 0,
        "correlation": None,
    }

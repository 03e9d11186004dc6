"""Run as a script, in a process of its own: what pyreadstat reads out of the file on standard input, as JSON.

pyreadstat is written in C, and some damaged files make it end the process it runs in: then that is this one.
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any


def contents(function: str, encoding: str) -> dict[str, Any]:
    """Columns, and what the file declares of them; or why it cannot be read."""
    import pyreadstat

    options: dict[str, Any] = {"encoding": encoding} if encoding else {}
    if function != "read_por":
        options["user_missing"] = True
    data = io.BytesIO(sys.stdin.buffer.read())
    try:
        columns, about = getattr(pyreadstat, function)(data, output_format="dict", **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OverflowError, MemoryError) as problem:
        return {"problem": str(problem) or type(problem).__name__}
    ranges = {key: [[one["lo"], one["hi"]] for one in ends] for key, ends in about.missing_ranges.items()}
    for key, values in about.missing_user_values.items():
        ranges.setdefault(key, []).extend([value, value] for value in values)
    return {
        "columns": {str(key): list(cells) for key, cells in columns.items()},
        "labels": {key: list(codes.items()) for key, codes in about.variable_value_labels.items()},
        "missing": ranges,
        "measures": about.variable_measure,
    }


if __name__ == "__main__":
    sys.stdout.buffer.write(json.dumps(contents(*sys.argv[1:3]), default=str).encode("utf-8", "surrogatepass"))

"""Every column of a table is on the glossary: in a file of its own, beside what else reads the source."""

from __future__ import annotations

import re
from pathlib import Path

from tests.surface import table_columns

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
ENDS = re.compile(r"(?<=\w)_(low|high|se|p)$")  # of the interval of another column


def test_the_glossary_has_every_column_of_a_table() -> None:
    columns, words = table_columns.columns(), set(re.findall(r"`([^`\n]+)`", GLOSSARY.read_text(encoding="utf-8")))
    assert {"value", "competence", "strength", "omega", "risk", "log_likelihood"} <= set(columns)
    assert {name: where for name, where in columns.items() if not {name, ENDS.sub("", name)} & words} == {}

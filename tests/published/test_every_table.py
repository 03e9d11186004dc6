"""Every table belongs to the test of one paper."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tables import tables

PUBLISHED = Path(__file__).parent


def test_every_table_is_read_by_the_test_of_one_paper() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in PUBLISHED.glob("test_*.py"))
    papers = re.findall(r'^@printed_in\("(.+)"\)', tests, re.MULTILINE)
    read = [table.name for paper in papers for table in tables(paper)]
    assert sorted(read) == [table.name for table in tables()]

"""The section of the report on contested items."""

from __future__ import annotations

import accord
from accord.findings import contested_items
from accord.findings.contested import most_contested
from accord.reporting.context import Context
from accord.reporting.sections.items import build
from tests.findings.test_items import ROWS


def test_the_report_lists_the_same_items_in_the_same_order() -> None:
    study = accord.Study.from_wide(ROWS)
    page = build(Context(study)).markdown
    order = [row["item"] for row in contested_items(study)]
    listed = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ") and "a: " in line]
    assert most_contested(Context(study).agreement, None).items.tolist() == order
    assert listed == [str(item) for item in order if item != 4]

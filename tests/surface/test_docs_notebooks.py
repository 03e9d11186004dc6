"""The notebooks of the documentation open in Jupyter, and their cells show what is stored in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.surface.test_docs import DOCS, anchors, script

notebooks = script("run_notebooks")
EVERY = notebooks.notebooks()


def named(path: Path) -> str:
    return path.stem


@pytest.mark.slow
@pytest.mark.parametrize("path", EVERY, ids=named)
def test_what_a_notebook_shows_is_what_happens(path: Path) -> None:
    wrong = notebooks.wrong_in(path)
    assert not wrong, "\n\n".join([*wrong, "To renew them: python docs/run_notebooks.py --write"])


@pytest.mark.parametrize("path", EVERY, ids=named)
def test_a_notebook_is_one_that_jupyter_opens(path: Path) -> None:
    stored = notebooks.load(path)
    assert (stored["nbformat"], stored["nbformat_minor"]) == (4, 5)
    assert stored["metadata"]["kernelspec"]["name"] == "python3"
    cells = stored["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert {"cell_type", "id", "metadata", "source", "outputs", "execution_count"} == set(code[0])
    assert cells[0]["source"][0].startswith("# ")
    assert "**Read next:**" in notebooks.source(cells[-1])


@pytest.mark.parametrize("path", EVERY, ids=named)
def test_links_in_a_notebook_resolve(path: Path) -> None:
    prose = "\n".join(notebooks.source(cell) for cell in notebooks.load(path)["cells"] if cell["cell_type"] != "code")
    links = re.findall(r"\]\(([^)#]+)(?:#([^)]+))?\)", prose)
    assert links
    for to, part in links:
        target = (path.parent / to).resolve()
        assert target.is_file(), to
        assert not part or part in anchors(target), part


def notebook(*cells: str) -> dict[str, Any]:
    """A notebook of code, not run yet."""
    code = [
        {"cell_type": "code", "id": str(number), "source": [text], "outputs": [], "execution_count": None}
        for number, text in enumerate(cells)
    ]
    return {"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_the_last_expression_of_a_cell_is_shown_and_names_go_on() -> None:
    first, second, third = notebooks.run(notebook("a = 1\nprint('x')\na + 1", "a", "b = a"))["cells"]
    assert first["outputs"][0] == {"name": "stdout", "output_type": "stream", "text": ["x\n"]}
    assert first["outputs"][1]["data"] == {"text/plain": ["2"]}
    assert second["outputs"][0]["data"] == {"text/plain": ["1"]}
    assert third["outputs"] == []


def test_a_cell_that_shows_something_else_is_found_out_and_renewed(tmp_path: Path) -> None:
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps(notebooks.run(notebook("1 + 1"))).replace('"2"', '"3"'), encoding="utf-8")
    assert notebooks.wrong_in(path) == ["one.ipynb, cell 1 stores\n3\nand shows\n2"]
    assert notebooks.renew(path)
    assert notebooks.wrong_in(path) == []


def test_a_page_has_the_text_the_code_and_what_it_shows() -> None:
    page, charts = notebooks.page(DOCS / "notebooks" / "data-leads-week.ipynb")
    assert page.startswith("# A data lead's week\n")
    assert '<a href="data-leads-week.ipynb" download>' in page
    assert "```python\nimport accord\n" in page
    assert "Krippendorff&#x27;s alpha</td>" in page
    assert list(charts) == ["data-leads-week-1.svg"]
    assert "![Krippendorff's alpha](data-leads-week-1.svg)" in page

"""Runs the notebooks of docs/notebooks and compares what their cells show with what is stored in them.

    python docs/run_notebooks.py              compare every notebook
    python docs/run_notebooks.py --write      store what the cells show now

They are plain notebooks that open in Jupyter, and need neither it nor a kernel to be tested: the cells run here, one
after the other in one namespace and an empty folder, and the last expression of a cell is shown as Jupyter would show
it. A chart is stored as SVG, because a page without scripts has to show it; that is not compared, for it differs with
the fonts of a machine. `page` makes of a notebook what the site shows.
"""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parent / "notebooks"
SVG, HTML, TEXT = "image/svg+xml", "text/html", "text/plain"


def notebooks() -> list[Path]:
    """Every notebook."""
    return sorted(NOTEBOOKS.glob("*.ipynb"))


def load(path: Path) -> dict[str, Any]:
    """A notebook as it is stored."""
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return stored


def source(cell: dict[str, Any]) -> str:
    """What stands in a cell; Jupyter stores lines."""
    return "".join(cell["source"])


# -- running -----------------------------------------------------------------------------------------------------------


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """The same notebook with what its cells show now."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                outputs = _outputs(source(cell), names, number)
                cells.append({**cell, "execution_count": number, "outputs": outputs})
            else:
                cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(code: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell prints, and its last expression."""
    statements = ast.parse(code).body
    last = statements.pop() if statements and isinstance(statements[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), f"<cell {number}>", "exec"), names)  # noqa: S102 - our own cells
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), names)  # noqa: S307 - the same
    shown: list[dict[str, Any]] = []
    if printed.getvalue():
        shown.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {kind: _lines(text) for kind, text in _displayed(value).items()}
        shown.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return shown


def _displayed(value: Any) -> dict[str, str]:
    """A value as a notebook shows it."""
    import altair as alt

    if isinstance(value, alt.TopLevelMixin):
        import vl_convert

        described = value.to_dict()
        title = described.get("title", "chart")
        return {SVG: vl_convert.vegalite_to_svg(described), TEXT: title if isinstance(title, str) else " ".join(title)}
    rich = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    return {**({HTML: rich} if rich else {}), TEXT: repr(value)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


# -- comparing ---------------------------------------------------------------------------------------------------------


def wrong_in(path: Path) -> list[str]:
    """The cells that show something else than what is stored, ready to be read."""
    stored = load(path)
    found = []
    for before, now in zip(stored["cells"], run(stored)["cells"], strict=True):
        if before["cell_type"] == "code" and _compared(before) != _compared(now):
            found.append(f"{path.name}, cell {now['execution_count']} stores\n{_text(before)}\nand shows\n{_text(now)}")
    return found


def _compared(cell: dict[str, Any]) -> list[Any]:
    kept = [
        {kind: text for kind, text in shown.get("data", {}).items() if kind != SVG} or shown.get("text")
        for shown in cell["outputs"]
    ]
    return [cell["execution_count"], *kept]


def _text(cell: dict[str, Any]) -> str:
    parts = [shown.get("text") or shown["data"][TEXT] for shown in cell["outputs"]]
    return "\n".join("".join(part) for part in parts)


def renew(path: Path) -> bool:
    """Store what the cells show now; True if anything changed."""
    before = path.read_text(encoding="utf-8")
    now = json.dumps(run(json.loads(before)), indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    path.write_text(now, encoding="utf-8")
    return now != before


# -- a page of the site ------------------------------------------------------------------------------------------------


def page(path: Path) -> tuple[str, dict[str, str]]:
    """What the site shows of a notebook: Markdown, and the charts beside it by their names."""
    charts: dict[str, str] = {}
    parts = []
    for cell in load(path)["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(source(cell))
            continue
        parts.append(f"```python\n{source(cell).rstrip()}\n```")
        for shown in cell["outputs"]:
            parts.append(_shown(shown, f"{path.stem}-{len(charts) + 1}.svg", charts))
    heading, _, rest = parts[0].partition("\n")
    taken = f'*Ten minutes. <a href="{path.name}" download>The notebook</a> to run it yourself.*'
    return "\n\n".join([heading, taken, rest.strip(), *parts[1:]]) + "\n", charts


def _shown(shown: dict[str, Any], name: str, charts: dict[str, str]) -> str:
    """One output as Markdown."""
    data = {kind: "".join(text) for kind, text in shown.get("data", {TEXT: shown.get("text", [])}).items()}
    if SVG in data:
        charts[name] = data[SVG]
        return f"![{data[TEXT]}]({name})"
    if HTML in data:
        return f'```{{raw}} html\n<div class="shown" tabindex="0">{data[HTML]}</div>\n```'
    if "  " not in data[TEXT]:  # words and no table: they may wrap
        return f'```{{raw}} html\n<pre class="said">{html.escape(data[TEXT].rstrip())}</pre>\n```'
    return f"```text\n{data[TEXT].rstrip()}\n```"


def main(arguments: list[str]) -> int:
    """Compare or renew."""
    if "--write" in arguments:
        changed = [path.name for path in notebooks() if renew(path)]
        print("renewed:", ", ".join(changed) or "nothing")
    problems = [problem for path in notebooks() for problem in wrong_in(path)]
    for problem in problems:
        print(problem + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

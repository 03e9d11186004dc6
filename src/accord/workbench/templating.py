"""Templates to pages: whatever a study holds is text there, and its hidden marks are told by their numbers."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, seen
from accord.errors import ExtraMissing, counted

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

ASSETS = {"style.css": "text/css", "workbench.css": "text/css", "workbench.js": "text/javascript"}


def rendered(template: str, /, **values: Any) -> str:
    """A template filled in."""
    return _environment().get_template(template).render(values)


@cache
def asset(name: str) -> str:
    """A style or the script, as text; the report's own style is the one that ours builds on."""
    room = "accord.reporting" if name == "style.css" else "accord.workbench"
    return files(room).joinpath("templates", name).read_text(encoding="utf-8")


@cache
def asset_address(name: str) -> str:
    """Where a page finds it: a changed file has another address, so that a browser may keep what it has."""
    return f"/assets/{name}?{hashlib.sha256(asset(name).encode()).hexdigest()[:12]}"


def answer_text(answer: Any) -> str:
    """An answer in words: a label, labels with commas, labels in order, a number.

    >>> answer_text("yes"), answer_text(["a", "b"]), answer_text([]), answer_text([["a", "b"], "c"])
    ('yes', 'a, b', 'none of the labels', 'a = b, c')
    """
    if isinstance(answer, float):
        return f"{answer:g}"
    if isinstance(answer, list | tuple | frozenset):
        parts = [" = ".join(map(str, one)) if isinstance(one, list | tuple) else str(one) for one in answer]
        return ", ".join(parts) or "none of the labels"
    return str(answer)


def _table_html(table: Table) -> Markup:
    """A table; its cells are escaped where it is made, and what holds or not is said as yes or no."""
    from markupsafe import Markup

    columns = {name: [_said(cell) for cell in table.data[name]] for name in table.columns}
    return Markup(as_html(Table(table.title, columns, table.notes), caption=False))


def _said(cell: Any) -> Any:
    return ("yes" if cell else "no") if isinstance(cell, bool | np.bool_) else cell


@cache
def _environment() -> Environment:
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError:
        raise ExtraMissing("The workbench", "serve") from None

    def shown(value: object) -> object:
        return seen(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    made = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.PackageLoader("accord.workbench"),
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["asset"] = asset_address
    made.filters |= {"answer": answer_text, "table": _table_html, "counted": counted}
    made.filters |= {"from_json": json.loads, "as_json": json.dumps}
    return made

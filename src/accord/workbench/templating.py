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
from accord.options import encodable
from accord.workbench.written_answers import AnswerForm

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

ASSETS = {
    "style.css": "text/css",
    "workbench.css": "text/css",
    "workbench.js": "text/javascript",
    "parts.js": "text/javascript",
}
OF_REPORTS = ("style.css", "script.js", "parts.js")  # which ours build on


def rendered(template: str, /, **values: Any) -> str:
    """A template filled in; half a character, which no page can carry, stands as what it is called."""
    return str(encodable(_environment().get_template(template).render(values)))


@cache
def asset(name: str) -> str:
    """A style or a script, as text; some are the report's own."""
    room = "accord.reporting" if name in OF_REPORTS else "accord.workbench"
    return files(room).joinpath("templates", name).read_text(encoding="utf-8")


@cache
def asset_address(name: str) -> str:
    """Where a page finds it: a changed file has another address, so that a browser may keep what it has."""
    return f"/assets/{name}?{hashlib.sha256(asset(name).encode()).hexdigest()[:12]}"


def answer_text(answer: Any, form: AnswerForm) -> str:
    """An answer as the study writes it; a number, which may be a mean, as pages show numbers."""
    return f"{answer:g}" if isinstance(answer, float) else form.words(answer)


def table_html(table: Table) -> Markup:
    """A table; its cells are escaped where it is made, and what holds or not is said as yes or no."""
    from markupsafe import Markup

    columns = {name: [_yes_or_no(cell) for cell in table.data[name]] for name in table.columns}
    return Markup(as_html(Table(table.title, columns, table.notes), caption=False))


def _yes_or_no(cell: Any) -> Any:
    return ("yes" if cell else "no") if isinstance(cell, bool | np.bool_) else cell


@cache
def _environment() -> Environment:
    try:
        import jinja2
        from markupsafe import Markup, escape
    except ImportError:
        raise ExtraMissing("The workbench", "serve") from None

    def shown(value: object) -> object:
        return value if isinstance(value, Markup | int | float) else seen(value)

    @jinja2.pass_context
    def in_words(context: jinja2.runtime.Context, answer: object) -> str:
        return answer_text(answer, context["site"].bench.form)

    def exact(value: object) -> Markup:
        """What a form sends back must be what it was, marks and all; nobody sees it."""
        return Markup(escape(value))

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
    made.filters |= {
        "answer": in_words,
        "from_json": json.loads,
        "as_json": json.dumps,
        "table": table_html,
        "counted": counted,
        "drawn": Markup,
        "exact": exact,
    }
    return made

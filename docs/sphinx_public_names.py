"""Public names as objects that others can link to: what the headings of the reference name goes into objects.inv."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

HEADING = re.compile(r"(?P<kind>class )?(?P<name>accord(?:\.\w+)+)")


def _note_names(app: Sphinx, doctree: nodes.document) -> None:
    """Each section whose heading is a public name, and each page of a measure, which names it below its title."""
    domain: Any = app.env.get_domain("py")
    for section in doctree.findall(nodes.section):
        found = HEADING.fullmatch(_named_by(section))
        if found is None:
            continue
        kind = "class" if found["kind"] else "function"
        domain.note_object(found["name"], kind, section["ids"][0], location=section)
        for method in section.children if found["kind"] else ():
            if isinstance(method, nodes.section):
                name = f"{found['name']}.{_named_by(method).rpartition('.')[2]}"
                domain.note_object(name, "method", method["ids"][0], location=method)


def _named_by(section: nodes.section) -> str:
    """The name that stands alone below the title (and how long the page takes), or the title."""
    title, *rest = section.children
    for one in rest[:2]:
        if isinstance(one, nodes.paragraph) and len(one.children) == 1 and isinstance(one[0], nodes.literal):
            return str(one.astext())
    return str(title.astext())


def setup(app: Sphinx) -> dict[str, Any]:
    """Look at every page once it is read."""
    app.connect("doctree-read", _note_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Every source once, in references.bib; here they become lines to print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from accord.errors import OptionError


@cache
def entries() -> dict[str, dict[str, str]]:
    """The fields of every entry, by key."""
    text = files("accord").joinpath("references.bib").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for kind, key, body in re.findall(r"@(\w+)\{([^,]+),\s*(.*?)\n\}", text, re.DOTALL):
        fields = dict(re.findall(r"(\w+)\s*=\s*\{(.*?)\}(?:,\s*\n|\s*$)", body + "\n", re.DOTALL))
        found[key] = {"kind": kind, **fields}
    return found


def formatted(key: str) -> str:
    """One source as a line for a list of references.

    >>> formatted("cohen1960")[:52]
    'Cohen, J. (1960). A coefficient of agreement for nom'
    """
    if key not in entries():
        raise OptionError.choice("reference", key, entries())
    fields = entries()[key]
    where = (
        fields.get("journal") or fields.get("booktitle") or fields.get("publisher") or fields.get("howpublished", "")
    )
    volume = f" {fields['volume']}" if "volume" in fields else ""
    number = f"({fields['number']})" if "number" in fields else ""
    pages = f", {fields['pages'].replace('--', '–')}" if "pages" in fields else ""
    authors = fields["author"].replace(" and ", ", ")
    return f"{authors} ({fields['year']}). {fields['title']}. {where}{volume}{number}{pages}."


def in_text(keys: Sequence[str]) -> str:
    """Sources as a text names them, between its brackets.

    >>> in_text(["hayes2007", "bennett1954"])
    'Hayes & Krippendorff, 2007; Bennett et al., 1954'
    """
    return "; ".join(f"{_surnames(entries()[key]['author'])}, {entries()[key]['year']}" for key in keys)


def _surnames(authors: str) -> str:
    names = [author.partition(",")[0] for author in authors.split(" and ")]
    return f"{names[0]} et al." if len(names) > 2 else " & ".join(names)


def bibtex(key: str) -> str:
    """One source as BibTeX."""
    fields = dict(entries()[key])
    kind = fields.pop("kind")
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}\n}}"

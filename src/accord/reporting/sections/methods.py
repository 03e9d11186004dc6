"""Methods: formulas, references, version, and how to repeat it."""

from __future__ import annotations

import hashlib

import numpy as np

from accord.references import bibtex, formatted
from accord.registry import MEASURES
from accord.reporting.context import Context, Section
from accord.reporting.tables import safe


def needs(_context: Context) -> bool:
    """Every report can be repeated."""
    return True


def build(context: Context) -> Section:
    """What a reviewer asks for."""
    from accord import __version__
    from accord.interpretation import BENCHMARKS

    used = [result.measure for result in context.measurements]
    keys = list(dict.fromkeys(key for name in used for key in MEASURES[name].references))
    keys += [key for key in BENCHMARKS[context.benchmark].references if key not in keys]
    command = context.command or "accord.report(study, path)"
    facts = [
        f"accord {__version__}; fingerprint of the annotations {fingerprint(context)}.",
        f"To repeat it: {command}",
        "Every coefficient is 1 − (1 − observed) / (1 − expected). Observed agreement is over pairs of answers "
        "on the same item; "
        "what is expected by chance depends on the coefficient and is told beside it.",
        "Intervals are analytic: linearised over items, with Student's t. They are not shown where a value is "
        "undefined.",
    ]
    body = "".join(f"<p>{safe(fact)}</p>" for fact in facts)
    body += "<h3>References</h3><ul>" + "".join(f"<li>{safe(formatted(key))}</li>" for key in keys) + "</ul>"
    sources = "\n\n".join(bibtex(key) for key in keys)
    body += f"<details><summary>BibTeX</summary><pre>{safe(sources)}</pre></details>"
    markdown = "\n\n".join(facts) + "\n\n" + "\n".join(f"- {formatted(key)}" for key in keys)
    return Section("methods", "Methods and sources", body, markdown)


def fingerprint(context: Context) -> str:
    """A hash of who said what of which item, whatever the order of the rows."""
    digest = hashlib.sha256()
    for name, study in (context.study.tasks or {"": context.study}).items():
        item, annotator, answer, count = study.triples.rows
        order = np.lexsort((answer, annotator, item))
        digest.update(repr((name, study.labels, study.annotators, study.kind)).encode())
        for column in (item, annotator, answer, count):
            digest.update(np.ascontiguousarray(column[order], dtype=np.int64).tobytes())
    return digest.hexdigest()[:16]

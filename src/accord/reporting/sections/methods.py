"""Methods: formulas, references, version, and how to repeat it."""

from __future__ import annotations

import re

from accord.agreement.interpretation import BENCHMARKS
from accord.agreement.references import bibtex, formatted
from accord.agreement.table_formats import marked, safe
from accord.errors import remedy
from accord.measures.registered import MEASURES
from accord.options import __version__
from accord.reporting.context import Context, Section


def needs(_context: Context) -> bool:
    """Every report can be repeated."""
    return True


def build(context: Context) -> Section:
    """What a reviewer asks for."""
    used = [result.measure for result in context.measurements]
    keys = list(dict.fromkeys(key for name in used for key in MEASURES[name].references))
    scale = BENCHMARKS[context.benchmark or context.main.entry.benchmark]
    keys += [key for key in (*scale.references, *context.target.references) if key not in keys]
    facts = _facts(context)
    formulas = _formulas(used)
    command = context.command or str(remedy("accord.report", "study, path"))
    body = "".join(f"<p>{_lowered(fact)}</p>" for fact in facts)
    body += f"<p>To repeat it:</p><pre>{safe(command)}</pre>"
    body += (
        "<h3>What is expected by chance</h3><ul>" + "".join(f"<li>{_lowered(line)}</li>" for line in formulas) + "</ul>"
    )
    body += "<h3>References</h3><ul>" + "".join(f"<li>{safe(formatted(key))}</li>" for key in keys) + "</ul>"
    sources = "\n\n".join(bibtex(key) for key in keys)
    body += f"<details><summary>BibTeX</summary><pre>{safe(sources)}</pre></details>"
    listed = "\n".join(f"- {marked(line)}" for line in formulas)
    sources = "\n".join(f"- {marked(formatted(key))}" for key in keys)
    text = "\n\n".join(marked(fact) for fact in facts)
    markdown = f"{text}\n\nTo repeat it: {_in_code(command)}\n\n{listed}\n\nReferences:\n\n{sources}"
    return Section("methods", "Methods and sources", body, markdown)


def _in_code(command: str) -> str:
    """A command as code of Markdown: on one line, marks of a terminal written out, and longer ticks around its own."""
    from accord.agreement.table_formats import one_line

    line = one_line(command)
    ticks = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    return f"{ticks} {line} {ticks}" if "`" in line else f"{ticks}{line}{ticks}"


def _formulas(used: list[str]) -> list[str]:
    """What each coefficient expects by chance; those that expect the same together."""
    together: dict[str, list[str]] = {}
    for name in used:
        together.setdefault(MEASURES[name].formula, []).append(MEASURES[name].title)
    return [f"{', '.join(titles)}: {formula}." for formula, titles in together.items()]


def _lowered(text: str) -> str:
    """Escaped text in which A_o has its index below the line."""
    return re.sub(r"(?<=\w)_(\w+)", r"<sub>\1</sub>", safe(text))


def _facts(context: Context) -> list[str]:
    main = context.main
    span = None if context.several else main.interval()
    if span is not None and span.clusters is not None:
        units = f"clusters ({span.clusters:,} of them)"
    else:
        units = "items"
    seed = "They draw no random number. What findings and models draw begins with fixed seeds."
    if span is not None and span.seed is not None:
        seed = f"Seed {span.seed}, {span.n_resamples:,} resamples."
    about = context.study.describe()
    weighted = (
        f" Items are {about.weighting}: every item counts by its weight." if about.item_weight is not None else ""
    )
    return [
        "Every coefficient is (A_o − A_e) / (1 − A_e): observed agreement A_o, over pairs of answers on the same item, "
        "beyond the agreement A_e that chance would give. Weights w say how alike two answers are: 1 for the same, 0 "
        f"for quite different.{weighted}",
        f"Intervals (95%) are {'analytic' if span is None else span.method}: linearised over {units}, with Student's "
        "t; those of single labels and annotators use the normal distribution. The probability of a band is that of a "
        "normal distribution around the value, cut to −1 … 1. Intervals of many labels, annotators or groups are not "
        f"corrected for their number. {seed}",
        f"accord {__version__}; fingerprint of the annotations {context.fingerprint or 'not taken'}.",
    ]

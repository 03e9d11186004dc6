"""The verdict in one sentence, the sentence to copy, and whether the page names people or shows texts."""

from __future__ import annotations

import math

from accord.reporting.context import Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_markdown, latex, safe
from accord.result import Agreement


def needs(_context: Context) -> bool:
    """Every report has a verdict."""
    return True


def build(context: Context) -> Section:
    """The first thing that is read."""
    main = context.main
    told = several(context) if context.several else verdict(context, main)
    sentence = main.sentence(benchmark=context.benchmark) if not context.several else ""
    parts = [f'<p class="verdict">{safe(told)}</p>']
    markdown = [told, ""]
    if not context.several and not main.undefined:
        parts.append(_scale(context, main))
        parts.append(_copy("For your paper", sentence))
        parts.append(_copy("The same in LaTeX", latex(sentence)))
        markdown += [f"> {sentence}", "", as_markdown(main.interpret(context.benchmark).table())]
    parts.append(f'<p class="note">{safe(_care(context))}</p>')
    return Section("verdict", "Verdict", "".join(parts), "\n".join([*markdown, _care(context)]))


def verdict(context: Context, main: Agreement) -> str:
    """One sentence with value, interval and band."""
    if main.undefined:
        return f"{main.title} is undefined. {main.undefined}"
    low, high = main.interval()
    meaning = main.interpret(context.benchmark)
    span = f" (95% interval {low:.2f} to {high:.2f})" if math.isfinite(low) else ""
    word = f": {meaning.point_word} agreement on the scale of {meaning.benchmark.title}" if meaning.point_word else ""
    return f"{main.title} is {main.value:.2f}{span}{word}, {meaning.said}."


def several(context: Context) -> str:
    """One sentence for many variables."""
    rows = [row for row in context.main.by_group() if math.isfinite(row["value"])]
    if not rows:
        return "No variable of this study has a defined value."
    best, worst = max(rows, key=lambda row: row["value"]), min(rows, key=lambda row: row["value"])
    name = context.main.by or "variable"
    return (
        f"{context.main.title} over {len(rows)} variables runs from {worst['value']:.2f} ({worst[name]}) "
        f"to {best['value']:.2f} ({best[name]})."
    )


def _scale(context: Context, main: Agreement) -> str:
    """The probability of each band."""
    meaning = main.interpret(context.benchmark)
    low, high = main.interval()
    bands = [(max(band.low, -1.0), band.high, band.word or "") for band in meaning.benchmark.bands]
    title = f"{main.title} on the scale of {meaning.benchmark.title}"
    spoken = f"{main.title} {main.value:.2f}, interval {low:.2f} to {high:.2f}; {meaning.said}"
    return figure("verdict", (bands, main.value, low, high, title), meaning.table(), spoken)


def _copy(title: str, text: str) -> str:
    return (
        f'<figure class="copy"><figcaption>{safe(title)}</figcaption><blockquote>{safe(text)}</blockquote>'
        '<button type="button" class="copies">Copy</button></figure>'
    )


def _care(context: Context) -> str:
    """Whether this page names people or shows texts."""
    who = (
        "Annotators are called A1, A2 …; the key is kept apart."
        if context.anonymised
        else "This page names annotators."
    )
    if not context.several and not context.study.triples.named:
        who = "Nobody is named in the data."
    what = "It shows the items' texts." if context.texts else "It shows no texts."
    return f"{who} {what}"

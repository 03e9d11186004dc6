"""The verdict in one sentence, the sentence to copy, and whether the page names people or shows texts."""

from __future__ import annotations

import math

from accord.agreement.chart_text import short
from accord.agreement.interpretation import Interpretation, digits, spread
from accord.agreement.result import Agreement
from accord.errors import counted
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure
from accord.reporting.sections.coefficients import as_one_table
from accord.reporting.tables import as_latex, as_markdown, latex, marked, one_line, safe

MOST_IN_A_SENTENCE = 12  # variables


def needs(_context: Context) -> bool:
    """Every report has a verdict."""
    return True


def build(context: Context) -> Section:
    """The first thing that is read."""
    main, text = context.main, headline(context)
    parts, markdown = [f'<p class="verdict">{safe(text)}</p>'], [marked(text), ""]
    if not context.several:
        sentence = main.sentence(benchmark=context.benchmark)
        meaning = main.interpret(context.benchmark)
        if not meaning.undefined:
            parts.append(_scale(main, meaning))
            markdown += [as_markdown(meaning.table()), ""]
        parts.append(_copy("For your paper", sentence))
        parts.append(_copy("The same in LaTeX", latex(sentence), code=True))
        markdown += [f"> {marked(sentence)}", ""]
    elif len(context.study.tasks) <= MOST_IN_A_SENTENCE:
        sentence = _sentence(context)
        parts += [_copy("For your paper", sentence), _copy("The same in LaTeX", latex(sentence), code=True)]
        markdown += [f"> {marked(sentence)}", ""]
    found = context.measurements
    table = as_latex(found.to_table() if context.several else as_one_table(list(found)))
    inside = _copy("Needs \\usepackage{booktabs}", table, code=True)
    parts.append(f"<details><summary>All coefficients as a LaTeX table</summary>{inside}</details>")
    parts.append(f'<p class="note">{safe(care(context))}</p>')
    return Section("verdict", "Verdict", "".join(parts), "\n".join([*markdown, care(context)]))


def headline(context: Context) -> str:
    """The verdict on one variable or on several."""
    return one_line(_several(context) if context.several else _single(context))


def _single(context: Context) -> str:
    """Value, interval, and what can be said of it."""
    main = context.main
    if main.undefined:
        return f"{main.title} is undefined. {main.undefined}"
    if main.entry.is_share:
        return f"Percent agreement is {main.value:.0%} ({spread(main)}). How much of that is chance is not known."
    among = context.agreement
    among_themselves = (
        "" if among is main else f"; the annotators agree among themselves with {among.title} {digits(among)}"
    )
    meaning = _meaning(main, main.interpret(context.benchmark))
    of = "" if among is main else " of the suggested labels"
    return f"{main.title}{of} is {digits(main)} ({spread(main)}): {meaning}{among_themselves}."


def _meaning(main: Agreement, meaning: Interpretation) -> str:
    """What the scale says, with the probability; less than chance is said first."""
    scale = meaning.benchmark
    low, high = main.interval()
    point = f"“{meaning.point_word}” on the scale of {scale.title}" if meaning.point_word else "a value without a word"
    if meaning.unsure:
        return f"{point}; {meaning.unsure}"
    if low <= 0:
        verdict = "less agreement than chance would give" if high < 0 else "not shown to differ from chance"
        return f"{verdict}; the value itself is {point}"
    if len(scale.bands) == 2:  # a target: reached or not
        chance = meaning.probabilities[1]
        reached = "above" if chance >= 0.95 else "not shown to be above"
        return f"{reached} {scale.title} (probability {chance:.0%})"
    if meaning.word is None or meaning.word == scale.bands[0].word:
        return f"{point}, {meaning.in_words}"
    sure = f"at least “{meaning.word}” on the scale of {scale.title}, with {meaning.probability} probability"
    return sure if meaning.word == meaning.point_word else f"{sure}; the value itself is “{meaning.point_word}”"


def _several(context: Context) -> str:
    """One sentence for many variables."""
    main = context.main
    rows = [row for row in main.by_group() if math.isfinite(row["value"])]
    if not rows:
        return f"{main.title} is undefined for every one of the {len(context.study.tasks)} variables."
    best, worst = max(rows, key=lambda row: row["value"]), min(rows, key=lambda row: row["value"])
    name = main.by or "variable"
    if len(rows) == 1:
        return f"{main.title} is {best['value']:.2f} for {short(best[name], 60)}, the one variable that has a value."
    if f"{best['value']:.2f}" == f"{worst['value']:.2f}":
        return f"{main.title} is {best['value']:.2f} for each of {len(rows)} variables."
    ends = [f"{row['value']:.2f} ({short(row[name], 60)})" for row in (worst, best)]
    return f"{main.title} runs from {' to '.join(ends)} over {len(rows)} variables."


def _sentence(context: Context) -> str:
    """The reporting sentence for several variables."""
    about, main = context.study.describe(), context.main
    told: dict[str, list[str]] = {}
    unmeasured = []
    rows = {row[main.by or "variable"]: row for row in main.by_group()}
    for part in context.parts:
        row, name = rows.get(part.variable), short(part.variable, 60)
        own = None if part.refusal is not None else part.measured(main.entry.function)
        if row is None or own is None:
            unmeasured.append(f"{name} ({part.study.kind} answers)")
        elif math.isfinite(row["value"]):
            span = f"{row['low']:.2f} to {row['high']:.2f}" if math.isfinite(row["low"]) else "no interval"
            told.setdefault(own.title, []).append(f"{row['value']:.2f} ({span}) for {name}")
        else:
            told.setdefault(own.title, []).append(f"undefined for {name}")
    values = "; ".join(f"{title} with 95% confidence intervals was {', '.join(of)}" for title, of in told.items())
    without = f" {', '.join(unmeasured)} had no such coefficient." if unmeasured else ""
    return (
        f"{counted(about.annotators, 'annotators')} judged {counted(about.items, 'items')} on "
        f"{len(context.parts)} variables. {values}.{without}"
    )


def _scale(main: Agreement, meaning: Interpretation) -> str:
    """The value over the bands, with the probability of each."""
    low, high = main.interval()
    bands = [(max(band.low, -1.0), band.high, band.word or "") for band in meaning.benchmark.bands]
    title = f"{main.title} on the scale of {meaning.benchmark.title}"
    spoken = f"{main.title} {main.value:.2f}, {spread(main)}; {meaning.in_words}"
    return figure("verdict", (bands, main.value, low, high, title), meaning.table(), spoken)


def _copy(title: str, text: str, *, code: bool = False) -> str:
    inner = f"<pre>{safe(text)}</pre>" if code else safe(text)
    return (
        f'<figure class="copy"><figcaption>{safe(title)}</figcaption><blockquote>{inner}</blockquote>'
        f'<button type="button" class="copies" aria-label="Copy: {safe(title)}">Copy</button></figure>'
    )


def care(context: Context) -> str:
    """Whether this page names people or shows texts."""
    if not context.named:
        who = "Nobody is named in the data."
    elif context.anonymised:
        who = "Annotators are called A1, A2 … in random order; who is who is kept apart from this page."
    else:
        who = "This page names annotators."
    return f"{who} {'It shows texts of items.' if context.shows_texts else 'It shows no texts of items.'}"

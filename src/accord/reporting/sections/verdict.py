"""The verdict in one sentence, the sentence to copy, and whether the page names people or shows texts."""

from __future__ import annotations

import math

from accord.agreement.chart_text import short
from accord.agreement.coefficient_table import of_each_group
from accord.agreement.interpretation import Benchmark, Interpretation, digits, spread
from accord.agreement.result import Agreement
from accord.agreement.table_formats import as_latex, as_markdown, latex, marked, one_line, safe
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure

MOST_IN_A_SENTENCE = 12  # variables
WAITING = "Which value to report depends on the answer: a report that is told has a sentence for your paper here."


def needs(_context: Context) -> bool:
    """Every report has a verdict."""
    return True


def build(context: Context) -> Section:
    """The first thing that is read."""
    main, text = context.main, headline(context)
    parts, markdown = [f'<p class="verdict">{safe(text)}</p>'], [marked(text), ""]
    for question in map(str, context.measurements.open):
        parts.append(f'<p class="question">{safe(question)}</p>')
        markdown += [marked(question), ""]
    if not context.several:
        meaning = main.interpret(context.benchmark)
        if not meaning.undefined:
            parts.append(_scale(context, main, meaning))
            markdown += [as_markdown(meaning.table()), ""]
    found = context.measurements
    sentence = to_copy(context)
    if sentence:
        parts += [_copy("For your paper", sentence), _copy("The same in LaTeX", latex(sentence), code=True)]
        markdown += [f"> {marked(sentence)}", ""]
    elif found.open:
        parts.append(f"<p>{safe(WAITING)}</p>")
        markdown += [WAITING, ""]
    table = as_latex(found.to_table())
    inside = _copy("Needs \\usepackage{booktabs}", table, code=True)
    parts.append(f"<details><summary>All coefficients as a LaTeX table</summary>{inside}</details>")
    parts.append(f'<p class="note">{safe(care(context))}</p>')
    return Section("verdict", "Verdict", "".join(parts), "\n".join([*markdown, care(context)]))


def to_copy(context: Context) -> str:
    """The sentence for a paper; none while it is open what the labels are, or of too many variables."""
    if context.measurements.open or len(context.study.tasks) > MOST_IN_A_SENTENCE:
        return ""
    return (context.main if context.several else context.measurements).sentence(benchmark=context.benchmark)


def headline(context: Context) -> str:
    """The verdict on one variable or on several."""
    return one_line(_several(context) if context.several else _single(context))


def _single(context: Context) -> str:
    """Value, interval, and what can be said of it."""
    main = context.main
    if main.undefined:
        return f"{main.title} is undefined. {main.undefined}"
    if main.entry.is_share:
        return f"{main.title} is {digits(main)} ({spread(main)}). {context.measurements.reason}"
    among = main if main.entry.role is None else context.agreement
    meaning = own_reading(main) or _meaning(
        main, main.interpret(context.benchmark), context.target if among is main else None
    )
    limit = context.target.bands[0].high
    if among is main:
        return f"{main.title} is {digits(main, limit)} ({spread(main, target=limit)}): {meaning}."
    themselves = f"the annotators agree among themselves with {among.title} {digits(among, limit)}"
    target = "" if among.undefined else f", {_against_target(among, context.target)}"
    return f"{main.title} of the suggested labels is {digits(main)} ({spread(main)}): {meaning}; {themselves}{target}."


def own_reading(main: Agreement) -> str | None:
    """What a value says that no target fits."""
    return main.coefficient.own_reading() if main.coefficient is not None else None


def _meaning(main: Agreement, meaning: Interpretation, target: Benchmark | None) -> str:
    """Chance and the target first, then what the scale calls the value, and how far its interval reaches."""
    parts = [_against_chance(main), _against_target(main, target) if target is not None else ""]
    if meaning.undefined:
        parts = parts[1:] if parts[1] and not main.entry.chance_corrected else [lowered(meaning.undefined)]
    elif not meaning.benchmark.is_target:
        parts.append(f"{meaning.called}, {meaning.uncertainty}")
    elif meaning.unsure:
        parts.append(meaning.unsure)
    return "; ".join(part for part in parts if part)


def lowered(sentence: str) -> str:
    """A sentence as the end of another."""
    return f"{sentence[:1].lower()}{sentence[1:]}".removesuffix(".")


def _against_chance(main: Agreement) -> str:
    """Where the interval does not lie above chance."""
    low, high = main.interval()
    if not low <= 0:
        return ""
    return "less agreement than chance would give" if high < 0 else "not shown to differ from chance"


def _against_target(main: Agreement, target: Benchmark) -> str:
    """On which side of the target the value lies, and whether its interval lies there too."""
    limit = target.bands[0].high
    low, high = main.interval()
    reached = main.value > limit
    crossing = low < limit < high
    side, other = ("above", "below") if reached else ("below", "above")
    though = f", though the interval reaches {other} it" if crossing else ""
    if math.isnan(low):
        though = ", which these items do not settle"
    return f"{side} the target of {limit:.2f} ({target.name} tasks){though}"


def _several(context: Context) -> str:
    """One sentence for many variables, each by the coefficient that is recommended for it."""
    main = context.main
    table = of_each_group(main, confidence=0.95)
    rows, name = [row for row in table if math.isfinite(row["value"])], main.by or "variable"
    titles = {row.get("coefficient", main.title) for row in rows}
    what = titles.pop() if len(titles) == 1 else "Agreement, each variable by the coefficient that fits it,"
    if not rows:
        return f"None of the {len(context.study.tasks)} variables has a value."
    best, worst = max(rows, key=lambda row: row["value"]), min(rows, key=lambda row: row["value"])
    if len(rows) == 1:
        return f"{what} is {best['value']:z.3f} for {short(best[name], 60)}, the one variable that has a value."
    if f"{best['value']:z.3f}" == f"{worst['value']:z.3f}":
        return f"{what} is {best['value']:z.3f} for each of {len(rows)} variables."
    ends = [f"{row['value']:z.3f} ({short(row[name], 60)})" for row in (worst, best)]
    limit = context.target.bands[0].high
    reached = sum(row["value"] > limit for row in rows)
    target = f"{reached} of them {'is' if reached == 1 else 'are'} above the target of {limit:.2f}"
    return f"{what} runs from {' to '.join(ends)} over {len(rows)} variables; {target}."


def _scale(context: Context, main: Agreement, meaning: Interpretation) -> str:
    """The value over the bands, with the probability of each."""
    low, high = main.interval()
    bands = [(max(band.low, -1.0), band.high, band.word or "") for band in meaning.benchmark.bands]
    title = f"{main.title} on the scale of {meaning.benchmark.title}"
    spoken = f"{main.title} {digits(main)}, {spread(main)}; {meaning.called}, {meaning.uncertainty}"
    link = context.behind(agree="no")
    return figure("verdict", (bands, main.value, low, high, title), meaning.table(), spoken, link=link)


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
    elif context.anonymised and context.address is not None:
        who = "Annotators have numbers here instead of names."
    elif context.anonymised:
        who = "Annotators are called A1, A2 … in random order; who is who is kept apart from this page."
    else:
        who = "This page names annotators."
    return f"{who} {'It shows texts of items.' if context.shows_texts else 'It shows no texts of items.'}"

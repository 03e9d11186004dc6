"""Annotators on the scale: whose scores are spread how, who is severe, and how far two annotators' scores differ."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from accord.agreement.chart_text import short
from accord.agreement.limits_of_agreement import LimitsOfAgreement, bland_altman
from accord.agreement.rating_scale_model import MOST_CATEGORIES, fitted
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, largest_rows, marked, safe
from accord.errors import MeasureError, counted
from accord.findings.annotators_on_scale import annotators_on_scale, is_scale
from accord.reporting.context import MATRIX_PEOPLE, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure

MODELLED = 200_000  # scores up to which the rating-scale model is fitted unasked
LINKED_POINTS = 60  # up to which each leads to its items; more would lie on each other
SPREAD_SHOWN = 25  # annotators whose scores are drawn
PLAIN = {
    "sd": "standard deviation", "low": "severity from", "high": "severity to", "spread_low": "spread from",
    "spread_high": "spread to", "lowest": "share at the lowest score", "highest": "share at the highest score",
    "with_others": "correlation with the others", "change_low": "change from", "change_high": "change to",
    "bias_low": "bias from", "bias_high": "bias to", "lower_low": "lower from", "lower_high": "lower to",
    "upper_low": "upper from", "upper_high": "upper to", "slope_p": "p of the slope", "widening_p": "p of the widening",
}  # fmt: skip
SEVERITY = (
    "Severity is how far below the others somebody scores, the items allowed for; severities sum to zero. Spread is "
    "the standard deviation over that of the others on the same items: well below 1, somebody keeps to the middle."
)
LIMITS = (
    "Limits of agreement hold about 95% of differences: their mean (the bias) and 1.96 standard deviations about it."
)
OF_SEVERITY = (
    "annotator", "answers", "mean", "sd", "severity", "low", "high", "spread", "with_others", "noise", "change",
)  # fmt: skip


def needs(context: Context) -> bool:
    """One variable of scores by two named annotators or more, in memory."""
    study = context.study
    if context.several or not study._annotations.in_memory or not study._annotations.named:
        return False
    return is_scale(study) and study.n_annotators > 1 and context.agreement.coefficient is not None


def build(context: Context) -> Section:
    """The spread of everybody's scores, severity, and differences of two; the rating-scale model unfolds."""
    body, markdown = [], []
    for html, text in (_spread(context), _severity(context), _limits(context), _model(context)):
        body.append(html)
        markdown.append(text)
    return Section("scale-use", "Annotators on the scale", "".join(body), "\n".join(part for part in markdown if part))


def _spread(context: Context) -> tuple[str, str]:
    """A box for each annotator, those with the most scores."""
    study = context.study
    _, who, answer, count = study._annotations.rows
    value = np.asarray(study.answers.numbers("scores"), dtype=np.float64)[answer]
    given = np.bincount(who, weights=count, minlength=len(study.annotators))
    people = [person for person in np.argsort(-given, kind="stable").tolist() if given[person]][:SPREAD_SHOWN]
    rows = []
    for person in sorted(people):
        mine = np.repeat(value[who == person], count[who == person])
        rows.append((study.annotators[person], *np.quantile(mine, (0, 0.25, 0.5, 0.75, 1)).tolist()))
    names = ("annotator", "lowest", "a quarter below", "median", "a quarter above", "highest")
    table = Table(
        "How each annotator's scores are spread",
        {name: [row[place] for row in rows] for place, name in enumerate(names)},
    )
    spoken = "; ".join(f"{short(row[0])} median {row[3]:.3g}" for row in rows)
    some = "" if len(people) == int((given > 0).sum()) else f" ({len(people)} with the most scores)"
    title = f"Scores by annotator{some}: line from lowest to highest, box for the middle half, stroke at the median"
    links = context.all_behind({"annotators": (row[0],)} for row in rows)
    return figure("spread", (rows, title, "score"), table, spoken, links=links), as_markdown(table)


def _severity(context: Context) -> tuple[str, str]:
    """The table of how the scale is used."""
    try:
        table = annotators_on_scale(context.study)
    except MeasureError as refusal:
        return f'<p class="note">{safe(str(refusal))}</p>', marked(str(refusal))
    table = Table(table.title, {name: table.data[name] for name in OF_SEVERITY if name in table.columns}, table.notes)
    shown = largest_rows(table, "answers", PEOPLE_SHOWN, "annotators are shown: those with the most answers")
    return (
        f'<p class="note">{safe(SEVERITY)}</p>{_html(shown)}',
        "\n".join([SEVERITY, "", as_markdown(shown)]),
    )


def _html(table: Table) -> str:
    names = [PLAIN.get(name, name.replace("_", " ")) for name in table.columns]
    return as_html(table, names=names, sortable=len(table) > 3)


def _limits(context: Context) -> tuple[str, str]:
    """Differences over means of two annotators, of more the pair that differs most; and the limits of every pair."""
    if context.study.n_annotators > MATRIX_PEOPLE:
        return "", ""
    found = bland_altman(context.study)
    table = found.to_table()
    finite = [math.isfinite(row["upper"]) for row in table]
    if not any(finite):
        return "", ""
    width = [
        max(abs(row["upper"]), abs(row["lower"])) if known else -1.0 for row, known in zip(table, finite, strict=True)
    ]
    place = int(np.argmax(width))
    drawn = _drawn(context, found, place, table)
    more = "" if len(table) == 1 else " The chart shows the two who differ most."
    text = f"{LIMITS}{more}"
    kept = (
        "first",
        "second",
        "items",
        "bias",
        "bias_low",
        "bias_high",
        "sd",
        "lower",
        "upper",
        "slope_p",
        "widening_p",
    )
    listed = Table(table.title, {name: table.data[name] for name in kept}, table.notes)
    return (
        f'<p class="note">{safe(text)}</p>{drawn}{_html(listed)}',
        "\n".join([text, "", as_markdown(listed)]),
    )


def _drawn(context: Context, found: LimitsOfAgreement, place: int, table: Table) -> str:
    """The chart of one pair, and the way to the items outside its limits."""
    row = list(table)[place]
    points, lines, title, *axes = found._drawing(place)
    shown = Table(title, {"who": [name for name, *_ in lines], "value": [line[1] for line in lines],
                          "low": [line[2] for line in lines], "high": [line[3] for line in lines]})  # fmt: skip
    spoken = (
        f"{row['first']} less {row['second']}: bias {row['bias']:.3g}, limits {row['lower']:.3g} to {row['upper']:.3g}."
    )
    both = (row["first"], row["second"])
    links = context.all_behind(
        {"annotators": both, "mean": (mean, mean), "less": (apart, apart)} for mean, apart, _ in points
    )
    few = links if len(points) <= LINKED_POINTS else []
    chart = figure("differences", (points, lines, title, *axes), shown, spoken, links=few)
    return chart + _outside(context, found._outside(place), row)


def _outside(context: Context, numbers: tuple[int, int], row: dict[str, Any]) -> str:
    """Links to the items on which two differ more than nearly always, where there are some and pages of items."""
    if context.address is None:
        return ""
    both = (row["first"], row["second"])
    spans = ((row["upper"], math.inf), (-math.inf, row["lower"]))
    links = [
        f'<a href="{safe(context.behind(annotators=both, less=span))}">{counted(number, "items")} {where}</a>'
        for number, span, where in zip(numbers, spans, ("above the limits", "below them"), strict=True)
        if number
    ]
    return f'<p class="see">Items behind it: {" · ".join(links)}</p>' if links else ""


def _model(context: Context) -> tuple[str, str]:
    """Severities by the rating-scale model, for few ordered scores."""
    study = context.study
    scores = np.unique(study.answers.numbers("scores"))
    if len(scores) > MOST_CATEGORIES or study.n_annotations > MODELLED or study.n_annotators > PEOPLE_SHOWN:
        return "", ""
    model = fitted(study, "mml")
    if model.undefined:
        return "", ""
    people, steps = model.annotators(), model.thresholds()
    title = "The many-facet rating-scale model: severity, fit and thresholds in logits"
    inner = "".join(as_html(table) for table in (people, steps))
    html = f"<details><summary>{safe(title)}</summary>{inner}</details>"
    return html, "\n".join([f"### {title}", "", as_markdown(people), as_markdown(steps)])

"""Whose number is it: what items, annotators, runs and the rest add to a score, and every ICC that follows."""

from __future__ import annotations

from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.measures.components_of_scores import VarianceComponents, variance_components
from accord.planning.decision_study import decision_study
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure
from accord.scores.score_table import ANNOTATOR, ITEM

WANTED = 0.8  # reliability of a mean, for which annotators are counted


def needs(context: Context) -> bool:
    """One variable of scores, in memory, whose items count alike."""
    study = context.study
    here = not context.several and study.kind == "score" and study._annotations.in_memory
    return here and study._uneven_weights is None and variance_components(study).undefined is None


def build(context: Context) -> Section:
    """Shares, components, correlations, and how many annotators a mean needs."""
    found = variance_components(context.study)
    text, advice, wanted = _in_words(found), str(found.advice), _annotators(found)
    rows = [(name, 100 * share) for name, share in _shares(found).items()]
    title, axis = "What the variance of a score is made of", "per cent of the variance"
    shares = Table(title, {"part": found.names, axis: [share for _, share in rows]})
    links = context.all_behind({} if name == ITEM else {"agree": "no"} for name, _ in rows)
    drawn = figure("bars", (rows, title, axis), shares, text, links=links)
    tables = [found.to_table(), found.iccs()]
    body = [f"<p>{safe(text)}</p>", drawn, *map(as_html, tables), f"<p>{safe(advice)}</p>"]
    markdown = [marked(text), "", *(as_markdown(table) for table in tables), "", marked(advice)]
    if wanted:
        body.append(f"<p>{safe(wanted)}</p>")
        markdown += ["", marked(wanted)]
    return Section("variances", "Whose number is it", "".join(body), "\n".join(markdown))


def _shares(found: VarianceComponents) -> dict[str, float]:
    return dict(zip(found.names, found.to_table()["share"].tolist(), strict=True))


def _in_words(found: VarianceComponents) -> str:
    """The shares in a sentence."""
    parts = [f"{share:.0%} {name}" for name, share in _shares(found).items()]
    return (
        f"Of the variance of one score, {', '.join(parts)}. What is not the item's is what another annotator, or "
        "another day, would have changed."
    )


def _annotators(found: VarianceComponents) -> str:
    """How many annotators a mean needs, where it is known who they are."""
    if ANNOTATOR not in found.scores.factors:
        return ""
    return " ".join(str(decision_study(found.study, target=WANTED)).splitlines())

"""What the lead sets: rules that accept items, the reasons to choose from, the guideline's version, what is learned."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from accord.errors import AccordError, DecisionError, counted
from accord.workbench.queue_order import ORDERS, check_order
from accord.workbench.rules import Rule
from accord.workbench.visit import FormFields, Visit, to

PER_CENT = {"share": "100", "confidence": "0"}  # fields of a rule, and what they say where nothing is typed


def show(visit: Visit) -> Response:
    """All of it on one page; a rule that was described says how many items it would accept, before it does."""
    bench, rule = visit.site.bench, _rule(visit.query) if "answers" in visit.query.values else None
    return visit.page(
        "rules.html.j2",
        rule=rule or Rule(),
        described=rule is not None,
        fits=None if rule is None else bench.accepts(rule),
        standing=bench.rules(),
        reasons=bench.reasons,
        guideline=bench.guideline_version,
        orders=ORDERS,
        order=bench.options.order,
        has_confidence=bench.gold.confidence_is != "none",
        notice=visit.query.one("said"),
    )


def accept(visit: Visit) -> Response:
    """Accept what a rule fits."""
    rule = _rule(visit.form)
    done = visit.site.bench.accept(rule, visit.person, visit.key)
    return to("/rules", said=f"{counted(done, 'items')} accepted: {rule.words}.")


def take_back(visit: Visit) -> Response:
    """Open what a rule accepted again."""
    done = visit.site.bench.take_back(visit.form.one("words"), visit.person, visit.key)
    return to("/rules", said=f"Taken back: {counted(done, 'items')} open again.")


def set_reasons(visit: Visit) -> Response:
    """Another list of reasons, one a line."""
    visit.site.bench.set_reasons(visit.form.one("reasons").splitlines(), visit.person, visit.key)
    return to("/rules", said="The reasons are kept.")


def set_guideline(visit: Visit) -> Response:
    """Another version of the guideline, which decisions from now on say."""
    visit.site.bench.set_guideline(visit.form.one("version"), visit.person, visit.key)
    return to("/rules", said="Decisions from now on follow this version.")


def set_order(visit: Visit) -> Response:
    """Another order of the queue."""
    order: Any = visit.form.one("order")
    check_order(order)
    visit.site.bench.set_order(order, visit.person)
    return to("/rules", said=f"The queue goes by {order} from now on.")


def relearn(visit: Visit) -> Response:
    """Let the model learn from what was decided."""
    visit.site.bench.relearn()
    return to("/rules", said="The model has learned from the decisions, and the queue is in a new order.")


def _rule(fields: FormFields) -> Rule:
    try:
        share, confidence = (float(fields.one(name, default) or default) for name, default in PER_CENT.items())
        return Rule(int(fields.one("answers", "3")), share / 100, confidence / 100)
    except ValueError as problem:
        if isinstance(problem, AccordError):
            raise
        raise DecisionError("A rule is made of numbers: answers, and per cent. Mend what is none.") from None

"""Every address of the workbench in one list: what is read and what is changed, and by whom; and the menu."""

from __future__ import annotations

from importlib import import_module

from starlette.responses import Response

from accord.workbench.pages import after, invitations, overview, queue, rules, spans
from accord.workbench.site import MenuEntry
from accord.workbench.visit import Answering, FormAddress, Page, Visit


def later(page: str) -> Answering:
    """A page that is loaded when it is first asked for: a report needs half of accord, and the first page does not."""

    def show(visit: Visit) -> Response:
        answer: Response = import_module(f"accord.workbench.pages.{page}").show(visit)
        return answer

    return show


DECLARED: list[Page | FormAddress] = [
    Page("/", overview.show),
    Page("/live", overview.live),
    Page("/queue", queue.show, "adjudicator"),
    Page("/picture", queue.picture),
    FormAddress("/spans", spans.step, "adjudicator"),
    Page("/report", later("report")),
    Page("/items", later("items")),
    FormAddress("/decide", queue.decide, "adjudicator"),
    FormAddress("/skip", queue.skip, "adjudicator"),
    FormAddress("/comment", queue.comment, "adjudicator"),
    FormAddress("/undo", queue.undo, "adjudicator"),
    Page("/after", after.show),
    Page("/gold", after.download),
    Page("/annotators", after.annotators),
    Page("/annotator", after.annotator),
    Page("/open-points", after.points),
    Page("/people", invitations.show, "lead"),
    FormAddress("/people/invite", invitations.invite, "lead"),
    FormAddress("/people/withdraw", invitations.withdraw, "lead"),
    Page("/rules", rules.show, "lead"),
    FormAddress("/rules/accept", rules.accept, "lead"),
    FormAddress("/rules/take-back", rules.take_back, "lead"),
    FormAddress("/rules/reasons", rules.set_reasons, "lead"),
    FormAddress("/rules/guideline", rules.set_guideline, "lead"),
    FormAddress("/rules/order", rules.set_order, "lead"),
    FormAddress("/rules/relearn", rules.relearn, "lead"),
]

MENU = [
    MenuEntry("/", "Overview"),
    MenuEntry("/queue", "Decide", ("lead", "adjudicator")),
    MenuEntry("/report", "Report"),
    MenuEntry("/items", "Items"),
    MenuEntry("/after", "What came of it"),
    MenuEntry("/open-points", "Open points"),
    MenuEntry("/rules", "Rules", ("lead",)),
    MenuEntry("/people", "People", ("lead",)),
]

"""Every address of the workbench in one list: what is read and what is changed, and by whom; and the menu."""

from __future__ import annotations

from importlib import import_module

from starlette.responses import Response

from accord.workbench.pages import after, invitations, overview, queue, rules, spans
from accord.workbench.site import MenuEntry
from accord.workbench.visit import Answering, Change, Page, Visit


def later(page: str) -> Answering:
    """A page that is loaded when it is first asked for: a report needs half of accord, and the first page does not."""

    def show(visit: Visit) -> Response:
        answer: Response = import_module(f"accord.workbench.pages.{page}").show(visit)
        return answer

    return show


DECLARED: list[Page | Change] = [
    Page("/", overview.show),
    Page("/live", overview.live),
    Page("/queue", queue.show, "adjudicator"),
    Page("/picture", queue.picture),
    Change("/spans", spans.step, "adjudicator"),
    Page("/report", later("report")),
    Page("/items", later("items")),
    Change("/decide", queue.decide, "adjudicator"),
    Change("/skip", queue.skip, "adjudicator"),
    Change("/comment", queue.comment, "adjudicator"),
    Change("/undo", queue.undo, "adjudicator"),
    Page("/after", after.show),
    Page("/gold", after.download),
    Page("/annotators", after.annotators),
    Page("/annotator", after.annotator),
    Page("/open-points", after.points),
    Page("/people", invitations.show, "lead"),
    Change("/people/invite", invitations.invite, "lead"),
    Change("/people/withdraw", invitations.withdraw, "lead"),
    Page("/rules", rules.show, "lead"),
    Change("/rules/accept", rules.accept, "lead"),
    Change("/rules/take-back", rules.take_back, "lead"),
    Change("/rules/reasons", rules.set_reasons, "lead"),
    Change("/rules/guideline", rules.set_guideline, "lead"),
    Change("/rules/order", rules.set_order, "lead"),
    Change("/rules/relearn", rules.relearn, "lead"),
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

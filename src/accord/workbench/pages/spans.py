"""A step with the units of a document: the draft comes with the form, and goes back changed."""

from __future__ import annotations

from starlette.responses import Response

from accord.errors import AccordError, DecisionError
from accord.workbench.pages.one_item import WITH_ANSWERS, editor_of, item_page, place_of
from accord.workbench.visit import Visit

BY_SELECTION = ("add", "split")  # steps that take what is selected in the text


def step(visit: Visit) -> Response:
    """The screen after a step; what cannot be done is said there, and the draft stays as it was."""
    form = visit.form
    place = place_of(visit, form.one("item", "null"))
    editor = None if place is None else editor_of(visit, place)
    if place is None or editor is None:
        raise DecisionError("This study has no units of such an item. Go on with the next.")
    draft, problem = editor.read(form.one("draft")), ""
    word, _, given = form.one("step").partition(":")
    if word == "show":
        return item_page(visit, place, WITH_ANSWERS, draft=draft)
    if word in BY_SELECTION and form.one("selection"):
        given = form.one("selection") if word == "add" else form.one("selection").split()[0]
    try:
        draft = editor.after(draft, word, given)
    except AccordError as refusal:
        problem = visit.site.public_words(refusal)
    return item_page(visit, place, form.one("show"), draft=draft, problem=problem)

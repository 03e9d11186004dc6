"""Who may come in: the lead gives links, and takes them back."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from accord.errors import OptionError
from accord.workbench.people import ROLES, Person
from accord.workbench.visit import Visit, to


def show(visit: Visit) -> Response:
    """Everybody who has a link, and a form for another."""
    return visit.page("people.html.j2", everybody=visit.site.links.everybody, roles=ROLES[1:] + ROLES[:1], made=None)


def invite(visit: Visit) -> Response:
    """Make a link; it is shown once, here."""
    role: Any = visit.form.one("role")
    person = Person(" ".join(visit.form.one("name").split()), role)
    if person.name == visit.person.name:
        raise OptionError.must("name", "be somebody else's: your own link is the one that you came by", person.name)
    made = {"person": person, "token": visit.site.links.invite(person)}
    return visit.page("people.html.j2", everybody=visit.site.links.everybody, roles=ROLES[1:] + ROLES[:1], made=made)


def withdraw(visit: Visit) -> Response:
    """Take a link back."""
    visit.site.links.withdraw(visit.form.one("name"))
    return to("/people")

"""How an answer is given on the screen: which template asks for it, and how its form is read. One entry a kind."""

from __future__ import annotations

import json
import math
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.annotations.answers import Kind, Label
from accord.errors import DecisionError, quoted
from accord.options import whole_number
from accord.workbench.visit import FormFields

TAKEN = "cgmnrsuv"  # by what can be done besides choosing a label; `?` and `/` too
MOST_TYPED = 20  # letters of what somebody typed that are told
LABEL_KEYS = "1234567890" + "".join(letter for letter in string.ascii_lowercase if letter not in TAKEN)


@dataclass(frozen=True)
class Choice:
    """A label that can be chosen: how a form carries it, how it is shown, and the key that chooses it."""

    value: str
    name: str
    key: str


def choices(labels: Sequence[Label], stand_for: Mapping[Label, str] | None = None) -> list[Choice]:
    """Labels to choose from; the first ones have a key each, and some stand for something that is said with them.

    Labels that are keys themselves are their own: 1 must not choose 0.

    >>> [(one.key, one.value) for one in choices(["no", 3])]
    [('1', '"no"'), ('2', '3')]
    >>> [(one.key, one.value) for one in choices([0, 1])]
    [('0', '0'), ('1', '1')]
    >>> [one.name for one in choices(["first", "tie"], {"first": "Tern"})]
    ['first: Tern', 'tie']
    """
    own, known = [str(label).lower() for label in labels], stand_for or {}
    theirs = len(set(own)) == len(own) and all(name in LABEL_KEYS and len(name) == 1 for name in own)
    keys = own if theirs else [*LABEL_KEYS, *([""] * len(labels))]
    return [
        Choice(json.dumps(label), f"{label}: {known[label]}" if label in known else str(label), keys[place])
        for place, label in enumerate(labels)
    ]


@dataclass(frozen=True)
class AnswerControl:
    """The control of one kind of answer."""

    template: str
    read: Callable[[FormFields], Any]
    majority: str = "As the majority"  # what takes the answers' own word for it


def _label(form: FormFields) -> Any:
    if "answer" not in form.values:
        raise DecisionError("No label was chosen. Choose one.")
    return sent(form.one("answer"))


def _labels(form: FormFields) -> list[Any]:
    """The labels that were ticked; that none fits is ticked too, so that a key pressed twice decides nothing."""
    ticked, none = [sent(value) for value in form.all("answer")], bool(form.one("none"))
    if ticked and none:
        raise DecisionError("Labels and “none of the labels” were ticked together. Take one of them back.")
    if not ticked and not none:
        raise DecisionError("No label was ticked. Tick those that fit, or “none of the labels”.")
    return ticked


def _ranked(form: FormFields) -> list[Any]:
    """Labels by the place that was written beside each; equal places share a rank."""
    places: dict[int, list[Any]] = {}
    for value, place in zip(form.all("label"), form.all("place"), strict=False):
        if place.strip():
            number = whole_number(place.strip())
            if number is None:
                typed = place if len(place) <= MOST_TYPED else f"{place[:MOST_TYPED]}…"
                raise DecisionError(
                    "A place in the order is a whole number, 1 for the first; got ", quoted(typed), ". Mend it."
                )
            places.setdefault(number, []).append(sent(value))
    return [labels[0] if len(labels) == 1 else labels for _, labels in sorted(places.items())]


def _score(form: FormFields) -> float:
    typed = form.one("answer").strip().replace(",", ".")
    try:
        number = float(typed)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise DecisionError("A score is a number; got ", quoted(typed), ". Type one, such as 3.5.")
    return number


def _units(form: FormFields) -> Any:
    """Units of a draft, as the log keeps them."""
    draft = sent(form.one("draft"))
    if not isinstance(draft, dict) or "units" not in draft:
        raise DecisionError("The page sent no draft of units. Load the page again.")
    if not draft["units"] and not draft.get("earlier"):  # a key pressed twice must not decide a text unseen
        raise DecisionError("No unit is kept. Mark some, look at what was marked, or say that nothing is to be marked.")
    return draft["units"]


def sent(value: str) -> Any:
    """A label as a form carries it."""
    try:
        found = json.loads(value)
        json.dumps(found, allow_nan=False)  # Python reads what is no JSON: NaN, and numbers without end
    except (ValueError, RecursionError):
        raise DecisionError("This form is not one of this server's pages. Load the page again.") from None
    return found


CONTROLS: dict[Kind, AnswerControl] = {
    "single": AnswerControl("answer_single.html.j2", _label),
    "preference": AnswerControl("answer_single.html.j2", _label),
    "set": AnswerControl("answer_set.html.j2", _labels),
    "ranked": AnswerControl("answer_ranked.html.j2", _ranked),
    "ranking": AnswerControl("answer_ranked.html.j2", _ranked),
    "spans": AnswerControl("answer_spans.html.j2", _units),
    "score": AnswerControl("answer_score.html.j2", _score, "As the median"),
}

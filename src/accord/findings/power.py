"""Power: which faults of which size would this study have shown, and how surely? No finding is not no fault.

Each fault is planted in the answers as they are, by its expectation: what would the test that looks for it be on
average, and how far would it vary? Nothing is drawn but a few guessed items, with a fixed seed. A fault counts as shown
where its p-value survives Holm's correction for all that is asked of the study: at 0.05 / questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import add_up
from accord.coefficients.standard_errors import NORMAL
from accord.coefficients.student_t import below
from accord.errors import MeasureError
from accord.findings.confusion_tables import cells_of
from accord.findings.copied_answers import COPIED
from accord.findings.distances import FEWEST, Distances
from accord.findings.finding import SURE
from accord.findings.planted_faults import (
    MOST_COUNTED,
    beyond_normal,
    beyond_student,
    design_of,
    like_the_others,
    shown_apart,
    shown_confused,
    spread_once_risen,
)
from accord.findings.study_view import View
from accord.options import Shown

FaultName: TypeAlias = Literal[
    "guessing-annotator",
    "confused-labels",
    "hard-items",
    "copied-answers",
    "different-label-use",
    "rising-disagreement",
]
TAKEN = 0.8  # of the answers that are copied
MOVED = 0.1  # of the items: a label that one of two gives more often
RISE = 0.2  # of the distance from the others, from the first answer to the last
WORDS: dict[FaultName, str] = {
    "guessing-annotator": "an annotator who guesses half of the answers",
    "confused-labels": "the two commonest labels being taken for each other in a quarter of their answers",
    "hard-items": "a fifth of the items on which everybody guesses",
    "copied-answers": "an annotator who copies four fifths of the answers from another",
    "different-label-use": "one of two annotators giving the commonest label on a tenth more of the items",
    "rising-disagreement": "disagreement that rises by 0.2 from the first answer to the last",
}
MOST_ANSWERS = 60  # distinct answers, beyond which the table of their distances is not made for this


@dataclass(frozen=True, repr=False)
class Power(Shown):
    """How likely a study like this one would have shown a fault of a certain kind and size.

    Attributes:
        fault: What kind of fault, hyphenated: "guessing-annotator", "confused-labels" …
        says: The fault with its size, in words.
        probability: That it would have been found, after correction for all questions; 0 where these data cannot tell.
        variable: Of which variable, where the study holds several.

    >>> import accord
    >>> found = accord.explain(accord.Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
    >>> found.power[0].fault, 0 <= found.power[0].probability <= 1
    ('guessing-annotator', True)
    """

    fault: FaultName
    says: str
    probability: float
    variable: Label | None = None

    def __str__(self) -> str:
        return f"{self.says}: {_digits(self.probability)}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "fault": self.fault,
            "says": self.says,
            "probability": round(self.probability, 3),
            "variable": self.variable,
        }


def power_of(view: View, n_tests: int, variable: Label | None = None) -> Iterator[Power]:
    """The probabilities of all faults that the kind of data allows to ask about."""
    if view.main.undefined or not view.single or int((view.marginals > 0).sum()) < 2:
        return
    fault_power = FaultPower(view, SURE / max(n_tests, 1))
    for name, question in QUESTIONS.items():
        try:
            probability = question(fault_power)
        except MeasureError:  # the data are of a kind that is not looked at for this
            continue
        if probability is not None and math.isfinite(probability):
            yield Power(name, WORDS[name], float(np.clip(probability, 0.0, 1.0)), variable)


def sentence(power: Sequence[Power]) -> str:
    """Which faults the study would have shown, with what probability; empty where nothing is known of it."""
    by_fault: dict[str, list[float]] = {}
    for one in power:
        by_fault.setdefault(one.says, []).append(one.probability)
    able = {fault: found for fault, found in by_fault.items() if max(found) > 0}
    unable = [fault for fault in by_fault if fault not in able]
    sentences = []
    if able:
        words = ["with a probability of", *["with"] * (len(able) - 1)]  # said once
        parts = [f"{fault} {word} {_range(found)}" for word, (fault, found) in zip(words, able.items(), strict=True)]
        sentences.append(f"A study of this size and agreement would show {_listed(parts)}.")
    if unable:
        sentences.append(f"{'It' if able else 'A study like this'} cannot show {_listed(unable, 'or')}.")
    return " ".join([*sentences, "What was not found may still be there."]) if sentences else ""


def _listed(parts: Sequence[str], last: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _range(found: Sequence[float]) -> str:
    low, high = _digits(min(found)), _digits(max(found))
    return low if low == high else f"{low} to {high}, by variable"


def _digits(probability: float) -> str:
    """Two decimals; never 0 or 1 where it is nearly so."""
    if probability <= 0:
        return "0"
    return "over 0.99" if probability > 0.99 else "below 0.01" if probability < 0.01 else f"{probability:.2f}"


@dataclass(frozen=True, eq=False)
class FaultPower:
    """One study, and how small a p-value must be to count."""

    view: View
    significance: float

    @property
    def distances(self) -> Distances | None:
        """How far answers are from the others; None where that is not known."""
        found = self.view.distances
        return None if isinstance(found, str) else found

    def guesser(self) -> float | None:
        """Somebody who guesses: the mean over the annotators who can be judged."""
        distances = self.distances
        if distances is None:
            return None
        if distances.study.n_annotators < 3:
            return 0.0
        if len(distances.tally.answers) > MOST_ANSWERS:
            return None
        return shown_apart(distances, self.view.marginals, self.significance)

    def confused(self) -> float | None:
        """The two commonest labels taken for each other by everybody."""
        in_use = int((self.view.marginals > 0).sum())
        if in_use < 3:
            return 0.0
        tally = self.view.tally
        if len(tally.answers) > MOST_ANSWERS or not (tally.pairable & (tally.answered <= MOST_COUNTED)).any():
            return None
        return shown_confused(self.view, self.significance, design_of(self.view))

    def hard_items(self) -> float | None:
        """Some items guessed by everybody."""
        if isinstance(self.view.hard_items, str):
            return 0.0
        return self.view.planted_hard_items.shown(self.significance)

    def copied(self) -> float | None:
        """Two of four annotators or more who do not answer independently."""
        compared = self.view.compared_people
        if self.distances is None or self.distances.study.n_annotators < 3:
            return None
        if isinstance(compared, str):
            return 0.0 if self.distances.study.n_annotators == 3 else None
        pairs = np.triu(compared.linked & (compared.common >= FEWEST), 1)
        if not pairs.any():
            return 0.0
        usual = float(compared.agreement[pairs].mean())
        agreed, least, expected = (
            1 - (1 - usual) * (1 - part) * compared.room for part in (TAKEN, COPIED, 0.0)
        )  # of pairs of answers: as planted, as it must be at least, and of independent people
        items = compared.common[pairs]
        unsure = np.sqrt(expected * (1 - expected) / items * 4 / max(len(compared.people) - 2, 1))
        limit = np.clip(expected + unsure, 1e-6, 1 - 1e-6)
        needed = limit + beyond_normal(self.significance / pairs.sum()) * np.sqrt(limit * (1 - limit) / items)
        spread = np.sqrt(max(agreed * (1 - agreed), 1e-9) / items)
        shown = float(below((agreed - np.maximum(needed, least)) / spread, NORMAL).mean())
        return shown * like_the_others(compared, pairs)

    def label_use(self) -> float | None:
        """One of two annotators who gives the commonest label more often."""
        from scipy.special import chdtri, chndtr

        if not self.view.named or self.view.study.n_annotators != 2:
            return None
        cells, size = cells_of(self.view), len(self.view.study.labels)  # the table of labels × labels may be huge
        if not cells.items.sum() > 0:
            return None
        first, second = (add_up(one, cells.items, size) for one in (cells.first_answer, cells.second_answer))
        label, total = int(np.argmax(second + first)), float(cells.items.sum())
        only_second = float(cells.items[(cells.second_answer == label) & (cells.first_answer != label)].sum())
        only_first = float(cells.items[(cells.first_answer == label) & (cells.second_answer != label)].sum())
        room = total - float(first[label])  # answers of the first that are not of this label, and can be
        more = min(MOVED * total, room)
        met = only_second / max(room, 1.0)  # of which the second gave it before
        apart = only_first + only_second + more * (1 - 2 * met)
        if not apart > 0:
            return 0.0
        df = max(int((first + second > 0).sum()) - 1, 1)
        beyond = more**2 / (apart * design_of(self.view))
        return 1 - float(chndtr(chdtri(df, self.significance), df, beyond))

    def rising(self) -> float | None:
        """Disagreement that rises over time."""
        course = self.view.time_course
        if isinstance(course, str) or not course.slope.se > 0:
            return None
        error = course.slope.se * spread_once_risen(course, RISE)
        needed = beyond_student(self.significance / 2, max(course.slope.answers - 2, 1))
        return float(below(RISE / error - needed, NORMAL))


QUESTIONS: dict[FaultName, Callable[[FaultPower], float | None]] = {
    "guessing-annotator": FaultPower.guesser,
    "confused-labels": FaultPower.confused,
    "hard-items": FaultPower.hard_items,
    "copied-answers": FaultPower.copied,
    "different-label-use": FaultPower.label_use,
    "rising-disagreement": FaultPower.rising,
}

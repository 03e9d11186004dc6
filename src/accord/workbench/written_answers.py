"""Items and answers as the log keeps them: JSON text, the same for the same answer, checked on the way in."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from accord.annotations.answers import IN_ORDER, Kind, Label, LabelSet, Ranking, Tie, tidy_label, tidy_number
from accord.consensus.label_names import NameLookup
from accord.consensus.spans.marked_units import Unit
from accord.errors import LabelError, all_quoted, quoted
from accord.options import encodable
from accord.study.study import Study
from accord.workbench.span_units import checked_units


def written(value: Any) -> str:
    """A value as JSON text, the same on every run; half a character, which no file holds, as JSON escapes it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text if text.isascii() or encodable(text) == text else json.dumps(value, separators=(",", ":"))


def read_back(text: str | None) -> Any:
    """What a text of the log says; None where it says nothing."""
    return None if text is None else json.loads(text)


class AnswerForm:
    """What an answer of this study looks like: one label, several, labels in order, or a number."""

    def __init__(self, study: Study) -> None:
        self.kind = study.kind
        self.labels = study.labels
        self._answers = study.answers
        self._names = NameLookup(study.labels)

    @classmethod
    def of(cls, study: Study) -> AnswerForm:
        """The form of a study's answers."""
        return FORMS.get(study.kind, cls)(study)

    def given(self, code: int) -> Any:
        """An answer that annotators gave (its position), as the log keeps it."""
        return self.checked(self._answers.value(code))

    def same(self, answer: Any, code: int) -> bool:
        """Is what a gold holds of an item the answer that annotators gave (its position)?"""
        return answer is not None and self.plain(answer) == self.plain(self.for_gold(self.given(code)))

    def plain(self, answer: Any) -> Any:
        """What a gold holds of an item, as JSON has it: tuples are lists."""
        return [self.plain(part) for part in answer] if isinstance(answer, list | tuple) else answer

    def words(self, answer: Any) -> str:
        """An answer in a line, as it is written everywhere; empty where there is none."""
        if answer is None:
            return ""
        if not isinstance(answer, list | tuple):
            return str(answer)
        if self.kind not in IN_ORDER:
            return str(LabelSet(answer))
        return str(Ranking(Tie(part) if isinstance(part, list | tuple) else part for part in answer))

    def for_gold(self, answer: Any) -> Any:
        """A decision as a gold of single labels, sets or scores holds it: of labels in order, the first."""
        return answer[0] if self.kind == "ranked" else answer

    def checked(self, answer: Any) -> Any:
        """An answer as the log keeps it.

        Raises:
            LabelError: If it cannot be an answer of this study.
        """
        if self.kind == "score":
            return _number(answer)
        if self.kind == "single":
            return self._label(answer)
        if not isinstance(answer, list | tuple):
            raise LabelError(
                "An answer is a list of labels here; got ", quoted(answer), ". Give a list, which may be empty."
            )
        if self.kind == "set":
            return [self.labels[place] for place in sorted({self._place(label) for label in answer})]
        return self._in_order(answer)

    def _in_order(self, answer: Sequence[Any]) -> list[Any]:
        """Labels by rank; those that share one stand in a list of their own."""
        groups = [part if isinstance(part, list | tuple) else [part] for part in answer]
        places = [sorted({self._place(label) for label in group}) for group in groups if group]
        flat = [place for group in places for place in group]
        if len(set(flat)) < len(flat) or not flat:
            raise LabelError(
                "Labels in order name each label once, and at least one; got ", quoted(answer), ". Mend the list."
            )
        if self.kind == "ranked" and len(places[0]) > 1:
            raise LabelError(
                "Ranked labels begin with one primary label; got ", quoted(answer), ". Put one of them first."
            )
        named = [[self.labels[place] for place in group] for group in places]
        return [group[0] if len(group) == 1 else group for group in named]

    def _label(self, label: Any) -> Label:
        return self.labels[self._place(label)]

    def _place(self, label: Any) -> int:
        tidy = tidy_label(label)
        if tidy in self.labels and type(tidy) is type(self.labels[self.labels.index(tidy)]):
            return self.labels.index(tidy)
        place = None if tidy is None else self._names.place(tidy)
        if place is None:
            raise LabelError(quoted(label), " is none of the labels ", all_quoted(self.labels), ". Choose one of them.")
        return place


def _number(answer: Any) -> int | float:
    try:
        number = float(answer)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or isinstance(answer, bool):
        raise LabelError("An answer is a number here; got ", quoted(answer), ". Give a number.")
    return tidy_number(number)


class UnitsForm(AnswerForm):
    """An answer is a list of units, each [[start, end, …], label]."""

    def given(self, code: int) -> Any:
        """The units that annotators marked, as the log keeps them."""
        held = dict.fromkeys(zip(self._answers.places[code], self._answers.members[code], strict=True))
        return self.checked([[list(bounds), self.labels[label]] for bounds, label in held])

    def same(self, answer: Any, code: int) -> bool:
        """Is what a gold holds of an item what annotators marked? A gold tells of pieces the first and the last end."""
        outer = [[[bounds[0], bounds[-1]], label] for bounds, label in self.given(code)]
        return answer is not None and self.plain(answer) == outer

    def plain(self, answer: Any) -> Any:
        """Units of a gold as the log keeps units; what is from the log as it is."""
        if not isinstance(answer, list | tuple):
            return answer
        return [[[unit.start, unit.end], unit.label] if isinstance(unit, Unit) else unit for unit in answer]

    def for_gold(self, answer: Any) -> Any:
        """The units of a decision, each its pieces and its label."""
        return [(unit.pieces, unit.label) for unit in checked_units(answer, self._label)]

    def words(self, answer: Any) -> str:
        """Units in a line, each with its places, or the labels alone that they have; empty where there is no answer."""
        if answer is None or isinstance(answer, LabelSet):
            return super().words(answer)
        units = checked_units(self.plain(answer), self._label)
        return ", ".join(map(str, units)) or "nothing marked"

    def checked(self, answer: Any) -> Any:
        """An answer as the log keeps it, its units in order."""
        return [unit.written for unit in checked_units(answer, self._label)]


FORMS: dict[Kind, type[AnswerForm]] = {"spans": UnitsForm}  # kinds whose answers look otherwise

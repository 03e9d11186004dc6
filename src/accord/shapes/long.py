"""Long tables: one row an annotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from accord import assembly
from accord.answers import Answers, Kind, Label, scale_of
from accord.assembly import Assembled, Duplicates, LeftOut
from accord.coding import Coded
from accord.errors import InputError, OptionError
from accord.shapes.made import Made

if TYPE_CHECKING:
    from accord.engine import Frame


class Long:
    """Reads a long table: codes the columns once, then assembles the whole or each variable."""

    def __init__(
        self,
        frame: Frame,
        roles: Mapping[str, str],
        labels: Sequence[Any] | None,
        answers: Kind | None,
        duplicates: Duplicates,
    ) -> None:
        self.frame, self.roles, self.labels, self.duplicates = frame, roles, labels, duplicates
        self.left_out = LeftOut()
        self.kind = answers or self._kind()
        self._need_roles()
        self.sayings = assembly.read_sayings(
            frame.code(roles["item"], what="item"), frame.code(roles["annotator"], what="annotator"), self.left_out
        )

    def _kind(self) -> Kind:
        if "rank" in self.roles:
            return "ranked"
        if "label" not in self.roles:
            return "score"
        return "set" if self.frame.lists(self.roles["label"]) else "single"

    def _need_roles(self) -> None:
        needed = {"single": "label", "set": "label", "ranked": "label", "score": "score"}[self.kind]
        if needed not in self.roles:
            raise OptionError(f"answers={self.kind!r} needs {needed}=…, the column to read them from.")

    def made(self) -> Made:
        """The annotations, of one variable or of several."""
        several = "task" in self.roles
        whole = None if several else self._assemble(self.sayings)
        tasks = self._variables() if several else {}
        return Made(whole, self.frame, self.left_out, "long table", len(self.frame), self.roles, tasks)

    def _variables(self) -> dict[Label, Assembled]:
        """Each variable by itself; a row without one is left out."""
        task = self.frame.code(self.roles["task"], what="task")
        codes = task.codes[self.sayings.row]
        self.left_out.add("rows without a task", int((codes < 0).sum()))
        if not task.values:
            raise InputError(f"The task column {self.roles['task']!r} is empty.")
        return {name: self._assemble(self.sayings.where(codes == place)) for place, name in enumerate(task.values)}

    def _assemble(self, sayings: assembly.Sayings) -> Assembled:
        if self.kind == "score":
            return self._scores(sayings)
        name = self.roles["label"]
        if self.frame.lists(name):
            if self.kind == "single":
                raise InputError(f"The column {name!r} holds lists of labels: say answers='set' or answers='ranked'.")
            return assembly.listed_answers(sayings, self.frame.cells(name), self.labels, self.kind)
        label = self.frame.code(name)
        scale = self._scale(name, label, sayings)
        if self.kind == "set":
            return assembly.set_answers(sayings, label, scale)
        if self.kind == "ranked":
            rank = self.frame.code(self.frame.need("rank", self.roles.get("rank", "rank")), what="rank")
            return assembly.ranked_answers(sayings, label, rank, scale, self.left_out)
        return assembly.single_answers(sayings, label, scale, self.left_out, self.duplicates)

    def _scale(self, name: str, label: Coded, sayings: assembly.Sayings) -> Answers:
        """The declared scale: by the caller, by a categorical column, or the labels in use."""
        used = np.unique(label.codes[sayings.row])
        seen = [label.values[place] for place in used if place >= 0]
        categories = self.frame.categories(name)
        if self.labels is not None:
            return scale_of(seen, self.labels, ordered=bool(categories and categories[1]))
        if categories is not None:
            return scale_of(seen, categories[0], ordered=categories[1])
        return scale_of(seen)

    def _scores(self, sayings: assembly.Sayings) -> Assembled:
        name = self.roles["score"]
        if not self.frame.numeric(name):
            raise InputError(f"score={name!r} must be a column of numbers; its cells are not all numbers.")
        numbers = np.array([_number(cell) for cell in self.frame.cells(name)], dtype=np.float64)
        coded, answers = assembly.score_answers(numbers, ~np.isnan(numbers), f"column {name!r}")
        return assembly.single_answers(sayings, coded, answers, self.left_out, self.duplicates)


def _number(cell: Any) -> float:
    """A cell of a column of numbers; NaN where it is missing, in whatever way."""
    missing = cell is None or type(cell).__name__ == "NAType"
    return np.nan if missing else float(cell)

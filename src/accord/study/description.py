"""What a study holds, in words: what was read, what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import PREFERENCE, Kind, Label, answers_called
from accord.annotations.left_out import LeftOut
from accord.errors import counted, listing
from accord.options import Shown
from accord.study.item_weights import weighting

if TYPE_CHECKING:
    from accord.study.study import Study

MOST_VARIABLES = 30  # that are told one by one


@dataclass(frozen=True, repr=False)
class Counts(Shown):
    """How many items, annotators and answers a variable has."""

    variable: Label
    items: int
    annotators: int
    annotations: int
    kind: str
    named: bool = True  # is it known who answered?

    def __str__(self) -> str:
        people = f"{'' if self.named or not self.annotators else 'up to '}{counted(self.annotators, 'annotators')}"
        by = f"{counted(self.items, 'items')} by {people}"
        return f"{self.variable!r}: {by}, {in_words(self.annotations, self.kind)}"


@dataclass(frozen=True, repr=False)
class Description(Shown):
    """What was read; prints as a few lines."""

    headline: str
    shape: str
    rows: int
    items: int
    annotators: int
    annotations: int
    kind: str
    labels: dict[Label, int]  # how often each label was given
    answers_per_item: tuple[int, int]
    single_answer_items: int
    left_out: LeftOut
    tasks: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    item_weight: str | None = None  # the column that says what each item weighs, or "given"
    effective_items: float | None = None  # how many items that count alike would tell a mean as well
    variables: tuple[Counts, ...] = ()  # of several variables, each by itself

    def __str__(self) -> str:
        lines = [self.headline, f"  read from {_article(self.shape)} {self.shape} of {counted(self.rows, 'rows')}"]
        if self.tasks:
            named = all(one.named for one in self.variables)
            people = f"{'' if named or not self.annotators else 'up to '}{counted(self.annotators, 'annotators')}"
            total = counted(self.annotations, "answers")
            lines.append(f"  {counted(self.items, 'items')} by {people}: {total} in all")
            lines.extend(f"    {one}" for one in self.variables[:MOST_VARIABLES])
            if len(self.variables) > MOST_VARIABLES:
                lines.append(f"    … ({len(self.variables)} variables)")
            if self.item_weight is not None:
                lines.append(f"  items {self.weighting}")
        else:
            low, high = self.answers_per_item
            span = f"{low}" if low == high else f"{low} to {high}"
            lines.append(f"  answers per item: {span}; items with a single answer: {self.single_answer_items:,}")
            if self.labels:
                shown = ", ".join(f"{label!r} {count:,}" for label, count in list(self.labels.items())[:12])
                more = f" … ({len(self.labels)} labels)" if len(self.labels) > 12 else ""
                lines.append(f"  labels: {shown}{more}")
            if self.item_weight is not None:
                lines.append(f"  items {self.weighting}")
        for reason, number in self.left_out.items():
            lines.append(f"  left out: {counted(number, reason)}")
        if not self.left_out:
            lines.append("  left out: nothing")
        lines.extend(f"  note: {note}" for note in self.notes)
        return "\n".join(lines)

    @property
    def weighting(self) -> str:
        """How items count, in words; nothing where they count alike."""
        if self.item_weight is None:
            return ""
        worth = "" if self.effective_items is None else f", worth {self.effective_items:,.1f} that count alike"
        return f"{weighting(self.item_weight)}{worth}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "shape": self.shape,
            "rows": self.rows,
            "items": self.items,
            "annotators": self.annotators,
            "annotations": self.annotations,
            "answers": self.kind,
            "labels": [{"label": label, "count": count} for label, count in self.labels.items()],
            "answers_per_item": list(self.answers_per_item),
            "single_answer_items": self.single_answer_items,
            "left_out": self.left_out.to_list(),
            "tasks": list(self.tasks),
            "variables": [
                {
                    "variable": one.variable,
                    "items": one.items,
                    "annotators": one.annotators,
                    "annotations": one.annotations,
                    "answers": one.kind,
                }
                for one in self.variables
            ],
            "notes": list(self.notes),
            "item_weight": self.item_weight,
            "effective_items": self.effective_items,
        }


def describe(study: Study) -> Description:
    """Describe a study of one variable or several."""
    if study.tasks:
        parts = [describe(part) for part in study.tasks.values()]
        headline = f"Study of {counted(len(parts), 'variables')}: {listing(study.tasks, most=6)}"
        items = len({item for part in study.tasks.values() for item in part.items})
        known = {part.annotators[place] for part in study.tasks.values() for place in part._present}
        people = len(known) or max(part.annotators for part in parts)
        total = sum(part.annotations for part in parts)
        variables = tuple(
            Counts(name, part.items, part.annotators, part.annotations, part.kind, bool(known))
            for name, part in zip(study.tasks, parts, strict=True)
        )
        return Description(
            headline, study.shape, study.n_rows, items, people, total, parts[0].kind, {}, (0, 0), 0, study.left_out,
            tuple(study.tasks), study.notes, parts[0].item_weight if parts else None, variables=variables,
        )  # fmt: skip
    tally, weights = study.tally(), study._item_weights
    weighed = None if weights is None else weights.of(tally)
    answered = tally.answered
    return Description(
        headline=_headline(study),
        shape=study.shape,
        rows=study.n_rows,
        items=tally.n_items,
        annotators=study.n_annotators,
        annotations=tally.n_answers,
        kind=kind_as_read(study),
        labels=_label_counts(study),
        answers_per_item=(int(answered.min()) if len(answered) else 0, int(answered.max(initial=0))),
        single_answer_items=int(tally.items @ (answered == 1)),
        left_out=study.left_out,
        notes=study.notes,
        item_weight=None if weights is None else weights.name,
        effective_items=None if weights is None or weighed is None else weights.effective(weighed.items, weighed.one),
    )


def kind_as_read(study: Study) -> Kind:
    """The kind of answers in the word with which they are read: preferences are single answers once they are."""
    return PREFERENCE if study.compares else study.kind


def in_words(number: int, kind: str) -> str:
    """So many answers of a kind."""
    return counted(number, answers_called(kind))


def _headline(study: Study) -> str:
    tally = study.tally()
    people = study.n_annotators
    by = "up to " if people and not study._annotations.named else ""
    on = "of the options" if study.kind == "ranking" else "on the labels"
    scale = "" if study.kind == "score" else f" {on} {listing(study.labels, most=6)}"
    return (
        f"Study of {tally.n_items:,} {'item' if tally.n_items == 1 else 'items'} by {by}{people:,} "
        f"{'annotator' if people == 1 else 'annotators'}: {in_words(tally.n_answers, kind_as_read(study))}{scale}"
    )


def _label_counts(study: Study) -> dict[Label, int]:
    if study.kind == "score":
        return {}
    tally = study.tally()
    given = tally.per_answer(tally.count * tally.items[tally.pattern])
    counts = study.answers.per_label(given)
    return {label: int(count) for label, count in zip(study.labels, counts, strict=True)}


def _article(what: str) -> str:
    return "an" if what[:1].lower() in "aeiou" else "a"

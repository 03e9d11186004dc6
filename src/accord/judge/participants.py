"""Who is a person and who a model, and which of their answers count.

    found = participants_of(study, models=["gpt"], unparsable="missing")
    found.people, found.models, found.adjudicators    names, in the study's order
    found.study                                       the answers that count; with unparsable="label" the failed too
    found.column("gpt")                               (items,) answer codes of one annotator, −1 for missing
    found.grid(found.people)                          (items, annotators) the same for several
    found.gold                                        (items,) what the adjudicators say, −1 where they do not
    found.failed("gpt")                               how many of its answers were unparsable, refused or lost
    found.failures()                                  the same of everybody, as a Table
    found.need_people(3, "The test")                  an error where there are fewer
    people_hidden(found)                              the study with its people called A1, A2 …

Kinds come from the study's `kind` column (person, model, adjudicator, and the readers' words for them: human, llm …),
or from names: `models=` (or one `model=`) and `people=`. Names win. An annotator of no kind is a person. Only who is
there takes part: who answered something, or would have, had it been possible to read it; who was left out is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import FAILED, Label
from accord.annotations.arrays import IntArray
from accord.annotations.left_out import Reason
from accord.errors import (
    Keyword,
    MeasureError,
    OptionError,
    Part,
    Remedy,
    all_quoted,
    as_typed,
    counted,
    listing,
    no_such_annotator,
    nobody_named,
    one_of,
    one_task,
    quoted,
    remedy,
)
from accord.judge.failed_answers import (
    UNPARSABLE,
    Failed,
    FailedRows,
    adjudicated_aside,
    failed_rows,
    with_annotators_never_read,
    with_failed_as_label,
)
from accord.judge.reference_codes import one_answer
from accord.options import check_choice, one_or_listed
from accord.study.annotator_names import renamed
from accord.study.kinds import refuse_both
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles, as_study
from accord.study.unnamed_notes import refuse_guessed_people, unnamed_notes

Unparsable: TypeAlias = Literal["missing", "label"]


@dataclass(frozen=True, eq=False)
class Participants:
    """People and models on the same items; made by `participants_of`."""

    study: Study
    people: tuple[str, ...]
    models: tuple[str, ...]
    adjudicators: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # who is not among the people that were named
    unparsable: Unparsable = "missing"
    failed_answers: FailedRows = field(repr=False, kw_only=True)

    # -- their answers -----------------------------------------------------------------------------------------------

    def column(self, name: str) -> IntArray:
        """(items,) the annotator's answers as codes of `study.answers`, −1 for missing."""
        return self.grid([name])[:, 0]

    def grid(self, names: Sequence[str]) -> IntArray:
        """(items, annotators) answer codes, −1 for missing."""
        annotations = self.study._annotations.to_memory()
        places = [self.place(name) for name in names]
        if annotations.grid is not None:
            return np.asarray(annotations.grid[:, places], dtype=np.int64)
        if annotations.repeated:
            self._refuse_repeats(names)
        column = np.full(len(annotations.annotators), -1, dtype=np.int64)
        column[places] = np.arange(len(places))
        item, annotator, answer, _ = annotations.rows
        mine = column[annotator]
        present = mine >= 0
        grid = np.full((annotations.n_items, len(places)), -1, dtype=np.int64)
        grid[item[present], mine[present]] = answer[present]
        return grid

    def place(self, name: str) -> int:
        """The position of an annotator, or an error with the nearest name."""
        place = self._places.get(name)
        if place is None:
            raise no_such_annotator("annotator", [name], self.study.annotators)
        return place

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.study.annotators)}

    def _refuse_repeats(self, names: Sequence[str]) -> None:
        item, annotator, _, count = self.study._annotations.rows
        people = len(self.study.annotators)
        again = set((self.study._annotations.to_memory().cells_again % people).tolist())
        again |= set(annotator[count > 1].tolist())
        for name in names:
            if self.place(name) in again:
                theirs = item[annotator == self.place(name)]
                twice = np.nonzero(np.bincount(theirs, minlength=1) > 1)[0]
                where = (", item ", quoted(self.study.items[int(twice[0])]), " among them") if len(twice) else ()
                raise MeasureError(
                    quoted(name),
                    " answered some items more than once",
                    *where,
                    "; here one answer per item counts. Keep one with ",
                    remedy(duplicates=one_of("first", "last")),
                    " when the study is made; ",
                    Remedy({"about": "consistency"}, python="accord.judge.self_consistency(study)"),
                    " is for repeated runs.",
                )

    @cached_property
    def gold(self) -> IntArray:
        """(items,) the adjudicators' labels as codes; −1 where they say nothing, or different things."""
        annotations = self.study._annotations
        item, annotator, answer, _ = annotations.rows
        mine = np.isin(annotator, [self.place(name) for name in self.adjudicators if name in self.study.annotators])
        item, answer = item[mine], answer[mine]
        aside_item, aside_answer = adjudicated_aside(self.study)
        together = np.concatenate((item, aside_item)), np.concatenate((answer, aside_answer))
        return one_answer(*together, annotations.n_items)

    # -- what could not be read -------------------------------------------------------------------------------------

    def failed(self, name: str) -> Failed:
        """Of the answers requested from this annotator, how many could not be read."""
        place = self.place(name)
        rows = np.nonzero(self.failed_answers.annotator == place)[0]
        mine = [self.failed_answers.status[row] for row in rows]
        _, annotator, answer, count = self.study._annotations.rows
        theirs = annotator == place
        if self.unparsable == "label":
            theirs &= answer != len(self.study.answers) - 1
        given = int(count[theirs].sum())
        return Failed(given + len(mine), {status: mine.count(status) for status in FAILED if status in mine})

    def failures(self) -> Table:
        """How many answers of each model (and of people, if any) could not be read."""
        failing = {self.study.annotators[place] for place in self.failed_answers.annotator.tolist()}
        names = [*self.models, *(name for name in self.people if name in failing)]
        found = [self.failed(name) for name in names]
        data: dict[str, Any] = {
            "annotator": names,
            "requested": np.array([one.requested for one in found], dtype=np.int64),
        }
        for status in FAILED:
            data[status] = np.array([one.by_status.get(status, 0) for one in found], dtype=np.int64)
        data["share"] = np.array([one.share for one in found])
        how = {"missing": "They count as missing.", "label": f"They count as the label {self.failed_label!r}."}
        return Table("Answers that could not be read", data, (how[self.unparsable],))

    @property
    def failed_label(self) -> Label:
        """What a failed answer is called where it counts as a label."""
        return self.study.labels[-1] if self.unparsable == "label" else UNPARSABLE

    def notes(self, names: Sequence[str]) -> tuple[str, ...]:
        """A sentence for each annotator with answers that could not be read."""
        how = "missing" if self.unparsable == "missing" else f"the label {self.failed_label!r}"
        failures = [(name, self.failed(name)) for name in names if name in self.study.annotators]
        return tuple(
            f"{name}: {found} could not be read and count as {how}." for name, found in failures if found.number
        )

    def people_note(self) -> tuple[str, ...]:
        """Who the people are that models are judged against, where somebody is not among them."""
        if not self.others:
            return ()
        who = f"{counted(len(self.others), 'others')} ({listing(self.others, most=4)})"
        people = "1 person" if len(self.people) == 1 else f"{len(self.people):,} people"
        return (f"Judged against the {people}; {who} {'stands' if len(self.others) == 1 else 'stand'} aside.",)

    def but_for(self, systems: Sequence[str]) -> Participants:
        """The same, where the systems that a call names are no people."""
        return replace(self, people=tuple(name for name in self.people if name not in systems))

    # -- who is needed ----------------------------------------------------------------------------------------------

    def need_people(self, least: int, what: str) -> None:
        """An error where there are fewer people than the question needs."""
        if len(self.people) < least:
            there = "there are " if len(self.people) > 1 else "there is "
            needed = "a person" if least == 1 else f"{least} people or more"
            raise MeasureError(
                f"{what} needs {needed}, and {there}",
                all_quoted(self.people) if self.people else "nobody",
                ". ",
                Remedy({"gold": ...}, python="accord.judge.evaluate(model, study)"),
                " compares a model with fewer, or with gold.",
            )

    def need_models(self, what: Part) -> None:
        """An error where nobody is a model."""
        if not self.models:
            raise _who_is_a_model(self.study, what)

    def one_model(self, what: str) -> str:
        """The only model; where there are several, an error that names them."""
        self.need_models(what)
        if len(self.models) > 1:
            raise OptionError(
                f"{what} is about one model; say which: ",
                remedy(model=self.models[0]),
                " (",
                all_quoted(self.models),
                ").",
                available=self.models,
            )
        return self.models[0]


def participants_of(
    data: Any,
    *,
    model: str | None = None,
    models: str | Sequence[str] | None = None,
    people: Sequence[str] | None = None,
    unparsable: Unparsable = "missing",
    labels: Sequence[Any] | None = None,
    **roles: Any,
) -> Participants:
    """People and models of a study, by its `kind` column or by name.

    Args:
        data: A `Study` of one variable, or what one is made of, with its keywords.
        model: The name of one model.
        models: The names of several.
        people: Who the people are; by default everybody who is neither a model nor an adjudicator.
        unparsable: Answers with the status "unparsable", "refused" or "error" are "missing", or count as a "label".
        labels: The scale.
        **roles: The keywords of `Study`.
    """
    check_choice("unparsable", unparsable, get_args(Unparsable))
    keywords: PlainRoles = roles  # type: ignore[assignment]
    study = with_annotators_never_read(_one_variable(as_study(data, None, labels, keywords)))  # type: ignore[arg-type]
    failed_answers = failed_rows(study)
    there = _there(study, failed_answers)
    answering = set(there)
    kinds = {name: kind for name, kind in study.kinds.items() if name in answering}
    named = _named(there, model, models, "model")
    persons = _named(there, None, people, "person")
    declared = set(persons or ())
    refuse_both(list(named or ()), list(persons or ()))
    chosen = named if named is not None else [n for n in kinds if kinds[n] == "model" and n not in declared]
    declared |= set(chosen)
    judges = [name for name in kinds if kinds[name] == "adjudicator" and name not in declared]
    known = {*chosen, *judges, *(name for name in kinds if kinds[name] in ("model", "other"))}
    if persons is None:
        persons = [study.annotators[place] for place in study._present if study.annotators[place] not in known]
    if unparsable == "label":
        study = with_failed_as_label(study, failed_answers)
    sorted_out = {*known, *persons}
    others = tuple(name for name in there if name not in sorted_out or kinds.get(name) == "other")
    return Participants(
        study, tuple(persons), tuple(chosen), tuple(judges), others, unparsable, failed_answers=failed_answers
    )


def _there(study: Study, failed_answers: FailedRows) -> list[str]:
    """Who answered something, or has answers that could not be read, and was not left out; in the study's order."""
    part, failing = study._part, set(failed_answers.annotator.tolist())
    answering = set(study._present.tolist())
    return [
        name
        for place, name in enumerate(study.annotators)
        if place in answering or (place in failing and part.has(name))
    ]


def _one_variable(study: Study) -> Study:
    if study.tasks:
        raise MeasureError(
            f"The study holds {counted(len(study.tasks), 'variables')} (",
            all_quoted(study.tasks, most=5),
            "); models are judged on one at a time: ",
            one_task(next(iter(study.tasks))),
            ".",
            available=study.tasks,
        )
    study = study._in_memory  # annotations that stay in an engine are brought into memory, if they are few enough
    if not study._annotations.named:
        raise nobody_named("Models are told from people by their names", study.shape)
    return study


def _named(there: Sequence[str], one: str | None, several: str | Sequence[str] | None, what: str) -> list[str] | None:
    """Names that were given, each once, all of them known."""
    if one is not None and several is not None:
        raise OptionError("Give ", Keyword("model", one), " or ", Keyword("models", several), ", not both.")
    if one is None and several is None:
        return None
    given = [one] if one is not None else one_or_listed(what, several, "be a name, or a list of names")
    names = list(dict.fromkeys(as_typed(name, str) for name in given))
    known = set(there)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise no_such_annotator(what, unknown, there)
    return names


def _who_is_a_model(study: Study, what: Part) -> MeasureError:
    if study._taken_alike:
        return MeasureError(
            what, " asks about models, and ",
            Remedy({"annotators": "all"}, python="study.all_alike()"),
            " takes people and models alike. Leave it out to judge models.",
        )  # fmt: skip
    gone = [name for name, kind in study.kinds.items() if kind == "model"]
    if gone:
        return MeasureError(
            what,
            " asks about models, and no answers of a model are left: ",
            all_quoted(gone),
            f" {'is' if len(gone) == 1 else 'are'} left out by what was chosen. Choose models too.",
        )
    present = [study.annotators[place] for place in study._present]
    include = (" The table has suggestions of a model: read them as answers with ", remedy(include=["suggested"]), ".")
    return MeasureError(
        what,
        " asks about models, and nobody here is known to be one: the annotators are ",
        all_quoted(present),
        ". Name them, ",
        remedy(models=[...]),
        ", or the column that tells, ",
        remedy("Study", "…", kind="kind"),
        ".",
        *(include if study.left_out.of(Reason.SUGGESTED) else ()),
        available=study.annotators,
    )


def people_hidden(participants: Participants) -> Study:
    """The study with its people called A1, A2 … in random order; models and adjudicators keep their names."""
    refuse_guessed_people(participants.study)
    known = {*participants.models, *participants.adjudicators}
    hidden = [name for name in participants.study.annotators if name not in known]
    hidden = [hidden[place] for place in np.random.default_rng().permutation(len(hidden))]
    present = [name for name in participants.study.annotators if name in known]
    free = (code for code in map("A{}".format, count(1)) if code not in known)  # a model may be called A1
    called = dict(zip(hidden, free, strict=False))
    unnamed = renamed(participants.study, called | {name: name for name in present}, [*hidden, *present])
    return unnamed_notes(unnamed, called | {name: name for name in present})

"""Who is a person and who a model: what a study says of its annotators, and whose agreement is measured first.

Three things tell, the later ones more surely: names of well-known models, the study's `kind` column, and what the
caller says (`Study.declare_kinds`). Of an annotator of whom nothing tells, nothing is said; beside models that is a
person. Where people are named, they are all the people: whoever else is no model and no adjudicator is "other", and
stands aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from accord.annotations.arrays import IntArray, used
from accord.errors import InputError, OptionError, all_quoted, at_column, counted, keyword, listing, quoted
from accord.study.subsets import need_annotators, several

if TYPE_CHECKING:
    from accord.study.study import Study

KindOfAnnotator: TypeAlias = Literal["person", "model", "adjudicator", "other"]

# what tables and tools call them
KIND_WORDS: dict[str, KindOfAnnotator] = {
    "person": "person", "human": "person", "people": "person", "expert": "person", "crowd": "person",
    "model": "model", "llm": "model", "machine": "model", "code": "model", "system": "model", "ai": "model",
    "adjudicator": "adjudicator", "curator": "adjudicator",
}  # fmt: skip
# families of models; some are people's names too, and count with a version or a size only: claude-3, gemma2, phi_3b
FAMILIES = (
    r"chat-?gpt|gpt|llama|mixtral|qwen|deepseek|vicuna|davinci|codellama|pandalm|wizardlm|internlm|chatglm|flan-?t5"
    r"|distilbert|roberta|deberta|xlm-?r"
)
ALSO_PEOPLE = r"claude|gemini|gemma|mistral|falcon|phi|palm|bard|grok|alpaca|yi|olmo|jamba|nova|bert|command-?r|o[134]"
VERSION = (
    r"(?:[-_ .]*v?\d|[-_ ](?:opus|sonnet|haiku|flash|pro|ultra|nano|mini|large|base|instruct|turbo|small|medium)\b)"
)
KNOWN_MODEL = rf"^(?:[\w.-]+/)?(?:(?:{FAMILIES})(?![a-z])|(?:{ALSO_PEOPLE}){VERSION})"
HUMAN = r"^humans?(?![a-z])"  # whoever calls people so has others beside them
CALLED_MODEL = r"^(?:llms?|ai|models?|machine)(?![a-z])"  # a model's, beside people called human
MOST_NAMES = 10_000  # beyond that the annotators are a crowd, and reading every name would take longer than measuring


def known_models(names: Sequence[str]) -> list[str]:
    """Those that are called as well-known models are.

    A name that people have too is a model's with a version, beside a model that is sure, or beside people called human.

    >>> known_models(["gpt-4", "GPT4o", "claude-3-opus", "meta-llama/Llama-3-8b", "ana", "gptina", "1"])
    ['gpt-4', 'GPT4o', 'claude-3-opus', 'meta-llama/Llama-3-8b']
    >>> known_models(["Claude", "Gemma", "ana"]), known_models(["claude", "gpt-4", "ana"])
    ([], ['claude', 'gpt-4'])
    >>> known_models(["human_label", "llm_label"]), known_models(["model 1", "ana"])
    (['llm_label'], [])
    """
    known, doubtful, human, called = _patterns()
    sure = {name for name in names if known.match(name)}
    perhaps = [name for name in names if doubtful.match(name)]
    beside_people = any(map(human.match, names))
    if perhaps and (sure or beside_people):
        sure.update(perhaps)
    if beside_people:
        sure.update(filter(called.match, names))
    return [name for name in names if name in sure]


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Made when the first name is read: whoever measures two lists has none."""
    written = (KNOWN_MODEL, rf"^(?:{ALSO_PEOPLE})$", HUMAN, CALLED_MODEL)
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in written)


def kinds_of(study: Study, declared: Mapping[str, KindOfAnnotator]) -> dict[str, KindOfAnnotator]:
    """Annotator ─▶ person, model or adjudicator, for those of whom something tells, in the study's order."""
    if not study._annotations.named:
        return {}
    few = len(study.annotators) <= MOST_NAMES
    by_name: dict[str, KindOfAnnotator] = dict.fromkeys(known_models(study.annotators) if few else (), "model")
    known = {**by_name, **_by_column(study), **declared}
    return {name: known[name] for name in study.annotators if name in known}


def _by_column(study: Study) -> dict[str, KindOfAnnotator]:
    """What the `kind` column says of each annotator."""
    column = study.roles.get("kind")
    if column is None or column not in study.columns:
        return {}
    found: dict[str, KindOfAnnotator] = {}
    for name, word in _words_by_annotator(study, column):
        kind = _kind(word, column)
        if found.setdefault(name, kind) != kind:
            raise InputError(
                quoted(name),
                f" is {found[name]} in some rows of the column ",
                at_column(column),
                f" and {kind} in others. Give the two different names.",
            )
    return found


def _words_by_annotator(study: Study, column: str) -> list[tuple[str, str]]:
    """Each annotator with each word that a column has in their rows, of answers that do not count too."""
    frame = study._frame
    if frame is None:
        return [(name, str(value)) for name, value in study._annotations.by_annotator(column)]
    coded = frame.code(column, what="kind")
    who, size = annotators_of_rows(study), max(len(coded.values), 1)
    known = (who >= 0) & (coded.codes >= 0)
    pairs = used(who[known] * size + coded.codes[known], len(study.annotators) * size)
    places, words = (part.tolist() for part in np.divmod(pairs, size))
    return [(study.annotators[place], str(coded.values[word])) for place, word in zip(places, words, strict=True)]


def _kind(word: str, column: str) -> KindOfAnnotator:
    if word.lower() not in KIND_WORDS:
        raise InputError(
            "The column ",
            at_column(column),
            " says what an annotator is: ",
            all_quoted(KIND_WORDS),
            "; found ",
            quoted(word),
            ".",
        )
    return KIND_WORDS[word.lower()]


def annotators_of_rows(study: Study) -> IntArray:
    """(rows of the table,) the position of the row's annotator in the study, −1 for none.

    By the annotations where those tell, since names may be hidden; by name for who never gave an answer that counts.
    """
    frame = study._frame
    assert frame is not None
    coded = frame.code(study.roles.get("annotator", "annotator"), what="annotator")
    named = {name: place for place, name in enumerate(study.annotators)}
    place = np.array([*(named.get(str(value), -1) for value in coded.values), -1], dtype=np.int64)
    rows = study._rows_behind
    if len(rows):
        place[coded.codes[rows]] = study._annotations.rows[1]
    return place[coded.codes]


@dataclass(frozen=True, eq=False)
class MeasuredPeople:
    """Whose answers a question about agreement is about, and who was set aside for it.

    Attributes:
        study: Their answers.
        people: Who they are, where people were chosen among others; else empty.
        models: The models that were set aside.
        adjudicators: Who decided after the others, and is no independent annotator; set aside too.
        others: Whoever else is not among the people that were named.
        note: The same in a sentence; empty where everybody is asked.
        decided_note: The sentence where they decided rather than were measured.
    """

    study: Study
    people: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    adjudicators: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    note: str = ""
    decided_note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = {name: list(getattr(self, name)) for name in ("people", "models", "adjudicators", "others")}
        return {**names, "note": self.note}


def refuse_both(named: Sequence[str], others: Sequence[str]) -> None:
    """Nobody is a person and a model at once, whichever of the two is named first."""
    both = [name for name in named if name in others]
    if both:
        raise OptionError(
            all_quoted(both),
            " cannot be a person and a model at once: leave one of ",
            keyword("people"),
            " and ",
            keyword("models"),
            ".",
        )


def with_kinds(study: Study, people: Sequence[str], models: Sequence[str]) -> Study:
    """The same answers, with who is a person and who a model."""
    people, models = several(people, "people"), several(models, "models")
    refuse_both(people, models)
    everyone = need_annotators(study, people, "people")
    need_annotators(study, models, "models")
    known = {name: kind for part in study.tasks.values() or [study] for name, kind in part.kinds.items()}
    others = [name for name in everyone if people and known.get(name, "person") == "person"]
    declared: dict[str, KindOfAnnotator] = {
        **dict.fromkeys(others, "other"), **dict.fromkeys(people, "person"), **dict.fromkeys(models, "model"),
    }  # fmt: skip
    return study._with_kinds({**(study._loaded.kinds or {}), **declared})  # noqa: SLF001 - its room


def people_first(study: Study) -> MeasuredPeople:
    """People, where at least two of them answered beside models or adjudicators; else everybody.

    Agreement of people is what a task is judged by, and models by it. One person among models has nobody to agree
    with, so there everybody is measured, and said to be.
    """
    if study.tasks:
        parts = {name: people_first(part) for name, part in study.tasks.items()}
        if not any(part.note for part in parts.values()):
            return MeasuredPeople(study)
        chosen = study._with_tasks({name: part.study for name, part in parts.items()})
        found = list(parts.values())
        return _measured_people(
            chosen._as_part(study.of_annotators(_union(part.study.people for part in found))._part),
            _union(part.study.people for part in found),
            _union(part.models for part in found),
            _union(part.adjudicators for part in found),
            _union(part.others for part in found),
        )
    aside = (study.models, study.adjudicators, study.others)
    if not any(aside):
        return MeasuredPeople(study)
    people = study.people
    if len(people) < 2:
        counts = [(people, "people"), (study.models, "models"), (study.others, "others")]
        together = " and ".join(_named(len(names), what) for names, what in counts if names)
        if not people or not (study.models or study.others):
            return MeasuredPeople(study)
        notes = (f"{together} answered: all of them {what} together." for what in ("are measured", "decide"))
        return MeasuredPeople(study, (), (), (), (), *notes)
    return _measured_people(study.of_annotators(people)._on_labels_used(), people, *aside)


def _measured_people(
    study: Study, people: Sequence[str], models: Sequence[str], adjudicators: Sequence[str], others: Sequence[str]
) -> MeasuredPeople:
    aside = [
        f"{_named(len(names), what)} ({listing(names, most=4)})"
        for names, what in ((models, "models"), (adjudicators, "adjudicators"), (others, "others"))
        if names
    ]
    stand = "stands" if len(models) + len(adjudicators) + len(others) == 1 else "stand"
    notes = (
        f"{what} the {_named(len(people), 'people')}; {' and '.join(aside)} {stand} aside."
        for what in ("Measured are", "Decided by")
    )
    return MeasuredPeople(study, tuple(people), tuple(models), tuple(adjudicators), tuple(others), *notes)


def _union(names: Iterable[Sequence[str]]) -> list[str]:
    """Everybody, each once."""
    return list(dict.fromkeys(chain.from_iterable(names)))


def _named(number: int, what: str) -> str:
    return counted(number, what) if what != "people" else f"{number:,} {'person' if number == 1 else 'people'}"

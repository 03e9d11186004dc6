"""Layers: several decisions about one item by the same annotators, and one table of coefficients over all of them.

A layer is a variable of the study (`study.tasks`): a column each in a wide table of annotations, or the values of a
task column. In some layers a missing answer is one: whoever annotated the item and left the layer empty says "not
tagged".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.answers import Answers, Label, answers_called, refuse_mixed_types
from accord.annotations.arrays import IntArray
from accord.annotations.assemble import Names
from accord.annotations.coded import CodedAnnotations
from accord.errors import (
    Keyword,
    LabelError,
    MeasureError,
    Message,
    OptionError,
    all_quoted,
    one_of,
    quoted,
    remedy,
)
from accord.measures.krippendorff import krippendorff_alpha
from accord.measures.measure_all import among_annotators
from accord.measures.registered import measure_called
from accord.options import Rng
from accord.study.in_memory import in_memory_where_small
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

NOT_TAGGED = "not tagged"
PERMUTATIONS = 1000  # permutations, where all items agree alike and the standard error says nothing


@dataclass(frozen=True, eq=False)
class Layers:
    """Who gave which answer to which item in every layer: one place for each item and annotator of any layer."""

    names: Names
    item: IntArray  # (A,) of each place
    annotator: IntArray  # (A,)
    row: IntArray  # (A,) a row of the table behind it
    answers: Mapping[Label, Answers]  # the scale of each layer
    codes: Mapping[Label, IntArray]  # (A,) the answer in each layer, −1 for missing

    @classmethod
    def of(cls, study: Study) -> Layers:
        """The layers of a study of several variables, or the one of a plain study."""
        parts: Mapping[Label, Study] = study.tasks or {study.roles.get("label", "label"): study}
        for name, part in parts.items():
            _refuse(name, part)
        items = tuple(dict.fromkeys(item for part in parts.values() for item in part.items))
        people = tuple(sorted({name for part in parts.values() for name in part.annotators}))
        item_at = {item: place for place, item in enumerate(items)}
        person_at = {name: place for place, name in enumerate(people)}
        keys, rows = {}, {}
        for name, part in parts.items():
            item, annotator, _, _ = part._annotations.rows
            where = np.array([item_at[one] for one in part.items], dtype=np.int64)
            who = np.array([person_at[one] for one in part.annotators], dtype=np.int64)
            keys[name] = where[item] * len(people) + who[annotator]
            behind = part._rows_behind
            rows[name] = behind if len(behind) == len(item) else np.full(len(item), -1)
        everything, first = np.unique(np.concatenate(list(keys.values())), return_index=True)
        codes = {}
        for name, part in parts.items():
            codes[name] = np.full(len(everything), -1, dtype=np.int64)
            codes[name][np.searchsorted(everything, keys[name])] = part._annotations.rows[2]
        item, annotator = np.divmod(everything, max(len(people), 1))
        row = np.concatenate(list(rows.values()))[first]
        return cls(Names(items, people), item, annotator, row, {name: p.answers for name, p in parts.items()}, codes)

    def need(self, name: Label, role: str) -> Label:
        """A layer by name."""
        if name not in self.codes:
            raise OptionError.must(role, Message("be one of the layers ", all_quoted(self.codes)), name)
        return name

    def study(self, like: Study, answers: Answers, codes: IntArray) -> Study:
        """A study of other answers at these places; −1 is missing."""
        present = codes >= 0
        rows = self.row[present]
        coded = CodedAnnotations(
            answers, len(self.names.items), self.names.annotators, item=self.item[present],
            annotator=self.annotator[present], answer=codes[present], items=self.names.items, table=like._frame,
            row=rows if (rows >= 0).all() else None,
        )  # fmt: skip
        return like._with_annotations(coded)


def _refuse(name: Label, part: Study) -> None:
    if part.kind != "single":
        raise MeasureError(
            "Layers hold one label per answer; ",
            quoted(name),
            f" holds {answers_called(part.kind)}.",
            option=Keyword("answers", part.kind),
            available=("single",),
        )
    if not part._annotations.named or part._annotations.repeated:
        why = Message("somebody answered an item twice. Keep one: ", remedy(duplicates=one_of("first", "last")))
        if not part._annotations.named:
            why = Message("nobody is named. Give one row per annotation, with its annotator")
        raise MeasureError("Answers are joined by item and annotator, and in ", quoted(name), " ", why, ".")


def with_not_tagged(study: Study, /, *, answer: Label = NOT_TAGGED, layers: Sequence[Label] | None = None) -> Study:
    """The same study with "not tagged" for the missing answer of an annotator who annotated the item in another layer.

    Who did not annotate the item at all stays missing. So agreement to leave something untagged counts as agreement,
    with the chance agreement that goes with it, as in Di Eugenio's tables.

    Args:
        study: A study of several variables.
        answer: What a missing answer is called; it must be of the labels' type (text or number) and none of them.
        layers: The layers in which a missing answer is one; by default all.

    Returns:
        A `Study` of the same variables.

    Raises:
        MeasureError: If the study has one variable.
        OptionError: If there is no such layer, or `answer` is a label already or of another type.

    References: dieugenio2000.

    >>> answers = {"item": [1, 1, 2, 2, 1, 1, 2], "annotator": [*["ana", "ben"] * 3, "ana"]}
    >>> answers["layer"] = ["act"] * 4 + ["link"] * 3
    >>> answers["label"] = ["accept", "accept", "open", "open", "back", "back", "back"]
    >>> study = with_not_tagged(Study(answers, task="layer"))
    >>> study.tasks["link"]
    Study of 2 items by 2 annotators: 4 single answers on the labels 'back', 'not tagged'
    """
    if not study.tasks:
        raise MeasureError(
            "A study of one variable has no other layer to tell whose answers are missing there. Read several: ",
            remedy("accord.read", "…", label=["first", "second"]),
            ", or ",
            remedy("Study", "…", task="layer"),
            ".",
        )
    found = Layers.of(study)
    chosen = list(found.codes) if layers is None else [found.need(name, "layers") for name in layers]
    tasks: dict[Label, Study] = {}
    for name, part in study.tasks.items():
        codes, scale = found.codes[name], found.answers[name]
        if name not in chosen or not (codes < 0).any():
            tasks[name] = part
            continue
        _refuse_answer(name, scale.labels, answer)
        wider = replace(scale, labels=(*scale.labels, answer))
        tasks[name] = found.study(part, wider, np.where(codes < 0, len(scale.labels), codes))
    return study._with_tasks(tasks)


def _refuse_answer(name: Label, labels: tuple[Label, ...], answer: Label) -> None:
    if answer in labels:
        raise OptionError(
            quoted(answer),
            " is a label of ",
            quoted(name),
            " already. Call a missing answer something else: ",
            remedy(answer=...),
            ".",
        )
    try:
        refuse_mixed_types((*labels, answer))
    except LabelError:
        raise OptionError.must(
            "answer", Message("be of the type of the labels ", all_quoted(labels, 4)), answer
        ) from None


# -- one table over all dimensions -------------------------------------------------------------------------------------


def by_dimension(
    data: Any, /, *, measure: str | None = None, confidence: float = 0.95, rng: Rng = 0, **roles: Unpack[Roles]
) -> Table:
    """One coefficient for every layer of the study, with its interval and its significance.

    `p` is for the value being no better than chance (two-sided, from the standard error; by permutation where all
    items agree alike), `p_holm` corrected for the number of layers. A value that beats chance for sure may still be
    too low to use; and where one layer depends on another read `conditional_agreement` too.

    Args:
        data: A `Study` of several variables, or what one is made of.
        measure: The coefficient; by default the one that fits all layers, or to each its own where none does.
        confidence: Of the intervals.
        rng: A seed or a Generator, for permutations.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with one row per layer: value, low, high, observed, expected, items, p, p_holm.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the study has one variable, or the measure does not fit.
        OptionError: If there is no such measure.

    References: dieugenio2000; holm1979.

    >>> answers = {"item": [1, 1, 2, 2, 3, 3] * 2, "annotator": ["ana", "ben"] * 6}
    >>> answers["layer"] = ["tone"] * 6 + ["topic"] * 6
    >>> answers["label"] = ["warm", "warm", "cold", "warm", "cold", "cold", *["art", "art"] * 2, "fun", "fun"]
    >>> table = by_dimension(Study(answers, task="layer"))
    >>> table["value"].round(2).tolist()
    [0.4, 1.0]
    """
    study = in_memory_where_small(as_study(data, None, None, roles))
    parts: Mapping[Label, Study] = study.tasks or {study.roles.get("label", "label"): study}
    results = _measured(parts, measure)
    titles = {result.title for result in results.values()}
    if len(titles) == 1:
        return dimension_table(f"{titles.pop()} by layer", "layer", results, confidence, rng)
    used = [result.title for result in results.values()]
    return dimension_table("Agreement by layer", "layer", results, confidence, rng, measure=used)


def dimension_table(
    title: str, what: str, results: Mapping[Label, Agreement], confidence: float, rng: Rng, **more: Any
) -> Table:
    """One row per result, with Holm's correction over the rows."""
    found = list(results.values())
    spans = [result.interval(confidence=confidence) for result in found]
    p = np.array([significance(result, rng) for result in found])
    return Table(
        title,
        {
            what: list(results),
            "value": np.array([result.value for result in found]),
            "low": np.array([span.low for span in spans]),
            "high": np.array([span.high for span in spans]),
            "observed": np.array([result.observed for result in found]),
            "expected": np.array([result.expected for result in found]),
            "items": np.array([result.n_items for result in found]),
            "p": p,
            "p_holm": holm(p),
            **more,
            "undefined": [result.undefined or "" for result in found],
        },
        ("p: could chance alone have given it? Corrected (Holm) for the number of rows in p_holm.",),
    )


def significance(result: Agreement, rng: Rng) -> float:
    """The p-value against chance; by permutation where the items show no spread."""
    if result.undefined:
        return math.nan
    tested = result.test()
    if tested.undefined is None:
        return tested.p
    return result.test(method="permutation", n_resamples=PERMUTATIONS, rng=rng).p


def _measured(parts: Mapping[Label, Study], measure: str | None) -> dict[Label, Agreement]:
    """One coefficient for all layers where one fits all; else to each its own."""
    if measure is not None:
        return {name: measure_called(measure).of(part) for name, part in parts.items()}
    found = {name: among_annotators(part) for name, part in parts.items()}
    alike = {part.kind for part in parts.values()} == {"single"}
    if len({result.measure for result in found.values()}) > 1 and alike:
        return {name: krippendorff_alpha(part) for name, part in parts.items()}
    return found

"""How each annotator uses a scale of scores: severity, spread, its ends, change over time, halo across variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import BoolArray, FloatArray
from accord.coefficients.standard_errors import limits
from accord.errors import NOBODY_ANSWERED, Keyword, MeasureError, Message, counted, nobody_named, remedy
from accord.findings.time_course import moments_of
from accord.scores.scale_use import Contrast, Halo, ScaleUse, halo, place_in_time
from accord.scores.severity import AnnotatorEffects, Rated
from accord.study.in_memory import in_memory_where_small
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

WHAT = "How annotators use the scale"
ROUNDING = 1e-12  # of the size of what is compared: an error below it is none
ONE_ORDER = (
    "Annotators went through the items in much the same order: a change that all share cannot be told from items that "
    "change, and what each has is from the median of all."
)


def is_scale(study: Study) -> bool:
    """Are the answers numbers on a scale: scores, or numeric labels of which somebody has said so?"""
    if study.kind == "score":
        return True
    return study.kind == "single" and study.answers.numeric and study.level in ("ordinal", "interval", "ratio")


def scale_use_of(study: Study) -> ScaleUse:
    """The scores of one variable by annotator, or an error that says why there are none."""
    if not study._annotations.named:
        raise nobody_named(f"{WHAT} is told of people", study.shape)
    return ScaleUse(Rated.of(study, WHAT))


def annotators_on_scale(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """How each annotator uses the scale, beside what the others say of the same items.

    Items are allowed for: a least-squares fit of items and annotators gives severities, with errors item by item, so
    that who was given better items is not taken for lenient. `severity` is how far below the others somebody scores
    (they sum to zero; below 0 is lenient). `spread` is the standard deviation of somebody's scores over that of the
    others on the same items: well below 1 is central tendency, where the ends of the scale are not used. `lowest` and
    `highest` are the shares of answers at either end, `with_others` the correlation with the mean of the others, and
    `noise` the standard deviation of what neither item nor severity accounts for. Where the study knows when answers
    were given (`time=`), `change` is by how much somebody's scores rise from the first answer to the last; where all go
    through the items in one order, beyond the median of all, since items may change as well. Of several
    variables each has its rows, and `halo` is how closely what is left over of them goes together within an annotator:
    near 0 where variables are judged one by one, near 1 where one impression decides them all.

    Missing data: every comparison is on the items that somebody else scored too. With two annotators it cannot be told
    which of the two is severe: both have half of the difference.

    Args:
        data: A `Study` of scores, or what one is made of: a table with one row per score, or a 2-D array of items ×
            annotators.
        other: The second annotator's scores in the same order, where `data` is the first's.
        labels: The scale, where scores are labels: all there are, used or not.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="rating" …

    Returns:
        A `Table` with one row per annotator (and variable), the most severe first: annotator, answers, mean, sd;
        severity with low and high; spread with spread_low and spread_high; lowest, highest, with_others, noise; change
        with change_low and change_high where times are known; halo with halo_low and halo_high of several variables.

    Raises:
        InputError: If `data` cannot be a study, or the answers are not numbers.
        MeasureError: If nobody is named, or there are too many annotators.
        OptionError: If an option has a value that it cannot take.

    >>> rows = [[3, 4, 2], [5, 5, 3], [2, 3, 1], [4, 5, 3], [1, 2, 1], [4, 4, 2]]
    >>> table = annotators_on_scale(rows)
    >>> [(row["annotator"], round(row["severity"], 2)) for row in table]
    [('3', 1.0), ('1', -0.17), ('2', -0.83)]
    """
    study = in_memory_where_small(as_study(data, other, labels, roles))
    if not study.tasks:
        return _table(study, scale_use_of(study)).sorted("severity", descending=True)
    parts = {name: part for name, part in study.tasks.items() if part.kind == "score" or part.answers.numeric}
    if not parts:
        raise MeasureError(
            f"{WHAT} needs numbers, and none of the variables holds any.",
            option=Keyword("answers"),
            available=("score",),
        )
    uses = {name: scale_use_of(part) for name, part in parts.items()}
    tables = [_table(part, uses[name]).sorted("severity", descending=True) for name, part in parts.items()]
    together = halo_of(parts, uses)
    low, high = limits(together.value, together.error, df=np.maximum(together.items - 1, 1))
    place = {name: number for number, name in enumerate(people_of(parts))}
    rows = [(name, row) for name, table in zip(parts, tables, strict=True) for row in table]
    which = [place[row["annotator"]] for _, row in rows]
    cells = {key: [row.get(key) for _, row in rows] for key in tables[0].columns}
    columns: dict[str, Any] = {"variable": [str(name) for name, _ in rows], **cells}
    columns |= {"halo": together.value[which], "halo_low": low[which], "halo_high": high[which]}
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return Table("How each annotator uses the scales", columns, notes)


def people_of(parts: dict[Any, Study]) -> list[str]:
    """Everybody who answered any of several variables, in one order."""
    return sorted({name for part in parts.values() for name in part.annotators})


def halo_of(parts: dict[Any, Study], uses: dict[Any, ScaleUse]) -> Halo:
    """How closely the rests of several variables go together within each annotator, in the order of `people_of`."""
    items = {
        name: number for number, name in enumerate(dict.fromkeys(one for part in parts.values() for one in part.items))
    }
    people = {name: number for number, name in enumerate(people_of(parts))}
    effects: list[AnnotatorEffects] = []
    where, who = [], []
    for name, part in parts.items():
        rated = uses[name].rated
        effects.append(uses[name].effects)
        where.append(np.array([items[one] for one in part.items], dtype=np.int64)[rated.item])
        who.append(np.array([people[one] for one in part.annotators], dtype=np.int64)[rated.annotator])
    return halo(effects, where, who, (len(items), len(people)))


def change_over_time(study: Study, use: ScaleUse) -> Contrast | str:
    """How severities change from the first answer to the last, or why that is not known."""
    if study._annotations.repeated:
        return Message(
            "Some annotators answered an item more than once; ", remedy(duplicates="first"), " keeps one answer each."
        )
    moments = moments_of(study)
    if isinstance(moments, str):
        return moments
    return use.change(place_in_time(use.rated.annotator, moments, use.rated.n_annotators))


def _table(study: Study, use: ScaleUse) -> Table:
    """One row per annotator who answered anything."""
    people, rated = study._present, use.rated
    answers = rated.answers
    mean = np.bincount(rated.annotator, rated.value, len(answers)) / np.maximum(answers, 1)
    away = (rated.value - mean[rated.annotator]) ** 2
    sd = np.sqrt(np.bincount(rated.annotator, away, len(answers)) / np.maximum(answers - 1, 1))
    severity = _interval(use.severity)
    spread = tuple(np.exp(part) for part in (use.spread.difference, *_interval(use.spread)))
    ends = [float(rated.value.min(initial=np.inf)), float(rated.value.max(initial=-np.inf))]
    at = [np.bincount(rated.annotator, rated.value == end, len(answers)) / np.maximum(answers, 1) for end in ends]
    columns: dict[str, FloatArray] = {
        "answers": answers.astype(np.int64), "mean": mean, "sd": sd,
        "severity": use.severity.difference, "low": severity[0], "high": severity[1],
        "spread": spread[0], "spread_low": spread[1], "spread_high": spread[2],
        "lowest": at[0], "highest": at[1], "with_others": use.with_others, "noise": use.effects.noise,
    }  # fmt: skip
    change, notes = change_over_time(study, use), _notes(study, use)
    if isinstance(change, Contrast):
        if change.from_median:
            notes = (*notes, ONE_ORDER)
        low, high = _interval(change)
        columns |= {"change": change.difference, "change_low": low, "change_high": high}
    data: dict[str, Any] = {"annotator": [study.annotators[who] for who in people]}
    data |= {name: cells[people] for name, cells in columns.items()}
    return Table("How each annotator uses the scale", data, notes)


def _interval(found: Contrast) -> tuple[FloatArray, FloatArray]:
    """NaN where every item says the same, which does not show how much others would differ."""
    return limits(found.difference, np.where(_alike(found), np.nan, found.error), df=np.maximum(found.items - 1, 1))


def _alike(found: Contrast) -> BoolArray:
    """(annotators,) does every item say the same of them?"""
    reach = np.abs(found.difference) + np.abs(found.own) + np.abs(found.others)
    return np.asarray(np.isfinite(found.difference) & (found.error <= ROUNDING * reach))


def _notes(study: Study, use: ScaleUse) -> tuple[str, ...]:
    """Who cannot be compared."""
    if not len(use.rated.item):
        return (NOBODY_ANSWERED,)
    notes = []
    alone = int((use.effects.group[study._present] < 0).sum())
    if alone:
        notes.append(f"{counted(alone, 'annotators')} without an item that somebody else scored: no severity.")
    for what, found in (("severity", use.severity), ("spread", use.spread)):
        alike = int(_alike(found)[study._present].sum())
        if alike:
            notes.append(f"{counted(alike, 'annotators')} of whom every item says the same: no interval of {what}.")
    if not use.effects.linked:
        groups = len(np.unique(use.effects.group[use.effects.group >= 0]))
        notes.append(
            f"The annotators fall into {groups} groups without a common item: severities of different groups cannot be "
            "compared."
        )
    if study.n_annotators == 2:
        notes.append("With two annotators it cannot be told which of them is severe: both have half of the difference.")
    return tuple(notes)

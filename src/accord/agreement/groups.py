"""Groups and variables: one row each, and whether they differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from accord.agreement.build import in_memory
from accord.agreement.compare import two_by_two
from accord.agreement.inference.influence import df_of, unit_scores
from accord.agreement.inference.joint_tests import JointTest, Together, df_apart, hotelling, welch, with_surest
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.coefficients.standard_errors import NO_ERROR
from accord.errors import (
    MayBeNames,
    MeasureError,
    Message,
    OptionError,
    all_quoted,
    collected,
    counted,
    in_python,
    percent,
    quoted,
    remedy,
)
from accord.options import check_confidence
from accord.study.study import Study

MOST_PAIRED = 2_000  # groups up to which every two are compared, to find the surest difference
ALPHA = 0.05  # the p-value below which groups are said to differ
SMALL = 30  # items with two answers, below which a group is said to be small


@lru_cache(maxsize=64)
def parts(result: Agreement) -> dict[Any, Agreement]:
    """The result of each group, or of each variable."""
    result = in_memory(result)
    if result.study.tasks:
        studies = result.study.tasks
    elif result.by is not None:
        studies = result.study.groups(result.by)
    else:
        raise OptionError(
            "There are no groups. Give the measure a column that makes them, ", remedy(by=...),
            ", or the study the column of its variables, ", remedy(task=...), ".",
        )  # fmt: skip
    return {name: _part(result, study) for name, study in studies.items()}


def recommended_parts(result: Agreement) -> dict[Any, Agreement]:
    """The same with what is recommended for each variable, where they differ in kind."""
    best_of = result.recipe.best_of_variables
    if best_of is None:
        return parts(result)
    return {name: _part(result, study, best_of) for name, study in result.study.tasks.items()}


def _part(result: Agreement, study: Study, measured: Callable[[Study], Agreement] | None = None) -> Agreement:
    try:
        return result.recipe.of_part(result, study) if measured is None else measured(study)
    except MeasureError as refusal:  # this group cannot be measured; the others can
        tally = study.tally()
        return Agreement(
            result.measure, math.nan, math.nan, math.nan, tally.n_compared, study.n_annotators, tally.n_answers,
            str(refusal), result.options, study=study, recipe=result.recipe,
        )  # fmt: skip


def by_group(result: Agreement, *, simultaneous: bool = False, confidence: float = 0.95, **how: Any) -> Table:
    """One row per group; `how` the intervals are found, as in `interval`."""
    result = in_memory(result)
    found = parts(result)
    rows = list(found.values())
    each = each_of_many(confidence, sum(not part.undefined for part in rows)) if simultaneous else confidence
    spans = [part.interval(confidence=each, **how) for part in rows]
    notes = (in_words_simultaneous(confidence, each),) if simultaneous else ()
    return Table(
        f"{result.title} by {result.by or 'variable'}",
        {
            result.by or "variable": list(found),
            "value": np.array([part.value for part in rows]),
            "low": np.array([span.low for span in spans]),
            "high": np.array([span.high for span in spans]),
            "observed": np.array([part.observed for part in rows]),
            "expected": np.array([part.expected for part in rows]),
            "items": np.array([part.n_items for part in rows]),
            "annotators": np.array([part.n_annotators for part in rows]),
            "note": [_note(part) for part in rows],
        },
        (*notes, *_summary(result, found)),
    )


def each_of_many(confidence: float, number: int) -> float:
    """The confidence of each of some intervals that are to hold together (Šidák)."""
    check_confidence(confidence)
    return float(confidence ** (1 / max(number, 1)))


def in_words_simultaneous(confidence: float, each: float) -> str:
    """What each interval holds, and all of them."""
    return f"Simultaneous intervals: all of them hold with {percent(confidence)}, each alone with {each:.2%}."


def _note(part: Agreement) -> str:
    """Undefined and why, or that the group is small."""
    if part.undefined:
        return part.undefined
    few = part.study.tally().n_compared
    return f"small: {counted(few, 'items with two answers')}" if few < SMALL else ""


def _summary(result: Agreement, found: dict[Any, Agreement]) -> tuple[str, ...]:
    """What all have together, and whether the groups differ."""
    notes = []
    if result.by is not None and result.undefined is None:
        notes.append(f"All together: {result.value:z.3f}.")
    elif result.by is not None and result.undefined is not None:
        notes.append(Message("All together: undefined. ", result.undefined))
    without = [part for part in found.values() if part.undefined]
    titles = {name: part.title for name, part in found.items() if not part.undefined}
    if len(set(titles.values())) > 1:
        each = "; ".join(f"{name}: {title}" for name, title in titles.items())
        notes.append(Message("By what they hold: ", MayBeNames(each), "."))
    else:
        notes += _differ(result, found)
    if without:
        notes.append(f"{len(without)} of {len(found)} have no value.")
    if result.by is not None:
        missing = result.study._missing_in(result.by)
        if missing:
            notes.append(
                Message(f"{missing:,} annotations have no value in ", quoted(result.by), " and belong to no group.")
            )
    return tuple(notes)


def _differ(result: Agreement, found: dict[Any, Agreement]) -> list[str]:
    """One test for all groups whose error is known, and which have none, in words."""
    try:
        sure, test = whether_they_differ(result, found)
    except MeasureError as refusal:
        return [Message("Whether they differ is not told: ", refusal.message)]
    left_out = [name for name, part in found.items() if not part.undefined and name not in sure]
    notes: list[str] = []
    if test is not None and test.undefined:
        notes.append(Message("Whether they differ is not told: ", test.undefined))
    elif test is not None:
        verdict = "differ" if test.p < ALPHA else "are not shown to differ"
        notes.append(f"The {'groups' if result.by else 'variables'} {verdict}: {test}.")
    if left_out and len(sure) + len(left_out) >= 2:
        has = "has" if len(left_out) == 1 else "have"
        reason = f" {has} no error and cannot be compared: too few items speak. Annotate more of them."
        notes.append(Message(all_quoted(left_out), reason))
    return notes


def whether_they_differ(
    result: Agreement, found: dict[Any, Agreement]
) -> tuple[dict[Any, Agreement], JointTest | None]:
    """The groups whose error is known, and one test for all of them; None where there are not two."""
    spans = {name: part.interval() for name, part in found.items() if not part.undefined}
    sure = {name: found[name] for name, span in spans.items() if span.undefined is None and span.se > NO_ERROR}
    if len(sure) < 2:
        return sure, None
    return sure, _joint_test(result, list(sure.values()), apart=_disjoint(result))


def _disjoint(result: Agreement) -> bool:
    """Has every item one group only? Then the groups are independent, and items need not be looked at one by one."""
    if result.by is None or "cluster" in result.study.roles:
        return False
    return result.study._annotations.one_value_per_item(result.by)


def _joint_test(result: Agreement, sure: list[Agreement], *, apart: bool) -> JointTest:
    """Have all groups one value? Independent ones by Welch's F, those that share items by Hotelling's; or by the
    surest difference of two, where these are not too many to be looked at.
    """
    values, df = np.array([part.value for part in sure]), np.array([df_of(part) for part in sure])
    if apart:
        variances = np.array([part.interval().se ** 2 for part in sure])
        joint = welch(values, variances, df)
        if len(sure) > MOST_PAIRED:
            return joint
        return with_surest(joint, values, np.diag(variances), df_apart(variances, df))
    found = _together(result, sure)
    values, covariance = values / found.scale, found.covariance
    alone = np.count_nonzero(covariance) == len(sure)
    joint = welch(values, np.diag(covariance), df) if alone else hotelling(values, covariance, df.mean())
    if len(sure) > MOST_PAIRED:
        return joint
    return with_surest(joint, values, covariance, found.df(df))


def _together(result: Agreement, sure: list[Agreement]) -> Together:
    """How groups that share items (or clusters of them) go together, by their scores; variables share items by name."""
    stays = not result.study.tasks and not result.study._annotations.in_memory
    if stays and result.by is not None and "cluster" not in result.study.roles:
        from accord.agreement.groups_in_engine import together

        called = {id(part): name for name, part in parts(result).items()}
        return together(result.study, result.by, {called[id(part)]: part for part in sure})
    scored = [unit_scores(part) for part in sure]
    if result.by is not None and all(names is scored[0][1] for _, names in scored):
        return Together.of(np.stack([scores for scores, _ in scored]))
    place: dict[Any, int] = {}
    for _, names in scored:
        for name in names:
            place.setdefault(name, len(place))
    table = np.zeros((len(sure), len(place)))
    for row, (scores, names) in enumerate(scored):
        table[row, [place[name] for name in names]] = scores
    return Together.of(table)


def differences(result: Agreement, confidence: float, *, simultaneous: bool = False) -> Table:
    """Every two groups, with Holm's correction for their number."""
    result = in_memory(result)
    stays = not result.study.tasks and not result.study._annotations.in_memory
    if stays and not _disjoint(result):
        raise MeasureError(
            "These groups share items, which stay in the engine. They are tested together",
            in_python(" by by_group()", ""),
            "; fewer items, or a frame in memory, can be compared two by two.",
            remedies=[collected()],
        )
    found = {name: part for name, part in parts(result).items() if not part.undefined}
    each = each_of_many(confidence, math.comb(len(found), 2)) if simultaneous else confidence
    left_out = len(parts(result)) - len(found)
    notes = [in_words_simultaneous(confidence, each)] if simultaneous else []
    notes += [f"{left_out} groups without a value are left out."] if left_out else []
    return two_by_two(f"Differences in {result.title} between {result.by or 'variables'}", found, each, tuple(notes))

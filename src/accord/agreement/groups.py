"""Groups and variables: one row each, and whether they differ."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from accord.agreement.build import in_memory, of_part
from accord.agreement.compare import compare
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.errors import MeasureError, OptionError, counted, in_python, remedy

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


def _part(result: Agreement, study: Any) -> Agreement:
    try:
        return of_part(result, study)
    except MeasureError as refusal:  # this group cannot be measured; the others can
        tally = study.tally()
        return Agreement(
            result.measure, math.nan, math.nan, math.nan, tally.n_compared, study.n_annotators, tally.n_answers,
            str(refusal), result.options, study=study, recipe=result.recipe,
        )  # fmt: skip


def by_group(result: Agreement, **how: Any) -> Table:
    """One row per group; `how` the intervals are found, as in `interval`."""
    result = in_memory(result)
    found = parts(result)
    spans = [part.interval(**how) for part in found.values()]
    title = f"{result.title} by {result.by or 'variable'}"
    rows = list(found.values())
    return Table(
        title,
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
        _summary(result, found),
    )


def _note(part: Agreement) -> str:
    """Undefined and why, or that the group is small."""
    if part.undefined:
        return part.undefined
    few = part.study.tally().n_compared
    return f"small: {counted(few, 'items with two answers')}" if few < SMALL else ""


def _summary(result: Agreement, found: dict[Any, Agreement]) -> tuple[str, ...]:
    """Do the groups differ? One Wald test for all, with the covariance of groups that share items."""
    defined = [part for part in found.values() if not part.undefined and part.n_items >= 2]
    notes = []
    if result.by is not None and result.undefined is None:
        notes.append(f"All together: {result.value:z.3f}.")
    elif result.by is not None:
        notes.append(f"All together: undefined. {result.undefined}")
    without = [part for part in found.values() if part.undefined]
    titles = {name: part.title for name, part in found.items() if not part.undefined}
    if len(set(titles.values())) > 1:
        notes.append(f"By what they hold: {'; '.join(f'{name}: {title}' for name, title in titles.items())}.")
    elif len(defined) >= 2:
        try:
            statistic, df, p = _wald(result, defined, apart=_disjoint(result, found))
        except MeasureError as refusal:
            df = 0
            notes.append(f"Whether they differ is not told: {refusal}")
        if df:
            verdict = "differ" if p < 0.05 else "are not shown to differ"
            what = "groups" if result.by else "variables"
            notes.append(f"The {what} {verdict}: chi-squared {statistic:z.2f} on {df}, p = {p:.3g}.")
    if without:
        notes.append(f"{len(without)} of {len(found)} have no value.")
    if result.by is not None:
        missing = result.study._missing_in(result.by)
        if missing:
            notes.append(f"{missing:,} annotations have no value in {result.by!r} and belong to no group.")
    return tuple(notes)


def _disjoint(result: Agreement, found: dict[Any, Agreement]) -> bool:
    """Has every item one group only? Then the groups are independent, and items need not be looked at one by one."""
    if result.by is None or "cluster" in result.study.roles:
        return False
    lazy = result.study._annotations.in_engine
    if lazy is not None:
        return lazy.one_value_per_item(result.by)
    return sum(part.study.tally().n_items for part in found.values()) == result.study.tally().n_items


def _wald(result: Agreement, defined: list[Agreement], *, apart: bool) -> tuple[float, int, float]:
    """Chi-squared of the contrasts with the first group, its degrees of freedom and p."""
    from scipy.special import gammaincc

    values = np.array([part.value for part in defined])
    if apart:
        covariance = np.diag([part.interval().se ** 2 for part in defined])
    else:
        covariance = _covariance(result, defined)
    contrast = np.concatenate((-np.ones((len(values) - 1, 1)), np.eye(len(values) - 1)), axis=1)
    spread = contrast @ covariance @ contrast.T
    df = int(np.linalg.matrix_rank(spread, tol=1e-14))
    if not df:
        return math.nan, 0, math.nan
    differences = contrast @ values
    statistic = float(differences @ np.linalg.pinv(spread) @ differences)
    return statistic, df, float(gammaincc(df / 2, statistic / 2))


def _covariance(result: Agreement, defined: list[Agreement]) -> FloatArray:
    """Between groups that share items (or clusters of them), through their scores; variables share items by name."""
    from accord.agreement.inference.influence import unit_scores

    whole = None if result.study.tasks else result.study._annotations.in_engine
    if whole is not None and result.by is not None and "cluster" not in result.study.roles:
        from accord.agreement.groups_in_engine import covariance

        called = {id(part): name for name, part in parts(result).items()}
        return covariance(whole, result.by, {called[id(part)]: part for part in defined})
    scored = [unit_scores(part) for part in defined]
    place: dict[Any, int] = {}
    for _, names in scored:
        for name in names:
            place.setdefault(name, len(place))
    table = np.zeros((len(defined), len(place)))
    for row, (scores, names) in enumerate(scored):
        table[row, [place[name] for name in names]] = scores
    return np.asarray(table @ table.T)


def differences(result: Agreement, confidence: float) -> Table:
    """Every two groups, with Holm's correction for their number."""
    result = in_memory(result)
    stays = not result.study.tasks and result.study._annotations.in_engine is not None
    if stays and not _disjoint(result, parts(result)):
        raise MeasureError(
            "These groups share items, which stay in the engine. They are tested together",
            in_python(" by by_group()", ""),
            "; fewer items, or a frame in memory, can be compared two by two.",
        )
    found = {name: part for name, part in parts(result).items() if not part.undefined}
    pairs = list(combinations(found, 2))
    compared = [compare(found[one], found[other], confidence=confidence) for one, other in pairs]
    p = np.array([comparison.p for comparison in compared])
    left_out = len(parts(result)) - len(found)
    return Table(
        f"Differences in {result.title} between {result.by or 'variables'}",
        {
            "first": [one for one, _ in pairs],
            "second": [other for _, other in pairs],
            "difference": np.array([comparison.difference for comparison in compared]),
            "low": np.array([comparison.low for comparison in compared]),
            "high": np.array([comparison.high for comparison in compared]),
            "p": p,
            "p_holm": holm(p),
            "common_items": np.array([comparison.common_items for comparison in compared]),
        },
        (f"{left_out} groups without a value are left out.",) if left_out else (),
    )

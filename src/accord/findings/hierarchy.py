"""Labels with parents: agreement at each depth of a hierarchy, and whether disagreement sits below the parents."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Unpack, cast

import numpy as np

from accord.agreement.compare import compare
from accord.agreement.comparison_result import Comparison
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import Label
from accord.coefficients.confusion import pooled_confusion
from accord.errors import OptionError, quoted, remedy
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.layers import dimension_table
from accord.findings.study_view import View
from accord.measures.measure_all import among_annotators
from accord.measures.registered import measure_called
from accord.options import Rng, check_whole
from accord.study.in_memory import in_memory_where_small
from accord.study.label_changes import relabelled
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles, Roles, as_study

SEPARATOR = " > "
SEPARATORS = (" > ", " / ", "::", "/", ">")  # that are tried where nobody said which
KINDS = ("single", "set", "ranked")
MOST_CELLS = 2_000  # labels, beyond which the table of pairs is not made


def at_depth(data: Any, depth: int, /, *, separator: str = SEPARATOR, **roles: Unpack[PlainRoles]) -> Study:
    """The same answers cut at a depth: at 1 the parents alone. A label that ends above it stays as it is.

    Of a set or a ranking every label is cut, and a parent counts once.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), or a 2-D array of items × annotators.
        depth: How many parts of a label to keep, 1 for the parents alone.
        separator: What stands between parent and child.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Study` with the same items and annotators.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are scores.
        OptionError: If no label holds the separator, or `depth` is below 1.

    >>> study = Study.from_pairs(["bird > owl", "fish > eel"], ["bird > jay", "fish"])
    >>> at_depth(study, 1)
    Study of 2 items by 2 annotators: 4 single answers on the labels 'bird', 'fish'
    """
    study = in_memory_where_small(as_study(data, None, None, cast(Roles, roles)))
    check_whole("depth", depth, 1)
    _refuse(study, separator)
    paths = [path(label, separator)[:depth] for label in study.labels]
    joined = [separator.join(parts) for parts in paths]
    scale = tuple(dict.fromkeys(joined)) if study.answers.declared else tuple(sorted(set(joined)))
    place = {label: position for position, label in enumerate(scale)}
    return relabelled(study, scale, [place[label] for label in joined])


def by_depth(
    data: Any,
    /,
    *,
    separator: str = SEPARATOR,
    measure: str | None = None,
    confidence: float = 0.95,
    rng: Rng = 0,
    **roles: Unpack[PlainRoles],
) -> Table:
    """Agreement at each depth of the hierarchy, from the parents down to the whole labels, with significance.

    Where the value falls from one depth to the next, annotators agree on the parent and not on what is below it. An
    answer that ends above a depth counts there as it is. `share` is how much of all disagreement begins at the depth:
    of pairs of answers that differ, those that part there.

    Args:
        data: A `Study`, or what one is made of.
        separator: What stands between parent and child.
        measure: The coefficient; by default the one recommended for the whole labels.
        confidence: Of the intervals.
        rng: A seed or a Generator, for permutations.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with one row per depth: depth, labels, share, value, low, high, p, p_holm.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are scores.
        OptionError: If no label holds the separator, or there is no such measure.

    References: dieugenio2000; krippendorff1980.

    >>> ana, ben = ["bird > owl", "bird > jay", "fish > eel"], ["bird > owl", "bird > owl", "fish > eel"]
    >>> table = by_depth(Study.from_pairs(ana * 4, ben * 4))
    >>> [(row["depth"], row["labels"], round(row["value"], 2)) for row in table]
    [(1, 2, 1.0), (2, 3, 0.5)]
    """
    study = in_memory_where_small(as_study(data, None, None, cast(Roles, roles)))
    _refuse(study, separator)
    depths = range(1, deepest(study.labels, separator) + 1)
    measured = among_annotators if measure is None else measure_called(measure).of
    results: dict[Label, Agreement] = {depth: measured(at_depth(study, depth, separator=separator)) for depth in depths}
    more: dict[str, Any] = {"labels": [len(result.study.labels) for result in results.values()]}
    share = parting(study, separator)
    if share:
        more["share"] = np.array([share[depth] for depth in depths])
    title = f"{results[depths[-1]].title} by depth of the labels"
    return dimension_table(title, "depth", results, confidence, rng, **more)


def shared_depth(separator: str = SEPARATOR) -> Callable[[Label, Label], float]:
    """Weights for labels with parents: the depth that two labels share from the top, over that of the deeper one.

    Args:
        separator: What stands between parent and child.

    Returns:
        A function of two labels, from 0 to 1, for `weights=`.

    Raises:
        OptionError: If the separator is no text.

    >>> weight = shared_depth()
    >>> weight("bird > owl", "bird > jay"), weight("bird > owl", "fish"), weight("bird", "bird > owl")
    (0.5, 0.0, 0.5)
    """
    _check_separator(separator)

    def alike(one: Label, other: Label) -> float:
        first, second = path(one, separator), path(other, separator)
        return _shared(first, second) / max(len(first), len(second))

    return alike


def parent_of(separator: str = SEPARATOR) -> Callable[[Label], str]:
    """The topmost part of a label, as a first decision: `conditional_agreement(study, given=parent_of())`.

    Args:
        separator: What stands between parent and child.

    Returns:
        A function from a label to its parent, for `given=`.

    Raises:
        OptionError: If the separator is no text.

    >>> parent_of()("bird > owl")
    'bird'
    """
    _check_separator(separator)
    return lambda label: path(label, separator)[0]


def path(label: Label, separator: str) -> tuple[str, ...]:
    """The parts of a label, from the top."""
    return tuple(part.strip() for part in str(label).split(separator))


def deepest(labels: Sequence[Label], separator: str) -> int:
    """The depth of the deepest label."""
    return max(len(path(label, separator)) for label in labels)


def parting(study: Study, separator: str) -> dict[int, float]:
    """Of pairs of answers that differ, the share that part at each depth; nothing for sets, which part in many ways."""
    if len(study.labels) > MOST_CELLS or study.kind != "single":
        return {}
    table = pooled_confusion(study)
    paths = [path(label, separator) for label in study.labels]
    total: dict[int, float] = {}
    for one, other in zip(*np.nonzero(np.triu(table, 1)), strict=True):
        depth = _shared(paths[one], paths[other]) + 1
        total[depth] = total.get(depth, 0.0) + float(table[one, other])
    everything = sum(total.values())
    depths = range(1, deepest(study.labels, separator) + 1)
    return {depth: total.get(depth, 0.0) / everything for depth in depths} if everything else {}


def _shared(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """How deep two labels are the same, from the top."""
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def _check_separator(separator: Any) -> None:
    if not isinstance(separator, str) or not separator:
        raise OptionError.must("separator", f"stand between parent and child, such as '{SEPARATOR}'", separator)


def _refuse(study: Study, separator: str) -> None:
    if study.kind not in KINDS:
        raise about_other_kinds("A hierarchy of labels", KINDS, study.kind)
    _check_separator(separator)
    if not any(separator in str(label) for label in study.labels):
        raise OptionError(
            "No label holds the separator ",
            quoted(separator),
            ", so there are no parents. Say what stands between parent and child: ",
            remedy(separator=...),
            ".",
        )


# -- as a finding ------------------------------------------------------------------------------------------------------


def separator_in(labels: Sequence[Label]) -> str | None:
    """The separator of a hierarchy, if most labels have one and parents have several children."""
    words = [str(label) for label in labels]
    for separator in SEPARATORS:
        parents = [path(word, separator)[0] for word in words if separator in word]
        several = len(parents) >= 2 and len(parents) > len(words) / 2
        if several and 1 < len(set(parents)) < len(parents):
            return separator
    return None


def look(view: View) -> Iterator[Clue]:
    """Does disagreement sit below the parents?"""
    study = view.study
    separator = separator_in(study.labels) if study.kind in KINDS else None
    if separator is None or view.main.undefined or len(study.labels) > MOST_CELLS:
        return
    whole, parents = among_annotators(study), among_annotators(at_depth(study, 1, separator=separator))
    if whole.title != view.main.title:
        yield NotLookedAt(
            "parents of labels",
            f"{view.main.title} weighs whole labels against each other; findings.by_depth compares them with their "
            "parents, without weights.",
        )
        return
    if parents.undefined or whole.undefined or parents.measure != whole.measure:
        return
    yield TestFamily(1, "parents of labels against whole labels")
    found = compare(parents, whole)
    if found.difference > 0 and math.isfinite(found.p):
        yield _below(view, whole, parents, found, separator)


def _below(view: View, whole: Agreement, parents: Agreement, found: Comparison, separator: str) -> Finding:
    share = 1 - parting(view.study, separator).get(1, math.nan)
    most = f": {share:.0%} of disagreement is between labels of one parent" if math.isfinite(share) else ""
    # a parent of sets is easier to share than its children, whoever answers: no fault by itself
    fault = view.study.kind == "single" and whole.value < view.target
    span = Interval(found.low, found.high, found.se, found.confidence, found.method)
    evidence = [
        Evidence("agreement on parents", parents.value, parents.interval()),
        Evidence("agreement on whole labels", whole.value, whole.interval()),
        Evidence("difference", found.difference, span),
    ]
    if math.isfinite(share):
        evidence.append(Evidence("share of disagreement below the parents", share))
    return Finding(
        "below-the-parents",
        "warning" if fault else "note",
        f"Annotators agree on the parent of a label ({parents.value:z.2f}) more than on the label itself "
        f"({whole.value:z.2f}){most}.",
        "Sharpen what tells the children of a parent apart, with an example for each pair that is confused; until then "
        "report and use the parents, or weights by shared depth.",
        tuple(evidence),
        sources=("dieugenio2000", "krippendorff1980"),
        p=found.p,
        weight=share if math.isfinite(share) else 0.0,
        table=by_depth(view.study, separator=separator),
    )

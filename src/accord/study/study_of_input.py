"""Whatever a measure is given: a study, or what one is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from accord.annotations.answers import Kind
from accord.annotations.assemble import Duplicates
from accord.annotations.cleaning import CLEANING, CleaningOptions
from accord.errors import InputError, Keyword, OptionError, Remedy, all_quoted, remedy, with_article
from accord.options import refuse_unknown
from accord.study.levels import LevelsLike
from accord.study.roles import PlainColumns
from accord.study.shapes import wide
from accord.study.shapes.cells import is_table, rectangle, refuse_path
from accord.study.study import Study

OF_CELLS = (*CLEANING, "answers", "levels", "ordered")  # keywords that say how cells are read, and name no column
OF_MEASURES = ("weights", "level", "labels", "by", "chance", "period")
# Keywords of a result's methods, which are easily taken for those of the measure itself.
OF_RESULTS = {"confidence": "interval", "n_resamples": "interval", "method": "interval", "benchmark": "interpret"}


class PlainRoles(PlainColumns, CleaningOptions, total=False):
    """The keywords that every measure takes from its caller: roles, and how answers are read."""

    levels: LevelsLike
    ordered: bool
    answers: Kind
    duplicates: Duplicates


class Roles(PlainRoles, total=False):
    """Which column of a long table plays which role, and how its answers are read: the keywords of `Study`."""

    suggested: str | None
    separator: str


def as_study(data: Any, other: Any, labels: Sequence[Any] | None, roles: Roles) -> Study:
    """Whatever a measure is given: a study, or what a study is made of."""
    if isinstance(data, Study) and other is None and labels is None and not roles:  # as `measure` asks, again and again
        return data
    refuse_unknown(roles, Roles.__annotations__, OF_MEASURES, OF_RESULTS)
    refuse_path(data)
    _refuse_results(data)
    if isinstance(data, Study):
        if other is not None:
            raise OptionError(
                "A Study is given alone, without a second argument: it holds all annotators' answers.",
                option=Keyword("other", type(other).__name__),
            )
        if roles:
            raise OptionError(
                "A Study is given alone, without ",
                all_quoted(roles),
                ": its columns were named when it was made.",
                option=_first(roles),
            )
        return data if labels is None else data.declare(labels)
    cell_options = cast(Any, {name: value for name, value in roles.items() if name in OF_CELLS})
    named_columns = [name for name in roles if name not in OF_CELLS]
    if other is not None:
        if named_columns:
            raise OptionError(
                "Two sequences of answers have no columns to name; leave out ",
                all_quoted(named_columns),
                ".",
                option=_first(roles, named_columns),
            )
        return Study.from_pairs(data, other, labels=labels, **cell_options)
    if is_table(data):
        return Study(data, labels=labels, **roles)
    if named_columns:
        raise OptionError(
            "Column names (",
            all_quoted(named_columns),
            f") were given, and the data is no table with named columns but "
            f"{with_article(type(data).__name__)}. Leave them out, or give a dataframe.",
            option=_first(roles, named_columns),
        )
    array = rectangle(data)
    if array.ndim == 1 and array.size:
        raise InputError(
            "One sequence of answers is one annotator's. Give two sequences, a 2-D array of items × annotators, or "
            "a table.",
            remedies=[
                remedy("Study.from_pairs", "first, second"),
                remedy("Study.from_wide", "array"),
                remedy("Study", "table"),
            ],
        )
    if array.ndim != 2:
        return Study.from_wide(array, labels=labels)  # which says what is wrong with it
    wide.refuse_counts(array)
    wide.refuse_triples(data, array)
    wide.refuse_annotators_in_rows(*array.shape)
    return Study.from_wide(array, labels=labels, **cell_options)


def _first(roles: Roles, among: Sequence[str] = ()) -> Keyword:
    """The first of the keywords that were given, or of some among them."""
    given: dict[str, Any] = dict(roles)
    name = next(iter(among or given))
    return Keyword(name, given[name])


def _refuse_results(data: Any) -> None:
    """What was measured, or put into groups, is no data; what it was made from is."""
    if not isinstance(data, Study) and isinstance(getattr(data, "study", None), Study):
        raise InputError(
            f"{type(data).__name__} is a result, not data. To ask more of the same data, give ",
            Remedy({}, data="result.study", python="result.study"),
            ".",
        )
    if type(data).__name__.endswith("GroupBy"):
        raise InputError(
            "A table in groups is no table. Give the table itself, and the column of the groups: ", remedy(by=...), "."
        )

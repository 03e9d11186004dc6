"""The study of a reader's rows that name nobody: how many gave each label to each item, variable by variable."""

from __future__ import annotations

from typing import Any

from accord.annotations.answers import Label, Level
from accord.annotations.cleaning import Cleaner
from accord.annotations.coded import CodedAnnotations
from accord.errors import Message, OptionError, all_quoted
from accord.study.levels import ONLY
from accord.study.shapes.counts import of_unnamed
from accord.study.shapes.loaded import Loaded, with_cleaning
from accord.study.study import Study
from accord.study.tables.rows import ReadOptions, Rows


def study_of_unnamed(rows: Rows, options: ReadOptions, items: list[Any]) -> Study:
    """One study, or one of several variables; the scales that the export declares are kept."""
    from accord.study.tables.to_study import as_declared

    cleaner = Cleaner(options.cleaning)
    places: dict[Label, list[int]] = {}
    for place, task in enumerate(rows.column("task")):
        places.setdefault("" if task is None else task, []).append(place)
    if options.only is not None:
        if options.only not in places:
            raise OptionError.choice("only", options.only, sorted(map(str, places)), of_data=True)
        places = {options.only: places[options.only]}
    labels, left_out = rows.column("label"), rows.left_out
    parts: dict[Label, CodedAnnotations] = {}
    levels: dict[Label, Level] = {}
    for task, mine in sorted(places.items(), key=lambda pair: str(pair[0])):
        scale = rows.scales.get(str(task))
        cleaned = cleaner.column([labels[place] for place in mine]) if cleaner else [labels[place] for place in mine]
        declared = list(options.labels or (scale.labels if scale is not None else ()))
        cells = as_declared(cleaned, declared)
        strangers = sorted(set(cells) - set(declared) - {None}, key=str) if declared else []
        if strangers and options.labels is None:
            rows.note(Message("used and not declared: ", all_quoted(strangers, 5)))
            declared = _in_order([*declared, *strangers])
        parts[task] = of_unnamed([items[place] for place in mine], cells, declared or None, left_out)
        if scale is not None and scale.level is not None:
            levels[ONLY if len(places) == 1 else task] = scale.level
    whole = next(iter(parts.values())) if len(parts) == 1 else None
    several = {} if whole is not None else parts
    notes, traits = tuple(rows.notes), frozenset(rows.traits)
    loaded = Loaded(whole, left_out, rows.shape, rows.length, {}, several, notes, levels=levels, traits=traits)
    return Study._from_loaded(with_cleaning(loaded, cleaner))


def _in_order(labels: list[Any]) -> list[Any]:
    """Numbers have their order, wherever they were declared; what else was not comes last."""
    numbers = all(isinstance(label, int | float) and not isinstance(label, bool) for label in labels)
    return sorted(labels) if numbers else labels

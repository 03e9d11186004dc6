"""One small study in every form that a user may hold it in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import accord
from accord import Study

Build: TypeAlias = Callable[[], Study]

ANNOTATORS = ("ana", "ben", "cal")
# Items × annotators; None is missing. Item ids are large and have gaps; the labels sort otherwise than they mean.
RATINGS: list[list[str | None]] = [
    ["high", "high", "high"],
    ["low", "low", "middle"],
    ["middle", "middle", None],
    ["low", "high", "low"],
    ["high", None, None],
    ["low", "low", "low"],
    ["middle", "low", "middle"],
    ["high", "high", "middle"],
    ["low", "low", None],
    ["middle", "middle", "middle"],
    ["high", "low", "high"],
]
LABELS = ("high", "low", "middle")
ITEMS = [9_007_199_254_740_993 + 7 * place for place in range(len(RATINGS))]  # odd ones are no float
NUMBERS = {"high": 3, "low": 1, "middle": 2}
MEASURES = ("percent_agreement", "fleiss_kappa", "conger_kappa", "light_kappa", "brennan_prediger_kappa", "gwet_ac")


def rows() -> list[tuple[int, str, str]]:
    """The study as annotations: item, annotator, label."""
    return [
        (item, who, label)
        for item, answers in zip(ITEMS, RATINGS, strict=True)
        for who, label in zip(ANNOTATORS, answers, strict=True)
        if label is not None
    ]


def columns() -> dict[str, list[Any]]:
    """The same as columns, in no particular order of rows."""
    shuffled = [rows()[place] for place in np.random.default_rng(3).permutation(len(rows()))]
    items, people, labels = zip(*shuffled, strict=True)
    return {"item": list(items), "annotator": list(people), "label": list(labels)}


def wide_columns() -> dict[str, list[Any]]:
    """Items × annotators as columns, the annotators in no particular order."""
    by_name = {who: [answers[place] for answers in RATINGS] for place, who in enumerate(ANNOTATORS)}
    return {"item": ITEMS, "cal": by_name["cal"], "ana": by_name["ana"], "ben": by_name["ben"]}


def coded(gap: Any) -> list[list[Any]]:
    """The labels as numbers, with something else where one is missing."""
    return [[gap if label is None else NUMBERS[label] for label in answers] for answers in RATINGS]


def _long(frame: Any) -> Build:
    return lambda: Study(frame)


def _wide(frame: Any) -> Build:
    return lambda: Study.from_wide(frame, item="item")


def long_forms() -> dict[str, Build]:
    """One row per annotation, in every engine."""
    table = columns()
    frame = pd.DataFrame(table)
    polars = pl.DataFrame(table)
    arrow = pa.table(table)
    label = frame["label"]
    return {
        "pandas": _long(frame),
        "pandas object": _long(frame.astype({"label": object, "annotator": object})),
        "pandas string": _long(frame.astype({"label": "string", "annotator": "string", "item": "Int64"})),
        "pandas arrow": _long(frame.convert_dtypes(dtype_backend="pyarrow")),
        "pandas category": _long(frame.assign(label=label.astype("category"))),
        "pandas other index": _long(frame.set_index(pd.Index(range(100, 100 + len(frame))))),
        "polars": _long(polars),
        "polars lazy": _long(polars.lazy()),
        "polars categorical": _long(polars.with_columns(pl.col("label", "annotator").cast(pl.Categorical))),
        "arrow": _long(arrow),
        "arrow dictionary": _long(arrow.set_column(2, "label", arrow["label"].dictionary_encode())),
        "mapping of lists": _long(table),
        "mapping of arrays": _long({name: np.array(cells) for name, cells in table.items()}),
        "mapping of series": _long({name: pd.Series(cells) for name, cells in table.items()}),
        "records": _long([dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True)]),
    }


def wide_forms() -> dict[str, Build]:
    """One row per item, in every engine."""
    table = wide_columns()
    frame = pd.DataFrame(table)
    polars = pl.DataFrame(table)
    categories = {who: pd.CategoricalDtype(list(LABELS)) for who in ANNOTATORS}
    return {
        "pandas": _wide(frame),
        "pandas object": _wide(frame.astype(dict.fromkeys(ANNOTATORS, object))),
        "pandas string": _wide(frame.astype(dict.fromkeys(ANNOTATORS, "string"))),
        "pandas category": _wide(frame.astype(categories)),
        "pandas category by column": _wide(frame.astype(dict.fromkeys(ANNOTATORS, "category"))),
        "polars": _wide(polars),
        "polars lazy": _wide(polars.lazy()),
        "polars enum": _wide(polars.with_columns(pl.col(*ANNOTATORS).cast(pl.Enum(LABELS)))),
        "arrow": _wide(pa.table(table)),
        "mapping": _wide(table),
        "records": _wide(polars.to_dicts()),
    }


def array_forms() -> dict[str, Build]:
    """Items × annotators without names."""
    missing = [[np.nan if label is None else label for label in answers] for answers in RATINGS]
    blank = [["" if label is None else label for label in answers] for answers in RATINGS]
    return {
        "rows": lambda: Study.from_wide(RATINGS),
        "tuples": lambda: Study.from_wide(tuple(map(tuple, RATINGS))),
        "objects with None": lambda: Study.from_wide(np.array(RATINGS, dtype=object)),
        "objects with NaN": lambda: Study.from_wide(np.array(missing, dtype=object)),
        "text with blanks": lambda: Study.from_wide(np.array(blank)),
        "rows of arrays": lambda: Study.from_wide([np.array(answers, dtype=object) for answers in RATINGS]),
        "masked text": lambda: Study.from_wide(np.ma.masked_array(np.array(blank), mask=np.array(blank) == "")),
    }


def number_forms() -> dict[str, Build]:
    """The labels as numbers: whole floats are the integers they stand for."""
    hidden, floats = np.array(coded(-99)), np.array(coded(np.nan))
    long = pd.DataFrame(columns()).assign(label=lambda frame: frame["label"].map(NUMBERS))
    silent = pd.DataFrame({"item": [ITEMS[0]], "annotator": ["ana"], "label": [None]})
    wide = pd.DataFrame(floats, columns=list(ANNOTATORS)).assign(item=ITEMS)
    return {
        "masked integers": lambda: Study.from_wide(np.ma.masked_array(hidden, mask=hidden == -99)),
        "small masked integers": lambda: Study.from_wide(
            np.ma.masked_array(hidden.astype(np.int8), mask=hidden == -99)
        ),
        "floats with NaN": lambda: Study.from_wide(floats),
        "single floats": lambda: Study.from_wide(floats.astype(np.float32)),
        "objects": lambda: Study.from_wide(np.array(coded(None), dtype=object)),
        "rows with NA": lambda: Study.from_wide(coded(pd.NA)),
        "long integers": lambda: Study(long),
        "long unsigned": lambda: Study(long.astype({"label": np.uint64, "item": np.uint64})),
        "long floats": lambda: Study(pd.concat([long, silent]), duplicates="first"),
        "long Int64": lambda: Study(pd.concat([long.astype({"label": "Int64"}), silent]), duplicates="first"),
        "polars": lambda: Study(pl.from_pandas(long.astype({"label": np.int8}))),
        "arrow": lambda: Study(pa.Table.from_pandas(long.astype({"label": np.float64}))),
        "wide floats": lambda: Study.from_wide(wide, item="item"),
        "wide Int64": lambda: Study.from_wide(wide.astype(dict.fromkeys(ANNOTATORS, "Int64")), item="item"),
    }


def digits(study: Study) -> list[float]:
    """Values, parts and intervals of many measures: what must not change with the form by a single bit."""
    found: list[float] = []
    for name in MEASURES:
        result: accord.Agreement = getattr(accord, name)(study)
        found += [result.value, result.observed, result.expected, *result.interval()]
    alpha = accord.krippendorff_alpha(study)
    found += [alpha.value, *alpha.interval(method="bootstrap", n_resamples=40, rng=5)]
    return found

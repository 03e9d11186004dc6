"""Tables that stay in their engine: Polars lazy, DuckDB, Spark, Dask, Ibis. Only distinct values and sums come back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from accord.annotations.answers import tidy_label
from accord.annotations.arrays import FloatArray, IntArray
from accord.engine.dialects import dialect_of
from accord.engine.dialects.dialect import Cells, Dialect, Prints
from accord.engine.engine_errors import our_errors, with_our_errors
from accord.engine.lookup import EXACT, TOO_MUCH, Lookup
from accord.engine.whole_file import check_target, path_of, whole
from accord.errors import (
    InputError,
    MayBeNames,
    OptionError,
    at_column,
    quoted,
)

CELL = "cell_"  # an annotator × the number of answers + the answer
OWN_NAMES = re.compile(  # what columns are called that are made on the way
    r"(code|score|share|total|vector)\d+_?|print_[fg]|present_?|.+_(last|high)_|"
    r"(number|who|whom|pair|cell|score|total|square|differ|sure|tied|chosen|log|(first_|second_)?answers?|top|weight|"
    r"key|first|last|rows|groups|items|one|alike|common|observed|expected|value|defined|room|chance|agreed|low|high|"
    r"known|given|information)_"
)


class Scan:
    """A lazy table: it stays in its engine, and only distinct values and sums come back."""

    def __init__(self, frame: nw.LazyFrame[Any], dialect: Dialect) -> None:
        self._frame, self.dialect = frame, dialect
        self._schema = frame.collect_schema()
        self.columns: list[str] = list(self._schema.names())

    @classmethod
    def of(cls, data: object) -> Scan | None:
        """From a lazy or distributed frame; None for anything else."""
        frame = nw.from_native(data, pass_through=True)
        return cls(frame, dialect_of(frame)) if isinstance(frame, nw.LazyFrame) else None

    def of_frame(self, frame: nw.LazyFrame[Any]) -> Scan:
        """Another frame of the same engine."""
        return Scan(frame, self.dialect)

    @property
    def frame(self) -> nw.LazyFrame[Any]:
        """The frame itself, for the modules of narwhals beside this one."""
        return self._frame

    def first_rows(self, number: int) -> Any:
        """Some first rows, in memory: what its columns are can be seen in them."""
        with our_errors():
            return self._frame.head(number).collect().to_native()

    # -- what it holds ------------------------------------------------------------------------------------------------

    def tidied(self, names: Sequence[str]) -> Scan:
        """Only these columns, in types that can be compared with plain values: text for categories, null for NaN."""
        for name in names:
            self._refuse_name(name)
        return self.of_frame(self._frame.select(*(self._tidy(name) for name in dict.fromkeys(names))))

    def _refuse_name(self, name: str) -> None:
        """Names that the queries here give to columns of their own, or that an engine takes for something else."""
        refused = self.dialect.refuses(name)
        if refused or OWN_NAMES.fullmatch(name):
            other = name.replace(".", " ") if refused and "." in name else f"my {name}"
            raise InputError(
                "The column ",
                at_column(name),
                " has a name that cannot be used in this engine; call it otherwise there, such as ",
                quoted(other),
                ".",
            )

    def _tidy(self, name: str) -> nw.Expr:
        kind, column = self._schema[name], nw.col(name)
        if kind in (nw.Categorical, nw.Enum) or self._of_nothing(name):
            return column.cast(nw.String)
        if kind.is_float():
            return nw.when(~column.is_nan()).then(column).alias(name)
        if kind.is_integer() or kind in (nw.String, nw.Boolean):
            return column
        raise InputError(
            "The column ",
            at_column(name),
            " is of type ",
            MayBeNames(str(kind)),
            ", which cannot be grouped in the engine; make it text or numbers there.",
        )

    def _of_nothing(self, name: str) -> bool:
        """Is a column of no type at all, because it holds nothing? It is then as good as empty text."""
        return self._schema[name] == nw.Unknown and self.dialect.holds_nothing(self._frame, name)

    def with_digest(self, name: str) -> Scan:
        """The same rows with a digest of 126 bits for the text of a column, where the engine has one (Polars).

        Long names are then compared and kept as one number. Two of 10⁹ names have the same digest with a chance of
        10⁻²⁰, so what is counted by digest is counted by name.
        """
        if self._schema[name] != nw.String:
            return self
        digested = self.dialect.with_digest(self._frame, name)
        return self if digested is self._frame else self.of_frame(digested)

    def prints(self, names: Sequence[str], bounds: tuple[int, int] | None = None) -> Iterator[Prints] | None:
        """What some columns hold together as prints of 64 bits, in any order, some at a time; if asked, within bounds.

        Equal values have equal prints, and different ones as good as never. None where the engine makes none, or none
        that are sure to be equal: 0.0 and -0.0 count as one.
        """
        if not all(self._schema[name] == nw.String or self._schema[name].is_integer() for name in names):
            return None
        made = self.dialect.prints(self._frame, names, bounds)
        return None if made is None else with_our_errors(made)

    def fits(self, name: str, values: Iterable[Any]) -> bool:
        """Are these values of the type of a column, text or whole numbers?"""
        wanted = str if self._schema[name] == nw.String else int if self._schema[name].is_integer() else None
        return wanted is not None and all(isinstance(value, wanted) and not isinstance(value, bool) for value in values)

    def holds_lists(self, name: str) -> bool:
        """Does a column hold lists?"""
        return self._schema[name] in (nw.List, nw.Array)

    def holds_numbers(self, name: str) -> bool:
        """Does a column hold numbers?"""
        return self._schema[name].is_integer() or self._schema[name].is_float()

    def different(self, name: str) -> int:
        """How many different values a column has."""
        groups = self._sizes([name]).select(nw.len().alias("groups_"))
        return int(self._arrive(groups)["groups_"][0])

    def categories(self, name: str) -> list[Any] | None:
        """What an enumeration declares, in order; other columns tell their values only when asked."""
        kind = self._schema[name]
        if not isinstance(kind, nw.Enum):
            return None
        tidy = dict.fromkeys(tidy_label(category) for category in kind.categories)
        return [label for label in tidy if label is not None]

    # -- some of its rows ---------------------------------------------------------------------------------------------

    def where(self, name: str, value: object) -> Scan:
        """The rows with one value in a column."""
        return self.of_frame(self._frame.filter(nw.col(name) == value))

    def without(self, name: str, values: Sequence[object]) -> Scan:
        """The rows with none of these values in a column."""
        column = nw.col(name)
        return self.of_frame(self._frame.filter(column.is_null() | ~column.is_in(list(values))))

    def without_values(self, name: str, values: Sequence[Any]) -> Scan:
        """The rows with none of these values in a column; None is one of them, or not."""
        known = [value for value in values if value is not None]
        rows = self.without(name, known) if known else self
        return rows.without_null(name) if None in values else rows

    def between(self, name: str, low: Any, high: Any | None) -> Scan:
        """The rows from one value of a column up to, not including, another; None is no end."""
        inside = nw.col(name) >= low
        return self.of_frame(self._frame.filter(inside if high is None else inside & (nw.col(name) < high)))

    def without_null(self, *names: str) -> Scan:
        """The rows with something in each of these columns."""
        return self.of_frame(self._frame.drop_nulls(list(names)))

    # -- counts -------------------------------------------------------------------------------------------------------

    def counted(self, *names: str) -> list[tuple[Any, ...]]:
        """The distinct values of some columns, each with the number of rows."""
        if len(names) == 1 and self._schema[names[0]] == nw.String:
            with our_errors():
                many = self.dialect.counted_texts(self._frame, names[0])
            if many is not None:
                return many
        found = self._arrive(self._sizes(names))
        return list(zip(*(found[name] for name in (*names, "number_")), strict=True))

    def grouped(self, *names: str) -> Scan:
        """The distinct values of some columns, each with the number of rows as `number_`."""
        return self.of_frame(self._sizes(names))

    def _sizes(self, names: Sequence[str]) -> nw.LazyFrame[Any]:
        return self._frame.group_by(*names).agg(nw.len().alias("number_"))

    def missing(self, name: str) -> int:
        """How many rows have nothing in a column; such that engines know it from a file's statistics."""
        nothing: Any = nw.col(name).is_null()
        for blank in self.blank(name):
            nothing = nothing | (nw.col(name) == blank)
        return int(self._arrive(self._frame.filter(nothing).select(nw.len().alias("rows_")))["rows_"][0])

    def blank(self, name: str) -> list[str]:
        """What says nothing in a column besides null: empty text."""
        return [""] if self._schema[name] == nw.String else []

    def rows(self) -> int:
        """How many rows there are."""
        return int(self._arrive(self._frame.select(nw.len().alias("rows_")))["rows_"][0])

    def largest_group(self, *names: str) -> int:
        """The most rows that share one value of these columns."""
        return int(self._arrive(self._sizes(names).select(nw.col("number_").max()))["number_"][0] or 0)

    def repeats(self, *names: str) -> int:
        """How many rows are one too many where these columns should name a row."""
        more = self._sizes(names).filter(nw.col("number_") > 1)
        found = self._arrive(more.select(nw.col("number_").sum(), nw.len().alias("groups_")))
        return int(found["number_"][0] or 0) - int(found["groups_"][0])

    def repeated(self, *names: str) -> tuple[Any, ...]:
        """The first values of these columns that name more than one row."""
        found = self._arrive(self._sizes(names).filter(nw.col("number_") > 1).sort(*names).head(1))
        return tuple(found[name][0] for name in names)

    # -- sums ---------------------------------------------------------------------------------------------------------

    def sums(
        self, key: Sequence[str], terms: Mapping[str, Sequence[Lookup]], also: Sequence[str] = (), *, rows: bool = True
    ) -> Scan:
        """One row per key: for each term the sum of the product of its look-ups; and the number of rows as `rows_`.

        Other columns come along by their lowest and, as `…_high_`, their highest value.
        """
        more = [nw.len().alias("rows_")] if rows else []
        more += [nw.col(name).min() for name in also] + [nw.col(name).max().alias(f"{name}_high_") for name in also]
        return self.of_frame(self._summed(self._frame, key, terms, more))

    def patterns(
        self, key: str, terms: Mapping[str, Sequence[Lookup]], also: Sequence[str] = (), most: int | None = None
    ) -> Arrived:
        """The distinct sums of a key, each with the number of keys; apart by the values of other columns.

        A key with several values in a column is counted in `differing`. At most `most` patterns and one more.
        """
        ends = [nw.col(name).min() for name in also]
        ends += [nw.col(_highest(self, name)).max().alias(f"{name}_last_") for name in also]
        each = self._summed(self._frame, [key], terms, ends)
        sums = [nw.len().alias("number_")]
        if also:
            agree: Any = nw.lit(0, dtype=nw.Int64)
            for name in also:
                differ = nw.col(name) != nw.col(f"{name}_last_")
                agree = nw.when(differ).then(nw.lit(1, dtype=nw.Int64)).otherwise(agree)
            each = each.with_columns(differ_=agree)
            sums.append(nw.col("differ_").sum())
        found = each.group_by(*terms, *also).agg(*sums)
        table = self._collect(found if most is None or not self.dialect.cuts_groups else found.head(most + 1))
        codes = np.stack([_integers(table, name) for name in terms], axis=1)
        values = {name: self.dialect.cells(table.get_column(name)) for name in also}
        differing = int(_integers(table, "differ_").sum()) if also else 0
        return Arrived(codes, _integers(table, "number_"), values, differing)

    def several(self, key: str, name: str) -> Any:
        """A key with several values in a column."""
        high = nw.col(_highest(self, name)).max().alias("high_")
        each = self._frame.group_by(key).agg(nw.col(name).min().alias("low_"), high)
        return self._arrive(each.filter(nw.col("low_") != nw.col("high_")).select(nw.col(key).min()))[key][0]

    def moments(
        self, key: str, terms: Mapping[str, Sequence[Lookup]], scores: FloatArray, by: str | None = None
    ) -> dict[str, Any]:
        """Per pattern of code sums: how many keys, and the sum and the sum of squares of their total score; as arrays.

        `scores` are what each cell (`with_cells`) adds, any numbers. `by` tells keys apart further, by a column with
        one value per key, whose values are a list.
        """
        rows = self.joined(self.uploaded({CELL: np.arange(len(scores)), "score_": scores}), [CELL]).frame
        # a sum of both sides of the join: DuckDB 2.0 would add one side up below it, by every cell of every key
        score = nw.when(nw.col(CELL) >= 0).then(nw.col("score_"))
        more = [score.sum().alias("total_"), *([nw.col(by).min()] if by else [])]
        each = self._summed(rows, [key], terms, more)
        each = each.with_columns((nw.col("total_") * nw.col("total_")).alias("square_"))
        apart = [*terms, *([by] if by else [])]
        sums = each.group_by(*apart).agg(nw.len().alias("number_"), nw.col("total_").sum(), nw.col("square_").sum())
        table = self._collect(sums)
        found: dict[str, Any] = {name: _integers(table, name) for name in (*terms, "number_")}
        found |= {name: np.asarray(table.get_column(name).to_numpy(), np.float64) for name in ("total_", "square_")}
        return found if by is None else {**found, by: self.dialect.cells(table.get_column(by))}

    def products(self, key: str, scores: Scan, on: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
        """One row per key: the sums of some columns of another table, and of the products of every two of them."""
        pairs = {f"{one} {other}": nw.col(one) * nw.col(other) for at, one in enumerate(names) for other in names[at:]}
        added = (nw.col(name).sum() for name in (*names, *pairs))
        return self._arrive(self.joined(scores, on).frame.with_columns(**pairs).group_by(key).agg(*added))

    def _summed(
        self,
        frame: nw.LazyFrame[Any],
        key: Sequence[str],
        terms: Mapping[str, Sequence[Lookup]],
        more: Sequence[nw.Expr],
    ) -> nw.LazyFrame[Any]:
        """One row per key: for each term the sum of the product of its look-ups; and other sums over the key."""
        added = (nw.col(f"{name}_").sum().alias(name) for name in terms)
        rows = self.dialect.with_products(frame, {f"{name}_": lookups for name, lookups in terms.items()})
        each = rows.group_by(*key).agg(*added, *more)
        # some engines add integers into wider types: back to what the next group-by compares quickly
        return each.with_columns(*(_whole(name, doubles=self.dialect.adds_doubles(terms[name])) for name in terms))

    # -- with other tables --------------------------------------------------------------------------------------------

    def uploaded(self, columns: Mapping[str, Cells]) -> Scan:
        """A small table in the same engine, on the same connection or session."""
        return self.of_frame(self.dialect.upload(self._frame, columns))

    def with_sums(self, key: str, terms: Mapping[str, Sequence[Lookup]], also: Sequence[str] = ()) -> Scan:
        """Every row, with the sums of its key; of other columns, what any row of the key says."""
        each = self.sums([key], terms, also, rows=False).frame
        return self.of_frame(self._frame.drop(list(also)).join(each, on=key, how="inner"))

    def examples(self, key: str, terms: Mapping[str, Sequence[Lookup]]) -> Scan:
        """The rows of one key for each distinct sum of keys, with the sums and `items_`, the number of such keys."""
        names = [*terms, "rows_"]
        each = self.sums([key], terms).frame
        first = each.group_by(*names).agg(nw.len().alias("items_"), nw.col(key).min())
        return self.of_frame(self._frame.join(first, on=key, how="inner"))

    def coded(self, keys: Iterable[str], codes: Mapping[tuple[Any, ...], int]) -> Scan:
        """With a column `answer`: the number that goes with the values of some columns."""
        names = list(keys)
        cells = zip(*(key for key in codes), strict=True)
        table = self.uploaded({**dict(zip(names, cells, strict=True)), "answer": list(codes.values())})
        return self.joined(table, names)

    def joined(self, other: Scan, names: Sequence[str]) -> Scan:
        """The rows whose values in some columns the other table has, with its columns."""
        return self.of_frame(self._frame.join(other.frame, on=list(names), how="inner"))

    def renamed(self, names: Mapping[str, str]) -> Scan:
        """Some columns under other names."""
        return self.of_frame(self._frame.select(*(nw.col(old).alias(new) for old, new in names.items())))

    def left_joined(self, other: Scan, name: str) -> Scan:
        """Every row, with the other table's columns where a column has the same value."""
        return self.of_frame(self._frame.join(other.frame, on=name, how="left"))

    def with_cells(
        self, annotator: str, people: Sequence[Any], label: str, codes: Mapping[Any, int], number: int
    ) -> Scan:
        """The rows with a column `cell_`: the place of the annotator among some people × `number` + the answer.

        The annotator's name is gone: by its digest, where the engine has one, people are told apart in little memory.
        """
        table = self.uploaded({annotator: list(people), "who_": np.arange(len(people))})
        names = table.frame.with_columns(nw.col(annotator).cast(self._schema[annotator]))
        rows = self.with_digest(annotator).joined(self.of_frame(names).with_digest(annotator), [annotator]).frame
        rows = self.dialect.with_products(rows, {"answer_": [Lookup(label, codes)]})
        cell = (nw.col("who_") * number + nw.col("answer_")).cast(nw.Int64)
        return self.of_frame(rows.with_columns(cell.alias(CELL)).drop(annotator, "who_", "answer_"))

    def with_code(self, lookup: Lookup, name: str) -> Scan:
        """With another column of what a look-up gives."""
        return self.of_frame(self._frame.with_columns(**{name: lookup.expression()}))

    # -- in memory-----------------------------------------------------------------------------------------------------

    def integers(self, *names: str, most: int | None = None) -> dict[str, IntArray]:
        """Columns of whole numbers, in memory; at most `most` rows and one more."""
        chosen = self._frame.select(*names)
        table = self._collect(chosen if most is None else chosen.head(most + 1))
        return {name: _integers(table, name) for name in names}

    def arrive(self, *names: str) -> dict[str, Any]:
        """Columns as lists, in memory."""
        return self._arrive(self._frame.select(*names))

    def collected(self, names: Sequence[str]) -> Any:
        """These columns as a table in memory, in the form the engine likes to give."""
        return self._collect(self._frame.select(*names)).to_native()

    def fetched(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """What a frame of the same engine gives, in memory as the engine likes to give it."""
        return self._collect(frame)

    def handed(self, table: nw.DataFrame[Any]) -> nw.LazyFrame[Any]:
        """The same the other way round: a table in memory, such as was fetched, as a frame of the engine."""
        return self.dialect.handed(self._frame, table)

    def batches(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """Columns of whole numbers, some rows at a time, in any order."""
        return with_our_errors(self.dialect.batches(self._frame.select(*names), names))

    def marked(self, hostile: str, harmless: str, mark: str) -> Scan:
        """With a mark before every text that matches one pattern and not the other; other columns as they are."""
        schema = self._frame.collect_schema()
        columns = []
        for name in (name for name, kind in schema.items() if kind in (nw.String, nw.Categorical, nw.Enum)):
            text: Any = nw.col(name).cast(nw.String)
            runs = text.str.contains(hostile) & ~text.str.contains(harmless)
            columns.append(nw.when(runs).then(nw.concat_str(nw.lit(mark), text)).otherwise(text).alias(name))
        return self.of_frame(self._frame.with_columns(*columns)) if columns else self

    def write(self, path: str | Path) -> Path:
        """Have the engine write the table: .parquet or .csv; Spark writes a folder of parts under that name.

        What stays in an engine never comes here, so the lines of a .csv are the engine's own and not `csv_writer`'s:
        cells are marked as there (`marked`), and read alike; quotes round an empty cell differ.
        """
        target = path_of(path)
        writers = {".parquet": self.dialect.write_parquet, ".csv": self.dialect.write_csv}
        ending = target.suffix.lower()
        if ending not in writers:
            raise OptionError.ending(target.name, writers)
        check_target(target)
        with whole(target) as half, our_errors():
            writers[ending](self._frame, half)
        return target

    def _arrive(self, frame: nw.LazyFrame[Any]) -> dict[str, Any]:
        table = self._collect(frame)
        return {name: self.dialect.cells(table.get_column(name)) for name in table.columns}

    def _collect(self, frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
        """Run the query; errors of memory, of overflow and of damaged files become ours."""
        with our_errors():
            return self.dialect.collect(frame)


class Arrived:
    """Patterns of code sums as they came from an engine, in no order."""

    def __init__(self, codes: IntArray, number: IntArray, values: Mapping[str, list[Any]], differing: int) -> None:
        self.codes, self.number, self.values, self.differing = codes, number, values, differing


def _whole(name: str, *, doubles: bool) -> nw.Expr:
    """A sum as an integer; of doubles, one that may not be exact is made one that cannot be."""
    total: Any = nw.col(name)
    if doubles:
        total = nw.when(total < EXACT).then(total).otherwise(nw.lit(TOO_MUCH, dtype=nw.Float64))
    return total.cast(nw.Int64)  # type: ignore[no-any-return]


def _highest(scan: Scan, name: str) -> str:
    """The column with the highest value where rows were grouped (`sums`), else the column itself."""
    return f"{name}_high_" if f"{name}_high_" in scan.columns else name


def _integers(table: nw.DataFrame[Any], name: str) -> IntArray:
    """A column of whole numbers without gaps."""
    return np.asarray(table.get_column(name).cast(nw.Int64).to_numpy(), dtype=np.int64)

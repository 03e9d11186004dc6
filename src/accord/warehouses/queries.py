"""`queries`: what a database has to be asked so that agreement can be measured without any of its rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.annotations.answers import Label, Level, as_text, scale_of
from accord.annotations.cleaning import Cleaning
from accord.engine.whole_file import check_target, path_of, whole
from accord.errors import (
    InputError,
    Keyword,
    OptionError,
    Part,
    UnknownName,
    all_quoted,
    counted,
    keyword,
    quoted,
    remedy,
)
from accord.options import check_whole, head
from accord.study.levels import check_level, with_order
from accord.study.roles import named
from accord.warehouses.query_texts import QueriedTable, SqlLine, one_query, written
from accord.warehouses.sql_dialects import SqlDialect, dialect_called, refuse_unwritable, without_marks

FORMAT = 1  # of the manifest
MANIFEST = "accord.json"  # what results are read with
MOST_COLUMNS = 200  # one for each label, or annotator: databases stop between 1,000 and 10,000, and nobody reads these
# Steps on the way to a result, among which some databases look first for a table of that name.
OWN_TABLES = ("accord_rows", "accord_answers", "accord_items")
OWN_COLUMNS = ("item", "annotator", "label", "cluster", "n_items")  # of the results and on the way to them


@dataclass(frozen=True)
class Query:
    """One query: what it is called, its SQL, and the columns of its result."""

    name: str
    sql: str
    columns: tuple[str, ...]

    @property
    def file(self) -> str:
        """The file it is written to."""
        return f"{self.name}.sql"

    def to_dict(self) -> dict[str, Any]:
        """As the manifest lists it."""
        digest = hashlib.sha256(self.sql.encode()).hexdigest()
        return {"name": self.name, "file": self.file, "columns": list(self.columns), "sha256": digest}


@dataclass(frozen=True)
class Queries:
    """The queries that a measurement needs, in order; as text, one script.

    Without `labels` there is but the query that lists them, and `incomplete` says so.

    >>> from accord import queries
    >>> asked = queries("answers", dialect="duckdb", labels=["no", "yes"])
    >>> len(asked), asked.dialect, asked.incomplete
    (6, 'duckdb', False)
    """

    dialect: str
    roles: dict[str, str]
    labels: tuple[Label, ...]
    levels: Level | None
    by: tuple[str, ...]
    annotators: tuple[str, ...]
    missing: tuple[str, ...]
    smallest_cell: int | None
    each: tuple[Query, ...]

    @property
    def incomplete(self) -> bool:
        """Is this but the query that lists the labels, which the others need?"""
        return not self.labels

    def __iter__(self) -> Iterator[Query]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, name: str) -> Query:
        found = next((query for query in self.each if query.name == name), None)
        if found is None:
            raise UnknownName.choice("query", name, [query.name for query in self.each])
        return found

    def __str__(self) -> str:
        return "\n".join(query.sql for query in self.each).rstrip("\n")

    def __repr__(self) -> str:
        return f"Queries for {self.dialect}: {', '.join(query.name for query in self.each)}"

    def to_dict(self) -> dict[str, Any]:
        """The manifest: what the results have to be read with."""
        return {
            **head("queries"),
            "format": FORMAT,
            "dialect": self.dialect,
            "roles": dict(self.roles),
            "labels": list(self.labels),
            "levels": self.levels,
            "by": list(self.by),
            "cluster": self.roles.get("cluster"),
            "annotators": list(self.annotators) or None,
            "missing": list(self.missing),
            "smallest_cell": self.smallest_cell,
            "queries": [query.to_dict() for query in self.each],
        }

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write every query into a folder, and the manifest `accord.json`, with which their results are read.

        Args:
            folder: Where to write; it is made where it is not there.
            force: Whether files of these names that lie there are replaced.

        Returns:
            The folder.

        Raises:
            OptionError: If the labels are not known yet.
            InputError: If the folder cannot be written, or holds such files already.

        >>> import tempfile
        >>> from accord import queries
        >>> from pathlib import Path
        >>> asked = queries("answers", dialect="duckdb", labels=["no", "yes"])
        >>> folder = asked.write(Path(tempfile.mkdtemp()) / "queries")
        >>> sorted(path.name for path in folder.iterdir())[:3]
        ['accord.json', 'annotators.sql', 'duplicates.sql']
        """
        if self.incomplete:
            raise OptionError(
                "The queries depend on the labels, which are not known yet. Run the query that lists them first, and "
                "name them: ",
                remedy(labels=[...]),
                ".",
                option=Keyword("labels"),
            )
        target = path_of(folder, "folder")
        texts = {query.file: query.sql for query in self.each}
        texts[MANIFEST] = json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"
        _ready(target, texts, force=force)
        _refuse_old_results(target, self.each)
        with ExitStack() as halves:  # all are whole before any takes its place; the first of them does so last
            for name, text in reversed(texts.items()):
                half = halves.enter_context(whole(target / name, free=not force))
                half.write_text(text, encoding="utf-8", newline="\n")
            if force:
                (target / MANIFEST).unlink(missing_ok=True)  # whoever ends here leaves none that is of other queries
        return target


def queries(
    table: str | None = None,
    /,
    *,
    dialect: str,
    query: str | None = None,
    item: str = "item",
    annotator: str = "annotator",
    label: str = "label",
    labels: Sequence[Any] | None = None,
    by: str | Sequence[str] | None = None,
    cluster: str | None = None,
    annotators: Sequence[str] | None = None,
    missing: Sequence[Any] | None = None,
    levels: str | None = None,
    ordered: bool | None = None,
    smallest_cell: int | None = None,
    names: bool = True,
) -> Queries:
    """The queries that a measurement needs, for a database whose rows must not leave it.

    Each is plain SQL that reads and counts, with a comment on every line. What they answer (tallies, no rows) is all
    that `accord.from_results` needs.

    Args:
        table: The table, with what stands before its name: "answers", "project.dataset.answers".
        dialect: Whose SQL: "bigquery", "snowflake", "databricks", "clickhouse", "trino", "athena", "postgres",
            "duckdb" or "sqlite".
        query: Instead of a table, a query that gives its rows: one per item, annotator and label.
        item: The column that names the item. In Snowflake a name in small letters means one in capitals, as there; to
            mean small letters put quotation marks around it.
        annotator: … the annotator.
        label: … the label.
        labels: All labels there are; where they are a scale, in order. Without them, the one query that lists them.
        by: Columns that make groups: what they say must hold of the item.
        cluster: The column that says which items belong together.
        annotators: Only the answers of these annotators; then it is also asked who of them said what of one item.
        missing: Labels that stand for no answer, such as ["NA", "don't know"].
        levels: The level of measurement, "nominal", "ordinal", "interval", "ratio" or "circular".
        ordered: Whether the labels have an order: True for a scale, False for mere names.
        smallest_cell: Lines of fewer items (or annotations) than this stay in the database; totals do not.
        names: False leaves out the queries whose results name annotators.

    Returns:
        The queries; `str` makes one script of them and `.write(folder)` files.

    Raises:
        OptionError: If an option has a value that it cannot take, or there are too many labels.
        LabelError: If a label stands twice or is blank.

    >>> asked = queries("answers", dialect="postgres", labels=["no", "yes"], smallest_cell=5)
    >>> [query.name for query in asked]
    ['totals', 'labels', 'duplicates', 'patterns', 'annotators', 'pairs']
    >>> print(asked["labels"].sql)
    -- labels: how often each label was given.
    -- What leaves: a line for each label. No person.
    WITH accord_rows AS (  -- the table, under accord's names
      SELECT
        ...
    """
    spoken = dialect_called(dialect)
    roles = {"item": item, "annotator": annotator, "label": label} | ({} if cluster is None else {"cluster": cluster})
    _check_roles(roles)
    columns = _groups(by)
    groups = tuple(without_marks(column)[0] for column in columns)  # as results call them
    if smallest_cell is not None:
        check_whole("smallest_cell", smallest_cell, 1)
    scale = () if labels is None else scale_of((), labels).labels
    _refuse_many("labels", scale)
    people = _people(annotators, names=names)
    declared_levels = with_order(None if levels is None else check_level("levels", levels), ordered)
    queried = QueriedTable(
        spoken,
        _rows(table, query, spoken),
        item,
        annotator,
        label,
        tuple(map(as_text, scale)),
        _apart(columns, cluster, spoken),
        people,
        Cleaning.of(missing).missing,
        smallest_cell,
    )
    called = (*groups, *(() if cluster is None else ("cluster",)))
    return Queries(
        spoken.name,
        roles,
        scale,
        None if declared_levels is None else check_level("levels", declared_levels),
        groups,
        people,
        queried.missing,
        smallest_cell,
        tuple(_each(queried, called, names=names)),
    )


def _each(queried: QueriedTable, apart: tuple[str, ...], *, names: bool) -> Iterator[Query]:
    """The queries that this needs, in the order in which somebody reads them."""
    texts: dict[str, Callable[[], Iterator[SqlLine]]] = {
        "totals": queried.totals, "labels": queried.label_counts, "duplicates": queried.duplicates,
        "several_groups": queried.several_groups, "patterns": queried.patterns, "annotators": queried.annotator_counts,
        "pairs": queried.pairs, "named_patterns": queried.named_patterns,
    }  # fmt: skip
    for name, columns in columns_of(apart, len(queried.labels), len(queried.annotators), names=names).items():
        yield Query(name, written(texts[name]()), columns)


def columns_of(apart: tuple[str, ...], n_labels: int, n_annotators: int, *, names: bool) -> dict[str, tuple[str, ...]]:
    """The queries that are asked, each with the columns of its result.

    Args:
        apart: The columns that tell items apart besides their answers.
        n_labels: How many labels there are; none where they are not known yet.
        n_annotators: How many annotators are asked for by name.
        names: Whether results may name annotators.
    """
    labels: dict[str, tuple[str, ...]] = {"labels": ("label", "n_annotations")}
    if not n_labels:
        return labels
    counts = [f"label_{number}" for number in range(1, n_labels + 1)]
    found = {"totals": ("n_rows", "n_annotations", "n_items", "n_annotators", "n_missing"), **labels}
    found["duplicates"] = ("n_items",)
    if apart:
        found["several_groups"] = ("n_items",)
    found["patterns"] = (*apart, *counts, "n_items")
    if names:
        found["annotators"] = ("annotator", "label", "n_annotations")
        found["pairs"] = ("annotator_1", "annotator_2", "label_1", "label_2", "n_items")
    if names and n_annotators:
        who = [f"annotator_{number}" for number in range(1, n_annotators + 1)]
        found["named_patterns"] = (*apart, *who, "n_items")
    return found


def _rows(table: str | None, query: str | None, dialect: SqlDialect) -> str:
    """Where the rows come from, as SQL has it."""
    if (table is None) == (query is None):
        raise OptionError(
            "Say where the annotations lie, once: ",
            Keyword("table", "answers") if table is None else Keyword("table"),
            " or ",
            Keyword("query"),
            ".",
            option=Keyword("table"),
        )
    if query is not None:
        if not isinstance(query, str):
            raise OptionError.must("query", "be the text of a query", query)
        refuse_unwritable(query)
        return f"(\n{one_query(query)}\n  )"
    if not isinstance(table, str):
        raise OptionError.must("table", "be the name of a table, such as answers", table)
    if table.lower().strip('"`') in OWN_TABLES:
        raise OptionError.must(
            "table", "have another name than the steps of the queries; put its schema before it, such as "
            f"main.{table}, or make a view of it", table,
        )  # fmt: skip
    return dialect.table(table)


def _check_roles(roles: dict[str, str]) -> None:
    """A role is one column here: names of several would have to be put together in the database."""
    named(roles)
    for role, column in roles.items():
        _check_column(role, column)


def _check_column(role: str, column: object) -> None:
    if not isinstance(column, str) or not column.strip():
        raise OptionError.must(role, f"be the name of one column, such as '{role}'", column)


def _groups(by: object) -> tuple[str, ...]:
    """The columns that make groups: one, or several, each once, none called as a column of the results."""
    if by is None:
        return ()
    if not isinstance(by, str | list | tuple):
        raise OptionError.must("by", "be the name of a column, or a list of names", by)
    columns = (by,) if isinstance(by, str) else tuple(by)
    for column in columns:
        _check_column("by", column)
        if _is_own(column):
            raise OptionError(
                "The results have a column ",
                quoted(column),
                " of their own. Give the other one another name in a query, and name it: ",
                remedy(query="SELECT …", by=f"my_{column}"),
                ".",
                option=Keyword("by", column),
            )
    if len({column.lower() for column in columns}) < len(columns):
        raise OptionError.must("by", "name every column once", list(columns))
    return columns


def _is_own(column: str) -> bool:
    start, _, number = column.lower().rpartition("_")
    return column.lower() in OWN_COLUMNS or (start in ("label", "annotator") and number.isdigit())


def _apart(by: tuple[str, ...], cluster: str | None, dialect: SqlDialect) -> tuple[tuple[str, str], ...]:
    """By columns keep their names in the results; the cluster has its own."""
    columns = [(column, dialect.identifier(column)) for column in by]
    return (*columns, *(() if cluster is None else ((cluster, "cluster"),)))


def _people(annotators: object, *, names: bool) -> tuple[str, ...]:
    """The annotators who are asked for by name."""
    if annotators is None:
        return ()
    if isinstance(annotators, str) or not isinstance(annotators, Iterable):
        raise OptionError.must("annotators", "list names, such as ['ana', 'ben']", annotators)
    people = tuple(map(str, annotators))
    twice = [name for name in dict.fromkeys(people) if people.count(name) > 1]
    if twice or len(people) < 2 or not all(name.strip() for name in people):
        raise OptionError.must("annotators", "name two annotators or more, each once", list(people))
    if not names:
        raise OptionError(
            "Give ",
            keyword("annotators"),
            " or ",
            keyword("names"),
            ", not both: the one names people, the other none.",
        )
    _refuse_many("annotators", people)
    return people


def _refuse_many(option: str, values: Sequence[object]) -> None:
    """Each is a column of a result, of which databases, and people, take only so many."""
    if len(values) <= MOST_COLUMNS:
        return
    ways: tuple[Part, ...] = (
        "Group the rare ones in a query of your own, ", Keyword("query"), ", or have accord ask the database itself, "
        "which takes any number: ", remedy("accord.read", repr("postgres://host/database?table=answers")),
    )  # fmt: skip
    raise OptionError(
        f"There are {counted(len(values), option)}, and each would be a column of a result; {MOST_COLUMNS} are the "
        f"most (",
        all_quoted(values, most=3),
        "). ",
        *(ways if option == "labels" else ("Name fewer, or leave ", Keyword(option), " out")),
        ".",
        option=Keyword(option),
    )


def _ready(folder: Path, names: Iterable[str], *, force: bool) -> None:
    """A folder that may be written to: there, or made, and without files that would be lost."""
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        raise InputError(
            quoted(str(folder)),
            " holds ",
            all_quoted(there, most=3),
            " already. Name another folder, or say ",
            Keyword("force"),
            " to replace them.",
        )
    if folder.is_file():
        raise InputError(quoted(folder.name), " is a file, and the queries need a folder. Name another.")
    if not folder.is_dir():
        check_target(folder)
        folder.mkdir()


def _refuse_old_results(folder: Path, each: Sequence[Query]) -> None:
    """Results of queries that are replaced by others would be taken for theirs."""
    changed = [query for query in each if query.sql != _held(folder / query.file)]
    old = sorted(path.name for query in changed for path in folder.glob(f"{query.name}.*") if path.name != query.file)
    if old:
        raise InputError(
            quoted(str(folder)),
            " holds results of other queries, ",
            all_quoted(old, most=3),
            ", which would be taken for results of these. Move them away, or name another folder.",
        )


def _held(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""

"""The queries themselves: plain SQL, with a comment in plain words on every line that says what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from accord.errors import OptionError
from accord.warehouses.sql_dialects import SqlDialect

# Texts, names and comments of SQL, in which a semicolon ends nothing; `;` itself is what is left.
QUOTED = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"[^\"]*\"|`[^`]*`|--[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
NO_PERSON = "No item, no annotator and no text is in it."
ONE_NUMBER = "What leaves: one number."


@dataclass(frozen=True)
class SqlLine:
    """A line of SQL, and what it does."""

    code: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.code}  -- {self.why}" if self.why else self.code


@dataclass(frozen=True)
class QueriedTable:
    """What the queries are about, as SQL has it: where the rows lie, and which column plays which role."""

    dialect: SqlDialect
    rows: str  # a table, or a query in brackets
    item: str
    annotator: str
    label: str
    labels: tuple[str, ...]
    apart: tuple[tuple[str, str], ...]  # by columns and the cluster: the column, and what it is called in results
    annotators: tuple[str, ...]
    missing: tuple[str, ...]
    smallest_cell: int | None

    # -- what every query begins with ---------------------------------------------------------------------------------

    def source_rows(self) -> Iterator[SqlLine]:
        """The rows as they lie there, under accord's names."""
        yield SqlLine("WITH accord_rows AS (", "the table, under accord's names")
        yield SqlLine("  SELECT")
        codes = " or one of these codes" if self.missing else ""
        columns = [
            (self._known(self.item), "item", "the item: only for counting here, in no result; blank is missing"),
            (self._known(self.annotator), "annotator", "who answered; blank is missing"),
            (self._known(self.label, self.missing), "label", f"what was answered; blank{codes} is missing"),
        ]
        columns += [
            (self._column(column), called, "what items are told apart by, the same in all rows of an item")
            for column, called in self.apart
        ]
        yield from _listed([(f"{code} AS {called}", why) for code, called, why in columns], "    ")
        yield SqlLine(f"  FROM {self.rows} AS source", "where they lie; nothing is written there")
        if self.annotators:
            chosen = self.dialect.literals(self.annotators)
            yield SqlLine(
                f"  WHERE {self._exact(self.annotator)} IN ({chosen})", "only answers of these annotators count"
            )
        yield SqlLine(")")

    def answers(self) -> Iterator[SqlLine]:
        """The rows that say who gave which label to which item."""
        *rows, end = self.source_rows()
        yield from rows
        yield SqlLine(f"{end.code},")
        yield SqlLine("accord_answers AS (", "the annotations: rows with an item, an annotator and a label")
        yield SqlLine(f"  SELECT {', '.join(['item', 'annotator', 'label', *self.names_apart])}")
        yield SqlLine("  FROM accord_rows")
        yield SqlLine("  WHERE item IS NOT NULL", "rows without an item stand aside")
        yield SqlLine("    AND annotator IS NOT NULL", "rows without an annotator too")
        yield SqlLine("    AND label IS NOT NULL", "and rows whose label is missing")
        yield SqlLine(")")

    @property
    def names_apart(self) -> list[str]:
        """What by columns and the cluster are called in results."""
        return [called for _, called in self.apart]

    def _column(self, name: str) -> str:
        return f"source.{self.dialect.identifier(name)}"

    def _exact(self, name: str) -> str:
        return self.dialect.as_text(self._column(name)) + self.dialect.collation

    def _known(self, name: str, missing: tuple[str, ...] = ()) -> str:
        """A column as text, and null where it says nothing."""
        exact = self._exact(name)
        codes = f" AND {exact} NOT IN ({self.dialect.literals(missing)})" if missing else ""
        return f"CASE WHEN TRIM({self.dialect.as_text(self._column(name))}) <> ''{codes} THEN {exact} END"

    def _large_enough(self, of: str) -> Iterator[SqlLine]:
        if self.smallest_cell is not None:
            yield SqlLine(
                f"HAVING COUNT(*) >= {self.smallest_cell}", f"lines of fewer than {self.smallest_cell} {of} stay here"
            )

    def _grouped(self, columns: Sequence[str], of: str) -> Iterator[SqlLine]:
        yield SqlLine(f"GROUP BY {', '.join(columns)}", "one line each")
        yield from self._large_enough(of)
        yield SqlLine(f"ORDER BY {', '.join(columns)}", "in the same order every time")

    # -- the queries --------------------------------------------------------------------------------------------------

    def totals(self) -> Iterator[SqlLine]:
        """How much there is."""
        named = "item IS NOT NULL AND annotator IS NOT NULL"
        whole = f"{named} AND label IS NOT NULL"
        yield from _comments("totals: how much there is.", f"What leaves: one line of five numbers. {NO_PERSON}")
        yield from self.source_rows()
        yield SqlLine("SELECT")
        yield from _listed(
            [
                ("COUNT(*) AS n_rows", "rows of the table"),
                (f"COUNT(CASE WHEN {whole} THEN 1 END) AS n_annotations", "rows with an item, an annotator, a label"),
                (f"COUNT(DISTINCT CASE WHEN {whole} THEN item END) AS n_items", "items that somebody answered"),
                (f"COUNT(DISTINCT CASE WHEN {whole} THEN annotator END) AS n_annotators", "people who answered any"),
                (f"COUNT(CASE WHEN {named} AND label IS NULL THEN 1 END) AS n_missing", "rows whose label is missing"),
            ],
            "  ",
        )  # fmt: skip
        yield SqlLine("FROM accord_rows")

    def label_counts(self) -> Iterator[SqlLine]:
        """How often each label was given."""
        yield from _comments(
            "labels: how often each label was given.", "What leaves: a line for each label. No person."
        )
        yield from self.answers()
        yield SqlLine("SELECT")
        yield from _listed(
            [("label", "the label"), ("COUNT(*) AS n_annotations", "how many annotations have it")], "  "
        )
        yield SqlLine("FROM accord_answers")
        yield from self._grouped(["label"], "annotations")

    def duplicates(self) -> Iterator[SqlLine]:
        """How many items somebody answered more than once."""
        yield from _comments("duplicates: how many items somebody answered more than once; there should be none.",
                             ONE_NUMBER)  # fmt: skip
        yield from self.answers()
        yield SqlLine("SELECT COUNT(DISTINCT item) AS n_items", "items, not answers")
        yield SqlLine("FROM (")
        yield SqlLine("  SELECT item")
        yield SqlLine("  FROM accord_answers")
        yield SqlLine("  GROUP BY item, annotator", "all answers of one annotator to one item")
        yield SqlLine("  HAVING COUNT(*) > 1", "where there are several")
        yield SqlLine(") AS answered_again")

    def several_groups(self) -> Iterator[SqlLine]:
        """How many items are in several groups or clusters."""
        yield from _comments("several_groups: how many items lie in several groups or clusters; there should be none.",
                             ONE_NUMBER)  # fmt: skip
        yield from self.answers()
        yield SqlLine("SELECT COUNT(*) AS n_items")
        yield SqlLine("FROM (")
        yield SqlLine("  SELECT item")
        yield SqlLine(f"  FROM (SELECT DISTINCT item, {', '.join(self.names_apart)} FROM accord_answers) AS places")
        yield SqlLine("  GROUP BY item")
        yield SqlLine("  HAVING COUNT(*) > 1", "where rows of one item say different things")
        yield SqlLine(") AS in_several")

    def patterns(self) -> Iterator[SqlLine]:
        """Every way in which items were answered, and how many items look like that."""
        counts = [f"label_{number}" for number in range(1, len(self.labels) + 1)]
        yield from _comments("patterns: every way in which an item was answered, and how many items were answered so.",
                             f"What leaves: a line of numbers for each way{self._with_apart}. {NO_PERSON}")  # fmt: skip
        yield from self._by_item(
            [
                (f"SUM(CASE WHEN label = {self.dialect.literal(label)} THEN 1 ELSE 0 END) AS {count}",
                 "how many annotators gave this label to the item")
                for count, label in zip(counts, self.labels, strict=True)
            ],
        )  # fmt: skip
        yield from self._counted([*self.names_apart, *counts])

    def named_patterns(self) -> Iterator[SqlLine]:
        """The same with who gave which label."""
        who = [f"annotator_{number}" for number in range(1, len(self.annotators) + 1)]
        yield from _comments(
            "named_patterns: every way in which these annotators answered an item, and how many items look so.",
            f"What leaves: a line of labels for each way, a column per annotator{self._with_apart}. No item, no text.",
        )
        yield from self._by_item(
            [
                (f"MAX(CASE WHEN annotator = {self.dialect.literal(name)} THEN label END) AS {column}",
                 "the label that this annotator gave to the item, if any")
                for column, name in zip(who, self.annotators, strict=True)
            ],
        )  # fmt: skip
        yield from self._counted([*self.names_apart, *who])

    @property
    def _with_apart(self) -> str:
        return ", in each group or cluster by its name" if self.apart else ""

    def _by_item(self, sums: Sequence[tuple[str, str]]) -> Iterator[SqlLine]:
        *rows, end = self.answers()
        yield from rows
        yield SqlLine(f"{end.code},")
        yield SqlLine("accord_items AS (", "each item by itself; this stays in the database")
        yield SqlLine("  SELECT")
        yield from _listed([(name, "") for name in ["item", *self.names_apart]] + list(sums), "    ")
        yield SqlLine("  FROM accord_answers")
        yield SqlLine(f"  GROUP BY {', '.join(['item', *self.names_apart])}", "one line per item")
        yield SqlLine(")")

    def _counted(self, columns: Sequence[str]) -> Iterator[SqlLine]:
        yield SqlLine(f"SELECT {', '.join(columns)}, COUNT(*) AS n_items", "how many items look like this")
        yield SqlLine("FROM accord_items")
        yield from self._grouped(columns, "items")

    def annotator_counts(self) -> Iterator[SqlLine]:
        """How often each annotator gave each label."""
        yield from _comments("annotators: how often each annotator gave each label.",
                         "What leaves: a line for each annotator, by name, and label. No item, no text.")  # fmt: skip
        yield from self.answers()
        yield SqlLine("SELECT")
        yield from _listed(
            [
                ("annotator", "who answered"),
                ("label", "the label"),
                ("COUNT(*) AS n_annotations", "how often it was given"),
            ],
            "  ",
        )
        yield SqlLine("FROM accord_answers")
        yield from self._grouped(["annotator", "label"], "annotations")

    def pairs(self) -> Iterator[SqlLine]:
        """What every two annotators said of the items that both answered."""
        columns = {
            "annotator_1": "first_answer.annotator",
            "annotator_2": "second_answer.annotator",
            "label_1": "first_answer.label",
            "label_2": "second_answer.label",
        }
        words = ("one annotator", "another", "what the one said", "what the other said of the same item")
        yield from _comments(
            "pairs: what every two annotators said of the items that both of them answered.",
            "What leaves: a line for each two annotators, by name, and their two labels. No item, no text.",
        )
        yield from self.answers()
        yield SqlLine("SELECT")
        chosen = [(f"{code} AS {name}", why) for (name, code), why in zip(columns.items(), words, strict=True)]
        yield from _listed([*chosen, ("COUNT(*) AS n_items", "how many items they answered so")], "  ")
        yield SqlLine("FROM accord_answers AS first_answer")
        yield SqlLine(
            "JOIN accord_answers AS second_answer ON first_answer.item = second_answer.item", "on the same item"
        )
        yield SqlLine("WHERE first_answer.annotator < second_answer.annotator", "every two annotators once")
        yield SqlLine(f"GROUP BY {', '.join(columns.values())}", "one line each")
        yield from self._large_enough("items")
        yield SqlLine(f"ORDER BY {', '.join(columns)}", "in the same order every time")


def written(lines: Iterator[SqlLine]) -> str:
    """A query as text; the semicolon has its own line: in front of a comment, some take that for one more query."""
    return "\n".join(map(str, [*lines, SqlLine(";")])) + "\n"


def one_query(text: str) -> str:
    """A query of the user's own, as part of others: without the semicolon that ends it, and only one.

    >>> one_query("SELECT * FROM answers WHERE label <> ';';")
    "SELECT * FROM answers WHERE label <> ';'"
    """
    query = text.strip().rstrip("; \t\r\n")
    if not query:
        raise OptionError.must("query", "hold a query, such as SELECT item, annotator, label FROM answers", text)
    if ";" in QUOTED.sub("", query):
        raise OptionError.must("query", "hold one query, and there is a semicolon within it", query)
    return query


def _listed(columns: Sequence[tuple[str, str]], indent: str) -> Iterator[SqlLine]:
    """Columns with commas between, each on its line."""
    for number, (code, why) in enumerate(columns, 1):
        yield SqlLine(f"{indent}{code}{',' if number < len(columns) else ''}", why)


def _comments(*sentences: str) -> Iterator[SqlLine]:
    for sentence in sentences:
        yield SqlLine(f"-- {sentence}")

"""How each database writes what the queries need: names, texts, and anything as text. All else is the same in all."""

from __future__ import annotations

import re
from dataclasses import dataclass

from accord.errors import OptionError, quoted

NAME_PART = re.compile(r'"(?:[^"]|"")+"|`(?:[^`]|``)+`|[^."`]+')
ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}  # by dialects in which a backslash means something


@dataclass(frozen=True)
class SqlDialect:
    """A dialect of SQL, as far as it differs from the others here."""

    name: str
    title: str
    text: str  # the type of texts
    collation: str = ""  # that compares texts letter by letter, where a database may do otherwise
    mark: str = '"'  # around names
    backslash: bool = False  # does it mean something within a text?
    backslash_in_names: bool = False
    capitals: bool = False  # are names that were made without quotation marks in capitals?

    def literal(self, text: str) -> str:
        """A text as SQL has it, whatever is in it."""
        refuse_unwritable(text)
        if not self.backslash:
            return "'" + text.replace("'", "''") + "'"
        return "'" + _escaped(text).replace("'", "\\'") + "'"

    def literals(self, texts: tuple[str, ...]) -> str:
        """Several texts with commas between."""
        return ", ".join(map(self.literal, texts))

    def identifier(self, name: str) -> str:
        """The name of a column; whoever typed quotation marks around it means just these letters."""
        refuse_unwritable(name)
        bare, exact = without_marks(name)
        if self.capitals and not exact and bare == bare.lower():
            bare = bare.upper()
        if self.backslash_in_names:
            return self.mark + _escaped(bare).replace(self.mark, f"\\{self.mark}") + self.mark
        return self.mark + bare.replace(self.mark, 2 * self.mark) + self.mark

    def table(self, name: str) -> str:
        """The name of a table, with what stands before it: schema.table, project.dataset.table."""
        return ".".join(map(self.identifier, _split(name)))

    def as_text(self, column: str) -> str:
        """A column as text."""
        return f"CAST({column} AS {self.text})"


def name_parts(table: str) -> list[str]:
    """The name of a table and what stands before it, without quotation marks.

    >>> name_parts('project."my data".answers')
    ['project', 'my data', 'answers']
    """
    return [without_marks(part)[0] for part in _split(table)]


def _split(table: str) -> list[str]:
    parts = NAME_PART.findall(table)
    if not parts or ".".join(parts) != table or not all(part.strip() for part in parts):
        raise OptionError.must("table", "be the name of a table, such as answers or project.answers", table)
    return parts


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(letter, letter) for letter in text)


def without_marks(name: str) -> tuple[str, bool]:
    """A name without the quotation marks that somebody typed around it, and whether there were any."""
    mark = name[:1]
    if len(name) > 2 and mark in ('"', "`") and name[-1] == mark and NAME_PART.fullmatch(name):
        return name[1:-1].replace(2 * mark, mark), True
    return name, False


def refuse_unwritable(text: str) -> None:
    """What cannot stand in a text or a name of any database."""
    if "\0" in text:
        raise OptionError(
            quoted(text), " holds a NUL character, which no database takes in a text or a name. Leave it out."
        )
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise OptionError(
            quoted(text), " holds half a character, which no database takes in a text or a name. Mend it."
        )


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        SqlDialect(
            "bigquery", "BigQuery", "STRING", mark="`", backslash=True, backslash_in_names=True,
        ),
        SqlDialect("snowflake", "Snowflake", "VARCHAR", backslash=True, capitals=True),
        SqlDialect("databricks", "Databricks", "STRING", mark="`", backslash=True),
        SqlDialect(
            "clickhouse", "ClickHouse", "Nullable(String)", backslash=True, backslash_in_names=True,
        ),
        SqlDialect("trino", "Trino", "VARCHAR"),
        SqlDialect("athena", "Athena", "VARCHAR"),
        SqlDialect("postgres", "Postgres", "TEXT", ' COLLATE "C"'),
        SqlDialect("duckdb", "DuckDB", "VARCHAR"),
        SqlDialect("sqlite", "SQLite", "TEXT", " COLLATE BINARY"),
    )
}  # fmt: skip


def dialect_called(name: object) -> SqlDialect:
    """The dialect of that name, or an error with the nearest one."""
    found = DIALECTS.get(name) if isinstance(name, str) else None
    if found is None:
        raise OptionError.choice("dialect", name, DIALECTS)
    return found

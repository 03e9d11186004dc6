"""Tables in databases by their addresses: the digits of memory, nothing written, no secret told."""

from __future__ import annotations

import gc
import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.engine import engine_errors, lazy_annotations
from accord.errors import ColumnMissing, ExtraMissing, FileError, InputError, OptionError
from accord.warehouses.addresses import Address, AddressPath
from tests.command.running import run
from tests.warehouses import databases
from tests.warehouses.databases import Connected

EXAMPLE = Path(__file__).parents[2] / "examples" / "five-annotators.csv"
COLUMNS = ("item", "annotator", "label", "text", "topic")
SECRET = "hunter2"
Placed = Callable[[str], str]  # a kind of database: its address, with the example in the table `answers`


@pytest.fixture
def placed(tmp_path: Path, request: pytest.FixtureRequest) -> Placed:
    """The example in a database of each kind."""

    def place(kind: str) -> str:
        rows = pl.read_csv(EXAMPLE, infer_schema=False).rows()
        if kind == "postgres":
            server: Connected = request.getfixturevalue("postgres")
            server.fill("answers", COLUMNS, rows)
            socket, name = request.getfixturevalue("postgres_socket"), request.getfixturevalue("postgres_name")
            return f"postgres://postgres@/{name}?host={socket}"
        file = tmp_path / "labels.db"
        database = getattr(databases, kind)(file)
        database.fill("answers", COLUMNS, rows)
        database.close()
        return f"{kind}:{file}"

    return place


KINDS = ["sqlite", "duckdb", pytest.param("postgres", id="postgres")]


class Counted(sqlite3.Connection):
    """A connection that is counted while it is open."""

    now_open = 0

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        Counted.now_open += 1

    def close(self) -> None:
        Counted.now_open -= 1
        super().close()


def test_no_connection_stays_open_once_the_study_is_gone(placed: Placed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ibis leaves SQLite's open, of which Python 3.13 warns."""
    address, connect = placed("sqlite"), sqlite3.connect
    monkeypatch.setattr(Counted, "now_open", 0)
    monkeypatch.setattr(sqlite3, "connect", lambda *given: connect(*given, factory=Counted))
    study = accord.read(address, table="answers")
    assert Counted.now_open == 1
    accord.fleiss_kappa(study)
    del study
    with pytest.raises(InputError, match="no table"):
        accord.read(address, table="no")
    gc.collect()
    assert Counted.now_open == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_in_a_database_has_the_digits_of_memory(placed: Placed, kind: str) -> None:
    there, here = accord.read(placed(kind), table="answers"), accord.read(EXAMPLE)
    assert "the rows stay in" in str(there.describe())
    for name in ("krippendorff_alpha", "conger_kappa", "gwet_ac", "fleiss_kappa"):
        far, near = getattr(accord, name)(there), getattr(accord, name)(here)
        assert (far.value, far.n_items) == (near.value, near.n_items)
        assert far.interval().se == pytest.approx(near.interval().se, rel=1e-12)
    by_topic = accord.measure(there, by="topic").recommended.by_group().to_dict()
    assert by_topic["rows"] == accord.measure(here, by="topic").recommended.by_group().to_dict()["rows"]


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_crowd_small_tables_are_joined_there(placed: Placed, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address, here = placed(kind), accord.read(EXAMPLE)
    monkeypatch.setattr(lazy_annotations, "CROWD_ROWS", 10)
    monkeypatch.setattr(lazy_annotations, "MOST_NAMED", 2)
    far, near = accord.conger_kappa(accord.read(address, table="answers")), accord.conger_kappa(here)
    assert far.value == pytest.approx(near.value, rel=1e-12)
    assert far.interval().se == pytest.approx(near.interval().se, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_query_gives_the_rows(placed: Placed, kind: str) -> None:
    query = "SELECT item, annotator AS who, label FROM answers WHERE topic = 'hotel';"
    there = accord.read(placed(kind), query=query)
    assert there.n_items == accord.read(EXAMPLE, where={"topic": "hotel"}).n_items
    assert "query of a" in str(there.describe())


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_is_not_there_is_an_error_with_the_nearest(placed: Placed, kind: str) -> None:
    address = placed(kind)
    with pytest.raises(InputError, match=r"no table 'answer'.*it has 'answers'.*table='answers'"):
        accord.read(address, table="answer")
    with pytest.raises(InputError, match=r"holds 'answers'. Say which to read: table='answers'"):
        accord.read(address)
    with pytest.raises(InputError, match="The query was refused"):
        accord.read(address, query="SELECT nothing FROM nowhere")
    with pytest.raises(ColumnMissing, match="Did you mean label='topic'"):
        accord.read(address, table="answers", label="topics")


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_nothing_is_written_into_a_file(placed: Placed, kind: str, tmp_path: Path) -> None:
    address = placed(kind)
    before = hashlib.sha256((tmp_path / "labels.db").read_bytes()).hexdigest()
    study = accord.read(f"{address}?table=answers")
    accord.conger_kappa(study).interval()
    accord.gold(study, method="majority")
    assert hashlib.sha256((tmp_path / "labels.db").read_bytes()).hexdigest() == before
    assert [path.name for path in tmp_path.iterdir()] == ["labels.db"]


def test_a_table_that_is_no_long_one_is_read_as_from_a_file(tmp_path: Path) -> None:
    database = databases.sqlite(tmp_path / "wide.db")
    database.fill("wide", ("item", "ana", "ben"), [("1", "yes", "yes"), ("2", "no", "yes"), ("3", "no", "no")])
    database.close()
    study = accord.read(f"sqlite:{tmp_path / 'wide.db'}", table="wide", shape="wide", annotators=["ana", "ben"])
    assert study.n_annotators == 2
    assert "stay in" not in str(study.describe())


def test_an_engine_without_a_needed_function_is_an_error_with_a_way_out() -> None:
    undefined = type("OperationNotDefinedError", (Exception,), {})
    with (
        pytest.raises(InputError, match=r"lacks a function.*accord.queries.*No translation rule"),
        engine_errors.our_errors(),
    ):
        raise undefined("No translation rule for Median")


# Postgres alone -------------------------------------------------------------------------------------------------------


def test_whoever_may_not_read_is_told_so(placed: Placed, postgres: Connected) -> None:
    address = placed("postgres").replace("postgres@", "guest_one@")
    postgres.connection.execute("CREATE ROLE guest_one LOGIN")
    postgres.connection.commit()
    with pytest.raises(InputError, match=r"you may not read it.*permission denied"):
        accord.read(address, table="answers")
    postgres.connection.execute("GRANT SELECT ON answers TO guest_one")
    postgres.connection.commit()
    assert accord.read(address, table="public.answers").n_items == 60


def test_a_connection_that_breaks_is_an_error_of_ours(placed: Placed, postgres: Connected) -> None:
    study = accord.read(placed("postgres"), table="answers")
    postgres.connection.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with pytest.raises(InputError, match="The database stopped answering"):
        accord.measure(study, by="topic")


def test_a_wrong_password_and_no_server_are_told_without_the_password(
    postgres_socket: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PGPASSWORD", SECRET)
    with pytest.raises(InputError, match="nothing answers there") as none:
        accord.read(f"postgres://ana@/labels?host={tmp_path}&table=answers")
    with pytest.raises(InputError, match="It cannot be opened") as unknown:
        accord.read(f"postgres://nobody_here@/postgres?host={postgres_socket}", table="answers")
    assert SECRET not in f"{none.value} {unknown.value}"


# Addresses ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        f"postgres://ana:{SECRET}@host/labels?table=answers", f"postgresql://host/labels?password={SECRET}",
        f"snowflake://ana@account/labels?token={SECRET}", f"clickhouse://ana:{SECRET}@host/labels",
        f"bigquery://project/data?credentials={SECRET}", f"postgres://[ana:{SECRET}@host/labels",
        f"postgres:ana:{SECRET}@host", f"mysql://ana:{SECRET}@host/labels", f"postgress://ana:{SECRET}@host/labels",
    ],
)  # fmt: skip
def test_an_address_with_a_secret_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(InputError) as refused:
        accord.read(address)
    said = run("measure", address)
    assert said.code == 2
    assert SECRET not in f"{refused.value} {refused.value.to_dict()} {said.out} {said.err}"


def test_what_is_no_address_of_a_database_is_a_path() -> None:
    for path in ("labels.csv", "C:\\labels.csv", Path("a:b.csv"), 3, "-"):
        assert Address.of(path) is None
    assert type(AddressPath.of("labels.csv")) is type(Path())
    assert str(AddressPath.of("postgres:///labels")) == "postgres:///labels"
    assert Address.of("duckdb:///data/labels.db") == Address("duckdb", "/data/labels.db")
    with pytest.raises(InputError, match="looks like postgres://host/database"):
        Address.of("postgres:labels")


def test_secrets_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from accord.warehouses.database import _given_apart

    monkeypatch.setenv("SNOWFLAKE_PASSWORD", SECRET)
    monkeypatch.delenv("TRINO_PASSWORD", raising=False)
    snowflake, trino = Address.of("snowflake://ana@account/labels"), Address.of("trino://host/labels")
    assert snowflake is not None
    assert trino is not None
    assert _given_apart(snowflake) == {"password": SECRET, "create_object_udfs": False}
    assert _given_apart(trino) == {}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"path": "sqlite:none.db"}, "There is no such file"),
        ({"path": f"sqlite:{EXAMPLE}"}, "This is no SQLite database. Name any other file without sqlite: before it"),
        ({"path": "mysql://host/labels?table=a"}, "is no database that accord reads from.*to a file, as CSV or"),
        ({"path": "sqlite:labels.db?tabel=answers"}, "name a file and perhaps a table"),
        ({"path": "duckdb:"}, "no such file|cannot be opened|name the file"),
        ({"path": "duckdb://"}, "name the file of the database"),
        ({"path": ["duckdb:labels.db", "more.csv"]}, "read by itself"),
        ({"path": str(EXAMPLE), "table": "answers"}, "is about databases"),
        ({"path": str(EXAMPLE), "query": "SELECT 1"}, "is about databases"),
        ({"path": "duckdb:labels.db?table=a", "table": "b"}, "Say once which rows"),
        ({"path": "duckdb:labels.db", "sheet": "one"}, "does not use sheet='one'"),
        ({"path": "duckdb:labels.db", "format": "brat"}, "is about files"),
        ({"path": "duckdb:labels.db", "item": ["a", "b"]}, "item must be one column"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_an_error(options: dict[str, Any], said: str) -> None:
    with pytest.raises((FileError, InputError, OptionError), match=said):
        accord.read(options.pop("path"), **options)


def test_a_database_of_another_kind_is_called_by_its_name(tmp_path: Path) -> None:
    database = databases.sqlite(tmp_path / "labels.db")
    database.fill("answers", COLUMNS, [])
    database.close()
    with pytest.raises(FileError, match=r"it is one of SQLite\. Say sqlite:labels\.db instead"):
        accord.read(f"duckdb:{tmp_path / 'labels.db'}", table="answers")


def test_a_driver_that_is_missing_is_named_with_what_to_install() -> None:
    with pytest.raises(ExtraMissing, match=r'pip install "accord\[warehouse\]" "ibis-framework\[bigquery\]"'):
        accord.read("bigquery://project/data", table="answers")


# The command ----------------------------------------------------------------------------------------------------------


def test_the_command_measures_a_table_and_a_query(placed: Placed, tmp_path: Path) -> None:
    placed("sqlite")
    (tmp_path / "hotels.sql").write_text("SELECT * FROM answers WHERE topic = 'hotel'", encoding="utf-8")
    said = run("measure", "sqlite:labels.db", "--table", "answers", folder=tmp_path)
    assert "table 'answers' of a SQLite database" in said.out
    assert "0.603" in said.out
    said = run("measure", "sqlite:labels.db", "--query", "hotels.sql", folder=tmp_path)
    assert "Study of 15 items" in said.out
    assert "Say which to read: --table answers." in run("measure", "sqlite:labels.db", folder=tmp_path).err
    assert "no file 'none.sql'" in run("measure", "sqlite:labels.db", "--query", "none.sql", folder=tmp_path).err


def test_the_doctor_looks_at_a_table_of_a_database(placed: Placed, tmp_path: Path) -> None:
    placed("sqlite")
    said = run("doctor", "sqlite:labels.db", "--table", "answers", folder=tmp_path)
    assert said.out.startswith("labels.db: table 'answers' of a SQLite database")
    assert "the annotator" in said.out
    said = run("doctor", "sqlite:labels.db", folder=tmp_path)
    assert (said.code, "--table answers" in said.err) == (2, True)


def test_settings_lie_beside_the_file_of_a_database(placed: Placed, tmp_path: Path) -> None:
    placed("sqlite")
    (tmp_path / "accord.toml").write_text("[read]\ntable = 'answers'\n", encoding="utf-8")
    assert run("measure", "sqlite:labels.db", folder=tmp_path).code == 0

"""A Postgres server for as long as the tests run, and an empty database in it for each test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.warehouses.databases import Connected
from tests.warehouses.postgres_server import PORT, programs, server

NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def postgres_socket() -> Iterator[Path]:
    """The folder of its socket; without Postgres a test is skipped, with CI=true too: not all may install it."""
    pytest.importorskip("psycopg", reason="psycopg is not installed", exc_type=ImportError)
    found = programs()
    if found is None:
        pytest.skip("no Postgres: apt-get install postgresql")
    with server(found) as folder:
        yield folder


@pytest.fixture
def postgres_name(postgres_socket: Path) -> str:
    """The name of a new database."""
    import psycopg

    name = f"test_{next(NUMBERS)}"
    with psycopg.connect(host=str(postgres_socket), port=PORT, user="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return name


@pytest.fixture
def postgres(postgres_socket: Path, postgres_name: str) -> Iterator[Connected]:
    """That database."""
    import psycopg

    connection = psycopg.connect(host=str(postgres_socket), port=PORT, user="postgres", dbname=postgres_name)
    found = Connected("postgres", connection, mark="%s")
    yield found
    found.close()

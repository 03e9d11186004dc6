"""Sample studies by name: ours are as they are described, public ones come whole from a server or not at all."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

import accord
from accord.datasets import fetching, loading
from accord.datasets.own_studies import OWN
from accord.datasets.public_studies import PUBLIC
from accord.errors import FileError, OptionError
from tests import shared

CONTENT = b"item,annotator,label\n1,ana,a\n1,ben,a\n2,ana,b\n2,ben,a\n"
SAMPLE = accord.datasets.Dataset(
    name="sample", says="two items", answers="single", items=2, annotators=2, file="sample.csv", licence="CC-BY-4.0",
    citation="Nobody 2026", url="set by a test", sha256=hashlib.sha256(CONTENT).hexdigest(), size=len(CONTENT),
)  # fmt: skip


@dataclass
class Served:
    """A server on this machine, what it answers, and what it was asked for."""

    url: str = ""
    content: bytes = CONTENT
    status: int = 200
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    told = Served()

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append(self.path)
            self.send_response(told.status)
            self.send_header("Content-Length", str(len(told.content)))
            self.end_headers()
            self.wfile.write(told.content)

        def log_message(self, *said: object) -> None:
            """A test that passes says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        told.url = f"http://127.0.0.1:{server.server_port}/sample.csv"
        monkeypatch.setattr(loading, "PUBLIC", (replace(SAMPLE, url=told.url),))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        yield told
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("known", OWN, ids=lambda known: str(known.name))
def test_a_study_of_ours_is_as_it_is_described(known: accord.datasets.Dataset) -> None:
    study = accord.datasets.load(known.name)
    one = next(iter(study.tasks.values()), study)
    kind = "preference" if one.compares else one.kind
    assert (one.n_items, len(one.annotators), kind) == (known.items, known.annotators, known.answers)


def test_every_shipped_file_has_a_name() -> None:
    assert {one.file for one in OWN} == {file.name for file in loading.SHIPPED.iterdir()}


def test_the_table_lists_every_study_and_fetches_nothing(served: Served) -> None:
    table = accord.datasets.available()
    assert list(table["name"]) == [*(one.name for one in OWN), "sample"]
    assert set(table["from"]) == {"accord", "fetched, 0.0 MB"}
    assert served.asked == []


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(OptionError, match="Did you mean 'emotions'") as caught:
        accord.datasets.load("emotion")
    assert "presto-types" in caught.value.available
    with pytest.raises(OptionError, match="name must be one of"):
        accord.datasets.load(["emotions"])  # type: ignore[arg-type]


def test_a_public_study_is_fetched_once_and_tells_its_licence(served: Served, tmp_path: Path) -> None:
    study = accord.datasets.load("sample", folder=tmp_path / "new")
    assert (study.n_items, served.asked) == (2, ["/sample.csv"])
    assert "sample: under CC-BY-4.0; to cite: Nobody 2026" in study.notes
    again = accord.datasets.path("sample", folder=tmp_path / "new")
    assert (again.read_bytes(), len(served.asked)) == (CONTENT, 1)


def test_a_copy_that_is_damaged_is_fetched_again(served: Served, tmp_path: Path) -> None:
    (tmp_path / "sample.csv").write_bytes(CONTENT[:-5])
    assert accord.datasets.path("sample", folder=tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("sent", [CONTENT[:-1], CONTENT + b"3,ana,b\n", b"", CONTENT.replace(b"ben", b"cem")])
def test_what_is_not_the_file_that_is_meant_is_refused_and_not_kept(
    served: Served, tmp_path: Path, sent: bytes
) -> None:
    served.content = sent
    with pytest.raises(FileError, match="is not the file that accord knows: its sha256 is") as caught:
        accord.datasets.load("sample", folder=tmp_path)
    assert SAMPLE.sha256 in str(caught.value)
    assert str(tmp_path / "sample.csv") in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_answer_of_the_server_that_is_no_file_is_said(served: Served, tmp_path: Path) -> None:
    served.status = 404
    with pytest.raises(FileError, match=r"^sample\.csv: It cannot be fetched from http.*: Not Found\. Try again"):
        accord.datasets.load("sample", folder=tmp_path)


def test_without_a_connection_the_place_for_a_copy_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with socket.socket() as held:  # a port that is taken, and where nobody listens
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/sample.csv"
        monkeypatch.setattr(loading, "PUBLIC", (replace(SAMPLE, url=url),))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with pytest.raises(FileError, match="cannot be fetched") as caught:
            accord.datasets.load("sample", folder=tmp_path)
    assert str(tmp_path / "sample.csv") in str(caught.value)
    (tmp_path / "sample.csv").write_bytes(CONTENT)
    assert accord.datasets.load("sample", folder=tmp_path).n_items == 2


def test_a_folder_that_cannot_be_made_is_an_error(served: Served, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FileError, match="The folder for fetched files cannot be made"):
        accord.datasets.load("sample", folder=tmp_path / "file" / "below")


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/accord"),
        ("linux", {}, "/me/.cache/accord"),
        ("darwin", {}, "/me/Library/Caches/accord"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/accord/cache"),
        ("win32", {}, "/me/AppData/Local/accord/cache"),
        ("linux", {"ACCORD_CACHE": "/said", "XDG_CACHE_HOME": "/x"}, "/said"),
    ],
)
def test_the_cache_lies_where_the_system_keeps_caches(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], folder: str
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "ACCORD_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/me"))
    assert fetching.cache_folder() == Path(folder)


@pytest.mark.parametrize("known", PUBLIC, ids=lambda known: str(known.name))
def test_a_public_study_says_whose_it_is_and_where_it_is_from(known: accord.datasets.Dataset) -> None:
    assert known.public
    assert known.url.startswith("https://")
    assert known.url.endswith(known.file)
    assert known.citation
    assert known.citation in str(accord.datasets.about(known.name))


ORIGINALS = {
    "presto-distortion": "presto_distortion",
    "presto-types": "presto_types",
    "alice-names": "novels_ner_doccano",
}


@pytest.mark.shared
@pytest.mark.parametrize("known", PUBLIC, ids=lambda known: str(known.name))
def test_a_public_study_is_as_it_is_described(known: accord.datasets.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("urllib.request.urlopen")  # a copy with the right digest is taken as it is
    folder = shared.DATA / ORIGINALS[known.name] / "original"
    study = accord.datasets.load(known.name, folder=folder)
    assert (study.n_items, len(study.annotators), study.kind) == (known.items, known.annotators, known.answers)
    assert (folder / known.file).stat().st_size == known.size

"""`accord serve`: it opens, says where, keeps what is decided, ends when it is asked to; and what it refuses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest import mock

import pytest

from accord.workbench import server
from tests.command.running import DATA, PROGRAM, TINY, run


@pytest.mark.slow
def test_the_command_serves_until_it_is_ended(tmp_path: Path) -> None:
    shutil.copy(DATA / TINY, tmp_path / TINY)
    given = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [*PROGRAM, "serve", TINY, "--no-browser", "--port", "0", "--name", "ana"],
        cwd=tmp_path, env=given, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/enter\?token=\S+", process.stdout.readline())
        assert found is not None
        with urllib.request.urlopen(found[0]) as answer:
            assert b"Welcome, ana" in answer.read()
        process.terminate()
        assert process.wait() == 143
    assert (tmp_path / "tiny.decisions.sqlite").is_file()
    assert not (tmp_path / "tiny.decisions.sqlite.serving").exists()


def served(folder: Path, *options: str) -> tuple[str, str]:
    """What the command prints; it ends as soon as it is open, and no browser opens."""
    with (
        mock.patch.object(server.Workbench, "wait", autospec=True),
        mock.patch("webbrowser.open") as opened,
    ):
        said = run("serve", TINY, "--port", "0", *options, folder=folder)
    assert said.code == 0, said.err
    assert opened.call_count == ("--no-browser" not in options)
    return said.out, said.err


def test_it_says_where_it_is_and_where_decisions_are_kept(tmp_path: Path) -> None:
    shutil.copy(DATA / TINY, tmp_path / TINY)
    out, err = served(tmp_path, "--decisions", "mine.sqlite")
    assert "The workbench is open: http://127.0.0.1:" in out
    assert "Decisions are kept in mine.sqlite" in out
    assert err == ""
    assert served(tmp_path, "--no-browser", "--quiet")[0] == ""


def test_letting_others_in_without_tls_says_the_risk(tmp_path: Path) -> None:
    shutil.copy(DATA / TINY, tmp_path / TINY)
    _, err = served(tmp_path, "--host", "0.0.0.0", "--no-browser")
    assert "nothing is encrypted" in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--order", "best"), "--order must be one of"),
        (("--port", "70000"), "--port must be at most 65535"),
        (("--certificate", "a.pem"), "TLS takes both --certificate and --key"),
        (("--cost", "yes=3"), "--cost must be TRUE,GIVEN=COST"),
        (("--name", ""), "--name must be a name"),
    ],
)
def test_what_it_cannot_do_is_said_in_its_own_options(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    shutil.copy(DATA / TINY, tmp_path / TINY)
    said = run("serve", TINY, "--no-browser", *options, folder=tmp_path)
    assert said.code == 2
    assert words in said.err


def test_what_cannot_be_decided_leaves_no_file(tmp_path: Path) -> None:
    rows = [f"{item},{who},{task},{who}" for item in (1, 2) for who in "ab" for task in "xy"]
    (tmp_path / "two.csv").write_text("\n".join(["item,annotator,task,label", *rows]))
    said = run("serve", "two.csv", "--task", "task", "--no-browser", folder=tmp_path)
    assert said.code == 2
    assert "--only x" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["two.csv"]


def test_two_servers_on_one_file_the_second_says_who_has_it(tmp_path: Path) -> None:
    shutil.copy(DATA / TINY, tmp_path / TINY)
    program = (
        "import accord, sys; study = accord.read('tiny.csv'); "
        "workbench = accord.serve(study, decisions='tiny.decisions.sqlite', port=0, "
        "open_browser=False); print(workbench.url, flush=True); sys.stdin.read(); workbench.close()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        url = other.stdout.readline().partition("/enter")[0]
        said = run("serve", TINY, "--no-browser", folder=tmp_path)
        other.communicate("")
    assert said.code == 2
    assert f"process {other.pid}" in said.err
    assert url in said.err
    assert "--decisions" in said.err

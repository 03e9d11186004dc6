"""Ctrl-C and SIGTERM at any moment: an exit code that says so, no traceback, no half file."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

import accord.consensus.em
import accord.measures.measure_all
import accord.study.write
from tests.command.running import TINY, run

# sends itself the signal as soon as the command asks for a module
WHILE_LOADING = """
import sys
class Interrupts:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            import _signal
            _signal.raise_signal(_signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
sys.modules.pop("signal", None)
from accord.cli import main
main()
"""

# what is loaded before the first line of the command runs, beyond what Ctrl-C is taken care of with
BEFORE_ALL = """
import signal, sys
before = {*sys.modules}
from accord.cli import main
print(*sorted({*sys.modules} - before))
"""


@pytest.fixture(autouse=True)
def in_the_foreground() -> Iterator[None]:
    """Ctrl-C works as in a terminal, even where the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("module", ["signal", "accord.cli.program", "typer"])
def test_ctrl_c_while_the_command_is_loaded_ends_it_quietly(module: str) -> None:
    line = [sys.executable, "-c", WHILE_LOADING, module]
    done = subprocess.run(line, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_nothing_is_loaded_before_ctrl_c_is_taken_care_of() -> None:
    done = subprocess.run([sys.executable, "-c", BEFORE_ALL], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["accord", "accord.cli"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_the_command_works_ends_it_quietly(
    number: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.getsignal(number)
    monkeypatch.setattr(accord.measures.measure_all, "measure", lambda *_, **__: signal.raise_signal(number))
    said = run("measure", TINY)
    assert (said.code, said.out, said.err) == (code, "", "")
    assert signal.getsignal(number) == before, "what was there before is put back"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_that_falls_where_python_loses_it_ends_the_command_all_the_same(
    number: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgets(*_: object, **__: object) -> None:
        held = {1}
        what = weakref.ref(held, lambda _: signal.raise_signal(number))
        del held
        assert what() is None
        for _moment in range(1000):  # the work goes on: whatever is raised within such a function goes nowhere
            time.sleep(0.01)

    monkeypatch.setattr(accord.measures.measure_all, "measure", forgets)
    said = run("measure", TINY)
    assert (said.code, said.out, said.err) == (code, "", "")


class _Signals:
    """An attribute that sends a signal while its class is made; until Python 3.12 it comes out as a RuntimeError."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __set_name__(self, _: type, __: str) -> None:
        signal.raise_signal(self.number)


def _makes_a_class(number: int) -> None:
    type("Made", (), {"signals": _Signals(number)})


def _takes_it_for_its_own(number: int) -> None:
    try:
        signal.raise_signal(number)
    except (KeyboardInterrupt, SystemExit):
        raise ValueError("something is wrong with this library") from None


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("work", [_makes_a_class, _takes_it_for_its_own])
def test_a_signal_that_comes_out_as_another_error_ends_the_command_all_the_same(
    work: Callable[[int], None], number: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accord.measures.measure_all, "measure", lambda *_, **__: work(number))
    said = run("measure", TINY)
    assert (said.code, said.out, said.err) == (code, "", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_a_file_is_written_leaves_the_old_one(
    number: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "long.csv"
    target.write_text("old", encoding="utf-8")

    def half_written(_: object, path: Path, **__: object) -> None:
        path.write_text("half", encoding="utf-8")
        signal.raise_signal(number)

    monkeypatch.setattr(accord.study.write, "_delimited", half_written)
    assert run("convert", TINY, "-o", str(target), "--force").code == code
    assert [path.name for path in tmp_path.iterdir()] == ["long.csv"]
    assert target.read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_a_model_is_learned_loses_nothing(
    number: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pl.read_csv(Path(__file__).parent / "data" / TINY).write_parquet(tmp_path / "parts.parquet")
    folder = tmp_path / "rows"  # a folder of parts stays where it is, and its model is kept beside the gold
    folder.mkdir()
    (tmp_path / "parts.parquet").rename(folder / "part-0.parquet")
    words = ("gold", str(folder), "--method", "dawid-skene", "-o", str(tmp_path / "gold.csv"))
    steps: list[int] = []
    climb = accord.consensus.em.evidence_of

    def interrupted(*given: object) -> object:
        steps.append(1)
        if len(steps) == 4:
            signal.raise_signal(number)
        return climb(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(accord.consensus.em, "evidence_of", interrupted)
    said = run(*words)
    kept = tmp_path / "gold.csv.checkpoint"
    assert said.code == code
    assert said.err == f"What was learned is in {kept}; the same command goes on from there.\n"
    assert kept.exists()
    assert not (tmp_path / "gold.csv").exists()
    again = run(*words)
    assert again.code == 0
    assert (tmp_path / "gold.csv").exists()
    assert not kept.exists(), "once the labels are written nothing is left beside them"
    monkeypatch.undo()
    whole = run(*words[:-1], str(tmp_path / "whole.csv"))
    assert again.out.replace("gold.csv", "whole.csv") == whole.out
    assert (tmp_path / "gold.csv").read_text("utf-8") == (tmp_path / "whole.csv").read_text("utf-8")

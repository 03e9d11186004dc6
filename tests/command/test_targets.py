"""What a command may write over."""

import os
from pathlib import Path

import pytest

from accord.cli.targets import check_target, same_file
from accord.errors import InputError


def test_a_new_file_may_be_written(tmp_path: Path) -> None:
    check_target(tmp_path / "new.csv", force=False, sources=[tmp_path / "x.csv"])


def test_an_existing_file_is_refused_unless_forced(tmp_path: Path) -> None:
    there = tmp_path / "gold.csv"
    there.write_text("work", encoding="utf-8")
    with pytest.raises(InputError, match=r"exists already.*force"):
        check_target(there, force=False, sources=[])
    check_target(there, force=True, sources=[])


def test_what_is_read_is_refused_by_any_of_its_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "x.csv"
    source.write_text("item,label\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in (Path("x.csv"), Path("./x.csv"), source):
        with pytest.raises(InputError, match=r"is read here.*force"):
            check_target(name, force=False, sources=[source])
    assert same_file(Path("not-there.csv"), tmp_path / "not-there.csv")


def test_the_standard_output_holds_nothing_to_lose_and_a_device_or_a_folder_is_no_file(tmp_path: Path) -> None:
    check_target(Path("-"), force=False, sources=[])
    for force in (False, True):
        with pytest.raises(InputError, match="it is a pipe or a device, whose place a file would take"):
            check_target(Path(os.devnull), force=force, sources=[])
    with pytest.raises(InputError, match="is a folder"):
        check_target(tmp_path, force=False, sources=[])

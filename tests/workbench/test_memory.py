"""Memory that nobody uses any more goes back to the system, and answers are not copied where nothing is left out."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import accord
from accord.reporting.item_query import ItemQuery
from accord.workbench.freed_memory import LARGE, given_back, kept_small
from accord.workbench.items_behind import narrowed
from accord.workbench.live_report import LiveReport, unnamed

MEGABYTES = 2**20


def held() -> int:
    """Bytes that this process holds now."""
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text("utf-8"))
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked for it")
def test_what_was_freed_goes_back_to_the_system() -> None:
    kept = [np.ones(8_000) for _ in range(2_000)]  # 128 MB in pieces that the C library keeps for itself
    full = held()
    del kept[::2]  # holes, since what is between them is still in use
    assert full - held() < 10 * MEGABYTES
    assert given_back(LARGE)
    assert full - held() > 40 * MEGABYTES


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked for it")
def test_a_process_of_ours_keeps_less() -> None:
    """In a process of its own: what is chosen holds until it ends."""
    said = "from accord.workbench.freed_memory import kept_small; print(kept_small())"
    assert subprocess.run([sys.executable, "-c", said], capture_output=True, check=True, text=True).stdout == "True\n"


def test_where_the_c_library_is_another_nothing_is_asked_of_it() -> None:
    with mock.patch.object(platform, "libc_ver", return_value=("", "")):
        assert (given_back(LARGE), kept_small()) == (False, False)


def test_small_studies_are_not_worth_it() -> None:
    assert not given_back(LARGE - 1)


def test_a_filter_that_leaves_nothing_out_copies_nothing() -> None:
    rows = [{"item": item, "annotator": who, "label": "xy"[item % 2]} for item in range(6) for who in "abc"]
    study = accord.Study(rows)
    shown = unnamed(study)
    assert shown._annotations.rows is study._annotations.rows, "other names, the same answers"
    live = LiveReport(shown, lambda query: f"items?{query.address}")
    asked = ItemQuery(agree="yes")
    index = live.index(asked)
    assert narrowed(index, asked, index.find(asked)) is index.study
    some = ItemQuery(labels=("x",))
    assert narrowed(index, some, index.find(some)).n_annotations == 9

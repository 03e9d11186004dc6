"""What every test shares: hypothesis profiles, and no quiet skips in continuous integration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

CI = os.environ.get("CI") == "true"
REQUIRED = ("engine", "browser")

# Generators of stored values import packages that live in environments of their own.
collect_ignore_glob = ["*/make_*.py"]

# In CI the same examples every time; elsewhere new ones, and those that failed are kept and tried first.
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ci" if CI else "local")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With CI=true, a test marked `engine` or `browser` that was skipped has failed."""
    report = yield
    marks = [mark for mark in REQUIRED if item.get_closest_marker(mark)]
    if CI and marks and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"a test marked {marks[0]!r} must run when CI=true, but: {_reason(report)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """With CI=true, a file that skips itself whole has failed: its tests' marks were never read."""
    report = yield
    if CI and report.skipped and isinstance(collector, pytest.Module):
        report.outcome = "failed"
        report.longrepr = f"{collector.path.name} must not skip itself when CI=true: {_reason(report)}"
    return report


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else report.longreprtext

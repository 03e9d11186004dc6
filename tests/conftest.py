"""What every test shares: hypothesis profiles, a browser, no quiet skips, and who may run beside whom."""

from __future__ import annotations

import gc
import os
import shutil
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from tests import durations, shared

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

CI = os.environ.get("CI") == "true"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
    # Each window would load the popup of an address line that nobody sees, and start a process that nobody needs.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,PaintHolding,MediaRouter",
]  # fmt: skip
REQUIRED = ("engine", "browser")
READ_SOURCE = (
    "surface/test_engines_behind_a_protocol.py", "surface/test_error_grammar.py", "surface/test_imports.py",
    "surface/test_layers.py", "surface/test_table_columns.py", "surface/test_waist.py",
)  # fmt: skip
EXAMPLES = int(os.environ.get("EXAMPLES", "25"))  # on which a law is tried, unless it says otherwise

# Generators of stored values import packages that live in environments of their own.
collect_ignore_glob = ["*/make_*.py"]

# In CI the same examples every time; elsewhere new ones, and those that failed are kept and tried first.
hypothesis.settings.register_profile("local", deadline=None, max_examples=EXAMPLES)
hypothesis.settings.register_profile(
    "ci",
    deadline=None,
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ci" if CI else "local")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium, driven by Playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("playwright is not installed")
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def few_planted_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a gamma means is read off a few errors: for tests of what stands around it, not of its digits."""
    from accord.findings import gamma_scale
    from accord.spans import planted_errors

    monkeypatch.setattr(gamma_scale, "PRECISION", 0.5)
    monkeypatch.setattr(planted_errors, "ENOUGH", 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """On several cores a file keeps to one process, which draws what its tests share once; so does all of Spark."""
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False  # the workers have put the longest first
    scheduler = LoadScopeScheduling(config, log)
    scheduler._split_scope = _together
    return scheduler


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than there are cores: some tests wait for a browser, a server or Java."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays to the end: no search for circles of references need go through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is known to take long is `slow`; on several cores it comes first, so that no core waits at the end."""
    for item in items:
        if durations.of(item.nodeid) > durations.SLOW:
            item.add_marker("slow")
    if hasattr(config, "workerinput"):
        taken: defaultdict[str, float] = defaultdict(float)
        for item in items:
            taken[_together(item.nodeid)] += durations.of(item.nodeid)
        items.sort(key=lambda item: -taken[_together(item.nodeid)])


def _together(test: str) -> str:
    """What is run by one process: the tests of a file, all of Spark, and whatever reads the source, parsed once."""
    file = test.partition("::")[0]
    if "/engines/" in test and "spark" in test:
        return "spark"
    return "source" if file.endswith(READ_SOURCE) else file


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test marked `shared` is skipped where the data are not."""
    if item.get_closest_marker("shared") and not shared.is_here():
        pytest.skip(shared.ABSENT)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tests that went without their data are counted and named at the end of the run."""
    skipped = [report for report in terminalreporter.stats.get("skipped", ()) if shared.ABSENT in str(report.longrepr)]
    files = Counter(report.nodeid.partition("::")[0] for report in skipped)
    if os.environ.get("STORE_DURATIONS"):
        durations.store(report for found in terminalreporter.stats.values() for report in found)
    if files:
        names = ", ".join(f"{name} ({number})" for name, number in sorted(files.items()))
        terminalreporter.write_line(f"{len(skipped)} tests need ../shared, which is not here: {names}", yellow=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With CI=true, a test that was skipped has failed if it is marked `engine` or `browser`, or lacks a package."""
    report = yield
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        why = [f"marked {mark!r}" for mark in REQUIRED if item.get_closest_marker(mark)]
        why += ["that asks for a package"] if _lacked_a_package(call) else []
        if why:
            report.outcome = "failed"
            report.longrepr = f"a test {why[0]} must run when CI=true, but: {_reason(report)}"
    return report


def _lacked_a_package(call: pytest.CallInfo[None]) -> bool:
    """Was it `pytest.importorskip` that skipped, in the test or in a fixture?"""
    return call.excinfo is not None and any(entry.name == "importorskip" for entry in call.excinfo.traceback)


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

"""What a user sees at the prompt and in a notebook: value and interval, never a raw dataclass."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.agreement.table import Table
from accord.errors import InputError
from accord.options import Shown

FRAME: dict[str, list[Any]] = {
    "item": [place // 3 for place in range(60)],
    "annotator": ["ana", "ben", "cem"] * 20,
    "label": [*"aababbaabbbb", *"aaabbbaababb", *"abaabbaaabba", *"bbbaaabbabab", *"ababaabbbaba"],
    "language": ["de"] * 30 + ["fr"] * 30,
}


def shown() -> dict[str, Any]:
    """One of everything that comes back."""
    study = accord.Study(FRAME)
    kappa = accord.fleiss_kappa(study)
    return {
        "study": study,
        "agreement": kappa,
        "groups": accord.fleiss_kappa(study, by="language"),
        "measurements": accord.measure(study),
        "interval": kappa.interval(),
        "test": kappa.test(),
        "interpretation": kappa.interpret(),
        "comparison": accord.compare(kappa, accord.gwet_ac(study)),
        "description": study.describe(),
        "findings": accord.explain(study),
        "finding": accord.explain(study)[0],
        "gold": accord.gold(study, method="majority"),
        "plan": accord.plan(study, width=0.4, n_simulations=100, rng=0),
        "evaluation": accord.judge.evaluate("cem", study),
        "alternative annotator test": accord.judge.alt_test(
            accord.Study.from_wide(
                {"ana": [*"aabb" * 8], "ben": [*"aabb" * 8], "cem": [*"abbb" * 8], "gpt": [*"aabb" * 8]}
            ),
            model="gpt",
        ),
        "table": kappa.by_annotator(),
    }


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return shown()


def test_everything_that_comes_back_shows_itself(results: dict[str, Any]) -> None:
    for name, result in results.items():
        html, text = result._repr_html_(), repr(result)
        assert html.startswith("<"), name
        assert "object at 0x" not in text, name
        assert not text.startswith(f"{type(result).__name__}("), f"{name} is shown as a raw dataclass"
        assert html.count("<p") == html.count("</p>"), name
        assert html.count("<table") == html.count("</table>"), name


def test_a_value_is_shown_with_its_interval(results: dict[str, Any]) -> None:
    low, high = results["agreement"].interval()
    for name in ("agreement", "measurements"):
        assert f"95% interval [{low:.3f}, {high:.3f}]" in results[name]._repr_html_()
    assert f"95% interval [{low:.3f}, {high:.3f}]" in repr(results["agreement"])
    assert f"[{low:.3f}, {high:.3f}]" in repr(results["interval"])
    assert "difference" in repr(results["comparison"])
    assert repr(results["test"]).startswith("p = ")


def test_a_study_in_a_notebook_says_what_was_read(results: dict[str, Any]) -> None:
    html = results["study"]._repr_html_()
    assert "Study of 20 items by 3 annotators" in html
    assert "left out: nothing" in html


def test_no_result_class_has_a_raw_repr() -> None:
    """Every class with `to_dict` and `__str__` takes its repr from its text."""
    raw = []
    for room in ("agreement", "consensus", "findings", "judge", "planning", "study"):
        package = importlib.import_module(f"accord.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"accord.{room}."):
            module = importlib.import_module(found.name)
            for name, one in vars(module).items():
                mine = isinstance(one, type) and one.__module__ == found.name and is_dataclass(one)
                if not mine or "__str__" not in {method for kind in one.__mro__[:-1] for method in vars(kind)}:
                    continue
                if not hasattr(one, "_repr_html_") or "dataclass" in getattr(one.__repr__, "__qualname__", ""):
                    raw.append(name)
                if issubclass(one, Shown) and one.__repr__ is not Shown.__repr__:
                    raw.append(name)
    assert raw == []


# -- tables to take away -------------------------------------------------------------------------------------------

TABLE = Table("Shares & more", {"label": ["yes_1", "no"], "share": [0.75, 0.25], "note": ["", ""]})


def test_a_table_becomes_csv_markdown_and_latex(tmp_path: Path) -> None:
    assert TABLE.to_csv() == "label,share,note\nyes_1,0.75,\nno,0.25,\n"
    assert "| yes\\_1 | 0.750 |" in TABLE.to_markdown()
    assert "note" not in TABLE.to_markdown(), "columns that hold nothing are left out"
    assert "yes\\_1 & 0.750 \\\\" in TABLE.to_latex()
    assert "\\caption{Shares \\& more}" in TABLE.to_latex()
    for write, ending in ((TABLE.to_csv, "csv"), (TABLE.to_markdown, "md"), (TABLE.to_latex, "tex")):
        path = tmp_path / f"table.{ending}"
        assert write(path) == path.read_text(encoding="utf-8")


def test_a_table_is_not_written_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        TABLE.to_csv(tmp_path / "nowhere" / "table.csv")
    assert not (tmp_path / "nowhere").exists()

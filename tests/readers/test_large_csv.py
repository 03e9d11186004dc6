"""A large CSV is the study that the same rows are in a small one, whether its texts are held as numbers or not."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.readers import delimited, large_csv

ROWS = [(item, who, "yes" if (item + who) % 3 else "no") for item in range(40) for who in range(3)]
PLAIN = ["item,annotator,label", *(f"{item},a{who},{label}" for item, who, label in ROWS)]


def both(path: Path, monkeypatch: pytest.MonkeyPatch, few: int = 100) -> tuple[accord.Study, accord.Study]:
    """The study row by row, and through Polars, where columns of up to so many texts are held as numbers."""
    small = accord.read(path)
    monkeypatch.setattr(delimited, "SMALL", 0)
    monkeypatch.setattr(large_csv, "FEW", few)
    monkeypatch.setattr(large_csv, "GROWTH", 1.7 if few else 0.0)
    return small, accord.read(path)


@pytest.mark.parametrize("few", [100, 0])
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {5: "1,a1,"},
        {5: "1,a1,  ", 9: "2,,no", 12: ",a2,no"},
        {5: "1,a1,\u2003", 7: "2,\u00e4,no"},
        {5: '1,a1,"yes"'},
        {5: "1,a1,'yes'"},
        {5: "1,a1,ye's"},
    ],
    ids=["nothing odd", "missing", "blanks", "blanks beyond ASCII", "quotes", "single quotes", "an apostrophe"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_the_same_rows_are_the_same_study(
    changed: dict[int, str], end: str, few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.csv"
    lines = [changed.get(number, line) for number, line in enumerate(PLAIN)]
    path.write_bytes("".join(line + end for line in lines).encode())
    small, large = both(path, monkeypatch, few)
    assert large.labels == small.labels
    assert large.annotators == small.annotators
    assert dict(large.left_out) == dict(small.left_out)
    assert accord.fleiss_kappa(large).to_dict() == accord.fleiss_kappa(small).to_dict()


def test_numbers_with_a_decimal_comma_are_told_of_columns_held_as_numbers_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.csv"
    path.write_text("item;annotator;label\n" + "".join(f"{item};a{who};{who},5\n" for item, who, _ in ROWS))
    small, large = both(path, monkeypatch)
    assert large.labels == small.labels == (0.5, 1.5, 2.5)
    assert large.notes == small.notes


def test_a_mark_at_the_edge_of_a_block_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    lines = [*PLAIN[:-1], "39,a2,'no'"]
    path.write_text("\n".join(lines) + "\n")
    for size in range(2, 9):
        monkeypatch.setattr(large_csv, "AT_ONCE", size)
        small, large = both(path, monkeypatch)
        assert large.labels == small.labels
        monkeypatch.undo()


def test_texts_of_few_kinds_are_held_as_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    path.write_text(
        "item,annotator,label\n" + "".join(f"text {item},a{who},{label}\n" for item, who, label in ROWS * 40)
    )
    monkeypatch.setattr(delimited, "SMALL", 0)
    monkeypatch.setattr(large_csv, "FEW", 10)
    study = accord.read(path, duplicates="repeat")
    kinds = study._annotations.table._frame.to_native().schema  # type: ignore[union-attr]
    assert str(kinds["label"]).startswith("Categorical")
    assert study.n_items == 40

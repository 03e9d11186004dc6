"""Short plain texts of a pandas frame are coded as numbers: the codes are those of any other way."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

from accord.annotations.factorize import code
from accord.engine import short_texts
from accord.engine.short_texts import coded_short_texts

pytest.importorskip("pyarrow")


def column(texts: list[Any]) -> pd.Series[str]:
    """As pandas holds text with Arrow."""
    return pd.Series(texts, dtype=pd.StringDtype("pyarrow", na_value=np.nan))


@pytest.mark.parametrize("spread", [short_texts.SPREAD, 0], ids=["by a table", "by hashing"])
@pytest.mark.parametrize(
    "texts",
    [
        [f"t{number}" for number in range(500)] * 3,
        ["b", "a", "ab", "aa", "b", "~~~~~~~~", "!"],
        ["same"] * 5,
        [f"{number:08x}" for number in range(0, 2**32, 2**25)],
    ],
    ids=["counted", "of every length", "one", "far apart"],
)
def test_codes_and_texts_are_those_of_a_list(texts: list[str], spread: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(short_texts, "SPREAD", spread)
    mixed = random.Random(1).sample(texts, len(texts))
    found, known = coded_short_texts(column(mixed)), code(mixed)
    assert found is not None
    assert found.values == known.values
    assert found.codes.tolist() == known.codes.tolist()


def test_a_part_of_a_column_and_several_pieces_are_read_as_they_stand() -> None:
    texts = [f"w{number % 37}" for number in range(200)]
    part = column(texts)[13:120]
    whole: pd.Series[str] = pd.concat([column(texts), part])
    for found, cells in ((coded_short_texts(part), texts[13:120]), (coded_short_texts(whole), texts + texts[13:120])):
        known = code(cells)
        assert found is not None
        assert (found.values, found.codes.tolist()) == (known.values, known.codes.tolist())


@pytest.mark.parametrize("odd", [None, "", " ", "a b", "é", "ninechars", "\x7f", "a\x00"])
def test_whatever_is_missing_long_or_not_plain_goes_another_way(odd: str | None) -> None:
    assert coded_short_texts(column(["a", odd])) is None

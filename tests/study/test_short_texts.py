"""Short plain texts of a pandas frame are coded as numbers: the codes are those of any other way."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from accord.annotations.factorize import code
from accord.engine import short_texts
from accord.engine.short_texts import coded_short_texts


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


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten texts a block, of which two are looked at first, and three blocks a thread."""
    for name, size in {"BLOCK": 10, "SERIES": 30, "SAMPLE": 2}.items():
        monkeypatch.setattr(short_texts, name, size)


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize(
    "odd",
    ["t1", "t", "t1000", "u7", "t-1", "9", "Yes", "t7~~~~~~"],
    ids=["likely", "shorter", "longer", "another letter", "no digit", "no letter", "a word", "long"],
)
def test_letters_that_a_sample_does_not_have_are_found(odd: str, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_THREADS", threads)
    texts = [f"t{10 + number % 70}" for number in range(200)]
    texts[57] = odd  # neither in the first block nor in the last
    found, known = coded_short_texts(column(texts)), code(texts)
    assert found is not None
    assert (found.values, found.codes.tolist()) == (known.values, known.codes.tolist())


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("odd", ["", "a b", "é", "ninechars"])
def test_a_text_that_is_not_plain_is_found_wherever_it_stands(odd: str) -> None:
    texts = [f"t{number}" for number in range(200)]
    texts[57] = odd
    assert coded_short_texts(column(texts)) is None


@pytest.mark.parametrize("texts", [["t10", "t37"], ["ab", "cd"], ["a1b2", "a3"]])
def test_what_counting_on_would_bring_is_likely_and_nothing_else(texts: list[str]) -> None:
    """Any digit in the place of one, or none; other letters as they were seen."""
    found = short_texts.ShortTexts.of(pa.array(column(texts)))
    assert found is not None
    marked = short_texts._marked(found)
    assert marked is not None
    likely = {
        (place, pair & 255, pair >> 8)
        for place, pairs in enumerate(short_texts._counted_on(marked))
        for pair in np.flatnonzero(pairs).tolist()
    }
    digits, expected = b"0123456789", set()
    for text in texts:
        letters = text.encode().ljust(8, b"\0")
        for place in range(4):
            first, second = letters[2 * place : 2 * place + 2]
            any_first = digits if first in digits else bytes([first])
            any_second = digits + b"\0" if second in digits else bytes([second])
            expected |= {(place, one, other) for one in any_first for other in any_second}
            expected |= {(place, 0, 0)} if place and first in digits else set()
    assert likely == expected


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

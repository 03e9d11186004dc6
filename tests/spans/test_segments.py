"""Documents cut into segments, and places in tokens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accord.errors import InputError
from accord.spans.continuum import Continuum
from accord.spans.segments import Segments
from accord.spans.tokens import in_tokens, tokens_of


def test_a_document_is_cut_wherever_anybody_begins_or_ends() -> None:
    held = Continuum.of_marks([{"a": [(2, 6, "x")], "b": [(4, 9, "y")]}], 12.0)
    found = Segments.of(held, outside=True)
    assert found.length.tolist() == [2, 2, 2, 3, 3, 0]
    said = {
        (segment, who): label for segment, who, label in zip(found.segment, found.annotator, found.label, strict=True)
    }
    assert [said[segment, 0] for segment in range(5)] == [2, 0, 0, 2, 2]
    assert [said[segment, 1] for segment in range(5)] == [2, 2, 1, 1, 2]


def test_units_on_top_of_each_other_hold_one_label_and_units_that_touch_stay_two() -> None:
    held = Continuum.of_marks([{"a": [(0, 4, "x"), (0, 4, "x"), (3, 6, "x"), (6, 8, "x")], "b": []}], 8.0)
    found = Segments.of(held, outside=False)
    *_, length = found.blocks(found.length)
    assert sorted(length.tolist()) == [2, 6]
    assert found.n_joined == 2


def test_who_did_not_see_a_document_holds_nothing_there() -> None:
    held = Continuum.of_marks([{"a": [(0, 4, "x")], "b": []}, {"b": [], "c": []}], [4.0, 5.0])
    found = Segments.of(held, outside=True)
    seen = {
        (int(found.document[segment]), int(who)) for segment, who in zip(found.segment, found.annotator, strict=True)
    }
    assert seen == {(0, 0), (0, 1), (1, 1), (1, 2)}


def test_an_empty_unit_covers_nothing() -> None:
    held = Continuum.of_marks([{"a": [(3, 3, "x")], "b": []}], 6.0)
    found = Segments.of(held, outside=True)
    assert (found.label == 1).all()


def test_a_token_is_a_run_of_letters_with_their_marks_or_another_character_by_itself() -> None:
    words = [text[start:end] for text in ["naïve co-op, €5_a"] for start, end in tokens_of([text])[0]]
    assert words == ["naïve", "co", "-", "op", ",", "€", "5_a"]
    decomposed = "nai\u0308ve हिन्दी"
    assert [decomposed[start:end] for start, end in tokens_of([decomposed])[0]] == decomposed.split()
    assert tokens_of([""])[0].shape == (0, 2)


def test_a_unit_holds_every_token_of_which_it_covers_a_part() -> None:
    text = "Ana Müller lives here"
    held = Continuum.of_marks([{"a": [(2, 5, "x"), (10, 11, "y")], "b": [(4, 10, "x")]}], float(len(text)))
    found, lost = in_tokens(held, tokens_of([text]))
    assert lost == 1  # a blank alone
    assert found.start.tolist() == [0, 1]
    assert found.end.tolist() == [2, 2]
    assert found.length.tolist() == [4]


def test_pieces_keep_their_units_in_tokens() -> None:
    whole = Continuum.of_marks([{"a": [(0, 3, "x"), (3, 4, "x"), (11, 16, "x")], "b": []}], 16.0)
    one = replace(
        whole, document=np.array([0]), annotator=np.array([0]), start=np.array([0.0]), end=np.array([16.0]),
        label=np.array([0]), piece_of=np.array([0, 0, 0]),
    )  # fmt: skip
    found, lost = in_tokens(one, tokens_of(["Ana Müller lives"]))
    assert lost == 0
    assert found.piece_of.tolist() == [0, 0]
    assert (found.start.tolist(), found.end.tolist()) == ([0], [3])
    assert found.piece_start.tolist() == [0, 2]


def test_tokens_that_overlap_are_an_error() -> None:
    held = Continuum.of_marks([{"a": [(0, 3, "x")], "b": []}], 6.0)
    with pytest.raises(InputError, match="one after the other"):
        in_tokens(held, [np.array([[0, 4], [3, 6]])])

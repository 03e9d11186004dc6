"""Tables of tagged tokens are spans of tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord
from accord import Study
from accord.annotations.bio_tags import units_of
from accord.errors import DuplicateAnswers, InputError, LabelError
from accord.spans.continuum import Continuum


def table(tags: dict[tuple[str, str], list[str | None]]) -> dict[str, list[Any]]:
    rows = [
        (item, place, who, tag)
        for (item, who), given in tags.items()
        for place, tag in enumerate(given)
        if tag is not None
    ]
    names = ("sentence", "token", "annotator", "tag")
    return {name: list(cells) for name, cells in zip(names, zip(*rows, strict=True), strict=True)}


TAGS: dict[tuple[str, str], list[str | None]] = {
    ("s1", "ana"): ["B-PER", "I-PER", "O", "B-LOC"],
    ("s1", "ben"): ["O", "B-PER", "O", "O"],
    ("s2", "ana"): ["O", "O", "O"],
    ("s2", "ben"): ["O", "I-ORG", "I-ORG"],
}
ROLES: dict[str, Any] = {"item": "sentence", "token": "token", "annotator": "annotator", "label": "tag"}


def units(study: Study) -> list[tuple[Any, ...]]:
    found = Continuum.of(study)
    return [
        (study.items[d], study.annotators[r], s, e, study.labels[c])
        for d, r, s, e, c in zip(found.document, found.annotator, found.start, found.end, found.label, strict=True)
    ]


def test_tags_become_spans_of_tokens() -> None:
    study = Study(table(TAGS), **ROLES)
    assert study.kind == "spans"
    assert units(study) == [
        ("s1", "ana", 0, 2, "PER"), ("s1", "ana", 3, 4, "LOC"), ("s1", "ben", 1, 2, "PER"), ("s2", "ben", 1, 3, "ORG"),
    ]  # fmt: skip


def test_who_tagged_every_token_outside_has_answered_with_nothing_marked() -> None:
    study = Study(table(TAGS), **ROLES)
    seen = Continuum.of(study).seen
    assert seen.all()
    assert study.n_annotations == 4


def test_documents_are_as_long_as_their_tokens() -> None:
    assert Continuum.of(Study(table(TAGS), **ROLES)).length.tolist() == [4, 3]


def test_columns_are_found_by_their_names_and_it_is_said() -> None:
    study = Study(table(TAGS))
    assert study.kind == "spans"
    assert any("tags of tokens were read as spans" in note for note in study.notes)


def test_a_file_of_tagged_tokens_is_read_without_options(tmp_path: Path) -> None:
    columns = table(TAGS)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    file = tmp_path / "tags.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert units(accord.read(file)) == units(Study(table(TAGS), **ROLES))


def test_an_inside_tag_without_a_beginning_begins_a_span_and_is_counted() -> None:
    study = Study(table(TAGS), **ROLES)
    assert any("1 tag that goes on" in note for note in study.notes)


def test_a_unit_bridges_a_token_that_was_not_tagged() -> None:
    assert units_of(["B-PER", None, "I-PER", None, "O"]).spans == ((0, 3, "PER"),)
    study = Study(table({("s", "a"): ["B-PER", None, "I-PER"], ("s", "b"): ["O", "O", "O"]}), **ROLES)
    assert [unit[2:] for unit in units(study)] == [(0, 3, "PER")]
    assert any("1 token has no tag" in note for note in study.notes)


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        (["B-A", "I-A", "B-A"], ((0, 2, "A"), (2, 3, "A"))),
        (["I-A", "I-A", "O"], ((0, 2, "A"),)),  # IO
        (["I-A", "B-A", "I-A"], ((0, 1, "A"), (1, 3, "A"))),  # IOB1
        (["S-A", "B-A", "I-A", "E-A"], ((0, 1, "A"), (1, 4, "A"))),  # BIOES
        (["U-A", "B-A", "L-A"], ((0, 1, "A"), (1, 3, "A"))),  # BILOU
        (["B-A-b", "I-A-b"], ((0, 2, "A-b"),)),
        ([], ()),
    ],
)
def test_every_scheme_of_tags_is_read(tags: list[str], spans: tuple[Any, ...]) -> None:
    assert units_of(tags).spans == spans


def test_positions_may_begin_at_one() -> None:
    columns = table(TAGS)
    columns["token"] = [place + 1 for place in columns["token"]]
    assert units(Study(columns, **ROLES))[0] == ("s1", "ana", 1, 3, "PER")


def test_the_order_of_rows_changes_nothing() -> None:
    columns = table(TAGS)
    turned = {name: cells[::-1] for name, cells in columns.items()}
    assert units(Study(turned, **ROLES)) == units(Study(columns, **ROLES))


def test_a_token_tagged_twice_is_an_error_that_names_it() -> None:
    columns = {name: [*cells, cells[0]] for name, cells in table(TAGS).items()}
    with pytest.raises(DuplicateAnswers, match="'ana' tagged token 0 of item 's1' more than once"):
        Study(columns, **ROLES)


def test_labels_that_are_no_tags_are_an_error_where_tokens_are_named() -> None:
    columns = table(TAGS) | {"tag": ["NOUN"] * len(table(TAGS)["tag"])}
    with pytest.raises(LabelError, match="'NOUN'"):
        Study(columns, **ROLES)


def test_a_token_without_a_place_is_an_error() -> None:
    columns = table(TAGS)
    columns["token"] = [0.5, *columns["token"][1:]]
    with pytest.raises(InputError, match=r"row 0 has 0\.5"):
        Study(columns, **ROLES)


def test_numbers_beside_labels_that_are_no_tags_stay_a_column() -> None:
    columns = {
        "item": [1, 1, 2, 2],
        "annotator": ["a", "b"] * 2,
        "position": [1, 1, 2, 2],
        "label": ["x", "y", "x", "x"],
    }
    assert Study(columns).kind == "single"


def test_tags_are_known_where_the_first_thousands_are_all_outside() -> None:
    long: dict[tuple[str, str], list[str | None]] = {
        (f"s{number:04}", who): ["O"] * 4 for number in range(600) for who in ("ana", "ben")
    }
    assert Study(table({**long, ("s9999", "ana"): ["B-PER"], ("s9999", "ben"): ["O"]})).kind == "spans"


@pytest.mark.parametrize("name", ["study.csv", "study.parquet"])
def test_a_written_study_keeps_every_tag_as_it_was_given(name: str, tmp_path: Path) -> None:
    tags: dict[tuple[str, str], list[str | None]] = {
        **TAGS,
        ("s3", "ana"): ["B-PER", None, "I-PER"],
        ("s3", "ben"): ["O", "B-PER", "O"],
    }
    study = Study(table(tags), **ROLES)
    again = accord.read(study.write(tmp_path / name))
    assert units(again) == units(study)
    one, other = (accord.gold(each, method="token-majority", transitions="free") for each in (study, again))
    assert one.labels == other.labels
    assert one.notes == other.notes


@pytest.mark.parametrize(("cell", "said"), [("B-PER", "a list of tags"), ('["O"]', "says 1 tags")])
def test_tags_beside_spans_that_do_not_fit_are_an_error(cell: str, said: str) -> None:
    columns = {"item": ["d", "d"], "annotator": ["a", "b"], "label": ["x", "x"], "start": [0, 0], "end": [1, 2]}
    spans = Study(columns | {"tokens": ["0 1;1 2", None], "token_tags": [cell, None]})
    with pytest.raises(InputError, match=said):
        accord.gold(spans, method="token-majority")

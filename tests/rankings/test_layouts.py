"""Rankings in the usual tables, told from a primary label and others; what cannot be read says so."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
import accord.errors
from tests.rankings.drawn import drawn, study_of

ORDERS = {("q1", "ana"): "abc", ("q1", "ben"): "acb", ("q2", "ana"): "cba", ("q2", "ben"): "cba"}


def written(path: Path, rows: list[dict[str, Any]]) -> accord.Study:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return accord.read(path)


def answers(study: accord.Study) -> dict[tuple[str, str], str]:
    item, who, answer, _ = study._annotations.rows
    return {
        (str(study.items[i]), study.annotators[a]): str(study.answers.value(k))
        for i, a, k in zip(item.tolist(), who.tolist(), answer.tolist(), strict=True)
    }


def listed(said: dict[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """What two annotators said of each item, a row for each label."""
    return [
        {"item": item, "annotator": who, "label": label, "rank": place}
        for item, both in said.items()
        for who, labels in zip(("ana", "ben"), both, strict=True)
        for place, label in enumerate(labels, start=1)
    ]


EXPECTED = {key: " > ".join(order) for key, order in ORDERS.items()}


@pytest.mark.parametrize(
    "names",
    [
        ("query", "annotator", "item"),
        ("item", "annotator", "label"),
        ("prompt_id", "judge", "system"),
        ("item", "rater", "option"),
    ],
)
def test_a_row_an_option(tmp_path: Path, names: tuple[str, str, str]) -> None:
    rows = [
        dict(zip((*names, "rank"), (query, who, option, place), strict=True))
        for (query, who), order in ORDERS.items()
        for place, option in enumerate(order, start=1)
    ]
    found = written(tmp_path / "t.csv", rows)
    assert found.kind == "ranking"
    assert answers(found) == EXPECTED


def test_a_column_an_option(tmp_path: Path) -> None:
    rows = [
        {"query": f"{query}.{more}", "annotator": who, **{option: order.index(option) + 1 for option in "abc"}}
        for more in range(3)
        for (query, who), order in ORDERS.items()
    ]
    found = written(tmp_path / "t.csv", rows)
    assert (found.kind, found.n_items, found.labels) == ("ranking", 6, ("a", "b", "c"))
    assert answers(found)["q1.0", "ben"] == "a > c > b"


def test_judges_and_what_they_ranked_without_a_query(tmp_path: Path) -> None:
    people = ["ana", "ben", "cleo"]
    wines = {"w1": [1, 2, 1], "w2": [2, 1, 3], "w3": [3, 3, 2], "w4": [4, 5, 4], "w5": [5, 4, 5]}
    rows = [{"judge": who, **{wine: ranks[at] for wine, ranks in wines.items()}} for at, who in enumerate(people)]
    found = written(tmp_path / "t.csv", rows)
    assert (found.kind, found.n_items, found.n_annotators) == ("ranking", 1, 3)
    turned = [{"wine": wine, **dict(zip(people, ranks, strict=True))} for wine, ranks in wines.items()]
    other = written(tmp_path / "u.csv", turned)
    assert answers(other) == answers(found)
    assert accord.kendall_w(other).value == accord.kendall_w(found).value


@pytest.mark.parametrize("cell", [" > ".join, ">".join, lambda order: str(list(order))])
def test_an_order_in_a_cell(tmp_path: Path, cell: Any) -> None:
    rows = [{"item": query, "annotator": who, "label": cell(order)} for (query, who), order in ORDERS.items()]
    found = written(tmp_path / "t.csv", rows)
    assert found.kind == "ranking"
    assert answers(found) == EXPECTED


def test_an_order_in_a_cell_of_a_column_an_annotator(tmp_path: Path) -> None:
    rows = [
        {"query": q, "ana": " > ".join(ORDERS[q, "ana"]), "ben": " > ".join(ORDERS[q, "ben"])} for q in ("q1", "q2")
    ]
    found = written(tmp_path / "t.csv", rows)
    assert found.kind == "ranking"
    assert answers(found) == EXPECTED


def test_ties_are_kept_in_every_layout() -> None:
    tied = accord.Study(
        {"item": ["q", "q"], "annotator": ["ana", "ben"], "label": ["a > b = c", "b=c > a"]}, answers="ranking"
    )
    rows = {
        "item": ["q"] * 6,
        "annotator": ["ana"] * 3 + ["ben"] * 3,
        "label": list("abc") * 2,
        "rank": [1, 2, 2, 3, 1, 1],
    }
    assert answers(tied) == answers(accord.Study(rows, rank="rank", answers="ranking"))
    assert answers(tied) == {("q", "ana"): "a > b = c", ("q", "ben"): "b = c > a"}


def test_commas_where_somebody_says_that_cells_are_rankings() -> None:
    table = {"item": ["q", "q"], "annotator": ["ana", "ben"], "label": ["a, b, c", "c, b, a"]}
    assert answers(accord.Study(table, answers="ranking"))["q", "ben"] == "c > b > a"
    assert accord.Study(table).kind == "single"


def test_a_primary_label_and_others_stay_ranked() -> None:
    said = {"i1": ("ab", "a"), "i2": ("c", "ca"), "i3": ("bc", "bc")}
    assert accord.Study(listed(said), rank="rank").kind == "ranked"


def test_in_doubt_both_calls_are_shown() -> None:
    rows = listed({f"i{at}": ("abc", "abc" if at < 7 else "abd") for at in range(10)})
    with pytest.raises(accord.errors.InputError, match=r"answers='ranking'.*answers='ranked'"):
        accord.Study(rows, rank="rank")
    assert accord.Study(rows, rank="rank", answers="ranked").kind == "ranked"
    assert accord.Study(rows, rank="rank", answers="ranking").kind == "ranking"


def test_ranks_may_leave_numbers_out_and_options_may_be_unranked() -> None:
    rows = {
        "item": ["q"] * 6,
        "annotator": ["ana"] * 3 + ["ben"] * 3,
        "label": list("abc") * 2,
        "rank": [10, 40, 20, 1, None, 2],
    }
    study = accord.Study(rows, rank="rank", answers="ranking")
    assert answers(study) == {("q", "ana"): "a > c > b", ("q", "ben"): "a > c"}
    assert dict(study.left_out) == {"rows without an answer": 1}


def test_an_option_that_stands_twice_is_an_error_that_names_it() -> None:
    rows = {"item": ["q"] * 3, "annotator": ["ana"] * 3, "label": ["a", "b", "a"], "rank": [1, 2, 3]}
    with pytest.raises(accord.errors.LabelError, match=r"'a' stands twice.*item 'q', annotator 'ana'"):
        accord.Study(rows, rank="rank", answers="ranking")


def test_infinite_ranks_and_cells_that_are_no_order_are_refused() -> None:
    rows = {"item": ["q"] * 2, "annotator": ["ana"] * 2, "label": ["a", "b"], "rank": [1, float("inf")]}
    with pytest.raises(accord.errors.InputError, match="finite"):
        accord.Study(rows, rank="rank", answers="ranking")
    table = {"item": ["q", "q"], "annotator": ["ana", "ben"], "label": ["a > b", "neither"]}
    with pytest.raises(accord.errors.LabelError, match=r"'neither' in row 1"):
        accord.Study(table, answers="ranking")


def test_a_study_that_is_written_is_read_again_as_it_was(tmp_path: Path) -> None:
    study = study_of(drawn(4))
    for ending in ("csv", "jsonl"):
        again = accord.read(study.write(tmp_path / f"t.{ending}"))
        assert (again.kind, answers(again)) == ("ranking", answers(study))


@pytest.mark.parametrize(
    ("columns", "orders"),
    [
        ({"gpt": [1, 2], "llama": [2, 1], "claude": [2, 3]}, ["gpt > claude = llama", "llama > gpt > claude"]),
        ({"gpt": [1, 2], "llama": [2, 1], "claude": [3, None]}, ["gpt > llama > claude", "llama > gpt"]),
        ({"rank1": ["g", "h"], "rank2": ["h", "k"], "rank3": ["k", "g"]}, ["g > h > k", "h > k > g"]),
    ],
)
def test_columns_that_may_be_rankings_are_asked_about_and_read_when_said(
    tmp_path: Path, columns: dict[str, list[Any]], orders: list[str]
) -> None:
    rows = [
        {"query": 1, "annotator": who, **{name: cells[at] for name, cells in columns.items()}}
        for at, who in enumerate(("ana", "ben"))
    ]
    with pytest.raises(accord.errors.InputError, match="shape='ranking'"):
        written(tmp_path / "t.csv", rows)
    study = accord.read(tmp_path / "t.csv", shape="ranking")
    assert list(answers(study).values()) == orders


def test_a_column_called_ranking_with_commas_names_the_call_that_reads_it(tmp_path: Path) -> None:
    cells = ["g, h, k", "h, g, k", "g, k, h", "g, h, k"]
    rows = [{"query": at // 2, "annotator": "xy"[at % 2], "ranking": cell} for at, cell in enumerate(cells)]
    assert "answers='ranking', separator=','" in str(written(tmp_path / "t.csv", rows).describe())
    assert accord.read(tmp_path / "t.csv", answers="ranking", separator=",").kind == "ranking"


def test_lists_of_ratings_are_no_ranks(tmp_path: Path) -> None:
    rows = [{"item": f"i{at}", "ana": at % 3 + 1, "ben": (at + 1) % 3 + 1} for at in range(6)]
    assert written(tmp_path / "t.csv", rows).kind == "single"


def test_a_lazy_frame_of_rankings_is_read_as_rankings() -> None:
    rows = [
        {"item": query, "annotator": who, "label": option, "rank": place}
        for (query, who), order in ORDERS.items()
        for place, option in enumerate(order, start=1)
    ]
    study = accord.Study(pl.LazyFrame(rows), item="item", annotator="annotator", label="label", rank="rank")
    assert (study.kind, answers(study)) == ("ranking", EXPECTED)


def test_a_column_beside_the_labels_stays_text(tmp_path: Path) -> None:
    paths = ["Home > Garden", "Garden > Home", "Other"]
    rows = [
        {"item": place, "annotator": who, "label": "AB"[place % 2], "path": paths[place % 3]}
        for place in range(9)
        for who in ("ana", "ben")
    ]
    found = written(tmp_path / "t.csv", rows)
    assert found.kind == "single"
    assert set(found.groups("path")) == set(paths)


def test_categories_and_comparisons_are_labels(tmp_path: Path) -> None:
    labels = ["Animal > Dog", "Animal > Cat", "size > 3"]
    rows = [
        {"item": place, "annotator": who, "label": labels[(place + shift) % 3]}
        for place in range(6)
        for shift, who in enumerate(("ana", "ben"))
    ]
    assert written(tmp_path / "t.csv", rows).kind == "single"


def test_orders_in_cells_are_noted_and_may_be_read_as_labels(tmp_path: Path) -> None:
    rows = [{"item": q, "annotator": who, "label": " > ".join(order)} for (q, who), order in ORDERS.items()]
    found = written(tmp_path / "t.csv", rows)
    assert found.kind == "ranking"
    assert "read as rankings" in str(found.describe())
    assert accord.read(tmp_path / "t.csv", answers="single").kind == "single"


@pytest.mark.parametrize("as_lists", [False, True])
def test_orders_and_ties_in_cells_are_written_and_read_as_they_were(tmp_path: Path, as_lists: bool) -> None:
    orders = ["a > b = c", "b > c > a", "c > a = b", "a > b > c"]
    cells = [[part.split(" = ") for part in order.split(" > ")] for order in orders] if as_lists else orders
    table = {"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "label": cells}
    study = accord.Study(table, answers="ranking" if as_lists else None)
    again = accord.read(study.write(tmp_path / "t.csv"))
    assert again.kind == "ranking"
    assert list(answers(again).values()) == list(answers(study).values()) == orders


def test_ranks_that_were_shown_beside_judgements_are_asked_about(tmp_path: Path) -> None:
    rows = [
        {"query": q, "doc": f"d{d}", "rank": d + 1, "annotator": who, "relevance": (q + d * shift) % 3}
        for q in range(4)
        for d in range(3)
        for shift, who in enumerate(("ana", "ben"), start=1)
    ]
    with pytest.raises(accord.errors.InputError, match="'relevance' differs between annotators") as raised:
        written(tmp_path / "t.csv", rows)
    assert "shape='ranking'" in str(raised.value)
    item = ["query", "doc"]
    judged = accord.read(tmp_path / "t.csv", item=item, annotator="annotator", label="relevance", answers="single")
    assert (judged.kind, judged.n_items) == ("single", 12)
    assert accord.read(tmp_path / "t.csv", shape="ranking").kind == "ranking"


def test_ranks_of_few_values_and_nothing_ranked_are_labels(tmp_path: Path) -> None:
    rows = [
        {"item": place, "annotator": who, "rank": (place * shift) % 3 + 1}
        for place in range(12)
        for shift, who in enumerate(("ana", "ben"), start=1)
    ]
    found = written(tmp_path / "t.csv", rows)
    assert (found.kind, tuple(found.labels)) == ("single", (1, 2, 3))


@pytest.mark.parametrize("names", [("line", "coder1", "coder2"), ("id", "page", "order"), ("n", "m", "k")])
def test_columns_that_number_the_rows_are_nobodys_ranks(tmp_path: Path, names: tuple[str, str, str]) -> None:
    rows = [dict.fromkeys(names, place) for place in range(1, 9)]
    if names[1] == "coder1":
        assert written(tmp_path / "t.csv", rows).kind == "single"
    else:
        with pytest.raises(accord.AccordError, match="Which column is the annotator"):
            written(tmp_path / "t.csv", rows)


def test_a_column_that_numbers_the_rows_names_the_options_where_no_other_does(tmp_path: Path) -> None:
    rows = [{"place": at + 1, "ana": (at * 3) % 8 + 1, "ben": (at * 5) % 8 + 1} for at in range(8)]
    assert written(tmp_path / "t.csv", rows).annotators == ("ana", "ben")
    assert accord.read(tmp_path / "t.csv", answers="single").kind == "single"


def test_what_else_is_said_beside_a_column_an_option_is_kept(tmp_path: Path) -> None:
    rows = [
        {"query": q, "annotator": who, "kind": "model" if who == "bot" else "person", "lang": "de" if q % 2 else "en",
         "a": 1 + q % 3, "b": 1 + (q + 1) % 3, "c": 1 + (q + 2) % 3}
        for q in range(6)
        for who in ("ana", "ben", "bot")
    ]  # fmt: skip
    found = written(tmp_path / "t.csv", rows)
    assert found.kind == "ranking"
    assert set(found.groups("lang")) == {"de", "en"}
    assert found.people == ("ana", "ben")


@pytest.mark.parametrize("orders", [["g h", "h g", "h g", "g h"], ["a b c", "c a b", "d e f", "f e d"]])
def test_a_lazy_frame_is_read_as_the_frame_is(orders: list[str]) -> None:
    rows = [
        {"item": place // 2, "annotator": "ab"[place % 2], "label": option, "rank": rank}
        for place, order in enumerate(orders)
        for rank, option in enumerate(order.split(), start=1)
    ]
    roles: dict[str, Any] = {"item": "item", "annotator": "annotator", "label": "label", "rank": "rank"}
    assert accord.Study(pl.LazyFrame(rows), **roles).kind == accord.Study(pl.DataFrame(rows), **roles).kind == "ranking"


def test_a_lazy_frame_of_written_orders_is_read_as_rankings() -> None:
    rows = [{"item": q, "annotator": who, "label": " > ".join(order)} for (q, who), order in ORDERS.items()]
    assert answers(accord.Study(pl.LazyFrame(rows))) == EXPECTED
    assert accord.Study(pl.LazyFrame(rows), answers="single").kind == "single"

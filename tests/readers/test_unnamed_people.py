"""Tables that name nobody, or no column: ratings without names, files without a header, workers instead of items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import accord
from accord import Study
from accord.errors import FileError, InputError
from tests.oracles import coefficients as oracle

RATED = [("s1", 3, 1), ("s1", 3, 2), ("s2", 1, 1), ("s2", 2, 1), ("s2", 2, 3), ("s3", 4, 3)]
CROWD = [(f"w{who}", f"i{item}", "xy"[(who * item) % 2]) for item in range(5) for who in range(3)]


def put(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rated(folder: Path) -> Path:
    return put(folder, "id,calm,glad\n" + "".join(f"{item},{one},{two}\n" for item, one, two in RATED))


def test_ratings_of_people_who_are_not_named_are_measured(tmp_path: Path) -> None:
    path = rated(tmp_path)
    study = accord.read(path, shape="unnamed", label=["calm", "glad"])
    frame = Study.from_unnamed(pd.read_csv(path), item="id", label=["calm", "glad"])
    items: dict[str, dict[Any, Any]] = {}
    for item, calm, _ in RATED:
        held = items.setdefault(item, {})
        held[len(held)] = calm
    slow = oracle.krippendorff_alpha(list(items.values()), [1, 2, 3, 4], "interval")
    for one in (study, frame):
        alpha = accord.krippendorff_alpha(one.tasks["calm"], level="interval")
        assert alpha.value == pytest.approx(slow.value, abs=1e-12)
    assert "3 items by up to 3 annotators: 12 answers in all" in str(study.describe())
    assert "    'glad': 3 items by up to 3 annotators, 6 single answers" in str(study.describe())


def test_lists_of_answers_without_names_are_unnamed_too(tmp_path: Path) -> None:
    path = put(tmp_path, "id,labels\n1,\"['x', 'y', 'x']\"\n2,\"['x', 'x']\"\n")
    with pytest.raises(InputError, match=r"people who are not named, say accord.read\('t.csv', shape='unnamed'\)"):
        accord.read(path)
    study = accord.read(path, shape="unnamed")
    assert (study.n_items, study.n_annotations, study.labels) == (2, 5, ("x", "y"))


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_every_variable_of_unnamed_people_is_written_and_read_again(ending: str, tmp_path: Path) -> None:
    first = accord.read(rated(tmp_path), shape="unnamed", label=["calm", "glad"])
    again = accord.read(first.write(tmp_path / f"kept{ending}"))
    for name, part in first.tasks.items():
        assert again.tasks[name].items == part.items
        assert accord.krippendorff_alpha(again.tasks[name]).value == accord.krippendorff_alpha(part).value


def test_a_table_without_annotators_offers_to_be_read_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"people who are not named, say .*shape='unnamed', label=\['calm', 'glad'\]"):
        accord.read(rated(tmp_path))
    with pytest.raises(InputError, match=r"people who are not named, say accord.read\('t.csv', shape='unnamed'\)"):
        accord.read(put(tmp_path, "item,label\ns1,x\ns1,y\ns2,x\n"))
    with pytest.raises(InputError, match=r"Study.from_unnamed\(table, item='item', label='label'\)"):
        Study({"item": [1, 1, 2], "label": ["x", "y", "x"]})


def test_lists_of_records_are_not_offered_as_labels(tmp_path: Path) -> None:
    scored = "".join(
        f'{{"id": {n}, "experts": [{{"calm": 1, "glad": 2}}, {{"calm": 2, "glad": 2}}]}}\n' for n in range(4)
    )
    with pytest.raises(InputError, match="Which column is the annotator") as raised:
        accord.read(put(tmp_path, scored, "t.jsonl"))
    assert "not named" not in str(raised.value)


@pytest.mark.parametrize(
    "order", [(0, 1, 2), (1, 0, 2), (0, 2, 1)], ids=["worker first", "item first", "label between"]
)
def test_a_file_without_names_of_columns_is_asked_about_with_the_call_that_works(
    order: tuple[int, int, int], tmp_path: Path
) -> None:
    path = put(tmp_path, "".join("\t".join(row[place] for place in order) + "\n" for row in CROWD), "labels.txt")
    called: dict[str, Any] = {
        role: f"column_{order.index(place) + 1}" for place, role in enumerate(("annotator", "item", "label"))
    }
    likelier = f"item='{called['item']}', annotator='{called['annotator']}', label='{called['label']}'"
    with pytest.raises(FileError) as refused:
        accord.read(path)
    said = str(refused.value)
    assert said.index(likelier) < said.index("if it is the other way round")
    study = accord.read(path, header=False, **called)
    assert (study.n_items, study.n_annotators, study.n_annotations) == (5, 3, 15)
    with pytest.raises(InputError, match=f"in this order or another.*{likelier}"):
        accord.read(path, header=False)


def test_a_header_of_numbers_leads_to_the_right_result(tmp_path: Path) -> None:
    path = put(tmp_path, "1,1,2\n1,2,2\n2,1,1\n2,2,2\n3,1,1\n3,2,1\n")
    with pytest.raises(FileError, match="If there is no header, say so: header=False"):
        accord.read(path)
    with pytest.raises(InputError, match=r"label='column_3'\) \(3 items by 2 annotators\)"):
        accord.read(path, header=False)


def test_more_annotators_than_items_with_equal_numbers_of_answers_are_said(tmp_path: Path) -> None:
    rows = "".join(f"{item},{who},{'xy'[(item * who) % 2]}\n" for item in range(20) for who in range(3))
    study = accord.read(put(tmp_path, f"annotator,item,label\n{rows}"))
    said = [note for note in study.notes if "more annotators (20) than items (3), each with 3 answers" in note]
    assert said[0].endswith("if they are exchanged, say item='annotator', annotator='item'")
    assert accord.read(put(tmp_path, f"item,annotator,label\n{rows}")).notes == ()


TIED = "item,annotator,label,rank\n1,a,x,1\n1,a,y,2\n1,a,z,2\n1,b,x,1\n2,a,y,1\n2,b,y,1\n2,b,x,2\n"


def test_tied_ranks_keep_their_primary_label_where_it_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="answers='single' for the labels of rank 1 alone"):
        accord.read(put(tmp_path, TIED.replace("1,a,z,2", "1,a,z,4")))
    path = put(tmp_path, TIED)
    assert str(accord.read(path).answers.value(3)) == "x > y = z"
    for study in (accord.read(path, answers="single"), Study(pd.read_csv(path), rank="rank", answers="single")):
        assert accord.cohen_kappa(study).value == 1
        assert dict(study.left_out) == {"labels of a lower rank than the primary one": 3}
    assert accord.read(path, answers="set").labels == ("x", "y", "z")


def test_a_rank_of_something_else_leaves_no_answer_out(tmp_path: Path) -> None:
    path = put(tmp_path, "item,annotator,label,rank\n1,a,x,1\n1,b,x,2\n2,a,y,2\n2,b,y,1\n")
    assert accord.read(path, answers="single").n_annotations == 4

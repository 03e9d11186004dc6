"""Sheets as people keep them, each against what a hand would copy from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import DuplicateAnswers
from accord.study.study import Study
from tests.readers.make_table_samples import book_of
from tests.readers.test_hand_parses import Said, records, said
from tests.readers.test_minimal_cases import put
from tests.readers.test_samples import SAMPLES

PEOPLE = ("ana", "ben", "cy")
GIVEN = {
    (at, who): "yes" if (7 * at + 3 * place) % 5 < 3 else "no" for at in range(1, 7) for place, who in enumerate(PEOPLE)
}
LONG: Said = {(str(at), who, label) for (at, who), label in GIVEN.items()}
HEAD = ["item", "annotator", "label"]
LABELS = ("joy", "fear", "anger")


def ticked(at: int, who: str) -> list[str]:
    """What somebody ticked: nothing, one label or several."""
    return [label for place, label in enumerate(LABELS) if (5 * at + ord(who[0]) * (place + 2)) % 4 < 2]


def sets(study: Study) -> Said:
    """Who ticked what, in the order of letters."""
    return {(item, who, " + ".join(sorted(labels.split(" + ")))) for item, who, labels in said(study)}


SETS: Said = {(str(at), who, " + ".join(sorted(ticked(at, who))) or "∅") for at, who in GIVEN}


@pytest.mark.parametrize(
    "line", ["{n}  {at}   {who}  {label}", "   {n} {at:>4} {who:>9} {label:>5}", '"{n}" {at} "{who}" "{label}"']
)
def test_columns_that_stand_straight_and_tables_of_r_are_read(tmp_path: Path, line: str) -> None:
    rows = [
        line.format(n=n, at=at, who=who, label=label) for n, ((at, who), label) in enumerate(GIVEN.items(), start=1)
    ]
    assert said(accord.read(put(tmp_path, "t.txt", "\n".join(["item annotator label", *rows])))) == LONG


def test_one_row_with_a_cell_too_many_is_no_table_of_r(tmp_path: Path) -> None:
    with pytest.raises(accord.AccordError, match="line 2: The row has 4 cells, and the header names 3 columns"):
        accord.read(put(tmp_path, "t.csv", "item,annotator,label\n1,ana,x,\n1,ben,x\n2,ana,y\n"))


@pytest.mark.parametrize("tick", ["x", "X", "✓", "1", "TRUE"])
def test_a_tick_in_a_column_gives_its_label(tmp_path: Path, tick: str) -> None:
    rows = [[at, who, *(tick if label in ticked(at, who) else "" for label in LABELS)] for at, who in GIVEN]
    path = put(tmp_path, "t.csv", [["item", "annotator", *LABELS], *rows])
    assert sets(accord.read(path)) == sets(accord.read(path, shape="indicators")) == SETS
    assert accord.read(path).labels == LABELS
    for who in PEOPLE:
        mine = [[row[0], *row[2:]] for row in rows if row[1] == who]
        put(tmp_path, f"each/{who}.csv", [["item", *LABELS], *mine])
    assert sets(accord.read(tmp_path / "each")) == SETS
    with pytest.raises(accord.AccordError, match="each column is a label, and no column names the annotator"):
        accord.read(tmp_path / "each" / "ana.csv")


def test_ticks_by_annotator_and_label_are_sets_once_it_is_said_who_is_who(tmp_path: Path) -> None:
    names = ["item", *(f"{who}_{label}" for who in PEOPLE for label in LABELS)]
    rows = [
        [at, *("x" if label in ticked(at, who) else "" for who in PEOPLE for label in LABELS)] for at in range(1, 7)
    ]
    path = put(tmp_path, "t.csv", [names, *rows])
    with pytest.raises(accord.AccordError, match="Say who the annotators are"):
        accord.read(path)
    assert sets(accord.read(path, annotators=PEOPLE)) == SETS


def test_a_cell_among_ticks_that_is_none_is_named(tmp_path: Path) -> None:
    rows = [[n, "ana", "x" if n % 2 else "", "" if n % 2 else "x"] for n in range(2_100)]
    rows[2_050][2] = "maybe"
    with pytest.raises(
        accord.AccordError, match="row 2051: The column 'joy' is ticked or blank, and this cell holds 'maybe'"
    ):
        accord.read(put(tmp_path, "t.csv", [["item", "annotator", "joy", "fear"], *rows]))


def test_yes_and_no_in_any_letters_may_be_indicators(tmp_path: Path) -> None:
    rows = [[at, who, *("Y" if label in ticked(at, who) else "N" for label in LABELS)] for at, who in GIVEN]
    path = put(tmp_path, "t.csv", [["item", "annotator", *LABELS], *rows])
    with pytest.raises(accord.AccordError, match="shape='indicators' if each is a label"):
        accord.read(path)
    assert sets(accord.read(path, shape="indicators")) == SETS


def test_a_name_that_stands_once_for_several_rows_holds_for_all(tmp_path: Path) -> None:
    by_item = [[at if who == "ana" else "", who, label] for (at, who), label in GIVEN.items()]
    study = accord.read(put(tmp_path, "t.csv", [HEAD, *by_item]))
    assert said(study) == LONG
    assert any(note.startswith("12 rows without a cell in 'item' have that of the row above") for note in study.notes)
    by_person = [[who if at == 1 else "", at, GIVEN[at, who]] for who in PEOPLE for at in range(1, 7)]
    assert said(accord.read(put(tmp_path, "u.csv", [["annotator", "item", "label"], *by_person]))) == LONG


def test_a_few_rows_without_an_item_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [["" if at == 3 and who == "ben" else at, who, label] for (at, who), label in GIVEN.items()]
    study = accord.read(put(tmp_path, "t.csv", [HEAD, *rows]))
    assert said(study) == LONG - {("3", "ben", GIVEN[3, "ben"])}
    assert dict(study.left_out) == {"rows without an item": 1}


def test_merged_cells_of_a_workbook_hold_for_all_their_rows(tmp_path: Path) -> None:
    cells: list[list[Any]] = [
        [*HEAD],
        [1, "ana", "x"],
        [None, "ben", "y"],
        [2, "ana", "x"],
        [3, "ana", "y"],
        [4, "ana", "y"],
    ]
    (tmp_path / "t.xlsx").write_bytes(book_of({"S": cells}, ["A2:A3", "B9:C12", "odd"]))
    study = accord.read(tmp_path / "t.xlsx")
    assert said(study) == {
        ("1", "ana", "x"),
        ("1", "ben", "y"),
        ("2", "ana", "x"),
        ("3", "ana", "y"),
        ("4", "ana", "y"),
    }
    assert "cells that go over several rows hold for each of them" in study.notes


def test_a_question_above_those_who_answered_it_is_no_annotator(tmp_path: Path) -> None:
    rows: list[list[Any]] = [[at, *(GIVEN[at, who] for who in PEOPLE)] for at in range(1, 7)]
    (tmp_path / "t.xlsx").write_bytes(book_of({"S": [["id", "Kind?"], [None, *PEOPLE], *rows]}))
    assert said(accord.read(tmp_path / "t.xlsx")) == LONG
    assert said(accord.read(put(tmp_path, "t.csv", [["id", "Kind?", "", ""], ["", *PEOPLE], *rows]))) == LONG


@pytest.mark.parametrize("name", ["page", "order", "position", "n_tokens", "paragraph_no", "Seite", "Jahr", "made up"])
@pytest.mark.parametrize("scale", ["words", "numbers"])
def test_a_column_that_numbers_items_is_nobodys(tmp_path: Path, name: str, scale: str) -> None:
    label = {"yes": 1, "no": 5} if scale == "numbers" else {"yes": "yes", "no": "no"}
    rows = [[f"d{at}", at, *(label[GIVEN[at, who]] for who in PEOPLE)] for at in range(1, 7)]
    study = accord.read(put(tmp_path, "t.csv", [["item", name, *PEOPLE], *rows]))
    assert said(study) == {(f"d{at}", who, str(label[one])) for (at, who), one in GIVEN.items()}
    assert f"taken aside, as no annotator's answers: {name!r}" in study.notes


@pytest.mark.parametrize("names", [("toneAna", "topicAna", "toneBen", "topicBen"),
                                   ("tone/ana", "topic/ana", "tone/ben", "topic/ben"),
                                   ("ana: tone", "ana: topic", "ben: tone", "ben: topic"),
                                   ("Ana - tone", "Ana - topic", "Ben - tone", "Ben - topic")])  # fmt: skip
def test_variables_and_annotators_are_told_by_whatever_mark_stands_between(
    tmp_path: Path, names: Sequence[str]
) -> None:
    rows = [[at, *(GIVEN[at, "ana" if "na" in name else "ben"] if "tone" in name else "ab"[at % 2] for name in names)]
            for at in range(1, 7)]  # fmt: skip
    study = accord.read(put(tmp_path, "t.csv", [["ID", *names], *rows]))
    tone = {(item, who.lower(), label) for item, who, label in said(study.tasks["tone"])}
    assert tone == {answer for answer in LONG if answer[1] != "cy"}
    assert set(study.tasks) == {"tone", "topic"}


def test_columns_that_share_labels_in_groups_only_are_asked_about(tmp_path: Path) -> None:
    rows = [[at, GIVEN[at, "ana"], GIVEN[at, "ben"], "ab"[at % 2], "ab"[at % 3 % 2]] for at in range(1, 7)]
    with pytest.raises(accord.AccordError, match="share labels in groups only: 'one', 'two'; 'three', 'four'"):
        accord.read(put(tmp_path, "t.csv", [["id", "one", "two", "three", "four"], *rows]))


def test_in_a_few_rows_too_columns_that_share_nothing_are_no_annotators(tmp_path: Path) -> None:
    rows = [[f"a{at}", f"b{at}", f"c{at}", "x", "x"] for at in range(4)]
    with pytest.raises(accord.AccordError, match="'one', 'two', 'three' share no label with the other columns"):
        accord.read(put(tmp_path, "t.csv", [["one", "two", "three", "four", "five"], *rows]))


def lines(entries: Iterable[object]) -> str:
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def test_labels_of_people_who_are_not_named_are_offered_to_be_read_so(tmp_path: Path) -> None:
    entries = [
        {"annotator_labels": ["a", "b", "a"], "captionID": f"{at}.jpg", "pairID": f"p{at}", "gold_label": "a"}
        for at in range(4)
    ]
    path = put(tmp_path, "t.jsonl", lines(entries))
    with pytest.raises(accord.AccordError) as refused:
        accord.read(path)
    way = refused.value.remedies[-1].options
    assert way == {"shape": "unnamed", "label": "annotator_labels"}
    study = accord.read(path, shape="unnamed", label="annotator_labels")
    assert (study.n_items, study.n_annotations, study.labels) == (4, 12, ("a", "b"))


def test_a_counter_of_labels_in_a_cell_is_counts(tmp_path: Path) -> None:
    entries = [
        {"uid": f"u{at}", "label_counter": {"e": 8, "n": 2}, "label_dist": [0.8, 0.2], "label_count": [8, 2]}
        for at in range(3)
    ]
    study = accord.read(put(tmp_path, "t.jsonl", lines(entries)))
    assert (study.n_items, study.n_annotations, study.labels) == (3, 30, ("e", "n"))


def test_lists_beside_those_who_answered_are_variables_and_what_is_known_of_them(tmp_path: Path) -> None:
    study = accord.read(SAMPLES / "tables/several-lists.json")
    assert said(study.tasks["labels_task1"]) == {
        (str(at), who, "NO" if who == "ben" and at % 2 else "YES") for at in (1, 2, 3) for who in ("ana", "ben")
    }
    ages = study.tasks["labels_task1"]._column("age_annotators")
    assert set(ages.values) == {"18-22", "46+"}
    broken = {"1": {"text": "t", "annotators": ["ana", "ben"], "labels_task1": ["x"], "labels_task2": ["y", "y"]}}
    with pytest.raises(accord.AccordError):
        accord.read(
            put(tmp_path, "t.json", json.dumps({**broken, "2": {**broken["1"], "labels_task1": ["x", "y"]}})),
            only="labels_task1",
        )


def test_what_was_annotated_is_no_label_though_it_is_called_a_response(tmp_path: Path) -> None:
    texts = [
        f"A long answer of a machine, number {at}, that goes on and on and says nothing at all." for at in range(4)
    ]
    rows = [
        [at, who, texts[at], "Yes" if (at + place) % 2 else "No"] for at in range(4) for place, who in enumerate(PEOPLE)
    ]
    study = accord.read(put(tmp_path, "t.csv", [["item_id", "rater_id", "response", "Q_overall"], *rows]))
    assert study.labels == ("No", "Yes")


def test_counts_beside_their_total_and_the_label_of_most_are_asked_about(tmp_path: Path) -> None:
    rows = [[at, 3 + at % 2, at % 3, 3 - at % 3, at % 2, at % 3, f"tweet {at}"] for at in range(6)]
    path = put(tmp_path, "t.csv", [["", "count", "hateful", "rude", "neither", "class", "tweet"], *rows])
    with pytest.raises(accord.AccordError, match="shape='counts'"):
        accord.read(path)
    study = accord.read(path, shape="counts")
    assert (study.labels, study.n_annotations) == (
        ("hateful", "rude", "neither"),
        sum(row[1] for row in rows if isinstance(row[1], int)),
    )


@pytest.mark.parametrize(
    "names",
    [("Text-Nr", "Kodierer", "Kategorie"), ("id_texto", "anotador", "etiqueta"), ("id", "annotateur", "étiquette")],
)
def test_roles_are_known_in_other_languages(tmp_path: Path, names: Sequence[str]) -> None:
    rows = [[at, who, label] for (at, who), label in GIVEN.items()]
    assert said(accord.read(put(tmp_path, "t.csv", [names, *rows], ";"))) == LONG


def test_what_a_study_finds_wrong_names_the_file_it_came_from(tmp_path: Path) -> None:
    path = put(tmp_path, "twice.csv", "item,annotator,label\n1,ana,x\n1,ana,y\n")
    with pytest.raises(DuplicateAnswers, match=r"^twice\.csv: Annotator 'ana'") as refused:
        accord.read(path)
    assert refused.value.place is not None
    assert refused.value.place.file == "twice.csv"
    with pytest.raises(accord.AccordError, match=r"^gaps\.csv: 1 row without an item"):
        accord.read(put(tmp_path, "gaps.csv", "item,ana,ben\n1,x,x\n,x,y\n3,y,y\n"))


def test_a_cell_that_is_no_number_is_named_with_its_row(tmp_path: Path) -> None:
    weights = put(tmp_path, "w.csv", "item,item_weight,ana,ben\n1,2,x,x\n2,many,x,y\n3,few,y,y\n")
    told = "row 2: {} must be a column of numbers; the cell 'many' is none"
    with pytest.raises(accord.AccordError, match=told.format("item_weight='item_weight'") + r" \(2 cells are such\)"):
        accord.read(weights, item_weight="item_weight")
    scores = put(tmp_path, "s.csv", "item,annotator,score\n1,ana,1\n1,ben,many\n")
    with pytest.raises(accord.AccordError, match=told.format("score='score'")):
        accord.read(scores, score="score")
    ranks = put(tmp_path, "r.csv", "query,annotator,option,rank\nq,ana,a,1\nq,ana,b,many\n")
    with pytest.raises(accord.AccordError, match=told.format("rank='rank'")):
        accord.read(ranks, shape="ranking")
    columns = put(tmp_path, "c.csv", "query,annotator,a,b\nq,ana,1,2\nr,ana,many,1\n")
    with pytest.raises(accord.AccordError, match=told.format("rank='a'")):
        accord.read(columns, shape="ranking", label=["a", "b"])


def test_a_dot_or_a_star_may_be_no_answer(tmp_path: Path) -> None:
    for mark in (".", "*"):
        study = accord.read(put(tmp_path, "t.csv", f"id,ana,ben\n1,a,{mark}\n2,b,b\n3,a,a\n4,{mark},b\n"))
        assert any(note.endswith(f"missing=[{mark!r}]") for note in study.notes)
    tags = accord.read(put(tmp_path, "t.csv", 'id,ana,ben\n1,NN,.\n2,VB,VB\n3,",",NN\n4,.,.\n'))
    assert not any("missing" in note for note in tags.notes)


def test_redcap_by_hand() -> None:
    rows = records("redcap/rated.csv")
    done = [row for row in rows if row["rating_complete"] != "0"]
    study = accord.read(SAMPLES / "redcap/rated.csv")
    assert said(study.tasks["mood"]) == {(row["case_id"], row["rater"], row["mood"]) for row in done}
    signs = {
        (row["case_id"], row["rater"], " + ".join(n for n in "12" if row[f"signs___{n}"] == "1") or "∅") for row in done
    }
    assert said(study.tasks["signs"]) == signs
    twice = [[*row["record_id"].split("--"), row["mood"]] for row in records("redcap/entered-twice.csv")]
    by_hand = {(item, f"entry {entry}", label) for item, entry, label in twice if entry != "3"}
    assert said(accord.read(SAMPLES / "redcap/entered-twice.csv", only="mood")) == by_hand


def test_a_form_that_names_nobody_is_asked_about(tmp_path: Path) -> None:
    rows = [["record_id", "redcap_event_name", "mood"], [1, "a", "x"], [2, "a", "y"]]
    with pytest.raises(accord.AccordError, match=r"No field names the annotator.*annotator=…"):
        accord.read(put(tmp_path, "t.csv", rows))
    rows = [["coder", "tone", "_uuid", "_submission_time"], ["ana", "x", "u1", "2026"]]
    with pytest.raises(accord.AccordError, match=r"No question names the item.*item=…"):
        accord.read(put(tmp_path, "k.csv", rows))


def test_kobo_by_hand() -> None:
    with (SAMPLES / "kobo/submissions.csv").open(encoding="utf-8") as stream:
        names, *body = (line.rstrip("\n").split(";") for line in stream)
    rows = [dict(zip(names, cells, strict=True)) for cells in body]
    counted = [row for row in rows if row["_validation_status"] == "Approved"]
    study = accord.read(SAMPLES / "kobo/submissions.csv")
    assert said(study.tasks["tone"]) == {(row["doc_id"], row["coder"], row["grp/tone"]) for row in counted}
    themes = {(row["doc_id"], row["coder"], row["themes"].replace(" ", " + ") or "∅") for row in counted}
    assert said(study.tasks["themes"]) == themes


def test_limesurvey_and_surveymonkey_by_hand() -> None:
    codes = records("limesurvey/codes.csv")
    by_hand = {(at, row["id"], row[f"kind[{at}]"]) for row in codes for at in ("T1", "T2", "T3")}
    study = accord.read(SAMPLES / "limesurvey/codes.csv")
    assert said(study) == by_hand
    assert "responses that were not handed in count too: 1" in study.notes
    asked = ("Is text 1 kind?", "Is text 2 kind?")
    rows = records("surveymonkey/kind.csv")[1:]
    found = accord.read(SAMPLES / "surveymonkey/kind.csv")
    assert said(found) == {(item, row["Respondent ID"], row[item]) for row in rows for item in asked}
    assert not any("192.0.2.1" in str(value) for name in found.columns for value in found._column(name).values)


@pytest.mark.parametrize("name", ["maxqda", "atlasti", "dedoose"])
def test_coded_segments_by_hand(name: str) -> None:
    study = accord.read(SAMPLES / f"qda/{name}.csv")
    per_character = name == "dedoose"
    hope, fear = (
        ("hope", 30, 49) if per_character else ("hope", 3, 5),
        ("fear", 10, 19) if per_character else ("fear", 1, 2),
    )
    item, who, answer, _ = (column.tolist() for column in study._annotations.rows)
    marks = {
        (str(study.items[i]), study.annotators[a]): {
            (study.labels[label], *place)
            for label, place in zip(study.answers.members[k], study.answers.places[k], strict=True)
        }
        for i, a, k in zip(item, who, answer, strict=True)
    }
    talk = "Spring/Talk" if name == "maxqda" else "Talk"
    assert marks[f"{talk} 1", "ana"] == {hope}
    assert marks[f"{talk} 2", "ana"] == {fear}
    assert len(marks[f"{talk} 2", "ben"]) == (3 if name == "atlasti" else 2)


def test_what_programs_computed_or_left_out_is_no_coding(tmp_path: Path) -> None:
    rows = [["Code", "File", "Kappa", "Agreement (%)", "A and B (%)"], ["hope", "Talk 1", 0.6, 92.1, 10.2]]
    with pytest.raises(accord.AccordError, match="results of NVivo's coding comparison"):
        accord.read(put(tmp_path, "n.csv", rows))
    rows = [["ID", "Quotation Name", "Document", "Codes", "Created by"], ["1:1", "We hoped", "Talk 1", "hope", "ana"]]
    with pytest.raises(accord.AccordError, match="with the columns 'Start' and 'End'"):
        accord.read(put(tmp_path, "a.csv", rows))


@pytest.mark.parametrize(
    "name", ["Agreement (Y/N)", "Mean rating", "avg_score", "Sum", "rating_mean", "Final score", "Same?"]
)
def test_what_was_made_of_the_answers_is_no_annotators(tmp_path: Path, name: str) -> None:
    rows = [[at, *(GIVEN[at, who] for who in PEOPLE), GIVEN[at, "ana"]] for at in range(1, 7)]
    assert said(accord.read(put(tmp_path, "t.csv", [["id", *PEOPLE, name], *rows]))) == LONG


def test_the_reference_among_several_variables_is_no_annotator(tmp_path: Path) -> None:
    names = [f"{variable}_{who}" for who in ("R1", "R2", "gold") for variable in ("tone", "topic")]
    rows = [[at, *("yes" if name.startswith("tone") else "sea" for name in names)] for at in range(4)]
    study = accord.read(put(tmp_path, "t.csv", [["id", *names], *rows]))
    assert study.tasks["tone"].annotators == ("R1", "R2")
    assert "taken aside, as no annotator's answers: 'gold'" in study.notes


def test_people_and_items_that_are_objects_are_called_by_a_name(tmp_path: Path) -> None:
    entries = [{"item": {"id": at, "text": "t"}, "user": {"id": 7, "email": f"{who}@example.org"}, "label": label}
               for (at, who), label in GIVEN.items()]  # fmt: skip
    study = accord.read(put(tmp_path, "t.json", json.dumps(entries)))
    assert {(item, who.removesuffix("@example.org"), label) for item, who, label in said(study)} == LONG
    both = [
        {"item": at, "annotator": who, "label": {"tone": label, "topic": "sea"}} for (at, who), label in GIVEN.items()
    ]
    assert said(accord.read(put(tmp_path, "u.json", json.dumps(both)), only="tone")) == LONG


def test_what_names_every_answer_is_no_item(tmp_path: Path) -> None:
    rows = [[f"0.0-{place}", f"{at}", who, label] for place, ((at, who), label) in enumerate(GIVEN.items())]
    names = ["internal_node_id", "stimulus", "participant_id", "response"]
    assert said(accord.read(put(tmp_path, "t.csv", [names, *rows]))) == LONG
    with pytest.raises(accord.AccordError, match="Which column is the item"):
        accord.read(put(tmp_path, "u.csv", [[names[0], "shown", *names[2:]], *rows]))


def test_annotators_in_two_spellings_are_asked_about(tmp_path: Path) -> None:
    rows = [[at, f"{who.title()} " if at == 1 and who == "ana" else who, label] for (at, who), label in GIVEN.items()]
    study = accord.read(put(tmp_path, "t.csv", [HEAD, *rows]))
    assert any(note.startswith("the annotators 'Ana ', 'ana' differ in case and blanks only") for note in study.notes)


def test_a_row_without_an_annotator_is_nobody_whom_the_row_above_names_already(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "t.csv", [HEAD, [1, "ana", "x"], [1, "", "y"], [2, "ben", "y"], [2, "", "x"]]))
    assert said(study) == {("1", "ana", "x"), ("2", "ben", "y")}
    assert dict(study.left_out) == {"rows without an annotator": 2}


def test_merged_cells_of_a_large_table_are_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["" if who != PEOPLE[0] else at, who, label] for (at, who), label in GIVEN.items()]
    path = put(tmp_path, "t.csv", [HEAD, *rows])
    small = said(accord.read(path))
    monkeypatch.setattr("accord.study.tables.sheet.MANY", 2)
    assert said(accord.read(path)) == small == LONG

"""Columns that are variables, ranks, attributes or decisions, and no annotators: what unseen data brought to light."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import accord
from accord import Study
from accord.errors import InputError
from accord.readers.diagnosis import diagnose


def put(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


FAMILY = (
    "id,sentiment_R1,topic_R1,sentiment_R2,topic_R2\n"
    "1,pos,sport,pos,sport\n2,neg,art,pos,art\n3,pos,art,neg,sport\n4,neg,sport,neg,sport\n"
)
RANKED = (
    "id,ana_primary,ana_secondary,ben_primary,ben_secondary\n"
    "1,joy,fear,joy,\n2,fear,,fear,joy\n3,joy,,joy,fear\n4,fear,joy,fear,joy\n"
)


def test_variables_by_annotators_in_a_wide_table_are_variables(tmp_path: Path) -> None:
    path = put(tmp_path, FAMILY)
    for study in (accord.read(path), Study(pd.read_csv(path))):
        assert list(study.tasks) == ["sentiment", "topic"]
        assert study.tasks["topic"].annotators == ("R1", "R2")
        assert study.tasks["topic"].labels == ("art", "sport")
        assert "hold the variables 'sentiment', 'topic' of the annotators 'R1', 'R2'" in study.notes[0]


def test_annotators_may_stand_first_and_have_names(tmp_path: Path) -> None:
    first = FAMILY.replace("sentiment_R1,topic_R1,sentiment_R2,topic_R2", "r1.tone,r1.topic,r2.tone,r2.topic")
    assert accord.read(put(tmp_path, first)).tasks["tone"].annotators == ("r1", "r2")
    named = FAMILY.replace("_R1", "_ana").replace("_R2", "_ben")
    assert accord.read(put(tmp_path, named)).tasks["topic"].annotators == ("ana", "ben"), "labels tell which is which"


def test_a_column_that_names_the_annotator_does(tmp_path: Path) -> None:
    text = "id,user_R1,mood_R1,user_R2,mood_R2\n1,ana,a,ben,a\n2,cem,b,ana,a\n3,ben,a,cem,b\n4,ana,b,ben,b\n"
    study = accord.read(put(tmp_path, text))
    assert study.annotators == ("ana", "ben", "cem")
    assert study.n_annotations == 8


def test_variables_that_share_labels_are_asked_about(tmp_path: Path) -> None:
    text = "id,tone_ana,clarity_ana,tone_ben,clarity_ben\n1,1,2,1,2\n2,2,1,2,1\n3,1,1,2,2\n4,2,2,1,1\n"
    path = put(tmp_path, text)
    with pytest.raises(InputError, match=r"Say who the annotators are: .*annotators=\['ana', 'ben'\]"):
        accord.read(path)
    assert accord.read(path, annotators=["tone_ana", "tone_ben"]).n_annotators == 2
    with pytest.raises(InputError, match=r"Study.from_wide\(table, annotators=\['ana', 'ben'\]\)"):
        Study(pd.read_csv(path))


def test_whoever_says_who_the_annotators_are_reads_all_variables(tmp_path: Path) -> None:
    path = put(tmp_path, "id,V1A,V1B,V2A,V2B\n1,1,2,1,2\n2,2,1,2,1\n3,1,1,2,2\n4,2,2,1,1\n")
    for read in (accord.read, lambda path, annotators: Study.from_wide(pd.read_csv(path), annotators=annotators)):
        by_letter, by_number = read(path, annotators=["A", "B"]), read(path, annotators=["V1", "V2"])
        assert {name: part.annotators for name, part in by_letter.tasks.items()} == dict.fromkeys(
            ("V1", "V2"), ("A", "B")
        )
        assert {name: part.annotators for name, part in by_number.tasks.items()} == dict.fromkeys("AB", ("V1", "V2"))
    numbered = put(tmp_path, "id,ana1,ana2,ben1,ben2\n1,1,2,1,2\n2,2,1,2,1\n3,1,1,2,2\n4,2,2,1,1\n")
    assert "if 'ana', 'ben' are the annotators, say accord.read(" in accord.read(numbered).notes[0]
    assert accord.read(numbered, annotators=["ana", "ben"]).tasks["1"].annotators == ("ana", "ben")


def test_primary_and_secondary_columns_of_each_annotator_are_ranked_answers(tmp_path: Path) -> None:
    for text in (RANKED, RANKED.replace("ana_primary", "primary_ana").replace("ana_secondary", "secondary_ana")
                 .replace("ben_primary", "primary_ben").replace("ben_secondary", "secondary_ben")):  # fmt: skip
        study = accord.read(put(tmp_path, text))
        assert (study.kind, study.annotators, study.n_annotations) == ("ranked", ("ana", "ben"), 8)
        assert "hold ranked labels of the annotators 'ana', 'ben'" in study.notes[0]


def test_a_secondary_label_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 2: There is a secondary label and no primary one"):
        accord.read(put(tmp_path, RANKED.replace("2,fear,,", "2,,joy,")))


def test_a_column_called_task_makes_variables(tmp_path: Path) -> None:
    text = "item,annotator,label,task\na,x,1,t1\na,y,1,t1\nb,x,2,t2\nb,y,1,t2\nc,x,2,t1\nc,y,2,t1\n"
    for name in ("task", "dimension"):
        study = accord.read(put(tmp_path, text.replace("task", name)))
        assert list(study.tasks) == ["t1", "t2"]
        assert any(
            f"the column {name!r} makes variables, each measured by itself: 't1', 't2'" in note for note in study.notes
        )
    ids = "item,annotator,label,task\na,x,1,p\na,y,1,p\nb,x,2,q\nb,y,1,q\n"
    assert not accord.read(put(tmp_path, ids)).tasks, "a task of its own for every item only numbers it"


def test_what_describes_people_is_no_variable_of_potato(tmp_path: Path) -> None:
    rows = ["instance_id,user_id,age,rating,source_id"]
    for item in range(6):
        for who, age in (("ana", 31), ("ben", 47), ("cem", 31)):
            rows.append(f"i{item},{who},{age},{(item + (who == 'ben')) % 3},post {item}")
    study = accord.read(put(tmp_path, "\n".join(rows) + "\n"))
    assert study.labels == (0, 1, 2)
    assert study.n_annotations == 18
    assert any("'age' describe annotators and are no variables" in note for note in study.notes)
    assert any("'source_id' describe items and are no variables" in note for note in study.notes)
    assert len(accord.fleiss_kappa(study, by="age").by_group()) == 2


def test_perfect_agreement_on_labels_is_no_attribute(tmp_path: Path) -> None:
    rows = ["instance_id,user_id,tone,topic"]
    rows += [f"i{item},{who},{item % 2},{item % 3}" for item in range(12) for who in ("ana", "ben", "cem")]
    assert list(accord.read(put(tmp_path, "\n".join(rows) + "\n")).tasks) == ["tone", "topic"]


@pytest.mark.parametrize("name", ["gold", "majority", "Consensus", "adjudicated", "final_label"])
def test_what_was_decided_is_no_annotator(name: str, tmp_path: Path) -> None:
    path = put(tmp_path, f"id,ana,ben,{name}\n1,x,x,x\n2,y,x,x\n3,y,y,y\n4,x,y,x\n5,x,x,x\n")
    for study in (accord.read(path), Study(pd.read_csv(path))):
        assert study.annotators == ("ana", "ben")
        assert f"taken aside, as no annotator's answers: {name!r}" in study.notes
    assert accord.read(path, annotators=["ana", "ben", name]).n_annotators == 3


@pytest.mark.parametrize(
    ("item", "annotator"),
    [("article", "anonymised_participant_id"), ("utterance_id", "!amt_worker_ids"), ("case", "who")],
)
def test_longer_and_rarer_names_of_roles_are_known(item: str, annotator: str, tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, f"{item},{annotator},label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n"))
    assert (study.roles["item"], study.roles["annotator"]) == (item, annotator)


def test_columns_of_which_no_two_share_a_label_are_listed_once(tmp_path: Path) -> None:
    rows = "".join(f"{row},a{row},b{row},c{row}\n" for row in range(6))
    with pytest.raises(InputError) as refusal:
        accord.read(put(tmp_path, f"id,x,y,z\n{rows}"))
    said = str(refusal.value)
    assert "'x', 'y', 'z' share no label with each other" in said
    assert said.index("one row per annotation") < said.index("one column per annotator"), "the likelier way first"
    assert said.count("'x', 'y', 'z'") == 1


def test_several_variables_are_counted(tmp_path: Path) -> None:
    said = str(accord.read(put(tmp_path, FAMILY)).describe())
    assert "4 items by 2 annotators: 16 answers in all" in said


def test_confidence_times_and_comments_stand_beside_answers(tmp_path: Path) -> None:
    tables = {
        "confidence": "id,ana_label,ana_confidence,ben_label,ben_confidence\n1,x,0.5,x,0.9\n2,y,0.7,x,1\n3,y,0.5,y,0\n",
        "seconds": "id,label_1,duration_1,label_2,duration_2\n1,x,12.1,x,13.2\n2,y,4.5,x,3.2\n3,y,5.5,y,3.3\n",
        "comment": "id,Annotator 1,Comment 1,Annotator 2,Comment 2\n1,x,odd,x,\n2,y,,x,not sure\n3,y,,y,\n",
        "time": "id,ana,ana_time,ben,ben_time\n1,x,2,x,4\n2,y,3,x,3\n3,y,2,y,4\n",
    }
    for kept, text in tables.items():
        study = accord.read(put(tmp_path, text))
        assert (study.n_annotators, study.n_annotations, study.labels) == (2, 6, ("x", "y"))
        assert not study.tasks
        assert any(note.startswith("beside the answers, and not measured: ") for note in study.notes)
        assert kept in accord.read(study.write(tmp_path / "long.csv"))._frame.columns  # type: ignore[union-attr]


def test_confidence_of_several_variables_is_none_of_them(tmp_path: Path) -> None:
    text = "id,R1 tone,R1 topic,R1 confidence,R2 tone,R2 topic,R2 confidence\n1,p,s,3,p,s,2\n2,q,t,1,p,t,2\n"
    assert list(accord.read(put(tmp_path, text)).tasks) == ["tone", "topic"]


def test_a_column_with_few_cells_that_shares_no_label_is_asked_about(tmp_path: Path) -> None:
    text = "id,A1,A2,Hinweis\n1,ja,ja,\n2,nein,ja,unklar\n3,nein,nein,\n4,ja,ja,\n5,ja,ja,\n"
    with pytest.raises(InputError, match=r"'Hinweis' shares no label .*annotators=\['A1', 'A2'\]"):
        accord.read(put(tmp_path, text))
    assert accord.read(put(tmp_path, text.replace("Hinweis", "Kommentar"))).annotators == ("A1", "A2")


def test_numbers_behind_a_mark_leave_a_doubt_that_is_said(tmp_path: Path) -> None:
    rows = "".join(f"{n},{'xy'[n % 2]},{'xy'[n // 2 % 2]},{'xy'[n % 2]},{'xy'[n // 3 % 2]}\n" for n in range(8))
    path = put(tmp_path, f"id,ana_1,ana_2,ben_1,ben_2\n{rows}")
    assert "if 'ana', 'ben' are the annotators, say accord.read(" in accord.read(path).notes[0]
    assert accord.read(path, annotators=["ana", "ben"]).tasks["1"].annotators == ("ana", "ben")


def test_annotators_in_brackets_are_annotators(tmp_path: Path) -> None:
    text = "id,Primary label (ana),Secondary label (ana),Primary label (ben),Secondary label (ben)\n1,joy,fear,joy,\n"
    study = accord.read(put(tmp_path, f"{text}2,fear,,fear,joy\n"))
    assert (study.kind, study.annotators) == ("ranked", ("ana", "ben"))


def test_a_row_per_annotator_and_a_column_per_item_is_turned(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "annotator,d1,d2,d3,d4\nana,x,y,x,y\nben,x,x,x,y\ncem,y,x,x,y\n"))
    assert (study.items, study.annotators, study.n_annotations) == (("d1", "d2", "d3", "d4"), ("ana", "ben", "cem"), 12)
    assert "a row per annotator, and a column per item: d1, d2, d3, d4" in study.notes
    for attributes in (
        "annotator,age,d1,d2\nana,31,x,y\nben,47,x,x\n",
        "annotator,age,d1,d2\nana,31,1,2\nben,47,1,1\n",
    ):
        with pytest.raises(InputError, match="Which column is the item"):
            accord.read(put(tmp_path, attributes))


def test_krippendorffs_table_of_coders_is_turned_though_one_code_is_given_to_a_single_unit(tmp_path: Path) -> None:
    # Krippendorff 2011: four coders, twelve units; nominal alpha 0.743
    rows = "A,1,2,3,3,2,1,4,1,2,,,\nB,1,2,3,3,2,2,4,1,2,5,,3\nC,,3,3,3,2,3,4,2,2,5,1,\nD,1,2,3,3,2,4,4,1,2,5,1,\n"
    study = accord.read(put(tmp_path, f"coder,{','.join(f'u{unit}' for unit in range(1, 13))}\n{rows}"))
    assert (study.n_items, study.n_annotators) == (12, 4)
    assert accord.krippendorff_alpha(study, level="nominal").value == pytest.approx(0.743, abs=5e-4)


def test_two_lines_of_names_are_read_together(tmp_path: Path) -> None:
    rows = ",tone,topic,tone,topic\n1,p,s,p,s\n2,q,s,p,t\n3,q,t,q,t\n"
    for first in ("id,Ana,,Ben,\n", "id,Ana,Ana,Ben,Ben\n"):
        study = accord.read(put(tmp_path, first + rows))
        assert {name: part.annotators for name, part in study.tasks.items()} == dict.fromkeys(
            ("tone", "topic"), ("Ana", "Ben")
        )
        assert "two lines name the columns" in study.notes


def test_what_is_kept_and_not_measured_is_said(tmp_path: Path) -> None:
    rows = "".join(
        f"{item},{who},{age},{(item + age) % 2}\n" for item in range(6) for who, age in (("a", 31), ("b", 47))
    )
    assert "kept, and not measured: 'age'" in accord.read(put(tmp_path, f"item,annotator,age,label\n{rows}")).notes
    study = accord.read(put(tmp_path, f"item,annotator,age,tone\n{rows}"))
    assert study.roles["label"] == "tone", "what is constant within a person is no answer"


def test_the_question_which_column_is_the_label_leaves_out_what_an_item_has_once(tmp_path: Path) -> None:
    rows = "".join(
        f"{item},{who},{'ab'[item % 2]},site,{(item + place) % 2},{item % 3 % 2},{'xyz'[(item * place) % 3]}\n"
        for item in range(6)
        for place, who in enumerate("abc")
    )
    file = put(tmp_path, f"item,annotator,forum,source,joy,anger,tone\n{rows}")
    with pytest.raises(InputError, match=r"'joy', 'anger', 'tone' could each be the label") as raised:
        accord.read(file)
    assert "shape='indicators' if each of the yes/no columns is a label" in str(raised.value)
    assert accord.read(file, shape="indicators").labels == ("joy", "anger")


def test_a_topic_about_which_people_differ_is_an_answer(tmp_path: Path) -> None:
    text = "item,annotator,tone,topic\n1,a,p,s\n1,b,p,t\n2,a,q,s\n2,b,p,s\n"
    with pytest.raises(InputError, match=r"'tone', 'topic' could each be the label.*label=\['tone', 'topic'\]"):
        accord.read(put(tmp_path, text))


def test_the_doctor_tells_what_columns_beside_answers_and_lists_in_cells_are(tmp_path: Path) -> None:
    beside = diagnose(put(tmp_path, "id,ana_label,ana_confidence,ben_label,ben_confidence\n1,x,3,x,2\n2,y,1,x,3\n"))
    assert [column.taken_for for column in beside.columns] == [
        "the item",
        "the answers of ana",
        "confidence, beside the answers of ana",
        "the answers of ben",
        "confidence, beside the answers of ben",
    ]
    lists = diagnose(put(tmp_path, 'id,annotators,labels\n1,"[""a"", ""b""]","[""x"", ""y""]"\n'))
    assert [column.taken_for for column in lists.columns][1:] == [
        "who answered, several in a cell",
        "the answers, several in a cell",
    ]

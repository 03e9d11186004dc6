"""Layouts of public data sets that nobody here had seen: read as an expert would, or asked about with calls to copy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import DuplicateAnswers, InputError, OptionError
from accord.readers.diagnosis import diagnose

TONES = ("warm", "cold", "warm", "cold", "warm", "warm")


def table(tmp_path: Path, text: str, name: str = "table.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def lines(header: str, rows: Sequence[Sequence[Any]]) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def records(tmp_path: Path, held: Any) -> Path:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(held))
    return path


@pytest.mark.parametrize("who", ["reader", "observer_id", "Grader", "judge_model", "Turk ID", "radiologist"])
def test_those_who_answer_are_known_by_more_words(tmp_path: Path, who: str) -> None:
    rows = [(case, person, TONES[case]) for case in range(4) for person in ("p", "q")]
    study = accord.read(table(tmp_path, lines(f"case,{who},label", rows)))
    assert (study.n_items, study.annotators) == (4, ("p", "q"))


def test_numbered_answers_beside_numbered_names_are_those_peoples(tmp_path: Path) -> None:
    people = ("ana", "ben", "cy")
    scores = (3, 9, 4, 4, 7)
    rows = [(item, scores[item], scores[item - 1], people[item % 3], people[(item + 1) % 3]) for item in range(5)]
    study = accord.read(table(tmp_path, lines("Id,Score1,Score2,TurkId1,TurkId2", rows)))
    assert not study.tasks
    assert study.annotators == people
    assert "whom columns such as 'TurkId1' name" in str(study.describe())


def test_runs_of_a_judge_are_runs_where_it_judged_again(tmp_path: Path) -> None:
    rows = [(s, judge, run, 5 + s) for s in range(4) for judge in ("gpt-4o", "qwen-7b") for run in (0, 1)]
    study = accord.read(table(tmp_path, lines("sample_id,judge_model,run_id,score", rows)))
    assert study.roles["run"] == "run_id"
    once = [(s, judge, judge[:3], 5 + s) for s in range(4) for judge in ("gpt-4o", "qwen-7b")]
    study = accord.read(table(tmp_path, lines("sample_id,judge_model,run_id,score", once)))
    assert "run" not in study.roles, "it says which batch it was"


def test_a_table_that_kept_two_columns_of_a_crowd_platform_is_a_table(tmp_path: Path) -> None:
    rows = [(f"H{hit}", f"W{who}", TONES[hit]) for hit in range(4) for who in range(2)]
    study = accord.read(table(tmp_path, lines("HITId,WorkerId,label", rows)))
    assert (study.n_items, study.n_annotators, study.labels) == (4, 2, ("cold", "warm"))


def test_the_only_column_that_is_left_names_the_items(tmp_path: Path) -> None:
    rows = [(wine, judge, (1, 3, 3, 6)[wine]) for judge in "AB" for wine in range(4)]
    study = accord.read(table(tmp_path, lines("Wine,Judge,Scores", rows)))
    assert (study.n_items, study.annotators) == (4, ("A", "B"))
    assert "'Wine' names them, the only one that can" in str(study.describe())


def test_who_does_not_say_the_item_is_told_which_columns_may_be_it(tmp_path: Path) -> None:
    pairs = [("use1", "use2"), ("use1", "use3"), ("use2", "use3"), ("use2", "use2")]
    rows = [(*pair, who, place % 3, "x") for place, pair in enumerate(pairs) for who in ("ana", "ben")]
    path = table(tmp_path, lines("identifier1,identifier2,annotator,judgment,lemma", rows))
    with pytest.raises(InputError, match=r"item=\['identifier1', 'identifier2'\]"):
        accord.read(path)
    assert accord.read(path, item=["identifier1", "identifier2"]).n_items == 4


def test_two_crossed_columns_and_a_third_are_offered_as_rows(tmp_path: Path) -> None:
    rows = [(subject, f"Q{item}", (subject * item) % 5) for item in range(4) for subject in range(10, 16)]
    path = table(tmp_path, lines("Subj,Items,Points", rows))
    with pytest.raises(InputError, match="item='Items', annotator='Subj', label='Points'"):
        accord.read(path)
    assert accord.read(path, item="Items", annotator="Subj", label="Points").n_annotators == 6


def test_a_first_column_of_which_nothing_comes_again_names_the_items(tmp_path: Path) -> None:
    rows = [
        (f"slide {letter}", tone, tone, TONES[::-1][place])
        for place, (letter, tone) in enumerate(zip("abcdef", TONES, strict=True))
    ]
    study = accord.read(table(tmp_path, lines("specimen,ana,ben,cy", rows)))
    assert study.items[:2] == ("slide a", "slide b")
    assert study.annotators == ("ana", "ben", "cy")


@pytest.mark.parametrize("shape", ["confusion", "wide"])
def test_rows_called_as_columns_are_asked_about(tmp_path: Path, shape: Any) -> None:
    path = table(tmp_path, ",yes,no,other\nyes,30,4,3\nno,5,41,6\nother,2,3,22\n")
    with pytest.raises(InputError, match=f"shape='{shape}'"):
        accord.read(path)
    assert accord.read(path, shape=shape).n_items == {"confusion": 116, "wide": 3}[shape]


def test_counts_called_numbers_of_something_are_asked_about(tmp_path: Path) -> None:
    path = table(tmp_path, lines("tweet_id,num_yes,num_no", [(f"t{n}", n % 4, 5 - n % 4) for n in range(6)]))
    with pytest.raises(InputError, match="shape='counts'"):
        accord.read(path)
    assert accord.read(path, shape="counts").n_annotations == 30


def test_what_tells_repeated_answers_apart_is_named(tmp_path: Path) -> None:
    rows = [(unit, who, again, TONES[unit]) for unit in range(4) for who in ("ana", "ben") for again in (1, 2)]
    path = table(tmp_path, lines("unit,coder,round,code", rows))
    with pytest.raises(DuplicateAnswers, match="Such rows differ in 'round': task='round'"):
        accord.read(path)
    assert sorted(accord.read(path, task="round").tasks) == [1, 2]


def tweets(separator: str) -> list[dict[str, Any]]:
    said: Mapping[str, Sequence[str]] = {"ana": ("care", f"care{separator}harm"), "ben": ("harm", "care")}
    return [
        {
            "id": number,
            "annotations": [{"annotator": who, "annotation": labels[number]} for who, labels in said.items()],
        }
        for number in range(2)
    ]


def test_records_within_records_are_read_where_it_is_said(tmp_path: Path) -> None:
    path = records(tmp_path, [{"corpus": "A", "tweets": tweets(",")}])
    with pytest.raises(InputError, match="records='tweets'"):
        accord.read(path)
    with pytest.raises(OptionError, match="must be one of 'tweets'"):
        accord.read(path, records="tweet")
    study = accord.read(path, records="tweets")
    assert (study.n_items, study.annotators) == (2, ("ana", "ben"))
    assert "separator=','" in str(study.describe()), "labels may be several"
    sets = accord.read(path, records="tweets", separator=",")
    assert (sets.kind, sets.labels) == ("set", ("care", "harm"))


def test_a_separator_counts_in_tables_of_several_variables_too(tmp_path: Path) -> None:
    path = table(tmp_path, "id,tone_R1,topic_R1,tone_R2,topic_R2\n1,warm|kind,sea,warm,sea\n2,cold,sky|sea,,sky\n")
    assert "separator='|'" in str(accord.read(path).describe())
    study = accord.read(path, separator="|")
    assert study.tasks["tone"].labels == ("cold", "kind", "warm")
    assert study.tasks["tone"].n_annotations == 3, "an empty cell is no empty answer"


def test_lists_of_labels_without_names_are_offered_beside_other_columns(tmp_path: Path) -> None:
    held = [{"pairID": f"p{n}", "annotator_labels": [TONES[n], TONES[n - 1]], "parse": f"( x{n} )"} for n in range(6)]
    path = records(tmp_path, held)
    with pytest.raises(InputError, match="shape='unnamed', label='annotator_labels'"):
        accord.read(path)
    assert accord.read(path, shape="unnamed", label="annotator_labels").n_annotations == 12


def test_a_question_of_several_on_one_scale_is_asked_about(tmp_path: Path) -> None:
    rows = [(n, who, (n + at) % 5, (n * at) % 5, n % 3) for n in range(8) for at, who in enumerate(("ana", "ben"), 1)]
    path = table(tmp_path, lines("comment_id,annotator_id,sentiment,respect,platform", rows))
    with pytest.raises(InputError, match="'sentiment', 'respect' could each be the label"):
        accord.read(path)
    assert list(accord.read(path, label=["sentiment", "respect"]).tasks) == ["respect", "sentiment"]
    alone = table(tmp_path, lines("comment_id,annotator_id,sentiment,platform", [(*row[:3], row[4]) for row in rows]))
    assert accord.read(alone).roles["label"] == "sentiment"


def test_two_columns_that_name_items_together_are_offered_together(tmp_path: Path) -> None:
    rows = [(f"d{d}", s, who, TONES[d + s]) for d in range(3) for s in range(3) for who in ("ana", "ben")]
    path = table(tmp_path, lines("doc,segment_id,rater,label", rows))
    with pytest.raises(InputError, match=r"together they are .*item=\['doc', 'segment_id'\]"):
        accord.read(path)
    assert accord.read(path, item=["doc", "segment_id"]).n_items == 9


@pytest.mark.parametrize("named", ["item,,,,\n", ""], ids=["index named", "index without a name"])
def test_two_levels_of_columns_as_pandas_writes_them(tmp_path: Path, named: str) -> None:
    head = "annotator,ana,ana,ben,ben\nquestion,tone,topic,tone,topic\n"
    study = accord.read(
        table(tmp_path, f"{head}{named}d1,warm,sea,warm,sea\nd2,cold,sea,warm,sky\nd3,cold,sky,cold,sky\n")
    )
    assert list(study.tasks) == ["tone", "topic"]
    assert study.tasks["tone"].items == ("d1", "d2", "d3")
    assert study.tasks["tone"].annotators == ("ana", "ben")


def test_a_judge_with_its_prompt_has_one_name(tmp_path: Path) -> None:
    held = [
        {"question_id": n, "model_a": "x", "model_b": "y", "winner": winner, "judge": [judge, "pair-v2"]}
        for n, winner in enumerate(("model_a", "model_b", "tie (inconsistent)"))
        for judge in ("gpt-4", "claude-v1")
    ]
    study = accord.read(records(tmp_path, held))
    assert study.annotators == ("claude-v1 pair-v2", "gpt-4 pair-v2")


def test_what_stands_beside_human_labels_and_is_called_a_model_is_one(tmp_path: Path) -> None:
    rows = [(n, tone, tone) for n, tone in enumerate(TONES)]
    study = accord.read(table(tmp_path, lines("id,human_label,llm_label", rows)))
    assert study.kinds == {"llm_label": "model"}


def test_the_doctor_says_of_wide_tables_what_was_done_with_their_columns(tmp_path: Path) -> None:
    rows = [(f"e{n}", f"Some words of the answer to number {n}.", 3 - n % 3, 2 + n % 2) for n in range(6)]
    found = diagnose(table(tmp_path, lines("essay_id,answer,rater1,rater2", rows))).columns
    taken = {column.name: column.taken_for for column in found}
    assert taken["essay_id"] == "the item"
    assert "about items" in taken["answer"], "which is called as labels are"
    people = [(n, (3, 9, 4, 4, 7)[n], (1, 2, 2, 7, 9)[n], "ana", "ben") for n in range(5)]
    found = diagnose(table(tmp_path, lines("Id,Score1,Score2,TurkId1,TurkId2", people))).columns
    taken = {column.name: column.taken_for for column in found}
    assert taken["Score2"] == "the answers of those whom 'TurkId2' names"
    assert taken["TurkId1"] == "who gave the answers in 'Score1'"


def test_relevance_judgements_are_offered_as_what_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "qrels"
    folder.mkdir()
    for shift, who in enumerate(("trec", "gpt-4o")):
        judged = [
            f"{query} 0 d{document} {(query + document * shift) % 4}" for query in (11, 12) for document in range(4)
        ]
        (folder / f"{who}.qrels.txt").write_text("\n".join(judged) + "\n")
    with pytest.raises(InputError, match=r"header=False, item=\['column_1', 'column_3'\], label='column_4'"):
        accord.read(folder)
    study = accord.read(folder, header=False, item=["column_1", "column_3"], label="column_4")
    assert (study.n_items, study.annotators) == (8, ("gpt-4o", "trec"))


def test_a_header_with_one_name_twice_may_be_none(tmp_path: Path) -> None:
    path = table(tmp_path, "yes,no,yes\nno,no,yes\nyes,yes,yes\nno,no,no\n")
    with pytest.raises(InputError, match="If there is no header, say so: header=False"):
        accord.read(path)
    assert accord.read(path, header=False, shape="wide").n_items == 4


def test_no_object_is_offered_as_the_name_of_an_item(tmp_path: Path) -> None:
    held = [
        {"info": {"id": n}, "worker": who, "choice": n % 2, "batch": "b"} for n in range(4) for who in ("ana", "ben")
    ]
    with pytest.raises(InputError, match="Which column is the item") as caught:
        accord.read(records(tmp_path, held))
    assert "item='info'" not in str(caught.value)


@pytest.mark.parametrize(("one", "other"), [("student", "expert"), ("human", "judge"), ("observer", "examiner")])
def test_columns_called_after_annotators_hold_their_answers_where_items_have_one_row(
    tmp_path: Path, one: str, other: str
) -> None:
    rows = [(n, tone, TONES[n - 1]) for n, tone in enumerate(TONES)]
    study = accord.read(table(tmp_path, lines(f"id,{one},{other}", rows)))
    assert (study.n_items, set(study.annotators)) == (6, {one, other})
    again = [(n // 2, f"p{n % 2}", tone) for n, tone in enumerate(TONES)]
    assert accord.read(table(tmp_path, lines(f"id,{other},label", again))).annotators == ("p0", "p1")


def test_numbers_in_a_column_called_after_annotators_are_asked_about_where_items_have_one_row(tmp_path: Path) -> None:
    rows = [(f"q{n}", (1, 4, 5, 2, 3, 3)[n], (1, 5, 5, 2, 3, 4)[n]) for n in range(6)]
    path = table(tmp_path, lines("question_id,human,judge", rows))
    with pytest.raises(InputError, match=r"annotators=\['human', 'judge'\]"):
        accord.read(path)
    assert accord.read(path, annotators=["human", "judge"]).n_annotations == 12

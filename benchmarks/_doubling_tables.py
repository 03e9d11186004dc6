"""Tables, surveys and benchmarks of any size for `reading_doubles`, beside the exports of annotation tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks._doubling_exports import MAKERS, PEOPLE, WORD, lines, maker, put, shared
from tests.readers.make_table_samples import Cells, book_of

EVERY = MAKERS  # those of annotation tools, and those that are registered here
KIND = ("Kind", "Neutral", "Unkind")


def table(path: Path, head: str, rows: list[str]) -> Path:
    return put(path, "\n".join([head, *rows]) + "\n")


@maker("a table with ticks")
def ticks(folder: Path, number: int) -> Path:
    rows = [f"{item},{who},{'x,' if item % 2 else ',x'}" for item, who in shared(number)]
    return table(folder / "ticks.csv", "item,annotator,joy,fear", rows)


@maker("a table with runs of blanks")
def blanks(folder: Path, number: int) -> Path:
    rows = [f"{item:>9}   {who}  {KIND[item % 3]}" for item, who in shared(number)]
    return table(folder / "straight.txt", "  item  annotator  label", rows)


@maker("a table with merged cells")
def merged(folder: Path, number: int) -> Path:
    rows = [f"{item if who == PEOPLE[0] else ''},{who},{KIND[item % 3]}" for item, who in shared(number)]
    return table(folder / "merged.csv", "item,annotator,label", rows)


@maker("a table of R")
def of_r(folder: Path, number: int) -> Path:
    rows = [f'"{at}" {item} "{who}" "{KIND[item % 3]}"' for at, (item, who) in enumerate(shared(number), start=1)]
    return table(folder / "r.txt", '"item" "annotator" "label"', rows)


@maker("TSV with marks in texts")
def quotes(folder: Path, number: int) -> Path:
    rows = [f'{item}\t"{WORD} {item}\tx\tx' for item in range(number)]
    return table(folder / "quotes.tsv", "id\ttext\tana\tben", rows)


@maker("lists in cells")
def lists(folder: Path, number: int) -> Path:
    rows = [f"{item},\"['ana', 'ben']\",\"['x', '{'xy'[item % 2]}']\"" for item in range(number)]
    return table(folder / "lists.csv", "id,annotators,labels", rows)


@maker("lists of several variables")
def several_lists(folder: Path, number: int) -> Path:
    one = {"text": WORD, "annotators": [*PEOPLE], "labels_tone": ["x", "y"], "labels_topic": [["a"], ["a", "b"]]}
    return put(folder / "lists.json", json.dumps({str(item): one for item in range(number)}))


@maker("several variables in a wide table")
def family(folder: Path, number: int) -> Path:
    rows = [
        f"{item},warm,sea,{'warm' if item % 2 else 'cold'},{'sea' if item % 3 else 'land'}" for item in range(number)
    ]
    return table(folder / "family.csv", "id,tone_R1,topic_R1,tone_R2,topic_R2", rows)


@maker("a wide table of many strangers")
def strangers(folder: Path, number: int) -> Path:
    head = ",".join(["item", *(f"p{at}" for at in range(number))])  # each shares a label with the next one only
    rows = [",".join([str(item), *(f"l{at + item % 2}" for at in range(number))]) for item in range(6)]
    return table(folder / "strangers.csv", head, rows)


@maker("ranked labels with ties")
def ranked(folder: Path, number: int) -> Path:
    rows = [f"{item},{who},{label},{rank}" for item, who in shared(number) for label, rank in (("x", 1), ("y", 2))]
    return table(folder / "ranked.csv", "item,annotator,label,rank", rows)


@maker("rankings")
def rankings(folder: Path, number: int) -> Path:
    rows = [
        f"q{item},{who},{option},{rank}" for item, who in shared(number) for rank, option in enumerate("abc", start=1)
    ]
    return table(folder / "rankings.csv", "query,annotator,option,rank", rows)


@maker("preferences")
def preferences(folder: Path, number: int) -> Path:
    rows = [f"{item},m1,m2,{'model_a' if item % 2 else 'model_b'},{who}" for item, who in shared(number)]
    return table(folder / "preferences.csv", "question_id,model_a,model_b,winner,judge", rows)


@maker("spans in a table")
def spans(folder: Path, number: int) -> Path:
    rows = [f"{item},{who},LOC,{item % 7},{item % 7 + 3}" for item, who in shared(number)]
    return table(folder / "spans.csv", "item,annotator,label,start,end", rows)


@maker("an Excel book, a sheet an annotator")
def book(folder: Path, number: int) -> Path:
    cells: list[list[str | int | None]] = [["id", "label"]]
    cells += [[item, KIND[item % 3]] for item in range(number)]
    sheets: dict[str, Cells] = dict.fromkeys(PEOPLE, cells)
    path = folder / "book.xlsx"
    path.write_bytes(book_of(sheets))
    return path


@maker("JSON by annotator and item")
def by_keys(folder: Path, number: int) -> Path:
    held = {who: {f"d{item}": KIND[item % 3] for item in range(number)} for who in PEOPLE}
    return put(folder / "keys.json", json.dumps(held))


@maker("Qualtrics, many responses")
def qualtrics(folder: Path, number: int) -> Path:
    ids = ",".join(f'"{{""ImportId"":""{name}""}}"' for name in ("startDate", "status", "_recordId", "QID1", "QID2"))
    rows = [f"2026-03-01,IP Address,R_{at},{KIND[at % 3]},{KIND[at % 2]}" for at in range(number)]
    head = "StartDate,Status,ResponseId,Q1,Q2"
    return table(folder / "qualtrics.csv", head, ["Start,Response Type,Response ID,Is 1 kind?,Is 2 kind?", ids, *rows])


@maker("Google Forms, many respondents")
def google_forms(folder: Path, number: int) -> Path:
    rows = [f"3/1/2026,p{at}@example.org,{KIND[at % 3]},{KIND[at % 2]}" for at in range(number)]
    return table(folder / "form.csv", "Timestamp,Email Address,Is text 1 kind?,Is text 2 kind?", rows)


@maker("LimeSurvey, many responses")
def limesurvey(folder: Path, number: int) -> Path:
    rows = [f"{at},2026-03-01,2,en,{KIND[at % 3]},{KIND[at % 2]}" for at in range(number)]
    return table(folder / "lime.csv", "id,submitdate,lastpage,startlanguage,kind[T1],kind[T2]", rows)


@maker("SurveyMonkey, many respondents")
def surveymonkey(folder: Path, number: int) -> Path:
    rows = [f"{at},1,{KIND[at % 3]},{KIND[at % 2]}" for at in range(number)]
    head = "Respondent ID,Collector ID,Is text 1 kind?,Is text 2 kind?"
    return table(folder / "monkey.csv", head, [",,Response,Response", *rows])


@maker("REDCap, many records")
def redcap(folder: Path, number: int) -> Path:
    rows = [f"{at},e,c{item},{who},{item % 3},1,0,2" for at, (item, who) in enumerate(shared(number))]
    head = "record_id,redcap_event_name,case_id,rater,mood,signs___1,signs___2,rating_complete"
    return table(folder / "redcap.csv", head, rows)


@maker("KoBo, many submissions")
def kobo(folder: Path, number: int) -> Path:
    rows = [f"{who},d{item},{KIND[item % 3]},u{at},2026" for at, (item, who) in enumerate(shared(number))]
    return table(folder / "kobo.csv", "coder,doc_id,tone,_uuid,_submission_time", rows)


@maker("MAXQDA, many segments")
def qda(folder: Path, number: int) -> Path:
    rows = [f"Talk {item},hope,{item % 9},{item % 9 + 1},{who}" for item, who in shared(number)]
    return table(folder / "qda.csv", "Document name,Code,Beginning,End,Created by", rows)


@maker("LeWiDi, many items")
def lewidi(folder: Path, number: int) -> Path:
    entry = {"text": WORD, "annotation task": "t", "number of annotations": 2, "annotations": "0,1",
             "annotators": "Ann1,Ann2", "lang": "en", "hard_label": "0", "soft_label": {"0": 0.5, "1": 0.5},
             "split": "train", "other_info": {}}  # fmt: skip
    return put(folder / "Boats_train.json", json.dumps({str(item): entry for item in range(number)}))


@maker("the alternative annotator test, many instances")
def alt_test(folder: Path, number: int) -> Path:
    for name, people in (("human", PEOPLE), ("llm", ("m",))):
        held = {who: {f"d{item}": item % 3 for item in range(number)} for who in people}
        put(folder / f"alt/{name}_annotations.json", json.dumps(held))
    return folder / "alt"


@maker("JUDGE-BENCH, many instances")
def judge_bench(folder: Path, number: int) -> Path:
    scale = {"metric": "edible", "category": "categorical", "prompt": "?", "labels_list": ["yes", "no"]}
    asked = {"edible": {"individual_human_scores": ["yes", "no"], "majority_human": "yes"}}
    instances = [{"id": item, "instance": WORD, "annotations": asked} for item in range(number)]
    whole = {"dataset": "recipes", "annotations": [scale], "instances": instances}
    return put(folder / "recipes.json", json.dumps(whole))


@maker("LabelMe, many pictures")
def labelme(folder: Path, number: int) -> Path:
    shape: dict[str, Any] = {
        "label": "boat",
        "points": [[1, 1], [5, 5]],
        "group_id": None,
        "shape_type": "rectangle",
        "flags": {},
    }
    for item, who in shared(number // 10 + 1):
        held: dict[str, Any] = {
            "version": "5.5.0",
            "flags": {},
            "shapes": [shape] * 10,
            "imagePath": f"{item}.jpg",
            "imageData": None,
        }
        put(folder / f"me/{who}/{item}.json", json.dumps({**held, "imageHeight": 9, "imageWidth": 9}))
    return folder / "me"


@maker("counts of labels in cells")
def counted(folder: Path, number: int) -> Path:
    return lines(folder / "c.jsonl", ({"id": item, "label_counter": {"e": 3, "n": item % 4}} for item in range(number)))

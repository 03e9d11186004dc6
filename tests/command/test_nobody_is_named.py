"""Ways in which a name came out of the command although people were to be anonymous, each as it was found."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command.running import DATA, in_terminal, run
from tests.readers.make_table_samples import book_of

NAMES = ("Xanthippe", "Quentin", "Zebedee")
WIDE = "item,Xanthippe,Quentin,gpt\n1,a,a,b\n2,b,b,b\n3,a,b,a\n4,b,a,b\n"
BOOK = DATA.parents[1] / "readers" / "samples" / "tables" / "book.xlsx"
HALF = "\ud83d"  # of a character, as a text is left that is cut within it


def put(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


def told(*words: str, folder: Path = DATA) -> str:
    said = run(*words, folder=folder)
    return said.out + said.err


def test_a_judged_table_names_no_column_of_a_person(tmp_path: Path) -> None:
    said = told("judge", put(tmp_path / "wide.csv", WIDE), "--models", "gpt", "--anonymise")
    assert "a column per annotator: A1, A2, gpt" in said
    assert "Xanthippe" not in said


def test_people_are_not_called_as_a_model_is(tmp_path: Path) -> None:
    named, other = (put(tmp_path / f"{model}.csv", WIDE.replace("gpt", model)) for model in ("A1", "gpt"))
    for_a1 = json.loads(told("judge", named, "--models", "A1", "--anonymise", "--json"))
    for_gpt = json.loads(told("judge", other, "--models", "gpt", "--json"))
    (one,), (other_one,) = for_a1["tables"]["models"], for_gpt["tables"]["models"]
    assert one == {**other_one, "model": "A1"}


def test_who_decided_is_an_adjudicator_with_a_number(tmp_path: Path) -> None:
    table = put(tmp_path / "wide.csv", WIDE)
    decided = put(tmp_path / "decided.csv", "item,decision,decided_by\n1,a,Zebedee\n2,b,Xanthippe\n3,a,Zebedee\n")
    for form in (("-o", "-"), ("--json",)):
        said = told("gold", table, "--anonymise", "--decisions", decided, *form)
        assert "adjudicator 2" in said
        assert not {"Zebedee", "Xanthippe"} & {*said.replace(",", " ").replace('"', " ").split()}


@pytest.mark.parametrize("command", ["report", "publish", "gold"])
def test_texts_that_name_the_items_are_not_hidden_and_that_is_said(tmp_path: Path, command: str) -> None:
    rows = "".join(f"A secret text {number},{who},a\n" for number in (1, 2) for who in ("ana", "ben"))
    table = put(tmp_path / "texts.csv", "text,annotator,label\n" + rows)
    more = {"gold": ("--queue", "2")}.get(command, ("-o", str(tmp_path / "out.html")))
    said = run(command, table, "--no-text", *more)
    assert (said.code, "secret" in said.out) == (2, False)
    assert said.err.endswith("names the items. Name the items by a column of ids: --item ….\n")


VARIABLES = "item,tone_Xanthippe,aim_Xanthippe,tone_ben,aim_ben\n1,a,c,b,c\n2,b,d,b,c\n3,a,d,a,d\n4,b,c,b,d\n"
ACCOUNTS = {f"CORP\\{who}": {"i1": "a", "i2": "b", "i3": label} for who, label in (("Xanthippe", "a"), ("ben", "b"))}
FILES = {
    "D/Xanthippe Q.csv": "item,annotator,label\n1,p,a\n2,p,b\n",
    "D/Ben.csv": "item,annotator,label\n1,p,b\n2,q,b\n",
}
RECORDS = '{"Xanthippe":[{"item":1,"label":"a"}],"Ben":[{"foo":1,"label":"a"}],"n":3}'
CASES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "beside an underline": ({"v.csv": VARIABLES}, ("v.csv",)),
    "with a backslash": ({"b.json": json.dumps(ACCOUNTS)}, ("b.json", "--annotator", "key")),
    "in the name of a file with a blank": (FILES, ("D",)),
    "in the name of a column that was decided": (
        {"w.csv": "item,ana,ben,gold (Xanthippe)\n1,a,a,a\n2,b,b,b\n3,a,b,a\n"},
        ("w.csv",),
    ),
    "in the name of a list of records": ({"r.json": RECORDS}, ("r.json",)),
    "in a line that is no record": (
        {"n.jsonl": '{"item": 1, "annotator": "ben", "label": "x"}\n"Xanthippe"\n'},
        ("n.jsonl",),
    ),
    "of whoever marked a place that is none": (
        {"s.csv": "item,annotator,start,end,label\n1,Xanthippe,9,3,a\n1,ben,1,2,b\n"},
        ("s.csv",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_no_note_and_no_error_names_anybody(tmp_path: Path, case: str) -> None:
    files, words = CASES[case]
    for name, text in files.items():
        put(tmp_path / name, text)
    assert "Xanthippe" in told("measure", *words, folder=tmp_path), "it would be told"
    assert "Xanthippe" not in told("measure", *words, "--anonymise", folder=tmp_path)


def test_whoever_is_a_person_and_a_model_at_once_is_not_named(tmp_path: Path) -> None:
    words = ("judge", put(tmp_path / "wide.csv", WIDE), "--people", "Xanthippe", "--models", "Xanthippe")
    assert "'Xanthippe' cannot be a person and a model at once" in told(*words)
    assert "Xanthippe" not in told(*words, "--anonymise")


@pytest.mark.parametrize("command", ["measure", "report"])
def test_a_sheet_is_not_named(tmp_path: Path, command: str) -> None:
    with zipfile.ZipFile(BOOK) as book, zipfile.ZipFile(tmp_path / "one.xlsx", "w") as other:
        for name in book.namelist():
            other.writestr(name, book.read(name).replace(b'name="Answers"', b'name="Xanthippe"'))
    page = tmp_path / "page.md"
    more = ("-o", str(page)) if command == "report" else ()
    said = told(command, str(tmp_path / "one.xlsx"), "--sheet", "Xanthippe", "--anonymise", *more)
    assert "Xanthippe" not in said + (page.read_text("utf-8") if more else "")


NUMBERED = [
    (item, who, "ab"[(item + place) % 2]) for item in range(100) for place, who in enumerate(("100", "300", "5"))
]


def notes_of(folder: Path, rows: list[tuple[int, str, str]], *words: str) -> list[str]:
    lines = "".join(f"{item},{who},{label}\n" for item, who, label in rows) + "0,zz,b\n,zz,a\n"
    table = put(folder / "numbers.csv", f"item,annotator,label\n{lines}")
    said = json.loads(told("measure", table, "--anonymise", "--json", "--quiet", *words))
    return [said["study"]["shape"], *said["study"]["notes"], *map(str, said["study"]["left_out"])]


def test_numbers_in_notes_stay_where_people_are_called_by_numbers(tmp_path: Path) -> None:
    others = {"100": "Xanthippe", "300": "Quentin", "5": "Zebedee"}
    plain = [(item, others[who], label) for item, who, label in NUMBERED]
    assert notes_of(tmp_path, NUMBERED) == notes_of(tmp_path, plain)
    for name in ("100", "101"):
        put(tmp_path / "D" / f"{name}.csv", "item,label\n" + "".join(f"{item},a\n" for item in range(100)))
    said = told("measure", "D", "--anonymise", folder=tmp_path)
    assert "note: items in more than one of the files: 100 of 100" in said


def test_short_names_that_are_words_change_no_word(tmp_path: Path) -> None:
    wide = put(tmp_path / "wide.csv", "item,a,of,yes\n1,yes,a|b,no\n2,no,yes,no\n3,yes,a|c,no\n4,no,no,yes\n")
    said = told("measure", wide, "--anonymise")
    assert "note: a column per annotator: A1, A2, A3\n" in said
    assert "cells such as 'a|b' were read as one label each; if they hold several, say --separator '|'" in said


COPIED = "item,annotator,label,coder,owner,topic\n" + "".join(
    f"{item},{who},{'ab'[(item + place) % 2]},{who.upper()},{NAMES[item % 2]},t{item % 2}\n"
    for item in range(6)
    for place, who in enumerate(NAMES)
)
WRITTEN = {"report": ("-o", "r.md"), "paper": ("-o", "p.md"), "tally": ("-o", "t.tally"), "measure": ()}


@pytest.mark.parametrize("command", WRITTEN)
@pytest.mark.parametrize("column", ["annotator", "coder", "owner"])
def test_groups_that_would_name_people_are_refused(tmp_path: Path, command: str, column: str) -> None:
    put(tmp_path / "x.csv", COPIED)
    said = run(command, "x.csv", "--by", column, "--anonymise", *WRITTEN[command], folder=tmp_path)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"accord: --by {column} names the annotators, or tells who of them answered")
    assert said.err.endswith("or leave out --anonymise.\n")
    assert run(command, "x.csv", "--by", "topic", "--anonymise", *WRITTEN[command], folder=tmp_path).code == 0


@pytest.mark.parametrize("said", ["{} says", "{}@example.org", "checked by {}, in May", "{}"])
def test_groups_whose_values_hold_a_name_among_other_words_are_refused(tmp_path: Path, said: str) -> None:
    rows = "".join(
        f'{item},{who},a,"{said.format("Xanthippe")}",a cup of tea\n' for item in (1, 2) for who in ("Xanthippe", "a")
    )
    put(tmp_path / "x.csv", f"item,annotator,label,comment,topic\n{rows}")
    for more in ((), ("--annotators", "Xanthippe")):  # of one person, every group belongs to one
        refused = run("measure", "x.csv", "--by", "comment", "--anonymise", *more, folder=tmp_path)
        assert (refused.code, "names the annotators" in refused.err) == (2, True), refused.out
    assert run("measure", "x.csv", "--by", "topic", "--anonymise", folder=tmp_path).code in (0, 3)


def test_groups_by_the_answers_of_somebody_are_refused(tmp_path: Path) -> None:
    said = run("measure", put(tmp_path / "wide.csv", WIDE), "--by", "Xanthippe", "--anonymise")
    assert (said.code, "names the annotators" in said.err) == (2, True)


BROKEN = {
    "a broken file": '[report]\nanonymise = true\n[read]\nadjudicator = "Xanthippe\n',
    "a key that is none": '[report]\nanonymise = true\n[read]\n"Xanthippe" = 3\n',
    "a part that is none": "[report]\nanonymise = true\n[Xanthippe]\n",
    "a value that cannot be": "[report]\nanonymise = true\n[read]\nexclude = {Xanthippe = 3}\n",
    "a key twice": "[report]\nanonymise = true\n[read]\nXanthippe = 1\nXanthippe = 2\n",
    "a list in a list": '[report]\nanonymise = true\n[read]\nexclude = [["Xanthippe"]]\n',
    "hiding that is no flag": '[report]\nanonymise = "yes"\n[read]\nexclude = {Xanthippe = 3}\n',
    "a setting that fits no data": '[report]\nanonymise = true\n[read]\nconfig = "Xanthippe.xml"\n',
    "a setting of another word": '[report]\nanonymise = true\n[read]\nduplicates = "Xanthippe"\n',
    "nobody of that name": '[report]\nanonymise = true\n[read]\nadjudicator = "Xanthippus"\n',
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_wrong_setting_names_nobody(tmp_path: Path, broken: str) -> None:
    put(tmp_path / "x.csv", COPIED)
    put(tmp_path / "accord.toml", BROKEN[broken])
    for words in (("report", "x.csv", "-o", "r.md"), ("measure", "x.csv", "--anonymise")):
        said = run(*words, folder=tmp_path)
        assert (said.code, "anthipp" in (said.err + said.out).lower()) == (2, False), said.err


def test_a_list_within_a_list_of_settings_is_told(tmp_path: Path) -> None:
    put(tmp_path / "x.csv", COPIED)
    put(tmp_path / "accord.toml", '[read]\nlabels = [["a"]]\n')
    said = run("measure", "x.csv", folder=tmp_path)
    what = "'labels' must be a list, with no list or table inside its lists; got [['a']]."
    assert (said.code, said.err) == (2, f"accord: accord.toml, [read]: {what}\n")


def test_words_of_our_own_are_told_where_people_are_hidden(tmp_path: Path) -> None:
    put(tmp_path / "x.csv", COPIED)
    said = run("measure", "x.csv", "--anonymise", "--level", "nominl", folder=tmp_path)
    assert "must be one of 'nominal', 'ordinal'" in said.err
    assert said.err.endswith("got 'nominl'. Did you mean 'nominal'?\n")


GUESSED = {
    "of variables": ("v.csv", "item,tone_Xanthippe,aim_Xanthippe,tone_Quentin,aim_Quentin\n1,a,b,c,d\n2,b,a,d,c\n"),
    "of keys": ("k.json", json.dumps({who: {"i1": "a", "i2": "b"} for who in ("Xanthippe", "Quentin", "Zebedee")})),
}


@pytest.mark.parametrize("case", GUESSED)
def test_people_who_were_guessed_are_not_hidden_but_asked_for(tmp_path: Path, case: str) -> None:
    name, text = GUESSED[case]
    put(tmp_path / name, text)
    said = run("measure", name, "--anonymise", folder=tmp_path)
    assert (said.code, "Xanthippe" in said.err + said.out) == (2, False)
    assert "it was guessed, and they are to be hidden. Say it: --annotator" in said.err


def test_people_of_a_tally_by_several_columns_have_one_number_each(tmp_path: Path) -> None:
    rows = "".join(f"{item},{who},{item % 2},{item % 3},a\n" for item in range(6) for who in ("ana", "ben"))
    table, key = put(tmp_path / "long.csv", "item,annotator,lang,topic,label\n" + rows), tmp_path / "key.json"
    said = run("tally", table, "-o", str(tmp_path / "t.tally"), "--by", "lang,topic", "--anonymise", "--key", str(key))
    assert said.code == 0
    rows_of_key: list[dict[str, Any]] = json.loads(key.read_text("utf-8"))["rows"]
    assert sorted(row["annotator"] for row in rows_of_key) == ["ana", "ben"]


def test_half_a_character_in_a_name_is_kept_in_the_key(tmp_path: Path) -> None:
    rows = [(1, f"{HALF}ann", "x"), (1, "ben", "x"), (2, f"{HALF}ann", "y"), (2, "ben", "x")]
    lines = (json.dumps({"item": item, "annotator": who, "label": label}) for item, who, label in rows)
    table, key = put(tmp_path / "half.jsonl", "\n".join(lines)), tmp_path / "key.json"
    for _ in range(2):
        assert run("measure", table, "--anonymise", "--key", str(key)).code == 0
    assert {row["annotator"] for row in json.loads(key.read_text("utf-8"))["rows"]} == {f"{HALF}ann", "ben"}


def test_a_key_of_brackets_is_no_key(tmp_path: Path) -> None:
    key = put(tmp_path / "key.json", "[" * 100_000)
    said = run("measure", put(tmp_path / "wide.csv", WIDE), "--anonymise", "--key", key)
    assert (said.code, "This is no key" in said.err) == (2, True)


def test_pages_are_not_published_in_the_root_of_a_disk(tmp_path: Path) -> None:
    said = run("publish", put(tmp_path / "wide.csv", WIDE), "-o", "/")
    assert (said.code, said.err) == (
        2,
        "accord: --output must be a folder of its own, and not the root of a disk; got '/'.\n",
    )


def test_half_a_character_in_the_name_of_a_column_can_be_written(tmp_path: Path) -> None:
    rows = (
        {"item": item, "annotator": who, "label": "x", f"{HALF}more": 1} for item in (1, 2) for who in ("ana", "ben")
    )
    table, target = put(tmp_path / "half.jsonl", "\n".join(map(json.dumps, rows))), tmp_path / "long.parquet"
    assert run("convert", table, "-o", str(target)).code == 0
    assert run("measure", str(target)).code in (0, 3)


def test_a_width_that_nothing_reaches_is_planned_for_all_the_same() -> None:
    said = run("plan", "tiny.csv", "--width", "1e-160")
    assert (said.code, "reached" in said.out) == (3, True)


def test_a_terminal_is_not_steered_by_what_other_programs_would_read(tmp_path: Path) -> None:
    label = "x\x1b]0;steered\x07\u009b31m"
    rows = ({"item": item, "annotator": who, "label": label} for item in (1, 2) for who in ("ana", "ben"))
    table = put(tmp_path / "marks.jsonl", "\n".join(json.dumps(row) for row in rows))
    for words in (("convert", table, "-o", "-"), ("gold", table, "-o", "-"), ("measure", table, "--json")):
        seen = in_terminal(*words, columns=100).out
        assert "steered" in seen
        assert not any(mark in seen for mark in ("\x1b]", "\x07", "\x9b"))


def of_each(folder: Path, name: str, text: str) -> str:
    """A file of each of two people, called after them."""
    for who in NAMES[:2]:
        put(folder / "D" / f"{who}{name}", text)
    return "D"


def sheets_of_people(folder: Path) -> str:
    path = folder / "x.xlsx"
    path.write_bytes(book_of({who: [["item", "label"], [1, "a"], [1, "b"]] for who in NAMES[:2]}))
    return "x.xlsx"


def answers_of(value: object) -> str:
    """An export of Label Studio, in which a choice is something else."""
    chosen = {"from_name": "tone", "to_name": "t", "type": "choices", "value": {"choices": value}}
    task = {"id": 1, "data": {"text": "x"}, "annotations": [{"id": 1, "completed_by": 1, "result": [chosen]}]}
    return json.dumps([task])


ODD: dict[str, tuple[Callable[[Path], str], tuple[str, ...], str]] = {
    "sheets": (sheets_of_people, (), "There are the sheets …; to read one, say --sheet …."),
    "an option of files": (
        lambda folder: of_each(folder, ".csv", "item,label\n1,a\n2,b\n"),
        ("--sheet", "zz"),
        "… is a table in text, which does not use --sheet … (it is for ",
    ),
    "an object for a label": (
        lambda folder: put(folder / "x.json", answers_of([{"Xanthippe": "Quentin"}])),
        (),
        "A label should be text or a number, and it is an object (…).",
    ),
    "columns": (
        lambda folder: put(folder / "x.csv", "item,Xanthippe,Quentin,Zebedee\n" + "".join(
            f"{item},{'ab'[item % 2]},{'cd'[item % 2]},{'ef'[item % 2]}\n" for item in range(12)
        )),
        (),
        "… share no label with each other, so these may not all be annotators. Say it, ",
    ),
    "a part of a file": (
        lambda folder: put(folder / "Boats_dev.json", json.dumps({"Xanthippe": {
            "text": "x", "number of annotations": 2, "annotations": "0,1", "annotators": "Ann2,Ann3", "split": [],
        }})),
        ("--from", "lewidi"),
        "Boats_dev.json, item …: ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_values_that_were_made_text_before_the_message_are_hidden_in_it(tmp_path: Path, case: str) -> None:
    make, words, expected = ODD[case]
    source = Path(make(tmp_path)).name
    named = run("measure", source, *words, folder=tmp_path)
    assert (named.code, any(name in named.err for name in NAMES)) == (2, True), named.err
    said = run("measure", source, *words, "--anonymise", folder=tmp_path)
    assert (said.code, said.out) == (2, "")
    assert not [name for name in NAMES if name in said.err], said.err
    assert expected in said.err


def test_a_status_that_may_be_a_name_is_not_told_where_nothing_counts(tmp_path: Path) -> None:
    table = put(tmp_path / "x.csv", "item,annotator,label,status\n1,ana,x,draft\n1,ben,x,Xanthippe\n2,ben,x,rejected\n")
    words = ("measure", table, "--status", "status")
    assert "left out: 1 with the status 'Xanthippe'" in told(*words)
    assert "left out: 1 with the status …" in told(*words, "--anonymise")


def test_items_without_a_weight_are_not_told(tmp_path: Path) -> None:
    rows = "".join(f"Xanthippe {item},{who},x,{item or ''}\n" for item in (0, 1, 2) for who in ("ana", "ben"))
    words = ("measure", put(tmp_path / "x.csv", f"item,annotator,label,item_weight\n{rows}"))
    assert "'Xanthippe 0'" in told(*words)
    said = told(*words, "--anonymise")
    assert "no weight" in said
    assert "Xanthippe" not in said


def test_who_decided_is_not_told_by_an_error_either(tmp_path: Path) -> None:
    table = put(tmp_path / "wide.csv", WIDE)
    decided = put(tmp_path / "decided.csv", "item,decision\nZebedee,a\n")
    said = run("gold", table, "--anonymise", "--decisions", decided, "--decided-by", "Zebedee")
    assert said.code == 2
    assert said.err.startswith("accord: A decision names item …, which the study does not have.")

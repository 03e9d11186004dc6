"""Who and where: an anonymous report names nobody, its key is never lost, and no page tells local folders."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import accord
from accord import Study
from accord.cli.report import typed
from accord.errors import FileError, MayBeNames, Message, PeopleNames, remedy
from accord.reporting.anonymise import anonymised, read_key, write_key
from tests.command.running import run

WIDE = "item,Xanthippe,Quentin\n1,a,a\n2,b,a\n3,b,b\n"
NAMES = ("Xanthippe", "Quentin", "Zebedee")
SHOWING = ("measure", "explain")


def long_csv(*people: str) -> str:
    rows = [f"{item},{who},{'ab'[(item + place) % 2]}" for item in range(4) for place, who in enumerate(people)]
    return "\n".join(["item,annotator,label", *rows]) + "\n"


@pytest.mark.parametrize("ending", ["html", "md", "json", "tex"])
def test_an_anonymous_report_of_a_wide_table_names_nobody(tmp_path: Path, ending: str) -> None:
    (tmp_path / "w.csv").write_text(WIDE, encoding="utf-8")
    assert run("report", "w.csv", "--anonymise", "-o", f"r.{ending}", folder=tmp_path).code == 0
    text = (tmp_path / f"r.{ending}").read_text(encoding="utf-8")
    assert not [name for name in NAMES if name in text]


@pytest.mark.parametrize("command", [("explain",), ("measure",), ("measure", "--json")])
def test_other_commands_hide_the_names_in_notes_too(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "w.csv").write_text(WIDE, encoding="utf-8")
    said = run(*command, "w.csv", "--anonymise", folder=tmp_path)
    assert said.out
    assert not [name for name in NAMES if name in said.out]


@pytest.mark.parametrize(
    "option", [("--adjudicator", "Xanthippe"), ("--annotators", "Quentin,Zebedee"), ("--exclude", "Xanthippe")]
)
def test_options_that_name_people_are_hidden_in_the_command_to_repeat(tmp_path: Path, option: tuple[str, ...]) -> None:
    (tmp_path / "long.csv").write_text(long_csv(*NAMES), encoding="utf-8")
    said = run("report", "long.csv", "--anonymise", *option, "-o", "e.md", folder=tmp_path)
    assert said.code == 0, said.err
    text = (tmp_path / "e.md").read_text(encoding="utf-8")
    assert f"`accord report long.csv --anonymise {option[0]} … -o e.md`" in text
    assert not [name for name in NAMES if name in text]


def test_no_folder_stands_in_the_command_to_repeat(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "x.csv").write_text(long_csv("ana", "ben"), encoding="utf-8")
    run("report", str(tmp_path / "secret" / "x.csv"), "-o", "secret/r.html", "--title", "and/or", folder=tmp_path)
    text = (tmp_path / "secret" / "r.html").read_text(encoding="utf-8")
    assert "accord report x.csv -o r.html --title and/or" in text
    assert "secret" not in text
    assert str(tmp_path) not in text


def test_options_are_kept_as_they_were_typed() -> None:
    assert typed(["report", "x.csv", "--separator", "/", "--labels", "a b,c"], hidden=False) == (
        "accord report x.csv --separator / --labels 'a b,c'"
    )
    assert typed(["report", "x.csv", "--people=ana,ben"], hidden=True) == "accord report x.csv --people=…"


def test_the_key_keeps_people_who_are_not_in_this_study(tmp_path: Path) -> None:
    def report(*people: str) -> dict[str, str]:
        (tmp_path / "x.csv").write_text(long_csv(*people), encoding="utf-8")
        run("report", "x.csv", "--anonymise", "-o", "w.md", "-q", "--force", folder=tmp_path)
        return read_key(tmp_path / "w-key.json")

    first = report("Xanthippe", "Quentin", "Zebedee")
    second = report("Xanthippe", "Abelard")
    third = report("Xanthippe", "Quentin", "Zebedee")
    assert second == first | {"Abelard": "A4"}
    assert third == second


def test_a_key_keeps_the_codes_the_same_in_every_command(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(long_csv(*NAMES), encoding="utf-8")
    hiding = ("x.csv", "--anonymise", "--key", "who.json")
    assert run("measure", *hiding, "--by-annotator", folder=tmp_path).code == 0
    first = read_key(tmp_path / "who.json")
    assert set(first) == set(NAMES)
    assert run("explain", *hiding, folder=tmp_path).out
    assert run("report", *hiding, "-o", "-", "--format", "md", folder=tmp_path).code == 0
    assert read_key(tmp_path / "who.json") == first
    said = run("gold", *hiding, "--queue", "9", "--queue-names", "--show-annotators", folder=tmp_path).out
    assert f"{first['Xanthippe']}: a" in said
    assert not [name for name in NAMES if name in said]


@pytest.mark.parametrize("command", ["measure", "explain", "gold", "report"])
def test_a_key_without_hiding_anybody_is_refused(tmp_path: Path, command: str) -> None:
    (tmp_path / "x.csv").write_text(long_csv(*NAMES), encoding="utf-8")
    said = run(command, "x.csv", "--key", "who.json", folder=tmp_path)
    assert (said.code, "--key belongs to --anonymise" in said.err) == (2, True)


def test_the_help_says_that_codes_are_drawn_anew(tmp_path: Path) -> None:
    said = run("measure", "--help", folder=tmp_path).out
    assert "drawn anew each time" in " ".join(said.replace("│", " ").split())


def test_only_its_owner_may_read_the_key(tmp_path: Path) -> None:
    accord.report(accord.Study.from_pairs(list("aab"), list("abb")), tmp_path / "r.md", anonymise=True)
    key = tmp_path / "r-key.json"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"r.md", "r-key.json"}


def test_a_key_in_which_two_are_called_alike_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "k-key.json"
    rows = [{"called": "A1", "annotator": "ana"}, {"called": "A1", "annotator": "ben"}]
    key.write_text(json.dumps({"rows": rows}), encoding="utf-8")
    with pytest.raises(FileError, match="two annotators are called A1"):
        read_key(key)


def test_a_key_that_grew_in_the_meantime_is_not_written_over(tmp_path: Path) -> None:
    key = tmp_path / "k.json"
    _, first = anonymised(accord.Study.from_wide({"ana": ["x", "y"], "ben": ["x", "x"]}), rng=1)
    _, second = anonymised(accord.Study.from_wide({"cy": ["x", "y"], "dan": ["x", "x"]}), rng=1)
    write_key(first, {}, key)
    with pytest.raises(FileError, match="Somebody else added people to the key in the meantime"):
        write_key(second, {}, key)
    assert set(read_key(key)) == {"ana", "ben"}


def test_people_listed_in_a_note_become_codes_and_whoever_has_none_goes() -> None:
    called = {"ana": "A1", "ana maria": "A2", "Quentin": "A3", "b": "A4", "caf\u00e9": "A5"}
    note = Message("b is no word here: ", PeopleNames(["b", "ana maria", "Quen", "cafe\u0301"], quoted=False))
    assert note.unnamed(called) == "b is no word here: A2, A4, A5, …"


def test_codes_stand_in_their_own_order_not_in_that_of_the_names() -> None:
    called = {"ana": "A2", "ben": "A10", "chloe": "A3"}
    assert PeopleNames(["ana", "ben", "chloe"]).hidden(called) == "'A2', 'A3', 'A10'"
    assert PeopleNames(["ben", "chloe", "ana"], most=2).hidden(called) == "'A2', 'A3' … (3 in all)"


def test_counts_and_words_stay_whatever_people_are_called() -> None:
    people = PeopleNames(["100", "5", "a"])
    note = Message("100 rows and 5 columns of a table: ", people, MayBeNames(" in 5.csv", ""), "; 5 of 100 are a tie")
    called = {"100": "A1", "5": "A2", "a": "A3"}
    assert note.unnamed(called) == "100 rows and 5 columns of a table: 'A1', 'A2', 'A3'; 5 of 100 are a tie"


def test_values_of_keywords_in_notes_are_hidden_by_what_they_are() -> None:
    note = Message("say ", remedy(item=MayBeNames("Xanthippe"), separator="|"), " or ", remedy(answers="set"))
    assert note.unnamed({}) == "say item=…, separator='|' or answers='set'"


@pytest.mark.parametrize("files", [("Xanthippe.csv", "Quentin.csv", "Zebedee.csv"), (".",)])
def test_files_called_after_people_are_named_nowhere(tmp_path: Path, files: tuple[str, ...]) -> None:
    (tmp_path / "answers").mkdir()
    for place, name in enumerate(NAMES):
        rows = [f"{item},{'ab'[(item + place) % 2]}{' ' if name == 'Quentin' else ''}" for item in range(4)]
        (tmp_path / "answers" / f"{name}.csv").write_text("\n".join(["item,label", *rows]), encoding="utf-8")
    typed_files = [f"answers/{file}" for file in files]
    said = run("report", *typed_files, "--anonymise", "-o", "r.md", folder=tmp_path)
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "in 3 files" in text
    for told in (text, said.out, *(run(word, *typed_files, "--anonymise", folder=tmp_path).out for word in SHOWING)):
        assert told
        assert not [name for name in NAMES if name in told]


def test_the_title_and_the_command_to_repeat_count_files_where_names_are_hidden(tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / f"{name}.csv").write_text("item,label\n1,a\n2,b\n", encoding="utf-8")
    files = [f"{name}.csv" for name in NAMES]
    run("report", *files, "--anonymise", "-o", "r.md", folder=tmp_path)
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert text.startswith("# Agreement in 3 files\n")
    assert "`accord report … --anonymise -o r.md`" in text
    run("report", *files, "-o", "named.md", folder=tmp_path)
    assert "# Agreement in Xanthippe.csv and 2 more" in (tmp_path / "named.md").read_text(encoding="utf-8")


def test_notes_of_several_variables_are_hidden_too() -> None:
    study = accord.Study.from_wide({"Xanthippe": ["x", "y"], "Quentin": ["x", "x"]})
    several = study._with_tasks({"tone": study})._with_origin(
        "table", (Message("answers of ", PeopleNames(["Xanthippe"]), " were read"),)
    )
    hidden, _ = anonymised(several, rng=1)
    assert "Xanthippe" not in " ".join(hidden.notes)


def test_of_runs_at_once_nobody_whose_number_was_told_is_lost_from_the_key(tmp_path: Path) -> None:
    path = tmp_path / "key.json"

    def told(number: int) -> dict[str, str]:
        study = Study.from_wide({f"p{number}": ["x", "y"], f"q{number}": ["x", "x"]})
        known = read_key(path)
        _, key = anonymised(study, known)
        try:
            write_key(key, known, path)
        except FileError:  # somebody was quicker, and nothing was told
            return {}
        return dict(zip(key["annotator"], key["called"], strict=True))

    with ThreadPoolExecutor(8) as runs:
        everybody = [one for some in range(4) for one in runs.map(told, range(8 * some, 8 * some + 8))]
    key = read_key(path)
    assert any(everybody)
    assert all(key[name] == called for one in everybody for name, called in one.items())

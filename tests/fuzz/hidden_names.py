"""People who are to be hidden: planted names, looked for in all that a command prints and writes, files' names too."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import normalize

import accord
from accord.reporting.anonymise import anonymised
from tests.command.running import run
from tests.fuzz.campaign import Campaign, Case, Differs
from tests.fuzz.commands import ENDS
from tests.readers.make_table_samples import book_of

LETTERS = "bcdfghjklmnpqrstvwxz"
MISTAKABLE = ["100", "5", "7", "1", "a", "ab", "yes", "item", "Ö"]
LABELS = [["yes", "no"], ["1", "2", "5"], ["low", "middle", "high"], ["a|b", "a", "b"], ["0,5", "1,5"]]
KEY = "key.json"  # who is who: the one place where names may stand
LINES = [
    ["measure"],
    ["measure", "--by-pair", "--by-annotator", "--by-item"],
    ["measure", "--json"],
    ["measure", "--by-pair", "--format", "csv"],
    ["explain"],
    ["explain", "--json"],
    ["gold", "--show-annotators", "--queue", "3", "--queue-names", "--queue-file", "q.csv", "-o", "g.csv"],
    ["gold", "--json", "--queue", "2"],
    ["judge"],
    ["judge", "--json"],
    ["report", "-o", "r.md"],
    ["report", "-o", "r.json"],
    ["paper", "-o", "p.md"],
    ["tally", "-o", "t.tally"],
]
NAMING = ["--models", "--annotators", "--exclude", "--adjudicator", "--people", "--where", "--sheet", "--gold"]
OTHERS = [
    ["--by", "topic"], ["--by", "who_again"], ["--duplicates", "first"], ["--answers", "set"], ["--on-error", "skip"],
    ["--separator", "|"], ["--level", "nominal"], ["--level", "nominl"], ["--shape", "wide"], ["--label", "lable"],
    ["--confidence", "95"], ["--annotator", "key"], ["--only", "tone"], ["--item", "id"],
]  # fmt: skip
SETTINGS = [
    "[read]\nannotators = [{name}]\n", "[read]\nexclude = {{x = {name}}}\n", "[read]\n{name} = 3\n", "[{name}]\n",
    "[measure]\nby = {name}\n", "[read]\nadjudicator = {name}\n", "[read]\nlabels = [[{name}]]\n", "[read]\nx = {name}",
]  # fmt: skip
CODE = re.compile(r"\bA\d+\b")


def draw(chance: random.Random) -> Case:
    """People, their answers, a form of the table and a command."""
    people = [_name(chance) for _ in range(chance.choice((1, 2, 2, 3)))]
    others = chance.sample(MISTAKABLE, chance.choice((0, 1, 1, 2)) + (len(people) == 1))
    everybody = [*people, *others]
    chance.shuffle(everybody)
    labels = chance.choice(LABELS)
    answers = [
        [chance.choice(labels) if chance.random() < 0.9 else None for _ in everybody]
        for _ in range(chance.choice((2, 3, 6, 9)))
    ]
    line = [*chance.choice(LINES), "--anonymise"]
    judging = line[0] == "judge"
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2))):
        if chance.random() < 0.5:
            option, name = chance.choice(NAMING[judging:]), chance.choice(people)  # models keep their names
            line += [option, f"annotator={name}" if option == "--where" else chance.choice((name, name[:-1]))]
        else:
            line += chance.choice(OTHERS)
    setting = chance.choice(SETTINGS) if chance.random() < 0.1 else None
    form = "judged" if judging and chance.random() < 0.7 else chance.choice(list(FORMS))
    return {"people": everybody, "planted": people, "answers": answers, "form": form, "line": line, "setting": setting}


def _name(chance: random.Random) -> str:
    """A name that nothing else is called, written as names are."""
    first, last = ("".join(chance.choices(LETTERS, k=8)) for _ in range(2))
    return chance.choice(
        (
            first.title(), f"{first.title()} {last.title()}", f"{first}_{last}", f"O'{first}", f'{first} "x" {last}',
            normalize("NFD", f"é{first}ü{last}"), f"{first}@{last}.org", f"CORP\\{first}", f"{first}-{last}",
            f"Dr. {first}", first.upper(), f"{first}ß",
        )
    )  # fmt: skip


# -- forms of a table --------------------------------------------------------------------------------------------------


def _csv(rows: list[list[Any]], path: Path, mark: str = ",") -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(
        ["" if cell is None else cell for cell in row] for row in rows
    )
    path.parent.mkdir(exist_ok=True)
    path.write_text(out.getvalue(), encoding="utf-8")


def _long(case: Case) -> list[list[Any]]:
    rows = [
        [f"i{number}", who, label, "t1" if number % 2 else "t2", who]
        for number, labels in enumerate(case["answers"])
        for who, label in zip(case["people"], labels, strict=True)
    ]
    return [["item", "annotator", "label", "topic", "who_again"], *rows]


def _wide(case: Case, called: Callable[[str], str] = str) -> list[list[Any]]:
    rows = [[f"i{number}", *labels] for number, labels in enumerate(case["answers"])]
    return [["item", *map(called, case["people"])], *rows]


def _of_variables(case: Case) -> list[list[Any]]:
    head = [f"{variable}_{who}" for who in case["people"] for variable in ("tone", "aim")]
    rows = [
        [f"i{number}", *(cell for label in labels for cell in (label, label))]
        for number, labels in enumerate(case["answers"])
    ]
    return [["item", *head], *rows]


def _decided(case: Case) -> list[list[Any]]:
    head, *rows = _wide(case)
    return [[*head, f"gold ({case['planted'][0]})"], *([*row, row[1]] for row in rows)]


def _judged(case: Case) -> list[list[Any]]:
    head, *rows = _long(case)
    models = [[row[0], "gpt", row[2], row[3], "gpt", "model"] for row in rows[:: len(case["people"])]]
    kinds = dict.fromkeys(case["people"], "person") | {case["people"][-1]: "adjudicator"}
    return [[*head, "kind"], *([*row, kinds[row[1]]] for row in rows), *models]


def _preferred(case: Case) -> list[list[Any]]:
    rows = [
        ["x" if number % 2 else "y", "z", *(label and ("first", "second")[len(label) % 2] for label in labels)]
        for number, labels in enumerate(case["answers"])
    ]
    return [["first", "second", *case["people"]], *rows]


def _ranked(case: Case) -> list[list[Any]]:
    size = len(case["answers"])
    rows = [
        [f"o{number}", *((number * (place + 1)) % size + 1 for place in range(len(case["people"])))]
        for number in range(size)
    ]
    return [["option", *case["people"]], *rows]


def _marked(case: Case) -> list[list[Any]]:
    rows = [
        [f"i{number}", who, label, place, place + 4, "The ship sails to Rome."]
        for number, labels in enumerate(case["answers"])
        for place, (who, label) in enumerate(zip(case["people"], labels, strict=True))
    ]
    return [["item", "annotator", "label", "start", "end", "text"], *rows]


def _book(sheets: dict[str, list[list[Any]]], path: Path) -> None:
    path.write_bytes(book_of(sheets))


def _each(case: Case) -> dict[str, list[list[Any]]]:
    """A table for each annotator, by a title that a sheet and a file may have."""
    return {
        re.sub(r"[\\/*?:\[\]'\"]", " ", who)[:31]: [
            ["item", "label"],
            *([f"i{number}", labels[place]] for number, labels in enumerate(case["answers"])),
        ]
        for place, who in enumerate(case["people"])
    }


def _files(case: Case, folder: Path) -> None:
    for name, rows in _each(case).items():
        _csv(rows, folder / "D" / f"{name}.csv")


def _keyed(case: Case, folder: Path) -> None:
    held = {
        who: {f"i{number}": labels[place] for number, labels in enumerate(case["answers"])}
        for place, who in enumerate(case["people"])
    }
    (folder / "x.json").write_text(json.dumps(held, ensure_ascii=False), encoding="utf-8")


def _lists(case: Case, folder: Path) -> None:
    held = {
        who: [{"item": f"i{number}", "label": labels[place]} for number, labels in enumerate(case["answers"])]
        for place, who in enumerate(case["people"])
    }
    (folder / "x.json").write_text(json.dumps(held), encoding="utf-8")


def _titled(case: Case, folder: Path) -> None:
    _csv([[f"Annotated by {case['planted'][0]}"], *_long(case)], folder / "x.csv")


def _short(case: Case, folder: Path) -> None:
    rows = _long(case)
    _csv([*rows, [rows[-1][1]]], folder / "x.csv")


def _zipped(case: Case, folder: Path) -> None:
    _files(case, folder)
    with zipfile.ZipFile(folder / "x.zip", "w") as packed:
        for path in (folder / "D").iterdir():
            packed.write(path, path.name)


FORMS: dict[str, tuple[str, Callable[[Case, Path], None]]] = {
    "long": ("x.csv", lambda case, folder: _csv(_long(case), folder / "x.csv")),
    "semicolons": ("x.csv", lambda case, folder: _csv(_long(case), folder / "x.csv", ";")),
    "wide": ("x.csv", lambda case, folder: _csv(_wide(case), folder / "x.csv")),
    "wide semicolons": ("x.csv", lambda case, folder: _csv(_wide(case), folder / "x.csv", ";")),
    "rated by": ("x.csv", lambda case, folder: _csv(_wide(case, "tone_{}".format), folder / "x.csv")),
    "variables": ("x.csv", lambda case, folder: _csv(_of_variables(case), folder / "x.csv")),
    "decided": ("x.csv", lambda case, folder: _csv(_decided(case), folder / "x.csv")),
    "judged": ("x.csv", lambda case, folder: _csv(_judged(case), folder / "x.csv")),
    "preferred": ("x.csv", lambda case, folder: _csv(_preferred(case), folder / "x.csv")),
    "ranked": ("x.csv", lambda case, folder: _csv(_ranked(case), folder / "x.csv")),
    "marked": ("x.csv", lambda case, folder: _csv(_marked(case), folder / "x.csv")),
    "twice": ("x.csv", lambda case, folder: _csv([*_long(case), _long(case)[1]], folder / "x.csv")),
    "titled": ("x.csv", _titled),
    "short": ("x.csv", _short),
    "files": ("D", _files),
    "zip": ("x.zip", _zipped),
    "sheets": ("x.xlsx", lambda case, folder: _book(_each(case), folder / "x.xlsx")),
    "a sheet": ("x.xlsx", lambda case, folder: _book({next(iter(_each(case))): _long(case)}, folder / "x.xlsx")),
    "keys": ("x.json", _keyed),
    "lists": ("x.json", _lists),
}


# -- the try -----------------------------------------------------------------------------------------------------------


def attempt(case: Case, folder: Path) -> str:
    """Run it, and look for the names; and for numbers in notes that are none of the data's."""
    source, write = FORMS[case["form"]]
    write(case, folder)
    if case["setting"] is not None:
        text = case["setting"].format(name=json.dumps(case["planted"][0], ensure_ascii=False))
        (folder / "accord.toml").write_text(text, encoding="utf-8")
    command, *more = case["line"]
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    keyed = ["--key", KEY] if command in ("measure", "report", "tally") else []
    said = run(command, source, *more, *keyed, folder=folder)
    if said.code not in ENDS or "Traceback" in said.err:
        raise Differs(f"{case['line']} ended with {said.code}: {said.err[-300:]}")
    written = [path for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime_ns != before.get(path)]
    told = [said.out, said.err, *(f"{path.name}: {_held(path)}" for path in written if path.name != KEY)]
    for name in case["planted"]:
        for one in told:
            if (where := _place(name, one)) is not None:
                raise Differs(f"{case['form']}, {case['line']} tells {name!r}: {where}")
    _check_numbers(case, folder)
    return ENDS[said.code]


def _place(name: str, told: str) -> str | None:
    """Where a name stands in a text, in any of the ways in which it may be written."""
    text = normalize("NFC", told).casefold()
    for form in {name, repr(name)[1:-1], json.dumps(name)[1:-1], re.sub(r"[\\/*?:\[\]'\"]", " ", name)[:31]}:
        place = text.find(normalize("NFC", form).casefold())
        if place >= 0:
            return repr(text[max(place - 80, 0) : place + 60])
    return None


def _held(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def _check_numbers(case: Case, folder: Path) -> None:
    """Numbers in notes are the same whatever people are called, whose codes stand there."""
    told = []
    for called in (str, lambda who: f"Q{case['people'].index(who)}uentin"):
        other = {**case, "people": [called(who) for who in case["people"]]}
        _csv(_long(other), folder / "numbers.csv")
        study = accord.read(folder / "numbers.csv", label="label", item="item", annotator="annotator")
        hidden, _ = anonymised(study, rng=1)
        told.append([CODE.sub("A", note) for note in (hidden.shape, *hidden._reader_notes)])
    if told[0] != told[1]:
        raise Differs(f"names change notes: {told}")


CAMPAIGN = Campaign("names", draw, attempt)

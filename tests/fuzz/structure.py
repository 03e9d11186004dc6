"""Samples whose columns, records, keys or elements were changed by somebody who knows the format."""

from __future__ import annotations

import base64
import csv
import io
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import accord
from accord.study.declared_scales import of_study
from tests.fuzz.campaign import Campaign, Case
from tests.fuzz.same_study import compare
from tests.readers.corruption import FORMATS, IN_ANOTHER_PROCESS, SAMPLES, TARGETS, damaged

CELLS: tuple[Any, ...] = (
    "", " ", "0", "-1", "1e999", "nan", "None", "=1+1", "'=1", "a\nb", 'a"b', "[1, 2]", "['a']", "{}", "9" * 5000,
    "\u202e", "x" * 3000, "\ud83d", "1;2", "a|b", "2026-13-45", "true", "\0", "٣", "1,5",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**25, 1.5, float("nan"), "", "x", [], {}, [[]], {"id": 1}, [None], "\ud83d", "9" * 5000,
    "=1+1", 10**4400,
)  # fmt: skip


def draw(chance: random.Random) -> Case:
    """A sample, and what one of its files holds now."""
    target = chance.choice([name for name in TARGETS if name not in IN_ANOTHER_PROCESS])
    name, options = TARGETS[target]
    files = sorted(path for path in (SAMPLES / name).rglob("*") if path.is_file()) or [SAMPLES / name]
    victim = chance.choice(files)
    data = victim.read_bytes()
    for _ in range(chance.choice((1, 1, 2))):
        data = mutated(data, victim.suffix.lower(), chance)
    form = next((form for start, form in FORMATS.items() if target.startswith(start)), None)
    said = {**options, **({"format": form} if form is not None and chance.random() < 0.4 else {})}
    said |= {"on_error": chance.choice(("raise", "skip")), "duplicates": chance.choice(("error", "last", "repeat"))}
    return {
        "sample": name,
        "file": victim.relative_to(SAMPLES).as_posix(),
        "holds": base64.b64encode(data).decode(),
        "options": said,
        "write": chance.choice((".csv", ".jsonl", ".parquet", None, None)),
    }


def mutated(data: bytes, suffix: str, chance: random.Random) -> bytes:
    """The file after one change; where its structure cannot be seen, after a blow."""
    way = {".json": _json, ".jsonl": _lines, ".ndjson": _lines, ".manifest": _lines, ".csv": _csv, ".tsv": _csv}
    way |= dict.fromkeys((".xml", ".xmi"), _xml)
    try:
        return way[suffix](data, chance)
    except (KeyError, ValueError, TypeError, IndexError, csv.Error, ET.ParseError, RecursionError):
        return damaged(data, chance)


def _csv(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8-sig")
    mark = max(",;\t|", key=text.split("\n", 1)[0].count)
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if row]
    chance.choice(_OF_ROWS)(rows, chance)
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator=chance.choice(("\n", "\r\n"))).writerows(rows)
    return out.getvalue().encode("utf-8", "surrogatepass")


def _cell(rows: list[list[str]], chance: random.Random) -> None:
    row = chance.choice(rows)
    row[chance.randrange(len(row))] = chance.choice(CELLS)


def _column_of_one(rows: list[list[str]], chance: random.Random) -> None:
    place, cell = chance.randrange(len(rows[0])), chance.choice(CELLS)
    for row in rows[1:]:
        row[min(place, len(row) - 1)] = cell


def _drop_column(rows: list[list[str]], chance: random.Random) -> None:
    place = chance.randrange(len(rows[0]))
    for row in rows:
        del row[place : place + 1]


def _double_column(rows: list[list[str]], chance: random.Random) -> None:
    place = chance.randrange(len(rows[0]))
    for number, row in enumerate(rows):
        row.insert(place, f"{row[place]} again" if not number else row[place])


def _swap_columns(rows: list[list[str]], chance: random.Random) -> None:
    one, other = chance.randrange(len(rows[0])), chance.randrange(len(rows[0]))
    for row in rows[chance.randrange(2) :]:
        row[one], row[other] = row[other], row[one]


def _rename(rows: list[list[str]], chance: random.Random) -> None:
    words = (
        "item",
        "annotator",
        "label",
        "rank",
        "score",
        "start",
        "end",
        "task",
        "status",
        "run",
        "kind",
        "answers",
        "count",
    )
    rows[0][chance.randrange(len(rows[0]))] = chance.choice((*words, *CELLS[:8], chance.choice(rows[0])))


def _repeat_rows(rows: list[list[str]], chance: random.Random) -> None:
    rows += [list(row) for row in chance.sample(rows, min(len(rows), chance.randint(1, 3)))]


def _drop_rows(rows: list[list[str]], chance: random.Random) -> None:
    del rows[chance.randrange(len(rows)) :]


def _shuffle(rows: list[list[str]], chance: random.Random) -> None:
    rest = rows[1:]
    chance.shuffle(rest)
    rows[1:] = rest


def _ragged(rows: list[list[str]], chance: random.Random) -> None:
    row = chance.choice(rows)
    row[:] = [*row, ""] if chance.random() < 0.5 else row[:-1]


_OF_ROWS: tuple[Callable[[list[list[str]], random.Random], None], ...] = (
    _cell, _cell, _cell, _column_of_one, _drop_column, _double_column, _swap_columns, _rename, _rename, _repeat_rows,
    _drop_rows, _shuffle, _ragged,
)  # fmt: skip


def _dumped(value: Any) -> str:
    """JSON of numbers that Python itself would not write."""
    return json.dumps(value, ensure_ascii=False, default=str).replace(f'"{"9" * 5000}"', "9" * 5000)


def _json(data: bytes, chance: random.Random) -> bytes:
    return _dumped(changed_json(json.loads(data.decode("utf-8-sig")), chance)).encode("utf-8", "surrogatepass")


def _lines(data: bytes, chance: random.Random) -> bytes:
    rows = [json.loads(line) for line in data.decode("utf-8-sig").splitlines() if line.strip()]
    rows = changed_json(rows, chance)
    return "\n".join(map(_dumped, rows)).encode("utf-8", "surrogatepass")


def changed_json(value: Any, chance: random.Random) -> Any:
    """A value with one place in it changed, somewhere down."""
    if not isinstance(value, list | dict) or not value or chance.random() < 0.05:
        return chance.choice(VALUES[:-1])
    if isinstance(value, list):
        place = chance.randrange(len(value))
        deed = chance.random()
        if deed < 0.08:
            return [*value, value[place]]
        if deed < 0.14:
            return value[:place] + value[place + 1 :]
        if deed < 0.18:
            return [*reversed(value)]
        return [*value[:place], changed_json(value[place], chance), *value[place + 1 :]]
    key, deed = chance.choice(list(value)), chance.random()
    if deed < 0.08:
        return {name: held for name, held in value.items() if name != key}
    if deed < 0.14:
        return {
            chance.choice((name, f"{name}_x", "id", "label")) if name == key else name: v for name, v in value.items()
        }
    if deed < 0.18:
        return {**value, key: [value[key]]}
    if deed < 0.22:
        return {**value, key: value[chance.choice(list(value))]}
    return {**value, key: changed_json(value[key], chance)}


def _xml(data: bytes, chance: random.Random) -> bytes:
    root = ET.fromstring(data)
    elements = list(root.iter())
    element, other = chance.choice(elements), chance.choice(elements)
    deed = chance.randrange(5)
    if deed == 0 and len(element):
        element.remove(chance.choice(list(element)))
    elif deed == 1:
        element.append(other if element is not other and element not in list(other.iter()) else ET.Element("new"))
    elif deed == 2 and element.attrib:
        element.attrib[chance.choice(list(element.attrib))] = chance.choice(("", "-1", "x", "9" * 5000, "1.5", "NaN"))
    elif deed == 3 and element.attrib:
        del element.attrib[chance.choice(list(element.attrib))]
    else:
        element.text = chance.choice(("", "x", "-1", "9" * 5000))
    return ET.tostring(root)


def attempt(case: Case, folder: Path) -> str:
    """Read it; what was read is described, and comes back when it is written."""
    sample = SAMPLES / case["sample"]
    copy = folder / "in" / sample.name
    if sample.is_dir():
        shutil.copytree(sample, copy)
        victim = copy / Path(case["file"]).relative_to(case["sample"])
    else:
        copy.parent.mkdir()
        victim = copy
    victim.write_bytes(base64.b64decode(case["holds"]))
    study = accord.read(copy, **case["options"])
    str(study.describe())
    if case["write"] is not None:
        again = accord.read(study.write(folder / f"long{case['write']}"))
        if study.n_annotations and not _holds_odd(study):  # without an answer, labels are at most declared
            compare(study, again, f"after {case['write']}", typed_items=False, declared=not _lists_unused(study))
    return "study"


def _lists_unused(study: accord.Study) -> bool:
    """Are there labels that nobody declared or gave in the end? Kept beside a table, they come back as declared."""
    parts = {str(name): part for name, part in study.tasks.items()} or {"": study}
    return any(scale.labels and not parts[name].answers.declared for name, scale in of_study(study).items())


def _holds_odd(study: accord.Study) -> bool:
    """Half characters and NUL, which files hold as what they are called."""
    parts = list(study.tasks.values()) or [study]
    words = [*study.tasks, *(word for part in parts for word in (*part.labels, *part.items, *part.annotators))]
    return any(
        isinstance(word, str) and any("\ud800" <= mark <= "\udfff" or mark == "\0" for mark in word) for word in words
    )


CAMPAIGN = Campaign("structure", draw, attempt)

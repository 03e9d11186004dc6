"""Random damage to a sample: what disks, editors, scripts and people do to exports."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accord.errors import AccordError
from accord.readers.read import read

SAMPLES = Path(__file__).parent / "samples"
# What is damaged, and what must be said to read it; the format is found where nothing is said.
TARGETS: dict[str, tuple[str, dict[str, Any]]] = {
    "table-long": ("tables/long.csv", {}),
    "table-wide": ("tables/wide.csv", {}),
    "table-counts": ("tables/counts.csv", {"shape": "counts"}),
    "table-confusion": ("tables/confusion.csv", {"shape": "confusion"}),
    "table-indicators": ("tables/indicators.csv", {"shape": "indicators"}),
    "table-ranked": ("tables/ranked.csv", {}),
    "table-sets": ("tables/sets.csv", {"separator": "|"}),
    "table-western": ("tables/western.csv", {}),
    "table-lists": ("tables/lists.jsonl", {}),
    "table-structs": ("tables/structs.jsonl", {}),
    "table-soft": ("tables/soft.jsonl", {}),
    "table-rankings": ("tables/rankings.csv", {}),
    "table-preferences": ("tables/preferences.csv", {}),
    "table-spans": ("tables/spans.csv", {}),
    "table-excel": ("tables/book.xlsx", {}),
    "table-ods": ("tables/book.ods", {}),
    "table-spss": ("statistics/wide.sav", {}),
    "table-stata": ("statistics/long.dta", {}),
    "table-each": ("tables/each", {}),
    "table-quotes": ("tables/quotes.tsv", {}),
    "table-enclosed": ("tables/enclosed.tsv", {}),
    "table-confidence": ("tables/confidence.csv", {}),
    "table-brackets": ("tables/brackets.csv", {}),
    "table-together": ("tables/together.csv", {"item": ["transcript", "utterance"]}),
    "table-ties": ("tables/ties.csv", {"answers": "single"}),
    "table-blanks": ("tables/blanks.txt", {}),
    "table-comments": ("tables/comments.csv", {}),
    "table-lists-python": ("tables/lists-python.csv", {}),
    "table-lists-numpy": ("tables/lists-numpy.csv", {}),
    "table-sets-json": ("tables/sets-json.csv", {}),
    "table-side-by-side": ("tables/side-by-side.csv", {}),
    "table-by-id": ("tables/by-id.json", {}),
    "table-by-person": ("tables/by-person.json", {}),
    "table-by-item": ("tables/by-item.json", {}),
    "table-lists-by-person": ("tables/lists-by-person.json", {}),
    "table-under-key": ("tables/under-key.json", {}),
    "table-columns-pandas": ("tables/columns-pandas.json", {}),
    "table-sheets": ("tables/sheets.xlsx", {}),
    "table-titled": ("tables/titled.xlsx", {}),
    "table-two-lines": ("tables/two-lines.csv", {}),
    "table-unnamed": ("tables/unnamed.csv", {"shape": "unnamed", "label": ["calm", "glad"]}),
    "table-three-keys": ("tables/three-keys.json", {"label": ["tone", "topic"]}),
    "table-straight": ("tables/straight.txt", {}),
    "table-of-r": ("tables/of-r.txt", {}),
    "table-ticks": ("tables/ticks.csv", {}),
    "table-one-tick": ("tables/one-tick.csv", {}),
    "table-ticked": ("tables/ticked", {}),
    "table-ticks-wide": ("tables/ticks-wide.csv", {"annotators": ["ana", "ben"]}),
    "table-merged": ("tables/merged.csv", {}),
    "table-merged-excel": ("tables/merged.xlsx", {}),
    "table-one-question": ("tables/one-question.csv", {}),
    "table-numbered": ("tables/numbered.csv", {}),
    "table-deutsch": ("tables/deutsch.csv", {}),
    "table-slashes": ("tables/slashes.csv", {}),
    "table-several-lists": ("tables/several-lists.json", {}),
    "label-studio": ("label-studio/export.json", {}),
    "label-studio-config": ("label-studio-config", {}),
    "label-studio-boxes": ("label-studio/boxes.json", {}),
    "label-studio-min": ("label-studio/min.json", {}),
    "label-studio-csv": ("label-studio/export.csv", {}),
    "prodigy-choice": ("prodigy/choice.jsonl", {}),
    "prodigy-binary": ("prodigy/binary.jsonl", {}),
    "prodigy-spans": ("prodigy/spans.jsonl", {}),
    "prodigy-relations": ("prodigy/relations.jsonl", {}),
    "prodigy-suggested": ("prodigy-suggested/boats.jsonl", {"suggested": "machine.topic"}),
    "prodigy-review": ("prodigy/review.jsonl", {}),
    "doccano-spans": ("doccano/spans", {}),
    "doccano-classes": ("doccano/classes", {}),
    "doccano-relations": ("doccano/all.jsonl", {}),
    "doccano-users": ("doccano/users.jsonl", {}),
    "doccano-csv": ("doccano/ana.csv", {}),
    "doccano-zip": ("doccano/project.zip", {}),
    "argilla-flat": ("argilla/flat.jsonl", {}),
    "argilla-nested": ("argilla/nested.json", {}),
    "argilla-version1": ("argilla/version1.jsonl", {}),
    "brat": ("brat", {}),
    "brat-events": ("brat-events", {}),
    "brat-teams": ("brat-teams", {}),
    "brat-texts-apart": ("brat-texts-apart", {}),
    "webanno-folders": ("webanno-folders", {}),
    "inception-projects": ("inception-projects", {}),
    "inception-json": ("inception-json", {}),
    "prodigy-times": ("prodigy-times", {}),
    "doccano-projects": ("doccano-projects", {}),
    "label-studio-old": ("label-studio-old", {}),
    "label-studio-storage": ("label-studio-storage", {}),
    "label-studio-kept": ("label-studio-kept", {}),
    "potato-columns": ("potato-columns/annotated_instances.tsv", {}),
    "inception": ("inception", {}),
    "inception-diff-json": ("inception-diff/diff.json", {}),
    "inception-diff-csv": ("inception-diff/diff.csv", {}),
    "webanno-links": ("webanno-links", {}),
    "xmi": ("xmi", {}),
    "xmi-links": ("xmi-links", {}),
    "labelbox": ("labelbox/export.ndjson", {}),
    "labelbox-relationships": ("labelbox-relationships/export.ndjson", {}),
    "mturk": ("mturk/batch.csv", {}),
    "mturk-site": ("mturk-site/batch.csv", {}),
    "mturk-turkle": ("turkle/results.csv", {}),
    "qualtrics": ("qualtrics/boats.csv", {}),
    "qualtrics-loop": ("qualtrics/loop.csv", {}),
    "qualtrics-grid": ("qualtrics/grid.csv", {}),
    "qualtrics-choices": ("qualtrics/choices.csv", {}),
    "google-forms": ("google-forms/questions.csv", {}),
    "google-forms-grid": ("google-forms/grid.csv", {}),
    "google-forms-excel": ("google-forms/microsoft.xlsx", {}),
    "google-forms-microsoft": ("google-forms/microsoft.csv", {}),
    "surveymonkey": ("surveymonkey/kind.csv", {}),
    "surveymonkey-grid": ("surveymonkey/grid.csv", {}),
    "limesurvey": ("limesurvey/codes.csv", {}),
    "limesurvey-words": ("limesurvey/english.csv", {}),
    "redcap": ("redcap/rated.csv", {}),
    "redcap-twice": ("redcap/entered-twice.csv", {}),
    "redcap-repeated": ("redcap/repeated.csv", {}),
    "kobo": ("kobo/submissions.csv", {}),
    "qda": ("qda/maxqda.csv", {}),
    "qda-dedoose": ("qda/dedoose.csv", {}),
    "qda-atlasti": ("qda/atlasti.csv", {}),
    "ground-truth": ("ground-truth", {}),
    "ground-truth-manifest": ("ground-truth/output.manifest", {}),
    "toloka": ("toloka/assignments.tsv", {}),
    "toloka-aggregated": ("toloka/aggregated.tsv", {}),
    "appen": ("appen/full.csv", {}),
    "appen-aggregated": ("appen/aggregated.csv", {}),
    "potato": ("potato", {}),
    "potato-old": ("potato-old", {}),
    "potato-table": ("potato-table/annotations.csv", {}),
    "cvat": ("cvat", {}),
    "cvat-video": ("cvat-video", {}),
    "coco": ("coco", {}),
    "labelme": ("labelme", {}),
    "lewidi-2023": ("lewidi-2023", {}),
    "lewidi-2025": ("lewidi-2025", {}),
    "alt-test": ("alt-test", {}),
    "judge-bench": ("judge-bench/recipes.json", {}),
    "conll": ("conll", {"format": "conll"}),
    "pygamma": ("pygamma/boat.csv", {"format": "pygamma"}),
    "argilla-disk": ("argilla-disk", {}),
    "phoenix-dataframe": ("phoenix-dataframe/annotations.csv", {}),
    "langfuse-v3": ("langfuse-v3/scores.json", {}),
    "phoenix": ("phoenix/annotations.json", {}),
    "langfuse": ("langfuse/scores.json", {}),
}
IN_ANOTHER_PROCESS = ("table-spss", "table-stata")  # whose start takes longer than all the rest
FORMATS = {
    "label-studio": "label-studio",
    "prodigy": "prodigy",
    "doccano": "doccano",
    "argilla": "argilla",
    "brat": "brat",
    "webanno": "inception",
    "inception": "inception",
    "xmi": "inception",
    "labelbox": "labelbox",
    "mturk": "mturk",
    "qualtrics": "qualtrics",
    "google-forms": "google-forms",
    **{name: name for name in ("surveymonkey", "limesurvey", "redcap", "kobo", "qda")},
    "ground-truth": "ground-truth",
    "toloka": "toloka",
    "appen": "appen",
    "potato": "potato",
    "cvat": "cvat",
    "coco": "coco",
    "labelme": "labelme",
    "lewidi": "lewidi",
    "alt-test": "alt-test",
    "judge-bench": "judge-bench",
    "phoenix": "phoenix",
    "langfuse": "langfuse",
}


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes after one to three blows."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = chance.choice(BLOWS)(data, chance)
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: _place(data, chance)]


def _lose(data: bytes, chance: random.Random) -> bytes:
    start = _place(data, chance)
    return data[:start] + data[start + chance.randrange(1, 40) :]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    start = _place(data, chance)
    end = start + chance.randrange(1, 80)
    return data[:end] + data[start:end] + data[end:]


def _flip(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    place = _place(data, chance)
    odd = (
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b'"',
        b"'",
        b",",
        b"\t",
        b"\n",
        b"\r",
        b"{",
        b"[",
        b"]",
        b"}",
        b"<",
        b"&",
        b"-1",
        b"1e999",
        b"NaN",
        b"null",
        b"99999999999999999999",
        "é".encode("latin-1"),
        "🙂".encode(),
        b"\\ud800",
        b"|",
        b";",
        b"=",
    )
    return data[:place] + chance.choice(odd) + data[place:]


def _lines(data: bytes, chance: random.Random) -> bytes:
    rows = data.split(b"\n")
    first, second = chance.randrange(len(rows)), chance.randrange(len(rows))
    deed = chance.randrange(3)
    if deed == 0:
        rows[first], rows[second] = rows[second], rows[first]
    elif deed == 1:
        del rows[first]
    else:
        rows.insert(first, rows[second])
    return b"\n".join(rows)


def _digits(data: bytes, chance: random.Random) -> bytes:
    places = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
    if not places:
        return data
    place = chance.choice(places)
    return data[:place] + chance.choice((b"0", b"9", b"-3", b"77777", b"x", b"1.5", b"")) + data[place + 1 :]


def _encoding(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8", errors="replace")
    return chance.choice(
        (
            lambda: text.encode("utf-16"),
            lambda: text.encode("latin-1", errors="replace"),
            lambda: b"\xef\xbb\xbf" + data,
            lambda: data.replace(b"\n", b"\r\n"),
            lambda: b"",
            lambda: b"  \n",
            lambda: b"[" * 5000 + data,
        )
    )()


def _values(data: bytes, chance: random.Random) -> bytes:
    """In JSON, one value becomes something of another type, or a key is lost or renamed."""
    text = data.decode("utf-8", errors="replace")
    whole = not text.lstrip().startswith("{") or "\n" not in text.strip() or text.lstrip()[1:2] in "\n\r "
    try:
        if whole:
            return json.dumps(_changed(json.loads(text), chance), ensure_ascii=False).encode()
        rows = text.splitlines()
        place = chance.randrange(len(rows))
        rows[place] = json.dumps(_changed(json.loads(rows[place]), chance), ensure_ascii=False)
        return "\n".join(rows).encode("utf-8", errors="surrogatepass")
    except (ValueError, IndexError, RecursionError):
        return _flip(data, chance)


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    3.7,
    10**20,
    "",
    "x",
    [],
    {},
    [[]],
    [None],
    {"a": 1},
    [1, "x"],
    "\ud83d",
    float("nan"),
)


def _changed(value: Any, chance: random.Random) -> Any:
    if chance.random() < 0.15 or not isinstance(value, list | dict) or not value:
        return chance.choice(ODD)
    if isinstance(value, list):
        place = chance.randrange(len(value))
        return [*value[:place], _changed(value[place], chance), *value[place + 1 :]]
    key = chance.choice(list(value))
    if chance.random() < 0.1:
        return {name: held for name, held in value.items() if name != key}
    return {**value, key: _changed(value[key], chance)}


BLOWS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut,
    _lose,
    _repeat,
    _flip,
    _insert,
    _insert,
    _lines,
    _digits,
    _encoding,
    _values,
    _values,
    _values,
)


def survives(target: str, seed: int, folder: Path) -> str:
    """Damage a copy of a sample and read it: what came of it, "study" or "error"; anything else is raised."""
    chance = random.Random(f"{target} {seed}")
    name, options = TARGETS[target]
    place = folder / f"{target}-{seed}"
    copy = place / Path(name).name
    if (SAMPLES / name).is_dir():
        shutil.copytree(SAMPLES / name, copy)
        victims = sorted(path for path in copy.rglob("*") if path.is_file())
    else:
        place.mkdir(parents=True)
        shutil.copy(SAMPLES / name, copy)
        victims = [copy]
    victim = chance.choice(victims)
    victim.write_bytes(damaged(victim.read_bytes(), chance))
    said = dict(options)
    stem = next((form for start, form in FORMATS.items() if target.startswith(start)), None)
    if stem is not None and chance.random() < 0.5:
        said["format"] = stem
    try:
        study = read(
            copy, on_error=chance.choice(("raise", "skip")), duplicates=chance.choice(("error", "last")), **said
        )
        str(study.describe())
        for part in study.tasks.values():
            str(part.describe())
        return "study"
    except AccordError as problem:
        if not str(problem).strip():
            raise AssertionError("an error without words") from problem
        return "error"
    finally:
        shutil.rmtree(place)

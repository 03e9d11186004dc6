"""People at the workbench, and a disk that fills up: what was acknowledged is there after every restart, once."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import accord
from accord.errors import AccordError
from accord.workbench.after.adjudication_report import adjudication_report
from accord.workbench.after.annotator_feedback import feedback_overview
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.after.gold_downloads import ending_of, forms_for, write_final_gold
from accord.workbench.bench import Bench
from accord.workbench.bench_options import BenchOptions, Note
from accord.workbench.decision_log import LoggedRow
from accord.workbench.people import Person
from accord.workbench.rules import Rule
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case, Differs
from tests.fuzz.faults import full_disk

PEOPLE = (Person("ana"), Person("ben"), Person("lea", "lead"), Person("rita", "reader"))
ANSWERS: tuple[Any, ...] = (
    None, "", "x", 3, 1.5, True, [], ["a"], ["a", "b"], [["a"], ["b"]], {"start": 0, "end": 3, "label": "PER"},
    [[0, 3, "PER"]], [[3, 0, "PER"]], "\ud83d", "x" * 3000, 10**30, "=1+1", "\x1b]0;x\x07",
)  # fmt: skip
WORDS = ("", "", "a slip", "a slip", "\ud83d", "<b>", "=1+1", "y" * 9000)
ACTS = (
    "decide",
    "decide",
    "decide",
    "decide",
    "decide",
    "undo",
    "undo",
    "skip",
    "comment",
    "accept",
    "take back",
    "restart",
    "renew",
)


def draw(chance: random.Random) -> Case:
    """A study, what people do one after the other, and how much room the disk has left, if that is not plenty."""
    made, told = tables.KINDS[chance.choice(("labels", "labels", *tables.KINDS))]
    steps = [
        {
            "act": chance.choice(ACTS),
            "by": chance.choice((0, 0, 0, 1, 1, 2, 2, 3)),
            "place": chance.randrange(6),
            "as somebody": chance.random() < 0.8,
            "answer": chance.choice(ANSWERS),
            "word": chance.choice(WORDS),
            "key": f"k{chance.randrange(30)}",
            "seen": chance.choice((None, None, 0)),
            "second look": chance.random() < 0.2,
        }
        for _ in range(chance.choice((3, 10, 25)))
    ]
    room = chance.randrange(250_000) if chance.random() < 0.3 else None
    table, learns = made(chance), chance.random() < 0.3
    if chance.random() < 0.2:  # of whom models stand aside
        models = {who for who in table["annotator"] if chance.random() < 0.3}
        table["kind"] = ["model" if who in models else "person" for who in table["annotator"]]
    return {"table": table, "roles": told, "steps": steps, "room": room, "learns": learns}


def attempt(case: Case, folder: Path) -> str:
    """Do it all; then all that was acknowledged is there, and what comes of it can be looked at."""
    study = accord.Study(case["table"], **case["roles"])
    options = BenchOptions(second_look=0.5, learns=case["learns"])
    bench = Bench.open(study, folder / "x.sqlite", options)
    kept: dict[str, LoggedRow] = {}
    try:
        with contextlib.nullcontext() if case["room"] is None else full_disk(_largest(folder) + case["room"]):
            for step in case["steps"]:
                _do(bench, study, step, kept)
                if step["act"] == "restart" and case["room"] is None:  # which needs some room
                    bench = _restarted(bench, study, folder, options)
        bench = _restarted(bench, study, folder, options)
        _check(bench, kept)
        _look(bench, folder)
    finally:
        bench.close()
    return "decided" if any(row.act == "decide" for row in kept.values()) else "nothing"


def _largest(folder: Path) -> int:
    return max(path.stat().st_size for path in folder.iterdir())


def _do(bench: Bench, study: accord.Study, step: dict[str, Any], kept: dict[str, LoggedRow]) -> None:
    """One step; what accord refuses is refused."""
    with contextlib.suppress(AccordError):
        row = _act(bench, study, step)
        if row is not None and kept.setdefault(row.key, row) != row:
            raise Differs(f"{row.key} is kept as {kept[row.key]} and as {row}")


def _act(bench: Bench, study: accord.Study, step: dict[str, Any]) -> LoggedRow | None:
    by, key, act = PEOPLE[step["by"]], step["key"], step["act"]
    place = step["place"] % max(len(study.items), 1)
    if act == "decide":
        n_given = len(bench.study.answers)
        answer = bench.form.given(step["place"] % n_given) if step["as somebody"] and n_given else step["answer"]
        said = Note(step["word"], step["word"])
        return bench.decide(place, answer, by, key, note=said, second_look=step["second look"], seen=step["seen"])
    if act == "accept":
        bench.accept(Rule(1, 0.6), by, key)
    elif act == "take back":
        bench.take_back(Rule(1, 0.6).words, by, key)
    elif act == "renew":
        bench.renew(study)
    elif act != "restart":
        more: dict[str, Callable[[], LoggedRow | None]] = {
            "skip": lambda: bench.skip(place, by, key),
            "undo": lambda: bench.undo(by, key),
            "comment": lambda: bench.comment(place, by, key, Note(comment=step["word"], unclear=step["as somebody"])),
        }
        return more[act]()
    return None


def _restarted(bench: Bench, study: accord.Study, folder: Path, options: BenchOptions) -> Bench:
    """The bench opened again: what stands is what stood."""
    before = _state(bench)
    bench.close()
    again = Bench.open(study, folder / "x.sqlite", options)
    if _state(again) != before:
        after = _state(again)
        again.close()
        raise Differs(f"{str(before)[:400]} and after a restart {str(after)[:400]}")
    return again


def _state(bench: Bench) -> Any:
    stands = {place: bench.standing.of(place) for place in range(len(bench.study.items))}
    return stands, bench.rules(), bench.progress().decided, bench.reasons, bench.guideline_version


def _check(bench: Bench, kept: dict[str, LoggedRow]) -> None:
    for key, row in kept.items():
        if bench.log.by_key(key) != row:
            raise Differs(f"{row} was acknowledged, and there is {bench.log.by_key(key)}")


def _look(bench: Bench, folder: Path) -> None:
    """What pages and files are made of."""
    for place in range(len(bench.study.items)):
        bench.screen(place, PEOPLE[0], shown=True, names=True)
    str(feedback_overview(bench))
    str(adjudication_report(bench).tables())
    final = FinalGold(bench, learn=False)
    for form in forms_for(bench):
        write_final_gold(bench, folder / f"gold{ending_of(form)}", form)
    for one in final.items():
        stands = bench.standing.of(one.place)
        if stands is not None and not stands.by_rule and one.provenance != "person":
            raise Differs(f"{one} though {stands} stands")


CAMPAIGN = Campaign("decisions", draw, attempt)

"""The gold in every tool's own form is read back by the reader of that tool, answer by answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.after.gold_downloads import TABLES, TOOLS, ending_of, forms_for, own_form, write_final_gold
from accord.workbench.bench import Bench
from accord.workbench.bench_options import Note
from tests.workbench.bench_made import ANA

Decided = Callable[[str], Bench]  # by the kind of a study

DECIDED: dict[str, Any] = {
    "single": ("five-annotators", "mixed"),
    "set": ("emotions", ["anger", "joy"]),
    "ranked": ("emails-primary-secondary", ["answer", "broadcast"]),
    "score": ("scored-answers", 3.5),
    "spans": ("marked-names", [[[0, 4], "PER"], [[9, 12], "LOC"]]),
    "ranking": ("ranked-maps", ["eddy", ["atlas", "chart"], "drift"]),
    "preference": ("compared-answers", "tie"),
}
WITHOUT_ORDER = ("prodigy", "doccano")  # they hold which labels, and not in which order; Label Studio knows no ties
CASES = [
    (kind, tool)
    for kind in DECIDED
    for tool in TOOLS
    if not (tool == "brat" and kind != "spans") and not (kind == "score" and tool in WITHOUT_ORDER)
]


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Decided]:
    """A study of a kind, whose first item somebody decided: fitted once, since no test changes it."""
    with ExitStack() as opened:

        @cache
        def bench_of(kind: str) -> Bench:
            name, answer = DECIDED[kind]
            log = tmp_path_factory.mktemp(kind) / "decisions.sqlite"
            bench = opened.enter_context(closing(Bench.open(accord.datasets.load(name), log)))
            bench.decide(0, answer, ANA, "k", note=Note("=1+1", "it says so"))
            return bench

        yield bench_of


def in_order(kind: str, tool: str, answer: Any) -> Any:
    """An answer as both sides have it, as far as the tool can tell it: labels without their order, or without ties."""
    if kind == "spans":
        return sorted((tuple(map(int, bounds)), str(label)) for bounds, label in answer)
    if kind == "score":
        return answer
    parts = answer if isinstance(answer, list) else [answer]
    flat = [label for part in parts for label in (sorted(part) if isinstance(part, list) else [part])]
    ordered = kind in ("ranked", "ranking") and tool not in WITHOUT_ORDER
    return flat if ordered else sorted(flat)


def read_back(path: Path, bench: Bench, tool: str) -> dict[Any, Any]:
    """What the reader of a tool finds, by the items of the study; Label Studio numbers tasks whose names are texts."""
    found = accord.read(path)
    item, _, code, _ = found._annotations.rows
    form = Bench.open(found, path.with_suffix(".sqlite"))
    with closing(form):
        said = {
            found.items[at]: form.form.given(answer) for at, answer in zip(item.tolist(), code.tolist(), strict=True)
        }
    if tool == "label-studio":
        return {bench.study.items[number - 1]: answer for number, answer in said.items()}
    return said


@pytest.mark.parametrize(("kind", "tool"), CASES)
def test_a_tools_own_reader_finds_what_was_decided(decided: Decided, kind: str, tool: str, tmp_path: Path) -> None:
    bench = decided(kind)
    assert tool in forms_for(bench)
    written = write_final_gold(bench, tmp_path / f"gold{ending_of(tool)}", tool)
    final = FinalGold(bench)
    found = read_back(written, bench, tool)
    wanted = {one.item: bench.form.plain(one.answer) for one in final.items() if one.answer is not None}
    assert wanted[bench.study.items[0]] == DECIDED[kind][1]
    for name, answer in wanted.items():
        assert in_order(kind, tool, found[name]) == in_order(kind, tool, answer), name
    undecided = {one.item for one in final.items() if one.answer is None}
    assert not {name for name in undecided if found.get(name)}, "what is undecided has no label there either"


@pytest.mark.parametrize("tool", TOOLS)
def test_what_came_from_a_tool_goes_back_to_it(decided: Decided, tool: str, tmp_path: Path) -> None:
    bench = decided("spans")
    export = write_final_gold(bench, tmp_path / f"export{ending_of(tool)}", tool)
    with closing(Bench.open(accord.read(export), tmp_path / "again.sqlite")) as again:
        assert own_form(again) == tool
        once_more = write_final_gold(again, tmp_path / f"more{ending_of(tool)}", tool)
        assert accord.read(once_more).items == again.study.items, "under the names that the tool has for them"


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("kind", ["single", "set", "score", "spans", "ranking"])
def test_tables_are_read_back_as_accord_gold_writes_them(
    decided: Decided, kind: str, form: str, tmp_path: Path
) -> None:
    bench = decided(kind)
    path = write_final_gold(bench, tmp_path / f"gold{ending_of(form)}", form)
    wanted = FinalGold(bench).gold
    if kind in ("spans", "ranking"):
        found = accord.read(path)
        assert found.kind == kind
        assert set(found.items) <= set(bench.study.items)
        return
    again = accord.gold(bench.study, known=path)
    assert [again[item] for item in bench.study.items] == [wanted[item] for item in bench.study.items]


def test_a_spreadsheet_computes_nothing_of_what_somebody_wrote(decided: Decided, tmp_path: Path) -> None:
    bench = decided("single")
    for form in ("csv", "tsv"):
        text = write_final_gold(bench, tmp_path / f"gold.{form}", form).read_text("utf-8")
        assert "'=1+1" in text
        assert not [line for line in text.splitlines() for cell in line.split("\t" if form == "tsv" else ",")
                    if cell.startswith(("=", "@"))]  # fmt: skip

"""Studies of every shape that a report must make a sensible page of, and pages read back."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import numpy as np

from accord import Study

PEOPLE = ("ana", "ben", "chloe")


def long_table(rows: int, people: tuple[str, ...], label: Callable[[int, str], Any]) -> dict[str, list[Any]]:
    """One row for each item and annotator."""
    cells = [(item, who) for item in range(rows) for who in people]
    return {
        "item": [f"i{item}" for item, _ in cells],
        "annotator": [who for _, who in cells],
        "label": [label(item, who) for item, who in cells],
    }


def turning(item: int, who: str) -> str:
    """A label that most give, and now and then somebody does not."""
    return "xyz"[(item + (item % 4 == 0 and who == "chloe") + (item % 7 == 0 and who == "ben")) % 3]


def single() -> Study:
    table = long_table(24, PEOPLE, turning)
    table["text"] = [f"The text of {item}" for item in table["item"]]
    table["topic"] = ["even" if int(item[1:]) % 2 == 0 else "odd" for item in table["item"]]
    return Study(table, text="text")


def gaps() -> Study:
    table = long_table(24, PEOPLE, lambda item, who: None if item % 5 == 0 and who == "ana" else turning(item, who))
    return Study(table)


def ranked() -> Study:
    rows = [
        (f"i{item}", who, rank, label)
        for item in range(12)
        for who in PEOPLE
        for rank, label in enumerate((turning(item, who), "w")[: 1 + item % 2], start=1)
    ]
    return Study(
        dict(zip(("item", "annotator", "rank", "label"), map(list, zip(*rows, strict=True)), strict=True)), rank="rank"
    )


def sets() -> Study:
    return Study(long_table(12, PEOPLE, lambda item, who: [turning(item, who), "w"][: 1 + item % 2]))


def scores() -> Study:
    table = long_table(10, PEOPLE, lambda item, who: item * 1.5 + (who == "ben") * 0.5)
    return Study({"item": table["item"], "annotator": table["annotator"], "score": table["label"]}, score="score")


def suggested() -> Study:
    table = long_table(12, PEOPLE, turning)
    table["suggested"] = ["xyz"[int(item[1:]) % 3] for item in table["item"]]
    table["suggested_rule"] = ["x" for _ in table["item"]]
    return Study(table, suggested="suggested")


def variables() -> Study:
    tone, topic = long_table(12, PEOPLE, turning), long_table(12, PEOPLE, lambda item, _: "ab"[item % 2])
    both = {name: [*tone[name], *topic[name]] for name in tone}
    return Study({**both, "task": ["tone"] * 36 + ["topic"] * 36}, task="task")


def counts() -> Study:
    return Study.from_counts([[3, 0], [1, 2], [2, 1], [0, 3]], labels=["yes", "no"])


def crowd() -> Study:
    rng = np.random.default_rng(1)
    item = np.repeat(np.arange(400), 8)
    who = rng.integers(0, 2000, len(item))
    keep = np.unique(item * 10_000 + who, return_index=True)[1]
    truth = rng.integers(0, 3, 400)
    label = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(0, 3, len(item)))
    return Study({"item": item[keep], "annotator": [f"w{n}" for n in who[keep]], "label": label[keep]})


def one_annotator() -> Study:
    return Study(long_table(6, ("ana",), turning))


def one_label() -> Study:
    return Study(long_table(6, PEOPLE, lambda item, who: "x"))


def all_alike() -> Study:
    return Study(long_table(12, PEOPLE, lambda item, who: "xy"[item % 2]))


def against() -> Study:
    return Study(long_table(12, ("ana", "ben"), lambda item, who: "xy"[(item + (who == "ben")) % 2]))


def one_item() -> Study:
    return Study(long_table(1, PEOPLE, lambda item, who: "x" if who == "ana" else "y"))


def repeated() -> Study:
    table = long_table(12, PEOPLE, turning)
    twice = {name: cells + cells[:9] for name, cells in table.items()}
    return Study(twice, duplicates="repeat")


STUDIES: dict[str, Callable[[], Study]] = {
    found.__name__: found
    for found in (
        single, gaps, ranked, sets, scores, suggested, variables, counts, crowd, one_annotator, one_label, all_alike,
        against, one_item, repeated,
    )
}  # fmt: skip


class _Reader(HTMLParser):
    """What a page says, tag by tag; fails where a tag is closed that was never opened."""

    EMPTY = frozenset({"meta", "br", "input", "link", "img", "hr"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        last = self.open.pop()
        assert last == tag, f"</{tag}> closes <{last}>"

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.words.append(data)


class Page:
    """A page read back."""

    def __init__(self, html: str) -> None:
        self.html = html
        reader = _Reader()
        reader.feed(html)
        assert reader.open == [], f"never closed: {reader.open}"
        self.tags = reader.seen
        self.text = " ".join(" ".join(reader.words).split())

    @property
    def sections(self) -> list[str]:
        return [str(attributes["id"]) for tag, attributes in self.tags if tag == "section"]

    @property
    def verdict(self) -> str:
        found = re.search(r'<p class="verdict">(.*?)</p>', self.html)
        assert found is not None
        return found[1]

"""Publishing: static pages that open from a folder, name nobody unless asked, and lead to every list of items."""

from __future__ import annotations

import html
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import pytest

import accord
from accord.errors import InputError, OptionError
from accord.workbench import publishing
from accord.workbench.bench import Bench
from accord.workbench.bench_options import Note
from accord.workbench.people import Person
from tests.command.running import run
from tests.fuzz.faults import full_disk
from tests.reporting.hostile import hostile_study
from tests.workbench.serving import contested

PEOPLE = ("ana", "ben", "cyd", "dee", "zoe")


def decided(study: accord.Study, file: Path) -> Path:
    bench = Bench.open(study, file)
    zoe = Person("zoe")
    for number in range(3):
        place = bench.next_item(zoe)
        assert place is not None
        note = Note("a slip of the minority", "said by nobody else", unclear=number == 0)
        bench.decide(place, study.labels[0], zoe, f"k{number}", note=note)
    bench.close()
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("published")
    study = contested()
    return accord.publish(study, place / "pages", decisions=decided(study, place / "d.sqlite"), title="Reviews").parent


def texts(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text("utf-8") for file in folder.rglob("*") if file.is_file()}


def with_key(folder: Path) -> dict[str, str]:
    """The pages, the file that says who is who, and the names of whatever lies beside."""
    beside = " ".join(sorted(path.name for path in folder.parent.iterdir()))
    return {**texts(folder), "key": folder.with_name("pages-key.json").read_text("utf-8"), "beside": beside}


class Links(HTMLParser):
    """Whatever a page leads to or loads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src", "xlink:href") and value is not None]


def test_answers_of_every_kind_are_words(tmp_path: Path) -> None:
    marked = [
        {"item": "d1", "annotator": who, "start": start, "end": start + 3, "label": "person", "text": "Ada met Bob."}
        for who in ("x", "y")
        for start in (0, 8)
    ]
    pages = accord.publish(accord.Study(marked), tmp_path / "spans").parent
    lists = [page for name, page in texts(pages).items() if name.startswith("items")]
    assert any("<b>person 0–3, person 8–11</b>" in page for page in lists)
    assert not any("Unit(" in page for page in lists)


def test_sets_of_labels_are_written_as_everywhere(tmp_path: Path) -> None:
    study = accord.Study.from_wide([[["fear", "joy"], ["joy", "fear"]], [[], []]], answers="set")
    pages = accord.publish(study, tmp_path / "sets").parent
    lists = "".join(page for name, page in texts(pages).items() if name.startswith("items"))
    assert "<b>fear + joy</b>" in lists
    assert "<b>∅</b>" in lists


def test_every_link_leads_to_a_file_of_the_folder(folder: Path) -> None:
    seen = 0
    for path, text in texts(folder).items():
        if path.endswith(".html"):
            ids = set(re.findall(r' id="([^"]+)"', text))
            for link in Links(text).found:
                file, _, anchor = link.partition("#")
                if file and file != "data:,":
                    assert (folder / path).parent.joinpath(file).is_file(), (path, link)
                    seen += 1
                elif anchor:
                    assert anchor in ids, (path, link)
    assert seen > 100


def test_nobody_is_named_and_who_is_who_lies_beside_the_folder(folder: Path) -> None:
    whole = "\n".join(texts(folder).values())
    assert [name for name in PEOPLE if re.search(rf"\b{name}\b", whole)] == []
    assert "adjudicator 1" in whole
    key = json.loads(folder.with_name("pages-key.json").read_text("utf-8"))
    assert {row["annotator"] for row in key["rows"]} == set(PEOPLE[:4])


def test_decisions_reasons_and_open_points_are_told(folder: Path) -> None:
    pages = texts(folder)
    assert "3 items were decided by people" in pages["adjudication.html"]
    assert "a slip of the minority" in pages["adjudication.html"]
    assert "said by nobody else" in html.unescape(pages["open-points.html"])
    assert "What was changed of A" in pages["annotators.html"]
    assert "decided by adjudicator 1, a slip of the minority" in pages["items/all.html"]
    assert "person" in pages["gold.csv"]
    assert json.loads(pages["report.json"])


def test_it_can_be_published_again_and_the_same_comes_out(folder: Path) -> None:
    before = texts(folder)
    accord.publish(contested(), folder, decisions=folder.with_name("d.sqlite"), title="Reviews")
    assert texts(folder) == before
    assert [path.name for path in folder.parent.iterdir() if path.name.startswith(".")] == []


def test_a_full_disk_leaves_the_pages_and_the_key_as_they_were(folder: Path) -> None:
    before = with_key(folder)
    more = accord.Study(
        {"item": ["n", "n"], "annotator": ["eve", "fay"], "label": ["yes", "no"], "text": ["so", "so"]}, text="text"
    )
    with full_disk(20_000), pytest.raises(InputError, match=r"'pages' cannot be written: No space left on the disk"):
        accord.publish(more, folder)
    assert with_key(folder) == before


def test_where_the_key_cannot_be_kept_nothing_is_published(folder: Path) -> None:
    before = with_key(folder)
    with (
        mock.patch.object(publishing, "write_key", side_effect=InputError("No room for the key.")),
        pytest.raises(InputError, match="No room for the key"),
    ):
        accord.publish(contested(), folder, title="Other")
    assert with_key(folder) == before


def test_a_folder_with_other_things_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(InputError, match="holds other things"):
        accord.publish(contested(), tmp_path)
    with pytest.raises(InputError, match="is a file"):
        accord.publish(contested(), tmp_path / "thesis.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """The same pages, for a test that changes them."""
    return Path(shutil.copytree(folder, tmp_path / "pages"))


def test_what_somebody_put_into_a_published_folder_is_not_lost(copy: Path) -> None:
    (copy / ".DS_Store").write_bytes(b"")  # nobody's
    accord.publish(contested(), copy)
    (copy / "items" / "mine.txt").write_text("years of work", encoding="utf-8")
    before = texts(copy)
    with pytest.raises(InputError, match=r"holds other things \('items/mine.txt'\)"):
        accord.publish(contested(), copy)
    assert texts(copy) == before


def test_who_is_who_is_not_published_with_the_pages(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="key must lie outside the folder of the pages"):
        accord.publish(contested(), tmp_path / "pages", key=tmp_path / "pages" / "who" / "key.json")
    assert not list(tmp_path.iterdir())


def test_a_folder_without_a_name_of_its_own_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pages").mkdir()
    monkeypatch.chdir(tmp_path / "pages")
    assert accord.publish(contested(), ".") == tmp_path / "pages" / "index.html"
    assert (tmp_path / "pages" / "index.html").is_file()
    assert (tmp_path / "pages-key.json").is_file()


def test_names_and_texts_are_shown_as_asked(tmp_path: Path) -> None:
    accord.publish(contested(), tmp_path / "pages", show_names=True, show_text=False, most=5)
    pages = texts(tmp_path / "pages")
    assert "ben" in pages["items/all.html"]
    assert "What somebody wrote" not in "\n".join(pages.values())
    assert "Items 6 to 10 of 12" in pages["items/all-2.html"]
    assert not (tmp_path / "pages-key.json").exists()


def test_every_variable_of_several_leads_to_its_own_items(tmp_path: Path) -> None:
    labels = {"tone": "xy", "topic": "pqr"}
    rows = [
        (item, who, task, scale[(item + (who == "a" and item % 3 == 0)) % len(scale)])
        for item in range(8)
        for who in "abc"
        for task, scale in labels.items()
    ]
    columns = ("item", "annotator", "task", "label")
    study = accord.Study(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), task="task")
    accord.publish(study, tmp_path / "pages", show_names=True)
    pages = texts(tmp_path / "pages")
    lists = (text for path, text in pages.items() if path.startswith("items/"))
    headings = {found for text in lists for found in re.findall(r"<h1[^>]*>(.*?)</h1>", text)}
    assert {"Items of tone", "Items of topic", "Items of topic with “p” from somebody"} <= headings


def test_hostile_labels_and_texts_are_text(tmp_path: Path) -> None:
    accord.publish(hostile_study(), tmp_path / "pages", show_names=True, title='</title><script>alert("x")</script>')
    for path, text in texts(tmp_path / "pages").items():
        if path.endswith(".html"):
            assert "<script>" not in text
            assert "<img" not in text


def test_the_command_publishes_and_says_where(tmp_path: Path) -> None:
    study = tmp_path / "reviews.csv"
    study.write_text("item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n", encoding="utf-8")
    done = run("publish", "reviews.csv", "-o", "pages", folder=tmp_path)
    assert done.code == 0, done.err
    assert "index.html" in done.out
    assert "keep it apart" in done.out
    assert (tmp_path / "pages" / "index.html").is_file()

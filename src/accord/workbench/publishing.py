"""The same pages without a server: static files, read only, that open from a folder. Names are hidden unless asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Unpack

from accord.agreement.table_formats import as_csv
from accord.engine.whole_file import check_target, is_free, path_of, whole
from accord.errors import InputError, OptionError, all_quoted, keyword, quoted
from accord.options import check_whole
from accord.reporting.anonymise import anonymised, read_key, write_key
from accord.reporting.item_query import ALL_ITEMS, ItemQuery
from accord.reporting.page import rendered as report_text
from accord.study.item_texts import refuse_texts_as_names
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study
from accord.workbench.bench import Bench
from accord.workbench.bench_options import BenchOptions
from accord.workbench.item_list import ItemPage, Outcome, outcome_of_report, page_of_items
from accord.workbench.live_report import LiveReport
from accord.workbench.published_decisions import PublishedDecisions
from accord.workbench.templating import asset, rendered

MARK = "accord-published.json"  # lies in a folder that we wrote: it may be written again
NOBODYS = (".DS_Store", "Thumbs.db", "desktop.ini")  # what a machine puts into a folder that somebody opened
MOST_ITEMS = 200  # of a list that a bar or a cell leads to
MOST_LISTED = 10_000  # of the list of all items
ASSETS = ("style.css", "workbench.css", "script.js", "parts.js")


def publish(
    data: Any,
    folder: str | Path,
    /,
    *,
    decisions: str | Path | None = None,
    title: str = "",
    show_names: bool = False,
    key: str | Path | None = None,
    show_text: bool = True,
    most: int = MOST_ITEMS,
    **roles: Unpack[Roles],
) -> Path:
    """Write the report, the items behind everything that it draws, and the decisions, as static pages into a folder.

    The pages are those of `serve`, read only: `index.html` opens from a folder, from a file share or from any web
    server, and asks no other server for anything. `gold.csv` and `report.json` lie beside it.

    Args:
        data: A `Study`, or what one is made of.
        folder: Where to write. A folder that was published before is replaced; any other that is not empty is refused.
        decisions: The file of decisions of `serve`; without it, what the annotators said is published alone.
        title: What the study is called on the pages.
        show_names: Whether annotators and adjudicators have their names. Else they are called A1, A2 … and adjudicator
            1, 2 …, and who is who is kept in a file beside the folder.
        key: That file, where it is another.
        show_text: Whether the items' texts are shown.
        most: How many items a list shows at most; each says how many there are.
        **roles: The keywords of `Study`.

    Returns:
        The path of the first page.

    Raises:
        InputError: If `data` cannot be a study, or the folder cannot be written or holds other things.
        FileError: If the file of decisions is none of this study.
        OptionError: If an option has a value that it cannot take.
        ExtraMissing: If the packages of "accord[report]" are not installed.

    >>> import accord, tempfile
    >>> study = accord.Study.from_pairs(["yes", "no", "yes"], ["yes", "yes", "no"])
    >>> publish(study, Path(tempfile.mkdtemp()) / "pages", show_names=True).name
    'index.html'
    """
    check_whole("most", most, 1)
    place = path_of(folder, "folder")
    target = place if place.name.strip(".") else place.resolve()  # "." has no name of its own
    if not target.name:
        raise OptionError.must("folder", "be a folder of its own, and not the root of a disk", str(folder))
    key_file = path_of(key, "key") if key is not None else target.with_name(f"{target.name}-key.json")
    _refuse_other_things(target)
    free = is_free(target)
    if show_names and key is not None:
        raise OptionError(
            keyword("key"), " says who is who where names are hidden, and ", keyword("show_names"), " shows them. "
            "Leave one of the two out.",
        )  # fmt: skip
    if not show_names and target.resolve() in key_file.resolve().parents:
        raise OptionError.must(
            "key", "lie outside the folder of the pages, or it would be published with them", str(key)
        )
    study = as_study(data, None, None, roles)
    if not show_text:
        refuse_texts_as_names(study)
    known: dict[str, str] = {}
    if not show_names:
        known = read_key(key_file)
        study, who = anonymised(study, known)
    log = None if decisions is None else Path(decisions)
    pages = published_pages(study, log, title or "Annotations", show_names=show_names, show_text=show_text, most=most)
    with _written(target, pages, free=free):
        if not show_names:
            write_key(who, known, key_file)  # before anybody can see the pages that it is the key of
    return target / "index.html"


def published_pages(
    study: Study, log: Path | None, title: str, *, show_names: bool, show_text: bool, most: int
) -> dict[str, str]:
    """Every file of a publication, by its path in the folder."""
    if log is None:
        return Publication(study, title, show_text=show_text, show_names=show_names, most=most).pages()
    bench = Bench.read(study, log, BenchOptions(show_names=True))
    try:
        decided = PublishedDecisions(bench, show_names=show_names, show_text=show_text)
        return Publication(study, title, show_text, show_names, most, decided).pages()
    finally:
        bench.close()


@dataclass(eq=False)
class Publication:
    """The pages of one publication; every list of items that a page leads to becomes a page too."""

    study: Study
    title: str
    show_text: bool = True
    show_names: bool = False
    most: int = MOST_ITEMS
    decided: PublishedDecisions | None = None
    _lists: dict[ItemQuery, str] = field(default_factory=dict)

    def pages(self) -> dict[str, str]:
        """Every file, by its path in the folder."""
        live = LiveReport(self.study, self._address, title=self.title, show_text=self.show_text, named=self.show_names)
        shown = live.page(ALL_ITEMS)
        found = {f"assets/{name}": asset(name) for name in ASSETS}
        menu = self._menu()
        found["index.html"] = self._page("published_report.html.j2", "", menu, shown=shown)
        found |= self._all_items(live, menu)
        for query, path in self._lists.items():  # asked for while the report was drawn; an empty bar draws no link
            if f'"{path}"' in found["index.html"]:
                found[path] = self._list(live, query, menu)
        if self.decided is not None:
            for path, name, tables in self.decided.pages():
                found[path] = self._page("published_tables.html.j2", "", menu, name=name, tables=tables)
        if live.whole.gold is not None:
            table = live.whole.gold.to_table() if self.decided is None else self.decided.gold_table()
            found["gold.csv"] = as_csv(table)
        found["report.json"] = report_text(live.whole, ".json")
        return found

    def _menu(self) -> list[tuple[str, str]]:
        pages = [("index.html", "Report"), ("items/all.html", "Items")]
        return pages if self.decided is None else [*pages, *((path, name) for path, name, _ in self.decided.pages())]

    def _address(self, query: ItemQuery) -> str:
        """The page of a list, made when it is first asked for."""
        return self._lists.setdefault(query, f"items/{len(self._lists) + 1}.html")

    def _page(self, template: str, up: str, menu: list[tuple[str, str]], **values: Any) -> str:
        return rendered(template, title=self.title, up=up, menu=menu, **values)

    def _outcome(self, live: LiveReport, query: ItemQuery) -> Outcome:
        if self.decided is None:
            return outcome_of_report(live.index(query).context)
        return self.decided.outcome

    def _list(self, live: LiveReport, query: ItemQuery, menu: list[tuple[str, str]]) -> str:
        index = live.index(query)
        page = page_of_items(index.context, index.find(query), self._outcome(live, query), most=self.most)
        return self._page("published_items.html.j2", "../", menu, query=query, page=page, to_next="")

    def _all_items(self, live: LiveReport, menu: list[tuple[str, str]]) -> dict[str, str]:
        """Every item of the study, some at a time; of a very large one the first."""
        found: dict[str, str] = {}
        after, number, shown = -1, 1, 0
        index = live.index(ALL_ITEMS)
        places = index.find(ALL_ITEMS)
        while True:
            page: ItemPage = page_of_items(
                index.context, places, self._outcome(live, ALL_ITEMS), after, min(self.most, MOST_LISTED)
            )
            shown += len(page.rows)
            more = page.after is not None and shown < MOST_LISTED
            following = f"all-{number + 1}.html" if more else ""
            path = "items/all.html" if number == 1 else f"items/all-{number}.html"
            found[path] = self._page(
                "published_items.html.j2", "../", menu, query=ALL_ITEMS, page=page, to_next=following
            )
            if not more or page.after is None:
                return found
            after, number = page.after, number + 1


# -- the folder --------------------------------------------------------------------------------------------------------


def _refuse_other_things(folder: Path) -> None:
    """A folder is written if it is new, empty, or ours and nobody put anything into it."""
    if folder.is_file():
        raise InputError(quoted(folder.name), " is a file, and the pages need a folder. Name another.")
    others = _others(folder) if folder.is_dir() else []
    if others:
        raise InputError(
            "The folder ",
            quoted(folder.name),
            " holds other things (",
            all_quoted(others),
            "), which would be lost. Name a folder that is new or empty.",
        )
    check_target(folder / MARK if folder.is_dir() else folder)


def _others(folder: Path) -> list[str]:
    """What lies in a folder and was not published by us, as far as one needs to see."""
    try:
        ours = {*json.loads((folder / MARK).read_text(encoding="utf-8"))["files"], MARK}
    except (OSError, ValueError, KeyError, TypeError):
        ours = set()
    found = (path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
    named = (path.relative_to(folder).as_posix() for path in found if path.name not in NOBODYS)
    others = (name for name in named if name not in ours)
    return list(islice(others, 5))


@contextmanager
def _written(folder: Path, pages: dict[str, str], *, free: bool) -> Iterator[None]:
    """All pages or none: they are written beside the folder, and take its place when all that is done is whole."""
    with whole(folder, free=free) as half:
        for path, text in {**pages, MARK: _mark(pages)}.items():
            place = half / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", errors="replace")
        yield
        if not free:
            _refuse_other_things(folder)  # which somebody may have put there meanwhile


def _mark(pages: dict[str, str]) -> str:
    return json.dumps({"made_by": "accord publish", "files": sorted(pages)}, indent=1) + "\n"

"""What all pages of one server share: the bench, the links, what the study is called, and the menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import AccordError
from accord.workbench.access_links import Links
from accord.workbench.bench import Bench
from accord.workbench.people import Person, Role
from accord.workbench.watching import News, Watch

if TYPE_CHECKING:
    from accord.workbench.after.decision_counts import Counted
    from accord.workbench.bench_reports import BenchReports


@dataclass(frozen=True)
class MenuEntry:
    """A page that the menu leads to, and who is led there."""

    path: str
    name: str
    roles: tuple[Role, ...] = ("lead", "adjudicator", "reader")


@dataclass(frozen=True, eq=False)
class Site:
    """One server's pages.

    Args:
        bench: The study, the queue and the decisions.
        links: Who may come in.
        title: What the study is called: the name of its file, without folders.
        secure: Whether the server speaks TLS.
        images: The folder that pictures of items lie in; None where none may be shown.
        menu: The pages that everybody is led to.
        private: Folders of this machine, which no page may tell.
        watch: Who reads the export again when it changes; None where nobody does.
    """

    bench: Bench
    links: Links
    title: str
    secure: bool = False
    images: Path | None = None
    menu: Sequence[MenuEntry] = ()
    private: Sequence[Path] = field(default=())
    watch: Watch | None = None

    @cached_property
    def reports(self) -> BenchReports:
        """The live reports of the study."""
        from accord.workbench.bench_reports import BenchReports  # all that a report needs: loaded when one is read

        return BenchReports(self.bench, self.title)

    @cached_property
    def counted(self) -> Counted:
        """What is counted of all decisions."""
        from accord.workbench.after.decision_counts import Counted  # all that a gold needs: loaded when somebody asks

        return Counted(self.bench)

    @property
    def news(self) -> tuple[News, ...]:
        """What was new in the export, the latest first, without the folders of this machine."""
        found = () if self.watch is None else self.watch.news
        return tuple(replace(one, message=self.without_folders(one.message)) for one in found)

    def menu_of(self, person: Person) -> list[MenuEntry]:
        """The pages that somebody is led to."""
        return [entry for entry in self.menu if person.role in entry.roles]

    def public_words(self, error: AccordError) -> str:
        """What an error says, without the folders of this machine."""
        return self.without_folders(str(error))

    def without_folders(self, words: str) -> str:
        """Words that tell nothing of where things lie on this machine."""
        for folder in (one for one in self.private if one.name):  # the root of all is in every path, and tells nothing
            words = words.replace(f"{folder}/", "").replace(str(folder), folder.name or "the folder")
        return words

"""What a publication tells of the decisions: tables for its pages, the gold, and what came of each item.

Adjudicators are called by numbers unless their names are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from accord.agreement.table import Table
from accord.errors import counted
from accord.workbench.after.adjudication_report import AdjudicationReport, adjudication_report
from accord.workbench.after.annotator_feedback import annotator_feedback, feedback_overview
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.after.open_points import open_points
from accord.workbench.bench import Bench
from accord.workbench.templating import table_html
from accord.workbench.written_answers import read_back

OF_ADJUDICATORS = ("by", "second_by", "adjudicator", "decided_by")  # columns that name them
Shown = tuple[str, str, Sequence[tuple[str, str]]]  # a page's path and name, and its parts: a heading and HTML


class PublishedDecisions:
    """The decisions of a bench, for others."""

    def __init__(self, bench: Bench, *, show_names: bool, show_text: bool) -> None:
        self._bench = bench
        self._show_names = show_names
        self._show_text = show_text

    @cached_property
    def _called(self) -> dict[str, str]:
        """What everybody who decided is called; in the order of their first rows."""
        names = dict.fromkeys(row.by for row in self._bench.log.after() if row.item is not None)
        if self._show_names:
            return {name: name for name in names}
        return {name: f"adjudicator {number}" for number, name in enumerate(names, start=1)}

    @cached_property
    def _final(self) -> FinalGold:
        return FinalGold(self._bench)

    def outcome(self, place: int) -> tuple[str, str]:
        """What came of an item, and how."""
        stands = self._bench.standing.of(place)
        words = self._bench.form.words
        if stands is not None and not stands.rule:
            row = self._final.decided[place][1]
            reason = f", {row.reason}" if row.reason else ""
            return words(read_back(stands.answer)), f"decided by {self._called[row.by]}{reason}"
        label = self._final.gold.labels[place]
        how = str(self._provenance[place])
        return ("", how) if label is None else (words(self._bench.form.plain(label)), how)

    @cached_property
    def _provenance(self) -> Sequence[str]:
        return [str(one) for one in self._final.provenance()]

    def gold_table(self) -> Table:
        """The gold with its provenance."""
        return self._unnamed(self._final.table())

    def pages(self) -> list[Shown]:
        """The report of the adjudication, what was changed of each annotator's answers, and the open points."""
        return self._pages

    @cached_property
    def _pages(self) -> list[Shown]:
        report = adjudication_report(self._bench)
        parts = [("What was decided", f"<p>{_paragraph(report)}</p>"), *map(self._part, filter(len, report.tables()))]
        pages: list[Shown] = [("adjudication.html", "Adjudication", parts)]
        if self._bench.study._annotations.named:
            pages.append(("annotators.html", "Annotators", self._changed()))
        points = open_points(self._bench)
        if len(points):
            pages.append(("open-points.html", "Open points", [self._part(points)]))
        return pages

    def _changed(self) -> list[tuple[str, str]]:
        overview = feedback_overview(self._bench)
        parts = [self._part(overview)]
        for name in overview["annotator"]:
            found = annotator_feedback(self._bench, str(name))
            if found.changed:
                parts.append((f"What was changed of {name}'s answers", self._html(found.table)))
        return parts

    def _part(self, table: Table) -> tuple[str, str]:
        return table.title, self._html(table)

    def _html(self, table: Table) -> str:
        return table_html(self._unnamed(table))

    def _unnamed(self, table: Table) -> Table:
        """The table without names and texts that are not to be shown."""
        shown = {
            name: [self._called.get(str(cell), str(cell)) for cell in cells] if name in OF_ADJUDICATORS else cells
            for name, cells in table.data.items()
            if self._show_text or name != "text"
        }
        return Table(table.title, shown, table.notes)


def _paragraph(report: AdjudicationReport) -> str:
    progress = report.progress
    second = report.second_look
    looked = (
        f" Two adjudicators decided {counted(second.n_items, 'items')}, one blind to the other: "
        f"{second.agreed} alike ({second.share:.0%}, 95% interval {second.interval.low:.0%} to "
        f"{second.interval.high:.0%})."
        if second.n_items
        else ""
    )
    return (
        f"{counted(progress.decided, 'items')} were decided by people: {report.followed} as the majority had it, "
        f"{report.overruled} otherwise, {report.no_majority} without one. {counted(progress.accepted, 'items')} were "
        f"accepted by a rule; {counted(progress.contested_left, 'contested items')} are still open.{looked}"
    )

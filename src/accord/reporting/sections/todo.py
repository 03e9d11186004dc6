"""The three things to do: what the findings ask for, the heaviest first, each with the way to its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from accord.agreement.table_formats import cut, marked, safe
from accord.errors import counted
from accord.reporting.context import Context, Section
from accord.reporting.finding_groups import groups
from accord.reporting.links import link

MOST = 3
OF_THE_VALUE = ("low-agreement", "target-not-shown", "below-chance")  # what to do about it stands elsewhere
NO_WORK = ("chance-models",)  # a matter of reporting
LONGEST_WHY = 160
LONGEST = 320  # characters of a remedy here; the finding has it whole


@dataclass(frozen=True)
class ToDo:
    """One thing to do: why, what, and where to read on."""

    why: str
    what: str
    place: str
    read_on: str
    severity: str = "note"
    finding: str = ""  # its name, where it is one


def needs(_context: Context) -> bool:
    """Every report says what to do, or that nothing calls for it."""
    return True


def build(context: Context) -> Section:
    """A short list."""
    tasks = tasks_of(context)
    if not tasks:
        text = "Nothing that was looked at calls for work."
        return Section("todo", "What to do next", f"<p>{text}</p>", text)
    listed = "".join(
        f'<li class="{task.severity}"><strong>{safe(task.why)}.</strong> {safe(task.what)} '
        f"{link(task.place, task.read_on)}</li>"
        for task in tasks
    )
    lines = [f"{place}. **{marked(task.why)}.** {marked(task.what)}" for place, task in enumerate(tasks, start=1)]
    return Section("todo", "What to do next", f'<ol class="todo">{listed}</ol>', "\n".join(lines))


def tasks_of(context: Context) -> list[ToDo]:
    """At most three; no remedy twice: what the same finding asks for again is counted."""
    found: dict[str, list[ToDo]] = {}
    for task in _candidates(context):
        found.setdefault(task.what, []).append(task)
    return [_together(same) for same in list(found.values())[:MOST]]


def _together(same: list[ToDo]) -> ToDo:
    first = same[0]
    more = sum(task.finding == first.finding for task in same[1:])
    return replace(first, why=f"{first.why}, and {more} more") if first.finding and more else first


def _candidates(context: Context) -> Iterator[ToDo]:
    """Warnings, then items that no majority decides, then notes; last what only repeats that the value is low."""
    yield from _without_value(context)
    actionable = [group for group in groups(context.findings) if group.remedy and group.first.part_of is None]
    done = NO_WORK if context.model_verdict is None else (*NO_WORK, "models-among-annotators")  # the page judges them
    actionable = [group for group in actionable if group.first.name not in done]
    tasks = {
        group: ToDo(
            cut(group.title, LONGEST_WHY),
            _brief(group.remedy),
            group.anchor,
            "See the finding",
            group.first.severity,
            group.first.name,
        )
        for group in actionable
    }
    direct = [group for group in actionable if group.first.name not in OF_THE_VALUE]
    yield from (tasks[group] for group in direct if group.first.severity == "warning")
    yield from _undecided(context)
    yield from (tasks[group] for group in direct if group.first.severity == "note")
    yield from (tasks[group] for group in actionable if group not in direct)


def _without_value(context: Context) -> Iterator[ToDo]:
    """A coefficient that is undefined says why, and so what is wanting."""
    main = context.findings.results.get(None)
    if main is not None and main.undefined:
        yield ToDo(f"{main.title} is undefined", main.undefined, "verdict", "See the verdict", "warning")


def _undecided(context: Context) -> Iterator[ToDo]:
    for part in context.parts or (context,):
        left = 0 if part.gold is None else len(part.gold) - part.gold.n_decided
        if left:
            of = "" if part.variable is None else f" of {part.variable}"
            why = f"{counted(left, 'items')}{of} without a majority"
            what = "Have somebody decide them, or ask one more annotator, before the labels are used."
            yield ToDo(why, what, f"{part.prefix}gold", "See the items")


def _brief(remedy: str) -> str:
    """As many whole sentences as fit."""
    if len(remedy) <= LONGEST:
        return remedy
    end = max(remedy.rfind(mark, 0, LONGEST) for mark in (". ", "; "))
    return f"{remedy[:end]}." if end > 0 else cut(remedy, LONGEST)

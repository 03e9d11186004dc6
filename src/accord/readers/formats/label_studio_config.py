"""Label Studio's labelling configuration: which labels each control offers, in which order, how many may be chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from accord.errors import (
    FileError,
    MayBeNames,
    Message,
    OptionError,
    all_quoted,
    listing,
    quoted,
    remedy,
)
from accord.readers import xml_files
from accord.readers.source import Source
from accord.study.declared_scales import Scale
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows
from accord.study.tables.to_study import same_type

SEVERAL = ("multiple",)
ROOT = "View"


@dataclass
class Control:
    """One question: Choices, Labels, Taxonomy, Rating …"""

    tag: str
    labels: list[str] = field(default_factory=list)
    several: bool = False  # may more than one label be chosen?
    of_regions: bool = False  # a question about every region, not about the task?
    shown: dict[str, str] = field(default_factory=dict)  # of all objects that are shown: the field they come from

    @property
    def kind(self) -> str | None:
        """The kind of its answers, where the configuration decides it."""
        if self.tag == "choices":
            return "set" if self.several else "single"
        return "set" if self.tag == "taxonomy" else None


def is_config(source: Source, name: str) -> bool:
    """Is it XML with the root <View>?"""
    return name.lower().endswith(".xml") and source.glance(name).root == ROOT


def find(source: Source, options: ReadOptions, rows: Rows) -> dict[str, Control]:
    """The controls by name: of the configuration that the caller names, or of the one beside the export."""
    config = options.config
    if config is not None:
        return _from_named(config)
    inside = [name for name in source.names if is_config(source, name)] if source.kind != "file" else []
    if inside:
        rows.note(Message("the labels are declared by ", MayBeNames(inside[0], "a configuration")))
        return _controls(xml_files.load(source, inside[0]), source.where(inside[0]))
    place = source.beside(source.names[0]) if source.kind == "file" else None
    found = _beside(place) if place is not None else []
    if len(found) > 1:
        names = listing([path.name for path in found])
        rows.note(
            Message(
                f"there are {len(found)} configurations beside the export",
                MayBeNames(f" ({names})", ""),
                "; say which: ",
                remedy(config=...),
            )
        )
    if len(found) != 1:
        return {}
    rows.note(Message("the labels are declared by ", MayBeNames(found[0].name, "a file"), ", beside the export"))
    return _controls(xml_files.parse(found[0].read_bytes(), found[0].name), found[0].name)


def _from_named(config: Any) -> dict[str, Control]:
    """A path to the XML, or the XML itself."""
    if isinstance(config, str) and config.lstrip().startswith("<"):
        return _controls(xml_files.parse(config.encode("utf-8", "replace"), "config"), "config")
    if not isinstance(config, str | Path):
        raise OptionError.must("config", "be the labelling configuration, XML or a path to it", config)
    path = Path(config)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as problem:  # the second is of names that no file can have
        why = problem.strerror if isinstance(problem, OSError) else "no file has such a name"
        raise FileError(path, f"It cannot be opened: {why}.") from None
    return _controls(xml_files.parse(data, path.name), path.name)


def _beside(path: Path) -> list[Path]:
    """Configurations in the export's folder; one that is called like the export goes first, alone."""
    try:
        found = [near for near in sorted(path.parent.glob("*.xml")) if _root_of(near) == ROOT]
    except OSError:
        return []
    own = [near for near in found if near.stem in (path.stem, f"{path.stem}_config", f"{path.stem}-config")]
    return own or found


def _root_of(path: Path) -> str:
    source = Source(path)
    return source.glance(path.name).root


def _controls(root: Element, where: str) -> dict[str, Control]:
    if root.tag != ROOT:
        there = MayBeNames(root.tag)
        raise FileError(where, "A labelling configuration has the root <View>; this one has <", there, ">.")
    found: dict[str, Control] = {}
    relations = Control("relations")
    shown = {
        str(element.get("name")): str(element.get("value"))[1:]
        for element in root.iter()
        if element.get("name") and str(element.get("value", "")).startswith("$")
    }
    for element in root.iter():
        name, tag = element.get("name"), str(element.tag).lower()
        if tag == "relation" and element.get("value"):
            relations.labels.append(str(element.get("value")))
        if name is None or element.get("toName") is None:
            continue
        control = found[name] = Control(tag, of_regions=element.get("perRegion") == "true", shown=shown)
        control.several = element.get("choice", "single") in SEVERAL
        control.labels = _paths(element, ()) if tag == "taxonomy" else _labels(element)
    if relations.labels:
        found.setdefault("relations", relations)
    return found


def _labels(element: Element) -> list[str]:
    """What may be chosen; an alias stands in the export instead of the value."""
    labels = [child.get("alias") or child.get("value") for child in element.iter() if child.tag in ("Choice", "Label")]
    return list(dict.fromkeys(label for label in labels if label and not label.startswith("$")))


def _paths(element: Element, above: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for child in element:
        if child.tag != "Choice" or not (child.get("alias") or child.get("value")):
            continue
        path = (*above, str(child.get("alias") or child.get("value")))
        found += [" > ".join(path), *_paths(child, path)]
    return found


def fields_of(controls: dict[str, Control]) -> dict[str, str]:
    """The field of a task's data behind each object that is shown."""
    return next((control.shown for control in controls.values()), {})


def apply(controls: dict[str, Control], rows: Rows) -> list[str]:
    """Declare the scales, settle the kinds, and say which labels nobody used.

    Returned are the tasks in which to choose nothing is an answer: several labels may be chosen, and everybody was
    asked.
    """
    if not controls:
        return []
    tasks, answers = rows.column("task"), rows.column("answers")
    for place, (task, kind) in enumerate(zip(tasks, answers, strict=True)):
        control = controls.get(task) if task is not None else None
        if control is not None and control.kind is not None and kind in ("single", "set") and not control.of_regions:
            answers[place] = control.kind
    rows.columns["answers"] = answers
    used: dict[str, set[str]] = {}
    for task, label in zip(tasks, rows.column("label"), strict=True):
        used.setdefault(task, set()).add(str(label))
    sets = [
        name for name, control in controls.items() if control.kind == "set" and not control.of_regions and name in used
    ]
    if sets:
        rows.note(Message("who was done and chose nothing in ", column_names.columns(sets), " gave the empty set"))
    for name, control in controls.items():
        if not control.labels or name not in used:
            continue
        rows.scales[name] = Scale(tuple(same_type(list(control.labels))))
        unused = [label for label in control.labels if label not in used[name]]
        if unused:
            rows.note(Message("declared for ", quoted(name), " and never used: ", all_quoted(unused, 8)))
    return sets

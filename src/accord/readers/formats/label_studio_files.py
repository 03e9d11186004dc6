"""The files of a Label Studio export: one file, a file per task or per annotation, or exports that a server kept."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from accord.errors import counted
from accord.readers.file_heads import Glance
from accord.readers.formats import label_studio_config, label_studio_min
from accord.readers.source import DATA, Source
from accord.study.tables.rows import Record, Rows

# The server keeps every export that somebody made, with a file of facts beside it.
KEPT = re.compile(r"(project-\d+)-at-(\d{4}-\d\d-\d\d-\d\d-\d\d).*")
FACTS = {"project", "platform", "download"}
SETTINGS = ("config.json", "tasks.json", "source.json", "target.json")  # of projects before version 1
DONE = ("annotations", "completions")  # which they were called before version 1


def exported(source: Source) -> list[str]:
    """The files that are read together as one export; none where there is no export, or there are several."""
    names = [name for name in source.ending("", *DATA) if not is_beside(source, name)]
    if len(names) == 1:
        return names
    kept = {name: found for name in names if (found := KEPT.fullmatch(PurePosixPath(name).stem)) is not None}
    if names and len(kept) == len(names):
        newest = {found.group(1): name for name, found in sorted(kept.items(), key=lambda pair: pair[1].group(2))}
        return sorted(newest.values())
    parts = [name for name in names if _is_part(source, name)]
    others = [name for name in names if name not in parts and is_tasks(source.glance(name))]
    if len(parts) < 2 or others:
        return []
    kinds = {_kind(name) for name in parts}  # a file beside them that is no such record is a broken one
    return [name for name in names if _kind(name) in kinds]


def _kind(name: str) -> tuple[str, str]:
    path = PurePosixPath(name)
    return path.parent.as_posix(), path.suffix.lower()


def is_beside(source: Source, name: str) -> bool:
    """Does it say something of exports beside it: a labelling configuration, facts, settings?"""
    if label_studio_config.is_config(source, name):
        return True
    if not name.lower().endswith(".json"):
        return False
    keys = source.glance(name).keys
    return keys >= FACTS or (PurePosixPath(name).name in SETTINGS and not is_tasks(source.glance(name)))


def is_tasks(glance: Glance) -> bool:
    """Tasks with what was done to them, as a list, as lines or as one; of a long task its data may not be seen."""
    done = next((glance.record[key] for key in DONE if key in glance.keys), None)
    first = done[0] if isinstance(done, list) and done else None
    return done is not None and ("data" in glance.keys or (isinstance(first, dict) and "result" in first))


def is_annotation(glance: Glance) -> bool:
    """One annotation with its task in it, as target storages keep them."""
    task = glance.record.get("task") if isinstance(glance.record, dict) else None
    return isinstance(task, dict) and "data" in task and "result" in glance.keys


def _is_part(source: Source, name: str) -> bool:
    """A file for a task, called by its number, or for an annotation."""
    glance = source.glance(name)
    if glance.form not in ("json object", "json lines") or not isinstance(glance.record, dict):
        return False
    by_number = str(glance.record.get("id")) == PurePosixPath(name).stem
    return is_annotation(glance) or (by_number and is_tasks(glance))


def as_task(record: Record) -> Record:
    """The task of a record; of an annotation that has its task in it, the task with that one annotation."""
    task = record.data.get("task")
    if not isinstance(task, dict) or "result" not in record.data:
        return record
    own = {key: value for key, value in record.data.items() if key != "task"}
    named = {key: task[key] for key in ("id", "data") if key in task}
    return Record({**named, "annotations": [own]}, *record.place)


def tell_the_rest(source: Source, read: list[str], rows: Rows) -> None:
    """What lies beside the files that are read, and why it is not."""
    rest = [name for name in source.names if name not in read]
    older = [name for name in rest if KEPT.fullmatch(PurePosixPath(name).stem) and not is_beside(source, name)]
    source.set_aside(name for name in rest if name in older or is_beside(source, name))
    if older:
        what = counted(len(older), "exports")
        rows.note(f"not read: {what} older than the newest of their projects, which have their answers")


def is_export(source: Source, name: str) -> bool:
    """Is it a file of tasks, of annotations, or JSON-MIN?"""
    glance = source.glance(name)
    return is_tasks(glance) or is_annotation(glance) or label_studio_min.is_min(source, name)

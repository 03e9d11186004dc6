"""A long table whose columns are named: loaded into memory, or left in its engine where it may stay there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.annotations.answers import Kind
from accord.annotations.assemble import Duplicates
from accord.annotations.cleaning import Cleaning
from accord.study.shapes.loaded import Loaded
from accord.study.shapes.long import Long


def loaded_long(
    data: Any,
    roles: Mapping[str, Any],
    labels: Sequence[Any] | None,
    answers: Kind | None,
    duplicates: Duplicates,
    cleaning: Cleaning,
) -> Loaded:
    """The annotations of a table with one row per annotation; one in an engine stays there if it can."""
    from accord.engine.frames import Frame, refuse_empty, scan_of

    frame, scan = Frame.open(data), scan_of(data)
    columns = {role: frame.need(role, name) for role, name in roles.items()}
    if scan is not None:
        from accord.engine.lazy_annotations import is_large, refuse_large
        from accord.study.shapes.lazy_long import LazyLong

        if LazyLong.fits(scan, columns, answers, duplicates):
            loaded = LazyLong(scan, columns, labels, answers, duplicates, cleaning).load()
            if answers is not None or not loaded.orders_options:
                return loaded
        if is_large(scan):
            if not LazyLong.fits_scores(scan, columns, answers, duplicates):
                refuse_large(scan)
            return LazyLong(scan, columns, labels, answers, duplicates, cleaning).load()
    frame.keep(frame.columns)
    refuse_empty(len(frame), frame.columns)
    if "token" in columns:
        return _loaded_tokens(frame, columns, labels, duplicates, cleaning)
    return Long(frame, columns, labels, answers, duplicates, cleaning).load()


def _loaded_tokens(
    frame: Any, roles: Mapping[str, str], labels: Sequence[Any] | None, duplicates: Duplicates, cleaning: Cleaning
) -> Loaded:
    """Spans from a table with one row per token."""
    from accord.study.shapes.tagged_tokens import TaggedTokens

    spans, played, notes = TaggedTokens(frame, roles).spans()
    loaded = Long(spans, played, labels, "spans", duplicates, cleaning).load()
    return replace(loaded, shape="table of tagged tokens", rows=len(frame), notes=(*notes, *loaded.notes))


def names_every_role(roles: Mapping[str, Any]) -> bool:
    """Does the caller say which column is the item, the annotator and the answer? Then nothing is looked for."""
    several = isinstance(roles.get("label"), list | tuple)
    return {"item", "annotator"} <= set(roles) and bool({"label", "score"} & set(roles)) and not several


def with_one_item(data: Any, names: Sequence[str]) -> tuple[Any, str]:
    """The table with one column for the item that several name together, and what it is called."""
    from accord.engine.joined_columns import joined_name, with_joined

    if len(names) == 1:
        return data, names[0]
    return with_joined(data, names), joined_name(names)


def columns_but(data: Any, names: Sequence[str]) -> list[str]:
    """The columns that are none of these."""
    from accord.engine.frames import Frame

    return [name for name in Frame.open(data).columns if name not in names]

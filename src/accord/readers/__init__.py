"""Files to studies: formats, each with `sniff` and `read`, and plain tables; may import `warehouses` and what lies
below it.

`format_registry.py` lists the formats; others add theirs through the entry point group "accord.readers". What such a
format is written with is named here.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.readers.found_format import Found
    from accord.readers.source import Source
    from accord.study.tables.rows import ReadOptions, Rows

__all__ = ["Found", "ReadOptions", "Rows", "Source"]

_HOMES = {"Found": "found_format", "Source": "source"}

if not TYPE_CHECKING:  # a name is loaded from its module when it is first used, as in `accord` itself

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in __all__:
            raise AttributeError(f"module 'accord.readers' has no attribute {name!r}")
        in_study = name not in _HOMES
        home = import_module("accord.study.tables.rows" if in_study else f"accord.readers.{_HOMES[name]}")
        found = getattr(home, name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted(__all__)

"""Records of JSON by the fields that are read of them.

A format says which fields it reads and what each may hold: a class of `Fields`. Where msgspec is installed a record
that is as it should be becomes a structure of these fields at once, and what is not read is passed over. Any other
record is read by Python's own decoder, and its fields are looked at when they are asked for, so that what is wrong is
told as everywhere. Both answer by the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from importlib.util import find_spec
from operator import or_
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from accord.study.tables.rows import Record

Look: TypeAlias = Callable[[Record, str], Any]


def _as_it_is(record: Record, name: str) -> Any:
    return record.data.get(name)


# What a field may hold; beside it how a record is asked for it.
Scalar: TypeAlias = Annotated[str | int | float | bool | None, Record.scalar]
Needed: TypeAlias = Annotated[str | int | float | bool, Record.needed]  # None in a structure without it
Number: TypeAlias = Annotated[int | float | None, Record.number]
Flag: TypeAlias = Annotated[bool | int | None, Record.flag]
Text: TypeAlias = Annotated[str | None, Record.text]
Named: TypeAlias = Annotated[dict[str, Any] | None, lambda record, name: record.record(name).data]
Listed: TypeAlias = Annotated[list[Any] | None, Record.listed]
Anything: TypeAlias = Annotated[Any, _as_it_is]


class Fields:
    """A record whose fields are looked at when they are asked for; what it does not hold is None, or empty."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def __init_subclass__(cls) -> None:
        """Every field is asked for in its way."""
        for name, hint in get_type_hints(cls, include_extras=True).items():
            setattr(cls, name, property(_asking(name, _look(hint))))


def _asking(name: str, look: Look) -> Callable[[Any], Any]:
    return lambda fields: look(fields.record, name)


class Decoder:
    """Bytes of JSON to structures of the fields of a class; None where a record has to be looked at."""

    def __init__(self, fields: type[Fields]) -> None:
        import msgspec

        self._pieces = msgspec.json.Decoder(list[msgspec.Raw])
        self._record = msgspec.json.Decoder(_structure(fields))
        self._refused = msgspec.MsgspecError, ValueError, RecursionError

    def pieces(self, text: str) -> list[Any]:
        """The texts of records with commas between them; none where it is not that."""
        try:
            found: list[Any] = self._pieces.decode(f"[{text}]")
        except self._refused:
            return []
        return found

    def record(self, piece: Any) -> Any:
        """One record, where it is as the fields say."""
        try:
            return self._record.decode(piece)
        except self._refused:
            return None


def decoder_of(fields: type[Fields]) -> Decoder | None:
    """The decoder of a format's records; None without msgspec."""
    return Decoder(fields) if find_spec("msgspec") is not None else None


def _structure(fields: type[Fields]) -> type[Any]:
    import msgspec

    hints = get_type_hints(fields)
    return msgspec.defstruct(fields.__name__, [(name, _typed(hint), None) for name, hint in hints.items()], gc=False)


def _typed(hint: Any) -> Any:
    """What a field may hold, as msgspec is told: records within the record are structures too."""
    if isinstance(hint, type) and issubclass(hint, Fields):
        return _structure(hint)
    parts = tuple(map(_typed, get_args(hint)))
    if get_origin(hint) in (list, dict):
        return get_origin(hint)[parts]
    return reduce(or_, parts) if parts else hint


def _look(hint: Any) -> Look:
    if get_origin(hint) is Annotated:
        look: Look = hint.__metadata__[0]
        return look
    one, other = get_args(hint)
    if get_origin(one) is list:
        return lambda record, name: [get_args(one)[0](part) for part in record.records(name)]
    return lambda record, name: (
        one(record.record(name)) if isinstance(record.data.get(name), dict) else _look(other)(record, name)
    )

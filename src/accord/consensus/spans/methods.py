"""The methods of a gold of spans by name, and what each takes."""

from __future__ import annotations

from dataclasses import dataclass

MAJORITY, TOKEN_MAJORITY, DAWID_SKENE, SEQUENCE = "majority", "token-majority", "dawid-skene", "sequence"


@dataclass(frozen=True)
class SpanMethod:
    """A way from what people marked to gold."""

    title: str
    options: tuple[str, ...]
    references: tuple[str, ...] = ()


SPAN_METHODS: dict[str, SpanMethod] = {
    MAJORITY: SpanMethod("Majority of units", ("ties", "match")),
    TOKEN_MAJORITY: SpanMethod("Majority of tokens", ("ties", "transitions")),
    DAWID_SKENE: SpanMethod(
        "Dawid–Skene of tokens", ("prior", "transitions", "iterations", "tolerance"), ("dawid1979",)
    ),
    SEQUENCE: SpanMethod("Sequence model", ("prior", "iterations", "tolerance"), ("simpson2019",)),
}

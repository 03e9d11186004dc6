"""The methods of a gold of spans by name, and what each takes."""

from __future__ import annotations

from accord.consensus.methods import ON_SPANS, Method

MAJORITY, TOKEN_MAJORITY, DAWID_SKENE, SEQUENCE = "majority", "token-majority", "dawid-skene", "sequence"

SPAN_METHODS: dict[str, Method] = {
    MAJORITY: Method("Majority of units", ON_SPANS, ("ties", "match")),
    TOKEN_MAJORITY: Method("Majority of tokens", ON_SPANS, ("ties", "transitions")),
    DAWID_SKENE: Method(
        "Dawid–Skene of tokens", ON_SPANS, ("prior", "transitions", "iterations", "tolerance"), ("dawid1979",)
    ),
    SEQUENCE: Method("Sequence model", ON_SPANS, ("prior", "iterations", "tolerance"), ("simpson2019",)),
}

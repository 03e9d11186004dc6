"""The calculation step by step, with the study's own numbers: what a teacher would write on the board."""

from __future__ import annotations

from accord.agreement.result import Agreement


def working(result: Agreement) -> str:
    """The study in numbers, then the steps of the measure."""
    lines = [f"{result.title}, step by step"]
    coefficient = result.coefficient
    if coefficient is None:
        return "\n".join([*lines, f"There is no value: {result.undefined}"])
    lines.append(coefficient.size_in_words(result.n_annotators))
    return "\n".join([*lines, *coefficient.steps(result.undefined)])

"""Where the values of a chart stand, and the ticks beside them: linear scales, bands of names, numbers in words.

`chart_svg` draws with these what notebooks draw by Vega: ticks and numbers are those of d3, so that both look alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

PREFIXES = {0: "", 3: "k", 6: "M", 9: "G", 12: "T"}
FIXED = re.compile(r"\.(\d)f")
LEAST_STEP = 1e-300  # between ticks: a power of ten below it is no number


@dataclass(frozen=True)
class Linear:
    """Numbers from `low` to `high` along `length` points, downwards or to the right; `flipped`: upwards."""

    low: float
    high: float
    length: float
    flipped: bool = False

    def at(self, value: Any) -> float:
        """The place of a number."""
        share = (float(value) - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.length * (1 - share if self.flipped else share)


@dataclass(frozen=True)
class Bands:
    """Names with as much room each."""

    names: tuple[Any, ...]
    length: float

    @property
    def step(self) -> float:
        """The room of one."""
        return self.length / max(len(self.names), 1)

    def at(self, name: Any) -> float:
        """The middle of a name's room."""
        return (self.names.index(name) + 0.5) * self.step


def tick_step(low: float, high: float, count: int) -> float:
    """The step of about so many ticks: one, two or five of a power of ten.

    >>> tick_step(0, 1, 10), tick_step(0, 47, 5)
    (0.1, 10.0)
    """
    rough = (high - low) / max(count, 1)
    if not rough > LEAST_STEP:
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    over = rough / power
    return power * (10 if over >= math.sqrt(50) else 5 if over >= math.sqrt(10) else 2 if over >= math.sqrt(2) else 1)


def ticks(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step.

    >>> ticks(-0.02, 1.0, 0.5)
    [0.0, 0.5, 1.0]
    """
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [place * step for place in range(first, last + 1)]


def rounded_out(low: float, high: float) -> tuple[float, float]:
    """Ends that stand on ticks.

    >>> rounded_out(0.0, 47.0)
    (0.0, 50.0)
    """
    for _ in range(3):  # a wider stretch may have wider steps
        step = tick_step(low, high, 10)
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return low, high


def number_text(value: float, form: str | None, step: float = 0.0) -> str:
    """A number in one of the forms that charts use; ticks without a form have as many digits as their step.

    >>> number_text(-0.5, ".2f"), number_text(1234, ",d"), number_text(0.2, "%", 0.1), number_text(1234, ".2~s")
    ('−0.50', '1,234', '20%', '1.2k')
    """
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    fixed = FIXED.fullmatch(form or "")
    if fixed is not None:
        text = f"{value:z.{fixed[1]}f}"
    elif form == "%":
        text = f"{value:.{max(0, digits - 2)}%}"
    elif form == ".2~s":
        text = _short(value)
    else:
        text = f"{value:z,.{0 if form == ',d' else digits}f}"
    return text.replace("-", "−")


def _short(value: float) -> str:
    """Two digits and the size."""
    size = math.floor(math.log10(abs(value))) if value else 0
    kept = round(value, 1 - size)
    thousands = min(max(math.floor(math.log10(abs(kept))) // 3 * 3, 0), max(PREFIXES)) if kept else 0
    return f"{kept / 10**thousands:g}{PREFIXES[thousands]}"


def linear(values: Sequence[float], options: dict[str, Any], length: float, *, flipped: bool) -> Linear:
    """The scale of some numbers, with the options that Vega-Lite has: domain, zero, padding, nice."""
    finite = [value for value in values if math.isfinite(value)]
    given = options.get("domain")
    low, high = given if given is not None else (min(finite, default=0.0), max(finite, default=1.0))
    if given is None and options.get("zero", True):
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    padding = options.get("padding", 0)
    if padding and length > 2 * padding:
        more = padding * (high - low) / (length - 2 * padding)
        low, high = low - more, high + more
    if options.get("nice", given is None):
        low, high = rounded_out(low, high)
    return Linear(low, high, length, flipped)

"""The methods that decide rankings, by name: what each is called and takes."""

from __future__ import annotations

from dataclasses import dataclass

BORDA, KEMENY, PLACKETT_LUCE = "borda", "kemeny", "plackett-luce"


@dataclass(frozen=True)
class RankingMethod:
    """A way from many orders to one."""

    title: str
    options: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


RANKING_METHODS: dict[str, RankingMethod] = {
    BORDA: RankingMethod("Borda count"),
    KEMENY: RankingMethod("Kemeny's order", (), ("kemeny1959",)),
    PLACKETT_LUCE: RankingMethod("Plackett–Luce", ("prior",), ("plackett1975", "turner2020")),
}

"""The methods that decide rankings, by name: what each is called and takes."""

from __future__ import annotations

from accord.consensus.methods import ON_RANKINGS, Method

BORDA, KEMENY, PLACKETT_LUCE = "borda", "kemeny", "plackett-luce"

RANKING_METHODS: dict[str, Method] = {
    BORDA: Method("Borda count", ON_RANKINGS),
    KEMENY: Method("Kemeny's order", ON_RANKINGS, (), ("kemeny1959",)),
    PLACKETT_LUCE: Method("Plackett–Luce", ON_RANKINGS, ("prior",), ("plackett1975", "turner2020")),
}

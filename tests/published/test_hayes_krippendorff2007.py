"""Hayes and Krippendorff (2007) propose alpha as the standard, with forty units and five observers.

A fifth of the cells is empty and the scale is ordinal from 0 to 3: mid-ranks come from the answers that met
another.
"""

from __future__ import annotations

from tests.tables import Figure, printed_in


@printed_in("hayes-krippendorff2007")
def test_accord_computes_the_ordinal_alpha(figure: Figure) -> None:
    assert figure.computed() == figure.printed()
